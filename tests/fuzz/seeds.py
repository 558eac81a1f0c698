#!/usr/bin/env python3
"""Writes the seeds of a fuzz target into a folder: what is good, and heads of the hostile kinds.
usage: seeds.py TARGET FOLDER"""
import os, struct, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

TYPES = {1: range(1, 7), 2: range(1, 7), 5: range(1, 12)}


def decode():
    """Small headers of every version, type and shape."""
    for version in (1, 2, 5):
        yield Build(version)
        yield Build(version, dims=[('dim', 5)])
        yield Build(version, put={'dims:tag': 10, 'atts:tag': 12, 'vars:tag': 11})
        yield Build(version, dims=[('dim', 5)], vars=[('vx', 3, ['dim'], [])])
        yield Build(version, vars=[('scalar', 6, [], [])])
        yield Build(version, numrecs=3, dims=[('t', 0), ('x', 3)], vars=[('r', 1, ['t', 'x'], [])])
        yield Build(version, put={'numrecs': 2 ** 64 - 1}, numrecs=2, dims=[('t', 0)], vars=[('r', 4, ['t'], [])])
        yield Build(version, atts=[('text', 2, b'hello'), ('none', 4, []), ('odd', 3, [1, 2, 3])])
        yield Build(version, numrecs=2, dims=[('t', 0), ('x', 3), ('y', 2)], align=512, vars=[
            ('v%d' % t, t, ['x', 'y'][:t % 3], [('_FillValue', t, b'f' if t == 2 else [1])]) for t in TYPES[version]] + [
            ('r%d' % t, t, ['t', 'x', 'y'][:1 + t % 3], []) for t in TYPES[version]])
        yield Build(version, dims=[('e\u00e9', 4)], vars=[('name with space', 4, ['e\u00e9'], [('units', 2, b'm')])])
        yield Build(version, dims=[('x', 2 ** 31 - 1)], vars=[('large', 1, ['x'], [])], data=False)
        yield Build(version, dims=[('x', 3)], vars=[('a', 1, ['x'], [])],
                    put={'var:a:vsize': 3, 'var:a:name:pad': b'\1\2\3', 'dim:x:name:pad': b'xyz'})
        # what only a reader takes: another order, a tag without elements, a NUL in a name, a type of CDF-5
        b = Build(version, dims=[('x', 3)], vars=[('a', 4, ['x'], []), ('b', 4, ['x'], [])])
        yield Build(version, dims=[('x', 3)], vars=[('a', 4, ['x'], []), ('b', 4, ['x'], [])],
                    put={'var:a:begin': b.first + 12, 'var:b:begin': b.first})
        yield Build(version, put={'dims:tag': 11, 'atts:tag': 10, 'vars:tag': 77})
        yield Build(version, dims=[('x\0y', 3)], vars=[('a', 9, ['x\0y'], [])])


def reads():
    return decode()


