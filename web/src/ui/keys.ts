// Keys of the whole page.
import { useEffect } from "preact/hooks";
import { frame, opened, seek, setup, step, update } from "../state";
import { toggle } from "./Transport";

/** Keys of the player, where no field has the focus. */
function keys(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey || !opened.value || setup.value.view !== "play") return;
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || target.closest("input, select, textarea, summary, a, [role=grid], [role=slider]"))
    return;
  if (target.closest("button") && (event.key === " " || event.key === "Enter")) return; // a button's own keys
  if (target.closest("[role=application]") && event.key !== " " && event.key !== "u") return;
  const t = frame.value?.t ?? 0;
  const actions: Record<string, () => unknown> = {
    " ": toggle,
    ArrowRight: () => step(1),
    ArrowLeft: () => seek(t - 1),
    u: update,
    Home: () => seek(0),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** A menu closes when something else is chosen. */
function closeMenus(event: Event) {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]"))
    if (!menu.contains(event.target as Node)) menu.open = false;
}

/** While the page is there. */
export function useKeys() {
  useEffect(() => {
    addEventListener("keydown", keys);
    addEventListener("pointerdown", closeMenus);
    return () => {
      removeEventListener("keydown", keys);
      removeEventListener("pointerdown", closeMenus);
    };
  }, []);
}
