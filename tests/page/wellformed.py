#!/usr/bin/env python3
"""Pages of HTML by a strict reading: what a browser would repair is a fault. usage: wellformed.py PAGE_FIXTURE"""
import base64
import hashlib
import re
import subprocess
import sys
from html.parser import HTMLParser

VOID = {"wbr", "meta", "input", "br", "img", "link", "hr"}
NO_PARAGRAPH = {"div", "p", "table", "section", "figure", "ul", "ol", "dl", "pre", "details", "fieldset", "h1", "h2", "h3", "h4"}
SVG_EMPTY = {"path", "rect", "circle", "line"}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.uses = [], [], [], []
        self.contents = {"style": [], "script": []}
        self.policy = ""

    def fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def start(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.fault(f"<{tag}> has an attribute twice")
        if tag in NO_PARAGRAPH and "p" in self.open:
            self.fault(f"<{tag}> within a paragraph")
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in ("for", "aria-labelledby", "aria-describedby"):
                self.uses += value.split()
            elif name in ("href", "src", "action", "srcset"):
                if not value.startswith("#"):
                    self.fault(f"{name} leads elsewhere: {value}")
                self.uses.append(value[1:])
            elif name == "style" or name.startswith("on"):
                self.fault(f"<{tag}> has the attribute {name}, which the policy forbids")
        given = dict(attributes)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in SVG_EMPTY or "svg" not in self.open:
            self.fault(f"<{tag}/> is not empty in HTML")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.fault(f"</{tag}> ends another element")

    def handle_data(self, data):
        if self.open and self.open[-1] in self.contents:
            self.contents[self.open[-1]].append(data)
        bad = re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", data)
        if bad:
            self.fault(f"characters that must not be in a page: {bad!r}")


def faults(text):
    """What is wrong with a page: a list of sentences."""
    reader = Reader()
    reader.feed(text)
    reader.close()
    found = reader.faults
    if not text.startswith("<!DOCTYPE html>\n<html lang="):
        found.append("no document type or language")
    found += [f"<{tag}> is not closed" for tag in reader.open]
    found += [f"the identifier {name} is there twice" for name in sorted(set(reader.ids)) if reader.ids.count(name) > 1]
    found += [f"there is no element {name}" for name in sorted(set(reader.uses) - set(reader.ids))]
    for tag, parts in reader.contents.items():
        digest = base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode()
        if f"{tag}-src 'sha256-{digest}'" not in reader.policy:
            found.append(f"the policy does not name what is in <{tag}>")
    if "default-src 'none'" not in reader.policy or "unsafe" in reader.policy:
        found.append("the policy allows too much")
    return found


def main():
    bad = 0
    for name in ("whole", "hostile", "large", "alone"):
        first, again = (subprocess.run([sys.argv[1], name], capture_output=True, check=True).stdout for _ in range(2))
        found = faults(first.decode()) + (["two runs differ"] if first != again else [])
        print(*(f"{name}: {each}" for each in found), sep="\n", end="\n" if found else "")
        bad += len(found)
    print(f"{bad} faults")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
