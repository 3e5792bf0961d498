"""The native vector environment: against Gymnasium's own, and against single environments."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import farsight as fs

gym = pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode, SyncVectorEnv

from farsight import _core, vector

N = 5
MODES = list(AutoresetMode)


def make(mode: Any = AutoresetMode.NEXT_STEP, name: str = "FrozenLake", **options: Any) -> Any:
    return gym.make_vec(f"farsight/{name}-v0", num_envs=N, autoreset_mode=mode, **options)


class Replicate(fs.envs.MDPEnv):
    """A single environment with the random streams of one world of the vector form."""

    def __init__(self, model: Any, replicate: int) -> None:
        super().__init__(model)
        self.replicate = replicate

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is None:
            return self.worlds.reset_one(), {}
        super().reset(seed=seed)
        self.worlds.seed(seed, self.replicate)
        return self.worlds.reset_one(), {}


def sync(model: Any, mode: AutoresetMode, limit: int) -> Any:
    """Gymnasium's own vector form of the same worlds."""
    one = [lambda i=i: gym.wrappers.TimeLimit(Replicate(model, i), limit) for i in range(N)]
    envs = SyncVectorEnv(one, autoreset_mode=mode)
    envs.reset(seed=[9] * N)
    return envs


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["FrozenLake", "RiverSwim", "Taxi", "FourRooms"])
def test_equals_gymnasiums_own(name: str, mode: AutoresetMode) -> None:
    """Observations, rewards, ends and infos of 300 steps, resets and time limits included, in every mode."""
    envs = make(mode, name, max_episode_steps=13)
    theirs = sync(envs.model, mode, 13)
    assert (
        envs.single_observation_space == theirs.single_observation_space
        and envs.action_space == theirs.action_space
    )
    assert envs.observation_space == theirs.observation_space and envs.metadata["autoreset_mode"] is mode
    first, info = envs.reset(seed=9)
    assert (
        info == {}
        and np.array_equal(first, theirs._observations)
        and first.dtype == theirs._observations.dtype
    )
    random = np.random.default_rng(2)
    ended = 0
    for _ in range(300):
        actions = random.integers(envs.single_action_space.n, size=N)
        got, want = envs.step(actions), theirs.step(actions)
        for mine, other in zip(got[:4], want[:4], strict=True):
            assert np.array_equal(mine, other) and mine.dtype == other.dtype
        assert got[0] in envs.observation_space
        same_info(got[4], want[4])
        over = got[2] | got[3]
        ended += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            mine, other = (e.reset(options={"reset_mask": over.copy()})[0] for e in (envs, theirs))
            assert np.array_equal(mine, other)
    assert ended > 20


def same_info(mine: dict[str, Any], other: dict[str, Any]) -> None:
    mine = dict(mine)
    assert mine.keys() == other.keys()
    for key, value in other.items():
        if isinstance(value, np.ndarray):
            assert value.dtype == mine[key].dtype and value.tolist() == mine[key].tolist()
        else:
            assert value == mine[key]


@pytest.mark.parametrize("mode", MODES)
def test_arrays_are_new(mode: AutoresetMode) -> None:
    """What a step returned never changes later."""
    envs = make(mode, name="RiverSwim", max_episode_steps=4)
    kept = [envs.reset(seed=1)[0]]
    copies = [kept[0].copy()]
    for _ in range(3):
        *arrays, _ = envs.step(np.ones(N, dtype=np.int64))
        kept += arrays
        copies += [array.copy() for array in arrays]
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies, strict=True))
    assert len({array.ctypes.data for array in kept}) == len(kept)


def test_make_vec_options() -> None:
    assert isinstance(gym.make_vec("farsight/Chain-v0", num_envs=2).unwrapped, vector.MDPVectorEnv)
    envs = gym.make_vec("farsight/Chain-v0", num_envs=2, vectorization_mode="vector_entry_point", n=7)
    assert (
        envs.single_observation_space.n == 7
        and envs.spec.id == "farsight/Chain-v0"
        and len(envs.reset()[0]) == 2
    )
    assert gym.make_vec("farsight/MDP-v0", num_envs=2, model="taxi").model == fs.MDP("taxi")
    assert isinstance(gym.make_vec("farsight/Chain-v0", num_envs=2, vectorization_mode="sync"), SyncVectorEnv)
    assert make("SameStep").metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert make().worlds.autoreset == "NextStep" and make().worlds.max_episode_steps == 0
    with pytest.raises(ValueError, match="Sometimes"):
        make("Sometimes")
    with pytest.raises(ValueError, match="time limit"):
        make(max_episode_steps=-1)
    with pytest.raises(ValueError, match="at least 1 world"):
        vector.MDPVectorEnv("chain", num_envs=0)
    with pytest.raises(ValueError, match="no render mode"):
        make(render_mode="sing")


