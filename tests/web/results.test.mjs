// Stored results: a store that the command wrote, opened in the page, gives the figures of `farsight plot`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import {
  FARSIGHT,
  LOOKS,
  accessFaults,
  button,
  hold,
  holding,
  linkOf,
  pageTest,
  release,
  settled,
  start,
  stop,
  until,
} from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "results-"));
const STORE = join(folder, "some <b>results.db");
const GEOMETRIC = join(folder, "geometric.db");
const farsight = (...words) => execFileSync(FARSIGHT, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

before(async () => {
  farsight(
    "run",
    "-q",
    "-e",
    "chain:n=5",
    "-e",
    "riverswim",
    "-a",
    "q-learning",
    "-a",
    "r-max:m=5",
    "--steps",
    "200",
    "--runs",
    "6",
    "--curve",
    "4",
    "--store",
    STORE,
  );
  const small = ["-e", "chain:n=5", "-a", "q-learning", "--steps", "2000", "--runs", "4"];
  farsight("run", "-q", ...small, "--curve", "log 30", "--store", GEOMETRIC);
  await start();
});
after(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

/** All words of a figure, in order. */
const words = (svg) => [...svg.matchAll(/>([^<>]+)</g)].map(([, text]) => text.trim()).filter(Boolean);
const figure = (page) => page.getByRole("region", { name: "Figure" });
const drawn = (page) => figure(page).locator("svg").first();

async function open(page, files) {
  await page.getByLabel("Open a store").setInputFiles(files);
}

/** What a command that the page names prints. */
function native(command, width) {
  const shell = `farsight() { "${FARSIGHT}" "$@"; }\ncd '${folder}' && ${command} --width ${width}`;
  return execFileSync("sh", ["-c", shell], { encoding: "utf8" });
}

/** The words of the figure once it is that of the command, which the page prints below it. */
async function same(page) {
  const said = figure(page).getByText(/^farsight plot /);
  await figure(page).locator("[aria-busy=false] svg").waitFor();
  const command = await said.innerText();
  const width = await drawn(page).evaluate((svg) => svg.viewBox.baseVal.width);
  const file = native(command, width)
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<metadata>.*?<\/metadata>/s, "");
  const page_ = (await drawn(page).evaluate((svg) => svg.outerHTML)).replace(/<metadata>.*?<\/metadata>/s, "");
  assert.deepEqual(words(page_), words(file), command);
}

const choose = (page, name, value) => figure(page).getByRole("combobox", { name, exact: true }).selectOption(value);

pageTest("figures of the command, of every choice", { link: "view=results" }, async (page) => {
  await open(page, STORE);
  await page.getByRole("heading", { name: "some <b>results.db" }).waitFor();
  await same(page);
  for (const kind of ["intervals", "scores", "curves"]) {
    await choose(page, "Figure", kind);
    await figure(page)
      .getByText(new RegExp(`^farsight plot ${kind} `))
      .waitFor();
    await same(page);
  }
  await choose(page, "Environment", { index: 1 });
  await same(page);
  await figure(page).getByRole("checkbox", { name: "a step", exact: true }).check();
  await same(page);
  await choose(page, "Figure", "policy");
  await figure(page)
    .getByText(/^farsight plot policy /)
    .waitFor();
  await same(page);
  assert.deepEqual(await accessFaults(page), []);
});

pageTest("a figure is saved as the command writes it", { link: "view=results" }, async (page) => {
  await open(page, STORE);
  await choose(page, "Environment", { index: 2 });
  await choose(page, "Figure", "intervals");
  const said = figure(page).getByText(/^farsight plot intervals .*-e riverswim/);
  await said.waitFor();
  await figure(page).locator("[aria-busy=false] svg").waitFor();
  const saved = page.waitForEvent("download");
  await button(page, "Save as SVG").click();
  const download = await saved;
  assert.match(download.suggestedFilename(), /^some-b-results-intervals-riverswim-[\w.-]+\.svg$/);
  const text = readFileSync(await download.path(), "utf8");
  assert.equal(text, native(await said.innerText(), Number(/<svg[^>]* width="(\d+)"/.exec(text)[1])));
});

pageTest("the first run of an agent is watched", { link: "view=results" }, async (page) => {
  await open(page, STORE);
  await choose(page, "Figure", "q");
  await button(page, "Watch this agent's first run").click();
  await settled(page);
  await until(
    page,
    async () => /env=chain:n=5.*agent=q-learning.*steps=200/.test(await linkOf(page)),
    "the run in the link",
  );
});

pageTest("chosen quickly: no figure below another's name", { link: "view=results", script: holding }, async (page) => {
  await open(page, STORE);
  await same(page);
  await hold(page, "replies");
  await choose(page, "Figure", "intervals");
  await choose(page, "Figure", "scores");
  await choose(page, "Figure", "differences");
  await release(page, "replies", 1); // of the first
  assert.equal(await drawn(page).count(), 0);
  assert.equal(await figure(page).locator("[aria-busy=true]").count(), 1);
  await release(page, "replies");
  await same(page);
  assert.match(
    await figure(page)
      .getByText(/^farsight plot /)
      .innerText(),
    /differences/,
  );
});

pageTest("a figure that is stopped, and drawn again", { link: "view=results", script: holding }, async (page) => {
  await open(page, STORE);
  await same(page);
  await hold(page, "replies");
  await choose(page, "Figure", "intervals");
  await button(page, "Stop").click();
  await release(page, "replies");
  await page.getByRole("alert").filter({ hasText: "Stopped" }).waitFor();
  await choose(page, "Figure", "scores");
  await same(page);
});

pageTest("steps on a linear and on a logarithmic scale", { link: "view=results" }, async (page) => {
  await open(page, GEOMETRIC);
  for (const perStep of [false, true]) {
    await figure(page).getByRole("checkbox", { name: "a step", exact: true }).setChecked(perStep);
    const seen = [];
    for (const scale of ["linear", "log"]) {
      await choose(page, "Scale of steps", scale);
      await figure(page).getByText(`--x ${scale}`).waitFor();
      await same(page);
      seen.push(words(await drawn(page).evaluate((svg) => svg.outerHTML)).join());
    }
    assert.notEqual(seen[0], seen[1], `a step: ${perStep}`);
  }
});

pageTest(
  "on a phone, the choices are no wider than the page",
  { link: "view=results", look: "phone" },
  async (page) => {
    await open(page, STORE);
    await same(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    for (const each of await figure(page).getByRole("combobox").all()) {
      const { x, width } = await each.boundingBox();
      assert.ok(x + width <= LOOKS.phone.viewport.width, await each.innerText());
    }
  },
);

pageTest("a damaged store leaves the one that is open", { link: "view=results" }, async (page) => {
  await open(page, STORE);
  await same(page);
  const buffer = readFileSync(STORE).subarray(0, 5000);
  await open(page, { name: "damaged.db", mimeType: "application/octet-stream", buffer });
  await page.getByRole("status").getByText("'damaged.db' cannot be read").waitFor();
  await page.getByRole("heading", { name: "some <b>results.db" }).waitFor();
  await same(page);
  await choose(page, "Figure", "intervals");
  await same(page);
  await open(page, GEOMETRIC); // and another takes its place
  await page.getByRole("heading", { name: "geometric.db" }).waitFor();
  await same(page);
});

pageTest("what is no store is refused, and the page goes on", { link: "view=results" }, async (page) => {
  const header = Buffer.from("SQLite format 3\0");
  const files = {
    empty: header,
    cut: Buffer.concat([header, Buffer.alloc(200)]),
    large: Buffer.concat([header, Buffer.alloc(1e6, 0x41)]),
  };
  for (const [name, buffer] of Object.entries(files)) {
    await open(page, { name: `${name}.db`, mimeType: "application/octet-stream", buffer });
    await page.getByRole("status").getByText(`'${name}.db' cannot be read`).waitFor();
  }
  await open(page, STORE);
  await same(page);
});
