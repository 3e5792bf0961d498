#!/usr/bin/env python3
"""check_hand_traces.py FARSIGHT_BINARY: does `farsight agent` compute what was computed by hand?

HAND_TRACES_BONUS.md and HAND_TRACES_MODEL.md tell how; the two JSON files hold their numbers.
"""

import json
import pathlib
import sys

from farsight_client import call, close, report

HERE = pathlib.Path(__file__).resolve().parent
FILES = ("hand_traces.json", "hand_traces_model.json")
STEP_KEYS = ("s", "a", "r", "next", "done", "truncated")


def command(binary, trace):
    """The command line of the agent process."""
    flags = [part for key in ("states", "actions", "rmin", "rmax")
             for part in (f"--{key}", str(trace[key]))]
    flags += [] if trace["episodic"] else ["--continuing"]
    flags += ["--absent", ",".join(map(str, trace["absent"]))] if "absent" in trace else []
    return [binary, "agent", trace["agent"], *flags, "--seed", "1", "--quiet"]


def check(binary, trace):
    """None if every number agrees, else a sentence."""
    lines = []
    for step in trace["steps"]:
        lines += [{"observe": {k: step[k] for k in STEP_KEYS if k in step}}, {"values": step["s"]}]
    answers = call(command(binary, trace), "".join(json.dumps(x) + "\n" for x in lines))
    values = [json.loads(line) for line in answers.splitlines()][1::2]
    for t, (step, got) in enumerate(zip(trace["steps"], values, strict=True), 1):
        for key, want in step["values"].items():
            if len(got[key]) != len(want) or not all(close(x, y, 1e-9) for x, y in zip(want, got[key], strict=True)):
                return f"step {t}: {key} is {got[key]}, not {want}"
    return None if trace["steps"] and len(values) == len(trace["steps"]) else "steps are missing"


def cases():
    """(name, trace) of every trace."""
    for name in FILES:
        for trace in json.loads((HERE / name).read_text(encoding="utf-8")):
            yield trace["agent"], trace


if __name__ == "__main__":
    sys.exit(report(cases(), check))
