#!/usr/bin/env python3
"""farsight store and --store, as a user types them. usage: test_store.py FARSIGHT"""
import csv
import hashlib
import io
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import time
import unittest

from command import FARSIGHT, InFolder, farsight, needs_store
from ctrl_c import LIMIT, wait_until
from old_store import make_old

CELLS = ["-a", "q-learning", "-a", "delayed-q:m=3", "--steps", "300", "--metric", "coverage", "--curve", "10,100,300", "--seed",
         str(2**64 - 5)]
SMALL = ["run", "-q", "-e", "chain:n=5", "-e", "riverswim", *CELLS]


def wait_for(path, size):
    """Until the file is there and at least so long."""
    wait_until(lambda: path.exists() and path.stat().st_size >= size)


def contents(store):
    return json.loads(farsight("store", "check", store, "--json").stdout)


@needs_store
class WithStore(InFolder):
    """A folder, in a build that has stores."""

    def fails(self, code, *args, says=()):
        done = farsight(*args, code=code)
        self.assertEqual(done.stdout, "")
        for part in (says,) if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)


class Runs(WithStore):
    def test_stored_is_what_was_printed(self):
        store = self.path / "s.db"
        first = json.loads(farsight(*SMALL, "--runs", 90, "--store", store, "--json").stdout)
        plain = json.loads(farsight(*SMALL, "--runs", 90, "--json").stdout)
        again = json.loads(farsight(*SMALL, "--runs", 90, "--store", store, "--json").stdout)
        for cells in zip(first["cells"], plain["cells"], again["cells"], strict=True):
            for cell in cells:
                del cell["seconds"]
            self.assertEqual(cells[0], cells[1])
            self.assertEqual(cells[0], cells[2])
        rows = list(csv.DictReader(io.StringIO(farsight("store", "export", store).stdout)))
        self.assertEqual(len(rows), 4 * 90 * 8)
        for cell in first["cells"]:
            totals = [r for r in rows if r["series"] == "total" and r["env"] == cell["env"]
                      and r["agent"] == cell["agent"]]
            self.assertEqual([int(r["replicate"]) for r in totals], list(range(90)))
            packed = b"".join(struct.pack("<d", float(r["value"])) for r in totals)
            self.assertEqual(hashlib.sha256(packed).hexdigest(), cell["hash"])
            self.assertEqual({r["seed"] for r in totals}, {str(2**64 - 5)})
        lines = [json.loads(x) for x in farsight("store", "export", store, "--format", "jsonl").stdout.splitlines()]
        self.assertEqual([x["value"] for x in lines], [float(r["value"]) for r in rows])
        self.assertEqual([str(x["step"] or "") for x in lines], [r["step"] for r in rows])
        curve = farsight("store", "export", store, "--series", "curve@100").stdout
        self.assertEqual(len(curve.splitlines()), 1 + 4 * 90)
        for cell in first["cells"]:
            for point in cell["metrics"][0]["curve"]:
                values = [float(r["value"]) for r in rows if r["series"] == "coverage:what=states"
                          and (r["env"], r["agent"]) == (cell["env"], cell["agent"]) and r["step"] == str(point["step"])]
                self.assertEqual(len(values), 90)
                self.assertAlmostEqual(sum(values) / 90, point["mean"])
        self.assertEqual([p["step"] for p in cell["metrics"][0]["curve"]], [10, 100, 300])
        near = farsight("store", "export", store, "--series", "coverage@90")  # the nearest, and a note
        self.assertEqual(near.stdout, farsight("store", "export", store, "--series", "coverage:what=states@100").stdout)
        self.assertIn("this is 'coverage:what=states@100', the nearest checkpoint", near.stderr)
        both = farsight("store", "export", store, "--series", "coverage").stdout
        self.assertEqual(len(both.splitlines()), 1 + 4 * 90 * 4)

    def test_what_is_reused_was_there_before_the_command(self):
        store = self.path / "s.db"
        until = ("run", "-q", "-e", "chain:n=4", "-a", "q-learning", "--steps", 300, "--until",
                 "ci=3%,first=30", "--runs", 5000, "--store", store)  # takes several looks
        counts = lambda *args: re.search(r"\nReused ([\d,]+) runs? from .*; computed ([\d,]+)\.\n",
                                         farsight(*args).stdout).groups()
        number = lambda text: int(text.replace(",", ""))
        reused, computed = map(number, counts(*until))
        self.assertEqual(reused, 0)
        self.assertGreater(computed, 30)
        self.assertEqual(tuple(map(number, counts(*until))), (computed, 0))
        more = ("run", "-q", "-e", "chain:n=4", "-a", "q-learning", "--steps", 300, "--runs",
                computed + 1, "--store", store)
        self.assertEqual(tuple(map(number, counts(*more))), (computed, 1))

    def test_other_programs_read_it(self):
        """As docs/store.md says."""
        store = self.path / "s.db"
        farsight(*SMALL, "--runs", 50, "--store", store)
        db = sqlite3.connect(store)
        rows = db.execute("""SELECT env, agent, first, runs, width, content FROM block JOIN cell ON cell.id = cell
                             JOIN series ON series.id = series WHERE name LIKE 'curve@%' ORDER BY first""").fetchall()
        exported = {(r["env"], r["agent"], int(r["replicate"]), r["step"]): float(r["value"]) for r in csv.DictReader(
            io.StringIO(farsight("store", "export", store, "--series", "curve").stdout))}
        for env, agent, first, runs, width, content in rows:
            numbers = struct.unpack(f"<{runs * width}d", content)
            for i in range(runs):
                for k, step in enumerate(("10", "100", "300")):
                    self.assertEqual(numbers[i * width + k], exported.pop((env, agent, first + i, step)))
        self.assertEqual(exported, {})
        self.assertEqual(db.execute("SELECT DISTINCT seed FROM cell").fetchall(), [(str(2**64 - 5),)])
        db.close()

    def test_snapshots(self):
        store, other = self.path / "s.db", self.path / "other.db"
        small = ("run", "-q", "-e", "chain:n=3", "-a", "r-max", "-a", "directed-delayed-q", "--steps", 60,
                 "--curve", "10,60", "--runs", 5, "--store")
        farsight(*small, store)
        self.assertEqual(json.loads(farsight("store", "info", store, "--json").stdout)["format"], 3)
        self.assertIn("Reused 6 runs", farsight(*small, store, "--snapshots", 2).stdout)
        self.assertIn("computed 0.", farsight(*small, store, "--snapshots", 2).stdout)
        info = json.loads(farsight("store", "info", store, "--json").stdout)
        self.assertEqual((info["format"], info["snapshots"]), (3, 8))
        self.assertIn("8 snapshots", farsight("store", "info", store).stdout)
        self.assertIn("8 snapshots; nothing is wrong", farsight("store", "check", store).stdout)
        self.assertEqual(json.loads(farsight("store", "check", store, "--json").stdout)["snapshots"], 8)
        rows = list(csv.DictReader(io.StringIO(farsight("store", "export", store, "--snapshots").stdout)))
        self.assertEqual(len(rows), 8 * 3 * 2)
        for agent in {r["agent"] for r in rows}:
            for replicate, step in ((0, 10), (0, 60), (1, 10), (1, 60)):
                of = [r for r in rows if (r["agent"], r["replicate"], r["step"]) == (agent, str(replicate), str(step))]
                self.assertEqual([(r["state"], r["action"]) for r in of], [(str(s), str(a)) for s in range(3) for a in range(2)])
                self.assertEqual(sum(float(r["visits"]) for r in of), step)
                self.assertEqual(sum(float(r["probability"]) for r in of), 3)
                self.assertEqual({r["bonus"] != "" for r in of}, {agent.startswith("directed")})
        farsight("store", "merge", other, store)
        self.assertEqual(contents(other), contents(store))
        self.fails(2, *small[:-1], "--snapshots", 2, says="give --store FILE as well")
        self.fails(2, "run", "-e", "chain", "-a", "r-max", "--snapshots", 2, "--store", other, says="checkpoints of a curve")
        self.fails(2, "store", "export", store, "--snapshots", "--series", "total", says="--series and --format do not apply")
        self.fails(2, "store", "info", store, "--snapshots", says="is for 'farsight store export'")

    def test_damaged_snapshots(self):
        store = self.path / "s.db"
        farsight("run", "-q", "-e", "chain:n=3", "-a", "r-max", "--steps", 60, "--curve", "10,60", "--runs", 2,
                 "--store", store, "--snapshots", 1)
        for change, says in (("content = zeroblob(length(content))", "the checksum of a snapshot is wrong"),
                             ("states = 4", "not as large as it claims"), ("step = 11", "the checksum of a snapshot"),
                             ("replicate = -1", "not as large as it claims"), ("cell = 77", "belongs to no cell"),
                             ("session = 77", "belongs to no session"), ("content = x'00'", "not as large as it claims")):
            copy = self.path / "copy.db"
            shutil.copy(store, copy)
            db = sqlite3.connect(copy)
            db.execute(f"UPDATE snapshot SET {change} WHERE step = 10")
            db.commit()
            db.close()
            self.assertIn(says, farsight("store", "check", copy, code=1).stdout)

    def test_info(self):
        store = self.path / "s.db"
        farsight(*SMALL, "--runs", 5, "--store", store)
        info = json.loads(farsight("store", "info", store, "--json").stdout)
        self.assertEqual((len(info["cells"]), info["runs"], len(info["sessions"])), (4, 20, 1))
        self.assertEqual(info["series"][0], "total")
        self.assertEqual(info["series"][2:], [f"{name}@{step}" for name in ("curve", "coverage:what=states")
                                              for step in (10, 100, 300)])
        self.assertEqual(info["cells"][0]["seed"], str(2**64 - 5))
        self.assertIn("--runs 5", info["sessions"][0]["command"])
        text = farsight("store", "info", store).stdout
        for part in ("4 cells, 20 runs", "riverswim", "curve (3 steps), coverage:what=states (3 steps)", "Sessions:", "farsight run -q"):
            self.assertIn(part, " ".join(text.split()))

    def test_long_curves(self):
        """Two curves of thousands of checkpoints: the columns are listed once, in order, without repetition."""
        store = self.path / "s.db"
        for first in (1, 2, 3):
            steps = ",".join(map(str, range(first, 16001, 2)))
            farsight("run", "-q", "-e", "chain:n=5", "-a", "q-learning", "--steps", 16000, "--runs", 1,
                     "--curve", steps, "--store", store)
        info = json.loads(farsight("store", "info", store, "--json").stdout)
        self.assertEqual(info["series"], ["total"] + [f"curve@{i}" for i in range(1, 16001)])
        text = farsight("store", "info", store).stdout
        self.assertIn("1 cell, 1 run (", text)
        self.assertIn("Series: total, curve (16000 steps)\n", text)

    def test_json_is_whole_or_not_at_all(self):
        store = self.path / "s.db"
        farsight(*SMALL, "--runs", 5, "--store", store)
        db = sqlite3.connect(store)
        db.execute("UPDATE series SET width = 7 WHERE name LIKE 'curve%'")
        db.commit()
        db.close()
        self.fails(1, "store", "info", store, "--json", says="is damaged")
        report = json.loads(farsight("store", "check", store, "--json", code=1).stdout)
        self.assertEqual(report["hash"], None)
        self.assertGreater(len(report["faults"]), 0)

    def test_files_are_told_by_content(self):
        model = self.path / "model.drn"
        store = self.path / "s.db"
        for spec, runs in (("chain:n=4", 7), ("chain:n=6", 7), ("chain:n=4", 7)):
            farsight("convert", spec, model)
            farsight("run", "-q", "-e", f"file:{model}", "-a", "q-learning", "--steps", 50, "--runs", runs,
                     "--store", store)
        info = json.loads(farsight("store", "info", store, "--json").stdout)
        self.assertEqual([c["runs"] for c in info["cells"]], [7, 7])
        self.assertEqual(len({c["model"] for c in info["cells"]}), 2)
        self.assertEqual(len({c["env"] for c in info["cells"]}), 1)

    def test_two_at_once(self):
        args = [*SMALL, "--runs", "400", "--threads", "1", "--store", str(self.path / "both.db")]
        processes = [subprocess.Popen([FARSIGHT, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                     for _ in range(3)]
        for process in processes:
            self.assertEqual(process.communicate()[1], b"")
            self.assertEqual(process.returncode, 0)
        farsight(*SMALL, "--runs", 400, "--store", self.path / "one.db")
        self.assertEqual(contents(self.path / "both.db")["hash"], contents(self.path / "one.db")["hash"])

    def test_of_an_option_that_is_given_twice_the_last_counts(self):
        store = self.path / "s.db"
        farsight(*SMALL, "--runs", 2, "--store", store)
        export = ["store", "export", store, "--format"]
        self.assertEqual(farsight(*export, "csv", "--format", "jsonl").stdout, farsight(*export, "jsonl").stdout)
        farsight(*export, "csv", "-o", self.path / "a", "-o", self.path / "b")
        self.assertEqual([p.name for p in sorted(self.path.iterdir())], ["b", "s.db"])

    def lose(self, lose):
        """What a run says whose store s.db is lost while it is written, and how many numbers were committed before."""
        store = self.path / "s.db"
        process = subprocess.Popen([FARSIGHT, *SMALL, "--runs", "3e5", "--store", str(store)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        wait_for(pathlib.Path(f"{store}-wal"), 100000)
        before = contents(store)["values"]
        lose()
        said = process.communicate(timeout=LIMIT)[1]
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("s.db': it was moved, removed or replaced while it was in use; what was committed is in the moved file", said)
        log = pathlib.Path(f"{store}-wal")
        self.assertTrue(not log.exists() or log.stat().st_size == 0)
        return before

    def test_renamed_while_it_is_written(self):
        """What was committed goes with the file, and not with its log, which keeps the old name."""
        store, other = self.path / "s.db", self.path / "t.db"
        before = self.lose(lambda: store.rename(other))
        self.assertGreater(before, 0)
        self.assertGreaterEqual(contents(other)["values"], before)
        self.assertEqual(contents(other)["faults"], [])
        farsight(*SMALL, "--runs", 3, "--store", store)  # a new one of the old name
        self.assertEqual(contents(store)["values"], 4 * 3 * 8)

    def test_replaced_while_it_is_written(self):
        """The store that takes the name keeps its own results; the first has what was committed, under its other name."""
        store, other, mine = self.path / "s.db", self.path / "other.db", self.path / "mine.db"
        farsight("store", "import", other, self.file("a.csv", "env,agent,seed,value\na,b,1,2\na,b,2,3\n"))
        hash_before = contents(other)["hash"]

        def replace():
            os.rename(store, mine)
            os.rename(other, store)
        before = self.lose(replace)
        self.assertEqual(contents(store)["hash"], hash_before)
        self.assertGreaterEqual(contents(mine)["values"], before)
        shutil.copy(store, other)
        self.lose(lambda: os.replace(other, store))
        self.assertEqual(contents(store)["hash"], hash_before)

    def test_log_of_another_store(self):
        """A writer that is killed leaves a log; a store that then takes the name has nothing to do with it."""
        store, other = self.path / "s.db", self.path / "other.db"
        farsight("store", "import", other, self.file("a.csv", "env,agent,seed,value\na,b,1,2\na,b,2,3\n"))
        process = subprocess.Popen([FARSIGHT, *SMALL, "--runs", "3e5", "--store", store], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        log = self.path / "s.db-wal"
        try:
            wait_for(log, 50_000)
        finally:
            process.kill()
            process.wait()
        before, kept = other.read_bytes(), log.read_bytes()
        shutil.copy(store, self.path / "mine.db")
        shutil.copy(other, store)
        for command in (("store", "check", store), ("store", "info", store), (*SMALL, "--runs", 3, "--store", store)):
            self.fails(1, *command, says=["(" + repr(str(log)) + ") is of another store", "or remove it"])
        self.assertEqual((store.read_bytes(), log.read_bytes()), (before, kept))
        shutil.copy(log, self.path / "mine.db-wal")
        farsight("store", "check", self.path / "mine.db")  # under its own store's name it is good
        self.assertGreater(contents(self.path / "mine.db")["values"], 0)
        log.unlink()
        (self.path / "s.db-shm").unlink(missing_ok=True)
        farsight(*SMALL, "--runs", 3, "--store", store)
        self.assertEqual(contents(store)["values"], 4 * 3 * 8 + 2)

    def test_every_log_names_its_store(self):
        """Also a log of one small commit, to a store that was there before."""
        store, other = self.path / "s.db", self.path / "other.db"
        for name in (store, other):
            farsight(*SMALL, "--runs", 3, "--store", name)
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as reader:  # keeps the log from being taken in
            reader.execute("SELECT count(*) FROM cell").fetchall()
            farsight(*SMALL, "--runs", 4, "--store", store)
            log = (self.path / "s.db-wal").read_bytes()
        reader.close()
        (self.path / "other.db-wal").write_bytes(log)
        self.fails(1, "store", "check", other, says="is of another store")

    def test_log_without_its_store(self):
        """A killed writer whose store was renamed leaves a log with results: a new store would remove it."""
        store = self.path / "s.db"
        log = self.file("s.db-wal", "results\n")
        self.fails(1, *SMALL, "--runs", 3, "--store", store, says=["s.db-wal'), which may have results", "otherwise remove the log"])
        self.assertEqual((log.read_text(), store.exists()), ("results\n", False))

    def test_two_names_of_one_file(self):
        """Each name has a log of its own, and what is in one the other does not show."""
        store, other = self.path / "s.db", self.path / "t.db"
        farsight(*SMALL, "--runs", 3, "--store", store)
        os.link(store, other)
        before = store.read_bytes()
        for name in (store, other):
            self.fails(1, *SMALL, "--runs", 5, "--store", name, says=["the file has 2 names (hard links)", "remove the other names"])
        self.assertEqual(store.read_bytes(), before)
        self.assertEqual(contents(other)["values"], 4 * 3 * 8)  # to read it is safe
        other.unlink()
        farsight(*SMALL, "--runs", 5, "--store", store)
        self.assertEqual(contents(store)["values"], 4 * 5 * 8)

    def test_early_failure_leaves_no_file(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        done = farsight(*SMALL, "--runs", 3, "--store", self.path / "s.db", code=1, preexec_fn=limit)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(os.listdir(self.path), [])
        empty = self.file("mine.db", "")  # a file of the user stays, whatever is in it
        farsight(*SMALL, "--runs", 3, "--store", empty, code=1, preexec_fn=limit)
        self.assertEqual(os.listdir(self.path), ["mine.db"])

    def test_moved_or_removed_while_it_is_written(self):
        """What would be committed to a file without its name is lost, and nobody would know."""
        store, other = self.path / "s.db", self.path / "other.db"
        for lose in (lambda: store.rename(other), lambda: [p.unlink() for p in self.path.glob("s.db*")],
                     lambda: shutil.copy(other, self.path / "new") and os.replace(self.path / "new", store)):
            process = subprocess.Popen([FARSIGHT, *SMALL, "--runs", "3e5", "--store", str(store)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            wait_for(pathlib.Path(f"{store}-wal"), 100000)
            lose()
            said = process.communicate(timeout=LIMIT)[1]
            self.assertEqual(process.returncode, 1, said)
            self.assertIn("s.db': it was moved, removed or replaced while it was in use", said)
            for path in self.path.glob("s.db*"):
                path.unlink()

    def test_kill_and_resume(self):
        """Killed at random moments, again and again; now and then two at a time. There are new runs each time, and none
        ends before it is killed: the first plan of its last agent takes days."""
        dice = random.Random(5)
        store, args = self.path / "killed.db", [*SMALL, "--runs", "8000"]
        farsight(*args, "--store", self.path / "whole.db")
        for i in range(25):
            some = ["run", "-q", "-e", ("chain:n=5", "riverswim")[i % 3 == 0], *CELLS, "-a", "mbie:gamma=0.99999999999",
                    "--runs", str(300 * (i + 1))]
            group = [subprocess.Popen([FARSIGHT, *some, "--store", str(store)], stdout=subprocess.DEVNULL)
                     for _ in range(1 + i % 2)]
            time.sleep(dice.uniform(0, 0.05))
            for process in group:
                process.kill()
                self.assertEqual(process.wait(), -signal.SIGKILL)
            if store.exists() and store.stat().st_size > 0 and i % 5 == 0:
                done = subprocess.run([FARSIGHT, "store", "check", store], capture_output=True, text=True)
                if done.returncode != 0:  # killed while it was being made
                    self.assertIn("is empty, and so not a store yet", done.stderr)
        farsight(*args, "--store", store)
        self.assertEqual(contents(store)["hash"], contents(self.path / "whole.db")["hash"])
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["killed.db", "whole.db"])

    def test_interrupt(self):
        store = self.path / "s.db"
        args = ["run", "-q", "-e", "chain:n=10", "-a", "delayed-q", "--steps", "200000", "--runs", "1000000",
                "--store", str(store)]
        process = subprocess.Popen([FARSIGHT, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_for(self.path / "s.db-wal", 50000)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=LIMIT)[1]
        self.assertEqual(process.returncode, 130)
        finished = int(error.split(" of 1000000 runs")[0].split()[-1])
        self.assertEqual(contents(store)["values"], finished)
        self.assertEqual([p.name for p in self.path.iterdir()], ["s.db"])

    @unittest.skipIf("FARSIGHT_TESTS_OTHER_ORDER" in os.environ, "SQLite's shared memory has the byte order of the machine")
    def test_signals_while_another_writes(self):
        """Whoever waits for the lock says so, and stops when it is told to."""
        store, other = self.path / "s.db", self.path / "other.db"
        for path, runs in ((store, 3), (other, 9)):
            farsight(*SMALL, "--runs", runs, "--store", path)
        rows = self.file("a.csv", "env,agent,seed,value\na,b,1,2\n")
        before = contents(store)
        db = sqlite3.connect(store, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        loud = [word for word in SMALL if word != "-q"]
        commands = (([*loud, "--runs", "9", "--store", store], signal.SIGTERM, "the last runs are not stored"),
                    (["store", "import", store, rows], signal.SIGINT, "stopped; nothing was changed"),
                    (["store", "merge", store, other], signal.SIGINT, "stopped; nothing was changed"))
        waiting = [subprocess.Popen([FARSIGHT, *map(str, args)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                    text=True) for args, _, _ in commands]
        for process, (_, number, says) in zip(waiting, commands, strict=True):
            self.assertEqual(next(line for line in process.stderr if "outside the guarantee" not in line),
                             f"farsight: note: waiting for another process that writes to '{store}'\n")
            process.send_signal(number)
            self.assertIn(says, process.communicate(timeout=300)[1])
            self.assertEqual(process.returncode, 128 + number)
        db.execute("ROLLBACK")
        db.close()
        self.assertEqual(contents(store), before)

    def test_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        store = self.path / "s.db"
        done = farsight(*SMALL, "--runs", 20000, "--store", store, code=1, preexec_fn=limit)
        self.assertIn("what was committed is kept", done.stderr)
        self.assertIn("cannot write", done.stderr)
        some = contents(store)
        self.assertEqual(some["faults"], [])
        self.assertGreater(some["values"], 0)
        farsight(*SMALL, "--runs", 20000, "--store", store)
        self.assertEqual(contents(store)["values"], 4 * 20000 * 8)

    def test_foreign_and_damaged(self):
        letter = self.file("letter.txt", "Dear store\n")
        other = self.path / "other.db"
        db = sqlite3.connect(other)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE mine(x)")
        db.commit()
        db.close()
        for path, says in ((letter, "is not a farsight store"), (other, "of another program")):
            before = path.read_bytes()
            self.fails(1, *SMALL, "--runs", 2, "--store", path, says=[says, "left unchanged"])
            self.fails(1, "store", "info", path, says=says)
            self.assertEqual(path.read_bytes(), before)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["letter.txt", "other.db"])
        store = self.path / "s.db"
        farsight(*SMALL, "--runs", 20, "--store", store)
        db = sqlite3.connect(store)
        db.execute("UPDATE block SET content = zeroblob(length(content)) "
                   "WHERE id = (SELECT max(id) FROM block WHERE cell <> 1)")
        db.execute("UPDATE cell SET steps = 301 WHERE id = 1")
        db.commit()
        db.close()
        done = farsight("store", "check", store, code=1)
        self.assertIn("is not what its key says", done.stdout)
        self.assertIn("the checksum of a block is wrong", done.stdout)
        self.assertIn("2 things are wrong", done.stdout)
        report = json.loads(farsight("store", "check", store, "--json", code=1).stdout)
        self.assertEqual((len(report["faults"]), report["hash"]), (2, None))
        self.fails(1, "store", "export", store, "-o", self.path / "out.csv", says="is damaged")
        self.assertFalse((self.path / "out.csv").exists())


class Version1(WithStore):
    """Stores of version 1.0: its results stay, are shown apart, and are not reused; figures show those of this version."""

    ENVS = ("-e", "chain", "-e", "frozen-lake", "-e", "riverswim")
    LIKE = ("--steps", 200, "--runs", 6, "--curve", 4)

    def setUp(self):
        super().setUp()
        self.store = self.path / "old.db"
        farsight("run", "-q", *self.ENVS, "-a", "directed-delayed-q:gamma=short,steps=10000", "-a", "q-learning:gamma=0.7",
                 *self.LIKE, "--store", self.store)
        make_old(self.store)

    def test_opens(self):
        self.assertEqual(contents(self.store)["faults"], [])
        info = farsight("store", "info", self.store).stdout
        self.assertEqual(info.count("another version\n"), 6)
        self.assertEqual(info.count("  directed-delayed-q:gamma=short,steps=10000 "), 3)
        self.assertIn("Cells of another version (numerics 2, this one has 3) are shown apart", info)
        text = farsight("stats", self.store, "--resamples", 100).stdout
        self.assertIn("by another version (numerics 2)", text)
        self.assertNotIn("no scores over all environments", " ".join(text.split()))  # one agent on all of them
        farsight("plot", "curves", self.store, "-o", self.path / "c.svg")
        farsight("report", self.store, "--resamples", 100, "-o", self.path / "r.html")
        self.fails(2, "plot", "q", self.store, says="are of another version (numerics 2, this one has 3)")

    def test_resumes(self):
        run = ("run", *self.ENVS, "-a", "directed-delayed-q", "-a", "q-learning", *self.LIKE, "--store", self.store)
        said = farsight(*run).stderr
        self.assertIn("has results of another version (numerics 2, this one has 3): they stay in it", said)
        info = json.loads(farsight("store", "info", self.store, "--json").stdout)
        self.assertEqual(sorted(cell["numerics"] for cell in info["cells"]), [2] * 6 + [3] * 6)
        self.assertEqual(contents(self.store)["faults"], [])
        text = farsight("stats", self.store, "--resamples", 100).stdout
        self.assertIn("Group 1 of 2: Undiscounted reward, steps 200, seed 1, by another version (numerics 2)", text)
        self.assertIn("Group 2 of 2: Undiscounted reward, steps 200, seed 1; higher is better", text)
        for kind in ("curves", "intervals", "differences", "q"):
            figure = farsight("plot", kind, self.store, "--resamples", 100).stdout
            self.assertNotIn("gamma=0.7", figure)
            if kind != "q":
                self.assertIn("6 cells of an older version left out", figure)
        page = farsight("report", self.store, "--resamples", 100, "--format", "text").stdout
        self.assertIn("200 steps, seed 1, by another version (numerics 2)", page)
        again = farsight("run", "--dry-run", *run[1:]).stdout
        self.assertIn("36 runs are in", again)


class Files(WithStore):
    CSV = ('seed,value,"agent",env,time\r\n1,0.1,"mine, v2",chain,9\r\n2,-0,"mine, v2",chain,9\r\n'
           '\r\n40,1e-300,"say ""hi""",chain,9\r\n3,inf,"mine, v2",chain,9')

    def test_round_trips(self):
        first, second, third = (self.path / f"{x}.db" for x in "abc")
        done = farsight("store", "import", first, self.file("in.csv", self.CSV))
        self.assertEqual(done.stdout, f"{first}: 4 rows, 4 of them new\n")
        self.assertIn("not read: time", done.stderr)
        done = farsight("store", "import", self.path / "one.db",
                        self.file("one.csv", "env,agent,seed,value\na,b,1,2\n"))
        self.assertEqual(done.stdout, f"{self.path / 'one.db'}: 1 row, 1 of them new\n")
        before = first.read_bytes()
        done = farsight("store", "import", first, self.path / "in.csv", "--json")
        answer = json.loads(done.stdout)
        self.assertEqual({key: answer[key] for key in ("rows", "added", "apart")}, {"rows": 4, "added": 0, "apart": 0})
        self.assertEqual(first.read_bytes(), before)
        farsight(*SMALL, "--runs", 12, "--store", first)
        farsight("store", "export", first, "-o", self.path / "out.csv")
        farsight("store", "import", second, self.path / "out.csv")
        farsight("store", "export", second, "-o", self.path / "again.csv")
        read = lambda name: (self.path / name).read_text().splitlines()
        strip = lambda name: [row[:-1] for row in csv.reader(read(name))]
        self.assertEqual(strip("out.csv"), strip("again.csv"))  # all but `numerics`
        values = [row["value"] for row in csv.DictReader(read("out.csv"))
                  if row["agent"] == "mine, v2"]
        self.assertEqual(values, ["0.1", "-0", "inf"])
        farsight("store", "merge", third, first)
        self.assertEqual(contents(first)["hash"], contents(third)["hash"])
        done = json.loads(farsight("store", "merge", third, first, "--json").stdout)
        self.assertEqual((done["command"], done["stores"], done["added"]), ("store", 1, 0))
        self.assertEqual(json.loads(farsight("store", "info", third, "--json").stdout)["sessions"],
                         json.loads(farsight("store", "info", first, "--json").stdout)["sessions"])

    def test_merge(self):
        stores = [self.path / f"{i}.db" for i in range(3)]
        farsight(*SMALL, "--runs", 30, "--store", stores[0])
        farsight(*SMALL, "--runs", 50, "--store", stores[1])
        farsight(*SMALL, "--runs", 70, "-e", "loop", "--store", stores[2])
        farsight("store", "merge", stores[0], *stores[1:])
        self.assertEqual(contents(stores[0])["hash"], contents(stores[2])["hash"])
        wrong = self.path / "wrong.db"
        farsight("store", "import", wrong, self.file("w.csv", "env,agent,seed,value\na,b,1,1\na,c,1,2\n"))
        farsight("store", "import", stores[0], self.file("r.csv", "env,agent,seed,value\na,c,1,3\n"))
        before = contents(stores[0])
        self.fails(1, "store", "merge", stores[0], wrong,
                   says=["run 1 of 'c' on 'a'", "total is 3 in", "and 2 here"])
        self.assertEqual(contents(stores[0]), before)
        self.fails(1, "store", "merge", stores[0], stores[0], says="into itself")

    def test_curves_and_metrics_from_elsewhere(self):
        store = self.path / "s.db"
        farsight("store", "import", store, self.file(
            "c.csv", "env,agent,seed,steps,step,metric,value\na,b,1,100,50,,1\na,b,1,100,100,,2\n"
                     "a,b,1,100,,loss,0.5\na,b,1,100,,total,2\na,b,2,100,50,curve,3\na,b,1,100,50,loss,0.7\n"))
        text = farsight("store", "export", store).stdout.splitlines()[1:]
        self.assertEqual(text, ["a,b,100,,0,1,total,,2,,0", "a,b,100,,0,1,loss,,0.5,,0",
                                "a,b,100,,0,1,curve,50,1,,0", "a,b,100,,0,2,curve,50,3,,0",
                                "a,b,100,,0,1,curve,100,2,,0", "a,b,100,,0,1,loss,50,0.7,,0"])
        short = self.path / "short.db"  # a metric's short name is what was imported
        farsight("store", "import", short, self.file(
            "m.csv", "env,agent,seed,metric,value\n" + "".join(
                f"a,{agent},{seed},regret,{seed + worse}\n" for agent, worse in (("b", 0), ("c", 50)) for seed in range(5))))
        self.assertIn("lower is better", farsight("stats", short, "--series", "regret").stdout)
        again = self.path / "again.db"  # what is exported can be imported
        farsight("store", "import", again, self.file("e.csv", farsight("store", "export", store).stdout))
        self.assertEqual(farsight("store", "export", again).stdout, farsight("store", "export", store).stdout)

    def test_errors_say_where(self):
        head = "env,agent,seed,value\n"
        for text, says in (
                ("", ":1:1: the file is empty"),
                ("env,agent,seed\n", ":1:1: there is no column 'value'"),
                ("env,agent,seeds,value\n", ":1:11: there is no column 'seed'; did you mean 'seeds'?"),
                ("env;agent;seed;value\n", "commas, not semicolons"),
                ("env\tagent\tseed\tvalue\n", "commas, not tabs"),
                ("env,agent,env,seed,value\n", ":1:11: a second column 'env'"),
                (head + "a,b,1,1\na,b,1.5,2\n", ":3:5: seed '1.5' must be a whole number from 0 to"),
                (head + "a,b,-1,2\n", ":2:5: seed '-1'"),
                (head + "a,b,1,nan\n", ":2:7: value 'nan' must be a number"),
                (head + "a,b,1,\n", ":2:7: value ''"),
                (head + ",b,1,2\n", ":2:1: env '' must be a name"),
                (head + "a,b,1,2\na,b,1\n", ":3:1: 3 fields; the first line has 4"),
                (head + "a,b,1,2\na,b,2,1\na,b,1,3\n", ":4:1: total of seed or replicate 1 of 'b' on 'a' is 3; line 2 has 2"),
                (head + 'a,"b,1,2\n', ":2:3: a quoted field does not end"),
                ("env,agent,seed,value,steps\na,b,1,2,x\n", ":2:9: steps 'x'"),
                ("env,agent,seed,value,series\na,b,1,2,curve\n", ":2:9: a row of a curve needs its step"),
                ("env,agent,seed,value,series,step\na,b,1,2,total,3\n", ":2:15: the total has no steps"),
                ("env,agent,seed,value,model\na,b,1,2,x\n", ":2:9: model 'x' must be"),
                ("env,agent,seed,replicate,value\na,b,-3,1,2\n", ":2:5: seed '-3' must be"),
        ):
            store = self.path / "s.db"
            self.fails(1, "store", "import", store, self.file("bad.csv", text), says=["bad.csv", says])
            self.assertFalse(store.exists())
        empty = self.path / "empty.db"
        farsight("store", "import", empty, self.file("none.csv", head))
        self.fails(1, "store", "import", empty, self.file("bad.csv", head + "a,b,1,x\n"), says=":2:7: value 'x'")
        self.assertEqual(contents(empty)["values"], 0)

    def test_a_slip_leaves_no_store(self):
        missing = self.path / "missing"
        self.fails(1, "store", "import", self.path / "s.db", missing, says="missing': No such file")
        self.fails(1, "store", "merge", self.path / "s.db", missing, says="missing': No such file")
        letter = self.file("letter.txt", "Dear store\n")
        self.fails(1, "store", "merge", self.path / "s.db", letter, says="is not a farsight store")
        self.assertEqual([p.name for p in self.path.iterdir()], ["letter.txt"])

    def test_numbers_are_compared_by_their_bits(self):
        head, store = "env,agent,seed,value\n", self.path / "s.db"
        plus, minus = self.file("plus.csv", head + "a,b,1,0\n"), self.file("minus.csv", head + "a,b,1,-0\n")
        farsight("store", "import", store, plus)
        self.fails(1, "store", "import", store, minus, says=["total is 0 in", "and -0 here"])
        self.fails(1, "store", "import", self.path / "t.db", self.file("both.csv", head + "a,b,1,0\na,b,1,-0\n"),
                   says=":3:1: total of seed or replicate 1 of 'b' on 'a' is -0; line 2 has 0")

    def test_foreign_files_beside_a_new_store(self):
        """A new store is filled under another name, which is never one that is taken; and only that is removed."""
        table, store = self.file("a.csv", "env,agent,seed,value\na,b,1,2\n"), self.path / "s.db"
        victim = self.path / "victim.db"

        def leave_files():  # the process is the one that then runs the command
            for number in (os.getpid(), 0):
                (self.path / f"s.db.{number}.new").write_text("precious\n")

        def leave_links():
            for number in (os.getpid(), 0):
                (self.path / f"s.db.{number}.new").symlink_to(victim)
        for leave, stays in ((leave_files, lambda p: p.read_text() == "precious\n"), (leave_links, pathlib.Path.is_symlink)):
            for action in ("import", "merge"):
                other = table if action == "import" else self.path / "other.db"
                farsight("store", action, store, other, preexec_fn=leave)
                self.assertEqual(contents(store)["values"], 1)
                left = list(self.path.glob("s.db.*"))
                self.assertEqual([stays(p) for p in left], [True, True], left)
                self.assertFalse(victim.exists())
                for path in left:
                    path.unlink()
                store.rename(self.path / "other.db")

    def test_outputs_that_are_inputs(self):
        """By the file, not by its name: links count."""
        store, link, hard = (self.path / name for name in ("s.db", "link.csv", "hard.csv"))
        farsight(*SMALL, "--runs", 2, "--store", store)
        os.symlink(store, link)
        os.link(store, hard)
        before = store.read_bytes()
        for output in (store, link, hard):
            for command in (("store", "export", store), ("report", store), ("store", "export", store, "--snapshots")):
                self.fails(2, *command, "-o", output, says=[f"cannot write '{output}': it is the same file as '{store}'",
                                                            "write to another file"])
        hard.unlink()
        named = self.path / "fig.svg"
        os.symlink(store, named)
        for command in (("plot", "intervals", store), ("watch", store, "--once")):
            self.fails(2, *command, "-o", named, says="which the command reads")
        self.assertEqual(store.read_bytes(), before)
        self.assertTrue(link.is_symlink() and named.is_symlink())
        out = self.path / "export"  # the name of an action is no input
        for _ in range(2):
            farsight("store", "export", "s.db", "-o", "export", cwd=self.path)
        self.assertTrue(out.exists())

    def test_models_and_studies_that_would_be_replaced(self):
        model, link = self.path / "m.json", self.path / "l.json"
        farsight("convert", "chain:n=3", model)
        os.symlink(model, link)
        text = model.read_text()
        for args in ((model, model), (link, model), (model, link), ("-e", f"file:{model}", link), (model, "-o", link),
                     ("-", model, "--from", "json")):
            with model.open(encoding="ascii") as stdin:
                done = subprocess.run([FARSIGHT, "convert", *map(str, args)], stdin=stdin, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("which the command reads; write to another file", done.stderr)
        cells = ("-a", "q-learning", "--steps", "10")
        self.fails(2, "run", "-e", f"file:{model}", *cells, "--save-study", link, says="it is the same file as")
        study = self.path / "study.yaml"
        farsight("run", "-e", f"file:{model}", *cells, "--save-study", study)
        written = study.read_text()
        self.fails(2, "run", study, "--save-study", study, says="it is the same file as")
        self.fails(2, "run", study, "--save-study", model, says="it is the same file as")
        self.assertEqual((model.read_text(), study.read_text()), (text, written))

    def test_usage(self):
        store = self.path / "s.db"
        farsight("store", "import", store, self.file("a.csv", "env,agent,seed,value\na,b,1,2\n"))
        self.fails(2, "store", says="info, check, export, import, merge")
        self.fails(2, "store", "inof", store, says="did you mean 'info'")
        self.fails(2, "store", "info", says="needs a store")
        self.fails(2, "store", "merge", store, says="needs OTHER")
        self.fails(2, "store", "info", store, "more", says="unexpected argument 'more'")
        self.fails(2, "store", "info", store, "-o", "x", says="for 'farsight store export'")
        self.fails(2, "store", "export", store, "--table", "cells", says="--table chooses a table of")
        self.fails(2, "store", "export", store, "--json", says="--format jsonl")
        self.fails(2, "store", "export", store, "--format", "xml", says="csv or jsonl")
        self.fails(2, "store", "export", store, "--series", "loss", says="has no series 'loss'")
        self.fails(1, "store", "info", self.path / "none.db", says="none.db")
        self.fails(1, "store", "export", store, "-o", self.path / "no" / "x.csv", says="cannot write")
        self.assertFalse((self.path / "none.db").exists())

    def test_export_is_whole_or_not_at_all(self):
        store, out = self.path / "s.db", self.file("out.csv", "old\n")
        rows = "".join(f"a,b,{i},{i}.5\n" for i in range(40000))
        farsight("store", "import", store, self.file("a.csv", "env,agent,seed,value\n" + rows))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        done = farsight("store", "export", store, "-o", out, code=1, preexec_fn=limit)
        self.assertIn("cannot write", done.stderr)
        self.assertEqual(out.read_text(), "old\n")
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["a.csv", "out.csv", "s.db"])
        os.symlink(out, self.path / "link.csv")
        farsight("store", "export", store, "-o", self.path / "link.csv")
        self.assertEqual(len(out.read_text().splitlines()), 40001)

    def test_export_that_cannot_be_written(self):
        store = self.path / "s.db"
        farsight("store", "import", store, self.file("a.csv", "env,agent,seed,value\n" + "".join(
            f"a,b,{i},{i}.5\n" for i in range(4000))))
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([FARSIGHT, "store", "export", store], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "farsight: cannot write the output: No space left on device\n"))

    def test_interrupt(self):
        store, rows = self.path / "s.db", self.path / "a.csv"
        with rows.open("w", encoding="ascii") as f:
            f.write("env,agent,seed,value\n")
            f.writelines(f"a{i % 7},b,{2 * i},{i}.5\n" for i in range(400000))
        process = subprocess.Popen([FARSIGHT, "store", "import", str(store), str(rows)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: store.exists() or list(self.path.glob("s.db.*.new/store-shm")))
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
        if process.returncode != 0:  # it may have been faster
            self.assertEqual(process.returncode, 130)
            self.assertIn("stopped; nothing was changed", error)
            self.assertEqual(os.listdir(self.path), ["a.csv"])

    def test_what_cannot_be_taken_in_leaves_no_store(self):
        rows = "".join(f"a,b,{i},{i}.5\n" for i in range(40000))
        table, whole = self.file("a.csv", "env,agent,seed,value\n" + rows), self.path / "whole.db"
        farsight("store", "import", whole, table)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        for action, other in (("import", table), ("merge", whole)):
            done = farsight("store", action, self.path / "new.db", other, code=1, preexec_fn=limit)
            self.assertIn("cannot write", done.stderr)
            self.assertEqual(sorted(os.listdir(self.path)), ["a.csv", "whole.db"])
        farsight("store", "merge", self.path / "new.db", whole)
        self.assertEqual(contents(self.path / "new.db")["hash"], contents(whole)["hash"])

    def test_deleted_rows(self):
        """What is found by a row that is gone must not be passed over."""
        whole, store = self.path / "whole.db", self.path / "s.db"
        farsight(*SMALL, "--runs", "9", "--snapshots", "1", "--store", whole)
        for table, refused in (("cell", ("check", "info", "export")), ("series", ("check", "info", "export")),
                               ("session", ("check", "info"))):
            shutil.copy(whole, store)
            with sqlite3.connect(store) as db:
                db.execute(f"DELETE FROM {table} WHERE id = 1")
            db.close()
            for action in refused:
                done = farsight("store", action, store, code=1)
                self.assertRegex(done.stderr + done.stdout, f"belongs? to no .*{table}")


if __name__ == "__main__":
    unittest.main()
