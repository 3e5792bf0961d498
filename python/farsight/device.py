"""Devices: who computes the runs of a call, and what a graphics processor has computed of them."""

from __future__ import annotations

import sys
import warnings
from typing import NamedTuple, TypeVar

from farsight import _core
from farsight.document import Document


class DeviceWarning(UserWarning):
    """There is no device, or it failed: the processors have computed what is missing, with the same results."""


class DeviceUse(NamedTuple):
    """What a device has computed of a result; printing it shows the command's note."""

    name: str
    """Of the device; "" if there is none, or it was not needed."""
    runs: int
    """Runs that it has computed; threads have computed the others."""
    seconds: float
    """The time that they took."""
    choice: str
    """The estimates by which "auto" chose; else ""."""
    failure: str
    """Why there is no device, or why it is not used any more; "" if all is well."""

    def __str__(self) -> str:
        choice = f" ({self.choice})" if self.choice else ""
        if self.runs > 0:
            return f"{self.name} computed {self.runs} runs in {self.seconds:.3g} s{choice}"
        return self.failure or f"the processors computed all runs{choice}"


Made = TypeVar("Made", bound=Document)


def with_device(result: Made, device: _core.Device) -> Made:
    """The result, told what the device has done; a warning if there is none or it failed."""
    if device.done is not None:
        result.device = DeviceUse(*device.done)
    warn_of_device(device.warning)
    return result


def warn_of_device(text: str) -> None:
    """Shows a warning of the user's call, unless there is none."""
    if text:
        warnings.warn(text, DeviceWarning, stacklevel=_level_of_user())


def _level_of_user() -> int:
    """The stack level of the first function outside of this package, for the function that calls this."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("farsight."):
        level, frame = level + 1, frame.f_back
    return level
