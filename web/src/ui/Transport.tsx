// Play, pause, step, scrub, speed.
import { ended, frame, goal, opened, pause, play, playing, seek, setSpeed, setup, speed, step, update } from "../state";
import { AgainIcon, BackIcon, FirstIcon, NextIcon, PauseIcon, PlayIcon } from "./icons";

const SPEEDS: [number, string][] = [
  [1, "1 step/s"],
  [10, "10 steps/s"],
  [100, "100 steps/s"],
  [1000, "1,000 steps/s"],
  [10000, "10,000 steps/s"],
  [100000, "100,000 steps/s"],
  [Infinity, "full speed"],
];

export function toggle() {
  if (playing.value || goal.value !== null) void pause();
  else if (ended.value) void seek(0).then(play);
  else void play();
}

/** Of all agents together. */
function rateOf(rate: number): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} million steps/s`;
  return `${Math.round(rate).toLocaleString("en")} steps/s`;
}

/** How far it is on a long way. */
function Way({ to, t }: { to: number; t: number }) {
  const text = `on the way to step ${to.toLocaleString("en")}`;
  return (
    <>
      <progress max={to} value={t} aria-label={text} /> {text}
    </>
  );
}

export function Transport() {
  const { steps } = setup.value;
  const now = frame.value;
  const t = now?.t ?? 0;
  const total = steps.toLocaleString("en");
  const none = opened.value === null;
  const to = goal.value;
  const [Icon, word] = playing.value
    ? [PauseIcon, "Pause"]
    : to !== null
      ? [PauseIcon, "Stop here"]
      : ended.value
        ? [AgainIcon, "Again"]
        : [PlayIcon, "Play"];
  return (
    <div class="transport card" role="group" aria-label="Run">
      <div class="buttons">
        <button class="primary play" onClick={toggle} disabled={none} aria-keyshortcuts="Space">
          <Icon />
          {word}
        </button>
        <div class="joined">
          <button
            onClick={() => seek(0)}
            disabled={t === 0}
            title="To the beginning (Home)"
            aria-label="To the beginning"
            aria-keyshortcuts="Home">
            <FirstIcon />
          </button>
          <button
            onClick={() => seek(t - 1)}
            disabled={t === 0}
            title="One step back (left arrow)"
            aria-label="One step back"
            aria-keyshortcuts="ArrowLeft">
            <BackIcon />
          </button>
          <button
            onClick={() => step(1)}
            disabled={none || ended.value}
            title="One step (right arrow)"
            aria-label="One step"
            aria-keyshortcuts="ArrowRight">
            <NextIcon />
          </button>
        </div>
        <button
          onClick={update}
          disabled={none || ended.value}
          title="To the next change of a number that an agent learned (u)"
          aria-keyshortcuts="u">
          Next update
        </button>
        <label>
          Speed{" "}
          <select value={String(speed.value)} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map(([value, name]) => (
              <option key={name} value={String(value)}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="time">
        <input
          type="range"
          min={0}
          max={steps}
          value={to ?? t}
          aria-label="Step"
          aria-valuetext={`step ${t} of ${steps}`}
          style={{ "--done": `${(100 * t) / steps}%` }}
          onInput={(event) => seek(Number(event.currentTarget.value))}
        />
        <p style={{ minWidth: `${2 * total.length + 8}ch` }}>
          step {t.toLocaleString("en")} of {total}
          <small>
            {now?.playing && speed.value === Infinity ? (
              rateOf(now.rate)
            ) : to !== null ? (
              <Way to={to} t={t} />
            ) : (
              "\u00a0"
            )}
          </small>
        </p>
      </div>
    </div>
  );
}
