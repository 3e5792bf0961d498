// What a reader can do with a report beyond reading it. The page is complete without this.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, attributes = {}, text = "") => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };
  const button = (text, attributes, action) => {
    const element = make("button", { type: "button", ...attributes }, text);
    element.addEventListener("click", action);
    return element;
  };
  const live = document.getElementById("live");
  const say = (text) => { live.textContent = text; }; // to those who listen
  const tools = document.getElementById("tools");
  const root = document.documentElement;

  // ---- light or dark: as the system says, until the button is pressed ----
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const theme = button("", {}, () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  const nameTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
  nameTheme();
  prefersDark.addEventListener("change", nameTheme);
  tools.append(theme);
  tools.hidden = false;

  // ---- copying ----
  const write = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // a page opened from a disk may lack the right; the old way needs none
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
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    });
    box.append(copy);
  };
  for (const box of all(".command, td.cmd")) {
    const code = box.querySelector("code");
    if (code) addCopy(box, "the command", () => code.textContent);
  }
  for (const box of all(".methods"))
    addCopy(box, "the text", () => all("p", box).map((p) => p.textContent).join("\n\n"));

  // ---- sorting tables: up, down, as it was ----
  const number = (cell) => {
    const text = cell.dataset.sort ?? cell.textContent.replace("−", "-").replaceAll(",", "");
    return text.trim() === "" ? NaN : Number(text);
  };
  const compare = (a, b, numeric, sign) => {
    if (!numeric) return sign * a.textContent.localeCompare(b.textContent, "en", { numeric: true });
    const x = number(a), y = number(b);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y); // last, either way
    return sign * (x < y ? -1 : x > y ? 1 : 0);
  };
  const sortable = (table) => {
    const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
    if (rows.length < 2) return;
    const sort = (head, column) => {
      const order = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
      const next = order === undefined ? "ascending" : order;
      const numeric = head.classList.contains("n");
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next) head.setAttribute("aria-sort", next);
      table.classList.toggle("sorted", next !== null);
      const sign = next === "descending" ? -1 : 1;
      body.append(...(next ? rows.toSorted((a, b) => compare(a.cells[column], b.cells[column], numeric, sign)) : rows));
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
    const boxes = all("input", filter), summary = filter.querySelector("summary");
    const apply = () => {
      const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
      for (const part of all("[data-env]")) part.toggleAttribute("data-off", off.has(part.dataset.env));
      const text = off.size ? `Environments: ${boxes.length - off.size} of ${boxes.length}` : "Environments: all";
      if (summary.textContent !== text) say(text);
      summary.textContent = text;
    };
    const set = (checked) => () => {
      for (const box of boxes) box.checked = checked;
      apply();
    };
    filter.querySelector("legend").after(button("All", {}, set(true)), button("None", {}, set(false)));
    filter.addEventListener("change", apply);
    summary.textContent = "Environments: all";
  }

  // ---- many views of a figure: a slider ----
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const slider = (views) => {
    const radios = all(":scope > input", views), labels = all(":scope > label", views);
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
})();
