// A quantity on the layout of a model, on a canvas: many times a second, so that it is drawn here and not as a figure.
import type { Description, LaneFrame, Layout } from "../core/messages";
import type { Ink } from "./ink";

/** What a picture shows. */
export interface Picture {
  description: Description;
  frame: LaneFrame;
  /** Least and greatest value of the scale. */
  range: [number, number];
  /** Of all states instead of all pairs. */
  states: boolean;
  policy: boolean;
  pointed: number | null;
  ink: Ink;
}

/** Where the states are, in units of a cell. A model without a layout gets rows of states. */
export interface Plan {
  width: number;
  height: number;
  x: number[];
  y: number[];
  layout: Layout | null;
  /** Pairs as rows below each other: a line, or no layout. */
  rows: boolean;
}

export function planOf({ layout, n_states: n, n_actions: m }: Description): Plan {
  if (layout !== null && layout.kind !== "line")
    return { width: layout.width, height: layout.height, x: layout.x, y: layout.y, layout, rows: false };
  if (layout !== null && layout.height === 1 && n <= 60)
    return { width: n, height: Math.max(m, 1), x: layout.x, y: layout.y, layout, rows: true };
  const width = Math.ceil(Math.sqrt(n * 1.6));
  const x = Array.from({ length: n }, (_, s) => (s % width) + 0.5);
  const y = Array.from({ length: n }, (_, s) => Math.floor(s / width) + 0.5);
  return { width, height: Math.ceil(n / width), x, y, layout: null, rows: false };
}

