#!/usr/bin/env python3
"""Budgets in episodes, as a user types them. usage: test_episodes.py FARSIGHT"""
import csv
import html
import io
import json
import pathlib
import re
import tempfile
import unittest

from command import farsight, needs_store

LAKE = ["-e", "frozen-lake:horizon=100", "-a", "ucbvi", "-a", "q-learning", "-q", "--runs", "20"]


def cells(*args):
    return json.loads(farsight("run", "--json", *args).stdout)["cells"]


def mean(cell, metric):
    return next(m["mean"] for m in cell["metrics"] if m["metric"].startswith(metric))


class Runs(unittest.TestCase):
    def test_who_is_better_does_not_depend_on_who_dies_quickly(self):
        """The same agents: in as many steps the one that falls into holes plays more episodes and earns more."""
        metrics = ["--metric", "episodic-regret:per=episode", "--metric", "length", "--metric", "episodes"]
        ucbvi, q = cells(*LAKE, "--episodes", "667", *metrics)
        self.assertEqual([mean(c, "episodes") for c in (ucbvi, q)], [667, 667])
        self.assertEqual([c["episodes"] for c in (ucbvi, q)], [667, 667])
        self.assertEqual([c["steps"] for c in (ucbvi, q)], [66700, 66700])
        self.assertGreater(ucbvi["mean"], 1.5 * q["mean"])
        self.assertLess(mean(ucbvi, "episodic-regret"), mean(q, "episodic-regret"))
        self.assertGreater(mean(ucbvi, "length"), 3 * mean(q, "length"))
        ucbvi, q = cells(*LAKE, "--steps", "20000", *metrics)
        self.assertNotIn("episodes", ucbvi)
        self.assertGreater(q["mean"], 3 * ucbvi["mean"])
        self.assertGreater(mean(q, "episodes"), 3 * mean(ucbvi, "episodes"))

    def test_words(self):
        done = farsight("run", *LAKE, "--episodes", "5", "--curve", "5")
        self.assertIn("Undiscounted reward, episodes 5, seed 1\n", done.stdout)
        self.assertIn("Reward so far, after so many episodes\n", done.stdout)
        done = farsight("compare", *LAKE, "--episodes", "5")
        self.assertIn("Undiscounted reward of 5 episodes, mean of 20 runs", done.stdout)
        self.assertIn("exact return times the episodes", done.stdout)
        dry = farsight("run", *LAKE, "--episodes", "5", "--dry-run").stdout
        self.assertIn("5 episodes a run", dry)

    def test_what_is_refused(self):
        for args, says in [
            (["-e", "riverswim", "--episodes", "5"], ["no episode can end here", "riverswim:horizon=20"]),
            (["-e", "frozen-lake", "--episodes", "5"], ["any number of steps", "frozen-lake:horizon=100", "the most steps"]),
            (["-e", "frozen-lake:horizon=9", "--episodes", "0"], ["--episodes '0'"]),
            (["-e", "frozen-lake:horizon=9", "--episodes", "5", "--curve", "1,6"], ["beyond the run's 5 episodes"]),
        ]:
            done = farsight("run", "-a", "psrl", *args, code=2)
            self.assertEqual(done.stdout, "")
            for part in says:
                self.assertIn(part, done.stderr)

    def test_a_study(self):
        with tempfile.TemporaryDirectory() as folder:
            study = pathlib.Path(folder) / "lake.yaml"
            study.write_text("environments: ['frozen-lake:horizon=50']\nagents: [psrl]\nepisodes: 40\nruns: 3\n"
                             "metrics: [episodes]\n")
            (cell,) = cells(study)
            self.assertEqual((cell["episodes"], cell["steps"], mean(cell, "episodes")), (40, 2000, 40))
            (cell,) = cells(study, "--episodes", "7", "--steps", "10")
            self.assertEqual((cell["episodes"], cell["steps"]), (7, 10))
            self.assertLess(mean(cell, "episodes"), 7)
            saved = pathlib.Path(folder) / "saved.yaml"
            farsight("run", study, "--save-study", saved)
            self.assertIn("episodes: 40\n", saved.read_text())
            self.assertNotIn("steps:", saved.read_text())


