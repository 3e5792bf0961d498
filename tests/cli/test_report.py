#!/usr/bin/env python3
"""farsight report, as a user types it. usage: test_report.py FARSIGHT"""
import csv
import html
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, farsight, needs_store

QUICK = ("--resamples", "100")


def make(store, *more, envs=("riverswim", "chain:n=5"), agents=("psrl", "directed-delayed-q"), runs=6, seed=1):
    specs = [word for env in envs for word in ("-e", env)]
    specs += [word for agent in agents for word in ("-a", agent)]
    farsight("run", "-q", *specs, "--steps", 300, "--runs", runs, "--seed", seed, "--store", store, *more)


@needs_store
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.store = cls.path / "results.db"
        make(cls.store, "--metric", "coverage", "--curve", "log 8")
        cls.said = farsight("report", cls.store, *QUICK).stdout
        cls.page = (cls.path / "results.html").read_text()
        cls.data = json.loads(farsight("report", cls.store, "--json", *QUICK).stdout)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_file(self):
        """Beside the store, with its size; nothing else is written."""
        self.assertRegex(self.said, r"^Wrote .*results\.html \(\d+ kB\)\n$")
        self.assertEqual(sorted(p.name for p in self.path.glob("results*")), ["results.db", "results.html"])
        self.assertLess(len(self.page), 2_000_000)
        self.assertNotRegex(self.page, r"(src|href)=\"(https?:)?//")
        self.assertEqual(farsight("report", self.store, "-q", *QUICK).stdout, "")
        self.assertEqual((self.path / "results.html").read_text(), self.page)  # the same bytes

    def test_what_would_change_nothing_is_refused(self):
        for option in "--audit-runs", "--audit-steps", "--threads":
            done = farsight("report", self.store, option, 2, code=2)
            self.assertIn(f"{option} is of audits: give --audit as well", done.stderr)
        for kind, *option in (("intervals", "--per-step"), ("matrix", "--x", "log"), ("hardness", "--y", "log"),
                              ("curves", "--parameter", "m"), ("curves", "--step", 1), ("scores", "--at", "9"),
                              ("q", "--at", "9"), ("q", "--replicate", 1), ("q", "--x", "log")):
            done = farsight("plot", kind, self.store, *option, code=2)
            self.assertIn(f"{option[0]} is for ", done.stderr)
            self.assertEqual(done.stdout, "")
        for option in (("-o", self.path / "x.svg"), ("--theme", "dark"), ("--width", 500), ("--title", "x"),
                       ("--caption", "x")):
            self.assertIn(" is for the figure: numbers are printed",
                          farsight("plot", "intervals", self.store, "--format", "csv", *option, code=2).stderr)

    def test_numbers_behind_figures(self):
        """Every kind has them; of growth, and on layouts, they are those of the library's reports."""
        store = self.path / "sizes.db"
        farsight("run", "-q", "-e", "chain:n=4", "-e", "chain:n=8", "-a", "r-max:m=2", "-a", "r-max:m=5", "--steps", 500, "--runs", 5,
                 "--store", store)
        def rows(kind, *more):
            return list(csv.DictReader(io.StringIO(farsight("plot", kind, *more, "--format", "csv").stdout)))
        means = {(r["env"], r["agent"]): float(r["mean"]) for r in rows("intervals", store, "--table", "cells")}
        for row in rows("growth", store):
            self.assertAlmostEqual(float(row["mean"]), means[f"chain:n={row['size']}", row["agent"]], places=9)
        for row in rows("sensitivity", store, "--table", "sensitivity"):
            self.assertAlmostEqual(float(row["mean"]), means[row["env"], f"r-max:m={row['value']}"], places=9)
        self.assertEqual([r["states"] for r in rows("hardness", store)], ["4", "8"])
        pairs = rows("visits", "-e", "chain:n=4", "-a", "r-max:m=2", "--steps", 500, "--at", "500")
        self.assertEqual(sum(float(r["visits"]) for r in pairs), 500)
        self.assertEqual(len(rows("q", store)) % 8, 0)
        whole = json.loads(farsight("plot", "q", store, "--json").stdout)
        self.assertEqual((whole["steps"], len(whole["frames"][0]["q"])), (500, whole["states"] * whole["actions"]))
        self.assertIn("has no such number", farsight("plot", "e", store, "--format", "csv", code=2).stderr)

    def test_changes_have_names(self):
        """What changed from one store to another is called as it was where it was run."""
        stores = [self.path / "first" / "c.db", self.path / "first" / "d.db"]
        stores[0].parent.mkdir()
        for store, runs in zip(stores, (3, 5), strict=True):
            farsight("run", "-q", "-e", "mine=chain:n=4", "-a", "few=r-max:m=5", "--steps", 50, "--runs", runs, "--store", store)
        text = farsight("report", *stores, "--format", "text").stdout
        self.assertRegex(text, r"other runs +mine +few +50 ")

    def test_headings(self):
        kinds = ("curves", "intervals", "differences", "scores", "profiles", "matrix", "visits")
        for kind in kinds:
            own = ("-a", "psrl") if kind == "visits" else ()
            said = farsight("plot", kind, self.store, *own, "--title", "Mine <1>", "--caption", "said below").stdout
            self.assertIn(">Mine &lt;1&gt;</text>", said, kind)
            self.assertIn("Mine &lt;1&gt;</title>", said, kind)
            self.assertIn(">said below</text>", said, kind)
            none = farsight("plot", kind, self.store, *own, "--title", "", "--caption", "").stdout
            self.assertEqual(said.count("</text>") - 2, none.count("</text>"), kind)
        tex = self.path / "x.tex"
        farsight("plot", "intervals", self.store, "--title", "Mine & yours", "-o", tex)
        self.assertIn("Mine \\& yours", tex.read_text())

    def test_commands(self):
        """Every command of the page computes its cell again, with the hash that stands beside it."""
        rows = re.findall(r"<td[^>]*>([0-9a-f]{64})</td>.*?<code>(farsight run .*?)</code>", self.page, re.S)
        self.assertEqual(len(rows), 4)
        rows = [(digest, html.unescape(re.sub("<[^>]*>", "", text))) for digest, text in rows]
        environment = dict(os.environ, PATH=f"{pathlib.Path(FARSIGHT).resolve().parent}:{os.environ['PATH']}")
        for digest, command in rows:
            self.assertIn("--metric coverage:", command)
            self.assertIn("--curve 'log 8'", command)
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True,
                                  env=environment, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["cells"][0]["hash"], digest)
        self.assertEqual({r["hash"] for r in self.data["recipes"]}, {digest for digest, _ in rows})

    def test_numbers(self):
        """Means of the page and of its JSON are those of farsight stats."""
        stats = json.loads(farsight("stats", self.store, "--json", *QUICK).stdout)
        self.assertEqual(self.data["groups"], stats["groups"])
        for cell in stats["groups"][0]["cells"]:
            self.assertIn(f"{cell['mean']:.0f}"[:3], self.page)

    def test_verdict(self):
        self.assertIn("<section class=\"verdict\"", self.page)
        first = self.page.index("<section class=\"verdict\"")
        self.assertLess(first, self.page.index("<table"))
        self.assertLess(first, self.page.index("<figure"))
        for word in ("Compared", "How sure", "Caveats", "Few runs: 4 of 4 cells"):
            self.assertIn(word, self.page)

    def test_formats(self):
        markdown = farsight("report", self.store, "--format", "markdown", *QUICK).stdout
        self.assertTrue(markdown.startswith("### results.db: 2 agents on 2 environments"))
        text = farsight("report", self.store, "--format", "text", *QUICK).stdout
        self.assertIn("Compute it again", text)
        sessions = farsight("report", self.store, "--format", "csv", "--table", "sessions", *QUICK).stdout
        self.assertIn("started,last,version", sessions)
        printed = farsight("report", self.store, "-o", "-", *QUICK).stdout
        self.assertEqual(printed, self.page)

    def test_options(self):
        out = self.path / "chain.html"
        farsight("report", self.store, "-e", "chain*", "-o", out, "--no-figures", *QUICK)
        page = out.read_text()
        self.assertNotIn("riverswim", page.split("The store</h2>")[0].split("<main")[1])
        self.assertNotIn("<svg", page)

    def test_refusals(self):
        mine = self.path / "mine.html"
        mine.write_text("mine")
        error = farsight("report", self.store, "-o", mine, *QUICK, code=1).stderr
        self.assertIn("not a page that Farsight wrote", error)
        self.assertEqual(mine.read_text(), "mine")
        self.assertIn("which store?", farsight("report", code=2).stderr)
        farsight("report", self.path / "absent.db", code=1)
        self.assertIn("no environment", farsight("report", self.store, "-e", "nowhere", code=2).stderr)
        empty = self.path / "empty.db"
        farsight("run", "-q", "-e", "loop", "-a", "random", "--runs", 1, "--steps", 10, "--store", empty)
        self.assertIn("must be", farsight("report", empty, "--format", "xml", code=2).stderr)

    def test_audit(self):
        out = self.path / "audit.html"
        farsight("report", self.store, "--audit", "--audit-runs", 2, "--audit-steps", 100, "-o", out, *QUICK)
        page = out.read_text()
        self.assertIn("violated in 2 audits", page)
        self.assertIn("an update lowers Q", html.unescape(page))
        self.assertIn("No audit was run", self.page)

    def test_paper(self):
        page, figure = self.path / "paper.html", self.path / "paper.svg"
        done = farsight("reproduce", "--runs", 2, "--report", page, "--plot", figure)
        self.assertIn("Table 2: chain:n=50", done.stdout)
        self.assertIn("the four tuned rows", page.read_text())
        self.assertIn('data-kind="paper"', figure.read_text())

    def test_changes(self):
        more, other = self.path / "more.db", self.path / "other.db"
        make(more, runs=8)
        make(other, seed=2)
        out = self.path / "changes.html"
        self.assertIn("Wrote", farsight("report", self.store, more, "-o", out).stdout)
        self.assertIn("No result changed", out.read_text())
        counts = json.loads(farsight("report", self.store, other, "--json").stdout)["count"]
        self.assertEqual(counts["other seed"], 4)
        counts = json.loads(farsight("report", self.store, self.store, "--json").stdout)["count"]
        self.assertEqual(counts["same"], 4)
        farsight("report", self.store, self.path / "absent.db", code=1)

    def test_options_without_effect(self):
        said = farsight("report", self.store, self.store, "-e", "chain*", code=2).stderr
        self.assertIn("--env is for the page of one store", said)
        said = farsight("report", self.store, "--format", "markdown", "-o", self.path / "x.md", code=2).stderr
        self.assertIn("--output is for the page", said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
