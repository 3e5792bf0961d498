#!/usr/bin/env python3
"""Golden hashes: the exact per-run results, equal for 1, 2 and 7 threads.

usage: check.py FARSIGHT [--update]

The same file is checked by every build (gcc and clang, -O0 and -O3, sanitizers), so a
difference between them fails as well. Update only when a change of results is meant, and
say so in the CHANGELOG.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE / "hashes.json"
ENVS = ["chain:n=10", "chain:n=50", "chain:n=5,slip=0.35,left=-0.5,right=2"]
AGENTS = [
    "directed-delayed-q",
    "directed-delayed-q:clamp=off,learn=printed,lambda=30,m=2,rho=1.2,eps1=0.02",
    "directed-delayed-q:delay=full,m=3",
    "directed-delayed-q:preset=paper",
    "directed-delayed-q:preset=theory,ties=highest",
    "delayed-q",
    "delayed-q:form=2006,m=9,eps1=0.05",
    "delayed-q-ie:rho=0.4",
    "q-learning",
    "q-learning:temperature=0.05,q0=3",
    "q-learning:step=polynomial,decay=state,c=20,ties=lowest",
    "q-learning:decay=linear,epsilon=1,decay_steps=500",
]


def cells(farsight, threads):
    command = [farsight, "run", "--json", "--quiet", "--steps", "3000", "--runs", "7",
               "--seed", "42", "--threads", str(threads)]
    for env in ENVS:
        command += ["-e", env]
    for agent in AGENTS:
        command += ["-a", agent]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return {c["env"] + " " + c["agent"]: c["hash"] for c in json.loads(out)["cells"]}


def main():
    farsight = sys.argv[1]
    if "--update" in sys.argv:
        GOLDEN.write_text(json.dumps(cells(farsight, 1), indent=1) + "\n")
    golden = json.loads(GOLDEN.read_text())
    assert len(golden) == len(ENVS) * len(AGENTS)
    passed = failed = 0
    for threads in (1, 2, 7):
        found = cells(farsight, threads)
        for name, digest in golden.items():
            good = found.get(name) == digest
            passed += good
            failed += not good
            if not good:
                print(f"{threads} threads: {name}: {found.get(name)}, expected {digest}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
