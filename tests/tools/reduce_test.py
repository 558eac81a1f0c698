#!/usr/bin/env python3
"""Fixes what `parcdf reduce` computes: against numpy with exact sums, for every operation, type and choice of dimensions, with
values that stand for none, packed numbers, calendars, groups, windows, weights, ensembles and several files; equal numbers on
1 to 3 ranks; the attributes that CF wants.
usage: reduce_test.py PARCDF [MPIEXEC] [FILES]    (with MPIEXEC: only what runs on several ranks; FILES: of random ones)"""
import itertools, json, math, os, signal, subprocess, sys, tempfile, time, unittest
from fractions import Fraction
import numpy as np
import netCDF4

PARCDF, MPIEXEC, FILES = None, None, 25
OPS = ['mean', 'sum', 'min', 'max', 'median', 'p10', 'p95.5', 'var', 'var1', 'std', 'std1', 'rms', 'count', 'any', 'all', 'first', 'last']
TYPES = ['i1', 'i2', 'i4', 'f4', 'f8', 'u1', 'u2', 'u4', 'i8', 'u8']
UNITS = 'days since 1999-12-30 06:00:00'
CALENDARS = ['standard', 'proleptic_gregorian', 'noleap', 'all_leap', '360_day', 'julian']


def exact(values, weights=None):
    """Of numbers: their exact sum (of products with the weights), and the sum of the weights."""
    weights = [1] * len(values) if weights is None else weights
    return sum((Fraction(v) * Fraction(w) for v, w in zip(values, weights)), Fraction(0)), sum((Fraction(w) for w in weights), Fraction(0))


def expect(op, values, weights=None):
    """Of a list of valid numbers; None: there is no result."""
    n = len(values)
    if op == 'count':
        return n
    if n == 0:
        return None
    if op in ('any', 'all'):
        return int((any if op == 'any' else all)(v != 0 for v in values))
    if op in ('first', 'last'):
        return values[0 if op == 'first' else -1]
    if op in ('min', 'max'):
        return (min if op == 'min' else max)(values)
    if op == 'median' or op[0] == 'p':
        return float(np.quantile(np.array(values, 'f8'), 0.5 if op == 'median' else float(op[1:]) / 100))
    total, weight = exact(values, weights)
    if op == 'sum':
        return total
    if weight == 0:
        return None
    if op == 'mean':
        return total / weight
    squares, _ = exact([Fraction(v) ** 2 for v in values], weights)
    if op == 'rms':
        return math.sqrt(squares / weight)
    divisor = weight - 1 if op[-1] == '1' else weight
    if divisor <= 0:
        return None
    var = (squares - total * total / weight) / divisor
    return math.sqrt(var) if op.startswith('std') else var


class File:
    """Random definitions and values; what reduce makes of them, by brute force."""

    def __init__(self, rng, path, numrecs=None, like=None, calendar=None):
        self.path = path
        self.calendar = calendar or CALENDARS[rng.integers(len(CALENDARS))]
        self.lengths = like.lengths if like else dict(y=int(rng.integers(1, 6)), x=int(rng.integers(1, 9)), z=int(rng.integers(1, 4)))
        self.numrecs = int(rng.integers(1, 40)) if numrecs is None else numrecs
        self.kind = like.kind if like else ['NETCDF3_64BIT_DATA', 'NETCDF3_64BIT_DATA', 'NETCDF4'][rng.integers(3)]
        self.vars = {}
        start = like.times[-1] + 10 if like else float(rng.integers(-2000, 2000))
        self.times = np.round(start + np.cumsum(rng.choice([0.25, 1, 5, 31, 200], self.numrecs)), 2)
        with netCDF4.Dataset(path, 'w', format=self.kind) as d:
            d.createDimension('time', None)
            for name, n in self.lengths.items():
                d.createDimension(name, n)
            t = d.createVariable('time', 'f8', ('time',))
            t.units, t.calendar = UNITS, self.calendar
            t[:] = self.times
            y = d.createVariable('y', 'f4', ('y',))
            y[:] = np.arange(self.lengths['y']) * 2
            area = d.createVariable('area', 'f8', ('y', 'x'))
            area[:] = rng.random((self.lengths['y'], self.lengths['x'])) if not like else like.area
            self.area = np.asarray(area[:])
            if like:
                specs = [(n, v['dtype'], v['dims'], v['atts']) for n, v in like.vars.items()]
            else:
                specs = [self.spec(rng, 'v%d' % i) for i in range(5)]
            for spec in specs:
                self.define(d, rng, *spec)

    def spec(self, rng, name):
        dtype = TYPES[rng.integers(len(TYPES))]
        dims = [n for n in ('time', 'z', 'y', 'x') if rng.random() < 0.75]
        atts = {}
        kind = np.dtype(dtype)
        if rng.random() < 0.5:
            atts['_FillValue'] = kind.type(7)
        if rng.random() < 0.3:
            atts['missing_value'] = kind.type(5)
        if rng.random() < 0.3 and kind.itemsize <= 4:
            atts['scale_factor'], atts['add_offset'] = [(np.float64(-0.25), np.float64(3)), (np.float32(0.5), np.float32(-2))][rng.integers(2)]
        if rng.random() < 0.3:
            atts['valid_range'] = np.array([2, 60], kind)
        return name, dtype, dims, atts

    def define(self, d, rng, name, dtype, dims, atts):
        rest = {k: v for k, v in atts.items() if k != '_FillValue'}
        v = d.createVariable(name, dtype, dims, fill_value=atts.get('_FillValue'))
        v.units = 'm'
        v.setncatts(rest)
        v.set_auto_maskandscale(False)
        shape = [self.numrecs if n == 'time' else self.lengths[n] for n in dims]
        kind = np.dtype(dtype)
        if kind.kind == 'f':
            a = (rng.standard_normal(shape) * 20 + 10).astype(kind)
            a = np.where(rng.random(shape) < 0.05, np.nan, a).astype(kind)
        elif kind.itemsize == 8 and rng.random() < 0.5:
            a = np.asarray(rng.integers(0, 2 ** 62, shape)).astype(kind)
        else:
            a = np.asarray(rng.integers(0, 100, shape)).astype(kind)
        a = np.where(rng.random(shape) < 0.1, kind.type(7), a)
        a = np.asarray(np.where(rng.random(shape) < 0.1, kind.type(5), a), kind)
        v[...] = a
        self.vars[name] = dict(dtype=dtype, dims=list(dims), atts=atts, a=a)

    def is_valid(self, v):
        a, atts = v['a'], v['atts']
        ok = ~np.isnan(a) if a.dtype.kind == 'f' else np.ones(a.shape, bool)
        if '_FillValue' in atts:
            ok &= a != atts['_FillValue']
        elif a.dtype.itemsize > 1:
            ok &= a != a.dtype.type(netCDF4.default_fillvals[v['dtype']])
        if 'missing_value' in atts:
            ok &= a != atts['missing_value']
        if 'valid_range' in atts:
            with np.errstate(invalid='ignore'):
                ok &= (a >= atts['valid_range'][0]) & (a <= atts['valid_range'][1])
        return ok

    def values(self, v, op):
        """Valid ones, as exact Python numbers; others None."""
        ok, atts = self.is_valid(v), v['atts']
        out = np.empty(v['a'].shape, object)
        packed = 'scale_factor' in atts and op not in ('min', 'max', 'first', 'last')
        for i in np.ndindex(*v['a'].shape):
            x = v['a'][i].item()
            if packed:
                x = float(x) * float(atts['scale_factor']) + float(atts['add_offset'])
            out[i] = x if ok[i] else None
        return out


