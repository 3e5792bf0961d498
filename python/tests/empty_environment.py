"""What the wheel must do where only NumPy is installed; scripts/test-python feeds it to such a Python."""

import importlib.util
import sys
import warnings
from pathlib import Path

import farsight as fs

optional = ["gymnasium", "pandas", "polars", "scipy", "tqdm"]
assert not any(importlib.util.find_spec(name) for name in optional), "the environment is not empty"
warnings.simplefilter("ignore", fs.StudyWarning)
for stub in ("_core.pyi", "_listed.pyi"):
    assert Path(fs.__file__).with_name(stub).read_text(), f"{stub}: the build writes it (scripts/python-stubs)"
agent = fs.Agent("delayed-q", env="chain:n=5", m=3)
a = agent.act(0)
agent.observe(0, a, 0.5, 1)
assert agent.q.shape == (5, 2) and agent.visits.sum() == 1
r = fs.run(["chain:n=[5,10]"], ["delayed-q", "r-max"], steps=200, runs=3)
assert r.totals("chain:n=5", "r-max").shape == (3,)
assert len(r.frame(library="numpy")["total"]) == 12
try:
    r.frame()
except ImportError as error:
    assert "pip install" in str(error), error
else:
    raise AssertionError("a frame without pandas")
try:
    fs.vector
except ImportError as error:
    assert str(error) == 'Gymnasium is not installed: pip install "farsight-rl[gymnasium]"', error
else:
    raise AssertionError("fs.vector without Gymnasium")
assert r.plot().svg().startswith("<svg ")
print(f"{sys.argv[1]}: farsight {fs.__version__}, an agent and a study")
