// Beat the agent: the reader explores by hand, on the same random numbers as the agents.
import { useEffect } from "preact/hooks";
import { beginHand, game, gameKey, handProblem, move, otherSeed, over, regret, sameSeed, type Game } from "../hand";
import { change, names, setup } from "../state";
import { actionName } from "./board";
import { short } from "./draw";
import "./hand.css";
import { directions, HandWorld, stateName } from "./HandWorld";
import { Line } from "./icons";
import { DASHES } from "./ink";
import { useWidth } from "./World";

const TURNS = [50, 100, 200, 500];
const ARROWS: Record<string, string> = {
  "0,-1": "↑",
  "1,0": "→",
  "0,1": "↓",
  "-1,0": "←",
  "1,-1": "↗",
  "1,1": "↘",
  "-1,1": "↙",
  "-1,-1": "↖",
};
const KEYS: Record<string, string> = { ArrowUp: "0,-1", ArrowRight: "1,0", ArrowDown: "0,1", ArrowLeft: "-1,0" };

const plus = (r: number) => (r > 0 ? `+${short(r)}` : short(r));

/** The action that a key stands for, or -1. */
function actionOf(event: KeyboardEvent, { description }: Game): number {
  const ways = directions(description).map(String);
  if (event.key in KEYS) return ways.indexOf(KEYS[event.key]);
  const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
  return digit < description.n_actions ? digit : -1;
}

function keys(event: KeyboardEvent) {
  const now = game.peek();
  if (now === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as HTMLElement).closest("input, select, textarea, summary, dialog, [role=grid], [role=slider]"))
    return;
  const a = actionOf(event, now);
  if (a < 0) return;
  event.preventDefault();
  move(a, event.repeat);
}

/** The last step in words, for everybody and for screen readers. */
function told({ description, steps, totals, s }: Game): string {
  const step = steps.at(-1);
  if (!step) return `You are at ${stateName(description, s)}. Nothing else is known yet.`;
  const way = directions(description)[step.a];
  const { layout } = description;
  const off = (at: number[], side: number) => Math.sign(at[step.next] - at[step.s]) !== way![side];
  const slipped = way !== null && step.next !== step.s && (off(layout!.x, 0) || off(layout!.y, 1));
  const how =
    step.next === step.s
      ? "you stay"
      : `${slipped ? "you are carried" : "you get"} to ${stateName(description, step.next)}`;
  const end = step.done
    ? ` The episode ends; you begin again at ${stateName(description, s)}.`
    : step.cut
      ? ` The episode is cut; you begin again at ${stateName(description, s)}.`
      : "";
  return `Step ${steps.length}: ${actionName(description, step.a)}, ${how}, reward ${short(step.r)}.${end} Reward so far ${short(totals[0].at(-1)!)}.`;
}

function Action({ now, a, way, keyName }: { now: Game; a: number; way: string | null; keyName: string | null }) {
  const { description, seen, s } = now;
  const pair = s * description.n_actions + a;
  const n = seen.tries[pair];
  const name = actionName(description, a);
  return (
    <button
      class={`action ${way ? `way${way.replaceAll(",", "_")}` : ""}`}
      disabled={over(now)}
      onClick={() => move(a)}
      aria-keyshortcuts={keyName ?? undefined}>
      <b aria-hidden="true">{way ? <>{ARROWS[way]}</> : <kbd>{a < 9 ? a + 1 : "·"}</kbd>}</b>
      <span class="name">{name}</span>
      <span class="tried">
        {n === 0 ? (
          <>
            new<span class="unseen"> here</span>
          </>
        ) : (
          <>
            {n}× <span class="unseen">tried here, mean reward </span>
            <i>{plus(seen.earned[pair] / n)}</i>
          </>
        )}
      </span>
    </button>
  );
}

function Actions({ now }: { now: Game }) {
  const ways = directions(now.description).map((way) => way && String(way));
  const key = (a: number) => Object.keys(KEYS).find((each) => ways[a] === KEYS[each]) ?? (a < 9 ? String(a + 1) : null);
  const all = Array.from({ length: now.description.n_actions }, (_, a) => a);
  return (
    <div class={ways.some((way) => way) ? "actions pad" : "actions"} role="group" aria-label="Actions">
      {all.map((a) => (
        <Action key={a} now={now} a={a} way={ways[a]} keyName={key(a)} />
      ))}
    </div>
  );
}

