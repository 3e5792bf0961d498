// Exploring by hand: the agents' random numbers, what is hidden, regret, the end, links.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  LOOKS,
  accessFaults,
  button,
  linkOf,
  linkSays,
  module,
  openPage,
  pageTest,
  start,
  stop,
  until,
  visit,
} from "./page.mjs";
import { source } from "./source.mjs";

before(start);
after(stop);

const { best } = await source("core/best.ts");
const farsight = await module();

/** The first steps of an agent's run. */
function traceOf(env, agent, n, { steps = 10000, seed = 1 } = {}) {
  const model = farsight.model(env);
  const player = model.player([agent], { steps, seed });
  const trace = player.trace(n).map(([step]) => step);
  player.free();
  model.free();
  return trace;
}

test("the actions of an agent by hand give the transitions of the agent", () => {
  for (const env of ["chain:n=6", "frozen-lake", "riverswim:n=4,horizon=7", "four-rooms", "taxi", "garnet:states=8"])
    for (const [seed, replicate] of [
      [1, 0],
      [7, 3],
    ]) {
      const model = farsight.model(env);
      const player = model.player(["q-learning:epsilon=0.5"], { steps: 300, seed, replicate });
      const hand = model.hand({ seed, replicate });
      for (const [{ s, a, r, next, done, cut }] of player.trace(300)) {
        assert.equal(hand.state, s, env);
        const { r: mine, next: to, done: end, cut: over } = hand.step(a);
        assert.deepEqual([mine, to, end, over], [r, next, done, cut], env);
      }
      for (const each of [player, hand, model]) each.free();
    }
});

/** The same by another way: memoised recursion over (state, steps of the episode, steps left). */
function bestTotal(model, n) {
  const { horizon, starts, n_actions: m } = model.description;
  const all = model.outcomes();
  const of = new Map();
  for (let i = 0; i < all.length; i += 6) {
    const key = all[i] * m + all[i + 1];
    of.set(key, [...(of.get(key) ?? []), all.subarray(i + 2, i + 6)]);
  }
  const known = new Map();
  const fresh = (left) => starts.reduce((sum, [s, p]) => sum + p * value(s, 0, left), 0);
  function value(s, h, left) {
    const key = `${s} ${h} ${left}`;
    if (left === 0) return 0;
    if (!known.has(key)) {
      const worth = (a) =>
        (of.get(s * m + a) ?? []).reduce((sum, [p, next, r, end]) => {
          const cut = horizon > 0 && h + 1 === horizon;
          return sum + p * (r + (end === 1 || cut ? fresh(left - 1) : value(next, h + 1, left - 1)));
        }, 0);
      known.set(key, Math.max(...Array.from({ length: m }, (_, a) => worth(a))));
    }
    return known.get(key);
  }
  return fresh(n);
}

test("the best expected reward is that of backward induction", () => {
  for (const env of [
    "chain:n=4",
    "frozen-lake",
    "riverswim:n=4,horizon=5",
    "grid:map=S.P/..G,slip=0.3,step=-0.1,horizon=4",
    "loop",
    "bridge:n=2",
  ]) {
    const model = farsight.model(env);
    const { totals, good } = best(model, 12);
    for (const n of [0, 1, 2, 5, 12])
      assert.ok(Math.abs(totals[n] - bestTotal(model, n)) < 1e-12, `${env}, ${n} steps`);
    const { n_states, n_actions } = model.description;
    assert.equal(good.length, n_states * n_actions);
    model.free();
  }
  const chain = farsight.model("chain:n=4,slip=0");
  const { totals, good } = best(chain, 50);
  assert.equal(totals[50], 48); // three steps to the right end: the third pays, and all after it
  assert.deepEqual([...good], [0, 1, 0, 1, 0, 1, 0, 1]);
  chain.free();
  const large = farsight.model("garnet:states=2000");
  assert.equal(best(large, 100000), null);
  large.free();
});

const encoded = (trace) => trace.map(({ a }) => a.toString(36)).join("");
const row = (page, name) =>
  page.locator(".scores tbody tr").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
const numbers = (page, name) => row(page, name).locator("td:not([aria-hidden])").allInnerTexts();
const caption = (page, text) => page.getByText(text, { exact: true }).waitFor();

