#!/usr/bin/env python3
"""make_reference.py [NAME...]: transcripts and whole runs of the agents in reference/, or of some.

reference/NAME.py has a class Agent (as those of bonus_agents.py), CASES and RUNS.  From these are
made transcripts/ref-NAME-CASE.jsonl, as make_transcripts_bonus.py says, and full_runs_NAME.json.
"""

import contextlib
import importlib.util
import json
import pathlib
import sys

import full_runs_bonus
from bonus_agents import CLASSES, MissingKey
from make_transcripts import OUT, head_of, write_case
from make_transcripts_bonus import find
from transcript_cases import case

HERE = pathlib.Path(__file__).resolve().parent


def load(name):
    """The module reference/NAME.py, whose class is from now on known by that name."""
    path = HERE / "reference" / f"{name}.py"
    if not path.exists():
        sys.exit(f"there is no {path.relative_to(HERE)}")
    spec = importlib.util.spec_from_file_location("reference_" + name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    CLASSES[name] = module.Agent
    return module


@contextlib.contextmanager
def complete(where):
    """Say which key a case lacks."""
    try:
        yield
    except MissingKey as e:
        sys.exit(f"{where} lacks the key {e}: write every key out that the agent reads")


def write_transcripts(name, module):
    """transcripts/ref-NAME-CASE.jsonl."""
    known = {f"ref-{name}-{key}.jsonl" for key, *_ in module.CASES}
    for old in OUT.glob(f"ref-{name}-*.jsonl"):
        if json.loads(old.read_text().split("\n")[0])["spec"].partition(":")[0] == name and old.name not in known:
            old.unlink()
    for key, problem, keys in module.CASES:
        endless = problem.endswith(" endless")
        c = case(f"ref-{name}-{key}", problem.removesuffix(" endless"), f"{name}:{keys}", ())
        with complete(f"case {key} of reference/{name}.py"):
            seed, lines, _ = find(c, endless)
        write_case(c, head_of(c, **({"episodic": False} if endless else {})), lines)
        print(f"transcripts/{c.name}.jsonl: {len(lines)} steps, seed {seed}", flush=True)


def write_runs(name, module):
    """full_runs_NAME.json."""
    cells = []
    for env, keys, steps in module.RUNS:
        with complete(f"the run on {env} of reference/{name}.py"):
            cells.append(full_runs_bonus.clean_cell(env, f"{name}:{keys}", steps, 3, 7))
    path = HERE / f"full_runs_{name}.json"
    path.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="ascii")
    print(f"{path.name}: {len(cells)} cells", flush=True)


def main():
    """Write everything that is asked for."""
    names = sys.argv[1:] or sorted(p.stem for p in (HERE / "reference").glob("*.py"))
    for name in names:
        module = load(name)
        write_transcripts(name, module)
        write_runs(name, module)


if __name__ == "__main__":
    main()
