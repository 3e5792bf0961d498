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
from farsight.pyagent import Bounds, PyAgent

__all__ = [
    "AbsentError",
    "Bounds",
    "FarsightError",
    "FileError",
    "InvalidError",
    "OutOfMemoryError",
    "PyAgent",
    "StoppedError",
    "UnknownError",
    "__version__",
]
