// The guided tour in a browser: by keyboard from the first stop to the last, right and wrong answers, links into it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  accessFaults,
  atStep,
  button,
  lane,
  linkOf,
  linkSays,
  openPage,
  pageTest,
  settled,
  start,
  stepOf,
  stop,
  until,
  visit,
} from "./page.mjs";
import { source } from "./source.mjs";

const { stops } = await source("tour/stops.ts");
const { DEFAULT, fromLink, home, toLink } = await source("setup.ts");
const still = { reducedMotion: "reduce" }; // runs are made at full speed

before(start);
after(stop);

const title = (page) => page.locator("#tour-title").innerText();
const choices = (page) => page.getByRole("group", { name: stopQuestion }).getByRole("button");
const stopQuestion = /.+\?$/;
const verdict = (page) => page.locator(".tour").getByRole("status").innerText();
const focused = (page) => page.evaluate(() => document.activeElement?.textContent ?? "");

/** Presses Tab until the element with the focus says something. */
async function tabTo(page, says) {
  for (let k = 0; k < 60; ++k) {
    await page.keyboard.press("Tab");
    if (says.test(await focused(page))) return;
  }
  assert.fail(`Tab never reaches ${says}`);
}

const exactly = (text) => new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);

test("links of stops are short, and say what was changed", () => {
  for (const { id, setup } of stops) {
    assert.equal(toLink(home(id)), `tour=${id}`);
    assert.deepEqual(fromLink(`#tour=${id}`), { setup: { ...DEFAULT, ...setup, tour: id }, problems: [] });
    for (const part of [
      { env: "loop" },
      { agents: ["random"] },
      { seed: "7" },
      { view: "runs" },
      { model: { name: "a", text: "b" } },
      { at: 3 },
      { show: "value" },
    ]) {
      const changed = { ...home(id), ...part, ...(part.env && { model: null }) };
      assert.deepEqual(fromLink(toLink(changed)), { setup: changed, problems: [] }, JSON.stringify(part));
    }
  }
  for (const bad of ["nowhere", "", "__proto__", "<b>", "%", "greedy%00", "GREEDY"]) {
    const { setup, problems } = fromLink(`#tour=${bad}&seed=5`);
    assert.deepEqual([setup.tour, setup.seed, problems.length > 0], [null, "5", true], bad);
  }
});

pageTest("the whole tour by keyboard", still, async (page) => {
  await page.getByRole("link", { name: "Guided tour" }).focus();
  await page.keyboard.press("Enter");
  for (const [k, { id, title: name, right, choices: texts, setup, names }] of stops.entries()) {
    await until(
      page,
      async () => (await page.locator("#tour-title").count()) === 1 && (await title(page)) === name,
      name,
    );
    await settled(page);
    assert.equal(await focused(page), name, "the heading has the focus");
    assert.equal(await linkOf(page), `tour=${id}`);
    assert.equal(
      await page
        .locator(".tour")
        .getByText(`${k + 1} of 10`)
        .count(),
      1,
    );
    for (const each of names) assert.equal(await lane(page, each).count(), 1, each);
    assert.equal(await stepOf(page), 0, "no run before the answer");
    assert.equal(await page.locator(".answer").count(), 0);
    const mine = k % 3 === 2 ? (right + 1) % texts.length : right; // every third answer is wrong
    await tabTo(page, exactly(texts[mine]));
    await page.keyboard.press(k % 2 ? "Space" : "Enter");
    await atStep(page, setup.steps);
    assert.match(
      await verdict(page),
      mine === right ? /^Right\./ : new RegExp(`^Not quite: it is ${"ABCD"[right]}\\.`),
    );
    assert.equal(await linkOf(page), `tour=${id}`);
    if (k < 9) await tabTo(page, /^Next: /);
    else await tabTo(page, /^End the tour$/);
    if (k === 9)
      assert.equal(
        await page.locator(".score").innerText(),
        "You had 7 of 10 right. The experiments are yours now: change anything, and copy the link.",
      );
    await page.keyboard.press("Enter");
  }
  await until(page, async () => (await page.locator(".tour").count()) === 0, "the tour ends");
  await linkSays(page, /^env=chain:n=10,gamma=0\.95&agent=/);
});

pageTest("right and wrong are said in words, and an answer stands", { ...still, link: "tour=delay" }, async (page) => {
  const all = choices(page);
  await all.nth(3).click();
  assert.deepEqual(await all.locator("small").allInnerTexts(), ["the right answer", "your answer: not right"]);
  assert.deepEqual(await all.evaluateAll((list) => list.map((each) => each.getAttribute("aria-disabled"))), [
    "true",
    "true",
    "true",
    "true",
  ]);
  const said = await verdict(page);
  await all.nth(1).click({ force: true }); // it is disabled by name only
  assert.equal(await verdict(page), said);
  assert.equal(
    await page
      .getByRole("link", { name: "Stop 3: Wait before you believe, answered wrong" })
      .getAttribute("aria-current"),
    "step",
  );
  await visit(page, "tour=greedy");
  await until(page, async () => (await title(page)) === stops[0].title, "the first stop");
  await choices(page).nth(2).click();
  assert.deepEqual(await choices(page).locator("small").allInnerTexts(), ["your answer: right"]);
  assert.match(await verdict(page), /^Right\./);
  await page.goBack();
  await until(page, async () => (await title(page)) === stops[2].title, "back to the stop before");
  assert.equal(await verdict(page), said, "the answer is remembered");
});

