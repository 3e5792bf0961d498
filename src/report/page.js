// What a reader can do with a report beyond reading it. The page is complete without this.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const make = (tag, attributes = {}, text = "") => {
    const element = set(document.createElement(tag), attributes);
    element.textContent = text;
    return element;
  };
  const draw = (tag, attributes) => set(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes);
  const button = (text, attributes, action) => {
    const element = make("button", { type: "button", ...attributes }, text);
    element.addEventListener("click", action);
    return element;
  };
  const live = document.getElementById("live");
  const say = (text) => {
    live.textContent = text;
  }; // to those who listen
  const tools = document.getElementById("tools");
  const root = document.documentElement;

  // ---- light or dark: as the system says, until the button is pressed ----
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const theme = button("", {}, () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  const nameTheme = () => {
    theme.textContent = isDark() ? "Light theme" : "Dark theme";
  };
  nameTheme();
  prefersDark.addEventListener("change", nameTheme);
  tools.append(theme);
  tools.hidden = false;

  // ---- copying ----
  const write = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // a page opened from a disk may lack the right; the old way needs none
      const area = make("textarea", { readonly: "", class: "unseen" });
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  const addCopy = (box, what, source) => {
    const copy = button("Copy", { class: "copy", "aria-label": `Copy ${what}` }, async () => {
      const done = await write(source().trim());
      copy.focus();
      copy.textContent = done ? "Copied" : "Failed";
      say(done ? `Copied ${what}` : "Could not copy");
      setTimeout(() => {
        copy.textContent = "Copy";
      }, 1500);
    });
    box.append(copy);
  };
  for (const box of all(".command, td.cmd")) {
    const code = box.querySelector("code");
    if (code) addCopy(box, "the command", () => code.textContent);
  }
  for (const box of all(".methods"))
    addCopy(box, "the text", () =>
      all("p", box)
        .map((p) => p.textContent)
        .join("\n\n"),
    );

  // ---- sorting tables: up, down, as it was ----
  const number = (cell) => {
    const text = cell.dataset.sort ?? cell.textContent.replace("−", "-").replaceAll(",", "");
    return text.trim() === "" ? NaN : Number(text);
  };
  const compare = (a, b, numeric, sign) => {
    if (!numeric) return sign * a.textContent.localeCompare(b.textContent, "en", { numeric: true });
    const x = number(a),
      y = number(b);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y); // last, either way
    return sign * (x < y ? -1 : x > y ? 1 : 0);
  };
  const sortable = (table) => {
    const body = table.tBodies[0],
      rows = [...body.rows],
      heads = [...table.tHead.rows[0].cells];
    if (rows.length < 2) return;
    const sort = (head, column) => {
      const order = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
      const next = order === undefined ? "ascending" : order;
      const numeric = head.classList.contains("n");
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next) head.setAttribute("aria-sort", next);
      table.classList.toggle("sorted", next !== null);
      const sign = next === "descending" ? -1 : 1;
      body.append(
        ...(next ? [...rows].sort((a, b) => compare(a.cells[column], b.cells[column], numeric, sign)) : rows),
      );
      say(next ? `Sorted by ${head.textContent}, ${next}` : "In the first order again");
    };
    heads.forEach((head, column) => {
      if (head.classList.contains("bars") || head.classList.contains("cmd")) return;
      const press = button("", {}, () => sort(head, column));
      press.append(...head.childNodes);
      head.append(press);
    });
  };
  all("table").forEach(sortable);

  // ---- environments ----
  const filter = document.getElementById("filter");
  if (filter) {
    const boxes = all("input", filter),
      summary = filter.querySelector("summary");
    const apply = () => {
      const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
      for (const part of all("[data-env]")) part.toggleAttribute("data-off", off.has(part.dataset.env));
      const text = off.size ? `Environments: ${boxes.length - off.size} of ${boxes.length}` : "Environments: all";
      if (summary.textContent !== text) say(text);
      summary.textContent = text;
    };
    const choose = (checked) => () => {
      for (const box of boxes) box.checked = checked;
      apply();
    };
    filter.querySelector("legend").after(button("All", {}, choose(true)), button("None", {}, choose(false)));
    filter.addEventListener("change", apply);
    summary.textContent = "Environments: all";
  }

  // ---- many views of a figure: a slider ----
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const slider = (views) => {
    const radios = all(":scope > input", views),
      labels = all(":scope > label", views);
    if (radios.length < 5) return;
    const name = labels.map((label) => label.textContent);
    const range = make("input", { type: "range", min: 0, max: radios.length - 1, step: 1, "aria-label": "View" });
    const shown = make("output");
    const show = (i) => {
      radios[i].checked = true;
      range.value = i;
      range.setAttribute("aria-valuetext", name[i]);
      shown.textContent = name[i];
    };
    let timer = 0;
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
    };
    const step = () => {
      const next = Number(range.value) + 1;
      if (next < radios.length) show(next);
      else stop();
    };
    const play = button("Play", {}, () => {
      if (timer) return stop();
      if (Number(range.value) === radios.length - 1) show(0);
      if (still.matches) return step(); // one step a press, where motion is not wanted
      play.textContent = "Pause";
      timer = setInterval(step, 700);
    });
    if (still.matches) play.textContent = "Next";
    range.addEventListener("input", () => {
      stop();
      show(Number(range.value));
    });
    const row = make("div", { class: "slide" });
    row.append(play, range, shown);
    views.querySelector("legend").after(row);
    views.classList.add("slider");
    show(radios.findIndex((radio) => radio.checked));
  };
  all(".views").forEach(slider);

  // ---- values: of what the pointer is at, or the keys have gone to ----
  const tip = make("div", { id: "tip", hidden: "" });
  document.body.append(tip);
  let follow = null; // shows it again where its place has moved to: what keys have asked for stays
  let owner = null; // what it belongs to: the pointer leaving something else does not hide it
  const hideTip = (from = owner) => {
    if (from !== owner) return;
    tip.hidden = true;
    follow = null;
  };
  const showTip = (from, text, x, y) => {
    if (from !== owner) hideTip();
    owner = from;
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 12, root.clientWidth - box.width - 4))}px`;
    tip.style.top = `${y - box.height - 12 < 4 ? y + 16 : y - box.height - 12}px`;
  };
  addEventListener("scroll", () => (follow ? follow() : hideTip()), { passive: true, capture: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });

  // a rounded number in a table: all of it
  for (const cell of all("tbody .n")) {
    const { sort, low, high } = cell.dataset;
    if (sort === undefined || (low === undefined && sort === cell.textContent)) continue;
    cell.addEventListener("pointerenter", (event) => {
      const range = low === undefined ? "" : `${low} to ${high}`;
      showTip(cell, sort === low ? range : [sort, range].filter(Boolean).join("\n"), event.clientX, event.clientY);
    });
    cell.addEventListener("pointerleave", () => hideTip(cell));
  }

  // a short form in a table: the full one
  for (const summary of all(".full > summary")) {
    const show = () => {
      const box = summary.getBoundingClientRect();
      if (!summary.parentElement.open) showTip(summary, summary.nextElementSibling.textContent, box.left, box.top);
    };
    summary.addEventListener("pointerenter", show);
    summary.addEventListener("focus", () => {
      if (summary.matches(":focus-visible")) show();
    });
    for (const name of ["pointerleave", "blur", "click"]) summary.addEventListener(name, () => hideTip(summary));
  }

  // the points of a figure: where they are, in its own units, and what they say
  const spots = (svg) => {
    const found = [];
    for (const title of all(":scope :not(svg) > title", svg)) {
      // the browser's own tips would be shown as well
      const shape = title.parentElement,
        box = shape.getBBox();
      found.push({ shape, x: box.x + box.width / 2, y: box.y + box.height / 2, box, text: title.textContent });
      title.remove();
    }
    for (const line of all("[data-x]", svg)) {
      const [x, y, low, high] = ["x", "y", "low", "high"].map((name) => line.dataset[name]?.split(" "));
      const places = line
        .getAttribute("d")
        .match(/-?[\d.]+(e-?\d+)?/g)
        .map(Number);
      const label = line.closest("[data-series]")?.dataset.label;
      for (let i = 0; i < x.length && 2 * i + 1 < places.length; ++i) {
        const range = low && high ? ` (${low[i]} to ${high[i]})` : "";
        found.push({
          shape: line,
          x: places[2 * i],
          y: places[2 * i + 1],
          text: `${label ? `${label}\n` : ""}${y[i]}${range} at ${x[i]}`,
        });
      }
    }
    return found;
  };
  const inside = (spot, x, y) =>
    spot.box &&
    x >= spot.box.x &&
    x <= spot.box.x + spot.box.width &&
    y >= spot.box.y &&
    y <= spot.box.y + spot.box.height;
  const figure = (view) => {
    const svg = view.querySelector("svg");
    let found,
      at = -1;
    const list = () => (found ??= spots(svg)).filter((spot) => !spot.shape.closest("[data-off]"));
    const ring = draw("circle", { r: 5, class: "ring" });
    svg.append(ring);
    const hide = () => {
      ring.removeAttribute("data-on");
      hideTip(view);
    };
    const show = (spot) => {
      ring.setAttribute("cx", spot.x);
      ring.setAttribute("cy", spot.y);
      ring.toggleAttribute("data-on", !spot.box);
      const place = new DOMPoint(spot.x, spot.y).matrixTransform(svg.getScreenCTM());
      showTip(view, spot.text, place.x, place.y);
    };
    const point = (event) => {
      const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let best,
        least = 20;
      for (const spot of list()) {
        const distance = inside(spot, here.x, here.y) ? 0 : Math.hypot(spot.x - here.x, spot.y - here.y);
        if (distance <= least) [best, least] = [spot, distance]; // the last drawn is on top
      }
      if (best) show(best);
      else hide();
    };
    view.addEventListener("pointermove", point);
    view.addEventListener("pointerdown", point); // a finger does not hover
    view.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const now = list();
      if (!step || event.target !== view || !now.length) return;
      event.preventDefault();
      at = at < 0 && step < 0 ? now.length - 1 : (at + step + now.length) % now.length;
      show(now[at]);
      follow = () => show(now[at]);
      say(now[at].text);
    });
    for (const name of ["pointerleave", "blur"]) view.addEventListener(name, hide);
    if (svg.querySelector("title ~ * title, [data-x]"))
      view.setAttribute("aria-description", "The arrow keys read the values one by one.");
  };
  all(".figure > .view, .views > .view").forEach(figure);

  // ---- series of a figure: hidden and shown in all of its views ----
  // its colour: that of its first line or else shape
  const swatch = (groups) => {
    const inks = groups
      .flatMap((group) => all(":not(text)", group))
      .flatMap((shape) => [...shape.classList])
      .filter((name) => !/^.-(none|paper)$/.test(name));
    const ink = inks.find((name) => name.startsWith("k-")) ?? inks[0] ?? "k-text";
    const svg = draw("svg", { "aria-hidden": "true" });
    svg.append(draw("rect", { width: "100%", height: "100%", class: ink.replace("k-", "f-") }));
    return svg;
  };
  for (const box of all("figure.figure")) {
    const groups = new Map();
    for (const group of all("[data-series]", box))
      groups.set(group.dataset.label, [...(groups.get(group.dataset.label) ?? []), group]);
    if (groups.size < 2) continue;
    const row = make("div", { class: "legend", role: "group", "aria-label": "Series shown" });
    for (const [label, parts] of groups) {
      const press = button(label, { "aria-pressed": "true" }, () => {
        const on = press.getAttribute("aria-pressed") === "false";
        press.setAttribute("aria-pressed", on);
        for (const part of parts) part.toggleAttribute("data-off", !on);
        say(`${label} ${on ? "shown" : "hidden"}`);
      });
      for (const part of parts)
        for (const text of all("text", part)) text.addEventListener("click", () => press.click());
      press.prepend(swatch(parts));
      row.append(press);
    }
    box.querySelector("figcaption").before(row);
  }

  // ---- the section that is being read ----
  const links = new Map(all("nav.side a").map((link) => [link.hash.slice(1), link]));
  const visible = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) visible[entry.isIntersecting ? "add" : "delete"](entry.target.id);
      const current = [...links.keys()].filter((id) => visible.has(id)).at(-1);
      for (const [id, link] of links) {
        if (id === current) link.setAttribute("aria-current", "location");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-20% 0px -70% 0px" },
  );
  for (const id of links.keys()) watcher.observe(document.getElementById(id));

  // on paper it is always light
  let before;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    delete root.dataset.theme;
  });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before;
  });
})();
