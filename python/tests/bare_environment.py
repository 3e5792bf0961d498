"""What a build without SQLite, libyaml and NLopt must do, and what it must say of the rest. scripts/test-python feeds it to
a Python with NumPy alone, into which the source distribution was built."""

import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import farsight as fs

warnings.simplefilter("ignore", fs.StudyWarning)
for stub in ("_core.pyi", "_listed.pyi"):
    assert Path(fs.__file__).with_name(stub).read_text(), f"{stub}: the build writes it (scripts/python-stubs)"

agent = fs.Agent("delayed-q", env="chain:n=5", m=3)
agent.observe(0, agent.act(0), 0.5, 1)
assert agent.q.shape == (5, 2) and agent.visits.sum() == 1

assert agent.plot("chain:n=5", "visits").svg().startswith("<svg ")

P = np.zeros((2, 2, 2))
P[:, 0, 0] = P[:, 1, 1] = 1.0  # action a leads to state a, which pays a
model = fs.MDP(P, np.array([[0.0, 1.0], [0.0, 1.0]]))
solution = fs.solve(model, gamma=0.5, tolerance=1e-9)
assert np.allclose(solution.v, 2.0, atol=1e-8) and solution.error <= 1e-9

r = fs.run(["chain:n=[5,10]", model], ["delayed-q", "r-max"], steps=200, runs=3, progress=False)
assert r.totals("chain:n=5", "r-max").shape == (3,)
found = fs.tune("delayed-q:m=[1..3]", "chain:n=5", steps=50, runs=3, progress=False)
assert found is not None


def absent(what: str, call: Callable[[], object]) -> None:
    """The error says what the build lacks."""
    try:
        call()
    except fs.AbsentError as error:
        assert f"built without {what}" in str(error), error
    else:
        raise AssertionError(f"no error without {what}")


yaml = "environments: [chain]\nagents: [r-max]"
absent("SQLite", lambda: fs.Store("results.db"))
absent("SQLite", lambda: fs.run("chain:n=5", "r-max", steps=50, runs=2, store="results.db", progress=False))
absent("SQLite", lambda: r.compare())
absent("SQLite", lambda: r.plot())
absent("libyaml", lambda: fs.Study.from_yaml(yaml))
absent("NLopt", lambda: fs.tune("delayed-q:m=[1..9]", "chain:n=5", method="crs", steps=50, runs=3, progress=False))
assert not os.path.exists("results.db")
print(f"{sys.argv[1]}: farsight {fs.__version__} from the source distribution, without SQLite, libyaml and NLopt")
