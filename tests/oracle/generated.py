"""What the reference agents say: every transcript and every whole run.

They are computed when they are asked for, which takes a minute for all of them, and kept in a folder if
one is given.  What is kept counts as long as no file of the oracle has changed; of the agents in
reference/ only their own.
"""

import hashlib
import json
import os
import pathlib

import full_runs_baselines
import full_runs_bonus
import full_runs_delayed
import full_runs_model
import reference_agents
import transcripts_baselines
import transcripts_bonus
import transcripts_delayed
import transcripts_model

HERE = pathlib.Path(__file__).resolve().parent
TRANSCRIPTS = (transcripts_delayed, transcripts_bonus, transcripts_model, transcripts_baselines, reference_agents)
RUNS = (full_runs_delayed, full_runs_bonus, full_runs_model, full_runs_baselines, reference_agents)


def transcripts():
    """Every transcript."""
    for module in TRANSCRIPTS:
        yield from module.transcripts()


def runs():
    """Every whole run."""
    for module in RUNS:
        yield from module.runs()


def agent_of(spec):
    """The name of an agent."""
    return spec.partition(":")[0]


def sources_of(agent):
    """A digest of the files that say what an agent does."""
    files = [*sorted(HERE.glob("*.py")), HERE / "reference" / f"{agent}.py"]
    return hashlib.sha256(b"\0".join(f.read_bytes() for f in files if f.exists())).hexdigest()


def kept(folder, name, agent, make):
    """The rows that make() gives, or those of the file NAME in the folder if they are of the same sources."""
    if folder is None:
        return make()
    path, key = pathlib.Path(folder) / name, sources_of(agent)
    if path.exists():
        first, *rows = path.read_text(encoding="ascii").splitlines()
        if first == key:
            return [json.loads(row) for row in rows]
    rows = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")  # another test may write it at the same time
    fresh.write_text("\n".join([key, *(json.dumps(row) for row in rows)]) + "\n", encoding="ascii")
    fresh.replace(path)
    return rows


def rows_of(transcript, folder=None):
    """[head, step, ...] of a transcript."""
    return kept(folder, f"{transcript.name}.jsonl", agent_of(transcript.spec), transcript.rows)


def cell_of(run, folder=None):
    """The cell of a whole run."""
    name = hashlib.sha256(f"{run.env} {run.spec}".encode()).hexdigest()[:16]
    return kept(folder, f"run-{name}.json", agent_of(run.spec), lambda: [run.cell()])[0]
