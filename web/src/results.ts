// A store that was dropped on the page: its contents and the figures that are drawn of it.
import { signal } from "@preact/signals";
import { Core, CoreError } from "./core/client";
import type { Stored } from "./core/messages";
import { change, notice, sentence } from "./state";

export const store = signal<Stored | null>(null);
/** The figure, as an element. */
export const drawn = signal<string | null>(null);
export const drawing = signal(false);
export const refused = signal<string | null>(null);

/** What a figure shows; "" stands for all. */
export interface Wanted {
  kind: string;
  env: string;
  agent: string;
  perStep: boolean;
  log: boolean;
  width: number;
}

/** The worker that has the store: ended to stop a figure that takes long. */
let archive: { core: Core; ready: Promise<unknown> } | null = null;
let opened: { bytes: Uint8Array<ArrayBuffer>; name: string } | null = null;

/** That worker, once its store is open. */
async function reader(): Promise<Core> {
  if (archive === null) {
    const [core, given] = [new Core(), opened];
    core.onfailure = ({ message }) => notice(message);
    archive = { core, ready: core.start().then(() => given && core.openStore(given.bytes, given.name)) };
  }
  const mine = archive;
  try {
    await mine.ready;
  } catch (error) {
    if (archive === mine) archive = null;
    throw error;
  }
  return mine.core;
}

/** Opens a store, and shows the part of the page that draws it; null, or what is wrong with it. */
export async function openStore(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string | null> {
  try {
    archive?.core.end();
    archive = opened = store.value = drawn.value = null;
    store.value = await (await reader()).openStore(bytes, name);
    opened = { bytes, name };
    change({ view: "results" });
    return null;
  } catch (error) {
    return `'${name}' cannot be read: ${sentence(error)}`;
  }
}

/** The options of `farsight plot` for it. */
function optionsOf({ env, agent, perStep, log, width }: Wanted) {
  const options = { width, env: env || null, agent: agent || null, perStep: perStep || null, x: log ? "log" : null };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}

const stopped = (error: unknown) => error instanceof CoreError && error.failure.code === "cancelled";

export async function draw(wanted: Wanted) {
  drawing.value = true;
  refused.value = null;
  let mine: Core | null = null;
  try {
    mine = await reader();
    const options = { ...optionsOf(wanted), id: "stored" }; // an element of this page
    drawn.value = await mine.call("storeFigure", wanted.kind, options);
  } catch (error) {
    if (stopped(error)) return;
    drawn.value = null;
    refused.value = sentence(error);
  } finally {
    if (archive === null || mine === archive.core) drawing.value = false;
  }
}

/** The same figure as a file of its own; null if it was stopped or refused, which is said. */
export async function figureFile(wanted: Wanted): Promise<string | null> {
  try {
    return await (await reader()).call("storeFigure", wanted.kind, optionsOf(wanted));
  } catch (error) {
    if (!stopped(error)) notice(sentence(error));
    return null;
  }
}

export function stopDrawing() {
  archive?.core.end();
  archive = null;
  drawing.value = false;
}
