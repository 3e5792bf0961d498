"""A short hash of a class and of all that its methods reach, so that results of two classes are never mixed."""

from __future__ import annotations

import copyreg
import dis
import functools
import hashlib
import inspect
import pickle
import secrets
import sys
import types
from collections.abc import Iterable, Iterator, Set
from pathlib import PurePath
from typing import Any

import numpy as np

_LENGTH = 10  # hexadecimal digits: 40 bits

# What Python adds to a class by itself, and what does not change what it does.
_IGNORED = frozenset(
    """
    __annotations__ __annotate__ __annotate_func__ __annotations_cache__ __dict__ __doc__ __module__
    __qualname__ __weakref__ __firstlineno__ __static_attributes__ __slots__ __abstractmethods__
    _abc_impl __parameters__ __orig_bases__ __match_args__ __dataclass_fields__ __dataclass_params__
    __hash__ __slotnames__
    """.split()
)

_IGNORED_OF_AGENTS = _IGNORED | {"name", "_version"}

_FLAGS = 0x3FF  # *args, **keywords, generators; not "from __future__ import annotations" and the like

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented)})

_CONTAINERS = frozenset({tuple, list, dict, set, frozenset})

_READS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})


class _OpaqueError(Exception):
    """There is an object whose content Python does not show; the text names it."""


def code_of(cls: type) -> tuple[str, str]:
    """The hash of all that a class of agents is, and what it reaches that cannot be hashed, or "".

    The hash is computed from the compiled code, which is what runs: names, constants and instructions of every
    method, defaults, class attributes, what closures hold, and the global names that are read; functions,
    classes and objects among these likewise, by their content as it is now. What belongs to Python or to an
    installed package counts by its name, except bases that are agents. Comments, docstrings and annotations do
    not count. Another version of Python compiles the same source differently, and so has another hash.

    Where an object does not show its content (a lock, an open file), the hash is a random one.
    """
    try:
        content = _Content({})
        content.add(cls)
        return content.digest.hexdigest()[:_LENGTH], ""
    except _OpaqueError as error:
        return secrets.token_hex(_LENGTH // 2), str(error)
    except RecursionError:
        return secrets.token_hex(_LENGTH // 2), "an object that is nested too deeply"


class _Content:
    """The digest of objects. Plain values and containers count by equal content, other objects by which one it is."""

    def __init__(self, seen: dict[int, tuple[int, Any]]) -> None:
        self.digest = hashlib.sha256()
        self.seen = seen  # by id, with the objects, which stay alive meanwhile
        self.open: set[int] = set()  # containers around the present object

    def mark(self, text: str) -> None:
        self.digest.update(text.encode("utf-8", "surrogatepass") + b"\0")

    def add(self, value: Any) -> None:
        kind = type(value)
        if kind in _PLAIN:
            self.mark(f"{kind.__name__} {value!r}")
        elif kind in _CONTAINERS:
            self.add_container(value)
        elif kind is np.ndarray and not value.dtype.hasobject:
            self.mark(f"array {value.dtype.descr} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}")
        elif (name := _name_of(value)) is not None:
            self.mark(f"name {name}")
        elif id(value) in self.seen:
            self.mark(f"seen {self.seen[id(value)][0]}")
        else:
            self.seen[id(value)] = (len(self.seen), value)
            self.add_all(kind, _parts(value))

    def add_all(self, kind: type, values: Iterable[Any]) -> None:
        self.mark(f"({kind.__name__}")
        for value in values:
            self.add(value)
        self.mark(")")

    def add_container(self, value: Any) -> None:
        if id(value) in self.open:
            self.mark("itself")
            return
        self.open.add(id(value))
        if isinstance(value, (set, frozenset)):
            self.add_all(type(value), sorted(self.apart(item) for item in value))
        elif isinstance(value, dict):
            self.add_all(dict, (each for item in value.items() for each in item))
        elif all(type(item) in _PLAIN for item in value):  # quick, for long lists
            self.mark(f"{type(value).__name__} {list(value)!r}")
        else:
            self.add_all(type(value), value)
        self.open.remove(id(value))

    def apart(self, item: Any) -> str:
        """The hash of an element of a set, whatever the order in which the set gives them."""
        alone = _Content(dict(self.seen))
        alone.open = self.open
        alone.add(item)
        return alone.digest.hexdigest()


# ---- what objects are made of ----


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, type):
        return _class_parts(value)
    if isinstance(value, types.FunctionType):
        return _function_parts(value)
    if isinstance(value, types.CodeType):
        return _compiled_parts(value, value.co_consts)
    if isinstance(value, (staticmethod, classmethod)):
        return (value.__func__,)
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, functools.cached_property):
        return (value.func,)
    if isinstance(value, functools._lru_cache_wrapper):
        return (vars(value),)  # the function is there, what is remembered is not
    return _pickled_parts(value)


