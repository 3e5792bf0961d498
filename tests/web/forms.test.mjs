// What is run: forms made from the library's tables, for every environment and every agent.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import {
  atStep,
  button,
  lane,
  linkSays,
  module,
  pageTest,
  settled,
  slider,
  start,
  stepOf,
  stop,
  until,
  visit,
} from "./page.mjs";

let farsight;
before(async () => {
  farsight = await module();
  await start();
});
after(stop);

const alert = (page) => page.getByRole("alert");
const choice = (page, name) => page.getByRole("combobox", { name, exact: true });
const form = (page, name) => page.getByRole("group", { name, exact: true });

async function choose(page, name, option) {
  await choice(page, name).selectOption(option);
  await settled(page);
}

/** Enters a text as a reader does, and leaves the field. */
async function enter(page, field, text) {
  await field.fill(text);
  await field.press("Tab");
  await settled(page);
}

/** A form as the page shows it: the text above its parameters, and their names, defaults, choices and help. */
const formOf = (page, name) =>
  form(page, name).evaluate((group) => ({
    text: group.innerText,
    fields: [...group.querySelectorAll("details input, details select")].map((field) => ({
      name: field.labels[0]?.textContent.trim(),
      preset: field.placeholder ?? field.options[0].textContent.replace(/ \(default\)$/, ""),
      choices: field.options ? [...field.options].slice(1).map((each) => each.value) : null,
      help: field
        .getAttribute("aria-describedby")
        .split(" ")
        .map((id) => document.getElementById(id).textContent)
        .join(" "),
      value: field.value,
    })),
  }));

/** The form of a type has all of its parameters, with defaults, choices and help. */
async function checkForm(page, name, { params, summary }) {
  const { text, fields } = await formOf(page, name);
  assert.ok(text.includes(summary), text);
  assert.deepEqual(
    fields.map((field) => field.name),
    params.map((param) => param.name),
  );
  for (const [k, field] of fields.entries()) {
    const param = params[k];
    assert.deepEqual(
      [field.preset, field.choices, field.value],
      [String(param.default ?? param.rule), param.choices, ""],
      param.name,
    );
    assert.ok(field.help.includes(param.help), param.name);
  }
}

/** A run is open: nothing was refused, and it makes a step. */
async function checkOpen(page, name) {
  assert.deepEqual(await alert(page).allInnerTexts(), [], name);
  await button(page, "One step").click();
  await atStep(page, 1);
}

/** Every name of a list, in the environment's or an agent's place of a link; each is open after three steps. */
async function openAll(page, types, what, linkOf) {
  const offered = await choice(page, what).evaluate(({ options }) => [...options].map(({ value }) => value));
  assert.deepEqual(offered.sort(), types.map(({ name }) => name).sort());
  for (const type of types) {
    await visit(page, `${linkOf(type.name)}&steps=50&at=3`);
    assert.deepEqual(await alert(page).allInnerTexts(), [], type.name);
    assert.equal(await stepOf(page), 3, type.name);
    await checkForm(page, what, type);
  }
}

pageTest("every environment, with its form", { shared: true }, (page) =>
  openAll(
    page,
    farsight.environments.filter(({ name }) => name !== "file"),
    "Environment",
    (name) => `env=${name}&agent=q-learning&agent=random`,
  ),
);

pageTest("every agent, with its form", { shared: true }, (page) =>
  openAll(page, farsight.agents, "Agent 1", (name) => `env=chain:n=5,horizon=20&agent=${name}`),
);

pageTest("chosen from the lists", { shared: true, link: "env=chain&agent=random&steps=50" }, async (page) => {
  await choose(page, "Environment", "taxi");
  await choose(page, "Agent 1", "q-learning");
  await linkSays(page, /env=taxi&agent=q-learning(&|$)/);
  await lane(page, "q-learning").waitFor();
  await checkOpen(page, "taxi");
});

pageTest("agents in groups, each once", { shared: true, link: "env=chain&agent=random&steps=50" }, async (page) => {
  const groups = await choice(page, "Agent 1").evaluate((select) =>
    [...select.querySelectorAll("optgroup")].map(({ label, children }) => [
      label,
      [...children].map(({ value }) => value),
    ]),
  );
  assert.deepEqual(
    groups.map(([label]) => label),
    ["Values, no model", "Learn a model", "Finite horizon", "Baselines"],
  );
  assert.deepEqual(groups.flatMap(([, names]) => names).sort(), farsight.agents.map(({ name }) => name).sort());
});

