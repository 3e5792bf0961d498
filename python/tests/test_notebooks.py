"""Every notebook of docs/notebooks runs, and shows what it showed when it was written (make notebooks)."""

from __future__ import annotations

import pathlib

import pytest

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("pandas")
pytest.importorskip("gymnasium")

import notebooks

if not notebooks.FOLDER.exists():
    pytest.skip("docs/notebooks is in the repository, not in the sdist", allow_module_level=True)
pytestmark = pytest.mark.slow  # a kernel of its own, and up to half a minute
MOST_BYTES = 400_000


def test_there_are_notebooks() -> None:
    assert [path.stem for path in notebooks.ALL] == ["frozenlake-and-taxi", "the-papers-tables"]


@pytest.mark.parametrize("path", notebooks.ALL, ids=lambda path: path.stem)
def test_runs_and_shows_the_same(path: pathlib.Path) -> None:
    committed = notebooks.read(path).cells
    again = notebooks.executed(path).cells
    for number, (old, new) in enumerate(zip(committed, again, strict=True)):
        where = f"cell {number} shows something else (make notebooks writes it again):\n{old.source}"
        assert notebooks.texts(new) == notebooks.texts(old), where


@pytest.mark.parametrize("path", notebooks.ALL, ids=lambda path: path.stem)
def test_is_fit_to_be_read(path: pathlib.Path) -> None:
    """With outputs, in order, small, without errors, warnings or paths of the machine it was written on."""
    assert path.stat().st_size < MOST_BYTES
    cells = [cell for cell in notebooks.read(path).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    figures = [o.data["image/svg+xml"] for o in outputs if "image/svg+xml" in o.get("data", {})]
    assert len(figures) >= 4 and all(figure.startswith("<svg ") for figure in figures)
    assert "/home/" not in (text := path.read_text(encoding="utf-8")) and "/tmp/" not in text
