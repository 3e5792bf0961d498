// The library in WebAssembly, for pages and Node: classes over the functions of web.h.
//
//     const farsight = await load(bytes);                  // of farsight.wasm
//     const model = farsight.model("chain:n=50");
//     const player = model.player(["directed-delayed-q", "q-learning"], { steps: 10000 });
//     player.play(5000);                                   // steps
//     player.lane(0).values("q");                          // Float64Array, s * n_actions + a
//     player.seek(100);                                    // back
//     player.free();
//
// With SQLite (sqlite.mjs) it reads stores and draws their figures: farsight.store(bytes).figure("curves").
//
// The same spec and seed give the same bits as the command. What a class holds is memory of the module: call free()
// when it is done with, players, hands and batches before their model. Nothing here touches a document, so that it
// works in a worker, too. Arrays that are returned are copies.
// @ts-check

/** Kinds of numbers of an agent, as far__learned names them. @typedef {"visits"|"q"|"bonus"|"e"|"learn"|"n"|"value"|"policy"} Quantity */
/** @typedef {"auto"|"cassandra"|"drn"|"json"} Format */
/** @typedef {"auto"|"light"|"dark"} Theme */
/** With an `id`, unique in the page, a figure is an element <svg> for a page that has the rules of figureStyle; without, a
 * file of its own. @typedef {{width?: number, theme?: Theme, id?: string | null}} FigureOptions */
/** @typedef {number | bigint} Whole */
/** @typedef {{name: string, type: "real"|"integer"|"choice"|"text", default: string|null, rule?: string, min: number|null,
 *   max: number|null, min_open?: boolean, max_open?: boolean, choices: string[]|null, help: string}} Param */
/** @typedef {{name: string, summary: string, reference: string, params: Param[], [key: string]: unknown}} Type */
/** @typedef {{kind: "line"|"grid"|"graph", width: number, height: number, x: number[], y: number[], labels: string[],
 *   dx: number[], dy: number[], actions: string[], walls: [number, number, number, number][]}} Layout */
/** @typedef {{spec: string, hash: string, n_states: number, n_actions: number, reward_min: number, reward_max: number,
 *   horizon: number, gamma: number, average: boolean, discount: number, caveat: string|null, states: (string|null)[], actions: (string|null)[],
 *   terminal: number[], starts: [number, number][], layout: Layout|null}} Description */
/** @typedef {{s: number, a: number, r: number, next: number, done: boolean, cut: boolean}} Transition */
/** @typedef {{index: number, agent: string, runs: number, mean: number, std: number|null, ci95: number|null, min: number,
 *   max: number, seconds: number, hash: string, points: [number, number, number|null][]}} Cell */

/** The options of `farsight plot` by their long names (docs/manual.md), env and agent perhaps several.
 * @typedef {{width?: number, most?: number, x?: "auto"|"linear"|"log", y?: "auto"|"linear"|"log", perStep?: boolean,
 *   series?: string, baseline?: string, better?: "higher"|"lower", paired?: boolean, steps?: Whole, runSeed?: Whole,
 *   env?: string | string[], agent?: string | string[], parameter?: string, step?: number,
 *   correction?: "holm"|"fdr"|"bonferroni", level?: number, resamples?: number, seed?: Whole}} PlotOptions */
/** The document of `farsight store info --json`.
 * @typedef {{format: number, runs: number, blocks: number, values: number, seconds: number, bytes: number, snapshots: number,
 *   cells: Record<string, any>[], series: Record<string, any>[], sessions: Record<string, any>[]}} Contents */

export const QUANTITIES = /** @type {Quantity[]} */ (["visits", "q", "bonus", "e", "learn", "n", "value", "policy"]);
const FORMATS = ["auto", "cassandra", "drn", "json"];
const THEMES = ["auto", "light", "dark"];
const LAYOUTS = ["none", "line", "grid", "graph"];
const UPDATED = ["q", "bonus", "e", "n", "learn"]; // far_value
const CODES = [
  "ok",
  "syntax",
  "unknown",
  "range",
  "conflict",
  "memory",
  "io",
  "format",
  "mismatch",
  "cancelled",
  "absent",
];

/** What the library refuses: a text for people, a code, and where in the text that was given. */
export class FarsightError extends Error {
  /** @param {string} message @param {string} code @param {number} position */
  constructor(message, code, position) {
    super(message);
    this.name = "FarsightError";
    this.code = code;
    this.position = position;
  }
}

