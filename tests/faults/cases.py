"""The commands that are disturbed (check.py): each on a small job, with the files that it writes."""
import dataclasses

CHAIN = ("-e", "chain:n=4")
SMALL = ("--steps", "30", "--runs", "3", "--threads", "1")
BIG = "riverswim"
FEW = ("--resamples", "100")

STUDY = """\
name: short
steps: 30
runs: 3
environments:
  - chain: {n: [3, 4]}
  - loop
agents:
  - delayed-q: {m: [2, 3]}
  - psrl
metrics: [coverage]
curve: log 3
"""

TUNE = """\
steps: 20
runs: 2
tune:
  budget: 400
  evaluate: 3
  profile: 2
environments: [chain:n=4, loop]
agents:
  - delayed-q: {m: 1..3}
"""

THEIRS = """\
env,agent,steps,seed,replicate,series,step,value
chain:n=4,mine,30,1,0,total,,1.5
chain:n=4,mine,30,1,1,total,,2.5
chain:n=4,mine,30,1,0,curve,10,0.5
loop,mine,30,1,0,total,,2
loop,mine,30,1,1,total,,3
"""

EPISODE = '{"info":true}\n{"reset":true}\n{"step":0}\n{"step":1}\n{"step":1}\n'
SESSION = """\
{"policy":0}
{"info":true}
{"reset":{"replicate":2}}
{"act": 0}
{"observe": {"s":0,"a":1,"r":0.5,"next":3,"done":false}}
{"values": 0}
{"save": "agent.bin"}
{"load": "agent.bin"}
{"act": 3}
"""


@dataclasses.dataclass
class Case:
    """A command, and what of it is compared: standard output and error, the files it writes, the
    content of its stores."""
    name: str
    args: tuple
    stdin: str = ""
    writes: tuple = ()  # files that are there as a whole, or as they were
    store: str = None  # a store that it writes
    starts: bool = False  # another process, in which calls of the system cannot be caught until it executes a program
    every: bool = False  # all points of EIO are tried, in samples too
    answers: bool = False  # a failure is the answer to a request; what follows may then differ


def solve_cases():
    for method in ("value", "gauss-seidel", "modified", "policy", "topological", "auto"):
        yield Case(f"solve {method}", ("solve", *CHAIN, "--method", method))
    forms = {"structure": ("--structure",), "average": ("--average",), "horizon": ("--horizon", "3"),
             "policy file": ("--policy", "policy.txt"), "plain": ()}
    for name, more in forms.items():
        yield Case(f"solve {name} json", ("solve", *CHAIN, *more, "--json"))
        yield Case(f"solve {name}", ("solve", *CHAIN, *more))
    yield Case("solve all", ("solve", "-e", BIG, "--all", "--structure", "--average"))
    for name in ("markdown", "csv", "latex", "html"):
        yield Case(f"solve {name}", ("solve", "-e", "frozen-lake", "--format", name))
    yield Case("solve limited", ("solve", *CHAIN, "--max-sweeps", "2", "--structure"))
    yield Case("solve episodic", ("solve", "-e", "frozen-lake", "--average", "--structure"))
    for name in ("cassandra.mdp", "drn.drn", "json.json"):
        yield Case(f"solve {name}", ("solve", "-e", f"file:{name}"))


