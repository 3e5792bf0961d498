// What a screen reader says of a state when the keyboard moves to it.
import { signal } from "@preact/signals";
import { frame, names, opened } from "../state";
import { actionName, stateName } from "./board";
import { valuesOf } from "./exact";
import { MEANING } from "./meaning";
import { short } from "./scale";

export const spoken = signal("");

export function speak(s: number) {
  const [found, now] = [opened.value, frame.value];
  if (!found || !now) return;
  const { description } = found;
  const m = description.n_actions;
  const said = now.lanes.map(({ values, s: at, step }, k) => {
    if (values === null) return "";
    const numbers =
      now.show === "value"
        ? short(values[s])
        : Array.from({ length: m }, (_, a) => `${actionName(description, a)} ${short(values[s * m + a])}`).join(", ");
    const exact = valuesOf(found.exact, description, step);
    const best = now.show === "value" && exact ? `, exact ${short(exact.v[s])}` : "";
    return `${names.value[k]}: ${MEANING[now.show].name} ${numbers}${best}${at === s ? ", the agent is here" : ""}`;
  });
  const kind = description.terminal.includes(s)
    ? ", terminal"
    : description.starts.some(([start]) => start === s)
      ? ", start"
      : "";
  spoken.value = [`${stateName(description, s)}${kind}`, ...said.filter(Boolean)].join(". ");
}
