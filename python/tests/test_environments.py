"""Our families as Gymnasium environments: Gymnasium's own checks, the command's bits, pictures."""

from __future__ import annotations

import copy
import inspect
import json
import os
import pickle
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farsight as fs

gym = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from farsight import _render, envs

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("FARSIGHT_COMMAND", ROOT / "build/python/farsight"))
IDS = sorted(name for name in gym.registry if name.startswith("farsight/"))
SMALL = {
    "farsight/MountainCar-v0": {"positions": 10, "velocities": 10},
    "farsight/MDP-v0": {"model": "chain:n=4"},
}


def options_of(name: str, tmp_path: Path) -> dict[str, Any]:
    if name == "farsight/File-v0":
        fs.MDP("frozen-lake").save(tmp_path / "lake.json")
        return {"path": str(tmp_path / "lake.json")}
    return SMALL.get(name, {})


# ---- registration ----


def test_every_family_is_registered() -> None:
    families = json.loads(fs._core.types("environments"))
    assert len(IDS) == len(families) + 1
    assert {"farsight/Chain-v0", "farsight/RiverSwim-v0", "farsight/FrozenLake-v0", "farsight/MDP-v0"} <= set(
        IDS
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "import gymnasium as gym; import farsight",
        "import farsight; import gymnasium as gym",
        "import gymnasium as gym; import farsight.envs; farsight.envs.register(); farsight.envs.register()",
        "import gymnasium as gym; gym.make('farsight:farsight/Chain-v0')",
    ],
)
def test_either_order_of_imports(script: str) -> None:
    script += "; assert gym.make('farsight/Chain-v0', n=7).observation_space.n == 7"
    run(script)


@pytest.mark.slow
def test_without_gymnasium() -> None:
    run(
        "import sys; sys.modules['gymnasium'] = None; import farsight as fs\n"
        "assert fs.MDP('chain').n_states == 10 and 'farsight.envs' not in sys.modules"
    )


