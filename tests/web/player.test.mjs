// The player: every control, with the numbers of the same module in Node.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import {
  atStep,
  button,
  factsOf,
  lane,
  linkSays,
  module,
  openPage,
  pageTest,
  slider,
  start,
  stepOf,
  stop,
  until,
  visit,
} from "./page.mjs";
import { source } from "./source.mjs";

const { short } = await source("ui/draw.ts");
let farsight;
before(async () => {
  farsight = await module();
  await start();
});
after(stop);

const choose = (page, name, option) => page.getByRole("combobox", { name, exact: true }).selectOption(option);

/** What the module in Node says at step t. */
function native({ env, agents, steps = 10000, seed = 1, replicate = 0 }, t) {
  const model = farsight.model(env);
  const player = model.player(agents, { steps, seed, replicate });
  player.seek(t);
  const lanes = agents.map((_, k) => {
    const of = player.lane(k);
    return {
      ...of.state,
      q: of.values("q"),
      visits: of.values("visits"),
      policy: of.values("policy"),
      value: of.values("value"),
    };
  });
  const { description } = model;
  player.free();
  model.free();
  return { description, lanes };
}

/** The totals that the page shows at step t are those of Node. Step and totals are asked for together: the page may stand at that
 * step of the run before, which it is about to leave. */
async function sameTotals(page, run, t) {
  const { lanes } = native(run, t);
  const wanted = lanes.map((lane) => short(lane.total));
  const shown = async () => Promise.all(run.agents.map(async (name) => (await factsOf(page, name)).reward));
  const same = async () => (await stepOf(page)) === t && isDeepStrictEqual(await shown(), wanted);
  await until(page, same, `the totals ${wanted.join(" and ")} at step ${t}`);
}

const RUN = { env: "frozen-lake", agents: ["q-learning", "delayed-q:m=3"], steps: 1000, seed: 7, replicate: 3 };
const LINK = "env=frozen-lake&agent=q-learning&agent=delayed-q:m=3&steps=1000&seed=7&replicate=3";

pageTest("step, back, to the beginning, to the end, again", { shared: true, link: LINK }, async (page) => {
  assert.equal(await button(page, "One step back").isDisabled(), true);
  assert.equal(await button(page, "To the beginning").isDisabled(), true);
  for (let t = 1; t <= 5; ++t) {
    await button(page, "One step").click();
    await sameTotals(page, RUN, t);
  }
  await button(page, "One step back").click();
  await sameTotals(page, RUN, 4);
  await button(page, "To the beginning").click();
  await sameTotals(page, RUN, 0);
  await choose(page, "Speed", "Infinity");
  await button(page, "Play").click();
  await sameTotals(page, RUN, 1000);
  assert.equal(await button(page, "One step").isDisabled(), true);
  assert.equal(await button(page, "Next update").isDisabled(), true);
  await button(page, "Again").click();
  await button(page, "Again").waitFor();
  await sameTotals(page, RUN, 1000);
});

pageTest("scrubbed back and forth", { shared: true, link: LINK }, async (page) => {
  for (const t of [1000, 500, 999, 1, 0, 123]) {
    await slider(page).fill(String(t));
    await sameTotals(page, RUN, t);
  }
  await slider(page).press("ArrowRight");
  await sameTotals(page, RUN, 124);
});

pageTest(
  "pause, and speed while it plays",
  { shared: true, link: "env=chain:n=5&agent=q-learning&steps=1000000000" },
  async (page) => {
    await choose(page, "Speed", "Infinity");
    await button(page, "Play").click();
    await until(page, async () => (await stepOf(page)) > 100000, "a hundred thousand steps");
    await choose(page, "Speed", "1");
    await button(page, "Pause").click();
    await button(page, "Play").waitFor();
    const t = await stepOf(page);
    await sameTotals(page, { env: "chain:n=5", agents: ["q-learning"], steps: 1e9 }, t);
    await button(page, "One step").click();
    await atStep(page, t + 1);
  },
);

pageTest(
  "slow speeds make single steps",
  { shared: true, link: "env=chain:n=5&agent=q-learning&steps=3" },
  async (page) => {
    await choose(page, "Speed", "1000");
    await button(page, "Play").click();
    await atStep(page, 3);
    await button(page, "Again").waitFor();
  },
);

pageTest(
  "next update stops where a number changes",
  { shared: true, link: "env=chain:n=5&agent=delayed-q:m=2&steps=1000" },
  async (page) => {
    const model = farsight.model("chain:n=5");
    const player = model.player(["delayed-q:m=2"], { steps: 1000 });
    for (let k = 0; k < 5; ++k) {
      player.update();
      await button(page, "Next update").click();
      await atStep(page, player.t);
    }
    player.free();
    model.free();
  },
);

