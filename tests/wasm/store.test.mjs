// Stores: the same figures and messages as the command, from the bytes of a file; files that mean harm.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { FarsightError, load } from "../../ports/wasm/farsight.mjs";
import { loadSqlite } from "../../ports/wasm/sqlite.mjs";
import { at, command, refused, skip, sqlite, wasm } from "./inputs.mjs";

const folder = mkdtempSync(join(tmpdir(), "farsight-stores-"));
after(() => rmSync(folder, { recursive: true }));

let farsight, results;
before(async () => {
  farsight = await load(wasm);
  farsight.sqlite = await loadSqlite(sqlite);
  if (skip) return;
  execFileSync("python3", [at("tests/wasm/stores.py"), command, folder]);
  results = readFileSync(join(folder, "results.db"));
});

/** Does something with a store, and frees it. */
function withStore(bytes, use, name = "results.db") {
  const store = farsight.store(bytes, { name });
  try {
    return use(store);
  } finally {
    store.free();
  }
}

/** The command in the folder of the stores: its output, and its message without the name in front. */
function native(...words) {
  const { stdout, stderr } = spawnSync(command, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
  return { output: stdout, message: stderr.replace(/^farsight: /, "").split("\n")[0] };
}

/** Options as words of the command. */
const words = (options) =>
  Object.entries(options).flatMap(([key, value]) =>
    [value]
      .flat()
      .flatMap((each) => [
        `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        ...(each === true ? [] : [`${each}`]),
      ]),
  );

const ONE = { env: "chain:n=5", agent: "directed-delayed-q*" };
const FIGURES = [
  ["curves", {}],
  ["curves", { perStep: true, x: "log", y: "linear", env: ["riverswim", "chain:n=5"], width: 500, theme: "dark" }],
  ["curves", { series: "coverage", level: 0.5, most: 2 }],
  ["intervals", {}],
  ["intervals", { series: "curve@96", steps: 300, runSeed: 1n }],
  ["differences", { baseline: "r-max:m=9", better: "lower", env: "chain:n=5" }],
  ["improvements", { env: "chain:n=5", resamples: 300, seed: 5, correction: "fdr" }],
  ["matrix", { env: "chain:n=5", paired: true }],
  ["profiles", { resamples: 200 }],
  ["scores", { resamples: 200 }],
  ["sensitivity", { parameter: "m" }],
  ["growth", { parameter: "n" }],
  ["hardness", {}],
  ...["visits", "q", "bonus", "e", "learn", "value", "policy"].map((kind) => [kind, ONE]),
];

describe("the same as the command", { skip }, () => {
  test("the description", () =>
    withStore(results, ({ description }) => {
      assert.deepEqual(description, JSON.parse(native("store", "info", "results.db", "--json").output));
      assert.equal(description.runs, 72);
    }));

  test("figures of every kind", () =>
    withStore(results, (store) => {
      for (const [kind, options] of FIGURES)
        assert.equal(store.figure(kind, options), native("plot", kind, "results.db", ...words(options)).output, kind);
      assert.deepEqual(new Set(FIGURES.map(([kind]) => kind)), new Set(farsight.plots.map(({ name }) => name)));
    }));

  test("numbers of a figure", () =>
    withStore(results, (store) => {
      for (const [kind, options] of [
        ["curves", { env: "chain:n=5" }],
        ["matrix", { env: "chain:n=5", resamples: 200 }],
        ["q", ONE],
      ])
        assert.deepEqual(
          store.numbers(kind, options),
          JSON.parse(native("plot", kind, "results.db", "--json", ...words(options)).output),
          kind,
        );
    }));

  test("what is refused", () =>
    withStore(results, (store) => {
      for (const [kind, options] of [
        ["pie", {}],
        ["curves", { series: "regret" }],
        ["curves", { env: "taxi" }],
        ["curves", { runSeed: 2 }],
        ["curves", { steps: 5 }],
        ["differences", { agent: "r-max:m=9" }],
        ["bonus", { env: "chain:n=5", agent: "r-max:m=3" }],
      ])
        assert.throws(
          () => store.figure(kind, options),
          (error) => {
            assert.ok(error instanceof FarsightError, error);
            assert.ok(
              native("plot", kind, "results.db", ...words(options)).message.includes(error.message),
              error.message,
            );
            return true;
          },
        );
    }));

  test("files that are no stores, or mean harm", () => {
    for (const name of readdirSync(join(folder, "bad"))) {
      const path = `bad/${name}`;
      const wanted = native("store", "info", path).message || native("plot", "curves", path).message;
      assert.throws(
        () => withStore(readFileSync(join(folder, path)), (store) => store.figure("curves"), path),
        (error) => {
          assert.ok(error instanceof FarsightError, `${name}: ${error}`);
          assert.equal(error.message, wanted);
          return true;
        },
        name,
      );
    }
  });
});

describe("in a page", { skip }, () => {
  test("without SQLite", async () => {
    const bare = await load(wasm);
    assert.throws(() => bare.store(results), refused("absent", /SQLite/));
    assert.equal(bare.plots.length, farsight.plots.length);
    assert.throws(() => {
      farsight.sqlite = { ...farsight.sqlite };
    }, /already/);
  });

  test("options that are wrong", () =>
    withStore(results, (store) => {
      const refuses = (options, code, text) =>
        assert.throws(() => store.figure("curves", options), refused(code, text));
      refuses({ colour: "red" }, "unknown", /no option 'colour'/);
      refuses({ width: 10 }, "range", /width '10': must be a whole number from 300 to 4000/);
      refuses({ most: 1.5 }, "range", /whole number/);
      refuses({ level: 1 }, "range", /between 0 and 1/);
      refuses({ seed: -1 }, "range", /whole number from 0/);
      refuses({ x: "cubic" }, "unknown", /must be auto, linear or log/);
      refuses({ better: "more" }, "unknown", /must be higher or lower/);
      refuses({ env: "chain\nwidth=1" }, "syntax", /one line/);
      assert.equal(store.figure("curves", { env: undefined, perStep: false }), store.figure("curves"));
    }));

  test("inline figures", () =>
    withStore(results, (store) => {
      const inline = store.figure("curves", { id: "stored" });
      assert.match(inline, /id="stored/);
      assert.doesNotMatch(inline, /<style/);
    }));

  test("several at once", () =>
    withStore(results, (store) => {
      assert.throws(() => farsight.store(results, { name: "results.db" }), refused("conflict", /open already/));
      withStore(results, (other) => assert.equal(other.figure("curves"), store.figure("curves")), "50% of #2?.db");
      assert.throws(() => farsight.store(results, { name: "" }), refused("io", /name/));
    }));

  test("damage anywhere is an error or does no harm", () => {
    let state = 1n; // of a generator of Knuth's
    const draw = (n) => {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
      return Number((state >> 33n) % BigInt(n));
    };
    for (let i = 0; i < 60; ++i) {
      const bytes = Uint8Array.from(results);
      for (let k = draw(4); k >= 0; --k) bytes[draw(i % 2 === 0 ? 4096 : bytes.length)] = draw(256);
      try {
        withStore(bytes, (store) => store.figure("intervals"));
      } catch (error) {
        assert.ok(error instanceof FarsightError, error);
      }
    }
  });

  test("memory is given back", () => {
    const { f, memory } = farsight.sqlite,
      broken = results.subarray(0, results.length / 2);
    const used = () => {
      // bytes that SQLite has allocated
      const at = f.sqlite3_malloc(16);
      assert.equal(f.sqlite3_status64(0, at, at + 8, 0), 0);
      const bytes = new DataView(memory.buffer).getBigInt64(at, true);
      f.sqlite3_free(at);
      return bytes;
    };
    const round = () => {
      withStore(results, (store) => store.figure("curves"));
      for (let i = 0; i < 10; ++i) assert.throws(() => farsight.store(broken), FarsightError);
    };
    round();
    const before = [farsight.memory, used()];
    for (let i = 0; i < 20; ++i) round();
    assert.deepEqual([farsight.memory, used()], before);
    withStore(results, () => assert.ok(used() > before[1] + BigInt(results.length)));
  });
});
