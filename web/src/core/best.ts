// The most that can be expected of n steps, for somebody who knows the model.
import type { Model } from "../../../ports/wasm/farsight.mjs";
import type { Best } from "./messages";

const MOST_WORK = 2e8; // outcomes looked at: about a second
const SOONER = 1e-6; // of actions that are as good those that pay sooner count as the best

/** Backward induction over the steps that are left, without discount. Where an episode ends, or is cut by the model's
 * horizon, the run continues at a start, as the runs of the agents do. Null where it would take long. */
export function best(model: Model, n: number): Best | null {
  const outcomes = model.outcomes();
  const { horizon, n_actions } = model.description;
  const layers = horizon > 0 && horizon < n ? horizon : 1;
  if ((outcomes.length / 6) * layers * n * 2 > MOST_WORK) return null;
  const { totals } = induct(model, outcomes, n, 1);
  const { q } = induct(model, outcomes, n, 1 - SOONER);
  return { totals, good: goodOf(q, n_actions) };
}

/** The expected rewards of 0 to n steps from a start, and those of all pairs with n steps left. */
function induct({ description }: Model, outcomes: Float64Array, n: number, discount: number) {
  const { n_states: S, n_actions: A, horizon, starts } = description;
  const cuts = horizon > 0 && horizon < n;
  const layers = cuts ? horizon : 1; // steps since the start of the episode: they matter where it is cut
  const totals = new Float64Array(n + 1);
  const q = new Float64Array(S * A);
  let [now, before] = [new Float64Array(layers * S), new Float64Array(layers * S)];
  for (let left = 1; left <= n; ++left) {
    [now, before] = [before, now];
    for (let h = layers - 1; h >= 0; --h) {
      const last = cuts && h === layers - 1;
      const behind = before.subarray(cuts && !last ? (h + 1) * S : 0);
      q.fill(0);
      for (let i = 0; i < outcomes.length; i += 6) {
        const ends = last || outcomes[i + 5] === 1;
        const then = ends ? totals[left - 1] : behind[outcomes[i + 3]];
        q[outcomes[i] * A + outcomes[i + 1]] += outcomes[i + 2] * (outcomes[i + 4] + discount * then);
      }
      for (let s = 0; s < S; ++s) now[h * S + s] = largest(q, s, A);
    }
    totals[left] = starts.reduce((sum, [s, p]) => sum + p * now[s], 0);
  }
  return { totals, q };
}

function largest(q: Float64Array, s: number, A: number): number {
  let most = q[s * A];
  for (let a = 1; a < A; ++a) most = Math.max(most, q[s * A + a]);
  return most;
}

function goodOf(q: Float64Array, A: number): Uint8Array {
  return Uint8Array.from(q, (value, pair) => {
    const most = largest(q, Math.floor(pair / A), A);
    return value >= most - 1e-10 * (1 + Math.abs(most)) ? 1 : 0;
  });
}
