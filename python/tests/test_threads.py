"""Two threads on one object: an answer or RuntimeError, never a crash; separate objects do not disturb each other.

With the interpreter lock most calls cannot meet; a free-threaded Python lets them all (docs/decisions/0014).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import farsight as fs

N_THREADS = 4
ROUNDS = 300


def hammer(*calls: Callable[[], object], allowed: tuple[type[Exception], ...] = (RuntimeError,)) -> int:
    """Runs each call ROUNDS times on several threads at once; how often one of the allowed exceptions came."""
    refused = []
    wrong: list[BaseException] = []
    barrier = threading.Barrier(N_THREADS)

    def work(k: int) -> None:
        barrier.wait()
        for i in range(ROUNDS):
            try:
                calls[(i + k) % len(calls)]()
            except allowed:
                refused.append(k)
            except BaseException as error:
                wrong.append(error)
                return

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    if wrong:
        raise wrong[0]
    return len(refused)


@pytest.mark.parametrize("spec", ["delayed-q", "r-max", "q-learning"])
def test_one_agent(spec: str, tmp_path: Path) -> None:
    agent = fs.Agent(spec, env="chain:n=5")
    path = tmp_path / "agent"
    hammer(
        lambda: agent.act(1),
        lambda: agent.observe(1, 0, 0.5, 2),
        lambda: agent.q.sum(),
        lambda: agent.visits.sum(),
        lambda: agent.policy.sum(),
        lambda: agent.copy(),
        lambda: agent.reset() if hasattr(agent, "reset") else None,
        lambda: agent.save(path),
    )
    assert 0 <= agent.act(0) < 2


def test_views_outlive_their_agent() -> None:
    def use() -> float:
        agent = fs.Agent("delayed-q", env="chain:n=5")
        visits = agent.visits
        agent.observe(0, 0, 1.0, 1)
        del agent
        return float(visits.sum())

    hammer(use)


def test_one_random_stream() -> None:
    random = fs.Random(1)
    names = [n for n in dir(random) if not n.startswith("_") and callable(getattr(random, n))]

    def call(name: str) -> Callable[[], object]:
        def run() -> object:
            try:
                return getattr(random, name)()
            except TypeError:
                return None

        return run

    hammer(*map(call, names))


def test_one_document() -> None:
    solution = fs.solve(fs.MDP("chain:n=5"), gamma=0.9)
    hammer(solution.text, solution.markdown, solution.latex, lambda: solution.data, lambda: solution.tables)


def test_one_model() -> None:
    """Models are immutable: nothing is refused."""
    model = fs.MDP("riverswim:n=6")
    assert hammer(lambda: fs.solve(model, gamma=0.9).v, lambda: model.hash, lambda: fs.Agent("delayed-q", env=model)) == 0


def test_one_store(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    try:
        fs.run(["chain:n=5"], ["delayed-q", "r-max"], steps=50, runs=3, store=str(path), progress=False)
    except fs.AbsentError as error:
        pytest.skip(str(error))
    store = fs.Store(path)
    hammer(store.records, store.series, store.check, store.hash, lambda: repr(store))
    hammer(store.records, store.close, lambda: repr(store), allowed=(RuntimeError, ValueError))


def test_separate_agents_give_what_they_give_alone() -> None:
    def trail(k: int) -> list[int]:
        agent = fs.Agent("q-learning:epsilon=0.5", env="chain:n=5", seed=k)
        out = []
        for i in range(200):
            a = agent.act(i % 5)
            agent.observe(i % 5, a, 0.1 * a, (i + 1) % 5)
            out.append(a)
        return out

    alone = [trail(k) for k in range(N_THREADS)]
    together: list[list[int]] = [[] for _ in range(N_THREADS)]

    def work(k: int) -> None:
        together[k] = trail(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_studies_on_threads() -> None:
    def totals() -> list[float]:
        r = fs.run(["chain:n=5"], ["delayed-q", "r-max"], steps=100, runs=3, progress=False)
        return [float(x) for x in r.totals("chain:n=5", "r-max")]

    alone = totals()
    seen: list[list[float]] = []
    threads = [threading.Thread(target=lambda: seen.append(totals())) for _ in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [alone] * N_THREADS
