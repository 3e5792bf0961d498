// SQLite for stores: starts sqlite3.wasm of the npm package @sqlite.org/sqlite-wasm, of which nothing else is used.
//
//     farsight.sqlite = await loadSqlite(bytes);           // of sqlite3.wasm
//     const store = farsight.store(bytesOfTheFile);
//
// It works on memory alone: every call of a system is refused but the time, so that it opens no file and no
// connection.
// @ts-check

const PAGE = 65536; // bytes
const [INITIAL, MAXIMUM] = [128, 32768]; // pages, as the package has them: 8 MiB, 2 GiB
const NOT_SUPPORTED = 52; // of WASI, and of Emscripten's calls, which return its negative

/** A running SQLite: its functions and its memory. */
export class Sqlite {
  /** @param {WebAssembly.Memory} memory @param {WebAssembly.Exports} exports */
  constructor(memory, exports) {
    this.memory = memory;
    this.f = /** @type {Record<string, (...args: any[]) => any>} */ (exports);
    this.table = /** @type {WebAssembly.Table} */ (exports.__indirect_function_table);
  }

  /** @returns {string} */
  get version() {
    const bytes = new Uint8Array(this.memory.buffer, this.f.sqlite3_libversion());
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** A copy of bytes in its memory, to be freed by sqlite3_free; 0: there is no room. @param {Uint8Array} bytes */
  put(bytes) {
    const at = this.f.sqlite3_malloc64(BigInt(bytes.length + 1)) >>> 0;
    if (at !== 0) new Uint8Array(this.memory.buffer).set(bytes, at);
    return at;
  }
}

/** What it finds of a system. @param {WebAssembly.Memory} memory @returns {Record<string, Function>} */
function system(memory) {
  return {
    emscripten_date_now: () => Date.now(),
    emscripten_get_now: () => performance.now(),
    emscripten_get_heap_max: () => MAXIMUM * PAGE,
    emscripten_resize_heap: (/** @type {number} */ size) => {
      try {
        memory.grow(Math.ceil(((size >>> 0) - memory.buffer.byteLength) / PAGE));
        return 1;
      } catch {
        return 0; // SQLite says that there is no memory
      }
    },
    environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) => {
      const view = new DataView(memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
  };
}

/** Starts SQLite. @param {BufferSource | WebAssembly.Module} source of sqlite3.wasm @returns {Promise<Sqlite>} */
export async function loadSqlite(source) {
  const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const memory = new WebAssembly.Memory({ initial: INITIAL, maximum: MAXIMUM });
  const known = system(memory);
  /** @type {Record<string, Record<string, any>>} */ const imports = {};
  for (const { module, name, kind } of WebAssembly.Module.imports(compiled)) {
    const refusal = module === "env" ? -NOT_SUPPORTED : NOT_SUPPORTED;
    (imports[module] ??= {})[name] = kind === "memory" ? memory : (known[name] ?? (() => refusal));
  }
  const { exports } = await WebAssembly.instantiate(compiled, imports);
  const sqlite = new Sqlite(memory, exports);
  sqlite.f.__wasm_call_ctors();
  if (sqlite.f.sqlite3_initialize() !== 0) throw new Error("SQLite does not start");
  return sqlite;
}
