// The page: what is run at the left, what happens at the right.
import { useEffect } from "preact/hooks";
import { busy, catalogue, change, failure, notices, opened, seek, setup, step, update, frame } from "../state";
import type { View } from "../setup";
import { Runs, Totals } from "./Curves";
import { Hand } from "./Hand";
import { Lanes } from "./Lanes";
import { Results } from "./Results";
import { Sidebar } from "./Sidebar";
import { Theory } from "./Theory";
import { toggle, Transport } from "./Transport";
import { Tour, TourLink } from "../tour/Tour";

const TABS: [View, string][] = [["play", "Watch"], ["runs", "Many runs"], ["theory", "Theory"], ["hand", "By hand"], ["results", "Results"]];

function Notices() {
  return (
    <div role="status" class="notices">
      {notices.value.map((text) => (
        <p key={text}>{text} <button aria-label="Dismiss" onClick={() => (notices.value = notices.value.filter((each) => each !== text))}>×</button></p>
      ))}
    </div>
  );
}

/** Keys of the player, where no field has the focus. */
function keys(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey || !opened.value || setup.value.view !== "play") return;
  if ((event.target as HTMLElement).closest("input, select, textarea, button, summary, a, [role=grid]")) return;
  const t = frame.value?.t ?? 0;
  const actions: Record<string, () => unknown> = { " ": toggle, ArrowRight: () => step(1), ArrowLeft: () => seek(t - 1), u: update, Home: () => seek(0) };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

export function App() {
  useEffect(() => {
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  const { view } = setup.value;
  return (
    <>
      <header class="top">
        <h1>Farsight <span>playground</span></h1>
        <nav aria-label="Parts of the page">
          {TABS.map(([name, title]) => (
            <button key={name} aria-current={view === name ? "page" : undefined} onClick={() => change({ view: name })}>{title}</button>
          ))}
        </nav>
        <TourLink />
        <button onClick={() => navigator.clipboard?.writeText(location.href)}>Copy link</button>
      </header>
      <Notices />
      {catalogue.value === null ? <p class="none">Starting …</p> : (
        <div class={setup.value.tour === null ? "columns" : "columns touring"}>
          <div class="side"><Tour /><Sidebar /></div>
          <main aria-busy={busy.value}>
            {failure.value && <p role="alert" class="card problem">{failure.value}</p>}
            {view === "play" && <><Transport /><Lanes /><Totals /></>}
            {view === "runs" && <Runs />}
            {view === "theory" && <Theory />}
            {view === "hand" && <Hand />}
            {view === "results" && <Results />}
          </main>
        </div>
      )}
    </>
  );
}
