// The size of the module, and how fast it is in Node beside the command, in turn on the same cells.
// usage: node ports/wasm/measure.mjs FARSIGHT.wasm [FARSIGHT]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { load } from "./farsight.mjs";

const [path, command] = process.argv.slice(2);
const CELLS = [
  ["chain:n=50", "directed-delayed-q"],
  ["chain:n=50", "delayed-q"],
  ["chain:n=50", "q-learning"],
  ["frozen-lake:map=8x8", "directed-delayed-q"],
  ["riverswim", "ucb-q"],
  ["riverswim", "r-max"],
];
const [STEPS, RUNS, ROUNDS] = [200_000, 10, 3];

const kilobytes = (bytes) => `${Math.round(bytes.length / 1000)} kB`;
const millions = (rate) => (rate / 1e6).toFixed(1).padStart(7);

/** Steps a second of a batch in this process: processor time, as the command counts it. */
function ours(farsight, env, agent) {
  const model = farsight.model(env);
  const batch = model.batch([agent], { steps: STEPS, runs: RUNS, points: 0 });
  const begun = process.cpuUsage();
  while (!batch.work(0.01));
  const { user, system } = process.cpuUsage(begun);
  const [{ hash }] = batch.results().cells;
  batch.free();
  model.free();
  return { rate: (STEPS * RUNS * 1e6) / (user + system), hash };
}

function native(env, agent) {
  const words = ["run", "-e", env, "-a", agent, "--steps", STEPS, "--runs", RUNS, "--threads", 1, "--json", "--quiet"];
  const [cell] = JSON.parse(execFileSync(command, words.map(String), { encoding: "utf8" })).cells;
  return { rate: (STEPS * RUNS) / cell.seconds, hash: cell.hash };
}

/** In turn, the best of a few: other processes disturb both alike. */
function compare(farsight, env, agent) {
  let [page, machine] = [0, 0];
  for (let i = 0; i < ROUNDS; ++i) {
    const [a, b] = [ours(farsight, env, agent), native(env, agent)];
    if (a.hash !== b.hash) throw new Error(`${env} ${agent}: the module computes ${a.hash}, the command ${b.hash}`);
    page = Math.max(page, a.rate);
    machine = Math.max(machine, b.rate);
  }
  console.log(`${millions(page)} ${millions(machine)}   ${(machine / page).toFixed(2)}   ${env} ${agent}`);
}

const bytes = readFileSync(path);
console.log(
  `${path}: ${kilobytes(bytes)}, ${kilobytes(gzipSync(bytes, { level: 9 }))} by gzip, ${kilobytes(
    brotliCompressSync(bytes),
  )} by brotli`,
);
if (command !== undefined) {
  const farsight = await load(bytes);
  console.log("\nMillion steps a second, one thread, the best of 3:\n   Node command  ratio");
  for (const [env, agent] of CELLS) compare(farsight, env, agent);
}
