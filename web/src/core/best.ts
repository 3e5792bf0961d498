// The most that can be expected of n steps, for somebody who knows the model.
import type { Model } from "../../../wasm/farsight.mjs";
import type { Best } from "./messages";

const MOST_WORK = 2e8; // outcomes looked at: about a second

/** Backward induction over the steps that are left, without discount. Where an episode ends, or is cut by the model's
 * horizon, the run continues at a start, as the runs of the agents do. Null where it would take long. */
export function best(model: Model, n: number): Best | null {
  const { n_states: S, n_actions: A, horizon, starts } = model.description;
  const cuts = horizon > 0 && horizon < n;
  const layers = cuts ? horizon : 1; // steps since the start of the episode: they matter where it is cut
  const outcomes = model.outcomes();
  if ((outcomes.length / 6) * layers * n > MOST_WORK) return null;

  const totals = new Float64Array(n + 1);
  const q = new Float64Array(S * A);
  let [now, before] = [new Float64Array(layers * S), new Float64Array(layers * S)];
  const fresh = (v: Float64Array) => starts.reduce((sum, [s, p]) => sum + p * v[s], 0);
  for (let left = 1; left <= n; ++left) {
    [now, before] = [before, now];
    for (let h = layers - 1; h >= 0; --h) {
      const last = cuts && h === layers - 1;
      back(q, outcomes, before.subarray(cuts && !last ? (h + 1) * S : 0), last, totals[left - 1]);
      for (let s = 0; s < S; ++s) now[h * S + s] = largest(q, s, A);
    }
    totals[left] = fresh(now);
  }
  return { totals, good: goodOf(q, S, A) };

  /** The values of pairs: what a step pays, and the values behind it. */
  function back(out: Float64Array, all: Float64Array, behind: Float64Array, last: boolean, again: number) {
    out.fill(0);
    for (let i = 0; i < all.length; i += 6) {
      const ends = last || all[i + 5] === 1;
      out[all[i] * A + all[i + 1]] += all[i + 2] * (all[i + 4] + (ends ? again : behind[all[i + 3]]));
    }
  }
}

function largest(q: Float64Array, s: number, A: number): number {
  let most = q[s * A];
  for (let a = 1; a < A; ++a) most = Math.max(most, q[s * A + a]);
  return most;
}

function goodOf(q: Float64Array, S: number, A: number): Uint8Array {
  const good = new Uint8Array(S * A);
  for (let s = 0; s < S; ++s) {
    const most = largest(q, s, A);
    for (let a = 0; a < A; ++a) good[s * A + a] = q[s * A + a] >= most - 1e-9 * (1 + Math.abs(most)) ? 1 : 0;
  }
  return good;
}
