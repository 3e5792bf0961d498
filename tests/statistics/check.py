#!/usr/bin/env python3
"""The statistics against SciPy. What is a formula must agree to rounding; what is resampled agrees in its
constants to rounding where they are no random numbers (acceleration), else within Monte-Carlo error.
usage: check.py PRINT_STATISTICS"""
import subprocess
import sys

import numpy as np
from scipy import optimize, special, stats

PRINT = sys.argv[1]
RNG = np.random.default_rng(5)
passed = failed = 0


def near(x, y, relative, what, absolute=0.0):
    global passed, failed
    x, y = np.asarray(x, float), np.asarray(y, float)
    off = np.abs(x - y)
    good = bool(np.all((off <= relative * np.abs(y) + absolute) | (x == y)))
    passed += good
    failed += not good
    if not good:
        print(f"failed: {what}: {x} is not {y}")


def text(sample):
    return " ".join([str(len(sample))] + [float(x).hex() for x in sample])


def ask(*words):
    request = " ".join(w if isinstance(w, str) else text(w) if np.ndim(w) else repr(w) for w in words)
    done = subprocess.run([PRINT], input=request, capture_output=True, text=True)
    assert done.returncode == 0, (request[:200], done.stderr)
    return [float(x) for x in done.stdout.split()]


def samples():
    """Of several shapes and sizes, with ties and without."""
    for n in (2, 3, 5, 8, 21, 100, 301):
        yield RNG.normal(100, 3, n)
        yield RNG.exponential(2, n)
        yield np.round(RNG.normal(0, 2, n))
        yield 1e6 + RNG.random(n)


def t_quantile(p, degrees):
    """SciPy's distribution function inverted by bisection: its own inverse is right to 1e-8 only."""
    if p < 0.5:
        return -t_upper(p, degrees)
    return t_upper(1 - p, degrees)


def t_upper(q, degrees):
    about = stats.t.isf(q, degrees)
    return optimize.brentq(lambda t: stats.t.sf(t, degrees) / q - 1, about * 0.9, about * 1.1,
                           xtol=1e-300, rtol=1e-15)


def t_interval(level, x):
    half = t_upper((1 - level) / 2, len(x) - 1) * stats.sem(x)
    return [x.mean() - half, x.mean() + half]


def check_distributions():
    for degrees in (1, 2, 3.7, 10, 29, 99, 299, 1e4, 1e7):
        for p in (1e-9, 1e-4, 0.005, 0.025, 0.1, 0.4, 0.6, 0.9, 0.975, 0.9995):
            t, = ask("quantile", p, float(degrees))
            near(t, t_quantile(p, degrees), 1e-12, f"t quantile {p} {degrees}")
            near(t, stats.t.ppf(p, degrees), 1e-7, f"SciPy's t quantile {p} {degrees}")
    for p in (1e-12, 0.001, 0.025, 0.3, 0.8, 0.999):
        near(ask("quantile", p, "inf"), special.ndtri(p), 1e-13, f"normal quantile {p}")
    for z in (-9, -2, 0, 0.3, 1.5, 4, 20):
        near(ask("tail", float(z), "inf"), stats.norm.sf(z), 1e-13, f"normal tail {z}")


def check_summary():
    for x in samples():
        for level in (0.5, 0.9, 0.95, 0.999):
            mean, std, low, high, least, q1, median, q3, most, iqm = ask("summary", level, x)
            near(mean, x.mean(), 1e-14, "mean", 1e-14)
            near(std, x.std(ddof=1), 1e-9, "std")
            near([low, high], t_interval(level, x), 1e-10, f"interval {len(x)} {level}", 1e-10)
            near([least, q1, median, q3, most], np.quantile(x, [0, .25, .5, .75, 1]), 1e-14, "quartiles",
                 1e-15)
            near(iqm, stats.trim_mean(x, 0.25), 1e-13, f"iqm {len(x)}", 1e-14)
        for p in (0, 0.01, 1 / 3, 0.77, 1):
            near(ask("sorted", float(p), np.sort(x)), np.quantile(x, p), 1e-14, "quantile", 1e-15)


