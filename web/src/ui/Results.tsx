// Stored results: drop a store, and see the figures of `farsight plot`, drawn by the same code.
import { useEffect, useState } from "preact/hooks";
import type { Stored } from "../core/messages";
import { alike, asked, draw, figureFile, SCALES, stopDrawing, store, type Asked, type Wanted } from "../results";
import { change } from "../state";
import { quoted } from "../spec";
import { Choose } from "./Drop";
import { fileName, save } from "./files";
import { useWidth } from "./canvas";

const SCALE_NAMES = { auto: "as it fits", linear: "linear", log: "logarithmic" };
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
function commandOf({ kind, env, agent, perStep, scale }: Wanted, file: string): string {
  const words = [
    "farsight plot",
    kind,
    quoted(file),
    env && `-e ${quoted(env)}`,
    agent && `-a ${quoted(agent)}`,
    perStep && "--per-step",
    scale !== "auto" && `--x ${scale}`,
  ];
  return words.filter(Boolean).join(" ");
}

async function saveFigure(wanted: Wanted, file: string) {
  const svg = await figureFile(wanted);
  const parts = [file.replace(/\.\w+$/, ""), wanted.kind, wanted.env, wanted.agent].filter(Boolean);
  if (svg !== null) save(`${fileName(...parts)}.svg`, "image/svg+xml", svg);
}

/** Which figure, of which part of the store. */
function useWanted({ cells, series }: Stored, width: number) {
  const envs = [...new Set(cells.map(({ env }) => env))];
  const agents = [...new Set(cells.map(({ agent }) => agent))];
  const curved = series.some((name) => name.startsWith("curve"));
  const [wanted, set] = useState<Omit<Wanted, "width">>({
    kind: curved ? "curves" : "intervals",
    env: "",
    agent: "",
    perStep: false,
    scale: "auto",
  });
  const layout = ON_LAYOUT.includes(wanted.kind);
  const curves = wanted.kind === "curves";
  const chosen: Wanted = {
    ...wanted,
    env: wanted.env || (layout ? envs[0] : ""),
    agent: wanted.agent || (layout ? agents[0] : ""),
    perStep: curves && wanted.perStep,
    scale: curves ? wanted.scale : "auto",
    width: Math.min(width, 900),
  };
  return { envs, agents, layout, curves, chosen, choose: (part: Partial<Wanted>) => set({ ...wanted, ...part }) };
}

type Choice = ReturnType<typeof useWanted>;

function Choices({ found, choice }: { found: Stored; choice: Choice }) {
  const { envs, agents, layout, curves, chosen, choose } = choice;
  const all: [string, string][] = layout ? [] : [["", "all"]];
  const short = (spec: string): [string, string] => [spec, spec.length > 60 ? `${spec.slice(0, 57)}…` : spec];
  return (
    <>
      <Select
        name="Figure"
        value={chosen.kind}
        options={found.plots.map(({ name, summary }) => [name, `${name}: ${summary}`])}
        set={(kind) => choose({ kind })}
      />
      <Select
        name="Environment"
        value={chosen.env}
        options={[...all, ...envs.map(short)]}
        set={(env) => choose({ env })}
      />
      <Select
        name="Agent"
        value={chosen.agent}
        options={[...all, ...agents.map(short)]}
        set={(agent) => choose({ agent })}
      />
      {curves && (
        <label>
          <input type="checkbox" checked={chosen.perStep} onChange={() => choose({ perStep: !chosen.perStep })} /> a
          step
        </label>
      )}
      {curves && (
        <Select
          name="Scale of steps"
          value={chosen.scale}
          options={SCALES.map((scale) => [scale, SCALE_NAMES[scale]])}
          set={(scale) => choose({ scale: scale as Wanted["scale"] })}
        />
      )}
    </>
  );
}

/** What came of the question that is asked now: nothing of another is shown below its name. */
function Answer({ now }: { now: Asked | null }) {
  return (
    <>
      {now?.refused && (
        <p role="alert" class="problem">
          {now.refused}
        </p>
      )}
      {now?.drawing && !now.svg && <p class="none">Drawing …</p>}
      <div class="figure" aria-busy={now?.drawing ?? true} dangerouslySetInnerHTML={{ __html: now?.svg ?? "" }} />
    </>
  );
}

function Figure() {
  const found = store.value!;
  const [box, width] = useWidth<HTMLDivElement>();
  const choice = useWanted(found, width);
  const { chosen } = choice;
  const question = JSON.stringify(chosen);
  useEffect(() => {
    const next = JSON.parse(question) as Wanted;
    if (next.width > 0) draw(next);
  }, [question]);
  const now = asked.value !== null && alike(asked.value.wanted, chosen) ? asked.value : null;
  const cell = found.cells.find(({ env, agent }) => env === chosen.env && agent === chosen.agent);
  return (
    <section class="card" aria-label="Figure">
      <div class="buttons">
        <Choices found={found} choice={choice} />
        {now?.drawing && <button onClick={stopDrawing}>Stop</button>}
        {now?.svg && <button onClick={() => saveFigure(chosen, found.name)}>Save as SVG</button>}
      </div>
      <div ref={box} class="answer">
        <Answer now={now} />
      </div>
      <p class="help">
        The same figure by the command: <code>{commandOf(chosen, found.name)}</code>
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
          <Figure key={store.value.number} />
        </>
      )}
      <Empty />
    </>
  );
}
