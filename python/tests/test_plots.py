"""Figures: structure, numbers, labels that do not overlap, odd inputs, no matplotlib."""

from __future__ import annotations

import builtins
import importlib.util
import itertools
import json
import pickle
import subprocess
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import farsight as fs
from farsight import plot
from farsight.plot import _layouts as layouts
from farsight.plot import _numbers as numbers
from farsight.plot import _style as style

needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed"
)
pytestmark = [needs_matplotlib, pytest.mark.slow]

AGENTS = [
    "delayed-q",
    "r-max:m=5",
    "directed-delayed-q:gamma_e=0.99",
    "psrl",
    "ucrl2",
    "mbie-eb",
    "sarsa",
    "optimal",
]
LONG = [f"directed-delayed-q:gamma_e=0.99,epsilon=0.00001,very_long_parameter=12345,k={i}" for i in range(8)]
ENVS = [f"chain:n={n}" for n in (5, 10, 50)] + [
    "riverswim",
    "frozen-lake:map=8x8",
    "taxi",
    "loop",
    "maze",
    "sixarms",
]


class Fake:
    """Results as the contract has them."""

    def __init__(
        self, n_envs: int = 1, n_agents: int = 3, runs: int = 10, k: int = 12, names: Any = None
    ) -> None:
        self.envs, self.agents = ENVS[:n_envs], list(names or AGENTS)[:n_agents]
        self.steps = np.unique(np.geomspace(10, 10_000, k).astype(int))
        generator = np.random.default_rng(7)
        self.data: dict[tuple[str, str], Any] = {}
        for (i, env), (j, agent) in itertools.product(enumerate(self.envs), enumerate(self.agents)):
            noise = 1 + 0.1 * generator.normal(size=runs)
            self.data[env, agent] = (i + 1) * (j + 2) * self.steps[:, None] ** 0.9 * noise

    def totals(self, env: Any, agent: Any) -> Any:
        return self.data[env, agent][-1]

    def metric(self, name: str, env: Any, agent: Any) -> Any:
        return 100_000 - self.data[env, agent][-1]

    def curve(self, env: Any, agent: Any, series: str = "total") -> Any:
        return self.steps, self.data[env, agent]


