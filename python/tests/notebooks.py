"""The notebooks of docs/notebooks: executed, and their outputs as texts that can be compared."""

from __future__ import annotations

import os
import pathlib
import tempfile
import time
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"
ALL = sorted(FOLDER.glob("*.ipynb"))


def read(path: pathlib.Path) -> Any:
    return nbformat.read(path, as_version=4)


def executed(path: pathlib.Path) -> Any:
    """The notebook with the outputs of a new execution; raises CellExecutionError where a cell raises.

    It is executed in an empty folder, as by a reader who has the notebook alone.
    """
    notebook = read(path)
    with tempfile.TemporaryDirectory() as empty:
        resources = {"metadata": {"path": empty}}
        client = NotebookClient(notebook, timeout=300, coalesce_streams=True, resources=resources)
        client.execute(env={**os.environ, "FARSIGHT_PROGRESS": "0"})  # whether there are bars depends on the machine
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_progress(output)]
    return notebook


def _is_progress(output: Any) -> bool:
    """A line of progress that was wiped out: a slow machine shows it, a fast one does not."""
    return output.output_type == "stream" and output.name == "stderr" and not output.text.rpartition("\r")[2]


def write(path: pathlib.Path) -> float:
    """Executes a notebook and writes it again; the seconds that took."""
    start = time.perf_counter()
    notebook = executed(path)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(notebook, path)
    return time.perf_counter() - start


def texts(cell: Any) -> list[str]:
    """What a cell printed, and the plain text of what it showed; of figures only that they are there."""
    found: list[str] = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            found.append(f"{output.name}: {output.text}")
        elif "image/svg+xml" in output.get("data", {}):
            found.append("figure")
        else:
            found.append(str(output.get("data", {}).get("text/plain", "")))
    return found
