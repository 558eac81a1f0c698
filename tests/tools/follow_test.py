#!/usr/bin/env python3
"""`parcdf copy --stream --follow FROM -`: a file goes through a pipe while it is written. At each instant the bytes that came are a file
whose whole records are records that the writer had counted; what the stream ends with is what its options, a signal, or a
change of the file say.
usage: follow_test.py PARCDF"""
import os, random, shutil, signal, struct, subprocess, sys, tempfile, threading, time, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import cdf

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2
ONES = {1: b'\xff' * 4, 2: b'\xff' * 4, 5: b'\xff' * 8}
SEED = int(os.environ.get('SEED', random.randrange(2 ** 32)))


class Writer:
    """Writes a file as a job does: in pieces, a record's number behind its data, or none (STREAMING)."""

    def __init__(self, path, version, streams, numrecs):
        self.b = Build(version, numrecs=numrecs, dims=[('t', 0), ('x', 700)], vars=[('f', 4, ['x'], []), ('r', 1, ['t', 'x'], []), ('s', 6, ['t'], [])])
        self.path, self.streams, self.n, self.r = path, streams, 0, random.Random(SEED)
        width = len(ONES[version])
        self.whole = self.b.bytes[:4] + ONES[version] + self.b.bytes[4 + width:]
        with open(path, 'wb') as f:
            f.write(self.whole[:self.b.header_size] if streams else self.counted(0) + self.whole[4 + width:self.b.header_size])
        self.file = open(path, 'r+b', buffering=0)

    def counted(self, n):
        return self.whole[:4] + struct.pack('>Q' if self.b.version == 5 else '>I', n)

    def put(self, begin, end):
        at = begin
        while at < end:
            n = min(end - at, self.r.randint(1, 2000))
            os.pwrite(self.file.fileno(), self.whole[at:at + n], at)
            at += n

    def fixed(self):
        self.put(self.b.header_size, self.b.begin_rec)

    def record(self):
        at = self.b.begin_rec + self.n * self.b.recsize
        self.put(at, at + self.b.recsize)
        self.n += 1
        if not self.streams:
            os.pwrite(self.file.fileno(), self.counted(self.n)[4:], 4)

    def part(self):
        at = self.b.begin_rec + self.n * self.b.recsize
        os.pwrite(self.file.fileno(), self.whole[at:at + self.b.recsize - 9], at)

    def until(self, n):
        return self.whole[:self.b.begin_rec + n * self.b.recsize]