def check_tests():
    for x in samples():
        y = x[::-1] * 0.5 + RNG.normal(0.1, 1, len(x)) + x.mean() / 2
        for level in (0.9, 0.95):
            r = ask("pairs", "bca", 100, level, x, y)
            _, _, low, high, t, p, won, tied, correlation, saving = r[:10]
            s = stats.ttest_rel(x, y)
            near([t, p], [s.statistic, s.pvalue], 1e-7, f"ttest_rel {len(x)}", 1e-13)
            d = x - y
            near([low, high], t_interval(level, d), 1e-10, "paired interval", 1e-9)
            near([won, tied], [(x > y).mean(), (x == y).mean()], 1e-15, "won and tied")
            if x.std() > 0:
                near(correlation, np.corrcoef(x, y)[0, 1], 1e-7, "correlation", 1e-9)
            near(saving, (x.var(ddof=1) + y.var(ddof=1)) / d.var(ddof=1), 1e-7, "saving")
            z = np.append(y, [y.mean() + 1, y.mean() - 3])
            _, low, high, t, degrees, p = ask("welch", level, x, z)
            s = stats.ttest_ind(x, z, equal_var=False)
            near([t, p], [s.statistic, s.pvalue], 1e-7, f"welch {len(x)}", 1e-13)
            vx, vz = x.var(ddof=1) / len(x), z.var(ddof=1) / len(z)
            near(degrees, (vx + vz) ** 2 / (vx ** 2 / (len(x) - 1) + vz ** 2 / (len(z) - 1)), 1e-9,
                 "degrees of freedom")
            half = t_upper((1 - level) / 2, degrees) * np.sqrt(vx + vz)
            near([low, high], [x.mean() - z.mean() - half, x.mean() - z.mean() + half], 1e-10,
                 "welch interval", 1e-9)


def acceleration(x, statistic):
    """By its definition."""
    n = len(x)
    without = np.array([statistic(np.delete(x, i)) for i in range(n)])
    u = (n - 1) * (without.mean() - without)
    squares = (u ** 2).sum() / n ** 2
    return (u ** 3).sum() / n ** 3 / 6 / squares ** 1.5 if squares > 0 else 0


STATISTICS = {"mean": np.mean, "median": np.median, "iqm": lambda x: stats.trim_mean(x, 0.25)}
RESAMPLES = 20000


def scipy_bootstrap(x, statistic, level, method):
    """From another stream of resamples."""
    def over(sample, axis):
        return np.apply_along_axis(statistic, axis, sample)
    return stats.bootstrap((x,), over, n_resamples=RESAMPLES, confidence_level=level, method=method,
                           random_state=np.random.default_rng(1), vectorized=True)


def check_bootstrap():
    for n, level in ((12, 0.9), (60, 0.95), (301, 0.95)):
        for draw in (lambda: RNG.normal(10, 2, n), lambda: RNG.exponential(1, n)):
            x = draw()
            for name, statistic in STATISTICS.items():
                value, low, high, std, _, a = ask("bootstrap", "bca", RESAMPLES, level, name, x)
                near(value, statistic(x), 1e-14, name)
                near(a, acceleration(x, statistic), 1e-6, f"acceleration {name} {n}", 1e-12)
                # the ends are quantiles of the resampled values, which jump where these are few
                slack = (0.12 if name != "median" else 0.6) * std
                r = scipy_bootstrap(x, statistic, level, "BCa")
                near(std, r.standard_error, 0.03, f"standard error {name} {n}")
                near([low, high], r.confidence_interval, 0, f"BCa {name} {n}", slack)
                plain = ask("bootstrap", "percentile", RESAMPLES, level, name, x)
                near(plain[4:], [0, 0], 0, "percentile has no constants")
                r = scipy_bootstrap(x, statistic, level, "percentile")
                near(plain[1:3], r.confidence_interval, 0, f"percentile {name} {n}", slack)
    check_bias()


