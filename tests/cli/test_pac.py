#!/usr/bin/env python3
"""`farsight pac` and `farsight list theorems` as a user types them. usage: test_pac.py FARSIGHT"""
import json
import re
import subprocess
import unittest

from command import FARSIGHT, farsight

SMALL = ("--states", "10", "--actions", "2", "--gamma", "0.9", "--eps", "0.5")
ORDER_ONLY = {"directed-delayed-q-printed", "ucb-q", "e3", "oim", "mormax", "ucrl-gamma", "beb",
              "ucrl2b", "kl-ucrl", "ucrl3", "ucbvi-gamma", "lower-bound", "lower-bound-average", "lower-bound-discounted"}
EPISODIC = {"ucb-h", "ucb-b", "ucbmq", "rand-ql", "q-advantage", "lower-bound-regret", "lower-bound-episodes",
            "ucbvi", "ucbvi-ch", "ucbvi-2025", "mvp", "ubev", "orlc"}


def rows(text):
    """The table's rows, by their first word."""
    body = text.split("──\n", 1)[1].split("\n\n", 1)[0]
    return {line.split()[0]: line for line in body.splitlines()}


class Rounding(unittest.TestCase):
    def test_what_is_promised_is_promised_when_pasted(self):
        """The least eps that is printed has at most as many mistakes as were asked for."""
        for theorem in ("r-max", "mbie-eb", "delayed-q", "directed-delayed-q", "ucrl2"):
            for steps in (3e13, 1e15, 7e16, 1e18, 5e19, 1e21):
                sizes = (theorem, "--states", "10", "--actions", "2", "--gamma", "0.9", "--diameter", "9")
                text = farsight("pac", *sizes, "--steps", str(steps)).stdout
                found = re.search(r"(?:promised is|smallest promise is eps =) ([^ ,\n]+?)[.,]?(?:\n| )", text)
                eps = found[1]
                bound = json.loads(farsight("pac", *sizes, "--eps", eps, "--json").stdout)
                bound = bound["theorems"][0]["bound"]
                self.assertLessEqual(bound, steps * (1 + 1e-9), (theorem, steps, eps))

    def test_a_printed_bound_is_one(self):
        for eps in ("0.3", "0.5", "0.7", "1.1", "1.3", "1.9"):
            sizes = ("r-max", "--states", "10", "--actions", "2", "--gamma", "0.9", "--eps", eps)
            printed = float(re.search(r"At most (\S+) mistakes", farsight("pac", *sizes).stdout)[1])
            exact = json.loads(farsight("pac", *sizes, "--json").stdout)["theorems"][0]["bound"]
            self.assertGreaterEqual(printed, exact)
            self.assertLess(printed, 1.01 * exact)


class Wrong(unittest.TestCase):
    def fails(self, *args, says):
        done = farsight("pac", *args, code=2)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)

    def test_sizes(self):
        self.fails(says="--states and --actions")
        self.fails("--states", "3", says="--states and --actions")
        self.fails("--states", "0", "--actions", "2", says="whole number from 1")
        self.fails("--states", "2.5", "--actions", "2", says="whole number")
        self.fails("-e", "chain", "--states", "3", says="do not go together")
        self.fails("-e", "chain", "--rmax", "3", says="do not go together")
        self.fails("-e", "chain", "-e", "loop", says="one environment")
        self.fails("-e", "chian", says="did you mean 'chain'")

    def test_numbers(self):
        for option, value, says in (("--gamma", "1", "[0, 1)"), ("--gamma", "x", "finite number"),
                                    ("--delta", "0", "delta"), ("--eps", "0", "above 0"),
                                    ("--eps", "-1", "above 0"), ("--eps", "1e-99", "1e-60 Vmax"),
                                    ("--rmax", "-1", "above the smallest"), ("--steps", "0", "at least 1"),
                                    ("--gamma-e", "1", "gamma_e"), ("--diameter", "0.5", "at least 1"),
                                    ("--steps", "1e301", "steps")):
            self.fails("--states", "3", "--actions", "2", option, value, says=says)

    def test_names(self):
        self.fails("rmax", *SMALL, says="did you mean 'r-max'")
        self.fails("q-learning", *SMALL, says="no theorem on 'q-learning'")
        self.fails("xyzzyxyzzy", *SMALL, says="farsight list theorems")
        done = farsight("list", "theorems", "delayedq", code=2)
        self.assertIn("did you mean 'delayed-q'", done.stderr)

    def test_vacuous(self):
        done = farsight("pac", "r-max", *SMALL[:-2], "--eps", "25")
        self.assertIn("warning: eps = 25 is not below Vmax = 10", done.stderr)
        answer = json.loads(farsight("pac", "r-max", *SMALL[:-2], "--eps", "25", "--json").stdout)
        self.assertTrue(answer["theorems"][0]["vacuous"])
        self.assertEqual(farsight("pac", *SMALL).stderr, "")


