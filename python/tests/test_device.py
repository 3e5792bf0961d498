"""device=, by the backend of the C tests whose lanes are the processor's."""

from __future__ import annotations

import os
import pickle
import warnings
from pathlib import Path
from typing import Any

import pytest

import farsight as fs
from command import COMMAND

BACKEND = Path(COMMAND).parent / "tests" / "libfarsight_lanes.so"
ROUND = {"steps": 100, "runs": 20, "progress": False}


@pytest.fixture
def lanes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that says how the backend shall be."""
    if not BACKEND.exists():
        pytest.skip(f"no {BACKEND}: build the command with its tests")
    monkeypatch.setenv("FARSIGHT_GPU_LIBRARY", os.fspath(BACKEND))
    monkeypatch.setenv("FARSIGHT_LANES", "lanes=7")
    return lambda how: monkeypatch.setenv("FARSIGHT_LANES", how)


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", fs.StudyWarning)
        yield


def hashes(r: fs.Results) -> list[str]:
    return [r.hash(env, agent) for env in r.envs for agent in r.agents]


def test_the_same_results(lanes: Any, tmp_path: Path) -> None:
    agents = ["directed-delayed-q", "r-max", "dora"]
    here = fs.run("chain:n=5", agents, metrics="coverage", **ROUND)
    there = fs.run("chain:n=5", agents, metrics="coverage", device="gpu", store=tmp_path / "a.db", **ROUND)
    assert hashes(here) == hashes(there)
    assert all((here.metric("coverage", 0, i) == there.metric("coverage", 0, i)).all() for i in range(3))
    assert here.device is None
    assert there.device is not None and there.device.runs == 40 and there.device.failure == ""
    assert str(there.device).startswith("lanes of the processor computed 40 runs in ")
    assert pickle.loads(pickle.dumps(there)).device == there.device


def test_failure(lanes: Any) -> None:
    lanes("lanes=7 fail=2")
    with pytest.warns(fs.DeviceWarning, match="the device failed: the launch failed; the processors compute") as told:
        r = fs.run("chain:n=5", "q-learning", device="gpu", **ROUND)
    assert told[0].filename == __file__
    assert r.device is not None and r.device.runs == 7 and "the launch failed" in r.device.failure
    assert hashes(r) == hashes(fs.run("chain:n=5", "q-learning", **ROUND))


def test_no_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARSIGHT_GPU_LIBRARY", "/no/such/file.so")
    with pytest.warns(fs.DeviceWarning, match="no device: the backend cannot be loaded"):
        r = fs.Study("chain:n=5", "q-learning", steps=100, runs=3).run(device="gpu", progress=False)
    assert r.device is not None and r.device.runs == 0
    assert "cannot be loaded" in str(r.device)


def test_auto_does_not_look_for_a_device_for_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARSIGHT_GPU_LIBRARY", "/no/such/file.so")
    r = fs.run("chain:n=5", "q-learning", device="auto", **ROUND)
    assert r.device is not None and r.device.runs == 0 and r.device.failure == ""
    assert r.device.choice.startswith("estimated: ") and r.device.choice in str(r.device)


@pytest.mark.parametrize(
    ("bad", "error"), [("tpu", ValueError), ("", ValueError), (None, TypeError), (0, TypeError), (b"gpu", TypeError)]
)
def test_bad_words(bad: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="device"):
        fs.run("chain:n=5", "q-learning", device=bad, **ROUND)
    with pytest.raises(error, match="device"):
        fs.reproduce(1, device=bad)
    with pytest.raises(error, match="device"):
        fs.solve("chain:n=5", device=bad)


def test_solve(lanes: Any) -> None:
    here = fs.solve("garnet:states=60,actions=3", 0.99, threads=1)
    there = fs.solve("garnet:states=60,actions=3", 0.99, device="gpu")
    assert (here.v == there.v).all() and (here.q == there.q).all() and here.error == there.error
    assert there.device_name == "lanes of the processor" and there.device_sweeps == there.sweeps
    assert here.device_name == "" and here.device_sweeps == 0 and here.device_seconds == 0
    lanes("fail=1")
    with pytest.warns(fs.DeviceWarning, match="the launch failed; the processors sweep instead") as told:
        failed = fs.solve("garnet:states=60,actions=3", 0.99, device="gpu")
    assert told[0].filename == __file__
    assert (failed.v == here.v).all() and failed.device_sweeps == 0
    lanes("absent")
    assert fs.solve("chain:n=5", device="auto", average=True).gain > 0  # small, and not for a device


@pytest.mark.parametrize("arguments", [{"average": True}, {"horizon": 3}, {"method": "policy"}])
def test_solve_refuses(arguments: Any) -> None:
    with pytest.raises(ValueError, match='device="gpu" is for'):
        fs.solve("chain:n=5", device="gpu", **arguments)
    with pytest.raises(ValueError, match="threads"):
        fs.solve("chain:n=5", threads=-1, **arguments)


def test_cost_says_where_cells_run(lanes: Any) -> None:
    study = fs.Study("chain:n=5", ["q-learning", "r-max"], steps=100, runs=5)
    cells = study.cost(device="gpu", seconds=0.01).data["cells"]
    assert [cell["runs_on"] for cell in cells] == ["device", "cpu"]
    assert "this agent" in cells[1]["why"]
    assert "runs_on" not in study.cost(seconds=0.01).data["cells"][0]


def test_searches_growth_and_tables(lanes: Any) -> None:
    search = {"steps": 50, "runs": 3, "evaluate": 4, "profile": 0, "progress": False}
    here, there = (fs.tune("q-learning:epsilon=[0..1]", "chain:n=5", device=d, **search) for d in ("cpu", "gpu"))
    assert here.data["agents"] == there.data["agents"]
    assert there.device is not None and there.device.runs > 0
    growth = {"measure": "reward", "steps": 50, "runs": 3, "progress": False}
    small, large = (fs.growth("chain", "q-learning", [3, 4], device=d, **growth) for d in ("cpu", "gpu"))
    assert [c["hash"] for c in small.data["cells"]] == [c["hash"] for c in large.data["cells"]]
    assert large.device is not None and large.device.runs == 6
    paper = fs.reproduce(1, device="gpu", progress=False)
    assert paper.device is not None and paper.device.runs > 0
    assert all((x == y).all() for x, y in zip(paper.totals, fs.reproduce(1, progress=False).totals, strict=True))
