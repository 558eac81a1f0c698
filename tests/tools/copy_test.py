#!/usr/bin/env python3
"""Fixes what `parcdf copy` makes: each file of the corpus as each kind that has room for it, on 1, 2 and 3 ranks, equal in
all that tests/reader reads, and found clean by `parcdf check`; parts of files against numpy; files put together and records
appended; alignments, where `parcdf offsets` sees them; and that what cannot be is told in one sentence, leaving nothing.
usage: copy_test.py PARCDF [MPIEXEC RANKS] [--all]     RANKS: as 1,2,3; --all: each file as each kind on each number of ranks"""
import json, os, shutil, signal, struct, subprocess, sys, tempfile, time, unittest
from pathlib import Path
import numpy as np
try:
    import netCDF4
except ImportError:
    netCDF4 = None
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, '..', 'support'))
from cdfbuild import Build
import runner
import cdf, corpus

PARCDF, MPIEXEC, RANKS, ALL = None, [], [1], False
GOOD, BAD, UNUSABLE = 0, 1, 2
KINDS = {'nc3': 1, 'nc6': 2, 'nc5': 5}
LETTERS = {t: cdf.TYPES[t][2] for t in cdf.TYPES}
MIB = 1 << 20


def copy(*args, ranks=1, env=None, wrap=(), fault=None):
    """fault: orders for the program that knows hint pcdf_fault (tests/support/faultstorage.h)."""
    words = [*wrap, os.environ['FAULTY'] if fault else PARCDF, 'copy', *args]
    if fault:
        env = {'PNETCDF_HINTS': 'pcdf_fault=' + fault}
    if ranks > 1:
        words = [*MPIEXEC, '-n', str(ranks), *words]
    p = subprocess.run(words, capture_output=True, text=True, timeout=60, env={**os.environ, **(env or {})})
    return p.returncode, p.stdout, p.stderr


def joined(arrays):
    return np.concatenate(arrays).astype(arrays[0].dtype) # numpy would turn the bytes


def ranks_that_write(to):
    """{rank: process}"""
    found = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            words, environ = (Path('/proc', pid, name).read_bytes().split(b'\0') for name in ('cmdline', 'environ'))
        except OSError:  # it is gone
            continue
        if words[0] == os.fsencode(PARCDF) and os.fsencode(to) in words:
            told = dict(word.split(b'=', 1) for word in environ if b'=' in word)
            found[int(told.get(b'OMPI_COMM_WORLD_RANK', told.get(b'PMI_RANK', b'-1')))] = int(pid)
    return found


def several():
    """A number of ranks that is not 1, where there may be."""
    return RANKS[-1]


def contents(path):
    return Path(path).read_bytes()


def values(path):
    """name: (array, names of dimensions)"""
    f = cdf.File(path)
    return {v.name: (np.frombuffer(v.raw(), np.dtype('>' + LETTERS[v.type].replace('c', 'S1'))).reshape(v.shape),
                     [f.dims[i][0] for i in v.dimids]) for v in f.vars}


DIMS = [('t', 0), ('x', 5), ('y', 4), ('lon', 7), ('spare', 2)]
TEXT = [('units', 2, b'm')]
VARS = [('x', 6, ['x'], []), ('bounds_x', 6, ['x'], []), ('f', 3, ['y', 'lon', 'x'], TEXT),
        ('r', 5, ['t', 'x', 'y'], [('coordinates', 2, b'lat2  bad'), ('_FillValue', 5, [-1.5])]),
        ('lat2', 5, ['y', 'x'], [('bounds', 2, b'bounds_x')]), ('b', 1, ['t', 'lon'], []), ('s', 4, [], [])]


