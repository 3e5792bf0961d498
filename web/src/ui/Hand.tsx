// Beat the agent: the reader explores by hand, on the same random numbers as the agents.
import { useEffect } from "preact/hooks";
import { beginHand, game, gameKey, handProblem, move, otherSeed, over, sameSeed, type Game } from "../hand";
import { change, setup } from "../state";
import { actionName } from "./board";
import { short } from "./draw";
import "./hand.css";
import { directions, HandWorld, stateName } from "./HandWorld";
import { Curve, Scores, Verdict } from "./HandScores";

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
