#!/usr/bin/env python3
"""The agents of planners.py against paper and pencil and against each other.

check_oracle.py runs all of it.
"""

import math
import pathlib
import random
import re
from fractions import Fraction

import streams
from planners import box_best, dot, l1_best, make_planner, solve

HERE = pathlib.Path(__file__).resolve().parent
TRACES = HERE / "HAND_TRACES_MODEL.md"
PROBLEM = re.compile(
    r"Problem: (\d+) states?, (\d+) actions?, rewards in \[(\S+), (\S+)\], (continuing|episodic)"
    r"(?:, absent ([\d,]+))?"
)


# -- hand traces -------------------------------------------------------------------------------


def number(text):
    """A number from arithmetic with sqrt and ln."""
    assert re.fullmatch(r"([-+*/(). \d]|sqrt|ln)+", text), text
    return float(eval(text, {"__builtins__": {}}, {"sqrt": math.sqrt, "ln": math.log}))


def step_of(columns, cells):
    """One row of a table as a step."""
    row = dict(zip(columns, cells, strict=True))
    step = {key: int(row[key]) for key in ("s", "a")}
    step.update(r=float(Fraction(row["r"])), next=int(row["next"]), done=row["done"] == "1")
    step["values"] = {
        key: [(number if key in ("q", "bonus") else int)(x) for x in row[key].split(",")]
        for key in ("q", "bonus", "n", "learn")
        if key in row
    }
    return step


def hand_traces():
    """Every table of HAND_TRACES_MODEL.md."""
    traces, columns = [], None
    for line in TRACES.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("Agent: `"):
            traces.append({"agent": line.split("`")[1]})
        elif line.startswith("Problem:"):
            states, actions, low, high, kind, absent = PROBLEM.fullmatch(line).groups()
            traces[-1].update(states=int(states), actions=int(actions))
            traces[-1].update(rmin=float(low), rmax=float(high), episodic=kind == "episodic")
            if absent:
                traces[-1]["absent"] = [int(s) for s in absent.split(",")]
            traces[-1]["steps"] = []
        elif line.startswith("| t |"):
            columns = cells
        elif line.startswith("|") and not line.startswith("|---"):
            assert int(cells[0]) == len(traces[-1]["steps"]) + 1, line
            traces[-1]["steps"].append(step_of(columns, cells))
    return traces


def replay(trace):
    """The reference agent says what the trace says."""
    shape = [trace[key] for key in ("states", "actions", "rmin", "rmax", "episodic")]
    own = streams.stream(1, 0, streams.AGENT)
    agent = make_planner(trace["agent"], *shape, own, trace.get("absent", ()))
    for t, step in enumerate(trace["steps"], 1):
        agent.observe(*(step[key] for key in ("s", "a", "r", "next", "done")))
        values = agent.values(step["s"])
        assert set(values) == set(step["values"]), (trace["agent"], values)
        for key, numbers in step["values"].items():
            worst = max(abs(x - y) for x, y in zip(numbers, values[key], strict=True))
            same = len(numbers) == len(values[key]) and worst < 1e-12
            assert same, (trace["agent"], t, key, numbers, values[key])


def check_hand_traces():
    """All traces."""
    traces = hand_traces()
    for trace in traces:
        replay(trace)
    assert {t["agent"].split(":")[0] for t in traces} == set(AGENTS), "an agent has no trace"
    return f"{sum(len(t['steps']) for t in traces)} rows of {len(traces)} traces"


AGENTS = "r-max v-max mbie mbie-eb beb oim mormax e3 ucrl2 ucrl-gamma psrl rlsvi".split()


# -- agents that must coincide -----------------------------------------------------------------

