// What the colours and marks of the pictures mean.
import { useMemo } from "preact/hooks";
import type { Description } from "../core/messages";
import { dark, frame, opened } from "../state";
import { actionName } from "./board";
import { headingsOf } from "./boards";
import { AgentMark, ArrowMark, EmptyMark, EndMark, StartMark, WallMark } from "./icons";
import { ink } from "./ink";
import { unitOf } from "./meaning";
import { pictures } from "./pictures";
import { round, ticksOf, type Scale } from "./scale";

/** The colours of numbers. */
export function Ramp({ scale }: { scale: Scale }) {
  const { show } = frame.value!;
  return (
    <div class="scale">
      <p>
        {unitOf(show, opened.value!.description)}
        {scale.log && ", logarithmic"}
      </p>
      <div class={scale.sign ? "ramp sign" : "ramp"} />
      <ol>
        {ticksOf(scale).map(([value, at]) => (
          <li key={at} style={{ left: `${100 * at}%` }}>
            {round(value)}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** How the actions of a state are drawn. */
function partsOf({ layout, n_actions: m }: Description, show: string): string {
  if (show === "value" || layout === null || layout.kind === "line") return "";
  const named = (a: number) => layout.actions[a] || String(a);
  const others = Array.from({ length: m }, (_, a) => a).filter((a) => layout.dx[a] === 0 && layout.dy[a] === 0);
  const strips = others.length > 0 ? `strips from the top: ${others.slice(0, 8).map(named).join(", ")}` : "";
  if (others.length === m) return strips;
  const parts = show === "policy" && others.length === 0 ? "" : "each part of a cell: the action that points there";
  return [parts, strips && `in the middle, ${strips}`].filter(Boolean).join("; ");
}

/** The letters of some states; "" if not all have one, or there are many. */
function lettersOf({ layout }: Description, states: number[]): string {
  const all = new Set(states.map((s) => layout?.labels[s] || ""));
  return all.has("") || all.size > 5 || layout?.kind === "graph" ? "" : [...all].join(", ");
}

/** What the colours of the smallest cells mean. */
function Actions() {
  const { description } = opened.value!;
  const { actions } = ink(dark.value);
  return (
    <>
      <li>likeliest action, paler where it is less sure:</li>
      {Array.from({ length: description.n_actions }, (_, a) => (
        <li key={a}>
          <span class="swatch" style={{ background: actions[a] }} /> {actionName(description, a)}
        </li>
      ))}
    </>
  );
}

export function Marks({ scale }: { scale: Scale }) {
  const { description } = opened.value!;
  const { show } = frame.value!;
  const { layout, starts, terminal } = description;
  const parts = useMemo(() => partsOf(description, show), [description, show]);
  const table = layout === null || layout.kind === "line";
  const directed = layout?.kind === "graph" || (layout?.dx.some((dx, a) => dx !== 0 || layout.dy[a] !== 0) ?? false);
  const arrows = directed && (show === "value" || (show === "policy" && !table));
  const starting = lettersOf(
    description,
    starts.map(([s]) => s),
  );
  const ending = lettersOf(description, terminal);
  const { all, coloured } = pictures.value;
  const { meaning } = headingsOf(description);
  return (
    <ul class="marks">
      <li>
        <AgentMark pin={table} /> agent
      </li>
      {starts.length > 8 ? (
        <li>starts in {starts.length.toLocaleString("en")} states</li>
      ) : (
        <li>{starting ? <b>{starting}</b> : <StartMark />} start</li>
      )}
      {terminal.length > 0 && <li>{ending ? <b>{ending}</b> : <EndMark />} terminal</li>}
      {(layout?.walls.length ?? 0) > 0 && (
        <li>
          <WallMark /> wall
        </li>
      )}
      {scale.counts && (
        <li>
          <EmptyMark /> never
        </li>
      )}
      {arrows && (
        <li>
          <ArrowMark />{" "}
          {layout?.kind === "graph" ? "policy: thick lines are likely steps" : "policy: spikes are less likely actions"}
        </li>
      )}
      {coloured > 0 && <Actions />}
      {meaning && <li>{meaning}</li>}
      {parts && coloured < all && <li>{parts}</li>}
    </ul>
  );
}
