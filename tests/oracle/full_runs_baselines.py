#!/usr/bin/env python3
"""Whole runs of random and optimal: full_runs_baselines.json.

Cells as in full_runs.py.  Only worlds with a single optimal policy: nothing hangs on rounding.
"""

import json
import pathlib

import full_runs
import streams
from baselines import Optimal, best_policy, make_random
from live import live_states
from worlds import make_world

OUT = pathlib.Path(__file__).resolve().parent / "full_runs_baselines.json"
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
    return full_runs.total_reward(world, agent, agent.act, steps, luck)


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


def main():
    """Write full_runs_baselines.json; one line a cell."""
    done = []
    for env, spec, steps, runs, seed in cells():
        totals = [run(env, spec, steps, seed, k) for k in range(runs)]
        head = dict(env=env, agent=spec, steps=steps, runs=runs, seed=seed)
        done.append(dict(head, totals=totals, hash=full_runs.digest(totals)))
        print(env, spec, " ".join(f"{x:.3f}" for x in totals), flush=True)
    OUT.write_text(json.dumps({"cells": done}, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
