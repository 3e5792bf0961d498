"""Pictures and texts of a model with its present state, without a drawing library."""

from __future__ import annotations

from typing import Any

import numpy as np

from farsight.model import MDP


def text(model: MDP, state: int) -> str:
    """A line of text."""
    return f"state {state} of {model.n_states}\n"


def picture(model: MDP, state: int) -> Any:
    """An array (height, width, 3) of bytes."""
    return np.zeros((64, 64, 3), dtype=np.uint8)
