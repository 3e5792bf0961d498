#!/usr/bin/env python3
"""The speed of Farsight from Python, beside Gymnasium, the command and other packages, in one run.

usage: bench.py [--peers PYTHON] [--command FARSIGHT] [--json]

Every figure is the best of several repetitions: noise only ever makes a program slower. What is
compared is measured in turn, repetition by repetition, so that both see the same machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import gymnasium as gym
import numpy as np

import farsight as fs

REPETITIONS = 5


def best(*workloads: Callable[[], int]) -> list[float]:
    """Seconds a step of each workload, which returns how many steps it has taken."""
    times = [float("inf")] * len(workloads)
    for _ in range(REPETITIONS):
        for i, work in enumerate(workloads):
            start = time.perf_counter()
            steps = work()
            times[i] = min(times[i], (time.perf_counter() - start) / steps)
    return times


# ---- (a) the price of a call ----


def calls(agent_spec: str) -> Iterator[tuple[str, float]]:
    agent = fs.Agent(agent_spec, env="chain:n=10")
    act, observe, n = agent.act, agent.observe, 200_000

    def loop() -> int:
        for _ in range(n):
            observe(3, act(3), 0.0, 4)
        return n

    def empty() -> int:
        nothing = id
        for _ in range(n):
            nothing(nothing(3))
        return n

    both, loop_alone = best(loop, empty)
    yield f"act + observe, {agent_spec}", both * 1e9
    if agent_spec == "directed-delayed-q":
        yield "two calls of a built-in function, for comparison", loop_alone * 1e9


# ---- (b) an agent in a Gymnasium loop ----


def plain_loop(agent: fs.Agent, env: gym.Env[int, int], steps: int) -> int:
    s, _ = env.reset(seed=1)
    for _ in range(steps):
        a = agent.act(s)
        next_s, r, terminated, truncated, _ = env.step(a)
        agent.observe(s, a, float(r), next_s, terminated, truncated)
        s = env.reset()[0] if terminated or truncated else next_s
    return steps


def random_loop(env: gym.Env[int, int], actions: list[int]) -> int:
    env.reset(seed=1)
    for a in actions:
        _, _, terminated, truncated, _ = env.step(a)
        if terminated or truncated:
            env.reset()
    return len(actions)


def vector_loop(envs: gym.vector.VectorEnv[np.ndarray, np.ndarray, np.ndarray], actions: np.ndarray) -> int:
    envs.reset(seed=1)
    for a in actions:
        envs.step(a)
    return int(actions.size)


def loops() -> Iterator[tuple[str, float]]:
    ours = gym.make("farsight/FrozenLake-v0")
    theirs = gym.make("FrozenLake-v1")
    steps = 50_000

    def learn(env: gym.Env[int, int]) -> Callable[[], int]:
        return lambda: plain_loop(fs.Agent("directed-delayed-q", env=env), env, steps)

    def train(env: gym.Env[int, int], n: int) -> Callable[[], int]:
        def work() -> int:
            fs.train(fs.Agent("directed-delayed-q", env=env), env, steps=n)
            return n

        return work

    a, b, c, d = best(learn(theirs), learn(ours), train(theirs, steps), train(ours, 20 * steps))
    yield "a plain loop, Gymnasium's FrozenLake", 1 / a
    yield "a plain loop, Farsight's FrozenLake", 1 / b
    yield "fs.train, Gymnasium's FrozenLake", 1 / c
    yield "fs.train, Farsight's FrozenLake", 1 / d


# ---- (c) environments alone ----


def environments() -> Iterator[tuple[str, float, float]]:
    rng = np.random.default_rng(1)
    actions = rng.integers(4, size=100_000).tolist()
    ours, theirs = gym.make("farsight/FrozenLake-v0"), gym.make("FrozenLake-v1")
    a, b = best(lambda: random_loop(ours.unwrapped, actions), lambda: random_loop(theirs.unwrapped, actions))
    yield "FrozenLake, one environment", 1 / a, 1 / b
    for n, steps in (64, 1_000), (1024, 100):
        our_vector = gym.make_vec("farsight/FrozenLake-v0", num_envs=n, vectorization_mode="vector_entry_point")
        their_vector = gym.make_vec("FrozenLake-v1", num_envs=n, vectorization_mode="sync")
        many = rng.integers(4, size=(steps, n))
        few = many[: max(1, 6_400 // n)]
        a, b = best(lambda: vector_loop(our_vector, many), lambda: vector_loop(their_vector, few))  # noqa: B023
        yield f"FrozenLake, a vector of {n}", 1 / a, 1 / b


# ---- (d) a study, and the command ----


def study(command: Path) -> tuple[float, float]:
    envs, agents, steps, runs = ["chain:n=10", "riverswim"], ["directed-delayed-q", "q-learning"], 100_000, 600
    line = [str(command), "run", "--json", "--quiet", "--steps", str(steps), "--runs", str(runs)]
    line += [word for e in envs for word in ("-e", e)] + [word for a in agents for word in ("-a", a)]
    total = steps * runs * len(envs) * len(agents)

    def by_command() -> int:
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        return total

    def by_python() -> int:
        fs.run(envs, agents, steps=steps, runs=runs, progress=False)
        return total

    a, b = best(by_python, by_command)
    return 1 / a, 1 / b


# ---- (e) other packages ----


def peers(python: str) -> Iterator[tuple[str, str, float]]:
    """The package, our agent of the same method, and the steps a second."""
    lines = subprocess.run([python, str(Path(__file__).with_name("peers.py"))], check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    for line in lines.splitlines():
        row = json.loads(line)
        yield row["package"], row["agent"], float(row["steps_per_second"])


def ours_on_the_chain() -> Iterator[tuple[str, float]]:
    """The same plain Python chain as the other packages', and the same agents."""
    sys.path.insert(0, str(Path(__file__).parent))
    from peers import chain_step

    def learn(spec: str, steps: int) -> Callable[[], int]:
        def work() -> int:
            agent, s = fs.Agent(spec, env="chain:n=10"), 0
            for _ in range(steps):
                a = agent.act(s)
                next_s, r = chain_step(s, a)
                agent.observe(s, a, r, next_s)
                s = next_s
            return steps

        return work

    specs = ["q-learning", "delayed-q", "r-max", "directed-delayed-q"]
    for spec, seconds in zip(specs, best(*(learn(spec, 50_000) for spec in specs)), strict=True):
        yield spec, 1 / seconds


