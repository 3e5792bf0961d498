// Axes of what the page draws itself.
import type { Ink } from "./ink";
import { short } from "./scale";

/** Round numbers between two, about so many. */
export function ticks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.99)!;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (t: number) => number;
  y: (v: number) => number;
}

/** The room between the axes of a picture: steps from 0, values from low to high. */
export function frameOf(width: number, height: number, steps: number, low: number, high: number): Frame {
  const [left, right, top, bottom] = [64, width - 14, 8, height - 24];
  return {
    left,
    right,
    top,
    bottom,
    x: (t) => left + (t / steps) * (right - left),
    y: (v) => bottom - ((v - low) / (high - low)) * (bottom - top),
  };
}

export function drawAxes(g: CanvasRenderingContext2D, at: Frame, steps: number, low: number, high: number, ink: Ink) {
  g.font = "11.5px system-ui, sans-serif";
  g.fillStyle = ink.muted;
  g.lineWidth = 1;
  g.textBaseline = "middle";
  g.textAlign = "right";
  for (const v of ticks(low, high, 4)) {
    g.strokeStyle = v === 0 ? ink.muted : ink.grid;
    g.beginPath();
    g.moveTo(at.left, Math.round(at.y(v)) + 0.5);
    g.lineTo(at.right, Math.round(at.y(v)) + 0.5);
    g.stroke();
    g.fillText(short(v), at.left - 8, at.y(v));
  }
  g.textAlign = "center";
  const marks = ticks(0, steps, Math.max(2, Math.min(6, (at.right - at.left) / 110)));
  for (const t of marks)
    g.fillText(
      t === marks.at(-1) ? `${t.toLocaleString("en")} steps` : t.toLocaleString("en"),
      Math.min(at.x(t), at.right - 36),
      at.bottom + 15,
    );
}
