// The pictures of a grid and a chain: pointer, keyboard and touch; what is refused; undo; the spec that comes of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessFaults, button, linkOf, module, openPage, pageTest, settled, start, stop, until } from "./page.mjs";
import { source } from "./source.mjs";

before(start);
after(stop);

const { READY, MOST_MAP, lakeAsGrid, resized, rowsOf, sizeOf } = await source("maps.ts");
const farsight = await module();

test("ready maps can be read, and their goals be reached", () => {
  for (const { name, map, values } of READY) {
    assert.ok(rowsOf(map) !== null && map.length <= MOST_MAP, name);
    const model = farsight.model(
      `grid:map=${map}${Object.entries(values)
        .map(([key, value]) => `,${key}=${value}`)
        .join("")}`,
    );
    for (const [s] of model.description.starts) assert.ok(model.values(0.99).v[s] > 0, name);
    model.free();
  }
});

test("maps are read, cut and filled", () => {
  assert.deepEqual(rowsOf("S./.G"), ["S.", ".G"]);
  for (const bad of ["", "S./.", "S./", "Sx", "@map.txt"]) assert.equal(rowsOf(bad), null, bad);
  assert.deepEqual(resized(["S.", ".G"], 3, 1), ["S", ".", "."]);
  assert.deepEqual(resized(["S.", ".G"], 1, 3), ["S.."]);
  assert.equal(sizeOf(2, 2), "S./.G".length);
});

test("a lake as a grid has the same outcomes, in another order of actions", () => {
  for (const given of [
    {},
    { map: "8x8" },
    { slippery: "off", hole: "-2" },
    { map: "SFH/FFG", success: "0.8", frozen: "-0.1", goal: "5", gamma: "0.9" },
    { horizon: "30" },
    { average: "on" },
  ]) {
    const lake = {
      map: "4x4",
      slippery: "on",
      success: "0.3333333333333333",
      goal: "1",
      hole: "0",
      frozen: "0",
      horizon: "",
      gamma: "",
      average: "off",
      ...given,
    };
    if (lake.slippery === "off") lake.success = "";
    const spec = (name, pairs) =>
      `${name}:${Object.entries(pairs)
        .filter(([, value]) => value !== "")
        .map((pair) => pair.join("="))
        .join(",")}`;
    const models = [
      farsight.model(spec("frozen-lake", lake)),
      farsight.model(
        spec(
          "grid",
          lakeAsGrid((key) => lake[key]),
        ),
      ),
    ];
    const counts = models.map(({ description: { gamma, horizon, average } }) => ({ gamma, horizon, average }));
    assert.deepEqual(counts[0], counts[1]);
    const ORDER = [3, 2, 1, 0]; // left, down, right, up of the lake
    const table = (model, order) => {
      const sums = new Map();
      const all = model.outcomes();
      for (let i = 0; i < all.length; i += 6) {
        const key = [all[i], order[all[i + 1]], all[i + 3], all[i + 4], all[i + 5]].join(" ");
        sums.set(key, (sums.get(key) ?? 0) + all[i + 2]);
      }
      return sums;
    };
    const [one, two] = [table(models[0], ORDER), table(models[1], [0, 1, 2, 3])];
    assert.deepEqual([...one.keys()].sort(), [...two.keys()].sort());
    for (const [key, p] of one) assert.ok(Math.abs(p - two.get(key)) < 1e-12, key);
    for (const model of models) model.free();
  }
  assert.equal(
    lakeAsGrid(() => "@lake.txt"),
    null,
  );
});

/** The environment in the link. */
const envOf = async (page) => decodeURIComponent(/env=([^&]*)/.exec(await linkOf(page))[1]);
const isEnv = (page, env) => until(page, async () => (await envOf(page)) === env, `the environment is ${env}`);
const cell = (page, y, x) => page.getByRole("gridcell", { name: new RegExp(`, row ${y}, column ${x}$`) });
const SMALL = "env=grid:map=S../..G";

