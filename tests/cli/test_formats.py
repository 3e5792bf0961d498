#!/usr/bin/env python3
"""Every command that prints a table, in every format. usage: test_formats.py FARSIGHT FARSIGHT-BENCH"""
import csv
import io
import json
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "page"))
import wellformed
from command import FARSIGHT, farsight, needs_store

BENCH = os.path.abspath(sys.argv.pop(1))

ENVELOPE = ["version", "numerics", "command", "stopped"]
CHAIN = ("-e", "chain:n=4")
SHORT = ("--steps", "60", "--runs", "3", "--threads", "1")
RUN = ("run", "-q", *CHAIN, "-a", "r-max", "-a", "q-learning", *SHORT, "--curve", "3", "--metric", "coverage")

COMMANDS = {  # name: arguments, code, the tables of --format csv
    "run": (RUN, 0, ("cells", "curves", "metrics")),
    "dry run": ((*RUN, "--dry-run"), 0, ("cells",)),
    "compare": (("compare", "-q", *CHAIN, "-a", "r-max", *SHORT), 0, ("cells",)),
    "growth": (("growth", "-q", "-e", "chain", "--sizes", "3,4,5", "-a", "r-max", "-a", "q-learning", "--runs", "3",
                "--max-steps", "2000", "--threads", "1"), 0, ("values", "cells", "laws", "gaps")),
    "tune": (("tune", *CHAIN, "-a", "r-max:m=[1..5]", "-a", "q-learning:alpha=[0.1..0.5]", *SHORT, "--budget", "2000",
              "--evaluate", "3", "--profile", "3"), 0,
             ("scores", "cells", "profiles", "points", "trials", "comparison")),
    "solve": (("solve", *CHAIN), 0, ()),
    "solve average": (("solve", *CHAIN, "--average"), 0, ()),
    "solve horizon": (("solve", *CHAIN, "--horizon", "3"), 0, ()),
    "stats": (("stats", "s.db", "--resamples", "100"), 0, ("cells", "comparisons")),
    "pac": (("pac", *CHAIN, "--eps", "0.5", "--steps", "1e15"), 0, ("theorems", "quantities")),
    "pac one": (("pac", "r-max", "e3", *CHAIN), 0, ("theorems", "quantities")),
    "pac explained": (("pac", "directed-delayed-q", *CHAIN, "--explain"), 0, ("theorems", "quantities")),
    "audit": (("audit", "-q", *CHAIN, "-a", "directed-delayed-q", *SHORT), 0, ("claims", "counts")),
    "audit violated": (("audit", "-q", *CHAIN, "-a", "directed-delayed-q:clamp=off", "--steps", "1000", "--runs", "5"),
                       1, ("claims", "counts")),
    "store info": (("store", "info", "s.db"), 0, ("cells", "series", "sessions")),
    "store check": (("store", "check", "s.db"), 0, ("faults",)),
    "store merge": (("store", "merge", "all.db", "s.db"), 0, ("merge",)),
    "store import": (("store", "import", "all.db", "in.csv"), 0, ("import",)),
    "bench": (("agents", "--repeats", "1"), 0, ("agents",)),  # of farsight-bench
    "list agents": (("list", "agents"), 0, ("types",)),
    "list agent": (("list", "agents", "r-max"), 0, ("params",)),
    "list envs": (("list", "envs"), 0, ("types",)),
    "list env": (("list", "envs", "file"), 0, ("params",)),
    "list metrics": (("list", "metrics"), 0, ("types",)),
    "list theorems": (("list", "theorems"), 0, ("theorems",)),
    "list theorem": (("list", "theorems", "directed-delayed-q"), 0, ("theorems",)),
}


