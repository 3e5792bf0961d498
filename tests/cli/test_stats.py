#!/usr/bin/env python3
"""farsight stats, as a user types it, against numbers computed here. usage: test_stats.py FARSIGHT"""
import csv
import io
import json
import math
import pathlib
import random
import sqlite3
import statistics
import tempfile
import unittest

from command import farsight, needs_store

ENVS = ["riverswim", "chain:n=5", "loop"]
AGENTS = ["psrl", "r-max:m=5", "directed-delayed-q"]
RUNS, STEPS = 12, 400
T_975_11 = 2.200985160082949  # Student's 97.5% point with 11 degrees of freedom, from tables


def stats(*args, code=0):
    return farsight("stats", *args, code=code)


def groups(*args):
    return json.loads(stats("--json", "--resamples", "1000", *args).stdout)["groups"]


def make(store, envs=ENVS, agents=AGENTS, steps=STEPS, runs=RUNS, seed=1, more=()):
    specs = [word for env in envs for word in ("-e", env)]
    specs += [word for agent in agents for word in ("-a", agent)]
    farsight("run", "-q", *specs, "--steps", steps, "--runs", runs, "--seed", seed, "--store", store,
             *more)


def exported(store, series="total"):
    """{(env, agent): {replicate: value}} by canonical specs."""
    text = farsight("store", "export", store, "--series", series).stdout
    out = {}
    for row in csv.DictReader(io.StringIO(text)):
        out.setdefault((row["env"], row["agent"]), {})[int(row["replicate"])] = float(row["value"])
    return out


def iqm(x):
    cut = len(x) // 4
    return statistics.fmean(sorted(x)[cut:len(x) - cut])


def student_p(t, degrees):
    """Two-sided, by Simpson's rule over the angle with tan = t / sqrt(degrees)."""
    low, high, n = math.atan(abs(t) / math.sqrt(degrees)), math.pi / 2, 2000
    scale = math.gamma((degrees + 1) / 2) / math.gamma(degrees / 2) / math.sqrt(math.pi)
    h = (high - low) / n
    f = [math.cos(low + i * h) ** (degrees - 1) for i in range(n + 1)]
    return 2 * scale * h / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))


def student_factor(alpha, degrees):
    """The t that student_p is alpha of."""
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if student_p(middle, degrees) > alpha else (low, middle)
    return low


