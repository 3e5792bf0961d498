// Every number in the texts of the tour, computed again from the experiment that the stop shows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { module } from "./page.mjs";
import { source } from "./source.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

const { stops } = await source("tour/stops.ts");
const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
const numbers = (text) => (text.match(NUMBER) ?? []).map((each) => each.replace(/,$/, ""));
const plain = (text) => Number(text.replaceAll(",", ""));
const mean = (all) => all.reduce((sum, each) => sum + each, 0) / all.length;

/** A stop, its experiment, and which numbers of its text have been accounted for. */
class Facts {
  constructor(farsight, stop) {
    Object.assign(this, stop);
    this.farsight = farsight;
    this.model = stop.setup.model ? farsight.readModel(stop.setup.model.text) : farsight.model(stop.setup.env);
    this.known = new Set(
      [
        String(stop.setup.steps),
        String(stop.setup.runs),
        ...numbers([stop.setup.env, ...stop.setup.agents].join(" ")),
      ].map(Number),
    );
    this.text = [stop.lead, stop.question, ...stop.choices, stop.answer, stop.look, ...stop.names].join("\n");
  }

  /** Says that `text`, a number as it is printed in the stop, is `value`, rounded as printed. */
  is(text, value) {
    assert.ok(numbers(this.text).includes(text), `${this.id} does not print ${text}`);
    const digits = text.split(".")[1]?.length ?? 0;
    assert.equal(value.toFixed(digits), plain(text).toFixed(digits), `${this.id}: ${text}`);
    this.known.add(plain(text));
  }

  /** Numbers that are names or plain arithmetic, checked by the reader of this file. */
  given(...texts) {
    for (const text of texts) this.known.add(plain(text));
  }

  says(text) {
    assert.ok(this.text.includes(text), `${this.id} does not say: ${text}`);
  }

  /** All numbers of the texts are accounted for. */
  done() {
    assert.deepEqual(
      numbers(this.text).filter((each) => !this.known.has(plain(each))),
      [],
      this.id,
    );
    this.model.free();
  }

  /** Totals of all runs, of each agent (of others than those of the stop, if they are given). */
  totals(agents = this.setup.agents) {
    const { steps, runs, seed } = this.setup;
    const batch = this.model.batch(agents, { steps, runs, seed: BigInt(seed), points: 1 });
    batch.work();
    const all = agents.map((_, k) => Array.from(batch.totals(k)));
    batch.free();
    return all;
  }

  means(agents) {
    return this.totals(agents).map(mean);
  }

  /** The run that the page shows, as long as `use` looks at it. */
  shown(use, { agents = this.setup.agents, replicate = 0 } = {}) {
    const { steps, seed } = this.setup;
    const player = this.model.player(agents, { steps, seed: BigInt(seed), replicate });
    try {
      return use(player);
    } finally {
      player.free();
    }
  }

  /** The step at which an agent's Q changes for the first time. */
  firstUpdate(agent) {
    return this.shown(
      (player) => {
        for (let found = player.update(); found !== null; found = player.update())
          if (found.kind === "q") return player.t;
        return Infinity;
      },
      { agents: [agent] },
    );
  }

  gainOf(agent) {
    return this.means([agent])[0];
  }
}

let farsight;
before(async () => {
  farsight = await module();
});

/** Checks a stop: `right` returns the index of the choice that the experiment shows to be right. */
function check(id, right) {
  test(id, () => {
    const stop = stops.find((each) => each.id === id);
    const facts = new Facts(farsight, stop);
    const index = right(facts);
    assert.equal(stop.right, index);
    facts.done();
  });
}

const pairs = (values, m) =>
  Array.from({ length: values.length / m }, (_, s) => values.subarray(s * m, s * m + m).reduce((a, b) => a + b, 0));

test("ten stops with distinct names, each with a question", () => {
  assert.equal(stops.length, 10);
  assert.equal(new Set(stops.map(({ id }) => id)).size, 10);
  for (const { id, lead, question, choices, right, answer, look, setup, names } of stops) {
    assert.match(id, /^[a-z0-9-]{1,40}$/);
    assert.ok(choices.length >= 2 && choices.length <= 4 && right >= 0 && right < choices.length, id);
    assert.ok(setup.agents.length >= 1 && setup.agents.length <= 4, id);
    assert.equal(names.length, setup.agents.length, id);
    assert.equal(new Set(names).size, names.length, id);
    const words = answer.split(/\s+/).length;
    assert.ok(words >= 60 && words <= 130, `${id}: ${words} words`);
    for (const text of [lead, question, look, answer])
      assert.equal((text.match(/\*/g) ?? []).length % 2, 0, `${id}: emphasis that does not end`);
  }
  assert.equal(new Set(stops.map(({ right }) => right)).size, 3, "the right choice is not always at the same place");
});

