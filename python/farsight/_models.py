"""What can stand for a model in an analysis."""

from __future__ import annotations

from typing import Any

from farsight import _core
from farsight.model import MDP


def model_of(problem: Any) -> _core.Model:
    """The model of a spec, a model or a Gymnasium environment."""
    if isinstance(problem, _core.Model):
        return problem
    if isinstance(problem, str):
        return MDP.from_spec(problem)
    if hasattr(problem, "observation_space") and hasattr(problem, "action_space"):
        return MDP.from_gymnasium(problem)
    raise TypeError(
        f"expected a model (farsight.MDP), a spec like 'chain:n=10' or a Gymnasium environment, "
        f"not {type(problem).__name__}"
    )


def spec_of(problem: Any, model: _core.Model) -> str:
    """How the problem was given, for messages and commands."""
    return problem if isinstance(problem, str) else model.spec or "MODEL"
