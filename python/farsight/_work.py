"""Long work: its progress, and its end, also where Ctrl-C comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from farsight.document import Document
from farsight.progress import Reporter
from farsight.study import Interrupted, ProgressLike

Result = TypeVar("Result", bound=Document)


@contextmanager
def reporting(progress: ProgressLike) -> Iterator[Callable[..., object] | None]:
    """What the extension calls with the progress of a batch; the bar or line ends with the block."""
    reporter = Reporter(progress)
    try:
        yield reporter.callback
    finally:
        reporter.close()


def finish(result: Result, stopped: BaseException | None, kept: bool = False) -> Result:
    """The result, or the exception that has stopped the work: Ctrl-C has what is finished as ``results``."""
    if stopped is None:
        return result
    if not isinstance(stopped, KeyboardInterrupt):
        raise stopped
    resumes = "; the store keeps all runs, and the same call resumes" if kept else ""
    raise Interrupted(f"stopped; .results has what was finished{resumes}", result) from None