def check_bias():
    """z0 of an exponential sample's mean: the share of resampled means below it, to Monte-Carlo error."""
    x = RNG.exponential(1, 25)
    means = RNG.choice(x, (200000, 25)).mean(axis=1)
    share = (means < x.mean()).mean()
    bias = ask("bootstrap", "bca", 100000, 0.95, "mean", x)[4]
    near(stats.norm.cdf(bias), share, 0, "bias", 4 * np.sqrt(0.25 / 100000))


def check_two_sample_bootstrap():
    """The difference of means: the acceleration of several samples is SciPy's."""
    x, y = RNG.exponential(1, 30), RNG.exponential(2, 20)

    def difference(a, b, axis=-1):
        return np.mean(a, axis=axis) - np.mean(b, axis=axis)
    value, low, high, std, _, a = ask("difference", "bca", RESAMPLES, 0.95, x, y)
    near(value, x.mean() - y.mean(), 1e-13, "difference")
    ux, uy = x - x.mean(), y - y.mean()
    squares = (ux ** 2).sum() / 900 + (uy ** 2).sum() / 400
    near(a, ((ux ** 3).sum() / 27000 - (uy ** 3).sum() / 8000) / 6 / squares ** 1.5, 1e-9,
         "acceleration of two samples")
    ci = stats.bootstrap((x, y), difference, n_resamples=RESAMPLES, method="BCa",
                         random_state=np.random.default_rng(3)).confidence_interval
    near([low, high], [ci.low, ci.high], 0, "BCa of two samples", 0.1 * std)


def stratified(groups, statistic, level, resamples=4000):
    """rliable's interval: percentiles over resamples within environments."""
    rng = np.random.default_rng(9)
    values = [statistic([rng.choice(g, len(g)) for g in groups]) for _ in range(resamples)]
    return np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0), np.std(values, axis=0)


def improvement(x, y):
    return np.mean([stats.mannwhitneyu(a, b).statistic / len(a) / len(b) for a, b in zip(x, y, strict=True)])


