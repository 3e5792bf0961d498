#!/usr/bin/env python3
"""What strangers may not do (docs/security.md): limits, programs, texts, files, the network.
usage: test_security.py FARSIGHT"""
import json
import os
import pathlib
import re
import resource
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import unittest

from command import FARSIGHT, NO_STORE, VERSION, WITHOUT, InFolder, farsight, needs_store, needs_study_files
from ctrl_c import EMULATED
from hostile_store import change_cell

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUN = ["run", "-q", "-e", "chain:n=5", "-a", "q-learning", "--steps", "30", "--runs", "5"]


# ---- limits ----

class Limits(InFolder):
    def test_every_command_takes_them(self):
        text = farsight("--help").stdout
        names = re.findall(r"^  ([a-z]+) {2,}", text, re.M)
        self.assertGreater(len(names), 20)
        for name in names:
            words = farsight(name, "--help").stdout
            self.assertIn("--max-memory SIZE", words)
            self.assertIn("--max-states N", words)

    def test_states(self):
        """Refused wherever a model or an agent is made, with the number, the limit and the option."""
        model = self.path / "m.json"
        farsight("convert", "chain:n=100", model)
        for args in (["run", "-e", "chain:n=100", "-a", "q-learning"], ["run", "-e", f"file:{model}", "-a", "q-learning"],
                     ["compare", "-e", "chain:n=100"], ["growth", "-e", "chain", "-a", "r-max", "--sizes", "100,200"],
                     ["tune", "-e", "chain:n=100", "-a", "q-learning:epsilon=[0.1..0.2]"],
                     ["solve", "-e", "chain:n=100"], ["audit", "-e", "chain:n=100", "-a", "r-max"],
                     ["pac", "r-max", "-e", "chain:n=100"], ["convert", "chain:n=100", self.path / "n.json"],
                     ["watch", "-e", "chain:n=100", "-a", "r-max"], ["env", "chain:n=100"],
                     ["plot", "policy", "-e", "chain:n=100", "-a", "r-max"], ["web", "--link", "-e", "chain:n=100"]):
            with self.subTest(args=args):
                done = subprocess.run([FARSIGHT, *map(str, args), "--max-states", "99"], capture_output=True, text=True,
                                      timeout=100, stdin=subprocess.DEVNULL)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn("a model of 100 states: the limit is 99 (--max-states)", done.stderr)
        self.says("an agent of 100 states: the limit is 99 (--max-states)", "agent", "r-max", "--states", "100", "--actions",
                  "2", "--max-states", "99", code=2)
        farsight("solve", "-e", "chain:n=99", "--max-states", "99")

    def test_memory(self):
        """Refused before it is allocated: the process never has more."""
        for args, need in ((["solve", "-e", "chain:n=2000000"], "a model of 2000000 states, 2 actions and 8e"),
                           (["agent", "q-learning", "--states", "1e6", "--actions", "16"], "1000000 states x 16 actions"),
                           (["run", "-e", "chain", "-a", "r-max", "--runs", "1e8"], "a batch of 1e+08 results")):
            with self.subTest(args=args):
                done = self.says(need, *args, "--max-memory", "100M")
                self.assertRegex(done.stderr, r"needs about \d+ bytes \([\d.e+]+ GB\); of the limit of 0\.105 GB "
                                              r"\(--max-memory\) 0\.\d+ GB are left")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 400 << 10)
        farsight(*RUN, "--max-memory", "100M")

    def test_what_takes_long_is_said_before(self):
        """Of a model that takes seconds to build: memory and time, before it is built (here it is refused then)."""
        large = ("run", "-e", "chain:n=1e8", "-a", "q-learning", "--max-memory", "100M")
        lines = self.says("needs about", *large).stderr.splitlines()
        self.assertIn("chain:n=1e8: building this model of 4e+08 outcomes takes about 14 GB of memory and 40 s", lines[0])
        self.assertNotIn("building", self.says("needs about", *large, "-q").stderr)
        self.assertNotIn("building", farsight(*RUN).stderr)

    def test_large_file(self):
        with open(self.path / "x.json", "wb") as f:
            f.truncate(300 << 20)
        self.says("x.json' needs about 314572800 bytes", "solve", "-e", f"file:{self.path}/x.json", "--max-memory", "100M")

    def test_files_cannot_raise_them(self):
        for key in "max-states", "max_states", "max-memory", "limits":
            study = self.file("s.yaml", f"environments: ['chain:n=100']\nagents: [q-learning]\n{key}: 1000000\n")
            done = subprocess.run([FARSIGHT, "run", str(study), "--max-states", "9"], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertTrue("unknown key" in done.stderr or "without" in done.stderr, done.stderr)

    def test_usage(self):
        for option, value in (("max-memory", "0"), ("max-memory", "x"), ("max-memory", "4GB"), ("max-memory", "-1M"),
                              ("max-memory", ""), ("max-states", "0"), ("max-states", "1.5"), ("max-states", "x")):
            self.says(f"--{option} '{value}': must be", "solve", "-e", "chain", f"--{option}", value, code=2)

    @unittest.skipUnless(sys.platform == "linux" and "libclang_rt" not in VERSION, "no limit of data")
    def test_net(self):
        """What nobody announces is caught by the system: here the limit as a program sees it that the command starts."""
        program = self.file("agent.py", "import resource, sys, json\nfor line in sys.stdin:\n"
                            f"  open({str(self.path / 'limit')!r}, 'w').write(str(resource.getrlimit(resource.RLIMIT_DATA)[0]))\n"
                            "  print(json.dumps({'action': 0}), flush=True)\n")
        farsight(*RUN[:4], "-a", f"process:{sys.executable} {program}", "--steps", "2", "--runs", "1", "--max-memory", "600M")
        limit = int((self.path / "limit").read_text())
        if limit == -1:
            self.skipTest("this build has no net: a sanitizer's own memory counts")
        self.assertGreaterEqual(limit, 600 << 20)
        self.assertLess(limit, 1 << 40)


# ---- programs ----

@needs_study_files
class Programs(InFolder):
    """A study from a stranger starts no program, unless the user says so."""
    def setUp(self):
        super().setUp()
        self.study = self.file("s.yaml", f"environments: [chain]\nagents:\n  - process: touch {self.path}/ran; cat\n"
                               "  - q-learning\nsteps: 20\nruns: 2\n")

    def ran(self):
        mark = self.path / "ran"
        there = mark.exists()
        mark.unlink(missing_ok=True)
        return there

    def test_needs_consent(self):
        done = self.says("would start a program, 'process:touch ", "run", self.study, code=2)
        self.assertIn("--process all allows it", done.stderr)
        self.says("would start a program", "run", self.study, "--process", "typed", code=2)
        self.says("--process none allows none", "run", self.study, "--process", "none", code=2)
        self.assertFalse(self.ran())
        self.says("without a number 'action'", "run", self.study, "--process", "all")
        self.assertTrue(self.ran())

    def test_names_need_consent_too(self):
        program = f"process:touch {self.path}/ran; cat"
        for agents in (f"  - 'mine={program}'", f"  - mine: '{program}'", f"  mine: '{program}'",
                       f"  mine: {{process: touch {self.path}/ran; cat}}"):
            study = self.file("named.yaml", f"environments: [chain]\nagents:\n{agents}\nsteps: 20\nruns: 2\n")
            self.says("would start a program, 'process:touch ", "run", study, code=2)
            self.assertFalse(self.ran())

    def test_dry_run_starts_nothing(self):
        for process in [], ["--process", "all"]:
            done = farsight("run", self.study, "--dry-run", *process)
            self.assertIn("process:touch", done.stdout)
            self.assertFalse(self.ran())
        farsight("run", "-e", "chain", "-a", f"process:touch {self.path}/ran; cat", "--dry-run")
        farsight("run", self.study, "--save-study", self.path / "copy.yaml")
        self.assertFalse(self.ran())

    def test_typed(self):
        """What is typed needs no consent, and replaces what the file has; none refuses it."""
        agent = f"process:touch {self.path}/ran; cat"
        self.says("without a number 'action'", "run", self.study, "-a", agent)
        self.assertTrue(self.ran())
        farsight("run", self.study, "-a", "q-learning", "--process", "none")
        for args in ["run", "-e", "chain"], ["benchmark"]:
            self.says("--process none allows none", *args, "-a", agent, "--process", "none", code=2)
            self.says("--process none allows none", *args, "-a", f"mine={agent}", "--process", "none", code=2)
            self.says("must be none, typed or all", *args, "-a", agent, "--process", "yes", code=2)
        self.assertFalse(self.ran())

    def test_other_commands_have_no_programs(self):
        for args in (["growth", self.study], ["compare", "-e", "chain", "-a", "process:cat"], ["tune", self.study],
                     ["audit", "-e", "chain", "-a", "process:cat"], ["watch", "-e", "chain", "-a", "process:cat"],
                     ["plot", "policy", "-e", "chain", "-a", "process:cat"]):
            done = subprocess.run([FARSIGHT, *map(str, args)], capture_output=True, text=True, timeout=100)
            self.assertNotEqual(done.returncode, 0, args)
            self.assertFalse(self.ran())


class Inherited(InFolder):
    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "no list of open files")
    def test_files(self):
        """A program gets its three standard files, and none of the store's or of another program's."""
        program = self.file("agent.py", "import json, os, sys\nfor line in sys.stdin:\n"
                            "  if 'hello' in line:\n"
                            f"    open({str(self.path)!r} + '/fds-%d' % os.getpid(), 'w').write(' '.join(\n"
                            "      fd for fd in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + fd)))\n"
                            "  print(json.dumps({'action': 0}), flush=True)\n")
        store = [] if NO_STORE else ["--store", self.path / "s.db"]
        farsight(*RUN[:4], "-a", f"process:{sys.executable} {program}", "--steps", "9", "--runs", "4", "--threads", "3", *store)
        seen = [p.read_text().split() for p in self.path.glob("fds-*")]
        self.assertGreaterEqual(len(seen), 1)
        for fds in seen:
            self.assertEqual(sorted(set(fds) - {"3"}), ["0", "1", "2"])  # 3: the list itself


