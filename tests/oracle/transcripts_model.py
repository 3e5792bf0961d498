"""Transcripts of what the agents of planners.py learn from given transitions.

The first row also says whether episodes can end and to which tolerance its numbers are to be compared.
A case in which a decision hangs on less than 1e-7 (a greedy choice at `next`, or a test inside the
agent) is thrown away and the next seed tried.
"""

import functools
import random

import streams
from planners import CLOSE, make_planner
from transcript_cases_model import all_cases
from transcripts import Transcript, asked_at, draw, first_rows, head_of, live_of, random_live, random_mdp, refused


def tolerance(spec):
    """Plans stop early and sums differ in order; random numbers also pass through log and exp."""
    return 1e-7 if spec.startswith(("psrl:", "rlsvi:")) else 1e-9


def transcript(c, seed):
    """(rows, events), or None where a decision hangs on rounding."""
    rng = random.Random(f"{c.name} {seed}")
    mdp = random_mdp(rng, c)
    own = streams.stream(1, 0, streams.AGENT)
    shape = (c.states, c.actions, c.rmin, c.rmax, c.episodic)
    agent = make_planner(c.spec, *shape, own, c.absent)
    head = head_of(c, episodic=c.episodic, tolerance=tolerance(c.spec))
    lines, s = [head], live_of(c)[0]
    for _ in range(c.steps):
        lines += refused(rng, c, agent)
        a = rng.randrange(c.actions)
        if rng.random() < 0.5:
            a = rng.choice(agent.greedy_set(s))
        out = draw(rng, mdp[s][a])
        nxt = rng.randrange(c.states) if out.done else out.next
        cut = not out.done and rng.random() < c.cut
        agent.observe(s, a, out.r, nxt, out.done, cut)
        line = dict(s=s, a=a, r=out.r, next=nxt, done=out.done)
        at = asked_at(c, line)
        if agent.audit.closest < CLOSE or agent.choice(at)[1] < CLOSE:
            return None
        if cut:
            line["truncated"] = True
        lines.append(dict(line, values=agent.values(s), greedy=agent.greedy_set(at)))
        s = random_live(rng, c) if out.done or cut else nxt
    return lines, agent.audit.events


def transcripts():
    """Every transcript."""
    for c in all_cases():
        yield Transcript(c.name, c.spec, functools.partial(first_rows, c, transcript))
