#!/usr/bin/env python3
"""Fixes what `parcdf check` prints, to the byte, and its exit status: good files of each version, one file for each
warning and note, one for each rule that decode refuses, files that are none, and the options.
usage: check_test.py PARCDF"""
import os, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build

PARCDF = None
TX = [('t', 0), ('x', 3)]
A = ('a', 3, ['x'], [])              # short a(x): 6 bytes, 2 of padding
R = ('r', 1, ['t', 'x'], [])         # byte r(t, x)
S = ('s', 4, ['t'], [])              # int s(t)
BIG = 2 ** 31 - 1
MAX = 2 ** 63 - 1


def build(version=1, dims=TX, vars=(A,), **more):
    return Build(version, dims=dims, vars=list(vars), **more)


# Tolerated: what, the file, [(field or offset, severity, sentence, rule)].
TOLERATED = [
    ('padding of a dimension name', build(put={'dim:x:name:pad': b'\0\7\0'}),
     [(lambda b: b.at['dim:x:name:pad'] + 1, 'warning', 'the padding after dimension "x" is 0x07, not zero', 'PADDING')]),
    ('padding of a variable name', build(put={'var:a:name:pad': b'\1\1\1'}),
     [('var:a:name:pad', 'warning', 'the padding after variable "a" is 0x01, not zero', 'PADDING')]),
    ('padding of an attribute', build(atts=[('q', 2, b'hi')], put={'atts:q:pad': b'\0\xff'}),
     [(lambda b: b.at['atts:q:pad'] + 1, 'warning', 'the padding after the values of attribute "q" is 0xFF, not zero',
       'PADDING')]),
    ('vsize too small', build(put={'var:a:vsize': 6}),
     [('var:a:vsize', 'warning', 'vsize of variable "a" is 6, its shape says 8', 'VSIZE')]),
    ('vsize of the one record variable, unpadded', build(vars=[R], numrecs=4, put={'var:r:vsize': 3}),
     [('var:r:vsize', 'warning', 'vsize of variable "r" is 3, its shape says 4', 'VSIZE')]),
    ('vsize of a large variable, CDF-5 knows no 2^32-1', build(
        5, dims=[('x', 2 ** 32)], put={'var:a:vsize': 2 ** 32 - 1}, data=False),
     [('var:a:vsize', 'warning', 'vsize of variable "a" is 4294967295, its shape says 8589934592', 'VSIZE'),
      ('size', 'warning', 'the file ends before the data of 1 fixed-size variables, the first "a" (up to '
       '%d): never written, or truncated' % (2 ** 33 + 128), 'MISSING')]),
    ('a name that is not UTF-8', build(dims=[('x', 3)], vars=[(b'\xffa', 3, ['x'], [])]),
     [(44, 'warning', 'the name of variable "\\xFFa" is not legal: a name of 2 bytes is not UTF-8', 'NAME')]),
    ('a name that is not NFC', build(atts=[('e\u0301', 4, [1])]),
     [('atts:e\u0301:namelen', 'warning', 'the name of attribute "e\u0301" is not in NFC', 'NAME')]),
    ('a name with a slash', build(dims=[('a/b', 3)], vars=[]),
     [('dim:a/b:namelen', 'warning', 'the name of dimension "a/b" is not legal: character 1 of a name, 0x2F, is not '
       'allowed', 'NAME')]),
    ('a name with a control character', build(dims=[('a\x1b', 3)], vars=[]),
     [('dim:a\x1b:namelen', 'warning', 'the name of dimension "a\\x1B" is not legal: character 1 of a name, 0x1B, is '
       'not allowed', 'NAME')]),
    ('a trailing space', build(dims=[('a ', 3)], vars=[]),
     [('dim:a :namelen', 'warning', 'the name of dimension "a " is not legal: the name "a " ends with a space',
       'NAME')]),
    ('a bad first character', build(dims=[('-a', 3)], vars=[]),
     [('dim:-a:namelen', 'warning', 'the name of dimension "-a" is not legal: the first character of a name, 0x2D, is '
       'no letter, digit or \'_\'', 'NAME')]),
    ('_FillValue of another type', build(vars=[('a', 3, ['x'], [('_FillValue', 4, [1])])]),
     [('var:a:atts:_FillValue:namelen', 'warning', '_FillValue of variable "a" has type int, the variable short',
       'FILL')]),
    ('_FillValue of two values', build(vars=[('a', 3, ['x'], [('_FillValue', 3, [1, 2])])]),
     [('var:a:atts:_FillValue:namelen', 'warning', '_FillValue of variable "a" has 2 values, not 1', 'FILL')]),
    ('STREAMING', build(vars=[R, S], numrecs=3, put={'numrecs': 2 ** 32 - 1}),
     [(4, 'warning', 'numrecs is STREAMING; the size of the file says 3 records', 'STREAMING')]),
    ('STREAMING in CDF-5', build(5, vars=[R, S], numrecs=3, put={'numrecs': 2 ** 64 - 1}),
     [(4, 'warning', 'numrecs is STREAMING; the size of the file says 3 records', 'STREAMING')]),
    ('numrecs without record variables', build(put={'numrecs': 9}),
     [(4, 'note', 'numrecs is 9, but no variable has records', 'NO_RECORDS')]),
    ('begin is no multiple of 4', build(put={'var:a:begin': 94}),
     [('var:a:begin', 'warning', 'variable "a" begins at 94, which is no multiple of 4', 'ALIGNMENT'),
      (92, 'note', '2 unused bytes after the header', 'GAP')]),
    ('gaps', build(vars=[A, ('b', 4, [], []), R], align=512, numrecs=1, put={'var:b:begin': 524, 'var:r:begin': 540},
                   tail=bytes(16)),
     [('header', 'note', '348 unused bytes after the header', 'GAP'),
      (520, 'note', '4 unused bytes after variable "a"', 'GAP'),
      (528, 'note', '12 unused bytes after variable "b"', 'GAP')]),
    ('no data at all, as after enddef', build(vars=[A, R], data=False),
     [('size', 'warning', 'the file ends before the data of 1 fixed-size variables, the first "a" (up to 138): '
       'never written, or truncated', 'MISSING')]),
    ('the last record is short', build(vars=[R, S], numrecs=2, put={'numrecs': 3}, tail=b'abc'),
     [('size', 'warning', 'the file ends within the last record, which would end at 156: never written, or '
       'truncated', 'MISSING')]),
    ('bytes after the data', build(tail=b'garbage'),
     [('end', 'warning', '7 bytes after the data', 'TRAILING')]),
    ('records that numrecs does not count', build(vars=[R, S], numrecs=3, put={'numrecs': 1}),
     [(lambda b: b.begin_rec + 8, 'warning', '16 bytes after the data, room for 2 records more than numrecs says',
       'TRAILING')]),
    ('empty lists with tags', build(dims=[], vars=[], put={'dims:tag': 10, 'atts:tag': 12, 'vars:tag': 11}),
     [('dims:tag', 'note', 'the empty list of dimensions has a tag', 'EMPTY_TAG'),
      ('atts:tag', 'note', 'the empty list of attributes has a tag', 'EMPTY_TAG'),
      ('vars:tag', 'note', 'the empty list of variables has a tag', 'EMPTY_TAG')]),
    ('an empty name', build(dims=[('', 3)], vars=[]),
     [('dim::namelen', 'warning', 'a name is empty', 'EMPTY_NAME'),
      ('dim::namelen', 'warning', 'the name of dimension "" is not legal: a name is empty', 'NAME')]),
    ('one dimension name twice', build(put={'dim:x:name': b't'}),
     [('dim:x:namelen', 'warning', 'a second dimension has the name "t"', 'DIM_TWICE')]),
    ('one attribute name twice', build(atts=[('p', 4, [1]), ('q', 4, [2])], put={'atts:q:name': b'p'}),
     [('atts:q:namelen', 'warning', 'a second attribute of the list has the name "p"', 'ATT_TWICE')]),
    ('one variable name twice', build(vars=[A, ('b', 3, ['x'], [])], put={'var:b:name': b'a'}),
     [('var:b:namelen', 'warning', 'a second variable has the name "a"', 'VAR_TWICE')]),
    ('data, but no variable', build(vars=[], tail=b'data'),
     [('header', 'warning', '4 bytes after the header, but no variable', 'TRAILING')]),
]

