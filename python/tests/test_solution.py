"""Solutions against the command and against other solvers: linear programming and value iteration."""

from __future__ import annotations

import gc
import json
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import command, command_json, interrupted, needs_command
from farsight import _core
from farsight.solution import SolvingProgress

MODELS = ["garnet:states=8,actions=3,branching=3", "frozen-lake", "riverswim", "chain:n=5"]


def arrays_of(spec: str) -> tuple[Any, Any]:
    """P (S, A, S) and R (S, A) by way of the command's JSON; what is terminal has no successor."""
    model = json.loads(command("convert", "-e", spec, "--to", "json"))["P"]
    states, actions = len(model), len(model["0"])
    p, r = np.zeros((states, actions, states)), np.zeros((states, actions))
    terminal = {n for s in model.values() for o in s.values() for _, n, _, done in o if done}
    for s in range(states):
        for a in range(actions):
            for probability, successor, reward, done in [] if s in terminal else model[str(s)][str(a)]:
                r[s, a] += probability * reward
                p[s, a, successor] += 0 if done else probability
    return p, r


@pytest.mark.slow
@needs_command
@pytest.mark.parametrize("spec", MODELS)
def test_values_solve_the_linear_program(spec: str) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    p, r = arrays_of(spec)
    gamma, states = 0.95, len(r)
    rows = (np.eye(states)[:, None, :] - gamma * p).reshape(-1, states)
    best = optimize.linprog(np.ones(states), A_ub=-rows, b_ub=-r.reshape(-1), bounds=(None, None))
    s = fs.solve(spec, gamma=gamma, tolerance=1e-9)
    np.testing.assert_allclose(s.v, best.x, atol=1e-6)
    np.testing.assert_allclose(s.q, r + gamma * p @ s.v, atol=1e-8)
    np.testing.assert_array_equal(s.policy, s.q.argmax(axis=1))
    assert s.error <= 1e-9 and s.converged


@needs_command
@pytest.mark.parametrize("spec", MODELS)
def test_policies_and_horizons(spec: str) -> None:
    p, r = arrays_of(spec)
    states, actions = r.shape
    v = np.zeros(states)
    for _ in range(7):
        v = (r + p @ v).max(axis=1)
    s = fs.solve(spec, horizon=7)
    assert s.v.shape == (8, states) and s.policy.shape == (7, states)
    np.testing.assert_allclose(s.v[0], v, atol=1e-12)
    rng = np.random.default_rng(1)
    weights = rng.dirichlet(np.ones(actions), size=states)
    mixed = np.einsum("sa,sat->st", weights, p)
    exact = np.linalg.solve(np.eye(states) - 0.9 * mixed, (weights * r).sum(axis=1))
    np.testing.assert_allclose(fs.solve(spec, 0.9, policy=weights).v, exact, atol=1e-5)
    greedy = fs.solve(spec, 0.9)
    np.testing.assert_allclose(fs.solve(spec, 0.9, policy=greedy).v, greedy.v, atol=1e-5)
    np.testing.assert_allclose(fs.solve(spec, 0.9, policy=greedy.policy).v, greedy.v, atol=1e-5)


@needs_command
def test_average_reward() -> None:
    p, r = arrays_of("riverswim")
    s = fs.solve("riverswim", average=True, tolerance=1e-8)
    follow = p[np.arange(len(p)), s.policy]
    weights, vectors = np.linalg.eig(follow.T)
    stationary = np.real(vectors[:, np.argmax(np.real(weights))])
    stationary /= stationary.sum()
    assert abs(stationary @ r[np.arange(len(p)), s.policy] - s.gain) < 1e-6
    q = r + p @ s.bias
    np.testing.assert_allclose(q.max(axis=1) - s.bias, s.gain, atol=1e-6)
    assert np.isnan(s.start)


@needs_command
@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--gamma", "0.9"], {"gamma": 0.9}),
        ([], {}),
        (["--method", "policy", "--tolerance", "1e-3"], {"method": "policy", "tolerance": 1e-3}),
        (["--horizon", "5"], {"horizon": 5}),
        (["--average", "--structure"], {"average": True, "structure": True}),
        (["--diameter"], {"diameter": True}),
        (["--max-sweeps", "3"], {"max_sweeps": 3}),
    ],
)
def test_data_are_the_commands(options: list[str], arguments: dict[str, Any]) -> None:
    s = fs.solve("riverswim", **arguments)
    assert s.data == command_json("solve", "-e", "riverswim", *options)


def test_hardness() -> None:
    s = fs.solve("riverswim", structure=True)
    h, data = s.hardness, s.data["hardness"]
    assert h is not None and h.gaps is not None and h.cover is not None and h.mixing is not None
    assert h.value_norm.value == data["value_norm"]["value"] and h.chain_states == 6
    assert h.gaps.sum == data["gaps"]["sum"] and h.gaps.least == s.gaps.min()
    assert (h.mixing.time, h.mixing.period) == (data["mixing"]["time"], 1)
    assert h.cover.kind == "exact" and h.cover.expected == data["cover"]["expected"]
    assert h.effective is not None and (h.effective.k, h.effective.gorp) == (4, np.inf)
    assert h.diameter == s.diameter
    assert fs.solve("riverswim").hardness is None
    large = fs.solve("chain:n=1001", structure=True).hardness
    assert large is not None and large.cover is None and large.mixing is None and large.diameter is None
    bounded = fs.solve("riverswim:n=12", structure=True).hardness
    assert bounded is not None and bounded.cover is not None
    assert bounded.cover.kind == "bounded" and bounded.cover.expected is None and bounded.cover.worst is None
    fixed = fs.solve("riverswim", policy=s.policy, structure=True).hardness
    assert fixed is not None and fixed.gaps is None and fixed.effective is None and fixed.mixing == h.mixing


