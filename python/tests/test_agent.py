"""fs.Agent and fs.Random: calls, values, copies, errors, memory; the same bits as the command."""

from __future__ import annotations

import contextlib
import copy
import gc
import hashlib
import json
import os
import pickle
import resource
import shutil
import struct
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import farsight as fs
from farsight import _core

ROOT = Path(__file__).resolve().parent.parent.parent
ALL = [
    name for name, entry in fs.agents.items() if "code" not in entry.parameters
]  # not those of other tests
STATIONARY = [name for name in ALL if not fs.agents[name].facts["finite_horizon"]]
LEARNERS = [name for name in ALL if not fs.agents[name].facts["baseline"]]


def command() -> str:
    """The command to compare with."""
    built = ROOT / "build" / "python" / "farsight"
    found = os.environ.get("FARSIGHT_COMMAND") or (str(built) if built.exists() else shutil.which("farsight"))
    if not found:
        pytest.skip("no command farsight: set FARSIGHT_COMMAND")
    return found


def newest(name: str) -> str:
    """The id of the newest version of one of Gymnasium's environments."""
    import gymnasium as gym

    return max((s for s in gym.registry.values() if s.name == name), key=lambda s: s.version or 0).id


def play(agent: fs.Agent, steps: int, seed: int = 3) -> list[int]:
    """A stream of transitions that depends on the agent's actions; the actions."""
    random = fs.Random(seed, 0, "transition")
    actions, s = [], 0
    for _ in range(steps):
        a = agent.act(s)
        after = (s + 1 + a + random.below(2)) % agent.n_states
        terminated = random.uniform() < 0.05
        agent.observe(s, a, random.uniform(), after, terminated, random.uniform() < 0.05)
        s = 0 if terminated else after
        actions.append(a)
    return actions


def make(spec: str = "directed-delayed-q", **named: object) -> fs.Agent:
    """An agent of a small problem."""
    if spec.split(":", maxsplit=1)[0] not in STATIONARY:
        named.setdefault("episode_steps", 6)
    return fs.Agent(spec, n_states=5, n_actions=3, reward_range=(0, 1), **named)


def small(name: str, **named: object) -> fs.Agent:
    """Any agent, on a model, since some peek."""
    env = "garnet:states=5,actions=3" + ("" if name in STATIONARY else ",horizon=6")
    return fs.Agent(name, env, reward_range=None, **named)


# ---- the same bits as the command ----


@pytest.mark.skipif(not hasattr(_core, "Worlds"), reason="no worlds")
@pytest.mark.parametrize("env", ["chain:n=6", "frozen-lake", "chain:n=5,horizon=6"])
def test_every_agent_repeats_the_runs_of_the_command(env: str) -> None:
    names = ALL if "horizon" in env else STATIONARY
    arguments = [part for name in names for part in ("-a", name)]
    run = [command(), "run", "-q", "-e", env, "--steps", "400", "--runs", "2", "--seed", "7", "--json"]
    cells = json.loads(subprocess.run(run + arguments, check=True, capture_output=True).stdout)["cells"]
    assert [cell["agent_label"] for cell in cells] == names
    model = _core.Model.from_spec(env)
    for cell, name in zip(cells, names, strict=True):
        totals = [total_of(_core.Agent(name, model, 7, k, steps=400), model, k) for k in range(2)]
        assert hashlib.sha256(struct.pack("<2d", *totals)).hexdigest() == cell["hash"], name


def total_of(agent: _core.Agent, model: _core.Model, replicate: int) -> float:
    """The total reward of a run, one step at a time."""
    worlds = _core.Worlds(model, 1, seed=7, first_replicate=replicate, autoreset="SameStep")
    s, total = int(worlds.reset()[0]), 0.0
    for _ in range(400):
        a = agent.act(s)
        states, rewards, terminated, truncated, info = worlds.step(np.array([a]))
        reached = info["final_obs"] if terminated[0] or truncated[0] else states
        agent.observe(s, a, rewards[0], reached[0], terminated[0], truncated[0])
        total += float(rewards[0])
        s = int(states[0])
    return total


