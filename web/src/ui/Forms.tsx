// Forms made from the parameter tables of the library: kinds, bounds, defaults and help.
import type { Param, Type } from "../core/messages";
import { parseSpec, withValue } from "../spec";

/** What may be entered, for people. */
function bounds({ type, min, max, min_open, max_open }: Param): string {
  if (type !== "real" && type !== "integer") return "";
  const kind = type === "integer" ? "a whole number" : "a number";
  if (min === null && max === null) return kind;
  const from = min === null ? "" : `${min_open ? "above" : "from"} ${min}`;
  const to = max === null || max >= 2 ** 53 ? "" : `${max_open ? "below" : "to"} ${max}`;
  return [kind, from, to].filter(Boolean).join(" ");
}

/** Why a value cannot be right; "" if it may be. The library has the last word. */
function wrong({ type, min, max, min_open, max_open }: Param, text: string): string {
  if (text === "" || (type !== "real" && type !== "integer")) return "";
  const value = text === "inf" ? Infinity : Number(text); // as the library reads it
  const low = min !== null && (min_open ? value <= min : value < min);
  const high = max !== null && (max_open ? value >= max : value > max);
  if (Number.isNaN(value) || low || high || (type === "integer" && !Number.isInteger(value))) return bounds({ type, min, max, min_open, max_open } as Param);
  return "";
}

function Field({ param, value, id, set }: { param: Param; value: string; id: string; set: (value: string) => void }) {
  const preset = param.default !== null ? String(param.default) : (param.rule ?? "");
  const problem = wrong(param, value);
  const help = [param.help, bounds(param)].filter(Boolean).join("; ");
  return (
    <div class="field">
      <label for={id}>{param.name}</label>
      {param.type === "choice" ? (
        <select id={id} value={value} aria-describedby={`${id}-help`} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{preset} (default)</option>
          {param.choices!.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
        </select>
      ) : (
        <input id={id} value={value} placeholder={preset} inputMode={param.type === "text" ? "text" : "decimal"} spellcheck={false}
          autocomplete="off" aria-describedby={`${id}-help`} aria-invalid={problem !== ""} onChange={(event) => set(event.currentTarget.value.trim())} />
      )}
      <p id={`${id}-help`} class={problem ? "help problem" : "help"}>{problem ? `must be ${problem}` : help}</p>
    </div>
  );
}

/** Which of a list of types, and its parameters. */
export function SpecForm({ what, id, types, spec, set }: { what: string; id: string; types: Type[]; spec: string; set: (spec: string) => void }) {
  const { name, values } = parseSpec(spec);
  const type = types.find((each) => each.name === name);
  return (
    <div class="spec" role="group" aria-label={what}>
      <div class="field">
        <label for={id}>{what}</label>
        <select id={id} value={name} onChange={(event) => set(event.currentTarget.value)}>
          {!type && <option value={name}>{name}</option>}
          {types.map((each) => <option key={each.name} value={each.name}>{each.name}</option>)}
        </select>
      </div>
      {type && <p class="help">{type.summary}</p>}
      <details>
        <summary>Parameters{values.size > 0 ? `: ${[...values].map(([key, value]) => `${key}=${value}`).join(", ").slice(0, 80)}` : ""}</summary>
        {type?.params.map((param) => (
          <Field key={`${name} ${param.name}`} param={param} id={`${id}-${param.name}`} value={values.get(param.name) ?? ""}
            set={(value) => set(withValue(spec, param.name, value))} />
        ))}
        {type && <p class="help">{type.reference}</p>}
      </details>
    </div>
  );
}
