/* There is no backend of devices for Windows: as in WebAssembly, none is found. */
#include "../../wasm/system/dlfcn.h"
