/* No large pages, as in WebAssembly. */
#include "../../../wasm/system/sys/mman.h"
