"""The cases of transcripts_bonus.py: count-q, dora, ucb-q, speedy-q, bayes-q.

Problems are written as in transcript_cases.py, with two more words: `flat`, a stochastic problem
without rewards, where ties abound; and `endless`, a problem that the agent is told never ends (its
range of rewards is not widened to contain 0).  The specs name every key that applies, except where
a documented default is what is tested.
"""

from transcript_cases import case

ENDS = "4x2 sto 120 ends=0.2 rmin=-1 rmax=1"
NEGATIVE = "3x3 sto 120 ends=0.2 rmin=-1.5 rmax=-0.25"
SHIFTED = "3x2 sto 120 rmin=0.25 rmax=2"
CUT = "4x2 sto 120 cut=0.15"
FLAT = "3x5 flat 100"


def cases(agent, rows):
    """Cases from rows (name, problem, keys, needed events)."""
    for name, problem, keys, *needs in rows:
        endless = problem.endswith(" endless")
        made = case(f"{agent}-{name}", problem.removesuffix(" endless"), f"{agent}:{keys}", needs)
        yield made, endless


def count_q():
    """place x decay x step, the ceiling, the default q0."""
    target, choice = "gamma=0.9,place=target,", "gamma=0.8,place=choice,"
    constant = "step=constant,alpha=0.3,"
    return cases(
        "count-q",
        (
            (
                "target",
                "4x2 sto 120",
                target + "beta=0.3,decay=sqrt,step=horizon,ties=random",
                "clipped",
                "tie",
            ),
            (
                "target-linear",
                "4x3 det 120",
                target + f"beta=1,decay=linear,{constant}q0=3,ties=lowest",
            ),
            ("target-constant", CUT, target + f"beta=0.5,decay=sqrt,{constant}q0=10,ties=highest"),
            ("target-ends", ENDS, target + "beta=0.2,decay=linear,step=horizon,q0=0,ties=random"),
            ("target-negative", NEGATIVE, target + "beta=0.4,decay=sqrt,step=horizon,ties=random"),
            (
                "target-endless",
                NEGATIVE.replace("ends=0.2 ", "") + " endless",
                target + "beta=0.4,decay=sqrt,step=horizon,ties=random",
                "clipped",
            ),
            (
                "target-one-action",
                "5x1 sto 60",
                target + "beta=0.3,decay=sqrt,step=horizon,ties=random",
            ),
            (
                "choice",
                "4x3 sto 120",
                choice + "beta=0.5,decay=sqrt,step=horizon,ties=random",
                "tie",
            ),
            (
                "choice-linear",
                "4x2 sto 120",
                choice + "beta=2,decay=linear,step=horizon,q0=1,ties=highest",
            ),
            ("choice-constant", SHIFTED, choice + f"beta=1,decay=sqrt,{constant}q0=-1,ties=lowest"),
            ("choice-ends", ENDS, choice + f"beta=1,decay=linear,{constant}ties=random"),
            ("choice-zero", CUT, choice + "beta=0,decay=sqrt,step=horizon,ties=random", "tie"),
            (
                "choice-flat",
                FLAT,
                choice + "beta=1,decay=sqrt,step=horizon,ties=random",
                "tie, then better",
            ),
            (
                "choice-flat-highest",
                FLAT,
                choice + "beta=1,decay=sqrt,step=horizon,ties=highest",
                "tie, then better",
            ),
        ),
    )