/** What the module finds of a system: of WASI the time, no variables, no files; and SQLite, if the page has started it. */
class System {
  /** @type {WebAssembly.Memory | undefined} */ memory;
  /** @type {import("./sqlite.mjs").Sqlite | null} */ sqlite = null;

  get view() {
    return new DataView(/** @type {WebAssembly.Memory} */ (this.memory).buffer);
  }

  /** Of WASI. @returns {Record<string, Function>} */
  get wasi() {
    const BAD_FILE = 8;
    return {
      clock_time_get: (/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ out) => {
        this.view.setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ size) => {
        this.view.setUint32(count, 0, true);
        this.view.setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      fd_prestat_get: () => BAD_FILE, // there are no folders
      proc_exit: () => {
        throw new Error("the module has ended");
      },
    };
  }

  /** A function of SQLite, or what system/sqlite3.c needs to call it: copies between the two memories, and the
   * handler that SQLite calls while it works. @param {string} name @returns {Function} */
  ofSqlite(name) {
    const sqlite = () => /** @type {import("./sqlite.mjs").Sqlite} */ (this.sqlite);
    const here = () => new Uint8Array(/** @type {WebAssembly.Memory} */ (this.memory).buffer);
    const there = () => new Uint8Array(sqlite().memory.buffer);
    /** @type {Record<string, Function>} */
    const known = {
      put: (/** @type {number} */ to, /** @type {number} */ from, /** @type {number} */ size) =>
        there().set(here().subarray(from >>> 0, (from >>> 0) + size), to >>> 0),
      get: (/** @type {number} */ to, /** @type {number} */ from, /** @type {number} */ size) =>
        here().set(there().subarray(from >>> 0, (from >>> 0) + size), to >>> 0),
      progress: (/** @type {number} */ db, /** @type {number} */ operations, /** @type {number} */ user) =>
        sqlite().f.sqlite3_progress_handler(db, operations, this.handler, user),
    };
    return known[name] ?? ((/** @type {any[]} */ ...values) => sqlite().f[name](...values));
  }

  /** Every function that it imports. @param {WebAssembly.Module} compiled */
  imports(compiled) {
    const NOT_SUPPORTED = 52;
    /** @type {Record<string, Record<string, any>>} */ const all = {};
    for (const { module, name } of WebAssembly.Module.imports(compiled))
      (all[module] ??= {})[name] =
        module === "sqlite" ? this.ofSqlite(name) : (this.wasi[name] ?? (() => NOT_SUPPORTED));
    return all;
  }

  /** From now on stores are read by this SQLite, whose table gets the module's function.
   * @param {import("./sqlite.mjs").Sqlite} sqlite @param {Function} progress */
  use(sqlite, progress) {
    if (this.sqlite !== null) throw new Error("there is a SQLite already");
    this.handler = sqlite.table.grow(1);
    sqlite.table.set(this.handler, progress);
    this.sqlite = sqlite;
  }
}

/** Starts the module. @param {BufferSource | WebAssembly.Module} source @returns {Promise<Farsight>} */
export async function load(source) {
  const system = new System();
  const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  const { exports } = await WebAssembly.instantiate(compiled, system.imports(compiled));
  system.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  /** @type {Function} */ (exports._initialize)();
  return new Farsight(new Core(exports, system));
}

/** Specs as the module takes them: a line each. @param {string[]} specs */
function lines(specs) {
  for (const spec of specs)
    if (spec === "" || /[\n\0]/.test(spec)) throw new FarsightError("a spec is one line of text", "syntax", 0);
  return specs.join("\n");
}

/** The options of a figure, a line for each value, by the names of the command. @param {PlotOptions} options */
function plotLines(options) {
  const all = Object.entries(options).flatMap(([key, value]) => {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const values = [value].flat().filter((each) => each !== null && each !== undefined && each !== false);
    return values.map((each) => (each === true ? name : `${name}=${each}`));
  });
  return lines(all);
}

/** Calls of the module: texts in and out, numbers out, failures as exceptions. */
class Core {
  /** @param {WebAssembly.Exports} exports @param {System} system */
  constructor(exports, system) {
    this.system = system;
    this.f = /** @type {Record<string, (...args: any[]) => any>} */ (exports);
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  }

  /** @returns {never} */
  fail() {
    const code = CODES[this.f.web_error_code()] ?? "unknown";
    const position = this.f.web_error_position();
    throw new FarsightError(this.read(this.f.web_error()), code, position);
  }