@pytest.mark.filterwarnings("error")
def test_wrappers() -> None:
    envs = gym.wrappers.vector.RecordEpisodeStatistics(make(max_episode_steps=10))
    envs.reset(seed=1)
    lengths = []
    for _ in range(60):
        *_, info = envs.step(envs.action_space.sample())
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert lengths and max(lengths) <= 10


def test_seeds() -> None:
    """Environment i has the streams of replicate i; a reset without a seed continues them."""
    envs = make(name="Taxi")
    a, b = envs.reset(seed=3)[0], envs.reset()[0]
    assert (
        np.array_equal(a, envs.reset(seed=3)[0])
        and np.array_equal(b, envs.reset()[0])
        and not np.array_equal(a, b)
    )
    for i in range(N):
        assert _core.Worlds(envs.model, 1, 3, i).reset_one() == a[i]
    assert not np.array_equal(make(name="Taxi").reset()[0], make(name="Taxi").reset()[0])  # 1 in 300^5
    assert envs.np_random_seed == 3


def test_reset_mask() -> None:
    envs = make("Disabled", name="Taxi")
    envs.reset(seed=1)
    states = envs.worlds.states
    mask = np.array([True, False, False, True, False])
    after, _ = envs.reset(options={"reset_mask": mask})
    assert np.array_equal(after[~mask], states[~mask])
    for wrong, kind in (
        ([True] * N, TypeError),
        (mask.astype(int), TypeError),
        (mask[:2], ValueError),
        (mask & False, ValueError),
    ):
        with pytest.raises(kind, match="reset_mask"):
            envs.reset(options={"reset_mask": wrong})
    with pytest.raises(ValueError, match="no reset_mask"):
        envs.reset(seed=1, options={"reset_mask": mask})
    with pytest.raises(ValueError, match="never reset"):
        _core.Worlds(envs.model, N).reset(mask)


def test_wrong_actions() -> None:
    envs = make()
    with pytest.raises(ValueError, match="must be reset"):
        envs.step(np.zeros(N, dtype=int))
    before = envs.reset(seed=1)[0]
    for wrong, kind in (
        ([0] * (N - 1), ValueError),
        ([0.5] * N, TypeError),
        ([0] * (N - 1) + [4], ValueError),
        ([-1] + [0] * (N - 1), ValueError),
        ([2**40] * N, ValueError),
        (["0"] * N, (TypeError, ValueError)),
        ([None] * N, TypeError),
        (0, ValueError),
        ([[0], [0, 1]], ValueError),
    ):
        with pytest.raises(kind):
            envs.step(wrong)
    assert np.array_equal(envs.worlds.states, before)  # nothing has happened
    for right in ([1] * N, tuple([1] * N), np.ones(N, dtype=np.uint8), np.ones(2 * N, dtype=np.int32)[::2]):
        envs.step(right)


def test_disabled_needs_a_reset() -> None:
    envs = make("Disabled", map="SG", slippery=False)
    envs.reset(seed=1)
    assert envs.step([2] * N)[2].all()
    with pytest.raises(ValueError, match="episode has ended"):
        envs.step([2] * N)
    envs.reset()
    envs.step([2] * N)


def test_use_after_close() -> None:
    envs = make(render_mode="ansi")
    envs.reset(seed=1)
    envs.close()
    envs.close()
    for call in (lambda: envs.step([0] * N), envs.reset, envs.render, lambda: envs.worlds.states):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_render() -> None:
    envs = make(render_mode="rgb_array")
    envs.reset(seed=1)
    frames = envs.render()
    assert len(frames) == N and frames[0].shape[2] == 3
    with pytest.warns(UserWarning, match="render mode"):
        quiet = make()
        quiet.reset()
        assert quiet.render() is None


def test_threads() -> None:
    """So many worlds step without Python's lock; a second call meanwhile is refused, not a crash."""
    worlds = _core.Worlds(fs.MDP("frozen-lake"), 20_000, autoreset="SameStep")
    worlds.reset()
    actions, wrong = np.ones(20_000, dtype=np.int64), []

    def work() -> None:
        for _ in range(100):
            try:
                worlds.step(actions)
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


def test_an_array_that_closes() -> None:
    """Code that runs while the actions are read cannot pull the worlds away."""
    worlds = _core.Worlds(fs.MDP("chain"), 2)
    worlds.reset()

    class Closer:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            worlds.close()
            return np.zeros(2, dtype=np.int64)

    with pytest.raises(RuntimeError, match="in use"):
        worlds.step(Closer())
    assert len(worlds.step([0, 0])) == 5


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_pickles_and_copies_continue_where_the_environments_stood(mode: str) -> None:
    envs = gym.make_vec("farsight/FrozenLake-v0", num_envs=5, autoreset_mode=mode, max_episode_steps=4)
    envs.reset(seed=np.int32(3))
    actions = np.array([0, 1, 2, 3, 1])
    for _ in range(20):
        others = pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)
        here = envs.step(actions)
        for other in others:
            assert all(np.array_equal(x, y) for x, y in zip(here[:4], other.step(actions)[:4], strict=True))