@needs_store
class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        with open(os.path.join(cls.folder.name, "in.csv"), "w") as file:
            file.write("env,agent,seed,value\nchain:n=4,mine,1,2\n")
        cls.command(cls, "run", "-q", *CHAIN, "-a", "r-max", "-a", "psrl", *SHORT, "--curve", "2", "--store", "s.db")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def command(self, *args, code=0):
        program = BENCH if args[0] == "agents" else FARSIGHT
        return farsight(*args, code=code, cwd=self.folder.name, program=program).stdout

    def each(self, *more):
        for name, (args, code, _) in COMMANDS.items():
            with self.subTest(name):
                yield name, self.command(*args, *more, code=code)

    def test_json(self):
        for name, text in self.each("--format", "json"):
            document = json.loads(text)
            self.assertEqual(list(document)[:4], ENVELOPE)
            self.assertEqual(document["command"], name.split()[0] if name != "dry run" else "run")
            self.assertIs(document["stopped"], False)
            for note in document["notes"]:
                self.assertIn(note["kind"], ("remark", "caveat"))

    def test_json_is_the_same_by_its_flag(self):
        for name in ("pac", "audit", "store check"):
            args, code, _ = COMMANDS[name]
            self.assertEqual(self.command(*args, "--json", code=code), self.command(*args, "--format", "json", code=code))

    def test_json_flag_of_list_and_bench(self):
        """It prints a bare array, as it did before there were documents."""
        for name, key in (("list agents", "types"), ("list envs", "types"), ("list theorem", "theorems")):
            args, _, _ = COMMANDS[name]
            bare, document = (json.loads(self.command(*args, *more)) for more in (["--json"], ["--format", "json"]))
            self.assertIsInstance(bare, list)
            self.assertEqual(bare, document[key])
        self.assertIsInstance(json.loads(self.command(*COMMANDS["bench"][0], "--json")), list)

    def check_csv(self, text):
        rows = list(csv.reader(io.StringIO(text), strict=True))
        self.assertGreaterEqual(len(rows), 1)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(len(set(rows[0])), len(rows[0]), rows[0])
        self.assertTrue(all(rows[0]), rows[0])
        return rows

    def test_csv(self):
        for name, text in self.each("--format", "csv"):
            rows = self.check_csv(text)
            self.assertTrue(len(rows) > 1 or name == "store check", name)

    def test_csv_tables(self):
        for name, (args, code, tables) in COMMANDS.items():
            for table in tables:
                with self.subTest(name, table=table):
                    self.check_csv(self.command(*args, "--format", "csv", "--table", table, code=code))
        self.command("pac", *CHAIN, "--format", "csv", "--table", "nothing", code=2)
        self.command("pac", *CHAIN, "--table", "theorems", code=2)

    def test_csv_table_is_checked_before_the_work(self):
        chain = ("-e", "chain:n=3", "--runs", "2", "--steps", "20", "--store", "slip.db")
        for args in (("run", "-a", "q-learning", *chain), ("compare", "-a", "q-learning", *chain),
                     ("tune", "-a", "q-learning:alpha=[0.1..0.5]", *chain),
                     ("growth", "-e", "chain", "-a", "q-learning", "--sizes", "3,4", "--store", "slip.db")):
            with self.subTest(args[0]):
                self.command(*args, "--format", "csv", "--table", "cell", code=2)
                self.assertFalse(os.path.exists(os.path.join(self.folder.name, "slip.db")))
        for table in ("curves", "metrics"):  # which this study has not
            self.command("run", "-a", "q-learning", *chain, "--format", "csv", "--table", table, code=2)
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, "slip.db")))
        self.command("reproduce", "--format", "csv", "--table", "row", code=2)
        self.command("audit", *CHAIN, "-a", "delayed-q", "--format", "csv", "--table", "claim", code=2)

    def test_latex(self):
        for _, text in self.each("--format", "latex"):
            open_ = []
            for kind, what in re.findall(r"\\(begin|end)\{(\w+)\}", text):
                if kind == "begin":
                    open_.append(what)
                else:
                    self.assertEqual(open_.pop(), what)
            self.assertEqual(open_, [])
            bare = text.replace("\\\\", "").replace("\\{", "").replace("\\}", "")
            self.assertEqual(bare.count("{"), bare.count("}"))
            for body in re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.S):
                for row in body[1].splitlines():
                    if row.endswith("\\\\"):
                        self.assertEqual(len(re.findall(r"(?<!\\)&", row)) + 1, len(body[0]), row)

    def test_html(self):
        for name, text in self.each("--format", "html"):
            self.assertEqual(wellformed.faults(text), [], name)
            self.assertIn("<h1>", text)

    def test_markdown(self):
        for _, text in self.each("--format", "markdown"):
            columns = 0
            for line in text.splitlines():
                bars = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
                if bars and columns:
                    self.assertEqual(bars, columns, line)
                columns = bars

    def test_text(self):
        for _, text in self.each():
            self.assertNotEqual(text, "")
            for line in text.splitlines():
                self.assertEqual(line, line.rstrip())

    def test_refusals(self):
        for name, (args, _, _) in COMMANDS.items():
            with self.subTest(name):
                self.assertEqual(self.command(*args, "--format", "yaml", code=2), "")


unittest.main(verbosity=0)
