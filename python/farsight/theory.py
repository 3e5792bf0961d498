"""Guarantees of theorems, and audits of their claims along real runs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from farsight import _core
from farsight._models import label_of, model_of
from farsight._specs import agent_spec
from farsight._words import counted, listed, optional, seed_of, whole
from farsight.document import Document, Forms
from farsight.progress import Progress, ProgressLike, finish, reporting


class Guarantee(Document):
    """What one theorem promises on a problem; printing it shows its quantities."""

    def __init__(self, document: _core.Document, derivation: _core.Document) -> None:
        super().__init__(document)
        self._derivation: _core.Document | Forms = derivation
        self._entry: dict[str, Any] = self.data["theorems"][0]

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_derivation": Forms.of(self._derivation)}

    def _brief(self) -> str:
        if self.bound is None:
            return f"{self.name}, no bound" + (f": {self.missing}" if self.missing else "")
        return f"{self.name}, bound {self.bound:.4g} ({self.kind})"

    @property
    def name(self) -> str:
        """The theorem's name."""
        return str(self._entry["name"])

    @property
    def title(self) -> str:
        """The theorem's title."""
        return str(self._entry["title"])

    @property
    def reference(self) -> str:
        """The paper."""
        return str(self._entry["reference"])

    @property
    def kind(self) -> str:
        """"mistakes", "near-Bayesian", "regret", "lower bound" or "stopping"."""
        return str(self._entry["kind"])

    @property
    def order(self) -> str:
        """The order of the bound."""
        return str(self._entry["order"])

    @property
    def bound(self) -> float | None:
        """The bound in steps; infinite if it exceeds all floats; None where it is not a number:
        the theorem does not apply, or its constants are not known."""
        return _large(self._entry["bound"], self.log10_bound)

    @property
    def log10_bound(self) -> float | None:
        """The decimal logarithm of the bound, which is always finite; None as for :attr:`bound`."""
        value: float | None = self._entry["log10_bound"]
        return value

    @property
    def applies(self) -> bool:
        """Whether the theorem applies to the problem."""
        return bool(self._entry["applies"])

    @property
    def missing(self) -> str | None:
        """Why it does not apply, or what it needs."""
        text: str | None = self._entry["missing"]
        return text

    @property
    def vacuous(self) -> bool:
        """eps is so large that every policy attains it: the promise is empty."""
        return bool(self._entry["vacuous"])

    @property
    def agent(self) -> str | None:
        """The spec of the agent that has this guarantee; None if there is none."""
        spec: str | None = self._entry["spec"]
        return spec

    @property
    def quantities(self) -> dict[str, float]:
        """The numbers on the way to the bound, by name, in the order of the derivation.

        ``table("quantities")`` also has formulas, sources and meanings.
        """
        return {q["name"]: _number(_large(q["value"], q["log10"])) for q in self._entry["quantities"]}

    @property
    def eps(self) -> float | None:
        """With ``steps``: the smallest eps that so many steps can promise, None if they promise nothing.
        Without: the eps of the problem."""
        if "inverse" not in self._entry:
            return float(self.data["problem"]["eps"])
        value: float | None = self._entry["inverse"]["eps"]
        return value

    def explain(self, width: int = 0) -> str:
        """The derivation, step by step, and what was repaired."""
        return self._derivation.render("text", width).rstrip("\n")


class Guarantees(Document, Sequence[Guarantee]):
    """All theorems side by side on one problem; one of them by name or index.

    >>> import farsight as fs
    >>> all = fs.pac(None, (10, 2), gamma=0.9, eps=0.5)
    >>> all["delayed-q"].bound == fs.pac("delayed-q", (10, 2), gamma=0.9, eps=0.5).bound
    True
    """

    def __init__(self, document: _core.Document, problem: dict[str, Any]) -> None:
        super().__init__(document)
        self._problem = {**problem, "diameter": _number(self.data["problem"]["diameter"])}

    def _brief(self) -> str:
        return f"{counted(len(self.names), 'theorem')}: {listed(self.names, 4)}"

    def _one(self, name: str) -> Guarantee:
        guarantee: Guarantee = _evaluate([name], True, self._problem)
        return guarantee

    @property
    def names(self) -> list[str]:
        """The names of the theorems."""
        return [entry["name"] for entry in self.data["theorems"]]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Guarantee]:
        return (self._one(name) for name in self.names)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return [self._one(name) for name in self.names[key]]
        return self._one(key if isinstance(key, str) else self.names[key])


