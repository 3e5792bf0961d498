"""Plain reference versions of count-q, dora, ucb-q, speedy-q and bayes-q.

Written from docs/agents.md and the papers (Strehl & Littman 2008 for the count bonus; Choshen, Fox
& Loewenstein 2018; Dong, Wang, Chen & Wang 2020; Azar, Munos, Ghavamzadeh & Kappen 2011; Dearden,
Friedman & Russell 1998), without sight of the C sources.  These agents draw, so each has its own
stream and its own act(s); dora draws in observe, too.

Ancestry.  Actions can only be predicted if no choice hangs on rounding.  Beside each learned number
stands the name of its ancestry: numbers of the same ancestry came from the same inputs by the same
operations, so they are equal in whatever way one computes them.  A choice between numbers that are
closer than 1e-9 but not of the same ancestry is refused with TooClose.
"""

import math
from collections import Counter

import streams
from live import Learner, copied, live_states, table

TOLERANCE = 1e-9
INFINITE = 1.7976931348623157e308  # how an infinite bonus is reported
FRESH = 0  # the ancestry of an initial value


class TooClose(ArithmeticError):
    """A decision that rounding could turn."""


def decisive(difference):
    """Hand back a difference that a decision hangs on, if its sign is certain."""
    if abs(difference) < TOLERANCE:
        raise TooClose(f"a decision hangs on {difference!r}")
    return difference


# -- random variates -----------------------------------------------------------------------------


def normal(rng):
    """Marsaglia's polar method; the second variate is thrown away."""
    while True:
        u = 2 * rng.unit() - 1
        v = 2 * rng.unit() - 1
        s = u * u + v * v
        if 0 < s < 1:
            decisive(1 - s)
            return u * math.sqrt(-2 * math.log(s) / s)


def gamma_variate(rng, shape):
    """Marsaglia & Tsang 2000; below 1 as Gamma(shape + 1) U^(1/shape), U drawn last."""
    if shape < 1:
        g = gamma_variate(rng, shape + 1)
        return g * rng.unit() ** (1 / shape)
    d = shape - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal(rng)
        v = (1 + c * x) ** 3
        if decisive(1 + c * x) <= 0:
            continue
        u = rng.unit()
        # The squeeze of the paper only saves logarithms: what it accepts, the exact test accepts.
        if decisive(math.log(u) - (x * x / 2 + d - d * v + d * math.log(v))) < 0:
            return d * v


# -- Student's distribution ----------------------------------------------------------------------


