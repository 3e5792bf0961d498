// What the page knows, as signals, and what can be done to it.
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { Core, CoreError, Requests } from "./core/client";
import type { Catalogue, Cell, Frame, Opened, Runs, Watched } from "./core/messages";
import { fromLink, inLink, toLink, type ModelFile, type Setup } from "./setup";
import { keyAt, parseSpec, quoted } from "./spec";
import { still } from "./theme";
import { stops } from "./tour/stops";
import { takeInks } from "./ui/ink";

export { dark } from "./theme";

const PATIENCE = 2000; // ms without an answer
const first = fromLink(location.hash);

export const setup = signal<Setup>(first.setup);
/** What the reader should know: problems of a link, of a file. */
export const notices = signal<string[]>(first.problems);
export const catalogue = signal<Catalogue | null>(null);
export const opened = signal<Opened | null>(null);
export const frame = signal<Frame | null>(null);
/** Why nothing is open. */
export const failure = signal<string | null>(null);
/** Which part of the setup that is: "env" or "agent0" and so on, and a parameter of it if one is to blame. */
export const blame = signal<{ where: string; key: string | null; message: string } | null>(null);
/** The core has not answered for two seconds. */
export const silent = signal(false);
/** It was asked to stop, and has not done so yet. */
export const stopping = signal(false);
/** A setup is being opened: what is shown is still that of the one before. */
export const busy = signal(true);
/** Values of forms that the library is looking at. */
export const checking = signal(0);
/** Steps a second; Infinity: as fast as it goes. */
export const speed = signal(1000);
export const runs = signal<Runs | null>(null);
/** The state under the pointer or the keyboard's cursor. */
export const pointed = signal<number | null>(null);

export const ended = computed(() => (frame.value?.t ?? 0) >= setup.value.steps);
export const playing = computed(() => frame.value?.playing ?? false);
/** The step to which a long way leads, while the run is on its way there. */
export const goal = computed(() => frame.value?.goal ?? null);

export let stage = newStage(); // the watched run
let crowd: Core | null = null; // many runs: started when it is needed, ended to stop it at once

export const watched = ({ env, model, agents, steps, seed, replicate }: Setup): Watched => ({
  env,
  model,
  agents,
  steps,
  seed,
  replicate,
});

const numbers = new WeakMap<ModelFile, number>();
let models = 0;

/** A number in place of a model, whose text may be long. */
function numberOf(model: ModelFile | null): number {
  if (model === null) return 0;
  if (!numbers.has(model)) numbers.set(model, ++models);
  return numbers.get(model)!;
}

/** What a run depends on: two setups with the same key have the same run. */
export const keyOf = (from: Setup) =>
  JSON.stringify({ ...watched(from), env: from.model === null ? from.env : "", model: numberOf(from.model) });

/** Changes the setup; the watched run begins again where that is needed, and so does the run by hand in another world. */
export function change(part: Partial<Setup>) {
  const next = { ...setup.peek(), ...part };
  const world = ({ env, model, seed, replicate }: Setup) => JSON.stringify([env, numberOf(model), seed, replicate]);
  if (part.moves === undefined && world(next) !== world(setup.peek())) next.moves = "";
  setup.value = next;
}

/** Waits for a call of the watched run; one that was stopped needs no answer, another failure is said. */
async function ask(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (!stopped(error)) notice(sentence(error));
  }
}

export const play = () => ask(stage.call("play", speed.value));
export const pause = () => ask(stage.call("pause"));
export const step = (n: number) => ask(stage.call("step", n));
export const update = () => ask(stage.call("update"));

let sought: number | null = null;
let seeking: Promise<void> | null = null;

/** Goes to step t. While it is on its way, only the last of several wishes counts. */
export function seek(t: number): Promise<void> {
  sought = t;
  if (seeking !== null) void ask(stage.call("leave"));
  seeking ??= ask(follow()).then(() => void (seeking = null));
  return seeking;
}

async function follow() {
  for (let to = sought; to !== null; to = sought) {
    sought = null;
    await stage.call("seek", to);
  }
}

export function setSpeed(next: number) {
  speed.value = next;
  if (playing.value) void play();
}