def dora():
    """rule x place, both decays, ends of the ranges."""
    rates = "gamma=0.9,alpha=0.2,alpha_e=0.3,gamma_e=0.9,"
    counting = "gamma=0.9,alpha=0.2,alpha_e=0.1,gamma_e=0,"
    slow = "gamma=0.95,alpha=0.1,alpha_e=0.5,gamma_e=0.99,"
    soft, eps = "temperature=0.3,", "epsilon=0.25,"
    none = "beta=0,decay=sqrt,"
    root, linear = "beta=0.4,decay=sqrt,", "beta=0.4,decay=linear,"
    return cases(
        "dora",
        (
            (
                "lll-softmax",
                "4x2 sto 120",
                f"rule=lll-softmax,{rates}{none}{soft}q0=0,ties=random",
                "tie",
                "E raised",
            ),
            ("lll-softmax-bonus", ENDS, f"rule=lll-softmax,{rates}{root}{soft}q0=1,ties=lowest"),
            (
                "lll-softmax-linear",
                CUT,
                f"rule=lll-softmax,{counting}{linear}{soft}q0=0,ties=highest",
            ),
            (
                "lll-softmax-counts",
                "3x4 sto 150",
                f"rule=lll-softmax,{counting}{none}{soft}q0=0,ties=random",
                "tie",
            ),
            (
                "lll-epsilon",
                "4x2 sto 120",
                f"rule=lll-epsilon,{rates}{none}{eps}q0=0,ties=random",
                "tie",
            ),
            (
                "lll-epsilon-counts",
                "3x4 sto 150 ends=0.1",
                f"rule=lll-epsilon,{counting}{none}{eps}q0=0,ties=random",
                "tie",
            ),
            (
                "lll-epsilon-zero",
                NEGATIVE,
                f"rule=lll-epsilon,{rates}{linear}epsilon=0,q0=0,ties=highest",
            ),
            (
                "lll-epsilon-one",
                "3x3 sto 120",
                f"rule=lll-epsilon,{rates}{none}epsilon=1,q0=0,ties=random",
            ),
            (
                "softmax-choice",
                "4x3 sto 120",
                f"rule=softmax,place=choice,{rates}{root}{soft}q0=0,ties=random",
                "tie",
            ),
            (
                "softmax-choice-ends",
                ENDS,
                f"rule=softmax,place=choice,{rates}beta=1,decay=linear,{soft}q0=0,ties=lowest",
            ),
            ("softmax-target", CUT, f"rule=softmax,place=target,{rates}{root}{soft}q0=0"),
            (
                "softmax-target-counts",
                "4x2 sto 120 ends=0.2",
                f"rule=softmax,place=target,{counting}{linear}{soft}q0=2",
            ),
            (
                "epsilon-choice",
                "4x3 sto 120",
                f"rule=epsilon,place=choice,{rates}{root}{eps}q0=0,ties=random",
                "tie",
            ),
            (
                "epsilon-choice-ends",
                ENDS,
                f"rule=epsilon,place=choice,{counting}beta=1,decay=linear,{eps}q0=0,ties=highest",
            ),
            (
                "epsilon-choice-cut",
                CUT,
                f"rule=epsilon,place=choice,{counting}beta=1,decay=sqrt,epsilon=0,q0=0,ties=random",
                "tie",
            ),
            (
                "epsilon-target",
                NEGATIVE,
                f"rule=epsilon,place=target,{rates}{root}{eps}q0=0,ties=random",
                "tie",
            ),
            (
                "epsilon-target-linear",
                SHIFTED,
                f"rule=epsilon,place=target,{rates}{linear}{eps}q0=0,ties=lowest",
            ),
            (
                "gamma-e-99",
                "5x2 sto 150",
                f"rule=lll-softmax,{slow}{none}temperature=0.5,q0=0,ties=random",
                "E raised",
            ),
            (
                "one-action",
                "5x1 sto 60 ends=0.2",
                f"rule=lll-softmax,{rates}{root}{soft}q0=0,ties=random",
            ),
            (
                "lll-softmax-flat",
                FLAT,
                f"rule=lll-softmax,{counting}{none}{soft}q0=0,ties=random",
                "tie, then better",
            ),
            (
                "lll-epsilon-flat",
                FLAT,
                f"rule=lll-epsilon,{counting}{none}{eps}q0=0,ties=random",
                "tie, then better",
            ),
            (
                "softmax-choice-flat",
                FLAT,
                f"rule=softmax,place=choice,{counting}{root}{soft}q0=0,ties=random",
                "tie",
            ),
            (
                "epsilon-choice-flat",
                FLAT,
                f"rule=epsilon,place=choice,{counting}{root}{eps}q0=0,ties=random",
                "tie, then better",
            ),
            (
                "epsilon-target-flat",
                FLAT,
                f"rule=epsilon,place=target,{rates}{none}{eps}q0=0,ties=random",
                "tie",
            ),
            (
                "lll-softmax-uniform",
                "3x3 sto 120",
                f"rule=lll-softmax,{counting}{none}temperature=inf,q0=0,ties=random",
                "tie",
            ),
            (
                "softmax-uniform",
                "3x3 sto 80",
                f"rule=softmax,place=choice,{rates}{root}temperature=inf,q0=0,ties=random",
                "tie",
            ),
        ),
    )


