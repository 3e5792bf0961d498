#!/usr/bin/env python3
"""How often do rules for ranking agents claim what is not so, and how many runs do they need? Prints the tables of
docs/statistics.md ("Enough runs to rank"); minutes on many processors, so no part of the tests.
usage: simulate_ranking.py LIBFARSIGHT.so [TRIALS [PROCESSES]]

The rules, all with an error of 5% and at most 777 runs of each agent:
  rank      far_ranking, from the library, with the first look at 30 runs, so that there are many;
  rank 100  with the default, 100
  no guard  the same without the rule for skewed or constant differences (in numpy, for two agents)
  adastop   AdaStop as in its paper: 5 looks at blocks of 155 runs, permutations within blocks of the pooled runs of
            two agents (1,000 random ones, the same in all trials), those that crossed before are left out, step-down
            by the greatest of |sums|
  e-value   for symmetric differences: the mean over 11 values of l of prod 2 / (1 + exp(-2 l d_i / scale)), the scale
            being the root mean square of the first 30 differences; 1 / the greatest so far, after every run from the
            31st on, is a p-value; Holm
  t         paired t-tests at the looks of `rank`, each at 5%; t+Holm: with Holm's correction, but none for looks"""
import ctypes
import multiprocessing
import sys

import numpy as np
from scipy import special

ALPHA, MOST = 0.05, 777
LOOKS = (30, 45, 68, 102, 153, 230, 345, 518, 777)
BLOCK, BLOCKS, PERMUTATIONS = 155, 5, 1000


class Def(ctypes.Structure):
    _fields_ = [("alpha", ctypes.c_double), ("first", ctypes.c_int64), ("growth", ctypes.c_double),
                ("most", ctypes.c_int64), ("seed", ctypes.c_uint64), ("lower", ctypes.c_bool)]


class Sample(ctypes.Structure):
    _fields_ = [("x", ctypes.POINTER(ctypes.c_double)), ("n", ctypes.c_int64)]


class Pair(ctypes.Structure):
    _fields_ = [("env", ctypes.c_size_t), ("a", ctypes.c_size_t), ("b", ctypes.c_size_t), ("better", ctypes.c_int),
                ("look", ctypes.c_int), ("runs", ctypes.c_int64), ("mean", ctypes.c_double), ("p", ctypes.c_double),
                ("p_adjusted", ctypes.c_double), ("skewed", ctypes.c_bool)]


# ---- rules: x is (agents, runs); each returns {(a, b): (better, runs)} ----


def pairs_of(x):
    return [(a, b) for a in range(len(x)) for b in range(a + 1, len(x))]


def holm(p):
    order, out, greatest = np.argsort(p, kind="stable"), np.empty(len(p)), 0.0
    for k, i in enumerate(order):
        greatest = max(greatest, min(1.0, (len(p) - k) * p[i]))
        out[i] = greatest
    return out


def rank(x, first=30):
    rule = Def(ALPHA, first, 1.5, MOST, 1, False)
    ranking = ctypes.c_void_p()
    assert LIB.far_ranking_create(ctypes.byref(ranking), ctypes.byref(rule), ctypes.c_size_t(1),
                                  ctypes.c_size_t(len(x)), None) == 0
    x = np.ascontiguousarray(x)
    cells = (Sample * len(x))(*[(row.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(row)) for row in x])
    assert LIB.far_ranking_compute(ranking, cells, None) == 0
    out = {}
    for i, at in enumerate(pairs_of(x)):
        pair = LIB.far_ranking_pair_at(ranking, ctypes.c_size_t(i)).contents
        out[at] = (pair.better, pair.runs)
    LIB.far_ranking_free(ranking)
    return out


def transform(a):
    half = 1
    while half < len(a):
        a = a.reshape(-1, 2, half)
        a = np.stack((a[:, 0] + a[:, 1], a[:, 0] - a[:, 1]), 1).reshape(-1)
        half *= 2
    return a


def no_guard(x):
    rng = np.random.default_rng(1)
    bits, d = 14, x[0] - x[1]
    g = np.concatenate([1 << np.arange(bits), rng.integers(0, 1 << bits, MOST - bits)])
    for k, n in enumerate(LOOKS, 1):
        sums = np.abs(transform(np.bincount(g[:n], d[:n], 1 << bits)))
        p = np.mean(sums >= sums[0] - 2.0**-40 * np.abs(d[:n]).sum())
        if p <= ALPHA * 4 / ((k + 3) * (k + 4)):
            return {(0, 1): (1 if d[:n].mean() > 0 else -1, n)}
    return {(0, 1): (0, MOST)}


