#!/usr/bin/env python3
"""Does `farsight agent` learn what the transcripts say?

usage: check_transcripts.py FARSIGHT_BINARY [--keep FOLDER] [AGENT...]      all agents, or those that are named

Every transition of a transcript is fed to one process, followed by a question for the values of
its state and one for the action at its successor.  A transition that is to be refused stands alone;
at the end the values of the absent states are asked for, which are 0.
"""

import json
import sys

import generated
from farsight_client import TOLERANCE, call, close, report

STEP_KEYS = ("s", "a", "r", "next", "done", "truncated")


def questions(step):
    """The lines of input of a step."""
    yield {"observe": {k: step[k] for k in STEP_KEYS if k in step}}
    if not step.get("refused"):
        yield {"values": step["s"]}
        yield {"act": step.get("ask", step["next"])}
    if "certificate" in step:
        yield {"info": True}


def command(binary, head):
    """The command line of the agent process."""
    options = ("states", "actions", "rmin", "rmax")
    flags = [part for key in options for part in (f"--{key}", str(head[key]))]
    flags += [] if head.get("episodic", True) else ["--continuing"]
    flags += ["--absent", ",".join(map(str, head["absent"]))] if "absent" in head else []
    flags += ["--horizon", str(head["horizon"])] if "horizon" in head else []
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
            (x == y) if exact else close(x, y, tolerance) for x, y in zip(numbers, answer, strict=True)
        )
        if not same:
            return f"{key} is {answer}, not {numbers}"
    return None


def wrong_step(t, step, answers, check_action, tolerance):
    """What is wrong with the answers to the t-th step that counts, or to one refused, or None."""
    if step.get("refused"):
        return None if "error" in answers[0] else f"{step} was not refused: {answers[0]}"
    observed, values, acted, *info = answers
    if observed.get("t") != t:
        return f"observe answered {observed}"
    problem = wrong_values(step["values"], values, tolerance)
    if problem is None and check_action and acted["action"] not in step["greedy"]:
        problem = f"action {acted['action']} is not in {step['greedy']}"
    return problem or wrong_certificate(step, info, tolerance)


def wrong_certificate(step, info, tolerance):
    """What is wrong with the certificate of an agent that may have one, or None."""
    for answer in info:
        want, got = step["certificate"], answer.get("certificate", answer.get("uncertified"))
        if (want is None) != (got is None) or (want is not None and not close(want, got, tolerance)):
            return f"the certificate is {got}, not {want}"
    return None


def wrong_absent(head, step, answers):
    """What is wrong with the values of the absent states, or None."""
    zeros = [0] * head["actions"]
    for s, got in zip(head.get("absent", []), answers, strict=True):
        if not set(step["values"]) <= set(got) or any(x != zeros for x in got.values()):
            return f"the absent state {s} has values {got}"
    return None


def check(binary, transcript, folder):
    """None if the process agrees with the transcript, else a sentence."""
    head, *steps = generated.rows_of(transcript, folder)
    absent = head.get("absent", [])
    asked = [q for step in steps for q in questions(step)] + [{"values": s} for s in absent]
    text = "".join(json.dumps(q) + "\n" for q in asked)
    answers = [json.loads(line) for line in call(command(binary, head), text).splitlines()]
    if len(answers) != len(asked):
        return f"{len(answers)} answers to {len(asked)} questions"
    t, rest = 0, iter(answers)
    for step in steps:
        t += not step.get("refused")
        mine = [next(rest) for _ in questions(step)]
        tolerance = head.get("tolerance", TOLERANCE)
        problem = wrong_step(t, step, mine, not explores(head["spec"]), tolerance)
        if problem:
            return f"step {t}: {problem}"
    return wrong_absent(head, steps[-1], rest) if t else "the transcript is empty"


if __name__ == "__main__":
    sys.exit(report([(c.name, c) for c in generated.transcripts()], check))
