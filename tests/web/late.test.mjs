// Frames that are drawn late and answers that do not come: the page says that the core is busy if it is, and only then.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import {
  atStep,
  button,
  hold,
  holding,
  pageTest,
  release,
  settled,
  start,
  stepOf,
  stop,
  until,
  visit,
} from "./page.mjs";

before(start);
after(stop);

const late = (link) => ({ link, script: holding });
const fast = (page) => page.getByRole("combobox", { name: "Speed", exact: true }).selectOption("Infinity");

/** Long after now the page has looked at its core several times. */
const lookLater = (page) =>
  page.evaluate(() => {
    window.later(1e7);
    for (let k = 0; k < 4; ++k) window.tick();
  });

async function notBusy(page) {
  await lookLater(page);
  assert.equal(await button(page, "Stop it").count(), 0);
}

pageTest("a frame that is drawn after the run has ended", late("env=chain:n=10&steps=3000000"), async (page) => {
  await fast(page);
  await hold(page, "frames");
  await button(page, "Play").click();
  await button(page, "Again").waitFor();
  await release(page, "frames");
  await notBusy(page);
});

pageTest("a frame that is drawn after a pause", late("env=chain:n=10&steps=1000000000"), async (page) => {
  await fast(page);
  await hold(page, "frames");
  await button(page, "Play").click();
  await button(page, "Pause").click();
  await button(page, "Play").waitFor();
  await release(page, "frames");
  await notBusy(page);
});

pageTest("a frame of a run in whose place another is open", late("env=chain:n=10&steps=1000000000"), async (page) => {
  await fast(page);
  await hold(page, "frames");
  await button(page, "Play").click();
  await button(page, "Pause").waitFor();
  await visit(page, "env=riverswim&agent=random&steps=50");
  await release(page, "frames");
  await notBusy(page);
});

pageTest("a page that was held up looks again before it says so", late("env=chain:n=10&steps=100"), async (page) => {
  await hold(page, "replies");
  await button(page, "One step").click();
  await page.evaluate(() => {
    window.later(1e7);
    window.tick();
  });
  assert.equal(await button(page, "Stop it").count(), 0);
  await release(page, "replies");
  await notBusy(page);
  assert.equal(await stepOf(page), 1);
});

pageTest("stopped: what was computed stays", late("env=deepsea:n=60&agent=psrl&steps=1000000"), async (page) => {
  await page.getByRole("slider", { name: "Step", exact: true }).fill("1000000");
  await until(page, async () => (await stepOf(page)) > 0, "some steps");
  await hold(page, "replies");
  await lookLater(page);
  await button(page, "Stop it").click();
  await release(page, "replies");
  const said = page.getByText(/^Stopped at step [\d,]+\. What was computed is kept\./);
  const t = Number(/[\d,]+/.exec(await said.innerText())[0].replaceAll(",", ""));
  assert.ok(t > 0);
  assert.equal(await stepOf(page), t);
  await button(page, "One step").click();
  await atStep(page, t + 1);
  await notBusy(page);
});

pageTest(
  "a core that never stops is ended: what is lost is said, and made again",
  late("env=chain:n=10&agent=q-learning&steps=1000&at=70"),
  async (page) => {
    const reward = await page.getByRole("definition").first().innerText();
    await hold(page, "replies");
    await button(page, "One step").click();
    await lookLater(page);
    await button(page, "Stop it").click();
    await lookLater(page);
    await page.getByText("To end it at once loses that, and the 70 steps so far are made again.").waitFor();
    await button(page, "End it now").evaluate((end) => {
      end.click();
      window.held.replies = null; // those of the old core never come, however slow it was, and those of the new one do
    });
    await page.getByText("The core was ended and started again. The 70 steps so far are made again.").waitFor();
    await settled(page);
    assert.equal(await stepOf(page), 70);
    assert.equal(await page.getByRole("definition").first().innerText(), reward);
    await button(page, "One step").click();
    await atStep(page, 71);
  },
);

pageTest("a theorem that is closed before its answer comes stays closed", late("view=theory"), async (page) => {
  const theorem = page.getByRole("table").getByRole("button").first();
  await theorem.waitFor();
  await hold(page, "replies");
  await theorem.click();
  await theorem.click();
  await release(page, "replies", 1);
  await release(page, "replies");
  await page.evaluate(() => new Promise((next) => setTimeout(next)));
  assert.equal(await page.locator(".derivation").count(), 0);
});

pageTest("curves of a seed that is no longer asked for", late("view=runs&env=chain:n=5&runs=10000"), async (page) => {
  const curves = page.getByRole("region", { name: "Learning curves" }).locator("svg");
  await button(page, "Run").click();
  await curves.waitFor();
  await hold(page, "replies");
  await page.waitForFunction(() => window.held.replies.length > 0);
  const seed = page.getByRole("textbox", { name: "Seed", exact: true });
  await seed.fill("7");
  await seed.press("Enter");
  await release(page, "replies");
  await settled(page);
  assert.equal(await curves.count(), 0);
});
