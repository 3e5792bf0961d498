#!/usr/bin/env python3
"""Stores and files that mean harm, or are not what they should be: every command says so and ends.
usage: test_hostile.py FARSIGHT"""
import json
import os
import sqlite3
import subprocess
import unittest

from command import FARSIGHT, NO_STORE, InFolder, farsight, needs_store
from hostile_store import change_cell, make_maze

RUN = ["run", "-q", "-e", "chain:n=5", "-a", "q-learning", "--steps", "30", "--runs", "5"]


# ---- stores ----

@needs_store
class Stores(InFolder):
    def setUp(self):
        super().setUp()
        self.store = self.path / "s.db"
        farsight(*RUN, "--store", self.store)

    def change(self, *statements):
        db = sqlite3.connect(self.store)
        for sql in statements:
            db.execute(*([sql] if isinstance(sql, str) else sql))
        db.commit()
        db.close()

    def change_cell(self, **changes):
        db = sqlite3.connect(self.store)
        change_cell(db, **changes)
        db.close()

    def says(self, part, *args, store=None):
        done = farsight(*args, store or self.store, code=1)
        self.assertIn(part, done.stdout + done.stderr)
        self.assertLess(len(done.stdout + done.stderr), 20000)

    def test_labels(self):
        self.change(("UPDATE label SET agent = ?", ("x" * 5000,)))
        self.says("an agent's label of cell 1 has 5000 bytes, at most 4096", "stats")
        self.change("UPDATE label SET agent = ''")
        for command in ("stats", "report", "store info"):
            self.says("a label of cell 1 is empty", *command.split())
        self.says("label 1 is empty or no text", "store", "check")
        self.change(("UPDATE label SET agent = ?, env = ?", ("\x1b[31mred\u202e", "<script>\n")))
        for command in ("stats", "store info"):
            self.assertNotRegex(farsight(*command.split(), self.store).stdout, "[\x1b\u202e]")
        self.change("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
                    "INSERT INTO label SELECT 1, 'e' || i, 'a' || i FROM n")
        farsight("stats", self.store)  # reads the first of them
        self.change("UPDATE label SET cell = 77")
        self.says("label 1 belongs to no cell", "store", "check")

    def test_long_names(self):
        """The first of these sizes went over the end of a buffer, the second is what strangers tried."""
        for column in "agent", "env":
            for size in 5000, 60000000 if column == "agent" else 3000000:
                self.change_cell(**{column: "x" * size})
                for command in ["stats"], ["store", "info"], ["store", "check"], ["store", "export"]:
                    self.says("is damaged or not a store: ", *command)
                self.says("cell 1 has ", "store", "check")
                other = self.path / "other.db"
                done = farsight("store", "merge", other, self.store, code=1)
                self.assertIn("is damaged or not a store: ", done.stderr)
            self.change_cell(**{column: "y"})
        self.change_cell(agent="x" * 4097)
        self.says("the agent of cell 1 has 4097 bytes, at most 4096", "stats")

    def test_other_long_texts(self):
        longest = {"version": 1024, "compiler": 1024, "machine": 1024, "command": 1 << 20, "started": 1024}
        for column, size in longest.items():
            self.change((f"UPDATE session SET {column} = ?", ("x" * (size + 1),)))
            self.says(f"session 1 has {size + 1} bytes, at most {size}", "store", "info")
            self.says("is damaged or not a store", "store", "check")
            self.change((f"UPDATE session SET {column} = ?", ("x" * 3000000,)))
            self.says("has more than", "store", "info")
            self.says("session 1 has more than", "store", "check")
            self.change(f"UPDATE session SET {column} = 'x'")
        for size in (1 << 20) + 1, 3000000:
            self.change(("INSERT INTO series(name, width) VALUES(?, 1)", ("m" * size,)))
            for command in ["stats"], ["store", "info"], ["store", "check"]:
                self.says("is damaged or not a store", *command)
            self.change("DELETE FROM series WHERE name LIKE 'mm%'")
        farsight("stats", self.store)

    def test_longest_name_from_elsewhere(self):
        """A name that import takes, stats takes."""
        name = "y" * 4096
        table = self.file("t.csv", f"env,agent,seed,value\nchain,{name},1,2\nchain,{name},2,3\n{name},a,1,2\n")
        other = self.path / "other.db"
        farsight("store", "import", other, table)
        for command in ["stats"], ["store", "info"], ["store", "check"], ["store", "export"]:
            farsight(*command, other)
        self.assertIn(name, farsight("stats", "--json", other).stdout)

    def test_foreign_objects(self):
        """What SQLite would run for somebody else is not taken, in any mode, and nothing is changed."""
        endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
        columns = "name, version, numerics, compiler, machine, processors, command, started, last, seal"
        for kind, name, sql in [
                ("trigger", "t", f"""CREATE TRIGGER t AFTER INSERT ON block BEGIN INSERT INTO session({columns})
                    {endless} SELECT 'n' || x, '', 0, '', '', 0, '', '', '', 0 FROM c; END"""),
                ("view", "v", f"CREATE VIEW v AS {endless} SELECT x FROM c"),
                ("table", "mine", "CREATE TABLE mine(a)"),
                ("table", "g", "CREATE TABLE g(a, b AS (a + 1))"),
                ("index", "i", "CREATE INDEX i ON block(abs(runs))"),
                ("index", "i", "CREATE INDEX i ON block(runs)"),
                ("table", "f", "CREATE VIRTUAL TABLE f USING fts5(a)")]:
            with self.subTest(sql=sql):
                copy = self.path / "copy.db"
                copy.write_bytes(self.store.read_bytes())
                db = sqlite3.connect(copy)
                try:
                    db.execute(sql)
                except sqlite3.OperationalError as error:
                    self.assertIn("no such module", str(error))
                    continue
                db.commit()
                db.close()
                before = copy.read_bytes()
                for command in (["stats"], ["store", "info"], ["store", "check"], ["store", "export"],
                                ["store", "merge", self.path / "new.db"], [*RUN, "--dry-run", "--store"],
                                [*RUN, "-e", "chain:n=6", "--store"],
                                ["tune", "-e", "chain:n=5", "-a", "q-learning", "--store"]):
                    self.says(f"it has the {kind} '{name}'", *command, store=copy)
                self.assertEqual(copy.read_bytes(), before)
                self.assertEqual([p.name for p in self.path.iterdir() if p.name.startswith("copy.db-")], [])

    def test_another_definition(self):
        """Our name with another definition is not ours; what ANALYZE and VACUUM leave does no harm."""
        copy = self.path / "copy.db"
        copy.write_bytes(self.store.read_bytes())
        self.change("DROP INDEX block_place", "CREATE UNIQUE INDEX block_place ON block(cell, series, first)")
        self.says("it has the index 'block_place'", "stats")
        self.store = copy
        self.change("ANALYZE")
        db = sqlite3.connect(copy, isolation_level=None)
        db.execute("VACUUM")
        db.close()
        farsight("stats", copy)
        farsight(*RUN, "--runs", "7", "--store", copy)
        farsight("store", "check", copy)

    def test_endless_tables(self):
        made = self.store.read_bytes()
        for table in "cell", "series", "session", "block":
            with self.subTest(table=table):
                self.store.write_bytes(made)
                make_maze(self.store, table)
                for command in (["stats"], ["store", "info"], ["store", "check"], ["store", "export"],
                                ["store", "merge", self.path / "new.db"], [*RUN, "--runs", "9", "--store"]):
                    done = subprocess.run([FARSIGHT, *map(str, command), str(self.store)], timeout=100,
                                          capture_output=True, text=True)
                    self.assertIn(done.returncode, (0, 1))
                    if done.returncode == 1:
                        self.assertRegex(done.stdout + done.stderr, "damaged|(is|are) wrong")
                self.says(" wrong\n", "store", "check")


    def test_blocks_beyond_all_runs(self):
        """What no run can be is damage, and not passed over."""
        made = self.store.read_bytes()
        for first in 2**63 - 1, 2**63 - 2, -1, -2**63, 1 - 2**63:
            self.store.write_bytes(made)
            self.change(("UPDATE block SET first = ? WHERE id = (SELECT max(id) FROM block)", (first,)))
            self.says(" wrong\n", "store", "check")
            self.says("is damaged", "store", "export")
            self.says("is damaged", "stats")

    def test_control_characters(self):
        self.change("UPDATE session SET command = char(27) || '[31mred' || char(7)")
        self.assertIn("    ?[31mred?\n", farsight("store", "info", self.store).stdout)

    def test_log_behind_a_link(self):
        """Most of the store is in its log, which lies beside the file and not beside the link."""
        link = self.path / "link.db"
        link.symlink_to(self.store)
        rows = "".join(f"e{i},a,1,2\n" for i in range(8000))
        csv = self.file("many.csv", "env,agent,seed,value\n" + rows)
        reader = sqlite3.connect(self.store, isolation_level=None)
        reader.execute("BEGIN")  # keeps the log from being emptied
        reader.execute("SELECT count(*) FROM cell").fetchall()
        farsight("store", "import", link, csv)
        self.assertGreater(os.path.getsize(f"{self.store}-wal"), os.path.getsize(self.store))
        farsight("store", "check", link)
        farsight("store", "export", link)
        reader.close()


