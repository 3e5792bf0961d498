// What the page shows, and the address that says it: everything that matters is in the link.
import type { Quantity, Watched } from "./core/messages";
import { stops } from "./tour/stops";

export const VIEWS = ["play", "runs", "theory", "hand", "results"] as const;
export type View = (typeof VIEWS)[number];
export const SHOWN: readonly Quantity[] = ["q", "value", "policy", "visits", "bonus", "e", "learn", "n"];
export const MOST_AGENTS = 4;

/** Text of a model file that was dropped or built. */
export interface ModelFile {
  name: string;
  text: string;
}

export interface Setup extends Watched {
  /** Which part of the page is open. */
  view: View;
  /** A stop of the tour, or null. */
  tour: string | null;
  /** Of the learning curves. */
  runs: number;
  show: Quantity;
  /** Exact values and policies beside what is learned. */
  beside: boolean;
  /** The step at which the watched run stands when the link is opened. */
  at: number;
  /** Steps of the run by hand, and the actions taken so far (src/hand.ts writes and reads them). */
  turns: number;
  moves: string;
}

export const DEFAULT: Setup = {
  view: "play",
  tour: null,
  env: "chain:n=10",
  model: null,
  agents: ["directed-delayed-q", "q-learning"],
  steps: 10000,
  seed: "1",
  replicate: 0,
  runs: 100,
  show: "q",
  beside: false,
  at: 0,
  turns: 200,
  moves: "",
};

/** What a link that says nothing else shows: a stop's own experiment, or the page's. */
export function home(tour: string | null): Setup {
  return { ...DEFAULT, ...stops.find(({ id }) => id === tour)?.setup, tour };
}

export const LONGEST = { spec: 2000, model: 8000, name: 100, moves: 4000 };
export const LIMITS = {
  steps: [1, 1e9],
  runs: [1, 1e5],
  replicate: [0, 2 ** 40],
  at: [0, 1e9],
  turns: [1, 1000],
} as const;

/** A whole number within its limits, or a sentence that says what would be right. */
export function whole(key: keyof typeof LIMITS, text: string): number | string {
  const [least, most] = LIMITS[key];
  const value = Number(text);
  if (/^\d+(e\d+)?$/i.test(text.trim()) && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  return `${key} must be a whole number from ${least} to ${most.toLocaleString("en")}`;
}

/** A check of such a number: why a text is none, or null. */
export const wholeProblem = (key: keyof typeof LIMITS) => (text: string) => {
  const found = whole(key, text);
  return typeof found === "string" ? found : null;
};

export function seedOf(text: string): string | null {
  const digits = text.trim();
  return /^\d{1,20}$/.test(digits) && BigInt(digits) < 2n ** 64n ? BigInt(digits).toString() : null;
}

/** One line of printable text. */
function line(text: string, most: number): boolean {
  return text.length > 0 && text.length <= most && !/[\u0000-\u001f\u007f]/.test(text);
}

/** Can this model be part of a link? */
export const inLink = (model: ModelFile) => model.text.length <= LONGEST.model;

/** The environment, as parts of a link. */
function world({ env, model }: Setup): [string, string][] {
  if (model === null) return [["env", env]];
  return inLink(model)
    ? [
        ["model", model.text],
        ["name", model.name],
      ]
    : [["file", model.name]]; // too large: whoever opens the link needs the file
}

/** The part of an address behind '#'; what has its default is left out, in the tour all that is the stop's own. */
export function toLink(setup: Setup): string {
  const parts: [string, string][] = [];
  const base = home(setup.tour);
  const add = (key: keyof Setup, value: string | number | null) => {
    if (value !== null && value !== base[key]) parts.push([key, String(value)]);
  };
  const own = (key: keyof Setup) => setup.tour !== null && JSON.stringify(setup[key]) === JSON.stringify(base[key]);
  if (setup.tour !== null) parts.push(["tour", setup.tour]);
  add("view", setup.view);
  if (!own("env") || !own("model")) parts.push(...world(setup));
  if (!own("agents")) parts.push(...setup.agents.map((agent): [string, string] => ["agent", agent]));
  for (const key of ["steps", "seed", "replicate", "runs", "show", "at", "turns", "moves"] as const)
    add(key, setup[key]);
  if (setup.beside) parts.push(["beside", "exact"]);
  const readable = (text: string) =>
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))
      .replaceAll("%3A", ":")
      .replaceAll("%3D", "=")
      .replaceAll("%2C", ",")
      .replaceAll("%2F", "/");
  return parts.map(([key, value]) => `${key}=${readable(value)}`).join("&");
}

