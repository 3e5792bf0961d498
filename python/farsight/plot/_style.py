"""The look of all figures: colours, marks, sizes, and text that fits. No global setting is changed."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, Literal

from farsight._errors import missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ThemeName = Literal["light", "dark"]

TITLE, TEXT, SMALL = 11.0, 9.0, 8.0  # font sizes, in points


def need_matplotlib() -> None:
    """Raises an ImportError that names the extra if matplotlib is absent."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise missing("matplotlib", "plot") from None


@dataclasses.dataclass(frozen=True)
class Theme:
    """Colours of a figure."""

    face: str
    ink: str
    muted: str
    grid: str
    colors: tuple[str, ...]
    absent: str  # of what has no value
    dark: bool

    @property
    def edge(self) -> str:
        """Between things that touch: the background, or white where there is none."""
        return self.face if self.face != "none" else "white"


# The first three are Okabe & Ito's (2008). Those of a theme stay apart for people with each kind of colour
# blindness (at least 13 in CIE Lab; the tests compute it) and from the background.
_LIGHT = ("#0072b2", "#d55e00", "#009e73", "#aa3377", "#9a3bf0", "#404040", "#8e0b00", "#3b1f95")
_DARK = ("#4fb0f0", "#ff8c42", "#3ccfa3", "#e58ac0", "#f5e04a", "#8f7cff", "#f15055", "#caf8a8")

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.6)),
    (0, (1.2, 1.2)),
    (0, (6, 1.4, 1.2, 1.4)),
    (0, (9, 2)),
    (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)),
    (0, (3, 1.6)),
    (0, (1.2, 2.4)),
)


def theme_of(name: ThemeName | None) -> Theme:
    """The theme of that name; None follows the background that matplotlib is set to."""
    import matplotlib
    from matplotlib.colors import to_rgb

    if name not in (None, "light", "dark"):
        raise ValueError(f'theme must be "light", "dark" or None, not {name!r}')
    face = str(matplotlib.rcParams["figure.facecolor"])
    if name is None:
        dark = face != "none" and luminance(to_rgb(face)) < 0.4
    else:
        dark = name == "dark"
        face = "#14171a" if dark else "white"
    if dark:
        return Theme(face, "#ececec", "#a8adb3", "#343a40", _DARK, "#2a2f34", True)
    return Theme(face, "#202020", "#666666", "#e4e4e4", _LIGHT, "#eeeeee", False)


def luminance(rgb: Any) -> float:
    """Perceived lightness of a colour, 0 to 1."""
    r, g, b = (float(v) for v in rgb[:3])
    return 0.299 * r + 0.587 * g + 0.114 * b


@dataclasses.dataclass(frozen=True)
class Mark:
    """How an agent is drawn: the same in every panel."""

    color: str
    marker: str
    dashes: Any


