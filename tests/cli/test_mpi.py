#!/usr/bin/env python3
"""Ranks of an MPI job against threads. usage: test_mpi.py FARSIGHT FARSIGHT-BENCH MPIRUN"""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from ctrl_c import LIMIT, at_work, handles, wait_until

FARSIGHT, BENCH = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
MPIRUN = sys.argv.pop(1)
LANES = os.path.join(os.path.dirname(FARSIGHT), "tests", "libfarsight_lanes.so")
SANITIZED = "asan" in FARSIGHT  # the same paths, with less to compute
# Root (a container) and more ranks than processors must be allowed; MPI's own leaks are not ours.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
               "ASAN_OPTIONS": "detect_leaks=0"}
GRID = ("run", "-q", "--json", "-e", "chain:n=10", "-e", "riverswim", "-a", "delayed-q", "-a", "psrl:tol=0.01",
        "--steps", "2000", "--seed", "7")
ENDLESS = "mbie:gamma=0.99999999999"  # its first plan takes days


def command(ranks, *args, program=FARSIGHT):
    return [MPIRUN, "-n", str(ranks), program, *args]


def ranks_of(job):
    children = subprocess.run(["ps", "--ppid", str(job.pid), "-o", "pid="], capture_output=True, text=True)
    return [int(word) for word in children.stdout.split()]


