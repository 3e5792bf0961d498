"""Names of types, for signatures."""

from __future__ import annotations

import os

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
StrPath = str | os.PathLike[str]
