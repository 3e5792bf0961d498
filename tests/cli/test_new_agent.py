#!/usr/bin/env python3
"""scripts/new-agent in a copy of the tree: what it makes is built and passes; what is missing is said.

usage: test_new_agent.py CMAKE COMPILER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, COMPILER = sys.argv.pop(1), sys.argv.pop(1)
NAME = "try-me-2"
PARTS = ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "bench", "cli", "cmake", "docs", "examples", "include", "mpi",
         "scripts", "src", "tests", "tools")


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
        printed = self.script(NAME).stdout
        self.assertIn(f"src/agents/{NAME}.c", printed)
        self.assertIn("make_reference.py", printed)
        missing = run(sys.executable, self.tree / "tests/agents.py", code=1).stdout
        for what in ("no transcripts: write tests/oracle/reference", "no whole runs", "no golden hashes: add it",
                     f"src/agents/{NAME}.c:1: still to be written", "docs/agents.md:", "docs/manual.md:"):
            self.assertIn(what, missing)
        build = pathlib.Path(self.folder.name) / "build"
        run(CMAKE, "-S", self.tree, "-B", build, f"-DCMAKE_C_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")
        run(CMAKE, "--build", build, "-j", os.cpu_count() or 1, "--target", "farsight", "unit_conformance",
            "unit_invariance")
        for suite in ("unit_conformance", "unit_invariance"):
            self.assertIn(" 0 failed", run(build / "tests" / suite, NAME).stdout)
        self.assertIn("there is no agent", run(build / "tests/unit_conformance", "no-such", code=1).stdout)
        self.check_reference(build / "farsight")

    def check_reference(self, farsight):
        """The skeleton in C and the one in Python do the same."""
        oracle = self.tree / "tests/oracle"
        run(sys.executable, oracle / "make_reference.py", NAME)
        for path in (oracle / "transcripts").glob("*.jsonl"):
            if not path.name.startswith(f"ref-{NAME}-"):
                path.unlink()
        self.assertIn("6 passed, 0 failed", run(sys.executable, oracle / "check_transcripts.py", farsight).stdout)
        for path in oracle.glob("full_runs*.json"):
            if path.name != f"full_runs_{NAME}.json":
                path.unlink()
        self.assertIn("2 passed, 0 failed", run(sys.executable, oracle / "check_full_runs.py", farsight).stdout)
        golden = run(sys.executable, self.tree / "tests/golden/check.py", farsight, code=1).stderr
        self.assertIn("cells have no golden hash", golden)
        self.assertIn("--update", golden)


if __name__ == "__main__":
    unittest.main()
