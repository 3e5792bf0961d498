// The learning curve: of the watched run, and with its band over many runs.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Frame } from "../core/messages";
import { change, commands, dark, frame, names, notice, runs, runsFigure, setup, startRuns, stopRuns } from "../state";
import { wholeProblem } from "../setup";
import { drawAxes, frameOf } from "./axes";
import { Entry } from "./Entry";
import { copied, copy, fileName, save } from "./files";
import { Line } from "./icons";
import { DASHES, ink, type Ink } from "./ink";
import { short } from "./scale";
import { sized, useWidth } from "./World";

const HEIGHT = 190;

/** Least and greatest total of all agents; both are moved outward, so that axes rarely change. */
function spanOf({ lanes }: Frame): [number, number] {
  let [low, high] = [0, 0];
  for (const { curve, total } of lanes) {
    low = Math.min(low, total);
    high = Math.max(high, total);
    for (const y of curve) {
      if (y < low) low = y;
      else if (y > high) high = y;
    }
  }
  if (low === high) return [0, 1];
  const margin = (high - low) * 0.04;
  return [low < 0 ? low - margin : 0, high > 0 ? high + margin : 0];
}

function drawTotals(g: CanvasRenderingContext2D, width: number, now: Frame, steps: number, colours: Ink) {
  const [low, high] = spanOf(now);
  const at = frameOf(width, HEIGHT, steps, low, high);
  g.clearRect(0, 0, width, HEIGHT);
  drawAxes(g, at, steps, low, high, colours);
  g.lineWidth = 2.2;
  g.lineJoin = "round";
  now.lanes.forEach(({ curve, stride, total }, k) => {
    g.strokeStyle = g.fillStyle = colours.series[k];
    g.setLineDash([...DASHES[k]]);
    g.beginPath();
    g.moveTo(at.x(0), at.y(0));
    for (let i = 0; i < curve.length && (i + 1) * stride <= now.t; ++i)
      g.lineTo(at.x((i + 1) * stride), at.y(curve[i]));
    g.lineTo(at.x(now.t), at.y(total));
    g.stroke();
    g.setLineDash([]);
    g.beginPath();
    g.arc(at.x(now.t), at.y(total), 3.5, 0, 2 * Math.PI);
    g.fill();
  });
}

/** Total reward of the watched run so far, all agents in one picture. */
export function Totals() {
  return frame.value === null ? null : <Total now={frame.value} />;
}

function Total({ now }: { now: Frame }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { steps } = setup.value;
  const night = dark.value;
  useLayoutEffect(() => {
    if (canvas.current && width > 0) drawTotals(sized(canvas.current, width, HEIGHT), width, now, steps, ink(night));
  }, [now, width, steps, night]);
  const said = now.lanes.map(({ total }, k) => `${names.value[k]} ${short(total)}`).join("; ");
  return (
    <section class="card totals" aria-label="Reward of this run">
      <header>
        <h2>Reward of this run</h2>
        <ul class="key">
          {now.lanes.map((_, k) => (
            <li key={k}>
              <Line k={k} />
              {names.value[k]}
            </li>
          ))}
        </ul>
      </header>
      <div ref={box}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Total reward: ${said}`}
          style={{ width: `${width}px`, height: `${HEIGHT}px` }}
        />
      </div>
    </section>
  );
}

/** The run's hash, and the command that gives it. */
function Badge() {
  const found = runs.value;
  if (!found?.done || found.cells.length === 0) return null;
  const text = commands(setup.value, found.cells).join("\n");
  return (
    <div class="badge">
      <p>The command gives the same numbers to the last bit:</p>
      <pre>
        <code>{text}</code>
      </pre>
      <button onClick={() => copy("command", text)}>
        {copied.value === "command" ? "Copied" : "Copy the command"}
      </button>
      <div class="wide" tabIndex={0} role="region" aria-label="Mean rewards and hashes">
        <table>
          <thead>
            <tr>
              <th scope="col">agent</th>
              <th scope="col">mean reward</th>
              <th scope="col">hash of all totals</th>
            </tr>
          </thead>
          <tbody>
            {found.cells.map((cell) => (
              <tr key={cell.index}>
                <th scope="row">{names.value[cell.index]}</th>
                <td>
                  {short(cell.mean)}
                  {cell.ci95 !== null && ` ± ${short(cell.ci95)}`}
                </td>
                <td>
                  <code title={cell.hash}>{cell.hash.slice(0, 16)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function saveFigure() {
  const { env, model, agents } = setup.value;
  runsFigure(720)?.then(
    (svg) => save(`${fileName(model?.name ?? env, ...agents)}-curves.svg`, "image/svg+xml", svg),
    (error: Error) => notice(error.message),
  );
}

export function Runs() {
  const [box, width] = useWidth<HTMLDivElement>();
  const found = runs.value;
  const busy = found !== null && !found.done;
  const wanted = setup.value.runs;
  return (
    <section class="card" aria-label="Learning curves">
      <h2>Learning curves over many runs</h2>
      <p class="help">
        The mean total reward of each agent, with a band of 95% confidence. All agents see the same random numbers
        (paired runs).
      </p>
      <div class="buttons">
        <label>
          Runs{" "}
          <Entry
            class="short"
            value={String(wanted)}
            inputMode="numeric"
            check={wholeProblem("runs")}
            set={(text) => change({ runs: Number(text) })}
          />
        </label>
        {busy ? (
          <button onClick={stopRuns}>Stop</button>
        ) : (
          <button class="primary" onClick={() => startRuns(Math.min(width, 900))}>
            Run
          </button>
        )}
        {found && <progress max={wanted} value={found.runs} aria-label="Runs computed" />}
        {found && (
          <output>
            {found.runs.toLocaleString("en")} of {wanted.toLocaleString("en")} runs
          </output>
        )}
        {found?.done && found.runs > 0 && <button onClick={saveFigure}>Save as SVG</button>}
      </div>
      <div ref={box} class="figure" dangerouslySetInnerHTML={{ __html: found?.figure ?? "" }} />
      <Badge />
    </section>
  );
}
