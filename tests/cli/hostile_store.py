"""Changes to the file of a store that somebody could make who means harm."""
import hashlib
import sqlite3
import struct


def text(s):
    return struct.pack("<Q", len(s.encode())) + s.encode()


def key_of(env, model, agent, steps, seed, numerics):
    parts = text("farsight cell 1") + text(env) + text(model) + text(agent)
    return hashlib.sha256(parts + struct.pack("<QQQ", steps, int(seed), numerics)).hexdigest()


def seal_of(key, series, first, runs, session, seconds, content):
    parts = text(key) + text(series) + struct.pack("<QQQd", first, runs, session, seconds) + content
    return struct.unpack("<q", hashlib.sha256(parts).digest()[:8])[0]


def change_cell(db, cell=1, **changes):
    """A cell with other texts, and a key and checksums that fit them."""
    names = ("env", "model", "agent", "steps", "seed", "numerics")
    row = dict(zip(names, db.execute(f"SELECT {', '.join(names)} FROM cell WHERE id = ?", (cell,)).fetchone(), strict=True))
    row.update(changes)
    row["key"] = key_of(**row)
    db.execute(f"UPDATE cell SET {', '.join(n + ' = :' + n for n in row)} WHERE id = {cell}", row)
    blocks = db.execute("""SELECT block.id, name, first, runs, session, seconds, content FROM block
                           JOIN series ON series.id = series WHERE cell = ?""", (cell,)).fetchall()
    for block in blocks:
        db.execute("UPDATE block SET seal = ? WHERE id = ?", (seal_of(row["key"], *block[1:]), block[0]))
    db.commit()


def make_maze(store, table):
    """Pages of the table's tree that all point to the same next one: more rows than atoms."""
    db = sqlite3.connect(store)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size, = db.execute("PRAGMA page_size").fetchone()
    pages, = db.execute("PRAGMA page_count").fetchone()
    root, = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (pages + 1, table))
    db.commit()
    db.close()
    data = bytearray(store.read_bytes())
    for depth in range(12):
        child = root if depth == 11 else pages + depth + 2
        n = 300
        page = bytearray(size)
        page[0:12] = struct.pack(">BHHHBI", 5, 0, n, size - 5 * n, 0, child)
        for i in range(n):
            page[12 + 2 * i:14 + 2 * i] = struct.pack(">H", size - 5 * (i + 1))
            page[size - 5 * (i + 1):size - 5 * i] = struct.pack(">IB", child, 1)
        data += page
    data[28:32] = struct.pack(">I", len(data) // size)
    store.write_bytes(data)
