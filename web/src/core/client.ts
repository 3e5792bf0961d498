// The page's side of a worker: calls that return promises, and what it tells by itself.
import core from "virtual:core";
import sqlite from "virtual:sqlite";
import type { Failure, Frame, Reply, Runs } from "./messages";
import type { Api } from "./worker";
import CoreWorker from "./worker?worker&inline";

const STOPPED: Failure = { message: "stopped", code: "cancelled", position: 0 };

export class CoreError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const unpacked = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** The bytes of a module, unpacked once. */
function unpack(packed: string) {
  let bytes = unpacked.get(packed);
  if (bytes === undefined) {
    const raw = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Response(stream).arrayBuffer().then((buffer) => new Uint8Array(buffer));
    unpacked.set(packed, bytes);
  }
  return bytes;
}

/** Requests of one kind to a worker, each in place of the one before: what comes of an older one is dropped. */
export class Requests {
  newest = 0;

  /** The next one: its number, and whether it is still the newest. */
  next() {
    const number = ++this.newest;
    return { number, current: () => number === this.newest };
  }
}
export type Request = ReturnType<Requests["next"]>;

type Waiting = { name: string; done: (result: never) => void; failed: (error: Error) => void; since: number };

export class Core {
  onframe: (frame: Frame) => void = () => {};
  onruns: (runs: Runs) => void = () => {};
  onfailure: (failure: Failure) => void = () => {};
  private readonly worker = new CoreWorker();
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;
  private ready: Promise<unknown> = Promise.resolve();
  private ended = false;
  private newest: Frame | null = null; // of the run that is open
  private due: number | null = null; // when the page began to wait for the next frame

  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => this.hear(data);
    this.worker.onerror = (event) => this.onfailure({ message: event.message, code: "crash", position: 0 });
  }

  /** Loads the module; what is called in the meantime waits. */
  start() {
    const started = unpack(core).then((module) => this.post("start", module));
    this.ready = started;
    return started;
  }

  /** Opens a store; SQLite is unpacked for the first one. */
  async openStore(bytes: Uint8Array<ArrayBuffer>, name: string) {
    return this.call("storeOpen", bytes, name, await unpack(sqlite));
  }

  call<K extends keyof Api>(name: K, ...args: Parameters<Api[K]>) {
    return this.ready.then(() => this.post(name, ...args));
  }

  /** Milliseconds for which the worker has owed an answer or a frame. */
  get silence(): number {
    const [first] = this.waiting.values();
    const since = Math.min(first?.since ?? Infinity, this.due ?? Infinity);
    return Math.max(0, performance.now() - since);
  }

  private post<K extends keyof Api>(name: K, ...args: Parameters<Api[K]>): Promise<Awaited<ReturnType<Api[K]>>> {
    if (this.ended) return Promise.reject(new CoreError(STOPPED));
    const id = ++this.count;
    this.worker.postMessage({ id, name, args });
    return new Promise((done, failed) => this.waiting.set(id, { name, done, failed, since: performance.now() }));
  }

  /** Says that a frame was drawn, so that the next may come. It is due if the run went on in the newest frame: one that was
   * drawn late says nothing of the run as it is now. */
  seen(frame: Frame) {
    if (frame === this.newest && frame.playing) this.due = performance.now();
    this.worker.postMessage({ seen: true });
  }

  /** Ends the worker, whatever it is doing; calls that wait fail. */
  end() {
    this.ended = true;
    this.worker.terminate();
    for (const { failed } of this.waiting.values()) failed(new CoreError(STOPPED));
    this.waiting.clear();
  }

  private hear(reply: Reply) {
    if ("frame" in reply) {
      [this.newest, this.due] = [reply.frame, null];
      for (const each of this.waiting.values()) each.since = performance.now(); // it is on its way, and says so
      return this.onframe(reply.frame);
    }
    if ("runs" in reply) return this.onruns(reply.runs);
    const waits = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (waits?.name === "open") this.newest = this.due = null; // another run, which stands still
    if ("failure" in reply) {
      if (waits) waits.failed(new CoreError(reply.failure));
      else this.onfailure(reply.failure);
    } else waits?.done(reply.result as never);
  }
}
