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
from farsight.catalog import agents, environments, metrics, theorems
from farsight.spaces import StateNumbers, space_numbers
from farsight.training import Evaluation, Training, evaluate, train
from farsight.model import (
    MDP,
)

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
    "Evaluation",
    "FarsightError",
    "FileError",
    "InvalidError",
    "MDP",
    "OutOfMemoryError",
    "Random",
    "StateNumbers",
    "StoppedError",
    "Training",
    "UnknownError",
    "__version__",
    "agents",
    "environments",
    "evaluate",
    "metrics",
    "space_numbers",
    "theorems",
    "train",
]
