#!/usr/bin/env python3
"""Fixes what all commands of the program have in common, whatever they are given: wrong arguments, no file, a folder, a pipe,
an empty, foreign, unreadable, truncated or hostile file, no place for what they write. Each ends by itself with the right
exit status, says what is wrong in at most three lines on standard error, and leaves no part of a file behind. The commands
are those of `parcdf help --list`; a new one needs a row in COMMANDS.
usage: every_command_test.py PARCDF [--few | MPIEXEC]
--few: fewer files; MPIEXEC, as "mpiexec -n 2": a few of the tests on so many ranks"""
import concurrent.futures, os, stat, subprocess, sys, tempfile, unittest
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'support'), os.path.join(HERE, '..', 'hostile')]
from cdfbuild import Build
import runner
import wrong_files

PARCDF, MPIEXEC, FEW = None, '', 1
GOOD, BAD, UNUSABLE = 0, 1, 2
LIMIT = 20  # seconds, at once on a slow machine under a sanitizer


class Command:
    """How a command is called. `words`: IN is the file looked at, OTHER a good one, OUT what it writes. `broken`: exit
    statuses for an IN that is no file of its kind; `tells`: its verdict is on standard output; `writes`: it has an OUT;
    `replaces`: an OUT that is there is replaced without being asked."""

    def __init__(self, *words, broken=(BAD,), tells=False, replaces=False, kind='cdf', starts_mpi=False, changes=False):
        self.words, self.broken, self.tells, self.replaces, self.kind = words, broken, tells, replaces, kind
        self.starts_mpi, self.changes = starts_mpi, changes

    @property
    def writes(self):
        return 'OUT' in self.words

    def line(self, **files):
        return [files.get(word, word) for word in self.words]


COMMANDS = {
    'bench': None,  # reads no file
    'calc': Command('z = a + 1', 'IN', 'OUT', broken=(BAD, UNUSABLE), starts_mpi=True),
    'check': Command('IN', tells=True),
    'copy': Command('IN', 'OUT', broken=(BAD, UNUSABLE), starts_mpi=True),
    'diff': Command('IN', 'OTHER', broken=(UNUSABLE,)),
    'dump': Command('IN'),
    'gen': Command('-o', 'OUT', 'IN', kind='cdl', replaces=True),  # without a file it reads standard input
    'hints': None,
    'restart': None,  # reads manifests of sets
    'info': Command('IN'),
    'join': Command('IN', 'OUT', broken=(BAD, UNUSABLE)),
    'offsets': Command('IN'),
    'reduce': Command('mean', 't', 'IN', 'OUT', broken=(BAD, UNUSABLE), starts_mpi=True),
    'refs': Command('-o', 'OUT', 'IN'),
    'repair': Command('IN', broken=(GOOD, BAD), tells=True, starts_mpi=True, changes=True),
    'report': Command('-o', 'OUT', 'IN', kind='json'),
    'stats': Command('IN'),
    'watch': Command('--once', 'IN'),
}
SAMPLE = Build(5, numrecs=3, dims=[('t', 0), ('x', 5)], atts=[('title', 2, b'sample')], vars=[
    ('a', 4, ['x'], [('units', 2, b'm')]), ('r', 6, ['t', 'x'], []), ('s', 3, ['t'], [('_FillValue', 3, [-1])])]).bytes
SMALL = Build(1, numrecs=1, dims=[('t', 0), ('x', 3)], vars=[('a', 3, ['x'], []), ('r', 5, ['t'], [])])
ROOT = os.geteuid() == 0
NOBODY = 65534


def names():
    rows = subprocess.run([PARCDF, 'help', '--list'], capture_output=True, text=True, timeout=LIMIT, check=True).stdout
    return [row.split('\t')[1] for row in rows.splitlines() if row.startswith('command\t')]


class Result:
    def __init__(self, args, **more):
        self.args = args
        launch = MPIEXEC.split() if MPIEXEC else []
        more.setdefault('stdout', subprocess.PIPE)
        row = COMMANDS.get(args[0])
        if MPIEXEC or args[0] == 'bench' or (row and row.starts_mpi):  # MPI holds memory at exit
            more['env'] = dict(os.environ, ASAN_OPTIONS='detect_leaks=0')
        try:
            p = subprocess.run(launch + [PARCDF] + args, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=LIMIT, **more)
            self.status, self.out = p.returncode, p.stdout or b''
            self.err = [line for line in p.stderr.decode('utf-8', 'replace').splitlines()
                        if not MPIEXEC or line.startswith(('parcdf', 'usage'))]
            self.whole = p.stderr
        except subprocess.TimeoutExpired:
            self.status, self.out, self.err, self.whole = 'hangs', b'', [], b''

    def __str__(self):
        return '%s: status %s, %r, %r' % (' '.join(map(str, self.args))[:200], self.status, self.whole[:600], self.out[:200])


