#!/usr/bin/env python3
"""Pages and figures of the command, for the tests in a browser. usage: make.py FARSIGHT FOLDER

Writes study.html, changes.html (of two stores), names.html (hostile names), many.html (500 agents), million.html (10^6
runs), all below 2 MB, and every kind of
plot of these stores as FOLDER/figures/*.svg."""
import csv
import pathlib
import random
import subprocess
import sys

FARSIGHT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
ENVS = ("chain:n=5", "chain:n=10", "chain:n=20", "frozen-lake")
AGENTS = ("r-max:m=5", "r-max:m=20", "delayed-q:m=2", "q-learning", "directed-delayed-q:m=2")
HOSTILE = ("<script>window.hacked=1</script>", "\"><img src=x onerror=window.hacked=1>'", "\u202egnp.exe", "שלום עולם",
           "👩‍🔬🧪 naïve ∑", "w" * 200, "</style><style>*{display:none}</style>", "&lt;b&gt; 100% {x} \\y $z$ #1 ~^_",
           "a very long name of several words that goes on and on and says nothing that a reader would like to know " * 2)
ON_LAYOUTS = ("visits", "q", "bonus", "e", "learn", "value", "policy")
KINDS = ("curves", "intervals", "differences", "improvements", "matrix", "profiles", "scores", "sensitivity", "growth", "hardness")


def farsight(*arguments, code=0):
    done = subprocess.run([FARSIGHT, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert done.returncode == code or code is None, (arguments, done.stderr[-2000:])
    return done


def run(store, seed, agents=AGENTS, runs=8):
    wanted = [word for env in ENVS for word in ("-e", env)] + [word for agent in agents for word in ("-a", agent)]
    farsight("run", "-q", *wanted, "--runs", runs, "--steps", 600, "--curve", 8, "--seed", seed, "--store", FOLDER / store)


def take_in(store, envs, agents, runs):
    numbers = random.Random(7)
    with open(FOLDER / "in.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("env", "agent", "seed", "value"))
        for env in envs:
            for i, agent in enumerate(agents):
                rows.writerows((env, agent, seed, round(numbers.gauss(i % 40, 5), 3)) for seed in range(runs))
    farsight("store", "import", FOLDER / store, FOLDER / "in.csv")


def draw(store, kinds, *more):
    for kind in kinds:
        path = FOLDER / "figures" / f"{pathlib.Path(store).stem}-{kind}-{more[-1]}.svg"
        done = farsight("plot", kind, FOLDER / store, "-o", path, *more, code=None)
        assert done.returncode == 0, (store, kind, done.stderr[-2000:])


def main():
    (FOLDER / "figures").mkdir(parents=True, exist_ok=True)
    for path in [*FOLDER.glob("*.db*"), *FOLDER.glob("figures/*.svg")]:
        path.unlink()
    run("study.db", 1)
    run("later.db", 1, AGENTS[1:], 9)
    take_in("names.db", HOSTILE[:3], HOSTILE, 6)
    take_in("many.db", ("x", "y"), [f"agent {i}" for i in range(500)], 3)
    farsight("run", "-q", "-e", "chain:n=3", "-a", "random", "-a", "q-learning", "--steps", 5, "--runs", 500000, "--store", FOLDER / "million.db")
    for store in ("study", "names", "many", "million"):
        farsight("report", "-q", FOLDER / f"{store}.db", "-o", FOLDER / f"{store}.html", "--resamples", 100)
    farsight("report", "-q", FOLDER / "study.db", FOLDER / "later.db", "-o", FOLDER / "changes.html")
    for path in FOLDER.glob("*.html"):
        assert path.stat().st_size < 2e6, f"{path} has {path.stat().st_size} bytes"
    draw("study.db", KINDS, "--resamples", "100")
    draw("names.db", KINDS[1:7], "--resamples", "100")
    draw("many.db", ("intervals", "matrix"), "--resamples", "100")
    draw("study.db", ("curves", "intervals", "matrix"), "--resamples", "100", "--width", "360")
    for kind in ON_LAYOUTS:
        farsight("plot", kind, "-e", "frozen-lake", "-a", AGENTS[-1], "--steps", 600, "-o", FOLDER / "figures" / f"lake-{kind}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
