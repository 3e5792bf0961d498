// The same module in a page of Chromium: golden hashes, that slices leave the page alive, and a store in a worker.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, open, openEmpty, start, stop } from "../page/browser.mjs";
import { command, golden, grids, skip, source, sqlite, wasm } from "./inputs.mjs";

const asModule = (path) => `data:text/javascript;base64,${Buffer.from(source(path)).toString("base64")}`;

let page;
before(async () => {
  await start();
  page = await openEmpty();
  await page.evaluate(
    async ([farsight, bytes]) => {
      const { load } = await import(farsight);
      window.farsight = await load(Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0)));
    },
    [asModule("ports/wasm/farsight.mjs"), wasm.toString("base64")],
  );
});
after(async () => {
  await close(page);
  await stop();
});

test("golden hashes", async () => {
  const { cells, faults } = await page.evaluate(
    async ([check, all, hashes]) => {
      const { checkGolden } = await import(check);
      return checkGolden(window.farsight, all, hashes);
    },
    [asModule("tests/wasm/golden.mjs"), grids(), golden.hashes],
  );
  assert.deepEqual(faults, []);
  assert.equal(cells, Object.keys(golden.hashes).length);
});

test("a page that plays in slices is asked for frames", async () => {
  const steps = await page.evaluate(async () => {
    const model = window.farsight.model("chain:n=50");
    const player = model.player(["directed-delayed-q", "q-learning"], { steps: 1e9 });
    for (let frames = 0; frames < 10 || player.t < 1000; ++frames) {
      player.play(1e9, 0.008); // of the minute or so that it would take
      await new Promise(requestAnimationFrame);
    }
    const steps = player.t;
    player.free();
    model.free();
    return steps;
  });
  assert.ok(steps < 1e9, `${steps} steps`);
});

/** Draws a figure of a store: what a page, or a worker of its, does with a file that was dropped. */
async function drawStored([farsightModule, sqliteModule, ...files]) {
  const [wasm, sqlite, store] = files.map((each) => Uint8Array.from(atob(each), (letter) => letter.charCodeAt(0)));
  const [{ load }, { loadSqlite }] = [await import(farsightModule), await import(sqliteModule)];
  const farsight = await load(wasm);
  farsight.sqlite = await loadSqlite(sqlite);
  return farsight.store(store).figure("curves");
}

/** The same in a worker. */
async function drawInWorker([draw, input]) {
  const code = `onmessage = async ({ data }) => postMessage(await (${draw})(data).catch((error) => String(error)))`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  const answer = new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
  });
  worker.postMessage(input);
  return answer;
}

test("a store in a page of a file, and in its worker", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "farsight-page-")),
    store = join(folder, "results.db");
  writeFileSync(join(folder, "page.html"), "<!doctype html><title>A page</title>");
  execFileSync(command, [
    "run",
    "-q",
    "-e",
    "chain:n=5",
    "-a",
    "r-max",
    "-a",
    "q-learning",
    "--steps",
    "200",
    "--runs",
    "5",
    "--curve",
    "log 5",
    "--store",
    store,
  ]);
  const wanted = execFileSync(command, ["plot", "curves", store], { encoding: "utf8" });
  const input = [
    asModule("ports/wasm/farsight.mjs"),
    asModule("ports/wasm/sqlite.mjs"),
    ...[wasm, sqlite, readFileSync(store)].map((bytes) => bytes.toString("base64")),
  ];
  const filePage = await open(join(folder, "page.html"));
  assert.equal(await filePage.evaluate(drawStored, input), wanted);
  assert.equal(await filePage.evaluate(drawInWorker, [drawStored.toString(), input]), wanted);
  assert.deepEqual(
    filePage.faults.filter((fault) => !/^request: (data|blob):/.test(fault)),
    [],
  );
  await close(filePage);
  rmSync(folder, { recursive: true });
});