# ---- texts ----

ESCAPES = "x\x1b]0;t\x07\x1b[31mred\x9b2J\u202eabc<script>alert(1)</script>\n\tq"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@needs_store
class Texts(InFolder):
    def setUp(self):
        super().setUp()
        self.store = self.path / "s.db"
        farsight("run", "-q", "-e", "chain:n=5", "-a", "q-learning", "-a", "r-max", "--steps", "30", "--runs", "5",
                 "--curve", "5", "--store", self.store)
        db = sqlite3.connect(self.store)
        change_cell(db, agent=ESCAPES, env="e" + ESCAPES)
        db.execute("UPDATE session SET command = ?, machine = ?, version = ?, compiler = ?", (ESCAPES,) * 4)
        db.commit()
        db.close()

    def check(self, text):
        self.assertIn("red", text)
        self.assertIsNone(OBEYED.search(text), repr(text[:3000]))

    def test_for_people(self):
        for args in (["stats"], ["stats", "--format", "markdown"], ["stats", "--format", "latex"], ["store", "info"],
                     ["stats", "--json"], ["store", "info", "--json"], ["watch", "--once"]):
            with self.subTest(args=args):
                at = 2 if args[0] == "store" else 1
                done = farsight(*args[:at], self.store, *args[at:])
                self.check(done.stdout)
                self.assertIsNone(OBEYED.search(done.stderr))

    def test_markdown_is_no_html(self):
        db = sqlite3.connect(self.store)
        change_cell(db, agent="<script>red", env="<b>")
        with db:
            db.execute("UPDATE label SET agent = '<script>blue', env = '<i>' WHERE agent <> 'q-learning'")
        db.close()
        out = farsight("stats", self.store, "--format", "markdown").stdout
        self.assertIn(r"\<script>blue", out)
        prose = [line for line in out.splitlines() if not line.startswith("    ")]  # an indent makes code
        self.assertNotRegex("\n".join(prose), r"(?<!\\)<script")

    def test_pages_and_figures(self):
        for name, args in (("r.html", ["report", self.store]), ("c.svg", ["plot", "curves", self.store]),
                           ("w.svg", ["watch", self.store, "--once"])):
            farsight(*args, "-o", self.path / name)
            text = (self.path / name).read_text()
            self.check(text)
            self.assertNotIn("<script>alert", text)

    def test_messages(self):
        model = self.path / "\x1b[31mred\x9b.json"
        model.write_text("[")
        done = farsight("solve", "-e", f"file:{model}", code=1)
        self.check(done.stderr)
        for spec in "chain:\x1b[31mred=1", "\x1b[31mred":
            self.check(farsight("solve", "-e", spec, code=2).stderr)

    def test_quoted_line_of_a_study(self):
        study = self.path / "s.yaml"
        study.write_text("red\u202eder\n")
        out = farsight("run", study, "--dry-run", code=2).stderr
        self.check(out)
        self.assertIn("\n  red?der\n  ^\n", out)


