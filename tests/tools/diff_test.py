#!/usr/bin/env python3
"""Fixes what `parcdf diff` calls a difference and how it tells of it: a changed byte in 1,000 places is found and named;
rules for values of all types against exact arithmetic; header, records, selection, JSON; hostile files; memory; the
verdicts and lines of PnetCDF's cdfdiff, which it answers to.
usage: diff_test.py PARCDF [MPIEXEC]        with MPIEXEC, to which ' -n RANKS' is added: only what ranks and ncmpidiff say;
FEW=N in the environment: an N-th of the places, for sanitizers"""
import json, math, os, random, re, resource, shutil, struct, subprocess, sys, tempfile, unittest
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build, LETTERS, SIZES
import runner

PARCDF, MPIEXEC, FEW = None, None, int(os.environ.get('FEW', 1))
NUMBERS = sorted(LETTERS)
RAM = runner.MEMORY


def with_data(b, values):
    """values: name -> the variable's bytes, records one after another without padding."""
    out = bytearray(b.bytes)
    for var in b.vars:
        raw, size = values.get(var[0]), b.slab(var)
        if raw is None:
            continue
        for record in range(b.numrecs if b.is_record(var) else 1):
            at = b.begin[var[0]] + record * b.recsize
            out[at:at + size] = raw[record * size:(record + 1) * size]
    b.bytes = bytes(out)
    return b


def pack(type_, values):
    return bytes(values) if type_ == 2 else struct.pack('>%d%s' % (len(values), LETTERS[type_]), *values)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory(dir=RAM)
        self.addCleanup(self.dir.cleanup)

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def write(self, name, data):
        with open(self.path(name), 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.bytes)
        return self.path(name)

    def run_tool(self, *args, **more):
        p = subprocess.run([PARCDF, 'diff', *args], capture_output=True, timeout=60, **more)
        return p.returncode, p.stdout.decode(), p.stderr.decode()

    def json(self, *args):
        status, out, err = self.run_tool('--json', *args)
        return status, json.loads(out) if out else None, err

    def lines(self, *args):
        status, out, err = self.run_tool(*args)
        self.assertEqual(err, '')
        return status, [line.replace(self.dir.name + '/', '') for line in out.splitlines()]


