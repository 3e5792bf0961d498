#!/usr/bin/env python3
"""Whole runs of the agents of planners.py on the chain: full_runs_model.json.

Cells, totals and hashes as in full_runs.py.  The library stops its sweeps at `tol`, so a cell is
refused if a decision in it comes within 1e-7 of the other side; the next seed is tried then.  Exact
ties count only between values that are equal by construction, such as those of untried pairs.
"""

import json
import pathlib

import full_runs
import streams
from planners import CLOSE, make_planner

OUT = pathlib.Path(__file__).resolve().parent / "full_runs_model.json"


def act(agent, s, rng):
    """The lowest, the highest, or the k-th of k tied actions with probability 1/k."""
    actions, margin = agent.choice(s)
    if margin < CLOSE or agent.audit.closest < CLOSE:
        raise ArithmeticError("a decision hangs on less than 1e-7")
    if agent.ties != "random":
        return agent.greedy_set(s)[0]
    kept = actions[0]
    for k, a in enumerate(actions[1:], 2):
        if rng.below(k) == 0:
            kept = a
    return kept


def run(env, spec, steps, seed, replicate):
    """The total reward of one run."""
    chain = full_runs.make_chain(env)
    luck = streams.stream(seed, replicate, streams.TRANSITION)
    own = streams.stream(seed, replicate, streams.AGENT)
    agent = make_planner(spec, chain.n, 2, chain.rmin, chain.rmax, False, own)
    s, total = 0, 0.0
    for _ in range(steps):
        a = act(agent, s, own)
        r, nxt = chain.step(s, a, luck)
        agent.observe(s, a, r, nxt, False)
        total += r
        s = nxt
    return total


WIDE = "chain:n=4,slip=0.1,left=-0.5,right=1.5"
NOISY = "chain:n=4,slip=0.3,left=-0.5,right=1.5"

# environment | agent, but for its tol | steps
CELLS = """
chain:n=6 | r-max:gamma=0.9375,m=5,plan=full,ties=random | 1000
WIDE | r-max:gamma=0.875,m=3,plan=full,ties=lowest | 500
chain:n=6 | r-max:gamma=0.9375,m=5,plan=rtdp,eps1=0.013,ties=random | 1000
chain:n=6 | v-max:gamma=0.9375,m=16,ties=random | 600
WIDE | v-max:gamma=0.875,m=32,ties=highest | 400
chain:n=3 | mbie:gamma=0.875,a=0.3,b=0.1,m=1000000,replan=1.1,ties=random | 500
WIDE | mbie:gamma=0.875,a=0.2,b=0,m=40,replan=1,ties=random | 300
chain:n=6 | mbie-eb:gamma=0.9375,beta=0.7,m=1000000,replan=1.1,ties=random | 600
WIDE | mbie-eb:gamma=0.875,beta=0.4,m=25,replan=1,ties=lowest | 300
chain:n=6 | beb:gamma=0.9375,beta=1.7,prior=0,m=1000000,replan=1.1,ties=random | 600
WIDE | beb:gamma=0.875,beta=1.5,prior=1,m=50,replan=1,ties=random | 300
chain:n=6 | oim:gamma=0.9375,ve=7,replan=1.1,ties=random | 600
WIDE | oim:gamma=0.875,ve=3,replan=1,ties=highest | 300
chain:n=6 | mormax:gamma=0.9375,m=4,eps1=0.05,ties=random | 1000
WIDE | mormax:gamma=0.875,m=7,eps1=0.2,ties=random | 600
chain:n=5 | e3:gamma=0.875,m=5,horizon=6,theta=0.1,freeze=off,ties=random | 600
NOISY | e3:gamma=0.875,m=7,horizon=4,theta=0.2,freeze=on,ties=lowest | 400
chain:n=3 | ucrl2:delta=0.1,scale=0.1,ties=random | 1000
WIDE | ucrl2:delta=0.05,scale=0.05,ties=lowest | 1000
chain:n=3 | ucrl-gamma:gamma=0.875,l1=0.1,a=0.2,batch=1,delay=0,ties=random | 800
WIDE | ucrl-gamma:gamma=0.875,l1=0.3,a=0.1,batch=3,delay=5,ties=random | 800
chain:n=6 | psrl:gamma=0.9375,prior=1,mu0=0,sp=1,sn=0.5,resample=geometric,ties=random | 600
WIDE | psrl:gamma=0.875,prior=0.5,mu0=1,sp=2,sn=1,resample=tsde,ties=random | 400
chain:n=5 | rlsvi:gamma=0.9375,sp=20,sn=0.5,resample=geometric,ties=random | 800
WIDE | rlsvi:gamma=0.875,sp=10,sn=1,resample=fixed,tau=9,ties=random | 500
"""


def cells():
    """(env, agent, steps, runs, seed) of every cell."""
    for line in CELLS.strip().splitlines():
        env, spec, steps = line.split(" | ")
        if "plan=rtdp" not in spec and not spec.startswith("ucrl2:"):
            spec = spec.replace(",ties=", ",tol=1e-12,ties=")
        yield {"WIDE": WIDE, "NOISY": NOISY}.get(env, env), spec, int(steps), 3, 7


def main():
    """Write full_runs_model.json; one line a cell."""
    full_runs.run, full_runs.MAX_SEEDS = run, 100  # what full_runs.clean_cell uses
    done = []
    for c in cells():
        done.append(full_runs.clean_cell(*c))
        totals = " ".join(f"{x:.3f}" for x in done[-1]["totals"])
        print(c[0], c[1], f"seed {done[-1]['seed']}:", totals, flush=True)
    OUT.write_text(json.dumps({"cells": done}, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