pageTest("every quantity of every state under the pointer", { shared: true, link: `${LINK}&at=700` }, async (page) => {
  const {
    description: { n_actions: m },
    lanes,
  } = native(RUN, 700);
  await atStep(page, 700);
  for (const show of ["q", "visits", "policy", "value"]) {
    await choose(page, "Show", show);
    await lane(page, "q-learning").getByRole("img").waitFor();
    const seen = new Set();
    for (const [x, y] of [
      [0.2, 0.2],
      [0.5, 0.3],
      [0.4, 0.6],
      [0.7, 0.7],
    ]) {
      const box = await lane(page, "q-learning").getByRole("img").boundingBox();
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
      for (const [k, name] of RUN.agents.entries()) {
        const table = lane(page, name).getByRole("table");
        if (!(await table.count())) continue; // a wall
        const s = Number(/\d+/.exec(await table.locator("caption").innerText())[0]);
        const cells = await table
          .getByRole("row")
          .evaluateAll((rows) => rows.map((row) => row.querySelector("td").innerText));
        const values = lanes[k][show];
        const expected = show === "value" ? [values[s]] : Array.from({ length: m }, (_, a) => values[s * m + a]);
        assert.deepEqual(cells.slice(-expected.length), expected.map(short), `${show} of ${name} in ${s}`);
        seen.add(s);
      }
    }
    assert.ok(seen.size >= 2, `${seen.size} states under the pointer`);
  }
  await linkSays(page, /show=value/);
});

pageTest(
  "agents side by side see the same random numbers",
  {
    shared: true,
    link: "env=chain:n=8&agent=q-learning&agent=q-learning:alpha=0.1&agent=delayed-q&agent=r-max&steps=200",
  },
  async (page) => {
    const agents = ["q-learning", "q-learning:alpha=0.1", "delayed-q", "r-max"];
    const step = async (name) =>
      (
        await lane(page, name)
          .getByText(/^state \d+, .*reward/)
          .innerText()
      ).trim();
    let [agreed, together] = [0, [0, 1, 2, 3]]; // those whose states and actions have been the same so far
    for (let t = 1; t <= 12; ++t) {
      await button(page, "One step").click();
      await atStep(page, t);
      const said = await Promise.all(agents.map(step));
      const choices = said.map((text) => text.split(":")[0]);
      together = together.filter((k) => choices[k] === choices[together[0]]);
      for (const k of together) assert.equal(said[k], said[together[0]], `step ${t}`);
      agreed += together.length - 1;
    }
    assert.ok(agreed > 0, "no two agents chose the same");
  },
);

pageTest(
  "links to a step, and from step to step of one run",
  { shared: true, link: `${LINK}&at=250` },
  async (page) => {
    await sameTotals(page, RUN, 250);
    await visit(page, `${LINK}&at=990`);
    await sameTotals(page, RUN, 990);
    await visit(page, LINK);
    await sameTotals(page, RUN, 0);
  },
);

pageTest(
  "the link that is copied shows the run at its step",
  { link: LINK, permissions: ["clipboard-read", "clipboard-write"] },
  async (page) => {
    await slider(page).fill("321");
    await atStep(page, 321);
    await button(page, "Copy link").click();
    await button(page, "Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const other = await openPage({ from: copied, context: page.context() });
    await sameTotals(other, RUN, 321);
    assert.deepEqual(other.faults, []);
  },
);

test("the numbers of this file could differ", () => {
  assert.notEqual(short(native(RUN, 1000).lanes[0].total), short(native({ ...RUN, seed: 10 }, 1000).lanes[0].total));
});

pageTest(
  "a long way shows how far it is, and can be left",
  { link: "env=chain:n=10&steps=1000000000" },
  async (page) => {
    await slider(page).fill("1000000000");
    const far = page.getByRole("progressbar", { name: "on the way to step 1,000,000,000" });
    await far.waitFor();
    const before = await stepOf(page);
    await until(page, async () => (await stepOf(page)) > before, "it comes nearer");
    assert.equal(await slider(page).inputValue(), "1000000000", "the slider stays where it was put");
    await slider(page).fill("999999999"); // another wish on the way
    await page.getByRole("progressbar", { name: "on the way to step 999,999,999" }).waitFor();
    await button(page, "Stop here").click();
    await button(page, "Play").waitFor();
    assert.equal(await page.getByRole("progressbar").count(), 0);
    const at = await stepOf(page);
    assert.ok(at > before && at < 999999999, `it stands at ${at}`);
    await button(page, "To the beginning").click();
    await atStep(page, 0);
    await slider(page).fill(String(at - 1)); // where it was before
    await atStep(page, at - 1);
  },
);
