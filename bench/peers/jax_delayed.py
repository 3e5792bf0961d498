"""Directed Delayed Q-learning on the chain in JAX: vmap over runs, scan over steps, jit, float64. A peer for the kernels of src/run/gpu/.

The algorithm is that of docs/agents.md with delay=interval, learn=2009, clamp=on, ties=random, and the draws are the library's
own streams, so that totals can be compared. A pair's numbers stand side by side in one array: a step gathers two rows of it and
scatters one pair, without branches.

usage: jax_delayed.py [--farsight COMMAND] [--runs N ...] [--steps N] [--check N] [--preset practical|scaled] [--states N]
Without JAX it says so and ends with 0. --check N (with --farsight) compares the totals of N runs with those of the command, by
their hash. On a GPU the compiler fuses multiplications and additions, so that there they agree in the mean only.
"""
import argparse
import hashlib
import json
import struct
import subprocess
import sys
import time

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError:
    print("skipped: JAX is not installed")
    sys.exit(0)

jax.config.update("jax_enable_x64", True)
Q, BONUS, E, Q_SUM, E_SUM, N, BEGUN, LEARN = range(8)  # of a pair
TRANSITION, AGENT = 1, 4  # purposes of streams
LN2_HIGH, LN2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")


def streams(seed, runs, purpose):
    """The four words of each run's stream: SHA-256 of its keys."""
    text = [hashlib.sha256(struct.pack("<QQQ", seed, i, purpose)).digest() for i in range(runs)]
    return np.frombuffer(b"".join(text), dtype="<u8").reshape(runs, 4)


def draw(s):
    """xoshiro256++: a number, and the state after it."""
    total = s[0] + s[3]
    number = ((total << 23) | (total >> 41)) + s[0]
    a2, a3 = s[2] ^ s[0], s[3] ^ s[1]
    return number, jnp.stack([s[0] ^ a3, s[1] ^ a2, a2 ^ (s[1] << 17), (a3 << 45) | (a3 >> 19)])


def log(x):
    """The library's logarithm, of a normal number."""
    bits = jax.lax.bitcast_convert_type(x, jnp.uint64)
    fraction = bits & jnp.uint64(0x000FFFFFFFFFFFFF)
    above = (fraction > jnp.uint64(0x6A09E667F3BCD)).astype(jnp.uint64)
    k = ((bits >> 52).astype(jnp.int64) - 1023 + above.astype(jnp.int64)).astype(jnp.float64)
    f = jax.lax.bitcast_convert_type(fraction | (jnp.uint64(0x3FF0000000000000) - (above << 52)), jnp.float64) - 1.0
    s = f / (2.0 + f)
    z, series = s * s, 0.0
    for j in range(12, 0, -1):
        series = z * (1.0 / (2 * j + 1) + series)
    return k * LN2_HIGH + (f - (s * (f - 2.0 * series) - k * LN2_LOW))


def bonus_of(p, e):
    x = log(e) * p["inverse_log_eta"]
    return p["lambda"] / jnp.sqrt(jnp.where(x > 1, x, 1.0))


def step(p, carry, t):
    s, transition, agent, pairs, last, total = carry
    row = pairs[s]
    scores = row[:, Q] + row[:, BONUS]
    coin, after = draw(agent)
    tie = scores[0] == scores[1]
    agent = jnp.where(tie, after, agent)
    a = jnp.where(tie, (coin >> 63) == 0, scores[1] > scores[0]).astype(jnp.int32)
    number, transition = draw(transition)
    right = jnp.where(number > p["upto"], 1 - a, a)  # the slip is the second outcome
    next_s = jnp.clip(s + 2 * right - 1, 0, p["n"] - 1)
    r = jnp.where(next_s == 0, p["left"], jnp.where(next_s == p["n"] - 1, p["right"], 0.0))

    old, time_now = row[a], t.astype(jnp.float64)
    following = pairs[next_s]
    learn = (old[LEARN] != 0) | (old[BEGUN] <= last)
    begun = jnp.where(old[N] == 0, time_now, old[BEGUN])
    n = old[N] + 1
    q_sum = old[Q_SUM] + (r + p["gamma"] * jnp.max(following[:, Q]))
    e_sum = old[E_SUM] + p["gamma_e"] * jnp.max(following[:, E])
    current = old[Q] + old[BONUS]
    q = jnp.minimum(old[Q], q_sum / n + p["rho"] / jnp.sqrt(n))
    e = jnp.minimum(old[E], e_sum / n)
    bonus = bonus_of(p, e)
    success = learn & (current - (q + bonus) >= p["eps1"])
    full = learn & ~success & (n == p["m"])
    close = success | full
    last = jnp.where(success, time_now, last)
    learned = jnp.stack([jnp.where(success, q, old[Q]), jnp.where(success, bonus, old[BONUS]), jnp.where(success, e, old[E]),
                         jnp.where(close, 0.0, q_sum), jnp.where(close, 0.0, e_sum), jnp.where(close, 0.0, n), begun,
                         jnp.where(full & (begun > last), 0.0, 1.0)])
    new = jnp.where(learn, learned, old)
    pairs = pairs.at[s, a].set(new)
    return (next_s, transition, agent, pairs, last, total + r), None


