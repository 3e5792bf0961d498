// How the reader does beside the agents: rewards, regrets, and who did better.
import { otherSeed, regret, sameSeed, type Game } from "../hand";
import { change, names } from "../state";
import { useWidth } from "./canvas";
import { short } from "./draw";
import { directions } from "./HandWorld";
import { Line } from "./icons";
import { DASHES } from "./ink";

/** The reader's line in the curves. */
const Mine = () => (
  <svg class="icon" width={26} height={12} viewBox="0 0 26 12" aria-hidden="true" focusable="false">
    <path d="M1 6h24" stroke="currentColor" stroke-width="4" />
  </svg>
);

/** Rewards and regrets at this step. */
export function Scores({ now }: { now: Game }) {
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
export function Curve({ now }: { now: Game }) {
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
export function Verdict({ now }: { now: Game }) {
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
