// The pictures: scales, places of states, transitions of graphs; and what a page of them can do beside playing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { button, lane, linkSays, module, pageTest, slider, start, stepOf, stop, until, visit } from "./page.mjs";
import { source } from "./source.mjs";

let farsight;
before(async () => {
  farsight = await module();
  await start();
});
after(stop);

const describe = (env) => {
  const model = farsight.model(env);
  const found = { description: model.description, outcomes: model.outcomes() };
  model.free();
  return found;
};

test("scales: round ends, signs, counts, infinities", async () => {
  const { scaleOf, shareOf, ticksOf } = await source("ui/scale.ts");
  const of = (show, ...numbers) => scaleOf(show, [Float64Array.from(numbers), null]);
  assert.deepEqual(of("q", 0, 11.2), { low: 0, high: 12, log: false, sign: false, counts: false });
  assert.deepEqual([of("q", -109, -3).low, of("q", -109, -3).high], [-120, 0]);
  assert.deepEqual([of("q", -10.7, 60).low, of("q", -10.7, 60).sign], [-60, true]);
  assert.equal(of("q", -0.01, 60).sign, false); // hardly below zero
  assert.deepEqual(of("visits", 0, 3, 280), { low: 1, high: 300, log: true, sign: false, counts: true });
  assert.equal(of("visits", 0, 30, 280).log, false);
  assert.deepEqual([of("policy").high, of("q").high, of("q", NaN, Infinity).high], [1, 1, 1]);
  const scale = of("visits", 1, 280);
  assert.ok(shareOf(scale, 1) > 0 && shareOf(scale, 17.32) > 0.4 && shareOf(scale, 17.32) < 0.6);
  assert.equal(shareOf(scale, 300), 1);
  assert.deepEqual(
    ticksOf(scale).map(([value]) => value),
    [1, 10, 300],
  );
});

test("colours are those of the figures, in the page's own rules as well", async () => {
  const { ink, takeInks } = await source("ui/ink.ts");
  takeInks({ light: farsight.figureStyle("light"), dark: farsight.figureStyle("dark") });
  for (const theme of ["light", "dark"]) {
    const { series, much, sign, text, wall } = ink(theme === "dark");
    assert.equal(series.length, 8);
    assert.deepEqual([text, wall], [theme === "dark" ? "#e6e9ec" : "#1c2128", "#6e7781"]);
    assert.deepEqual(much.rgb(1), theme === "dark" ? [0xe4, 0xf1, 0xfa] : [0x08, 0x30, 0x6b]);
    assert.deepEqual(sign.rgb(0), theme === "dark" ? [0xff, 0xb2, 0x6b] : [0x9c, 0x4a, 0x00]);
  }
  const style = readFileSync(new URL("../../web/src/style.css", import.meta.url), "utf8");
  for (const k of [0, 1, 2, 3]) {
    const both = [false, true].map((dark) => ink(dark).series[k]);
    assert.ok(style.includes(`--s${k}: light-dark(${both.join(", ")});`), `--s${k} of web/src/style.css`);
  }
});

test("every state of every family is found where it is drawn, and by arrow keys", async () => {
  const { Board } = await source("ui/board.ts");
  for (const env of [
    "chain",
    "chain:n=50",
    "chain:n=500",
    "frozen-lake",
    "taxi",
    "sixarms",
    "garnet",
    "deepsea",
    "mountain-car",
    "dirichlet",
  ]) {
    const { description } = describe(env);
    for (const [width, pairs] of [
      [500, true],
      [340, false],
    ]) {
      const board = new Board(description, width, pairs, 500);
      for (let s = 0; s < description.n_states; ++s) {
        const [x, y] = board.centre(s);
        assert.equal(board.at(x, y), s, `${env} ${width}`);
        const { w, h } = board.box(s);
        assert.ok(
          x - w / 2 > -1 && x + w / 2 < width + 1 && y - h / 2 > -1 && y + h / 2 < board.height + 1,
          `${env} ${s} is outside`,
        );
      }
    }
    const board = new Board(description, 500, true, 500);
    const reached = new Set([0]);
    for (const s of reached)
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ])
        reached.add(board.toward(s, dx, dy));
    assert.ok(
      reached.size >= 0.99 * description.n_states,
      `${env}: ${reached.size} of ${description.n_states} by keys`,
    );
  }
});