def pac(
    theorem: str | Sequence[str] | None,
    m: Any,
    eps: float | None = None,
    delta: float | None = None,
    gamma: float | None = None,
    *,
    gamma_e: float | None = None,
    diameter: float | None = None,
    steps: float | None = None,
    rewards: tuple[float, float] | None = None,
    episodic: bool | None = None,
    horizon: int | None = None,
) -> Any:
    """What a theorem asks for and promises on a problem: a :class:`Guarantee`.

    ``theorem`` is a name (``fs.theorems`` lists them); None or "all" gives :class:`Guarantees`, all of them
    side by side, and so does a list of names. ``m`` is a model, a spec, a Gymnasium environment, or the
    sizes (states, actions), with ``rewards`` (smallest, largest; 0 and 1 by default) and ``episodic``.

    ``eps`` is the accuracy in units of value (0.1 of the largest value), ``delta`` the probability of
    failure (0.1), ``gamma`` the discount (the problem's own, or 0.95; a ValueError if it has another), ``gamma_e`` that of exploration values
    (0.99), ``diameter`` that of the model, which UCRL2 needs; up to 1000 states it is computed. ``horizon``
    is the number of steps of an episode (the model's own), for the theorems of finite horizon. ``steps``
    asks the other way round: for the smallest eps that so many steps can promise.

    >>> import farsight as fs
    >>> g = fs.pac("delayed-q", "chain:n=10", eps=0.5)
    >>> round(g.log10_bound, 2), g.agent
    (18.43, 'delayed-q:preset=theory,delta=0.1,gamma=0.95,eps=0.5')
    """
    one = isinstance(theorem, str) and theorem != "all"
    listed = [] if theorem is None or theorem == "all" else theorem
    names = [listed] if isinstance(listed, str) else list(listed)
    problem = _problem(m, rewards, episodic, gamma)
    _check_positive(eps, "eps", 0, "above 0")
    _check_positive(diameter, "diameter", 1, "at least 1")
    _check_positive(steps, "steps", 1, "at least 1")
    _check_positive(horizon, "horizon", 1, "at least 1")
    given = {"gamma": gamma, "eps": eps, "delta": delta, "gamma_e": gamma_e, "diameter": diameter, "horizon": horizon}
    for key, value in given.items():
        problem[key] = optional(value, key)
    problem["steps"] = 0.0 if steps is None else steps
    return _evaluate(names, one, problem)


def _evaluate(names: list[str], one: bool, problem: dict[str, Any]) -> Any:
    document, derivation, no_diameter = _core.pac(names, **problem)
    if one:
        guarantee = Guarantee(document, derivation)
        if guarantee.vacuous:
            warnings.warn("eps is not below the largest value: every policy attains it", stacklevel=3)
        return guarantee
    if no_diameter:
        warnings.warn(f"no diameter ({no_diameter}); diameter=... gives one", stacklevel=3)
    return Guarantees(document, problem)


def _problem(
    m: Any, rewards: tuple[float, float] | None, episodic: bool | None, gamma: float | None
) -> dict[str, Any]:
    if not isinstance(m, (tuple, list)):
        if rewards is not None or episodic is not None:
            raise ValueError("a model says its rewards and whether episodes end: leave them out")
        return {"model": model_of(m, gamma)}
    low, high = (0.0, 1.0) if rewards is None else rewards
    if len(m) != 2:
        raise ValueError(f"sizes must be (states, actions), not {m!r}")
    if not high > low:
        raise ValueError(f"the largest reward, {high}, must be above the smallest, {low}")
    return {"states": m[0], "actions": m[1], "rmin": low, "rmax": high, "episodic": bool(episodic)}


def _check_positive(value: float | None, name: str, least: float, words: str) -> None:
    if value is not None and not (value > least or value == least != 0):
        raise ValueError(f"{name} = {value}: must be {words}")


