// Reports as HTML, made by fixture.c, in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { LOOKS, accessFaults, close, open, openEmpty, start, stop } from "./browser.mjs";
import { fileFaults } from "./figures.mjs";
import { figureFaults, widthFaults } from "./geometry.mjs";

const file = (name) => join(process.env.FARSIGHT_PAGE, `${name}.html`);
const HOSTILE_TITLE = "<script>window.hacked=1</script>";

before(start);
after(stop);

/** A test with a page of its own, which must stay without faults. */
function pageTest(title, name, options, body) {
  test(title, async () => {
    const page = await open(file(name), options);
    try {
      await body(page);
      assert.deepEqual(page.faults, []);
    } finally {
      await close(page);
    }
  });
}

const texts = (page, selector) => page.locator(selector).allTextContents();
const column = (page, table, n) =>
  page.locator(`table >> nth=${table}`).locator(`tbody tr > :nth-child(${n})`).allInnerTexts();

describe("looks", { concurrency: 2 }, () => {
  const checked = [
    ["whole", "desktop", "light", true],
    ["whole", "phone", "dark", true],
    ["whole", "desktop", "dark", false],
    ["whole", "smallest", "light", false],
    ["hostile", "desktop", "dark", false],
    ["hostile", "phone", "light", true],
    ["hostile", "smallest", "light", false],
  ]; // the checker of accessibility takes a second
  for (const [name, look, colorScheme, access] of checked)
    pageTest(`${name}, ${look}, ${colorScheme}`, name, { ...LOOKS[look], colorScheme }, async (page) => {
      assert.deepEqual(await page.evaluate(widthFaults), []);
      assert.deepEqual(await page.evaluate(figureFaults, "figure svg"), []);
      if (access) assert.deepEqual(await accessFaults(page), []);
    });

  pageTest("contents beside the text, or folded above it", "whole", {}, async (page) => {
    assert.equal(await page.locator("nav.side").isVisible(), true);
    assert.equal(await page.locator("nav.top").isVisible(), false);
    await page.setViewportSize(LOOKS.phone.viewport);
    assert.equal(await page.locator("nav.side").isVisible(), false);
    assert.equal(await page.getByRole("link", { name: "Methods" }).isVisible(), false);
    await page.locator("nav.top summary").click();
    await page.locator("nav.top").getByRole("link", { name: "Methods" }).click();
    assert.equal(new URL(page.url()).hash, "#s-methods");
  });

  pageTest("dark is dark, by preference and by button", "whole", { colorScheme: "dark" }, async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const ink = () => page.evaluate(() => getComputedStyle(document.querySelector(".f-s0")).fill);
    const dark = [await paper(), await ink()];
    await page.getByRole("button", { name: "Light theme" }).click();
    const light = [await paper(), await ink()];
    assert.equal(light[0], "rgb(255, 255, 255)");
    assert.notEqual(light[1], dark[1]);
    await page.getByRole("button", { name: "Dark theme" }).click();
    assert.deepEqual([await paper(), await ink()], dark);
  });

  pageTest("colours that the system forces", "whole", { forcedColors: "active" }, async (page) => {
    const style = await page
      .locator(".views > input:checked + label")
      .first()
      .evaluate((e) => getComputedStyle(e).outlineStyle);
    assert.equal(style, "solid");
  });

  pageTest("print has no controls, and is light", "whole", { colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const selector of ["nav.side", "nav.top", "#tools", ".copy", ".legend", ".views > label", ".slide"])
      for (const part of await page.locator(selector).all()) assert.equal(await part.isVisible(), false, selector);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), "rgb(0, 0, 0)");
    assert.equal(await page.locator(".command code").isVisible(), true);
    for (const head of await page.locator("thead th:not(.bars)").all())
      assert.ok((await head.innerText()).trim(), "a column has lost its heading");
    for (const figure of await page.locator("figure.figure:has(.view)").all())
      assert.equal(await figure.locator("svg").filter({ visible: true }).count(), 1);
    const pdf = await page.pdf({ format: "A4" });
    assert.ok(pdf.length > 10000);
  });
});