def marks(n: int, theme: Theme) -> list[Mark]:
    """Marks of n agents; no two are the same."""
    k = len(theme.colors)
    return [
        Mark(
            theme.colors[i % k],
            MARKERS[(i + i // k) % len(MARKERS)],
            DASHES[(i + 3 * (i // k)) % len(DASHES)],
        )
        for i in range(n)
    ]


# ---- figures ----


def new_figure(width: float, height: float, theme: Theme) -> Figure:
    """An empty figure of this size in inches, apart from pyplot."""
    need_matplotlib()
    from farsight.plot._artists import ShownFigure

    return ShownFigure(figsize=(width, height), facecolor=theme.face, layout="constrained")


def one_panel(ax: Axes | None, width: float, height: float, theme: Theme) -> tuple[Figure, Axes]:
    """The figure of a panel that was given, or a new figure with one of this size in inches."""
    if ax is not None:
        return ax.figure, ax  # type: ignore[return-value]
    figure = new_figure(width, height, theme)
    return figure, figure.add_subplot()


def style_axes(ax: Axes, theme: Theme, grid: str = "both") -> None:
    """Thin axes without a box, a light grid behind the data, small tick labels."""
    if ax.figure.get_facecolor() == _rgba(theme.face):
        ax.set_facecolor("none")
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(theme.muted)
        spine.set_linewidth(0.8)
    ax.tick_params(
        which="both", color=theme.muted, labelcolor=theme.ink, labelsize=SMALL, width=0.8, length=3
    )
    ax.tick_params(which="minor", length=1.8, width=0.5)
    ax.set_axisbelow(True)
    if grid != "none":
        axis: Any = grid
        ax.grid(True, axis=axis, which="major", color=theme.grid, linewidth=0.7, linestyle="-", alpha=1)
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set_color(theme.ink)
        label.set_fontsize(TEXT)


def _rgba(color: str) -> Any:
    from matplotlib.colors import to_rgba

    return to_rgba(color)


def panels(n: int) -> tuple[int, int]:
    """Rows and columns of n small panels."""
    columns = {1: 1, 2: 2, 3: 3, 4: 2}.get(n, 3 if n <= 9 else 4)
    return -(-n // columns), columns


def header(
    figure: Figure,
    title: str,
    subtitle: str,
    theme: Theme,
    legend: list[tuple[Any, str]] | None = None,
) -> None:
    """Title, a line that says what is shown, and the legend, above the panels; these make room."""
    width, height = figure.get_size_inches()
    left, room = 0.1 / width, (width - 0.16) * 72
    lines = [(line, TITLE, theme.ink, "bold") for line in wrap(title, room, TITLE * 1.1, 2)]
    lines += [(line, TEXT, theme.muted, "normal") for line in wrap(subtitle, room, TEXT, 3)]
    y = 0.07
    for text, size, color, weight in lines:
        y += size * 1.3 / 72
        label = figure.text(
            left, 1 - (y - 0.05) / height, plain(text), fontsize=size, color=color, fontweight=weight
        )
        label.set_in_layout(False)
    if legend:
        y += _legend(figure, legend, theme, left, 1 - (y + 0.03) / height, room) + 0.03
    rect: Any = (0, 0, 1, 1 - (y + 0.03) / height)
    engine: Any = figure.get_layout_engine()
    engine.set(rect=rect, w_pad=0.08, h_pad=0.05)


def _legend(
    figure: Figure, entries: list[tuple[Any, str]], theme: Theme, x: float, y: float, room: float
) -> float:
    """Draws a legend of as many columns as fit below y; its height in inches."""
    labels = [shorten(label, room - 40, SMALL) for _, label in entries]
    widths = [text_width(label, SMALL) + 44 for label in labels]
    columns = max(c for c in range(1, len(labels) + 1) if c == 1 or _legend_width(widths, c) <= room)
    rows = -(-len(labels) // columns)
    columns = -(-len(labels) // rows)
    legend = figure.legend(
        [handle for handle, _ in entries],
        [plain(label) for label in labels],
        loc="upper left",
        bbox_to_anchor=(x, y),
        ncols=columns,
        fontsize=SMALL,
        frameon=False,
        labelcolor=theme.ink,
        borderpad=0,
        borderaxespad=0,
        handlelength=2.6,
        handletextpad=0.6,
        columnspacing=1.4,
        labelspacing=0.35,
    )
    legend.set_in_layout(False)
    return rows * SMALL * 1.38 / 72 + 0.03


def panel_legend(ax: Axes, entries: list[tuple[Any, str]], theme: Theme) -> None:
    """A legend inside a panel, for one in a figure of the user's."""
    handles, names = [handle for handle, _ in entries], [plain(name) for _, name in entries]
    ax.legend(handles, names, fontsize=SMALL, frameon=False, labelcolor=theme.ink)


def _legend_width(widths: list[float], columns: int) -> float:
    rows = -(-len(widths) // columns)
    return sum(max(widths[i : i + rows]) for i in range(0, len(widths), rows))


# ---- text ----


def plain(text: str) -> str:
    """A text in which matplotlib finds no formula."""
    return text.replace("$", r"\$")


@functools.lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """The width of a text in points, in the default font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return float(width) * 1.05  # on screens, glyphs are rounded up to whole pixels


def shorten(text: str, room: float, size: float) -> str:
    """The text, with an ellipsis in the middle if it is wider than so many points."""
    if text_width(text, size) <= room:
        return text
    keep = len(text) - 1
    while keep > 2 and text_width(_cut(text, keep), size) > room:
        keep -= 1
    return _cut(text, keep)


def _cut(text: str, keep: int) -> str:
    head = (keep + 1) // 2
    return text[:head] + "…" + text[len(text) - (keep - head) :]


def wrap(text: str, room: float, size: float, most: int) -> list[str]:
    """The text in at most so many lines, broken after spaces, commas and colons; the last is shortened."""
    lines: list[str] = []
    rest = text
    while rest and len(lines) < most - 1 and text_width(rest, size) > room:
        fits = max(k for k in range(1, len(rest) + 1) if k == 1 or text_width(rest[:k], size) <= room)
        breaks = [k for k in range(1, fits + 1) if rest[k - 1] in " ,:;"]
        k = breaks[-1] if breaks and breaks[-1] > fits // 3 else fits
        lines.append(rest[:k].rstrip())
        rest = rest[k:].lstrip()
    return lines + ([shorten(rest, room, size)] if rest else [])


def fit(text: str, room: float, size: float, lines: int = 2) -> str:
    """The text, wrapped and shortened to a width in points, ready to draw."""
    return "\n".join(plain(line) for line in wrap(text, room, size, lines))


def series_title(series: str) -> str:
    """What a series is called in titles: "total" is "Total reward"."""
    if series == "total":
        return "Total reward"
    name, _, parameters = series.partition(":")
    name = name.replace("-", " ")
    return name[:1].upper() + name[1:] + (f" ({parameters})" if parameters else "")
