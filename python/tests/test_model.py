"""Models: arrays, tables, files, copies; and every kind of wrong array."""

from __future__ import annotations

import contextlib
import copy
import gc
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import farsight as fs
from farsight import _core

FAMILIES = [
    "chain",
    "riverswim",
    "sixarms",
    "threearms",
    "loop",
    "deepsea",
    "combination-lock",
    "bridge",
    "frozen-lake",
    "taxi",
    "cliff-walking",
    "four-rooms",
    "grid",
    "garnet",
    "dirichlet",
    "hard-bandit",
    "mountain-car:positions=10,velocities=10",
]


def values(P: Any, R: Any, gamma: float = 0.95, sweeps: int = 1000) -> Any:
    """Value iteration, on arrays (S, A, S) and (S, A)."""
    v = np.zeros(R.shape[0])
    for _ in range(sweeps):
        v = (R + gamma * P @ v).max(axis=1)
    return v


def same_layout(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)


# ---- specs ----


def test_spec_and_keywords() -> None:
    m = fs.MDP("chain:n=50")
    assert m.shape == (50, 2) and m == fs.MDP("chain", n=50) and m != fs.MDP("chain")
    assert fs.MDP("frozen-lake", slippery=False) == fs.MDP("frozen-lake:slippery=off")
    assert fs.MDP("frozen-lake", map=["SF", "HG"]) == fs.MDP("frozen-lake:map=SF/HG")
    assert fs.MDP("four-rooms", start=3) == fs.MDP("four-rooms:start=3")
    assert fs.MDP("chain", slip=np.float32(0.25)) == fs.MDP("chain:slip=0.25")
    assert hash(m) == hash(fs.MDP("chain:n=50")) and m != "chain:n=50"


def test_wrong_specs() -> None:
    with pytest.raises(KeyError, match="chain") as caught:
        fs.MDP("chian")
    assert isinstance(caught.value, fs.UnknownError)
    with pytest.raises(ValueError, match="at least|in "):
        fs.MDP("chain", n=1)
    with pytest.raises(TypeError):
        fs.MDP("chain", np.zeros((2, 2)))
    with pytest.raises(TypeError):
        fs.MDP(3)  # neither a spec nor an array of three axes, and no rewards
    with pytest.raises(TypeError, match="cannot create"):
        _core.Model()


def test_attributes() -> None:
    m = fs.MDP("frozen-lake")
    assert m.episodic and m.reward_range == (0.0, 1.0) and m.discount is None and m.caveat is None
    assert m.start.tolist() == [1.0] + [0.0] * 15
    assert np.flatnonzero(m.terminal).tolist() == [5, 7, 11, 12, 15]
    assert m.live.sum() == 11 and m.unreachable() == 0
    assert m.outcomes(0, 2)[0][1] == 1 and {o[1] for o in m.outcomes(0, 2)} == {
        0,
        1,
        4,
    }  # the intended one first
    assert m.outcomes(15, 0) == []
    assert m.outcomes(14, 2)[0][1:] == (15, 1.0, True)
    with pytest.raises(IndexError, match="state is 16"):
        m.outcomes(16, 0)
    with pytest.raises(TypeError, match="whole number"):
        m.outcomes(0.5, 0)


def test_random_streams() -> None:
    m = fs.MDP("frozen-lake")
    moves, starts = fs.Random(7, 3, "transition"), fs.Random(7, 3, "start")
    worlds = _core.Worlds(m, 1, 7, 3)
    s = m.draw_start(starts)
    assert s == worlds.reset_one()
    for t in range(200):
        after, reward, done = m.step(s, t % 4, moves)
        assert worlds.step_one(t % 4)[:3] == (after, reward, done)
        s = after
        if done:
            s = m.draw_start(starts)
            assert worlds.step_one(0)[0] == s  # NextStep: begins the episode
    with pytest.raises(ValueError, match="terminal"):
        m.step(15, 0, moves)
    with pytest.raises(TypeError, match="random stream"):
        m.step(0, 0, np.random.default_rng())


# ---- round trips ----


