#!/usr/bin/env python3
"""Fixes what tests/support/cdf.py must read and must refuse: the byte dumps of the specification, files that ncgen
makes (all types, records, the one unpadded record variable, attributes), and one broken file for each rule.

usage: reader_test.py (parts whose tools are missing are left out; they say so)
"""
import io, os, shutil, struct, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import cdf

# The dumps of the specification's examples, as `od -c` prints them.
EMPTY = {1: r'C D F 001', 2: r'C D F 002', 5: r'C D F 005'}
TINY = {
    1: r'''C D F 001 \0 \0 \0 \0 \0 \0 \0 \n \0 \0 \0 001
\0 \0 \0 003 d i m \0 \0 \0 \0 005 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \v \0 \0 \0 001 \0 \0 \0 002
v x \0 \0 \0 \0 \0 001 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 003 \0 \0 \0 \f \0 \0 \0 P
\0 003 \0 001 \0 004 \0 001 \0 005 200 001''',
    2: r'''C D F 002 \0 \0 \0 \0 \0 \0 \0 \n \0 \0 \0 001
\0 \0 \0 003 d i m \0 \0 \0 \0 005 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \v \0 \0 \0 001 \0 \0 \0 002
v x \0 \0 \0 \0 \0 001 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 003 \0 \0 \0 \f \0 \0 \0 \0
\0 \0 \0 T \0 003 \0 001 \0 004 \0 001 \0 005 200 001''',
    5: r'''C D F 005 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \n
\0 \0 \0 \0 \0 \0 \0 001 \0 \0 \0 \0 \0 \0 \0 003
d i m \0 \0 \0 \0 \0 \0 \0 \0 005 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \v \0 \0 \0 \0
\0 \0 \0 001 \0 \0 \0 \0 \0 \0 \0 002 v x \0 \0
\0 \0 \0 \0 \0 \0 \0 001 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 003
\0 \0 \0 \0 \0 \0 \0 \f \0 \0 \0 \0 \0 \0 \0 200
\0 003 \0 001 \0 004 \0 001 \0 005 200 001'''}
DIM_ONLY = {
    1: r'''C D F 001 \0 \0 \0 \0 \0 \0 \0 \n \0 \0 \0 001
\0 \0 \0 003 d i m \0 \0 \0 \0 005 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0''',
    2: r'''C D F 002 \0 \0 \0 \0 \0 \0 \0 \n \0 \0 \0 001
\0 \0 \0 003 d i m \0 \0 \0 \0 005 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0''',
    5: r'''C D F 005 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \n
\0 \0 \0 \0 \0 \0 \0 001 \0 \0 \0 \0 \0 \0 \0 003
d i m \0 \0 \0 \0 \0 \0 \0 \0 005 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0'''}
SCALAR = {
    1: r'''C D F 001 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \v \0 \0 \0 001
\0 \0 \0 002 v x \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 003 \0 \0 \0 004 \0 \0 \0 @
\0 005 200 001''',
    2: r'''C D F 002 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \v \0 \0 \0 001
\0 \0 \0 002 v x \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 003 \0 \0 \0 004 \0 \0 \0 \0
\0 \0 \0 D \0 005 200 001''',
    5: r'''C D F 005 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \v \0 \0 \0 \0 \0 \0 \0 001
\0 \0 \0 \0 \0 \0 \0 002 v x \0 \0 \0 \0 \0 \0
\0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0 \0
\0 \0 \0 003 \0 \0 \0 \0 \0 \0 \0 004 \0 \0 \0 \0
\0 \0 \0 d \0 005 200 001'''}


def od(text):
    special = {r'\0': 0, r'\n': 10, r'\v': 11, r'\f': 12}
    return bytes(special[w] if w in special else int(w, 8) if len(w) == 3 else ord(w) for w in text.split())


CDL = '''netcdf t { dimensions: t = UNLIMITED; x = 3; y = 5; z = 2;
variables:
  byte b(x); char c(x, y); short s(y); int i(z, x, y); float f; double d(y);
  byte rb(t, x); char rc(t, y); short rs(t, z, x); int ri(t); float rf(t, y); double rd(t, z);
  s:units = "metre"; s:_FillValue = -9s; s:range = -1s, 7s, 9s; d:big = 1.e300, -2.5; b:odd = 1b, 2b, 3b; f:empty = "";
  :title = "all types"; :ints = 1, -2, 3; :flt = 1.5f, -0.f;
data:
  b = -1, 2, -3; c = "abcde", "fghij", "klmno"; s = 1, -2, 3, -4, 5; f = 3.25; d = 1, 2.5, -3e200, 4, 5;
  i = 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30;
  rb = 1,2,3, 4,5,6, 7,8,9; rc = "hello", "world", "again"; rs = 1,2,3,4,5,6, 7,8,9,10,11,12, 13,14,15,16,17,18;
  ri = 7, 8, 9; rf = 1,2,3,4,5, 6,7,8,9,10, 11,12,13,14,15; rd = 1,2, 3,4, 5,6;
}'''
CDL5 = '''netcdf t { dimensions: t = UNLIMITED; x = 3;
variables: ubyte ub(x); ushort us(x); uint ui(x); uint64 ul(x);
  ubyte rub(t, x); ushort rus(t, x); uint64 rul(t);
  ul:a = 1ull, 18446744073709551615ull; us:a = 1us, 65535us, 3us;
data: ub = 1, 200, 255; us = 1, 40000, 65535; ui = 1, 2, 4000000000;
  ul = 1, 2, 18000000000000000000; rub = 1,2,3, 4,5,6; rus = 1,2,3, 4,5,6; rul = 5, 6; }'''
