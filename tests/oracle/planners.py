"""Plain reference versions of the agents that learn a model, written from docs/agents.md and the
papers and from nothing else.

    class      paper
    RMax       Brafman & Tennenholtz 2002; discounted as in Strehl, Li, Littman 2009
    VMax       Rao & Whiteson 2012
    MBIE       Strehl & Littman 2008
    MBIEEB     Strehl & Littman 2008
    BEB        Kolter & Ng 2009
    OIM        Szita & Lorincz 2008
    MoRMax     Szita & Szepesvari 2010
    E3         Kearns & Singh 2002
    UCRL2      Jaksch, Ortner, Auer 2010
    UCRLGamma  Lattimore & Hutter 2014, the practical variant of docs/agents.md
    PSRL       Strens 2000; Osband, Russo, Van Roy 2013
    RLSVI      Osband, Van Roy, Wen 2016

Tables have rows for the live states only (live.py).  Models are dense tables of counts, over the
live states and then, where episodes can end, the end, which goes by the first number that is no id.
Plans are the fixed points themselves: `solve` repeats the whole backup until nothing moves.  The
`tol` of a spec is for the library, which stops there; here it means nothing.

Decisions are audited: `audit.closest` is the smallest margin of a test so far, and `choice` says by
how much the actions it returns beat the others.
"""

import math
from operator import mul

from agents import Audit
from live import Learner, copied, live_states

CLOSE = 1e-7  # values closer than this are told apart only if they differ by construction
PRECISION = 1e-16  # of a plan, relative


# -- tools -------------------------------------------------------------------------------------


def dot(x, y):
    """The sum of the products, correctly rounded, so the same in every version of Python."""
    assert len(x) == len(y), "a row and values of other outcomes"
    return math.fsum(map(mul, x.values(), map(y.__getitem__, x)))


def solve(q, backup, look, gamma):
    """The fixed point of Q(s, a) = backup(s, a, V) from the start q, where V = look(Q).

    All pairs are backed up with the same V.  It ends when no value moves by more than rounding.
    """
    for _ in range(200 + math.ceil(60 / (1 - gamma))):
        v = look(q)
        new = {s: [backup(s, a, v) for a in range(len(q[s]))] for s in q}
        moved = max(abs(x - y) for s in q for x, y in zip(q[s], new[s], strict=True))
        size = max(abs(x) for row in new.values() for x in row)
        q = new
        if moved <= PRECISION * size:
            break
    return q


def l1_best(p, width, v):
    """The distribution within `width` of p in the L1 norm whose mean of v is greatest.

    Half of the width may be taken away and given to the best outcome: take the mass off p in the
    order of rising v, outcome by outcome, then add all of it at the top.
    """
    order = sorted(p, key=lambda y: v[y])
    top = order[-1]
    budget = min(width / 2, 1 - p[top])
    out, left = dict(p), budget
    for y in order[:-1]:
        taken = min(out[y], left)
        out[y] -= taken
        left -= taken
    out[top] += budget - left
    return out


def box_best(low, high, v):
    """The distribution between low and high whose mean of v is greatest."""
    out, left = dict(low), 1 - math.fsum(low.values())
    for y in sorted(low, key=lambda y: -v[y]):
        more = min(high[y] - low[y], left)
        out[y] += more
        left -= more
    return out


def log_subsets(n):
    """ln(2^n - 2): the number of proper subsets in the L1 deviation bound; 0 for n = 1."""
    return math.log(2**n - 2) if n > 1 else 0.0


def normal(rng):
    """Marsaglia's polar method; the second variate is thrown away."""
    while True:
        u, v = 2 * rng.unit() - 1, 2 * rng.unit() - 1
        s = u * u + v * v
        if 0 < s < 1:
            return u * math.sqrt(-2 * math.log(s) / s)


def gamma_variate(rng, shape, audit=None):
    """Marsaglia & Tsang; for shape < 1 Gamma(shape + 1) U^(1/shape), U drawn last."""
    if shape < 1:
        g = gamma_variate(rng, shape + 1, audit)
        u = rng.unit()
        return g * math.exp(math.log(u) / shape) if u > 0 else 0.0
    d = shape - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal(rng)
        if 1 + c * x <= 0:
            continue
        v = (1 + c * x) ** 3
        u = rng.unit()
        squeeze = 1 - 0.0331 * x**4 - u
        if squeeze > 0:
            return d * v
        margin = 0.5 * x * x + d * (1 - v + math.log(v)) - (math.log(u) if u > 0 else -math.inf)
        if audit:
            audit.margin(margin * 1e4)  # 1e-11 is close enough here: no plan comes in between
        if margin > 0:
            return d * v


# -- what all have in common -------------------------------------------------------------------


