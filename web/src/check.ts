// Values of forms: each is checked by the library's parser before it becomes part of a spec.
import { LONGEST } from "./setup";
import { keyAt, misfit, parseSpec, withValue } from "./spec";
import { sentence, stage } from "./state";

export type What = "env" | "agent";

/** Why a text cannot be the value of a key; null if it can. What the library says of another key of the spec is shown there. */
export async function problemOf(what: What, spec: string, key: string, text: string): Promise<string | null> {
  if (text === "") return null; // its default
  const next = withValue(spec, key, text);
  const plain = misfit(text) ?? (next.length > LONGEST.spec ? "the text is too long" : null);
  if (plain !== null) return `${key}: ${plain}`;
  try {
    const [before, after] = [await stage.call("refusal", what, spec), await stage.call("refusal", what, next)];
    if (after === null || after.message === before?.message) return null;
    const blamed = keyAt(next, after.position);
    return blamed !== null && blamed !== key && parseSpec(next).values.has(blamed) ? null : after.message;
  } catch (error) {
    return `${key} could not be checked: ${sentence(error)}`;
  }
}
