"""Agents written in Python, beside the library's own."""

from __future__ import annotations

import copy
import inspect
import json
import math
import re
import threading
import typing
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from farsight import _core
from farsight._code import code_of
from farsight._errors import InvalidError
from farsight._specs import name_of, values_of
from farsight._specs import parameter as parameter_name
from farsight._typing import BoolArray
from farsight._words import nearest, seed_of

__all__ = ["Bounds", "PyAgent"]

Shape = tuple[int, int, float, float, bool, "BoolArray | None", int, float, bool, int]
Self = TypeVar("Self", bound="PyAgent")

_REAL, _INTEGER, _CHOICE, _TEXT = range(4)  # far_param_kind
_SWITCH = ("off", "on")
_EXACT = 2.0**53  # whole numbers up to here are exact in a double


@dataclass(frozen=True)
class Bounds:
    """The bounds of a parameter of a :class:`PyAgent`, for ``Annotated``.

    >>> import farsight as fs
    >>> from typing import Annotated
    >>> class Mine(fs.PyAgent):
    ...     def __init__(self, alpha: Annotated[float, fs.Bounds(0, 1, low_open=True)] = 0.1):
    ...         self.alpha = alpha
    >>> Mine.parameters()
    {'alpha': '0.1'}
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False


class PyAgent:
    """An agent written in Python, for :func:`farsight.run` beside the library's own.

    All agents of a study see the same random numbers of the environment. A subclass defines :meth:`act` and
    :meth:`observe`. Before its ``__init__`` is called, the agent has

    - ``n_states``, ``n_actions``: states and actions are the numbers 0 ... n-1,
    - ``reward_min``, ``reward_max``: every reward lies between them,
    - ``episodic``: whether episodes can end,
    - ``live``: an array of bool, False for states in which no agent ever acts (terminal ones),
    - ``gamma``: the problem's discount, with which all agents plan unless their spec says otherwise,
    - ``run_steps``: how many steps the run has; None if that is not known,
    - ``seed``, ``replicate``: which run it is,
    - ``rng``: a :class:`farsight.Random` of this run. An agent that draws from it alone gives the same
      results every time, on any number of threads.

    ::

        class EpsilonGreedy(fs.PyAgent):
            def __init__(self, alpha: float = 0.1, epsilon: float = 0.1):
                self.alpha, self.epsilon = alpha, epsilon
                self.q = np.zeros((self.n_states, self.n_actions))

            def act(self, s):
                if self.rng.uniform() < self.epsilon:
                    return self.rng.below(self.n_actions)
                return int(self.q[s].argmax())

            def observe(self, s, a, r, next, terminated, truncated):
                target = r if terminated else r + self.gamma * self.q[next].max()
                self.q[s, a] += self.alpha * (target - self.q[s, a])

        fs.run("riverswim", [EpsilonGreedy, "epsilon-greedy:alpha=[0.05,0.2]", "q-learning"])

    **Name and parameters.** The class gets a name, here ``epsilon-greedy``, or the one that its attribute
    ``name`` says, and is then a spec like any other: in grids, in YAML files, in tables. The keyword
    arguments of ``__init__`` are its parameters. Each needs a default of type float, int, str or bool (``on``
    and ``off`` in a spec), or is annotated as a ``Literal`` of words. ``Annotated[float, fs.Bounds(0, 1)]``
    gives bounds. The default of a parameter is fixed: an agent with a parameter ``gamma`` of its own plans with that
    discount, whatever the problem's is. At most 31 parameters, of which at most one is a str. As in :class:`farsight.Agent`, an
    underscore at the end is not part of the name: ``lambda_``.

    **Edited classes.** The full spec has one more parameter, ``code``: a hash of the class as it is when the
    study is made. It covers methods, default arguments and attributes of the class and of its bases below
    ``PyAgent``, what closures hold, and the global names that methods read: functions, classes and objects by
    their content, of modules of your own what is read of them. A class that is defined again, as in a
    notebook, takes over the name at once, and its results are never mixed with those of other code or data,
    also in a store. The class that was passed is the one that runs, also where several have one name.

    What Python and installed packages define, and what a method imports in its body, counts by its name. Where
    that changes, or a file that the agent reads, change the attribute ``version = "2"``, which is part of the hash.
    An object that does not show its content (a lock, an open file, compiled code of your own) cannot be hashed,
    and a store takes no runs of a class that reaches one. Another version of Python compiles to another hash.

    **Failures.** An exception in a method ends the study and comes out of :func:`farsight.run`, with a note
    of agent, step and replicate. The store, if there is one, keeps what was finished before.

    **Speed.** Every step is two calls into Python under the interpreter lock, so that threads hardly help (in
    a free-threaded Python they do). On one processor of a busy machine, an agent that does nothing made 1.9
    million steps a second, the one above 95,000, one that keeps lists in place of arrays 320,000, and the
    library's q-learning 40 million.

    **Saving.** An agent can be saved only if it defines :meth:`save` and :meth:`load`. There is no default by
    pickle: loading a pickle executes code of whoever wrote the file.
    """

    n_states: int
    n_actions: int
    reward_min: float
    reward_max: float
    episodic: bool
    horizon: int | None
    gamma: float
    run_steps: int | None
    seed: int
    replicate: int
    rng: _core.Random

    name: ClassVar[str]
    version: ClassVar[str]

    def __init_subclass__(cls, abstract: bool = False, **named: Any) -> None:
        """``abstract=True``: a base for other classes, which gets no name."""
        super().__init_subclass__(**named)
        _check_methods(cls)
        if _is_complete(cls) and not abstract:
            _register(cls)

    # ---- what a subclass defines ----

    def act(self, s: int, /) -> int:
        """The action to take in state ``s``. Should learn nothing."""
        raise NotImplementedError(f"{type(self).__name__} has no method act")

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool, /) -> None:
        """Learns from one step. When ``terminated``, ``next`` has no meaning: nothing more is earned. When
        ``truncated``, the episode was stopped, as by a time limit: ``next`` is the state that was reached."""
        raise NotImplementedError(f"{type(self).__name__} has no method observe")

    def reset(self) -> None:
        """Forgets everything, for the next run, of which ``rng`` is then.

        Optional: without it a new agent is made for every run.
        """
        raise NotImplementedError

    def value(self, kind: str, s: int, a: int, /) -> float | None:
        """A number behind the choices, or None if there are none of the kind: "q", "bonus", "e",
        "samples" or "learning", as in :meth:`farsight.Agent.values`. Optional."""
        raise NotImplementedError

    def policy(self, s: int, /) -> Sequence[float] | NDArray[np.float64]:
        """The probability of each action in state ``s``. Optional; metrics that evaluate policies need it."""
        raise NotImplementedError

    def copy(self: Self) -> Self:
        """An independent copy, random stream included: a deep copy, unless the subclass knows better."""
        return copy.deepcopy(self)

    def save(self) -> bytes:
        """The agent as bytes. Optional; goes with :meth:`load`."""
        raise NotImplementedError

    def load(self, data: bytes, /) -> None:
        """Takes the state that :meth:`save` wrote. The bytes may come from anywhere: refuse what it could not
        have written, and do not unpickle them."""
        raise NotImplementedError

    # ---- what it has ----

    @property
    def live(self) -> BoolArray:
        """For each state, whether an agent may have to act in it."""
        absent: BoolArray | None = self.__dict__["_absent"]
        return np.ones(self.n_states, bool) if absent is None else ~absent

    @classmethod
    def on(cls: type[Self], problem: Any, *, seed: int | None = 1, replicate: int = 0, **params: Any) -> Self:
        """An agent by itself, for a model, an environment of Gymnasium or a :class:`farsight.Simulator`.

        :func:`farsight.train` and :func:`farsight.evaluate` take it; a study takes the class or its ``spec``.

        >>> import farsight as fs
        >>> class Lazy(fs.PyAgent):
        ...     def act(self, s):
        ...         return 0
        >>> Lazy.on("riverswim").act(3)
        0
        """
        _check_names(cls, params)
        return _build(cls, params, _shape_of(problem), seed_of(seed), replicate)

    @classmethod
    def parameters(cls) -> dict[str, str]:
        """The names of the parameters and their defaults, as they stand in a spec."""
        return {row.name: row.text for row in _rows_of(cls)}

    @classmethod
    def spec(cls, **params: Any) -> str:
        """The spec of this class with these parameters; a list is a grid.

        If a later class has taken over the name, the spec has all parameters and the code.

        >>> import farsight as fs
        >>> class Stubborn(fs.PyAgent):
        ...     def __init__(self, choice: int = 0):
        ...         self.choice = choice
        ...     def act(self, s):
        ...         return self.choice
        ...     def observe(self, s, a, r, next, terminated, truncated):
        ...         pass
        >>> Stubborn.spec(choice=[0, 1])
        'stubborn:choice=[0,1]'
        >>> fs.run("chain:n=3", Stubborn.spec(choice=[0, 1]), steps=10, runs=2, progress=False).agents
        ['stubborn:choice=0', 'stubborn:choice=1']
        """
        version = _register(cls)
        newest = version.family.newest == version.code
        texts = {} if newest else {row.name: row.text for row in version.rows}
        rows = {row.name: row for row in version.rows}
        for argument, value in params.items():
            name = parameter_name(argument)
            if name not in rows:
                near = nearest(argument, list(rows))
                raise TypeError(f"{cls.__name__} has no parameter {argument}; {near}")
            texts[name] = rows[name].write(value)
        if not newest:
            texts["code"] = version.code
        pairs = ",".join(f"{name}={text}" for name, text in texts.items())
        return f"{version.family.name}:{pairs}" if pairs else version.family.name

    @classmethod
    def __farsight_spec__(cls) -> str:
        return cls.spec()

    def __repr__(self) -> str:
        """The size of the problem and which run it is; a subclass may say more."""
        known = self.__dict__
        if "n_states" not in known:
            return f"<{type(self).__name__}, made without a problem>"
        sizes = f"{known['n_states']} states, {known['n_actions']} actions"
        return f"<{type(self).__name__} ({sizes}, seed {known['seed']}, replicate {known['replicate']})>"

    def _restart(self, seed: int, replicate: int) -> None:
        self.seed, self.replicate, self.rng = seed, replicate, _core.Random(seed, replicate)
        self.reset()

    def __getattr__(self, name: str) -> Any:
        if name in {"n_states", "n_actions", "reward_min", "reward_max", "episodic", "live", "gamma", "run_steps", "rng"}:
            cls = type(self).__name__
            raise AttributeError(f"this {cls} has no {name}: make agents by {cls}.on(env), not by {cls}()")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


# ---- parameters ----


@dataclass(frozen=True)
class _Row:
    """A parameter, as the library's table has it."""

    name: str
    argument: str  # of __init__: with an underscore where the name is a word of Python
    kind: int
    text: str  # the default
    bounds: Bounds
    words: tuple[str, ...] = ()
    values: tuple[Any, ...] = field(default=(), compare=False)  # of the words

    def tuple(self) -> tuple[object, ...]:
        b = self.bounds
        choices = "|".join(self.words) if self.words else None
        return (self.name, self.kind, self.text, b.low, b.high, b.low_open, b.high_open, choices, "")

    def read(self, value: Any) -> Any:
        """A value as ``__init__`` gets it."""
        return self.values[self.words.index(value)] if self.words else value

    def write(self, value: Any) -> str:
        """A value, or a list of them, as it stands in a spec."""
        if isinstance(value, (list, tuple, np.ndarray)):
            return "[" + ",".join(self.write(item) for item in value) + "]"
        if self.words and value in self.values:
            return self.words[self.values.index(value)]
        return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