def _large(value: float | None, log10: float | None) -> float | None:
    """JSON has no infinite numbers: a logarithm says that there is one."""
    return math.inf if value is None and log10 is not None else value


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


@dataclass(frozen=True)
class Claim:
    """One claim of a proof, checked along runs."""

    name: str
    statement: str
    """The claim, in one line."""
    source: str
    """Where it is claimed."""
    certain: bool
    """It must hold always; else with probability 1 - delta."""
    checked: int
    """How often it was checked, over all runs."""
    violated: int
    """How many of these checks failed."""
    runs: int
    """Runs in which it was checked."""
    runs_violated: int
    """Runs in which a check failed."""
    low: float
    """Lower end of the 95% interval of the probability of such a run."""
    high: float
    """Upper end."""
    worst: float
    """The value of the check nearest to failure, or furthest beyond; NaN if there was none."""
    bound: float
    """What that value must not exceed."""
    verdict: str
    """"untested", "kept", "within" (delta) or "violated"."""
    first: dict[str, Any] | None
    """The first violation: state ``s``, action ``a``, ``run``, step ``t``, value, bound, further values."""


class Audit(Document):
    """The claims of a proof, checked along real runs against the exact solution."""

    def _brief(self) -> str:
        claims = [claim.verdict for claim in self.claims]
        verdicts = (f"{claims.count(verdict)} {verdict}" for verdict in dict.fromkeys(claims))
        return f"{counted(self.runs, 'run')}, {counted(len(claims), 'claim')}: {', '.join(verdicts) or 'none'}"

    @property
    def claims(self) -> list[Claim]:
        """All claims, with their verdicts."""
        return [_claim(entry) for entry in self.data["claims"]]

    @property
    def violated(self) -> list[Claim]:
        """The claims that are violated, beyond what delta allows if they are not certain."""
        return [claim for claim in self.claims if claim.verdict == "violated"]

    @property
    def counts(self) -> dict[str, int]:
        """How often things happened that show how much was tested."""
        return dict(self.data["counts"])

    @property
    def agent(self) -> str:
        """The canonical spec of the agent."""
        return str(self.data["agent"])

    @property
    def runs(self) -> int:
        """Finished runs."""
        return int(self.data["runs"])


def _claim(entry: dict[str, Any]) -> Claim:
    numbers = {key: _number(entry[key]) for key in ("low", "high", "worst", "bound")}
    return Claim(**{**entry, **numbers})


def audit(
    m: Any,
    agent: Any,
    steps: int | float = 10_000,
    runs: int | float = 100,
    *,
    gamma: float | None = None,
    seed: int | None = 1,
    first: int = 0,
    threads: int | None = None,
    delta: float | None = None,
    every: int = 1000,
    progress: ProgressLike = "auto",
) -> Audit:
    """Checks along real runs what the proofs claim of an agent.

    ``m`` is a model, a spec or a Gymnasium environment, and ``gamma`` the problem's discount, where ``m`` does not
    say it; an agent that plans with another one is refused, since its proof is about another problem. ``delta`` is
    the probability of failure to compare with (the agent's own, or 0.1), ``every`` the number of steps between evaluations of accuracy, ``first``
    the number of the first run, to look at one again. ``progress`` is as in :func:`run`. After Ctrl-C the
    exception :class:`Interrupted` has the audit of the finished runs as ``results``.

    >>> import farsight as fs
    >>> a = fs.audit("chain:n=3", "delayed-q:preset=practical", steps=1000, runs=5)
    >>> a.claims[0].name, a.violated
    ('optimism', [])
    """
    if delta is not None and not 0 < delta < 1:
        raise ValueError(f"delta = {delta}: must be in (0, 1)")
    model = model_of(m, gamma)
    with reporting(progress, Progress) as report:
        document, _, stopped = _core.audit(
            model,
            agent_spec(agent),
            label_of(m, model, gamma),
            steps=whole(steps, "steps"),
            runs=whole(runs, "runs"),
            seed=seed_of(seed),
            first=first,
            threads=threads,
            delta=delta or 0.0,
            every=every,
            report=report,
        )
    return finish(Audit(document), stopped)
