// Forms made from the parameter tables of the library: kinds, bounds, defaults and help.
import { useLayoutEffect, useState } from "preact/hooks";
import type { Param, Type } from "../core/messages";
import { parseSpec, withValue } from "../spec";
import { blame } from "../state";
import { Entry } from "./Entry";
import { closed, useValue } from "./value";

/** What may be entered, for people. */
function bounds({ type, min, max, min_open, max_open }: Param): string {
  if (type !== "real" && type !== "integer") return "";
  const kind = type === "integer" ? "a whole number" : "a number";
  const from = min === null ? "" : `${min_open ? "above" : "from"} ${min.toLocaleString("en")}`;
  const to = max === null || max >= 2 ** 53 ? "" : `${max_open ? "below" : "to"} ${max.toLocaleString("en")}`;
  return [kind, from, to].filter(Boolean).join(" ");
}

const presetOf = ({ default: preset, rule }: Param) => (preset !== null ? String(preset) : (rule ?? ""));

function Field({
  param,
  value,
  id,
  form,
  refused,
}: {
  param: Param;
  value: string;
  id: string;
  form: Form;
  refused: string;
}) {
  const preset = presetOf(param);
  const entered = useValue({
    what: id.startsWith("env") ? "env" : "agent",
    current: form.current,
    key: param.name,
    value,
    put: (text) => form.set(withValue(form.current(), param.name, text)),
  });
  const problem = entered.problem || refused;
  const limits = problem === "" ? bounds(param) : ""; // a problem says them
  const help = [param.help, limits].filter(Boolean).join("; ");
  return (
    <div class="field param">
      <label for={id}>{param.name}</label>
      {param.type === "choice" ? (
        <select
          id={id}
          value={entered.shown}
          aria-describedby={`${id}-help`}
          aria-invalid={problem !== ""}
          onChange={(event) => entered.enter(event.currentTarget.value)}>
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
          set={entered.enter}
        />
      )}
      <p id={`${id}-help`} class="help">
        {problem && (
          <strong class="problem" role={entered.problem ? "alert" : undefined}>
            {closed(problem)}{" "}
          </strong>
        )}
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

interface Form {
  /** The spec as it is now, which may be newer than what is drawn. */
  current: () => string;
  set: (spec: string) => void;
}

/** Parts of a spec that are no parameters of its type: a link may have them, a form cannot make them. */
function Strays({ keys, name, form }: { keys: string[]; name: string; form: Form }) {
  return (
    <>
      {keys.map((key) => (
        <p key={key} class="help problem stray">
          {name} has no parameter ‘{key}’.{" "}
          <button class="small" onClick={() => form.set(withValue(form.current(), key, ""))}>
            Remove {key}
          </button>
        </p>
      ))}
    </>
  );
}

/** The parameters of a spec that is refused because of one of them are shown, and stay so when it is mended. */
function useOpen(needed: boolean) {
  const [open, set] = useState(needed);
  useLayoutEffect(() => {
    if (needed) set(true);
  }, [needed]);
  return { open, onToggle: (event: Event) => set((event.currentTarget as HTMLDetailsElement).open) };
}

/** Which of a list of types, and its parameters. */
export function SpecForm({
  what,
  id,
  types,
  spec,
  ...form
}: {
  what: string;
  id: string;
  types: Type[];
  spec: string;
} & Form) {
  const { name, values } = parseSpec(spec);
  const type = types.find((each) => each.name === name);
  const fault = blame.value?.where === id ? blame.value : null;
  const known = fault !== null && (type?.params.some((param) => param.name === fault.key) ?? false);
  const strays = type ? [...values.keys()].filter((key) => !type.params.some((param) => param.name === key)) : [];
  const panel = useOpen(known || strays.length > 0);
  const [round, anew] = useState(0); // fields forget what was typed
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
          onChange={(event) => form.set(event.currentTarget.value)}>
          {!type && <option value={name}>{name}</option>}
          <Options types={types} />
        </select>
      </div>
      <p id={`${id}-summary`} class="help">
        {type?.summary}
      </p>
      {fault && !known && <p class="help problem">{closed(fault.message)}</p>}
      <details {...panel}>
        <summary>Parameters{given !== "" && `: ${given.length > 80 ? `${given.slice(0, 80)}…` : given}`}</summary>
        {type?.params.length === 0 && <p class="help">It has none.</p>}
        {type && <Strays keys={strays} name={name} form={form} />}
        {type?.params.map((param) => (
          <Field
            key={`${round} ${name} ${param.name}`}
            param={param}
            id={`${id}-${param.name}`}
            value={values.get(param.name) ?? ""}
            refused={known && fault.key === param.name ? fault.message : ""}
            form={form}
          />
        ))}
        {values.size > 0 && (
          <button class="small" onClick={() => (form.set(name), anew(round + 1))}>
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
