"""Agents written in Python: the same runs as the library's own, names, codes, and every way to misbehave."""

from __future__ import annotations

import _thread
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import farsight as fs
from farsight import _core
from python_agents import PAIRS, PlainQ, same_as

THREADS = [1, 2, 4]
pytestmark = pytest.mark.filterwarnings("ignore::farsight.StudyWarning")


def totals(env: str, *agents: str, steps: int = 400, runs: int = 6, threads: int = 2, seed: int = 1) -> Any:
    """The totals of agents in one batch, by agent."""
    r = fs.run(env, agents, steps=steps, runs=runs, threads=threads, seed=seed, progress=False)
    return [r.totals(0, j) for j in range(len(agents))]


def canonical(agent: str, env: str, steps: int = 400) -> str:
    """The parameters that an agent has in a run of so many steps."""
    shape = (*_core.shape_of(_core.Model.from_spec(env))[:9], steps)
    return str(_core.resolve_agent(agent, shape))


# ---- the same as the library's own ----


@pytest.mark.slow
@pytest.mark.parametrize("cls,native", PAIRS, ids=[native for _, native in PAIRS])
@pytest.mark.parametrize("env", ["riverswim", "chain:n=10", "frozen-lake", "taxi"])
def test_same_totals_as_native(cls: type[fs.PyAgent], native: str, env: str) -> None:
    ours = same_as(cls, canonical(native, env, 1000))
    runs = [totals(env, native, ours, steps=1000, threads=threads) for threads in THREADS]
    for theirs, mine in runs:
        assert np.array_equal(theirs, mine)
        assert np.array_equal(theirs, runs[0][0])
    assert len(set(runs[0][0])) > 1  # the runs differ: something was compared


class Wrapped(fs.PyAgent):
    """An agent of the library behind the methods of a Python agent."""

    def __init__(self, inner: str = "random") -> None:
        self.inner = fs.Agent(
            inner,
            n_states=self.n_states,
            n_actions=self.n_actions,
            reward_range=(self.reward_min, self.reward_max),
            episodic=self.episodic,
            absent=~self.live,
            seed=self.seed,
            replicate=self.replicate,
        )
        self.inner._expect(self.run_steps or 0)

    def act(self, s: int) -> int:
        return self.inner.act(s)

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        self.inner.observe(s, a, r, next, terminated, truncated)

    def policy(self, s: int) -> Any:
        return self.inner.policy[s]


NATIVE = [  # not those of other tests; nor optimal, which peeks; nor those whose policies are of each step
    name
    for name, entry in fs.agents.items()
    if "code" not in entry.parameters and name != "optimal" and not entry.facts["finite_horizon"]
]


@pytest.mark.parametrize("name", NATIVE)
def test_wrapped_equals_native(name: str) -> None:
    for env in ("riverswim", "frozen-lake"):
        theirs, mine = totals(env, name, f"wrapped:inner={name}", steps=150, runs=3)
        assert np.array_equal(theirs, mine), env


@settings(max_examples=25, deadline=None)
@given(
    family=st.sampled_from(["garnet", "dirichlet"]),
    n=st.integers(1, 8),
    actions=st.integers(1, 4),
    model_seed=st.integers(0, 1000),
    seed=st.integers(0, 2**64 - 1),
    pair=st.sampled_from(PAIRS),
    gamma=st.floats(0.1, 0.98),
    ties=st.sampled_from(["random", "lowest", "highest"]),
    threads=st.sampled_from(THREADS),
)
def test_random_models(
    family: str,
    n: int,
    actions: int,
    model_seed: int,
    seed: int,
    pair: tuple[type[fs.PyAgent], str],
    gamma: float,
    ties: str,
    threads: int,
) -> None:
    env = f"{family}:states={n},actions={actions},seed={model_seed}" + (
        f",branching={min(n, 3)}" * (family == "garnet")
    )
    cls, native = pair
    theirs = canonical(f"{native}:gamma={gamma!r},ties={ties}", env)
    first, second = totals(env, theirs, same_as(cls, theirs), steps=200, runs=3, threads=threads, seed=seed)
    assert np.array_equal(first, second)


def test_values_policy_and_copies() -> None:
    ours, native = fs.Agent(PlainQ, env="riverswim"), fs.Agent("q-learning:gamma=0.95,alpha=0.1", env="riverswim")
    for agent in (ours, native):
        for _ in range(500):
            agent.observe(0, agent.act(0), 0.5, 0)
    assert np.array_equal(ours.q, native.q)
    assert np.allclose(ours.policy, native.policy)
    twin = ours.copy()
    assert [twin.act(0) for _ in range(50)] == [ours.act(0) for _ in range(50)]
    twin.observe(0, 0, 1.0, 0)
    assert not np.array_equal(twin.q, ours.q)
    with pytest.raises(AttributeError, match="bonus"):
        _ = ours.bonus


