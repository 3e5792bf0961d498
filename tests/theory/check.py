#!/usr/bin/env python3
"""The numbers of `farsight pac` against the formulas of docs/theory.md at 80 digits.

usage: check.py FARSIGHT

Written from docs/theory.md and the papers, not from the C code; only the standard library. The
fixed point in m is checked as what it is, the least whole number that serves both lemmas.
"""
import itertools
import json
import math
import re
import subprocess
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext

getcontext().prec = 80
getcontext().Emax = 10**9
getcontext().Emin = -(10**9)
FARSIGHT = sys.argv[1]
SANITIZED = "asan" in FARSIGHT  # every theorem, small and large, but fewer inverses: each takes three commands
EXACT = 10**9  # whole numbers below are compared exactly
passed = failed = 0


def check(good, *what):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("failed:", *what)


def near(x, y, tolerance, *what):
    """Relative; y is a Decimal and the truth."""
    x = Decimal(x)
    check(x == y or abs(x - y) <= abs(y) * Decimal(tolerance), *what, f"{x:.17g} and not {y:.17g}")


def ceil(x):
    return Decimal(x).to_integral_value(ROUND_CEILING)


def log2(x):
    return x.ln() / Decimal(2).ln()


def pac(*args, code=0):
    done = subprocess.run([FARSIGHT, "pac", *map(str, args)], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == code, (args, done.returncode, done.stderr)
    return done


class Problem:
    """The inputs as the doubles that they are."""

    def __init__(self, S, A, gamma, share, delta, range_=1.0, episodic=False, gamma_e=0.99, D=7.0):
        self.args = ["--states", S, "--actions", A, "--gamma", repr(gamma), "--delta", repr(delta),
                     "--rmax", repr(range_), "--gamma-e", repr(gamma_e), "--diameter", repr(D)]
        self.args += ["--episodic"] if episodic else []
        eps = share * range_ / (1 - gamma)
        self.eps_args = ["--eps", repr(eps)]
        self.S, self.A, self.outcomes = Decimal(S), Decimal(A), Decimal(S + episodic)
        self.gamma, self.delta, self.range = Decimal(gamma), Decimal(delta), Decimal(range_)
        self.eps, self.gamma_e, self.D = Decimal(eps), Decimal(gamma_e), Decimal(D)
        self.rest = 1 - self.gamma
        self.v_max = self.range / self.rest
        self.pairs = self.S * self.A
        self.w = self.range + self.gamma * self.v_max


# ---- the formulas ----

def count(p, x, v_top, event_quarters, delta_left):
    """From events to mistakes: section "Counting mistakes"."""
    x["p"] = min(Decimal(1), p.eps * event_quarters / 4 / v_top)
    x["horizon"] = max(Decimal(1), ceil((4 * v_top / p.eps).ln() / p.rest))
    x["delta_count"] = delta_left
    L = -delta_left.ln()
    x["events"] = x["zeta"] + L + (L * L + 2 * x["zeta"] * L).sqrt()
    x["mistakes"] = ceil(x["events"] / x["p"]) * x["horizon"]
    x["bound"] = x["mistakes"]


def delayed(p, directed, interval):
    x = {"V_max": p.v_max, "w": p.w}
    eps1 = x["eps1"] = p.eps * p.rest / (16 if directed else 12)
    delta = p.delta / 2 if directed else p.delta
    lam, v_top = Decimal(0), p.v_max
    if directed:
        share = eps1 / p.range
        x["eta"] = 1 - share
        ln_eta = (1 - share).ln()
        lam = (share.ln() / ln_eta).sqrt()
        if p.gamma_e > 0:
            lam = min(lam, (1 + p.gamma_e.ln() / ln_eta).sqrt())
        lam = x["lambda"] = eps1 * lam
        v_top = x["V_top"] = p.v_max + lam
    kappa = x["kappa"] = v_top / eps1
    c = x["c"] = p.w**2 / (2 * eps1**2)
    B = x["B"] = 3 * p.pairs * (1 + p.pairs * kappa) / delta
    if interval:
        m = x["m"] = least_fixed(c, B)
        x["rho"] = eps1 * m.sqrt()
        x["rho_least"] = p.w * ((B * m).ln() / 2).sqrt()
    else:
        m = x["m"] = ceil(c * B.ln())
    x["escapes"] = 2 * m * p.pairs * kappa
    x["zeta"] = (2 * m + 1) * p.pairs * kappa
    count(p, x, v_top, 2, p.delta - 2 * delta / 3)
    return x


def least_fixed(c, B):
    """The least whole m >= 2 with m >= c ln(B m), by Newton's method and a step or two."""
    m = max(Decimal(2), 2 * c * max(c * B, Decimal(3)).ln())
    for _ in range(60):
        m = max(Decimal(2), m - (m - c * (B * m).ln()) / (1 - c / m))
    m = max(Decimal(2), ceil(m))
    if m > Decimal("1e50"):
        return m  # ceil changes nothing that can be seen
    while m - 1 >= 2 and m - 1 >= c * (B * (m - 1)).ln():
        m -= 1
    while m < c * (B * m).ln():
        m += 1
    return m


def printed(p):
    eps1 = p.eps * p.rest / 4
    share, kappa = eps1 / p.range, p.v_max / p.eps
    c, size = p.w**2 / (2 * eps1**2), 6 * p.pairs * (1 + p.pairs * kappa) / p.delta
    m = ceil(c * size.ln())
    x = {"V_max": p.v_max, "eps1": eps1, "eta": 1 - share, "kappa": kappa, "m": m,
         "lambda": eps1 * (share.ln() / (1 - share).ln()).sqrt(),
         "m2": p.gamma_e**2 / (2 * share**2) * size.ln(), "rho": eps1 * m.sqrt(),
         "rho_least": p.w * ((size / 2 * m).ln() / 2).sqrt(), "zeta": 2 * m * p.pairs * kappa}
    if p.eps <= p.range:
        x["V_top"] = p.v_max + p.range * (1 - p.eps / p.range).sqrt()
    return x


def ln_sets(n):
    return Decimal(0) if n < 2 else (n * Decimal(2).ln()
                                     + (1 - ((1 - n) * Decimal(2).ln()).exp()).ln())


def known(p, delta):
    """R-max: (eps (1-gamma) / 8) of transitions and of rewards each."""
    sets, each = ln_sets(p.outcomes), p.eps * p.rest / 8
    transitions = (p.gamma * p.v_max / 2 / each)**2 * 2 * (sets + (2 * p.pairs / delta).ln())
    rewards = (p.range / each)**2 * (4 * p.pairs / delta).ln() / 2
    return ceil(max(transitions, rewards))


def r_max(p):
    x = {"V_max": p.v_max, "ln_sets": ln_sets(p.outcomes), "m": known(p, p.delta / 2),
         "eps_model": p.eps / 4}
    x["zeta"] = x["m"] * p.pairs
    count(p, x, p.v_max, Decimal(1) / 2, p.delta / 2)
    return x


def least(enough):
    """The least whole number that is enough."""
    high = 1
    while not enough(Decimal(high)):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(Decimal(middle)) else (middle, high)
    return Decimal(high)


def mbie(p):
    d, sets = p.delta / 2, ln_sets(p.outcomes)
    a = lambda m: ((4 * p.pairs * m / d).ln() / 2).sqrt()
    b = lambda m: Decimal(0) if p.outcomes < 2 else (2 * (sets + (2 * p.pairs * m / d).ln())).sqrt()
    error = lambda m: (2 * p.range * a(m) + p.gamma * p.v_max * b(m)) / m.sqrt()
    m = least(lambda m: error(m) <= p.eps * p.rest / 2)
    x = {"V_max": p.v_max, "ln_sets": sets, "m": m, "a": a(m), "b": b(m), "zeta": m * p.pairs}
    count(p, x, p.v_max, Decimal(1) / 2, p.delta / 2)
    return x


def mbie_eb(p):
    d, sets = p.delta / 2, ln_sets(p.outcomes)
    beta = lambda m: p.v_max * ((2 * p.pairs * m / d).ln() / 2).sqrt()
    rewards = p.range * ((8 * p.pairs / d).ln() / 2).sqrt()
    moves = (Decimal(0) if p.outcomes < 2 else
             p.gamma * p.v_max / 2 * (2 * (sets + (4 * p.pairs / d).ln())).sqrt())
    m = least(lambda m: (rewards + moves + beta(m)) / m.sqrt() <= p.eps * p.rest / 2)
    x = {"V_max": p.v_max, "ln_sets": sets, "m": m, "beta": beta(m), "zeta": m * p.pairs}
    count(p, x, p.v_max, Decimal(1) / 2, p.delta / 2)
    return x


def e3(p):
    T = max(Decimal(1), ceil((p.range / (p.eps * p.rest)).ln() / p.rest))
    left = (T * p.gamma.ln()).exp() if p.gamma > 0 else Decimal(0)
    return {"V_max": p.v_max, "T": T, "theta": min(Decimal(1), p.eps / (2 * p.v_max * (1 - left))),
            "m": known(p, p.delta)}


def mormax(p):
    x = p.eps * p.rest
    return {"V_max": p.v_max, "eps1": x,
            "m": ceil(1800 * (p.v_max / x)**2 * (144 * p.pairs**2 * p.v_max / (p.delta * x)).ln())}


def beb(p):
    H = 1 / p.rest
    return {"V_max": p.v_max, "H": H, "beta": 2 * H**2 * p.range, "m": ceil(4 * H**3 * p.range / p.eps)}


def oim(p):
    return {"V_max": p.v_max, "v_e": p.v_max}


def ucb_q(p):
    if p.gamma <= Decimal("0.5"):
        return None
    e, ln_horizon = p.eps / p.range, -p.rest.ln()
    R = max(Decimal(1), ceil((3 / (e * p.rest)).ln() / p.rest))
    L = log2(R + Decimal("1e-40")).to_integral_value(ROUND_FLOOR)
    xi = e / (3 * 2**(L + 2) * ln_horizon)
    M = max(Decimal(10), ceil(2 * log2(1 / (xi * p.rest))))
    eps1 = e / (24 * R * M * ln_horizon)
    return {"c": 4 * Decimal(2).sqrt() / p.rest, "R": R, "L": L, "xi": xi, "M": M, "eps1": eps1,
            "h": (1 / (p.rest * eps1)).ln() / -p.gamma.ln()}


def ucrl_gamma(p):
    lnln = max(Decimal(1), (-p.rest.ln()).ln()) if p.gamma > 0 else Decimal(1)
    x = p.eps / p.range * p.rest
    w_min = x / (4 * p.S)
    delta1 = p.delta / (2 * p.pairs * max(Decimal(1), log2(p.S))
                        * max(Decimal(1), log2(1 / (w_min * p.rest))))
    L1 = (2 / delta1).ln()
    m = 1280 * L1 / x**2 * lnln**2 * (p.S / x).ln() * (1 / x).ln()
    return {"w_min": w_min, "L1": L1, "m": m, "batch": max(Decimal(1), ceil(m * w_min)),
            "delay": ceil((8 * p.S / x).ln() / p.rest)}


def ucrl2(p):
    loss = p.eps * p.rest
    k = (34 * p.D * p.S * p.range / loss)**2 * p.A
    T = least_fixed(k, 1 / p.delta)
    return {"D": p.D, "loss": loss, "k": k, "T": T, "regret": loss * T, "bound": T}


def ucbvi_gamma(p):
    T = Decimal(10)**6
    return {"u": (40 * p.pairs * T**3 * T.ln()**2 / (p.rest**2 * p.delta)).ln(), "b": Decimal(100)}


def average(p):
    """Bounds of an order only: what they are stated in."""
    return {"D": p.D, "loss": p.eps * p.rest}


FORMULAS = {
    "directed-delayed-q": lambda p: delayed(p, True, True),
    "directed-delayed-q-full": lambda p: delayed(p, True, False),
    "directed-delayed-q-printed": printed,
    "delayed-q": lambda p: delayed(p, False, False),
    "delayed-q-ie": lambda p: delayed(p, False, True),
    "ucb-q": ucb_q, "e3": e3, "r-max": r_max, "v-max": r_max, "mbie": mbie, "mbie-eb": mbie_eb,
    "oim": oim, "mormax": mormax, "ucrl-gamma": ucrl_gamma, "ucbvi-gamma": ucbvi_gamma, "beb": beb, "ucrl2": ucrl2,
    "ucrl2b": average, "kl-ucrl": average, "ucrl3": average, "lower-bound": lambda p: {"V_max": p.v_max},
    "lower-bound-discounted": lambda p: {"V_max": p.v_max}, "lower-bound-average": average,
}
# ---- episodes of so many steps ----

class Episodes(Problem):
    """A problem of finite horizon; eps as a share of the most that an episode earns."""

    def __init__(self, S, A, H, share, delta, range_=1.0):
        super().__init__(S, A, 0.95, 0.05, delta, range_)
        self.args += ["--horizon", H]
        eps = share * range_ * H
        self.eps_args = ["--eps", repr(eps)]
        self.eps, self.H = Decimal(eps), Decimal(H)


def ucb_h_regret(p, K):
    """Section "UCB-H", in units of the range."""
    iota = (2 * p.pairs * p.H * K * (K + 1) / (p.delta / 2)).ln()
    noise = p.H * (p.H * K * (2 / p.delta).ln() / 2).sqrt()
    return Decimal(1).exp() * (p.pairs * p.H**2 + 6 * (p.H**5 * p.pairs * K * iota).sqrt() + noise)


def ucb_h(p):
    K = least(lambda K: ucb_h_regret(p, K) * p.range <= K * p.eps)
    return {"V_max": p.range * p.H, "c": Decimal(1), "delta'": p.delta / 2, "K": K,
            "regret": p.range * ucb_h_regret(p, K), "bound": K * p.H}


def ucb_b(p):
    return {"V_max": p.range * p.H, "c2": Decimal(2), "tail": (p.H**7 * p.pairs).sqrt()}


def ucbvi(p, regret):
    """Section "UCBVI"; the bound on the regret of K episodes with the logarithm l, in units of the range."""
    def log(K):
        return (5 * p.H * p.pairs * K * p.H / p.delta).ln()
    K = least(lambda K: regret(K, log(K)) * p.range <= K * p.eps)
    return {"V_max": p.range * p.H, "K": K, "log": log(K), "regret": p.range * regret(K, log(K)), "bound": K * p.H}


def ucbvi_bf(p):
    return ucbvi(p, lambda K, l: 30 * p.H * l * (p.pairs * K).sqrt() + 2500 * p.H**2 * p.S * p.pairs * l**2
                 + 4 * (p.H**3 * K * l).sqrt())


def ucbvi_ch(p):
    return ucbvi(p, lambda K, l: 20 * l * (p.H**3 * p.pairs * K).sqrt() + 250 * p.H**2 * p.S * p.pairs * l**2)


def mvp(p):
    return {"V_max": p.range * p.H, "c1": Decimal(460) / 9, "c3": Decimal(544) / 9}


def ubev(p):
    return {"V_max": p.range * p.H, "log": (18 * p.pairs * p.H / p.delta).ln()}


def orlc(p):
    return {"V_max": p.range * p.H, "log": (26 * p.pairs * (p.H + 1 + p.S) / p.delta).ln()}


def most_of_episode(p):
    """Orders only."""
    return {"V_max": p.range * p.H}


def first_rate(p, factor):
    return {"V_max": p.range * p.H, "lambda": (factor * p.pairs * p.H / p.delta).ln()}


def bpi_ucbvi(p):
    return first_rate(p, 3) | {"dim": p.outcomes, "c": 14 * p.H**2, "width": 36 * p.H**2}


def rf_express(p):
    return first_rate(p, 3) | {"dim": p.outcomes, "c": 15 * p.H**2}


def rf_ucrl(p):
    return first_rate(p, 2) | {"dim": p.outcomes - 1}


EPISODIC = {
    "ucb-h": ucb_h, "ucb-b": ucb_b, "ucbmq": most_of_episode, "rand-ql": most_of_episode,
    "bpi-ucbvi": bpi_ucbvi, "rf-express": rf_express, "rf-ucrl": rf_ucrl, "psrl-episodic": most_of_episode,
    "rlsvi-episodic": most_of_episode, "bayes-ucbvi": most_of_episode,
    "q-advantage": most_of_episode, "lower-bound-regret": most_of_episode,
    "lower-bound-episodes": most_of_episode, "ucbvi": ucbvi_bf, "ucbvi-ch": ucbvi_ch,
    "ucbvi-2025": most_of_episode, "mvp": mvp, "ubev": ubev, "orlc": orlc,
}
TIMED = [
    Episodes(6, 2, 20, 0.1, 0.1),
    Episodes(1, 1, 1, 0.9, 0.9),
    Episodes(7, 3, 5, 0.03, 0.01, range_=40.0),
    Episodes(1000, 10, 1000, 1e-6, 1e-9, range_=0.01),
    Episodes(4294967295, 1000000, 1000000000, 1e-50, 1e-50),
]


def check_episodic(p):
    """Shown where there is a horizon, and computed from this page."""
    found = json.loads(pac(*p.args, *p.eps_args, "--json").stdout)["theorems"]
    check({t["name"] for t in found} == {*FORMULAS, *EPISODIC}, "the names with a horizon")
    for t in found:
        if t["name"] in EPISODIC:
            compare(p, t, EPISODIC[t["name"]](p), (t["name"], *p.args))
    if not SANITIZED or p in TIMED[::2]:
        check_inverse(p, {t["name"]: t for t in found if t["name"] in EPISODIC})
    text = pac(*p.args, *p.eps_args).stdout + pac(*p.args, *p.eps_args, "--explain").stdout
    check(not re.search(r"\b(inf|nan|-nan)\b", text), "inf or nan in print")


def check_harder_episodes():
    """A harder problem never has a smaller bound."""
    base = {"--states": 20, "--actions": 3, "--horizon": 8, "--eps": 0.4, "--delta": 0.1}
    for key, values in {"--states": (20, 40), "--actions": (3, 6), "--eps": (0.4, 0.01), "--horizon": (8, 9),
                        "--delta": (0.1, 1e-9)}.items():
        easy, hard = (bounds(*[x for kv in {**base, key: v}.items() for x in kv]) for v in values)
        for name in sorted({*easy} & {*EPISODIC}):
            check(easy[name] < hard[name], name, key, easy[name], hard[name])


def check_step_sizes():
    """What the section "UCB-H" takes from Lemma 4.1, with fractions of whole numbers."""
    for H in (1, 2, 7, 30):
        weights = []  # alpha_t^i, i = 1 ... t
        for t in range(1, 80):
            a = Decimal(H + 1) / (H + t)
            weights = [w * (1 - a) for w in weights] + [a]
            roots = sum(w / Decimal(i).sqrt() for i, w in enumerate(weights, 1))
            check(abs(sum(weights) - 1) < Decimal("1e-70"), "the weights add to 1", H, t)
            check(1 <= roots * Decimal(t).sqrt() * (1 + Decimal("1e-70")) and roots * Decimal(t).sqrt() <= 2, "(a)", H, t)
            check(sum(w * w for w in weights) <= Decimal(2 * H) / t, "(b)", H, t)


WHOLE = {"m", "horizon", "T", "R", "L", "M", "batch", "delay", "K"}

GRID = [
    Problem(10, 2, 0.9, 0.05, 0.1),
    Problem(10, 2, 0.95, 0.05, 0.1, gamma_e=0.25),
    Problem(50, 2, 0.99, 0.05, 0.1, gamma_e=0.9),
    Problem(1, 1, 0.5, 0.3, 0.5),
    Problem(1, 1, 0.0, 0.9, 0.9, gamma_e=0.0),
    Problem(2, 3, 0.3, 1e-3, 0.01, range_=7.0),
    Problem(7, 4, 0.75, 0.999, 0.05, range_=0.001, episodic=True),
    Problem(16, 4, 0.95, 0.1, 0.1, episodic=True, gamma_e=0.0),
    Problem(400, 5, 0.97, 0.02, 0.001, range_=30.0, D=300.5),
    Problem(1000000, 10, 0.999999, 1e-6, 1e-9),
    Problem(1000000, 2, 0.999999, 1e-12, 0.1, gamma_e=0.999),
    Problem(4294967295, 4294967295, 0.9999999999, 1e-59, 1e-59),
    Problem(3, 2, 0.9, 1e-40, 0.1, range_=1e25),
    Problem(3, 2, 0.9, 1e-30, 0.999, range_=1e-25),
    Problem(4, 4, 0.99, 1e-55, 0.1, range_=1e30),
]


def check_numbers(p):
    done = pac(*p.args, *p.eps_args, "--json")
    answer = json.loads(done.stdout, parse_constant=lambda x: check(False, "JSON has", x))
    check([t["name"] for t in answer["theorems"]] == list(FORMULAS), "the names")
    for t in answer["theorems"]:
        truth = FORMULAS[t["name"]](p)
        where = (t["name"], *p.args)
        check(t["applies"] == (truth is not None), *where, "applies")
        if truth is None:
            check(t["bound"] is None and t["missing"], *where)
            continue
        compare(p, t, truth, where)
    return {t["name"]: t for t in answer["theorems"]}


def tolerance(name, p):
    if name == "h":  # ln(1/gamma) in doubles has lost the digits that gamma near 1 has
        return max(Decimal("1e-11"), Decimal("4e-16") / p.rest)
    return "1e-9" if name in ("lambda", "eta") else "1e-11"


def compare(p, t, truth, where):
    has = {q["name"]: q for q in t["quantities"]}
    check(set(truth) - {"bound"} == {n for n in has if has[n]["value"] is not None
                                     or has[n]["log10"] is not None}, *where, "quantities", has.keys())
    for name, y in truth.items():
        if name == "bound":
            continue
        q = has[name]
        if y > Decimal("1.7e308"):
            check(q["value"] is None, *where, name, "is too large for a double")
        elif name in WHOLE and y < EXACT and y == int(y):
            check(q["value"] == int(y), *where, name, q["value"], y)
        else:
            near(q["value"], y, tolerance(name, p), *where, name)
        if y > 0:
            good = abs(Decimal(q["log10"]) - y.log10()) <= Decimal("1e-11") * (1 + abs(y.log10()))
            check(good, *where, name, "log10", q["log10"])
        check(q["formula"] and q["source"] and q["meaning"], *where, name, "is explained")
    check(t["explicit"] == ("bound" in truth), *where, "explicit")
    if "bound" not in truth:
        check(t["bound"] is None and t["log10_bound"] is None, *where, "an order is no number")
        return
    near(t["log10_bound"], truth["bound"].log10(), "1e-11", *where, "log10_bound")
    if truth["bound"] < Decimal("1e300"):
        near(t["bound"], truth["bound"], "1e-10", *where, "bound")


def check_fixed_point(p, t):
    """Both lemmas at m; not at m - 1. From the definitions, whatever made m."""
    value = {q["name"]: q["value"] for q in t["quantities"]}
    m = Decimal(value["m"])
    if m > EXACT:
        return
    truth = FORMULAS[t["name"]](p)
    c, B, eps1 = truth["c"], truth["B"], truth["eps1"]
    learning = lambda m: eps1 * m.sqrt()  # Lemma 1: rho is at most this
    optimism = lambda m: p.w * ((B * m).ln() / 2).sqrt()  # Lemma 2: at least this
    check(learning(m) >= optimism(m), t["name"], *p.args, "both lemmas at m", m)
    check(m >= c * B.ln(), t["name"], *p.args, "Hoeffding for learning at m", m)
    if m > 2:
        check(learning(m - 1) < optimism(m - 1), t["name"], *p.args, "not at m - 1", m - 1)


def check_inverse(p, before):
    """inverse(forward(eps)) = eps, and the promise holds at what it returns."""
    for name, t in before.items():
        if t["bound"] is None or t["bound"] > 1e299:
            continue
        done = pac(name, *p.args, "--steps", repr(float(t["bound"])), "--json")
        back, = json.loads(done.stdout)["theorems"]
        check(back["inverse"]["promised"], name, *p.args, "promised")
        eps = back["inverse"]["eps"]
        # whole numbers make the bound a staircase; a step is as wide as one sample
        sample = max(1e-9, *(2 / q["value"] for q in t["quantities"] if q["name"] in ("m", "T", "K")))
        near(eps, p.eps, sample, name, *p.args, "inverse")
        again, = json.loads(pac(name, *p.args, "--eps", repr(eps), "--json").stdout)["theorems"]
        check(again["log10_bound"] <= t["log10_bound"] * (1 + 1e-14), name, *p.args, "holds there")
        less, = json.loads(pac(name, *p.args, "--eps", repr(eps * (1 - 1e-9)), "--json").stdout)[
            "theorems"]
        check(less["log10_bound"] >= again["log10_bound"], name, *p.args, "least")


def bounds(*args):
    found = json.loads(pac(*args, "--diameter", "9", "--json").stdout)["theorems"]
    return {t["name"]: t["log10_bound"] for t in found if t["log10_bound"] is not None}


def check_monotone():
    """A harder problem never has a smaller bound; and each step of these is really harder."""
    base = {"--states": 20, "--actions": 3, "--gamma": 0.9, "--eps": 0.4, "--delta": 0.1}
    for key, values in {"--states": (20, 40, 80), "--actions": (3, 6, 12), "--eps": (0.4, 0.3, 0.01),
                        "--delta": (0.1, 0.03, 1e-9)}.items():
        seen = [bounds(*[x for kv in {**base, key: v}.items() for x in kv]) for v in values]
        check(len(seen[0]) == 9, "nine explicit bounds", len(seen[0]))
        for easy, hard in itertools.pairwise(seen):
            for name in easy:
                check(easy[name] < hard[name], name, key, easy[name], hard[name])
    for easy, hard in ((0.5, 0.8), (0.8, 0.99), (0.99, 0.9999)):  # at the same eps
        low, high = (bounds("--states", 5, "--actions", 2, "--gamma", g, "--eps", 0.1)
                     for g in (easy, hard))
        for name in low:
            check(low[name] < high[name], name, "gamma", easy, hard)


def check_footing():
    """Rewards in other units change no count."""
    a = bounds("--states", 6, "--actions", 2, "--gamma", 0.875, "--eps", 0.5)
    b = bounds("--states", 6, "--actions", 2, "--gamma", 0.875, "--eps", 512, "--rmax", 1024)
    c = bounds("--states", 6, "--actions", 2, "--gamma", 0.875, "--eps", 0.5, "--rmin", -3, "--rmax", -2)
    for name in a:
        check(math.isclose(a[name], b[name], rel_tol=1e-12), name, "scaled", a[name], b[name])
        check(a[name] == c[name], name, "shifted", a[name], c[name])


def main():
    for p in GRID:
        found = check_numbers(p)
        for name in ("directed-delayed-q", "delayed-q-ie"):
            check_fixed_point(p, found[name])
        text = pac(*p.args, *p.eps_args).stdout + pac(*p.args, *p.eps_args, "--explain").stdout
        check(not re.search(r"\b(inf|nan|-nan)\b", text), "inf or nan in print")
    for p in GRID[:10 : 3 if SANITIZED else 1]:
        check_inverse(p, {t["name"]: t for t in json.loads(
            pac(*p.args, *p.eps_args, "--json").stdout)["theorems"]})
    for p in TIMED:
        check_episodic(p)
    check_harder_episodes()
    check_step_sizes()
    check_monotone()
    check_footing()
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
