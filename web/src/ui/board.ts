// Where the states of a model stand in a picture of a given width, in pixels.
import type { Description, Layout } from "../core/messages";

/** table: columns of states and a row for each action; grid: cells; graph: circles and arrows. */
export type Kind = "table" | "grid" | "graph";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

const LONGEST_LINE = 60; // states in one row of columns
const PIN = 14; // above a column: where the agent is
const FOOT = 17; // below it: the number of the state
const MARGIN = 20; // above and below a graph: names and loops
const SPLIT = 12; // pixels of a cell that can show its actions,
const ARROW = 8; // of one that has room for an arrow,
const STRIPS = 24; // and of one whose strips can be told apart
const MOST_COLOURS = 7; // actions that differ by colours
const letters = 6.4; // about the width of a letter of 11 pixels

export const actionName = ({ layout, actions }: Description, a: number): string =>
  layout?.actions[a] || actions[a] || `action ${a}`;
export const stateName = ({ states }: Description, s: number): string => states[s] ?? `state ${s}`;

export class Board {
  readonly kind: Kind;
  readonly height: number;
  /** Size of a cell; of a table, width of a column. */
  readonly cell: number;
  /** Height of a unit of the layout: of a graph it may be larger. */
  readonly tall: number;
  readonly layout: Layout | null;
  readonly terminal: Uint8Array;
  readonly start: Uint8Array;
  /** Of a table: room for the names of actions, height of a row, rows. */
  readonly gutter: number = 0;
  readonly row: number = 0;
  readonly rows: number = 0;
  /** States in a row, of a table and of a grid without layout. */
  readonly columns: number = 1;
  /** Of a graph. */
  readonly radius: Float64Array | null = null;
  private readonly left: number = 0;
  private readonly top: number = 0;
  private readonly index: Map<number, number> | null = null;

  constructor(
    readonly description: Description,
    readonly width: number,
    /** Numbers of pairs, not of states. */
    readonly pairs: boolean,
    /** Height that is good to have. */
    most: number,
  ) {
    const { layout, n_states: n, n_actions: m, terminal, starts } = description;
    this.layout = layout;
    this.terminal = new Uint8Array(n);
    this.start = new Uint8Array(n);
    for (const s of terminal) this.terminal[s] = 1;
    for (const [s] of starts) this.start[s] = 1;

    if (layout !== null && layout.kind !== "line") {
      this.kind = layout.kind;
      this.cell = Math.min(width / layout.width, most / layout.height, layout.kind === "graph" ? 130 : 104);
      if (this.cell > 6) this.cell = Math.floor(this.cell);
      this.left = Math.floor((width - this.cell * layout.width) / 2);
      const graph = layout.kind === "graph";
      this.tall = graph ? Math.max(this.cell, Math.min(120, (most - 2 * MARGIN) / layout.height)) : this.cell;
      this.top = graph ? MARGIN : 0;
      this.height = Math.ceil(this.tall * layout.height) + 2 * this.top;
      if (graph) this.radius = radii(layout, this.cell, this.tall);
      else this.index = new Map(layout.x.map((x, s) => [Math.floor(layout.y[s]) * layout.width + Math.floor(x), s]));
      return;
    }
    this.rows = pairs ? m : 1;
    const longest = Math.max(...Array.from({ length: m }, (_, a) => actionName(description, a).length));
    this.gutter = pairs ? Math.min(Math.ceil(longest * letters) + 10, 92) : 0;
    const room = width - this.gutter;
    const one = layout !== null && n <= LONGEST_LINE;
    this.columns = one ? n : Math.max(1, Math.min(n, Math.floor(room / 40)));
    const cell = Math.min(room / this.columns, 88);
    this.row = Math.round(pairs ? Math.max(25, Math.min(38, cell * 0.6)) : Math.max(52, Math.min(68, cell * 0.9)));
    const blocks = Math.ceil(n / this.columns);
    const height = blocks * (PIN + this.rows * this.row + FOOT);
    if (one || height <= 1.2 * most) {
      this.kind = "table";
      this.cell = this.tall = cell > 8 ? Math.floor(cell) : cell;
      this.left = one ? Math.max(0, Math.floor((room - this.cell * this.columns) / 2)) : 0;
      this.height = height;
      return;
    }
    this.kind = "grid";
    this.gutter = this.rows = this.row = 0;
    this.columns = Math.max(1, Math.ceil(Math.sqrt((n * width) / most)));
    this.cell = Math.min(width / this.columns, 30);
    if (this.cell > 6) this.cell = Math.floor(this.cell);
    this.tall = this.cell;
    this.columns = Math.max(1, Math.min(n, Math.floor(width / this.cell)));
    this.left = Math.floor((width - this.cell * this.columns) / 2);
    this.height = Math.ceil(this.cell * Math.ceil(n / this.columns));
  }