@pytest.mark.parametrize("spec", FAMILIES)
def test_round_trips(spec: str, tmp_path: Path) -> None:
    m = fs.MDP(spec)
    again = fs.MDP.from_arrays(m.arrays(), state_names=m.state_names, layout=m.layout)
    assert again == m and same_layout(again.layout, m.layout) and again.spec == ""
    for form, name in (("cassandra", "a.mdp"), ("drn", "a.drn"), ("json", "a.json")):
        assert fs.MDP.read(m.dumps(form), form) == m
        m.save(tmp_path / name)
        assert fs.MDP.load(tmp_path / name) == m and fs.MDP("file", path=tmp_path / name) == m
    for other in (pickle.loads(pickle.dumps(m)), pickle.loads(pickle.dumps(again)), copy.deepcopy(m)):
        assert other == m and same_layout(other.layout, m.layout) and type(other) is fs.MDP


@pytest.mark.slow
@pytest.mark.parametrize("spec", FAMILIES)
def test_dense_and_sparse(spec: str) -> None:
    m = fs.MDP(spec)
    P, R = m.dense()
    assert np.allclose(P.sum(axis=2), 1)
    expected = np.array(
        [
            [sum(p * r for p, _, r, _ in m.outcomes(s, a)) for a in range(m.n_actions)]
            for s in range(m.n_states)
        ]
    )
    assert np.allclose(R, expected, rtol=1e-14)
    matrices, R2 = m.sparse()
    assert np.array_equal(R, R2)
    assert all(np.array_equal(matrix.toarray(), P[:, a]) for a, matrix in enumerate(matrices))
    kinds = {"start": m.start, "terminal": m.terminal}
    for other in (
        fs.MDP(P, R, **kinds),
        fs.MDP(matrices, R, **kinds),
        fs.MDP(*m.dense(loops=False), start=m.start),
    ):
        assert np.array_equal(other.terminal, m.terminal) and np.array_equal(other.start, m.start)
        assert np.allclose(other.dense()[0], P, atol=1e-15) and np.allclose(other.dense()[1], R, atol=1e-12)


def test_pickle_of_a_file_does_not_need_the_file(tmp_path: Path) -> None:
    fs.MDP("frozen-lake").save(tmp_path / "lake.json")
    m = fs.MDP(f"file:{tmp_path / 'lake.json'}")
    text = pickle.dumps(m)
    (tmp_path / "lake.json").unlink()
    assert pickle.loads(text) == fs.MDP("frozen-lake")


def test_files_that_are_wrong(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing.drn"):
        fs.MDP.load(tmp_path / "nothing.drn")
    (tmp_path / "bad.drn").write_text("@type: MDP\n@nonsense\n")
    with pytest.raises(ValueError, match="bad.drn:"):
        fs.MDP.load(tmp_path / "bad.drn")
    with pytest.raises(ValueError, match="no format 'xml'"):
        fs.MDP.read("", "xml")
    with pytest.raises(ValueError, match="discount"):
        fs.MDP("chain").dumps("cassandra", discount=2)
    assert fs.MDP.read(fs.MDP("chain").dumps("cassandra", discount=0.5), "cassandra").discount == 0.5


# ---- arrays ----

P2 = np.array([[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.25, 0.75]]])  # S = A = 2: read as (S, A, S)
R2 = np.array([[1.0, 2.0], [3.0, 4.0]])


def test_axes() -> None:
    assert fs.MDP(P2, R2).outcomes(0, 1) == [(1.0, 1, 2.0, False)]
    assert fs.MDP(P2, R2, axes="ass").outcomes(0, 1) == [(1.0, 0, 2.0, False)]
    P = np.stack([np.eye(3), np.roll(np.eye(3), 1, axis=1)])  # (A, S, S) = (2, 3, 3)
    R = np.arange(6.0).reshape(3, 2)
    assert fs.MDP(P, R) == fs.MDP(P.transpose(1, 0, 2), R) == fs.MDP(list(P), R)
    with pytest.raises(ValueError, match=r"shape \(2, 3, 3\): must be \(S, A, S\)"):
        fs.MDP(P, R, axes="sas")
    with pytest.raises(ValueError, match="axes is 'xyz'"):
        fs.MDP(P, R, axes="xyz")


def test_rewards() -> None:
    full = np.arange(8.0).reshape(2, 2, 2)
    assert [o[2] for o in fs.MDP(P2, full).outcomes(0, 0)] == [0.0, 1.0]
    assert [o[2] for o in fs.MDP(P2, full, axes="ass").outcomes(1, 0)] == [full[0, 1, 1]]
    assert [o[2] for o in fs.MDP(P2, [7.0, 8.0]).outcomes(1, 1)] == [8.0, 8.0]
    assert fs.MDP(P2, R2, reward_range=(-1, 9)).reward_range == (-1.0, 9.0)


