#!/usr/bin/env python3
"""Compares our tables with Gymnasium's, entry by entry: check.py DUMP.

Where an outcome ends the episode, its next state is terminal and has no outcomes here, while
Gymnasium's table lets it go on or loop; its rows are therefore not compared. Next states, rewards and
probabilities of all others are, reachable or not, and whether an outcome ends the episode. Where a state
is also entered by outcomes that end nothing, it is no terminal state: the ends lead to one more state,
the last, and its rows are compared like others.
"""
import json
import pathlib
import subprocess
import sys

TOLERANCE = 1e-12
passed, failed = 0, 0


def check(good, what):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good and failed <= 20:
        print("failed:", what)


def model(spec):
    out = subprocess.run([sys.argv[1], spec], capture_output=True, text=True)
    if out.returncode:
        sys.exit(f"{spec}: {out.stderr.strip()}")
    return json.loads(out.stdout)


def merge(outcomes):
    merged = {}
    for p, s, r in outcomes:
        merged[s, r] = merged.get((s, r), 0.0) + p
    return merged


def parse(text):
    return [[(float(p), int(s), float(r), done == "1")
             for p, s, r, done in (outcome.split() for outcome in action.split(";"))]
            for action in text.split("|")]


def equal(ours, theirs):
    return ours.keys() == theirs.keys() and all(abs(ours[k] - theirs[k]) <= TOLERANCE for k in ours)


def compare(case):
    spec, ours = case["spec"], model(case["spec"])
    rows = [parse(text) for text in case["rows"]]
    starts = {int(s): p for s, p in case["starts"].items()}
    ends, plain = ({s for row in rows for action in row for _, s, _, done in action if done == how}
                   for how in (True, False))
    both = ends & plain
    rows = [[[(p, len(rows) if done and s in both else s, r, done) for p, s, r, done in action]
             for action in row] for row in rows]
    check(ours["states"] == len(rows) + bool(both) and ours["actions"] == case["actions"], f"{spec}: the sizes")
    check(equal(merge((p, s, 0) for p, s, _, _ in ours["starts"]),
                {(s, 0): p for s, p in starts.items()}), f"{spec}: the starts")
    for s, (mine, theirs) in enumerate(zip(ours["rows"][:len(rows)], rows, strict=True)):
        for a, (here, there) in enumerate(zip(mine, theirs, strict=True)):
            if s in ends - both:
                check(here == [], f"{spec}: state {s} ends the episode and has no outcomes")
                continue
            check(equal(merge(o[:3] for o in here), merge(o[:3] for o in there)),
                  f"{spec}: state {s}, action {a}: {here} is not {there}")
            ending, wanted = ({o[1] for o in x if o[3]} for x in (here, there))
            check(ending == wanted, f"{spec}: state {s}, action {a}: which outcomes end the episode")


def cell(share, n):
    return min(max(int(share * n), 0), n - 1)


def compare_car(car):
    """One point a cell: its image must be the cell into which Gymnasium's step from it leads."""
    n, m = car["positions"], car["velocities"]
    ours = model(f"mountain-car:positions={n},velocities={m},points=1")
    check(ours["states"] == n * m + 1, "mountain-car: the size")
    check(all(row == [] for row in ours["rows"][n * m]), "mountain-car: the goal is terminal")
    check(abs(sum(o[0] for o in ours["starts"]) - 1) <= TOLERANCE, "mountain-car: the starts")
    for i, text in enumerate(car["steps"]):
        s, a = divmod(i, 3)
        x, v, done = map(float, text.split())
        there = cell((x + 1.2) / 1.7, n) * m + cell((v + 0.07) / 0.14, m) if not done else n * m
        check(ours["rows"][s][a] == [[1, there, -1, int(done)]],
              f"mountain-car: state {s}, action {a}: {ours['rows'][s][a]}, not {there}")


def main():
    data = json.loads(pathlib.Path(__file__).with_name("data.json").read_text())
    for case in data["tables"]:
        compare(case)
    compare_car(data["mountain_car"])
    print(f"Gymnasium {data['gymnasium']}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
