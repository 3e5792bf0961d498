#!/usr/bin/env python3
"""farsight web: the page as a file, links, and the server under honest and hostile requests.
usage: test_web.py FARSIGHT"""
import contextlib
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

from ctrl_c import EMULATED, wait_until

FARSIGHT = os.path.abspath(sys.argv.pop(1))
PAGE = b"<!DOCTYPE html><title>Playground</title>" + b"<p>filler</p>\n" * 60000  # longer than any buffer on its way
MARK = '<!DOCTYPE html><html><head><meta name="generator" content="farsight 1.0.0"><title>r</title></head>'
SECRET = "SECRET outside of the folder"


def run(*args, code=0, page=None, **more):
    env = {**os.environ, "FARSIGHT_WEB_PAGE": str(page or "")}
    done = subprocess.run([FARSIGHT, "web", *map(str, args)], capture_output=True, timeout=60, env=env, **more)
    assert done.returncode == code, (args, done.returncode, done.stdout[:300], done.stderr)
    return done


def serving(*args, page, **more):
    """A server, which ends at the end of all tests if it has not ended before."""
    process = subprocess.Popen([FARSIGHT, "web", *map(str, args)], stdout=subprocess.PIPE,
                               env={**os.environ, "FARSIGHT_WEB_PAGE": str(page), **more.pop("env", {})}, **more)
    unittest.addModuleCleanup(process.kill)
    return process


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.holder.name)
        cls.page = cls.path / "page.html"
        cls.page.write_bytes(PAGE)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()


