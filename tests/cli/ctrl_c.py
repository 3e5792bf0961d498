"""For tests that stop commands, or wait for what they do. Signals are sent after an event, never after a while: a machine may be
slow, or busy with other things, and the next one may be ten times as fast."""
import os
import re
import signal
import time

# a background job of a script ignores Ctrl-C, and the commands that such a job starts inherit that; a signal that is handled
# here is back at its default in them
signal.signal(signal.SIGINT, signal.default_int_handler)

SLOWER = int(os.environ.get("FARSIGHT_TESTS_SLOWER", "1"))
EMULATED = SLOWER > 1  # by scripts/test-ports: what is started is a script that calls an emulator
LIMIT = 120 * SLOWER  # seconds; what takes longer does not end


def wait_until(happened):
    """What it returns, once that is true."""
    end = time.monotonic() + LIMIT
    while not (found := happened()):
        assert time.monotonic() < end, f"it did not happen within {LIMIT} s"
        time.sleep(0.01)
    return found


def worked(pid):
    """The seconds of processors that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        state, *fields = file.read().rpartition(")")[2].split()
    assert state != "Z", "it has ended by itself"
    return (int(fields[10]) + int(fields[11])) / os.sysconf("SC_CLK_TCK")


def at_work(pid, seconds=0.5):
    """Waits until a process has worked for so long from now on: time in which others use the processors does not count. Half a
    second is a hundred times what a command needs to begin its work."""
    enough = worked(pid) + seconds * SLOWER
    wait_until(lambda: worked(pid) >= enough)


def handles(pid, number):
    """Does the process catch or ignore the signal?"""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        masks = re.findall(r"Sig(?:Ign|Cgt):\s*(\w+)", file.read())
    return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)