class Planner(Learner):
    """Units, counts, reports and greedy choices; no learning."""

    def __init__(self, params, n_states, n_actions, rmin, rmax, episodic=True, rng=None, absent=()):
        if episodic:
            rmin, rmax = min(rmin, 0.0), max(rmax, 0.0)
        self.p, self.rng, self.audit = dict(params), rng, Audit()
        super().__init__(live_states(n_states, absent), n_actions)
        self.S, self.A, self.episodic = len(self.live), n_actions, episodic
        self.over = n_states  # the outcome that ends an episode
        self.outcomes = self.live + [self.over] * episodic
        self.rmin, self.R = rmin, rmax - rmin
        self.gamma = self.p.get("gamma", 0.0)
        self.vmax = self.R / (1 - self.gamma)
        self.end = -rmin / (1 - self.gamma)
        self.ties = self.p.get("ties", "random")
        if self.p.get("preset") == "theory":
            e, d = self.p.get("eps", 0.1 * self.vmax), self.p.get("delta", 0.1)
            for key, value in self.theory(e, d).items():
                self.p.setdefault(key, value)
        self.m = self.p.get("m", math.inf)
        self.t = 0
        self.n = self.table(0)
        self.rsum = self.table(0.0)  # of shifted rewards
        self.c = self.each_pair(lambda s, a: dict.fromkeys(self.outcomes, 0))
        self.plain = self.table(0.0)  # sum of plain rewards
        self.seen = self.each_pair(lambda s, a: [])  # in order
        self.Q = self.table(self.vmax)
        self.words = self.table("start")

    def each_pair(self, f):
        """f(s, a) of all pairs of live states, indexed [s][a]."""
        return {s: [f(s, a) for a in range(self.A)] for s in self.live}

    def table(self, value):
        """A fresh table of one value."""
        return self.each_pair(lambda s, a: value)

    def pairs(self):
        """All pairs of live states, in order."""
        return [(s, a) for s in self.live for a in range(self.A)]

    def theory(self, eps, delta):
        """The keys that preset=theory fills where they are not given."""
        return {}

    def known_m(self, eps, delta):
        """R-max's m: enough samples for an error of eps/4 by the simulation lemma."""
        pairs, g = self.S * self.A, self.gamma
        w = log_subsets(len(self.outcomes))
        p_part = 32 * g * g * self.vmax**2 * (w + math.log(2 * pairs / delta))
        r_part = 32 * self.R**2 * math.log(4 * pairs / delta)
        return math.ceil(max(p_part, r_part) / (eps * eps * (1 - g) ** 2))

    def count(self, s, a, r, nxt, done):
        """Add one transition to the model."""
        self.n[s][a] += 1
        self.rsum[s][a] += r - self.rmin
        self.plain[s][a] += r
        y = self.over if done else nxt
        self.c[s][a][y] += 1
        if y not in self.seen[s][a]:
            self.seen[s][a].append(y)

    def mean_r(self, s, a):
        """The mean of the shifted rewards."""
        return self.rsum[s][a] / self.n[s][a]

    def row(self, s, a):
        """The frequencies of all outcomes."""
        return {y: k / self.n[s][a] for y, k in self.c[s][a].items()}

    def worth(self, v, end):
        """The values of all outcomes, from those of the live states."""
        return {y: end if y == self.over else v[y] for y in self.outcomes}

    def look(self, q):
        """The values of all outcomes."""
        return self.worth({s: max(row) for s, row in q.items()}, self.end)

    def plan(self):
        """Solve for Q with self.backup."""
        self.Q = solve(self.Q, self.backup, self.look, self.gamma)
        self.name_origins()

    # -- choices and reports --

    def action_values(self, s):
        """What the agent maximises at s."""
        return self.Q[s]

    def origin(self, s, a):
        """A word for a value: it is the same to the last bit in all pairs of s with that word."""
        return self.words[s][a]

    def word(self, s, a):
        """The origin of a value, asked right after a plan."""
        return "vmax" if (s, a) in self.top else self.data(s, a)

    def pinned(self, s, a):
        """Whether a value is set to Vmax, not computed."""
        return self.n[s][a] == 0

    def top_pairs(self):
        """The pairs worth exactly Vmax: those set to it, and those that earn R on the way there.

        R + gamma Vmax is Vmax to the last bit where Vmax is a power of two.
        """
        pairs = self.pairs()
        top = {x for x in pairs if self.pinned(*x)}
        if not self.halves(self.vmax) or self.R + self.gamma * self.vmax != self.vmax:
            return top
        maybe = top | {x for x in pairs if self.full_reward(*x) and len(self.seen[x[0]][x[1]]) == 1}
        while True:
            states = {s for s, _ in maybe}
            keep = {x for x in maybe if x in top or self.seen[x[0]][x[1]][0] in states}
            if keep == maybe:
                return keep
            maybe = keep

    def full_reward(self, s, a):
        """Whether the reward of a pair's backup is exactly R."""
        return self.rsum[s][a] == self.n[s][a] * self.R

    def data(self, s, a):
        """What the backup of a pair is made of, to the last bit.

        Actions of one state that have the same data have the same value.  A sum of two terms does
        not depend on their order; otherwise the order of first sight counts.
        """
        return self.known_data(self.strict(s, a), self.seen[s][a])

    def known_data(self, strict, seen):
        """The same from what `strict` keeps."""
        rsum, plain, rows = strict
        count = dict(rows)
        rows = [(self.alias(y), count[y]) for y in seen]
        if {y for y, _ in rows} == {"vmax"} and self.halves(sum(count.values()), self.vmax):
            rows = [("vmax", sum(count.values()))]  # sums of such fractions are exact
        if len(rows) == 2:
            rows.sort(key=repr)
        return (rsum, plain, tuple(rows))

    @staticmethod
    def halves(*numbers):
        """Whether all are powers of two."""
        return all(math.frexp(x)[0] == 0.5 for x in numbers)

    def strict(self, s, a):
        """The same where mass is moved: which of two equal outcomes gets it matters."""
        rows = sorted((y, self.c[s][a][y]) for y in self.seen[s][a])
        return (self.rsum[s][a], self.plain[s][a], tuple(rows))

    def alias(self, y):
        """One word for all outcomes that are worth exactly Vmax."""
        return "vmax" if any((y, a) in self.top for a in range(self.A)) else y

    def name_origins(self):
        """Keep the words until the next plan."""
        self.top = self.top_pairs()
        self.words = self.each_pair(self.word)

    def contest(self, s):
        """(values, words) of the actions: with equal words they are equal by construction."""
        return self.action_values(s), [self.origin(s, a) for a in range(self.A)]

    def choice(self, s):
        """(greedy actions, margin): the margin is infinite where nothing hangs on rounding."""
        values = self.action_values(s)
        best = max(values)
        close = [a for a, v in enumerate(values) if best - v < CLOSE]
        margin = math.inf
        if len(close) > 1:
            words = {self.origin(s, a) for a in close}
            if len(words) > 1 or None in words or len({values[a] for a in close}) > 1:
                margin = 0.0
        return [a for a, v in enumerate(values) if v == best], margin

    def greedy_set(self, s):
        """The actions that act(s) may return."""
        actions = self.choice(s)[0]
        return {"lowest": actions[:1], "highest": actions[-1:]}.get(self.ties, actions)

    def report(self, s):
        """The learned numbers of s, in the original units."""
        shift = self.rmin / (1 - self.gamma)
        return {"q": [q + shift for q in self.Q[s]], "n": list(self.n[s])}


