"""The cases of transcripts_delayed.py: an agent, a kind of random problem, and what must happen.

A problem is written "4x2 sto 180": states x actions, deterministic (det) or stochastic (sto)
transitions, steps.  Further words: `ends=p`, the probability that an outcome ends the episode;
`cut=p`, that a step is truncated; `rmin=`, `rmax=`, the range of the rewards (0 and 1 unless told);
`absent=0,3..4`, ids of states that are never met and of which the agent is told so; `horizon=h`, the
steps of an episode.
"""

from collections import namedtuple

FIELDS = "name spec states actions kind steps needs rmin rmax ends cut absent horizon"
Case = namedtuple("Case", FIELDS)

LEARNS = ("success", "failed", "off", "on again")
RAISES = LEARNS + ("Q raised", "E raised")


def case(name, problem, spec, needs=LEARNS):
    """A Case from the description of its problem."""
    shape, kind, steps, *rest = problem.split()
    states, actions = shape.split("x")
    words = details(rest)
    return Case(name, spec, int(states), int(actions), kind, int(steps), needs, **words)


def details(words):
    """The further words of a problem."""
    out = dict(rmin=0.0, rmax=1.0, ends=0.0, cut=0.0, absent=(), horizon=0)
    kinds = dict(absent=ids, horizon=int)
    for key, value in (word.split("=") for word in words):
        out[key] = kinds.get(key, float)(value)
    return out


def ids(text):
    """(0, 3, 4) from '0,3..4'."""
    spans = (part.partition("..") for part in text.split(","))
    return tuple(s for first, _, last in spans for s in range(int(first), int(last or first) + 1))


def spec_string(name, params):
    """name:key=value,..."""
    return name + ":" + ",".join(f"{k}={v}" for k, v in params.items())


def directed(delay="interval", learn="2009", clamp="on", ties="random", lam=1.0, **numbers):
    """A spec of directed-delayed-q with every key written out."""
    params = {"gamma": 0.9, "eps1": 0.1, "m": 5, "lambda": lam, "eta": 0.9, "e0": 0.9}
    params.update(dict(gamma_e=0.9, rho=0.3), **numbers)
    params.update(delay=delay, learn=learn, clamp=clamp, ties=ties)
    return spec_string("directed-delayed-q", params)


def delayed(form, gamma, eps1, m, ties="random"):
    """A spec of delayed-q."""
    return spec_string("delayed-q", dict(gamma=gamma, eps1=eps1, m=m, form=form, ties=ties))


def delayed_ie(learn, gamma, eps1, m, rho, ties="random"):
    """A spec of delayed-q-ie."""
    params = dict(gamma=gamma, eps1=eps1, m=m, rho=rho, learn=learn, ties=ties)
    return spec_string("delayed-q-ie", params)


def directed_flag_cases():
    """{interval, full} x {2009, printed} x {clamp on, off}."""
    for delay in ("interval", "full"):
        for learn in ("2009", "printed"):
            for clamp in ("on", "off"):
                name = f"directed-{delay}-{learn}-clamp-{clamp}"
                spec = directed(delay, learn, clamp, lam=2.0, m=3, gamma=0.8)
                yield case(name, "4x2 sto 180", spec, RAISES if clamp == "off" else LEARNS)


def directed_number_cases():
    """The ranges of the numeric parameters."""
    for name, problem, spec in (
        ("lambda-zero", "4x2 sto 160", directed(lam=0.0)),
        ("lambda-zero-full", "3x2 det 160", directed("full", lam=0.0, m=2)),
        ("lambda-small", "3x3 sto 160", directed(lam=0.05)),
        ("lambda-large", "3x2 sto 180", directed(lam=10.0)),
        ("gamma-e-zero", "3x2 sto 150", directed(gamma_e=0.0)),
        ("gamma-e-quarter", "4x2 sto 160", directed("full", gamma_e=0.25, m=2)),
        ("gamma-e-99", "4x3 sto 180", directed(gamma_e=0.99, lam=3.0)),
        ("m-1", "4x2 det 150", directed(m=1, rho=0.2)),
        ("m-1-full-printed", "3x2 sto 150", directed("full", "printed", m=1)),
        ("m-20", "2x2 sto 300", directed(m=20, rho=0.8)),
        ("m-20-full", "2x2 det 300", directed("full", m=20, eps1=0.05)),
        ("e0-below-eta", "3x2 sto 150", directed(e0=0.6, eta=0.95)),
        ("rho-zero", "4x2 det 150", directed(rho=0.0, m=2)),
    ):
        yield case("directed-" + name, problem, spec)