pageTest(
  "parameters: set, refused, left to their default",
  { shared: true, link: "env=chain&agent=q-learning&steps=50" },
  async (page) => {
    await form(page, "Environment").getByText("Parameters").click();
    const n = form(page, "Environment").getByRole("textbox", { name: "n", exact: true });
    await enter(page, n, "7");
    await linkSays(page, /env=chain:n=7(&|$)/);
    await checkOpen(page, "n=7");
    await enter(page, n, "-3");
    assert.equal(await n.getAttribute("aria-invalid"), "true");
    assert.match(await alert(page).innerText(), /^n=-3: n must be a whole number in \[.*\]\./);
    await linkSays(page, /env=chain:n=7(&|$)/); // the page keeps what it has
    await lane(page, "q-learning").getByRole("img").waitFor();
    await enter(page, n, "");
    await linkSays(page, /env=chain(&|$)/);
    await checkOpen(page, "default again");

    await form(page, "Agent 1").getByText("Parameters").click();
    const explore = form(page, "Agent 1").getByRole("combobox", { name: "explore", exact: true });
    await explore.selectOption("softmax");
    await settled(page);
    const temperature = form(page, "Agent 1").getByRole("textbox", { name: "temperature", exact: true });
    await enter(page, temperature, "inf"); // a number for the library
    assert.equal(await temperature.getAttribute("aria-invalid"), "false");
    await linkSays(page, /agent=q-learning:explore=softmax,temperature=inf(&|$)/);
    await checkOpen(page, "softmax");
    await enter(page, temperature, "<b>1</b>");
    assert.equal(await temperature.getAttribute("aria-invalid"), "true");
    assert.match(await alert(page).innerText(), /<b>1<\/b>/);
    await explore.selectOption("");
    await enter(page, temperature, "");
    await checkOpen(page, "as before");
  },
);

pageTest("a decimal comma is said at its field, and nothing is lost", { link: "env=chain:n=5" }, async (page) => {
  await form(page, "Environment").getByText("Parameters").click();
  const slip = form(page, "Environment").getByRole("textbox", { name: "slip", exact: true });
  for (const [text, said] of [
    ["0,2", "slip: decimals follow a point, as in 0.2."],
    ["0.2,n=3", "slip: a value has no comma."],
    ["2", "slip=2: slip must be a number in [0, 1]."],
  ]) {
    await enter(page, slip, text);
    assert.equal((await alert(page).innerText()).trim(), said);
    assert.equal(await slip.getAttribute("aria-invalid"), "true");
    assert.equal(await slip.inputValue(), text, "what was typed stays, to be mended");
    await linkSays(page, /^env=chain:n=5(&|$)/);
    assert.equal(await page.locator("section.lane").count(), 2);
  }
  await enter(page, slip, "0.2");
  await linkSays(page, /env=chain:n=5,slip=0.2(&|$)/);
  await checkOpen(page, "slip=0.2");
});

const NASTY = [
  "0,2",
  "1,n=3",
  ",",
  "=",
  "a=b",
  "[1,2",
  "(",
  ":",
  "é",
  "1e999",
  "nan",
  "x".repeat(3000),
  "<b>",
  "0x10",
  "1;2",
];

pageTest(
  "whatever is entered, the run stays and every field can be mended",
  { link: "env=chain:n=5&agent=q-learning&steps=50" },
  async (page) => {
    for (const name of ["Environment", "Agent 1"]) {
      await form(page, name).getByText("Parameters").click();
      const fields = form(page, name).getByRole("textbox");
      for (let k = 0; k < (await fields.count()); ++k) {
        const field = fields.nth(k);
        for (const text of NASTY) {
          await field.fill(text);
          await field.press("Enter");
          await settled(page);
          assert.equal(await page.locator("main .problem").count(), 0, `${name} ${k}: ${text.slice(0, 20)}`);
          assert.equal(await page.locator("section.lane").count(), 1);
        }
        await field.fill("");
        await field.press("Enter");
        await settled(page);
        assert.equal(await field.getAttribute("aria-invalid"), "false");
      }
    }
    await linkSays(page, /env=chain&agent=q-learning(&|$)/);
    await checkOpen(page, "all mended");
  },
);

pageTest(
  "a link's part that is no parameter can be taken out alone",
  { link: "env=chain:n=5,slip=0.2,2=&agent=q-learning&steps=50" },
  async (page) => {
    await alert(page).getByText("unknown key of chain '2'").waitFor();
    await button(page, "Remove 2").click();
    await linkSays(page, /env=chain:n=5,slip=0.2(&|$)/);
    await settled(page);
    await checkOpen(page, "mended");
  },
);

