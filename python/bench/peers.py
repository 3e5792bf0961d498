"""Steps a second of tabular agents of other Python packages, on a chain of ten states.

Run by bench.py in a virtual environment of its own, since these packages need other versions of
Gymnasium than Farsight does. Prints one JSON object a line; a package that cannot be imported
says so and is left out.

Every package learns in the same environment, a plain Python class with the chain's table, through
the interface that the package expects. Its learning loop is its own.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import random
import sys
import time
from collections.abc import Callable

N_STATES, SLIP, LEFT, RIGHT = 10, 0.2, 0.001, 1.0  # the family `chain` of Farsight


def chain_step(s: int, a: int) -> tuple[int, float]:
    """Actions 0 (left) and 1 (right) go the opposite way with probability SLIP."""
    rightwards = (a == 1) != (random.random() < SLIP)
    s = min(s + 1, N_STATES - 1) if rightwards else max(s - 1, 0)
    return s, LEFT if s == 0 else RIGHT if s == N_STATES - 1 else 0.0


def timed(learn: Callable[[int], object], steps: int) -> float:
    learn(steps // 10)  # imports, caches
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        learn(steps)
    return steps / (time.perf_counter() - start)


def simple_rl(agent_name: str) -> Callable[[int], object]:
    with contextlib.redirect_stdout(io.StringIO()):
        import simple_rl.agents as agents
        from simple_rl.mdp import MDP, State

    states = [State(data=s) for s in range(N_STATES)]
    reward = [0.0]

    def transition(state: State, action: int) -> State:
        s, reward[0] = chain_step(state.data, action)
        return states[s]

    def learn(steps: int) -> object:
        mdp = MDP([0, 1], transition, lambda state, action, next_state: reward[0], init_state=states[0])
        agent = getattr(agents, agent_name)(actions=[0, 1])
        state, r = mdp.get_init_state(), 0.0
        for _ in range(steps):
            r, state = mdp.execute_agent_action(agent.act(state, r))
        return agent

    return learn


def gymnasium_chain(steps_of_episode: int) -> object:
    import gymnasium as gym

    class Chain(gym.Env):  # type: ignore[misc]
        observation_space = gym.spaces.Discrete(N_STATES)
        action_space = gym.spaces.Discrete(2)
        reward_range = (0.0, 1.0)

        def reset(self, *, seed: int | None = None, options: object = None) -> tuple[int, dict[str, object]]:
            self.s, self.t = 0, 0
            return 0, {}

        def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, object]]:
            self.s, r = chain_step(self.s, int(action))
            self.t += 1
            return self.s, r, False, self.t >= steps_of_episode, {}

    return Chain()


def rlberry() -> Callable[[int], object]:
    logging.disable(logging.WARNING)
    from rlberry_scool.agents import QLAgent

    def learn(steps: int) -> object:
        agent = QLAgent(gymnasium_chain(10**9), gamma=0.95, alpha=0.1, exploration_type="epsilon", exploration_rate=0.1)
        agent.fit(budget=steps)
        return agent

    return learn


# package, the same method's name in Farsight, what makes its learner, steps
PEERS: list[tuple[str, str, Callable[[], Callable[[int], object]], int]] = [
    ("simple_rl", "q-learning", lambda: simple_rl("QLearningAgent"), 50_000),
    ("simple_rl", "delayed-q", lambda: simple_rl("DelayedQAgent"), 50_000),
    ("simple_rl", "r-max", lambda: simple_rl("RMaxAgent"), 20_000),
    ("rlberry-scool", "q-learning", rlberry, 50_000),
]


def main() -> None:
    for package, agent, make, steps in PEERS:
        try:
            rate = timed(make(), steps)
        except ImportError as error:
            print(f"{package} is left out: {error}", file=sys.stderr)
            continue
        print(json.dumps({"package": package, "agent": agent, "steps_per_second": rate}), flush=True)


if __name__ == "__main__":
    main()