SAME = (
    ("v-max:gamma=0.9,m=1", "r-max:gamma=0.9,m=1,plan=full"),
    ("mbie:gamma=0.9,a=0,b=0,replan=1", "mbie-eb:gamma=0.9,beta=0,replan=1"),
    ("ucrl-gamma:gamma=0.9,a=0,l1=0,batch=1,delay=0", "mbie:gamma=0.9,a=0,b=0,replan=1"),
    ("beb:gamma=0.9,beta=0,prior=0,replan=1.1", "mbie-eb:gamma=0.9,beta=0,replan=1.1"),
)


def random_step(rng):
    """A step of a problem with 4 states, 2 actions and ends."""
    s, a = rng.randrange(4), rng.randrange(2)
    r = 0.3 * s + 0.1 * a - 0.5 + 0.4 * rng.random()
    return s, a, r, rng.randrange(4), rng.random() < 0.1


def furthest(one, other):
    """The greatest difference between two tables."""
    return max(abs(x - y) for s in one for x, y in zip(one[s], other[s], strict=True))


def check_same():
    """Both agents of a pair learn the same; ucrl-gamma is asked when it has just planned."""
    for specs in SAME:
        rng = random.Random(2)
        one, other = (make_planner(spec, 4, 2, -0.5, 1.0) for spec in specs)
        for _ in range(150):
            step = random_step(rng)
            one.observe(*step)
            other.observe(*step)
            if getattr(one, "planned", one.n) == one.n or specs[0].startswith("beb"):
                gap = furthest(one.Q, other.Q)
                assert gap < 1e-12, (specs, gap)
    return f"{len(SAME)} pairs of agents"


# -- the best distribution in a ball or a box --------------------------------------------------


def random_simplex(rng, n):
    """A random distribution, often with zeros."""
    x = [rng.random() * rng.choice((0, 1, 1)) for _ in range(n)]
    x[rng.randrange(n)] += 0.1
    total = math.fsum(x)
    return {y: k / total for y, k in enumerate(x)}


def distances(p, other):
    """How far two rows are apart in each outcome."""
    return [abs(p[y] - other[y]) for y in p]


def on_the_way(p, other, share):
    """The row a share of the way from p to the other."""
    return {y: p[y] + share * (other[y] - p[y]) for y in p}


def check_best():
    """l1_best and box_best return allowed distributions, and no allowed random one is better."""
    rng, beaten = random.Random(3), 0
    for _ in range(3000):
        n = rng.randrange(1, 6)
        p, other = random_simplex(rng, n), random_simplex(rng, n)
        v = {y: rng.choice((0, 1, rng.random())) for y in range(n)}
        width = rng.choice((0, 0.1, 0.7, 2, 5))
        best = l1_best(p, width, v)
        assert abs(math.fsum(best.values()) - 1) < 1e-12 and min(best.values()) >= 0
        assert math.fsum(distances(best, p)) <= width + 1e-12
        distance = math.fsum(distances(other, p))
        share = min(1.0, width / distance) if distance > 0 else 0.0
        assert dot(on_the_way(p, other, share), v) <= dot(best, v) + 1e-12
        low = {y: max(0.0, x - width / 4) for y, x in p.items()}
        high = {y: min(1.0, x + width / 4) for y, x in p.items()}
        boxed = box_best(low, high, v)
        assert abs(math.fsum(boxed.values()) - 1) < 1e-12
        assert all(low[y] - 1e-12 <= x <= high[y] + 1e-12 for y, x in boxed.items())
        far = max(distances(other, p))
        share = min(1.0, width / 4 / far) if far > 0 else 0.0
        assert dot(on_the_way(p, other, share), v) <= dot(boxed, v) + 1e-12
        beaten += dot(best, v) > dot(p, v) + 1e-9
    assert beaten > 500, beaten
    return "3000 random rows"


# -- a first batch that rounds above Vmax ------------------------------------------------------