_BOUNDLESS = Bounds()


def _rows_of(cls: type[PyAgent]) -> list[_Row]:
    """The parameters of a class, from the signature of its ``__init__``."""
    if cls.__init__ is object.__init__:
        return []
    rows = []
    for parameter in list(inspect.signature(cls.__init__).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        where = f"parameter {parameter.name} of {cls.__name__}"
        if parameter.default is parameter.empty or parameter.kind is parameter.POSITIONAL_ONLY:
            example = f"write {parameter.name}: float = 1.0, say"
            raise TypeError(f"{where} needs a default, and a name by which it can be given: {example}")
        plain = re.fullmatch(r"[a-z][a-z0-9_]{0,39}", parameter.name)
        if not plain or parameter_name(parameter.name) == "code":
            rule = "1 to 40 of a-z, 0-9 and _, the first a letter, and not 'code'"
            raise TypeError(f"{where}: a name must be {rule}")
        rows.append(_row(where, parameter.name, parameter.default, _annotation(cls, parameter)))
    if len({row.name for row in rows}) < len(rows):
        raise TypeError(f"two parameters of {cls.__name__} differ only by an underscore at the end")
    return rows


def _annotation(cls: type[PyAgent], parameter: inspect.Parameter) -> Any:
    """The annotation of a parameter as an object, or None."""
    given = parameter.annotation
    if not isinstance(given, str):
        return None if given is parameter.empty else given
    scope = {"Annotated": typing.Annotated, "Literal": Literal, "Bounds": Bounds}
    scope |= getattr(cls.__init__, "__globals__", {})
    try:
        found = eval(given, scope)
        return eval(found, scope) if isinstance(found, str) else found
    except Exception as error:
        if "Bounds" not in given and "Literal" not in given:
            return None  # the default says enough
        where = f"parameter {parameter.name} of {cls.__name__}"
        raise TypeError(f"{where}: cannot read {given!r}: {error}") from None


def _row(where: str, argument: str, default: Any, annotation: Any) -> _Row:
    name = (parameter_name(argument), argument)
    bounds = _BOUNDLESS
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *marks = typing.get_args(annotation)
        bounds = next((mark for mark in marks if isinstance(mark, Bounds)), bounds)
    if typing.get_origin(annotation) is Literal:
        return _choice(where, name, default, typing.get_args(annotation))
    if isinstance(default, (bool, np.bool_)):
        return _Row(*name, _CHOICE, _SWITCH[bool(default)], _BOUNDLESS, _SWITCH, (False, True))
    if isinstance(default, (int, np.integer)) and annotation is not float:
        limits = Bounds(max(bounds.low, -_EXACT), min(bounds.high, _EXACT), bounds.low_open, bounds.high_open)
        return _Row(*name, _INTEGER, str(int(default)), limits)
    if isinstance(default, (int, float, np.integer, np.floating)):
        return _Row(*name, _REAL, repr(float(default)), bounds)
    if isinstance(default, str):
        return _Row(*name, _TEXT, default, _BOUNDLESS)
    raise TypeError(f"{where}: its default must be a float, an int, a bool or a str, not {default!r}")


def _choice(where: str, name: tuple[str, str], default: Any, values: tuple[Any, ...]) -> _Row:
    words = tuple(str(value) for value in values)
    if any(not re.fullmatch(r"[A-Za-z0-9_.+-]+", word) for word in words) or len(set(words)) < len(words):
        raise TypeError(f"{where}: the words of a Literal must be different, of letters, digits and _.+-")
    if default not in values:
        raise TypeError(f"{where}: its default {default!r} must be one of {', '.join(words)}")
    return _Row(*name, _CHOICE, words[values.index(default)], _BOUNDLESS, words, values)


# ---- names and versions ----


@dataclass
class _Family:
    """The classes that have had a name, by their codes; the last is the one that the name means."""

    name: str
    origin: tuple[str, str]
    versions: dict[str, _Version] = field(default_factory=dict)
    newest: str = ""


@dataclass(frozen=True)
class _Version:
    family: _Family
    code: str
    cls: type[PyAgent]
    rows: list[_Row]
    opaque: str  # what it reaches that cannot be hashed; the code is then a random one


_lock = threading.RLock()
_families: dict[str, _Family] = {}
_native: Collection[str] = {row["name"] for row in json.loads(_core.types("agents"))}


def is_python_agent(spec: str) -> bool:
    """Whether a spec names an agent that is written in Python."""
    return name_of(spec) in _families


def _is_complete(cls: type[PyAgent]) -> bool:
    return cls.act is not PyAgent.act and cls.observe is not PyAgent.observe


_METHODS = {"act": ("s",), "observe": ("s", "a", "r", "next", "terminated", "truncated")}


def _check_methods(cls: type[PyAgent]) -> None:
    """Whether the methods that a class defines can be called as they will be."""
    for name, arguments in _METHODS.items():
        method = vars(cls).get(name)
        if not inspect.isfunction(method):
            continue  # inherited, or something else that can be called
        signature = inspect.signature(method, follow_wrapped=False)
        try:
            signature.bind(None, *arguments)
        except TypeError:
            given = ", ".join(str(p.replace(annotation=p.empty)) for p in signature.parameters.values())
            right = ", ".join(("self", *arguments))
            wrong = f"write def {name}({right}), not def {name}({given})"
            raise TypeError(f"{cls.__name__}: {wrong}") from None


def _kebab(name: str) -> str:
    """EpsilonGreedy -> epsilon-greedy"""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name.strip("_"))
    return words.replace("_", "-").lower()


