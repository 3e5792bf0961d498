#!/usr/bin/env python3
"""Absent states change nothing; part of check_oracle.py.

An agent told of many ids of which some are absent must do as one for the live states, numbered
densely, does: the same numbers to the last bit, the same choices and the same draws.  And where an
agent that is told nothing counts them as states, it must not.
"""

import random

import streams
from agents import make_agent
from bonus_agents import make_bonus_agent
from planners import make_planner

N_STATES, ABSENT = 9, (0, 3, 4, 8)
LIVE = (1, 2, 5, 6, 7)

# agents for which S, or the list of outcomes, matters
COUNTS = """
mbie:gamma=0.9,a=0.3,b=0.4,replan=1.1
mbie:preset=theory,eps=0.5,delta=0.9,gamma=0.1,m=5
beb:gamma=0.9,beta=1,prior=1,replan=1.1
v-max:preset=theory,eps=2,gamma=0.6
ucrl2:delta=0.1,scale=0.05
ucrl-gamma:gamma=0.9,l1=0.3,a=0.1,batch=1,delay=0
psrl:gamma=0.9,prior=1,mu0=0,sp=1,sn=0.5,resample=geometric
psrl:gamma=0.9,prior=0,mu0=0,sp=1,sn=0.5,resample=tsde
rlsvi:gamma=0.9,sp=5,sn=0.5,resample=fixed,tau=5
speedy-q:form=round,gamma=0.9,q0=0,explore=epsilon,epsilon=0.3
ucb-q:gamma=0.9,c=0.05,h=5,log=on,delta=0.1
delayed-q:preset=theory,gamma=0.1,eps=16,delta=0.5,form=2009
directed-delayed-q:preset=theory,gamma=0.1,eps=20,delta=0.5,delay=full,learn=2009,clamp=on
"""

# and others
OTHERS = """
r-max:gamma=0.9,m=3,plan=full
r-max:gamma=0.9,m=3,plan=rtdp,eps1=0.02
v-max:gamma=0.9,m=5
mbie-eb:gamma=0.9,beta=0.3,replan=1.1
oim:gamma=0.9,ve=3,replan=1.1
mormax:gamma=0.9,m=3,eps1=0.05
e3:gamma=0.9,m=3,horizon=4,theta=0.2,freeze=off
speedy-q:form=step,gamma=0.9,q0=0,explore=softmax,temperature=0.2
count-q:gamma=0.9,place=target,beta=0.3,decay=sqrt,step=horizon
delayed-q-ie:gamma=0.9,eps1=0.1,m=4,rho=0.3,learn=2009
"""

BONUS = ("speedy-q", "ucb-q", "count-q")


def make(spec, n_states, absent):
    """A fresh agent of any kind on the stream of seed 1."""
    name = spec.partition(":")[0]
    if name in BONUS:
        return make_bonus_agent(spec, n_states, 2, -0.5, 1.0, absent=absent)
    if name.startswith(("delayed", "directed")):
        return make_agent(spec, n_states, 2, -0.5, 1.0, absent)
    own = streams.stream(1, 0, streams.AGENT)
    return make_planner(spec, n_states, 2, -0.5, 1.0, True, own, absent)


def told(agent, s):
    """All that an agent says of a state; the models' agents act on their greedy sets."""
    choice = agent.act(s) if hasattr(agent, "act") else agent.greedy_set(s)
    return agent.values(s), choice


def steps(count):
    """Random steps between live states, by their place in LIVE; some end."""
    rng = random.Random(6)
    for _ in range(count):
        s, a, done = rng.randrange(len(LIVE)), rng.randrange(2), rng.random() < 0.15
        yield s, a, 0.2 * s + 0.1 * a - 0.5 + 0.4 * rng.random(), rng.randrange(len(LIVE)), done


def differs(spec, absent):
    """The first step after which the agent with holes differs from the dense one, or None."""
    dense, wide = make(spec, len(LIVE), ()), make(spec, N_STATES, absent)
    for t, (s, a, r, nxt, done) in enumerate(steps(100)):
        dense.observe(s, a, r, nxt, done)
        wide.observe(LIVE[s], a, r, 3 if done else LIVE[nxt], done)
        if any(told(dense, x) != told(wide, LIVE[x]) for x in range(len(LIVE))):
            return t
    return None


def check_dense():
    """Every agent against the dense one, and against itself untold."""
    counts, others = COUNTS.split(), OTHERS.split()
    for spec in counts + others:
        t = differs(spec, ABSENT)
        assert t is None, f"{spec}: differs after step {t}"
    for spec in counts:
        assert differs(spec, ()) is not None, f"{spec} does not care about absent states"
    return f"{len(counts) + len(others)} agents"


def check_refused():
    """A step that names an absent state is an error that changes nothing; its values are 0."""
    for spec in COUNTS.split() + OTHERS.split():
        agent = make(spec, N_STATES, ABSENT)
        before = [agent.values(s) for s in LIVE]
        for s, nxt, done in ((0, 1, False), (8, 1, True), (1, 4, False)):
            try:
                agent.observe(s, 0, 0.5, nxt, done)
            except ValueError:
                continue
            raise AssertionError(f"{spec} takes a step from {s} to {nxt}")
        assert before == [agent.values(s) for s in LIVE]
        assert {x for s in ABSENT for row in agent.values(s).values() for x in row} == {0}
    return "three steps each"


def run_all():
    """(what, outcome) of every check; an AssertionError is a failure."""
    yield "absent states: as if numbered densely", check_dense()
    yield "absent states: refused", check_refused()


if __name__ == "__main__":
    for name, outcome in run_all():
        print(f"ok    {name}: {outcome}")
