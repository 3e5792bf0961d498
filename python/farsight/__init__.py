"""Exploration with guarantees in finite Markov decision processes."""

from farsight._core import Random
from farsight._core import version as __version__
from farsight._errors import (
    AbsentError,
    FarsightError,
    FileError,
    InvalidError,
    OutOfMemoryError,
    StoppedError,
    UnknownError,
)
from farsight.agent import Agent
from farsight.builder import Builder
from farsight.catalog import agents, environments, metrics, theorems
from farsight.model import MDP
from farsight.pyagent import Bounds, PyAgent
from farsight.results import Results
from farsight.simulator import Simulator
from farsight.spaces import StateNumbers, space_numbers
from farsight.store import Store
from farsight.study import Interrupted, Study, StudyWarning, run
from farsight.training import Evaluation, Training, evaluate, train

try:  # where Gymnasium is installed, our environments are registered
    import gymnasium as _gymnasium
except ImportError:
    pass
else:
    from farsight import envs as _envs

    _envs.register()

__all__ = [
    "AbsentError",
    "Agent",
    "Bounds",
    "Builder",
    "Evaluation",
    "FarsightError",
    "FileError",
    "Interrupted",
    "InvalidError",
    "MDP",
    "OutOfMemoryError",
    "PyAgent",
    "Random",
    "Results",
    "Simulator",
    "StateNumbers",
    "StoppedError",
    "Store",
    "Study",
    "StudyWarning",
    "Training",
    "UnknownError",
    "__version__",
    "agents",
    "environments",
    "evaluate",
    "metrics",
    "run",
    "space_numbers",
    "theorems",
    "train",
]
