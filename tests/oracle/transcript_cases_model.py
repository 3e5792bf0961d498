"""The cases of transcripts_model.py: an agent, a kind of random problem, what must happen.

A problem is written as in transcript_cases.py, with one more word: `continuing`, where no episode
ends and the agent is told so.  Where numbers are drawn (psrl, rlsvi) ties settle without a draw.
"""

from collections import namedtuple

from transcript_cases import FIELDS, details

Case = namedtuple("Case", FIELDS + " episodic")

TOL = "tol=1e-13"


def case(name, problem, spec, *needs):
    """A Case from the description of its problem."""
    shape, kind, steps, *rest = problem.split()
    states, actions = shape.split("x")
    words = details(word for word in rest if word != "continuing")
    words["episodic"] = "continuing" not in rest
    return Case("model-" + name, spec, int(states), int(actions), kind, int(steps), needs, **words)


CONTINUING = "4x2 sto 100 continuing"
ENDS = "4x2 sto 100 ends=0.2"
NEGATIVE = "4x2 sto 100 ends=0.2 rmin=-1 rmax=0.5"
BELOW = "3x3 sto 100 ends=0.2 rmin=-1.5 rmax=-0.25"
ABOVE = "3x3 sto 100 continuing rmin=0.5 rmax=2"
CUT = "4x2 sto 100 continuing cut=0.1"
NEVER = "4x2 sto 100"  # an end is possible, but none happens


def r_max_cases():
    """r-max and v-max."""
    for rest in (f"plan=full,{TOL}", "plan=rtdp,eps1=0.02"):
        name = "r-max-" + rest[5:9]
        yield case(name, CONTINUING, f"r-max:gamma=0.9,m=3,{rest},ties=random")
        yield case(name + "-ends", ENDS, f"r-max:gamma=0.8,m=2,{rest},ties=random")
        yield case(name + "-negative", NEGATIVE, f"r-max:gamma=0.9,m=1,{rest},ties=lowest")
        yield case(name + "-below", BELOW, f"r-max:gamma=0.7,m=4,{rest},ties=highest")
        yield case(name + "-above", ABOVE, f"r-max:gamma=0.95,m=3,{rest},ties=random")
    yield case("r-max-cut", CUT, f"r-max:gamma=0.9,m=2,plan=full,{TOL},ties=random")
    small = "2x1 sto 300 ends=0.2"
    theory = "preset=theory,eps=1.4,delta=0.9,gamma=0.3"
    yield case("r-max-theory", small, f"r-max:{theory},plan=full,{TOL},ties=lowest")
    rtdp = "3x2 sto 100 ends=0.1"
    rest = "preset=theory,eps=0.9,delta=0.3,gamma=0.8,m=3,plan=rtdp"
    yield case("r-max-rtdp-theory", rtdp, f"r-max:{rest},ties=lowest")
    yield case("v-max", CONTINUING, f"v-max:gamma=0.9,m=10,{TOL},ties=random")
    yield case("v-max-ends", ENDS, f"v-max:gamma=0.8,m=4,{TOL},ties=random")
    yield case("v-max-negative", NEGATIVE, f"v-max:gamma=0.9,m=1,{TOL},ties=lowest")
    yield case("v-max-below", BELOW, f"v-max:gamma=0.95,m=30,{TOL},ties=highest")
    yield case("v-max-theory", ENDS, f"v-max:preset=theory,eps=2,delta=0.1,gamma=0.6,{TOL}")


