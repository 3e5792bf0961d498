// How the page is reached and read: phone and desktop, light and dark, by touch, by keyboard alone, by a screen reader.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { widthFaults } from "../page/geometry.mjs";
import { accessFaults, atStep, button, lane, pageTest, slider, start, stepOf, stop, until } from "./page.mjs";

before(start);
after(stop);

const LINK = "env=frozen-lake&agent=q-learning&agent=r-max&steps=1000&at=500";
const STILL = { reducedMotion: "reduce" }; // and no colour on its way to another

/** The parts of the page, each open in turn. */
async function everyView(page, body) {
  const tabs = page.getByRole("navigation", { name: "Parts of the page" }).getByRole("button");
  const names = await tabs.allInnerTexts();
  assert.ok(names.length >= 3);
  for (const name of names) {
    await tabs.filter({ hasText: name }).click();
    await tabs.filter({ hasText: name }).and(page.locator("[aria-current]")).waitFor();
    await body(name);
  }
}

/** Controls without a name, as a screen reader would meet them. */
async function nameless(page) {
  const tree = await page.locator("body").ariaSnapshot();
  return tree
    .split("\n")
    .filter((line) =>
      /^\s*- (button|link|textbox|combobox|checkbox|radio|slider|spinbutton|switch|tab|img|grid)(:| \[.*\])*$/.test(
        line,
      ),
    );
}

/** The channels of a colour, added: 0 is black, 765 white. */
const brightness = (page, property) =>
  page.evaluate(
    (name) =>
      getComputedStyle(document.documentElement)
        .getPropertyValue(name)
        .match(/[\d.]+/g)
        .slice(0, 3)
        .reduce((sum, each) => sum + Number(each), 0),
    property,
  );

for (const [look, theme] of [
  ["desktop", "light"],
  ["phone", "dark"],
])
  pageTest(`every view on a ${look}, in both themes`, { link: LINK, look, theme, ...STILL }, async (page) => {
    await everyView(page, async (name) => {
      assert.deepEqual(await accessFaults(page), [], `${name}, ${theme}`);
      assert.deepEqual(await nameless(page), [], name);
      assert.deepEqual(await page.evaluate(widthFaults), [], name);
      const paper = await brightness(page, "background-color");
      await page.emulateMedia({ colorScheme: theme === "light" ? "dark" : "light" });
      await until(page, async () => (await brightness(page, "background-color")) !== paper, "the other theme");
      assert.deepEqual(await accessFaults(page, ["color-contrast"]), [], `${name}, not ${theme}`);
      await page.emulateMedia({ colorScheme: theme });
      await until(page, async () => (await brightness(page, "background-color")) === paper, "the theme again");
    });
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
    for (const landmark of ["banner", "main", "navigation"])
      assert.ok((await page.getByRole(landmark).count()) >= 1, landmark);
  });

pageTest(
  "no sideways scrolling on the smallest phone",
  { link: `${LINK}&agent=directed-delayed-q:m=5,eps1=0.01,gamma=0.9&agent=random`, look: "smallest" },
  async (page) => {
    for (const summary of await page.getByText(/^Parameters/).all()) await summary.click();
    await everyView(page, async (name) => assert.deepEqual(await page.evaluate(widthFaults), [], name));
  },
);

pageTest("light is light and dark is dark", { link: LINK, ...STILL }, async (page) => {
  const ink = () =>
    lane(page, "q-learning")
      .getByRole("img")
      .first()
      .evaluate((picture) => picture.toDataURL?.() ?? picture.outerHTML);
  const [paper, text, picture] = [
    await brightness(page, "background-color"),
    await brightness(page, "color"),
    await ink(),
  ];
  assert.ok(paper > 690 && text < 150, `${text} on ${paper}`);
  await page.emulateMedia({ colorScheme: "dark" });
  await until(
    page,
    async () => (await brightness(page, "background-color")) < 100 && (await brightness(page, "color")) > 600,
    "light text on dark paper",
  );
  await until(page, async () => (await ink()) !== picture, "the picture in other colours");
});