describe("without scripting", { concurrency: 2 }, () => {
  pageTest(
    "everything is there, and no control that does nothing",
    "whole",
    { javaScriptEnabled: false },
    async (page) => {
      assert.equal(await page.locator("button").count(), 0);
      assert.equal(await page.locator("#tools").isVisible(), false);
      assert.equal(await page.locator("h1").innerText(), "Three agents on two problems");
      assert.match(await page.locator(".verdict").innerText(), /r-max earns most.*Compared.*How sure.*Caveats/s);
      assert.equal(await page.locator("tbody tr").count(), 12);
      const first = page.locator("figure >> nth=0");
      assert.equal(await first.locator("svg").filter({ visible: true }).count(), 1);
      await first.getByText("logarithmic").click();
      assert.equal(await first.locator(".view >> nth=0").isVisible(), false);
      assert.equal(await first.locator(".view >> nth=1").isVisible(), true);
      await page.locator("details.full summary >> nth=0").click();
      assert.equal(await page.getByText("r-max:gamma=0.95,m=5").first().isVisible(), true);
    },
  );

  pageTest("views change by the keyboard", "whole", { javaScriptEnabled: false }, async (page) => {
    await page.locator("#v1-0").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#f1 .view >> nth=1").isVisible(), true);
  });
});

test("the measure of figures finds what is wrong", async () => {
  const page = await openEmpty();
  const text = (x, y, words, more = "") =>
    `<text x="${x}" y="${y}" font-size="12" font-family="sans-serif" ${more}>${words}</text>`;
  const draw = async (...parts) => {
    await page.setContent(
      `<svg data-kind="test" width="200" height="100" viewBox="0 0 200 100">${parts.join("")}</svg>`,
    );
    return page.evaluate(figureFaults);
  };
  assert.deepEqual(await draw(text(10, 20, "one"), text(10, 34, "two"), text(60, 20, "three")), []);
  assert.deepEqual(await draw(text(10, 20, "one<title>tip</title>"), text(14, 24, "two")), [
    'test: "one" overlaps "two"',
  ]);
  assert.deepEqual(await draw(text(190, 20, "outside")), ['test: "outside" is not inside of the frame']);
  assert.deepEqual(await draw(text(10, 5, "above")), ['test: "above" is not inside of the frame']);
  assert.deepEqual(await draw(text(20, 80, "turned", 'transform="rotate(-90 20 80)"'), text(25, 60, "beside")), []);
  assert.deepEqual(await draw(text(20, 80, "turned", 'transform="rotate(-90 20 80)"'), text(5, 60, "across")), [
    'test: "across" overlaps "turned"',
  ]);
  await close(page);
});

