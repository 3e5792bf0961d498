#!/usr/bin/env python3
"""farsight audit, as a user types it. usage: test_audit.py FARSIGHT"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

FARSIGHT = sys.argv.pop(1)
LOCKUP = json.loads((pathlib.Path(__file__).parents[1] / "oracle" / "lockup.json").read_text())
SMALL = "garnet:states=3,actions=2,branching=2,rewarded=1,gamma=0.5"


def audit(*args, code=0):
    done = subprocess.run([FARSIGHT, "audit", *args], capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
    return done


def audit_json(*args, code=0):
    document = json.loads(audit("--json", *args, code=code).stdout)
    return {claim["name"]: claim for claim in document["claims"]}, document


class Lockup(unittest.TestCase):
    """The model of tests/oracle/lockup.json, given as a file."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name) / "lockup.json"
        path.write_text(json.dumps({
            s: {a: [[1.0, LOCKUP["next"][s][a], LOCKUP["reward"][s][a], False]]
                for a in range(LOCKUP["actions"])} for s in range(LOCKUP["states"])}))
        self.env = f"file:{path},gamma=0.7"

    def tearDown(self):
        self.folder.cleanup()

    def test_the_2009_rule_keeps_all(self):
        claims, document = audit_json("-q", "-e", self.env, "-a", LOCKUP["agents"]["2009"], "--runs", "10")
        self.assertEqual({claim["verdict"] for claim in claims.values()}, {"kept"})
        self.assertGreater(document["counts"]["completed_outside"], 0)

    def test_the_printed_rule_does_not(self):
        args = ["-q", "-e", self.env, "-a", LOCKUP["agents"]["printed"], "--runs", "10"]
        claims, _ = audit_json(*args, code=1)
        broken = {name for name, claim in claims.items() if claim["verdict"] == "violated"}
        self.assertEqual(broken, {"learn", "escapes"})
        first = claims["learn"]["first"]
        self.assertGreater(first["value"], first["bound"])
        self.assertGreater(first["values"]["last_update"], first["values"]["window_begun"])

        text = audit(*args, code=1).stdout
        self.assertIn("VIOLATED", text)
        again = re.search(r"first: run 0, t = (\d+).*\n.*\n  again: (farsight audit(?:.*\\\n)*.*)", text)
        words = shlex.split(again.group(2).replace("\\\n", " "))[2:]
        shown = audit("-q", "--json", *words).stdout  # one run proves nothing: exit code 0
        learn = next(c for c in json.loads(shown)["claims"] if c["name"] == "learn")
        self.assertEqual((learn["violated"], learn["verdict"]), (1, "within"))
        self.assertEqual(learn["first"], first)
        with_option = audit("-q", "-e", self.env.split(",")[0], "--gamma", "0.7", *args[3:], code=1).stdout
        self.assertEqual(with_option, text)  # and so is the command that shows it again


class Output(unittest.TestCase):
    def test_theory(self):
        spec = "directed-delayed-q:preset=theory,eps=1"
        done = audit("-e", SMALL, "-a", spec, "--steps", "3e5", "--runs", "4")
        self.assertEqual(done.stderr, "")  # no guarantee is lost
        self.assertIn("windows that got all their m samples", done.stdout)
        table = [line for line in done.stdout.splitlines() if "kept" in line or "untested" in line]
        self.assertGreaterEqual(len(table), 9)
        for line in done.stdout.splitlines()[1:]:
            self.assertLessEqual(len(line), 100)
            self.assertEqual(line, line.rstrip())

    def test_threads_and_json(self):
        args = ("-q", "-e", "chain:n=4", "-a", "directed-delayed-q:clamp=off", "--steps", "2000",
                "--runs", "20", "--json")
        one, three = (audit(*args, "--threads", n, code=1).stdout for n in "13")
        self.assertEqual(one, three)
        claims, document = audit_json(*args[:-1], code=1)
        self.assertEqual(document["runs"], 20)
        self.assertEqual(document["delta"], 0.1)
        for claim in claims.values():
            self.assertLessEqual(0, claim["low"])
            self.assertLessEqual(claim["low"], claim["high"])
            self.assertEqual(claim["first"] is None, claim["violated"] == 0)
        self.assertEqual(claims["e-falls"]["verdict"], "violated")

    def test_delta(self):
        args = ("-q", "-e", SMALL, "-a", "mbie:a=1,b=2.2", "--steps", "500", "--runs", "60")
        low = audit_json(*args, code=1)[0]["row-set"]
        high = audit_json(*args, "--delta", "0.95")[0]["row-set"]
        self.assertEqual((low["verdict"], high["verdict"]), ("violated", "within"))
        self.assertEqual(low["runs_violated"], high["runs_violated"])

    def test_notes(self):
        done = audit("-e", "chain:n=4", "-a", "r-max", "--runs", "2", "--steps", "10", "-v")
        self.assertIn("theory requires", done.stderr)

    def test_refusals(self):
        for args, says in ((["-a", "delayed-q"], "no environment"), (["-e", "chain"], "no agent"),
                           (["-e", "chain", "-a", "q-learning"], "makes no claim"),
                           (["-e", "chain", "-a", "delayed-q", "--delta", "0"], "(0, 1)"),
                           (["-e", "chain", "-a", "delayed-q", "-a", "r-max"], "one agent"),
                           (["-e", "chain", "-a", "delayed-q:m=x"], "whole number"),
                           (["-e", "chain", "-a", "delayed-q", "--every", "0"], "whole number")):
            done = audit(*args, code=2)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(verbosity=1)
