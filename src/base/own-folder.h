/* The folder of the program or library itself, to find files that were built or installed with it. */
#ifndef FAR_BASE_OWN_FOLDER_H
#define FAR_BASE_OWN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the file that holds this code, a program or a shared library. False if it is unknown, or
 * longer than `size` bytes. */
bool far__own_folder(char *out, size_t size);

#endif