def ucb_q():
    """c, h, the logarithm, the presets' defaults."""
    return cases(
        "ucb-q",
        (
            (
                "plain",
                "4x2 sto 150",
                "gamma=0.9,c=0.05,h=10,log=off,ties=random",
                "tie",
                "kept",
                "lowered",
            ),
            ("h-2", "4x3 det 120", "gamma=0.8,c=0.1,h=2,log=off,ties=lowest", "kept", "lowered"),
            (
                "log",
                "4x2 sto 150",
                "gamma=0.8,c=0.02,h=3.5,log=on,delta=0.05,ties=random",
                "kept",
                "lowered",
            ),
            ("defaults", "3x2 sto 200", "gamma=0.8,ties=random", "kept", "lowered"),
            (
                "defaults-practical",
                "3x2 sto 200 ends=0.2",
                "preset=practical,gamma=0.85,ties=highest",
                "lowered",
            ),
            (
                "log-absent",
                "7x2 sto 150 absent=0,3..4 endless",
                "gamma=0.8,c=0.02,h=3.5,log=on,delta=0.05,ties=random",
                "kept",
                "lowered",
            ),
            (
                "log-absent-ends",
                "5x2 sto 150 ends=0.2 absent=1,4",
                "gamma=0.8,c=0.03,h=4,log=on,delta=0.1,ties=random",
                "kept",
                "lowered",
            ),
            (
                "theory-absent",
                "5x2 sto 150 ends=0.2 absent=0,4",
                "preset=theory,gamma=0.8,eps=0.3,delta=0.2,c=0.002,ties=random",
                "kept",
                "lowered",
            ),
            ("theory", "3x2 sto 40", "preset=theory,gamma=0.9,ties=random", "kept"),
            (
                "theory-c",
                "3x2 sto 150",
                "preset=theory,gamma=0.8,eps=0.3,delta=0.2,c=0.002,ties=random",
                "kept",
                "lowered",
            ),
            (
                "theory-c-range",
                "3x2 sto 150 ends=0.2 rmin=-2 rmax=3",
                "preset=theory,gamma=0.7,c=0.003,ties=random",
                "kept",
                "lowered",
            ),
            ("ends", ENDS, "gamma=0.9,c=0.05,h=5,log=off,ties=random", "lowered"),
            ("negative", NEGATIVE, "gamma=0.9,c=0.05,h=5,log=on,delta=0.1,ties=highest", "lowered"),
            ("shifted", SHIFTED, "gamma=0.8,c=0.05,h=5,log=off,ties=lowest", "lowered"),
            (
                "shifted-endless",
                SHIFTED + " endless",
                "gamma=0.8,c=0.03,h=5,log=off,ties=random",
                "lowered",
            ),
            ("cut", CUT, "gamma=0.9,c=0,h=10,log=off,ties=random", "lowered"),
        ),
    )