pageTest("painting with a pointer, undo and redo", { link: SMALL }, async (page) => {
  await cell(page, 1, 2).click(); // the brush is a wall
  await isEnv(page, "grid:map=S#./..G");
  await cell(page, 1, 2).click(); // a second click takes it away
  await isEnv(page, "grid:map=S../..G");
  await page.getByRole("button", { name: "pit", exact: true }).click();
  const [from, to] = [await cell(page, 2, 1).boundingBox(), await cell(page, 2, 2).boundingBox()];
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 8, to.y + 8, { steps: 5 });
  await page.mouse.up();
  await isEnv(page, "grid:map=S../PPG");
  await settled(page);
  for (const env of ["grid:map=S../..G", "grid:map=S#./..G"]) {
    await button(page, "Undo").click();
    await isEnv(page, env);
  }
  await button(page, "Redo").click();
  await isEnv(page, "grid:map=S../..G");
  await cell(page, 1, 3).click();
  await isEnv(page, "grid:map=S.P/..G");
  assert.ok(await button(page, "Redo").isDisabled()); // what comes anew has nothing after it
});

pageTest("by keyboard alone", { link: SMALL }, async (page) => {
  await cell(page, 1, 1).focus();
  for (const key of ["ArrowRight", "w", "ArrowDown", "p", "ArrowRight", "ArrowRight", "f"])
    await page.keyboard.press(key);
  await isEnv(page, "grid:map=S#./.P.");
  assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /^free, row 2, column 3$/);
  await page.getByText("row 2, column 3: free", { exact: true }).waitFor(); // said
  await page.keyboard.press("Home");
  await page.keyboard.press("g");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("End");
  await page.keyboard.press(" ");
  await isEnv(page, "grid:map=S##/GP.");
  await page.keyboard.press("Control+z");
  await isEnv(page, "grid:map=S#./GP.");
  await page.keyboard.press("Control+Shift+Z");
  await isEnv(page, "grid:map=S##/GP.");
  await page.getByText("step 0 of").waitFor(); // the player's keys were not meant
});

pageTest("a map without a start is refused, and the run stays", { link: SMALL }, async (page) => {
  await button(page, "free").click();
  await cell(page, 1, 1).click();
  const said = page.getByRole("alert").filter({ hasText: "the map needs at least one S, a start. The page" });
  await said.waitFor();
  assert.equal(await envOf(page), "grid:map=S../..G");
  assert.equal(await page.locator("section.lane").count(), 2);
  assert.equal(await cell(page, 1, 1).getAttribute("aria-label"), "free, row 1, column 1"); // the draft is kept
  await button(page, "start").click();
  await cell(page, 2, 2).click();
  await isEnv(page, "grid:map=.../.SG");
  assert.equal(await said.count(), 0);
  await button(page, "Undo").click(); // to what was refused, and before it
  await said.waitFor();
  await button(page, "Undo").click();
  await isEnv(page, "grid:map=S../..G");
  assert.equal(await said.count(), 0);
});

pageTest("size, rewards, slip and ready maps", { link: SMALL }, async (page) => {
  await button(page, "Add one to the rows").click();
  await isEnv(page, "grid:map=S../..G/...");
  await button(page, "Remove one of the columns").click();
  await isEnv(page, "grid:map=S./../..");
  await page.getByText("Without a goal or a pit an episode never ends.").waitFor();
  await page.locator("#edit-goal").fill("2.5");
  await page.locator("#edit-goal").press("Enter");
  await isEnv(page, "grid:map=S./../..,goal=2.5");
  await page.locator("#edit-step").fill("x");
  await page.locator("#edit-step").press("Enter");
  await page.getByRole("alert").filter({ hasText: "step=x: step must be" }).waitFor();
  await page.locator("#edit-step").fill("0,5");
  await page.locator("#edit-step").press("Enter");
  await page.getByRole("alert").filter({ hasText: "decimals follow a point, as in 0.5." }).waitFor();
  await isEnv(page, "grid:map=S./../..,goal=2.5");
  await page.locator("#edit-step").press("Escape"); // what it was
  assert.equal(await page.getByRole("alert").count(), 0);
  await page.getByRole("slider", { name: "Slip" }).fill("0.25");
  await isEnv(page, "grid:map=S./../..,goal=2.5,slip=0.25");
  await page.getByLabel("Ready maps").selectOption("Maze");
  const { map } = READY.find(({ name }) => name === "Maze");
  await isEnv(page, `grid:map=${map},goal=2.5`);
  assert.equal(await page.getByRole("gridcell").count(), 121);
  await page.getByRole("slider", { name: "Slip" }).fill("0");
});

