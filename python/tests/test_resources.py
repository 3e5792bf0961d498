"""fs.limits and fs.dependencies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import farsight as fs


@pytest.fixture(autouse=True)
def no_limits_afterwards() -> Iterator[None]:
    yield
    fs.limits(memory=0, states=0)


def test_states() -> None:
    assert fs.limits() == fs.Limits(0, 0)
    assert fs.limits(states=99) == fs.limits() == fs.Limits(0, 99)
    with pytest.raises(fs.InvalidError, match=r"a model of 100 states: the limit is 99 \(--max-states\)"):
        fs.MDP("chain:n=100")
    with pytest.raises(fs.InvalidError, match="an agent of 100 states"):
        fs.Agent("r-max", n_states=100, n_actions=2, reward_range=(0, 1))
    with pytest.raises(fs.InvalidError, match="the limit is 99"):
        fs.run("chain:n=100", "r-max", steps=10, runs=1)
    assert fs.MDP("chain:n=99").n_states == 99


def test_memory() -> None:
    """In the library, which the laboratory shares: of one process there is one limit."""
    assert fs.limits(memory="100G", states=5) == fs.Limits(100 << 30, 5)
    assert fs.limits(memory=1 << 20, states=0) == fs.Limits(1 << 20, 0)
    with pytest.raises(fs.OutOfMemoryError, match=r"needs about \d+ bytes .* of the limit of 0.00105 GB \(--max-memory\)"):
        fs.MDP("chain:n=100000")
    with pytest.raises(MemoryError, match="a batch of 1e\\+07 results needs about"):
        fs.run("chain", "r-max", steps=1, runs=10_000_000)
    fs.limits(memory=0)
    assert fs.MDP("chain:n=100000").n_states == 100000


def test_wrong() -> None:
    for size in "", "4GB", "x", "-1M":
        with pytest.raises(fs.InvalidError, match="must be a size in bytes, as in 512M or 4G"):
            fs.limits(memory=size)
    for wrong in -1, 1 << 64:
        with pytest.raises((ValueError, OverflowError)):
            fs.limits(memory=wrong)
    assert fs.limits() == fs.Limits(0, 0)


def test_dependencies() -> None:
    listed = {d.name: d for d in fs.dependencies()}
    assert {"SQLite", "libyaml", "NLopt", "numpy", "gymnasium"} <= set(listed)
    assert listed["numpy"].running == np.__version__ and "BSD" in listed["numpy"].licence
    assert all(d.use for d in listed.values())
    assert all(bool(d.built) == bool(d.running) for name, d in listed.items() if name[0].isupper() or name == "libyaml")


def test_limits_of_numpy() -> None:
    assert fs.limits(memory=np.int64(2**40), states=np.uint8(9)) == fs.Limits(2**40, 9)
    assert all(type(limit) is int for limit in fs.limits())
