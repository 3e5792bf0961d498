"""Whole runs of random and optimal, in worlds with a single optimal policy: nothing hangs on rounding."""

import functools

import streams
from baselines import Optimal, best_policy, make_random
from full_runs import Run, clean_cell, total_reward
from live import live_states
from worlds import make_world

RIVER = "chain:n=6,slip=0.3,left=0.05,right=1"
LAKE = "frozen-lake:map=HFSFH/FFFFF/FFHFF/HFFFG,hole=0.25"  # in a corner two actions would tie
SEA = "deepsea:n=4,mapping=fixed"


def make_agent(spec, world, seed, replicate):
    """A baseline for a world."""
    if spec == "random":
        return make_random(world.n, world.n_actions, seed, replicate, world.absent)
    keys = dict(item.split("=") for item in spec.partition(":")[2].split(",") if item)
    gamma = float(keys.get("gamma", 0.95)) if keys.get("criterion") == "discounted" else None
    first = 1 if world.n_actions == 2 else 0
    return Optimal(live_states(world.n, world.absent), world.n_actions,
                   best_policy(world, gamma, first))


def run(env, spec, steps, seed, replicate):
    """The total reward of one run."""
    world = make_world(env)
    agent = make_agent(spec, world, seed, replicate)
    luck = streams.stream(seed, replicate, streams.TRANSITION)
    return total_reward(world, agent, agent.act, steps, luck)


def cells():
    """(env, agent, steps, runs, seed) of every cell."""
    for env in ("chain:n=5", "chain:n=10", RIVER, LAKE, SEA):
        yield env, "random", 1000, 3, 7
    for env in ("chain:n=5", RIVER, LAKE):
        yield env, "optimal:criterion=average", 1000, 3, 7
    # far-sighted to the right, short-sighted to the left
    yield RIVER, "optimal:criterion=discounted,gamma=0.95", 1000, 3, 7
    yield RIVER, "optimal:criterion=discounted,gamma=0.3", 1000, 3, 7
    yield LAKE, "optimal:criterion=discounted,gamma=0.9", 1000, 3, 7


def runs():
    """Every cell."""
    for c in cells():
        yield Run(*c[:2], functools.partial(clean_cell, run, *c))
