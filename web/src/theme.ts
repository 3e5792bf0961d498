// Light, dark, or as the system has it. The choice is kept where the browser allows that; the page works without.
import { computed, effect, signal } from "@preact/signals";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const KEY = "farsight-theme";

const media = (query: string) => {
  const found = matchMedia(query);
  const now = signal(found.matches);
  found.addEventListener("change", () => (now.value = found.matches));
  return now;
};

const systemDark = media("(prefers-color-scheme: dark)");
/** The reader asked for little motion. */
export const still = media("(prefers-reduced-motion: reduce)");

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEY) as Theme;
    return THEMES.includes(found) ? found : "auto";
  } catch {
    return "auto"; // no storage here
  }
}

export const theme = signal<Theme>(kept());
export const dark = computed(() => (theme.value === "auto" ? systemDark.value : theme.value === "dark"));

export function setTheme(next: Theme) {
  theme.value = next;
  try {
    if (next === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // it lasts as long as the page
  }
}

effect(() => {
  if (theme.value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