def drawn(figure: Any) -> Any:
    """Draws; the renderer of the figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def lines(ax: Any) -> dict[str, Any]:
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


def texts(figure: Any) -> list[Any]:
    """All visible texts, tick labels and end labels included."""
    from matplotlib.text import Text

    from farsight.plot._artists import EndLabels

    hidden = set()
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not low <= tick.get_loc() <= high:
                hidden |= {tick.label1, tick.label2}
    found = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip() and t not in hidden]
    for labels in figure.findobj(EndLabels):
        found += labels.texts
    return found


def assert_clear(figure: Any, inside: bool = True) -> None:
    """No two texts overlap, and all are inside of the figure."""
    renderer = drawn(figure)
    width, height = figure.canvas.get_width_height()
    boxes = [
        (t.get_text(), t.get_window_extent(renderer)) for t in texts(figure) if t.get_rotation() % 90 == 0
    ]
    for text, box in boxes:
        assert not inside or (
            box.x0 >= -1 and box.x1 <= width + 1 and box.y0 >= -1 and box.y1 <= height + 1
        ), text
    for (a, one), (b, two) in itertools.combinations(boxes, 2):
        across = min(one.x1, two.x1) - max(one.x0, two.x0)
        up = min(one.y1, two.y1) - max(one.y0, two.y0)
        assert across < 1 or up < 2, f"{a!r} overlaps {b!r}"


# ---- numbers ----


def test_student_and_intervals_equal_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for degrees, level in itertools.product((1, 2, 3.7, 9, 49, 299, 10_000), (0.9, 0.95, 0.995)):
        expected = stats.t.ppf((1 + level) / 2, degrees)
        assert numbers.student(degrees, level) == pytest.approx(expected, rel=1e-9)
    x = np.random.default_rng(1).normal(size=(3, 12))
    mean, low, high = numbers.mean_interval(x)
    for row, m, a, b in zip(x, mean, low, high):
        ends = stats.t.interval(0.95, 11, loc=row.mean(), scale=stats.sem(row))
        assert (m, a, b) == pytest.approx((row.mean(), *ends))


def test_intervals_leave_nan_out_and_have_none_of_one_run() -> None:
    mean, low, high = numbers.mean_interval([[1.0, np.nan, 3.0], [5.0, np.nan, np.nan], [np.inf, 1.0, 2.0]])
    assert mean.tolist() == [2.0, 5.0, np.inf]
    assert low[0] == pytest.approx(2 - 12.7062047364) and high[0] == pytest.approx(2 + 12.7062047364)
    assert np.isnan(low[1:]).all() and np.isnan(high[1:]).all()


def test_quartiles_equal_numpy_and_take_infinite_values() -> None:
    x = np.random.default_rng(2).normal(size=(2, 11))
    got = numbers.quartiles(x)
    assert np.allclose(got, [np.quantile(x, q, axis=1) for q in (0.5, 0.25, 0.75)])
    median, low, high = numbers.quartiles([[1.0, 2.0, np.inf, np.inf, np.inf]])
    assert (median[0], low[0], high[0]) == (np.inf, 2.0, np.inf)


def test_sign_test_equals_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for wins, losses in ((0, 5), (3, 9), (10, 10), (1500, 1600), (400, 500)):
        expected = stats.binomtest(wins, wins + losses).pvalue
        assert numbers.sign_test(wins, losses) == pytest.approx(expected, rel=0.01)
    assert numbers.sign_test(0, 0) == 1


def test_holm_by_hand() -> None:
    assert numbers.holm([0.01, 0.04, np.nan, 0.03]) == pytest.approx([0.03, 0.06, np.nan, 0.06], nan_ok=True)
    assert numbers.holm([0.9, 0.8]).tolist() == [1, 1]


def test_numbers_as_text() -> None:
    values = [0, 12345.678, -0.5, 2.5e7, 3e9, np.inf, -np.inf, np.nan, 1e-7, 1e15, 1_000_000]
    expected = ["0", "12,346", "−0.5", "25M", "3B", "∞", "−∞", "–", "1e-7", "1e15", "1,000,000"]
    assert [numbers.number(float(v)) for v in values] == expected


def test_labels_are_spread_without_overlap_and_near_where_they_want() -> None:
    from farsight.plot._artists import spread

    generator = np.random.default_rng(3)
    for n in range(1, 12):
        wanted = generator.uniform(0, 100, n).round(-1)
        at = spread(wanted, 8, 0, 100)
        assert (np.diff(np.sort(at)) >= 8 - 1e-9).all() and at.min() >= -1e-9 and at.max() <= 100 + 1e-9
        assert (np.argsort(wanted, kind="stable") == np.argsort(at, kind="stable")).all()
    assert spread(np.array([10.0, 50.0]), 8, 0, 100).tolist() == [10, 50]
    assert spread(np.array([50.0, 50.0]), 8, 0, 100).tolist() == [46, 54]


# ---- curves ----


def test_curves_draw_means_and_bands() -> None:
    fake = Fake(2, 3)
    figure = plot.curves(fake)
    assert len(figure.axes) == 2
    for env, ax in zip(fake.envs, figure.axes):
        assert ax.get_title(loc="left") == env
        assert set(lines(ax)) == set(fake.agents)
        for agent, band in zip(fake.agents, ax.collections):
            x, y = lines(ax)[agent].get_data()
            assert (x == fake.steps).all()
            assert np.allclose(y, fake.data[env, agent].mean(axis=1))
            expected = numbers.mean_interval(fake.data[env, agent])
            edge = band.get_paths()[0].vertices
            assert edge[:, 1].max() == pytest.approx(expected.high.max())
            assert {round(v, 6) for v in expected.low} <= {round(v, 6) for v in edge[:, 1]}
    title, subtitle = (text.get_text() for text in figure.texts[:2])
    assert title == "Total reward" and subtitle == "mean and 95% interval of 10 runs, 10,000 steps"


def test_curves_per_step_divide_by_the_steps_between_checkpoints() -> None:
    fake = Fake(1, 1)
    (ax,) = plot.curves(fake, per_step=True).axes
    y = lines(ax)["delayed-q"].get_ydata()
    total = fake.data[fake.envs[0], "delayed-q"].mean(axis=1)
    assert y[0] == pytest.approx(total[0] / fake.steps[0])
    assert y[5] == pytest.approx((total[5] - total[4]) / (fake.steps[5] - fake.steps[4]))


def test_curves_of_medians_and_runs() -> None:
    fake = Fake(1, 2, runs=5)
    (ax,) = plot.curves(fake, show="median", runs=True).axes
    middle = np.median(fake.data[fake.envs[0], "delayed-q"], axis=1)
    assert np.allclose(lines(ax)["delayed-q"].get_ydata(), middle)
    assert len(ax.lines) == 2 + 2 * 5


@pytest.mark.parametrize(("n_envs", "n_agents"), [(1, 1), (1, 8), (2, 3), (4, 8), (9, 3)])
@pytest.mark.parametrize("names", [AGENTS, LONG])
def test_curves_have_no_overlapping_labels(n_envs: int, n_agents: int, names: list[str]) -> None:
    figure = plot.curves(Fake(n_envs, n_agents, names=names))
    assert len(figure.axes) == n_envs
    assert_clear(figure)


def test_short_names_stand_at_line_ends_and_long_ones_in_a_legend() -> None:
    from farsight.plot._artists import EndLabels

    short, long = plot.curves(Fake(1, 4)), plot.curves(Fake(1, 4, names=LONG))
    assert [len(e.texts) for e in short.findobj(EndLabels)] == [4] and not short.legends
    assert not long.findobj(EndLabels) and len(long.legends[0].get_texts()) == 4
    assert not plot.curves(Fake(1, 4), labels="none").findobj(EndLabels)


def test_end_labels_stay_apart_after_a_change_of_size() -> None:
    fake = Fake(1, 8)
    for agent in fake.agents:  # all lines end in the same point
        fake.data[fake.envs[0], agent][:] = fake.data[fake.envs[0], "delayed-q"]
    figure = plot.curves(fake)
    assert_clear(figure)
    figure.set_size_inches(5, 3.4)
    assert_clear(figure, inside=False)


def test_steps_are_on_a_log_axis_where_checkpoints_are_and_curves_do_not_just_add_up() -> None:
    fake = Fake(1, 2)
    assert plot.curves(fake).axes[0].get_xscale() == "linear"
    assert plot.curves(fake, xscale="log").axes[0].get_xscale() == "log"
    assert plot.curves(fake, per_step=True).axes[0].get_xscale() == "log"
    fake.data[fake.envs[0], "delayed-q"][::2] *= 0.5
    assert plot.curves(fake).axes[0].get_xscale() == "log"
    assert plot.curves(fake, scale="log").axes[0].get_yscale() == "log"


def odd(how: str) -> Fake:
    fake = Fake(1, 3)
    first, second = (fake.data[fake.envs[0], agent] for agent in fake.agents[:2])
    if how == "nan":
        first[:] = np.nan
        second[3:, 2:] = np.nan
    elif how == "infinite":
        first[:] = np.inf
        second[5:] = -np.inf
    elif how == "constant":
        for values in fake.data.values():
            values[:] = 5.0
    elif how == "zero":
        for values in fake.data.values():
            values[:] = 0.0
    elif how == "negative":
        for values in fake.data.values():
            values *= -1e6
    elif how == "empty cell":
        fake.data[fake.envs[0], fake.agents[0]] = np.empty((len(fake.steps), 0))
    elif how == "dollars":
        fake = Fake(1, 2, names=[r"a_$\frac{$", "b$"])
    elif how == "one run":
        fake = Fake(1, 3, runs=1)
    elif how == "one checkpoint":
        fake = Fake(1, 3, k=1)
    return fake


ODD = [
    "nan",
    "infinite",
    "constant",
    "zero",
    "negative",
    "empty cell",
    "dollars",
    "one run",
    "one checkpoint",
]


@pytest.mark.parametrize("how", ODD)
@pytest.mark.parametrize("kind", ["curves", "intervals", "differences", "matrix", "improvements", "profiles"])
def test_odd_numbers_are_drawn_without_a_warning(how: str, kind: str) -> None:
    fake = odd(how)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if kind == "profiles" and how in ("constant", "zero"):
            with pytest.raises(ValueError, match="no scale"):
                plot.results(fake, kind)
            return
        figure = plot.results(fake, kind)
        drawn(figure)


@pytest.mark.parametrize("scale", ["log", "symlog"])
@pytest.mark.parametrize("how", ["infinite", "zero", "negative"])
def test_odd_numbers_on_log_axes(how: str, scale: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn(plot.curves(odd(how), scale=scale))
        drawn(plot.intervals(odd(how), scale=scale))


def test_what_is_wrong_is_said() -> None:
    fake = Fake(2, 2)
    with pytest.raises(KeyError, match="unknown agent 'x'; there are: delayed-q"):
        plot.curves(fake, agent="x")
    with pytest.raises(IndexError, match="environment 2 is out of range: there are 2"):
        plot.curves(fake, env=2)
    with pytest.raises(ValueError, match="scale must be one of"):
        plot.curves(fake, scale="cubic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no figure 'pie': curves, intervals"):
        plot.results(fake, "pie")
    with pytest.raises(ValueError, match='theme must be "light", "dark" or None'):
        plot.curves(fake, theme="blue")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no agent to compare"):
        plot.differences(Fake(1, 1))
    fake.curve = lambda *_: (np.empty(0), np.empty((0, 0)))  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="no curve of 'total'"):
        plot.curves(fake)
    assert len(plot.results(fake).axes) == 2  # intervals instead


def test_a_panel_of_the_caller() -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.subplots(1, 3)
    fake = Fake(2, 3)
    assert plot.curves(fake, env=0, ax=axes[0]) is figure
    plot.intervals(fake, env=1, ax=axes[1])
    plot.profiles(fake, ax=axes[2])
    assert len(figure.axes) == 3 and len(lines(axes[0])) == 3 and not figure.texts
    with pytest.raises(ValueError, match="room for one environment, but there are 2"):
        plot.curves(fake, ax=axes[0])


# ---- comparisons ----


def test_intervals_draw_the_means_and_all_runs() -> None:
    fake = Fake(1, 3, runs=7)
    (ax,) = plot.intervals(fake).axes
    dots = [line for line in ax.lines if line.get_linestyle() == "None"]
    means = {round(float(line.get_xdata()[0]), 6) for line in ax.lines if len(line.get_xdata()) == 2}
    for line, agent in zip(dots, fake.agents):
        assert np.allclose(np.sort(line.get_xdata()), np.sort(fake.totals(fake.envs[0], agent)))
        assert round(fake.totals(fake.envs[0], agent).mean(), 6) in means
    assert [t.get_text() for t in ax.get_yticklabels()] == fake.agents


def test_runs_that_are_infinite_are_counted() -> None:
    fake = Fake(1, 2)
    fake.data[fake.envs[0], "delayed-q"][-1, :3] = np.inf
    (ax,) = plot.intervals(fake).axes
    assert [t.get_text() for t in ax.texts] == ["∞ in 3 of 10"]


def test_differences_are_paired() -> None:
    fake = Fake(1, 2, runs=9)
    d = fake.totals(fake.envs[0], "r-max:m=5") - fake.totals(fake.envs[0], "delayed-q")
    (ax,) = plot.differences(fake, baseline="delayed-q").axes
    points = [line.get_xdata() for line in ax.lines]
    _, low, high = numbers.mean_interval(d)
    assert any(len(p) == 1 and p[0] == pytest.approx(d.mean()) for p in points)
    assert any(len(p) == 2 and p == pytest.approx([low[0], high[0]]) for p in points)


def test_pairs_are_matched_by_replicates() -> None:
    fake: Any = Fake(1, 2, runs=4)
    x, y = np.array([9.0, 9, 1, 5]), np.array([2.0, 3, 0, 0])
    for agent, row in zip(fake.agents, (x, y)):
        fake.data[fake.envs[0], agent][-1] = row
    fake.replicates = lambda env, agent: np.array([0, 1, 2, 3] if agent == fake.agents[0] else [2, 3, 4, 5])
    better, _ = plot.improvement_matrix(fake)
    assert better[0, 1] == np.mean([x[2] > y[0], x[3] > y[1]]) == 0.5


def test_matrix_counts_pairs_with_ties_by_half() -> None:
    fake = Fake(1, 3, runs=4)
    rows = ([1.0, 2, 3, 4], [1.0, 1, 1, 9], [0.0, 0, 0, 0])
    for agent, row in zip(fake.agents, rows):
        fake.data[fake.envs[0], agent][-1] = row
    better, p = plot.improvement_matrix(fake)
    assert better[0].tolist()[1:] == [2.5 / 4, 1.0] and better[1, 0] == 1.5 / 4 and np.isnan(better[0, 0])
    raw = [numbers.sign_test(2, 1), numbers.sign_test(4, 0), numbers.sign_test(4, 0)]
    assert p[0, 1:].tolist() + [p[1, 2]] == pytest.approx(numbers.holm(raw))
    assert np.array_equal(p, p.T, equal_nan=True)
    less, _ = plot.improvement_matrix(fake, lower=True)
    assert less[0, 1] == 1.5 / 4
    words = {t.get_text() for t in plot.matrix(fake).axes[0].texts}
    assert {"0.62", "0.38", "1.00", "0.00"} <= words


def test_matrix_of_a_metric_of_which_less_is_better() -> None:
    fake = Fake(1, 2)  # the second agent earns more, and its regret is less
    assert plot.improvement_matrix(fake, "regret")[0][1, 0] == 1


def test_improvements_are_those_of_the_matrix() -> None:
    fake = Fake(2, 3, runs=30)
    better, _ = plot.improvement_matrix(fake)
    (ax,) = plot.improvements(fake, baseline=0).axes
    values = [float(t.get_text().split()[0]) for t in ax.texts]
    assert values == pytest.approx(better[1:, 0], abs=0.005)


def test_profiles_are_shares_of_runs_above_tau() -> None:
    from farsight.plot._profiles import profile

    scores = [np.array([0.0, 0.5, 1.0, 1.0]), np.array([0.2, 0.7])]
    taus = np.array([0.0, 0.5, 0.9])
    value, low, high = profile(scores, taus)
    expected = [np.mean([(x > tau).mean() for x in scores]) for tau in taus]
    assert value == pytest.approx(expected)
    assert (low <= value + 1e-12).all() and (value <= high + 1e-12).all()
    figure = plot.profiles(Fake(3, 4))
    assert len(lines(figure.axes[0])) == 4
    assert_clear(figure)


@pytest.mark.parametrize("kind", ["intervals", "differences", "improvements", "profiles", "matrix"])
@pytest.mark.parametrize("names", [AGENTS, LONG])
@pytest.mark.parametrize(("n_envs", "n_agents"), [(1, 2), (3, 8)])
def test_comparisons_have_no_overlapping_labels(
    kind: str, names: list[str], n_envs: int, n_agents: int
) -> None:
    assert_clear(plot.results(Fake(n_envs, n_agents, names=names), kind))


# ---- layouts ----


def grid(width: int = 4, height: int = 3, **more: Any) -> fs.MDP:
    x, y = (a.ravel() + 0.5 for a in np.meshgrid(np.arange(width), np.arange(height)))
    n = width * height
    layout = {
        "kind": "grid",
        "width": width,
        "height": height,
        "x": x,
        "y": y,
        "labels": ["S"] + [""] * (n - 1),
    }
    arrows = {"dx": [-1, 0, 1, 0], "dy": [0, 1, 0, -1], "action_labels": ["left", "down", "right", "up"]}
    walls = np.array([[1.0, 1, 1, 2], [2, 1, 3, 2]])
    rows = {
        "n_states": n,
        "n_actions": 4,
        "offsets": np.arange(4 * n + 1),
        "probability": np.ones(4 * n),
        "next": np.repeat(np.arange(n), 4),
        "reward": np.zeros(4 * n),
        "start_state": np.arange(n),
        "start_probability": np.full(n, 1 / n),
    }
    return fs.MDP.from_arrays(rows, layout={**layout, **arrows, "walls": walls, **more})


def test_values_colour_the_states_where_they_are() -> None:
    from matplotlib.collections import PolyCollection

    model = grid()
    values = np.arange(12.0)
    values[5] = np.nan
    figure = plot.values(model, values)
    (cells,) = figure.axes[0].findobj(PolyCollection)
    assert len(cells.get_paths()) == 12
    assert cells.get_paths()[6].vertices.mean(axis=0) == pytest.approx([2.5, 1.5], abs=0.2)
    from matplotlib import colormaps

    assert cells.get_facecolor()[11] == pytest.approx(colormaps["viridis"](1.0))
    assert cells.get_facecolor()[5] == pytest.approx(_rgba(style.theme_of(None).absent))
    assert {"0", "11", "S"} <= {t.get_text() for t in figure.axes[0].texts}
    assert figure.texts[1].get_text() == "12 states, 4 actions"


def _rgba(color: str) -> Any:
    from matplotlib.colors import to_rgba

    return to_rgba(color)


def test_states_and_actions_are_folded_or_split() -> None:
    from matplotlib.collections import PolyCollection

    q = np.arange(48.0).reshape(12, 4)
    words = {t.get_text() for t in plot.values(grid(), q).axes[0].texts}
    assert {"3", "47"} <= words
    assert "182" in {t.get_text() for t in plot.visits(grid(), q).axes[0].texts}  # 44 + 45 + 46 + 47
    (parts,) = plot.values(grid(), q, split=True).axes[0].findobj(PolyCollection)
    assert len(parts.get_paths()) == 48


def test_snapshots_share_their_colours() -> None:
    figure = plot.visits(grid(), {"step 10": np.ones(12), "step 1,000": np.full((12, 4), 25)})
    assert [ax.get_title(loc="left") for ax in figure.axes[:2]] == ["step 10", "step 1,000"]
    assert len(figure.axes) == 3  # and one colour bar
    assert len(plot.values(grid(), np.zeros((5, 12))).axes) == 6
    with pytest.raises(ValueError, match="2 arrays and 1 titles"):
        plot.values(grid(), [np.zeros(12), np.zeros(12)], titles=["a"])


def test_policies_are_arrows_spikes_or_words() -> None:
    from matplotlib.quiver import Quiver

    figure = plot.policy(grid(), np.full(12, 2))
    (arrows,) = figure.axes[0].findobj(Quiver)
    assert (arrows.U > 0).all() and np.allclose(arrows.V, 0)
    assert not plot.policy(grid(), np.full((12, 4), 0.25)).axes[0].findobj(Quiver)
    model = grid(dx=[0, 0, 0, 0], dy=[0, 0, 0, 0])
    assert [t.get_text() for t in plot.policy(model, np.full(12, 2)).axes[0].texts].count("right") == 12
    agent = SimpleNamespace(policy=np.eye(4)[np.zeros(12, int)])
    assert (plot.policy(grid(), agent).axes[0].findobj(Quiver)[0].U < 0).all()


def test_arrays_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="12 states"):
        plot.values(grid(), np.zeros(5))
    with pytest.raises(ValueError, match="shape \\(12,\\) or \\(12, actions\\)"):
        plot.values(grid(), [np.zeros(12), np.zeros(3)])
    with pytest.raises(ValueError, match="whole numbers from 0 to 3"):
        plot.policy(grid(), np.full(12, 4))
    with pytest.raises(ValueError, match="an action for each of the 12 states"):
        plot.policy(grid(), np.zeros(3, int))
    with pytest.raises(TypeError, match="expected a model"):
        plot.values(object(), np.zeros(12))


@pytest.mark.parametrize(
    "values", [np.full(12, np.nan), np.full(12, np.inf), np.zeros(12), np.full(12, -3.5)]
)
def test_odd_values_are_drawn(values: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for draw in (plot.values, plot.visits, plot.bonus):
            drawn(draw(grid(), values))
        drawn(plot.values(grid(), values, log=True))


@pytest.mark.parametrize("spec", ["riverswim", "frozen-lake", "loop", "sixarms", "deepsea", "garnet"])
def test_layouts_of_the_library(spec: str) -> None:
    model = fs.MDP(spec)
    agent = fs.Agent("r-max", env=model)
    for what in ("q", "visits", "policy"):
        drawn(plot.agent(model, agent, what))
    with pytest.raises(ValueError, match="no 'x' to draw"):
        plot.agent(model, agent, "x")


# ---- analyses ----


def test_growth_of_an_agent_that_gave_up() -> None:
    """At larger sizes there are no runs of it: points and laws of the others stay theirs."""
    agents = ["delayed-q", "q-learning", "r-max"]
    result = fs.growth("chain", agents, [3, 4, 5, 6, 16, 20], runs=10, max_steps=8000, progress=False)
    assert np.isnan(result.values("q-learning")[1][-1])
    ax = plot.growth(result).axes[0]
    colors = [line.get_color() for line in ax.lines if len(line.get_xdata()) > 2]  # the laws
    assert len(colors) == 3
    for color, agent in zip(colors, agents):
        sizes, medians = result.values(agent)
        drawn = [float(line.get_ydata()[0]) for line in ax.lines if line.get_color() == color
                 and line.get_linestyle() == "None" and line.get_markerfacecolor() != "none"]
        assert drawn == medians[np.isfinite(medians)].tolist()
        law = next(line for line in ax.lines if line.get_color() == color and len(line.get_xdata()) > 2)
        assert law.get_xdata()[-1] == pytest.approx(sizes[np.isfinite(medians)].max())


def test_growth_tuning_paper_and_scores() -> None:
    fit = {"scale": 2.0, "power": 1.5, "power_ci95": 0.1}
    cells = [
        {"size": n, "law": 0, "runs": 5, "median": 2.0 * n**1.5, "low": n, "high": 9 * n, "limit": 100.0}
        for n in (2, 4, 8)
    ]
    laws = [{"agent": "a", "polynomial": fit, "better": "polynomial"}]
    figure = plot.growth({"laws": laws, "cells": cells, "key": "n", "env": "chain", "measure": "earned"})
    law = max(figure.axes[0].lines, key=lambda line: len(line.get_xdata()))
    assert law.get_ydata()[-1] == pytest.approx(2 * 8**1.5)
    drawn(figure)
    assert {"5", "10", "20"} <= {t.get_text() for t in figure.axes[0].get_yticklabels()}
    assert_clear(figure)
    points = [{"value": "2", "loss": 0.1, "ci95": 0.02}, {"value": "8", "loss": 0.3, "ci95": 0.02}]
    words = [{"value": "off", "loss": 0.1, "ci95": None}]
    profiles = [{"key": "m", "value": "1", "points": points}, {"key": "ties", "value": "on", "points": words}]
    tuned = {"agents": [{"space": "x", "best": "x:m=1", "normalised": True, "profiles": profiles}]}
    figure = plot.tuning(tuned)
    assert len(figure.axes) == 2
    assert_clear(figure)
    rows = [
        {"table": t, "method": "M", "paper_mean": 5.0, "paper_ci95": 1.0, "mean": 6.0, "ci95": None}
        | {"runs": 3, "steps": 100, "env": "chain", "gamma_e": 0.9}
        for t in (1, 2)
    ]
    figure = plot.paper({"cells": rows})
    assert {5.0, 6.0} <= {
        float(line.get_xdata()[0]) for line in figure.axes[0].lines if len(line.get_xdata()) == 1
    }
    assert_clear(figure)
    estimate = {"value": 0.5, "low": 0.4, "high": 0.6}
    parts = dict.fromkeys(("iqm", "mean", "median", "optimality_gap"), estimate)
    figure = plot.scores({"groups": [{"scores": [{"agent": "a", "environments": 3, **parts}]}]})
    assert len(figure.axes) == 4
    assert_clear(figure)
    for draw, call in (
        (plot.growth, "growth"),
        (plot.tuning, "tune"),
        (plot.paper, "reproduce"),
        (plot.scores, "stats"),
    ):
        with pytest.raises(TypeError, match=f"expected what fs.{call} returns, not int"):
            draw(3)


# ---- looks ----


@pytest.mark.parametrize("name", ["light", "dark"])
def test_colours_are_apart_for_the_colour_blind_and_from_the_background(name: Any) -> None:
    look = style.theme_of(name)
    views = [  # Machado, Oliveira & Fernandes 2009, severity 1: nobody, protan-, deutan-, tritanopia
        np.eye(3),
        np.array(
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ]
        ),
        np.array(
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
        ),
        np.array(
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ]
        ),
    ]
    rgb = np.array([_rgba(c)[:3] for c in (*look.colors, look.face)])
    linear = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    light = linear @ [0.2126, 0.7152, 0.0722] + 0.05
    assert (np.maximum(light[:-1], light[-1]) / np.minimum(light[:-1], light[-1]) >= 3).all()
    for view in views:
        lab = _lab(np.clip(linear @ view.T, 0, 1))
        apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)[np.triu_indices(len(lab), 1)]
        assert apart.min() > 12


def _lab(linear: Any) -> Any:
    xyz = linear @ np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]).T
    f = xyz / [0.9505, 1, 1.089]
    f = np.where(f > 0.008856, np.cbrt(f), 7.787 * f + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def test_no_two_agents_look_the_same() -> None:
    marks = style.marks(24, style.theme_of("light"))
    assert (
        len({(m.color, m.marker) for m in marks}) == 24
        and len({(m.color, str(m.dashes)) for m in marks}) == 24
    )


def test_figures_follow_the_background_of_matplotlib() -> None:
    import matplotlib

    with matplotlib.rc_context({"figure.facecolor": "black"}):
        assert plot.curves(Fake()).get_facecolor() == _rgba("black")
        assert style.theme_of(None).dark and not style.theme_of("light").dark
    assert plot.curves(Fake(), theme="dark").get_facecolor() == _rgba(style.theme_of("dark").face)


def test_no_setting_is_changed_and_pyplot_is_not_used() -> None:
    code = """if True:
        import sys, numpy as np
        import farsight.plot as plot
        assert "matplotlib" not in sys.modules
        import matplotlib
        before = matplotlib.rcParams.copy()
        class R:
            envs, agents = ["e"], ["a", "b"]
            def totals(self, e, a): return np.arange(5.0) + (a == "b")
            def curve(self, e, a, series="total"): return [1, 2, 3], np.ones((3, 5))
        for kind in ("curves", "intervals", "differences", "matrix", "improvements", "profiles"):
            plot.results(R(), kind)._repr_png_()
        assert "matplotlib.pyplot" not in sys.modules
        assert all(before[k] == matplotlib.rcParams[k] for k in before if "backend" not in k)
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_notebooks_show_figures() -> None:
    figure: Any = plot.curves(Fake())
    data, size = figure._repr_png_()
    assert data.startswith(b"\x89PNG") and size == {"width": 634, "height": 384}
    assert plot.preview(Fake()).startswith(
        '<img alt="figure of the results" width="634" src="data:image/png;base64,'
    )
    copy = pickle.loads(pickle.dumps(figure))
    assert type(copy) is type(figure) and copy._repr_png_()[0].startswith(b"\x89PNG")


