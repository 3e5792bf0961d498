#!/usr/bin/env python3
"""The oracle checked against itself and against paper and pencil; needs nothing but this folder.

1. xoshiro256++ against the published outputs.  2. HAND_TRACES.md, every table.  3. Listings that
must coincide: directed with lambda = 0 against delayed-q-ie and delayed-q.  4. lockup.json.
5. Everything in check_live.py, check_planners.py, check_baselines.py and check_bonus.py.
"""

import json
import pathlib
import random
import sys
from fractions import Fraction

import check_baselines
import check_bonus
import check_live
import check_planners
import find_lockup
import streams
from agents import make_agent

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("q", "e", "bonus", "n", "learn")


def cells_of(line):
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def hand_traces():
    """Yield (spec, rows) of every table in HAND_TRACES.md; a row is {column: text}."""
    spec, columns, rows = None, None, []
    for line in (HERE / "HAND_TRACES.md").read_text(encoding="utf-8").splitlines() + [""]:
        if line.startswith("Agent: `"):
            spec = line.split("`")[1]
        elif line.startswith("| t |"):
            columns = cells_of(line)
        elif line.startswith("|") and columns and not line.startswith("|---"):
            rows.append(dict(zip(columns, cells_of(line), strict=True)))
        elif not line and rows:
            yield spec, rows
            columns, rows = None, []


def check_trace(spec, rows):
    """Replay one table."""
    agent = make_agent(spec, 1, 2 if "a" in rows[0] else 1, 0.0, 1.0)
    for row in rows:
        a = int(row.get("a", 0))
        agent.observe(0, a, float(row.get("r", 0.5)), 0, row.get("done") == "1")
        values = agent.values(0)
        for key in set(COLUMNS) & set(row):
            assert abs(values[key][a] - Fraction(row[key])) < 2e-6, (spec, row, values)


def check_hand_traces():
    """All tables of HAND_TRACES.md."""
    count = 0
    for spec, rows in hand_traces():
        check_trace(spec, rows)
        count += len(rows)
    assert count == 8 + 8 + 11 + 12 + 9 + 3 * 9, count
    return f"{count} rows"


NUMBERS = "gamma=0.9,eps1=0.1,m=4"
DIRECTED = (
    f"directed-delayed-q:{NUMBERS},lambda=0,eta=0.9,e0=0.8,gamma_e=0.7,rho=0.5,clamp=on,ties=random"
)
SAME = [
    (
        f"{DIRECTED},delay=interval,learn={rule}",
        f"delayed-q-ie:{NUMBERS},rho=0.5,learn={rule},ties=random",
    )
    for rule in ("2009", "printed")
] + [(f"{DIRECTED},delay=full,learn=2009", f"delayed-q:{NUMBERS},form=2009,ties=random")]


def check_same():
    """Both agents of a pair learn the same from the same random transitions."""
    for specs in SAME:
        rng = random.Random(1)
        one, other = (make_agent(spec, 4, 2, -0.5, 1.0) for spec in specs)
        for _ in range(20000):
            s, a = rng.randrange(4), rng.randrange(2)
            r = 0.3 * s + 0.1 * a - 0.5 + 0.4 * rng.random()
            step = (s, a, r, rng.randrange(4), rng.random() < 0.05)
            one.observe(*step)
            other.observe(*step)
            x, y = one.values(s), other.values(s)
            assert x["n"] == y["n"] and x["learn"] == y["learn"], specs
            assert max(abs(p - q) for p, q in zip(x["q"], y["q"], strict=True)) < 1e-11, specs
        assert one.audit.events["on again"] and one.audit.events["off"]
    return f"{len(SAME)} pairs of agents"


def check_lockup():
    """lockup.json gives what it says."""
    known = json.loads((HERE / "lockup.json").read_text(encoding="ascii"))
    params = {key: known[key] for key in ("gamma", "eps1", "m")}
    problem = known["next"], known["reward"]
    for rule, average in known["average"].items():
        assert find_lockup.long_run(problem, params, rule) == average
    assert known["average"]["2009"] - known["average"]["printed"] >= find_lockup.GAP
    return str(known["average"])


def main():
    """Run everything; an AssertionError is a failure."""
    streams.check_published()
    print(f"ok    xoshiro256++: {len(streams.PUBLISHED)} published outputs")
    print(f"ok    hand traces: {check_hand_traces()}")
    print(f"ok    listings that coincide: {check_same()}")
    print(f"ok    lock-up: {check_lockup()}")
    for name, outcome in [*check_live.run_all(), *check_planners.run_all(), *check_baselines.run_all()]:
        print(f"ok    {name}: {outcome}")
    return check_bonus.main()


if __name__ == "__main__":
    sys.exit(main())
