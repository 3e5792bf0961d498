"""Exploration with guarantees in finite Markov decision processes."""

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
from farsight.builder import (
    Builder,
)
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
    "Builder",
    "FarsightError",
    "FileError",
    "InvalidError",
    "MDP",
    "OutOfMemoryError",
    "StoppedError",
    "UnknownError",
    "__version__",
]
