"""The end of work that can be stopped and still has a result."""

from __future__ import annotations

from typing import TypeVar

Result = TypeVar("Result")


def finish(result: Result, stopped: BaseException | None) -> Result:
    """The result, unless something has stopped the work: Ctrl-C leaves what is finished.

    An exception of a progress function goes on.
    """
    if stopped is not None and not isinstance(stopped, KeyboardInterrupt):
        raise stopped
    return result
