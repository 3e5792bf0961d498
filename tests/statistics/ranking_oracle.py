#!/usr/bin/env python3
"""Enough runs to rank: written from docs/statistics.md ("Enough runs to rank"), not from the C code.
usage: ranking_oracle.py > ranking_cases.json      makes what check_ranking.py compares the library with

The test by its definition: every choice of signs is a row of a matrix, built from the parity of e & g_i, and
its sums are a matrix product, a block of choices at a time; no Walsh-Hadamard transform."""
import hashlib
import json

import numpy as np

SIGNS = 9  # the purpose of the stream


class Stream:
    """xoshiro256++ from the SHA-256 of its three keys (docs/decisions/0001-streams-and-hashes.md)."""

    def __init__(self, seed, replicate, purpose):
        digest = hashlib.sha256(b"".join(k.to_bytes(8, "little") for k in (seed, replicate, purpose))).digest()
        self.s = [int.from_bytes(digest[8 * i:8 * i + 8], "little") for i in range(4)]

    def next(self):
        s, mask = self.s, 2**64 - 1
        rotate = lambda x, k: ((x << k) | (x >> (64 - k))) & mask
        out = (rotate((s[0] + s[3]) & mask, 23) + s[0]) & mask
        t = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return out


def words(n, bits, seed):
    stream = Stream(seed, 0, SIGNS)
    return np.array([1 << i if i < bits else stream.next() >> (64 - bits) for i in range(n)], np.int64)


def parity(x):
    for shift in (16, 8, 4, 2, 1):
        x = x ^ (x >> shift)
    return x & 1


def flip_p(d, bits, seed=1):
    """The share of 2^bits choices of signs whose sum is as far from 0 as that of d."""
    d = np.asarray(d, float)
    g, size = words(len(d), bits, seed), 1 << bits
    least = abs(d.sum()) - 2.0**-40 * np.abs(d).sum()
    count = 0
    for first in range(0, size, 1024):
        e = np.arange(first, min(first + 1024, size))
        signs = 1 - 2.0 * parity(e[:, None] & g[None, :])
        count += int(np.sum(np.abs(signs @ d) >= least))
    return count / size


def share(k):
    return 4 / ((k + 3) * (k + 4))


def looks(first, growth, most):
    out, n = [], first
    while n <= most:
        out.append(n)
        n = int(np.ceil(n * growth))
    return out


def bits_of(alpha, pairs, k):
    bits = 14
    while bits < 20 and 2**bits < 16 * pairs / (alpha * share(k)):
        bits += 1
    return bits


def is_skewed(d):
    if np.all(d == d[0]):
        return d[0] != 0 and len(d) < 300
    s = d.std(ddof=1)
    g = np.mean(((d - d.mean()) / s) ** 3)
    return len(d) < 25 * g * g


def holm(p):
    order, out, greatest = np.argsort(p, kind="stable"), np.empty(len(p)), 0.0
    for k, i in enumerate(order):
        greatest = max(greatest, min(1.0, (len(p) - k) * p[i]))
        out[i] = greatest
    return out


def rank(x, alpha=0.05, first=100, growth=1.5, most=10000, seed=1):
    """x[env][agent] are arrays of runs. One dict for each pair: env, a, b, better (1, -1, 0), look, runs, mean, p,
    p_adjusted, skewed."""
    pairs = [dict(env=e, a=a, b=b, better=0, look=0, runs=0, mean=float("nan"), p=1.0, p_adjusted=1.0, skewed=False,
                  sign=0)
             for e in range(len(x)) for a in range(len(x[e])) for b in range(a + 1, len(x[e]))]
    for k, n in enumerate(looks(first, growth, most), 1):
        looked = False
        for pair in pairs:
            u, v = x[pair["env"]][pair["a"]], x[pair["env"]][pair["b"]]
            if pair["better"] or len(u) < n or len(v) < n:
                continue
            looked = True
            d = np.asarray(u[:n], float) - np.asarray(v[:n], float)
            pair.update(look=k, runs=n, mean=d.mean(), skewed=bool(is_skewed(d)))
            if pair["skewed"]:
                continue
            p = flip_p(d, bits_of(alpha, len(pairs), k), seed) / share(k)
            if p < pair["p"]:
                pair.update(p=p, sign=1 if d.mean() > 0 else -1)
        if not looked:
            break
        for pair, adjusted in zip(pairs, holm([pair["p"] for pair in pairs]), strict=True):
            pair["p_adjusted"] = adjusted
            if not pair["better"] and adjusted <= alpha:
                pair["better"] = pair["sign"]
    return pairs


# ---- cases ----


def samples():
    """(what, rule, runs by environment and agent)"""
    rng = np.random.default_rng(14)
    normal = lambda n, *means: [np.round(rng.normal(mean, 1, n), 3) for mean in means]
    common = rng.normal(0, 3, 160)
    yield "two equal", {"first": 30, "most": 160}, [normal(160, 0, 0)]
    yield "two apart", {"first": 30, "most": 160}, [normal(160, 0.6, 0)]
    yield "a pair that takes looks", {"first": 30, "most": 160}, [normal(160, 0.3, 0)]
    yield "common random numbers", {"first": 30, "most": 160}, [[x + common for x in normal(160, 0, 0.5, 0.5)]]
    yield "whole numbers, ties", {"first": 20, "most": 100, "alpha": 0.2}, [
        [rng.integers(0, 3, 100).astype(float) for _ in range(3)]]
    yield "tenths, ties by rounding", {"first": 8, "most": 40, "alpha": 0.3}, [
        [np.round(rng.integers(0, 4, 40) * 0.1, 1) for _ in range(2)]]
    yield "skewed", {"first": 30, "most": 160, "alpha": 0.1}, [
        [(rng.random(160) < 0.1) * 10.0, np.full(160, 0.5), rng.exponential(1, 160)]]
    yield "five agents", {"first": 30, "most": 70, "alpha": 0.1}, [normal(70, 0, 0, 0.5, 1, 1.5)]
    yield "two environments", {"first": 30, "most": 102, "seed": 7}, [normal(102, 0, 0.4, 0.8), normal(102, 0.5, 0, 0)]
    yield "unequal numbers of runs", {"first": 30, "most": 160}, [[normal(n, m)[0] for n, m in
                                                                  ((160, 0), (50, 1), (160, 0.35))]]
    yield "other steps", {"first": 10, "most": 90, "growth": 2.0, "alpha": 0.01}, [normal(90, 0, 0.9)]
    yield "the default", {}, [normal(160, 0, 0.25)]
    yield "nothing varies", {"first": 200, "most": 310}, [[np.full(310, 2.0), np.full(310, 1.0), np.full(310, 2.0)]]


def main():
    cases = []
    for what, rule, x in samples():
        pairs = rank(x, **rule)
        for pair in pairs:
            del pair["sign"]
        cases.append({"what": what, "rule": rule, "runs": [[list(map(float, u)) for u in env] for env in x],
                      "pairs": pairs})
    print("[" + ",\n".join(json.dumps(case) for case in cases) + "]")


if __name__ == "__main__":
    main()
