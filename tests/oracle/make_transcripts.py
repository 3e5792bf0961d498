#!/usr/bin/env python3
"""Write transcripts/NAME.jsonl: transitions and what the reference agents learned from them.

The first line of a file is {"spec", "states", "actions", "rmin", "rmax"}; every further line is
one transition, values(s) after it, and the greedy actions at `next` (all of them for ties=random).
Where `done` is true, `next` is a random state that an agent must ignore; `truncated` cuts an
episode, which an agent must ignore too.

A case is kept only if no decision in it hangs on rounding (see `clean`) and the events that it is
there for occur; otherwise the next seed is tried.  The search is deterministic.
"""

import json
import pathlib
import random
import sys
from collections import Counter, namedtuple

from agents import Audit, make_agent
from transcript_cases import all_cases

OUT = pathlib.Path(__file__).resolve().parent / "transcripts"
TOLERANCE = 1e-9  # no decision may be closer than this
MAX_SEEDS = 20000

Outcome = namedtuple("Outcome", "weight next r done")


# -- random problems ---------------------------------------------------------------------------


def random_mdp(rng, c):
    """outcomes[s][a] = [Outcome, ...]; rewards lean towards the lower end of the range."""
    return [[random_pair(rng, c) for _ in range(c.actions)] for _ in range(c.states)]


def random_pair(rng, c):
    """One outcome, or one to three with random weights."""
    count = 1 if c.kind == "det" else rng.choice([1, 2, 2, 3])
    return [random_outcome(rng, c) for _ in range(count)]


def random_outcome(rng, c):
    """A weight, a successor, a reward with three decimals, and whether the episode ends."""
    weight = rng.uniform(0.2, 1.0)
    r = round(c.rmin + (c.rmax - c.rmin) * rng.random() ** 2, 3)
    return Outcome(weight, rng.randrange(c.states), r, rng.random() < c.ends)


def draw(rng, outcomes):
    """One outcome, with a probability proportional to its weight."""
    return rng.choices(outcomes, [o.weight for o in outcomes])[0]


# -- one transcript ----------------------------------------------------------------------------


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
    """(lines, agent), or None where a decision hangs on rounding."""
    rng = random.Random(f"{c.name} {seed}")
    mdp = random_mdp(rng, c)
    agent = make_agent(c.spec, c.states, c.actions, c.rmin, c.rmax)
    lines, s = [], 0
    for _ in range(c.steps):
        a = choose(rng, agent, s)
        out = draw(rng, mdp[s][a])
        nxt = rng.randrange(c.states) if out.done else out.next
        agent.observe(s, a, out.r, nxt, out.done)
        if not clean(agent, nxt):
            return None
        line = dict(s=s, a=a, r=out.r, next=nxt, done=out.done)
        cut = not out.done and rng.random() < c.cut
        if cut:
            line["truncated"] = True
        lines.append(dict(line, values=agent.values(s), greedy=agent.greedy_set(nxt)))
        s = rng.randrange(c.states) if out.done or cut else nxt
    return lines, agent


def find(c):
    """The first seed that gives a clean transcript with the wanted events."""
    for seed in range(MAX_SEEDS):
        result = transcript(c, seed)
        if result and all(result[1].audit.events[e] for e in c.needs):
            return seed, result
    sys.exit(f"{c.name}: no seed below {MAX_SEEDS} gives {c.needs}")


def write(c, lines):
    """One file; returns its size."""
    head = dict(spec=c.spec, states=c.states, actions=c.actions, rmin=c.rmin, rmax=c.rmax)
    rows = [json.dumps(row, separators=(",", ":")) for row in [head] + lines]
    path = OUT / f"{c.name}.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="ascii")
    return path.stat().st_size


def main():
    """Write all transcripts; print what they cover."""
    OUT.mkdir(exist_ok=True)
    for old in OUT.glob("*.jsonl"):
        if not old.name.startswith("model-"):  # make_transcripts_model.py writes those
            old.unlink()
    header = f"{'case':38}{'seed':>5}{'steps':>6}" + "".join(f"{e:>10}" for e in Audit.EVENTS)
    print(header + f"{'closest':>10}")
    size, total = 0, Counter()
    for c in all_cases():
        seed, (lines, agent) = find(c)
        size += write(c, lines)
        events = agent.audit.events
        total.update(events)
        counts = "".join(f"{events[e]:10}" for e in Audit.EVENTS)
        print(f"{c.name:38}{seed:5}{len(lines):6}{counts}{agent.audit.closest:10.1e}")
    print(f"{'all':49}" + "".join(f"{total[e]:10}" for e in Audit.EVENTS))
    print(f"{len(all_cases())} cases, {size} bytes")


if __name__ == "__main__":
    main()