def _family_of(cls: type[PyAgent]) -> _Family:
    """A class of another module does not take over a name, unless it asks for it by its attribute."""
    module = "__main__" if cls.__module__ == "__mp_main__" else cls.__module__  # of a spawned process
    origin = (module, cls.__qualname__)
    given = vars(cls).get("name")
    first = given if given is not None else _kebab(cls.__name__)
    if not isinstance(first, str) or not re.fullmatch(r"[a-z][a-z0-9_-]{0,35}", first):
        rule = "1 to 36 of a-z, 0-9, - and _, the first a letter"
        raise TypeError(f"{cls.__name__}: the attribute name must be {rule}")
    if given is not None and first in _native:
        raise ValueError(f"{cls.__name__}: there is an agent {first} already")
    number, name = 1, first
    while name in _native or (name in _families and given is None and _families[name].origin != origin):
        number += 1
        name = f"{first}-{number}"
    return _families.get(name) or _Family(name, origin)


def _register(cls: type[PyAgent]) -> _Version:
    """The version of a class as it is now. A new class takes over the name; one whose content has changed does not."""
    if not _is_complete(cls):
        missing = "act" if cls.act is PyAgent.act else "observe"
        raise TypeError(f"{cls.__name__} has no method {missing}")
    with _lock:
        before: _Version | None = vars(cls).get("_version")
        if before is not None and _families.get(before.family.name) is not before.family:
            before = None  # a copy from another process is not known here
        code, opaque = code_of(cls)
        if before is not None and (before.code == code or (before.opaque and opaque)):
            before.family.versions[before.code] = before  # of equal classes, the one that is asked for
            return before
        family = _family_of(cls)
        version = _Version(family, code, cls, _rows_of(cls), opaque)
        _announce(version, takes_over=before is None or family.versions[family.newest].cls is cls)
        cls._version = version  # type: ignore[attr-defined]
        return version


