#!/usr/bin/env python3
"""farsight-bench, as a user types it. usage: test_bench.py FARSIGHT FARSIGHT-BENCH"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, VERSION, farsight
from ctrl_c import EMULATED

BENCH = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]


def bench(*args, code=0):
    return farsight(*args, code=code, program=BENCH)


class Usage(unittest.TestCase):
    def test_help(self):
        text = bench("--help").stdout
        self.assertTrue(text.startswith("Usage: farsight-bench [PART [FOLDER]] [OPTIONS]\n"))
        self.assertEqual(text, bench("lanes", "-h").stdout)
        self.assertLessEqual(max(map(len, text.splitlines())), 79)
        self.assertNotIn("farsight bench", text)
        self.assertIn("mpirun -n 4 farsight-bench ranks", text)

    def test_version(self):
        for option in "--version", "-V":
            self.assertEqual(bench(option).stdout, VERSION.replace("farsight", "farsight-bench", 1))

    def test_manual_page(self):
        page = bench("man").stdout
        self.assertTrue(page.startswith(".TH FARSIGHT\\-BENCH 1 "))
        for part in ".B farsight\\-bench\n", ".BR farsight (1)\n", "\\-\\-max\\-pairs":
            self.assertIn(part, page)
        self.assertIn(".BR farsight\\-bench (1)\n", farsight("man").stdout)

    def test_wrong_usage(self):
        for args, says in ((("solver",), "there is no 'solver' to measure; there are agents"),
                           (("--repeat", "3"), "unknown option '--repeat'; did you mean '--repeats'?"),
                           (("scale", "--memory", "0"), "must be above 0"),
                           (("scale", "here"), "unexpected argument 'here'"),
                           (("man", "page"), "there is no 'man' to measure")):
            done = bench(*args, code=2)
            self.assertTrue(done.stderr.startswith("farsight-bench: "), done.stderr)
            self.assertIn(says, done.stderr)
            self.assertTrue(done.stderr.endswith("\nTry 'farsight-bench --help'.\n"), done.stderr)


@unittest.skipIf(EMULATED, "benchmarks measure the machine")
class Benchmark(unittest.TestCase):
    def test_solver(self):
        rows = json.loads(bench("solve", "--repeats", "1", "--json").stdout)
        self.assertEqual([row["states"] for row in rows], [1000, 10000, 1000000])
        for row in rows:
            self.assertGreater(row["ratio"], 0)
            self.assertLess(row["bytes"], 2 * row["model_bytes"])

    def test_bench_of_files(self):
        rows = json.loads(bench("files", "--repeats", "1", "--json").stdout)
        self.assertEqual([row["what"] for row in rows if row["beside"] == "strtod"],
                         ["read a number of 17 digits", "read a number of 3 digits"])
        self.assertEqual({row["unit"] for row in rows}, {"ns", "MB/s"})
        self.assertEqual(sum("a model" in row["what"] for row in rows), 6)
        self.assertTrue(all(row["here"] > 0 for row in rows))

    def test_growth_of_cost(self):
        """A tiny run of both benchmarks by the script that writes docs/scale.md: what it promises is there."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "studies/scale-page", FARSIGHT, "--seconds", "250", "--max-pairs", "1000",
                                   "--repeats", "1", "--out", folder, "--results", folder], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            read = {name: pathlib.Path(folder, name).read_text() for name in os.listdir(folder)}
        self.assertEqual(set(read), {"scale.json", "loads.json", "machine.json", "scale.svg", "scale-files.svg", "scale.md"})
        rows = json.loads(read["scale.json"])
        measured = [row for row in rows if row["left_out"] is None]
        for row in measured:
            self.assertIn(row["pairs"], (100, 1000))
            self.assertGreater(row["bytes_per_pair"], 1)
            self.assertGreater(row["peak_bytes"], 0)
            self.assertGreater(row["ns"] if row["kind"] == "step" else row["seconds"], 0)
        self.assertEqual({(row["series"], row.get("agent"), row.get("runs")) for row in measured} & {
            ("garnet", None, None), ("chain", "directed-delayed-q", 1), ("garnet", "q-learning", 8)}, {
            ("garnet", None, None), ("chain", "directed-delayed-q", 1), ("garnet", "q-learning", 8)})
        self.assertEqual({row["pairs"] for row in rows if row["series"] == "garnet"}, {10 ** k for k in range(2, 9)})
        self.assertEqual({row["actions"] for row in rows}, {2, 4, 10, 30, 100, 300, 1000})
        self.assertTrue(all("--max-pairs" in row["left_out"] for row in rows if row["pairs"] > 1000))
        loads = json.loads(read["loads.json"])
        self.assertEqual([row["outcomes"] for row in loads], 3 * [10 ** k for k in range(3, 8)])
        self.assertTrue(all("--max-pairs" in row["left_out"] for row in loads if row["outcomes"] > 2000))
        self.assertTrue(all(row["mb_per_s_read"] > 0 and row["peak_per_byte"] > 0 for row in loads if row["outcomes"] == 1000))
        self.assertRegex(read["scale.md"], r"\| 10\^2 \| [0-9.]+ \|")

    def test_it_checks_before_it_times(self):
        rows = json.loads(bench("--repeats", "1", "--json").stdout)
        self.assertEqual(len(rows), 8)
        for row in rows:
            self.assertGreater(row["ns_fused"], 0)
            self.assertGreater(row["ratio"], 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
