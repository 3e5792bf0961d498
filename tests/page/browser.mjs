// One browser for all tests of a process, and pages that remember what went wrong in them.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { require } from "./packages.mjs";

const { chromium } = require("playwright-core");
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Milliseconds: what takes longer never comes. A machine that does other things, too, may need many seconds. */
export const LIMIT = 120_000;

export const LOOKS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  smallest: { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true },
};

let browser = null; // a promise: one for all tests of the process
export async function start() {
  browser ??= chromium.launch({
    executablePath: process.env.FARSIGHT_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    timeout: LIMIT,
  });
  await browser;
}
export async function stop() {
  const open = browser;
  browser = null;
  await (await open)?.close();
}

/** Opens a file in a context of its own. */
export async function open(path, options = {}) {
  return openUrl(await newContext(options), pathToFileURL(path).href);
}

/** Opens an address in a tab; `faults` of the page are errors, console messages and requests besides the address itself. */
export async function openUrl(context, url) {
  context.setDefaultTimeout(LIMIT);
  const page = await context.newPage();
  const [document] = url.split("#");
  page.faults = [];
  page.on("console", (message) => page.faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const within = /^(data|blob):/.test(request.url()); // no network: what the page itself holds
    if (!within && request.url().split("#")[0] !== document) page.faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

/** A context without a page: the desktop, in light, unless it is said otherwise. */
export async function newContext(options = {}) {
  return (await browser).newContext({ ...LOOKS.desktop, colorScheme: "light", ...options });
}

/** A page without a file, for drawings. */
export async function openEmpty() {
  const context = await (await browser).newContext({ viewport: { width: 1600, height: 1200 } });
  return context.newPage();
}

export async function close(page) {
  await page.context().close();
}

/** What an accessibility checker finds above minor: ["rule: target", ...]; of some rules alone, where they are named. */
export async function accessFaults(page, rules = null) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  await page.evaluate(() => {
    // shadows at the ends of what scrolls: the checker cannot tell the contrast of text on them
    for (const box of document.querySelectorAll(".scroll, .view")) box.style.background = "none";
  });
  const found = await page.evaluate(
    (only) => window.axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) }),
    rules,
  );
  return found.violations
    .filter((rule) => rule.impact !== "minor")
    .flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id} (${rule.impact}): ${node.target} ${node.html.slice(0, 120)}`),
    );
}