def test_sparse_input() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[[0.5, 0.5, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 1], [0.25, 0, 0.75], [1, 0, 0]]])
    rewards = np.arange(18.0).reshape(2, 3, 3)
    expected = fs.MDP(dense, rewards)
    for form in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix):
        assert fs.MDP([form(m) for m in dense], rewards) == expected
        assert fs.MDP([form(m) for m in dense], [form(m) for m in rewards]) == expected
    twice = sparse.coo_matrix(
        ([0.5, 0.5, 1, 1], ([0, 0, 1, 2], [1, 1, 1, 2])), shape=(3, 3)
    )  # duplicates add up
    assert fs.MDP([twice], np.zeros((3, 1))).outcomes(0, 0) == [(1.0, 1, 0.0, False)]
    with pytest.raises(ValueError, match=r"P\[1\] has the shape \(2, 2\)"):
        fs.MDP([sparse.eye(3), sparse.eye(2)], np.zeros((3, 2)))
    with pytest.raises(TypeError, match="not sparse"):
        fs.MDP([sparse.eye(3), np.eye(3)], np.zeros((3, 2)))
    with pytest.raises(TypeError, match="one sparse matrix"):
        fs.MDP(sparse.eye(3), np.zeros((3, 1)))
    with pytest.raises(ValueError, match="R must be 1 matrices"):
        fs.MDP([sparse.eye(3)], [sparse.eye(3), sparse.eye(3)])


def test_start_and_terminal() -> None:
    P = np.zeros((3, 1, 3))
    P[0, 0, 1] = P[1, 0, 2] = P[2, 0, 0] = 1
    R = np.zeros((3, 1))
    assert fs.MDP(P, R).start.tolist() == [1, 0, 0] and not fs.MDP(P, R).episodic
    assert fs.MDP(P, R, start=1).start.tolist() == [0, 1, 0]
    assert fs.MDP(P, R, start=[0.25, 0.75, 0]).start.tolist() == [0.25, 0.75, 0]
    for terminal in ([2], 2, [False, False, True], np.array([2], dtype=np.uint8)):
        assert fs.MDP(P, R, terminal=terminal).terminal.tolist() == [False, False, True]
    assert fs.MDP(P, R, terminal=[]).terminal.tolist() == [False] * 3
    for wrong, kind in (
        ({"start": 3}, IndexError),
        ({"start": -1}, IndexError),
        ({"start": [1.0]}, ValueError),
        ({"start": [0.5, 0, 0]}, ValueError),
        ({"start": 0.5}, TypeError),
        ({"start": "a"}, TypeError),
        ({"terminal": [5]}, IndexError),
        ({"terminal": [True]}, ValueError),
        ({"terminal": [0.5]}, TypeError),
        ({"start": 2, "terminal": [2]}, ValueError),
        ({"discount": 2}, ValueError),
        ({"reward_range": (1, 2)}, ValueError),
        ({"reward_range": (float("nan"), 1)}, ValueError),
        ({"state_names": ["a"]}, ValueError),
        ({"state_names": ["a", "b", "\n"]}, ValueError),
        ({"state_names": ["a", "b", 3]}, TypeError),
        ({"nonsense": 1}, TypeError),
    ):
        with pytest.raises(kind):
            fs.MDP(P, R, **wrong)
    named = fs.MDP(P, R, state_names=["a", None, "c"], action_names=["go"], discount=0.5)
    assert named.state_names == ["a", None, "c"] and named.action_names == ["go"] and named.discount == 0.5
    assert pickle.loads(pickle.dumps(named)).state_names == ["a", None, "c"]