# ---- files that are named ----

class Files(InFolder):
    def bad_files(self):
        """A pipe that nobody writes to, one that does not end, a device, a folder, a file that is too large."""
        pipe = self.path / "pipe"
        os.mkfifo(pipe)
        huge = self.path / "huge"
        with open(huge, "wb") as f:
            f.truncate(1 << 40)
        return [(pipe, "is not a regular file"), ("/dev/zero", "is not a regular file"),
                (self.path, "is not a regular file"), (huge, "it has 1099511627776 bytes, at most")]

    def test_arguments(self):
        for path, why in self.bad_files():
            for args in (["solve", "-e", "chain:n=5", "--policy", path], ["solve", "-e", f"file:{path}"],
                         ["run", path], ["convert", f"file:{path}", "-"], ["tune", path],
                         ["solve", "-e", f"frozen-lake:map=@{path}"],
                         ["tune", "-a", "q-learning", "--fit", path],
                         ["store", "import", self.path / "new.db", path]):
                with self.subTest(args=args):
                    if NO_STORE and args[0] == "store":
                        continue
                    done = subprocess.run([FARSIGHT, *map(str, args)], capture_output=True, text=True, timeout=100)
                    self.assertIn(done.returncode, (1, 2))
                    if "was built without" not in done.stderr:
                        self.assertIn(why, done.stderr)

    @needs_store
    def test_stores(self):
        for path, why in self.bad_files()[:3]:
            for command in ["stats"], ["store", "info"], ["store", "check"], [*RUN, "--store"]:
                self.assertIn(why, farsight(*command, path, code=1).stderr)
        huge = self.path / "huge"
        farsight("stats", huge, code=1)

    def test_agent_process(self):
        for path, why in self.bad_files():
            lines = json.dumps({"load": str(path)}) + '\n{"act": 0}\n'
            done = subprocess.run([FARSIGHT, "agent", "q-learning", "--states", "5", "--actions", "2", "-q"],
                                  input=lines, capture_output=True, text=True, timeout=100)
            first, second = done.stdout.splitlines()
            self.assertIn(why, json.loads(first)["error"])
            self.assertIn("action", json.loads(second))

    @needs_store
    def test_models_of_a_store(self):
        """Results are shown whatever the model has become, and the output says what it was."""
        model, store = self.path / "m.json", self.path / "s.db"
        farsight("convert", "chain:n=5", model)
        farsight("run", "-q", "-e", f"file:{model}", "-e", "loop", "-a", "q-learning", "-a", "psrl", "--steps", "30",
                 "--runs", "5", "--store", store)
        def means(done):
            return sorted(c["mean"] for c in json.loads(done.stdout)["groups"][0]["cells"])
        before = means(farsight("stats", "--json", store))
        for path, why in self.bad_files():
            model.unlink()
            model.symlink_to(path)
            for command in ["stats", "--json"], ["stats"], ["store", "info"]:
                done = farsight(*command, store)
                if "--json" in command:
                    self.assertEqual(means(done), before)
                if command[0] == "stats":
                    self.assertIn("note: the model of", done.stderr)
                    self.assertIn(why, done.stderr)
        model.unlink()
        farsight("convert", "chain:n=6", model)
        self.assertIn("it is not the model of the stored runs", farsight("stats", store).stderr)


if __name__ == "__main__":
    unittest.main()
