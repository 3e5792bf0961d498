#!/usr/bin/env python3
"""Decisions of far_ranking against those of ranking_oracle.py, which are kept in ranking_cases.json: p-values to the
last bit, since they are counts. usage: check_ranking.py PRINT_STATISTICS"""
import json
import math
import pathlib
import subprocess
import sys

RULE = {"alpha": 0.05, "first": 100, "growth": 1.5, "most": 10000, "seed": 1}
COUNTS = ("better", "look", "runs", "skewed")
REALS = ("mean", "p", "p_adjusted")


def answer(case):
    rule, runs = {**RULE, **case["rule"]}, case["runs"]
    words = ["ranking", *(repr(rule[key]) for key in RULE), str(len(runs)), str(len(runs[0]))]
    for x in (x for env in runs for x in env):
        words += [str(len(x)), *map(float.hex, x)]
    done = subprocess.run([sys.argv[1]], input=" ".join(words), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    numbers = list(map(float, done.stdout.split()))
    keys = ("better", "look", "runs", "mean", "p", "p_adjusted", "skewed")
    return [dict(zip(keys, numbers[i:i + 7], strict=True)) for i in range(0, len(numbers), 7)]


def same(x, y):
    return x == y or (x != x and y != y) or math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-13)


def main():
    cases = json.loads((pathlib.Path(__file__).parent / "ranking_cases.json").read_text())
    passed, wrong = 0, []
    for case in cases:
        found = answer(case)
        wrong += [] if len(found) == len(case["pairs"]) else [(case["what"], len(found))]
        for ours, theirs in zip(found, case["pairs"], strict=True):
            bad = [k for k in COUNTS if ours[k] != theirs[k]] + [k for k in REALS if not same(ours[k], theirs[k])]
            passed += not bad
            wrong += [(case["what"], theirs, k, ours[k]) for k in bad]
    for line in wrong:
        print("failed:", *line)
    print(f"{passed} passed, {len(wrong)} failed")
    return bool(wrong) or passed == 0


if __name__ == "__main__":
    sys.exit(main())
