// A quantity on the layout of a model, on a canvas: many times a second, so that it is drawn here and not as a figure.
import type { Quantity } from "../core/messages";
import { actionName, type Board, type Box } from "./board";
import { headingsOf } from "./boards";
import { drawEdges, type Edge } from "./edges";
import { channels, mixed, type Ink, type Ramp, type Rgb } from "./ink";
import { rampOf, shareOf, tiny, type Scale } from "./scale";

export { short } from "./scale";

/** What a picture shows. */
export interface Picture {
  board: Board;
  show: Quantity;
  /** Of all pairs; where the board is one of states, of all states. */
  values: Float64Array | null;
  policy: Float64Array | null;
  /** Where the agent is. */
  s: number | null;
  pointed: number | null;
  scale: Scale;
  ink: Ink;
  edges: Edge[];
}

const SMALLEST = 9; // pixels of a text that can be read
const SPLIT = 12; // pixels of half a node that can show its actions
const FONT = "system-ui, sans-serif";
const LIKELY = 0.5;
const NOTHING = 0.05;

export function paint(g: CanvasRenderingContext2D, picture: Picture) {
  g.clearRect(0, 0, picture.board.width, picture.board.height);
  new Painter(g, picture).paint();
}

class Painter {
  private readonly board: Board;
  private readonly ink: Ink;
  private readonly ramp: Ramp;
  private readonly m: number;
  private readonly n: number;

  constructor(
    private readonly g: CanvasRenderingContext2D,
    private readonly picture: Picture,
  ) {
    this.board = picture.board;
    this.ink = picture.ink;
    this.ramp = rampOf(picture.scale, picture.ink);
    this.n = this.board.description.n_states;
    this.m = this.board.description.n_actions;
  }

  paint() {
    const { board, picture } = this;
    if (board.kind === "graph") drawEdges(this.g, picture);
    if (board.kind === "grid" && board.cell < 7) this.bitmap();
    else for (let s = 0; s < this.n; ++s) this.state(s);
    if (board.kind === "table") this.table();
    else this.walls();
    if (board.kind === "grid") this.headings();
    if (board.kind !== "table") this.starts();
    if (picture.pointed !== null && picture.pointed < this.n) this.mark(picture.pointed);
    if (picture.s !== null) this.agent(picture.s);
  }

  // ---- one state ----

  private state(s: number) {
    const { board } = this;
    const box = board.box(s);
    if (board.terminal[s]) this.terminal(s, box);
    else if (board.kind === "table") this.column(s, box);
    else if (board.kind === "graph") this.node(s, box);
    else this.cell(s, box);
  }

  private terminal(s: number, box: Box) {
    const size = Math.min(box.w, box.h);
    if (this.board.kind === "graph") this.circle(box, this.ink.empty);
    else this.fill(box, this.ink.empty);
    this.label(
      this.board.layout?.labels[s] || "×",
      box.x + box.w / 2,
      box.y + box.h / 2,
      Math.min(22, size * 0.42),
      this.ink.muted,
      6,
    );
  }

  private column(s: number, box: Box) {
    const { board, picture, m } = this;
    if (picture.values === null) return this.fill(box, this.ink.empty);
    if (!board.pairs) return this.value(s, box);
    for (let a = 0; a < m; ++a) {
      const part = { x: box.x, y: box.y + a * board.row, w: box.w, h: board.row };
      const value = picture.values[s * m + a];
      const arrow = picture.show === "policy" && value > LIKELY && this.board.directed(a);
      this.number(value, part, arrow || (picture.show === "policy" && value === 0) ? 0 : 13);
      if (arrow) this.arrow(a, value, part, this.on(value));
    }
  }

  /** V: a number, and what the policy does. */
  private value(s: number, box: Box) {
    const { board, picture } = this;
    const value = picture.values![s];
    const roomy = box.w >= 40 || board.kind === "table";
    const low = { x: box.x, y: box.y + box.h * 0.62, w: box.w, h: box.h * 0.34 };
    this.tint(value, box);
    if (roomy) this.write(value, low, this.on(value), 12);
    const size = roomy ? Math.min(box.w, box.h * 0.62) : Math.min(box.w, box.h);
    const high = { x: box.x + (box.w - size) / 2, y: box.y + (roomy ? box.h * 0.04 : 0), w: size, h: size };
    this.policy(s, high, this.on(value));
  }

