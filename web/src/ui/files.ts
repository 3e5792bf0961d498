// Files and texts for the reader to keep.
import { signal } from "@preact/signals";
import { notice } from "../state";

/** Offers a text as a file. */
export function save(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name that every system accepts. */
export const fileName = (...parts: string[]) =>
  parts
    .map((part) =>
      part
        .replace(/[^\w.-]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 60),
    )
    .join("-");

/** Which text was copied just now. */
export const copied = signal("");

/** Puts a text where it can be pasted, and says so for a moment. */
export async function copy(what: string, text: string) {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyByHand(text);
    copied.value = what;
    setTimeout(() => copied.value === what && (copied.value = ""), 2000);
  } catch {
    notice(`The browser refused to copy. Copy it by hand: ${text}`);
  }
}

/** For pages whose browser keeps the clipboard to secure addresses. */
function copyByHand(text: string) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const good = document.execCommand("copy");
  field.remove();
  if (!good) throw new Error("refused");
}
