// Stored results: drop a store, and see the figures of `farsight plot`, drawn by the same code.
import { useEffect, useState } from "preact/hooks";
import { draw, drawing, drawn, figureFile, refused, stopDrawing, store, type Wanted } from "../results";
import { change } from "../state";
import { quoted } from "../spec";
import { Choose } from "./Drop";
import { fileName, save } from "./files";
import { useWidth } from "./canvas";

const ON_LAYOUT = ["visits", "q", "bonus", "e", "learn", "value", "policy"]; // of one agent in one environment

function Empty() {
  return (
    <section class="card">
      <h2>Stored results</h2>
      <p>
        Drop a store on this page (a file that <code>farsight run --store FILE</code> has written), or choose one. It
        stays in your browser.
      </p>
      <Choose what="a store" />
    </section>
  );
}

function Select({
  name,
  value,
  options,
  set,
}: {
  name: string;
  value: string;
  options: [string, string][];
  set: (value: string) => void;
}) {
  return (
    <label>
      {name}{" "}
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The command that draws the same figure. */
function commandOf({ kind, env, agent, perStep, log }: Wanted, file: string): string {
  const words = [
    "farsight plot",
    kind,
    quoted(file),
    env && `-e ${quoted(env)}`,
    agent && `-a ${quoted(agent)}`,
    perStep && "--per-step",
    log && "--x log",
  ];
  return words.filter(Boolean).join(" ");
}

async function saveFigure(wanted: Wanted, file: string) {
  const svg = await figureFile(wanted);
  const parts = [file.replace(/\.\w+$/, ""), wanted.kind, wanted.env, wanted.agent].filter(Boolean);
  if (svg !== null) save(`${fileName(...parts)}.svg`, "image/svg+xml", svg);
}

function Figure() {
  const found = store.value!;
  const [box, width] = useWidth<HTMLDivElement>();
  const envs = [...new Set(found.cells.map(({ env }) => env))];
  const agents = [...new Set(found.cells.map(({ agent }) => agent))];
  const curved = found.series.some((name) => name.startsWith("curve"));
  const [wanted, set] = useState({
    kind: curved ? "curves" : "intervals",
    env: "",
    agent: "",
    perStep: false,
    log: false,
  });
  const layout = ON_LAYOUT.includes(wanted.kind);
  const curves = wanted.kind === "curves";
  const asked: Wanted = {
    ...wanted,
    env: wanted.env || (layout ? envs[0] : ""),
    agent: wanted.agent || (layout ? agents[0] : ""),
    perStep: curves && wanted.perStep,
    log: curves && wanted.log,
    width: Math.min(width, 900),
  };
  const question = JSON.stringify(asked);
  useEffect(() => {
    const next = JSON.parse(question) as Wanted;
    if (next.width > 0) void draw(next);
  }, [question]);
  const all: [string, string][] = layout ? [] : [["", "all"]];
  const short = (spec: string) => (spec.length > 60 ? `${spec.slice(0, 57)}…` : spec);
  const cell = found.cells.find(({ env, agent }) => env === asked.env && agent === asked.agent);
  return (
    <section class="card" aria-label="Figure">
      <div class="buttons">
        <Select
          name="Figure"
          value={wanted.kind}
          options={found.plots.map(({ name, summary }) => [name, `${name}: ${summary}`])}
          set={(kind) => set({ ...wanted, kind })}
        />
        <Select
          name="Environment"
          value={asked.env}
          options={[...all, ...envs.map((env): [string, string] => [env, short(env)])]}
          set={(env) => set({ ...wanted, env })}
        />
        <Select
          name="Agent"
          value={asked.agent}
          options={[...all, ...agents.map((agent): [string, string] => [agent, short(agent)])]}
          set={(agent) => set({ ...wanted, agent })}
        />
        {curves && (
          <label>
            <input
              type="checkbox"
              checked={wanted.perStep}
              onChange={() => set({ ...wanted, perStep: !wanted.perStep })}
            />{" "}
            a step
          </label>
        )}
        {curves && (
          <label>
            <input type="checkbox" checked={wanted.log} onChange={() => set({ ...wanted, log: !wanted.log })} /> steps
            on a log scale
          </label>
        )}
        {drawing.value && <button onClick={stopDrawing}>Stop</button>}
        {drawn.value !== null && <button onClick={() => saveFigure(asked, found.name)}>Save as SVG</button>}
      </div>
      {refused.value && (
        <p role="alert" class="problem">
          {refused.value}
        </p>
      )}
      <div ref={box} class="figure" aria-busy={drawing.value} dangerouslySetInnerHTML={{ __html: drawn.value ?? "" }} />
      <p class="help">
        The same figure by the command: <code>{commandOf(asked, found.name)}</code>
      </p>
      {cell && (
        <button
          onClick={() =>
            change({
              view: "play",
              model: null,
              env: cell.env,
              agents: [cell.agent],
              steps: cell.steps,
              seed: String(cell.seed),
              at: 0,
            })
          }>
          Watch this agent's first run
        </button>
      )}
    </section>
  );
}

function Contents() {
  const found = store.value!;
  return (
    <section class="card">
      <h2>{found.name}</h2>
      <p>
        {found.runs.toLocaleString("en")} runs of {found.cells.length.toLocaleString("en")} cells.
      </p>
      <details>
        <summary>Where they come from</summary>
        {found.sessions.map((session) => (
          <p key={session.started + session.command} class="help">
            {session.started}, Farsight {session.version}, {session.runs.toLocaleString("en")} runs:{" "}
            <code>{session.command}</code>
          </p>
        ))}
      </details>
    </section>
  );
}

export function Results() {
  return (
    <>
      {store.value && (
        <>
          <Contents />
          <Figure key={store.value.name} />
        </>
      )}
      <Empty />
    </>
  );
}
