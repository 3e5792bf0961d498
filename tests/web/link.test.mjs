// Links and specs, in Node: what is written is read again, and no link is trusted.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { source } from "./source.mjs";

const { stops } = await source("tour/stops.ts");
const { DEFAULT, LIMITS, SHOWN, VIEWS, MOST_AGENTS, fromLink, home, inLink, seedOf, toLink, whole } =
  await source("setup.ts");
const { parseSpec, printSpec, quoted, withValue } = await source("spec.ts");

/** Numbers that are the same in every run of the test. */
function random(seed) {
  let state = seed;
  const next = () => {
    // Park and Miller
    state = (state * 48271) % 2147483647;
    return (state - 1) / 2147483646;
  };
  const below = (n) => Math.floor(next() * n);
  const of = (list) => list[below(list.length)];
  return { below, of, some: (most, make) => Array.from({ length: below(most + 1) }, make) };
}

const LETTERS = [
  "a",
  "Z",
  "0",
  " ",
  "%",
  "&",
  "=",
  "#",
  "+",
  "?",
  "/",
  "\\",
  "'",
  '"',
  "<",
  ">",
  "$",
  "`",
  ";",
  ":",
  ",",
  "[",
  "]",
  "(",
  ")",
  ".",
  "é",
  "≤",
  "日",
  "😀",
  "\u2028",
  "\ufeff",
  "\u202e",
];

function anySetup({ below, of, some }) {
  const text = (most) => some(most, () => of(LETTERS)).join("") || "x";
  const model =
    below(3) === 0 ? { name: text(20), text: some(300, () => of([...LETTERS, "\n", "\t", "\0"])).join("") } : null;
  return {
    ...DEFAULT,
    view: of(VIEWS),
    env: model ? DEFAULT.env : text(30),
    model,
    agents: Array.from({ length: 1 + below(MOST_AGENTS) }, () => text(30)),
    steps: of([1, 2, 9999, 10000, 1e9]),
    seed: of(["0", "1", "42", "9007199254740993", "18446744073709551615"]),
    replicate: of([0, 1, 2 ** 40]),
    runs: of([1, 100, 1e5]),
    show: of(SHOWN),
    beside: below(2) === 0,
    at: below(2),
    turns: of([1, 200, 1000]),
    moves: some(30, () => of([..."0123az"])).join(""),
  };
}

/** A stop of the tour, with some of its experiment changed. */
function anyStop({ below, of }, other) {
  const changed = Object.keys(other).filter((key) => key !== "tour" && below(4) === 0);
  const setup = { ...home(of(stops).id), ...Object.fromEntries(changed.map((key) => [key, other[key]])) };
  return { ...setup, env: setup.model ? home(setup.tour).env : setup.env, at: Math.min(setup.at, setup.steps) };
}

