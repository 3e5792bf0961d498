// The module in Node: golden hashes, and its interface beside the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { before, describe, test } from "node:test";
import { QUANTITIES, load } from "../../ports/wasm/farsight.mjs";
import { checkGolden } from "./golden.mjs";
import { command, golden, grids, refused, skip, wasm } from "./inputs.mjs";

const native = (...words) => JSON.parse(execFileSync(command, [...words, "--json"], { encoding: "utf8" }));
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

let farsight;
before(async () => {
  farsight = await load(wasm);
});

/** Does something with a model, and frees it. */
function withModel(spec, use) {
  const model = farsight.model(spec);
  try {
    return use(model);
  } finally {
    model.free();
  }
}

test("golden hashes", () => {
  assert.equal(farsight.about.numerics, golden.numerics);
  const { cells, faults } = checkGolden(farsight, grids(), golden.hashes);
  assert.deepEqual(faults, []);
  assert.equal(cells, Object.keys(golden.hashes).length);
});

test("the module imports nothing but functions of WASI and SQLite", () => {
  const wanted = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  const known = ["wasi_snapshot_preview1", "sqlite"];
  assert.deepEqual(
    wanted.filter((each) => !known.includes(each.module) || each.kind !== "function"),
    [],
  );
});

describe("the same documents as the command", { skip }, () => {
  test("lists of agents, environments, metrics, theorems", () => {
    for (const kind of ["agents", "environments", "metrics", "theorems"])
      assert.deepEqual(farsight[kind], native("list", kind === "environments" ? "envs" : kind), kind);
  });

  for (const spec of ["riverswim", "riverswim:gamma=0.9", "chain:n=4,horizon=6", "frozen-lake:average=on"])
    test(`the exact solution of ${spec}, by its own criterion`, () =>
      withModel(spec, (model) => {
        const document = model.solve(),
          { v, q, policy, gain } = model.values();
        assert.deepEqual(document, native("solve", "-e", spec));
        const { v: values = document.bias } = document; // with a horizon also those after its last step
        assert.deepEqual(Array.from(v), values.slice(0, document.horizon ?? values.length).flat());
        assert.deepEqual(Array.from(policy), document.policy.flat());
        if (document.q) assert.deepEqual(Array.from(q), document.q.flat());
        assert.equal(gain, document.gain ?? NaN);
      }));

  test("guarantees", () => {
    withModel("chain:n=10,gamma=0.9", (model) => {
      assert.deepEqual(
        model.guarantees({ eps: 0.5 }),
        native("pac", "-e", "chain:n=10", "--eps", "0.5", "--gamma", "0.9"),
      );
    });
    withModel("chain:n=10", (model) => {
      assert.deepEqual(
        model.guarantees({ theorem: "delayed-q" }),
        native("pac", "delayed-q", "-e", "chain:n=10", "--explain"),
      );
    });
  });
});

