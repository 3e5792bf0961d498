#!/usr/bin/env python3
"""farsight watch STORE: a study followed while it runs, in a pipe and in a terminal (tmux), its numbers, its
errors and hostile stores. usage: test_watch_store.py FARSIGHT"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

from command import FARSIGHT, NO_STORE, WITHOUT, farsight
from ctrl_c import LIMIT

PLAIN = "ncurses" in WITHOUT
SOON = LIMIT  # nothing here takes more than a moment
STUDY = """name: short
steps: 200
runs: 40
environments: [chain, riverswim]
agents:
  - q-learning: {epsilon: [0.01, 0.1]}
  - delayed-q
"""
ENDLESS = ("run", "-q", "-e", "chain:n=[10,20]", "-a", "q-learning", "-a", "delayed-q", "--steps", "100000",
           "--runs", "1000000", "--threads", "1")


def wait_for(what, seconds=SOON):
    """What `what` returns, once that is true."""
    end = time.monotonic() + seconds
    while True:
        found = what()
        if found or time.monotonic() > end:
            return found
        time.sleep(0.02)


class Case(unittest.TestCase):
    def setUp(self):
        if NO_STORE:
            self.skipTest("no SQLite")
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.started = []
        (self.path / "study.yaml").write_text(STUDY)

    def tearDown(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.folder.cleanup()

    def do(self, *args, **more):
        return farsight(*args, cwd=self.path, **more)

    def start(self, *args):
        process = subprocess.Popen([FARSIGHT, *args], cwd=self.path, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.started.append(process)
        return process

    def sql(self, text, *values, store="r.db"):
        with sqlite3.connect(self.path / store) as db:
            db.execute(text, values)
        db.close()


def rows_of(frame):
    """The rows of cells: what stands behind the headings."""
    lines = frame.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:2] == ["environment", "agent"])
    return [line for line in lines[head + 1:] if line.strip()]


class Pipe(Case):
    def test_numbers_are_those_of_stats(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db")
        done = self.do("watch", "r.db", "--once", env=dict(os.environ, COLUMNS="160"))
        self.assertRegex(done.stdout, r"^r\.db  short +finished\n█+ 100%\n240 of 240 runs · 6 of 6 cells finished\n")
        group = json.loads(self.do("stats", "r.db", "--json", "--resamples", "100").stdout)["groups"][0]
        cells = group["cells"]
        rows = rows_of(done.stdout)
        self.assertEqual((len(rows), len(cells)), (6, 6))
        env = ""
        for row in rows:
            match = re.fullmatch(r"✓ (\S*) +(\S+) +▇{12}  40/40 +(\S+) ± (\S+) +(\S+)%  ([▁-▇]+)", row)
            self.assertIsNotNone(match, row)
            env = match[1] or env
            cell = next(c for c in cells if (c["env"], c["agent"]) == (env, match[2]))
            half = (cell["high"] - cell["low"]) / 2
            for shown, right in ((match[3], cell["mean"]), (match[4], half)):
                digits = len(shown.partition(".")[2])
                self.assertAlmostEqual(float(shown), right, delta=0.51 * 10 ** -digits)
            self.assertEqual(len(match[6]), 5)  # 4, 8, 16, 32, 40 runs
            self.assertRegex(match[6], "▇|^▁+$")

    def test_follows_until_the_end(self):
        """From before the store is there until the study is finished: exit code 0, and nothing beside the store."""
        watch = self.start("watch", "r.db", "--wait", "--every", "0.05")
        self.assertIn("Waiting for the store", watch.stderr.readline())
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "400")
        out, err = watch.communicate(timeout=SOON)
        self.assertEqual((watch.returncode, err), (0, ""))
        last = re.split("\n━+\n", out)[-1]
        self.assertIn("2,400 of 2,400 runs · 6 of 6 cells finished", last)
        self.assertEqual(len(rows_of(last)), 6)
        self.assertNotIn("\x1b", out)
        self.assertEqual(sorted(os.listdir(self.path)), ["r.db", "study.yaml"])

    def test_running(self):
        """The runs of a study that is at work become more; Ctrl-C ends the one who watches."""
        run = self.start(*ENDLESS, "--store", "r.db")
        self.assertTrue(wait_for(lambda: "running" in subprocess.run(
            [FARSIGHT, "watch", "r.db", "--wait", "--once"], cwd=self.path, capture_output=True, text=True).stdout))
        watch = self.start("watch", "r.db", "--every", "0.1")
        seen = set()
        for line in watch.stdout:
            match = re.match(r"([\d,]+) of 4,000,000 runs · 0 of 4 cells finished(.*steps/s)?", line)
            if match:
                seen.add(int(match[1].replace(",", "")))
                if len(seen) > 2 and match[2]:
                    break
        watch.send_signal(signal.SIGINT)
        watch.communicate(timeout=SOON)
        self.assertEqual(watch.returncode, 130)
        self.assertIsNone(run.poll())

    def test_reader_leaves(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        done = subprocess.run(f"'{FARSIGHT}' watch r.db study.yaml --every 0.05 | head -1", shell=True, cwd=self.path,
                              capture_output=True, text=True, timeout=SOON)
        self.assertRegex(done.stdout, r"^r\.db  short")

    def test_plan(self):
        """The study as the command had it, a study of one's own, or none."""
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "3", "-a", "r-max:m=2")
        self.assertIn("6 of 6 runs · 2 of 2 cells finished", self.do("watch", "r.db", "--once").stdout)
        out = self.do("watch", "r.db", "study.yaml", "--once").stdout
        self.assertIn("0 of 240 runs · 0 of 6 cells finished", out)
        self.assertEqual(len(rows_of(out)), 8)
        os.rename(self.path / "study.yaml", self.path / "other.yaml")
        out = self.do("watch", "r.db", "--once").stdout
        self.assertIn("The plan is not known: the study file 'study.yaml' is not here.", out.replace("\n", " "))
        self.assertIn("6 runs · 2 cells", out)
        self.do("run", "-q", "-e", "chain", "-a", "q-learning:epsilon=[0.1,0.2]", "--runs=5", "--steps", "1e2",
                "--store", "r.db", "--metric", "coverage", "--curve", "log 5")
        self.assertIn("10 of 10 runs · 2 of 2 cells finished", self.do("watch", "r.db", "--once").stdout)

    def test_until(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--until", "ci=10%,first=20", "--runs", "500")
        self.assertRegex(self.do("watch", "r.db", "--once").stdout, r"([\d,]+) of \1 runs · 6 of 6 cells finished")
        self.do("run", "-q", "study.yaml", "--store", "rank.db", "--until", "rank=5%,first=30", "--runs", "70")
        self.assertRegex(self.do("watch", "rank.db", "--once").stdout, r"([\d,]+) of \1 runs · 6 of 6 cells finished")
        out = self.do("watch", "r.db", "--once", env=dict(os.environ, LC_ALL="C")).stdout
        self.assertTrue(out.isascii())

    def test_picture(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "5")
        self.do("watch", "r.db", "--size", "90x20", "-o", "r.svg", "--theme", "dark")
        text = (self.path / "r.svg").read_text()
        self.assertEqual(ElementTree.fromstring(text).tag, "{http://www.w3.org/2000/svg}svg")
        for words in ("Progress of the study in r.db", "30 of 30 runs", "q-learning:epsilon=0.01"):
            self.assertIn(words, text)
        self.assertIn("--size '9'", self.do("watch", "r.db", "--size", "9", code=2).stderr)
        self.assertIn("cannot write", self.do("watch", "r.db", "-o", "none/r.svg", code=1).stderr)

    def test_ranks(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        self.sql("UPDATE session SET command = command || ' # 4 ranks'")
        self.assertRegex(self.do("watch", "r.db", "--once").stdout, r"(?m)^4 ranks from \S+ · last commit ")


class Errors(Case):
    def test_files(self):
        (self.path / "empty.db").write_bytes(b"")
        (self.path / "text.db").write_text("no store\n" * 100)
        self.sql("CREATE TABLE x(y)", store="foreign.db")
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        self.do("run", "-q", "study.yaml", "--store", "bad.db", "--runs", "2")
        self.sql("UPDATE block SET content = zeroblob(length(content)) WHERE id = 3", store="bad.db")
        for name, words in (("none.db", "there is no store 'none.db'; --wait waits"), ("empty.db", "is empty"),
                            ("text.db", "is not a farsight store"), ("foreign.db", "another program"),
                            ("bad.db", "damaged: the checksum"), (".", "is not a regular file")):
            done = self.do("watch", name, "--once", code=1)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_damage_while_it_is_followed(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        watch = self.start("watch", "r.db", "study.yaml", "--every", "0.05")
        self.assertIn("r.db", watch.stdout.readline())
        self.sql("INSERT INTO block SELECT 1000, cell, series, first + 500, runs, content, 1, session, seconds "
                 "FROM block WHERE id = 1")
        _, err = watch.communicate(timeout=SOON)
        self.assertEqual(watch.returncode, 1)
        self.assertIn("damaged", err)

    def test_usage(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        for args, words in ((("r.db", "--every", "0"), "--every '0'"),
                            (("r.db", "-e", "chain"), "--env is for agents"), (("--once",), "--once is for a store")):
            self.assertIn(words, self.do("watch", *args, code=2).stderr)
        self.assertIn("no study file", self.do("watch", "r.db", "none.yaml", code=1).stderr)
        (self.path / "wrong.yaml").write_text("agents: [nobody]\nenvironments: [chain]\n")
        self.assertIn("nobody", self.do("watch", "r.db", "wrong.yaml", "--once", code=2).stderr)

    def test_replaced(self):
        """Another file in its place is followed from its beginning."""
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "5")
        self.do("run", "-q", "study.yaml", "--store", "new.db", "--runs", "40")
        watch = self.start("watch", "r.db", "study.yaml", "--every", "0.05")
        self.assertIn("r.db", watch.stdout.readline())
        os.rename(self.path / "new.db", self.path / "r.db")
        out, _ = watch.communicate(timeout=SOON)
        self.assertEqual(watch.returncode, 0)
        self.assertIn("240 of 240 runs · 6 of 6 cells finished", out)


class Hostile(Case):
    NAMES = ["<b>&amp;</b>", "אבגד right to left", "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂", "e\u0301\u200b\u202e", "x" * 240]

    def test_names(self):
        rows = "".join(f'chain,"{name}",{seed},{seed}\n' for name in self.NAMES for seed in (1, 2, 3))
        (self.path / "theirs.csv").write_text("env,agent,seed,value\n" + rows)
        self.do("store", "import", "r.db", "theirs.csv")
        for columns in ("20", "40", "80", "300"):
            out = self.do("watch", "r.db", "--once", env=dict(os.environ, COLUMNS=columns)).stdout
            self.assertLessEqual(max(map(len, out.splitlines())), int(columns))
            self.assertNotRegex(out, "[\x00-\x09\x0b-\x1f\x7f\u200b\u202e]")
        self.assertIn("<b>&amp;</b>", out)
        self.assertIn("x" * 200, out)
        self.assertRegex(out, r"2\.0 ± 2\.5")

    def test_words_of_a_command(self):
        """The recorded command, copied into a shell, is what was typed; so reads 'watch' the plan from it."""
        name = "it's $(touch ran) `touch ran` \"a\\\\ .yaml"
        os.rename(self.path / "study.yaml", self.path / name)
        words = ["run", "-q", name, "--store", "r.db", "--runs", "2"]
        self.do(*words)
        with contextlib.closing(sqlite3.connect(self.path / "r.db")) as db:
            command, = db.execute("SELECT command FROM session").fetchone()
        done = subprocess.run(["sh", "-c", command.replace("farsight", "printf '%s\\n'", 1)], cwd=self.path,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.splitlines(), words)
        self.assertFalse((self.path / "ran").exists())
        self.assertIn("12 of 12 runs", self.do("watch", "r.db", "--once").stdout)
        self.sql("UPDATE session SET command = ?", command.replace("it'\\''s", '\'"it\'s"\''))  # as older versions did
        self.assertIn("12 of 12 runs", self.do("watch", "r.db", "--once").stdout)

    def test_commands(self):
        """What a store records is never run, and nothing that it names is waited for."""
        os.mkfifo(self.path / "pipe")
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        for command in ("farsight run pipe", "farsight run -e file:pipe -a q-learning", "farsight run -e chain -a "
                        "'process:touch ran'", "farsight run \x1b]0;x\x07 \x1b[2J", "farsight run 'a", "farsight",
                        "farsight run -e", "", "farsight run /dev/stdin", "farsight run --nothing", "rm -rf /",
                        "farsight run -e chain -a q-learning --runs 1e99", "farsight " + "x " * 3000):
            self.sql("UPDATE session SET command = ?", command)
            out = self.do("watch", "r.db", "--once").stdout
            self.assertIn("The plan is not known", out, command)
            self.assertNotIn("\x1b", out)
        self.assertFalse((self.path / "ran").exists())


@unittest.skipIf(PLAIN or not shutil.which("tmux"), "NOT TESTED in a terminal: no ncurses or no tmux")
class Terminal(Case):
    def setUp(self):
        super().setUp()
        self.socket = str(self.path / "tmux")

    def tearDown(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True)
        super().tearDown()

    def tmux(self, *args):
        return subprocess.run(["tmux", "-S", self.socket, *args], capture_output=True, text=True, check=True,
                              env=dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color")).stdout

    def open(self, *args, columns=90, rows=20):
        words = " ".join(f"'{a}'" for a in (FARSIGHT, *args))
        self.tmux("-f", "/dev/null", "-u", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(self.path),
                  f"{words}; echo ended $?; cat")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def sees(self, pattern):
        found = wait_for(lambda: re.search(pattern, self.screen()))
        self.assertTrue(found, (pattern, self.screen()))
        return found

    def settled(self):
        """The screen when it is drawn to its end: the same twice."""
        seen = []
        self.assertTrue(wait_for(lambda: seen.append(self.screen()) or seen[-2:-1] == seen[-1:]), seen[-2:])
        return seen[-1]

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def test_running(self):
        run = self.start(*ENDLESS, "--store", "r.db")
        self.open("watch", "r.db", "--wait", "--every", "0.1")
        first = self.sees(r"running(.|\n)*?([\d,]+) of 4,000,000 runs")[2]
        self.sees(rf"(?!{first} )\b[\d,]+ of 4,000,000 runs · 0 of 4 cells finished · .*steps/s")
        self.sees(r"running, about .* left")
        self.sees(r"▶ chain:n=10 +q-learning .*± .*[▁-▇]{2}")
        self.keys("s")
        self.sees(r"sort: agent(.|\n)*")
        self.keys("Space")
        self.sees(r" paused\n")
        still = self.settled()
        time.sleep(0.3)
        self.assertEqual(self.screen(), still)
        self.keys("Space")
        self.sees(r" running")
        self.keys("f", "delayed")
        self.sees(r"filter: delayed_")
        self.keys("Enter")
        self.sees(r"f filter: delayed")
        self.assertTrue(wait_for(lambda: "q-learning" not in "".join(self.screen().splitlines()[5:12])))
        self.keys("f", "Escape")
        self.sees(r"q-learning")
        self.keys("i")
        self.sees(r"last commit +runs(.|\n)*farsight run -q -e 'chain:n=\[1")
        self.keys("i")
        for columns, rows in ((40, 12), (20, 6), (5, 2), (120, 30)):
            self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
            wait_for(lambda: len(self.screen().splitlines()) == rows)
            self.assertIsNone(run.poll())
        self.sees(r"\n {2}environment(.|\n)*sort: agent")
        self.keys("q")
        self.sees(r"ended 0")

    def test_many_cells(self):
        """More than fit: the work is in sight, keys scroll; the end is said, and Ctrl-C puts all in order."""
        self.do("run", "-q", "-e", "chain", "-a", "q-learning:epsilon=[0.01..0.4 count 40]", "--runs", "2", "--steps", "10",
                "--store", "r.db")
        self.open("watch", "r.db", columns=80, rows=20)
        self.sees(r"finished\n(.|\n)*80 of 80 runs · 40 of 40 cells finished")
        self.sees(r"epsilon=0.01 (.|\n)*cells 1 to 12 of 40")
        self.keys("End")
        self.sees(r"cells 29 to 40 of 40")
        self.keys("Home")
        self.sees(r"cells 1 to 12 of 40")
        self.keys("PageDown", "Down")
        self.sees(r"cells 13 to 24 of 40")
        self.keys("C-c")
        self.sees(r"ended 130")

    def test_without_colour(self):
        self.do("run", "-q", "study.yaml", "--store", "r.db", "--runs", "2")
        os.environ["NO_COLOR"] = "1"
        try:
            self.open("watch", "r.db")
            self.sees(r"12 of 12 runs")
            self.assertNotRegex(self.tmux("capture-pane", "-p", "-e"), "\x1b\\[[34]8;5")
        finally:
            del os.environ["NO_COLOR"]


if __name__ == "__main__":
    unittest.main()
