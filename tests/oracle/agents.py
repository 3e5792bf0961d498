"""Plain reference agents, written from the published listings and from nothing else.

One class per listing.  The classes of the delayed family share their tables and their reports
but no line of learning logic, so that a misreading in one does not hide in another.

    class                  listing
    DelayedQ2009           Delayed Q-learning, Strehl, Li, Littman 2009
    DelayedQ2006           Delayed Q-learning, Strehl et al. 2006
    DelayedQIE             Delayed Q-learning with interval estimation, Strehl 2007 (thesis)
    DelayedQIEPrinted      the same with the LEARN rule printed in Oh & Iyengar 2018, Algorithm 1
    DirectedInterval       Directed Delayed Q-learning, LEARN rule of 2009
    DirectedIntervalPrinted  Oh & Iyengar 2018, Algorithm 1 as printed
    DirectedFull           the fully delayed variant (one attempt a window, at n = m), rule of 2009
    DirectedFullPrinted    the fully delayed variant, printed LEARN rule
    QLearning              Q-learning; epsilon-greedy or softmax

Rewards lie in [rmin, rmax], first widened to contain 0.  The delayed family works on the shifted
rewards r - rmin, in which the end of an episode is worth -rmin/(1 - gamma), that is, 0 in the
original units.  Everything reported by values() is in the original units.
"""

import math
from collections import Counter

from live import Learner, live_states, table


class Audit:
    """What happened, and how close any decision came to the other side.

    It has no influence on the agents.  `closest` is the smallest absolute margin of a success
    test so far; `touched` holds the pairs whose values were ever changed.
    """

    EVENTS = ("success", "failed", "off", "on again", "Q raised", "E raised")

    def __init__(self):
        self.events = Counter()
        self.closest = math.inf
        self.touched = set()

    def margin(self, value):
        """Record the margin of a success test; hand it back."""
        self.closest = min(self.closest, abs(value))
        return value

    def success(self, s, a, old_q, new_q, old_e=0.0, new_e=0.0):
        """Record a successful update of (s, a)."""
        self.touched.add((s, a))
        self.events["success"] += 1
        self.events["Q raised"] += new_q > old_q
        self.events["E raised"] += new_e > old_e

    def failed(self, switched_off):
        """Record a window of m samples without a success."""
        self.events["failed"] += 1
        self.events["off"] += switched_off

    def enabled(self, was_on):
        """Record that the re-enabling test held; it is news only for a pair that was off."""
        self.events["on again"] += not was_on


class Agent(Learner):
    """Tables, action values and greedy sets; no learning."""

    def __init__(self, live, n_actions, params):
        super().__init__(live, n_actions)
        self.gamma = params["gamma"]
        self.ties = params.get("ties", "random")
        self.t = 0  # number of observed steps; the first observed step is t = 1
        self.audit = Audit()

    def action_values(self, s):
        """What the agent maximises at s."""
        return self.Q[s]

    def greedy_set(self, s):
        """The actions that a greedy choice at s may return."""
        values = self.action_values(s)
        best = max(values)
        actions = [a for a, v in enumerate(values) if v == best]
        if self.ties == "lowest":
            return actions[:1]
        if self.ties == "highest":
            return actions[-1:]
        return actions


class DelayedAgent(Agent):
    """What the delayed family has in common apart from its learning rules.

    Q starts at Vmax = (rmax - rmin)/(1 - gamma), in shifted rewards; LEARN starts true; t* is 0.
    """

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, params)
        self.rmin, self.rmax = min(rmin, 0.0), max(rmax, 0.0)
        self.eps1, self.m = params["eps1"], int(params["m"])
        vmax = (self.rmax - self.rmin) / (1.0 - self.gamma)
        self.Q = table(live, n_actions, vmax)
        self.LEARN = table(live, n_actions, True)
        self.n = table(live, n_actions, 0)  # samples in the open window
        self.U = table(live, n_actions, 0.0)  # sum of their targets
        self.t_star = 0  # time of the last successful update anywhere

    def target(self, r, nxt, done):
        """r + gamma max_x Q(s', x) in shifted rewards."""
        end = -self.rmin / (1.0 - self.gamma)
        v = end if done else max(self.Q[nxt])
        return (r - self.rmin) + self.gamma * v

    def report(self, s):
        """The learned numbers of state s, in the original units."""
        offset = self.rmin / (1.0 - self.gamma)
        return {
            "q": [q + offset for q in self.Q[s]],
            "n": list(self.n[s]),
            "learn": [int(flag) for flag in self.LEARN[s]],
        }


