#!/usr/bin/env python3
"""farsight convert and -e file:PATH. Cassandra's format is compared with a naive reader of it, which
keeps dense arrays and shares nothing with the library. usage: test_convert.py FARSIGHT"""
import itertools
import json
import os
import pathlib
import random
import re
import tempfile
import unittest

from command import farsight

MODELS = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus" / "model"


def as_json(*args, text=None):
    return json.loads(farsight("convert", *args, "--to", "json", text=text).stdout)


# ---- the naive reader: S x A x S arrays, entry by entry as the format's description has it ----

class Dense:
    def __init__(self, text):
        text = re.sub(r"#.*", "", text)
        self.words = text.replace(":", " : ").split()
        self.names, self.count, self.cost, self.discount = {}, {}, False, 0
        self.observations = "observations" in self.words
        self.at = 0
        while self.at < len(self.words):
            self.entry()
        S, A = self.count["states"], self.count["actions"]
        self.reward = [[[self.expected(a, s, n) for n in range(S)] for a in range(A)]
                       for s in range(S)]

    def rest(self):
        """The words up to the next entry."""
        begin = self.at
        while self.at < len(self.words) and not (
                self.words[self.at + 1:self.at + 2] == [":"] and self.words[self.at] != ":"):
            self.at += 1
        words = self.words[begin:self.at]
        if words[-1:] == ["start"]:
            self.at -= 1
            words.pop()
        return words

    def entry(self):
        key = self.words[self.at]
        if key == "start" and self.words[self.at + 1] != ":":
            key += " " + self.words[self.at + 1]
            self.at += 1
        self.at += 2
        if key in ("T", "O", "R"):
            head = [self.words[self.at]]
            self.at += 1
            while self.at < len(self.words) and self.words[self.at] == ":":
                head.append(self.words[self.at + 1])
                self.at += 2
            return getattr(self, "entry_" + key)(head, self.rest())
        return getattr(self, "entry_" + key.replace(" ", "_"))(self.rest())

    def entry_discount(self, words):
        self.discount = float(words[0])

    def entry_values(self, words):
        self.cost = words[0].startswith("cost")

    def symbols(self, kind, words):
        single = len(words) == 1 and words[0].isdigit()
        self.count[kind] = int(words[0]) if single else len(words)
        self.names[kind] = {} if single else {w: i for i, w in enumerate(words)}
        if kind == "states":
            self.start = [1 / self.count[kind]] * self.count[kind]
        if {"states", "actions"} <= set(self.count) and (
                not self.observations or "observations" in self.count):
            S, A, Z = self.count["states"], self.count["actions"], self.count.get("observations", 1)
            self.t = [[[0.0] * S for _ in range(S)] for _ in range(A)]
            self.o = [[[0.0] * Z if self.observations else [1.0] for _ in range(S)] for _ in range(A)]
            self.r = [[[[0.0] * Z for _ in range(S)] for _ in range(S)] for _ in range(A)]
            self.n_observations = Z

    def entry_states(self, words):
        self.symbols("states", words)

    def entry_actions(self, words):
        self.symbols("actions", words)

    def entry_observations(self, words):
        self.symbols("observations", words)

    def pick(self, kind, word):
        n = self.count.get(kind, 1)
        if word == "*":
            return range(n)
        return [self.names[kind][word] if word in self.names[kind] else int(word)]

    def entry_start(self, words):
        S = self.count["states"]
        if words == ["uniform"]:
            self.start = [1 / S] * S
        elif len(words) == S > 1 and words[0] not in self.names["states"]:
            self.start = list(map(float, words))
        else:
            self.entry_start_include(words)

    def entry_start_include(self, words):
        chosen = {i for w in words for i in self.pick("states", w)}
        self.start = [(s in chosen) / len(chosen) for s in range(self.count["states"])]

    def entry_start_exclude(self, words):
        out = {i for w in words for i in self.pick("states", w)}
        left = self.count["states"] - len(out)
        self.start = [(s not in out) / left for s in range(self.count["states"])]

    def rows(self, table, head, words, columns):
        S = self.count["states"]
        for a in self.pick("actions", head[0]):
            for i, s in enumerate(self.pick("states", head[1]) if len(head) > 1 else range(S)):
                if words == ["uniform"]:
                    row = [1 / columns] * columns
                elif words == ["identity"]:
                    row = [float(k == s) for k in range(columns)]
                elif words == ["reset"]:
                    row = list(self.start)
                else:
                    row = list(map(float, words))
                    row = row if len(head) > 1 else row[i * columns:(i + 1) * columns]
                assert len(row) == columns
                table[a][s] = row

    def table(self, table, head, words, kind):
        if len(head) > 3:  # a colon before the number
            words = [head.pop()]
        if len(head) < 3:
            self.rows(table, head, words, len(table[0][0]))
            return
        for a in self.pick("actions", head[0]):
            for s in self.pick("states", head[1]):
                for k in self.pick(kind, head[2]):
                    table[a][s][k] = float(words[0])

    def entry_T(self, head, words):
        self.table(self.t, head, words, "states")

    def entry_O(self, head, words):
        self.table(self.o, head, words, "observations")

    def entry_R(self, head, words):
        S, Z = self.count["states"], self.n_observations
        words = re.sub(r"([+-]) ", r"\1", " ".join(words)).split()
        full = list(head) + ["*"] * (4 - len(head))
        if not self.observations and len(head) == 4:
            full[3] = "*"
        values = list(map(float, words))
        for a in self.pick("actions", full[0]):
            for i, s in enumerate(self.pick("states", full[1])):
                for n_at, n in enumerate(self.pick("states", full[2])):
                    for z in self.pick("observations", full[3]) if self.observations else [0]:
                        open_dims = (4 if self.observations else 3) - len(head)
                        at = 0
                        if self.observations and open_dims >= 1:
                            at = z + (Z * n_at if open_dims >= 2 else 0)
                        if not self.observations and open_dims >= 1:
                            at = n_at + (S * i if open_dims >= 2 else 0)
                        self.r[a][s][n][z] = values[at]

    def expected(self, a, s, n):
        values = self.r[a][s][n]
        used = {v for v, p in zip(values, self.o[a][n], strict=True) if p > 0} or {0.0}
        mean = used.pop() if len(used) == 1 else sum(
            v * p for v, p in zip(values, self.o[a][n], strict=True)) / sum(self.o[a][n])
        return -mean if self.cost else mean


