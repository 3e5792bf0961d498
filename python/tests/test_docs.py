"""The examples of the documentation are true: docs/python.md, README.md, and the docstrings of the package.

The ```python blocks of a page are run in order, in one namespace and an empty folder. What is shown is
compared:

- ``expression   # -> VALUE``: the value's repr; words may stand before the arrow;
- a ```text block right after a ```python block: what it prints, and the repr of its last expression; if the
  text begins with the name of an exception (``KeyError: ...``), its last statement must raise that.

White space is not compared, and ``...`` in what is shown stands for anything.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import inspect
import io
import os
import pkgutil
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import farsight
from farsight import pyagent

pytest.importorskip("gymnasium")

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHOWN = re.compile(r"#.*?->\s*(.*)$")


@pytest.fixture(autouse=True)
def own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classes of agents in examples do not take names from other tests."""
    monkeypatch.setattr(pyagent, "_families", dict(pyagent._families))


class Wrong(AssertionError):
    """The page shows what is not so."""


def blocks(text: str) -> list[tuple[int, str, str]]:
    """The fenced blocks: number of the line before the first, language, text."""
    found, start, lines = [], 0, text.split("\n")
    language: str | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if language is None:
                language, start = line[3:].strip(), number
            else:
                found.append((start, language, "\n".join(lines[start : number - 1]) + "\n"))
                language = None
    assert language is None, "a block is not closed"
    return found


def same(got: str, shown: str) -> bool:
    return doctest.OutputChecker().check_output(shown.strip() + "\n", got.strip() + "\n", FLAGS)


def compare(got: str, shown: str, where: str) -> None:
    if not same(got, shown):
        raise Wrong(f"{where} shows\n{shown.rstrip()}\nbut it is\n{got.rstrip()}")


class Page:
    """One page, run block by block."""

    def __init__(self, path: Path, shorter: dict[str, str] | None = None) -> None:
        self.path = path
        self.shorter = shorter or {}
        self.names: dict[str, Any] = {"__name__": "page"}

    def run(self) -> None:
        found = blocks(self.path.read_text())
        follows = [*found[1:], (0, "", "")]
        count = 0
        for (line, language, source), (_, next_language, shown) in zip(found, follows, strict=True):
            if language == "python":
                self.run_block(line, source, shown if next_language == "text" else None)
                count += 1
        assert count, f"{self.path} has no example"

    def run_block(self, line: int, source: str, shown: str | None) -> None:
        for long, short in self.shorter.items():
            source = source.replace(long, short)
        where = f"{self.path.name}:{line}"
        tree = ast.parse("\n" * line + source, str(self.path))
        raised = re.match(r"(\w+(?:Error|Warning|Interrupt)): ", shown or "")
        *body, last = tree.body
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            for statement in body:
                self.run_statement(statement, source, line)
            value = self.run_statement(last, source, line) if raised is None else self.run_raising(last, source, line, where)
        if shown is not None:
            is_value = isinstance(last, ast.Expr) and value is not None and raised is None
            text = value if raised is not None else out.getvalue() + (repr(value) if is_value else "")
            compare(str(text), shown, where)

    def run_raising(self, statement: ast.stmt, source: str, line: int, where: str) -> str:
        try:
            self.run_statement(statement, source, line)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        raise Wrong(f"{where} shows an exception, but there is none")

    def run_statement(self, statement: ast.stmt, source: str, line: int) -> Any:
        name = str(self.path)
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), name, "exec"), self.names)
            return None
        value = eval(compile(ast.Expression(statement.value), name, "eval"), self.names)
        number = statement.end_lineno or statement.lineno
        comment = SHOWN.search(source.split("\n")[number - line - 1])
        if comment is not None:
            compare(repr(value), comment[1], f"{self.path.name}:{number}")
        return value


@contextlib.contextmanager
def folder(path: Path) -> Any:
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