class DelayedQ2009(DelayedAgent):
    """Delayed Q-learning (Strehl, Li, Littman 2009).  b = time of the window's first sample."""

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, rmin, rmax, params)
        self.b = table(live, n_actions, 0)

    def learn(self, s, a, r, nxt, done):
        """One step of the listing."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if self.LEARN[s][a]:
            if self.n[s][a] == 0:
                self.b[s][a] = self.t
            self.n[s][a] += 1
            self.U[s][a] += self.target(r, nxt, done)
            if self.n[s][a] == self.m:
                self.attempt(s, a)
                self.U[s][a] = 0.0
                self.n[s][a] = 0

    def attempt(self, s, a):
        """The attempt at the m-th sample."""
        mean = self.U[s][a] / self.m
        if self.audit.margin(self.Q[s][a] - mean - 2 * self.eps1) >= 0:
            self.audit.success(s, a, self.Q[s][a], mean + self.eps1)
            self.Q[s][a] = mean + self.eps1
            self.t_star = self.t
        elif self.b[s][a] > self.t_star:
            self.audit.failed(True)
            self.LEARN[s][a] = False
        else:
            self.audit.failed(False)


class DelayedQ2006(DelayedAgent):
    """Delayed Q-learning (Strehl et al. 2006).  last = t(s, a), time of the last attempt."""

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, rmin, rmax, params)
        self.last = table(live, n_actions, 0)

    def learn(self, s, a, r, nxt, done):
        """One step of the listing; the sample of a re-enabling visit is discarded."""
        self.t += 1
        if self.LEARN[s][a]:
            self.U[s][a] += self.target(r, nxt, done)
            self.n[s][a] += 1
            if self.n[s][a] == self.m:
                self.attempt(s, a)
                self.restart(s, a)
        elif self.last[s][a] < self.t_star:
            self.audit.enabled(False)
            self.LEARN[s][a] = True

    def attempt(self, s, a):
        """The attempt at the m-th sample; t(s, a) still holds the previous attempt."""
        mean = self.U[s][a] / self.m
        if self.audit.margin(self.Q[s][a] - mean - 2 * self.eps1) >= 0:
            self.audit.success(s, a, self.Q[s][a], mean + self.eps1)
            self.Q[s][a] = mean + self.eps1
            self.t_star = self.t
        elif self.last[s][a] >= self.t_star:
            self.audit.failed(True)
            self.LEARN[s][a] = False
        else:
            self.audit.failed(False)

    def restart(self, s, a):
        """t(s, a) <- t; U <- 0; l <- 0."""
        self.last[s][a] = self.t
        self.U[s][a] = 0.0
        self.n[s][a] = 0


class DelayedQIE(DelayedAgent):
    """Delayed Q-learning with interval estimation (Strehl 2007): an attempt at every sample."""

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, rmin, rmax, params)
        self.rho = params["rho"]
        self.b = table(live, n_actions, 0)

    def learn(self, s, a, r, nxt, done):
        """One step of the listing."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if not self.LEARN[s][a]:
            return
        if self.n[s][a] == 0:
            self.b[s][a] = self.t
            self.U[s][a] = 0.0
        self.n[s][a] += 1
        self.U[s][a] += self.target(r, nxt, done)
        n = self.n[s][a]
        q = self.U[s][a] / n + self.rho / math.sqrt(n)
        if self.audit.margin(self.Q[s][a] - q - self.eps1) >= 0:
            self.audit.success(s, a, self.Q[s][a], q)
            self.Q[s][a] = q
            self.t_star = self.t
            self.n[s][a] = 0
        elif n == self.m:
            self.n[s][a] = 0
            self.audit.failed(self.b[s][a] > self.t_star)
            if self.b[s][a] > self.t_star:
                self.LEARN[s][a] = False


