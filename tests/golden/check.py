#!/usr/bin/env python3
"""Golden hashes: the exact per-run results, equal for 1, 2 and 7 threads.

usage: check.py FARSIGHT [--threads N[,N]...] [--update [--force]]
       check.py FARSIGHT --device BACKEND    the cells that a device takes, by it (a library; docs/gpu.md)
       check.py --grids                      what is run, as JSON: for tests/wasm

--update writes the hashes anew. It refuses where a hash that was there changes or goes, unless
--force says that this is meant. The same file is checked by every build (gcc and clang, -O0 and -O3, sanitizers), so a
difference between them fails as well. Update only when a change of results is meant, and
say so in the CHANGELOG. The file names the numerics (far_numerics) of its hashes: where a hash
that was there changes, the numerics must be raised first, so that stored results of before and
after are never mixed.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE / "hashes.json"
CHAINS = ["chain:n=10", "chain:n=50", "chain:n=5,slip=0.35,left=-0.5,right=2"]
DELAYED = [
    "directed-delayed-q:preset=practical",
    "directed-delayed-q:preset=practical,clamp=off,learn=printed,lambda=30,m=2,rho=1.2,eps1=0.02",
    "directed-delayed-q:preset=practical,delay=full,m=3",
    "directed-delayed-q:preset=paper",
    "directed-delayed-q:preset=theory,ties=highest",
    "delayed-q:preset=practical",
    "delayed-q:preset=practical,form=2006,m=9,eps1=0.05",
    "delayed-q-ie:preset=practical,rho=0.4",
    "directed-delayed-q",
    "directed-delayed-q:delay=full,steps=3000",
    "directed-delayed-q:preset=practical,e_rule=visit,bonus=sqrt,alpha_e=0.01,learn=printed,clamp=off,lambda=3,m=3",
    "directed-delayed-q:preset=practical,e_rule=visit,delay=full,m=2",
    "directed-delayed-q:preset=practical,bonus=sqrt,threshold=-0.1,m=1,lambda=0.5,clamp=off",
    "delayed-q",
    "delayed-q-ie:steps=100000",
    "q-learning",
    "q-learning:temperature=0.05,q0=3",
    "q-learning:step=polynomial,decay=state,c=20,ties=lowest",
    "q-learning:decay=linear,epsilon=1,decay_steps=500",
]

OTHERS = [
    "count-q", "count-q:place=choice,step=constant,decay=linear",
    "dora", "dora:rule=lll-epsilon,gamma_e=0", "dora:rule=softmax", "dora:rule=epsilon,place=target",
    "ucb-q", "ucb-q:preset=theory,c=0.01",
    "speedy-q", "speedy-q:form=step", "speedy-q:form=round,temperature=0.2",
    "bayes-q", "bayes-q:choice=vpi,update=point",
    "r-max", "r-max:plan=rtdp,m=4", "v-max", "mbie", "mbie-eb", "beb:prior=2", "oim", "mormax:m=3",
    "e3", "e3:freeze=on,m=3,theta=0.2", "ucrl2", "ucrl-gamma:delay=7", "ucrl2b", "ucrl2b:preset=theory", "ucbvi-gamma",
    "ucbvi-gamma:u=0.002,b=0.1", "kl-ucrl", "kl-ucrl:preset=theory", "imed-rl", "ucrl3",
    "ucrl3:preset=theory",
    "psrl", "psrl:resample=tsde,prior=5", "rlsvi", "rlsvi:resample=fixed,tau=9",
]
BY_STEP = [
    "ucb-h", "ucb-h:preset=theory,c=0.01,ties=lowest",
    "ucb-b", "ucb-b:preset=theory,c1=0.01,c2=0.02,tail=1",
    "ucbmq", "ucbmq:c=2,ties=highest",
    "rand-ql", "rand-ql:form=staged,kappa=2", "rand-ql:falls=on,ensemble=3",
    "q-advantage", "q-advantage:preset=theory,c=0.01,settle=2",
    "ucbvi", "ucbvi:bonus=hoeffding,constants=2017,ties=lowest", "ucbvi:preset=theory,episodes=10000,scale=0.01,stages=apart,replan=1.5",
    "mvp", "mvp:preset=theory,episodes=10000,scale=0.0005", "ubev", "ubev:preset=theory,scale=0.05",
    "orlc", "orlc:preset=theory,scale=0.02,correction=0.001,ties=highest",
    "bpi-ucbvi", "bpi-ucbvi:preset=theory,c=1,ties=lowest", "bpi-ucbvi:scale=0.001,eps=0.5",
    "psrl-episodic", "psrl-episodic:sp=0.12,sn=0.89", "psrl-episodic:sp=0.12,sn=0.89,stages=apart,prior=5",
    "rlsvi-episodic", "rlsvi-episodic:stages=apart,ties=highest",
    "rf-express", "rf-express:scale=0.001", "rf-ucrl", "rf-ucrl:preset=theory,scale=0.0001",
    "bayes-ucbvi", "bayes-ucbvi:stages=apart,kappa=1,draws=5,r0=2",
]
TIMED = ["chain:n=6,horizon=8", "riverswim:horizon=10", "frozen-lake:horizon=12", "garnet:states=8,seed=3,horizon=5"]
BASELINES = ["random", "optimal", "optimal:criterion=discounted,gamma=0.9"]
SMALL = [
    "riverswim", "riverswim:form=2013", "sixarms", "threearms", "loop", "deepsea:n=4",
    "deepsea:n=4,stochastic=on", "combination-lock", "bridge", "frozen-lake",
    "frozen-lake:map=8x8,slippery=off", "cliff-walking", "four-rooms", "grid", "garnet:states=12",
    "dirichlet:states=7", "hard-bandit", "taxi", "mountain-car",
]
# environments, agents, steps, runs
GRIDS = [
    (CHAINS, DELAYED, 3000, 7),
    (["chain:n=6", "riverswim", "frozen-lake", "garnet:states=8,seed=3"], OTHERS, 600, 4),
    (TIMED, BY_STEP, 600, 4),
    (SMALL, ["q-learning", "directed-delayed-q:preset=practical", "directed-delayed-q"], 1500, 4),
    (["chain:n=6", *SMALL], BASELINES, 300, 3),
    (["chain:n=6,left_paid=stay,right_paid=choice"], ["q-learning", "directed-delayed-q:preset=practical"], 1000, 3),
]


TAKEN = ("directed-delayed-q", "delayed-q", "delayed-q-ie", "q-learning", "count-q", "dora", "ucb-q", "speedy-q")


def on_device(grids):
    """What a device takes of them."""
    for envs, agents, steps, runs in grids:
        some = [a for a in agents if a.split(":")[0] in TAKEN]
        if some and envs is not TIMED:
            yield envs, some, steps, runs


def cells(farsight, threads, grids=tuple(GRIDS), more=()):
    found = {}
    for envs, agents, steps, runs in grids:
        command = [farsight, "run", "--json", "--quiet", "--steps", str(steps), "--runs", str(runs),
                   "--seed", "42", "--threads", str(threads), *more]
        command += [word for env in envs for word in ("-e", env)]
        command += [word for agent in agents for word in ("-a", agent)]
        out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        found.update((c["env"] + " " + c["agent"], c["hash"]) for c in json.loads(out)["cells"])
    return found


def numerics(farsight):
    command = [farsight, "run", "-e", "chain", "-a", "q-learning", "--runs", "1", "--steps", "1",
               "--json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["numerics"]


def update(farsight, force):
    stored, now = json.loads(GOLDEN.read_text()), cells(farsight, 1)
    before = stored["hashes"]
    new = [name for name in now if name not in before]
    changed = [name for name in now if before.get(name, now[name]) != now[name]]
    gone = [name for name in before if name not in now]
    print(f"{len(new)} new, {len(changed)} changed, {len(gone)} gone")
    if (changed or gone) and not force:
        sys.exit(f"refused, the first is {(changed + gone)[0]}. A hash that changes means that results are other "
                 "than before: far_numerics() in src/run/batch.c must be raised and the CHANGELOG must say so. "
                 "One that goes is no longer checked. If that is meant: --update --force")
    if changed and numerics(farsight) == stored["numerics"]:
        sys.exit(f"refused, {changed[0]} has other results than before: raise far_numerics() in src/run/batch.c, "
                 "so that stored results of before and after are never mixed")
    GOLDEN.write_text(json.dumps({"numerics": numerics(farsight), "hashes": now}, indent=1) + "\n")


def check_device(farsight, backend):
    """With the backend of the processor every launch has an odd number of lanes. The note at the end shows that the
    device did compute."""
    golden = json.loads(GOLDEN.read_text())["hashes"]
    os.environ |= {"FARSIGHT_GPU_LIBRARY": backend, "FARSIGHT_LANES": "lanes=3"}
    found = cells(farsight, 1, on_device(GRIDS), ("--device", "gpu"))
    bad = [name for name in found if golden.get(name) != found[name]]
    print("\n".join(bad))
    out = subprocess.run([farsight, "run", "-e", "chain", "-a", "q-learning", "--runs", "5", "--steps", "9",
                          "--device", "gpu"], check=True, capture_output=True, text=True).stderr
    if "computed 5 runs" not in out:
        print("the device did not compute:", out)
        bad.append("note")
    print(f"{len(found) + 1 - len(bad)} passed, {len(bad)} failed")
    return bool(bad) or not found


def main():
    if sys.argv[1] == "--grids":
        print(json.dumps(GRIDS))
        return 0
    farsight = sys.argv[1]
    if "--device" in sys.argv:
        return check_device(farsight, sys.argv[3])
    if "--update" in sys.argv:
        update(farsight, "--force" in sys.argv)
    stored = json.loads(GOLDEN.read_text())
    golden = stored["hashes"]
    counts = sys.argv[sys.argv.index("--threads") + 1] if "--threads" in sys.argv else "1,2,7"
    if stored["numerics"] != numerics(farsight):
        sys.exit("the hashes are of other numerics: --update")
    passed = failed = 0
    for threads in counts.split(","):
        found = cells(farsight, threads)
        new = sorted(set(found) - set(golden))
        if new:
            sys.exit(f"{len(new)} cells have no golden hash, the first is {new[0]}: if that is meant, run "
                     f"'python3 tests/golden/check.py {farsight} --update' and commit hashes.json")
        for name, digest in golden.items():
            good = found.get(name) == digest
            passed += good
            failed += not good
            if not good:
                print(f"{threads} threads: {name}: {found.get(name)}, expected {digest}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
