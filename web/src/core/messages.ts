// What the page and its workers say to each other.
import type { Cell, Description, Quantity, Transition, Type } from "../../../ports/wasm/farsight.mjs";
import type { ModelFile } from "../setup";

export type { Cell, Description, Layout, Param, Quantity, Transition, Type } from "../../../ports/wasm/farsight.mjs";

/** What there is: the tables of `farsight list`. */
export interface Catalogue {
  version: string;
  numerics: number;
  agents: Type[];
  environments: Type[];
  /** The rules of figures, from which the page takes its colours. */
  rules: { light: string; dark: string };
}

/** A run that can be watched: an environment by its spec or by a model file, and agents. */
export interface Watched {
  env: string;
  /** Instead of env. */
  model: ModelFile | null;
  agents: string[];
  steps: number;
  /** Up to 2^64 - 1: a text. */
  seed: string;
  replicate: number;
}

export interface Warning {
  severe: boolean;
  message: string;
}

/** What is best by the problem's own criterion: values of states and pairs, and a best action of every state; with a horizon
 * those of its first step, then those of the second and so on. Where the average reward counts, values are relative. */
export interface Exact {
  /** The average reward; NaN where it is not what counts. */
  gain: number;
  v: Float64Array;
  q: Float64Array;
  policy: Uint32Array;
}

export interface OpenedLane {
  spec: string;
  /** The discount that it plans with; NaN: none. */
  gamma: number;
  warnings: Warning[];
}

export interface Opened {
  description: Description;
  /** Six numbers of each outcome, of a model that is drawn as a graph. */
  outcomes: Float64Array | null;
  lanes: OpenedLane[];
  /** Null where it would take long, or there is none. */
  exact: Exact | null;
  /** At step 0. */
  frame: Frame;
}

export interface LaneFrame {
  s: number;
  total: number;
  episodes: number;
  stopped: boolean;
  certificate: number;
  /** Totals after stride, 2 stride, ... steps. */
  curve: Float64Array;
  stride: number;
  /** The step of the episode that the numbers are of; 0 if they are the same at all. */
  step: number;
  /** The quantity that is shown: of all pairs, of "value" of all states. */
  values: Float64Array | null;
  policy: Float64Array | null;
}

/** The watched run as it is at step t. */
export interface Frame {
  t: number;
  playing: boolean;
  /** The step to which a long way leads, while it is on its way there. */
  goal: number | null;
  /** What the values are. */
  show: Quantity;
  /** Steps a second of all agents together, while it plays. */
  rate: number;
  lanes: LaneFrame[];
  /** The last step of every agent, where steps are made one by one. */
  last: Transition[] | null;
  /** What the last step changed, after `update`. */
  change: Change | null;
}

export interface Change {
  agent: number;
  kind: string;
  s: number;
  a: number;
  before: number;
  after: number;
  pairs: number;
}

/** What an agent learned, beside the truth: null where it has none. With a horizon it is that of the first step of an
 * episode, at the states where episodes start. */
export interface Learned {
  gamma: number;
  start: number | null;
  exact: number | null;
  /** Greatest distance of a state's value, where it means what the exact one does. */
  error: number | null;
  /** States that are not terminal whose likeliest action is a best one. */
  agree: number | null;
  states: number;
}

/** Many runs. */
export interface Runs {
  /** Of the request: the page drops what comes of an earlier one. */
  number: number;
  done: boolean;
  /** Of every agent; some may have more. */
  runs: number;
  /** Of the agents that have any. */
  cells: Cell[];
  figure: string;
}

/** A store of results: `farsight store info --json`, and the kinds of figures. */
export interface Stored {
  name: string;
  runs: number;
  cells: { env: string; agent: string; steps: number; seed: number; runs: number }[];
  sessions: { version: string; command: string; started: string; runs: number }[];
  series: string[];
  plots: { name: string; summary: string }[];
}

/** A step by hand: from s by a to next, and the state where the run continues. */
export interface HandStep extends Transition {
  state: number;
  /** What each agent earned in its own step of the same number. */
  rivals: number[];
}

/** A run by hand, with the moves that were made before. */
export interface HandOpened {
  description: Description;
  /** Where it begins. */
  s: number;
  steps: HandStep[];
  best: Best | null;
}

/** What somebody who knows the model can expect. */
export interface Best {
  /** The largest expected reward of 0, 1, 2, ... steps. */
  totals: Float64Array;
  /** 1 for every pair that is best while all steps are left. */
  good: Uint8Array;
}

export interface TheoremQuantity {
  name: string;
  value: number | null;
  log10: number | null;
  formula: string;
  meaning: string;
}

export interface Repair {
  where: string;
  printed: string;
  repaired: string;
  why: string;
}

export interface Theorem {
  name: string;
  agent: string | null;
  title: string;
  reference: string;
  kind: string;
  order: string;
  explicit: boolean;
  checked: boolean;
  applies: boolean;
  missing: string | null;
  spec: string | null;
  log10_bound: number | null;
  statement?: string;
  assumptions?: string;
  constants?: string;
  repairs?: Repair[];
  quantities: TheoremQuantity[];
}

/** What theorems promise for a model: `farsight pac --json`. */
export interface Guarantees {
  problem: { eps: number; delta: number; gamma: number; v_max: number; diameter: number | null };
  theorems: Theorem[];
}

export interface Failure {
  message: string;
  code: string;
  /** In the text that was given; below 0: nowhere. */
  position: number;
  /** Which text: "env", "agent0", ... */
  where?: string;
}

export type Request = { id: number; name: string; args: unknown[] } | { seen: true };
export type Reply =
  { id: number; result: unknown } | { id: number; failure: Failure } | { frame: Frame } | { runs: Runs };