class Text(unittest.TestCase):
    def test_table(self):
        for more in ((), ("--steps", "1e16")):
            text = farsight("pac", *SMALL, *more).stdout
            self.assertLessEqual(max(map(len, text.splitlines())), 110)
            table = rows(text)
            listing = json.loads(farsight("list", "theorems", "--json").stdout)
            self.assertEqual(set(table), {t["name"] for t in listing if not t["finite_horizon"]})
            for name, line in table.items():
                self.assertEqual("order only" in line, name in ORDER_ONLY, line)
            self.assertIn("needs the diameter", text)
            self.assertIn("4.187e6", table["directed-delayed-q-printed"])

    def test_horizon(self):
        """Theorems of finite horizon are shown where there is one."""
        text = farsight("pac", *SMALL, "--horizon", "20").stdout
        self.assertLessEqual(EPISODIC, set(rows(text)))
        self.assertIn("regret of an episode is eps on average", text)
        self.assertIn("there is no horizon", farsight("pac", "ucb-h", *SMALL).stdout)
        one = farsight("pac", "ucb-h", *SMALL, "--horizon", "20", "--steps", "1e16").stdout
        self.assertRegex(one, "the\\s+regret\\s+of\\s+an\\s+episode\\s+is\\s+at\\s+most\\s+eps")
        self.assertRegex(one, "the\\s+smallest\\s+promise\\s+is\\s+a\\s+regret")
        one = farsight("pac", "ucb-h", *SMALL, "--horizon", "20", "--steps", "100").stdout
        self.assertIn("not even eps = Vmax = 20", one)

    def test_inverse(self):
        """A budget that is too small promises nothing, and order only gives no number."""
        table = rows(farsight("pac", *SMALL, "--steps", "1e9").stdout)
        self.assertIn("nothing", table["directed-delayed-q"])
        self.assertRegex(table["r-max"], r"1\.988e12 +4\.916 ")
        one = farsight("pac", "mormax", "delayed-q", *SMALL, "--steps", "100").stdout
        self.assertIn("From 100 steps: no number", one)
        self.assertIn("100 steps promise nothing: not even eps = Vmax = 10", one)

    def test_explain(self):
        text = farsight("pac", "directed-delayed-q", *SMALL, "--explain").stdout
        for part in ("1. V_max", "Lemma 1", "Lemma 2", "Lemma 3", "Lemma 4", "Chernoff", "mistakes = ",
                     "Where print and proof disagree", "printed:", "holds:", "why:", "docs/theory.md"):
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertNotIn("Where print", farsight("pac", "directed-delayed-q", *SMALL).stdout)
        everything = farsight("pac", *SMALL, "--horizon", "20", "--explain").stdout
        for theorem in json.loads(farsight("list", "theorems", "--json").stdout):
            self.assertIn(theorem["name"] + ": " + theorem["title"], everything)

    def test_environment(self):
        """Sizes, range, ends and diameter are read off the model."""
        text = farsight("pac", "-e", "chain:n=10", "--gamma", "0.9").stdout
        self.assertIn("10 states, 2 actions, gamma 0.9, range of rewards 1, Vmax 10", text)
        self.assertRegex(text, r"diameter [\d.]+ \(computed\)")
        self.assertRegex(rows(text)["ucrl2"], r"ucrl2 +[\d.]+e\d+")
        self.assertIn("episodes end", farsight("pac", "-e", "frozen-lake").stdout)
        cliff = json.loads(farsight("pac", "-e", "cliff-walking", "--json").stdout)["problem"]
        self.assertEqual(cliff["range"], 100)  # from -100 to 0, the worth of an end
        self.assertIn("diameter 5\n", farsight("pac", "-e", "chain:n=3", "--diameter", "5").stdout)


