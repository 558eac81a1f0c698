#!/usr/bin/env python3
"""`parcdf watch`: records as they come, a file that comes later, is redefined or replaced; its options.
usage: watch_test.py PARCDF"""
import json, os, subprocess, sys, tempfile, time, unittest
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
        time.sleep(0.2)  # there is no file yet
        self.write(build(1))
        self.assertEqual(json.loads(p.stdout.readline())['record'], 0)
        self.grow(3)
        self.assertEqual([json.loads(p.stdout.readline())['record'] for _ in range(2)], [1, 2])
        self.assertEqual(json.loads(p.stdout.readline())['event'], 'ended')
        self.assertEqual(p.wait(30), 0)

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