def interval_cases():
    """mbie and mbie-eb."""
    for name, problem, spec in (
        ("mbie", CONTINUING, "gamma=0.9,a=0.3,b=0.4,m=1000000,replan=1"),
        ("mbie-rare", "3x2 sto 200 continuing", "gamma=0.9,a=0.1,b=0.2,m=1000000,replan=1.5"),
        ("mbie-ends", ENDS, "gamma=0.8,a=0.2,b=0.6,m=8,replan=1"),
        ("mbie-wide", "4x2 sto 80 ends=0.1", "gamma=0.7,a=0.1,b=2.5,m=1000000,replan=1.1"),
        ("mbie-negative", NEGATIVE, "gamma=0.9,a=0.3,b=0,m=1000000,replan=1.1"),
        ("mbie-below", BELOW, "gamma=0.9,a=0,b=0.5,m=5,replan=2"),
        ("mbie-above", ABOVE, "gamma=0.5,a=0.4,b=0.3,m=1000000,replan=1"),
        ("mbie-never", NEVER, "gamma=0.9,a=0.1,b=0.3,m=1000000,replan=1.1"),
        ("mbie-eb", CONTINUING, "gamma=0.9,beta=0.4,m=1000000,replan=1"),
        ("mbie-eb-rare", "3x2 sto 200 continuing", "gamma=0.9,beta=0.3,m=1000000,replan=1.5"),
        ("mbie-eb-ends", ENDS, "gamma=0.8,beta=1.5,m=6,replan=1"),
        ("mbie-eb-negative", NEGATIVE, "gamma=0.9,beta=0.2,m=1000000,replan=1.1"),
        ("mbie-eb-below", BELOW, "gamma=0.95,beta=0,m=3,replan=1"),
        ("mbie-eb-cut", CUT, "gamma=0.9,beta=3,m=1000000,replan=1.1"),
    ):
        agent = "mbie-eb" if name.startswith("mbie-eb") else "mbie"
        yield case(name, problem, f"{agent}:{spec},{TOL},ties=random")
    theory = "preset=theory,eps=0.5,delta=0.1,gamma=0.6"
    yield case("mbie-theory", "3x1 sto 300 ends=0.1", f"mbie:{theory},m=120,{TOL},ties=lowest")
    yield case("mbie-eb-theory", "3x1 sto 300", f"mbie-eb:{theory},m=120,{TOL},ties=lowest")


def bonus_cases():
    """beb and oim."""
    for name, problem, spec in (
        ("beb", CONTINUING, "gamma=0.9,beta=2,prior=0,m=1000000,replan=1"),
        ("beb-prior", CONTINUING, "gamma=0.9,beta=1,prior=1,m=1000000,replan=1.1"),
        ("beb-ends", ENDS, "gamma=0.8,beta=0.5,prior=2.5,m=7,replan=1"),
        ("beb-negative", NEGATIVE, "gamma=0.9,beta=3,prior=0.5,m=1000000,replan=1.3"),
        ("beb-below", BELOW, "gamma=0.9,beta=0,prior=1,m=4,replan=1"),
        ("beb-cut", CUT, "gamma=0.95,beta=1,prior=0,m=1000000,replan=1.1"),
        ("beb-theory", ENDS, "preset=theory,eps=1.5,gamma=0.5"),
        ("oim", CONTINUING, "gamma=0.9,ve=3,replan=1"),
        ("oim-rare", "3x2 sto 200 continuing", "gamma=0.9,ve=1,replan=1.5"),
        ("oim-ends", ENDS, "gamma=0.8,ve=0.5,replan=1"),
        ("oim-negative", NEGATIVE, "gamma=0.9,ve=20,replan=1.1"),
        ("oim-below", BELOW, "gamma=0.95,ve=5,replan=1.1"),
        ("oim-above", ABOVE, "gamma=0.5,ve=2,replan=1"),
    ):
        agent = name[:3]
        yield case(name, problem, f"{agent}:{spec},{TOL},ties=random")