# Good for reading, refused for writing: as above, and the code that a file opened for writing gets.
FOR_READING = [
    ('zero byte in a name', build(dims=[('x\0y', 3)], vars=[]),
     [(lambda b: b.at['dim:x\0y:name'] + 1, 'warning', 'a name of 3 bytes ends at a NUL at 1',
       'NUL_IN_NAME NC_EBADNAME')]),
    ('a tag on an empty list', build(put={'atts:tag': 11}),
     [('atts:tag', 'warning', 'the list of attributes is empty, but its tag is 0xB, not 0 or 0xC',
       'ABSENT NC_ENOTNC')]),
    ('variables in another order', build(vars=[A, ('b', 3, ['x'], [])], put={'var:a:begin': 136, 'var:b:begin': 128}),
     [('var:b:begin', 'warning', 'variable "b" begins at 128, but the fixed variables before it end at 142',
       'VAR_ORDER NC_ENOTNC')]),
    ('records before fixed variables', build(vars=[R, A], numrecs=1, put={'var:r:begin': 132, 'var:a:begin': 136}),
     [('var:r:begin', 'warning', 'the record section begins at 132, but the fixed section ends at 142',
       'SECTION_ORDER NC_ENOTNC')]),
]

# Refused: what, the file, field or offset, sentence, rule and code.
REFUSED = [
    ('magic', build(put={'magic': b'HDF'}), 0, 'the file does not begin with CDF', 'MAGIC NC_ENOTNC'),
    ('version', build(put={'version': 3}), 3, 'version byte 3 is not 1, 2 or 5', 'VERSION NC_ENOTNC'),
    ('negative numrecs', build(put={'numrecs': 2 ** 31}), 4, 'numrecs 2147483648 is more than 2147483647',
     'NUMRECS NC_ENOTNC'),
    ('wrong tag', build(put={'dims:tag': 12}), 'dims:tag', 'the list of dimensions has the tag 0xC, not 0xA',
     'TAG NC_ENOTNC'),
    ('too many dimensions', build(put={'dims:nelems': 1000}), 'dims:nelems',
     '1000 dimensions of at least 8 bytes, but 84 bytes are left', 'LONG_LIST NC_ENOTNC'),
    ('long name', build(put={'dim:x:namelen': 257}), 'dim:x:namelen', 'name length 257 exceeds NC_MAX_NAME (256)',
     'LONG_NAME NC_EMAXNAME'),
    ('negative dimension', build(put={'dim:x:length': 2 ** 32 - 1}), 'dim:x:length',
     'dimension "x": length 4294967295 exceeds 4294967292', 'DIM_LENGTH NC_EDIMSIZE'),
    ('two record dimensions', build(put={'dim:x:length': 0}), 'dim:x:length',
     'dimension "x" is a second one of length 0', 'TWO_UNLIMITED NC_EUNLIMIT'),
    ('dimension id', build(put={'var:a:dimid:0': 2}), 'var:a:dimid:0',
     'variable "a": dimension id 2, but there are 2 dimensions', 'DIMID NC_EBADDIM'),
    ('record dimension not first', build(vars=[('a', 3, ['x', 't'], [])]), 'var:a:dimid:1',
     'variable "a": the unlimited dimension stands at 1, not first', 'UNLIMITED_POSITION NC_EUNLIMPOS'),
    ('type of a variable', build(put={'var:a:type': 12}), 'var:a:type', 'variable "a": type 12 is none of CDF-1',
     'VAR_TYPE NC_EBADTYPE'),
    ('begin beyond CDF-1', build(put={'var:a:begin': 2 ** 31}), 'var:a:begin',
     'variable "a": begin 2147483648 is no offset of CDF-1', 'BEGIN_RANGE NC_ENOTNC'),
    ('type of an attribute', build(atts=[('q', 12, [1])]), 'atts:q:type', 'attribute "q": type 12 is none of CDF-1',
     'ATT_TYPE NC_EBADTYPE'),
    ('a type of CDF-5', build(atts=[('q', 7, [1])]), 'atts:q:type', 'attribute "q": type NC_UBYTE is none of CDF-1',
     'LATER_TYPE NC_EBADTYPE'),
    ('begin inside the header', build(put={'var:a:begin': 8}), 'var:a:begin',
     'the first fixed variable begins at 8, inside the header of 92 bytes', 'BEGIN_IN_HEADER NC_ENOTNC'),
        ('2^31 dimensions', build(5, put={'dims:nelems': 2 ** 31}), 'dims:nelems', None, 'MANY_DIMS NC_EMAXDIMS'),
    ('2^31 attributes', build(5, atts=[('q', 4, [1])], put={'atts:nelems': 2 ** 31}), 'atts:nelems', None,
     'MANY_ATTS NC_EMAXATTS'),
    ('2^31 variables', build(5, put={'vars:nelems': 2 ** 31}), 'vars:nelems', None, 'MANY_VARS NC_EMAXVARS'),
    ('long attribute', build(5, atts=[('q', 6, [1])], put={'atts:q:nelems': 2 ** 61}), 'atts:q:nelems', None,
     'LONG_ATT NC_ENOTNC'),
    ('2^31 dimensions of a variable', build(5, put={'var:a:ndims': 2 ** 31}), 'var:a:ndims', None,
     'MANY_DIMIDS NC_EMAXDIMS'),
    ('more dimensions than bytes', build(5, put={'var:a:ndims': 1000}), 'var:a:ndims', None,
     'LONG_DIMIDS NC_ENOTNC'),
    ('size beyond 63 bits', build(5, dims=[('x', MAX)], vars=[('a', 6, ['x'], [])], data=False), 'var:a:namelen', None,
     'VAR_SIZE NC_EVARSIZE'),
    ('end beyond 63 bits', build(5, put={'var:a:begin': MAX - 3}), 'var:a:begin', None, 'VAR_END NC_ENOTNC'),
    ('a large variable before the last', build(
        2, dims=[('x', BIG)], vars=[('a', 6, ['x'], []), ('b', 4, [], [])], data=False), 'header', None,
     'SIZES NC_EVARSIZE'),
    ('a record longer than the record size', build(vars=[R, S], put={'var:s:begin': 400}), 'var:r:begin', None,
     'RECORD_OVERLAP NC_ENOTNC'),
    ('records beyond 63 bits', build(5, vars=[R, S], put={'numrecs': MAX}), 4, None, 'RECORDS_END NC_EVARSIZE'),
]


