"""Exact solutions of models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from farsight import _core
from farsight._models import model_of
from farsight._typing import FloatArray, IntArray
from farsight._words import counted, optional
from farsight.device import warn_of_device
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


@dataclass(frozen=True)
class ValueNorm:
    """The environmental value norm (Maillard, Mann & Mannor 2014)."""

    value: float
    """The greatest standard deviation, over pairs, of the value of the next state."""
    error: float
    """Certified; infinite for the average reward, of which only the gain is."""
    state: int
    """A state and an action that attain it."""
    action: int
    """See ``state``."""


@dataclass(frozen=True)
class ReciprocalGaps:
    """The sum of 1 / gap over the pairs whose gap V(s) - Q(s, a) is certainly above 0 (Simchowitz & Jamieson 2019)."""

    sum: float
    """The sum."""
    low: float
    """Certified: the sum of the exact gaps of these pairs is at least this, and at most ``high``."""
    high: float
    """See ``low``."""
    least: float
    """The smallest of these gaps; infinite if there is none."""
    positive: int
    """How many pairs they are."""
    zero: int
    """The other pairs: of a best action, or too close to tell."""
    regular: float
    """The sum of 1 / (gap + 0.1) over all pairs (Conserva & Rauber 2022)."""


@dataclass(frozen=True)
class EffectiveHorizon:
    """How far one must look ahead, with uniform actions after (Laidlaw, Russell & Dragan 2023)."""

    k: int
    """With so many steps every greedy policy is optimal; 0 if that is not certain for any that was tried."""
    horizon: float
    """The stochastic effective horizon, with returns scaled to [0, 1] (Laidlaw, Zhu, Russell & Dragan 2024)."""
    at: int
    """The k that attains it."""
    gap: float
    """The gap that belongs to it."""
    gorp: float
    """With a finite horizon, for deterministic models: an upper bound on the effective horizon; else infinite."""
    tried: int
    """So many k were tried."""


@dataclass(frozen=True)
class Mixing:
    """The mixing time of the chain of a policy: to total variation 1/4, from the worst state."""

    time: float
    """In steps; infinite if there are several closed classes; of the lazy chain if the period is not 1."""
    states: int
    """Of the chain: the live states, or with a horizon those that know the step."""
    closed: int
    """Classes of states that the chain never leaves."""
    period: int
    """Of the closed class; 0 if there are several."""
    distance: float
    """From the stationary distribution, at that time."""
    error: float
    """Certified bound on the error of distances."""
    converged: bool
    """False only if doubles cannot certify so long a time: it is a lower bound then."""


@dataclass(frozen=True)
class Cover:
    """How many steps it takes until uniform actions have taken all pairs of live states."""

    kind: str
    """"exact", "simulated", "bounded" or "never"."""
    pairs: int
    """The number of pairs."""
    expected: float | None
    """From the start of a run; None if there are bounds only."""
    worst: float | None
    """From the worst state, if ``kind`` is "exact"."""
    standard_error: float
    """Of a simulated mean; else 0."""
    low: float
    """Lower bound on ``expected``."""
    high: float
    """Upper bound on ``expected``, from any state (Matthews 1988)."""
    hitting: float
    """Expected steps until the hardest pair is taken, from the worst state."""
    hitting_error: float
    """Certified; infinite where doubles cannot certify it."""
    length_low: float
    """Bounds on the covering time (Even-Dar & Mansour 2003), in which all pairs are taken with probability 1/2."""
    length_high: float
    """See ``length_low``; exact where they are equal."""


@dataclass(frozen=True)
class Hardness:
    """Measures of how hard a model is; None stands for those that it is too large for."""

    value_norm: ValueNorm
    """The environmental value norm."""
    chain_states: int
    """States of the chains: live ones, or with a horizon those that know the step."""
    gaps: ReciprocalGaps | None
    """The sum of the reciprocals of the gaps; not of a given policy."""
    effective: EffectiveHorizon | None
    """The effective horizon; of discounted values and of a horizon."""
    mixing: Mixing | None
    """Of the best policy, which takes all best actions alike, or of the one given; up to 300 states."""
    mixing_uniform: Mixing | None
    """Of uniform actions."""
    cover: Cover | None
    """The cover time; up to 1000 states."""
    diameter: float | None
    """Of the live states, or with a horizon of those that know the step; up to 1000."""


class SolvingProgress(NamedTuple):
    """How far a solution is; what a function given as ``progress`` is called with."""

    what: str
    """"values", "diameter" or "measures"."""
    done: int
    """Sweeps over the model, states of which the diameter is known, or parts of a measure."""
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
      ``residual``, ``sweeps``, ``span``, and of a device ``device_name``, ``device_sweeps``, ``device_seconds``;
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
    device_name: str
    """The device that made sweeps; "" if the processors made all of them."""
    device_sweeps: int
    """Of all sweeps, those that the device made."""
    device_seconds: float
    """The time that these took there."""
    structure: Structure | None
    """The structure of the model, if it was asked for."""
    diameter: float | None
    """The diameter of the model in steps, if it was asked for; infinite if it is not communicating."""
    diameter_error: float | None
    """Certified bound on the error of the diameter."""
    diameter_pair: tuple[int, int] | None
    """Two states that attain the diameter; if it is infinite, the second cannot be reached from the first."""
    hardness: Hardness | None
    """Measures of hardness, if the structure was asked for."""

    def __init__(self, capsule: object, values: dict[str, Any], model: _core.Model) -> None:
        super().__init__(_core.solution_document(capsule))
        self._capsule = capsule
        self._all: _core.Document | Forms | None = None
        self.model = model
        values = dict(values)
        self.structure = _structure(values)
        self.hardness = _hardness(values)
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

    def _sheet(self, table: str | None, kinds: bool) -> str:
        """With all states."""
        if self._all is None:
            self._all = _core.solution_document(self._capsule, 0)
        return self._all.render("csv", 0, table, kinds=kinds)


def _structure(values: dict[str, Any]) -> Structure | None:
    names = ("kind", "classes", "closed", "recurrent", "class_of", "recurrent_of")
    found = {name: values.pop(name) for name in names if name in values}
    if not found:
        return None
    sets = found["recurrent_of"]
    sets[sets == 2**32 - 1] = -1
    return Structure(**found)


def _hardness(values: dict[str, Any]) -> Hardness | None:
    types: dict[str, Any] = {
        "value_norm": ValueNorm,
        "gaps": ReciprocalGaps,
        "effective": EffectiveHorizon,
        "mixing": Mixing,
        "mixing_uniform": Mixing,
        "cover": Cover,
    }
    found = values.pop("hardness", None)
    if found is None:
        return None
    parts: dict[str, Any] = {k: of(**found[k]) if k in found else None for k, of in types.items()}
    return Hardness(chain_states=found["chain_states"], diameter=found.get("diameter"), **parts)


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
    threads: int | None = None,
    device: str = "cpu",
    progress: ProgressOf[SolvingProgress] = "auto",
) -> Solution:
    """Solves a model exactly, with a proven bound on the error, rounding included.

    ``m`` is an :class:`MDP`, a spec like "chain:n=10", or a Gymnasium environment that shows its transitions.
    What counts in the model is solved: discounted rewards, those of its horizon, or the average reward; unless ``horizon`` (the best
    so many steps), ``average`` (the best average reward), ``policy`` (the values of this policy: one action per state, or (S, A)
    probabilities) or, where the average reward counts, ``gamma`` says otherwise.

    ``gamma`` is by default the problem's discount (``MDP.gamma``); with a horizon 1. A ValueError if a spec or a
    model has another one; 0 is a question of its own. ``tolerance`` (1e-6) bounds
    the error; ``method`` is "auto" (default), "value", "gauss-seidel", "modified", "policy" or "topological";
    ``max_sweeps`` stops early with what is certified then. ``structure`` adds classes of states, measures of
    hardness and, up to 1000 states, the diameter; ``diameter`` adds it whatever the number of states.
    ``progress`` is as in :func:`run`; a function is called with a
    :class:`~farsight.solution.SolvingProgress`. Ctrl-C ends the call.

    ``threads`` share the sweeps of large models; one for each processor by default. With ``device`` "gpu" a graphics
    processor makes the sweeps of discounted values (methods "auto", "value" and "topological"), with "auto" where the processors
    would take more than a second. No number depends on either: the processors prove what a device has found, and a
    :class:`DeviceWarning` says why they do its work if they must.

    >>> import farsight as fs
    >>> s = fs.solve("chain:n=3", gamma=0.9)
    >>> s.policy.tolist(), s.error < 1e-6
    ([1, 1, 1], True)
    """
    model = model_of(m, gamma if _is_problems(gamma, average) else None)
    if horizon is None and not average and policy is None:
        horizon, average = model.horizon, model.average and gamma is None
    kind = _kind(horizon, average, policy)
    _check_unused(kind, gamma, tolerance, method, max_sweeps, structure or diameter)
    _check_device(device, kind, method)
    actions, probabilities = _policy(policy, model)
    with reporting(progress, SolvingProgress) as report:
        capsule, values = _core.solve(
            model,
            kind=kind,
            gamma=optional(gamma, "gamma"),
            tolerance=1e-6 if tolerance is None else tolerance,
            method=method or "auto",
            max_sweeps=_count(max_sweeps, "max_sweeps"),
            horizon=_count(horizon, "horizon"),
            actions=actions,
            probabilities=probabilities,
            structure=structure,
            diameter=diameter,
            threads=threads,
            device=device,
            report=report,
        )
    warn_of_device(values.pop("warning", ""))
    if kind == "horizon":
        values["policy"] = values["policy"].reshape(-1, model.n_states)
    return Solution(capsule, values, model)


def _is_problems(gamma: Any, average: bool) -> bool:
    """Whether this can be a problem's discount; 0 and 1 are questions of their own."""
    return gamma is not None and not average and 0 < optional(gamma, "gamma") < 1


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


def _check_device(device: str, kind: str, method: str | None) -> None:
    """Refuses a device for what the processors compute."""
    if device != "gpu":
        return
    if kind in ("average", "horizon"):
        raise ValueError('device="gpu" is for discounted values: the processors compute a horizon and the average reward')
    if method not in (None, "auto", "value", "topological"):
        raise ValueError('device="gpu" is for the methods "auto", "value" and "topological"')


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
