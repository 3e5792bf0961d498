"""Reports: stored results as one page of HTML."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from farsight import _core
from farsight._typing import StrPath
from farsight.comparison import ComparingProgress
from farsight.document import Document
from farsight.plot import arguments, divided
from farsight.progress import ProgressOf, reporting
from farsight.results import Results
from farsight.store import Store, opened

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from farsight.plot import Question


def report(
    source: Any,
    path: StrPath | None = None,
    *,
    name: str | None = None,
    figures: bool = True,
    audit: bool = False,
    audit_runs: int = 20,
    audit_steps: int = 10_000,
    most_agents: int = 60,
    threads: int | None = None,
    progress: ProgressOf[ComparingProgress] = "auto",
    **question: Unpack[Question],
) -> Document:
    """Results as one page of HTML that needs nothing from elsewhere: the verdict, tables, figures, methods.

    The same as the command ``farsight report``. The page has also parameters, hashes, and for every cell the
    command that computes it again.

    Args:
        source: a :class:`farsight.Store`, the path of one, or results of a study (:class:`farsight.Results`).
        path: the file to write; one that exists is replaced only if it is such a page. None: the page is
            written by ``save`` of what is returned, or shown by its ``html()``.
        name: of the store, for the title and for commands; by default its file name.
        figures: with figures.
        audit: also check what the proofs claim of the agents, along new runs.
        audit_runs: of each audit.
        audit_steps: of each of these runs, at most.
        most_agents: with rows of their own in every table, the best ones.
        threads: of audits; one per processor by default.
        progress: "auto", True, False or a function of a :class:`~farsight.comparison.ComparingProgress`.
        question: what it is of: :class:`farsight.plot.Question`.

    >>> import farsight as fs
    >>> r = fs.run("chain:n=5", ["delayed-q", "r-max"], steps=500, runs=20, progress=False)
    >>> fs.report(r, figures=False).html()[:15]
    '<!DOCTYPE html>'
    """
    look, asked = divided(question)
    if look:
        raise TypeError(f"a report has no option {next(iter(look))!r}")
    if not isinstance(source, (Results, Store, str, os.PathLike)):
        raise TypeError(f"expected results, a store or the path of one, not {type(source).__name__}")
    options: dict[str, Any] = {
        "name": _name(source) if name is None else name,
        "figures": figures,
        "audit": audit,
        "audit_runs": audit_runs,
        "audit_steps": audit_steps,
        "most_agents": most_agents,
        "threads": threads,
    }
    with reporting(progress, ComparingProgress) as report:
        page = Document(_page(source, options, asked, report))
    if path is not None:
        page.save(path)
    return page


def _page(source: Any, options: dict[str, Any], asked: dict[str, Any], report: Any) -> _core.Document:
    if isinstance(source, Results):
        with source._rebuilt() as store:
            return _core.page(options, store, report=report, **source._arguments(asked))
    with opened(source, "r") as open_store:
        assert open_store is not None
        return _core.page(options, open_store, report=report, **arguments(asked))


def _name(source: Any) -> str:
    """The name of the file, or of the study."""
    path = source._name or f"{source.name or 'results'}.db" if isinstance(source, Results) else source
    return os.path.basename(os.fspath(getattr(path, "path", path)))