def run_cases():
    run = ("run", "-q", *CHAIN, "-e", "loop", "-a", "delayed-q", "-a", "psrl", *SMALL)
    measured = ("--metric", "coverage", "--metric", "regret", "--metric", "mistakes:eps=0.5", "--curve", "3")
    yield Case("run", run)
    yield Case("run json", (*run, "--json"))
    yield Case("run notes", ("run", *CHAIN, "-a", "delayed-q", "-a", "r-max", *SMALL))
    yield Case("run peeks", ("run", *CHAIN, "-a", "random", "-a", "optimal", *SMALL))
    yield Case("run threads", ("run", "-q", *CHAIN, "-a", "psrl", "--steps", "30", "--runs", "20",
                               "--threads", "3", "--json"))
    yield Case("run measured", (*run, *measured))
    yield Case("run measured json", (*run, *measured, "--json"))
    for metric in ("learned", "earned", "last-mistake:eps=0.5", "episodes", "return", "success"):
        yield Case(f"run {metric}", ("run", "-q", *CHAIN, "-a", "q-learning", *SMALL, "--metric", metric))
    yield Case("run store", (*run, "--metric", "coverage", "--curve", "3", "--store", "new.db"), store="new.db")
    yield Case("run snapshots", (*run, "--curve", "2", "--snapshots", "1", "--store", "new.db"), store="new.db")
    yield Case("run store again", (*run, "--store", "old.db"), store="old.db")
    yield Case("run until", ("run", "-q", *CHAIN, "-a", "delayed-q", "--steps", "30", "--runs", "200", "--until",
                             "ci=20%", "--threads", "1", "--json"))
    yield Case("run until store", ("run", "-q", *CHAIN, "-a", "delayed-q", "--steps", "30", "--runs", "200",
                                   "--until", "ci=20%", "--threads", "1", "--store", "new.db"), store="new.db")
    yield Case("run rank", ("run", "-q", *CHAIN, "-a", "delayed-q", "-a", "psrl", "--steps", "30", "--runs", "50",
                            "--until", "rank=5%", "--threads", "1"))
    yield Case("run rank store", ("run", "-q", *CHAIN, "-a", "delayed-q", "-a", "psrl", "--steps", "30", "--runs", "50",
                                  "--until", "rank=5%", "--threads", "1", "--json", "--store", "new.db"), store="new.db")
    yield Case("run dry", (*run, "--dry-run"))
    yield Case("run dry json", (*run, "--dry-run", "--json", "--store", "old.db"))
    yield Case("run study", ("run", "-q", "study.yaml", "--threads", "1"))
    yield Case("run study store", ("run", "-q", "study.yaml", "--threads", "1", "--json", "--store", "new.db"),
               store="new.db")
    yield Case("run process", ("run", "-q", *CHAIN, "-a", "process:exec sh answer.sh", *SMALL), starts=True)
    yield Case("run save-study", ("run", "-q", "study.yaml", "--save-study", "saved.yaml"), writes=("saved.yaml",))


