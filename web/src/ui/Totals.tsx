// The reward of the watched run, as it grows.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Frame } from "../core/messages";
import { dark, frame, names, setup } from "../state";
import { drawAxes, frameOf } from "./axes";
import { sized, useWidth } from "./canvas";
import { Line } from "./icons";
import { DASHES, ink, type Ink } from "./ink";
import { short } from "./scale";

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
