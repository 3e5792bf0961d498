#!/usr/bin/env python3
"""The command line, tested as a user types it. usage: test_cli.py FARSIGHT"""
import csv
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest

from command import FARSIGHT, farsight, needs_store, needs_study_files
from ctrl_c import LIMIT, at_work

ROOT = pathlib.Path(__file__).resolve().parents[2]


ENVELOPE = ("version", "numerics", "command", "stopped", "notes")  # of every JSON document


def agent(lines, *args, spec="directed-delayed-q"):
    """Feeds lines (objects or raw text) to `farsight agent` and returns its answers."""
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    done = farsight("agent", spec, "--states", "4", "--actions", "2", "-q", *args, text=text)
    return [json.loads(line) for line in done.stdout.splitlines()]


def fork_in(folder):
    """An environment with two ends of the world, and a way to each: no one average reward."""
    path = os.path.join(folder, "fork.json")
    stay = lambda s: {"0": [[1, s, s, False]], "1": [[1, s, s, False]]}
    fork = {"0": {"0": [[1, 1, 0, False]], "1": [[1, 2, 0, False]]}, "1": stay(1), "2": stay(2)}
    with open(path, "w", encoding="ascii") as f:
        json.dump(fork, f)
    return "file:" + path


class Usage(unittest.TestCase):
    def fails(self, code, *args, says=()):
        done = farsight(*args, code=code)
        self.assertEqual(done.stdout, "")
        for part in (says,) if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)

    def test_kinds_of_plots(self):
        kinds = re.findall(r"^PLOT\((\w+)\)", (ROOT / "src/questions/plots/plots.def").read_text(), re.M)
        page, words = farsight("plot", "--help").stdout, farsight("completion", "bash").stdout
        self.assertIn(" ".join(kinds), words)
        for kind in kinds:
            self.assertRegex(page, rf"\n  (?:[a-z, ]+, )?{kind}\b")

    def test_help(self):
        farsight(code=2)
        everything = farsight("--help")
        self.assertEqual(everything.returncode, 0)
        self.assertLessEqual(max(map(len, everything.stdout.splitlines())), 80)
        names = [line.split()[0] for line in everything.stdout.splitlines()
                 if line.startswith("  ") and not line.startswith("  farsight")]
        self.assertIn("reproduce", names)
        for name in names:
            for command in ((name, "--help"), (name, "-h"), ("help", name)):
                done = farsight(*command)
                self.assertEqual(done.returncode, 0, command)
                self.assertIn("Usage: farsight " + name, done.stdout)
                self.assertLessEqual(max(map(len, done.stdout.splitlines())), 79, name)
        self.assertRegex(farsight("--version").stdout, r"^farsight \d+\.\d+\.\d+\n(with [\w, ]+\n)?(without [\w, ]+\n)?$")

    def test_wrong_usage(self):
        self.fails(2, "rnu", says="did you mean 'run'?")
        self.fails(2, "help", "xyzzy", says="unknown command")
        for line in ("bench",), ("bench", "lanes"), ("help", "bench"):
            self.fails(2, *line, says="'bench' is now a program of its own, farsight-bench")
        self.fails(2, "run", "--stesp", "3", says="did you mean '--steps'?")
        self.fails(2, "run", "-x", says="unknown option '-x'")
        self.fails(2, "run", says="no environment")
        self.fails(2, "run", "-e", "chain", says="no agent")
        self.fails(2, "run", "-e", says="needs a value")
        self.fails(2, "run", "--json=yes", says="takes no value")
        self.fails(1, "run", "stray", says="there is no study file 'stray'")
        for missing in (("stats", "stray"), ("plot", "curves", "stray"), ("report", "stray"), ("tune", "stray"), ("growth", "stray"),
                        ("store", "check", "stray"), ("watch", "stray"), ("solve", "-e", "file:stray")):
            self.fails(1, *missing, says="stray'")  # as of a study
        self.fails(2, "pac", "-e", "chain", "stray", says="stray")
        self.fails(1, "compare", "stray", says="there is no study file 'stray'")
        self.fails(2, "run", "chain", says="'chain'; an environment is given with -e, as in -e chain\n")
        self.fails(2, "run", "chain", "psrl", says="'psrl'; an agent is given with -a, as in -a psrl\n")
        self.fails(2, "run", "-e", "chain", "psrl:gamma=0.9",
                   says="an agent is given with -a, as in -a psrl:gamma=0.9\n")
        for command in ("run", "-a", "psrl"), ("solve",), ("audit", "-a", "r-max"), ("watch", "-a", "psrl"):
            self.fails(2, *command, "-e", "chain:gamma=0.8", "--gamma", "0.9", says="chain:gamma=0.8 has the discount 0.8, and all")
            self.fails(2, *command, "-e", "chain", "--gamma", "1", says="(0, 1)" if command[0] != "solve" else "[0, 1)")
        self.fails(2, "run", "-e", "chain", "-a", "psrl", "--gamma_e", "0.9", says="unknown option '--gamma_e'")
        self.fails(2, "run", "-e", "chain", "-a", "psrl", "--alpha", "0.9",
                   says="unknown option '--alpha'")
        self.fails(2, "run", "--step", "5", says="unknown option '--step'; did you mean '--steps'?")
        self.fails(2, "solve", "--n=5", says="n is a key of environments, as in -e chain:n=5\n")
        self.fails(2, "--quiet", "run", says="options come after the command, as in 'farsight run --quiet'")
        self.fails(2, "-e", "chain", "solve", says="as in 'farsight solve -e'")
        self.fails(2, "--verison", says="unknown option '--verison'; did you mean '--version'?")
        self.fails(2, "-x", "run", says="unknown option '-x'")
        self.fails(2, "run", "--runs", "", says="--runs '': must be")
        self.fails(2, "list", says="agents, envs, metrics, theorems or dependencies")
        self.fails(2, "list", "agents", "delayedq", says="did you mean 'delayed-q'?")
        self.fails(2, "plot", "curve", says="no plot 'curve'; did you mean 'curves'?")
        self.fails(2, "plot", "pie", says="no plot 'pie'; there are: curves, ")
        self.fails(2, "run", "-e", "foo", "-a", "psrl", says="unknown environment 'foo'; there are: chain, ")
        self.fails(2, "completion", "tcsh", says="bash, zsh or fish")
        for option, value in (("--steps", "0"), ("--steps", "-5"), ("--steps", "1.5"),
                              ("--steps", "nan"), ("--runs", "0"), ("--threads", "0"),
                              ("--threads", "99999"), ("--seed", "-1"), ("--seed", ""),
                              ("--seed", "18446744073709551616"), ("--steps", "1e30")):
            self.fails(2, "run", "-e", "chain", "-a", "delayed-q", option, value, says="must be")

    def test_which_of_many_agents_is_wrong(self):
        many = ("run", "-e", "chain:n=5", "-e", "chain:n=5,right=1e305", "-a", "q-learning")
        self.fails(2, *many, "-a", "psrl", says="psrl on chain:n=5,right=1e305: sp is derived as 1e+305")
        self.fails(2, *many, "-a", "ucbvi:l=2", says="ucbvi:l=2 on chain:n=5: ucbvi plans for episodes")

    def test_the_horizon_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            model, other = f"{folder}/m.json", f"{folder}/h.json"
            farsight("convert", "chain:n=3", model)
            farsight("run", "-q", "-e", f"file:{model},horizon=5", "-a", "ucbvi", "--steps", "9", "--runs", "2")
            self.fails(2, "run", "-e", f"file:{model},horizon=0", "-a", "ucbvi", says="a whole number of at least 1")
            self.fails(2, "run", "-e", f"file:{model}", "-a", "ucbvi", says="(a model file: file:PATH,horizon=20;")
            farsight("convert", model, other, "--horizon", "5")
            farsight("run", "-q", "-e", f"file:{other}", "-a", "ucbvi", "--steps", "9", "--runs", "2")

    def test_what_would_change_nothing_is_refused(self):
        plot = ("plot", "q", "-e", "chain:n=3", "-a", "q-learning", "--steps", "9")
        self.fails(2, *plot, "--seed", "5", says="here one run is shown, whose seed is --run-seed")
        for option in ("--per-step",), ("--x", "log"), ("--y", "log"), ("--parameter", "m"), ("--series", "regret"):
            self.fails(2, *plot, *option, says=f"{option[0]} is for ")
        farsight(*plot, "--run-seed", "5", "--at", "3", "--replicate", "2")
        study = ("run", "-e", "chain:n=3", "-a", "q-learning", "--save-study", "-")
        for option in ("--dry-run",), ("--json",), ("--format", "csv"):
            self.fails(2, *study, *option, says="--save-study writes the study and prints no results: leave out --")
        self.fails(2, "convert", "-e", "chain:n=3", "-e", "chain:n=4", "--to", "drn", says="one environment at a time")
        self.fails(2, "agent", "q-learning", "--states", "3", "--actions", "2", "--absent", "1", "--absent", "2",
                   says="--absent is given twice")

    def test_of_an_option_that_is_given_twice_the_last_counts(self):
        def head(*args):
            return farsight(*args).stdout.split("\n")[2]
        solve = ("solve", "-e", "chain:n=3", "--method")
        self.assertEqual(head(*solve, "policy", "--method", "value"), head(*solve, "value"))
        self.assertNotEqual(head(*solve, "policy"), head(*solve, "value"))
        convert = ("convert", "-e", "chain:n=3", "--to")
        self.assertEqual(farsight(*convert, "drn", "--to", "json").stdout, farsight(*convert, "json").stdout)

    def test_the_stated_maximum_is_the_real_one(self):
        """What a refusal says is possible is taken, in every spelling."""
        run = ("run", "-q", "-e", "chain", "-a", "delayed-q", "--dry-run")
        audit = ("audit", "-e", "chain:n=2", "-a", "delayed-q", "--steps", "5", "--runs", "1")
        once = ("run", "-q", "-e", "chain", "-a", "delayed-q", "--steps", "5", "--runs", "1")
        for command, option in [(run, "--steps"), (run, "--runs"), (once, "--seed"),
                                (once, "--threads"), (audit, "--every"), (audit, "--first")]:
            refused = farsight(*command, option, "1e30", code=2).stderr
            most = int(re.search(r"whole number from \d+ to (\d+)", refused)[1])
            digits = str(most)
            for text in (digits, f"{digits[0]}.{digits[1:]}e{len(digits) - 1}"):
                farsight(*command, option, text)
            farsight(*command, option, str(most + 1), code=2)
        farsight(*run, "--steps", "1e18")
        farsight(*once, "--seed", "1e3")

    def test_wrong_specs(self):
        run = ("run", "-e", "chain", "-a")
        self.fails(2, *run, "delayed-q:m=5,gama=1", says=("did you mean 'gamma'?", "\n" + " " * 16 + "^"))
        self.fails(2, *run, "delayed-q:gamma=1", says="in [0, 1)")
        self.fails(2, *run, "delayed-q:m=NaN", says="whole number")
        self.fails(2, "run", "-e", "chain:n=0", "-a", "delayed-q", says="in [2, 100000000]")
        self.fails(2, "run", "-e", "chain:n=99999999999", "-a", "delayed-q", says="must be")
        self.fails(2, "run", "-e", "chain:left=0,right=0", "-a", "delayed-q", says="reward range")
        self.fails(2, "agent", "delayed-q", says="--states")
        for shape in (("0", "2"), ("2", "0"), ("-1", "2"), ("x", "2"), ("4294967296", "2")):
            self.fails(2, "agent", "delayed-q", "--states", shape[0], "--actions", shape[1],
                       says="must be")
        self.fails(1, "agent", "delayed-q", "--states", "4294967295", "--actions", "4294967295",
                   says="too many")
        self.fails(2, "agent", "delayed-q", "--states", "2", "--actions", "2", "--rmin", "1",
                   says="must be below")
        self.fails(2, "agent", "delayed-q", "--states", "2", "--actions", "2", "--rmax", "inf",
                   says="finite")

    def test_pages(self):
        page = farsight("man").stdout
        self.assertIn(".TH FARSIGHT 1", page)
        self.assertIn("reproduce", page)
        if shutil.which("bash"):
            script = farsight("completion", "bash").stdout
            probe = script + "\nCOMP_WORDS=(farsight run -a del) COMP_CWORD=3\n_farsight\necho ${COMPREPLY[@]}\n"
            out = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, check=True)
            self.assertEqual(out.stdout.split(), ["delayed-q", "delayed-q-ie"])
        for shell in ("zsh", "fish"):
            self.assertIn("farsight", farsight("completion", shell).stdout)


