#!/usr/bin/env python3
"""What nvcc made of the kernels computes what the processor computes, bit for bit; no GPU is needed.

The program runs small cells with a device whose lanes are the processor's, and which writes down every launch
(recorder.c). Here the compiled kernels (ptx.py) do the same launches. usage: check.py FARSIGHT RECORDER PTX...
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import ptx
from device import Fault, Memory

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 400000  # instructions of a thread
LANES = 3
BEGINNINGS = 30  # all are alike
LEAST = 0.5  # of the code of a kernel that must be executed

# Short rows, ends, and more actions than a block of far__greedy_by; then (actions, starts) of worlds with long rows.
MODELS = ["chain:n=5,left=-0.5", "garnet:states=3,actions=21,branching=2", "frozen-lake"]
WORLDS = [(2, 3), (2, 10), (3, 10), (4, 3)]
METRICS = ["episodes", "return", "success:at_least=0.5", "coverage:what=pairs"]

# Short delays and windows, so that few steps pass through all of the code: keys of all cells of an agent, and more cells.
# Each choice of a key that is not named here comes by itself.
DELAYED = "m=2,eps1=0.03125"
QUICK = {"directed-delayed-q": (DELAYED, ["e_rule=visit,bonus=sqrt,alpha_e=0.125", "bonus=sqrt"]),
         "delayed-q": (DELAYED, []),
         "delayed-q-ie": (DELAYED, []),
         "q-learning": ("q0=8", ["epsilon=0.5", "decay=linear,decay_steps=30", "decay=state", "explore=softmax"]),
         "count-q": ("", []),
         "ucb-q": ("", ["c=0.01", "log=on"]),
         "speedy-q": ("", ["form=round,epsilon=1", "explore=softmax"]),
         "dora": ("", ["gamma_e=0", "rule=epsilon,place=choice", "rule=softmax,place=target", "rule=lll-epsilon"])}


def specs(farsight):
    """Of the agents."""
    for name, (usual, more) in QUICK.items():
        listed = subprocess.run([farsight, "list", "agents", name, "--json"], capture_output=True, text=True, check=True)
        params = json.loads(listed.stdout)[0]["params"]
        choices = [f"{x['name']}={choice}" for x in params for choice in x["choices"] or [] if choice != x["default"] and x["name"] != "preset"]
        named = " ".join(more)
        for keys in ["", *more, *(x for x in choices if x.partition("=")[0] + "=" not in named)]:
            yield f"{name}:{','.join(x for x in (usual, keys) if x)}".rstrip(":")


def record(farsight, recorder, arguments, into):
    environment = {**os.environ, "FARSIGHT_GPU_LIBRARY": recorder, "FARSIGHT_LANES": f"lanes={LANES}", "FARSIGHT_RECORD": str(into)}
    done = subprocess.run([farsight, *arguments, "--device", "gpu"], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0 or re.search("device failed|no device", done.stderr):
        sys.exit(done.stderr)


def write_world(path, actions, starts):
    """Ten outcomes a row, one of which ends the episode; several starts."""

    def row(s, a):
        weights = [1 + (7 * s + 3 * a + 5 * k) % 4 for k in range(10)]
        return [[w / sum(weights), 11 if k == 9 else (s + k) % 11, (s + a + k) % 5 / 4 - 0.5, k == 9] for k, w in enumerate(weights)]

    rows = {s: {a: row(s, a) for a in range(actions)} for s in range(12)}
    path.write_text(json.dumps({"P": rows, "start": [[1 / starts, s] for s in range(starts)]}))
    return f"file:{path}"


def record_all(farsight, recorder, into):
    worlds = [write_world(into.parent / f"world-{a}-{n}.json", a, n) for a, n in WORLDS]
    models = [x for model in MODELS + worlds for x in ("-e", model)]
    agents = [x for spec in specs(farsight) for x in ("-a", spec)]
    metrics = [x for metric in METRICS for x in ("--metric", metric)]
    small = ["--runs", str(LANES), "--threads", "1", "--seed", "5"]
    record(farsight, recorder, ["run", *models, *agents, *small, "--steps", "60", "--curve", "7,60"], into)
    record(farsight, recorder, ["run", "-e", MODELS[1], "-e", worlds[-1], *agents, *small, "--steps", "40", "--curve", "7,40", *metrics], into)
    record(farsight, recorder, ["solve", "-e", "garnet:states=77,actions=3,branching=5", "--method", "value", "--max-sweeps", "2"], into)


def launches(path):
    """(kernels, memory before, memory after) of each launch; a kernel is (name, blocks, threads, parameters)."""
    kernels, before, after = [], {}, {}
    with open(path, "rb") as file:
        for line in file:
            what, *words = line.decode().split()
            if what == "kernel":
                kernels.append((words[0], int(words[1]), int(words[2]), []))
            elif what == "parameter":
                kernels[-1][3].append(file.read(int(words[0])))
            elif what == "end":
                yield kernels, before, after
                kernels, before, after = [], {}, {}
            else:
                (before if what == "before" else after)[int(words[0])] = file.read(int(words[1]))


def difference(found, expected):
    """Where memory first differs; empty if it does not."""
    for at, bytes_expected in expected.items():
        if found[at] != bytes_expected:
            byte = next(i for i, (x, y) in enumerate(zip(found[at], bytes_expected, strict=True)) if x != y)
            return f"byte {byte} of {len(bytes_expected)} at {at:#x}"
    return ""


def repeat(kernels, before, after, modules):
    """What went wrong; empty if nothing did."""
    memory = Memory()
    pieces = {at: bytearray(data) for at, data in before.items()}
    for at, data in pieces.items():
        memory.add(at, data)
    for name, blocks, threads, parameters in kernels:
        found = [k for k in (module.kernel(name) for module in modules) if k is not None]
        if len(found) != 1:
            return f"{len(found)} kernels of this name"
        try:
            found[0].launch(memory, parameters, blocks, threads, LIMIT)
        except (Fault, NameError) as fault:  # a register that was never written is a name without a value
            return str(fault)
    return difference(pieces, after)


def main(farsight, recorder, *files):
    modules = [ptx.Module(pathlib.Path(file).read_text()) for file in files]
    failed, n, beginnings = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        into = pathlib.Path(folder) / "launches"
        record_all(farsight, recorder, into)
        for kernels, before, after in launches(into):
            names = ", ".join(dict.fromkeys(name for name, *_ in kernels))
            beginnings += "begin_kernel" in names
            if names in failed or ("begin_kernel" in names and beginnings > BEGINNINGS):
                continue
            n += len(kernels)
            wrong = repeat(kernels, before, after, modules)
            if wrong:
                failed[names] = wrong
    all_kernels = [kernel for module in modules for kernel in module.kernels.values()]
    for kernel in all_kernels if not failed else []:
        hit, every = kernel.covered()
        if hit < LEAST * every:
            failed[kernel.name] = f"{hit} of its {every} instructions were executed" if hit > 0 else "never launched"
    for names, wrong in failed.items():
        print(f"{names}: {wrong}", file=sys.stderr)
    hit, every = (sum(x) for x in zip(*(kernel.covered() for kernel in all_kernels), strict=True))
    if not failed:
        print(f"{n} launches of {len(all_kernels)} kernels repeated, {100 * hit / every:.0f} % of their code: the processor's bits")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