# ---- stores ----

@needs_store
class Journals(InFolder):
    """SQLite obeys a journal beside a file before anything of the file can be checked."""
    MARK = bytes.fromhex("d9d505f920a163d7")

    def setUp(self):
        super().setUp()
        self.store = self.path / "s.db"
        farsight(*RUN, "--store", self.store)
        self.journal = self.path / "s.db-journal"
        self.commands = (["stats", self.store], ["store", "info", self.store], ["store", "check", self.store],
                         ["store", "merge", self.path / "new.db", self.store], [*RUN, "--runs", "9", "--store", self.store],
                         ["report", self.store], ["plot", "intervals", self.store])

    def head(self):
        data = self.store.read_bytes()
        page, = struct.unpack(">H", data[16:18])
        return (self.MARK + struct.pack(">IIIII", 0, 1, len(data) // page, 512, page)).ljust(512, b"\0"), page

    def test_name_of_another_file(self):
        """A journal of several databases ends with the name of a file, which is deleted when it has been undone."""
        victim = self.file("victim", "important")
        name = str(victim).encode()
        head, page = self.head()
        tail = struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">II", len(name), sum(name)) + self.MARK
        before = self.store.read_bytes()
        for args in self.commands:
            self.journal.write_bytes(head + tail)
            self.says("names a file that would be deleted", *args)
            self.assertEqual(victim.read_text(), "important")
            self.assertEqual(self.store.read_bytes(), before)
        self.journal.unlink()
        sqlite3.connect(self.store).execute("SELECT 1").close()
        farsight("store", "check", self.store)

    def test_plain_journal(self):
        """One without such a name, as a killed process leaves it, is undone as ever."""
        self.journal.write_bytes(self.head()[0])
        farsight("stats", self.store)
        farsight("store", "check", self.store)

    def test_pipe(self):
        os.mkfifo(self.journal)
        for args in self.commands:
            self.says("it is not a regular file", *args)

    def test_log_of_nonsense(self):
        (self.path / "s.db-wal").write_bytes(os.urandom(5000))
        farsight("stats", self.store)
        farsight("store", "check", self.store)


@needs_store
class Schemas(InFolder):
    def rebuilt(self, change):
        """The store with its schema written anew, as no SQL would: by a writable sqlite_master."""
        store = self.path / "s.db"
        store.unlink(missing_ok=True)
        farsight(*RUN, "--store", store)
        db = sqlite3.connect(store, isolation_level=None)
        db.execute("PRAGMA writable_schema = ON")
        change(db)
        db.close()
        return store

    def test_definitions(self):
        """A view or a virtual table in place of a table, constraints that compute, columns that are generated."""
        for table, old, new in (("block", "runs INTEGER NOT NULL,", "runs INTEGER NOT NULL CHECK (runs > abs(random())),"),
                                ("block", "seconds REAL NOT NULL", "seconds REAL NOT NULL DEFAULT (zeroblob(1000000000))"),
                                ("cell", "steps INTEGER NOT NULL", "steps INTEGER AS (numerics + 1)"),
                                ("series", "name TEXT NOT NULL", "name TEXT COLLATE nothing NOT NULL"),
                                ("session", "CREATE TABLE", "CREATE  TABLE")):
            with self.subTest(new=new):
                store = self.rebuilt(lambda db: db.execute(
                    "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?", (old, new, table)))
                for command in ["stats"], ["store", "check"], [*RUN, "--store"]:
                    self.assertRegex(farsight(*command, store, code=1).stderr, "damaged|not laid out as a store")

    def test_types(self):
        for sql in ("UPDATE sqlite_master SET type = 'view', sql = 'CREATE VIEW cell AS SELECT * FROM cell' WHERE name = 'cell'",
                    "UPDATE sqlite_master SET rootpage = 99999999 WHERE name = 'block'",
                    "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'block'",
                    "DELETE FROM sqlite_master WHERE name = 'series'"):
            with self.subTest(sql=sql):
                store = self.rebuilt(lambda db: db.execute(sql))
                for command in ["store", "check"], [*RUN, "--runs", "9", "--store"]:
                    done = farsight(*command, store, code=1)
                    self.assertRegex(done.stdout + done.stderr, "damaged|not laid out as a store|wrong")
        store = self.rebuilt(lambda db: db.execute("UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM "
                                                   "sqlite_master WHERE name = 'cell') WHERE name = 'session'"))
        self.assertIn("wrong", farsight("store", "check", store, code=1).stdout)

    def test_counts(self):
        """Numbers of rows and columns that no content stands behind are damage, and no memory is taken for them."""
        for sql in ("UPDATE block SET runs = 9223372036854775807", "UPDATE block SET runs = 4611686018427387904",
                    "UPDATE series SET width = 1152921504606846976", "UPDATE series SET width = -1",
                    "UPDATE block SET content = zeroblob(100000000)", "UPDATE block SET content = x''"):
            with self.subTest(sql=sql):
                store = self.path / "s.db"
                store.unlink(missing_ok=True)
                farsight(*RUN, "--store", store)
                db = sqlite3.connect(store)
                db.execute(sql)
                db.commit()
                db.close()
                for command in ["stats"], ["store", "check"], ["store", "export"]:
                    done = farsight(*command, store, "--max-memory", "400M", code=1)
                    self.assertRegex(done.stdout + done.stderr, "damaged|wrong|not laid out as a store")


# ---- studies and models ----

class Bombs(InFolder):
    """Small files that would become large: each is refused at once, within 400 MB."""
    STUDIES = {
        "anchors (&name) are not understood": "a: &a [x, x]\nb: &b [*a, *a]\nenvironments: [chain]\nagents: *b\n",
        "tags (!name) are not understood": "environments: !!python/object/apply:os.system [x]\nagents: [r-max]\n",
        "nested deeper than a study needs": "environments: " + "[" * 100000,
        "a study file has at most 1048576 bytes": "environments: [" + "c" * 2000000 + "]\n",
        "at most 100000 are possible": "environments: ['chain:n=[2..1000000]']\nagents: [r-max]\n",
        "at most 1000000 are possible": "environments: ['chain:n=[2..90000]']\nagents: ['q-learning:epsilon=[0..1 step 1e-4]']\n",
        "must be a number in [0, 1]": "environments: [{chain: {slip: .nan}}]\nagents: [r-max]\n",
        "the key is given twice": "environments: [chain]\nenvironments: [loop]\nagents: [r-max]\n",
        "is not a regular file": "environments: ['grid:map=@/dev/zero']\nagents: [r-max]\n",
    }
    MODELS = {
        "x.json": ("[" * 3000000, "expected"),
        "y.json": ('{"P":' * 1000000, "expected"),
        "x.drn": ("@type: MDP\n@value_type: double\n@parameters\n\n@reward_models\nreward\n@nr_states\n"
                  "18446744073709551615\n@nr_choices\n9\n@model\nstate 0\n", "expected the number of states"),
        "x.mdp": ("discount: 0.9\nvalues: reward\nstates: 4000000000\nactions: 4000000000\n", "must be from 1 to 4194304"),
        "y.mdp": ("discount: 0.9\nvalues: reward\nstates: 60000\nactions: 60\nT: *\nuniform\n", "more than the 4194304 outcomes"),
        "z.mdp": ("discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nT: *\nidentity\nR: * : * : * : * nan\n", "found 'nan'"),
    }

    @needs_study_files
    def test_studies(self):
        for why, text in self.STUDIES.items():
            with self.subTest(why=why):
                study = self.file("s.yaml", text)
                done = subprocess.run([FARSIGHT, "run", str(study), "--max-memory", "400M"], capture_output=True, text=True,
                                      timeout=100)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(why, done.stderr)

    def test_models(self):
        for name, (text, why) in self.MODELS.items():
            with self.subTest(name=name):
                self.says(why, "solve", "-e", f"file:{self.file(name, text)}", "--max-memory", "400M")


# ---- files that are written ----

class Modes(InFolder):
    def write_all(self, folder, mask):
        """Every kind of file that a command writes."""
        def run(*args):
            farsight(*args, preexec_fn=lambda: os.umask(mask))
        run("convert", "chain:n=5", folder / "m.json")
        run("plot", "policy", "-e", "chain:n=5", "-a", "r-max", "-o", folder / "p.svg")
        run("watch", "-e", "chain:n=5", "-a", "r-max", "--at", "10", "-o", folder / "w.svg")
        farsight("agent", "r-max", "--states", "2", "--actions", "2", "-q", input=json.dumps({"save": str(folder / "a.far")}),
                 stdin=None, preexec_fn=lambda: os.umask(mask))
        if "libyaml" not in WITHOUT:
            run("run", "-e", "chain", "-a", "r-max", "--save-study", folder / "s.yaml")
        if not NO_STORE:
            run(*RUN, "--store", folder / "s.db")
            run("store", "export", folder / "s.db", "-o", folder / "x.csv")
            run("report", folder / "s.db", "-o", folder / "r.html")

    def test_umask(self):
        for mask in 0o077, 0o022:
            folder = self.path / str(mask)
            folder.mkdir()
            self.write_all(folder, mask)
            modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in folder.iterdir()}
            expected = 0o666 & ~mask
            if expected == 0o666 & ~0o022:
                self.assertEqual(set(modes.values()), {0o644}, modes)
            else:
                self.assertEqual(set(modes.values()), {0o600}, modes)
            self.assertFalse([name for name in modes if name.endswith(".new")], modes)

    def test_kept_modes(self):
        """A file that is replaced keeps its mode: what only its owner could read stays so."""
        folder = self.path / "kept"
        folder.mkdir()
        self.write_all(folder, 0o022)
        for path in folder.iterdir():
            path.chmod(0o600)
        self.write_all(folder, 0o022)
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in folder.iterdir()}
        self.assertEqual(set(modes.values()), {0o600}, modes)

    def test_planted_links(self):
        """The name of a file under way can be guessed; one that is there already is neither written to nor followed."""
        victim = self.file("victim", "important")
        outputs = {"m.json": ["convert", "chain:n=5"], "p.svg": ["plot", "policy", "-e", "chain:n=5", "-a", "r-max", "-o"]}
        if not NO_STORE:
            farsight(*RUN, "--store", self.path / "s.db")
            outputs["x.csv"] = ["store", "export", self.path / "s.db", "-o"]
        for name, args in outputs.items():
            for suffix in (".0.new", ".new", ".tmp", "~"):
                (self.path / (name + suffix)).symlink_to(victim)
            farsight(*args, self.path / name)
            self.assertGreater((self.path / name).stat().st_size, 20)
            self.assertFalse((self.path / name).is_symlink())
            self.assertEqual(victim.read_text(), "important")

    def test_nothing_elsewhere(self):
        """No temporary files, in the shared folder or in the current one."""
        tmp, here, out = (self.path / name for name in ("tmp", "here", "out"))
        for folder in tmp, here, out:
            folder.mkdir()
        env = dict(os.environ, TMPDIR=str(tmp))
        farsight("plot", "policy", "-e", "chain:n=5", "-a", "r-max", "-o", out / "p.svg", cwd=here, env=env)
        if not NO_STORE:
            farsight(*RUN, "--store", out / "s.db", cwd=here, env=env)
            farsight("stats", out / "s.db", cwd=here, env=env)
            farsight("report", out / "s.db", "-o", out / "r.html", cwd=here, env=env)
        self.assertEqual([*tmp.iterdir(), *here.iterdir()], [])


