// What can be shown of an agent, in words.
import type { Description, Quantity } from "../core/messages";

export interface Meaning {
  name: string;
  text: string;
  /** Of its numbers. */
  unit: string;
}

export const MEANING: Record<Quantity, Meaning> = {
  q: { name: "Q", text: "action values that the agent acts on", unit: "discounted reward" },
  value: { name: "V", text: "value of each state: its best action's", unit: "discounted reward" },
  policy: { name: "Policy", text: "probability of each action", unit: "probability" },
  visits: { name: "Visits", text: "how often each action was tried", unit: "times" },
  bonus: { name: "Bonus", text: "what exploring adds to the value of an action", unit: "discounted reward" },
  e: { name: "E", text: "exploration values: what is still to be learned behind an action", unit: "exploration value" },
  learn: { name: "LEARN", text: "1 where the agent still learns, 0 where it is switched off", unit: "flag" },
  n: { name: "n", text: "samples in the current window, or counted so far", unit: "samples" },
};

/** The unit of its numbers: the values of some agents are discounted, of others not, where the problem does not discount. */
export function unitOf(show: Quantity, { horizon, average }: Description): string {
  const { unit } = MEANING[show];
  return horizon > 0 || average ? unit.replace("discounted ", "") : unit;
}

/** Has an exact solution something to set beside it? */
export const hasExact = (show: Quantity) => show === "q" || show === "value" || show === "policy";
