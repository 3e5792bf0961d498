// The world as the reader knows it: what was seen, on a ground of fog; after the end all of it, with a best policy.
import type { Description, HandStep, Layout } from "../core/messages";
import type { Game } from "../hand";
import { over } from "../hand";
import { short } from "./draw";

const U = 40; // units of the drawing a cell
const WHOLE = 25; // cells a side of a world that is drawn as a whole
const [LEAST_X, LEAST_Y] = [15, 9]; // cells of a larger one that are drawn at least
const MOST_ROWS = 100; // states without a layout that are drawn in their order
const FOUND = 14; // states a row, where they are drawn as they were found
const MOST_SHOWN = 2500; // states that are drawn at the end

interface Places {
  x: number[];
  y: number[];
  width: number;
  height: number;
  layout: Layout | null;
}

/** Where the states are, in cells. Those of a model without a layout stand in rows, of a large one as they were found. */
function placesOf({ description: { layout, n_states: n }, seen }: Game): Places {
  if (layout !== null) return { x: layout.x, y: layout.y, width: layout.width, height: layout.height, layout };
  const all = n <= MOST_ROWS ? Array.from({ length: n }, (_, s) => s) : seen.states;
  const width = n <= MOST_ROWS ? Math.ceil(Math.sqrt(n * 1.6)) : FOUND;
  const [x, y]: [number[], number[]] = [[], []];
  all.forEach((s, i) => ([x[s], y[s]] = [(i % width) + 0.5, Math.floor(i / width) + 0.5]));
  return { x, y, width, height: Math.max(Math.ceil(all.length / width), n <= MOST_ROWS ? 1 : 4), layout: null };
}

export type Way = [number, number] | null;

/** Where each action leads on the layout, if that is to different sides: arrows and arrow keys then stand for it. */
export function directions({ layout, n_actions: m }: Description): Way[] {
  if (layout === null || layout.dx.length !== m || m > 8) return Array<Way>(m).fill(null);
  const all = layout.dx.map((dx, a): [number, number] => [Math.sign(dx), Math.sign(layout.dy[a])]);
  const pointing = all.filter(([dx, dy]) => dx !== 0 || dy !== 0).map(String);
  const distinct = new Set(pointing).size === pointing.length;
  return all.map(([dx, dy]) => (distinct && (dx !== 0 || dy !== 0) ? [dx, dy] : null));
}

export function stateName(description: Description, s: number): string {
  const { layout, states } = description;
  if (states[s]) return states[s];
  const label = layout?.labels[s] ? ` (${layout.labels[s]})` : "";
  if (layout?.kind === "grid")
    return `row ${Math.floor(layout.y[s]) + 1}, column ${Math.floor(layout.x[s]) + 1}${label}`;
  return `state ${s}${label}`;
}

/** The part that is drawn: everything, or what was seen and a margin. */
function frameOf({ x, y, width, height }: Places, game: Game): [number, number, number, number] {
  if (game.description.layout === null || (width <= WHOLE && height <= WHOLE)) return [0, 0, width, height];
  const side = (at: number[], size: number, least: number): [number, number] => {
    const places = game.seen.states.map((s) => at[s]);
    const [from, to] = [Math.min(...places) - 2.5, Math.max(...places) + 2.5];
    const long = Math.min(size, Math.max(least, to - from));
    const first = Math.max(0, Math.min(size - long, Math.floor((from + to - long) / 2)));
    return [first, Math.min(size - first, Math.ceil(long))];
  };
  const [x0, w] = side(x, width, LEAST_X);
  const [y0, h] = side(y, height, LEAST_Y);
  return [x0, y0, w, h];
}

/** Two digits that matter: a cell is small. */
const signed = (r: number) =>
  (r > 0 ? "+" : "") +
  (Math.abs(r) >= 100 || Number.isInteger(r) ? short(Math.round(r)) : String(Number(r.toPrecision(2))));
const kind = (r: number) => (r > 0 ? "gain" : r < 0 ? "loss" : "");