def test_alone_and_in_training() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("FrozenLake-v1")
    mine = PlainQ.on(env, alpha=0.2, seed=5)
    native = fs.Agent("q-learning", env=env, gamma=0.95, alpha=0.2, seed=5)
    first = fs.train(mine, env, steps=500, seed=1)
    second = fs.train(native, env, steps=500, seed=1)
    assert np.array_equal(first.rewards, second.rewards)
    assert np.array_equal(np.array(mine.q), native.q)
    assert mine.n_states == 16 and mine.live.sum() < 16
    with pytest.raises(AttributeError, match=r"PlainQ\.on"):
        PlainQ()


# ---- names, parameters, codes ----


def define(source: str, **names: Any) -> Any:
    """The class Mine of a source, as the cell of a notebook would define it."""
    scope = {"fs": fs, "np": np, "Annotated": Annotated, "Literal": Literal, "__name__": "notebook", **names}
    exec(textwrap.dedent(source), scope)
    return scope["Mine"]


BODY = """
    def act(self, s): return {action}
    def observe(self, s, a, r, next, terminated, truncated): pass
"""


def mine(action: Any = 0, head: str = "", name: str = "Mine", base: str = "fs.PyAgent", **names: Any) -> Any:
    source = f"class {name}({base}):\n    {head or 'pass'}{BODY.format(action=action)}\nMine = {name}"
    return define(source, **names)


def label(agent: Any, env: str = "chain:n=3") -> str:
    return canonical(agent if isinstance(agent, str) else agent.spec(), env)


def test_name_and_parameters() -> None:
    cls = define(
        """
        class TwoWordsAB(fs.PyAgent):
            def __init__(self, alpha: Annotated[float, fs.Bounds(0, 1, low_open=True)] = 0.5, k: int = 3,
                         loud: bool = False, mode: Literal["slow", "fast"] = "slow",
                         text: str = "x", rate: float = 1,
                         lambda_: float = 0.25):
                self.got = (alpha, k, loud, mode, text, rate, lambda_)
                assert (alpha, k, loud, mode, text, rate, lambda_) == EXPECTED, self.got
                assert [type(x) for x in self.got] == [float, int, bool, str, str, float, float]
            def act(self, s): return 0
            def observe(self, s, a, r, next, terminated, truncated): pass
        Mine = TwoWordsAB
        """,
        EXPECTED=(0.125, 7, True, "fast", "hello", 2.0, 0.5),
    )
    spec = "two-words-ab:alpha=0.125,k=7,loud=on,mode=fast,text=hello,rate=2,lambda=0.5"
    totals("chain:n=3", spec, steps=1, runs=1)
    assert canonical(spec, "chain:n=3") == f"{spec},code={cls._version.code}"
    assert cls.spec(alpha=0.125, loud=True) == "two-words-ab:alpha=0.125,loud=on"
    assert cls.spec(k=[1, 2]) == "two-words-ab:k=[1,2]"
    with pytest.raises(AssertionError, match="0.5, 3, False"):
        totals("chain:n=3", "two-words-ab", steps=1)
    for wrong, why in [
        ("alpha=0", r"alpha must be a number in \(0, 1\]"),
        ("k=1.5", "k must be a whole number"),
        ("loud=yes", "loud must be one of off, on"),
        ("mode=fats", "mode must be one of slow, fast"),
        ("beta=1", "beta"),
        ("code=123", "code must be one of"),
    ]:
        with pytest.raises((ValueError, KeyError), match=why):
            totals("chain:n=3", f"two-words-ab:{wrong}")
    with pytest.raises(TypeError, match="no parameter beta"):
        cls.spec(beta=1)