def compare(test, dense, model):
    S, A = dense.count["states"], dense.count["actions"]
    test.assertEqual((len(model["P"]), len(model["P"]["0"])), (S, A))
    if dense.discount > 0:
        test.assertEqual(model["discount"], dense.discount)
    start = [0.0] * S
    for p, s in model["start"]:
        start[s] += p
    for s in range(S):
        test.assertAlmostEqual(start[s], dense.start[s] / sum(dense.start), 12)
        for a in range(A):
            row, total = dense.t[a][s], sum(dense.t[a][s])
            found = {n: (p, r) for p, n, r, done in model["P"][str(s)][str(a)]}
            test.assertEqual(set(found), {n for n in range(S) if row[n] > 0})
            for n, (p, r) in found.items():
                test.assertAlmostEqual(p, row[n] / total, 12)
                test.assertAlmostEqual(r, dense.reward[s][a][n], 9)


class Cassandra(unittest.TestCase):
    def test_files_by_hand(self):
        files = [f for f in sorted(MODELS.iterdir()) if f.suffix.lower() in (".mdp", ".pomdp")]
        self.assertGreaterEqual(len(files), 3)
        for path in files:
            compare(self, Dense(path.read_text()), as_json(path))

    def random_file(self, draw):
        S, A, Z = draw.randint(1, 4), draw.randint(1, 3), draw.randint(1, 3)
        partial = draw.random() < 0.5
        state = lambda: draw.choice(["*"] + [str(s) for s in range(S)] + [f"s{s}" for s in range(S)])
        exact = lambda: draw.choice([str(s) for s in range(S)] + [f"s{s}" for s in range(S)])
        action = lambda: draw.choice(["*"] + [str(a) for a in range(A)])
        seen = lambda: draw.choice(["*"] + [str(z) for z in range(Z)])
        row = lambda n: " ".join(f"{x / 16:g}" for x in self.sixteenths(draw, n))
        number = lambda: f"{draw.randint(-40, 40) / 8:g}"
        lines = ["states: " + " ".join(f"s{s}" for s in range(S)), f"actions: {A}", "discount: 0.5",
                 "values: " + draw.choice(["reward", "cost"])]
        lines += [f"observations: {Z}"] * partial
        draw.shuffle(lines)
        lines.append(draw.choice(["", "start: uniform", f"start: {exact()}", f"start include: {exact()}",
                                  "start: " + row(S) if S > 1 else ""]))
        lines += ["T: * identity"] + ["O: * uniform"] * partial
        for _ in range(draw.randint(0, 12)):
            lines.append(draw.choice([
                lambda: f"T: {action()} : {state()}\n{row(S)}",
                lambda: f"T: {action()}\n" + "\n".join(row(S) for _ in range(S)),
                lambda: f"T: {action()} uniform",
                lambda: f"T: {action()} : {state()} uniform",
                lambda: f"T: {action()} : {state()} reset",
                lambda: (lambda a, s: f"T: {a} : {s} : * 0\nT:{a}:{s}:{exact()} 1.0")(action(), state()),  # noqa: PLC3002
                lambda: f"O: {action()} : {state()}\n{row(Z)}" if partial else "# none",
                lambda: f"R: {action()} : {state()} : {state()}" +
                        (f" : {seen()}" if partial else draw.choice(["", " : *"])) + f" {number()}",
                lambda: f"R: {action()} : {state()}\n" +
                        " ".join(number() for _ in range(S * (Z if partial else 1))),
                lambda: f"R: {action()} : {state()} : {state()} " +
                        " ".join(number() for _ in range(Z if partial else 1)),
            ])())
        return "\n".join(lines) + "\n"

    def sixteenths(self, draw, n):
        cuts = sorted(draw.randint(0, 16) for _ in range(n - 1))
        return [b - a for a, b in zip([0] + cuts, cuts + [16], strict=True)]

    def test_random_files_mean_what_the_naive_reader_finds(self):
        draw = random.Random(1)
        for _ in range(200):
            text = self.random_file(draw)
            with self.subTest(text=text):
                compare(self, Dense(text), as_json("-", text=text))


