// The same for the module: node smoke.mjs FOLDER VERSION HASH
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, version, digest] = process.argv.slice(2);
const { load } = await import(pathToFileURL(`${folder}/farsight.mjs`));
const farsight = await load(readFileSync(`${folder}/farsight.wasm`));
const batch = farsight
  .model("chain:n=10")
  .batch(["directed-delayed-q:preset=practical"], { steps: 3000, runs: 7, seed: 42, points: 0 });
while (!batch.work(0.1));
const found = [farsight.about.version, batch.results().cells[0].hash];
if (found[0] !== version || found[1] !== digest) throw new Error(`has ${found}`);