pageTest(
  "no larger than a spec can say",
  { link: `env=grid:map=${["S" + ".".repeat(20), ...Array(22).fill(".".repeat(21))].join("/")}` },
  async (page) => {
    assert.equal(sizeOf(23, 21), 505); // of 511
    for (const name of ["Add one to the rows", "Add one to the columns"])
      assert.ok(await button(page, name).isDisabled());
    assert.ok(await button(page, "Remove one of the rows").isEnabled());
    const [box, card] = [
      await page.getByRole("grid", { name: "Map" }).boundingBox(),
      await page.locator(".environment").boundingBox(),
    ];
    assert.ok(box.width <= card.width);
  },
);

pageTest("large in a dialog", { link: SMALL }, async (page) => {
  await button(page, "Larger").click();
  const dialog = page.getByRole("dialog", { name: "Map" });
  await dialog.getByRole("gridcell", { name: "free, row 1, column 3" }).click();
  await isEnv(page, "grid:map=S.#/..G");
  assert.deepEqual(await accessFaults(page), []);
  await dialog.getByRole("gridcell", { name: "free, row 1, column 2" }).click();
  await isEnv(page, "grid:map=S##/..G");
  await page.keyboard.press("Control+z"); // one step, not two
  await isEnv(page, "grid:map=S.#/..G");
  await page.keyboard.press("Escape");
  assert.equal(await dialog.count(), 0);
  await button(page, "Larger").click();
  await button(page, "Done").click();
  await cell(page, 1, 3).click();
  await isEnv(page, "grid:map=S../..G");
});

pageTest("a chain: its handle, its ends, its slip", { link: "env=chain:n=6" }, async (page) => {
  const handle = page.getByRole("slider", { name: "Number of states" });
  await handle.focus();
  await page.keyboard.press("ArrowRight");
  await isEnv(page, "chain:n=7");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft"); // two are the least
  await isEnv(page, "chain:n=2");
  const { x, y, width, height } = await handle.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 30, y + height / 2, { steps: 3 });
  await page.getByText("5 states", { exact: true }).waitFor();
  await page.mouse.up();
  await isEnv(page, "chain:n=5");
  await page.locator("#edit-left").fill("0.5");
  await page.locator("#edit-left").press("Enter");
  await page.locator("#edit-n").fill("40");
  await page.locator("#edit-n").press("Enter");
  await isEnv(page, "chain:n=40,left=0.5");
  await page.locator("#edit-n").fill("1");
  await page.locator("#edit-n").press("Enter");
  await page.getByRole("alert").filter({ hasText: "n=1: n must be" }).waitFor();
  assert.equal(await envOf(page), "chain:n=40,left=0.5");
  await page.locator("#edit-n").press("Escape");
  await page.getByRole("slider", { name: "Slip" }).fill("0");
  await isEnv(page, "chain:n=40,left=0.5,slip=0");
  assert.deepEqual(await accessFaults(page), []);
});

pageTest(
  "a lake is copied as a grid; other families have no editor",
  { link: "env=frozen-lake:slippery=off" },
  async (page) => {
    assert.equal(await page.getByRole("grid", { name: "Map" }).count(), 0);
    await button(page, "Edit a copy as a grid").click();
    await isEnv(page, "grid:map=S.../.P.P/...P/P..G,pit=0");
    await cell(page, 1, 2).click();
    await isEnv(page, "grid:map=S#../.P.P/...P/P..G,pit=0");
  },
);

test("by touch on a phone", async () => {
  const page = await openPage({ link: SMALL, look: "phone" });
  await cell(page, 1, 2).tap();
  await isEnv(page, "grid:map=S#./..G");
  await page.getByRole("button", { name: "goal", exact: true }).tap();
  await cell(page, 2, 1).tap();
  await isEnv(page, "grid:map=S#./G.G");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