@pytest.mark.parametrize(
    "head,why",
    [
        ("def __init__(self, x): pass", "x of Mine needs a default.*write x: float = 1.0, say"),
        ("def __init__(self, x=1, /): pass", "needs a default, and a name"),
        ("def __init__(self, x=None): pass", "must be a float"),
        ("def __init__(self, Alpha=1): pass", "1 to 40 of a-z"),
        ("def __init__(self, code=1): pass", "not 'code'"),
        ("def __init__(self, x=1, x_=1): pass", "differ only by an underscore"),
        ("def __init__(self, m: Literal['a', 'b'] = 'c'): pass", "must be one of a, b"),
        ("def __init__(self, m: Literal['a b'] = 'a b'): pass", "letters, digits"),
        ("def __init__(self, m: 'Literal[no_such]' = 'a'): pass", "cannot read"),
        ("def __init__(self, x: Annotated[float, fs.Bounds(2, 3)] = 1.0): pass", "default of x is wrong"),
        ("def __init__(self, x: float = float('nan')): pass", "default of x is wrong"),
        ("name = 'Not a name'", "the attribute name"),
        ("name = 'r-max'", "there is an agent r-max already"),
        ("def save(self): pass", "only one of the methods"),
    ],
)
def test_definitions_refused(head: str, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        mine(head=head)


def test_incomplete_classes_have_no_name() -> None:
    cls = define("class Mine(fs.PyAgent):\n  def act(self, s): return 0")
    with pytest.raises(TypeError, match="no method observe"):
        cls.spec()


def test_edited_class_takes_over() -> None:
    first = mine(0)
    assert label("mine") == f"mine:code={first._version.code}"
    low = totals("chain:n=3", "mine")[0]
    second = mine(1)
    assert first._version.code != second._version.code
    assert label("mine") == f"mine:code={second._version.code}"
    high = totals("chain:n=3", "mine")[0]
    assert not np.array_equal(low, high)
    assert second.spec() == "mine" and first.spec() == f"mine:code={first._version.code}"
    old, new = totals("chain:n=3", first.spec(), second.spec())  # both in one batch
    assert np.array_equal(old, low) and np.array_equal(new, high)
    third = mine(0)  # back to the first text
    assert third._version.code == first._version.code and label("mine") == label(third)
    more = mine(0, head="def __init__(self, alpha: float = 0.5): pass")  # another table of parameters
    assert label("mine:alpha=0.25") == f"mine:alpha=0.25,code={more._version.code}"
    assert [name for name in _names() if name.startswith("mine")].count("mine") == 1


def _names() -> list[str]:
    import json

    return [row["name"] for row in json.loads(_core.types("agents"))]


def test_old_class_keeps_its_defaults() -> None:
    head = "def __init__(self, x: float = {}): self.x = x\n    def value(self, kind, s, a): return self.x"
    old = mine(head=head.format(1.0))
    mine(head=head.format(2.0))
    assert fs.Agent(old, env="chain:n=3").q[0, 0] == 1.0
    assert fs.Agent("mine", env="chain:n=3").q[0, 0] == 2.0


def code(*args: Any, **named: Any) -> str:
    return str(mine(*args, **named)._version.code)


def test_code_tells_versions_apart() -> None:
    same = code(0)
    assert code(0) == same and len(same) == 10
    assert code("0  # a remark\n") == same
    assert code(0, head='"""A docstring."""') == same
    different = {
        same,
        code(1),
        code(0.0),
        code("False"),
        code("len(str(s))"),
        code("abs(s)"),
        code(0, head="version = '2'"),
        code(0, head="version = '3'"),
        code(0, head="TABLE = [1, 2]"),
        code(0, head="TABLE = [1, 3]"),
        code(0, head="TABLE = np.arange(3)"),
        code(0, head="TABLE = np.arange(4)"),
        code(0, head="def helper(self): return 1"),
        code(0, head="def helper(self): return 2"),
        code(0, head="def helper(self): return (lambda: 2)()"),
        code(0, head="def helper(self): return (lambda: 3)()"),
        code(0, head="@staticmethod\n    def helper(): return 2"),
        code(0, head="def __init__(self, x=1.0): pass"),
        code(0, head="def __init__(self, x=2.0): pass"),
        code(0, head="def helper(self): return s in {1, 2, 3}"),
        code(0, head="def helper(self): return s in {1, 2, 4}"),
    }
    assert len(different) == 21


def test_code_covers_bases_and_closures() -> None:
    def base(k: int) -> type:
        class Base(fs.PyAgent, abstract=True):
            def helper(self) -> int:
                return k

        return Base

    codes = {code(0, base="Base", Base=base(k)) for k in (1, 2, 2)}
    assert len(codes) == 2


@pytest.mark.slow
def test_code_is_the_same_in_another_process() -> None:
    body = BODY.format(action="s in {3, 1, 2}")
    program = f"import farsight as fs\nclass Mine(fs.PyAgent):{body}\nprint(Mine._version.code)"
    out = {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in "12"
    }
    assert out == {mine("s in {3, 1, 2}")._version.code + "\n"}


def test_code_does_not_change_by_copies() -> None:
    cls = mine(0)  # copying and pickling write __slotnames__ into the class
    before = cls._version.code
    cls.on("chain:n=3").copy()
    cls.spec()
    assert "__slotnames__" in vars(cls) and cls._version.code == before


@pytest.mark.slow
def test_class_sent_to_another_process() -> None:
    """As joblib, Dask and Ray do it: by value. The class is registered there, under the same code."""
    cloudpickle = pytest.importorskip("cloudpickle")  # Gymnasium needs it
    scope: dict[str, Any] = {"fs": fs, "__name__": "__main__"}
    exec(f"class Sent(fs.PyAgent):{BODY.format(action=1)}", scope)
    cls = scope["Sent"]
    program = """
import pickle, sys, farsight as fs
cls = pickle.load(sys.stdin.buffer)
print(cls.spec(), cls._version.code, *fs.run("chain:n=3", cls, steps=20, runs=3, progress=False).totals())
"""
    sent = subprocess.run([sys.executable, "-c", program], input=cloudpickle.dumps(cls), capture_output=True)
    here = fs.run("chain:n=3", cls, steps=20, runs=3, progress=False).totals()
    shown = ["sent", cls._version.code, *(str(x) for x in here)]
    assert sent.stdout.decode().split() == shown, sent.stderr.decode()


def test_main_of_a_spawned_process_is_main() -> None:
    scopes: list[dict[str, Any]] = [{"fs": fs, "__name__": name} for name in ("__mp_main__", "__main__")]
    for scope in scopes:
        exec(f"class Spawned(fs.PyAgent):{BODY.format(action=1)}", scope)
    assert [scope["Spawned"].spec() for scope in scopes] == ["spawned", "spawned"]


def test_other_classes_do_not_take_over_a_name() -> None:
    first = mine(0, name="Twin")
    scope: dict[str, Any] = {"fs": fs, "__name__": "another"}
    exec(f"class Twin(fs.PyAgent):{BODY.format(action=1)}", scope)
    assert first.spec() == "twin" and scope["Twin"].spec() == "twin-2"
    assert mine(0, name="RMax").spec() == "r-max-2"
    assert len(totals("chain:n=3", first.spec(), scope["Twin"].spec(), "r-max")) == 3


def test_many_definitions() -> None:
    for i in range(300):
        cls = mine(i)
    assert label("mine") == label(cls)


# ---- exceptions ----


class Trouble(Exception):
    """Of a user."""


HOOKS = {
    "__init__": "def __init__(self): self.n = 0; (_ for _ in ()).throw(Trouble('boom'))",
    "act": "def act(self, s): raise Trouble('boom')",
    "observe": "def observe(self, s, a, r, next, terminated, truncated): raise Trouble('boom')",
    "reset": "def reset(self): raise Trouble('boom')",
}


def troubled(hook: str) -> Any:
    cls = mine(head="")  # a fresh name each time is not needed: the code differs
    source = f"class Mine(Base):\n    {HOOKS[hook]}"
    return define(source, Base=cls, Trouble=Trouble)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("hook", HOOKS)
def test_exceptions_come_out(hook: str, threads: int) -> None:
    spec = troubled(hook).spec()
    with pytest.raises(Trouble) as caught:
        totals("chain:n=3", spec, "r-max", threads=threads)
    assert str(caught.value) == "boom"
    if sys.version_info >= (3, 11):
        (note,) = caught.value.__notes__
        assert spec.partition(":")[0] in note and "Python exception" not in note
        assert hook == "__init__" or "of replicate" in note
    assert caught.traceback[-1].name in (hook, "<genexpr>")
    assert len(totals("chain:n=3", "r-max")[0]) == 6  # and the library goes on


@pytest.mark.parametrize("hook", ["value", "policy", "copy", "save", "load"])
def test_exceptions_of_optional_methods(hook: str) -> None:
    head = {
        "value": "def value(self, kind, s, a): raise Trouble('boom')",
        "policy": "def policy(self, s): raise Trouble('boom')",
        "copy": "def copy(self): raise Trouble('boom')",
        "save": "def save(self): raise Trouble('boom')\n    def load(self, data): pass",
        "load": "def save(self): return b'x'\n    def load(self, data): raise Trouble('boom')",
    }[hook]
    agent = fs.Agent(mine(head=head, Trouble=Trouble), env="chain:n=3")
    with pytest.raises(Trouble, match="boom"):
        if hook == "value":
            try:
                agent.values("q")
            finally:
                agent.act(0)
        elif hook == "policy":
            try:
                _ = agent.policy
            finally:
                agent.act(0)
        elif hook == "copy":
            agent.copy()
        else:
            fs.Agent.load_bytes(agent.save_bytes())


@pytest.mark.parametrize(
    "value,kind,why",
    [
        ("None", TypeError, "what act returned must be a whole number, not <class 'NoneType'>"),
        ("1.0", TypeError, "not <class 'float'>"),
        ("'1'", TypeError, "not <class 'str'>"),
        ("np.array([0, 1])", TypeError, "must be a whole number"),
        ("-1", IndexError, r"what act returned is -1: must be in 0 \.\.\. 1"),
        ("2", IndexError, "is 2: must be"),
        ("10**30", IndexError, "is 1000000000000000000000000000000: must be"),
        ("2**64", IndexError, "must be in 0"),
    ],
)
def test_wrong_actions(value: str, kind: type[Exception], why: str) -> None:
    with pytest.raises(kind, match=why):
        totals("chain:n=3", mine(value).spec())


@pytest.mark.parametrize("value", ["True", "np.int64(1)", "np.uint8(0)", "np.array(1)"])
def test_actions_of_other_types(value: str) -> None:
    totals("chain:n=3", mine(value).spec())


@pytest.mark.parametrize(
    "head,why",
    [
        ("def policy(self, s): return [0.5, 0.6]", "not a distribution"),
        ("def policy(self, s): return [0.5]", "has 1 numbers: must have 2"),
        ("def policy(self, s): return None", "Cannot cast"),
        ("def policy(self, s): return ['a', 'b']", "Cannot cast"),
        ("def value(self, kind, s, a): return float('nan')", "is not finite"),
        ("def value(self, kind, s, a): return 'x'", "what value returned must be a number"),
        ("def save(self): return 'text'\n    def load(self, data): pass", "must be bytes"),
    ],
)
def test_wrong_values(head: str, why: str) -> None:
    agent = fs.Agent(mine(head=head), env="chain:n=3")
    with pytest.raises((TypeError, ValueError), match=why):
        if "policy" in head:
            _ = agent._policy()
        elif "value" in head:
            agent._values("q")
        elif "save" in head:
            agent.save_bytes()
        agent.act(0)


def test_saved_and_loaded() -> None:
    head = """count = 0
    def save(self): return bytes([self.count, 7])
    def load(self, data):
        if len(data) != 2 or data[1] != 7: raise ValueError("not ours")
        self.count = data[0]
    def value(self, kind, s, a): return self.count if kind == "samples" else None"""
    cls = define("class Mine(Base):\n    def observe(self, *step): self.count += 1", Base=mine(head=head))
    agent = fs.Agent(cls, env="chain:n=3")
    for _ in range(5):
        agent.observe(0, 0, 0.0, 0)
    assert fs.Agent.load_bytes(agent.save_bytes()).values("samples")[0, 0] == 5
    with pytest.raises(ValueError, match="cannot be saved"):
        fs.Agent(mine(), env="chain:n=3").save_bytes()  # nothing is pickled by default


def test_keyboard_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt):
        totals("chain:n=3", mine("(_ for _ in ()).throw(KeyboardInterrupt())").spec())