def refresh(specs: Iterable[str] | None = None) -> None:
    """The names of these specs, or all, mean their classes as they are now: a list that a method reads may have
    changed."""
    for name in list(_families) if specs is None else {name_of(spec) for spec in specs} & _families.keys():
        _register(_families[name].versions[_families[name].newest].cls)


def _version_of(spec: str) -> _Version | None:
    """The version that a spec means, the newest where it names no code; None for an agent of the library."""
    family = _families.get(name_of(spec))
    return None if family is None else family.versions.get(values_of(spec).get("code", family.newest))


def class_of(spec: str) -> type[PyAgent] | None:
    """The class that a spec means; None if it means none, or none that is known here."""
    version = _version_of(spec)
    return None if version is None else version.cls


def check_storable(specs: Iterable[str]) -> None:
    """Whether a store knows runs of these agents by their specs: each class is hashed, and as it was then."""
    for version in filter(None, map(_version_of, specs)):
        name = version.cls.__name__
        if version.opaque:
            raise InvalidError(
                f"the class {name} reaches {version.opaque}, whose content cannot be hashed, and a store knows "
                f"runs by the hash of all that the methods of a class read: keep it in self, or run {name} "
                "without store=..."
            )
        if _register(version.cls).code != version.code:
            raise InvalidError(
                f"the class {name} has changed since the study was made (its methods, attributes, or what they "
                "read): make the study again"
            )


