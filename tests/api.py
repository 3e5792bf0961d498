#!/usr/bin/env python3
"""The public headers: every function is called by a unit test or an example, docs/api.md is what the headers say, the example of
every header compiles with it alone and runs, and the shared libraries export these functions and what one lends the other, no more.

usage: tests/api.py [CC FOLDER]    FOLDER: where the shared libraries are
"""
import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.S)
MOST_HEADERS, MOST_FUNCTIONS = 15, 300
PROGRAM = """#include <farsight/{header}>
#include <stdio.h>

int main(void) {{
  far_error error;
  (void)error;
{code}
  return 0;
}}
"""


def api_page():
    """The script that writes the page, as a module."""
    loader = importlib.machinery.SourceFileLoader("api_page", str(ROOT / "scripts" / "api-page"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("api_page", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def headers():
    return sorted((ROOT / "include" / "farsight").glob("*.h"))


def code(path):
    """The text of a source without comments and strings."""
    return COMMENT.sub(" ", path.read_text())


def declared(paths, mark):
    """{name: file}: the functions with one of these words before them."""
    found = {}
    for path in paths:
        for text in re.findall(rf"^(?:{mark})\b([^;{{]*)[;{{]", code(path), re.M):
            found[re.search(r"\b(far_\w+)\s*\(", text).group(1)] = path.name
    return found


def untested():
    sources = [p for folder in ("tests/unit", "examples") for p in (ROOT / folder).rglob("*.[ch]")]
    called = set(re.findall(r"\bfar_\w+(?=\s*\()", "\n".join(code(p) for p in sources)))
    handed = set(re.findall(r"[=,(&]\s*(far_\w+)\s*[,;)]", "\n".join(code(p) for p in sources)))
    for name, header in sorted(declared(headers(), "FAR_API|static inline").items()):
        if name not in called | handed:
            yield f"{name} ({header}) is called by no unit test and no example"


def misnamed():
    """A name with far__ is private: no public header may have one."""
    for path in headers():
        for name in sorted(set(re.findall(r"\b(?:far|FAR)__\w+", path.read_text()))):
            yield f"include/farsight/{path.name} names {name}, which is private"


def failing_examples(page, cc, folder):
    with tempfile.TemporaryDirectory() as there:
        for path in headers():
            source, program = pathlib.Path(there, path.stem + ".c"), pathlib.Path(there, path.stem)
            example = page.head(path.read_text())[1]
            source.write_text(PROGRAM.format(header=path.name, code=example))
            command = [*cc.split(), "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", "-o", program, source]
            libraries = [f"-L{folder}", "-lfarsight-lab", "-lfarsight", f"-Wl,-rpath,{folder}"]
            for step in [*command, *libraries], [program]:
                done = subprocess.run(step, cwd=there, capture_output=True, text=True, timeout=300, check=False)
                if done.returncode != 0 or not example:
                    yield f"the example of {path.name} fails: {done.stdout}{done.stderr}"
                    break


def wrong_exports(folder):
    public = set(declared(headers(), "FAR_API"))
    lent = set(declared((ROOT / "src").rglob("*.h"), "FAR_LAB"))
    exported = set()
    for library in "libfarsight.so", "libfarsight-lab.so":
        lines = subprocess.run(["nm", "-D", "--defined-only", f"{folder}/{library}"], capture_output=True, text=True, check=True).stdout
        exported |= {line.split()[2] for line in lines.splitlines()}
    yield from (f"{name} is declared and not exported" for name in sorted((public | lent) - exported))
    yield from (f"{name} is exported and in no public header" for name in sorted(exported - public - lent))


def main():
    page = api_page()
    functions = declared(headers(), "FAR_API|static inline")
    bad = [*untested(), *misnamed()]
    if len(headers()) > MOST_HEADERS or len(functions) > MOST_FUNCTIONS:
        bad.append(f"{len(functions)} public functions in {len(headers())} headers: more than {MOST_FUNCTIONS} in {MOST_HEADERS}")
    if page.text_of_page() != page.PAGE.read_text():
        bad.append("docs/api.md is not what the headers say: run scripts/api-page")
    if len(sys.argv) == 3:
        bad += [*failing_examples(page, *sys.argv[1:]), *wrong_exports(sys.argv[2])]
    print("\n".join(bad))
    print(f"{len(functions) + len(headers()) - len(bad)} passed, {len(bad)} failed")
    return bool(bad) or not functions


sys.exit(main())
