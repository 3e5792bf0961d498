"""The tables of the paper, computed: Oh & Iyengar 2018."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from farsight import _core
from farsight._frames import frame
from farsight._typing import FloatArray
from farsight._words import counted, seed_of
from farsight.device import with_device
from farsight.document import Drawn
from farsight.progress import Progress, ProgressLike, finish, reporting

_PARAMETER = re.compile(r"method[._]")


class PaperTables(Drawn):
    """Tables 1 and 2 of Oh & Iyengar 2018, ours beside the paper's."""

    _kind = "paper"

    distance: float
    """The root-mean-square distance of the ten Directed means from the paper's."""
    totals: list[FloatArray]
    """The total rewards of the runs of each cell, in the order of ``data["cells"]``."""

    def __init__(self, document: _core.Document, distance: float, totals: list[FloatArray]) -> None:
        super().__init__(document)
        self.distance = distance
        self.totals = totals

    def _brief(self) -> str:
        return f"{counted(len(self.totals), 'cell')}, Directed means {self.distance:.4g} from the paper's"

    def paper(self, number: int, library: str = "pandas", *, parameters: bool = False) -> Any:
        """Table 1 or 2 as a frame, one row per method: the paper's mean, ours, and the difference.

        With ``parameters=True`` there are also the method's spec and a column for each of its parameters.
        """
        if number not in (1, 2):
            raise ValueError(f"there is no table {number!r}: 1 or 2")
        columns = self.columns("rows")
        chosen = columns.pop("table") == number
        if not parameters:
            columns = {name: values for name, values in columns.items() if not _PARAMETER.match(name)}
        return frame({name: np.asarray(values)[chosen] for name, values in columns.items()}, library)

    def alternatives(self, library: str = "pandas", *, parameters: bool = False) -> Any:
        """Programs that are not printed in the paper but come near to its numbers, as a frame.

        Means and standard deviations of single runs, the paper's and ours, on the chains of 10 and 50 states.
        """
        columns = self.columns("alternatives")
        if not parameters:
            columns = {name: values for name, values in columns.items() if not _PARAMETER.match(name)}
        return frame({name: np.asarray(values) for name, values in columns.items()}, library)


def reproduce(
    runs: int = 300,
    *,
    seed: int | None = 1,
    directed: str | None = None,
    threads: int | None = None,
    device: str = "cpu",
    progress: ProgressLike = "auto",
) -> PaperTables:
    """Computes the paper's Tables 1 and 2 and the baselines that it lacks.

    ``directed`` is another parameter setting for the paper's Directed rows, without gamma_e. ``device``
    and ``progress`` are as in :func:`run`. After Ctrl-C the exception :class:`Interrupted` has the finished runs as ``results``.

    >>> import farsight as fs
    >>> r = fs.reproduce(runs=2)
    >>> len(r.totals), r.paper(1, "numpy")["method"][0]
    (22, 'Directed Delayed QL')
    """
    where = _core.Device(device)
    with reporting(progress, Progress) as report:
        document, distance, totals, stopped = _core.reproduce(
            runs=runs, seed=seed_of(seed), threads=threads, directed=directed, device=where, report=report
        )
    return finish(with_device(PaperTables(document, distance, totals), where), stopped)
