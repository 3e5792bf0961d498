"""Numbers for the elements of Gymnasium spaces: what agents call states and actions.

Discrete, MultiDiscrete and MultiBinary spaces, and Tuple and Dict spaces of these, are enumerated
(`space_numbers`). For anything else `StateNumbers` gives numbers to states in the order in which they appear.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from farsight._errors import missing
from farsight._typing import IntArray

_MOST = 2**32 - 2  # numbers of states and actions have 32 bits


@runtime_checkable
class Numbers(Protocol):
    """What maps elements of a space to the numbers 0 ... n-1.

    Write one of your own to give an agent states of your choice, such as tiles of a Box space.
    """

    @property
    def n(self) -> int:
        """How many numbers there are."""

    def number(self, item: Any, /) -> int:
        """The number of an element."""

    def numbers(self, batch: Any, /) -> IntArray:
        """The numbers of a batch, as a vector environment returns it."""

    def item(self, number: int, /) -> Any:
        """The element that has a number."""

    def items(self, numbers: Any, /) -> Any:
        """The elements of many numbers as a batch, as a vector environment takes it."""

    def is_batch(self, item: Any, /) -> bool:
        """Whether this is a batch of elements and not one element."""


def _outside(item: Any, what: str) -> ValueError:
    return ValueError(f"{item!r} is not in {what}")


class DiscreteNumbers:
    """The elements start ... start+n-1 of a Discrete space.

    >>> DiscreteNumbers(3, start=-1).number(-1)
    0
    """

    def __init__(self, n: int, start: int = 0) -> None:
        self.n = int(n)
        self.start = int(start)

    def __repr__(self) -> str:
        return f"DiscreteNumbers({self.n}, start={self.start})"

    def number(self, item: Any, /) -> int:
        """The number of an element."""
        number = int(item) - self.start
        if not 0 <= number < self.n or number != item - self.start:
            raise _outside(item, repr(self))
        return number

    def numbers(self, batch: Any, /) -> IntArray:
        """The numbers of an array of elements."""
        numbers = np.asarray(batch).astype(np.int64, casting="same_kind") - self.start
        if numbers.size and (numbers.min() < 0 or numbers.max() >= self.n):
            raise _outside(batch, repr(self))
        return numbers

    def item(self, number: int, /) -> int:
        """The element that has a number."""
        if not 0 <= number < self.n:
            raise IndexError(f"number {number} must be in 0 ... {self.n - 1}")
        return int(number) + self.start

    def items(self, numbers: Any, /) -> IntArray:
        """The elements of many numbers."""
        return np.asarray(numbers, dtype=np.int64) + self.start

    def is_batch(self, item: Any, /) -> bool:
        """Whether this is an array of elements."""
        return np.ndim(item) > 0


class ArrayNumbers:
    """The elements of a MultiDiscrete or MultiBinary space: arrays, the last entry counting fastest.

    >>> a = ArrayNumbers([2, 3])
    >>> a.n, a.number([1, 2]), a.item(5)
    (6, 5, array([1, 2]))
    """

    def __init__(self, counts: Any, start: Any = 0, dtype: Any = np.int64) -> None:
        self.counts: IntArray = np.asarray(counts, dtype=np.int64)
        self.start: IntArray = np.broadcast_to(np.asarray(start, dtype=np.int64), self.counts.shape).copy()
        self.dtype = np.dtype(dtype)
        self.n = _product(self.counts.ravel().tolist(), self)
        below = [math.prod(self.counts.ravel().tolist()[i + 1 :]) for i in range(self.counts.size)]
        self._weights: IntArray = np.array(below, dtype=np.int64).reshape(self.counts.shape)

    def __repr__(self) -> str:
        return f"ArrayNumbers({self.counts.tolist()})"

    def number(self, item: Any, /) -> int:
        """The number of an element."""
        digits = np.asarray(item)
        if digits.shape != self.counts.shape:
            raise _outside(item, repr(self))
        return int(self.numbers(digits[None])[0])

    def numbers(self, batch: Any, /) -> IntArray:
        """The numbers of a batch: its first axis goes over the elements."""
        digits = np.asarray(batch).astype(np.int64, casting="same_kind") - self.start
        if digits.shape[1:] != self.counts.shape or (digits < 0).any() or (digits >= self.counts).any():
            raise _outside(batch, repr(self))
        return np.asarray((digits * self._weights).reshape(len(digits), -1).sum(axis=1))

    def item(self, number: int, /) -> npt.NDArray[Any]:
        """The element that has a number."""
        if not 0 <= number < self.n:
            raise IndexError(f"number {number} must be in 0 ... {self.n - 1}")
        return np.asarray(self.items([number])[0])

    def items(self, numbers: Any, /) -> npt.NDArray[Any]:
        """The elements of many numbers."""
        rest = np.asarray(numbers, dtype=np.int64).reshape(-1, *[1] * self.counts.ndim)
        return (rest // self._weights % self.counts + self.start).astype(self.dtype)

    def is_batch(self, item: Any, /) -> bool:
        """Whether this has one axis more than an element."""
        return np.ndim(item) > self.counts.ndim


class TupleNumbers:
    """The elements of a Tuple space: tuples, the last entry counting fastest.

    >>> t = TupleNumbers([DiscreteNumbers(2), DiscreteNumbers(3)])
    >>> t.n, t.number((1, 2)), t.item(5)
    (6, 5, (1, 2))
    """

    def __init__(self, parts: Sequence[Numbers]) -> None:
        self.parts = tuple(parts)
        self.n = _product([part.n for part in self.parts], self)

    def __repr__(self) -> str:
        return f"TupleNumbers({list(self.parts)})"

    def number(self, item: Any, /) -> int:
        """The number of an element."""
        if len(item) != len(self.parts):
            raise _outside(item, repr(self))
        number = 0
        for part, value in zip(self.parts, item, strict=True):
            number = number * part.n + part.number(value)
        return number

    def numbers(self, batch: Any, /) -> IntArray:
        """The numbers of a batch: a tuple of batches."""
        if len(batch) != len(self.parts):
            raise _outside(batch, repr(self))
        total: Any = 0
        for part, values in zip(self.parts, batch, strict=True):
            total = total * part.n + part.numbers(values)
        return np.asarray(total, dtype=np.int64)

    def _digits(self, number: Any) -> list[Any]:
        digits = []
        for part in reversed(self.parts):
            digits.append(number % part.n)
            number = number // part.n
        return digits[::-1]

    def item(self, number: int, /) -> Any:
        """The element that has a number."""
        if not 0 <= number < self.n:
            raise IndexError(f"number {number} must be in 0 ... {self.n - 1}")
        return tuple(part.item(d) for part, d in zip(self.parts, self._digits(int(number)), strict=True))

    def items(self, numbers: Any, /) -> Any:
        """The elements of many numbers as a batch: a tuple of batches."""
        digits = self._digits(np.asarray(numbers, dtype=np.int64))
        return tuple(part.items(d) for part, d in zip(self.parts, digits, strict=True))

    def is_batch(self, item: Any, /) -> bool:
        """Whether this is a tuple of batches."""
        return bool(self.parts) and self.parts[0].is_batch(item[0])


class DictNumbers:
    """The elements of a Dict space: dictionaries, the last key counting fastest.

    >>> d = DictNumbers({"x": DiscreteNumbers(2), "y": DiscreteNumbers(3)})
    >>> d.number({"y": 2, "x": 1}), d.item(5)
    (5, {'x': 1, 'y': 2})
    """

    def __init__(self, parts: Mapping[str, Numbers]) -> None:
        self.keys = tuple(parts)
        self._tuple = TupleNumbers([parts[key] for key in self.keys])
        self.n = self._tuple.n

    def __repr__(self) -> str:
        return f"DictNumbers({dict(zip(self.keys, self._tuple.parts, strict=True))})"

    def _values(self, item: Any) -> tuple[Any, ...]:
        if set(item) != set(self.keys):
            raise _outside(item, repr(self))
        return tuple(item[key] for key in self.keys)

    def number(self, item: Any, /) -> int:
        """The number of an element."""
        return self._tuple.number(self._values(item))

    def numbers(self, batch: Any, /) -> IntArray:
        """The numbers of a batch: a dictionary of batches."""
        return self._tuple.numbers(self._values(batch))

    def item(self, number: int, /) -> dict[str, Any]:
        """The element that has a number."""
        return dict(zip(self.keys, self._tuple.item(number), strict=True))

    def items(self, numbers: Any, /) -> dict[str, Any]:
        """The elements of many numbers as a batch: a dictionary of batches."""
        return dict(zip(self.keys, self._tuple.items(numbers), strict=True))

    def is_batch(self, item: Any, /) -> bool:
        """Whether this is a dictionary of batches."""
        return self._tuple.is_batch(self._values(item))


def _product(counts: Sequence[int], of: object) -> int:
    n = math.prod(counts)
    if n <= _MOST:
        return n
    raise ValueError(
        f"{of.__class__.__name__}: the space has {n:.3g} elements, more than {_MOST}: "
        "number those that appear by fs.StateNumbers(most=...)"
    )


class StateNumbers:
    """Numbers for states in the order in which they appear, up to a bound.

    States can be anything that can be hashed, arrays, and tuples, lists and dictionaries of these. A state
    beyond the bound is an error: agents reserve memory for `most` states when they are created.

    >>> import farsight as fs
    >>> states = fs.StateNumbers(most=100)
    >>> states.number("start"), states.number("door"), states.number("start")
    (0, 1, 0)
    >>> states.item(1), len(states)
    ('door', 2)
    """

    def __init__(self, most: int = 1000) -> None:
        if not 1 <= most <= _MOST:
            raise ValueError(f"most is {most}: must be in 1 ... {_MOST}")
        self.n = int(most)
        self._numbers: dict[Hashable, int] = {}
        self._items: list[Any] = []

    def __repr__(self) -> str:
        return f"StateNumbers(most={self.n}), {len(self)} used"

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: Any) -> bool:
        return _key(item) in self._numbers

    def number(self, item: Any, /) -> int:
        """The number of a state; a new one if it appears for the first time."""
        key = _key(item)
        number = self._numbers.get(key)
        if number is not None:
            return number
        if len(self._items) == self.n:
            raise ValueError(
                f"state {item!r} would be number {self.n + 1} of at most {self.n}: "
                "create the agent with states=fs.StateNumbers(most=...) for more"
            )
        self._items.append(item.copy() if isinstance(item, np.ndarray) else item)
        self._numbers[key] = len(self._items) - 1
        return len(self._items) - 1

    def numbers(self, batch: Any, /) -> IntArray:
        """The numbers of the states in a sequence."""
        return np.array([self.number(item) for item in batch], dtype=np.int64)

    def item(self, number: int, /) -> Any:
        """The state that has a number."""
        if not 0 <= number < len(self._items):
            raise IndexError(f"number {number}: only {len(self._items)} states have appeared")
        return self._items[number]

    def items(self, numbers: Any, /) -> list[Any]:
        """The states of many numbers."""
        return [self.item(int(number)) for number in numbers]

    def is_batch(self, item: Any, /) -> bool:
        """Whether this has one axis more than the first state that appeared."""
        return bool(self._items) and np.ndim(item) > np.ndim(self._items[0])


def _key(item: Any) -> Hashable:
    """What distinguishes a state; the same for Python's numbers and NumPy's."""
    if isinstance(item, np.generic):
        item = item.item()
    if isinstance(item, np.ndarray):
        if item.ndim == 0:
            return _key(item[()])
        if item.dtype == object:
            return _key(item.tolist())
        plain = np.ascontiguousarray(item + 0.0 if item.dtype.kind == "f" else item)  # -0.0 is 0.0
        return (plain.shape, plain.dtype.str, plain.tobytes())
    if isinstance(item, Mapping):
        return ("dict", *((key, _key(item[key])) for key in sorted(item)))
    if isinstance(item, (list, tuple)):
        return ("tuple", *(_key(value) for value in item))
    try:
        hash(item)
    except TypeError:
        raise TypeError(f"a state of type {type(item).__name__} cannot be numbered: it has no hash") from None
    return item  # type: ignore[no-any-return]


def space_numbers(space: Any) -> Numbers:
    """Numbers for the elements of a Gymnasium space.

    Discrete, MultiDiscrete and MultiBinary spaces, and Tuple and Dict spaces of these; others are a
    ValueError.

    >>> import farsight as fs, gymnasium as gym
    >>> parts = [gym.spaces.Discrete(3, start=1), gym.spaces.MultiBinary(2)]
    >>> numbers = fs.space_numbers(gym.spaces.Tuple(parts))
    >>> numbers.n, numbers.number((3, [0, 1]))
    (12, 9)
    """
    try:
        from gymnasium import spaces
    except ImportError:
        raise missing("Gymnasium", "gymnasium") from None

    if isinstance(space, spaces.Discrete):
        return DiscreteNumbers(int(space.n), int(space.start))
    if isinstance(space, spaces.MultiDiscrete):
        return ArrayNumbers(space.nvec, space.start, space.dtype)
    if isinstance(space, spaces.MultiBinary):
        return ArrayNumbers(np.full(space.shape, 2), 0, space.dtype)
    if isinstance(space, spaces.Tuple):
        return TupleNumbers([space_numbers(part) for part in space.spaces])
    if isinstance(space, spaces.Dict):
        return DictNumbers({key: space_numbers(part) for key, part in space.spaces.items()})
    raise ValueError(
        f"the elements of {space} cannot be enumerated: number states as they appear by "
        "states=fs.StateNumbers(most=...), or map them to a Discrete space by a wrapper"
    )
