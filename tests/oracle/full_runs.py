"""What all whole runs of reference agents share, random streams included.

A cell is (environment, agent, steps, runs, seed).  Its totals are the undiscounted sums of the
rewards of its runs, added in the order of the steps; its hash is the SHA-256 of the totals as
little-endian doubles in the order of the runs.  Run k uses the streams of replicate k.

Hashes need the same decisions to the last bit, so a cell is refused if a decision in it comes too
close to the other side; the next seed is tried then.

A cell with "resolved" also says what the keys of the spec that `farsight run` prints must be: the
theory's formulas, with S the number of live states.
"""

import hashlib
import struct
from collections import namedtuple

MAX_SEEDS = 100

Run = namedtuple("Run", "env spec cell")  # cell() computes it


def total_reward(world, agent, act, steps, luck):
    """The sum of the rewards of one run, in the order of the steps; act(s) is the choice at s."""
    s, total, taken = world.start, 0.0, 0
    for _ in range(steps):
        a = act(s)
        r, nxt, done = world.step(s, a, luck)
        agent.observe(s, a, r, nxt, done)
        total += r
        s, taken = nxt, taken + 1
        if done or taken == world.horizon:
            s, taken = world.start, 0
    return total


def clean_cell(run, env, spec, steps, runs, first_seed):
    """The cell with the first seed, from the given one on, in which no decision is close.

    run(env, spec, steps, seed, replicate) is a total, or raises ArithmeticError.
    """
    why = None
    for seed in range(first_seed, first_seed + MAX_SEEDS):
        try:
            totals = [run(env, spec, steps, seed, k) for k in range(runs)]
        except ArithmeticError as e:
            why = why or e
            continue
        head = dict(env=env, agent=spec, steps=steps, runs=runs, seed=seed)
        return dict(head, totals=totals, hash=digest(totals))
    raise RuntimeError(f"no clean seed: {why}")


def digest(totals):
    """SHA-256 of the totals as little-endian doubles."""
    return hashlib.sha256(b"".join(struct.pack("<d", x) for x in totals)).hexdigest()
