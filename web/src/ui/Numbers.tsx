// All numbers that are drawn, as a table, for those who want to read them or cannot see the pictures.
import { useRef, useState } from "preact/hooks";
import { frame, names, opened, playing } from "../state";
import { actionName, stateName } from "./board";
import { criterionAt, stepsOf, valuesOf } from "./exact";
import { MEANING } from "./meaning";
import { short } from "./scale";

const MOST = 1000; // rows

function Table() {
  const last = useRef(frame.value!);
  if (!playing.value) last.current = frame.value!; // while it plays, the table waits
  const { description, exact: solution } = opened.value!;
  const { lanes: now, show, t } = last.current;
  const state = show === "value";
  const m = state ? 1 : description.n_actions;
  const exact = (show === "q" || state ? stepsOf(now) : []).flatMap((step) => {
    const layer = valuesOf(solution, description, step);
    return layer ? [{ of: criterionAt(description, step), values: state ? layer.v : layer.q }] : [];
  });
  const rows = Math.min(MOST, description.n_states * m);
  return (
    <>
      <p class="help">
        {MEANING[show].name}, {MEANING[show].text}, at step {t.toLocaleString("en")}.
        {playing.value && " The table is brought up to date when the run pauses."}
        {rows < description.n_states * m && ` The first ${rows.toLocaleString("en")} rows.`}
      </p>
      <div class="wide numbers" role="region" aria-label="All numbers" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">state</th>
              {!state && <th scope="col">action</th>}
              {now.map((_, k) => (
                <th scope="col" key={k}>
                  {names.value[k]}
                </th>
              ))}
              {exact.map(({ of }) => (
                <th scope="col" key={of}>
                  exact, {of}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, i) => (
              <tr key={i}>
                <th scope="row">{stateName(description, Math.floor(i / m))}</th>
                {!state && <td>{actionName(description, i % m)}</td>}
                {now.map(({ values }, k) => (
                  <td key={k}>{values === null ? "none" : short(values[i])}</td>
                ))}
                {exact.map(({ of, values }) => (
                  <td class="muted" key={of}>
                    {short(values[i])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

export function Numbers() {
  const [open, set] = useState(false);
  return (
    <details class="card" onToggle={(event) => set(event.currentTarget.open)}>
      <summary>All numbers as a table</summary>
      {open && <Table />}
    </details>
  );
}