class RoundTrips(unittest.TestCase):
    def test_every_file_through_every_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for path, to in itertools.product(sorted(MODELS.iterdir()), ("mdp", "POMDP", "drn", "json")):
                copy = os.path.join(folder, "copy." + to)
                farsight("convert", path, copy)
                before, after = as_json(path), as_json(copy)
                if to in ("mdp", "POMDP"):
                    after["discount"] = before.get("discount", after["discount"])
                    before["discount"] = after["discount"]
                self.assertEqual(before, after)
            self.assertEqual(len(os.listdir(folder)), 4)

    def test_runs_have_the_same_hash(self):
        run = ("-a", "directed-delayed-q", "--steps", "500", "--runs", "4", "--json", "-q")
        hashes = set()
        with tempfile.TemporaryDirectory() as folder:
            for env in ("chain:n=6", "mdp", "drn", "json"):
                if ":" not in env:
                    path = os.path.join(folder, "chain." + env)
                    farsight("convert", "chain:n=6", path)
                    env = "file:" + path
                cell, = json.loads(farsight("run", "-e", env, *run).stdout)["cells"]
                self.assertEqual(cell["env"].startswith("chain"), not env.startswith("file:"))
                hashes.add(cell["hash"])
        self.assertEqual(len(hashes), 1)


class Examples(unittest.TestCase):
    ROOT = pathlib.Path(__file__).resolve().parents[2]

    def test_models_load(self):
        models = sorted((self.ROOT / "examples" / "models").iterdir())
        self.assertGreaterEqual(len(models), 2)
        for path in models:
            self.assertNotIn("warning", farsight("solve", "-e", f"file:{path}").stderr)

    def test_what_pages_name_is_there(self):
        """Paths below examples/ and tests/, and the models among them load."""
        pages = [self.ROOT / "README.md", *sorted((self.ROOT / "docs").glob("**/*.md"))]
        found = 0
        for page in pages:
            text = page.read_text()
            for path in re.findall(r"[`\s:](examples/models/[\w./-]+\w|(?:examples|tests)/[\w/-]+(?:\.\w+)+)", text):
                self.assertTrue((self.ROOT / path).exists(), f"{page.name} names {path}")
            for path in re.findall(r"file:((?:examples|tests)/[\w./-]+\w)", text):
                farsight("solve", "-e", f"file:{self.ROOT / path}")
                found += 1
        self.assertGreater(found, 2)

    def test_lockup_is_the_problem_of_the_oracle(self):
        known = json.loads((self.ROOT / "tests" / "oracle" / "lockup.json").read_text())
        model = as_json(self.ROOT / "examples" / "models" / "lockup.json")
        self.assertEqual((model["discount"], model["start"]), (known["gamma"], [[1, known["start"]]]))
        self.assertEqual(model["reward_range"], [known["rmin"], known["rmax"]])
        for s, a in itertools.product(range(known["states"]), range(known["actions"])):
            self.assertEqual(model["P"][str(s)][str(a)],
                             [[1, known["next"][s][a], known["reward"][s][a], False]])


