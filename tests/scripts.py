"""Tests of scripts that set things up, against stand-ins for what would change the machine.

usage: scripts.py
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def write(self, name, text, mode=0o644):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def script(self, name, *args, **variables):
        return subprocess.run([SCRIPTS / name, *args], capture_output=True, text=True, env=os.environ | variables)


class Setup(InFolder):
    """apt-get is played by a script that counts its calls; what is to be installed is a command that nobody has."""
    LOCKED = ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt)",
              "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt)\nE: Unable to lock directory /var/lib/apt/lists/",
              "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?")

    def setup_with(self, says):
        setup = (SCRIPTS / "setup").read_text().replace("build=(cmake", "build=(nobody-has-this cmake", 1)
        self.write("setup", setup, 0o755)
        self.write("says", says + "\n")
        self.write("bin/sudo", '#!/bin/sh\nexec "$@"\n', 0o755)
        self.write("bin/apt-get", '#!/bin/sh\ncd "$FOLDER"\necho "$*" >> calls\n'
                                  '[ "$(wc -l < calls)" -gt 1 ] || { cat says >&2; exit 100; }\n', 0o755)
        done = subprocess.run([self.path / "setup", "build"], capture_output=True, text=True,
                              env=os.environ | {"PATH": f"{self.path}/bin:{os.environ['PATH']}", "FOLDER": str(self.path)})
        return done, (self.path / "calls").read_text().splitlines()

    def test_waits_for_a_lock(self):
        for says in self.LOCKED:
            with self.subTest(says=says):
                (self.path / "calls").unlink(missing_ok=True)
                done, calls = self.setup_with(says)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("Another program installs packages: waiting", done.stdout)
                self.assertEqual(len([each for each in calls if "update" in each]), 2)
                self.assertIn("nobody-has-this", calls[-1])

    def test_other_errors_end_it(self):
        done, calls = self.setup_with("E: Unable to locate package")
        self.assertEqual((done.returncode, len(calls)), (1, 1))
        self.assertIn("Unable to locate package", done.stderr)


class Page(InFolder):
    def installed(self, program="prefix/bin/farsight"):
        page = self.write("index.html", "page")
        self.write("prefix/bin/farsight", "#!/bin/sh\n", 0o755)
        manifest = self.write("manifest", f"{self.path}/prefix/lib/libfarsight.so\n{self.path / program}\n")
        return self.script("install-page", page, manifest)

    def test_goes_where_the_program_is(self):
        done = self.installed()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        page = self.path / "prefix/share/farsight/playground.html"
        self.assertEqual(page.read_text(), "page")
        self.assertIn(str(page), done.stdout)
        self.assertEqual(self.installed().stdout, "")  # it is there

    def test_place_of_another(self):
        self.write("prefix/share", "a file, where there should be a folder")
        self.assertIn("'make install' again", self.installed().stdout)

    def test_nothing_is_installed(self):
        page = self.write("index.html", "page")
        for manifest in self.path / "absent", self.write("manifest", f"{self.path}/gone/bin/farsight\n"):
            done = self.script("install-page", page, manifest)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
