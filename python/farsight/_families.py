"""The environment families by the names of their classes, for the modules that make classes of them."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from farsight.catalog import Entry, arguments_of, environments

# Compound words that a name on the command line writes as one.
_WORDS = {"riverswim": "RiverSwim", "sixarms": "SixArms", "threearms": "ThreeArms", "deepsea": "DeepSea"}


@cache
def families() -> dict[str, Entry]:
    """The families by the names of their classes: ``families()["RiverSwim"].name`` is ``"riverswim"``."""
    return {class_name(entry.name): entry for entry in environments.values()}


def class_name(name: str) -> str:
    """``"frozen-lake"`` is ``"FrozenLake"``."""
    return _WORDS.get(name) or "".join(part.capitalize() for part in name.split("-"))


def signature(entry: Entry, extra: dict[str, Any]) -> inspect.Signature:
    """Keyword parameters: those of the family and the extra ones."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, keyword, default=value) for name, value in extra.items()]
    return inspect.Signature([*arguments_of(entry), *more])


def docstring(entry: Entry, call: str) -> str:
    """What the family is, how it is made, its parameters, where it comes from."""
    head, _, rest = entry.describe().partition("\n\n")
    return f"{head}\n\nMade by ``{call}``.\n\n{rest}"