describe("what counts", () => {
  test("in the description", () => {
    for (const [spec, gamma, horizon, average] of [
      ["chain", 0.95, 0, false],
      ["chain:gamma=0.8", 0.8, 0, false],
      ["chain:horizon=20", 0.95, 20, false],
      ["chain:average=on", 0.95, 0, true],
    ])
      withModel(spec, ({ description }) =>
        assert.deepEqual(
          [description.gamma, description.horizon, description.average],
          [gamma, horizon, average],
          spec,
        ),
      );
  });

  test("another discount is a question of its own", () =>
    withModel("chain:n=4,horizon=6", (model) =>
      withModel("chain:n=4,gamma=0.8", (other) => {
        const [{ v, gain }, own] = [model.values(0.8), other.values()];
        assert.deepEqual(v, own.v);
        assert.ok(Number.isNaN(gain));
      }),
    ));

  test("values of a horizon are those of every step", () =>
    withModel("chain:n=4,slip=0,left=0,horizon=6", (model) => {
      const { v, q, policy } = model.values();
      assert.deepEqual([v.length, q.length, policy.length], [4 * 6, 4 * 2 * 6, 4 * 6]);
      const best = (h, s) => Math.max(0, 6 - h - Math.max(0, 2 - s)); // a reward for each step from the arrival on
      for (let h = 0; h < 6; ++h)
        for (let s = 0; s < 4; ++s) {
          assert.equal(v[4 * h + s], best(h, s));
          assert.equal(Math.max(q[8 * h + 2 * s], q[8 * h + 2 * s + 1]), best(h, s));
          assert.equal(q[8 * h + 2 * s + policy[4 * h + s]], best(h, s));
        }
    }));

  test("values of a long horizon are refused, with a reason", () =>
    withModel("chain:n=50,horizon=1000000", (model) =>
      assert.throws(() => model.values(), refused("range", /1000000/)),
    ));

  test("where the average reward counts, values are relative", () =>
    withModel("riverswim:average=on", (model) => {
      const { v, q, policy, gain } = model.values();
      assert.ok(Math.abs(gain - 0.0669) < 1e-4);
      v.forEach((value, s) => {
        const [most, chosen] = [Math.max(q[2 * s], q[2 * s + 1]), q[2 * s + policy[s]]];
        assert.ok(Math.abs(value - most) < 1e-4 && chosen === most, `state ${s}`);
      });
    }));

  test("the discount that an agent plans with", () => {
    for (const [spec, agent, gamma] of [
      ["chain", "q-learning", 0.95],
      ["chain:gamma=0.8", "q-learning", 0.8],
      ["chain:gamma=0.8", "q-learning:gamma=0.9", 0.9],
      ["chain", "random", NaN],
      ["chain", "optimal", 0.95],
      ["chain:average=on", "optimal", NaN],
    ])
      withModel(spec, (model) => {
        const player = model.player([agent], { steps: 10 });
        assert.equal(player.lane(0).state.gamma, gamma, `${agent} in ${spec}`);
        player.free();
      });
  });

  test("agents are told the length of the run", () =>
    withModel("chain:n=10", (model) => {
      const agent = "directed-delayed-q";
      const told = [100, 1000000].map((steps) => model.resolve(agent, { steps }).spec);
      assert.notEqual(told[0], told[1]);
      const player = model.player([agent], { steps: 1000000 });
      assert.equal(player.lane(0).spec, told[1]);
      player.free();
      const batch = model.batch([agent], { steps: 100, runs: 1 });
      while (!batch.work());
      assert.equal(batch.results().cells[0].agent, told[0]);
      batch.free();
    }));

  test("numbers of an agent that plans by steps, at any step of the episode", () =>
    withModel("chain:n=4,horizon=6", (model) => {
      const player = model.player(["ucb-h", "q-learning"], { steps: 60 });
      player.play(21);
      const [planner, other] = [player.lane(0), player.lane(1)];
      assert.equal(planner.state.step, 3);
      assert.ok(Number.isNaN(other.state.step));
      assert.deepEqual(planner.values("q"), planner.values("q", 3));
      assert.notDeepEqual(planner.values("q"), planner.values("q", 0));
      assert.deepEqual(planner.values("policy"), planner.values("policy", 3));
      assert.equal(planner.values("q", 6), null); // there is no such step
      player.free();
    }));
});

describe("models", () => {
  test("described, with a layout", () =>
    withModel("frozen-lake", ({ description }) => {
      assert.equal(description.n_states, 16);
      assert.deepEqual(description.starts, [[0, 1]]);
      assert.deepEqual(description.terminal, [5, 7, 11, 12, 15]);
      assert.equal(description.layout.kind, "grid");
      assert.deepEqual([description.layout.x[6], description.layout.y[6]], [2.5, 1.5]);
      assert.equal(description.layout.labels[0], "S");
      assert.deepEqual(description.layout.actions, ["left", "down", "right", "up"]);
    }));

  test("outcomes", () =>
    withModel("frozen-lake", (model) => {
      const all = model.outcomes();
      const mass = new Map();
      for (let i = 0; i < all.length; i += 6)
        mass.set(all[i] * 4 + all[i + 1], (mass.get(all[i] * 4 + all[i + 1]) ?? 0) + all[i + 2]);
      assert.equal(mass.size, 11 * 4);
      for (const total of mass.values()) assert.ok(Math.abs(total - 1) < 1e-12);
    }));

  test("to the text of a file and back", () =>
    withModel("riverswim", (model) => {
      for (const format of ["cassandra", "drn", "json"]) {
        const again = farsight.readModel(model.print(format));
        assert.equal(again.description.hash, model.description.hash, format);
        again.free();
      }
    }));

  test("built", () => {
    const builder = farsight.builder(2, 1).outcome(0, 0, 0.9, 0, 0).outcome(0, 0, 0.1, 1, 1).terminal(1).start(0);
    const model = builder.layout("line", 2, 1).place(0, 0.5, 0.5, "S").place(1, 1.5, 0.5).arrow(0, 1, 0, "go").finish();
    assert.deepEqual(model.description.layout.labels, ["S", ""]);
    assert.ok(Math.abs(model.values(0.5).v[0] - 0.1 / (1 - 0.45)) < 1e-6);
    model.free();
  });

  test("refused, with a place in the text", () => {
    assert.throws(
      () => farsight.model("chain:n=10,slpi=0.2"),
      (error) => {
        refused("unknown", /slip/)(error);
        assert.equal(error.position, "chain:n=10,".length);
        return true;
      },
    );
    assert.throws(() => farsight.readModel(new Uint8Array([0xff, 0x00, 0x7b])), refused("format", /./));
    assert.throws(() => farsight.builder(2, 1).outcome(5, 0, 1, 0, 0), refused("range", /./));
    assert.throws(() => farsight.model("file:model.mdp"), refused("io", /no files/));
    assert.throws(() => farsight.model("chain:n=20000000"), refused("memory", /./));
  });

  test("an agent's spec and its warnings", () =>
    withModel("chain", (model) => {
      const found = model.resolve("directed-delayed-q:preset=practical");
      assert.match(found.spec, /^directed-delayed-q:gamma=0.95,eps1=/);
      assert.ok(found.warnings.length > 0 && typeof found.warnings[0].message === "string");
      assert.throws(() => model.resolve("q-learning:alpha=2"), refused("range", /alpha/));
    }));
});

