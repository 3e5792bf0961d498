"""The extension itself: its types cannot be half made, and its stub says what it has."""

from __future__ import annotations

import subprocess
import sys

import pytest

from farsight import _core

TYPES = sorted((t for t in vars(_core).values() if isinstance(t, type)), key=lambda t: t.__name__)


@pytest.mark.parametrize("kind", TYPES, ids=lambda t: t.__name__)
def test_object_cannot_make_an_instance(kind: type) -> None:
    with pytest.raises(TypeError):
        object.__new__(kind)


@pytest.mark.parametrize("kind", TYPES, ids=lambda t: t.__name__)
def test_subclass_cannot_be_empty(kind: type) -> None:
    """A subclass that skips __new__ and __init__ must not give an object without its C part."""
    if not kind.__flags__ & 1 << 10 or "__new__" in kind.__dict__:
        pytest.skip("has no subclasses, or makes whole instances itself")
    mine = type("Mine", (kind,), {"__init__": lambda self: None})
    with pytest.raises(TypeError):
        mine()


PROBE = """
from farsight import _core

def probe(value):
    for arguments in ((), (0,), (None,), ("", "")):
        try:
            value(*arguments)
        except Exception:
            pass

def probe_all(it):
    for name in dir(it):
        if name in ("__class__", "__init_subclass__", "__subclasshook__"):
            continue
        print(type(it).__name__, name, flush=True)
        try:
            probe(getattr(it, name))
        except Exception:
            pass

for kind in [t for t in vars(_core).values() if isinstance(t, type)]:
    try:
        it = kind()
    except Exception:
        continue
    probe_all(it)
print("the end")
"""


def test_instances_without_arguments_do_not_crash() -> None:
    """Where a type can be called without arguments, every attribute and method answers or raises."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", PROBE], capture_output=True, timeout=60, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[-1] == "the end", lines[-1:] + [done.stderr]
    assert len(lines) > 20  # some types can be called


def test_every_type_is_named_as_its_module() -> None:
    assert all(t.__module__ == "farsight._core" for t in TYPES)
