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

__all__ = [
    "AbsentError",
    "FarsightError",
    "FileError",
    "InvalidError",
    "OutOfMemoryError",
    "StoppedError",
    "UnknownError",
    "__version__",
]
