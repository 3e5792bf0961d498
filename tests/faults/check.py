#!/usr/bin/env python3
"""Every command while something fails: memory, calls of the system, standard output.

usage: check.py FARSIGHT LIBRARY [--kinds KIND,...] [--points N | --full] [--share N] [--only TEXT] [--jobs N]
LIBRARY is built from faults.c, which says what the kinds are: memory, EIO, ENOSPC, EINTR, short; here "EIO+" is EIO with
all that follow, and "out" is standard output on a full device and on a closed pipe. Of each case (cases.py) and kind N
points are tried, always the same; with --full every one. --share takes one of N pairs of case and kind, --only the cases
whose name has this text.

A command may end in two ways: exit code 0 and the same output as undisturbed (what failed was not needed), or exit code 1
and one line that says what failed. Nothing may be left behind that looks like a result: JSON is not complete, a file is
there as a whole or as it was, and a store can be read and holds nothing wrong; the same command then ends with the same
content. A short read or write is no failure at all. No sanitizer may say anything.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import cases

CANNOT = 77  # the library could not do its work: the test is skipped
KINDS = ("memory", "memory+", "EIO", "EIO+", "ENOSPC", "ENOSPC+", "EINTR", "short", "out")
# SQLite's, stdio's
UNKNOWN = "disk I/O error|attempt to write a readonly database|unable to open database file|the system does not open it|an earlier write has failed"
REASONS = {"memory": "memory", "EIO": f"Input/output error|{UNKNOWN}", "EINTR": f"Interrupted system call|{UNKNOWN}",
           "ENOSPC": f"No space left on device|disk is full|{UNKNOWN}"}

# what differs from run to run: times, dates, process ids
VARYING = [(re.compile(r'"bytes":[-+.e0-9]+,"notes"'), '"notes"'),  # of a dry run
           (re.compile(r'"(seconds|started|last|ns)":("[^"]*"|[-+.e0-9]+)'), r'"\1":0'),
           (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"), "DATE"),
           (re.compile(r"\([^()\n]* of processor time\)"), "(TIME)"),
           (re.compile(r"(?<!\S)\S+ \S+ of processor time|last commit .* ago|last commit just now|"
                       r"(?<! ) +((no )?new runs( for .*)?|running|finished)$|(?<! ) +\d+%$|[█░]+", re.M), ""),  # of a store that is watched
           (re.compile(r"^  time    .*$", re.M), "  time"),
           (re.compile(r"^  disk    .*$", re.M), "  disk")]


@functools.lru_cache(maxsize=16)  # pages are long, and mostly as they were
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


@dataclasses.dataclass(frozen=True)
class Fault:
    kind: str
    at: int = 0

    @property
    def name(self):
        return self.kind.rstrip("+")

    def environment(self, folder):
        return {"FAULTS_KIND": self.name, "FAULTS_AT": str(self.at), "FAULTS_ON": str(int(self.kind.endswith("+"))),
                "FAULTS_COUNT": str(folder / "count"), "FAULTS_HIT": str(folder / "hit")}


@dataclasses.dataclass
class Ended:
    """A process that has ended, and where."""
    code: int
    out: str
    err: str
    at: pathlib.Path
    hit: str  # the call that failed: its name and its file


class Bench:
    def __init__(self, program, library, folder):
        self.program, self.library = os.path.abspath(program), os.path.abspath(library)
        self.folder = pathlib.Path(folder)
        self.model = self.folder / "model"  # what every process finds in its folder
        self.model.mkdir()
        self.fill()

    def environment(self):
        """Of sanitizers: what they find has an exit code of its own."""
        return {**os.environ, "FARSIGHT_WEB_PAGE": "answer.sh", "ASAN_OPTIONS": "exitcode=99:verify_asan_link_order=0",
                "LSAN_OPTIONS": "exitcode=98", "UBSAN_OPTIONS": "exitcode=97:print_stacktrace=1"}

    def plainly(self, *args, at=None, code=0, stdin=""):
        done = subprocess.run([self.program, *args], cwd=at or self.model, input=stdin, capture_output=True, text=True,
                              timeout=300, env=self.environment())
        assert code is None or done.returncode == code, (args, done.returncode, done.stdout, done.stderr)
        return done

    def fill(self):
        files = {"answer.sh": """while read line; do echo '{"action":1}'; done""", "study.yaml": cases.STUDY,
                 "tune.yaml": cases.TUNE, "theirs.csv": cases.THEIRS, "policy.txt": "1 1 1 1\n",
                 "fit.csv": "env,mean\nchain:n=4,5\nloop,4\n",
                 "small.pomdp": "discount: 0.9\nvalues: reward\nstates: a b\nactions: go stay\nobservations: x y\n"
                                "start: a\nT: go\n0 1\n0 1\nT: stay\nidentity\nO: *\nuniform\n"
                                "R: go : a : b : * 1\nR: stay : b : b : x 0.5\n"}
        for name, text in files.items():
            (self.model / name).write_text(text)
        for extension, name in (("mdp", "cassandra"), ("drn", "drn"), ("json", "json")):
            self.plainly("convert", *cases.CHAIN, f"{name}.{extension}")
        run = ("run", "-q", *cases.CHAIN, "-e", "loop", "-a", "delayed-q", "-a", "psrl", "--steps", "30", "--threads", "1")
        self.stores = self.plainly(*run, "--runs", "4", "--store", "old.db", "--metric", "coverage", "--curve",
                                   "10,20,30", code=None).returncode == 0
        if self.stores:
            self.plainly(*run, "--runs", "2", "--seed", "2", "--curve", "10,30", "--snapshots", "1",
                         "--store", "other.db")
            self.plainly("run", "-q", *cases.CHAIN, "-a", "q-learning:q0=[1..20 step 1],epsilon=[0.1,0.2]", "--steps", "5",
                         "--runs", "2", "--threads", "1", "--store", "wide.db")
            self.plainly("plot", "curves", "other.db", "-o", "old.svg")
            self.plainly("report", "other.db", "-o", "old.html")
        self.studies = self.plainly("run", "study.yaml", "-q", "--dry-run", code=None).returncode == 0
        self.methods = re.search("^with .*NLopt", self.plainly("--version").stdout, re.M) is not None

    def can(self, case, kind):
        words = " ".join(case.args)
        return ((not case.starts or kind.startswith("memory")) and (self.stores or ".db" not in words) and
                (self.studies or ".yaml" not in words) and (self.methods or "crs" not in words))

    def run(self, case, fault, out=subprocess.PIPE):
        at = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copytree(self.model, at, dirs_exist_ok=True)
        seen = at / ".faults"
        seen.mkdir()
        more = {"LD_PRELOAD": self.library, **fault.environment(seen)} if fault.name != "out" else {}
        stdin = (at / case.stdin).read_text() if case.stdin in os.listdir(at) else case.stdin
        done = subprocess.run([self.program, *case.args], cwd=at, input=stdin, stdout=out, stderr=subprocess.PIPE, text=True,
                              timeout=300, env={**self.environment(), **more}, errors="replace")
        hit = (seen / "hit").read_text().splitlines()[0] if (seen / "hit").exists() else ""
        return Ended(done.returncode, done.stdout or "", done.stderr, at, hit)

    def count(self, ended):
        return int((ended.at / ".faults" / "count").read_text())

    def results(self, store, at):
        """The hash of all results; how they are divided into blocks may differ."""
        found = re.search("^results .*", self.plainly("store", "check", store, at=at, code=None).stdout, re.M)
        return found and found[0]

    def content(self, case, at):
        """What is in the files that the command writes."""
        out = {name: (at / name).read_bytes() if (at / name).exists() else None for name in case.writes}
        for name, content in out.items():
            if content is not None and name.endswith(".html"):
                out[name] = steady(content.decode()).encode()
        if case.store is not None:
            out[case.store] = self.results(case.store, at)
        return out


# ---- what is wrong, or None ----

def strays(bench, case, fault, ended):
    """Files that the command has left beside those it should write. What SQLite keeps beside a store it removes when it is
    closed, if it can look; the next one who opens it does. A file that cannot be removed stays."""
    known = {*os.listdir(bench.model), *case.writes, "agent.bin", ".faults"}
    stores = {name for name in known if name.endswith(".db")} if fault.kind != "memory" else set()
    for store in stores | {case.store} - {None}:
        known |= {store + end for end in ("", "-wal", "-shm", "-journal")}
    removal_failed = ended.hit.startswith("unlink") or fault.kind == "EIO+"
    excused = re.compile(r"\.new(-wal|-shm|-journal)?$" if removal_failed else "$^")
    left = [name for name in os.listdir(ended.at) if name not in known and not excused.search(name)]
    return f"leaves {sorted(left)}" if left else None


def wrong_success(bench, case, fault, reference, ended):
    if case.answers and ended.out.count("\n") == reference.out.count("\n"):
        answers = zip(ended.out.splitlines(), reference.out.splitlines(), strict=True)
        first = next((mine for mine, right in answers if mine != right), None)
        good = first is None or ("error" in first and re.search(REASONS.get(fault.name, "^$"), first) is not None)
        return None if good else f"another answer: {first}"
    if steady(ended.out) != reference.out:
        return "another output"
    if steady(ended.err) != reference.err and not ended.hit.endswith("/fd/2"):
        return "other messages"
    if bench.content(case, ended.at) != reference.content:
        return "other files"
    return None


def lists_faults(case, ended):
    """`store check` prints the faults that it finds, a page that cannot be read among them, and fails."""
    return case.args[:2] == ("store", "check") and ended.out != "" and '"count":0,' not in ended.out


def wrong_message(case, fault, ended):
    """One line, after the notes, that says what failed: the file, where there is one, and why."""
    if ended.hit.endswith("/fd/2") or lists_faults(case, ended):
        return None
    lines = [line for line in ended.err.splitlines() if line.startswith("farsight") and not re.match("farsight: (note|warning):", line)]
    if not lines:
        return "no message"
    if re.search(REASONS[fault.name], ended.err, re.I) is None:
        return f"the message does not say why ({fault.name})"
    path = ended.hit.partition(" ")[2]
    name = re.sub(r"(-wal|-shm|-journal|\.\d+\.new)$", "", os.path.basename(path))
    inside = os.path.dirname(path) in ("", ".", str(ended.at))
    if not fault.kind.endswith("+") and inside and name and name not in ended.err:
        return f"the message does not name '{name}'"
    return None


def wrong_failure(bench, case, fault, reference, ended):
    wrong = wrong_message(case, fault, ended)
    if wrong is not None:
        return wrong
    # a figure is drawn after the work of hours has been printed
    excused = "--plot" in case.args or lists_faults(case, ended)
    if "--json" in case.args and not excused and ended.out != "" and is_json(ended.out):
        return "the JSON document is complete"
    new = bench.content(dataclasses.replace(case, store=None), ended.at)
    old = bench.content(dataclasses.replace(case, store=None), bench.model)
    for name in case.writes:
        if new[name] not in (old[name], reference.content[name]):
            return f"{name} is neither old nor new"
    return wrong_store(bench, case, reference, ended)


def wrong_store(bench, case, reference, ended):
    """A store is one, and the same command goes on with it."""
    if case.store is None:
        return None
    if (ended.at / case.store).exists():
        check = bench.plainly("store", "check", case.store, at=ended.at, code=None)
        if check.returncode != 0 and "is empty, and so not a store yet" not in check.stderr:
            return "the store is damaged: " + check.stderr + check.stdout
    again = bench.plainly(*case.args, at=ended.at, code=None, stdin=case.stdin)
    if again.returncode != 0:
        return "the same command does not go on: " + again.stderr
    if bench.content(case, ended.at) != reference.content:
        return "the same command does not end with the same results"
    return None


def what_is_wrong(bench, case, fault, reference, ended):
    if "Sanitizer: CHECK failed" in ended.err:
        return None  # the sanitizer itself, for which there was no memory
    if "Sanitizer" in ended.err or "runtime error:" in ended.err:
        return "a sanitizer speaks: " + ended.err
    if ended.code < 0:
        return "killed by " + signal.Signals(-ended.code).name
    if ended.code not in (0, 1):
        return f"exit code {ended.code}"
    if fault.kind == "short" and ended.code != 0:
        return "a short read or write is taken for a failure"
    left = strays(bench, case, fault, ended)
    if left is not None:
        return left
    return (wrong_success if ended.code == 0 else wrong_failure)(bench, case, fault, reference, ended)


def judge(bench, case, reference, fault):
    """(exit code, what is wrong or None)"""
    ended = bench.run(case, fault)
    try:
        wrong = what_is_wrong(bench, case, fault, reference, ended)
        if wrong is not None:
            wrong += f"\n      {ended.hit}\n      " + ended.err.strip()[-300:].replace("\n", "\n      ")
        return ended.code, wrong
    finally:
        shutil.rmtree(ended.at)


def judge_output(bench, case, reference, where):
    """Standard output on a full device, or on a pipe that nobody reads: a command that prints must not pretend."""
    if where == "full":
        with open("/dev/full", "w", encoding="ascii") as full:
            ended = bench.run(case, Fault("out"), full)
        reason = "No space left on device"
    else:
        reads, writes = os.pipe()
        os.close(reads)
        ended = bench.run(case, Fault("out"), writes)
        os.close(writes)
        reason = "Broken pipe"
    shutil.rmtree(ended.at)
    if reference.out == "":
        return ended.code, None if ended.code == 0 else f"exit code {ended.code}: {ended.err}"
    if ended.code != 1:
        return ended.code, f"exit code {ended.code} with standard output on a {where}: {ended.err}"
    if where == "full" and reason not in ended.err and "an earlier write has failed" not in ended.err:
        return ended.code, f"the message does not say '{reason}': {ended.err}"
    return ended.code, None


# ---- all of them ----

@dataclasses.dataclass
class Reference:
    out: str
    err: str
    content: dict
    count: int


def measure(bench, case, fault):
    ended = bench.run(case, fault)
    if ended.code == CANNOT:
        print("seccomp is not available here")
        sys.exit(CANNOT)
    assert ended.code == 0, (case.name, ended.code, ended.err)
    out = Reference(steady(ended.out), steady(ended.err), bench.content(case, ended.at),
                    bench.count(ended) if fault.name != "out" else 2)
    shutil.rmtree(ended.at)
    return out


def points_of(count, points, index):
    stride = max(1, -(-count // points)) if points else 1
    return range(1 + index % stride, count + 1, stride)


def sweep(bench, pool, case, kind, points, index):
    """Counts of points, exit codes 0 and 1, and faults, for one case and kind."""
    reference = measure(bench, case, Fault(kind))
    jobs = {}
    for point in points_of(reference.count, points, index):
        if kind == "out":
            jobs[pool.submit(judge_output, bench, case, reference, ("full", "pipe")[point - 1])] = point
        else:
            jobs[pool.submit(judge, bench, case, reference, Fault(kind, point))] = point
    codes, faults = collections.Counter(), []
    for job in concurrent.futures.as_completed(jobs):
        code, wrong = job.result()
        codes[code] += wrong is None
        if wrong is not None:
            faults.append((jobs[job], wrong))
    print(f"{case.name:24}{kind:>9}{reference.count:8}{len(jobs):8}{codes[0]:8}{codes[1]:8}{len(faults):6}", flush=True)
    for point, wrong in sorted(faults)[:6 if points else None]:
        print(f"    {kind} {point}: {wrong}", flush=True)
    return collections.Counter(count=reference.count, points=len(jobs), zero=codes[0], one=codes[1], bad=len(faults))


def pairs_of(bench, kinds, only, share):
    """(number, case, kind) of all that is tried."""
    chosen = [c for c in cases.all_cases() if only in c.name]
    pairs = [(c, k) for c in chosen for k in kinds if bench.can(c, k)]
    return [(n, c, k) for n, (c, k) in enumerate(pairs) if n % share == 0 or (c.every and k == "EIO")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--points", type=int, default=12)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    totals = {kind: collections.Counter() for kind in given.kinds.split(",")}
    print(f"{'':33}{'calls':>8}{'points':>8}{'exit 0':>8}{'exit 1':>8}{'bad':>6}")
    quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # no disk to wait for
    with tempfile.TemporaryDirectory(dir=quick) as folder, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        bench = Bench(given.program, given.library, folder)
        for number, case, kind in pairs_of(bench, totals, given.only, given.share):
            every = given.full or (case.every and kind == "EIO")
            totals[kind] += sweep(bench, pool, case, kind, None if every else given.points, number)
    for kind, t in totals.items():
        print(f"{'all':24}{kind:>9}{t['count']:8}{t['points']:8}{t['zero']:8}{t['one']:8}{t['bad']:6}")
    assert sum(t["points"] for t in totals.values()) > 0, "no case has this name"
    return 1 if any(t["bad"] for t in totals.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
