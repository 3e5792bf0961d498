"""A store as version 1.0 wrote it: format 1, numerics 2, no labels."""
import hashlib
import sqlite3
import struct

from hostile_store import change_cell, text

TEXTS = ("name", "version", "compiler", "machine", "command", "started", "last")


def make_old(store):
    """Of a store of this version; agents whose defaults changed must have been given those of version 1.0."""
    db = sqlite3.connect(store)
    for cell, in db.execute("SELECT id FROM cell").fetchall():
        change_cell(db, cell, numerics=2)
    for session, processors, *texts in db.execute(f"SELECT id, processors, {', '.join(TEXTS)} FROM session").fetchall():
        parts = b"".join(map(text, texts)) + struct.pack("<QQ", 2, processors)
        seal, = struct.unpack("<q", hashlib.sha256(parts).digest()[:8])
        db.execute("UPDATE session SET numerics = 2, seal = ? WHERE id = ?", (seal, session))
    for table in ("snapshot", "label", "shared", "episodes"):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
