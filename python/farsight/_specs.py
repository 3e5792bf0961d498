"""Specs: a name and parameters as text, as in "delayed-q:m=5"."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from farsight import _core
from farsight._errors import InvalidError

if TYPE_CHECKING:
    from farsight.catalog import Catalog


def text(value: object, key: str = "value") -> str:
    """A parameter's value as a spec has it, without loss; a list of texts is the rows of a map.

    >>> text(0.1), text(3), text(True), text("lowest"), text(["SF", "FG"])
    ('0.1', '3', 'on', 'lowest', 'SF/FG')
    """
    if isinstance(value, (list, tuple)) and all(isinstance(row, str) for row in value):
        value = "/".join(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (int, float)):
        return repr(value)
    if not isinstance(value, str):
        raise TypeError(f"{key} is {value!r}: must be a number, a bool or a str")
    if "," in value:
        raise ValueError(f"{key} is {value!r}: must not contain a comma")
    return value


def argument(name: str) -> str:
    """The name of a parameter or type as Python can write it.

    >>> argument("lambda"), argument("delayed-q")
    ('lambda_', 'delayed_q')
    """
    plain = name.replace("-", "_")
    return plain + "_" if keyword.iskeyword(plain) else plain


def parameter(argument: str) -> str:
    """The name of the parameter that a keyword argument stands for: without an underscore at its end."""
    return argument.rstrip("_")


def with_parameters(spec: str, parameters: dict[str, Any]) -> str:
    """The spec with parameters added, or in place of those that it gives; None leaves one alone.

    >>> with_parameters("delayed-q:m=5", {"m": 7, "gamma": 0.9})
    'delayed-q:m=7,gamma=0.9'
    """
    if spec == "file" and parameters.get("path") is not None:  # the one that is written file:PATH
        return f"file:{os.fspath(parameters['path'])}"
    for key, value in parameters.items():
        if value is not None:
            _refuse_grid(spec, key, value)
            spec = _core.spec_with(spec, parameter(key), text(value, key))
    return spec


def _refuse_grid(spec: str, key: str, value: Any) -> None:
    """Several numbers for one parameter."""
    if not isinstance(value, (list, tuple, range, np.ndarray)) or all(isinstance(x, str) for x in value):
        return
    grid = ",".join(str(x) for x in value)
    example = f"{name_of(spec)}:{parameter(key)}=[{grid}]"
    kinds = "a number, a bool or a str"
    raise TypeError(f"{key} is {value!r}: must be {kinds}; a grid is for fs.run: '{example}'")


def find_spec(thing: Any) -> str | None:
    """The spec of a thing that has one; None if it has none, or an empty one.

    That is a spec itself, an object with ``__farsight_spec__()`` (a class of agents written in Python, which
    registers itself there, or an entry of the catalogue), or one with ``spec``: an agent, a model.
    """
    if isinstance(thing, str):
        return thing
    hook = getattr(thing, "__farsight_spec__", None)
    spec = hook() if callable(hook) else getattr(thing, "spec", None)
    return spec if isinstance(spec, str) and spec else None


def agent_spec(agent: Any, *, learned: bool = False) -> str:
    """The spec of an agent, given by anything that has one.

    >>> import farsight as fs
    >>> agent_spec(fs.agents["r-max"]), agent_spec("r-max:m=5")
    ('r-max', 'r-max:m=5')

    One that has learned is refused where nothing of that would be used, unless ``learned`` says otherwise.
    """
    _refuse_made(agent, learned)
    if isinstance(agent, str):
        from farsight.pyagent import refresh

        refuse_several(agent, "agents")
        refresh([agent])
    elif isinstance(agent, type) and find_spec(agent) is None:
        raise TypeError(f"{agent.__name__} must inherit from fs.PyAgent")
    return _needed(agent, "an agent (a spec such as 'r-max:m=5', or a class of agents)")


def _refuse_made(agent: Any, learned: bool) -> None:
    """An agent that was made already: its class would be used without its parameters, its spec alone."""
    from farsight.pyagent import PyAgent

    if isinstance(agent, PyAgent):
        name = type(agent).__name__
        names = [argument(key) for key in type(agent).parameters()]
        example = f"{name}.spec({names[0]}=...)" if names else f"{name}.spec()"
        raise TypeError(f"give the class {name}, or {example}, not an instance")
    if isinstance(agent, _core.Agent) and not learned:
        raise TypeError("give its spec: agent.spec; a study begins with agents that have learned nothing")


def refuse_several(spec: str, what: str) -> None:
    """A text such as "r-max, q-learning": a comma that no parameter follows."""
    first, *others = re.split(r",(?![^\[]*\])", spec)  # not those of a grid
    if not others or first.startswith("file:"):
        return
    from farsight import catalog

    known: Catalog = getattr(catalog, what)
    if ":" not in first or any(name_of(other).strip() in known for other in others):
        parts = [part.strip() for part in (first, *others)]
        raise InvalidError(f"{spec!r}: several {what} are a list, as in {parts!r}")


def agent_specs(agents: Any) -> list[str]:
    """The specs of an agent or of several."""
    return [agent_spec(agent) for agent in listed(agents, "agents")]


def env_specs(envs: Any) -> list[str]:
    """The specs of an environment or of several."""
    return [_needed(env, "an environment (a spec such as 'chain:n=10')") for env in listed(envs, "envs")]


def metric_specs(metrics: Any) -> list[str]:
    """The specs of a metric, of several or of none."""
    given = list(metrics) if isinstance(metrics, (list, tuple)) else listed(metrics, "metrics")
    return [_needed(metric, "a metric (a spec such as 'regret')") for metric in given]


def _needed(thing: Any, what: str) -> str:
    spec = find_spec(thing)
    if spec is None:
        raise TypeError(f"expected {what}, not {thing!r}")
    return spec


def listed(given: Any, what: str) -> list[Any]:
    """A list of what was given: one thing alone is a list of one."""
    if isinstance(given, (str, bytes, type, _core.Model)) or not isinstance(given, Iterable):
        return [given]
    if isinstance(given, Mapping):
        raise TypeError(f"{what} must be a list: only the environments and agents of a study can be given names by a dict")
    items = list(given)
    if not items:
        raise ValueError(f"{what} is empty: at least one is needed")
    return items


def named(name: Any, spec: str) -> str:
    """A spec with the name that a dict gives it, as a study takes it.

    >>> named("fast", "r-max:m=5")
    'fast=r-max:m=5'
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of {spec!r} must be a str, not {name!r}")
    if not name or set(name) & set(":="):
        raise ValueError(f"the name of {spec!r} is {name!r}: must not be empty, nor have ':' or '='")
    return spec if name == spec else f"{name}={spec}"


def name_of(spec: str) -> str:
    """What stands before the colon."""
    return spec.partition(":")[0]


def values_of(spec: str) -> dict[str, str]:
    """The parameters that a spec gives, as text.

    >>> values_of("delayed-q:m=5,ties=lowest")
    {'m': '5', 'ties': 'lowest'}
    """
    rest = spec.partition(":")[2]
    pairs = (pair.partition("=") for pair in rest.split(",") if "=" in pair)
    return {key.strip(): value.strip() for key, _, value in pairs}