def directed_rising_cases():
    """Without the clamp: values that rise."""
    off = dict(clamp="off")
    for name, problem, spec in (
        ("lambda-large", "5x2 sto 180", directed(lam=10.0, m=2, **off)),
        ("gamma-e-99", "3x2 sto 200", directed("full", gamma_e=0.99, lam=3.0, m=3, **off)),
        ("e0-below-eta", "4x2 sto 180", directed("full", e0=0.3, eta=0.7, lam=4.0, m=2, **off)),
        (
            "ends-printed",
            "4x2 sto 160 ends=0.2 rmin=-2 rmax=1",
            directed("interval", "printed", lam=4.0, m=3, **off),
        ),
    ):
        yield case(f"directed-{name}-clamp-off", problem, spec, RAISES)


def directed_reading_cases():
    """What is not printed: E learned at visits, the bonus lambda sqrt(E), other thresholds."""
    visit = dict(e_rule="visit", alpha_e=0.0625)
    root = {**visit, "bonus": "sqrt"}
    ends = "4x2 sto 180 ends=0.2"
    for name, problem, spec in (
        ("visit", "4x2 sto 180", directed(lam=2.0, m=3, **visit)),
        ("visit-printed", "4x2 sto 180", directed(learn="printed", clamp="off", m=3, **visit)),
        ("visit-full", "3x3 sto 200", directed("full", lam=2.0, m=2, **visit)),
        ("visit-sqrt", "4x2 sto 180", directed(clamp="off", lam=2.0, m=3, **root)),
        ("visit-sqrt-ends", ends, directed("full", "printed", m=2, **root)),
        ("sqrt", "4x2 sto 180", directed(lam=2.0, m=3, bonus="sqrt")),
        ("sqrt-full", "4x3 sto 180", directed("full", clamp="off", lam=3.0, m=2, bonus="sqrt")),
        ("threshold", "4x2 sto 180", directed(lam=2.0, m=3, threshold=0.03125)),
    ):
        spec = spec.replace("eta=0.9,", "") if "bonus=sqrt" in spec else spec
        yield case("directed-" + name, problem, spec)
    rises = directed(clamp="off", lam=1.0, m=2, threshold=-0.25)
    yield case("directed-threshold-negative", "4x2 sto 180", rises, ("success", "Q raised"))
    rises = directed(learn="printed", clamp="off", m=1, threshold=-0.5, **visit)
    yield case("directed-visit-threshold", "4x2 sto 180", rises, ("success", "Q raised"))


def directed_problem_cases():
    """Ends of episodes, reward ranges, ties, one action."""
    for name, problem, spec in (
        ("ends", "4x2 sto 160 ends=0.25", directed(m=2)),
        ("ends-negative", "4x2 sto 160 ends=0.3 rmin=-1 rmax=0.5", directed("full", m=2, lam=2.0)),
        ("rmin-positive", "3x2 sto 150 rmin=0.25 rmax=2", directed(ties="lowest")),
        ("rmax-negative", "3x4 sto 150 ends=0.2 rmin=-1.5 rmax=-0.25", directed(ties="highest")),
        ("one-action", "6x1 sto 160", directed(m=3)),
        ("truncated", "5x2 det 150 cut=0.1", directed(m=3)),
    ):
        yield case("directed-" + name, problem, spec)


def delayed_cases():
    """delayed-q, both forms."""
    ends = "4x2 sto 160 ends=0.2 rmin=-1 rmax=1"
    for form in ("2009", "2006"):
        name = f"delayed-{form}"
        yield case(name + "-m-1", "4x2 sto 150", delayed(form, 0.9, 0.05, 1))
        yield case(name + "-m-2", "3x3 det 150", delayed(form, 0.8, 0.08, 2, "lowest"))
        yield case(name + "-m-5", "3x2 sto 200", delayed(form, 0.9, 0.15, 5))
        yield case(name + "-ends", ends, delayed(form, 0.9, 0.1, 2, "highest"))
    yield case("delayed-2009-m-20", "2x2 sto 300", delayed("2009", 0.7, 0.05, 20))


