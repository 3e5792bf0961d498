"""Whole runs of count-q, dora, ucb-q, speedy-q and bayes-q, and the run of an agent in reference/.

A cell is refused if a decision in it hangs on rounding (bonus_agents.py says when).
"""

import functools

import streams
from bonus_agents import make_bonus_agent, ucb_theory
from full_runs import Run, clean_cell, total_reward
from worlds import make_world


def run(env, spec, steps, seed, replicate):
    """The total reward of one run."""
    world = make_world(env)
    shape = (world.n, world.n_actions, world.rmin, world.rmax, world.episodic)
    agent = make_bonus_agent(spec, *shape, seed, replicate, world.absent, world.horizon)
    luck = streams.stream(seed, replicate, streams.TRANSITION)
    return total_reward(world, agent, agent.act, steps, luck)


def count_q():
    """place x decay x step."""
    for n, keys in (
        (5, "place=target,beta=0.1,decay=sqrt,step=horizon,ties=random"),
        (10, "place=target,beta=0.3,decay=linear,step=constant,alpha=0.2,q0=20,ties=lowest"),
        (5, "place=target,beta=0.5,decay=linear,step=horizon,q0=0,ties=random"),
        (5, "place=choice,beta=0.5,decay=sqrt,step=horizon,ties=random"),
        (5, "place=choice,beta=1,decay=linear,step=constant,alpha=0.1,q0=0,ties=highest"),
        (10, "place=choice,beta=2,decay=sqrt,step=constant,alpha=0.1,q0=0,ties=random"),
    ):
        yield n, "count-q:gamma=0.95," + keys


def dora():
    """rule x place."""
    rates = "dora:gamma=0.95,alpha=0.1,alpha_e=0.1,gamma_e=0.9,q0=0,"
    counting = rates.replace("gamma_e=0.9", "gamma_e=0")
    yield from (
        (5, rates + "rule=lll-softmax,beta=0,decay=sqrt,temperature=0.1,ties=random"),
        (10, rates + "rule=lll-softmax,beta=0.5,decay=sqrt,temperature=0.3,ties=random"),
        (5, counting + "rule=lll-softmax,beta=0,decay=sqrt,temperature=0.1,ties=lowest"),
        (5, rates + "rule=lll-epsilon,beta=0,decay=sqrt,epsilon=0.1,ties=random"),
        (5, counting + "rule=lll-epsilon,beta=0.1,decay=linear,epsilon=0.2718,ties=random"),
        (5, rates + "rule=softmax,place=choice,beta=0.5,decay=sqrt,temperature=0.1,ties=random"),
        (5, rates + "rule=softmax,place=target,beta=0.5,decay=linear,temperature=0.1"),
        (5, rates + "rule=epsilon,place=choice,beta=0.5,decay=linear,epsilon=0.1,ties=random"),
        (5, rates + "rule=epsilon,place=target,beta=0.5,decay=sqrt,epsilon=0.1,ties=highest"),
    )


def ucb_q():
    """Practical, with the logarithm, and c scaled down in the theory's preset."""
    for n, keys in (
        (5, "gamma=0.95,ties=random"),
        (10, "gamma=0.95,c=0.1,h=20,log=off,ties=random"),
        (5, "gamma=0.9,c=0.05,h=5,log=off,ties=lowest"),
        (5, "gamma=0.9,c=0.02,h=10,log=on,delta=0.1,ties=random"),
        (5, "preset=theory,gamma=0.8,eps=0.5,delta=0.1,c=0.002,ties=highest"),
    ):
        yield n, "ucb-q:" + keys


def speedy_q():
    """form x explore."""
    for n, keys in (
        (5, "form=step,gamma=0.95,q0=0,explore=epsilon,epsilon=0.1,ties=random"),
        (10, "form=step,gamma=0.95,q0=20,explore=softmax,temperature=0.3"),
        (5, "form=step,gamma=0.95,q0=0,explore=softmax,temperature=0.1"),
        (5, "form=round,gamma=0.95,q0=0,explore=epsilon,epsilon=0.5,ties=random"),
        (5, "form=round,gamma=0.95,q0=1,explore=softmax,temperature=0.5"),
    ):
        yield n, "speedy-q:" + keys


def bayes_q():
    """choice x update."""
    for choice in ("sampling", "vpi"):
        for update in ("moment", "point"):
            yield 5, f"bayes-q:gamma=0.95,choice={choice},update={update},ties=random"
    prior = "mu0=20,lambda0=2,alpha0=2.25,beta0=8"
    yield 10, f"bayes-q:gamma=0.95,choice=vpi,update=moment,{prior},ties=lowest"


def cells():
    """(env, agent, steps, runs, seed) of every cell."""
    for group in (count_q, dora, ucb_q, speedy_q, bayes_q):
        for n, spec in group():
            yield f"chain:n={n}", spec, 1000 if n == 5 else 2000, 3, 7
    lake, sea = "frozen-lake:hole=0.25", "deepsea:n=4,mapping=fixed"  # with absent states
    ucb = "ucb-q:gamma=0.9,c=0.02,h=10,log=on,delta=0.1,ties=random"
    rounds = "speedy-q:form=round,gamma=0.9,q0=1,explore=epsilon,epsilon=0.5,ties=random"
    yield lake, ucb, 1000, 3, 7
    yield sea, ucb, 1000, 3, 7
    yield "frozen-lake:map=HSFF/FFHG,hole=0.25", rounds, 1000, 3, 7
    yield sea, rounds, 1000, 3, 7


# the theory's preset: few steps, since nothing moves; what counts is `resolved`
THEORY = ((0.6, 0.05), (0.9, 0.5), (0.9, 0.0524), (0.95, None), (0.99, 1))


def theory_cell(spec, gamma, eps):
    """A cell of the theory's preset."""
    cell = clean_cell(run, "chain:n=5", spec, 50, 2, 7)
    return dict(cell, resolved=ucb_theory(gamma, eps or 0.1 / (1 - gamma)))


def runs():
    """Every cell."""
    for c in cells():
        yield Run(*c[:2], functools.partial(clean_cell, run, *c))
    for gamma, eps in THEORY:
        spec = f"ucb-q:preset=theory,gamma={gamma}" + (f",eps={eps}" if eps else "") + ",ties=random"
        yield Run("chain:n=5", spec, functools.partial(theory_cell, spec, gamma, eps))
