#!/usr/bin/env python3
"""Stores for the tests of a page: results.db, and in the folder bad/ files that are none, or mean harm.
usage: stores.py FARSIGHT FOLDER"""
import pathlib
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
from hostile_store import change_cell, make_maze

# Enough for every kind of plot: sizes of one family, settings of one algorithm, and an agent that has all quantities.
RUN = ["run", "-q", "-e", "chain:n=5", "-e", "chain:n=8", "-e", "riverswim", "-a", "r-max:m=3", "-a", "r-max:m=9",
       "-a", "directed-delayed-q", "--steps", "300", "--runs", "8", "--curve", "log 6", "--metric", "coverage"]

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
STATEMENTS = {
    "trigger": f"CREATE TRIGGER t AFTER INSERT ON block BEGIN INSERT INTO cell(key) {ENDLESS} SELECT x FROM c; END",
    "view": f"CREATE VIEW v AS {ENDLESS} SELECT x FROM c",
    "expression": "CREATE INDEX i ON block(abs(runs))",
    "table": "CREATE TABLE mine(a)",
    "dropped": "DROP TABLE session",
    "foreign": "PRAGMA application_id = 7",
    "later": "PRAGMA user_version = 99",
    "number": "UPDATE block SET content = randomblob(length(content))",
    "negative": "UPDATE block SET first = -1 WHERE id = (SELECT max(id) FROM block)",
    "huge": "UPDATE cell SET agent = printf('%.*c', 500000, 'x') WHERE id = 1",
}


def change(path, what):
    db = sqlite3.connect(path)
    if isinstance(what, str):
        db.execute(what)
        db.commit()
    else:
        change_cell(db, **what)
    db.close()


def main(farsight, folder):
    store, bad = folder / "results.db", folder / "bad"
    subprocess.run([farsight, *RUN, "--store", store], check=True, stdout=subprocess.DEVNULL)
    bad.mkdir()

    def copy(name):
        return pathlib.Path(shutil.copy(store, bad / f"{name}.db"))

    for name, sql in STATEMENTS.items():
        change(copy(name), sql)
    make_maze(copy("maze"), "block")
    change(copy("long"), {"agent": "x" * 4097})
    data = store.read_bytes()
    for name, content in {"empty": b"", "short": data[:50], "text": b"no database at all\n" * 20, "header": data[:100],
                          "cut": data[:-4096], "half": data[:len(data) // 2], "100% #1?": b"%"}.items():
        (bad / f"{name}.db").write_bytes(content)


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
