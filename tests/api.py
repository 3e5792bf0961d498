#!/usr/bin/env python3
"""Every public function is called by a unit test or an example, and docs/api.md names every header."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.S)


def code(path):
    """The text of a source without comments and strings."""
    return COMMENT.sub(" ", path.read_text())


def public_functions():
    """{name: header}: what is declared FAR_API, or static inline for all to use."""
    found = {}
    for header in sorted((ROOT / "include" / "farsight").glob("*.h")):
        for text in re.findall(r"^(?:FAR_API|static inline)\b([^;{]*)[;{]", code(header), re.M):
            found[re.search(r"\b(far_\w+)\s*\(", text).group(1)] = header.name
    return found


def main():
    functions = public_functions()
    sources = [p for folder in ("tests/unit", "examples") for p in (ROOT / folder).rglob("*.[ch]")]
    called = set(re.findall(r"\bfar_\w+(?=\s*\()", "\n".join(code(p) for p in sources)))
    handed = set(re.findall(r"[=,(&]\s*(far_\w+)\s*[,;)]", "\n".join(code(p) for p in sources)))
    missing = {name: header for name, header in functions.items() if name not in called | handed}
    for name, header in sorted(missing.items()):
        print(f"{name} ({header}) is called by no unit test and no example")
    page = (ROOT / "docs" / "api.md").read_text()
    headers = [p.name for p in sorted((ROOT / "include" / "farsight").glob("*.h"))]
    unnamed = [name for name in headers if f"`{name}`" not in page and f"farsight/{name}>" not in page]
    for name in unnamed:
        print(f"docs/api.md does not say what {name} holds")
    failed = len(missing) + len(unnamed)
    print(f"{len(functions) + len(headers) - failed} passed, {failed} failed")
    return failed > 0 or not functions


sys.exit(main())
