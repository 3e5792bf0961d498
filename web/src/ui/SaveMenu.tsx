// What is shown, as files.
import { frame, names, notice, setup, stage } from "../state";
import { fileName, save } from "./files";
import { MEANING } from "./meaning";

export function SaveMenu() {
  const { show } = frame.value!;
  const { env, model } = setup.value;
  const world = model?.name.replace(/\.\w+$/, "") ?? env;
  const say = (error: Error) => notice(error.message);
  const picture = (k: number) =>
    stage
      .call("laneFigure", k, show, 720)
      .then((svg) => save(`${fileName(world, names.value[k], show)}.svg`, "image/svg+xml", svg), say);
  const file = (format: "json" | "cassandra" | "drn", ending: string) =>
    stage.call("modelText", format).then((text) => save(`${fileName(world)}.${ending}`, "text/plain", text), say);
  return (
    <details class="menu">
      <summary class="button">Save</summary>
      <div class="card">
        <h3>Picture as SVG</h3>
        {names.value.map((name, k) => (
          <button key={k} onClick={() => picture(k)}>
            {MEANING[show].name} of {name}
          </button>
        ))}
        <h3>Model as a file</h3>
        <button onClick={() => file("json", "json")}>Gymnasium's table (JSON)</button>
        <button onClick={() => file("cassandra", "mdp")}>Cassandra's format</button>
        <button onClick={() => file("drn", "drn")}>DRN</button>
      </div>
    </details>
  );
}
