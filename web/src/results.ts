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

let archive: Core | null = null; // ended to stop a figure that takes long
let opened: { bytes: Uint8Array<ArrayBuffer>; name: string } | null = null;

async function reader() {
  if (archive === null) {
    archive = new Core();
    archive.onfailure = ({ message }) => notice(message);
    await archive.start();
    if (opened) await archive.openStore(opened.bytes, opened.name);
  }
  return archive;
}

/** Opens a store, and shows the part of the page that draws it; null, or what is wrong with it. */
export async function openStore(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string | null> {
  try {
    archive?.end();
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
  const mine = await reader();
  try {
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
    if (mine === archive) drawing.value = false;
  }
}

export function stopDrawing() {
  archive?.end();
  archive = null;
  drawing.value = false;
}