/** The address that shows what is shown now, at the step at which the run stands. */
export function here(): string {
  const at = frame.value?.t ?? setup.value.at;
  return `${location.href.split("#")[0]}#${toLink({ ...setup.value, at })}`;
}

/** The command that gives the same numbers. */
export function command({ env, model, agents, steps, seed }: Setup, count: number): string {
  const what = model === null ? env : `file:${model.name}`;
  const words = ["farsight run", `-e ${quoted(what)}`, ...agents.map((agent) => `-a ${quoted(agent)}`)];
  return [...words, `--steps ${steps}`, `--runs ${count}`, `--seed ${seed}`, "--json"].join(" ");
}

/** The commands of these results: several where runs were stopped, and some agents have more of them than others. */
export function commands(from: Setup, cells: Cell[]): string[] {
  const counts = [...new Set(cells.map(({ runs }) => runs))];
  const agents = (count: number) => cells.filter((cell) => cell.runs === count).map(({ index }) => from.agents[index]);
  return counts.map((count) => command({ ...from, agents: agents(count) }, count));
}

const stopped = (error: unknown) => error instanceof CoreError && error.failure.code === "cancelled";
/** Names of the agents for people: the tour's for its own, else what tells them apart. */
export const names = computed(() => {
  const { tour, agents } = setup.value;
  const stop = stops.find(({ id }) => id === tour);
  const own = (spec: string, k: number) => (stop?.setup.agents[k] === spec ? stop.names[k] : null);
  return agents.map((spec, k, all) => own(spec, k) ?? (all.indexOf(spec) === k ? spec : `${spec} (${k + 1})`));
});

export const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
export const notice = (text: string) => (notices.value = [...notices.value.filter((each) => each !== text), text]);

const openings = new Requests();
let arrived = openings.next(); // the last that was opened

async function open(from: Setup) {
  const mine = openings.next();
  busy.value = true;
  try {
    const found = await stage.call("open", watched(from), from.show);
    if (!mine.current()) return;
    batch(() => {
      [opened.value, frame.value, failure.value, blame.value] = [found, found.frame, null, null];
    });
    arrived = mine;
    if (from.at > 0) await seek(from.at);
  } catch (error) {
    if (!mine.current()) return;
    batch(() => {
      opened.value = frame.value = null;
      failure.value = sentence(error);
      blame.value = blamed(error, from);
    });
  }
  if (mine.current()) busy.value = false;
}

/** What a failure is about. */
function blamed(error: unknown, { env, agents }: Setup) {
  const { where, position = -1, message = "" } = error instanceof CoreError ? error.failure : {};
  if (where === undefined) return null;
  const spec = where === "env" ? env : (agents[Number(where.slice(5))] ?? "");
  return { where, key: keyAt(spec, position), message };
}

function newStage(): Core {
  const core = new Core();
  core.onframe = (next) => {
    if (core !== stage) return;
    frame.value = next;
    const drawn = () => requestAnimationFrame(() => core.seen(next));
    if (still.value && next.playing)
      setTimeout(drawn, 500); // little motion: two frames a second
    else drawn();
  };
  core.onfailure = ({ message }) => notice(message);
  return core;
}

/** Stops what the core is doing, between two steps: what it has computed stays. A run that is still being opened has
 * nothing to keep, and is given up. */
export async function halt() {
  if (!arrived.current()) return giveUp();
  const core = stage;
  stopping.value = true;
  sought = null;
  await pause();
  if (core !== stage) return; // it was ended
  stopping.value = silent.value = false;
  notice(`Stopped at step ${(frame.peek()?.t ?? 0).toLocaleString("en")}. What was computed is kept.`);
}

/** Another core in place of one that does not answer. */
function renew() {
  openings.next();
  stage.end();
  stage = newStage();
  sought = null;
  stopping.value = silent.value = false;
  stage.start().catch((error: Error) => notice(`The core cannot start: ${error.message}`));
}

function giveUp() {
  renew();
  batch(() => {
    opened.value = frame.value = blame.value = null;
    failure.value = "Stopped: it took too long to open. Choose a smaller environment or other agents.";
    busy.value = false;
  });
}