def test_without_matplotlib_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] == "matplotlib":
            raise ImportError("No module named 'matplotlib'", name="matplotlib")
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "farsight.plot._artists", raising=False)
    monkeypatch.setattr(builtins, "__import__", absent)
    calls = [lambda kind=kind: plot.results(Fake(), kind) for kind in plot._KINDS]
    calls += [lambda: plot.values(grid(), np.zeros(12)), lambda: plot.policy(grid(), np.zeros(12, int))]
    calls += [lambda draw=draw: draw({}) for draw in (plot.growth, plot.tuning, plot.paper, plot.scores)]
    for call in calls:
        with pytest.raises(ImportError, match=r'pip install "farsight\[plot\]"'):
            call()
    assert plot.preview(Fake()) == ""


# ---- real results ----


@pytest.mark.skipif(not hasattr(fs, "run"), reason="studies are not there yet")
def test_real_results() -> None:
    agents = ["delayed-q", "r-max:m=2", "psrl"]
    r = fs.run(
        ["chain:n=[3,5]"], agents, steps=300, runs=8, curve="log 8", metrics=["regret"], progress=False
    )
    for kind in plot._KINDS:
        assert_clear(r.plot(kind))
        drawn(r.plot(kind, series="regret"))
    ax = r.plot().axes[1]
    steps, values = r.curve(1, 0)
    x, y = lines(ax)["delayed-q"].get_data()
    assert (x == steps).all() and y == pytest.approx(values.mean(axis=1))
    rows = r.curves(library="numpy")
    chosen = (rows["env"] == r.envs[1]) & (rows["agent"] == "delayed-q") & (rows["series"] == "total")
    _, low, high = numbers.mean_interval(values)
    assert low == pytest.approx(rows["low"][chosen]) and high == pytest.approx(rows["high"][chosen])