/** The reader's line in the curves. */
const Mine = () => (
  <svg class="icon" width={26} height={12} viewBox="0 0 26 12" aria-hidden="true" focusable="false">
    <path d="M1 6h24" stroke="currentColor" stroke-width="4" />
  </svg>
);

/** Rewards and regrets at this step. */
function Scores({ now }: { now: Game }) {
  const t = now.steps.length;
  const lines = ["You", ...names.value];
  const worst = Math.max(1e-9, ...lines.map((_, k) => regret(now, k, t) ?? 0));
  return (
    <table class="scores">
      <caption>
        After {t} of {now.turns} steps
      </caption>
      <thead>
        <tr>
          <th scope="col">player</th>
          <th scope="col">reward</th>
          {now.best && (
            <th scope="col" colSpan={2}>
              regret
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map((name, k) => {
          const lost = regret(now, k, t);
          return (
            <tr
              key={k}
              class={k === 0 ? "you" : ""}
              style={{ "--series": k === 0 ? "var(--text)" : `var(--s${k - 1})` }}>
              <th scope="row">
                {k === 0 ? <Mine /> : <Line k={k - 1} />}
                {name}
              </th>
              <td>{short(now.totals[k][t] ?? 0)}</td>
              {lost !== null && (
                <>
                  <td>{short(lost)}</td>
                  <td class="bar" aria-hidden="true">
                    <i style={{ width: `${Math.max(0, (100 * lost) / worst)}%` }} />
                  </td>
                </>
              )}
            </tr>
          );
        })}
        {now.best && (
          <tr class="best">
            <th scope="row">best policy, expected</th>
            <td>{short(now.best.totals[t])}</td>
            <td>0</td>
            <td />
          </tr>
        )}
      </tbody>
    </table>
  );
}

const [HEIGHT, LEFT, BOTTOM, TOP] = [190, 44, 22, 10];

/** A round number at or above x, for the axis. */
function nice(x: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1e-12)));
  return [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= x * (1 - 1e-12))!;
}

