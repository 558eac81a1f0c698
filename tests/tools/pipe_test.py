#!/usr/bin/env python3
"""`parcdf copy` to and from pipes that are not as pipes are by themselves: which do not block, whose file system tells of
a failure at the end, whose file is changed while it is sent, and which bring other records than were asked for.
usage: pipe_test.py PARCDF"""
import fcntl, os, shutil, subprocess, sys, tempfile, time, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import cdf

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2
ONES = {1: b'\xff' * 4, 2: b'\xff' * 4, 5: b'\xff' * 8}
PIPE, PIECE = 1 << 20, 256 << 10  # what a pipe of ours holds; what is read at once


def some(version=5, numrecs=4, x=3, **more):
    return Build(version, numrecs=numrecs, dims=[('t', 0), ('x', x)], vars=[('r', 1, ['t', 'x'], []), ('s', 4, ['t'], [])], **more)


def streamed(b):
    n = len(ONES[b.version])
    return b.bytes[:4] + ONES[b.version] + b.bytes[4 + n:]


class Pipes(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), 'wb') as f:
            f.write(data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), 'rb') as f:
            return f.read()

    def run_copy(self, *args, sent=b'', **more):
        p = subprocess.run([PARCDF, 'copy', *args], input=sent, stdout=more.pop('stdout', subprocess.PIPE), stderr=subprocess.PIPE,
                           timeout=60, **more)
        return p.returncode, p.stdout, p.stderr.decode()

    # ---- records that were asked for

    def test_records(self):
        for version in 1, 5:
            b = some(version)
            for sent in b.bytes, streamed(b):
                self.assertEqual(self.run_copy('-O', '--records', '4', '-', self.path('o.nc'), sent=sent), (GOOD, b'', ''))
                self.assertEqual(self.read('o.nc'), b.bytes)
                os.unlink(self.path('o.nc'))
            for n, cut in (4, b.recsize), (4, 3), (3, 0), (3, b.recsize - 2), (5, 0), (0, 0):
                status, _, err = self.run_copy('--records', str(n), '-', self.path('o.nc'), sent=streamed(b)[:len(b.bytes) - cut])
                self.assertEqual(status, UNUSABLE, (n, cut, err))
                self.assertIn('instead of the %d records of --records: nothing is delivered' % n, err)
                self.assertEqual(os.listdir(self.folder), [], (n, cut))
        for args in ('--records', '-1', '-', 'o'), ('--records', '4x', '-', 'o'), ('--records', '4', 'a', '-'), \
                ('--records', '4', '--partial', '-', 'o'):
            status, _, err = self.run_copy(*args)
            self.assertEqual((status, 'usage' in err), (UNUSABLE, True), (args, err))

    # ---- variables that have no records behind those that do

    def test_order(self):
        def odd(put):
            return Build(5, numrecs=3, dims=[('t', 0), ('x', 3)], vars=[('f', 6, ['x'], []), ('r', 4, ['t'], [])], put=put)
        b = odd({})
        b = odd({'var:r:begin': b.begin['f'], 'var:f:begin': b.begin['f'] + 12})
        a = self.write('a.nc', b.bytes)
        self.assertEqual(self.run_copy(a, '-'), (GOOD, b.bytes, ''))
        self.assertEqual(self.run_copy('--records', '3', '-', self.path('b.nc'), sent=b.bytes), (GOOD, b'', ''))
        self.assertEqual(self.read('b.nc'), b.bytes)

    # ---- ends that do not block

    def test_non_blocking(self):
        b = some(numrecs=3, x=1 << 20)  # 3 MiB
        a, out = self.write('a.nc', b.bytes), self.path('b.nc')
        near, far = os.pipe()
        for end in near, far:
            os.set_blocking(end, False)
        sender = subprocess.Popen([PARCDF, 'copy', a, '-'], stdout=far, stderr=subprocess.PIPE)
        os.close(far)
        time.sleep(0.7)  # it fills the pipe, and has to wait
        receiver = subprocess.Popen([PARCDF, 'copy', '-', out], stdin=near, stderr=subprocess.PIPE)
        os.close(near)
        for p in sender, receiver:
            err = p.communicate(timeout=60)[1]
            self.assertEqual((p.returncode, err), (GOOD, b''))
        self.assertEqual(self.read('b.nc'), b.bytes)
        # and where nothing has come yet
        near, far = os.pipe()
        os.set_blocking(near, False)
        receiver = subprocess.Popen([PARCDF, 'copy', '-O', '-', out], stdin=near, stderr=subprocess.PIPE)
        os.close(near)
        for i in range(4):
            time.sleep(0.2)
            os.write(far, b.bytes[40000 * i:40000 * (i + 1)])
        with os.fdopen(far, 'wb') as f:
            f.write(b.bytes[160000:])
        self.assertEqual((receiver.communicate(timeout=60)[1], receiver.returncode), (b'', GOOD))
        self.assertEqual(self.read('b.nc'), b.bytes)

    # ---- what a file system tells at the end

    def test_end(self):
        b = some()
        a, shim = self.write('a.nc', b.bytes), os.environ.get('SHIM')
        with open('/dev/full', 'wb') as out:
            status, _, err = self.run_copy(a, '-', stdout=out)
        self.assertEqual(status, UNUSABLE)
        self.assertIn('standard output: No space left on device', err)
        if not shim:
            return
        for fails, to_file, want in ('sync:1:EIO', True, 'Input/output'), ('close:1:EDQUOT', True, 'quota'), \
                ('close:1:EDQUOT', False, 'quota'), ('sync:1:EIO', False, ''):
            report = self.path('report')
            # only what copy itself opens counts: the files of MPI are elsewhere
            os.mkdir(self.path('empty'))
            env = dict(os.environ, LD_PRELOAD=shim, PCDF_SHIM_FOLDER=self.path('empty'), PCDF_SHIM_STDOUT='1', PCDF_SHIM_FAIL=fails,
                       PCDF_SHIM_REPORT=report)
            out = open(self.path('out'), 'wb') if to_file else subprocess.PIPE
            status, _, err = self.run_copy(a, '-', stdout=out, env=env)
            if to_file:
                out.close()
            self.assertEqual(status, UNUSABLE if want else GOOD, (fails, to_file, err))
            self.assertIn(want, err)
            os.rmdir(self.path('empty'))

    # ---- a file that changes while it is sent

    def blocked(self, *args):
        """A sender that has filled the pipe and waits."""
        p = subprocess.Popen([PARCDF, 'copy', *args, '-'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first = os.read(p.stdout.fileno(), 100)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            n = int.from_bytes(fcntl.ioctl(p.stdout.fileno(), 0x541B, b'\0\0\0\0'), sys.byteorder)  # FIONREAD
            if n >= PIPE - PIECE:
                break
            time.sleep(0.01)
        time.sleep(0.05)
        return p, first

    def test_redefined(self):
        b = some(numrecs=4, x=1 << 20, atts=[('title', 2, b'before')])
        other = some(numrecs=4, x=1 << 20, atts=[('title', 2, b'behind')])
        whole = streamed(b)
        moved = bytes(255 for _ in range(len(b.bytes) - b.header_size))
        marked = bytes([b.bytes[3] | 0x80])
        for change in [[(3, marked), (b.header_size, moved)],  # it is under way
                       [(3, marked), (b.header_size, moved), (0, other.bytes[:b.header_size])]]:  # it is over
            a = self.write('a.nc', b.bytes)
            p, first = self.blocked('--stream', a)
            with open(a, 'r+b') as f:
                for at, data in change:
                    f.seek(at)
                    f.write(data)
                    f.flush()
            rest, err = p.communicate(timeout=60)
            sent = first + rest
            self.assertEqual((p.returncode, 'its definitions changed while it was sent' in err.decode()), (BAD, True), err)
            self.assertLess(len(sent), len(whole))
            self.assertGreater(len(sent), PIECE)
            self.assertEqual(sent, whole[:len(sent)])  # nothing of the other state
            status = self.run_copy('-O', '-', self.path('c.nc'), sent=sent)[0]
            self.assertEqual(status, BAD)
            got = cdf.File(self.path('c.nc'))
            self.assertEqual(got.bytes[12:b.begin_rec + got.numrecs * b.recsize], b.bytes[12:b.begin_rec + got.numrecs * b.recsize])

    def test_counted(self):
        """A number that becomes larger is no change of definitions."""
        b = some(numrecs=4, x=1 << 20)
        a = self.write('a.nc', b.bytes)
        p, first = self.blocked(a)
        with open(a, 'r+b') as f:
            f.seek(0, 2)
            f.write(b.bytes[b.begin_rec:b.begin_rec + b.recsize])
            f.seek(4)
            f.write(bytes(7) + b'\5')
        rest, err = p.communicate(timeout=60)
        self.assertEqual((p.returncode, err), (GOOD, b''))
        self.assertEqual(first + rest, b.bytes)

    def test_shorter(self):
        b = some(numrecs=4, x=1 << 20)
        a = self.write('a.nc', b.bytes)
        p, first = self.blocked(a)
        os.truncate(a, 3 << 20)
        rest, err = p.communicate(timeout=60)
        self.assertEqual((p.returncode, 'became shorter' in err.decode()), (UNUSABLE, True), err)
        self.assertEqual(first + rest, b.bytes[:len(first + rest)])


if __name__ == '__main__':
    PARCDF = sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)
