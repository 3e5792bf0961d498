"""What an analysis found, as the command shows it."""

from __future__ import annotations

import csv
import io
import json
from functools import cached_property
from typing import Any

import numpy as np

from farsight import _core
from farsight.frames import frame


class Document:
    """What an analysis found, in every form that the command has.

    Printing it shows the command's text; a notebook shows the same as Markdown. ``data`` has all numbers.

    >>> import farsight as fs
    >>> s = fs.solve("chain:n=3", gamma=0.9)
    >>> s.data["command"], s.tables
    ('solve', ['states'])
    """

    _document: _core.Document

    def __init__(self, core: _core.Document) -> None:
        self._document = core

    @cached_property
    def data(self) -> dict[str, Any]:
        """All of it as dicts and lists: what the command prints with --format json.

        Numbers that are infinite or unknown are None.
        """
        data: dict[str, Any] = json.loads(self._document.render("json"))
        return data

    def text(self, width: int = 0) -> str:
        """The command's text; ``width`` divides wider tables (0: any width)."""
        return self._document.render("text", width)

    def markdown(self) -> str:
        """The same as Markdown."""
        return self._document.render("markdown")

    def latex(self) -> str:
        """Its tables as LaTeX, for the package booktabs."""
        return self._document.render("latex")

    def csv(self, table: str | None = None) -> str:
        """One of its ``tables`` as CSV, with every number in full; the first if none is named."""
        return self._document.render("csv", 0, table)

    def table(self, name: str | None = None, library: str = "pandas") -> Any:
        """One of its ``tables`` as a frame of pandas or polars, or as a dict of arrays ("numpy").

        Columns of numbers have NaN where there is no number.
        """
        return frame(columns_of(self.csv(name)), library)

    @property
    def tables(self) -> list[str]:
        """The names of its tables, for :meth:`csv` and :meth:`table`."""
        return self._document.tables()

    @property
    def stopped(self) -> bool:
        """The work was stopped before its end: this is what was finished."""
        return bool(self.data["stopped"])

    @property
    def notes(self) -> list[str]:
        """Remarks on the tables, and what limits the conclusions."""
        return [note["text"] for note in self.data.get("notes", [])]

    @property
    def methods(self) -> str:
        """How the numbers were made, ready to be quoted; "" if there is nothing to say."""
        return str(self.data.get("methods") or "")

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return self.markdown()


def columns_of(text: str) -> dict[str, Any]:
    """The columns of a CSV text: int64, float64 (an empty field is NaN) or lists of str."""
    rows = list(csv.reader(io.StringIO(text)))
    return {name: _column([row[i] for row in rows[1:]]) for i, name in enumerate(rows[0])}


def _column(fields: list[str]) -> Any:
    for kind in (np.int64, np.float64):
        try:
            return np.array([_number(field, kind) for field in fields], dtype=kind)
        except (ValueError, OverflowError):
            continue
    return fields


def _number(field: str, kind: type) -> Any:
    if kind is np.float64:
        return float(field) if field else np.nan
    return int(field)