class Replanner(Planner):
    """Agents with `replan`: plan when n has grown by that factor since the pair's last plan."""

    def __init__(self, *args):
        super().__init__(*args)
        self.planned = self.table(0)

    def learn(self, s, a, r, nxt, done):
        """Count, up to m; plan where it is time."""
        self.t += 1
        if self.n[s][a] >= self.m:
            return
        self.count(s, a, r, nxt, done)
        if self.n[s][a] >= self.p["replan"] * self.planned[s][a]:
            self.planned[s][a] = self.n[s][a]
            self.plan()


# -- the agents --------------------------------------------------------------------------------


class RMax(Planner):
    """R-max; plan=full solves when a pair becomes known, plan=rtdp backs up one known pair."""

    def theory(self, eps, delta):
        return {"m": self.known_m(eps, delta), "eps1": eps * (1 - self.gamma) / 4}

    def learn(self, s, a, r, nxt, done):
        """One step."""
        self.t += 1
        news = self.n[s][a] < self.m
        if news:
            self.count(s, a, r, nxt, done)
        if self.n[s][a] < self.m:
            return
        if self.p["plan"] == "full":
            if news:
                self.plan()
            return
        x = self.empirical(s, a, self.look(self.Q))
        if self.audit.margin(self.Q[s][a] - x - self.p["eps1"]) >= 0:
            self.Q[s][a] = x
            self.audit.touched.add((s, a))

    def empirical(self, s, a, v):
        """The backup of the learned model."""
        return self.mean_r(s, a) + self.gamma * dot(self.row(s, a), v)

    def backup(self, s, a, v):
        """Unknown pairs stay at Vmax."""
        return self.empirical(s, a, v) if self.n[s][a] == self.m else self.vmax

    def origin(self, s, a):
        if self.p["plan"] == "rtdp":
            return None if (s, a) in self.audit.touched else "vmax"
        return super().origin(s, a)

    def pinned(self, s, a):
        return self.n[s][a] < self.m

    def report(self, s):
        report = super().report(s)
        report["learn"] = [int(k < self.m) for k in self.n[s]]
        return report


class VMax(Planner):
    """V-max: only the missing samples of a pair are paradise."""

    def theory(self, eps, delta):
        return {"m": self.known_m(eps, delta)}

    def learn(self, s, a, r, nxt, done):
        """Plan after each of the first m visits."""
        self.t += 1
        if self.n[s][a] < self.m:
            self.count(s, a, r, nxt, done)
            self.plan()

    def backup(self, s, a, v):
        """(n/m) model + (1 - n/m) Vmax, as m outcomes of which m - n are paradise."""
        missing = self.m - self.n[s][a]
        seen = self.rsum[s][a] + self.gamma * dot(self.c[s][a], v)
        return (seen + missing * self.vmax) / self.m

    def full_reward(self, s, a):
        return super().full_reward(s, a) and self.halves(self.m)

    def report(self, s):
        report = super().report(s)
        report["learn"] = [int(k < self.m) for k in self.n[s]]
        return report


