#!/usr/bin/env python3
"""`farsight solve` against linear programming (SciPy's HiGHS) and linear algebra (NumPy).

The optimal values are the least v with v(s) >= r(s, a) + gamma P(s, a) v; the best average reward is
the greatest of x.r over stationary frequencies x; the steps to a target are the greatest h with
h(s) <= 1 + P(s, a) h. usage: check_lp.py FARSIGHT PRINT_MODEL"""
import json
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

FARSIGHT, PRINT_MODEL = sys.argv[1:]
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("failed:", what)


def near(x, y, tolerance, what):
    x, y = np.asarray(x, float), np.asarray(y, float)
    off = np.abs(x - y).max()
    check(off <= tolerance, f"{what}: off by {off:g}, more than {tolerance:g}")


class Model:
    def __init__(self, spec):
        text = subprocess.run([PRINT_MODEL, spec], capture_output=True, text=True, check=True).stdout
        head, *lines = text.splitlines()
        self.spec = spec
        self.S, self.A = map(int, head.split())
        self.start = np.zeros(self.S)
        self.terminal = set()
        self.P = np.zeros((self.S, self.A, self.S))
        self.r = np.zeros((self.S, self.A))
        for line in lines:
            word = line.split()
            if word[0] == "start":
                self.start[int(word[1])] += float(word[2])
            elif word[0] == "end":
                self.terminal.add(int(word[1]))
            else:
                s, a, p, next_, reward = int(word[0]), int(word[1]), *map(float, word[2:])
                self.P[s, a, int(next_)] += p
                self.r[s, a] += p * reward
        self.live = [s for s in range(self.S) if s not in self.terminal]

    def solve(self, *options):
        done = subprocess.run([FARSIGHT, "solve", "-e", self.spec, "--json", *options],
                              capture_output=True, text=True)
        assert done.returncode == 0, (self.spec, options, done.stderr)
        return json.loads(done.stdout)

    def restarted(self, keep=None):
        """Transitions in which an end (but for `keep`) is the start that follows it."""
        P = self.P.copy()
        for t in self.terminal - {keep}:
            P += P[:, :, t, None] * self.start
            P[:, :, t] = 0
        return P


def solve_lp(c, rows, b, equal=False, bounds=(None, None)):
    A = lil_matrix((len(rows), len(c)))
    for i, row in enumerate(rows):
        A[i, :] = row
    key = ("A_eq", "b_eq") if equal else ("A_ub", "b_ub")
    best = linprog(c, **{key[0]: A.tocsr(), key[1]: b}, bounds=bounds, method="highs",
                   options={"primal_feasibility_tolerance": 1e-10,
                            "dual_feasibility_tolerance": 1e-10})
    assert best.status == 0, best.message
    return best


def optimal_values(m, gamma):
    """min sum v subject to gamma P v - v <= -r, v = 0 at terminal states."""
    rows, b = [], []
    for s in m.live:
        for a in range(m.A):
            row = gamma * m.P[s, a]
            row[s] -= 1
            rows.append(row)
            b.append(-m.r[s, a])
    bounds = [(0, 0) if s in m.terminal else (None, None) for s in range(m.S)]
    return solve_lp(np.ones(m.S), rows, b, bounds=bounds).x


def check_discounted(m, gamma):
    v = optimal_values(m, gamma)
    q = m.r + gamma * m.P @ v
    for method in ("value", "gauss-seidel", "modified", "policy", "topological", "auto"):
        x = m.solve("--gamma", str(gamma), "--method", method, "--tolerance", "1e-7")
        what = f"{m.spec} gamma={gamma} {method}"
        near(x["v"], v, 1e-7 + 1e-9 / (1 - gamma), what + " v")
        near(x["q"], q, 1e-7 + 1e-9 / (1 - gamma), what + " q")
        check(x["error"] <= 1e-7 and x["residual"] <= 1e-6, what + " certificate")
        own = np.asarray(x["q"])
        check(list(own.argmax(1)) == x["policy"], what + " policy")
        backup = m.r + gamma * m.P @ own.max(1)
        backup[sorted(m.terminal)] = 0
        near(own, backup, x["residual"] + 1e-10, what + " residual")


def check_policies(m, gamma, rng):
    pi = rng.dirichlet(np.ones(m.A), m.S)
    pi[::3] = np.eye(m.A)[rng.integers(m.A, size=len(pi[::3]))]
    for kind in ("stochastic", "deterministic"):
        action = pi.argmax(1)
        weight = pi if kind == "stochastic" else np.eye(m.A)[action]
        P = np.einsum("sa,sat->st", weight, m.P)
        v = np.linalg.solve(np.eye(m.S) - gamma * P, (weight * m.r).sum(1))
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            np.savetxt(file, pi if kind == "stochastic" else action[:, None],
                       fmt="%.17g" if kind == "stochastic" else "%d")
            file.flush()
            x = m.solve("--gamma", str(gamma), "--policy", file.name)
        near(x["v"], v, 1e-6, f"{m.spec} {kind} policy")
        near(x["q"], m.r + gamma * m.P @ v, 1e-6, f"{m.spec} {kind} policy q")


def check_average(m):
    """max x.r subject to inflow = outflow in every state, sum x = 1, x >= 0."""
    P = m.restarted()
    pairs = [(s, a) for s in m.live for a in range(m.A)]
    rows = [[(t == s) - P[s, a, t] for s, a in pairs] for t in m.live] + [[1.0] * len(pairs)]
    best = solve_lp([-m.r[s, a] for s, a in pairs], rows, [0.0] * len(m.live) + [1.0], equal=True,
                    bounds=(0, None))
    near(m.solve("--average")["gain"], -best.fun, 1e-6 + 1e-8, m.spec + " gain")


def check_diameter(m):
    most = 0
    for t in range(m.S):
        P = m.restarted(keep=t)
        rows, b = [], []
        for s in m.live:
            if s == t:
                continue
            for a in range(m.A):
                row = -P[s, a]
                row[s] += 1
                rows.append(row)
                b.append(1.0)
        live = set(m.live) - {t}
        bounds = [(None, None) if s in live else (0, 0) for s in range(m.S)]
        c = [-1.0 if s in live else 0.0 for s in range(m.S)]
        most = max(most, solve_lp(c, rows, b, bounds=bounds).x.max())
    x = m.solve("--diameter")["structure"]
    near(x["diameter"], most, 1e-6 * most + x["diameter_error"], m.spec + " diameter")


def main():
    rng = np.random.default_rng(1)
    specs = [f"garnet:states={S},actions={A},branching={b},seed={seed}"
             for seed, (S, A, b) in enumerate([(5, 2, 2), (20, 4, 3), (60, 3, 5), (150, 4, 7)])]
    specs += ["dirichlet:states=12,actions=3,seed=4", "chain:n=12", "riverswim:n=6",
              "frozen-lake:map=4x4", "four-rooms"]
    for spec in specs:
        m = Model(spec)
        for gamma in (0.5, 0.95, 0.99):
            check_discounted(m, gamma)
        check_policies(m, 0.9, rng)
        kind = m.solve("--structure")["structure"]["kind"]
        if kind != "multichain":
            check_average(m)
        if kind == "communicating" and m.S <= 25:
            check_diameter(m)
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
