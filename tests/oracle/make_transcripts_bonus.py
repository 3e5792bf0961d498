#!/usr/bin/env python3
"""Write the transcripts of count-q, dora, ucb-q, speedy-q and bayes-q.

As make_transcripts.py, except that `greedy` holds the one action that the agent takes at `next`
with the stream of seed 1, replicate 0: ties, coins, samples and dora's choices in observe are all
replayed, so the order of the draws is checked too.  The agent is asked once after each step, as
check_transcripts.py does.  A head with "episodic" false stands for --continuing.
"""

import random
import sys

from bonus_agents import CLASSES, TooClose, make_bonus_agent
from make_transcripts import MAX_SEEDS, OUT, asked_at, draw, head_of, live_of, random_live, random_mdp, refused, write_case
from transcript_cases_bonus import all_cases

PREFIXES = tuple(name + "-" for name in (*CLASSES, "speedy-q"))


def transcript(c, endless, seed):
    """(lines, agent); TooClose where a decision hangs on rounding."""
    rng = random.Random(f"{c.name} {seed}")
    mdp = random_mdp(rng, c)
    if c.kind == "flat":  # many ties
        mdp = {s: [[o._replace(r=0.0) for o in pair] for pair in row] for s, row in mdp.items()}
    shape = (c.states, c.actions, c.rmin, c.rmax, not endless)
    agent = make_bonus_agent(c.spec, *shape, absent=c.absent, horizon=c.horizon)
    lines, s, proposed, taken = [], live_of(c)[0], None, 0
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
    return lines, agent


def find(c, endless):
    """The first seed that gives a transcript with the wanted events and no close decision."""
    for seed in range(MAX_SEEDS):
        try:
            lines, agent = transcript(c, endless, seed)
        except TooClose:
            continue
        if all(agent.events[e] for e in c.needs):
            return seed, lines, agent
    sys.exit(f"{c.name}: no seed below {MAX_SEEDS} gives {c.needs}")


def main():
    """Write all transcripts; print what they cover."""
    OUT.mkdir(exist_ok=True)
    for old in OUT.glob("*.jsonl"):
        if old.name.startswith(PREFIXES):
            old.unlink()
    size, count = 0, 0
    for c, endless in all_cases():
        seed, lines, agent = find(c, endless)
        head = head_of(c, **({"episodic": False} if endless else {}))
        size, count = size + write_case(c, head, lines), count + 1
        events = ", ".join(f"{n} x {e}" for e, n in sorted(agent.events.items()) if n)
        print(f"{c.name:32}{seed:5}{len(lines):6}  {events}", flush=True)
    print(f"{count} cases, {size} bytes")


if __name__ == "__main__":
    main()
