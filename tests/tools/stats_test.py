#!/usr/bin/env python3
"""Fixes what `parcdf stats` finds: against numpy and exact sums, for every type, with fill values, NaN, infinities,
numbers whose squares no double holds, records, scalars and nothing; equal text on 1 to 4 ranks; its table, its JSON
and its exit statuses.
usage: stats_test.py PARCDF [MPIEXEC]    (with MPIEXEC: only what runs on several ranks)"""
import json, math, os, subprocess, sys, tempfile, unittest
from fractions import Fraction
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build
import numpy as np

PARCDF, MPIEXEC = None, None
TYPES = {'i1': 1, 'S1': 2, '>i2': 3, '>i4': 4, '>f4': 5, '>f8': 6, 'u1': 7, '>u2': 8, '>u4': 9, '>i8': 10, '>u8': 11}
DEFAULT = {3: -32767, 4: -2147483647, 5: float(np.float32(9.9692099683868690e+36)), 6: 9.9692099683868690e+36,
           8: 65535, 9: 2 ** 32 - 1, 10: -2 ** 63 + 2, 11: 2 ** 64 - 2}
INF = float('inf')


def cast(a, kind):
    with np.errstate(invalid='ignore'):
        return np.asarray(a).astype(kind)


def build(path, fixed=(), records=(), numrecs=0, atts={}, cut=0):
    """fixed, records: (name, type, array); an array of records has these first."""
    dims, vars_, place = [('t', 0)], [], []
    for name, kind, a in list(fixed) + list(records):
        a = cast(a, kind)
        is_record = any(name == r[0] for r in records)
        names = ['t'] if is_record else []
        for length in a.shape[1 if is_record else 0:]:
            if ('d%d' % length, length) not in dims:
                dims.append(('d%d' % length, length))
            names.append('d%d' % length)
        vars_.append((name, TYPES[kind], names, atts.get(name, [])))
        place.append((name, a, is_record))
    b = Build(5, numrecs=numrecs, dims=dims, vars=vars_, data=False)
    with open(path, 'wb') as f:
        f.write(b.bytes)
        for name, a, is_record in place:
            for r in range(numrecs if is_record else 1):
                f.seek(b.begin[name] + r * b.recsize if is_record else b.begin[name])
                f.write((a[r:r + 1] if is_record else a).tobytes())
        end = max(b.end, f.tell())
    os.truncate(path, end - cut)


def expect(values, kind, holes=()):
    """What stats says of values: exactly, with fractions."""
    values = cast(values, kind).ravel()
    out = dict(values=len(values), fill=0, nan=0, infinite=0, minus_infinite=0)
    valid = []
    for v in values.tolist():
        if any(v == h or (v != v and h != h) for h in holes):
            out['fill'] += 1
        elif v != v:
            out['nan'] += 1
        elif v in (INF, -INF):
            out['infinite' if v > 0 else 'minus_infinite'] += 1
        else:
            valid.append(v)
    out['valid'] = len(valid)
    if len(valid) > 5000:  # fractions are slow
        mean = math.fsum(valid) / len(valid)
        std = math.sqrt(math.fsum((x - mean) ** 2 for x in valid) / len(valid))
        out.update(min=min(valid), max=max(valid), mean=mean, std=std)
    elif valid:
        exact = [Fraction(v) for v in valid]
        mean = sum(exact) / len(exact)
        square = sum((x - mean) ** 2 for x in exact) / len(exact)
        shift = 0
        while square > 0 and not 2 ** -200 < square * Fraction(4) ** shift < 2 ** 200:
            shift += 100 if square * Fraction(4) ** shift < 1 else -100
        std = math.ldexp(math.sqrt(square * Fraction(4) ** shift), -shift) if square else 0.0
        out.update(min=min(valid), max=max(valid), mean=float(mean), std=std)
    else:
        out.update(min=None, max=None, mean=None, std=None)
    return out


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.path = os.path.join(self.dir.name, 'f.nc')

    def run_tool(self, *args, ranks=0, **env):
        launch = MPIEXEC.split() + ['-n', str(ranks)] if ranks else []
        p = subprocess.run(launch + [PARCDF, 'stats', *args], capture_output=True, text=True, timeout=60,
                           env=dict(os.environ, LC_ALL='C', **env))
        return p.returncode, p.stdout, p.stderr

    def json(self, *args):
        status, out, err = self.run_tool('--json', *args, self.path)
        self.assertEqual((status, err), (0, ''))
        return {v['name']: v for v in json.loads(out)['variables']}

    def close(self, got, want, what, digits=1e-14):
        if want is None or isinstance(want, str):
            self.assertEqual(got, want, what)
        else:
            self.assertLessEqual(abs(got - want), digits * max(abs(want), sys.float_info.min), (what, got, want))

    def compare(self, got, values, kind, holes=(), what='', digits=1e-14):
        want = expect(values, kind, holes)
        for key in ('values', 'valid', 'fill', 'nan', 'infinite', 'minus_infinite', 'min', 'max'):
            value = float(np.float32(got[key])) if kind == '>f4' and isinstance(got[key], float) else got[key]
            self.assertEqual(value, want[key], (what, key))
        if want['valid']: # sums of both signs may cancel
            most = max(abs(want['min']), abs(want['max']), sys.float_info.min)
            self.assertLessEqual(abs(Fraction(got['mean']) - Fraction(want['mean'])) / Fraction(most), 4e-16, (what, got, want))
        else:
            self.assertIsNone(got['mean'])
        self.close(got['std'], want['std'], (what, 'std'), digits)


