// What is promised beside what was learned: exact values, and the guarantees of theorems for this model.
import { useEffect, useState } from "preact/hooks";
import type { Guarantees, Learned, Theorem } from "../core/messages";
import { frame, names, opened, stage } from "../state";
import { short } from "./draw";
import { criterion, discount } from "./exact";
import { Entry } from "./Entry";
import "./theory.css";

const LIMITED: Record<string, string> = {
  mistakes: "steps that are worse than eps, ever",
  regret: "steps until the loss a step is eps (1 - gamma)",
  "lower bound": "no method needs fewer",
};

/** A number of any size: 10^16.6 where digits would not help. */
function power(log10: number | null) {
  if (log10 === null) return <>order only</>;
  return log10 < 6 ? (
    <>{short(10 ** log10)}</>
  ) : (
    <>
      10<sup>{log10.toFixed(1)}</sup>
    </>
  );
}

/** Takes the answer to a question; what this returns drops it, for an effect that asks again. */
function latest<T>(question: Promise<T>, take: (answer: T) => void, fail: (error: Error) => void) {
  let dropped = false;
  question.then(
    (answer) => dropped || take(answer),
    (error: Error) => dropped || fail(error),
  );
  return () => void (dropped = true);
}

/** How far each agent is, at the step where the watched run stands. */
function LearnedTable() {
  const [rows, set] = useState<Learned[]>([]);
  const found = opened.value;
  const t = frame.value?.t ?? 0;
  const { horizon, average } = found!.description;
  useEffect(() => {
    stage.call("learned").then(set, () => set([])); // while it plays, each answer is newer than the one before
  }, [found, t]);
  return (
    <section class="card">
      <h2>Learned and exact</h2>
      <p class="help">
        At step {t.toLocaleString("en")} of the watched run. What counts is {criterion(found!.description)}.{" "}
        {average
          ? "The exact number is that reward at best; no value of an agent compares with it."
          : "V is the value at the start; the error is that of agents whose values mean the same."}
        {horizon > 0 && " Learned is what holds for the first step of an episode."}
      </p>
      <div class="wide" tabIndex={0} role="region" aria-label="Learned and exact values">
        <table>
          <thead>
            <tr>
              <th scope="col">agent</th>
              <th scope="col">plans with discount</th>
              <th scope="col">V learned</th>
              <th scope="col">{average ? "reward a step" : "V"} exact</th>
              <th scope="col">largest error</th>
              <th scope="col">{horizon > 0 ? "starts" : "states"} with a best action</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, k) => (
              <tr key={k}>
                <th scope="row">{names.value[k]}</th>
                <td>{Number.isNaN(row.gamma) ? "none" : discount(row.gamma)}</td>
                <td>{row.start === null ? "has none" : short(row.start)}</td>
                <td>{row.exact === null ? "not solved" : short(row.exact)}</td>
                <td>{row.error === null ? "–" : short(row.error)}</td>
                <td>
                  {row.agree === null ? "–" : `${row.agree.toLocaleString("en")} of ${row.states.toLocaleString("en")}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Derivation({ theorem }: { theorem: Theorem }) {
  return (
    <div class="derivation" aria-live="polite">
      <h3>{theorem.title}</h3>
      <p>{theorem.statement}</p>
      <p class="help">{theorem.assumptions}</p>
      <p class="help">{theorem.reference}</p>
      {theorem.spec && (
        <p>
          As an agent: <code>{theorem.spec}</code>
        </p>
      )}
      {theorem.quantities.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label="The steps of the bound">
          <table>
            <thead>
              <tr>
                <th scope="col">number</th>
                <th scope="col">here</th>
                <th scope="col">formula</th>
                <th scope="col">what it is</th>
              </tr>
            </thead>
            <tbody>
              {theorem.quantities.map((each) => (
                <tr key={each.name}>
                  <th scope="row">
                    <code>{each.name}</code>
                  </th>
                  <td>{each.value !== null && Math.abs(each.value) < 1e6 ? short(each.value) : power(each.log10)}</td>
                  <td>
                    <code>{each.formula}</code>
                  </td>
                  <td>{each.meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {theorem.repairs && theorem.repairs.length > 0 && (
        <details>
          <summary>What had to be repaired in print: {theorem.repairs.length} places</summary>
          {theorem.repairs.map((each) => (
            <dl key={each.where} class="repair">
              <dt>{each.where}</dt>
              <dd>
                <b>Printed:</b> {each.printed}
              </dd>
              <dd>
                <b>Repaired:</b> {each.repaired}
              </dd>
              <dd>
                <b>Why:</b> {each.why}
              </dd>
            </dl>
          ))}
        </details>
      )}
    </div>
  );
}

function Field({
  id,
  name,
  value,
  least,
  most,
  set,
}: {
  id: string;
  name: string;
  value: number;
  least: number;
  most: number;
  set: (x: number) => void;
}) {
  const check = (text: string) => {
    const x = Number(text);
    const good = text !== "" && x > least && x < most;
    return good ? null : `${name} is above ${least}${most < Infinity ? ` and below ${most}` : ""}`;
  };
  return (
    <label for={id}>
      {name}{" "}
      <Entry
        id={id}
        class="short"
        inputMode="decimal"
        value={short(value).replaceAll(",", "")}
        check={check}
        set={(text) => set(Number(text))}
      />
    </label>
  );
}

function Theorems() {
  const found = opened.value!;
  const [eps, setEps] = useState(0); // 0: a tenth of the greatest value
  const [delta, setDelta] = useState(0.1);
  const [name, choose] = useState<string | null>(null);
  const [all, set] = useState<Guarantees | null>(null);
  const [one, setOne] = useState<Theorem | null>(null);
  const [problem, fail] = useState("");
  useEffect(() => {
    return latest(
      stage.call("guarantees", { eps, delta }),
      (next) => {
        set(next);
        fail("");
      },
      (error) => fail(error.message),
    );
  }, [found, eps, delta]);
  useEffect(() => {
    if (name === null) return void setOne(null);
    return latest(
      stage.call("guarantees", { theorem: name, eps, delta }),
      (next) => setOne(next.theorems[0]),
      () => setOne(null),
    );
  }, [found, eps, delta, name]);
  return (
    <section class="card">
      <h2>What theorems promise for this model</h2>
      <div class="buttons">
        {all && <Field id="eps" name="eps" value={all.problem.eps} least={0} most={Infinity} set={setEps} />}
        <Field id="delta" name="delta" value={delta} least={0} most={1} set={setDelta} />
        {all && (
          <span class="muted">
            V<sub>max</sub> {short(all.problem.v_max)}
            {all.problem.diameter !== null && `, diameter ${short(all.problem.diameter)}`}
          </span>
        )}
      </div>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <div class="wide" tabIndex={0} role="region" aria-label="Theorems">
        <table class="theorems">
          <thead>
            <tr>
              <th scope="col">theorem</th>
              <th scope="col">bound here</th>
              <th scope="col">of what</th>
              <th scope="col">order</th>
            </tr>
          </thead>
          <tbody>
            {all?.theorems
              .filter(({ applies }) => applies)
              .map((each) => (
                <tr key={each.name} class={each.name === name ? "chosen" : ""}>
                  <th scope="row">
                    <button
                      class="link"
                      aria-expanded={each.name === name}
                      onClick={() => choose(each.name === name ? null : each.name)}>
                      {each.title}
                    </button>
                  </th>
                  <td>{power(each.log10_bound)}</td>
                  <td>{LIMITED[each.kind] ?? each.kind}</td>
                  <td>
                    <code>{each.order}</code>
                    {!each.checked && <span title="recalled, not checked"> ?</span>}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <p class="help">
        With probability 1 - delta. "Order only": the constants are not known, so there is no number. "?": recalled, not
        checked.
      </p>
      {one && <Derivation theorem={one} />}
    </section>
  );
}

export function Theory() {
  if (!opened.value) return null;
  return (
    <>
      <LearnedTable />
      <Theorems />
    </>
  );
}
