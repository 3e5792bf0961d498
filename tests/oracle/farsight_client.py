"""What the checkers share: talking to the command, comparing numbers, counting."""

import argparse
import subprocess

TOLERANCE = 1e-11
TIMEOUT = 300


def close(x, y, tolerance=TOLERANCE):
    """Equal up to a relative or absolute error of 1e-11; not so for NaN or a non-number."""
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (x, y))
    return numbers and abs(x - y) <= tolerance * max(1.0, abs(x), abs(y))


def call(command, text=""):
    """Standard output of a command that must succeed; RuntimeError says what went wrong."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT)
    except (OSError, subprocess.TimeoutExpired) as e:
        raise RuntimeError(str(e)) from e
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()[:300]}")
    return done.stdout


def report(cases, check):
    """Run check(binary, case, folder) on every (name, case) of the agents that are asked for: a line each, a count, the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="those of these agents only")
    parser.add_argument("--keep", metavar="FOLDER", help="keep what the reference agents say there")
    chosen = parser.parse_args()
    passed = failed = 0
    for name, case in cases:
        if chosen.agents and case.spec.partition(":")[0] not in chosen.agents:
            continue
        problem = attempt(check, chosen.binary, case, chosen.keep)
        passed, failed = passed + (problem is None), failed + (problem is not None)
        print(f"ok    {name}" if problem is None else f"FAIL  {name}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


def attempt(check, *args):
    """None, or a sentence saying what is wrong."""
    try:
        return check(*args)
    except (RuntimeError, ValueError, KeyError, IndexError, TypeError) as e:
        return f"{type(e).__name__}: {e}"
