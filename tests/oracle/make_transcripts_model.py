#!/usr/bin/env python3
"""Write transcripts/model-NAME.jsonl: what the agents of planners.py learn from given transitions.

As make_transcripts.py.  The first line of a file also says whether episodes can end and to which
tolerance its numbers are to be compared.  A case in which a decision hangs on less than 1e-7 (a
greedy choice at `next`, or a test inside the agent) is thrown away and the next seed tried.
"""

import random
import sys

import streams
from make_transcripts import OUT, asked_at, draw, head_of, live_of, random_live, random_mdp, refused, write_case
from planners import CLOSE, make_planner
from transcript_cases_model import all_cases

MAX_SEEDS = 3000


def transcript(c, seed):
    """(lines, agent), or None where a decision hangs on rounding."""
    rng = random.Random(f"{c.name} {seed}")
    mdp = random_mdp(rng, c)
    own = streams.stream(1, 0, streams.AGENT)
    shape = (c.states, c.actions, c.rmin, c.rmax, c.episodic)
    agent = make_planner(c.spec, *shape, own, c.absent)
    lines, s = [], live_of(c)[0]
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
    return lines, agent


def find(c):
    """The first seed that gives a clean transcript with the wanted events."""
    for seed in range(MAX_SEEDS):
        result = transcript(c, seed)
        if result and all(result[1].audit.events[e] for e in c.needs):
            return seed, result
    sys.exit(f"{c.name}: no seed below {MAX_SEEDS} gives {c.needs}")


def tolerance(spec):
    """Plans stop early and sums differ in order; random numbers also pass through log and exp."""
    return 1e-7 if spec.startswith(("psrl:", "rlsvi:")) else 1e-9


def main():
    """Write all transcripts; print what they cover."""
    OUT.mkdir(exist_ok=True)
    for old in OUT.glob("model-*.jsonl"):
        old.unlink()
    size, cases = 0, all_cases()
    for c in cases:
        seed, (lines, agent) = find(c)
        head = head_of(c, episodic=c.episodic, tolerance=tolerance(c.spec))
        size += write_case(c, head, lines)
        events = ", ".join(f"{n} {e}" for e, n in sorted(agent.audit.events.items()) if n)
        closest = agent.audit.closest
        print(f"{c.name:28}{seed:5}{len(lines):5} steps  closest {closest:7.1e}  {events}")
    print(f"{len(cases)} cases, {size} bytes")


if __name__ == "__main__":
    main()