test("each town of the taxi has its heading in the lane below it", async () => {
  const { headingsOf } = await source("ui/boards.ts");
  const { description } = describe("taxi");
  const { headings } = headingsOf(description);
  const { x, y } = description.layout;
  assert.equal(new Set(headings.map(({ text }) => text)).size, 20);
  for (let s = 0; s < 500; ++s) {
    const [passenger, destination] = [Math.floor(s / 4) % 5, s % 4];
    const text = `${["R", "G", "Y", "B", "taxi"][passenger]} → ${"RGYB"[destination]}`;
    const below = headings.filter((each) => Math.abs(each.x - x[s]) <= 2 && each.y > y[s] && each.y < y[s] + 6);
    assert.deepEqual(
      below.map((each) => each.text),
      [text],
      `state ${s}`,
    );
  }
  assert.deepEqual(headingsOf(describe("frozen-lake").description).headings, []);
});

pageTest("the key says what the headings of towns are", { link: "env=taxi&steps=10" }, async (page) => {
  const key = page.getByRole("region", { name: "What is shown" });
  await key.getByRole("listitem").filter({ hasText: "where the passenger is → where they want to be" }).waitFor();
});

test("edges of a graph have the probabilities of the model", async () => {
  const { edgesOf } = await source("ui/edges.ts");
  const { description, outcomes } = describe("sixarms");
  const edges = edgesOf(description, outcomes);
  for (let s = 0; s < description.n_states; ++s)
    for (let a = 0; a < description.n_actions; ++a) {
      const sum = edges.filter(({ from }) => from === s).reduce((all, { chance }) => all + chance[a], 0);
      assert.ok(Math.abs(sum - 1) < 1e-12);
    }
  const there = edges.find(({ from, to }) => from === 0 && to === 1);
  assert.equal(
    there.both,
    edges.some(({ from, to }) => from === 1 && to === 0),
  );
});

pageTest(
  "by keyboard in a picture, the theme, files, exact beside",
  { link: "env=frozen-lake&agent=q-learning&steps=1000&at=700" },
  async (page) => {
    const picture = lane(page, "q-learning").getByRole("application");
    await picture.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    const spoken = page.locator("p[aria-live=polite].unseen").first();
    assert.match(await spoken.innerText(), /^state 5, terminal\. q-learning: Q left 0, down 0/);
    assert.match(await lane(page, "q-learning").locator("caption").innerText(), /^state 5/);
    assert.equal(await stepOf(page), 700); // the keys were the picture's

    const colours = page.getByRole("button", { name: /^Colours/ });
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const [light] = [await paper(), await colours.click(), await colours.click()];
    assert.match(await colours.getAttribute("aria-label"), /dark/);
    assert.notEqual(await paper(), light);

    await page.getByText("Save", { exact: true }).click();
    for (const [name, begins] of [
      ["Q of q-learning", /^<svg/],
      ["DRN", /^\/\/|^@/],
    ]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      assert.match(readFileSync(await file.path(), "utf8"), begins);
    }
    await page.getByLabel("Exact beside").check();
    await lane(page, "q-learning")
      .getByText(/^exact, discount/)
      .waitFor();
    await linkSays(page, /beside=exact/);
    await button(page, "Next update").click();
    await lane(page, "q-learning")
      .getByText(/^(Q|n) of state \d+, \w+: .* → /)
      .waitFor(); // what it changed
  },
);

/** Numbers that the page prints, as the page prints them. */
const printed = async (x) => (await source("ui/scale.ts")).short(x);

/** What is exact of an environment, and free again. */
function exactOf(env) {
  const model = farsight.model(env);
  const found = model.values();
  model.free();
  return found;
}

const caption = (page, name) => lane(page, name).locator("figure.exact figcaption").innerText();
const plans = (page, name) =>
  lane(page, name)
    .getByText(/^plans with discount/)
    .allInnerTexts();
/** The columns of the table of all numbers, and its first row. */
async function numbersOf(page) {
  await page.getByText("All numbers as a table").click();
  const table = page.getByRole("region", { name: "All numbers" });
  await table.waitFor();
  return [
    await table.getByRole("columnheader").allInnerTexts(),
    await table.locator("tbody tr").first().locator("td").allInnerTexts(),
  ];
}

