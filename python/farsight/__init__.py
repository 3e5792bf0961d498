"""Exploration with guarantees in finite Markov decision processes.

Agents that learn in any discrete Gymnasium environment, environments, models, exact solutions and studies::

    import farsight as fs, gymnasium as gym

    env = gym.make("FrozenLake-v1", is_slippery=False)
    agent = fs.Agent("r-max", env=env, m=1)         # fs.agents lists the algorithms
    fs.train(agent, env, steps=2000)

    r = fs.run(["chain:n=[10,50]", "riverswim"], ["delayed-q", "r-max"], steps=10_000, runs=300)
    r.frame(); r.compare(baseline="delayed-q"); r.plot()

"""

from importlib import import_module
from typing import Any

from farsight import plot
from farsight._core import Figure, Random
from farsight._core import version as __version__
from farsight._errors import (
    AbsentError,
    FarsightError,
    FileError,
    Interrupted,
    InvalidError,
    OutOfMemoryError,
    StoppedError,
    UnknownError,
    missing,
)
from farsight.agent import Agent
from farsight.builder import Builder
from farsight.catalog import agents, environments, metrics, theorems
from farsight.comparison import Comparison, stats
from farsight.device import DeviceUse, DeviceWarning
from farsight.document import Document
from farsight.model import MDP
from farsight.pages import report
from farsight.paper import PaperTables, reproduce
from farsight.pyagent import Bounds, PyAgent
from farsight.ranking import Ranking, rank
from farsight.resources import Dependency, Limits, dependencies, limits
from farsight.results import Results
from farsight.search import Growth, Tuning, growth, tune
from farsight.simulator import Simulator
from farsight.solution import Solution, solve
from farsight.spaces import StateNumbers, space_numbers
from farsight.store import Store
from farsight.study import Study, StudyWarning, run
from farsight.suite import Benchmark, benchmark, benchmark_suite
from farsight.theory import Audit, Guarantee, Guarantees, audit, pac
from farsight.training import Evaluation, Training, evaluate, train

try:  # where Gymnasium is installed, our environments are registered
    import gymnasium as _gymnasium  # noqa: F401
except ImportError:
    pass
else:
    from farsight import envs as _envs

    _envs.register()

__all__ = [
    "AbsentError",
    "Agent",
    "Audit",
    "Benchmark",
    "Bounds",
    "Builder",
    "Comparison",
    "Dependency",
    "DeviceUse",
    "DeviceWarning",
    "Document",
    "Evaluation",
    "FarsightError",
    "Figure",
    "FileError",
    "Growth",
    "Guarantee",
    "Guarantees",
    "Interrupted",
    "InvalidError",
    "Limits",
    "MDP",
    "OutOfMemoryError",
    "PaperTables",
    "PyAgent",
    "Random",
    "Ranking",
    "Results",
    "Simulator",
    "Solution",
    "StateNumbers",
    "StoppedError",
    "Store",
    "Study",
    "StudyWarning",
    "Training",
    "Tuning",
    "UnknownError",
    "__version__",
    "agents",
    "audit",
    "benchmark",
    "benchmark_suite",
    "dependencies",
    "environments",
    "evaluate",
    "growth",
    "limits",
    "metrics",
    "pac",
    "plot",
    "rank",
    "report",
    "reproduce",
    "run",
    "solve",
    "space_numbers",
    "stats",
    "theorems",
    "train",
    "tune",
]


def __getattr__(name: str) -> Any:
    """``fs.envs`` and ``fs.vector``, which need Gymnasium."""
    if name not in _OF_GYMNASIUM:
        raise AttributeError(f"module 'farsight' has no attribute {name!r}")
    try:
        return import_module(f"farsight.{name}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "gymnasium":
            raise
        raise missing("Gymnasium", "gymnasium") from None


_OF_GYMNASIUM = ("envs", "vector")


def __dir__() -> list[str]:
    """What completion offers: the public names, and the modules that a user may want."""
    return sorted({*__all__, *({*_OF_GYMNASIUM, "spaces"} & globals().keys())})
