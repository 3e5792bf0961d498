// Edits of an environment's spec, with undo. A spec that the library refuses stays in the editor, with the reason, while
// the page keeps the run that it has.
import { computed, signal } from "@preact/signals";
import { parseSpec, printSpec } from "./spec";
import { catalogue, change, setup, stage } from "./state";

interface Draft {
  /** The setup's spec when this was entered: of another one it is no draft. */
  base: string;
  spec: string;
  problem: string;
}

const MOST_KEPT = 200;
const draft = signal<Draft | null>(null);
const past = signal<string[]>([]);
const future = signal<string[]>([]);

/** What the editor shows. */
export const edited = computed(() => (draft.value?.base === setup.value.env ? draft.value.spec : setup.value.env));
/** Why it is not what the page runs; "" if it is. */
export const refused = computed(() => (draft.value?.base === setup.value.env ? draft.value.problem : ""));

const family = (spec: string | undefined) => parseSpec(spec ?? "").name;
/** Of the same family only: what was undone belongs to the editor that shows it. */
const near = (specs: string[]) => (family(specs.at(-1)) === family(edited.value) ? specs : []);
export const undoable = computed(() => near(past.value).length > 0);
export const redoable = computed(() => near(future.value).length > 0);

let count = 0;

/** Gives a spec to the page if the library takes it. */
async function apply(spec: string) {
  const mine = ++count;
  const base = setup.peek().env;
  draft.value = { base, spec, problem: "" };
  try {
    await stage.call("resolve", spec);
    if (mine !== count || setup.peek().env !== base) return;
    change({ env: spec, at: 0 });
    draft.value = null;
  } catch (error) {
    if (mine === count) draft.value = { base, spec, problem: error instanceof Error ? error.message : String(error) };
  }
}

export function edit(spec: string) {
  const now = edited.peek();
  if (spec === now) return;
  past.value = [...near(past.value), now].slice(-MOST_KEPT);
  future.value = [];
  apply(spec);
}

export function undo() {
  if (!undoable.value) return;
  future.value = [...near(future.value), edited.peek()];
  apply(past.value.at(-1)!);
  past.value = past.value.slice(0, -1);
}

export function redo() {
  if (!redoable.value) return;
  past.value = [...near(past.value), edited.peek()];
  apply(future.value.at(-1)!);
  future.value = future.value.slice(0, -1);
}

/** A parameter of a spec, or its default. */
export function valueOf(spec: string, key: string): string {
  const { name, values } = parseSpec(spec);
  const type = catalogue.value?.environments.find((each) => each.name === name);
  return values.get(key) ?? String(type?.params.find((param) => param.name === key)?.default ?? "");
}

/** Sets parameters; what has its default is left out. */
export function withValues(spec: string, pairs: Record<string, string>): string {
  const { name, values } = parseSpec(spec);
  const type = catalogue.value?.environments.find((each) => each.name === name);
  for (const [key, value] of Object.entries(pairs)) {
    if (value === "" || value === String(type?.params.find((param) => param.name === key)?.default)) values.delete(key);
    else values.set(key, value);
  }
  return printSpec({ name, values });
}

// ---- maps of a grid ----

export const MOST_MAP = 511; // characters of a map in a spec

/** Rows of equal length, of the characters of a grid; null if the text is no such map. */
export function rowsOf(map: string): string[] | null {
  const rows = map.split("/");
  return rows.every((row) => row.length > 0 && row.length === rows[0].length && /^[#.SGP]+$/.test(row)) ? rows : null;
}

export const sizeOf = (rows: number, columns: number) => rows * (columns + 1) - 1;

/** The map with so many rows and columns: cut, or filled with free cells, at the right and below. */
export function resized(rows: string[], height: number, width: number): string[] {
  return Array.from({ length: height }, (_, y) => (rows[y] ?? "").slice(0, width).padEnd(width, "."));
}

export interface Ready {
  name: string;
  map: string;
  values: Record<string, string>;
}

export const READY: Ready[] = [
  { name: "Empty room", map: "......./......./......./S.....G/......./......./.......", values: {} },
  { name: "Corridor with a trap", map: "#########/S.......G/#...P...#/#########", values: { slip: "0.2" } },
  { name: "Four rooms", map: "S....#...../.....#...../.........../.....#...../.....#...../#.####.####/.....#...../.....#...../.........../.....#...../.....#....G", values: {} },
  { name: "Deep corridor", map: "S..................G/##################.#/P.................P#", values: {} },
  { name: "Maze", map: "S#.....#.../.#.###.#.#./.#.#...#.#./.#.#.###.#./...#.....#./.###.#####./...#.#...../##.#.#.####/...#.#...#./.###.###.#./.........#G", values: {} },
];

/** The same lake as a grid: holes are pits, and slipping to the sides is the rest of `success`. The actions have another
 * order, so that runs differ. Null if the spec is none that can be copied. */
export function lakeAsGrid(spec: string): string | null {
  if (family(spec) !== "frozen-lake") return null;
  const LAKES: Record<string, string> = {
    "4x4": "SFFF/FHFH/FFFH/HFFG",
    "8x8": "SFFFFFFF/FFFFFFFF/FFFHFFFF/FFFFFHFF/FFFHFFFF/FHHFFFHF/FHFFHFHF/FFFHFFFG",
  };
  const named = valueOf(spec, "map");
  const rows = rowsOf((LAKES[named] ?? named).replaceAll("F", ".").replaceAll("H", "P"));
  if (rows === null) return null;
  const slippery = valueOf(spec, "slippery") === "on";
  const slip = slippery ? String(1 - Number(valueOf(spec, "success"))) : "0";
  const horizon = parseSpec(spec).values.get("horizon") ?? "";
  return withValues("grid", { map: rows.join("/"), slip, step: valueOf(spec, "frozen"), goal: valueOf(spec, "goal"), pit: valueOf(spec, "hole"), horizon });
}
