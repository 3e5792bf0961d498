"""For tests that stop commands, or wait for what they do. Signals are sent after an event, never after a while: a machine may be
slow, or busy with other things, and the next one may be ten times as fast."""
import os
import signal
import time

# a background job of a script ignores Ctrl-C, and the commands that such a job starts inherit that; a signal that is handled
# here is back at its default in them
signal.signal(signal.SIGINT, signal.default_int_handler)

LIMIT = 120  # seconds; what takes longer does not end


def wait_until(happened):
    """What it returns, once that is true."""
    end = time.monotonic() + LIMIT
    while not (found := happened()):
        assert time.monotonic() < end, f"it did not happen within {LIMIT} s"
        time.sleep(0.01)
    return found


def at_work(pid, seconds=0.5):
    """Waits until a process has worked for so long. These are seconds of processors: those in which others work do not count.
    Half a second is a hundred times what a command needs to begin its work."""
    def worked():
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            state, *fields = file.read().rpartition(")")[2].split()
        assert state != "Z", "it has ended by itself"
        return int(fields[10]) + int(fields[11]) >= seconds * os.sysconf("SC_CLK_TCK")
    wait_until(worked)
