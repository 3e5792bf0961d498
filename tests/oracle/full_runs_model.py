"""Whole runs of the agents of planners.py.

The library stops its sweeps at `tol`, so a cell is refused if a decision in it comes within 1e-7 of the
other side.  Exact ties count only between values that are equal by construction, such as those of
untried pairs.
"""

import functools

import streams
from full_runs import Run, clean_cell, total_reward
from planners import CLOSE, make_planner
from worlds import make_world


def act(agent, s, rng):
    """A scan upwards.

    With ties=random the k-th of k actions that equal the best so far costs a draw, an index below
    k, also where a better one comes later.
    """
    values, words = agent.contest(s)
    if agent.audit.closest < CLOSE:
        raise ArithmeticError("a decision hangs on less than 1e-7")
    kept, count = 0, 1
    for a in range(1, len(values)):
        if equal(values[a], values[kept], words[a], words[kept]):
            count += 1
            if agent.ties == "highest" or (agent.ties == "random" and rng.below(count) == 0):
                kept = a
        elif values[a] > values[kept]:
            kept, count = a, 1
    return kept


def equal(x, y, word, other):
    """Whether two values are equal; refused where that hangs on rounding."""
    if x == y and word == other and word is not None:
        return True
    if abs(x - y) < CLOSE:
        raise ArithmeticError("a choice hangs on less than 1e-7")
    return False


def run(env, spec, steps, seed, replicate):
    """The total reward of one run."""
    world = make_world(env)
    luck = streams.stream(seed, replicate, streams.TRANSITION)
    own = streams.stream(seed, replicate, streams.AGENT)
    agent = fresh_agent(world, spec, own)
    return total_reward(world, agent, lambda s: act(agent, s, own), steps, luck)


def fresh_agent(world, spec, own=None):
    """An agent for a world."""
    shape = (world.n, world.n_actions, world.rmin, world.rmax, world.episodic)
    return make_planner(spec, *shape, own, world.absent)


WIDE = "chain:n=4,slip=0.1,left=-0.5,right=1.5"
NOISY = "chain:n=4,slip=0.3,left=-0.5,right=1.5"

# with states that are terminal or never met: 5 of 16, 3 of 8, 7 of 17
LAKE = "frozen-lake:hole=0.25"
POND = "frozen-lake:map=HSFF/FFHG,hole=0.25"
SEA = "deepsea:n=4,mapping=fixed"
NAMES = {"WIDE": WIDE, "NOISY": NOISY, "LAKE": LAKE, "POND": POND, "SEA": SEA}

