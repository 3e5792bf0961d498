// What the tests share: the module, SQLite, the command, and the golden cells.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { require } from "../page/packages.mjs";
import { FarsightError } from "../../ports/wasm/farsight.mjs";

export const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const wasm = readFileSync(at("build/wasm/farsight.wasm"));
export const sqlite = readFileSync(require.resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm"));
export const golden = JSON.parse(readFileSync(at("tests/golden/hashes.json"), "utf8"));
export const grids = () =>
  JSON.parse(execFileSync("python3", [at("tests/golden/check.py"), "--grids"], { encoding: "utf8" }));
export const source = (path) => readFileSync(at(path), "utf8");
export const command = at("build/release/farsight");
export const skip = existsSync(command) ? false : "there is no build/release/farsight";

/** Was it refused with this code and a text like this? */
export const refused = (code, text) => (error) => {
  assert.ok(error instanceof FarsightError, error);
  assert.equal(error.code, code);
  assert.match(error.message, text);
  return true;
};