class Follow(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, 'a.nc')

    def start(self, *args):
        p = subprocess.Popen([PARCDF, 'copy', '--stream', '--follow', *args, self.path, '-'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(p.kill)
        return p

    def take(self, p, n, wait=20):
        """n bytes, or fewer where no more came in time."""
        os.set_blocking(p.stdout.fileno(), False)
        got, end = b'', time.monotonic() + wait
        while len(got) < n and time.monotonic() < end:
            piece = p.stdout.read(n - len(got))
            got += piece or b''
            if not piece:
                time.sleep(0.002)
        return got

    def rest(self, p):
        os.set_blocking(p.stdout.fileno(), True)
        out, err = p.communicate(timeout=30)
        return out, err.decode()

    def test_each(self):
        for version, streams in (1, False), (5, False), (5, True), (2, True):
            w = Writer(self.path, version, streams, 9)
            p = self.start('--timeout', '30')
            self.assertEqual(self.take(p, 1, 0.6), b'')  # nothing goes before the first record
            w.fixed()
            got = b''
            for n in range(1, 7):
                w.record()
                got += self.take(p, len(w.until(n)) - len(got))
                self.assertEqual(got, w.until(n), (SEED, version, streams, n))
            w.part()
            self.assertEqual(self.take(p, 1, 0.3), b'')  # no half record
            p.send_signal(signal.SIGSTOP)
            w.record()
            w.record()  # what was counted before the signal is sent
            p.send_signal(signal.SIGINT if streams else signal.SIGTERM)
            p.send_signal(signal.SIGCONT)
            out, err = self.rest(p)
            self.assertEqual((p.returncode, err, got + out), (GOOD, '', w.until(8)), (SEED, version, streams))
            out = os.path.join(self.folder, 'out.nc')
            r = subprocess.run([PARCDF, 'copy', '-O', '--records', '8', '-', out], input=w.until(8), capture_output=True, timeout=60)
            self.assertEqual((r.returncode, r.stderr), (GOOD, b''))
            with open(out, 'rb') as f:
                self.assertEqual(f.read(), w.counted(8) + w.until(8)[4 + len(ONES[version]):])

    def test_fast(self):
        """A writer at full speed, into the command's other end."""
        n, out = 3000, os.path.join(self.folder, 'out.nc')
        for streams in False, True:
            w = Writer(self.path, 5, streams, n)
            w.fixed()
            p = self.start('--records', str(n - 1))
            q = subprocess.Popen([PARCDF, 'copy', '-O', '--records', str(n - 1), '-', out], stdin=p.stdout, stderr=subprocess.PIPE)
            p.stdout.close()
            for i in range(n):
                w.record()
            self.assertEqual((q.communicate(timeout=60)[1], q.returncode, p.wait(30), p.stderr.read()), (b'', GOOD, GOOD, b''))
            with open(out, 'rb') as f:
                self.assertEqual(f.read()[12:], w.until(n - 1)[12:])

    def test_ends(self):
        def begin(*args, records=3):
            w = Writer(self.path, 5, False, 9)
            w.fixed()
            for i in range(records):
                w.record()
            return w, self.start(*args)
        w, p = begin('--records', '2')  # it has more
        self.assertEqual((self.rest(p), p.returncode), ((w.until(2), ''), GOOD))
        w, p = begin('--timeout', '0.3')
        self.assertEqual((self.rest(p), p.returncode), ((w.until(3), ''), GOOD))
        w, p = begin('--timeout', '0.3', '--behind', '2')
        self.assertEqual((self.rest(p), p.returncode), ((w.until(1), ''), GOOD))
        w, p = begin('--timeout', '0.3', '--records', '4')
        out, err = self.rest(p)
        self.assertEqual((out, '3 of 4 records came' in err, p.returncode), (w.until(3), True, BAD))
        w, p = begin('--timeout', '0.3', records=0)
        self.assertEqual((self.rest(p), p.returncode), ((w.until(0), ''), GOOD))
        out, changes = os.path.join(self.folder, 'b.nc'), [
            ('definitions changed', lambda w: os.pwrite(w.file.fileno(), b'q', w.b.at['var:r:name'])),
            ('another file', lambda w: os.replace(shutil.copy(self.path, out), self.path)),
            ('begins anew', lambda w: os.pwrite(w.file.fileno(), bytes(8), 4)),
            ('is gone', lambda w: os.unlink(self.path))]
        for words, change in changes:
            w, p = begin()
            got = self.take(p, len(w.until(3)))
            change(w)
            if words != 'begins anew':
                w.record()
            out_, err = self.rest(p)
            self.assertEqual((got + out_, p.returncode, words in err), (w.until(3), BAD, True), (words, err))

    def test_marked(self):
        """Definitions that are being changed: nothing is sent, and the file is not given up."""
        w = Writer(self.path, 5, False, 9)
        w.fixed()
        w.record()
        p = self.start('--records', '2')
        got = self.take(p, len(w.until(1)))
        os.pwrite(w.file.fileno(), b'\x85', 3)
        w.record()
        self.assertEqual(self.take(p, 1, 0.5), b'')
        os.pwrite(w.file.fileno(), b'\x05', 3)
        self.assertEqual((got + self.rest(p)[0], p.returncode), (w.until(2), GOOD))

    def test_refused(self):
        def refused(words, *args, status=UNUSABLE):
            p = self.start(*args)
            out, err = self.rest(p)
            self.assertEqual((out, p.returncode, words in err), (b'', status, True), err)
        refused('No such file')
        for data, words, status in [(b'hello, world, this is text', 'this is text', BAD), (bytes(0), 'no header came', UNUSABLE),
                                    (Build(5, dims=[('x', 3)], vars=[('f', 4, ['x'], [])]).bytes, 'nothing to follow', UNUSABLE)]:
            with open(self.path, 'wb') as f:
                f.write(data)
            refused(words, '--timeout', '0.5', status=status)
        for args in ['--follow', self.path, '-'], ['--stream', '--follow', self.path, 'b.nc'], ['--stream', '--follow', '-V', 'x', self.path, '-'], \
                ['--timeout', '3', self.path, '-'], ['--stream', '--follow', '--timeout', '-1', self.path, '-'], ['--stream', '--behind', '2', self.path, '-']:
            r = subprocess.run([PARCDF, 'copy', *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual((r.returncode, b'usage' in r.stderr), (UNUSABLE, True), (args, r.stderr))


if __name__ == '__main__':
    PARCDF = sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)
