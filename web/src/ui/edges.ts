// The transitions of a graph: thin lines between its states, and the policy as the share of steps along each.
import type { Description } from "../core/messages";
import type { Picture } from "./draw";

/** From one state to another: the probability of it after each action. */
export interface Edge {
  from: number;
  to: number;
  chance: Float64Array;
  /** There is one back. */
  both: boolean;
}

const MOST = 400;

/** Joins the outcomes of a model: six numbers each, as Model.outcomes gives them. */
export function edgesOf({ n_states: n, n_actions: m }: Description, outcomes: Float64Array): Edge[] {
  const found = new Map<number, Edge>();
  for (let i = 0; i < outcomes.length; i += 6) {
    const [from, a, p, to] = outcomes.subarray(i, i + 4);
    let edge = found.get(from * n + to);
    if (!edge) found.set(from * n + to, (edge = { from, to, chance: new Float64Array(m), both: false }));
    edge.chance[a] += p;
  }
  for (const edge of found.values()) edge.both = edge.from !== edge.to && found.has(edge.to * n + edge.from);
  return found.size <= MOST ? [...found.values()] : [];
}

export function drawEdges(g: CanvasRenderingContext2D, { board, edges, policy, ink, show }: Picture) {
  const m = board.description.n_actions;
  const flows = show === "value" || show === "policy" ? policy : null;
  const flow = ({ from, chance }: Edge) =>
    flows === null ? 0 : chance.reduce((sum, p, a) => sum + p * flows[from * m + a], 0);
  g.globalAlpha = 0.5;
  for (const edge of edges) drawEdge(g, edge, board, ink.muted, 1);
  g.globalAlpha = 1;
  for (const edge of edges) {
    const share = flow(edge);
    if (share > 0.02) drawEdge(g, edge, board, ink.text, 0.8 + 2.4 * share);
  }
}

function drawEdge(
  g: CanvasRenderingContext2D,
  { from, to, both }: Edge,
  board: Picture["board"],
  colour: string,
  width: number,
) {
  const [x0, y0] = board.centre(from);
  const [x1, y1] = board.centre(to);
  const [r0, r1] = [board.radius![from], board.radius![to]];
  g.strokeStyle = g.fillStyle = colour;
  g.lineWidth = width;
  if (from === to) {
    g.beginPath();
    g.arc(x0 + r0 * 0.78, y0 - r0 * 0.78, Math.min(8, r0 * 0.4), Math.PI * 0.9, Math.PI * 2.6);
    g.stroke();
    return;
  }
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = Math.hypot(dx, dy);
  const bend = both ? 0.16 : 0;
  const point = (t: number): [number, number] => [
    x0 + t * dx - 2 * bend * t * (1 - t) * dy,
    y0 + t * dy + 2 * bend * t * (1 - t) * dx,
  ];
  const size = 4 + 1.5 * width;
  const [start, tip] = [(r0 + 1) / length, 1 - (r1 + 2) / length];
  const end = tip - (0.9 * size) / length;
  if (end <= start) return;
  g.beginPath();
  for (let i = 0; i <= 8; ++i) g.lineTo(...point(start + ((end - start) * i) / 8));
  g.stroke();
  const [tx, ty] = point(tip);
  const [bx, by] = point(end);
  const norm = Math.hypot(tx - bx, ty - by) || 1;
  const [u, v] = [(tx - bx) / norm, (ty - by) / norm];
  g.beginPath();
  g.moveTo(tx, ty);
  g.lineTo(tx - size * u - 0.5 * size * v, ty - size * v + 0.5 * size * u);
  g.lineTo(tx - size * u + 0.5 * size * v, ty - size * v - 0.5 * size * u);
  g.fill();
}
