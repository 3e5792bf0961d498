"""Documents: the forms of what an analysis found."""

from __future__ import annotations

import copy
import csv
import io
import json
import pickle
import sys
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, needs_command
from farsight.document import columns_of


@pytest.fixture(scope="module")
def solution() -> fs.Solution:
    return fs.solve("chain:n=3", gamma=0.9)


@needs_command
@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_forms_are_those_of_the_command(solution: fs.Solution, form: str) -> None:
    ours = json.dumps(solution.data) if form == "json" else getattr(solution, form)()
    theirs = command("solve", "-e", "chain:n=3", "--gamma", "0.9", "--format", form)
    if form == "json":
        ours, theirs = json.loads(ours), json.loads(theirs)
    assert ours == theirs


def test_printing_is_the_text(solution: fs.Solution) -> None:
    assert str(solution) == solution.text().rstrip("\n") != repr(solution)
    assert solution._repr_markdown_() == solution.markdown()
    assert max(map(len, solution.text(width=40).splitlines())) < max(map(len, str(solution).splitlines()))


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (lambda: fs.solve("chain:n=3", gamma=0.9), "<Solution: 3 states, 2 actions, gamma 0.9, value of the start "),
        (lambda: fs.solve("chain:n=3", average=True), "<Solution: 3 states, 2 actions, average reward 0.761952, "),
        (lambda: fs.solve("chain:n=3", horizon=4), "<Solution: 3 states, 2 actions, gamma 1, 4 steps, value "),
        (lambda: fs.pac("delayed-q", (10, 2), gamma=0.9, eps=0.5), "<Guarantee: delayed-q, bound "),
        (lambda: fs.pac(None, (10, 2), gamma=0.9, eps=0.5), "<Guarantees: "),
        (lambda: fs.audit("chain:n=3", "delayed-q", steps=100, runs=2, progress=False), "<Audit: 2 runs, "),
        (lambda: fs.reproduce(runs=2, progress=False), "<PaperTables: 22 cells, Directed means "),
        (lambda: fs.growth("chain", "psrl", [3, 4, 5], runs=3, progress=False), "<Growth: chain, n = 3 ... 5, 1 agent>"),
        (lambda: fs.Study("chain:n=3", "psrl", steps=10, runs=2).cost(), "<Cost: 2 runs, about "),
        (
            lambda: fs.tune("delayed-q:m=[1,2]", "chain:n=3", steps=50, runs=2, budget=2000, evaluate=2, progress=False),
            "<Tuning: 1 agent, best delayed-q:m=",
        ),
        (
            lambda: fs.run("chain:n=3", ["psrl", "random"], steps=9, runs=4, progress=False).compare(0, resamples=100),
            "<Comparison: total, 1 environment x 2 agents, ",
        ),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::farsight.StudyWarning")
def test_a_terminal_shows_one_line(make: Any, shown: str) -> None:
    document = make()
    assert repr(document).startswith(shown) and repr(document).endswith(">") and len(repr(document)) < 140
    assert "\n" not in repr(document)
    assert repr(pickle.loads(pickle.dumps(document))) == repr(document)


def test_tables_have_the_numbers_of_the_csv(solution: fs.Solution) -> None:
    assert solution.tables == ["states"]
    table = solution.table("states", library="numpy")
    rows = list(csv.DictReader(io.StringIO(solution.csv("states"))))
    assert [float(row["v"]) for row in rows] == table["v"].tolist() == solution.v.tolist()
    assert table["action"].dtype == np.int64 and table["v"].dtype == np.float64


@pytest.mark.slow
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(solution: fs.Solution, library: str) -> None:
    module: Any = pytest.importorskip(library)
    table = solution.table(library=library)
    assert isinstance(table, module.DataFrame)
    assert table["v"].to_list() == solution.v.tolist()


def test_columns_have_types() -> None:
    columns = columns_of('n,x,word,none,m,rule\ncount,real,text,real,parameter,parameter\n1,2,"a,b",,3,on\n2,,c,,4,1\n3,inf,,,4,\n')
    assert columns["n"].dtype == np.int64
    assert columns["x"][0] == 2 and np.isnan(columns["x"][1]) and np.isinf(columns["x"][2])
    assert columns["word"].tolist() == ["a,b", "c", ""]
    assert np.isnan(columns["none"]).all()
    assert columns["m"].tolist() == [3, 4, 4] and columns["rule"].tolist() == ["on", "1", ""]
    whole = columns_of("n,x\ncount,real\n1,2\n")
    assert (whole["n"].dtype, whole["x"].dtype) == (np.int64, np.float64)


def test_a_table_without_rows() -> None:
    assert {name: len(column) for name, column in columns_of("a,b\ntext,real\n").items()} == {"a": 0, "b": 0}


def test_unknown_tables_and_libraries(solution: fs.Solution) -> None:
    with pytest.raises(KeyError, match="states"):
        solution.csv("nothing")
    with pytest.raises(ValueError, match="'pandas', 'polars', 'numpy'"):
        solution.table(library="excel")


def test_an_absent_library_names_its_extra(solution: fs.Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"farsight-rl\[polars\]"):
        solution.table(library="polars")


def test_notes_and_methods() -> None:
    r = fs.reproduce(runs=2)
    assert any("interval" in note for note in r.notes)
    assert r.methods == "" and not r.stopped


def test_pickling_keeps_every_form() -> None:
    guarantees = fs.pac(None, "chain:n=5", eps=0.5)
    documents: list[fs.Document] = [
        fs.solve("chain:n=30", structure=True),
        fs.solve("chain:n=3", average=True),
        guarantees,
        guarantees["delayed-q"],
        fs.audit("chain:n=3", "delayed-q", 100, 3),
        fs.reproduce(runs=1),
        fs.tune("delayed-q:m=[1,2]", "chain:n=3", steps=50, runs=2, evaluate=2, profile=0),
        fs.growth("chain", "delayed-q", [3], runs=2, measure="reward", steps=50),
    ]
    for one in documents:
        for other in (pickle.loads(pickle.dumps(one)), copy.copy(one)):
            assert type(other) is type(one) and str(other) == str(one) and other.data == one.data
            assert (other.markdown(), other.latex()) == (one.markdown(), one.latex())
            assert [other.csv(name) for name in other.tables] == [one.csv(name) for name in one.tables]
            again = pickle.loads(pickle.dumps(other))
            assert again.csv() == one.csv() and again.notes == one.notes
    solution = pickle.loads(pickle.dumps(documents[0]))
    assert solution.v.tolist() == documents[0].data["v"] and solution.model == fs.MDP("chain:n=30")
    assert len(solution.table(library="numpy")["v"]) == 30
    copied = pickle.loads(pickle.dumps(guarantees))
    assert copied["r-max"].bound == guarantees["r-max"].bound
    assert pickle.loads(pickle.dumps(guarantees[0])).explain() == guarantees[0].explain()
    with pytest.raises(KeyError, match="there are: states"):
        solution.csv("nothing")


def test_no_report_speaks_of_options() -> None:
    """A report is the same from the command and from Python: it names no option of the command."""
    s = fs.solve("taxi", structure=True)
    study = fs.Study("frozen-lake", "q-learning", steps=100, runs=3, curve=10, metrics="episodes")
    for document in (s, study.run(), study.cost(seconds=0.01), fs.solve("chain", horizon=3)):
        assert "--" not in str(document), str(document)
    assert "(Q of 6 actions: in JSON and CSV)" in str(s)