def farsight(ranks, *args, code=0, program=FARSIGHT, **more):
    """By mpirun, or alone where `ranks` is 0."""
    words = command(ranks, *args, program=program) if ranks else [program, *args]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, env=ENVIRONMENT, **more)
    assert done.returncode == code, (words, done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return done


def without_times(text):
    """A JSON document without what may differ between two computations."""
    return re.sub(r'"seconds":[^,}]*', "", text)


class SameBits(unittest.TestCase):
    def same(self, ranks, *args):
        self.assertEqual(without_times(farsight(ranks, *args).stdout),
                         without_times(farsight(0, *args).stdout))

    def test_three_ranks_with_metrics(self):
        self.same(3, *GRID, "--runs", "50", "--curve", "log 9", "--metric", "coverage:what=pairs", "--metric", "regret")

    def test_snapshots_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = farsight(2, "run", "-q", "-e", "chain", "-a", "r-max", "--steps", "20", "--runs", "8", "--curve", "2",
                            "--snapshots", "1", "--store", os.path.join(folder, "s.db"), code=1)
            self.assertIn("snapshots are not sent between ranks", done.stderr)

    def test_one_rank(self):
        self.same(1, *GRID, "--runs", "9")

    def test_more_ranks_than_runs(self):
        self.same(4, "run", "-q", "--json", "-e", "chain:n=4", "-a", "q-learning", "--runs", "2")

    def test_threads_in_ranks(self):
        self.same(2, *GRID, "--runs", "50", "--threads", "2")

    def test_many_batches_in_one_command(self):
        self.same(3, "growth", "-q", "--json", "-e", "chain", "-a", "directed-delayed-q", "-a", "delayed-q",
                  "--sizes", "4..7", "--runs", "8", "--max-steps", "20000")

    def test_batches_that_depend_on_each_other(self):
        self.same(3, "run", "-q", "--json", "-e", "chain:n=5", "-a", "q-learning", "--until", "ci=2%", "--steps", "500")
        self.same(3, "tune", "--json", "-e", "chain:n=5", "-a", "delayed-q:m=[1..20 log]", "--steps", "300",
                  "--runs", "6", "--budget", "30000", "--evaluate", "10", "--profile", "4")

    def test_compare_and_reproduce(self):
        self.same(3, "compare", "-q", "--json", "-e", "chain:n=5", "-a", "e3", "-a", "ucb-q", "--runs", "6",
                  "--steps", "500")
        self.same(2, "reproduce", "--json", "--runs", "4")

    def test_a_model_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.mdp")
            farsight(0, "convert", "chain:n=4", path)
            self.same(3, "run", "-q", "--json", "-e", f"file:{path}", "-a", "q-learning", "--runs", "20")


class Commands(unittest.TestCase):
    def test_rank_0_alone_speaks(self):
        self.assertEqual(farsight(3, "--version").stdout, farsight(0, "--version").stdout)

    def test_exit_codes(self):
        done = farsight(3, "run", "-e", "chian", "-a", "psrl", code=2)
        self.assertEqual(done.stderr.count("did you mean 'chain'"), 1)

    def test_standard_input_goes_to_rank_0(self):
        done = farsight(2, "agent", "q-learning", "--states", "2", "--actions", "2", input='{"act":0}\n')
        self.assertIn("action", json.loads(done.stdout))

    def test_bench(self):
        b = json.loads(farsight(2, "ranks", "--json", "--seconds", "0.05", program=BENCH).stdout)
        self.assertEqual((b["ranks"], b["workers"], len(b["transport"])), (2, 2, 3))
        self.assertGreater(b["transport"][0]["messages"], 0)

    def test_the_study_of_the_slurm_example(self):
        if lacks("libyaml"):
            self.skipTest("built without libyaml")
        study = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/slurm/study.yaml")
        self.assertIn("6 cells", farsight(0, "run", study, "--dry-run", "-q").stdout)

    def test_not_connected(self):
        """A starter that MPI does not know must not make every process do all the work."""
        apart = {**ENVIRONMENT, "SLURM_STEP_NUM_TASKS": "4"}
        done = subprocess.run([FARSIGHT, "--version"], capture_output=True, text=True, env=apart)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("srun --mpi=pmix", done.stderr)


@unittest.skipUnless(os.path.exists(LANES), "no backend of devices")
class Devices(unittest.TestCase):
    """Of the ranks, by the backend whose lanes are the processor's."""
    CELLS = ("run", "--json", "-e", "chain:n=5", "-e", "riverswim", "-a", "q-learning", "-a", "r-max", "--steps", "300",
             "--runs", "50", "--curve", "3")

    def run_by(self, *lanes, where="gpu", args=()):
        """With a rank for each: how its backend shall be."""
        words = [MPIRUN]
        for one in lanes:
            words += [*([":"] if len(words) > 1 else []), "-n", "1", "env", f"FARSIGHT_GPU_LIBRARY={LANES}",
                      f"FARSIGHT_LANES={one}", FARSIGHT, *self.CELLS, "--device", where, *args]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(without_times(done.stdout), without_times(farsight(0, *self.CELLS).stdout))
        return done.stderr

    def test_two_of_three_ranks_have_one(self):
        said = self.run_by(*3 * ["lanes=7 devices=2"])
        self.assertIn("2 devices (lanes of the processor) computed 100 runs", said)
        self.assertNotIn("warning", said)

    def test_one_fails_and_another_goes_on(self):
        said = self.run_by("absent", "lanes=9 devices=3 fail=2", "lanes=7 devices=3")
        self.assertRegex(said, "warning: rank 1 on .*: the device failed: the launch failed; the others compute")
        self.assertRegex(said, r"2 devices \(lanes of the processor\) computed 100 runs")
        self.assertEqual(said.count("warning"), 1)

    def test_none(self):
        said = self.run_by("absent", "absent")
        self.assertIn("warning: no device: no device; the processors compute what is missing", said)
        self.assertEqual(said.count("warning"), 1)

    def test_auto(self):
        said = self.run_by("lanes=7", "lanes=7", where="auto")
        self.assertRegex(said, r"the processors computed all runs \(estimated: ")


class Failures(unittest.TestCase):
    """Ranks that see other files than rank 0: each gets a folder of its own."""

    def run_apart(self, make):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, str(rank)) for rank in range(3)]
            for rank, path in enumerate(paths):
                os.mkdir(path)
                make(rank, os.path.join(path, "model.mdp"))
            inside = (f'cd "{folder}/$OMPI_COMM_WORLD_RANK" && exec "{FARSIGHT}" run -q --json '
                      "-e file:model.mdp -a q-learning --runs 200")
            return subprocess.run([MPIRUN, "-n", "3", "sh", "-c", inside], capture_output=True, text=True,
                                  timeout=120, env=ENVIRONMENT)

    def test_no_such_file_on_a_rank(self):
        def make(rank, path):
            if rank != 2:
                farsight(0, "convert", "chain:n=4", path)
        done = self.run_apart(make)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"rank 2 on \S+: .*model\.mdp")

    def test_another_file_on_a_rank(self):
        def make(rank, path):
            farsight(0, "convert", "chain:n=4" if rank != 1 else "chain:n=4,slip=0.3", path)
        done = self.run_apart(make)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"rank 1 on \S+: .*model\.mdp holds another model")


def lacks(library):
    version = subprocess.run([FARSIGHT, "--version"], capture_output=True, text=True).stdout
    return library in version.partition("without")[2]


