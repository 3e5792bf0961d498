#!/usr/bin/env python3
"""How the command behaves towards those who use it: what it says on standard error and how to hush it, plain
ASCII where the locale is C, terminals, completion. usage: test_manners.py FARSIGHT CMAKE BUILD-FOLDER"""
import contextlib
import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import ctrl_c  # noqa: F401

FARSIGHT = os.path.abspath(sys.argv.pop(1))
CMAKE, BUILD = sys.argv.pop(1), sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLAIN = {**os.environ, "LC_ALL": "C"}


def farsight(*args, code=0, env=None, text=None):
    done = subprocess.run([FARSIGHT, *map(str, args)], input=text and text.encode(), capture_output=True, timeout=300, env=env)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
    return done


def commands():
    """The names of all commands, as the help lists them."""
    return re.findall(r"^  ([a-z]+) ", farsight("--help").stdout, re.M)


def without(feature):
    return feature in farsight("--version").stdout.partition("without")[2]


class Quiet(unittest.TestCase):
    """-q leaves errors alone on standard error, in every command."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def hushed(self, *args, says, text=None):
        """Without -q there is something to hush."""
        self.assertIn(says, farsight(*args, text=text).stderr)
        self.assertEqual(farsight(*args, "-q", text=text).stderr, "", args)
        self.assertEqual(farsight(*args, "--quiet", text=text).stderr, "", args)

    def test_every_command_has_it_once(self):
        for name in commands():
            page = farsight(name, "--help").stdout
            for option in ("  -q, --quiet ", "  -v, --verbose ", "      --help "):
                self.assertEqual(page.count(option), 1, (name, option))
        names = len(commands())
        self.assertEqual(farsight("man").stdout.count("\\-q, \\-\\-quiet\n"), names)
        self.assertEqual(farsight("completion", "fish").stdout.count(" -l quiet -s q "), names)
        self.assertEqual(farsight("completion", "bash").stdout.count("--quiet "), names)

    def test_notes(self):
        run = ("-e", "chain:n=3", "-a", "delayed-q:m=9", "--runs", "2")
        self.hushed("run", *run, "--steps", "50", says="note: parameters outside the guarantee")
        self.hushed("compare", *run, "-a", "r-max", "--steps", "50", says="outside the guarantee")
        self.hushed("audit", *run, "--steps", "50", says="outside the guarantee")
        self.hushed("agent", "delayed-q", "--states", "3", "--actions", "2", text="", says="outside the guarantee")
        self.hushed("growth", "-e", "chain", "-a", "delayed-q", "--sizes", "2,3", "--runs", "2", "--max-steps", "300",
                    says="outside the guarantee")
        self.hushed("pac", "--states", "2", "--actions", "2", "--eps", "1e6", says="warning: eps")
        self.hushed("growth", "-e", "chain", "-a", "q-learning", "--sizes", "2,3", "--runs", "2", "--max-steps", "300",
                    "--format", "csv", says="note: this is the table")
        model = self.path / "model.json"  # without a start
        model.write_text('{"0": {"0": [[1, 0, 1, false]]}, "1": {"0": [[1, 1, 0, false]]}}')
        for command in (("solve", "-e", f"file:{model}"), ("convert", model, self.path / "model.drn"),
                        ("env", f"file:{model}"), ("run", "-e", f"file:{model}", "-a", "q-learning", "--steps", "9")):
            self.hushed(*command, text="", says="starts in state 0")
        self.hushed("convert", "chain:n=3", self.path / "chain.json", "--to", "drn", says="note: ")

    @unittest.skipIf(without("SQLite"), "the build has no store")
    def test_notes_of_stores(self):
        table = self.path / "runs.csv"
        table.write_text("env,agent,seed,value,colour\nchain:n=3,mine,0,1,red\n")
        self.hushed("store", "import", self.path / "imported.db", table, says="note: columns that were not read: colour")

    def test_errors_stay(self):
        self.assertIn("unknown agent", farsight("run", "-q", "-e", "chain", "-a", "nobody", code=2).stderr)
        self.assertIn("Try 'farsight run --help'", farsight("run", "-q", code=2).stderr)
        self.assertIn("do not go together", farsight("run", "-q", "-v", code=2).stderr)

    def test_progress(self):
        """It is hushed too, and no line of it is left behind by a signal."""
        self.assertIn("runs", watched("--steps", "1e9", until=b"runs"))
        self.assertNotIn("%", watched("-q", "--steps", "1e9", until=None))


def watched(*options, until, term="xterm"):
    """What a run writes to a terminal that it has as standard error, until it has written `until`, or for as long
    as a progress line would take to appear."""
    master, slave = pty.openpty()
    process = subprocess.Popen([FARSIGHT, "run", "-e", "chain", "-a", "q-learning", "--runs", "1e6", *options],
                               stdout=subprocess.DEVNULL, stderr=slave, env={**os.environ, "TERM": term})
    os.close(slave)
    seen = b""
    if until is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1.5)
    while until is not None and until not in seen:
        seen += os.read(master, 1000)
    process.send_signal(signal.SIGINT)
    try:
        while more := os.read(master, 1000):
            seen += more
    except OSError:  # Linux says so that the other end is closed
        pass
    os.close(master)
    process.wait(timeout=60)
    return seen.decode()


class Terminals(unittest.TestCase):
    def test_a_line_is_rewritten(self):
        self.assertIn("\r\033[K", watched("--steps", "1e9", until=b"runs"))

    def test_a_dumb_terminal_gets_plain_lines(self):
        for term in ("dumb", ""):
            seen = watched("--steps", "1e9", until=b"runs", term=term)
            self.assertNotIn("\033", seen)
            self.assertNotRegex(seen, r"\r[^\r\n]")


class Tables(unittest.TestCase):
    def test_they_fit(self):
        for width in (60, 80, 120):
            env = {**os.environ, "COLUMNS": str(width)}
            for command in (("list", "agents"), ("list", "envs"), ("list", "metrics"), ("list", "theorems"),
                            ("pac", "--states", "5", "--actions", "2"), ("solve", "-e", "chain"),
                            ("audit", "-q", "-e", "chain:n=3", "-a", "delayed-q:preset=practical", "--steps", "99", "--runs", "2")):
                lines = farsight(*command, env=env).stdout.splitlines()
                rules = [line for line in lines if line.strip(" ─") == "" and line]
                self.assertTrue(rules, command)
                self.assertLessEqual(max(map(len, rules)), width, command)


class Ascii(unittest.TestCase):
    """LC_ALL=C: no byte beyond ASCII on either stream."""

    def check(self, *args, code=0, text=None):
        done = farsight(*args, code=code, env=PLAIN, text=text)
        for stream in (done.stdout, done.stderr):
            self.assertTrue(stream.isascii(), (args, [c for c in stream if ord(c) > 127][:5]))
        return done

    def test_pages(self):
        self.check("--help")
        for name in commands():
            page = self.check(name, "--help").stdout
            self.assertNotIn("?", page.replace("?s", "").replace("?S", ""), name)
        for shell in ("bash", "zsh", "fish"):
            self.check("completion", shell)
        self.assertEqual(self.check("man").stdout, farsight("man").stdout)  # whoever builds it

    def test_messages(self):
        self.check("run", "-e", "chain", "-a", "delayed-q", "-v", "--steps", "10", "--runs", "2")
        self.check("run", "-e", "chaîn", "-a", "delayed-q", code=2)
        self.check("run", "--ünknown", code=2)
        self.check("solve", "-e", "chain", "--method", "né", code=2)
        self.check("nö", code=2)
        self.check("run", "-e", "chain:n=" + "é" * 3000, "-a", "delayed-q", code=2)


class Notes(unittest.TestCase):
    RUN = ("run", "-e", "chain:n=[5,6]", "-a", "delayed-q", "-a", "r-max", "-a", "directed-delayed-q", "--steps", "10",
           "--runs", "2")

    def test_one_line_for_all_lost_guarantees(self):
        said = farsight(*self.RUN).stderr
        self.assertEqual(said, "farsight: note: parameters outside the guarantee (directed-delayed-q, delayed-q, r-max);"
                               " 'farsight pac' shows what theory requires; -v gives details, -q hides this\n")

    def test_details(self):
        said = farsight(*self.RUN, "-v").stderr
        self.assertIn("note: delayed-q on chain:n=5: optimism is not guaranteed (m = 1, theory requires", said)
        self.assertIn("note: r-max on chain:n=6: its bound is not guaranteed (m = 20, theory requires", said)
        self.assertNotIn("outside the guarantee", said)
        self.assertEqual(len(said.splitlines()), 6)

    def test_agents_without_a_guarantee_have_none_to_lose(self):
        said = farsight("run", "-e", "chain", "-a", "count-q:beta=0,q0=0", "--steps", "10", "--runs", "2").stderr
        self.assertIn("note: count-q:beta=0,q0=0 on chain: with beta=0", said)

    def test_warnings_have_lines_of_their_own(self):
        said = farsight("run", "-e", "chain", "-a", "delayed-q:eps1=1", "--steps", "10", "--runs", "2").stderr
        self.assertIn("warning: delayed-q:eps1=1 on chain: it cannot learn", said)


def pieces(line):
    """A line as bash hands it to a completion, cut at ':' and '='."""
    return [piece for word in line.split(" ") for piece in (re.findall("[:=]+|[^:=]+", word) or [""])]


@unittest.skipUnless(shutil.which("bash"), "there is no bash")
class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = farsight("completion", "bash").stdout

    def complete(self, line):
        words = pieces(line)
        probe = (f"{self.script}\nCOMP_LINE={shlex.quote(line)} COMP_POINT={len(line)} COMP_CWORD={len(words) - 1}\n"
                 f"COMP_WORDS=({' '.join(map(shlex.quote, words))})\n_farsight\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
        done = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_names_and_options(self):
        self.assertEqual(self.complete("farsight ru"), ["run"])
        self.assertEqual(self.complete("farsight run -a del"), ["delayed-q", "delayed-q-ie"])
        self.assertEqual(self.complete("farsight run --agent=del"), ["delayed-q", "delayed-q-ie"])
        self.assertEqual(self.complete("farsight list metrics last"), ["last-mistake"])
        self.assertEqual(self.complete("farsight run --format c"), ["csv"])
        self.assertEqual(self.complete("farsight audit --qui"), ["--quiet"])
        self.assertIn("delayed-q", self.complete("farsight pac "))

    def test_keys(self):
        self.assertEqual(self.complete("farsight run -a r-max:ga"), ["gamma="])
        keys = self.complete("farsight run -a r-max:")
        self.assertTrue({"gamma=", "m=", "ties="} <= set(keys), keys)
        self.assertEqual(self.complete("farsight run -e chain:")[:2], ["n=", "slip="])
        self.assertEqual(self.complete("farsight audit -e chain:n=5 -a r-max:ga"), ["gamma="])
        self.assertEqual(self.complete("farsight run --agent=r-max:ga"), ["gamma="])
        self.assertIn("eps=", self.complete("farsight run --metric mistakes:"))
        self.assertEqual(self.complete("farsight agent r-max:ga"), ["gamma="])

    def test_further_keys(self):
        """readline replaces what follows the last '=', so a reply begins with the value that stands there."""
        self.assertEqual(self.complete("farsight run -a r-max:m=5,ga"), ["5,gamma="])
        self.assertNotIn("5,m=", self.complete("farsight run -a r-max:m=5,"))
        self.assertEqual(self.complete("farsight run -a q-learning:q0=-1,epsilon_e"), ["-1,epsilon_end="])

    def test_words_of_keys(self):
        self.assertEqual(self.complete("farsight run -a r-max:ties="), ["random", "lowest", "highest"])
        self.assertEqual(self.complete("farsight run -a r-max:m=5,ties=l"), ["lowest"])

    def test_other_shells_know_them_too(self):
        fish = farsight("completion", "fish").stdout
        self.assertIn("case 'agent:r-max:ties'\n      string split ' ' 'random lowest highest'\n", fish)
        self.assertIn('-l agent -s a -r -a "(__farsight_specs agent)"', fish)
        self.assertTrue(farsight("completion", "zsh").stdout.endswith(self.script))


class Lists(unittest.TestCase):
    """Lists of whole numbers are written in one way everywhere."""
    LISTS = ("3,5,7", "[3,5,7]", "[3, 5..7 step 2]", "3..7:2", "3..7 step 2", "[3..7 step 2]", "3..5:2,7")

    def same(self, *args, text=None):
        """The option at the end of the arguments takes all of them, and they mean the same."""
        found = [re.sub('"seconds":[^,}]*', "", farsight(*args, x, text=text).stdout) for x in self.LISTS]
        for x, output in zip(self.LISTS, found, strict=True):
            self.assertEqual(output, found[0], x)

    def test_sizes(self):
        self.same("growth", "-q", "-e", "chain", "-a", "q-learning", "--runs", "2", "--max-steps", "200", "--json", "--sizes")

    def test_checkpoints(self):
        self.same("run", "-q", "-e", "chain", "-a", "q-learning", "--runs", "2", "--steps", "9", "--json", "--curve")

    def test_absent_states(self):
        self.same("agent", "r-max", "-q", "--states", "9", "--actions", "1", "--absent",
                  text="".join(f'{{"values":{s}}}\n' for s in range(9)))

    def test_grids(self):
        found = {farsight("run", "-q", "-e", f"chain:n={x}", "-a", "q-learning", "--steps", "9", "--runs", "2",
                          "--format", "csv").stdout for x in self.LISTS if x.startswith("[")}
        self.assertEqual(len(found), 1)
        farsight("run", "-q", "-e", "chain:n=[3..7:2]", "-a", "q-learning", "--steps", "9", "--runs", "2")


class Faults(unittest.TestCase):
    """Errors say what would be right."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def file(self, name, text):
        (self.path / name).write_text(text)
        return self.path / name

    def test_one_number(self):
        policy = self.file("policy", "1")
        self.assertIn("has 1 number; it must", farsight("solve", "-e", "chain", "--policy", policy, code=2).stderr)

    def test_equal_rewards(self):
        model = self.file("equal.json", '{"P": {"0": {"0": [[1, 0, 1, false]]}}, "start": 0}')
        said = farsight("run", "-e", f"file:{model}", "-a", "r-max", code=2).stderr
        self.assertIn("must name its reward_range, as in [0, 1]", said)

    @unittest.skipIf(without("SQLite"), "the build has no store")
    def test_the_largest_seed(self):
        table = "env,agent,seed,value\nx,a,{},1\n"
        farsight("store", "import", self.path / "a.db", self.file("a.csv", table.format(2**63 - 2)))
        said = farsight("store", "import", self.path / "b.db", self.file("b.csv", table.format(2**63 - 1)), code=1).stderr
        self.assertIn("b.csv:2:5: seed '9223372036854775807' must be a whole number from 0 to 9223372036854775806", said)

    @unittest.skipIf(without("SQLite"), "the build has no store")
    def test_all_faults_are_counted(self):
        store = self.path / "faults.db"
        farsight("run", "-q", "-e", "chain:n=[2..16]", "-a", "q-learning", "--steps", "9", "--runs", "1", "--store", store)
        db = sqlite3.connect(store)
        db.execute("UPDATE block SET cell = cell + 1000")
        db.commit()
        db.close()
        faults = json.loads(farsight("store", "check", store, "--json", code=1).stdout)["faults"]
        self.assertGreaterEqual(len([x for x in faults if "belongs to no cell" in str(x)]), 15)


