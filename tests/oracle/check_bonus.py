#!/usr/bin/env python3
"""The references of bonus_agents.py against paper and pencil and against what must be so.

check_oracle.py runs this.
"""

import math
import pathlib
import random
import re
import sys

import streams
from agents import make_agent
from bonus_agents import (
    INFINITE,
    gain_above,
    gamma_variate,
    make_bonus_agent,
    normal,
    student_density,
)

HERE = pathlib.Path(__file__).resolve().parent
KEYS = ("q", "bonus", "e", "n")


# -- hand traces ---------------------------------------------------------------------------------


def g3(z):
    """E[(T - z)+], three degrees of freedom."""
    return math.sqrt(3) / math.pi + z * (math.atan(z / math.sqrt(3)) / math.pi - 0.5)


def g4(z):
    """E[(T - z)+], four degrees of freedom."""
    return ((2 + z * z) / math.sqrt(4 + z * z) - z) / 2


def g5(z):
    """E[(T - z)+], five degrees of freedom."""
    rest = math.sqrt(5) / math.pi * (1 - 1 / (3 * (1 + z * z / 5)))
    return rest + z * (math.atan(z / math.sqrt(5)) / math.pi - 0.5)


NAMES = {"sqrt": math.sqrt, "ln": math.log, "inf": INFINITE, "g3": g3, "g4": g4, "g5": g5}


def number(text):
    """The number that a cell writes down."""
    return float(eval(text, {"__builtins__": {}}, NAMES))  # pylint: disable=eval-used


def cells_of(line):
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def step_of(row):
    """One step of a trace from {column: text}."""
    step = {key: int(row[key]) for key in ("s", "a", "next")}
    step.update(r=number(row["r"]), done=row["done"] == "1")
    step["values"] = {k: [number(x) for x in row[k].split(",")] for k in KEYS if k in row}
    return step


def hand_traces():
    """The tables of HAND_TRACES_BONUS.md."""
    traces, columns = [], None
    for line in (HERE / "HAND_TRACES_BONUS.md").read_text(encoding="utf-8").splitlines():
        problem = re.fullmatch(
            r"Problem: (\d+) states, (\d+) actions, rewards (\S+) to (\S+), episodes (never )?end",
            line,
        )
        if line.startswith("Agent: `"):
            traces.append({"agent": line.split("`")[1]})
        elif problem:
            states, actions, low, high, never = problem.groups()
            shape = dict(states=int(states), actions=int(actions), rmin=float(low))
            traces[-1].update(shape, rmax=float(high), episodic=never is None, steps=[])
        elif line.startswith("| t |"):
            columns = cells_of(line)
        elif line.startswith("|") and not line.startswith("|---"):
            traces[-1]["steps"].append(step_of(dict(zip(columns, cells_of(line), strict=True))))
    return traces


def check_hand_traces():
    """Every number of every table."""
    traces, rows = hand_traces(), 0
    for trace in traces:
        shape = [trace[key] for key in ("states", "actions", "rmin", "rmax", "episodic")]
        agent = make_bonus_agent(trace["agent"], *shape)
        for step in trace["steps"]:
            agent.observe(*(step[key] for key in ("s", "a", "r", "next", "done")))
            got = agent.values(step["s"])
            assert set(got) == set(step["values"]), (trace["agent"], step, got)
            for key, numbers in step["values"].items():
                assert len(numbers) == trace["actions"], (trace["agent"], step)
                for x, y in zip(numbers, got[key], strict=True):
                    assert math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-12), (
                        trace["agent"],
                        step,
                        got,
                    )
            rows += 1
    assert (len(traces), rows) == (11, 56), (len(traces), rows)
    return f"{rows} rows of {len(traces)} traces"


# -- distributions -------------------------------------------------------------------------------


def simpson(f, low, high, n):
    """Simpson's rule with n (even) intervals."""
    h = (high - low) / n
    inner = sum((4 if i % 2 else 2) * f(low + i * h) for i in range(1, n))
    return (f(low) + inner + f(high)) * h / 3


def integrated_gain(mu, sigma, nu, theta):
    """E[(q - theta)+] by quadrature, with q - theta = exp(x)."""

    def integrand(x):
        gap = math.exp(x)
        return gap * student_density(nu, (theta + gap - mu) / sigma) / sigma * gap

    return simpson(integrand, -40, 60 / (nu - 1) + 10, 20000)


def check_information():
    """E[(q - theta)+] against quadrature and against the closed forms."""
    worst, count = 0.0, 0
    for nu in (2.4, 3, 3.5, 4, 5, 8, 41, 300):
        for mu, sigma, theta in ((0, 1, 0), (1, 2, 1.5), (-1, 0.5, 0.5), (3, 1, 1), (10, 5, 0)):
            got = gain_above(mu, sigma, nu, theta)
            worst = max(worst, abs(got - integrated_gain(mu, sigma, nu, theta)))
            closed = {3: g3, 4: g4, 5: g5}.get(nu)
            if closed:
                assert abs(got - sigma * closed((theta - mu) / sigma)) < 1e-13, (nu, mu)
            count += 1
    assert worst < 1e-9, worst
    return f"{count} integrals, at most {worst:.0e} apart"


def check_variates():
    """Means and variances of the variates lie within five standard errors."""
    rng, n = streams.stream(5, 0, streams.AGENT), 40000
    cases = [("normal", 0, 1, 3, lambda: normal(rng))]
    cases += [(f"gamma {k}", k, k, 3 + 6 / k, lambda k=k: gamma_variate(rng, k)) for k in (0.3, 1.0, 1.5, 20.0)]
    for name, mean, variance, kurtosis, variate in cases:
        xs = [variate() for _ in range(n)]
        m = sum(xs) / n
        v = sum((x - m) ** 2 for x in xs) / n
        assert abs(m - mean) < 5 * math.sqrt(variance / n), (name, m)
        assert abs(v - variance) < 5 * variance * math.sqrt((kurtosis - 1) / n), (name, v)
    return f"{len(cases)} distributions"


