"""The agents of reference/: transcripts and whole runs.

reference/NAME.py has a class Agent (as those of bonus_agents.py), CASES and RUNS.
"""

import functools
import importlib.util
import pathlib

import full_runs_bonus
import transcripts_bonus
from bonus_agents import CLASSES, MissingKey
from full_runs import Run, clean_cell
from transcript_cases import case
from transcripts import Transcript

FOLDER = pathlib.Path(__file__).resolve().parent / "reference"


def load(path):
    """The module reference/NAME.py, whose class is from now on known by that name."""
    spec = importlib.util.spec_from_file_location("reference_" + path.stem.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    CLASSES[path.stem] = module.Agent
    return module


def complete(where, make, *args):
    """make(*args), which says where a key lacks."""
    try:
        return make(*args)
    except MissingKey as e:
        raise RuntimeError(f"{where} lacks the key {e}: write every key out that the agent reads") from e


def transcripts():
    """Every transcript; one of reference/NAME.py is ref-NAME-CASE."""
    for path in sorted(FOLDER.glob("*.py")):
        for key, problem, keys in load(path).CASES:
            endless = problem.endswith(" endless")
            c = case(f"ref-{path.stem}-{key}", problem.removesuffix(" endless"), f"{path.stem}:{keys}", ())
            where = f"case {key} of reference/{path.name}"
            yield Transcript(c.name, c.spec, functools.partial(complete, where, transcripts_bonus.rows, c, endless))


def runs():
    """Every cell."""
    for path in sorted(FOLDER.glob("*.py")):
        for env, keys, steps in load(path).RUNS:
            spec = f"{path.stem}:{keys}"
            where = f"the run on {env} of reference/{path.name}"
            yield Run(env, spec, functools.partial(complete, where, clean_cell, full_runs_bonus.run, env, spec, steps, 3, 7))
