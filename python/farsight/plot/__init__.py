"""Figures of results, comparisons and models, that look good without settings.

Every function returns a ``matplotlib.figure.Figure`` that notebooks show by themselves; save it with
``figure.savefig("curves.pdf")``. They neither change matplotlib's settings nor use pyplot, so that nothing
has to be closed. Colours can be told apart by colour-blind readers, and lines and marks differ as well.
``theme`` is "light" or "dark"; without it, figures follow the background that matplotlib is set to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from farsight.plot._analyses import growth, paper, scores, tuning
from farsight.plot._compare import differences, improvement_matrix, improvements, intervals, matrix
from farsight.plot._curves import curves
from farsight.plot._layouts import agent, bonus, policy, values, visits
from farsight.plot._profiles import profiles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "agent",
    "bonus",
    "curves",
    "differences",
    "growth",
    "improvement_matrix",
    "improvements",
    "intervals",
    "matrix",
    "paper",
    "policy",
    "preview",
    "profiles",
    "results",
    "scores",
    "tuning",
    "values",
    "visits",
]

_KINDS: dict[str, Callable[..., Any]] = {
    "curves": curves,
    "intervals": intervals,
    "differences": differences,
    "profiles": profiles,
    "matrix": matrix,
    "improvements": improvements,
}


def results(results: Any, kind: str = "curves", **options: Any) -> Figure:
    """Draws results: ``r.plot(kind, ...)`` calls this.

    ``kind`` is "curves", "intervals", "differences", "profiles", "matrix" or "improvements"; ``options``
    are the parameters of the function of that name. Results without curves are drawn as intervals, unless
    options say more.
    """
    if kind not in _KINDS:
        raise ValueError(f"there is no figure {kind!r}: {', '.join(_KINDS)}")
    if kind == "curves" and not options and not _has_curve(results):
        kind = "intervals"
    figure: Figure = _KINDS[kind](results, **options)
    return figure


def _has_curve(results: Any) -> bool:
    try:
        steps, _ = results.curve(results.envs[0], results.agents[0])
    except (ValueError, KeyError):
        return False
    return len(steps) > 0


def preview(of: Any) -> str:
    """A figure of results as HTML, for ``_repr_html_``.

    Empty without matplotlib, without anything to draw, or with more than 9 environments or 16 agents.
    """
    import base64

    if len(of.envs) > 9 or len(of.agents) > 16:
        return ""
    try:
        figure: Any = results(of)
        data, size = figure._repr_png_()
    except (ImportError, ValueError, LookupError):
        return ""
    image = base64.b64encode(data).decode()
    return f'<img alt="figure of the results" width="{size["width"]}" src="data:image/png;base64,{image}">'
