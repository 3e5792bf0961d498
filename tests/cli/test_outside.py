#!/usr/bin/env python3
"""Agents and worlds of others: `farsight agent` and `farsight env` as processes that meet, what they record,
and outside programs as agents of `run`. usage: test_outside.py FARSIGHT"""
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from command import FARSIGHT, farsight, needs_store, needs_study_files
from ctrl_c import LIMIT, wait_until

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def ask(lines, *args, code=0):
    """Feeds lines to a command that serves; its answers."""
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    return [json.loads(line) for line in farsight(*args, text=text, code=code).stdout.splitlines()]


def exported(store):
    """{(agent, series, step, replicate): value as text}"""
    rows = csv.DictReader(io.StringIO(farsight("store", "export", store).stdout))
    return {(r["agent"].split(":")[0], r["series"], r["step"], int(r["replicate"])): r["value"] for r in rows}


class Served:
    """A process that answers line by line."""

    def __init__(self, *args):
        self.process = subprocess.Popen([FARSIGHT, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=60)


def play(env, agent, steps):
    """One run of a served agent in a served environment; its total."""
    total, s = 0.0, env.ask({"reset": True})["s"]
    for _ in range(steps):
        step = env.ask({"step": agent.ask({"act": s})["action"]})
        assert "t" in agent.ask({"observe": step})
        total += step["r"]
        s = env.ask({"reset": True})["s"] if step["done"] and env.ask({"info": True})["t"] < steps else step["next"]
    return total


class Agent(unittest.TestCase):
    def test_policy_info_reset(self):
        shape = ("--states", "4", "--actions", "2", "-q")
        learn = {"observe": {"s": 0, "a": 1, "r": 1, "next": 2, "done": False}}
        answers = ask([{"info": True}, learn, {"policy": 0}, {"info": {}}, {"reset": {"replicate": 3}}, {"info": True},
                       {"policy": 0}, {"reset": True}, {"reset": {"seed": "18446744073709551615"}}, {"info": True}],
                      "agent", "q-learning:epsilon=0.5", "--replicate", "7", *shape)
        self.assertEqual(answers[0]["agent"][:11], "q-learning:")
        self.assertEqual([answers[0][k] for k in ("states", "actions", "rmin", "rmax", "episodic", "seed", "replicate",
                                                  "t")], [4, 2, 0, 1, True, 1, 7, 0])
        self.assertEqual(answers[2], {"policy": [0.25, 0.75]})
        self.assertEqual(answers[3]["t"], 1)
        self.assertEqual(answers[4], {"t": 0})
        self.assertEqual((answers[5]["replicate"], answers[5]["t"]), (3, 0))
        self.assertEqual(answers[6], {"policy": [0.5, 0.5]})
        self.assertEqual((answers[9]["seed"], answers[9]["replicate"]), ("18446744073709551615", 3))
        for wrong in ({"reset": 3}, {"reset": {"x": 1}}, {"reset": {"seed": -1}}, {"reset": {"seed": 1.5}},
                      {"reset": {"replicate": "x"}}, {"info": 0}, {"policy": 4}, {"hello": {"states": 5}}):
            self.assertIn("error", ask([wrong], "agent", "q-learning", *shape)[0], wrong)
        self.assertIn("closed form", ask([{"policy": 0}], "agent", "bayes-q", *shape)[0]["error"])
        self.assertEqual(ask([{"hello": {"states": 4, "actions": 2, "rmin": 0, "rmax": 1}}], "agent", "psrl", *shape),
                         [{"ok": True}])
        farsight("agent", "q-learning", "--replicate", "-1", *shape, code=2)

    def test_replicates_are_streams(self):
        lines = [{"act": 0}] * 40
        shape = ("--states", "4", "--actions", "2", "-q")
        whole = [ask(lines, "agent", "q-learning", "--replicate", str(k), *shape) for k in range(2)]
        self.assertNotEqual(whole[0], whole[1])
        again = ask(lines + [{"reset": {"replicate": 1}}] + lines, "agent", "q-learning", *shape)
        self.assertEqual(again, whole[0] + [{"t": 0}] + whole[1])


class Environment(unittest.TestCase):
    @needs_store
    def test_meets_what_run_met(self):
        for env, agent, shape in (
                ("chain", "delayed-q:m=3", ("--states", "10", "--actions", "2", "--continuing")),
                ("frozen-lake", "q-learning", ("--states", "16", "--actions", "4", "--absent", "5,7,11..12,15"))):
            with tempfile.TemporaryDirectory() as folder:
                store = os.path.join(folder, "x.db")
                farsight("run", "-e", env, "-a", agent, "--steps", "400", "--runs", "5", "-q", "--store", store,
                         "--curve", "4")
                world = Served("env", env, "--replicate", "3", "--steps", "400", "--record", store, "--name", "mine",
                               "--curve", "4")
                learner = Served("agent", agent, "--replicate", "3", "-q", *shape)
                total = play(world, learner, 400)
                self.assertEqual((world.end(), learner.end()), (0, 0))
                values = exported(store)
                name = agent.split(":")[0]
                self.assertEqual(float(values[name, "total", "", 3]), total)
                self.assertEqual(values["mine", "total", "", 3], values[name, "total", "", 3])
                for step in ("100", "200", "300", "400"):
                    self.assertEqual(values["mine", "curve", step, 3], values[name, "curve", step, 3])
                self.assertEqual([k for k in values if k[0] == "mine" and k[3] != 3], [])

    @needs_store
    def test_recorded_runs_are_paired(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "x.db")
            farsight("run", "-e", "chain", "-a", "q-learning", "--steps", "20", "--runs", "4", "-q", "--store", store)
            lines = []
            for k in range(4):
                lines += [{"reset": {"replicate": k}}] + [{"step": 1}] * 20
            ask(lines, "env", "chain", "--steps", "20", "--record", store, "--name", "always 1")
            comparison = json.loads(farsight("stats", store, "--json").stdout)
            self.assertIn("always 1", json.dumps(comparison))
            self.assertEqual(farsight("store", "check", store).returncode, 0)
            # the same again is no error, another number is
            ask(lines, "env", "chain", "--steps", "20", "--record", store, "--name", "always 1")
            other = [{"reset": True}] + [{"step": 0}] * 20
            done = farsight("env", "chain", "--steps", "20", "--record", store, "--name", "always 1", code=1,
                            text="".join(json.dumps(x) + "\n" for x in other))
            self.assertIn("replicate 0 was not recorded", done.stderr)

    def test_requests(self):
        answers = ask([{"step": 0}, {"info": True}, {"reset": True}, {"step": 2}, {"step": "0"}, {"step": 0}, {"step": 1},
                       {"step": 1}, {"reset": True}, {"reset": {"replicate": 9}}, {"reset": {"seed": 9}}, "x", {"go": 1}],
                      "env", "chain:n=4", "--steps", "2", "--seed", "5")
        self.assertIn("no episode", answers[0]["error"])
        self.assertEqual((answers[1]["states"], answers[1]["actions"], answers[1]["steps"], answers[1]["seed"],
                          answers[1]["absent"]), (4, 2, 2, 5, []))
        self.assertEqual(answers[2], {"s": 0, "replicate": 0, "t": 0})
        self.assertIn("from 0 to 1", answers[3]["error"])
        self.assertIn("from 0 to 1", answers[4]["error"])
        self.assertEqual(set(answers[5]), {"s", "a", "r", "next", "done"})
        self.assertIn("over after 2 steps", answers[7]["error"])
        self.assertIn("over after 2 steps", answers[8]["error"])
        self.assertEqual(answers[9], {"s": 0, "replicate": 9, "t": 0})
        for answer in answers[10:]:
            self.assertIn("error", answer)
        self.assertEqual(ask([{"info": True}], "env", "frozen-lake")[0]["absent"], [5, 7, 11, 12, 15])

    def test_cut_off(self):
        self.assertEqual(ask([{"reset": True}, {"step": 0}, {"reset": True}], "env", "chain")[2]["s"], 0)

    @needs_store
    def test_recorded_runs_are_not_cut_off(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = [{"reset": True}, {"step": 0}, {"reset": True}]
            refused = ask(lines, "env", "chain", "--steps", "9", "--record", os.path.join(folder, "x.db"), "--name", "y")
            self.assertIn("ends only where", refused[2]["error"])

    def test_usage(self):
        for args in ((), ("nowhere",), ("chain", "--steps", "0"), ("chain", "--name", "x"), ("chain", "--curve", "3"),
                     ("chain", "--record", "x.db"), ("chain", "--record", "x.db", "--name", "y"),
                     ("chain", "--record", "x.db", "--steps", "9"), ("chain", "--replicate", "-3"),
                     ("chain", "--record", "x.db", "--name", "y", "--steps", "9", "--curve", "10,11")):
            self.assertTrue(farsight("env", *args, text="", code=2).stderr)
        self.assertFalse(os.path.exists("x.db"))

    @needs_store
    def test_names_and_replicates_that_cannot_be_recorded(self):
        for more in (["--name", 256 * "x"], ["--name", "a\tb"], ["--name", "y", "--replicate", str(2**63)]):
            done = farsight("env", "chain", "--record", "x.db", "--steps", "9", *more, text="", code=2)
            self.assertIn("--record: a run needs", done.stderr)
        self.assertFalse(os.path.exists("x.db"))
        with tempfile.TemporaryDirectory() as folder:
            answers = ask([{"reset": {"replicate": str(2**63)}}, {"reset": {"replicate": 3}}], "env", "chain", "--record",
                          f"{folder}/x.db", "--name", "y", "--steps", "9")
            self.assertIn("below 2^63", answers[0]["error"])
            self.assertEqual(answers[1]["replicate"], 3)
        farsight("env", "chain", "--record", "/nonexistent/x.db", "--name", "y", "--steps", "9", text="", code=1)


PROGRAM = """\
import json, os, random, sys, time
fault, at, marks = sys.argv[1], sys.argv[2:4], sys.argv[4]
open(os.path.join(marks, str(os.getpid())), "w").close()
t = 0
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
for line in sys.stdin:
    (request, value), = json.loads(line).items()
    answer = {}
    if request == "hello":
        actions = value["actions"]
    elif request == "reset":
        replicate, t, rng = value["replicate"], 0, random.Random(value["replicate"])
    elif request == "act":
        t += 1
        answer = {"action": rng.randrange(actions)}
        if [str(replicate), str(t)] == at:
            if fault == "dies": sys.exit(7)
            if fault == "killed": os.kill(os.getpid(), 9)
            if fault == "hangs": open(os.path.join(marks, "hangs"), "w").close(); time.sleep(1000)
            if fault == "floods": say("x" * 3000000)
            if fault == "chatters": say(json.dumps(answer) + "\\n{}\\n"); continue
            if fault == "closes": os.close(1); time.sleep(1000)
            if fault == "action": answer = {"action": 2}
            if fault == "fraction": answer = {"action": 0.5}
            if fault == "negative": answer = {"action": -1}
            if fault == "none": answer = {}
            if fault == "text": answer = {"action": "0"}
            if fault == "list": answer = [0]
            if fault == "error": answer = {"error": "no idea"}
            if fault == "nonsense": say("gl\\x01orp\\n"); continue
            if fault == "unasked": say(json.dumps(answer) + "\\n"); time.sleep(0.2); say("{}\\n"); continue
    say(json.dumps(answer) + "\\n")
"""

# stops answering in step 10 of replicate 2, after half an answer or none; a shell, because that begins in a moment wherever it runs
SILENT = """\
: > "$2/$$"
t=-1000
while read -r line; do
  case $line in
  '{"reset"'*'"replicate":2}}') t=0 ;;
  '{"reset"'*) t=-1000 ;;
  '{"act"'*) t=$((t + 1)) ;;
  esac
  if [ $t = 10 ]; then printf %s "$1"; exec sleep 1000; fi
  echo '{"action": 0}'
done
"""


def alive(mark):
    state = subprocess.run(["ps", "-o", "stat=", "-p", mark.name], capture_output=True, text=True).stdout.strip()
    return state != "" and not state.startswith("Z")


class Process(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        (self.path / "agent.py").write_text(PROGRAM)
        (self.path / "marks").mkdir()

    def tearDown(self):
        """No program outlives the command, but for the moment in which the system buries it."""
        wait_until(lambda: not any(map(alive, self.programs())))
        self.folder.cleanup()

    def programs(self):
        return [mark for mark in (self.path / "marks").iterdir() if mark.name.isdigit()]

    def spec(self, fault="none of them", replicate=0, step=0, shell=""):
        return f"process:{shell}{sys.executable} {self.path}/agent.py '{fault}' {replicate} {step} {self.path}/marks"

    def run_it(self, spec, *more, code=0):
        return farsight("run", "-e", "chain:n=4", "-a", spec, "--steps", "30", "-q", *more, code=code)

    def test_random(self):
        hashes = set()
        for threads in "1", "3":
            cell = json.loads(self.run_it(self.spec(), "--runs", "9", "--threads", threads, "--json").stdout)["cells"][0]
            self.assertEqual((cell["runs"], cell["agent"]), (9, self.spec()))
            hashes.add(cell["hash"])
        self.assertEqual(len(hashes), 1)

    def test_one_process_a_worker(self):
        self.run_it(self.spec(), "--runs", "20", "--threads", "1")
        self.assertEqual(len(self.programs()), 1)

    def test_bridge(self):
        """An agent of ours behind a process earns what it earns in front of it."""
        spec = f"process:{FARSIGHT} agent q-learning --states 16 --actions 4 --absent 5,7,11,12,15 -q"
        done = farsight("run", "-e", "frozen-lake", "-a", spec, "-a", "q-learning", "--steps", "300", "--runs", "6",
                        "--json", "-q")
        bridged, ours = json.loads(done.stdout)["cells"]
        self.assertEqual(bridged["hash"], ours["hash"])
        done = farsight("run", "-e", "chain", "-a", spec, "--runs", "1", "-q", code=1)
        self.assertIn("'states' of the problem is not that of this agent", done.stderr)

    def test_bridge_with_many_absent_states(self):
        """Taxi has 101 of them, all of which `hello` names."""
        absent = ",".join(map(str, ask([{"info": True}], "env", "taxi")[0]["absent"]))
        (self.path / "served").write_text(f"exec {FARSIGHT} agent q-learning --states 501 --actions 6 --rmin -10 "
                                          f"--rmax 20 --absent {absent} -q\n")
        done = farsight("run", "-e", "taxi", "-a", f"process:. {self.path}/served", "-a", "q-learning", "--steps", "300",
                        "--runs", "2", "--json", "-q")
        bridged, ours = json.loads(done.stdout)["cells"]
        self.assertEqual(bridged["hash"], ours["hash"])

    def test_deaf(self):
        """One that closes its output and never reads: `hello` does not fit into the pipe."""
        (self.path / "deaf.py").write_text("import os, time\nos.close(1)\ntime.sleep(1000)\n")
        (self.path / "pits").write_text("S" + 149 * "." + "\n" + 140 * (150 * "P" + "\n") + "G" + 149 * "." + "\n")
        done = farsight("run", "-e", f"grid:map=@{self.path}/pits", "-a", f"process:exec {sys.executable} {self.path}/deaf.py",
                        "--answer-limit", "1", "--steps", "5", "--runs", "1", "-q", code=1)
        self.assertIn("within 1 s", done.stderr)

    def test_example(self):
        spec = f"process:{sys.executable} {ROOT}/examples/process-agent/agent.py"
        cells = json.loads(self.run_it(spec, "--runs", "3", "--json").stdout)["cells"]
        self.assertEqual(cells[0]["runs"], 3)

    def test_faults(self):
        for fault, says in (("dies", "ended with exit code 7 when it was asked {\"act\":"),
                            ("killed", "was killed by signal 9"),
                            ("floods", "a line of more than 1 MiB: it said 'xxx"),
                            ("chatters", "says more than it was asked: it said '{"), ("closes", "closed its input or output"),
                            ("action", "with the action 2, which does not exist"), ("fraction", "with the action 0.5"),
                            ("negative", "with the action -1"), ("none", "without a number 'action'"),
                            ("text", "without a number 'action'"), ("list", "'[0]', which is no object"),
                            ("error", "no idea"), ("nonsense", "'gl?orp', which is not JSON"), ("unasked", "agent.py")):
            with self.subTest(fault):
                shell = "exec " if fault in ("killed", "closes") else ""
                done = self.run_it(self.spec(fault, 2, 10, shell), "--runs", "4", "--threads", "1", "--answer-limit", "60",
                                   code=1)
                self.assertIn(says, done.stderr)
                self.assertIn("agent.py", done.stderr)
                self.assertIn("of replicate 2:", done.stderr)
                self.assertEqual(done.stdout, "")

    def test_no_answer_in_time(self):
        (self.path / "silent").write_text(SILENT)
        both = [subprocess.Popen([FARSIGHT, "run", "-e", "chain:n=4", "-a", f"process:exec sh {self.path}/silent '{says}' "
                                  f"{self.path}/marks", "--steps", "30", "-q", "--runs", "4", "--threads", "1", "--answer-limit", "2"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for says in ("", '{"act')]
        for process in both:
            out, err = process.communicate(timeout=LIMIT)
            self.assertEqual((process.returncode, out), (1, ""))
            self.assertRegex(err, r'step 10 of replicate 2: .*silent.* did not answer {"act":\d} within 2 s')

    @needs_store
    def test_finished_runs_are_kept(self):
        store = str(self.path / "x.db")
        for threads in "1", "4":
            self.run_it(self.spec("dies", 5, 10), "--runs", "12", "--threads", threads, "--store", store, code=1)
            kept = {k[3] for k in exported(store)}
            self.assertTrue(kept >= set(range(5)), kept)
            self.assertNotIn(5, kept)

    @needs_study_files
    def test_study(self):
        study = self.path / "study.yaml"
        study.write_text(f"environments: [chain]\nagents:\n  - process: {self.spec()[8:]}\n  - q-learning\n"
                         "steps: 20\nruns: 2\n")
        done = farsight("run", study, "-q", "--json", "--process", "all")
        self.assertEqual([c["runs"] for c in json.loads(done.stdout)["cells"]], [2, 2], done.stderr)

    @needs_store
    def test_interrupted(self):
        store = str(self.path / "x.db")
        process = subprocess.Popen([FARSIGHT, "run", "-e", "chain:n=4", "-a", self.spec("hangs", 3, 10), "--steps", "30",
                                    "--runs", "10", "--threads", "1", "-q", "--answer-limit", "1000", "--store", store],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until((self.path / "marks" / "hangs").exists)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("stopped", err)

    def test_usage(self):
        self.assertIn("command is missing", self.run_it("process:", code=2).stderr)
        for limit in "0", "-1", "x", "inf":
            self.assertIn("--answer-limit", self.run_it(self.spec(), "--answer-limit", limit, code=2).stderr)
        self.assertIn("does not provide its policy",
                      self.run_it(self.spec(), "--metric", "mistakes:gamma=0.9", "--runs", "1", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