def stream():
    """Whole files, also with records that their size counts."""
    yield from decode()
    for version in (1, 2, 5):
        for vars in [('r', 1, ['t', 'x'], [])], [('a', 3, ['x'], []), ('r', 1, ['t', 'x'], []), ('s', 3, ['t'], [])]:
            for tail in b'', b'abc':
                yield Build(version, numrecs=4, dims=[('t', 0), ('x', 3)], vars=vars, tail=tail,
                            put={'numrecs': b'\xff' * (8 if version == 5 else 4)})


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def journal():
    """Heads of journals and records of rounds, with right and with wrong checksums."""
    old = Build(1, dims=[('x', 5)], vars=[('a', 4, ['x'], [])]).bytes
    new = Build(1, dims=[('x', 5)], atts=[('t', 2, b'text')], vars=[('a', 4, ['x'], []), ('b', 4, ['x'], [])]).bytes
    for parts, chunk, room in ((0, 0, 0), (1, 4096, 0), (2, 4096, 4096), (3, 2 ** 40, 2 ** 40), (2 ** 24, 2 ** 62, 0)):
        payload = old + new + b'\0\1'
        numbers = (104 + len(payload), 0x1234567890ABCDEF, 77, 4711, 500, parts, chunk, room, len(old), len(new), 2, 0)
        head = b'PARCDFJ2' + struct.pack('>12Q', *numbers) + payload
        yield b'\1' + head + struct.pack('>I', crc32c(head))
        yield b'\0' + head + struct.pack('>I', crc32c(head)) + bytes(100)
    for nfills, sizes in ((0, 0), (0, -1), (2, 1)):  # a change of the header alone; sizes that do not add up
        payload = old + new + b'\0\1'[:nfills]
        head = b'PARCDFJ2' + struct.pack('>12q', 104 + len(payload), 5, 77, 4711, 500, 0, 0, 0, len(old) + sizes, len(new), nfills, 0)
        head += payload
        yield b'\1' + head + struct.pack('>I', crc32c(head))
    for ranges in ([(0, 512)], [(0, 600), (700, 3)], [(0, 512), (512, 1), (5000, 40)], [(0, 512), (400, 9)], [(1, 512)]):
        payload = struct.pack('>Q', len(ranges)) + b''.join(struct.pack('>QQI', at, n, 7) for at, n in ranges) + bytes(sum(n for _, n in ranges))
        head = b'PARCDFJ5' + struct.pack('>12Q', 104 + 512 + len(payload), 1 << 63, 77, 4711, 6000, 0, 0, 0, 512, len(payload), 0, 0)
        head += bytes(512) + payload
        yield b'\1' + head + struct.pack('>I', crc32c(head))
        yield b'\0' + head + struct.pack('>I', crc32c(head)) + bytes(100)
    for round_, there, data in ((0, 100, 1), (7, 2 ** 40, 0), (2 ** 63, 2 ** 63, 1)):
        record = (b'PARCDFR1' + struct.pack('>QQQII', 99, round_, there, data, 12345)).ljust(60, b'\0')
        yield b'\1' + record + struct.pack('>I', crc32c(record)) + bytes(200)
        yield b'\0' + record + struct.pack('>I', crc32c(record)) + bytes(200)
    for number, over in ((0, 0), (5, 1), (2 ** 63, 0)):
        heartbeat = (b'PARCDFB2' + struct.pack('>7Q', 99, number, 1700000000, over, 4711, 12345, 4026531836) + b'host'.ljust(64, b'\0')
                + b'boot').ljust(252, b'\0')
        yield b'\1' + heartbeat + struct.pack('>I', crc32c(heartbeat))


CDL = [r'''netcdf t { // file format: CDF-2
dimensions:
 n = 5LL, m = 0x10, k = 010 ; t = UNLIMITED ; // (3 currently)
variables:
 float a(t,n), b, c(m,n); LONG e; a:units = "m\n", "x" ; :g = 1b, 2b ; b:_FillValue = 1.5f;
 byte :a = -1, 255 ;
data: a = 1;
}''', r'''netcdf \1a.nc {
variables: int \1a\ b ; \1a\ b:c\:d = 1, -2147483648, 'x', 3000000000, NaN, -Inf, 1e30f ; char c ; c:t = "a", 'b' ;
}''', '''netcdf five { // file format: CDF-5
dimensions: x = 3000000000 ; y = 2 ;
variables: ubyte a(y); ushort b; uint c; int64 d(y, y); uint64 e; :n = 255ub, 1us, 2u, 3ll, 4ull ;
}''', 'netcdf e{}', '''netcdf s {
dimensions: t = unlimited ; x = 4 ;
variables: short v(t, x), w(t) ; v:valid_range = 0s, 100s ; string v:title = "one", "two" ; :empty = "" ;
:_Format = "64-bit offset" ;
}''']


def cdl():
    return [text.encode() for text in CDL]


DATA = [r'''netcdf d { // file format: CDF-5
dimensions: n = 3; c = 4; t = UNLIMITED ; // (2 currently)
variables: int v(n); double d(t, n); char s(n, c), r(t, c), q(t); byte b(t); uint64 u; v:_FillValue = 7;
data: v = 1, _, 0x7f; d = 1.5, NaN, -Infinity, 1e308; s = "ab", 'c', 'd', "wxyz"; r = "", "x"; b = 1, 255b; u = 1ull;
}''', '''netcdf e {
dimensions: n = 2 ; c = 6 ; t = UNLIMITED ; // (5 currently)
variables: char s(n, c) ; char q(t) ; short data(t) ;
data:

 s =
  "a\\n",
    "bc",
  "xyz\\n",
    "" ;

 q = "ab\\0" ;

 data = 1, 2, 3 ;
}''', 'netcdf f { variables: float f; double g; char c; data: f = 3.403e38; g = 1.79769313486232e+308; c = "x"; }',
    'netcdf g { dimensions: t = UNLIMITED; variables: char q(t); data: q = "ab\\0"; }']


def roundtrip():
    return [text.encode() for text in DATA] + cdl()