  /** The text that the last call returned. @param {number} at */
  read(at) {
    return new TextDecoder().decode(this.bytes(at));
  }

  /** @param {number} at */
  bytes(at) {
    return new Uint8Array(this.memory.buffer, at, this.f.web_length()).slice();
  }

  /** Puts texts (and null) into the module's memory while `use` runs.
   * @template T @param {(string | Uint8Array | null)[]} texts @param {(...at: number[]) => T} use @returns {T} */
  with(texts, use) {
    /** @type {number[]} */ const taken = [];
    try {
      for (const text of texts) {
        const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
        taken.push(bytes === null ? 0 : this.put(bytes));
      }
      return use(...taken);
    } finally {
      for (const at of taken) this.f.web_free(at);
    }
  }

  /** A copy, ended by a zero. @param {Uint8Array} bytes */
  put(bytes) {
    const at = this.f.web_alloc(bytes.length + 1) || this.fail();
    const room = new Uint8Array(this.memory.buffer, at, bytes.length + 1);
    room.set(bytes);
    room[bytes.length] = 0;
    return at;
  }

  /** @param {number} handle */
  handle(handle) {
    return handle || this.fail();
  }

  /** @param {number} at */
  text(at) {
    return this.read(this.handle(at));
  }

  /** @param {number} at */
  json(at) {
    return JSON.parse(this.text(at));
  }

  /** @param {number} at */
  numbers(at) {
    return new Float64Array(this.memory.buffer, this.handle(at), this.f.web_count()).slice();
  }
}

/** The module, and what it knows. */
export class Farsight {
  /** @param {Core} core */
  constructor(core) {
    this.core = core;
  }

  /** @returns {{version: string, numerics: number}} */
  get about() {
    return this.core.json(this.core.f.web_about());
  }
  /** @returns {Type[]} */
  get agents() {
    return this.core.json(this.core.f.web_list(0));
  }
  /** @returns {Type[]} */
  get environments() {
    return this.core.json(this.core.f.web_list(1));
  }
  /** @returns {Type[]} */
  get metrics() {
    return this.core.json(this.core.f.web_list(2));
  }
  /** @returns {Record<string, unknown>[]} */
  get theorems() {
    return this.core.json(this.core.f.web_list(3));
  }
  /** The kinds of figures of a store. @returns {{name: string, summary: string}[]} */
  get plots() {
    return this.core.json(this.core.f.web_list(4));
  }

  /** An environment from its spec. @param {string} spec */
  model(spec) {
    return this.core.with([spec], (at) => new Model(this.core, this.core.handle(this.core.f.web_model_create(at))));
  }

  /** A model from the bytes of a file. @param {Uint8Array | string} file @param {Format} [format] */
  readModel(file, format = "auto") {
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
    return this.core.with(
      [bytes],
      (at) =>
        new Model(this.core, this.core.handle(this.core.f.web_model_read(at, bytes.length, FORMATS.indexOf(format)))),
    );
  }

  /** The canonical spec of an environment. @param {string} spec @returns {string} */
  resolve(spec) {
    return this.core.with([spec], (at) => this.core.text(this.core.f.web_model_resolve(at)));
  }

  /** @param {number} states @param {number} actions */
  builder(states, actions) {
    return new Builder(this.core, this.core.handle(this.core.f.web_builder_create(states, actions)));
  }

  /** SQLite, without which there are no stores: what loadSqlite of sqlite.mjs returns. It is set once. */
  get sqlite() {
    return this.core.system.sqlite;
  }
  set sqlite(sqlite) {
    if (sqlite !== null) this.core.system.use(sqlite, this.core.f.web_sqlite_progress);
  }

  /** A store from the bytes of its file. `name` is for messages; no two open stores have the same.
   * @param {Uint8Array} file @param {{name?: string}} [options] */
  store(file, { name = "the file" } = {}) {
    if (this.sqlite === null) throw new FarsightError("a store is read by SQLite, which is not loaded", "absent", -1);
    const place = this.sqlite.put(file);
    if (place === 0) throw new FarsightError(`no memory for a store of ${file.length} bytes`, "memory", -1);
    return this.core.with(
      [name],
      (at) => new Store(this.core, this.core.handle(this.core.f.web_store_open(at, place, file.length))),
    );
  }

  /** The rules of CSS for figures with an `id`. @param {Theme} [theme] @param {string} [scope] before every selector */
  figureStyle(theme = "auto", scope = "") {
    return this.core.with([scope], (at) => this.core.text(this.core.f.web_figure_style(THEMES.indexOf(theme), at)));
  }

