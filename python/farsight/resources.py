"""What this process may use, and which packages and libraries of others it uses."""

from __future__ import annotations

from importlib import metadata
from typing import NamedTuple

from farsight import _core
from farsight._licences import licence_of

_PACKAGES = {
    "numpy": "arrays",
    "gymnasium": "environments of others",
    "pandas": "frames",
    "polars": "frames",
    "scipy": "sparse models",
    "tqdm": "progress in notebooks",
}


class Limits(NamedTuple):
    """What this process may use; 0 is no limit."""

    memory: int
    """Bytes of memory, all together."""
    states: int
    """States of a model, and of what an agent is made for."""


def limits(*, memory: int | str | None = None, states: int | None = None) -> Limits:
    """Sets limits for all that is made from now on in this process, and returns those that hold.

    `memory` is in bytes, or a text such as `"512M"` or `"4G"`; 0 takes a limit away, and what is not given stays.
    A model, an agent or a file that needs more raises `fs.OutOfMemoryError` before anything is allocated, one
    with more states `fs.InvalidError`; nothing that is read from a file can raise the limits. What Python
    itself takes is counted, and not limited.

    >>> import farsight as fs
    >>> fs.limits(states=1000)
    Limits(memory=0, states=1000)
    >>> fs.MDP("chain:n=2000")
    Traceback (most recent call last):
    farsight._errors.InvalidError: a model of 2000 states: the limit is 1000 (--max-states)
    >>> fs.limits(states=0)
    Limits(memory=0, states=0)
    """
    now = Limits(*_core.limits())
    if isinstance(memory, str):
        memory = _core.size_of(memory)
    wanted = Limits(now.memory if memory is None else memory, now.states if states is None else states)
    if min(wanted) < 0:
        raise ValueError("a limit is at least 0, which is none")
    _core.set_limits(*wanted)
    return Limits(*_core.limits())


class Dependency(NamedTuple):
    """A package or library of others."""

    name: str
    built: str
    """The version that Farsight was built with; "" if it was built without it, or for a Python package."""
    running: str
    """The version that is there now; "" if there is none."""
    licence: str
    use: str
    """What it is for."""


def dependencies() -> list[Dependency]:
    """The C libraries that this build uses, or was made without, then the Python packages that it can use.

    The licence of a Python package is what its metadata say. The command says the same of itself: `farsight list
    dependencies`.

    >>> import farsight as fs
    >>> [d.name for d in fs.dependencies()][:3]
    ['GNU C library', 'SQLite', 'libyaml']
    """
    return [Dependency(*row) for row in _core.dependencies()] + [_package(*row) for row in _PACKAGES.items()]


def _package(name: str, use: str) -> Dependency:
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return Dependency(name, "", "", "", use)
    return Dependency(name, "", found.version, licence_of(found.metadata), use)