@pytest.mark.skipif(not hasattr(fs, "stats"), reason="comparisons are not there yet")
def test_real_comparisons() -> None:
    r = fs.run(["chain:n=[3,5]"], ["delayed-q", "r-max:m=2", "psrl"], steps=300, runs=8, progress=False)
    c = r.compare(baseline="delayed-q", resamples=200)
    for draw in (
        plot.intervals,
        plot.differences,
        plot.matrix,
        plot.improvements,
        plot.profiles,
        plot.scores,
    ):
        drawn(draw(c))
    assert np.allclose(plot.improvement_matrix(c)[0], plot.improvement_matrix(r)[0], equal_nan=True)
    text = json.dumps(c.data["groups"][0]["improvement"])
    assert str(round(plot.improvement_matrix(c)[0][1, 0], 3))[:4] in text


@pytest.mark.parametrize("curve", [None, 4])
@pytest.mark.parametrize("kind", ["curves", "intervals", "profiles", "differences", "matrix"])
def test_unknown_labels_are_suggested(curve: int | None, kind: str) -> None:
    r = fs.run("chain", ["psrl", "q-learning"], steps=100, runs=4, curve=curve, progress=False)
    with pytest.raises(fs.UnknownError, match="unknown environment 'chian'; did you mean 'chain'"):
        r.plot(kind, env="chian")