def some(kind, n, seed=1):
    rng = np.random.default_rng(seed)
    if kind[1] == 'f':
        return (rng.standard_normal(n) * 50 + 20).astype(kind)
    info = np.iinfo(np.dtype(kind))
    return rng.integers(info.min, info.max, n, dtype=np.dtype(kind).newbyteorder('='), endpoint=True).astype(kind)


class Alone(Case):
    def test_every_type(self):
        kinds = [k for k in TYPES if k != 'S1']
        for n in (1, 7, 2048, 5001):
            build(self.path, [('v_' + str(TYPES[k]), k, some(k, n)) for k in kinds])
            got = self.json()
            for k in kinds:
                holes = [DEFAULT[TYPES[k]]] if TYPES[k] in DEFAULT else []
                self.compare(got['v_' + str(TYPES[k])], some(k, n), k, holes, (k, n), 1e-13)

    def test_special_values(self):
        nan, fill = float('nan'), DEFAULT[6]
        cases = {
            'one': [3.5], 'constant': [0.1] * 3000, 'nans': [nan, 1, nan, 2], 'only_nan': [nan, nan],
            'infinite': [INF, -INF, INF, 4, 5], 'only_inf': [INF], 'fills': [fill, 1, 2, fill, fill],
            'only_fill': [fill] * 9, 'huge': [1e308, -1e308, 1.5e308, 1e308], 'all_huge': [1.7e308] * 40 + [1.6e308],
            'tiny': [1e-300, 2e-300, 5e-300], 'least': [0, 5e-324], 'far': [1e9 + x for x in (4, 7, 13, 16)],
            'mixed': [1e308, 1, nan, -INF, fill, 2], 'wide': [1e200, 1e-200], 'minus_zero': [-0.0, 0.0],
        }
        build(self.path, [(name, '>f8', a) for name, a in cases.items()])
        got = self.json()
        for name, a in cases.items():
            self.compare(got[name], a, '>f8', [fill], name)
        build(self.path, [('x', '>f4', [nan, INF, 1e38, -1e38, 3, DEFAULT[5]])])
        self.compare(self.json()['x'], [nan, INF, 1e38, -1e38, 3, DEFAULT[5]], '>f4', [DEFAULT[5]])

    def test_special_values_among_many(self):
        a = some('>f8', 30000)
        a[[3, 2047, 2048, 9000]] = [float('nan'), INF, -INF, DEFAULT[6]]
        build(self.path, [('x', '>f8', a)])
        self.compare(self.json()['x'], a, '>f8', [DEFAULT[6]])

    def test_integers_are_exact(self):
        stamps = [1700000000123456789 + x for x in (1, 2, 3, 4)] * 1000
        build(self.path, [('a', '>i8', [-2 ** 63, 2 ** 63 - 1, 0]), ('b', '>u8', [2 ** 64 - 1, 0, 1]),
                          ('c', '>u8', [2 ** 64 - 1] * 5), ('d', '>i8', stamps), ('e', '>i8', [2 ** 63 - 1] * 7)])
        got = self.json()
        self.compare(got['a'], [-2 ** 63, 2 ** 63 - 1, 0], '>i8')
        self.compare(got['b'], [2 ** 64 - 1, 0, 1], '>u8')
        self.compare(got['d'], stamps, '>i8')
        for name, x in (('c', 2 ** 64 - 1), ('e', 2 ** 63 - 1)):
            self.assertEqual((got[name]['min'], got[name]['max'], got[name]['std']), (x, x, 0))
        self.assertIn('exactly: min -9223372036854775808, max 9223372036854775807', self.run_tool(self.path)[1])

    def test_little_deviation_of_many_large_integers(self):
        """Each merge of two blocks adds the square of what the distance of their means was rounded by."""
        ones = some('u1', 300000)
        cases = {'a': ('>u8', 0, 2), 'b': ('>u8', 2 ** 64 - 200, 100), 'c': ('>i8', 17 * 10 ** 17, 2),
                 'd': ('>i8', 2 ** 62, 100), 'e': ('>i8', -2 ** 63 + 100, 100), 'f': ('>i8', -1, 3)}
        build(self.path, [(name, kind, (ones % n).astype(kind) + np.array(at, kind)) for name, (kind, at, n) in cases.items()])
        got = self.json()
        for name, (_, at, n) in cases.items():
            self.close(got[name]['std'], float(np.std((ones % n).astype('f8'))), name, 1e-12)
            self.close(got[name]['mean'], at + float(np.mean(ones % n)), name, 4e-16)

    def test_numbers_far_from_zero(self):
        """The deviation of 1e9 + noise: what the textbook formula loses."""
        a = 1e9 + some('>f8', 40000) * 1e-3
        build(self.path, [('x', '>f8', a)])
        self.compare(self.json()['x'], a, '>f8', digits=1e-11)

    def test_fill_values(self):
        atts = {'a': [('_FillValue', 5, [-1])], 'b': [('missing_value', 6, [1e20])],
                'c': [('_FillValue', 4, [7]), ('missing_value', 3, [9])], 'd': [('_FillValue', 1, [-127])],
                'e': [('_FillValue', 6, [float('nan')])], 'f': [('_FillValue', 6, [4.0])],
                'g': [('missing_value', 6, [5.0])], 'h': [('missing_value', 2, b'none')],
                'i': [('missing_value', 6, [2.5])], 'j': [('_FillValue', 6, [INF])]}
        cases = [('a', '>f4', [-1, 2, DEFAULT[5]], [-1]),
                 ('b', '>f4', [1e20, 1, DEFAULT[5]], [float(np.float32(1e20)), DEFAULT[5]]),
                 ('c', '>i4', [7, 9, 8, DEFAULT[4]], [7, 9]), ('d', 'i1', [-127, 1], [-127]),
                 ('e', '>f8', [float('nan'), 1, 2], [float('nan')]), ('f', '>i4', [4, 5], [4]),
                 ('g', '>i8', [5, 6, DEFAULT[10]], [5, DEFAULT[10]]), ('h', '>i4', [1, 2], []),
                 ('i', '>i8', [2, 3], []), ('j', '>f8', [INF, -INF, 1], [INF])]
        build(self.path, [c[:3] for c in cases], atts=atts)
        got = self.json()
        for name, kind, a, holes in cases:
            self.compare(got[name], a, kind, holes, name)

    def test_records_scalars_and_nothing(self):
        r, s = some('>f8', 50 * 3).reshape(50, 3), some('>i2', 50)
        build(self.path, [('scalar', '>i4', np.array(5))], [('r', '>f8', r), ('s', '>i2', s)], numrecs=50)
        got = self.json()
        self.compare(got['scalar'], [5], '>i4')
        self.assertEqual(got['scalar']['shape'], [])
        self.assertEqual(got['r']['shape'], [50, 3])
        self.compare(got['r'], r, '>f8', digits=1e-13)
        self.compare(got['s'], s, '>i2', [DEFAULT[3]], digits=1e-13)
        build(self.path, [], [('r', '>f8', np.zeros((0, 3)))])
        self.compare(self.json()['r'], [], '>f8')
        self.assertIn('\nr                          0       -          -          -          -          -\n',
                      self.run_tool(self.path)[1])
        build(self.path)
        self.assertEqual(self.json(), {})

    def test_parts(self):
        a, r = some('>f8', 4 * 5 * 300).reshape(4, 5, 300), some('>i4', 6 * 7).reshape(6, 7)
        wide = some('>f8', 2 * 70000).reshape(2, 70000) # rows longer than a piece
        build(self.path, [('a', '>f8', a), ('w', '>f8', wide), ('s', '>i2', np.array(3))], [('r', '>i4', r)], numrecs=6)
        for text, part in (('a(1,:,10:20)', a[1:2, :, 10:20]), ('a(:,-1)', a[:, -1:]), ('a(2)', a[2:3]),
                           ('a(:,:,::7)', a[:, :, ::7]), ('w(:,1:)', wide[:, 1:]), ('w(0)', wide[:1]), ('a(3:1)', a[3:1])):
            got = self.json('-v', text)
            self.assertEqual(list(got), [text[0]])
            self.compare(got[text[0]], part, '>f8', what=text, digits=1e-13)
            self.assertEqual(got[text[0]]['slice']['count'], list(part.shape) if part.size else [0, 5, 300])
            self.assertEqual(got[text[0]]['shape'], list((a if text[0] == 'a' else wide).shape))
        got = self.json('-v', 'r(1:6:2,2:4),s', '-v', 'a')
        self.assertEqual(list(got), ['a', 's', 'r'])
        self.compare(got['r'], r[1:6:2, 2:4], '>i4', digits=1e-13)
        self.compare(got['a'], a, '>f8', digits=1e-13)
        self.assertNotIn('slice', got['a'])
        self.assertTrue(self.run_tool('-v', 'r(0)', self.path)[1].splitlines()[1].startswith('r(0)  '))
        want = np.histogram(a[1], 9)[0].tolist()
        self.assertEqual(self.json('-v', 'a(1)', '-b', '9')['a']['histogram']['counts'], want)
        for args in (('a(0),a(1)',), ('a', '-v', 'a(1)'), ('a(9)',), ('a(0,0,0,0)',), ('a(',), ('',)):
            self.assertEqual(self.run_tool('-v', *args, self.path)[:2], (2, ''), args)

    def test_text(self):
        build(self.path, [('c', 'S1', [b'a', b'\0', b'b', b'\0'])])
        self.assertEqual(self.json()['c'], {'name': 'c', 'type': 'char', 'shape': [4], 'values': 4, 'nul': 2})
        self.assertIn('char, 2 NULs: 50.0 %', self.run_tool(self.path)[1])

    def histogram(self, values, bins, range=None):
        got = self.json('--bins', str(bins), *(['--range', '%r:%r' % range] if range else []))['x']['histogram']
        counts, edges = np.histogram(values, bins, range)
        self.assertEqual(got['counts'], counts.tolist())
        np.testing.assert_allclose(got['edges'], edges, rtol=1e-15, atol=1e-300)
        self.assertEqual(sum(got['counts']) + got['below'] + got['above'], len(values))

    def test_histograms(self):
        for kind in ('>f8', '>f4', '>i4', 'u1', '>i8', '>u8'):
            a = some(kind, 6000) if kind[1] == 'f' else some(kind, 6000) // 3
            build(self.path, [('x', kind, a)])
            a = a.astype(a.dtype.newbyteorder('='))
            a = a.astype('f8')
            for bins in (1, 7, 10, 333):
                self.histogram(a, bins)
            self.histogram(a, 10, (-20.0, 75.5))
        for a in ([4.0] * 10, [0.0, 0.1, 0.2, 0.3, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0]):
            build(self.path, [('x', '>f8', a)])
            self.histogram(a, 5)
        build(self.path, [('x', '>f8', [-1.7e308, 1.7e308, 0, 1])])
        self.assertEqual(self.json('-b', '4')['x']['histogram']['counts'], [1, 0, 2, 1])
        build(self.path, [('x', '>f8', [0, 5e-324])])
        self.assertEqual(sum(self.json('-b', '4')['x']['histogram']['counts']), 2)
        build(self.path, [('x', '>f8', [float('nan'), INF, DEFAULT[6]])])
        self.assertNotIn('histogram', self.json('-b', '4')['x'])

    def test_table(self):
        build(self.path, [('temperature', '>f4', [1, 2, 3, 4, DEFAULT[5]]), ('a name that is too long', '>i2', [1, 3]),
                          ('e\x1bvil', '>f8', [float('nan'), INF, -INF, -1.5])])
        status, out, err = self.run_tool(self.path)
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(out.splitlines(), [
            'variable              values    fill        min       mean        max        std',
            'temperature                5  20.0 %          1        2.5          4    1.11803',
            'a name that is too long',
            '                           2       -          1          2          3          1',
            'e\\x1Bvil                   4       -       -1.5       -1.5       -1.5          0',
            '  1 NaN, 1 infinite, 1 minus infinite'])
        self.assertEqual(self.run_tool('-v', 'temperature', '-b', '3', self.path)[1].splitlines()[2],
                         '           1 |==#| 4')
        lines = self.run_tool('-v', 'temperature', '-r', '0:4', '-b', '2', '-l', self.path)[1].splitlines()
        self.assertEqual([line.split()[:4] for line in lines[2:]], [['0', '..', '2', '1'], ['2', '..', '4', '3']])
        for args in ([], ['-b', '200'], ['-l', '-b', '9']):
            for env in ({}, {'LC_ALL': 'C.UTF-8'}):
                out = subprocess.run([PARCDF, 'stats', *args, self.path], capture_output=True, text=True, timeout=30,
                                     env={**os.environ, 'LC_ALL': 'C', **env}).stdout
                self.assertTrue(all(len(line) <= 80 for line in out.splitlines()), out)
                self.assertEqual(out.isascii(), not env or not args)

    def test_packed(self):
        stored = np.array([0, 100, 250, 255, 7], 'u1')
        half = [('scale_factor', 5, [-0.5]), ('add_offset', 5, [10])]
        atts = {'short': [('scale_factor', 6, [0.01]), ('add_offset', 6, [273.15]), ('_FillValue', 3, [-99]),
                          ('units', 2, b'K')],
                'turned': half, 'unsigned': [('_Unsigned', 2, b'true'), ('_FillValue', 1, [-1])],
                'zero': [('scale_factor', 6, [0])], 'both': [('_Unsigned', 2, b'True')] + half,
                'text': [('scale_factor', 2, b'2')]}
        build(self.path, [('short', '>i2', [-99, 100, -100, 2000]), ('turned', '>i4', [1, 2, 3, 8]),
                          ('unsigned', 'i1', stored.view('i1')), ('zero', '>i4', [1, 2, 3]), ('both', 'i1', stored.view('i1')),
                          ('text', '>i2', [4])], atts=atts)
        got = self.json('-b', '2')
        values = np.array([100, -100, 2000]) * 0.01 + 273.15
        one = got['short']
        self.assertEqual((one['fill'], one['units'], one['min'], one['max']), (1, 'K', values.min(), values.max()))
        self.close(one['mean'], values.mean(), 'mean')
        self.close(one['std'], values.std(), 'std')
        self.assertEqual(one['unpacked'], {'scale_factor': 0.01, 'add_offset': 273.15})
        self.assertEqual(one['histogram'], {'edges': [values.min(), 282.65, values.max()], 'counts': [2, 1], 'below': 0, 'above': 0})
        one = got['turned']
        self.assertEqual((one['min'], one['max'], one['std']), (6, 9.5, np.std([1, 2, 3, 8]) / 2))
        self.assertEqual(one['histogram'], {'edges': [6, 7.75, 9.5], 'counts': [1, 3], 'below': 0, 'above': 0})
        one = got['unsigned']
        self.assertEqual((one['fill'], one['min'], one['max'], one['mean']), (1, 0, 250, 357 / 4))
        self.assertEqual((got['zero']['min'], got['zero']['max']), (0, 0))
        self.assertEqual((got['both']['min'], got['both']['max']), (10 - 127.5, 10))
        self.assertEqual((got['text']['max'], 'unpacked' in got['text']), (4, False))
        one = self.json('-v', 'turned', '-r', '7:8.5', '-b', '1')['turned']['histogram']
        self.assertEqual((one['counts'], one['below'], one['above']), ([1], 1, 2))
        got = self.json('--raw')
        self.assertEqual([(got[v]['min'], got[v]['max']) for v in ('short', 'turned', 'unsigned')], [(-100, 2000), (1, 8), (-6, 100)])
        lines = self.run_tool('-v', 'short,turned', self.path)[1].splitlines()
        self.assertEqual(lines[1:], [
            'short (K)                  4  25.0 %     272.15    279.817     293.15    9.46338',
            'turned                     4       -          6       8.25        9.5    1.34629'])

    def test_statuses(self):
        build(self.path, [('x', '>f8', [1, 2, 3, 4])], cut=8)
        status, out, err = self.run_tool('--json', self.path)
        self.assertEqual(status, 1)
        self.assertIn('taken as zero', err)
        self.assertEqual(json.loads(out)['variables'][0]['min'], 0)
        for args in ([], ['-q', self.path], ['-b', '0', self.path], ['-b', 'x', self.path],
                     ['-r', '3:1', self.path], ['-r', '1', self.path], ['-r', 'nan:1', self.path], ['-v']):
            status, out, err = self.run_tool(*args)
            self.assertEqual((status, out), (2, ''), args)
            self.assertIn('usage: parcdf stats ', err)
        self.assertEqual(self.run_tool('-v', 'none', self.path)[:2], (2, ''))
        self.assertEqual(self.run_tool('/nowhere')[:2], (2, ''))
        with open(self.path, 'wb') as f:
            f.write(b'nothing')
        self.assertEqual(self.run_tool(self.path)[:2], (1, ''))
        b = Build(5, numrecs=2 ** 31, dims=[('t', 0)], vars=[('r', 1, ['t'], [])], data=False)
        with open(self.path, 'wb') as f:
            f.write(b.bytes)
        self.assertEqual(self.run_tool(self.path)[:2], (1, ''))


