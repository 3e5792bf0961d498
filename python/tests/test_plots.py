"""Figures: every kind from every source, their numbers, hostile names, files, errors; the page of results."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs

KINDS = list(fs.plot.kinds())
OF_RUNS = ["curves", "visits", "q", "bonus", "e", "learn", "value", "policy"]  # a comparison has no such numbers
HOSTILE = ['<script>alert("x")</script>', "a & 'b' ]]> --><!--", "דרך 🐍🐍", "x" * 250]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def r() -> fs.Results:
    agents = ["directed-delayed-q:m=[2,5]", "q-learning"]
    return fs.run(
        ["chain:n=[4,6]", "riverswim"],
        agents,
        steps=300,
        runs=8,
        metrics="regret",
        curve=[100, 300],
        progress=False,
    )


@pytest.fixture(scope="module")
def c(r: fs.Results) -> fs.Comparison:
    return r.compare("q-learning", resamples=200)


def texts(figure: fs.Figure) -> list[str]:
    """The texts of a drawing, which is well-formed XML."""
    return [element.text or "" for element in ET.fromstring(figure.svg()).iter(f"{SVG}text")]


def numbers(figure: fs.Figure, name: str) -> list[list[float]]:
    """The numbers behind the lines of a drawing: data-NAME of each."""
    return [[float(x) for x in found.split()] for found in re.findall(rf' data-{name}="([^"]*)"', figure.svg())]


# ---- kinds ----


def test_the_kinds_are_those_of_the_library() -> None:
    assert KINDS[:2] == ["curves", "intervals"] and set(OF_RUNS) < set(KINDS)
    assert {"differences", "improvements", "matrix", "profiles", "scores", "sensitivity", "growth", "hardness"} < set(KINDS)
    assert all(getattr(fs.plot, kind).__name__ == kind for kind in KINDS)
    assert "means" in (fs.plot.intervals.__doc__ or "")  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_from_every_source(kind: str, r: fs.Results, c: fs.Comparison) -> None:
    figure = r.plot(kind, resamples=200)
    assert figure.kind == kind and figure.title and len(figure.description) > 20
    assert repr(figure) == f"<Figure {kind}: {figure.title}>"
    with r.store() as store:
        same = fs.plot.draw(kind, store, resamples=200)
        assert same.kind == kind and same.title == figure.title
    if kind in OF_RUNS:
        with pytest.raises(ValueError, match="shows no comparison"):
            c.plot(kind)
    else:
        assert c.plot(kind).kind == kind


def test_a_path_is_a_source(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    made = fs.run("chain:n=4", ["q-learning", "r-max"], steps=50, runs=4, store=path, progress=False)
    assert fs.plot.intervals(path).svg() == fs.plot.draw("intervals", str(path)).svg()  # type: ignore[attr-defined]
    assert texts(made.plot()) == texts(fs.plot.draw("intervals", path, agents=made.agents))


def test_curves_are_those_of_the_results(r: fs.Results) -> None:
    figure = r.plot("curves", envs="riverswim", agents="q-learning", series="regret")
    frame = r.curves("numpy")
    chosen = (frame["env"] == "riverswim") & (frame["agent"] == "q-learning") & (frame["series"] == "regret")
    assert numbers(figure, "x")[0] == [100, 300]
    for name, column in (("y", "mean"), ("low", "low"), ("high", "high")):
        assert numbers(figure, name)[0] == pytest.approx(frame[column][chosen], rel=1e-5)


def test_intervals_differences_and_pairs_are_those_of_the_comparison(c: fs.Comparison) -> None:
    mean = c.cells("numpy")["mean"][0]
    assert f"{c.groups[0].agents[0]} on {c.groups[0].envs[0]}: {mean:.3g}"[:-1] in c.plot("intervals").description
    better = c.pairwise("numpy")
    assert better["better"][0] + better["better"][np.flatnonzero(better["other"] == better["agent"][0])[0]] == pytest.approx(1)
    assert any(f"{x:.2f}" in texts(c.plot("matrix")) for x in better["better"])
    difference = c.differences("numpy")["difference"][0]
    assert any(f"{abs(difference):.0f}" in text for text in texts(c.plot("differences")))


def test_baseline_level_and_choices(r: fs.Results) -> None:
    figure = r.plot("differences", baseline=-1, envs=[2], level=0.8, resamples=200)
    assert "q-learning" in figure.title and "80%" in figure.svg() and "chain" not in figure.svg()
    assert "90%" in r.plot("intervals", level=0.9).title
    assert "directed" not in r.plot("intervals", agents=["q-learning"]).svg()
    linear, log = (r.plot("curves", x=x).svg() for x in ("linear", "log"))  # type: ignore[typeddict-item]
    assert linear != log and "per step" in r.plot("curves", per_step=True).title
    assert r.plot("intervals", width=500).width == 500
    assert "the best 1 of 3" in r.plot("intervals", most=1, baseline=None).svg()
    assert "m" in r.plot("sensitivity", parameter="directed-delayed-q:m").title


def test_titles_and_captions(r: fs.Results, c: fs.Comparison) -> None:
    for figure in (r.plot("intervals", title="Mine <1>", caption="below"), c.plot("differences", title="Mine <1>", caption="below")):
        assert figure.title == "Mine <1>" and texts(figure)[:2] == ["Mine <1>", "below"]
        assert "Mine <1>" in figure.tikz()
    none = r.plot("intervals", title="", caption="")
    assert texts(none) == texts(r.plot("intervals"))[2:] and none.title == r.plot("intervals").title
    with pytest.raises(TypeError):
        r.plot("intervals", title=3)  # type: ignore[arg-type]


def test_without_curves_results_are_drawn_as_intervals() -> None:
    assert fs.run("chain:n=4", "q-learning", steps=20, runs=3, progress=False).plot().kind == "intervals"


def test_a_comparison_of_one_environment_has_no_scores(c: fs.Comparison) -> None:
    assert c.plot().kind == "scores"
    one = fs.run("chain:n=4", ["q-learning", "r-max"], steps=20, runs=3, progress=False).compare(resamples=100)
    assert one.plot().kind == "intervals"


def test_simulators_are_drawn_and_compared() -> None:
    gym = pytest.importorskip("gymnasium")
    simulator = fs.Simulator(lambda: gym.make("FrozenLake-v1"), reward_range=(0, 1), name="Lake")
    made = fs.run([simulator, "chain:n=4"], ["q-learning", "r-max"], steps=60, runs=4, curve=2, progress=False)
    figure = made.plot("curves", per_step=True)
    assert numbers(figure, "y")[0] == pytest.approx(np.diff(made.curve(0, 0)[1].mean(axis=1), prepend=0) / 30)
    assert made.compare("q-learning", resamples=100).groups[0].envs == ["Lake", "chain:n=4"]


def test_hostile_names_are_text() -> None:
    model = fs.MDP.from_arrays(fs.MDP("riverswim").arrays())  # one without a spec
    envs = {HOSTILE[0]: model, **{name: f"chain:n={n}" for n, name in enumerate(HOSTILE[1:], 3)}}
    made = fs.run(envs, ["q-learning", "r-max"], steps=50, runs=3, curve=2, progress=False)
    for kind in ("curves", "intervals", "visits", "scores"):
        figure = made.plot(kind, resamples=100)
        assert "<script" not in figure.svg() and texts(figure)
    assert any(HOSTILE[0] in text for text in texts(made.plot("curves")))
    assert any("דרך" in text for text in texts(made.plot("curves")))


# ---- analyses ----


def test_analyses_have_a_figure() -> None:
    tuning = fs.tune("delayed-q:m=[1..3]", "chain:n=3", steps=50, runs=3, evaluate=4, profile=3, progress=False)
    growth = fs.growth("chain", ["delayed-q", "psrl"], [3, 4], runs=4, max_steps=2000, progress=False)
    tables = fs.reproduce(runs=2, progress=False)
    for analysis, kind in ((tuning, "tuning"), (growth, "growth"), (tables, "paper")):
        assert analysis.plot(width=600).kind == kind and analysis.plot().width == 720
        with pytest.raises(KeyError, match=kind):
            analysis.plot("curves")
        with pytest.raises(ValueError, match="pickled"):
            pickle.loads(pickle.dumps(analysis)).plot()
    assert f"{tables.data['cells'][0]['mean']:.0f}" in " ".join(texts(tables.plot()))


# ---- layouts ----


def test_values_policies_and_visits_of_a_model() -> None:
    lake = fs.MDP("frozen-lake")
    s = fs.solve(lake, gamma=0.9)
    figure = fs.plot.values(lake, s.v, policy=s.policy, title='The "best" <b>')
    assert figure.title == 'The "best" <b>' and "<b>" not in figure.svg()
    assert fs.plot.values(lake, {"a": s.q, "b": s.q / 2}).svg().count('class="panel"') == 2
    assert fs.plot.values("frozen-lake", s.v.tolist()).svg() == fs.plot.values(lake, s.v).svg()
    assert fs.plot.values(lake, None, policy=np.full((16, 4), 0.25)).kind == "layout"
    counts = np.zeros((16, 4))
    counts[0] = 3, 4, 0, 0
    assert "7" in texts(fs.plot.values(lake, counts, total=True))
    for wrong, why in (
        (lambda: fs.plot.values(lake, s.v[:3]), r"\(3,\): must be \(16,\) or \(16, 4\)"),
        (lambda: fs.plot.values(lake, [s.v, s.q]), "not of both"),
        (lambda: fs.plot.values(lake, []), "has 0 arrays"),
        (lambda: fs.plot.values(lake, s.v, policy=np.full(16, 4)), "whole numbers from 0 to 3"),
        (lambda: fs.plot.values(lake, [s.v, s.v], policy=[s.policy] * 3), "policy has 3 arrays for 2"),
        (lambda: fs.plot.values(lake, s.v, titles=["a", "b"]), "1 arrays and 2 titles"),
        (lambda: fs.plot.values(lake, [s.v] * 99), "99 arrays"),
    ):
        with pytest.raises(ValueError, match=why):
            wrong()


@pytest.mark.parametrize("what", ["q", "value", "policy", "visits", "learning", "samples", "bonus", "e"])
def test_an_agent_as_it_is(what: str) -> None:
    agent = fs.Agent("directed-delayed-q:m=2", env="riverswim")
    for _ in range(20):
        agent.observe(0, 1, 0.5, 1)
        agent.observe(1, 0, 0.0, 0)
    figure = agent.plot("riverswim", what, exact=what == "q")
    assert "40 steps" in texts(figure) and "2/6 states" in texts(figure)
    assert ("exact" in texts(figure)) == (what == "q")
    if what == "visits":
        assert any("20" in text for text in texts(figure))


def test_agents_that_have_no_such_numbers_or_another_model() -> None:
    agent = fs.Agent("q-learning", env="riverswim")
    with pytest.raises(KeyError, match="q-learning has no such number: exploration bonus"):
        agent.plot("riverswim", "bonus")
    with pytest.raises(ValueError, match="the agent has 6 states"):
        agent.plot("chain:n=4")
    with pytest.raises(ValueError, match="'visits', 'q'"):
        agent.plot("riverswim", "regret")
    loaded = fs.Agent.load_bytes(agent.save_bytes())  # whose visits are unknown
    assert loaded.plot("riverswim").kind == "q"


# ---- figures ----


def test_svg_follows_the_reader_and_is_unique_in_a_page(r: fs.Results) -> None:
    one, two = r.plot("intervals"), r.plot("curves")
    assert "prefers-color-scheme" in one.svg() and "prefers-color-scheme" not in one.svg(theme="dark")
    assert one.svg("dark") != one.svg("light")
    assert one._repr_svg_() == one._repr_svg_() and one.svg() == one.svg()
    ids = [set(re.findall(r' id="([^"]*)"', figure._repr_svg_())) for figure in (one, two)]
    assert ids[0] and not ids[0] & ids[1]
    assert r"\begin{tikzpicture}" in one.tikz()
    image = re.search(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,', r._repr_html_())
    assert image is not None and "q-learning" in image.group(1)


@pytest.mark.parametrize("ending", ["svg", "tex", "pdf", "png"])
def test_files(ending: str, r: fs.Results, tmp_path: Path) -> None:
    if ending in ("pdf", "png") and not (shutil.which("rsvg-convert") or shutil.which("inkscape")):
        with pytest.raises(fs.AbsentError, match="rsvg-convert"):
            r.plot("intervals").save(tmp_path / f"f.{ending}")
        return
    path = tmp_path / f"f.{ending}"
    r.plot("intervals").save(path, theme="dark")
    begins = {"svg": b"<svg ", "tex": b"%", "pdf": b"%PDF", "png": b"\x89PNG"}[ending]
    assert path.read_bytes().startswith(begins) or ending == "tex"


def test_files_that_cannot_be_written(r: fs.Results, tmp_path: Path) -> None:
    figure = r.plot("intervals")
    with pytest.raises(KeyError, match="must end in .svg, .pdf, .png or .tex"):
        figure.save(tmp_path / "f.gif")
    with pytest.raises(OSError, match="cannot write"):
        figure.save(tmp_path / "no" / "f.svg")
    with pytest.raises(ValueError, match="no theme 'blue': 'auto', 'light', 'dark'"):
        figure.save(tmp_path / "f.svg", theme="blue")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        fs.Figure()  # type: ignore[call-arg]


def test_an_agent_on_a_step_of_the_episode() -> None:
    env = "riverswim:n=4,horizon=6"
    agent = fs.Agent("ucbvi", env=env, seed=3)
    for t in range(600):
        s = t % 4
        agent.observe(s, agent.act(s), 1.0 if s == 3 else 0.0, (s + 1) % 4, truncated=t % 6 == 5)
    first, last = (agent.plot(env, "value", exact=True, step=h) for h in (0, 5))
    assert first.svg() != last.svg()
    assert agent.plot(env, "value", exact=True).svg() == first.svg()
    with pytest.raises(ValueError, match="visits are counted over all steps"):
        agent.plot(env, "visits", step=1)
    with pytest.raises(ValueError, match="at least 0"):
        agent.plot(env, step=-1)
    with pytest.raises(ValueError, match="0 ... 5"):
        agent.plot(env, step=6)
    with pytest.raises(ValueError, match="no horizon"):
        fs.Agent("r-max", env="chain:n=4").plot("chain:n=4", step=1)


def test_what_is_wrong_is_said(r: fs.Results, c: fs.Comparison) -> None:
    some: Any = r
    for error, why, call in (
        (KeyError, "no plot 'pie'; there are: curves", lambda: r.plot("pie")),
        (TypeError, "no option 'basline'; did you mean 'baseline'", lambda: some.plot("curves", basline=1)),
        (TypeError, "'series' was chosen when", lambda: fs.plot.draw("scores", c, series="regret")),
        (TypeError, "these results have one", lambda: r.plot("curves", steps=5)),
        (TypeError, "not int", lambda: fs.plot.draw("curves", 3)),
        (TypeError, "not Agent", lambda: fs.plot.draw("q", fs.Agent("q-learning", env="chain"))),
        (KeyError, "unknown agent 'x'", lambda: r.plot("curves", agents="x")),
        (IndexError, "environment 3 is out of range", lambda: r.plot("curves", envs=3)),
        (KeyError, "no curve of 'x'", lambda: r.plot("curves", series="x")),
        (ValueError, "scale of x 'cubic'", lambda: some.plot("curves", x="cubic")),
        (ValueError, "width must be between 300 and 4000", lambda: r.plot("curves", width=20)),
        (ValueError, "most must be between", lambda: r.plot("curves", most=0)),
        (TypeError, "most must be a whole number", lambda: some.plot("curves", most=1.5)),
        (ValueError, "level", lambda: r.plot("curves", level=2)),
        (AttributeError, "pie", lambda: some and fs.plot.pie),  # type: ignore[attr-defined]
        (IndexError, "group 1 is out of range", lambda: c.plot(group=1)),
        (FileNotFoundError, "", lambda: fs.plot.draw("curves", "no-such.db")),
    ):
        with pytest.raises(OSError if error is FileNotFoundError else error, match=why):
            call()


def test_threads_draw_at_once(c: fs.Comparison) -> None:
    expected, found = c.plot("intervals").svg(), []

    def draw() -> None:
        found.extend(c.plot("intervals").svg() for _ in range(5))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 20


def test_results_that_were_pickled_are_drawn(r: fs.Results, c: fs.Comparison) -> None:
    assert pickle.loads(pickle.dumps(r)).plot("curves").svg() == r.plot("curves").svg()
    assert pickle.loads(pickle.dumps(c)).plot().svg() == c.plot().svg()


def test_nothing_imports_matplotlib() -> None:
    program = (
        "import sys, farsight as fs; fs.run('chain:n=3', ['q-learning', 'r-max'], steps=20, runs=2).plot().svg();"
        "assert not {'matplotlib', 'PIL'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True)
    package = Path(fs.__file__).parent
    assert not [path for path in package.rglob("*.py") if "matplotlib" in path.read_text(encoding="utf-8")]


# ---- pages ----


def test_a_report(r: fs.Results, tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    page = fs.report(r, path, baseline="q-learning", resamples=200, progress=False)
    text = path.read_text(encoding="utf-8")
    assert text == page.html() and text.count("<svg") > 5 and "q-learning" in text
    assert f"{r.totals(0, 0).mean():.0f}" in text
    with r.store() as store:
        assert "<svg" not in fs.report(store, figures=False, resamples=200, progress=False).html()
    other = tmp_path / "mine.html"
    other.write_text("mine")
    some: Any = r
    for error, why, call in (
        (ValueError, "left as it is", lambda: page.save(other)),
        (TypeError, "not int", lambda: fs.report(3)),
        (TypeError, "no option 'width'", lambda: fs.report(some, width=300)),
        (ValueError, "audit_runs", lambda: fs.report(r, audit_runs=0, progress=False)),
        (KeyError, "no series 'x'", lambda: fs.report(r, series="x", progress=False)),
    ):
        with pytest.raises(error, match=why):
            call()
    assert other.read_text() == "mine"
