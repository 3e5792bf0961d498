#!/usr/bin/env python3
"""farsight tune, as a user types it; successive halving against an oracle of its own.
usage: test_tune.py FARSIGHT"""
import csv
import hashlib
import io
import itertools
import json
import math
import pathlib
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from ctrl_c import LIMIT, at_work

FARSIGHT = sys.argv.pop(1)
SPACE = "delayed-q:m=[1..50 log],eps1=[0.05..0.45],form=[2009,2006]"
SMALL = ("-e", "chain:n=4", "-e", "chain:n=6", "--steps", "500", "--runs", "9", "--budget", "400000",
         "--evaluate", "20", "--profile", "5")


def tune(*args, code=0):
    done = subprocess.run([FARSIGHT, "tune", *args], capture_output=True, text=True, timeout=600)
    assert done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
    return done


def tune_json(*args, code=0):
    return json.loads(tune("--json", *args, code=code).stdout)


def has(method):
    """Was the method built in?"""
    done = subprocess.run([FARSIGHT, "tune", "-e", "chain:n=4", "-a", SPACE, "--method", method, "--runs", "1",
                           "--steps", "10", "--budget", "10", "--evaluate", "0", "--profile", "0"],
                          capture_output=True, text=True)
    return "was built without" not in done.stderr


def wait_for_store(process, path, more):
    """Until the search has kept so many bytes more, or has ended; the file may have one beside it for what is new."""
    def size():
        return sum(p.stat().st_size for p in pathlib.Path(path).parent.glob(pathlib.Path(path).name + "*"))
    enough = size() + more
    while process.poll() is None and size() < enough:
        time.sleep(0.02)


def stage_seed(seed, stage):
    return struct.unpack("<Q", hashlib.sha256(f"{stage} {seed}".encode()).digest()[:8])[0]


def run_totals(envs, agent, steps, runs, seed):
    args = [word for env in envs for word in ("-e", env)]
    done = subprocess.run([FARSIGHT, "run", *args, "-a", agent, "--steps", str(steps), "--runs", str(runs),
                           "--seed", str(seed), "-q", "--json"], capture_output=True, text=True, check=True)
    return [cell["mean"] for cell in json.loads(done.stdout)["cells"]]


# ---- successive halving, written again from its description ----

