"""What once gave a wrong number, or had no effect, without a word."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import farsight as fs
from command import interrupted

CHAIN = "chain:n=4"

NOT_A_NUMBER: dict[str, Callable[[], Any]] = {
    "solve": lambda: fs.solve(CHAIN, gamma=math.nan),
    "growth": lambda: fs.growth("chain", "psrl", [3, 4], runs=2, gamma=math.nan),
    "pac": lambda: fs.pac("delayed-q", (10, 2), gamma=math.nan),
    "plot": lambda: fs.Agent("q-learning", CHAIN).plot(CHAIN, exact=True, gamma=math.nan),
}


@pytest.mark.parametrize("where", NOT_A_NUMBER)
def test_a_discount_that_is_no_number(where: str) -> None:
    with pytest.raises(fs.InvalidError, match="gamma is nan: must be a number, or left out"):
        NOT_A_NUMBER[where]()


@pytest.mark.parametrize("gamma", [math.nan, math.inf, -math.inf, -0.5, 1.5])
def test_a_discount_outside_of_its_range(gamma: float) -> None:
    for call in (
        lambda: fs.solve(CHAIN, gamma=gamma),
        lambda: fs.growth("chain", "psrl", [3, 4], runs=2, gamma=gamma),
        lambda: fs.pac("delayed-q", (10, 2), gamma=gamma),
        lambda: fs.Agent("q-learning", CHAIN, gamma=gamma),
    ):
        with pytest.raises(fs.InvalidError):
            call()


@pytest.mark.parametrize("delta", ["delta", "gamma_e"])
def test_other_numbers_of_a_guarantee(delta: str) -> None:
    with pytest.raises(fs.InvalidError, match=f"{delta} is nan"):
        fs.pac("delayed-q", (10, 2), **{delta: math.nan})


# ---- what cannot be assigned ----


def test_parameters_of_an_agent_stay() -> None:
    agent = fs.Agent("q-learning", CHAIN, epsilon=0.1)
    with pytest.raises(AttributeError, match="epsilon is a parameter of q-learning, and stays as it is"):
        agent.epsilon = 0.5  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="does not support item assignment"):
        agent.params["epsilon"] = 0.5  # type: ignore[index]
    with pytest.raises(AttributeError, match="lambda is a parameter of directed-delayed-q"):
        fs.Agent("directed-delayed-q", CHAIN).lambda_ = 1.0  # type: ignore[attr-defined]
    agent.remark = "mine"  # type: ignore[attr-defined]
    assert agent.params["epsilon"] == 0.1 and agent.remark == "mine"  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", ["q", "samples", "policy", "visits"])
def test_arrays_of_an_agent_are_read_only(what: str) -> None:
    array = getattr(fs.Agent("q-learning", CHAIN), what)
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1


# ---- ranges of rewards ----


def test_wrappers_that_change_rewards() -> None:
    gym = pytest.importorskip("gymnasium")
    plain = gym.make("FrozenLake-v1")
    for env in (
        gym.wrappers.TransformReward(plain, lambda r: 100 * r),
        gym.wrappers.NormalizeReward(plain),
        gym.wrappers.vector.TransformReward(gym.make_vec("FrozenLake-v1", 2, "sync"), lambda r: 100 * r),
    ):
        name = type(env).__name__
        with pytest.raises(ValueError, match=f"whose rewards {name} changes: give reward_range=.low, high."):
            fs.Agent("r-max", env)
        assert fs.Agent("r-max", env, reward_range=(0, 100)).reward_range == (0.0, 100.0)
    with pytest.raises(ValueError, match="the rewards of <TransformReward.* are not known"):
        fs.Simulator(lambda: gym.wrappers.TransformReward(gym.make("FrozenLake-v1"), lambda r: 100 * r))


def test_a_range_upside_down() -> None:
    p, r = np.ones((1, 1, 1)), np.zeros((1, 1))
    for call in (
        lambda: fs.MDP(p, r, reward_range=(1, 0)),
        lambda: fs.Agent("q-learning", CHAIN, reward_range=(1, 0)),
        lambda: fs.Agent("q-learning", n_states=2, n_actions=2, reward_range=(1, 0)),
    ):
        with pytest.raises(fs.InvalidError, match=re.escape("reward_range is (1, 0): must be (low, high), and low is above high")):
            call()


@pytest.mark.parametrize("horizon", [0, -1])
def test_no_horizon(horizon: int) -> None:
    m = fs.MDP(CHAIN)
    for call in (
        lambda: fs.MDP(*m.dense(), horizon=horizon),
        lambda: fs.MDP.from_arrays(m.arrays(), horizon=horizon),
    ):
        with pytest.raises(fs.InvalidError, match=f"horizon is {horizon}: must be at least 1"):
            call()
    assert fs.MDP.from_arrays(m.arrays(), horizon=8).horizon == 8


# ---- float32 ----


def tables(kind: type) -> tuple[Any, Any]:
    p = np.random.default_rng(1).dirichlet(np.ones(5), (5, 2))
    r = np.full((5, 2), 0.1)
    r[0] = 0
    return p.astype(kind), r.astype(kind)


def test_models_of_float32() -> None:
    single, double = fs.MDP(*tables(np.float32), reward_range=(0, 0.1)), fs.MDP(*tables(np.float64))
    assert np.allclose(single.dense()[0], double.dense()[0], rtol=1e-6)
    assert np.allclose(single.dense()[0].sum(axis=2), 1, rtol=0, atol=1e-15)
    assert single.reward_range == (0.0, 0.1) and single.outcomes(1, 0)[0][2] == 0.1
    assert fs.MDP(*tables(np.float64), start=np.full(5, 0.2, np.float32)).start.tolist() == [0.2] * 5


def test_arrays_of_float32() -> None:
    m = fs.MDP(*tables(np.float64))
    arrays = m.arrays()
    narrow = {key: arrays[key].astype(np.float32) for key in ("probability", "reward", "start_probability")}
    again = fs.MDP.from_arrays({**arrays, **narrow})
    assert np.allclose(again.dense()[0], m.dense()[0], rtol=1e-6) and again.reward_range == m.reward_range


def test_rows_that_float32_does_not_explain() -> None:
    p, r = tables(np.float32)
    p[0, 0] *= np.float32(1.001)
    with pytest.raises(fs.InvalidError, match="state 0, action 0: probabilities add to"):
        fs.MDP(p, r)


def test_rewards_of_float32() -> None:
    one, many, double = (fs.Agent("q-learning", n_states=3, n_actions=2, reward_range=(-0.3, 0.1)) for _ in range(3))
    for r in (0.1, -0.3):
        assert not -0.3 <= float(np.float32(r)) <= 0.1
        one.observe(0, 0, np.float32(r), 1)
        many.observe_many([0], [0], np.array([r], np.float32), [1])
        double.observe(0, 0, r, 1)
    assert one.q.tolist() == many.q.tolist() == double.q.tolist()
    with pytest.raises(fs.InvalidError, match="outside the range"):
        one.observe(0, 0, np.float32(0.1001), 1)


# ---- the rest ----


def test_unequal_runs_are_not_ranked() -> None:
    with pytest.raises(fs.InvalidError, match="there are 3 of 'a', 2 of 'b': give equally many runs"):
        fs.rank({"a": [1, 2, 3], "b": [1, 2]})
    with pytest.raises(fs.InvalidError, match="there are 2 of 'a', 3 of 'b' on 'y'"):
        fs.rank({"x": {"a": [1, 2], "b": [1, 2]}, "y": {"a": [1, 2], "b": [1, 2, 3]}})


def test_types_of_tables_do_not_depend_on_values() -> None:
    def types(runs: int) -> dict[str, list[tuple[str, str]]]:
        results = fs.run("chain:n=4", ["q-learning", "r-max"], steps=100, runs=runs, progress=False)
        growth = fs.growth("chain", ["delayed-q"], [3, 4], runs=runs, max_steps=2000, progress=False)
        return {
            f"{type(document).__name__} {name}": [(head, x.dtype.kind) for head, x in document.table(name, "numpy").items()]
            for document in (results.compare(), growth)
            for name in document.tables
        }

    few, many = types(3), types(30)
    for name, columns in many.items():
        assert columns == few.get(name, columns)
    kinds = dict(many["Comparison improvements"])
    assert (kinds["environments"], kinds["any_two_runs_low"], kinds["agent"]) == ("i", "f", "O")


def test_no_seed_is_the_first_seed() -> None:
    def actions(seed: Any) -> list[int]:
        agent = fs.Agent("random", CHAIN, seed=seed)
        return [agent.act(0) for _ in range(20)]

    def totals(seed: Any) -> Any:
        return fs.run(CHAIN, "random", seed=seed, steps=20, runs=3, progress=False).totals().tolist()

    assert actions(None) == actions(1) != actions(2)
    assert totals(None) == totals(1) != totals(2)
    def audited(seed: Any) -> Any:
        return fs.audit(CHAIN, "delayed-q", steps=200, runs=3, seed=seed, progress=False).data["claims"]

    assert audited(None) == audited(1)
    assert fs.Random(None).next() == fs.Random(1).next() != fs.Random(2).next()
    runs = {"a": np.arange(200) % 7, "b": np.arange(200) % 5}
    assert str(fs.rank(runs, seed=None)) == str(fs.rank(runs, seed=1))


LONG = {
    "cost": "fs.Study('chain:n=5', 'q-learning', steps=10**9, runs=1000).cost(seconds=1000)",
    "observe_many": "fs.Agent('psrl', 'chain:n=3000').observe_many(s, s % 2, s / 1e9, s * 7 % 3000)",
    "growth": "fs.growth('chain', 'delayed-q', [300], runs=20_000, max_steps=10**9, progress=False)",
    "rank": "fs.rank({each: x for each in 'abcdefghij'}, first=2, growth=1.01)",
    "rank of many": "fs.rank({str(i): x[:20_000] for i in range(200)}, first=10_000)",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LONG)
def test_ctrl_c(what: str) -> None:
    """Each would take minutes at least."""
    code, text = interrupted(
        "import threading, numpy as np\n"
        "s, x = np.arange(1_000_000) % 3000, np.random.default_rng(1).random(100_000)\n"
        "try:\n"
        "    threading.Timer(0.5, started, [0]).start()\n"
        f"    {LONG[what]}\n"
        "except KeyboardInterrupt: print('interrupted')\n",
        patience=60,
    )
    assert (code, text.splitlines()[-1]) == (0, "interrupted")
