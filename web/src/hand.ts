// A run by hand: what the reader has seen of the world so far, and how the agents did beside it.
// It follows from the setup: the moves are part of the link, and are made again where the agents change.
import { signal } from "@preact/signals";
import { Core, Requests } from "./core/client";
import type { Best, Description, HandOpened, HandStep } from "./core/messages";
import { change, keyOf, notice, setup, watched } from "./state";

/** What was seen, by states and by pairs (s * n_actions + a). */
export interface Seen {
  /** The states, in the order in which they were found. */
  states: number[];
  visits: Uint32Array;
  /** Sum of the rewards of steps that ended there, and their number. */
  arrived: Float64Array;
  arrivals: Uint32Array;
  tries: Uint32Array;
  earned: Float64Array;
  /** Tries that stayed where they were. */
  stays: Uint32Array;
  /** Steps from one state to another, as "s,next". */
  ways: Set<string>;
  /** States in which an episode has ended. */
  ends: Set<number>;
}

export interface Game {
  key: string;
  moves: string;
  turns: number;
  description: Description;
  best: Best | null;
  s: number;
  steps: HandStep[];
  /** Rewards so far, after 0, 1, ... steps: of the reader, then of every agent. */
  totals: number[][];
  seen: Seen;
}

export const game = signal<Game | null>(null);
export const handProblem = signal<string | null>(null);

let table: Core | null = null; // a worker of its own: the watched run goes on beside it
let busy = false;

/** Moves as a text for links: digits to base 36, as many for each as the actions need. */
const wide = (actions: number) => (actions <= 36 ? 1 : actions <= 36 ** 2 ? 2 : 4);

export function encode(a: number, actions: number): string {
  return a.toString(36).padStart(wide(actions), "0");
}

/** Cuts the text into moves of so many digits. */
function decode(text: string, width: number): number[] {
  const count = Math.floor(text.length / width);
  return Array.from({ length: count }, (_, i) => parseInt(text.slice(i * width, (i + 1) * width), 36));
}

/** What a game depends on, besides the moves. */
export const gameKey = () => `${setup.value.turns} ${keyOf(setup.value)}`;
export const turnsOf = () => Math.min(setup.value.turns, setup.value.steps);

function look({ n_states: S, n_actions: A }: Description, s: number): Seen {
  const seen: Seen = {
    states: [],
    visits: new Uint32Array(S),
    arrived: new Float64Array(S),
    arrivals: new Uint32Array(S),
    tries: new Uint32Array(S * A),
    earned: new Float64Array(S * A),
    stays: new Uint32Array(S * A),
    ways: new Set(),
    ends: new Set(),
  };
  visit(seen, s);
  return seen;
}

function visit(seen: Seen, s: number) {
  if (seen.visits[s] === 0) seen.states.push(s);
  seen.visits[s] += 1;
}

function note(seen: Seen, { s, a, r, next, done, state }: HandStep, A: number) {
  const pair = s * A + a;
  seen.tries[pair] += 1;
  seen.earned[pair] += r;
  seen.stays[pair] += next === s ? 1 : 0;
  visit(seen, next);
  seen.arrived[next] += r;
  seen.arrivals[next] += 1;
  seen.ways.add(`${s},${next}`);
  if (done) seen.ends.add(next);
  if (state !== next) visit(seen, state);
}

/** Adds a step to what is known of the game. */
function take(now: Game, step: HandStep) {
  note(now.seen, step, now.description.n_actions);
  now.steps.push(step);
  now.s = step.state;
  [step.r, ...step.rivals].forEach((r, k) => now.totals[k].push(now.totals[k].at(-1)! + r));
}

async function opened(key: string, turns: number, moves: string): Promise<Game> {
  if (table === null) {
    table = new Core();
    await table.start();
  }
  const { agents } = setup.peek();
  const from = watched(setup.peek());
  const call = (width: number) => table!.call("handStart", from, turns, decode(moves, width));
  let found: HandOpened = await call(1);
  const width = wide(found.description.n_actions);
  if (width > 1 && moves !== "") found = await call(width);
  const { description, s, steps, best } = found;
  const kept = moves.slice(0, steps.length * width);
  if (kept !== moves) notice("some moves of the link do not fit this world, and were left out");
  const now: Game = {
    key,
    moves: kept,
    turns,
    description,
    best,
    s,
    steps: [],
    totals: [[0], ...agents.map(() => [0])],
    seen: look(description, s),
  };
  for (const step of steps) take(now, step);
  return now;
}

const openings = new Requests();
let last = openings.next();

/** Begins the run that the setup describes, with the moves that it has. */
export async function beginHand() {
  const mine = (last = openings.next());
  const [key, turns, { moves }] = [gameKey(), turnsOf(), setup.peek()];
  busy = true;
  try {
    const found = await opened(key, turns, moves);
    if (!mine.current()) return;
    game.value = found;
    handProblem.value = null;
    if (found.moves !== moves) change({ moves: found.moves });
  } catch (error) {
    if (!mine.current()) return;
    game.value = null;
    handProblem.value = error instanceof Error ? error.message : String(error);
  } finally {
    if (mine.current()) busy = false;
  }
}

export const over = (now: Game) => now.steps.length >= now.turns;

const MOST_WAITING = 100;
let waiting = 0;
let queue = Promise.resolve();

/** Takes an action, after those that were asked for before. A key that is held down waits for none. */
export function move(a: number, held = false) {
  if (busy || waiting >= (held ? 1 : MOST_WAITING)) return;
  waiting += 1;
  const mine = last;
  queue = queue.then(() => (mine.current() ? make(a) : undefined)).finally(() => (waiting -= 1));
}

async function make(a: number) {
  const now = game.peek();
  const mine = last;
  if (now === null || over(now) || a >= now.description.n_actions) return;
  try {
    const step = await table!.call("handStep", a);
    if (!mine.current()) return; // another game has begun
    take(now, step);
    const moves = now.moves + encode(a, now.description.n_actions);
    game.value = { ...now, moves };
    change({ moves });
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
  }
}

export const sameSeed = () => change({ moves: "" });
export const otherSeed = () => change({ seed: BigInt.asUintN(64, BigInt(setup.peek().seed) + 1n).toString() });

/** Regret of line k (0: the reader) after t steps; null where the best is not known. */
export function regret({ best, totals }: Game, k: number, t: number): number | null {
  if (best === null) return null;
  const [most, mine] = [best.totals[t], totals[k][t]];
  return Math.abs(most - mine) <= 1e-9 * Math.max(1, Math.abs(most)) ? 0 : most - mine; // no errors of rounding
}
