// The exact solution of the problem, and what the problem counts, in words.
import type { Description, Exact, LaneFrame, OpenedLane } from "../core/messages";

/** A discount, with all digits that matter: 0.95, 0.9999. */
export const discount = (gamma: number) => String(Number(gamma.toPrecision(8)));

/** Values and policy of one step of an episode, which without a horizon are the same at all. */
export interface Layer {
  v: Float64Array;
  q: Float64Array;
  policy: Uint32Array;
}

export function layerOf({ v, q, policy }: Exact, { n_states: n, n_actions: m }: Description, step: number): Layer {
  const pairs = n * m;
  return {
    v: v.subarray(step * n, step * n + n),
    q: q.subarray(step * pairs, step * pairs + pairs),
    policy: policy.subarray(step * n, step * n + n),
  };
}

/** The layer whose values can stand beside those of agents: none where the average reward counts, by which values are
 * relative. */
export const valuesOf = (exact: Exact | null, description: Description, step: number) =>
  exact === null || description.average ? null : layerOf(exact, description, step);

/** Of what something is exact. */
export function criterionAt({ gamma, horizon, average }: Description, step: number): string {
  if (horizon > 0) return `step ${(step + 1).toLocaleString("en")} of ${horizon.toLocaleString("en")}`;
  return average ? "average reward" : `discount ${discount(gamma)}`;
}

/** What counts, as a part of a sentence. */
export function criterion({ gamma, horizon, average }: Description): string {
  if (horizon > 0) return `the reward of an episode of ${horizon.toLocaleString("en")} steps`;
  return average ? "the average reward of a step" : `the sum of rewards, discounted by ${discount(gamma)}`;
}

/** Has this agent a discount that is not the problem's? */
export const plansOtherwise = ({ gamma }: OpenedLane, { gamma: problem, horizon, average }: Description) =>
  !Number.isNaN(gamma) && (horizon > 0 || average || gamma !== problem);

/** The steps of the episode that the numbers of agents are of, each once. */
export const stepsOf = (lanes: LaneFrame[]) => [...new Set(lanes.map(({ step }) => step))];