def check_first_batch():
    """Rows worth Vmax are kept, however 1 + gamma Vmax rounds, and their values fall with others."""
    for percent in range(10, 100):
        gamma = percent / 100
        agent = make_planner(f"mormax:gamma={gamma},m=3", 2, 2, 0.0, 1.0, False)
        for s, a, r, nxt in ((0, 0, 1.0, 1), (0, 1, 0.9, 0), (1, 0, 0.0, 0), (1, 1, 0.0, 0)):
            for _ in range(3):
                agent.observe(s, a, r, nxt, False)
        best = max(0.9 / (1 - gamma), 1 / (1 - gamma * gamma))
        assert abs(max(agent.Q[0]) - best) < 1e-9, (gamma, agent.Q)
        assert None not in agent.rows[0] + agent.rows[1], gamma
    return "90 discounts"


# -- randomised agents -------------------------------------------------------------------------


def check_rlsvi_limit():
    """RLSVI without noise and with many visits solves the empirical model."""
    agent = make_planner("rlsvi:gamma=0.9,sp=5,sn=0.5,resample=fixed,tau=1", 3, 2, 0.0, 1.0, False)
    rng = random.Random(4)
    for s in range(3):
        for a in range(2):
            counts = [rng.randrange(1, 9) for _ in range(3)]
            agent.c[s][a] = {y: 10**8 * k for y, k in enumerate(counts)}
            agent.n[s][a] = 10**8 * sum(counts)
            agent.rsum[s][a] = rng.random() * agent.n[s][a]
    agent.z = agent.table(0.0)
    agent.plan()

    def empirical(s, a, v):
        return agent.mean_r(s, a) + 0.9 * dot(agent.row(s, a), v)

    gap = furthest(agent.Q, solve(agent.table(0.0), empirical, agent.look, 0.9))
    assert gap < 1e-8, gap
    return f"gap {gap:.0e}"


def moments(samples):
    """(mean, its standard error, variance, its standard error)."""
    n = len(samples)
    mean = math.fsum(samples) / n
    squares = [(x - mean) ** 2 for x in samples]
    var = math.fsum(squares) / n
    spread = math.fsum((x - var) ** 2 for x in squares) / n
    return mean, math.sqrt(var / n), var, math.sqrt(spread / n)


def check_dirichlet():
    """Sticks give the unseen outcomes the moments of the full Dirichlet distribution."""
    draws = 20000
    for prior, counts in ((2.0, (3, 0, 1, 0, 0, 0)), (0.5, (0, 2, 0, 0, 0, 0)), (9.0, (0,) * 6)):
        spec = f"psrl:gamma=0.9,prior={prior},mu0=0,sp=1,sn=1,resample=fixed,tau=1"
        agent = make_planner(spec, 6, 1, 0.0, 1.0, False, streams.stream(5, 0, streams.AGENT))
        seen = [y for y in range(6) if counts[y]]
        rows = [agent.transitions(seen, counts) for _ in range(draws)]
        alpha = [k + prior / 6 for k in counts]
        total = sum(alpha)
        for y in range(6):
            mean, mean_error, var, var_error = moments([row[y] for row in rows])
            want = alpha[y] * (total - alpha[y]) / (total**2 * (total + 1))
            assert abs(mean - alpha[y] / total) < 5 * mean_error, (prior, y, mean)
            assert abs(var - want) < 5 * var_error, (prior, y, var, want)
        pair = [row[4] * row[5] for row in rows]  # both unseen
        mean, error, _, _ = moments(pair)
        assert abs(mean - alpha[4] * alpha[5] / (total * (total + 1))) < 5 * error
    return f"{draws} rows of 3 posteriors"


def run_all():
    """(what, outcome) of every check; an AssertionError is a failure."""
    yield "planners: hand traces", check_hand_traces()
    yield "planners: agents that coincide", check_same()
    yield "planners: best in a ball, in a box", check_best()
    yield "planners: first batches of mormax", check_first_batch()
    yield "planners: rlsvi without noise", check_rlsvi_limit()
    yield "planners: sampled rows", check_dirichlet()


if __name__ == "__main__":
    for name, outcome in run_all():
        print(f"ok    {name}: {outcome}")
