// The agents side by side, each in its own copy of the world.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Description, Frame, LaneFrame, Quantity } from "../core/messages";
import { dark, frame, names, opened, pointed, setup } from "../state";
import { Painter, planOf, short, type Plan } from "./draw";
import { ink } from "./ink";

export const MEANING: Record<Quantity, [string, string]> = {
  q: ["Q", "action values that the agent acts on"],
  value: ["V", "value of each state: its best action's"],
  policy: ["Policy", "probability of each action"],
  visits: ["Visits", "how often each action was tried"],
  bonus: ["Bonus", "what exploring adds to the value of an action"],
  e: ["E", "exploration values: what is still to be learned behind an action"],
  learn: ["LEARN", "1 where the agent still learns, 0 where it is switched off"],
  n: ["n", "samples in the current window, or counted so far"],
};

/** Least and greatest of all lanes, so that colours compare. */
function rangeOf({ lanes }: Frame, show: Quantity): [number, number] {
  if (show === "policy" || show === "learn") return [0, 1];
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of lanes)
    for (const value of values ?? []) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (show === "visits" || show === "n") low = 0;
  return low <= high ? [low, high] : [0, 1];
}

/** Width of an element, in pixels of the page. */
export function useWidth<T extends HTMLElement>() {
  const at = useRef<T>(null);
  const [width, set] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => set(Math.floor(entry.contentRect.width)));
    if (at.current) watch.observe(at.current);
    return () => watch.disconnect();
  }, []);
  return [at, width] as const;
}

function heightOf(plan: Plan, width: number): number {
  const cell = Math.min(width / plan.width, plan.rows ? 44 : 56);
  return Math.max(40, Math.min(520, Math.round(Math.max(cell, plan.rows ? 24 : 4) * plan.height + (plan.rows ? 22 : 0))));
}

function World({ description, lane, range, label }: { description: Description; lane: LaneFrame; range: [number, number]; label: string }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const plan = planOf(description);
  const height = heightOf(plan, width);
  const painter = useRef<Painter | null>(null);
  const { show } = setup.value;
  useEffect(() => {
    const g = canvas.current?.getContext("2d");
    if (!g || width === 0) return;
    const ratio = devicePixelRatio || 1;
    [g.canvas.width, g.canvas.height] = [width * ratio, height * ratio];
    g.scale(ratio, ratio);
    painter.current = new Painter(g, plan, width, height);
    const states = show === "value";
    painter.current.paint({ description, frame: lane, range, states, policy: show === "value" || show === "policy", pointed: pointed.value, ink: ink(dark.value) });
  });
  const point = (event: PointerEvent) => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    pointed.value = painter.current?.stateAt(event.clientX - left, event.clientY - top) ?? null;
  };
  return (
    <div ref={box} class="world">
      <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} role="img" aria-label={label}
        onPointerMove={point} onPointerDown={point} onPointerLeave={() => (pointed.value = null)} />
    </div>
  );
}

/** The numbers of the state under the pointer. */
function Pointed({ k }: { k: number }) {
  const s = pointed.value;
  const found = opened.value;
  const lane = frame.value?.lanes[k];
  if (s === null || !found || !lane || s >= found.description.n_states) return null;
  const { description, lanes } = found;
  const { n_actions: m, layout } = description;
  const { show } = setup.value;
  const state = show === "value";
  const exact = lanes[k].exact;
  const best = (a: number) => (state ? exact?.v[s] : exact?.q[s * m + a]);
  const rows = state ? ["state"] : Array.from({ length: m }, (_, a) => layout?.actions[a] || description.actions[a] || `action ${a}`);
  return (
    <table class="pointed">
      <caption>{description.states[s] ?? `state ${s}`}</caption>
      <tbody>
        {rows.slice(0, 8).map((name, a) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{lane.values === null ? "none" : short(lane.values[state ? s : s * m + a])}</td>
            {exact && (show === "q" || state) && <td class="muted">exact {short(best(a) ?? NaN)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Lane({ k, range }: { k: number; range: [number, number] }) {
  const { description, lanes } = opened.value!;
  const now = frame.value!;
  const lane = now.lanes[k];
  const { show } = setup.value;
  const name = names.value[k];
  const [said, meaning] = MEANING[show];
  return (
    <section class="lane card" style={{ "--series": `var(--s${k})` }} aria-label={name}>
      <header>
        <h3><span class="dot" />{name}</h3>
        <dl>
          <div><dt>reward</dt><dd>{short(lane.total)}</dd></div>
          <div><dt>a step</dt><dd>{now.t > 0 ? (lane.total / now.t).toFixed(3) : "–"}</dd></div>
          {lane.episodes > 0 && <div><dt>episodes</dt><dd>{short(lane.episodes)}</dd></div>}
        </dl>
      </header>
      {lane.values === null ? <p class="none">This agent has no {said}.</p> : (
        <World description={description} lane={lane} range={range} label={`${said} of ${name} at step ${now.t}: ${meaning}`} />
      )}
      <Pointed k={k} />
      {now.last && <LastStep k={k} />}
      {lane.stopped && <p class="none">It has stopped and recommends a policy, certified to {short(lane.certificate)}.</p>}
      {lanes[k].warnings.map(({ severe, message }) => <p key={message} class={severe ? "warning severe" : "warning"}>{message}</p>)}
    </section>
  );
}

function LastStep({ k }: { k: number }) {
  const { description } = opened.value!;
  const step = frame.value?.last?.[k];
  if (!step) return null;
  const action = description.layout?.actions[step.a] || description.actions[step.a] || `action ${step.a}`;
  const end = step.done ? ", the episode ends" : step.cut ? ", the episode is cut" : "";
  return <p class="last">state {step.s}, {action}: reward {short(step.r)}, then state {step.next}{end}</p>;
}

function Scale({ range: [low, high] }: { range: [number, number] }) {
  return (
    <div class="scale" aria-hidden="true">
      <span>{short(low)}</span><i /><span>{short(high)}</span>
    </div>
  );
}

export function Lanes() {
  const now = frame.value;
  if (!opened.value || !now || now.lanes.length !== opened.value.lanes.length) return null;
  const range = rangeOf(now, setup.value.show);
  return (
    <>
      <Scale range={range} />
      <div class={`lanes of${now.lanes.length}`}>{now.lanes.map((_, k) => <Lane key={k} k={k} range={range} />)}</div>
    </>
  );
}
