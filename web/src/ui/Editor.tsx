// The environment as a picture that can be changed, where there is one.
import { edited } from "../edit";
import { parseSpec } from "../spec";
import { setup } from "../state";
import { Chain } from "./ChainEditor";
import { keys } from "./editing";
import { Grid } from "./GridEditor";
import "./editor.css";

/** The editor of the environment that is chosen, if its family has one. */
export function Editor() {
  const { name } = parseSpec(edited.value);
  if (name !== "grid" && name !== "chain") return null;
  const editor = (
    <div class="editor" role="group" aria-label={`Edit the ${name}`} onKeyDown={keys}>
      {name === "grid" ? <Grid /> : <Chain />}
    </div>
  );
  if (name === "chain" || setup.value.view !== "hand") return editor;
  return (
    <details>
      <summary>Edit the map (it shows the hidden world)</summary>
      {editor}
    </details>
  );
}
