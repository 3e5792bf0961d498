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
  void apply(spec);
}

export function undo() {
  if (!undoable.value) return;
  future.value = [...near(future.value), edited.peek()];
  void apply(past.value.at(-1)!);
  past.value = past.value.slice(0, -1);
}

export function redo() {
  if (!redoable.value) return;
  past.value = [...near(past.value), edited.peek()];
  void apply(future.value.at(-1)!);
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
