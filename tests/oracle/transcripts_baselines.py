"""Transcripts of random; `optimal` needs a model, and has whole runs instead.

As in transcripts_bonus.py `greedy` holds the one action that the agent takes at `next` with the stream
of seed 1, replicate 0.  It has no values.
"""

import functools
import random

from baselines import make_random
from transcript_cases import case
from transcripts import Transcript, asked_at, draw, head_of, live_of, random_live, random_mdp, refused

CASES = [
    case("random", "4x3 sto 60", "random", ()),
    case("random-ends", "4x2 sto 60 ends=0.2 rmin=-1 rmax=1", "random", ()),
    case("random-one-action", "3x1 sto 20", "random", ()),
    case("random-many-actions", "2x7 sto 60 cut=0.1", "random", ()),
    case("random-absent", "7x3 sto 60 ends=0.2 absent=0,3..4,6", "random", ()),
]


def transcript(c):
    """The rows of a case."""
    rng = random.Random(c.name)
    mdp = random_mdp(rng, c)
    agent = make_random(c.states, c.actions, absent=c.absent)
    lines, s = [head_of(c)], live_of(c)[0]
    for _ in range(c.steps):
        lines += refused(rng, c, agent)
        a = rng.randrange(c.actions)
        out = draw(rng, mdp[s][a])
        nxt = rng.randrange(c.states) if out.done else out.next
        agent.observe(s, a, out.r, nxt, out.done)
        line = dict(s=s, a=a, r=out.r, next=nxt, done=out.done)
        at = asked_at(c, line)
        lines.append(dict(line, values=agent.values(s), greedy=[agent.act(at)]))
        s = random_live(rng, c) if out.done else nxt
    return lines


def transcripts():
    """Every transcript."""
    for c in CASES:
        yield Transcript(c.name, c.spec, functools.partial(transcript, c))
