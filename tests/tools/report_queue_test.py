#!/usr/bin/env python3
"""Fixes that the page of `parcdf report` about a run with a write queue (hint pcdf_async) says what its logs say: puts,
writes, waits, time saved and observed rate, added up here in another way. On 2 ranks, with a storage of 40 MB/s, with much memory, with too little, and with a close in the background.
usage: report_queue_test.py PARCDF MPIEXEC (PARCDF: with the storages of tests/support)"""
import os, re, shlex, subprocess, sys, tempfile, unittest
from report_test import Page

PARCDF, MPIEXEC = None, None
RATE = 40e6


class Log:
    """Of one rank: spans of operations by name, and of calls; seconds since the first file's second 0."""

    def __init__(self, name):
        self.spans, self.calls, self.bytes, self.hints, zero = {}, [], {}, set(), 0
        first, self.reading = None, set()
        with open(name) as f:
            lines = f.readlines()
        for line in lines:
            w = line.split()
            if line.startswith("# in "):
                zero = int(w[2])
                first = first or zero
            elif line.startswith("# env hint "):
                self.hints.add(w[3])
            elif w[0] == "call":
                if w[1] == "open":
                    self.reading.add(zero)
                if zero not in self.reading:
                    self.calls.append(self.span(w[3:5], zero - first) + (int(w[5]), w[1]))
            elif w[0] != "#" and zero not in self.reading:
                self.spans.setdefault(w[0], []).append(self.span(w[5:7], zero - first))
                self.bytes[w[0]] = self.bytes.get(w[0], 0) + int(w[3])

    def span(self, words, shift):
        return tuple(float(x) + shift * 1e-6 for x in words)

    def of(self, *begins):
        return [s for op, spans in self.spans.items() if op.startswith(begins) for s in spans]

    def seconds(self, *begins):
        return sum(end - begin for begin, end in self.of(*begins))


def together(a, b):
    return sum(max(0, min(x[1], y[1]) - max(x[0], y[0])) for x in a for y in b)


class Queue(unittest.TestCase):
    def run_bench(self, hints):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            log = os.path.join(folder, "log")
            hints = f"pcdf_trace={log};pcdf_throttle=100:{RATE:.0f};{hints}"
            bench = [PARCDF, "bench", "--dir", folder, "--grid", "32x128x128", "--records", "3", "--compute", "0.15",
                     "--read-ranks", "2"]
            done = subprocess.run([*shlex.split(MPIEXEC), "-n", "2", *bench, "--hints", hints], capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            page = subprocess.run([PARCDF, "report", log], capture_output=True, text=True, timeout=60)
            self.assertEqual((page.returncode, page.stderr), (0, ""))
            return Page(page.stdout), [Log(f"{log}.{rank}") for rank in (0, 1)]

    def check(self, hints):
        """The rows of the page, and the logs."""
        page, logs = self.run_bench(hints)
        rows = {r[0].split("\n")[0]: [x for x in r[1:] if x != ""] for r in page.sections["Write queue"] if r}
        near = lambda a, b: self.assertAlmostEqual(a, b, delta=1e-3 + 0.01 * abs(b))
        written = sum(log.bytes["write"] for log in logs)
        self.assertEqual(written + rows["at once"][2], sum(log.bytes.get(op, 0) for log in logs for op in ("put", "put_two_phase")))
        self.assertEqual((rows["write"][0], rows["write"][2]), (sum(len(log.of("write")) for log in logs), written))
        near(rows["write"][1], sum(log.seconds("write") for log in logs))
        self.assertGreater(rows["write"][1], 0.9 * written / RATE)
        waits = [r for name, r in rows.items() if name == "full" or name.startswith("settle")]
        self.assertEqual(sum(r[0] for r in waits), sum(len(log.of("full", "settle")) for log in logs))
        near(sum(r[1] for r in waits), sum(log.seconds("full", "settle") for log in logs))
        for rank, log in enumerate(logs):
            writes, waited, puts = log.of("write"), log.of("full", "settle"), log.of("put")
            own = log.seconds("put") - together(puts, waited) - log.seconds("at_once")
            near(rows[str(rank)][0], own)
            near(rows[str(rank)][1], log.seconds("write"))
            near(rows[str(rank)][2], log.seconds("full", "settle"))
            # The page takes spans with less than 1 % between them as one.
            self.assertAlmostEqual(rows[str(rank)][3], log.seconds("write") - together(writes, waited),
                                   delta=1e-3 + 0.01 * log.seconds("write"))
            near(rows[str(rank)][4], sum(c[1] - c[0] for c in log.calls))
            self.assertLessEqual(rows[str(rank)][6], sum(c[2] for c in log.calls) + log.bytes["write"])
            self.assertGreater(rows[str(rank)][6], 0)
        near(rows["saved"][0], sum(rows[str(rank)][3] for rank in (0, 1)))
        rate = sum(c[2] for log in logs for c in log.calls) / max(rows[str(rank)][4] for rank in (0, 1)) / (1 << 20)
        told = re.search(r"observed rate\W+([\d.]+) (\w+)", " ".join(page.text))
        near(float(told[1]) * {"MiB": 1, "GiB": 1024}[told[2]], rate)
        return rows, logs

    def test_room(self):
        rows, logs = self.check("pcdf_async=67108864")
        self.assertNotIn("full", rows)
        self.assertGreater(rows["saved"][0], 0)
        self.assertIn("pcdf_async=67108864", logs[0].hints)

    def test_full(self):
        rows, _ = self.check("pcdf_async=1000000")
        self.assertGreater(rows["full"][1], 0)

    def test_close_in_the_background(self):
        _, logs = self.check("pcdf_async=67108864;pcdf_async_close=true")
        self.assertEqual([c[3] for c in logs[0].calls][-2:], ["close", "complete"])


if __name__ == "__main__":
    PARCDF, MPIEXEC = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