/** A triangle at the side of a cell for every action that was tried there. */
function Tried({ game, s, ways }: { game: Game; s: number; ways: Way[] }) {
  const { tries, earned, stays } = game.seen;
  return (
    <>
      {ways.map((way, a) => {
        const pair = s * ways.length + a;
        const n = tries[pair];
        if (n === 0 || way === null) return null;
        const [dx, dy] = way;
        const size = Math.hypot(dx, dy);
        const [ux, uy] = [dx / size, dy / size];
        const [tx, ty] = [ux * (U / 2 - 3), uy * (U / 2 - 3)];
        const path = `M${tx},${ty}L${tx - 5 * ux - 4 * uy},${ty - 5 * uy + 4 * ux}L${tx - 5 * ux + 4 * uy},${ty - 5 * uy - 4 * ux}Z`;
        return (
          <g key={a}>
            <path class={`tried ${kind(earned[pair])}`} d={path} opacity={Math.min(1, 0.35 + 0.13 * n)} />
            {stays[pair] === n && (
              <path
                class="blocked"
                d={`M${tx - 0.36 * U * uy + 2 * ux},${ty + 0.36 * U * ux + 2 * uy}L${tx + 0.36 * U * uy + 2 * ux},${ty - 0.36 * U * ux + 2 * uy}`}
              />
            )}
          </g>
        );
      })}
    </>
  );
}

/** Where the texts of a cell stand: x, y and anchor. */
type Spot = { x: number; y: number; "text-anchor": "start" | "middle" | "end" };
const [NEAR, FAR] = [5 - U / 2, U / 2 - 4];
const middle = (y: number): Spot => ({ x: 0, y, "text-anchor": "middle" });
const SPOTS: Record<"cell" | "round" | "end" | "bare", Record<"label" | "reward" | "count", Spot>> = {
  cell: {
    label: { x: NEAR, y: 13 - U / 2, "text-anchor": "start" },
    reward: { x: FAR, y: 12 - U / 2, "text-anchor": "end" },
    count: { x: NEAR, y: FAR, "text-anchor": "start" },
  },
  round: { label: middle(-0.44 * U), reward: middle(0.56 * U), count: middle(3) },
  end: { label: middle(7), reward: middle(-6), count: middle(FAR) },
  bare: {
    label: { x: NEAR, y: 13 - U / 2, "text-anchor": "start" },
    reward: middle(FAR),
    count: { x: FAR, y: 12 - U / 2, "text-anchor": "end" },
  },
};

function Cell({ game, s, places, ways }: { game: Game; s: number; places: Places; ways: Way[] }) {
  const { seen, description } = game;
  const known = seen.visits[s] > 0;
  const live = known && !over(game);
  const mean = seen.arrivals[s] > 0 ? seen.arrived[s] / seen.arrivals[s] : 0;
  const end = seen.ends.has(s) || (over(game) && description.terminal.includes(s));
  const { layout } = places;
  const round = layout?.kind === "graph";
  const spots = SPOTS[end && !round ? "end" : round ? "round" : layout === null ? "bare" : "cell"];
  const label = layout === null ? String(s) : layout.labels[s];
  return (
    <g
      transform={`translate(${places.x[s] * U} ${places.y[s] * U})`}
      class={`${known ? "known" : "unknown"} ${end ? `end ${kind(mean)}` : ""}`}>
      {round ? <circle r={0.34 * U} /> : <rect x={1 - U / 2} y={1 - U / 2} width={U - 2} height={U - 2} rx={5} />}
      {label && (
        <text class="label" {...spots.label}>
          {label}
        </text>
      )}
      {live && !end && <Tried game={game} s={s} ways={ways} />}
      {live && mean !== 0 && (
        <text class={`reward ${kind(mean)}`} {...spots.reward}>
          {signed(mean)}
        </text>
      )}
      {live && !end && (
        <text class="count" {...spots.count}>
          {seen.visits[s]}×
        </text>
      )}
    </g>
  );
}