# environment | agent, but for its tol | steps | runs | first seed to try: 7, unless it is known to fail.
#  3 runs unless told, and 1 where ties abound that might hang on rounding, such as those
# between ways that lead to different states of value Vmax.
CELLS = """
chain:n=6 | r-max:gamma=0.9375,m=5,plan=full,ties=random | 1000
WIDE | r-max:gamma=0.875,m=3,plan=full,ties=lowest | 500
chain:n=6 | r-max:gamma=0.9375,m=5,plan=rtdp,eps1=0.013,ties=random | 1000
chain:n=6 | v-max:gamma=0.9375,m=16,ties=random | 600 | 3 | 11
WIDE | v-max:gamma=0.875,m=32,ties=highest | 400
chain:n=3 | mbie:gamma=0.875,a=0.3,b=0.1,m=1000000,replan=1.1,ties=random | 500
WIDE | mbie:gamma=0.875,a=0.2,b=0,m=40,replan=1,ties=random | 300 | 3 | 9
chain:n=6 | mbie-eb:gamma=0.9375,beta=0.7,m=1000000,replan=1.1,ties=random | 600
WIDE | mbie-eb:gamma=0.875,beta=0.4,m=25,replan=1,ties=lowest | 300
chain:n=6 | beb:gamma=0.9375,beta=1.7,prior=0,m=1000000,replan=1.1,ties=random | 600
WIDE | beb:gamma=0.875,beta=1.5,prior=1,m=50,replan=1,ties=random | 300
chain:n=6 | oim:gamma=0.9375,ve=7,replan=1.1,ties=random | 600
WIDE | oim:gamma=0.875,ve=3,replan=1,ties=highest | 300
chain:n=6 | mormax:gamma=0.9375,m=4,eps1=0.05,ties=random | 1000
WIDE | mormax:gamma=0.875,m=7,eps1=0.2,ties=random | 600
chain:n=5 | e3:gamma=0.875,m=5,horizon=6,theta=0.1,freeze=off,ties=random | 600
NOISY | e3:gamma=0.875,m=7,horizon=4,theta=0.2,freeze=on,ties=lowest | 400 | 3 | 8
chain:n=3 | ucrl2:delta=0.1,scale=0.1,ties=random | 1000 | 3 | 13
WIDE | ucrl2:delta=0.05,scale=0.05,ties=lowest | 1000 | 3 | 8
chain:n=3 | ucrl-gamma:gamma=0.875,l1=0.1,a=0.2,batch=1,delay=0,ties=random | 800
WIDE | ucrl-gamma:gamma=0.875,l1=0.3,a=0.1,batch=3,delay=5,ties=random | 800
chain:n=6 | psrl:gamma=0.9375,prior=1,mu0=0,sp=1,sn=0.5,resample=geometric,ties=random | 600
WIDE | psrl:gamma=0.875,prior=0.5,mu0=1,sp=2,sn=1,resample=tsde,ties=random | 400
chain:n=5 | rlsvi:gamma=0.9375,sp=20,sn=0.5,resample=geometric,ties=random | 800
WIDE | rlsvi:gamma=0.875,sp=10,sn=1,resample=fixed,tau=9,ties=random | 500
LAKE | mbie:gamma=0.75,a=0.3,b=0.1,m=1000000,replan=1.1,ties=random | 200 | 1 | 46
POND | mbie:gamma=0.75,a=0.3,b=0.1,m=1000000,replan=1.1,ties=random | 300 | 1 | 20
SEA | mbie:gamma=0.9375,a=0.3,b=0.1,m=1000000,replan=1.1,ties=random | 200
LAKE | beb:gamma=0.75,beta=1.5,prior=1,m=50,replan=1.1,ties=random | 200 | 1 | 87
POND | beb:gamma=0.75,beta=1.5,prior=1,m=50,replan=1.1,ties=random | 300 | 1 | 8
SEA | beb:gamma=0.875,beta=1.5,prior=1,m=50,replan=1.1,ties=random | 200
LAKE | ucrl2:delta=0.1,scale=0.02,ties=highest | 200 | 1 | 8
POND | ucrl2:delta=0.1,scale=0.02,ties=highest | 300 | 3 | 21
SEA | ucrl2:delta=0.1,scale=0.05,ties=random | 300
LAKE | ucrl-gamma:gamma=0.75,l1=0.1,a=0.2,batch=1,delay=0,ties=random | 200 | 1 | 15
POND | ucrl-gamma:gamma=0.75,l1=0.1,a=0.2,batch=1,delay=0,ties=random | 300 | 1 | 15
SEA | ucrl-gamma:gamma=0.9375,l1=0.1,a=0.2,batch=1,delay=0,ties=random | 200
LAKE | psrl:gamma=0.875,prior=1,mu0=0,sp=1,sn=0.5,resample=geometric,ties=random | 300
LAKE | psrl:gamma=0.875,prior=0,mu0=0,sp=1,sn=0.5,resample=fixed,tau=20,ties=random | 300
SEA | psrl:gamma=0.9375,prior=1,mu0=0,sp=1,sn=0.5,resample=geometric,ties=random | 200
SEA | psrl:gamma=0.9375,prior=0,mu0=0,sp=1,sn=0.5,resample=tsde,ties=random | 200
LAKE | rlsvi:gamma=0.875,sp=8,sn=0.5,resample=fixed,tau=20,ties=random | 300
SEA | rlsvi:gamma=0.9375,sp=10,sn=0.5,resample=geometric,ties=random | 200
"""

# the keys that the theory fills, and from which S can be told
THEORY = {
    "r-max:preset=theory,gamma=0.875,plan=full,ties=random": ("m",),
    "v-max:preset=theory,gamma=0.875,eps=0.3,ties=random": ("m",),
    "mbie:preset=theory,gamma=0.875,ties=random": ("m", "a", "b"),
    "mbie-eb:preset=theory,gamma=0.875,delta=0.05,ties=random": ("m", "beta"),
    "mormax:preset=theory,gamma=0.875,ties=random": ("m", "eps1"),
    "e3:preset=theory,gamma=0.875,ties=random": ("m", "horizon", "theta"),
    "ucrl-gamma:preset=theory,gamma=0.875,ties=random": ("l1", "a", "batch", "delay"),
}


def cells():
    """(env, agent, steps, runs, seed) of every cell."""
    for line in CELLS.strip().splitlines():
        env, spec, *numbers = line.split(" | ")
        steps, runs, seed = list(map(int, numbers)) + [3, 7][len(numbers) - 1 :]
        if "plan=rtdp" not in spec and not spec.startswith("ucrl2:"):
            spec = spec.replace(",ties=", ",tol=1e-12,ties=")
        yield NAMES.get(env, env), spec, steps, runs, seed


def theory_cell(env, spec, keys):
    """A cell of a theory's preset, where states are absent: one step; what counts is `resolved`."""
    agent = fresh_agent(make_world(env), spec)
    return dict(clean_cell(run, env, spec, 1, 2, 7), resolved={key: agent.p[key] for key in keys})


def runs():
    """Every cell."""
    for c in cells():
        yield Run(*c[:2], functools.partial(clean_cell, run, *c))
    for env in (LAKE, SEA):
        for spec, keys in THEORY.items():
            spec = spec.replace(",ties=", ",tol=1e-12,ties=")
            yield Run(env, spec, functools.partial(theory_cell, env, spec, keys))