def mormax_cases():
    """mormax."""
    events = ("dropped", "renewed")
    for name, problem, spec in (
        ("", "3x2 sto 150 continuing", "gamma=0.9,m=3,eps1=0.05"),
        ("-ends", "3x2 sto 150 ends=0.2", "gamma=0.8,m=2,eps1=0.01"),
        ("-negative", "3x2 sto 150 ends=0.2 rmin=-1 rmax=0.5", "gamma=0.9,m=4,eps1=0.1"),
        ("-below", "3x3 sto 150 ends=0.2 rmin=-1.5 rmax=-0.25", "gamma=0.7,m=2,eps1=0.002"),
        ("-cut", "3x2 sto 150 continuing cut=0.1", "gamma=0.95,m=5,eps1=0.05"),
        ("-theory", "3x2 sto 150", "preset=theory,eps=0.2,gamma=0.9,m=3"),
    ):
        yield case("mormax" + name, problem, f"mormax:{spec},{TOL},ties=random", *events)
    spec = f"mormax:gamma=0.9,m=2,eps1=0.02,{TOL},ties=random"
    yield case("mormax-det", "3x2 det 120 continuing", spec, "same row")


def e3_cases():
    """e3."""
    events = ("explore", "exploit")
    for name, problem, spec in (
        ("", "6x2 sto 200 continuing", "gamma=0.9,m=3,horizon=3,theta=0.3,freeze=off"),
        ("-freeze", "6x2 sto 200 continuing", "gamma=0.9,m=2,horizon=4,theta=0.2,freeze=on"),
        ("-ends", "4x2 sto 150 ends=0.2", "gamma=0.8,m=2,horizon=3,theta=0.25,freeze=off"),
        ("-long", "5x2 sto 150 ends=0.2", "gamma=0.8,m=2,horizon=12,theta=0.05,freeze=off"),
        ("-one", "4x2 sto 150 continuing", "gamma=0.95,m=1,horizon=1,theta=0.1,freeze=on"),
        ("-negative", NEGATIVE, "gamma=0.9,m=2,horizon=5,theta=0.3,freeze=on"),
        ("-below", BELOW, "gamma=0.7,m=3,horizon=2,theta=0.4,freeze=off"),
        ("-cut", "5x2 sto 180 continuing cut=0.15", "gamma=0.9,m=3,horizon=4,theta=0.3,freeze=off"),
        ("-theory", ENDS, "preset=theory,eps=1.2,delta=0.1,gamma=0.7,m=2"),
    ):
        yield case("e3" + name, problem, f"e3:{spec},{TOL},ties=random", *events)
    spec = f"e3:gamma=0.9,m=2,horizon=3,theta=0.3,freeze=off,{TOL},ties=highest"
    yield case("e3-highest", "3x3 sto 150 continuing", spec)


def ucrl_cases():
    """ucrl2 and ucrl-gamma."""
    for name, problem, spec in (
        ("", "3x2 sto 200 continuing", "delta=0.1,scale=0.1"),
        ("-small", "4x2 sto 200 continuing", "delta=0.05,scale=0.02"),
        ("-wide", "3x2 sto 60 continuing", "preset=theory,delta=0.1"),
        ("-ends", "3x2 sto 200 ends=0.25", "delta=0.1,scale=0.08"),
        ("-negative", "3x3 sto 200 ends=0.25 rmin=-1 rmax=0.5", "delta=0.2,scale=0.05"),
        ("-cut", "3x2 sto 200 continuing cut=0.1", "delta=0.1,scale=0.03"),
        ("-above", "3x2 sto 200 continuing rmin=0.5 rmax=2", "delta=0.1,scale=0.01"),
        ("-restarts", "5x2 sto 200 continuing cut=0.5", "delta=0.1,scale=0.03"),
    ):
        yield case("ucrl2" + name, problem, f"ucrl2:{spec},ties=random")
    for name, problem, spec in (
        ("", CONTINUING, "gamma=0.9,l1=0.1,a=0.1,batch=1,delay=0"),
        ("-wide", CONTINUING, "gamma=0.9,l1=0.8,a=0.3,batch=1,delay=0"),
        ("-ends", ENDS, "gamma=0.8,l1=0.3,a=0.2,batch=3,delay=0"),
        ("-delay", ENDS, "gamma=0.8,l1=0.3,a=0.2,batch=2,delay=4"),
        ("-delay-1", CUT, "gamma=0.9,l1=0.2,a=0.1,batch=1,delay=1"),
        ("-negative", NEGATIVE, "gamma=0.9,l1=0.05,a=0.05,batch=1,delay=0"),
        ("-below", BELOW, "gamma=0.95,l1=0,a=0,batch=2,delay=2"),
        ("-never", NEVER, "gamma=0.9,l1=0.4,a=0.1,batch=1,delay=0"),
        ("-theory", "2x2 sto 150", "preset=theory,eps=0.4,delta=0.1,gamma=0.8,batch=20,delay=3"),
    ):
        yield case("ucrl-gamma" + name, problem, f"ucrl-gamma:{spec},{TOL},ties=random")


