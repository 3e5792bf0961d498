"""Tables: columns of NumPy as a pandas or polars frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def missing(package: str, extra: str | None = None) -> ImportError:
    """The error for an optional package that is not installed, with what to install."""
    return ImportError(f'{package} is not installed; pip install "farsight[{extra or package}]"')


def _pandas(columns: Mapping[str, Array]) -> Any:
    try:
        import pandas
    except ImportError:
        raise missing("pandas") from None
    return pandas.DataFrame({name: _texts(values) for name, values in columns.items()})


def _polars(columns: Mapping[str, Array]) -> Any:
    try:
        import polars
    except ImportError:
        raise missing("polars") from None
    return polars.DataFrame({name: _list_of_texts(values) for name, values in columns.items()})


def _texts(values: Array) -> Array:
    return values.astype(object) if values.dtype.kind == "U" else values


def _list_of_texts(values: Array) -> Any:
    return values.tolist() if values.dtype.kind in "UO" else values


def repeat(texts: list[str], counts: list[int]) -> Array:
    """Each text so many times, as an array of str objects (no copy of the text)."""
    return np.repeat(np.array(texts, dtype=object), counts)
