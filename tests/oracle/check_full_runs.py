#!/usr/bin/env python3
"""Does `farsight run` reproduce the whole runs of the reference agents to the bit?

usage: check_full_runs.py FARSIGHT_BINARY [--keep FOLDER] [AGENT...]      all agents, or those that are named
"""

import json
import sys

import generated
from farsight_client import call, close, report


def command(binary, cell):
    """The command line of a cell."""
    numbers = [part for key in ("steps", "runs", "seed") for part in (f"--{key}", str(cell[key]))]
    return [binary, "run", "-e", cell["env"], "-a", cell["agent"], *gamma(cell["agent"]), *numbers, "--json"]


def gamma(agent):
    """preset=theory wants the problem to have the discount that the agent has."""
    keys = dict(item.split("=") for item in agent.partition(":")[2].split(",") if item)
    return ["--gamma", keys["gamma"]] if keys.get("preset") == "theory" and "gamma" in keys else []


def check(binary, run, folder):
    """None if mean and hash agree, else a sentence."""
    cell = generated.cell_of(run, folder)
    got = json.loads(call(command(binary, cell)))["cells"][0]
    mean = sum(cell["totals"]) / len(cell["totals"])
    if not close(got["mean"], mean):
        return f"mean is {got['mean']}, not {mean}"
    if got["hash"] != cell["hash"]:
        return f"hash is {got['hash']}, not {cell['hash']}"
    return wrong_spec(cell.get("resolved", {}), got["agent"])


def wrong_spec(want, spec):
    """None if the resolved spec has the wanted numbers, else a sentence."""
    keys = dict(item.split("=") for item in spec.partition(":")[2].split(",") if item)
    for key, number in want.items():
        if not close(float(keys[key]), number):
            return f"{key} is {keys[key]}, not {number!r}"
    return None


if __name__ == "__main__":
    sys.exit(report([(f"{r.env} {r.spec}", r) for r in generated.runs()], check))
