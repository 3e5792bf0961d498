// A worker that holds the module: it plays the watched run, or computes many runs. All calls of the page come here.
import {
  FarsightError,
  load,
  type Batch,
  type Farsight,
  type Format,
  type Hand,
  type Model,
  type Player,
  type Store,
} from "../../../ports/wasm/farsight.mjs";
import { loadSqlite } from "../../../ports/wasm/sqlite.mjs";
import type { ModelFile } from "../setup";
import { best } from "./best";
import type {
  Catalogue,
  Change,
  Exact,
  Failure,
  Frame,
  Guarantees,
  HandOpened,
  HandStep,
  LaneFrame,
  Learned,
  Opened,
  Quantity,
  Reply,
  Request,
  Stored,
  Transition,
  Watched,
} from "./messages";

const FRAME = 0.012; // seconds of work between two looks at the messages
const MOST_SOLVED = 20000; // states of a model that is solved without being asked
const MOST_AVERAGED = 1000; // likewise, for the average reward, which takes longer
const MOST_DRAWN = 200; // states of a graph whose transitions are drawn

const later = new MessageChannel(); // a turn of the loop without the delay of a timer
const say = (reply: Reply) => postMessage(reply);

let farsight: Farsight;
let model: Model | null = null;
let player: Player | null = null;
let hand: Hand | null = null;
let batch: Batch | null = null;
let store: Store | null = null;

let exact: Exact | null = null; // of the model that is open
let steps = 0;
let shown: Quantity = "q";
let playing = false;
let speed = Infinity; // steps a second
let credit = 0; // steps that are due
let before = 0; // the time of the last turn
let seen = true; // the page has drawn the last frame
let last: Transition[] | null = null;
let change: Change | null = null;
let rate = 0;
let reached = 0; // the farthest step that the run was at: copies lead back to all before it
let goal: number | null = null; // on the way to this step,
let resumes = false; // and then it plays on
let way = 0; // a number for each way, so that one knows when another was chosen

const FORMATS: Record<string, Format> = { mdp: "cassandra", pomdp: "cassandra", drn: "drn", json: "json" };

/** A model file is read as the command reads it: by its extension, without one by its content. */
function readFile({ name, text }: ModelFile) {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return farsight.readModel(text, FORMATS[extension] ?? "auto");
}

function make({ env, model: file }: Watched) {
  return file === null ? farsight.model(env) : readFile(file);
}

/** Ends what moves the run. */
function halt() {
  playing = resumes = false;
  goal = null;
  way += 1;
}

function close() {
  halt();
  rate = reached = 0;
  last = change = null;
  for (const each of [player, hand, batch, model]) each?.free();
  player = hand = batch = model = null;
}

/** What is best by the problem's criterion; null of a model that would take long, or has no such solution. */
function solve(of: Model): Exact | null {
  const { n_states, average } = of.description;
  if (n_states > (average ? MOST_AVERAGED : MOST_SOLVED)) return null;
  try {
    return of.values();
  } catch {
    return null;
  }
}

function laneFrame(k: number): LaneFrame {
  const lane = player!.lane(k);
  const { s, total, episodes, stopped, certificate, stride, step } = lane.state;
  const policy = shown === "policy" || shown === "value" ? lane.values("policy") : null;
  const values = shown === "policy" ? policy : lane.values(shown);
  return { s, total, episodes, stopped, certificate, stride, step: step || 0, curve: lane.curve(), values, policy };
}

function frame(): Frame {
  const lanes = Array.from({ length: player!.count }, (_, k) => laneFrame(k));
  return { t: player!.t, playing, goal, show: shown, rate, lanes, last, change };
}

function tell() {
  seen = false;
  say({ frame: frame() });
}

/** Says of a failure which text it is about. */
function about<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { where }) : error;
  }
}

/** All agents in one player. What one of them refuses is said of it. */
function makePlayer(of: Model, { agents, steps, seed, replicate }: Watched): Player {
  const options = { steps, seed: BigInt(seed), replicate };
  try {
    return of.player(agents, options);
  } catch (error) {
    agents.forEach((agent, k) => about(`agent${k}`, () => of.player([agent], options)).free());
    throw error;
  }
}

/** The mean of values over the starts. */
function atStart(values: Float64Array) {
  return model!.description.starts.reduce((sum, [s, p]) => sum + p * values[s], 0);
}