class MBIE(Replanner):
    """Model-based interval estimation: intervals on rewards and, in L1, on transitions."""

    def theory(self, eps, delta):
        m = self.p.get("m", self.known_m(eps, delta))
        d = delta / (2 * self.S * self.A * m)
        b = math.sqrt(2 * (log_subsets(len(self.outcomes)) - math.log(d)))
        return {"m": m, "a": math.sqrt(math.log(2 / d) / 2), "b": b, "replan": 1.0}

    def backup(self, s, a, v):
        """The upper end of both intervals."""
        n = self.n[s][a]
        if n == 0:
            return self.vmax
        reward = min(self.R, self.mean_r(s, a) + self.p["a"] * self.R / math.sqrt(n))
        width = min(2.0, self.p["b"] / math.sqrt(n))
        return reward + self.gamma * dot(l1_best(self.row(s, a), width, v), v)

    def full_reward(self, s, a):
        n = self.n[s][a]
        wide = n and self.mean_r(s, a) + self.p["a"] * self.R / math.sqrt(n) > self.R + CLOSE
        return wide or super().full_reward(s, a)

    def data(self, s, a):
        return super().data(s, a) if self.p["b"] == 0 else self.strict(s, a)


class MBIEEB(Replanner):
    """MBIE with an exploration bonus instead of intervals."""

    def theory(self, eps, delta):
        m = self.p.get("m", self.known_m(eps, delta))
        beta = self.vmax * math.sqrt(math.log(2 * self.S * self.A * m / delta) / 2)
        return {"m": m, "beta": beta, "replan": 1.0}

    def raw(self, s, a, v):
        """Before the clip at Vmax."""
        if self.n[s][a] == 0:
            return math.inf
        model = self.mean_r(s, a) + self.gamma * dot(self.row(s, a), v)
        return model + self.p["beta"] / math.sqrt(self.n[s][a])

    def backup(self, s, a, v):
        """No value above Vmax."""
        return min(self.vmax, self.raw(s, a, v))

    def pinned(self, s, a):
        return self.raw(s, a, self.look(self.Q)) > self.vmax + CLOSE


class BEB(Replanner):
    """Bayesian exploration bonus: the mean model of a Dirichlet posterior, beta/(1 + N)."""

    def theory(self, eps, delta):
        h = 1 / (1 - self.gamma)
        beta, m = 2 * h * h * self.R, math.ceil(4 * h**3 * self.R / eps)
        return {"beta": beta, "m": m, "prior": 1.0, "replan": 1.0}

    def raw(self, s, a, v):
        """Before the clip at Vmax."""
        prior, n = self.p["prior"], self.n[s][a]
        if prior + n == 0:
            return math.inf
        alpha = {y: k + prior / len(self.outcomes) for y, k in self.c[s][a].items()}
        r = self.mean_r(s, a) if n else 0.0
        mean = dot(alpha, v) / (prior + n)
        return r + self.p["beta"] / (1 + prior + n) + self.gamma * mean

    def backup(self, s, a, v):
        """No value above Vmax."""
        return min(self.vmax, self.raw(s, a, v))

    def pinned(self, s, a):
        return self.raw(s, a, self.look(self.Q)) > self.vmax + CLOSE


class OIM(Replanner):
    """The optimistic initial model: one imagined step to a garden of Eden from every pair."""

    def __init__(self, *args):
        super().__init__(*args)
        self.ve = self.p["ve"]
        self.Qr = self.table(0.0)
        self.Qe = self.table(self.ve)
        self.Q = self.table(self.ve)  # their sum

    def part(self, first, last):
        """The backup of one part; `first` sums what comes at once, `last` is its end's value."""

        def backup(s, a, v):
            seen = dot(self.c[s][a], v)
            return (first(s, a) + self.gamma * seen) / (self.n[s][a] + 1)

        def look(q):
            return self.worth({s: q[s][self.star[s]] for s in self.live}, last)

        return backup, look

    def plan(self):
        """The sum alone first: it is a contraction of its own; then each part at its a*."""

        def whole(s, a, v):
            total = self.rsum[s][a] + self.ve + self.gamma * dot(self.c[s][a], v)
            return total / (self.n[s][a] + 1)

        self.Q = solve(self.Q, whole, self.look, self.gamma)
        self.name_origins()
        self.star = {s: row.index(max(row)) for s, row in self.Q.items()}
        for s in self.live:
            if self.choice(s)[1] < CLOSE:
                self.audit.margin(0.0)  # a* hangs on rounding
        self.Qr = solve(self.Qr, *self.part(lambda s, a: self.rsum[s][a], self.end), self.gamma)
        self.Qe = solve(self.Qe, *self.part(lambda s, a: self.ve, 0.0), self.gamma)

    def pinned(self, s, a):
        return False

    def full_reward(self, s, a):
        return False

    def report(self, s):
        shift = self.rmin / (1 - self.gamma)
        q = [x + shift for x in self.Qr[s]]
        return {"q": q, "bonus": list(self.Qe[s]), "n": list(self.n[s])}


