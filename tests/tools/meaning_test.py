#!/usr/bin/env python3
"""Fixes what attributes say of stored numbers: each row of meaningrows.py, which are missing and what the others mean, with calc,
reduce, stats and info, and in stores and references that copy and refs make. Judges of rows: netCDF4-python, xarray, NCO and CDO.
usage: meaning_test.py PARCDF [--judges]    (--judges: those that a row names must agree, and no other)"""
import json, math, os, shutil, struct, subprocess, sys, tempfile, unittest, warnings
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build, LETTERS
from meaningrows import CODES, ROWS

PARCDF, JUDGES, NAN = None, '--judges' in sys.argv, float('nan')
STORED = [r for i, r in enumerate(ROWS) if i % 5 == 0 or r.rule in ('SIGN', 'PACKED', 'MIXED')]
# What these are without types: limits of floats are floats; 0.1f and 10.f become doubles.
UNLIKE = [r.name for r in ROWS if ('valid_max', 5, [10]) in r.atts or
          (r.type == 'f4' and any(a in r.atts for a in [('valid_range', 6, [1, 1.5]), ('valid_max', 6, [1.5])]))]
CDL = {1: 'byte', 2: 'char', 3: 'short', 4: 'int', 5: 'float', 6: 'double', 7: 'ubyte', 8: 'ushort', 9: 'uint', 10: 'int64', 11: 'uint64'}


# Attributes of two files; the one that gives another meaning, None: they mean the same.
PAIRS = [
    (3, [('_FillValue', 3, [-1])], [('_FillValue', 4, [-1])], None),
    (3, [('_FillValue', 3, [-1])], [('_FillValue', 6, [-1])], None),
    (3, [('_FillValue', 3, [-32767])], [], None),
    (3, [('_FillValue', 3, [-1])], [], '_FillValue'),
    (5, [('missing_value', 5, [1e20])], [('missing_value', 6, [1e20])], None),
    (5, [('missing_value', 5, [1, 2])], [('missing_value', 5, [2, 1])], None),
    (5, [('missing_value', 5, [1, 2])], [('missing_value', 5, [1])], 'missing_value'),
    (3, [('scale_factor', 5, [0.5])], [('scale_factor', 6, [0.5])], None),
    (3, [('scale_factor', 5, [0.1])], [('scale_factor', 6, [0.1])], 'scale_factor'),
    (3, [('add_offset', 6, [0])], [], None),
    (3, [('add_offset', 6, [1])], [], 'add_offset'),
    (1, [('_Unsigned', 2, b'true')], [('_Unsigned', 2, b'True\0')], None),
    (1, [('_Unsigned', 2, b'true')], [], '_Unsigned'),
    (3, [('valid_range', 3, [0, 9])], [('valid_min', 3, [0]), ('valid_max', 6, [9])], None),
    (3, [('valid_range', 3, [0, 9])], [('valid_range', 3, [0, 8])], 'valid_range'),
    (3, [('valid_max', 3, [9])], [], 'valid_max'),
    (3, [('scale_factor', 6, [0.5]), ('valid_min', 3, [2]), ('valid_max', 6, [3])],
     [('scale_factor', 6, [0.5]), ('valid_min', 6, [2]), ('valid_max', 3, [3])], 'valid_min'),
    (3, [('actual_range', 3, [0, 9])], [('actual_range', 3, [1, 8])], None),
]
# Attributes of a short; its limits as values, None: there are not both, or nothing is between them.
VALID = [
    ([('valid_range', 3, [2, 3])], [2, 3]),
    ([('valid_range', 3, [3, 2])], None),
    ([('valid_min', 3, [2])], None),
    ([('scale_factor', 6, [0.5]), ('valid_range', 3, [2, 3])], [1, 1.5]),
    ([('scale_factor', 6, [0.5]), ('valid_range', 6, [2, 3])], [2, 3]),
    ([('scale_factor', 6, [-0.5]), ('valid_range', 3, [2, 3])], [-1.5, -1]),
    ([('scale_factor', 6, [0.25]), ('valid_min', 3, [-10]), ('valid_max', 6, [100])], [-2.5, 100]),
    ([('scale_factor', 6, [0.25]), ('valid_min', 6, [-10]), ('valid_max', 3, [100])], [-10, 25]),
    ([('scale_factor', 6, [0.25]), ('valid_min', 6, [30]), ('valid_max', 3, [100])], None),  # 30 to 25
    ([('scale_factor', 6, [-0.25]), ('valid_min', 3, [-10]), ('valid_max', 6, [100])], None),  # both are at most
    ([('scale_factor', 6, [0]), ('valid_min', 3, [-10]), ('valid_max', 6, [100])], None),  # a stored one is none of values
]

