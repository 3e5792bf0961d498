/* Large pages of memory. */
#ifndef FAR_BASE_PAGES_H
#define FAR_BASE_PAGES_H

#include <stddef.h>

/* Asks the system to back an array by large pages, where it has them: random reads then miss the address cache
 * less often. To be called before the array is written. Changes nothing else. */
void far__large_pages(void *array, size_t bytes);

#endif
