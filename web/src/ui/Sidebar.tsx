// What is run: an environment, agents, steps, seed.
import { valueOf, withValues } from "../edit";
import { lakeAsGrid } from "../maps";
import { parseSpec } from "../spec";
import { catalogue, change, opened, setup } from "../state";
import { inLink, MOST_AGENTS, seedOf, wholeProblem, type ModelFile } from "../setup";
import { Choose, Drop } from "./Drop";
import { Editor } from "./Editor";
import { Entry } from "./Entry";
import { criterion } from "./exact";
import { SpecForm } from "./Forms";
import { closed } from "./value";

/** A model of a file, in place of a family of environments. */
function FromFile({ model }: { model: ModelFile }) {
  return (
    <>
      <p>
        Model <b class="file-name">{model.name}</b>
      </p>
      {opened.value && <p class="help">What counts is {criterion(opened.value.description)}.</p>}
      {opened.value?.description.caveat && <p class="help">{closed(opened.value.description.caveat)}</p>}
      {!inLink(model) && (
        <p class="help">It is too long to be part of the link: who opens the link needs the file, too.</p>
      )}
      <div class="buttons">
        <button onClick={() => change({ model: null, at: 0 })}>Remove</button>
        <Choose what="a model file" />
      </div>
    </>
  );
}

function Family() {
  const { env } = setup.value;
  const types = catalogue.value!.environments.filter(({ name }) => name !== "file"); // no files in a page
  const lake = parseSpec(env).name === "frozen-lake" ? lakeAsGrid((key) => valueOf(env, key)) : null;
  return (
    <>
      <SpecForm
        what="Environment"
        id="env"
        types={types}
        spec={env}
        current={() => setup.peek().env}
        set={(next) => change({ env: next, at: 0 })}
      />
      <Editor />
      <div class="buttons">
        {lake !== null && (
          <button onClick={() => change({ env: withValues("grid", lake), at: 0 })}>Edit a copy as a grid</button>
        )}
        <Choose what="a model file" />
      </div>
    </>
  );
}

function Environment() {
  const { model } = setup.value;
  return (
    <section class="card environment">
      <h2>Environment</h2>
      {model !== null ? <FromFile model={model} /> : <Family />}
      <Drop />
    </section>
  );
}

function Agents() {
  const { agents } = setup.value;
  const types = catalogue.value!.agents;
  const put = (k: number, spec: string | null) => {
    const now = setup.peek().agents;
    change({
      agents: spec === null ? now.filter((_, i) => i !== k) : now.map((each, i) => (i === k ? spec : each)),
      at: 0,
    });
  };
  return (
    <section class="card">
      <h2>Agents</h2>
      {agents.map((spec, k) => (
        <div class="agent" key={k} style={{ "--series": `var(--s${k})` }}>
          <SpecForm
            what={`Agent ${k + 1}`}
            id={`agent${k}`}
            types={types}
            spec={spec}
            current={() => setup.peek().agents[k] ?? spec}
            set={(next) => put(k, next)}
          />
          {agents.length > 1 && (
            <button class="remove" aria-label={`Remove agent ${k + 1}`} onClick={() => put(k, null)}>
              ×
            </button>
          )}
        </div>
      ))}
      {agents.length < MOST_AGENTS && (
        <button onClick={() => change({ agents: [...agents, "delayed-q"], at: 0 })}>Add an agent</button>
      )}
    </section>
  );
}

function Number_({
  name,
  id,
  value,
  check,
  set,
  help,
}: {
  name: string;
  id: string;
  value: string;
  check: (text: string) => string | null;
  set: (text: string) => void;
  help: string;
}) {
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <Entry id={id} value={value} inputMode="numeric" aria-describedby={`${id}-help`} check={check} set={set} />
      <p id={`${id}-help`} class="help">
        {help}
      </p>
    </div>
  );
}

function Run() {
  const { steps, seed, replicate } = setup.value;
  return (
    <section class="card">
      <h2>Run</h2>
      <Number_
        name="Steps"
        id="steps"
        value={String(steps)}
        check={wholeProblem("steps")}
        set={(text) => change({ steps: Number(text), at: 0 })}
        help="of the run"
      />
      <Number_
        name="Seed"
        id="seed"
        value={seed}
        check={(text) => (seedOf(text) === null ? "the seed must be a whole number below 2^64" : null)}
        set={(text) => change({ seed: seedOf(text)!, at: 0 })}
        help="of all random numbers"
      />
      <Number_
        name="Replicate"
        id="replicate"
        value={String(replicate)}
        check={wholeProblem("replicate")}
        set={(text) => change({ replicate: Number(text), at: 0 })}
        help="which run of this seed, counted from 0"
      />
    </section>
  );
}

export function Sidebar() {
  if (catalogue.value === null) return null;
  return (
    <aside class="sidebar" aria-label="What is run">
      <Environment />
      <Agents />
      <Run />
    </aside>
  );
}
