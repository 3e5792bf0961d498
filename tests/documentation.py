#!/usr/bin/env python3
"""The Markdown pages of the repository: links lead to files and headings that exist, rows of tables have as many columns
as their heads, and list items begin a line.

usage: documentation.py [FOLDER]

tests/links.py checks the pages as they are installed.
"""
import pathlib
import re
import sys
import unittest
from urllib.parse import unquote

ROOT = pathlib.Path(sys.argv.pop(1) if sys.argv[1:] else pathlib.Path(__file__).parents[1]).resolve()
OTHERS = {"build", "node_modules"}  # folders that are not ours; and those whose names begin with a dot
ITEM = re.compile(r"[.;:] (?:[-*] (?=[A-Z`*(\[])|[1-9]\. (?=[A-Z`*]))")  # of a list, within a line


def pages():
    for page in sorted(ROOT.rglob("*.md")):
        folders = page.relative_to(ROOT).parts[:-1]
        if not any(name in OTHERS or name.startswith(".") for name in folders):
            yield page


def prose(page):
    """The lines of a page, by number, without those of code."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if re.match(r"\s*```", line):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def without_code(line):
    return re.sub(r"`[^`]*`", "``", line)


def anchors(page):
    """The anchors that GitHub gives to the headings of a page."""
    found, times = set(), {}
    for _, line in prose(page):
        heading = re.match(r"#{1,6} +(.*?) *#*$", line)
        if heading:
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            times[name] = times.get(name, -1) + 1
            found.add(f"{name}-{times[name]}" if times[name] else name)
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def columns(row):
    return len(re.findall(r"(?<!\\)\|", row)) - 1


class Claims(unittest.TestCase):
    """What the first pages may not say again: each was wrong once."""

    def test_readme(self):
        text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
        for wrong in ("reproduces the paper's ranking", "the paper's ranking", "within two per cent"):
            self.assertNotIn(wrong, text)
        self.assertIn("at N = 50 its γ_E = 0.25 earns 236, less than Delayed Q-learning with 518", text)
        made, trained = re.search(r"fs\.Agent\([^)]*steps=([\d_]+)", text), re.search(r"fs\.train\([^)]*steps=([\d_]+)", text)
        self.assertEqual(made[1], trained[1])

    def test_directed(self):
        head = "".join((ROOT / "docs/directed.md").read_text(encoding="utf-8").splitlines(True)[:8])
        self.assertIn("computed with `clamp=on` alone", head)


    def test_contributing(self):
        """It is read before the first change: three screens."""
        lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(len(lines), 150)
        self.assertLessEqual(max(map(len, lines)), 120)


class Documentation(unittest.TestCase):
    def setUp(self):
        self.pages = list(pages())
        self.assertTrue(self.pages)

    def none(self, faults):
        if faults:
            self.fail("\n" + "\n".join(f"{page.relative_to(ROOT)}:{number}: {what}" for page, number, what in faults))

    def test_links(self):
        known, faults = {}, []
        for page in self.pages:
            for number, line in prose(page):
                text = without_code(line)
                for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text):
                    if re.match(r"[a-z]+:", link):
                        continue  # elsewhere
                    path, _, anchor = unquote(link).partition("#")
                    target = (page.parent / path).resolve() if path else page
                    if not target.exists():
                        faults.append((page, number, f"no file {link}"))
                    elif anchor and target.suffix == ".md":
                        if target not in known:
                            known[target] = anchors(target)
                        if anchor not in known[target]:
                            faults.append((page, number, f"no heading {link}"))
        self.none(faults)

    def test_tables(self):
        faults = []
        for page in self.pages:
            lines = dict(prose(page))
            for number, line in lines.items():
                if re.fullmatch(r"\|(?: *:?-+:? *\|)+", line):  # the line below a head
                    n = columns(line)
                    if columns(lines.get(number - 1, "")) != n:
                        faults.append((page, number - 1, f"a head of {columns(lines.get(number - 1, ''))} columns, not {n}"))
                    row = number + 1
                    while lines.get(row, "").strip():
                        text = lines[row].rstrip()
                        if not text.startswith("|") or not text.endswith("|") or columns(text) != n:
                            faults.append((page, row, f"not a row of {n} columns: {text[:60]}"))
                        row += 1
        self.none(faults)

    def test_lists(self):
        self.none([(page, number, f"a list item within a line: {line.strip()[:60]}") for page in self.pages
                   for number, line in prose(page) if not line.startswith("|") and ITEM.search(without_code(line))])


if __name__ == "__main__":
    unittest.main()