ONE_RECORD = '''netcdf t { dimensions: t = UNLIMITED; x = %d; variables: int fixed(x); %s r(t, x);
data: r = %s; }'''


class Base(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)
        self.made = 0

    def file(self, data, **options):
        self.made += 1
        path = os.path.join(self.dir, '%d.nc' % self.made)
        with open(path, 'wb') as f:
            f.write(data)
        return cdf.File(path, **options)


class Dumps(Base):
    def test_empty(self):
        for version, magic in EMPTY.items():
            f = self.file(od(magic) + bytes(44 if version == 5 else 28))
            self.assertEqual((f.version, f.numrecs, f.dims, f.atts, f.vars), (version, 0, [], [], []))
            self.assertEqual(f.header_size, f.size)

    def test_tiny(self):
        for version, begin in ((1, 80), (2, 84), (5, 128)):
            f = self.file(od(TINY[version]))
            v = f.vars[0]
            self.assertEqual((f.dims, v.name, v.shape, v.begin, v.vsize), ([('dim', 5)], 'vx', (5,), begin, 12))
            self.assertEqual(struct.unpack('>5h', v.raw()), (3, 1, 4, 1, 5))

    def test_int64(self):  # by hand: this ncgen makes int of int64
        tiny, values = od(TINY[5]), (-1, 2, -9000000000, 2 ** 63 - 1, -2 ** 63)
        f = self.file(tiny[:111] + b'\x0a' + struct.pack('>q', 40) + tiny[120:128] + struct.pack('>5q', *values))
        self.assertEqual(struct.unpack('>5q', f.vars[0].raw()), values)
        if cdf.numpy:
            self.assertEqual(f.vars[0].array().tolist(), list(values))

    def test_dim_only_and_scalar(self):
        for version, begin in ((1, 64), (2, 68), (5, 100)):
            self.assertEqual(self.file(od(DIM_ONLY[version])).dims, [('dim', 5)])
            v = self.file(od(SCALAR[version])).vars[0]
            self.assertEqual((v.shape, v.begin, bytes(v.raw())), ((), begin, b'\0\5'))


class Broken(Base):
    """Each edit of the tiny file breaks one rule, and the sentence names it."""
    EDITS = [  # offset, bytes, what the sentence says
        (0, b'H', 'magic'), (3, b'\3', 'magic'), (4, b'\x80', 'numrecs is negative'), (11, b'\x0c', 'tag 12'),
        (8, b'\0\0\0\0', 'tag 0 and 1'), (15, b'\2', 'name'), (19, b'\0', 'not legal'), (20, b'\xff', 'not UTF-8'),
        (20, b'/', 'not legal'), (22, b' ', 'not legal'), (23, b'x', 'padding'), (24, b'\xff', 'negative'),
        (43, b'\7', 'the header ends'), (44, b'\x7f', 'the header ends'), (59, b'\1', 'dimensions [1] of 1'),
        (71, b'\7', 'type 7'), (71, b'\0', 'type 0'), (75, b'\x0a', 'vsize'), (76, b'\xff', 'begins at -'),
        (79, b'\x4c', 'before 80')]

    def test_edits(self):
        good = od(TINY[1])
        for offset, new, sentence in self.EDITS:
            with self.assertRaises(cdf.CdfError, msg=(offset, new)) as e:
                self.file(good[:offset] + new + good[offset + len(new):])
            self.assertIn(sentence, str(e.exception))

    def test_truncations(self):
        for version in TINY:
            good = od(TINY[version])
            for n in range(len(good) - 12):
                with self.assertRaises(cdf.CdfError):
                    self.file(good[:n])

    def test_missing_data(self):
        short = od(TINY[1])[:-4]
        with self.assertRaises(cdf.CdfError):
            self.file(short).vars[0].raw()
        self.assertEqual(bytes(self.file(short, zero_missing=True).vars[0].raw())[-2:], b'\0\0')
        self.assertEqual(bytes(self.file(od(TINY[1])[:-2]).vars[0].raw())[-2:], b'\0\5')  # padding alone may lack

    def test_streaming(self):
        good = od(TINY[1])
        record = good[:4] + b'\xff' * 4 + good[8:24] + bytes(4) + good[28:72] + b'\0\0\0\4' + good[76:]
        f = self.file(record)
        self.assertEqual((f.streaming, f.numrecs, f.vars[0].shape), (True, 6, (6,)))  # 12 bytes, 2 a record