  private cell(s: number, box: Box) {
    const { board, picture } = this;
    if (picture.values === null) this.fill(box, this.ink.empty);
    else if (!board.pairs) this.value(s, box);
    else if (picture.show === "policy" && board.coloured) this.fill(box, `rgb(${this.likeliest(s).join(",")})`);
    else if (picture.show === "policy" && board.pointing) this.choice(s, box);
    else if (!board.split) this.tint(this.greatest(s), box);
    else this.parts(s, box);
    this.corner(s, box);
  }

  /** The policy alone, on an empty cell. */
  private choice(s: number, box: Box) {
    this.fill(box, this.ink.empty);
    this.policy(s, box, this.ink.text);
  }

  /** The colour of the likeliest action; paler where it is less sure, and none where all are alike. */
  private likeliest(s: number): Rgb {
    const { m, ink } = this;
    const values = this.picture.values!;
    let best = 0;
    for (let a = 1; a < m; ++a) if (values[s * m + a] > values[s * m + best]) best = a;
    const sure = m > 1 ? Math.max(0, (values[s * m + best] - 1 / m) / (1 - 1 / m)) : 1;
    return mixed(ink.empty, ink.actions[best], sure || 0);
  }

  private node(s: number, box: Box) {
    const { board, picture, ink } = this;
    const state = !board.pairs && picture.values !== null;
    const value = state ? picture.values![s] : NaN;
    if (board.pairs && picture.values !== null && box.w >= 2 * SPLIT) {
      const side = box.w * 0.94;
      const square = { x: box.x + box.w * 0.03, y: box.y + box.w * 0.03, w: side, h: side };
      this.fill(square, ink.paper);
      this.parts(s, square);
      this.frame(square, ink.muted, 1);
    } else {
      const folded = board.pairs && picture.values !== null && picture.show !== "policy";
      this.circle(box, state ? this.colour(value) : folded ? this.colour(this.greatest(s)) : ink.empty);
      if (state) this.write(value, box, this.on(value), 12);
    }
    const name = board.layout?.labels[s] || String(s);
    const above = (board.layout?.y[s] ?? 0) < 1;
    if (box.w >= 14) this.label(name, box.x + box.w / 2, above ? box.y - 11 : box.y + box.h + 12, 11, ink.muted);
  }

  // ---- the actions of a cell ----

  /** A triangle for each action that points somewhere; strips, from the top, for the others. */
  private parts(s: number, box: Box) {
    const values = this.picture.values!;
    const others: number[] = [];
    let pointed = 0;
    for (let a = 0; a < this.m; ++a) {
      if (!this.board.directed(a)) others.push(a);
      else {
        this.triangle(a, values[s * this.m + a], box);
        pointed += 1;
      }
    }
    if (pointed > 0 && box.w > 24) this.cross(box);
    if (others.length === 0) return;
    const share = pointed > 0 ? 0.4 : 1;
    const inner = {
      x: box.x + (box.w * (1 - share)) / 2,
      y: box.y + (box.h * (1 - share)) / 2,
      w: box.w * share,
      h: box.h * share,
    };
    if (pointed > 0) this.fill(inner, this.ink.paper);
    others.forEach((a, i) =>
      this.number(
        values[s * this.m + a],
        { x: inner.x, y: inner.y + (i * inner.h) / others.length, w: inner.w, h: inner.h / others.length },
        12,
      ),
    );
  }

  private triangle(a: number, value: number, box: Box) {
    const { g, board } = this;
    const [dx, dy] = [Math.sign(board.layout!.dx[a]), Math.sign(board.layout!.dy[a])];
    const gap = board.cell > 8 ? 0.75 : 0;
    const [cx, cy, r] = [box.x + box.w / 2, box.y + box.h / 2, box.w / 2 - gap];
    g.fillStyle = this.colour(value);
    g.beginPath();
    g.moveTo(cx, cy);
    g.lineTo(cx + r * (dx - dy), cy + r * (dy - dx));
    g.lineTo(cx + r * (dx + dy), cy + r * (dy + dx));
    g.closePath();
    g.fill();
    if (box.w >= 76)
      this.label(tiny(value), cx + dx * r * 0.62, cy + dy * r * 0.72, Math.min(11, box.w * 0.12), this.on(value));
  }

