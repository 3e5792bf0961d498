#!/usr/bin/env python3
"""What check.py --update writes and refuses, with a command that prints made-up hashes."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FAKE = """#!{python}
import json, sys
numerics, hashes = {answer!r}
cells = [dict(env="chain", agent=agent, hash=digest) for agent, digest in hashes.items()]
print(json.dumps(dict(numerics=numerics, cells=cells)))
"""


class Update(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="farsight-golden-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(HERE / "check.py", self.folder)
        self.write(1, {"chain a": "1", "chain b": "2"})

    def write(self, numerics, hashes):
        (self.folder / "hashes.json").write_text(json.dumps({"numerics": numerics, "hashes": hashes}))

    def hashes(self):
        return json.loads((self.folder / "hashes.json").read_text())["hashes"]

    def update(self, numerics, hashes, *options):
        fake = self.folder / "farsight"
        fake.write_text(FAKE.format(python=sys.executable, answer=(numerics, hashes)))
        fake.chmod(0o755)
        return subprocess.run([sys.executable, self.folder / "check.py", fake, "--update", *options],
                              capture_output=True, text=True, check=False)

    def test_new_ones_are_written(self):
        done = self.update(1, {"a": "1", "b": "2", "c": "3"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 new, 0 changed, 0 gone", done.stdout)
        self.assertEqual(self.hashes(), {"chain a": "1", "chain b": "2", "chain c": "3"})

    def test_changed_and_gone_ones_are_refused(self):
        for hashes, counts in (({"a": "1", "b": "9"}, "0 new, 1 changed, 0 gone"),
                               ({"a": "1"}, "0 new, 0 changed, 1 gone")):
            with self.subTest(counts):
                done = self.update(2, hashes)
                self.assertEqual(done.returncode, 1)
                self.assertIn(counts, done.stdout)
                self.assertIn("the first is chain b", done.stderr)
                self.assertIn("far_numerics", done.stderr)
                self.assertEqual(self.hashes(), {"chain a": "1", "chain b": "2"})

    def test_a_changed_one_needs_other_numerics_even_by_force(self):
        self.assertIn("raise far_numerics", self.update(1, {"a": "1", "b": "9"}, "--force").stderr)
        self.assertEqual(self.hashes()["chain b"], "2")
        self.assertEqual(self.update(2, {"a": "1", "b": "9"}, "--force").returncode, 0)
        self.assertEqual(self.hashes()["chain b"], "9")

    def test_one_goes_by_force(self):
        self.assertEqual(self.update(1, {"a": "1"}, "--force").returncode, 0)
        self.assertEqual(self.hashes(), {"chain a": "1"})


if __name__ == "__main__":
    unittest.main()