class MoRMax(Planner):
    """MoR-max: rows are estimated again from fresh batches, and kept if they lower the value."""

    def __init__(self, *args):
        super().__init__(*args)
        self.rows = self.table(None)  # (mean reward, frequencies), None: Vmax
        self.tried = self.table(False)
        self.before = self.table(0.0)

    def theory(self, eps, delta):
        g, pairs = self.gamma, self.S * self.A
        log = math.log(144 * pairs**2 * self.vmax / (delta * eps * (1 - g)))
        m = math.ceil(1800 * self.vmax**2 / (eps * eps * (1 - g) ** 2) * log)
        return {"m": m, "eps1": eps * (1 - g)}

    def learn(self, s, a, r, nxt, done):
        """One step."""
        self.t += 1
        self.count(s, a, r, nxt, done)
        if self.n[s][a] < self.m:
            return
        if not self.tried[s][a] or self.fell(s, a):
            self.attempt(s, a)
        self.n[s][a], self.rsum[s][a] = 0, 0.0
        self.c[s][a] = dict.fromkeys(self.outcomes, 0)
        self.plain[s][a], self.seen[s][a] = 0.0, []

    def fell(self, s, a):
        """Whether the value fell since the last attempt."""
        return self.audit.margin(self.before[s][a] - self.Q[s][a] - self.p["eps1"]) > 0

    def attempt(self, s, a):
        """Solve with the batch in the place of the stored row; a first batch is always kept."""
        old_row, old_q = self.rows[s][a], self.Q
        kept = self.strict(s, a), list(self.seen[s][a])
        self.rows[s][a] = (self.mean_r(s, a), self.row(s, a), kept)
        self.plan()
        difference = self.Q[s][a] - old_q[s][a]
        same_row = old_row and old_row[1] == self.rows[s][a][1]
        if old_row is None:
            self.audit.events["first"] += 1  # nothing exceeds Vmax, whatever rounding says
        elif difference == 0 and (s, a) in self.top:
            self.audit.events["still Vmax"] += 1  # exactly, so accepted
        elif same_row and abs(old_row[0] - self.rows[s][a][0]) < 1e-12:
            self.audit.events["same row"] += 1  # accepted or not, nothing changes
        else:
            self.audit.margin(difference)
            if difference > 0:
                self.rows[s][a], self.Q = old_row, old_q
                self.name_origins()
                self.audit.events["dropped"] += 1
            elif old_row:
                self.audit.events["renewed"] += 1
        self.tried[s][a], self.before[s][a] = True, self.Q[s][a]

    def backup(self, s, a, v):
        """Vmax where no row is stored."""
        if self.rows[s][a] is None:
            return self.vmax
        reward, p, _ = self.rows[s][a]
        return reward + self.gamma * dot(p, v)

    def word(self, s, a):
        return "vmax" if (s, a) in self.top else self.known_data(*self.rows[s][a][2])

    def top_pairs(self):
        """As above, from the stored rows."""
        pairs = self.pairs()
        top = {x for x in pairs if self.rows[x[0]][x[1]] is None}
        if not self.halves(self.vmax) or self.R + self.gamma * self.vmax != self.vmax:
            return top
        maybe = set(top)
        for s, a in pairs:
            row = self.rows[s][a]
            if row and row[0] == self.R and 1.0 in row[1].values():
                maybe.add((s, a))
        while True:
            states = {s for s, _ in maybe}
            keep = {x for x in maybe if x in top or self.sure(*x) in states}
            if keep == maybe:
                return keep
            maybe = keep

    def sure(self, s, a):
        """The only outcome of a stored row."""
        return next(y for y, p in self.rows[s][a][1].items() if p == 1.0)


GAIN = 2.0**-40  # what is less is rounding


