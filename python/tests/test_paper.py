"""The paper's tables, against the command."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, command_json, interrupted, needs_command, timeless


@pytest.fixture(scope="module")
def tables() -> fs.PaperTables:
    return fs.reproduce(runs=5, seed=2)


@needs_command
def test_numbers_are_the_commands(tables: fs.PaperTables) -> None:
    options = ["--runs", "5", "--seed", "2"]
    assert timeless(tables.data) == timeless(command_json("reproduce", *options))
    assert tables.text() == command("reproduce", *options)


def test_totals_have_the_means_of_the_cells(tables: fs.PaperTables) -> None:
    assert len(tables.totals) == len(tables.data["cells"])
    for totals, cell in zip(tables.totals, tables.data["cells"], strict=True):
        assert totals.shape == (5,) and totals.mean() == pytest.approx(cell["mean"])


def test_distance(tables: fs.PaperTables) -> None:
    cells = [c for c in tables.data["cells"] if c.get("gamma_e") is not None and c["paper_mean"] is not None]
    assert len(cells) == 10
    far = np.sqrt(np.mean([(c["mean"] - c["paper_mean"]) ** 2 for c in cells]))
    assert tables.distance == pytest.approx(far)


def test_each_table_is_a_frame(tables: fs.PaperTables) -> None:
    first, second = (tables.paper(n, "numpy") for n in (1, 2))
    assert len(first["ours"]) == len(second["ours"]) == len(tables.totals) // 2
    ours = [cell["mean"] for cell in tables.data["cells"]]
    assert [*first["ours"], *second["ours"]] == ours
    assert "method_spec" not in first and "method_spec" in tables.paper(1, "numpy", parameters=True)
    with pytest.raises(ValueError, match="1 or 2"):
        tables.paper(3)


def test_alternatives_are_a_frame(tables: fs.PaperTables) -> None:
    others = tables.alternatives("numpy")
    found = [c for c in tables.data["alternatives"] if c["table"] == 2]
    assert [*others["ours_50"]] == [c["mean"] for c in found]
    assert [*others["paper_std_50"]] == pytest.approx([c["paper_std"] for c in found])
    assert "method_spec" not in others and "method_spec" in tables.alternatives("numpy", parameters=True)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"runs": 0}, ValueError, "1 run"),
        ({"runs": "many"}, TypeError, "runs must be a whole number"),
        ({"seed": 2**64}, ValueError, "seed"),
        ({"threads": 5000}, ValueError, "threads"),
        ({"directed": "directed-delayed-q:gamma_e=0.5"}, ValueError, "gamma_e"),
        ({"directed": "directed-delayed-q:m=zero"}, ValueError, "m="),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.reproduce(**{"runs": 1, **arguments})


@pytest.mark.slow
def test_progress_and_ctrl_c() -> None:
    def stop(*now: Any) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fs.reproduce(runs=100_000, progress=stop)
    code, text = interrupted(
        "try: fs.reproduce(runs=1_000_000, progress=started)\n"
        "except fs.Interrupted as stop: r = stop.results\n"
        "print(r.stopped, len(r.totals))\n"
    )
    assert (code, text) == (0, "True 22\n")