function learned(k: number): Learned {
  const lane = player!.lane(k);
  const { n_states, n_actions: m, terminal, starts, horizon, average, gamma: problem } = model!.description;
  const { gamma, step } = lane.state;
  const [value, policy] = [lane.values("value", 0), lane.values("policy", 0)];
  const same = !average && (horizon > 0 ? !Number.isNaN(step) : gamma === problem); // as what is exact
  const truth = same && exact ? exact.v : null;
  const out = new Set(terminal);
  const states = horizon > 0 ? starts.map(([s]) => s) : Array.from({ length: n_states }, (_, s) => s);
  const live = states.filter((s) => !out.has(s) && !(exact && Number.isNaN(exact.v[s])));
  const likely = (s: number) =>
    policy!.subarray(s * m, s * m + m).reduce((best, p, a, all) => (p > all[best] ? a : best), 0);
  const near = (s: number) => {
    const row = exact!.q.subarray(s * m, s * m + m);
    const most = Math.max(...row);
    return row[likely(s)] >= most - 1e-6 * Math.max(1, Math.abs(most));
  };
  return {
    gamma,
    start: value && atStart(value),
    exact: exact && (average ? exact.gain : atStart(exact.v)),
    error: value && truth && live.reduce((most, s) => Math.max(most, Math.abs(value[s] - truth[s])), 0),
    agree: policy && exact && live.filter(near).length,
    states: live.length,
  };
}

/** One turn of the loop while the run plays. */
function turn() {
  if (!playing || player === null) return;
  const now = performance.now();
  const t = player.t;
  credit = Math.min(credit + ((now - before) / 1000) * speed, speed / 2 + 1);
  before = now;
  const n = speed === Infinity ? steps : Math.floor(credit);
  if (n > 0) advance(Math.min(n, steps - t));
  if (speed !== Infinity) credit -= player.t - t;
  const took = (performance.now() - now) / 1000;
  if (player.t > t) rate = Math.min(((player.t - t) * player.count) / Math.max(took, 1e-9), speed * player.count);
  if (player.t >= steps) playing = false;
  if (seen || !playing) tell();
  if (!playing) return;
  if (speed === Infinity) later.port2.postMessage(null);
  else setTimeout(turn, Math.min(16, 1000 / speed));
}
later.port1.onmessage = turn;

function advance(n: number) {
  change = null;
  if (n === 1) last = player!.trace(1).at(-1) ?? null;
  else {
    last = null;
    player!.play(n, FRAME);
  }
}

/** Lets messages of the page come in. */
const breath = () =>
  new Promise<void>((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });

/** Goes on to a step, and shows how far it is; false if something else was asked for meanwhile. */
async function travel(run: Player, to: number, goesOn: boolean): Promise<boolean> {
  [goal, resumes] = [to, goesOn];
  const mine = way;
  while (run.play(to - run.t, FRAME) < to) {
    if (seen) tell();
    await breath();
    if (mine !== way) return false;
  }
  return true;
}

/** Bytes of the module's memory, for whoever looks into the worker. */
Object.assign(self, { moduleMemory: () => farsight.memory });

