#!/usr/bin/env python3
"""The certificates of farsight solve against exact rational arithmetic: what error and residual are said to
bound, they bound to the last bit. usage: check_exact.py FARSIGHT"""
import json
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

FARSIGHT = sys.argv[1]
failures = 0
checks = 0


def check(good, what):
    global failures, checks
    checks += 1
    if not good:
        failures += 1
        print("failed:", what)


def farsight(*args):
    done = subprocess.run([FARSIGHT, *map(str, args)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (args, done.stderr)
    return json.loads(done.stdout)


class Model:
    """The model as it is stored: every double is a fraction."""

    def __init__(self, env):
        P = farsight("convert", env, "--to", "json")["P"]
        self.env, self.S, self.A = env, len(P), len(P["0"])
        rows = [[P[str(s)][str(a)] for a in range(self.A)] for s in range(self.S)]
        self.ended = [all(t[1] == s and t[3] for row in rows[s] for t in row) for s in range(self.S)]
        self.P = [[[(Fraction(p), n) for p, n, _, _ in row] for row in pairs] for pairs in rows]
        self.r = [[sum(Fraction(p) * Fraction(r) for p, _, r, _ in row) for row in pairs] for pairs in rows]

    def backup(self, v, gamma):
        """q of values that are 0 at the ends, exactly."""
        return [[0 if self.ended[s] else self.r[s][a] + gamma * sum(p * v[n] for p, n in self.P[s][a])
                 for a in range(self.A)] for s in range(self.S)]

    def evaluate(self, weight, gamma):
        """The exact values of a policy, by elimination."""
        m = []
        for s in range(self.S):
            row = [Fraction(int(i == s)) for i in range(self.S)] + [Fraction(0)]
            for a in range(self.A if not self.ended[s] else 0):
                row[-1] += weight[s][a] * self.r[s][a]
                for p, n in self.P[s][a]:
                    row[n] -= 0 if self.ended[n] else gamma * weight[s][a] * p
            m.append(row)
        for i in range(self.S):
            for k in range(self.S):
                factor = m[k][i] / m[i][i] if k != i else 0
                if factor:
                    m[k] = [x - factor * y for x, y in zip(m[k], m[i], strict=True)]
        return [m[i][-1] / m[i][i] for i in range(self.S)]

    def best(self, policy, gamma):
        """The exact optimal values: policy iteration from one that is as good as best."""
        while True:
            v = self.evaluate([[int(a == b) for b in range(self.A)] for a in policy], gamma)
            q = self.backup(v, gamma)
            better = [max(range(self.A), key=lambda a: (q[s][a], a == policy[s])) for s in range(self.S)]
            if better == policy:
                return v, q
            policy = better


def compare(x, v, q, backup, what):
    error, residual = Fraction(x["error"]), Fraction(x["residual"])
    own = [[Fraction(y) for y in row] for row in x["q"]]
    far = max(abs(Fraction(a) - b) for a, b in zip(x["v"], v, strict=True))
    check(far <= error, f"{what}: v is off by {float(far)}, certified {x['error']}")
    far = max(abs(a - b) for mine, exact in zip(own, q, strict=True) for a, b in zip(mine, exact, strict=True))
    check(far <= error, f"{what}: q is off by {float(far)}, certified {x['error']}")
    far = max(abs(a - b) for mine, exact in zip(own, backup(own), strict=True) for a, b in zip(mine, exact, strict=True))
    check(far <= residual, f"{what}: residual {float(far)}, said {x['residual']}")


def check_best(model, gamma, tolerance):
    for method in ("value", "gauss-seidel", "modified", "policy", "topological", "auto"):
        x = farsight("solve", "-e", model.env, "--gamma", gamma, "--tolerance", tolerance, "--method", method,
                     "--json")
        g = Fraction(x["gamma"])
        v, q = model.best(x["policy"], g)
        compare(x, v, q, lambda own: model.backup([max(row) for row in own], g),
                f"{model.env} gamma {gamma} tolerance {tolerance} {method}")


def check_policy(model, gamma, tolerance, weights):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "policy.txt"
        path.write_text("\n".join(" ".join(map(str, row)) for row in weights))
        x = farsight("solve", "-e", model.env, "--gamma", gamma, "--tolerance", tolerance, "--policy", path, "--json")
    g = Fraction(x["gamma"])
    exact = [[Fraction(w) / sum(map(Fraction, row)) for w in row] for row in weights]
    v = model.evaluate(exact, g)
    mix = lambda q: [sum(w * y for w, y in zip(*rows, strict=True)) for rows in zip(exact, q, strict=True)]
    compare(x, v, model.backup(v, g), lambda own: model.backup(mix(own), g),
            f"{model.env} gamma {gamma} tolerance {tolerance} policy {weights[0]}")


def main():
    small = "garnet:states=7,actions=3,branching=3,seed=4"
    for env in ("chain:n=5", "riverswim", "loop", small, "frozen-lake", "dirichlet:states=5,actions=2"):
        model = Model(env)
        thirds = [[0.1 * (a + 1 + s % 2) for a in range(model.A)] for s in range(model.S)]
        thirds = [[w / sum(row) for w in row] for row in thirds]
        first = [[float(a == 0) for a in range(model.A)] for _ in range(model.S)]
        for gamma, tolerance in ((0.3, 1e-13), (0.9, 1e-6), (0.9, 1e-11), (0.99, 1e-9)):
            check_best(model, gamma, tolerance)
            check_policy(model, gamma, tolerance, thirds)
            check_policy(model, gamma, tolerance, first)  # whose own rewards may all be 0
    print(f"{checks} certificates checked, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
