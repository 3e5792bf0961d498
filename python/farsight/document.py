"""What an analysis found, as the command shows it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from farsight import _core
from farsight._errors import UnknownError
from farsight._frames import Array, Parameters, frame, with_parameters
from farsight._typing import StrPath
from farsight._words import counted

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from farsight.device import DeviceUse
    from farsight.plot import Look


@dataclass(frozen=True)
class Forms:
    """A document as its texts: what is left of one that was pickled."""

    texts: dict[str, str]
    """By format; of text, that of any width."""
    sheets: dict[str, str]
    """CSV with the kinds of the columns, by table."""

    @classmethod
    def of(cls, document: _core.Document | Forms) -> Forms:
        texts = {form: document.render(form, 0) for form in ("text", "markdown", "json", "latex")}
        return cls(texts, {name: document.render("csv", 0, name, kinds=True) for name in document.tables()})

    def tables(self) -> list[str]:
        return list(self.sheets)

    def render(self, format: str = "text", width: int = 0, table: str | None = None, kinds: bool = False) -> str:
        if format != "csv":
            return self.texts[format]
        name = next(iter(self.sheets), "") if table is None else table
        if name in self.sheets:
            sheet = self.sheets[name]
            heads, _, rest = sheet.partition("\n")
            return sheet if kinds else f"{heads}\n{rest.partition(chr(10))[2]}"
        raise UnknownError(f"there is no table {name!r}; there are: {', '.join(self.sheets)}")


class Document:
    """What an analysis found, in every form that the command has.

    ``print`` shows the command's text; a notebook shows the same as Markdown, a terminal one line. ``data``
    has all numbers. It can be pickled.

    >>> import farsight as fs
    >>> s = fs.solve("chain:n=3", gamma=0.9)
    >>> s.data["command"], s.tables
    ('solve', ['states'])
    """

    _document: _core.Document | Forms
    device: DeviceUse | None = None
    """What a device has computed of it, if ``device=`` asked for one; else None."""

    def __init__(self, document: _core.Document) -> None:
        self._document = document

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_document": Forms.of(self._document)}

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

    def html(self) -> str:
        """A page of its own, which needs nothing from elsewhere."""
        return self._whole().render("html")

    def save(self, path: StrPath) -> int:
        """Writes the page to a file; its size in bytes.

        A file that exists is replaced only if it is such a page, or empty.
        """
        return self._whole().save(path)

    def _whole(self) -> _core.Document:
        """The document itself, which a pickle has not."""
        if isinstance(self._document, Forms):
            self._document = self._again()
        return self._document

    def _again(self) -> _core.Document:
        """The document of what was pickled, made anew; where that cannot be, the exception says so."""
        raise ValueError("what was pickled has tables, but no pages and figures: make these before")

    def csv(self, table: str | None = None) -> str:
        """One of its ``tables`` as CSV, with every number in full; the first if none is named."""
        return self._sheet(table, kinds=False)

    def _sheet(self, table: str | None, kinds: bool) -> str:
        return self._document.render("csv", 0, table, kinds=kinds)

    def table(self, name: str | None = None, library: str = "pandas") -> Any:
        """One of its ``tables`` as a frame of pandas or polars, or as a dict of arrays ("numpy").

        Columns have one type whatever is in them: text, float64 (NaN where there is no number) or int64. Only whole numbers of which
        some are missing are float64, too.
        """
        return frame(self.columns(name), library)

    def columns(self, name: str | None = None) -> dict[str, Array]:
        """One of its ``tables`` as a dict of arrays."""
        return columns_of(self._sheet(name, kinds=True))

    def _frame(self, name: str, library: str, parameters: Parameters = "all") -> Any:
        """A table that may be absent, as where the work was stopped: the frame is then empty."""
        columns = self.columns(name) if name in self.tables else {}
        return frame(with_parameters(columns, parameters), library)

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
        return f"<{type(self).__name__}: {self._brief()}{', stopped' if self.data['stopped'] else ''}>"

    def _draw(self, kind: str, part: int, options: Mapping[str, Any]) -> _core.Figure:
        """A figure of one of its parts (groups, agents)."""
        from farsight.plot import look_of

        return self._whole().draw(kind, part, look_of(options))

    def _brief(self) -> str:
        """The main number, in a few words."""
        return counted(len(self.tables), "table")

    def _repr_markdown_(self) -> str:
        return self.markdown()


class Drawn(Document):
    """What has one figure."""

    _kind: str

    def plot(self, kind: str | None = None, **options: Unpack[Look]) -> _core.Figure:
        """Its figure; ``options`` are those of :class:`farsight.plot.Look`."""
        if kind not in (None, self._kind):
            raise UnknownError(f"there is no figure {kind!r} of this: {self._kind}")
        return self._draw(self._kind, 0, options)


def columns_of(text: str) -> dict[str, Array]:
    """The columns of a CSV text whose second line has their kinds."""
    heads, kinds, *rows = csv.reader(io.StringIO(text))
    return {head: _column(kinds[i], [row[i] for row in rows]) for i, head in enumerate(heads)}


def _column(kind: str, fields: list[str]) -> Array:
    kinds = {"count": (np.int64, np.float64), "real": (np.float64,)}.get(kind, (np.int64, np.float64))
    if kind in ("text", "parameter") and not any(fields):
        kinds = ()
    for each in kinds:
        try:
            return np.array([_number(field, each) for field in fields], dtype=each)
        except (ValueError, OverflowError):
            continue
    return np.array(fields, dtype=object)


def _number(field: str, kind: type) -> Any:
    if kind is np.float64:
        return float(field) if field else np.nan
    return int(field)
