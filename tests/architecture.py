#!/usr/bin/env python3
"""Dependencies point one way only: every #include is checked against the layers. And what stands in for a file of the library on another
system has all of its functions, which only a build for that system would notice otherwise."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOWED = {  # room: the rooms whose private headers it may include, beside its own
    "base": set(),
    "theory": {"base"},
    "model": {"base"},
    "model/formats": {"base", "model"},
    "model/envs": {"base", "model", "model/formats"},  # the family `file` reads any format
    "solve/plan": {"base"},
    "solve": {"base", "model", "solve/plan"},
    "agents": {"base", "theory", "solve/plan"},  # never model: an agent cannot peek
    "statistics": {"base"},
    "run": {"base", "model", "agents", "statistics"},  # and solve.h, for agents that peek
    "run/metrics": {"base", "model", "solve", "agents", "run"},
    "run/mpi": set(),  # farsight.h only
    "theory/audit": {"base", "theory", "model", "solve/plan", "solve", "agents", "run", "run/metrics"},
    "lab/study": {"base"},  # the laboratory: public headers of the rooms above
    "lab/store": {"base"},
    "lab/tune": {"base", "lab/study"},  # whose files are study files with one key more
    "report/figure": {"base"},
    "report": {"base"},  # and figure.h: a document can hold figures
    "web": {"base"},  # the playground served
    # one room a question: what computes its answer, reports, plots and pages it
    "questions/plots": {"base", "report/figure"},  # what plots share
    "questions/page": {"base"},  # documents of tables and figures
    "questions/guarantees": {"base"},
    "questions/comparison": {"base", "report/figure", "questions/plots", "questions/guarantees"},
    "questions/audit": {"base", "questions/page"},
    "questions/benchmark": {"base", "questions/plots", "questions/comparison"},
    "questions/changes": {"base", "questions/page", "questions/comparison"},
    "questions/cost": {"base", "questions/comparison"},
    "questions/curves": {"base", "questions/plots", "questions/comparison"},
    "questions/growth": {"base", "questions/plots", "questions/comparison"},
    "questions/hardness": {"base", "questions/plots", "questions/model"},
    "questions/learning": {"base", "report/figure", "questions/plots", "questions/page", "questions/comparison"},
    "questions/listing": {"base"},
    "questions/model": {"base"},
    "questions/paper": {"base", "questions/plots", "questions/page", "questions/results"},
    "questions/results": {"base", "questions/comparison"},
    "questions/sensitivity": {"base", "questions/plots", "questions/comparison", "questions/tuning"},
    "questions/store": {"base", "questions/comparison", "questions/page", "questions/audit"},
    "questions/tuning": {"base", "questions/comparison"},
}
ANALYSIS = {
    "farsight/audit-report.h",
    "farsight/changes.h",
    "farsight/comparison.h",
    "farsight/cost.h",
    "farsight/curves.h",
    "farsight/dependencies.h",
    "farsight/drawing.h",
    "farsight/figure.h",
    "farsight/findings.h",
    "farsight/growth-curves.h",
    "farsight/benchmark.h",
    "farsight/guarantees.h",
    "farsight/hardness.h",
    "farsight/lab.h",
    "farsight/label.h",
    "farsight/layout-figure.h",
    "farsight/learning.h",
    "farsight/listing.h",
    "farsight/model-solution.h",
    "farsight/page.h",
    "farsight/pairwise.h",
    "farsight/paper-story.h",
    "farsight/paper-tables.h",
    "farsight/player.h",
    "farsight/plot.h",
    "farsight/profiles.h",
    "farsight/recipes.h",
    "farsight/report.h",
    "farsight/results.h",
    "farsight/scaling.h",
    "farsight/sensitivity.h",
    "farsight/store-progress.h",
    "farsight/store-report.h",
    "farsight/tuned-comparison.h",
    "farsight/web.h",
}
ABOVE = {"farsight/audit.h", "farsight/growth.h", "farsight/metric.h", "farsight/run.h",
         "farsight/solve.h", "farsight/measures.h", "farsight/farsight.h", "farsight/store.h",
         "farsight/study.h", "farsight/tune.h", "farsight/statistics.h", "farsight/ranking.h",
         "farsight/worlds.h"} | ANALYSIS
SUPPORTED = {"farsight/farsight.h", "farsight/lab.h"}
RANKS = "src/run/mpi/ranks.h"  # all that the command sees of a job's ranks
GPU = "src/run/gpu"
FOR_BENCH = {"cli/cli.h", "cli/memory.h", "cli/ranks.h", "cli/output.h",
             "cli/picture.h", "cli/roff.h"}  # what both programs share
FOR_GPU = {"base/backend-file.h", "base/log-exp.h", "base/stream.h", "run/fused.h", "run/fused.def",
           "run/tally.h", "run/backend.h", "solve/backend.h", "farsight/clock.h"}  # the steps, and what a backend is
HIDDEN = {"agents": ABOVE | {"farsight/csr.h", "farsight/layout.h", "farsight/mdp.h"},
          "base": ABOVE | {"farsight/agent.h", "farsight/mdp.h", "farsight/theory.h"},
          "theory": ABOVE | {"farsight/agent.h", "farsight/mdp.h"},
          "solve/plan": ABOVE | {"farsight/agent.h", "farsight/mdp.h", "farsight/theory.h"},
          "model": ABOVE | {"farsight/agent.h", "farsight/theory.h"},
          "model/formats": ABOVE | {"farsight/agent.h", "farsight/theory.h"},
          "model/envs": ABOVE | {"farsight/agent.h", "farsight/theory.h"},
          "solve": ABOVE - {"farsight/solve.h", "farsight/measures.h"} | {"farsight/agent.h"},
          "run": ABOVE - {"farsight/run.h", "farsight/statistics.h", "farsight/solve.h", "farsight/worlds.h"},
          "run/metrics": {"farsight/farsight.h", "farsight/store.h", "farsight/audit.h"} | ANALYSIS,
          "run/mpi": ANALYSIS,
          "theory/audit": {"farsight/farsight.h", "farsight/store.h"} | ANALYSIS,
          "statistics": ABOVE - {"farsight/statistics.h", "farsight/growth.h", "farsight/ranking.h"},
          "lab/study": {"farsight/tune.h"} | ANALYSIS,
          "lab/store": {"farsight/study.h", "farsight/tune.h"} | ANALYSIS,
          "lab/tune": ANALYSIS,
          "report/figure": ABOVE - {"farsight/figure.h"} | {"farsight/agent.h", "farsight/mdp.h"},
          "report": ABOVE - {"farsight/report.h", "farsight/figure.h", "farsight/run.h"} | {"farsight/agent.h", "farsight/mdp.h"},
          "questions": {"farsight/lab.h", "farsight/web.h"},
          "web": ABOVE - {"farsight/web.h", "farsight/report.h"} | {"farsight/agent.h", "farsight/mdp.h"}}


def includes(path):
    return re.findall(r'^#include ["<]([^">]+)[">]', path.read_text(), re.M)


def functions(path):
    """The names of the functions that others can call."""
    return set(re.findall(r"^(?!static|typedef)[a-z_][\w ]*?\**\b(far_\w+)\([^;]*?\) \{", path.read_text(), re.M))


def stand_ins():
    """(file, the file of src that it is used in place of)"""
    for path in sorted(ROOT.glob("ports/*/system/*.c")):
        for name in re.findall(r"In place of (src/[\w/-]+\.c)\b", path.read_text()):
            yield path, ROOT / name


def main():
    bad, checked = [], 0
    for path, original in stand_ins():
        checked += 1
        if functions(path) != functions(original) or not functions(path):
            bad.append(f"{path.relative_to(ROOT)} and {original.relative_to(ROOT)} differ in {functions(path) ^ functions(original)}")
    for path in sorted(p for p in (ROOT / "src").rglob("*.[ch]") if p.parent != ROOT / GPU):
        room = path.parent.relative_to(ROOT / "src").as_posix()
        for name in includes(path):
            checked += 1
            top = name.rpartition("/")[0]
            if name in HIDDEN.get(room, HIDDEN.get(room.split("/")[0], ())):
                bad.append(f"{path.relative_to(ROOT)} includes {name}")
            elif top not in ("", "farsight", "sys", "netinet", "netinet/in", "arpa", "gnu") and top not in {room} | ALLOWED[room]:
                bad.append(f"{path.relative_to(ROOT)} includes {name}")
    # ports/*/system stand in for files of the library itself
    outside = [p for folder in ("src/run/mpi", "cli", "bench", "studies", "examples", "python", "ports")
               for p in sorted((ROOT / folder).rglob("*.[ch]")) if p.parent.name != "system"]
    for path in outside:
        folder = path.parent.name
        for name in includes(path):
            checked += 1
            if name.startswith("farsight/") and name not in SUPPORTED:
                bad.append(f"{path.relative_to(ROOT)} includes {name}, not farsight.h or lab.h")
            if name.rpartition("/")[0] in ALLOWED or ("src/" in name and name != RANKS):
                bad.append(f"{path.relative_to(ROOT)} includes the private {name}")
            if (name.startswith("cli/") and name not in FOR_BENCH) or (name.startswith("bench/") and folder != "bench"):
                bad.append(f"{path.relative_to(ROOT)} includes {name}: cli knows nothing of bench, which uses {FOR_BENCH}")
            if name == "mpi.h" and path.relative_to(ROOT).as_posix() != "src/run/mpi/transport.c":
                bad.append(f"{path.relative_to(ROOT)} includes mpi.h, which src/run/mpi/transport.c alone knows")
    for path in sorted(p for p in (ROOT / GPU).iterdir() if p.suffix in (".c", ".h", ".cu")):
        for name in includes(path):
            checked += 1
            if "/" in name and not name.startswith("run/gpu/") and name not in FOR_GPU:
                bad.append(f"{path.relative_to(ROOT)} includes {name}, not one of {FOR_GPU}")
    print("\n".join(bad))
    print(f"{checked - len(bad)} passed, {len(bad)} failed")
    return bool(bad) or checked == 0


sys.exit(main())