class Check(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def write(self, data, name='f.nc'):
        path = os.path.join(self.dir.name, name)
        with open(path, 'wb') as f:
            f.write(data)
        return path

    def run_tool(self, *args, verbose=True):
        args = ('-v', *args) if verbose else args
        p = subprocess.run([PARCDF, 'check', *args], capture_output=True, timeout=30)
        return p.returncode, p.stdout.decode('utf-8'), p.stderr.decode('utf-8')

    def place(self, b, where):
        if callable(where):
            return where(b)
        special = {'size': len(b.bytes), 'header': b.header_size, 'end': b.end}
        return where if isinstance(where, int) else special[where] if where in special else b.at[where]

    def test_good(self):
        for version in (1, 2, 5):
            for b in (Build(version), build(version), build(version, vars=[A, R], numrecs=3),
                      build(version, vars=[A, R, S], numrecs=2, atts=[('q', 2, b'hi')]),
                      build(version, dims=[('\u00e9 x', 3)], vars=[('name with space', 1, ['\u00e9 x'], [])])):
                path = self.write(b.bytes)
                natts = b'\0\0\0\x0c' in b.bytes
                want = '%s: good: CDF-%d, dimensions %d, variables %d, global attributes %d, records %d; errors 0, ' \
                    'warnings 0, notes 0\n' % (path, version, len(b.dims), len(b.vars), natts, b.numrecs)
                self.assertEqual(self.run_tool(path), (0, want, ''))

    def test_tolerated(self):
        for what, b, findings in TOLERATED + FOR_READING:
            with self.subTest(what):
                path = self.write(b.bytes)
                status, out, err = self.run_tool(path)
                want = ['%s: offset %d: %s: %s [%s]' % (path, self.place(b, where), severity, sentence, rule)
                        for where, severity, sentence, rule in findings]
                lines = out.splitlines()
                self.assertEqual(lines[:-1], want)
                self.assertIn(': good: CDF-%d, ' % b.version, lines[-1])
                self.assertTrue(lines[-1].endswith('; errors 0, warnings %d, notes %d' % tuple(
                    sum(f[1] == s for f in findings) for s in ('warning', 'note'))), lines[-1])
                self.assertEqual((status, err), (0, ''))

    def test_refused(self):
        for what, b, where, sentence, rule in REFUSED:
            with self.subTest(what):
                path = self.write(b.bytes)
                status, out, err = self.run_tool(path)
                lead = '%s: offset %d: error: ' % (path, self.place(b, where))
                if sentence is None:  # the words are decode's, and its tests have them
                    sentence = out[len(lead):out.find(' [')]
                self.assertEqual(out, '%s%s [%s]\n%s: bad: errors 1, warnings 0, notes 0\n' % (
                    lead, sentence, rule, path))
                self.assertEqual((status, err), (1, ''))

    def test_overlaps(self):
        """Out of order, which reading forgives, and in each other's way, which it does not."""
        for what, b, where in (
                ('two variables', build(vars=[A, ('b', 3, ['x'], [])], put={'var:b:begin': 130}), 'header'),
                ('records', build(vars=[A, R], numrecs=1, put={'var:r:begin': 136}), 'var:r:begin')):
            with self.subTest(what):
                status, out, err = self.run_tool(self.write(b.bytes))
                lines = out.splitlines()
                self.assertIn('_ORDER NC_ENOTNC]', lines[0])
                self.assertIn('offset %d: error: ' % self.place(b, where), lines[1])
                self.assertTrue(lines[1].endswith(' [OVERLAP NC_ENOTNC]'), lines[1])
                self.assertTrue(lines[2].endswith(': bad: errors 1, warnings 1, notes 0'), lines[2])
                self.assertEqual((status, err, len(lines)), (1, '', 3))

    def test_lost_records(self):
        b = build(vars=[R, S], numrecs=2, put={'numrecs': 1000000000})
        path = self.write(b.bytes)
        status, out, err = self.run_tool(path)
        self.assertEqual(out.splitlines()[0], '%s: offset 4: error: numrecs is 1000000000, but the file ends at %d and '
                         'holds 2 whole records [LOST]' % (path, len(b.bytes)))
        self.assertTrue(out.splitlines()[1].endswith('; errors 1, warnings 0, notes 0'))
        self.assertEqual((status, err), (1, ''))

    def test_every_cut_of_the_header_is_bad(self):
        for version in (1, 2, 5):
            b = build(version, vars=[A, R], atts=[('q', 2, b'hi')])
            paths = [self.write(b.bytes[:n], '%d.nc' % n) for n in range(b.header_size)]
            status, out, _ = self.run_tool(*paths)
            self.assertEqual((status, out.count(': bad: errors 1, ')), (1, len(paths)))
            self.assertEqual(out.count('but the file ends at %d [TRUNCATED NC_ENOTNC]' % 5), 1)

    def test_a_header_larger_than_the_first_chunk(self):
        b = build(vars=[A], atts=[('long', 2, b'x' * 300000), ('odd', 2, b'y')], put={'atts:odd:pad': b'\0\0\1'})
        path = self.write(b.bytes)
        status, out, _ = self.run_tool(path)
        self.assertEqual(status, 0)
        self.assertIn('offset %d: warning: the padding after the values of attribute "odd"' % (b.at['atts:odd:pad'] + 2),
                      out)
        self.assertEqual(self.run_tool('-q', self.write(b.bytes[:200000]))[0], 1)

    def test_large_variables(self):
        """2^32-1 in vsize is right above 2^32-4, and holes of sparse files are no matter."""
        b = build(2, dims=[('x', BIG)], vars=[('a', 4, ['x'], [])], data=False)
        path = self.write(b.bytes)
        os.truncate(path, b.header_size + 4 * BIG)
        status, out, _ = self.run_tool(path)
        self.assertEqual((status, out.splitlines()[0].split(': ', 2)[1]), (0, 'good'))
        b = build(5, dims=[('t', 0), ('x', 2 ** 40)], vars=[('a', 4, ['t', 'x'], [])], data=False,
                  put={'numrecs': MAX})
        self.assertEqual(self.run_tool('-q', self.write(b.bytes))[0], 1)

    def test_statuses_of_several_files(self):
        good, bad = self.write(build().bytes, 'good.nc'), self.write(b'CDF', 'bad.nc')
        none = os.path.join(self.dir.name, 'none.nc')
        self.assertEqual(self.run_tool('-q', good, good), (0, '', ''))
        self.assertEqual(self.run_tool('-q', good, bad, good), (1, '', ''))
        status, out, err = self.run_tool(none, bad, good)
        self.assertEqual((status, err), (2, 'parcdf: %s: No such file or directory\n' % none))
        self.assertEqual([line.split(': ')[1] for line in out.splitlines()], ['offset 0', 'bad', 'good'])
        self.assertEqual(self.run_tool(self.dir.name)[::2], (2, 'parcdf: %s: this is a folder, not a file\n' % self.dir.name))
        pipe = os.path.join(self.dir.name, 'pipe')
        os.mkfifo(pipe)
        self.assertEqual(self.run_tool(pipe)[0], 2)
        self.assertEqual(self.run_tool(self.write(b'', 'empty.nc'))[0], 1)

    def test_notes_with_verbose_only(self):
        b = build(vars=[A], align=512)
        path = self.write(b.bytes)
        status, out, err = self.run_tool(path, verbose=False)
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(len(out.splitlines()), 1)
        self.assertTrue(out.endswith('; errors 0, warnings 0, notes 1\n'), out)
        self.assertIn('[GAP]\n', self.run_tool(path)[1])
        os.truncate(path, len(b.bytes) - 4)
        lines = self.run_tool('--max', '0', path, verbose=False)[1].splitlines()
        self.assertEqual(lines[0], path + ': 1 more findings not shown')

    def test_max(self):
        b = build(dims=[('d%d' % i, 3) for i in range(20)], vars=[], put={
            'dim:d%d:name:pad' % i: b'\1' * (4 - len('d%d' % i)) for i in range(20)})
        path = self.write(b.bytes)
        out = self.run_tool('--max', '5', path)[1].splitlines()
        self.assertEqual((len(out), out[5]), (7, '%s: 15 more findings not shown' % path))
        self.assertEqual(len(self.run_tool(path)[1].splitlines()), 21)
        self.assertEqual(len(self.run_tool(path, '--max', '0')[1].splitlines()), 2)

    def test_usage(self):
        for args in ((), ('-q',), ('-z', 'f'), ('--max',), ('--max', 'x', 'f'), ('--max', '-1', 'f')):
            status, out, err = self.run_tool(*args)
            self.assertEqual((status, out), (2, ''))
            self.assertIn('usage: parcdf check [-qv] [--max N] [--data] [--fix-padding] FILE...', err)
        os.chdir(self.dir.name)
        self.write(build().bytes, '-q')
        self.assertEqual(self.run_tool('--', '-q')[0], 0)

    def test_the_program(self):
        run = lambda *a: subprocess.run([PARCDF, *a], capture_output=True, text=True)
        self.assertRegex(run('--version').stdout, r'^parcdf \S+\n$')
        for args in (('help',), ('--help',), ('help', 'check'), ('help', 'offsets')):
            p = run(*args)
            self.assertEqual((p.returncode, p.stderr, 'usage: parcdf' in p.stdout), (0, '', True))
        for args in ((), ('none',), ('help', 'none')):
            p = run(*args)
            self.assertEqual((p.returncode, p.stdout), (2, ''))
        path = self.write(build().bytes)
        with open('/dev/full', 'w') as full:
            p = subprocess.run([PARCDF, 'check', path], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(p.returncode, 2)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