def _class_parts(cls: type) -> Iterator[Any]:
    yield type(cls)
    yield cls.__bases__
    ignored = _IGNORED_OF_AGENTS if _is_agent(cls) else _IGNORED
    for name, value in sorted(vars(cls).items()):
        if name not in ignored and not isinstance(value, types.MemberDescriptorType):
            yield name
            yield value


def _function_parts(function: types.FunctionType) -> Iterator[Any]:
    compiled = function.__code__
    consts = compiled.co_consts
    if function.__doc__ is not None and consts and consts[0] == function.__doc__:
        consts = ("docstring", *consts[1:])  # one of them, whatever it says
    yield from _compiled_parts(compiled, consts)
    yield from (function.__defaults__, function.__kwdefaults__, vars(function))
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield "not set yet"
    if not _is_installed(function.__globals__.get("__name__") or ""):  # else a decorator made it
        known, names = function.__globals__, _names(function.__code__)
        for name in sorted(_global_names(compiled) & known.keys()):
            yield from _named_parts(name, known[name], names, ())


def _named_parts(name: str, value: Any, names: Set[str], inside: tuple[Any, ...]) -> Iterator[Any]:
    """A global name, and of a module of the user's own those of its names that the function has."""
    yield name
    yield value
    if isinstance(value, types.ModuleType) and not _is_installed(value.__name__) and value not in inside:
        for part in sorted(names & vars(value).keys()):
            yield from _named_parts(part, vars(value)[part], names, (*inside, value))


def _compiled_parts(compiled: types.CodeType, consts: tuple[Any, ...]) -> Iterator[Any]:
    yield from (compiled.co_code, getattr(compiled, "co_exceptiontable", b""), compiled.co_flags & _FLAGS)
    yield from (compiled.co_argcount, compiled.co_posonlyargcount, compiled.co_kwonlyargcount)
    yield from (compiled.co_names, compiled.co_varnames, compiled.co_freevars, compiled.co_cellvars)
    yield consts


def _pickled_parts(value: Any) -> Iterator[Any]:
    """Any other object by what pickle would write of it."""
    try:
        reduce = copyreg.dispatch_table.get(type(value))
        parts = reduce(value) if reduce is not None else value.__reduce_ex__(4)
    except Exception as error:
        raise _OpaqueError(_described(value)) from error
    if isinstance(parts, str):  # an object that has a name, and compiled code of the user's may be another tomorrow
        module = pickle.whichmodule(value, parts)  # type: ignore[attr-defined]
        if not _is_installed(module):
            raise _OpaqueError(_described(value))
        parts = (f"{module}.{parts}",)
    return (list(part) if isinstance(part, Iterator) else part for part in parts)


def _described(value: Any) -> str:
    return f"an object of the type {type(value).__module__}.{type(value).__qualname__}"


# ---- names ----


def _is_agent(value: Any) -> bool:
    return isinstance(value, type) and hasattr(value, "__farsight_spec__")


def _name_of(value: Any) -> str | None:
    """The name of a module, or of what Python or an installed package defines; None for anything else.

    Code that ``exec`` runs without a module says that its classes are of builtins: the name must lead back.
    """
    if isinstance(value, types.ModuleType):
        return value.__name__
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not _is_installed(module):
        return None
    if _is_agent(value) and module.partition(".")[0] != "farsight":
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = inspect.getattr_static(found, part, None)
    return f"{module}.{name}" if found is value else None


def _is_installed(module: str) -> bool:
    """Whether a module belongs to Python, to this package or to an installed one."""
    top = module.partition(".")[0]
    if top == "__main__":
        return False
    if top in sys.stdlib_module_names or top in {"builtins", "farsight"}:
        return True
    found = sys.modules.get(top)
    places = [getattr(found, "__file__", None), *getattr(found, "__path__", ())]
    return any(not {"site-packages", "dist-packages"}.isdisjoint(PurePath(place).parts) for place in places if place)


def _nested(compiled: types.CodeType) -> Iterator[types.CodeType]:
    """A compiled function and those inside of it."""
    yield compiled
    for const in compiled.co_consts:
        if isinstance(const, types.CodeType):
            yield from _nested(const)


@functools.lru_cache(1000)
def _global_names(compiled: types.CodeType) -> Set[str]:
    """The global names that a function reads."""
    return {step.argval for part in _nested(compiled) for step in dis.get_instructions(part) if step.opname in _READS}


@functools.lru_cache(1000)
def _names(compiled: types.CodeType) -> Set[str]:
    """All names in a function: those of attributes, too."""
    return {name for part in _nested(compiled) for name in part.co_names}
