"""fs.train and fs.evaluate in Gymnasium's own environments and in ours."""

from __future__ import annotations

import hashlib
import json
import pickle
import signal
import struct
import subprocess
import threading
import time
from typing import Any

import numpy as np
import pytest

import farsight as fs
from farsight import training as implementation

gym = pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode


def newest(name: str) -> str:
    """The id of the newest version of one of Gymnasium's environments."""
    return max((s for s in gym.registry.values() if s.name == name), key=lambda s: s.version or 0).id


def optimum(env: Any, gamma: float) -> np.ndarray:
    """The optimal action values of a toy-text environment, by value iteration."""
    table = env.unwrapped.P
    q = np.zeros((len(table), len(table[0])))
    for _ in range(5000):
        v = q.max(axis=1)
        new = np.array(
            [
                [sum(p * (r + gamma * v[n] * (not d)) for p, n, r, d in table[s][a]) for a in table[s]]
                for s in table
            ]
        )
        if abs(new - q).max() < 1e-12:
            break
        q = new
    return q


def value(env: Any, policy: np.ndarray, gamma: float) -> float:
    """The value of a deterministic policy at the start."""
    table = env.unwrapped.P
    n = len(table)
    steps, rewards = np.zeros((n, n)), np.zeros(n)
    for s in range(n):
        for p, after, r, d in table[s][int(policy[s])]:
            rewards[s] += p * r
            steps[s, after] += p * gamma * (not d)
    v = np.linalg.solve(np.eye(n) - steps, rewards)
    return float(v @ env.unwrapped.initial_state_distrib)


# ---- agents learn what their theory says ----


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "spec", "steps", "gap"),
    [
        ("FrozenLake", {"is_slippery": True}, "r-max:m=200,gamma=0.95", 100_000, 0.05),
        ("FrozenLake", {"is_slippery": False}, "r-max:m=1,gamma=0.95", 2_000, 1e-6),
        ("FrozenLake", {"is_slippery": False}, "delayed-q:m=1,gamma=0.9,eps1=0.001", 30_000, 0.05),
        ("FrozenLake", {"is_slippery": False}, "directed-delayed-q:m=1,gamma=0.9,eps1=0.001", 30_000, 0.05),
        ("FrozenLake", {"is_slippery": True}, "mbie-eb:beta=0.1,gamma=0.95", 60_000, 0.05),
        ("CliffWalking", {}, "r-max:m=1,gamma=0.95", 5_000, 1e-6),
        ("CliffWalking", {}, "delayed-q:m=1,gamma=0.9,eps1=0.01", 60_000, 0.1),
        ("Taxi", {}, "r-max:m=1,gamma=0.95", 40_000, 0.05),
    ],
)
def test_the_greedy_policy_is_near_the_optimum(
    name: str, options: dict[str, Any], spec: str, steps: int, gap: float
) -> None:
    env = gym.make(newest(name), **options)
    agent = fs.Agent(spec, env)
    gamma = float(agent.params["gamma"])
    best = optimum(env, gamma)
    start = float(best.max(axis=1) @ env.unwrapped.initial_state_distrib)
    before = value(env, np.zeros(agent.n_states), gamma)
    fs.train(agent, env, steps, seed=1)
    found = value(env, agent.greedy, gamma)
    assert before < start - gap - 0.1 * abs(start)  # there was something to learn
    assert start - gap * max(1, abs(start)) <= found <= start + 1e-9
    assert agent.visits.sum() == agent.steps == steps
    assert not agent.visits[agent.absent].any()


@pytest.mark.slow
def test_blackjack_is_learned_from_tuples() -> None:
    env = gym.make("Blackjack-v1")
    agent = fs.Agent("q-learning", env, reward_range=(-1, 1), gamma=0.99, epsilon=0.2, alpha=0.02, q0=0)
    fs.train(agent, env, 60_000, seed=1)
    found = fs.evaluate(agent, env, 3000, seed=2)
    chance = fs.evaluate(
        fs.Agent("random", env, reward_range=(-1, 1)), env, 3000, deterministic=False, seed=2
    )
    assert chance.mean < -0.3 and found.mean > -0.13
    assert agent.predict((20, 10, 0), deterministic=True)[0] == 0  # stick
    assert agent.predict((9, 10, 0), deterministic=True)[0] == 1  # hit


