#!/usr/bin/env python3
"""Commands that write a store, killed at random moments and started again until they have finished.

usage: kills.py FARSIGHT [KILLS] [--seed N] [--mpirun MPIRUN] [--faults LIBRARY] [--only NAME] [--jobs N]

A *story* is a store and the commands that fill it, several at the same time in some. Each is killed (SIGKILL) after
a random time, or at a random call of the system (with LIBRARY, built from faults.c), and started again, until all of
them have ended by themselves. After every round of kills the store must be one, or not be there yet; at the end its
export must be, byte by byte, that of a store that nobody disturbed, and nothing may lie beside it. Nothing here
depends on how fast the machine is: only where the kills fall.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 600  # seconds, for what hangs
PATIENCE = 60  # seconds, for the rest of a job of ranks
GRID = ("-e", "chain:n=10", "-e", "riverswim", "-a", "delayed-q", "-a", "q-learning", "--steps", "500", "--curve", "log 4",
        "--metric", "coverage")
RUN = ("run", "-q", *GRID, "--runs", "600", "--threads", "2", "--store", "s.db")
MORE = ("run", "-q", "-e", "loop", "-a", "r-max", "--steps", "400", "--runs", "900", "--threads", "1", "--store", "s.db")
SNAPSHOTS = ("run", "-q", *GRID, "--runs", "60", "--snapshots", "20", "--threads", "2", "--store", "s.db")
TUNE = ("tune", "-q", "-e", "chain:n=4", "-e", "loop", "-a", "delayed-q:m=[1..20]", "-a", "q-learning:alpha=[0.1..1],epsilon=0.1",
        "--steps", "200", "--runs", "20", "--budget", "300000", "--evaluate", "30", "--profile", "4", "--threads", "1",
        "--store", "s.db")
MERGE = ("store", "merge", "s.db", "monday.db", "tuesday.db")
IMPORT = ("store", "import", "s.db", "theirs.csv")


@dataclasses.dataclass
class Story:
    name: str
    commands: tuple
    share: int  # of 100 kills
    ranks: int = 0  # of the first command; 0: no mpirun


STORIES = (Story("run", (RUN,), 17), Story("run, snapshots", (SNAPSHOTS,), 6), Story("tune", (TUNE,), 14),
           Story("store merge", (MERGE,), 14), Story("store import", (IMPORT,), 14),
           Story("five writers", (RUN, RUN, MORE, MERGE, IMPORT), 25), Story("3 ranks", (RUN,), 6, 3),
           Story("3 ranks and a run", (RUN, MORE), 4, 3))


def theirs():
    """A table of another program: enough rows for an import that takes a while."""
    rows = ["env,agent,steps,seed,replicate,series,step,value"]
    rows += [f"chain:n=4,their {agent},100,1,{replicate},total,,{agent + replicate / 7}" for agent in range(4) for replicate in range(1500)]
    return "\n".join(rows) + "\n"


def state_of(store):
    """What a kill has left, by the files: is a transaction of the log begun and not committed?"""
    journal, log = (pathlib.Path(str(store) + end) for end in ("-journal", "-wal"))
    if not store.exists() or store.stat().st_size == 0:
        return "no store yet"
    if journal.exists() and journal.stat().st_size > 0:
        return "while it was made"
    content = log.read_bytes() if log.exists() else b""
    if len(content) < 32:
        return "no log"
    page, = struct.unpack(">8xI", content[:12])
    last, at, size = 1, 32, 24 + (page if page > 1 else 65536)
    while at + 24 <= len(content):
        pages, salts = struct.unpack(">4xI8s", content[at:at + 16])
        if salts != content[16:24]:
            break  # of an earlier turn
        last, at = pages, at + size
    return "in a commit" if last == 0 or at > len(content) else "between commits"


class Kills:
    def __init__(self, given, folder):
        self.farsight, self.mpirun = os.path.abspath(given.farsight), given.mpirun
        self.faults = given.faults and os.path.abspath(given.faults)
        self.folder = pathlib.Path(folder)
        self.lock = threading.Lock()
        self.kills, self.states, self.wrong = collections.Counter(), collections.Counter(), []
        self.by_command, self.finished, self.by_call = collections.Counter(), collections.Counter(), 0
        self.stuck = collections.Counter()  # what had to be ended after a kill
        self.model = self.folder / "model"
        self.model.mkdir()
        (self.model / "theirs.csv").write_text(theirs())
        for seed, name in (("2", "monday.db"), ("3", "tuesday.db")):
            self.plainly(*RUN[:-1], name, "--seed", seed, at=self.model)
        self.references, self.seconds, self.calls = {}, {}, {}

    def environment(self, fault=None):
        out = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
        return {**out, **fault} if fault else out

    def plainly(self, *args, at, code=0):
        done = subprocess.run([self.farsight, *args], cwd=at, capture_output=True, timeout=LIMIT)
        assert code is None or done.returncode == code, (args, done.returncode, done.stderr)
        return done

    def fresh(self):
        at = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for path in self.model.iterdir():
            os.link(path, at / path.name) if path.suffix == ".csv" else shutil.copy(path, at / path.name)
        return at

    def measure(self, story):
        """The export of the story without kills, and how much there is to do in each command."""
        at = self.fresh()
        for command in story.commands:
            begun = time.monotonic()
            self.plainly(*command, at=at)
            self.seconds.setdefault((command, 0), time.monotonic() - begun)
        self.references[story.name] = self.plainly("store", "export", "s.db", at=at).stdout
        if story.ranks:
            begun = time.monotonic()
            subprocess.run([self.mpirun, "-n", str(story.ranks), self.farsight, *story.commands[0]], cwd=self.fresh(),
                           stdout=subprocess.DEVNULL, timeout=LIMIT, check=True, env=self.environment())
            self.seconds[story.commands[0], story.ranks] = time.monotonic() - begun
        for command in story.commands:
            if self.faults and command not in self.calls:
                (at / "s.db").unlink()
                count = at / "count"
                subprocess.run([self.farsight, *command], cwd=at, capture_output=True, timeout=LIMIT, check=True,
                               env=self.environment({"LD_PRELOAD": self.faults, "FAULTS_COUNT": str(count),
                                                     "FAULTS_KIND": "kill"}))
                self.calls[command] = int(count.read_text().split()[0])
        shutil.rmtree(at)

    # ---- one command, started and killed ----

    def start(self, story, index, at, dice):
        """(process, seconds until it is to be killed, or None where it will kill itself)"""
        command, fault, delay = story.commands[index], None, None
        ranks = story.ranks if index == 0 else 0
        if self.faults and not ranks and dice.random() < 0.5:
            fault = {"LD_PRELOAD": self.faults, "FAULTS_KIND": "kill",
                     "FAULTS_AT": str(dice.randint(1, self.calls[command] * 5 // 4))}
        else:
            delay = dice.uniform(0, 1.3 * self.seconds[command, ranks])
        words = [self.mpirun, "-n", str(ranks)] if ranks else []
        process = subprocess.Popen([*words, self.farsight, *command], cwd=at, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=self.environment(fault))
        process.words, process.ranks, process.by_call = command, ranks, fault is not None
        return process, delay

    def kill(self, process, dice):
        """Kills it, or one of its ranks."""
        if not process.ranks:
            process.kill()
            return
        listed = subprocess.run(["ps", "--ppid", str(process.pid), "-o", "pid="], capture_output=True, text=True)
        ranks = [int(word) for word in listed.stdout.split()]
        victim = dice.choice([process.pid, *ranks])
        with contextlib.suppress(ProcessLookupError):  # it may have ended meanwhile
            os.kill(victim, signal.SIGKILL)
        self.end_job(process, ranks)

    def is_at_work(self, pid):
        try:
            return os.path.realpath(f"/proc/{pid}/exe") == self.farsight
        except OSError:
            return False

    def end_job(self, process, ranks):
        """What is left of a job that has lost a process goes by itself, but for an mpirun that was still starting its
        ranks: that one may wait for ever."""
        begun = time.monotonic()
        while process.poll() is None or any(self.is_at_work(pid) for pid in ranks):
            time.sleep(0.02)
            if time.monotonic() - begun < PATIENCE:
                continue
            with self.lock:
                self.stuck["mpirun"] += process.poll() is None
                self.stuck["ranks"] += sum(self.is_at_work(pid) for pid in ranks)
            for pid in ranks:
                if self.is_at_work(pid):
                    os.kill(pid, signal.SIGKILL)
            process.kill()
            return

    def fate(self, process, due, dice):
        """'ended', 'killed', or what is wrong."""
        try:
            process.wait(max(0.0, due - time.monotonic()) if due is not None else LIMIT)
            killed = False
        except subprocess.TimeoutExpired:
            killed = True
            self.kill(process, dice)
        said = process.communicate(timeout=LIMIT)[1].decode(errors="replace")
        if process.returncode == 0:
            return "ended"
        if killed or (process.by_call and process.returncode == -signal.SIGKILL):
            return "killed"
        return f"{' '.join(process.words)}: exit code {process.returncode}: {said[-300:]}"

    # ---- one story ----

    def round(self, story, left, at, dice):
        """Starts what is left, kills it; what is then left."""
        started = [(i, *self.start(story, i, at, dice)) for i in left]
        now = time.monotonic()
        started.sort(key=lambda it: it[2] if it[2] is not None else float("inf"))
        still, killed = [], 0
        for index, process, delay in started:
            fate = self.fate(process, None if delay is None else now + delay, dice)
            if fate == "ended":
                continue
            still.append(index)
            with self.lock:
                if fate != "killed":
                    self.wrong.append(f"{story.name}: {fate}")
                    continue
                killed += 1
                self.kills[story.name] += 1
                self.by_command[" ".join(process.words[:2]) if process.words[0] == "store" else process.words[0]] += 1
                self.by_call += process.by_call
        if killed > 0:
            with self.lock:
                self.states[state_of(at / "s.db")] += killed
        return still

    def check(self, story, at):
        """Is it a store whenever there is one?"""
        store = at / "s.db"
        if not store.exists() or store.stat().st_size == 0:
            return
        done = self.plainly("store", "check", "s.db", at=at, code=None)
        if done.returncode != 0 and b"is empty, and so not a store yet" not in done.stderr:
            self.wrong.append(f"{story.name}: check: {done.stderr.decode()[-300:]} {done.stdout.decode()[-300:]}")

    def tell(self, story, seed):
        """One store, from nothing to its end."""
        dice = random.Random(seed)
        at = self.fresh()
        left = list(range(len(story.commands)))
        rounds, before = 0, len(self.wrong)
        while left and rounds < 1000 and len(self.wrong) < before + 5:
            left = self.round(story, left, at, dice)
            rounds += 1
            self.check(story, at)
        done = self.plainly("store", "export", "s.db", at=at, code=None)
        # what merge and import fill a new store in is left by a kill, and by nothing else
        beside = sorted(p.name for p in at.iterdir() if p.name.startswith("s.db") and ".new" not in p.name)
        with self.lock:
            self.finished[story.name] += 1
            print(f"{sum(self.kills.values())} kills; {story.name} is finished after {rounds} rounds", flush=True)
            if left:
                self.wrong.append(f"{story.name}: does not come to its end")
            elif done.stdout != self.references[story.name]:
                self.wrong.append(f"{story.name}: seed {seed}: other content: {done.stderr.decode()[-300:]}")
            elif beside != ["s.db"]:
                self.wrong.append(f"{story.name}: seed {seed}: there is more beside the store: {beside}")
        shutil.rmtree(at)

    def all(self, stories, kills, seed, jobs):
        """Stories are told until there were so many kills, each with its share."""
        shares = sum(s.share for s in stories)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            told, working = 0, set()
            while sum(self.kills.values()) < kills and len(self.wrong) < 20:
                story = min(stories, key=lambda s: (self.kills[s.name] + 3 * sum(w == s.name for _, w in working)) / s.share)
                working.add((pool.submit(self.tell, story, seed * 1000003 + told), story.name))
                told += 1
                while len(working) >= jobs:
                    done, _ = concurrent.futures.wait([w for w, _ in working], return_when="FIRST_COMPLETED")
                    for job in done:
                        job.result()
                    working = {w for w in working if w[0] not in done}
            for job, _ in working:
                job.result()
        return shares

    def print(self, stories):
        for story in stories:
            print(f"{story.name:20}{self.kills[story.name]:6} kills{self.finished[story.name]:6} stores finished")
        print("by command:", ", ".join(f"{name} {n}" for name, n in self.by_command.most_common()))
        print("a kill found the store:", ", ".join(f"{name} {n}" for name, n in self.states.most_common()))
        print(f"{sum(self.kills.values())} kills, {self.by_call} of them at a call of the system; {len(self.wrong)} failures; "
              f"after {PATIENCE} s still there: {self.stuck['mpirun']} mpirun, {self.stuck['ranks']} ranks")
        for text in self.wrong:
            print("  " + text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("farsight")
    parser.add_argument("kills", type=int, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mpirun")
    parser.add_argument("--faults")
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    stories = [s for s in STORIES if (given.mpirun or not s.ranks) and given.only in (None, s.name)]
    quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a kill does not lose what the disk has not yet
    with tempfile.TemporaryDirectory(dir=quick) as folder:
        kills = Kills(given, folder)
        for story in stories:
            kills.measure(story)
        kills.all(stories, given.kills, given.seed, given.jobs)
        kills.print(stories)
    return 1 if kills.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