def run(script: str) -> None:
    folder = Path(fs.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr, done.stderr


# ---- what Gymnasium checks ----


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", IDS)
def test_check_env(name: str, tmp_path: Path) -> None:
    env = gym.make(name, **options_of(name, tmp_path))
    assert env.unwrapped is env  # no wrapper slows it
    check_env(env)
    env.close()


@pytest.mark.filterwarnings("error")
def test_passive_checker_and_wrappers() -> None:
    env = gym.make(
        "farsight/FrozenLake-v0", disable_env_checker=False, max_episode_steps=3, render_mode="rgb_array"
    )
    env.reset(seed=1)
    for _ in range(3):
        *_, truncated, _ = env.step(0)
        env.render()
    assert truncated
    assert gym.spec("farsight/FrozenLake-v0").to_json()
    again = gym.make(pickle.loads(pickle.dumps(env.spec)))
    assert again.unwrapped.model == env.unwrapped.model


CRITERION = ["horizon", "gamma", "average"]  # what counts, which every family ends with


def test_parameters_come_from_the_table() -> None:
    signature = inspect.signature(envs.RiverSwim)
    assert list(signature.parameters) == ["n", "form", "left", "right", *CRITERION, "render_mode"]
    assert signature.parameters["n"].default == 6 and "number of states" in (envs.RiverSwim.__doc__ or "")
    assert inspect.signature(envs.FrozenLake).parameters["slippery"].default is True
    assert gym.make("farsight/FrozenLake-v0", slippery=False).model == fs.MDP("frozen-lake:slippery=off")
    assert gym.make("farsight/Chain-v0", n=np.int64(5), slip=0.25).model == fs.MDP("chain:n=5,slip=0.25")
    assert gym.make("farsight/MDP-v0", model=fs.MDP("taxi")).model == fs.MDP("taxi")
    assert "Chain" in dir(envs) and not hasattr(envs, "Nonsense")


def test_defaults_are_the_defaults() -> None:
    """The signature shows them; some do not apply unless another parameter is set, and say so."""
    for name in set(IDS) - {"farsight/File-v0", "farsight/MDP-v0"}:
        cls = getattr(envs, name[len("farsight/") : -len("-v0")])
        for p in inspect.signature(cls).parameters.values():
            try:
                assert cls(**{p.name: p.default}).model == cls().model, (name, p)
            except ValueError as error:
                assert "does not apply" in str(error)


def test_wrong_parameters() -> None:
    with pytest.raises(KeyError, match="m"):
        gym.make("farsight/Chain-v0", m=3)
    with pytest.raises(ValueError, match="n"):
        gym.make("farsight/Chain-v0", n=0)
    with pytest.raises(ValueError, match="no render mode"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gym.make("farsight/Chain-v0", render_mode="sing")
    with pytest.raises(TypeError):
        gym.make("farsight/MDP-v0")
    with pytest.raises(TypeError, match="expected a model"):
        gym.make("farsight/MDP-v0", model=3)


# ---- steps ----


def test_order_and_bounds() -> None:
    env = gym.make("farsight/FrozenLake-v0", map="SG", slippery=False)
    with pytest.raises(ValueError, match="must be reset"):
        env.step(0)
    assert env.reset(seed=1) == (0, {})
    for wrong, kind in (
        (4, IndexError),
        (-1, IndexError),
        (10**30, IndexError),
        (0.5, TypeError),
        (None, TypeError),
        ("0", TypeError),
    ):
        with pytest.raises(kind, match="action"):
            env.step(wrong)
    assert env.step(np.int64(2)) == (1, 1.0, True, False, {})
    with pytest.raises(ValueError, match="episode has ended"):
        env.step(0)
    assert env.state == 1
    env.reset()
    state, reward, terminated, truncated, info = env.step(2)
    assert (
        type(state) is int
        and type(reward) is float
        and terminated is True
        and truncated is False
        and info == {}
    )


def test_use_after_close() -> None:
    env = gym.make("farsight/Chain-v0", render_mode="ansi")
    env.reset(seed=1)
    env.close()
    env.close()
    for call in (lambda: env.step(0), env.reset, env.render, lambda: env.state, lambda: copy.deepcopy(env)):
        with pytest.raises(ValueError, match="closed"):
            call()
    assert env.model.n_states == 10


def test_wrong_seeds() -> None:
    env = gym.make("farsight/Chain-v0")
    for seed, kind in ((-1, Exception), (2**64, ValueError), (0.5, Exception)):
        with pytest.raises(kind):
            env.reset(seed=seed)
    assert env.reset(seed=2**64 - 1)[0] == 0


def trajectory(env: Any, actions: list[int], **reset: Any) -> list[Any]:
    steps: list[Any] = [env.reset(**reset)[0]]
    for a in actions:
        s, r, done, cut, _ = env.step(a)
        steps.append((s, r, done))
        if done or cut:
            steps.append(env.reset()[0])
    return steps


ACTIONS = np.random.default_rng(1).integers(2, size=400).tolist()


def test_seeds() -> None:
    env, other = gym.make("farsight/FrozenLake-v0"), gym.make("farsight/FrozenLake-v0")
    first = trajectory(env, ACTIONS, seed=5)
    assert first == trajectory(other, ACTIONS, seed=5) == trajectory(env, ACTIONS, seed=5)
    assert first != trajectory(env, ACTIONS, seed=6)
    assert trajectory(gym.make("farsight/FrozenLake-v0"), ACTIONS) != trajectory(
        gym.make("farsight/FrozenLake-v0"), ACTIONS
    )
    assert env.worlds.key == 6 and env.np_random_seed == 6


@pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no command {COMMAND}")
@pytest.mark.parametrize(
    "spec", ["frozen-lake", "taxi", "riverswim:form=2013", "garnet:states=20,branching=12"]
)
def test_same_bits_as_the_command(spec: str) -> None:
    """`farsight env` with the same seed and replicate 0."""
    env = gym.make("farsight/MDP-v0", model=spec)
    lines, ours = ['{"reset": true}'], [env.reset(seed=11)[0]]
    for a in ACTIONS:
        s, r, done, _, _ = env.step(a)
        lines.append(f'{{"step": {a}}}')
        ours.append((s, r, done))
        if done:
            lines.append('{"reset": true}')
            ours.append(env.reset()[0])
    done = subprocess.run(
        [COMMAND, "env", spec, "--seed", "11"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    theirs = [(x["next"], float(x["r"]), x["done"]) if "next" in x else x["s"] for x in answers if "s" in x]
    assert theirs[: len(ours)] == ours and len(theirs) >= len(ours)


@pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no command {COMMAND}")
@pytest.mark.parametrize("spec", ["riverswim", "frozen-lake:map=SF/HG"])
def test_total_of_the_command(spec: str) -> None:
    """An agent of ours in the Gymnasium loop earns what `farsight run` says, to the bit."""
    steps, name = 3000, "q-learning:epsilon=0.3"
    options = [
        "-e",
        spec,
        "-a",
        name,
        "--runs",
        "1",
        "--steps",
        str(steps),
        "--seed",
        "4",
        "--format",
        "json",
    ]
    text = subprocess.run([COMMAND, "run", *options], capture_output=True, text=True, check=True).stdout
    env = gym.make("farsight/MDP-v0", model=spec)
    agent = fs.Agent(name, env=env, seed=4)
    s, _ = env.reset(seed=4)
    total = 0.0
    for _ in range(steps):
        a = agent.act(s)
        after, r, done, cut, _ = env.step(a)
        agent.observe(s, a, r, after, done, cut)
        total += r
        s = env.reset()[0] if done else after
    assert total > 0 and json.loads(text)["cells"][0]["mean"] == total


def test_copy_looks_ahead() -> None:
    env = gym.make("farsight/FrozenLake-v0", render_mode="rgb_array")
    env.reset(seed=3)
    for _ in range(4):
        env.step(0)
    other = copy.deepcopy(env)
    assert other.model is env.model and other.worlds is not env.worlds and other.state == env.state
    ahead = [other.step(0) for _ in range(8)]
    other.close()
    assert ahead == [env.step(0) for _ in range(8)]


def test_threads() -> None:
    """Two threads on one environment: each step happens or is refused; nothing breaks."""
    env = gym.make("farsight/Chain-v0")
    env.reset(seed=1)
    wrong: list[BaseException] = []

    def work() -> None:
        for _ in range(20_000):
            try:
                env.step(1)
            except RuntimeError:
                pass
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- pictures ----


@pytest.mark.parametrize(
    "spec", ["chain", "chain:n=300", "sixarms", "frozen-lake", "taxi", "garnet", "mountain-car", "four-rooms"]
)
def test_pictures(spec: str) -> None:
    env = envs.MDPEnv(spec, render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.dtype == np.uint8 and before.ndim == 3 and before.shape[2] == 3 and max(before.shape) <= 700
    state = env.state
    while env.state == state:
        env.step(env.action_space.sample())
    after = env.render()
    assert (
        after.shape == before.shape
        and (after != before).any()
        and np.array_equal(before, env._picture.at(state))
    )
    kept = before.copy()
    env.render()
    assert np.array_equal(before, kept)


def test_agent_is_where_it_should_be() -> None:
    """The disc is in the middle of the state's cell, and nowhere else."""
    picture = _render.Picture(fs.MDP("frozen-lake"))
    for state in range(16):
        ink = np.argwhere((picture.at(state) == _render.AGENT).all(axis=2))
        y, x = (ink.mean(axis=0) - _render.MARGIN) / picture.unit
        assert abs(x - (state % 4 + 0.5)) < 0.1 and abs(y - (state // 4 + 0.5)) < 0.1


def test_huge_models_have_a_simple_picture() -> None:
    assert _render.Picture(fs.MDP("chain:n=1000000")).at(999_999).shape == (72, 640, 3)


def test_texts() -> None:
    assert _render.text(fs.MDP("frozen-lake"), 6) == (
        " S  ·  ·  ·\n ·  H [·] H\n ·  ·  ·  H\n H  ·  ·  G\nstate 6 of 16\n"
    )
    assert _render.text(fs.MDP("grid:map=S#G/..."), 1).startswith(" S  █ [G]\n")
    assert "[·]" in _render.text(fs.MDP("chain:n=500"), 250) and "…" in _render.text(
        fs.MDP("chain:n=500"), 250
    )
    assert _render.text(fs.MDP("garnet"), 3) == "state 3 of 50\n"
    assert "│" in _render.text(fs.MDP("taxi"), 1) and "█" in _render.text(fs.MDP("four-rooms"), 1)


def test_render_without_a_mode() -> None:
    env = gym.make("farsight/Chain-v0")
    env.reset()
    with pytest.warns(UserWarning, match="render mode"):
        assert env.render() is None


def test_pickles_continue_where_the_environment_stood() -> None:
    for env in (gym.make("farsight/FrozenLake-v0", max_episode_steps=9), gym.make("farsight/MDP-v0", model=fs.MDP("chain"))):
        env.reset(seed=3)
        for t in range(40):
            again = pickle.loads(pickle.dumps(env))
            here, there = env.step(t % 2), again.step(t % 2)
            assert here == there and again.unwrapped.state == env.unwrapped.state
            if here[2] or here[3]:
                assert env.reset() == again.reset()
    assert type(again.unwrapped) is type(env.unwrapped) and again.unwrapped.model == env.unwrapped.model
    new = pickle.loads(pickle.dumps(gym.make("farsight/Chain-v0")))
    with pytest.raises(ValueError, match="must be reset"):
        new.step(0)
    env.close()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(env)


def test_pickles_that_are_damaged() -> None:
    worlds = gym.make("farsight/FrozenLake-v0").unwrapped.worlds
    worlds.seed(1)
    worlds.reset_one()
    kind, arguments, words = worlds.__reduce__()
    other = kind(*arguments)
    for at, value in ((8, 2**63), (9, 16), (10, 3)):
        wrong = words.copy()
        wrong[0, at] = value
        with pytest.raises(ValueError, match="world 0 can not be"):
            other.__setstate__(wrong)
    with pytest.raises(ValueError, match="numbers: must have 11"):
        other.__setstate__(words[0, :5])
    other.__setstate__(words)
    assert other.step_one(1) == worlds.step_one(1)


def test_seeds_of_numpy() -> None:
    assert gym.make("farsight/Chain-v0").reset(seed=np.int64(3)) == (0, {})
    with pytest.raises(TypeError, match="seed must be a whole number"):
        gym.make("farsight/Chain-v0").reset(seed="3")