class DelayedQIEPrinted(DelayedAgent):
    """Interval estimation with the bookkeeping of b as printed in Oh & Iyengar 2018.

    b is set at the end of a window, successful or not, and the test of the failed window comes
    after that: every failed window switches LEARN off.
    """

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, rmin, rmax, params)
        self.rho = params["rho"]
        self.b = table(live, n_actions, 0)

    def learn(self, s, a, r, nxt, done):
        """Algorithm 1 with lambda = 0."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if self.LEARN[s][a]:
            self.n[s][a] += 1
            self.U[s][a] += self.target(r, nxt, done)
            q = self.U[s][a] / self.n[s][a] + self.rho / math.sqrt(self.n[s][a])
            if self.audit.margin(self.Q[s][a] - q - self.eps1) >= 0:
                self.audit.success(s, a, self.Q[s][a], q)
                self.Q[s][a] = q
                self.t_star = self.t
                self.close_window(s, a)
            elif self.n[s][a] == self.m:
                self.close_window(s, a)
                self.audit.failed(self.b[s][a] > self.t_star)
                if self.b[s][a] > self.t_star:
                    self.LEARN[s][a] = False

    def close_window(self, s, a):
        """n <- 0; inner estimate <- 0; b <- t."""
        self.n[s][a] = 0
        self.U[s][a] = 0.0
        self.b[s][a] = self.t


class DirectedAgent(DelayedAgent):
    """Tables, bonus and reports of Directed Delayed Q-learning; no learning."""

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, rmin, rmax, params)
        self.lam, self.eta = params["lambda"], params.get("eta")
        self.gamma_e, self.rho = params["gamma_e"], params["rho"]
        self.threshold = params.get("threshold", self.eps1)
        self.root = params.get("bonus", "log") == "sqrt"
        self.clamp = params["clamp"] == "on"
        self.E = table(live, n_actions, params["e0"])
        self.W = table(live, n_actions, 0.0)  # sum of the window's E-targets
        self.b = table(live, n_actions, 0)

    def bonus(self, e):
        """lambda / sqrt(log_eta e), 0 for e = 0; log_eta is kept at 1 or more.  Or lambda sqrt e."""
        if self.root:
            return self.lam * math.sqrt(e)
        if self.lam == 0 or e <= 0:
            return 0.0
        return self.lam / math.sqrt(max(math.log(e) / math.log(self.eta), 1.0))

    def action_values(self, s):
        """Q' = Q + bonus."""
        return [q + self.bonus(e) for q, e in zip(self.Q[s], self.E[s], strict=True)]

    def e_target(self, nxt, done):
        """gamma_E max_x E(s', x); 0 at the end of an episode."""
        return 0.0 if done else self.gamma_e * max(self.E[nxt])

    def report(self, s):
        """The report of the family, with the bonus and the exploration values."""
        report = super().report(s)
        report["bonus"] = [self.bonus(e) for e in self.E[s]]
        report["e"] = list(self.E[s])
        return report