  /** Does an action point somewhere? */
  directed(a: number): boolean {
    const { layout } = this;
    return layout !== null && layout.dx.length > a && (layout.dx[a] !== 0 || layout.dy[a] !== 0);
  }

  /** Does every action? */
  get pointing(): boolean {
    const m = this.description.n_actions;
    for (let a = 0; a < m; ++a) if (!this.directed(a)) return false;
    return true;
  }

  /** Are cells large enough to show all of their actions? */
  get split(): boolean {
    return this.cell >= SPLIT;
  }

  /** Is a policy drawn in the colours of actions, since cells have no room for more? */
  get coloured(): boolean {
    const { n_actions: m } = this.description;
    const directed = Array.from({ length: m }, (_, a) => a).filter((a) => this.directed(a)).length;
    const least = directed === m ? ARROW : directed > 0 ? SPLIT : STRIPS;
    return this.kind === "grid" && this.pairs && this.cell < least && m <= MOST_COLOURS;
  }

  /** Where the names of actions end. */
  get origin(): number {
    return this.left + this.gutter;
  }

  /** The size of its bitmap, in cells. */
  get size(): [number, number] {
    const { layout, columns } = this;
    return layout !== null && this.index !== null
      ? [layout.width, layout.height]
      : [columns, Math.ceil(this.description.n_states / columns)];
  }

  centre(s: number): [number, number] {
    const { x, y, w, h } = this.box(s);
    return [x + w / 2, y + h / 2];
  }

  box(s: number): Box {
    const { kind, layout, cell, columns, left } = this;
    if (kind === "table") {
      const block = Math.floor(s / columns);
      const y = block * (PIN + this.rows * this.row + FOOT) + PIN;
      return { x: this.origin + (s % columns) * cell, y, w: cell, h: this.rows * this.row };
    }
    if (layout === null || layout.kind === "line")
      return { x: left + (s % columns) * cell, y: Math.floor(s / columns) * cell, w: cell, h: cell };
    const r = this.radius ? this.radius[s] : cell / 2;
    return { x: left + layout.x[s] * cell - r, y: this.top + layout.y[s] * this.tall - r, w: 2 * r, h: 2 * r };
  }

  /** A rectangle of the layout. */
  place(x: number, y: number): [number, number] {
    return [this.left + x * this.cell, this.top + y * this.tall];
  }

  /** The state at a point, or null. */
  at(px: number, py: number): number | null {
    const { layout, index, cell, columns, left } = this;
    const n = this.description.n_states;
    if (index !== null)
      return index.get(Math.floor(py / cell) * layout!.width + Math.floor((px - left) / cell)) ?? null;
    if (this.kind === "graph") return this.nearest(px, py);
    const height = this.kind === "table" ? PIN + this.rows * this.row + FOOT : cell;
    const column = Math.floor((px - this.origin) / cell);
    const s = Math.floor(py / height) * columns + column;
    return column >= 0 && column < columns && s >= 0 && s < n ? s : null;
  }

  private nearest(px: number, py: number): number | null {
    for (let s = 0; s < this.description.n_states; ++s) {
      const [x, y] = this.centre(s);
      if (Math.hypot(px - x, py - y) <= Math.max(this.radius![s], 6)) return s;
    }
    return null;
  }

  /** The next state into a direction: the nearest of those that lie within 45 degrees; itself if there is none. */
  toward(s: number, dx: number, dy: number): number {
    const [x0, y0] = this.centre(s);
    let [best, least] = [s, Infinity];
    for (let t = 0; t < this.description.n_states; ++t) {
      const [x, y] = this.centre(t);
      const along = (x - x0) * dx + (y - y0) * dy;
      const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
      const far = along + 2 * aside;
      if (along > 0.5 && aside <= along * 1.01 && far < least) [best, least] = [t, far];
    }
    return best;
  }
}

/** As large as neighbours and the frame allow. */
function radii({ x, y, height }: Layout, cell: number, tall: number): Float64Array {
  const few = x.length <= 1500;
  return Float64Array.from(x, (at, s) => {
    let near = few ? Infinity : cell;
    if (few)
      for (let t = 0; t < x.length; ++t)
        if (t !== s) near = Math.min(near, Math.hypot((x[t] - at) * cell, (y[t] - y[s]) * tall));
    const inside = Math.min(y[s], height - y[s]) * tall;
    return Math.max(2, Math.min(0.4 * near, 0.86 * inside, 32));
  });
}
