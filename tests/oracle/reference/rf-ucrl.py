"""Reference version of rf-ucrl: Kaufmann, Menard, Domingues, Jonsson, Leurent & Valko 2021, without discount.

Written from docs/agents.md and the paper; planning and choices are those of rf-express, another bound on errors.
"""

import importlib.util
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("reference_rf_express", HERE / "rf-express.py")
express = importlib.util.module_from_spec(spec)
spec.loader.exec_module(express)


class Agent(express.Agent):
    """E in place of W."""

    def top(self, h):
        """The steps that are left."""
        return float(self.H - h)

    def width(self, h, n, following):
        """E of a pair with n visits."""
        beta = math.log(2 * self.S * self.A * self.H / self.p["delta"])
        dim = self.p["dim"]
        if dim > 0:
            beta += dim * math.log(math.e * (1 + n / dim))
        return (self.H - h) * math.sqrt(2 * self.p["scale"] * beta / n) + following

    def loss(self, w):
        """Twice the error."""
        return 2 * w


# (name, problem as in transcript_cases.py, parameters: every key that applies)
LOOSE = "delta=0.1,scale=0.02,dim=1"
CASES = (
    ("plain", "4x2 sto 160 horizon=5", f"eps=0.01,{LOOSE},stages=shared,ties=random"),
    ("apart", "3x2 sto 200 horizon=4", f"eps=0.01,{LOOSE},stages=apart,ties=random"),
    ("stops", "3x2 sto 240 horizon=3", "eps=2,delta=0.2,scale=0.02,dim=2,stages=shared,ties=lowest"),
    ("ends", "4x2 sto 160 ends=0.2 rmin=-1 rmax=1 horizon=6", f"eps=0.01,{LOOSE},stages=shared,ties=highest"),
    ("cut", "4x2 sto 160 cut=0.15 horizon=7", "eps=0.01,delta=0.1,scale=0.02,dim=0,stages=apart,ties=random"),
    ("absent", "7x2 sto 160 ends=0.2 absent=0,3..4,6 horizon=5", f"eps=0.02,{LOOSE},stages=shared,ties=random"),
    ("endless", "3x2 sto 200 rmin=-2 rmax=-1 horizon=4 endless", f"eps=4,{LOOSE},stages=shared,ties=random"),
)

# (environment of worlds.py, parameters, steps)
RUNS = (
    ("chain:n=5,horizon=8", f"eps=5,{LOOSE},stages=shared,ties=random", 1000),
    ("frozen-lake:hole=0.25,horizon=5", f"eps=5,{LOOSE},stages=shared,ties=random", 150),
)
