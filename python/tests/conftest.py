"""A build without SQLite or libyaml is a proper one: tests that need them are skipped there, and only there."""

from __future__ import annotations

import signal
from collections.abc import Generator

import pytest

import farsight as fs


def lacking() -> list[str]:
    """What this build says that it was made without."""
    found = []
    for what, probe in (
        ("SQLite", lambda: fs.Store("probe", mode="memory").close()),
        ("libyaml", lambda: fs.Study.from_yaml("environments: [chain]\nagents: [q-learning]")),
        ("NLopt", lambda: fs.tune("delayed-q:m=[1..9]", "chain:n=3", method="crs", steps=1, runs=2, progress=False)),
    ):
        try:
            probe()
        except fs.AbsentError:
            found.append(what)
    return found


LACKING = lacking()


def absence(error: BaseException | None) -> fs.AbsentError | None:
    """The AbsentError behind a failure: pytest.warns and pytest.raises report another one."""
    while error is not None and not isinstance(error, fs.AbsentError):
        error = error.__cause__ or error.__context__
    return error


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    try:
        return (yield)
    except (Exception, pytest.fail.Exception) as error:
        absent = absence(error)
        if absent is None or not any(f"without {what}" in str(absent) for what in LACKING):
            raise
        pytest.skip(str(absent))


@pytest.fixture
def sqlite() -> None:
    """For tests that use a store in another process."""
    if "SQLite" in LACKING:
        pytest.skip("this build was made without SQLite")


@pytest.fixture(autouse=True, scope="session")
def ctrl_c() -> Generator[None, None, None]:
    """A background job of a script ignores Ctrl-C, and what it starts inherits that: tests that send it would wait for ever."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