# ---- the whole ----


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", metavar="PYTHON", help="a Python that has the packages of requirements-peers.txt")
    parser.add_argument("--command", metavar="FARSIGHT", type=Path, default=Path("build/release/farsight"))
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    options = parser.parse_args()
    warnings.simplefilter("ignore", fs.StudyWarning)  # parameters outside a guarantee: speed is all that is asked
    rows: list[dict[str, object]] = []

    def row(part: str, what: str, value: float, unit: str, beside: float | None = None) -> None:
        ratio = None if beside is None else value / beside
        rows.append({"part": part, "what": what, "value": value, "unit": unit, "beside": beside, "ratio": ratio})
        if options.json:
            return
        number = f"{value:12,.0f} {unit}"
        print(f"  {what:52}{number:24}" + (f"{ratio:8.2f} times {beside:,.0f}" if beside is not None else ""), flush=True)

    def heading(text: str) -> None:
        if not options.json:
            print(f"\n{text}")

    heading("(a) calls from Python")
    for spec in "directed-delayed-q", "q-learning", "psrl":
        for what, ns in calls(spec):
            row("a", what, ns, "ns")
    heading("(b) Directed Delayed Q-learning in a Gymnasium loop")
    for what, rate in loops():
        row("b", what, rate, "steps/s")
    heading("(c) environments, beside Gymnasium's own")
    for what, rate, beside in environments():
        row("c", what, rate, "steps/s", beside)
    if options.command.exists():
        heading("(d) fs.run beside the command")
        rate, beside = study(options.command)
        row("d", "chain:n=10, riverswim x 2 agents", rate, "steps/s", beside)
    heading("(e) agents in a plain Python loop on a chain of 10 states")
    ours = dict(ours_on_the_chain())
    for spec, rate in ours.items():
        row("e", f"farsight: {spec}", rate, "steps/s")
    if options.peers:
        for package, spec, rate in peers(options.peers):
            row("e", f"farsight: {spec}, beside {package}", ours[spec], "steps/s", rate)
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
