"""What the checkers share: talking to the command, comparing numbers, counting."""

import subprocess
import sys

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
    """Run check(binary, case) on every (name, case): a line each, a count, the exit code."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FARSIGHT_BINARY")
    passed = failed = 0
    for name, item in cases:
        problem = attempt(check, item)
        passed, failed = passed + (problem is None), failed + (problem is not None)
        print(f"ok    {name}" if problem is None else f"FAIL  {name}: {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


def attempt(check, item):
    """None, or a sentence saying what is wrong."""
    try:
        return check(sys.argv[1], item)
    except (RuntimeError, ValueError, KeyError, IndexError, TypeError) as e:
        return f"{type(e).__name__}: {e}"