/** Regret of everybody (without the best: reward) along the steps. */
function Curve({ now }: { now: Game }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const count = now.totals.length;
  const at = (k: number, t: number) => regret(now, k, t) ?? now.totals[k][t];
  const all = now.totals.map((totals, k) => totals.map((_, t) => at(k, t)));
  const [least, most] = [Math.min(0, ...all.flat()), Math.max(0, ...all.flat())];
  const step = nice(most - least > 1e-9 ? (most - least) / 3 : 1);
  const [low, high] = [Math.floor(least / step) * step, Math.max(Math.ceil(most / step), least < 0 ? 0 : 1) * step];
  const x = (t: number) => LEFT + (t / now.turns) * (width - LEFT - 10);
  const y = (v: number) => TOP + (1 - (v - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  const what = now.best ? "Regret" : "Reward";
  const said = all.map((line, k) => `${k === 0 ? "you" : names.value[k - 1]} ${short(line.at(-1)!)}`).join("; ");
  return (
    <div ref={box} class="hand-curve">
      <svg width={width} height={HEIGHT} role="img" aria-label={`${what} so far: ${said}`}>
        {ticks.map((v) => (
          <g key={v}>
            <path class={Math.abs(v) < step / 2 ? "zero" : "grid"} d={`M${LEFT},${y(v)}H${width - 10}`} />
            <text x={LEFT - 6} y={y(v) + 4} text-anchor="end">
              {short(Math.abs(v) < step / 2 ? 0 : v)}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 5}>
          0
        </text>
        <text x={width - 10} y={HEIGHT - 5} text-anchor="end">
          {now.turns} steps
        </text>
        {all
          .map((_, i) => count - 1 - i)
          .map((k) => (
            // the reader's on top
            <path
              key={k}
              class={k === 0 ? "line you" : "line"}
              style={{ stroke: k === 0 ? "var(--text)" : `var(--s${k - 1})` }}
              stroke-dasharray={k === 0 ? undefined : DASHES[k - 1]?.join(" ")}
              d={`M${all[k].map((v, t) => `${x(t).toFixed(1)},${y(v).toFixed(1)}`).join("L")}`}
            />
          ))}
      </svg>
    </div>
  );
}

/** Who did better, at the end. */
function Verdict({ now }: { now: Game }) {
  const t = now.steps.length;
  const mine = now.totals[0][t];
  const beaten = names.value.filter((_, k) => now.totals[k + 1][t] < mine);
  const even = names.value.filter((_, k) => now.totals[k + 1][t] === mine);
  const others = names.value.length;
  const list = (all: string[]) => (all.length <= 1 ? all.join() : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`);
  const text =
    beaten.length === others
      ? `You beat ${others === 1 ? "the agent" : others === 2 ? "both agents" : `all ${others} agents`}.`
      : beaten.length > 0
        ? `You beat ${list(beaten)}.`
        : even.length > 0
          ? `You are level with ${list(even)}.`
          : `${others === 1 ? "The agent" : "The agents"} did better this time.`;
  const lost = regret(now, 0, t);
  return (
    <div class="hand-verdict">
      <p>
        <b>{text}</b> Your reward is {short(mine)}
        {lost !== null && <>, your regret {short(lost)}</>}
        {lost !== null && lost < 0 && ": luckier than the best policy expects"}.
      </p>
      {now.best && (
        <p class="help">
          The map shows what was hidden. Arrows
          {directions(now.description).includes(null) ? ", or the numbers of keys," : ""} are the best actions while all{" "}
          {now.turns} steps are left; where all are as good there are none.
        </p>
      )}
      <div class="buttons">
        <button class="primary" onClick={sameSeed}>
          Again with this seed
        </button>
        <button onClick={otherSeed}>Another seed</button>
        <button onClick={() => change({ view: "play" })}>Watch the agents</button>
      </div>
    </div>
  );
}

function Controls({ now }: { now: Game | null }) {
  const { turns } = setup.value;
  return (
    <div class="buttons">
      <label>
        Length{" "}
        <select value={String(turns)} onChange={(event) => change({ turns: Number(event.currentTarget.value) })}>
          {[...new Set([...TURNS, turns])]
            .sort((a, b) => a - b)
            .map((each) => (
              <option key={each} value={String(each)}>
                {each} steps
              </option>
            ))}
        </select>
      </label>
      <span class="muted">seed {setup.value.seed}</span>
      {now && !over(now) && (
        <>
          <button onClick={sameSeed} disabled={now.steps.length === 0}>
            Restart
          </button>
          <button onClick={otherSeed}>Another seed</button>
        </>
      )}
    </div>
  );
}

export function Hand() {
  const now = game.value;
  const [key, { moves }] = [gameKey(), setup.value];
  useEffect(() => {
    if (game.peek()?.key !== key || game.peek()?.moves !== setup.peek().moves) void beginHand(); // moves that were not made here
  }, [key, moves]);
  useEffect(() => {
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  const ready = now !== null && now.totals.length === setup.value.agents.length + 1;
  const ways = now === null ? [] : directions(now.description);
  const how = ways.every((way) => way === null)
    ? "number keys choose an action"
    : ways.every((way) => way !== null)
      ? "arrow keys move you"
      : "arrow keys and number keys choose an action";
  return (
    <section class="card hand" aria-label="By hand">
      <header>
        <h2>Beat the agent</h2>
        <Controls now={now} />
      </header>
      <p class="help">
        You choose the actions, in a world that you cannot see, on the same random numbers as the agents. Agents that
        learn know no more of it than its numbers of states and actions, and the range of its rewards. Use the buttons,
        or the keyboard: {how}.
      </p>
      {handProblem.value && (
        <p class="problem" role="alert">
          {handProblem.value}
        </p>
      )}
      {!ready && !handProblem.value && <p class="none">Starting …</p>}
      {ready && (
        <div class="hand-columns">
          <div class="hand-left">
            {over(now) && <Verdict now={now} />}
            <div
              class="board"
              tabIndex={0}
              role="application"
              aria-label={`World, ${over(now) ? "revealed" : "as far as you have seen it"}; ${how}`}>
              <HandWorld game={now} />
            </div>
            <p class="told" aria-live="polite">
              {over(now) ? `The run is over after ${now.turns} steps. ${told(now)}` : told(now)}
            </p>
            {!over(now) && <Actions now={now} />}
          </div>
          <div class="hand-right">
            <Scores now={now} />
            <Curve now={now} />
            <details>
              <summary>What is regret here?</summary>
              <p class="help">
                {now.best
                  ? "Regret after t steps is the largest expected reward of t steps, of somebody who knows the world and chooses the best actions for just that many steps, less the reward so far. When an episode ends, everybody begins again at a start. Nobody can expect a regret below 0; a lucky run can have one."
                  : "This world is too large to compute the best expected reward in a moment, so that rewards are shown instead of regrets."}
              </p>
            </details>
          </div>
        </div>
      )}
    </section>
  );
}
