#!/usr/bin/env python3
"""`parcdf watch`: records as they come, a file that comes later, is redefined or replaced; its options.
usage: watch_test.py PARCDF"""
import json, os, signal, subprocess, sys, tempfile, time, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import runner

PARCDF = None


def build(n, name='r'):
    return Build(5, numrecs=n, dims=[('t', 0), ('x', 5)], vars=[(name, 6, ['t', 'x'], []), ('s', 4, ['t'], [])]).bytes


class Watch(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=runner.MEMORY)
        self.addCleanup(place.cleanup)
        self.path = os.path.join(place.name, 'x.nc')

    def write(self, raw):
        """Beside it, then renamed: as a job with pcdf_atomic_create."""
        with open(self.path + '.new', 'wb') as f:
            f.write(raw)
        os.rename(self.path + '.new', self.path)

    def grow(self, n):
        raw = build(n)
        with open(self.path, 'r+b', buffering=0) as f:
            f.seek(12)
            f.write(raw[12:])
            f.seek(4)
            f.write(raw[4:12])

    def start(self, *words):
        p = subprocess.Popen([PARCDF, 'watch', '--json', '--timeout', '30', *words, self.path], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        self.addCleanup(p.communicate)
        self.addCleanup(p.kill)
        return p

    def test_records_as_they_come(self):
        p = self.start('--wait', '--until', '2')
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'absent')
        self.write(build(1))
        self.assertEqual(json.loads(p.stdout.readline())['record'], 0)
        self.grow(3)
        self.assertEqual([json.loads(p.stdout.readline())['record'] for _ in range(2)], [1, 2])
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'ended')
        self.assertEqual(p.wait(30), 0)

    def test_header_that_comes_late(self):
        """Half a header where a file was waited for: it is told, and waited for."""
        p = self.start('--wait')
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'absent')
        self.write(build(1)[:60])
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'unreadable')
        os.unlink(self.path)
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'absent')
        self.write(build(1))
        self.assertEqual(json.loads(p.stdout.readline())['record'], 0)

    def test_replaced(self):
        self.write(build(2))
        p = self.start('--from', 'last', '--variables', 's')
        one = json.loads(p.stdout.readline())
        self.assertEqual((one['record'], list(one['variables'])), (1, ['s']))
        self.write(build(1))
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'replaced')
        self.assertEqual(json.loads(p.stdout.readline())['record'], 0)
        p.terminate()
        self.assertEqual(p.wait(30), 0)

    def test_redefined(self):
        self.write(build(1))
        p = self.start()
        p.stdout.readline()
        with open(self.path, 'r+b', buffering=0) as f:
            f.write(build(1, 'q'))
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'redefined')

    def put(self, at, raw):
        with open(self.path, 'r+b', buffering=0) as f:
            f.seek(at)
            f.write(raw)

    def test_attribute(self):
        """A redefinition that moves nothing."""
        def with_title(title):
            return Build(5, numrecs=1, dims=[('t', 0)], atts=[('title', 2, title)], vars=[('s', 4, ['t'], [])]).bytes
        self.write(with_title(b'one'))
        p = self.start()
        p.stdout.readline()
        self.put(0, with_title(b'two'))
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'redefined')

    def test_half_a_header(self):
        """A header that is torn, hostile or marked while it is watched ends nothing, and shows nothing."""
        for at, raw, event in ((3, b'\x85', 'changing'), (20, b'\xff' * 8, 'unreadable'), (0, b'XYZ', 'unreadable')):
            with self.subTest(event, at=at):
                self.write(build(1))
                p = self.start()
                self.assertEqual(json.loads(p.stdout.readline())['record'], 0)
                self.put(at, raw)
                self.assertEqual(json.loads(p.stdout.readline())['event'], event)
                self.put(0, build(2))
                self.assertEqual(json.loads(p.stdout.readline())['record'], 1)
                self.assertIsNone(p.poll())

    def test_changed_while_it_is_read(self):
        """A record that takes long to read: its file is marked meanwhile, so it is shown only later."""
        raw = Build(5, numrecs=0, dims=[('t', 0), ('x', 1 << 27)], vars=[('r', 5, ['t', 'x'], [])]).bytes
        self.write(raw)
        os.truncate(self.path, len(raw) + (4 << 27))
        p = self.start()
        time.sleep(0.2)
        self.put(4, (1).to_bytes(8, 'big'))
        time.sleep(0.01)
        self.put(3, b'\x85')
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'changing')
        self.put(3, b'\x05')
        self.assertEqual(json.loads(p.stdout.readline())['record'], 0)

    def test_changed_before_it_is_opened(self):
        """A writer changes definitions without a pause: a header that is changed between the look at it and its open is no
        error."""
        self.write(build(1))
        p, end, i = self.start('--until', '1'), time.monotonic() + 1, 0
        with open(self.path, 'r+b', buffering=0) as f:
            while time.monotonic() < end:
                i += 1
                os.pwrite(f.fileno(), b'\x85', 3)
                raw = build(1, 'ab'[i % 2])
                os.pwrite(f.fileno(), raw[12:], 12)
                os.pwrite(f.fileno(), b'\x05', 3)
        self.grow(2)
        *_, last = p.stdout
        self.assertEqual((json.loads(last)['event'], p.wait(30), p.stderr.read()), ('ended', 0, ''))

    def test_counted_before_it_is_there(self):
        """As other libraries do it: a record that lies behind the end of the file is waited for."""
        self.write(build(1))
        p = self.start()
        p.stdout.readline()
        self.put(4, (2).to_bytes(8, 'big'))
        time.sleep(0.1)
        self.put(12, build(2)[12:])
        self.assertEqual(json.loads(p.stdout.readline())['variables']['r'],
                         self.last_of(build(2))['variables']['r'])

    def last_of(self, raw):
        whole = self.path + '.whole'
        with open(whole, 'wb') as f:
            f.write(raw)
        done = subprocess.run([PARCDF, 'watch', '--json', '--once', '--from', 'last', whole], stdout=subprocess.PIPE,
                              timeout=30)
        return json.loads(done.stdout)

    def test_streaming(self):
        ones, whole = b'\xff' * 8, build(3)
        self.write(whole[:4] + ones + whole[12:-1])  # one byte of the third record is missing
        p = self.start()
        self.assertEqual([json.loads(p.stdout.readline())['record'] for _ in range(2)], [0, 1])
        self.put(len(whole) - 1, whole[-1:])
        self.assertEqual(json.loads(p.stdout.readline())['record'], 2)

    def test_behind(self):
        self.write(build(3))
        done = subprocess.run([PARCDF, 'watch', '--json', '--timeout', '0.3', '--behind', '1', self.path], stdout=subprocess.PIPE, timeout=30)
        self.assertEqual([json.loads(line).get('record') for line in done.stdout.splitlines()], [0, 1, None])

    def test_slow_consumer(self):
        """None is left out, however late they are taken."""
        self.write(build(1))
        p = self.start('--until', '2999')
        for n in range(500, 3001, 500):
            self.grow(n)
        time.sleep(0.5)
        lines = [json.loads(line) for line in p.stdout]
        self.assertEqual([line['record'] for line in lines[:-1]], list(range(3000)))

    def test_interrupted_command(self):
        self.write(build(3))
        p = subprocess.Popen([PARCDF, 'watch', '--exec', 'echo begins; exec sleep 60', self.path], stdout=subprocess.PIPE,
                             text=True, start_new_session=True)
        self.addCleanup(p.communicate)
        self.addCleanup(p.kill)
        while 'begins' not in p.stdout.readline():
            pass
        p.send_signal(signal.SIGTERM)
        self.assertEqual(p.wait(20), 0)

    def test_nobody_reads(self):
        self.write(build(3000))
        p = self.start()
        p.stdout.readline()
        p.stdout.close()
        self.assertEqual((p.wait(30) in (2, -signal.SIGPIPE), p.stderr.read()), (True, ''))
        p.stdout = None

    def test_command(self):
        self.write(build(2))
        done = subprocess.run([PARCDF, 'watch', '-q', '--once', '--exec', 'echo {} $PARCDF_RECORD; exit 7', self.path],
                              capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stdout), (0, '0 0\n1 1\n'))
        self.assertEqual(done.stderr.count('ended with status 7'), 2)

    def test_timeout(self):
        self.write(build(0))
        done = subprocess.run([PARCDF, 'watch', '--timeout', '0.1', self.path], capture_output=True, timeout=30)
        self.assertEqual(done.returncode, 3)


if __name__ == '__main__':
    PARCDF = sys.argv.pop(1)
    unittest.main()
