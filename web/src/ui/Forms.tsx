// Forms made from the parameter tables of the library: kinds, bounds, defaults and help.
import type { Param, Type } from "../core/messages";
import { parseSpec, withValue } from "../spec";
import { blame } from "../state";
import { Entry } from "./Entry";

/** What may be entered, for people. */
function bounds({ type, min, max, min_open, max_open }: Param): string {
  if (type !== "real" && type !== "integer") return "";
  const kind = type === "integer" ? "a whole number" : "a number";
  const from = min === null ? "" : `${min_open ? "above" : "from"} ${min.toLocaleString("en")}`;
  const to = max === null || max >= 2 ** 53 ? "" : `${max_open ? "below" : "to"} ${max.toLocaleString("en")}`;
  return [kind, from, to].filter(Boolean).join(" ");
}

/** Why a value cannot be right; "" if it may be. The library has the last word. */
function wrong(param: Param, text: string): string {
  const { type, min, max, min_open, max_open } = param;
  if (text === "" || (type !== "real" && type !== "integer")) return "";
  const value = text === "inf" ? Infinity : Number(text); // as the library reads it
  const low = min !== null && (min_open ? value <= min : value < min);
  const high = max !== null && (max_open ? value >= max : value > max);
  const broken = Number.isNaN(value) || low || high || (type === "integer" && !Number.isInteger(value));
  return broken ? `must be ${bounds(param)}` : "";
}

const presetOf = ({ default: preset, rule }: Param) => (preset !== null ? String(preset) : (rule ?? ""));

function Field({
  param,
  value,
  id,
  set,
  refused,
}: {
  param: Param;
  value: string;
  id: string;
  set: (value: string) => void;
  refused: string;
}) {
  const preset = presetOf(param);
  const problem = wrong(param, value) || refused;
  const limits = problem === "" ? bounds(param) : ""; // a problem says them
  const help = [param.help, limits].filter(Boolean).join("; ");
  return (
    <div class="field param">
      <label for={id}>{param.name}</label>
      {param.type === "choice" ? (
        <select
          id={id}
          value={value}
          aria-describedby={`${id}-help`}
          onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{preset} (default)</option>
          {param.choices!.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <Entry
          id={id}
          value={value}
          placeholder={preset}
          inputMode={param.type === "text" ? "text" : "decimal"}
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== ""}
          set={set}
        />
      )}
      <p id={`${id}-help`} class="help">
        {problem && <strong class="problem">{problem}. </strong>}
        {help}
        {value !== "" && preset !== "" && `; default ${preset}`}
      </p>
    </div>
  );
}

/** Kinds of agents, in the order of the list. */
const KINDS: [string, (type: Type) => boolean][] = [
  ["Values, no model", (type) => !type.model_based && !type.finite_horizon && !type.baseline],
  ["Learn a model", (type) => !!type.model_based && !type.finite_horizon],
  ["Finite horizon", (type) => !!type.finite_horizon],
  ["Baselines", (type) => !!type.baseline],
];

function Options({ types }: { types: Type[] }) {
  const option = (type: Type) => (
    <option key={type.name} value={type.name} title={type.summary}>
      {type.name}
    </option>
  );
  if (!types.some((type) => "baseline" in type)) return <>{types.map(option)}</>;
  return (
    <>
      {KINDS.map(([kind, has]) => (
        <optgroup key={kind} label={kind}>
          {types.filter(has).map(option)}
        </optgroup>
      ))}
    </>
  );
}

/** Which of a list of types, and its parameters. */
export function SpecForm({
  what,
  id,
  types,
  spec,
  set,
}: {
  what: string;
  id: string;
  types: Type[];
  spec: string;
  set: (spec: string) => void;
}) {
  const { name, values } = parseSpec(spec);
  const type = types.find((each) => each.name === name);
  const fault = blame.value?.where === id ? blame.value : null;
  const known = fault !== null && (type?.params.some((param) => param.name === fault.key) ?? false);
  const given = [...values].map(([key, value]) => `${key}=${value}`).join(", ");
  return (
    <div class="spec" role="group" aria-label={what}>
      <div class="field name">
        <label for={id}>{what}</label>
        <select
          id={id}
          value={name}
          aria-describedby={`${id}-summary`}
          aria-invalid={fault !== null && !known}
          onChange={(event) => set(event.currentTarget.value)}>
          {!type && <option value={name}>{name}</option>}
          <Options types={types} />
        </select>
      </div>
      <p id={`${id}-summary`} class="help">
        {type?.summary}
      </p>
      {fault && !known && <p class="help problem">{fault.message}</p>}
      <details open={known || undefined}>
        <summary>Parameters{given !== "" && `: ${given.length > 80 ? `${given.slice(0, 80)}…` : given}`}</summary>
        {type?.params.length === 0 && <p class="help">It has none.</p>}
        {type?.params.map((param) => (
          <Field
            key={`${name} ${param.name}`}
            param={param}
            id={`${id}-${param.name}`}
            value={values.get(param.name) ?? ""}
            refused={known && fault.key === param.name ? fault.message : ""}
            set={(value) => set(withValue(spec, param.name, value))}
          />
        ))}
        {values.size > 0 && (
          <button class="small" onClick={() => set(name)}>
            Reset to defaults
          </button>
        )}
        {type && typeof type.guarantee === "string" && (
          <p class="help">
            <b>Guarantee:</b> {type.guarantee}
          </p>
        )}
        {type && <p class="help">{type.reference}</p>}
      </details>
    </div>
  );
}