def t_looks(x, correct):
    pairs = pairs_of(x)
    out = dict.fromkeys(pairs, (0, MOST))
    d = np.array([x[a] - x[b] for a, b in pairs])
    least = np.ones(len(pairs))
    for n in LOOKS:
        s = d[:, :n].std(axis=1, ddof=1)
        t = np.abs(d[:, :n].mean(axis=1)) / np.where(s > 0, s / np.sqrt(n), np.inf)
        least = np.minimum(least, 2 * special.stdtr(n - 1, -t))
        for i, p in enumerate(holm(least) if correct else least):
            if p <= ALPHA and not out[pairs[i]][0]:
                a, b = pairs[i]
                out[pairs[i]] = (1 if x[a, :n].mean() > x[b, :n].mean() else -1, n)
    return out


def e_value(x):
    pairs, grid = pairs_of(x), 2.0 ** -np.arange(11)
    p = np.ones((len(pairs), MOST))
    for i, (a, b) in enumerate(pairs):
        d = x[a] - x[b]
        scale = np.sqrt(np.mean(d[:30] ** 2))
        if scale == 0:
            continue
        logs = [np.cumsum(-np.logaddexp(0, -2 * sign * v * d[30:] / scale) + np.log(2)) for v in grid
                for sign in (1, -1)]
        e = np.exp(np.logaddexp.reduce(logs, axis=0)) / len(logs)
        p[i, 30:] = np.minimum(1, 1 / np.maximum.accumulate(e))
    out = dict.fromkeys(pairs, (0, MOST))
    for n in np.unique([np.argmax(row <= ALPHA / m) + 1 for row in p for m in range(1, len(pairs) + 1)
                        if row[-1] <= ALPHA / m]):
        for i, adjusted in enumerate(holm(p[:, n - 1])):
            if adjusted <= ALPHA and not out[pairs[i]][0]:
                a, b = pairs[i]
                out[pairs[i]] = (1 if x[a, :n].mean() > x[b, :n].mean() else -1, int(n))
    return out


def choices():
    """For each block, which of 2 x 155 runs are the first agent's: as they are, and at random."""
    rng = np.random.default_rng(1)
    masks = np.zeros((BLOCKS, PERMUTATIONS, 2 * BLOCK))
    for block in masks:
        block[0, :BLOCK] = 1
        for row in block[1:]:
            row[rng.permutation(2 * BLOCK)[:BLOCK]] = 1
    return masks


def adastop(x):
    pairs, count = pairs_of(x), PERMUTATIONS
    out = dict.fromkeys(pairs, (0, BLOCK * BLOCKS))
    sums = {at: np.zeros(count) for at in pairs}  # the first is what was seen
    alive, left, spent = np.ones(count, bool), list(pairs), 0
    for k in range(BLOCKS):
        for a, b in pairs:
            z = np.concatenate([x[a, k * BLOCK:(k + 1) * BLOCK], x[b, k * BLOCK:(k + 1) * BLOCK]])
            sums[a, b] += 2 * CHOICES[k] @ z - z.sum()
        allowed = int(np.floor((k + 1) * ALPHA / BLOCKS * count)) - spent
        while left:
            greatest = np.max([np.abs(sums[at]) for at in left], axis=0)
            ordered = np.sort(greatest[alive])[::-1]
            bound = ordered[allowed] if allowed < len(ordered) else -1
            best = max(left, key=lambda at: abs(sums[at][0]))
            if not abs(sums[best][0]) > bound:
                break
            out[best] = (1 if sums[best][0] > 0 else -1, (k + 1) * BLOCK)
            left.remove(best)
        if not left:
            break
        crossed = alive & (greatest > bound)
        spent += int(crossed.sum())
        alive &= ~crossed
        alive[0] = True
    return out


# ---- runs ----


def laws(rng):
    """Names, and functions that draw (agents, runs); all of mean 1."""
    def coin(share):
        return lambda shape: (rng.random(shape) < share) / share
    return {"normal": lambda shape: rng.normal(1, 1, shape), "exponential": lambda shape: rng.exponential(1, shape),
            "coin 0.4": coin(0.4), "coin 0.05": coin(0.05), "student 3": lambda shape: 1 + rng.standard_t(3, shape)}


