#!/usr/bin/env python3
"""studies/defaults-study, tiny: it runs, resumes, writes its table; every agent that learns is in it, and its candidates mean what they say.
usage: test_defaults_study.py FARSIGHT"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, needs_store
from study_script import load

SCRIPT, STUDY = load("defaults-study")
PROBLEM = {"states": 10, "actions": 2, "range": 1.0, "horizon": 8}


def agents():
    done = subprocess.run([FARSIGHT, "list", "agents", "--json"], capture_output=True, text=True, check=True)
    return [a for a in json.loads(done.stdout) if not a["baseline"]]


def keys(spec):
    return dict(word.split("=") for word in spec.split(":", 1)[1].split(","))


class Study(unittest.TestCase):
    @needs_store
    def test_runs_and_resumes(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            docs = folder / "page.md"
            docs.write_text("before\n<!-- defaults -->\nold\n<!-- end of defaults -->\nafter\n")

            def run():
                command = [sys.executable, SCRIPT, FARSIGHT, "--small", "--out", folder / "out", "--docs", docs, "r-max", "ucb-h", "imed-rl"]
                return subprocess.run(command, capture_output=True, text=True, check=True).stdout

            first = run()
            (folder / "out" / "r-max.json").unlink()  # as if it had been stopped before the end
            self.assertEqual(run(), first)
            page = docs.read_text()
            self.assertTrue(page.startswith("before\n<!-- defaults -->\n\n| agent") and page.endswith("\nafter\n"), page)
            self.assertNotIn("old", page)
            self.assertEqual(page.count("\n| `"), 3)

    def test_bad_input(self):
        done = subprocess.run([sys.executable, SCRIPT, FARSIGHT, "no-agent"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no agent of the study is named 'no-agent'", done.stderr)


class Candidates(unittest.TestCase):
    def test_every_agent_that_learns(self):
        self.assertEqual(set(STUDY.AGENTS), {a["name"] for a in agents()})
        self.assertEqual(set(STUDY.FINITE), {a["name"] for a in agents() if a["finite_horizon"]})

    def test_within_their_ends(self):
        for agent, knobs in STUDY.AGENTS.items():
            for c in STUDY.candidates(agent, 20):
                for knob in knobs:
                    self.assertTrue(0.99 * knob.low <= c[knob.name] <= 1.01 * knob.high, (agent, knob.name, c))

    def test_accepted_by_the_agent(self):
        """The specs of candidates are taken, and their keys are known."""
        specs = [STUDY.spec(a, c, PROBLEM, 20000) for a in STUDY.AGENTS for c in STUDY.candidates(a, 2)]
        for spec in specs:
            done = subprocess.run([FARSIGHT, "run", "-e", "chain:n=10,horizon=8", "-a", spec, "--steps", "1", "--runs", "1", "-q"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_rewards_have_units(self):
        for agent, scaled in (("count-q", "beta"), ("psrl", "sn"), ("directed-delayed-q", "eps1")):
            c = STUDY.candidates(agent, 3)[2]
            one, ten = (keys(STUDY.spec(agent, c, PROBLEM | {"range": r}, 20000)) for r in (1.0, 10.0))
            self.assertAlmostEqual(float(ten[scaled]) / float(one[scaled]), 10, places=5)
            self.assertNotIn("gamma", one)  # which is the problem's

    def test_verdict(self):
        """Better by far, by chance, and worse; the adjustment for all of them refuses the second."""
        better = {"tuning": [[0.1, 0.2, 0.15, 0.1], [0.5, 0.6, 0.56, 0.5]]}
        chance = {"tuning": [[0.1, 0.1, 0.1, 0.1], [0.2, 0.14, 0.18, 0.12]]}
        worse = {"tuning": better["tuning"][::-1]}
        self.assertLess(STUDY.p_of(chance["tuning"]), 0.05)
        found = {"a": better, "b": chance, "c": worse}
        self.assertEqual(STUDY.verdicts(found), {"a": True, "b": False, "c": False})
        self.assertEqual(STUDY.verdicts({"b": chance}), {"b": True})
        self.assertEqual(STUDY.verdicts({"a": better | {"half": worse["tuning"]}}), {"a": False})



if __name__ == "__main__":
    unittest.main()