describe("a run, watched", () => {
  const agents = ["directed-delayed-q", "q-learning", "dora", "r-max", "optimal"];
  const withPlayer = (spec, options, use) =>
    withModel(spec, (model) => {
      const player = model.player(agents, options);
      use(player, model);
      player.free();
    });
  const everything = (player) =>
    agents.map((_, k) => [
      player.lane(k).state,
      player.lane(k).curve(),
      ...QUANTITIES.map((quantity) => player.lane(k).values(quantity)),
    ]);

  test("its totals are those of a batch", () =>
    withPlayer("frozen-lake", { steps: 2000, seed: 5, replicate: 3 }, (player, model) => {
      while (player.t < 2000) player.play(2000, 0.001);
      const batch = model.batch(agents, { steps: 2000, runs: 4, seed: 5, points: 0 });
      while (!batch.work(0.001));
      agents.forEach((_, k) => assert.equal(player.lane(k).state.total, batch.totals(k)[3]));
      batch.free();
    }));

  test("back and forth it shows the same", () =>
    withPlayer("riverswim", { steps: 5000 }, (player) => {
      player.seek(777);
      const then = everything(player);
      player.play(4000);
      player.seek(100);
      player.seek(777);
      assert.deepEqual(everything(player), then);
    }));

  test("transitions", () =>
    withPlayer("frozen-lake", { steps: 500 }, (player, model) => {
      const trace = player.trace(1000);
      assert.equal(trace.length, 500); // to the end
      agents.forEach((_, k) => assert.equal(sum(trace.map((step) => step[k].r)), player.lane(k).state.total));
      const visits = player.lane(0).values("visits");
      assert.equal(sum(visits), 500);
      const hand = model.hand(); // the same actions by hand meet the same random numbers
      for (const step of trace) {
        const { s, a, r, next } = step[1];
        assert.equal(hand.state, s);
        assert.deepEqual(
          [hand.step(a)].map((each) => [each.r, each.next]),
          [[r, next]],
        );
      }
      hand.free();
    }));

  test("a trace that memory has no room for", () =>
    withPlayer("frozen-lake", { steps: 2 ** 40 }, (player) => {
      const each = 6 * agents.length; // numbers of a step, and so many steps that 32 bits count a few numbers in all
      assert.throws(() => player.trace(Math.ceil(2 ** 32 / each)), refused("memory", /no memory/));
      assert.equal(player.trace(3).length, 3);
    }));

  test("numbers of all pairs", () =>
    withPlayer("chain:n=6", { steps: 300 }, (player) => {
      player.play(300);
      const policy = player.lane(0).values("policy");
      for (let s = 0; s < 6; ++s) assert.equal(policy[2 * s] + policy[2 * s + 1], 1);
      assert.ok(
        player
          .lane(0)
          .values("learn")
          .every((flag) => flag === 0 || flag === 1),
      );
      assert.equal(player.lane(1).values("e"), null);
      const [q, value] = [player.lane(1).values("q"), player.lane(1).values("value")];
      assert.deepEqual(
        Array.from(value),
        [0, 1, 2, 3, 4, 5].map((s) => Math.max(q[2 * s], q[2 * s + 1])),
      );
      assert.equal(player.lane(0).curve().length * player.lane(0).state.stride, 300);
    }));

  test("the next update", () =>
    withPlayer("chain:n=6", { steps: 300 }, (player) => {
      const { agent, kind, s, a, before: old, after } = player.update();
      assert.notEqual(old, after);
      assert.equal(player.lane(agent).values(kind)[2 * s + a], after);
    }));

  test("an agent as a saved file", () =>
    withPlayer("chain:n=6", { steps: 300 }, (player) => {
      const [early, late] = [player.lane(0).save(), player.play(300) && player.lane(0).save()];
      assert.ok(early.length > 100 && Buffer.compare(early, late) !== 0);
    }));

  test("figures", () =>
    withPlayer("frozen-lake", { steps: 300 }, (player) => {
      player.play(300);
      for (const quantity of QUANTITIES) assert.match(player.lane(0).figure(quantity), /^<svg .*<\/svg>\s*$/s);
      assert.throws(() => player.lane(1).figure("e"), refused("unknown", /./));
      const inline = player.lane(0).figure("q", { id: "first" });
      assert.match(inline, /id="first/);
      assert.doesNotMatch(inline, /<style/);
      assert.match(farsight.figureStyle("dark", ".dark "), /^\.dark /m);
    }));

  test("refused", () =>
    withModel("chain", (model) => {
      assert.throws(() => model.player(["q-lerning"]), refused("unknown", /q-learning/));
      for (const spec of ["", "q-learning\nrandom"])
        assert.throws(() => model.player([spec]), refused("syntax", /one line/));
      assert.throws(() => model.player([]), refused("range", /agents/));
      assert.throws(() => model.player(["q-learning"], { steps: 0 }), refused("range", /./));
      assert.throws(() => model.batch(["q-learning"], { runs: 0 }), refused("range", /run/));
      assert.throws(() => model.batch(["ucb-h"]), refused("conflict", /horizon/));
    }));
});

describe("many runs", () => {
  const agents = ["directed-delayed-q", "q-learning"];

  test("any slices give the same", () =>
    withModel("chain:n=10", (model) => {
      const found = [0, 0.0001, 0.01, Infinity].map((seconds) => {
        const batch = model.batch(agents, { steps: 1000, runs: 30, points: 20 });
        while (!batch.work(seconds));
        const { cells } = batch.results();
        batch.free();
        return cells.map(({ seconds: _, ...rest }) => rest);
      });
      for (const each of found) assert.deepEqual(each, found[0]);
      assert.deepEqual(
        found[0][0].points.map(([step]) => step),
        Array.from({ length: 20 }, (_, k) => 50 * (k + 1)),
      );
      assert.equal(found[0][1].points[19][1], found[0][1].mean);
    }));

  test("results and figures on the way", () =>
    withModel("chain:n=10", (model) => {
      const batch = model.batch(agents, { steps: 1000, runs: 30, points: 20 });
      assert.throws(() => batch.results(), refused("range", /no run/));
      batch.work(0);
      assert.deepEqual(
        batch.results().cells.map(({ index, runs, std }) => [index, runs, std]),
        [[0, 1, null]],
      );
      assert.match(batch.figure(), /^<svg .*<\/svg>\s*$/s);
      batch.work();
      const { cells } = batch.results();
      assert.deepEqual(
        cells.map((cell) => cell.runs),
        [30, 30],
      );
      assert.ok(Math.abs(sum(batch.totals(1)) / 30 - cells[1].mean) < 1e-9);
      assert.match(batch.figure({ perStep: true, theme: "dark" }), /q-learning/);
      batch.free();
    }));
});

test("memory is given back", () => {
  const round = () =>
    withModel("frozen-lake:map=8x8", (model) => {
      const player = model.player(["directed-delayed-q", "psrl"], { steps: 500 });
      player.play(500);
      player.lane(0).figure("q");
      player.free();
      const batch = model.batch(["q-learning"], { steps: 500, runs: 20 });
      batch.work();
      batch.figure();
      batch.free();
      model.solve();
    });
  for (let i = 0; i < 5; ++i) round();
  const before = farsight.memory;
  for (let i = 0; i < 20; ++i) round();
  assert.equal(farsight.memory, before);
});