/** The actions that are best in a state, while all steps are left. */
function Good({ game, s, places, ways }: { game: Game; s: number; places: Places; ways: Way[] }) {
  const { description, best } = game;
  const m = description.n_actions;
  const good = Array.from({ length: m }, (_, a) => a).filter((a) => best!.good[s * m + a] === 1);
  if (good.length === m && m > 1) return null; // all are as good
  const keys = good.filter((a) => ways[a] === null);
  return (
    <g transform={`translate(${places.x[s] * U} ${places.y[s] * U})`} class="good">
      {keys.length > 0 && (
        <text y={4} text-anchor="middle">
          {keys.map((a) => a + 1).join(" ")}
        </text>
      )}
      {good.map((a) => {
        const way = ways[a];
        if (way === null) return null;
        const turn = (Math.atan2(way[1], way[0]) * 180) / Math.PI;
        const back = good.length === 1 ? 8 : 0; // one arrow stands in the middle
        return (
          <path
            key={a}
            transform={`rotate(${turn})`}
            d={`M${-back},0H${12 - back / 2}M${7.5 - back / 2},-4.5l4.5,4.5l-4.5,4.5`}
          />
        );
      })}
    </g>
  );
}

/** The way of the last step, which shows a slip. */
function LastWay({ step, places }: { step: HandStep; places: Places }) {
  if (step.s === step.next) return null;
  const { x, y } = places;
  return <path class="way" d={`M${x[step.s] * U},${y[step.s] * U}L${x[step.next] * U},${y[step.next] * U}`} />;
}

function Ways({ game, places: { x, y } }: { game: Game; places: Places }) {
  return (
    <g class="ways">
      {[...game.seen.ways].map((way) => {
        const [s, next] = way.split(",").map(Number);
        return s === next ? null : <path key={way} d={`M${x[s] * U},${y[s] * U}L${x[next] * U},${y[next] * U}`} />;
      })}
    </g>
  );
}

export function HandWorld({ game }: { game: Game }) {
  const { description, seen, steps, s } = game;
  const places = placesOf(game);
  const ways = directions(description);
  const [x0, y0, w, h] = frameOf(places, game);
  const end = over(game);
  const inside = (at: number) =>
    places.x[at] > x0 && places.x[at] < x0 + w && places.y[at] > y0 && places.y[at] < y0 + h;
  const all = end && places.x.length <= 1e5 ? [...places.x.keys()].filter(inside) : [];
  const shown = all.length > 0 && all.length <= MOST_SHOWN ? all : seen.states.filter(inside);
  const last = steps.at(-1);
  const terminal = new Set(description.terminal);
  return (
    <svg
      class="hand-world"
      viewBox={`${x0 * U - 3} ${y0 * U - 3} ${w * U + 6} ${h * U + 6}`}
      style={{ "--across": w, "--down": h }}
      aria-hidden="true">
      <defs>
        <pattern id="fog" width={10} height={10} patternUnits="userSpaceOnUse">
          <circle cx={5} cy={5} r={1} />
        </pattern>
      </defs>
      <rect class="ground" x={x0 * U} y={y0 * U} width={w * U} height={h * U} rx={8} />
      {!end && <rect x={x0 * U} y={y0 * U} width={w * U} height={h * U} rx={8} fill="url(#fog)" />}
      {end &&
        places.layout?.walls.map(([ax, ay, bx, by], i) => (
          <rect key={i} class="wall" x={ax * U} y={ay * U} width={(bx - ax) * U} height={(by - ay) * U} />
        ))}
      {places.layout?.kind === "graph" && <Ways game={game} places={places} />}
      {shown.map((at) => (
        <Cell key={at} game={game} s={at} places={places} ways={ways} />
      ))}
      {end &&
        game.best &&
        shown
          .filter((at) => !terminal.has(at))
          .map((at) => <Good key={at} game={game} s={at} places={places} ways={ways} />)}
      {last && !end && <LastWay step={last} places={places} />}
      {!end && (
        <g class="you" style={{ transform: `translate(${places.x[s] * U}px, ${places.y[s] * U}px)` }}>
          <circle r={7} />
        </g>
      )}
    </svg>
  );
}
