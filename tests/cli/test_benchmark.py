#!/usr/bin/env python3
"""farsight benchmark, as a user types it. usage: test_benchmark.py FARSIGHT"""
import csv
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, farsight, needs_store
from ctrl_c import LIMIT, at_work

SMALL = ("--tuning", "--runs", "2")
SETTINGS = {"continuing", "episodic", "finite horizon"}


def benchmark(*args, code=0):
    return farsight("benchmark", *args, code=code)


def standings(*args, code=0):
    """{(setting, agent): row}"""
    rows = json.loads(benchmark(*args, *SMALL, "--json", code=code).stdout)["tables"]["standings"]
    return {(row["setting"], row["agent"]): row for row in rows}


def program(folder, name, body):
    """An agent as a program; `body` answers the request q, the n-th."""
    path = pathlib.Path(folder, name)
    path.write_text("import json, os, sys, time\nfor n, line in enumerate(sys.stdin):\n    q = json.loads(line)\n"
                    f"    {body}\n    print(json.dumps({{'action': 0}}), flush=True)\n")
    return f"process:{sys.executable} {path}"


@needs_store
class Benchmark(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_suite(self):
        rows = list(csv.DictReader(io.StringIO(benchmark("--suite", "--format", "csv").stdout)))
        self.assertEqual(len(rows), 40)
        self.assertEqual({(row["setting"], row["part"]) for row in rows},
                         {(setting, part) for setting in SETTINGS for part in ("tuning", "judging")})
        swim = next(row for row in rows if row["problem"] == "riverswim:n=6")
        x = json.loads(farsight("solve", "-q", "-e", "riverswim:n=6", "--structure", "--json").stdout)
        self.assertEqual((swim["states"], swim["actions"]), ("6", "2"))
        self.assertAlmostEqual(float(swim["diameter"]), x["hardness"]["diameter"], places=3)
        self.assertAlmostEqual(float(swim["gap"]), x["hardness"]["gaps"]["least"], places=4)
        self.assertAlmostEqual(float(swim["span"]), x["span"], places=4)
        for row in rows:
            self.assertGreater(float(row["diameter"]), 1, row)
            self.assertTrue(0 < float(row["gap"]) < float(row["span"]), row)

    def test_standings(self):
        """An agent for finite horizon is in that setting alone; another seed makes another table."""
        found = standings("-a", "random", "-a", "ucbvi", "-a", "optimal")
        self.assertEqual({setting for setting, agent in found if agent == "random"}, SETTINGS)
        self.assertEqual({setting for setting, agent in found if agent == "ucbvi"}, {"finite horizon"})
        for setting in SETTINGS:
            self.assertGreater(found[setting, "optimal"]["score"]["value"], 0.9)
            self.assertLess(abs(found[setting, "random"]["score"]["value"]), 0.1)
        other = standings("-a", "random", "--seed", "7")
        self.assertNotEqual(other["continuing", "random"]["score"], found["continuing", "random"]["score"])

    def test_steps(self):
        """Agents are told how many steps there will be, unless the spec or its preset says otherwise; names stay."""
        def scores(agent):
            found = standings("-a", agent)
            return [found[setting, agent]["score"] for setting in sorted(SETTINGS)]
        told = scores("delayed-q-ie")
        self.assertEqual(told, scores("delayed-q-ie:steps=20000"))
        self.assertNotEqual(told, scores("delayed-q-ie:steps=10000"))
        for agent in ("delayed-q-ie:preset=practical", "ucbvi-gamma"):  # which do not take the key
            self.assertEqual({row["rank"] for row in standings("-a", agent).values()}, {"1"})
        self.assertIn("are the same on", benchmark("-a", "delayed-q", "-a", "delayed-q:steps=20000", code=2).stderr)
        self.assertIn("20000 steps", " ".join(benchmark("--suite").stdout.split()))
        for option in ("-a", "psrl"), ("--tuning",), ("--store", "x.db"), ("--seed", "4"), ("--plot", "x.svg"):
            self.assertIn("--suite prints all problems and runs nothing", benchmark("--suite", *option, code=2).stderr)

    def test_store(self):
        """What is stored is not computed again, and gives the same table; so does a run that was stopped."""
        store = ("--store", str(self.folder / "b.db"))
        args = ("-a", "random", "-a", "q-learning", *SMALL, *store, "--json")
        first = json.loads(benchmark(*args).stdout)["tables"]["standings"]
        info = subprocess.run([FARSIGHT, "store", "check", store[1]], capture_output=True, text=True, check=True).stdout
        again = json.loads(benchmark(*args).stdout)["tables"]["standings"]
        self.assertEqual(first, again)  # with the times, which are those of the first
        self.assertEqual(info, subprocess.run([FARSIGHT, "store", "check", store[1]], capture_output=True, text=True,
                                              check=True).stdout)
        alone = standings("-a", "random")
        row = next(row for row in again if row["agent"] == "random" and row["setting"] == "episodic")
        self.assertEqual(alone["episodic", "random"]["score"], row["score"])

    def test_interrupted(self):
        """Ctrl-C leaves what is finished in the store. The plans of the second agent take days."""
        path = self.folder / "b.db"
        process = subprocess.Popen([FARSIGHT, "benchmark", "-a", "random", "-a", "mbie:gamma=0.99999999999", "--tuning",
                                    "--store", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        at_work(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")
        self.assertIn("stopped; what is finished is in the store", err)
        check = subprocess.run([FARSIGHT, "store", "info", str(path), "--json"], capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(check.stdout)["runs"], 20)

    def test_formats(self):
        args = ("-a", "random", *SMALL)
        text = benchmark(*args, "--format", "markdown").stdout
        self.assertIn("## continuing: 7 problems", text)
        self.assertIn("| rank | agent", text)
        rows = list(csv.DictReader(io.StringIO(benchmark(*args, "--format", "csv", "--table", "problems").stdout)))
        self.assertEqual({row["agent"] for row in rows}, {"random"})
        self.assertEqual(len(rows), 19)

    def test_profiles(self):
        """The share of runs above a score, counted from the stored runs; and the figure of it."""
        figure, store = self.folder / "p.svg", self.folder / "b.db"
        args = ("-a", "random", "-a", "q-learning", *SMALL, "--store", str(store))
        x = json.loads(benchmark(*args, "--json", "--plot", str(figure)).stdout)["tables"]
        self.assertEqual([(row["setting"], row["agent"]) for row in x["profiles"]],
                         [(row["setting"], row["agent"]) for row in x["standings"]])
        text = figure.read_text()
        for words in ("Continuing: 7 problems", "Finite horizon: 6 problems", "q-learning", "share of runs above"):
            self.assertIn(words, text)
        for row in x["profiles"]:
            shares = [row[f"above_{tau}"] for tau in (0.25, 0.5, 0.75, 0.9, 0.95)]
            values = [share["value"] for share in shares]
            self.assertEqual(values, sorted(values, reverse=True))
            n = 2 * {"continuing": 7}.get(row["setting"], 6)
            for share in shares:
                self.assertAlmostEqual(share["value"] * n, round(share["value"] * n), places=9)
                self.assertTrue(share["low"] is None or 0 <= share["low"] <= share["value"] <= share["high"] <= 1, share)
            if row["agent"] == "random":
                self.assertLess(values[1], 0.1)
        self.assertIn("share of runs above", benchmark(*args).stdout)
        self.assertIn("--plot", benchmark(*args, "--plot", "p.bmp", code=2).stderr)

    def test_locked_in(self):
        """The late score is that of the rewards after step 15,000; a run below 0.5 is locked in."""
        store = ("--store", str(self.folder / "b.db"))
        x = json.loads(benchmark("-a", "random", "-a", "q-learning", "-a", "optimal", *SMALL, *store, "--json").stdout)["tables"]
        found = {(row["setting"], row["agent"]): row for row in x["standings"]}
        for setting in SETTINGS:
            self.assertEqual((found[setting, "random"]["locked_in"], found[setting, "optimal"]["locked_in"]), (1, 0))
            self.assertGreater(found[setting, "optimal"]["late"], 0.9)
        rows = [row for row in x["problems"] if row["agent"] == "q-learning"]
        self.assertEqual({row["locked_in"] for row in rows} - {0, 0.5, 1}, set())
        self.assertAlmostEqual(found["continuing", "q-learning"]["locked_in"],
                               sum(row["locked_in"] for row in rows[:7]) / 7)
        self.assertAlmostEqual(found["continuing", "q-learning"]["late"], sum(row["late"] for row in rows[:7]) / 7)
        info = farsight("store", "info", store[1], "--json").stdout
        self.assertIn('"curve@15000"', info)
        self.assertRegex(benchmark("-a", "random", *SMALL, *store).stdout, r"late +locked in .*\n.*\n.* 14 of 14 ")

    def test_long(self):
        """A million steps: what is locked in after so many hardly learns any more."""
        args = ("--long", "-a", "random", "-a", "optimal", *SMALL)
        x = json.loads(benchmark(*args, "--json").stdout)
        self.assertIn("2 runs of 1000000 steps", x["methods"])
        for row in x["tables"]["standings"]:
            self.assertEqual(row["locked_in"], 1 if row["agent"] == "random" else 0)
        self.assertIn("long one 1000000", " ".join(benchmark("--suite").stdout.split()))

    def test_score(self):
        """By a metric agents have mean ranks; settings without the metric are left out with the reason."""
        args = ("-a", "random", "-a", "q-learning", "-a", "optimal", *SMALL)
        x = json.loads(benchmark(*args, "--score", "regret", "--json").stdout)
        self.assertEqual(set(x["tables"]), {"standings", "problems"})
        for row in x["tables"]["standings"]:
            self.assertIn(row["setting"], ("continuing", "episodic"))
            if row["agent"] == "optimal":
                self.assertEqual((row["mean_rank"]["value"], row["rank"], row["locked_in"]), (1, "1", 0))
            self.assertTrue(1 <= row["mean_rank"]["value"] <= 3)
        for row in x["tables"]["problems"]:
            self.assertGreater(row["metric"]["value"], -1e-3)
        text = benchmark(*args, "--score", "regret").stdout
        for words in ("by regret:against=value: the problems for tuning", "mean rank ± 95%", "mean regret",
                      "The setting finite horizon is not judged by this metric. regret", "of which less is better"):
            self.assertIn(words, " ".join(text.split()))
        self.assertNotIn("share of runs above", text)
        self.assertIn("A run that has not learned counts with its number of steps",
                      " ".join(benchmark(*args, "--score", "learned:eps=0.1,relative=on").stdout.split()))
        self.assertIn("unknown metric 'nosuch'", benchmark(*args, "--score", "nosuch", code=2).stderr)
        self.assertIn("judges in no setting", benchmark(*args, "--score", "mistakes:eps=1e12", code=2).stderr)
        self.assertIn("--plot draws scores of rewards", benchmark(*args, "--score", "regret", "--plot", "x.svg", code=2).stderr)
        self.assertIn("leave out --long", benchmark("--suite", "--long", code=2).stderr)

    def test_refused(self):
        self.assertIn("unknown agent 'nosuch'", benchmark("-a", "nosuch", code=2).stderr)
        self.assertIn("--runs '1'", benchmark("-a", "random", "--runs", "1", code=2).stderr)
        benchmark("-a", "random", "-a", "random", *SMALL, code=2)

    def test_programs_that_fail(self):
        """They are named with problem and step; the others are judged; the exit code says that something failed."""
        ends = program(self.folder, "ends.py", "if n == 41: sys.exit(3)")
        silly = program(self.folder, "silly.py", "if n == 11: print('7', flush=True); continue")
        found = standings("-a", ends, "-a", "random", "-a", silly, "--threads", "1", code=1)
        self.assertEqual(len(found), 9)
        for setting, problem in (("continuing", "chain:n=8"), ("episodic", "deepsea:n=5,seed=3"),
                                 ("finite horizon", "chain:n=5,horizon=15")):
            self.assertEqual(found[setting, "random"]["rank"], "1")
            for agent, words, step in ((ends, "exit code 3", 20), (silly, "'7'", 5)):
                row = found[setting, agent]
                self.assertEqual((row["rank"], row["score"]["value"]), ("failed", None))
                self.assertTrue(row["failure"].startswith(f"{problem}: process, step {step} of replicate 0: "),
                                row["failure"])
                self.assertIn(words, row["failure"])

    def test_program_that_hangs(self):
        hangs = program(self.folder, "hangs.py", "if n == 11: time.sleep(60)")
        found = standings("-a", hangs, "-a", "random", "--answer-limit", "0.2", "--threads", "1", code=1)
        for setting in SETTINGS:
            self.assertEqual(found[setting, "random"]["rank"], "1")
            self.assertRegex(found[setting, hangs]["failure"], r"within 0.2 s|in time")

    def test_seed_is_hidden(self):
        """A program is not told the seed of the random numbers."""
        log = self.folder / "told"
        spy = program(self.folder, "spy.py", f"open({str(log)!r}, 'a').write(line if 'reset' in q else '')\n"
                                             "    if n > 2: sys.exit(1)")
        standings("-a", spy, "--threads", "1", code=1)
        told = [json.loads(line)["reset"] for line in log.read_text().splitlines()]
        self.assertTrue(told)
        for reset in told:
            self.assertNotEqual(reset["seed"], 2026)


if __name__ == "__main__":
    unittest.main()
