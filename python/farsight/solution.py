"""Exact solutions of models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from farsight import _core
from farsight._models import model_of
from farsight._typing import FloatArray, IntArray
from farsight._words import counted
from farsight.document import Document, Forms
from farsight.progress import ProgressOf, reporting


@dataclass(frozen=True)
class Structure:
    """Which states can reach which; after a terminal state a run continues from a start state."""

    kind: str
    """"communicating", "weakly communicating" or "multichain"."""
    classes: int
    """The number of classes of states that can reach one another."""
    closed: int
    """How many of these no action leaves."""
    recurrent: int
    """The number of sets in which a policy can stay for ever."""
    class_of: IntArray
    """The class of each state, from 0."""
    recurrent_of: IntArray
    """The set of each state, from 0; -1 if it is left under every policy."""


class SolvingProgress(NamedTuple):
    """How far a solution is; what a function given as ``progress`` is called with."""

    what: str
    """"values" or "diameter"."""
    done: int
    """Sweeps over the model, or states of which the diameter is known."""
    error: float
    """The certified error so far."""

    @property
    def share(self) -> None:
        """Not known: the number of sweeps depends on the model."""

    def __str__(self) -> str:
        return f"{self.what}: {self.done:,}, error {self.error:.2g}"


class Solution(Document):
    """A model solved exactly: values, a policy, and a proven bound on the error.

    Which of the arrays there are depends on the problem; others raise AttributeError. Arrays of values are
    read-only views of the solution's memory.

    - discounted values, or those of a policy: ``v`` (S,), ``q`` (S, A), ``policy`` (S,), ``gaps`` (S,),
      ``residual``, ``sweeps``, ``span``;
    - a horizon of H steps: ``v`` (H + 1, S), with t steps taken in row t, and ``policy`` (H, S);
    - the average reward: ``gain``, ``bias`` (S,), ``policy`` (S,), ``sweeps``, ``span``.
    """

    error: float
    """Certified: no value (or, of the average reward, the gain) is further from the exact one."""
    start: float
    """The expected value of the start; NaN for the average reward."""
    gamma: float
    """The discount that was used; NaN for the average reward."""
    converged: bool
    """The error is at most the tolerance; False only if ``max_sweeps`` came first."""
    v: FloatArray
    """The values of states."""
    q: FloatArray
    """The values of pairs."""
    policy: IntArray
    """The best action of each state; of a given policy the improved one."""
    gaps: FloatArray
    """Best value of an action less the second best, of each state."""
    gain: float
    """The best average reward."""
    bias: FloatArray
    """Relative values of states; NaN where no run comes."""
    residual: float
    """No value of a pair differs more from its backup."""
    sweeps: int
    """Sweeps over all outcomes, or as much work."""
    span: float
    """The greatest value of a state less the least."""
    structure: Structure | None
    """The structure of the model, if it was asked for."""
    diameter: float | None
    """The diameter of the model in steps, if it was asked for; infinite if it is not communicating."""
    diameter_error: float | None
    """Certified bound on the error of the diameter."""
    diameter_pair: tuple[int, int] | None
    """Two states that attain the diameter; if it is infinite, the second cannot be reached from the first."""

    def __init__(self, capsule: object, values: dict[str, Any], model: _core.Model) -> None:
        super().__init__(_core.solution_document(capsule))
        self._capsule = capsule
        self._all: _core.Document | Forms | None = None
        self.model = model
        values = dict(values)
        self.structure = _structure(values)
        value, error, source, target, _ = values.pop("diameter", (None, None, 0, 0, True))
        self.diameter, self.diameter_error = value, error
        self.diameter_pair = None if value is None else (source, target)
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        if name in type(self).__annotations__:
            has = ", ".join(k for k in type(self).__annotations__ if k in self.__dict__)
            raise AttributeError(f"this solution has no {name!r}; it has {has}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def gap(self, s: int) -> float:
        """How much better the best action of state s is than the second best."""
        return float(self.gaps[s])

    def _brief(self) -> str:
        model = f"{counted(self.model.n_states, 'state')}, {counted(self.model.n_actions, 'action')}"
        if "gain" in self.__dict__:
            return f"{model}, average reward {self.gain:.6g}, error at most {self.error:.2g}"
        steps = f", {counted(len(self.v) - 1, 'step')}" if self.v.ndim == 2 else ""
        value = f"value of the start {self.start:.6g}"
        return f"{model}, gamma {self.gamma:.6g}{steps}, {value}, error at most {self.error:.2g}"

    def __getstate__(self) -> dict[str, Any]:
        self.csv()
        assert self._all is not None
        return {**super().__getstate__(), "_capsule": None, "_all": Forms.of(self._all)}

    def csv(self, table: str | None = None) -> str:
        """One of its ``tables`` as CSV, with all states."""
        if self._all is None:
            self._all = _core.solution_document(self._capsule, 0)
        return self._all.render("csv", 0, table)


def _structure(values: dict[str, Any]) -> Structure | None:
    names = ("kind", "classes", "closed", "recurrent", "class_of", "recurrent_of")
    found = {name: values.pop(name) for name in names if name in values}
    if not found:
        return None
    sets = found["recurrent_of"]
    sets[sets == 2**32 - 1] = -1
    return Structure(**found)


def solve(
    m: Any,
    gamma: float | None = None,
    *,
    tolerance: float | None = None,
    method: str | None = None,
    horizon: int | None = None,
    average: bool = False,
    policy: npt.ArrayLike | Solution | None = None,
    structure: bool = False,
    diameter: bool = False,
    max_sweeps: int | None = None,
    progress: ProgressOf[SolvingProgress] = "auto",
) -> Solution:
    """Solves a model exactly, with a proven bound on the error, rounding included.

    ``m`` is an :class:`MDP`, a spec like "chain:n=10", or a Gymnasium environment that shows its transitions.
    The discounted problem is solved unless the model has a horizon or ``horizon`` (the best so many steps), ``average`` (the best
    average reward) or ``policy`` (the values of this policy: one action per state, or (S, A) probabilities)
    says otherwise.

    ``gamma`` is by default the model's own discount, or 0.95; with a horizon 1. ``tolerance`` (1e-6) bounds
    the error; ``method`` is "value", "gauss-seidel", "modified" or "policy"; ``max_sweeps`` stops early with
    what is certified then. ``structure`` adds classes of states and, up to 1000 states, the diameter;
    ``diameter`` adds it whatever the number of states. ``progress`` is as in :func:`run`; a function is
    called with a :class:`~farsight.solution.SolvingProgress`. Ctrl-C ends the call.

    >>> import farsight as fs
    >>> s = fs.solve("chain:n=3", gamma=0.9)
    >>> s.policy.tolist(), s.error < 1e-6
    ([1, 1, 1], True)
    """
    model = model_of(m)
    if horizon is None and not average and policy is None:
        horizon = model.horizon
    kind = _kind(horizon, average, policy)
    _check_unused(kind, gamma, tolerance, method, max_sweeps, structure or diameter)
    actions, probabilities = _policy(policy, model)
    with reporting(progress, SolvingProgress) as report:
        capsule, values = _core.solve(
            model,
            kind=kind,
            gamma=math.nan if gamma is None else gamma,
            tolerance=1e-6 if tolerance is None else tolerance,
            method=method or "value",
            max_sweeps=_count(max_sweeps, "max_sweeps"),
            horizon=_count(horizon, "horizon"),
            actions=actions,
            probabilities=probabilities,
            structure=structure,
            diameter=diameter,
            report=report,
        )
    if kind == "horizon":
        values["policy"] = values["policy"].reshape(-1, model.n_states)
    return Solution(capsule, values, model)


def _kind(horizon: int | None, average: bool, policy: Any) -> str:
    given = {"horizon": horizon is not None, "average": average, "policy": policy is not None}
    kinds = [kind for kind, is_given in given.items() if is_given]
    if len(kinds) > 1:
        raise ValueError(f"{kinds[0]} and {kinds[1]} do not go together: these are different problems")
    return kinds[0] if kinds else "discounted"


def _check_unused(
    kind: str,
    gamma: float | None,
    tolerance: float | None,
    method: str | None,
    max_sweeps: int | None,
    structure: bool,
) -> None:
    """Refuses an argument that would change nothing."""
    if kind == "average" and gamma is not None:
        raise ValueError("the average reward has no gamma: it does not discount")
    if kind in ("average", "horizon", "policy") and method is not None:
        raise ValueError(f"method does not go together with {kind}: it is for optimal discounted values")
    if kind == "horizon" and not structure and (tolerance is not None or max_sweeps is not None):
        raise ValueError("a horizon has no tolerance or max_sweeps: its values are exact but for rounding")


def _count(value: int | None, name: str) -> int:
    if value is None:
        return 0
    if value < 1:
        raise ValueError(f"{name} is {value}: must be at least 1")
    return value


def _policy(policy: Any, model: _core.Model) -> tuple[IntArray | None, FloatArray | None]:
    """Actions of states, or probabilities of pairs."""
    if policy is None:
        return None, None
    array = np.asarray(policy.policy if isinstance(policy, Solution) else policy)
    pairs = (model.n_states, model.n_actions)
    if array.shape == pairs[:1]:
        if not np.issubdtype(array.dtype, np.integer):
            raise TypeError(f"policy is an array of {array.dtype}: actions must be whole numbers")
        return array.astype(np.int64), None
    if array.shape == pairs:
        return None, array.astype(np.float64)
    raise ValueError(
        f"policy has the shape {array.shape}: must be {pairs[:1]}, actions, or {pairs}, probabilities"
    )
