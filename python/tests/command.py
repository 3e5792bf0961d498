"""The command to compare with, and scripts that are interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("FARSIGHT_COMMAND", ROOT / "build/python/farsight"))

needs_command = pytest.mark.skipif(not COMMAND.exists(), reason=f"there is no command {COMMAND}")


def command(*arguments: Any) -> str:
    """What the command prints; text in UTF-8 and of any width."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    done = subprocess.run([COMMAND, *map(str, arguments)], env=environment, capture_output=True, text=True)
    assert done.stdout, done.stderr
    return done.stdout


def command_json(*arguments: Any) -> Any:
    return json.loads(command(*arguments, "--format", "json"))


def timeless(data: Any) -> Any:
    """The same without what depends on the machine: times."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key != "seconds"}
    return [timeless(item) for item in data] if isinstance(data, list) else data


STARTED = """
import farsight as fs
def started(at):
    if not hasattr(started, "told") and (ONCE):
        started.told = True
        print("started")
"""


def interrupted(script: str, once: str = "True", patience: float = 120) -> tuple[int, str]:
    """Runs a script, sends Ctrl-C when it has printed "started", and returns its exit code and output after that.

    The script has a function ``started``, to be given as ``progress`` of work that would take very long: it is called within the
    work, and prints that once the expression ``once`` of what it is called with, ``at``, is true.
    """
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", STARTED.replace("ONCE", once) + script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        first = process.stdout.readline()
        assert first == "started\n", first + process.stdout.read()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=patience)
    finally:
        process.kill()
    return process.returncode, rest