@pytest.mark.parametrize(
    ("P", "R", "kind", "message"),
    [
        (np.full((2, 1, 2), np.nan), np.zeros((2, 1)), ValueError, "state 0 and action 0: probability nan"),
        ([[[1.5, -0.5]], [[1, 0]]], np.zeros((2, 1)), ValueError, r"probability 1.5 is outside \[0, 1\]"),
        (
            [[[0.5, 0.4]], [[1, 0]]],
            np.zeros((2, 1)),
            ValueError,
            "state 0, action 0: probabilities add to 0.9, not to 1",
        ),
        ([[[0.5, 0.5], [0, 0]], [[1, 0], [1, 0]]], R2, ValueError, "state 0, action 1 has no outcome"),
        ([[[1.0, 0]], [[1, 0]]], [[np.inf], [0]], ValueError, "a reward must be finite"),
        ([[[1.0, 0]], [[1, 0]]], [[np.nan], [0]], ValueError, "a reward must be finite"),
        (np.zeros((2, 2)), np.zeros((2, 1)), ValueError, r"P has the shape \(2, 2\)"),
        (np.zeros((2, 3, 4)), np.zeros((2, 3)), ValueError, r"P has the shape \(2, 3, 4\)"),
        (np.zeros((0, 0, 0)), np.zeros((0, 0)), ValueError, "at least 1 state"),
        (
            P2,
            np.zeros((3, 2)),
            ValueError,
            r"R has the shape \(3, 2\): must be \(2, 2\), \(2,\) or \(2, 2, 2\)",
        ),
        (P2, 1.0, ValueError, "R has the shape"),
        (P2, None, TypeError, "needs rewards"),
        (P2.astype(object), R2, TypeError, "not of object"),
        (P2.astype(complex), R2, TypeError, "not of complex"),
        (P2, R2.astype(str), TypeError, "R must be an array of numbers"),
        ([[[1.0], [0.5, 0.5]]], R2, ValueError, "P must be an array of numbers"),
        ([[[1.0, 0]], [[1, 0]]], [[1e308], [-1e308]], ValueError, "too far apart"),
    ],
)
def test_wrong_arrays(P: Any, R: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        fs.MDP(P, R)


def test_wrong_compressed_rows() -> None:
    good = fs.MDP("chain:n=3").arrays()
    for change, kind in (
        ({"offsets": good["offsets"][:-1]}, ValueError),
        ({"offsets": good["offsets"] + 1}, ValueError),
        ({"next": good["next"] + 2}, IndexError),
        ({"next": good["next"] - 1}, IndexError),
        ({"next": good["next"] * 0.5}, TypeError),
        ({"next": [0]}, ValueError),
        ({"reward": good["reward"].astype(object)}, TypeError),
        ({"n_states": 2**31}, ValueError),
        ({"n_states": 2**32 - 2, "n_actions": 2**32 - 2}, MemoryError),
        ({"n_states": 2**40}, ValueError),
        ({"n_states": 0}, ValueError),
        ({"n_states": None}, TypeError),
        ({"terminal": [True]}, ValueError),
        ({"start_state": []}, ValueError),
        ({"start_probability": [-1.0]}, ValueError),
        ({"discount": "x"}, TypeError),
    ):
        with pytest.raises(kind):
            fs.MDP.from_arrays({**good, **change})
    with pytest.raises(KeyError, match="offsets"):
        fs.MDP.from_arrays({key: value for key, value in good.items() if key != "offsets"})
    layout = fs.MDP("chain:n=3").layout
    assert layout is not None
    for change, kind in (
        ({"kind": "round"}, ValueError),
        ({"x": [0.5]}, ValueError),
        ({"labels": ["a"]}, ValueError),
        ({"labels": ["a" * 9] * 3}, ValueError),
        ({"labels": [1, 2, 3]}, TypeError),
        ({"walls": [1.0]}, ValueError),
        ({"width": float("nan")}, ValueError),
    ):
        with pytest.raises(kind):
            fs.MDP.from_arrays(good, layout={**layout, **change})


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, Any]:
    """Random P (S, A, S), with zeros and perhaps terminal states, and R (S, A)."""
    S, A = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    weight = draw(hnp.arrays(np.int64, (S, A, S), elements=st.integers(0, 5)))
    weight[..., 0] += weight.sum(axis=2) == 0
    P = weight / weight.sum(axis=2, keepdims=True)
    if S > 1 and draw(st.booleans()):
        P[-1] = 0
    R = draw(hnp.arrays(np.float64, (S, A), elements=st.floats(-1e6, 1e6)))
    return P, R * (P.sum(axis=2) > 0)


@settings(max_examples=150, deadline=None)
@given(tables())
def test_any_table(table: tuple[Any, Any]) -> None:
    P, R = table
    m = fs.MDP(P, R)
    P2, R2 = m.dense(loops=False)
    assert np.allclose(P2, P, rtol=1e-15, atol=0) and np.allclose(R2, R, rtol=1e-12, atol=1e-9)
    assert fs.MDP.from_arrays(m.arrays()) == m == pickle.loads(pickle.dumps(m))
    assert fs.MDP.read(m.dumps("json"), "json") == m
    assert np.array_equal(m.terminal, P.sum(axis=(1, 2)) == 0)


