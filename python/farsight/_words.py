"""Words and names: what the modules say in the same way, and how they find what a user names."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from farsight._errors import InvalidError, UnknownError


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "run"), counted(3000, "run")
    ('1 run', '3,000 runs')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def length_of(info: Mapping[str, Any]) -> str:
    """The length of a run, for people."""
    return counted(info["episodes"], "episode") if info["episodes"] else f"{max(info['steps']):,} steps"


def whole(value: Any, name: str) -> int:
    """A whole number, also one that is written as a float, up to 2^53: above, a float has no exact value.

    >>> whole(1e6, "steps")
    1000000
    """
    if isinstance(value, (float, np.floating)) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None


def real(value: Any, name: str) -> float:
    """A number as a float.

    >>> real(3, "eps")
    3.0
    """
    try:
        if isinstance(value, (str, bytes, bytearray)):  # float() would read the text
            raise TypeError
        return float(value)
    except TypeError:
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    except OverflowError:
        raise ValueError(f"{name} is too large: must be at most 1.8e308") from None


def seed_of(given: int | None) -> int:
    """A seed that may be left out: None is 1, everywhere.

    >>> seed_of(None), seed_of(7)
    (1, 7)
    """
    return 1 if given is None else given


def optional(value: float | None, name: str) -> float:
    """A number that may be left out: NaN, which the library takes for none, stands for None alone.

    >>> optional(None, "gamma"), optional(0.9, "gamma")
    (nan, 0.9)
    """
    if value is None:
        return math.nan
    number = real(value, name)
    if math.isnan(number):
        raise InvalidError(f"{name} is nan: must be a number, or left out")
    return number


def checked_gamma(given: Any) -> float:
    """A problem's discount.

    >>> checked_gamma(0.9)
    0.9
    """
    gamma = optional(given, "gamma")
    if not 0 < gamma < 1:
        raise InvalidError(
            f"gamma is {given!r}: must be in (0, 1); without a discount the environment has horizon=H or average=on"
        )
    return gamma


def checked_horizon(given: Any) -> int:
    """Steps of an episode."""
    steps = whole(given, "horizon")
    if steps < 1:
        raise InvalidError(f"horizon is {steps}: must be at least 1, or left out where episodes are not cut")
    return steps


def reward_range(given: Any) -> tuple[float, float]:
    """The least and the largest reward."""
    try:
        low, high = given
    except (TypeError, ValueError):
        raise TypeError(f"reward_range is {given!r}: must be (low, high)") from None
    pair = real(low, "the least reward"), real(high, "the largest reward")
    if pair[0] > pair[1]:
        raise InvalidError(f"reward_range is {given!r}: must be (low, high), and low is above high")
    return pair


def listed(names: Sequence[str], most: int = 8) -> str:
    """The names with commas, the first so many."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def nearest(name: Any, names: Sequence[str]) -> str:
    """A suggestion for a name that is none of these: the nearest, or else all."""
    near = difflib.get_close_matches(str(name), names, 1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"there are: {listed(names, 40)}" if names else "there are none"


def unknown(what: str, name: Any, names: Sequence[str]) -> UnknownError:
    """The error for a name that is none of these; it suggests the nearest."""
    return UnknownError(f"unknown {what} '{name}'; {nearest(name, names)}")


def position(labels: Sequence[str], key: Any, what: str) -> int:
    """The position of a thing that is named by its label or its index, from the end if that is negative."""
    if isinstance(key, str):
        if key in labels:
            return labels.index(key)
        raise unknown(what, key, labels)
    at = key.__index__() if hasattr(key, "__index__") and not isinstance(key, bool) else None
    if at is None:
        raise TypeError(f"{what} is {key!r}: must be a label or an index")
    if not -len(labels) <= at < len(labels):
        raise IndexError(f"{what} {at} is out of range: there are {len(labels)}")
    return int(at) % len(labels)
