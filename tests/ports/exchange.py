#!/usr/bin/env python3
"""What one machine writes, another reads: stores and saved agents, whatever the order of bytes.

usage: exchange.py FARSIGHT OTHER

FARSIGHT and OTHER are the command as built for two machines; one of them may be a script that calls an emulator. Each
writes a store and saved agents; each reads both, and says the same. A store begun by one is continued by the other.
Without SQLite in either, saved agents alone are compared.
"""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

GRID = ["-e", "riverswim", "-e", "chain:n=[4,6]", "-a", "r-max:m=5", "-a", "mbie", "-a", "psrl", "-a", "delayed-q:m=3",
        "--steps", "200", "--metric", "coverage", "--curve", "log 4", "--snapshots", "3", "--threads", "2", "-q"]
AGENTS = ["q-learning", "directed-delayed-q:m=2", "r-max:m=3", "mbie", "mbie-eb", "ucrl2", "psrl", "bayes-q", "e3", "dora", "rlsvi"]
STATES, ACTIONS = 6, 2


def output(command, *args, text=None):
    """What the command prints; it must succeed."""
    done = subprocess.run([command, *map(str, args)], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command} {' '.join(map(str, args))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def has_store(command):
    return "SQLite" not in output(command, "--version").partition("without")[2]


def same(what, answers):
    """All answers, by name, are equal."""
    (first, wanted), *others = answers.items()
    for name, answer in others:
        if answer != wanted:
            sys.exit(f"{what}: {first} and {name} differ\n{wanted[:400]}\n---\n{answer[:400]}")


def exported(command, store):
    return "".join([output(command, "store", "export", store), output(command, "store", "export", "--snapshots", store),
                    output(command, "store", "check", store), output(command, "report", "--format", "json", store)])


def check_stores(commands, folder):
    for writer, command in commands.items():
        output(command, "run", *GRID, "--runs", 4, "--store", folder / f"{writer}.db")
    same("stores", {f"the store of {writer}, read by {reader},": output(command, "store", "export", folder / f"{writer}.db")
                    for writer in commands for reader, command in commands.items()})
    for writer in commands:
        same(f"the store of {writer}", {reader: exported(command, folder / f"{writer}.db") for reader, command in commands.items()})


def check_continued(commands, folder):
    """Six runs, of which one machine computes four and the other two."""
    finished = {}
    for (first, begins), (second, ends) in itertools.permutations(commands.items()):
        store = folder / f"{first}-{second}.db"
        output(begins, "run", *GRID, "--runs", 4, "--store", store)
        output(ends, "run", *GRID, "--runs", 6, "--store", store)
        finished[f"begun by {first}"] = output(begins, "store", "export", store)
    same("continued stores", finished)


def steps(n):
    """Lines for `farsight agent`: n steps of a fixed walk."""
    for t in range(n):
        s, following = t * t % STATES, (t + 1) * (t + 1) % STATES
        yield {"act": s}
        yield {"observe": {"s": s, "a": t // 3 % ACTIONS, "r": (t % 4) / 4, "next": following, "done": False}}


def talk(command, agent, lines):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return output(command, "agent", agent, "--states", STATES, "--actions", ACTIONS, "--seed", 7, text=text)


def check_agents(commands, folder):
    looks = [{"values": s} for s in range(STATES)]
    for agent in AGENTS:
        saved = {name: folder / f"{name}.agent" for name in commands}
        same(f"{agent}, as it learns", {name: talk(command, agent, [*steps(150), *looks, {"save": str(saved[name])}])
                                        for name, command in commands.items()})
        same(f"{agent}, its file", {name: path.read_bytes().hex() for name, path in saved.items()})
        same(f"{agent}, loaded", {f"{writer}'s by {reader}": talk(command, agent, [{"load": str(path)}, *steps(50), *looks])
                                  for writer, path in saved.items() for reader, command in commands.items()})


def main():
    commands = {name: os.path.abspath(path) for name, path in zip(["FARSIGHT", "OTHER"], sys.argv[1:], strict=True)}
    with tempfile.TemporaryDirectory() as folder:
        check_agents(commands, pathlib.Path(folder))
        if all(map(has_store, commands.values())):
            check_stores(commands, pathlib.Path(folder))
            check_continued(commands, pathlib.Path(folder))
            print(f"{len(AGENTS)} saved agents and 4 stores: the same on both")
        else:
            print(f"{len(AGENTS)} saved agents: the same on both; no stores, without SQLite")


if __name__ == "__main__":
    main()
