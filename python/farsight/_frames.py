"""Tables: columns of NumPy as a pandas or polars frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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


def objects(texts: Sequence[str | None]) -> Array:
    """An array of str objects: no copy of the texts, whatever their lengths."""
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array