def other_cases():
    yield Case("compare", ("compare", "-q", *CHAIN, "-e", "loop", "-a", "delayed-q", "-a", "psrl", *SMALL))
    yield Case("compare json", ("compare", "-q", *CHAIN, "-a", "delayed-q", *SMALL, "--json"))
    yield Case("compare markdown", ("compare", "-q", *CHAIN, "-a", "delayed-q", *SMALL, "--markdown", "--metric",
                                    "coverage"))
    yield Case("stats", ("stats", "old.db", *FEW))
    yield Case("stats json", ("stats", "old.db", *FEW, "--json"))
    yield Case("stats markdown", ("stats", "old.db", *FEW, "--markdown", "--series", "coverage"))
    yield Case("stats chosen", ("stats", "old.db", *FEW, "-e", "chain*", "-a", "psrl", "-a",
                                "delayed-q", "-b", "psrl", "--series", "curve@10"))
    yield Case("stats csv", ("stats", "old.db", *FEW, "--format", "csv", "--table", "scores"))
    yield Case("stats latex", ("stats", "old.db", *FEW, "--format", "latex"))
    yield Case("stats nearest", ("stats", "old.db", *FEW, "--series", "coverage@9"))
    yield Case("growth", ("growth", "-q", "-e", "chain", "-a", "delayed-q", "-a", "q-learning", "--sizes", "3..5",
                          "--runs", "3", "--max-steps", "500", "--threads", "1"))
    yield Case("growth store", ("growth", "-e", "chain", "-a", "delayed-q", "--sizes", "3,4", "--runs", "3",
                                "--max-steps", "1500", "--threads", "1", "--store", "new.db", "--format", "csv"), store="new.db")
    yield Case("growth json", ("growth", "-e", "chain", "-a", "delayed-q", "-a", "q-learning", "--sizes", "3..5",
                               "--runs", "3", "--measure", "reward", "--steps", "30", "--threads", "1", "--json"))
    yield Case("growth plot", ("growth", "-q", "-e", "chain", "-a", "q-learning", "--sizes", "3,4", "--runs", "3",
                               "--max-steps", "100", "--threads", "1", "--plot", "new.svg"), writes=("new.svg",))
    tune = ("tune", *CHAIN, "-e", "loop", "-a", "delayed-q:m=[1..4]", "-a", "q-learning:alpha=[0.1..1],epsilon=0.1",
            "--steps", "20", "--runs", "2", "--budget", "400", "--evaluate", "3", "--profile", "2", "--threads", "1")
    yield Case("tune", tune)
    yield Case("tune json", (*tune, "--json"))
    yield Case("tune plot", (*tune, "--plot", "new.tex"), writes=("new.tex",))
    for form in ("markdown", "csv", "latex"):
        yield Case(f"tune {form}", (*tune, "--format", form))
    for method in ("random", "crs"):
        yield Case(f"tune {method}", (*tune, "--method", method))
    yield Case("tune store", (*tune, "--store", "new.db"), store="new.db")
    yield Case("tune file", ("tune", "tune.yaml", "--threads", "1"))
    yield Case("tune fit", ("tune", "--fit", "fit.csv", "-a", "delayed-q:m=[1..3]", "--steps", "20", "--runs", "2",
                            "--budget", "300", "--evaluate", "2", "--profile", "2", "--threads", "1"))
    audit = ("audit", "-q", "-e", "garnet:states=3,actions=2,branching=2,rewarded=1,gamma=0.5", "--steps", "200", "--runs", "2",
             "--threads", "1", "-a")
    yield Case("audit", (*audit, "directed-delayed-q:preset=theory,eps=1"))
    yield Case("audit json", (*audit, "directed-delayed-q:preset=theory,eps=1", "--json"))
    yield Case("audit latex", (*audit, "directed-delayed-q:preset=theory,eps=1", "--format", "latex"))
    yield Case("audit r-max", (*audit, "r-max:preset=theory,eps=1"))
    yield Case("audit ucb-q", (*audit, "ucb-q:c=9"))
    seen = ("watch", "-q", "-e", "frozen-lake", "-a", "dora", "-a", "delayed-q", "--steps", "90", "--size", "90x30")
    yield Case("watch", (*seen, "--at", "50,80"))
    yield Case("watch picture", (*seen, "--at", "80", "-o", "-"))
    yield Case("watch picture file", (*seen, "--at", "80", "-o", "old.svg"), writes=("old.svg",))
    yield Case("web link", ("web", "--link", *CHAIN, "-a", "delayed-q", "-a", "psrl", "--seed", "2"))
    yield Case("web file", ("web", "-o", "new.html"), writes=("new.html",))
    yield Case("web print", ("web", "-o", "-"))
    yield Case("pac", ("pac", *CHAIN, "--eps", "0.5"))
    yield Case("pac json", ("pac", *CHAIN, "--eps", "0.5", "--json", "--steps", "1e15"))
    yield Case("pac csv", ("pac", *CHAIN, "--eps", "0.5", "--format", "csv", "--table", "quantities"))
    yield Case("pac explain", ("pac", "directed-delayed-q", "--states", "10", "--actions", "2", "--explain"))
    for kind in ("agents", "envs", "metrics", "theorems"):
        yield Case(f"list {kind}", ("list", kind))
        yield Case(f"list {kind} json", ("list", kind, "--json"))
    yield Case("list markdown", ("list", "theorems", "r-max", "--format", "markdown"))
    yield Case("list family", ("list", "envs", "frozen-lake"))
    yield Case("benchmark", ("benchmark", "-a", "random", "-a", "optimal", "--tuning", "--runs", "2", "--threads", "1",
                             "--json", "--store", "new.db", "--plot", "new.svg"), store="new.db", writes=("new.svg",))
    yield Case("benchmark score", ("benchmark", "-a", "random", "-a", "optimal", "--tuning", "--runs", "2", "--threads", "1",
                                   "--score", "success", "--format", "csv", "--table", "problems"))
    yield Case("list agent", ("list", "agents", "directed-delayed-q"))
    yield Case("reproduce", ("reproduce", "--runs", "2", "--threads", "1"))
    yield Case("reproduce json", ("reproduce", "--runs", "2", "--threads", "1", "--json"))
    yield Case("reproduce plot", ("reproduce", "--runs", "2", "--threads", "1", "--plot", "new.svg"), writes=("new.svg",))
    agent = ("agent", "-q", "--states", "4", "--actions", "2")
    for name in ("directed-delayed-q", "psrl", "r-max"):
        yield Case(f"agent {name}", (*agent, name), stdin=SESSION, answers=True)
    yield Case("env", ("env", "chain:n=4"), stdin=EPISODE)
    yield Case("env record", ("env", "-q", "chain:n=4", "--steps", "3", "--curve", "3", "--record", "new.db", "--name",
                              "x"), stdin=EPISODE, store="new.db")
    for words in (("completion", "bash"), ("completion", "zsh"), ("completion", "fish"), ("man",), ("--help",),
                  ("--version",), ("run", "--help"), ("tune", "--help")):
        yield Case(" ".join(words), words)


