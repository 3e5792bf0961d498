// What is shown of the agents.
import { SHOWN } from "../setup";
import { change, setup } from "../state";
import { Marks, Ramp } from "./Key";
import { hasExact, MEANING } from "./meaning";
import { pictures } from "./pictures";
import { SaveMenu } from "./SaveMenu";
import type { Scale } from "./scale";

export function View({ scale }: { scale: Scale }) {
  const { show, beside } = setup.value;
  const { all, coloured } = pictures.value;
  return (
    <section class="view card" aria-label="What is shown">
      <label class="show">
        <span>Show</span>{" "}
        <select value={show} onChange={(event) => change({ show: event.currentTarget.value as typeof show })}>
          {SHOWN.map((each) => (
            <option key={each} value={each}>
              {MEANING[each].name}: {MEANING[each].text}
            </option>
          ))}
        </select>
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={beside}
          disabled={!hasExact(show)}
          onChange={(event) => change({ beside: event.currentTarget.checked })}
        />{" "}
        Exact beside
      </label>
      {coloured === 0 || coloured < all ? <Ramp scale={scale} /> : <div />}
      <SaveMenu />
      <Marks scale={scale} />
    </section>
  );
}
