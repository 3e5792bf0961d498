"""Texts and pictures of a model with its present state, made with NumPy alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from farsight import _font
from farsight.model import MDP

Pixels = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

MOST_STATES = 1 << 16  # that are drawn one by one
LARGEST, UNIT = 640, 64  # pixels: of a picture's longer side, and of a cell
MARGIN = 6

PAPER: Colour = (255, 255, 255)
LINE: Colour = (208, 213, 221)
EDGE: Colour = (152, 162, 179)
INK: Colour = (52, 64, 84)
WALL: Colour = (71, 84, 103)
ABSENT: Colour = (234, 236, 240)
START: Colour = (209, 233, 255)
GOAL: Colour = (187, 238, 203)
PIT: Colour = (254, 205, 202)
END: Colour = (217, 214, 254)
AGENT: Colour = (239, 104, 32)
RING: Colour = (255, 255, 255)


# ---- where the states stand ----


class Places:
    """The places of a model's states; those of a square of cells where the model has no layout."""

    def __init__(self, model: MDP) -> None:
        layout = model.layout
        self.kind = layout["kind"] if layout is not None else "none"
        self.walls = layout["walls"] if layout is not None else np.zeros((0, 4))
        n = model.n_states
        if layout is not None and not (self.kind == "line" and n > 20):
            self.x, self.y = layout["x"], layout["y"]
            self.width, self.height = layout["width"], layout["height"]
        else:  # rows of cells, read as a text is
            columns = min(20, n) if self.kind == "line" else math.ceil(math.sqrt(n))
            columns = max(columns, math.ceil(math.sqrt(n)))
            row, column = np.divmod(np.arange(n), columns)
            self.x, self.y = column + 0.5, row + 0.5
            self.width, self.height = float(columns), float(row[-1] + 1)
        self.labels = layout["labels"] if layout is not None else [""] * n
        if self.kind in ("line", "none"):
            self.labels = [label or str(s) for s, label in enumerate(self.labels)]


