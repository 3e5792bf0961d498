"""Exceptions: each is a built-in kind as well, so that ``except ValueError`` works."""

from __future__ import annotations

from typing import Any


class FarsightError(Exception):
    """An error that the library reports.

    ``text`` is what the user gave (a spec, say) and ``position`` the offset of the fault in it, or None.
    """

    def __init__(self, message: str, text: str | None = None, position: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.position = position

    def __str__(self) -> str:
        if self.text is None or self.position is None or "\n" in self.text:
            return self.message
        caret = " " * len(self.text.encode()[: self.position].decode(errors="replace")) + "^"
        return f"{self.message}\n  {self.text}\n  {caret}"

    def __reduce__(self) -> tuple[type, tuple[str, str | None, int | None]]:
        return type(self), (self.message, self.text, self.position)


class InvalidError(FarsightError, ValueError):
    """A text that does not follow the grammar, a value out of bounds, or values that do not go together."""


class UnknownError(FarsightError, KeyError):
    """There is nothing of that name; the message suggests the nearest."""


class OutOfMemoryError(FarsightError, MemoryError):
    """Out of memory, or a size too large for this machine."""


class FileError(FarsightError, OSError):
    """The system could not read or write."""


class AbsentError(FarsightError, RuntimeError):
    """This build was made without a library that the call needs."""


class StoppedError(FarsightError, RuntimeError):
    """The work was stopped on request."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work. ``results`` has what was finished, or is None.

    A store keeps everything that was finished: the same call resumes.
    """

    def __init__(self, message: str, results: Any) -> None:
        super().__init__(message)
        self.results = results


DISTRIBUTION = "farsight-rl"  # on PyPI, where "farsight" is another project


def missing(package: str, extra: str) -> ImportError:
    """The error for an optional package that is not installed, with what to install."""
    return ImportError(f'{package} is not installed: pip install "{DISTRIBUTION}[{extra}]"')


# by far_status (include/farsight/base.h)
_KINDS: dict[int, type[FarsightError]] = {
    2: UnknownError,
    5: OutOfMemoryError,
    6: FileError,
    9: StoppedError,
    10: AbsentError,
}


def exception(code: int, message: str, position: int, text: str | None) -> FarsightError:
    """The exception of an error of the library; called by the extension."""
    kind = _KINDS.get(code, InvalidError)
    return kind(message, text, position if position >= 0 else None)
