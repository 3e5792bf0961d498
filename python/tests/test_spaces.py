"""Numbers for the elements of Gymnasium spaces."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import farsight as fs
from farsight.spaces import DictNumbers, DiscreteNumbers, Numbers

gym = pytest.importorskip("gymnasium")
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

ENUMERATED = [
    spaces.Discrete(4),
    spaces.Discrete(3, start=-1),
    spaces.MultiDiscrete([2, 3, 2]),
    spaces.MultiDiscrete([[2, 3], [4, 2]]),
    spaces.MultiDiscrete([2, 3], start=[5, -2]),
    spaces.MultiBinary(3),
    spaces.MultiBinary([2, 2]),
    spaces.Tuple([spaces.Discrete(2), spaces.Discrete(3, start=1)]),
    spaces.Tuple([spaces.MultiBinary(2), spaces.Tuple([spaces.Discrete(3)]), spaces.MultiDiscrete([2, 2])]),
    spaces.Dict(a=spaces.Discrete(2), b=spaces.MultiDiscrete([2, 3])),
    spaces.Dict(a=spaces.Dict(c=spaces.Discrete(2)), b=spaces.Tuple([spaces.Discrete(2)])),
]


def same(one: Any, other: Any) -> bool:
    """Whether two elements are equal."""
    if isinstance(one, dict):
        return set(one) == set(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other))


def batch(space: Any, items: list[Any]) -> Any:
    """Elements as a vector environment returns them."""
    return concatenate(space, items, create_empty_array(space, len(items)))


@pytest.mark.slow
@pytest.mark.parametrize("space", ENUMERATED, ids=str)
def test_numbers_and_elements_are_one_to_one(space: Any) -> None:
    numbers = fs.space_numbers(space)
    assert isinstance(numbers, Numbers)
    items = [numbers.item(i) for i in range(numbers.n)]
    assert all(space.contains(item) for item in items)
    assert [numbers.number(item) for item in items] == list(range(numbers.n))
    assert all(isinstance(numbers.number(item), int) for item in items)
    space.seed(1)
    for _ in range(50):
        item = space.sample()
        assert 0 <= numbers.number(item) < numbers.n
        assert same(numbers.item(numbers.number(item)), item)
        assert not numbers.is_batch(item)
    assert {numbers.number(space.sample()) for _ in range(5000)} == set(range(numbers.n))


@pytest.mark.parametrize("space", ENUMERATED, ids=str)
def test_batches(space: Any) -> None:
    numbers = fs.space_numbers(space)
    space.seed(2)
    items = [space.sample() for _ in range(7)]
    many = batch(space, items)
    assert numbers.is_batch(many)
    assert numbers.numbers(many).tolist() == [numbers.number(item) for item in items]
    assert numbers.numbers(many).dtype == np.int64
    back = numbers.items(numbers.numbers(many))
    assert same(back, many)
    assert batch_space(space, 7).contains(back)


@pytest.mark.parametrize("space", ENUMERATED, ids=str)
def test_pickles(space: Any) -> None:
    numbers = fs.space_numbers(space)
    other = pickle.loads(pickle.dumps(numbers))
    assert [other.number(numbers.item(i)) for i in range(numbers.n)] == list(range(numbers.n))
    assert repr(other) == repr(numbers)


@pytest.mark.parametrize(
    ("space", "item"),
    [
        (spaces.Discrete(3), 3),
        (spaces.Discrete(3), -1),
        (spaces.Discrete(3), 0.5),
        (spaces.Discrete(3, start=1), 0),
        (spaces.MultiDiscrete([2, 3]), [1, 3]),
        (spaces.MultiDiscrete([2, 3]), [1]),
        (spaces.MultiDiscrete([2, 3]), [[1, 1]]),
        (spaces.Tuple([spaces.Discrete(2)]), (0, 0)),
        (spaces.Dict(a=spaces.Discrete(2)), {"b": 0}),
        (spaces.Dict(a=spaces.Discrete(2)), {"a": 5}),
    ],
)
def test_what_is_outside_is_an_error(space: Any, item: Any) -> None:
    with pytest.raises(ValueError, match="is not in"):
        fs.space_numbers(space).number(item)


def test_numbers_outside_are_errors() -> None:
    for space in ENUMERATED:
        numbers = fs.space_numbers(space)
        for wrong in (-1, numbers.n):
            with pytest.raises(IndexError):
                numbers.item(wrong)


def test_spaces_without_numbers_say_what_to_do() -> None:
    for space in (spaces.Box(0, 1), spaces.Text(3), spaces.Tuple([spaces.Discrete(2), spaces.Box(0, 1)])):
        with pytest.raises(ValueError, match=r"StateNumbers\(most="):
            fs.space_numbers(space)
    with pytest.raises(ValueError, match="more than 4294967294"):
        fs.space_numbers(spaces.MultiBinary(40))


def test_dictionaries_do_not_depend_on_the_order_of_keys() -> None:
    numbers = DictNumbers({"x": DiscreteNumbers(2), "y": DiscreteNumbers(3)})
    assert numbers.number({"y": 2, "x": 1}) == numbers.number({"x": 1, "y": 2}) == 5


# ---- states as they appear ----


def test_states_get_numbers_as_they_appear() -> None:
    states = fs.StateNumbers(most=10)
    things = ["a", (1, 2), 3, np.array([1.5, 2.5]), {"x": np.array([1]), "y": 2}, None, frozenset([1])]
    assert [states.number(thing) for thing in things] == list(range(7))
    assert [states.number(thing) for thing in things] == list(range(7))
    assert all(same(states.item(i), thing) or states.item(i) == thing for i, thing in enumerate(things))
    assert len(states) == 7 and "a" in states and "b" not in states and len(states) == 7
    assert states.items([0, 2]) == ["a", 3]
    with pytest.raises(IndexError, match="only 7 states"):
        states.item(7)


def test_equal_states_have_one_number() -> None:
    states = fs.StateNumbers(20)
    assert states.number(3) == states.number(np.int64(3)) == states.number(np.array(3))
    assert states.number((1, 2)) == states.number([np.int8(1), 2])
    assert states.number(np.array([0.0, 1.0])) == states.number(np.array([-0.0, 1.0]))
    assert states.number(np.arange(6)[::2]) == states.number(np.array([0, 2, 4]))
    assert states.number(np.zeros((2, 3))) != states.number(np.zeros((3, 2)))
    assert states.number({"a": 1, "b": 2}) == states.number({"b": 2, "a": 1})
    assert states.number("1") != states.number(1)


def test_an_array_that_changes_later_keeps_its_number() -> None:
    states = fs.StateNumbers(5)
    array = np.array([1, 2])
    assert states.number(array) == 0
    array[0] = 9
    assert states.number(array) == 1
    assert states.item(0).tolist() == [1, 2]


def test_the_bound_is_an_error_and_changes_nothing() -> None:
    states = fs.StateNumbers(most=2)
    states.number("a"), states.number("b")
    with pytest.raises(ValueError, match=r"number 3 of at most 2.*StateNumbers\(most="):
        states.number("c")
    assert states.number("b") == 1 and len(states) == 2
    with pytest.raises(ValueError, match="must be in 1"):
        fs.StateNumbers(0)
    with pytest.raises(TypeError, match="set cannot be numbered"):
        states.number({1, 2})


def test_states_and_their_numbers_can_be_pickled() -> None:
    states = fs.StateNumbers(5)
    states.number("a"), states.number(np.array([1, 2]))
    other = pickle.loads(pickle.dumps(states))
    assert other.number(np.array([1, 2])) == 1 and other.number("new") == 2 and len(states) == 2


# ---- any space of these kinds ----

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies as st

leaves = st.one_of(
    st.builds(lambda n, k: spaces.Discrete(n, start=k), st.integers(1, 5), st.integers(-3, 3)),
    st.builds(spaces.MultiDiscrete, st.lists(st.integers(1, 4), min_size=1, max_size=3)),
    st.builds(spaces.MultiBinary, st.integers(1, 3)),
)
nested = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(spaces.Tuple, st.lists(inner, min_size=1, max_size=2)),
        st.builds(spaces.Dict, st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=2)),
    ),
    max_leaves=4,
)


@pytest.mark.slow
@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(space=nested, seed=st.integers(0, 1000))
def test_any_element_comes_back_from_its_number(space: Any, seed: int) -> None:
    numbers = fs.space_numbers(space)
    space.seed(seed)
    items = [space.sample() for _ in range(5)]
    found = [numbers.number(item) for item in items]
    assert all(0 <= number < numbers.n for number in found)
    assert all(same(numbers.item(number), item) for number, item in zip(found, items, strict=True))
    many = batch(space, items)
    assert numbers.numbers(many).tolist() == found and same(numbers.items(found), many)
    random = fs.Random(seed)
    number = random.below(numbers.n)
    assert numbers.number(numbers.item(number)) == number and space.contains(numbers.item(number))
