"""A short hash of a class's code, so that results of an edited class are never mixed with older ones."""

from __future__ import annotations

import hashlib
import sys
import types
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

_LENGTH = 10  # hexadecimal digits: 40 bits

# What Python adds to a class by itself, and what does not change what it does.
_IGNORED = frozenset(
    """
    __annotations__ __annotate__ __annotate_func__ __annotations_cache__ __dict__ __doc__ __module__
    __qualname__ __weakref__ __firstlineno__ __static_attributes__ __slots__ __abstractmethods__
    _abc_impl __parameters__ __orig_bases__ __match_args__ __dataclass_fields__ __dataclass_params__
    __hash__ __slotnames__ name _version
    """.split()
)

_FLAGS = 0x3FF  # *args, **keywords, generators; not "from __future__ import annotations" and the like

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...))


def code_of(cls: type, root: type) -> str:
    """The hash of everything that ``cls`` and its bases below ``root`` define.

    It is computed from the compiled code, which is what runs: names, constants and instructions of every
    method, defaults, and class attributes. Comments, docstrings and annotations do not count. Another version
    of Python compiles the same source differently, and so has another hash.
    """
    digest = hashlib.sha256()
    for part in _class_parts(cls, root):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:_LENGTH]


def _class_parts(cls: type, root: type) -> Iterator[str]:
    for base in cls.__mro__:
        if base in root.__mro__ or _is_pythons(base):
            continue
        yield "class"
        for name, value in sorted(vars(base).items()):
            if name not in _IGNORED and not isinstance(value, types.MemberDescriptorType):
                yield name
                yield from _parts(value, mutable=True)


def _is_pythons(base: type) -> bool:
    """Whether Python itself has this class. Code that ``exec`` runs without a module says so, too."""
    known = base.__module__ in {"abc", "builtins", "typing"}
    return known and getattr(sys.modules[base.__module__], base.__name__, None) is base


def _parts(value: Any, mutable: bool) -> Iterator[str]:
    """Of a value: functions by their code, numbers and texts as they are, other objects by their type."""
    if isinstance(value, _PLAIN):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, types.FunctionType):
        yield from _function_parts(value)
    elif isinstance(value, types.CodeType):
        yield from _compiled_parts(value, value.co_consts)
    elif isinstance(value, (staticmethod, classmethod)):
        yield from _parts(value.__func__, mutable)
    elif isinstance(value, property):
        yield from _group("property", (value.fget, value.fset, value.fdel), mutable)
    elif isinstance(value, partial):
        yield from _group("partial", (value.func, value.args, tuple(sorted(value.keywords.items()))), mutable)
    elif isinstance(value, tuple):
        yield from _group("tuple", value, mutable)
    elif isinstance(value, frozenset) or (mutable and isinstance(value, set)):
        yield from sorted("\0".join(_parts(item, mutable)) for item in value)
    elif mutable and isinstance(value, list):
        yield from _group("list", value, mutable)
    elif mutable and isinstance(value, dict):
        yield from _group("dict", value.items(), mutable)
    elif mutable and isinstance(value, np.ndarray) and not value.dtype.hasobject:
        yield f"array {value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    elif isinstance(value, type):
        yield f"type {value.__module__}.{value.__qualname__}"
    else:
        yield f"object {type(value).__module__}.{type(value).__qualname__}"


def _group(kind: str, values: Iterable[Any], mutable: bool) -> Iterator[str]:
    yield f"({kind}"
    for value in values:
        yield from _parts(value, mutable)
    yield ")"


def _function_parts(function: types.FunctionType) -> Iterator[str]:
    compiled = function.__code__
    consts = compiled.co_consts
    if function.__doc__ is not None and consts and consts[0] == function.__doc__:
        consts = consts[1:]
        yield "docstring"  # shifts the numbers of the constants
    yield from _compiled_parts(compiled, consts)
    yield from _parts(function.__defaults__, mutable=True)
    yield from _parts(function.__kwdefaults__, mutable=True)
    for name, cell in zip(compiled.co_freevars, function.__closure__ or (), strict=True):
        if name != "__class__":
            yield from _cell_parts(name, cell)
    wrapped = getattr(function, "__wrapped__", None)
    if wrapped is not None:
        yield from _parts(wrapped, mutable=False)


def _cell_parts(name: str, cell: types.CellType) -> Iterator[str]:
    """A variable of the function around: constants count, what a program may change later does not."""
    yield name
    try:
        content = cell.cell_contents
    except ValueError:
        return  # not set yet
    if not isinstance(content, types.FunctionType):
        yield from _parts(content, mutable=False)


def _compiled_parts(compiled: types.CodeType, consts: tuple[Any, ...]) -> Iterator[str]:
    yield compiled.co_code.hex()
    yield getattr(compiled, "co_exceptiontable", b"").hex()
    yield f"{compiled.co_argcount} {compiled.co_posonlyargcount} {compiled.co_kwonlyargcount}"
    yield str(compiled.co_flags & _FLAGS)
    names = (compiled.co_names, compiled.co_varnames, compiled.co_freevars, compiled.co_cellvars)
    yield from _group("names", names, mutable=False)
    yield from _group("consts", consts, mutable=False)
