"""A short hash of a class and of all that its methods reach, so that results of two classes are never mixed."""

from __future__ import annotations

import copyreg
import dis
import hashlib
import inspect
import pickle
import secrets
import sys
import types
from collections.abc import Iterable, Iterator, Set
from functools import cached_property, lru_cache, partial
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
    __hash__ __slotnames__ name _version
    """.split()
)

_FLAGS = 0x3FF  # *args, **keywords, generators; not "from __future__ import annotations" and the like

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented)})

_READS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})


class _OpaqueError(Exception):
    """There is an object whose content Python does not show."""


def code_of(cls: type, root: type) -> tuple[str, bool]:
    """The hash of all that ``cls`` and its bases below ``root`` are, and whether it is complete.

    It is computed from the compiled code, which is what runs: names, constants and instructions of every
    method, defaults, class attributes, what closures hold, and the global names that are read; functions,
    classes and objects among these likewise, by their content as it is now. What belongs to Python or to an
    installed package counts by its name. Comments, docstrings and annotations do not count. Another version
    of Python compiles the same source differently, and so has another hash.

    A hash is not complete where an object does not show its content (a lock, an open file): it is then a
    random one, another with every call, and no result is ever found by it.
    """
    try:
        content = _Content(root)
        content.add_class(cls)
        return content.digest.hexdigest()[:_LENGTH], True
    except (_OpaqueError, RecursionError):
        return secrets.token_hex(_LENGTH // 2), False


class _Content:
    """The digest of objects. Each kind begins with a mark of its own."""

    def __init__(self, root: type, seen: dict[int, Any] | None = None) -> None:
        self.digest = hashlib.sha256()
        self.root = root
        self.seen = {} if seen is None else seen  # objects by id, which stay alive meanwhile
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
            content = hashlib.sha256(value.tobytes()).hexdigest()
            self.mark(f"array {value.dtype.descr} {value.shape} {content}")
        elif kind is types.CodeType:
            self.add_compiled(value, value.co_consts)
        elif not self.add_by_name(value) and self.is_new(value):
            self.add_object(value)

    def add_all(self, kind: str, values: Iterable[Any]) -> None:
        self.mark(f"({kind}")
        for value in values:
            self.add(value)
        self.mark(")")

    def add_container(self, value: Any) -> None:
        """By equal contents; two that are equal count as one and the same."""
        if id(value) in self.open:
            self.mark("itself")
            return
        self.open.add(id(value))
        kind = type(value).__name__
        if kind in ("set", "frozenset"):
            self.add_all(kind, sorted(self.apart(item) for item in value))
        elif kind == "dict":
            self.add_all(kind, (each for item in value.items() for each in item))
        elif all(type(item) in _PLAIN for item in value):
            self.mark(f"{kind} {list(value)!r}")
        else:
            self.add_all(kind, value)
        self.open.remove(id(value))

    def apart(self, item: Any) -> str:
        """The hash of an element of a set, whatever the order in which the set gives them."""
        alone = _Content(self.root, dict(self.seen))
        alone.open = self.open
        alone.add(item)
        return alone.digest.hexdigest()

    def is_new(self, value: Any) -> bool:
        number = len(self.seen)
        if id(value) not in self.seen:
            self.seen[id(value)] = (number, value)
            return True
        self.mark(f"seen {self.seen[id(value)][0]}")
        return False

    # ---- by name ----

    def add_by_name(self, value: Any) -> bool:
        """What Python or an installed package has under a name, and modules."""
        if isinstance(value, types.ModuleType):
            self.mark(f"module {value.__name__}")
            return True
        name = _installed_name(value)
        if name is not None:
            self.mark(f"name {name}")
        return name is not None

    # ---- functions ----

    def add_object(self, value: Any) -> None:
        if isinstance(value, types.FunctionType):
            self.add_function(value)
        elif isinstance(value, type):
            self.add_class(value)
        elif isinstance(value, (staticmethod, classmethod)):
            self.add_all(type(value).__name__, (value.__func__,))
        elif isinstance(value, property):
            self.add_all("property", (value.fget, value.fset, value.fdel))
        elif isinstance(value, cached_property):
            self.add_all("cached", (value.func,))
        elif isinstance(value, partial):
            self.add_all("partial", (value.func, value.args, value.keywords, vars(value)))
        elif isinstance(value, types.MethodType):
            self.add_all("method", (value.__func__, value.__self__))
        else:
            self.add_reduced(value)

    def add_function(self, function: types.FunctionType) -> None:
        compiled = function.__code__
        consts = compiled.co_consts
        self.mark("function")
        if function.__doc__ is not None and consts and consts[0] == function.__doc__:
            consts = consts[1:]
            self.mark("docstring")  # shifts the numbers of the constants
        self.add_compiled(compiled, consts)
        self.add(function.__defaults__)
        self.add(function.__kwdefaults__)
        for name, cell in zip(compiled.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":
                self.add_cell(name, cell)
        self.add_globals(function)
        self.add(getattr(function, "__wrapped__", None))

    def add_cell(self, name: str, cell: types.CellType) -> None:
        """A variable of the function around."""
        self.mark(name)
        try:
            content = cell.cell_contents
        except ValueError:
            return  # not set yet
        self.add(content)

    def add_globals(self, function: types.FunctionType) -> None:
        """The global names that a function reads, and of modules of the user's own what it reads of them.

        Not of a function of an installed package, as a decorator makes them.
        """
        if _is_installed(function.__globals__.get("__name__") or ""):
            return
        names = _names(function.__code__)
        known = function.__globals__
        for name in sorted(_globals(function.__code__) & known.keys()):
            self.mark(f"global {name}")
            self.add(known[name])
            if isinstance(known[name], types.ModuleType) and not _is_installed(known[name].__name__):
                for part in sorted(names & vars(known[name]).keys()):
                    self.mark(part)
                    self.add(vars(known[name])[part])

    def add_compiled(self, compiled: types.CodeType, consts: tuple[Any, ...]) -> None:
        self.mark(compiled.co_code.hex())
        self.mark(getattr(compiled, "co_exceptiontable", b"").hex())
        self.mark(f"{compiled.co_argcount} {compiled.co_posonlyargcount} {compiled.co_kwonlyargcount}")
        self.mark(str(compiled.co_flags & _FLAGS))
        for names in (compiled.co_names, compiled.co_varnames, compiled.co_freevars, compiled.co_cellvars):
            self.add(names)
        self.add_all("consts", consts)

    # ---- classes and objects ----

    def add_class(self, cls: type) -> None:
        """What the class and its bases define, below the root."""
        self.is_new(cls)
        for base in cls.__mro__:
            if base in self.root.__mro__:
                continue
            self.mark("class")
            if base is not cls and (self.add_by_name(base) or not self.is_new(base)):
                continue
            for name, value in sorted(vars(base).items()):
                if name not in _IGNORED and not isinstance(value, types.MemberDescriptorType):
                    self.mark(name)
                    self.add(value)

    def add_reduced(self, value: Any) -> None:
        """Any other object by what pickle would write of it."""
        wrapped = getattr(value, "__wrapped__", None)
        if wrapped is not None:  # a cache, say
            self.add_all(type(value).__qualname__, (wrapped,))
            return
        try:
            reduce = copyreg.dispatch_table.get(type(value))
            parts = reduce(value) if reduce is not None else value.__reduce_ex__(4)
        except Exception as error:
            raise _OpaqueError from error
        if isinstance(parts, str):
            self.mark(f"name {_compiled_name(value, parts)}")
            return
        self.add_all("object", (list(part) if isinstance(part, Iterator) else part for part in parts))


_CONTAINERS = frozenset({tuple, list, dict, set, frozenset})


def _installed_name(value: Any) -> str | None:
    """The name of what Python or an installed package defines; None for anything else.

    Code that ``exec`` runs without a module says that its classes are of builtins: the name must lead back.
    """
    if not isinstance(value, type) and not callable(value):
        return None
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not _is_installed(module):
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = inspect.getattr_static(found, part, None)
    return f"{module}.{name}" if found is value else None


def _compiled_name(value: Any, name: str) -> str:
    """The name of an object that pickle knows by its name alone."""
    module = pickle.whichmodule(value, name)  # type: ignore[attr-defined]
    if not _is_installed(module):  # compiled code that may be another tomorrow
        raise _OpaqueError
    return f"{module}.{name}"


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


@lru_cache(1000)
def _globals(compiled: types.CodeType) -> Set[str]:
    """The global names that a function reads."""
    return {
        step.argval for part in _nested(compiled) for step in dis.get_instructions(part) if step.opname in _READS
    }


@lru_cache(1000)
def _names(compiled: types.CodeType) -> Set[str]:
    """All names in a function: those of attributes, too."""
    return {name for part in _nested(compiled) for name in part.co_names}