def sampling_cases():
    """psrl and rlsvi."""
    for name, problem, spec in (
        ("", CONTINUING, "prior=1,mu0=0,sp=1,sn=0.5,resample=geometric"),
        ("-ends", ENDS, "prior=2.5,mu0=0.5,sp=0.5,sn=0.3,resample=fixed,tau=3"),
        ("-tsde", CONTINUING, "prior=1,mu0=0,sp=1,sn=0.5,resample=tsde"),
        ("-tsde-det", "2x1 det 80 continuing", "prior=0.5,mu0=0,sp=1,sn=0.5,resample=tsde"),
        ("-negative", NEGATIVE, "prior=0.3,mu0=-1,sp=2,sn=1,resample=geometric"),
        ("-below", BELOW, "prior=8,mu0=-0.5,sp=0.25,sn=0.5,resample=tsde"),
        ("-tiny-prior", CONTINUING, "prior=0.01,mu0=0,sp=1,sn=0.5,resample=fixed,tau=5"),
        ("-wide", "20x2 sto 60", "prior=1,mu0=0,sp=1,sn=0.5,resample=fixed,tau=7"),
        ("-no-prior", CONTINUING, "prior=0,mu0=0,sp=1,sn=0.5,resample=fixed,tau=4"),
    ):
        yield case("psrl" + name, problem, f"psrl:gamma=0.85,{spec},{TOL},ties=lowest")
    for name, problem, spec in (
        ("", CONTINUING, "gamma=0.9,sp=10,sn=0.5,resample=geometric"),
        ("-ends", ENDS, "gamma=0.8,sp=3,sn=1,resample=fixed,tau=3"),
        ("-tsde", "3x3 sto 120 continuing", "gamma=0.9,sp=5,sn=0.2,resample=tsde"),
        ("-negative", NEGATIVE, "gamma=0.9,sp=1,sn=0.5,resample=geometric"),
        ("-below", BELOW, "gamma=0.95,sp=20,sn=2,resample=fixed,tau=1"),
        ("-above", ABOVE, "gamma=0.5,sp=2,sn=0.5,resample=tsde"),
    ):
        yield case("rlsvi" + name, problem, f"rlsvi:{spec},{TOL},ties=lowest")


# where absent states are: everywhere, first, in the middle, last; and with one action, for theory
PLACES = {
    "holes": "7x2 sto 100 continuing absent=0,3,6",
    "first": "6x2 sto 100 ends=0.2 absent=0..1",
    "middle": "6x2 sto 100 ends=0.2 rmin=-1 rmax=0.5 absent=2..3",
    "last": "6x2 sto 100 ends=0.2 absent=1,4..5",
    "theory": "5x1 sto 300 ends=0.2 absent=0,2,4",
    "wide": "24x2 sto 60 ends=0.1 absent=0..1,7,13,22..23",
}