def weighted_iqm(groups):
    """Every score repeated until all environments have as many."""
    n = sum(map(len, groups))
    common = np.lcm.reduce([len(g) for g in groups]) * n  # so that no score is cut in two
    x = np.sort(np.concatenate([np.repeat(g, common // len(g)) for g in groups]))
    cut = len(x) * (n // 4) // n
    return x[cut:len(x) - cut].mean()


def check_environments():
    x = [np.round(RNG.normal(3 + e, 2, n)) for e, n in enumerate((20, 20, 31))]
    y = [np.round(RNG.normal(2 + e, 3, n)) for e, n in enumerate((15, 20, 40))]
    r = ask("improvement", "percentile", 5000, 0.95, "3", *x, *y)
    near(r[0], improvement(x, y), 1e-14, "probability of improvement")
    ends, std = stratified(x + y, lambda g: improvement(g[:3], g[3:]), 0.95, 2000)
    near(r[1:3], ends, 0, "interval of improvement", 0.2 * std)
    one = ask("improvement", "percentile", 100, 0.95, "1", x[0], y[0])[0]
    near(one * len(x[0]) * len(y[0]), stats.mannwhitneyu(x[0], y[0]).statistic, 1e-14, "Mann-Whitney U")

    scores = [RNG.beta(2, 2, 25) * s for s in (0.5, 1, 1.3, 2)]

    def aggregates(groups):
        means = [g.mean() for g in groups]
        return [np.mean(means), np.median(means), stats.trim_mean(np.concatenate(groups), 0.25),
                np.mean([np.maximum(0, 1 - g).mean() for g in groups])]
    r = np.reshape(ask("aggregate", "percentile", 5000, 0.95, "4", *scores), (4, 6))
    near(r[:, 0], aggregates(scores), 1e-13, "aggregates")
    ends, std = stratified(scores, aggregates, 0.95)
    near(r[:, 1:3].T, ends, 0, "intervals of aggregates", 0.2 * std)

    # runs that share random numbers on all environments, drawn together: SciPy's paired bootstrap
    common = RNG.gamma(2, 3, 30)
    related = [common + RNG.normal(e, 0.5, 30) ** 2 for e in range(3)]
    ci = stats.bootstrap(related, lambda *g, axis=-1: np.mean([x.mean(axis=axis) for x in g], axis=0), paired=True,
                         n_resamples=RESAMPLES, method="BCa", random_state=np.random.default_rng(3), vectorized=True)
    r = np.reshape(ask("aggregate", "bca-together", 10000, 0.95, "3", *related), (4, 6))
    near(r[0, 1:3], ci.confidence_interval, 0, "interval of runs drawn together", 0.1 * ci.standard_error)
    apart = np.reshape(ask("aggregate", "bca", 10000, 0.95, "3", *related), (4, 6))
    if not apart[0, 3] < 0.75 * r[0, 3]:
        sys.exit("runs drawn together vary as if they were independent")

    uneven = [RNG.beta(2, 2, n) * s for n, s in ((25, 0.5), (7, 1), (40, 1.3), (1, 0.8))]
    near(ask("aggregate", "percentile", 100, 0.95, "4", *uneven)[12], weighted_iqm(uneven), 1e-12,
         "IQM of unequal numbers of runs")

    tau = np.linspace(0, 2, 9)

    def profile(groups):
        return np.mean([[(g > t).mean() for t in tau] for g in groups], axis=0)
    r = np.reshape(ask("profile", "percentile", 5000, 0.95, tau, "4", *scores), (9, 6))
    near(r[:, 0], profile(scores), 1e-14, "profile", 1e-15)
    ends, std = stratified(scores, profile, 0.95)
    near(r[:, 1:3].T, ends, 0, "band of the profile", 0.2 * std + 0.01)


def check_improvement_tests():
    for won, lost in ((3, 1), (0, 9), (5, 5), (60, 0), (140, 180), (900, 1100), (51_000, 49_000)):
        want = stats.binomtest(won, won + lost).pvalue
        near(ask("signs", [0.3, won, lost]), want, 1e-11, f"sign test {won}, {lost}")
    near(ask("signs", [1, 0, 0]), 1, 0, "sign test of ties")
    near(ask("signs", [1, 400, 5000]), stats.binomtest(400, 5400).pvalue, 1e-9, "sign test, p of 1e-900", 1e-300)

    def flips(*outcomes):  # by convolution: whole weights
        mass, total, seen = np.ones(1), 0, 0
        for weight, won, lost in outcomes:
            for _ in range(won + lost):
                mass = (np.pad(mass, (2 * weight, 0)) + np.pad(mass, (0, 2 * weight))) / 2
            total, seen = total + weight * (won + lost), seen + weight * (won - lost)
        return mass[np.abs(np.arange(len(mass)) - total) >= abs(seen)].sum()
    for outcomes in (((1, 3, 1), (2, 5, 0), (3, 2, 2)), ((7, 9, 1), (1, 0, 4)), ((1, 70, 50), (4, 30, 19), (6, 12, 8))):
        near(ask("signs", np.ravel(outcomes)), flips(*outcomes), 1e-10, f"sign test of whole weights {outcomes}")
    coins = RNG.binomial([30, 44], 0.5, (400_000, 2))  # other weights: by simulation
    t = np.abs((2 * coins[:, 0] - 30) / 30 + (2 * coins[:, 1] - 44) / 44)
    for a, b in ((20, 29), (18, 30), (13, 33)):
        p = np.mean(t >= abs((2 * a - 30) / 30 + (2 * b - 44) / 44) - 1e-12)
        r = ask("signs", [1 / 30, a, 30 - a, 1 / 44, b, 44 - b])[0]
        near(r, p * 1.08, 0.09, "sign test of two weights")  # never far below, at most some percent above
    d = RNG.normal(0.15, 1, 300)  # as many weights as differences
    t = np.abs((RNG.integers(0, 2, (100_000, 300), dtype=np.int8) * 2 - 1) @ d)
    r = ask("signs", np.ravel([(abs(x), x > 0, x < 0) for x in d]))[0]
    near(r, np.mean(t >= abs(d.sum())) * 1.05, 0.08, "sign test of 300 weights")
    near(ask("signs", [1 / 5, 5, 0, 1 / 6, 6, 0]), 2 ** -10, 1e-9, "sign test of 5 and 6 differences that are all won")
    for x, y in ((RNG.normal(0, 1, 20), RNG.normal(1, 2, 31)), (np.round(RNG.normal(0, 2, 40)), np.round(RNG.normal(1, 2, 15))),
                 (np.arange(5.0), np.arange(5.0) + 9), (np.array([-np.inf, 2, 3, np.inf]), np.array([2, 5, np.inf]))):
        finite = [np.nan_to_num(v, posinf=1e9, neginf=-1e9) for v in (x, y)]  # the same ranks; old versions of SciPy take no infinity
        want = stats.mannwhitneyu(*finite, method="asymptotic", use_continuity=True)
        near(ask("ranks", "1", np.sort(x), np.sort(y)), [want.pvalue, want.statistic / len(x) / len(y)], 1e-12, "rank-sum test")
    for x, y in ((np.ones(12), np.array([0.0])), (np.ones(11), np.array([0.0, 1.0])), (np.array([5.0]), np.arange(4.0)),
                 (np.array([0.0, 1, 1]), np.array([1.0, 1, 2]))):  # few or tied runs: not below the exact p by half
        both = np.concatenate([x, y])
        def share(a): return np.mean(np.sign(a[:len(x), None] - a[None, len(x):]))
        import itertools
        seen = [share(np.concatenate([both[list(c)], np.delete(both, c)])) for c in itertools.combinations(range(len(both)), len(x))]
        exact = np.mean(np.abs(seen) >= abs(share(both)) - 1e-12)
        near(ask("ranks", "1", np.sort(x), np.sort(y))[0] >= 0.9 * exact, True, 0, f"rank-sum test of few runs, {exact}")
    near(ask("ranks", "1", np.ones(4), np.ones(6)), [1, 0.5], 0, "rank-sum test of equal runs")
    x = [RNG.normal(0, 1, n) for n in (12, 20, 9)]  # shuffled within environments
    y = [RNG.normal(0.6, 1, n) for n in (15, 20, 14)]
    both = [np.concatenate(pair) for pair in zip(x, y, strict=True)]
    seen = abs(improvement(x, y) - 0.5)

    def drawn():
        mixed = [(RNG.permutation(b), len(a)) for b, a in zip(both, x, strict=True)]
        return np.mean([np.mean(m[:n, None] > m[None, n:]) for m, n in mixed])
    share = np.mean([abs(drawn() - 0.5) >= seen - 1e-12 for _ in range(4000)])
    near(ask("ranks", "3", *map(np.sort, x), *map(np.sort, y))[0], share, 0.15, "stratified rank-sum test", 0.012)


def by_definition(p):
    """Adjusted p-values as the least level at which the procedure rejects."""
    m, order = len(p), np.argsort(p, kind="stable")
    holm, fdr = np.empty(m), np.empty(m)
    for k, i in enumerate(order):
        holm[i] = min(1, max((m - j) * p[order[j]] for j in range(k + 1)))
        fdr[i] = min(1, *(m / (j + 1) * p[order[j]] for j in range(k, m)))
    return holm, fdr


def check_corrections():
    for p in (RNG.random(1), RNG.random(7) ** 3, np.round(RNG.random(40) ** 2, 1)):
        holm, fdr = by_definition(p)
        near(ask("adjust", "holm", p), holm, 1e-14, "Holm")
        near(ask("adjust", "fdr", p), fdr, 1e-14, "Benjamini-Hochberg")
        near(ask("adjust", "bonferroni", p), np.minimum(1, len(p) * p), 1e-14, "Bonferroni")
        if hasattr(stats, "false_discovery_control"):
            near(ask("adjust", "fdr", p), stats.false_discovery_control(p), 1e-13, "SciPy's FDR")


np.seterr(all="ignore")
for step in (check_distributions, check_summary, check_tests, check_bootstrap,
             check_two_sample_bootstrap, check_environments, check_improvement_tests,
             check_corrections):
    step()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