class Server:
    """farsight web on a port that the system chooses."""

    def __init__(self, page, *args, env=None):
        self.process = serving("--port", "0", *args, page=page, env=env or {}, stderr=subprocess.PIPE)
        self.address = self.process.stdout.readline().decode().strip()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/", self.address)
        assert found, (self.address, self.process.stderr.read())
        self.port = int(found[1])

    def stop(self, number=signal.SIGINT):
        """(the exit code, the rest of standard output, standard error)"""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out.decode(), err.decode()

    def request(self, path, method="GET", host=None):
        """(the status, the fields, the body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=host is not None, skip_accept_encoding=True)
        if host is not None:
            connection.putheader("Host", host)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def raw(self, data, half_close=False):
        """All that comes back for these bytes. It is read while they are sent: the server may answer before the end, and does not wait
        for ever for what is left."""
        def send():
            with contextlib.suppress(OSError):
                s.sendall(data)
                if half_close:
                    s.shutdown(socket.SHUT_WR)
        with self.connect() as s:
            sender = threading.Thread(target=send)
            sender.start()
            answer = read_all(s)
            sender.join()
            return answer

    def head(self, path="/"):
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()


def read_all(s):
    out = b""
    with contextlib.suppress(ConnectionResetError):
        while more := s.recv(1 << 16):
            out += more
    return out


def status(answer):
    return int(answer.split(b" ", 2)[1])


class Files(Folder):
    def test_output(self):
        out = self.path / "out.html"
        said = run("-o", out, page=self.page).stdout.decode()
        self.assertEqual(out.read_bytes(), PAGE)
        self.assertRegex(said, rf"^Wrote {re.escape(str(out))} \(.* [kM]B\)\n$")
        out.write_text("old")
        self.assertEqual(run("-q", "-o", out, page=self.page).stdout, b"")
        self.assertEqual(out.read_bytes(), PAGE)
        self.assertEqual(run("-o", "-", page=self.page).stdout, PAGE)
        self.assertEqual(sorted(os.listdir(self.path)), ["out.html", "page.html"])
        self.assertIn(b"cannot write", run("-o", self.path / "no" / "out.html", page=self.page, code=1).stderr)
        self.assertIn(b"not a regular file", run("-o", self.path, page=self.page, code=1).stderr)

    def test_missing(self):
        for args in ((), ("-o", "-")):
            done = run(*args, page=self.path / "absent.html", code=1)
            self.assertIn(b"cannot read", done.stderr)
            self.assertEqual(done.stdout, b"")

    @unittest.skipIf(EMULATED, "the command is a script")
    def test_found(self):
        """Beside the program, in its installation, or nowhere; also if it is called through PATH."""
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "bin").mkdir()
            program = root / "bin" / "farsight"
            shutil.copy(FARSIGHT, program)
            env = {k: v for k, v in os.environ.items() if k != "FARSIGHT_WEB_PAGE"}

            def find(code, *words):
                done = subprocess.run([*words, "web", "-o", "-"], capture_output=True, timeout=60, cwd=name,
                                      env={**env, "PATH": f"{root / 'bin'}:{env.get('PATH', '')}"})
                self.assertEqual(done.returncode, code, done.stderr)
                return done
            for words in (str(program),), ("bin/farsight",), ("farsight",):
                for folder in (root / "share" / "farsight", root / "bin"):
                    done = find(1, *words)
                    self.assertIn(b"this build has no page", done.stderr)
                    self.assertIn(b"make web", done.stderr)
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / "playground.html").write_text(str(folder))
                    self.assertEqual(find(0, *words).stdout.decode(), str(folder))
                    (folder / "playground.html").unlink()


class Links(Folder):
    def test_link(self):
        spec = "grid:map=S.#/..G,slip=0.1"
        done = run("--link", "-e", spec, "-a", "directed-delayed-q:m=3", "-a", "q-learning", "--steps", "1e4", "--seed",
                   2**64 - 1)
        line = done.stdout.decode()
        self.assertEqual(line, "#env=grid%3Amap%3DS.%23%2F..G%2Cslip%3D0.1&agent=directed-delayed-q%3Am%3D3&agent=q-learning"
                         "&steps=10000&seed=18446744073709551615\n")
        self.assertEqual(urllib.parse.parse_qs(line[1:].strip())["env"], [spec])
        self.assertEqual(run("--link", "-e", "chain").stdout, b"#env=chain\n")

    def test_served(self):
        server = Server(self.page, "-e", "chain:n=5", "-a", "r-max")
        self.assertRegex(server.address, r"^http://127\.0\.0\.1:\d+/#env=chain%3An%3D5&agent=r-max$")
        self.assertEqual(server.stop()[0], 130)

    def test_refused(self):
        for args, says in ((("-e", "chain:n=0"), "  chain:n=0\n          ^"), (("-e", "chain", "-a", "nobody"), "unknown agent"),
                           (("-e", "chain", "-a", "ucbvi"), "horizon"), (("-a", "r-max"), "in which environment"),
                           (("--steps", "9"), "in which environment"), (("-e", "file:m.json"), "cannot hold a file"),
                           (("-e", "grid:map=@m.txt"), "cannot hold a file"), (("-e", "chain", "-e", "loop"), "one environment"),
                           (("--link",), "--link needs"), (("-e", "chain", "--steps", "0"), "--steps"),
                           (("-e", "chain", "--seed", "-1"), "--seed"), (("-e", "chain", *("-a", "random") * 5), "at most 4"),
                           (("-e", "chain", "--steps", "1e10"), "--steps"),
                           (("-o", "x", "--open"), "serves nothing"), (("-o", "x", "results"), "serves nothing"),
                           (("-o", "x", "-e", "chain"), "as it is"), (("--port", "65536"), "--port"), (("a", "b"), "unexpected"),
                           (("--link", "-e", "chain", "--port", "1"), "serves nothing")):
            done = run(*args, page=self.page, code=2)
            self.assertIn(says, done.stderr.decode(), args)
            self.assertEqual(done.stdout, b"", args)
        self.assertIn(b"cannot open the folder", run(self.path / "absent", page=self.page, code=1).stderr)
        self.assertIn(b"cannot open the folder", run(self.page, page=self.page, code=1).stderr)
        self.assertIn(b"given with -e", run("chain:n=3", page=self.page, code=1).stderr)


class Running(Folder):
    def test_ctrl_c(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            server = Server(self.page)
            code, out, err = server.stop(number)
            self.assertEqual((code, out), (128 + number, ""))
            self.assertEqual(err, "farsight: note: serving until Ctrl-C\n")
        server = Server(self.page, "-q")
        with server.connect():  # a client that waits does not keep it
            self.assertEqual(server.stop()[1:], ("", ""))

    def test_port(self):
        server = Server(self.page)
        self.assertIn(b"cannot listen on 127.0.0.1:", run("--port", server.port, page=self.page, code=1).stderr)
        self.assertEqual(server.request("/")[0], 200)  # the system remembers the connection
        server.stop()
        again = serving("-q", "--port", server.port, page=self.page)
        self.assertEqual(again.stdout.readline().decode(), f"http://127.0.0.1:{server.port}/\n")
        again.send_signal(signal.SIGINT)
        again.communicate(timeout=60)

    def test_usual_port(self):
        """Two servers without --port: one of them at least is elsewhere."""
        both = [serving("-q", page=self.page) for _ in range(2)]
        self.assertEqual(len({p.stdout.readline() for p in both}), 2)
        for p in both:
            p.send_signal(signal.SIGINT)
            p.communicate(timeout=60)

    def test_open(self):
        """The desktop's command gets the whole address, and is in a group of its own: Ctrl-C leaves it alone."""
        seen = self.path / "seen"
        fake = self.path / "xdg-open"
        fake.write_text(f'#!/bin/sh\necho noise; echo noise >&2\nps -o pgid= -p $$ > {seen}.group\nprintf %s "$1" > {seen}.new\n'
                        f'mv {seen}.new {seen}\n')
        fake.chmod(0o755)
        server = Server(self.page, "--open", "-e", "loop", env={"PATH": f"{self.path}:{os.environ['PATH']}"})
        wait_until(seen.exists)
        self.assertEqual(seen.read_text(), server.address)
        self.assertNotEqual((self.path / "seen.group").read_text().split(), [str(os.getpgrp())])
        self.assertEqual(server.stop()[1:], ("", "farsight: note: serving until Ctrl-C\n"))

    @unittest.skipIf(EMULATED, "qemu does not tell that a program could not be started")
    def test_nothing_to_open_it_with(self):
        server = Server(self.page, "--open", env={"PATH": "/absent"})
        self.assertIn("no browser was opened", server.stop()[2])

    def test_loopback_alone(self):
        server = Server(self.page)
        wanted = f":{server.port:04X}"
        sockets = [line.split() for name in ("tcp", "tcp6") for line in self.table(name) if wanted in line]
        listening = [words[1] for words in sockets if words[3] == "0A"]
        if listening:
            self.assertEqual(listening, [f"0100007F{wanted}"] if sys.byteorder == "little" else [f"7F000001{wanted}"])
        server.stop()

    @staticmethod
    def table(name):
        path = pathlib.Path("/proc/net") / name
        return path.read_text().splitlines()[1:] if path.exists() else []