class Ranks(Case):
    def test_same_on_any_number(self):
        rng = np.random.default_rng(5)
        big = some('>f8', 400000) * 10.0 ** rng.integers(-8, 8, 400000)
        many = [('r%d' % i, '>f4', some('>f4', 60 * 700, i).reshape(60, 700)) for i in range(3)]
        build(self.path, [('big', '>f8', big), ('ints', '>i8', some('>i8', 200000)), ('c', 'S1', [b'a'] * 9)],
              many + [('long', '>f8', some('>f8', 60 * 9000).reshape(60, 9000))], numrecs=60)
        args = ['--json', '-b', '12', self.path]
        want = self.run_tool(*args)
        self.assertEqual(want[0], 0)
        table = self.run_tool('-r', '0:9', self.path)
        for ranks in (1, 2) if 'mpich' in MPIEXEC else (1, 2, 3, 4): # MPICH's ranks spin
            self.assertEqual(self.run_tool(*args, ranks=ranks), want, ranks)
        part = ['--json', '-v', 'big(1:399999:2),r1(3:50,::2)', self.path]
        self.assertEqual(self.run_tool(*part, ranks=2), self.run_tool(*part))
        self.assertEqual(self.run_tool('-r', '0:9', self.path, ranks=2), table)

    def test_failures(self):
        status, out, err = self.run_tool('/nowhere', ranks=2)
        self.assertEqual((status, out), (2, ''))
        self.assertEqual(err.count('parcdf: /nowhere'), 1)
        build(self.path, [('x', '>f8', np.ones(300000))], cut=8)
        status, out, err = self.run_tool('--json', self.path, ranks=2)
        self.assertEqual(status, 1)
        self.assertEqual(json.loads(out)['variables'][0]['min'], 0)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    MPIEXEC = sys.argv.pop(1) if len(sys.argv) > 1 and '/' in sys.argv[1] else None
    unittest.main(defaultTest=None if len(sys.argv) > 1 else 'Ranks' if MPIEXEC else 'Alone')
