"""Progress of long work: a bar, a line, or a function of yours."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple


class Progress(NamedTuple):
    """How far a batch of runs is; what a function given as ``progress`` is called with."""

    cells_done: int
    cells: int
    runs_done: int
    runs: int
    steps_done: float
    steps: float
    seconds: float
    seconds_left: float


PATIENCE = 0.5  # seconds: work that ends sooner shows nothing, and a line is written no more often


class Reporter:
    """Shows the progress of one batch. Call it with the numbers of :class:`Progress`; close it at the end.

    ``progress`` is "auto" (a bar or a line on a terminal or in a notebook, else nothing), True (a bar or a
    line in any case), False or None (nothing), or a function of a :class:`Progress`.
    """

    def __init__(self, progress: str | bool | Callable[[Progress], object] | None) -> None:
        self._function: Callable[[Progress], object] | None = None
        self._bar: Any = None
        self._written = 0.0
        if callable(progress):
            self._function = progress
        elif progress is True or (progress == "auto" and is_watched()):
            self._function = self._show
        elif progress not in (False, None, "auto"):
            raise ValueError(f"progress is {progress!r}: must be 'auto', True, False or a function")

    @property
    def callback(self) -> Callable[..., object] | None:
        """What the extension calls, about ten times a second; None: nothing is shown."""
        return None if self._function is None else self

    def __call__(self, *numbers: float) -> None:
        if self._function is not None:
            self._function(Progress(*numbers))  # type: ignore[arg-type]

    def close(self) -> None:
        """Ends the bar or the line."""
        if self._bar is not None:
            self._bar.close()
        elif self._written > 0:
            print(file=sys.stderr)
        self._bar, self._written = None, 0.0

    def _show(self, at: Progress) -> None:
        if at.seconds < self._written + PATIENCE:
            return
        if self._bar is None and self._written == 0:
            self._bar = _new_bar(at)
        self._written = at.seconds
        if self._bar is None:
            print(f"\r{_line(at)}", end="", file=sys.stderr, flush=True)
            return
        self._bar.total = at.steps
        self._bar.n = at.steps_done
        self._bar.set_postfix_str(f"{at.runs_done:,} of {at.runs:,} runs", refresh=False)
        self._bar.refresh()


def _line(at: Progress) -> str:
    left = "" if at.seconds_left != at.seconds_left else f", about {at.seconds_left:.0f} s left"
    share = 100 * at.steps_done / at.steps if at.steps > 0 else 0
    return f"{share:3.0f}%  {at.runs_done:,} of {at.runs:,} runs{left}".ljust(60)


def _new_bar(at: Progress) -> Any:
    """A bar of tqdm, or None where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets the plain bar
            from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(total=at.steps, unit=" steps", unit_scale=True, leave=False)
    bar.start_t -= at.seconds  # the speed is that of the work, which began before the bar
    return bar


def is_watched() -> bool:
    """On a terminal, or in a notebook."""
    if "ipykernel" in sys.modules:
        return True
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False
