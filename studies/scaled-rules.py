#!/usr/bin/env python3
"""The search behind preset=scaled of the delayed family (docs/tuning.md), on its tuning problems.

usage: studies/scaled-rules.py FARSIGHT [search N | table]

search N  N random rules (default 100); prints the best, and the middle of the best twentieth
table     the chosen rules beside preset=practical and other agents

A rule is H = N/a between 3 and 20, m = b N, eps1 = x R/H, rho = k eps1 sqrt(m), lambda as printed; N = steps/(S A) is a pair's
share of the steps. A score is (reward - random policy's)/(best policy's - random policy's), in the mean of a run's steps.
"""
import json
import math
import random
import subprocess
import sys

PROBLEMS = [
    "chain:n=5", "chain:n=10", "chain:n=20,slip=0.3", "chain:n=8,left=0.1,slip=0.1", "chain:n=40,slip=0.1",
    "chain:n=25,slip=0.2,left=0.01", "chain:n=12,slip=0.35,left=0.005",
    "garnet:states=10,seed=1", "garnet:states=30,seed=2", "garnet:states=50,seed=3,branching=2,rewarded=0.02",
    "garnet:states=15,actions=2,seed=4,rewarded=0.05", "garnet:states=100,actions=2,branching=1,seed=5,rewarded=0.01",
    "garnet:states=20,actions=4,branching=5,seed=6,rewarded=0.03", "dirichlet:states=10,seed=1", "threearms", "loop",
    "grid:slip=0.1,map=S..../...../...##/..#../....G",
    "grid:slip=0.2,map=S##.../.....#/#...P./....../....../.....G,pit=-1",
    "grid:slip=0,step=-0.1,map=S..#.../.#...../......#/......./.#...../.#.#.../.....#G",
    "grid:slip=0.3,pit=0,map=S.#./..../..../.#.G",
    "grid:slip=0.1,map=S................G",
    "grid:slip=0.1,map=S..#..#../#..#..#../......###/.#....#../#..##..../........#/##.##..../#..#..#../.....#..G",
    "grid:slip=0.2,pit=0,map=S.#...../......../......P./.#.....P/P....#../......#./.P....../.......G",
]
LENGTHS = [(3000, 8), (10000, 8), (100000, 2)]  # steps, runs


def ask(farsight, *args):
    out = subprocess.run([farsight, *args, "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)


def means(farsight, env, agents, steps, runs, seed):
    found = []
    for i in range(0, len(agents), 50):
        words = [w for a in agents[i:i + 50] for w in ("-a", a)]
        out = ask(farsight, "run", "-e", env, *words, "--steps", str(steps), "--runs", str(runs), "--seed", str(seed))
        found += [c["mean"] / steps for c in out["cells"]]
    return found


def rule(problem, steps, p):
    pairs = problem["states"] * problem["actions"]
    share, scale = steps / pairs, problem["range"]
    a, b, x, k = p
    horizon = min(max(share / a, 3), 20)
    m = max(1, math.ceil(b * share))
    eps1 = x * scale / horizon
    return (f"directed-delayed-q:gamma={1 - 1 / horizon!r},m={m},eps1={eps1!r},"
            f"rho={k * eps1 * math.sqrt(m)!r}")


def scores(farsight, agents_of, n, seed):
    """[length][agent]: the mean score over the problems."""
    total = [[0.0] * n for _ in LENGTHS]
    for env in PROBLEMS:
        problem = ask(farsight, "pac", "directed-delayed-q", "-e", env)["problem"]
        low, high = means(farsight, env, ["random", "optimal"], 100000, 20, 77)
        for row, (steps, runs) in zip(total, LENGTHS, strict=True):
            found = means(farsight, env, agents_of(problem, steps), steps, runs, seed)
            for i, x in enumerate(found):
                row[i] += (x - low) / (high - low) / len(PROBLEMS)
    return total


def search(farsight, n):
    draw = random.Random(1)
    rules = [tuple(10 ** draw.uniform(*ends) for ends in ((0.8, 1.8), (-0.5, 1.7), (-4, -0.7), (-2.5, 0.5)))
             for _ in range(n)]
    found = scores(farsight, lambda problem, steps: [rule(problem, steps, p) for p in rules], n, 5)
    order = sorted(range(n), key=lambda i: -sum(row[i] for row in found))
    for i in order[:20]:
        print("%.3f" % (sum(row[i] for row in found) / 3), ["%.3f" % row[i] for row in found],
              "H = N/%.1f, m = %.2f N, eps1 = %.5f R/H, rho = %.3f eps1 sqrt(m)" % rules[i])
    best = order[:max(1, n // 20)]
    print("the best twentieth, geometric means:",
          ["%.3g" % 10 ** (sum(math.log10(rules[i][j]) for i in best) / len(best)) for j in range(4)])


def table(farsight):
    names = ["directed-delayed-q", "directed-delayed-q:preset=practical", "delayed-q-ie", "delayed-q-ie:preset=practical",
             "delayed-q", "delayed-q:preset=practical", "q-learning", "ucb-q", "r-max", "mbie-eb"]
    delayed = {"directed-delayed-q", "delayed-q-ie", "delayed-q"}
    found = scores(farsight, lambda problem, steps: [a + f":steps={steps}" if a in delayed else a for a in names],
                   len(names), 31)
    print("| agent | " + " | ".join(f"{steps} steps" for steps, _ in LENGTHS) + " |\n|---|--:|--:|--:|")
    for i, a in enumerate(names):
        print(f"| `{a}` | " + " | ".join("%.2f" % row[i] for row in found) + " |")


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[2] == "table":
        table(sys.argv[1])
    else:
        search(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 100)
