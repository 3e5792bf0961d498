#!/usr/bin/env python3
"""Ctrl-C answers at once, whatever the command is busy with; and small inputs that would take for ever
say so. usage: test_stop.py FARSIGHT

No time is asserted, but a limit that lies between a moment and for ever: commands are stopped once they have worked for a while."""
import json
import resource
import signal
import subprocess
import sys
import unittest

from ctrl_c import LIMIT, at_work

FARSIGHT = sys.argv.pop(1)
SANITIZED = "asan" in FARSIGHT or "tsan" in FARSIGHT  # these reserve more memory than there is


def stop(*args, worked=0.5, number=signal.SIGINT):
    """Sends the signal to a command that has worked for so many seconds; its exit code, output and errors. The commands
    here would work for a quarter of a minute or more."""
    process = subprocess.Popen([FARSIGHT, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    at_work(process.pid, worked)
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise AssertionError(f"{args} does not stop") from None
    return process.returncode, out, err


class Stop(unittest.TestCase):
    def test_plans_without_end(self):
        code, out, err = stop("run", "-e", "chain:n=50", "-a", "q-learning", "-a",
                              "mbie:gamma=0.99999999999", "--steps", "10000", "--runs", "3", "--threads",
                              "2", "--json", "-q")
        self.assertEqual(code, 130, err)
        first, second = json.loads(out)["cells"]
        self.assertEqual((first["runs"], second["runs"]), (3, 0))
        self.assertIn("stopped after 3 of 6 runs; what is finished is above", err)

    def test_plans_without_end_are_announced(self):
        code, _, err = stop("run", "-e", "chain:n=50", "-a", "r-max:gamma=0.99999999999", "--runs", "3")
        self.assertEqual(code, 130, err)
        self.assertIn("warning: r-max:gamma=0.99999999999 on chain:n=50: one plan may take 3.3e+12 sweeps of 100 "
                      "pairs, about 38.5 days at 10^8 backups a second", err)

    def test_terminated(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            code, _, err = stop("run", "-e", "chain:n=50", "-a", "oim:gamma=0.99999999999", "--runs", "3", "-q",
                                number=number)
            self.assertEqual(code, 128 + number, err)
            self.assertIn("stopped; no run was finished", err)

    def test_metrics_without_end(self):
        for metric in ("regret:gamma=0.9999", "mistakes:eps=1,gamma=0.9999,estimator=rollout,horizon_error=1e-300"):
            code, out, err = stop("run", "-e", "chain:n=2000", "-a", "r-max:gamma=0.9999", "--steps", "1000000",
                                  "--metric", metric, "--runs", "3", "--json", "-q")
            self.assertEqual(code, 130, err)
            self.assertEqual(json.loads(out)["cells"][0]["runs"], 0)

    def test_nothing_to_keep(self):
        """These end at once, with the exit code of the contract."""
        for args in (("solve", "-e", "dirichlet:states=1000", "--horizon", "50000"),
                     ("solve", "-e", "chain:n=9000", "--diameter"), ("pac", "-e", "garnet:states=1000,actions=10,branching=50"),
                     ("run", "-e", "chain:n=50000", "-a", "q-learning", "--metric", "earned")):
            code, out, err = stop(*args, "-q")  # no note that it takes long, as it may
            self.assertEqual((code, out, err), (130, "", "farsight: stopped\n"))

    def test_waiting_for_a_question(self):
        """It does not work: it has answered, and waits."""
        process = subprocess.Popen([FARSIGHT, "agent", "r-max", "--states", "10", "--actions", "2", "-q"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdin.write('{"act":0}\n')
        process.stdin.flush()
        self.assertIn("action", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual((*process.communicate(timeout=LIMIT), process.returncode), ("", "farsight: stopped\n", 130))

    def test_growth_prints_what_is_finished(self):
        """The metric of the second size needs its best average reward, which takes minutes."""
        code, out, err = stop("growth", "-e", "chain", "--sizes", "4,50000,60000", "--runs", "10", "-a", "r-max",
                              "-q", "--json")
        self.assertEqual(code, 130, err)
        self.assertEqual(json.loads(out)["cells"][0]["size"], 4)
        self.assertEqual(err, "farsight: stopped; what is finished is above\n")

    def test_compare_leaves_out_the_best_policy(self):
        code, out, err = stop("compare", "-e", "chain:n=20000", "-a", "q-learning", "--runs", "1000000")
        self.assertEqual(code, 130, err)
        self.assertIn("–: not computed, because the command was stopped.", out)

    def test_audit(self):
        code, out, err = stop("audit", "-e", "chain:n=300000", "-a", "delayed-q", "--gamma", "0.9999", "--json", "-q", worked=1)
        self.assertEqual(code, 130, err)
        self.assertEqual(json.loads(out)["runs"], 0)


class Small(unittest.TestCase):
    """Small inputs that stand for much: the limit is told before anything large is made of them."""

    def refused(self, *args, says, memory=400):
        """`memory` in MB: made as a whole, it would need gigabytes."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))
        try:
            done = subprocess.run([FARSIGHT, *args], capture_output=True, text=True, timeout=LIMIT,
                                  preexec_fn=None if SANITIZED else limit, check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{args} does not end") from None
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(says, done.stderr)

    def test_grids(self):
        self.refused("compare", "-e", "chain:n=[2..40000]", "-a", "q-learning",
                     says="there is room for 100 environments; there are 39999")
        self.refused("run", "-e", "chain:n=[1..1000000]", "-a", "q-learning", says="a range of 1e+06 values; at most")
        self.refused("run", "-e", "chain:n=[2..90000]", "-a", "q-learning:epsilon=[0..1 count 20]",
                     says="89999 environments x 20 agents are 1.8e+06 cells")
        self.refused("run", "-e", "chain", "-a",
                     "q-learning:epsilon=[0..1 count 1000],alpha=[0..1 count 1000],q0=[0..1 count 1000]",
                     says="the grid has more than 100000 specs")


if __name__ == "__main__":
    unittest.main(verbosity=2)
