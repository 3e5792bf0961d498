"""Long work: its progress, as a bar, a line or a function of yours, and its end, also by Ctrl-C."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from farsight._errors import Interrupted

PATIENCE = 0.5  # seconds: work that ends sooner shows nothing, and a line is written no more often


class Progress(NamedTuple):
    """How far a batch of runs is; what a function given as ``progress`` is called with."""

    cells_done: int
    cells: int
    runs_done: int
    runs: int
    steps_done: float
    steps: float
    seconds: float
    """Since the start."""
    seconds_left: float
    """An estimate; NaN before there is one."""

    @property
    def share(self) -> float | None:
        """The share of the work that is done, in 0 ... 1."""
        return self.steps_done / self.steps if self.steps > 0 else 0.0

    def __str__(self) -> str:
        left = "" if self.seconds_left != self.seconds_left else f", about {self.seconds_left:.0f} s left"
        return f"{self.runs_done:,} of {self.runs:,} runs{left}"


class Stage(Protocol):
    """What can be shown: a share of the work, or None where that is not known, and words."""

    @property
    def share(self) -> float | None: ...
    def __str__(self) -> str: ...


At = TypeVar("At", bound=Stage)
ProgressOf = str | bool | Callable[[At], object] | None
ProgressLike = ProgressOf[Progress]


@contextmanager
def reporting(progress: ProgressOf[At], stage: Callable[..., At]) -> Iterator[Callable[..., object] | None]:
    """What long work calls with the numbers of a stage, about ten times a second; None: nothing is shown.

    ``progress`` is "auto" (a bar or a line on a terminal or in a notebook, else nothing; nothing also with
    FARSIGHT_PROGRESS=0 in the environment), True (a bar or a line in any case), False or None (nothing), or a
    function of a stage. The bar or line ends with the block.
    """
    if progress not in (True, False, None, "auto") and not callable(progress):
        raise ValueError(f"progress is {progress!r}: must be 'auto', True, False or a function")
    if callable(progress):
        function = progress
        yield lambda *numbers: function(stage(*numbers))
    elif progress is True or (progress == "auto" and _is_watched()):
        bar = _Bar()
        try:
            yield lambda *numbers: bar.show(stage(*numbers))
        finally:
            bar.close()
    else:
        yield None


class _Bar:
    """A bar of tqdm, or a line where that is not installed."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._bar: Any = None
        self._has_line = False

    def show(self, at: Stage) -> None:
        if time.monotonic() < self._shown + PATIENCE:
            return
        if self._bar is None and not self._has_line:
            self._bar = _new_bar(self._started)
        self._shown = time.monotonic()
        if self._bar is None:
            percent = "" if at.share is None else f"{100 * at.share:3.0f}%  "
            print(f"\r{percent}{at}".ljust(70), end="", file=sys.stderr, flush=True)
            self._has_line = True
            return
        self._bar.total = None if at.share is None else 100
        self._bar.n = round(100 * (at.share or 0.0), 1)
        self._bar.set_postfix_str(str(at), refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._has_line:
            print(file=sys.stderr)


def _new_bar(started: float) -> Any:
    """A bar of tqdm, or None where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets the plain bar
            from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(total=100, leave=False, bar_format="{l_bar}{bar}| {elapsed}{postfix}")
    bar.start_t -= time.monotonic() - started  # the work began before the bar
    return bar


def _is_watched() -> bool:
    """On a terminal, or in a notebook; FARSIGHT_PROGRESS=0 in the environment says that nobody watches."""
    if os.environ.get("FARSIGHT_PROGRESS") == "0":
        return False
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return True
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


Result = TypeVar("Result")


def finish(
    result: Result, stopped: BaseException | None, store: object = None, found: str = "what was finished"
) -> Result:
    """The result, or the exception that has stopped the work: Ctrl-C has what was ``found`` as ``results``.

    ``store`` is what keeps the runs, or None; ``found`` is "" if no run was finished.
    """
    if stopped is None:
        return result
    if not isinstance(stopped, KeyboardInterrupt):
        raise stopped
    if not found:
        raise Interrupted("stopped before any run was finished", result) from None
    name = getattr(store, "path", store)
    resumes = "" if store is None else f"; {name} keeps all runs, and the same call resumes"
    raise Interrupted(f"stopped; .results has {found}{resumes}", result) from None
