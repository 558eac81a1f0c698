#!/usr/bin/env python3
"""`parcdf watch` beside a job of two writers with pcdf_commit=step at full speed, that redefines its file and begins it anew, and is killed
in the end: no half record is shown, and none is left out of a file whose end is seen. Then: how long after its commit a record is seen.
usage: watch_beside_test.py PARCDF MPIEXEC FOLLOWERS [RECORDS]    environment: RANKS of the job, 3; SHIM, preloaded into watch, makes it a
client of NFS (tests/support/nfsshim.c)"""
import glob, json, os, statistics, subprocess, sys, tempfile, threading, time, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import runner

PARCDF, MPIEXEC, FOLLOWERS, RECORDS = None, None, None, 3500
RANKS, SHIM = os.environ.get('RANKS', '3'), os.environ.get('SHIM')
LENGTH = (64, 16, 33, 1)  # of followers.c


class Beside(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=runner.MEMORY)
        self.addCleanup(place.cleanup)
        self.folder = place.name

    def start(self, words, **more):
        p = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(p.communicate)
        self.addCleanup(p.terminate)  # not killed: mpiexec ends its ranks
        return p

    def watch(self, words):
        client = {'LD_PRELOAD': SHIM, 'PCDF_NFSSHIM_FOLDER': self.folder} if SHIM else {}
        return self.start(words, env={**os.environ, **client})

    def whole(self, line):
        """The values that followers.c writes."""
        for v, n in enumerate(LENGTH):
            first, seen = line['record'] * 1000 + v * 100 + 1, line['variables']['v%d' % v]
            self.assertEqual((seen['min'], seen['max'], seen['missing']), (first, first + n - 1, 0), line)

    def test_writers(self):
        job = self.start([*MPIEXEC.split(), '-n', RANKS, FOLLOWERS, self.folder, '100000000'])
        end = time.monotonic() + 60
        while not glob.glob(self.folder + '/*.nc') and time.monotonic() < end:
            time.sleep(0.01)
        path = glob.glob(self.folder + '/*.nc')[0]
        watch = self.watch([PARCDF, 'watch', '--json', '--wait', '--timeout', '4', path])
        records, expected, events = 0, 0, []
        for text in watch.stdout:
            line = json.loads(text)
            if line['event'] == 'record':
                self.assertEqual(line['record'], expected)
                self.whole(line)
                records, expected = records + 1, expected + 1
                if records == RECORDS:
                    job.terminate()  # its launcher ends the ranks
            else:
                events.append(line['event'])
                expected = 0 if line['event'] == 'replaced' else expected
        self.assertGreaterEqual(records, RECORDS)
        self.assertIn('redefined', events)
        self.assertIn(events[-1], ('timeout',))
        self.assertEqual((watch.wait(30), watch.stderr.read()), (3, ''))

    def test_latency(self):
        path, n, committed, late = self.folder + '/x.nc', 200, {}, []
        raw = Build(5, numrecs=n, dims=[('t', 0), ('x', 5)], vars=[('r', 6, ['t', 'x'], [])]).bytes
        one = len(raw) - len(Build(5, numrecs=n - 1, dims=[('t', 0), ('x', 5)], vars=[('r', 6, ['t', 'x'], [])]).bytes)
        first = len(raw) - n * one
        with open(path, 'wb') as f:
            f.write(raw[:4] + bytes(8) + raw[12:first])
        watch = self.watch([PARCDF, 'watch', '--json', '--until', str(n - 1), path])

        def write():
            with open(path, 'r+b', buffering=0) as f:
                for i in range(n):
                    time.sleep(0.01)
                    os.pwrite(f.fileno(), raw[first + i * one:first + (i + 1) * one], first + i * one)
                    committed[i] = time.monotonic()
                    os.pwrite(f.fileno(), (i + 1).to_bytes(8, 'big'), 4)
        writer = threading.Thread(target=write)
        writer.start()
        for text in watch.stdout:
            line = json.loads(text)
            if line['event'] == 'record':
                late.append(time.monotonic() - committed[line['record']])
        writer.join()
        print('from commit to sight: median %.2f ms, worst %.2f ms of %d' % (1e3 * statistics.median(late), 1e3 * max(late), len(late)))
        self.assertEqual(len(late), n)
        self.assertLess(statistics.median(late), 0.01)


if __name__ == '__main__':
    RECORDS = int(sys.argv.pop(4)) if len(sys.argv) > 4 and sys.argv[4].isdigit() else RECORDS
    PARCDF, MPIEXEC, FOLLOWERS = sys.argv[1:4]
    del sys.argv[1:4]
    unittest.main()
