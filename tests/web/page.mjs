// The playground in a tab: opened with a link, watched for faults, and waited for by what it shows.
//
//     before(start);
//     after(stop);
//     pageTest("a step", { link: "env=chain:n=5&steps=100" }, async (page) => {
//       await page.getByRole("button", { name: "One step", exact: true }).click();
//       await atStep(page, 1);
//     });
//
// Nothing here waits for a time: only for what the page says. A test fails on any error, console message or request.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "../../ports/wasm/farsight.mjs";
import { LIMIT, LOOKS, newContext, openUrl } from "../page/browser.mjs";

export { LOOKS, accessFaults, start, stop } from "../page/browser.mjs";

const built = (path) => fileURLToPath(new URL(`../../build/${path}`, import.meta.url));
export const FILE = process.env.FARSIGHT_WEB ?? built("web/index.html"); // another build of it, or what `farsight web` wrote
export const FARSIGHT = join(process.env.FARSIGHT_BUILD ?? built("release"), "farsight");

/** The same module in Node. */
let loaded = null;
export const module = () => (loaded ??= load(readFileSync(built("wasm/farsight.wasm"))));

/** Opens the page. link: behind '#'; look: a key of LOOKS; theme: light or dark; from: where it is, a file unless told;
 * context: that of another tab; script: a function that runs in the page before all else; the rest are options of a
 * browser's context. */
export async function openPage({
  link = "",
  look = "desktop",
  theme = "light",
  from = pathToFileURL(FILE).href,
  context,
  script,
  ...options
} = {}) {
  const where = context ?? (await newContext({ ...LOOKS[look], colorScheme: theme, ...options }));
  if (script) await where.addInitScript(script);
  const page = await openUrl(where, link === "" ? from : `${from}#${link}`);
  await settled(page);
  return page;
}

/** A script for openPage, with which a test decides when things come: what workers reply, and frames of the page, wait in
 * `held.replies` and `held.frames` while these are lists; `tick` does what the page does every so often, `later` moves the
 * clock. */
export function holding() {
  const [Real, frame, every, now] = [
    window.Worker,
    window.requestAnimationFrame.bind(window),
    window.setInterval.bind(window),
    performance.now.bind(performance),
  ];
  const ticks = [];
  let ahead = 0;
  window.held = { replies: null, frames: null };
  window.Worker = class extends Real {
    set onmessage(hear) {
      super.onmessage = (event) => {
        if (window.held.replies === null) hear.call(this, event);
        else window.held.replies.push(() => hear.call(this, event));
      };
    }
  };
  window.requestAnimationFrame = (draw) =>
    window.held.frames === null ? frame(draw) : window.held.frames.push(() => draw(performance.now()));
  window.setInterval = (work, ...rest) => {
    ticks.push(work);
    return every(work, ...rest);
  };
  performance.now = () => now() + ahead;
  window.later = (ms) => (ahead += ms);
  window.tick = () => ticks.forEach((work) => work());
}

/** Begins to hold what is named: "replies" or "frames". */
export const hold = (page, what) => page.evaluate((name) => void (window.held[name] = []), what);

/** Lets the first so many that are held come, once there are as many; all, and those that follow, if no number is given. */
export async function release(page, what, count = null) {
  await page.waitForFunction(([name, n]) => window.held[name].length >= (n ?? 0), [what, count], { polling: 20 });
  await page.evaluate(
    ([name, n]) => {
      const list = window.held[name];
      const due = list.splice(0, n ?? list.length);
      if (n === null) window.held[name] = null;
      for (const come of due) come();
    },
    [what, count],
  );
}

/** Until the setup that was asked for is open, or refused. */
export async function settled(page) {
  await page.locator("main:not([aria-busy=true])").waitFor();
}

const shared = new Map(); // by what they look like

/** The page of earlier tests that look alike, at another link. */
async function again({ link = "", shared: _, ...options }) {
  const key = JSON.stringify(options);
  const page = shared.get(key) ?? (await openPage(options));
  shared.set(key, page);
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement?.blur());
  await visit(page, "env=loop&agent=random&steps=1"); // so that the link is another, even if it is that of the last test
  await visit(page, link);
  return page;
}

/** A test with a page of its own, which must stay without faults. To open one takes a second: tests that are `shared` get
 * the page of the one before, if that passed, with all that is not in a link as it was left. */
export function pageTest(title, options, body) {
  test(title, async () => {
    const page = await (options.shared ? again(options) : openPage(options));
    let good = false;
    try {
      await body(page);
      assert.deepEqual(page.faults, []);
      good = options.shared;
    } finally {
      if (!good) await discard(page);
    }
  });
}

async function discard(page) {
  for (const [key, each] of shared) if (each === page) shared.delete(key);
  await page.context().close();
}

/** Goes to another link within the open page, as a reader does who edits the address. */
export async function visit(page, link) {
  await page.evaluate(
    (hash) =>
      new Promise((done) => {
        if (location.hash === `#${hash}`) return done();
        addEventListener("hashchange", () => queueMicrotask(done), { once: true });
        location.hash = hash;
      }),
    link,
  );
  await settled(page);
}

/** The link that the page shows now, without '#'. */
export const linkOf = (page) => page.evaluate(() => location.hash.slice(1));

/** Until the link is so, or has such a part: the page writes its address a little later than it changes. */
export async function linkSays(page, what) {
  const good = (link) => (typeof what === "string" ? link === what : what.test(link));
  await until(page, async () => good(await linkOf(page)), `the link says ${what}`);
}

export const slider = (page) => page.getByRole("slider", { name: "Step", exact: true });

/** The step at which the watched run stands: not the slider's value, which is there before the run is. */
export const stepOf = async (page) =>
  Number(/[\d,]+/.exec(await slider(page).getAttribute("aria-valuetext"))[0].replaceAll(",", ""));

/** Until the watched run stands at step t. */
export async function atStep(page, t) {
  await until(page, async () => (await stepOf(page)) === t, `the run is at step ${t}`);
}

/** Until something holds: it is asked again with every frame that the page draws. */
export async function until(page, holds, what) {
  const end = Date.now() + LIMIT;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `never: ${what}`);
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
  }
}

/** One of the watched agents, by its name. */
export const lane = (page, name) => page.getByRole("region", { name, exact: true });

/** What a lane says of its run: { reward: "12", "a step": "0.300" }. */
export async function factsOf(page, name) {
  const of = lane(page, name);
  const keys = await of.getByRole("term").allInnerTexts();
  const values = await of.getByRole("definition").allInnerTexts();
  return Object.fromEntries(keys.map((key, i) => [key.trim(), values[i].trim()]));
}

export const button = (page, name) => page.getByRole("button", { name, exact: true });