def _announce(version: _Version, takes_over: bool) -> None:
    """Tells the library: the name means this version if it takes over, and all can be asked for by their codes."""
    family = version.family
    named = version if takes_over else family.versions[family.newest]
    codes = [*(code for code in family.versions if code != version.code), version.code]
    last = _Row("code", "code", _CHOICE, named.code, _BOUNDLESS, tuple(codes))
    summary = (inspect.getdoc(named.cls) or "").partition("\n")[0] if named.cls.__doc__ else ""
    _core.register_agent(
        family.name,
        summary or f"the Python class {named.cls.__qualname__}",
        [row.tuple() for row in (*named.rows, last)],
        _maker(family, named.rows),
        _hooks_of(named.cls),
    )
    family.versions.pop(version.code, None)
    family.versions[version.code] = version
    family.newest = named.code
    _families[family.name] = family


def _maker(family: _Family, rows: list[_Row]) -> Callable[[tuple[Any, ...], Shape, int, int], PyAgent]:
    """What the library calls for a new agent, with the values of the rows and the code."""

    def make(values: tuple[Any, ...], shape: Shape, seed: int, replicate: int) -> PyAgent:
        params = {row.argument: row.read(value) for row, value in zip(rows, values[:-1], strict=True)}
        return _build(family.versions[values[-1]].cls, params, shape, seed, replicate)

    return make