class E3(Planner):
    """E3: wander in unknown states; from known ones try to escape, or exploit."""

    def __init__(self, *args):
        super().__init__(*args)
        self.T, self.theta = int(self.p["horizon"]), self.p["theta"]
        self.left, self.exploring = 0, False
        self.renew()

    def theory(self, eps, delta):
        g = self.gamma
        t = max(1, math.ceil(math.log(self.R / (eps * (1 - g))) / (1 - g)))
        t = int(self.p.get("horizon", t))
        theta = eps / (2 * self.R * (1 - g**t) / (1 - g))
        return {"horizon": t, "theta": theta, "m": self.known_m(eps, delta), "freeze": "on"}

    def known(self, s):
        """Whether every action was tried m times."""
        return min(self.n[s]) >= self.m

    def renew(self):
        """The tables: chances of escape within i steps, and the values of the known model."""
        u = self.worth({s: 0.0 if self.known(s) else 1.0 for s in self.live}, 0.0)
        # way[i][s]: the action, and how close a call it was
        self.way = [dict.fromkeys(self.live, (0, math.inf))]
        for _ in range(self.T):
            way, new = {}, {}
            for s in self.live:
                chances, new[s] = None, 1.0
                if self.known(s):
                    chances = [dot(self.row(s, a), u) for a in range(self.A)]
                    new[s] = max(chances) if max(chances) > u[s] + GAIN else u[s]
                way[s] = self.escape(s, chances, new[s], u[s])
            self.way.append(way)
            u = self.worth(new, 0.0)
        self.u_T = u
        self.Q = solve(self.table(0.0), self.backup, self.look, self.gamma)
        self.name_origins()

    def escape(self, s, chances, new, old):
        """The way with one step more: that with one less if nothing is gained, else the best."""
        if chances is None or new == old:
            return self.way[-1][s]
        chosen = chances.index(new)
        others = [new - x for a, x in enumerate(chances) if a != chosen and not (
            x == new and self.origin(s, a) == self.origin(s, chosen))]
        return chosen, min([new - old] + others)

    def backup(self, s, a, v):
        """Unknown states are worth 0."""
        if not self.known(s):
            return 0.0
        return self.mean_r(s, a) + self.gamma * dot(self.row(s, a), v)

    def learn(self, s, a, r, nxt, done):
        """One step."""
        self.t += 1
        before = self.known(s)
        if not before:
            self.left = 0
        else:
            if self.left == 0:
                self.exploring = self.audit.margin(self.u_T[s] - self.theta) >= 0
                self.left = self.T
                self.audit.events["explore" if self.exploring else "exploit"] += 1
            self.left -= 1
        if self.p["freeze"] == "off" or self.n[s][a] < self.m:
            self.count(s, a, r, nxt, done)
        lost = not done and not self.known(nxt)
        if done or self.cut or lost:
            self.left = 0
        if self.left == 0 and (not lost or self.cut or self.known(s) != before):
            self.renew()  # in an unknown state no table is asked, unless one was just left

    def pinned(self, s, a):
        return False

    def full_reward(self, s, a):
        return False

    def contest(self, s):
        if not self.known(s):
            return [-k for k in self.n[s]], self.n[s]
        (chosen,), margin = self.choice(s)
        self.audit.margin(margin)
        return [float(a == chosen) for a in range(self.A)], [a == chosen for a in range(self.A)]

    def choice(self, s):
        if not self.known(s):
            least = min(self.n[s])
            return [a for a in range(self.A) if self.n[s][a] == least], math.inf
        exploring, left, margin = self.exploring, self.left, math.inf
        if left == 0:
            exploring, left = self.u_T[s] >= self.theta, self.T
            margin = abs(self.u_T[s] - self.theta)
        if exploring:
            action, closeness = self.way[left][s]
            return [action], min(margin, closeness)
        scores = self.Q[s]
        chosen = scores.index(max(scores))  # the lowest, whatever `ties`
        for a, x in enumerate(scores):
            same = x == scores[chosen] and (x == 0 or self.origin(s, a) == self.origin(s, chosen))
            if not same:
                margin = min(margin, scores[chosen] - x)
        return [chosen], margin

    def report(self, s):
        report = super().report(s)
        report["learn"] = [int(not self.known(s))] * self.A
        return report


class UCRL2(Planner):
    """UCRL2: average reward, extended value iteration, episodes that double a count."""

    def __init__(self, *args):
        super().__init__(*args)
        self.pending = None
        self.restarts = False  # the last step was cut off: the start is still to be seen
        self.start_episode()

    def theory(self, eps, delta):
        return {"scale": 1.0}

    def count(self, s, a, r, nxt, done):
        super().count(s, a, r, nxt, done)
        self.t += 1
        self.v[s][a] += 1

    def learn(self, s, a, r, nxt, done):
        """An end is a transition to the next start, known when the next step is seen."""
        if self.pending:
            self.count(*self.pending, s, False)
            self.pending = None
            self.renew_if_doubled(s)
        elif self.restarts:
            self.renew_if_doubled(s)
        self.restarts = self.cut
        if done:
            self.pending = (s, a, r)
            return
        self.count(s, a, r, nxt, False)
        if not self.cut:
            self.renew_if_doubled(nxt)

    def renew_if_doubled(self, s):
        """A new episode if an action that may be taken in s has doubled its visits."""
        actions, margin = self.choice(s)
        self.audit.margin(margin)
        if any(self.v[s][x] >= max(1, self.N[s][x]) for x in actions):
            self.start_episode()

    def start_episode(self):
        """Counts, widths and the optimistic policy at time t = transitions + 1."""
        self.N = copied(self.n)
        self.v = self.table(0)
        t = self.t + 1
        u, sweeps, span = dict.fromkeys(self.live, 0.0), 0, math.inf
        while span >= self.R / math.sqrt(t) and sweeps < 10000:
            self.flat = max(u.values()) == 0
            self.Q = self.each_pair(lambda s, a: self.optimistic(s, a, u, t))
            new = {s: max(row) for s, row in self.Q.items()}
            rises = [new[s] - u[s] for s in self.live]
            span = max(rises) - min(rises)
            self.audit.margin(span - self.R / math.sqrt(t))
            low = min(new.values())
            u = {s: x - low for s, x in new.items()}
            sweeps += 1
        if sweeps == 10000:
            self.audit.margin(0.0)  # so many sums are not the same to the last digits
        self.top = set()
        self.words = self.each_pair(self.word)
        self.audit.events["episodes"] += 1
        self.audit.events["sweeps"] += sweeps

    def widths(self, s, a, t):
        """(of the reward, of the transitions)."""
        n, scale, delta = max(1, self.N[s][a]), self.p["scale"], self.p.get("delta", 0.1)
        d_r = scale * self.R * math.sqrt(7 * math.log(2 * self.S * self.A * t / delta) / (2 * n))
        d_p = scale * math.sqrt(14 * self.S * math.log(2 * self.A * t / delta) / n)
        return d_r, d_p

    def optimistic(self, s, a, u, t):
        """The greatest value in the set of plausible models."""
        if self.N[s][a] == 0:
            return self.R + max(u.values())
        d_r, d_p = self.widths(s, a, t)
        p = {y: self.c[s][a][y] / self.N[s][a] for y in self.live}
        return min(self.R, self.mean_r(s, a) + d_r) + dot(l1_best(p, d_p, u), u)

    def word(self, s, a):
        if self.flat and self.Q[s][a] == self.R:
            return "R"
        return self.strict(s, a)

    def report(self, s):
        return {"q": list(self.Q[s]), "n": list(self.n[s])}


