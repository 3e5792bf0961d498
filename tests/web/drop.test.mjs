// Files that are dropped or chosen: models, what is no model, what is too large, hostile names, stores.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { accessFaults, button, lane, linkOf, module, pageTest, settled, start, stop, until, visit } from "./page.mjs";

before(start);
after(stop);

const examples = fileURLToPath(new URL("../../examples/models", import.meta.url));
const farsight = await module();
const CHAIN = farsight.model("chain:n=4").print("json");
const LARGE = farsight.model("garnet:states=200").print("drn");

/** Drops files that the page makes: [name, text, or a number of zero bytes]. */
async function drop(page, ...files) {
  await page.evaluate((all) => {
    const data = new DataTransfer();
    for (const [name, text] of all)
      data.items.add(new File([typeof text === "number" ? new Uint8Array(text) : text], name));
    for (const type of ["dragover", "drop"])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, files);
}

/** Drops a path of this machine, as a reader does. */
async function dropPath(page, path) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
}

const said = (page, text) => page.locator(".notices").getByText(text).waitFor();
const named = (page, name) => page.locator(".environment .file-name").getByText(name, { exact: true }).waitFor();
const LINK = "env=chain:n=5&agent=q-learning&steps=500";

/** A model of two states with this discount, as a part of a link. */
const twoStates = (discount) =>
  `name=two.mdp&model=${encodeURIComponent(`discount: ${discount}\nstates: a b\nactions: go\nstart: a\nT: go : * : b 1\nR: go : a : * : * 1\n`)}`;

pageTest(
  "what counts in a model file, and what it does not say",
  { link: `${twoStates(0.9)}&agent=q-learning&agent=q-learning:gamma=0.95&beside=exact&steps=10` },
  async (page) => {
    const counts = page.getByText(/^What counts is/);
    assert.equal(await counts.innerText(), "What counts is the sum of rewards, discounted by 0.9.");
    await lane(page, "q-learning").getByText("exact, discount 0.9", { exact: true }).waitFor();
    assert.deepEqual(await page.getByText(/^plans with discount/).allInnerTexts(), ["plans with discount 0.95"]);
    await visit(page, `${twoStates(1)}&agent=q-learning&steps=10`);
    assert.equal(await counts.innerText(), "What counts is the sum of rewards, discounted by 0.95.");
    await page.getByText(/^the model's discount is 1, .*\.$/).waitFor();
  },
);

pageTest("a model is dropped, is in the link, and is removed again", { link: LINK }, async (page) => {
  await drop(page, ["four.json", CHAIN]);
  await named(page, "four.json");
  await settled(page);
  await until(page, async () => /model=.*&name=four.json/.test(await linkOf(page)), "the model is in the link");
  await page.reload();
  await named(page, "four.json");
  await settled(page);
  await button(page, "Many runs").click();
  await page.getByLabel("Runs").fill("2");
  await page.getByLabel("Runs").press("Enter");
  await button(page, "Run").click();
  await page.getByText("farsight run -e file:four.json -a q-learning --steps 500 --runs 2 --seed 1 --json").waitFor();
  await button(page, "Remove").click();
  await until(page, async () => /env=chain:n=10/.test(await linkOf(page)), "there is an environment again");
});

pageTest("files of the examples, dropped as from a folder and chosen", { link: LINK }, async (page) => {
  await dropPath(page, `${examples}/tiger.pomdp`);
  await named(page, "tiger.pomdp");
  await settled(page);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button(page, "Open a model file …").click()]);
  await chooser.setFiles(`${examples}/lockup.json`);
  await named(page, "lockup.json");
  await settled(page);
  assert.deepEqual(await accessFaults(page), []);
});

pageTest("a folder", { link: LINK }, async (page) => {
  await dropPath(page, examples);
  await said(page, "'models' is a folder: drop one file.");
  assert.match(await linkOf(page), /env=chain:n=5/);
});

pageTest("what is no model changes nothing", { link: LINK }, async (page) => {
  await page.evaluate(() => {
    File.prototype.arrayBuffer = new Proxy(File.prototype.arrayBuffer, {
      apply: (read, file, none) => ((window.read = (window.read ?? 0) + 1), read.apply(file, none)),
    });
  });
  await drop(page, ["huge.json", 20_000_001]);
  await said(page, "'huge.json' has 20.0 MB: model files of up to 20 MB are read here.");
  assert.equal(await page.evaluate(() => window.read ?? 0), 0); // refused before it was read
  await drop(page, ["broken.json", CHAIN.slice(0, 200)]);
  await said(page, "'broken.json' cannot be read:");
  await drop(page, ["zeros.drn", 1000]);
  await said(page, "'zeros.drn' is no text:");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe])], "picture.png"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await said(page, "'picture.png' is no text:");
  await drop(page, ["empty.mdp", ""]);
  await said(page, "'empty.mdp' is empty.");
  await drop(page, ["notes.txt", "buy milk\n"]);
  await said(page, "'notes.txt' cannot be read:");
  await drop(page, ["one.json", CHAIN], ["two.json", CHAIN], ["three.json", CHAIN]);
  await said(page, "3 files were dropped, and none was read: drop one at a time.");
  assert.match(await linkOf(page), /env=chain:n=5/);
  assert.equal(await page.locator("section.lane").count(), 1);
  assert.deepEqual(await accessFaults(page), []);
});

pageTest("markup and long names are texts", { link: LINK }, async (page) => {
  const hostile = "<img src=x onerror=alert(1)>' \"\n.json";
  await drop(page, [hostile, "{"]);
  await said(page, "'<img src=x onerror=alert(1)>' \"?.json' cannot be read");
  await drop(page, [hostile, CHAIN]);
  await named(page, "<img src=x onerror=alert(1)>' \"?.json");
  assert.equal(await page.locator("img").count(), 0);
  await settled(page);
  await drop(page, [`${"n".repeat(300)}.json`, CHAIN]);
  await page
    .locator(".file-name")
    .getByText(/^n+…n+\.json$/)
    .waitFor();
  await settled(page);
  await until(page, async () => (await linkOf(page)).includes("name=nnn"), "the name is in the link");
  await page.reload();
  await page
    .locator(".file-name")
    .getByText(/^n+…n+\.json$/)
    .waitFor();
  assert.equal(await page.locator(".notices p").count(), 0);
});

pageTest("a model that is too long for a link", { link: LINK }, async (page) => {
  assert.ok(LARGE.length > 8000);
  await drop(page, ["large.drn", LARGE]);
  await named(page, "large.drn");
  await said(page, "'large.drn' is too long to be part of the link");
  await page.locator(".environment").getByText("who opens the link needs the file, too").waitFor();
  await settled(page);
  await until(page, async () => /file=large\.drn/.test(await linkOf(page)), "the link names the file");
  await page.reload();
  await said(page, "this link needs the model file 'large.drn'");
});

pageTest("a store goes to its hook", { link: LINK }, async (page) => {
  await drop(page, ["results.db", "SQLite format 3\0 and so on"]);
  await page
    .getByText(/results\.db/)
    .first()
    .waitFor();
  assert.match(await linkOf(page), /env=chain:n=5/);
});

pageTest("the page shows where a file goes, while it is dragged over it", { link: LINK }, async (page) => {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [`${examples}/lockup.json`], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver"])
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  await page.getByText("Drop a model file or a store of results").waitFor();
  await page.locator(".drop-here").waitFor({ state: "detached" }); // a drag that ends outside
});
