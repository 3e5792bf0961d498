#!/usr/bin/env python3
"""Write transcripts/NAME.jsonl: transitions and what the reference agents learned from them.

The first line of a file is {"spec", "states", "actions", "rmin", "rmax"}; every further line is
one transition, values(s) after it, and the greedy actions at `next` (all of them for ties=random).
Where `done` is true, `next` is a random state that an agent must ignore; `truncated` cuts an
episode, which an agent must ignore too.

A first line with "absent" lists states that are terminal or never met.  Then `next` of a step that
is done may be one of them, and `ask` says where the action is asked for instead; and a line with
"refused" is a step that names one, which must be answered with an error and change nothing.

A case is kept only if no decision in it hangs on rounding (see `clean`) and the events that it is
there for occur; otherwise the next seed is tried.  The search is deterministic.
"""

import json
import pathlib
import random
import sys
from collections import Counter, namedtuple

from agents import Audit, make_agent
from live import live_states
from transcript_cases import all_cases

OUT = pathlib.Path(__file__).resolve().parent / "transcripts"
TOLERANCE = 1e-9  # no decision may be closer than this
MAX_SEEDS = 20000
PREFIXES = ("directed-", "delayed-", "ie-", "q-")

Outcome = namedtuple("Outcome", "weight next r done")


# -- random problems ---------------------------------------------------------------------------


def random_mdp(rng, c):
    """outcomes[s][a] = [Outcome, ...]; rewards lean towards the lower end of the range."""
    return {s: [random_pair(rng, c) for _ in range(c.actions)] for s in live_of(c)}


def live_of(c):
    """The live states of a case."""
    return live_states(c.states, c.absent)


def random_pair(rng, c):
    """One outcome, or one to three with random weights."""
    count = 1 if c.kind == "det" else rng.choice([1, 2, 2, 3])
    return [random_outcome(rng, c) for _ in range(count)]


def random_outcome(rng, c):
    """A weight, a successor, a reward with three decimals, and whether the episode ends."""
    weight = rng.uniform(0.2, 1.0)
    r = round(c.rmin + (c.rmax - c.rmin) * rng.random() ** 2, 3)
    return Outcome(weight, random_live(rng, c), r, rng.random() < c.ends)


def random_live(rng, c):
    """One of the live states."""
    live = live_of(c)
    return live[rng.randrange(len(live))]


def draw(rng, outcomes):
    """One outcome, with a probability proportional to its weight."""
    return rng.choices(outcomes, [o.weight for o in outcomes])[0]


# -- absent states -----------------------------------------------------------------------------


def refused(rng, c, agent):
    """Now and then a step that names an absent state, which the agent refuses."""
    if not c.absent or rng.random() >= 0.04:
        return []
    ends = [rng.choice(c.absent), random_live(rng, c)]
    rng.shuffle(ends)
    done = ends[0] in c.absent and rng.random() < 0.5
    line = dict(s=ends[0], a=rng.randrange(c.actions), r=c.rmin, next=ends[1], done=done)
    try:
        agent.observe(*line.values())
    except ValueError:
        return [dict(line, refused=True)]
    raise AssertionError(f"{c.name}: {line} was not refused")


def asked_at(c, line):
    """Where the action is asked for after a step: at `next`, unless that is absent."""
    if line["next"] not in c.absent:
        return line["next"]
    line["ask"] = live_of(c)[-1]
    return line["ask"]


def head_of(c, **more):
    """The first line of a file."""
    head = dict(spec=c.spec, states=c.states, actions=c.actions, rmin=c.rmin, rmax=c.rmax)
    if c.absent:
        head["absent"] = list(c.absent)
    if c.horizon:
        head["horizon"] = c.horizon
    return dict(head, **more)


def write_case(c, head, lines):
    """One file; returns its size."""
    rows = [json.dumps(row, separators=(",", ":")) for row in [head] + lines]
    path = OUT / f"{c.name}.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="ascii")
    return path.stat().st_size


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
    agent = make_agent(c.spec, c.states, c.actions, c.rmin, c.rmax, c.absent)
    lines, s = [], live_of(c)[0]
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
    return lines, agent


def find(c):
    """The first seed that gives a clean transcript with the wanted events."""
    for seed in range(MAX_SEEDS):
        result = transcript(c, seed)
        if result and all(result[1].audit.events[e] for e in c.needs):
            return seed, result
    sys.exit(f"{c.name}: no seed below {MAX_SEEDS} gives {c.needs}")


def main():
    """Write all transcripts; print what they cover."""
    OUT.mkdir(exist_ok=True)
    for old in OUT.glob("*.jsonl"):
        if old.name.startswith(PREFIXES):  # the others have a maker of their own
            old.unlink()
    header = f"{'case':38}{'seed':>5}{'steps':>6}" + "".join(f"{e:>10}" for e in Audit.EVENTS)
    print(header + f"{'closest':>10}")
    size, total = 0, Counter()
    for c in all_cases():
        seed, (lines, agent) = find(c)
        size += write_case(c, head_of(c), lines)
        events = agent.audit.events
        total.update(events)
        counts = "".join(f"{events[e]:10}" for e in Audit.EVENTS)
        print(f"{c.name:38}{seed:5}{len(lines):6}{counts}{agent.audit.closest:10.1e}")
    print(f"{'all':49}" + "".join(f"{total[e]:10}" for e in Audit.EVENTS))
    print(f"{len(all_cases())} cases, {size} bytes")


if __name__ == "__main__":
    main()