class Served(Folder):
    """One server for many requests; it must be in good health after all of them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.path / "secret.html").write_text(MARK + SECRET)
        folder = cls.folder = cls.path / "results"
        (folder / "inside").mkdir(parents=True)
        (folder / "inside" / "deep.html").write_text(MARK + SECRET)
        (folder / "report.html").write_text(MARK + "a report")
        (folder / "foreign.html").write_text("<script>alert(1)</script>" + SECRET)
        (folder / "figure.svg").write_text("<svg/>")
        (folder / "results.db").write_bytes(bytes(range(256)) * 2000)
        (folder / "results.db-wal").write_text(SECRET)
        (folder / "model.json").write_text("{}")
        (folder / "chain.drn").write_text("drn")
        (folder / "notes.txt").write_text(SECRET)
        (folder / ".hidden.html").write_text(MARK + SECRET)
        (folder / "sub.html").mkdir()
        (folder / "<b>&\"x' %2e é.svg").write_text("<svg>odd</svg>")
        os.mkfifo(folder / "pipe.svg")
        os.symlink("../secret.html", folder / "out.html")
        os.symlink("report.html", folder / "in.html")
        os.symlink("..", folder / "up.db")
        cls.server = Server(cls.page, folder)
        cls.index = cls.server.process.stdout.readline().decode().strip()

    @classmethod
    def tearDownClass(cls):
        code, out, err = cls.server.stop()
        super().tearDownClass()
        assert (code, out, err) == (130, "", "farsight: note: serving until Ctrl-C\n"), (code, out, err)

    def tearDown(self):
        self.assertEqual(self.server.request("/")[2], PAGE)

    def test_page(self):
        code, fields, body = self.server.request("/")
        self.assertEqual((code, body), (200, PAGE))
        self.assertEqual(fields["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(fields["Content-Security-Policy"],
                         "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
                         "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self' data: blob:; base-uri 'none'; "
                         "form-action 'none'; frame-ancestors 'none'")
        for path in ("/", "/?x=1", "/reports/", "/reports/report.html", "/absent", "/reports/results.db"):
            fields = self.server.request(path)[1]
            self.assertEqual(fields["X-Content-Type-Options"], "nosniff")
            self.assertEqual(fields["Referrer-Policy"], "no-referrer")
            self.assertEqual(fields["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertIn("frame-ancestors 'none'", fields["Content-Security-Policy"])
            self.assertNotIn("Access-Control-Allow-Origin", fields)

    def test_head(self):
        for path in ("/", "/reports/", "/reports/results.db", "/absent", "/reports"):
            code, fields, body = self.server.request(path, "HEAD")
            whole = self.server.request(path)
            self.assertEqual((code, body, fields["Content-Length"]), (whole[0], b"", str(len(whole[2]))), path)
            self.assertTrue(self.server.raw(b"HEAD" + self.server.head(path)[3:]).endswith(b"\r\n\r\n"), path)
        answer = self.server.raw(b"HEAD / HTTP/1.1\r\nHost: evil\r\n\r\n")
        self.assertEqual(status(answer), 403)
        self.assertTrue(answer.endswith(b"\r\n\r\n"))

    def test_folder(self):
        self.assertEqual(self.index, f"http://127.0.0.1:{self.server.port}/reports/")
        for name, kind in (("report.html", "text/html"), ("figure.svg", "image/svg+xml"), ("results.db", "vnd.sqlite3"),
                           ("model.json", "application/json"), ("chain.drn", "text/plain")):
            code, fields, body = self.server.request(f"/reports/{name}?query")
            self.assertEqual((code, body), (200, (self.folder / name).read_bytes()), name)
            self.assertIn(kind, fields["Content-Type"])
            self.assertIn("sandbox", fields["Content-Security-Policy"])
            self.assertEqual("script-src" in fields["Content-Security-Policy"], name == "report.html")
            self.assertNotIn("allow-same-origin", fields["Content-Security-Policy"])
        code, fields, _ = self.server.request("/reports")
        self.assertEqual((code, fields["Location"]), (308, "/reports/"))

    def test_index(self):
        code, fields, body = self.server.request("/reports/")
        text = body.decode()
        self.assertEqual(code, 200)
        self.assertNotIn("script-src", fields["Content-Security-Policy"])
        links = re.findall(r'href="/reports/([^"]*)"', text)
        names = sorted(["report.html", "figure.svg", "results.db", "model.json", "chain.drn", "<b>&\"x' %2e é.svg"])
        self.assertEqual([urllib.parse.unquote(x) for x in links], names)
        self.assertIn("&lt;b&gt;&amp;&quot;x", text)
        self.assertNotIn("<b>", text)
        odd = next(x for x in links if "%25" in x)
        self.assertEqual(self.server.request(f"/reports/{odd}")[2], b"<svg>odd</svg>")

    def test_paths(self):
        """Nothing outside of the folder, hidden, linked or of another kind."""
        for path in ("../secret.html", "..%2fsecret.html", "%2e%2e/secret.html", "%2e%2e%2fsecret.html", "..%5csecret.html",
                     "./report.html", "inside/deep.html", "inside%2fdeep.html", "inside/../report.html", "out.html", "in.html",
                     "up.db", "up.db/secret.html", ".hidden.html", "%2ehidden.html", "notes.txt", "results.db-wal", "sub.html",
                     "sub.html/", "foreign.html", "pipe.svg", "report.html/", "report.html%2f", "/report.html", "%2freport.html",
                     "absent.html", ".html", "..", ".", "inside", "report.HTML", "a" * 300 + ".svg", "%ff%fe.svg", str(self.path),
                     urllib.parse.quote(str(self.path / "secret.html"), safe=""), f"/{self.path}/secret.html"):
            for prefix in ("/reports/", "/", "/reports/../", "//", "/reports//"):
                if (prefix, path) in (("/reports/../", "."), ("/reports/../", "..")):
                    continue
                answer = self.server.raw(self.server.head(prefix + path))
                self.assertEqual(status(answer), 404, prefix + path)
                self.assertNotIn(SECRET.encode(), answer)
        self.assertEqual(status(self.server.raw(self.server.head("/etc/passwd"))), 404)
        for path in ("/reports/%00", "/reports/report.html%00.svg", "/%", "/%2", "/%zz", "/%0d%0aX:1", "/a%7f"):
            self.assertEqual(status(self.server.raw(self.server.head(path))), 400, path)

    def test_hosts(self):
        port = self.server.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", f" 127.0.0.1:{port}\t"):
            self.assertEqual(self.server.request("/", host=host)[0], 200, host)
        for host in ("127.0.0.1", "localhost", "evil.example", f"evil.example:{port}", f"127.0.0.1:{port + 1}", "", f"127.0.0.1:{port}0",
                     f"127.0.0.1:0{port}", f"[::1]:{port}", f"127.0.0.1:{port}, evil", f"a127.0.0.1:{port}", f"localhost.evil:{port}"):
            code, _, body = self.server.request("/", host=host)
            self.assertEqual(code, 403, host)
            self.assertNotIn(b"Playground", body)
        self.assertEqual(status(self.server.raw(b"GET / HTTP/1.0\r\n\r\n")), 403)
        self.assertEqual(status(self.server.raw(b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n")), 400)

    def test_methods(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "X!"):
            code, fields, _ = self.server.request("/", method)
            self.assertEqual((code, fields["Allow"]), (405, "GET, HEAD"), method)
        host = f"Host: 127.0.0.1:{self.server.port}\r\n".encode()
        self.assertEqual(status(self.server.raw(b"OPTIONS * HTTP/1.1\r\n" + host + b"\r\n")), 405)
        body = b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 999999\r\n\r\n" + b"x" * 999999
        self.assertEqual(status(self.server.raw(body)), 405)

    def test_grammar(self):
        host = f"Host: 127.0.0.1:{self.server.port}".encode()
        for data in (b"\r\n", b"\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET  / HTTP/1.1\r\n", b"GET / HTTP/1.1 \r\n", b" GET / HTTP/1.1\r\n",
                     b"GET / HTTP/1.1\n\n", b"GET / HTTP/x.1\r\n", b"GET / http/1.1\r\n", b"GET /a b HTTP/1.1\r\n", b"GET /\0 HTTP/1.1\r\n",
                     b"GET /# HTTP/1.1\r\n", b"GET /\xc3\xa9 HTTP/1.1\r\n", b"GET reports/ HTTP/1.1\r\n", b"G\0T / HTTP/1.1\r\n", bytes(range(256)),
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", b"GET / HTTP/1.1\r\n" + host + b"\r\n folded\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + host + b"\r\n" + host + b"\r\n\r\n", b"GET / HTTP/1.1\r\nNoColon\r\n\r\n",
                     b"GET / HTTP/1.1\r\n: x\r\n\r\n", b"GET / HTTP/1.1\r\nA : x\r\n\r\n", b"GET / HTTP/1.1\r\nA: \x01\r\n\r\n",
                     b"GET / HTTP/1.1\r\nA: x\rB: y\r\n\r\n", b"GET / HTTP/1.1\r\n" + host + b"\n\n"):
            answer = self.server.raw(data, half_close=True)
            self.assertEqual(status(answer), 400, data)
            self.assertIn(b"\r\nConnection: close\r\n", answer)
        self.assertEqual(status(self.server.raw(b"GET / HTTP/2.0\r\n\r\n")), 505)

    def test_sizes(self):
        host = f"Host: 127.0.0.1:{self.server.port}\r\n".encode()
        start = b"GET / HTTP/1.1\r\n" + host
        self.assertEqual(status(self.server.raw(self.server.head("/" + "a" * 2000))), 404)
        for n in (2048, 10000, 100000, 3000000):
            self.assertEqual(status(self.server.raw(self.server.head("/" + "a" * n))), 414, n)
        self.assertEqual(status(self.server.raw(start + b"A: " + b"x" * 15000 + b"\r\n\r\n")), 200)
        for n in (20000, 3000000):
            self.assertEqual(status(self.server.raw(start + b"A: " + b"x" * n + b"\r\n\r\n")), 431, n)
        self.assertEqual(status(self.server.raw(start + b"A: b\r\n" * 5000 + b"\r\n")), 431)

    def test_pieces(self):
        """A request may come byte by byte, be followed by others, or by the end of what the client sends."""
        with self.server.connect() as s:
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in self.server.head("/reports/figure.svg"):
                s.sendall(bytes([byte]))
            self.assertTrue(read_all(s).endswith(b"\r\n\r\n<svg/>"))
        answer = self.server.raw(self.server.head() * 300)  # pipelined: the first is answered, whole
        self.assertEqual(answer.count(b"HTTP/1.1 200"), 1)
        self.assertTrue(answer.endswith(PAGE))
        self.assertTrue(self.server.raw(self.server.head() + b"x" * 60000).endswith(PAGE))  # more than is read
        self.assertTrue(self.server.raw(self.server.head(), half_close=True).endswith(PAGE))
        self.assertEqual(self.server.raw(self.server.head()[:-1], half_close=True), b"")
        self.assertEqual(self.server.raw(b"", half_close=True), b"")

    def test_many(self):
        """Clients that say nothing, or read nothing, keep nobody else from being answered."""
        idle = [self.server.connect() for _ in range(100)]
        for s in idle[::2]:
            s.sendall(b"GET / HTTP/1.1\r\nHost: ")
        for s in idle[1::2]:
            s.sendall(self.server.head())
        self.assertEqual(self.server.request("/")[2], PAGE)
        bodies = []
        threads = [threading.Thread(target=lambda: bodies.append(self.server.request("/")[2])) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(bodies, [PAGE] * 8)
        for s in idle:
            s.close()

    def test_gone(self):
        """Clients that are gone before the answer, or in the midst of it."""
        for reset in (False, True):
            for data in (b"", b"GET", self.server.head(), self.server.head("/reports/results.db")):
                s = self.server.connect()
                s.sendall(data)
                if reset:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                elif data:
                    s.recv(100) if data.endswith(b"\r\n\r\n") else None
                s.close()

    def test_changes(self):
        """What is served is what is there now."""
        new = self.folder / "new.svg"
        self.assertEqual(self.server.request("/reports/new.svg")[0], 404)
        new.write_text("<svg>new</svg>")
        self.assertEqual(self.server.request("/reports/new.svg")[2], b"<svg>new</svg>")
        new.unlink()
        os.symlink("../secret.html", new)
        self.assertEqual(self.server.request("/reports/new.svg")[0], 404)
        new.unlink()


class NoFolder(Folder):
    def test_reports(self):
        server = Server(self.page)
        for path in ("/reports", "/reports/", "/reports/page.html", "/page.html"):
            self.assertEqual(server.request(path)[0], 404)
        self.page.rename(self.path / "gone.html")
        self.assertEqual(server.request("/")[0], 500)
        (self.path / "gone.html").rename(self.page)
        self.assertEqual(server.request("/")[2], PAGE)
        server.stop()

    def test_empty(self):
        (self.path / "empty").mkdir()
        server = Server(self.page, self.path / "empty")
        self.assertIn(b"has no reports", server.request("/reports/")[2])
        server.stop()


if __name__ == "__main__":
    unittest.main()