# ---- the network ----

class Network(InFolder):
    """Nothing but 'farsight web' has anything to do with the network, and that listens on loopback alone."""
    def test_sources(self):
        headers = re.compile(r"#include <(sys/socket|netinet/\w+|arpa/\w+|netdb|sys/un|curl/\w+|openssl/\w+)\.h>")
        found = [str(path.relative_to(ROOT)) for folder in ("src", "cli", "bench", "python", "ports")
                 for path in sorted((ROOT / folder).rglob("*.[ch]")) if headers.search(path.read_text())]
        self.assertEqual(found, ["src/web/server.c"])
        server = (ROOT / "src/web/server.c").read_text()
        self.assertIn("htonl(INADDR_LOOPBACK)", server)
        self.assertNotRegex(server, r"INADDR_ANY|in6addr|\bconnect\s*\(")

    @unittest.skipUnless(shutil.which("nm"), "no nm")
    @unittest.skipIf(EMULATED, "the command is a script")
    def test_symbols(self):
        """The command itself can listen, and cannot connect to anybody."""
        out = subprocess.run(["nm", "-D", "--undefined-only", FARSIGHT], capture_output=True, text=True, check=True).stdout
        names = {line.split()[-1].partition("@")[0] for line in out.splitlines() if line.strip()}
        self.assertIn("socket", names)
        self.assertEqual(names & {"connect", "getaddrinfo", "gethostbyname", "gethostbyname_r", "sendto", "sendmsg",
                                  "res_query"}, set())

    def test_without_one(self):
        """Every command works where there is no network at all, not even loopback."""
        alone = ["unshare", "--user", "--map-root-user", "--net"]
        if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True).returncode != 0:
            self.skipTest("NOT TESTED: the network cannot be taken away here")
        commands = [RUN, ["solve", "-e", "chain:n=5"], ["plot", "policy", "-e", "chain:n=5", "-a", "r-max"], ["list", "agents"]]
        if not NO_STORE:
            store = self.path / "s.db"
            commands += [[*RUN, "--store", store], ["stats", store], ["report", store, "-o", self.path / "r.html"]]
        for args in commands:
            done = subprocess.run([*alone, FARSIGHT, *map(str, args)], capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 0, (args, done.stderr))


