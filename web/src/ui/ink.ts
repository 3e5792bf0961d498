// Colours of the C figures (src/figure/ink.c), for what the page draws itself.

const LEVELS = 65;

/** Stops of the levels: from little to much, and from below zero to above it. */
const STOPS = {
  much: {
    light: ["#f1f6fa", "#b9d7ea", "#6aaed6", "#2373b4", "#08306b"],
    dark: ["#18232e", "#1d4a73", "#2c7bb5", "#74b5dd", "#e4f1fa"],
  },
  sign: {
    light: ["#9c4a00", "#e9a660", "#f4f4f4", "#6aaed6", "#08457f"],
    dark: ["#ffb26b", "#a05c17", "#262a2f", "#2b6ea3", "#9bd0f5"],
  },
};

export const SERIES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#aa3377"],
  dark: ["#4fb0f0", "#ff8c42", "#3ccfa3", "#e58ac0"],
};

/** How the lines of agents differ without colours. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [9, 3, 2, 3]];

type Rgb = [number, number, number];

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
  much: Ramp;
  sign: Ramp;
}

const parts = (colour: string): Rgb => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) as Rgb;

/** Relative luminance, as the guidelines for contrast define it. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((c) => (c <= 10 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function rampOf(stops: string[]): Ramp {
  const ends = stops.map(parts);
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

function inkOf(theme: "light" | "dark"): Ink {
  const dark = theme === "dark";
  return {
    text: dark ? "#e6e9ec" : "#1c2128",
    muted: dark ? "#a8b0b8" : "#57606a",
    grid: dark ? "#30363d" : "#e3e6ea",
    paper: dark ? "#14171a" : "#ffffff",
    empty: dark ? "#22272c" : "#f0f1f3",
    wall: "#6e7781",
    agent: dark ? "#ff8c42" : "#d55e00",
    series: SERIES[theme],
    much: rampOf(STOPS.much[theme]),
    sign: rampOf(STOPS.sign[theme]),
  };
}

const inks = { light: inkOf("light"), dark: inkOf("dark") };
export const ink = (dark: boolean) => (dark ? inks.dark : inks.light);