def program(p, steps):
    first = np.zeros((p["n"], 2, 8))
    first[:, :, Q], first[:, :, E], first[:, :, LEARN] = p["right"] / (1 - p["gamma"]), p["e0"], 1
    first[:, :, BONUS] = float(bonus_of(p, jnp.float64(p["e0"])))

    def run(transition, agent):
        carry = (jnp.int32(0), transition, agent, jnp.asarray(first), jnp.float64(0), jnp.float64(0))
        carry, _ = jax.lax.scan(lambda c, t: step(p, c, t), carry, jnp.arange(1, steps + 1, dtype=jnp.int32))
        return carry[5]

    return jax.jit(jax.vmap(run))


def ask(farsight, states, preset, steps, runs):
    """What the command says of these runs: the agent with all of its parameters, the mean, the hash of the totals."""
    agent = "directed-delayed-q" + (":preset=practical" if preset == "practical" else f":steps={steps}")
    text = subprocess.run([farsight, "run", "-q", "-e", f"chain:n={states}", "-a", agent, "--runs", str(runs), "--steps", str(steps),
                           "--json", "--seed", "1"], check=True, capture_output=True, text=True).stdout
    return json.loads(text)["cells"][0]


def parameters(spec, states):
    keys = dict(part.split("=") for part in spec.split(":", 1)[1].split(","))
    if (keys["delay"], keys["learn"], keys["clamp"], keys["ties"]) != ("interval", "2009", "on", "random"):
        sys.exit("jax_delayed.py: not the algorithm that is written here")
    p = {k: float(keys[k]) for k in ("gamma", "eps1", "m", "lambda", "eta", "e0", "gamma_e", "rho")}
    return p | {"n": states, "left": 0.001, "right": 1.0, "upto": jnp.uint64(int(0.8 * 2.0**64) - 1),
                "inverse_log_eta": 1 / float(log(jnp.float64(p["eta"])))}


# Where there is no command to ask.
KNOWN = {
    "practical": "d:gamma=0.95,eps1=0.2,m=5,lambda=0.5371244711986517,eta=0.8,e0=0.8,gamma_e=0.99,rho=1.341640786499874,"
                 "delay=interval,learn=2009,clamp=on,ties=random",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--farsight", help="the command: parameters of preset=scaled, and totals to compare with")
    parser.add_argument("--runs", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--states", type=int, default=10)
    parser.add_argument("--preset", choices=["practical", "scaled"], default="practical")
    parser.add_argument("--check", type=int, default=0)
    x = parser.parse_args()
    if not x.farsight and (x.check or x.preset not in KNOWN):
        parser.error("--check and --preset scaled need --farsight")
    known = ask(x.farsight, x.states, x.preset, x.steps, max(x.check, 1)) if x.farsight else {"agent": KNOWN[x.preset]}
    p = parameters(known["agent"], x.states)
    f = program(p, x.steps)
    print(f"JAX {jax.__version__} on {jax.devices()[0]}, chain:n={x.states}, {x.preset}, {x.steps} steps", flush=True)
    if x.check:
        found = np.asarray(f(streams(1, x.check, TRANSITION), streams(1, x.check, AGENT)))
        same = hashlib.sha256(found.astype("<f8").tobytes()).hexdigest() == known["hash"]
        print(f"totals of {x.check} runs: {'the same bits as' if same else 'not the bits of'} the library's; means {found.mean():.6g} "
              f"and {known['mean']:.6g}", flush=True)
    for runs in x.runs:
        given = [jax.device_put(streams(1, runs, purpose)) for purpose in (TRANSITION, AGENT)]
        seconds = []
        for _ in range(3):  # the first compiles
            begun = time.time()
            mean = float(f(*given).mean())
            seconds.append(time.time() - begun)
        print(f"{runs:9d} runs {runs * x.steps / min(seconds[1:]):.3g} steps/s (first call {seconds[0]:.1f} s), mean {mean:.6g}", flush=True)


if __name__ == "__main__":
    main()