# ---- threads, nesting, life ----


def test_calls_the_library_inside() -> None:
    def inner() -> int:
        return (
            len(fs.run("chain:n=3", "q-learning", steps=20, runs=2, threads=2, progress=False).totals()) - 2
        )

    spec = mine("inner()", inner=inner).spec()
    assert len(totals("chain:n=3", spec, steps=5)[0]) == 6


def test_several_batches_at_once() -> None:
    results: list[Any] = []
    spec = same_as(PlainQ, canonical("q-learning", "riverswim"))
    threads = [
        threading.Thread(target=lambda: results.append(totals("riverswim", spec)[0])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(np.array_equal(r, results[0]) for r in results)


def test_threads_keep_their_locals() -> None:
    local = threading.local()
    names = set()

    def count() -> int:
        local.n = getattr(local, "n", 0) + 1
        names.add(threading.get_ident())
        return 0 if local.n < 500 else 1

    (total,) = totals("chain:n=3", mine("count()", count=count).spec(), steps=600, runs=1, threads=1)
    (never,) = totals("chain:n=3", mine(0).spec(), steps=600, runs=1)
    assert total[0] != never[0]  # the 500th call was in the same thread


def test_agents_are_freed() -> None:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    head = "def __init__(self): alive.add(self)"
    spec = mine(head=head, alive=alive).spec()
    totals("chain:n=3", spec, steps=3, runs=50)
    for _ in range(2000):
        fs.Agent(spec, env="chain:n=3").act(0)
    with pytest.raises(TypeError):
        totals("chain:n=3", mine("None", head=head, alive=alive).spec())
    gc.collect()
    assert len(alive) == 0


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
@pytest.mark.skipif("FARSIGHT_SANITIZED" in os.environ, reason="the sanitizer keeps freed memory")
def test_runs_leave_no_memory() -> None:
    """A thread state that is not freed is 4 kB."""

    def grown(times: int) -> int:
        for _ in range(times):
            totals("chain:n=3", spec, steps=3, runs=4)
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4

    spec = mine(0).spec()
    before = grown(50)
    assert grown(150) - before < 600


SHUTDOWN = """
import threading, time, sys
import farsight as fs

class Slow(fs.PyAgent):
    def act(self, s):
        started.set()
        {pause}
        return 0
    def observe(self, *step): pass

started = threading.Event()
run = lambda: fs.run("chain", "slow", steps=10**9, runs=8, threads=3, progress=False)
threading.Thread(target=run, daemon=True).start()
assert started.wait(120)
print("over", flush=True)
"""


@pytest.mark.parametrize("pause", ["pass", "time.sleep(0.01)", "time.sleep(1000)"])
def test_interpreter_shuts_down_during_a_run(pause: str) -> None:
    program = SHUTDOWN.replace("{pause}", pause)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "over\n"), done.stderr
    assert "Fatal" not in done.stderr


def test_redefined_during_a_run() -> None:
    """A run that has begun ends with the class with which it began."""
    done: list[Any] = []

    def redefine() -> int:
        if not done:
            done.append(mine("3 // 0"))
        return 0

    spec = mine("redefine()", redefine=redefine).spec()
    r = fs.run("chain:n=[3,4]", spec, steps=5, runs=2, threads=1, progress=False)
    assert done and len({r.cells("numpy", parameters="all")["agent.code"][i] for i in (0, 1)}) == 1
    with pytest.raises(ZeroDivisionError):
        totals("chain:n=3", "mine")


# ---- in studies ----


def test_beside_the_others_in_a_study() -> None:
    spec = "plain-q:alpha=[0.1,0.2]"
    r = fs.run(
        ["riverswim", "chain:n=5"],
        [spec, "q-learning:gamma=0.95,alpha=0.1"],
        steps=500,
        runs=5,
        metrics=["mistakes"],
        progress=False,
    )
    assert r.agents == ["plain-q:alpha=0.1", "plain-q:alpha=0.2", "q-learning:gamma=0.95,alpha=0.1"]
    for env in r.envs:
        assert np.array_equal(r.totals(env, 0), r.totals(env, "q-learning:gamma=0.95,alpha=0.1"))
        assert np.array_equal(r.metric("mistakes", env, 0), r.metric("mistakes", env, "q-learning:gamma=0.95,alpha=0.1"))
        assert not np.array_equal(r.totals(env, 1), r.totals(env, 0))
    assert fs.run("chain:n=3", [PlainQ, "q-learning"], steps=10, runs=2, progress=False).agents == [
        "plain-q",
        "q-learning",
    ]
    study = fs.Study.from_yaml(
        "environments: [chain]\nagents: ['plain-q:alpha=[0.1,0.3]']\nsteps: 20\nruns: 2"
    )
    assert study.run(progress=False).agents == ["plain-q:alpha=0.1", "plain-q:alpha=0.3"]


def test_exceptions_come_out_of_studies() -> None:
    with pytest.raises(Trouble, match="boom"):
        fs.run("chain:n=3", [troubled("observe"), "q-learning"], steps=10, runs=2, progress=False)
    with pytest.raises(KeyboardInterrupt):
        cls = mine("(_ for _ in ()).throw(KeyboardInterrupt())")
        fs.run("chain:n=3", cls, steps=10, runs=2, progress=False)


def test_resumes_through_a_store(tmp_path: Any) -> None:
    log = tmp_path / "log"  # a list would be part of the class, and change with every run

    def count() -> int:
        with log.open("a") as file:
            file.write("1")
        return 0

    def made() -> int:
        return len(log.read_text())

    def run(runs: int, action: str = "count()") -> Any:
        return fs.run(
            "chain:n=3",
            mine(action, count=count),
            steps=1,
            runs=runs,
            store=tmp_path / "r.db",
            progress=False,
        )

    first = run(4).totals(0, 0)
    assert made() == 4
    again = run(6).totals(0, 0)  # the class is defined again, as it was
    assert made() == 6 and np.array_equal(first, again[:4])
    run(6)
    assert made() == 6
    run(6, "count() + 0")  # edited: nothing is reused
    assert made() == 12


def test_a_failure_keeps_what_is_finished(tmp_path: Any) -> None:
    log, forgiving = tmp_path / "log", tmp_path / "forgiving"

    def count(replicate: int) -> int:
        with log.open("a") as file:
            file.write(str(replicate))
        if replicate == 5 and not forgiving.exists():
            raise Trouble("boom")
        return 0

    def run() -> Any:
        cls = mine("count(self.replicate)", count=count)
        return fs.run("chain:n=3", cls, steps=1, runs=8, store=tmp_path / "r.db", progress=False, threads=1)

    with pytest.raises(Trouble):
        run()
    before = set(log.read_text()) - {"5"}
    forgiving.touch()
    assert len(run().totals(0, 0)) == 8
    made = log.read_text()
    assert before and len(made) == len(set(made)) + 1  # replicate 5 twice, all others once


def test_results_of_an_earlier_class_can_be_compared() -> None:
    r = fs.run(["chain:n=3", "riverswim"], [mine(0), "random"], steps=50, runs=5, progress=False)
    mine(1, head="def __init__(self, alpha: float = 0.5): pass")
    assert "mine" in str(r.compare(baseline="mine"))
    assert "mine" in str(r.compare(baseline="random"))


@pytest.mark.parametrize("action", ["0", "time.sleep(0.01) or 0"])
def test_ctrl_c_stops_a_run(action: str) -> None:
    """The first step sends it; there would be 10^9 of them."""
    first = threading.Lock()

    def send() -> None:
        if first.acquire(blocking=False):
            _thread.interrupt_main()

    with pytest.raises(fs.Interrupted) as caught:
        fs.run("chain:n=3", mine(f"send() or {action}", time=time, send=send), steps=10**9, runs=4, threads=2, progress=False)
    assert str(caught.value) == "stopped before any run was finished"


# ---- agents that were made already ----


class Constant(fs.PyAgent):
    def __init__(self, choice: int = 0) -> None:
        self.choice = choice

    def act(self, s: int) -> int:
        return self.choice

    def observe(self, s: int, a: int, r: float, next: int, terminated: bool, truncated: bool) -> None:
        pass


@pytest.mark.parametrize("made", [lambda: Constant(choice=1), lambda: Constant.on("chain", choice=1)])
@pytest.mark.parametrize(
    "use",
    [
        lambda agent: fs.run("chain", agent, steps=10, runs=2, progress=False),
        lambda agent: fs.run("chain", ["r-max", agent], steps=10, runs=2, progress=False),
        lambda agent: fs.Study("chain", agent),
        lambda agent: fs.Agent(agent, env="chain"),
        lambda agent: fs.audit("chain", agent, steps=10, runs=2),
        lambda agent: fs.run("chain", Constant, steps=10, runs=2, progress=False).totals(0, agent),
    ],
)
def test_instances_are_no_specs(made: Any, use: Any) -> None:
    """Their parameters would be lost."""
    words = r"give the class Constant, or Constant\.spec\(choice=\.\.\.\), not an instance"
    with pytest.raises(TypeError, match=words):
        use(made())


def test_agents_that_learned_are_no_part_of_a_study() -> None:
    agent = fs.Agent("r-max:m=3", env="chain")
    for use in (
        lambda: fs.run("chain", agent, steps=10, runs=2, progress=False),
        lambda: fs.Study("chain", [agent]),
        lambda: fs.Agent(agent, env="chain"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match=r"give its spec: agent\.spec; .* have learned nothing"):
            use()
    r = fs.run("chain", ["q-learning", agent.spec], steps=10, runs=2, progress=False)
    assert np.array_equal(r.totals("chain", agent), r.totals("chain", 1))  # but it can name its cell


# ---- signatures ----

RIGHT = r"write def observe\(self, s, a, r, next, terminated, truncated\), not def "


@pytest.mark.parametrize(
    "method,why",
    [
        ("def observe(self, s, a, r, next): pass", RIGHT + r"observe\(self, s, a, r, next\)"),
        ("def observe(self, s: int, a, r, next, done, info, more): pass", RIGHT + "observe"),
        ("def observe(self, *, s, a, r, next, terminated, truncated): pass", RIGHT + "observe"),
        ("def act(self): return 0", r"write def act\(self, s\), not def act\(self\)"),
        ("def act(self, s, q): return 0", r"write def act\(self, s\), not def act\(self, s, q\)"),
        ("def act(s): return 0", r"write def act\(self, s\), not def act\(s\)"),
    ],
)
def test_wrong_signatures_are_refused(method: str, why: str) -> None:
    """When the class is defined, also if it is not complete."""
    with pytest.raises(TypeError, match=why):
        define(f"class Mine(fs.PyAgent):\n  {method}")


@pytest.mark.parametrize(
    "method",
    ["def observe(self, *step): pass", "def observe(self, s, a, r, n, x, y, z=1): pass", "observe = print"],
)
def test_other_signatures_are_as_good(method: str) -> None:
    define(f"class Mine(fs.PyAgent):\n  def act(self, s, greedy=True): return 0\n  {method}")
    assert totals("chain:n=3", "mine", steps=3, runs=1)[0].shape == (1,)


def test_parameters_are_suggested() -> None:
    for make in (lambda: Constant.on("chain", choise=1), lambda: Constant.spec(choise=1)):
        with pytest.raises(TypeError, match=r"Constant has no parameter choise; did you mean 'choice'\?"):
            make()
    with pytest.raises(TypeError, match="no parameter zeta; there are none"):
        define("class Mine(fs.PyAgent):\n  def act(self, s): return 0").on("chain", zeta=1)
    open_ = define("class Mine(fs.PyAgent):\n  def __init__(self, **rest): self.rest = rest")
    assert open_.on("chain", zeta=1).rest == {"zeta": 1}


def test_shown_with_its_problem() -> None:
    agent = Constant.on("chain:n=4", seed=3, replicate=2)
    assert repr(agent) == "<Constant (4 states, 2 actions, seed 3, replicate 2)>"
    assert repr(Constant()) == "<Constant, made without a problem>"


# ---- which class runs ----


def fixed(table: Any) -> Any:
    """A class from a factory: all have the same text."""

    class Fixed(fs.PyAgent):
        def act(self, s: int) -> int:
            return int(table[s])

        def observe(self, *step: Any) -> None:
            pass

    return Fixed


def earned(agents: Any, **more: Any) -> Any:
    return fs.run("chain:n=6", agents, steps=60, runs=2, progress=False, **more)


def test_classes_of_a_factory_run_themselves() -> None:
    left, right = fixed([0] * 6), fixed([1] * 6)
    low, high = earned(left).totals().tolist(), earned(right).totals().tolist()
    assert low != high and earned(left).totals().tolist() == low
    both = earned([left, right])
    assert both.totals(agent=left).tolist() == low and both.totals(agent=right).tolist() == high


def test_of_equal_classes_the_one_that_was_passed_runs() -> None:
    def counting() -> Any:
        class Counting(fs.PyAgent):
            made: list[int] = []

            def __init__(self) -> None:
                type(self).made = [*self.made, 1]

            def act(self, s: int) -> int:
                return 0

            def observe(self, *step: Any) -> None:
                pass

        return Counting

    first, second = counting(), counting()
    earned(first)
    assert first.made and not second.made


class Table:
    def __init__(self, rows: list[int]) -> None:
        self.rows = rows

    def __getitem__(self, s: int) -> int:
        return self.rows[s]


SAME_AND_OTHER = {
    "list": lambda k: fixed([k] * 6),
    "array": lambda k: fixed(np.full(6, k)),
    "array of objects": lambda k: fixed(np.array([k] * 6, dtype=object)),
    "nested": lambda k: fixed(dict.fromkeys(range(6), k)),
    "object": lambda k: fixed(Table([k] * 6)),
    "subclass of a list": lambda k: fixed(type("Rows", (list,), {})([k] * 6)),
    "lambda": lambda k: fixed(type("F", (), {"__getitem__": lambda self, s: k})()),
    "default": lambda k: mine("self.of()", head=f"def of(self, x=({k},)): return x[0]"),
    "global": lambda k: mine("TABLE[s]", TABLE=[k] * 6),
    "global function": lambda k: mine("helper(s)", helper=lambda s: k),
    "global in a nested function": lambda k: mine("(lambda: TABLE[s])()", TABLE=[k] * 6),
    "partial": lambda k: mine("helper(s)", helper=partial(max, k)),
    "bound method": lambda k: mine("helper(s)", helper=Table([k] * 6).__getitem__),
    "method of C": lambda k: mine("helper(s)", helper=[k].count),
    "generator of NumPy": lambda k: mine("rng.integers(2)", rng=np.random.default_rng(k)),
    "class": lambda k: mine("Helper.x", Helper=type("Helper", (), {"x": k, "np": np, "of": np.sin})),
    "set of texts": lambda k: mine("int('a' in WORDS)", WORDS={"a", "b", f"c{k}"}),
    "itself": lambda k: mine("len(LOOP)", LOOP=_loop(k)),
    "cache": lambda k: mine("helper(s)", helper=lru_cache(lambda s: k)),
    "attribute of a function": lambda k: mine("helper.of", helper=_with(lambda: 0, of=k)),
    "wrapping object": lambda k: mine("helper.k", helper=_with(Table([]), __wrapped__=len, k=k)),
    "attribute called name": lambda k: mine("len(Helper.name)", Helper=type("Helper", (), {"name": "a" * k})),
    "module of one's own": lambda k: mine("own.k", own=_with(ModuleType("own"), k=k)),
    "module in a module": lambda k: mine("own.own2.k", own=_with(ModuleType("own"), own2=_with(ModuleType("own2"), k=k))),
}


def _with(thing: Any, **attributes: Any) -> Any:
    vars(thing).update(attributes)
    return thing


def _loop(k: int) -> list[Any]:
    loop: list[Any] = [k]
    loop.append(loop)
    return loop


@pytest.mark.parametrize("what", SAME_AND_OTHER)
def test_code_covers_what_methods_reach(what: str) -> None:
    make = SAME_AND_OTHER[what]
    assert make(0)._version.code == make(0)._version.code
    assert make(0)._version.code != make(1)._version.code


def test_code_follows_mutable_contents(tmp_path: Path) -> None:
    table = [0] * 6
    cls = fixed(table)
    path = tmp_path / "r.db"
    low = earned(cls, store=path)
    table[:] = [1] * 6
    high = earned(cls, store=path)
    by_name = earned(cls.spec(), store=path)
    assert low.computed == high.computed == 2 and by_name.computed == 0
    assert low.totals().tolist() != high.totals().tolist() == by_name.totals().tolist()
    table[:] = [0] * 6
    again = earned(cls.spec(), store=path)
    assert again.computed == 0 and again.totals().tolist() == low.totals().tolist()


def test_changed_classes_of_one_name_stay_apart() -> None:
    tables = [0] * 6, [0] * 6
    left, right = map(fixed, tables)
    tables[0][:], tables[1][:] = [1] * 6, [0, 1] * 3
    both = earned([left, right])
    assert both.totals(0, 0).tolist() == earned(fixed([1] * 6)).totals().tolist()
    assert both.totals(0, 1).tolist() == earned(fixed([0, 1] * 3)).totals().tolist()


def test_study_of_a_class_that_has_changed_since(tmp_path: Path) -> None:
    table = [0] * 6
    study = fs.Study("chain:n=6", fixed(table), steps=20, runs=2)
    study.run(store=tmp_path / "r.db", progress=False)
    table[0] = 1
    with pytest.raises(fs.InvalidError, match="the class Fixed has changed since the study was made"):
        study.run(store=tmp_path / "r.db", progress=False)


class Opaque:
    def __init__(self, k: int) -> None:
        self.k, self.lock = k, threading.Lock()

    def __getitem__(self, s: int) -> int:
        return self.k


def test_what_cannot_be_hashed_runs_itself() -> None:
    left, right = fixed(Opaque(0)), fixed(Opaque(1))
    both = earned([left, right])
    for cls, table in ((left, [0] * 6), (right, [1] * 6)):
        assert both.totals(agent=cls).tolist() == earned(cls).totals().tolist() == earned(fixed(table)).totals().tolist()


def test_what_cannot_be_hashed_is_not_stored(tmp_path: Path) -> None:
    cls, path = fixed(Opaque(0)), tmp_path / "r.db"
    calls: dict[str, Any] = {
        "run": lambda: earned(cls, store=path),
        "growth": lambda: fs.growth("chain", [cls], [3, 4], runs=2, store=path),
        "tune": lambda: fs.tune([cls], "chain:n=3", steps=20, runs=2, store=path),
        "benchmark": lambda: fs.benchmark(cls, tuning=True, runs=2, store=path),
    }
    for call in calls.values():
        with pytest.raises(fs.InvalidError, match="Fixed reaches an object of the type _thread.lock, whose content"):
            call()
    assert not path.exists()