def run_page(path: Path, where: Path, shorter: dict[str, str] | None = None) -> None:
    with folder(where), warnings.catch_warnings():
        warnings.simplefilter("ignore", farsight.StudyWarning)
        Page(path, shorter).run()


PAGE = ROOT / "docs" / "python.md"

# The README shows a study of a size that one would run; here it is smaller.
SHORTER = {
    "steps=100_000": "steps=2_000",
    "runs=300": "runs=5",
    "steps=10_000": "steps=500",
}


def described(figure: Path) -> str:
    """What a drawing shows, in words and numbers: how it looks may change."""
    found = re.search("<desc[^>]*>(.*?)</desc>", figure.read_text(encoding="utf-8"), re.DOTALL)
    return found[1] if found else ""


@pytest.mark.skipif(not PAGE.exists(), reason="no documentation here, as in an sdist")
@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_page(page: str, tmp_path: Path) -> None:
    """In a process of its own: the agents that a page defines take names."""
    done = subprocess.run([sys.executable, __file__, ROOT / page, tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for figure in sorted(tmp_path.glob("*.svg")):
        shown = ROOT / "docs" / figure.name
        assert described(shown) == described(figure), f"draw {shown.name} again: python/README.md"


@pytest.mark.parametrize(
    ("shown", "is_right"),
    [
        ("```python\n1 + 1   # -> 2\n```", True),
        ("```python\n1 + 1   # -> 3\n```", False),
        ("```python\n1 + 1   # the sum -> 3\n```", False),
        ("```python\nprint('a')\n2\n```\n```text\na\n2\n```", True),
        ("```python\nprint('a')\n```\n```text\nb\n```", False),
        ("```python\nint('x')\n```\n```text\nValueError: invalid literal ...\n```", True),
        ("```python\nint('1')\n```\n```text\nValueError: invalid literal ...\n```", False),
    ],
)
def test_pages_are_compared(shown: str, is_right: bool, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(shown)
    if is_right:
        run_page(page, tmp_path)
    else:
        with pytest.raises(Wrong):
            run_page(page, tmp_path)


# ---- docstrings ----


def modules() -> list[str]:
    found = pkgutil.walk_packages(farsight.__path__, "farsight.")
    return ["farsight", *(info.name for info in found if not info.name.endswith("__main__"))]


def examples_of(module: ModuleType) -> list[doctest.DocTest]:
    """Those of the module; of the extension too, whose functions doctest's finder passes over."""
    names = {"fs": farsight, "farsight": farsight, "np": importlib.import_module("numpy")}
    if module.__name__ != "farsight._core":
        return doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs=names)
    parser, found = doctest.DocTestParser(), []
    things = [*vars(module).items()]
    for name, kind in vars(module).items():
        things += [(f"{name}.{m}", thing) for m, thing in vars(kind).items()] if inspect.isclass(kind) else []
    for name, thing in things:
        text = thing.__doc__ if not isinstance(thing, (str, int)) else None
        if isinstance(text, str) and ">>>" in text:
            found.append(parser.get_doctest(text, dict(names), f"farsight._core.{name}", None, None))
    return found


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str, tmp_path: Path) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    out = io.StringIO()
    with folder(tmp_path), warnings.catch_warnings():
        warnings.simplefilter("ignore", farsight.StudyWarning)
        for test in examples_of(importlib.import_module(name)):
            runner.run(test, out=out.write)
    assert runner.failures == 0, out.getvalue()


# ---- the reference ----


def test_every_name_is_documented() -> None:
    undocumented = []
    for name in farsight.__all__:
        thing = getattr(farsight, name)
        if not name.startswith("__") and not (getattr(thing, "__doc__", None) or "").strip():
            undocumented.append(name)
    assert not undocumented


if __name__ == "__main__":  # test_docs.py docs/python.md FOLDER: runs a page; its figures are in FOLDER then
    page_, folder_ = map(Path, sys.argv[1:])
    run_page(page_.resolve(), folder_, SHORTER if page_.name == "README.md" else None)