pageTest("by touch", { link: LINK, look: "phone" }, async (page) => {
  await button(page, "One step").tap();
  await atStep(page, 501);
  await slider(page).tap({ position: { x: 2, y: 5 } });
  await until(page, async () => (await stepOf(page)) < 100, "the beginning of the run");
  await lane(page, "q-learning").getByRole("img").first().tap();
  await lane(page, "q-learning").getByRole("table").waitFor(); // the numbers of a state
  for (const each of await page.getByRole("button").all()) {
    if (!(await each.isVisible()) || (await each.evaluate(({ tabIndex }) => tabIndex < 0))) continue; // a button stands for it
    const box = await each.boundingBox();
    assert.ok(box.height >= 24 && box.width >= 24, `${await each.innerText()}: ${box.width} × ${box.height}`); // WCAG 2.2, 2.5.8
  }
});

/** What has the focus: a name, whether it is seen to have it, and where it stands in the document. */
const focused = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === document.body || at === null) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
    return {
      place: [...document.querySelectorAll("*")].indexOf(at),
      name: `${at.tagName} ${at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent}`.slice(
        0,
        60,
      ),
      seen: (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none",
      shown: at.checkVisibility(),
    };
  });

/** Places of all controls that are shown and can be used. */
const controls = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    return all.flatMap((each, place) =>
      each.matches("a[href], button, input, select, textarea, summary, [tabindex='0']") &&
      !each.disabled &&
      each.tabIndex >= 0 &&
      each.checkVisibility()
        ? [place]
        : [],
    );
  });

pageTest("by keyboard alone: every control, in order, with a visible focus", { link: LINK }, async (page) => {
  const wanted = await controls(page);
  const seen = [];
  await page.keyboard.press("Tab");
  for (let now = await focused(page); now !== null && seen.length <= wanted.length; now = await focused(page)) {
    assert.ok(now.seen, `no focus to be seen on ${now.name}`);
    assert.ok(now.shown, now.name);
    seen.push(now.place);
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(seen, wanted);
  assert.equal(
    await page.locator("[tabindex]").evaluateAll((all) => all.filter((each) => each.tabIndex > 0).length),
    0,
  );
});

pageTest(
  "the player's keys, where no field has the focus",
  { shared: true, link: "env=chain:n=5&agent=delayed-q:m=2&steps=1000" },
  async (page) => {
    await page.keyboard.press("ArrowRight");
    await atStep(page, 1);
    await page.keyboard.press("ArrowRight");
    await atStep(page, 2);
    await page.keyboard.press("ArrowLeft");
    await atStep(page, 1);
    await page.keyboard.press("u");
    await until(page, async () => (await stepOf(page)) > 1, "the next update");
    await page.keyboard.press("Home");
    await atStep(page, 0);
    await page.keyboard.press(" ");
    await atStep(page, 1000);
    await page.getByRole("textbox", { name: "Seed", exact: true }).focus();
    await page.keyboard.press("Home"); // the field's own
    assert.equal(await stepOf(page), 1000);
  },
);

pageTest("nothing moves by itself where motion is not wanted", { link: LINK, ...STILL }, async (page) => {
  await everyView(page, async (name) => {
    const moving = await page.evaluate(() => {
      const long = (text) => text.split(",").some((each) => parseFloat(each) > 0.01);
      return [...document.querySelectorAll("*")]
        .filter((each) => {
          const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(each);
          return (
            long(transitionDuration) ||
            (animationName !== "none" && long(animationDuration)) ||
            scrollBehavior === "smooth"
          );
        })
        .map((each) => each.outerHTML.slice(0, 80));
    });
    assert.deepEqual(moving, [], name);
  });
});

pageTest(
  "a screen reader hears what changes",
  { shared: true, link: "env=chain:n=5&agent=q-learning&steps=1000" },
  async (page) => {
    await slider(page).fill("700");
    await atStep(page, 700);
    assert.match(await slider(page).getAttribute("aria-valuetext"), /700.*1,?000/);
    assert.match(await page.locator("body").ariaSnapshot(), /img "[^"]*q-learning[^"]*700/); // the picture says what and when
    assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  },
);