# ---- the builder ----


def test_builder() -> None:
    b = fs.Builder(3, 2).start(0, 0.5).start(1, 0.5).terminal(2).discount(0.9).reward_range(-1, 5)
    for s in (1, 0):  # any order of pairs; that of outcomes in a pair stays
        b.outcome(s, 1, 0.75, 2, 1.0).outcome(s, 1, 0.25, 0).outcome(s, 0, 1, s)
    b.state_name(0, "home").action_name(1, "go")
    b.layout("grid", 3, 1).arrow(1, 1, 0, "go").wall(1, 0, 1, 1)
    for s in range(3):
        b.place(s, s + 0.5, 0.5, "G" if s == 2 else "")
    m = b.build()
    assert m.outcomes(1, 1) == [(0.75, 2, 1.0, True), (0.25, 0, 0.0, False)]
    assert m.start.tolist() == [0.5, 0.5, 0] and m.reward_range == (-1, 5) and m.discount == 0.9
    assert m.state_names == ["home", None, None] and m.action_names == [None, "go"]
    assert (
        m.layout is not None and m.layout["walls"].tolist() == [[1, 0, 1, 1]] and m.layout["labels"][2] == "G"
    )
    assert m == b.build() == pickle.loads(pickle.dumps(m)) and "G" in m.draw()


def test_builder_refuses() -> None:
    b = fs.Builder(2, 1)
    for call, kind in (
        (lambda: b.outcome(2, 0, 1, 0), IndexError),
        (lambda: b.outcome(0, -1, 1, 0), IndexError),
        (lambda: b.outcome(0, 0, 1.5, 0), ValueError),
        (lambda: b.outcome(0, 0, 1, 0, np.nan), ValueError),
        (lambda: b.place(0, 0, 0), ValueError),
        (lambda: fs.Builder(0, 1), ValueError),
        (lambda: fs.Builder(2, 2**40), ValueError),
        (b.build, ValueError),
    ):
        with pytest.raises(kind):
            call()  # type: ignore[no-untyped-call]
    b.outcome(0, 0, 1, 1).outcome(1, 0, 1, 0).start(0).layout("line", 2, 1).place(0, 0.5, 0.5)
    with pytest.raises(ValueError, match="state 1 is not placed"):
        b.build()


# ---- Gymnasium's tables ----

REAL = [
    ("frozen-lake", "FrozenLake-v1", {}),
    ("frozen-lake:map=8x8,slippery=off", "FrozenLake-v1", {"map_name": "8x8", "is_slippery": False}),
    ("cliff-walking", "CliffWalking-v1", {}),
    ("cliff-walking:slippery=on", "CliffWalking-v1", {"is_slippery": True}),
    ("taxi", "Taxi-v4", {}),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("spec", "name", "options"), REAL)
def test_gymnasium_tables(spec: str, name: str, options: dict[str, Any]) -> None:
    gym = pytest.importorskip("gymnasium")
    env = gym.make(name, **options)
    m, ours = fs.MDP.from_gymnasium(env), fs.MDP(spec)
    assert m.shape == ours.shape and np.array_equal(m.terminal, ours.terminal)
    assert np.allclose(m.start, ours.start) and m.reward_range[0] == ours.reward_range[0]
    live = ours.live
    for mine, other in zip(m.dense(), ours.dense(), strict=True):
        assert np.allclose(mine[live], other[live], atol=1e-12)
    # values by the table itself: what is reached when terminated is worth nothing
    table, gamma = env.unwrapped.P, 0.95
    v = np.zeros(len(table))
    for _ in range(600):
        v = np.array(
            [
                max(sum(p * (r + gamma * v[t] * (not d)) for p, t, r, d in table[s][a]) for a in table[s])
                for s in table
            ]
        )
    assert np.allclose(values(*m.dense(), gamma)[: len(v)][live[: len(v)]], v[live[: len(v)]], atol=1e-6)


def test_gymnasium_layouts() -> None:
    gym = pytest.importorskip("gymnasium")
    for spec, name in (("frozen-lake", "FrozenLake-v1"), ("cliff-walking", "CliffWalking-v1")):
        assert same_layout(fs.MDP.from_gymnasium(gym.make(name)).layout, fs.MDP(spec).layout)