@needs_store
class Stores(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def run_some(self, store, *args):
        return farsight("run", *LAKE, "--store", store, *args)

    def test_kept_apart_resumed_and_chosen(self):
        store = self.path / "s.db"
        self.run_some(store, "--episodes", "30", "--curve", "3")
        self.run_some(store, "--steps", "3000")
        again = self.run_some(store, "--episodes", "30", "--curve", "3")
        self.assertIn("Reused 40 runs", again.stdout)
        self.assertEqual(len(json.loads(farsight("store", "info", store, "--json").stdout)["cells"]), 4)
        groups = json.loads(farsight("stats", store, "--json").stdout)["groups"]
        self.assertEqual([(g["steps"], g.get("episodes")) for g in groups], [(3000, None), (3000, 30)])
        groups = json.loads(farsight("stats", store, "--json", "--episodes", "30").stdout)["groups"]
        self.assertEqual(len(groups), 1)
        done = farsight("plot", "intervals", store, "-o", self.path / "f.svg", code=2)
        self.assertIn("3,000 steps or 30 episodes", done.stderr)
        farsight("plot", "curves", store, "--episodes", "30", "-o", self.path / "f.svg")
        self.assertIn("30 episodes", (self.path / "f.svg").read_text())
        self.assertIn("nothing is wrong", farsight("store", "check", store).stdout)

    def test_scores_are_of_the_return(self):
        """The best policy's 0.7443 of an episode of 100 steps, and the random policy's."""
        store = self.path / "s.db"
        farsight("run", "-q", "-e", "frozen-lake:horizon=100", "-a", "optimal", "-a", "random", "--episodes", "50", "--runs",
                 "40", "--store", store)
        (group,) = json.loads(farsight("stats", store, "--json").stdout)["groups"]
        scale = group["environments"][0]["scale"]
        best = json.loads(farsight("solve", "-e", "frozen-lake:horizon=100", "--json").stdout)["v"][0][0]
        self.assertAlmostEqual(scale["high"], 50 * best, places=9)
        self.assertTrue(0 < scale["low"] < 0.1 * scale["high"])
        scores = {cell["agent"]: (cell["mean"] - scale["low"]) / (scale["high"] - scale["low"]) for cell in group["cells"]}
        self.assertAlmostEqual(scores["optimal"], 1, delta=0.05)
        self.assertAlmostEqual(scores["random"], 0, delta=0.01)

    def test_export_and_import(self):
        first, second = self.path / "a.db", self.path / "b.db"
        self.run_some(first, "--episodes", "4")
        text = farsight("store", "export", first).stdout
        self.assertEqual({row["episodes"] for row in csv.DictReader(io.StringIO(text))}, {"4"})
        (self.path / "a.csv").write_text(text)
        farsight("store", "import", second, self.path / "a.csv")
        self.assertEqual(farsight("store", "export", second).stdout.replace(",0\n", ",3\n"), text)

    def test_a_page(self):
        store = self.path / "s.db"
        farsight("run", "-q", "-e", "frozen-lake:horizon=100", "-a", "steady=ucbvi", "-a", "bold=q-learning:epsilon=0.3", "--runs",
                 "20", "--episodes", "30", "--curve", "5", "--store", store)
        farsight("report", store, "-o", self.path / "r.html", "-q")
        text = html.unescape(re.sub("<[^>]*>", "", (self.path / "r.html").read_text()))
        for part in ("30 episodes, seed 1", "--episodes 30 --steps 3000 --runs 20 --seed 1", "In so many episodes the best policy",
                     "1 agent (steady) ran with default parameters"):
            self.assertTrue(part in text, part)


if __name__ == "__main__":
    unittest.main()
