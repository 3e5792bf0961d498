"""Part of check_oracle.py: the exact solver of baselines.py against answers known by hand."""

from fractions import Fraction

from baselines import best_policy, evaluate, make_random, model_of
from worlds import make_world


def check_chain():
    """Always right is optimal on the chain; its gain by the detailed balance of the walk.

    With q = slip/(1 - slip) the walk is in state i with probability proportional to q^-i, and each
    step from the last state or the one before it arrives at the end with probability 1 - slip.
    """
    for n, slip in ((3, 0.25), (6, 0.25)):
        world = make_world(f"chain:n={n},slip={slip},left=0.0,right=1")
        assert best_policy(world, None, 1) == dict.fromkeys(range(n), 1)
        live, rows = model_of(world)
        gain, _ = evaluate(live, rows, dict.fromkeys(live, 1), Fraction(1), None)
        weights = [Fraction(3) ** i for i in range(n)]
        assert gain == Fraction(3, 4) * (weights[-1] + weights[-2]) / sum(weights)
    return "2 gains"


def check_short_sight():
    """Who discounts strongly takes the small reward that is near."""
    world = make_world("chain:n=6,slip=0.3,left=0.05,right=1")
    assert best_policy(world, 0.3)[0] == 0 and best_policy(world, 0.95)[0] == 1
    return "2 discounts"


def check_uniform():
    """All actions, about equally often."""
    agent = make_random(3, 5)
    counts = [0] * 5
    for _ in range(10000):
        counts[agent.act(0)] += 1
    assert max(abs(n - 2000) for n in counts) < 5 * 40
    return str(counts)


def run_all():
    """(name, outcome) of every check; an AssertionError is a failure."""
    yield "optimal on the chain", check_chain()
    yield "optimal, short-sighted", check_short_sight()
    yield "random", check_uniform()