def null_runs(law, agents, rng):
    """Exchangeable agents; half of what varies they have in common."""
    draw = laws(rng)[law]
    return draw((agents, MOST)) + draw((1, MOST))


def uneven_runs(law, agents, rng):
    """Equal means, other shapes: the differences are not symmetric."""
    del agents
    first = {"coin 0.3 against 1": "coin", "exponential against normal": "exponential"}.get(law)
    if first == "coin":
        return np.stack([(rng.random(MOST) < 0.3) / 0.3, np.ones(MOST)])
    if first == "exponential":
        return np.stack([rng.exponential(1, MOST), rng.normal(1, 0.2, MOST)])
    return np.stack([(rng.random(MOST) < 0.02) / 0.02, np.ones(MOST)])


def gap_runs(law, agents, rng):
    """The first agent is better by `gap` standard deviations of a difference; a part is shared."""
    del agents
    gap, shared = law
    own = rng.normal(0, 1, (2, MOST)) + shared * rng.normal(0, 1, (1, MOST))
    own[0] += gap * np.sqrt(2)
    return own


RULES = {"rank": lambda x, rng: rank(x), "rank 100": lambda x, rng: rank(x, 100), "no guard": lambda x, rng: no_guard(x),
         "adastop": lambda x, rng: adastop(x),
         "e-value": lambda x, rng: e_value(x), "t": lambda x, rng: t_looks(x, False),
         "t+Holm": lambda x, rng: t_looks(x, True)}


def trial(job):
    """(a decision, one of the first agent, runs of the pair of the first two) by each rule."""
    make, law, agents, rules, seed = job
    rng = np.random.default_rng(seed)
    x = make(law, agents, rng)
    out = []
    for name in rules:
        found = RULES[name](x, rng)
        better, runs = found[0, 1]
        out.append((any(b != 0 for b, _ in found.values()), better > 0, runs))
    return out


def table(pool, title, make, cases, rules, trials):
    print(f"\n{title}; {trials} trials\n\n| | {' | '.join(rules)} |\n|---|{'--:|' * len(rules)}")
    for law, agents in cases:
        found = np.array(pool.map(trial, [(make, law, agents, rules, seed) for seed in range(trials)], 8), float)
        yield law, agents, found.mean(axis=0)


def start(path):
    global LIB, CHOICES
    CHOICES = choices()
    LIB = ctypes.CDLL(path)
    LIB.far_ranking_pair_at.restype = ctypes.POINTER(Pair)


def main():
    path, trials, processes = sys.argv[1], *map(int, (sys.argv[2:] + ["2000", "2"][len(sys.argv) - 2:]))
    with multiprocessing.Pool(processes, start, (path,)) as pool:
        rules = ("rank", "adastop", "e-value", "t+Holm", "t")
        for agents in (2, 3, 5):
            cases = [(law, agents) for law in laws(np.random.default_rng(0))][:5 if agents < 5 else 3]
            for law, _, m in table(pool, f"{agents} equal agents: any pair is decided, %", null_runs, cases, rules,
                                   trials // {2: 1, 3: 2, 5: 5}[agents]):
                print(f"| {law} | {' | '.join(f'{100 * v:.1f}' for v in m[:, 0])} |", flush=True)
        cases = [(law, 2) for law in ("exponential against normal", "coin 0.3 against 1", "coin 0.02 against 1")]
        rules = ("rank", "rank 100", "no guard", "adastop", "e-value", "t+Holm", "t")
        for law, _, m in table(pool, "Equal means, other shapes: decided, %", uneven_runs, cases, rules, trials):
            print(f"| {law} | {' | '.join(f'{100 * v:.1f}' for v in m[:, 0])} |", flush=True)
        cases = [((gap, shared), 2) for gap in (0.8, 0.4, 0.2, 0.1) for shared in (0.0, 2.0)]
        rules = ("rank", "rank 100", "adastop", "e-value")
        for (gap, shared), _, m in table(pool, "The first is better: found, % (runs in the mean)", gap_runs, cases, rules,
                                         trials // 2):
            what = f"gap {gap}{', common random numbers' if shared else ''}"
            print(f"| {what} | {' | '.join(f'{100 * v[1]:.0f} ({v[2]:.0f})' for v in m)} |", flush=True)


if __name__ == "__main__":
    main()
