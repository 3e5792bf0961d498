#!/usr/bin/env python3
"""studies/directed-study, tiny: it runs, resumes, writes its tables where they belong; its statistics and its units.
usage: test_directed_study.py FARSIGHT"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, needs_store
from study_script import load

SCRIPT, STUDY = load("directed-study")
PROBLEM = {"states": 10, "actions": 2, "range": 1.0, "horizon": None}


def keys(spec):
    return dict(word.split("=") for word in spec.split(":", 1)[1].split(","))


class Study(unittest.TestCase):
    @needs_store
    def test_runs_and_resumes(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            docs = folder / "page.md"
            docs.write_text("before\n<!-- suite -->\nold\n<!-- end of suite -->\nafter\n")

            def run():
                command = [sys.executable, SCRIPT, FARSIGHT, "--small", "--out", folder / "out", "--docs", docs]
                return subprocess.run(command, capture_output=True, text=True, check=True).stdout

            def cells():
                info = [FARSIGHT, "store", "check", folder / "out" / "judging.db"]
                return subprocess.run(info, capture_output=True, text=True, check=True).stdout

            first, stored = run(), cells()
            (folder / "out" / "found-delayed.json").unlink()  # as if it had been stopped in the first search
            self.assertEqual(run(), first)
            self.assertEqual(cells(), stored)
            page = docs.read_text()
            self.assertTrue(page.startswith("before\n<!-- suite -->\n\n| ") and page.endswith("\nafter\n"), page)
            self.assertNotIn("old", page)
            self.assertEqual(page.count("\n| "), 1 + len(STUDY.DELAYED))
            scores = json.loads((folder / "out" / "scores.json").read_text())["suite"]
            self.assertEqual([len(row) for row in scores["chain:n=20"]["none"]], [STUDY.SMALL["judge"]] * STUDY.SMALL["searches"])

    def test_failures_are_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, "/bin/false", "--small", "--out", folder], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("directed-study: farsight benchmark failed with exit code 1", done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class Candidates(unittest.TestCase):
    def test_variants_differ_by_the_bonus_alone(self):
        c = STUDY.candidate("delayed", 0, 3)
        none = keys(STUDY.spec("delayed", None, c, PROBLEM, 10000))
        self.assertEqual(none.pop("lambda"), "0")
        for way in filter(None, STUDY.DELAYED.values()):
            other = keys(STUDY.spec("delayed", way, c, PROBLEM, 10000))
            self.assertEqual({k: other[k] for k in none}, none)
            self.assertEqual(float(other["gamma_e"]), way[1])
            self.assertGreater(float(other["lambda"]), 0)

    def test_rewards_have_units(self):
        c = STUDY.candidate("delayed", 1, 2)
        one = keys(STUDY.spec("delayed", ("success", 0.9), c, PROBLEM, 10000))
        ten = keys(STUDY.spec("delayed", ("success", 0.9), c, PROBLEM | {"range": 10.0}, 10000))
        for key in one:
            factor = 10 if key in ("eps1", "rho", "lambda") else 1
            self.assertAlmostEqual(float(ten[key]) / float(one[key]), factor, delta=factor * 1e-3, msg=key)


class Statistics(unittest.TestCase):
    def test_student(self):
        for df, quantile in ((3, 3.182446), (5, 2.570582), (59, 2.000995)):  # tables
            self.assertAlmostEqual(STUDY.t_quantile(0.05, df), quantile, places=4)

    def test_interval_has_both_sources(self):
        """Searches 0 and 1 differ by 1, replicates by nothing, and the other way round."""
        by_search = STUDY.Gain([[0, 0, 0, 0], [1, 1, 1, 1]])
        self.assertAlmostEqual(by_search.mean, 0.5)
        self.assertAlmostEqual(by_search.half, 12.7062 * 0.5, places=3)  # s / sqrt(2) = 1/2
        by_run = STUDY.Gain([[0, 1], [0, 1]])
        self.assertAlmostEqual(by_run.half, 12.7062 * 0.5, places=3)
        self.assertEqual(STUDY.Gain([[0, 0], [0, 0]]).p, 1)

    def test_pairs_and_means(self):
        self.assertEqual(STUDY.minus([[3, 5]], [[1, 1]]), [[2, 4]])
        self.assertEqual(STUDY.average([[[0, 2], [4, 6]], [[2, 4], [6, 8]]]), [[1, 3], [5, 7]])

    def test_holm(self):
        self.assertEqual([round(p, 6) for p in STUDY.holm([0.01, 0.04, 0.03])], [0.03, 0.06, 0.06])


if __name__ == "__main__":
    unittest.main()
