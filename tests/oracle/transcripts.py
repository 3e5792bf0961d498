"""What all transcripts share: their form, random problems, absent states.

A transcript is a list of transitions and what a reference agent learned from them.  Its first row is
{"spec", "states", "actions", "rmin", "rmax"}; every further row is one transition, values(s) after it,
and the greedy actions at `next` (all of them for ties=random).  Where `done` is true, `next` is a random
state that an agent must ignore; `truncated` cuts an episode, which an agent must ignore too.

A first row with "absent" lists states that are terminal or never met.  Then `next` of a step that is
done may be one of them, and `ask` says where the action is asked for instead; and a row with "refused"
is a step that names one, which must be answered with an error and change nothing.

A case is kept only if no decision in it hangs on rounding and the events that it is there for occur;
otherwise the next seed is tried.  The search is deterministic.
"""

from collections import namedtuple

from live import live_states

MAX_SEEDS = 20000

Outcome = namedtuple("Outcome", "weight next r done")
Transcript = namedtuple("Transcript", "name spec rows")  # rows() makes them


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
    """The first row."""
    head = dict(spec=c.spec, states=c.states, actions=c.actions, rmin=c.rmin, rmax=c.rmax)
    if c.absent:
        head["absent"] = list(c.absent)
    if c.horizon:
        head["horizon"] = c.horizon
    return dict(head, **more)


# -- the first seed ----------------------------------------------------------------------------


def first_rows(c, rows_of):
    """The rows of the first seed that gives the wanted events and no close decision.

    rows_of(c, seed) is (rows, events), or None where a decision is close.
    """
    for seed in range(MAX_SEEDS):
        made = rows_of(c, seed)
        if made and all(made[1][event] for event in c.needs):
            return made[0]
    raise RuntimeError(f"no seed below {MAX_SEEDS} gives {c.needs}")