describe("the texts", () => {
  check("greedy", (f) => {
    const [learner, random, best] = f.totals();
    const wins = learner.filter((total, run) => total > random[run]).length;
    f.is("10", wins);
    const rest = learner.filter((total, run) => total <= random[run]);
    f.is("90", rest.length);
    f.is("7.1", Math.max(...rest));
    f.is("190", mean(random));
    f.is("7,439", mean(best));
    const farthest = f.shown(
      (player) => (player.play(f.setup.steps), pairs(player.lane(0).values("visits"), 2).findLastIndex((n) => n > 0)),
    );
    f.is("23", farthest);
    f.given("1", "0.001"); // rewards of the ends
    assert.deepEqual([f.model.description.reward_min, f.model.description.reward_max], [0, 1]);
    return wins > 80 ? 0 : wins > 30 ? 1 : 2;
  });

  check("counting", (f) => {
    const [counting, greedy] = f.totals();
    f.is("7,439", f.gainOf("optimal"));
    f.is("4,314", mean(counting));
    f.is("487", mean(greedy));
    f.is("99", counting.filter((total) => total > 10).length); // above all that the left end can pay
    f.is("1.6", Math.min(...counting));
    f.is("7,085", Math.max(...counting));
    f.given("1", "5", "500", "4,300", "7,300"); // 1/√n; stop 5; choices
    assert.equal(stops[4].id, "e-values");
    const nearest = [500, 4300, 7300].map((each) => Math.abs(each - mean(counting)));
    return nearest.indexOf(Math.min(...nearest));
  });

  check("delay", (f) => {
    const all = f.means();
    ["2,434", "6,692", "4,850", "1,130"].forEach((text, k) => f.is(text, all[k]));
    f.is("7,488", f.gainOf("optimal"));
    f.is("996", f.gainOf("random"));
    f.is("20", f.model.description.n_states * f.model.description.n_actions);
    f.is("500", f.setup.steps / 20);
    f.is("8,541", f.firstUpdate(f.setup.agents[3]));
    const { v } = f.model.values();
    const forgotten = f.shown(
      (player) => (player.play(f.setup.steps), Math.max(...player.lane(0).values("q").subarray(0, 18))),
    );
    assert.ok(forgotten < 0.01, `${forgotten}`);
    f.is("7.9", Math.min(...v));
    f.says("maximum of 20");
    f.given("0", "8", "0.01", "10"); // states 0 to 8; the bound; stop 10
    assert.equal(stops[9].id, "theorem");
    return all.indexOf(Math.max(...all));
  });

  check("intervals", (f) => {
    const [plain_, intervals] = f.means();
    f.is("4,326", plain_);
    f.is("6,646", intervals);
    const row = (path, start) =>
      plain(
        read(path)
          .split("\n")
          .find((line) => line.startsWith(start))
          .split(",")
          .at(-2),
      );
    const paper = {
      delayed: row("examples/reproduction/paper-delayed-q.csv", "chain:n=10,"),
      directed: row("examples/reproduction/paper-directed.csv", "chain:n=10,0.99"),
    };
    f.is("4,325", paper.delayed);
    f.is("7,090", paper.directed);
    const share = (intervals - plain_) / (paper.directed - plain_);
    f.is("84", 100 * share);
    f.is("1", f.firstUpdate(f.setup.agents[1]));
    f.is("939", f.firstUpdate(f.setup.agents[0]));
    assert.ok(Math.abs(0.1154 - 0.014 * Math.sqrt(68)) < 1e-4); // the margin is ε1 when the window is full
    return share < 0.1 ? 0 : share < 0.4 ? 1 : share < 0.95 ? 2 : 3;
  });

  check("e-values", (f) => {
    const [counts, looking] = f.totals();
    f.is("0.35", mean(counts));
    assert.equal(Math.max(...counts), 1);
    f.is("573", mean(looking));
    f.is("714", f.gainOf("optimal"));
    f.is("16,384", 2 ** 14);
    f.shown((player) => {
      player.play(f.setup.steps);
      const visits = player.lane(0).values("visits");
      f.is("2,500", visits[0]);
      f.is("2,500", visits[1]);
      const e = player.lane(0).values("e");
      assert.ok(
        e[0] < 1e-50 && e[1] < 1e-50 && e[26] > 0.8 && e[27] > 0.8,
        "E of a counter: 0 at the start, 1 at the end",
      );
      player.seek(1000);
      assert.ok(
        player.lane(0).values("e")[0] < 1e-10 && player.lane(1).values("e")[0] > 0.4,
        "E-values stay high at the start",
      );
      const outcomes = f.model.outcomes(); // six numbers each: s, a, probability, next, ...
      const right = outcomes[3] === 1 ? outcomes[1] : 1 - outcomes[1];
      const there = player.lane(1).values("visits");
      f.is("166", there[right]);
      f.is("71", there[1 - right]);
      const opened = [292, 293].map((t) => (player.seek(t), player.lane(1).state.total));
      assert.deepEqual(opened, [0, 1]);
    });
    f.given("1", "0", "1,000", "293"); // the reward; the first E; steps that were checked above
    return Math.max(...counts) > 1 ? 1 : mean(looking) > 100 ? 0 : 2;
  });

  check("gamma-e", (f) => {
    const all = f.totals();
    const [d0, d9, p0, p9] = all.map(mean);
    ["6", "603", "508", "512"].forEach((text, k) => f.is(text, mean(all[k])));
    f.is("666", f.gainOf("optimal"));
    f.is("501", f.gainOf("directed-delayed-q:lambda=0"));
    const gain = all[3].map((total, run) => total - all[2][run]);
    const error = Math.sqrt(mean(gain.map((each) => (each - (p9 - p0)) ** 2)) / gain.length);
    assert.ok(Math.abs(p9 - p0) < 2 * error, "no difference beyond the noise");
    f.shown((player) => {
      player.play(f.setup.steps);
      assert.deepEqual(player.lane(2).values("visits"), player.lane(3).values("visits"));
      const there = pairs(player.lane(0).values("visits"), 2).at(-1);
      f.is("12", there);
      for (const k of [1, 2, 3]) assert.ok(pairs(player.lane(k).values("visits"), 2).at(-1) > 1000);
    });
    const study = read("docs/directed.md");
    assert.match(study, /21 test problems/);
    assert.match(study, /gains \+34\.0 ± 3\.5\s+points by exploration values with γ_E = 0\.9/);
    assert.match(study, /test problems, all parameters searched alike \| −2\.1 ± 3\.2/);
    f.given("21", "34", "100", "0", "0.9");
    const gains = [d9 > 2 * d0, p9 - p0 > 2 * error];
    return gains[0] ? (gains[1] ? 0 : 2) : gains[1] ? 1 : 3;
  });

  check("learn-flag", (f) => {
    const file = farsight.readModel(read("examples/models/lockup.json"));
    assert.equal(f.model.description.hash, file.description.hash);
    file.free();
    const { steps } = f.setup;
    const [proved, printed] = f.totals();
    const locked = printed.filter((total) => total < 0.6 * steps).length;
    f.is("56", locked);
    assert.ok(Math.min(...proved, ...printed.filter((total) => total >= 0.6 * steps)) > 0.97 * steps);
    f.shown((player) => {
      const look = (t, k) => (
        player.seek(t),
        [...player.lane(k).values("learn")].join("") + [...player.lane(k).values("q")].join()
      );
      const at = 2; // state 1, action 0
      const learn = (t, k) => (player.seek(t), player.lane(k).values("learn")[at]);
      const q = (t, k) => (player.seek(t), player.lane(k).values("q")[at]);
      f.says("fails at step 36");
      assert.deepEqual([learn(35, 1), learn(36, 1), learn(36, 0)], [1, 0, 1]);
      f.says("succeeds at step 42");
      assert.ok(q(42, 0) < q(41, 0));
      f.says("at step 41 the next one");
      player.seek(40);
      const before_ = [...player.lane(1).values("learn")];
      player.seek(41);
      assert.equal(
        player
          .lane(1)
          .values("learn")
          .filter((on, i) => on !== before_[i]).length,
        1,
      );
      assert.equal(look(41, 1), look(steps, 1)); // no number ever changes again
      player.seek(100);
      const half = [0, 1].map((k) => player.lane(k).state.total);
      player.seek(steps);
      f.is("0.5", (player.lane(1).state.total - half[1]) / (steps - 100));
      f.is("1", (player.lane(0).state.total - half[0]) / (steps - 100));
    });
    f.given("2009", "1", "0", "36", "42", "41", "30"); // the rule's year, Algorithm 1, state 1, flags, and the steps that were checked above
    return locked === 0 ? 0 : locked === printed.length ? 2 : 1;
  });

  check("print-and-proof", (f) => {
    const most = 1 / (1 - f.model.description.gamma);
    f.is("15.53", most);
    const [off, on] = f.means();
    f.is("6,661", off);
    f.is("2,107", on);
    const largest = (replicate, every) =>
      f.shown(
        (player) => {
          let found = 0;
          while (player.t < f.setup.steps && (every === 1 || found <= most))
            found = Math.max(found, ...(player.play(every), player.lane(0).values("q")));
          return found;
        },
        { replicate, agents: f.setup.agents.slice(0, 1) },
      );
    f.is("16.44", largest(0, 1));
    for (let run = 0; run < f.setup.runs; ++run) assert.ok(largest(run, 50) > most + 1e-6, `run ${run}`);
    f.shown(
      (player) => (
        player.play(f.setup.steps),
        assert.ok(Math.max(...player.lane(1).values("q")) <= most * (1 + 1e-12))
      ),
    );
    const allowed = Number(
      /lambda=([\d.]+)/.exec(f.model.resolve("directed-delayed-q:preset=theory,eps1=0.02319,m=2,rho=1.46").spec)[1],
    );
    f.is("0.028", allowed);
    assert.ok(3.097 / allowed > 100);
    return largest(0, 50) > most ? 0 : 1;
  });

  check("tables", (f) => {
    const all = f.means();
    ["5,534", "396", "5,796", "5,930"].forEach((text, k) => f.is(text, all[k]));
    const paper = read("examples/reproduction/paper-directed.csv");
    const row = (g) =>
      plain(
        paper
          .split("\n")
          .find((line) => line.startsWith(`chain:n=50,${g}`))
          .split(",")[2],
      );
    f.is("5,581", row("0.99"));
    f.is("691", row("0.25"));
    const delayed = plain(
      read("examples/reproduction/paper-delayed-q.csv")
        .split("\n")
        .find((line) => line.startsWith("chain:n=50"))
        .split(",")[1],
    );
    f.is("532", delayed);
    const eta = 1 - 0.02319; // the bonus before and after the first update of a pair: E is η, then at most γ_E η
    assert.ok(
      1 - 1 / Math.sqrt(Math.log(0.25 * eta) / Math.log(eta)) > 0.85,
      "the first update spends most of the bonus",
    );
    const page_ = read("docs/reproduction.md");
    assert.match(page_, /The totals of the five lie within two per cent/);
    for (const tuned of f.setup.agents.slice(2)) {
      // the settings of 'Tuned with equal effort'
      const keys = tuned.slice(tuned.indexOf(":") + 1).split(",");
      assert.ok(
        page_
          .split("\n")
          .some((line) => line.startsWith("| `tune-delayed-q") && keys.every((key) => line.includes(key))),
        tuned,
      );
    }
    f.given("2", "530"); // Table 2; a choice
    const best = row("0.99");
    return Math.min(all[2], all[3]) > best ? 2 : all[2] > 1000 ? 1 : 0;
  });

  check("theorem", (f) => {
    const [theorem] = f.model.guarantees({ theorem: "directed-delayed-q" }).theorems; // as the page of theorems shows it
    f.is("3.6", theorem.bound / 1e16);
    const years = theorem.bound / 1e7 / (365.25 * 86400);
    assert.ok(years > 100 && years < 150, `${years}`);
    const { gamma, eps, delta } = f.model.guarantees().problem;
    f.is("0.95", gamma);
    f.is("2", eps);
    f.is("0.1", delta);
    const m = Number(/,m=(\d+)/.exec(f.model.resolve(f.setup.agents[0]).spec)[1]);
    f.is("191", m / 1e6);
    const all = f.means();
    ["391,843", "749,511", "99,564"].forEach((text, k) => f.is(text, all[k]));
    const first = f.firstUpdate(f.setup.agents[0]);
    f.is("145,740", first);
    assert.ok(first > 10000);
    f.shown((player) => (player.seek(first - 1), assert.ok(Math.min(...player.lane(0).values("n")) > 7000)), {
      agents: f.setup.agents.slice(0, 1),
    });
    f.given("10,000", "7,000", "1", "10", "4", "40"); // the length of the paper's runs; checked above; 1 − δ; 10¹⁶; a choice
    assert.match(f.model.resolve("directed-delayed-q").spec, /gamma=0\.95/);
    return Math.abs(theorem.bound / 4e16 - 1) < 0.1 ? 2 : theorem.bound > 1e6 ? 1 : 0;
  });
});
