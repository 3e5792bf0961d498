// What is promised: exact values and the guarantees of theorems for this model.
import { useEffect, useState } from "preact/hooks";
import { opened, stage } from "../state";
import { short } from "./draw";

interface Theorem {
  name: string;
  title: string;
  order: string;
  applies: boolean;
  missing: string | null;
  vacuous: boolean;
  bound: number | null;
  log10_bound: number | null;
  kind: string;
}

function power(log10: number | null): string {
  return log10 === null ? "–" : log10 < 6 ? short(10 ** log10) : `10^${log10.toFixed(1)}`;
}

export function Theory() {
  const [theorems, set] = useState<Theorem[]>([]);
  const [problem, fail] = useState("");
  const found = opened.value;
  useEffect(() => {
    if (!found) return;
    stage.call("guarantees", {}).then((all) => (set(all.theorems), fail("")), (error) => fail(error.message));
  }, [found]);
  if (!found) return null;
  const { description, lanes } = found;
  return (
    <section class="card" aria-label="Theory">
      <h2>What theory says of this model</h2>
      <p>{description.n_states.toLocaleString("en")} states, {description.n_actions} actions, rewards from {short(description.reward_min)} to {short(description.reward_max)}.
        {lanes[0].exact && description.starts.length > 0 && ` The best policy is worth ${short(lanes[0].exact.v[description.starts[0][0]])} at the start (discount ${short(lanes[0].gamma)}).`}</p>
      {problem && <p class="problem">{problem}</p>}
      <div class="wide">
        <table>
          <thead><tr><th scope="col">theorem</th><th scope="col">it limits</th><th scope="col">bound here</th><th scope="col">order</th></tr></thead>
          <tbody>
            {theorems.filter(({ applies }) => applies).map((each) => (
              <tr key={each.name}><th scope="row">{each.title}</th><td>{each.kind}</td><td>{power(each.log10_bound)}</td><td><code>{each.order}</code></td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
