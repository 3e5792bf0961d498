#!/usr/bin/env python3
"""--device, by the backend whose lanes are the processor's. usage: test_device.py FARSIGHT BACKEND"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FARSIGHT, BACKEND = sys.argv.pop(1), sys.argv.pop(1)
CELL = ["-e", "chain:n=5", "-a", "directed-delayed-q", "--runs", "20", "--steps", "200"]


def farsight(*args, lanes="lanes=7", backend=BACKEND):
    environment = {**os.environ, "FARSIGHT_GPU_LIBRARY": backend, "FARSIGHT_LANES": lanes}
    return subprocess.run([FARSIGHT, *args], capture_output=True, text=True, env=environment, check=False)


def hashes(done):
    return [cell["hash"] for cell in json.loads(done.stdout)["cells"]]


class Device(unittest.TestCase):
    def test_same_results_and_a_note(self):
        here = farsight("run", *CELL, "-a", "r-max", "--json")
        there = farsight("run", *CELL, "-a", "r-max", "--json", "--device", "gpu")
        self.assertEqual(hashes(here), hashes(there))
        self.assertIn("lanes of the processor computed 20 runs", there.stderr)
        self.assertNotIn("computed", here.stderr)

    def test_failure_in_the_middle(self):
        here, there = farsight("run", *CELL, "--json"), farsight("run", *CELL, "--json", "--device", "gpu", lanes="lanes=7 fail=2")
        self.assertEqual((there.returncode, hashes(here)), (0, hashes(there)))
        self.assertIn("warning: the device failed: the launch failed; the processors compute what is missing", there.stderr)
        self.assertIn("computed 7 runs", there.stderr)

    def test_no_backend(self):
        done = farsight("run", *CELL, "--device", "gpu", backend="/no/such/backend.so")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning: no device: the backend cannot be loaded", done.stderr)

    def test_auto_says_what_it_chose(self):
        done = farsight("run", *CELL, "--device", "auto")
        self.assertRegex(done.stderr, r"the processors computed all runs \(estimated: [0-9.e-]+ s on the processors\)")

    def test_auto_shows_both_estimates(self):
        much = ["run", "-e", "chain:n=5", "-a", "q-learning", "--steps", "100000000", "--dry-run", "--device", "auto"]
        cell = json.loads(farsight(*much, "--json", lanes="skip=1000000").stdout)["cells"][0]
        self.assertRegex(cell["why"], "the processors take about [0-9.e+]+ s, the device [0-9.e+-]+ s")
        less = "device" if cell["device_seconds"] < cell["cpu_seconds"] else "cpu"  # both are measured, on any machine
        self.assertEqual(cell["runs_on"], less)

    def test_bad_word(self):
        done = farsight("run", *CELL, "--device", "tpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--device tpu: must be cpu, gpu or auto", done.stderr)

    def test_dry_run(self):
        done = farsight("run", *CELL, "-a", "r-max", "--dry-run", "--json", "--device", "gpu")
        cells = json.loads(done.stdout)["cells"]
        self.assertEqual([cell["runs_on"] for cell in cells], ["device", "cpu"])
        self.assertIn("this agent", cells[1]["why"])
        self.assertNotIn("computed", done.stderr)

    def test_store(self):
        with tempfile.TemporaryDirectory() as folder:
            store = str(pathlib.Path(folder, "results.db"))
            first = farsight("run", *CELL, "--json", "--store", store, "--device", "gpu")
            if "built without" in first.stderr:
                self.skipTest("no store")
            again = farsight("run", *CELL, "--json", "--store", store)
            self.assertEqual(hashes(first), hashes(again))
            took, reused = (json.loads(done.stdout)["cells"][0]["seconds"] for done in (first, again))
            self.assertAlmostEqual(reused / took, 1, 6)  # the time that the runs of the store took

    def test_other_commands(self):
        tune = ["tune", "-e", "chain:n=5", "-a", "q-learning", "--steps", "50", "--runs", "2", "--budget", "4", "--evaluate", "3",
                "--profile", "0", "--json"]
        self.assertEqual(farsight(*tune).stdout, farsight(*tune, "--device", "gpu").stdout)
        growth = ["growth", "-e", "chain", "--sizes", "3,4", "-a", "q-learning", "--measure", "reward", "--steps", "50", "--runs", "3",
                  "--json"]
        found, expected = (re.findall('"hash":"[0-9a-f]+"', farsight(*growth, "--device", where).stdout) for where in ("gpu", "cpu"))
        self.assertEqual((len(found), found), (2, expected))
        compare = ["compare", "-e", "chain:n=5", "-a", "q-learning", "-a", "dora", "--steps", "50", "--runs", "5", "--json"]
        self.assertEqual(hashes(farsight(*compare)), hashes(farsight(*compare, "--device", "gpu")))

    def test_solve(self):
        solve = ["solve", "-e", "garnet:states=200,actions=3", "--gamma", "0.99", "--json"]
        here, there = farsight(*solve), farsight(*solve, "--device", "gpu")
        self.assertEqual((there.returncode, here.stdout), (0, there.stdout))
        self.assertRegex(there.stderr, r"lanes of the processor made \d+ sweeps in")
        small = farsight(*solve, "--device", "auto")
        self.assertEqual(here.stdout, small.stdout)
        self.assertIn("the processors made all sweeps", small.stderr)

    def test_solve_fails_over(self):
        solve = ["solve", "-e", "chain:n=30", "--method", "value", "--json"]
        here = farsight(*solve)
        for lanes, why in {"absent": "no device: no device", "fail=2": "the device failed: the launch failed",
                           "wrong=1": "it computes other numbers"}.items():
            there = farsight(*solve, "--device", "gpu", lanes=lanes)
            self.assertEqual((there.returncode, here.stdout), (0, there.stdout))
            self.assertIn(why, there.stderr)
            self.assertIn("; the processors sweep instead", there.stderr)

    def test_solve_refusals(self):
        for options, why in ((["--average"], "for discounted values"), (["--horizon", "5"], "for discounted values"),
                             (["--method", "policy"], "for the methods auto, value and topological")):
            done = farsight("solve", "-e", "chain:n=5", *options, "--device", "gpu")
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)
            self.assertEqual(farsight("solve", "-e", "chain:n=5", *options, "--device", "auto").returncode, 0)


if __name__ == "__main__":
    unittest.main()
