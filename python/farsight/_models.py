"""What can stand for a model: a model, a spec, a Gymnasium environment."""

from __future__ import annotations

from typing import Any

from farsight import _core
from farsight._specs import find_spec
from farsight.model import MDP, with_gamma


def model_of(problem: Any, gamma: float | None = None) -> MDP:
    """The model of a spec, a model or a Gymnasium environment.

    ``gamma`` is the problem's discount: a ValueError if it has another.
    """
    if isinstance(problem, _core.Model):
        return with_gamma(MDP(problem), gamma)
    spec = find_spec(problem)
    if spec is not None:
        return MDP.from_spec(spec, gamma)
    if is_gymnasium(problem):
        return with_gamma(MDP.from_gymnasium(problem), gamma)
    raise TypeError(
        "expected a model (farsight.MDP), a spec such as 'chain:n=10' or a Gymnasium environment, "
        f"not {type(problem).__name__}"
    )


def is_gymnasium(env: Any) -> bool:
    """Whether this has the form of a Gymnasium environment."""
    return hasattr(env, "observation_space") and hasattr(env, "action_space")


def label_of(problem: Any, model: _core.Model, gamma: float | None = None) -> str:
    """What results call a problem: its spec as given, or that of its model, or else a name.

    A spec gets the ``gamma`` that was given beside it, as it has with the command.
    """
    spec = find_spec(problem) or model.spec
    if spec:
        return spec if gamma is None else _core.env_with_gamma(spec, gamma)
    found = getattr(getattr(problem, "spec", None), "id", None)  # Gymnasium's, as in FrozenLake-v1
    return found if isinstance(found, str) else f"model-{model.hash[:8]}"
