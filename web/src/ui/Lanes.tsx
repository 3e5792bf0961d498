// The agents side by side, each in its own copy of the world.
import { useMemo, useRef } from "preact/hooks";
import type { Description, Frame, Opened, Quantity } from "../core/messages";
import { frame, names, opened, playing, pointed, setup, speed } from "../state";
import { actionName, stateName } from "./board";
import { edgesOf, type Edge } from "./edges";
import { criterionAt, discount, layerOf, plansOtherwise, stepsOf, valuesOf, type Layer } from "./exact";
import { Line } from "./icons";
import { hasExact, MEANING } from "./meaning";
import { Numbers } from "./Numbers";
import { scaleOf, short, type Scale } from "./scale";
import { View } from "./View";
import { World } from "./World";

/** The state whose number the last update changed. */
const changedOf = ({ change }: Frame, k: number) => (change?.agent === k ? change.s : null);

/** What the exact solution of a step has to set beside a quantity, and its policy as probabilities. */
function exactOf(
  { exact, description }: Opened,
  show: Quantity,
  step: number,
): { values: Float64Array; policy: Float64Array } | null {
  return exact === null || !hasExact(show) || (description.average && show !== "policy")
    ? null
    : pictured(layerOf(exact, description, step), show, description);
}

function pictured(exact: Layer, show: Quantity, { n_actions: m }: Description) {
  const policy = new Float64Array(exact.q.length);
  exact.policy.forEach((a, s) => (policy[s * m + a] = 1));
  return { values: show === "q" ? exact.q : show === "value" ? exact.v : policy, policy };
}

