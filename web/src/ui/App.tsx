// The page: what is run at the left, what happens at the right.
import { useEffect, useRef } from "preact/hooks";
import {
  busy,
  catalogue,
  change,
  checking,
  failure,
  frame,
  halt,
  here,
  names,
  notices,
  restart,
  setup,
  silent,
  stopping,
} from "../state";
import type { View } from "../setup";
import { parseSpec, withValue } from "../spec";
import { setTheme, theme, THEMES } from "../theme";
import { copied, copy } from "./files";
import { Footer } from "./Footer";
import { AutoIcon, DarkIcon, LightIcon, LinkIcon, LogoIcon } from "./icons";
import { Hand } from "./Hand";
import { useKeys } from "./keys";
import { Lanes } from "./Lanes";
import { Results } from "./Results";
import { Runs } from "./Runs";
import { Sidebar } from "./Sidebar";
import { spoken } from "./speak";
import { Theory } from "./Theory";
import { Totals } from "./Totals";
import { Transport } from "./Transport";
import { Tour, TourLink } from "../tour/Tour";

const TABS: [View, string][] = [
  ["play", "Watch"],
  ["runs", "Many runs"],
  ["theory", "Theory"],
  ["hand", "By hand"],
  ["results", "Results"],
];

const Silent = () => (
  <p>
    The core has been busy for more than two seconds: an agent plans, or the model is large.{" "}
    <button onClick={halt}>Stop it</button>
  </p>
);

/** What is lost by ending it is said before. */
function Stopping() {
  const t = frame.value?.t ?? 0;
  const cost = t === 0 ? "" : `, and the ${t.toLocaleString("en")} steps so far are made again`;
  return (
    <p>
      The core stops when it is done with what it computes now. To end it at once loses that{cost}.{" "}
      <button onClick={restart}>End it now</button>
    </p>
  );
}

function Notices() {
  return (
    <div role="status" class="notices">
      {silent.value && (stopping.value ? <Stopping /> : <Silent />)}
      {notices.value.map((text) => (
        <p key={text}>
          {text}{" "}
          <button aria-label="Dismiss" onClick={() => (notices.value = notices.value.filter((each) => each !== text))}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}

function ThemeButton() {
  const now = theme.value;
  const Icon = { auto: AutoIcon, light: LightIcon, dark: DarkIcon }[now];
  const name = { auto: "as the system", light: "light", dark: "dark" }[now];
  return (
    <button
      class="plain"
      title={`Colours: ${name}`}
      aria-label={`Colours: ${name}. Change`}
      onClick={() => setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length])}>
      <Icon />
    </button>
  );
}

const HORIZON = "20"; // steps

/** A way out where an agent plans for episodes of a fixed length, and the environment has none. */
function Remedy() {
  const { env, model, agents } = setup.value;
  const timed = new Set(catalogue.value!.agents.filter(({ finite_horizon }) => finite_horizon).map(({ name }) => name));
  if (
    model !== null ||
    parseSpec(env).values.has("horizon") ||
    !agents.some((agent) => timed.has(parseSpec(agent).name))
  )
    return null;
  return (
    <button onClick={() => change({ env: withValue(env, "horizon", HORIZON), at: 0 })}>
      Give the environment a horizon of {HORIZON} steps
    </button>
  );
}

function useTitle() {
  const { env, model, view } = setup.value;
  const title = `${names.value.join(", ")} on ${model?.name ?? env} · ${TABS.find(([name]) => name === view)?.[1] ?? view} · Farsight playground`;
  useEffect(() => void (document.title = title), [title]);
}

export function App() {
  useKeys();
  useTitle();
  const main = useRef<HTMLElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const { view } = setup.value;
  return (
    <>
      <button class="skip" onClick={() => main.current?.focus()}>
        Skip to what happens
      </button>
      <header class="top">
        <h1>
          <LogoIcon />
          Farsight <span>playground</span>
        </h1>
        <nav aria-label="Parts of the page">
          {TABS.map(([name, title]) => (
            <button key={name} aria-current={view === name ? "page" : undefined} onClick={() => change({ view: name })}>
              {title}
            </button>
          ))}
        </nav>
        <div class="tools">
          <button class="plain narrow" onClick={() => side.current?.querySelector(".sidebar")?.scrollIntoView()}>
            Set up
          </button>
          <TourLink />
          <ThemeButton />
          <button class="copy" onClick={() => copy("link", here())}>
            <LinkIcon />
            <span>{copied.value === "link" ? "Copied" : "Copy link"}</span>
          </button>
        </div>
      </header>
      <Notices />
      <p aria-live="polite" class="unseen">
        {spoken.value}
        {copied.value && `${copied.value} copied`}
      </p>
      {catalogue.value === null ? (
        <p class="starting">Starting …</p>
      ) : (
        <div class={setup.value.tour === null ? "columns" : "columns touring"}>
          <div class="side" ref={side}>
            <Tour />
            <Sidebar />
          </div>
          <main ref={main} tabIndex={-1} aria-busy={busy.value || checking.value > 0}>
            {failure.value && (
              <div role="alert" class="card problem">
                <p>{failure.value}</p>
                <Remedy />
              </div>
            )}
            {view === "play" && (
              <>
                <Transport />
                <Lanes />
                <Totals />
              </>
            )}
            {view === "runs" && <Runs />}
            {view === "theory" && <Theory />}
            {view === "hand" && <Hand />}
            {view === "results" && <Results />}
          </main>
        </div>
      )}
      <Footer />
    </>
  );
}