class DirectedInterval(DirectedAgent):
    """Directed Delayed Q-learning (Oh & Iyengar 2018) with the LEARN rule of Strehl et al. 2009."""

    def learn(self, s, a, r, nxt, done):
        """One step of the listing."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if not self.LEARN[s][a]:
            return
        if self.n[s][a] == 0:
            self.b[s][a] = self.t
            self.U[s][a] = self.W[s][a] = 0.0
        self.n[s][a] += 1
        self.U[s][a] += self.target(r, nxt, done)
        self.W[s][a] += self.e_target(nxt, done)
        if self.attempt(s, a):
            return
        if self.n[s][a] == self.m:
            self.n[s][a] = 0
            self.audit.failed(self.b[s][a] > self.t_star)
            if self.b[s][a] > self.t_star:
                self.LEARN[s][a] = False

    def attempt(self, s, a):
        """The attempt at the n-th sample; says whether it succeeded."""
        n, q_old, e_old = self.n[s][a], self.Q[s][a], self.E[s][a]
        q_new = self.U[s][a] / n + self.rho / math.sqrt(n)
        e_new = self.W[s][a] / n
        if self.clamp:
            q_new, e_new = min(q_new, q_old), min(e_new, e_old)
        current = q_old + self.bonus(e_old)
        if self.audit.margin(current - (q_new + self.bonus(e_new)) - self.threshold) < 0:
            return False
        self.audit.success(s, a, q_old, q_new, e_old, e_new)
        self.Q[s][a], self.E[s][a] = q_new, e_new
        self.t_star = self.t
        self.n[s][a] = 0
        return True


class DirectedIntervalPrinted(DirectedAgent):
    """Algorithm 1 of Oh & Iyengar 2018, line by line as printed (and the clamp, if asked for)."""

    def learn(self, s, a, r, nxt, done):
        """The body of the loop of Algorithm 1."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if self.LEARN[s][a]:
            self.n[s][a] += 1
            self.U[s][a] += self.target(r, nxt, done)
            self.W[s][a] += self.e_target(nxt, done)
            q_new, e_new = self.candidate(s, a)
            q_prime = self.Q[s][a] + self.bonus(self.E[s][a])
            if self.audit.margin(q_prime - (q_new + self.bonus(e_new)) - self.threshold) >= 0:
                self.audit.success(s, a, self.Q[s][a], q_new, self.E[s][a], e_new)
                self.Q[s][a] = q_new
                self.E[s][a] = e_new
                self.t_star = self.t
                self.close_window(s, a)
            elif self.n[s][a] == self.m:
                self.close_window(s, a)
                self.audit.failed(self.b[s][a] > self.t_star)
                if self.b[s][a] > self.t_star:
                    self.LEARN[s][a] = False

    def candidate(self, s, a):
        """The inner estimates with the width of the interval added to that of Q."""
        n = self.n[s][a]
        q_new = self.U[s][a] / n + self.rho / math.sqrt(n)
        e_new = self.W[s][a] / n
        if self.clamp:
            return min(q_new, self.Q[s][a]), min(e_new, self.E[s][a])
        return q_new, e_new

    def close_window(self, s, a):
        """n <- 0; inner estimates <- 0; b <- t."""
        self.n[s][a] = 0
        self.U[s][a] = self.W[s][a] = 0.0
        self.b[s][a] = self.t


class DirectedFull(DirectedAgent):
    """The fully delayed variant: one attempt a window, at n = m, with width eps1; rule of 2009."""

    def learn(self, s, a, r, nxt, done):
        """One step of the listing."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if self.LEARN[s][a]:
            if self.n[s][a] == 0:
                self.b[s][a] = self.t
            self.n[s][a] += 1
            self.U[s][a] += self.target(r, nxt, done)
            self.W[s][a] += self.e_target(nxt, done)
            if self.n[s][a] == self.m:
                self.attempt(s, a)
                self.n[s][a] = 0
                self.U[s][a] = self.W[s][a] = 0.0

    def attempt(self, s, a):
        """Success iff Q' - (mean + eps1 + bonus(mean E)) >= eps1."""
        q_old, e_old = self.Q[s][a], self.E[s][a]
        q_new = self.U[s][a] / self.m + self.eps1
        e_new = self.W[s][a] / self.m
        if self.clamp:
            q_new, e_new = min(q_new, q_old), min(e_new, e_old)
        drop = q_old + self.bonus(e_old) - (q_new + self.bonus(e_new))
        if self.audit.margin(drop - self.threshold) >= 0:
            self.audit.success(s, a, q_old, q_new, e_old, e_new)
            self.Q[s][a], self.E[s][a] = q_new, e_new
            self.t_star = self.t
        elif self.b[s][a] > self.t_star:
            self.audit.failed(True)
            self.LEARN[s][a] = False
        else:
            self.audit.failed(False)


