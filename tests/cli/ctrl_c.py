"""Imported by tests that send Ctrl-C: a background job of a script ignores it, and the commands that such a job starts
inherit that. A signal that is handled here is back at its default in them."""
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
