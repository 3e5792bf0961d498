// A store that was dropped on the page: its contents and the figures that are drawn of it.
import { signal } from "@preact/signals";
import { Core, CoreError, Requests, type Request } from "./core/client";
import type { Stored } from "./core/messages";
import { change, notice, sentence } from "./state";

/** The store that is open; another one has another number, even if it has the same name. */
export const store = signal<(Stored & { number: number }) | null>(null);

export const SCALES = ["auto", "linear", "log"] as const;

/** What a figure shows; "" stands for all. */
export interface Wanted {
  kind: string;
  env: string;
  agent: string;
  perStep: boolean;
  /** Of the steps. */
  scale: (typeof SCALES)[number];
  width: number;
}

/** What was asked for last, and what came of it: a figure as an element, or why there is none. */
export interface Asked {
  wanted: Wanted;
  drawing: boolean;
  svg: string | null;
  refused: string | null;
}
export const asked = signal<Asked | null>(null);

/** A worker that has a store: ended to stop a figure that takes long. */
interface Archive {
  core: Core;
  found: Promise<Stored>;
}
let archive: Archive | null = null;
let opened: { bytes: Uint8Array<ArrayBuffer>; name: string } | null = null;

function archiveOf({ bytes, name }: NonNullable<typeof opened>): Archive {
  const core = new Core();
  core.onfailure = ({ message }) => notice(message);
  return { core, found: core.start().then(() => core.openStore(bytes, name)) };
}

/** The worker, once its store is open. */
async function reader(): Promise<Core> {
  archive ??= archiveOf(opened!);
  const mine = archive;
  try {
    await mine.found;
  } catch (error) {
    if (archive === mine) archive = null;
    throw error;
  }
  return mine.core;
}

let stores = 0;

/** Opens a store, and shows the part of the page that draws it; null, or what is wrong with it. The one that is open stays
 * until the other is. */
export async function openStore(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string | null> {
  const number = ++stores;
  const next = archiveOf({ bytes, name });
  try {
    const found = await next.found;
    if (number < (store.peek()?.number ?? 0)) return (next.core.end(), null); // one that was dropped later is open
    archive?.core.end();
    [archive, opened] = [next, { bytes, name }];
    figures.next();
    asked.value = null;
    store.value = { ...found, number };
    change({ view: "results" });
    return null;
  } catch (error) {
    next.core.end();
    return `'${name}' cannot be read: ${sentence(error)}`;
  }
}

/** The options of `farsight plot` for it. */
function optionsOf({ env, agent, perStep, scale, width }: Wanted) {
  const x = scale === "auto" ? null : scale;
  const options = { width, env: env || null, agent: agent || null, perStep: perStep || null, x };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}

const stopped = (error: unknown) => error instanceof CoreError && error.failure.code === "cancelled";

const figures = new Requests();
let queue: Promise<void> = Promise.resolve();

/** The same figure, of whatever width. */
export const alike = (one: Wanted, other: Wanted) =>
  JSON.stringify({ ...one, width: 0 }) === JSON.stringify({ ...other, width: 0 });

/** Draws a figure. Of several that are asked for while one is drawn, only the last is; what comes of the others is dropped. */
export function draw(wanted: Wanted) {
  const request = figures.next();
  const before = asked.peek();
  const svg = before !== null && alike(before.wanted, wanted) ? before.svg : null; // until it has its new width
  asked.value = { wanted, drawing: true, svg, refused: null };
  queue = queue.then(() => (request.current() ? answer(request, wanted) : undefined));
}

async function answer(request: Request, wanted: Wanted) {
  let came: Partial<Asked>;
  try {
    const options = { ...optionsOf(wanted), id: "stored" }; // an element of this page
    came = { svg: await (await reader()).call("storeFigure", wanted.kind, options) };
  } catch (error) {
    came = { svg: null, refused: stopped(error) ? "Stopped: the figure was not drawn" : sentence(error) };
  }
  if (request.current()) asked.value = { ...asked.peek()!, drawing: false, ...came };
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
}
