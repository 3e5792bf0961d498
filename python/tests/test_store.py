"""Stores: the command's files and ours are the same; several processes and threads; damage; use after close."""

from __future__ import annotations

import csv
import gc
import json
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, command_json, interrupted, needs_command

pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")


def fill(path: Path | fs.Store, runs: int = 6, **more: Any) -> fs.Results:
    named: dict[str, Any] = {"steps": 80, "runs": runs, "metrics": "regret", "curve": [20, 80], "progress": False, **more}
    return fs.run(["chain:n=4", "loop"], ["q-learning", "r-max:m=2"], store=path, **named)


OPTIONS = ["-e", "chain:n=4", "-e", "loop", "-a", "q-learning", "-a", "r-max:m=2", "--steps", 80, "--metric", "regret"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.db"


# ---- the command's files ----


@needs_command
def test_the_command_continues_ours(path: Path) -> None:
    ours = fill(path)
    assert (ours.reused, ours.computed) == (0, 24)
    told = command("run", *OPTIONS, "--curve", "20,80", "--runs", 6, "--store", path)
    assert "Reused 24 runs" in told and "computed 0." in told
    told = command("run", *OPTIONS, "--curve", "20,80", "--runs", 9, "--store", path)
    assert "Reused 24 runs" in told and "computed 12." in told


@needs_command
def test_ours_continues_the_commands(path: Path) -> None:
    theirs = command_json("run", *OPTIONS, "--curve", "20,80", "--runs", 6, "--store", path)
    ours = fill(path)
    assert (ours.reused, ours.computed) == (24, 0)
    for cell in theirs["cells"]:
        assert ours.hash(cell["env"], cell["agent"]) == cell["hash"]
    more = fill(path, runs=8)
    assert (more.reused, more.computed) == (24, 8)
    told = command_json("store", "check", path)
    with fs.Store(path, "r") as store:
        assert store.hash() == told["hash"] != "" and store.check() == []


@needs_command
def test_info_is_the_commands(path: Path) -> None:
    fill(path)
    told = command_json("store", "info", path)
    with fs.Store(path, "r") as store:
        info = store.info()
        assert {key: info[key] for key in ("cells", "runs")} == {"cells": 4, "runs": 24}
        assert len(told["cells"]) == len(store.records())
        sessions = store.sessions()
    assert len(sessions) == 1 and sessions[0]["runs"] == 24 and sessions[0]["version"] == fs.__version__
    assert "pytest" in sessions[0]["command"] or sessions[0]["command"].startswith("python")


def test_records_and_series(path: Path) -> None:
    ours = fill(path)
    with fs.Store(path, mode="r") as store:
        records = store.records()
        assert [r["runs"] for r in records] == [6] * 4 and len({r["key"] for r in records}) == 4
        assert {r["env"] for r in records} == set(ours._info["env_specs"])
        one = records[0]
        assert one["steps"] == 80 and one["seed"] == 1 and one["numerics"] == fs._core.numerics and one["model"] == ""
        assert store.series(one["key"])[:2] == ["total", "regret:against=value"]
        assert "curve@20" in store.series() and "regret:against=value@80" in store.series()
        replicates, values = store.values(one["key"])
        assert replicates.tolist() == list(range(6))
        assert (values == ours.totals(one["env"], one["agent"])).all()
        _, curve = store.values(one["key"], "curve@20")
        assert (curve == ours.curve(one["env"], one["agent"])[1][0]).all()
        with pytest.raises(KeyError):
            store.values(one["key"], "nothing")
        with pytest.raises(KeyError):
            store.series("no key")


@pytest.mark.slow
def test_frame(path: Path) -> None:
    ours = fill(path)
    fill(path, runs=3, steps=90, metrics=())
    with fs.Store(path) as store:
        columns = store.frame(library="numpy")
        named = ["env", "agent", "env_label", "agent_label"]
        assert list(columns) == [*named, "steps", "run_episodes", "seed", "replicate", "total", "regret:against=value"]
        assert len(columns["total"]) == 24 + 12
        long = columns["steps"] == 80
        assert np.isnan(columns["regret:against=value"][~long]).all()
        loop = columns["env"] == "loop:length=5,small=1,large=2"
        rows = long & loop & np.char.startswith(columns["agent"].astype(str), "q-learning")
        assert (columns["total"][rows] == ours.totals("loop", "q-learning")).all() and rows.sum() == 6
        assert list(store.frame(["curve@20"], library="numpy"))[-1] == "curve@20"
        assert len(store.frame(["curve@20"], library="polars")) == 36
    with fs.Store("none", mode="memory") as empty:
        assert [len(column) for column in empty.frame(library="numpy").values()] == [0] * 8


def test_snapshots(path: Path) -> None:
    fill(path, snapshots=2)
    with fs.Store(path, "r") as store:
        assert store.info()["snapshots"] == 4 * 2 * 2
        found = list(store.snapshots(store.records()[0]["key"]))
        assert [(s["replicate"], s["step"]) for s in found] == [(0, 20), (0, 80), (1, 20), (1, 80)]
        with pytest.raises(KeyError):
            list(store.snapshots("no key"))


# ---- files of other programs ----


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl"])
def test_export(path: Path, tmp_path: Path, name: str) -> None:
    ours = fill(path)
    with fs.Store(path, "r") as store:
        store.export(tmp_path / name)
        store.export(tmp_path / ("some-" + name), series=["total"])
    text = (tmp_path / name).read_text()
    rows = [json.loads(line) for line in text.splitlines()] if name.endswith("l") else list(csv.DictReader(text.splitlines()))
    assert len(rows) == 24 * 6
    totals = [float(r["value"]) for r in rows if r["series"] == "total" and r["env"].startswith("loop") and r["agent"][0] == "r"]
    assert totals == ours.totals("loop", "r-max:m=2").tolist()
    assert len((tmp_path / ("some-" + name)).read_text().splitlines()) == 24 + name.endswith("v")


@needs_command
def test_export_is_the_commands(path: Path, tmp_path: Path) -> None:
    fill(path, snapshots=1)
    with fs.Store(path, "r") as store:
        for form, option in (("csv", ["--format", "csv"]), ("jsonl", ["--format", "jsonl"]), ("snapshots", ["--snapshots"])):
            store.export(tmp_path / "out", format=form)
            assert (tmp_path / "out").read_text() == command("store", "export", path, *option)


def test_export_that_fails(path: Path, tmp_path: Path) -> None:
    fill(path)
    with fs.Store(path, "r") as store:
        with pytest.raises(OSError, match="nowhere"):
            store.export(tmp_path / "nowhere/out.csv")
        with pytest.raises(ValueError, match="format is 'xml'"):
            store.export(tmp_path / "out", format="xml")
        with pytest.raises(KeyError):
            store.export(tmp_path / "out", series=["nothing"])
        if os.path.exists("/dev/full"):
            with pytest.raises(OSError):
                store.export("/dev/full")
    (tmp_path / "out").write_text("kept")
    with pytest.raises(ValueError, match="closed"):
        store.export(tmp_path / "out")
    assert (tmp_path / "out").read_text() == "kept"


def test_export_to_itself(path: Path, tmp_path: Path) -> None:
    fill(path)
    (tmp_path / "link.csv").symlink_to(path)
    before = path.read_bytes()
    with fs.Store(path, "r") as store:
        for name in (path, tmp_path / "link.csv"):
            with pytest.raises(ValueError, match="it is the store itself"):
                store.export(name)
    assert path.read_bytes() == before


def test_import(path: Path, tmp_path: Path) -> None:
    source = tmp_path / "theirs.csv"
    source.write_text("env,agent,seed,value,steps,color\nchain:n=4,theirs,0,1.5,80,red\nchain:n=4,theirs,1,2.5,80,blue\n")
    with fs.Store(path) as store:
        report = store.import_csv(source)
        assert (report["rows"], report["added"], report["unused"]) == (2, 2, "color")
        assert store.import_csv(source)["added"] == 0
        record = store.records()[0]
        assert record["agent"] == "theirs" and record["numerics"] == 0
        assert store.values(record["key"])[1].tolist() == [1.5, 2.5]
        source.write_text("env,agent,seed,value\nchain:n=4,theirs,x,1\n")
        with pytest.raises(ValueError, match=r"theirs.csv:2:"):
            store.import_csv(source)
        with pytest.raises(OSError):
            store.import_csv(tmp_path / "nowhere.csv")


def test_add(path: Path) -> None:
    with fs.Store(path) as store:
        named: dict[str, Any] = {"steps": 80, "seed": 1, "checkpoints": [20, 80], "curve": [1.0, 7.0]}
        assert store.add("chain:n=4", "theirs", 7.0, **named)
        assert not store.add(fs.MDP("chain:n=4"), "theirs", 7.0, **named)
        assert store.add("chain:n=4", "theirs", 8, steps=80, seed=1, replicate=1)
        with pytest.raises(ValueError):
            store.add("chain:n=4", "theirs", 9.0, **named)
        with pytest.raises(ValueError, match="given together"):
            store.add("chain", "theirs", 1, steps=80, seed=1, checkpoints=[1])
        with pytest.raises(ValueError, match="curve has 1 numbers: must have 2"):
            store.add("chain", "theirs", 1, steps=80, seed=1, checkpoints=[1, 2], curve=[0.5])
        with pytest.raises(ValueError):
            store.add("chain", "theirs", float("nan"), steps=80, seed=1)
        record = store.records()[0]
        assert record["runs"] == 2 and store.values(record["key"], "curve@20")[1][0] == 1


def test_merge(path: Path, tmp_path: Path) -> None:
    fill(path)
    fill(tmp_path / "b.db", runs=9)
    fill(tmp_path / "c.db", seed=7)
    with fs.Store(path) as store:
        assert store.merge(tmp_path / "b.db", str(tmp_path / "c.db")) == (3 * 4 + 24) * 6
        assert store.merge(tmp_path / "b.db") == 0
        assert sorted(r["runs"] for r in store.records()) == [6] * 4 + [9] * 4
        with pytest.raises(OSError):
            store.merge(tmp_path / "nowhere.db")
        (tmp_path / "d.db").write_text("no store")
        with pytest.raises(ValueError, match="not a farsight store"):
            store.merge(tmp_path / "d.db")
    assert fill(path, runs=9).computed == 0


# ---- opening and closing ----


def test_closed(path: Path) -> None:
    store = fs.Store(path)
    assert not store.closed and store.path == str(path)
    store.close()
    store.close()
    assert store.closed and repr(store) == f"Store({str(path)!r}, closed)"
    for call in (
        store.records,
        store.series,
        store.info,
        store.sessions,
        store.check,
        store.frame,
        lambda: store.values("x"),
        lambda: store.merge("x"),
        lambda: store.import_csv("x"),
        lambda: store.export(path.parent / "x"),
        lambda: store.add("chain", "x", 1, steps=1, seed=1),
        lambda: list(store.snapshots("x")),
        lambda: fill(store),
        lambda: fs.stats(store),
    ):
        with pytest.raises(ValueError, match="the store is closed"):
            call()


def test_opening(path: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        fs.Store(path, "r")
    assert not path.exists()
    with pytest.raises(OSError):
        fs.Store(tmp_path)
    with pytest.raises(OSError):
        fs.Store("")
    with pytest.raises(ValueError, match="no mode 'a': 'r', 'w', 'memory'"):
        fs.Store(path, "a")
    with pytest.raises(TypeError):
        fs.Store(3)  # type: ignore[arg-type]
    with fs.Store(path) as store, pytest.raises(RuntimeError, match="opened once"):
        store.__init__(path)  # type: ignore[misc]
    with fs.Store(path, "r") as store, pytest.raises(ValueError, match="opened for reading only"):
        fill(store)
    empty = fs.Store.__new__(fs.Store)
    with pytest.raises(ValueError, match="the store is closed"):
        empty.records()


def test_a_name_that_is_no_ascii(tmp_path: Path) -> None:
    path = tmp_path / "Größe ≤ 5 %?#.db"
    assert fill(path).computed == 24 and fill(path).reused == 24 and path.exists()


def test_damage(path: Path) -> None:
    path.write_bytes(b"something else entirely" * 100)
    before = path.read_bytes()
    for mode in ("r", "w"):
        with pytest.raises(ValueError, match="not a farsight store; it is left unchanged"):
            fs.Store(path, mode)
    assert path.read_bytes() == before
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine(x)")
    other.close()
    with pytest.raises(ValueError, match="database of another program"):
        fs.Store(path)


def test_damaged_results(path: Path) -> None:
    fill(path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE block SET content = zeroblob(length(content)) WHERE id = 3")
    db.close()
    with fs.Store(path) as store:
        assert len(store.check()) == 1 and store.hash() == ""
        with pytest.raises(ValueError, match="damaged"):
            store.frame(library="numpy")
        with pytest.raises(ValueError, match="damaged"):
            fill(store)
        assert store.info()["runs"] == 24  # and it can still be used


def test_results_that_disagree(path: Path) -> None:
    """A run that gives other numbers than the store has is an error, never a mixture."""
    fill(path, runs=2)
    study = fs.Study("chain:n=4", "q-learning", steps=80, runs=3)
    agent = study._resolve("q-learning", 0)

    def keep(cell: int, first: int, value: float) -> None:
        study._keep(store, cell, first, np.array([value]), agent)

    with fs.Store(path) as store:
        keep(0, 2, 123.0)
        keep(0, 2, 123.0)
        with pytest.raises(ValueError):
            keep(0, 2, 124.0)
        for first in (3, -1):
            with pytest.raises(ValueError, match="not runs of this study"):
                keep(0, first, 0.0)
        with pytest.raises(IndexError):
            keep(1, 0, 0.0)


# ---- several users ----


@pytest.mark.slow
@pytest.mark.usefixtures("sqlite")
def test_two_processes(path: Path) -> None:
    """Both write to one file at the same time; nothing is lost or confused."""
    script = (
        "import farsight as fs, sys, warnings; warnings.simplefilter('ignore');"
        "r = fs.run(['chain:n=4', 'loop'], ['q-learning', 'r-max:m=2'], steps=80, runs=int(sys.argv[2]), metrics='regret',"
        " curve=[20, 80], store=sys.argv[1], progress=False); print(r.hash(1, 1), r.computed)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", script, path, runs], stdout=subprocess.PIPE, text=True) for runs in ("300", "400")
    ]
    told = [process.communicate()[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    for runs, (value, _) in zip((300, 400), told, strict=True):
        assert value == fill(path, runs=runs).hash(1, 1)
    assert fill(path, runs=400).computed == 0
    with fs.Store(path, "r") as store:
        assert store.info()["runs"] == 1600 and store.check() == []


def test_threads_on_one_store(path: Path) -> None:
    """A call takes the store or says that it is in use; nothing breaks."""
    store = fs.Store(path)
    busy, done = [], []

    def work(seed: int) -> None:
        for turn in range(15):
            try:
                r = fs.run("chain:n=4", "q-learning", steps=50, runs=5, seed=10 * seed + turn, store=store, progress=False)
                done.append((10 * seed + turn, r.hash()))
                store.records(), store.info(), store.frame(library="numpy"), store.check()
            except RuntimeError as error:
                assert "in use by another call" in str(error)
                busy.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) > 0
    for seed, value in done:
        assert fs.run("chain:n=4", "q-learning", steps=50, runs=5, seed=seed, progress=False).hash() == value
    assert store.info()["runs"] == 5 * len({seed for seed, _ in done}) or busy
    assert store.check() == []
    store.close()


def test_in_use(path: Path) -> None:
    """Use, and closing, from within a run: refused, and the run goes on."""
    store = fs.Store(path)
    seen: list[str] = []

    def meddle(at: Any) -> None:
        for call in (store.records, store.close, store.info):
            with pytest.raises(RuntimeError, match="in use"):
                call()
        seen.append("yes")

    r = fs.run("chain:n=50", "q-learning", steps=20000, runs=400, store=store, progress=meddle)
    assert seen and not r.stopped and store.info()["runs"] == 400
    store.close()


WAITING = """
import threading, warnings
warnings.simplefilter("ignore")
try:
    threading.Timer(0.3, started, (0,)).start()
    fs.Store({path!r}).import_csv({source!r})
    print("imported")
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_while_waiting(path: Path, tmp_path: Path) -> None:
    """Another program holds the file until the end: waiting for it ends by Ctrl-C."""
    fill(path)
    source = tmp_path / "theirs.csv"
    source.write_text("env,agent,seed,value\nchain:n=4,theirs,0,1\n")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    code, out = interrupted(WAITING.format(path=str(path), source=str(source)))
    other.execute("ROLLBACK")
    other.close()
    assert code == 0 and out == "stopped\n", out


def test_no_leak(path: Path) -> None:
    """Stores that are opened and dropped give back their files."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc")
    fill(path)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(100):
        fs.Store(path, "r").records()
        with pytest.raises(OSError):
            fs.Store(path.parent / "nowhere.db", "r")
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) <= before + 1