  /** Bytes of memory that the module has. */
  get memory() {
    return this.core.memory.buffer.byteLength;
  }
}

/** A model built outcome by outcome; finish() makes it, and ends the builder in any case. */
export class Builder {
  /** @param {Core} core @param {number} at */
  constructor(core, at) {
    this.core = core;
    this.at = at;
  }

  /** @param {number} good */
  check(good) {
    if (!good) this.core.fail();
    return this;
  }

  /** @param {number} s @param {number} a @param {number} probability @param {number} next @param {number} reward */
  outcome(s, a, probability, next, reward) {
    return this.check(this.core.f.web_builder_outcome(this.at, s, a, probability, next, reward));
  }
  /** @param {number} s @param {number} [probability] */
  start(s, probability = 1) {
    return this.check(this.core.f.web_builder_start(this.at, s, probability));
  }
  /** @param {number} s */
  terminal(s) {
    return this.check(this.core.f.web_builder_terminal(this.at, s));
  }
  /** @param {Whole} steps */
  horizon(steps) {
    return this.check(this.core.f.web_builder_horizon(this.at, BigInt(steps)));
  }
  /** @param {"line"|"grid"|"graph"} kind @param {number} width @param {number} height */
  layout(kind, width, height) {
    return this.check(this.core.f.web_builder_layout(this.at, LAYOUTS.indexOf(kind), width, height));
  }
  /** @param {number} s @param {number} x @param {number} y @param {string | null} [label] */
  place(s, x, y, label = null) {
    return this.core.with([label], (at) => this.check(this.core.f.web_builder_place(this.at, s, x, y, at)));
  }
  /** @param {number} a @param {number} dx @param {number} dy @param {string | null} [label] */
  arrow(a, dx, dy, label = null) {
    return this.core.with([label], (at) => this.check(this.core.f.web_builder_arrow(this.at, a, dx, dy, at)));
  }
  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  wall(x0, y0, x1, y1) {
    return this.check(this.core.f.web_builder_wall(this.at, x0, y0, x1, y1));
  }

  finish() {
    const at = this.at;
    this.at = 0;
    return new Model(this.core, this.core.handle(this.core.f.web_builder_finish(at)));
  }

  free() {
    this.core.f.web_builder_free(this.at);
    this.at = 0;
  }
}

/** A model: immutable. */
export class Model {
  /** @param {Core} core @param {number} at */
  constructor(core, at) {
    this.core = core;
    this.at = at;
    this.description = /** @type {Description} */ (core.json(core.f.web_model_describe(at)));
  }

  free() {
    this.core.f.web_model_free(this.at);
    this.at = 0;
  }

  /** Six numbers of each outcome: s, a, probability, next, reward, 1 if it ends the episode. */
  outcomes() {
    return this.core.numbers(this.core.f.web_model_outcomes(this.at));
  }

  /** The model as the text of a file. @param {Format} format @returns {string} */
  print(format) {
    return this.core.text(this.core.f.web_model_print(this.at, FORMATS.indexOf(format)));
  }

  /** The canonical spec of an agent on this model, in a run of so many steps (0: not known), and what is said against it.
   * @param {string} agent @param {{steps?: Whole}} [options]
   * @returns {{spec: string, warnings: {severe: boolean, message: string}[]}} */
  resolve(agent, { steps = 0 } = {}) {
    return this.core.with([agent], (at) => this.core.json(this.core.f.web_agent_resolve(at, this.at, BigInt(steps))));
  }

  /** One run of each agent, all on the same random numbers. @param {string[]} agents
   * @param {{steps?: Whole, seed?: Whole, replicate?: Whole}} [options] */
  player(agents, { steps = 10000, seed = 1, replicate = 0 } = {}) {
    return this.core.with(
      [lines(agents)],
      (at) =>
        new Player(
          this,
          this.core.handle(this.core.f.web_player_create(this.at, at, BigInt(steps), BigInt(seed), BigInt(replicate))),
          agents.length,
        ),
    );
  }

  /** A run by hand on the same random numbers. @param {{seed?: Whole, replicate?: Whole}} [options] */
  hand({ seed = 1, replicate = 0 } = {}) {
    return new Hand(this, this.core.handle(this.core.f.web_hand_create(this.at, BigInt(seed), BigInt(replicate))));
  }