class Copy(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory(dir=runner.MEMORY)
        self.addCleanup(self.dir.cleanup)
        self.to = self.path('to.nc')

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def write(self, name='f.nc', version=2, numrecs=3, dims=DIMS, vars=VARS, size=None, **more):
        b = Build(version, numrecs=numrecs, dims=dims, vars=vars, **more)
        Path(self.path(name)).write_bytes(b.bytes[:size])
        return self.path(name)

    def files(self):
        return sorted(os.listdir(self.dir.name))

    def good(self, *args, status=GOOD, **more):
        got = copy(*args, **more)
        self.assertEqual(got[0], status, (args, got))
        self.assertFalse([n for n in self.files() if 'parcdf-' in n and 'sums' not in n], self.files())
        return got

    def refused(self, sentence, *args, status=UNUSABLE, **more):
        """One sentence, and the folder as before."""
        before = self.files()
        got, out, err = copy(*args, **more)
        self.assertEqual((got, out), (status, ''), (args, err))
        self.assertRegex(err, sentence)
        self.assertEqual(len([line for line in err.splitlines() if line.startswith('parcdf')]), 1, err)
        self.assertEqual(self.files(), before)

    def clean(self, path):
        p = subprocess.run([PARCDF, 'check', '-q', path], capture_output=True, text=True, timeout=30)
        self.assertEqual((p.returncode, p.stdout), (GOOD, ''), path)

    def equal(self, a, b):
        x, y = cdf.File(a, zero_missing=True), cdf.File(b)
        if not any(f.rows() != 1 for f in x.vars) and x.numrecs != y.numrecs: # nothing has records
            x.numrecs = y.numrecs
        self.assertEqual(list(cdf.compare(x, y, any_version=True)), [], (a, b))

    # -- whole files

    def convert(self, path, kind, ranks):
        """The kinds that a file cannot have are CDF-1 and CDF-2, for types of CDF-5."""
        f = cdf.File(path)
        types = {v.type for v in f.vars} | {a.type for v in f.vars for a in v.atts} | {a.type for a in f.atts}
        if kind and kind != 'nc5' and max(types, default=1) > 6:
            return self.refused(r'(variable|attribute) .*needs CDF-5, the file is CDF-[12]; -k cdf5 would do',
                                '-k', kind, path, self.to, ranks=ranks)
        self.good(*(['-k', kind] if kind else []), path, self.to, ranks=ranks)
        self.assertEqual(cdf.File(self.to).version, KINDS[kind] if kind else f.version)
        self.equal(path, self.to)
        self.clean(self.to)
        os.unlink(self.to)

    def test_corpus(self):
        kinds = [None, *KINDS]
        with tempfile.TemporaryDirectory() as folder:
            paths = corpus.make(folder, small=not ALL)
            self.assertGreater(len(paths), 80)
            mine = runner.sample(range(len(paths)), 6, runner.seed())
            for i, path in enumerate(paths):
                if ALL:
                    for kind in kinds:
                        for ranks in RANKS:
                            self.convert(path, kind, ranks)
                elif i in mine:
                    self.convert(path, kinds[i // 6 % 4], RANKS[i // 6 % len(RANKS)])

    def test_pieces(self):
        """Variables of several MiB are cut where their rows do not end."""
        path = self.write('large.nc', 5, 2, [('t', 0), ('a', 3), ('b', 5), ('c', 7), ('d', 11), ('e', 1237), ('f', 211), ('g', 2503)],
                          [('v', 3, list('abcde'), []), ('r', 4, ['t', 'f', 'g'], []), ('s', 1, ['t', 'a'], [])])
        for ranks in RANKS:
            self.good('-O', '-k', '2', path, self.to, ranks=ranks)
            self.equal(path, self.to)

    # -- parts

    def part(self, want, *args, source=None, ranks=None, **dims):
        """want: {name: function of the old array}; dims: lengths of the new file's."""
        source = source or self.write()
        old = values(source)
        self.good('-O', *args, source, self.to, ranks=ranks or several())
        new, f = values(self.to), cdf.File(self.to)
        self.assertEqual(list(new), list(want))
        for name, cut in want.items():
            a, b = cut(old[name][0]), new[name][0]
            self.assertEqual((name, a.shape, old[name][1]), (name, b.shape, new[name][1]))
            self.assertEqual(np.ascontiguousarray(a).tobytes(), b.tobytes(), name)
        if dims:
            self.assertEqual({name: n for name, n in f.dims}, dims)
        self.clean(self.to)
        return f

    def test_choice(self):
        same = lambda a: a
        self.part({n: same for n in ('x', 'bounds_x', 'r', 'lat2')}, '-v', 'r', t=0, x=5, y=4)
        self.part({n: same for n in ('f', 's')}, '-V', 's,f', x=5, y=4, lon=7)
        self.part({n: same for n in ('x', 'bounds_x', 'r', 'lat2', 'b')}, '-x', 's,f', t=0, x=5, y=4, lon=7)
        f = self.part({'s': same}, '--only=s')
        self.assertEqual((f.dims, f.numrecs), ([], 0))

    def test_cuts(self):
        x, y, t, lon = slice(1, 5, 3), slice(2, 3), slice(1, 3), slice(0, 6, 5)
        cut = {'x': lambda a: a[x], 'bounds_x': lambda a: a[x], 'f': lambda a: a[y, :, x], 'r': lambda a: a[:, x, y],
               'lat2': lambda a: a[y, x], 'b': lambda a: a, 's': lambda a: a}
        for ranks in RANKS:
            self.part(cut, '-d', 'x,1,4,3', '-d', 'y,2', ranks=ranks, t=0, x=2, y=1, lon=7, spare=2)
        self.part({'r': lambda a: a[t, -2:, ::2], 'b': lambda a: a[t, lon]}, '-V', 'b,r', '-d', 't,1,', '-d', 'lon,,5,5',
                  '-d', 'x,-2,-1', '-d', 'y,0,,2', t=0, lon=2, x=2, y=2)
        self.part({'r': lambda a: a[:, 1:2]}, '-V', 'r', '-d', 'x,1,4,%d' % 2 ** 62, t=0, x=1, y=4)
        wide = self.write('wide.nc', 5, 3, [('t', 0), ('x', 400001), ('y', 3)], [('v', 4, ['t', 'x'], []), ('w', 3, ['x', 'y'], [])])
        self.part({'v': lambda a: a[:, 1::3], 'w': lambda a: a[1::3]}, '-d', 'x,1,,3', source=wide)
        self.part({'v': lambda a: a[:, ::5000], 'w': lambda a: a[::5000, :2]}, '-d', 'x,0,,5000', '-d', 'y,0,1', source=wide)
        many = self.write('many.nc', 5, 50, [('t', 0), ('a', 40), ('b', 30), ('c', 3)],
                          [('v', 6, ['t', 'a', 'b', 'c'], []), ('w', 4, ['t'], []), ('u', 3, ['a', 'b', 'c'], [])])
        self.part({'v': lambda a: a[4:45:2, 3:, 5:25, :], 'w': lambda a: a[4:45:2], 'u': lambda a: a[3:, 5:25, :]}, '-d', 't,4,44,2',
                  '-d', 'a,3,39', '-d', 'b,5,24', source=many)

    def test_wrong_cuts(self):
        path = self.write()
        for sentence, arg in (('no dimension z', 'z,1'), ('indices from 0 to 4: 2 to 7 ', 'x,2,7'), ('indices from 0 to 4', 'x,-6'),
                              ('-d wants', 'x,1,2,3,4'), ('stride is 1', 'x,0,3,0'), ('indices from 0 to 2', 't,3')):
            self.refused(sentence, '-d', arg, path, self.to)
        self.refused('cut twice', '-d', 'x,1', '-d', 'x,2', path, self.to, ranks=several())
        self.refused('no variable z', '-v', 'x,z', path, self.to)
        self.refused('exclude each other', '-v', 'x', '-x', 'r', path, self.to)

    def test_header_only(self):
        path = self.write()
        self.good('-h', '-k', '5', path, self.to, ranks=several())
        f = cdf.File(self.to)
        self.assertEqual((f.numrecs, f.dims), (0, DIMS))
        self.assertEqual([v.name for v in f.vars], [v[0] for v in VARS])
        for v in f.vars:
            if v.name in ('x', 'f', 's'):
                fill = struct.pack('>' + LETTERS[v.type], corpus.FILLS[v.type])
                self.assertEqual(set(struct.iter_unpack('%ds' % len(fill), v.raw())), {(fill,)}, v.name)

    # -- the record dimension

    def test_fixed_records(self):
        path = self.write()
        self.part({v[0]: lambda a: a for v in VARS}, '-u', source=path, t=3, x=5, y=4, lon=7, spare=2)
        self.part({v[0]: lambda a: a for v in VARS}, '-u', source=self.write('none.nc', numrecs=0), t=0, x=5, y=4, lon=7, spare=2)
        wide = self.write('wide.nc', 5, 2000, [('t', 0), ('x', 900)],
                          [('a', 4, ['t'], []), ('b', 1, ['t', 'x'], []), ('c', 6, ['t'], [])])
        self.part({n: lambda a: a for n in 'abc'}, '-u', '-k', '2', source=wide, t=2000, x=900)

    def test_other_records(self):
        path = self.write(vars=[v for v in VARS if v[0] in ('x', 'bounds_x', 'b', 's')])
        f = self.part({n: lambda a: a for n in ('x', 'bounds_x', 'b', 's')}, '-u', '--unlimited', 'x', source=path, t=3, x=0, y=4,
                      lon=7, spare=2)
        self.assertEqual(f.numrecs, 5)
        self.refused('record dimension already; -u', '--unlimited', 'x', path, '-O', self.to)
        self.refused('no dimension of that name', '--unlimited', 'z', path, '-O', self.to)
        self.refused('unlimited dimension stands at 2, not first', '-u', '--unlimited', 'x', self.write(), '-O', self.to)

    # -- several files

    def three(self, **more):
        return [self.write('%d.nc' % i, numrecs=n, vars=[v for v in VARS if v[0] in ('r', 'b')], **more)
                for i, n in enumerate((2, 0, 5))]

    def test_together(self):
        paths = self.three()
        want = {n: joined([values(p)[n][0] for p in paths]) for n in ('r', 'b')}
        for i, options in enumerate(([], ['-k5'], ['-u'])):
            self.good('-O', *options, *paths, self.to, ranks=RANKS[i % len(RANKS)])
            self.equal_values(want, self.to)
            self.clean(self.to)
        self.good('-O', '-d', 'x,1,3', *paths, self.to, ranks=several())
        self.assertEqual(values(self.to)['r'][0].tobytes(), want['r'][:, 1:4].tobytes())

    def test_append(self):
        paths = self.three()
        want = {n: joined([values(p)[n][0] for p in paths]) for n in ('r', 'b')}
        for ranks in RANKS:
            shutil.copyfile(paths[0], self.to)
            self.good('--append', *paths[1:], self.to, ranks=ranks)
            self.equal_values(want, self.to)
            self.clean(self.to)

    def equal_values(self, want, path):
        got = values(path)
        for n in want:
            self.assertEqual((want[n].shape, want[n].tobytes()), (got[n][0].shape, got[n][0].tobytes()), n)

    @staticmethod
    def spoil(path):
        with open(path, 'r+b') as f:
            os.pwrite(f.fileno(), b'!', next(v.begin for v in cdf.File(path).vars if v.name == 'f') + 100)

    def test_disagreement(self):
        a = self.write('a.nc')
        old, other = contents(a), lambda i, v: VARS[:i] + [v] + VARS[i + 1:]
        cases = [
            ('variable f has other values than in \\S*\n', dict()),
            ('variable r has another type', dict(vars=other(3, ('r', 6, ['t', 'x', 'y'], [])))),
            ('variable r has other dimensions', dict(vars=other(3, ('r', 5, ['t', 'y', 'x'], VARS[3][3])))),
            ('variable r has another number', dict(vars=other(3, ('r', 5, ['t'], VARS[3][3])))),
            ('attribute f:units is not as in', dict(vars=other(2, ('f', 3, ['y', 'lon', 'x'], [('units', 2, b'km')])))),
            ('dimension lon has another length', dict(dims=DIMS[:3] + [('lon', 8)] + DIMS[4:])),
            ('variable s is not there', dict(vars=VARS[:6])),
            ('variable more is not in', dict(vars=VARS + [('more', 1, [], [])])),
        ]
        for sentence, more in cases:
            b = self.write('b.nc', **more)
            if not more:
                self.spoil(b)
            together = 'type' in sentence or not more
            self.refused(sentence, *([a, b, self.to] if together else ['--append', b, a]), ranks=several() if together else 1)
            self.assertEqual(contents(a), old)
        fixed = self.write('fixed.nc', vars=[('x', 6, ['x'], [])])
        self.refused('no record dimension', self.write('p.nc', dims=[('x', 2)], vars=[('x', 6, ['x'], [])]), fixed, self.to)
        self.spoil(self.write('b.nc'))
        b = self.path('b.nc')
        self.good('--keep-first', a, b, self.to)
        x, y, z = (values(p) for p in (a, b, self.to))
        self.assertEqual(z['f'][0].tobytes(), x['f'][0].tobytes())
        self.assertEqual(z['b'][0].tobytes(), joined([x['b'][0], y['b'][0]]).tobytes())

    def test_append_fails(self):
        """Whatever the write that fails, TO keeps its records, and has all of the others or none."""
        a, b = self.three()[0], self.three()[2]
        old, both = values(a), {}
        for n in old:
            both[n] = joined([old[n][0], values(b)[n][0]])
        seen = set()
        for ranks, ks in {1: (2,), several(): (1, 3, 40)}.items():
            for k in ks:
                shutil.copyfile(a, self.to)
                status, out, err = copy('--append', b, self.to, ranks=ranks, fault='write:%d@0' % k)
                seen.add(status)
                n = cdf.File(self.to, zero_missing=True).numrecs
                self.assertIn(n, (2, 7), (k, err))
                self.equal_values({v: x[0] for v, x in old.items()} if n == 2 else both, self.to)
                if status:
                    self.assertRegex(err, r'^parcdf: ')
        self.assertEqual(seen, {GOOD, UNUSABLE})

    def test_append_of_less(self):
        """FROM is cut off while it is read: TO has none of its records."""
        vars = [('a', 4, ['t', 'x'], [])]
        a, b = (self.write(name, 5, n, [('t', 0), ('x', 30000)], vars) for name, n in (('a.nc', 2), ('b.nc', 1500)))
        size, old = os.stat(a).st_size, values(a)
        p = subprocess.Popen([PARCDF, 'copy', '--append', b, a], stderr=subprocess.PIPE, text=True)
        while p.poll() is None and os.stat(a).st_size < size + 10 * MIB:
            pass
        os.truncate(b, 40 * MIB)
        err = p.communicate()[1]
        n = cdf.File(a).numrecs
        self.assertEqual(n, 1502 if p.returncode == GOOD else 2, err)
        self.assertEqual(values(a)['a'][0][:2].tobytes(), old['a'][0].tobytes())
        if p.returncode:
            self.assertRegex(err, 'b.nc: the file became shorter')

    # -- where the size of TO counts the records

    def streaming(self, name, version=5, numrecs=2, x=3, more=b''):
        """The last value of a record is of a variable of many values, of few, or the only one."""
        vars = [('f', 4, ['x'], []), ('a', 5, ['t', 'x'], []), ('b', 1, ['t'], []), ('c', 6, ['t', 'x'], [])]
        b = Build(version, numrecs, [('t', 0), ('x', x)], vars=vars, put={'numrecs': b'\xff' * (8 if version == 5 else 4)})
        path = self.path(name)
        with open(path, 'wb') as f:
            f.write(b.bytes + more)
        return path

    def other(self, numrecs, version=5, x=3):
        """What is appended: its bytes are not those of the file above."""
        path = self.streaming('b.nc', version, numrecs, x=x)
        f, all = cdf.File(path), bytearray(contents(path))
        begin = min(v.begin for v in f.vars if v.name in 'abc')
        all[begin:] = (bytes(range(250, 0, -1)) * (1 + len(all) // 250))[:len(all) - begin]
        with open(path, 'wb') as f:
            f.write(all)
        return path

    def check_streaming(self, old, new, path):
        """Only whole records, all of them from `old` and then `new`: how many."""
        f, got = cdf.File(path), values(path)
        self.assertTrue(f.streaming)
        for n in 'abc':
            want = joined([old[n][0], new[n][0]])[:f.numrecs]
            self.assertEqual(want.shape, got[n][0].shape)
            self.assertTrue(want.tobytes() == got[n][0].tobytes(), 'values of %s are not right, of %d records' % (n, f.numrecs))
        self.assertEqual(got['f'][0].tobytes(), old['f'][0].tobytes())
        return f.numrecs

    def test_append_streaming(self):
        for version, more in (1, b''), (2, b'!'), (5, b'part of a record'):
            for ranks in RANKS:
                to, b = self.streaming('to.nc', version, 2, more=more), self.other(7, version)
                old, new = values(to), values(b)
                self.good('--append', b, to, ranks=ranks)
                self.assertEqual(self.check_streaming(old, new, to), 9)
                self.good('--append', '--keep-first', b, to, ranks=ranks)
                self.assertEqual(cdf.File(to).numrecs, 16)

    @unittest.skipUnless(netCDF4, 'python3-netcdf4 is missing')
    def test_append_streaming_of_image(self):
        """From netCDF-4, whose tiles go variable by variable elsewhere: whatever the write that fails."""
        b = self.other(9, x=50000)
        new, path = values(b), self.path('b4.nc')
        with netCDF4.Dataset(path, 'w') as d:
            d.createDimension('t', None)
            d.createDimension('x', 50000)
            for n, dims in ('f', ['x']), ('a', ['t', 'x']), ('b', ['t']), ('c', ['t', 'x']):
                d.createVariable(n, new[n][0].dtype.newbyteorder('='), dims)[:] = new[n][0]
        old, seen = values(self.streaming('old.nc', x=50000)), set()
        for k in range(1, 40, 9):
            to = self.streaming('to.nc', x=50000)
            status, out, err = copy('--append', path, to, fault='write:%d@0' % k)
            self.assertRegex(err or 'of the 9 new records', 'of the 9 new records')
            seen.add(self.check_streaming(old, new, to))
        self.assertGreater(len(seen), 2, seen)
        self.assertIn(11, seen)

    def test_append_streaming_fails(self):
        """Whatever the write that fails: whole records only, though they are longer than a buffer; and a sentence says how
        many there are."""
        b, seen = self.other(4, x=150000), set()
        new, old = values(b), values(self.streaming('old.nc', x=150000))
        for ranks, ks in {1: range(1, 50, 4), several(): (3, 12)}.items():
            for k in ks:
                to = self.streaming('to.nc', x=150000)
                status, out, err = copy('--append', b, to, ranks=ranks, fault='write:%d@0' % k)
                n = self.check_streaming(old, new, to)
                seen.add((status, n))
                if status:
                    self.assertRegex(err, '%d of the 4 new records are in the file' % (n - 2))
                else:
                    self.assertEqual(n, 6)
        self.assertLessEqual({(UNUSABLE, 2), (UNUSABLE, 3), (UNUSABLE, 5), (GOOD, 6)}, seen)

    def test_append_to(self):
        a = self.write('a.nc')
        self.refused('No such file', '--append', a, self.to)
        self.refused('read and written at once', '--append', a, a)
        self.refused('have no place', '--append', '-k', '5', a, self.to)
        short = self.write('short.nc', size=len(contents(a)) - 20)
        self.refused('ends 19 bytes before its data', '--append', short, a)

    # -- layout

    def offsets(self, path):
        text = subprocess.run([PARCDF, 'offsets', path], capture_output=True, text=True, timeout=30).stdout
        rows = [line.split('\t') for line in text.splitlines() if not line.startswith('#')]
        return {r[1] if r[0] != 'header' and r[0] != 'records' else r[0]: r for r in rows}

    def test_alignment(self):
        path = self.write()
        begin = lambda name: int(self.offsets(self.to)[name][5])
        self.good('--align', '4K', '--record-align=8192', path, self.to)
        self.assertEqual((begin('x'), begin('records')), (4096, 8192))
        self.good('-O', '--packed', path, self.to)
        rows = self.offsets(self.to)
        self.assertEqual({r[8] for r in rows.values()} - {'-'}, {'0'}, rows)
        self.good('-O', '--packed', '--header-reserve', '1000', path, self.to)
        self.assertEqual(begin('x'), int(rows['header'][6]) + 1000)
        self.equal(path, self.to)
        self.refused('number of bytes', '--align', '3x', path, self.to)

    def test_checksum(self):
        path = self.write()
        self.good('--checksum', path, self.to, ranks=several())
        self.assertEqual(self.files(), ['.to.nc.parcdf-sums', 'f.nc', 'to.nc'])
        check = lambda: subprocess.run([PARCDF, 'check', '--data', '-q', self.to], capture_output=True, timeout=30).returncode
        self.assertEqual(check(), GOOD)
        when = os.stat(self.to).st_mtime_ns
        Path(self.to).write_bytes(contents(self.to)[:-1] + b'!')
        os.utime(self.to, ns=(when, when))
        self.assertEqual(check(), BAD)
        self.good('-O', path, self.to)
        self.assertEqual(self.files(), ['f.nc', 'to.nc'])

    def test_recompute(self):
        whole = self.write(numrecs=4)
        for said in (1, 9):
            path = self.write('wrong.nc', numrecs=4, put={'numrecs': said, 'var:r:vsize': 12})
            self.good('-O', '--recompute', path, self.to, ranks=several())
            self.equal(whole, self.to)
            self.clean(self.to)
        cut = self.write('cut.nc', numrecs=4, size=len(contents(whole)) - 12)
        self.good('-O', '--recompute', cut, self.to)
        self.assertEqual(cdf.File(self.to).numrecs, 3)
        status, out, err = copy('-O', cut, self.to)
        self.assertEqual((status, cdf.File(self.to).numrecs), (BAD, 4))
        self.assertIn('taken as zero', err)

    def test_quantize(self):
        """Data keep 9 bits; coordinates, bounds, fill values, zeros and NaN stay. A copy of the copy is equal."""
        path = self.write(vars=VARS + [('d', 6, ['t', 'x'], []), ('g', 5, ['y'], [])], numrecs=7)
        name = '_QuantizeBitRoundNumberOfSignificantBits'
        self.good('--no-history', '--quantize', 'bitround/9', path, self.to, ranks=several())
        self.clean(self.to)
        before, after = values(path), values(self.to)
        atts = {v.name: {a.name: a.values for a in v.atts} for v in cdf.File(self.to).vars}
        for var, (old, _) in before.items():
            if var in ('r', 'd', 'g'):
                bits = old.astype(old.dtype.newbyteorder('=')).view(f'u{old.itemsize}')
                last = bits.dtype.type((23 if old.itemsize == 4 else 52) - 9)
                one = bits.dtype.type(1)
                rounded = ((bits + (one << (last - one))) >> last << last).view(f'f{old.itemsize}')
                fill = -1.5 if var == 'r' else np.float32(9.969209968386869e36)
                want = np.where((old == 0) | (old == fill) | np.isnan(old), old, rounded)
                self.assertEqual(atts[var].get(name), [9])
            else:
                want = old
                self.assertNotIn(name, atts[var])
            self.assertEqual(want.astype(old.dtype).tobytes(), after[var][0].tobytes(), var)
        self.good('--no-history', self.to, self.path('again.nc'))
        self.assertEqual(contents(self.to), contents(self.path('again.nc')))
        self.good('-O', '--quantize', 'granularbr/7', path, self.to) # floats have no 7 digits
        atts = {v.name: [a.name for a in v.atts] for v in cdf.File(self.to).vars}
        self.assertEqual([v for v in atts if any(a.startswith('_Q') for a in atts[v])], ['d'])
        os.unlink(self.path('again.nc'))
        os.unlink(self.to)
        for text in ('bitround/0', 'bitround/53', 'bitgroom/16', 'bitround', 'bits/3', 'bitround/3x'):
            self.refused('--quantize takes bitgroom/N', '--quantize', text, path, self.to, status=2)
        self.refused('for copies to classic files', '--quantize', 'bitround/3', '-k', 'zarr', path, self.to, status=2)
        self.refused('--append keeps', '--quantize', 'bitround/3', '--append', path, self.to, status=2)

    # -- refusals, and what is left behind

    def test_sizes(self):
        sparse = self.path('big.nc')
        b = Build(5, dims=[('x', 7), ('y', 7)], vars=[('a', 6, ['x'], []), ('z', 1, ['y'], [])], data=False)
        raw = bytearray(b.bytes)
        raw[b.at['dim:x:length']:b.at['dim:x:length'] + 8] = struct.pack('>q', 2 ** 29)
        raw[b.at['var:z:begin']:b.at['var:z:begin'] + 8] = struct.pack('>q', b.first + 2 ** 32)
        Path(sparse).write_bytes(raw)
        os.truncate(sparse, b.first + 2 ** 32 + 8)
        self.refused(r'variable 0 "a": 4294967296 bytes are more than 4294967292 \(CDF-2\), and it is not the last of its '
                     r'section; -k cdf5 would do', '-k', '2', sparse, self.to, ranks=several())
        self.good(sparse, self.to)  # the hole stays one
        self.assertEqual(os.stat(self.to).st_size, 512 + 2 ** 32 + 7)
        self.assertLess(os.stat(self.to).st_blocks * 512, 8 * MIB)
        records = Build(5, numrecs=100, dims=[('t', 0), ('x', 100000)], vars=[('a', 4, ['t', 'x'], [])], data=False)
        Path(sparse).write_bytes(records.bytes)
        os.truncate(sparse, records.first + 100 * 400000)
        self.good('-O', sparse, self.to, ranks=several())
        self.assertLess(os.stat(self.to).st_blocks * 512, 8 * MIB)
        self.equal(sparse, self.to)

    def test_outputs(self):
        path = self.write()
        self.refused('is to be read and written at once', '-O', path, path)
        os.link(path, self.path('link.nc'))
        self.refused('is to be read and written at once', '-O', path, self.path('link.nc'))
        Path(self.to).write_text('old')
        os.chmod(self.to, 0o640)
        self.refused('exists', path, self.to, ranks=several())
        self.refused('No such file', self.path('none.nc'), '-O', self.to)
        self.assertEqual(contents(self.to), b'old')
        self.good(path, self.to, '-O')
        self.assertEqual(os.stat(self.to).st_mode & 0o777, 0o640)
        self.refused('folder', '-O', path, self.dir.name)
        self.refused('No such file', path, self.path('no/to.nc'), ranks=several())
        self.refused('no kind', '-k', 'cdf3', path, self.to)
        self.refused('TO is missing', path)
        self.refused('option --wrong', '--wrong', path, self.to)
        Path(self.path('text.nc')).write_text('no netCDF at all')
        self.refused('text.nc', self.path('text.nc'), '-O', self.to, status=BAD)

    def test_disk_full(self):
        path = self.write('m.nc', 5, 4000, [('t', 0), ('x', 3000)], [('a', 4, ['t', 'x'], [])])
        limit = ['/bin/sh', '-c', 'trap "" XFSZ; ulimit -f 80000; exec "$@"', 'sh']
        self.refused('to.nc: ', path, self.to, wrap=limit)
        claim = self.write('claim.nc', 5, 0, [('x', 2 ** 60)], [('a', 1, ['x'], [])], data=False)
        self.refused('to.nc: the file would have', '-h', claim, self.to, wrap=limit, ranks=several())
        for k in (1, 3):
            self.refused('to.nc: ', path, self.to, ranks=several(), fault='write:%d@0' % k)

    def test_signal(self):
        path = self.write('m.nc', 5, 60000, [('t', 0), ('x', 300)], [('a', 4, ['t', 'x'], [])])
        before = self.files()
        for wait in (0.3, 0.4, 0.5):
            p = subprocess.Popen([PARCDF, 'copy', '--checksum', path, self.to], stderr=subprocess.DEVNULL)
            while p.poll() is None and self.files() == before:
                time.sleep(0.001)
            p.terminate()
            p.wait()
            if p.returncode != 0:
                self.assertEqual((p.returncode, self.files()), (-signal.SIGTERM, before))
                return
            for n in set(self.files()) - set(before):
                os.unlink(self.path(n))

    def test_signal_to_ranks(self):
        """To all ranks by the launcher, or to one of them, which the launcher tells the others: nothing is left."""
        if not MPIEXEC:
            self.skipTest('one rank')
        path = self.write('m.nc', 5, 60000, [('t', 0), ('x', 300)], [('a', 4, ['t', 'x'], [])])
        before, hit = self.files(), 0
        for whom in ('launcher', 0, 1, 'launcher', 0, 1):
            p = subprocess.Popen([*MPIEXEC, '-n', '2', PARCDF, 'copy', '--checksum', path, self.to], stderr=subprocess.DEVNULL, env={**os.environ, **runner.MPI})
            while p.poll() is None and self.files() == before:
                time.sleep(0.0005)
            time.sleep(0.004 * hit)
            ranks = ranks_that_write(self.to)
            if whom == 'launcher':
                p.terminate()
            elif len(ranks) == 2:
                os.kill(ranks[whom], signal.SIGTERM)
            p.wait(timeout=60)
            more = set(self.files()) - set(before)
            hit += not more
            self.assertLessEqual(more, {'to.nc', '.to.nc.parcdf-sums'}, 'a signal to ' + str(whom))
            if more:  # it was over when the signal came
                self.equal(path, self.to)
            for n in more:
                os.unlink(self.path(n))
        self.assertGreater(hit, 2, 'most copies were over before they were stopped')

    def test_foreign(self):
        """What looks like netCDF-4 and is not."""
        path = self.write()
        self.good('-k', 'nc5', path, self.path('a.nc4'))
        self.good('--append', path, self.path('a.nc4'))

        with open(self.write('values.nc', numrecs=0, dims=[('x', 999)], vars=[('v', 1, ['x'], [])]), 'r+b') as f:
            os.pwrite(f.fileno(), b'\x89HDF\r\n\x1a\n', 512) # of a classic file, these are values
        self.good(f.name, self.to)
        self.equal(f.name, self.to)

    def test_told(self):
        path = self.write()
        _, out, err = self.good('--json', '--verbose', '-k', '5', path, self.to, ranks=several())
        told = json.loads(out)
        self.assertEqual((told['from'], told['to'], told['format'], told['variables'], told['records']), ([path], self.to, 5, 7, 3))
        self.assertEqual(told['bytes'], sum(len(v.raw()) for v in cdf.File(path).vars))
        path = self.write(numrecs=5, vars=VARS[:1]) # no variable has records
        for n, options in ((5, ()), (0, ['--checksum'])):
            told = json.loads(self.good('-O', '--json', *options, path, self.to, ranks=several())[1])
            self.assertEqual((told['records'], cdf.File(self.to).numrecs), (n, n))
            self.clean(self.to)
        self.assertRegex(err, r'^parcdf copy: 7 variables, 3 records, \d+ bytes in [\d.]+ s, \d+ MiB/s, CDF-5$')


if __name__ == '__main__':
    ALL = '--all' in sys.argv
    names = [a for a in sys.argv[1:] if a.startswith('Copy')]
    words = [a for a in sys.argv[1:] if a not in names and not a.startswith('--all')]
    if len(words) not in (1, 3):
        sys.exit(__doc__)
    PARCDF = words[0]
    if len(words) == 3:
        MPIEXEC, RANKS = words[1].split(), [int(n) for n in words[2].split(',')]
    unittest.main(argv=[sys.argv[0], *names])