describe("controls", { concurrency: 2 }, () => {
  pageTest("a table is sorted by exact numbers, up, down and back", "whole", {}, async (page) => {
    const first = await column(page, 1, 3);
    const head = page.locator("table >> nth=1").getByRole("columnheader", { name: "mean ± 95%" });
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    assert.deepEqual(
      (await column(page, 1, 1)).map((s) => s.trim()),
      ["delayed-q", "mbie-eb", "r-max"],
    );
    assert.match(await page.locator("#live").textContent(), /Sorted by mean ± 95%, ascending/);
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    assert.deepEqual(
      (await column(page, 1, 1)).map((s) => s.trim()),
      ["r-max", "mbie-eb", "delayed-q"],
    );
    await head.getByRole("button").click();
    assert.equal(await head.getAttribute("aria-sort"), null);
    assert.deepEqual(await column(page, 1, 3), first);
  });

  pageTest("numbers that are absent stay last, names that were not repeated appear", "whole", {}, async (page) => {
    const head = page.locator("table >> nth=0").getByRole("columnheader", { name: "score" }).getByRole("button");
    assert.deepEqual(await column(page, 0, 1), ["riverswim", "", "", "chain", "", ""]);
    await head.click();
    assert.deepEqual(
      (await column(page, 0, 3)).map((s) => s.trim()),
      ["0.125", "0.375", "1.125", "1.375", "–", "–"],
    );
    assert.deepEqual(await column(page, 0, 1), ["riverswim", "riverswim", "chain", "chain", "riverswim", "chain"]);
    await head.click();
    assert.deepEqual(
      (await column(page, 0, 3)).map((s) => s.trim()),
      ["1.375", "1.125", "0.375", "0.125", "–", "–"],
    );
  });

  pageTest("environments are chosen", "whole", {}, async (page) => {
    await page.locator("#filter summary").click();
    await page.getByRole("checkbox", { name: "chain" }).uncheck();
    assert.equal(await page.locator("#s-chain").isVisible(), false);
    assert.equal(await page.locator("#s-riverswim").isVisible(), true);
    assert.equal(await page.locator("table >> nth=0").locator("tbody tr").filter({ visible: true }).count(), 3);
    assert.equal(await page.locator("#live").textContent(), "Environments: 1 of 2");
    await page.getByRole("button", { name: "None" }).click();
    assert.equal(await page.locator("#s-riverswim").isVisible(), false);
    await page.getByRole("button", { name: "All", exact: true }).click();
    assert.equal(await page.locator("#s-chain").isVisible(), true);
  });

  pageTest("many views have a slider", "whole", {}, async (page) => {
    const figure = page.locator("#f2"),
      range = figure.getByRole("slider", { name: "View" });
    assert.equal(await figure.locator("label").filter({ visible: true }).count(), 0);
    assert.equal(await page.locator("#f1").getByRole("slider").count(), 0); // two have radio buttons
    await range.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await figure.locator(".view >> nth=2").isVisible(), true);
    assert.equal(await range.getAttribute("aria-valuetext"), "t = 200");
    assert.equal(await figure.locator("output").innerText(), "t = 200");
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60000); // time passes only where the test says so
    await figure.getByRole("button", { name: "Play" }).click();
    await page.clock.runFor(1500);
    assert.equal(await figure.locator("output").innerText(), "t = 400");
    await figure.getByRole("button", { name: "Pause" }).click();
    await page.clock.runFor(5000);
    assert.equal(await figure.locator("output").innerText(), "t = 400");
  });

  pageTest("nothing moves by itself where that is not wanted", "whole", { reducedMotion: "reduce" }, async (page) => {
    const figure = page.locator("#f2");
    await figure.getByRole("button", { name: "Next" }).click();
    await figure.getByRole("button", { name: "Next" }).click();
    assert.equal(await figure.locator("output").innerText(), "t = 200");
  });

  pageTest("a series is hidden by its button and by its label, in all views", "whole", {}, async (page) => {
    const figure = page.locator("#f1"),
      press = figure.getByRole("button", { name: "delayed-q" });
    const line = figure.locator("svg >> nth=0").locator("[data-label=delayed-q] path >> nth=0");
    await press.click();
    assert.equal(await press.getAttribute("aria-pressed"), "false");
    assert.equal(await line.isVisible(), false);
    assert.equal(await figure.locator("[data-label=delayed-q]:not([data-off])").count(), 0);
    await press.click();
    assert.equal(await line.isVisible(), true);
    await figure.locator("svg >> nth=0").locator("text", { hasText: "mbie-eb" }).click();
    assert.equal(await figure.getByRole("button", { name: "mbie-eb" }).getAttribute("aria-pressed"), "false");
    await figure.locator("svg >> nth=0").locator("text", { hasText: "mbie-eb" }).click();
    assert.equal(await figure.getByRole("button", { name: "mbie-eb" }).getAttribute("aria-pressed"), "true");
  });

  pageTest("values by pointer and by keys", "whole", {}, async (page) => {
    const view = page.locator("#f1 .view >> nth=0"),
      tip = page.locator("#tip");
    await view.scrollIntoViewIfNeeded();
    const place = await view.locator("path[data-x] >> nth=0").evaluate((line) => {
      const numbers = line
          .getAttribute("d")
          .match(/[\d.]+/g)
          .map(Number),
        matrix = line.getScreenCTM();
      const at = new DOMPoint(numbers[20], numbers[21]).matrixTransform(matrix);
      return { x: at.x, y: at.y, value: line.dataset.y.split(" ")[10], step: line.dataset.x.split(" ")[10] };
    });
    await page.mouse.move(place.x + 1, place.y - 1);
    const said = await tip.innerText();
    assert.ok(said.startsWith("r-max") && said.includes(place.value) && said.includes(`at ${place.step}`), said);
    assert.equal(await view.locator(".ring").isVisible(), true);
    await page.mouse.move(5, 5);
    assert.equal(await tip.isVisible(), false);
    assert.equal(await view.locator(".ring").isVisible(), false);
    await page.locator("table >> nth=1").locator("td.n").filter({ hasText: "125.0" }).hover();
    assert.equal(await tip.innerText(), "125\n120 to 130");
    await page.mouse.move(5, 5);
    await view.focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await tip.isVisible(), true);
    assert.equal(await page.locator("#live").textContent(), await tip.textContent());
    await page.keyboard.press("Escape");
    assert.equal(await tip.isVisible(), false);
  });

  pageTest("the full form of a short name, by pointer and by keys", "whole", {}, async (page) => {
    const name = page.locator("details.full summary >> nth=1");
    await name.hover();
    assert.equal(await page.locator("#tip").innerText(), "delayed-q:gamma=0.95,m=10");
    await page.mouse.move(2, 2);
    await page.locator("details.full summary >> nth=0").focus();
    await page.keyboard.press("Tab");
    assert.equal(await page.locator("#tip").innerText(), "delayed-q:gamma=0.95,m=10");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#tip").isVisible(), false);
    assert.equal(await page.locator("details.full code >> nth=1").isVisible(), true);
  });

  pageTest(
    "commands and methods are copied",
    "whole",
    { permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await page.locator(".command .copy").click();
      await page.getByText("Copied", { exact: true }).waitFor();
      assert.equal(
        await clipboard(),
        "farsight run -e riverswim -e chain -a r-max -a delayed-q \\\n  --runs 30 --steps 2000",
      );
      await page.locator(".methods .copy").click();
      await page.locator(".methods .copy", { hasText: "Copied" }).waitFor();
      assert.match(await clipboard(), /^Each agent ran 30 times.*\n\nAll agents see the same random numbers\.$/s);
      await page.locator("td.cmd .copy >> nth=1").click();
      await page.locator("td.cmd .copy", { hasText: "Copied" }).waitFor();
      assert.equal(await clipboard(), "farsight run -e riverswim -a delayed-q --runs 30");
    },
  );

  pageTest("the contents show the section that is read", "whole", {}, async (page) => {
    await page.locator("#s-learning-curves").evaluate((e) => e.scrollIntoView({ behavior: "instant" }));
    await page.locator("nav.side [aria-current]", { hasText: "Learning curves" }).waitFor();
  });

  pageTest("all controls are reached by the keyboard, and seen", "whole", {}, async (page) => {
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll("a[href], button, summary, input, [tabindex='0']")].filter(
        (e) => e.checkVisibility() && !(e.type === "radio" && !e.checked),
      );
      all.forEach((e, i) => {
        e.dataset.order = i;
      });
      return all.length;
    });
    const reached = new Set();
    for (let i = 0; i < wanted + 5; ++i) {
      await page.keyboard.press("Tab");
      const [order, outline] = await page.evaluate(() => {
        const e = document.activeElement;
        const shown = e.type === "radio" ? e.nextElementSibling : e; // its label is what people see
        return [e.dataset.order, e === document.body ? "" : getComputedStyle(shown).outlineStyle];
      });
      if (order === undefined) continue;
      reached.add(order);
      assert.notEqual(outline, "none", `control ${order} shows no focus`);
    }
    assert.equal(reached.size, wanted);
    assert.ok(wanted > 40);
  });
});

