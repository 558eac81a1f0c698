#!/usr/bin/env python3
"""Fixes `parcdf report`: a page of a recorded run has that run's totals by call, variable, way and rank, one of benchmarks
has theirs side by side; of a write queue, puts, writes and waits apart, and what it saved; advice comes where figures say so; pages are valid HTML (tidy) that fetches nothing; text from
inputs cannot become HTML; broken, hostile and huge inputs are one sentence, an exit status and no page; the page of many
calls stays small.
usage: report_test.py PARCDF"""
import json, os, re, shutil, subprocess, sys, tempfile, unittest
from html.parser import HTMLParser

PARCDF = None
TIDY = shutil.which("tidy")
EVIL = "<script>alert(1)</script>&\"'\x01\u202e"
ZERO = 1700000000000000


class Page(HTMLParser):
    """Sections by heading: rows of cells, a number where the cell has an exact value; and all text and links."""

    def __init__(self, text):
        super().__init__()
        self.sections, self.text, self.links, self.tags = {}, [], [], set()
        self.where, self.rows, self.cell, self.value = "", None, None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.add(tag)
        self.links += [attrs[a] for a in ("src", "href", "data", "action", "xlink:href") if a in attrs]
        if tag == "h2":
            self.where, self.rows = None, []
        elif tag == "tr":
            self.rows = self.rows if self.rows is not None else []
            self.rows.append([])
        elif tag == "td":
            self.cell, self.value = "", attrs.get("data-value")
        elif tag == "br" and self.cell is not None:
            self.cell += "\n"

    def handle_endtag(self, tag):
        if tag == "td":
            self.rows[-1].append(float(self.value) if self.value is not None else self.cell)
            self.cell = None

    def handle_data(self, data):
        self.text.append(data)
        if self.where is None:
            self.where = data
            self.sections[data] = self.rows
        if self.cell is not None:
            self.cell += data

    def row(self, section, first):
        found = [r for r in self.sections[section] if r and str(r[0]).split("\n")[0] == first]
        assert len(found) == 1, f"{len(found)} rows {first} in {section}: {self.sections[section]}"
        return [x for x in found[0] if x != ""]


def log(rank, lines, ranks=2, path="out.nc", zero=ZERO):
    return "\n".join([f"# in {zero}", f"# file {rank} {ranks} {path}", "# env mpi Some MPI 1", *lines]) + "\n"


def call(name, variable, begin, end, put=0, get=0, pieces=1, way="-", why="-", code=0):
    return f"call {name} {variable} {begin:.7f} {end:.7f} {put} {get} {pieces} {way} {why} 3 {code}"


def wait(op, begin, end, nbytes=0):
    return f"{op} 0 0 {nbytes} 0 {begin:.7f} {end:.7f}"


def write(begin, end, nbytes=1 << 20):
    return f"write 1 512 {nbytes} 0 {begin:.7f} {end:.7f}"


ASYNC = "# env hint pcdf_async=4194304"


