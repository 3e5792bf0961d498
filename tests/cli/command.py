"""The command under test, which the first argument names, and a folder for a test's files."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from ctrl_c import LIMIT

sys.dont_write_bytecode = True

FARSIGHT = os.path.abspath(sys.argv.pop(1))


def farsight(*args, code=0, text=None, env=None, program=FARSIGHT, **more):
    """Runs the command, which must exit with `code` (sanitizers have one of their own); `text`: its input, `env`: further variables.
    `program`: another one. A command that waits for ever fails here."""
    options = {"capture_output": True, "text": True, "timeout": 5 * LIMIT, "env": {**os.environ, **(env or {})}, **more}
    given = {"stdin": subprocess.DEVNULL} if text is None else {"input": text}
    done = subprocess.run([program, *map(str, args)], **{**given, **options})
    assert done.returncode == code, (args, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done


VERSION = farsight("--version").stdout
WITHOUT = VERSION.partition("without")[2]  # the libraries that this build lacks
NO_STORE = "SQLite" in WITHOUT
needs_store = unittest.skipIf(NO_STORE, "built without SQLite")
needs_study_files = unittest.skipIf("libyaml" in WITHOUT, "built without libyaml")


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def file(self, name, text):
        path = self.path / name
        path.write_text(text, newline="")
        return path

    def says(self, part, *args, code=1, **more):
        """The command fails, and its message has this part."""
        done = farsight(*args, code=code, **more)
        self.assertIn(part, done.stderr)
        return done
