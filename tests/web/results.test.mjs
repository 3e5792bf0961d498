// Stored results: a store that the command wrote, opened in the page, gives the figures of `farsight plot`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { FARSIGHT, accessFaults, button, linkOf, pageTest, settled, start, stop, until } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "results-"));
const STORE = join(folder, "some <b>results.db");
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