# ---- models without a layout ----


def plain_model(states: int, actions: int, **names: Any) -> fs.MDP:
    rng = np.random.default_rng(1)
    return fs.MDP(rng.dirichlet(np.ones(states), (states, actions)), rng.random((states, actions)), **names)


def words(figure: Any) -> list[str]:
    return [text.get_text() for ax in figure.axes for text in ax.texts]


def test_names_of_states_and_actions_are_drawn() -> None:
    m = plain_model(3, 2, state_names=["low", None, "high"], action_names=["wait", "go"])
    assert {"low", "high"} <= set(words(plot.values(m, [1.0, 2.0, 3.0])))
    figure = plot.policy(m, [0, 1, 0])
    assert sorted(words(figure)) == ["go", "high", "low", "wait", "wait"]


def test_long_names_of_actions_are_above() -> None:
    m = plain_model(12, 3, action_names=["wait for the next day", "go", "call somebody else"])
    figure = plot.policy(m, [0, 1] * 6)
    assert set(words(figure)) == {"0", "1"}
    above = " ".join(text.get_text() for text in figure.texts)
    assert "0 wait for the next day, 1 go" in above and "call" not in above


def test_names_of_states_that_do_not_fit_are_left_out() -> None:
    m = plain_model(12, 1, state_names=["the first of all states, with a long name", *"bcdefghijkl"])
    assert set(words(plot.values(m, np.arange(12.0), text=False))) == set("bcdefghijkl")


@pytest.mark.parametrize(
    ("states", "columns", "rows"), [(1, 1, 1), (11, 11, 1), (20, 20, 1), (21, 11, 2), (41, 14, 3), (101, 11, 10)]
)
def test_rows_are_of_about_the_same_length(states: int, columns: int, rows: int) -> None:
    place = layouts._rows(states, 2)
    assert (place.width, place.height) == (columns, rows)
    assert states > columns * (rows - 1) and place.x.max() < columns and place.y.max() < rows
