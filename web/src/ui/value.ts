// A value of a spec as the reader enters it.
import { useEffect, useState } from "preact/hooks";
import { problemOf, type What } from "../check";
import { Requests } from "../core/client";
import { checking } from "../state";

interface Place {
  what: What;
  /** The spec as it is now. */
  current: () => string;
  key: string;
  value: string;
  /** Takes a value that the library takes. */
  put: (text: string) => void;
}

/** What a field shows, why it is not taken, and how it is entered: the spec has it once the library takes it. */
export function useValue({ what, current, key, value, put }: Place) {
  const [draft, hold] = useState<{ text: string; problem: string } | null>(null);
  const [requests] = useState(() => new Requests());
  useEffect(() => {
    hold(null);
    return () => void requests.next(); // the spec becomes another, or the field goes
  }, [value, requests]);
  const enter = async (text: string) => {
    const mine = requests.next();
    checking.value += 1;
    const problem = text === value ? null : await problemOf(what, current(), key, text);
    if (mine.current()) {
      hold(problem === null ? null : { text, problem });
      if (problem === null && text !== value) put(text);
    }
    checking.value -= 1;
  };
  return { shown: draft?.text ?? value, problem: draft?.problem ?? "", enter };
}

/** With the full stop that a sentence needs. */
export const closed = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