# place | agent, but for its tol and ties
ABSENT = """
holes  | r-max:gamma=0.9,m=3,plan=full
last   | r-max:gamma=0.8,m=2,plan=full
middle | r-max:gamma=0.9,m=2,plan=rtdp,eps1=0.02
theory | r-max:preset=theory,eps=1.4,delta=0.9,gamma=0.3,plan=full
holes  | v-max:gamma=0.9,m=10
first  | v-max:gamma=0.8,m=4
theory | v-max:preset=theory,eps=2,delta=0.1,gamma=0.6
holes  | mbie:gamma=0.9,a=0.3,b=0.4,m=1000000,replan=1
middle | mbie:gamma=0.9,a=0.3,b=0.2,m=1000000,replan=1.1
last   | mbie:gamma=0.8,a=0.2,b=0.6,m=8,replan=1
theory | mbie:preset=theory,eps=0.5,delta=0.1,gamma=0.6,m=120
holes  | mbie-eb:gamma=0.9,beta=0.4,m=1000000,replan=1
first  | mbie-eb:gamma=0.8,beta=1.5,m=6,replan=1
theory | mbie-eb:preset=theory,eps=0.5,delta=0.1,gamma=0.6,m=120
holes  | beb:gamma=0.9,beta=1,prior=1,m=1000000,replan=1.1
middle | beb:gamma=0.9,beta=3,prior=0.5,m=1000000,replan=1.3
last   | beb:gamma=0.8,beta=0.5,prior=2.5,m=7,replan=1
first  | beb:preset=theory,eps=1.5,gamma=0.5
holes  | oim:gamma=0.9,ve=3,replan=1
last   | oim:gamma=0.8,ve=0.5,replan=1
holes  | mormax:gamma=0.9,m=3,eps1=0.05
first  | mormax:gamma=0.8,m=2,eps1=0.01
theory | mormax:preset=theory,eps=20,delta=0.5,gamma=0.1
holes  | e3:gamma=0.9,m=3,horizon=3,theta=0.3,freeze=off
last   | e3:gamma=0.8,m=2,horizon=3,theta=0.25,freeze=off
theory | e3:preset=theory,eps=1.4,delta=0.9,gamma=0.3
holes  | ucrl2:delta=0.1,scale=0.1
first  | ucrl2:delta=0.1,scale=0.08
middle | ucrl2:delta=0.2,scale=0.05
last   | ucrl2:delta=0.1,scale=0.03
theory | ucrl2:preset=theory,delta=0.5
holes  | ucrl-gamma:gamma=0.9,l1=0.4,a=0.1,batch=1,delay=0
middle | ucrl-gamma:gamma=0.9,l1=0.05,a=0.05,batch=1,delay=0
last   | ucrl-gamma:gamma=0.8,l1=0.3,a=0.2,batch=2,delay=4
theory | ucrl-gamma:preset=theory,eps=0.4,delta=0.1,gamma=0.8,batch=20,delay=3
holes  | psrl:gamma=0.85,prior=1,mu0=0,sp=1,sn=0.5,resample=geometric
first  | psrl:gamma=0.85,prior=2.5,mu0=0.5,sp=0.5,sn=0.3,resample=fixed,tau=3
middle | psrl:gamma=0.85,prior=0,mu0=-1,sp=2,sn=1,resample=tsde
last   | psrl:gamma=0.85,prior=0,mu0=0,sp=1,sn=0.5,resample=fixed,tau=4
wide   | psrl:gamma=0.85,prior=1,mu0=0,sp=1,sn=0.5,resample=fixed,tau=7
holes  | rlsvi:gamma=0.9,sp=10,sn=0.5,resample=geometric
middle | rlsvi:gamma=0.9,sp=1,sn=0.5,resample=tsde
last   | rlsvi:gamma=0.8,sp=3,sn=1,resample=fixed,tau=3
"""


def absent_cases():
    """States that are absent."""
    for line in ABSENT.strip().splitlines():
        place, spec = line.split("|")
        place, spec = place.strip(), spec.strip()
        agent = spec.partition(":")[0]
        tol = "" if agent == "ucrl2" or "plan=rtdp" in spec else f",{TOL}"
        ties = "lowest" if agent in ("psrl", "rlsvi") else "random"
        yield case(f"{agent}-absent-{place}", PLACES[place], f"{spec}{tol},ties={ties}")


def all_cases():
    """Every case, in the order of the table that is printed."""
    groups = (
        r_max_cases,
        interval_cases,
        bonus_cases,
        mormax_cases,
        e3_cases,
        ucrl_cases,
        sampling_cases,
        absent_cases,
    )
    return [c for group in groups for c in group()]