def halving_schedule(budget, cost, runs):
    """Rungs (candidates, runs). Runs fall by thirds, rounded down; candidates fall likewise; a candidate
    pays for new runs only. The most rungs whose first has 3^(rungs - 1) candidates at least."""
    levels = [runs]
    while levels[0] // 3 >= 1:
        levels.insert(0, levels[0] // 3)
    for skip in range(len(levels)):
        rungs = levels[skip:]

        def plan(n):
            counts = [max(1, n // 3 ** k) for k in range(len(rungs))]
            new = [b - a for a, b in itertools.pairwise([0, *rungs])]
            return counts, sum(c * r for c, r in zip(counts, new, strict=True)) * cost

        n = 0
        while plan(n + 1)[1] <= budget:
            n += 1
        if n >= 3 ** (len(rungs) - 1):
            return list(zip(plan(n)[0], rungs, strict=True))
    return []


def final_counts(left, available):
    """The final: all finalists on three times the runs, then a third of them, if that is more than one, on
    nine times, paid from what is left (in full candidates)."""
    n = 0
    while 2 * (n + 1) + (6 * ((n + 1) // 3) if (n + 1) // 3 > 1 else 0) <= left:
        n += 1
    if n < 2 or available < 2:
        return []
    first = min(n, available)
    return [first] + ([first // 3] if first // 3 > 1 else [])


class Halving(unittest.TestCase):
    """The decisions, from the trials alone."""

    def check(self, *args, cost, runs, budget):
        agent = tune_json(*args, "--method", "halving", "--profile", "0", "--evaluate", "0", "--runs", str(runs),
                          "--budget", str(budget))["agents"][0]
        trials = agent["trials"]
        main = budget - budget // 5 if budget - budget // 5 >= 2 * runs * cost else budget
        plan = halving_schedule(main, cost, runs)
        spent, at, alive = 0, 0, None
        previous = {}
        for count, level in plan:
            rung = trials[at:at + count]
            self.assertEqual([t["runs"] for t in rung], [level] * count)
            names = [t["candidate"] for t in rung]
            if alive is None:
                self.assertEqual(names, list(range(count)))
            else:
                self.assertEqual(names, alive[:count])
            spent += count * (level - (trials[at - 1]["runs"] if at else 0)) * cost
            alive = [t["candidate"] for t in sorted(rung, key=lambda t: (-t["score"], t["candidate"]))]
            previous = {t["candidate"]: t["score"] for t in rung}
            at += count
        for k, count in enumerate(final_counts((budget - spent) // cost // runs, len(alive))):
            rung = trials[at:at + count]
            self.assertEqual([t["runs"] for t in rung], [runs * 3 ** (k + 1)] * count)
            self.assertEqual([t["candidate"] for t in rung], alive[:count])
            spent += count * (runs * 3 ** (k + 1) - runs * 3 ** k) * cost
            alive = [t["candidate"] for t in sorted(rung, key=lambda t: (-t["score"], t["candidate"]))]
            previous = {t["candidate"]: t["score"] for t in rung}
            at += count
        self.assertEqual(at, len(trials))
        self.assertEqual(agent["spent"], spent)
        self.assertLessEqual(spent, budget)
        self.assertEqual(agent["best"], next(t["agent"] for t in trials if t["candidate"] == alive[0]))
        self.assertEqual(agent["tuned"], previous[alive[0]])
        return len(plan)

    def test_decisions(self):
        args = ("-e", "chain:n=4", "-e", "chain:n=6", "--steps", "200", "-a", SPACE)
        self.assertEqual(self.check(*args, cost=400, runs=9, budget=500000), 3)
        self.assertEqual(self.check(*args, cost=400, runs=10, budget=123456), 3)
        self.assertEqual(self.check(*args, cost=400, runs=27, budget=30000), 2)
        self.assertEqual(self.check(*args, cost=400, runs=5, budget=2100), 1)


class Searching(unittest.TestCase):
    def test_json(self):
        document = tune_json(*SMALL, "-a", SPACE, "--seed", "3")
        self.assertEqual(document["seeds"], {s: str(stage_seed(3, s)) for s in ("tune", "evaluate", "profile")})
        agent, = document["agents"]
        self.assertTrue(agent["normalised"])
        self.assertLessEqual(agent["spent"], 400000)
        self.assertEqual(agent["defaults"], "delayed-q")
        envs = ["chain:n=4", "chain:n=6"]
        fresh = run_totals(envs, agent["best"], 500, 20, stage_seed(3, "evaluate"))
        self.assertEqual(fresh, [cell["mean"] for cell in agent["cells"]])
        for cell, env in zip(agent["cells"], envs, strict=True):
            random, = run_totals([env], "q-learning:epsilon=1", 100000, 20, 7)
            self.assertLess(abs(cell["random"] - random / 200), 2)

        def scaled(means):
            return statistics.mean((m - cell["random"]) / (cell["optimum"] - cell["random"])
                                   for m, cell in zip(means, agent["cells"], strict=True))
        self.assertAlmostEqual(agent["score"]["mean"], scaled(fresh), 12)
        self.assertIsNone(document["plain_because"])
        trial = agent["trials"][5]
        totals = run_totals(envs, trial["agent"], 500, trial["runs"], stage_seed(3, "tune"))
        self.assertAlmostEqual(trial["score"], scaled(totals), 12)
        self.assertEqual({p["key"] for p in agent["profiles"]}, {"m", "eps1", "form"})
        slack = 0.01 * abs(agent["profile_score"])
        for point in (point for p in agent["profiles"] for point in p["points"]):
            says = "surely" if point["loss"] + point["ci95"] <= slack else \
                "no" if point["loss"] - point["ci95"] > slack else "perhaps"
            self.assertEqual(point["within_1"], says)

    def test_methods_and_budget(self):
        for method in ("random", "halving", "crs"):
            if not has(method):
                continue
            agent, = tune_json(*SMALL, "-a", SPACE, "--method", method)["agents"]
            self.assertLessEqual(agent["spent"], 400000)
            self.assertGreater(agent["candidates"], 5)
            again, = tune_json(*SMALL, "-a", SPACE, "--method", method, "--threads", "1")["agents"]
            self.assertEqual(agent, again)

    def test_small_spaces_are_measured_whole(self):
        space = "delayed-q:m=[1..5],eps1=[0.1,0.3],form=[2009,2006]"
        agents = {method: tune_json(*SMALL, "-a", space, "--method", method, "--profile", "0")["agents"][0]
                  for method in ("random", "halving")}
        self.assertEqual(agents["random"], agents["halving"])
        agent = agents["halving"]
        self.assertEqual((agent["candidates"], agent["complete"]), (20, True))
        self.assertEqual(len({t["agent"] for t in agent["trials"] if t["runs"] == 9}), 20)
        near = [t for t in agent["trials"] if t["runs"] == 9 and t["score"] >= 0.5 * agent["tuned"]]
        self.assertTrue(near and 0 < agent["within_1"] <= agent["within_5"] <= 1)
        text = tune(*SMALL, "-a", space, "--profile", "0").stdout
        self.assertIn("halving: all 20 parameter settings in ", text)
        self.assertIn("of the parameter settings came within 1% of the best score", text)

    def test_one_set_is_no_search(self):
        text = tune("-e", "chain:n=4", "--steps", "50", "--runs", "3", "--budget", "200", "--evaluate", "0",
                    "--profile", "0", "-a", SPACE).stdout
        self.assertIn("1 parameter setting in 150 of at most 200 steps", text)
        self.assertIn("One parameter setting is no search", text)
        document = tune_json("-e", "chain:n=4", "--steps", "50", "--runs", "3", "--budget", "200", "--evaluate", "0",
                             "--profile", "0", "-a", SPACE)
        self.assertIn({"kind": "caveat", "text": "One parameter setting is no search: the budget does not pay for a "
                       "second one to compare it with."}, document["notes"])
        self.assertNotIn("came within", tune(*SMALL, "-a", SPACE).stdout)  # halving's scores are of few runs

    def test_keys_that_do_not_apply(self):
        space = "q-learning:explore=[epsilon,softmax],epsilon=[0.3,0.5]"
        text = tune(*SMALL, "-a", space).stdout
        self.assertIn("all 3 parameter settings", text)
        if "explore=softmax" in text.split("Best parameter setting:\n")[1].split("\n")[0]:
            self.assertRegex(text, r"epsilon +–.* – +–")

    def test_several_agents(self):
        """The same budget for each; the best while tuning is chosen, whatever the fresh runs say."""
        surprises = 0
        for seed in range(1, 6):
            args = ("-e", "chain:n=4", *SMALL[4:], "--seed", str(seed), "--evaluate", "2", "--profile", "0", "-a",
                    "delayed-q:m=2,eps1=[0.2..0.3]", "-a", "delayed-q:m=3,eps1=[0.2..0.3]")
            first, second = tune_json(*args)["agents"]
            self.assertEqual(first["budget"], second["budget"])
            self.assertEqual([first["chosen"], second["chosen"]],
                             [first["tuned"] >= second["tuned"], second["tuned"] > first["tuned"]])
            chosen, other = (first, second) if first["chosen"] else (second, first)
            self.assertEqual(chosen["to_chosen"], 0)
            self.assertAlmostEqual(other["to_chosen"], other["score"]["mean"] - chosen["score"]["mean"], 12)
            surprises += other["to_chosen"] > 0
        self.assertGreater(surprises, 0)
        text = tune(*args).stdout
        self.assertIn("2 fresh runs; differences are in pairs.", text)
        self.assertRegex(text, r"tuned agent +in the search +on fresh seeds +difference from chosen\n")

    def test_text(self):
        text = tune(*SMALL, "-a", SPACE).stdout
        for part in ("0 % is the reward of the random policy", "Best parameter setting:\n  delayed-q:m=",
                     "on fresh seeds", "defaults", "within 1%", "inconclusive", "Inconclusive: more runs per point would tell.",
                     "Methods: "):
            self.assertIn(part, text)
        self.assertTrue(all(not line.endswith(" ") for line in text.splitlines()))

    def test_formats(self):
        args = (*SMALL, "-a", SPACE, "-a", "q-learning:epsilon=[0.1..0.3]")
        document = tune_json(*args)
        self.assertEqual(json.loads(tune(*args, "--format", "json").stdout), document)
        self.assertEqual((document["command"], document["stopped"]), ("tune", False))
        self.assertIn("Student", document["methods"])
        self.assertIn("remark", {note["kind"] for note in document["notes"]})
        markdown = tune(*args, "--format", "markdown").stdout
        self.assertIn("| environment | reward | random policy | best policy | score |\n|---|--:|--:|--:|--:|\n", markdown)
        latex = tune(*args, "--format", "latex").stdout
        self.assertIn("parameter & best & within 1\\% & inconclusive & mean loss & worst loss \\\\\n", latex)
        self.assertEqual(latex.count("\\begin{tabular}"), 7)

    def table(self, name, *args):
        done = tune(*args, "--format", "csv", *(("--table", name) if name else ()))
        return list(csv.DictReader(done.stdout.splitlines())), done.stderr

    def test_csv(self):
        """Every table of the CSV has the numbers of the JSON document, in full."""
        args = (*SMALL, "-a", SPACE, "-a", "q-learning:epsilon=[0.1..0.3]")
        agents = tune_json(*args)["agents"]
        scores, says = self.table(None, *args)
        self.assertIn("this is the table 'scores'; --table prints another: cells profiles points trials comparison", says)
        self.assertEqual([row["space"] for row in scores], [a["space"] for a in agents for _ in range(4)])
        self.assertEqual([float(row["score"]) for row in scores],
                         [x for a in agents for x in (a["tuned"], a["score"]["mean"], a["default_score"]["mean"],
                                                      a["gain"])])
        cells, says = self.table("cells", *args)
        self.assertEqual(says, "")
        self.assertEqual([float(row["mean"]) for row in cells], [c["mean"] for a in agents for c in a["cells"]])
        trials, _ = self.table("trials", *args)
        self.assertEqual([(row["agent"], int(row["runs"]), float(row["score"])) for row in trials],
                         [(t["agent"], t["runs"], t["score"]) for a in agents for t in a["trials"]])
        self.assertTrue(all(row["agent.m"] or row["agent.epsilon"] for row in trials))
        points, _ = self.table("points", *args)
        self.assertEqual([(row["parameter"], row["value"], float(row["loss"]), row["within_1"]) for row in points],
                         [(p["key"], x["value"], x["loss"], x["within_1"])
                          for a in agents for p in a["profiles"] for x in p["points"]])
        profiles, _ = self.table("profiles", *args)
        self.assertEqual([row["parameter"] for row in profiles], [p["key"] for a in agents for p in a["profiles"]])
        comparison, _ = self.table("comparison", *args)
        self.assertEqual([float(row["difference"]) for row in comparison], [a["to_chosen"] for a in agents])

    def test_wrong_formats(self):
        """Wrong formats are refused before the search."""
        endless = ("-e", "chain:n=10", "-a", SPACE, "--budget", "1e14")
        for args, says in ((("--format", "xml"), "must be text, markdown, json, csv, latex or html"),
                           (("--json", "--format", "csv"), "do not go together"), (("--table", "x"), "--format csv")):
            self.assertIn(says, tune(*endless, *args, code=2).stderr)
        self.assertIn("no table 'x'; there are: scores, cells",
                      tune(*SMALL, "-a", SPACE, "--format", "csv", "--table", "x", code=2).stderr)

    def test_no_scale(self):
        """Two ends of the world, and a way to each: no one average reward, so scores are plain, and it is said."""
        fork = {"0": {"0": [[1, 1, 0, False]], "1": [[1, 2, 0, False]]},
                **{s: {a: [[1, int(s), int(s), False]] for a in "01"} for s in "12"}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fork.json"
            path.write_text(json.dumps(fork))
            args = ("-e", "chain:n=4", "-e", f"file:{path}", *SMALL[4:], "-a", SPACE)
            document = tune_json(*args)
            self.assertIn("not one number", document["plain_because"])
            agent, = document["agents"]
            self.assertFalse(agent["normalised"])
            self.assertAlmostEqual(agent["score"]["mean"], statistics.mean(c["mean"] for c in agent["cells"]), 9)
            text = tune(*args).stdout
            self.assertIn("Scores are plain reward: in file:", text)
            self.assertNotIn("%", text.replace("95%", "").replace("1%", ""))

    def test_negative_rewards(self):
        """A score below 0 is worse than the random policy, one above is better, whatever the sign of rewards."""
        agent, = tune_json("-e", "cliff-walking", *SMALL[4:], "-a", "q-learning:epsilon=[0.001..1 log]")["agents"]
        cell, = agent["cells"]
        self.assertTrue(agent["normalised"] and cell["random"] < cell["mean"] < 0)
        self.assertTrue(0 < agent["score"]["mean"] < 1)

    def test_default_ranges(self):
        agent, = tune_json(*SMALL, "-a", "delayed-q")["agents"]
        self.assertEqual(agent["space"],
                         "delayed-q:eps1=[1e-06..0.0001 log],m=[1..10 log]")

    def test_refusals(self):
        env = ("-e", "chain:n=4")
        for args, says in ((env, "no agent"), (("-a", SPACE), "no environment"),
                           ((*env, "-a", "delayed-q:m=[9..1]"), "from the smaller to the larger"),
                           ((*env, "-a", "delayed-q:mm=[1..9]"), "no parameter 'mm'"),
                           ((*env, "-a", SPACE, "-a", "delayed-q:m=[1.."), "closed"),
                           ((*env, "-a", "delayed-q:m=5,eps1=0.2,gamma=0.9"), "brackets"),
                           ((*env, "-a", SPACE, "--method", "guess"), "must be one of random, halving"),
                           ((*env, "-a", SPACE, "--budget", "1000"), "does not pay for one candidate"),
                           ((*env, "-a", "q-learning:explore=[epsilon,softmax],ties=lowest"), "explore=softmax"),
                           ((*env, "-a", SPACE, "--relative"), "--relative requires --fit"),
                           ((*env, "-a", SPACE, "--fit", "x.csv"), "leave out -e"),
                           (("-a", SPACE, "--fit", "no-such-file.csv"), "cannot read"),
                           ((*env, "-a", SPACE, "--evaluate", "1"), "2 runs at least")):
            done = tune(*args, code=2)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_interrupt(self):
        args = [FARSIGHT, "tune", "-e", "chain:n=10", "-a", SPACE, "--budget", "1e14", "--runs", "3", "--method",
                "random", "--json"]
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "tune.db")
            process = subprocess.Popen([*args, "--store", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            wait_for_store(process, path, 100000)
            if process.poll() is not None:  # this build has no store
                process.communicate()
                process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                at_work(process.pid)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, err)
        agent, = json.loads(out)["agents"]
        self.assertIsNone(agent["score"])
        if agent["trials"]:
            self.assertEqual(agent["tuned"], max(t["score"] for t in agent["trials"]))
        self.assertIn(b"stopped; the best so far is above", err)


class Fitting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = str(pathlib.Path(self.folder.name) / "means.csv")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, text):
        pathlib.Path(self.path).write_text(text)

    def test_a_known_set_is_found(self):
        """Means made with epsilon = 0.3 are met by an epsilon near 0.3."""
        rows = ["env,q0,mean,ci95"]
        for q0 in ("0", "3"):
            mean, = run_totals(["chain:n=5,slip=0.1"], f"q-learning:epsilon=0.3,q0={q0}", 1000, 3000, 99)
            rows.append(f'"chain:n=5,slip=0.1",{q0},{mean},1')
        self.write("# a remark\n" + "\n".join(rows) + "\n")
        agent, = tune_json("--fit", self.path, "--steps", "1000", "--runs", "27", "-a", "q-learning:epsilon=[0.01..1]",
                           "--budget", "20000000", "--evaluate", "200", "--profile", "0")["agents"]
        found = float(agent["best"].split("epsilon=")[1])
        self.assertLess(abs(found - 0.3), 0.08)
        distance = math.sqrt(statistics.mean((c["mean"] - c["target"]) ** 2 for c in agent["cells"]))
        self.assertAlmostEqual(agent["score"]["mean"], -distance, 9)
        self.assertEqual([c["with"] for c in agent["cells"]], ["q0=0", "q0=3"])
        text = tune("--fit", self.path, "--relative", "--steps", "1000", "--runs", "3", "--budget", "60000",
                    "--evaluate", "2", "--profile", "0", "-a", "q-learning:epsilon=[0.01..1]").stdout
        self.assertIn("to be met", text)

    def test_wrong_files(self):
        for text, says in (("", "empty"), ("env,value\nchain:n=4,1\n", "columns env and mean"),
                           ("env,mean\n", "no means"), ("env,mean\nchain:n=4,x\n", ":2:11: mean must be"),
                           ("env,mean\nchain:n=4\n", ":2:1: 1 fields; the first line has 2"), ('env,mean\n"chain:n=4,1\n', "quote"),
                           ("env,mean\nchian:n=4,1\n", "did you mean 'chain'"),
                           ("env,mean,zeta\nchain:n=4,1,2\n", "zeta")):
            self.write(text)
            done = tune("--fit", self.path, "-a", SPACE, "--steps", "10", "--runs", "2", code=2)
            self.assertIn(says, done.stderr)


class Scoring(unittest.TestCase):
    ALPHA = ("-e", "cliff-walking", "-a", "q-learning:alpha=[0.05,0.3,1],epsilon=[0.05,0.5]", "--steps", "1000",
             "--runs", "4", "--evaluate", "8", "--profile", "4")

    def metric_mean(self, env, agent, metric, steps, runs, seed):
        done = subprocess.run([FARSIGHT, "run", "-e", env, "-a", agent, "--metric", metric, "--steps", str(steps), "--runs",
                               str(runs), "--seed", str(seed), "--json", "-q"], capture_output=True, text=True, check=True)
        result, = json.loads(done.stdout)["cells"]
        return result["metrics"][0]["mean"]

    def test_more_is_better(self):
        document = tune_json(*self.ALPHA, "--score", "episodes")
        self.assertEqual((document["goal"], document["metric"], document["higher_is_better"], document["plain_because"]),
                         ("metric", "episodes", True, None))
        agent, = document["agents"]
        self.assertFalse(agent["normalised"])
        full = [t for t in agent["trials"] if t["runs"] == 4]
        self.assertEqual(len(full), 6)
        for trial in full:
            mean = self.metric_mean("cliff-walking", trial["agent"], "episodes", 1000, 4, stage_seed(1, "tune"))
            self.assertAlmostEqual(trial["score"], mean, 12)
        cell, = agent["cells"]
        self.assertNotIn("random", cell)
        self.assertEqual(cell["mean"], agent["score"]["mean"])
        self.assertGreater(agent["score"]["mean"], agent["default_score"]["mean"])

    def test_less_is_better(self):
        """The best setting has the least regret; scores have a minus, and tables have none."""
        args = ("-e", "chain:n=4", "-e", "chain:n=5", "-a", "q-learning:epsilon=[0.01,0.2,1]", "--steps", "300", "--runs",
                "4", "--evaluate", "8", "--profile", "0", "--score", "regret")
        document = tune_json(*args)
        self.assertEqual((document["metric"], document["higher_is_better"]), ("regret:against=value", False))
        agent, = document["agents"]
        scores = {t["agent"]: t["score"] for t in agent["trials"] if t["runs"] == 4}
        for spec, score in scores.items():
            means = [self.metric_mean(env, spec, "regret", 300, 4, stage_seed(1, "tune")) for env in ("chain:n=4", "chain:n=5")]
            self.assertAlmostEqual(-score, statistics.mean(means), 10)
        self.assertEqual(agent["best"], max(scores, key=scores.get))
        self.assertAlmostEqual(-agent["score"]["mean"], statistics.mean(c["mean"] for c in agent["cells"]), 10)
        text = tune(*args).stdout
        self.assertIn("Metric regret:against=value, 300 steps per run", text)
        self.assertIn("less is better", text)
        rows = list(csv.DictReader(io.StringIO(tune(*args, "--format", "csv").stdout)))
        self.assertAlmostEqual(float(rows[1]["score"]), -agent["score"]["mean"], 9)

    def test_refusals(self):
        chain = ("-e", "chain", "-a", "q-learning:alpha=[0.1..1]")
        for args, says in (((*chain, "--score", "succes"), "did you mean 'success'"),
                           ((*chain, "--score", "success"), "no episode reaches a terminal state"),
                           ((*chain, "--score", "mistakes:eps=1e9"), "score mistakes:eps="),
                           (("--fit", "x.csv", "-a", "q-learning", "--score", "regret"), "--score scores by a metric")):
            self.assertIn(says, tune(*args, code=2).stderr)

    def test_store(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "s.db")
            tune(*self.ALPHA, "--store", path)  # has no metrics: these runs are run again
            first = tune_json(*self.ALPHA, "--score", "return", "--store", path)
            self.assertEqual(tune_json(*self.ALPHA, "--score", "return", "--store", path), first)
            self.assertEqual(tune_json(*self.ALPHA, "--score", "return"), first)


class Files(unittest.TestCase):
    HEAD = "agents:\n  - delayed-q: {m: 1..50 log, eps1: 0.05..0.45, form: [2009, 2006]}\n"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = str(pathlib.Path(self.folder.name) / "search.yaml")
        self.write("environments: [chain: {n: 4}]\n" + self.HEAD)
        if "without libyaml" in subprocess.run([FARSIGHT, "tune", self.path, "--steps", "1", "--runs", "1"],
                                               capture_output=True, text=True).stderr:
            self.skipTest("this build has no libyaml")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, text):
        pathlib.Path(self.path).write_text(text)

    def test_the_same_as_the_command_line(self):
        self.write("name: small\nenvironments:\n  - chain: {n: [4, 6]}\n" + self.HEAD +
                   "steps: 500\nruns: 9\nseed: 3\ntune: {method: random, budget: 4e5, evaluate: 20, profile: 5}\n")
        line = tune_json(*SMALL, "-a", SPACE, "--seed", "3", "--method", "random")
        self.assertEqual(tune_json(self.path), line)
        self.assertEqual(tune_json(self.path, "--seed", "4")["seed"], 4)
        self.assertEqual(tune_json(self.path, "-e", "chain:n=4")["agents"][0]["cells"][0]["env"][:9], "chain:n=4")

    def test_one_discount_for_all(self):
        self.write("gamma: 0.9\nenvironments: [chain: {n: 4}]\n" + self.HEAD + "tune: {method: random}\n")
        few = ("--steps", "20", "--runs", "2", "--budget", "2000", "--evaluate", "2", "--profile", "0")
        for more, gamma in ((), "0.9"), (("--gamma", "0.8"), "0.8"):
            best = tune_json(self.path, *few, *more)["agents"][0]
            self.assertTrue(best["cells"][0]["env"].endswith(f",gamma={gamma}"), best["cells"][0]["env"])

    def test_scores(self):
        self.write("environments:\n  - chain: {n: [4, 6]}\n" + self.HEAD + "steps: 500\nruns: 9\nseed: 3\n"
                   "tune: {budget: 4e5, evaluate: 20, profile: 5, score: {mistakes: {eps: 2}}}\n")
        line = tune_json(*SMALL, "-a", SPACE, "--seed", "3", "--score", "mistakes:eps=2")
        self.assertEqual(tune_json(self.path), line)
        self.assertEqual(line["metric"][:14], "mistakes:eps=2")
        self.assertEqual(tune_json(self.path, "--score", "coverage")["metric"], "coverage:what=states")

    def test_errors(self):
        env = "environments:\n  - chain: {n: 4}\n"
        for text, says in ((env, "agents: the key is missing"), (self.HEAD, "environments: the key is missing"),
                           (env + self.HEAD + "tun: {}\n", "unknown key 'tun'; did you mean 'tune'?"),
                           (env + self.HEAD + "tune:\n  metod: random\n", ":6: unknown key 'metod'; did you mean"),
                           (env + self.HEAD + "tune: {method: guess}\n", "tune.method: 'guess' must be one of random"),
                           (env + self.HEAD + "gamma: 1\n", ":5: gamma: '1' must be a number in (0, 1)"),
                           (env + self.HEAD + "runs: 0\n", ":5: runs: '0' must be a whole number"),
                           (env + self.HEAD + "tune: {budget: x}\n", "tune.budget: 'x' must be"),
                           (env + self.HEAD + "tune: {relative: on}\n", "tune.relative"),
                           (env + self.HEAD + "tune: {fit: a.csv}\n", "environments: the file of tune.fit"),
                           (self.HEAD + "tune: {fit: a.csv, score: return}\n", "tune.score: it does not go with"),
                           (env + self.HEAD + "tune: {score: retrun}\n", ":5: tune.score: unknown metric 'retrun'"),
                           (env + self.HEAD + "tune:\n  score:\n    mistakes: {esp: 1}\n", ":7: tune.score: "),
                           (env + "agents:\n  - delayed-q: {mm: 1..5}\n", ":4: agents[0]: delayed-q has no parameter"),
                           (env + "agents:\n  - delayed-q: {m: 5..1}\n", ":4: agents[0]: a range must go"),
                           ("environments:\n  - chian\n" + self.HEAD, "did you mean 'chain'"),
                           (env + self.HEAD + "seed: -1\n", "seed: '-1' must be"), ("- 1\n", "a mapping")):
            self.write(text)
            done = tune(self.path, code=2)
            self.assertIn(says, done.stderr)

    def test_the_calibration_of_reproduce(self):
        folder = pathlib.Path(__file__).parents[2] / "examples" / "reproduction"
        files = sorted(folder.glob("*.yaml"))
        self.assertEqual(len(files), 12)
        for path in files:
            document = tune_json(str(path), "--steps", "200", "--runs", "2", "--budget", "50000", "--evaluate", "2",
                                 "--profile", "0")
            self.assertTrue(all(agent["score"]["runs"] == 2 for agent in document["agents"]), path)

    def test_the_known_set_is_in_the_space(self):
        """farsight reproduce's own set, measured as a fit measures, is near its known distance."""
        directed = "directed-delayed-q:gamma=[0.9356],eps1=0.02319,m=2,lambda=3.097,rho=1.46,clamp=off,learn=printed"
        means = pathlib.Path(__file__).parents[2] / "examples" / "reproduction" / "paper-directed.csv"
        agent, = tune_json("--fit", str(means), "-a", directed, "--runs", "2", "--budget", "1e6", "--evaluate", "300",
                           "--profile", "0")["agents"]
        self.assertLess(abs(-agent["score"]["mean"] - 255), 60)


class Storing(unittest.TestCase):
    """A search that is run again replays from the store."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = str(pathlib.Path(self.folder.name) / "tune.db")
        probe = subprocess.run([FARSIGHT, "tune", *SMALL, "-a", SPACE, "--budget", "20000", "--store", self.path],
                               capture_output=True, text=True)
        if "without SQLite" in probe.stderr:
            self.skipTest("this build has no store")
        self.assertEqual(probe.returncode, 0, probe.stderr)
        pathlib.Path(self.path).unlink()

    def tearDown(self):
        self.folder.cleanup()

    def test_again(self):
        for method in ("random", "halving", "crs"):
            if not has(method):
                continue
            args = (*SMALL, "-a", SPACE, "--method", method)
            plain = tune_json(*args)
            first = tune_json(*args, "--store", self.path)
            blocks = self.size()
            second = tune_json(*args, "--store", self.path)
            self.assertEqual(plain, first)
            self.assertEqual(first, second)
            self.assertEqual(self.size(), blocks)  # nothing was run again

    def size(self):
        import sqlite3
        connection = sqlite3.connect(self.path)
        names = [n for n, in connection.execute("select name from sqlite_master where type='table'")]
        sizes = {n: connection.execute(f"select count(*) from \"{n}\"").fetchone()[0] for n in names}
        connection.close()
        return sizes

    def test_wrong_agents_make_no_store(self):
        tune(*SMALL, "-a", SPACE, "-a", "delayed-q:mm=[1..9]", "--store", self.path, code=2)
        self.assertFalse(pathlib.Path(self.path).exists())

    def test_killed(self):
        args = ("-e", "chain:n=10", "-a", SPACE, "--budget", "3e6", "--steps", "1000", "--runs", "30", "--evaluate",
                "20", "--profile", "0", "--threads", "1")
        undisturbed = tune_json(*args)
        for more in (30000, 60000):
            process = subprocess.Popen([FARSIGHT, "tune", *args, "--store", self.path], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            wait_for_store(process, self.path, more)
            process.kill()
            process.wait()
        self.assertEqual(tune_json(*args, "--store", self.path), undisturbed)


if __name__ == "__main__":
    unittest.main(verbosity=1)
