"""The benchmark, against the command; entries in Python that fail or read the seed."""

from __future__ import annotations

import contextlib
import math
import pickle
from pathlib import Path
from typing import Any

import pytest

import farsight as fs
from command import command_json, needs_command

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")
SETTINGS = ["continuing", "episodic", "finite horizon"]
TOLD: list[int] = []


class Fails(fs.PyAgent):
    """Raises an exception, and notes what it was told."""

    def __init__(self) -> None:
        self.steps = 0

    def act(self, s: int) -> int:
        return 0

    def observe(self, s: int, a: int, r: float, next: int, done: bool, truncated: bool = False) -> None:
        self.steps += 1
        if self.steps == 7:
            TOLD.append(self.seed)
            raise ValueError("the battery is empty")


@pytest.fixture(scope="module")
def small() -> fs.Benchmark:
    return fs.benchmark([fs.agents["random"], "q-learning", "ucbvi"], tuning=True, runs=2, progress=False)


def test_standings(small: fs.Benchmark) -> None:
    assert [s.setting for s in small.standings] == ["continuing"] * 2 + ["episodic"] * 2 + ["finite horizon"] * 3
    assert {s.setting for s in small.standings if s.agent == "ucbvi"} == {"finite horizon"}
    best = small.standings[0]
    assert best.agent == "q-learning" and best.first == 1 and best.low < best.score < best.high
    assert best.seconds > 0 and not best.impossible and best.failure == "" and small.failed == []
    assert best.least <= best.score and best.weakest
    table = small.table("standings", "numpy")
    assert list(table["agent"]) == [s.agent for s in small.standings]
    assert len(small.table("problems", "numpy")["score"]) == 2 * 7 + 2 * 6 + 3 * 6
    profiles = small.table("profiles", "numpy")
    assert list(profiles["agent"]) == [s.agent for s in small.standings] and len(profiles) == 2 + 3 * 5
    assert all(profiles["above_0.25"] >= profiles["above_0.95"])
    assert small.data["command"] == "benchmark" and "3 agents" in repr(small)
    assert pickle.loads(pickle.dumps(small)).standings == small.standings


def test_locked_in(small: fs.Benchmark) -> None:
    table = small.table("standings", "numpy")
    assert list(table["late"]) == [s.late for s in small.standings]
    assert list(table["locked_in"]) == [s.locked_in / s.judged for s in small.standings]
    for s in small.standings:
        assert s.judged == 2 * (7 if s.setting == "continuing" else 6)
        assert s.agent != "random" or s.locked_in == s.judged


def test_long_runs() -> None:
    b = fs.benchmark("optimal", tuning=True, long=True, runs=2, progress=False)
    assert [s.locked_in for s in b.standings] == [0, 0, 0] and all(s.late > 0.95 for s in b.standings)
    assert "2 runs of 1000000 steps" in " ".join(str(b).split())


def test_score() -> None:
    b = fs.benchmark(["random", "q-learning", "optimal"], tuning=True, runs=2, score="regret", progress=False)
    assert [s.agent for s in b.standings] == ["optimal", "q-learning", "random"] * 2
    assert [s.score for s in b.standings if s.agent == "optimal"] == [1, 1]
    assert "mean_rank" in b.table("standings", "numpy") and "profiles" not in b.data["tables"]
    with pytest.raises(fs.InvalidError, match="no such scale"):
        b.plot()
    with pytest.raises(fs.UnknownError, match="nosuch"):
        fs.benchmark("random", score="nosuch", progress=False)


def test_figure(small: fs.Benchmark) -> None:
    figure = small.plot(width=600)
    assert "Continuing: 7 problems" in figure.svg() and "q-learning" in figure.description
    assert figure.svg() == small.plot("profiles", width=600).svg()
    with pytest.raises(fs.UnknownError, match="profiles"):
        small.plot("matrix")


def test_told_the_steps() -> None:
    def scores(agent: str) -> list[float]:
        return [s.score for s in fs.benchmark([agent], tuning=True, runs=2, progress=False).standings]

    assert scores("delayed-q") == scores("delayed-q:steps=20000") != scores("delayed-q:steps=10000")


@needs_command
def test_the_table_of_the_command(small: fs.Benchmark) -> None:
    given = ("-a", "random", "-a", "q-learning", "-a", "ucbvi", "--tuning", "--runs", "2")
    rows = command_json("benchmark", *given)["tables"]["standings"]
    assert [(r["agent"], r["score"]["value"]) for r in rows] == [(s.agent, s.score) for s in small.standings]


def test_an_agent_that_fails() -> None:
    TOLD.clear()
    b = fs.benchmark([Fails, "random"], tuning=True, runs=2, progress=False, threads=1)
    assert [s.agent for s in b.failed] == [Fails.spec()] * 3 and len(b.standings) == 6
    failure = b.failed[0].failure
    assert failure == "chain:n=8: fails, step 7 of replicate 0: ValueError: the battery is empty"
    assert math.isnan(b.failed[0].score) and math.isnan(b.failed[0].seconds)
    assert "the battery is empty" in str(b) and "Python exception" not in str(b)
    assert set(TOLD) and 2026 not in TOLD


def test_store_and_refusals(tmp_path: Path) -> None:
    store = tmp_path / "b.db"
    first = fs.benchmark("random", tuning=True, runs=2, store=store, progress=False)
    again = fs.benchmark("random", tuning=True, runs=2, store=store, progress=False)
    assert first.standings == again.standings  # with the times, which are those of the first
    with pytest.raises(fs.UnknownError, match="nosuch"):
        fs.benchmark("nosuch", progress=False)
    with pytest.raises(ValueError, match="at least 2"):
        fs.benchmark("random", runs=1, progress=False)

    def stop(at: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(fs.Interrupted, match="b.db keeps all runs"):
        fs.benchmark("mbie", tuning=True, runs=50, store=store, progress=stop)


def test_suite() -> None:
    table = fs.benchmark_suite().table(library="numpy")
    assert len(table["problem"]) == 40 and set(table["setting"]) == set(SETTINGS)
    assert (table["gap"] > 0).all() and (table["diameter"] > 1).all()


def test_an_exception_when_all_is_done() -> None:
    """As Ctrl-C in the last moment: it is raised, or comes too late; in neither case is there a SystemError."""

    def late(at: Any) -> None:
        if at.runs_done >= at.runs:
            raise LookupError("late")

    with contextlib.suppress(LookupError):
        fs.benchmark("random", runs=2, progress=late)