# ---- making one ----


def test_parameters_become_part_of_the_spec() -> None:
    agent = make(gamma_e=0.9, m=7, clamp=False, lambda_=0.1 + 0.2)
    assert agent.params["gamma_e"] == 0.9
    assert agent.params["m"] == 7 and isinstance(agent.params["m"], int)
    assert agent.params["clamp"] == "off"
    assert agent.params["lambda"] == 0.1 + 0.2  # without loss
    assert fs.Agent("delayed-q:m=3", "chain", m=4).params["m"] == 4
    assert (
        fs.Agent("delayed-q", "chain", form=2006, m=np.int64(3), gamma=np.float64(0.5)).params["form"]
        == "2006"
    )
    assert fs.Agent("delayed-q", "chain", m=None).spec == fs.Agent("delayed-q", "chain").spec


def test_no_parameter_has_the_name_of_an_argument() -> None:
    own = {"spec", "env", "n_states", "n_actions", "reward_range", "episodic", "absent", "states", "actions"}
    own |= {"seed", "replicate", "self"}
    for name, entry in fs.agents.items():
        assert not own & set(entry.parameters), name


def test_a_problem_is_given_in_many_ways() -> None:
    gym = pytest.importorskip("gymnasium")
    model = _core.Model.from_spec("chain:n=10")
    spec = fs.Agent("r-max", "chain:n=10")
    assert (spec.n_states, spec.n_actions, spec.reward_range, spec.episodic) == (10, 2, (0.0, 1.0), False)
    assert fs.Agent("r-max", model).spec == spec.spec
    lake = fs.Agent("r-max", gym.make("FrozenLake-v1"))
    assert (lake.n_states, lake.n_actions, lake.reward_range, lake.episodic) == (16, 4, (0.0, 1.0), True)
    assert sorted(np.flatnonzero(lake.absent)) == [5, 7, 11, 12, 15]
    assert fs.Agent("r-max", gym.make("FrozenLake-v1"), reward_range=(0, 5)).reward_range == (0.0, 5.0)
    vector = fs.Agent("r-max", gym.make_vec("FrozenLake-v1", num_envs=3, vectorization_mode="sync"))
    assert (vector.n_states, vector.reward_range) == (16, (0.0, 1.0))
    taxi = fs.Agent("r-max", gym.make(newest("Taxi")))
    assert (taxi.reward_range, int(taxi.absent.sum())) == ((-10.0, 20.0), 100)
    jack = fs.Agent("r-max", gym.make("Blackjack-v1"), reward_range=(-1, 1))
    assert (jack.n_states, jack.n_actions) == (32 * 11 * 2, 2)
    assert fs.Agent("r-max", gym.make("Blackjack-v1")).reward_range == (-1.0, 1.5)


def test_a_problem_that_is_not_known_is_an_error() -> None:
    gym = pytest.importorskip("gymnasium")
    with pytest.raises(ValueError, match=r"reward_range=\(low, high\)"):
        fs.Agent("r-max", gym.make("CartPole-v1"), states=fs.StateNumbers(10))
    with pytest.raises(ValueError, match="StateNumbers"):
        fs.Agent("r-max", gym.make("CartPole-v1"), reward_range=(0, 1))
    with pytest.raises(ValueError, match="n_states"):
        fs.Agent("r-max")
    with pytest.raises(ValueError, match="reward_range"):
        fs.Agent("r-max", n_states=2, n_actions=2)
    with pytest.raises(TypeError, match="Gymnasium environment, a model"):
        fs.Agent("r-max", 3)
    with pytest.raises(ValueError, match="optimal peeks at the model"):
        make("optimal")


