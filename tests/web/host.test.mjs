// Where the page lives: a file, or any static host, under its own policy; two tabs; the memory that it takes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { FARSIGHT, FILE, atStep, button, factsOf, openPage, pageTest, slider, start, stop, visit } from "./page.mjs";

/** A static host with a strict policy of its own. */
const asked = [];
const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(readFileSync(FILE, "utf8"))?.[1];
const server = createServer((request, reply) => {
  asked.push(request.url);
  if (request.url !== "/") return reply.writeHead(404).end();
  reply
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
    })
    .end(readFileSync(FILE));
});
const host = () => `http://127.0.0.1:${server.address().port}/`;

before(async () => {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  await start();
});
after(async () => {
  await stop();
  await new Promise((done) => server.close(done));
});

const LINK = "env=chain:n=5&agent=q-learning&agent=r-max&steps=5000&seed=9";

/** `farsight web`, asked for the same: the process, its address and the link in it. */
async function command() {
  const shown = ["-e", "chain:n=5", "-a", "q-learning", "-a", "r-max", "--steps", "5000", "--seed", "9"];
  const served = spawn(FARSIGHT, ["web", "-q", "--port", "0", ...shown], {
    env: { ...process.env, FARSIGHT_WEB_PAGE: FILE },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const address of createInterface({ input: served.stdout })) return [served, ...address.split("#")];
  throw new Error("farsight web has no address");
}

test("the same from a file, from a host with one request, and from farsight web", async (t) => {
  const said = [];
  const [served, address, linked] = await command();
  t.after(() => served.kill());
  for (const [from, link] of [
    [undefined, LINK],
    [host(), LINK],
    [address, linked],
  ]) {
    const page = await openPage({ from, link: `${link}&at=5000` });
    await atStep(page, 5000);
    said.push([await factsOf(page, "q-learning"), await factsOf(page, "r-max")]);
    await page.getByRole("button", { name: "Many runs" }).click(); // a second worker starts
    await button(page, "Run").click();
    await page.getByRole("table").filter({ hasText: "hash" }).waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
  assert.deepEqual(said[0], said[1]);
  assert.deepEqual(said[0], said[2]);
  assert.deepEqual(asked, ["/"]);
});

test("a file of nothing but itself", () => {
  const text = readFileSync(FILE, "utf8");
  assert.doesNotMatch(text, /<(script|img|iframe|link|source)[^>]+(src|href)="(?!data:)/i);
  assert.doesNotMatch(text, /sourceMappingURL=/);
});

test("the policy is there, and holds", async () => {
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /'unsafe-eval'|https?:|\*|connect-src/);
  assert.doesNotMatch(/script-src[^;]*/.exec(policy)[0], /'unsafe-inline'/);
  const page = await openPage({ link: LINK });
  const hacked = await page.evaluate(async () => {
    const wanted = new Set(["script-src-elem", "script-src-attr", "frame-src", "connect-src", "img-src"]);
    const all = new Promise((done) =>
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        wanted.delete(effectiveDirective);
        if (wanted.size === 0) done();
      }),
    );
    const inline = document.createElement("script");
    inline.textContent = "window.hacked = 1";
    document.body.append(inline);
    const handler = document.createElement("div");
    handler.setAttribute("onclick", "window.hacked = 1");
    document.body.append(handler);
    handler.click();
    const frame = document.createElement("iframe");
    frame.src = "https://example.invalid/";
    document.body.append(frame);
    const image = new Image();
    image.src = "https://example.invalid/x.png";
    await fetch("https://example.invalid/").catch(() => {});
    await all; // each of them was stopped
    return window.hacked;
  });
  assert.equal(hacked, undefined);
  assert.deepEqual(
    page.faults.filter((each) => each.startsWith("request:") && !each.includes("example.invalid")),
    [],
  );
  await page.context().close();
});

test("two tabs do not disturb each other", async () => {
  const one = await openPage({ link: LINK });
  const two = await openPage({ link: LINK.replace("seed=9", "seed=10"), context: one.context() });
  for (const page of [one, two]) await slider(page).fill("4000");
  for (const page of [one, two]) await atStep(page, 4000);
  const said = async (page) => (await factsOf(page, "q-learning")).reward;
  assert.notEqual(await said(one), await said(two));
  await visit(two, LINK);
  await slider(two).fill("4000");
  await atStep(two, 4000);
  assert.equal(await said(one), await said(two));
  assert.deepEqual([...one.faults, ...two.faults], []);
  await one.context().close();
});

pageTest("80 setups leave no memory behind", { link: LINK }, async (page) => {
  const memory = async () => {
    const sizes = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.moduleMemory?.() ?? 0)));
    return sizes.reduce((sum, each) => sum + each, 0);
  };
  const rounds = (from, to) =>
    page.evaluate(
      async ([first, last]) => {
        // here and not by visit, which would take minutes
        const open = (link) =>
          new Promise((done) => {
            const watch = new MutationObserver(() => {
              if (document.querySelector("main").getAttribute("aria-busy") !== "false") return;
              watch.disconnect();
              done();
            });
            watch.observe(document.querySelector("main"), { attributeFilter: ["aria-busy"] });
            location.hash = link;
          });
        for (let k = first; k < last; ++k) {
          await open(`env=frozen-lake:map=8x8&agent=r-max&agent=directed-delayed-q&steps=5000&seed=${k}&at=2000`);
          await open(`env=chain:n=${10 + (k % 40)}&agent=ucbvi-gamma&steps=100&seed=${k}&at=100`);
        }
      },
      [from, to],
    );
  await rounds(0, 15);
  const first = await memory();
  assert.ok(first > 1e6, `${first} bytes`);
  await rounds(15, 40); // a browser allows 200 addresses in ten seconds
  assert.equal(await memory(), first);
  assert.equal(page.workers().length, 1);
});
