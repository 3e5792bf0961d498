// The learning curve: of the watched run, and with its band over many runs.
import { useEffect, useRef } from "preact/hooks";
import { change, commands, dark, frame, names, runs, setup, startRuns, stopRuns } from "../state";
import { whole } from "../setup";
import { short } from "./draw";
import { ink } from "./ink";
import { useWidth } from "./Lanes";

const HEIGHT = 160;

/** Total reward of the watched run so far, all agents in one picture. */
export function Totals() {
  const [box, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const now = frame.value;
  const { steps } = setup.value;
  useEffect(() => {
    const g = canvas.current?.getContext("2d");
    if (!g || !now || width === 0) return;
    const ratio = devicePixelRatio || 1;
    [g.canvas.width, g.canvas.height] = [width * ratio, HEIGHT * ratio];
    g.scale(ratio, ratio);
    drawTotals(g, width);
  });
  function drawTotals(g: CanvasRenderingContext2D, w: number) {
    const colours = ink(dark.value);
    const all = now!.lanes.map(({ curve, stride, total }) => [...Array.from(curve, (y, i): [number, number] => [(i + 1) * stride, y]).filter(([t]) => t <= now!.t), [now!.t, total] as [number, number]]);
    const ys = all.flat().map(([, y]) => y);
    const [low, high] = [Math.min(0, ...ys), Math.max(1e-9, ...ys)];
    const [left, bottom] = [44, 18];
    const x = (t: number) => left + (t / steps) * (w - left - 8);
    const y = (v: number) => 8 + (1 - (v - low) / (high - low)) * (HEIGHT - bottom - 8);
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = colours.muted;
    g.strokeStyle = colours.grid;
    g.textBaseline = "middle";
    for (const v of [low, (low + high) / 2, high]) {
      g.textAlign = "right";
      g.fillText(short(v), left - 6, y(v));
      g.beginPath();
      g.moveTo(left, y(v));
      g.lineTo(w - 8, y(v));
      g.stroke();
    }
    g.textAlign = "left";
    g.fillText("0", left, HEIGHT - 8);
    g.textAlign = "right";
    g.fillText(`${steps.toLocaleString("en")} steps`, w - 8, HEIGHT - 8);
    g.lineWidth = 2;
    all.forEach((points, k) => {
      g.strokeStyle = colours.series[k];
      g.beginPath();
      g.moveTo(x(0), y(0));
      for (const [t, v] of points) g.lineTo(x(t), y(v));
      g.stroke();
    });
  }
  const said = now?.lanes.map(({ total }, k) => `${names.value[k]} ${short(total)}`).join("; ");
  return (
    <section class="card">
      <h2>Reward of this run</h2>
      <div ref={box}><canvas ref={canvas} role="img" aria-label={`Total reward: ${said}`} style={{ width: `${width}px`, height: `${HEIGHT}px` }} /></div>
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
      <pre><code>{text}</code></pre>
      <button onClick={() => navigator.clipboard?.writeText(text)}>Copy the command</button>
      <table>
        <thead><tr><th scope="col">agent</th><th scope="col">mean reward</th><th scope="col">hash of all totals</th></tr></thead>
        <tbody>
          {found.cells.map((cell) => (
            <tr key={cell.index}>
              <th scope="row">{names.value[cell.index]}</th>
              <td>{short(cell.mean)}{cell.ci95 !== null && ` ± ${short(cell.ci95)}`}</td>
              <td><code title={cell.hash}>{cell.hash.slice(0, 16)}</code></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Runs() {
  const [box, width] = useWidth<HTMLDivElement>();
  const found = runs.value;
  const busy = found !== null && !found.done;
  const enter = (text: string) => {
    const count = whole("runs", text);
    if (typeof count === "number") change({ runs: count });
  };
  return (
    <section class="card" aria-label="Learning curves">
      <h2>Learning curves over many runs</h2>
      <div class="buttons">
        <label>Runs <input class="short" value={String(setup.value.runs)} inputMode="numeric" onChange={(event) => enter(event.currentTarget.value)} /></label>
        {busy ? <button onClick={stopRuns}>Stop</button> : <button class="primary" onClick={() => startRuns(Math.min(width, 900))}>Run</button>}
        {found && <output>{found.runs.toLocaleString("en")} of {setup.value.runs.toLocaleString("en")} runs</output>}
      </div>
      <div ref={box} class="figure" dangerouslySetInnerHTML={{ __html: found?.figure ?? "" }} />
      <Badge />
    </section>
  );
}