class Pages(unittest.TestCase):
    """Whoever has an installed package finds the pages that help, messages and the manual page name."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([CMAKE, "--install", BUILD, "--component", "doc", "--prefix", cls.folder.name], check=True,
                       capture_output=True)
        cls.installed = pathlib.Path(cls.folder.name) / "share" / "doc" / "farsight"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_cited_pages(self):
        cited = {}
        for folder in ("cli", "src", "include"):
            for path in (ROOT / folder).rglob("*.*"):
                for page in re.findall(r"\bdocs/[\w/-]+\.\w+", path.read_text()):
                    cited[page] = path
        self.assertGreater(len(cited), 5)
        for page, path in cited.items():
            self.assertTrue((self.installed / page).is_file(), f"{path} names {page}, which is not installed")

    def test_help_says_where(self):
        self.assertIn("share/doc/farsight", farsight("--help").stdout)
        self.assertIn("share/doc/farsight", farsight("man").stdout)

    def test_tables_and_lists(self):
        """No row of a table is broken into lines or has another number of cells than the head; no entry of a list stands within
        another."""
        for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
            self.assertNotRegex(text, r"[a-z)`]\. - [A-Z`*]", page)
            for head, rows in re.findall(r"^(\|.*)\n\|[-:| ]+\|\n((?:.+\n)*)", text, re.M):
                for row in rows.splitlines():
                    self.assertTrue(row.startswith("|") and row.rstrip().endswith("|"), (page, row))
                    self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), len(re.findall(r"(?<!\\)\|", head)), (page, row))

    def test_examples(self):
        pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
        named = {(name, page) for page in pages for name in re.findall(r"\bexamples/[\w./-]*\w", page.read_text())}
        self.assertGreater(len(named), 5)
        for name, page in named:
            self.assertTrue((self.installed / name).exists(), f"{page} names {name}, which is not there")


if __name__ == "__main__":
    unittest.main()
