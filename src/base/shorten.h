/* Cuts the labels of a list so that different labels stay different. */
#ifndef FAR_BASE_SHORTEN_H
#define FAR_BASE_SHORTEN_H

#include <stdbool.h>
#include <stddef.h>

/* How wide text[0..length) is: the sum of its characters. */
typedef double far__width_fn(const char *text, size_t length, const void *user);

/* out[i] is labels[i] cut to `width`, on the heap; NULL where the label fits. A cut label keeps its beginning and its end
 * around an ellipsis; where several would look the same, the part that differs, or else its number in the list. False
 * without memory. */
bool far__shorten(char **out, const char *const *labels, size_t n, double width,
                  far__width_fn *measure, const void *user);

#endif