class OneByte(Case):
    """Where a byte differs, and only there."""

    DIMS = [('t', 0), ('x', 5), ('y', 3)]

    def build(self, version, rng):
        types = NUMBERS + [2] if version == 5 else [1, 2, 3, 4, 5, 6]
        vars_ = [('f%d' % t, t, ['x', 'y'], [('units', 2, b'K m'), ('n', 4, [1, 2])]) for t in types]
        vars_ += [('r%d' % t, t, ['t', 'y'], []) for t in types] + [('s', 6, [], [])]
        b = Build(version, numrecs=4, dims=self.DIMS, vars=vars_, align=64,
                  atts=[('title', 2, b'one byte'), ('level', 3, [7])])
        data = {v[0]: bytes(rng.randrange(1, 0x70) for _ in range(b.slab(v) * 4)) for v in vars_}
        return with_data(b, data) # no zero and no NaN, before and after

    def meaning(self, b, at):
        """('data', variable, index), ('header', field) or ('nothing',)."""
        for v in b.vars:
            n = b.slab(v)
            for record in range(b.numrecs if b.is_record(v) else 1):
                first = b.begin[v[0]] + record * b.recsize
                if first <= at < first + n:
                    number = (at - first) // SIZES[v[1]]
                    index = [] if not v[2] else [record, number] if b.is_record(v) else [number // 3, number % 3]
                    return 'data', v[0], index
        if at >= b.header_size:
            return ('nothing',)
        return 'header', max((where, label) for label, where in b.at.items() if where <= at)[1]

    def check(self, b, place):
        at, flip, number = place
        kind, *what = self.meaning(b, at)
        changed = bytearray(b.bytes)
        changed[at] ^= flip
        path = self.write('b%d.nc' % number, bytes(changed))
        status, out, err = self.run_tool('--json', self.path('a.nc'), path)
        os.unlink(path)
        told = '%s %s: %d %s %s' % (kind, what, status, out[-900:], err)
        if kind == 'nothing':
            self.assertEqual(status, 0, told)
        elif kind == 'data':
            got = json.loads(out)
            self.assertEqual((status, got['header_differences'], got['values_different']), (1, 0, 1), told)
            one = [v for v in got['variables'] if v['different']][0]
            self.assertEqual([one['name'], one['first_difference']['index']], what, told)
        elif re.search('(:pad|:vsize|tag)$', what[0]):
            self.assertIn(status, (0, 2), told) # says nothing of the data
        else:
            self.assertIn(status, (1, 2), told)
            self.assertTrue(err if status == 2 else json.loads(out)['same'] is False, told)
            self.check_name(what[0], status, out, told)

    def check_name(self, field, status, out, told):
        found = re.match('(?:var:(.*):)?atts:(.*):values$', field)
        if not found:
            return
        got = json.loads(out)['header']
        self.assertEqual((status, [(f['kind'], f['variable'], f['name'], f['what']) for f in got]),
                         (1, [('attribute', found.group(1), found.group(2), 'value')]), told)

    def test_1000_places(self):
        rng = random.Random(7)
        for version, places in ((1, 300), (2, 200), (5, 500)):
            b = self.build(version, rng)
            self.write('a.nc', b)
            where = [(rng.randrange(len(b.bytes)), rng.randrange(1, 256), i) for i in range(places // FEW)]
            with ThreadPoolExecutor(2) as pool:
                for _ in pool.map(lambda place: self.check(b, place), where):
                    pass


class Values(Case):
    """All pairs of types, against exact arithmetic."""

    SPECIAL = [0, 1, 2, 3, 100, 127, 128, 255, 256, 32767, 65535, 2 ** 24 + 1, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 53,
               2 ** 53 + 1, 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1, -1, -2, -128, -2 ** 31, -2 ** 63, 0.5, -0.25, 1e-30,
               3.0000001, 99.9, 1e30, -1e300, math.nan, math.inf, -math.inf, -0.0]

    def fit(self, type_, x):
        if type_ in (5, 6):
            x = float(x)
            try:
                return struct.unpack('>f', struct.pack('>f', x))[0] if type_ == 5 else x
            except OverflowError:
                return math.inf
        if not math.isfinite(x):
            return 5
        bits, x = 8 * SIZES[type_], int(x)
        low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if LETTERS[type_].islower() else (0, 2 ** bits - 1)
        return min(max(x, low), high)

    def values(self, rng, n):
        return [rng.choice(self.SPECIAL) if rng.random() < 0.7 else rng.uniform(-300, 300) for _ in range(n)]

    def apart(self, x, y, absolute, relative, nan_differs):
        """None, or (absolute, relative) of a difference; NaNs have none."""
        if isinstance(x, float) and math.isnan(x) or isinstance(y, float) and math.isnan(y):
            both = x != x and y != y
            return None if both and not nan_differs else (None, None)
        if x == y: # Python is exact between int and float
            return None
        if math.isinf(x) or math.isinf(y):
            return math.inf, math.inf
        try:
            d = float(abs(Fraction(x) - Fraction(y)))
        except OverflowError:
            d = math.inf
        r = d / max(abs(float(x)), abs(float(y)))
        return (d, r) if (absolute is None or d > absolute) and (relative is None or r > relative) else None

    def want(self, xs, ys, rules):
        apart = [(i, self.apart(x, y, *rules)) for i, (x, y) in enumerate(zip(xs, ys))]
        apart = [(i, d) for i, d in apart if d]
        most = []
        for k in (0, 1):
            numbers = [(d[k], -i) for i, d in apart if d[k] is not None]
            most.append((max(numbers)[0], -max(numbers)[1]) if numbers else None)
        return len(apart), apart[0][0] if apart else None, most

    def got(self, v):
        real = {'Infinity': math.inf}
        most = [m and (real.get(m['value'], m['value']), m['index'][0]) for m in (v['largest'], v['largest_relative'])]
        first = v['first_difference']
        return v['different'], first and first['index'][0], most

    def test_all_pairs_of_types(self):
        rng = random.Random(11)
        n, names, left, right = 64, [], {}, {}
        for s in NUMBERS:
            for t in NUMBERS:
                name = 'v%d_%d' % (s, t)
                names.append((name, s, t))
                xs, ys = self.values(rng, n), self.values(rng, n)
                ys = [x if rng.random() < 0.4 else x * 1.001 if rng.random() < 0.3 else y for x, y in zip(xs, ys)]
                left[name] = [self.fit(s, x) for x in xs]
                right[name] = [self.fit(t, y) for y in ys]
        a = Build(5, dims=[('x', n)], vars=[(m, s, ['x'], []) for m, s, t in names])
        b = Build(5, dims=[('x', n)], vars=[(m, t, ['x'], []) for m, s, t in names])
        self.write('a.nc', with_data(a, {m: pack(s, left[m]) for m, s, t in names}))
        self.write('b.nc', with_data(b, {m: pack(t, right[m]) for m, s, t in names}))
        for options, rules in (([], (None, None, False)), (['--nan-differs'], (None, None, True)),
                               (['-t', '1'], (1, None, False)), (['-t', '0.01,0.002'], (0.01, 0.002, False)),
                               (['-T', '50'], (None, 0.5, False)), (['-t', '0,0', '--nan-differs'], (0, 0, True)),
                               (['-T', '0.05', '-t', '3'], (3, 0.0005, False))):
            status, out, err = self.json(*options, self.path('a.nc'), self.path('b.nc'))
            self.assertEqual((status, err, len(out['variables'])), (1, '', len(names)))
            for v in out['variables']:
                count, first, most = self.want(left[v['name']], right[v['name']], rules)
                got = self.got(v)
                self.assertEqual(got[:2], (count, first), (options, v))
                for have, should in zip(got[2], most):
                    self.assertEqual(have is None, should is None, (options, v, most))
                    if have and not math.isclose(have[0], should[0], rel_tol=1e-12):
                        self.fail((options, v, most))

    def pair(self, type_, xs, ys):
        for name, values in (('a.nc', xs), ('b.nc', ys)):
            b = Build(5, dims=[('x', len(values))], vars=[('v', type_, ['x'], [])])
            self.write(name, with_data(b, {'v': pack(type_, values)}))
        return self.path('a.nc'), self.path('b.nc')

    def test_many_in_a_long_variable(self):
        rng = random.Random(13)
        for type_, n, share in ((1, 600000, 3000), (3, 9000, 4000), (6, 70000, 700)):
            xs = [rng.randrange(1, 100) for _ in range(n)]
            places = sorted(rng.sample(range(n), share))
            ys = list(xs)
            for i in places:
                ys[i] = -xs[i]
            _, out, _ = self.json(*self.pair(type_, xs, ys))
            v = out['variables'][0]
            most = max((xs[i], -i) for i in places)
            self.assertEqual((v['different'], v['first_difference']['index'], v['largest'], v['largest_relative']),
                             (share, [places[0]], {'index': [-most[1]], 'value': 2 * most[0]},
                              {'index': [places[0]], 'value': 2}))

    def test_bits_only_with_strict(self):
        paths = self.pair(6, [0.0, 1.0], [-0.0, 1.0])
        self.assertEqual(self.run_tool(*paths)[0], 0)
        self.assertEqual(self.lines('-s', *paths), (1, ['variable v: 1 of 2 values differ', '  first at (0): 0 | -0',
                         '  largest difference 0 at (0)', '  largest relative difference 0 at (0)',
                         'a.nc and b.nc differ: 0 differences in the header, 1 value in 1 of 1 variable']))

    def test_text_has_no_tolerance(self):
        paths = self.pair(2, b'abc', b'abd')
        self.assertEqual(self.lines('-t', '9,9', *paths)[1][:2], ['variable v: 1 of 3 values differ',
                                                                  '  first at (2): "c" | "d"'])

    def test_exact_64_bits(self):
        paths = self.pair(11, [2 ** 64 - 1, 7], [2 ** 64 - 2, 7])
        status, lines = self.lines(*paths)
        self.assertEqual(lines[1:3], ['  first at (0): 18446744073709551615 | 18446744073709551614',
                                      '  largest difference 1 at (0)'])

    def test_the_lowest_of_equals(self):
        _, out, _ = self.json(*self.pair(4, [1, 1, 1, 1], [1, 3, -1, 3]))
        v = out['variables'][0]
        self.assertEqual((v['largest']['index'], v['largest_relative']['index']), ([1], [2]))


class Header(Case):
    DIMS = [('t', 0), ('x', 3), ('y', 2)]
    VARS = [('a', 6, ['x', 'y'], [('units', 2, b'K'), ('range', 4, [1, 2])]), ('r', 4, ['t', 'x'], [])]

    def pair(self, more=None, **changes):
        base = dict(version=1, numrecs=2, dims=self.DIMS, vars=self.VARS, atts=[('title', 2, b'hello')])
        for name, keys in (('a.nc', base), ('b.nc', {**base, **changes})):
            b = Build(**keys)
            size = lambda v: b.slab(v) * max(1, b.numrecs)
            self.write(name, with_data(b, {v[0]: (bytes(range(1, 60)) * 40)[:size(v)] for v in b.vars}))
        return self.lines(*(more or []), self.path('a.nc'), self.path('b.nc'))

    def test_lines(self):
        a, r = self.VARS
        same = 'a.nc and b.nc are the same: 12 values of 2 variables'
        tail = 'a.nc and b.nc differ: %s in the header, 0 values in 0 of %s'
        one, two = '1 difference', '2 variables'
        for changes, want in (
                ({}, [same]),
                ({'version': 5}, ['note: file: format CDF-1 | CDF-5', same]),
                ({'align': 512}, [same]),
                ({'vars': [r, a]}, ['note: variables: in another order', same]),
                ({'dims': [self.DIMS[i] for i in (2, 0, 1)]}, ['note: dimensions: in another order', same]),
                ({'vars': [(a[0], a[1], a[2], a[3][::-1]), r]}, ['note: attributes of a: in another order', same]),
                ({'atts': [('title', 2, b'hullo')]}, ['attribute :title: value "hello" | "hullo"', tail % (one, two)]),
                ({'atts': [('title', 3, [1])]}, ['attribute :title: type char | short', tail % (one, two)]),
                ({'atts': []}, ['attribute :title: only in a.nc: "hello"', tail % (one, two)]),
                ({'atts': [('title', 2, b'hello'), ('k', 6, [1.5, math.nan])]},
                 ['attribute :k: only in b.nc: 1.5, NaN', tail % (one, two)]),
                ({'vars': [(a[0], a[1], a[2], [a[3][0], ('range', 4, [1, 3])]), r]},
                 ['attribute a:range: value 1, 2 | 1, 3', tail % (one, two)]),
                ({'vars': [a]}, ['variable r: only in a.nc: int (t, x)', tail % (one, '1 variable')]),
                ({'vars': [a, r, ('n', 2, ['y'], [])]}, ['variable n: only in b.nc: char (y)', tail % (one, two)]),
                ({'dims': self.DIMS + [('z', 9)]}, ['dimension z: only in b.nc: 9', tail % (one, two)]),
                ({'dims': [('t', 0), ('x', 3), ('y', 4)]},
                 ['dimension y: length 2 | 4', 'note: variable a: its values were not compared, since shape or kind '
                  'differ', tail % (one, '1 variable')]),
                ({'vars': [('a', 6, ['y', 'x'], a[3]), r]},
                 ['variable a: dimensions (x, y) | (y, x)', 'note: variable a: its values were not compared, since '
                  'shape or kind differ', tail % (one, '1 variable')]),
                ({'numrecs': 3}, ['dimension t: length UNLIMITED (2 records) | UNLIMITED (3 records)', tail % (one, two)]),
                ({'numrecs': 0}, ['dimension t: length UNLIMITED (2 records) | UNLIMITED (0 records)', tail % (one, two)]),
                ({'dims': [('t', 2), ('x', 3), ('y', 2)]},
                 ['dimension t: length UNLIMITED (2 records) | 2', tail % (one, two)])):
            self.assertEqual(self.pair(**changes), (int(want[-1] != same), want), changes)

    def test_records_in_another_order(self):
        u, v = ('u', 4, ['t', 'x'], []), ('v', 4, ['t', 'x'], [])
        one, other = b'\0\0\0\1' * 6, b'\0\0\0\2' * 6
        for vars_, values, count in (([v, u], {'u': one, 'v': other}, 0), ([v, u], {'u': other, 'v': one}, 12),
                                     ([u, v], {'u': one, 'v': one}, 6)):
            for name, vs, data in (('a.nc', [u, v], {'u': one, 'v': other}), ('b.nc', vars_, values)):
                self.write(name, with_data(Build(2, numrecs=2, dims=self.DIMS, vars=vs), data))
            self.assertEqual(self.json(self.path('a.nc'), self.path('b.nc'))[1]['values_different'], count, vars_)

    def test_strict_counts_notes(self):
        self.assertEqual(self.pair(['-s'], version=5)[1][0], 'file: format CDF-1 | CDF-5')
        for changes in ({'version': 2}, {'vars': self.VARS[::-1]}, {'dims': self.DIMS[::-1]}):
            self.assertEqual(self.pair(['-s', '-q'], **changes), (1, []))
            self.assertEqual(self.pair(['-q'], **changes), (0, []))

    def test_reals_of_attributes(self):
        """Zeros and NaNs are equal as those of variables are, with -s their bits count; --nan-differs is about values."""
        a, r = self.VARS
        for type_ in (5, 6):
            numbers = lambda *x: dict(atts=[('k', type_, list(x))], vars=[(a[0], a[1], a[2], [('_FillValue', 6, [x[1]])]), r])
            for other, differ in ((numbers(0.0, math.nan, 1), False), (numbers(-0.0, -math.nan, 1), False),
                                  (numbers(0.0, 1.0, 1), True), (numbers(0.0, math.nan, 2), True), (numbers(0.0, math.nan), True)):
                for name, changes in (('a.nc', numbers(0.0, math.nan, 1)), ('b.nc', other)):
                    self.write(name, with_data(Build(1, numrecs=0, dims=self.DIMS, **changes), {'a': bytes(48)}))
                paths = self.path('a.nc'), self.path('b.nc')
                for options in (['-h'], [], ['-h', '--nan-differs']):
                    self.assertEqual(self.lines(*options, *paths)[0], int(differ), (type_, other, options))
                self.assertEqual(self.lines('-s', *paths)[0], int(other != numbers(0.0, math.nan, 1)), (type_, other))

    def test_long_values_are_short(self):
        _, lines = self.pair(atts=[('title', 2, b'x' * 500)])
        self.assertEqual(lines[0], 'attribute :title: value "hello" | "%s"...' % ('x' * 60))
        a = 'attribute :n: value ..., 10, 11, 12, 13, 14, 15, 16, 17, ... | ..., 10, 11, 0, 13, 14, 15, 16, 17, ...'
        self.write('a.nc', Build(1, atts=[('n', 4, list(range(100)))]))
        self.write('b.nc', Build(1, atts=[('n', 4, [0 if i == 12 else i for i in range(100)])]))
        self.assertEqual(self.lines(self.path('a.nc'), self.path('b.nc'))[1][0], a)

    def test_selection(self):
        vars_ = [('a', 6, ['x', 'y'], [('units', 2, b'C'), ('range', 4, [1, 2])]), ('r', 5, ['t', 'x'], [])]
        for options, status, first in (
                (['-v', 'r'], 1, 'variable r: type int | float'), (['-x', 'a'], 1, 'variable r: type int | float'),
                (['-v', 'a'], 1, 'attribute a:units: value "K" | "C"'), (['-v', 'a', '-A', 'units'], 0, None),
                (['-x', 'a,r'], 0, None), (['-x', 'a', '-x', 'r'], 0, None), (['-h', '-x', 'r', '-A', 'n,units'], 0, None),
                (['-h'], 1, 'attribute a:units: value "K" | "C"')):
            got = self.pair(options, vars=vars_)
            self.assertEqual(got[0], status, options)
            if first:
                self.assertEqual(got[1][0], first)
            else:
                self.assertEqual(len(got[1]), 1, got)
        self.assertEqual(self.pair(['-v', 'r'], numrecs=3)[1][0], 'variable r: shape (2, 3) | (3, 3)')

    def test_verbose(self):
        self.assertEqual(self.pair(['-b'])[1][:2], ['variable a: 6 values, none differs',
                                                    'variable r: 6 values, none differs'])

    def test_names_that_hurt(self):
        self.write('a.nc', Build(1, atts=[('a\x1b[2J', 2, b'\x07"q"\xff\n')]))
        self.write('b.nc', Build(1))
        _, lines = self.lines(self.path('a.nc'), self.path('b.nc'))
        self.assertEqual(lines[0], 'attribute :a\\x1B[2J: only in a.nc: "\\x07"q"\\xFF\\x0A"')
        _, out, _ = self.json(self.path('a.nc'), self.path('b.nc'))
        self.assertEqual(out['header'][0]['name'], 'a\x1b[2J')


class Files(Case):
    def build(self, **more):
        return Build(1, numrecs=2, dims=[('t', 0), ('x', 300)],
                     vars=[('a', 4, ['x'], []), ('r', 4, ['t', 'x'], []), ('s', 4, ['t', 'x'], [])], **more)

    def test_wrong_arguments(self):
        path = self.write('a.nc', self.build())
        for args in ((), (path,), (path, path, path), ('-t', 'x', path, path), ('-t', '1,', path, path),
                     ('-t', '-1', path, path), ('-t', 'nan', path, path), ('-T', '1x', path, path), ('-Z', path, path),
                     ('-q', '--json', path, path)):
            status, out, err = self.run_tool(*args)
            self.assertEqual((status, out), (2, ''), args)
            self.assertIn('usage: parcdf diff ', err)
        self.assertEqual(self.run_tool('-v', 'none', path, path), (2, '', 'parcdf: neither file has a variable none\n'))

    def test_files_that_cannot_be_compared(self):
        good, bad = self.write('a.nc', self.build()), self.write('bad.nc', b'no netCDF at all')
        far = self.write('far.nc', Build(1, dims=[('t', 0)], vars=[('v', 1, ['t'], []), ('w', 1, ['t'], [])],
                                         data=False, put={'numrecs': 2 ** 31 - 2}))
        for path in (bad, far, '/nowhere', self.dir.name, self.write('empty.nc', b'')):
            for pair in ((good, path), (path, good)):
                status, out, err = self.run_tool(*pair)
                self.assertEqual((status, out, err.count('\n')), (2, '', 1), (pair, err))
        self.assertEqual(self.run_tool('-h', far, far)[0], 0)

    def test_records_without_variables_are_none_to_loop_over(self):
        paths = [self.write(name, Build(5, dims=[('t', 0), ('x', 2)], vars=[('a', 4, ['x'], [])],
                                        put={'numrecs': 2 ** 62})) for name in ('a.nc', 'b.nc')]
        self.assertEqual(self.run_tool(*paths)[0], 0)
        p = subprocess.run([PARCDF, 'stats', paths[0]], capture_output=True, timeout=20) # toolwork.c's, too
        self.assertEqual(p.returncode, 0)

    def test_truncated(self):
        b = self.build()
        paths = self.write('a.nc', b), self.write('b.nc', b.bytes[:-100])
        status, out, err = self.run_tool(*paths)
        self.assertEqual((status, err), (1, 'parcdf: %s: the file ends at byte %d, values that lie behind it are taken '
                                         'as zero\n' % (paths[1], len(b.bytes) - 100)))
        self.assertIn('variable s: 25 of 600 values differ\n  first at (1, 275): ', out)
        status, out, err = self.run_tool(paths[1], paths[1])
        self.assertEqual((status, out.endswith(', and values are missing\n')), (1, True))
        self.assertEqual(self.run_tool('-v', 'a,r', *paths)[0], 0)

    def test_memory_of_sparse_4_gib(self):
        n, paths = 2 ** 29, []
        for i in range(2):
            b = Build(5, dims=[('x', n)], vars=[('v', 6, ['x'], [])], data=False)
            paths.append(self.write('%d.nc' % i, b))
            os.truncate(paths[i], b.begin['v'] + 8 * n)
        with open(paths[1], 'r+b') as f:
            f.seek(b.begin['v'] + 8 * (n - 2))
            f.write(struct.pack('>d', 3))
        p = subprocess.Popen([PARCDF, 'diff', *paths], stdout=subprocess.PIPE)
        out = p.stdout.read().decode()
        p.stdout.close()
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(p.returncode, 1)
        self.assertIn('first at (%d): 0 | 3' % (n - 2), out)
        self.assertLess(used.ru_maxrss, 64 * 1024)


class AsCdfdiff(Case):
    """Verdict and lines of PnetCDF's program, without the differences that doc/differences.md names."""

    def pairs(self):
        base = dict(numrecs=2, dims=Header.DIMS, vars=Header.VARS, atts=[('title', 2, b'hello')])
        a, r = Header.VARS
        changes = [{}, {'version': 2}, {'align': 512}, {'vars': [r, a]}, {'atts': [('title', 2, b'hullo')]},
                   {'atts': [('title', 3, [1])]}, {'atts': []}, {'vars': [a]},
                   {'vars': [a, r, ('n', 2, ['y'], [])]}, {'dims': Header.DIMS + [('z', 9)]},
                   {'dims': [('t', 0), ('x', 3), ('y', 4)]}, {'vars': [('a', 6, ['y', 'x'], a[3]), r]},
                   {'vars': [('a', 5, a[2], a[3]), r]}]
        for change in changes:
            keys = {'version': 1, **base, **change}
            yield tuple(with_data(b, {v[0]: bytes(200) for v in b.vars})
                        for b in (Build(**{'version': 1, **base}), Build(**keys)))
        for value in (2.0, -0.0, 1e300, math.nan, math.inf):
            for other in (2.0, 0.0, 2.0000001, math.nan):
                yield tuple(with_data(Build(1, dims=[('x', 2)], vars=[('v', 6, ['x'], [])]),
                                      {'v': pack(6, [1.0, x])}) for x in (value, other))

    @unittest.skipUnless(shutil.which('cdfdiff'), 'cdfdiff is not installed')
    def test_verdicts_and_lines(self):
        ours = self.path('cdfdiff')
        os.symlink(PARCDF, ours)
        for number, (a, b) in enumerate(self.pairs()):
            paths = self.write('a.nc', a), self.write('b.nc', b)
            for options in ([], ['-q'], ['-h'], ['-t', '0.5,0.1'], ['-t', '0,0'], ['-v', 'v'], ['-v', 'a,r']):
                want, got = (subprocess.run([program, *options, *paths], capture_output=True, timeout=20)
                             for program in ('cdfdiff', ours))
                if want.returncode < 0:
                    continue # theirs died: where one file has no attributes at all
                self.assertEqual(got.returncode, want.returncode, (number, options, got, want))
                first_only = options == ['-v', 'a,r'] and b"'s length" in want.stdout # theirs ends at one dimension
                if not first_only and not any(known in want.stdout for known in (b'units', b'"y" defined', b'WARN')):
                    self.assertEqual(got.stdout, want.stdout, (number, options))

    def test_statuses(self):
        ours = self.path('cdfdiff')
        os.symlink(PARCDF, ours)
        path = self.write('a.nc', Build(1))
        for args in ([], [path], [path, '/nowhere'], ['-t', '1', path, path], ['-z', path, path]):
            p = subprocess.run([ours, *args], capture_output=True)
            self.assertEqual((p.returncode, p.stdout, p.stderr != b''), (1, b'', True), args)

    def test_records_are_counted(self):
        ours = self.path('cdfdiff')
        os.symlink(PARCDF, ours)
        paths = [self.write(n, Build(1, numrecs=i, dims=[('t', 0)], vars=[('r', 4, ['t'], [])]))
                 for n, i in (('a.nc', 2), ('b.nc', 3))]
        p = subprocess.run([ours, *paths], capture_output=True, text=True)
        self.assertEqual((p.returncode, p.stdout.splitlines()[0]), (1, 'DIFF: dimension "t" length (2) != (3)'))


class Ranks(Case):
    """The same words on any number of ranks, and ncmpidiff's verdicts."""

    def mpi(self, ranks, *command):
        p = subprocess.run([*MPIEXEC, '-n', str(ranks), *command], capture_output=True, timeout=60)
        return p.returncode, p.stdout.decode()

    def build(self, rng):
        """Units of all kinds: long variables, short ones, records shorter and longer than a unit."""
        vars_ = [('long', 5, ['x'], []), ('short', 3, ['y'], []), ('scalar', 6, [], []), ('r', 4, ['t', 'y'], []),
                 ('odd', 1, ['t', 'z'], [])]
        b = Build(5, numrecs=900, dims=[('t', 0), ('x', 700000), ('y', 500), ('z', 7)], vars=vars_)
        block = bytes(rng.randrange(1, 0x70) for _ in range(4096))
        return with_data(b, {v[0]: block * (b.slab(v) * 900 // 4096 + 1) for v in vars_})

    def test_same_words(self):
        rng = random.Random(3)
        b = self.build(rng)
        self.write('a.nc', b)
        changed = bytearray(b.bytes)
        for _ in range(60):
            changed[rng.randrange(b.header_size, len(changed))] ^= rng.randrange(1, 256)
        for record in (0, 450, 899): # equal differences in units of different ranks
            at = b.begin['odd'] + record * b.recsize + 3
            changed[at] = (changed[at] + 100) % 256
        self.write('b.nc', bytes(changed))
        for options in ([], ['--json'], ['-t', '3'], ['-q'], ['-v', 'odd,long'], ['-x', 'r', '-b']):
            args = [PARCDF, 'diff', *options, self.path('a.nc'), self.path('b.nc')]
            alone = subprocess.run(args, capture_output=True, timeout=60)
            want = alone.returncode, alone.stdout.decode()
            self.assertEqual((want[0], want[1] == ''), (1, options == ['-q']))
            for ranks in (2, 3) if not options and 'mpich' not in MPIEXEC[0] else (2,): # MPICH's ranks spin
                self.assertEqual(self.mpi(ranks, *args), want, (options, ranks))
        self.assertEqual(self.mpi(2, PARCDF, 'diff', '-q', self.path('a.nc'), self.path('a.nc')), (0, ''))

    def test_failures(self):
        self.write('a.nc', Build(1))
        for args, status in ((['-Z'], 2), ([self.path('a.nc'), '/nowhere'], 2), (['-v', 'n'] + [self.path('a.nc')] * 2, 2)):
            self.assertEqual(self.mpi(2, PARCDF, 'diff', *args), (status, ''))

    def test_as_ncmpidiff(self):
        ours = self.path('ncmpidiff')
        os.symlink(PARCDF, ours)
        theirs = shutil.which('ncmpidiff') if 'openmpi' in ' '.join(MPIEXEC) else None
        for value, other, options, status in ((2.0, 2.0, [], 0), (2.0, 2.5, [], 1), (2.0, 2.5, ['-t', '0.1,0.3'], 0),
                                              (math.nan, math.nan, [], 1), (0.0, -0.0, [], 0)):
            paths = [self.write(n, with_data(Build(2, dims=[('x', 2)], vars=[('v', 6, ['x'], [])], atts=[('a', 4, [1])]),
                                             {'v': pack(6, [1.0, x])})) for n, x in (('a.nc', value), ('b.nc', other))]
            got = self.mpi(2, ours, *options, *paths)
            self.assertEqual(got[0], status)
            if theirs:
                want = self.mpi(2, theirs, *options, *paths) # its ranks print, each when it comes to it
                self.assertEqual((got[0], sorted(got[1].splitlines())), (want[0], sorted(want[1].splitlines())))


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and not sys.argv[1].startswith('-'):
        MPIEXEC, sys.argv[1:] = ' '.join(sys.argv[1:]).split(), ['Ranks']
    else:
        del Ranks
    unittest.main()
