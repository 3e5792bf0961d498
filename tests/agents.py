#!/usr/bin/env python3
"""What every agent must have, file by file; each failure says what to do.

usage: agents.py

The agents are those of src/agents/agents.def. CONTRIBUTING.md ("Adding an agent") tells the steps.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORACLE = ROOT / "tests/oracle"


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def name_of(spec):
    return spec.partition(":")[0]


def transcribed():
    """The agents that have transcripts."""
    for path in (ORACLE / "transcripts").glob("*.jsonl"):
        with path.open(encoding="ascii") as file:
            yield name_of(json.loads(file.readline())["spec"])


def run_whole():
    """The agents that have whole runs."""
    for path in ORACLE.glob("full_runs*.json"):
        for cell in json.loads(path.read_text(encoding="ascii"))["cells"]:
            yield name_of(cell["agent"])


def hashed():
    """The agents that have golden hashes."""
    for cell in json.loads(text_of("tests/golden/hashes.json"))["hashes"]:
        yield name_of(cell.split(" ")[1])


def missing(name, source):
    """What one agent lacks, a sentence each."""
    oracle = (f"write tests/oracle/reference/{name}.py from docs/agents.md, "
              f"then run 'python3 tests/oracle/make_reference.py {name}'")
    if not re.search(rf"^### (.*, )?{name}\b", PAGES["docs/agents.md"], re.M):
        yield f"docs/agents.md has no section '### {name}': define it there"
    if f"`{name}`" not in PAGES["docs/manual.md"]:
        yield f"docs/manual.md has no row `{name}` in its table of agents: add one"
    if name not in HASHED:
        yield ("no golden hashes: add it to OTHERS in tests/golden/check.py, then run "
               "'python3 tests/golden/check.py build/release/farsight --update'")
    if name not in TRANSCRIBED and ".peeks = true" not in source:
        yield f"no transcripts: {oracle}"
    if name not in RUN_WHOLE:
        yield f"no whole runs: {oracle}"


def todos():
    """What scripts/new-agent has left to be written."""
    places = [ROOT / p for p in ("docs/agents.md", "docs/manual.md", "CHANGELOG.md", "tests/unit/goals.c")]
    places += sorted((ROOT / "src/agents").glob("*.c")) + sorted((ORACLE / "reference").glob("*.py"))
    for path in places:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = re.search(r"TODO\(([\w-]+)\):? ?(.*)", line)
            if found:
                yield f"{found[1]}: {path.relative_to(ROOT)}:{number}: still to be written: {found[2]}"


PAGES = {page: text_of(page) for page in ("docs/agents.md", "docs/manual.md")}
HASHED, TRANSCRIBED, RUN_WHOLE = set(hashed()), set(transcribed()), set(run_whole())


def main():
    names = [c.replace("_", "-") for c in re.findall(r"^FAR_AGENT\((\w+)\)", text_of("src/agents/agents.def"), re.M)]
    bad = []
    for name in names:
        path = f"src/agents/{name}.c"
        if not (ROOT / path).exists():
            bad.append(f"{name}: agents.def names it, but there is no {path}")
            continue
        bad += [f"{name}: {what}" for what in missing(name, text_of(path))]
    bad += todos()
    print("\n".join(bad))
    print(f"{len(names)} agents, {len(bad)} things missing")
    return bool(bad) or not names


sys.exit(main())
