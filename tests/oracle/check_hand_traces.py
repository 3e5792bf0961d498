#!/usr/bin/env python3
"""Does `farsight agent` compute what HAND_TRACES_BONUS.md and HAND_TRACES_MODEL.md compute by hand?

usage: check_hand_traces.py FARSIGHT_BINARY [AGENT...]      all agents, or those that are named
"""

import json
import sys
from collections import namedtuple

import check_bonus
import check_planners
from farsight_client import call, close, report

Trace = namedtuple("Trace", "spec trace")
STEP_KEYS = ("s", "a", "r", "next", "done", "truncated")


def command(binary, trace):
    """The command line of the agent process."""
    flags = [part for key in ("states", "actions", "rmin", "rmax")
             for part in (f"--{key}", str(trace[key]))]
    flags += [] if trace["episodic"] else ["--continuing"]
    flags += ["--absent", ",".join(map(str, trace["absent"]))] if "absent" in trace else []
    return [binary, "agent", trace["agent"], *flags, "--seed", "1", "--quiet"]


def check(binary, case, _):
    """None if every number agrees, else a sentence."""
    trace, lines = case.trace, []
    for step in trace["steps"]:
        lines += [{"observe": {k: step[k] for k in STEP_KEYS if k in step}}, {"values": step["s"]}]
    answers = call(command(binary, trace), "".join(json.dumps(x) + "\n" for x in lines))
    values = [json.loads(line) for line in answers.splitlines()][1::2]
    for t, (step, got) in enumerate(zip(trace["steps"], values, strict=True), 1):
        for key, want in step["values"].items():
            if len(got[key]) != len(want) or not all(close(x, y, 1e-9) for x, y in zip(want, got[key], strict=True)):
                return f"step {t}: {key} is {got[key]}, not {want}"
    return None if trace["steps"] and len(values) == len(trace["steps"]) else "steps are missing"


if __name__ == "__main__":
    traces = check_bonus.hand_traces() + check_planners.hand_traces()
    sys.exit(report([(t["agent"], Trace(t["agent"], t)) for t in traces], check))
