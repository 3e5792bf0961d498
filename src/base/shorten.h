/* Labels of one list, cut so that those that differ still look different. */
#ifndef FAR_BASE_SHORTEN_H
#define FAR_BASE_SHORTEN_H

#include <stdbool.h>
#include <stddef.h>

/* How wide text[0..length) is: the sum of its characters. */
typedef double far__width_fn(const char *text, size_t length, const void *user);

/* out[i] is labels[i] cut to `width`, heap; NULL where that fits as it is. What is cut has its beginning, an ellipsis, and
 * its end; or, where others have the same, what tells it from them; or else its number in the list. False without memory. */
bool far__shorten(char **out, const char *const *labels, size_t n, double width,
                  far__width_fn *measure, const void *user);

#endif
