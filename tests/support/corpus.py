#!/usr/bin/env python3
"""Writes a folder of good netCDF classic files, always the same bytes, that show what such files can hold: every
type and shape, records, names and text that hurt, fill values, special numbers, times, wide and narrow lines.
usage: corpus.py FOLDER [--small]        --small: without the files above 64 KiB and the E3SM maps
       corpus.make(folder, small=False) -> the paths, in a fixed order

Independent of the library: headers are cdfbuild's, values are packed here. A new file: a row in one of the functions
at the end, or a call of `add`.
"""
import array, os, random, shutil, struct, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cdfbuild import Build, LETTERS, SIZES

BYTE, CHAR, SHORT, INT, FLOAT, DOUBLE, UBYTE, USHORT, UINT, INT64, UINT64 = range(1, 12)
NAMES = {BYTE: 'byte', CHAR: 'char', SHORT: 'short', INT: 'int', FLOAT: 'float', DOUBLE: 'double', UBYTE: 'ubyte',
         USHORT: 'ushort', UINT: 'uint', INT64: 'int64', UINT64: 'uint64'}
CLASSIC = (BYTE, CHAR, SHORT, INT, FLOAT, DOUBLE)
NAN, INF = float('nan'), float('inf')
FILLS = {BYTE: -127, CHAR: 0, SHORT: -32767, INT: -2147483647, FLOAT: 9.9692099683868690e+36,
         DOUBLE: 9.9692099683868690e+36, UBYTE: 255, USHORT: 65535, UINT: 4294967295, INT64: -9223372036854775806,
         UINT64: 18446744073709551614}
E3SM = ['map_f_case_16p.nc', 'map_g_case_16p.nc', 'map_i_case_16p.nc']
SMALL = 64 * 1024


def types_of(version):
    return tuple(NAMES) if version == 5 else CLASSIC


