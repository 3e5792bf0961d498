"""The native vector form of our Gymnasium environments: many copies of a model, stepped in one call.

::

    import gymnasium as gym, farsight
    envs = gym.make_vec("farsight/RiverSwim-v0", num_envs=1000, n=6, autoreset_mode="SameStep")
    states, info = envs.reset(seed=1)
    states, rewards, terminated, truncated, info = envs.step(envs.action_space.sample())

``make_vec`` uses it unless it is asked for ``vectorization_mode="sync"``. Options go beside the parameters of
the family (Gymnasium refuses ``vector_kwargs`` for native forms): ``max_episode_steps`` and
``autoreset_mode``, which is a ``gymnasium.vector.AutoresetMode`` or its value.

With ``reset(seed=k)`` environment i has the random streams of seed k and replicate i, so that it sees the
same random numbers as run i of a study with that seed. With ``reset(seed=[...])``, one seed for each, it has
those of its seed and replicate 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from farsight import _core, _render
from farsight._families import docstring, families, signature
from farsight._models import model_of
from farsight._typing import BoolArray, FloatArray, IntArray
from farsight._words import whole
from farsight.envs import MDPEnv, env_id, new_seed
from farsight.model import MDP


class MDPVectorEnv(VectorEnv[Any, Any, Any]):
    """Many copies of a model as a Gymnasium vector environment.

    >>> import gymnasium as gym, farsight
    >>> envs = gym.make_vec("farsight/Chain-v0", num_envs=3, n=5)
    >>> envs.reset(seed=1)
    (array([0, 0, 0]), {})
    """

    def __init__(
        self,
        model: MDP | str,
        *,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in MDPEnv.metadata["render_modes"]:
            raise ValueError(f"there is no render mode {render_mode!r}: 'ansi', 'rgb_array' or None")
        self.model = model_of(model)
        mode = AutoresetMode(autoreset_mode)
        self.worlds = _core.Worlds(
            self.model, num_envs, autoreset=mode.value, max_episode_steps=max_episode_steps or 0
        )
        self.num_envs = num_envs
        self.metadata = {**MDPEnv.metadata, "autoreset_mode": mode}
        self.render_mode = render_mode
        self.single_observation_space = Discrete(self.model.n_states)
        self.single_action_space = Discrete(self.model.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._picture: _render.Picture | None = None
        self._step = self.worlds.step
        self._fresh = True

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[IntArray, dict[str, Any]]:
        """Begin an episode in every environment, or in those of ``options["reset_mask"]``.

        With a list of seeds, environment i is what :class:`farsight.envs.MDPEnv` is after ``reset(seed=seed[i])``.
        """
        mask = _mask(options, self.num_envs)
        if seed is not None and mask is not None:
            raise ValueError("a seed is for all environments: give no reset_mask with it")
        if seed is None and self._fresh:
            seed = new_seed()
        if isinstance(seed, (list, tuple, np.ndarray)):
            self._seed_each(seed)
        elif seed is not None:
            seed = whole(seed, "seed")
            super().reset(seed=seed)
            self.worlds.seed(seed)
            self._fresh = False
        return self.worlds.reset(mask), {}

    def _seed_each(self, seeds: Sequence[int | None] | IntArray) -> None:
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {len(seeds)} seeds: must be one number, or one for each of {self.num_envs} environments")
        each = [new_seed() if seed is None else whole(seed, f"seed[{i}]") for i, seed in enumerate(seeds)]
        alone = [_core.Worlds(self.model, seed=seed) for seed in each]
        self.worlds.__setstate__(np.concatenate([world.__reduce__()[2] for world in alone]))
        self._fresh = False

    def step(self, actions: Any) -> tuple[IntArray, FloatArray, BoolArray, BoolArray, dict[str, Any]]:
        """One step in every environment. The arrays are new ones."""
        return self._step(actions)

    def render(self) -> tuple[Any, ...] | None:
        """A text or a picture of each environment."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render mode: gym.make_vec(..., render_mode='rgb_array')")
            return None
        if self.render_mode == "ansi":
            return tuple(_render.text(self.model, int(state)) for state in self.worlds.states)
        if self._picture is None:
            self._picture = _render.Picture(self.model)
        return tuple(self._picture.at(int(state)) for state in self.worlds.states)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_step", "_picture")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From a pickle: in the same states, with the same random numbers to come."""
        self.__dict__.update(state, _step=state["worlds"].step, _picture=None)

    def close_extras(self, **kwargs: Any) -> None:
        """Free the environments' memory; they cannot be used afterwards."""
        if hasattr(self, "worlds"):  # Gymnasium closes what was not even made
            self.worlds.close()


def _mask(options: dict[str, Any] | None, n: int) -> BoolArray | None:
    """The reset mask among the options, checked as Gymnasium checks it."""
    mask = (options or {}).get("reset_mask")
    if mask is None:
        return None
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError("options['reset_mask'] must be a NumPy array of bool")
    if mask.shape != (n,):
        raise ValueError(f"options['reset_mask'] has the shape {mask.shape}: must be ({n},)")
    if not mask.any():
        raise ValueError("options['reset_mask'] must be True somewhere")
    return mask


def _make_class(name: str) -> type[MDPVectorEnv]:
    entry = families()[name]
    own = {
        "num_envs": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
        "max_episode_steps": None,
        "render_mode": None,
    }

    def __init__(self: MDPVectorEnv, **options: Any) -> None:
        ours = {key: options.pop(key) for key in own if key in options}
        MDPVectorEnv.__init__(self, entry.spec(**options), **ours)

    __init__.__doc__ = "Keyword parameters are those of the family and of MDPVectorEnv."
    members = {
        "__init__": __init__,
        "__doc__": docstring(entry, f"gymnasium.make_vec({env_id(name)!r})"),
        "__module__": __name__,
        "__signature__": signature(entry, own),
    }
    return type(name, (MDPVectorEnv,), members)


def __getattr__(name: str) -> type[MDPVectorEnv]:
    """The class of a family, made when it is first asked for."""
    if name.startswith("_") or name not in families():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made = _make_class(name)
    return made


def __dir__() -> list[str]:
    return sorted({*globals(), *families()})
