// Numbers as text and as colours: one scale for all pictures of the page, so that colours compare.
import type { Quantity } from "../core/messages";
import type { Ink, Ramp } from "./ink";

/** Numbers for people: at most four digits that matter. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "";
  const size = Math.abs(value);
  const minus = value < 0 ? "−" : "";
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return minus + size.toExponential(1).replace("e+", "e");
  if (Number.isInteger(size)) return minus + size.toLocaleString("en");
  if (size >= 1e4) return minus + Math.round(size).toLocaleString("en");
  return minus + size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** Short enough for a cell. */
export function tiny(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-3) return `${value < 0 ? "−" : ""}${size.toExponential(0).replace("e-", "e−")}`;
  if (!Number.isFinite(value) || size < 1e4) return short(value);
  const [unit, name] = size >= 999.5e6 ? [1e9, "G"] : size >= 999.5e3 ? [1e6, "M"] : [1e3, "k"];
  return `${value < 0 ? "−" : ""}${(size / unit).toPrecision(3).replace(/\.?0+$/, "")}${name}`;
}

export interface Scale {
  low: number;
  high: number;
  log: boolean;
  /** Zero in the middle, and two colours. */
  sign: boolean;
  /** Zero is drawn as empty. */
  counts: boolean;
}

const PALEST = 0.06; // the palest level is left to what is empty
const NICE = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The next round number away from zero: so the scale rarely moves while an agent learns. */
function outward(x: number): number {
  const size = Math.abs(x);
  if (size === 0 || !Number.isFinite(size)) return x;
  const power = 10 ** Math.floor(Math.log10(size));
  const step = NICE.find((each) => each * power >= size * (1 - 1e-9))!;
  return Math.sign(x) * Number((step * power).toPrecision(3));
}

/** The scale of all these numbers. */
export function scaleOf(show: Quantity, arrays: Iterable<Float64Array | null | undefined>): Scale {
  const counts = show === "visits" || show === "n";
  if (show === "policy" || show === "learn") return { low: 0, high: 1, log: false, sign: false, counts };
  let [low, high, least] = [Infinity, -Infinity, Infinity];
  for (const array of arrays)
    for (const x of array ?? []) {
      if (!Number.isFinite(x)) continue;
      if (x < low) low = x;
      if (x > high) high = x;
      if (x > 0 && x < least) least = x;
    }
  if (low > high) [low, high] = [0, 1];
  if (low >= 0) low = 0;
  else if (high <= 0) high = 0;
  if (low === high) high = 1;
  [low, high] = [outward(low), outward(high)];
  const sign = low < 0 && high > 0 && Math.min(-low, high) > 0.04 * Math.max(-low, high);
  if (sign) [low, high] = [-Math.max(-low, high), Math.max(-low, high)];
  const log = counts && high >= 100 * least;
  return { low: log ? 1 : low, high, log, sign, counts };
}

export function shareOf({ low, high, log, sign }: Scale, x: number): number {
  const share = log ? Math.log(Math.max(x, low) / low) / Math.log(high / low) : (x - low) / (high - low);
  return sign ? share : PALEST + (1 - PALEST) * share;
}

export const rampOf = ({ sign }: Scale, ink: Ink): Ramp => (sign ? ink.sign : ink.much);

/** Numbers to write at the scale, with where they stand. */
export function ticksOf(scale: Scale): [number, number][] {
  const { low, high, log } = scale;
  const middle = log ? 10 ** Math.round(Math.log10(high) / 2) : (low + high) / 2;
  const all = scale.counts ? [...new Set([low, Math.round(middle), high])] : [low, middle, high];
  const at = (x: number) => (log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low));
  return all.map((x) => [x, at(x)]);
}

/** The text of a round number. */
export const round = (value: number) =>
  Math.abs(value) < 1e-3 || Math.abs(value) >= 1e4
    ? tiny(value)
    : String(Number(value.toPrecision(3))).replace("-", "−");