def _hooks_of(cls: type[PyAgent]) -> set[str]:
    hooks = {
        name for name in ("reset", "value", "policy") if getattr(cls, name) is not getattr(PyAgent, name)
    }
    if (cls.save is PyAgent.save) != (cls.load is PyAgent.load):
        raise TypeError(f"{cls.__name__} has only one of the methods save and load")
    return hooks | {"copy"} | ({"save"} if cls.save is not PyAgent.save else set())


# ---- one agent ----


def _check_names(cls: type[PyAgent], params: dict[str, Any]) -> None:
    """Whether ``__init__`` has these parameters."""
    known = [] if cls.__init__ is object.__init__ else list(inspect.signature(cls.__init__).parameters.values())
    if any(p.kind is p.VAR_KEYWORD for p in known):
        return
    names = [p.name for p in known[1:] if p.kind is not p.VAR_POSITIONAL]
    for name in params:
        if name not in names:
            raise TypeError(f"{cls.__name__} has no parameter {name}; {nearest(name, names)}")


_A = TypeVar("_A", bound=PyAgent)


def _build(cls: type[_A], params: dict[str, Any], shape: Shape, seed: int, replicate: int) -> _A:
    agent = cls.__new__(cls)
    names = (
        "n_states",
        "n_actions",
        "reward_min",
        "reward_max",
        "episodic",
        "_absent",
        "horizon",
        "seed",
        "replicate",
        "rng",
    )
    facts = (*shape[:6], shape[6] or None)
    for name, value in zip(names, (*facts, seed, replicate, _core.Random(seed, replicate)), strict=True):
        object.__setattr__(agent, name, value)
    for name, value in (("gamma", shape[7] or 0.95), ("run_steps", shape[9] or None)):
        if not hasattr(cls, name):  # the class's own meaning of the name comes first
            object.__setattr__(agent, name, value)
    agent.__init__(**params)  # type: ignore[misc]
    return agent


def _shape_of(env: Any) -> Shape:
    from farsight._problems import problem

    return _core.shape_of(problem(env).shape)