describe("pages and figures of the command", { concurrency: 2 }, () => {
  const checked = [
    ["study", "desktop", "light", true],
    ["study", "phone", "dark", false],
    ["names", "phone", "light", true],
    ["names", "desktop", "dark", false],
    ["changes", "desktop", "dark", true],
    ["many", "desktop", "light", false],
    ["million", "phone", "light", false],
  ];
  for (const [name, look, colorScheme, access] of checked)
    pageTest(`${name}, ${look}, ${colorScheme}`, name, { ...LOOKS[look], colorScheme }, async (page) => {
      assert.deepEqual(await page.evaluate(widthFaults), []);
      assert.deepEqual(await page.evaluate(figureFaults, "figure svg"), []);
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.ok(await page.locator(".verdict").first().isVisible());
      if (access) assert.deepEqual(await accessFaults(page), []);
    });

  test("texts of all kinds of figures: inside of the frame, none overlapping", async () => {
    const folder = join(process.env.FARSIGHT_PAGE, "figures");
    const files = readdirSync(folder).map((name) => join(folder, name));
    assert.ok(files.length >= 28, `${files.length} figures`);
    assert.deepEqual(await fileFaults(files), []);
  });

  pageTest("numbers of a page are those of the store", "study", {}, async (page) => {
    const stats = JSON.parse(
      execFileSync(join(process.env.FARSIGHT_BUILD, "farsight"), [
        "stats",
        join(process.env.FARSIGHT_PAGE, "study.db"),
        "--resamples",
        "100",
        "--json",
      ]),
    );
    const expected = stats.groups.flatMap((group) => group.cells.map((cell) => [cell.mean, cell.runs])).sort();
    const found = await page.evaluate(() =>
      [...document.querySelectorAll("table[data-name=cells]")].flatMap((table) => {
        const column = (key) => [...table.tHead.rows[0].cells].findIndex((head) => head.dataset.key === key);
        const number = (cell) => Number(cell.dataset.sort ?? cell.textContent);
        return [...table.tBodies[0].rows].map((row) => [
          number(row.cells[column("mean")]),
          number(row.cells[column("runs")]),
        ]);
      }),
    );
    assert.deepEqual(found.sort(), expected);
  });
});