test("the moves of an agent in a link: its reward and its regret are the reader's", async () => {
  const env = "chain:n=3,slip=0.4"; // rewards often, so that other random numbers would show
  const trace = traceOf(env, "q-learning", 60);
  const page = await openPage({
    link: `view=hand&env=${env}&agent=q-learning&agent=random&turns=100&moves=${encoded(trace)}`,
  });
  await caption(page, "After 60 of 100 steps");
  assert.deepEqual(await numbers(page, "You"), await numbers(page, "q-learning"));
  const model = farsight.model(env);
  const { totals } = best(model, 100);
  const total = trace.reduce((sum, { r }) => sum + r, 0);
  const [reward, regret] = (await numbers(page, "You")).map((text) => Number(text.replace("−", "-"))); // three digits of each
  assert.ok(total > 5);
  assert.ok(Math.abs(reward - total) <= 0.051, `${reward} for ${total}`);
  assert.ok(Math.abs(regret - (totals[60] - total)) <= 0.051, `${regret} for ${totals[60] - total}`);
  model.free();
  await visit(page, `view=hand&env=${env}&agent=delayed-q&turns=100&moves=${encoded(trace)}`); // others beside the same moves
  await row(page, "delayed-q").waitFor();
  assert.equal(await page.getByText("After 60 of 100 steps", { exact: true }).count(), 1);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

pageTest(
  "arrow keys: hidden world, words for a screen reader, moves in the link",
  { link: "view=hand&env=chain:n=6,slip=0" },
  async (page) => {
    const cells = page.locator(".hand-world .known, .hand-world .unknown");
    const told = page.locator(".told[aria-live=polite]");
    await caption(page, "After 0 of 200 steps");
    assert.equal(await cells.count(), 1);
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key); // there is no up
    await caption(page, "After 3 of 200 steps");
    assert.equal(await cells.count(), 3);
    assert.match(await told.innerText(), /Step 3: left, you get to state 1, reward 0\./);
    await until(page, async () => /moves=110(&|$)/.test(await linkOf(page)), "the moves are in the link");
    await page.reload();
    await caption(page, "After 3 of 200 steps");
    assert.equal(await cells.count(), 3);
    await button(page, "Restart").click();
    await caption(page, "After 0 of 200 steps");
    assert.equal(await cells.count(), 1);
    await page.getByRole("combobox", { name: "Environment", exact: true }).focus(); // keys of a field are the field's
    await page.keyboard.press("ArrowDown");
    await linkSays(page, /^(?!.*moves)/); // it is written a little later
  },
);

pageTest("fast keys are not lost", { link: "view=hand&env=chain:n=30,slip=0" }, async (page) => {
  await caption(page, "After 0 of 200 steps");
  for (let k = 0; k < 20; ++k) await page.keyboard.press("ArrowRight");
  await caption(page, "After 20 of 200 steps");
  assert.match(await page.locator(".told").innerText(), /state 20/);
});

pageTest(
  "the end: verdict, the whole world, the same seed, another seed",
  { link: "view=hand&env=grid:map=S.G&turns=5&agent=random" },
  async (page) => {
    await caption(page, "After 0 of 5 steps");
    for (let k = 0; k < 6; ++k) await page.keyboard.press("ArrowRight");
    await caption(page, "After 5 of 5 steps");
    assert.match(await page.locator(".hand-verdict").innerText(), /Your reward is 2, your regret 0\b/); // a goal every second step
    assert.equal(await page.locator(".hand-world .good path").count(), 2);
    assert.equal(await page.getByRole("group", { name: "Actions" }).count(), 0);
    assert.deepEqual(await numbers(page, "best policy, expected"), ["2", "0", ""]);
    await button(page, "Another seed").click();
    await caption(page, "After 0 of 5 steps");
    await until(page, async () => /seed=2/.test(await linkOf(page)), "another seed");
    for (let k = 0; k < 5; ++k) await button(page, "right new here").or(page.locator(".way1_0")).first().click();
    await caption(page, "After 5 of 5 steps");
    await button(page, "Again with this seed").click();
    await caption(page, "After 0 of 5 steps");
    assert.match(await linkOf(page), /seed=2/);
    await page.getByRole("combobox", { name: "Length" }).selectOption("50");
    await caption(page, "After 0 of 50 steps");
  },
);

pageTest("actions without directions: number keys and buttons", { link: "view=hand&env=sixarms" }, async (page) => {
  await caption(page, "After 0 of 200 steps");
  await page.keyboard.press("6");
  await page.keyboard.press("7"); // there are six
  await page.keyboard.press("ArrowRight");
  await caption(page, "After 1 of 200 steps");
  await page.getByRole("button", { name: /^action 2/ }).click();
  await caption(page, "After 2 of 200 steps");
  assert.match(await page.locator(".told").innerText(), /Step 2: action 2/);
});

test("by touch on a phone, and nothing wider than it", async () => {
  for (const look of ["phone", "smallest"]) {
    const page = await openPage({ link: "view=hand&env=grid:slip=0.1", look, theme: "dark" });
    await caption(page, "After 0 of 200 steps");
    await page.getByRole("button", { name: /^right/ }).tap();
    await page.getByRole("button", { name: /^down/ }).tap();
    await caption(page, "After 2 of 200 steps");
    const section = await page.locator("section.hand").boundingBox();
    assert.ok(section.width <= LOOKS[look].viewport.width);
    if (look === "smallest") assert.deepEqual(await accessFaults(page), []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

pageTest(
  "accessible while it goes on and at the end",
  { link: "view=hand&env=garnet:states=30&moves=13" },
  async (page) => {
    await caption(page, "After 2 of 200 steps");
    assert.deepEqual(await accessFaults(page), []);
    await visit(page, "view=hand&env=frozen-lake&turns=3&moves=120");
    await caption(page, "After 3 of 3 steps");
    assert.deepEqual(await accessFaults(page), []);
  },
);

pageTest(
  "moves that do not exist are left out, and said",
  { link: "view=hand&env=chain:n=5&moves=1z1" },
  async (page) => {
    await caption(page, "After 1 of 200 steps");
    await page.getByText("some moves of the link do not fit").waitFor();
    await until(page, async () => /moves=1(&|$)/.test(await linkOf(page)), "the moves that were made are in the link");
    await visit(page, "view=hand&env=chain:n=5&turns=0&moves=%3Cb%3E");
    await page.getByText("the link's turns must be a whole number from 1 to 1,000").waitFor();
    await page.getByText("the link's moves are not those of a run by hand").waitFor();
    await caption(page, "After 0 of 200 steps");
  },
);

pageTest("a world that the library refuses", { link: "view=hand&env=grid:map=..G" }, async (page) => {
  await page.locator("section.hand [role=alert]").getByText("the map needs at least one S").waitFor();
  await visit(page, "view=hand&env=chain:n=5");
  await caption(page, "After 0 of 200 steps");
});
