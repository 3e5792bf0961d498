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

__all__ = [
    "AbsentError",
    "Agent",
    "Evaluation",
    "FarsightError",
    "FileError",
    "InvalidError",
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