  /** Many runs of each agent. @param {string[]} agents
   * @param {{steps?: Whole, runs?: Whole, seed?: Whole, points?: number}} [options] */
  batch(agents, { steps = 10000, runs = 100, seed = 1, points = 100 } = {}) {
    return this.core.with(
      [lines(agents)],
      (at) =>
        new Batch(
          this,
          this.core.handle(
            this.core.f.web_batch_create(this.at, at, BigInt(steps), BigInt(runs), BigInt(seed), points),
          ),
        ),
    );
  }

  /** The document of `farsight solve --json`. @param {number} [gamma] NaN: by the problem's criterion; else with this discount */
  solve(gamma = NaN) {
    return this.core.json(this.core.f.web_solve(this.at, gamma));
  }

  /** The optimal values of states and of pairs, and the best actions; with a horizon those of step 0, then those of step 1
   * and so on. Where the average reward counts it is `gain`, NaN elsewhere, and the values are relative.
   * @param {number} [gamma] NaN: by the problem's criterion; else with this discount */
  values(gamma = NaN) {
    const all = this.core.numbers(this.core.f.web_solve_values(this.at, gamma));
    const { n_states, n_actions, horizon } = this.description;
    const n = n_states * (Number.isNaN(gamma) && horizon > 0 ? horizon : 1);
    const [q, policy] = [1 + n, 1 + n + n * n_actions];
    return {
      gain: all[0],
      v: all.slice(1, q),
      q: all.slice(q, policy),
      policy: Uint32Array.from(all.subarray(policy)),
    };
  }

  /** The document of `farsight pac --json`; of one theorem, its derivation, too.
   * @param {{theorem?: string | null, gamma?: number, eps?: number, delta?: number, gammaE?: number}} [question] */
  guarantees({ theorem = null, gamma = NaN, eps = 0, delta = 0.1, gammaE = 0.99 } = {}) {
    return this.core.with([theorem], (at) =>
      this.core.json(this.core.f.web_guarantees(this.at, at, gamma, eps, delta, gammaE)),
    );
  }
}

/** One run of several agents, stepped forward and back. */
export class Player {
  /** @param {Model} model @param {number} at @param {number} count */
  constructor(model, at, count) {
    this.model = model;
    this.core = model.core;
    this.at = at;
    this.count = count;
  }

  free() {
    this.core.f.web_player_free(this.at);
    this.at = 0;
  }

  /** Steps so far. @returns {number} */
  get t() {
    return this.core.f.web_player_t(this.at);
  }

  /** Goes on for n steps, or until the seconds are over. @param {Whole} n @param {number} [seconds] */
  play(n, seconds = Infinity) {
    if (!this.core.f.web_player_play(this.at, BigInt(n), seconds)) this.core.fail();
    return this.t;
  }

  /** Goes to step t, forward or back. @param {Whole} t */
  seek(t) {
    if (!this.core.f.web_player_seek(this.at, BigInt(t))) this.core.fail();
    return this.t;
  }

  /** n steps with their transitions: [step][agent]. @param {number} n @returns {Transition[][]} */
  trace(n) {
    const all = this.core.numbers(this.core.f.web_player_trace(this.at, BigInt(n)));
    const of = (/** @type {number} */ i) => {
      const [s, a, r, next, done, cut] = all.subarray(6 * i, 6 * i + 6);
      return { s, a, r, next, done: done !== 0, cut: cut !== 0 };
    };
    return Array.from({ length: all.length / 6 / this.count }, (_, step) =>
      Array.from({ length: this.count }, (_none, k) => of(step * this.count + k)),
    );
  }

  /** Steps until a number of an agent changes; null if the run ends before. */
  update() {
    const all = this.core.numbers(this.core.f.web_player_update(this.at));
    if (all.length === 0) return null;
    const [agent, kind, s, a, before, after, pairs] = all;
    return { agent, kind: UPDATED[kind], s, a, before, after, pairs };
  }

  /** Agent k in its world. @param {number} k */
  lane(k) {
    return new Lane(this, k);
  }
}

/** One agent of a player, as it is now. */
export class Lane {
  /** @param {Player} player @param {number} k */
  constructor(player, k) {
    this.player = player;
    this.core = player.core;
    this.k = k;
  }

  /** Its canonical spec. @returns {string} */
  get spec() {
    return this.core.text(this.core.f.web_lane_spec(this.player.at, this.k));
  }

  get state() {
    const [s, total, episodes, learned, gamma, stopped, certificate, stride, step] = this.core.numbers(
      this.core.f.web_lane(this.player.at, this.k),
    );
    return { s, total, episodes, learned, gamma, stopped: stopped === 1, certificate, stride, step };
  }

