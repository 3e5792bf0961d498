"""Odd arguments for every public function, class and method: an exception that says what is wrong, never a crash.

The calls are drawn from a fixed seed. Arguments are right by their names now and then, so that a call gets past the
first check. What would compute for long is stopped by a signal, as Ctrl-C would.
"""

from __future__ import annotations

import inspect
import signal
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import farsight as fs

#: What a wrong argument may lead to. SystemError, NameError or AssertionError would be a fault of ours.
FINE = (
    fs.FarsightError, TypeError, ValueError, OverflowError, LookupError, AttributeError, OSError, MemoryError, ImportError, NotImplementedError,
    gymnasium.error.Error,
)  # fmt: skip

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2, 3, 2**31, 2**32, 2**63, 2**64, -(2**63), 10**30, 0.5, -0.0, 1e308, 5e-324, float("nan"), float("inf"), 1j,
    "", "chain", "chain:n=3", "chain:n=-1", "q-learning", "q-learning:q0=nan", "total", "auto", "\0", "a\0b", "\ud800", "é", "%s%n", "x" * 5000,
    "nowhere/at/all",
    b"", b"chain", bytearray(b"x"), memoryview(b"abc"), (), [], {}, set(), [None], ["chain:n=3"], [[]], [1, "a"], {"n": 3}, {1: 2}, {"": None},
    (1, 2, 3), range(3), slice(1), object(), object, len, lambda *_: None, iter([1]), Ellipsis, NotImplemented, Path("x"),
    np.empty(0), np.zeros(3), np.zeros((2, 2)), np.arange(6).reshape(2, 3)[:, ::2], np.full(3, np.nan), np.array("a"),
    np.array([None, 1], dtype=object), np.zeros(3, dtype=np.uint8), np.zeros(2, dtype=complex), np.zeros(2, dtype=[("a", "i4")]), np.float32(1),
    np.int8(-1), np.bool_(True), np.datetime64("2020-01-01"), np.broadcast_to(np.zeros(1), (3,)), np.zeros(3, dtype=">f8"),
]  # fmt: skip

#: What is right for a parameter of this name.
RIGHT: dict[str, Any] = {
    "env": "chain:n=3", "envs": ["chain:n=3"], "environment": "chain:n=3", "m": "chain:n=3", "model": "chain:n=3", "spec": "chain:n=3",
    "agent": "q-learning", "agents": ["q-learning", "r-max"], "steps": 20, "runs": 2, "seed": 1, "threads": 1, "progress": False, "gamma": 0.9,
    "n_states": 3, "n_actions": 2, "horizon": 3, "budget": 1000, "evaluate": 2, "profile": 2, "eps": 0.3, "delta": 0.1,
    "S": 3, "A": 2, "s": 1, "a": 0, "state": 1, "action": 0, "path": "file",
    "name": "total", "kind": "learning", "source": {"a": [1.0, 2.0]}, "sizes": [3, 4], "mode": "memory",
}  # fmt: skip

LONG_ENOUGH = 1.0  # seconds of one call, of which nothing is judged


class LongCall(Exception):
    """It computes, and would go on."""


def stop(*_: object) -> None:
    raise LongCall


@pytest.fixture(autouse=True)
def limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None, None, None]:
    """Files are written to a folder of the test's own; a long call ends."""
    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def parameters(function: Callable[..., Any]) -> list[str]:
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in known if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "self"]


def drawn(data: st.DataObject, function: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by position, which may be too many, or by name; at least one is odd."""
    odd = st.sampled_from(ODD)
    names = parameters(function)
    if not names or data.draw(st.integers(0, 3)) == 0:
        return data.draw(st.lists(odd, min_size=1, max_size=4)), {}
    given_ = {name: RIGHT[name] for name in names if name in RIGHT and data.draw(st.integers(0, 4)) > 0}
    given_[data.draw(st.sampled_from(names))] = data.draw(odd)
    return [], given_


def attempt(function: Callable[..., Any], arguments: list[Any], named: dict[str, Any]) -> None:
    signal.setitimer(signal.ITIMER_REAL, LONG_ENOUGH, 0.2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = function(*arguments, **named)
            if not inspect.isclass(made):
                repr(made)
    except (LongCall, fs.StoppedError, fs.Interrupted, *FINE) as error:
        str(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


PUBLIC = {
    name: thing
    for name, thing in ((name, getattr(fs, name)) for name in fs.__all__)
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, BaseException))
}
PUBLIC |= {
    f"{module}.{name}": thing
    for module in ("pac", "plot", "stats")
    for name, thing in vars(getattr(fs, module)).items()
    if not name.startswith("_") and inspect.isfunction(thing)
}

MADE: dict[str, tuple[type, Callable[[], Any]]] = {
    "MDP": (fs.MDP, lambda: fs.MDP("chain:n=3")),
    "Agent": (fs.Agent, lambda: fs.Agent("q-learning", env="chain:n=3")),
    "Agent of a horizon": (fs.Agent, lambda: fs.Agent("ucbvi", env=fs.MDP("chain", n=3, horizon=4))),
    "Builder": (fs.Builder, lambda: fs.Builder(2, 1)),
    "Random": (fs.Random, lambda: fs.Random(1)),
    "Solution": (fs.Solution, lambda: fs.solve("chain:n=3", 0.9)),
    "Store": (fs.Store, lambda: fs.Store("s", mode="memory")),
    "Study": (fs.Study, lambda: fs.Study(envs="chain:n=3", agents="q-learning", steps=5, runs=2)),
    "Results": (fs.Results, lambda: fs.run("chain:n=3", ["q-learning", "random"], steps=5, runs=2, progress=False)),
}

SPECIAL = ("__getitem__", "__call__", "__eq__", "__setstate__")


def methods(kind: type) -> list[str]:
    return [name for name in dir(kind) if (not name.startswith("_") or name in SPECIAL) and callable(getattr(kind, name))]


CALLS = [(made, name) for made, (kind, _) in MADE.items() for name in methods(kind)]
EXAMPLES = settings(max_examples=20, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_functions_and_classes(name: str) -> None:
    @EXAMPLES
    @given(st.data())
    def calls(data: st.DataObject) -> None:
        attempt(PUBLIC[name], *drawn(data, PUBLIC[name]))

    calls()


@pytest.mark.parametrize(("made", "name"), CALLS)
def test_methods(made: str, name: str) -> None:
    @EXAMPLES
    @given(st.data())
    def calls(data: st.DataObject) -> None:
        method = getattr(MADE[made][1](), name)
        attempt(method, *drawn(data, method))

    calls()
