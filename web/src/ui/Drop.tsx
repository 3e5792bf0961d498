// Files from outside: a model file, dropped anywhere on the page or chosen. Whatever is wrong is said, and nothing is lost.
import { useEffect, useRef, useState } from "preact/hooks";
import { openStore } from "../results";
import { change, notice, sentence, stage } from "../state";
import { inLink, LONGEST } from "../setup";

const MB = 1e6;
const MOST = { model: 20 * MB, store: 200 * MB };
const STORE = "SQLite format 3\0";
const KINDS = ".mdp, .pomdp (Cassandra), .drn (Storm) or .json (Gymnasium)";

/** A name for people and links: one line, not too long, with its end. */
function nameOf({ name }: File): string {
  const plain = name.replace(/[\u0000-\u001f\u007f]/g, "?") || "model";
  return plain.length <= LONGEST.name ? plain : `${plain.slice(0, LONGEST.name - 21)}…${plain.slice(-20)}`;
}

const large = (file: File) => `${(file.size / MB).toFixed(1)} MB`;

async function isStore(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, STORE.length).arrayBuffer());
  return String.fromCharCode(...start) === STORE;
}

/** The text of a file; null if it has none. */
async function textOf(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null; // not UTF-8
    throw error;
  }
}

async function takeModel(file: File, name: string): Promise<string | null> {
  if (file.size > MOST.model)
    return `'${name}' has ${large(file)}: model files of up to ${MOST.model / MB} MB are read here. The command reads larger ones.`;
  if (file.size === 0) return `'${name}' is empty.`;
  const text = await textOf(file);
  if (text === null) return `'${name}' is no text: a model file is ${KINDS}.`;
  const model = { name, text };
  try {
    await stage.call("check", model);
  } catch (error) {
    return `'${name}' cannot be read: ${sentence(error)}`;
  }
  change({ model, at: 0 });
  return inLink(model) ? null : `'${name}' is too long to be part of the link: who opens the link needs the file, too.`;
}

/** Takes a file; null, or what the reader should know. */
async function take(file: File): Promise<string | null> {
  const name = nameOf(file);
  try {
    if (!(await isStore(file))) return await takeModel(file, name);
    if (file.size > MOST.store)
      return `'${name}' has ${large(file)}: stores of up to ${MOST.store / MB} MB are read here.`;
    return await openStore(new Uint8Array(await file.arrayBuffer()), name);
  } catch (error) {
    return `'${name}' could not be read: ${sentence(error)}`; // a file that is gone, or a folder
  }
}

async function takeAll(files: File[], folder: string | null) {
  const said =
    folder !== null
      ? `'${folder}' is a folder: drop one file.`
      : files.length === 0
        ? "What was dropped is no file."
        : files.length > 1
          ? `${files.length} files were dropped, and none was read: drop one at a time.`
          : await take(files[0]);
  if (said) notice(said);
}

function dropped(event: DragEvent) {
  const items = [...(event.dataTransfer?.items ?? [])];
  const folder = items.map((item) => item.webkitGetAsEntry?.()).find((entry) => entry?.isDirectory);
  void takeAll([...(event.dataTransfer?.files ?? [])], folder?.name ?? null);
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Listens on the whole page, and shows where a file can go. */
export function Drop() {
  const [over, set] = useState(false);
  const leave = useRef(0);
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault(); // the browser would leave the page for the file
      clearTimeout(leave.current);
      leave.current = window.setTimeout(() => set(false), 500); // a drag that ends outside says nothing
      set(true);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      set(false);
      dropped(event);
    };
    addEventListener("dragover", drag);
    addEventListener("drop", drop);
    return () => (removeEventListener("dragover", drag), removeEventListener("drop", drop));
  }, []);
  return over ? (
    <div class="drop-here" aria-hidden="true">
      <p>Drop a model file or a store of results</p>
    </div>
  ) : null;
}

/** The same by a dialog. */
export function Choose({ what }: { what: string }) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = async () => {
    const files = [...(input.current!.files ?? [])];
    input.current!.value = ""; // the same file can be chosen again
    if (files.length > 0) await takeAll(files, null);
  };
  return (
    <>
      <input ref={input} type="file" hidden aria-label={`Open ${what}`} onChange={chosen} />
      <button onClick={() => input.current!.click()}>Open {what} …</button>
    </>
  );
}