class UCRLGamma(Planner):
    """UCRL-gamma: discounted, a box of Bernstein intervals around every row."""

    def __init__(self, *args):
        super().__init__(*args)
        self.planned = self.table(0)
        self.wait = None

    def theory(self, eps, delta):
        e, g, log = eps / self.R, self.gamma, math.log
        far = 1 / (1 - g)
        w_min = e * (1 - g) / (4 * self.S)
        d1 = delta / (2 * self.S * self.A * max(1.0, math.log2(self.S)) * math.log2(far / w_min))
        l1 = self.p.get("l1", log(2 / d1))
        m = 1280 * l1 * (far / e) ** 2 * max(1.0, log(log(far)) if far > 1 else 0.0) ** 2 * log(self.S * far / e) * log(far / e)
        delay = math.ceil(log(8 * self.S * far / e) * far)
        return {"l1": l1, "a": math.sqrt(l1 / 2), "batch": math.ceil(m * w_min), "delay": delay}

    def learn(self, s, a, r, nxt, done):
        """Count; plan `delay` steps after a pair has reached its count."""
        self.t += 1
        self.count(s, a, r, nxt, done)
        if self.wait is not None:
            self.wait -= 1
        elif self.n[s][a] - self.planned[s][a] >= max(self.p["batch"], self.planned[s][a]):
            self.wait = self.p["delay"]
        if self.wait == 0:
            self.wait = None
            self.plan()
            self.planned = copied(self.n)

    def width(self, p, n):
        """Bernstein's or Hoeffding's, whichever is smaller."""
        l1 = self.p["l1"]
        bernstein = math.sqrt(2 * l1 * p * (1 - p) / n) + 2 * l1 / (3 * n)
        return min(bernstein, math.sqrt(l1 / (2 * n)))

    def backup(self, s, a, v):
        """The upper end of both intervals."""
        n = self.n[s][a]
        if n == 0:
            return self.vmax
        reward = min(self.R, self.mean_r(s, a) + self.p["a"] * self.R / math.sqrt(n))
        row = self.row(s, a)
        low = {y: max(0.0, p - self.width(p, n)) for y, p in row.items()}
        high = {y: min(1.0, p + self.width(p, n)) for y, p in row.items()}
        return reward + self.gamma * dot(box_best(low, high, v), v)

    def full_reward(self, s, a):
        n = self.n[s][a]
        wide = n and self.mean_r(s, a) + self.p["a"] * self.R / math.sqrt(n) > self.R + CLOSE
        return wide or super().full_reward(s, a)

    def data(self, s, a):
        return super().data(s, a) if self.p["l1"] == 0 else self.strict(s, a)


class Sampler(Planner):
    """When to sample; psrl and rlsvi say what."""

    def __init__(self, *args):
        super().__init__(*args)
        self.sampled_at, self.length = 0, 0
        self.then = None  # visits at the last sample

    def learn(self, s, a, r, nxt, done):
        """Count, then ask whether to sample."""
        self.t += 1
        self.count(s, a, r, nxt, done)
        if self.due():
            self.length, self.sampled_at = self.t - self.sampled_at, self.t
            self.then = copied(self.n)
            self.sample()
            self.plan()
            self.audit.events["samples"] += 1

    def due(self):
        """Geometric always draws; the first observe always samples."""
        rule, passed = self.p["resample"], self.t - self.sampled_at
        if rule == "geometric":
            return (self.rng.unit() < 1 - self.gamma) or self.then is None
        if self.then is None:
            return True
        if rule == "fixed":
            return passed >= self.p["tau"]
        doubled = any(self.n[s][a] > 2 * self.then[s][a] for s, a in self.pairs())
        return passed > self.length or doubled

    def weight(self, n):
        """The posterior variance of a mean of which n noisy samples are known."""
        return 1 / (1 / self.p["sp"] ** 2 + n / self.p["sn"] ** 2)

    def word(self, s, a):
        return None


