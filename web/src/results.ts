// A store that was dropped on the page: its contents and the figures that are drawn of it.
import { signal } from "@preact/signals";
import { Core, CoreError } from "./core/client";
import type { Stored } from "./core/messages";
import { change, notice, sentence } from "./state";

export const store = signal<Stored | null>(null);
export const drawn = signal<{ svg: string; kind: string } | null>(null);
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

export async function draw({ kind, env, agent, perStep, log, width }: Wanted) {
  drawing.value = true;
  refused.value = null;
  let mine: Core | null = null;
  try {
    mine = await reader();
    const options = {
      width,
      id: "stored",
      env: env || null,
      agent: agent || null,
      perStep: perStep || null,
      x: log ? "log" : null,
    };
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
    drawn.value = { svg: await mine.call("storeFigure", kind, given), kind };
  } catch (error) {
    if (error instanceof CoreError && error.failure.code === "cancelled") return;
    drawn.value = null;
    refused.value = sentence(error);
  } finally {
    if (archive === null || mine === archive.core) drawing.value = false;
  }
}

export function stopDrawing() {
  archive?.core.end();
  archive = null;
  drawing.value = false;
}