def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function (Lentz's method)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / (1 - (a + b) * x / (a + 1) or tiny)
    h = d
    for m in range(1, 10000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            h *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return h


def student_density(nu, z):
    """f(z) of Student's distribution with nu degrees of freedom."""
    log_c = math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - math.log(nu * math.pi) / 2
    return math.exp(log_c - (nu + 1) / 2 * math.log1p(z * z / nu))


def student_tail(nu, z):
    """1 - F(z)."""
    if z < 0:
        return 1 - student_tail(nu, -z)
    a, b, x = nu / 2, 0.5, nu / (nu + z * z)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(x)
    if x < (a + 1) / (a + b + 2):
        front = math.exp(log_front) * math.sqrt(z * z / (nu + z * z))
        return 0.5 * front * beta_fraction(a, b, x) / a
    y = z * z / (nu + z * z)
    front = math.exp(log_front) * math.sqrt(y)
    return 0.5 * (1 - front * beta_fraction(b, a, y) / b)


def gain_above(mu, sigma, nu, theta):
    """E[(q - theta)+] for q = mu + sigma T, T Student with nu degrees of freedom."""
    z = (theta - mu) / sigma
    tail = student_tail(nu, z)
    return (mu - theta) * tail + sigma * nu / (nu - 1) * student_density(nu, z) * (1 + z * z / nu)


# -- what they share -----------------------------------------------------------------------------


class BonusAgent(Learner):
    """The shape of the problem, the stream, greedy choices with ancestry; no learning."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions)
        self.rmin, self.rmax = rmin, rmax
        self.range = rmax - rmin
        self.gamma = params["gamma"]
        self.vmax = self.range / (1 - self.gamma)
        self.ties = params.get("ties", "random")
        self.rng = rng
        self.n = table(live, n_actions, 0)
        self.events = Counter()  # has no influence
        self.names = {}

    def child(self, *parents):
        """The name of the ancestry of a number made from these."""
        return self.names.setdefault(parents, len(self.names) + 1)

    def top(self, values, ancestry):
        """(the largest value, the ancestry of the maximum)."""
        best = max(values)
        return best, tuple(sorted({x for v, x in zip(values, ancestry, strict=True) if v == best}))

    def same(self, a, b, values, ancestry):
        """Whether the values of two actions are equal; refused where that is not certain."""
        if ancestry[a] == ancestry[b]:
            assert values[a] == values[b], "the same ancestry and different values"
            return True
        if values[a] == values[b] or abs(values[a] - values[b]) < TOLERANCE:
            raise TooClose(f"a choice between {values[a]!r} and {values[b]!r}")
        return False

    def best_actions(self, values, ancestry):
        """The actions that attain the maximum."""
        first = values.index(max(values))
        return [a for a in range(len(values)) if self.same(first, a, values, ancestry)]

    def greedy(self, values, ancestry, among=None):
        """One of the best actions by `ties`, of all or of some.

        A scan upwards.  With ties=random every action that equals the best so far costs a draw,
        also where a better one comes later: the k-th of k equals is kept with probability 1/k.
        """
        kept, count = None, 0
        for a in range(len(values)) if among is None else among:
            if kept is None:
                kept, count = a, 1
            elif self.same(kept, a, values, ancestry):
                self.events["tie"] += 1
                count += 1
                if self.ties == "highest" or (self.ties == "random" and self.rng.below(count) == 0):
                    kept = a
            elif values[a] > values[kept]:
                self.events["tie, then better"] += count > 1
                kept, count = a, 1
        return kept

    def first_best(self, values, ancestry):
        """The best action of the lowest index, whatever `ties`; without draws."""
        return self.best_actions(values, ancestry)[0]

    def boltzmann(self, values, temperature):
        """One draw over exp((x - max)/T), in the order of the actions."""
        best = max(values)
        weights = [math.exp((x - best) / temperature) for x in values]
        total = 0.0
        for w in weights:
            total += w
        u, cumulative = self.rng.unit() * total, 0.0
        for a, w in enumerate(weights):
            cumulative += w
            if decisive(cumulative - u) > 0:
                return a
        return self.n_actions - 1

    def coin(self, epsilon):
        """Whether a uniform number is below epsilon."""
        u = self.rng.unit()
        return (u - epsilon if epsilon in (0.0, 1.0) else decisive(u - epsilon)) < 0


# -- count-q -------------------------------------------------------------------------------------


class CountQ(BonusAgent):
    """Q-learning with a bonus for rarity, in the target or at choice time."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        self.p = params
        self.in_target = params["place"] == "target"
        self.ceiling = rmax / (1 - self.gamma)
        self.Q = table(
            live, n_actions, params.get("q0", self.ceiling if self.in_target else 0.0)
        )
        self.of_q = table(live, n_actions, FRESH)

    def bonus(self, n):
        """beta/sqrt(n) or beta/n; infinite for an untried action."""
        if n == 0:
            return math.inf
        return self.p["beta"] / (math.sqrt(n) if self.p["decay"] == "sqrt" else n)

    def step_size(self, n):
        """alpha of the n-th visit."""
        if self.p["step"] == "constant":
            return self.p["alpha"]
        h = 1 / (1 - self.gamma)
        return (h + 1) / (h + n)

    def successor(self, nxt, done):
        """(v, its ancestry)."""
        if done:
            return 0.0, "end"
        v, ancestry = self.top(self.Q[nxt], self.of_q[nxt])
        if v > self.ceiling:
            self.events["clipped"] += 1
            return self.ceiling, "ceiling"
        return v, ancestry

    def learn(self, s, a, r, nxt, done):
        """n += 1; Q += alpha (r + bonus + gamma v - Q)."""
        self.n[s][a] += 1
        n, old = self.n[s][a], self.Q[s][a]
        v, of_v = self.successor(nxt, done)
        extra = self.bonus(n) if self.in_target else 0.0
        self.Q[s][a] += self.step_size(n) * (r + extra + self.gamma * v - old)
        if not old == v == r == extra == 0:  # zeros stay zeros
            self.of_q[s][a] = self.child(self.of_q[s][a], n, r, of_v)

    def act(self, s):
        """Greedy on Q or on Q + bonus."""
        if self.in_target:
            return self.greedy(self.Q[s], self.of_q[s])
        values = [q + self.bonus(n) for q, n in zip(self.Q[s], self.n[s], strict=True)]
        ancestry = [(x, n) if n else "untried" for x, n in zip(self.of_q[s], self.n[s], strict=True)]
        return self.greedy(values, ancestry)

    def report(self, s):
        """q, bonus where it is added at choice time, n."""
        report = {"q": list(self.Q[s]), "n": list(self.n[s])}
        if not self.in_target:
            report["bonus"] = [min(self.bonus(n), INFINITE) for n in self.n[s]]
        return report


# -- dora ----------------------------------------------------------------------------------------


class Dora(BonusAgent):
    """E-values.  L = -ln E; C = log_{1 - alpha_e} E counts visits, those to come included."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        self.p = params
        self.lll = params["rule"].startswith("lll-")
        self.in_target = self.lll or params["place"] == "target"
        self.Q = table(live, n_actions, params["q0"])
        self.L = table(live, n_actions, 0.0)
        self.of_q = table(live, n_actions, FRESH)
        self.of_e = table(live, n_actions, FRESH)
        self.unit = -math.log(1 - params["alpha_e"])
        self.remembered = None  # (s', a')

    def counter(self, s, a):
        """C(s, a)."""
        return self.L[s][a] / self.unit

    def bonus(self, s, a):
        """beta/sqrt(C) or beta/C."""
        beta, c = self.p["beta"], self.counter(s, a)
        if beta == 0:
            return 0.0
        if c == 0:
            return math.inf
        return beta / (math.sqrt(c) if self.p["decay"] == "sqrt" else c)

    # The rules.

    def choose(self, s):
        """The rule's choice at s."""
        rule = {
            "epsilon": self.choose_epsilon,
            "softmax": self.choose_softmax,
            "lll-epsilon": self.choose_lll,
            "lll-softmax": self.choose_lll,
        }
        return rule[self.p["rule"]](s)

    def chosen_on(self, s):
        """(X, its ancestry): what epsilon and softmax look at; infinite where C = 0 counts."""
        if self.in_target:
            return list(self.Q[s]), list(self.of_q[s])
        actions = range(self.n_actions)
        bonus = [self.bonus(s, a) for a in actions]
        ancestry = [
            "untried" if bonus[a] == math.inf else (self.of_q[s][a], self.of_e[s][a])
            for a in actions
        ]
        return [self.Q[s][a] + bonus[a] for a in actions], ancestry

    def choose_epsilon(self, s):
        """The coin; then a uniform action, or one of C = 0, or the greedy one."""
        if self.coin(self.p["epsilon"]):
            return self.rng.below(self.n_actions)
        values, ancestry = self.chosen_on(s)
        return self.greedy(values, ancestry, self.untried(values) or None)

    def choose_softmax(self, s):
        """One of C = 0, or a draw over exp(X/T)."""
        values, ancestry = self.chosen_on(s)
        if self.untried(values):
            return self.greedy(values, ancestry, self.untried(values))
        return self.boltzmann(values, self.p["temperature"])

    def untried(self, values):
        """The actions of C = 0, where that matters."""
        return [a for a, x in enumerate(values) if x == math.inf]

    def choose_lll(self, s):
        """argmax ln f - ln C."""
        if self.p["rule"] == "lll-softmax":
            log_f = [q / self.p["temperature"] for q in self.Q[s]]
            of_f = log_f if self.p["temperature"] == math.inf else list(self.of_q[s])
        else:
            log_f = of_f = self.log_epsilon_greedy(s)
        score = [
            log_f[a] - math.log(self.counter(s, a)) if self.L[s][a] > 0 else math.inf
            for a in range(self.n_actions)
        ]
        if max(score) == -math.inf:
            return self.greedy(self.Q[s], self.of_q[s])
        ancestry = [
            "untried" if x == math.inf else (of_f[a], self.of_e[s][a]) for a, x in enumerate(score)
        ]
        return self.greedy(score, ancestry)

    def log_epsilon_greedy(self, s):
        """ln f of the epsilon-greedy rule; all greedy actions get the greater number."""
        epsilon = self.p["epsilon"]
        share = epsilon / self.n_actions
        best = self.best_actions(self.Q[s], self.of_q[s])
        low = math.log(share) if share > 0 else -math.inf
        high = math.log(1 - epsilon + share)
        return [high if a in best else low for a in range(self.n_actions)]

    # Learning.

    def learn(self, s, a, r, nxt, done):
        """Choose a', then move E, then Q."""
        self.n[s][a] += 1
        self.remembered = None
        if not done:
            self.remembered = (nxt, self.choose(nxt))
        self.move_e(s, a, done)
        v, of_v = (0.0, "end") if done else self.top(self.Q[nxt], self.of_q[nxt])
        old = self.Q[s][a]
        extra = self.bonus(s, a) if self.in_target else 0.0
        self.Q[s][a] += self.p["alpha"] * (r + extra + self.gamma * v - old)
        if not old == v == r == extra == 0:  # zeros stay zeros
            of_extra = self.of_e[s][a] if extra else None
            self.of_q[s][a] = self.child(self.of_q[s][a], r, of_v, of_extra)
        if self.cut:
            self.remembered = None

    def move_e(self, s, a, done):
        """E <- (1 - alpha_e) E + alpha_e gamma_e E(s', a')."""
        alpha_e, gamma_e = self.p["alpha_e"], self.p["gamma_e"]
        if done or gamma_e == 0:
            self.L[s][a] += self.unit
            self.of_e[s][a] = self.child("E", self.of_e[s][a])
            return
        nxt, chosen = self.remembered
        x = -self.unit - self.L[s][a]
        y = math.log(alpha_e * gamma_e) - self.L[nxt][chosen]
        self.events["E raised"] += y > math.log(alpha_e) - self.L[s][a]
        total = max(x, y) + math.log1p(math.exp(-abs(x - y)))
        self.of_e[s][a] = self.child("E", self.of_e[s][a], self.of_e[nxt][chosen])
        self.L[s][a] = max(0.0, -total)

    def act(self, s):
        """What was chosen in observe, if it was for s."""
        if self.remembered and self.remembered[0] == s:
            return self.remembered[1]
        return self.choose(s)

    def report(self, s):
        """q, bonus where it is added at choice time, e, n = C."""
        actions = range(self.n_actions)
        report = {"q": list(self.Q[s])}
        if not self.in_target:
            report["bonus"] = [min(self.bonus(s, a), INFINITE) for a in actions]
        report["e"] = [math.exp(-x) for x in self.L[s]]
        report["n"] = [self.counter(s, a) for a in actions]
        return report


# -- ucb-q ---------------------------------------------------------------------------------------


def ucb_theory(gamma, e):
    """c and h of the theorem; e is eps in units of the range."""
    horizon = 1 / (1 - gamma)
    rounds = math.ceil(math.log(3 * horizon / e) * horizon)
    level = math.floor(math.log2(rounds))
    xi = e / (3 * 2 ** (level + 2) * math.log(horizon))
    m = max(10, math.ceil(2 * math.log2(horizon / xi)))
    e1 = e / (24 * rounds * m * math.log(horizon))
    return {"c": 4 * math.sqrt(2) * horizon, "h": math.log(horizon / e1) / math.log(1 / gamma)}


class UcbQ(BonusAgent):
    """UCB Q-learning with infinite horizon; shifted rewards."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        defaults = {"log": "off", "c": 0.0037, "h": 1 / (1 - self.gamma)}
        if params.get("preset") == "theory":
            eps = params.get("eps", 0.1 * self.vmax)
            defaults = dict(ucb_theory(self.gamma, eps / self.range), log="on")
        self.p = {"delta": 0.1, **defaults, **params}
        self.Q = table(live, n_actions, self.vmax)
        self.Qh = table(live, n_actions, self.vmax)
        self.of_q = table(live, n_actions, FRESH)
        self.of_h = table(live, n_actions, FRESH)

    def width(self, k):
        """b of the k-th visit."""
        iota = 1.0
        if self.p["log"] == "on":
            pairs = len(self.live) * self.n_actions
            iota = math.log(pairs * (k + 1) * (k + 2) / self.p["delta"])
        return self.p["c"] * self.range * math.sqrt(self.p["h"] * iota / k)

    def learn(self, s, a, r, nxt, done):
        """The body of the loop of the paper's Algorithm 1."""
        self.n[s][a] += 1
        k, h = self.n[s][a], self.p["h"]
        alpha = (h + 1) / (h + k)
        v, of_v = -self.rmin / (1 - self.gamma), "end"
        if not done:
            v, of_v = self.top(self.Qh[nxt], self.of_h[nxt])
        target = (r - self.rmin) + self.width(k) + self.gamma * v
        self.Q[s][a] = (1 - alpha) * self.Q[s][a] + alpha * target
        self.of_q[s][a] = self.child(self.of_q[s][a], r, of_v)
        if decisive(self.Q[s][a] - self.Qh[s][a]) < 0:
            self.Qh[s][a], self.of_h[s][a] = self.Q[s][a], self.of_q[s][a]
            self.events["lowered"] += 1
        else:
            self.events["kept"] += 1

    def act(self, s):
        """Greedy on the running minimum."""
        return self.greedy(self.Qh[s], self.of_h[s])

    def report(self, s):
        """q is the running minimum, in the units of the rewards."""
        offset = self.rmin / (1 - self.gamma)
        return {"q": [q + offset for q in self.Qh[s]], "n": list(self.n[s])}


# -- speedy-q ------------------------------------------------------------------------------------


class SpeedyQ(BonusAgent):
    """What both forms share: the way of exploring."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        self.p = params
        self.Q = table(live, n_actions, params["q0"])
        self.of_q = table(live, n_actions, FRESH)

    def act(self, s):
        """epsilon-greedy or softmax on the newest table."""
        if self.p["explore"] == "softmax":
            return self.boltzmann(self.Q[s], self.p["temperature"])
        if self.coin(self.p["epsilon"]):
            return self.rng.below(self.n_actions)
        return self.greedy(self.Q[s], self.of_q[s])

    def report(self, s):
        """q and all visits."""
        return {"q": list(self.Q[s]), "n": list(self.n[s])}


class SpeedyStep(SpeedyQ):
    """One update a step; the old table is the whole table before the previous update."""

    def __init__(self, *args):
        super().__init__(*args)
        self.old = copied(self.Q)
        self.of_old = copied(self.of_q)

    def learn(self, s, a, r, nxt, done):
        """Q += alpha (T Q_old - Q) + (1 - alpha)(T Q - T Q_old)."""
        alpha = 1 / (self.n[s][a] + 1)
        self.n[s][a] += 1
        v_new = v_old = 0.0
        of_new = of_old = "end"
        if not done:
            v_new, of_new = self.top(self.Q[nxt], self.of_q[nxt])
            v_old, of_old = self.top(self.old[nxt], self.of_old[nxt])
        self.events["tables differ"] += v_new != v_old
        t_new, t_old = r + self.gamma * v_new, r + self.gamma * v_old
        q = self.Q[s][a]
        self.old = copied(self.Q)
        self.of_old = copied(self.of_q)
        self.Q[s][a] = q + alpha * (t_old - q) + (1 - alpha) * (t_new - t_old)
        if not q == t_new == t_old == r == 0:  # zeros stay zeros
            self.of_q[s][a] = self.child(self.of_q[s][a], self.n[s][a], r, of_new, of_old)


class SpeedyRound(SpeedyQ):
    """Rounds in which every pair is visited; the tables change between rounds only."""

    def __init__(self, *args):
        super().__init__(*args)
        self.k = 0
        self.old = copied(self.Q)
        self.of_old = copied(self.of_q)
        self.begin()

    def begin(self):
        """Empty sums."""
        self.sum = table(self.live, self.n_actions, 0.0)
        self.count = table(self.live, self.n_actions, 0)
        self.heard = table(self.live, self.n_actions, ())

    def learn(self, s, a, r, nxt, done):
        """Add D = k T Q_k - (k - 1) T Q_{k-1}; perhaps end the round."""
        self.n[s][a] += 1
        v_new = v_old = 0.0
        of_new = of_old = "end"
        if not done:
            v_new, of_new = self.top(self.Q[nxt], self.of_q[nxt])
            v_old, of_old = self.top(self.old[nxt], self.of_old[nxt])
        t_new, t_old = r + self.gamma * v_new, r + self.gamma * v_old
        d = self.k * t_new - (self.k - 1) * t_old
        self.sum[s][a] += d
        self.count[s][a] += 1
        if not t_new == t_old == r == 0:
            self.heard[s][a] += ((r, of_new, of_old),)
        elif self.heard[s][a]:
            self.heard[s][a] += (0,)
        if all(all(row) for row in self.count.values()):
            self.end_round()

    def end_round(self):
        """Q_{k+1} = (1 - alpha_k) Q_k + alpha_k mean D."""
        self.events["round"] += 1
        alpha = 1 / (self.k + 1)
        new = table(self.live, self.n_actions, 0.0)
        of_new = table(self.live, self.n_actions, FRESH)
        for s in self.live:
            for a in range(self.n_actions):
                q, mean = self.Q[s][a], self.sum[s][a] / self.count[s][a]
                new[s][a] = (1 - alpha) * q + alpha * mean
                of_new[s][a] = self.of_q[s][a]
                if self.heard[s][a] or q:  # zeros stay zeros
                    heard = self.heard[s][a], self.count[s][a]
                    of_new[s][a] = self.child(self.k, self.of_q[s][a], *heard)
        self.old, self.of_old = self.Q, self.of_q
        self.Q, self.of_q = new, of_new
        self.k += 1
        self.begin()


# -- bayes-q -------------------------------------------------------------------------------------


class BayesQ(BonusAgent):
    """A normal-gamma distribution of the return of every pair."""

    def __init__(self, live, n_actions, rmin, rmax, params, rng):
        super().__init__(live, n_actions, rmin, rmax, params, rng)
        self.p = params
        alpha0 = params.get("alpha0", 6.5)
        self.mu = table(
            live, n_actions, params.get("mu0", (rmin + rmax) / 2 / (1 - self.gamma))
        )
        self.lam = table(live, n_actions, params.get("lambda0", 0.39))
        self.alpha = table(live, n_actions, alpha0)
        self.beta = table(live, n_actions, params.get("beta0", alpha0 * (0.011 * self.vmax) ** 2))
        self.of = table(live, n_actions, FRESH)

    def moments(self, r, nxt, done):
        """(M1, M2 - M1^2, ancestry) of the return of this step."""
        if done:
            return r, 0.0, "end"
        x = self.first_best(self.mu[nxt], self.of[nxt])
        mu = self.mu[nxt][x]
        first = r + self.gamma * mu
        if self.p["update"] == "point":
            return first, 0.0, self.of[nxt][x]
        lam, alpha, beta = self.lam[nxt][x], self.alpha[nxt][x], self.beta[nxt][x]
        # M2 - M1^2 = gamma^2 (E[R^2] - E[R]^2), without the cancellation
        spread = self.gamma**2 * (lam + 1) / lam * beta / (alpha - 1)
        return first, spread, self.of[nxt][x]

    def learn(self, s, a, r, nxt, done):
        """The conjugate update with the moments of one return."""
        first, spread, parent = self.moments(r, nxt, done)
        self.n[s][a] += 1
        lam, mu = self.lam[s][a], self.mu[s][a]
        self.lam[s][a] = lam + 1
        self.mu[s][a] = (lam * mu + first) / (lam + 1)
        self.alpha[s][a] += 0.5
        self.beta[s][a] += spread / 2 + lam * (first - mu) ** 2 / (2 * (lam + 1))
        self.of[s][a] = self.child(self.of[s][a], r, parent)

    def information(self, s):
        """VPI of every action."""
        if self.n_actions == 1:
            return [0.0]
        mu, of = self.mu[s], self.of[s]
        first = self.first_best(mu, of)
        others = [a for a in range(self.n_actions) if a != first]
        second = others[self.first_best([mu[a] for a in others], [of[a] for a in others])]
        out = []
        for a in range(self.n_actions):
            nu = 2 * self.alpha[s][a]
            sigma = math.sqrt(self.beta[s][a] / (self.alpha[s][a] * self.lam[s][a]))
            if a == first:
                # theta - mu first: fresh actions are then tied exactly, as they should be
                out.append(gain_above(mu[a], sigma, nu, mu[second]) + (mu[second] - mu[a]))
            else:
                out.append(gain_above(mu[a], sigma, nu, mu[first]))
        return out

    def act(self, s):
        """Q-value sampling, or greedy on the mean plus the value of information."""
        if self.p["choice"] == "sampling":
            samples = []
            for a in range(self.n_actions):
                tau = gamma_variate(self.rng, self.alpha[s][a]) / self.beta[s][a]
                noise = normal(self.rng)
                samples.append(self.mu[s][a] + noise / math.sqrt(self.lam[s][a] * tau))
            return self.greedy(samples, range(self.n_actions))
        values = [m + b for m, b in zip(self.mu[s], self.information(s), strict=True)]
        return self.greedy(values, self.of[s])

    def report(self, s):
        """q = mu, bonus = VPI where it is used, n."""
        report = {"q": list(self.mu[s])}
        if self.p["choice"] == "vpi":
            report["bonus"] = self.information(s)
        report["n"] = list(self.n[s])
        return report


# -- specs ---------------------------------------------------------------------------------------

CLASSES = {"count-q": CountQ, "dora": Dora, "ucb-q": UcbQ, "bayes-q": BayesQ}


class MissingKey(LookupError):
    """A parameter that an agent needs and a spec does not give."""


class Params(dict):
    """The parameters of a spec, all written out: there are no defaults; and the setting."""

    horizon, episodic = 0, True

    def __missing__(self, key):
        raise MissingKey(key)


def parse(spec):
    """'name:key=value,...' -> (name, {key: number, or word where it is none})."""
    name, _, rest = spec.partition(":")
    params = Params()
    for item in filter(None, rest.split(",")):
        key, value = item.split("=")
        try:
            params[key] = float(value)
        except ValueError:
            params[key] = value
    return name, params


def make_bonus_agent(
    spec, n_states, n_actions, rmin, rmax, episodic=True, seed=1, replicate=0, absent=(), horizon=0
):
    """A fresh agent on the stream of (seed, replicate)."""
    name, params = parse(spec)
    params.horizon, params.episodic = horizon, episodic
    if episodic:
        rmin, rmax = min(rmin, 0.0), max(rmax, 0.0)
    cls = CLASSES.get(name)
    if name == "speedy-q":
        cls = SpeedyRound if params["form"] == "round" else SpeedyStep
    rng = streams.stream(seed, replicate, streams.AGENT)
    return cls(live_states(n_states, absent), n_actions, rmin, rmax, params, rng)
