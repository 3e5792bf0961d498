"""Functions that the study scripts of this folder share: running the command, its stores, Student's distribution, tables in Markdown."""
import csv
import functools
import json
import math
import subprocess
import sys


class Lab:
    """Runs the command. Results are kept in stores in the folder `out`, so that a study that was stopped goes on."""

    def __init__(self, study, farsight, out, steps):
        self.study, self.farsight, self.out, self.steps = study, farsight, out, steps
        self.problems = {}

    def ask(self, *args):
        done = subprocess.run(["nice", self.farsight, *args], stdout=subprocess.PIPE)
        if done.returncode != 0:
            sys.exit(f"{self.study}: farsight {args[0]} failed with exit code {done.returncode}; started again, the study resumes")
        return json.loads(done.stdout)

    def run(self, store, env, agents, runs, seed, *more):
        cells = []
        for i in range(0, len(agents), 100):  # a command has 256 arguments at most
            words = [w for a in agents[i:i + 100] for w in ("-a", a)]
            cells += self.ask("run", "-e", env, *words, "--steps", str(self.steps), "--runs", str(runs), "--seed", str(seed),
                              "--store", str(self.out / store), "--json", "-q", *more)["cells"]
        return cells

    def problem(self, env):
        """States, actions, range of rewards and horizon."""
        if env not in self.problems:
            self.problems[env] = self.ask("pac", "directed-delayed-q", "-e", env, "--json", "-q")["problem"]
        return self.problems[env]

    def suite(self, part):
        """(setting, problem) of the benchmark's problems for "tuning" or "judging"."""
        rows = self.ask("benchmark", "--suite", "--json")["tables"]["suite"]
        return [(row["setting"], row["problem"]) for row in rows if row["part"] == part]

    def totals(self, store, *more):
        """{(env, agent): rewards by replicate} of a store."""
        done = subprocess.run(["nice", self.farsight, "store", "export", str(self.out / store), "--series", "total", "-q", *more],
                              stdout=subprocess.PIPE, check=True, text=True)
        rows = {}
        for row in csv.DictReader(done.stdout.splitlines()):
            rows.setdefault((row["env"], row["agent"]), {})[int(row["replicate"])] = float(row["value"])
        return {key: [x[k] for k in sorted(x)] for key, x in rows.items()}


def distinct(specs):
    return list(dict.fromkeys(specs))


def say(text):
    print(text, file=sys.stderr, flush=True)


def t_density(x, df):
    return math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi) * (1 + x * x / df) ** (-(df + 1) / 2)


def t_tail(x, df):
    """P(|T| > x), by Simpson's rule."""
    n, x = 2000, min(abs(x), 200.0)
    h = x / n
    inner = sum((1 if i in (0, n) else 4 if i % 2 else 2) * t_density(i * h, df) for i in range(n + 1)) * h / 3
    return max(0.0, 1 - 2 * inner)


@functools.cache
def t_quantile(p, df):
    low, high = 0.0, 200.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, df) > p else (low, middle)
    return high


def holm(ps):
    """P-values adjusted for their number."""
    out, most = [0.0] * len(ps), 0.0
    for rank, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        most = max(most, min(1.0, (len(ps) - rank) * ps[i]))
        out[i] = most
    return out


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def put(text, name, content):
    """Replaces what is between the marks of a table."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if begin not in text:
        return text
    head, rest = text.split(begin)
    return head + begin + "\n" + content + "\n\n" + end + rest.split(end)[1]
