// Texts of SVG files, measured by a browser: inside of the frame, none overlapping another.
// usage: node tests/page/figures.mjs FILE.svg...    (after scripts/test-page has installed the packages)
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { close, openEmpty, start, stop } from "./browser.mjs";
import { figureFaults } from "./geometry.mjs";

/** The faults of files: ["FILE: sentence", ...]. The browser has been started. */
export async function fileFaults(paths) {
  const page = await openEmpty(),
    found = [];
  for (const path of paths) {
    await page.setContent(readFileSync(path, "utf8"));
    const faults = await page.evaluate(figureFaults);
    if (!(await page.locator("svg text").count())) faults.push("no drawing");
    found.push(...faults.map((fault) => `${path}: ${fault}`));
  }
  await close(page);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await start();
  const found = await fileFaults(process.argv.slice(2));
  await stop();
  for (const fault of found) console.log(fault);
  console.log(`${process.argv.length - 2} figures, ${found.length} faults`);
  process.exit(found.length ? 1 : 0);
}
