#!/usr/bin/env python3
"""Fixes that the program's help is true and readable: an overview of one screen; for each command a page no wider than 80
columns that tells each option of its usage; `help --list`, which completion reads, has them all; and each example of each
command works, run by a shell in a folder with the files that it names.
usage: help_test.py PARCDF [MPIEXEC]        MPIEXEC: the launcher for the examples with mpiexec, which are the
ones that are run then; without, they are left out"""
import os, re, shutil, struct, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

PARCDF, MPIEXEC = None, ''
GOOD, UNUSABLE = 0, 2
WIDEST, SCREEN = 80, 24


def run(*args):
    p = subprocess.run([PARCDF, *args], capture_output=True, text=True, timeout=30)
    return p.returncode, p.stdout, p.stderr


def listed():
    """Names of the commands, and the words of the options of each."""
    commands, options = [], {}
    for row in run('help', '--list')[1].splitlines():
        kind, name, *more = row.split('\t')
        if kind == 'command':
            commands.append(name)
        else:
            options.setdefault(name, []).append(more)
    return commands, options


def examples(name):
    text = run('help', name)[1].partition('\nEXAMPLES\n')[2]
    return [line[2:] for line in text.splitlines() if line.startswith('  ')]


def sample(days):
    """A file with the names that examples use, from so many days after New Year on."""
    dims, shape = [('time', 0), ('y', 4), ('x', 6)], ['time', 'y', 'x']
    b = Build(2, numrecs=5, dims=dims, atts=[('title', 2, b'a run')], vars=[
        ('depth', 5, ['y', 'x'], [('units', 2, b'm')]), ('time', 6, ['time'], [('units', 2, b'days since 2020-01-01')]),
        ('temp', 5, shape, [('units', 2, b'K'), ('_FillValue', 5, [1e20])]), ('salt', 6, shape, [])])
    raw = bytearray(b.bytes)
    for i in range(5):
        struct.pack_into('>d', raw, b.begin['time'] + i * b.recsize, days + i)
    return bytes(raw)


CDL = 'netcdf run {\ndimensions: x = 3 ;\nvariables: int depth(x) ;\ndata: depth = 1, 2, 3 ;\n}\n'


def prepare(folder, line):
    """The files that a command line reads."""
    made = set(re.findall(r'(?:-o|--output|>)[ =]*(\S+)', line))
    is_series = re.search(r'parcdf (info|stats|dump|refs) ', line)
    for word in re.findall(r'(?<![\w:/])[\w*-]+\.(?:nc|cdl)\b', line):
        if word not in made:
            with open(os.path.join(folder, word.replace('*', '1')), 'wb') as f:
                f.write(CDL.encode() if word.endswith('.cdl') else
                        sample(5 * (int((re.findall(r'\d+', word) or [0])[-1]) if is_series else word == 'day2.nc')))


