"""Environments without a model in batches: seeds, threads, episodes, and every way to misbehave."""

from __future__ import annotations

import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import farsight as fs
from farsight import _core

gymnasium = pytest.importorskip("gymnasium")
spaces = gymnasium.spaces

THREADS = [1, 2, 4]
pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")


def totals(env: Any, *agents: str, steps: int = 300, runs: int = 5, threads: int = 2, seed: int = 1) -> Any:
    r = fs.run(env, agents, steps=steps, runs=runs, threads=threads, seed=seed, progress=False)
    return [r.totals(0, j) for j in range(len(agents))]


class Walk(gymnasium.Env):  # type: ignore[misc]
    """A walk of three states; the third ends the episode, with a reward of 1."""

    def __init__(self, fault: str = "", n: int = 3) -> None:
        self.observation_space = spaces.Discrete(n)
        self.action_space = spaces.Discrete(2)
        self.fault, self.s, self.steps = fault, 0, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.s = 0
        if self.fault == "reset":
            raise OSError("no reset")
        return (7 if self.fault == "start" else self.s), {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        self.steps += 1
        if self.steps == 20 and self.fault == "step":
            raise OSError("no step")
        forward = action == 1 and self.np_random.random() < 0.8
        self.s += forward
        reward = {"reward": 2.0, "nan": float("nan"), "text": "x"}.get(self.fault, float(self.s == 2))
        state = {"state": 9, "float": 0.5, "none": None}.get(self.fault, min(self.s, 2))
        return state, reward, self.s == 2 and not self.fault, self.fault == "cut", {}


def walk(**named: Any) -> fs.Simulator:
    return fs.Simulator(Walk, reward_range=(0, 1), **named)


@pytest.mark.parametrize("name", ["Blackjack", "FrozenLake", "CliffWalking", "Taxi"])
def test_any_number_of_threads(name: str) -> None:
    env = max(key for key in gymnasium.registry if key.startswith(f"{name}-v"))  # the newest
    simulator = fs.Simulator(env)
    runs = [totals(simulator, "q-learning", "random", threads=threads) for threads in THREADS]
    for run in runs:
        assert np.array_equal(run, runs[0])
    assert len(set(runs[0][1])) > 1 or name == "CliffWalking"
    assert not np.array_equal(totals(simulator, "random", seed=2), runs[0][1:])


def test_shape() -> None:
    blackjack = fs.Simulator("Blackjack-v1", natural=True)
    assert (blackjack.n_states, blackjack.n_actions, blackjack.reward_range) == (704, 2, (-1.0, 1.5))
    assert blackjack.name == "Blackjack-v1:natural=True"
    assert "704 states" in repr(blackjack)
    assert walk().name == "Walk" and walk(name="mine").name == "mine"


def test_same_seeds_as_a_plain_loop() -> None:
    """The seeds of episodes are drawn from (seed, replicate, start)."""
    rng = fs.Random(1, 3, "start")
    agent = fs.Agent("q-learning", n_states=3, n_actions=2, reward_range=(0, 1), seed=1, replicate=3)
    env, total = Walk(), 0.0
    s, _ = env.reset(seed=rng.next() >> 32)
    for _ in range(300):
        a = agent.act(s)
        after, r, terminated, truncated, _ = env.step(a)
        agent.observe(s, a, r, after, terminated, truncated)
        total += r
        s = after
        if terminated or truncated:
            s, _ = env.reset(seed=rng.next() >> 32)
    assert totals(walk(), "q-learning")[0][3] == total


def test_paired_seeds() -> None:
    """Agents that act alike earn alike."""
    first, second = totals(walk(), "random", "q-learning:epsilon=1")
    assert first.shape == second.shape and first.sum() > 0
    one, other = totals(walk(), "delayed-q:gamma=0.9,m=2", "directed-delayed-q:gamma=0.9,m=2,lambda=0,delay=full")
    assert np.array_equal(one, other)


def test_python_agent_in_a_simulator() -> None:
    from python_agents import PlainQ

    theirs, mine = totals(fs.Simulator("Blackjack-v1"), "q-learning:gamma=0.95,alpha=0.1", PlainQ.spec())
    assert np.array_equal(theirs, mine)


def test_truncation_reaches_agents() -> None:
    seen: set[tuple[bool, bool]] = set()

    class Watches(fs.PyAgent):
        def act(self, s: int) -> int:
            return 1

        def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
            seen.add((terminated, truncated))
            assert next < 3

    totals(
        fs.Simulator(lambda: gymnasium.wrappers.TimeLimit(Walk(), 2), reward_range=(0, 1), name="short"),
        Watches.spec(),
    )
    assert seen == {(True, False), (False, True), (False, False)}  # done counts where both are true


@pytest.mark.parametrize(
    "fault,kind,why",
    [
        ("reset", OSError, "no reset"),
        ("step", OSError, "no step"),
        ("start", ValueError, "DiscreteNumbers|not a live state"),
        ("state", ValueError, "DiscreteNumbers"),
        ("float", (TypeError, ValueError), ""),
        ("none", TypeError, "NoneType"),
        ("reward", ValueError, "reward"),
        ("nan", ValueError, "reward"),
        ("text", ValueError, "could not convert"),
    ],
)
@pytest.mark.parametrize("threads", [1, 4])
def test_faults_come_out(fault: str, kind: type[Exception], why: str, threads: int) -> None:
    simulator = fs.Simulator(lambda: Walk(fault), reward_range=(0, 1), name="broken")
    with pytest.raises(kind, match=why or None) as caught:
        totals(simulator, "random", threads=threads)
    where = [*getattr(caught.value, "__notes__", []), str(caught.value)]
    assert any("broken, step" in text for text in where) or "reset" in fault
    assert totals(walk(), "random")[0].sum() > 0  # the library goes on


def test_factory_that_fails_in_a_thread() -> None:
    made = []

    def factory() -> Any:
        made.append(1)
        if len(made) > 1:
            raise OSError("no more")
        return Walk()

    with pytest.raises(OSError, match="no more"):
        totals(fs.Simulator(factory, reward_range=(0, 1)), "random")


def test_refused() -> None:
    with pytest.raises(ValueError, match="give reward_range"):
        fs.Simulator(Walk)
    with pytest.raises(TypeError, match="must be the id"):
        fs.Simulator(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="reward range"):
        totals(fs.Simulator(Walk, reward_range=(0, 0)), "random")
    with pytest.raises((TypeError, ValueError)):
        fs.Simulator(lambda: gymnasium.make("CartPole-v1"), reward_range=(0, 1))
    with pytest.raises(ValueError, match="peeks|model"):
        totals(walk(), "optimal")
    for wrong in [
        (1, 2, 3),
        ("a", (1, 1, 0, 1, True, None)),
        ("a", 3, len),
        ("", (1, 1, 0.0, 1.0, True, None), len),
    ]:
        with pytest.raises((TypeError, ValueError)):
            _core.Simulator(*wrong)
    for world in (3, (1,), (1, 2)):
        broken = _core.Simulator("a", (2, 2, 0.0, 1.0, True, None), lambda world=world: world)
        with pytest.raises(TypeError):
            totals(broken, "random")


def test_simulators_are_freed() -> None:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()

    def factory() -> Any:
        env = Walk()
        alive.add(env)
        return env

    for _ in range(20):
        simulator = fs.Simulator(factory, reward_range=(0, 1))
        totals(simulator, "random", steps=10)
    gone = weakref.ref(simulator)
    del simulator
    gc.collect()
    assert gone() is None and len(alive) == 0


# ---- in studies ----


def test_beside_models_in_a_study() -> None:
    simulator = walk()
    agents = ["q-learning", "random"]
    r = fs.run([simulator, "chain:n=3"], agents, steps=300, runs=5, metrics="return", curve=3, progress=False)
    assert r.envs == ["Walk", "chain:n=3"]
    assert np.array_equal(r.totals("Walk", "q-learning"), totals(simulator, "q-learning")[0])
    assert np.array_equal(
        r.totals("chain:n=3", 1), fs.run("chain:n=3", "random", steps=300, runs=5, progress=False).totals()
    )
    assert r.curve(simulator, 0)[1].shape == (3, 5) and np.array_equal(
        r.curve("Walk", 0)[1][-1], r.totals(0, 0)
    )
    assert r.metric("return", "Walk", 0).shape == (5,)
    assert "Walk" in str(r) and list(r.frame("numpy")["env"][:10]) == ["Walk"] * 10
    assert np.array_equal(pickle.loads(pickle.dumps(r)).totals(0, 0), r.totals(0, 0))
    named = fs.run(
        {"first": walk(), "second": walk(name="other")}, "random", steps=10, runs=2, progress=False
    )
    assert named.envs == ["first", "second"] and np.array_equal(named.totals(0, 0), named.totals(1, 0))


class Balance(gymnasium.Env):  # type: ignore[misc]
    """Every step pays 1, and one in twenty is a fall, which ends the episode; `over` has the lengths of all."""

    over: list[int] = []

    def __init__(self) -> None:
        self.observation_space, self.action_space = spaces.Discrete(1), spaces.Discrete(2)
        self.steps = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.over.append(self.steps)
        self.steps = 0
        return 0, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        self.steps += 1
        return 0, 1.0, self.np_random.random() < 0.05, False, {}


def test_episodes_at_a_time_limit_count() -> None:
    limited = fs.Simulator(
        lambda: gymnasium.wrappers.TimeLimit(Balance(), 20), reward_range=(0, 1), name="balance"
    )
    Balance.over.clear()
    r = fs.run(
        limited, "random", steps=2000, runs=1, threads=1, metrics=["episodes", "return"], progress=False
    )
    lengths = [steps for steps in Balance.over if steps > 0]  # the last reset follows the last end
    assert sum(lengths) <= 2000 and 20 in lengths and min(lengths) < 20
    assert r.metric("episodes").tolist() == [len(lengths)]
    assert r.metric("return")[0] == pytest.approx(sum(lengths) / len(lengths), rel=1e-12)


def test_what_needs_a_model_says_so(tmp_path: Any) -> None:
    for named, why in [
        ({"store": tmp_path / "r.db"}, 'the simulator Walk has no version.*version="1"'),
        ({"metrics": "regret"}, "needs a model"),
        ({"metrics": "mistakes"}, "needs a model"),
    ]:
        with pytest.raises(ValueError, match=why):
            fs.run(walk(), "q-learning", steps=10, runs=2, progress=False, **named)
    assert not (tmp_path / "r.db").exists()
    with pytest.raises(ValueError, match="Walk.*family|given twice|chain"):
        fs.run([walk(name="chain")], "q-learning", steps=10, runs=2, progress=False)


def test_faults_come_out_of_studies() -> None:
    simulator = fs.Simulator(lambda: Walk("step"), reward_range=(0, 1), name="broken")
    with pytest.raises(OSError, match="no step") as caught:
        fs.run(simulator, "q-learning", steps=100, runs=2, progress=False)
    assert any(
        "broken, step 20 of replicate" in note
        for note in getattr(caught.value, "__notes__", ["broken, step 20 of replicate"])
    )


def test_until_without_a_store() -> None:
    r = fs.run(walk(), "q-learning", steps=50, until="ci=20%", runs=200, progress=False)
    assert r.runs(0, 0) >= 2


@pytest.mark.parametrize("threads", [1, 3])
def test_environments_are_closed(threads: int) -> None:
    made: list[Walk] = []
    closed: list[Walk] = []

    class Closing(Walk):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

        def close(self) -> None:
            closed.append(self)

    simulator = fs.Simulator(Closing, reward_range=(0, 1))
    fs.run(simulator, ["q-learning", "random"], steps=20, runs=6, threads=threads, progress=False)
    assert len(made) >= 2  # one tells the spaces
    assert sorted(map(id, closed)) == sorted(map(id, made))


def test_rewards_that_no_float_holds() -> None:
    with pytest.raises(ValueError, match="the largest reward is too large"):
        fs.Simulator(Walk, reward_range=(0, 10**400))


def test_a_horizon_cuts_episodes_for_agents_that_plan_for_one() -> None:
    r = fs.run(walk(horizon=5), ["ucbvi", "q-learning"], steps=600, runs=4, metrics=["episodes", "success:at_least=1"], progress=False)
    assert r.metric("episodes", 0, 0).min() >= 120  # cut after five steps at the latest
    assert 0 < r.metric("success:at_least=1", 0, 0).mean() <= 1
    model = fs.run("chain:n=3,horizon=5", "ucbvi", steps=10, runs=1, progress=False)
    assert "ucbvi" in str(model.agents) and walk(horizon=5).horizon == 5 and walk().horizon is None
    assert pickle.loads(pickle.dumps(walk(horizon=7))).horizon == 7


def test_the_time_limit_of_gymnasium_is_a_horizon() -> None:
    lake = fs.Simulator("FrozenLake-v1", reward_range=(0, 1), horizon="limit")
    assert lake.horizon == gymnasium.spec("FrozenLake-v1").max_episode_steps
    assert lake.with_gamma(0.5).horizon == lake.horizon  # a horizon stays
    with pytest.raises(ValueError, match="made without a time limit"):
        walk(horizon="limit")
    with pytest.raises(ValueError, match="at least 1"):
        walk(horizon=0)
    with pytest.raises(TypeError, match="horizon must be a whole number"):
        walk(horizon=2.5)
    with pytest.raises(ValueError, match="one criterion"):
        walk(horizon=5, gamma=0.9)


def test_success_wants_a_return_where_there_is_no_model() -> None:
    with pytest.raises(ValueError, match="success:at_least=1"):
        fs.run(walk(), "random", steps=10, runs=1, metrics=["success"], progress=False)