# -- properties ----------------------------------------------------------------------------------


def random_steps(seed, n_states, n_actions, steps, ends=0.05):
    """Random transitions with rewards in [0, 1)."""
    rng = random.Random(seed)
    for _ in range(steps):
        s, a = rng.randrange(n_states), rng.randrange(n_actions)
        yield s, a, rng.random(), rng.randrange(n_states), rng.random() < ends


def check_counter():
    """dora with gamma_e = 0: C is the number of visits."""
    rule = "rule=softmax,place=target,decay=sqrt,temperature=1,q0=0"
    worst = 0.0
    for alpha_e in (0.01, 0.1, 0.5, 0.9):
        spec = f"dora:{rule},gamma=0.9,alpha=0.1,alpha_e={alpha_e},gamma_e=0,beta=0.1"
        agent = make_bonus_agent(spec, 3, 2, 0, 1)
        for step in random_steps(2, 3, 2, 10000):
            agent.observe(*step)
        for s in range(3):
            for x, n in zip(agent.values(s)["n"], agent.n[s], strict=True):
                worst = max(worst, abs(x - n) / n)
    assert worst < 1e-9, worst
    return f"relative error {worst:.0e}"


def check_minimum():
    """ucb-q: the running minimum never rises and stays above Q* of a deterministic problem."""
    agent = make_bonus_agent("ucb-q:gamma=0.9,c=0.02,h=10,log=off,ties=random", 4, 2, 0, 1)
    moves, rewards, best = deterministic(4, 2, 0.9)
    rng = random.Random(3)
    for _ in range(20000):
        s, a = rng.randrange(4), rng.randrange(2)
        before = agent.values(s)["q"][a]
        agent.observe(s, a, rewards[s][a], moves[s][a], False)
        after = agent.values(s)["q"][a]
        assert best[s][a] - 1e-9 <= after <= before, (s, a, before, after)
    gap = max(agent.values(s)["q"][a] - best[s][a] for s in range(4) for a in range(2))
    assert gap < 0.2, gap
    return f"within {gap:.3f} above Q*"


def deterministic(n_states, n_actions, gamma):
    """(next, reward, Q*) of a random deterministic problem."""
    rng = random.Random(4)
    pairs = [range(n_actions)] * n_states
    moves = [[rng.randrange(n_states) for _ in row] for row in pairs]
    rewards = [[round(rng.random(), 2) for _ in row] for row in pairs]
    v = [0.0] * n_states
    for _ in range(2000):
        q = [[r + gamma * v[y] for r, y in zip(*both, strict=True)] for both in zip(rewards, moves, strict=True)]
        v = [max(row) for row in q]
    return moves, rewards, q


def check_speedy():
    """speedy-q, form=round, on a deterministic problem: the error falls as 1/k, to Q*."""
    moves, rewards, best = deterministic(4, 2, 0.9)
    spec = "speedy-q:form=round,gamma=0.9,q0=0,explore=epsilon,epsilon=1,ties=random"
    agent = make_bonus_agent(spec, 4, 2, 0, 1)
    errors = {}
    for k in range(1, 8001):
        for s in range(4):
            for a in range(2):
                agent.observe(s, a, rewards[s][a], moves[s][a], False)
        if k in (500, 8000):
            gaps = (abs(agent.Q[s][a] - best[s][a]) for s in range(4) for a in range(2))
            errors[k] = max(gaps)
    assert agent.k == 8000
    # Azar et al., theorem 1 without noise: 2 beta^2 gamma/k in units of rmax, beta = 1/(1 - gamma)
    assert all(error <= 2 * 100 * 0.9 / k for k, error in errors.items()), errors
    assert errors[8000] < errors[500] / 8, errors
    return "errors " + ", ".join(f"{x:.1e} after {k} rounds" for k, x in errors.items())


def check_plain():
    """Without bonus count-q and dora learn what q-learning learns."""
    plain = "q-learning:gamma=0.9,q0=1,step=constant,alpha=0.3,explore=epsilon,epsilon=0,decay=none"
    rates = "gamma=0.9,alpha=0.3,alpha_e=0.2,gamma_e=0.7,beta=0,decay=sqrt,q0=1"
    same = [
        "count-q:gamma=0.9,place=target,beta=0,decay=sqrt,step=constant,alpha=0.3,q0=1",
        "count-q:gamma=0.9,place=choice,beta=7,decay=linear,step=constant,alpha=0.3,q0=1",
        f"dora:rule=lll-softmax,temperature=1,{rates}",
        f"dora:rule=epsilon,place=choice,epsilon=0.5,{rates}",
    ]
    for spec in same:
        one, other = make_agent(plain, 4, 3, 0, 1), make_bonus_agent(spec, 4, 3, 0, 1)
        for step in random_steps(6, 4, 3, 3000):
            one.observe(*step)
            other.observe(*step)
        for s in range(4):
            for x, y in zip(one.values(s)["q"], other.values(s)["q"], strict=True):
                assert abs(x - y) < 1e-12, spec
    return f"{len(same)} agents"


def main():
    """Run everything; an AssertionError is a failure."""
    for name, check in (
        ("hand traces, five more agents", check_hand_traces),
        ("the value of information", check_information),
        ("variates", check_variates),
        ("dora's counter is a counter", check_counter),
        ("ucb-q's minimum", check_minimum),
        ("speedy-q converges", check_speedy),
        ("no bonus, no difference from q-learning", check_plain),
    ):
        print(f"ok    {name}: {check()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