/** Numbers for people: at most four digits that matter. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "-∞" : "";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(1).replace("e+", "e");
  if (Number.isInteger(value) && size < 1e6) return value.toLocaleString("en");
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

export class Painter {
  private readonly scale: number;
  private readonly left: number;
  private readonly top: number;

  constructor(
    private readonly g: CanvasRenderingContext2D,
    private readonly plan: Plan,
    width: number,
    height: number,
  ) {
    const foot = plan.rows ? 16 : 0;
    this.scale = Math.min(width / plan.width, (height - foot) / plan.height);
    this.left = (width - this.scale * plan.width) / 2;
    this.top = (height - foot - this.scale * plan.height) / 2;
  }

  /** The state at a point of the canvas, or null. */
  stateAt(px: number, py: number): number | null {
    const x = (px - this.left) / this.scale;
    const y = (py - this.top) / this.scale;
    if (this.plan.rows) return x >= 0 && x < this.plan.width && y >= 0 && y < this.plan.height ? Math.floor(x) : null;
    const found = this.plan.x.findIndex((at, s) => Math.abs(at - x) <= 0.5 && Math.abs(this.plan.y[s] - y) <= 0.5);
    return found < 0 ? null : found;
  }

  paint(picture: Picture) {
    const { g, plan } = this;
    const { description, frame, ink } = picture;
    this.walls(ink);
    for (let s = 0; s < description.n_states; ++s) {
      if (description.terminal.includes(s)) this.terminal(s, picture);
      else if (plan.rows && !picture.states) this.column(s, picture);
      else this.cell(s, picture);
    }
    if (plan.rows) this.numbers(picture);
    this.agent(frame.s, ink);
    if (picture.pointed !== null) this.mark(picture.pointed, ink.text);
    g.globalAlpha = 1;
  }

  private box(s: number): [number, number, number, number] {
    const { plan, scale } = this;
    if (plan.rows) return [this.left + s * scale, this.top, scale, scale * plan.height];
    return [this.left + (plan.x[s] - 0.5) * scale, this.top + (plan.y[s] - 0.5) * scale, scale, scale];
  }

  private walls(ink: Ink) {
    this.g.fillStyle = ink.wall;
    for (const [x0, y0, x1, y1] of this.plan.layout?.walls ?? [])
      this.g.fillRect(this.left + x0 * this.scale, this.top + y0 * this.scale, (x1 - x0) * this.scale, (y1 - y0) * this.scale);
  }

  private terminal(s: number, { ink }: Picture) {
    const [x, y, w, h] = this.box(s);
    this.fill(x, y, w, h, ink.empty);
    this.label(this.plan.layout?.labels[s] || "×", x + w / 2, y + h / 2, Math.min(w, h) * 0.42, ink.muted);
  }

  private fill(x: number, y: number, w: number, h: number, colour: string) {
    const gap = this.scale > 8 ? 0.75 : 0;
    this.g.fillStyle = colour;
    this.g.fillRect(x + gap, y + gap, w - 2 * gap, h - 2 * gap);
  }

  private label(text: string, x: number, y: number, size: number, colour: string) {
    if (size < 5 || text === "") return;
    this.g.fillStyle = colour;
    this.g.font = `${size}px system-ui, sans-serif`;
    this.g.textAlign = "center";
    this.g.textBaseline = "middle";
    this.g.fillText(text, x, y);
  }

  private unit({ range: [low, high] }: Picture, value: number): number {
    return high > low ? (value - low) / (high - low) : 0;
  }

  /** One column of a line: an action a row, with its number. */
  private column(s: number, picture: Picture) {
    const { frame, ink, description } = picture;
    const m = description.n_actions;
    const [x, y, w, h] = this.box(s);
    for (let a = 0; a < m; ++a) {
      const value = frame.values?.[s * m + a];
      if (value === undefined) return this.fill(x, y, w, h, ink.empty);
      const at = this.unit(picture, value);
      this.fill(x, y + (a * h) / m, w, h / m, ink.much(at));
      this.label(short(value), x + w / 2, y + ((a + 0.5) * h) / m, Math.min(13, w * 0.26), ink.onMuch(at));
    }
  }

  private numbers({ ink, description }: Picture) {
    const { plan, scale } = this;
    const every = Math.ceil(description.n_states / (plan.width * Math.max(1, Math.floor(scale / 14)))) || 1;
    const each = scale < 14 ? Math.ceil(14 / scale) : every;
    for (let s = 0; s < description.n_states; s += each)
      this.label(String(s), this.left + (s + 0.5) * scale, this.top + plan.height * scale + 9, 10, ink.muted);
  }

  private cell(s: number, picture: Picture) {
    const { frame, ink, description, states } = picture;
    const [x, y, w, h] = this.box(s);
    const m = description.n_actions;
    if (frame.values === null) this.fill(x, y, w, h, ink.empty);
    else if (states) this.whole(picture, frame.values[s], x, y, w, h);
    else if (this.pointing(m)) this.triangles(s, picture, x, y, w, h);
    else for (let a = 0; a < m; ++a) this.fill(x + (a * w) / m, y, w / m, h, ink.much(this.unit(picture, frame.values[s * m + a])));
    if (picture.policy) this.arrows(s, picture);
    const label = this.plan.layout?.labels[s];
    if (label) this.label(label, x + 0.16 * w, y + 0.18 * h, 0.22 * h, ink.text);
  }

  private whole(picture: Picture, value: number, x: number, y: number, w: number, h: number) {
    const at = this.unit(picture, value);
    this.fill(x, y, w, h, picture.ink.much(at));
    if (w >= 26 && !picture.policy) this.label(short(value), x + w / 2, y + h / 2, Math.min(13, w * 0.28), picture.ink.onMuch(at));
  }

  /** Does every action point somewhere else? */
  private pointing(m: number): boolean {
    const { layout } = this.plan;
    if (layout === null || layout.dx.length !== m || m > 4) return false;
    return new Set(layout.dx.map((dx, a) => `${dx},${layout.dy[a]}`)).size === m && layout.dx.every((dx, a) => dx !== 0 || layout.dy[a] !== 0);
  }

  private triangles(s: number, picture: Picture, x: number, y: number, w: number, h: number) {
    const { g, plan } = this;
    const { frame, ink, description } = picture;
    const [cx, cy] = [x + w / 2, y + h / 2];
    const r = w / 2 - (this.scale > 8 ? 0.75 : 0);
    for (let a = 0; a < description.n_actions; ++a) {
      const [dx, dy] = [Math.sign(plan.layout!.dx[a]), Math.sign(plan.layout!.dy[a])];
      g.fillStyle = ink.much(this.unit(picture, frame.values![s * description.n_actions + a]));
      g.beginPath();
      g.moveTo(cx, cy);
      g.lineTo(cx + r * (dx - dy), cy + r * (dy - dx));
      g.lineTo(cx + r * (dx + dy), cy + r * (dy + dx));
      g.closePath();
      g.fill();
    }
    if (this.scale > 24) this.cross(cx, cy, r, ink.paper);
  }

  private cross(cx: number, cy: number, r: number, colour: string) {
    const { g } = this;
    g.strokeStyle = colour;
    g.lineWidth = 0.75;
    g.beginPath();
    for (const [dx, dy] of [[1, 1], [1, -1]]) {
      g.moveTo(cx - r * dx, cy - r * dy);
      g.lineTo(cx + r * dx, cy + r * dy);
    }
    g.stroke();
  }

  /** The policy: an arrow for each action that it may take, as large as its probability. */
  private arrows(s: number, { frame, description, ink }: Picture) {
    const { layout } = this.plan;
    const [x, y, w, h] = this.box(s);
    const m = description.n_actions;
    if (frame.policy === null || layout === null || layout.dx.length !== m || w < 10) return;
    for (let a = 0; a < m; ++a) {
      const p = frame.policy[s * m + a];
      if (p < 0.02) continue;
      this.arrow(x + w / 2, y + h / 2, layout.dx[a], layout.dy[a], w * 0.36 * Math.sqrt(p), ink.text);
    }
  }

  private arrow(cx: number, cy: number, dx: number, dy: number, r: number, colour: string) {
    const { g } = this;
    const size = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [(dx / size) * r, (dy / size) * r];
    g.strokeStyle = g.fillStyle = colour;
    g.lineWidth = Math.max(1, r * 0.16);
    g.beginPath();
    g.moveTo(cx, cy);
    g.lineTo(cx + ux * 0.7, cy + uy * 0.7);
    g.stroke();
    g.beginPath();
    g.moveTo(cx + ux, cy + uy);
    g.lineTo(cx + ux * 0.5 - uy * 0.3, cy + uy * 0.5 + ux * 0.3);
    g.lineTo(cx + ux * 0.5 + uy * 0.3, cy + uy * 0.5 - ux * 0.3);
    g.fill();
  }

  private agent(s: number, ink: Ink) {
    const { g } = this;
    const [x, y, w, h] = this.box(s);
    const r = Math.max(3, Math.min(9, w * 0.2));
    g.beginPath();
    g.arc(x + w / 2, this.plan.rows ? y + h : y + h / 2, r, 0, 2 * Math.PI);
    g.fillStyle = ink.series[1];
    g.fill();
    g.lineWidth = 1.5;
    g.strokeStyle = ink.paper;
    g.stroke();
  }

  private mark(s: number, colour: string) {
    const [x, y, w, h] = this.box(s);
    this.g.strokeStyle = colour;
    this.g.lineWidth = 2;
    this.g.strokeRect(x + 1, y + 1, w - 2, h - 2);
  }
}
