/* Large pages of memory. */
#ifndef FAR_BASE_PAGES_H
#define FAR_BASE_PAGES_H

#include <stddef.h>

/* Asks the system to back an array by large pages, where it has them: one that is read at random then
 * needs fewer look-ups of addresses. To be called before the array is written. Changes nothing else. */
void far__large_pages(void *array, size_t bytes);

#endif