class Usage(unittest.TestCase):
    def fails(self, code, *args, says, text=None):
        done = farsight("convert", *args, code=code, text=text)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)

    def test_where_from_and_where_to(self):
        text = farsight("convert", "-e", "chain:n=3", "--to", "drn").stdout
        self.assertIn("@type: MDP", text)
        self.assertEqual(text, farsight("convert", "chain:n=3", "-", "--to", "drn").stdout)
        self.assertEqual(text, farsight("convert", "-", "--to", "drn", text=text).stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            farsight("convert", "-e", "chain:n=3", "--to", "drn", "-o", path)
            self.assertEqual(pathlib.Path(path).read_text(), text)
            self.assertEqual(farsight("convert", path, "--from", "drn", "--to", "drn").stdout, text)
            self.assertEqual(os.listdir(folder), ["model"])
            wrong = path + ".drn"
            done = farsight("convert", "chain", wrong, "--to", "json")
            self.assertEqual(done.stderr, f"farsight: note: '{wrong}' is written as json; "
                                          f"file:{wrong} will take it for drn\n")
            self.assertEqual(farsight("convert", "chain", wrong).stderr, "")
        self.assertIn("discount: 0.95\n", farsight("convert", "chain", "--to", "cassandra").stdout)
        self.assertIn("discount: 0.5\n",
                      farsight("convert", "chain", "--to", ".mdp", "--discount", "0.5").stdout)

    def test_wrong_usage(self):
        self.fails(2, says="no model is given")
        self.fails(2, "chain", says="standard output does not show the format; give --to cassandra|drn|json")
        self.fails(2, "chain", "model.txt", says="--to cassandra|drn|json")
        self.fails(2, "chain", "--to", "xml", says="must be cassandra, drn or json")
        self.fails(2, "chain", "a.drn", "b.drn", says="unexpected argument 'b.drn'")
        self.fails(2, "chain", "a.drn", "-o", "b.drn", says="unexpected argument 'a.drn'")
        self.fails(2, "chain:n=1", "--to", "drn", says="n must be")
        self.fails(2, "chain", "--to", "drn", "--discount", "2", says="(0, 1]")
        self.fails(2, "-e", "chain", "--from", "drn", "--to", "drn", says="--from is for files")
        self.fails(2, "chian:n=2", "x.drn",
                   says="neither a file nor an environment 'chian'; did you mean 'chain'?")
        self.fails(2, "nowhere", "x.drn", says="neither a file nor an environment 'nowhere'")
        self.fails(1, "nowhere.mdp", "--to", "drn", says="No such file")
        self.fails(1, "chain", "/nonexistent/x.drn", says="No such file")

    def test_broken_files(self):
        self.fails(1, "-", "--to", "drn", text="states: 2\nactions: 1\nT: 0 : 0 : 7 1\n",
                   says="standard input: line 3: unknown state '7'")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "broken.mdp")
            pathlib.Path(path).write_text("states: left right\nactions: 1\nT: 0 : lfet : right 1\n")
            says = path + ":3: unknown state 'lfet'; did you mean 'left'?"
            self.fails(1, path, "--to", "drn", says=says)
            done = farsight("run", "-e", "file:" + path, "-a", "delayed-q", code=1)
            self.assertEqual(done.stderr, "farsight: " + says + "\n")
            old = os.path.join(folder, "old.drn")
            pathlib.Path(old).write_text("as it was")
            self.fails(1, path, old, says=says)
            self.assertEqual(pathlib.Path(old).read_text(), "as it was")
        done = farsight("run", "-e", "file:", "-a", "delayed-q", code=2)
        self.assertIn("the path is missing", done.stderr)

    def test_the_discount_of_a_file_is_the_default_of_solve(self):
        solve = ("solve", "-e", f"file:{MODELS / 'weather.mdp'}", "--json")
        self.assertEqual(json.loads(farsight(*solve).stdout)["gamma"], 0.9)
        self.assertEqual(json.loads(farsight(*solve, "--gamma", "0.5").stdout)["gamma"], 0.5)

    def test_solve_tells_the_names(self):
        text = farsight("solve", "-e", f"file:{MODELS / 'weather.mdp'}").stdout
        model = as_json(MODELS / "weather.mdp")
        for name in model["state_names"]:
            self.assertRegex(text, f"\n +{name}  ")
        for name in model["action_names"]:
            self.assertIn(f"Q(s, {name})", text)

    def test_gymnasium(self):
        model = as_json(MODELS / "lake.json")
        self.assertEqual(model["P"]["0"]["1"], [[1, 2, 1, True]])
        self.assertEqual(model["state_names"][4], "end")

    def test_a_file_without_a_start_is_warned_of(self):
        """Gymnasium's P alone does not say where episodes start: 0 is only an assumption."""
        stay = {"0": [[1, 0, 1, False]], "1": [[1, 1, 2, False]]}
        move = {"0": [[1, 0, 0, False]], "1": [[1, 1, 3, False]]}
        table = {"0": stay, "1": move}
        commands = [("run", "-a", "q-learning", "--runs", 1, "--steps", 10, "-e"),
                    ("solve", "-e"), ("pac", "delayed-q", "--eps", 0.5, "-e"), ("convert", "-e"),
                    ("audit", "-a", "delayed-q", "--runs", 1, "--steps", 10, "-e")]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.json"
            for given, warned in [(table, True), ({"P": table}, True), ({"P": table, "start": []}, True),
                                  ({"P": table, "start": 0}, False),
                                  ({"P": table, "initial_state_distrib": [0.5, 0.5]}, False),
                                  ({"0": {"0": [[1, 0, 1, False]], "1": [[1, 0, 0, False]]}}, False)]:
                path.write_text(json.dumps(given))
                for command in commands:
                    to = ["--to", "drn"] if command[0] == "convert" else []
                    said = farsight(*command, f"file:{path}", *to).stderr
                    self.assertEqual("warning" in said and "starts in state 0" in said, warned,
                                     (given, command, said))
            path.write_text(json.dumps(table))
            self.assertIn("starts in state 0", farsight("convert", path, "--to", "drn").stderr)
            self.assertIn("starts in state 0", farsight("convert", "-", "--to", "drn",
                                                        text=json.dumps(table)).stderr)
            quiet = farsight("run", "-q", *commands[0][1:], f"file:{path}")
            self.assertNotIn("starts in state 0", quiet.stderr)
            drn = pathlib.Path(folder) / "p.drn"
            text = farsight("convert", path, "--to", "drn").stdout
            self.assertIn(" init", text)
            for said, warned in [(text, False), (text.replace(" init", ""), True)]:
                drn.write_text(said)
                self.assertEqual("starts in state 0" in farsight("solve", "-e", f"file:{drn}").stderr,
                                 warned)

    def test_the_start_of_gymnasium_counts(self):
        stay = {"0": [[1, 0, 1, False]]}
        end = {"0": [[1, 1, 5, False]]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.json"
            path.write_text(json.dumps({"P": {"0": stay, "1": end}, "initial_state_distrib": [0, 1.0]}))
            ran = json.loads(farsight("run", "-e", f"file:{path}", "-a", "q-learning", "--runs", 1,
                                      "--steps", 10, "--json").stdout)
            self.assertEqual(ran["cells"][0]["mean"], 50)

    def test_a_start_that_does_not_fit_is_refused(self):
        table = {"0": {"0": [[1, 1, 0, False]]}, "1": {"0": [[1, 0, 1, False]]}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.json"
            for keys, says in [({"start": [1]}, "1 probabilities for 2 states"),
                               ({"initial_state_distrib": [0, 1, 0]}, "3 probabilities for 2 states"),
                               ({"initial_state_distrib": [0, 1], "start": 0}, "the start is given twice")]:
                path.write_text(json.dumps({"P": table, **keys}))
                self.assertIn(says, farsight("solve", "-e", f"file:{path}", code=1).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
