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
from farsight.results import (
    Results,
)
from farsight.store import (
    Store,
)
from farsight.study import (
    Interrupted,
    Study,
    StudyWarning,
    run,
)

__all__ = [
    "AbsentError",
    "FarsightError",
    "FileError",
    "Interrupted",
    "InvalidError",
    "OutOfMemoryError",
    "Results",
    "StoppedError",
    "Store",
    "Study",
    "StudyWarning",
    "UnknownError",
    "__version__",
    "run",
]
