#!/usr/bin/env node
// Addresses of the playground, as anyone may write them: pieces of links put together, damaged and repeated. What is read
// is a setup as the page needs it, nothing of it outside its bounds, and written as a link it is read as the same.
// usage: tests/fuzz/links.mjs [-max_total_time=SECONDS] [-runs=N] [-seed=S]    (after: npm ci in web/)
import assert from "node:assert/strict";
import { source } from "../web/source.mjs";

const { DEFAULT, LIMITS, LONGEST, MOST_AGENTS, SHOWN, VIEWS, fromLink, seedOf, toLink } = await source("setup.ts");
const { stops } = await source("tour/stops.ts");
const { parseSpec, printSpec } = await source("spec.ts");

const option = (name, otherwise) =>
  Number(process.argv.find((word) => word.startsWith(`-${name}=`))?.split("=")[1] ?? otherwise);
const seconds = option("max_total_time", 0);
const runs = option("runs", seconds > 0 ? Infinity : 100000);

let state = (option("seed", 1) % 2147483646) + 1;
function below(n) {
  // Park and Miller
  state = (state * 48271) % 2147483647;
  return Math.floor(((state - 1) / 2147483646) * n);
}
const of = (list) => list[below(list.length)];

const KEYS = [...Object.keys(DEFAULT), "agent", "name", "file", "__proto__", "constructor", ""];
const VALUES = [
  "",
  "0",
  "1",
  "1e3",
  "1e999",
  "-1",
  "0x1",
  "18446744073709551615",
  "18446744073709551616",
  "chain:n=10",
  "q-learning:q0=1,epsilon=0.1",
  "a%0Ab",
  "%",
  "%2",
  "%e2%82",
  "%00",
  "%7f",
  "<b>",
  "null",
  "exact",
  "0123az",
  "é",
  "日",
  "😀",
  "\ud800",
  "\u2028",
  "[object Object]",
  "x".repeat(101),
  ...SHOWN,
  ...VIEWS,
  ...stops.map(({ id }) => id),
];
const LETTERS = "aZ09 %&=#+?/\\'\"<>$`;:,[]().\u0000\n\té≤日";

const anyValue = () => (below(4) === 0 ? Array.from({ length: below(12) }, () => of(LETTERS)).join("") : of(VALUES));
const anyPart = () =>
  `${of(KEYS)}${below(10) === 0 ? "" : "="}${below(3) === 0 ? encodeURIComponent(anyValue().replace(/\p{Surrogate}/gu, "")) : anyValue()}`;

/** A letter is lost, doubled, or another. */
function damaged(text) {
  const at = below(text.length + 1);
  return of([
    text.slice(0, at),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + of(LETTERS) + text.slice(at),
    text + text.slice(at),
  ]);
}

function anyLink() {
  let link = Array.from({ length: below(8) }, anyPart).join("&");
  if (below(2) === 0) link = `#${link}`;
  while (below(3) === 0) link = damaged(link);
  return link;
}

const isLine = (text, most) =>
  typeof text === "string" && text.length > 0 && text.length <= most && !/[\u0000-\u001f\u007f]/.test(text);

function checkSetup(setup) {
  assert.deepEqual(Object.keys(setup).sort(), Object.keys(DEFAULT).sort());
  assert.ok(VIEWS.includes(setup.view) && SHOWN.includes(setup.show) && typeof setup.beside === "boolean");
  assert.ok(setup.tour === null || stops.some(({ id }) => id === setup.tour));
  assert.ok(isLine(setup.env, LONGEST.spec) && setup.agents.length >= 1 && setup.agents.length <= MOST_AGENTS);
  for (const agent of setup.agents) assert.ok(isLine(agent, LONGEST.spec));
  for (const [key, [least, most]] of Object.entries(LIMITS))
    assert.ok(Number.isSafeInteger(setup[key]) && setup[key] >= least && setup[key] <= most, key);
  assert.ok(
    setup.at <= setup.steps &&
      seedOf(setup.seed) === setup.seed &&
      /^[0-9a-z]*$/.test(setup.moves) &&
      setup.moves.length <= LONGEST.moves,
  );
  assert.ok(
    setup.model === null || (isLine(setup.model.name, LONGEST.name) && setup.model.text.length <= LONGEST.model),
  );
}

function check(link) {
  const { setup, problems } = fromLink(link);
  checkSetup(setup);
  assert.ok(problems.length <= 6 && problems.every((problem) => problem.length < 250));
  const again = fromLink(toLink(setup));
  assert.deepEqual(again.problems, []);
  assert.equal(toLink(again.setup), toLink(setup));
  for (const spec of [setup.env, ...setup.agents])
    assert.ok(printSpec(parseSpec(spec)).startsWith(parseSpec(spec).name));
}

const begun = performance.now();
const names = Object.getOwnPropertyNames(Object.prototype).length;
let executed = 0;
for (
  ;
  executed < runs && !(seconds > 0 && executed % 256 === 0 && performance.now() - begun > 1000 * seconds);
  ++executed
) {
  const link = anyLink();
  try {
    check(link);
  } catch (error) {
    console.error(`the link ${JSON.stringify(link)}`);
    throw error;
  }
}
assert.equal(Object.getOwnPropertyNames(Object.prototype).length, names);
console.log(`stat::number_of_executed_units: ${executed}`);
console.log(`stat::average_exec_per_sec: ${Math.round(executed / Math.max(1, (performance.now() - begun) / 1000))}`);