def file_cases():
    names = {"cassandra": "mdp", "drn": "drn", "json": "json"}
    for name, extension in names.items():
        yield Case(f"convert to {name}", ("convert", *CHAIN, "-o", f"out.{extension}"), writes=(f"out.{extension}",))
        yield Case(f"convert print {name}", ("convert", *CHAIN, "--to", name))
        yield Case(f"convert from {name}", ("convert", f"{name}.{extension}", "--to", "json"))
    yield Case("convert pomdp", ("convert", "small.pomdp", "--to", "drn"))
    yield Case("convert stdin", ("convert", "-", "--to", "drn", "--from", "cassandra"), stdin="cassandra.mdp")
    yield Case("list dependencies", ("list", "dependencies"))
    yield Case("convert over", ("convert", "drn.drn", "json.json"), writes=("json.json",))
    for kind in ("curves", "intervals", "matrix", "profiles"):
        yield Case(f"plot {kind}", ("plot", kind, "old.db", "-o", "old.svg"), writes=("old.svg",))
    yield Case("plot print", ("plot", "scores", "old.db", "--theme", "dark"))
    yield Case("plot tikz", ("plot", "curves", "old.db", "-o", "new.tex"), writes=("new.tex",))
    yield Case("plot numbers", ("plot", "curves", "old.db", "--format", "csv"))
    yield Case("plot layout", ("plot", "q", "-e", "frozen-lake", "-a", "dora", "--steps", "90", "-o", "new.svg"), writes=("new.svg",))
    yield Case("report", ("report", "old.db", *FEW, "-o", "old.html"), writes=("old.html",))
    yield Case("report beside", ("report", "old.db", *FEW), writes=("old.html",))
    yield Case("report two", ("report", "old.db", "other.db", "-o", "new.html"), writes=("new.html",))
    yield Case("report text", ("report", "old.db", *FEW, "--format", "text"))
    yield Case("store info", ("store", "info", "old.db"))
    yield Case("store info json", ("store", "info", "old.db", "--json"))
    yield Case("store info wide", ("store", "info", "wide.db", "--json"))  # longer than a first buffer
    yield Case("store info csv", ("store", "info", "old.db", "--format", "csv"))
    yield Case("store check", ("store", "check", "old.db"))
    yield Case("store check snapshots", ("store", "check", "other.db"))
    yield Case("store check json", ("store", "check", "old.db", "--json"))
    yield Case("store export", ("store", "export", "old.db"))
    yield Case("store export file", ("store", "export", "old.db", "-o", "out.csv"), writes=("out.csv",), every=True)
    yield Case("store export jsonl", ("store", "export", "old.db", "--format", "jsonl", "--series", "curve"))
    yield Case("store export snapshots", ("store", "export", "other.db", "--snapshots"))
    yield Case("store export nearest", ("store", "export", "old.db", "--series", "coverage@9"))
    yield Case("watch store", ("watch", "old.db", "--once"))
    yield Case("watch store study", ("watch", "old.db", "study.yaml", "--once"))
    yield Case("store import", ("store", "import", "new.db", "theirs.csv"), store="new.db")
    yield Case("store import json", ("store", "import", "old.db", "theirs.csv", "--json"), store="old.db")
    yield Case("store merge", ("store", "merge", "new.db", "old.db", "other.db"), store="new.db")
    yield Case("store merge json", ("store", "merge", "old.db", "other.db", "--json"), store="old.db")


def all_cases():
    return [*solve_cases(), *run_cases(), *other_cases(), *file_cases()]
