#!/usr/bin/env python3
"""scripts/new-agent in a copy of the tree: what it makes is built and passes; what is missing is said.

usage: test_new_agent.py CMAKE COMPILER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, COMPILER = sys.argv.pop(1), sys.argv.pop(1)
NAME = "try-me-2"
PARTS = ("CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "bench", "cli", "cmake", "docs",
         "examples", "include", "scripts", "src", "studies", "tests")
SUITES = ("unit_conformance", "unit_invariance", "unit_cuts", "unit_policy", "unit_goals")


def run(*command, code=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done


class NewAgent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="farsight-new-agent-")
        cls.tree = pathlib.Path(cls.folder.name) / "tree"
        for part in filter(lambda p: (ROOT / p).exists(), PARTS):
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            cls.tree.mkdir(exist_ok=True)
            copy(ROOT / part, cls.tree / part)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def script(self, *args, code=0):
        return run(self.tree / "scripts/new-agent", *args, code=code)

    def contents(self):
        return {p: p.read_bytes() for p in self.tree.rglob("*") if p.is_file() and "__pycache__" not in p.parts}

    def test_1_names_that_are_refused(self):
        before = self.contents()
        for name, says in (("Upper", "is no name"), ("a--b", "is no name"), ("-a", "is no name"), ("9", "is no name"),
                           ("../x", "is no name"), ("a" * 41, "is no name"), ("psrl", "already"),
                           ("check-v-max", "is taken"), ("random", "already")):
            with self.subTest(name=name):
                self.assertIn(says, self.script(name, code=2).stderr)
        self.assertIn("usage", self.script(code=2).stderr)
        self.assertIn("usage", self.script("--help").stdout)
        self.assertEqual(self.contents(), before)

    def test_2_it_is_built_and_passes(self):
        build = pathlib.Path(self.folder.name) / "build"  # before: cmake must notice the new file by itself
        run(CMAKE, "-S", self.tree, "-B", build, f"-DCMAKE_C_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
        printed = self.script(NAME).stdout
        listing = (self.tree / "src/agents/agents.def").read_text()
        self.assertIn("FAR_AGENT(try_me_2)\nFAR_AGENT(random)\n", listing)
        self.assertIn(f"src/agents/{NAME}.c", printed)
        self.assertIn("check_transcripts.py", printed)
        others = int(re.search(r"(\d+) other agents", (self.tree / "README.md").read_text())[1])
        missing = run(sys.executable, self.tree / "tests/agents.py", code=1).stdout
        for what in ("no golden hashes: add it",
                     "no steps computed by hand: add some to tests/unit/traces.c", "no problem with a known answer",
                     "docs/comparison.md has no row", f"README.md must say '{others + 1} other agents'",
                     f"src/agents/{NAME}.c:1: still to be written", "docs/agents.md:", "docs/manual.md:"):
            self.assertIn(what, missing)
        run(CMAKE, "--build", build, "-j", os.cpu_count() or 1, "--target", "farsight", *SUITES)
        for suite in SUITES:
            self.assertIn(" 0 failed", run(build / "tests" / suite, NAME).stdout)
        self.assertIn("there is no agent", run(build / "tests/unit_conformance", "no-such", code=1).stdout)
        self.check_reference(build / "farsight")

    def check_reference(self, farsight):
        """The skeleton in C and the one in Python do the same."""
        oracle = self.tree / "tests/oracle"
        reference = oracle / f"reference/{NAME}.py"
        whole = reference.read_text()
        reference.unlink()
        missing = run(sys.executable, self.tree / "tests/agents.py", code=1).stdout
        for what in ("no transcripts: write tests/oracle/reference", "no whole runs: write tests/oracle/reference"):
            self.assertIn(f"{NAME}: {what}/{NAME}.py", missing)
        for checker, where, part, count in (
                ("check_transcripts.py", "case plain", "alpha=0.3,epsilon=0.2", 6),
                ("check_full_runs.py", "the run on chain:n=5", "alpha=0.1,epsilon=0.1", 2)):
            command = (sys.executable, oracle / checker, farsight, NAME, "--keep", self.tree / "kept")
            reference.write_text(whole.replace(part, part.partition(",")[0], 1))
            said = run(*command, code=1).stdout
            self.assertIn(f"{where} of reference/{NAME}.py lacks the key epsilon", said)
            self.assertIn(f"{count - 1} passed, 1 failed", said)
            reference.write_text(whole)
            for _ in range(2):  # computed; then kept
                self.assertIn(f"{count} passed, 0 failed", run(*command).stdout)
        golden = run(sys.executable, self.tree / "tests/golden/check.py", farsight, code=1).stderr
        self.assertIn("cells have no golden hash", golden)
        self.assertIn("--update", golden)


if __name__ == "__main__":
    unittest.main()
