"""Every environment family, and any model, as a Gymnasium environment.

Importing farsight registers them where Gymnasium is installed::

    import gymnasium as gym, farsight
    env = gym.make("farsight/RiverSwim-v0", n=6)
    env = gym.make("farsight/MDP-v0", model=farsight.MDP("chain:n=50"))

The classes are also here by name, ``farsight.envs.RiverSwim(n=6)``; their parameters and defaults come from
the library's tables. ``reset(seed=k)`` begins the random streams of seed k, replicate 0, so that an episode
is the same, to the bit, as that of the command with this seed.

Many families never end an episode. No family has a time limit of its own: ask for one by
``gym.make(..., max_episode_steps=1000)``, and the episodes are then truncated.
"""

from __future__ import annotations

import copy
import secrets
from typing import Any

import gymnasium as gym
from gymnasium.spaces import Discrete

from farsight import _core, _render
from farsight._families import docstring, families, signature
from farsight._models import model_of
from farsight._words import whole
from farsight.model import MDP


def new_seed() -> int:
    """A seed for those who give none."""
    return secrets.randbits(63)


class MDPEnv(gym.Env[Any, Any]):
    """A model as a Gymnasium environment: ``farsight/MDP-v0``.

    States and actions are whole numbers. ``model`` is an MDP or a spec; ``render_mode`` is None, "ansi" (a
    text) or "rgb_array" (a picture).

    >>> import farsight as fs
    >>> env = fs.envs.MDPEnv("chain:n=5")
    >>> env.reset(seed=1)
    (0, {})
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(self, model: MDP | str, *, render_mode: str | None = None) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"there is no render mode {render_mode!r}: 'ansi', 'rgb_array' or None")
        self.model = model_of(model)
        self.worlds = _core.Worlds(self.model, autoreset="Disabled")
        self.observation_space = Discrete(self.model.n_states)
        self.action_space = Discrete(self.model.n_actions)
        self.render_mode = render_mode
        self._step = self.worlds.step_one
        self._fresh = True
        self._picture: _render.Picture | None = None

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Take an action: state, reward, terminated, truncated (always False here) and an empty dict."""
        return self._step(action)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Begin an episode; with a seed, at the beginning of that seed's random streams."""
        if seed is None and self._fresh:
            seed = new_seed()
        if seed is not None:
            seed = whole(seed, "seed")
            super().reset(seed=seed)
            self.worlds.seed(seed)
            self._fresh = False
        return self.worlds.reset_one(), {}

    @property
    def state(self) -> int:
        """The present state."""
        return int(self.worlds.states[0])

    def render(self) -> Any:
        """A text or a picture of the model and its present state, by the render mode; None without one."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render mode: gym.make(..., render_mode='rgb_array')")
            return None
        if self.render_mode == "ansi":
            return _render.text(self.model, self.state)
        if self._picture is None:
            self._picture = _render.Picture(self.model)
        return self._picture.at(self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> MDPEnv:
        """An environment in the same state that will see the same random numbers: to look ahead."""
        other = object.__new__(type(self))
        memo[id(self)] = other
        kept = {"model": self.model, "worlds": self.worlds.clone(), "_picture": self._picture}
        for name, value in self.__dict__.items():
            if name != "_step":
                other.__dict__[name] = kept[name] if name in kept else copy.deepcopy(value, memo)
        other._step = other.worlds.step_one
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_step", "_picture")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From a pickle: in the same state, with the same random numbers to come."""
        self.__dict__.update(state, _step=state["worlds"].step_one, _picture=None)

    def close(self) -> None:
        """Free the environment's memory; it cannot be used afterwards."""
        self.worlds.close()


def env_id(name: str) -> str:
    """``"Chain"`` is ``"farsight/Chain-v0"``."""
    return f"farsight/{name}-v0"


def _make_class(name: str) -> type[MDPEnv]:
    entry = families()[name]

    def __init__(self: MDPEnv, *, render_mode: str | None = None, **parameters: Any) -> None:
        MDPEnv.__init__(self, entry.spec(**parameters), render_mode=render_mode)

    __init__.__doc__ = "Keyword parameters are those of the family."
    members = {
        "__init__": __init__,
        "__doc__": docstring(entry, f"gymnasium.make({env_id(name)!r})"),
        "__module__": __name__,
        "__signature__": signature(entry, {"render_mode": None}),
    }
    return type(name, (MDPEnv,), members)


def __getattr__(name: str) -> type[MDPEnv]:
    """The class of a family, made when it is first asked for."""
    if name.startswith("_") or name not in families():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made = _make_class(name)
    return made


def __dir__() -> list[str]:
    return sorted({*globals(), *families()})


def register() -> None:
    """Register every family, and ``farsight/MDP-v0``, in Gymnasium; importing farsight has done so."""
    for name in (*families(), "MDP"):
        if env_id(name) in gym.registry:
            continue
        suffix = "Env" if name == "MDP" else ""
        gym.register(
            env_id(name),
            entry_point=f"farsight.envs:{name}{suffix}",
            vector_entry_point=f"farsight.vector:{name}{'VectorEnv' if suffix else ''}",
            order_enforce=False,  # steps before a reset are errors here, too
            disable_env_checker=True,  # checked once, by the tests; a wrapper would cost most of a step
        )