def delayed_ie_cases():
    """delayed-q-ie, both LEARN rules."""
    ends = "4x2 sto 160 ends=0.2 rmin=-0.5 rmax=1.5"
    for learn in ("2009", "printed"):
        name = f"ie-{learn}"
        yield case(name + "-m-1", "3x3 det 150", delayed_ie(learn, 0.9, 0.1, 1, 0.1))
        yield case(name + "-m-5", "4x2 sto 180", delayed_ie(learn, 0.9, 0.1, 5, 0.4))
        yield case(name + "-ends", ends, delayed_ie(learn, 0.85, 0.12, 3, 0.3))
    yield case("ie-2009-m-20", "2x2 sto 300", delayed_ie("2009", 0.8, 0.06, 20, 0.9, "lowest"))


def q_learning_cases():
    """q-learning: schedules, step sizes, softmax, optimism."""
    plain = "explore=epsilon,epsilon=0.2,decay=none,ties=random"
    linear = "explore=epsilon,epsilon=0.9,decay=linear,epsilon_end=0.05,decay_steps=100,ties=random"
    state = "explore=epsilon,decay=state,c=2.5,ties=random"
    soft = "explore=softmax,temperature=0.15"
    negative = "4x2 sto 150 ends=0.2 rmin=-1 rmax=2"
    for name, problem, spec in (
        ("constant", "4x2 sto 150", "gamma=0.9,q0=0.0,step=constant,alpha=0.3," + plain),
        ("linear", "4x3 sto 150", "gamma=0.95,q0=0.5,step=constant,alpha=0.1," + linear),
        (
            "state",
            "5x2 sto 150 ends=0.1",
            "gamma=0.9,q0=0,step=polynomial,omega=0.8,offset=0," + state,
        ),
        ("polynomial", negative, "gamma=0.9,q0=2.0,step=polynomial,omega=0.6,offset=1," + plain),
        ("softmax", "4x4 sto 150", "gamma=0.9,q0=0,step=polynomial,omega=1.0,offset=2," + soft),
    ):
        yield case("q-" + name, problem, "q-learning:" + spec, ())
    greedy = (
        "q-learning:gamma=0.9,q0=10,step=constant,alpha=0.5,explore=epsilon,epsilon=0,decay=none"
    )
    yield case("q-optimistic-random", "4x3 sto 150 ends=0.15 cut=0.05", greedy + ",ties=random", ())
    yield case("q-optimistic-lowest", "4x3 det 150", greedy + ",ties=lowest", ())
    yield case("q-optimistic-highest", "4x3 det 150 ends=0.15", greedy + ",ties=highest", ())


def absent_cases():
    """States that are absent: first, in the middle, last; S is in the theory's m."""
    holes, ends = "7x2 sto 160 absent=0,3,6", "6x2 sto 160 ends=0.25 absent=1..2,5"
    yield case("directed-absent", holes, directed(m=3, lam=2.0))
    yield case("directed-absent-ends", ends, directed("full", m=2, lam=2.0))
    lucky = "4x1 det 300 absent=0,2"
    theory = "preset=theory,gamma=0.1,eps=6,delta=0.5,ties=lowest"
    for delay in ("interval", "full"):
        spec = f"directed-delayed-q:{theory},delay={delay},learn=2009,clamp=on"
        yield case(f"directed-absent-theory-{delay}", lucky, spec, ("success",))
    yield case("delayed-absent-theory", lucky, f"delayed-q:{theory},form=2009", ("success",))
    yield case("ie-absent-theory", lucky, f"delayed-q-ie:{theory},learn=2009", ("success",))


def all_cases():
    """Every case, in the order of the table that is printed."""
    groups = (
        directed_flag_cases,
        directed_number_cases,
        directed_rising_cases,
        directed_reading_cases,
        directed_problem_cases,
        delayed_cases,
        delayed_ie_cases,
        q_learning_cases,
        absent_cases,
    )
    return [c for group in groups for c in group()]