def test_structure_and_diameter() -> None:
    s = fs.solve("frozen-lake", structure=True)
    assert s.structure is not None and s.diameter_pair is not None
    data = s.data["structure"]
    assert (s.structure.kind, s.structure.classes) == (data["kind"], data["classes"])
    assert s.structure.class_of.tolist() == data["class_of"]
    assert s.structure.recurrent_of.min() >= -1
    assert s.diameter == data["diameter"] or (data["diameter"] is None and s.diameter == np.inf)
    assert fs.solve("frozen-lake").structure is None and fs.solve("frozen-lake").diameter is None


def test_transient_states_belong_to_no_recurrent_set() -> None:
    p = np.zeros((3, 2, 3))
    p[0, :, 1] = p[1, 0, 2] = p[1, 1, 1] = p[2, :, 1] = 1
    s = fs.solve(fs.MDP(p, np.array([[0.0, 1], [1, 0], [0, 0]])), structure=True)
    assert s.structure is not None
    assert (s.structure.kind, s.structure.closed, s.structure.recurrent) == ("weakly communicating", 1, 1)
    assert s.structure.recurrent_of.tolist() == [-1, 0, 0]
    assert s.diameter == np.inf and s.diameter_pair is not None and s.diameter_pair[1] == 0


def test_all_states_are_in_the_table_and_few_in_the_text() -> None:
    s = fs.solve("chain:n=100")
    assert len(s.table("states", "numpy")["v"]) == 100
    assert len(str(s).splitlines()) < 60


def test_arrays_are_views_that_outlive_the_solution() -> None:
    s = fs.solve("chain:n=50")
    v, copy = s.v, s.v.copy()
    with pytest.raises(ValueError, match="read-only"):
        v[0] = 1
    del s
    gc.collect()
    np.testing.assert_array_equal(v, copy)


def test_gaps() -> None:
    s = fs.solve("chain:n=5")
    ordered = np.sort(s.q, axis=1)
    np.testing.assert_allclose(s.gaps, ordered[:, -1] - ordered[:, -2])
    assert s.gap(2) == s.gaps[2]
    with pytest.raises(IndexError):
        s.gap(5)


def test_what_a_problem_lacks_is_said() -> None:
    s = fs.solve("chain:n=3", average=True)
    with pytest.raises(AttributeError, match="no 'v'; it has .*gain, bias"):
        s.v
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        s.nonsense
    assert not hasattr(fs.solve("chain:n=3"), "gain")


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"gamma": 1.0}, ValueError, "gamma"),
        ({"gamma": -0.1}, ValueError, "gamma"),
        ({"gamma": "0.9"}, TypeError, "must be a number"),
        ({"tolerance": -1}, ValueError, "tolerance"),
        ({"method": "simplex"}, ValueError, "gauss-seidel"),
        ({"horizon": 0}, ValueError, "horizon is 0"),
        ({"horizon": 3, "average": True}, ValueError, "do not go together"),
        ({"average": True, "gamma": 0.9}, ValueError, "does not discount"),
        ({"horizon": 3, "method": "policy"}, ValueError, "method"),
        ({"horizon": 3, "tolerance": 1e-3}, ValueError, "rounding"),
        ({"policy": [0, 1]}, ValueError, r"\(3,\)"),
        ({"policy": [0, 1, 2]}, IndexError, r"policy\[2\] is 2"),
        ({"policy": [0.0, 1.0, 0.0]}, TypeError, "whole numbers"),
        ({"policy": np.full((3, 2), 0.7)}, ValueError, "add|sum|1"),
        ({"max_sweeps": 0}, ValueError, "at least 1"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        fs.solve("chain:n=3", **arguments)


def test_wrong_models() -> None:
    with pytest.raises(TypeError, match="Gymnasium"):
        fs.solve(42)
    with pytest.raises(KeyError, match="chain"):
        fs.solve("chian:n=3")
    with pytest.raises(TypeError, match="model"):
        _core.solve("chain:n=3")
    with pytest.raises(ValueError):
        _core.solution_document(object())
    with pytest.raises(ValueError, match="discounted"):
        _core.solve(_core.Model.from_spec("chain:n=3"), kind="other")


SLOW = {"gamma": 0.99999, "tolerance": 0.1, "method": "value"}


def test_progress_and_its_exceptions() -> None:
    calls: list[SolvingProgress] = []

    def stop(now: SolvingProgress) -> None:
        calls.append(now)
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fs.solve("chain:n=100000", progress=stop, **SLOW)
    with pytest.raises(LookupError, match="enough"):
        fs.solve("riverswim:n=3000", diameter=True, progress=stop)
    assert [now.what for now in calls] == ["values", "diameter"]
    assert calls[0].done > 0 and calls[0].error > 0


@pytest.mark.slow
@pytest.mark.parametrize("question", ["'chain:n=100000', **SLOW", "'riverswim:n=3000', diameter=True"])
def test_ctrl_c_ends_a_long_solution(question: str) -> None:
    code, text = interrupted(
        f"SLOW = {SLOW}\n"
        f"try: fs.solve({question}, progress=started)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    assert (code, text) == (0, "interrupted\n")


def test_gymnasium_environments_are_models() -> None:
    gymnasium: Any = pytest.importorskip("gymnasium")
    ours = fs.solve("frozen-lake", gamma=0.99)
    theirs = fs.solve(gymnasium.make("FrozenLake-v1"), gamma=0.99)
    np.testing.assert_allclose(theirs.v, ours.v, atol=2e-6)
    same = fs.solve(fs.MDP.from_gymnasium(gymnasium.make("FrozenLake-v1")), gamma=0.99)
    np.testing.assert_array_equal(theirs.v, same.v)
