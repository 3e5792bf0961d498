"""Whole runs of directed-delayed-q, delayed-q, delayed-q-ie and q-learning.

A cell is refused if a decision in it comes within 1e-9 of the other side, except for exact ties
between equal learned numbers.
"""

import functools

import streams
from agents import make_agent, parse
from full_runs import Run, clean_cell, total_reward
from worlds import make_world

TOLERANCE = 1e-9


# -- acting ------------------------------------------------------------------------------------


def decisive(difference):
    """Refuse to decide by a difference that rounding may have made; exactly 0 is a tie."""
    if 0 < abs(difference) < TOLERANCE:
        raise ArithmeticError(f"a decision hangs on {difference!r}")


def check_ties(agent, s):
    """The greedy choice at s is clear, or its ties are equal in every learned number."""
    values, learned = agent.action_values(s), agent.values(s)
    best = max(values)
    for v in values:
        decisive(best - v)
    for key in ("q", "e"):
        tied = {x for x, v in zip(learned.get(key, values), values, strict=True) if v == best}
        if len(tied) > 1:
            raise ArithmeticError(f"equal values from different {key}: {sorted(tied)}")


def greedy(agent, s, rng):
    """Scan upwards; the k-th of k equal actions replaces the kept one with probability 1/k."""
    check_ties(agent, s)
    if agent.ties != "random":
        return agent.greedy_set(s)[0]
    values = agent.action_values(s)
    best, kept, count = values[0], 0, 1
    for a in range(1, len(values)):
        if values[a] > best:
            best, kept, count = values[a], a, 1
        elif values[a] == best:
            count += 1
            if rng.below(count) == 0:
                kept = a
    return kept


def epsilon_greedy(agent, s, rng):
    """The coin always comes first; then a uniform or a greedy action."""
    epsilon, coin = agent.epsilon(s), rng.unit()
    decisive(coin - epsilon)
    if coin < epsilon:
        return rng.below(agent.n_actions)
    return greedy(agent, s, rng)


def softmax(agent, s, rng):
    """The first action whose cumulative weight exceeds a uniform number of [0, total)."""
    weights = agent.softmax_weights(s)
    total = 0.0
    for w in weights:  # in this order; sum() compensates in newer Pythons
        total += w
    u, cumulative = rng.unit() * total, 0.0
    for a, w in enumerate(weights):
        cumulative += w
        decisive(cumulative - u)
        if cumulative > u:
            return a
    return len(weights) - 1


def policy(spec):
    """The way of acting that goes with a spec."""
    name, params = parse(spec)
    if name != "q-learning":
        return greedy
    return {"epsilon": epsilon_greedy, "softmax": softmax}[params["explore"]]


# -- runs --------------------------------------------------------------------------------------


def run(env, spec, steps, seed, replicate):
    """The total reward of one run."""
    world = make_world(env)
    agent = fresh_agent(world, spec)
    luck = streams.stream(seed, replicate, streams.TRANSITION)
    own = streams.stream(seed, replicate, streams.AGENT)
    way = policy(spec)
    total = total_reward(world, agent, lambda s: way(agent, s, own), steps, luck)
    if agent.audit.closest < TOLERANCE:
        raise ArithmeticError(f"a success test hangs on {agent.audit.closest!r}")
    return total


def fresh_agent(world, spec):
    """An agent for a world."""
    return make_agent(spec, world.n, world.n_actions, world.rmin, world.rmax, world.absent)


DIRECTED = "directed-delayed-q:gamma={},eps1={},m={},lambda={},eta={},e0={},gamma_e={},rho={}"


def directed(numbers, delay, learn, clamp, ties="random"):
    """A spec of directed-delayed-q."""
    return f"{DIRECTED.format(*numbers)},delay={delay},learn={learn},clamp={clamp},ties={ties}"


