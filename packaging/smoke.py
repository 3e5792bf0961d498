"""What every form of a release must do: say its version, and compute a golden cell; scripts/release feeds it to the wheel."""
import sys
import warnings

import farsight as fs

version, digest = sys.argv[1:]
warnings.simplefilter("ignore", fs.StudyWarning)  # the cell's parameters are not those of the theorem
assert fs.__version__ == version, fs.__version__
results = fs.run("chain:n=10", "directed-delayed-q:preset=practical", steps=3000, runs=7, seed=42)
assert results.hash() == digest, results.hash()