pageTest(
  "one exact solution beside all agents, for the problem's discount",
  {
    link: "env=chain:n=5,gamma=0.9&agent=q-learning&agent=q-learning:gamma=0.8&agent=random&show=value&beside=exact&steps=100",
  },
  async (page) => {
    const { v } = exactOf("chain:n=5,gamma=0.9");
    for (const [name, said] of [
      ["q-learning", []],
      ["q-learning:gamma=0.8", ["plans with discount 0.8"]],
    ]) {
      assert.equal(await caption(page, name), "exact, discount 0.9");
      assert.deepEqual(await plans(page, name), said);
      assert.equal((await lane(page, name).locator(".pointed td.muted").innerText()).trim(), await printed(v[0]));
    }
    const [head, row] = await numbersOf(page);
    assert.deepEqual(head, ["state", "q-learning", "q-learning:gamma=0.8", "random", "exact, discount 0.9"]);
    assert.equal(row.at(-1), await printed(v[0]));
    await page.getByRole("combobox", { name: "Show" }).selectOption("policy");
    await lane(page, "random").getByRole("img", { name: "exact Policy beside random, discount 0.9" }).waitFor();
    assert.deepEqual(await plans(page, "random"), []);
  },
);

pageTest(
  "with a horizon what is exact is of the step that an agent shows",
  { link: "env=chain:n=4,horizon=6&agent=ucb-h&agent=q-learning&show=value&beside=exact&steps=60&at=21" },
  async (page) => {
    const { v } = exactOf("chain:n=4,horizon=6");
    assert.equal(await caption(page, "ucb-h"), "exact, step 4 of 6");
    assert.equal(await caption(page, "q-learning"), "exact, step 1 of 6");
    assert.deepEqual(await plans(page, "ucb-h"), []);
    assert.deepEqual(await plans(page, "q-learning"), ["plans with discount 0.95"]);
    const [head, row] = await numbersOf(page);
    assert.deepEqual(head.slice(-2), ["exact, step 4 of 6", "exact, step 1 of 6"]);
    assert.deepEqual(row.slice(-2), [await printed(v[3 * 4]), await printed(v[0])]);
    await page.getByRole("region", { name: "What is shown" }).getByText("reward", { exact: true }).waitFor();
    await button(page, "One step").click();
    await until(page, async () => (await caption(page, "ucb-h")) === "exact, step 5 of 6", "the next step's");
  },
);

pageTest(
  "where the average reward counts policies compare, and no values",
  { link: "env=riverswim:average=on&agent=q-learning&agent=optimal&show=q&beside=exact&steps=10" },
  async (page) => {
    const { gain } = exactOf("riverswim:average=on");
    assert.equal(await caption(page, "q-learning"), "exact, average reward");
    await lane(page, "q-learning")
      .getByText(`at best ${await printed(gain)} a step`)
      .waitFor();
    const [head] = await numbersOf(page);
    assert.deepEqual(head, ["state", "action", "q-learning", "optimal"]);
    await page.getByRole("combobox", { name: "Show" }).selectOption("policy");
    await lane(page, "q-learning")
      .getByRole("img", { name: /^exact Policy/ })
      .waitFor();
    assert.deepEqual(await plans(page, "optimal"), []);
  },
);

/** Rows of the table of what was learned, by the names of agents; its text above. */
async function learnedOf(page, name) {
  const row = page
    .getByRole("region", { name: "Learned and exact values" })
    .locator("tbody tr")
    .filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  return row.locator("td").allInnerTexts();
}

