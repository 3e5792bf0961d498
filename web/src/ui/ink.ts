// Colours of the C figures (src/report/figure/ink.c), for what the page draws itself: taken from the module's rules for figures.

const LEVELS = 65;

/** How the lines of agents differ without colours. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [9, 3, 2, 3]];

export type Rgb = [number, number, number];

/** Colours of numbers in [0, 1], and of texts on them. */
export interface Ramp {
  colour: (x: number) => string;
  on: (x: number) => string;
  /** For bitmaps. */
  rgb: (x: number) => Rgb;
}

export interface Ink {
  text: string;
  muted: string;
  grid: string;
  paper: string;
  empty: string;
  wall: string;
  agent: string;
  series: string[];
  /** Of actions: those of series but the agent's. */
  actions: string[];
  much: Ramp;
  sign: Ramp;
}

/** Red, green and blue of #rrggbb. */
export const channels = (colour: string): Rgb => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) as Rgb;

/** From one colour to another. */
export function mixed(from: string, to: string, share: number): Rgb {
  const [a, b] = [channels(from), channels(to)];
  return a.map((c, i) => Math.round(c + (b[i] - c) * share)) as Rgb;
}

/** Relative luminance, as the guidelines for contrast define it. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((c) => (c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function rampOf(stops: string[]): Ramp {
  const ends = stops.map(channels);
  const levels = Array.from({ length: LEVELS }, (_, i): Rgb => {
    const at = (i / (LEVELS - 1)) * (ends.length - 1);
    const k = Math.min(Math.floor(at), ends.length - 2);
    return ends[k].map((c, j) => Math.round(c + (ends[k + 1][j] - c) * (at - k))) as Rgb;
  });
  const colours = levels.map((c) => `rgb(${c.join(",")})`);
  const on = levels.map((c) => (luminance(c) > 0.179 ? "#000000" : "#ffffff")); // at least 4.5 to 1
  const index = (x: number) => Math.max(0, Math.min(LEVELS - 1, Math.round(x * (LEVELS - 1)))) || 0;
  return { colour: (x) => colours[index(x)], on: (x) => on[index(x)], rgb: (x) => levels[index(x)] };
}

/** The inks of one theme, from rules such as .f-text{fill:#1c2128} for the names that src/report/figure/ink.c gives them. */
function inkOf(rules: string): Ink {
  const all = new Map(
    [...rules.matchAll(/\.f-(\w+)\{fill:(#[0-9a-f]{6})\}/g)].map(([, name, colour]) => [name, colour]),
  );
  const get = (name: string) => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`the module has no ink '${name}'`);
    return found;
  };
  const row = (letter: string) => [...all.keys()].filter((name) => new RegExp(`^${letter}\\d+$`).test(name)).map(get);
  const series = row("s");
  return {
    text: get("text"),
    muted: get("muted"),
    grid: get("grid"),
    paper: get("paper"),
    empty: get("empty"),
    wall: get("wall"),
    agent: series[1],
    series,
    actions: series.filter((colour) => colour !== series[1]),
    much: rampOf(row("h")),
    sign: rampOf(row("d")),
  };
}

/** The rules of figures in both themes. */
export type Rules = Record<"light" | "dark", string>;

let inks: Record<keyof Rules, Ink> | null = null;

/** Takes the colours of the module; before that there is no ink. */
export function takeInks({ light, dark }: Rules) {
  inks = { light: inkOf(light), dark: inkOf(dark) };
}

export const ink = (dark: boolean): Ink => inks![dark ? "dark" : "light"];
