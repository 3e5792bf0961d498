"""Transcripts of directed-delayed-q, delayed-q, delayed-q-ie and q-learning."""

import functools
import random

from agents import make_agent
from transcript_cases import all_cases
from transcripts import Transcript, asked_at, draw, first_rows, head_of, live_of, random_live, random_mdp, refused

TOLERANCE = 1e-9  # no decision may be closer than this


def clean(agent, s):
    """No decision so far, nor the greedy choice at s, hangs on rounding.

    Equal values are fine where they are equal by construction: both pairs still hold their
    initial values.
    """
    values = agent.action_values(s)
    best = max(values)
    close = [a for a, v in enumerate(values) if best - v < TOLERANCE]
    tie_is_structural = len(close) == 1 or not any((s, a) in agent.audit.touched for a in close)
    return agent.audit.closest >= TOLERANCE and tie_is_structural


def choose(rng, agent, s):
    """Mostly greedy."""
    if rng.random() < 0.25:
        return rng.randrange(agent.n_actions)
    return rng.choice(agent.greedy_set(s))


def transcript(c, seed):
    """(rows, events), or None where a decision hangs on rounding."""
    rng = random.Random(f"{c.name} {seed}")
    mdp = random_mdp(rng, c)
    agent = make_agent(c.spec, c.states, c.actions, c.rmin, c.rmax, c.absent)
    lines, s = [head_of(c)], live_of(c)[0]
    for _ in range(c.steps):
        lines += refused(rng, c, agent)
        a = choose(rng, agent, s)
        out = draw(rng, mdp[s][a])
        nxt = rng.randrange(c.states) if out.done else out.next
        agent.observe(s, a, out.r, nxt, out.done)
        line = dict(s=s, a=a, r=out.r, next=nxt, done=out.done)
        at = asked_at(c, line)
        if not clean(agent, at):
            return None
        cut = not out.done and rng.random() < c.cut
        if cut:
            line["truncated"] = True
        lines.append(dict(line, values=agent.values(s), greedy=agent.greedy_set(at)))
        s = random_live(rng, c) if out.done or cut else nxt
    return lines, agent.audit.events


def transcripts():
    """Every transcript."""
    for c in all_cases():
        yield Transcript(c.name, c.spec, functools.partial(first_rows, c, transcript))