EXPR = ['d = a:T - ctl:T', 'w = sqrt(T**2 + u**2) ; w:units = "m s-1" # speed', 'r = where(T > 0 && !ismissing(u), T, missing)',
        'x = shift(T, time, 1) - shift(roll(T * 2, x, -2), y, 3) ; x:a = 1, -2.5, pi', 'p = l * l // 3 + n % 7 - int64(s) ** 3',
        'a = min(i, s, 3, b) ; b = a + `x y` ; c = b and not a or index(x) >= length(y) ; :title = "t" ; c:u = T:units',
        'k = -2 ** -1 ** 2 / 9223372036854775807 ; m = float(1e300) * byte(-128) ; o = uint64(n) + 18446744073709551615',
        'z = fill(T, atan2(u, 3)) \n\n y = hypot(z, T) % 0.5 // 2', 'T > 0', 'Q = q * 1', 'f = cos(time) * (u + T) ; g = f ; h = g == f']


def expr():
    return [text.encode() for text in EXPR]


def time():
    """Each calendar; units near its edges."""
    calendars = ['standard', 'proleptic_gregorian', 'noleap', 'all_leap', '360_day', 'julian', 'none', '', 'unknown']
    bases = ['2000-01-01', '1582-10-04 23:59:59.5', '1582-10-15T12', '0001-01-01 00:00', '-4713-11-24', '1900-02-29 6:30:15.25']
    for i, calendar in enumerate(calendars):
        for k, base in enumerate(bases):
            unit = ['days', 'hours', 'seconds', 'minutes', 'months', 'years', 'weeks'][(i + k) % 7]
            yield struct.pack('<dd', [0, -1.5, 1e5 / 3, 2 ** 40, 59.999999999][(i * k) % 5], 17.25 * k - i) + f'{unit} since {base}\n{calendar}'.encode()


def convert():
    """Each pair of types both ways: all ones, limits, the middle."""
    values = bytes(8) + b'\xff' * 8 + struct.pack('>qqddff', 2 ** 63 - 1, -2 ** 63, 1e300, -2.5, 1e38, 255.5) + \
        struct.pack('<qdfh', -129, 2.0 ** 63, 32768.0, -1) + bytes(range(40))
    for i in range(11):
        for j in range(12):
            for put in (0, 1):
                yield bytes([i, j, (i + j) % 6, put, (3 * i + j) % 9, i % 8, j % 8]) + values


def hints():
    yield b'\x00512\nnc_var_align_size=1024; pcdf_debug_stage_size = 65536 ;;nc_burst_buf=enable'
    for i in range(45):
        yield bytes([i]) + b'auto\npcdf_commit=record;pcdf_debug_chunk_size=99999999999999999999'
        yield bytes([i]) + b'70000\n=;x;x=;=y;pcdf_engine=' + b'e' * 300


def recover():
    """Changes that move nothing, little and much; honest ones, and each kind of lie."""
    for flags in (1, 0, 3, 5, 9, 17, 25, 33, 41, 49, 57):
        for version in range(3):
            for change in range(1, 8):
                yield bytes([flags, version, 50 + 20 * change, 2, 4 + change, 13, 8 + flags, 3, change, 9, 0, 1, 2,
                             change, 5, 6, 7, 8, 9, 10, 11, 12, 0, 8 * change, 200])
    for more in range(0, 256, 5):
        yield bytes([0xFF, more, more % 3, 100, 2, 5, 9, 1, 4, 7, 3, 0, more, more ^ 0x55] + list(range(20)))


def program():
    """A file made, written, changed, read; and noise."""
    for i in range(24):
        start = [0, i, 1, 6, 0, 3, 2, 6, 1, 0, 3]  # create; def_dim t 3, x unlimited
        start += [6, 2, 2, 1, 0, 0, 3 + i % 4, 2, 0, 6, 2, 1, 0, 0, 0, 5, 1, 1]  # def_var a(x, t), b(t)
        put = [16, 1 + i % 2, i // 8 & 1, i & 1, 4 + i % 2 * 4, 8 + i % 8, 4, 4]
        post = [22, 1, i % 3, 4, 8, 4, 4, 26, 2, 1]
        change = [28, 0, 12, 1, 0, 1, i % 9, 6, 2, 2, 1, 0, 0, 4, 2, 4 + i % 3, 28, 2]  # redef, an attribute, a variable
        yield bytes(start + [28, 2] + put + post + change + put + [28, 5] + put + [28, 6, 4, 1, 2, 1] + put)
        yield bytes((i * 37 + j * j * 11 + j) & 255 for j in range(150))


def main():
    target, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for i, seed in enumerate(globals()[target]()):
        with open(os.path.join(folder, 'seed%02d' % i), 'wb') as f:
            f.write(getattr(seed, 'bytes', seed)[:2000])


if __name__ == '__main__':
    main()
