#!/usr/bin/env python3
"""Every command while memory runs out: the N-th allocation fails, alone or with all that follow.

usage: test_memory.py FARSIGHT LIBRARY [--full] [--only TEXT]
LIBRARY is built from no_memory.c. Without --full some points of each command are tried, always the
same; with it every one. --only takes the cases whose name has this text.

A command may end in two ways: exit code 0 and the same output as with enough memory (the allocation
was not needed), or exit code 1 and a message that speaks of memory. Nothing may be left behind that
looks like a result: JSON is not complete, a file is there as a whole or as it was, and a store can be
read and holds nothing wrong.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

POINTS = 12  # of each case and mode, unless --full is given
CHAIN = ("-e", "chain:n=4")
SMALL = ("--steps", "30", "--runs", "3", "--threads", "1")
BIG = "riverswim"

STUDY = """\
name: short
steps: 30
runs: 3
environments:
  - chain: {n: [3, 4]}
  - loop
agents:
  - delayed-q: {m: [2, 3]}
  - psrl
metrics: [coverage]
curve: log 3
"""

TUNE = """\
steps: 20
runs: 2
tune:
  budget: 400
  evaluate: 3
  profile: 2
environments: [chain:n=4, loop]
agents:
  - delayed-q: {m: 1..3}
"""

THEIRS = """\
env,agent,steps,seed,replicate,series,step,value
chain:n=4,mine,30,1,0,total,,1.5
chain:n=4,mine,30,1,1,total,,2.5
chain:n=4,mine,30,1,0,curve,10,0.5
loop,mine,30,1,0,total,,2
loop,mine,30,1,1,total,,3
"""

EPISODE = '{"info":true}\n{"reset":true}\n{"step":0}\n{"step":1}\n{"step":1}\n'
SESSION = """\
{"policy":0}
{"info":true}
{"reset":{"replicate":2}}
{"act": 0}
{"observe": {"s":0,"a":1,"r":0.5,"next":3,"done":false}}
{"values": 0}
{"save": "agent.bin"}
{"load": "agent.bin"}
{"act": 3}
"""


@dataclasses.dataclass
class Case:
    """A command, and what of it is compared: standard output and error, the files it writes, the
    content of its stores."""
    name: str
    args: tuple
    stdin: str = ""
    writes: tuple = ()  # files that are there as a whole, or as they were
    store: str = None  # a store that it writes
    answers: bool = False  # a failure is the answer to a request; what follows may then differ


def solve_cases():
    for method in ("value", "gauss-seidel", "modified", "policy", "topological", "auto"):
        yield Case(f"solve {method}", ("solve", *CHAIN, "--method", method))
    forms = {"structure": ("--structure",), "average": ("--average",), "horizon": ("--horizon", "3"),
             "policy file": ("--policy", "policy.txt"), "plain": ()}
    for name, more in forms.items():
        yield Case(f"solve {name} json", ("solve", *CHAIN, *more, "--json"))
        yield Case(f"solve {name}", ("solve", *CHAIN, *more))
    yield Case("solve all", ("solve", "-e", BIG, "--all", "--structure", "--average"))
    for name in ("markdown", "csv", "latex", "html"):
        yield Case(f"solve {name}", ("solve", "-e", "frozen-lake", "--format", name))
    yield Case("solve limited", ("solve", *CHAIN, "--max-sweeps", "2", "--structure"))
    yield Case("solve episodic", ("solve", "-e", "frozen-lake", "--average", "--structure"))
    for name in ("cassandra.mdp", "drn.drn", "json.json"):
        yield Case(f"solve {name}", ("solve", "-e", f"file:{name}"))


def run_cases():
    run = ("run", "-q", *CHAIN, "-e", "loop", "-a", "delayed-q", "-a", "psrl", *SMALL)
    measured = ("--metric", "coverage", "--metric", "regret", "--metric", "mistakes:eps=0.5", "--curve", "3")
    yield Case("run", run)
    yield Case("run json", (*run, "--json"))
    yield Case("run notes", ("run", *CHAIN, "-a", "delayed-q", "-a", "r-max", *SMALL))
    yield Case("run peeks", ("run", *CHAIN, "-a", "random", "-a", "optimal", *SMALL))
    yield Case("run threads", ("run", "-q", *CHAIN, "-a", "psrl", "--steps", "30", "--runs", "20",
                               "--threads", "3", "--json"))
    yield Case("run measured", (*run, *measured))
    yield Case("run measured json", (*run, *measured, "--json"))
    for metric in ("learned", "earned", "last-mistake:eps=0.5", "episodes", "return", "success"):
        yield Case(f"run {metric}", ("run", "-q", *CHAIN, "-a", "q-learning", *SMALL, "--metric", metric))
    yield Case("run store", (*run, "--metric", "coverage", "--curve", "3", "--store", "new.db"), store="new.db")
    yield Case("run snapshots", (*run, "--curve", "2", "--snapshots", "1", "--store", "new.db"), store="new.db")
    yield Case("run store again", (*run, "--store", "old.db"), store="old.db")
    yield Case("run until", ("run", "-q", *CHAIN, "-a", "delayed-q", "--steps", "30", "--runs", "200", "--until",
                             "ci=20%", "--threads", "1", "--json"))
    yield Case("run until store", ("run", "-q", *CHAIN, "-a", "delayed-q", "--steps", "30", "--runs", "200",
                                   "--until", "ci=20%", "--threads", "1", "--store", "new.db"), store="new.db")
    yield Case("run rank", ("run", "-q", *CHAIN, "-a", "delayed-q", "-a", "psrl", "--steps", "30", "--runs", "50",
                            "--until", "rank=5%", "--threads", "1"))
    yield Case("run rank store", ("run", "-q", *CHAIN, "-a", "delayed-q", "-a", "psrl", "--steps", "30", "--runs", "50",
                                  "--until", "rank=5%", "--threads", "1", "--json", "--store", "new.db"), store="new.db")
    yield Case("run dry", (*run, "--dry-run"))
    yield Case("run dry json", (*run, "--dry-run", "--json", "--store", "old.db"))
    yield Case("run study", ("run", "-q", "study.yaml", "--threads", "1"))
    yield Case("run study store", ("run", "-q", "study.yaml", "--threads", "1", "--json", "--store", "new.db"),
               store="new.db")
    yield Case("run process", ("run", "-q", *CHAIN, "-a", "process:exec env -u LD_PRELOAD sh answer.sh", *SMALL))
    yield Case("run save-study", ("run", "-q", "study.yaml", "--save-study", "saved.yaml"), writes=("saved.yaml",))


def other_cases():
    yield Case("compare", ("compare", "-q", *CHAIN, "-e", "loop", "-a", "delayed-q", "-a", "psrl", *SMALL))
    yield Case("compare json", ("compare", "-q", *CHAIN, "-a", "delayed-q", *SMALL, "--json"))
    yield Case("compare markdown", ("compare", "-q", *CHAIN, "-a", "delayed-q", *SMALL, "--markdown", "--metric",
                                    "coverage"))
    yield Case("stats", ("stats", "old.db", "--resamples", "100"))
    yield Case("stats json", ("stats", "old.db", "--resamples", "100", "--json"))
    yield Case("stats markdown", ("stats", "old.db", "--resamples", "100", "--markdown", "--series", "coverage"))
    yield Case("stats chosen", ("stats", "old.db", "--resamples", "100", "-e", "chain*", "-a", "psrl", "-a",
                                "delayed-q", "-b", "psrl", "--series", "curve@10"))
    yield Case("stats csv", ("stats", "old.db", "--resamples", "100", "--format", "csv", "--table", "scores"))
    yield Case("stats latex", ("stats", "old.db", "--resamples", "100", "--format", "latex"))
    yield Case("stats nearest", ("stats", "old.db", "--resamples", "100", "--series", "coverage@9"))
    yield Case("growth", ("growth", "-q", "-e", "chain", "-a", "delayed-q", "-a", "q-learning", "--sizes", "3..5",
                          "--runs", "3", "--max-steps", "500", "--threads", "1"))
    yield Case("growth store", ("growth", "-e", "chain", "-a", "delayed-q", "--sizes", "3,4", "--runs", "3",
                                "--max-steps", "1500", "--threads", "1", "--store", "new.db", "--format", "csv"), store="new.db")
    yield Case("growth json", ("growth", "-e", "chain", "-a", "delayed-q", "-a", "q-learning", "--sizes", "3..5",
                               "--runs", "3", "--measure", "reward", "--steps", "30", "--threads", "1", "--json"))
    yield Case("growth plot", ("growth", "-q", "-e", "chain", "-a", "q-learning", "--sizes", "3,4", "--runs", "3",
                               "--max-steps", "100", "--threads", "1", "--plot", "new.svg"), writes=("new.svg",))
    tune = ("tune", *CHAIN, "-e", "loop", "-a", "delayed-q:m=[1..4]", "-a", "q-learning:alpha=[0.1..1],epsilon=0.1",
            "--steps", "20", "--runs", "2", "--budget", "400", "--evaluate", "3", "--profile", "2", "--threads", "1")
    yield Case("tune", tune)
    yield Case("tune json", (*tune, "--json"))
    yield Case("tune plot", (*tune, "--plot", "new.tex"), writes=("new.tex",))
    for form in ("markdown", "csv", "latex"):
        yield Case(f"tune {form}", (*tune, "--format", form))
    for method in ("random", "crs"):
        yield Case(f"tune {method}", (*tune, "--method", method))
    yield Case("tune store", (*tune, "--store", "new.db"), store="new.db")
    yield Case("tune file", ("tune", "tune.yaml", "--threads", "1"))
    yield Case("tune fit", ("tune", "--fit", "fit.csv", "-a", "delayed-q:m=[1..3]", "--steps", "20", "--runs", "2",
                            "--budget", "300", "--evaluate", "2", "--profile", "2", "--threads", "1"))
    audit = ("audit", "-q", "-e", "garnet:states=3,actions=2,branching=2,rewarded=1", "--steps", "200", "--runs", "2",
             "--threads", "1", "-a")
    yield Case("audit", (*audit, "directed-delayed-q:preset=theory,gamma=0.5,eps=1"))
    yield Case("audit json", (*audit, "directed-delayed-q:preset=theory,gamma=0.5,eps=1", "--json"))
    yield Case("audit latex", (*audit, "directed-delayed-q:preset=theory,gamma=0.5,eps=1", "--format", "latex"))
    yield Case("audit r-max", (*audit, "r-max:preset=theory,gamma=0.5,eps=1"))
    yield Case("audit ucb-q", (*audit, "ucb-q"))
    seen = ("watch", "-q", "-e", "frozen-lake", "-a", "dora", "-a", "delayed-q", "--steps", "90", "--size", "90x30")
    yield Case("watch", (*seen, "--at", "50,80"))
    yield Case("watch picture", (*seen, "--at", "80", "-o", "-"))
    yield Case("web link", ("web", "--link", *CHAIN, "-a", "delayed-q", "-a", "psrl", "--seed", "2"))
    yield Case("web file", ("web", "-o", "new.html"), writes=("new.html",))
    yield Case("web print", ("web", "-o", "-"))
    yield Case("pac", ("pac", *CHAIN, "--eps", "0.5"))
    yield Case("pac json", ("pac", *CHAIN, "--eps", "0.5", "--json", "--steps", "1e15"))
    yield Case("pac csv", ("pac", *CHAIN, "--eps", "0.5", "--format", "csv", "--table", "quantities"))
    yield Case("pac explain", ("pac", "directed-delayed-q", "--states", "10", "--actions", "2", "--explain"))
    for kind in ("agents", "envs", "metrics", "theorems"):
        yield Case(f"list {kind}", ("list", kind))
        yield Case(f"list {kind} json", ("list", kind, "--json"))
    yield Case("list markdown", ("list", "theorems", "r-max", "--format", "markdown"))
    yield Case("list family", ("list", "envs", "frozen-lake"))
    yield Case("benchmark", ("benchmark", "-a", "random", "-a", "optimal", "--tuning", "--runs", "2", "--threads", "1",
                             "--json", "--store", "new.db", "--plot", "new.svg"), store="new.db", writes=("new.svg",))
    yield Case("list agent", ("list", "agents", "directed-delayed-q"))
    yield Case("reproduce", ("reproduce", "--runs", "2", "--threads", "1"))
    yield Case("reproduce json", ("reproduce", "--runs", "2", "--threads", "1", "--json"))
    yield Case("reproduce plot", ("reproduce", "--runs", "2", "--threads", "1", "--plot", "new.svg"), writes=("new.svg",))
    agent = ("agent", "-q", "--states", "4", "--actions", "2")
    for name in ("directed-delayed-q", "psrl", "r-max"):
        yield Case(f"agent {name}", (*agent, name), stdin=SESSION, answers=True)
    yield Case("env", ("env", "chain:n=4"), stdin=EPISODE)
    yield Case("env record", ("env", "-q", "chain:n=4", "--steps", "3", "--curve", "3", "--record", "new.db", "--name",
                              "x"), stdin=EPISODE, store="new.db")
    for words in (("completion", "bash"), ("completion", "zsh"), ("completion", "fish"), ("man",), ("--help",),
                  ("--version",), ("run", "--help"), ("tune", "--help")):
        yield Case(" ".join(words), words)


def file_cases():
    names = {"cassandra": "mdp", "drn": "drn", "json": "json"}
    for name, extension in names.items():
        yield Case(f"convert to {name}", ("convert", *CHAIN, "-o", f"out.{extension}"), writes=(f"out.{extension}",))
        yield Case(f"convert print {name}", ("convert", *CHAIN, "--to", name))
        yield Case(f"convert from {name}", ("convert", f"{name}.{extension}", "--to", "json"))
    yield Case("convert pomdp", ("convert", "small.pomdp", "--to", "drn"))
    yield Case("convert stdin", ("convert", "-", "--to", "drn", "--from", "cassandra"), stdin="cassandra.mdp")
    yield Case("convert over", ("convert", "drn.drn", "json.json"), writes=("json.json",))
    yield Case("store info", ("store", "info", "old.db"))
    yield Case("store info json", ("store", "info", "old.db", "--json"))
    yield Case("store info wide", ("store", "info", "wide.db", "--json"))  # longer than a first buffer
    yield Case("store info csv", ("store", "info", "old.db", "--format", "csv"))
    yield Case("store check", ("store", "check", "old.db"))
    yield Case("store check snapshots", ("store", "check", "other.db"))
    yield Case("store check json", ("store", "check", "old.db", "--json"))
    yield Case("store export", ("store", "export", "old.db"))
    yield Case("store export file", ("store", "export", "old.db", "-o", "out.csv"), writes=("out.csv",))
    yield Case("store export jsonl", ("store", "export", "old.db", "--format", "jsonl", "--series", "curve"))
    yield Case("store export snapshots", ("store", "export", "other.db", "--snapshots"))
    yield Case("store export nearest", ("store", "export", "old.db", "--series", "coverage@9"))
    yield Case("watch store", ("watch", "old.db", "--once"))
    yield Case("watch store study", ("watch", "old.db", "study.yaml", "--once"))
    yield Case("store import", ("store", "import", "new.db", "theirs.csv"), store="new.db")
    yield Case("store import json", ("store", "import", "old.db", "theirs.csv", "--json"), store="old.db")
    yield Case("store merge", ("store", "merge", "new.db", "old.db", "other.db"), store="new.db")
    yield Case("store merge json", ("store", "merge", "old.db", "other.db", "--json"), store="old.db")


# what differs from run to run: times, dates, process ids
VARYING = [(re.compile(r'"bytes":[-+.e0-9]+,"notes"'), '"notes"'),  # of a dry run
           (re.compile(r'"(seconds|started|last|ns)":("[^"]*"|[-+.e0-9]+)'), r'"\1":0'),
           (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "DATE"),
           (re.compile(r"\(.* of processor time\)"), "(TIME)"),
           (re.compile(r"\S+ \S+ of processor time|last commit .* ago|last commit just now|"
                       r" +((no )?new runs( for .*)?|running|finished)$| +\d+%$|[█░]+", re.M), ""),  # of a store that is watched
           (re.compile(r"^  time    .*$", re.M), "  time"),
           (re.compile(r"^  disk    .*$", re.M), "  disk")]


def steady(text):
    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return text


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


class Bench:
    def __init__(self, program, library, folder):
        self.program, self.library = os.path.abspath(program), os.path.abspath(library)
        self.folder = pathlib.Path(folder)
        self.model = self.folder / "model"  # what every process finds in its folder
        self.model.mkdir()
        self.fill()

    def plainly(self, *args, at=None, code=0, stdin=""):
        done = subprocess.run([self.program, *args], cwd=at or self.model, input=stdin, capture_output=True, text=True,
                              timeout=300)
        assert code is None or done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
        return done

    def fill(self):
        files = {"answer.sh": """while read line; do echo '{"action":1}'; done""", "study.yaml": STUDY,
                 "tune.yaml": TUNE, "theirs.csv": THEIRS, "policy.txt": "1 1 1 1\n",
                 "fit.csv": "env,mean\nchain:n=4,5\nloop,4\n",
                 "small.pomdp": "discount: 0.9\nvalues: reward\nstates: a b\nactions: go stay\nobservations: x y\n"
                                "start: a\nT: go\n0 1\n0 1\nT: stay\nidentity\nO: *\nuniform\n"
                                "R: go : a : b : * 1\nR: stay : b : b : x 0.5\n"}
        for name, text in files.items():
            (self.model / name).write_text(text)
        for extension, name in (("mdp", "cassandra"), ("drn", "drn"), ("json", "json")):
            self.plainly("convert", *CHAIN, f"{name}.{extension}")
        run = ("run", "-q", *CHAIN, "-e", "loop", "-a", "delayed-q", "-a", "psrl", "--steps", "30", "--threads", "1")
        self.stores = self.plainly(*run, "--runs", "4", "--store", "old.db", "--metric", "coverage", "--curve",
                                   "10,20,30", code=None).returncode == 0
        if self.stores:
            self.plainly(*run, "--runs", "2", "--seed", "2", "--curve", "10,30", "--snapshots", "1",
                         "--store", "other.db")
            self.plainly("run", "-q", *CHAIN, "-a", "q-learning:q0=[1..20 step 1],epsilon=[0.1,0.2]", "--steps", "5",
                         "--runs", "2", "--threads", "1", "--store", "wide.db")
        self.studies = self.plainly("run", "study.yaml", "-q", "--dry-run", code=None).returncode == 0
        self.methods = re.search("^with .*NLopt", self.plainly("--version").stdout, re.M) is not None

    def can(self, case):
        words = " ".join(case.args)
        return ((self.stores or ".db" not in words) and (self.studies or ".yaml" not in words) and
                (self.methods or "crs" not in words))

    def run(self, case, fail_at=0, on=False):
        """(the process, the folder it left)"""
        at = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copytree(self.model, at, dirs_exist_ok=True)
        more = {"FARSIGHT_WEB_PAGE": "answer.sh", "LD_PRELOAD": self.library, "NO_MEMORY_AT": str(fail_at), "NO_MEMORY_ON": str(int(on)),
                "NO_MEMORY_COUNT": str(at / "count")}
        stdin = (at / case.stdin).read_text() if case.stdin in os.listdir(at) else case.stdin
        done = subprocess.run([self.program, *case.args], cwd=at, input=stdin, capture_output=True, text=True,
                              timeout=300, env={**os.environ, **more})
        return done, at

    def results(self, store, at):
        """The hash of all results; how they are divided into blocks may differ."""
        found = re.search("^results .*", self.plainly("store", "check", store, at=at, code=None).stdout, re.M)
        return found and found[0]

    def strays(self, case, at, on):
        """Files that the command has left beside those it should write. What SQLite keeps beside a store it
        removes when it is closed, if it has the memory to look; the next one who opens it does."""
        known = {*os.listdir(self.model), *case.writes, "count", "agent.bin"}
        if case.store is not None:
            known |= {case.store + end for end in ("", "-wal", "-shm", "-journal")}
        if on:
            known |= {name + end for name in os.listdir(self.model) for end in ("-wal", "-shm")}
        return sorted(set(os.listdir(at)) - known)

    def content(self, case, at):
        """What is in the files that the command writes."""
        out = {name: (at / name).read_bytes() if (at / name).exists() else None for name in case.writes}
        if case.store is not None:
            out[case.store] = self.results(case.store, at)
        return out


def wrong_success(bench, case, reference, done, at):
    if case.answers and done.stdout.count("\n") == reference.out.count("\n"):
        answers = zip(done.stdout.splitlines(), reference.out.splitlines())
        first = next((mine for mine, right in answers if mine != right), "memory")
        return None if "memory" in first.lower() else f"another answer: {first}"
    if steady(done.stdout) != reference.out:
        return "another output"
    if steady(done.stderr) != reference.err:
        return "other messages"
    if bench.content(case, at) != reference.content:
        return "other files"
    return None


def wrong_failure(bench, case, reference, done, at):
    if "memory" not in done.stderr.lower():
        return "the message does not speak of memory"
    if "--json" in case.args and done.stdout != "" and is_json(done.stdout):
        return "the JSON document is complete"
    for name in case.writes:
        old = (bench.model / name).read_bytes() if (bench.model / name).exists() else None
        new = (at / name).read_bytes() if (at / name).exists() else None
        if new not in (old, reference.content[name]):
            return f"{name} is neither old nor new"
    if case.store is None or not (at / case.store).exists():
        return None
    check = bench.plainly("store", "check", case.store, at=at, code=None)
    if check.returncode != 0 and (at / case.store).stat().st_size > 0:
        return "the store is damaged: " + check.stderr + check.stdout
    again = bench.plainly(*case.args, at=at, code=None, stdin=case.stdin)
    if again.returncode != 0:
        return "the same command does not go on: " + again.stderr
    if bench.content(case, at) != reference.content:
        return "the same command does not end with the same results"
    return None


def judge(bench, case, reference, point, on):
    """(exit code 0 or 1, what is wrong or None)"""
    done, at = bench.run(case, point, on)
    try:
        strays = bench.strays(case, at, on)
        if strays:
            wrong = f"leaves {strays}"
        elif done.returncode == 0:
            wrong = wrong_success(bench, case, reference, done, at)
        elif done.returncode == 1:
            wrong = wrong_failure(bench, case, reference, done, at)
        elif done.returncode < 0:
            wrong = "killed by " + signal.Signals(-done.returncode).name
        else:
            wrong = f"exit code {done.returncode}"
        if wrong is not None:
            wrong += "\n      " + done.stderr.strip()[-300:].replace("\n", "\n      ")
        return done.returncode, wrong
    finally:
        shutil.rmtree(at)


@dataclasses.dataclass
class Reference:
    out: str
    err: str
    content: dict
    count: int


def measure(bench, case):
    done, at = bench.run(case)
    assert done.returncode == 0, (case.name, done.returncode, done.stderr)
    out = Reference(steady(done.stdout), steady(done.stderr), bench.content(case, at),
                    int((at / "count").read_text()))
    shutil.rmtree(at)
    return out


def points_of(count, full, index):
    stride = 1 if full else max(1, -(-count // POINTS))
    return range(1 + index % stride, count + 1, stride)


def sweep(bench, pool, case, full, index):
    """Counts of points, exit codes 0 and 1, and faults, for one case."""
    reference = measure(bench, case)
    jobs = {}
    for on in (False, True):
        for point in points_of(reference.count, full, index + 7 * on):
            jobs[pool.submit(judge, bench, case, reference, point, on)] = point, on
    codes, faults = {0: 0, 1: 0}, []
    for job in concurrent.futures.as_completed(jobs):
        code, wrong = job.result()
        if wrong is None:
            codes[code] += 1
        else:
            point, on = jobs[job]
            faults.append((point, on, wrong))
    print(f"{case.name:24}{reference.count:8}{len(jobs):8}{codes[0]:8}{codes[1]:8}{len(faults):6}", flush=True)
    for point, on, wrong in sorted(faults)[:6 if not full else None]:
        print(f"    allocation {point}{' and on' if on else ''}: {wrong}")
    return len(jobs), codes[0], codes[1], len(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    cases = [*solve_cases(), *run_cases(), *other_cases(), *file_cases()]
    total = [0, 0, 0, 0]
    print(f"{'':24}{'allocs':>8}{'points':>8}{'exit 0':>8}{'exit 1':>8}{'bad':>6}")
    quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # no disk to wait for
    with tempfile.TemporaryDirectory(dir=quick) as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(given.program, given.library, folder)
        for index, case in enumerate(cases):
            if given.only in case.name and bench.can(case):
                total = [a + b for a, b in zip(total, sweep(bench, pool, case, given.full, index))]
    print(f"{'all':32}{total[0]:8}{total[1]:8}{total[2]:8}{total[3]:6}")
    assert total[0] > 0, "no case has this name"
    return 1 if total[3] > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