def limits(t):
    """Smallest and largest of an integer type."""
    bits = 8 * SIZES[t]
    return (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if LETTERS[t].islower() else (0, 2 ** bits - 1)


def extremes(t):
    if t == CHAR:
        return b'az AZ09~!'
    if t in (FLOAT, DOUBLE):
        tiny, huge = (1.401298464324817e-45, 3.4028234663852886e+38) if t == FLOAT else (5e-324, 1.7976931348623157e+308)
        return [0.0, -0.0, 1.0, -1.0, NAN, INF, -INF, tiny, -tiny, huge, -huge, 1 / 3, 1e10, 1e15, 123456789.0,
                0.1, 100.0, 1e-5, 16777216.0, 9007199254740992.0, 2.5, FILLS[t]]
    low, high = limits(t)
    return [low, low + 1, -1 if low else 1, 0, 1, 9, 10, 100, high - 1, high, FILLS[t]]


def pack(t, values):
    if isinstance(values, (bytes, bytearray)):
        return bytes(values)
    if isinstance(values, array.array): # already of the type; only its bytes are turned
        values = array.array(values.typecode, values)
        if sys.byteorder == 'little':
            values.byteswap()
        return values.tobytes()
    return struct.pack('>%d%s' % (len(values), LETTERS[t]), *values)


def repeated(raw, n):
    return (raw * (n // max(1, len(raw)) + 1))[:n]


class Corpus:
    def __init__(self, folder, small):
        self.folder, self.small, self.paths, self.random = folder, small, [], random.Random(7)

    def add(self, name, version, dims=(), vars=(), atts=(), numrecs=0, align=4):
        """vars: (name, type, dims, atts, values): values, repeated to the variable's size, all its records one after
        another; None: numbers that count up."""
        b = Build(version, numrecs=numrecs, dims=dims, atts=atts, vars=[v[:4] for v in vars], data=False, align=align)
        image = bytearray(b.bytes + bytes(max(0, b.end - len(b.bytes) if vars else 0)))
        one = sum(b.is_record(v) for v in vars) == 1
        for v in vars:
            slab, count = b.slab(v), numrecs if b.is_record(v) else 1
            values = v[4] if len(v) > 4 and v[4] is not None else self.counting(v[1])
            raw = repeated(pack(v[1], values), slab * count)
            gap = b'' if b.is_record(v) and one else self.padding(v[1], slab)
            for r in range(count):
                at = b.begin[v[0]] + r * b.recsize
                image[at:at + slab + len(gap)] = raw[r * slab:(r + 1) * slab] + gap
        if self.small and len(image) > SMALL:
            return
        path = os.path.join(self.folder, name + '.nc')
        with open(path, 'wb') as f:
            f.write(image)
        self.paths.append(path)

    @staticmethod
    def padding(t, slab):
        return repeated(struct.pack('>' + LETTERS.get(t, 'b'), FILLS[t]), -slab % 4)

    @staticmethod
    def counting(t):
        if t == CHAR:
            return b'abcdefghijklmnopqrstuvwxyz'
        return [i * 1.5 - 7 for i in range(97)] if t in (FLOAT, DOUBLE) else list(range(1, 98))


def empty_ones(c):
    for version in (1, 2, 5):
        c.add('empty_%d' % version, version)
        c.add('dims_only_%d' % version, version, dims=[('x', 3), ('t', 0), ('y', 1)], numrecs=0)
        c.add('atts_only_%d' % version, version, atts=[('title', CHAR, b'no variables'), ('n', INT, [1, 2, 3])])
    c.add('records_without_variables', 1, dims=[('t', 0)], numrecs=4)


def types(c):
    for version in (1, 2, 5):
        all_types = types_of(version)
        c.add('types_%d' % version, version, dims=[('x', 5), ('t', 0)], numrecs=3,
              atts=[('g_' + NAMES[t], t, extremes(t)) for t in all_types],
              vars=[('%s_%s' % (NAMES[t], kind), t, dims, [('a_' + NAMES[u], u, extremes(u)) for u in all_types])
                    for t in all_types for kind, dims in (('scalar', []), ('fixed', ['x']), ('record', ['t', 'x']))])
    for t in NAMES:
        version = 1 if t in CLASSIC else 5
        values = extremes(t)
        c.add('extremes_' + NAMES[t], version, dims=[('n', len(values)), ('t', 0)], numrecs=len(values),
              vars=[('fixed', t, ['n'], [], values), ('record', t, ['t'], [], values),
                    ('matrix', t, ['n', 'n'], [], values)])


def shapes(c):
    for version, t in ((1, SHORT), (2, FLOAT), (5, UINT64)):
        dims = [('a', 2), ('b', 3), ('c', 1), ('d', 4), ('e', 2)]
        c.add('ranks_%d' % version, version, dims=dims,
              vars=[('r%d' % n, t, [d[0] for d in dims[:n]], []) for n in range(6)])
    c.add('rank_repeats', 1, dims=[('x', 3)], vars=[('square', INT, ['x', 'x'], []), ('cube', BYTE, ['x'] * 3, [])])
    c.add('rank_9', 5, dims=[('x', 2)], vars=[('v', INT64, ['x'] * 9, [])])
    c.add('one_each', 1, dims=[('one', 1), ('t', 0)], numrecs=1,
          vars=[('a', BYTE, ['one'], []), ('b', CHAR, ['one', 'one'], []), ('c', DOUBLE, ['t', 'one'], [])])
    c.add('gaps', 2, dims=[('x', 5), ('t', 0)], numrecs=2, align=512,
          vars=[('a', SHORT, ['x'], []), ('b', INT, ['t', 'x'], [])])
    c.add('record_dim_last', 1, dims=[('x', 2), ('y', 3), ('time', 0)], numrecs=2,
          vars=[('r', DOUBLE, ['time', 'y', 'x'], []), ('f', FLOAT, ['y'], [])])


def records(c):
    for t, width in ((BYTE, 3), (SHORT, 1), (CHAR, 5), (DOUBLE, 2), (UBYTE, 1), (USHORT, 3)):
        version = 1 if t in CLASSIC else 5
        dims = [('t', 0), ('x', width)]
        c.add('one_record_variable_' + NAMES[t], version, dims=dims, numrecs=5, vars=[('only', t, ['t', 'x'], [])])
    for n in (0, 1, 4):
        c.add('records_%d' % n, 1, dims=[('t', 0), ('x', 3), ('y', 2)], numrecs=n,
              vars=[('f', INT, ['x'], []), ('a', BYTE, ['t', 'x'], []), ('b', SHORT, ['t'], []),
                    ('g', DOUBLE, [], []), ('c', CHAR, ['t', 'x'], []), ('d', FLOAT, ['t', 'y', 'x'], [])])
    c.add('records_many', 2, dims=[('t', 0), ('x', 3)], numrecs=400,
          vars=[('v%d' % i, t, ['t', 'x'][:1 + i % 2], []) for i, t in enumerate(CLASSIC * 2)])
    c.add('records_5', 5, dims=[('x', 3), ('t', 0)], numrecs=3,
          vars=[(NAMES[t], t, ['t', 'x'], []) for t in NAMES])
    c.add('records_unwritten', 1, dims=[('t', 0), ('x', 2)], numrecs=3,
          vars=[('seen', INT, ['t', 'x'], [], [1, 2] + [FILLS[INT]] * 4),
                ('unseen', FLOAT, ['t'], [], [FILLS[FLOAT]]), ('text', CHAR, ['t', 'x'], [], bytes(6))])


def names(c):
    plain = ['double', 'data', 'dimensions', 'variables', 'netcdf', 'NaN', 'unlimited', '_under', '1st', '2-d', 'a b',
             'a  b', "it's", 'say"what"', 'back\\slash', 'a,b', 'a;b', 'a:b', 'a=b', 'a(b)', 'a{b}', 'a[b]', 'a#b',
             'a$b', 'a%b', 'a&b', 'a*b', 'a+b', 'a-b', 'a.b', 'a<b>', 'a?b', 'a@b', 'a^b', 'a`b', 'a|b', 'a~b', 'a!b']
    beyond = ['\u00e9t\u00e9', '\u6e29\u5ea6', '\u03b1\u03b2', '\U0001f30a', '\u00c5', 'x\u00b2', '\u0645\u062a\u0631', '\u4e2d 1']
    c.add('names_plain', 1, dims=[(n, i + 1) for i, n in enumerate(plain)],
          atts=[(n, INT, [i]) for i, n in enumerate(plain)],
          vars=[(n, BYTE, [n], [(n, CHAR, n.encode())]) for n in plain])
    c.add('names_beyond_ascii', 5, dims=[(n, i + 1) for i, n in enumerate(beyond)],
          atts=[(n, SHORT, [i]) for i, n in enumerate(beyond)],
          vars=[(n, SHORT, [n], [(n, CHAR, n.encode())]) for n in beyond])
    long = 'L' + 'o' * 252 + 'ng'
    c.add('names_long', 1, dims=[(long, 2)], atts=[(long, CHAR, b'global')],
          vars=[(long, INT, [long], [(long, CHAR, b'own')])])
    for i, name in enumerate(('file with spaces', 'file,comma', '1file', 'file\u00e9', 'file.with.dots', "file'quote")):
        c.add(name, 1, dims=[('x', 2)], vars=[('v', INT, ['x'], [], [i, i + 1])])


TEXTS = [
    ('empty', b''), ('one', b'x'), ('lines', b'first\nsecond\n\nfourth\n'), ('tabs', b'a\tb\tc'),
    ('quotes', b'say "this" and \'that\''), ('slashes', b'c:\\dir\\n and /* no comment */ // here'),
    ('controls', bytes(range(1, 32))), ('delete', b'a\x7fb'), ('nul_inside', b'ab\0cd\0\0ef'), ('nul_at_end', b'abc\0'),
    ('nuls_at_end', b'abc\0\0\0'), ('nuls', b'\0\0\0'), ('utf8', '\u00e9t\u00e9 \u6e29\u5ea6 \U0001f30a'.encode()),
    ('latin1', b'caf\xe9 \xff\xfe'), ('broken', b'\xc3(\xe2\x82'), ('spaces', b'  two before, two behind  '),
    ('long', b'word ' * 60), ('long_word', b'w' * 300), ('long_lines', (b'x' * 90 + b'\n') * 3), ('return', b'a\r\nb\r'),
    ('trigraph', b'what??/'), ('percent', b'%s%n%d 100%'), ('digits_behind', b'\x010\x0712'), ('newline', b'\n'),
]


def text(c):
    c.add('text_attributes', 1, atts=[('t_' + n, CHAR, v) for n, v in TEXTS], dims=[('x', 2)],
          vars=[('v', INT, ['x'], [('t_' + n, CHAR, v) for n, v in TEXTS])])
    c.add('empty_attributes', 5, atts=[('g_' + NAMES[t], t, b'' if t == CHAR else []) for t in NAMES], dims=[('x', 2)],
          vars=[('v', INT, ['x'], [('a_' + NAMES[t], t, b'' if t == CHAR else []) for t in NAMES])])
    for n, (name, value) in enumerate(t for t in TEXTS if t[0] in ('lines', 'controls', 'nul_inside', 'latin1', 'long')):
        size = len(value)
        c.add('text_values_' + name, 1, dims=[('n', 2), ('len', size), ('t', 0)], numrecs=2,
              vars=[('s', CHAR, ['len'], [], value), ('m', CHAR, ['n', 'len'], [], value + bytes(size)),
                    ('r', CHAR, ['t', 'len'], [], value), ('one', CHAR, [], [], value)])
    c.add('text_shapes', 2, dims=[('a', 2), ('b', 3), ('len', 7), ('one', 1), ('t', 0)], numrecs=2,
          vars=[('s0', CHAR, [], []), ('s1', CHAR, ['len'], []), ('s2', CHAR, ['b', 'len'], []),
                ('s3', CHAR, ['a', 'b', 'len'], []), ('s4', CHAR, ['t', 'a', 'b', 'len'], []),
                ('o1', CHAR, ['one'], []), ('o2', CHAR, ['b', 'one'], []), ('r1', CHAR, ['t'], []),
                ('r2', CHAR, ['t', 'len'], [], b'ab\0\0\0\0\0\0\0\0\0\0\0\0')])
    c.add('text_all_bytes', 1, dims=[('n', 256), ('rows', 16), ('cols', 16)],
          vars=[('row', CHAR, ['n'], [], bytes(range(256))), ('table', CHAR, ['rows', 'cols'], [], bytes(range(256))),
                ('letters', CHAR, ['n'], [('_FillValue', CHAR, b'x')], b'x' * 3 + b'abc')])
    c.add('text_no_records', 1, dims=[('t', 0), ('len', 4)], vars=[('s', CHAR, ['t', 'len'], []), ('r', CHAR, ['t'], [])])


def fills(c):
    for version in (1, 5):
        every = types_of(version)
        own = {t: b'#' if t == CHAR else [5] for t in every}
        c.add('fill_default_%d' % version, version, dims=[('x', 4), ('t', 0)], numrecs=2,
              vars=[(NAMES[t] + kind, t, dims, [], mixed(t, FILLS[t])) for t in every
                    for kind, dims in (('', ['x']), ('_r', ['t', 'x']))])
        c.add('fill_own_%d' % version, version, dims=[('x', 4)],
              vars=[(NAMES[t], t, ['x'], [('_FillValue', t, own[t])], mixed(t, own[t][0])) for t in every])
        c.add('fill_missing_%d' % version, version, dims=[('x', 4)],
              vars=[(NAMES[t], t, ['x'], [('missing_value', t, own[t])], mixed(t, own[t][0])) for t in every])
    odd = [('nan_float', FLOAT, [NAN], [1.0, NAN, FILLS[FLOAT]]), ('nan_double', DOUBLE, [NAN], [1.0, NAN, 2.0]),
           ('inf', DOUBLE, [INF], [INF, -INF, 1.0]), ('zero', FLOAT, [0.0], [0.0, -0.0, 1.0]),
           ('minus_zero', DOUBLE, [-0.0], [0.0, -0.0, 1.0]), ('tiny', DOUBLE, [5e-324], [5e-324, 0.0, 1e-323]),
           ('near', FLOAT, [1e20], [1e20, 1.0000001e20, 9.999999e19]), ('third', DOUBLE, [1 / 3], [1 / 3, 0.3333333333333333, 0.333])]
    c.add('fill_odd', 1, dims=[('x', 6)], vars=[(n, t, ['x'], [('_FillValue', t, f)], v) for n, t, f, v in odd])
    c.add('fill_odd_attributes', 1, dims=[('x', 4)], vars=[
        ('other_type', INT, ['x'], [('_FillValue', DOUBLE, [2.0])]), ('text_for_int', INT, ['x'], [('_FillValue', CHAR, b'2')]),
        ('two_values', SHORT, ['x'], [('_FillValue', SHORT, [2, 3])]), ('none', SHORT, ['x'], [('_FillValue', SHORT, [])]),
        ('both', SHORT, ['x'], [('_FillValue', SHORT, [2]), ('missing_value', SHORT, [3])]),
        ('scaled', SHORT, ['x'], [('scale_factor', DOUBLE, [0.5]), ('add_offset', DOUBLE, [1.0]), ('_FillValue', SHORT, [4])])])
    c.add('formats', 1, dims=[('x', 5)], vars=[
        ('c', FLOAT, ['x'], [('C_format', CHAR, b'%.2f')]), ('c_wide', DOUBLE, ['x'], [('C_format', CHAR, b'%12.4e')]),
        ('c_int', INT, ['x'], [('C_format', CHAR, b'%05d')]), ('c_short', SHORT, ['x'], [('C_format', CHAR, b'%x')]),
        ('c_none', FLOAT, ['x'], [('C_format', CHAR, b'')]), ('c_byte', BYTE, ['x'], [('C_format', CHAR, b'%u')]),
        ('f', FLOAT, ['x'], [('FORTRAN_format', CHAR, b'F8.2')]), ('c_number', FLOAT, ['x'], [('C_format', INT, [1])])])


def mixed(t, fill):
    return bytes([97, 98, fill, 99]) if t == CHAR else [1, fill, 2, 3, fill, fill, 4, 5]


def floats(c):
    for t, name in ((FLOAT, 'floats'), (DOUBLE, 'doubles')):
        bits = SIZES[t] * 8
        patterns = b''.join(c.random.getrandbits(bits).to_bytes(bits // 8, 'big') for _ in range(600))
        whole = [float(10 ** i) for i in range(0, 39 if t == FLOAT else 60)]
        digits = [round(c.random.uniform(-1000, 1000), i % 8) for i in range(300)]
        c.add(name + '_any_bits', 1, dims=[('n', 600)], vars=[('v', t, ['n'], [], patterns)])
        c.add(name + '_powers', 2, dims=[('n', len(whole))], vars=[('v', t, ['n'], [], whole),
                                                                 ('w', t, ['n'], [], [1 / v for v in whole])])
        c.add(name + '_digits', 1, dims=[('n', 300)], atts=[('many', t, digits[:50])], vars=[('v', t, ['n'], [], digits)])


def times(c):
    units = ['days since 1970-01-01', 'hours since 1900-1-1 00:00:0.0', 'seconds since 2000-01-01 12:30:15', 'minutes since 1990-5-6 7:8',
             'months since 1980-01-31', 'years since 1850-7-4', 'weeks since 2001-09-09 UTC', 'days since 0001-01-01 00:00:00',
             'msec since 2020-02-29', 'days since 1582-10-01', 'days since -1-1-1', 'day since 2000-1-1', 'd since 2000-1-1',
             'days  since 2000-01-01T06:00:00Z', 'days since 2000-01-01 00:00:00 +2:30', 'days since yesterday', 'since 2000-01-01', 'm', 'days']
    calendars = ['standard', 'gregorian', 'proleptic_gregorian', 'noleap', '365_day', 'all_leap', '366_day', '360_day',
                 'julian', 'martian', 'GREGORIAN', '']
    values = [0, 1, 31, 58, 59, 60, 365, 366, 730.5, 12345.6789, 100000, -1, -400.25, 0.5, 1e-3, FILLS[DOUBLE]]
    c.add('times_units', 1, dims=[('time', len(values))],
          vars=[('t%d' % i, DOUBLE, ['time'], [('units', CHAR, u.encode())], values) for i, u in enumerate(units)])
    c.add('times_calendars', 1, dims=[('time', len(values))],
          vars=[('t%d' % i, DOUBLE, ['time'], [('units', CHAR, b'days since 2000-02-28'), ('calendar', CHAR, x.encode())],
                 values) for i, x in enumerate(calendars)])
    whole = [0, 1, 59, 60, 100, 24]
    c.add('times_types', 5, dims=[('time', len(whole))],
          vars=[(NAMES[t], t, ['time'], [('units', CHAR, b'hours since 1999-12-31 23:00')], whole)
                for t in NAMES if t != CHAR])
    c.add('times_records', 2, dims=[('time', 0), ('nv', 2), ('x', 3)], numrecs=6,
          vars=[('time', DOUBLE, ['time'], [('units', CHAR, b'days since 1850-01-01'), ('calendar', CHAR, b'noleap'),
                                           ('bounds', CHAR, b'time_bnds')], [15.5, 45, 74.5, 105, 135.5, 166]),
                ('time_bnds', DOUBLE, ['time', 'nv'], [], [0, 31, 31, 59, 59, 90]),
                ('climate', FLOAT, ['time'], [('units', CHAR, b'days since 1850-01-01'), ('climatology', CHAR, b'c_bnds')]),
                ('c_bnds', FLOAT, ['time', 'nv'], []),
                ('lead', INT, ['time', 'x'], [('units', CHAR, b'hours since 1850-01-01'), ('_FillValue', INT, [5])])])
    c.add('times_attributes', 1, dims=[('x', 3)],
          vars=[('t', DOUBLE, ['x'], [('units', CHAR, b'days since 2000-01-01'), ('valid_range', DOUBLE, [0.0, 1000.0]),
                                      ('actual_range', DOUBLE, [1.0, 2.5]), ('note', CHAR, b'days since then'),
                                      ('_FillValue', DOUBLE, [-1.0]), ('steps', INT, [1, 2, 3])], [1, -1, 2.5])])


def lines(c):
    c.add('lines_narrow', 1, dims=[('n', 200), ('m', 41)], atts=[('a', BYTE, list(range(100)))],
          vars=[('b', BYTE, ['n'], []), ('s', SHORT, ['n'], [], [1, 22, 333, 4444, -5, -66, -777]), ('m', INT, ['m', 'm'], [])])
    wide = [-123456789 - i for i in range(50)]
    c.add('lines_wide', 1, dims=[('n', 120), ('m', 7)], atts=[('a', INT, wide), ('d', DOUBLE, [v / 7 for v in wide])],
          vars=[('i', INT, ['n'], [], wide), ('d', DOUBLE, ['n'], [], [v / 7 for v in wide]), ('e', DOUBLE, ['m', 'n'], [], wide),
                ('a_name_that_is_as_long_as_a_line_of_text_or_somewhat_longer_than_that', FLOAT, ['n'], [])])
    for n in range(1, 9):  # the end of a line at every place
        c.add('lines_end_%d' % n, 1, dims=[('n', 40)], vars=[('v', INT, ['n'], [], [10 ** n + i for i in range(9)] + [7])])


def coordinates(c):
    c.add('coordinates', 1, dims=[('lat', 3), ('lon', 4), ('time', 0), ('name', 2), ('len', 5)], numrecs=2,
          vars=[('lat', FLOAT, ['lat'], [('units', CHAR, b'degrees_north')]), ('lon', FLOAT, ['lon'], []),
                ('T', DOUBLE, ['time', 'lat', 'lon'], []), ('time', INT, ['time'], [('units', CHAR, b'days since 2000-1-1')]),
                ('name', CHAR, ['name', 'len'], [], b'ab\0\0\0cdefg'), ('len', INT, [], []), ('mask', BYTE, ['lat', 'lon'], [])])


def many(c):
    c.add('variables_many', 1, dims=[('d%d' % i, i % 5 + 1) for i in range(60)],
          vars=[('v%03d' % i, CLASSIC[i % 6], ['d%d' % (i % 60)], [('id', INT, [i])]) for i in range(200)])


def large(c):
    whole, real = array.array('i', range(-200000, 200000)), array.array('f', [i * 0.1 for i in range(-150000, 150000)])
    dreal = array.array('d', [i / 3 for i in range(100000)])
    c.add('large_ints', 1, dims=[('n', 400000)], vars=[('v', INT, ['n'], [], whole)])
    c.add('large_floats', 2, dims=[('y', 300), ('x', 1000)], vars=[('v', FLOAT, ['y', 'x'], [], real)])
    c.add('large_records', 5, dims=[('t', 0), ('x', 1000)], numrecs=100,
          vars=[('d', DOUBLE, ['t', 'x'], [], dreal), ('u', UBYTE, ['t', 'x'], []), ('s', SHORT, ['t'], []),
                ('q', INT64, ['t', 'x'], [])])
    c.add('large_text', 1, dims=[('rows', 3000), ('len', 80)], vars=[('s', CHAR, ['rows', 'len'], [])])
    c.add('large_row', 1, dims=[('len', 300000)], vars=[('s', CHAR, ['len'], [], b'abc\n' + bytes(range(256)))])


def maps(c):
    folder = os.environ.get('PARCDF_SHARED', '/work/shared')
    for name in E3SM:
        source = os.path.join(folder, 'data', 'e3sm', name)
        if os.path.exists(source) and not c.small:
            c.paths.append(shutil.copyfile(source, os.path.join(c.folder, name)))


def make(folder, small=False):
    os.makedirs(folder, exist_ok=True)
    c = Corpus(folder, small)
    for part in (empty_ones, types, shapes, records, names, text, fills, floats, times, lines, coordinates, many, large, maps):
        part(c)
    return c.paths


if __name__ == '__main__':
    words = [a for a in sys.argv[1:] if a != '--small']
    if len(words) != 1:
        sys.exit(__doc__)
    for made in make(words[0], '--small' in sys.argv):
        print(made)