def groups_of(f, times, option):
    """Lists of indices of time, as the option says."""
    if option is None:
        return None
    word, what = option
    n = len(times)
    if word == '--window':
        return [list(range(i, i + int(what))) for i in range(n - int(what) + 1)]
    if what.isdigit():
        return [list(range(i, min(i + int(what), n))) for i in range(0, n, int(what))]
    dates = netCDF4.num2date(times, UNITS, f.calendar, only_use_cftime_datetimes=True)
    keys = []
    for t in np.atleast_1d(dates):
        m = t.year * 12 + t.month - 1
        each = dict(year=t.year, season=(m + 1) // 3, month=m, day=(m, t.day), hour=(m, t.day, t.hour))
        by = dict(season=t.month % 12 // 3, month=t.month, dayofyear=(t.month, t.day), hour=t.hour)
        keys.append((each if word == '--each' else by)[what])
    return [[i for i, k in enumerate(keys) if k == key] for key in sorted(set(keys))]


def reduce(v, values, op, dims, groups, weights):
    """The array of results: objects, None where there is none; without the reduced dimensions."""
    kept = [n for n in v['dims'] if n not in dims]
    axes = [n for n in v['dims'] if n not in dims or (n == 'time' and groups is not None)]
    lengths = dict(zip(v['dims'], values.shape))
    shape = [len(groups) if n == 'time' and groups is not None and 'time' in dims else lengths[n] for n in axes]
    out = np.empty(shape, object)
    for at in np.ndindex(*shape):
        place, choice = dict(zip(axes, at)), []
        for n in v['dims']:
            if n == 'time' and n in dims and groups is not None:
                choice.append(groups[place[n]])
            elif n in dims:
                choice.append(range(lengths[n]))
            else:
                choice.append([place[n]])
        some, by = [], []
        for i in itertools.product(*choice):
            if values[i] is not None:
                some.append(values[i])
                if weights is not None:
                    at_y, at_x = i[v['dims'].index('y')], i[v['dims'].index('x')]
                    by.append(float(weights[at_y, at_x]))
        out[at] = expect(op, some, by if weights is not None else None)
    return out


def ranks_of(path):
    """The processes of a reduce that makes this file."""
    found = []
    for name in os.listdir('/proc'):
        try:
            with open('/proc/%s/cmdline' % name, 'rb') as f:
                words = f.read().split(b'\0')
        except OSError:
            continue
        if words[0] == PARCDF.encode() and path.encode() in words:
            found.append(int(name))
    return sorted(found)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def run_tool(self, *args, ranks=0):
        launch = MPIEXEC.split() + ['-n', str(ranks)] if ranks else []
        p = subprocess.run(launch + [PARCDF, 'reduce', '-O', *args], capture_output=True, text=True, timeout=120)
        return p.returncode, p.stdout, p.stderr

    def compare(self, got, want, what, op):
        """got: of the file, as stored; within a unit of the last place of the exact value."""
        self.assertEqual(got.shape, want.shape, what)
        fill = got.dtype.type(netCDF4.default_fillvals[got.dtype.str[1:]])
        for i in np.ndindex(*want.shape):
            g, w = got[i], want[i]
            if w is None:
                continue  # checked by the caller: it knows the fill value
            if got.dtype.kind == 'f':
                w = float(w)
                room = np.spacing(got.dtype.type(abs(w))) * (1.01 if op in ('mean', 'sum') else 3)
                if op in ('var', 'var1', 'std', 'std1'):
                    room = max(room, 1e-12 * abs(w), 1e-13)
                self.assertLessEqual(abs(float(g) - w), room, (what, i, g, w))
            else:
                self.assertEqual(int(g), int(w), (what, i))


class Alone(Case):
    def one(self, rng, number):
        f = File(rng, self.path('f.nc'))
        files = [f]
        if rng.random() < 0.3:
            files.append(File(rng, self.path('g.nc'), like=f, calendar=f.calendar))
        op = OPS[number % len(OPS)]
        dims = [n for n in ('time', 'z', 'y', 'x') if rng.random() < 0.5] or ['time']
        options = [None, None, ('--each', 'month'), ('--each', 'season'), ('--each', 'year'), ('--each', '3'), ('--by', 'month'), ('--by', 'season'),
                   ('--by', 'dayofyear'), ('--by', 'hour'), ('--each', 'day'), ('--each', 'hour'), ('--window', '3')]
        option = options[rng.integers(len(options))] if dims[0] == 'time' else None
        weighted = op in ('mean', 'sum', 'var', 'std', 'rms') and {'y', 'x'} & set(dims) and rng.random() < 0.5
        times = np.concatenate([g.times for g in files])
        groups = groups_of(f, times, option)
        squeezes = number % 2 == 1
        args = [*(option or []), *(['--squeeze'] if squeezes else []), *(['-w', 'area'] if weighted else []), op, ','.join(dims), *[g.path for g in files], self.path('out.nc')]
        names = [n for n, v in f.vars.items() if not weighted or {'y', 'x'} <= set(v['dims']) or not {'y', 'x'} & set(v['dims']) & set(dims)]
        status, out, err = self.run_tool('-v', ','.join(names), *args) if names else (0, '', '')
        if groups == []:
            self.assertEqual(status, 2)
            return
        self.assertEqual((status, err), (0, ''), args)
        with netCDF4.Dataset(self.path('out.nc')) as d:
            d.set_auto_maskandscale(False)
            for name in names:
                v = f.vars[name]
                whole = dict(v)
                values = f.values(v, op)
                if 'time' in v['dims'] and len(files) > 1:
                    values = np.concatenate([g.values(g.vars[name], op) for g in files], axis=v['dims'].index('time'))
                    whole['a'] = np.concatenate([g.vars[name]['a'] for g in files], axis=v['dims'].index('time'))
                got = np.asarray(d.variables[name][...])
                if not set(dims) & set(v['dims']):
                    np.testing.assert_array_equal(got, whole['a'])
                    continue
                use_op = op
                if 'scale_factor' in v['atts'] and float(v['atts']['scale_factor']) < 0 and op in ('min', 'max'):
                    use_op = 'max' if op == 'min' else 'min'
                weights = f.area if weighted and {'y', 'x'} <= set(v['dims']) else None
                want = reduce(whole, values, use_op, dims, groups, weights)
                if option is None and not squeezes and 'time' in set(dims) & set(v['dims']):
                    want = want[None]  # the record dimension stays, with length 1
                self.compare(got, want, (number, args, name, v['dtype']), op)
                fill = getattr(d.variables[name], '_FillValue', None)
                if fill is None:
                    fill = getattr(d.variables[name], 'missing_value', None)
                fill = got.dtype.type(netCDF4.default_fillvals[got.dtype.str[1:]]) if fill is None else fill
                for i in np.ndindex(*want.shape):
                    if want[i] is None:
                        self.assertEqual(got[i], fill, (args, name, i))

    def test_random(self):
        seed = int(os.environ.get('PARCDF_SEED', '1'))
        for number in range(FILES):
            with self.subTest(seed=seed, number=number):
                self.one(np.random.default_rng([seed, number]), number)

    def test_across(self):
        rng = np.random.default_rng(3)
        first = File(rng, self.path('0.nc'), numrecs=5)
        members = [first] + [File(rng, self.path('%d.nc' % i), numrecs=5, like=first, calendar=first.calendar) for i in (1, 2)]
        for op in ('mean', 'max', 'std', 'median', 'last', 'count'):
            status, out, err = self.run_tool(op, '--across', *[m.path for m in members], self.path('out.nc'))
            self.assertEqual((status, err), (0, ''))
            with netCDF4.Dataset(self.path('out.nc')) as d:
                d.set_auto_maskandscale(False)
                np.testing.assert_array_equal(d['time'][:], first.times)
                for name, v in first.vars.items():
                    if not v['dims']:
                        continue
                    values = np.stack([m.values(m.vars[name], op) for m in members])
                    turned = op == 'max' and float(v['atts'].get('scale_factor', 1)) < 0
                    want = reduce(dict(v, dims=['member'] + v['dims']), values, 'min' if turned else op, ['member'], None, None)
                    self.compare(np.asarray(d[name][...]), want, (op, name), op)

    def loops_file(self):
        """Rows longer than what is read at once, blocks that are not full, columns beside the lanes; numbers whose sums as
        doubles are exact, and such as cancel; with and without values that stand for none. Values: float64, NaN is none."""
        rng = np.random.default_rng(11)
        shape, values = (37, 9, 2003), {}
        wide = rng.standard_normal(shape) * 10.0 ** rng.integers(-30, 30, shape)
        wide[20] = -wide[3]
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            for name, n in (('time', None), ('y', shape[1]), ('x', shape[2])):
                d.createDimension(name, n)
            def put(name, kind, a, fill=None, **atts):
                v = d.createVariable(name, kind, ('time', 'y', 'x'), fill_value=fill)
                v.set_auto_maskandscale(False)
                v.setncatts(atts)
                v[:] = a = np.asarray(a).astype(kind)
                values[name] = x = a.astype('f8')
                for hole in (fill, atts.get('missing_value')):
                    x[x == (np.nan if hole is None else hole)] = np.nan
                if 'valid_max' in atts:
                    x[x > atts['valid_max']] = np.nan
                x *= atts.get('scale_factor', 1)
                x += atts.get('add_offset', 0)
            holes = rng.random(shape) < 0.02
            some = rng.integers(-100, 100, shape)
            put('near', 'f4', 280 + 10 * rng.random(shape))
            put('wide', 'f4', wide)
            edge = 1 + rng.random(shape).astype('f4')
            edge[16:32] = -edge[:16]
            edge[[3, 29, *range(32, 37)]] *= 2.0 ** -26  # a bit too far apart for sums of 16
            edge[[13, 19]] = 0
            put('edge', 'f4', edge)
            put('zeros', 'f4', np.where(holes, 0, 2 + rng.random(shape)), missing_value=np.float32(0))
            put('holes', 'f4', np.where(holes, 1e20, np.where(holes[::-1], np.nan, wide)), np.float32(1e20))
            put('small', 'f4', np.where(holes, -99, 20 * rng.random(shape)), np.float32(-99))
            put('limits', 'f4', np.where(holes, 50, rng.random(shape)), valid_max=np.float32(20))
            put('tiny', 'f4', rng.random(shape) * 1e-44)
            put('double', 'f8', np.where(holes, np.nan, wide))
            put('byte', 'i1', some)
            put('ubyte', 'u1', some + 100, np.uint8(7))
            put('short', 'i2', some * 300, np.int16(600))
            put('ushort', 'u2', some + 60000, np.uint16(60001), missing_value=np.uint16(60002))
            put('packed', 'i2', some * 300, np.int16(600), scale_factor=0.25, add_offset=-3.0)
            put('int', 'i4', some.astype('i8') * 20000000, np.int32(40000000))
            put('uint', 'u4', some + 4000000000)
            w = d.createVariable('w', 'f8', ('y', 'x'))
            w[:] = self.weights = rng.random(shape[1:])
        return values

    def test_loops(self):
        """Each processor's loops, to the last bit; sums that are exact whatever cancels."""
        values = self.loops_file()
        for op, dims, axes in (('mean', 'time', (0,)), ('mean', 'y,x', (1, 2)), ('mean', 'time,y,x', (0, 1, 2)), ('sum', 'x', (2,)), ('min', 'time', (0,)), ('max', 'y', (1,)),
                               ('max', 'time,y,x', (0, 1, 2)), ('std', 'time', (0,)), ('count', 'time', (0,)), ('count', 'y,x', (1, 2)), ('weighted', 'y,x', (1, 2)),
                               ('weighted', 'y', (1,))):
            raw = {}
            what = ['-w', 'w', 'mean', dims] if op == 'weighted' else [op, dims]
            for loops in ('portable', 'avx2', 'best'):
                os.environ['PARCDF_LOOPS'] = loops
                self.addCleanup(os.environ.pop, 'PARCDF_LOOPS', None)
                status, out, err = self.run_tool('--squeeze', '--double', *what, self.path('f.nc'), self.path('%s.nc' % loops))
                self.assertEqual((status, err), (0, ''))
                with netCDF4.Dataset(self.path('%s.nc' % loops)) as d:
                    d.set_auto_maskandscale(False)
                    got = {n: np.asarray(v[...]) for n, v in d.variables.items()}
                for n in got:
                    self.assertEqual(got[n].tobytes(), raw.setdefault(n, got[n]).tobytes(), (op, dims, n, loops))
            for n, v in values.items():
                if not op.startswith(('mean', 'sum', 'std', 'weighted')):
                    with np.errstate(all='ignore'):
                        packed = n == 'packed' and op != 'count'
                        want = (~np.isnan(v)).sum(axes) if op == 'count' else getattr(np, 'nan' + op)((v + 3) / 0.25 if packed else v, axes)
                    np.testing.assert_array_equal(np.asarray(raw[n], 'f8'), want, (op, dims, n))
                    continue
                moved = np.moveaxis(v, axes, range(len(axes))).reshape(-1, raw[n].size)
                weights = np.moveaxis(np.broadcast_to(self.weights, v.shape), axes, range(len(axes))).reshape(-1, raw[n].size)
                for i in range(0, raw[n].size, max(1, raw[n].size // (10 if op == 'weighted' else 50))):
                    if op == 'weighted':
                        pairs = [(x, w) for x, w in zip(moved[:, i].tolist(), weights[:, i].tolist()) if x == x][:18027]
                        want = float(expect('mean', [x for x, w in pairs], [w for x, w in pairs])) if len(pairs) < 100 or i == 0 else None
                        self.assertLessEqual(abs(raw[n].flat[i] - (raw[n].flat[i] if want is None else want)), 1.01 * np.spacing(abs(want or 0)), (op, dims, n, i, want))
                        continue
                    column = [x for x in moved[:, i].tolist() if x == x]
                    want = expect(op, column) if op == 'std' else math.fsum(column) / (len(column) if op == 'mean' else 1)
                    room = 1e-12 * abs(want) if op == 'std' else 1.01 * np.spacing(abs(want))
                    self.assertLessEqual(abs(raw[n].flat[i] - want), room, (op, dims, n, i, want))

    def test_counted_quantiles(self):
        """More values than the memory holds: in several passes, the same numbers."""
        rng = np.random.default_rng(5)
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('time', None)
            d.createDimension('x', 40)
            for name, kind, a in (('f', 'f4', rng.standard_normal((3000, 40)) * 10.0 ** rng.integers(-30, 30, (3000, 40))), ('s', 'i2', rng.integers(-9, 9, (3000, 40))),
                                  ('d', 'f8', rng.standard_normal((3000, 40))), ('l', 'i8', rng.integers(-2 ** 62, 2 ** 62, (3000, 40)))):
                v = d.createVariable(name, kind, ('time', 'x'), fill_value=np.dtype(kind).type(5))
                a = a.astype(kind)
                a[rng.random(a.shape) < 0.1] = 5
                a[:, 7] = 5  # a cell without values, and one with one
                a[1:, 8] = 5
                v[:] = a
        for op, dims in (('median', 'time'), ('p10', 'time'), ('p99.9', 'time,x'), ('p0', 'x'), ('p100', 'time,x')):
            got = []
            for size in ('4M', '1GiB'):
                status, out, err = self.run_tool('--squeeze', '--memory', size, '--double', op, dims, self.path('f.nc'), self.path('o.nc'))
                self.assertEqual((status, err), (0, ''))
                with netCDF4.Dataset(self.path('o.nc')) as d:
                    d.set_auto_maskandscale(False)
                    got.append({n: np.asarray(v[...]).tobytes() for n, v in d.variables.items()})
                    if op == 'median':
                        self.assertEqual(d['d'][7], 5)
            self.assertEqual(got[0], got[1], (op, dims))
        with netCDF4.Dataset(self.path('f.nc')) as f, netCDF4.Dataset(self.path('o.nc')) as d:
            self.assertEqual(d['d'][...], f['d'][:].max())

    def peak(self, *args, **env):
        """KiB of a run."""
        p = subprocess.Popen([PARCDF, 'reduce', '-O', *args, self.path('f.nc'), self.path('o.nc')], env=dict(os.environ, **env))
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = status
        self.assertEqual(status, 0, args)
        return used.ru_maxrss

    def test_memory(self):
        """No more than was promised, beside what MPI and the program take."""
        with open(PARCDF, 'rb') as f:
            if b'__asan_init' in f.read():
                self.skipTest('the address sanitizer holds freed memory back')
        shape = (12, 500000)
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('time', None)
            d.createDimension('x', shape[1])
            d.createVariable('tiny', 'f4', ('time',))[:] = np.arange(shape[0])
            d.createVariable('w', 'f8', ('x',))[:] = 1
            v = d.createVariable('v', 'f8', ('time', 'x'))
            for i in range(shape[0]):
                v[i] = np.random.default_rng(i).random(shape[1])
        base = self.peak('-v', 'tiny', 'mean', 'time')
        for size in (8, 24):
            for args in (['std', 'time'], ['-w', 'w', 'mean', 'x'], ['median', 'time'], ['median', 'time,x'], ['mean', 'x'], ['--window', '2', 'std', 'time'], ['count', 'time']):
                self.assertLess(self.peak('-v', 'v', '--memory', '%dM' % size, *args) - base, size * 1024, args)
        status, out, err = self.run_tool('--memory', '1M', 'mean', 'x', self.path('f.nc'), self.path('o.nc'))
        self.assertEqual((status, err.splitlines()[0]), (2, 'parcdf reduce: --memory takes a size of 4M or more, as 64M or 1GiB, not 1M'))

    def test_weights(self):
        """Of another file, with dimensions in another order; more than the memory holds."""
        rng = np.random.default_rng(2)
        v, w = rng.standard_normal((3, 900, 700)), rng.random((700, 900))
        w[5, 5] = np.nan
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d, netCDF4.Dataset(self.path('grid@2.nc'), 'w') as g:
            for name, n in (('time', None), ('y', 900), ('x', 700)):
                d.createDimension(name, n)
                if n:
                    g.createDimension(name, n)
            g.createDimension('z', 2)
            g.createDimension('time', 4)
            d.createVariable('v', 'f8', ('time', 'y', 'x'))[:] = v
            d.createVariable('w', 'f8', ('y', 'x'))[:] = w.T
            g.createVariable('area', 'f8', ('x', 'y'))[:] = w
            g.createVariable('line', 'f4', ('y',))[:] = w[0]
            g.createVariable('other', 'f4', ('z',))
            g.createVariable('longer', 'f4', ('time',))
        grid, want = self.path('grid@2.nc'), {}
        for by, dims, axes, weights in (('area@' + grid, 'y,x', (1, 2), w.T), ('area@' + grid, 'y', (1,), w.T), ('line@' + grid, 'y,x', (1, 2), w[0].astype('f4')[:, None] + 0 * v),
                                        ('w', 'time,y,x', (0, 1, 2), w.T), ('w', 'x', (2,), w.T)):
            for memory in ('64M', '8M'):
                status, out, err = self.run_tool('-v', 'v', '--memory', memory, '-w', by, 'mean', dims, self.path('f.nc'), self.path('o.nc'))
                if memory == '8M' and 'area' in by:
                    self.assertEqual(status, 2, err)
                    self.assertRegex(err, r'%s: \d+ of the weights are needed at once' % grid)
                    continue
                self.assertEqual((status, err), (0, ''))
                all = np.broadcast_to(np.where(np.isnan(weights), 0, weights), v.shape)
                with netCDF4.Dataset(self.path('o.nc')) as d:
                    np.testing.assert_allclose(d['v'][...], (v * all).sum(axes) / all.sum(axes), rtol=1e-11)
                    self.assertEqual(want.setdefault((by, dims), np.asarray(d['v'][...]).tobytes()), np.asarray(d['v'][...]).tobytes())
        for by, why in (('none@' + grid, 'there is no variable none'), ('other@' + grid, 'have a dimension z, which'), ('longer@' + grid, 'has length 4, and 3 in what'),
                        ('area@' + self.path('none.nc'), 'No such file')):
            status, out, err = self.run_tool('-w', by, 'mean', 'y', self.path('f.nc'), self.path('o2.nc'))
            self.assertEqual((status, why in err), (2, True), err)

    def test_large(self):
        """Squares that no double holds, in some cells, beside small ones, and in parts of a file only."""
        rng = np.random.default_rng(8)
        shape = (40, 40)
        a = {'huge': rng.standard_normal(shape) * 1e250, 'near': 1e160 * (1 + 1e-9 * rng.standard_normal(shape)), 'some': rng.standard_normal(shape), 'late': rng.standard_normal(shape),
             'early': rng.standard_normal(shape)}
        a['some'][:, ::3] *= 1e200
        a['late'][37] *= 1e190
        a['early'][:3] *= 1e190
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('y', 40)
            d.createDimension('x', 40)
            for n in a:
                d.createVariable(n, 'f8', ('y', 'x'))[:] = a[n]
        for op in ('std', 'rms', 'var'):
            for dims, axes in (('y', 0), ('x', 1), ('y,x', (0, 1))):
                status, out, err = self.run_tool(op, dims, self.path('f.nc'), self.path('o.nc'))
                self.assertEqual((status, err), (0, ''))
                with netCDF4.Dataset(self.path('o.nc')) as d, np.errstate(over='ignore'):
                    for n in a:
                        x = a[n].astype(np.longdouble)
                        want = (np.sqrt((x ** 2).mean(axes)) if op == 'rms' else getattr(x, op)(axes)).astype('f8')
                        np.testing.assert_allclose(np.ma.filled(d[n][...], np.nan), want, rtol=1e-9 if n == 'near' else 1e-14, err_msg='%s %s %s' % (op, dims, n))

    def test_masked_by(self):
        """Values where an expression is false or missing do not count, for types with and without NaN, in several files."""
        rng = np.random.default_rng(4)
        shape = (10, 4, 60, 300)
        v, t = rng.standard_normal(shape), rng.random((60, 300, 4))
        mask, flag, good = rng.integers(0, 3, (60, 300)), rng.integers(0, 2, 300), rng.integers(0, 2, 10)
        t[3, 4] = np.nan
        for name, of in (('f.nc', slice(0, 7)), ('g.nc', slice(7, 10))):
            with netCDF4.Dataset(self.path(name), 'w', format='NETCDF3_64BIT_DATA') as d:
                for n, length in (('time', None), ('z', 4), ('y', 60), ('x', 300), ('n', 3)):
                    d.createDimension(n, length)
                for kind in ('f4', 'f8', 'i2', 'i8'):
                    d.createVariable('v' + kind, kind, ('time', 'z', 'y', 'x'))[:] = (v[of] * 100).astype(kind)
                d.createVariable('mask', 'i4', ('y', 'x'))[:] = mask
                d.createVariable('flag', 'i1', ('x',))[:] = flag
                d.createVariable('t', 'f8', ('y', 'x', 'z'))[:] = t
                d.createVariable('good', 'i4', ('time',))[:] = good[of]
                d.createVariable('w', 'f8', ('y', 'x'))[:] = 1 + mask
                d.createVariable('other', 'f8', ('time', 'n'))[:] = 1
        m, f, g = mask[None, None], flag[None, None, None], good[:, None, None, None]
        tz = np.moveaxis(t, 2, 0)[None]
        full = np.ones(shape, bool)
        names = 'vf4,vf8,vi2,vi8'
        with np.errstate(invalid='ignore'):
            cases = [('mask == 1', m == 1), ('flag', f == 1), ('t > 0.5', tz > 0.5), ('good && mask', (g != 0) & (m != 0)), ('a:t < 0.3 || flag', (tz < 0.3) | ((f == 1) & (tz == tz))),
                     ('vf8 > 0 && good == 0', (np.asarray((v * 100)) > 0) & (g == 0)), ('1', full), ('0', ~full)]
        for number, (expression, ok) in enumerate(cases):
            ok = np.broadcast_to(ok, shape)
            for op, dims, axes in ((('mean', 'time', (0,)), ('max', 'y,x', (2, 3))) if number % 2 else (('count', 'time,z,y,x', (0, 1, 2, 3)), ('mean', 'x', (3,)), ('std', 'z', (1,)))):
                status, out, err = self.run_tool('--squeeze', '--double', '-v', names, '--masked-by', expression, op, dims, self.path('f.nc'), self.path('g.nc'), self.path('o.nc'))
                self.assertEqual((status, err), (0, ''), expression)
                with netCDF4.Dataset(self.path('o.nc')) as d:
                    for name in names.split(','):
                        a = (v * 100).astype(name[1:]).astype('f8')
                        a = np.ma.masked_array(a, ~ok)
                        want = ok.sum(axes) if op == 'count' else getattr(a, op)(axes)
                        got = d[name][...]
                        np.testing.assert_array_equal(np.ma.getmaskarray(got), np.ma.getmaskarray(np.ma.asarray(want)), (expression, op, dims, name))
                        np.testing.assert_allclose(np.ma.filled(got, 0).astype('f8'), np.ma.filled(want, 0), rtol=1e-11, atol=1e-9)
        self.run_tool('-v', 'vf4', '-w', 'w', '--masked-by', 'mask < 2', 'mean', 'y,x', self.path('f.nc'), self.path('o.nc'))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            a = (v[:7] * 100).astype('f4').astype('f8')
            by = np.where(mask < 2, 1 + mask, 0)
            np.testing.assert_allclose(d['vf4'][:], (a * by).sum((2, 3)) / by.sum(), rtol=1e-6)
        for expression, names, why in (('mask == ', 'vf4', '(?m)^  mask == '), ('none > 1', 'vf4', 'none'), ('mask', 'other', 'has no dimension y, which the mask has')):
            status, out, err = self.run_tool('--squeeze', '-v', names, '--masked-by', expression, 'mean', 'time', self.path('f.nc'), self.path('o2.nc'))
            self.assertEqual(status, 2)
            self.assertRegex(err, why)

    def test_bytes(self):
        """Where no value is left, a number that an attribute tells."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('time', 2)
            d.createDimension('x', 2)
            for name, atts in (('a', dict(missing_value=np.int8(-98), valid_range=np.array([-50, 90], 'i1'))), ('b', dict(valid_max=np.int8(90))), ('c', {})):
                v = d.createVariable(name, 'i1', ('time', 'x'))
                v.setncatts(atts)
                v.set_auto_maskandscale(False)
                v[:] = [[5, 99], [-98, 99]] if atts else [[5, -127], [7, -127]]
        self.run_tool('max', 'time', self.path('f.nc'), self.path('o.nc'))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            self.assertEqual((d['a']._FillValue if '_FillValue' in d['a'].ncattrs() else None, d['b']._FillValue, '_FillValue' in d['c'].ncattrs()), (None, 91, False))  # -127 is a value of b
            d.set_auto_maskandscale(False)
            self.assertEqual([d[n][:].tolist() for n in 'abc'], [[5, -98], [5, 91], [7, -127]])

    def test_limits_of_other_types(self):
        """A missing_value of doubles for floats; real limits of packed integers are of their values (NUG)."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('time', 4)
            a = d.createVariable('a', 'f4', ('time',))
            a.missing_value = np.array([1e20, -999.9], 'f8')
            b = d.createVariable('b', 'i2', ('time',))
            b.setncatts(dict(scale_factor=np.float32(0.5), add_offset=np.float32(100), valid_range=np.array([101, 103], 'f4')))
            for v, values in ((a, [1, 1e20, -999.9, 4]), (b, [0, 2, 6, 8])):
                v.set_auto_maskandscale(False)
                v[:] = values
        for op, a, b in (('mean', 2.5, 102), ('max', 4, 103)):
            self.assertEqual(self.run_tool('-O', op, 'time', self.path('f.nc'), self.path('o.nc'))[0], 0)
            with netCDF4.Dataset(self.path('o.nc')) as d:
                d.set_auto_maskandscale(False) # it takes the limits for stored numbers
                got = float(d['b'][...]) * (0.5 if op == 'max' else 1) + (100 if op == 'max' else 0)
                self.assertEqual((float(d['a'][...]), got), (a, b))

    def test_a_dimension_twice(self):
        """Groups and weights go by the place of their dimension."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('x', 4)
            d.createVariable('T', 'f8', ('x', 'x'))[:] = np.arange(16).reshape(4, 4)
            d.createVariable('w', 'f8', ('x',))[:] = 1
        for words in (('--each', '2', '-w', 'w', 'mean', 'x'), ('--each', '2', 'mean', 'x'), ('-w', 'w', 'mean', 'x')):
            status, out, err = self.run_tool('-v', 'T', *words, self.path('f.nc'), self.path('o.nc'))
            self.assertEqual((status, err), (2, 'parcdf: %s: variable T has dimension x twice; -v leaves it out\n' % self.path('f.nc')))

    def test_no_records_of_long_rows(self):
        """A dimension of length 0 outside of one that is cut into units."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            for name, n in (('time', None), ('y', 5), ('x', 200000)):
                d.createDimension(name, n)
            d.createVariable('T', 'f4', ('time', 'y', 'x'))
        self.assertEqual(self.run_tool('mean', 'y', self.path('f.nc'), self.path('o.nc')), (0, '', ''))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            self.assertEqual(d['T'].shape, (0, 200000))

    def test_masks_beyond_a_file(self):
        for name, first in (('a.nc', 0), ('b.nc', 2)):
            with netCDF4.Dataset(self.path(name), 'w', format='NETCDF3_64BIT_DATA') as d:
                d.createDimension('time', None)
                d.createVariable('T', 'f8', ('time',))[:] = [first + 1, first + 2]
        for shift in (1, -1):
            status, out, err = self.run_tool('--masked-by', f'shift(T,time,{shift}) > 0', 'mean', 'time', self.path('a.nc'), self.path('b.nc'), self.path('o.nc'))
            self.assertEqual(status, 2)
            self.assertIn('a mask with shift or roll along the records is for one file', err)
            self.assertFalse(os.path.exists(self.path('o.nc')))

    def test_dates(self):
        """Times that are no dates are told; a calendar that is not known is refused."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('time', None)
            t = d.createVariable('time', 'f8', ('time',))
            t.units = 'days since 2001-01-01'
            d.createVariable('v', 'f4', ('time',))[:] = [1, 2, 3, 4]
            t[:] = [0, 1e300, np.nan, 40]
        status, out, err = self.run_tool('--each', 'month', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))
        self.assertEqual((status, err), (0, 'parcdf: %s: 2 of 4 values of time are no dates, and are in no group\n' % self.path('f.nc')))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            self.assertEqual(d['v'][:].tolist(), [1, 4])
        for calendar, status in (('martian', 2), ('none', 2), ('gregorian', 0), ('Standard', 0)):
            with netCDF4.Dataset(self.path('f.nc'), 'a') as d:
                d['time'].calendar = calendar
                d['time'][:] = [0, 1, 2, 40]
            self.assertEqual(self.run_tool('--by', 'month', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))[0], status, calendar)
        self.assertEqual(self.run_tool('--each', '2', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))[0], 0)

    def test_fill(self):
        """The variable's own fill value, where the results can have it."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('x', 2)
            d.createDimension('y', 2)
            z = d.createVariable('z', 'f4', ('y', 'x'), fill_value=0)
            w = d.createVariable('w', 'f8', ('y', 'x'), fill_value=-1)
            for v in (z, w):
                v.set_auto_maskandscale(False)
            z[:], w[:] = [[-1, 0], [1, 0]], [[-3, 2], [1, 2]]
            for name, kind, fill, atts in (('f', 'f4', -999, {}), ('m', 'f4', None, dict(missing_value=np.float32(-5))), ('b', 'f4', 1e20, dict(missing_value=np.float32(-5))),
                                           ('d', 'f8', -999, {}), ('p', 'f4', -999, dict(scale_factor=2.0)), ('i', 'i4', -999, {}), ('n', 'f4', None, {})):
                v = d.createVariable(name, kind, ('y', 'x'), fill_value=fill)
                v.setncatts(atts)
                v.set_auto_maskandscale(False)
                hole = fill or atts.get('missing_value', netCDF4.default_fillvals['f4'])
                v[:] = [[hole, 1], [hole, 3]]
        default = netCDF4.default_fillvals
        for options, want in (([], dict(f=-999, m=-5, b=1e20, d=-999, p=default['f8'], i=default['f8'], n=None)),
                              (['--double'], dict(f=-999, m=-5, b=float(np.float32(1e20)), d=-999, p=default['f8'], i=default['f8'], n=None))):
            self.run_tool(*options, 'mean', 'y', self.path('f.nc'), self.path('o.nc'))
            with netCDF4.Dataset(self.path('o.nc')) as d:
                for n, fill in want.items():
                    kind = d[n].dtype.type
                    self.assertEqual(getattr(d[n], '_FillValue', None), None if fill is None else kind(fill), n)
                    self.assertEqual(getattr(d[n], 'missing_value', None), kind(fill) if n in 'mb' else None, n)
                    d.set_auto_maskandscale(False)
                    self.assertEqual(d['z'][:].tolist(), [0, d['z']._FillValue])
                    self.assertEqual((d['w']._FillValue, d['w'][:].tolist()), (-1, [np.nextafter(-1, 0), 2]))  # no mean is missing
                    self.assertEqual(d[n][:].tolist(), [kind(default[d[n].dtype.str[1:]] if fill is None else fill), 4 if n == 'p' else 2], n)

    def test_attributes(self):
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_CLASSIC') as d:
            for name, n in (('time', None), ('lat', 2), ('nv', 2), ('len', 3)):
                d.createDimension(name, n)
            t = d.createVariable('time', 'i4', ('time',))
            t.units, t.bounds, t.standard_name = 'days since 2000-01-01', 'time_bounds', 'time'
            b = d.createVariable('time_bounds', 'f8', ('time', 'nv'))
            p = d.createVariable('p', 'i2', ('time', 'lat'), fill_value=-1)
            p.setncatts(dict(units='m s-1', scale_factor=0.5, cell_methods='area: mean', valid_min=np.int16(0), coordinates='h'))
            d.createVariable('h', 'f4', ())[...] = 2
            d.createVariable('text', 'S1', ('time', 'len'))
            d.history = 'made'
            t[:] = [15, 45, 75]
            b[:] = [[0, 31], [31, 60], [60, 91]]
            p[:] = [[1, 2], [3, 4], [5, 6]]
        status, out, err = self.run_tool('--squeeze', 'var', 'time', self.path('f.nc'), self.path('o.nc'))
        self.assertEqual((status, err), (0, 'parcdf: %s: variable text is text, and is left out\n' % self.path('f.nc')))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            self.assertEqual((d['time'].bounds, d['time'][...], d['time_bounds'][:].tolist()), ('time_bounds', 45.5, [0, 91]))
            self.assertEqual((d['p'].cell_methods, d['p'].units, d['p'].coordinates, d['p'].dtype), ('area: mean time: variance', '(m s-1)2', 'h time', 'f8'))
            self.assertEqual(set(d['p'].ncattrs()) & {'scale_factor', 'valid_min'}, set())
            self.assertRegex(d.history, r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ: parcdf reduce -O --squeeze var time .*\nmade$')
            self.assertEqual(d['h'][...], 2)
            np.testing.assert_allclose(d['p'][:], np.var(np.array([[1, 2], [3, 4], [5, 6]]), axis=0), rtol=1e-14)
        self.run_tool('--by', 'season', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            self.assertEqual((d['time'].climatology, d['p'].cell_methods), ('climatology_bnds', 'area: mean time: mean within years time: mean over years'))
            self.assertEqual((d['climatology_bnds'][:].tolist(), len(d.dimensions['time'])), ([[0, 60], [60, 91]], 2))
        for option, shapes in (([], ((1, 2), (1,), (1, 2))), (['--squeeze'], ((2,), (), (2,))), (['--keep'], ((1, 2), (1,), (1, 2)))):
            self.run_tool(*option, 'mean', 'time', self.path('f.nc'), self.path('o.nc'))
            with netCDF4.Dataset(self.path('o.nc')) as d:
                self.assertEqual(tuple(d[n].shape for n in ('p', 'time', 'time_bounds')), shapes)
                self.assertEqual('time' in d.dimensions and d.dimensions['time'].isunlimited(), '--squeeze' not in option)
        self.assertEqual(self.run_tool('--keep', '--squeeze', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))[0], 2)
        self.run_tool('--keep', 'max', 'time,lat', self.path('f.nc'), self.path('o.nc'))
        with netCDF4.Dataset(self.path('o.nc')) as d:
            d.set_auto_maskandscale(False)
            self.assertEqual((d['p'].shape, d['p'].dtype, d['p'].scale_factor, d['p'][0, 0]), ((1, 1), 'i2', 0.5, 12))
            self.assertEqual(d['p'].cell_methods, 'area: mean time: lat: maximum')
            self.assertTrue(d.dimensions['time'].isunlimited())

    def test_results_that_equal_the_fill_value(self):
        """A mean that happens to be the number for missing values is no missing value: it is the number next to it."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_CLASSIC') as d:
            d.createDimension('time', None)
            for name, dtype, fill, values in (('v', 'f4', -1, [-3, 1]), ('w', 'f8', 0, [5, 5])):
                d.createVariable(name, dtype, ('time',), fill_value=fill)[:] = values
        for op, v, w in (('mean', -1, 5), ('std', 2, 0)):
            status, out, err = self.run_tool(op, 'time', self.path('f.nc'), self.path('o.nc'))
            self.assertEqual((status, err), (0, ''))
            with netCDF4.Dataset(self.path('o.nc')) as d:
                got = d['v'][...], d['w'][...]
            self.assertFalse(np.ma.is_masked(got[0]) or np.ma.is_masked(got[1]), op)
            self.assertLessEqual(abs(float(got[0]) - v), 6e-8)
            self.assertLessEqual(abs(float(got[1]) - w), 5e-324)

    def test_usage(self):
        File(np.random.default_rng(1), self.path('f.nc'), numrecs=3)
        for args in ([], ['mean', 'time'], ['mean', 'time', 'f.nc'], ['median', '-w', 'area', 'time', 'f.nc', 'o.nc'], ['p101', 'time', 'f.nc', 'o.nc'],
                     ['--each', 'week', 'mean', 'time', 'f.nc', 'o.nc'], ['--by', '3', 'mean', 'time', 'f.nc', 'o.nc'],
                     ['mean', 'time', '-k', 'zip', 'f.nc', 'o.nc'], ['mean', 'none', 'f.nc', 'o.nc'], ['mean', 'time,time', 'f.nc', 'o.nc'],
                     ['mean', '-w', 'none', 'x', 'f.nc', 'o.nc'], ['--each', 'month', 'mean', 'x', 'f.nc', 'o.nc'], ['mean', 'x', 'f.nc', 'f.nc']):
            args = [self.path(a) if a.endswith('.nc') else a for a in args]
            status, out, err = self.run_tool(*args)
            self.assertEqual((status, out), (2, ''), args)
            self.assertTrue(err.startswith(('parcdf: ', 'parcdf reduce: ')), err)
        self.assertFalse(os.path.exists(self.path('o.nc')))
        status, out, err = self.run_tool('-n', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))
        self.assertEqual((status, os.path.exists(self.path('o.nc'))), (0, False))
        self.assertIn('bytes are read', out)
        status, out, err = self.run_tool('--json', 'mean', 'time', self.path('f.nc'), self.path('o.nc'))
        self.assertEqual(json.loads(out)['to'], self.path('o.nc'))


class Ranks(Case):
    def test_same_on_any_number(self):
        rng = np.random.default_rng(7)
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            for name, n in (('time', None), ('y', 300), ('x', 500)):
                d.createDimension(name, n)
            t = d.createVariable('time', 'f8', ('time',))
            t.units = 'days since 2000-01-01'
            d.createVariable('v', 'f8', ('time', 'y', 'x'))[:] = rng.standard_normal((40, 300, 500)) * 10.0 ** rng.integers(-9, 9, (40, 300, 500))
            d.createVariable('w', 'i8', ('y', 'x'))[:] = rng.integers(-2 ** 60, 2 ** 60, (300, 500))
            t[:] = np.arange(40) * 3
        for args in (['mean', 'time'], ['sum', 'time,y,x'], ['std', 'y,x'], ['max', 'y'], ['--each', 'month', 'mean', 'time,y,x'], ['median', 'time'], ['--memory', '8M', 'p10', 'time,y,x'],
                     ['--masked-by', 'w > 0', 'mean', 'y,x'], ['-v', 'v', '-w', 'w', 'mean', 'time,y,x']):
            want = None
            for ranks in (1, 2) if 'mpich' in MPIEXEC else (1, 2, 3):
                status, out, err = self.run_tool(*args, self.path('f.nc'), self.path('o.nc'), ranks=ranks)
                self.assertEqual((status, err), (0, ''), args)
                with netCDF4.Dataset(self.path('o.nc')) as d:
                    d.set_auto_maskandscale(False)
                    got = {n: np.asarray(v[...]).tobytes() for n, v in d.variables.items()}
                self.assertEqual(set(got), set(want or got))
                for n in got:
                    self.assertTrue(want is None or got[n] == want[n], (args, ranks, n))
                want = got

    def test_signal(self):
        """A rank is ended while it writes: nothing is left, or all of it."""
        with netCDF4.Dataset(self.path('f.nc'), 'w', format='NETCDF3_64BIT_DATA') as d:
            for name, n in (('time', None), ('x', 100000)):
                d.createDimension(name, n)
            v = d.createVariable('v', 'f4', ('time', 'x'))
            for i in range(250):
                v[i] = np.random.default_rng(i).random(100000)
        ended = 0
        for turn in range(4):
            p = subprocess.Popen([*MPIEXEC.split(), '-n', '2', PARCDF, 'reduce', 'median', 'time', self.path('f.nc'), self.path('o.nc')],
                                 stderr=subprocess.DEVNULL)
            while p.poll() is None and len(os.listdir(self.dir.name)) == 1:
                time.sleep(0.0005)
            time.sleep(0.01 * turn)
            ranks = ranks_of(self.path('o.nc'))
            if ranks:
                os.kill(ranks[turn % len(ranks)], signal.SIGTERM)
            p.wait(timeout=60)
            for _ in range(100):  # the launcher may end before the ranks do
                more = set(os.listdir(self.dir.name)) - {'f.nc'}
                if more <= {'o.nc'}:
                    break
                time.sleep(0.05)
            self.assertLessEqual(more, {'o.nc'})
            ended += not more
            if more:
                os.unlink(self.path('o.nc'))
        self.assertGreater(ended, 1)


if __name__ == '__main__':
    PARCDF = sys.argv[1]
    MPIEXEC = sys.argv[2] if len(sys.argv) > 2 and not sys.argv[2].isdigit() else None
    FILES = int(sys.argv[-1]) if sys.argv[-1].isdigit() else FILES
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Ranks if MPIEXEC else Alone)
    sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
