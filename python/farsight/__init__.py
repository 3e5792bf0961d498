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
from farsight.comparison import (
    Comparison,
    stats,
)
from farsight.document import (
    Document,
)
from farsight.paper import (
    PaperTables,
    reproduce,
)
from farsight.search import (
    Growth,
    Tuning,
    growth,
    tune,
)
from farsight.solution import (
    Solution,
    solve,
)
from farsight.theory import (
    Audit,
    Guarantee,
    Guarantees,
    audit,
    pac,
)

__all__ = [
    "AbsentError",
    "Audit",
    "Comparison",
    "Document",
    "FarsightError",
    "FileError",
    "Growth",
    "Guarantee",
    "Guarantees",
    "InvalidError",
    "OutOfMemoryError",
    "PaperTables",
    "Solution",
    "StoppedError",
    "Tuning",
    "UnknownError",
    "__version__",
    "audit",
    "growth",
    "pac",
    "reproduce",
    "solve",
    "stats",
    "tune",
]
