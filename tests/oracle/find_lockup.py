#!/usr/bin/env python3
"""Search for a deterministic problem on which the printed LEARN rule locks up: lockup.json.

Algorithm 1 of Oh & Iyengar 2018 as printed switches LEARN off after every failed window, also
when a value changed inside that window.  With the rule of Strehl, Li, Littman 2009 such a pair
gets a second window.  Here: 3 states, 2 actions, fully delayed, lambda = 0, ties to the lowest
action, both rules from the same start.  Wanted is a problem in which both rules have settled and
the printed one earns less for ever, with no decision near a rounding error.
"""

import json
import pathlib
import random
from itertools import islice, product

from agents import make_agent
from transcripts_delayed import clean

OUT = pathlib.Path(__file__).resolve().parent / "lockup.json"
STATES, ACTIONS, START = 3, 2, 0
STEPS, WINDOW = 20000, 1000
GAP = 0.5
RULES = ("2009", "printed")
SPEC = (
    "directed-delayed-q:gamma={gamma},eps1={eps1},m={m},lambda=0,eta=0.9,e0=0.9,gamma_e=0.9,rho=0,"
    "delay=full,learn={learn},clamp=on,ties=lowest"
)


def random_problem(rng):
    """Tables [s][a] of next states and rewards."""
    nxt = [[rng.randrange(STATES) for _ in range(ACTIONS)] for _ in range(STATES)]
    reward = [[rng.choice([0.0, 0.25, 0.5, 1.0]) for _ in range(ACTIONS)] for _ in range(STATES)]
    return nxt, reward


def random_params(rng):
    """The agent's discount, threshold and window."""
    return dict(
        gamma=rng.choice([0.7, 0.8, 0.9]), eps1=rng.choice([0.05, 0.1]), m=rng.choice([2, 3, 5])
    )


def walk(problem, params, learn):
    """Yield (agent, reward) after every step of an endless greedy run."""
    nxt, reward = problem
    agent = make_agent(SPEC.format(learn=learn, **params), STATES, ACTIONS, 0.0, 1.0)
    s = START
    while True:
        a = agent.greedy_set(s)[0]
        r, s_next = reward[s][a], nxt[s][a]
        agent.observe(s, a, r, s_next, False)
        if not clean(agent, s_next):
            return
        yield agent, r
        s = s_next


def glance(problem, params, learn):
    """Average reward of the loop in which the rule settles; None if a decision is close.

    A pair is switched off at the latest with its second failed window after the last success, so
    two windows of every pair without a success mean that nothing will change any more.
    """
    rewards = []
    for agent, r in walk(problem, params, learn):
        rewards.append(r)
        if agent.t - agent.t_star > 2 * params["m"] * STATES * ACTIONS + 6:
            return sum(rewards[-6:]) / 6  # every loop of 1, 2 or 3 states fits into 6 steps
    return None


def long_run(problem, params, learn):
    """Average reward of the last WINDOW of STEPS steps; None if a decision is close."""
    rewards = [r for _, r in islice(walk(problem, params, learn), STEPS)]
    return sum(rewards[-WINDOW:]) / WINDOW if len(rewards) == STEPS else None


def gap(measure, problem, params):
    """What the rule of 2009 earns more than the printed one, or -1 if either run is unusable."""
    averages = [measure(problem, params, rule) for rule in RULES]
    return -1.0 if None in averages else averages[0] - averages[1]


def best_loop(problem):
    """The best average reward of a deterministic policy from START, by trying all of them."""
    nxt, reward = problem
    best = 0.0
    for choice in product(range(ACTIONS), repeat=STATES):
        path, s = [], START
        while s not in path:
            path.append(s)
            s = nxt[s][choice[s]]
        loop = path[path.index(s) :]
        best = max(best, sum(reward[x][choice[x]] for x in loop) / len(loop))
    return best


def search():
    """The first problem with the rule of 2009 in the best loop and the printed rule far below."""
    rng = random.Random(2018)
    while True:
        problem, params = random_problem(rng), random_params(rng)
        if gap(glance, problem, params) >= GAP and gap(long_run, problem, params) >= GAP:
            averages = {rule: long_run(problem, params, rule) for rule in RULES}
            if averages["2009"] == best_loop(problem):
                return problem, params, averages


def main():
    """Write lockup.json."""
    (nxt, reward), params, averages = search()
    document = dict(
        states=STATES,
        actions=ACTIONS,
        next=nxt,
        reward=reward,
        start=START,
        rmin=0.0,
        rmax=1.0,
        **params,
        ties="lowest",
        delay="full",
        steps=STEPS,
        window=WINDOW,
        average=averages,
        best_average=best_loop((nxt, reward)),
        agents={rule: SPEC.format(learn=rule, **params) for rule in averages},
    )
    OUT.write_text(json.dumps(document, indent=1) + "\n", encoding="ascii")
    print(json.dumps(document))


if __name__ == "__main__":
    main()