  /** Totals after stride, 2 stride, ... steps. */
  curve() {
    return this.core.numbers(this.core.f.web_lane_curve(this.player.at, this.k));
  }

  /** A quantity of all pairs (of "value": of all states); null if the agent has none. Of a step of the episode, or of the
   * one that comes next. @param {Quantity} quantity @param {number} [step] */
  values(quantity, step = -1) {
    const all = this.core.numbers(
      this.core.f.web_lane_values(this.player.at, this.k, QUANTITIES.indexOf(quantity), BigInt(step)),
    );
    return all.length > 0 ? all : null;
  }

  /** The agent as a saved file, which `farsight agent` loads. */
  save() {
    return this.core.bytes(this.core.handle(this.core.f.web_lane_save(this.player.at, this.k)));
  }

  /** A quantity on the layout, as SVG. @param {Quantity} quantity @param {FigureOptions} [options] */
  figure(quantity, { width = 720, theme = "auto", id = null } = {}) {
    return this.core.with([id], (at) =>
      this.core.text(
        this.core.f.web_lane_figure(
          this.player.at,
          this.k,
          this.player.model.at,
          QUANTITIES.indexOf(quantity),
          width,
          at,
          THEMES.indexOf(theme),
        ),
      ),
    );
  }
}

/** A run in which somebody else chooses. */
export class Hand {
  /** @param {Model} model @param {number} at */
  constructor(model, at) {
    this.core = model.core;
    this.at = at;
  }

  free() {
    this.core.f.web_hand_free(this.at);
    this.at = 0;
  }

  /** @returns {number} */
  get state() {
    return this.core.f.web_hand_state(this.at);
  }

  /** Takes an action; `state` is where it goes on. @param {number} a */
  step(a) {
    const [r, next, done, cut, state] = this.core.numbers(this.core.f.web_hand_step(this.at, a));
    return { r, next, done: done === 1, cut: cut === 1, state };
  }
}

/** Many runs, computed in slices. */
export class Batch {
  /** @param {Model} model @param {number} at */
  constructor(model, at) {
    this.core = model.core;
    this.at = at;
  }

  free() {
    this.core.f.web_batch_free(this.at);
    this.at = 0;
  }

  /** Computes for about so many seconds; true when all runs are done. @param {number} [seconds] */
  work(seconds = Infinity) {
    const state = this.core.f.web_batch_work(this.at, seconds);
    return state === 0 ? this.core.fail() : state === 2;
  }

  /** Of the runs so far. @returns {{runs: number, cells: Cell[]}} */
  results() {
    return this.core.json(this.core.f.web_batch_results(this.at));
  }

  /** The totals of an agent's runs so far. @param {number} agent */
  totals(agent) {
    return this.core.numbers(this.core.f.web_batch_totals(this.at, agent));
  }

  /** The learning curves so far, as SVG. @param {FigureOptions & {perStep?: boolean}} [options] */
  figure({ perStep = false, width = 720, theme = "auto", id = null } = {}) {
    return this.core.with([id], (at) =>
      this.core.text(this.core.f.web_batch_figure(this.at, perStep, width, at, THEMES.indexOf(theme))),
    );
  }
}

/** Stored results, read-only. */
export class Store {
  /** @param {Core} core @param {number} at */
  constructor(core, at) {
    this.core = core;
    this.at = at;
    try {
      this.description = /** @type {Contents} */ (core.json(core.f.web_store_describe(at)));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  free() {
    this.core.f.web_store_close(this.at);
    this.at = 0;
  }

  /** The figure of `farsight plot KIND STORE`, as SVG. @param {string} kind one of Farsight.plots
   * @param {{theme?: Theme, id?: string | null} & PlotOptions} [options] @returns {string} */
  figure(kind, { theme = "auto", id = null, ...options } = {}) {
    return this.core.with([kind, plotLines(options), id], (...at) =>
      this.core.text(this.core.f.web_store_figure(this.at, ...at, THEMES.indexOf(theme))),
    );
  }

  /** The numbers of a figure: the document of `farsight plot KIND STORE --json`; not of the kinds on a layout.
   * @param {string} kind @param {PlotOptions} [options] @returns {Record<string, any>} */
  numbers(kind, options = {}) {
    return this.core.with([kind, plotLines(options)], (...at) =>
      this.core.json(this.core.f.web_store_numbers(this.at, ...at)),
    );
  }
}
