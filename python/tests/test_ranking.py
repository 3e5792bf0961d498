"""Sequential comparison, against the command and its definition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import farsight as fs
from command import command_json, needs_command

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")

AGENTS = ["delayed-q", "r-max", "random"]


@needs_command
def test_the_decisions_of_the_command(tmp_path: Path) -> None:
    store = tmp_path / "r.db"
    until = "rank=5%,first=30"
    r = fs.run(
        ["chain:n=4", "loop"],
        AGENTS,
        steps=200,
        runs=150,
        until=until,
        store=store,
        progress=False,
    )
    ranking = fs.rank(r)
    envs = ["-e", "chain:n=4", "-e", "loop"]
    agents = [word for agent in AGENTS for word in ("-a", agent)]
    ours = command_json(
        "run",
        "-q",
        *envs,
        *agents,
        "--steps",
        200,
        "--runs",
        150,
        "--until",
        until,
        "--store",
        store,
    )
    assert sum(cell["runs"] for cell in ours["cells"]) == r.reused + r.computed
    for pair, theirs in zip(ranking.pairs, ours["ranking"]["pairs"], strict=True):
        better = {"first": pair.first, "second": pair.second, "tie": None}[
            theirs["better"]
        ]
        assert (pair.env, pair.first, pair.second, pair.better) == (
            theirs["env"],
            theirs["first"],
            theirs["second"],
            better,
        )
        assert (pair.runs, pair.look, pair.p) == (
            theirs["runs"],
            theirs["look"],
            theirs["p"],
        )
        assert (pair.difference, pair.p_adjusted) == (
            theirs["difference"],
            theirs["p_adjusted"],
        )
    for env in ranking.envs:
        of = {
            row["agent"]: (row["best"], row["worst"])
            for row in ours["ranking"]["ranks"]
            if row["env"] == env
        }
        assert ranking.ranks(env) == of
    assert ranking.alpha == 0.05 and ranking.ties == ours["ranking"]["ties"]


def test_arrays() -> None:
    rng = np.random.default_rng(1)
    x = {
        "a": rng.normal(0, 1, 300),
        "b": rng.normal(1, 1, 300),
        "c": rng.normal(1, 1, 300),
    }
    ranking = fs.rank(x)
    assert [pair.better for pair in ranking.pairs] == ["b", "c", None]
    assert ranking.pairs[0].runs == 100 and ranking.pairs[2].runs == 225
    assert ranking.ranks() == {"a": (3, 3), "b": (1, 2), "c": (1, 2)}
    assert ranking.ties == 1 and "a and b: b is better after 100 runs" in str(ranking)
    assert [pair.better for pair in fs.rank(x, better="lower").pairs] == [
        "a",
        "a",
        None,
    ]
    frame = ranking.frame("numpy")
    assert frame["better"].tolist() == ["b", "c", ""] and frame["runs"].tolist() == [
        100,
        100,
        225,
    ]
    both = fs.rank({"one": x, "two": x})
    assert (
        len(both.pairs) == 6 and both.pairs[0].p_adjusted >= ranking.pairs[0].p_adjusted
    )
    assert both.ranks("two") == ranking.ranks()
    again = fs.rank(
        {key: value[:150] for key, value in x.items()}
    )  # asked with fewer runs: the same
    assert again.pairs[0] == ranking.pairs[0]


def test_few_runs_and_ties() -> None:
    few = fs.rank({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    assert (
        few.pairs[0].better is None
        and few.pairs[0].runs == 0
        and np.isnan(few.pairs[0].difference)
    )
    equal = fs.rank({"a": [1.0] * 300, "b": [1.0] * 300})
    assert equal.pairs[0].better is None and equal.pairs[0].p == 1


def test_bad_input() -> None:
    x = {"a": [1.0] * 100, "b": [2.0] * 100}
    for alpha in (0, 1, -1, float("nan")):
        with pytest.raises(ValueError, match="probability of error"):
            fs.rank(x, alpha)
    with pytest.raises(ValueError, match="two agents or more"):
        fs.rank({"a": [1.0] * 100})
    with pytest.raises(ValueError, match="value 99 is not a number"):
        fs.rank({**x, "b": [2.0] * 99 + [float("nan")]})
    with pytest.raises(ValueError, match="first look"):
        fs.rank(x, first=1)
    with pytest.raises(ValueError, match="'higher' or 'lower'"):
        fs.rank(x, better="more")
    with pytest.raises(ValueError, match="other agents"):
        fs.rank({"one": x, "two": {"a": [1.0]}})
    with pytest.raises(ValueError, match="one dimension"):
        fs.rank({"a": [[1.0]], "b": [[2.0]]})
    with pytest.raises(TypeError, match="results or a dict"):
        fs.rank([1.0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a ranking needs two agents"):
        fs.run(
            "chain:n=4", "random", steps=10, runs=40, until="rank=5%", progress=False
        )


def test_metrics() -> None:
    r = fs.run(
        "chain:n=4",
        ["delayed-q", "random"],
        steps=200,
        runs=120,
        metrics=["regret:gamma=0.9"],
        progress=False,
    )
    assert fs.rank(r).pairs[0].better == "delayed-q"
    assert fs.rank(r, series="regret", better="lower").pairs[0].better == "delayed-q"
    with pytest.raises(fs.UnknownError):
        fs.rank(r, series="regrets")