def test_gymnasium_others() -> None:
    gym = pytest.importorskip("gymnasium")
    env = gym.make("farsight/Chain-v0", n=7)
    assert fs.MDP.from_gymnasium(env) is env.unwrapped.model
    assert fs.MDP.from_gymnasium(env, start=3).start[3] == 1
    with pytest.raises(TypeError, match="no table P"):
        fs.MDP.from_gymnasium(_Table(None))
    cart = gym.make("CartPole-v1")
    with pytest.raises(TypeError, match=r"no table P.*fs\.Simulator"):
        fs.MDP.from_gymnasium(cart)
    cart.unwrapped.P = {}
    with pytest.raises(TypeError, match="must be Discrete"):
        fs.MDP.from_gymnasium(cart)
    with pytest.raises(ValueError, match="names no start"):
        fs.MDP.from_gymnasium(_Table({0: {0: [(1.0, 0, 0.0, False)]}, 1: {0: [(1.0, 0, 0.0, False)]}}))
    with pytest.raises(ValueError, match=r"P\[1\]\[0\] must be a list"):
        fs.MDP.from_gymnasium(_Table({0: {0: [(1.0, 0, 0.0, False)]}}), start=0)
    with pytest.raises(IndexError, match="next"):
        fs.MDP.from_gymnasium(_Table({s: {0: [(1.0, 9, 0.0, False)]} for s in (0, 1)}), start=0)
    with pytest.raises(ValueError, match="add to 0.5"):
        fs.MDP.from_gymnasium(_Table({s: {0: [(0.5, 1, 0.0, False)]} for s in (0, 1)}), start=0)


class _Space:
    def __init__(self, n: int) -> None:
        self.n = n


class _Table:
    """The parts of an environment that are read."""

    def __init__(self, table: Any) -> None:
        self.P, self.observation_space, self.action_space = table, _Space(2), _Space(1)


def test_gymnasium_end_that_is_also_passed() -> None:
    """A state that is reached both ways is no end: the ends lead to one more state."""
    table = {0: {0: [(0.5, 1, 1.0, True), (0.5, 1, 0.0, False)]}, 1: {0: [(1.0, 0, 0.0, False)]}}
    m = fs.MDP.from_gymnasium(_Table(table), start=0)
    assert m.n_states == 3 and m.terminal.tolist() == [False, False, True]
    assert m.outcomes(0, 0) == [(0.5, 2, 1.0, True), (0.5, 1, 0.0, False)]


# ---- pictures of it ----


def test_draw() -> None:
    m = fs.MDP("frozen-lake")
    assert "S start" in m.draw() and "→" in m.draw(np.full(16, 2)) and "<pre>" in m._repr_html_()
    assert repr(m).startswith("<MDP frozen-lake") and "16 states" in repr(m)
    with pytest.raises(ValueError, match="no drawing"):
        fs.MDP("garnet").draw()
    assert "<pre>" not in fs.MDP("garnet")._repr_html_()
    with pytest.raises(ValueError, match="policy has 3 numbers"):
        m.draw([0, 1, 2])


# ---- memory ----


def resident() -> int:
    """The memory of this process, in bytes; of the peak before this test nothing is in it."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps freed memory")
def test_leaks() -> None:
    def churn(n: int) -> None:
        for _ in range(n):
            fs.MDP("riverswim")
            _core.Worlds(MODEL, 2).reset()

    churn(2_000)
    gc.collect()
    before = resident()
    churn(100_000)
    grown = resident() - before
    assert grown < 4e6, f"{grown} bytes more after 100,000 models"  # of 1 KiB each


MODEL = fs.MDP("frozen-lake")


def test_references() -> None:
    count = sys.getrefcount(MODEL)
    worlds = [_core.Worlds(MODEL) for _ in range(5)]
    assert sys.getrefcount(MODEL) == count + 5
    worlds[0].close()
    worlds[1].clone()
    del worlds
    assert sys.getrefcount(MODEL) == count
    arrays = MODEL.arrays()
    kept = sys.getrefcount(arrays["next"])
    for _ in range(50):
        fs.MDP.from_arrays(arrays, layout=MODEL.layout)
        with contextlib.suppress(ValueError):
            fs.MDP.from_arrays({**arrays, "offsets": arrays["offsets"] + 1})
    left = sys.getrefcount(arrays["next"])  # an assert would hold one more
    assert left == kept
