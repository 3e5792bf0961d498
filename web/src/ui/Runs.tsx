// The learning curve over many runs, with its band, and the command that gives the same.
import { wholeProblem } from "../setup";
import { change, commands, names, notice, runs, runsFigure, setup, startRuns, stopRuns } from "../state";
import { useWidth } from "./canvas";
import { Entry } from "./Entry";
import { copied, copy, fileName, save } from "./files";
import { short } from "./scale";

/** The run's hash, and the command that gives it. */
function Badge() {
  const found = runs.value;
  if (!found?.done || found.cells.length === 0) return null;
  const text = commands(setup.value, found.cells).join("\n");
  return (
    <div class="badge">
      <p>The command gives the same numbers to the last bit:</p>
      <pre>
        <code>{text}</code>
      </pre>
      <button onClick={() => copy("command", text)}>
        {copied.value === "command" ? "Copied" : "Copy the command"}
      </button>
      <div class="wide" tabIndex={0} role="region" aria-label="Mean rewards and hashes">
        <table>
          <thead>
            <tr>
              <th scope="col">agent</th>
              <th scope="col">mean reward</th>
              <th scope="col">hash of all totals</th>
            </tr>
          </thead>
          <tbody>
            {found.cells.map((cell) => (
              <tr key={cell.index}>
                <th scope="row">{names.value[cell.index]}</th>
                <td>
                  {short(cell.mean)}
                  {cell.ci95 !== null && ` ± ${short(cell.ci95)}`}
                </td>
                <td>
                  <code title={cell.hash}>{cell.hash.slice(0, 16)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function saveFigure() {
  const { env, model, agents } = setup.value;
  runsFigure(720)?.then(
    (svg) => save(`${fileName(model?.name ?? env, ...agents)}-curves.svg`, "image/svg+xml", svg),
    (error: Error) => notice(error.message),
  );
}

export function Runs() {
  const [box, width] = useWidth<HTMLDivElement>();
  const found = runs.value;
  const busy = found !== null && !found.done;
  const wanted = setup.value.runs;
  return (
    <section class="card" aria-label="Learning curves">
      <h2>Learning curves over many runs</h2>
      <p class="help">
        The mean total reward of each agent, with a band of 95% confidence. All agents see the same random numbers
        (paired runs).
      </p>
      <div class="buttons">
        <label>
          Runs{" "}
          <Entry
            class="short"
            value={String(wanted)}
            inputMode="numeric"
            check={wholeProblem("runs")}
            set={(text) => change({ runs: Number(text) })}
          />
        </label>
        {busy ? (
          <button onClick={stopRuns}>Stop</button>
        ) : (
          <button class="primary" onClick={() => startRuns(Math.min(width, 900))}>
            Run
          </button>
        )}
        {found && <progress max={wanted} value={found.runs} aria-label="Runs computed" />}
        {found && (
          <output>
            {found.runs.toLocaleString("en")} of {wanted.toLocaleString("en")} runs
          </output>
        )}
        {found?.done && found.runs > 0 && <button onClick={saveFigure}>Save as SVG</button>}
      </div>
      <div ref={box} class="figure" dangerouslySetInnerHTML={{ __html: found?.figure ?? "" }} />
      <Badge />
    </section>
  );
}
