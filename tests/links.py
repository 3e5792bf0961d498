#!/usr/bin/env python3
"""Every page, figure and example that the installed documentation links to is installed.

Links to sources (include/, src/ and so on, of which the folder has nothing) are for readers of the repository.

usage: links.py FOLDER
"""
import os.path
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1]).resolve()


def is_of_sources(path):
    first, *rest = pathlib.Path(os.path.relpath(path, folder)).parts
    return bool(rest) and not (folder / first).exists()


dead = []
for page in sorted(folder.rglob("*.md")):
    for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", page.read_text(encoding="utf-8")):
        path = page.parent / target
        if not re.match(r"[a-z]+:", target) and not path.exists() and not is_of_sources(path):
            dead.append(f"{page.relative_to(folder)}: {target}")
print("\n".join(dead) or "documentation: every link leads to an installed file")
sys.exit(bool(dead))
