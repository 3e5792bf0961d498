// Below everything: keys, help, version.
import { catalogue } from "../state";

const KEYS = [
  ["Space", "play or pause"],
  ["→", "one step"],
  ["←", "one step back"],
  ["u", "to the next update"],
  ["Home", "to the beginning"],
];

export function Footer() {
  return (
    <footer>
      <details>
        <summary>Keys and help</summary>
        <dl class="keys">
          {KEYS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p>
          In a picture, arrow keys move from state to state. The address of this page always says what is shown: copy
          the link to show the same to others, at the same step. Agents, environments and theorems are documented in the
          folder <code>docs</code> of the sources; <code>farsight --help</code> and <code>farsight list</code> say the
          same as the forms.
        </p>
      </details>
      <p>
        Farsight {catalogue.value?.version}, numerics {catalogue.value?.numerics}. MIT licence. This page loads nothing
        and sends nothing.
      </p>
    </footer>
  );
}