def cells():
    """(env, agent, steps, runs, seed) of every cell."""
    usual = (0.95, 0.2, 5, 1.3, 0.8, 0.8, 0.99, 0.3)
    yield "chain:n=5", directed(usual, "interval", "2009", "on"), 1000, 3, 7
    yield "chain:n=10", directed(usual, "interval", "2009", "on"), 2000, 3, 7
    yield "chain:n=20", directed(usual, "interval", "2009", "on"), 3000, 3, 7
    yield "chain:n=10", directed(usual, "interval", "2009", "off"), 2000, 3, 7
    yield "chain:n=10", directed(usual, "interval", "printed", "on"), 2000, 3, 7
    yield "chain:n=10", directed(usual, "interval", "printed", "off"), 2000, 3, 7
    full = (0.95, 0.15, 3, 2.0, 0.85, 0.8, 0.9, 1.0)
    yield "chain:n=10", directed(full, "full", "2009", "on"), 2000, 3, 7
    yield "chain:n=10", directed(full, "full", "2009", "off", "lowest"), 2000, 3, 7
    yield "chain:n=5", directed(full, "full", "printed", "on", "highest"), 1500, 3, 7
    short = (0.95, 0.15, 2, 2.5, 0.85, 0.7, 0.9, 0.0)
    yield "chain:n=20", directed(short, "full", "printed", "off"), 3000, 3, 7
    plain = (0.9, 0.1, 4, 0.0, 0.9, 0.9, 0.25, 0.35)
    yield "chain:n=5", directed(plain, "interval", "2009", "on"), 2000, 3, 11
    rich = (0.9, 0.15, 4, 3.0, 0.7, 0.6, 0.25, 0.5)
    other = "chain:n=6,slip=0.1,left=0.01,right=2"
    yield other, directed(rich, "interval", "2009", "on"), 1500, 4, 3
    yield "chain:n=5", "delayed-q:gamma=0.95,eps1=0.17,m=5,form=2009,ties=random", 1500, 3, 7
    yield "chain:n=10", "delayed-q:gamma=0.95,eps1=0.17,m=5,form=2009,ties=random", 3000, 3, 7
    yield "chain:n=10", "delayed-q:gamma=0.9,eps1=0.05,m=1,form=2009,ties=lowest", 2000, 3, 7
    yield "chain:n=10", "delayed-q:gamma=0.95,eps1=0.17,m=5,form=2006,ties=random", 3000, 3, 7
    yield "chain:n=5", "delayed-q:gamma=0.9,eps1=0.11,m=3,form=2006,ties=highest", 1000, 3, 7
    for learn in ("2009", "printed"):
        ie = f"delayed-q-ie:gamma=0.95,eps1=0.1,m=8,rho=0.6,learn={learn},ties=random"
        yield "chain:n=10", ie, 3000, 3, 7
    yield from q_learning_cells()
    visit = "gamma_e=0.75,e_rule=visit,alpha_e=0.0625,rho=0.5,delay=interval,ties=random"
    base = "directed-delayed-q:gamma=0.8125,eps1=0.125,m=3"
    yield "chain:n=10", f"{base},lambda=2,eta=0.8,e0=0.8,{visit},learn=2009,clamp=on", 2000, 3, 7
    root = f"{base},lambda=2,bonus=sqrt,e0=0.875,{visit},learn=printed,clamp=off"
    yield "chain:n=10", root, 2000, 3, 7
    yield "frozen-lake:hole=0.25", root, 2000, 3, 7
    rest = "rho=0.1,delay=interval,threshold=-0.25,learn=2009,clamp=off,ties=random"
    yield "chain:n=10", f"{base},lambda=0.5,eta=0.8,e0=0.8,gamma_e=0.5,{rest}", 2000, 3, 7
    yield "frozen-lake:hole=0.25", directed(usual, "interval", "2009", "on"), 2000, 3, 7
    yield "deepsea:n=4,mapping=fixed", directed(full, "full", "2009", "on"), 1000, 3, 7


def theory_cell(env, spec):
    """A cell of the theory's preset: few steps, since nothing moves; what counts is `resolved`."""
    agent = fresh_agent(make_world(env), spec)
    keys = {"m": agent.m, "eps1": agent.eps1}
    for key, name in (("rho", "rho"), ("lambda", "lam"), ("eta", "eta")):
        if hasattr(agent, name) and not (key == "rho" and "delay=full" in spec):
            keys[key] = getattr(agent, name)
    return dict(clean_cell(run, env, spec, 100, 2, 7), resolved=keys)


def theory_specs():
    """(env, agent) of every cell of the theory's preset."""
    repaired = "learn=2009,clamp=on,ties=random"
    for env in ("frozen-lake:hole=0.25", "deepsea:n=4,mapping=fixed"):
        for spec in (
            f"directed-delayed-q:preset=theory,gamma=0.9,delay=interval,{repaired}",
            f"directed-delayed-q:preset=theory,gamma=0.8,eps=0.3,delay=full,{repaired}",
            "delayed-q:preset=theory,gamma=0.9,delta=0.05,form=2009,ties=random",
            "delayed-q-ie:preset=theory,gamma=0.95,learn=2009,ties=random",
        ):
            yield env, spec


def q_learning_cells():
    """The cells of q-learning: every schedule, step size and way of exploring."""
    constant = "q0=0,step=constant,alpha=0.1,explore=epsilon,epsilon=0.1,decay=none,ties=random"
    linear = "q0=0,step=constant,alpha=0.2,explore=epsilon,epsilon=0.9,decay=linear"
    linear += ",epsilon_end=0.01,decay_steps=1500,ties=random"
    state = "q0=0,step=polynomial,omega=0.7,offset=1,explore=epsilon,decay=state,c=5,ties=random"
    optimistic = "q0=20,step=constant,alpha=0.5,explore=epsilon,epsilon=0,decay=none"
    for n, rest, steps in (
        (5, constant, 2000),
        (10, linear, 3000),
        (10, state, 2000),
        (10, optimistic + ",ties=random", 2000),
        (20, optimistic + ",ties=lowest", 3000),
        (5, "q0=0,step=constant,alpha=0.2,explore=softmax,temperature=0.1", 2000),
        (10, "q0=5,step=polynomial,omega=0.6,offset=1,explore=softmax,temperature=0.05", 2000),
    ):
        yield f"chain:n={n}", "q-learning:gamma=0.95," + rest, steps, 3, 7


def runs():
    """Every cell."""
    for c in cells():
        yield Run(*c[:2], functools.partial(clean_cell, run, *c))
    for env, spec in theory_specs():
        yield Run(env, spec, functools.partial(theory_cell, env, spec))
