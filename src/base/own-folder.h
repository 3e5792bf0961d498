/* Where the program is, to find what was built or installed with it. */
#ifndef FAR_BASE_OWN_FOLDER_H
#define FAR_BASE_OWN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the file that holds this code, a program or a shared library. False if it is not known, or
 * longer than the room for it. */
bool far__own_folder(char *out, size_t size);

#endif
