#!/usr/bin/env python3
"""The measures of hardness of farsight solve --structure against linear algebra by NumPy, from their definitions in
docs/hardness.md. usage: check_measures.py FARSIGHT"""
import itertools
import json
import math
import subprocess
import sys

import numpy as np

FARSIGHT = sys.argv[1]
failures = 0
checks = 0


def check(good, what):
    global failures, checks
    checks += 1
    if not good:
        failures += 1
        print("failed:", what)


def close(x, y, what, tolerance=1e-6):
    x = math.inf if x is None else x
    check(x == y or abs(x - y) <= tolerance * max(1, abs(y)), f"{what}: {x}, expected {y}")


def farsight(*args):
    done = subprocess.run([FARSIGHT, *map(str, args)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, (args, done.stderr)
    return json.loads(done.stdout)


class Model:
    """P, r over all states; an end is worth 0, and in chains leads to the start."""

    def __init__(self, env):
        document = farsight("convert", env, "--to", "json")
        P = document["P"]
        self.env, self.S, self.A = env, len(P), len(P["0"])
        self.P, self.r = np.zeros((self.S, self.A, self.S)), np.zeros((self.S, self.A))
        self.end = np.zeros(self.S, bool)
        for s, a in itertools.product(range(self.S), range(self.A)):
            row = P[str(s)][str(a)]
            self.end[s] = all(n == s and done for _, n, _, done in row)
            for p, n, r, _ in row:
                self.P[s, a, n] += p
                self.r[s, a] += p * r
        self.r[self.end] = 0
        self.start = np.zeros(self.S)
        for p, s in document["start"]:
            self.start[s] += p
        self.range = document["reward_range"][1] - document["reward_range"][0]
        self.live = self.reach(self.start > 0)

    def reach(self, seen):
        seen = seen.copy()
        while True:
            more = seen | (self.P[seen & ~self.end].sum((0, 1)) > 0)
            if (more == seen).all():
                return seen & ~self.end
            seen = more

    def chain(self, policy):
        """Over the live states, for probabilities of pairs."""
        P = np.einsum("sa,san->sn", policy, self.P)
        P = P[:, self.live] + np.outer(P[:, self.end].sum(1), self.start[self.live])
        return P[self.live]

    def unrolled(self, H):
        """The model in which states know the step."""
        x = object.__new__(Model)
        x.env, x.S, x.A = self.env, self.S * H + 1, self.A
        x.P, x.r, x.end = np.zeros((x.S, x.A, x.S)), np.zeros((x.S, x.A)), np.zeros(x.S, bool)
        x.end[-1] = True
        x.P[-1, :, -1] = 1
        for t in range(H):
            now = slice(t * self.S, (t + 1) * self.S)
            x.r[now], x.end[now] = self.r, self.end
            if t + 1 < H:
                x.P[now, :, (t + 1) * self.S:(t + 2) * self.S] = self.P
            else:
                x.P[now, :, -1] = 1
        x.start = np.zeros(x.S)
        x.start[:self.S] = self.start
        x.live = x.reach(x.start > 0)
        return x


def best_values(m, gamma):
    v = np.zeros(m.S)
    policy = np.zeros(m.S, int)
    while True:
        q = m.r + gamma * m.P @ v
        better = np.where(q.max(1) > q[np.arange(m.S), policy] + 1e-11, q.argmax(1), policy)
        go = ~m.end
        P = m.P[np.arange(m.S), better] * go[:, None]
        new = np.linalg.solve(np.eye(m.S) - gamma * P, m.r[np.arange(m.S), better] * go)
        if (better == policy).all() and np.allclose(new, v, atol=1e-12):
            return v, np.where(m.end[:, None], 0, m.r + gamma * m.P @ v)
        v, policy = new, better


def spread(m, v):
    mean = m.P @ v
    return np.sqrt(np.maximum(np.einsum("san,san->sa", m.P, (v - mean[..., None]) ** 2), 0))


def check_values(m, gamma, x):
    h = x["hardness"]
    v, q = best_values(m, gamma)
    name = f"{m.env} gamma {gamma}"
    close(h["value_norm"]["value"], spread(m, v)[m.live].max(), name + " value norm", 2e-6)
    check(abs(h["value_norm"]["value"] - spread(m, v)[m.live].max()) <= h["value_norm"]["error"] + 1e-11,
          name + " value norm is not within its error")
    gaps = (v[:, None] - q)[m.live].ravel()
    positive = gaps[gaps > 2 * x["error"]]
    g = h["gaps"]
    check(g["positive"] == len(positive) and g["zero"] == len(gaps) - len(positive), name + " pairs")
    check(g["low"] * (1 - 1e-9) <= (1 / positive).sum() <= g["high"] * (1 + 1e-9), name + " certified sum of 1/gap")
    close(g["least"], positive.min() if len(positive) else math.inf, name + " least gap", 2e-6)
    close(g["regular"], (1 / (gaps + 0.1)).sum(), name + " regular", 1e-4)
    uniform = np.linalg.solve(np.eye(m.S) - gamma * m.P.mean(1) * ~m.end[:, None], m.r.mean(1))
    check_effective(m, h["effective"], lookahead(m, gamma, q, uniform, x["error"]),
                    m.range / (1 - gamma), name)
    ties = (v[:, None] - q <= 2 * x["error"]).astype(float)
    return ties / ties.sum(1, keepdims=True)


def solved(m, q, qs, wide, error, blur):
    """The states that are reached from the start, and the least gap; None if a wrong action may be taken."""
    seen, stack, least = set(), [s for s in range(m.S) if m.start[s] > 0], math.inf
    while stack:
        s = stack.pop()
        if s in seen or m.end[s]:
            continue
        seen.add(s)
        good = q[s].max() - q[s] <= 2 * error
        best, other = qs[s][good].max(), qs[s][~good].max() if (~good).any() else -math.inf
        if not best - other > 2 * blur:
            return None
        least = min(least, best - other)
        for a in range(m.A):
            if qs[s, a] > (other if wide else best - 2 * blur):
                stack += [n for n in range(m.S) if m.P[s, a, n] > 0]
    return least


def lookahead(m, gamma, q, w, error):
    """(k, gap) of the first k, and gaps of all k up to 60."""
    first, gaps = 0, {}
    for k in range(1, 61):
        qs = np.where(m.end[:, None], 0, m.r + gamma * m.P @ w)
        if not first and solved(m, q, qs, False, error, 1e-9) is not None:
            first = k
        gap = solved(m, q, qs, True, error, 1e-9) if first else None
        if gap is not None:
            gaps[k] = gap
        w = qs.max(1)
    return first, gaps


def check_effective(m, e, found, scale, name):
    first, gaps = found
    check(e["k"] == first, f"{name} k: {e['k']}, expected {first}")
    horizons = {k: k + (max(0, 2 * math.log(scale / gap) / math.log(m.A)) if gap < math.inf else 0)
                for k, gap in gaps.items()}
    best = min(horizons, key=horizons.get)
    close(e["horizon"], horizons[best], name + " effective horizon", 1e-4)


def mixing(P):
    """Time, period and number of closed classes; the time is that of the lazy chain if it is periodic."""
    n = len(P)
    reach = np.linalg.matrix_power(np.eye(n) + (P > 0), n) > 0
    closed = {tuple(np.flatnonzero(reach[i])) for i in range(n) if (reach[:, i] >= reach[i]).all()}
    closed = {c for c in closed if all(reach[j][list(c)].all() for j in c)}
    if len(closed) > 1:
        return math.inf, 0, len(closed)
    inside = list(closed.pop())
    part = P[np.ix_(inside, inside)]
    angles = [x for x in np.linalg.eigvals(part) if abs(abs(x) - 1) < 1e-9]
    period = len(angles)
    if period > 1:
        P = (P + np.eye(n)) / 2
    mu = np.zeros(n)
    system = np.vstack([(part.T - np.eye(len(inside))), np.ones(len(inside))])
    mu[inside] = np.linalg.lstsq(system, np.append(np.zeros(len(inside)), 1), rcond=None)[0]
    Q, t = np.eye(n), 0
    while abs(Q - mu).sum(1).max() / 2 > 0.25 + 1e-9:
        Q, t = Q @ P, t + 1
    return t, period, 1


def check_mixing(x, P, name):
    time, period, closed = mixing(P)
    close(x["time"], time, name)
    check(x["period"] == period and x["closed"] == closed, f"{name}: period {x['period']}, expected {period}")


def check_cover(m, c, name):
    """Hitting times by a linear system for each pair: the chain over pairs, in which a pair has been taken."""
    live = np.flatnonzero(m.live)
    pairs = [(s, a) for s in live for a in range(m.A)]
    after = m.P + m.P[..., m.end].sum(-1)[..., None] * m.start  # ends lead on
    after = np.array([after[s, a][live] for s, a in pairs])
    n, uniform = len(pairs), np.repeat(np.eye(len(live)), m.A, 1) / m.A
    step = after @ uniform  # from pair to pair
    check(c["pairs"] == n, f"{name} pairs")
    if c["kind"] == "never":
        check((np.linalg.matrix_power(np.eye(n) + step, n) == 0).any(), name + " is covered")
        return
    longest, from_start, shortest = 0, 0, math.inf
    for y in range(n):
        rest = [i for i in range(n) if i != y]
        taken = np.zeros(n)  # steps until y is taken, from the step in which a pair is taken, which counts
        taken[rest] = np.linalg.solve(np.eye(n - 1) - step[np.ix_(rest, rest)], np.ones(n - 1))
        of_state = 1 + uniform @ taken  # a step by any action, and what follows unless it was y
        longest, from_start = max(longest, of_state.max()), max(from_start, m.start[live] @ of_state)
        shortest = min(shortest, (after @ of_state)[rest].min())
    harmonic = sum(1 / k for k in range(1, n + 1))
    close(c["hitting"], longest, name + " hitting", 1e-7)
    close(c["high"], longest * harmonic, name + " upper bound", 1e-6)
    close(c["low"], max(from_start, shortest * (harmonic - 1), n), name + " lower bound", 1e-6)
    if c["kind"] == "simulated":
        check(c["low"] - 4 * c["standard_error"] <= c["expected"] <= c["high"], name + " simulated")
    if c["kind"] == "exact":
        check(c["low"] <= c["expected"] * (1 + 1e-9) and c["worst"] <= c["high"], name + " exact within bounds")


def check_model(env, gamma):
    m = Model(env)
    x = farsight("solve", "-e", env, "--gamma", gamma, "--structure", "--json")
    h = x["hardness"]
    ties = check_values(m, gamma, x)
    uniform = np.full((m.S, m.A), 1 / m.A)
    check_mixing(h["mixing"], m.chain(ties), f"{env} mixing of the best policy")
    check_mixing(h["mixing_uniform"], m.chain(uniform), f"{env} mixing of uniform actions")
    check_cover(m, h["cover"], env)


def check_finite(env, H):
    m = Model(env)
    x = farsight("solve", "-e", env, "--horizon", H, "--structure", "--json")
    h, name = x["hardness"], f"{env} in {H} steps"
    v, u = np.zeros((H + 1, m.S)), np.zeros((H + 1, m.S))
    q = np.zeros((H, m.S, m.A))
    for t in reversed(range(H)):
        q[t] = np.where(m.end[:, None], 0, m.r + m.P @ v[t + 1])
        v[t], u[t] = q[t].max(1), np.where(m.end, 0, (m.r + m.P @ u[t + 1]).mean(1))
    here, norm, gaps = m.start > 0, 0, []
    for t in range(H):
        norm = max(norm, spread(m, v[t + 1])[here & ~m.end].max())
        gaps += list((v[t][:, None] - q[t])[here & ~m.end].ravel())
        here = m.P[here & ~m.end].sum((0, 1)) > 0
    gaps = np.array(gaps)
    close(h["value_norm"]["value"], norm, name + " value norm", 1e-9)
    close(h["gaps"]["sum"], (1 / gaps[gaps > 1e-12]).sum(), name + " sum of 1/gap", 1e-6)
    big = m.unrolled(H)
    flat = np.append(q.reshape(-1, m.A), np.zeros((1, m.A)), 0)
    w = np.append(u[:H].ravel(), 0)
    found = lookahead(big, 1, flat, w, x["error"])
    check_effective(m, h["effective"], found, H * m.range, name)
    check(h["chain_states"] == big.live.sum(), name + " timed states")
    check_mixing(h["mixing_uniform"], big.chain(np.full((big.S, big.A), 1 / big.A)), name + " mixing")
    check_cover(big, h["cover"], name)


def main():
    for env, gamma in (("chain:n=5", 0.95), ("riverswim:n=5", 0.9), ("loop", 0.95), ("frozen-lake", 0.9),
                       ("garnet:states=7,actions=3,branching=2,seed=4", 0.95), ("dirichlet:states=4,actions=2", 0.8),
                       ("garnet:states=9,actions=2,branching=1,seed=2", 0.9), ("cliff-walking", 0.9)):
        check_model(env, gamma)
    for env, H in (("chain:n=3", 4), ("riverswim:n=4", 5), ("frozen-lake", 4),
                   ("garnet:states=4,actions=2,branching=2,seed=3", 5)):
        check_finite(env, H)
    print(f"{checks} measures checked, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
