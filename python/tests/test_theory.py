"""Guarantees and audits, against the command and by hand."""

from __future__ import annotations

import math
import signal
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, command_json, interrupted, needs_command
from farsight import _core


@needs_command
@pytest.mark.parametrize("theorem", ["delayed-q", "r-max", "ucrl2", "directed-delayed-q"])
def test_one_theorem_is_the_commands(theorem: str) -> None:
    g = fs.pac(theorem, "riverswim", eps=0.5, gamma=0.9, steps=1e15)
    options = ["-e", "riverswim", "--eps", "0.5", "--gamma", "0.9", "--steps", "1e15"]
    assert g.data == command_json("pac", theorem, *options)
    assert g.text() == command("pac", theorem, *options)
    assert g.explain() + "\n" == command("pac", theorem, *options, "--explain")


@needs_command
def test_all_theorems_are_the_commands() -> None:
    all_ = fs.pac(None, (10, 2), eps=1, delta=0.05, gamma_e=0.9, rewards=(-1, 2), episodic=True)
    options = ["--states", "10", "--actions", "2", "--eps", "1", "--delta", "0.05", "--gamma-e", "0.9"]
    assert all_.data == command_json("pac", *options, "--rmin", "-1", "--rmax", "2", "--episodic")
    assert len(all_) == len(all_.names) == len(list(all_)) > 5
    assert all_["delayed-q"].name == "delayed-q" == all_[all_.names.index("delayed-q")].name
    assert [g.name for g in all_[:2]] == all_.names[:2]
    assert [g.log10_bound for g in all_] == [entry["log10_bound"] for entry in all_.data["theorems"]]


def test_numbers_by_hand() -> None:
    g = fs.pac("delayed-q", (10, 2), eps=0.5, gamma=0.9)
    assert g.quantities["V_max"] == pytest.approx(10)
    assert g.quantities["eps1"] == pytest.approx(0.5 * 0.1 / 12)
    assert g.quantities["kappa"] == pytest.approx(10 / (0.5 * 0.1 / 12))
    assert math.log10(g.bound) == pytest.approx(g.log10_bound)
    assert g.applies and g.missing is None and not g.vacuous and g.eps == 0.5
    assert g.bound < fs.pac("delayed-q", (10, 2), eps=0.25, gamma=0.9).bound
    assert fs.pac("delayed-q", "chain:n=10", eps=0.5, gamma=0.9).bound == g.bound


def test_the_agent_of_a_guarantee_runs() -> None:
    spec = fs.pac("delayed-q", "chain:n=3", eps=1, gamma=0.5).agent
    assert spec is not None
    assert fs.audit("chain:n=3", spec, steps=100, runs=1, gamma=0.5).runs == 1
    with pytest.raises(ValueError, match="give the problem that discount"):
        fs.audit("chain:n=3", spec, steps=100, runs=1)


def test_bounds_that_are_no_numbers() -> None:
    huge = fs.pac("delayed-q", (10**9, 10**9), eps=1e-47, gamma=1 - 1e-12)
    assert huge.bound == math.inf and huge.log10_bound > 308
    orders = [g for g in fs.pac("all", (10, 2)) if g.bound is None]
    assert orders and all(g.log10_bound is None and g.order for g in orders)


def test_the_inverse() -> None:
    g = fs.pac("delayed-q", (2, 2), gamma=0.5, steps=1e12)
    assert g.eps is not None and fs.pac("delayed-q", (2, 2), gamma=0.5, eps=g.eps).bound <= 1e12
    assert fs.pac("delayed-q", (2, 2), gamma=0.5, steps=1).eps is None


