#!/usr/bin/env python3
"""What every agent must have, file by file; each failure says what to do.

usage: agents.py

The agents are those of src/agents/agents.def. Checked are the steps that CONTRIBUTING.md ("Adding an
agent") says are needed for every agent, and that docs/agents.md names those that link steps. Not
checked: what is needed only where it applies (src/agents/README.md), and whether what is there is right.
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "oracle"))
import generated

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORACLE = ROOT / "tests/oracle"


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def name_of(spec):
    return spec.partition(":")[0]


def transcribed():
    """The agents that have transcripts."""
    return {name_of(transcript.spec) for transcript in generated.transcripts()}


def run_whole():
    """The agents that have whole runs."""
    return {name_of(run.spec) for run in generated.runs()}


def hashed():
    """The agents that have golden hashes."""
    for cell in json.loads(text_of("tests/golden/hashes.json"))["hashes"]:
        yield name_of(cell.split(" ")[1])


def tested(name, files):
    """Does one of the unit tests have a spec of the agent?"""
    return any(re.search(rf'"{name}[":]', PAGES[f"tests/unit/{file}.c"]) for file in files)


def untested(name, source):
    """What the unit tests do not try."""
    if not tested(name, ["goals", "baselines"]) and ".finite_horizon = true" not in source:
        yield "tests/unit/goals.c has no row of it in CLIFF: add one"
    if not tested(name, ["traces", "exploring", "planning", "model-free", "optimism", "certified", "baselines"]):
        yield ("no steps computed by hand: add some to tests/unit/traces.c (or exploring.c, where the choice among "
               "actions matters)")
    if not tested(name, ["behaviour", "budgets", "model-free", "optimism", "certified", "baselines"]):
        yield "no problem with a known answer: add one to tests/unit/behaviour.c"


def untold(name, source):
    """The pages that do not mention it."""
    if not re.search(rf"^### (.*, )?{name}\b", PAGES["docs/agents.md"], re.M):
        yield f"docs/agents.md has no section '### {name}': define it there"
    if f"`{name}`" not in PAGES["docs/manual.md"]:
        yield f"docs/manual.md has no row `{name}` in its table of agents: add one"
    if f"`{name}`" not in PAGES["CHANGELOG.md"]:
        yield f"CHANGELOG.md does not name `{name}`: add a line"
    if f"\n| {name} |" not in PAGES["docs/comparison.md"] and ".baseline = true" not in source and ".finite_horizon = true" not in source:
        yield "docs/comparison.md has no row of it: run 'make comparison' (minutes)"


def missing(name, source):
    """What one agent lacks, a sentence each."""
    oracle = (f"write tests/oracle/reference/{name}.py from docs/agents.md, then run "
              f"'python3 tests/oracle/check_transcripts.py build/release/farsight {name}' and check_full_runs.py")
    yield from untold(name, source)
    yield from untested(name, source)
    if name not in HASHED:
        yield ("no golden hashes: add it to OTHERS in tests/golden/check.py, then run "
               "'python3 tests/golden/check.py build/release/farsight --update'")
    if name not in TRANSCRIBED and ".peeks = true" not in source:
        yield f"no transcripts: {oracle}"
    if name not in RUN_WHOLE:
        yield f"no whole runs: {oracle}"


def miscounted(sources):
    """Pages that list or count the agents."""
    learners = sum(".baseline = true" not in source for source in sources.values())
    count = re.search(r"(\d+) other agents", PAGES["README.md"])
    if not count or int(count[1]) != learners - 1:
        yield f"README.md must say '{learners - 1} other agents'"
    linking = {name for name, source in sources.items()
               if ".links_steps = true" in source and ".by_step = true" not in source}
    said = re.search(r"carry something from one step to the next: (.*?), below", " ".join(PAGES["docs/agents.md"].split()))
    if not said or set(re.findall(r"`([\w-]+)`", said[1])) != linking:
        yield ("docs/agents.md (Termination and truncation) must name those that carry something from one step to the "
               f"next, which have .links_steps: {', '.join(sorted(linking))}")


def todos():
    """What scripts/new-agent has left to be written."""
    places = [ROOT / p for p in ("docs/agents.md", "docs/manual.md", "CHANGELOG.md", "tests/unit/goals.c")]
    places += sorted((ROOT / "src/agents").glob("*.c")) + sorted((ORACLE / "reference").glob("*.py"))
    for path in places:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = re.search(r"TODO\(([\w-]+)\):? ?(.*)", line)
            if found:
                yield f"{found[1]}: {path.relative_to(ROOT)}:{number}: still to be written: {found[2]}"


PAGES = {page: text_of(page) for page in (
    "docs/agents.md", "docs/manual.md", "docs/comparison.md", "README.md", "CHANGELOG.md",
    *(f"tests/unit/{name}.c" for name in ("goals", "traces", "exploring", "planning", "behaviour", "budgets", "model-free", "optimism",
                                            "certified", "baselines")))}
HASHED, TRANSCRIBED, RUN_WHOLE = set(hashed()), transcribed(), run_whole()


def main():
    names = [c.replace("_", "-") for c in re.findall(r"^FAR_AGENT\((\w+)\)", text_of("src/agents/agents.def"), re.M)]
    bad, sources = [], {}
    for name in names:
        path = f"src/agents/{name}.c"
        if not (ROOT / path).exists():
            bad.append(f"{name}: agents.def names it, but there is no {path}")
            continue
        sources[name] = text_of(path)
        bad += [f"{name}: {what}" for what in missing(name, sources[name])]
    bad += [*miscounted(sources), *todos()]
    print("\n".join(bad))
    print(f"{len(names)} agents, {len(bad)} things missing")
    return bool(bad) or not names


sys.exit(main())
