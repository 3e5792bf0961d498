#!/usr/bin/env python3
"""Dependencies point one way only: every #include is checked against the layers. And what stands in for a file of the library on another
system has all of its functions, which only a build for that system would notice otherwise."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = {  # room: the rooms whose headers it may include, beside its own and those of LENT
    "base": set(),
    "theory": {"base"},
    "model": {"base"},
    "model/formats": {"base", "model"},
    "model/envs": {"base", "model", "model/formats"},  # the family `file` reads any format
    "solve/plan": {"base"},
    "solve": {"base", "model", "solve/plan"},
    "agents": {"base", "theory", "solve/plan"},  # never model: an agent cannot peek
    "statistics": {"base"},
    "run": {"base", "model", "agents", "statistics"},  # and farsight/solve.h, for agents that peek
    "run/metrics": {"base", "model", "solve", "agents", "run"},
    "run/mpi": {"base"},
    "theory/audit": {"base", "theory", "model", "solve/plan", "solve", "agents", "run", "run/metrics"},
    "lab/store": {"base"},
    "lab/study": {"base"},
    "lab/tune": {"base", "lab/study"},  # whose files are study files with one key more
    "report/figure": {"base"},
    "report": {"base"},  # and report/figure/figure.h: a document can hold figures
    "web": {"base"},  # the playground served
    # one room a question: what computes its answer, reports, plots and pages it
    "questions/plots": {"base", "report/figure"},  # what plots share
    "questions/page": {"base"},  # documents of tables and figures
    "questions/guarantees": {"base", "questions/listing"},
    "questions/comparison": {"base", "report/figure", "questions/plots", "questions/guarantees"},
    "questions/audit": {"base", "questions/page", "questions/comparison"},
    "questions/benchmark": {"base", "questions/plots", "questions/comparison"},
    "questions/changes": {"base", "questions/page", "questions/comparison"},
    "questions/cost": {"base", "questions/comparison"},
    "questions/curves": {"base", "questions/plots", "questions/comparison"},
    "questions/growth": {"base", "questions/plots", "questions/comparison", "questions/tuning"},
    "questions/hardness": {"base", "questions/plots", "questions/model"},
    "questions/learning": {"base", "report/figure", "questions/plots", "questions/page", "questions/comparison"},
    "questions/listing": {"base"},
    "questions/model": {"base"},
    "questions/paper": {"base", "questions/growth", "questions/plots", "questions/page", "questions/results"},
    "questions/results": {"base", "questions/comparison"},
    "questions/sensitivity": {"base", "questions/plots", "questions/comparison", "questions/tuning"},
    "questions/store": {"base", "questions/comparison", "questions/page", "questions/audit"},
    "questions/tuning": {"base", "questions/comparison"},
}
# What rooms below hand to those above in a header of its own, beside what is public.
LENT = {
    "lab/store": {"model/criterion.h", "run/blocks.h", "run/simulator.h"},
    "lab/study": {"model/criterion.h", "run/blocks.h", "run/series.h", "run/simulator.h", "solve/parts.h", "statistics/rules.h"},
    "lab/tune": {"run/series.h"},
    "report": {"report/figure/figure.h"},
    "run/mpi": {"run/blocks.h"},
    "web": {"report/build.h"},
    "questions": {"agents/facts.h", "lab/store/access.h", "lab/study/parts.h", "model/criterion.h", "questions/listing/label.h",
                  "report/build.h", "run/blocks.h", "run/device-pool.h", "run/series.h", "run/simulator.h", "solve/parts.h",
                  "statistics/bootstrap.h", "statistics/growth.h", "statistics/rules.h", "statistics/sample.h", "statistics/sort.h"},
}
CORE = ("base", "agent", "mdp", "worlds", "run", "solve", "theory", "audit", "statistics")
LAB = ("store", "study", "comparison", "report")
SEES = {  # room: the public headers that it may include
    "base": ("base",),
    "theory": ("base", "theory"),
    "model": ("base", "mdp"),
    "solve/plan": ("base",),
    "solve": ("base", "mdp", "solve"),
    "agents": ("base", "agent", "theory"),
    "statistics": ("base", "statistics"),
    "run": ("base", "agent", "mdp", "worlds", "run", "solve", "statistics"),
    "run/mpi": ("farsight",),
    "theory/audit": CORE,
    "lab/store": (*CORE, "store"),
    "lab/study": (*CORE, "store", "study"),
    "lab/tune": (*CORE, "store", "study"),
    "report": ("base", "report", "run"),
    "questions": (*CORE, *LAB),
    "web": ("base", "report"),
}
# The front ends are built from this tree: they use the public headers, the questions, and what makes and reads text.
FRONT_ENDS = ("cli", "bench", "studies", "python", "ports")
FRONT = {"agents/facts.h", "base/available.h", "base/clock.h", "base/file.h", "base/hash.h", "base/json.h", "base/number.h",
         "base/spec.h", "base/text.h", "lab/store/access.h", "lab/study/parts.h", "model/criterion.h", "report/build.h",
         "report/figure/figure.h", "run/blocks.h", "run/device-pool.h", "run/mpi/ranks.h", "run/series.h", "run/simulator.h",
         "solve/parts.h", "statistics/rules.h", "web/web.h"}
UMBRELLAS = {"farsight/farsight.h", "farsight/lab.h"}
GPU = "src/run/gpu"
FOR_BENCH = {"cli/cli.h", "cli/memory.h", "cli/ranks.h", "cli/output.h",
             "cli/picture.h", "cli/roff.h"}  # what both programs share
FOR_GPU = {"base/backend-file.h", "base/clock.h", "base/log-exp.h", "base/stream.h", "run/fused.h", "run/fused.def",
           "run/tally.h", "run/backend.h", "solve/backend.h"}  # the steps, and what a backend is
OURS = re.compile(rf"({'|'.join(sorted({room.split('/')[0] for room in ROOMS}))})/")


def nearest(table, room, default):
    """The entry of a room, or of the room that it is in."""
    return table.get(room, table.get(room.split("/")[0], default))


def allowed(room, name):
    """May a file of the room include this header?"""
    if name.startswith("farsight/"):
        return name[len("farsight/"):-len(".h")] in nearest(SEES, room, ())
    if not OURS.match(name):
        return "/" not in name or name.split("/")[0] in ("sys", "netinet", "arpa", "gnu")
    top = name.rpartition("/")[0]
    # whole pages, and the list of plots, are of all questions
    is_question = room in ("questions/page", "questions/plots") and top.startswith("questions/")
    return top in {room} | ROOMS[room] or name in nearest(LENT, room, ()) or is_question


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
            if not allowed(room, name):
                bad.append(f"{path.relative_to(ROOT)} includes {name}")
            if name == "mpi.h" and path.name != "transport.c":
                bad.append(f"{path.relative_to(ROOT)} includes mpi.h, which src/run/mpi/transport.c alone knows")
    # ports/*/system stand in for files of the library itself
    for folder in (*FRONT_ENDS, "examples"):
        for path in sorted(p for p in (ROOT / folder).rglob("*.[ch]") if p.parent.name != "system"):
            for name in includes(path):
                checked += 1
                if name.startswith("farsight/") and name not in UMBRELLAS:
                    bad.append(f"{path.relative_to(ROOT)} includes {name}, not farsight.h or lab.h")
                if "src/" in name or (OURS.match(name) and (folder == "examples" or not (name in FRONT or name.startswith("questions/")))):
                    bad.append(f"{path.relative_to(ROOT)} includes the private {name}")
                if (name.startswith("cli/") and folder == "bench" and name not in FOR_BENCH) or (name.startswith("bench/") and folder != "bench"):
                    bad.append(f"{path.relative_to(ROOT)} includes {name}: cli knows nothing of bench, which uses {FOR_BENCH}")
    for path in sorted(p for p in (ROOT / GPU).iterdir() if p.suffix in (".c", ".h", ".cu")):
        for name in includes(path):
            checked += 1
            if "/" in name and not name.startswith("run/gpu/") and name not in FOR_GPU:
                bad.append(f"{path.relative_to(ROOT)} includes {name}, not one of {FOR_GPU}")
    print("\n".join(bad))
    print(f"{checked - len(bad)} passed, {len(bad)} failed")
    return bool(bad) or checked == 0


sys.exit(main())
