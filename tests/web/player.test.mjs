// The player's controls, by what they are called.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { atStep, button, factsOf, pageTest, start, stop } from "./page.mjs";

before(start);
after(stop);

pageTest("a step and back", { link: "env=chain:n=5&agent=q-learning&steps=100" }, async (page) => {
  await button(page, "One step").click();
  await atStep(page, 1);
  await button(page, "One step back").click();
  await atStep(page, 0);
  assert.equal((await factsOf(page, "q-learning")).reward, "0");
});