class EveryCommand(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory(dir=runner.MEMORY)
        self.addCleanup(self.place.cleanup)
        os.chmod(self.place.name, 0o755)
        self.other = self.file('other.nc', SAMPLE)

    def file(self, name, raw):
        path = os.path.join(self.place.name, name)
        with open(path, 'wb') as f:
            f.write(raw)
        return path

    def path(self, name):
        return os.path.join(self.place.name, name)

    def commands(self, kinds=('cdf', 'cdl', 'json'), quick=False):
        """(name, row) of those that read a file; quick: only those that do not start MPI, which takes its time."""
        for name in names():
            self.assertIn(name, COMMANDS, 'a command without a row in this test')
            row = COMMANDS[name]
            if row and row.kind in kinds and not (quick and row.starts_mpi):
                yield name, row

    def sentence(self, result, statuses, silent=False):
        """It ended, with one of the statuses, and said why; nothing where all is good."""
        self.assertIn(result.status, statuses, result)
        self.assertNotIn(b'Sanitizer', result.whole, result)
        self.assertNotIn(b'runtime error', result.whole, result)
        if result.status != GOOD and not silent:
            self.assertTrue(1 <= len(result.err) <= 3, result)
            self.assertTrue(result.err[0].startswith('parcdf'), result)
        for byte in result.whole:
            self.assertTrue(byte == 10 or byte >= 32, result)

    def run_in(self, name, row, path, tag='', **more):
        """The command on a file; nothing stays behind that is not whole."""
        out = self.path('out-%s-%s' % (name, tag))
        result = Result([name] + row.line(IN=path, OTHER=self.other, OUT=out), **more)
        left = [f for f in os.listdir(self.place.name) if f.startswith(os.path.basename(out))]
        self.assertTrue(left in ([], [os.path.basename(out)]), '%s; left: %s' % (result, left))
        self.assertFalse(left and result.status == UNUSABLE, '%s; left: %s' % (result, left))
        for f in left:
            os.unlink(self.path(f))
        return result

    def each(self, what, statuses, kinds=('cdf', 'cdl', 'json'), quick=False, **more):
        """One file given to all commands; statuses None: those of a broken file."""
        for name, row in self.commands(kinds, quick):
            with self.subTest(name):
                result = self.run_in(name, row, what, **more)
                self.sentence(result, statuses or row.broken, silent=statuses is None and row.tells)

    # -- arguments -------------------------------------------------------------------------------------------------
    def test_wrong_arguments(self):
        for name in names():
            self.assertIn(name, COMMANDS)
            row = COMMANDS[name]
            lines = [['--no-such-option'], ['--no-such-option=3', self.other], ['-\x01'], ['-~', self.other]]
            if row:
                lines += [[''], ['--', '--no-such-file']] + [[]] * (row.kind == 'cdf')
            for line in lines[:1] if row and row.starts_mpi else lines:
                with self.subTest(name, line=line):
                    self.sentence(Result([name] + line), (UNUSABLE,))

    def test_arguments_of_options(self):
        """An option that takes something, without it, or with what can be no number and no name."""
        rows = subprocess.run([PARCDF, 'help', '--list'], capture_output=True, text=True, timeout=LIMIT).stdout
        for row in rows.splitlines():
            kind, name, *more = row.split('\t')
            if kind != 'option' or more[1] == '-' or not COMMANDS.get(name) or COMMANDS[name].starts_mpi:
                continue
            for option in more[0].split():
                with self.subTest(name, option=option):
                    self.sentence(Result([name, option]), (UNUSABLE,))
                    if COMMANDS[name].kind == 'cdf' and not COMMANDS[name].writes:
                        result = Result([name, option, '\x02?', *COMMANDS[name].line(IN=self.other, OTHER=self.other)])
                        self.sentence(result, (GOOD, BAD, UNUSABLE), silent=True)

    # -- files that cannot be read ---------------------------------------------------------------------------------
    def test_missing(self):
        self.each(self.path('none.nc'), (UNUSABLE,))

    def test_missing_folder(self):
        self.each(self.path('none/x.nc'), (UNUSABLE,), quick=True)

    def test_file_as_folder(self):
        self.each(self.other + '/x.nc', (UNUSABLE,), quick=True)

    def test_folder(self):
        """Without a netCDF file: those in a folder are several files to some commands."""
        os.mkdir(self.path('folder'))
        self.each(self.path('folder'), (UNUSABLE,))

    def test_device(self):
        self.each('/dev/null', (UNUSABLE,), kinds=('cdf',))

    def test_fifo(self):
        os.mkfifo(self.path('fifo'))
        self.each(self.path('fifo'), (UNUSABLE,), kinds=('cdf',))

    def test_long_name(self):
        self.each(self.path('x' * 300), (UNUSABLE,), quick=True)
        self.each(self.path('x/' * 2500), (UNUSABLE,), quick=True)

    def test_hostile_name(self):
        """It does not reach a terminal as it is."""
        self.each(self.path('a\x1b[2Jb\nc'), (UNUSABLE,))

    def test_unreadable(self):
        path = self.file('secret.nc', SAMPLE)
        os.chmod(path, 0)
        if not ROOT:
            return self.each(path, (UNUSABLE,))
        try:
            subprocess.run([PARCDF, '--version'], user=NOBODY, group=NOBODY, extra_groups=[], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest('the program cannot be run by another user here')
        self.each(path, (UNUSABLE,), user=NOBODY, group=NOBODY, extra_groups=[])

    # -- files that are not what they should be --------------------------------------------------------------------
    def test_not_of_the_format(self):
        for raw in (b'', b'C', b'CDF', b'CDF\x01', b'CDF\x03' + bytes(100), b'\x89HDF\r\n\x1a\n' + bytes(600), b'\0' * 5000,
                    b'netcdf x', bytes(range(256)) * 30):
            with self.subTest(raw=raw[:12]):
                self.each(self.file('foreign.nc', raw), None, quick=raw[:1] == b'C')

    def kinds(self):
        """(path, what it is, the way out)"""
        hdf5 = b'\x89HDF\r\n\x1a\n' + bytes(600)
        folders = {'store.zarr': '.zgroup', 'bare.zarr': '.zarray', 'meta.zarr': '.zmetadata', 'three.zarr': 'zarr.json'}
        for folder, name in folders.items():
            os.mkdir(self.path(folder))
            self.file(os.path.join(folder, name), b'{')
        os.mkdir(self.path('empty.d'))
        own = 'is an HDF5 file'
        yield self.file('four.nc', hdf5), own, ''
        yield self.file('user.nc', b'# a block of the user\n'.ljust(512, b'#') + hdf5), own, ''
        yield self.file('far user.nc', bytes(65536) + hdf5), own, ''
        yield self.file('old.hdf', b'\x0e\x03\x13\x01' + bytes(90)), 'is an HDF4 file', ''
        for folder in folders:
            yield self.path(folder), 'Zarr store', ''
        yield self.path('empty.d'), 'is a folder', ''
        yield self.file('a.zip', b'PK\3\4' + bytes(60)), 'is a zip archive', 'unzip %s'
        yield self.file('a.nc.gz', b'\x1f\x8b\x08' + bytes(60)), 'compressed with gzip', 'gunzip -k %s'
        yield self.file('a.nc.bz2', b'BZh9' + bytes(60)), 'compressed with bzip2', 'bunzip2 -k %s'
        yield self.file('a.nc.xz', b'\xfd7zXZ\0' + bytes(60)), 'compressed with xz', 'unxz -k %s'
        yield self.file('a.nc.zst', b'\x28\xb5\x2f\xfd' + bytes(60)), 'compressed with zstd', 'unzstd %s'
        yield self.file('a.grb', b'GRIB' + bytes(60)), 'is a GRIB file', 'cdo -f nc copy %s out.nc'
        yield self.file('t.html', b'\n<!DOCTYPE html><html>404'), 'page of HTML', ''
        yield self.file('t.lfs', b'version https://git-lfs.github.com/spec/v1\noid sha256:0'), 'pointer of Git LFS', 'git lfs pull'
        yield self.file('t.cdl', b'// of a test\nnetcdf x { no }'), 'is CDL text', 'parcdf gen -o out.nc %s'
        yield self.file('t.txt', b'hello\n'), 'is text', ''
        yield self.file('nothing.nc', b''), 'is empty', ''
        yield 'http://127.0.0.1:1/x.nc', '', ''
        yield 'file:///x.nc', 'is a URL', 'give the path'
        yield 'file:///x.zarr#mode=zarr,file', 'URL of a Zarr store', "parcdf copy '%s' out.nc"

    def test_kinds(self):
        """What is no classic file is named, with the way out, by every command."""
        for path, what, way in self.kinds():
            way = way.replace('%s', path)
            for name, row in self.commands(quick='copy ' in way or any(word in what for word in ('CDL', 'HDF', 'Zarr'))):
                named = 'is text' in what or 'is empty' in what or 'CDL' in what
                if name == 'gen' and named or name == 'repair' and what == 'is empty':
                    continue  # its own business
                with self.subTest(name, path=path):
                    result = self.run_in(name, row, path)
                    said = (result.whole + result.out).decode()
                    self.assertIn(result.status, (BAD, UNUSABLE), result)
                    for word in (path, what, way):
                        self.assertIn(word, said, result)
                    self.assertNotIn('does not begin with CDF', said, result)
                    self.assertNotIn('No such file', said, result)

    def test_truncated(self):
        """Within the header: not of the format; within the data: the command's own business, but in order."""
        end = SMALL.header_size
        cases = [(name, row, n) for name, row in self.commands(('cdf',), quick=FEW > 1)
                 for n in range(0, len(SMALL.bytes) - 1, 64 if row.starts_mpi else min(64, 16 * FEW))]

        def one(case):
            name, row, n = case
            path = self.file('cut-%s-%d.nc' % (name, n), SMALL.bytes[:n])
            return self.run_in(name, row, path, str(n))

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (name, row, n), result in zip(cases, pool.map(one, cases)):
                with self.subTest(name, n=n):
                    statuses = row.broken if n < end else (GOOD, BAD, UNUSABLE)
                    self.sentence(result, statuses, silent=row.tells or (n >= end and result.status == BAD))

    def test_hostile(self):
        """Every named file of tests/hostile in one version of the format, given to each command: it ends, in order."""
        files = [(name, bytes(b.bytes)) for k, version in enumerate((1, 2, 5))
                 for i, (name, b) in enumerate(wrong_files.named(version)) if i % (3 * FEW) == k]
        cases = [(name, row, i) for name, row in self.commands(('cdf',), quick=FEW > 1)
                 for i in range(0, len(files), 8 if row.starts_mpi else 1)]
        self.assertGreater(len(cases), 30)
        paths = [self.file('hostile-%d.nc' % i, raw) for i, (_, raw) in enumerate(files)]

        def one(case):
            name, row, i = case
            return self.run_in(name, row, paths[i], str(i))

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (name, row, i), result in zip(cases, pool.map(one, cases)):
                with self.subTest(name, file=files[i][0]):
                    self.sentence(result, (GOOD, BAD, UNUSABLE), silent=row.tells or result.status == BAD)

    # -- other formats ---------------------------------------------------------------------------------------------
    def formats(self):
        """{what: path}: one data set in each format, `classic` among them."""
        try:
            import netCDF4, zipfile
        except ImportError as missing:
            self.skipTest(str(missing))
        there = {what: self.path(name) for what, name in (
            ('classic', 's.nc'), ('netCDF-4 file', 's.nc4'), ('Zarr store of version 2', 's2.zarr'), ('NCZarr store', 'sn.zarr'),
            ('Zarr store of version 3', 's3.zarr'), ('zip', 's.zip'), ('file of kerchunk references', 's.json'), ('HDF4 file', 's.hdf'))}
        for what, kind in (('classic', 'NETCDF3_64BIT_DATA'), ('netCDF-4 file', 'NETCDF4')):
            with netCDF4.Dataset(there[what], 'w', format=kind) as d:
                d.title = 'sample'
                for name, n in (('t', 3), ('x', 5)):
                    d.createDimension(name, n)
                d.createVariable('r', 'f8', ('t', 'x'), fill_value=-1, zlib=kind == 'NETCDF4')[:] = [[1, 2, 3, 4, 5], [6, 7, 8, -1, 9], [0] * 5]
                d.createVariable('s', 'i2', ('t',), fill_value=-9)[:] = [7, 8, 9]
        made = [('-k', 'zarr', there['Zarr store of version 2']), ('-k', 'nczarr', there['NCZarr store']), ('-k', 'zarr3', there['Zarr store of version 3'])]
        alone = dict(capture_output=True, timeout=LIMIT, check=True, env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
        for *words, to in made:
            subprocess.run([PARCDF, 'copy', *words, there['classic'], to], **alone)
        subprocess.run([PARCDF, 'refs', '-o', there['file of kerchunk references'], there['netCDF-4 file']], **alone)
        with zipfile.ZipFile(there['zip'], 'w') as z:
            for folder, _, names in os.walk(there['Zarr store of version 2']):
                for name in names:
                    z.write(os.path.join(folder, name), os.path.relpath(os.path.join(folder, name), there['Zarr store of version 2']))
        try:
            from pyhdf.SD import SD, SDC
            h = SD(there['HDF4 file'], SDC.WRITE | SDC.CREATE)
            h.title = 'sample'
            for name, kind, fill, shape, values in (('r', SDC.FLOAT64, -1., (3, 5), [[1, 2, 3, 4, 5], [6, 7, 8, -1, 9], [0] * 5]),
                                                    ('s', SDC.INT16, -9, (3,), [7, 8, 9])):
                v = h.create(name, kind, shape)
                v.setfillvalue(fill)
                for i, dim in enumerate('tx'[:len(shape)]):
                    v.dim(i).setname(dim)
                v[:] = values
                v.endaccess()
            h.end()
        except ImportError:
            del there['HDF4 file']
        return there

    def rows_of_formats(self):
        """(words, statuses, what is equal to that of the classic file); IN, CLASSIC and OUT stand for files."""
        def data(out):
            return [line.strip() for line in out.decode().split('data:', 1)[-1].splitlines()]
        yield ['dump', 'IN'], {GOOD}, data
        yield ['stats', 'IN'], {GOOD}, lambda out: out
        yield ['diff', 'IN', 'CLASSIC'], {GOOD}, None
        yield ['check', '--data', 'IN'], {GOOD}, None
        yield ['copy', 'IN', 'OUT'], {GOOD}, None
        if not MPIEXEC:
            yield ['info', 'IN'], {GOOD}, None
            yield ['check', 'IN'], {GOOD}, None
            yield ['refs', 'IN'], {GOOD, BAD}, None
            yield ['offsets', 'IN'], {BAD, UNUSABLE}, None
            yield ['repair', 'IN'], {GOOD, BAD, UNUSABLE}, None

    def test_formats(self):
        """Each command reads each format, with the values of the classic file; what cannot be done is one sentence."""
        there = self.formats()
        for what in MPIEXEC and set(there) & {'zip', 'NCZarr store', 'Zarr store of version 2'}:
            del there[what]
        for words, statuses, same in self.rows_of_formats():
            want = Result([there['classic'] if w == 'IN' else w for w in words]).out if same else None
            for what, path in there.items():
                if what == 'classic' and words[1] == '--data':
                    continue  # it has no checksums
                with self.subTest(words[0], what=what):
                    out = self.path('out.nc')
                    result = Result([{'IN': path, 'CLASSIC': there['classic'], 'OUT': out}.get(w, w) for w in words])
                    self.assertIn(result.status, statuses | {GOOD} if what == 'classic' else statuses, result)
                    self.assertEqual(not result.err, result.status == GOOD, result)
                    if same:
                        self.assertEqual(same(result.out), same(want), result)
                    if words[0] == 'info' and what not in ('classic', 'zip'):
                        self.assertIn(what.encode(), result.out)
                    if 'OUT' in words:
                        self.assertEqual(Result(['diff', out, there['classic']]).status, GOOD)
                        os.unlink(out)

    # -- outputs ---------------------------------------------------------------------------------------------------
    def test_good_file(self):
        """What the rows say is true of a good file, too."""
        self.each(self.file('in.nc', SAMPLE), (GOOD,), kinds=('cdf',))

    def test_full_standard_output(self):
        for name, row in self.commands(('cdf',)):
            if row.writes or row.changes:
                continue
            with self.subTest(name), open('/dev/full', 'w') as full:
                line = row.line(IN=self.file('in.nc', SAMPLE + b'rest'), OTHER=self.file('differs.nc', SAMPLE[:-1] + b'\xff'))
                self.sentence(Result([name] + line, stdout=full), (UNUSABLE,))

    def writers(self):
        return [(name, row) for name, row in self.commands(('cdf',)) if row.writes]

    def test_output_that_cannot_be(self):
        full = os.path.exists('/dev/full')
        for name, row in self.writers():
            for out in [self.path('none/out'), self.place.name, self.path('y' * 300)] + ['/dev/full'] * full:
                with self.subTest(name, out=out[-20:]):
                    before = sorted(os.listdir(self.place.name))
                    self.sentence(Result([name] + row.line(IN=self.other, OUT=out)), (UNUSABLE,))
                    self.assertEqual(sorted(os.listdir(self.place.name)), before)
        self.assertTrue(not full or stat.S_ISCHR(os.stat('/dev/full').st_mode))

    def test_output_that_is_there(self):
        for name, row in self.writers():
            if row.replaces:
                continue
            with self.subTest(name):
                out = self.file('there', b'precious')
                self.sentence(Result([name] + row.line(IN=self.other, OUT=out)), (UNUSABLE,))
                self.assertEqual(open(out, 'rb').read(), b'precious')

    def test_output_is_kept_when_the_input_is_bad(self):
        for name, row in self.commands():
            if row.writes:
                with self.subTest(name):
                    out = self.file('there', b'precious')
                    bad = self.file('bad', b'no file of any format')
                    Result([name] + row.line(IN=bad, OUT=out))
                    self.assertEqual(open(out, 'rb').read(), b'precious')


class OnTwoRanks(EveryCommand):
    """A small sample: one sentence, not one a rank."""

    READ_TOGETHER = [['stats', 'IN'], ['diff', 'IN', 'OTHER'], ['diff', 'OTHER', 'IN'], ['copy', 'IN', 'OUT'],
                     ['copy', 'IN', 'LIKE', 'OUT'], ['copy', 'LIKE', 'IN', 'OUT'], ['copy', '-a', 'IN', 'LIKE']]

    def test_ranks_that_see_other_sizes(self):
        """As while records are added, or with old attributes of a file in a network."""
        vars_ = [('r', 6, ['t', 'x'], [])]
        few, many = (self.file('%d.nc' % n, Build(1, numrecs=n, dims=[('t', 0), ('x', 5)], vars=vars_).bytes) for n in (4, 8))
        like = self.file('like.nc', Build(1, numrecs=2, dims=[('t', 0), ('x', 5)], vars=vars_).bytes)
        launch, before = MPIEXEC.split()[:-1], sorted(os.listdir(self.place.name))  # without the number
        for words in self.READ_TOGETHER:
            line = [{'OTHER': self.other, 'LIKE': like, 'OUT': self.path('out')}.get(word, word) for word in words]
            for a, b in ((few, many), (many, few)) if words[0] == 'stats' else ((many, few),):
                of_a, of_b = ([PARCDF] + [path if word == 'IN' else word for word in line] for path in (a, b))
                p = subprocess.run([*launch, '1', *of_a, ':', '-n', '1', *of_b], capture_output=True, text=True, timeout=LIMIT,
                                   env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
                said = [text for text in p.stderr.splitlines() if text.startswith('parcdf')]
                self.assertEqual((p.returncode, p.stdout, len(said)), (UNUSABLE, '', 1), (words, p.stdout, p.stderr))
                self.assertRegex(said[0], 'file changes while it is read$')
                self.assertEqual(sorted(os.listdir(self.place.name)), before)


for name in [n for n in dir(EveryCommand) if n.startswith('test_')]:
    if name not in ('test_missing', 'test_output_that_is_there', 'test_formats'):
        setattr(OnTwoRanks, name, None)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    if sys.argv[1:] == ['--few']:
        FEW, sys.argv = 8, sys.argv[:1]
    if len(sys.argv) > 1 and not sys.argv[1].startswith(('-', 'test_')):
        MPIEXEC = sys.argv.pop(1)
    case = OnTwoRanks if MPIEXEC else EveryCommand
    outcome = unittest.TextTestRunner().run(unittest.TestLoader().loadTestsFromName('__main__.' + case.__name__)
                                            if len(sys.argv) < 2 else unittest.TestSuite([case(n) for n in sys.argv[1:]]))
    sys.exit(not outcome.wasSuccessful())
