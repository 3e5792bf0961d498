#!/usr/bin/env python3
"""farsight watch: printed frames, pictures, and every key of the live view in a terminal (tmux).
usage: test_watch.py FARSIGHT

Screens are polled until they show what is expected: no time is asserted but a limit that lies between a
moment and for ever."""
import csv
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

from command import FARSIGHT, WITHOUT, needs_store
from ctrl_c import LIMIT, at_work

SOON = LIMIT
PLAIN_ENV = {**{k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")},
             "LC_ALL": "C.UTF-8"}
CURSES = "ncurses" not in WITHOUT
CHAIN = ("-e", "chain:n=5", "-a", "directed-delayed-q")


def farsight(*args, code=0, **env):
    done = subprocess.run([FARSIGHT, *args], capture_output=True, text=True, timeout=SOON, stdin=subprocess.DEVNULL,
                          env={**PLAIN_ENV, **env})
    assert done.returncode == code, (args, done.returncode, done.stderr)
    return done


def watch(*args, **more):
    return farsight("watch", "-q", *args, **more).stdout


def total_of_run(env, agent, steps, seed, replicate):
    """What farsight run has for this replicate: the mean of so many runs and one more tells it."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "x.db")
        farsight("run", "-q", "-e", env, "-a", agent, "--steps", str(steps), "--runs", str(replicate + 1), "--seed",
                 str(seed), "--store", store)
        out = farsight("store", "export", "-q", store).stdout
    rows = csv.DictReader(out.splitlines())
    return next(float(row["value"]) for row in rows if int(row["replicate"]) == replicate)


def totals(frame):
    return [float(x) for x in re.findall(r"total (-?[\d.]+)(?:\s|$)", frame, re.M)]


class Printed(unittest.TestCase):
    def test_a_pipe_gets_frames_and_an_end(self):
        out = watch(*CHAIN)
        self.assertEqual(re.findall(r"step ([\d,]+) of 10,000", out), ["2,500", "5,000", "7,500", "10,000"])
        self.assertNotIn("\033", out)
        self.assertTrue(all(len(line) <= 80 for line in out.splitlines()))
        for word in ("chain:n=5", "seed 1, replicate 0", "● directed-delayed-q", "value", "visits", "LEARN",
                     "total reward, steps 0 to 10,000", "▶"):
            self.assertIn(word, out)

    def test_the_same_every_time(self):
        args = ("-e", "frozen-lake", "-a", "q-learning", "-a", "r-max", "--at", "10,500", "--seed", "5")
        self.assertEqual(watch(*args), watch(*args))

    def test_frames_do_not_depend_on_those_before(self):
        many = watch(*CHAIN, "--at", "3,40,900", "--steps", "1000").split("━" * 80)[-1].strip("\n")
        self.assertEqual(many, watch(*CHAIN, "--at", "900", "--steps", "1000").strip("\n"))

    @needs_store
    def test_totals_are_those_of_run(self):
        env, agents = "riverswim", ("delayed-q", "psrl")
        out = watch("-e", env, "-a", agents[0], "-a", agents[1], "--steps", "700", "--seed", "9", "--replicate", "2",
                    "--at", "700", "--size", "100x40")
        expected = [total_of_run(env, agent, 700, 9, 2) for agent in agents]
        self.assertEqual([f"{x:.3f}" for x in totals(out)], [f"{x:.3f}" for x in expected])
        self.assertIn(f"difference {expected[0] - expected[1]:+.3f}", out)

    def test_visits_add_up(self):
        out = watch("-e", "chain:n=4", "-a", "random", "--at", "777", "--show", "visits")
        rows = re.findall(r"^ [ ▶](\d+) +(\d+) +(\d+) ", out, re.M)
        self.assertEqual(sum(int(a) + int(b) for _, a, b in rows), 777, out)

    def test_quantities(self):
        for word, title in (("value", "value: Q + bonus"), ("q", "Q of the best"), ("bonus", "bonus, the"),
                            ("e", "E, the"), ("learn", "LEARN: share"), ("visits", "visits"), ("policy", "policy: pro")):
            self.assertIn("── " + title, watch(*CHAIN, "--at", "50", "--show", word, "--size", "100x30"))
        self.assertIn("E: this agent has none", watch("-e", "chain:n=5", "-a", "random", "--at", "5", "--show", "e"))

    def test_a_grid_is_a_grid(self):
        out = watch("-e", "frozen-lake", "-a", "random", "--at", "0", "--size", "60x30")
        self.assertIn("[S] ", out)
        self.assertEqual(len(re.findall(r"^ +H .* [·G] ", out, re.M)), 1)
        self.assertIn("██", watch("-e", "four-rooms", "-a", "random", "--at", "0", "--show", "policy"))

    def test_only_ascii_where_the_locale_is_c(self):
        out = watch("-e", "frozen-lake", "-a", "dora", "-a", "delayed-q", "--at", "500", LC_ALL="C")
        self.assertTrue(out.isascii())
        self.assertIn("total reward", out)

    def test_sizes(self):
        for size in ("40x12", "44x60", "78x12", "200x70"):
            columns, rows = map(int, size.split("x"))
            for env in ("chain:n=200", "taxi", "sixarms", "garnet:states=300,actions=30"):
                out = watch("-e", env, "-a", "random", "-a", "delayed-q", "--at", "20", "--size", size)
                self.assertLessEqual(len(out.splitlines()), rows)
                self.assertLessEqual(max(map(len, out.splitlines())), columns)
        self.assertIn("too small", watch(*CHAIN, "--at", "1", COLUMNS="30"))
        self.assertEqual(max(map(len, watch(*CHAIN, "--at", "1", COLUMNS="66").splitlines())), 66)

    def test_many_states(self):
        out = watch("-e", "chain:n=1e5", "-a", "delayed-q", "--at", "100", "--steps", "200")
        self.assertRegex(out, r"  0–\d+ of 0–99,999 ")

    def test_the_range_names_the_states_of_its_rows(self):
        for env in ("chain:n=50", "garnet:states=99,actions=2,seed=1"):
            out = watch("-e", env, "-a", "random", "--at", "40", "--seed", "3", "--size", "100x40", "--show", "q")
            first, last = re.search(r" ([\d,]+)–([\d,]+) of ", out).groups()
            rows = re.findall(r"^ [ ▶](\d+) ", out[out.index("\n  state "):], re.M)
            self.assertEqual((rows[0], rows[-1]), (first, last), out)

    def test_names_are_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.mdp")
            with open(path, "w", encoding="utf-8") as f:
                f.write("discount: 0.9\nvalues: reward\nstates: a&b 中文字 x\nactions: <g> go\nT: * : * uniform\n"
                        "R: * : * : x 1\nstart: uniform\n")
            env = f"file:{path}"
            out = watch("-e", env, "-a", "random", "--at", "20")
            self.assertIn("中文", out)
            picture = watch("-e", env, "-a", "random", "--at", "20", "-o", "-")
            self.assertIn("a&amp;b", picture)
            ElementTree.fromstring(picture)

    def test_errors(self):
        for args, words in (
                (("-e", "chain:n=5"), "no agent is given"),
                (("-a", "random"), "no environment is given"),
                (("-e", "chain", "-e", "loop", "-a", "random"), "one environment"),
                (("-e", "chain", "-a", "random", "-a", "random", "-a", "random"), "at most two agents"),
                ((*CHAIN, "--at", "5,3"), "ascending steps from 0 to 10,000"),
                ((*CHAIN, "--at", "5,"), "ascending"),
                ((*CHAIN, "--at", "10001"), "ascending"),
                ((*CHAIN, "--at", "1", "--frames", "2"), "give one"),
                ((*CHAIN, "--show", "x"), "must be value, q,"),
                ((*CHAIN, "--size", "10x10"), "from 40x12"),
                ((*CHAIN, "--theme", "x", "--at", "1"), "auto, light or dark"),
                ((*CHAIN, "-o", "x.svg"), "--at 1000"),
                ((*CHAIN, "--at", "1,2", "-o", "x.svg"), "one frame"),
                ((*CHAIN, "--at", "1", "-o", "x.png"), "must end in .svg"),
                (("-e", "chain:n=x", "-a", "random"), "\n  chain:n=x\n          ^"),
                (("-e", "chain", "-a", "randon"), "did you mean 'random'"),
                (("-e", "chain", "-a", "random", "-a", "q-learning:alpha=2"), "^")):
            err = farsight("watch", *args, code=2).stderr
            self.assertIn(words, err, args)
        self.assertIn("cannot write", farsight("watch", *CHAIN, "--at", "1", "-o", "/nowhere/x.svg", code=1).stderr)

    def test_ctrl_c_stops_a_plan_without_end(self):
        process = subprocess.Popen([FARSIGHT, "watch", "-q", "-e", "chain:n=50", "-a",
                                    "r-max:gamma=0.99999999999", "--at", "10000"], stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True)
        at_work(process.pid)
        process.send_signal(signal.SIGINT)
        self.assertIn("stopped", process.communicate(timeout=SOON)[1])
        self.assertEqual(process.returncode, 130)


class Pictures(unittest.TestCase):
    ARGS = ("-e", "frozen-lake", "-a", "dora", "-a", "q-learning", "--at", "2000", "--size", "90x30")

    def texts(self, picture):
        return [e.text for e in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]

    def test_text_is_text_inside_of_the_frame(self):
        picture = watch(*self.ARGS, "-o", "-")
        root = ElementTree.fromstring(picture)
        width, height = float(root.get("width")), float(root.get("height"))
        self.assertIn("dora and q-learning on frozen-lake after 2000 of 10000 steps",
                      root.find("{http://www.w3.org/2000/svg}title").text)
        boxes = []
        for e in root.iter("{http://www.w3.org/2000/svg}text"):
            x, y, length = float(e.get("x")), float(e.get("y")), float(e.get("textLength"))
            self.assertTrue(0 <= x and x + length <= width and 10 <= y <= height, e.text)
            boxes.append((y, x, x + length))
        boxes.sort()
        self.assertTrue(all(a[0] != b[0] or a[2] <= b[1] for a, b in itertools.pairwise(boxes)), "texts overlap")
        self.assertIn("prefers-color-scheme:dark", picture)

    def test_it_shows_the_numbers_of_the_printed_frame(self):
        words = set(watch(*self.ARGS).split())
        seen = set(" ".join(self.texts(watch(*self.ARGS, "-o", "-"))).split())
        numbers = {w for w in words if re.fullmatch(r"-?\d+\.\d+", w)}
        self.assertGreater(len(numbers), 20)
        self.assertLessEqual(numbers, seen)

    def test_files_and_themes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.svg")
            watch(*self.ARGS, "-o", path)
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), watch(*self.ARGS, "-o", "-"))
        dark = watch(*self.ARGS, "-o", "-", "--theme", "dark")
        self.assertNotIn("prefers-color-scheme", dark)
        self.assertIn("#101418", dark)
        self.assertNotIn("#101418", watch(*self.ARGS, "-o", "-", "--theme", "light"))


TMUX = shutil.which("tmux")
SOCKET = f"farsight-{os.getpid()}"


def tmux(*args):
    done = subprocess.run([TMUX, "-u", "-L", SOCKET, "-f", "/dev/null", *args], capture_output=True, text=True,
                          env={**PLAIN_ENV, "TERM": "xterm-256color"}, timeout=SOON)
    if done.returncode != 0:
        raise AssertionError(f"tmux {args}: {done.stderr}")
    return done.stdout


class Terminal:
    """A shell in a terminal of its own, in which a command is typed."""
    count = 0

    def __init__(self, columns=80, rows=24, term="tmux-256color", **env):
        Terminal.count += 1
        self.name = f"t{Terminal.count}"
        words = " ".join(f"{k}={v}" for k, v in {"TERM": term, "PS1": "'ready> '", "ENV": "", **env}.items())
        tmux("new-session", "-d", "-s", self.name, "-x", str(columns), "-y", str(rows), f"env {words} sh")
        self.wait("ready>")

    def screen(self, *options):
        return tmux("capture-pane", "-p", "-t", self.name, *options)

    def type(self, text):
        tmux("send-keys", "-t", self.name, "-l", text)
        tmux("send-keys", "-t", self.name, "Enter")

    def keys(self, *keys):
        tmux("send-keys", "-t", self.name, *keys)

    def wait(self, pattern, *options):
        """Until the screen matches; what it shows then."""
        end = time.monotonic() + SOON
        while True:
            text = self.screen(*options)
            if re.search(pattern, text):
                return text
            if time.monotonic() > end:
                raise AssertionError(f"never saw {pattern!r} in\n{text}")
            time.sleep(0.01)

    def still(self, pattern):
        """The screen when it matches and is drawn to its end: the same twice."""
        text = self.wait(pattern)
        while text != (again := (time.sleep(0.03), self.wait(pattern))[1]):
            text = again
        return text

    def watch(self, *args, wait="q quit"):
        self.type(f"{FARSIGHT} watch -q {' '.join(args)}")
        return self.wait(wait)

    def command(self):
        """The process that the shell runs."""
        shell = tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        return int(subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True).stdout.split()[0])

    def press(self, *keys, then):
        self.keys(*keys)
        return self.wait(then)


@unittest.skipUnless(TMUX, "NO TMUX: the live view is not tested")
@unittest.skipUnless(CURSES, "built without ncurses: there is no live view")
class Live(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        subprocess.run([TMUX, "-L", SOCKET, "kill-server"], capture_output=True)

    def test_moving(self):
        t = Terminal()
        t.watch(*CHAIN, "--speed", "0", "--steps", "3000")
        self.assertIn("paused", t.wait("step 0 of 3,000"))
        t.press("s", then="step 1 of")
        t.press("Right", then="step 2 of")
        t.press("S", then="step 102 of")
        t.press("b", then="step 101 of")
        t.press("Left", then="step 100 of")
        t.press("B", then="step 0 of")
        t.press("b", then="step 0 of")
        t.press("g", then="Go to step:")
        t.press("7", "5", "6", "BSpace", then=r"Go to step: 75\s*\n")
        t.keys("Enter")
        at_75 = t.still("step 75 of")
        t.press("End", then="step 3,000 of")
        t.wait("finished")
        t.press("Home", then="step 0 of")
        t.press("g", then="Go to step:")
        t.press("x", "Enter", then="'x' is no step")
        t.press("g", then="Go to step:")
        t.keys("7", "5", "Enter")
        self.assertEqual(t.still("step 75 of"), at_75)  # by another way
        t.press("g", then="Go to step:")
        t.press("9", "Escape", then="q quit")
        t.wait("step 75 of")

    def test_numbers_are_those_of_printed_frames(self):
        t = Terminal(columns=100, rows=30)
        args = ("-e", "frozen-lake", "-a", "dora", "-a", "q-learning", "--steps", "2000")
        t.watch(*args, "--speed", "0")
        t.keys("End")
        live = t.still("step 2,000 of 2,000")
        printed = watch(*args, "--at", "2000", "--size", "100x40")
        self.assertEqual(totals(live), totals(printed))
        self.assertEqual(len(totals(live)), 2)
        self.assertEqual(re.findall(r"difference [-+\d.]+", live), re.findall(r"difference [-+\d.]+", printed))

    def test_running(self):
        t = Terminal()
        t.watch(*CHAIN, "--speed", "50", "--steps", "1e6", wait="▶ 50 steps/s")
        t.wait("step [1-9]")
        t.press("+", then="▶ 100 steps/s")
        t.press("=", then="▶ 200 steps/s")
        t.press("-", "-", "-", then="▶ 20 steps/s")
        t.press("Space", then="paused")
        before = re.search(r"step ([\d,]+) of", t.still("paused")).group(1)
        t.press("Space", then="▶ 20 steps/s")
        t.wait(rf"step (?!{before} )[\d,]+ of")
        t.press("s", then="paused")

    def test_to_the_end(self):
        t = Terminal()
        t.watch(*CHAIN, "--speed", "1000000", "--steps", "5000", wait="finished")
        t.wait("step 5,000 of 5,000")
        t.press("Space", then="finished")

    def test_updates_and_violations(self):
        t = Terminal(columns=100)
        t.watch("-e", "chain:n=6", "-a", "directed-delayed-q", "--speed", "0", "--steps", "20000")
        t.keys("u")
        text = t.still(r"update of directed-delayed-q: Q\(\d, \w+\) [\d.]+ → [\d.]+")
        before = int(re.search(r"step ([\d,]+) of", text).group(1))
        t.press("u", then=rf"step (?!{before} )\d+ of 20,000.*(?s:.)*update of")
        audit = json.loads(farsight("audit", "-q", "-e", "chain:n=6", "-a", "directed-delayed-q", "--steps", "20000",
                                    "--runs", "1", "--json", code=1 if self.violated() else 0).stdout)
        first = min(c["first"]["t"] for c in audit["claims"] if c["violated"] > 0)
        t.press("Home", then="step 0 of")
        t.press("v", then=rf"step {first:,} of 20,000(?s:.)*violated at \(\d, \w+\): ")
        for _ in audit["claims"]:
            t.keys("v")
        t.wait(r"no further violation: \d+ of \d+ claims")
        t.keys("q")

    @staticmethod
    def violated():
        done = subprocess.run([FARSIGHT, "audit", "-q", "-e", "chain:n=6", "-a", "directed-delayed-q", "--steps",
                               "20000", "--runs", "1"], capture_output=True)
        return done.returncode == 1

    def test_nothing_to_find(self):
        t = Terminal()
        t.watch("-e", "chain:n=5", "-a", "random", "--speed", "0")
        t.press("u", then="no further update")
        t.press("v", then="no claims of a proof to audit")

    def test_views(self):
        t = Terminal(columns=120, rows=40)
        t.watch(*CHAIN, "-a", "q-learning", "--speed", "0", "--show", "q")
        t.wait("── Q ─")
        for name in ("bonus", "E", "LEARN", "visits", "policy", "value"):
            t.press("Tab", then=f"── {name}:? ")
        t.press("BTab", then="── policy")
        t.press("c", then="reward per step")
        t.press("c", then="difference of the totals")
        t.press("c", then="total reward, steps")
        t.press("m", then=r"^(?!(?s:.)*state  )")
        t.press("m", then="state  ")
        t.press("m", then="state  ")
        t.press("?", then="Any key goes back")
        t.press("x", then="total reward, steps")

    def test_scrolling(self):
        t = Terminal()
        t.watch("-e", "garnet:states=99,actions=2,seed=1", "-a", "random", "--speed", "0")
        t.wait(" 0–9 of 0–98")
        t.press("Down", then=" 1–10 of")
        t.press("NPage", then=" 11–20 of")
        t.press("Up", then=" 10–19 of")
        t.press("PPage", then=" 0–9 of")
        t.press("PPage", then=" 0–9 of")
        t.press("Down", then=" 1–10 of")

    def test_resize_and_narrow(self):
        t = Terminal()
        t.watch("-e", "riverswim", "-a", "psrl", "-a", "r-max", "--speed", "0")
        self.assertRegex(t.wait("q quit"), "● psrl .*● r-max")  # side by side
        tmux("resize-window", "-t", t.name, "-x", "60", "-y", "30")
        self.assertNotRegex(t.still(r"● psrl +total 0\n"), "● psrl .*● r-max")
        tmux("resize-window", "-t", t.name, "-x", "40", "-y", "12")
        t.wait(r"(?s)● psrl.*● r-max.*total reward.*\? help  q quit\n$")
        t.keys("?")
        self.assertRegex(t.still("Any key goes"), r"(?s)space run .*q quit.*v violation")
        t.press("?", then="● psrl")
        tmux("resize-window", "-t", t.name, "-x", "30", "-y", "8")
        t.wait("too small; 40 x 12")
        tmux("resize-window", "-t", t.name, "-x", "100", "-y", "30")
        t.wait("● psrl .*● r-max")

    def test_colours(self):
        t = Terminal()
        t.watch(*CHAIN, "--speed", "0")
        t.wait("48;5;208", "-e")  # the agent's place
        bare = Terminal(NO_COLOR="1")
        bare.watch(*CHAIN, "--speed", "0")
        bare.still("q quit")
        self.assertNotRegex(bare.screen("-e"), r"\[[\d;]*[34]8;5|\[3[1-7]m")
        self.assertIn("[·]", bare.screen())
        few = Terminal(term="screen")
        few.watch(*CHAIN, "--speed", "0")
        self.assertNotIn("48;5;", few.screen("-e"))
        few.wait(r"\[3[1-7]m", "-e")
        mono = Terminal(term="vt100")
        mono.watch(*CHAIN, "--speed", "0")
        mono.still("q quit")
        self.assertNotRegex(mono.screen("-e"), r"\[3[1-7]m")

    def test_ascii_terminal(self):
        t = Terminal(LC_ALL="C")
        t.watch("-e", "frozen-lake", "-a", "dora", "--speed", "0")
        t.keys("S")
        self.assertTrue(t.still("step 100").isascii())

    def test_dumb_terminal(self):
        t = Terminal(term="dumb", rows=60)
        t.type(f"{FARSIGHT} watch {' '.join(CHAIN)} --steps 100; echo code $?")
        self.assertIn("TERM is dumb: printing 4 frames", t.wait("code 0", "-S", "-").replace("\n", ""))
        t.wait("step 100 of 100(?s:.)*code 0", "-S", "-")
        t.type(f"TERM=nonsense {FARSIGHT} watch {' '.join(CHAIN)} --frames 1 --steps 9; echo over $?")
        t.wait("step 9 of 9(?s:.)*over 0", "-S", "-")
        quiet = "ASAN_OPTIONS=detect_leaks=0"  # ncurses keeps memory of a terminal that it does not know
        t.type(f"{quiet} TERM=nonsense {FARSIGHT} watch {' '.join(CHAIN)} --steps 8; echo done $?")
        text = t.wait("step 8 of 8(?s:.)*done 0", "-S", "-").replace("\n", "")
        self.assertIn("type (TERM) is not known: printing 4 frames", text)

    def in_order(self, t):
        """The terminal is as before: cooked, with echo, and what was typed is still to be seen."""
        t.type("stty -a; echo en''d")
        text = t.wait("end\n")
        self.assertRegex(text, r"[ ^]icanon")
        self.assertRegex(text, r"[ ^]echo ")
        self.assertNotIn("q quit", text)

    def test_ways_out(self):
        t = Terminal()
        for key, code in (("q", 0), ("C-c", 130)):
            t.watch(*CHAIN, "--speed", "0", ";", "echo", "code", "$?")
            t.press(key, then=f"code {code}\n")
            self.in_order(t)
            t.type("clear")
            t.wait(r"^ready>\s*$")

    def test_terminated(self):
        t = Terminal()
        t.type(f"{FARSIGHT} watch -q {' '.join(CHAIN)} --speed 0 & echo $! > /dev/null; wait; echo over")
        t.wait("over|ready")  # in the background it may not read: nothing hangs
        t = Terminal()
        t.watch(*CHAIN, "--speed", "0", ";", "echo", "code", "$?")
        os.kill(t.command(), signal.SIGTERM)
        t.wait("code 143\n")
        self.in_order(t)

    def test_stopped_and_continued(self):
        t = Terminal()
        t.watch(*CHAIN, "--speed", "0")
        t.press("s", then="step 1 of")
        t.press("C-z", then="Stopped")
        t.type("stty -a; echo en''d")
        self.assertRegex(t.wait("end\n"), r"[ ^]icanon")
        t.type("fg")
        t.wait("step 1 of(?s:.)*q quit")
        t.press("s", then="step 2 of")
        t.press("q", then=r"fg\n.*\n.*\nready>\s*$")

    def test_ctrl_c_in_a_plan_without_end(self):
        t = Terminal()
        t.watch("-e", "chain:n=50", "-a", "r-max:gamma=0.99999999999", "--speed", "0", ";", "echo", "code", "$?")
        t.keys("End")
        at_work(t.command())
        t.press("C-c", then="stopped\ncode 130\n")
        self.in_order(t)


if __name__ == "__main__":
    if not TMUX:
        print("NO TMUX: the live view of farsight watch is not tested", file=sys.stderr)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
