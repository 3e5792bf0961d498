#!/usr/bin/env python3
"""Study files and grids, as `farsight run` reads them. usage: test_study.py FARSIGHT"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, farsight

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "studies").glob("*.yaml"))

STUDY = """\
name: small
steps: 300
runs: 3
seed: 7
environments:
  - chain: {n: [5, 10]}
  - riverswim
agents:
  - directed-delayed-q: {gamma_e: [0.25, 0.99], m: 2}
  - q-learning: {q0: 20, epsilon: 0.001..0.1 log 3}
metrics: [coverage:what=pairs]
curve: log 5
"""
LISTS = ("-e", "chain:n=[5,10]", "-e", "riverswim", "-a", "directed-delayed-q:gamma_e=[0.25,0.99],m=2",
         "-a", "q-learning:q0=20,epsilon=[0.001..0.1 log 3]", "--metric", "coverage:what=pairs",
         "--curve", "log 5", "--steps", "300", "--runs", "3", "--seed", "7")

# (the file, the line of the error, what is said)
HEAD = "environments: [chain]\nagents: [psrl]\n"
WRONG = [
    ("- chain\n", 1, "a study is a mapping"),
    ("environments: [chain]\n", 1, "agents: the key is missing"),
    ("", 1, "the study is empty"),
    ("# only a comment\n", 1, "the study is empty"),
    ("environments: [chain]\nagents:\n- r-max\n - psrl\n", 4, "this dash is indented further than those above it"),
    ("environments: [chain]\nagents:\n  - r-max\n - psrl\n", 4, "this dash is not indented as those above it"),
    ("environments: [chain]\nagents:\n - r-max:m=5\n   - psrl:gamma=0.9\n", 4, "the dashes of a list stand in one column"),
    ("agents: [psrl]\n", 1, "environments: the key is missing"),
    (HEAD + "steps: many\n", 3, "steps: 'many' must be a whole number"),
    (HEAD + "steps: 0\n", 3, "steps: '0' must be a whole number"),
    (HEAD + "steps: 1.5\n", 3, "steps: '1.5' must be"),
    (HEAD + "steps: [1]\n", 3, "steps: must be a whole number"),
    (HEAD + "steps: ''\n", 3, "steps: '' must be a whole number"),
    (HEAD + "runs: 1e9\n", 3, "runs: must be a whole number from 1 to 100000000"),
    (HEAD + "steps: 010\n", 3, "steps: '010' begins with 0, which some readers of YAML take for base 8; write 10\n"),
    (HEAD + "runs: 00\n", 3, "runs: '00' begins with 0, which some readers of YAML take for base 8; write 0\n"),
    (HEAD + "seed: 007\n", 3, "seed: '007' begins with 0"),
    (HEAD + "curve: [10, 0100]\n", 3, "curve: '0100' begins with 0"),
    (HEAD + "seed: 1.5\n", 3, "seed: '1.5' must be a whole number from 0 to"),
    (HEAD + "seed: -1e3\n", 3, "seed: '-1e3' must be"),
    (HEAD + "seed: 1\nseed: ~\n", 4, "seed: the key is given twice"),
    (HEAD + "seed: ~\nseed: 1\n", 4, "seed: the key is given twice"),
    (HEAD + "seed: -1\n", 3, "seed: '-1' must be a whole number from 0 to"),
    (HEAD + "seed: 18446744073709551616\n", 3, "seed: '18446744073709551616' must be"),
    (HEAD + "stesp: 5\n", 3, "unknown key 'stesp'; did you mean 'steps'?"),
    (HEAD + "environment: [loop]\n", 3, "did you mean 'environments'?"),
    (HEAD + "colour: 5\n", 3, "unknown key 'colour'; there are: name, gamma, steps, episodes, runs"),
    (HEAD + "env: [loop]\n", 3, "unknown key 'env'; did you mean 'environments'?"),
    (HEAD + "envs: [loop]\n", 3, "did you mean 'environments'?"),
    (HEAD + "agent: r-max\n", 3, "did you mean 'agents'?"),
    (HEAD + "metric: coverage\n", 3, "did you mean 'metrics'?"),
    (HEAD + "store: x.db\n", 3, "'store' is no key of a study; it is an option of the command: --store\n"),
    (HEAD + "threads: 5\n", 3, "it is an option of the command: --threads\n"),
    (HEAD + "json: true\n", 3, "it is an option of the command: --json\n"),
    ("environments: [chain:n=10,slip=0.1, loop]\nagents: [psrl]\n", 1,
     "environments[1]: in [ ] a comma separates entries: quote 'chain:n=10,slip=0.1' or write "
     "chain: {n: 10, slip: 0.1}\n"),
    ("environments: [chain]\nagents: [psrl, q-learning, q0=1, epsilon=0.1]\n", 2,
     "quote 'q-learning:q0=1,epsilon=0.1' or write q-learning: {q0: 1, epsilon: 0.1}\n"),
    ("environments:\n  - chain\n  - slip=0.1\nagents: [psrl]\n", 3, "unknown environment 'slip=0.1'"),
    ("environments: ~\nagents: [psrl]\n", 1, "environments: must be a list"),
    (HEAD + "steps: 5\nruns: 2\nsteps: 6\n", 5, "steps: the key is given twice"),
    (HEAD + "name: [x]\n", 3, "name: must be a short text"),
    (HEAD + "curve: quick\n", 3, "curve: 'quick' is no curve: it must be"),
    (HEAD + "steps: 100\ncurve: [10, 1000]\n", 4, "curve: checkpoint 1000 is beyond the run's 100 steps"),
    (HEAD + "curve: []\n", 3, "curve: must be a number or a list"),
    (HEAD + "---\nname: x\n", 3, "a second document"),
    (HEAD + "name: &x y\n", 3, "anchors (&name) are not understood"),
    (HEAD + "name: *x\n", 3, "aliases (*name) are not understood"),
    (HEAD + "name: !!str x\n", 3, "tags (!name) are not understood"),
    (HEAD + "name: a: b\n", 3, "not YAML: a second ': ' on this line"),
    (HEAD + "metrics: [coverage\n", 4, "not YAML"),
    (HEAD + "\tname: x\n", 3, "a tab; YAML is indented by spaces"),
    (HEAD + "metrics: {coverage: {}}\n", 3, "metrics: must be a list"),
    (HEAD + "metrics:\n  - mistakes: {esp: 1}\n", 4, "metrics[0].esp: unknown key of mistakes 'esp'"),
    (HEAD + "metrics: [[[[[[[[x]]]]]]]]\n", 3, "nested deeper than a study needs"),
    ("environments: []\nagents: [psrl]\n", 1, "environments: must be a list"),
    ("environments:\n  - chian\nagents: [psrl]\n", 2,
     "environments[0]: unknown environment 'chian'; did you mean 'chain'?"),
    ("environments:\n  - chain: {n: 10}\n  - chain: {n: 1}\nagents: [psrl]\n", 3,
     "environments[1].n=1: n must be a whole number"),
    ("environments:\n  - chain:\n    n: 10\nagents: [psrl]\n", 2,
     "environments[0]: an entry has one name; its keys are in braces"),
    ("environments:\n  - chain: 10\nagents: [psrl]\n", 2, "write the keys of an entry in braces"),
    ("environments:\n  - chain: n=10\nagents: [psrl]\n", 2,
     "as in 'chain: {n: 10}', or without a space: chain:n=10\n"),
    ("environments:\n  - chain: {n: {a: 1}}\nagents: [psrl]\n", 2, "a value must be a number, a word"),
    ("environments:\n  - chain: {n: []}\nagents: [psrl]\n", 2, "an empty list"),
    ("environments:\n  - chain: {n: '10,20'}\nagents: [psrl]\n", 2, "a value has no comma"),
    ("environments:\n  - chain: {n: 10}\n  - riverswim\n  - chain:n=10\nagents: [psrl]\n", 4,
     "environments[2]: 'chain:n=10' is given twice; the first is environments[0] on line 2\n"),
    ("environments: [chain]\nagents:\n  - r-max: {m: [5, 10]}\n  - psrl\n  - r-max: {m: 5.0}\n", 5,
     "agents[2]: 'r-max:m=5' and 'r-max:m=5.0' are the same on chain: r-max:"),
    ("environments: [chain]\nagents:\n  - psrl\n  - r-max:\n      gamma: [0.9, 0.5]\n      m: [5, 6, 5]\n", 6,
     "agents[1].m: 'r-max:gamma=0.9,m=5' is given twice\n"),
    ("environments: [chain]\nagents:\n  - r-max\n  - q-learning: {q0: 1}\n"
     "  - directed-delayed-q:\n      m: 5\n      gamma_e: [0.5, 1.5]\n", 7,
     "agents[2].gamma_e=1.5: gamma_e must be a number in [0, 1)"),
    ("environments: [chain]\nagents:\n  - r-max: {m: 5..50 stp 5}\n", 3, "agents[0].m: a range is '1..5'"),
    ("environments: [chain]\nagents:\n  - r-max: {m: 50..5}\n", 3, "agents[0].m: a range must rise"),
    ("environments: [chain]\nagents:\n  - psrl: {gamma: 0.1..0.9}\n", 3,
     "agents[0].gamma: give the division of the range"),
    ("environments: [chain]\nagents:\n  - r-max: {m: 5, m: 6}\n", 3, "agents[0].m: m is given twice"),
    ("environments: [chain]\nagents:\n  - r-max: {m: [5, 5.0]}\n", 3,
     "agents[0].m: 'r-max:m=5' and 'r-max:m=5.0' are the same on chain"),
    ("environments: [chain]\nagents:\n  - r-max\n  -\n", 4, "agents[1]: an entry is missing here"),
    ("environments: [chain]\nagents:\n  fast: 5\n", 3, "agents[0]: a spec follows a name, as in 'fast: r-max'"),
    ("environments: [chain]\nagents:\n  r-max: r-max:m=5\n", 3,
     "agents[0]: 'r-max' cannot be a name: it is the agent of that name; choose another, as in 'my-r-max=r-max:m=5'"),
    ("environments: [chain]\nagents:\n  chain: r-max\n", 3, "'chain' cannot be a name: it is the environment"),
    ("environments: [chain]\nagents:\n  best policy: r-max\n", 3, "tables and figures have a row of that name"),
    ("environments: [chain]\nagents:\n  ' x': r-max\n", 3, "without a space at its ends"),
    ("environments: [chain]\nagents:\n  x: psrl\n  y: psrl\n", 4, "'psrl' is given twice, as 'x' and as 'y'"),
    ("environments: [chain]\nagents:\n  - r-max:gama=0.5\n", 3, "agents[0].gama: unknown key of r-max"),
    ("environments: ['chain:horizon=9']\nagents: [psrl]\nmetrics:\n  - mistakes\n", 4,
     "metrics[0]: mistakes with psrl on chain:horizon=9:"),
    ("environments:\n  - chain: {n: 2..60000}\nagents:\n  - q-learning: {alpha: 0.01..1 step 0.01}\n", None,
     "59999 environments x 100 agents are 6e+06 cells; at most 1000000"),
    ("environments:\n  - chain: {n: 2..600000}\nagents: [psrl]\n", 2, "at most 100000 are possible"),
]


def cells(document):
    return [{k: v for k, v in c.items() if k != "seconds"} for c in document["cells"]]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, text, name="study.yaml"):
        with open(self.path(name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)

    def run_json(self, *args):
        return json.loads(farsight("run", *args, "-q", "--json").stdout)


class Files(Folder):
    def test_file_is_command_line(self):
        file, lists = self.run_json(self.write(STUDY)), self.run_json(*LISTS)
        self.assertEqual(len(file["cells"]), 15)
        self.assertEqual(cells(file), cells(lists))
        self.assertEqual(file["seed"], 7)
        self.assertEqual(file["study"], "small")
        self.assertNotIn("study", lists)

    def test_saved_is_the_same(self):
        saved = self.path("saved.yaml")
        farsight("run", *LISTS, "-q", "--save-study", saved)
        again = farsight("run", saved, "-q", "--save-study", "-").stdout
        with open(saved, encoding="utf-8") as f:
            self.assertEqual(f.read(), again)
        self.assertEqual(cells(self.run_json(saved)), cells(self.run_json(*LISTS)))

    def test_saved_with_a_cut_curve(self):
        study = self.write("environments: [chain]\nagents: [r-max]\nsteps: 1000\nruns: 2\n"
                           "curve: [10, 100, 1000]\n")
        saved = self.path("saved.yaml")
        for steps, points in ((200, [10, 100, 200]), (100, [10, 100]), (5, [5]), (2000, [10, 100, 1000, 2000])):
            farsight("run", study, "-q", "--steps", steps, "--save-study", saved)
            curve = self.run_json(saved)["cells"][0]["curve"]
            self.assertEqual([p["step"] for p in curve], points)

    def test_saved_curve_with_zeros(self):
        for curve in ("010", "+05", "010,0100", "log 05"):
            saved = self.path("saved.yaml")
            farsight("run", *LISTS, "-q", "--curve", curve, "--save-study", saved)
            again = farsight("run", saved, "-q", "--save-study", "-").stdout
            with open(saved, encoding="utf-8") as f:
                self.assertEqual(f.read(), again)

    def test_json_is_yaml(self):
        study = self.write('{"environments": ["chain:n=5"], "agents": [{"r-max": {"m": [5, 10]}}], '
                           '"steps": 100, "runs": 2}')
        self.assertEqual(len(self.run_json(study)["cells"]), 2)

    def test_odd_but_right(self):
        texts = ["\ufeffenvironments: [loop]\r\nagents:\r\n- r-max\r\n",
                 "%YAML 1.1\n---\nenvironments: loop\nagents: r-max # one alone\n...\n",
                 "agents:\n  - r-max:\nenvironments:\n  - loop: {}\nname: 'Größe'\nmetrics: []\n"]
        for text in texts:
            document = self.run_json(self.write(text), "--steps", "50", "--runs", "2")
            self.assertEqual([c["env"].split(":")[0] for c in document["cells"]], ["loop"])
        for nothing in ("", "~", "null"):
            keys = "".join(f"{key}: {nothing}\n" for key in ("metrics", "name", "curve", "until", "runs",
                                                             "seed", "steps"))
            text = farsight("run", self.write("environments: loop\nagents: r-max\n" + keys), "-q",
                            "--save-study", "-").stdout
            self.assertEqual(text, "steps: 10000\nruns: 300\nseed: 1\nenvironments:\n  - loop\n"
                                   "agents:\n  - r-max\n")
        study = self.write("environments: loop\nagents:\n  - r-max: {m: 1 .. 3}\n"
                           "seed: 1e3\nruns: 3.0\nsteps: 1e2\nname: 'null'\n")
        document = self.run_json(study)
        self.assertEqual((document["seed"], document["study"]), (1000, "null"))
        self.assertEqual([(c["runs"], c["steps"]) for c in document["cells"]], [(3, 100)] * 3)

    def test_options_replace(self):
        study = self.write(STUDY)
        document = self.run_json(study, "--runs", "2", "--steps", "100", "--seed", "0", "-e", "loop")
        self.assertEqual(document["seed"], 0)
        self.assertEqual(len(document["cells"]), 5)
        for c in document["cells"]:
            self.assertEqual((c["runs"], c["steps"], c["env"].split(":")[0]), (2, 100, "loop"))
            self.assertEqual(c["curve"][-1]["step"], 100)
        document = self.run_json(study, "-a", "psrl", "-a", "r-max", "--metric", "regret:against=gain",
                                 "--curve", "2")
        self.assertEqual([c["agent"].split(":")[0] for c in document["cells"]], ["psrl", "r-max"] * 3)
        for c in document["cells"]:
            self.assertEqual([m["metric"] for m in c["metrics"]], ["regret:against=gain"])
            self.assertEqual([p["step"] for p in c["curve"]], [150, 300])
        fixed = self.write(STUDY.replace("log 5", "[10, 200]"))  # what is beyond --steps is left out
        document = self.run_json(fixed, "--steps", "100")
        self.assertEqual([p["step"] for p in document["cells"][0]["curve"]], [10, 100])
        done = farsight("run", study, "-e", "chain:n=[5,x]", code=2)
        self.assertIn("n=x: n must be", done.stderr)
        self.assertIn("  chain:n=[5,x]\n             ^\n", done.stderr)

    def test_errors(self):
        self.assertGreater(len(WRONG), 25)
        for text, line, says in WRONG:
            study = self.write(text)
            done = farsight("run", study, code=2)
            self.assertEqual(done.stdout, "", text)
            place = f"{study}:{line}: " if line else f"{study}: "
            self.assertIn(says, done.stderr, text)
            self.assertTrue(done.stderr.startswith("farsight: " + place), (text, done.stderr))
            self.assertLess(len(done.stderr.splitlines()), 4)

    def test_caret(self):
        study = self.write("environments: [chain]\nagents:\n  - psrl: {gamma: [0.5, 1.5, 0.9]}\n")
        self.assertIn("\n    - psrl: {gamma: [0.5, 1.5, 0.9]}\n                          ^\n",
                      farsight("run", study, code=2).stderr)
        study = self.write("environments: ['chain:n=x']\nagents: [psrl]\n")
        self.assertIn("\n  environments: ['chain:n=x']\n                          ^\n",
                      farsight("run", study, code=2).stderr)

    def test_caret_of_twins(self):
        study = self.write("environments: [chain]\nagents:\n  - r-max: {m: [5, 6, 5.0]}\n")
        self.assertIn("\n    - r-max: {m: [5, 6, 5.0]}\n                        ^\n",
                      farsight("run", study, code=2).stderr)
        done = farsight("run", "-e", "chain", "-a", "psrl", "-a", "psrl", code=2)
        self.assertIn("'psrl' is given twice\n", done.stderr)

    def test_bytes(self):
        for text, says in ((b"name: \xff\n", "study.yaml:1: not UTF-8"),
                           (b"name: a\x00b\n", "study.yaml:1: not YAML: control characters"),
                           (b"\xff\xfen\x00", "study.yaml:1: not UTF-8"),
                           (b"#" * (1 << 20) + b"#", "at most 1048576 bytes")):
            self.assertIn(says, farsight("run", self.write(text), code=2).stderr)
        laughs = "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(50))
        done = farsight("run", self.write("environments: [chain]\n" + laughs), code=2)
        self.assertIn("study.yaml:2: anchors (&name) are not understood", done.stderr)
        long_line = "# " + "x" * 500 + "\nenvironments: [chain]\nagents: [psl]\n"
        self.assertIn("  agents: [psl]\n           ^\n", farsight("run", self.write(long_line), code=2).stderr)

    def test_no_file(self):
        self.assertIn("there is no study file 'nothing.yaml'", farsight("run", "nothing.yaml", code=1).stderr)
        self.assertIn("cannot read", farsight("run", self.folder.name, code=1).stderr)
        self.assertIn("unexpected argument 'b.yaml'", farsight("run", "a.yaml", "b.yaml", code=2).stderr)
        study = self.write("environments: ['file:nowhere.mdp']\nagents: [psrl]\n")
        self.assertIn("nowhere.mdp", farsight("run", study, code=1).stderr)

    def test_until(self):
        study = self.write(STUDY + "until: ci=1%\n")
        self.assertIn("until: ci=1%\n", farsight("run", study, "-q", "--save-study", "-").stdout)


    def test_until_stops(self):
        """Each cell stops on its own; its JSON has the interval that allows for that."""
        command = ("run", "-q", "--json", "-e", "chain:n=5", "-a", "q-learning", "-a", "delayed-q",
                   "--steps", "300", "--until", "ci=8%,first=30", "--runs", "5000")
        document = json.loads(farsight(*command).stdout)
        self.assertEqual(document["until"], {"goal": "ci=8%,first=30", "first": 30, "most": 5000})
        for c in document["cells"]:
            self.assertTrue(c["until"]["enough"])
            self.assertLessEqual(c["until"]["half_width"], 0.08 * c["mean"])
            self.assertLess(c["ci95"], c["until"]["half_width"])
            plain = farsight("run", "-q", "--json", "-e", "chain:n=5", "-a", c["agent"], "--steps",
                             "300", "--runs", str(c["runs"])).stdout
            self.assertEqual(json.loads(plain)["cells"][0]["hash"], c["hash"])
        self.assertNotEqual(*[c["runs"] for c in document["cells"]])
        told = farsight(*[word for word in command if word != "--json"], "--curve", "2").stdout
        self.assertIn("30 at first, at most 5000", told)
        self.assertIn("intervals do not allow for the stopping rule", told)
        for wrong in ("5", "ci=0", "ci=1%,first=1", "ci=x"):
            farsight(*command[:-4], "--until", wrong, code=2)


class Grids(Folder):
    def envs(self, *args):
        document = self.run_json(*args, "--steps", "20", "--runs", "1")
        return [c["env"].split(",")[0] for c in document["cells"]]

    def test_expansion(self):
        agent = ("-a", "q-learning")
        self.assertEqual(self.envs("-e", "chain:n=[10,20,50]", *agent),
                         ["chain:n=10", "chain:n=20", "chain:n=50"])
        self.assertEqual(self.envs("-e", "chain:n=[5..20 step 5]", *agent),
                         [f"chain:n={n}" for n in (5, 10, 15, 20)])
        self.assertEqual(self.envs("-e", "chain:n=[10..1000 log 3]", *agent),
                         ["chain:n=10", "chain:n=100", "chain:n=1000"])
        document = self.run_json("-e", "loop", "-a", "q-learning:alpha=[0.1..0.9 step 0.1]", "--steps", "9",
                                 "--runs", "1")
        self.assertEqual([c["agent"].split("alpha=")[1].split(",")[0] for c in document["cells"]],
                         ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"])

    def test_errors(self):
        for spec, says, caret in (("chain:n=[5,10", "the bracket is not closed", 8),
                                  ("chain:n=[5,ten]", "n=ten: n must be a whole number", 11),
                                  ("chain:n=[5..10 step x]", "a range is '1..5'", 20)):
            done = farsight("run", "-e", spec, "-a", "psrl", code=2)
            self.assertIn(says, done.stderr)
            self.assertIn(f"\n  {spec}\n  {' ' * caret}^\n", done.stderr)
        done = farsight("run", "-e", "chain", "-e", "chain:n=10", "-a", "psrl", code=2)
        self.assertIn("'chain' and 'chain:n=10' are the same: chain:n=10,", done.stderr)

    def test_compare_takes_grids(self):
        text = farsight("compare", "-e", "chain:n=[5,6]", "-a", "r-max:m=[1,2]", "--steps", "50", "--runs",
                        "2", "-q").stdout
        for part in ("chain:n=5", "chain:n=6", "r-max:m=1", "r-max:m=2"):
            self.assertIn(part, text)
        self.assertIn("room for 100 environments; there are 120",
                      farsight("compare", "-e", "chain:n=[5..124]", "-a", "r-max", code=2).stderr)


class Curves(Folder):
    def test_json(self):
        document = self.run_json("-e", "chain:n=5", "-a", "q-learning", "-a", "r-max", "--steps", "1000",
                                 "--runs", "5", "--curve", "10,100,500")
        plain = self.run_json("-e", "chain:n=5", "-a", "q-learning", "-a", "r-max", "--steps", "1000",
                              "--runs", "5")
        for c, p in zip(document["cells"], plain["cells"], strict=True):
            self.assertEqual([x["step"] for x in c["curve"]], [10, 100, 500, 1000])
            self.assertEqual(c["hash"], p["hash"])  # to be watched changes nothing
            self.assertNotIn("curve", p)
            for x in c["curve"]:
                self.assertEqual(set(x), {"step", "mean", "std", "ci95"})
            self.assertEqual(c["curve"][-1]["mean"], c["mean"])
            self.assertEqual(c["curve"][-1]["ci95"], c["ci95"])
        for k, steps in enumerate((10, 100, 500)):  # a shorter run is the beginning of a longer one
            short = self.run_json("-e", "chain:n=5", "-a", "q-learning", "--steps", steps, "--runs", "5")
            self.assertEqual(short["cells"][0]["mean"], document["cells"][0]["curve"][k]["mean"])

    def test_metrics(self):
        file = self.write("environments: [frozen-lake]\nagents: [q-learning]\nsteps: 200\nruns: 4\n"
                                        "metrics: [episodes, regret]\ncurve: [50, 200]\n")
        cell, = self.run_json(file)["cells"]
        for m in cell["metrics"]:
            self.assertEqual([p["step"] for p in m["curve"]], [50, 200])
            self.assertEqual(set(m["curve"][0]), {"step", "mean", "std", "ci95"})
            self.assertEqual((m["curve"][1]["mean"], m["curve"][1]["ci95"]), (m["mean"], m["ci95"]))
            short, = self.run_json(file, "--steps", "50", "--curve", "1", "--metric", m["metric"])["cells"]
            self.assertEqual(short["metrics"][0]["mean"], m["curve"][0]["mean"])
        text = farsight("run", file, "-q").stdout
        self.assertIn("\nMetrics at checkpoints are in JSON, in the CSV table curves, and in a store.\n", text)
        self.assertNotIn("at checkpoints are in", farsight("run", "-e", "chain", "-a", "r-max", "--steps", "9",
                                                           "--runs", "2", "-q", "--metric", "coverage").stdout)

    def test_snapshots(self):
        study = "environments: [chain]\nagents: [r-max]\nsteps: 30\nruns: 4\ncurve: [10, 30]\nsnapshots: 3\n"
        file, store, saved = self.write(study), self.path("s.db"), self.path("saved.yaml")
        self.assertIn("without --store no snapshots are taken", farsight("run", file).stderr)
        farsight("run", "-q", file, "--store", store)
        other = self.path("metrics.db")
        self.assertIn(f"  farsight stats {other} --series 'episodes@10'\n",
                      farsight("run", "-q", file, "--store", other, "--metric", "episodes").stdout)
        count = lambda: json.loads(farsight("store", "info", store, "--json").stdout)["snapshots"]
        self.assertEqual(count(), 6)
        farsight("run", "-q", file, "--store", store, "--snapshots", "4")
        self.assertEqual(count(), 8)
        farsight("run", "-q", file, "--save-study", saved)
        with open(saved) as f:
            self.assertIn("\nsnapshots: 3\n", f.read())
        for wrong, says in (("snapshots: -1\n", "a whole number from 0"), ("snapshots: some\n", "a whole number from 0"),
                            ("snapshots: 3\n", "there must be a curve")):
            bad = self.write("environments: [chain]\nagents: [r-max]\n" + wrong, "bad.yaml")
            self.assertIn(says, farsight("run", bad, code=2).stderr)

    def test_table(self):
        text = farsight("run", "-e", "chain:n=5", "-a", "r-max", "--steps", "1000", "--runs", "2", "-q",
                        "--curve", "50").stdout
        self.assertIn("Reward so far, after so many steps (6 of 50 checkpoints; JSON and CSV have all)", text)

    def test_errors(self):
        run = ("run", "-e", "chain", "-a", "r-max", "--steps", "100", "--curve")
        self.assertIn("is no curve", farsight(*run, "soon", code=2).stderr)
        self.assertIn("beyond the run's 100 steps", farsight(*run, "10,1000", code=2).stderr)


class DryRun(Folder):
    def test_dry_run(self):
        study, store = self.write(STUDY), self.path("results.db")
        text = farsight("run", study, "-q", "--dry-run").stdout
        for part in ("small: 3 environments x 5 agents: 15 cells", "3 of each, 45 in all; 300 steps a run",
                     "curve   5 checkpoints", "time    about ", "disk    about ", "q-learning:q0=20,epsilon=0.01"):
            self.assertIn(part, text)
        plan = self.run_json(study, "--dry-run", "--store", store)
        self.assertEqual(os.listdir(self.folder.name), ["study.yaml"])  # nothing is written
        self.assertEqual((plan["runs"], plan["known"], plan["steps_left"]), (45, 0, 13500))
        self.assertGreater(plan["seconds"], 0)
        self.assertGreater(plan["bytes"], 37000 + 45 * 8 * 7)  # an empty store is not small
        self.assertLess(plan["bytes"], 37000 + 45 * (8 * 12 + 4 * 100) + 15 * 1024 + 1)
        run = self.run_json(study)
        self.assertEqual([(c["env"], c["agent"]) for c in plan["cells"]],
                         [(c["env"], c["agent"]) for c in run["cells"]])

    def test_known(self):
        study, store = self.write(STUDY), self.path("results.db")
        first = subprocess.run([FARSIGHT, "run", study, "-q", "--json", "--store", store],
                               capture_output=True, text=True, timeout=600)
        if "built without SQLite" in first.stderr:
            self.skipTest("no SQLite")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(cells(json.loads(first.stdout)), cells(self.run_json(study)))
        plan = self.run_json(study, "--dry-run", "--store", store)
        self.assertEqual((plan["known"], plan["steps_left"], plan["seconds"]), (45, 0, 0))
        self.assertEqual(plan["bytes"], 0)
        plan = self.run_json(study, "--dry-run", "--store", store, "--runs", "5", "-e", "loop", "-e",
                             "chain:n=5")
        self.assertEqual([c["known"] for c in plan["cells"]], [0] * 5 + [3] * 5)
        self.assertEqual(cells(self.run_json(study, "--store", store)), cells(json.loads(first.stdout)))


class Ranking(Folder):
    ARGS = ("-e", "chain:n=4", "-a", "q-learning:q0=20", "-a", "delayed-q:m=998", "-a", "delayed-q:m=999", "--steps", 200)

    def ranking(self, *args):
        return self.run_json(*self.ARGS, "--until", "rank=5%,first=30", *args)

    def test_decisions(self):
        document = self.ranking("--runs", 100)
        rank = document["ranking"]
        self.assertEqual((rank["alpha"], rank["family"], rank["ties"]), (0.05, 3, 1))
        self.assertEqual([p["better"] for p in rank["pairs"]], ["first", "first", "tie"])
        equal = rank["pairs"][2]
        self.assertEqual((equal["difference"], equal["p"], equal["runs"]), (0, 1, 68))  # the next look is at 102
        for pair in rank["pairs"][:2]:
            self.assertLessEqual(pair["p_adjusted"], 0.05)
            self.assertIn(pair["runs"], (30, 45, 68))
        self.assertEqual([(r["best"], r["worst"]) for r in rank["ranks"]], [(1, 1), (2, 3), (2, 3)])
        self.assertEqual([c["runs"] for c in document["cells"]], [rank["pairs"][0]["runs"], 68, 68])
        self.assertEqual(document["until"], {"goal": "rank=5%,first=30", "first": 30, "most": 100})
        self.assertEqual(self.ranking("--runs", 100, "--threads", 1)["ranking"], rank)
        more = self.ranking("--runs", 400)["ranking"]  # decisions do not depend on the maximum
        self.assertEqual(more["pairs"][0], rank["pairs"][0])

    def test_text(self):
        text = farsight("run", *self.ARGS, "--until", "rank=5%,first=30", "--runs", 50, "-q").stdout
        self.assertIn("Which agent is better, error at most 5%", text)
        self.assertRegex(" ".join(text.split()), r"1 of 3 pairs is a tie: the next look would be at 68 runs, which "
                         r"--runs 50 does not allow\. A tie is no proof that two agents are equal\.")
        rows = farsight("run", *self.ARGS, "--until", "rank=5%,first=30", "--runs", 50, "-q", "--format", "csv", "--table",
                        "pairs").stdout.splitlines()
        self.assertEqual(len(rows), 4)

    def test_a_file(self):
        text = "environments: [loop]\nagents: [psrl, random]\nuntil: rank=1%,first=20\nruns: 30\nsteps: 50\n"
        path = self.write(text)
        document = self.run_json(path)
        self.assertEqual((document["ranking"]["alpha"], document["until"]["first"]), (0.01, 20))
        saved = self.path("saved.yaml")
        farsight("run", path, "-q", "--save-study", saved)
        self.assertEqual(self.run_json(saved)["ranking"], document["ranking"])

    def test_bad(self):
        for goal, what in (("rank", "should be rank=5%"), ("rank=0", "no probability of error"),
                           ("rank=1", "no probability of error"), ("rank=x", "should be a probability"),
                           ("rank=5%,first=1", "at least 2"), ("rank=5%,most=9", "should be ,first=1000"),
                           ("rank=5%,first=99", "the first look is at 99 runs and the last at 50")):
            done = farsight("run", *self.ARGS, "--runs", 50, "--until", goal, code=2)
            self.assertIn(what, done.stderr)
        done = farsight("run", "-e", "chain", "-a", "psrl", "--until", "rank=5%", code=2)
        self.assertIn("a ranking needs two agents or more; there is one", done.stderr)
        done = farsight("run", *self.ARGS, "--runs", 3, "--format", "csv", "--table", "ranks", code=2)
        self.assertIn("there is no ranking", done.stderr)


class Pages(Folder):
    def test_studies_in_pages(self):
        found = 0
        for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
            for text in re.findall(r"^```yaml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
                if "agents:" in text and "environments:" in text:
                    plan = json.loads(farsight("run", self.write(text), "-q", "--dry-run", "--json").stdout)
                    self.assertEqual(plan["study"], "chain-length", page)
                    found += 1
        self.assertGreaterEqual(found, 2)


class Examples(unittest.TestCase):
    def test_they_run(self):
        self.assertGreaterEqual(len(EXAMPLES), 4)
        for path in EXAMPLES:
            text = path.read_text(encoding="utf-8")
            self.assertTrue(text.startswith("# ") and "?" in text.split("\n", 1)[0], path)
            plan = json.loads(farsight("run", path, "-q", "--dry-run", "--json").stdout)
            self.assertEqual(plan["study"], path.stem)
            small = json.loads(farsight("run", path, "--runs", 2, "--steps", 200, "-q", "--json").stdout)
            self.assertEqual(len(small["cells"]), len(plan["cells"]))
            self.assertTrue(all(c["runs"] == 2 for c in small["cells"]))

    def test_those_of_the_pages(self):
        """What README.md and docs/studies.md show can be copied; the plan is the one that stands there."""
        with tempfile.TemporaryDirectory() as folder:
            for page in ROOT / "README.md", ROOT / "docs" / "studies.md":
                text = re.findall(r"^```yaml\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)[0]
                path = pathlib.Path(folder) / "chain.yaml"
                path.write_text(text, encoding="utf-8")
                plan = farsight("run", path, "-q", "--dry-run").stdout.splitlines()
                self.assertTrue(plan[0].startswith("chain-length: 4 environments x "), plan[0])
                if page.name == "studies.md":
                    self.assertIn("    $ farsight run chain.yaml --dry-run\n" + "".join(f"    {line}\n" for line in plan[:3]),
                                  page.read_text(encoding="utf-8"))

    def test_the_paper_s_tables(self):
        path = next(p for p in EXAMPLES if p.stem == "paper-chain")
        study = json.loads(farsight("run", path, "--runs", 2, "-q", "--json").stdout)
        tables = json.loads(farsight("reproduce", "--runs", 2, "--json").stdout)
        hashes = {(c["env"], c["agent"]): c["hash"] for c in tables["cells"]}
        self.assertEqual(len(study["cells"]), 14)
        for c in study["cells"]:
            self.assertEqual(hashes[c["env"], c["agent"]], c["hash"])


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(suffix=".yaml") as probe:
        said = subprocess.run([FARSIGHT, "run", probe.name], capture_output=True, text=True, timeout=60)
    if "built without libyaml" in said.stderr:
        print("0 passed, 0 failed: this build has no libyaml")
        sys.exit(0)
    unittest.main()
