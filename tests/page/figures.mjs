// Texts of SVG files, measured by a browser: inside of the frame, none overlapping another.
// usage: node tests/page/figures.mjs FILE.svg...    (after scripts/test-page has installed the packages)
import { readFileSync } from "node:fs";
import { close, openEmpty, start, stop } from "./browser.mjs";
import { figureFaults } from "./geometry.mjs";

await start();
const page = await openEmpty();
let bad = 0;
for (const path of process.argv.slice(2)) {
  await page.setContent(readFileSync(path, "utf8"));
  const faults = await page.evaluate(figureFaults);
  if (!(await page.locator("svg").count())) faults.push("no drawing");
  for (const fault of faults) console.log(`${path}: ${fault}`);
  bad += faults.length;
}
await close(page);
await stop();
console.log(`${process.argv.length - 2} figures, ${bad} faults`);
process.exit(bad ? 1 : 0);
