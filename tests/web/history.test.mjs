// Back: to the part of the page, the environment and the stop of the tour where the reader was.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { atStep, button, linkSays, module, pageTest, settled, start, stepOf, stop } from "./page.mjs";

before(start);
after(stop);

const LINK = "env=chain:n=5&agent=q-learning&steps=50";
const entries = (page) => page.evaluate(() => window.history.length);
const shown = (page) => page.getByRole("navigation").getByRole("button").and(page.locator("[aria-current=page]"));

async function shows(page, tab) {
  await shown(page).filter({ hasText: tab }).waitFor();
  await settled(page);
}

async function back(page, tab) {
  await page.goBack();
  await shows(page, tab);
}

pageTest("from tab to tab, to another environment, and back", { link: LINK }, async (page) => {
  await button(page, "One step").click();
  await atStep(page, 1);
  const tabs = ["Many runs", "Theory", "By hand"];
  for (const tab of tabs) await button(page, tab).click(); // at once
  for (const tab of ["Theory", "Many runs", "Watch"]) await back(page, tab);
  assert.equal(await stepOf(page), 1, "the run stays where it was");
  for (const tab of tabs) {
    await page.goForward();
    await shows(page, tab);
  }
  await page.getByRole("combobox", { name: "Environment", exact: true }).selectOption("riverswim");
  await linkSays(page, /view=hand&env=riverswim/);
  await page.goBack();
  await linkSays(page, /view=hand&env=chain:n=5/);
  await back(page, "Theory");
});

pageTest("small changes are no places of their own", { link: LINK }, async (page) => {
  const before = await entries(page);
  const seed = page.getByRole("textbox", { name: "Seed", exact: true });
  await seed.fill("7");
  await seed.press("Enter");
  await page.locator("#edit-n").fill("8");
  await page.locator("#edit-n").press("Enter");
  await page.getByRole("combobox", { name: "Show", exact: true }).selectOption("visits");
  await linkSays(page, /env=chain:n=8&agent=q-learning&steps=50&seed=7&show=visits/);
  assert.equal(await entries(page), before);
  await button(page, "Theory").click();
  await linkSays(page, /view=theory/);
  assert.equal(await entries(page), before + 1);
  await back(page, "Watch");
  await linkSays(page, "env=chain:n=8&agent=q-learning&steps=50&seed=7&show=visits"); // as it was left
});

pageTest("the tour, its stops and its parts", { link: LINK }, async (page) => {
  const title = (text) => page.getByRole("heading", { name: text }).waitFor();
  await page.getByRole("link", { name: "Guided tour" }).click();
  const first = await page.locator("#tour-title").innerText();
  await page.getByRole("link", { name: "Skip" }).click();
  await linkSays(page, /^tour=/);
  await button(page, "Theory").click();
  await button(page, "Leave the tour").click();
  await linkSays(page, /^view=theory&env=/);
  await page.goBack();
  await linkSays(page, /^tour=.*view=theory/);
  await back(page, "Watch");
  await page.goBack();
  await title(first);
  await page.goBack();
  await linkSays(page, LINK);
});

pageTest("a model that is too large for the link is still there", { link: LINK }, async (page) => {
  const farsight = await module();
  const large = farsight.model("chain:n=300").print("json");
  await page.getByLabel("Open a model file").setInputFiles({
    name: "large.json",
    mimeType: "application/json",
    buffer: Buffer.from(large),
  });
  await linkSays(page, /file=large\.json/);
  await settled(page);
  await button(page, "One step").click();
  await atStep(page, 1);
  await button(page, "Many runs").click();
  await linkSays(page, /view=runs&file=large\.json/);
  await back(page, "Watch");
  await page.locator(".file-name").getByText("large.json").waitFor();
  assert.equal(await page.getByText("needs the model file").count(), 0);
  assert.equal(await stepOf(page), 1);
  await page.goBack();
  await linkSays(page, LINK);
});