pageTest(
  "learned and exact, by what the problem counts",
  { link: "view=theory&env=chain:n=5,gamma=0.9&agent=q-learning&agent=q-learning:gamma=0.8&steps=100&at=100" },
  async (page) => {
    const env = "chain:n=5,gamma=0.9";
    await page.getByText("What counts is the sum of rewards, discounted by 0.9.").waitFor();
    const own = await learnedOf(page, "q-learning");
    const other = await learnedOf(page, "q-learning:gamma=0.8");
    const start = await printed(exactOf(env).v[0]);
    assert.deepEqual([own[0], own[2], other[0], other[2]], ["0.9", start, "0.8", start]);
    assert.notEqual(own[3], "–");
    assert.equal(other[3], "–"); // its values are of another discount
    assert.match(other[4], /^\d of 5$/);

    await visit(page, "view=theory&env=chain:n=4,horizon=6&agent=ucb-h&agent=q-learning&steps=600&at=600");
    await page.getByText("What counts is the reward of an episode of 6 steps.").waitFor();
    const best = await printed(exactOf("chain:n=4,horizon=6").v[0]);
    const [planner, learner] = [await learnedOf(page, "ucb-h"), await learnedOf(page, "q-learning")];
    assert.deepEqual([planner[0], planner[2], learner[0], learner[2]], ["none", best, "0.95", best]);
    assert.ok(planner[3] !== "–" && learner[3] === "–");
    assert.match(planner[4], /^[01] of 1$/);

    await visit(page, "view=theory&env=riverswim:average=on&agent=optimal&steps=60");
    await page.getByText("What counts is the average reward of a step.").waitFor();
    const { gain } = exactOf("riverswim:average=on");
    assert.deepEqual((await learnedOf(page, "optimal")).slice(1), ["has none", await printed(gain), "–", "6 of 6"]);
  },
);

pageTest(
  "what counts is a part of the environment's form",
  { link: "env=chain:n=5&agent=q-learning&show=value&beside=exact&steps=50" },
  async (page) => {
    const form = page.getByRole("group", { name: "Environment", exact: true });
    await form.getByText("Parameters").click();
    const field = (name) => form.getByRole("textbox", { name, exact: true });
    assert.deepEqual(await Promise.all(["horizon", "gamma"].map((name) => field(name).getAttribute("placeholder"))), [
      "none",
      "0.95",
    ]);
    await field("gamma").fill("0.8");
    await field("gamma").press("Tab");
    await linkSays(page, /env=chain:n=5,gamma=0.8(&|$)/);
    await until(page, async () => (await caption(page, "q-learning")) === "exact, discount 0.8", "the new discount");
    assert.deepEqual(await plans(page, "q-learning"), []);
    await field("horizon").fill("20");
    await field("horizon").press("Tab");
    assert.match(await page.getByRole("alert").innerText(), /a problem has one criterion/);
    await linkSays(page, /env=chain:n=5,gamma=0.8(&|$)/); // the page keeps what it has
  },
);

pageTest(
  "a policy in small cells shows which action it is",
  { link: "env=mountain-car&agent=q-learning&show=policy&beside=exact&steps=10" },
  async (page) => {
    const key = page.getByRole("region", { name: "What is shown" });
    await key.getByText("likeliest action").waitFor();
    for (const name of ["left", "none", "right"])
      await key.getByRole("listitem").filter({ hasText: name }).first().waitFor();
    assert.equal(await key.getByText("probability", { exact: true }).count(), 0, "the scale of the colours of numbers");
    const picture = lane(page, "q-learning").getByRole("img", { name: /^exact/ });
    const [left, right] = await picture.evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const counts = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const colour = data.slice(i, i + 3).join();
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      return ["0,114,178", "170,51,119"].map((colour) => counts.get(colour) ?? 0);
    });
    assert.ok(left > 1000 && right > 1000, `${left} pixels say left, ${right} say right`);
    await key.getByRole("combobox", { name: "Show" }).selectOption("q");
    await key.getByText("discounted reward").waitFor();
    assert.equal(await key.getByText("likeliest action").count(), 0);
  },
);

pageTest(
  "a core that does not answer is stopped where it is",
  { link: "env=deepsea:n=60&agent=psrl&steps=1000000" },
  async (page) => {
    await page.evaluate(() => {
      // time passes faster, so that the page loses its patience at once
      const now = performance.now.bind(performance);
      performance.now = () => 1000 * now();
    });
    await slider(page).fill("1000000");
    await button(page, "Stop it").click();
    await page.getByText(/^Stopped at step /).waitFor();
    const t = await stepOf(page);
    assert.ok(t < 1000000);
    await button(page, "One step").click();
    await until(page, async () => (await stepOf(page)) === t + 1, "the next step of the same core");
  },
);