/** Ends the core even within a step. What it had in its memory is lost, and the steps that were shown are made again. */
export async function restart() {
  const t = frame.peek()?.t ?? 0;
  renew();
  const again = t === 0 ? "The run is at step 0." : `The ${t.toLocaleString("en")} steps so far are made again.`;
  notice(`The core was ended and started again. ${again}`);
  await open({ ...setup.peek(), at: t });
}

export async function start() {
  const list = await stage.start();
  const style = document.createElement("style");
  style.textContent = await stage.call("figureStyle", ".figure ");
  document.head.append(style);
  takeInks(list.rules);
  catalogue.value = list;
}

const curves = new Requests(); // for the runs of the learning curves

/** Starts the runs of the learning curves. */
export async function startRuns(width: number) {
  const mine = curves.next();
  runs.value = null;
  try {
    crowd ??= newCrowd();
    await crowd.call("runs", mine.number, watched(setup.value), setup.value.runs, width);
  } catch (error) {
    if (mine.current() && !stopped(error)) notice(sentence(error));
  }
}

function newCrowd(): Core {
  const core = new Core();
  core.onruns = (next) => next.number === curves.newest && (runs.value = next);
  core.onfailure = ({ message }) => notice(message);
  core.start().catch((error: unknown) => !stopped(error) && notice(sentence(error)));
  return core;
}

/** The figure of these runs as a file. */
export const runsFigure = (width: number) => crowd?.call("runsFigure", width);

/** Stops them, even within a run. */
export function stopRuns() {
  curves.next();
  crowd?.end();
  crowd = null;
  if (runs.value) runs.value = { ...runs.value, done: true };
}

/** What must change for the watched run to begin again. */
const run = computed(() => keyOf(setup.value));
const shown = computed(() => setup.value.show);

const BETWEEN = 300; // ms: browsers refuse an address that changes too often
let wanted = "";
let written = location.hash;
let timer = 0;

/** Where the reader is: another place is another entry of the history, so that Back leads here. */
const placeOf = ({ view, tour, env, model }: Setup) =>
  JSON.stringify([view, tour, model === null ? parseSpec(env).name : numberOf(model)]);
let place = placeOf(first.setup);

/** Writes the link that is wanted into the address; not over one that the reader put there. */
function write(how: "pushState" | "replaceState") {
  if (wanted === written || location.hash !== written) return;
  history[how](null, "", wanted);
  written = location.hash;
}

/** Puts a setup into the address: another place at once, other changes at most every so often. */
function address(next: Setup) {
  const moved = placeOf(next) !== place;
  if (moved) write("replaceState"); // what waits to be written belongs to the place that is left
  place = placeOf(next);
  wanted = `#${toLink(next)}`;
  if (moved) write("pushState");
  if (timer !== 0) return;
  write("replaceState");
  timer = window.setTimeout(() => {
    timer = 0;
    write("replaceState");
  }, BETWEEN);
}

/** Models that were open, by what a link says of them: the same one is no other run. */
const known = new Map<string, ModelFile>();
const linkKey = ({ name, text }: ModelFile) => (inLink({ name, text }) ? JSON.stringify([name, text]) : name);

/** Shows what the address says, which the reader has put there or gone back to. */
function arrive() {
  written = location.hash;
  const read = fromLink(written, (name) => known.get(name) ?? null);
  const { model } = read.setup;
  const next = { ...read.setup, model: model && (known.get(linkKey(model)) ?? model) };
  const [before, { at }] = [run.value, setup.peek()];
  place = placeOf(next);
  notices.value = read.problems;
  setup.value = next;
  if (run.value === before && at !== next.at) void seek(next.at); // another step of the same run
}

export function begin() {
  effect(() => {
    if (catalogue.value === null || run.value === "") return;
    untracked(() => {
      // of all that this reads, the run alone begins it again
      stopRuns();
      runs.value = null;
      void open(setup.value);
    });
  });
  effect(() => {
    if (catalogue.value !== null) void ask(stage.call("show", shown.value));
  });
  effect(() => {
    const { model } = setup.value;
    if (model !== null) known.set(linkKey(model), model);
  });
  effect(() => address(setup.value));
  addEventListener("hashchange", arrive);
  let late = false;
  setInterval(() => {
    const before = late; // a page that was itself held up finds the answer when it looks again
    late = catalogue.peek() !== null && stage.silence > PATIENCE;
    silent.value = late && before;
  }, 500);
}