describe("hostile names and large documents", { concurrency: 2 }, () => {
  for (const javaScriptEnabled of [true, false])
    pageTest(
      `names are text, scripting ${javaScriptEnabled ? "on" : "off"}`,
      "hostile",
      { javaScriptEnabled },
      async (page) => {
        assert.equal(await page.title(), HOSTILE_TITLE);
        assert.equal(await page.locator("h1").textContent(), HOSTILE_TITLE);
        const found = await page.evaluate(() => ({
          hacked: window.hacked,
          scripts: document.scripts.length,
          styles: document.querySelectorAll("style").length,
          images: document.images.length,
          sections: document.querySelectorAll("main > section").length,
          figures: document.querySelectorAll("svg.figure").length,
          footer: document.querySelector("footer").checkVisibility(),
        }));
        assert.deepEqual(found, {
          hacked: undefined,
          scripts: 1,
          styles: 1,
          images: 0,
          sections: 9,
          figures: 18,
          footer: true,
        });
        const heads = await texts(page, "h2");
        assert.equal(heads[1], "\"><img src=x onerror=window.hacked=1>'");
        assert.equal(heads[2], "&lt;b&gt; & ␁␛[31m ��");
        assert.equal(heads[3], "U+202E gnp.exe");
        assert.equal(heads[5], "👩‍🔬🧪 naïve ∑");
        assert.equal(heads[7], "</style><style>*{display:none}</style>");
      },
    );

  pageTest("500 rows and 200 sections", "large", {}, async (page) => {
    assert.equal(await page.locator("tbody tr").count(), 500);
    assert.equal(await page.locator("main section").count(), 200);
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
    assert.equal(new Set(ids).size, ids.length);
    await page.getByRole("columnheader", { name: "agent" }).getByRole("button").click();
    await page.getByRole("columnheader", { name: "agent" }).getByRole("button").click();
    assert.match(await page.locator("tbody tr >> nth=0").innerText(), /^agent 499/);
    assert.deepEqual(await page.evaluate(widthFaults), []);
    await page.locator("tbody tr >> nth=300").scrollIntoViewIfNeeded(); // the heads of columns stay in sight
    const tops = await page.evaluate(() =>
      [".tall", ".tall thead th"].map((name) => document.querySelector(name).getBoundingClientRect().top),
    );
    assert.ok(Math.abs(tops[0] - tops[1]) < 2, `${tops}`);
  });

  pageTest("a document of one paragraph", "alone", {}, async (page) => {
    assert.equal(await page.locator("h1").innerText(), "farsight report");
    assert.equal(await page.locator("nav").count(), 0);
    assert.deepEqual(await accessFaults(page), []);
  });
});
