#!/usr/bin/env python3
"""check_transcripts.py FARSIGHT_BINARY: does `farsight agent` learn what the transcripts say?

Every transition of a transcript is fed to one process, followed by a question for the values of
its state and one for the action at its successor.
"""

import json
import pathlib
import sys

from farsight_client import TOLERANCE, call, close, report

TRANSCRIPTS = pathlib.Path(__file__).resolve().parent / "transcripts"
STEP_KEYS = ("s", "a", "r", "next", "done", "truncated")


def load(path):
    """(head, steps) of a transcript."""
    rows = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    return rows[0], rows[1:]


def questions(steps):
    """Three lines of input a step."""
    for step in steps:
        yield {"observe": {k: step[k] for k in STEP_KEYS if k in step}}
        yield {"values": step["s"]}
        yield {"act": step["next"]}


def command(binary, head):
    """The command line of the agent process."""
    options = ("states", "actions", "rmin", "rmax")
    flags = [part for key in options for part in (f"--{key}", str(head[key]))]
    flags += [] if head.get("episodic", True) else ["--continuing"]
    return [binary, "agent", head["spec"], *flags, "--seed", "1"]


def explores(spec):
    """Whether the action may differ from the greedy one."""
    return spec.startswith("q-learning:") and ",epsilon=0," not in spec


def wrong_values(want, got, tolerance):
    """The first key whose numbers differ, or None."""
    for key, numbers in want.items():
        exact = all(isinstance(x, int) for x in numbers)  # counters and flags; not dora's n
        answer = got[key]
        same = len(answer) == len(numbers) and all(
            (x == y) if exact else close(x, y, tolerance) for x, y in zip(numbers, answer)
        )
        if not same:
            return f"{key} is {answer}, not {numbers}"
    return None


def wrong_step(t, step, answers, check_action, tolerance):
    """What is wrong with the three answers of step t, or None."""
    observed, values, acted = answers
    if observed.get("t") != t:
        return f"observe answered {observed}"
    problem = wrong_values(step["values"], values, tolerance)
    if problem is None and check_action and acted["action"] not in step["greedy"]:
        problem = f"action {acted['action']} at {step['next']} is not in {step['greedy']}"
    return problem


def check(binary, path):
    """None if the process agrees with the transcript, else a sentence."""
    head, steps = load(path)
    text = "".join(json.dumps(q) + "\n" for q in questions(steps))
    answers = [json.loads(line) for line in call(command(binary, head), text).splitlines()]
    if len(answers) != 3 * len(steps):
        return f"{len(answers)} answers to {3 * len(steps)} questions"
    for t, step in enumerate(steps, 1):
        three = answers[3 * t - 3 : 3 * t]
        tolerance = head.get("tolerance", TOLERANCE)
        problem = wrong_step(t, step, three, not explores(head["spec"]), tolerance)
        if problem:
            return f"step {t}: {problem}"
    return None if steps else "the transcript is empty"


if __name__ == "__main__":
    sys.exit(report([(p.stem, p) for p in sorted(TRANSCRIPTS.glob("*.jsonl"))], check))