def holm(p):
    order, out, worst = sorted(range(len(p)), key=p.__getitem__), [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        worst = max(worst, min(1.0, (len(p) - rank) * p[i]))
        out[i] = worst
    return out


def random_gain(env):
    """The average reward of the random policy, by steps of the distribution over states."""
    model = json.loads(farsight("convert", env, "--to", "json").stdout)
    model = model.get("P", model)
    states = sorted(map(int, (s for s in model if s.isdigit())))
    p = [1 / len(states)] * len(states)
    for _ in range(40000):
        after, reward = [0.0] * len(states), 0.0
        for s in states:
            actions = model[str(s)]
            for outcomes in actions.values():
                for chance, to, r, done in outcomes:
                    assert not done
                    after[to] += p[s] * chance / len(actions)
                    reward += p[s] * chance / len(actions) * r
        change = max(abs(a - b) for a, b in zip(after, p, strict=True))
        p = after
        if change < 1e-15:
            return reward
    return reward


@needs_store
class Values(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.store = str(pathlib.Path(cls.folder.name) / "results.db")
        make(cls.store, more=["--metric", "regret", "--curve", "100,400"])
        cls.group, = groups(cls.store, "-b", "psrl")
        cls.runs = exported(cls.store)
        cls.spec = {e["env"]: e["spec"] for e in cls.group["environments"]}
        cls.cell = {(c["env"], c["agent"]): c for c in cls.group["cells"]}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def x(self, env, agent):
        return self.runs[self.spec[env], self.cell[env, agent]["spec"]]

    def test_names(self):
        self.assertEqual(set(self.spec), set(ENVS))
        self.assertEqual(set(self.cell), {(e, a) for e in ENVS for a in AGENTS})
        self.assertEqual((self.group["steps"], self.group["seed"]), (STEPS, 1))

    def test_cells(self):
        for (env, agent), c in self.cell.items():
            x = list(self.x(env, agent).values())
            quartiles = statistics.quantiles(x, n=4, method="inclusive")
            std = statistics.stdev(x)
            half = T_975_11 * std / math.sqrt(RUNS)
            mean = statistics.fmean(x)
            wanted = {"runs": RUNS, "mean": mean, "std": std, "low": mean - half, "high": mean + half,
                      "min": min(x), "first_quartile": quartiles[0], "median": quartiles[1],
                      "third_quartile": quartiles[2], "max": max(x), "iqm": iqm(x)}
            if std == 0:  # r-max on loop
                self.assertEqual([c["low"], c["high"], c["bootstrap"]["mean"]["low"]], [None] * 3)
                continue
            for name, value in wanted.items():
                self.assertAlmostEqual(c[name], value, delta=1e-9 * max(1, abs(value)), msg=name)
            for name in ("mean", "median", "iqm"):
                boot = c["bootstrap"][name]
                self.assertAlmostEqual(boot["value"], c[name], places=9)
                self.assertLessEqual(boot["low"], boot["high"])
                self.assertGreaterEqual(boot["low"], min(x))
                self.assertLessEqual(boot["high"], max(x))

    def test_comparisons(self):
        self.assertEqual(self.group["baseline"], {"agent": "psrl", "origin": "here", "given": True})
        found = self.group["comparisons"]
        self.assertEqual(len(found), len(ENVS) * (len(AGENTS) - 1))
        self.assertEqual(self.group["family"], len(found))
        level = 1 - 0.05 / len(found)  # so that all intervals hold together
        self.assertAlmostEqual(self.group["difference_level"], level, places=12)
        factor = student_factor(1 - level, RUNS - 1)
        for c in found:
            x, y = self.x(c["env"], c["agent"]), self.x(c["env"], "psrl")
            d = [x[k] - y[k] for k in range(RUNS)]
            mean, std = statistics.fmean(d), statistics.stdev(d)
            t = mean / (std / math.sqrt(RUNS))
            apart = statistics.variance(x.values()) + statistics.variance(y.values())
            half = factor * std / math.sqrt(RUNS)
            wanted = {"pairs": RUNS, "runs": RUNS, "baseline_runs": RUNS, "mean": mean, "low": mean - half, "high": mean + half, "t": t,
                      "degrees": RUNS - 1, "p": student_p(t, RUNS - 1),
                      "won": sum(v > 0 for v in d) / RUNS, "tied": sum(v == 0 for v in d) / RUNS,
                      "saving": apart / std ** 2}
            self.assertEqual(c["test"], "paired t")
            for name, value in wanted.items():
                self.assertAlmostEqual(c[name], value, delta=1e-7 * max(1, abs(value)), msg=name)
            self.assertLess(c["bootstrap"]["low"], mean)
            self.assertGreater(c["bootstrap"]["high"], mean)
        adjusted = holm([c["p"] for c in found])
        for c, p in zip(found, adjusted, strict=True):
            self.assertAlmostEqual(c["p_adjusted"], p, places=12)
        self.check_agreement(self.group)

    def check_agreement(self, group):
        """An interval that excludes 0 goes together with a small p."""
        for c in group["comparisons"]:
            if c["low"] > 0 or c["high"] < 0:
                self.assertLessEqual(c["p_adjusted"], 0.05 + 1e-9)
            self.assertEqual(c["low"] > 0 or c["high"] < 0, c["p"] * group["family"] < 0.05)

    def test_a_baseline_by_the_results_counts_all_pairs(self):
        group, = groups(self.store)
        best = max(group["scores"], key=lambda s: s["iqm"]["value"])["agent"]
        self.assertEqual((group["baseline"]["agent"], group["baseline"]["given"]), (best, False))
        self.assertEqual(group["family"], len(ENVS) * 3)  # pairs of three agents
        every, where = [], {}
        for env in ENVS:
            for i, a in enumerate(AGENTS):
                for b in AGENTS[i + 1:]:
                    x, y = self.x(env, a), self.x(env, b)
                    d = [x[k] - y[k] for k in range(RUNS)]
                    t = statistics.fmean(d) / statistics.stdev(d) * math.sqrt(RUNS)
                    where[env, frozenset((a, b))] = len(every)
                    every.append(student_p(t, RUNS - 1))
        adjusted = holm(every)
        self.assertAlmostEqual(group["difference_level"], 1 - 0.05 / 9, places=12)
        self.assertEqual(group["improvement_family"], 3)
        self.assertAlmostEqual(group["improvement_level"], 1 - 0.05 / 3, places=12)
        for correction in ("holm", "fdr", "bonferroni"):
            self.check_agreement(groups(self.store, "--correction", correction)[0])
        text = stats(self.store).stdout
        self.assertIn(f"Difference from {best}, simultaneous 95%", text)
        self.assertIn("its own mean is optimistic", " ".join(text.split()))
        for c in group["comparisons"]:
            self.assertAlmostEqual(
                c["p_adjusted"], adjusted[where[c["env"], frozenset((c["agent"], best))]], delta=1e-7)

    def test_corrections(self):
        p = [c["p"] for c in self.group["comparisons"]]
        for name, wanted in (("bonferroni", [min(1, v * len(p)) for v in p]),
                             ("fdr", [min(1, *(v2 * len(p) / (sorted(p).index(v2) + 1)
                                              for v2 in p if v2 >= v)) for v in p])):
            group, = groups(self.store, "-b", "psrl", "--correction", name)
            for c, v in zip(group["comparisons"], wanted, strict=True):
                self.assertAlmostEqual(c["p_adjusted"], v, places=12)

    def test_improvement(self):
        for i in self.group["improvement"]:
            any_two, same = [], []
            for env in ENVS:
                x, y = self.x(env, i["agent"]), self.x(env, "psrl")
                any_two.append(statistics.fmean((a > b) + (a == b) / 2 for a in x.values()
                                                for b in y.values()))
                same.append(statistics.fmean((x[k] > y[k]) + (x[k] == y[k]) / 2 for k in x))
            self.assertEqual(i["environments"], 3)
            self.assertAlmostEqual(i["any_two_runs"]["value"], statistics.fmean(any_two), places=12)
            self.assertAlmostEqual(i["same_luck"]["value"], statistics.fmean(same), places=12)

    def test_scales(self):
        best = json.loads(farsight("compare", "-q", "--json", "-a", "psrl", "--runs", 1, "--steps",
                                   STEPS, *(w for e in ENVS for w in ("-e", e))).stdout)["best"]
        best = {b["env"]: b["total"] for b in best}
        for e in self.group["environments"]:
            self.assertEqual(e["scale"]["ends"], "policies")
            self.assertAlmostEqual(e["scale"]["high"], best[e["spec"]], places=9)
            self.assertAlmostEqual(e["scale"]["low"], STEPS * random_gain(e["spec"]),
                                   delta=2e-6 * STEPS)

    def test_scores(self):
        scale = {e["env"]: e["scale"] for e in self.group["environments"]}
        for s in self.group["scores"]:
            scores = [[(v - scale[env]["low"]) / (scale[env]["high"] - scale[env]["low"])
                       for v in self.x(env, s["agent"]).values()] for env in ENVS]
            means = [statistics.fmean(x) for x in scores]
            wanted = {"iqm": iqm([v for row in scores for v in row]), "mean": statistics.fmean(means),
                      "median": statistics.median(means),
                      "optimality_gap": statistics.fmean(
                          statistics.fmean(max(0, 1 - v) for v in x) for x in scores)}
            for name, value in wanted.items():
                self.assertAlmostEqual(s[name]["value"], value, places=9)
                if (s["agent"], name) == ("r-max:m=5", "median"):  # the mean on loop, which does not vary
                    continue
                self.assertLessEqual(s[name]["low"], value + 1e-9)
                self.assertGreaterEqual(s[name]["high"], value - 1e-9)
            self.assertEqual([p["tau"] for p in s["profile"]], [k / 10 for k in range(11)])
            for p in s["profile"]:
                share = statistics.fmean(statistics.fmean(v > p["tau"] for v in x) for x in scores)
                self.assertAlmostEqual(p["value"], share, places=12)
        self.assertEqual(len(self.group["scores"]), len(AGENTS))

    def test_less_is_better(self):
        group, = groups(self.store, "--series", "regret", "-b", "psrl")
        runs = exported(self.store, "regret:against=value")
        for c in group["comparisons"]:
            specs = {(k["env"], k["agent"]): k["spec"] for k in group["cells"]}
            x = runs[self.spec[c["env"]], specs[c["env"], c["agent"]]]
            y = runs[self.spec[c["env"]], specs[c["env"], "psrl"]]
            self.assertAlmostEqual(c["mean"], statistics.fmean(x[k] - y[k] for k in x), places=6)
            self.assertAlmostEqual(c["won"], statistics.fmean(x[k] < y[k] for k in x), places=12)
        for e in group["environments"]:
            every = [v for k in runs if k[0] == e["spec"] for v in runs[k].values()]
            self.assertEqual(e["scale"], {"ends": "observed", "low": max(every), "high": min(every)})
        document = json.loads(stats(self.store, "--json", "--series", "regret").stdout)
        self.assertEqual((document["better"], document["series"]), ("lower", "regret:against=value"))
        text = stats(self.store, "--series", "regret", "--better", "higher").stdout
        self.assertIn("higher is better", text)

    def test_metric_curve(self):
        at, = groups(self.store, "--series", "regret@100")
        whole, = groups(self.store, "--series", "regret@400")
        end, = groups(self.store, "--series", "regret")
        self.assertEqual(whole, end)
        self.assertNotEqual(at, end)
        for given, taken in (("regret@90", "regret:against=value@100"), ("curve@9999", "curve@400")):
            done = stats(self.store, "--series", given)
            self.assertEqual(done.stdout, stats(self.store, "--series", taken).stdout)
            self.assertIn(f"note: the store has no '{given}'; this is '{taken}', the nearest checkpoint", done.stderr)
        self.assertIn("lower is better", stats(self.store, "--series", "regret@100").stdout)

    def test_curve(self):
        group, = groups(self.store, "--series", "curve@100")
        whole, = groups(self.store, "--series", "curve@400")
        for c, w in zip(group["cells"], whole["cells"], strict=True):
            self.assertLess(c["mean"], w["mean"])
            self.assertAlmostEqual(w["mean"], self.cell[w["env"], w["agent"]]["mean"], places=9)
        for e, w in zip(group["environments"], whole["environments"], strict=True):
            self.assertAlmostEqual(4 * e["scale"]["high"], w["scale"]["high"], places=2)

    def test_choice(self):
        group, = groups(self.store, "-e", "loop", "-e", "riverswim", "-a", "r-max:m=5", "-a", "d*")
        self.assertEqual([e["env"] for e in group["environments"]], ["loop", "riverswim"])
        self.assertEqual({c["agent"] for c in group["cells"]}, {"r-max:m=5", "directed-delayed-q"})
        group, = groups(self.store, "-e", "chain*", "-a", "r-max:m=5,gamma=0.95", "-b", "psrl")
        self.assertEqual([c["agent"] for c in group["cells"]], ["r-max:m=5,gamma=0.95", "psrl"])
        self.assertEqual(group["scores"], [])  # of one environment there are none

    def test_level(self):
        wide, = groups(self.store, "--level", "0.999")
        for c in wide["cells"]:
            before = self.cell[c["env"], c["agent"]]
            if before["std"] > 0:
                self.assertLess(c["low"], before["low"])
                self.assertGreater(c["high"], before["high"])
        self.assertIn("mean ± 99.9%", stats(self.store, "--level", "0.999").stdout)

    def test_the_same_bytes(self):
        other = str(pathlib.Path(self.folder.name) / "other.db")
        more = ["--metric", "regret", "--curve", "100,400"]
        make(other, agents=AGENTS[::-1], runs=5, more=more + ["--threads", "1"])
        make(other, envs=ENVS[::-1], more=more + ["--threads", "2"])
        for options in ([], ["--json"], ["--markdown"], ["--series", "regret"]):
            self.assertEqual(stats(self.store, *options).stdout, stats(other, *options).stdout)
        self.assertNotEqual(stats(self.store, "--json").stdout,
                            stats(self.store, "--json", "--seed", 2).stdout)

    def test_text(self):
        done = stats(self.store)
        self.assertEqual(done.stderr, "")
        for words in ("riverswim: best policy", "Difference from ", "Probability of improvement",
                      "Scores over 3 environments", "Performance profile", "Every parameter",
                      "Methods: ", "Holm (1979) for 9 comparisons", "Agarwal"):
            self.assertIn(words, " ".join(done.stdout.split()))
        for line in done.stdout.splitlines():
            self.assertEqual(line, line.rstrip())
            if "gamma=" not in line:
                self.assertLessEqual(len(line), 100, line)
        markdown = stats(self.store, "--markdown").stdout
        self.assertIn("| agent | runs |", markdown)
        self.assertIn("#### riverswim: best policy", markdown)


    def test_formats(self):
        """Every format has the same numbers."""
        found = json.loads(stats(self.store, "--format", "json", "-b", "psrl").stdout)
        self.assertEqual(found, json.loads(stats(self.store, "--json", "-b", "psrl").stdout))
        group, = found["groups"]
        self.assertEqual((found["command"], found["stopped"]), ("stats", False))
        self.assertIn("paired t-test", found["methods"])
        self.assertIn("caveat", {note["kind"] for note in found["notes"]})  # r-max on loop does not vary
        tables = {name: list(csv.DictReader(io.StringIO(stats(
            self.store, "-b", "psrl", "--format", "csv", "--table", name).stdout)))
            for name in ("cells", "comparisons", "improvements", "scores", "profiles")}
        for name, members in (("cells", "cells"), ("comparisons", "comparisons"), ("improvements", "improvement"),
                              ("scores", "scores"), ("profiles", "scores")):
            self.assertEqual(len(tables[name]), len(group[members]))
        number = lambda x: float(x) if x else None
        for row, c in zip(tables["cells"], group["cells"], strict=True):
            self.assertEqual((row["env"], row["agent"], row["agent_spec"]), (c["env"], c["agent"], c["spec"]))
            self.assertEqual((row["steps"], row["seed"], row["origin"]), (str(STEPS), "1", "here"))
            self.assertEqual([number(row[k]) for k in ("mean", "mean_low", "mean_high", "std", "median", "iqm",
                                                       "quartiles_low", "extremes_high")],
                             [c[k] for k in ("mean", "low", "high", "std", "median", "iqm", "first_quartile",
                                             "max")])
            if c["agent"] == "r-max:m=5":
                self.assertEqual(row["agent.m"], "5")
        for row, c in zip(tables["comparisons"], group["comparisons"], strict=True):
            self.assertEqual((row["env"], row["agent"], row["baseline"], row["test"]),
                             (c["env"], c["agent"], "psrl", c["test"]))
            self.assertEqual([number(row[k]) for k in ("pairs", "difference", "difference_low", "p", "p_adjusted",
                                                       "won", "saving")],
                             [c[k] for k in ("pairs", "mean", "low", "p", "p_adjusted", "won", "saving")])
        for row, i in zip(tables["improvements"], group["improvement"], strict=True):
            self.assertEqual((row["agent"], number(row["paired_runs"])), (i["agent"], i["same_luck"]["value"]))
        for row, p, s in zip(tables["scores"], tables["profiles"], group["scores"], strict=True):
            self.assertEqual((row["agent"], number(row["iqm"]), number(row["iqm_low"])),
                             (s["agent"], s["iqm"]["value"], s["iqm"]["low"]))
            self.assertEqual(number(p["above_0.5"]), s["profile"][5]["value"])
        latex = stats(self.store, "--format", "latex").stdout
        self.assertIn("\\begin{tabular}", latex)
        self.assertEqual(stats(self.store, "--format", "markdown").stdout, stats(self.store, "--markdown").stdout)
        done = stats(self.store, "--format", "csv")
        self.assertIn("--table prints another: comparisons improvements scores profiles", done.stderr)
        for options, words in ((["--format", "xml"], "must be text, markdown, json, csv, latex or html"),
                               (["--format", "csv", "--table", "nothing"], "there are: cells, comparisons"),
                               (["--table", "cells"], "--format csv"),
                               (["--markdown", "--format", "csv"], "do not go together")):
            self.assertIn(words, stats(self.store, *options, code=2).stderr)


@needs_store
class Stores(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = str(pathlib.Path(self.folder.name) / "results.db")

    def tearDown(self):
        self.folder.cleanup()

    def forget_labels(self):
        db = sqlite3.connect(self.store)
        with db:
            db.execute("DELETE FROM label")
        db.close()

    def bring(self, text):
        path = pathlib.Path(self.folder.name) / "theirs.csv"
        path.write_text(text)
        return farsight("store", "import", self.store, path).stderr

    def test_welch(self):
        make(self.store, envs=["riverswim"], agents=["psrl"])
        theirs = [30, 41.5, 12, 25, 28]
        self.bring("env,agent,seed,value\n" +
                   "".join(f"riverswim,dqn,{i},{v}\n" for i, v in enumerate(theirs)))
        group, = groups(self.store, "-b", "psrl")
        c, = group["comparisons"]
        ours = list(next(v for k, v in exported(self.store).items() if k[1] != "dqn").values())
        a, b = (statistics.variance(x) / len(x) for x in (theirs, ours))
        degrees = (a + b) ** 2 / (a ** 2 / (len(theirs) - 1) + b ** 2 / (len(ours) - 1))
        t = (statistics.fmean(theirs) - statistics.fmean(ours)) / math.sqrt(a + b)
        self.assertEqual((c["agent"], c["test"]), ("dqn", "Welch"))
        self.assertEqual(c["origin"], "elsewhere, steps not told")
        for name, value in {"t": t, "degrees": degrees, "p": student_p(t, degrees)}.items():
            self.assertAlmostEqual(c[name], value, places=7, msg=name)
        self.assertNotIn("won", c)
        self.assertIsNone(group["improvement"][0]["same_luck"])
        text = stats(self.store).stdout
        self.assertIn("‡ imported; the number of steps is unknown, and taken to be 400.", text)
        self.assertIn("Welch's t-test", text)

    def test_imported_rows_of_a_model_file_join_its_runs(self):
        model = pathlib.Path(self.folder.name) / "loop.json"
        farsight("convert", "loop", model)
        env = f"file:{model}"
        make(self.store, envs=[env], agents=["psrl"])
        rows = "env,agent,seed,value,steps\n" + "".join(f"{env},AGENT,{i},{i},{STEPS}\n" for i in range(3))
        said = self.bring(rows.replace("AGENT", "dqn"))
        self.assertNotIn("warning", said)
        group, = groups(self.store)
        self.assertEqual(len(group["environments"]), 1, group["environments"])
        self.assertEqual([c["agent"] for c in group["comparisons"]].count("dqn"), 1)
        for change in (lambda: farsight("convert", "chain:n=4", model), model.unlink):
            change()  # another model, and then none: which one the rows are of cannot be known
            said = self.bring(rows.replace("AGENT", change.__name__))
            self.assertIn("warning: 3 rows without a model", said)
            self.assertIn("another model of that name" if model.exists() else "cannot be read", said)
        names = {e["env"] for g in groups(self.store) for e in g["environments"]}
        self.assertEqual(len(names), 2, names)
        self.assertIn("unknown", " ".join(sorted(names)))

    def test_imported_alone(self):
        rows = [("cart", "a", 1, 5), ("cart", "a", 2, 7), ("cart", "a", 3, 6), ("cart", "b", 1, 1),
                ("cart", "b", 2, 2), ("cart", "b", 3, 4), ("pole", "a", 1, 0), ("pole", "a", 2, 1),
                ("pole", "b", 1, 0.5), ("pole", "b", 2, 0.25)]
        self.bring("env,agent,seed,value,steps\n" + "".join(f"{e},{a},{s},{v},100\n"
                                                            for e, a, s, v in rows))
        group, = groups(self.store)
        self.assertEqual((group["steps"], group["seed"], group["numerics"]), (100, None, 0))
        self.assertEqual({c["test"] for c in group["comparisons"]}, {"Welch"})
        self.assertEqual([e["scale"] for e in group["environments"]],
                         [{"ends": "observed", "low": 1, "high": 7},
                          {"ends": "observed", "low": 0, "high": 1}])
        self.assertEqual(len(group["scores"]), 2)
        paired, = groups(self.store, "--paired", "-b", "a")
        self.assertEqual([c["pairs"] for c in paired["comparisons"]], [3, 2])
        self.assertEqual(paired["comparisons"][0]["mean"], statistics.fmean([-4, -5, -2]))

    def test_groups_are_not_mixed(self):
        make(self.store, envs=["loop"])
        make(self.store, envs=["loop"], seed=2**64 - 1)
        make(self.store, envs=["loop"], steps=150, runs=3)
        self.bring("env,agent,seed,value,steps\nloop,dqn,1,7,150\nloop,dqn,2,9,150\n"
                   "loop,other,1,3,\nloop,other,2,4,\n")
        found = groups(self.store)
        self.assertEqual([(g["steps"], g["seed"], {c["runs"] for c in g["cells"]},
                           {c["agent"] for c in g["cells"]}) for g in found],
                         [(None, None, {2}, {"other"}),  # which steps these had cannot be known
                          (150, 1, {3, 2}, {*AGENTS, "dqn"}),
                          (400, 1, {RUNS}, set(AGENTS)), (400, str(2**64 - 1), {RUNS}, set(AGENTS))])
        self.assertNotEqual([c["mean"] for c in found[2]["cells"]], [c["mean"] for c in found[3]["cells"]])
        text = stats(self.store).stdout
        self.assertIn("Group 1 of 4: ", text)
        self.assertIn("Group 4 of 4: Undiscounted reward, steps 400, seed 18446744073709551615", text)
        group, = groups(self.store, "--steps", 400, "--run-seed", 2**64 - 1, "-a", "psrl")
        self.assertEqual(group["cells"][0]["mean"], found[3]["cells"][1]["mean"])

    def test_pairs_are_matched(self):
        make(self.store, envs=["chain:n=5"], agents=["psrl"], runs=9)
        make(self.store, envs=["chain:n=5"], agents=["r-max:m=5"], runs=4)
        group, = groups(self.store, "-b", "psrl")
        x, y = exported(self.store).values()
        self.assertEqual(len(x) + len(y), 13)
        c, = group["comparisons"]
        self.assertEqual((c["pairs"], c["runs"], c["baseline_runs"]), (4, 4, 9))
        text = " ".join(stats(self.store).stdout.split())
        self.assertIn("4 of 9 runs have partners; the others do not count", text)
        short, long = sorted((x, y), key=len)
        self.assertAlmostEqual(group["comparisons"][0]["mean"],
                               statistics.fmean(short[k] - long[k] for k in short), places=9)

    def test_environments_weigh_the_same(self):
        cells = {("e", "a"): [1, 2] * 100, ("f", "a"): [0, 0.5] * 2, ("e", "b"): [0, 2] * 2,
                 ("f", "b"): [0, 0.5, 0.75, 1]}  # scales: e from 0 to 2, f from 0 to 1
        self.bring("env,agent,seed,value\n" + "".join(
            f"{e},{a},{i},{v}\n" for (e, a), x in cells.items() for i, v in enumerate(x)))
        group, = groups(self.store)
        iqms = {s["agent"]: s["iqm"]["value"] for s in group["scores"]}
        # a: a quarter of the weight 0, a half 1/2, a quarter 1; all runs together would have 0.74
        self.assertAlmostEqual(iqms["a"], 0.5, places=9)
        self.assertAlmostEqual(iqms["b"], 0.5625, places=9)
        self.assertEqual(group["baseline"]["agent"], "b")

    def test_equal_agents(self):
        """What was chosen by the results does not contradict its p."""
        rng = random.Random(7)
        rows = [(a, i, rng.gauss(100, 10)) for a in "abcdefghij" for i in range(20)]
        self.bring("env,agent,seed,value\n" + "".join(f"e,{a},{i},{v}\n" for a, i, v in rows))
        group, = groups(self.store, "--resamples", 10000)
        self.assertEqual((group["family"], group["improvement_family"]), (45, 45))
        self.assertLess(min(c["p"] for c in group["comparisons"]), 0.05)  # the trap
        for c in group["comparisons"]:
            self.assertGreater(c["p_adjusted"], 0.05)
            self.assertTrue(c["low"] < 0 < c["high"])
            self.assertTrue(c["bootstrap"]["low"] < c["mean"] < c["bootstrap"]["high"])
        coarse, = groups(self.store)  # 1000 resamples have no quantile at 0.05 / 90
        for c, fine in zip(coarse["comparisons"], group["comparisons"], strict=True):
            self.assertEqual((c["low"], c["bootstrap"]["low"]), (fine["low"], None))
        text = " ".join(stats(self.store, "--resamples", 1000).stdout.split())
        self.assertIn("1000 resamples are too few", text)
        self.assertIn("3601 resamples would do", text)
        self.assertNotIn("too few", stats(self.store, "--resamples", 3601).stdout)

    def test_what_does_not_vary(self):
        self.bring("env,agent,seed,value\n" + "".join(f"e,{a},{i},{v}\n" for a, v in
                                                      (("a", 3), ("b", 1)) for i in range(2)) +
                   "e,c,1,0\ne,c,2,2\n")
        group, = groups(self.store, "-b", "a")
        self.assertEqual(group["family"], 2)  # whatever the results are
        b, c = group["comparisons"]
        self.assertEqual((b["agent"], b["varies"], b["mean"]), ("b", False, -2))
        for name in ("low", "high", "t", "p", "p_adjusted"):
            self.assertIsNone(b[name])
            self.assertIsNotNone(c[name])
        self.assertIsNone(b["bootstrap"]["low"])
        self.assertAlmostEqual(c["p_adjusted"], min(1, 2 * c["p"]), places=12)
        for cell in group["cells"]:
            self.assertEqual(cell["low"] is None, cell["agent"] != "c")
            self.assertEqual(cell["bootstrap"]["mean"]["low"] is None, cell["agent"] != "c")
        for i in group["improvement"]:
            self.assertEqual((i["any_two_runs"]["value"], i["any_two_runs"]["low"]), (0, None))
        text = " ".join(stats(self.store, "-b", "a").stdout.split())
        self.assertIn("where the runs do not vary", text)
        self.assertNotIn("0.0001", text)
        self.assertNotIn("± 0 ", text)

    def test_words(self):
        make(self.store, envs=["loop"], agents=AGENTS[:2], runs=3)
        text = " ".join(stats(self.store, "-b", "psrl").stdout.split())
        self.assertIn("for 1 comparison: all with the baseline", text)
        self.assertIn("Numbers of runs are taken as fixed beforehand", text)
        self.assertNotIn("simultaneous", text)  # there is one comparison only
        self.bring("env,agent,seed,value\n" + "".join(f"{e},{a},{i},{i}\n" for e in "xy" for a in "ab"
                                                      for i in range(3)))
        text = " ".join(stats(self.store, "-e", "x", "-e", "y", "--correction", "fdr").stdout.split())
        self.assertIn("held fixed in the intervals, and change with the agents", text)
        self.assertIn("the expected share of false claims", text)

    def test_many_agents(self):
        rows = [(f"a{k}", i, k + i) for k in range(61) for i in range(2)]
        self.bring("env,agent,seed,value\n" + "".join(f"e,{a},{i},{v}\n" for a, i, v in rows))
        done = stats(self.store, code=2)
        self.assertIn("61 agents", done.stderr)
        self.assertIn("-a SPEC or a pattern", done.stderr)
        self.assertEqual(done.stdout, "")
        for options, n in (["-a", "a1*"], 11), (["-a", "*"], 61), (["-a", "a[1-6]?", "-b", "a7"], 52):
            group, = groups(self.store, *options)
            self.assertEqual(len(group["cells"]), n)

    def test_presets_are_one_agent(self):
        spec = "delayed-q:preset=theory"
        make(self.store, agents=[spec, "delayed-q"], runs=3)
        group, = groups(self.store)
        self.assertEqual({c["agent"] for c in group["cells"]}, {spec, "delayed-q"})
        self.assertGreater(len({c["spec"] for c in group["cells"] if c["agent"] == spec}), 1)
        self.assertEqual(len(group["scores"]), 2)

    def test_what_was_typed_is_the_name(self):
        make(self.store, envs=["chain", "small=chain:n=5"], agents=["r-max", "few=r-max:m=2", "psrl"], runs=2)
        group, = groups(self.store)
        self.assertEqual([e["env"] for e in group["environments"]], ["chain", "small"])
        self.assertEqual({c["env"] for c in group["cells"]}, {"chain", "small"})
        self.assertEqual({c["agent"] for c in group["cells"]}, {"r-max", "few", "psrl"})
        for wanted in ("few", "r-max:m=2", "fe*"):  # by its name, by what it means, by a pattern
            group, = groups(self.store, "-a", wanted, "-a", "psrl")
            self.assertEqual({c["agent"] for c in group["cells"]}, {"psrl", wanted.replace("fe*", "few")})
        group, = groups(self.store, "--baseline", "few", "-e", "small")
        self.assertEqual((group["baseline"]["agent"], {c["env"] for c in group["cells"]}), ("few", {"small"}))

    def test_one_agent_on_all_environments(self):
        """Its defaults depend on the environment, so that it is another spec in full on each."""
        make(self.store, envs=["chain:n=[10,20,50]"], agents=["directed-delayed-q:gamma_e=0.5", "psrl"], runs=2)
        group, = groups(self.store)
        self.assertEqual({c["agent"] for c in group["cells"]}, {"directed-delayed-q:gamma_e=0.5", "psrl"})
        self.assertEqual(len({c["spec"] for c in group["cells"] if c["agent"] != "psrl"}), 3)
        self.assertEqual({s["agent"] for s in group["scores"]}, {"directed-delayed-q:gamma_e=0.5", "psrl"})

    def test_a_name_that_meant_two_agents(self):
        """On one environment, in two studies: then both are shown as what they are."""
        make(self.store, envs=["chain:n=5"], agents=["mine=r-max:m=2"], runs=2)
        make(self.store, envs=["chain:n=5"], agents=["mine=r-max:m=3"], runs=2)
        group, = groups(self.store)
        self.assertEqual({c["agent"] for c in group["cells"]}, {"r-max:m=2", "r-max:m=3"})

    def test_results_of_version_1_have_no_names(self):
        make(self.store, envs=["chain", "chain:n=5"], agents=["r-max", "r-max:m=2", "psrl"], runs=2)
        self.forget_labels()
        group, = groups(self.store)
        self.assertEqual({c["env"] for c in group["cells"]}, {"chain:n=10", "chain:n=5"})
        self.assertEqual({c["agent"] for c in group["cells"]}, {"psrl", "r-max:m=2", "r-max:m=20"})
        group, = groups(self.store, "-a", "r-max")  # is a name of it all the same
        self.assertEqual({c["agent"] for c in group["cells"]}, {"r-max"})

    def test_a_model_that_is_gone(self):
        path = pathlib.Path(self.folder.name) / "loop.json"
        farsight("convert", "loop", path)
        make(self.store, envs=[f"file:{path}", "loop"], agents=["psrl", "r-max:m=5"], runs=3)
        before, = groups(self.store)
        path.unlink()
        after, = groups(self.store)
        for group, ends in (before, ["policies"] * 2), (after, ["observed", "policies"]):
            self.assertEqual({c["agent"] for c in group["cells"]}, {"psrl", "r-max:m=5"})
            self.assertEqual([e["scale"]["ends"] for e in group["environments"]], ends)
            self.assertEqual(len(group["scores"]), 2)
        self.assertEqual([c["mean"] for c in before["cells"]], [c["mean"] for c in after["cells"]])

    def test_incomplete(self):
        make(self.store, runs=3)
        make(self.store, envs=["loop"], agents=["psrl:prior=2"], runs=3)
        group, = groups(self.store)
        self.assertEqual({s["agent"] for s in group["scores"]}, {"psrl", *AGENTS[1:]})
        self.assertIn("psrl:prior=2 is not on", stats(self.store).stdout)

    def test_single(self):
        make(self.store, envs=["loop"], agents=["psrl"], runs=1)
        group, = groups(self.store)
        c, = group["cells"]
        self.assertIsNone(c["low"])
        self.assertIsNone(c["bootstrap"]["mean"]["low"])
        self.assertEqual((group["baseline"], group["comparisons"], group["scores"]), (None, [], []))
        self.assertIn("single runs", stats(self.store).stdout)
        make(self.store, envs=["loop"], agents=["r-max:m=5"], runs=1)
        group, = groups(self.store)
        c, = group["comparisons"]
        self.assertEqual((c["pairs"], c["low"], c["p"], c["p_adjusted"]), (1, None, None, None))
        self.assertIsNone(group["improvement"][0]["any_two_runs"]["low"])
        self.assertNotIn("p-values", stats(self.store).stdout)

    def test_infinite(self):
        self.bring("env,agent,seed,value\ne,a,1,inf\ne,a,2,3\ne,a,3,4\ne,b,1,1\ne,b,2,2\ne,b,3,2\n")
        group, = groups(self.store, "--better", "lower")
        cells = {c["agent"]: c for c in group["cells"]}
        self.assertEqual(cells["a"]["median"], 4)
        self.assertIsNone(cells["a"]["mean"])
        self.assertIsNone(cells["a"]["bootstrap"]["mean"])
        self.assertEqual(group["comparisons"], [])
        improvement, = group["improvement"]
        self.assertEqual(group["baseline"]["agent"], "b")
        self.assertEqual(improvement["any_two_runs"]["value"], 0)

    def test_long_names(self):
        names = ["x" * 300, "x" * 299 + "y"]
        self.bring("env,agent,seed,value\n" + "".join(f"e,{n},{i},{i}\n" for n in names
                                                      for i in range(3)))
        text = stats(self.store).stdout
        shown = ["x" * 16 + "…" + "x" * 25, "x" * 16 + "…" + "x" * 24 + "y"]  # 42 columns, cut in the middle
        for short, name in zip(shown, names, strict=True):
            self.assertIn(f"  {short} † ", text)
            self.assertIn(f"{short} † = {name}", text)

    def test_errors(self):
        absent = stats("/nonexistent/results.db", code=1).stderr
        self.assertIn("/nonexistent/results.db", absent)
        self.assertIn("which store", stats(code=2).stderr)
        make(self.store, runs=2, envs=["loop"])
        for options, words in (
                (["--series", "coverage"], "has no series 'coverage'; there are total"),
                (["-e", "lop"], "has no environment 'lop'; there are loop"),
                (["-a", "q-learning"], "has no agent 'q-learning'; there are"),
                (["-b", "q-learning"], "baseline: the store has no agent 'q-learning'"),
                (["--level", "95"], "between 0 and 1"),
                (["--correction", "none"], "must be holm, fdr or bonferroni"),
                (["--better", "up"], "must be higher or lower"),
                (["--resamples", "10"], "from 100"),
                (["--steps", "77"], "no cell has these steps"),
                (["--run-seed", "77"], "no cell has these steps"),
                (["--json", "--markdown"], "not both"),
                (["other.db"], "unexpected argument 'other.db'")):
            done = stats(self.store, *options, code=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")
        empty = str(pathlib.Path(self.folder.name) / "empty.db")
        (pathlib.Path(self.folder.name) / "none.csv").write_text("env,agent,seed,value\n")
        farsight("store", "import", empty, str(pathlib.Path(self.folder.name) / "none.csv"))
        self.assertIn("no results yet", stats(empty, code=1).stderr)
        foreign = pathlib.Path(self.folder.name) / "foreign.db"
        foreign.write_text("this is no store\n" * 100)
        stats(foreign, code=1)


@needs_store
class Documentation(unittest.TestCase):
    def test_the_example_is_what_is_printed(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "statistics.md").read_text()
        lines = page.split("\n")
        first = next(i for i, line in enumerate(lines) if line.startswith("    $ farsight stats"))
        run, ask = (line.split("$ farsight ")[1].split() for line in lines[first - 1:first + 1])
        shown = []
        for line in lines[first + 1:]:
            if line and not line.startswith("    "):
                break
            shown.append(line[4:])
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "results.db"
            run, ask = ([str(store) if w == "results.db" else w for w in words] for words in (run, ask))
            farsight(*run)
            self.assertEqual(farsight(*ask).stdout.strip(), "\n".join(shown).strip())


if __name__ == "__main__":
    unittest.main()