def test_specs_that_are_wrong_say_where() -> None:
    with pytest.raises(KeyError, match="did you mean 'delayed-q'"):
        make("delayd-q")
    with pytest.raises(fs.UnknownError) as caught:
        make("delayed-q", mm=3)
    assert (caught.value.text, caught.value.position) == ("delayed-q:mm=3", 10)
    with pytest.raises(ValueError, match="m"):
        make("delayed-q", m=0)
    with pytest.raises(ValueError, match="comma"):
        make("delayed-q", ties="random,m=3")
    with pytest.raises(TypeError, match="must be a number, a bool or a str"):
        make("delayed-q", m=[3])
    with pytest.raises(ValueError, match="seed is -1"):
        make(seed=-1)


# ---- act and observe ----


@pytest.mark.parametrize("name", ALL)
def test_batches_are_the_same_as_single_calls(name: str) -> None:
    one, many = small(name), small(name)
    states = [0, 1, 2, 3, 4] * 120
    assert many.act_many(np.array(states).reshape(2, -1)).ravel().tolist() == [one.act(s) for s in states]
    random = fs.Random(5)
    rows = [(random.below(5), random.below(3), 0.0, random.below(5), False, i % 7 == 0) for i in range(600)]
    for row in rows:
        one.observe(*row)
    s, a, r, after, terminated, truncated = (np.array(column) for column in zip(*rows, strict=True))
    many.observe_many(s, a, r, after, terminated=terminated, truncated=truncated)
    assert one.save_bytes() == many.save_bytes()
    assert (one.visits == many.visits).all() and one.visits.sum() == one.steps == 600


def test_numbers_of_numpy_are_accepted() -> None:
    agent = make()
    agent.act(np.uint8(1))
    agent.observe(np.int32(1), np.int64(2), np.float32(0.5), np.int64(0), np.bool_(False), np.False_)
    agent.observe(s=0, a=1, r=1, next=2)
    agent.observe(0, 1, 1.0, None, True)  # nothing follows
    agent.observe_many([0], [1], [1], [99], terminated=[True])
    assert agent.steps == 4


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda a: a.act(5), IndexError, r"state is 5: must be in 0 \.\.\. 4"),
        (lambda a: a.act(-1), IndexError, "state is -1"),
        (lambda a: a.act(2**70), IndexError, "state is"),
        (lambda a: a.act(0.0), TypeError, "whole number"),
        (lambda a: a.act("0"), TypeError, "whole number"),
        (lambda a: a.act(), TypeError, "argument"),
        (lambda a: a.act(1, 2), TypeError, "argument"),
        (lambda a: a.observe(0, 3, 0, 0), IndexError, "action is 3"),
        (lambda a: a.observe(0, 0, 0, 5), IndexError, "next state is 5"),
        (lambda a: a.observe(0, 0, 0, None), TypeError, "next state must be"),
        (lambda a: a.observe(0, 0, "x", 0), TypeError, "reward must be a number"),
        (lambda a: a.observe(0, 0, 2.0, 0), ValueError, r"outside the range \[0, 1\]"),
        (lambda a: a.observe(0, 0, float("nan"), 0), ValueError, "reward"),
        (lambda a: a.observe(0, 0, 0), TypeError, "needs a value for 'next'"),
        (lambda a: a.observe(0, 0, 0, 0, False, False, 1), TypeError, "at most 6"),
        (lambda a: a.observe(0, 0, 0, 0, done=True), TypeError, "no argument 'done'"),
        (lambda a: a.observe(0, 0, 0, 0, s=0), TypeError, "two values for 's'"),
        (lambda a: a.act_many([0, 7]), IndexError, r"states\[1\] is 7"),
        (lambda a: a.act_many([0.5]), TypeError, "states: Cannot cast"),
        (lambda a: a.act_many(np.array([1.0])), TypeError, "cast"),
        (lambda a: a.act_many([[0], [1, 2]]), ValueError, "states: .*inhomogeneous"),
        (lambda a: a.observe_many([0], [0, 1], [0], [0]), ValueError, "actions has 2 numbers: must have 1"),
        (lambda a: a.observe_many([0], [0], [0], [0], [True, False]), ValueError, "terminated has 2"),
        (lambda a: a.observe_many([9], [0], [0], [0]), IndexError, r"states\[0\] is 9"),
        (lambda a: a.values("z"), ValueError, "'q', 'bonus', 'e', 'samples', 'learning'"),
        (lambda a: a.reset(-1), ValueError, "seed is -1"),
        (lambda a: a.load_bytes(b"nonsense"), ValueError, "not a saved agent"),
        (lambda a: a.load_bytes("text"), TypeError, "str"),
        (lambda a: a.restore("/nonexistent/agent"), OSError, "No such file"),
        (lambda a: a.save("/nonexistent/agent"), OSError, "nonexistent"),
        (lambda a: a.save("with\0zero"), ValueError, "null"),
        (lambda a: type(a).load("/nonexistent/agent"), OSError, "No such file"),
        (lambda a: a._set_visits([1]), ValueError, "visits has 1 numbers: must have 15"),
        (lambda a: _core.Agent("r-max", (1, 2)), TypeError, "shape"),
        (lambda a: _core.Agent("r-max", (2**32 + 3, 2, 0, 1, True, None)), ValueError, "n_states is 4294967299"),
        (lambda a: _core.Agent("r-max", (5, -1, 0, 1, True, None)), ValueError, "n_actions is -1"),
        (lambda a: _core.Agent("r-max", (5, 3, 0, 1, True, [True])), ValueError, "absent has 1"),
    ],
)
def test_errors(call: object, error: type[Exception], message: str) -> None:
    agent = make()
    before = agent.save_bytes()
    with pytest.raises(error, match=message):
        call(agent)  # type: ignore[operator]
    assert agent.save_bytes() == before
    agent.observe(0, agent.act(0), 0.5, 1)


