"""Stores as arguments: one that is open, or the path of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from farsight import _core
from farsight.store import Store


@contextmanager
def opened(store: Any, mode: str = "w") -> Iterator[_core.Store | None]:
    """The store itself, or the one at this path, open until the end; None is None."""
    if store is None or isinstance(store, _core.Store):
        yield store
        return
    if not isinstance(store, (str, os.PathLike)):
        raise TypeError(f"store must be a farsight.Store or a path, not {type(store).__name__}")
    with Store(store, mode) as own:
        yield own
