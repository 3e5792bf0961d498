#!/usr/bin/env python3
"""`farsight solve` against linear programming (SciPy's HiGHS) and linear algebra (NumPy).

The optimal values are the least v with v(s) >= r(s, a) + gamma P(s, a) v; the best average reward is
the greatest of x.r over stationary frequencies x; the steps to a target are the greatest h with
h(s) <= 1 + P(s, a) h. The best average rewards of a model of any structure are the least g of
Puterman (1994), 9.3; that of a model with rare outcomes is the best of all policies, in fractions.
usage: check_lp.py FARSIGHT PRINT_MODEL"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

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

    def run(self, *options):
        return subprocess.run([FARSIGHT, "solve", "-e", self.spec, "--json", *options],
                              capture_output=True, text=True)

    def solve(self, *options):
        done = self.run(*options)
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


def gains(m):
    """min sum g subject to g >= P g and g + h >= r + P h, of the states that a run reaches."""
    P = m.restarted()
    seen = {s for s in m.live if m.start[s] > 0}
    while more := {t for s in seen for t in m.live if P[s, :, t].max() > 0} - seen:
        seen |= more
    seen = sorted(seen)
    rows, b = [], []
    for (i, s), a in itertools.product(enumerate(seen), range(m.A)):
        drift = P[s, a][seen] - np.eye(len(seen))[i]
        rows += [np.concatenate([drift, np.zeros(len(seen))]),
                 np.concatenate([-np.eye(len(seen))[i], drift])]
        b += [0.0, -m.r[s, a]]
    c = np.concatenate([np.ones(len(seen)), np.zeros(len(seen))])
    return solve_lp(c, rows, b).x[:len(seen)]


def random_outcomes(rng, S, s):
    """A few successors, often the state itself alone, seldom an end (state S)."""
    if rng.random() < 0.3:
        return [[1.0, s, float(rng.integers(6)), False]]
    next_ = rng.choice(S + (rng.random() < 0.1), size=rng.integers(1, 3), replace=False)
    weight = rng.integers(1, 5, size=len(next_))
    return [[float(w / weight.sum()), int(t), float(rng.integers(6)), bool(t == S)]
            for w, t in zip(weight, next_, strict=True)]


def random_model(rng, folder):
    S, A = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    rows = {str(s): {str(a): random_outcomes(rng, S, s) for a in range(A)} for s in range(S)}
    rows[str(S)] = {str(a): [[1.0, S, 0.0, True]] for a in range(A)}
    return write_model(rows, folder)


def write_model(rows, folder):
    path = os.path.join(folder, "model.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump(rows, file)
    return Model("file:" + path)


def check_structures(rng, folder):
    """Models of any structure: one gain is found, and of several it is said."""
    one = several = 0
    for i in range(300):
        m = random_model(rng, folder)
        g, done = gains(m), m.run("--average")
        multichain = m.solve("--structure")["structure"]["kind"] == "multichain"
        what = f"random model {i}, gains {sorted(set(g.round(6)))}"
        if np.ptp(g) < 1e-8:
            one += multichain
            check(done.returncode == 0, f"{what}: {done.stderr}")
            if done.returncode == 0:
                near(json.loads(done.stdout)["gain"], g.mean(), 1e-6 + 1e-8, what)
        else:
            several += 1
            check(done.returncode == 1 and "depends on the state" in done.stderr, what)
    check(one >= 20 and several >= 20, f"{one} multichain models with one gain, {several} with several")


def solve_exactly(rows, b):
    """Gauss and Jordan, in fractions."""
    n = len(rows)
    m = [row + [x] for row, x in zip(rows, b, strict=True)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if m[i][k] != 0)
        m[k], m[pivot] = m[pivot], m[k]
        m[k] = [x / m[k][k] for x in m[k]]
        for i in range(n):
            if i != k and m[i][k] != 0:
                m[i] = [x - m[i][k] * y for x, y in zip(m[i], m[k], strict=True)]
    return [row[n] for row in m]


def exact_gain(m, policy):
    """Of a policy that can stay in one set alone: g + (I - P) h = r and h(0) = 0; g takes the place of h(0)."""
    away = [[int(s == t) - Fraction(m.P[s, policy[s], t]) for t in range(m.S)] for s in range(m.S)]
    rows = [[Fraction(1)] + row[1:] for row in away]
    return solve_exactly(rows, [Fraction(m.r[s, policy[s]]) for s in range(m.S)])[0]


def rare_model(rng, folder, p):
    """A circle of five states in which most actions stay but for once in 1/p steps. None leads by more
    than two states, so that two circles of a policy meet."""
    S = 5
    rows = {}
    for s in range(S):
        rows[str(s)] = {}
        for a in range(2):
            q = 1.0 if rng.random() < 0.2 else float(p) * 2.0 ** int(rng.integers(3))
            rows[str(s)][str(a)] = [[1 - q, s, float(rng.integers(8)), False]] * int(q < 1) + [
                [q, (s + 1 + int(rng.integers(2))) % S, float(rng.integers(8)), False]]
    return write_model(rows, folder)


def check_rare(rng, folder):
    for i, p in enumerate(2.0 ** -np.array([20, 30, 40, 50, 50, 50])):
        m = rare_model(rng, folder, p)
        best = max(exact_gain(m, policy) for policy in itertools.product(range(2), repeat=m.S))
        x = m.solve("--average", "--tolerance", "1e-9")
        off = abs(Fraction(x["gain"]) - best)
        check(off <= Fraction(x["error"]) and x["error"] <= 1e-9,
              f"rare model {i}: gain {x['gain']}, not {float(best)}, error {x['error']}")


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
    with tempfile.TemporaryDirectory() as folder:
        check_structures(rng, folder)
        check_rare(rng, folder)
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