# The default fill values.
DEFAULTS = dict(i1=-127, i2=-32767, i4=-2147483647, f4=9.969209968386869e36, f8=9.969209968386869e36, u1=255, u2=65535, u4=2 ** 32 - 1,
                i8=-2 ** 63 + 2, u8=2 ** 64 - 2)


def write(path, rows):
    """A file with a variable for each row: its four numbers as they are stored, along dimension x."""
    b = Build(5, dims=[('x', 4)], vars=[(r.name, CODES[r.type], ['x'], r.atts) for r in rows])
    raw = bytearray(b.bytes)
    for r in rows:
        values = struct.pack('>4' + LETTERS[CODES[r.type]], *r.stored)
        raw[b.begin[r.name]:b.begin[r.name] + len(values)] = values
    with open(path, 'wb') as f:
        f.write(raw)


def fits(type, att):
    """Does the type have a _FillValue, but for fractions? gen refuses others, as it makes it a value of the variable."""
    name, code, values = att
    low, high = (-3.4e38, 3.4e38) if type[0] == 'f' else ((0, 2 ** (8 * int(type[1])) - 1) if type[0] == 'u' else
                                                         (-2 ** (8 * int(type[1]) - 1), 2 ** (8 * int(type[1]) - 1) - 1))
    return name != '_FillValue' or code != 2 and all(low <= v <= high for v in values)