/** What the page can ask for. */
const api = {
  async start(bytes: Uint8Array<ArrayBuffer>): Promise<Catalogue> {
    farsight = await load(bytes);
    const { version, numerics } = farsight.about;
    const rules = { light: farsight.figureStyle("light"), dark: farsight.figureStyle("dark") };
    return { version, numerics, agents: farsight.agents, environments: farsight.environments, rules };
  },

  /** The rules for figures inside the page, whose root says its theme if that is not the system's. */
  figureStyle: (scope: string) =>
    (["auto", "light", "dark"] as const)
      .map((theme) =>
        farsight.figureStyle(
          theme,
          `:root${theme === "auto" ? ":not([data-theme])" : `[data-theme="${theme}"]`} ${scope}`,
        ),
      )
      .join("\n"),

  /** Opens a run at step 0; what was open is closed, even if this fails. */
  open(watched: Watched, show: Quantity): Opened {
    close();
    shown = show;
    model = about("env", () => make(watched));
    const warnings = watched.agents.map((agent, k) =>
      about(`agent${k}`, () => model!.resolve(agent, watched).warnings),
    );
    player = makePlayer(model, watched);
    steps = watched.steps;
    exact = solve(model);
    const lanes = warnings.map((said, k) => {
      const { gamma } = player!.lane(k).state;
      return { spec: player!.lane(k).spec, gamma, warnings: said };
    });
    const { description } = model;
    const graph = description.layout?.kind === "graph" && description.n_states <= MOST_DRAWN;
    seen = true;
    return { description, outcomes: graph ? model.outcomes() : null, lanes, exact, frame: frame() };
  },

  show(quantity: Quantity) {
    shown = quantity;
    if (player && !playing) tell();
  },

  play(faster: number) {
    if (player === null || player.t >= steps) return;
    halt();
    [playing, speed, credit, before] = [true, faster, faster === Infinity ? 0 : 1, performance.now()];
    turn();
  },

  pause() {
    if (player === null) return;
    halt();
    tell();
  },

  step(n: number) {
    if (player === null) return;
    halt();
    advance(Math.min(n, steps - player.t));
    tell();
  },

  /** Goes on to the next change of a number. */
  update() {
    if (player === null) return;
    halt();
    last = null;
    change = player.update();
    tell();
  },

  /** Goes to step t: at once where the run was before, by and by where it has not been. */
  async seek(t: number) {
    if (player === null) return;
    const [to, goesOn] = [Math.max(0, Math.min(t, steps)), playing || resumes];
    halt();
    [last, change] = [null, null];
    reached = Math.max(reached, player.t);
    player.seek(Math.min(to, reached));
    if (player.t < to && !(await travel(player, to, goesOn))) return;
    goal = null;
    tell();
    if (goesOn && player.t < steps) api.play(speed);
  },

  /** Leaves the way to a step, for another that is asked for next. */
  leave() {
    way += 1;
  },

  laneFigure: (k: number, quantity: Quantity, width: number) => player!.lane(k).figure(quantity, { width }),
  modelText: (format: "json" | "cassandra" | "drn") => model!.print(format),

  /** Of every agent, as it is now. */
  learned: (): Learned[] => (player === null ? [] : Array.from({ length: player.count }, (_, k) => learned(k))),

  guarantees: (question: Parameters<Model["guarantees"]>[0]) => model!.guarantees(question) as Guarantees,

  /** Many runs; the page hears of them by and by. */
  runs(number: number, watched: Watched, runs: number, width: number) {
    close();
    model = make(watched);
    batch = model.batch(watched.agents, { steps: watched.steps, runs, seed: BigInt(watched.seed) });
    const mine = batch;
    const go = () => {
      if (batch !== mine) return; // another question has come
      try {
        const done = mine.work(0.1);
        const { cells } = mine.results();
        const least = cells.length < watched.agents.length ? 0 : Math.min(...cells.map((cell) => cell.runs));
        say({ runs: { number, done, runs: least, cells, figure: mine.figure({ width, id: "runs" }) } });
        if (!done) setTimeout(go);
      } catch (error) {
        say({ id: 0, failure: failure(error) });
      }
    };
    setTimeout(go);
  },

  stop: close,
  runsFigure: (width: number) => batch!.figure({ width }),

  /** Why the library refuses the spec of an environment, or of an agent on the model that is open; null if it takes it. */
  refusal(what: "env" | "agent", spec: string): Failure | null {
    try {
      if (what === "env") farsight.resolve(spec);
      else onModel((of) => of.resolve(spec, { steps }));
      return null;
    } catch (error) {
      return failure(error);
    }
  },

  /** The canonical spec of an environment; what is open stays open. */
  resolve: (env: string) => farsight.resolve(env),

  /** Reads a model file, to know whether it can be read; what is open stays open. */
  check: (file: ModelFile) => readFile(file).free(),

  /** A run whose actions come from the page, on the random numbers of the agents, who make their steps beside it. The
   * moves that were made before are made again; they end at the first that does not exist. */
  handStart(watched: Watched, turns: number, moves: number[]): HandOpened {
    close();
    model = make(watched);
    const { seed, replicate } = { seed: BigInt(watched.seed), replicate: watched.replicate };
    hand = model.hand({ seed, replicate });
    player = model.player(watched.agents, { steps: watched.steps, seed, replicate });
    const s = hand.state;
    const { description } = model;
    const end = moves.findIndex((a) => a >= description.n_actions);
    const made = moves.slice(0, end < 0 ? turns : Math.min(end, turns));
    return { description, s, steps: made.map(handStep), best: best(model, turns) };
  },
  handStep,

  /** A store of results, from the bytes of its file. */
  async storeOpen(bytes: Uint8Array<ArrayBuffer>, name: string, sqlite: Uint8Array<ArrayBuffer>): Promise<Stored> {
    store?.free();
    store = null;
    farsight.sqlite ??= await loadSqlite(sqlite);
    store = farsight.store(bytes, { name });
    return { ...(store.description as unknown as Stored), name, plots: farsight.plots };
  },
  storeFigure: (kind: string, options: Parameters<Store["figure"]>[1]) => store!.figure(kind, options),
};

/** Works with the model that is open; where none is, with a small one. */
function onModel(work: (of: Model) => unknown) {
  if (model !== null) return work(model);
  const small = farsight.model("chain");
  try {
    return work(small);
  } finally {
    small.free();
  }
}

function handStep(a: number): HandStep {
  const s = hand!.state;
  const made = hand!.step(a);
  return { s, a, ...made, rivals: player!.trace(1)[0].map(({ r }) => r) };
}

export type Api = typeof api;

function failure(error: unknown): Failure {
  const { where } = error as { where?: string };
  const text = where === undefined ? {} : { where };
  if (error instanceof FarsightError)
    return { message: error.message, code: error.code, position: error.position, ...text };
  return { message: error instanceof Error ? error.message : String(error), code: "crash", position: -1, ...text };
}

onmessage = async ({ data }: MessageEvent<Request>) => {
  if ("seen" in data) {
    seen = true;
    return;
  }
  try {
    const calls = api as Record<string, (...args: unknown[]) => unknown>;
    say({ id: data.id, result: await calls[data.name](...data.args) });
  } catch (error) {
    say({ id: data.id, failure: failure(error) });
  }
};