class Growth(unittest.TestCase):
    CHAIN = ("growth", "-e", "chain", "-a", "directed-delayed-q", "-a", "delayed-q", "--sizes",
             "3..6,8", "--runs", "30", "--max-steps", "20000", "-q")

    def test_json(self):
        found = [json.loads(farsight(*self.CHAIN, "--json", "--threads", n).stdout) for n in "12"]
        for document in found:
            for cell in document["cells"]:
                del cell["seconds"]
        self.assertEqual(*found)
        document = found[0]
        self.assertEqual([(c["size"], c["agent"].split(":")[0]) for c in document["cells"]],
                         [(n, a) for n in (3, 4, 5, 6, 8) for a in ("directed-delayed-q", "delayed-q")])
        for c in document["cells"]:
            self.assertIn(f"chain:n={c['size']},", c["env"])
            self.assertIn(f"gamma={1 - 1 / c['size']!r},", c["agent"])
            self.assertLessEqual(c["low"], c["median"])
            self.assertLessEqual(c["censored"], 7)
            self.assertEqual(document["laws"][c["law"]]["agent"], c["agent"].split(":")[0])
            self.assertEqual(c["limit"], c["steps"] // 2)
        for law in document["laws"]:
            self.assertEqual(law["points"], 5)
            self.assertGreater(law["polynomial"]["power"], 0)
            self.assertIn(law["better"], ("polynomial", "exponential", None))
        medians = [[c["median"] for c in document["cells"][a::2]] for a in (0, 1)]
        gap, = document["gaps"]
        self.slope(document["laws"][0]["exponential"], (3, 4, 5, 6, 8), medians[0])
        self.slope(gap["exponential"], (3, 4, 5, 6, 8), [y / x for x, y in zip(*medians, strict=True)])

    def slope(self, law, sizes, values):
        """The rate is that of a regression line through the logarithms."""
        logs, n = [math.log(v) for v in values], len(sizes)
        x, y = sum(sizes) / n, sum(logs) / n
        rate = (sum((s - x) * (v - y) for s, v in zip(sizes, logs, strict=True)) /
                sum((s - x) ** 2 for s in sizes))
        self.assertAlmostEqual(law["rate"], rate, 10)

    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/growth.svg"
            document = json.loads(farsight(*self.CHAIN, "--json", "--plot", path).stdout)
            drawing = pathlib.Path(path).read_text()
            self.assertIn('data-kind="growth"', drawing)
            for c in document["cells"]:  # by the numbers of the document
                self.assertIn(f"n = {c['size']}: {c['median']:.4g} [", drawing)
            farsight(*self.CHAIN, "--plot", f"{folder}/growth.tex")
            self.assertIn("tikzpicture", pathlib.Path(f"{folder}/growth.tex").read_text())
            for command in (self.CHAIN, ("reproduce",), ("tune", "-e", "chain", "-a", "delayed-q")):
                refused = farsight(*command, "--plot", f"{folder}/a.gif", code=2)  # before anything runs
                self.assertIn("must end in .svg, .pdf, .png or .tex", refused.stderr)
            farsight("reproduce", "--runs", "2", "-q", "--plot", f"{folder}/paper.svg")
            self.assertIn("the paper: 7090 ± 49", pathlib.Path(f"{folder}/paper.svg").read_text())
            farsight("tune", "-e", "chain:n=4", "-a", "delayed-q:m=[1..3]", "--steps", "20", "--runs", "2", "--budget", "200",
                     "--profile", "2", "--evaluate", "0", "-q", "--plot", f"{folder}/profiles.svg")
            self.assertIn("(the best setting)", pathlib.Path(f"{folder}/profiles.svg").read_text())
            lost = farsight("tune", "-e", "chain:n=4", "-a", "delayed-q:m=[1..3]", "--steps", "20", "--runs", "2", "--budget",
                            "200", "--profile", "0", "--evaluate", "0", "-q", "--plot", f"{folder}/none.svg", code=1)
            self.assertIn("no profiles to draw", lost.stderr)

    def test_a_size_does_not_depend_on_the_others(self):
        alone = json.loads(farsight("growth", "-e", "chain", "-a", "delayed-q", "--sizes", "6", "-q",
                                    "--runs", "30", "--json", "--max-steps", "20000").stdout)
        among = json.loads(farsight(*self.CHAIN, "--json").stdout)
        hashes = [c["hash"] for c in among["cells"]]
        self.assertIn(alone["cells"][0]["hash"], hashes)
        self.assertIsNone(alone["laws"][0]["better"])

    def test_censored(self):
        """What nobody learns is never a number, and larger sizes are not tried."""
        command = ("growth", "-e", "combination-lock", "-a", "q-learning:epsilon=1", "--sizes",
                   "5,6,7", "--runs", "10", "--max-steps", "4000", "-q")
        document = json.loads(farsight(*command, "--json").stdout)
        cell, = document["cells"]
        self.assertEqual((cell["size"], cell["censored"], cell["median"]), (5, 10, None))
        self.assertEqual(cell["steps"], 4000)
        self.assertEqual(document["laws"][0]["points"], 0)
        self.assertIn(">2000", farsight(*command).stdout)

    def test_reward_and_learned(self):
        command = ("growth", "-e", "chain", "-a", "delayed-q", "-a", "delayed-q-ie:gamma=0.9", "-q",
                   "--sizes", "3,4,5", "--runs", "8", "--json")
        document = json.loads(farsight(*command, "--measure", "reward", "--steps", "300",
                                       "--gamma", "0.8").stdout)
        for c in document["cells"]:
            self.assertEqual(c["steps"], 300)
            self.assertIn("gamma=0.9," if "-ie" in c["agent"] else "gamma=0.8,", c["agent"])
            self.assertGreater(c["mean"], c["ci95"])
        document = json.loads(farsight(*command, "--measure", "learned", "--max-steps",
                                       "4000").stdout)
        self.assertEqual(document["measure"], "learned")
        text = farsight(*command[:-1], "--measure", "reward").stdout
        self.assertIn("reward of agent 1 / reward of an agent", text)

    def test_ranges_of_studies(self):
        short, long = (farsight(*self.CHAIN[:8], sizes, *self.CHAIN[9:]).stdout
                       for sizes in ("3..9:3", "[3..9 step 3]"))
        self.assertEqual(short, long)

    def test_formats(self):
        table = farsight(*self.CHAIN, "--format", "csv").stdout.splitlines()
        rows = list(csv.DictReader(table))
        self.assertEqual([(r["size"], r["agent"]) for r in rows],
                         [(n, a) for n in "34568" for a in ("directed-delayed-q", "delayed-q")])
        self.assertTrue(all(float(r["median_low"]) <= float(r["median"]) for r in rows))
        values = farsight(*self.CHAIN, "--format", "csv", "--table", "values").stdout.splitlines()
        self.assertEqual([row.split(",")[0] for row in values], ["size", *"34568"])
        laws = farsight(*self.CHAIN, "--format", "csv", "--table", "laws").stdout.splitlines()
        self.assertEqual(len(laws), 7)
        self.assertIn("| n | 1 directed-delayed-q |", farsight(*self.CHAIN, "--format", "markdown").stdout)
        self.assertIn("\\toprule", farsight(*self.CHAIN, "--format", "latex").stdout)

    @needs_store
    @needs_study_files
    def test_store_and_study_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path, store = os.path.join(folder, "sizes.yaml"), os.path.join(folder, "runs.db")
            with open(path, "w", encoding="utf-8") as file:
                file.write("runs: 30\nenvironments:\n  - chain: {n: [3, 4, 5, 6, 8]}\n"
                           "agents: [directed-delayed-q, delayed-q]\n")
            rest = ("--max-steps", "20000", "-q", "--json")
            documents = [json.loads(farsight(*args).stdout)["cells"] for args in (
                (*self.CHAIN, "--json"), ("growth", path, *rest),
                ("growth", path, *rest, "--store", store), ("growth", path, *rest, "--store", store))]
            for cells in documents:
                self.assertEqual([c["hash"] for c in cells], [c["hash"] for c in documents[0]])
            self.assertEqual({c["reused"] for c in documents[2]}, {0})
            self.assertTrue(all(c["reused"] >= 30 for c in documents[3]))
            with open(path, "a", encoding="utf-8") as file:
                file.write("gamma: 0.8\n")
            for more, gamma in ((), 0.8), (("--gamma", "0.7"), 0.7):
                cells = json.loads(farsight("growth", path, *rest, *more).stdout)["cells"]
                self.assertTrue(all(f"gamma={gamma}" in c["env"] and f"gamma={gamma}" in c["agent"] for c in cells))
            self.assertIn("leave out -e", farsight("growth", path, "-e", "chain", code=2).stderr)
            self.assertIn("gives no size", farsight("growth", path, "--key", "slip", "-q", code=2).stderr)

    def test_wrong_usage(self):
        chain = ("growth", "-e", "chain", "-a", "delayed-q", "--sizes")
        for args, says in (((*chain, "5,3"), "sizes must ascend"), ((*chain, "5..x"), "a range"),
                           ((*chain, "5,"), "a range"), ((*chain, "0"), "at least 1"),
                           ((*chain, "1..900"), "at most 200"), (chain[:-1], "no sizes"),
                           ((*chain, "5", "--eps", "1"), "below 1"),
                           ((*chain, "5", "--censored", "0.5"), "fraction below 0.5"),
                           ((*chain, "5", "--measure", "x"), "last-mistake or reward"),
                           ((*chain, "5", "--gamma-scale", "9"), "no discount"),
                           ((*chain, "5", "--format", "x"), "must be text, markdown"),
                           ((*chain, "5", "--gamma", ".5", "--gamma-scale", "1"), "give one"),
                           (("growth", "-e", "chain:n=5", *chain[3:], "5"), "leave out n"),
                           (("growth", "-e", "taxi", *chain[3:], "5"), "no key 'n'"),
                           (("growth", "-e", "chian", *chain[3:], "5"), "did you mean 'chain'"),
                           ((*chain, "5", "--steps", "9"), "--steps is for --measure reward"),
                           ((*chain, "5", "--measure", "reward", "--max-steps", "9"), "--max-steps is of the steps to learn"),
                           ((*chain, "5", "--measure", "reward", "--eps", "0.1"), "--eps is of the steps to learn"),
                           ((*chain, "5", "--measure", "reward", "--censored", "0.1"), "--censored is of the steps"),
                           (("growth", "-e", "chain", "--sizes", "5"), "no agent")):
            done = farsight(*args, code=2)
            self.assertEqual(done.stdout, "")
            self.assertIn(says, done.stderr)


class Listing(unittest.TestCase):
    def test_agents(self):
        listing = json.loads(farsight("list", "agents", "--json").stdout)
        names = re.findall(r"^FAR_AGENT\((\w+)\)", (ROOT / "src/agents/agents.def").read_text(), re.M)
        self.assertEqual([a["name"].replace("-", "_") for a in listing], names)
        text = farsight("list", "agents").stdout
        for a in listing:
            with self.subTest(agent=a["name"]):
                self.check_agent(a, text)
        keys = [p["name"] for p in listing[0]["params"]]
        self.assertEqual(keys, ["preset", "eps", "delta", "steps", "gamma", "eps1", "m", "lambda", "bonus", "eta",
                                "e0", "gamma_e", "e_rule", "alpha_e", "rho", "delay", "learn", "clamp", "threshold", "ties"])

    def check_agent(self, a, text):
        learns = ("nothing: is told the model" if a["peeks"] else "nothing" if a["baseline"]
                  else "a model" if a["model_based"] else "values")
        proof = ("" if a["baseline"] else "none" if a["guarantee"].startswith("none")
                 else "with preset=theory" if "preset=theory" in a["guarantee"] else "with conditions")
        self.assertRegex(text, rf"(?m)^ +{a['name']} .* {learns} *{proof}$")
        if not a["baseline"]:
            self.assertRegex(a["guarantee"], "finite horizon" if a["finite_horizon"] else "discounted|average reward",
                             "the guarantee says for which criterion the agent is made")
        self.assertTrue(a["summary"] and a["reference"] and a["guarantee"])
        one = farsight("list", "agents", a["name"]).stdout
        self.assertLessEqual(max(map(len, one.splitlines())), 79)
        for p in a["params"]:
            self.assertEqual(set(p) - {"min_open", "max_open", "rule", "word"},
                             {"name", "type", "default", "min", "max", "choices", "help"})
            self.assertIn(p["name"], one)

    def test_baselines(self):
        listing = json.loads(farsight("list", "agents", "--json").stdout)
        self.assertEqual({a["name"]: a["peeks"] for a in listing if a["baseline"]},
                         {"random": False, "optimal": True})
        self.assertIn("There are no keys.", farsight("list", "agents", "random").stdout)
        self.assertIn("Peeks: it is told about the model", farsight("list", "agents", "optimal").stdout)

    def test_other_ways_to_ask(self):
        for one, other in ((("agent",), ("agents",)), (("env",), ("envs",)), (("theorem",), ("theorems",)),
                           (("agents", "psrl:gamma=0.9"), ("agents", "psrl"))):
            self.assertEqual(farsight("list", *one).stdout, farsight("list", *other).stdout)
        self.assertIn("agents, envs, metrics", farsight("list", "agen", code=2).stderr)

    def test_environments(self):
        chain, = json.loads(farsight("list", "envs", "chain", "--json").stdout)
        self.assertNotIn("model_based", chain)
        self.assertEqual({p["name"]: p["default"] for p in chain["params"]},
                         {"horizon": None, "gamma": None, "average": "off", "n": 10, "slip": 0.2, "left": 0.001, "right": 1,
                          "left_paid": "arrival", "right_paid": "arrival"})

    def test_a_type_without_keys(self):
        text = farsight("list", "envs", "file").stdout
        self.assertIn("Written as file:PATH; there are no keys.\n  PATH ", text)
        self.assertNotIn("model.drn", text)

    def test_metrics(self):
        listing = json.loads(farsight("list", "metrics", "--json").stdout)
        self.assertEqual([m["name"] for m in listing],
                         ["mistakes", "last-mistake", "learned", "earned", "regret", "loss",
                          "coverage", "episodes", "return", "length", "success", "episodic-regret", "episode-mistakes",
                          "shortfall", "promise", "stopping"])
        for m in listing:
            self.assertEqual(m["higher_is_better"], m["name"] in
                             ("coverage", "episodes", "return", "success", "promise"), m["name"])
            self.assertIn(m["summary"], farsight("list", "metrics").stdout)
            one = farsight("list", "metrics", m["name"]).stdout
            self.assertIn("Better: " + ("higher" if m["higher_is_better"] else "lower"), one)
            for p in m["params"]:
                self.assertIn(p["help"], " ".join(one.split()))
        self.assertIn("last-mistake", farsight("completion", "bash").stdout)


class Metrics(unittest.TestCase):
    COMMAND = ("run", "-e", "chain:n=5", "-a", "r-max", "-a", "q-learning", "--steps", "500", "--runs",
               "4", "-q", "--metric", "mistakes:eps=0.5", "--metric", "regret:against=gain")

    def test_json(self):
        plain = json.loads(farsight(*self.COMMAND[:-4], "--json").stdout)["cells"]
        watched = json.loads(farsight(*self.COMMAND, "--json").stdout)["cells"]
        for x, y in zip(plain, watched, strict=True):
            self.assertNotIn("metrics", x)
            self.assertEqual(x["hash"], y["hash"])  # to be watched changes nothing
            mistakes, regret = y["metrics"]
            self.assertEqual(set(mistakes), {"metric", "mean", "std", "ci95", "min", "max", "hash"})
            self.assertEqual(mistakes["metric"], "mistakes:eps=0.5,relative=off,estimator=frozen")
            self.assertTrue(0 <= mistakes["min"] <= mistakes["mean"] <= mistakes["max"] <= 500)
            gain = json.loads(farsight("solve", "-e", "chain:n=5", "--average", "--json").stdout)["gain"]
            self.assertAlmostEqual(regret["mean"], 500 * gain - y["mean"], places=3)

    def test_table(self):
        text = farsight(*self.COMMAND).stdout
        self.assertIn("\nmistakes:eps=0.5,relative=off,estimator=frozen\n", text)
        self.assertIn("\nregret:against=gain\n", text)
        compared = farsight("compare", *self.COMMAND[1:], "--markdown").stdout
        self.assertIn("#### regret:against=gain\n", compared)

    def test_errors(self):
        run = ("run", "-e", "chain:n=5", "--steps", "50", "--runs", "2", "-q")
        for args, says in (
                (("-a", "r-max", "--metric", "mistaks"), "did you mean 'mistakes'?"),
                (("-a", "r-max", "--metric", "loss"), "has only 50"),
                (("-a", "r-max", "--metric", "regret:against=gain,gamma=0.9"), "does not apply")):
            done = farsight(*run, *args, code=2)
            self.assertEqual(done.stdout, "")
            self.assertIn(says, done.stderr)

    def test_empty_numbers_are_noted(self):
        run = ("run", "-e", "chain:n=50", "-a", "q-learning", "--steps", "50", "--runs", "2")
        done = farsight(*run, "--metric", "mistakes:eps=0.5")
        self.assertIn("farsight: note: mistakes:eps=0.5 of q-learning on chain:n=50: every policy is within",
                      done.stderr)
        self.assertIn("warning", farsight(*run, "--metric", "mistakes:eps=50").stderr)
        self.assertEqual(farsight(*run, "-q", "--metric", "mistakes:eps=50").stderr, "")


class Censored(unittest.TestCase):
    """Times that the end of a run cuts off are counted, not averaged."""
    ARGUMENTS = ("-e", "chain:n=6", "-a", "r-max", "-a", "random", "--steps", "1000", "--runs", "6", "-q",
                 "--metric", "earned")

    def test_run(self):
        text = farsight("run", *self.ARGUMENTS).stdout
        self.assertIn("earned enough", text)
        self.assertRegex(text, r"r-max +6 of 6 +\d+(\.5)? \[\d+, \d+\] ")
        self.assertRegex(text, r"random +0 of 6 +≥1000 +≥1000\n")
        self.assertNotIn("1000 ± 0", text)
        self.assertIn("Runs without the event by their end are censored", text)

    def test_compare(self):
        text = farsight("compare", *self.ARGUMENTS).stdout
        self.assertRegex(text, r"r-max +\d+(\.5)? \(6 of 6\)\n +random +≥1000 \(0 of 6\)\n")
        rows = csv.DictReader(farsight("compare", *self.ARGUMENTS, "--format", "csv", "--table",
                                       "cells").stdout.splitlines())
        self.assertEqual([row["earned:fraction=0.5_censored"] for row in rows], ["0", "6"])

    def test_json(self):
        learner, other = (cell["metrics"][0]["times"] for cell in
                          json.loads(farsight("run", *self.ARGUMENTS, "--json").stdout)["cells"])
        self.assertEqual((learner["censored"], learner["limit"]), (0, 1000))
        self.assertLess(learner["low"], learner["high"])
        self.assertEqual((other["censored"], other["median"]), (6, None))

    def test_csv(self):
        rows = list(csv.DictReader(farsight("run", *self.ARGUMENTS, "--format", "csv", "--table",
                                            "metrics").stdout.splitlines()))
        self.assertEqual([row["censored"] for row in rows], ["0", "6"])
        self.assertEqual(rows[1]["time_median"], "inf")

    def test_listing(self):
        events = {m["name"]: m["event"] for m in json.loads(farsight("list", "metrics", "--json").stdout)
                  if m["event"] is not None}
        self.assertEqual(events, {"learned": "learned", "earned": "earned enough", "last-mistake": "settled",
                                  "stopping": "stopped"})
        self.assertIn("Event: learned;", farsight("list", "metrics", "learned").stdout)

    @needs_store
    def test_stats_and_report(self):
        with tempfile.TemporaryDirectory() as folder:
            store = folder + "/s.db"
            farsight("run", *self.ARGUMENTS, "--store", store)
            text = farsight("stats", store, "--series", "earned:fraction=0.5").stdout
            self.assertRegex(text, r"earned enough +median, 95% +restricted mean ± 95%")
            self.assertRegex(text, r"random +0 of 6 +≥1000 +1000 +–")
            page = farsight("report", store, "--series", "earned:fraction=0.5", "--format", "text").stdout
            self.assertIn("1000, 6 of 6 runs censored", " ".join(page.split()))
            self.assertIn("restricted means up to the end of the run", " ".join(page.split()))


class Running(unittest.TestCase):
    def test_json(self):
        command = ("run", "-e", "chain:n=10", "-e", "chain:n=5", "-a", "delayed-q", "-a",
                   "directed-delayed-q:gamma_e=0.5", "--steps", "500", "--runs", "4", "--seed", "3",
                   "--json")
        document = json.loads(farsight(*command).stdout)
        self.assertEqual(set(document), {*ENVELOPE, "seed", "cells"})
        self.assertEqual(document["seed"], 3)
        self.assertEqual([c["env"].split(",")[0] for c in document["cells"]],
                         ["chain:n=10", "chain:n=10", "chain:n=5", "chain:n=5"])
        for c in document["cells"]:
            self.assertEqual(set(c), {"env", "agent", "env_label", "agent_label", "peeks", "steps", "runs", "mean", "std", "ci95",
                                      "min", "max", "seconds", "hash"})
            self.assertIs(c["peeks"], False)
            self.assertEqual((c["steps"], c["runs"]), (500, 4))
            self.assertRegex(c["hash"], "^[0-9a-f]{64}$")
            self.assertIn("ties=random", c["agent"])
        again = json.loads(farsight(*command, "--threads", "5").stdout)
        self.assertEqual([c["hash"] for c in document["cells"]], [c["hash"] for c in again["cells"]])

    def test_an_agent_that_peeks(self):
        command = ("run", "-e", "riverswim", "-a", "random", "-a", "optimal", "--steps", "100", "--runs", "3")
        cells = json.loads(farsight(*command, "--json").stdout)["cells"]
        self.assertEqual([c["peeks"] for c in cells], [False, True])
        for how in (command, ("compare", *command[1:]), ("compare", *command[1:], "--markdown")):
            self.assertIn("\noptimal peeks at the model: it does not learn.\n", farsight(*how).stdout)
        done = farsight("agent", "optimal", "--states", "3", "--actions", "2", code=2)
        self.assertIn("cannot be made without one", done.stderr)
        done = farsight("run", "-e", "frozen-lake", "-a", "optimal:criterion=average,gamma=0.9", code=2)
        self.assertIn("criterion=discounted", done.stderr)

    def test_compare_leaves_out_baselines(self):
        """And agents of finite horizon where there is none."""
        listing = json.loads(farsight("list", "agents", "--json").stdout)
        for env, timed in (("chain:n=3", False), ("chain:n=3,horizon=4", True)):
            command = ("compare", "-e", env, "--steps", "5", "--runs", "1", "--json", "-q")
            agents = {c["agent"].split(":")[0] for c in json.loads(farsight(*command).stdout)["cells"]}
            self.assertEqual(agents, {a["name"] for a in listing if not a["baseline"]
                                      and (timed or not a["finite_horizon"])})

    def test_hash_is_of_the_totals(self):
        command = ("run", "-e", "chain:n=5", "-a", "q-learning", "--steps", "200", "--runs", "1",
                   "--json")
        c, = json.loads(farsight(*command).stdout)["cells"]
        self.assertEqual(c["hash"], hashlib.sha256(struct.pack("<d", c["mean"])).hexdigest())
        self.assertEqual(c["min"], c["max"])
        self.assertIsNone(c["std"])
        self.assertIsNone(c["ci95"])

    def test_canonical_specs_rows_differ_only_in_gamma_e(self):
        command = ("run", "-e", "chain:n=5", "--steps", "10", "--runs", "2", "--json")
        x, y = json.loads(farsight(*command, "-a", "directed-delayed-q:gamma_e=0.5,m=7", "-a",
                                   "directed-delayed-q:m=7,gamma_e=0.25").stdout)["cells"]
        self.assertEqual(x["agent"].replace("gamma_e=0.5", "gamma_e=0.25"), y["agent"])

    def test_large_seed_is_a_string(self):
        seed = "18446744073709551615"
        done = farsight("run", "-e", "chain", "-a", "delayed-q", "--steps", "10", "--runs", "1",
                        "--json", "--seed", seed)
        self.assertEqual(json.loads(done.stdout)["seed"], seed)

    def test_what_theory_asks_for_is_enough(self):
        """The number that a note asks for, pasted, silences the note."""
        specs = ["delayed-q", "delayed-q:eps1=0.3,m=7", "directed-delayed-q:delay=full", "directed-delayed-q",
                 "directed-delayed-q:m=100,gamma=0.9", "ucb-q:c=1", "ucb-q:h=10,gamma=0.9", "r-max", "mbie-eb",
                 "mbie", "v-max", "r-max:gamma=0.8", "delayed-q-ie", "oim:ve=1", "beb", "mormax"]
        asked = 0
        for spec in specs:
            run = lambda text: farsight("run", "-e", "chain:n=5", "-a", text, "--steps", "2", "--runs", "1", "-v").stderr
            pattern = r"\(([a-z0-9_]+) = [^,]+, (?:theory requires|values can be as large as) ([^ );]+)"
            for name, value in re.findall(pattern, run(spec)):
                keys = [k for k in spec.partition(":")[2].split(",") if k and not k.startswith(name + "=")]
                after = run(spec.partition(":")[0] + ":" + ",".join([*keys, f"{name}={value}"]))
                self.assertNotIn(name, [n for n, _ in re.findall(pattern, after)], (spec, name, value))
                asked += 1
        self.assertGreater(asked, 12)

    def test_table_and_warnings(self):
        done = farsight("run", "-e", "chain:n=10", "-a", "delayed-q-ie:m=5,rho=9", "--runs", "3")
        self.assertIn("mean ± 95%", done.stdout)
        self.assertIn("cannot learn in a continuing problem", done.stderr)
        quiet = farsight("run", "-e", "chain:n=10", "-a", "delayed-q-ie:m=5,rho=9", "--runs", "3", "-q")
        self.assertEqual(quiet.stderr, "")
        self.assertEqual(quiet.stdout, done.stdout)

    def test_digits_and_names_of_the_table(self):
        run = ("run", "-a", "q-learning", "--runs", "3", "--steps", "300", "-q", "-e")
        text = farsight(*run, "chain:n=3,left=0.00001,right=0.00002").stdout
        row, = [x for x in text.splitlines() if "q-learning  " in x]
        self.assertTrue(row.startswith("  chain:n=3,left=0.00001,right=0.00002  "), row)
        self.assertRegex(row, r" 0\.00\d+ ± 0\.00\d+  ")
        self.assertIn("\n  chain:n=3,slip=0.2,left=1e-05,right=2e-05\n", text)
        for number in row.split()[6:]:
            self.assertGreater(float(number), 0)

    def test_interrupt_keeps_what_is_finished(self):
        process = subprocess.Popen([FARSIGHT, "run", "-e", "chain:n=10", "-a", "delayed-q", "-a",
                                    "q-learning", "--steps", "200000", "--runs", "1000000", "--json",
                                    "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        at_work(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, err)
        first, second = json.loads(out)["cells"]
        self.assertGreater(first["runs"], 0)
        self.assertLess(first["runs"], 1000000)
        self.assertEqual(second["runs"], 0)
        self.assertIsNone(second["mean"])
        self.assertIn(b"stopped after", err)

    def interrupt(self, *args):
        both = subprocess.STDOUT  # in the order in which a terminal shows them
        process = subprocess.Popen([FARSIGHT, *args, "-q"], stdout=subprocess.PIPE, stderr=both, text=True)
        at_work(process.pid)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, text)
        return text

    def test_interrupted_tables_say_so(self):
        grid = ("-e", "chain:n=10", "-a", "delayed-q", "--steps", "200000", "--runs", "1000000")
        text = self.interrupt("compare", *grid)
        self.assertRegex(text, r"\n  delayed-q +\d.* ± .*\*\n")
        self.assertIn("\n* stopped early: fewer runs than requested.\n", text)
        self.assertRegex(text.splitlines()[-1], "stopped after .*; what is finished is above")
        text = self.interrupt("compare", *grid, "--markdown")
        self.assertIn("\n\\* stopped early: fewer runs than requested.\n", text)
        text = self.interrupt("run", "-e", "chain:n=10", "-a", "delayed-q", "--steps", "4000000000000",
                              "--runs", "2")
        self.assertEqual(text.splitlines()[-1], "farsight: stopped; no run was finished")

    def test_terminated_and_ignored(self):
        command = [FARSIGHT, "run", "-e", "chain:n=10", "-a", "delayed-q", "--steps", "200000", "--runs",
                   "1000000", "--json", "-q"]
        ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=ignore)  # noqa: PLW1509 (there is one thread)
        at_work(process.pid)
        process.send_signal(signal.SIGINT)  # as a background job, which a Ctrl-C must not stop
        at_work(process.pid)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 143)

    def test_output_that_cannot_be_written(self):
        picture = ("plot", "visits", "-e", "four-rooms", "-a", "q-learning", "--steps", "100")
        for words in (("list", "agents"), ("completion", "bash"), ("convert", "four-rooms", "--to", "json"), picture):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                done = subprocess.run([FARSIGHT, *words], stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 1)
                self.assertIn(b"No space left on device", done.stderr)
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([FARSIGHT, "list", "agents"], stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"")  # who reads has enough

    def test_stack_that_is_too_small(self):
        command = f"ulimit -s 128; '{FARSIGHT}' run -e chain:n=5 -a r-max --steps 100 --runs 3 -q"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("limit of the stack is 128 KiB, and this program needs 256 KiB", done.stderr)