def test_a_batch_is_learned_up_to_the_row_that_is_refused() -> None:
    agent = make()
    with pytest.raises(ValueError, match="transition 300: reward 9 is outside"):
        agent.observe_many([0] * 301, [0] * 301, [0.5] * 300 + [9], [1] * 301)
    assert agent.steps == agent.visits[0, 0] == 300
    with pytest.raises(IndexError, match=r"next_states\[2\] is 5"):
        agent.observe_many([0] * 3, [0] * 3, [0] * 3, [1, 1, 5])
    assert agent.steps == agent.visits[0, 0] == 302


def test_an_agent_that_was_not_made_is_an_error() -> None:
    class Lazy(fs.Agent):
        def __init__(self) -> None:
            pass

    agent = Lazy()
    for name in ("spec", "steps", "visits", "n_states", "absent", "q", "policy"):
        with pytest.raises(RuntimeError, match="super"):
            getattr(agent, name)
    for call in (
        agent.save_bytes,
        agent.reset,
        agent.copy,
        lambda: agent.act(0),
        lambda: agent.act_many([0]),
    ):
        with pytest.raises(RuntimeError, match="super"):
            call()


def test_subclasses_keep_their_attributes() -> None:
    agent = Named("delayed-q", name="a")
    play(agent, 100)
    for other in (copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert type(other) is Named and other.name == "a"
        assert other.save_bytes() == agent.save_bytes()


class Named(fs.Agent):
    """An agent with an attribute."""

    def __init__(self, spec: str, name: str) -> None:
        super().__init__(spec, n_states=5, n_actions=3, reward_range=(0, 1))
        self.name = name


# ---- what it knows ----


@pytest.mark.parametrize("name", ALL)
def test_values_have_the_shape_of_the_problem(name: str) -> None:
    agent = small(name)
    for kind in ("q", "bonus", "e", "samples", "learning"):
        if hasattr(agent, kind):
            assert getattr(agent, kind).shape == (5, 3)
            assert getattr(agent, kind).dtype == np.float64
    if hasattr(agent, "policy"):
        assert np.allclose(agent.policy.sum(axis=1), 1)
        assert (agent.policy >= 0).all()
    assert agent.greedy.shape == (5,) and agent.greedy.dtype == np.int64


def test_a_kind_that_an_algorithm_has_not_is_named() -> None:
    with pytest.raises(AttributeError, match="delayed-q has no 'bonus'; it has q, samples, learning"):
        _ = make("delayed-q").bonus
    with pytest.raises(AttributeError, match="random has no 'q'; it has no values"):
        _ = make("random").q
    with pytest.raises(AttributeError, match="no closed form"):
        _ = make("bayes-q").policy


def test_greedy_goes_by_values_without_a_bonus() -> None:
    agent = make("q-learning", epsilon=0.5)
    agent.observe(2, 1, 1.0, 2)
    assert agent.greedy.tolist() == [0, 0, 1, 0, 0]
    assert agent.policy[2].argmax() == 1


def test_visits_are_a_view_that_follows_and_outlives_the_agent() -> None:
    agent = make("delayed-q")
    visits = agent.visits
    assert visits.base is not None and visits.dtype == np.int64 and not visits.flags.writeable
    play(agent, 1000)
    assert visits.sum() == 1000 and (visits == agent.visits).all()
    with pytest.raises(ValueError, match="read-only"):
        visits[0, 0] = 1
    with pytest.raises(ValueError):
        visits.flags.writeable = True
    with pytest.raises(ValueError):
        visits.resize((0,), refcheck=False)
    assert not isinstance(visits.base, np.ndarray)
    kept = visits.copy()
    agent.__init__("delayed-q", n_states=2, n_actions=2, reward_range=(0, 1))  # type: ignore[misc]
    assert agent.visits.shape == (2, 2)
    del agent
    gc.collect()
    assert (visits == kept).all()


# ---- copies ----


@pytest.mark.parametrize("name", ALL)
def test_copies_continue_with_the_same_bits(name: str, tmp_path: Path) -> None:
    agent = small(name) if name == "optimal" else make(name)
    play_short = 60
    if name != "optimal":
        play(agent, play_short)
    agent.save(tmp_path / "agent.far")
    fresh = copy.copy(agent)
    fresh.reset(9, 9)
    fresh.restore(tmp_path / "agent.far")
    others = {
        "copy": agent.copy(),
        "copy.copy": copy.copy(agent),
        "pickle": pickle.loads(pickle.dumps(agent)),
        "load": fs.Agent.load(tmp_path / "agent.far"),
        "bytes": fs.Agent.load_bytes(agent.save_bytes()),
        "restore": fresh,
    }
    for how in ("copy", "copy.copy", "pickle"):
        assert (others[how].visits == agent.visits).all()
        assert others[how].visits is not agent.visits
    assert others["load"].visits.sum() == 0
    states = np.array([0, 1, 2, 3, 4] * 20)
    expected = agent.act_many(states).tolist()
    for how, other in others.items():
        assert other.spec == agent.spec and other.steps == agent.steps, how
        assert other.act_many(states).tolist() == expected, how
    if name != "optimal":
        assert play(others["load"], 100) == play(agent, 100)
    assert (others["copy"].visits == others["pickle"].visits).all()  # independent of the agent


@pytest.mark.parametrize("name", ["directed-delayed-q", "r-max", "psrl"])
def test_reset_is_a_new_beginning(name: str) -> None:
    agent, other = make(name, seed=4, replicate=2), make(name, seed=4, replicate=2)
    first = play(agent, 300)
    agent.reset(seed=4, replicate=2)
    assert agent.steps == agent.visits.sum() == 0
    assert agent.save_bytes() == other.save_bytes()
    assert play(agent, 300) == first
    if name != "r-max":
        agent.reset(seed=5)
        assert play(agent, 300) != first


def test_files_of_another_agent_are_refused(tmp_path: Path) -> None:
    make("delayed-q").save(tmp_path / "a")
    with pytest.raises(ValueError):
        make("r-max").restore(tmp_path / "a")
    data = bytearray((tmp_path / "a").read_bytes())
    data[len(data) // 2] ^= 1
    with pytest.raises(ValueError):
        fs.Agent.load_bytes(bytes(data))


def test_repr_shows_the_problem() -> None:
    text = repr(make("r-max"))
    assert text.startswith("<Agent r-max:gamma=0.95,") and "5 states, 3 actions, 0 steps" in text


# ---- predict ----


def test_predict_one_and_many() -> None:
    agent = make("q-learning", epsilon=0)
    agent.observe(2, 1, 1.0, 2)
    assert agent.predict(2, deterministic=True) == (1, None)
    actions, state = agent.predict(np.array([2, 0]), state="kept", deterministic=True)
    assert actions.tolist() == [1, 0] and state == "kept"
    assert agent.predict(np.array(2))[0] == 1


def test_predict_maps_observations_and_actions() -> None:
    gym = pytest.importorskip("gymnasium")
    jack = gym.make("Blackjack-v1")
    agent = fs.Agent("random", jack, reward_range=(-1, 1))
    action, _ = agent.predict(jack.reset(seed=1)[0])
    assert jack.action_space.contains(action)
    many = gym.make_vec("Blackjack-v1", num_envs=4, vectorization_mode="sync")
    actions, _ = agent.predict(many.reset(seed=1)[0], deterministic=True)
    assert actions.shape == (4,)


# ---- memory and threads ----


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux only")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer keeps freed memory")
def test_memory_is_given_back() -> None:
    agent = make()
    view = agent.visits

    def work(count: int) -> None:
        for i in range(count):
            other = fs.Agent("delayed-q", n_states=20, n_actions=5, reward_range=(0, 1))
            other.observe(0, other.act(0), 0.5, 1)
            _ = other.q, other.visits, other.policy, agent.visits
            if i % 10 == 0:
                pickle.loads(pickle.dumps(other))
                _ = other.copy(), fs.Random(i).copy()
                for wrong in (
                    lambda: other.act(99),
                    lambda: other.observe(0, 0, 9.0, 0),
                    lambda: other.bonus,
                ):
                    with contextlib.suppress(IndexError, ValueError, AttributeError):
                        wrong()

    work(2000)
    gc.collect()
    before = resident()
    work(20_000)
    core = _core.Agent
    for _ in range(100_000):
        core("delayed-q", (20, 5, 0.0, 1.0, True, None))
    gc.collect()
    assert resident() - before < 2_000_000
    assert view.sum() == 0


def test_references_are_counted() -> None:
    agent = make()
    observed = (1234567, 7654321.5, object())
    counts = [sys.getrefcount(x) for x in observed]
    for _ in range(100):
        for call in (
            lambda: agent.act(observed[0]),
            lambda: agent.observe(0, 0, observed[1], 0),
            lambda: agent.observe(0, 0, observed[2], 0),
            lambda: agent.observe(0, 0, 0, 0, observed[2], s=observed[2]),
            lambda: agent.observe_many([0], [0], observed[2], [0]),
            lambda: agent.act_many(observed[2]),
            lambda: agent._set_visits(observed[2]),
        ):
            with pytest.raises((IndexError, TypeError, ValueError)):
                call()
    gc.collect()
    assert [sys.getrefcount(x) for x in observed] == counts
    arrays = (
        np.zeros(3, dtype=np.int64),
        np.zeros(3),
        np.zeros(3, dtype=bool),
        np.zeros((5, 3), dtype=np.int64),
    )
    counts = [sys.getrefcount(x) for x in arrays]
    for _ in range(100):
        agent.act_many(arrays[0])
        agent.observe_many(arrays[0], arrays[0], arrays[1], arrays[0], arrays[2], arrays[2])
        agent._set_visits(arrays[3])
    assert [sys.getrefcount(x) for x in arrays] == counts
    problem = (5, 3, 0.0, 1.0, True, np.zeros(5, dtype=bool))
    before = sys.getrefcount(problem), sys.getrefcount(problem[5])
    for _ in range(100):
        _core.Agent("delayed-q", problem)
        _core.shape_of(problem)
    assert (sys.getrefcount(problem), sys.getrefcount(problem[5])) == before


def test_threads_share_an_agent_without_harm() -> None:
    agent = make("r-max")  # plans without Python's lock
    refused: list[int] = []
    learned: list[int] = []

    def work(k: int) -> None:
        for i in range(300):
            try:
                agent.observe(i % 5, k % 3, 0.5, (i + k) % 5)
                learned.append(1)
                _ = agent.act(i % 5), agent.q, agent.visits, agent.save_bytes()
            except RuntimeError as error:
                assert "in use by another call" in str(error)
                refused.append(1)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert agent.steps == len(learned) == agent.visits.sum()


# ---- random streams ----


def test_random_streams_are_those_of_the_library() -> None:
    key = struct.pack("<3Q", 3, 5, 4)
    words = list(struct.unpack("<4Q", hashlib.sha256(key).digest()))
    mask = 2**64 - 1

    def draw() -> int:  # xoshiro256++
        total = (words[0] + words[3]) & mask
        result = (((total << 23) | (total >> 41)) + words[0]) & mask
        t = (words[1] << 17) & mask
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= t
        words[3] = ((words[3] << 45) | (words[3] >> 19)) & mask
        return result

    random = fs.Random(3, 5)
    assert [random.next() for _ in range(5)] == [draw() for _ in range(5)]
    assert random.uniform() == (draw() >> 11) * 2.0**-53
    assert random.below(1000) == draw() * 1000 >> 64
    for other in (
        random.copy(),
        copy.copy(random),
        copy.deepcopy(random),
        pickle.loads(pickle.dumps(random)),
    ):
        assert other.next() == random.copy().next()
    assert fs.Random(3, 5, "start").next() != fs.Random(3, 5).next()


def test_random_errors() -> None:
    with pytest.raises(ValueError, match="no purpose 'x': 'transition', 'start'"):
        fs.Random(1, 0, "x")
    with pytest.raises(ValueError, match="seed"):
        fs.Random(-1)
    with pytest.raises(ValueError, match="at least 1"):
        fs.Random(1).below(0)
    with pytest.raises(IndexError):
        fs.Random(1).below(2**40)
    with pytest.raises(TypeError):
        fs.Random(1).__setstate__([1, 2, 3, 4])  # type: ignore[arg-type]


def test_what_is_missing_or_too_much() -> None:
    with pytest.raises(ValueError, match=r"^the problem is missing: give env=\.\.\., or n_states=\.\.\."):
        fs.Agent("q-learning")
    for grid in ([0.1, 0.2], (0.1, 0.2), np.array([0.1, 0.2])):
        words = r"must be a number, a bool or a str; a grid is for fs\.run: 'q-learning:epsilon=\[0\.1,0\.2\]'"
        with pytest.raises(TypeError, match=words):
            fs.Agent("q-learning", env="chain", epsilon=grid)


def test_reprs_are_short() -> None:
    stream = fs.Random(7, 2)
    stream.next()
    assert repr(stream) == "<Random: seed 7, replicate 2, agent>" == repr(stream.copy())
    assert repr(fs.Random(2**64 - 1, purpose="model")) == f"<Random: seed {2**64 - 1}, replicate 0, model>"
    assert repr(pickle.loads(pickle.dumps(stream))) == "<Random: a state that was set>"
    stream.__setstate__(fs.Random(8).__getstate__())
    assert repr(stream) == "<Random: a state that was set>" and stream.next() == fs.Random(8).next()
