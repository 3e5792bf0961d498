"""Transcripts of count-q, dora, ucb-q, speedy-q and bayes-q, and of the agents in reference/.

`greedy` holds the one action that the agent takes at `next` with the stream of seed 1, replicate 0:
ties, coins, samples and dora's choices in observe are all replayed, so the order of the draws is
checked too.  The agent is asked once after each step, as check_transcripts.py does.  A head with
"episodic" false stands for --continuing.
"""

import functools
import random

from bonus_agents import TooClose, make_bonus_agent
from transcript_cases_bonus import all_cases
from transcripts import Transcript, asked_at, draw, first_rows, head_of, live_of, random_live, random_mdp, refused


def rows_of(endless, c, seed):
    """(rows, events), or None where a decision hangs on rounding."""
    try:
        return transcript(endless, c, seed)
    except TooClose:
        return None


def transcript(endless, c, seed):
    """(rows, events); TooClose where a decision hangs on rounding."""
    rng = random.Random(f"{c.name} {seed}")
    mdp = random_mdp(rng, c)
    if c.kind == "flat":  # many ties
        mdp = {s: [[o._replace(r=0.0) for o in pair] for pair in row] for s, row in mdp.items()}
    shape = (c.states, c.actions, c.rmin, c.rmax, not endless)
    agent = make_bonus_agent(c.spec, *shape, absent=c.absent, horizon=c.horizon)
    head = head_of(c, **({"episodic": False} if endless else {}))
    lines, s, proposed, taken = [head], live_of(c)[0], None, 0
    for _ in range(c.steps):
        lines += refused(rng, c, agent)
        # A third of the actions are not the agent's own.
        foreign = proposed is None or rng.random() < 1 / 3
        a = rng.randrange(c.actions) if foreign else proposed
        out = draw(rng, mdp[s][a])
        nxt = rng.randrange(c.states) if out.done else out.next
        cut = not out.done and rng.random() < c.cut
        agent.observe(s, a, out.r, nxt, out.done, cut)
        line = dict(s=s, a=a, r=out.r, next=nxt, done=out.done)
        at = asked_at(c, line)
        if cut:
            line["truncated"] = True
        if hasattr(agent, "certified"):
            line["certificate"] = agent.certified()
        values = agent.values(s)
        proposed = agent.act(at)
        lines.append(dict(line, values=values, greedy=[proposed]))
        s, taken = nxt, taken + 1
        if out.done or cut or taken == c.horizon:  # the last step is a cut, said or not
            s, proposed, taken = random_live(rng, c), None, 0
    return lines, agent.events


def rows(c, endless):
    """The rows of a case."""
    return first_rows(c, functools.partial(rows_of, endless))


def transcripts():
    """Every transcript of the five."""
    for c, endless in all_cases():
        yield Transcript(c.name, c.spec, functools.partial(rows, c, endless))