describe("links", () => {
  test("what is written is read again", () => {
    const any = random(1);
    for (let k = 0; k < 2000; ++k) {
      const setup = k % 4 === 0 ? anyStop(any, anySetup(any)) : anySetup(any);
      const link = toLink(setup);
      assert.match(link, /^[\x21-\x7e]+$/);
      assert.deepEqual(fromLink(`#${link}`), { setup, problems: [] }, link);
      assert.equal(toLink(fromLink(link).setup), link);
    }
  });

  test("an address without a link shows the default", () => {
    for (const empty of ["", "#", "#&", "&&&"]) assert.deepEqual(fromLink(empty), { setup: DEFAULT, problems: [] });
    assert.deepEqual(fromLink(toLink(DEFAULT)).setup, DEFAULT);
  });

  test("a text that is no text of Unicode becomes one", () => {
    const link = toLink({ ...DEFAULT, env: "a\ud800b" });
    assert.equal(fromLink(link).setup.env, "a\ufffdb");
  });

  test("a model that is too long is not in the link", () => {
    const model = { name: "m.json", text: "x".repeat(8001) };
    assert.equal(inLink(model), false);
    const { setup, problems } = fromLink(toLink({ ...DEFAULT, model }));
    assert.equal(setup.model, null);
    assert.match(problems.join(), /needs the model file 'm.json'/);
  });

  const refused = {
    // what each leaves as it is, with a word to the reader
    steps: ["", "0", "-1", "1.5", "NaN", "Infinity", "1e999", "1e10", "0x10", "1_000", "１０", "9".repeat(400), "null"],
    runs: ["0", "-5", "1e6", "{}"],
    replicate: ["-1", "1e13", "0.5"],
    at: ["-1", "NaN", "1e999"],
    seed: ["-1", "1e3", "18446744073709551616", "9".repeat(1000), "", "0x1", "1.0"],
    turns: ["0", "1001", "x"],
    moves: ["A", "0-1", "%00", "0".repeat(4001), "<b>"],
    beside: ["", "0", "Exact", "__proto__"],
    tour: ["", "nowhere", "__proto__", "<b>", "gre%65dy"],
    file: ["", "f".repeat(101), "a%0Ab"],
    show: ["", "Q", "__proto__", "constructor", "q,value", "toString"],
    view: ["", "Play", "__proto__", "hasOwnProperty", "javascript:alert(1)"],
    env: ["", "a%0Ab", "a%00b", "%7f", "x".repeat(2001), "a%09"],
    agent: ["", "a%0Ab", "a%00", "y".repeat(2001)],
    model: ["z".repeat(8001)],
    name: ["", "a%0Ab", "n".repeat(101)],
  };
  for (const [key, values] of Object.entries(refused))
    test(`${key}: what cannot be is left out, and said`, () => {
      for (const value of values) {
        const { setup, problems } = fromLink(`#${key}=${value}`);
        assert.deepEqual(setup, DEFAULT, `${key}=${value.slice(0, 40)}`);
        assert.equal(problems.length, 1, `${key}=${value.slice(0, 40)}`);
        assert.ok(
          problems[0].length < 200 && problems[0].includes({ env: "environment", file: "name" }[key] ?? key),
          problems[0],
        );
      }
    });

  test("percent signs that mean nothing", () => {
    for (const broken of ["%", "%2", "%zz", "a%", "%e2%82", "%ff", "%c0%80", "%ed%a0%80"]) {
      const { setup, problems } = fromLink(`#env=${broken}&seed=7`);
      assert.equal(setup.env, DEFAULT.env);
      assert.equal(setup.seed, "7");
      assert.equal(problems.length, 1);
    }
  });

  test("names of every object are unknown parts", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const key of [
      "__proto__",
      "constructor",
      "prototype",
      "hasOwnProperty",
      "toString",
      "__defineGetter__",
      "<b>",
      "javascript:alert(1)",
      "Env",
      " env",
      "tour[]",
    ]) {
      const { setup, problems } = fromLink(`#${key}=polluted`);
      assert.deepEqual(setup, DEFAULT);
      assert.deepEqual(Object.keys(setup), Object.keys(DEFAULT));
      assert.equal(problems.length, 1, key);
    }
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
  });

  test("the last of repeated parts counts; agents are added up to the most", () => {
    const { setup, problems } = fromLink(
      "seed=1&seed=2&steps=5&steps=x&agent=a&agent=b&agent=c&agent=d&agent=e&agent=f",
    );
    assert.deepEqual([setup.seed, setup.steps, setup.agents], ["2", 5, ["a", "b", "c", "d"]]);
    assert.equal(problems.length, 2); // steps, agents: each once
  });

  test("a place behind the end is the end", () => assert.equal(fromLink("steps=10&at=11").setup.at, 10));

  test("a million characters", () => {
    const million = "x".repeat(1e6);
    for (const link of [
      million,
      `env=${million}`,
      `agent=${million}`,
      `model=${million}`,
      `seed=${"9".repeat(1e6)}`,
      "&".repeat(1e6),
      "%".repeat(1e6),
      "a&".repeat(5e5),
      "%&".repeat(5e5),
      "agent=a&".repeat(1e5),
      Array.from({ length: 1e5 }, (_, k) => `k${k}`).join("&"),
    ]) {
      const { setup, problems } = fromLink(`#${link}`);
      assert.deepEqual({ ...setup, agents: DEFAULT.agents }, DEFAULT);
      assert.ok(problems.length <= 10, `${problems.length} problems`);
      assert.ok(problems.every((each) => each.length < 200));
    }
  });
});

describe("numbers", () => {
  test("whole numbers within their limits", () => {
    for (const [key, [least, most]] of Object.entries(LIMITS)) {
      for (const good of [least, most, least + 1]) assert.equal(whole(key, String(good)), good);
      assert.equal(whole(key, " 1e3 "), 1000);
      for (const bad of [least - 1, most + 1, "", "x", "1.5", "NaN", "-0", "+1", "1e999", "1e", "e3"])
        assert.match(
          String(whole(key, String(bad))),
          new RegExp(`^${key} must be a whole number from`),
          `${key} ${bad}`,
        );
    }
  });

  test("seeds of 64 bits", () => {
    assert.equal(seedOf(" 007 "), "7");
    assert.equal(seedOf("18446744073709551615"), "18446744073709551615");
    for (const bad of ["18446744073709551616", "-1", "", " ", "1e3", "1.0", "0x1", "1 2"])
      assert.equal(seedOf(bad), null, bad);
  });
});

describe("specs", () => {
  test("parsed and printed again", () => {
    for (const spec of ["chain", "chain:n=5", "a:k=[1],m=(3)", "a:map=S.G/..H,x=y=z", "a:k=]],b=1"])
      assert.equal(printSpec(parseSpec(spec)), spec);
    assert.deepEqual(
      [...parseSpec("a:x=1,,y").values],
      [
        ["x", "1"],
        ["y", ""],
      ],
    );
    assert.deepEqual([...parseSpec("a:k=[1,2]").values.keys()], ["k", "2]"]); // as the library reads it
    assert.equal(parseSpec("a:__proto__=1").values.get("__proto__"), "1");
  });

  test("a key set, changed and left to its default", () => {
    assert.equal(withValue("chain", "n", "5"), "chain:n=5");
    assert.equal(withValue("chain:n=5,slip=0", "n", "7"), "chain:n=7,slip=0");
    assert.equal(withValue("chain:n=5", "n", ""), "chain");
  });

  test("quoted for a shell", () => {
    const any = random(2);
    const texts = [
      "",
      "plain:n=5",
      "$(touch x)",
      "`id`",
      "a b",
      "'",
      "''",
      "-n",
      "*",
      "~",
      "!x",
      "a\nb",
      "\\",
      "$HOME",
      "a;b|c&d",
      "é😀",
      ...Array.from({ length: 100 }, () => any.some(20, () => any.of(LETTERS)).join("")),
    ];
    const said = execFileSync("sh", ["-c", `printf '%s\\0' ${texts.map(quoted).join(" ")}`], { encoding: "utf8" });
    assert.deepEqual(said.split("\0").slice(0, -1), texts);
  });
});
