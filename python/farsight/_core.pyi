"""The C extension. Written by scripts/python-stubs from its docstrings; do not edit."""

from typing import final
from typing_extensions import Self

numerics: int
version: str

@final
class Document:
    """What an analysis found, as the command shows it."""
    def render(self, format: str = 'text', width: int = 80, table: str | None = None) -> str:
        """The document as text, markdown, json, csv (one table) or latex."""
    def tables(self) -> list[str]:
        """The names of its tables, for csv."""

class Model:
    """A finite Markov decision process; immutable."""
    @classmethod
    def from_spec(cls, spec: str, /) -> Self:
        """A model from a spec, as in 'chain:n=50'."""
    @property
    def hash(self) -> str:
        """SHA-256 of everything that can affect a run."""
    @property
    def n_actions(self) -> int:
        """The number of actions."""
    @property
    def n_states(self) -> int:
        """The number of states."""
    @property
    def spec(self) -> str:
        """The canonical spec; '' for a model that was built."""

def types(kind: str, /) -> str:
    """A list of the library as JSON: agents, environments, metrics or theorems."""
