/* Pages of memory: there are none to be asked for (src/base/pages.c). */
#ifndef FARSIGHT_WASM_MMAN_H
#define FARSIGHT_WASM_MMAN_H
#endif
