#!/usr/bin/env python3
"""Writes data.json from Gymnasium itself, which must be installed (pip install gymnasium==1.4.0).

Only needed to renew the data; the test reads what is stored. A row of a table is one string a state,
its actions separated by '|', their outcomes by ';', each being 'probability next reward done', as
Gymnasium's table P has them, with equal (next, reward, done) merged.
"""
import json
import pathlib
import warnings

import gymnasium
import numpy

warnings.simplefilter("ignore")
OWN_MAP = ["SFFHF", "FHFFS", "FFFGF"]
CASES = [  # spec, Gymnasium's name, its arguments
    ("frozen-lake", "FrozenLake-v1", {}),
    ("frozen-lake:slippery=off", "FrozenLake-v1", {"is_slippery": False}),
    ("frozen-lake:map=8x8", "FrozenLake-v1", {"map_name": "8x8"}),
    ("frozen-lake:map=8x8,slippery=off", "FrozenLake-v1",
     {"map_name": "8x8", "is_slippery": False}),
    ("frozen-lake:map=SFFHF/FHFFS/FFFGF,success=0.75,goal=5,hole=-2,frozen=-0.125", "FrozenLake-v1",
     {"desc": OWN_MAP, "success_rate": 0.75, "reward_schedule": (5, -2, -0.125)}),
    ("cliff-walking", "CliffWalking-v1", {}),
    ("cliff-walking:slippery=on", "CliffWalking-v1", {"is_slippery": True}),
    ("taxi", "Taxi-v4", {}),
    ("taxi:rainy=on", "Taxi-v4", {"is_rainy": True}),
]
CAR = (18, 21)  # cells of position and velocity whose centres are stepped from


def number(x):
    return repr(float(x)).removesuffix(".0")


def row(outcomes):
    merged = {}
    for p, s, r, done in outcomes:
        key = (int(s), float(r), bool(done))
        merged[key] = merged.get(key, 0.0) + float(p)
    return ";".join(f"{number(p)} {s} {number(r)} {int(done)}" for (s, r, done), p in merged.items())


def table(spec, name, arguments):
    env = gymnasium.make(name, **arguments).unwrapped
    n_states, n_actions = env.observation_space.n, env.action_space.n
    starts = {str(s): float(p) for s, p in enumerate(env.initial_state_distrib) if p > 0}
    rows = ["|".join(row(env.P[s][a]) for a in range(n_actions)) for s in range(n_states)]
    return {"spec": spec, "name": name, "arguments": arguments, "actions": int(n_actions),
            "starts": starts, "rows": rows}


def mountain_car():
    """Where the centres of the cells go, by Gymnasium's own step: position, velocity, end."""
    env = gymnasium.make("MountainCar-v0").unwrapped
    steps = []
    for i in range(CAR[0]):
        for j in range(CAR[1]):
            for a in range(3):
                x = -1.2 + 1.7 * (i + 0.5) / CAR[0]
                v = -0.07 + 0.14 * (j + 0.5) / CAR[1]
                env.state = numpy.array([x, v])
                _, reward, done, _, _ = env.step(a)
                assert reward == -1
                steps.append(" ".join(f"{float(y):.12g}" for y in env.state) + f" {int(done)}")
    return {"positions": CAR[0], "velocities": CAR[1], "steps": steps}


def main():
    data = {"gymnasium": gymnasium.__version__, "tables": [table(*case) for case in CASES],
            "mountain_car": mountain_car()}
    path = pathlib.Path(__file__).with_name("data.json")
    path.write_text(json.dumps(data, indent=0) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes, Gymnasium {gymnasium.__version__}")


main()
