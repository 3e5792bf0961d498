/* Pages of memory: there are none to be asked for (src/base/pages.c). */
#ifndef FARSIGHT_WINDOWS_MMAN_H
#define FARSIGHT_WINDOWS_MMAN_H
#endif