/** The numbers of one state; while it plays fast, only of one that is pointed at. */
function Pointed({ k }: { k: number }) {
  const { description, exact: solution } = opened.value!;
  const { lanes: now, show } = frame.value!;
  const lane = now[k];
  const m = description.n_actions;
  const state = show === "value";
  const slow = !playing.value || speed.value <= 10;
  const s = pointed.value ?? changedOf(frame.value!, k) ?? (slow ? lane.s : null);
  const rows = state ? ["value"] : Array.from({ length: Math.min(m, 8) }, (_, a) => actionName(description, a));
  const height = { minHeight: `${1.5 * (rows.length + 2) + 0.3}rem` };
  if (s === null || s >= description.n_states || lane.values === null)
    return (
      <p class="pointed none" style={height}>
        Point at a state to see its numbers.
      </p>
    );
  const exact = hasExact(show) && show !== "policy" ? valuesOf(solution, description, lane.step) : null;
  const best = (a: number) => (state ? exact!.v[s] : exact!.q[s * m + a]);
  const what = description.terminal.includes(s) ? " (terminal)" : s === lane.s ? " (the agent is here)" : "";
  return (
    <div class="pointed" style={height}>
      <table>
        <caption>
          {stateName(description, s)}
          <span class="muted">{what}</span>
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{MEANING[show].name}</th>
            {exact && <th scope="col">exact</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((name, a) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{short(lane.values![state ? s : s * m + a])}</td>
              {exact && <td class="muted">{short(best(a))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LastStep({ k }: { k: number }) {
  const { description } = opened.value!;
  const { last, change } = frame.value!;
  if (change?.agent === k) {
    const { kind, s, a, before, after, pairs } = change;
    const more = pairs > 1 ? `, and ${short(pairs - 1)} more` : "";
    return (
      <p class="last">
        {MEANING[kind as Quantity].name} of {stateName(description, s)}, {actionName(description, a)}: {short(before)} →{" "}
        <b>{short(after)}</b>
        {more}
      </p>
    );
  }
  const step = last?.[k];
  if (!step) return <p class="last none">{"\u00a0"}</p>;
  const end = step.done ? ", the episode ends" : step.cut ? ", the episode is cut" : "";
  return (
    <p class="last">
      state {step.s}, {actionName(description, step.a)}: reward {short(step.r)}, then state {step.next}
      {end}
    </p>
  );
}

function Facts({ k }: { k: number }) {
  const now = frame.value!;
  const { total, episodes } = now.lanes[k];
  const { terminal, horizon } = opened.value!.description;
  return (
    <dl>
      <div>
        <dt>reward</dt>
        <dd>{short(total)}</dd>
      </div>
      <div>
        <dt>a step</dt>
        <dd>
          {now.t > 0
            ? (total / now.t)
                .toFixed(3)
                .replace(/^-(?=.*[1-9])/, "−")
                .replace("-", "")
            : "–"}
        </dd>
      </div>
      {(terminal.length > 0 || horizon > 0) && (
        <div>
          <dt>episodes</dt>
          <dd>{short(episodes)}</dd>
        </div>
      )}
    </dl>
  );
}

/** Pictures of what is learned and, if wanted, of what is exact. */
function Pictures({ k, scale, edges }: { k: number; scale: Scale; edges: Edge[] }) {
  const found = opened.value!;
  const { description } = found;
  const { show, t, lanes: now } = frame.value!;
  const { values, policy, s, step } = now[k];
  const changed = changedOf(frame.value!, k);
  const name = names.value[k];
  const { beside } = setup.value;
  const exact = useMemo(() => (beside ? exactOf(found, show, step) : null), [beside, found, show, step]);
  const most = Math.max(300, Math.min(560, Math.round(innerHeight * 0.6)));
  const { name: said, text } = MEANING[show];
  if (values === null) return <p class="none">This agent has no {said}.</p>;
  const learned = (
    <World
      drawn={{ description, show, values, policy, s, changed, scale, edges }}
      most={most}
      hint="world-keys"
      label={`${said} of ${name} at step ${t}: ${text}`}
    />
  );
  if (!beside || !hasExact(show)) return learned;
  const of = criterionAt(description, step);
  const wide = description.layout !== null && description.layout.kind !== "line" && now.length <= 2;
  return (
    <div class={wide ? "pictures wide-pictures" : "pictures"}>
      <figure>
        <figcaption>learned</figcaption>
        {learned}
      </figure>
      <figure class="exact">
        <figcaption>exact, {of}</figcaption>
        {exact === null ? (
          <p class="none">
            {found.exact === null
              ? "There is no exact solution of this problem here."
              : `What counts is the average reward, at best ${short(found.exact.gain)} a step: no values of an agent compare with that. The policy does.`}
          </p>
        ) : (
          <World
            drawn={{ description, show, ...exact, s: null, changed: null, scale, edges }}
            most={wide ? most : Math.round(most * 0.7)}
            hint="world-keys"
            label={`exact ${said} beside ${name}, ${of}`}
          />
        )}
      </figure>
    </div>
  );
}

function Lane({ k, scale, edges }: { k: number; scale: Scale; edges: Edge[] }) {
  const lane = frame.value!.lanes[k];
  const name = names.value[k];
  return (
    <section class="lane card" style={{ "--series": `var(--s${k})` }} aria-label={name}>
      <header>
        <div>
          <h2>
            <Line k={k} />
            {name}
          </h2>
          <Plans k={k} />
        </div>
        <Facts k={k} />
      </header>
      <Pictures k={k} scale={scale} edges={edges} />
      <LastStep k={k} />
      <Pointed k={k} />
      <div>
        {lane.stopped && (
          <p class="none">
            It has stopped and recommends a policy,{" "}
            {Number.isNaN(lane.certificate)
              ? "without a guarantee: its parameters are outside it."
              : `certified to ${short(lane.certificate)}.`}
          </p>
        )}
        <Warnings k={k} />
      </div>
    </section>
  );
}

/** The discount of an agent that plans with another than the problem's. */
function Plans({ k }: { k: number }) {
  const { description, lanes } = opened.value!;
  if (!plansOtherwise(lanes[k], description)) return null;
  return <p class="help">plans with discount {discount(lanes[k].gamma)}</p>;
}

function Warnings({ k }: { k: number }) {
  const { warnings } = opened.value!.lanes[k];
  if (warnings.length === 0) return null;
  return (
    <details class="warnings">
      <summary>{warnings.length === 1 ? "1 note" : `${warnings.length} notes`} on its parameters</summary>
      <ul>
        {warnings.map(({ severe, message }) => (
          <li key={message} class={severe ? "severe" : ""}>
            {message}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** One scale for everything that is drawn. */
function scaleFor({ lanes, show }: Frame, found: Opened, beside: boolean): Scale {
  const exact = beside && (show === "value" || show === "q") ? stepsOf(lanes) : [];
  const layers = exact.map((step) => valuesOf(found.exact, found.description, step));
  return scaleOf(show, [...lanes.map(({ values }) => values), ...layers.map((x) => (show === "value" ? x?.v : x?.q))]);
}

/** The same object while what is in it stays the same. */
function useSame<T>(next: T): T {
  const kept = useRef(next);
  if (JSON.stringify(kept.current) !== JSON.stringify(next)) kept.current = next;
  return kept.current;
}

export function Lanes() {
  const [now, found] = [frame.value, opened.value];
  const { beside } = setup.value;
  const good = found !== null && now !== null && now.lanes.length === found.lanes.length;
  const fresh = useMemo(() => (good ? scaleFor(now, found, beside) : null), [good, now, found, beside]);
  const scale = useSame(fresh);
  const edges = useMemo(() => (found?.outcomes ? edgesOf(found.description, found.outcomes) : []), [found]);
  if (!good || scale === null) return null;
  return (
    <>
      <View scale={scale} />
      <p id="world-keys" hidden>
        Arrow keys move from state to state, Home and End to the first and the last, Escape leaves.
      </p>
      <div class={`lanes of${now.lanes.length}`}>
        {now.lanes.map((_, k) => (
          <Lane key={k} k={k} scale={scale} edges={edges} />
        ))}
      </div>
      <Numbers />
    </>
  );
}