# ---- dependencies ----

class Dependencies(unittest.TestCase):
    def test_list(self):
        listed = {d["name"]: d for d in json.loads(farsight("list", "dependencies", "--json").stdout)}
        for name in "SQLite", "libyaml", "NLopt", "MPI", "ncurses", "CUDA":
            absent = re.search(rf"\b{name}\b", WITHOUT) is not None
            self.assertEqual(listed[name]["built"] is None, absent, name)
            self.assertTrue(listed[name]["licence"] and listed[name]["use"])
            if not absent and name != "CUDA":
                self.assertRegex(listed[name]["built"], r"\d+\.\d+")
                self.assertRegex(listed[name]["running"], r"\d+\.\d+")
        text = farsight("list", "dependencies").stdout
        self.assertTrue(all(name in text for name in listed))
        self.assertIn("without a name", farsight("list", "dependencies", "SQLite", code=2).stderr)

    def test_lock_files(self):
        rows = subprocess.run([sys.executable, ROOT / "scripts" / "licences"], capture_output=True, text=True, check=True).stdout
        listed = {tuple(re.split("  +", row)[::3]): re.split("  +", row) for row in rows.splitlines()}
        lock = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]["node_modules/preact"]
        self.assertEqual(listed["preact", "web/package-lock.json"][1:3], [lock["version"], "MIT"])
        self.assertIn(("numpy", "python/requirements-test.txt"), listed)
        self.assertFalse([row for row in listed.values() if len(row) != 4])


if __name__ == "__main__":
    unittest.main()