export interface Read {
  setup: Setup;
  /** What was left out, and why. */
  problems: string[];
}

const MOST_PROBLEMS = 5;

/** Each problem once, and not more than a reader can read. */
function summed(problems: string[]): string[] {
  const all = [...new Set(problems)];
  return all.length <= MOST_PROBLEMS ? all : [...all.slice(0, MOST_PROBLEMS), "the link has more problems than these"];
}

/** Reads an address. What is not understood is left out and said; nothing of it is trusted. A model that is too large for a link
 * is among those that were open before, or missing. */
export function fromLink(hash: string, fileOf: (name: string) => ModelFile | null = () => null): Read {
  const problems: string[] = [];
  const tour = /(?:^#?|&)tour=([^&]*)/.exec(hash)?.[1] ?? null;
  const known = stops.some(({ id }) => id === tour);
  if (tour !== null && !known) problems.push("the tour has no such stop as the link's");
  const base = home(known ? tour : null);
  const setup: Setup = { ...base, agents: [] };
  let text: string | null = null;
  let name = "model from a link";
  for (const part of hash
    .replace(/^#/, "")
    .split("&")
    .filter((p) => p !== "")) {
    const at = part.indexOf("=");
    const key = at < 0 ? part : part.slice(0, at);
    let value: string;
    try {
      value = decodeURIComponent(part.slice(at < 0 ? part.length : at + 1));
    } catch {
      problems.push(`the link's '${key.slice(0, 20)}' is not well encoded`);
      continue;
    }
    const bad = read(setup, key, value);
    if (bad === null) continue;
    if (key === "model" && value.length <= LONGEST.model) text = value;
    else if (key === "name" && line(value, LONGEST.name)) name = value;
    else if (key === "file" && line(value, LONGEST.name)) {
      setup.model = fileOf(value);
      if (setup.model === null)
        problems.push(
          `this link needs the model file '${value}', which was too large to be part of it: drop the file on the page`,
        );
    } else problems.push(bad);
  }
  if (text !== null) setup.model = { name, text };
  if (setup.agents.length === 0) setup.agents = base.agents;
  if (setup.at > setup.steps) setup.at = setup.steps;
  return { setup, problems: summed(problems) };
}

/** Takes one value; null, or what is wrong with it. */
function read(setup: Setup, key: string, value: string): string | null {
  switch (key) {
    case "env":
      if (!line(value, LONGEST.spec)) return "the link's environment is not one line of text";
      setup.env = value;
      setup.model = null;
      return null;
    case "agent":
      if (!line(value, LONGEST.spec)) return "an agent of the link is not one line of text";
      if (setup.agents.length >= MOST_AGENTS) return `a link has at most ${MOST_AGENTS} agents`;
      setup.agents = [...setup.agents, value];
      return null;
    case "steps":
    case "runs":
    case "replicate":
    case "turns":
    case "at": {
      const number = whole(key, value);
      if (typeof number === "string") return `the link's ${number}`;
      setup[key] = number;
      return null;
    }
    case "seed": {
      const seed = seedOf(value);
      if (seed === null) return "the link's seed must be a whole number below 2^64";
      setup.seed = seed;
      return null;
    }
    case "moves":
      if (!/^[0-9a-z]*$/.test(value) || value.length > LONGEST.moves)
        return "the link's moves are not those of a run by hand";
      setup.moves = value;
      return null;
    case "show":
      if (!SHOWN.includes(value as Quantity)) return `the link's show must be one of ${SHOWN.join(", ")}`;
      setup.show = value as Quantity;
      return null;
    case "beside":
      if (value !== "exact") return "the link's beside must be 'exact'";
      setup.beside = true;
      return null;
    case "view":
      if (!VIEWS.includes(value as View)) return `the link's view must be one of ${VIEWS.join(", ")}`;
      setup.view = value as View;
      return null;
    case "tour": // read before all else
      return null;
    default:
      if (key === "model") return "the link's model is too long";
      if (key === "name" || key === "file")
        return `the link's name of a model is not one line of at most ${LONGEST.name} characters`;
      return `the link has an unknown part '${key.slice(0, 20)}'`;
  }
}