pageTest(
  "the panel of a refused parameter stays open when it is mended, with the focus",
  { link: "env=chain:n=-3" },
  async (page) => {
    const n = form(page, "Environment").getByRole("textbox", { name: "n", exact: true });
    await n.fill("7");
    await n.press("Enter");
    await linkSays(page, /env=chain:n=7(&|$)/);
    await settled(page);
    await lane(page, "q-learning").waitFor();
    assert.ok(await n.isVisible());
    assert.ok(await n.evaluate((field) => field === document.activeElement));
    await n.fill("9");
    await n.press("Tab");
    await linkSays(page, /env=chain:n=9(&|$)/);
    assert.match(await page.evaluate(() => document.activeElement.id), /^env-(?!n$)/);
    await form(page, "Environment").getByText("Parameters").click(); // and can be closed
    assert.ok(!(await n.isVisible()));
  },
);

pageTest(
  "agents added, changed, removed",
  { shared: true, link: "env=chain:n=5&agent=q-learning&steps=50" },
  async (page) => {
    assert.equal(await button(page, "Remove agent 1").count(), 0); // the last one stays
    for (let k = 2; k <= 4; ++k) {
      await button(page, "Add an agent").click();
      await settled(page);
      await choose(page, `Agent ${k}`, ["random", "r-max", "random"][k - 2]);
    }
    assert.equal(await button(page, "Add an agent").count(), 0);
    await linkSays(page, /agent=q-learning&agent=random&agent=r-max&agent=random/);
    for (const name of ["q-learning", "random", "r-max", "random (4)"]) await lane(page, name).waitFor();
    await button(page, "Remove agent 2").click();
    await settled(page);
    await linkSays(page, /agent=q-learning&agent=r-max&agent=random(&|$)/);
    await lane(page, "random").waitFor();
    assert.equal(await lane(page, "random (4)").count(), 0);
    await checkOpen(page, "three agents");
  },
);

pageTest("steps, seed and replicate", { shared: true, link: "env=chain:n=5&agent=q-learning" }, async (page) => {
  const field = (name) => page.getByRole("textbox", { name, exact: true });
  await enter(page, field("Steps"), "1e3");
  assert.equal(await slider(page).getAttribute("max"), "1000");
  await enter(page, field("Seed"), "18446744073709551615");
  await enter(page, field("Replicate"), "12");
  await linkSays(page, /steps=1000&seed=18446744073709551615&replicate=12$/);
  await checkOpen(page, "numbers");
  for (const [name, bad] of [
    ["Steps", "0"],
    ["Steps", "many"],
    ["Seed", "-1"],
    ["Seed", "18446744073709551616"],
    ["Replicate", "1.5"],
  ]) {
    await enter(page, field(name), bad);
    assert.equal(await field(name).evaluate((input) => input.validity.valid), false, `${name} ${bad}`);
  }
  await linkSays(page, /steps=1000&seed=18446744073709551615&replicate=12$/);
  await enter(page, field("Steps"), "2000");
  assert.equal(await field("Steps").evaluate((input) => input.validity.valid), true);
});

pageTest(
  "what the library refuses is said, and another choice recovers",
  { shared: true, link: "env=nowhere:n=3&agent=q-learning&steps=50" },
  async (page) => {
    assert.match(await alert(page).innerText(), /nowhere/);
    assert.equal(await page.getByRole("slider").isEnabled(), true); // the page is alive
    await choose(page, "Environment", "riverswim");
    await lane(page, "q-learning").getByRole("img").waitFor();
    await checkOpen(page, "riverswim");
    await choose(page, "Agent 1", "ucb-h"); // needs a horizon
    assert.match(await alert(page).innerText(), /no horizon.*horizon=20/s);
    assert.equal(await lane(page, "ucb-h").count(), 0);
    assert.ok(await button(page, "Play").isDisabled()); // nothing to play
    await choose(page, "Agent 1", "r-max");
    await checkOpen(page, "r-max");
    await choice(page, "Speed").selectOption("Infinity");
    await button(page, "Play").click(); // frames come while it plays, too
    await until(page, async () => (await button(page, "Again").count()) === 1, "the end");
  },
);

pageTest(
  "an agent that needs a horizon: the page offers one",
  { link: "env=chain:n=5&agent=ucbvi&steps=50" },
  async (page) => {
    await alert(page).getByText("this problem has no horizon").waitFor();
    assert.ok(await button(page, "Play").isDisabled());
    await button(page, "Give the environment a horizon of 20 steps").click();
    await linkSays(page, /env=chain:n=5,horizon=20&agent=ucbvi(&|$)/);
    await checkOpen(page, "ucbvi");
  },
);