class Comparing(unittest.TestCase):
    COMMAND = ("compare", "-e", "chain:n=5", "-a", "q-learning", "--steps", "200", "-q")

    def test_best_policy(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check_best_policy(fork_in(folder))
        self.assertNotIn("not one average", farsight(*self.COMMAND).stdout)

    def check_best_policy(self, fork):
        compare = (*self.COMMAND, "-e", fork, "--runs", "2")
        x = json.loads(farsight(*compare, "--json").stdout)
        self.assertEqual(set(x), {*ENVELOPE, "seed", "cells", "best"})
        chain, other = x["best"]
        self.assertEqual(other, {"env": fork, "total": None})
        gain = json.loads(farsight("solve", "-e", "chain:n=5", "--average", "--json").stdout)["gain"]
        self.assertAlmostEqual(chain["total"], 200 * gain)
        for option in ((), ("--markdown",)):
            text = farsight(*compare, *option).stdout
            self.assertIn("mean of 2 runs ± 95%", text)
            self.assertIn("\n–: not one average reward for all starts", text)
            self.assertNotIn("stopped early", text)

    def test_one_run(self):
        self.assertIn("200 steps, one run, seed 1\n", farsight(*self.COMMAND, "--runs", "1").stdout)


class Reproducing(unittest.TestCase):
    def test_json(self):
        document = json.loads(farsight("reproduce", "--runs", "3", "--json").stdout)
        cells = document["cells"]
        paper = [c for c in cells if c["paper_mean"] is not None]
        self.assertEqual(len(paper), 14)
        for table in (1, 2):
            rows = [c for c in paper if c["table"] == table]
            self.assertEqual(len(rows), 7)
            directed = [c for c in rows if "gamma_e" in c]
            self.assertEqual([c["gamma_e"] for c in directed], [0.99, 0.9, 0.75, 0.5, 0.25])
            shared = {c["agent"].replace("gamma_e=%g," % c["gamma_e"], "") for c in directed}
            self.assertEqual(len(shared), 1, "one shared set")
            self.assertTrue(all(c["steps"] == 10000 for c in rows))
        self.assertEqual(paper[0]["paper_mean"], 7089.59)
        self.assertEqual(paper[13]["paper_ci95"], 0.012)
        self.assertGreaterEqual(len(cells) - len(paper), 6)
        self.assertAlmostEqual(paper[0]["paper_std"], 48.98 * 300**0.5 / 1.96)
        others = document["alternatives"]
        self.assertEqual({c["table"] for c in others}, {1, 2})
        self.assertTrue(all(c["runs"] == 3 and c["paper_mean"] > 0 for c in others))
        visits = [c for c in others if "gamma_e" in c]
        self.assertEqual([c["paper_mean"] for c in visits], [c["paper_mean"] for c in paper if "gamma_e" in c])
        self.assertTrue(all("e_rule=visit" in c["agent"] for c in visits))
        self.assertTrue(any("left_paid=stay" in c["env"] for c in others))
        self.assertGreater(document["distance"]["means_and_stds"], 0)

    def test_what_the_readme_says(self):
        readme = " ".join((pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8").split())
        cells = json.loads(farsight("reproduce", "--json").stdout)["cells"]
        of = {(c["table"], c["method"], c.get("gamma_e")): c for c in cells}
        small, delayed = of[2, "Directed Delayed QL", 0.25], of[2, "Delayed QL", None]
        self.assertIn(f"γ_E = 0.25 earns {small['mean']:.0f}, less than Delayed Q-learning with {delayed['mean']:.0f}, where the "
                      f"paper has {small['paper_mean']:.0f} above {delayed['paper_mean']:.0f}", readme)
        tuned = [[c["mean"] for c in cells if c["table"] == table and "tuned" in c["method"]] for table in (1, 2)]
        self.assertEqual([len(each) for each in tuned], [4, 4])
        ten, fifty = (100 * (max(each) / min(each) - 1) for each in tuned)
        self.assertIn(f"differ by {ten:.1f}% at N = 10 and {fifty:.1f}% at N = 50", readme)

    def test_another_set(self):
        done = farsight("reproduce", "--runs", "2", "--json", "--directed", "directed-delayed-q:m=7")
        cells = json.loads(done.stdout)["cells"]
        directed = [c["agent"] for c in cells if "gamma_e" in c and c["paper_mean"] is not None]
        self.assertEqual(len(directed), 10)
        self.assertTrue(all(",m=7," in agent for agent in directed))
        self.assertIn("gamma_e=0.25,", directed[4])
        for spec, says in (("delayed-q", "--directed: must be a directed-delayed-q; this is delayed-q\n"),
                           ("directed-delayed-q:m=5,gamma_e=0.9", "--directed: leave gamma_e out; the rows set it\n"),
                           ("directed", "unknown agent 'directed'")):
            self.assertIn(says, farsight("reproduce", "--directed", spec, code=2).stderr)

    def test_tables(self):
        text = farsight("reproduce", "--runs", "2").stdout
        for part in ("Table 1", "Table 2", "7089.59 ± 48.98", "2.98 ± 0.012", "root mean square",
                     "Programs that are not printed", "std: the standard deviation of one run", " on chain:n=10,left_paid=stay",
                     "\nin its interval: our mean lies in the paper's 95% interval\n",
                     "\n  Delayed QL:                           delayed-q:gamma=0.85,"):
            self.assertIn(part, text)


class AgentProcess(unittest.TestCase):
    OBSERVE = {"observe": {"s": 0, "a": 1, "r": 0.5, "next": 3, "done": False}}

    def test_that_of_the_manual(self):
        """The lines of docs/manual.md get the answers that stand there."""
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "manual.md").read_text(encoding="utf-8")
        text = page.partition("    $ farsight agent directed-delayed-q --states 4 --actions 2 --quiet\n")[2].partition("\n\n")[0]
        lines = re.sub(r",\n\s+", ",", text).split("\n")
        with tempfile.TemporaryDirectory() as folder:
            done = farsight("agent", "directed-delayed-q", "--states", "4", "--actions", "2", "--quiet", cwd=folder,
                            text="".join(line + "\n" for line in lines[::2]))
        self.assertEqual([line.strip() for line in lines[1::2]], done.stdout.splitlines())

    def test_protocol(self):
        answers = agent([{"act": 0}, self.OBSERVE, {"values": 0},
                         {"observe": {"s": 1, "a": 0, "r": 1, "done": True}},
                         {"observe": {"s": 1, "a": 0, "r": 1, "next": 2, "truncated": True}}])
        self.assertIn(answers[0]["action"], (0, 1))
        self.assertEqual([answers[i] for i in (1, 3, 4)], [{"t": 1}, {"t": 2}, {"t": 3}])
        self.assertEqual(list(answers[2]), ["q", "bonus", "e", "n", "learn"])
        self.assertEqual(answers[2]["n"], [0, 0])  # the sample was an update
        self.assertEqual(list(agent([{"values": 0}], spec="delayed-q")[0]), ["q", "n", "learn"])
        self.assertEqual(list(agent([{"values": 0}], spec="q-learning")[0]), ["q", "n"])

    def test_malformed_input_changes_nothing(self):
        bad = ["", "x", "{", "[]", "1", "null", '""', "{}", '{"act":0}}', '{"act":0} {"act":1}',
               '{"act":-1}', '{"act":4}', '{"act":0.5}', '{"act":"0"}', '{"act":null}', '{"act":1e999}',
               '{"act":0,"act":1}', '{"act":0,"values":0}', '{"frobnicate":1}', '{"observe":3}',
               '{"observe":{}}', '{"observe":{"s":0,"a":1,"r":2,"next":3}}',
               '{"observe":{"s":0,"a":1,"r":NaN,"next":3}}', '{"observe":{"s":0,"a":1,"r":0.5}}',
               '{"observe":{"s":0,"a":2,"r":0.5,"next":3}}',
               '{"observe":{"s":0,"a":1,"r":0.5,"next":3,"done":1}}',
               '{"observe":{"s":0,"a":1,"r":0.5,"next":3,"done":true,"truncated":true}}',
               '{"observe":{"s":0,"a":1,"r":0.5,"next":3,"rewrad":1}}', '{"save":""}', '{"save":3}',
               '{"load":"/nonexistent"}', '{"act":01}', '{"act":1.}', '{"act":+1}', '{"a\\ud800":1}',
               '{"act\\u0000":1}', "[" * 2000, '{"x":' * 50, "\x00\x01", '{"act":0}\x00',
               '{"observe":{"s":0,"a":1,"r":0.5,"next":3,}}', "\ufeff{}", "[" + "1," * 100 + "1]",
               "x" * 70000, '{"act":' + "0" * 70000 + "}"]
        before, *answers = agent([{"values": 0}] + bad + [{"values": 0}, self.OBSERVE])
        self.assertEqual(len(answers), len(bad) + 2)  # one answer a line, blank ones too
        for answer in answers[:-2]:
            self.assertEqual(list(answer), ["error"])
        self.assertEqual(answers[-2], before)
        self.assertEqual(answers[-1], {"t": 1})

    def test_what_is_missing_is_named(self):
        a, r, next_state = agent([{"observe": {"s": 0}}, {"observe": {"s": 0, "a": 1}},
                                  {"observe": {"s": 0, "a": 1, "r": 0}}])
        self.assertEqual(a["error"], "'a' is missing; it must be a whole number from 0 to 1")
        self.assertEqual(r["error"], "'r' is missing; it must be a number")
        self.assertEqual(next_state["error"], "'next' is missing; it must be a whole number from 0 to 3")

    def test_answers_are_utf8_whatever_comes(self):
        bad = [b'{"observe":{"\xff\xe4":1}}', b'{"load":"\xff"}', b'{"\xed\xa0\x80":1}',
               b'{"observe":{"' + b"x" * 39 + "\u00e9".encode() + b'":1}}',
               b'{"load":"/' + "\u00e9".encode() * 300 + b'"}']
        done = subprocess.run([FARSIGHT, "agent", "delayed-q", "--states", "2", "--actions", "2", "-q"],
                              input=b"\n".join(bad), capture_output=True)
        answers = done.stdout.decode("utf-8").splitlines()
        self.assertEqual([list(json.loads(a)) for a in answers], [["error"]] * len(bad))

    def test_act_learns_nothing(self):
        values = agent([{"values": 0}] + [{"act": 0}] * 50 + [{"values": 0}])
        self.assertEqual(values[0], values[-1])

    def test_save_and_load(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "an agent \u03b3")
            steps = [{"observe": {"s": i % 4, "a": i % 2, "r": (i % 3) / 2, "next": (i + 1) % 4}}
                     for i in range(200)]
            more = [{"act": i % 4} for i in range(40)] + [{"values": i} for i in range(4)]
            one = agent(steps + [{"save": path}] + more)
            two = agent([{"load": path}] + more, "--seed", "99")
            self.assertEqual(one[len(steps)], {"ok": True})
            self.assertEqual(two[0], {"ok": True})
            self.assertEqual(one[len(steps) + 1:], two[1:])
            self.assertEqual(os.listdir(folder), [os.path.basename(path)])

            os.chmod(path, 0o600)
            link = os.path.join(folder, "link")
            os.symlink(path, link)
            pathlib.Path(path + ".0.new").write_text("left by a crash")
            self.assertEqual(agent([{"save": link}])[0], {"ok": True})
            self.assertTrue(os.path.islink(link))
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            agent(steps + [{"save": path}])

            other = agent([{"load": path}, {"values": 0}], spec="delayed-q")
            self.assertIn("another agent", other[0]["error"])
            self.assertEqual(other[1], agent([{"values": 0}], spec="delayed-q")[0])
            self.assertIn("another agent", agent([{"load": path}], spec="directed-delayed-q:m=6")[0]["error"])
            self.assertIn("error", agent([{"load": path}], "--rmax", "2")[0])
            wrong = agent([{"load": path}, {"act": 0}], "--continuing")
            self.assertIn("error", wrong[0])
            self.assertIn("action", wrong[1])

            data = pathlib.Path(path).read_bytes()
            pathlib.Path(path).write_bytes(data[:-1])
            self.assertIn("damaged", agent([{"load": path}])[0]["error"])
            pathlib.Path(path).write_bytes(b"hello")
            self.assertIn("not a saved agent", agent([{"load": path}])[0]["error"])

    def test_absent_states(self):
        step = {"s": 0, "a": 1, "r": 0, "next": 3, "done": False}
        answers = agent([{"observe": step}, {"observe": {**step, "done": True}}, {"values": 3}, {"values": 0}],
                        "--absent", "1..2,3", spec="ucrl2")
        self.assertIn("state 3 was declared absent", answers[0]["error"])
        self.assertEqual(answers[1], {"t": 1})
        self.assertEqual(answers[2]["q"], [0, 0])
        self.assertGreater(answers[3]["q"][0], 0)
        for wrong in ("4", "x", "2..1", "1,,2", "", "-1", "0..3"):
            done = farsight("agent", "ucrl2", "--states", "4", "--actions", "2", "--absent", wrong, code=2)
            self.assertIn("absent", done.stderr)

    def test_a_disk_that_is_full_keeps_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "agent")
            agent([{"save": path}])
            before = pathlib.Path(path).read_bytes()
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            done = subprocess.run([FARSIGHT, "agent", "directed-delayed-q", "--states", "4",
                                   "--actions", "2", "-q"], preexec_fn=limit, capture_output=True,
                                  input=json.dumps({"save": path}).encode() + b"\n")
            self.assertEqual(done.returncode, 0)
            self.assertIn("File too large", json.loads(done.stdout)["error"])
            self.assertEqual(pathlib.Path(path).read_bytes(), before)
            self.assertEqual(os.listdir(folder), ["agent"])

    def test_pictures_and_studies_are_whole_or_as_they_were(self):
        with tempfile.TemporaryDirectory() as folder:
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            watch = ("watch", "-q", "-e", "frozen-lake", "-a", "dora", "--steps", "90", "--at", "80", "-o")
            study = ("run", "-q", "-e", "chain", "-a", "dora", "-a", "r-max", "-a", "psrl", "--metric", "coverage",
                     "--metric", "regret", "--save-study")
            for args, name in ((watch, "old.svg"), (study, "old.yaml")):
                path = pathlib.Path(folder) / name
                path.write_text("old")
                done = subprocess.run([FARSIGHT, *args, path], preexec_fn=limit, capture_output=True, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"{name}': File too large", done.stderr)
                self.assertEqual((path.read_text(), os.listdir(folder)), ("old", [name]))
                self.assertEqual(subprocess.run([FARSIGHT, *args, path], capture_output=True).returncode, 0)
                self.assertGreater(len(path.read_text()), 100)
                path.unlink()

    def test_an_input_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            for args in (("agent", "delayed-q", "--states", "2", "--actions", "2"), ("env", "chain"),
                         ("convert", "-", "--from", "drn", "--to", "json")):
                stdin = os.open(folder, os.O_RDONLY)  # a folder opens, and cannot be read
                done = subprocess.run([FARSIGHT, *args, "-q"], stdin=stdin, capture_output=True, text=True)
                os.close(stdin)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(done.stderr, "farsight: cannot read standard input: Is a directory\n")

    def test_a_reader_that_goes_away(self):
        process = subprocess.Popen([FARSIGHT, "agent", "delayed-q", "--states", "2", "--actions", "2",
                                    "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.close()
        process.stdin.write(b'{"act":0}\n')
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 1)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()

    def test_answers_are_flushed(self):
        process = subprocess.Popen([FARSIGHT, "agent", "delayed-q", "--states", "2", "--actions", "2",
                                    "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3):  # a dialogue: each answer before the next question
            process.stdin.write(b'{"act":0}\n')
            process.stdin.flush()
            self.assertIn(b"action", process.stdout.readline())
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stdout.close()


class Solving(unittest.TestCase):
    def fails(self, code, *args, says):
        done = farsight("solve", *args, code=code)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)

    def test_json(self):
        x = json.loads(farsight("solve", "-e", "chain:n=4", "--gamma", "0.9", "--structure", "--json").stdout)
        self.assertEqual(list(x)[:11], ["version", "numerics", "command", "stopped", "states", "actions", "gamma",
                                        "v", "q", "policy", "residual"])
        self.assertEqual((x["command"], x["stopped"], x["converged"], x["notes"]), ("solve", False, True, []))
        self.assertEqual((x["states"], x["actions"], x["gamma"]), (4, 2, 0.9))
        self.assertEqual(x["policy"], [1, 1, 1, 1])
        self.assertEqual([max(row) for row in x["q"]], x["v"])
        self.assertLessEqual(x["error"], 1e-6)
        self.assertEqual(x["structure"]["kind"], "communicating")
        self.assertEqual(x["env"], "chain:n=4,slip=0.2,left=0.001,right=1,gamma=0.9")
        again = farsight("solve", "-e", "chain:n=4", "--gamma", "0.9", "--structure", "--json")
        self.assertEqual(json.loads(again.stdout), x)

    def test_terminal_states_are_worth_nothing(self):
        x = json.loads(farsight("solve", "-e", "frozen-lake:map=4x4", "--json").stdout)
        for s in (5, 7, 11, 12, 15):
            self.assertEqual((x["v"][s], x["q"][s], x["policy"][s]), (0, [0, 0, 0, 0], 0))

    def test_other_problems(self):
        x = json.loads(farsight("solve", "-e", "chain:n=10,left=0", "--average", "--json").stdout)
        self.assertAlmostEqual(x["gain"], 0.75 / (1 - 4 ** -10), delta=x["error"])
        own = json.loads(farsight("solve", "-e", "chain:n=10,left=0,average=on", "--json").stdout)
        self.assertEqual((own["gain"], own["policy"]), (x["gain"], x["policy"]))
        x = json.loads(farsight("solve", "-e", "chain:n=3,left=0", "--horizon", "2", "--json").stdout)
        self.assertEqual((len(x["v"]), len(x["policy"]), x["gamma"]), (3, 2, 1))
        self.assertAlmostEqual(x["v"][0][2], 0.8 + 0.8 * 0.8 + 0.2 * 0.8)
        self.assertEqual(x["v"][2], [0, 0, 0])

    def test_a_horizon_that_is_not_counted_is_told(self):
        """Elsewhere the best average reward of such an environment counts it."""
        with tempfile.TemporaryDirectory() as folder:
            policy = pathlib.Path(folder) / "policy"
            policy.write_text("1 1 1")
            for kind in ("--average",), ("--policy", policy):
                self.assertIn("has a horizon of 5 steps, which is not counted here",
                              " ".join(farsight("solve", "-e", "chain:n=3,horizon=5", *kind).stdout.split()))
                self.assertNotIn("horizon", farsight("solve", "-e", "chain:n=3", *kind).stdout)
        self.assertNotIn("not counted", farsight("solve", "-e", "chain:n=3,horizon=5").stdout)

    def test_policies(self):
        best = json.loads(farsight("solve", "-e", "chain:n=5", "--json").stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "policy.txt")

            def evaluate(text, code=0):
                pathlib.Path(path).write_text(text)
                return farsight("solve", "-e", "chain:n=5", "--policy", path, "--json", code=code)

            x = json.loads(evaluate("1 1 1\n1\n1\n").stdout)
            for mine, theirs in zip(x["v"], best["v"], strict=True):
                self.assertAlmostEqual(mine, theirs, delta=2e-6)
            half = json.loads(evaluate("0.5 0.5\n" * 5).stdout)
            self.assertLess(half["v"][0], x["v"][0])
            self.assertIn("has 3 numbers", evaluate("1 1 1", code=2).stderr)
            self.assertIn("policy.txt', line 2: not a number: 'x'", evaluate("1 1\nx", code=2).stderr)
            self.assertIn("the action of state 4 is 7", evaluate("1 1 1 1 7", code=2).stderr)
            self.assertIn("policy.txt': the policy's probabilities in state 1 add to 0.9", evaluate("1 0 .9 0 1 0 1 0 1 0", code=2).stderr)
            only = os.path.join(folder, "only.json")
            pathlib.Path(only).write_text(json.dumps(
                {"start": 0, "P": {"0": {"0": [[1, 1, 2, False]]}, "1": {"0": [[1, 0, 1, False]]}}}))
            for text, code in (("0 0", 0), ("1.0 1.0", 0), ("1 1", 0), ("1 0.5", 2), ("2 2", 2)):
                pathlib.Path(path).write_text(text)
                done = farsight("solve", "-e", f"file:{only}", "--policy", path, "--json", code=code)
                if code == 0:  # one action, one policy: an action 0, or a probability 1
                    self.assertAlmostEqual(json.loads(done.stdout)["v"][0], 2.95 / (1 - 0.95**2), delta=1e-5)
                else:
                    self.assertIn("must be 0, the action, or 1, its probability", done.stderr)
        self.fails(1, "-e", "chain", "--policy", "/nonexistent/p", says="cannot read '/nonexistent/p'")
        self.fails(1, "-e", "chain", "--policy", "", says="cannot read ''")

    def test_numbers_of_one(self):
        text = farsight("solve", "-e", "chain:n=2", "--gamma", "0").stdout
        self.assertIn("(1 sweep, ", text)
        self.assertIn("best 1 step, gamma 0.9999999999\n",
                      farsight("solve", "-e", "chain:n=2", "--horizon", "1", "--gamma", "0.9999999999").stdout)

    def test_text(self):
        text = farsight("solve", "-e", "chain:n=100", "--structure").stdout
        self.assertIn("\n  certified ", text)
        self.assertIn("more states; JSON and CSV have all", text)
        self.assertLess(len(text.splitlines()), 60)
        self.assertGreater(len(farsight("solve", "-e", "chain:n=100", "--all").stdout.splitlines()), 100)
        for line in text.splitlines():
            self.assertEqual(line, line.rstrip())
        self.assertIn("\n(Q of 6 actions: in JSON and CSV)\n", farsight("solve", "-e", "taxi").stdout)
        self.assertNotIn("(Q of", text)
        for options in (["--average"], ["--horizon", "5"]):
            self.assertIn("\n  certified ", farsight("solve", "-e", "frozen-lake", *options).stdout)

    def test_drawings(self):
        lake = ("solve", "-e", "frozen-lake")
        self.assertIn("\n  ┌─────────────┐\n  │ S←  ↑  ←  ↑ │\n  │  ←  H  ←  H │\n", farsight(*lake).stdout)
        self.assertIn("\n  ← left (0)  ↓ down (1)  → right (2)  ↑ up (3)\n", farsight(*lake).stdout)
        ascii_only = farsight(*lake, env={"LC_ALL": "C"}).stdout
        self.assertIn("\n  +-------------+\n  | S<  ^  <  ^ |\n  |  <  H  <  H |\n", ascii_only)
        self.assertTrue(ascii_only.isascii())
        self.assertNotIn("┌", farsight(*lake, env={"COLUMNS": "30"}).stdout)
        self.assertIn("\n  action →", farsight("solve", "-e", "chain:n=5").stdout)
        self.assertNotIn("Figure", farsight("solve", "-e", "taxi").stdout)
        self.assertIn("\n  ┌─────────┐\n  │ S · · · │\n", farsight("list", "envs", "frozen-lake").stdout)
        for name in ("taxi", "garnet", "file"):
            self.assertNotIn("Figure", farsight("list", "envs", name).stdout)
        self.assertNotIn("┌", farsight("list", "envs", "frozen-lake", "--json").stdout)
        self.assertNotIn("Figure", farsight("solve", "-e", "chain:n=100").stdout)

    def test_formats(self):
        lake = ("solve", "-e", "frozen-lake", "--structure", "--format")
        self.assertIn("\n```\n┌──", farsight(*lake, "markdown").stdout)
        latex = farsight(*lake, "latex").stdout
        self.assertIn("% Figure: the best action of each state.", latex)
        self.assertNotIn("┌", latex)
        rows = list(csv.DictReader(farsight("solve", "-e", "chain:n=100", "--format", "csv").stdout.splitlines()))
        x = json.loads(farsight("solve", "-e", "chain:n=100", "--json").stdout)
        self.assertEqual([float(row["v"]) for row in rows], x["v"])
        self.assertEqual([float(row["q_1"]) for row in rows], [q[1] for q in x["q"]])
        self.assertEqual([int(row["action"]) for row in rows], x["policy"])

    def test_a_limit_of_sweeps(self):
        """Where a transition has probability 1e-9, nobody waits for convergence."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rare.json")
            row = lambda here, there: [[1e-9, there, 0, False], [1 - 1e-9, here, here, False]]
            pathlib.Path(path).write_text(json.dumps(
                {"start": 0, "P": {"0": {"0": row(0, 1)}, "1": {"0": row(1, 0)}}}))
            command = ("solve", "-e", f"file:{path}", "--average", "--diameter", "--max-sweeps", "1000")
            x = json.loads(farsight(*command, "--json").stdout)
            self.assertFalse(x["converged"] or x["structure"]["diameter_converged"])
            self.assertLessEqual(abs(x["gain"] - 0.5), x["error"])
            self.assertLess(x["structure"]["diameter"], 1e9)
            self.assertEqual([note["kind"] for note in x["notes"]], ["caveat"])
            self.assertIn("was not reached within 1000 sweeps", farsight(*command).stdout)

    def test_refusals(self):
        self.fails(2, says="no environment")
        self.fails(2, "-e", "chain", "-e", "chain", says="one environment")
        self.fails(2, "-e", "chain:n=x", says="whole number")
        self.fails(2, "-e", "chain", "--gamma", "1", says="in [0, 1); --average and --horizon")
        self.fails(2, "-e", "chain", "--tolerance", "1e-18", says="doubles can certify")
        self.fails(2, "-e", "chain", "--gamma", "1.0000000001", says="gamma 1.0000000001 must be")
        self.fails(2, "-e", "chain", "--method", "valeu", says="did you mean 'value'?")
        self.fails(2, "-e", "chain", "--average", "--horizon", "3", says="do not go together")
        self.fails(2, "-e", "chain", "--average", "--gamma", "0.5", says="does not discount")
        self.fails(2, "-e", "chain", "--average", "--method", "value", says="has no --method")
        self.fails(2, "-e", "chain", "--horizon", "3", "--method", "value", says="has no --method")
        self.fails(2, "-e", "chain", "--horizon", "3", "--tolerance", "0.1", says="has no --tolerance")
        self.fails(2, "-e", "chain", "--horizon", "3", "--max-sweeps", "9", says="has no --max-sweeps")
        farsight("solve", "-e", "chain", "--horizon", "3", "--tolerance", "0.1", "--structure")  # of the diameter
        self.fails(2, "-e", "chain", "--max-sweeps", "0", says="must be a whole number from 1")
        self.fails(2, "-e", "chain", "--format", "yaml", says="must be text, markdown")
        with tempfile.TemporaryDirectory() as folder:
            self.fails(1, "-e", fork_in(folder), "--average", says="multichain")

    def test_a_suggested_tolerance_is_taken(self):
        for env in ("chain:n=10", "riverswim", "taxi", "garnet:states=20,actions=3", "deepsea:n=5"):
            for more in [("--average",)] + [("--gamma", g) for g in ("0.5", "0.9", "0.97", "0.999")]:
                command = ("solve", "-e", env, *more, "--tolerance")
                refused = farsight(*command, "1e-300", code=2).stderr
                least = re.search(r"; (\S+) or more is possible", refused)[1]
                farsight(*command, least)

    def test_a_printed_bound_is_one(self):
        """Rounding a certificate to the nearest would claim more than was proven."""
        for gamma in ("0.5", "0.9", "0.93", "0.95", "0.97", "0.99"):
            command = ("solve", "-e", "chain:n=7", "--gamma", gamma)
            said = re.search(r"off by more than (\S+) \(", farsight(*command).stdout)[1]
            self.assertGreaterEqual(float(said), json.loads(farsight(*command, "--json").stdout)["error"])

    def test_no_method_takes_many_times_as_long(self):
        """Sweeps, not seconds: each is one over all outcomes, or as much work."""
        for env in ("garnet:states=1000,actions=3", "chain:n=1000", "mountain-car", "loop", "taxi"):
            command = ("solve", "-e", env, "--gamma", "0.9995", "--tolerance", "1e-4", "--json", "--method")
            best = json.loads(farsight(*command, "value").stdout)
            for method in ("gauss-seidel", "modified", "policy", "topological", "auto"):
                x = json.loads(farsight(*command, method).stdout)
                self.assertLessEqual(x["sweeps"], 6 * best["sweeps"] + 50, (env, method))
                self.assertLessEqual(x["error"], 1e-4)
                apart = max(abs(a - b) for a, b in zip(x["v"], best["v"], strict=True))
                self.assertLessEqual(apart, x["error"] + best["error"], (env, method))

    def test_interrupted_at_once(self):
        """Also where no sweep of values is under way."""
        for more in (("-e", "chain:n=30000", "--diameter"),
                     ("-e", "chain:n=200000", "--gamma", "0.999999", "--tolerance", "1", "--method", "value")):
            process = subprocess.Popen([FARSIGHT, "solve", *more], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            at_work(process.pid)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 130, more)

    def test_average_of_what_is_reached(self):
        taxi = json.loads(farsight("solve", "-e", "taxi", "--average", "--json").stdout)
        self.assertAlmostEqual(taxi["gain"], 0.6067, places=3)
        self.assertIn(None, taxi["bias"])
        self.assertIn("–", farsight("solve", "-e", "taxi", "--average").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
