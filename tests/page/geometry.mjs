// Where the texts of drawings stand, measured by the browser: for figures inside a page and for files of SVG.
//     const faults = await page.evaluate(figureFaults);
// gives a list of sentences, empty if every text is inside of its drawing and no two overlap.

/** Runs inside the page; `selector` chooses the drawings. Hidden ones are left out. */
export function figureFaults(selector = "svg") {
  const SLACK = 0.75; // pixels by which boxes may meet: a box is a little taller than its letters
  const faults = [];
  const name = (text) =>
    JSON.stringify(
      [...text.childNodes] // without its <title>
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.data)
        .join("")
        .trim()
        .slice(0, 40),
    );
  const shown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
  };
  // a turned text: its own box, taken to the screen
  const boxOf = (text) => {
    const matrix = text.getScreenCTM(),
      { x, y, width, height } = text.getBBox();
    const corners = [
      [x, y],
      [x + width, y],
      [x, y + height],
      [x + width, y + height],
    ].map(([a, b]) => new DOMPoint(a, b).matrixTransform(matrix));
    const xs = corners.map((p) => p.x),
      ys = corners.map((p) => p.y);
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys), text };
  };
  const letters = (box) => {
    // a line's box has room above and below its letters
    const room = Math.min(box.bottom - box.top, box.right - box.left) * 0.12;
    const upright = box.text.getScreenCTM().b !== 0;
    return upright
      ? { ...box, left: box.left + room, right: box.right - room }
      : { ...box, top: box.top + room, bottom: box.bottom - room };
  };
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;
  for (const svg of document.querySelectorAll(selector)) {
    if (!shown(svg)) continue;
    const frame = svg.getBoundingClientRect(),
      kind = svg.dataset.kind ?? "drawing";
    const texts = [...svg.querySelectorAll("text")].filter(shown).map(boxOf);
    for (const box of texts)
      if (
        box.left < frame.left - SLACK ||
        box.right > frame.right + SLACK ||
        box.top < frame.top - SLACK ||
        box.bottom > frame.bottom + SLACK
      )
        faults.push(`${kind}: ${name(box.text)} is not inside of the frame`);
    const tight = texts.map(letters).sort((a, b) => a.left - b.left);
    tight.forEach((a, i) => {
      // in the order of their left ends, so that few pairs are compared
      for (let j = i + 1; j < tight.length && tight[j].left < a.right; ++j)
        if (overlap(a, tight[j])) faults.push(`${kind}: ${name(a.text)} overlaps ${name(tight[j].text)}`);
    });
  }
  return faults;
}

/** Runs inside the page: what is wider than the page, so that it has to be moved sideways. */
export function widthFaults() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = (element) => element.closest(".scroll, .view, nav");
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element))
    .map(
      (element) =>
        `${element.tagName}.${element.className} ends at ${Math.round(element.getBoundingClientRect().right)} of ${width}`,
    )
    .concat(`the page is ${document.documentElement.scrollWidth} wide, of ${width}`);
}