def run_of(name="3-D blocks", write=0.5, ranks=2):
    stats = lambda x: {"min": x, "median": x, "max": x}
    phase = lambda x, n: {"seconds": stats(x), "mib_per_second": stats(8 / x), "by_rank": [x] * n, "mpi": {"allreduce": 7}}
    return {"program": "checkpoint", "library": "1", "case": name, "ranks": ranks, "read_ranks": 1, "bytes": 8 << 20,
            "repeats": 1, "values": 5, "wrong": 0, "environment": {"mpi": "M", "filesystem": "ext4", "path": "p",
                                                                  "hosts": {"h": ranks}, "hints": {"pcdf_defer": "9"}},
            "phases": {**{p: phase(0.1, ranks) for p in ("define", "close", "open", "read")}, "write": phase(write, ranks),
                       "written": {"seconds": stats(write + 0.2), "mib_per_second": stats(8 / (write + 0.2))}}}


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=".")
        self.addCleanup(self.folder.cleanup)
        self.number = 0

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def text_of(self, name):
        with open(name, encoding="utf-8") as f:
            return f.read()

    def write(self, name, text):
        with open(self.path(name), "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        return self.path(name)

    def run_it(self, *words):
        return subprocess.run([PARCDF, "report", *words], capture_output=True, timeout=60)

    def page(self, *inputs):
        """The page of the inputs, which must be valid and fetch nothing."""
        out = self.path("page.html")
        done = self.run_it("-O", "-o", out, *inputs)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        text = self.text_of(out)
        page = Page(text)
        self.assertEqual((page.links, page.tags & {"script", "link", "img", "iframe", "object"}), ([], set()))
        self.assertNotRegex(text, r"https?:|url\(|@import")
        if TIDY:
            tidy = subprocess.run([TIDY, "-q", "-e", out], capture_output=True, text=True)
            self.assertEqual((tidy.returncode, tidy.stderr), (0, ""))
        page.bytes = len(text)
        return page

    def bad(self, status, *words, lines=1):
        done = self.run_it(*words)
        self.assertEqual((done.returncode, done.stdout), (status, b""), (words, done.stderr))
        self.assertEqual(done.stderr.count(b"\n"), lines, done.stderr)
        return done.stderr.decode()

    def advice(self, page):
        return " ".join(" ".join(page.text).split("Time line")[0].split())

    def two_ranks(self):
        for rank in (0, 1):
            wait = 0.5 + rank
            self.write(f"log.{rank}", log(rank, [
                call("create", "-", -0.25, 0),
                "put 1 0 512 0 0.0100000 0.0200000",
                call("enddef", "-", 0, 0.25),
                "put 4 512 4096 0 0.3000000 0.3500000",
                call("put_vara_int_all", "t%20%3Cx%3E", 0.25, 0.5, put=4096, pieces=4, way="independent", why="pieces-large"),
                call("iput_var1_int", "a", 0.5, 0.5, put=100, way="posted"),
                call("iput_var1_int", "b", 0.5, 0.5, put=300, way="posted"),
                f"sieve {3 + rank} 300 1000 0 0.5000000 0.5000000",
                call("wait_all", "-", 0.5, 0.5 + wait, put=400, way="two-phase", why="pieces-small"),
                "sync_all 0 0 0 0 2.0000000 2.1250000",
                "chunks 3 30000 10000 0 2.1300000 2.1300000",
                "chunks_anew 1 0 2500 0 2.1300000 2.1300000",
                call("sync", "-", 2, 2.25, code=-36 if rank else 0),
                call("get_var_int_all", "a", 2.5, 2.75, get=800, way="independent", why="piece-one")]))

    def test_totals(self):
        self.two_ranks()
        page = self.page(self.path("log"))
        self.assertEqual(page.row("Time by call", "put_vara_int_all"), ["put_vara_int_all", 2, 0.5, 0.1, 8192, 0])
        self.assertEqual(page.row("Time by call", "wait_all"), ["wait_all", 2, 2.0, 0, 800, 0])
        self.assertEqual(page.row("Time by call", "sync"), ["sync", 2, 0.5, 0.25, 0, 0])
        self.assertEqual(page.row("Time by call", "iput_var1_int")[1:], [4, 0, 0, 0, 0])
        self.assertEqual(page.row("Time by variable", "t <x>"), ["t <x>", 2, 0.5, 0.1, 8192, 0])
        self.assertEqual(page.row("Time by variable", "b"), ["b", 2, 1.5, 0, 600, 0])  # three quarters of the waits
        self.assertEqual(page.row("Time by variable", "a"), ["a", 4, 1.0, 0, 200, 1600])
        self.assertEqual(page.row("How the bytes went", "two-phase")[2:], [2, 2.0, 800, 2])
        self.assertEqual(page.row("How the bytes went", "posted")[2:], [4, 0, 800, 4])
        self.assertEqual(page.row("How the bytes went", "sieved"), ["sieved", 2, 7, 600, 2000])
        self.assertEqual(page.row("How the bytes went", "chunks")[1:], [6, 60000, 20000, 2, 5000])
        self.assertNotIn("lost room", self.advice(page))
        for rank in (0, 1):
            self.assertEqual(page.row("Ranks", str(rank)),
                             [str(rank), 8, 1.75 + rank, 0.185, 3, 4496, 800])
        self.assertEqual(page.row("Files", "out.nc"), ["out.nc", 2, 2, 0, 3.0, 8992, 1600, 1])
        self.assertIn("1 calls returned an error, the first -36", self.advice(page))
        text = " ".join(page.text)
        self.assertIn("put_vara_int_all t <x>, 250 ms", text)  # a bar's title

    def test_old_words(self):
        """Logs of before have other words for ways, reasons and operations: the page is the same."""
        lines = [call("put_vara_int_all", "a", 0, 1, put=8, pieces=2, way="independent", why="no-two-phase"),
                 "put_two_phase 4 0 32 0 1.2 1.3",
                 call("put_vara_int_all", "a", 1, 2, put=32, way="two-phase", why="pieces-small"),
                 "get_two_phase 4 0 32 0 2.2 2.3",
                 call("get_vara_int_all", "a", 2, 3, get=32, way="two-phase", why="pieces-small"),
                 call("put_var1_int", "b", 3, 4, put=4, way="independent", why="independent-mode")]
        old = "\n".join(lines).replace("independent independent-mode", "alone -").replace("no-two-phase", "no-exchange")
        old = old.replace("independent", "offsets").replace("two-phase", "exchange").replace("two_phase", "exchange")
        pages = [self.page(self.write("run.0", log(0, those, 1))) for those in (lines, old.split("\n"))]
        self.assertEqual(pages[0].text, pages[1].text)
        self.assertEqual(pages[0].sections, pages[1].sections)
        rows = [row[:2] for row in pages[1].sections["How the bytes went"] if row and row[0].startswith(("ind", "two"))]
        self.assertEqual(sorted([x.split("\n")[0] for x in row] for row in rows),
                         [["independent", "independent-mode"], ["independent", "no-two-phase"], ["two-phase", "pieces-small"]])

    def test_inputs(self):
        """A log by its name, several logs in any order, standard output, two openings in one log."""
        self.two_ranks()
        one, both = self.page(self.path("log.1")), self.page(self.path("log.1"), self.path("log.0"))
        self.assertEqual((one.row("Time by call", "sync")[1], both.row("Time by call", "sync")[1]), (1, 2))
        done = self.run_it(self.path("log"))
        self.assertEqual((done.returncode, done.stderr, done.stdout[:15]), (0, b"", b"<!DOCTYPE html>"))
        later = log(0, [call("close", "-", 0, 1)], 1, "other.nc", ZERO + 3600 * 10**6)
        self.write("twice", self.text_of(self.path("log.0")) + later)
        page = self.page(self.path("twice"))
        self.assertLess(page.row("Files", "other.nc")[3], 10)  # an hour's pause is left out
        self.assertEqual(page.row("Time by call", "close")[2], 1)

    def test_logs_beside_their_name(self):
        """Something else may be called as the recording: a folder, a program, a script."""
        self.two_ranks()
        for text in (None, b"\x7fELF\0", b"#!/bin/sh\n", b""):
            if text is None:
                os.mkdir(self.path("log"))
            else:
                self.write("log", text)
            self.assertEqual(self.page(self.path("log")).row("Time by call", "sync")[1], 2)
            (os.rmdir if text is None else os.unlink)(self.path("log"))
        self.write("log", log(0, [call("sync", "-", 0, 1)], 1))
        self.assertEqual(self.page(self.path("log")).row("Time by call", "sync")[1], 1)

    def test_pipes(self):
        """JSON may come through a pipe; a recording, which is read twice, may not, and the sentence says so."""
        for text, status, says in ((json.dumps(run_of()), 0, ""), ("\n " + json.dumps(run_of()), 0, ""),
                                   (log(0, [call("sync", "-", 0, 1)], 1), 2, "read more than once")):
            done = subprocess.run([PARCDF, "report", "/dev/stdin"], input=text, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout[:9]), (status, "" if status else "<!DOCTYPE"), done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1 if status else 0)

    def test_advice(self):
        small = [call("put_var1_int", "v", 0.01 * i, 0.01 * i + 0.009, put=1024, way="independent", why="independent-mode") for i in range(400)]
        says = self.advice(self.page(self.write("small.0", log(0, small, 1))))
        self.assertIn("100 % of the time is in 400 independent calls of 1 KiB on average", says)
        together = [c.replace("put_var1_int", "put_var1_int_all").replace("independent-mode", "piece-one") for c in small]
        says = self.advice(self.page(self.write("together.0", log(0, together, 1))))
        self.assertRegex(says, "400 collective calls of 1 KiB on each rank.*pcdf_defer")
        redefs = [line for i in range(4) for line in (
            call("redef", "-", i, i), f"get 1 0 3000000 0 {i}.1 {i}.2", f"put 1 0 512 0 {i}.3 {i}.4",
            call("enddef", "-", i, i + 0.5))]
        says = self.advice(self.page(self.write("redefs.0", log(0, redefs, 1))))
        self.assertIn("back to define mode 4 times; the header was written 4 times", says)
        self.assertIn("enddef moved 11.4 MiB", says)
        for rank in range(4):
            slow = 2.1 if rank == 3 else 1
            self.write(f"uneven.{rank}", log(rank, [f"put 1 512 9000000 0 0 {slow}", call("put_var_int_all", "v", 0, slow, 9000000,
                                                    way="independent")], 4))
        self.assertIn("Rank 3 is 2.1 times slower", self.advice(self.page(self.path("uneven"))))
        for lost, is_much in ((1 << 20, True), (1000000, False)):
            chunks = [f"chunks 40 40000000 20000000 0 0.5 0.5", f"chunks_anew 30 0 {lost} 0 0.5 0.5", call("close", "-", 0, 1)]
            says = self.advice(self.page(self.write("chunks.0", log(0, chunks, 1))))
            self.assertEqual("1 MiB of the 19.1 MiB that chunks took in netCDF-4 files are lost room Chunks were changed 30 times" in says, is_much, says)
        calm = [call("put_var_int_all", "v", 0, 1, 1 << 24, way="independent", why="piece-one")]
        says = self.advice(self.page(self.write("calm.0", log(0, ["put 1 512 16777216 0 0.1 0.9", *calm], 1))))
        self.assertIn("Nothing is remarkable", says)

    def queued(self):
        """A rank puts 4 MiB and 2 MiB, computes, puts again between them and closes: the thread writes 7 s."""
        return [ASYNC, "at_once 1 0 512 0 0.2000000 0.3000000", "put 1 0 512 0 0.1000000 0.3000000",
                call("enddef", "-", 0, 0.5),
                wait("full", 1, 1.25, 65536), "put 1 512 4194304 0 1.2500000 1.5000000", write(1, 2), wait("full", 1.75, 2.5),
                "put 3 5000000 2097152 0 1.5000000 3.0000000",
                call("put_var_int_all", "v", 1, 3, put=6291456, way="independent", why="piece-one"),
                write(2, 4, 2 << 20), write(4, 6, 3 << 20), wait("settle_order", 5.5, 6.5, 3145728),
                "get 1 0 100 0 6.6000000 6.7000000",
                call("get_var_int_all", "v", 5.25, 7, get=100, way="independent"),
                write(8, 9, 4000), wait("settle_close", 8.5, 9.5, 5 << 20), write(9, 10, 6 << 20), wait("settle_close", 9.5, 10.5),
                "queue 5 6291456 4194304 0 10.5000000 10.5000000", "close_all 0 0 0 0 10.5000000 10.7500000",
                call("close", "-", 8.25, 11)]

    def test_queue(self):
        """Put, write and wait apart; a second file of the rank, whose lines are by another second 0, counts with the first."""
        other = log(0, [ASYNC, call("open", "-", -0.5, 0), wait("settle_close", 0.25, 0.5), call("close", "-", 0, 1)], 1,
                    "b.nc", ZERO + 4 * 10**6)
        page = self.page(self.write("q.0", log(0, self.queued(), 1) + other))
        rows = {r[0].split("\n")[0]: [x for x in r[1:] if x != ""] for r in page.sections["Write queue"] if r}
        # of the puts' 1.95 s, 0.1 s were at once and 0.75 s waits inside
        self.assertEqual(rows["put"], [2, 1.1, 6 << 20])
        self.assertEqual(rows["at once"], [1, 0.1, 512])
        self.assertEqual(rows["write"], [5, 7, (12 << 20) + 4000])
        self.assertEqual(rows["full"], [2, 1, 65536])
        self.assertEqual(rows["settle_order"], [1, 1, 3 << 20])
        self.assertEqual(rows["settle_close"], [3, 2.25, 5 << 20])
        # waits met writes for 0.25 + 0.25 + 0.5, 0.5, 0.5 + 1 (8.5 to 9.5), 0.5; and 0.25 (4.25 to 4.5) of the other file
        self.assertEqual(rows["saved"], [7 - 1 - 0.5 - 1 - 0.5 - 0.25])
        self.assertEqual(rows["0"], [1.1, 7, 4.25, 3.75, 8.5, (12 << 20) + 4000, 6 << 20])
        # the waits count as the storage's, once: those in a put are in its time
        self.assertEqual(page.row("Time by call", "put_var_int_all"), ["put_var_int_all", 1, 2, 2, 6 << 20, 0])
        self.assertEqual(page.row("Time by call", "get_var_int_all"), ["get_var_int_all", 1, 1.75, 1.1, 0, 100])
        self.assertEqual(page.row("Time by call", "close")[1:4], [2, 3.75, 2.5])
        says = self.advice(page)
        self.assertRegex(says, "time saved 3.75 s of 7 s of writing")
        self.assertRegex(says, "waited for the queue 4.25 s .*highest in its queue: 6 MiB")
        self.assertRegex(says, r"observed rate 723 KiB/s .* a thread wrote 1.71 MiB/s")
        text = " ".join(page.text)
        self.assertIn("write, 2 s from", text)
        self.assertIn("settle_order, 1 s from", text)
        self.assertIn("written by its thread", text)

    def test_stage(self):
        """Puts to a log of pcdf_stage_dir, and from there to the file; a log without room, and a sync by the log."""
        page = self.page(self.write("q.0", log(0, [
            ASYNC, "stage 0 0 1048576 0 0.2500000 0.5000000", "stage 0 0 524288 0 0.5000000 0.6250000",
            "stage 0 0 262144 -220 0.6250000 0.7500000", wait("full", 0.75, 1, 262144), "put 1 512 4194304 0 0.0000000 1.2500000",
            call("put_var_int_all", "v", 0, 1.25, put=4194304, way="independent"), "stage_sync 0 0 131072 0 2.0000000 2.5000000",
            call("sync", "-", 2, 2.5), "write_staged 1 512 1048576 0 1.0000000 3.0000000", write(3, 4),
            wait("settle_close", 3.5, 4), call("close", "-", 3.5, 4)], 1)))
        rows = {r[0].split("\n")[0]: [x for x in r[1:] if x != ""] for r in page.sections["Write queue"] if r}
        self.assertEqual(rows["put"], [1, 0.5, (4 << 20) - (3 << 19)])  # of 1.25 s 0.5 went to the log, 0.25 was waiting
        self.assertEqual(rows["to the log"], [2, 0.375, 3 << 19])
        self.assertEqual(rows["log full"], [1, 0.125, 1 << 18])
        self.assertEqual(rows["from the log"], [1, 2, 1 << 20])
        self.assertEqual(rows["sync by log"], [1, 0.5, 1 << 17])
        self.assertEqual(rows["write"], [2, 3, 2 << 20])
        self.assertRegex(self.advice(page), "4 MiB were put. The logs in pcdf_stage_dir had no room either")

    def test_reasons(self):
        """A wait without a word has its reason from the operation that it lies in, or else from its call."""
        lines, at = [ASYNC], 0.0
        for name in ("get", "put", "flush", "close_all", "resize_all"):
            lines += [wait("settle", at + 0.1, at + 0.3, 7), f"{name} 1 0 5 0 {at} {at + 0.5}"]
            at += 1
        for name in ("put_var_int_all", "get_var_int_all", "wait_all", "sync", "enddef", "begin_indep_data", "close"):
            lines += [wait("settle", at + 0.1, at + 0.2), f"get 1 0 5 0 {at + 0.3} {at + 0.4}", call(name, "-", at, at + 0.5)]
            at += 1
        other = "# in 7\n# file 0 1 b.nc\n" + wait("settle", 0, 0.125) + "\n" + "".join(
            wait("settle", i, i + 0.5) + "\n" for i in range(80)) + call("sync", "-", 0, 0.5) + "\n"
        page = self.page(self.write("q.0", log(0, [*lines, wait("settle", at, at + 0.25)], 1) + other))
        rows = {r[0].split("\n")[0]: r[1:3] for r in page.sections["Write queue"] if r and str(r[0]).startswith("settle")}
        few = {k: [n, round(seconds, 6)] for k, (n, seconds) in rows.items()}
        self.assertEqual(few, {"settle_get": [2, 0.3], "settle_put": [1, 0.2], "settle_sync": [83, 40.425], "settle_close": [2, 0.3],
                               "settle_resize": [1, 0.2], "settle_order": [2, 0.2], "settle_define": [1, 0.1],
                               "settle_mode": [1, 0.1], "settle": [1, 0.25]})

    def test_close_in_the_background(self):
        """What is left of a close is done by a call on another file, whose time it is not; or by none."""
        a = log(0, [ASYNC, call("close", "-", 1, 1.5), write(1, 2), "write_sync 0 0 0 0 2.0000000 3.0000000",
                    wait("settle_close", 2.5, 3), call("complete", "-", 2.25, 3.25)], 1, "a.nc")
        b = log(0, [ASYNC, wait("full", 0.25, 0.5), call("create", "-", -1, 1), call("sync", "-", 1, 1.25)], 1, "b.nc",
                ZERO + 3 * 10**6)
        for text in (a + b, b.split("call create")[0] + a + "# in %d\ncall create" % (ZERO + 3 * 10**6) + b.split("call create")[1]):
            page = self.page(self.write("q.0", text))
            self.assertEqual(page.row("Time by call", "complete")[2:4], [1, 0.5])
            self.assertEqual(page.row("Time by call", "create")[2:4], [1, 0.25])
            self.assertEqual(page.row("Ranks", "0")[2], 2.75)
            self.assertEqual(page.row("Write queue", "0")[2:6], [2, 0.75, 1.5, 2.75])

    def test_queue_columns(self):
        """More lines than are drawn one by one; waits and writes that follow each other by the thousand."""
        lines, step = [ASYNC], 1 / 1024
        for i in range(6000):
            lines += [write(i * step, (i + 1) * step, 4096)]
            lines += [wait("full", i * step, (i + 0.5) * step)] if i < 3000 else []
        lines += [wait("settle_sync", 3000 * step, 6000 * step), call("sync", "-", 0, 6)]
        page = self.page(self.write("q.0", log(0, lines, 1)))
        row = page.row("Write queue", "0")
        self.assertAlmostEqual(row[4], 1500 / 1024, delta=0.02)
        text = self.text_of(self.path("page.html"))
        self.assertIn("write by the thread, 5.86 s of", text)
        self.assertIn("waited for the queue, ", text)
        self.assertLess(page.bytes, 1 << 18)

    def test_no_queue(self):
        """A recording without it has no word of it."""
        self.two_ranks()
        page = self.page(self.path("log"))
        self.assertNotIn("Write queue", page.sections)
        self.assertNotRegex(" ".join(page.text), "queue|saved|observed")

    def test_queue_advice(self):
        def says(lines, *more):
            return self.advice(self.page(self.write("q.0", log(0, [ASYNC, *more, *lines], 1))))
        put = lambda b, e, n=1 << 22: [f"put 1 512 {n} 0 {b:.7f} {e:.7f}", call("put_var_int_all", "v", b, e, n, way="independent")]
        full = [write(0, 1), wait("full", 0.5, 1), *put(0, 1.25), write(4, 5), call("sync", "-", 6, 6.25)]
        self.assertRegex(says(full), "queue was full 1 times: 500 ms of waiting, 33 %.* 4 MiB on each rank .*phases of computation[.]")
        self.assertRegex(says(full, "# env hint pcdf_debug_async_rate=1000"), "phases of computation, or set a larger pcdf_debug_async_rate")
        busy = [write(0, 6), wait("full", 1, 6), *put(0, 6.25)]
        self.assertRegex(says(busy), "so the storage is the limit")
        for word, remedy in (("get", "read first"), ("order", "one wait_all"), ("put", "before the first put"),
                             ("define", "Define everything"), ("mode", "one data mode"), ("turn", "before the puts")):
            lines = [*put(0, 0.25), write(0, 2), wait(f"settle_{word}", 1, 2), *put(1, 2.25), wait("settle_close", 3, 3.1)]
            self.assertRegex(says(lines), f"waited 1 times, 1 s, until the write queue had written .*{remedy}")
        for word, name in (("close", "close"), ("sync", "sync")):
            lines = [*put(0, 0.25), write(0.25, 2), wait(f"settle_{word}", 0.3, 2), call(name, "-", 0.25, 2.25)]
            self.assertRegex(says(lines), f"saved 50 ms of 1.75 s of writing The program waits in {name} for .*" + ("pcdf_async_close=true" if word == "close" else "next sync"))
        self.assertRegex(says([*put(0, 1, 1 << 24), write(0.5, 0.7), call("close", "-", 2, 2.1)]), "little to save")
        self.assertRegex(says(["at_once 1 512 9 0 0 1", *put(0, 1)]), "no put waited in it")
        self.assertRegex(says(put(0, 1), "# env queue none"), "hint pcdf_async was set, but a file had no")
        good = [*put(0, 0.25), write(0.25, 2), wait("settle_close", 3, 3.01), call("close", "-", 3, 3.1)]
        self.assertIn("Nothing is remarkable", says(good))

    def test_many(self):
        """80,000 calls in eight logs, and thousands of variables: a page below a MiB with all of them counted."""
        for rank in range(8):
            lines = [call(("put", "get")[i % 2] + "_var1_int", f"v{i % 3000}", i * 1e-3, i * 1e-3 + 5e-4, 4, way="independent", why="independent-mode")
                     for i in range(10000)]
            self.write(f"many.{rank}", log(rank, lines, 8))
        page = self.page(self.path("many"))
        self.assertLess(page.bytes, 1 << 20)
        self.assertEqual(sum(r[1] for r in page.sections["Time by call"] if r), 80000)
        self.assertEqual(sum(r[1] for r in page.sections["Time by variable"] if r), 80000)

    def test_benchmarks(self):
        a, b = self.write("a.json", json.dumps(run_of())), self.write("b.json", json.dumps(run_of(write=1.1), indent=1))
        page = self.page(a, b)
        self.assertEqual(page.row("Runs", a)[3:], [2, 8 << 20, 0.7, round(8 / 0.7, 13), 80, 0, 0])
        self.assertEqual(page.row("Runs", b)[5], 1.3)
        self.assertIn("a.json wrote 1.86 times as fast as", self.advice(page))
        self.assertEqual(page.row("Where it ran", "pcdf_defer")[1:], ["9", "9"])
        self.assertIn("Benchmark", self.advice(self.page(a)))
        self.two_ranks()
        both = self.page(a, self.path("log"))
        self.assertTrue({"Phases", "Time line"} <= set(both.sections))

    def test_escaping(self):
        run = run_of(name=EVIL)
        run["environment"]["hosts"] = {EVIL: 2}
        run["environment"]["hints"] = {EVIL: EVIL, "pcdf_engine": EVIL}
        run["phases"]["write"]["mpi"] = {EVIL: 4}
        page = self.page(self.write("<i>&.json", json.dumps(run)))
        self.assertIn("<script>alert(1)</script>&\"'\ufffd", "".join(page.text))
        name = "".join(f"%{b:02X}" for b in EVIL.encode() + b"\xff")
        words = "<b>" + "x" * 40
        lines = [call(words, name, 0, 1, 5, way="<i>", why="<u>"), "<em> 1 2 3 0 0.1 0.2", f"# env <s> {EVIL}"]
        page = self.page(self.write("evil.0", log(0, lines, 1, name)))
        self.assertEqual(page.row("Time by call", words)[1], 1)
        self.assertFalse(page.tags & {"b", "em", "u", "s"} - {"b"})

    def test_hostile(self):
        good = json.dumps(run_of())
        for text, status in (("{", 1), ("[]", 1), ("{}", 1), (good[:-1], 1), (good + "x", 1), ("[" * 100000, 1),
                             (good.replace("0.5", "1e999"), 1), (good.replace("0.5", "-1"), 1), (good.replace("0.5", "NaN"), 1),
                             ('{"a":"\\ud800"}', 1), ('{"a":"\\u0000"}', 1), ('{"a":01}', 1), ('{"a" 1}', 1), ('{"a":"\xff"}', 1),
                             ("{" + '"a":1,' * 250000 + '"b":2}', 1), (" " * (5 << 20) + good, 1),
                             ("", 1), ("\0" * 100, 1), ("call\n" * 10, 1), ("CDF\1" + "\0" * 50, 1), ("# in 5\n# file 0 1 x\n", 1),
                             ("x" * 100000, 1)):
            name = self.write("in", text.encode("latin-1"))
            self.bad(status, "-o", self.path("page.html"), name)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["in"])

    def test_many_members(self):
        """Objects as large as no benchmark writes them are refused at once; hosts may be many."""
        many = {f"k{i}": 1 for i in range(5000)}
        changes = (lambda run: run.update(many), lambda run: run["phases"].update(many),
                   lambda run: run["phases"]["write"]["mpi"].update(many), lambda run: run["phases"]["read"].update(many),
                   lambda run: run["environment"].update(many), lambda run: run["environment"]["hints"].update(many))
        for change in changes:
            run = run_of()
            change(run)
            self.assertIn("more than 1000 members", self.bad(1, self.write("many.json", json.dumps(run))))
        run = run_of()
        run["environment"]["hosts"] = many
        self.page(self.write("many.json", json.dumps(run)))

    def test_hostile_lines(self):
        """Lines that cannot be are left out and counted; the others count."""
        fine = call("sync", "-", 0, 1)
        lines = [fine, call("sync", "-", 1, 0), "call sync - nan nan 0 0 0 - - 0 0", "call sync - 0 1e300 0 0 0 - - 0 0",
                 "call sync - 0 1 -5 0 0 - - 0 0", "call sync - 0 1 99999999999999999999 0 0 - - 0 0", "put 1 2", "put " + "9" * 9000,
                 "call " + "s" * 70 + " - 0 1 0 0 0 - - 0 0", "# file 7 3 x", "# file 0 99999999999 x", "#", "# env", "call sync - 0 1"]
        page = self.page(self.write("lines.0", log(0, lines, 1)[:-1]))
        self.assertEqual(page.row("Time by call", "sync"), ["sync", 1, 1, 0, 0, 0])
        self.assertRegex(" ".join(page.text), r"\b13 lines were not understood")

    def test_groups_without_lines(self):
        """A file that the log only names has no place in time, and moves no other."""
        good = log(0, [call("sync", "-", 0, 1), call("sync", "-", 2, 3)], 1)
        for before, behind in (("# in 5\n", ""), ("# in 5\n# file 0 1 x\n", ""), ("", f"# in {ZERO * 2}\n")):
            page = self.page(self.write("log.0", before + good + behind))
            self.assertEqual(page.row("Files", "out.nc")[3:5], [0, 3])
            self.assertNotIn("nan", self.text_of(self.path("page.html")))

    def test_sentences(self):
        self.two_ranks()
        log_name, out = self.path("log"), self.path("page.html")
        self.bad(2, lines=2)
        self.bad(2, "-x", log_name, lines=2)
        self.bad(2, "-o", lines=2)
        self.assertIn("nowhere.0", self.bad(2, self.path("nowhere")))
        self.bad(2, self.folder.name)
        self.bad(2, "-o", self.path("no/such/folder/page.html"), log_name)
        self.write("page.html", "mine")
        self.bad(2, "-o", out, log_name)
        self.assertEqual(self.text_of(out), "mine")
        self.assertEqual(self.run_it("-o", "/dev/full", log_name).returncode, 2)
        runs = [self.write(f"{i}.json", json.dumps(run_of())) for i in range(17)]
        self.bad(2, "-O", "-o", out, *runs)
        self.assertEqual(self.text_of(out), "mine")


if __name__ == "__main__":
    PARCDF = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