class DirectedFullPrinted(DirectedAgent):
    """The fully delayed variant with the bookkeeping of b as printed in Oh & Iyengar 2018."""

    def learn(self, s, a, r, nxt, done):
        """Algorithm 1, with its success test asked at n = m only and with width eps1."""
        self.t += 1
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if not self.LEARN[s][a]:
            return
        self.n[s][a] += 1
        self.U[s][a] += self.target(r, nxt, done)
        self.W[s][a] += self.e_target(nxt, done)
        if self.n[s][a] < self.m:
            return
        succeeded = self.attempt(s, a)
        self.n[s][a] = 0
        self.U[s][a] = self.W[s][a] = 0.0
        self.b[s][a] = self.t
        if not succeeded:
            self.audit.failed(self.b[s][a] > self.t_star)
            if self.b[s][a] > self.t_star:
                self.LEARN[s][a] = False

    def attempt(self, s, a):
        """The success test of Algorithm 1 with eps1 in the place of rho/sqrt(n)."""
        q_new = self.U[s][a] / self.m + self.eps1
        e_new = self.W[s][a] / self.m
        if self.clamp:
            q_new, e_new = min(q_new, self.Q[s][a]), min(e_new, self.E[s][a])
        q_prime = self.Q[s][a] + self.bonus(self.E[s][a])
        if self.audit.margin(q_prime - (q_new + self.bonus(e_new)) - self.threshold) < 0:
            return False
        self.audit.success(s, a, self.Q[s][a], q_new, self.E[s][a], e_new)
        self.Q[s][a], self.E[s][a] = q_new, e_new
        self.t_star = self.t
        return True


class DirectedVisiting(DirectedAgent):
    """e_rule=visit, which is not printed: E as in DORA (with max), at every visit; Q without it.

    The bonus takes part in the choice of actions only: an update of Q leaves E as it is, so that
    the fall of Q + bonus is that of Q.
    """

    def __init__(self, live, n_actions, rmin, rmax, params):
        super().__init__(live, n_actions, rmin, rmax, params)
        self.alpha_e = params["alpha_e"]
        self.full = params["delay"] == "full"
        self.printed = params["learn"] == "printed"

    def learn(self, s, a, r, nxt, done):
        """E first, then Q with its window."""
        self.t += 1
        old = self.E[s][a]
        new = old + self.alpha_e * (self.e_target(nxt, done) - old)
        self.E[s][a] = min(old, new) if self.clamp else new
        self.audit.touched.add((s, a))
        if self.b[s][a] <= self.t_star:
            self.audit.enabled(self.LEARN[s][a])
            self.LEARN[s][a] = True
        if not self.LEARN[s][a]:
            return
        if self.n[s][a] == 0 and not self.printed:
            self.b[s][a] = self.t
        self.n[s][a] += 1
        self.U[s][a] += self.target(r, nxt, done)
        if self.full and self.n[s][a] < self.m:
            return
        if self.attempt(s, a):
            self.close_window(s, a)
        elif self.n[s][a] == self.m:
            self.close_window(s, a)
            self.audit.failed(self.b[s][a] > self.t_star)
            if self.b[s][a] > self.t_star:
                self.LEARN[s][a] = False

    def attempt(self, s, a):
        """Success iff Q - q >= threshold, whatever the bonus."""
        n, q_old = self.n[s][a], self.Q[s][a]
        q_new = self.U[s][a] / n + (self.eps1 if self.full else self.rho / math.sqrt(n))
        if self.clamp:
            q_new = min(q_new, q_old)
        if self.audit.margin(q_old - q_new - self.threshold) < 0:
            return False
        self.audit.success(s, a, q_old, q_new)
        self.Q[s][a] = q_new
        self.t_star = self.t
        return True

    def close_window(self, s, a):
        """The printed rule sets b here, that of 2009 at the first sample."""
        self.n[s][a] = 0
        self.U[s][a] = 0.0
        if self.printed:
            self.b[s][a] = self.t


class QLearning(Agent):
    """Q-learning in the original units of the rewards; an ended episode is worth 0."""

    def __init__(self, live, n_actions, params):
        super().__init__(live, n_actions, params)
        self.params = params
        self.Q = table(live, n_actions, params["q0"])
        self.n = table(live, n_actions, 0)  # visits of the pair

    def step_size(self, n):
        """alpha of the n-th visit of a pair, the current one included."""
        if self.params["step"] == "constant":
            return self.params["alpha"]
        return 1.0 / (n + self.params["offset"]) ** self.params["omega"]

    def learn(self, s, a, r, nxt, done):
        """Q += alpha (r + gamma max Q(s', .) - Q)."""
        self.t += 1
        self.n[s][a] += 1
        self.audit.touched.add((s, a))
        target = r + self.gamma * (0.0 if done else max(self.Q[nxt]))
        self.Q[s][a] += self.step_size(self.n[s][a]) * (target - self.Q[s][a])

    def epsilon(self, s):
        """The probability of a uniform action at s, now."""
        p = self.params
        if p["decay"] == "linear":
            part = min(self.t, p["decay_steps"]) / p["decay_steps"]
            return p["epsilon"] + (p["epsilon_end"] - p["epsilon"]) * part
        if p["decay"] == "state":
            return min(1.0, p["c"] / (sum(self.n[s]) + 1))
        return p["epsilon"]

    def softmax_weights(self, s):
        """exp((Q - max Q)/T) for every action."""
        best = max(self.Q[s])
        return [math.exp((q - best) / self.params["temperature"]) for q in self.Q[s]]

    def report(self, s):
        """The learned numbers of state s."""
        return {"q": list(self.Q[s]), "n": list(self.n[s])}