def _colours(model: MDP) -> npt.NDArray[np.uint8]:
    """The colour of each state: what is special about it."""
    colours = np.full((model.n_states, 3), PAPER, dtype=np.uint8)
    starts = model.start > 0
    if starts.sum() <= max(1, model.live.sum() // 2):
        colours[starts] = START
    rows = model.to_csr()
    best = np.full(model.n_states, -np.inf)
    np.maximum.at(best, rows["next"], rows["reward"])
    colours[~model.live & (~model.terminal | np.isinf(best))] = ABSENT
    low = rows["reward"].min()
    for s in np.flatnonzero(model.terminal & np.isfinite(best)):
        good, bad = best[s] > 0, best[s] < 0 and best[s] == low and best.max() > low
        colours[s] = GOAL if good else PIT if bad else END
    return colours


# ---- pictures ----


class Picture:
    """Pictures of a model: what does not change is drawn once."""

    def __init__(self, model: MDP) -> None:
        self.model = model
        if model.n_states > MOST_STATES:
            self.unit, self.canvas = 0, np.full((72, LARGEST, 3), PAPER, dtype=np.uint8)
            return
        self.places = Places(model)
        largest = max(self.places.width, self.places.height)
        self.unit = max(1, min(UNIT, int(LARGEST / largest)))
        size = (self._pixel(self.places.height) + MARGIN + 1, self._pixel(self.places.width) + MARGIN + 1, 3)
        self.canvas = np.full(size, PAPER, dtype=np.uint8)
        self._draw()

    def at(self, state: int) -> Pixels:
        """The picture with the agent in this state, an array (height, width, 3)."""
        canvas: Pixels = self.canvas.copy()
        if self.unit == 0:
            self._draw_bar(canvas, state)
            return canvas
        x, y = self._centre(state)
        _disc(canvas, x, y, max(1.5, 0.36 * self.unit), RING)
        _disc(canvas, x, y, max(1.5, 0.31 * self.unit), AGENT)
        self._label(canvas, state, RING, 0.5)
        return canvas

    def _pixel(self, position: float) -> int:
        return MARGIN + round(position * self.unit)

    def _centre(self, s: int) -> tuple[float, float]:
        x, y = self.places.x[s], self.places.y[s]
        return MARGIN + x * self.unit + 0.5, MARGIN + y * self.unit + 0.5

    def _box(self, x0: float, y0: float, x1: float, y1: float, colour: Any, grow: int = 0) -> None:
        rows = slice(self._pixel(y0) - grow, self._pixel(y1) + 1 + grow)
        self.canvas[rows, self._pixel(x0) - grow : self._pixel(x1) + 1 + grow] = colour

    def _draw(self) -> None:
        colours = _colours(self.model)
        if self.places.kind == "graph":
            self._draw_graph(colours)
        else:
            self._draw_cells(colours)
        thick = 1 if self.unit < 24 else 2
        for x0, y0, x1, y1 in self.places.walls:
            flat = x0 == x1 or y0 == y1
            self._box(x0, y0, x1, y1, WALL, thick // 2 if flat else 0)
        for s in range(self.model.n_states):
            self._label(self.canvas, s, INK, 0.66 if self.places.kind == "graph" else 0.8)

    def _draw_cells(self, colours: Pixels) -> None:
        lines = self.unit >= 6
        for x, y in zip(self.places.x, self.places.y, strict=True):
            if lines:
                self._box(x - 0.5, y - 0.5, x + 0.5, y + 0.5, LINE)
        for s, colour in enumerate(colours):
            left, top = self._pixel(self.places.x[s] - 0.5), self._pixel(self.places.y[s] - 0.5)
            inside = self.unit - lines
            self.canvas[top + lines : top + lines + inside, left + lines : left + lines + inside] = colour

    def _draw_graph(self, colours: Pixels) -> None:
        rows = self.model.to_csr()
        s = np.repeat(np.arange(len(rows["offsets"]) - 1), np.diff(rows["offsets"])) // self.model.n_actions
        pairs = zip(s.tolist(), rows["next"].tolist(), strict=True)
        for a, b in sorted({(min(pair), max(pair)) for pair in pairs}):
            if a != b:
                _segment(self.canvas, *self._centre(a), *self._centre(b), max(1.0, self.unit / 40), EDGE)
        for i, colour in enumerate(colours):
            x, y = self._centre(i)
            _disc(self.canvas, x, y, 0.42 * self.unit, EDGE)
            _disc(self.canvas, x, y, 0.42 * self.unit - max(1.0, self.unit / 32), tuple(colour))

    def _label(self, canvas: Pixels, s: int, colour: Colour, share: float) -> None:
        """Writes a state's label as large as fits into a share of its cell; nothing if none does."""
        label = self.places.labels[s]
        room = share * self.unit
        scale = int(
            min(room / max(1, len(label) * _font.WIDTH - 1), room / 1.3 / _font.HEIGHT, self.unit / 20)
        )
        if not label or scale < 1:
            return
        mask = _font.dots(label, scale)
        x, y = self._centre(s)
        top, left = round(y - mask.shape[0] / 2), round(x - mask.shape[1] / 2)
        canvas[top : top + mask.shape[0], left : left + mask.shape[1]][mask] = colour

    def _draw_bar(self, canvas: Pixels, state: int) -> None:
        """A model with too many states: how far along their numbers the state is."""
        left, right = MARGIN, LARGEST - MARGIN
        canvas[46:60, left:right] = LINE
        _disc(canvas, left + (right - left) * state / max(1, self.model.n_states - 1), 53, 7, AGENT)
        mask = _font.dots(f"state {state} of {self.model.n_states}", 3)
        canvas[12 : 12 + mask.shape[0], left : left + mask.shape[1]][mask] = INK


def _blend(canvas: Pixels, rows: slice, columns: slice, cover: Any, colour: Colour) -> None:
    part = canvas[rows, columns]
    part[...] = np.round(part + (np.array(colour) - part) * np.clip(cover, 0, 1)[..., None]).astype(np.uint8)


def _window(canvas: Pixels, low: tuple[float, float], high: tuple[float, float]) -> tuple[slice, slice]:
    (x0, y0), (x1, y1) = low, high
    rows = slice(max(0, int(y0)), min(canvas.shape[0], int(y1) + 1))
    return rows, slice(max(0, int(x0)), min(canvas.shape[1], int(x1) + 1))


def _disc(canvas: Pixels, x: float, y: float, radius: float, colour: Colour) -> None:
    """A disc with a smooth edge."""
    reach = radius + 1
    rows, columns = _window(canvas, (x - reach, y - reach), (x + reach, y + reach))
    v, u = np.mgrid[rows, columns] + 0.5
    _blend(canvas, rows, columns, radius + 0.5 - np.hypot(u - x, v - y), colour)


def _segment(
    canvas: Pixels, x0: float, y0: float, x1: float, y1: float, width: float, colour: Colour
) -> None:
    """A line with smooth edges."""
    reach = width + 1
    low, high = (min(x0, x1) - reach, min(y0, y1) - reach), (max(x0, x1) + reach, max(y0, y1) + reach)
    rows, columns = _window(canvas, low, high)
    v, u = np.mgrid[rows, columns] + 0.5
    length = max(1e-9, (x1 - x0) ** 2 + (y1 - y0) ** 2)
    along = np.clip(((u - x0) * (x1 - x0) + (v - y0) * (y1 - y0)) / length, 0, 1)
    away = np.hypot(u - x0 - along * (x1 - x0), v - y0 - along * (y1 - y0))
    _blend(canvas, rows, columns, width / 2 + 0.5 - away, colour)


# ---- texts ----

MOST_COLUMNS, MOST_ROWS = 48, 48


def text(model: MDP, state: int) -> str:
    """The model's layout with the present state in brackets, and a line that names it."""
    names = model.state_names
    name = f" ({names[state]})" if names is not None and names[state] else ""
    last = f"state {state} of {model.n_states}{name}\n"
    layout = model.layout
    if layout is None or layout["kind"] == "graph":
        return last
    if layout["kind"] == "line" and layout["width"] > MOST_COLUMNS:
        return _part_of_line(model, state) + last
    if layout["width"] > MOST_COLUMNS or layout["height"] > MOST_ROWS:
        return last
    return _grid_text(model, layout, state) + last


def _cell_text(label: str, terminal: bool) -> str:
    return label or ("×" if terminal else "·")


def _part_of_line(model: MDP, state: int, around: int = 12) -> str:
    """The states around the present one."""
    first, end = max(0, state - around), min(model.n_states, state + around + 1)
    terminal = model.terminal
    cells = [f"[{'×' if terminal[s] else '·'}]" if s == state else " · " for s in range(first, end)]
    return ("…" if first > 0 else "") + "".join(cells) + ("…" if end < model.n_states else "") + "\n"


def _grid_text(model: MDP, layout: dict[str, Any], state: int) -> str:
    width, height = round(layout["width"]), round(layout["height"])
    cells = [[""] * width for _ in range(height)]
    terminal, agent = model.terminal, (int(layout["x"][state]), int(layout["y"][state]))
    for s, label in enumerate(layout["labels"]):
        cells[int(layout["y"][s])][int(layout["x"][s])] = _cell_text(label, bool(terminal[s]))
    size = max(len(cell) for row in cells for cell in row)
    upright, level = set(), set()  # walls without breadth: left of a cell, above a cell
    for x0, y0, x1, y1 in layout["walls"].astype(int).tolist():
        for y in range(y0, y1):
            for x in range(x0, x1):
                cells[y][x] = "█" * size
        upright |= {(x0, y) for y in range(y0, y1)} if x0 == x1 else set()
        level |= {(x, y0) for x in range(x0, x1)} if y0 == y1 else set()
    lines = []
    for y, row in enumerate([*cells, []]):
        if any(at == y for _, at in level):
            marks = ("─" if (x, y) in level else " " for x in range(width))
            lines.append("".join(mark * (size + 2) for mark in marks).rstrip())
        if not row:
            break
        line = ""
        for x, cell in enumerate(row):
            left, right = ("[", "]") if (x, y) == agent else (" ", " ")
            line += ("│" if (x, y) in upright and left == " " else left) + cell.center(size) + right
        lines.append((line + ("│" if (width, y) in upright else "")).rstrip())
    return "\n".join(lines) + "\n"
