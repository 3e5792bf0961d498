"""Tables: columns of NumPy as a pandas or polars frame."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from farsight._errors import missing

Array = NDArray[Any]

LIBRARIES = ("pandas", "polars", "numpy")


def frame(columns: Mapping[str, Array], library: str = "pandas") -> Any:
    """A table of these columns: a DataFrame of pandas or polars, or (``"numpy"``) a dict of arrays.

    >>> frame({"step": np.array([1, 2])}, "numpy")
    {'step': array([1, 2])}
    """
    if library == "numpy":
        return dict(columns)
    if library == "pandas":
        return _pandas(columns)
    if library == "polars":
        return _polars(columns)
    raise ValueError(f"library is {library!r}: must be one of {', '.join(map(repr, LIBRARIES))}")


def _pandas(columns: Mapping[str, Array]) -> Any:
    try:
        import pandas
    except ImportError:
        raise missing("pandas", "pandas") from None
    return pandas.DataFrame({name: _texts(values) for name, values in columns.items()})


def _polars(columns: Mapping[str, Array]) -> Any:
    try:
        import polars
    except ImportError:
        raise missing("polars", "polars") from None
    return polars.DataFrame({name: _list_of_texts(values) for name, values in columns.items()})


def _texts(values: Array) -> Array:
    return values.astype(object) if values.dtype.kind == "U" else values


def _list_of_texts(values: Array) -> Any:
    return values.tolist() if values.dtype.kind in "UO" else values


Parameters = bool | Literal["all"]
"""Which columns of parameters a frame has: none, those that vary, or all."""


def wants_all(parameters: Parameters) -> bool:
    """Whether all parameters are wanted, and not only those that vary; refuses what means nothing."""
    if parameters not in (False, True, "all"):
        raise ValueError(f"parameters is {parameters!r}: must be False, True (those that vary) or 'all'")
    return parameters == "all"


def with_parameters(columns: Mapping[str, Array], parameters: Parameters) -> dict[str, Array]:
    """The columns without those of specs and parameters (env.n, agent_spec), or with those that are wanted."""
    every = wants_all(parameters)
    return {
        name: values
        for name, values in columns.items()
        if every or not _PARAMETER.match(name) or (parameters and "." in name and _varies(values))
    }


_PARAMETER = re.compile(r"(env|agent)([.]|_spec$)")


def _varies(values: Array) -> bool:
    return len({value for value in values.tolist() if value == value and value != ""}) > 1


def objects(texts: Sequence[str | None]) -> Array:
    """An array of str objects: no copy of the texts, whatever their lengths."""
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array