# -- specs -----------------------------------------------------------------------------------

WORDS = {"e_rule", "bonus", "preset", "delay", "learn", "clamp", "ties", "form", "step", "explore", "decay"}


def parse(spec):
    """'name:key=value,...' -> (name, {key: number or word})."""
    name, _, rest = spec.partition(":")
    pairs = (item.split("=") for item in rest.split(",") if item)
    return name, {k: v if k in WORDS else float(v) for k, v in pairs}


DELAYED_CLASSES = {
    ("delayed-q", "2009"): DelayedQ2009,
    ("delayed-q", "2006"): DelayedQ2006,
    ("delayed-q-ie", "2009"): DelayedQIE,
    ("delayed-q-ie", "printed"): DelayedQIEPrinted,
    ("directed-delayed-q", "interval", "2009"): DirectedInterval,
    ("directed-delayed-q", "interval", "printed"): DirectedIntervalPrinted,
    ("directed-delayed-q", "full", "2009"): DirectedFull,
    ("directed-delayed-q", "full", "printed"): DirectedFullPrinted,
}


def least_window(c, b):
    """The least whole m >= c ln(b m) beyond 1/b: iterated upwards from c ln(c b)."""
    m, last = c * math.log(c * b), 0.0
    while m > last:
        last, m = m, c * math.log(b * m)
    m = math.ceil(m)
    while m - 1 >= c * math.log(b * (m - 1)):
        m -= 1
    return m


def delayed_theory(name, pairs, width, params):
    """The keys that preset=theory fills (docs/theory.md); `width` is that of the rewards' range."""
    gamma, delta = params["gamma"], params.get("delta", 0.1)
    vmax = width / (1 - gamma)
    eps = params.get("eps", 0.1 * vmax)
    keys, lam = {"eps1": eps * (1 - gamma) / 12}, 0.0
    if name == "directed-delayed-q":
        delta /= 2
        keys["eps1"] = e1 = eps * (1 - gamma) / 16
        keys["eta"] = keys["e0"] = eta = 1 - e1 / width
        keys["gamma_e"] = params.get("gamma_e", 0.99)
        keys["lambda"] = lam = e1 * math.sqrt(1 + math.log(keys["gamma_e"], eta))
    c = (width + gamma * vmax) ** 2 / (2 * keys["eps1"] ** 2)
    b = 3 * pairs * (1 + pairs * (vmax + lam) / keys["eps1"]) / delta
    intervals = name == "delayed-q-ie" or params.get("delay") == "interval"
    keys["m"] = least_window(c, b) if intervals else math.ceil(c * math.log(b))
    keys["rho"] = keys["eps1"] * math.sqrt(keys["m"])
    return keys


def make_agent(spec, n_states, n_actions, rmin, rmax, absent=()):
    """A fresh agent from a spec that writes every key that applies and is not the theory's."""
    name, params = parse(spec)
    live = live_states(n_states, absent)
    if name == "q-learning":
        return QLearning(live, n_actions, params)
    if params.get("preset") == "theory":
        width = max(rmax, 0.0) - min(rmin, 0.0)
        params = {**delayed_theory(name, len(live) * n_actions, width, params), **params}
    keys = {
        "delayed-q": ["form"],
        "delayed-q-ie": ["learn"],
        "directed-delayed-q": ["delay", "learn"],
    }
    cls = DELAYED_CLASSES[(name, *(params[k] for k in keys[name]))]
    if params.get("e_rule") == "visit":
        cls = DirectedVisiting
    return cls(live, n_actions, rmin, rmax, params)
