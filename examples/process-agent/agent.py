#!/usr/bin/env python3
"""An agent for 'farsight run -a "process:python3 agent.py"': Q-learning with exploration that fades.

One line of JSON comes in, one goes out, flushed. Nothing else may be printed on standard output."""
import json
import random
import sys

GAMMA, ALPHA = 0.95, 0.1


class Agent:
    def hello(self, shape):
        """The problem: numbers of states and actions, the range of rewards. Once, at the beginning."""
        self.states, self.actions = shape["states"], shape["actions"]
        return {}

    def reset(self, stream):
        """A run begins. Whoever draws from this stream alone can be run again."""
        self.random = random.Random(f"{stream['seed']} {stream['replicate']}")
        self.q = [[0.0] * self.actions for _ in range(self.states)]
        self.visits = [0] * self.states
        return {}

    def act(self, s):
        self.visits[s] += 1
        if self.random.random() < 10 / (10 + self.visits[s]):
            return {"action": self.random.randrange(self.actions)}
        best = max(self.q[s])
        return {"action": self.random.choice([a for a, q in enumerate(self.q[s]) if q == best])}

    def observe(self, step):
        future = 0 if step["done"] else max(self.q[step["next"]])
        row = self.q[step["s"]]
        row[step["a"]] += ALPHA * (step["r"] + GAMMA * future - row[step["a"]])
        return {}


def main():
    agent = Agent()
    for line in sys.stdin:
        (request, value), = json.loads(line).items()
        print(json.dumps(getattr(agent, request)(value)), flush=True)


main()