def test_warnings() -> None:
    with pytest.warns(UserWarning, match="every policy"):
        assert fs.pac("delayed-q", (10, 2), eps=100, gamma=0.9).vacuous


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        (("delayd-q", (10, 2)), KeyError, "delayed-q"),
        (("delayed-q", (0, 2)), ValueError, "states"),
        (("delayed-q", (10, 2.5)), ValueError, "actions"),
        (("delayed-q", (10,)), ValueError, "states, actions"),
        (("delayed-q", 10), TypeError, "int"),
        (("delayed-q", (10, 2), 0), ValueError, "eps"),
        (("delayed-q", (10, 2), 0.5, 2), ValueError, "delta"),
        (("delayed-q", (10, 2), 0.5, 0.1, 1), ValueError, "gamma"),
        (("delayed-q", ("many", 2)), TypeError, "must be a number"),
        ((["delayed-q", 3], (10, 2)), TypeError, "theorems must be a str"),
        ((["r-max"] * 65, (10, 2)), ValueError, "at most 64"),
        (("ucrl2", "chain:n=2000"), ValueError, "diameter"),
    ],
)
def test_wrong_problems(arguments: tuple[Any, ...], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.pac(*arguments)


def test_wrong_combinations() -> None:
    with pytest.raises(ValueError, match="leave them out"):
        fs.pac("delayed-q", "chain:n=3", rewards=(0, 1))
    with pytest.raises(ValueError, match="above the smallest"):
        fs.pac("delayed-q", (3, 2), rewards=(1, 1))
    with pytest.raises(ValueError, match="diameter"):
        fs.pac("ucrl2", (3, 2), diameter=0.5)
    with pytest.raises(ValueError, match="steps"):
        fs.pac("delayed-q", (3, 2), steps=0)


# ---- audits ----


@needs_command
def test_an_audit_is_the_commands() -> None:
    a = fs.audit("chain:n=3", "delayed-q", steps=2000, runs=20, seed=3, every=100, delta=0.2)
    options = ["-e", "chain:n=3", "-a", "delayed-q", "--steps", "2000", "--runs", "20", "--seed", "3"]
    options += ["--every", "100", "--delta", "0.2"]
    assert a.data == command_json("audit", *options)
    assert a.text() == command("audit", *options)


def test_claims() -> None:
    a = fs.audit("chain:n=3", "delayed-q:preset=practical", steps=2000, runs=20)
    assert a.runs == 20 and a.agent.startswith("delayed-q:") and a.counts
    assert {claim.verdict for claim in a.claims} <= {"kept", "untested", "within", "violated"}
    assert not a.violated and a.claims[0].checked > 0
    assert a.table("claims", "numpy")["checked"].tolist() == [claim.checked for claim in a.claims]


def test_a_violated_claim() -> None:
    a = fs.audit("chain:n=3", "delayed-q:m=1,eps1=0.001", steps=2000, runs=60, delta=0.01)
    _, violated, _ = _core.audit(
        _core.Model.from_spec("chain:n=3"), "delayed-q:m=1,eps1=0.001", "chain:n=3", 2000, 60, delta=0.01
    )
    assert violated and a.violated and a.violated[0].verdict == "violated"
    assert a.violated[0].first is not None and a.violated[0].runs_violated > 0


def test_an_audit_of_a_model_from_arrays() -> None:
    m = fs.MDP.from_arrays(fs.MDP("chain:n=3").arrays())
    a = fs.audit(m, "delayed-q:m=1,eps1=0.001", steps=2000, runs=60, delta=0.01)
    assert f"\n  on model-{m.hash[:8]}\n" in a.text()
    assert a.violated and "first: run" in a.text() and "farsight audit" not in a.text()


def test_threads_do_not_matter() -> None:
    one, three = (fs.audit("chain:n=3", "delayed-q", 500, 10, threads=n).data for n in (1, 3))
    assert one == three


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"agent": "delayed-q:m=0"}, ValueError, "m=0"),
        ({"agent": "q-learning"}, ValueError, "audited"),
        ({"agent": "nobody"}, KeyError, "nobody"),
        ({"agent": 3}, TypeError, "expected an agent"),
        ({"steps": 0}, ValueError, "at least 1"),
        ({"runs": 0}, ValueError, "at least 1"),
        ({"delta": 0}, ValueError, "delta"),
        ({"threads": -1}, ValueError, "threads"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 0.5}, TypeError, "seed"),
        ({"every": 0}, ValueError, "every"),
    ],
)
def test_wrong_audits(arguments: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.audit("chain:n=3", **{"agent": "delayed-q", "steps": 10, "runs": 1, **arguments})


def test_progress_of_an_audit_can_raise() -> None:
    def stop(*now: Any) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fs.audit("chain:n=10", "delayed-q", steps=10**7, runs=100, progress=stop)


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_runs() -> None:
    code, text = interrupted(
        "try: fs.audit('chain:n=5', 'delayed-q', steps=20_000, runs=1_000_000, threads=1, progress=started)\n"
        "except fs.Interrupted as stop: a = stop.results\n"
        "print(a.stopped, 0 < a.runs < 1_000_000, len(a.claims) > 0)\n",
        once="at.runs_done > 0",
    )
    assert (code, text) == (0, "True True True\n")


def test_signals_are_seen_while_a_diameter_is_computed() -> None:
    """Signals that come during a call are handled at its end, all at once, if it does not look for them."""
    seen: list[int] = []

    def handle(*_: object) -> None:
        seen.append(1)
        if len(seen) == 2:
            raise LookupError("enough")

    before = signal.signal(signal.SIGALRM, handle)
    try:
        with pytest.raises(LookupError, match="enough"):
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            fs.pac("ucrl2", "chain:n=1000,slip=0.4")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_sizes_in_a_list() -> None:
    assert fs.pac("r-max", [3, 2], eps=0.5).bound == fs.pac("r-max", (np.int64(3), np.int8(2)), eps=0.5).bound
