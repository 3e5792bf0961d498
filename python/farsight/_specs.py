"""Specs: a name and parameters as text, as in "delayed-q:m=5"."""

from __future__ import annotations

import keyword
from typing import Any

import numpy as np

from farsight import _core


def text(value: object, key: str = "value") -> str:
    """A parameter's value as a spec has it, without loss.

    >>> text(0.1), text(3), text(True), text("lowest")
    ('0.1', '3', 'on', 'lowest')
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (int, float)):
        return repr(value)
    if not isinstance(value, str):
        raise TypeError(f"{key} is {value!r}: must be a number, a bool or a str")
    if "," in value:
        raise ValueError(f"{key} is {value!r}: must not contain a comma")
    return value


def argument(name: str) -> str:
    """The name of a parameter or type as Python can write it.

    >>> argument("lambda"), argument("delayed-q")
    ('lambda_', 'delayed_q')
    """
    plain = name.replace("-", "_")
    return plain + "_" if keyword.iskeyword(plain) else plain


def with_parameters(spec: str, parameters: dict[str, Any]) -> str:
    """The spec with parameters added, or in place of those that it gives; None leaves one alone.

    >>> with_parameters("delayed-q:m=5", {"m": 7, "gamma": 0.9})
    'delayed-q:m=7,gamma=0.9'
    """
    for key, value in parameters.items():
        if value is not None:
            plain = key.removesuffix("_")
            spec = _core.spec_with(spec, plain, text(value, key))
    return spec


def spec_of(thing: object) -> str:
    """A spec itself, or that of a class of agents written in Python or of an entry of the catalogue."""
    hook = getattr(thing, "__farsight_spec__", None)
    spec = hook() if callable(hook) else thing
    if isinstance(spec, str):
        return spec
    raise TypeError(f"spec is {thing!r}: must be a str such as 'delayed-q:m=5', or a class of agents")


def name_of(spec: str) -> str:
    """What stands before the colon."""
    return spec.partition(":")[0]


def values_of(spec: str) -> dict[str, str]:
    """The parameters that a spec gives, as text.

    >>> values_of("delayed-q:m=5,ties=lowest")
    {'m': '5', 'ties': 'lowest'}
    """
    rest = spec.partition(":")[2]
    pairs = (pair.partition("=") for pair in rest.split(",") if pair)
    return {key.strip(): value.strip() for key, _, value in pairs}
