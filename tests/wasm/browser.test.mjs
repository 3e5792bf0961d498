// The same module in a page of Chromium: golden hashes, and that slices leave the page alive.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { close, openEmpty, start, stop } from "../page/browser.mjs";
import { golden, grids, source, wasm } from "./inputs.mjs";

const asModule = (path) => `data:text/javascript;base64,${Buffer.from(source(path)).toString("base64")}`;

let page;
before(async () => {
  await start();
  page = await openEmpty();
  await page.evaluate(async ([farsight, bytes]) => {
    const { load } = await import(farsight);
    window.farsight = await load(Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0)));
  }, [asModule("wasm/farsight.mjs"), wasm.toString("base64")]);
});
after(async () => {
  await close(page);
  await stop();
});

test("golden hashes", async () => {
  const { cells, faults } = await page.evaluate(async ([check, all, hashes]) => {
    const { checkGolden } = await import(check);
    return checkGolden(window.farsight, all, hashes);
  }, [asModule("tests/wasm/golden.mjs"), grids, golden.hashes]);
  assert.deepEqual(faults, []);
  assert.equal(cells, Object.keys(golden.hashes).length);
});

test("a page that plays in slices is asked for frames", async () => {
  const { frames, steps } = await page.evaluate(async () => {
    const model = window.farsight.model("chain:n=50");
    const player = model.player(["directed-delayed-q", "q-learning"], { steps: 1e9 });
    let frames = 0;
    for (const end = performance.now() + 300; performance.now() < end; ++frames) {
      player.play(1e9, 0.008);
      await new Promise(requestAnimationFrame);
    }
    const steps = player.t;
    player.free();
    model.free();
    return { frames, steps };
  });
  assert.ok(frames >= 3, `${frames} frames`);
  assert.ok(steps > 1000, `${steps} steps`);
});
