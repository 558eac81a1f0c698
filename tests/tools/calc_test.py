#!/usr/bin/env python3
"""Fixes what `parcdf calc` computes: each operation, type, dimension and attribute; what is said of wrong programs, with the
place; random programs against numpy; equal files on 1 to 3 ranks.
usage: calc_test.py PARCDF [MPIEXEC] [PROGRAMS]    (with MPIEXEC: only what runs on several ranks; PROGRAMS: random ones, of 20
expressions each)"""
import ctypes, math, os, subprocess, sys, tempfile, unittest
import numpy as np
import netCDF4

PARCDF, MPIEXEC, PROGRAMS = None, None, 12
INTEGERS = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8']
WORDS = dict(i1='byte', u1='ubyte', i2='short', u2='ushort', i4='int', u4='uint', i8='int64', u8='uint64', f4='float', f8='double')
RANGE = {t: (int(np.iinfo(t).min), int(np.iinfo(t).max)) for t in INTEGERS}
LENGTHS = dict(t=3, y=2, x=5)
LIBM = ctypes.CDLL('libm.so.6')


def libm(name, n=1):
    """The same function that the program calls: numpy's own differ in the last digit."""
    f = getattr(LIBM, name)
    f.restype, f.argtypes = ctypes.c_double, [ctypes.c_double] * n
    return np.vectorize(f, otypes=['f8'])


FUNCTIONS = {name: libm(name) for name in ('exp', 'log', 'log10', 'log2', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh',
                                           'tanh', 'cbrt', 'expm1', 'log1p')}
FUNCTIONS['sqrt'] = np.sqrt
ATAN2, HYPOT, POW = libm('atan2', 2), libm('hypot', 2), libm('pow', 2)


class V:
    """A value of the reference. a: of reals doubles, NaN is missing; of integers Python's, None is missing."""

    def __init__(self, type, dims, a, is_weak=False):
        self.type, self.dims, self.is_weak = type, tuple(dims), is_weak
        self.a = np.asarray(a, 'f8') if self.is_real else np.asarray(a, object)

    @property
    def is_real(self):
        return self.type[0] == 'f'

    def reals(self):
        if self.is_real:
            return self.a
        return np.array([math.nan if v is None else float(v) for v in self.a.ravel()], 'f8').reshape(self.a.shape)

    def over(self, dims):
        """Its array with these dimensions."""
        a = self.a.transpose([self.dims.index(d) for d in dims if d in self.dims])
        shape = [LENGTHS[d] if d in self.dims else 1 for d in dims]
        return np.broadcast_to(a.reshape(shape), [LENGTHS[d] for d in dims])


def join(*values):
    dims = []
    for v in values:
        dims += [d for d in v.dims if d not in dims]
    return sorted(dims, key=lambda d: d != 't')


def spread(*values):
    dims = join(*values)
    return dims, [V(v.type, dims, v.over(dims), v.is_weak) for v in values]


def held(type, a):
    """Integers of more than 64 bits are missing."""
    low, high = RANGE['u8'] if type == 'u8' else RANGE['i8']
    flat = [None if v is None or not low <= v <= high else v for v in a.ravel()]
    return np.array(flat + [None], object)[:-1].reshape(a.shape)


def promote(a, b):
    if 'u8' in (a, b) and (a[0] == 'i' or b[0] == 'i'):
        return 'i8'
    return np.promote_types(a, b).str[1:]


def fits(number, type):
    return RANGE[type][0] <= number <= RANGE[type][1]


def meet(a, b):
    if a.is_weak == b.is_weak:
        return promote(a.type, b.type)
    weak, other = (a, b) if a.is_weak else (b, a)
    if other.is_real:
        return other.type
    if weak.is_real:
        return other.type if np.isnan(weak.a) else 'f8'
    number = weak.a.item()
    return other.type if fits(number, other.type) else promote(other.type, next(t for t in ('i1', 'i2', 'i4', 'i8', 'u8') if fits(number, t)))


def real_of(type):
    return 'f4' if type in ('f4', 'i1', 'u1', 'i2', 'u2') else 'f8'


def whole(f, type, dims, *values):
    """f of integers, value by value; None where one is missing."""
    flat = [None if None in args else f(*args) for args in zip(*(v.a.ravel() for v in values))]
    return V(type, dims, held(type, np.array(flat + [None], object)[:-1].reshape(values[0].a.shape)))


def as_integers(v):
    if not v.is_real:
        return v
    assert np.all(np.isnan(v.a))
    return V('i8', v.dims, np.full(v.a.shape, None, object))