def speedy_q():
    """form x explore."""
    eps, soft = "explore=epsilon,epsilon=0.3,ties=random", "explore=softmax,temperature=0.2"
    greedy = "explore=epsilon,epsilon=0,ties=lowest"
    return cases(
        "speedy-q",
        (
            (
                "step-epsilon",
                "4x2 sto 120",
                f"form=step,gamma=0.9,q0=0,{eps}",
                "tables differ",
                "tie",
            ),
            ("step-softmax", "3x3 sto 120", f"form=step,gamma=0.9,q0=2,{soft}", "tables differ"),
            ("step-ends", ENDS, f"form=step,gamma=0.9,q0=1,{eps}", "tables differ"),
            ("step-negative", NEGATIVE, f"form=step,gamma=0.8,q0=0,{greedy}", "tables differ"),
            (
                "step-loops",
                "1x2 sto 80 cut=0.1",
                "form=step,gamma=0.9,q0=5,explore=epsilon,epsilon=0.5,ties=highest",
                "tables differ",
            ),
            ("round-epsilon", "3x2 sto 200", f"form=round,gamma=0.9,q0=0,{eps}", "round", "tie"),
            ("round-softmax", "2x3 sto 200", f"form=round,gamma=0.9,q0=2,{soft}", "round"),
            (
                "round-ends",
                "3x2 sto 200 ends=0.2 rmin=-1 rmax=1",
                f"form=round,gamma=0.9,q0=1,{eps}",
                "round",
            ),
            (
                "round-absent",
                "6x2 sto 200 absent=0,2,5",
                f"form=round,gamma=0.9,q0=0,{eps}",
                "round",
            ),
            (
                "round-absent-endless",
                "5x2 sto 200 rmin=0.25 rmax=2 absent=3..4 endless",
                f"form=round,gamma=0.8,q0=1,{eps}",
                "round",
            ),
            (
                "round-absent-ends",
                "5x2 sto 200 ends=0.2 rmin=-1 rmax=1 absent=1,4",
                f"form=round,gamma=0.9,q0=1,{soft}",
                "round",
            ),
            (
                "round-negative",
                "2x2 sto 150 ends=0.2 rmin=-1.5 rmax=-0.25",
                "form=round,gamma=0.8,q0=0,explore=epsilon,epsilon=0.6,ties=highest",
                "round",
            ),
            (
                "round-cut",
                "2x2 det 120 cut=0.15",
                "form=round,gamma=0.9,q0=4,explore=epsilon,epsilon=1,ties=lowest",
                "round",
            ),
            ("step-flat", FLAT, f"form=step,gamma=0.9,q0=0,{eps}", "tie"),
            ("round-flat", "2x3 flat 100", f"form=round,gamma=0.9,q0=0,{eps}", "tie", "round"),
            (
                "step-uniform",
                "3x3 sto 80",
                "form=step,gamma=0.9,q0=0,explore=softmax,temperature=inf",
            ),
        ),
    )


def bayes_q():
    """choice x update, priors."""
    prior = "mu0=4,lambda0=0.5,alpha0=2.25,beta0=3"
    narrow = "mu0=5,lambda0=10,alpha0=40,beta0=1"
    return cases(
        "bayes-q",
        (
            (
                "sampling-moment",
                "4x2 sto 120",
                "choice=sampling,update=moment,gamma=0.9,ties=random",
            ),
            ("sampling-point", ENDS, "choice=sampling,update=point,gamma=0.9,ties=random"),
            (
                "sampling-prior",
                "3x4 sto 100 cut=0.1",
                f"choice=sampling,update=moment,gamma=0.8,{prior},ties=lowest",
            ),
            ("vpi-moment", "4x3 sto 120", "choice=vpi,update=moment,gamma=0.9,ties=random", "tie"),
            ("vpi-point", "4x2 det 120", "choice=vpi,update=point,gamma=0.9,ties=lowest", "tie"),
            ("vpi-prior", CUT, f"choice=vpi,update=moment,gamma=0.8,{prior},ties=random", "tie"),
            ("vpi-ends", ENDS, "choice=vpi,update=moment,gamma=0.9,ties=highest", "tie"),
            (
                "vpi-negative",
                NEGATIVE,
                "choice=vpi,update=point,gamma=0.8,alpha0=1.2,ties=random",
                "tie",
            ),
            (
                "vpi-endless",
                SHIFTED + " endless",
                "choice=vpi,update=moment,gamma=0.8,ties=random",
                "tie",
            ),
            (
                "vpi-narrow",
                "3x2 sto 120",
                f"choice=vpi,update=point,gamma=0.8,{narrow},ties=random",
                "tie",
            ),
            (
                "vpi-one-action",
                "4x1 sto 50 ends=0.2",
                "choice=vpi,update=moment,gamma=0.9,ties=random",
            ),
            ("vpi-flat", FLAT, "choice=vpi,update=moment,gamma=0.8,ties=random", "tie"),
            (
                "sampling-thin",
                "3x3 sto 80",
                "choice=sampling,update=point,gamma=0.8,alpha0=0.4,ties=random",
            ),
        ),
    )


def all_cases():
    """Every (case, whether it never ends)."""
    return [c for group in (count_q, dora, ucb_q, speedy_q, bayes_q) for c in group()]
