// What the tests share: the module, and the golden cells.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const wasm = readFileSync(at("build/wasm/farsight.wasm"));
export const golden = JSON.parse(readFileSync(at("tests/golden/hashes.json"), "utf8"));
export const grids = JSON.parse(execFileSync("python3", [at("tests/golden/check.py"), "--grids"], { encoding: "utf8" }));
export const source = (path) => readFileSync(at(path), "utf8");