class Help(unittest.TestCase):
    maxDiff = None

    def test_overview(self):
        status, out, err = run('help')
        self.assertEqual((status, err), (GOOD, ''))
        self.assertEqual((out, ''), (run('--help')[1], run('-h')[2]))
        commands, _ = listed()
        self.assertEqual(sorted(re.findall(r'^  (\S+) +\S', out, re.M)), sorted(commands))
        self.assertLessEqual(out.count('\n'), SCREEN)
        self.assertLessEqual(max(map(len, out.splitlines())), WIDEST)
        self.assertEqual(run(), (UNUSABLE, '', out))

    def test_wrong_options(self):
        """An option that is not there, alone or behind a letter, and one without its value are named above the usage."""
        commands, options = listed()
        for name in commands:
            if name in ('bench', 'hints'):  # the benchmark reads its own, and there are none
                continue
            lacking = [words.split()[-1] for words, value, _ in options[name] if value != '-']
            for words, told in [(['-Z'], '-Z'), (['--no-such=1'], '--no-such=1'), (['-ZZ'], '-Z')] + [([w], w) for w in lacking]:
                status, out, err = run(name, *words)
                self.assertEqual((status, out), (UNUSABLE, ''), (name, words))
                sentence, usage = err.split('\n')[:2]
                self.assertRegex(sentence, rf'^parcdf {name}: .*{told}\b', words)
                self.assertTrue(usage.startswith(f'usage: parcdf {name} '), err)

    def test_unknown(self):
        for words in (['no_such'], ['help', 'no_such']):
            status, out, err = run(*words)
            self.assertEqual((status, out, err), (UNUSABLE, '', "parcdf: unknown command 'no_such'\n"
                                                  "`parcdf help` lists the commands\n"))

    def test_pages(self):
        commands, options = listed()
        self.assertGreater(len(commands), 4)
        for name in commands:
            with self.subTest(name):
                status, page, err = run('help', name)
                self.assertEqual((status, err), (GOOD, ''))
                for words in ([name, '--help'], [name, '-h']):
                    self.assertEqual(run(*words), (GOOD, page, ''), words)
                usage, _, text = page.partition('\n\n')
                self.assertTrue(usage.startswith('usage: parcdf %s ' % name), usage)
                self.assertIn('Exit status', text)
                self.assertLessEqual(max(map(len, page.splitlines())), WIDEST)
                told = {word for row in options.get(name, []) for word in row[0].split()}
                for word in re.findall(r'(?<![\w-])--?[A-Za-z][\w-]*', usage):
                    flags = {word} if word.startswith('--') or len(word) == 2 else {'-' + c for c in word[1:]}
                    self.assertLessEqual(flags, told | {word} & told, 'the usage tells of an option, its page does not')

    def test_other_names(self):
        """Programs of other names."""
        table = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../programs/aliases.def')
        with open(table) as f:
            names = re.findall(r'^PCDF_TOOL_ALIAS\("([^"]+)"', f.read(), re.M)
        self.assertGreater(len(names), 6)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in names:
            os.symlink(PARCDF, os.path.join(folder.name, name))
        programs = [os.path.join(folder.name, n) for n in names]
        for words in [[p, option] for p in programs for option in ('-h', '--help')]:
            p = subprocess.run(words, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
            lines = (p.stdout + p.stderr).splitlines()
            self.assertLessEqual(max(map(len, lines), default=0), WIDEST, lines)

    def test_list(self):
        for row in run('help', '--list')[1].splitlines():
            fields = row.split('\t')
            self.assertEqual(len(fields), {'command': 3, 'option': 5}[fields[0]], row)
            self.assertTrue(all(fields), row)
            if fields[0] == 'option':
                self.assertRegex(fields[2], r'^-\S+( -\S+)*$')

    def test_examples(self):
        tools = tempfile.TemporaryDirectory()
        self.addCleanup(tools.cleanup)
        os.symlink(PARCDF, os.path.join(tools.name, 'parcdf'))
        for name in listed()[0]:
            lines = examples(name)
            with self.subTest(name):
                self.assertGreater(len(lines), 1, 'examples')
            for line in lines:
                command = re.sub(r'\bmpiexec -n \d+', MPIEXEC + ' -n 2', line).replace('/scratch', '.')
                if ('mpiexec' in line) != bool(MPIEXEC):
                    continue
                with self.subTest(line), tempfile.TemporaryDirectory() as folder:
                    prepare(folder, line)
                    p = subprocess.run(['bash', '-c', command.replace('| less', '| cat')], cwd=folder, capture_output=True, text=True,
                                       timeout=60, stdin=subprocess.DEVNULL,
                                       env=dict(os.environ, PATH=tools.name + ':' + os.environ['PATH'],
                                                ASAN_OPTIONS='detect_leaks=0'))  # MPI holds memory at exit
                    self.assertEqual((p.returncode, p.stderr), (GOOD, ''), p.stdout)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and not sys.argv[1].startswith('-'):
        MPIEXEC = sys.argv.pop(1)
        sys.argv.append('Help.test_examples')
    unittest.main()
