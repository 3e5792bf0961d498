// Many runs: the badge's command, given to a shell, prints the badge's hashes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { after, before } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FARSIGHT, button, linkSays, module, pageTest, settled, start, stop, until, visit } from "./page.mjs";

before(start);
after(stop);

/** The cells that a command prints, given to a shell as a reader pastes it. */
async function inShell(command, cwd = undefined) {
  const { stdout } = await promisify(execFile)("sh", ["-c", `farsight() { "$FARSIGHT" "$@"; }\n${command}`], {
    cwd,
    env: { ...process.env, FARSIGHT },
  });
  return JSON.parse(stdout).cells;
}

/** The badge: its command and the hash of every agent. */
async function badge(page) {
  const command = await page
    .getByRole("code")
    .filter({ hasText: /^farsight run / })
    .innerText();
  const rows = page.getByRole("table").filter({ hasText: "hash" }).getByRole("row");
  const hashes = await rows.evaluateAll((all) => all.slice(1).map((row) => row.querySelector("code").title));
  const means = await rows.evaluateAll((all) => all.slice(1).map((row) => row.querySelector("td").innerText));
  return { command, hashes, means };
}

async function compute(page) {
  await button(page, "Run").click();
  await page.getByRole("table").filter({ hasText: "hash" }).waitFor();
}

const CASES = [
  // link, and the runs that it asks for
  ["env=chain:n=10&agent=directed-delayed-q&agent=q-learning&steps=500&runs=20", 2],
  [
    "env=frozen-lake:map=8x8&agent=r-max:m=5&agent=delayed-q&agent=random&steps=300&runs=7&seed=18446744073709551615",
    3,
  ],
  [
    "env=riverswim:horizon=20&agent=ucbvi&agent=q-learning:alpha=0.1,epsilon=0.05&agent=psrl&agent=optimal&steps=400&runs=5&seed=3",
    4,
  ],
  ["env=grid:map=S.%23/..G&agent=count-q&steps=200&runs=3", 1],
];

pageTest("hashes are those of the command", { shared: true, link: `view=runs&${CASES[0][0]}` }, async (page) => {
  for (const [link, agents] of CASES) {
    await visit(page, `view=runs&${link}`);
    await compute(page);
    const { command, hashes } = await badge(page);
    const cells = await inShell(command);
    assert.equal(hashes.length, agents);
    assert.ok(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)));
    assert.deepEqual(
      hashes,
      cells.map(({ hash }) => hash),
      command,
    );
    assert.equal(Number(/--runs (\d+)/.exec(command)[1]), cells[0].runs);
  }
});

pageTest("a model of a link, saved under its name", { shared: true }, async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "farsight-"));
  const farsight = await module();
  const text = farsight.model("grid:map=S.#/..G").print("json");
  const name = "it's a model; $HOME.json";
  writeFileSync(join(folder, name), text);
  await visit(
    page,
    `view=runs&model=${encodeURIComponent(text)}&name=${encodeURIComponent(name)}&agent=q-learning&agent=r-max&steps=300&runs=5`,
  );
  await compute(page);
  const { command, hashes } = await badge(page);
  assert.deepEqual(
    hashes,
    (await inShell(command, folder)).map(({ hash }) => hash),
    command,
  );
  rmSync(folder, { recursive: true });
});

pageTest(
  "stopped early: the commands give the runs that were made",
  { shared: true, link: "view=runs&env=chain:n=10&agent=q-learning&agent=random&agent=r-max&steps=20000&runs=100000" },
  async (page) => {
    await button(page, "Run").click();
    const made = page.getByText(/^[\d,]+ of 100,000 runs$/);
    await until(
      page,
      async () => (await made.count()) === 1 && !(await made.innerText()).startsWith("0 "),
      "some runs",
    );
    await button(page, "Stop").click();
    const { command, hashes } = await badge(page);
    const cells = (await Promise.all(command.split("\n").map((each) => inShell(each)))).flat();
    assert.ok(cells.every(({ runs }) => runs < 100000));
    assert.deepEqual([...hashes].sort(), cells.map(({ hash }) => hash).sort(), command);
    await button(page, "Run").waitFor();
  },
);

pageTest(
  "what is being typed stays while runs are computed and the page is drawn",
  { shared: true, link: "view=runs&env=chain:n=10&agent=q-learning&steps=20000&runs=100000" },
  async (page) => {
    const field = page.getByRole("textbox", { name: "Runs", exact: true });
    const made = page.getByText(/^[\d,]+ of 100,000 runs$/);
    await button(page, "Run").click();
    await made.waitFor();
    await field.fill("12");
    const before = await made.innerText();
    await until(page, async () => (await made.innerText()) !== before, "more runs");
    assert.equal(await field.inputValue(), "12");
    await field.press("Enter");
    await linkSays(page, /runs=12/);
    await button(page, "Stop").click();
  },
);

pageTest(
  "a figure with a band, drawn by the library",
  { shared: true, link: "view=runs&env=chain:n=5&agent=q-learning&agent=random&steps=500&runs=10" },
  async (page) => {
    const field = page.getByRole("textbox", { name: "Runs", exact: true });
    await field.fill("12");
    await field.press("Enter");
    await compute(page);
    assert.match((await badge(page)).command, /--runs 12 /);
    await linkSays(page, /runs=12/);
    const figure = page.getByRole("region", { name: "Learning curves" }).locator("svg");
    assert.ok((await figure.locator("path").count()) >= 2);
    assert.equal(await page.evaluate(() => document.querySelectorAll("svg script, svg foreignObject").length), 0);
    await page.getByRole("textbox", { name: "Seed", exact: true }).fill("5");
    await page.getByRole("textbox", { name: "Seed", exact: true }).press("Tab");
    await settled(page); // another setup: what was computed is no longer shown
    assert.equal(await page.getByRole("table").filter({ hasText: "hash" }).count(), 0);
  },
);

pageTest(
  "what is refused is said",
  { shared: true, link: "view=runs&env=chain:n=5&agent=ucb-h&steps=100&runs=5" },
  async (page) => {
    assert.match(await page.getByRole("alert").innerText(), /no horizon/);
    await button(page, "Run").click();
    await page.getByRole("status").filter({ hasText: "no horizon" }).waitFor();
    await button(page, "Run").waitFor();
  },
);