def test_states_that_appear_get_numbers() -> None:
    states = fs.StateNumbers(most=20)
    env = gym.wrappers.TransformObservation(
        gym.make(newest("FrozenLake"), is_slippery=False),
        lambda s: np.array([s // 4, s % 4], dtype=np.float64),
        gym.spaces.Box(0, 3, (2,), dtype=np.float64),
    )
    agent = fs.Agent("r-max:m=1", env, states=states, reward_range=(0, 1))
    fs.train(agent, env, 3000, seed=1)
    assert len(states) == 11  # the holes and the goal end an episode: they need no number
    assert fs.evaluate(agent, env, 5).mean == 1.0
    assert states.item(0).tolist() == [0, 0]
    other = pickle.loads(pickle.dumps(agent))
    assert fs.evaluate(other, env, 5).mean == 1.0
    assert agent.predict(np.array([[0.0, 0.0], [2.0, 2.0]]), deterministic=True)[0].shape == (2,)
    few = fs.Agent("r-max:m=1", env, states=fs.StateNumbers(most=4), reward_range=(0, 1))
    with pytest.raises(ValueError, match="number 5 of at most 4"):
        fs.train(few, env, 3000, seed=1)
    fs.train(few, gym.make(newest("FrozenLake")), 1, seed=1, states=fs.StateNumbers(4))  # still usable


# ---- what an agent is told ----


class Corridor(gym.Env[Any, Any]):
    """States 0 ... 3; action 1 goes on, 3 is the end; at most `most` steps; the reward is the state left."""

    def __init__(self, most: int = 100) -> None:
        self.observation_space = gym.spaces.Discrete(4)
        self.action_space = gym.spaces.Discrete(2)
        self.most = most

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.place, self.count = 0, 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        assert self.place < 3, "stepped after the end"
        assert self.count < self.most, "stepped after the limit"
        reward = self.place / 4
        self.place += int(action)
        self.count += 1
        return self.place, reward, self.place == 3, self.count == self.most, {}


class Watching(fs.Agent):
    """Writes down what it is told, and goes on unless it is told to wait."""

    def __init__(self, waits: int = 0) -> None:
        super().__init__("random", n_states=4, n_actions=2, reward_range=(0, 1))
        self.seen: list[tuple[Any, ...]] = []
        self.waits = waits

    def act(self, s: int, /) -> int:
        self.waits -= 1
        return int(self.waits < 0)

    def observe(
        self, s: int, a: int, r: float, next: Any, terminated: bool = False, truncated: bool = False
    ) -> None:
        self.seen.append((s, a, r, next, bool(terminated), bool(truncated)))
        super().observe(s, a, r, next, terminated, truncated)

    def act_many(self, states: Any, /) -> Any:
        return np.array([self.act(s) for s in states], dtype=np.int64)

    def observe_many(self, *columns: Any) -> None:
        for s, a, r, after, terminated, truncated in zip(
            *(np.asarray(c).tolist() for c in columns), strict=True
        ):
            self.observe(s, a, r, None if terminated else after, terminated, truncated)


END = [(0, 1, 0.0, 1, False, False), (1, 1, 0.25, 2, False, False), (2, 1, 0.5, None, True, False)]
CUT = [(0, 1, 0.0, 1, False, False), (1, 1, 0.25, 2, False, True)]


def test_a_terminated_step_has_no_next_state() -> None:
    agent = Watching()
    result = fs.train(agent, Corridor(), 7)
    assert agent.seen == END + END + END[:1]
    assert result.rewards.tolist() == [0, 0.25, 0.5, 0, 0.25, 0.5, 0]
    assert (result.returns.tolist(), result.lengths.tolist()) == ([0.75, 0.75], [3, 3])
    assert result.terminated.tolist() == [True, True] and result.terminated.dtype == np.bool_
    assert (result.steps, result.episodes, result.total) == (7, 2, 1.5)


def test_a_truncated_step_has_a_next_state_and_ends_the_episode() -> None:
    agent = Watching()
    result = fs.train(agent, Corridor(most=2), 5)
    assert agent.seen == CUT + CUT + CUT[:1]
    assert result.terminated.tolist() == [False, False]


def test_truncation_bootstraps() -> None:
    """A time limit is no terminal state: staying for ever is worth 1 a step."""
    env = gym.wrappers.TimeLimit(Staying(), 10)
    agent = fs.Agent("q-learning:gamma=0.9,alpha=0.5,epsilon=0,q0=0", env, reward_range=(0, 1))
    fs.train(agent, env, 1000)
    assert agent.q.max() == pytest.approx(10, rel=1e-3)


class Staying(gym.Env[Any, Any]):
    """One state, reward 1, for ever."""

    observation_space = gym.spaces.Discrete(1)
    action_space = gym.spaces.Discrete(1)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        return 0, 1.0, False, False, {}


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("most", [100, 2])
def test_vector_environments_tell_the_same(mode: AutoresetMode, most: int) -> None:
    env = gym.vector.SyncVectorEnv([lambda: Corridor(most)] * 2, autoreset_mode=mode)
    agent = Watching()
    result = fs.train(agent, env, 24, seed=1)
    one = END if most == 100 else CUT
    expected = [step for step in one * 12 for _ in range(2)][:24]
    assert agent.seen == expected
    assert result.returns.tolist() == [sum(step[2] for step in one)] * len(result.returns)
    assert set(result.lengths.tolist()) == {len(one)}
    assert result.rewards.tolist() == [step[2] for step in expected]
    assert agent.visits.sum() == 24


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_parts_of_a_vector_environment_end_at_different_times(mode: AutoresetMode) -> None:
    env = gym.vector.SyncVectorEnv([lambda: Corridor(2), lambda: Corridor(100)], autoreset_mode=mode)
    agent = Watching()
    fs.train(agent, env, 50, seed=1)
    assert set(agent.seen) == {*END, *CUT}
    tuples = fs.Agent("q-learning", n_states=4, n_actions=2, reward_range=(0, 1), states=fs.StateNumbers(4))
    fs.train(tuples, env, 200, seed=1)
    assert len(tuples.states) <= 3  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_vector_environments_of_tuples(mode: AutoresetMode) -> None:
    env = gym.vector.SyncVectorEnv([lambda: gym.make("Blackjack-v1")] * 3, autoreset_mode=mode)
    agent = fs.Agent("q-learning", env, reward_range=(-1, 1))
    result = fs.train(agent, env, 600, seed=1)
    assert agent.steps == result.steps and result.episodes > 100 and result.terminated.all()
    assert set(result.rewards.tolist()) == {-1.0, 0.0, 1.0}
    ones = fs.Agent("q-learning", env, reward_range=(-1, 1), states=fs.StateNumbers(704))
    assert fs.train(ones, env, 600, seed=1).episodes > 100


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_our_vector_environments(mode: str) -> None:
    env = gym.make_vec("farsight/FrozenLake-v0", num_envs=5, autoreset_mode=mode, max_episode_steps=50)
    agent = fs.Agent("r-max:m=20", env)
    result = fs.train(agent, env, 5000, seed=3)
    assert 5000 <= result.steps < 5005 and agent.steps == agent.visits.sum() == result.steps
    assert result.episodes > 50 and result.lengths.max() <= 50
    assert not agent.visits[agent.absent].any()


def test_vector_and_single_environments_learn_alike() -> None:
    """All three modes see the same transitions of each part, only at other times."""
    totals = []
    for mode in AutoresetMode:
        env = gym.make_vec("farsight/Chain-v0", num_envs=4, autoreset_mode=mode, n=5)  # never ends
        agent = fs.Agent("delayed-q", env)
        totals.append((fs.train(agent, env, 4000, seed=2).total, agent.save_bytes()))
    assert totals[0] == totals[1] == totals[2]


# ---- continuing ----


@pytest.mark.parametrize(
    "make", [lambda: gym.make(newest("FrozenLake")), lambda: gym.make("farsight/FrozenLake-v0")]
)
def test_calls_continue_where_the_last_stopped(make: Any) -> None:
    whole, parts = make(), make()
    one, other = fs.Agent("q-learning", whole), fs.Agent("q-learning", parts)
    all_ = fs.train(one, whole, 1000, seed=5)
    pieces = [fs.train(other, parts, 137, seed=5)]
    pieces += [fs.train(other, parts, steps) for steps in (1, 0, 300, 562)]
    assert one.save_bytes() == other.save_bytes()
    for name in ("rewards", "returns", "lengths", "terminated"):
        assert np.array_equal(
            np.concatenate([getattr(piece, name) for piece in pieces]), getattr(all_, name)
        ), name


def test_a_new_episode_begins_where_another_has_used_the_environment() -> None:
    env = Corridor()
    agent = Watching()
    fs.train(agent, env, 1)
    fs.train(agent, env, 1)
    assert [step[0] for step in agent.seen] == [0, 1]
    other = Watching()
    fs.train(other, env, 1)  # another agent
    assert other.seen[-1][0] == 0
    fs.train(agent, env, 1)
    assert agent.seen[-1][0] == 0
    fs.train(agent, env, 1, seed=1)
    assert agent.seen[-1][0] == 0
    lake = gym.make(newest("FrozenLake"), is_slippery=False)
    walker = fs.Agent("random", lake)
    begun: list[int] = []
    fs.train(walker, lake, 1, seed=1)
    while walker.visits[0].sum() == walker.steps:  # until it has left the start
        fs.train(walker, lake, 1)
    lake.reset()
    lake.step(2)
    fs.train(walker, lake, 1, callback=lambda t, s, *rest: begun.append(s))
    assert begun == [0]


def test_episodes_and_callbacks_end_training() -> None:
    env = Corridor()
    assert fs.train(Watching(), env, episodes=4).episodes == 4
    assert fs.train(Watching(), env, 5, episodes=4).steps == 5
    assert fs.train(Watching(), env, 100, episodes=1).steps == 3
    calls: list[tuple[Any, ...]] = []

    def stop(*step: Any) -> bool:
        calls.append(step)
        return len(calls) < 4

    assert fs.train(Watching(), env, 100, callback=stop).steps == 4
    assert [call[1:] for call in calls] == END + END[:1] and [call[0] for call in calls] == [1, 2, 3, 4]
    many = gym.vector.SyncVectorEnv([Corridor] * 2)
    calls.clear()
    assert fs.train(Watching(), many, 100, seed=1, callback=stop).steps == 4
    assert [call[0] for call in calls] == [1, 2, 3, 4]


def test_a_callback_that_raises_leaves_the_agent_usable() -> None:
    env = gym.make("farsight/Chain-v0")
    agent = fs.Agent("r-max", env)

    def fail(t: int, *rest: Any) -> None:
        if t == 100:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fs.train(agent, env, 1000, callback=fail)
    assert agent.steps == agent.visits.sum() == 100
    assert fs.train(agent, env, 50).steps == 50


@pytest.mark.parametrize("make", [lambda: gym.make("farsight/Chain-v0"), Corridor])
def test_an_interrupt_leaves_the_agent_usable(make: Any) -> None:
    env = make()
    agent = fs.Agent("delayed-q", env, reward_range=(0, 1))

    def stop() -> None:
        while agent.steps == 0:
            time.sleep(0.001)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        fs.train(agent, env, 10**9)
    thread.join()
    assert agent.steps == agent.visits.sum() > 0
    before = agent.steps
    fs.train(agent, env, 10)
    assert agent.steps == before + 10


def test_progress(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(step: int, *_: Any) -> None:
        time.sleep(0.12 if step % 1024 == 0 else 0)

    monkeypatch.setattr("farsight.progress.PATIENCE", 0)
    fs.train(Watching(), Corridor(), 4096, progress=True, callback=slow)
    assert "4,096 steps" in capsys.readouterr().err
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    fs.train(Watching(), Corridor(), 4096, progress=True, callback=slow)
    assert "100%  4,096 steps" in capsys.readouterr().err
    seen: list[Any] = []
    fs.train(Watching(), Corridor(), 4096, progress=seen.append, callback=slow)
    assert [at.steps_done for at in seen] == [1024, 2048, 3072, 4096] and seen[-1].share == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda a, e: fs.train(a, e), ValueError, "give steps"),
        (lambda a, e: fs.train(a, e, -1), ValueError, "steps is -1"),
        (lambda a, e: fs.train("psrl", e), TypeError, r"is 'psrl': make one by fs\.Agent\('psrl', env=env\)"),
        (lambda a, e: fs.train(fs.agents["psrl"], e), TypeError, r"make one by fs\.Agent\('psrl', env=env\)"),
        (lambda a, e: fs.train(Learner, e), TypeError, r"class Learner: give Learner\.on\(env\)"),
        (lambda a, e: fs.train(3, e), TypeError, r"agent is 3: must be a farsight\.Agent"),
        (lambda a, e: fs.evaluate("psrl", e), TypeError, r"make one by fs\.Agent"),
        (lambda a, e: fs.train(a, "chain", 1), TypeError, "must be a Gymnasium environment"),
        (
            lambda a, e: fs.train(a, gym.make(newest("Taxi")), 1),
            ValueError,
            "made for 4 states and the environment has 500",
        ),
        (lambda a, e: fs.train(a, gym.make("CartPole-v1"), 1), ValueError, "StateNumbers"),
        (lambda a, e: fs.evaluate(a, e, 0), ValueError, "at least 1"),
        (lambda a, e: fs.evaluate(a, gym.vector.SyncVectorEnv([Corridor]), 1), ValueError, "not a vector"),
    ],
)
def test_errors(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(Watching(), Corridor())


def test_rewards_outside_the_range_are_named() -> None:
    env = Corridor()
    agent = fs.Agent("r-max", env, reward_range=(0, 0.4))
    with pytest.raises(ValueError, match=r"reward 0.5 is outside the range \[0, 0.4\]"):
        fs.train(agent, env, 1000)


# ---- our own environments at C speed: the same bits ----


@pytest.mark.parametrize(
    "agent_name", ["directed-delayed-q", "q-learning", "r-max", "psrl", "dora", "random"]
)
@pytest.mark.parametrize(
    ("env_id", "options"),
    [
        ("farsight/Chain-v0", {"n": 7}),
        ("farsight/FrozenLake-v0", {}),
        ("farsight/FrozenLake-v0", {"max_episode_steps": 9}),
        ("farsight/RiverSwim-v0", {"max_episode_steps": 17}),
    ],
)
def test_the_fast_loop_does_the_same(
    agent_name: str, env_id: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(implementation._Native, "most", 256)
    results = []
    for fast in (True, False):
        if not fast:
            monkeypatch.setattr(implementation, "_native", lambda loop, env: None)
        env = gym.make(env_id, **options)
        agent = fs.Agent(agent_name, env, seed=4)
        runs = [
            fs.train(agent, env, 700, seed=3),
            fs.train(agent, env, 500, episodes=3),
            fs.train(agent, env, 5),
        ]
        runs += [fs.train(agent, env, 104, callback=lambda *step: None), fs.train(agent, env, 301)]
        state = (agent.save_bytes(), agent.visits.tolist(), env.unwrapped.state)
        results.append(
            state
            + tuple(
                getattr(r, k).tolist() for r in runs for k in ("rewards", "returns", "lengths", "terminated")
            )
        )
    assert results[0] == results[1]


def test_the_fast_loop_is_used_only_where_it_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []
    go = implementation._Native.go
    monkeypatch.setattr(
        implementation._Native, "go", lambda self, *rest: (used.append(1), go(self, *rest))[1]
    )

    def uses(agent: fs.Agent, env: Any) -> bool:
        used.clear()
        fs.train(agent, env, 5, seed=1)
        return bool(used)

    lake = gym.make("farsight/FrozenLake-v0")
    assert uses(fs.Agent("r-max", lake), lake)
    limited = gym.make("farsight/FrozenLake-v0", max_episode_steps=5)
    assert uses(fs.Agent("r-max", limited), limited)
    scaled = gym.wrappers.TransformReward(lake, lambda r: r / 2)
    assert not uses(fs.Agent("r-max", scaled, reward_range=(0, 0.5)), scaled)
    four = gym.make("farsight/MDP-v0", model=fs.MDP("chain:n=4"))
    assert not uses(Watching(), four)  # it overrides observe
    assert not uses(fs.Agent("r-max", lake, states=fs.StateNumbers(16), reward_range=(0, 1)), lake)


def test_a_run_of_train_is_a_run_of_the_command() -> None:
    from test_agent import command

    run = [command(), "run", "-q", "-e", "riverswim", "-a", "psrl", "--steps", "3000", "--runs", "1"]
    run += ["--seed", "11", "--json"]
    cell = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)["cells"][0]
    env = gym.make("farsight/RiverSwim-v0")
    result = fs.train(fs.Agent("psrl", env, seed=11), env, 3000, seed=11)
    assert hashlib.sha256(struct.pack("<d", result.total)).hexdigest() == cell["hash"]


# ---- evaluation ----


def test_evaluation_changes_nothing() -> None:
    env = gym.make(newest("FrozenLake"))
    agent = fs.Agent("q-learning", env, epsilon=0.5)
    fs.train(agent, env, 500, seed=1)
    before = agent.save_bytes(), agent.visits.tolist()
    for deterministic in (True, False):
        first = fs.evaluate(agent, env, 20, deterministic=deterministic, seed=3)
        again = fs.evaluate(agent, env, 20, deterministic=deterministic, seed=3)
        assert first.returns.tolist() == again.returns.tolist() and len(first.returns) == 20
    assert (agent.save_bytes(), agent.visits.tolist()) == before


def test_evaluation_of_episodes() -> None:
    agent = fs.Agent("q-learning:q0=0,epsilon=0", n_states=4, n_actions=2, reward_range=(0, 1))
    for s in range(3):
        agent.observe(s, 1, 1.0, None, True)
    found = fs.evaluate(agent, Corridor(), 3)
    assert found.returns.tolist() == [0.75] * 3 and found.lengths.tolist() == [3] * 3
    assert found.mean == 0.75 and found.error == 0 and "mean return 0.75" in repr(found)
    waiting = fs.Agent("q-learning:q0=0,epsilon=0", n_states=4, n_actions=2, reward_range=(0, 1))
    assert fs.evaluate(waiting, Corridor(10**9), 2, max_steps=50).lengths.tolist() == [50, 50]


def test_predict_serves_the_loop_of_stable_baselines() -> None:
    """As its evaluate_policy calls it; the package itself is too large to require."""
    env = gym.make_vec(newest("FrozenLake"), num_envs=3, vectorization_mode="sync", is_slippery=False)
    agent = fs.Agent("r-max:m=1", env)
    fs.train(agent, gym.make(newest("FrozenLake"), is_slippery=False), 2000, seed=1)
    observations, _ = env.reset(seed=1)
    states, starts, total = None, np.ones(3, dtype=bool), np.zeros(3)
    for _ in range(6):
        actions, states = agent.predict(observations, state=states, episode_start=starts, deterministic=True)
        observations, rewards, terminated, truncated, _ = env.step(actions)
        starts = terminated | truncated
        total += rewards
    assert total.tolist() == [1, 1, 1]


def test_stable_baselines_evaluates_our_agents() -> None:
    evaluation = pytest.importorskip("stable_baselines3.common.evaluation")
    env = gym.make(newest("FrozenLake"), is_slippery=False)
    agent = fs.Agent("r-max:m=1", env)
    fs.train(agent, env, 2000, seed=1)
    assert evaluation.evaluate_policy(agent, env, n_eval_episodes=3) == (1.0, 0.0)


# ---- agents written in Python ----


class Learner(fs.PyAgent):
    """Q-learning that is greedy."""

    def __init__(self, alpha: float = 0.5) -> None:
        self.alpha = alpha
        self.table = np.ones((self.n_states, self.n_actions))
        self.steps: list[tuple[Any, ...]] = []

    def act(self, s: int) -> int:
        return int(self.table[s].argmax())

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        self.steps.append((s, a, r, next, terminated, truncated))
        target = r + 0.9 * (not terminated) * self.table[next].max()
        self.table[s, a] += self.alpha * (target - self.table[s, a])


def test_agents_written_in_python_are_trained() -> None:
    env = gym.make(newest("FrozenLake"), is_slippery=False)
    alone, inside = Learner.on(env, alpha=0.25), fs.Agent(Learner, env, alpha=0.25)
    ours = fs.train(alone, env, 3000, seed=1)
    theirs = fs.train(inside, env, 3000, seed=1)
    assert ours.rewards.tolist() == theirs.rewards.tolist() and ours.total > 100
    assert inside.params["alpha"] == 0.25 and inside.visits.sum() == 3000
    before = alone.table.copy()
    assert fs.evaluate(alone, env, 3).mean == 1.0 and (alone.table == before).all()


def test_agents_written_in_python_in_vector_environments() -> None:
    env = gym.make_vec("farsight/FrozenLake-v0", num_envs=3)
    agent = Learner.on(env)
    result = fs.train(agent, env, 300, seed=1)
    assert len(agent.steps) == result.steps
    assert all(type(step[4]) is bool and type(step[0]) is int for step in agent.steps)


def test_simulators_and_entries_stand_for_problems_and_specs() -> None:
    agent = fs.Agent(fs.agents["delayed-q"], "chain:n=4")
    assert agent.spec.startswith("delayed-q:")
    assert fs.Agent(fs.agents.r_max, "chain:n=4").spec.startswith("r-max:")
    jack = fs.Agent("r-max", fs.Simulator("Blackjack-v1", reward_range=(-1, 1)))
    assert (jack.n_states, jack.reward_range) == (704, (-1.0, 1.0))
    with pytest.raises(TypeError, match="expected an agent"):
        fs.Agent(3, "chain")  # type: ignore[arg-type]


def test_agents_of_other_sizes_are_refused() -> None:
    env = gym.make("farsight/Chain-v0", n=6)
    large = gym.make("farsight/Chain-v0", n=50)
    words = "the agent was made for 50 states and the environment has 6"
    for agent in (fs.Agent("r-max", env=large), fs.Agent("r-max", env="chain:n=50"), Learner.on(large)):
        with pytest.raises(ValueError, match=words):
            fs.train(agent, env, 10)
        with pytest.raises(ValueError, match=words):
            fs.evaluate(agent, env, 1, max_steps=5)
    sizes = {"n_states": 6, "n_actions": 3, "reward_range": (0, 1)}
    with pytest.raises(ValueError, match="made for 3 actions and the environment has 2"):
        fs.train(fs.Agent("r-max", **sizes), env, 10)
    open_ = fs.Agent("r-max", env=env, states=fs.StateNumbers(most=50), reward_range=(0, 1))  # as they appear
    assert fs.train(open_, env, 10).steps == 10


def test_whole_numbers_may_be_written_as_floats() -> None:
    env = gym.make("farsight/FrozenLake-v0")
    agent = fs.Agent("r-max", env=env)
    assert fs.train(agent, env, steps=1e3).steps == 1000
    assert fs.train(agent, env, episodes=3.0).episodes == 3
    assert len(fs.evaluate(agent, env, episodes=2.0, max_steps=5).returns) == 2
    for wrong in ({"steps": 1000.5}, {"episodes": "all"}):
        (name, value), *_ = wrong.items()
        with pytest.raises(TypeError, match=f"{name} must be a whole number, not {value!r}"):
            fs.train(agent, env, **wrong)  # type: ignore[arg-type]


def mirrored(name: str, **options: Any) -> Any:
    return gym.wrappers.TransformObservation(gym.make(name, **options), lambda s: 15 - s, gym.spaces.Discrete(16))


@pytest.mark.parametrize("name", ["FrozenLake-v1", "farsight/FrozenLake-v0"])
def test_wrappers_that_change_observations_hide_the_table(name: str) -> None:
    """Which states are absent is known of the states inside, which have other numbers."""
    env = mirrored(name)
    agent = fs.Agent("r-max", env, m=1)
    assert not agent.absent.any()
    assert fs.train(agent, env, steps=300, seed=np.uint16(1)).steps == 300
    assert agent.visits[15].sum() > 0
    assert not fs.Agent("r-max", gym.vector.SyncVectorEnv([lambda: mirrored(name)])).absent.any()
    assert fs.Agent("r-max", gym.vector.SyncVectorEnv([lambda: gym.make(name)])).absent.any()


def test_seeds_of_numpy() -> None:
    for name in ("farsight/FrozenLake-v0", "FrozenLake-v1"):
        env = gym.make(name)
        agent = fs.Agent("q-learning", env)
        assert fs.train(agent, env, steps=5, seed=np.int64(2)).steps == 5
        assert fs.evaluate(agent, env, episodes=2, seed=np.int64(2), max_steps=50).lengths.size == 2
