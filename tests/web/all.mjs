// Test files in one process, with one browser: to start both for each file would take a quarter of the time.
// usage: node tests/web/all.mjs FILE.test.mjs...
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

let done;
const read = new Promise((next) => (done = next));
test("the files are read", () => read); // those of the first wait for those of the last
for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)));
done();