@unittest.skipIf(lacks("SQLite"), "built without SQLite")
class Stored(unittest.TestCase):
    """Rank 0 alone opens the store; a job that is lost at any moment is continued by any other."""
    RUNS = 100 if SANITIZED else 400
    CELLS = ("-a", "delayed-q", "-a", "psrl:tol=0.01", "--steps", "3000", "--curve", "5", "--metric", "coverage:what=pairs")
    ARGS = ("run", "-q", "--json", "-e", "chain:n=10", "-e", "riverswim", *CELLS, "--runs", str(RUNS))

    def contents(self, path):
        return farsight(0, "store", "export", path).stdout

    def runs(self, path):
        """Of a store that is perhaps not there yet."""
        done = subprocess.run([FARSIGHT, "store", "info", path, "--json"], capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
        return json.loads(done.stdout)["runs"] if done.returncode == 0 else 0

    def kill(self, path, *args):
        """A job that has stored some runs more, and would never end; with all of its ranks."""
        before = self.runs(path)
        job = subprocess.Popen(command(3, *args, "-a", ENDLESS, "--store", path), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        wait_until(lambda: self.runs(path) > before)
        ranks = ranks_of(job)
        job.kill()
        job.wait()
        for rank in ranks:
            with contextlib.suppress(ProcessLookupError):
                os.kill(rank, signal.SIGKILL)

    def test_kill_and_resume(self):
        with tempfile.TemporaryDirectory() as folder:
            path, whole = os.path.join(folder, "killed.db"), os.path.join(folder, "whole.db")
            alone = farsight(0, *self.ARGS, "--store", whole)
            for i, env in enumerate(("chain:n=10", "riverswim", "chain:n=10")):
                self.kill(path, "run", "-q", "-e", env, *self.CELLS, "--runs", str(self.RUNS * (i + 1) // 3))
            resumed = farsight(3, *self.ARGS, "--store", path)
            self.assertEqual(without_times(resumed.stdout), without_times(alone.stdout))
            self.assertEqual(self.contents(path), self.contents(whole))
            farsight(0, "store", "check", path)
            seen = farsight(0, "watch", path, "--once").stdout
            self.assertIn(f"{4 * self.RUNS:,} of {4 * self.RUNS:,} runs · 4 of 4 cells finished", seen)
            self.assertRegex(seen, "(?m)^3 ranks from ")


class Stopping(unittest.TestCase):
    def start(self, **variables):
        """A job whose three ranks have finished the first cell and are busy with the second; and their processes."""
        args = ("run", "-q", "--json", "-e", "chain:n=10", "-a", "psrl", "-a", ENDLESS, "--steps", "2000", "--runs", "20")
        job = subprocess.Popen(command(3, *args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**ENVIRONMENT, **variables})
        wait_until(lambda: len(ranks_of(job)) == 3)
        ranks = ranks_of(job)
        for rank in ranks:
            wait_until(lambda rank=rank: handles(rank, signal.SIGUSR1))  # since MPI is there, and the command has begun
        for rank in ranks:
            at_work(rank)
        return job, ranks

    def stop_by(self, number, ranks=False, **variables):
        """Sends the signal to mpirun, or to all its ranks."""
        job, all_ranks = self.start(**variables)
        for pid in all_ranks if ranks else [job.pid]:
            os.kill(pid, number)
        out, err = job.communicate(timeout=LIMIT)
        self.assertIn("stopped after 20 of 40 runs; what is finished is above", err)
        self.assertEqual([cell["runs"] for cell in json.loads(out)["cells"]], [20, 0])
        return job.returncode

    def test_a_signal_keeps_what_is_finished(self):
        self.assertEqual(self.stop_by(signal.SIGUSR1, ranks=True), 128 + signal.SIGUSR1)

    def test_mpirun_stopped(self):
        """It passes SIGTERM on, and kills its ranks after that long; its own exit code is 1."""
        self.assertNotEqual(self.stop_by(signal.SIGTERM, OMPI_MCA_odls_base_sigkill_timeout="4"), 0)

    @unittest.skipIf(SANITIZED, "mpirun kills the other ranks: nothing of ours is left to be looked at")
    def test_a_lost_rank_ends_the_job(self):
        job, ranks = self.start()
        os.kill(ranks[2], signal.SIGKILL)
        out, _ = job.communicate(timeout=LIMIT)
        self.assertNotEqual(job.returncode, 0)
        self.assertEqual(out, "")


if __name__ == "__main__":
    unittest.main()
