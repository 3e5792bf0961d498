// Play, pause, step, scrub, speed.
import { change, ended, frame, pause, play, playing, seek, setSpeed, setup, speed, step, update } from "../state";
import { SHOWN } from "../setup";
import { MEANING } from "./Lanes";

const SPEEDS: [number, string][] = [[1, "1 step/s"], [10, "10 steps/s"], [100, "100 steps/s"], [1000, "1,000 steps/s"], [10000, "10,000 steps/s"], [100000, "100,000 steps/s"], [Infinity, "full speed"]];

export function toggle() {
  if (playing.value) pause();
  else if (ended.value) Promise.resolve(seek(0)).then(play);
  else play();
}

export function Transport() {
  const { steps, show } = setup.value;
  const now = frame.value;
  const t = now?.t ?? 0;
  const rate = now?.playing ? `${(now.rate / 1e6).toFixed(now.rate < 1e5 ? 3 : 1)} M steps/s` : "";
  return (
    <div class="transport card" role="group" aria-label="Run">
      <div class="buttons">
        <button class="primary" onClick={toggle} aria-keyshortcuts="Space">{playing.value ? "Pause" : ended.value ? "Again" : "Play"}</button>
        <button onClick={() => seek(0)} disabled={t === 0} title="To the beginning" aria-label="To the beginning">⏮</button>
        <button onClick={() => seek(t - 1)} disabled={t === 0} title="One step back" aria-label="One step back" aria-keyshortcuts="ArrowLeft">◀</button>
        <button onClick={() => step(1)} disabled={ended.value} title="One step" aria-label="One step" aria-keyshortcuts="ArrowRight">▶</button>
        <button onClick={update} disabled={ended.value} title="To the next change of a number that an agent learned" aria-keyshortcuts="u">Next update</button>
        <label>Speed{" "}
          <select value={String(speed.value)} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map(([value, name]) => <option key={name} value={String(value)}>{name}</option>)}
          </select>
        </label>
        <label>Show{" "}
          <select value={show} onChange={(event) => change({ show: event.currentTarget.value as typeof show })}>
            {SHOWN.map((each) => <option key={each} value={each}>{MEANING[each][0]}: {MEANING[each][1]}</option>)}
          </select>
        </label>
      </div>
      <div class="time">
        <input type="range" min={0} max={steps} value={t} aria-label="Step" aria-valuetext={`step ${t} of ${steps}`}
          onInput={(event) => seek(Number(event.currentTarget.value))} />
        <output>step {t.toLocaleString("en")} of {steps.toLocaleString("en")} <span class="muted">{rate}</span></output>
      </div>
    </div>
  );
}
