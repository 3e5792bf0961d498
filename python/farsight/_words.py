"""Words and names: what the modules say in the same way, and how they find what a user names."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from farsight._errors import UnknownError


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "run"), counted(3000, "run")
    ('1 run', '3,000 runs')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def listed(names: Sequence[str], most: int = 8) -> str:
    """The names with commas, the first so many."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def unknown(what: str, name: Any, names: Sequence[str]) -> UnknownError:
    """The error for a name that is none of these; it suggests the nearest."""
    near = difflib.get_close_matches(str(name), names, 1)
    there = f"there are: {listed(names, 40)}" if names else "there are none"
    return UnknownError(f"unknown {what} '{name}'; " + (f"did you mean '{near[0]}'?" if near else there))


def position(labels: Sequence[str], key: Any, what: str) -> int:
    """The position of a thing that is named by its label or its index, from the end if that is negative."""
    if isinstance(key, str):
        if key in labels:
            return labels.index(key)
        raise unknown(what, key, labels)
    index = key.__index__() if hasattr(key, "__index__") and not isinstance(key, bool) else None
    if index is None:
        raise TypeError(f"{what} is {key!r}: must be a label or an index")
    if not -len(labels) <= index < len(labels):
        raise IndexError(f"{what} {index} is out of range: there are {len(labels)}")
    return int(index) % len(labels)