@unittest.skipUnless(shutil.which('ncgen'), 'ncgen is not installed')
class Generated(Base):
    def make(self, cdl, kind):
        self.made += 1
        path = os.path.join(self.dir, '%d.nc' % self.made)
        subprocess.run(['ncgen', '-k', kind, '-o', path], input=cdl.encode(), check=True)
        return cdf.File(path)

    def others(self, f):
        """What the other readers installed here say must be the same."""
        for name, reader in (('netCDF4', cdf.against_netcdf4), ('scipy', cdf.against_scipy)):
            try:
                self.assertEqual(list(reader(f)), [])
            except ImportError as e:
                print('%s: left out: %s' % (name, e), file=sys.stderr)

    def test_all_types(self):
        files = [self.make(CDL, kind) for kind in ('nc3', 'nc6', 'cdf5')]
        for f, version in zip(files, (1, 2, 5)):
            self.assertEqual((f.version, f.numrecs), (version, 3))
            v = {v.name: v for v in f.vars}
            self.assertEqual(bytes(v['rb'].raw()), bytes(range(1, 10)))
            self.assertEqual(bytes(v['rc'].raw()), b'helloworldagain')
            self.assertEqual(struct.unpack('>18h', v['rs'].raw()), tuple(range(1, 19)))
            self.assertEqual(struct.unpack('>6d', v['rd'].raw()), (1, 2, 3, 4, 5, 6))
            self.assertEqual(struct.unpack('>30i', v['i'].raw()), tuple(range(1, 31)))
            atts = {a.name: a.values for a in v['s'].atts}
            self.assertEqual(atts, {'units': b'metre', '_FillValue': [-9], 'range': [-1, 7, 9]})
            self.assertEqual([a.values for a in f.atts], [b'all types', [1, -2, 3], [1.5, 0.0]])
            self.others(f)
            for other in files:
                self.assertEqual(list(cdf.compare(f, other, True)), [])
            cdf.dump(f, io.StringIO())

    def test_cdf5_types(self):
        f = self.make(CDL5, 'cdf5')
        v = {v.name: v for v in f.vars}
        self.assertEqual(struct.unpack('>3I', v['ui'].raw()), (1, 2, 4000000000))
        self.assertEqual(v['ul'].atts[0].values, [1, 2 ** 64 - 1])
        self.assertEqual(bytes(v['rub'].raw()), bytes(range(1, 7)))
        self.others(f)

    def test_one_record_variable_is_not_padded(self):
        for kind in ('nc3', 'nc6', 'cdf5'):
            for type_, size in (('byte', 1), ('char', 1), ('short', 2), ('int', 4)):
                for x in (1, 2, 3, 5):
                    n = 4 * x
                    values = '"%s"' % ''.join(chr(97 + i) for i in range(n)) if type_ == 'char' else ','.join(
                        str(i + 97) for i in range(n))
                    f = self.make(ONE_RECORD % (x, type_, values), kind)
                    r = f.vars[1]
                    self.assertEqual((f.recsize, r.vsize, r.shape), (x * size, (x * size + 3) // 4 * 4, (4, x)))
                    got = struct.unpack('>%d%s' % (n, {1: 'B', 2: 'h', 4: 'i'}[size]), r.raw())
                    self.assertEqual(got, tuple(range(97, 97 + n)))
            self.others(f)

    def test_both_paths_of_records(self):
        f = self.make(CDL, 'nc3')
        fast = [bytes(v.raw()) for v in f.vars]
        kept, cdf.numpy = cdf.numpy, None
        try:
            self.assertEqual([bytes(v.raw()) for v in f.vars], fast)
        finally:
            cdf.numpy = kept

    def test_every_difference_is_seen(self):
        a = self.make(CDL, 'nc3')
        edits = [('-2.5;', '-2.25;'), ('x = 3;', 'x = 3; w = 9;'), ('-1s, 7s', '-1s, 8s'), ('short s(', 'int s('),
                 ('double d(', 'float d('), ('"again"', '"agaim"'), (' 5,6;', ' 5,7;'), ('float f;', 'float f(z);'),
                 ('f = 3.25', 'f = 3.26'), ('17,18;', '17,19;'), (':title', ':titel')]
        for old, new in edits:
            self.assertIn(old, CDL)
            self.assertNotEqual(list(cdf.compare(a, self.make(CDL.replace(old, new), 'nc3'))), [], (old, new))


if __name__ == '__main__':
    unittest.main()