pageTest("what is changed can be taken back", { ...still, link: "tour=gamma-e" }, async (page) => {
  assert.equal(await page.locator(".changed").count(), 0);
  const seed = page.getByLabel("Seed");
  const enter = async () => {
    await seed.fill("9");
    await seed.press("Enter");
    await until(page, async () => (await linkOf(page)) === "tour=gamma-e&seed=9", "the change is in the link");
    await settled(page);
  };
  await enter();
  await page.getByRole("link", { name: "Back to that of this stop" }).click();
  await until(page, async () => (await seed.inputValue()) === "1", "the stop's own seed");
  await linkSays(page, "tour=gamma-e");
  await settled(page);
  await enter(); // an answer is about the stop's own experiment
  await choices(page).nth(0).click();
  await atStep(page, 10000);
  await linkSays(page, "tour=gamma-e");
  assert.equal(await seed.inputValue(), "1");
});

pageTest("many runs give the numbers of the text", { ...still, link: "tour=counting" }, async (page) => {
  await choices(page).nth(1).click();
  await button(page, "Make all 100 runs").click();
  const cells = page.locator(".badge tbody td:nth-child(2)");
  await cells.first().waitFor();
  const means = (await cells.allInnerTexts()).map((text) => Number(text.replaceAll(",", "").split(" ")[0]));
  assert.deepEqual(means, [4314, 487]);
  await linkSays(page, "tour=counting&view=runs");
  await button(page, "Watch it again").click();
  await atStep(page, 10000);
  await linkSays(page, "tour=counting");
});

pageTest("a run can be watched, and the tour left and taken up again", { link: "tour=learn-flag" }, async (page) => {
  await choices(page).nth(1).click();
  await until(page, async () => (await stepOf(page)) > 0, "the run plays");
  assert.equal(await page.getByLabel("Speed").inputValue(), "100");
  await button(page, "Leave the tour").click();
  await until(page, async () => (await page.locator(".tour").count()) === 0, "the tour is left");
  await linkSays(page, /^model=.*&agent=directed-delayed-q/);
  await page.getByRole("link", { name: "Guided tour" }).click();
  await until(page, async () => (await page.locator(".tour").count()) === 1, "the tour is back");
  await linkSays(page, "tour=learn-flag");
});

pageTest("steps of the text are places to go to", { link: "tour=learn-flag" }, async (page) => {
  await choices(page).nth(1).click();
  for (const [name, t] of [
    ["step 36", 36],
    ["step 42", 42],
    ["step 30", 30],
  ]) {
    await button(page, name).click();
    await atStep(page, t);
    await button(page, "Play").waitFor(); // it stays there
    await linkSays(page, "tour=learn-flag");
  }
  const seed = page.getByLabel("Seed");
  await seed.fill("9");
  await seed.press("Enter");
  await settled(page);
  await button(page, "step 41").click(); // of the stop's own experiment
  await atStep(page, 41);
  assert.equal(await seed.inputValue(), "3");
});

pageTest("to watch it again shows all agents", { ...still, link: "tour=delay" }, async (page) => {
  await choices(page).nth(1).click();
  const again = button(page, "Watch it again");
  await again.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 5000);
  await until(page, () => page.evaluate(() => scrollY > 100), "the page is scrolled");
  await again.click();
  await atStep(page, 10000);
  const top = await page.getByRole("group", { name: "Run", exact: true }).boundingBox();
  const first = await lane(page, stops[2].names[0]).boundingBox();
  assert.ok(top.y >= 0 && first.y >= top.y + top.height, `the run is at ${top.y}, the first agent at ${first.y}`);
});

pageTest("a link to no stop is said", { link: "tour=nowhere" }, async (page) => {
  assert.equal(await page.locator(".tour").count(), 0);
  assert.match(await page.getByRole("status").first().innerText(), /no such stop/);
});

for (const [look, theme] of [
  ["desktop", "light"],
  ["phone", "dark"],
  ["smallest", "light"],
])
  test(`${look}, ${theme}: nothing is cut off, and an accessibility checker finds nothing`, async () => {
    const page = await openPage({ ...still, look, theme, link: "tour=e-values" });
    try {
      const wide = () =>
        page
          .locator(".tour")
          .evaluate((box) =>
            [box, ...box.querySelectorAll("*")].some((each) => each.getBoundingClientRect().right > innerWidth + 1),
          );
      for (const answer of [false, true]) {
        if (answer) await choices(page).nth(2).click();
        assert.equal(await wide(), false, "nothing reaches beyond the window");
        assert.deepEqual(
          (await accessFaults(page)).filter((fault) => /tour|choices|answer/.test(fault)),
          [],
        );
      }
      const least = await choices(page).evaluateAll((list) =>
        Math.min(...list.map((each) => each.getBoundingClientRect().height)),
      );
      assert.ok(least >= 40, `choices are ${least} pixels high: too small for a finger`);
      assert.deepEqual(page.faults, []);
    } finally {
      await page.context().close();
    }
  });