class PSRL(Sampler):
    """Posterior sampling: Dirichlet transitions, normal rewards."""

    def __init__(self, *args):
        super().__init__(*args)
        self.P, self.r = self.table(None), self.table(None)

    def sample(self):
        """All pairs in order; of each first the transitions, then the reward."""
        for s, a in self.pairs():
            self.P[s][a] = self.transitions(self.seen[s][a], self.c[s][a])
            n = self.n[s][a]
            w = self.weight(n)
            total = self.rsum[s][a] + n * self.rmin  # in the original units
            mean = w * (self.p["mu0"] / self.p["sp"] ** 2 + total / self.p["sn"] ** 2)
            self.r[s][a] = mean + math.sqrt(w) * normal(self.rng) - self.rmin

    def transitions(self, seen, counts):
        """A row drawn from the posterior, None where there is nothing to draw from."""
        alpha = self.p["prior"] / len(self.outcomes)
        unseen = len(self.outcomes) - len(seen)
        if not seen and alpha == 0:
            return None
        p = dict.fromkeys(self.outcomes, 0.0)
        for y in seen:
            p[y] = gamma_variate(self.rng, alpha + counts[y], self.audit)
        if unseen and alpha > 0:
            for y, weight in self.sticks(seen, unseen, alpha, math.fsum(p.values())):
                p[y] = weight
        total = math.fsum(p.values())
        if total == 0:
            p[max(seen, key=lambda y: counts[y]) if seen else self.outcomes[0]] = total = 1.0
        return {y: x / total for y, x in p.items()}

    def sticks(self, seen, unseen, alpha, others):
        """Split one gamma among the unseen outcomes: a size-biased stick at a time."""
        rest = whole = gamma_variate(self.rng, alpha * unseen, self.audit)
        taken, j, limit = set(seen), 1, 128 + 64 * math.ceil(self.p["prior"])
        while True:
            weight = rest
            if j < unseen:
                x = gamma_variate(self.rng, 1 + alpha, self.audit)
                y = gamma_variate(self.rng, (unseen - j) * alpha, self.audit)
                weight = rest * x / (x + y)
            outcome = self.outcomes[self.rng.below(len(self.outcomes))]
            while outcome in taken:
                outcome = self.outcomes[self.rng.below(len(self.outcomes))]
            taken.add(outcome)
            yield outcome, weight
            rest -= weight
            if rest <= 2.0**-53 * (others + whole) or j in (limit, unseen):
                return
            j += 1

    def backup(self, s, a, v):
        """The sampled model; Vmax where there is no row."""
        if self.P[s][a] is None:
            return self.vmax
        return self.r[s][a] + self.gamma * dot(self.P[s][a], v)

    def word(self, s, a):
        return "vmax" if self.P[s][a] is None else None


class RLSVI(Sampler):
    """Randomised least-squares value iteration with a table."""

    def sample(self):
        """Noise for all pairs in order, held until the next sample."""
        self.z = self.each_pair(lambda s, a: normal(self.rng))

    def backup(self, s, a, v):
        """The regularised regression of the targets, and noise of its standard deviation."""
        w = self.weight(self.n[s][a])
        total = self.rsum[s][a] + self.gamma * dot(self.c[s][a], v)
        return w / self.p["sn"] ** 2 * total + math.sqrt(w) * self.z[s][a]


# -- specs -------------------------------------------------------------------------------------

CLASSES = {
    "r-max": RMax,
    "v-max": VMax,
    "mbie": MBIE,
    "mbie-eb": MBIEEB,
    "beb": BEB,
    "oim": OIM,
    "mormax": MoRMax,
    "e3": E3,
    "ucrl2": UCRL2,
    "ucrl-gamma": UCRLGamma,
    "psrl": PSRL,
    "rlsvi": RLSVI,
}


def number_or_word(text):
    """A float if it is one."""
    try:
        return float(text)
    except ValueError:
        return text


def parse_planner(spec):
    """'name:key=value,...' -> (name, {key: number or word})."""
    name, _, rest = spec.partition(":")
    pairs = (item.split("=") for item in rest.split(",") if item)
    return name, {k: number_or_word(v) for k, v in pairs}


def make_planner(spec, n_states, n_actions, rmin, rmax, episodic=True, rng=None, absent=()):
    """A fresh agent from a spec that writes every key that applies and is not a preset's."""
    name, params = parse_planner(spec)
    return CLASSES[name](params, n_states, n_actions, rmin, rmax, episodic, rng, absent)