  private cross({ x, y, w, h }: Box) {
    const { g } = this;
    g.strokeStyle = this.ink.paper;
    g.lineWidth = 0.75;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + w, y + h);
    g.moveTo(x + w, y);
    g.lineTo(x, y + h);
    g.stroke();
  }

  private greatest(s: number): number {
    const values = this.picture.values!;
    let best = values[s * this.m];
    for (let a = 1; a < this.m; ++a) best = Math.max(best, values[s * this.m + a]);
    return best;
  }

  // ---- the policy ----

  /** An arrow for an action that is likelier than all others, spikes for the rest, whose areas are the probabilities;
   * an action without a direction by its name. */
  private policy(s: number, box: Box, colour: string) {
    const { policy } = this.picture;
    if (policy === null || box.w < 6) return;
    for (let a = 0; a < this.m; ++a) {
      const p = policy[s * this.m + a];
      if (!(p > NOTHING)) continue;
      if (this.board.directed(a)) this.arrow(a, p, box, colour);
      else if (p > LIKELY) this.named(a, box, colour);
    }
  }

  private named(a: number, { x, y, w, h }: Box, colour: string) {
    const name = actionName(this.board.description, a);
    const size = Math.min(11, (0.9 * w) / (0.56 * name.length));
    if (size >= 8) this.label(name, x + w / 2, y + h / 2, size, colour, 8);
    else this.label(String(a), x + w / 2, y + h / 2, Math.min(11, 0.62 * w), colour, 7);
  }

  private arrow(a: number, p: number, box: Box, colour: string) {
    const { dx, dy } = this.board.layout!;
    const size = Math.hypot(dx[a], dy[a]);
    const [u, v] = [dx[a] / size, dy[a] / size];
    const reach = Math.min(1, Math.sqrt(p)) * Math.min(box.w, box.h, 52);
    const shape = p <= LIKELY ? SPIKE : reach < 11 ? TIP : ARROW;
    const { g } = this;
    g.fillStyle = colour;
    g.beginPath();
    for (const [along, aside] of shape)
      g.lineTo(
        box.x + box.w / 2 + reach * (along * u - aside * v),
        box.y + box.h / 2 + reach * (along * v + aside * u),
      );
    g.fill();
  }

  // ---- cells with numbers ----

  private colour(value: number): string {
    const { scale } = this.picture;
    if (Number.isNaN(value) || (scale.counts && value === 0)) return this.ink.empty;
    return this.ramp.colour(shareOf(scale, value));
  }

  private on(value: number): string {
    const { scale } = this.picture;
    if (Number.isNaN(value) || (scale.counts && value === 0)) return this.ink.muted;
    return this.ramp.on(shareOf(scale, value));
  }

  private tint(value: number, box: Box) {
    this.fill(box, this.colour(value));
  }

  private number(value: number, box: Box, most: number) {
    this.tint(value, box);
    this.write(value, box, this.on(value), most);
  }

  private write(value: number, { x, y, w, h }: Box, colour: string, most: number) {
    const text = this.picture.scale.counts && value === 0 ? "" : tiny(value);
    const size = Math.min(most, h * 0.72, (0.9 * w) / Math.max(this.ems(text), 1.75));
    this.label(text, x + w / 2, y + h / 2, size, colour);
  }

  /** The width of a text, in units of its size. */
  private ems(text: string): number {
    this.g.font = `20px ${FONT}`;
    return this.g.measureText(text).width / 20;
  }

  private fill({ x, y, w, h }: Box, colour: string) {
    const gap = Math.min(w, h) > 8 ? 0.75 : 0;
    this.g.fillStyle = colour;
    this.g.fillRect(x + gap, y + gap, w - 2 * gap, h - 2 * gap);
  }

  private circle({ x, y, w, h }: Box, colour: string) {
    const { g } = this;
    g.beginPath();
    g.arc(x + w / 2, y + h / 2, w / 2, 0, 2 * Math.PI);
    g.fillStyle = colour;
    g.fill();
    g.strokeStyle = this.ink.muted;
    g.lineWidth = w > 8 ? 1 : 0.4;
    g.stroke();
  }

  private frame({ x, y, w, h }: Box, colour: string, width: number) {
    this.g.strokeStyle = colour;
    this.g.lineWidth = width;
    this.g.strokeRect(x, y, w, h);
  }

  private label(text: string, x: number, y: number, size: number, colour: string, least = SMALLEST) {
    if (size < least || text === "") return;
    const { g } = this;
    g.fillStyle = colour;
    g.font = `${size.toFixed(1)}px ${FONT}`;
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.fillText(text, x, y + size * 0.04);
  }

  /** The letter of a state, on paper, so that it can be read on every colour. */
  private corner(s: number, box: Box) {
    const label = this.board.layout?.labels[s];
    if (!label || box.w < 26) return;
    const size = Math.min(12, Math.max(SMALLEST, box.w * 0.2));
    this.g.fillStyle = this.ink.paper;
    this.g.fillRect(box.x + 1.5, box.y + 1.5, size * (0.5 + 0.6 * label.length), size * 1.25);
    this.label(label, box.x + 1.5 + size * (0.25 + 0.3 * label.length), box.y + 1.5 + size * 0.64, size, this.ink.text);
  }

  // ---- around the cells ----

  private walls() {
    const { g, board } = this;
    g.fillStyle = this.ink.wall;
    for (const [x0, y0, x1, y1] of board.layout?.walls ?? []) {
      const [x, y] = board.place(x0, y0);
      const [right, bottom] = board.place(x1, y1);
      const [w, h] = [right - x, bottom - y];
      const [thickX, thickY] = [w === 0 ? 1 : 0, h === 0 ? 1 : 0]; // a wall may be a line
      g.fillRect(x - thickX, y - thickY, w + 2 * thickX, h + 2 * thickY);
    }
  }

  private headings() {
    const { board, ink } = this;
    for (const { x, y, text } of headingsOf(board.description).headings)
      this.label(text, ...board.place(x, y), Math.min(12, board.cell * 0.7), ink.muted, 7);
  }

  /** Names of actions, numbers of states, starts. */
  private table() {
    const { g, board, ink } = this;
    const every = Math.max(1, Math.ceil(20 / board.cell));
    for (let s = 0; s < this.n; ++s) {
      const { x, y, w, h } = board.box(s);
      if (s % board.columns === 0 && board.gutter > 0) this.names(y);
      if ((s % board.columns) % every !== 0) continue;
      const start = board.start[s] === 1 && board.description.starts.length <= 8;
      this.label(String(s), x + w / 2, y + h + 9, 10.5, ink.muted);
      if (start && w >= 18) this.triangleUp(x + w / 2 - 6 - 3 * String(s).length, y + h + 8, 3);
    }
    g.textAlign = "center";
  }

  private names(top: number) {
    const { g, board } = this;
    g.textBaseline = "middle";
    g.textAlign = "right";
    g.fillStyle = this.ink.muted;
    g.font = `11.5px ${FONT}`;
    for (let a = 0; a < board.rows; ++a)
      g.fillText(actionName(board.description, a), board.origin - 7, top + (a + 0.5) * board.row, board.gutter - 8);
  }

  private triangleUp(x: number, y: number, r: number) {
    const { g } = this;
    g.fillStyle = this.ink.text;
    g.beginPath();
    g.moveTo(x - r, y + r);
    g.lineTo(x + r, y + r);
    g.lineTo(x, y - r);
    g.fill();
  }

  /** A triangle in the corner of a state where runs start, if it has no letter and there are few. */
  private starts() {
    const { board } = this;
    if (board.description.starts.length > 8 || board.cell < 12) return;
    for (const [s] of board.description.starts) {
      const { x, y, w, h } = board.box(s);
      if (board.kind === "graph") this.triangleUp(x - 2, y + h - 2, 4);
      else if (!board.layout?.labels[s]) {
        this.g.fillStyle = this.ink.paper;
        this.g.fillRect(x + 1, y + h - 11, 10, 10);
        this.triangleUp(x + 6, y + h - 6, Math.min(3.5, w * 0.2));
      }
    }
  }

  /** Very many states: a pixel each, made larger. */
  private bitmap() {
    const { board, picture } = this;
    const [w, h] = board.size;
    const image = new ImageData(w, h);
    const empty = channels(this.ink.empty);
    const actions = picture.show === "policy" && board.coloured && picture.values !== null;
    for (let s = 0; s < this.n; ++s) {
      const box = board.box(s);
      const [left, top] = board.place(0, 0);
      const at = 4 * (Math.round((box.y - top) / board.cell) * w + Math.round((box.x - left) / board.cell));
      const value =
        board.terminal[s] || picture.values === null ? NaN : board.pairs ? this.greatest(s) : picture.values[s];
      const none = Number.isNaN(value) || (picture.scale.counts && value === 0);
      const [r, g, b] = none ? empty : actions ? this.likeliest(s) : this.ramp.rgb(shareOf(picture.scale, value));
      [image.data[at], image.data[at + 1], image.data[at + 2], image.data[at + 3]] = [r, g, b, 255];
    }
    const small = new OffscreenCanvas(w, h);
    small.getContext("2d")!.putImageData(image, 0, 0);
    this.g.imageSmoothingEnabled = false;
    const [x, y] = board.place(0, 0);
    this.g.drawImage(small, x, y, w * board.cell, h * board.cell);
  }

  /** Where the agent is: a pin above a column, a ring in a cell, a disc in the corner of one with numbers, which stay readable. */
  private agent(s: number) {
    const { g, board, ink } = this;
    const { x, y, w, h } = board.box(s);
    const [cx, cy] = [x + w / 2, y + h / 2];
    const small = board.kind === "grid" && w < 14;
    const written = board.kind === "grid" && w >= 24 && (board.pairs ? w >= 76 || !this.board.pointing : w >= 40);
    g.beginPath();
    if (board.kind === "table") {
      const r = Math.max(4, Math.min(6, w / 3));
      g.moveTo(cx - r, y - 2 * r);
      g.lineTo(cx + r, y - 2 * r);
      g.lineTo(cx, y - 1);
      g.closePath();
    } else if (written) g.arc(x + w * 0.84, y + h * 0.16, Math.max(4, w * 0.1), 0, 2 * Math.PI);
    else
      g.arc(
        cx,
        cy,
        small ? Math.max(4, w * 0.45) : board.kind === "graph" ? (board.pairs ? w * 0.72 : w / 2 + 3) : w * 0.38,
        0,
        2 * Math.PI,
      );
    const solid = small || written || board.kind === "table";
    g.lineWidth = solid ? 2 : Math.max(4, w * 0.11) + 2;
    g.strokeStyle = ink.paper;
    g.stroke();
    g.lineWidth = Math.min(5, Math.max(3, w * 0.07));
    g.strokeStyle = g.fillStyle = ink.agent;
    if (solid) g.fill();
    else g.stroke();
  }

  private mark(s: number) {
    const { x, y, w, h } = this.board.box(s);
    const grow = Math.max(0, (9 - w) / 2);
    const box = { x: x + 1 - grow, y: y + 1 - grow, w: w - 2 + 2 * grow, h: h - 2 + 2 * grow };
    this.frame(box, this.ink.paper, 4);
    this.frame(box, this.ink.text, 2);
  }
}

/** Shapes along and beside a direction, in cells: those of src/questions/learning/layout-policy.c. */
const ARROW = [
  [-0.34, 0.045],
  [0.04, 0.045],
  [0.04, 0.19],
  [0.38, 0],
  [0.04, -0.19],
  [0.04, -0.045],
  [-0.34, -0.045],
];
const TIP = [
  [-0.26, 0.26],
  [0.34, 0],
  [-0.26, -0.26],
];
const SPIKE = [
  [0, 0.13],
  [0.47, 0],
  [0, -0.13],
];