class Json(unittest.TestCase):
    def test_fields(self):
        done = farsight("pac", *SMALL, "--steps", "1e18", "--json")
        answer = json.loads(done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertEqual(list(answer), ["version", "numerics", "command", "stopped", "problem", "theorems", "notes"])
        self.assertEqual(answer["problem"]["eps"], 0.5)
        for t in answer["theorems"]:
            self.assertEqual(t["explicit"], t["name"] not in ORDER_ONLY)
            self.assertEqual(t["bound"] is None, not t["explicit"] or not t["applies"])
            self.assertEqual(t["inverse"]["eps"] is None, not t["inverse"]["promised"])
            self.assertNotIn("repairs", t)
            for q in t["quantities"]:
                self.assertEqual(list(q), ["name", "value", "log10", "unit", "formula", "source", "meaning"])
        more = json.loads(farsight("pac", "directed-delayed-q", *SMALL, "--explain", "--json").stdout)
        self.assertEqual(list(more["theorems"][0]["repairs"][0]), ["where", "printed", "repaired", "why"])

    def test_spec(self):
        """The agent that is named can be run, and keeps its guarantee: no note, no warning."""
        easy = ("--states", "2", "--actions", "2", "--gamma", "0.5", "--eps", "1.9", "--delta", "0.5")
        for t in json.loads(farsight("pac", *easy, "--json").stdout)["theorems"]:
            if t["explicit"] and t["spec"]:
                done = subprocess.run([FARSIGHT, "agent", t["spec"], "--states", "2", "--actions", "2",
                                       "--continuing"],
                                      input="", capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""), t["spec"])

    def test_list(self):
        listing = json.loads(farsight("list", "theorems", "--json").stdout)
        self.assertEqual({t["name"] for t in listing if not (t["explicit"] or t["finite_horizon"])}, ORDER_ONLY)
        self.assertLessEqual(EPISODIC, {t["name"] for t in listing if t["finite_horizon"]})
        agents = {a["name"] for a in json.loads(farsight("list", "agents", "--json").stdout)}
        for t in listing:
            self.assertTrue(t["agent"] in agents or t["name"].startswith("lower-bound"))
            for key in ("title", "reference", "order", "statement", "assumptions", "constants"):
                self.assertTrue(t[key], (t["name"], key))
            text = farsight("list", "theorems", t["name"]).stdout
            self.assertLessEqual(max(map(len, text.splitlines())), 100)
            for head in ("Reference", "Statement", "Order", "Assumptions", "Constants"):
                self.assertIn("\n" + head, text)
            self.assertEqual("Where print" in text, bool(t["repairs"]))
        one, = json.loads(farsight("list", "theorems", "beb", "--json").stdout)
        self.assertEqual(one["kind"], "near-Bayesian")
        text = farsight("list", "theorems").stdout
        self.assertEqual(len(rows(text)), len(listing))
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_completion(self):
        script = farsight("completion", "bash").stdout
        self.assertIsNotNone(re.search(r"theorem\) echo '[^']*\bmormax\b", script))
        self.assertIsNotNone(re.search(r"\bpac\) words='[^']*--steps[^']*'; kind=theorem ", script))


unittest.main(verbosity=0)