def arithmetic(op, a, b):
    type = meet(a, b)
    dims, (a, b) = spread(a, b)
    if op == '/' and type[0] != 'f':
        type = 'f8'
    if type[0] != 'f':
        f = {'+': lambda x, y: x + y, '-': lambda x, y: x - y, '*': lambda x, y: x * y, 'min': min, 'max': max,
             '//': lambda x, y: x // y if y else None, '%': lambda x, y: x % y if y else None}[op]
        return whole(f, type, dims, as_integers(a), as_integers(b))
    x, y = a.reals(), b.reals()
    either = np.isnan(x) | np.isnan(y)
    f = {'+': np.add, '-': np.subtract, '*': np.multiply, '/': np.divide, '//': np.floor_divide, '%': np.remainder,
         'min': lambda x, y: np.where(x < y, x, y), 'max': lambda x, y: np.where(x > y, x, y)}[op]
    return V(type, dims, np.where(either, math.nan, f(x, y)))


def power(a, b):
    if not a.is_real and b.is_weak and not b.is_real and b.a.item() >= 0:
        n = b.a.item()
        return whole(lambda x: x ** n, a.type, a.dims, a)
    type = meet(a, b)
    dims, (a, b) = spread(a, b)
    x, y = a.reals(), b.reals()
    z = np.where(y == 2, x * x, np.where(y == 0.5, np.sqrt(x), POW(x, y)))
    return V(type if type[0] == 'f' else 'f8', dims, np.where(np.isnan(x) | np.isnan(y), math.nan, z))


def compare(op, a, b):
    dims, (a, b) = spread(a, b)
    f = {'<': lambda x, y: x < y, '<=': lambda x, y: x <= y, '>': lambda x, y: x > y, '>=': lambda x, y: x >= y,
         '==': lambda x, y: x == y, '!=': lambda x, y: x != y}[op]
    if not a.is_real and not b.is_real:
        return whole(lambda x, y: int(f(x, y)), 'i1', dims, a, b)
    return truth(dims, np.where(np.isnan(a.reals()) | np.isnan(b.reals()), math.nan, f(a.reals(), b.reals())))


def truth(dims, a):
    return V('i1', dims, np.array([None if np.isnan(v) else int(v) for v in np.asarray(a).ravel()] + [None], object)[:-1].reshape(np.shape(a)))


def logic(op, a, b):
    dims, (a, b) = spread(a, b)
    x, y = a.reals(), b.reals()
    yes, no = lambda v: ~np.isnan(v) & (v != 0), lambda v: v == 0
    if op == '&&':
        return truth(dims, np.where(no(x) | no(y), 0, np.where(yes(x) & yes(y), 1, math.nan)))
    return truth(dims, np.where(yes(x) | yes(y), 1, np.where(no(x) & no(y), 0, math.nan)))


def where(c, a, b):
    type = meet(a, b)
    dims, (c, a, b) = spread(c, a, b)
    q = c.reals()
    if type[0] == 'f':
        return V(type, dims, np.where(np.isnan(q), math.nan, np.where(q != 0, a.reals(), b.reals())))
    pick = [None if math.isnan(k) else x if k else y for k, x, y in zip(q.ravel(), as_integers(a).a.ravel(), as_integers(b).a.ravel())]
    return V(type, dims, held(type, np.array(pick + [None], object)[:-1].reshape(q.shape)))


def fill(a, b):
    type = meet(a, b)
    dims, (a, b) = spread(a, b)
    if type[0] == 'f':
        return V(type, dims, np.where(np.isnan(a.reals()), b.reals(), a.reals()))
    pick = [y if x is None else x for x, y in zip(as_integers(a).a.ravel(), as_integers(b).a.ravel())]
    return V(type, dims, held(type, np.array(pick + [None], object)[:-1].reshape(a.a.shape)))


def cast(type, v):
    if type == 'f8':
        return V(type, v.dims, v.reals())
    if type == 'f4':
        return V(type, v.dims, v.reals().astype('f4').astype('f8'))
    flat = [None if x is None or (v.is_real and not math.isfinite(x)) else int(x) for x in v.a.ravel()]
    flat = [None if x is None or not fits(x, type) else x for x in flat]
    return V(type, v.dims, np.array(flat + [None], object)[:-1].reshape(v.a.shape))


def move(v, dim, n, is_cyclic):
    axis, missing = v.dims.index(dim), math.nan if v.is_real else None
    a = np.roll(v.a, n, axis)
    if not is_cyclic:
        a = a.copy()
        cut = [slice(None)] * a.ndim
        cut[axis] = slice(0, min(n, LENGTHS[dim])) if n > 0 else slice(max(LENGTHS[dim] + n, 0), None)
        if n:
            a[tuple(cut)] = missing
    return V(v.type, v.dims, a)


class Programs:
    """Two files and random programs on them, with what numpy makes of these."""

    def __init__(self, seed, folder):
        self.rng = np.random.default_rng(seed)
        self.paths = [os.path.join(folder, f'{seed}{x}.nc') for x in 'ab']
        self.vars = []
        for letter, path in zip('ab', self.paths):
            with netCDF4.Dataset(path, 'w', format=['NETCDF3_64BIT_DATA', 'NETCDF4'][self.rng.integers(2)]) as d:
                for name, n in LENGTHS.items():
                    d.createDimension(name, None if name == 't' else n)
                for type in INTEGERS + ['f4', 'f8', 'f4', 'i2']:
                    self.vars.append(self.define(d, letter, f'v{len(d.variables)}', type))

    def define(self, d, letter, name, type):
        rng = self.rng
        dims = [n for n in LENGTHS if rng.random() < 0.6]
        if rng.random() < 0.3 and 't' not in dims:
            dims.reverse()
        fill = np.dtype(type).type(7) if rng.random() < 0.6 else None
        v = d.createVariable(name, type, dims, fill_value=fill)
        is_packed = type == 'i2' and name > 'v10'
        if is_packed:
            v.scale_factor, v.add_offset = np.float32(0.25), np.float32(-2)
        v.set_auto_maskandscale(False)
        shape = [LENGTHS[n] for n in dims]
        if type[0] == 'f':
            a = np.round(rng.standard_normal(shape) * rng.choice([1, 30]), 2)
            a = np.where(rng.random(shape) < 0.15, rng.choice([math.nan, 0, -0.0, math.inf]), a)
        else:
            low, high = (max(RANGE[type][0], -100), 100) if rng.random() < 0.7 else RANGE[type]
            a = np.array([int(rng.integers(low, high, dtype=type, endpoint=True)) for _ in range(int(np.prod(shape, dtype=int)))], object).reshape(shape)
        a = np.where(rng.random(shape) < 0.15, 7, a).astype(type)
        v[...] = a
        holes = fill if fill is not None else netCDF4.default_fillvals[type] if np.dtype(type).itemsize > 1 else None
        if type[0] == 'f' or is_packed:
            x = a.astype('f8')
            x = np.where(a == holes, math.nan, x * 0.25 - 2 if is_packed else x)
            return f'{letter}:{name}', V('f4' if is_packed else type, dims, x)
        flat = [None if holes is not None and x == holes else int(x) for x in a.ravel()]
        return f'{letter}:{name}', V(type, dims, np.array(flat + [None], object)[:-1].reshape(a.shape))

    def constant(self):
        rng = self.rng
        number = rng.choice([0, 1, 2, 3, -1, 7, 300, 70000, 0.5, 2.5, -1.5, 1e10])
        if rng.random() < 0.05:
            return 'missing', V('f8', (), math.nan, True)
        if float(number).is_integer() and number < 1e9:
            return (f'{int(number)}' if number >= 0 else f'({int(number)})'), V('i4', (), int(number), True)
        return (f'{float(number)!r}' if number >= 0 else f'({float(number)!r})'), V('f8', (), number, True)

    def leaf(self):
        if self.rng.random() < 0.06:
            dim = list(LENGTHS)[self.rng.integers(3)]
            return f'index({dim})', V('i4', (dim,), np.arange(LENGTHS[dim]).tolist())
        return self.vars[self.rng.integers(len(self.vars))]

    def unary(self, depth):
        rng = self.rng
        text, v = self.make(depth - 1)
        kind = rng.integers(9)
        if kind == 0:
            return f'(-{text})', V(v.type, v.dims, -v.a) if v.is_real else whole(lambda x: -x, v.type, v.dims, v)
        if kind == 1:
            return f'abs({text})', V(v.type, v.dims, np.abs(v.a)) if v.is_real else whole(abs, v.type, v.dims, v)
        if kind == 2:
            name = rng.choice(['floor', 'ceil', 'round', 'trunc'])
            f = {'floor': np.floor, 'ceil': np.ceil, 'round': np.rint, 'trunc': np.trunc}[name]
            return f'{name}({text})', V(v.type, v.dims, f(v.a)) if v.is_real else v
        if kind == 3:
            return f'(!{text})', truth(v.dims, np.where(np.isnan(v.reals()), math.nan, v.reals() == 0))
        if kind == 4:
            return f'ismissing({text})', truth(v.dims, np.isnan(v.reals()) + 0.0)
        if kind == 5:
            type = rng.choice(list(WORDS))
            return f'{WORDS[type]}({text})', cast(type, v)
        if kind == 6 and v.dims:
            dim, n, is_cyclic = v.dims[rng.integers(len(v.dims))], int(rng.integers(-6, 7)), rng.random() < 0.5
            return f'{"roll" if is_cyclic else "shift"}({text}, {dim}, {n})', move(v, dim, n, is_cyclic)
        if kind == 7:
            return f'sign({text})', V(v.type, v.dims, np.sign(v.a)) if v.is_real else whole(lambda x: (x > 0) - (x < 0), v.type, v.dims, v)
        name = rng.choice(list(FUNCTIONS))
        return f'{name}({text})', V(real_of(v.type), v.dims, FUNCTIONS[name](v.reals()))

    def binary(self, depth):
        rng = self.rng
        (s, a), (t, b) = self.make(depth - 1), self.constant() if rng.random() < 0.3 else self.make(depth - 1)
        kind = rng.integers(7)
        if kind == 0:
            op = rng.choice(['<', '<=', '>', '>=', '==', '!='])
            return f'({s} {op} {t})', compare(op, a, b)
        if kind == 1:
            op = rng.choice(['&&', '||'])
            return f'({s} {op} {t})', logic(op, a, b)
        if kind == 2:
            op = rng.choice(['min', 'max'])
            return f'{op}({s}, {t})', arithmetic(op, a, b)
        if kind == 3 and rng.random() < 0.5:
            return f'{s} ** {t}' if b.dims == () and b.is_weak else f'({s} ** {t})', power(a, b)
        if kind == 3:
            name, f = [('atan2', ATAN2), ('hypot', HYPOT)][rng.integers(2)]
            type = real_of(meet(a, b))
            dims, (a, b) = spread(a, b)
            x, y = a.reals(), b.reals()
            return f'{name}({s}, {t})', V(type, dims, np.where(np.isnan(x) | np.isnan(y), math.nan, f(x, y)))
        op = rng.choice(['+', '-', '*', '/', '//', '%'])
        return f'({s} {op} {t})', arithmetic(op, a, b)

    def make(self, depth):
        roll = self.rng.random()
        if depth == 0 or roll < 0.15:
            return self.leaf()
        if roll < 0.45:
            text, v = self.unary(depth)
        elif roll < 0.88:
            text, v = self.binary(depth)
            text = f'({text})'
        else:
            (r, c), (s, a), (t, b) = self.make(depth - 1), self.make(depth - 1), self.constant()
            if roll < 0.94:
                text, v = f'where({r}, {s}, {t})', where(c, a, b)
            else:
                text, v = f'fill({s}, {t})', fill(a, b)
        return (text, v) if text[0] != '-' else (f'({text})', v)

    def program(self, n):
        lines, expected = [], {}
        with np.errstate(all='ignore'):
            for i in range(n):
                text, v = self.make(int(self.rng.integers(1, 5)))
                lines.append(f'r{i} = {text}')
                expected[f'r{i}'] = (text, v)
                if self.rng.random() < 0.2:  # a later one may use it
                    self.vars.append((f'r{i}', cast(v.type, v)))
        self.vars = [x for x in self.vars if x[0][0] != 'r']
        return '\n'.join(lines), expected


def stored(v, fill):
    if v.is_real:
        with np.errstate(all='ignore'):
            return np.where(np.isnan(v.a), fill, v.a.astype(v.type))
    flat = [fill if x is None or not fits(x, v.type) else x for x in v.a.ravel()]
    return np.array(flat, v.type).reshape(v.a.shape)


def run(*words, ranks=1):
    command = [PARCDF] + list(words)
    if ranks > 1:
        command = [MPIEXEC, '-n', str(ranks)] + command
    return subprocess.run(command, capture_output=True, text=True)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.count = 0

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def gen(self, name, text):
        with open(self.path(name + '.cdl'), 'w') as f:
            f.write('netcdf x {' + text + '}')
        p = run('gen', '-o', self.path(name), self.path(name + '.cdl'))
        self.assertEqual(p.returncode, 0, p.stderr)
        return self.path(name)

    def calc(self, program, *files, options=(), says=''):
        """The new file, open."""
        self.count += 1
        out = self.path(f'out{self.count}.nc')
        p = run('calc', *options, program, *files, out)
        self.assertEqual((p.returncode, p.stderr), (0, says), program)
        d = netCDF4.Dataset(out)
        d.set_auto_maskandscale(False)
        self.addCleanup(d.close)
        return d


FILE = '''dimensions: time = UNLIMITED ; y = 2 ; x = 3 ; bnds = 2 ;
variables:
 double time(time) ; time:units = "days since 2001-01-01" ; time:bounds = "time_bnds" ; double time_bnds(time, bnds) ;
 float T(time, y, x) ; T:units = "K" ; T:long_name = "temperature" ; T:_FillValue = -1.f ; T:coordinates = "lat" ;
 float S(time, y, x) ; S:units = "K" ; float C(time, y, x) ; C:units = "degC" ;
 double lat(y, x) ; lat:units = "degrees_north" ; short p(y) ; p:scale_factor = 0.5f ; p:units = "m" ; p:valid_range = 0s, 100s ;
 int64 big(x) ; byte flag(x) ; ubyte u(x) ; short s(x) ; int i(x) ; char text(x) ; int `odd(y) ; float W(x, y) ; float e(x) ;
 :title = "file" ;
data: time = 15.5, 45, 74.5 ; time_bnds = 0, 31, 31, 59, 59, 90 ;
 T = 1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6, _, 6, 7, 8, 9, 10, 12 ; S = 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3 ;
 C = 18 * 0 ; lat = 1, 2, 3, 4, 5, 6 ; p = 3, 200 ; big = 9007199254740993, 5, _ ; flag = -127, 2, 3 ; u = 200, 100, 0 ;
 s = 30000, -1, 7 ; i = 2147483647, 3, -7 ; text = "abc" ; W = 1, 2, 3, 4, 5, 6 ; e = 1, 2, 3 ;
'''.replace('C = 18 * 0', 'C = ' + ', '.join(['0'] * 18)).replace('int `odd(y) ;', '')


class Calc(Case):
    def setUp(self):
        super().setUp()
        self.file = self.gen('f.nc', FILE)

    def test_values(self):
        d = self.calc('a = T - S; w = where(T > 4 && S < 3, T, missing); m = min(T, 5, S * 3); n = 7 // 2 * -3 ** 2', self.file)
        self.assertEqual(d['a'][0].tolist(), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(d['a'][1, 1, 2], np.float32(netCDF4.default_fillvals['f4']))
        self.assertEqual(d['w'][0, 1].tolist(), [d['w']._FillValue, 5, 6])
        self.assertEqual(d['m'][2].tolist(), [[5, 5, 5], [5, 5, 5]])
        self.assertEqual((d['n'].dtype, d['n'][...]), (np.dtype('i4'), -27))

    def test_dimensions_by_name(self):
        d = self.calc('a = S * lat; b = W + lat; c = lat + W; d = s * time; e1 = index(x) + length(time); f = p + time', self.file)
        self.assertEqual(d['a'].dimensions, ('time', 'y', 'x'))
        self.assertEqual((d['b'].dimensions, d['b'][...].tolist()), (('x', 'y'), [[2, 6], [5, 9], [8, 12]]))
        self.assertEqual((d['c'].dimensions, d['c'][...].tolist()), (('y', 'x'), [[2, 5, 8], [6, 9, 12]]))
        self.assertEqual(d['d'].dimensions, ('time', 'x'))
        self.assertEqual(d['e1'][...].tolist(), [3, 4, 5])
        self.assertEqual(d['f'].dimensions, ('time', 'y'))
        self.assertTrue(d.dimensions['time'].isunlimited())

    def test_shifts(self):
        fill = np.float32(netCDF4.default_fillvals['f4'])
        d = self.calc('a = shift(S, time, 1); b = shift(S, time, -2); c = roll(lat, x, 1); d = roll(lat, x, -4) - shift(lat * 2, y, 1); g = shift(T, time, 9)', self.file)
        self.assertEqual(d['a'][:, 0, 0].tolist(), [fill, 1, 2])
        self.assertEqual(d['b'][:, 0, 0].tolist(), [3, fill, fill])
        self.assertEqual(d['c'][...].tolist(), [[3, 1, 2], [6, 4, 5]])
        self.assertEqual(d['d'][1].tolist(), [5 - 2, 6 - 4, 4 - 6])
        self.assertTrue((d['g'][...] == -1).all())

    def test_types(self):
        d = self.calc('''a = T + T ; b = T + i ; c = T + s ; d = s + u ; e1 = u / u ; f = T > 1 ; g = sqrt(s) ; h = sqrt(i) ; j = s + 100000 ;
            k = s + 1 ; l = u + s * 1.5 ; m = big + 1 ; n = int(T) ; o = p ; q = 3 ; r = 3.5 ; v = 5000000000 ; w = T * pi ; z = i ** 2 ; y1 = u - 1''', self.file,
                      says=f'parcdf: {self.path("out1.nc")}: variable z: 1 values do not fit the type int, and are missing\n'
                           f'parcdf: {self.path("out1.nc")}: variable y1: 1 values do not fit the type ubyte, and are missing\n')
        types = {n: str(v.dtype) for n, v in d.variables.items()}
        self.assertEqual([types[n] for n in ('a', 'b', 'c', 'd', 'e1', 'f', 'g', 'h', 'j', 'k', 'l')],
                         ['float32', 'float64', 'float32', 'int16', 'float64', 'int8', 'float32', 'float64', 'int32', 'int16', 'float64'])
        self.assertEqual([types[n] for n in ('m', 'n', 'o', 'q', 'r', 'v', 'w', 'z', 'y1')],
                         ['int64', 'int32', 'float32', 'int32', 'float64', 'int64', 'float32', 'int32', 'uint8'])

    def test_integers_are_exact(self):
        d = self.calc('a = big * 3 - 1 ; b = i * i * 2 + 1 ; c = int64(i) * i ; f = big % 10 ; g = big == 9007199254740992 ; h = max(big, 7)', self.file,
                      says=f'parcdf: {self.path("out1.nc")}: variable b: 1 values do not fit the type int, and are missing\n')
        fill = netCDF4.default_fillvals['i8']
        self.assertEqual(d['a'][...].tolist(), [9007199254740993 * 3 - 1, 14, fill])
        self.assertEqual(d['b'][...].tolist(), [netCDF4.default_fillvals['i4'], 19, 99])
        self.assertEqual(d['c'][...].tolist(), [2147483647 ** 2, 9, 49])
        self.assertEqual(d['f'][...].tolist(), [3, 5, fill])
        self.assertEqual(d['g'][...].tolist(), [0, 0, -127])
        self.assertEqual(d['h'][...].tolist(), [9007199254740993, 7, fill])

    def test_what_does_not_fit_is_missing_and_told(self):
        out = self.path('out1.nc')
        d = self.calc('a = s * 2 ; b = byte(s) ; c = big ** 4 ; f = flag + 0', self.file,
                      says=f'parcdf: {out}: variable a: 1 values do not fit the type short, and are missing\n'
                           f'parcdf: {out}: variable f: 1 values do not fit the type byte, and are missing\n'
                           f'parcdf: {out}: 2 values within expressions do not fit their types, and are missing\n')
        self.assertEqual(d['a'][...].tolist(), [-32767, -2, 14])
        self.assertEqual(d['b'][...].tolist(), [-127, -1, 7])
        self.assertEqual(d['c'][...].tolist(), [netCDF4.default_fillvals['i8'], 625, netCDF4.default_fillvals['i8']])
        self.assertEqual(d['f'][...].tolist(), [-127, 2, 3])

    def test_missing(self):
        d = self.calc('a = T > 100 || T < 3 ; b = !T ; c = fill(T, 0) ; d = ismissing(T) || T > 8 ; e1 = T * 0 == missing ; f = where(T, 1, 2) ; g = 0 / 0 * s', self.file)
        self.assertEqual(d['a'][1, 1].tolist(), [0, 0, -127])
        self.assertEqual(d['b'][1, 1].tolist(), [0, 0, -127])
        self.assertEqual(d['c'][1, 1].tolist(), [5, 6, 0])
        self.assertEqual(d['d'][1, 1].tolist(), [0, 0, 1])
        self.assertTrue((d['e1'][...] == -127).all())
        self.assertEqual(d['f'][1, 1].tolist(), [1, 1, d['f']._FillValue])
        self.assertEqual(d['g'][...].tolist(), [netCDF4.default_fillvals['i2']] * 3)

    def test_packed_and_valid_range(self):
        d = self.calc('q = p ; r = p * 2', self.file)
        self.assertEqual(d['q'][...].tolist(), [1.5, d['q']._FillValue])
        self.assertEqual(d['q'].ncattrs(), ['units', '_FillValue'])
        self.assertEqual(d['r'].ncattrs(), ['_FillValue'])

    def test_a_variable_alone_is_copied_as_it_is(self):
        d = self.calc('t2 = T ; f = flag ; time = time', self.file)
        self.assertEqual(d['t2'].ncattrs(), ['units', 'long_name', '_FillValue', 'coordinates'])
        self.assertEqual((d['f'].ncattrs(), d['f'][...].tolist()), ([], [-127, 2, 3]))
        self.assertEqual(d['time'].bounds, 'time_bnds')

    def test_attributes(self):
        d = self.calc('''a = T - S ; b = T - C ; c = T * 2 ; d = T / S ; f = abs(shift(T, time, 1)) ; g = hypot(T, S) ; h = max(T, 0) ; j = where(lat > 2, T, S) ;
            k = time - 1 ; l = sqrt(T)''', self.file)
        atts = {n: {k: v for k, v in d[n].__dict__.items() if k != '_FillValue'} for n in 'abcdfghjkl'}
        whole, place = {'units': 'K', 'long_name': 'temperature', 'coordinates': 'lat'}, {'coordinates': 'lat'}
        self.assertEqual((atts['a'], atts['b'], atts['c']), (whole, place, place))
        self.assertEqual(atts['d'], {'coordinates': 'lat', 'units': '1'})
        self.assertEqual((atts['f'], atts['h'], atts['j']), (whole, whole, whole))
        self.assertEqual(atts['g'], {'coordinates': 'lat', 'units': 'K'})
        self.assertEqual((atts['k'], atts['l']), ({}, place))
        self.assertEqual(list(d.variables), list('abcdfghjkl') + ['time', 'lat', 'time_bnds'])
        self.assertEqual(d.title, 'file')
        self.assertTrue(d.history.endswith('out1.nc'))

    def test_attributes_are_set(self):
        d = self.calc('''a = T * 2 ; a:units = "mK" ; a:_FillValue = -999 ; a:n = 1, 2 ; a:x = 0.5, 2 ; a:f = float(0.5) ; a:l = T:long_name ;
            a:valid_range = 0, 99 ; :title = "new" ; :pi = pi * 2 ; :old = :title ; time:axis = "T"''', self.file)
        a = d['a']
        self.assertEqual((a.units, a._FillValue, a.n.tolist(), a.n.dtype, a.x.tolist(), a.l), ('mK', -999, [1, 2], np.dtype('i4'), [0.5, 2], 'temperature'))
        self.assertEqual((a.f.dtype, a.valid_range.dtype, a.valid_range.tolist()), (np.dtype('f4'), np.dtype('f4'), [0, 99]))
        self.assertEqual((d.title, d.pi, d.old, d['time'].axis), ('new', 2 * math.pi, 'file', 'T'))
        self.assertEqual(a[1, 1, 2], -999)

    def test_later_statements_use_earlier_results(self):
        d = self.calc('a = T * 0.1 ; b = a == float(T * 0.1) ; T = T + 1 ; c = T ; a = a + 1', self.file)
        self.assertEqual(list(d.variables)[:4], ['a', 'b', 'T', 'c'])
        self.assertEqual(d['b'][0].tolist(), [[1, 1, 1], [1, 1, 1]])
        self.assertEqual((d['T'][0, 0, 0], d['c'][0, 0, 0], d['a'][0, 0, 0]), (2, 2, np.float32(np.float64(np.float32(0.1)) + 1)))

    def test_all(self):
        d = self.calc('T = T + 1 ; z = T * 2 ; p:units = "cm"', self.file, options=['--all'])
        with netCDF4.Dataset(self.file) as f:
            self.assertEqual(list(d.variables), list(f.variables) + ['z'])
            self.assertEqual(list(d.dimensions), list(f.dimensions))
        self.assertEqual((d['z'][0, 0].tolist(), d['p'].units, d['text'][...].tobytes()), ([4, 6, 8], 'cm', b'abc'))
        self.assertEqual(d['p'][...].tolist(), [3, 200])

    def test_files(self):
        other = self.gen('g.nc', 'dimensions: time = 3 ; y = 2 ; x = 3 ; variables: float T(time, y, x) ; double only(y) ; data: only = 1, 2 ;')
        d = self.calc('a1 = b:T - a:T ; b1 = ctl:T ; c = only + lat ; d = T', self.file, 'ctl=' + other)
        self.assertEqual((d['c'][...].tolist(), d['d'].units), ([[2, 3, 4], [6, 7, 8]], 'K'))
        self.assertEqual(d['a1'].dimensions, ('time', 'y', 'x'))

    def test_names(self):
        self.gen('o.nc', r'dimensions: x = 2 ; variables: int a\-b(x) ; int and(x) ; float e(x) ; int sqrt(x) ; data: a\-b = 1, 2 ; and = 3, 4 ; e = 5, 6 ; sqrt = 16, 25 ;')
        d = self.calc(r'c = `a-b` + a\-b ; `x y` = `and` ; g = e ; f = sqrt(sqrt) ; h = pi # no more', self.path('o.nc'))
        self.assertEqual((d['c'][...].tolist(), d['x y'][...].tolist(), d['g'][...].tolist(), d['f'][...].tolist()), ([2, 4], [3, 4], [5, 6], [4, 5]))
        self.assertEqual(d['h'][...], math.pi)

    def test_program_in_a_file(self):
        with open(self.path('p.txt'), 'w') as f:
            f.write('# comment\na = T +\n  S\nb = (T\n  - S) ; c = a\n')
        out = self.path('o.nc')
        p = run('calc', '--file', self.path('p.txt'), self.file, out)
        self.assertEqual((p.returncode, p.stderr), (0, ''))
        with netCDF4.Dataset(out) as d:
            self.assertEqual(list(d.variables)[:3], ['a', 'b', 'c'])

    def test_kinds_and_plans(self):
        p = run('calc', '-n', 'a = T - S ; l = lat', self.file, self.path('o.nc'))
        self.assertEqual(p.stdout, 'float a(time = 3, y = 2, x = 3)\ndouble l(y = 2, x = 3)\ndouble time(time = 3)\ndouble lat(y = 2, x = 3)\n'
                                   'double time_bnds(time = 3, bnds = 2)\n312 bytes are read, 240 written\n')
        self.assertFalse(os.path.exists(self.path('o.nc')))
        self.assertEqual(self.calc('a = T', self.file, options=['-k', 'classic']).data_model, 'NETCDF3_CLASSIC')
        p = run('calc', '-k', 'classic', 'a = big', self.file, self.path('o.nc'))
        self.assertEqual(p.returncode, 2)
        self.assertFalse(os.path.exists(self.path('o.nc')))


ERRORS = [  # program, options; the column of the caret; the sentence
    ('d = Q + 1', 4, 'no variable named Q in {f}'),
    ('d = t + 1', 4, 'no variable named t in {f}; did you mean T?'),
    ('d = T + Lat2', 8, 'no variable named Lat2 in {f}; did you mean lat?'),
    ('d = T +', 7, 'a number, a name or a parenthesis belongs here'),
    ('d = (T', 6, 'a closing parenthesis belongs here'),
    ('d = T T', 6, 'an operation, or the end of the statement, belongs here'),
    ('T', 1, 'an equals sign belongs here: NAME = EXPRESSION'),
    ('d = 1 < T < 3', 10, 'comparisons are not chained: a < b && b < c says what a < b < c would'),
    ('d = sin(T, 2)', 11, 'one argument too many: this takes 1'),
    ('d = sine(T)', 4, 'there is no function sine; did you mean sin?'),
    ('d = quux(T)', 4, 'there is no function quux'),
    ('d = "x"', 4, 'text is a value of attributes only'),
    ('d = text + 1', 4, 'variable text of {f} is text'),
    ('d = shift(T, time, 1.5)', 19, 'shift goes by a number of indices that is a constant integer'),
    ('d = shift(lat, time, 1)', 15, 'what is to go along dimension time does not have it'),
    ('d = shift(lat, Y, 1)', 15, 'no dimension named Y in {f}'),
    ('d = x:T', 4, 'there is no file x: the only one is a'),
    ('d = 3x', 4, 'this is neither a number nor a name'),
    ('d = `T', 4, 'a quote that is opened here is not closed'),
    ('d = T $ 2', 6, 'this character has no meaning here'),
    ('d = byte(300)', 4, 'this constant does not fit the type byte'),
    ('d = T ; q:units = "K"', 8, 'the new file has no variable named q'),
    ('d = T ; d:x = lat', 14, 'the numbers of an attribute are constants'),
    ('d = T ; d:x = T:none', 14, 'there is no attribute none there'),
    ('d = u + 1 ; d:_FillValue = 300', 27, 'this does not fit the type ubyte'),
    ('`a/b` = T', 0, 'no variable can have this name'),
    ('', 0, 'the program has no statement'),
    ('d = ' + '(' * 300 + 'T', 204, 'more than 200 parentheses or signs are in each other'),
    ('d = ' + '2 ** ' * 300 + 'T', 4 + 5 * 200 + 2, 'more than 200 parentheses or signs are in each other'),
    ('d = T' + ' + T' * 1001, 6 + 4 * 1000, 'more than 1000 operations build on each other'),
]


class Errors(Case):
    def setUp(self):
        super().setUp()
        self.file = self.gen('f.nc', FILE)

    def test_errors_point_at_the_column(self):
        for program, column, sentence in ERRORS:
            p = run('calc', program, self.file, self.path('o.nc'))
            self.assertEqual(p.returncode, 2, program)
            said = p.stderr.split('\n')
            self.assertEqual(said[0], 'parcdf: ' + sentence.format(f=self.file), program)
            if 0 < len(program) < 200:
                self.assertEqual(said[1:], ['  ' + program, '  ' + ' ' * column + '^', ''])
            self.assertFalse(os.path.exists(self.path('o.nc')))

    def test_lines(self):
        p = run('calc', 'a = T\nb = T *\n  é + Q\nc = 1', self.file, self.path('o.nc'))
        self.assertEqual(p.stderr.split('\n')[1:], ['    é + Q', '    ^', ''])

    def test_dimensions_that_differ(self):
        other = self.gen('g.nc', 'dimensions: y = 2 ; x = 4 ; variables: float T(y, x) ;')
        p = run('calc', 'd = a:T - b:T', self.file, other, self.path('o.nc'))
        self.assertEqual(p.stderr, f'parcdf: dimension x has 3 indices in T of {self.file}, and 4 in T of {other}\n  d = a:T - b:T\n            ^\n')

    def test_one_record_stands_for_all(self):
        text = 'dimensions: t = UNLIMITED ; x = 2 ; variables: float T(t, x), U(t) ; data: T = %s ; U = %s ;'
        a, b = self.gen('a.nc', text % ('1, 2, 3, 4, 5, 7', '1, 2, 3')), self.gen('b.nc', text % ('3, 5', '9'))
        for program, want in (('d = a:T - b:T', [[-2, -3], [0, -1], [2, 2]]), ('d = b:T - a:T', [[2, 3], [0, 1], [-2, -2]]),
                              ('d = b:T', [3, 5]), ('d = a:T * b:U', [[9, 18], [27, 36], [45, 63]])):
            p = run('calc', '-O', program, a, b, self.path('o.nc'))
            self.assertEqual((p.returncode, p.stderr), (0, ''), program)
            with netCDF4.Dataset(self.path('o.nc')) as d:
                self.assertEqual(d['d'][:].tolist(), want, program)

    def test_a_name_of_several_files(self):
        other = self.gen('g.nc', 'variables: float only ;')
        p = run('calc', 'd = only', self.file, other, other, self.path('o.nc'))
        self.assertEqual(p.stderr.split('\n')[0], f'parcdf: only is in {other} and in {other}; a letter says which one, as in b:only')

    def test_arguments(self):
        for words in (['T = 1'], ['a = T', self.file], ['--memory', 'x', 'a = T', self.file, 'o.nc'], ['-k', 'x', 'a = T', self.file, 'o.nc']):
            self.assertEqual(run('calc', *words).returncode, 2)
        self.assertEqual(run('calc', 'a = T', self.file, self.file).returncode, 2)


class Random(Case):
    def check(self, programs, expected, out):
        with netCDF4.Dataset(out) as d:
            d.set_auto_maskandscale(False)
            for name, (text, v) in expected.items():
                self.assertEqual((d[name].dtype.str[1:], d[name].dimensions), (v.type, v.dims), text)
                got, want = d[name][...], stored(v, d[name]._FillValue if '_FillValue' in d[name].ncattrs() else 0)
                if '_FillValue' not in d[name].ncattrs() or not any(c in text for c in '(+-*/%'):  # copied as it is
                    continue
                same = (got == want) | ((got != got) & ((want != want) | (want == d[name]._FillValue)))  # of copies
                self.assertTrue(same.all(), f'{text}\n{got}\n{want}')

    def test_random_programs(self):
        first = int(os.environ.get('PARCDF_SEED', '1'))
        for seed in range(first, first + PROGRAMS):
            programs = Programs(seed, self.folder.name)
            text, expected = programs.program(20)
            out = self.path('o.nc')
            p = run('calc', '-O', text, *programs.paths, out)
            self.assertEqual(p.returncode, 0, f'seed {seed}\n{text}\n{p.stderr}')
            with self.subTest(seed=seed):
                self.check(programs, expected, out)


class Ranks(Case):
    def bytes_of(self, ranks, *words):
        out = self.path('o.nc')
        p = run('calc', '-O', *words, out, ranks=ranks)
        self.assertEqual(p.returncode, 0, p.stderr)
        with open(out, 'rb') as f:
            return f.read(), p.stderr

    def without_date(self, text):
        at = text.find(b'history')
        return text[:at] + text[at + 60:] if at >= 0 else text

    def test_equal_bytes(self):
        for seed in range(3 if PROGRAMS < 50 else 20):
            programs = Programs(1000 + seed, self.folder.name)
            text, _ = programs.program(20)
            one = self.bytes_of(1, text, *programs.paths)
            for ranks in (2, 3):
                several = self.bytes_of(ranks, text, *programs.paths)
                self.assertEqual(self.without_date(one[0]), self.without_date(several[0]), f'seed {1000 + seed}')

    def test_more_than_one_box(self):
        path = self.path('large.nc')
        rng = np.random.default_rng(3)
        with netCDF4.Dataset(path, 'w') as d:
            for name, n in (('t', None), ('y', 130), ('x', 301)):
                d.createDimension(name, n)
            v = d.createVariable('T', 'f4', ('t', 'y', 'x'), zlib=True, chunksizes=(3, 50, 100))
            a = v[...] = rng.random((20, 130, 301)).astype('f4')
            w = d.createVariable('lat', 'f8', ('y',))
            w[...] = np.linspace(-1, 1, 130)
            a, b = np.asarray(a, 'f8'), np.asarray(w[...])
        text = 'a = T * cos(lat) - shift(T, t, 1) ; b = roll(T, x, 7) + shift(shift(T, y, -3), t, 2) ; c = lat ** 2'
        one = self.bytes_of(1, '--all', text, path)
        with netCDF4.Dataset(self.path('o.nc')) as d:
            d.set_auto_maskandscale(False)
            moved = np.concatenate([np.full((1, 130, 301), np.nan), a[:-1]])
            want = a * libm('cos')(b)[:, None] - moved
            self.assertTrue((d['a'][...] == np.where(np.isnan(want), d['a']._FillValue, want)).all())
            part = np.full(a.shape, np.nan)
            part[2:, :-3] = a[:-2, 3:]
            want = np.roll(a, 7, 2) + part
            self.assertTrue((d['b'][...] == np.where(np.isnan(want), d['b']._FillValue, want.astype('f4'))).all())
            self.assertTrue((d['T'][...] == a.astype('f4')).all())
        for ranks in (2, 3):
            self.assertEqual(self.without_date(one[0]), self.without_date(self.bytes_of(ranks, '--all', text, path)[0]))

    def test_lost_values_are_counted_once(self):
        path = self.path('i.nc')
        with netCDF4.Dataset(path, 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('t', 100000)
            d.createDimension('x', 3)
            d.createVariable('s', 'i2', ('t', 'x'))[...] = 30000
        for ranks in (1, 2, 3):
            self.assertIn('variable a: 300000 values do not fit the type short, and are missing', self.bytes_of(ranks, 'a = s * 2', path)[1])

    def test_errors_are_said_once(self):
        path = self.path('i.nc')
        with netCDF4.Dataset(path, 'w') as d:
            d.createVariable('s', 'i2')
        p = run('calc', 'd = Q', path, self.path('x.nc'), ranks=3)
        self.assertEqual(p.returncode, 2)
        self.assertEqual(p.stderr.count('no variable named Q'), 1, p.stderr)
        self.assertFalse(os.path.exists(self.path('x.nc')))


def main():
    global PARCDF, MPIEXEC, PROGRAMS
    words = sys.argv[1:]
    PARCDF = words.pop(0)
    if words and not words[0].isdigit():
        MPIEXEC = words.pop(0)
    if words:
        PROGRAMS = int(words[0])
    cases = [Ranks] if MPIEXEC else [Calc, Errors, Random]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(c) for c in cases)
    return 0 if unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful() else 1


if __name__ == '__main__':
    sys.exit(main())