def run(*args):
    done = subprocess.run([PARCDF, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise AssertionError('%s: %d\n%s' % (' '.join(args), done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def dumped(path, *options):
    """What `dump --json` has: {variable: its numbers}, {variable: {attribute: (type, values)}}."""
    variables = json.loads(run('dump', '--json', *options, path))['variables']
    values = {name: v['data'] if isinstance(v['data'], list) else [v['data']] for name, v in variables.items() if 'data' in v}
    return values, {name: {k: (a['type'], a['value']) for k, a in v['attributes'].items()} for name, v in variables.items()}


def agree(a, b, near=0):
    a, b = (float(v) if isinstance(v, str) else v for v in (a, b))  # JSON has NaN and infinities as texts
    if a is None or b is None:
        return a is b
    return a == b or (a != a and b != b) or abs(a - b) <= near * min(abs(a), abs(b))


def same(a, b, near=0):
    return len(a) == len(b) and all(agree(x, y, near) for x, y in zip(a, b))


def near(r):
    """Floats are printed, and computed with, in 7 digits."""
    return 2e-7 if r.type == 'f4' or any(a[0] in ('scale_factor', 'add_offset') for a in r.atts) else 0


def valid(r):
    return [v for v in r.values if v is not None]


def finite(r):
    return [v for v in valid(r) if not math.isinf(v)]


def mean(r):
    return [math.fsum(valid(r)) / len(valid(r)) if valid(r) else None]


def told(r):
    return '%s: %s %s, stored %s, rule %s' % (r.name, r.type, [(n, CDL[t], v) for n, t, v in r.atts], r.stored, r.rule)


def judged(folder, path):
    """What others make of each variable: {letter: {row's name: its values}}. n: netCDF4-python, x: xarray, c: CDO; o: NCO's mean."""
    import netCDF4
    import numpy
    import xarray
    warnings.simplefilter('ignore')
    found = {letter: {} for letter in 'nxco'}
    finite_rows = os.path.join(folder, 'finite.nc')
    write(finite_rows, [r for r in ROWS if not any(math.isinf(v) for v in r.stored)])  # CDO stops at infinite ones
    made = {'c': os.path.join(folder, 'cdo.nc'), 'o': os.path.join(folder, 'nco.nc')}
    subprocess.run(['cdo', '-s', '-O', '-b', 'F64', 'copy', finite_rows, made['c']], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(['ncwa', '-O', '-a', 'x', path, made['o']], check=True, stderr=subprocess.DEVNULL)

    def plain(values):
        flat = numpy.ma.filled(numpy.ma.asarray(values).astype('f8'), NAN).ravel()
        return [None if v != v else float(v) for v in flat]

    with netCDF4.Dataset(path) as d, netCDF4.Dataset(made['c']) as c, netCDF4.Dataset(made['o']) as o:
        for v in c.variables.values():
            v.set_auto_mask(False)
        for r in ROWS:
            try:
                found['n'][r.name] = plain(d[r.name][:])
            except (AttributeError, TypeError):  # netCDF4-python does not read an empty _FillValue
                pass
            others = [q.name for q in ROWS if q is not r]
            try:
                with xarray.open_dataset(path, engine='netcdf4', decode_times=False, drop_variables=others) as x:
                    found['x'][r.name] = plain(x[r.name].values)
            except (TypeError, ValueError):  # xarray does not read such attributes
                pass
            if r.type[0] == 'f' or any(a[0] == 'scale_factor' for a in r.atts):  # other means are integers
                found['o'][r.name] = plain(o[r.name][...])
            if r.name not in c.variables:
                continue
            values, fill = numpy.array(c[r.name][:], 'f8'), getattr(c[r.name], '_FillValue', NAN)
            found['c'][r.name] = [None if v == fill or v != v else float(v) for v in values]
    return found


def agreeing(found, r):
    """The letters of those who make of the row what we do. Integers of 64 bits are not exact in these."""
    def holds(letter):
        got = found[letter].get(r.name)
        wanted = [None if v is None else float(v) for v in (mean(r) if letter == 'o' else r.values)]
        return got is not None and same(got, wanted, 2e-6)
    return ''.join(letter for letter in 'nxco' if holds(letter))


class Meaning(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.file = os.path.join(cls.folder, 'rows.nc')
        cls.some = os.path.join(cls.folder, 'some.nc')
        write(cls.file, ROWS)
        write(cls.some, STORED)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def hold(self, what, found, wanted, close=near, rows=ROWS):
        """found: {row's name: values}; all wrong ones are told at once."""
        wrong = ['%s\n  is    %s\n  wants %s' % (told(r), found.get(r.name), wanted(r)) for r in rows
                 if r.name not in found or not same(found[r.name], wanted(r), close(r))]
        self.assertFalse(wrong, '%s: %d of %d rows\n%s' % (what, len(wrong), len(rows), '\n'.join(wrong)))

    def calculated(self, path, rows=ROWS):
        """What calc makes of each variable: {row's name: values}."""
        program, out = self.path('program'), self.path('out.nc')
        with open(program, 'w') as f:
            f.writelines('%s_m = ismissing(%s)\n%s_v = fill(%s, 0)\n' % (r.name, r.name, r.name, r.name) for r in rows)
        run('calc', '-O', '-f', program, path, out)
        found, _ = dumped(out)
        return {r.name: [None if m else v for v, m in zip(found[r.name + '_v'], found[r.name + '_m'])] for r in rows}

    def test_calc(self):
        self.hold('calc', self.calculated(self.file), lambda r: r.values)

    def test_values_have_their_type(self):
        """Unpacked values equal those that calc stored before: they are floats where scale_factor and add_offset are."""
        program, plain, out = self.path('program'), self.path('plain.nc'), self.path('equal.nc')
        rows = [r for r in ROWS if r.rule in ('PACK', 'PACKED')]
        for path, text in (plain, '%s = fill(%s, 0)\n'), (out, '%s = fill(a:%s, 0) == b:%s\n'):
            with open(program, 'w') as f:
                f.writelines(text.replace('%s', r.name) for r in rows)
            run('calc', '-O', '-f', program, self.file, *([plain] if path == out else []), path)
        found, _ = dumped(out)
        self.hold('equal to what is stored', found, lambda r: [1, 1, 1, 1], rows=rows)

    def reduced(self, op):
        out = self.path(op + '.nc')
        run('reduce', '-O', op, 'x', self.file, out)
        return out

    def test_mean(self):
        found, atts = dumped(self.reduced('mean'))
        fills = {n: a.get('_FillValue', ('float', [9.969209968386869e36]))[1][0] for n, a in atts.items()}
        means = {n: [None if agree(v[0], fills[n], 1e-7) else v[0]] for n, v in found.items()}
        self.hold('reduce mean', means, mean, lambda r: 2e-7)

    def test_extremes(self):
        """They stay packed, with their attributes."""
        for op, wanted in ('min', min), ('max', max):
            self.hold('reduce ' + op, self.calculated(self.reduced(op)), lambda r: [wanted(valid(r), default=None)])

    def test_bytes_without_a_fill_value(self):
        """What stands for no value in the result is none of its values: the type's, -127, is 129 here."""
        path = self.path('bytes.nc')
        b = Build(5, dims=[('y', 2), ('x', 2)], vars=[('b', 1, ['y', 'x'], [('valid_range', 3, [0, 200])])])
        with open(path, 'wb') as f:
            f.write(b.bytes[:b.begin['b']] + struct.pack('4b', -1, -2, -127, 0) + b.bytes[b.begin['b'] + 4:])
        run('reduce', '-O', 'max', 'x', path, self.path('max.nc'))
        run('calc', '-O', 'w = fill(b, -1)', self.path('max.nc'), path)
        self.assertEqual(dumped(path)[0]['w'], [-1, 129])

    def test_unpacked_attributes(self):
        """Means are not packed, and say nothing of how their variable was."""
        _, atts = dumped(self.reduced('mean'), '-h')
        for r in ROWS:
            self.assertFalse({'scale_factor', 'add_offset', '_Unsigned', 'valid_range', 'valid_min', 'valid_max'} & set(atts[r.name]), told(r))

    def test_stats(self):
        said = json.loads(run('stats', '--json', self.file))['variables']
        found = {v['name']: [v['valid'], v.get('min'), v.get('max')] for v in said}
        self.hold('stats', found, lambda r: [len(finite(r)), min(finite(r), default=None), max(finite(r), default=None)])

    def test_info(self):
        said = json.loads(run('info', '-r', '--json', self.file))['variables']
        found = {v['name']: [v.get('values', {}).get('least'), v.get('values', {}).get('greatest')] for v in said}
        self.hold('info -r', found, lambda r: [min(finite(r), default=None), max(finite(r), default=None)])

    def test_valid(self):
        """The limits that info tells."""
        b = Build(5, dims=[('x', 4)], vars=[('v%d' % i, 3, ['x'], atts) for i, (atts, _) in enumerate(VALID)])
        with open(self.path('valid.nc'), 'wb') as f:
            f.write(b.bytes)
        said = json.loads(run('info', '--json', self.path('valid.nc')))['variables']
        for v, (atts, wanted) in zip(said, VALID):
            limits = v.get('values')
            self.assertEqual(limits and [limits['least'], limits['greatest']], wanted, atts)

    def test_dumped_text(self):
        """What dump prints, gen makes again: `_` is to both the number that it is to all others, and other numbers stay."""
        text, back, path = self.path('rows.cdl'), self.path('rows_back.nc'), self.path('rows_text.nc')
        rows = [r._replace(stored=[*r.stored[:3], DEFAULTS[r.type]]) for r in ROWS if all(fits(r.type, a) for a in r.atts)]
        write(path, rows)
        with open(text, 'w') as f:
            f.write(run('dump', '-p', '9,17', path))
        run('gen', '-k', 'cdf5', '-o', back, text)
        want, found = dumped(path)[0], dumped(back)[0]
        self.hold('dump and gen', found, lambda r: want[r.name], lambda r: 0, rows)

    @unittest.skipUnless(JUDGES, 'only with --judges')
    def test_judges(self):
        """Those that AGREE names agree, and no other."""
        found = judged(self.folder, self.file)
        said = {r.name: agreeing(found, r) for r in ROWS}
        wrong = [(told(r), 'agree:', said[r.name], 'not', r.judges) for r in ROWS if said[r.name] != r.judges]
        self.assertFalse(wrong, '\n'.join(map(str, wrong)))

    def test_several_files(self):
        """Two files are one if their numbers mean the same; else the attribute is named."""
        for type, first, second, name in PAIRS:
            paths = [self.path('first.nc'), self.path('second.nc')]
            for path, atts in zip(paths, (first, second)):
                with open(path, 'wb') as f:
                    f.write(Build(5, numrecs=1, dims=[('t', 0)], vars=[('v', type, ['t'], atts)]).bytes)
            made = self.path('made.nc')
            for args in (['copy', '-O', *paths, made], ['join', '-O', '--along', 't', *paths, made], ['reduce', '-O', 'mean', 't', *paths, made],
                         ['stats', *paths]):
                done = subprocess.run([PARCDF, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                said = done.stderr.decode()
                self.assertEqual(done.returncode, 2 if name else 0, (args, first, second, said))
                self.assertIn(name or '', said)

    def store(self, kind):
        """The file in another form. Attributes that no other form can have are left out: they make no value missing."""
        path = self.path('rows.' + kind)
        if kind == 'refs':
            run('refs', '-O', '-o', path, self.some)
        else:
            run('copy', '-O', '--skip-unsupported', '-k', kind, self.some, path)
        return path

    def hold_store(self, path, rows=STORED):
        """Values of the store, and of a copy of it, whose attributes have their types again."""
        self.hold(path, self.calculated(path, rows), lambda r: r.values, rows=rows)
        back = self.path('back.nc')
        run('copy', '-O', '--skip-unsupported', '-k', 'cdf5', path, back)
        self.hold('copied back: ' + path, self.calculated(back, rows), lambda r: r.values, rows=rows)
        return back

    def test_stores(self):
        _, wanted = dumped(self.some, '-h')
        for kind in 'zarr', 'zarr3', 'nczarr', 'refs':
            _, atts = dumped(self.hold_store(self.store(kind)), '-h')
            for r in STORED:
                for name, value in wanted[r.name].items():
                    if value[0] == 'char':
                        value = 'char', value[1].rstrip('\0')
                    if name != '_FillValue':
                        self.assertEqual(atts[r.name].get(name), value, (kind, name, told(r)))
                    elif name in atts[r.name]:
                        self.assertEqual(atts[r.name][name][0], CDL[CODES[r.type]], (kind, told(r)))

    def test_texts_in_stores(self):
        """They come back, but for NULs at their end; a fill value of NUL, too. NCZarr would cut texts at a NUL inside, and refuses them."""
        path, back = self.path('texts.nc'), self.path('texts_back.nc')
        atts = [('_FillValue', 2, b'\0'), ('end', 2, b'end\0\0'), ('nul', 2, b'\0'), ('none', 2, b''), ('first', 2, b'\0a'), ('inside', 2, b'a\0b')]
        wanted = {'_FillValue': '\0', 'end': 'end', 'nul': '', 'none': '', 'first': '\0a', 'inside': 'a\0b'}
        for kind in 'zarr', 'zarr3', 'nczarr', 'refs':
            some, made = atts[:4] if kind == 'nczarr' else atts, self.path('texts.' + kind)
            b = Build(5, dims=[('x', 4)], vars=[('c', 2, ['x'], some), ('d', 2, ['x'], [('_FillValue', 2, b'x')]), ('e', 2, ['x'], [])])
            with open(path, 'wb') as f:
                f.write(b.bytes[:b.begin['c']] + b'a\0b\0' + b.bytes[b.begin['c'] + 4:])
            run(*(['refs', '-O', '-o', made, path] if kind == 'refs' else ['copy', '-O', '-k', kind, path, made]))
            run('copy', '-O', '-k', 'cdf5', made, back)
            said = json.loads(run('dump', '--json', back))['variables']
            self.assertEqual({k: a['value'] for k, a in said['c']['attributes'].items()}, {n: wanted[n] for n, _, _ in some}, kind)
            self.assertEqual([said['d']['attributes'], said['e']['attributes']], [{'_FillValue': {'type': 'char', 'value': 'x'}}, {}], kind)
            with open(back, 'rb') as f:
                self.assertIn(b'a\0b\0', f.read()[-32:], kind)
        for text in atts[4:]:
            with open(path, 'wb') as f:
                f.write(Build(5, dims=[('x', 4)], vars=[('c', 2, ['x'], [text])]).bytes)
            done = subprocess.run([PARCDF, 'copy', '-O', '-k', 'nczarr', path, self.path('refused')], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2)
            self.assertIn('c:%s has NUL characters inside' % text[0], done.stderr.decode())

    def test_stores_without_types(self):
        """As other programs write them: numbers of _FillValue, missing_value and limits have the variable's type."""
        path = self.store('zarr')
        os.remove(os.path.join(path, '.zmetadata'))
        for r in STORED:
            file = os.path.join(path, r.name, '.zattrs')
            with open(file) as f:
                atts = json.load(f)
            atts.pop('_NCZARR_ATTR', None)
            with open(file, 'w') as f:
                json.dump(atts, f)
        self.hold_store(path, [r for r in STORED if r.name not in UNLIKE])


if __name__ == '__main__':
    PARCDF = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
