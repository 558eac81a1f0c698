#!/usr/bin/env python3
"""`parcdf watch` where it is hard: output that cannot be written, commands of --exec and their ends, signals, terminals, files that are
taken away or shrink, ten thousand variables, a record of 2 GiB.
usage: watch_limits_test.py PARCDF    environment: SANITIZED: memory is not looked at"""
import fcntl, glob, json, os, pty, re, resource, select, signal, struct, subprocess, sys, tempfile, termios, time, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import runner

PARCDF, SANITIZED = None, bool(os.environ.get('SANITIZED'))
LIMIT = 30


def build(n, name='r', more=()):
    return Build(5, numrecs=n, dims=[('t', 0), ('x', 50)], vars=[(name, 6, ['t', 'x'], []), ('s', 4, ['t'], []), *more]).bytes


class Limits(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=runner.MEMORY)
        self.addCleanup(place.cleanup)
        self.folder = place.name
        self.path = os.path.join(place.name, "a 'b\" $c.nc")

    def write(self, raw, size=None):
        with open(self.path + '.new', 'wb') as f:
            f.write(raw)
            f.truncate(size or len(raw))
        os.rename(self.path + '.new', self.path)

    def put(self, at, raw):
        with open(self.path, 'r+b', buffering=0) as f:
            f.seek(at)
            f.write(raw)

    def start(self, *words, stdout=subprocess.PIPE, **more):
        p = subprocess.Popen([PARCDF, 'watch', '--timeout', str(LIMIT), *words, self.path], stdout=stdout, stderr=subprocess.PIPE,
                             text=True, **more)
        self.addCleanup(p.communicate)
        self.addCleanup(p.kill)
        return p

    def events(self, p, n):
        """Of n lines: the numbers of records, the words of other events."""
        lines = [json.loads(p.stdout.readline()) for _ in range(n)]
        return [line.get('record', line['event']) for line in lines]

    # -- output that cannot be written -----------------------------------------------------------------------------
    def test_full(self):
        """It ends, says so, and goes no further: also where only an event was to be told."""
        for words, there in ((('--json',), True), ((), True), (('--json', '--wait'), False), (('--json', '--once'), True)):
            with self.subTest(words, there=there):
                if there:
                    self.write(build(5))
                elif os.path.exists(self.path):
                    os.unlink(self.path)
                marks = self.folder + '/marks'
                with open('/dev/full', 'w') as full:
                    p = self.start(*words, '--exec', 'echo {} >> ' + marks, stdout=full)
                    self.assertEqual((p.wait(LIMIT), p.stderr.read()), (2, 'parcdf: standard output cannot be written\n'))
                self.assertFalse(os.path.exists(marks), 'a command ran for a record that was not told')

    def test_full_in_a_line(self):
        """What is there are whole lines, and the beginning of one."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        self.write(build(1000))
        with open(self.folder + '/lines', 'w+') as lines:
            p = self.start('--json', stdout=lines, preexec_fn=limit)
            self.assertEqual((p.wait(LIMIT), p.stderr.read()), (2, 'parcdf: standard output cannot be written\n'))
            lines.seek(0)
            whole, _, rest = lines.read().rpartition('\n')
        self.assertEqual([json.loads(line)['record'] for line in whole.splitlines()], list(range(whole.count('\n') + 1)))
        self.assertFalse(rest.endswith('}}'))

    def test_nobody_reads(self):
        """As other programs: the signal, or where that is ignored status 2 and a sentence. No command runs behind it."""
        for ignored in (False, True):
            with self.subTest(ignored=ignored):
                self.write(build(3000))
                p = self.start('--json', restore_signals=not ignored)
                p.stdout.readline()
                p.stdout.close()
                want = (2, 'parcdf: standard output cannot be written\n') if ignored else (-signal.SIGPIPE, '')
                self.assertEqual((p.wait(LIMIT), p.stderr.read()), want)
                p.stdout = None

    # -- commands --------------------------------------------------------------------------------------------------
    def test_command_and_name(self):
        """The name of the file goes through the environment: nothing of it is the shell's."""
        self.write(build(2))
        p = self.start('-q', '--once', '--exec', 'echo "{}-{}{} $PARCDF_RECORD <$PARCDF_FILE>"')
        out, err = p.communicate(timeout=LIMIT)
        self.assertEqual((out, err), (''.join(f'{i}-{i}{i} {i} <{self.path}>\n' for i in range(2)), ''))

    def test_ends_of_commands(self):
        """Told as the shell tells them; also where the program was started with SIGCHLD ignored."""
        self.write(build(1))
        for ignores in (False, True):
            for command, status in (('exit 3', 3), ('kill -9 $$', 137), ('no_such_command_at_all 2>/dev/null', 127), ('true', None)):
                with self.subTest(command, ignores=ignores):
                    p = self.start('-q', '--once', '--exec', command,
                                   preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN if ignores else signal.SIG_DFL))
                    err = p.communicate(timeout=LIMIT)[1]
                    told = f'parcdf: {self.path}: the command of record 0 ended with status {status}\n' if status else ''
                    self.assertEqual((p.returncode, err), (0, told))

    def test_once_for_each_record(self):
        """However often the definitions change, and whatever comes at once; and no child stays behind, ended but not waited for."""
        self.write(build(0))
        marks = self.folder + '/marks'
        p = self.start('--json', '--until', '199', '--exec', 'echo {} >> ' + marks)
        for n in range(20, 201, 20):
            raw = build(n, 'rq'[n // 20 % 2])
            self.put(3, b'\x85')  # as a redefinition marks the file
            self.put(12, raw[12:])
            self.put(3, raw[3:12])
            time.sleep(0.05)
            self.assertEqual(self.zombies(p.pid), [])
        lines = [json.loads(line) for line in p.stdout]
        self.assertEqual([line['record'] for line in lines if line['event'] == 'record'], list(range(200)))
        with open(marks) as f:
            self.assertEqual([int(word) for word in f], list(range(200)))
        self.assertEqual(p.wait(LIMIT), 0)

    def zombies(self, parent):
        """Children that are so for some time: one may have ended just now."""
        def now():
            found = set()
            for path in glob.glob('/proc/[0-9]*/stat'):
                try:
                    with open(path) as f:
                        state, of = f.read().rpartition(')')[2].split()[:2]
                    if state == 'Z' and int(of) == parent:
                        found.add(path)
                except OSError:
                    pass
            return found
        before = now()
        if before:
            time.sleep(0.2)
        return sorted(before & now())

    def test_signal_while_a_command_runs(self):
        """It goes on to the command, at whatever instant it comes; the command may take its time to end."""
        self.write(build(1))
        for i in range(20):
            p = self.start('-q', '--exec', "trap 'sleep 0.01; echo ended; exit' TERM; echo begins; while :; do sleep 0.005; done")
            self.assertEqual(p.stdout.readline(), 'begins\n')
            time.sleep(0.001 * i)
            p.send_signal((signal.SIGINT, signal.SIGTERM)[i % 2])
            self.assertEqual((p.wait(LIMIT), p.stdout.read(), p.stderr.read()), (0, 'ended\n', ''))

    def test_signals_at_any_instant(self):
        """None is lost, wherever the program is: it ends at once, with status 0."""
        self.write(build(200))
        for i in range(30):
            p = self.start('--json', '--interval', '20')
            p.stdout.readline()
            time.sleep(0.0004 * i)
            began = time.monotonic()
            p.send_signal((signal.SIGINT, signal.SIGTERM)[i % 2])
            p.stdout.read()
            self.assertEqual(p.wait(LIMIT), 0)
            self.assertLess(time.monotonic() - began, 5)

    # -- files -----------------------------------------------------------------------------------------------------
    def test_files_that_go(self):
        """Taken away and back, shrunk, without their last record, with fewer records again."""
        self.write(build(2))
        p = self.start('--json')
        self.assertEqual(self.events(p, 2), [0, 1])
        os.rename(self.path, self.path + '.away')
        self.assertEqual(self.events(p, 1), ['absent'])
        os.rename(self.path + '.away', self.path)
        self.assertEqual(self.events(p, 3), ['replaced', 0, 1])
        self.put(4, (1).to_bytes(8, 'big'))
        self.assertEqual(self.events(p, 2), ['replaced', 0])
        with open(self.path, 'r+b') as f:
            f.truncate(0)
        self.assertEqual(self.events(p, 1), ['empty'])
        self.write(build(3))
        self.assertEqual(self.events(p, 4), ['replaced', 0, 1, 2])
        os.truncate(self.path, len(build(1)))  # it still counts three
        time.sleep(0.1)
        self.put(12, build(4)[12:])
        self.put(4, (4).to_bytes(8, 'big'))
        self.assertEqual(self.events(p, 1), [3])
        self.assertIsNone(p.poll())

    def followed(self, n, *words):
        """The first n lines of a program that goes on, MiB resident at most until then, seconds."""
        began = time.monotonic()
        p = self.start('--json', *words)
        lines = [json.loads(p.stdout.readline()) for _ in range(n)]
        seconds = time.monotonic() - began
        with open('/proc/%d/status' % p.pid) as f:
            mib = int(re.search(r'VmHWM:\s*(\d+) kB', f.read()).group(1)) / 1024
        p.terminate()
        self.assertEqual(p.wait(LIMIT), 0)
        self.assertTrue(SANITIZED or mib < 32, mib)
        print('%s %s: %.1f MiB, %.2f s' % (self.id().rpartition('.')[2], ' '.join(words), mib, seconds))
        return lines

    def test_many_variables(self):
        n = 10000
        names = ['v%04d' % i for i in range(n)]
        self.write(Build(5, numrecs=4, dims=[('t', 0), ('x', 7)], vars=[(name, 5, ['t', 'x'], [('units', 2, b'K')]) for name in names]).bytes)
        for words in ((), ('--variables', 'v0007')):
            lines = self.followed(4, *words)
            self.assertEqual([line['record'] for line in lines], [0, 1, 2, 3])
            self.assertEqual(list(lines[3]['variables']), ['v0007'] if words else names)

    def test_large_record(self):
        """A record of 2 GiB; a signal while it is read."""
        b = Build(5, numrecs=1, dims=[('t', 0), ('y', 1 << 14), ('x', 1 << 14)], vars=[('a', 6, ['t', 'y', 'x'], [])], data=False)
        self.write(b.bytes, b.end)
        p = self.start('--json')
        time.sleep(0.1)
        began = time.monotonic()
        p.terminate()
        self.assertEqual((p.wait(LIMIT), p.stdout.read()), (0, ''))
        self.assertLess(time.monotonic() - began, 0.5)
        self.assertTrue(SANITIZED or self.followed(1)[0]['variables']['a'] == {'min': 0, 'mean': 0, 'max': 0, 'missing': 0})

    # -- terminals -------------------------------------------------------------------------------------------------
    def test_terminal(self):
        """A line fits the terminal as wide as it is now; nothing but text goes to it."""
        self.write(build(1))
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        p = self.start(stdout=theirs, env={**os.environ, 'LC_ALL': 'C.UTF-8', 'COLUMNS': '500'})
        for n, columns in ((1, 120), (2, 90), (3, 70), (4, 64), (5, 300)):
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
            if n > 1:
                self.put(12, build(n)[12:])
                self.put(4, n.to_bytes(8, 'big'))
            lines = self.lines_of(ours, 3)
            self.assertEqual(lines[0], 'record %d' % (n - 1))
            for line in lines:
                self.assertLessEqual(len(line), columns)
                self.assertNotIn('\x1b', line)
            self.assertRegex(lines[1], r'^  r +[▁▂▃▄▅▆▇█]* *min \S+  mean \S+  max \S+(  missing 0)?$')
            if columns >= 120:
                self.assertEqual(len(re.findall('[▁▂▃▄▅▆▇█]', lines[1])), 24)
        os.close(theirs)

    def lines_of(self, fd, n):
        text = b''
        while text.count(b'\n') < n and select.select([fd], [], [], LIMIT)[0]:
            text += os.read(fd, 4096)
        return text.decode().replace('\r', '').splitlines()

    def test_no_terminal(self):
        """Whole lines whatever COLUMNS says, and signs that every place has."""
        self.write(build(1))
        p = self.start('--once', env={**os.environ, 'LC_ALL': 'C', 'COLUMNS': '40'})
        out = p.communicate(timeout=LIMIT)[0]
        self.assertTrue(out.isascii())
        self.assertRegex(out.splitlines()[1], r'^  r {15} [ .:=+*%#-]{24} min \S+  mean \S+  max \S+  missing 0$')


if __name__ == '__main__':
    PARCDF = sys.argv.pop(1)
    unittest.main()
