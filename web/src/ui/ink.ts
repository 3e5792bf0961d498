// Colours of the C figures (src/figure/ink.c), for what the page draws itself.

const MUCH = {
  light: ["#f1f6fa", "#b9d7ea", "#6aaed6", "#2373b4", "#08306b"],
  dark: ["#18232e", "#1d4a73", "#2c7bb5", "#74b5dd", "#e4f1fa"],
};

export const SERIES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#aa3377"],
  dark: ["#4fb0f0", "#ff8c42", "#3ccfa3", "#e58ac0"],
};

export interface Ink {
  text: string;
  muted: string;
  grid: string;
  paper: string;
  empty: string;
  wall: string;
  series: string[];
  /** The colour of x in [0, 1], and of a text on it. */
  much: (x: number) => string;
  onMuch: (x: number) => string;
}

function mix(from: string, to: string, x: number): string {
  const parts = [1, 3, 5].map((i) => {
    const [a, b] = [from, to].map((c) => parseInt(c.slice(i, i + 2), 16));
    return Math.round(a + (b - a) * x);
  });
  return `rgb(${parts.join(",")})`;
}

function ramp(stops: string[]): string[] {
  return Array.from({ length: 65 }, (_, i) => {
    const at = (i / 64) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    return mix(stops[k], stops[k + 1], at - k);
  });
}

function inkOf(dark: boolean): Ink {
  const colours = ramp(dark ? MUCH.dark : MUCH.light);
  const index = (x: number) => Math.max(0, Math.min(64, Math.round(x * 64)));
  return {
    text: dark ? "#e6e9ec" : "#1c2128",
    muted: dark ? "#a8b0b8" : "#57606a",
    grid: dark ? "#30363d" : "#e3e6ea",
    paper: dark ? "#14171a" : "#ffffff",
    empty: dark ? "#22272c" : "#f0f1f3",
    wall: "#6e7781",
    series: dark ? SERIES.dark : SERIES.light,
    much: (x) => colours[index(x)],
    onMuch: (x) => (dark ? (x < 0.5 ? "#f0f2f4" : "#14171a") : x < 0.6 ? "#1c2128" : "#ffffff"),
  };
}

const inks = { light: inkOf(false), dark: inkOf(true) };
export const ink = (dark: boolean) => (dark ? inks.dark : inks.light);
