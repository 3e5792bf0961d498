// Hostile links in the page: nothing of them runs, and the page stays usable.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { atStep, button, lane, pageTest, start, stop, visit } from "./page.mjs";

before(start);
after(stop);

const MARKUP = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
const at = encodeURIComponent;

/** No element came of a text, and no script ran. */
async function untouched(page) {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, iframe, object, embed, body script:not([type=module])").count(), 0);
}

async function usable(page) {
  await visit(page, "env=chain:n=5&agent=q-learning&steps=10");
  await lane(page, "q-learning").waitFor();
  await button(page, "One step").click();
  await atStep(page, 1);
}

pageTest("markup in every part is text", { link: `env=${at(MARKUP)}` }, async (page) => {
  assert.ok((await page.getByRole("alert").innerText()).includes("<img"));
  await untouched(page);
  for (const view of ["play", "runs", "theory"])
    for (const part of [
      `env=${at(`chain:n=5,${MARKUP}=1`)}`,
      `agent=${at(MARKUP)}`,
      `agent=${at(`q-learning:alpha=${MARKUP}`)}`,
      `env=chain:n=5&agent=${at("'\"`$(id)")}`,
      `model=${at(MARKUP)}&name=${at(MARKUP)}`,
      `model=${at(`{"0":{"0":[[1.0,0,1.0,"${MARKUP}"]]}}`)}`,
      `${at(MARKUP)}=1`,
      `tour=${at(MARKUP)}`,
      "view=javascript:alert(1)",
      "show=__proto__",
    ]) {
      await visit(page, `view=${view}&${part}`);
      await untouched(page);
    }
  await usable(page);
});

pageTest("a model of a link with markup in its names", { shared: true, link: "" }, async (page) => {
  const model = `discount: 0.9\nstates: ${at("<b>x</b>")} b\nactions: go\nT: go : * : b 1\nR: go : * : * : * 1\n`;
  await visit(page, `model=${at(model)}&name=${at(MARKUP)}&agent=q-learning`);
  await untouched(page);
  await usable(page);
});

pageTest("numbers at their limits", { shared: true, link: "env=chain:n=1000000000&agent=q-learning" }, async (page) => {
  await page.getByRole("alert").waitFor(); // more than the module's memory holds, or refused
  for (const env of [
    "garnet:s=1000000,a=1000",
    "chain:n=1e999",
    "chain:n=-1",
    "deepsea:n=100000",
    "chain:n=2,slip=nan",
    `grid:map=${"S".repeat(1900)}`,
  ]) {
    await visit(page, `env=${at(env)}&agent=q-learning`);
    assert.ok((await page.getByRole("alert").innerText()).length > 5, env);
  }
  await usable(page);
});

pageTest(
  "a thousand problems, and a million characters",
  { link: "a&".repeat(1000) + "x".repeat(1e6) },
  async (page) => {
    assert.ok((await button(page, "Dismiss").count()) <= 10);
    await page.getByRole("status").getByText("unknown part").first().waitFor();
    for (let left = await button(page, "Dismiss").count(); left > 0; --left)
      await button(page, "Dismiss").first().click();
    assert.equal(await button(page, "Dismiss").count(), 0);
    await usable(page);
  },
);

pageTest(
  "back and forward in the history show what their links say",
  { shared: true, link: "env=chain:n=5&agent=q-learning&steps=10" },
  async (page) => {
    await visit(page, "env=riverswim&agent=random&steps=20");
    await visit(page, "env=loop&agent=r-max&steps=30");
    const shows = (agent) => lane(page, agent).waitFor();
    await shows("r-max");
    await page.goBack();
    await shows("random");
    await page.goBack();
    await shows("q-learning");
    await page.goForward();
    await shows("random");
  },
);
