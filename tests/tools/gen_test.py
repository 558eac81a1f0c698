#!/usr/bin/env python3
"""Fixes that `parcdf gen` makes the files that ncgen makes, byte for byte, of all kinds; that what dump prints of
the corpus comes back the same; where errors are said to be; options, exit statuses, memory; that its C programs make
the file; and the options of ncgen and ncmpigen under their names.
usage: gen_test.py PARCDF [MPICC INCLUDES LIBRARY]      without a compiler no C programs"""
import os, re, shutil, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import corpus, runner

PARCDF, COMPILER, IS_SANITIZED = None, [], False
DIMS = 'netcdf a { dimensions: t = unlimited; n = 3; m = 2; c = 4; '

# What ncgen makes files of: declarations, data. It crashes on more, and wraps numbers that do not fit.
CASES = [
    ('int v(t)', 'v=1,2,3;'), ('int v(t); int w(t,n)', 'v=1,2,3;w=1,2,3,4;'),
    ('char s(n,c)', 's="ab","abcd","x";'), ('char s(n,c)', 's="ab","x";'), ('char s(n,c)', 's="abcdefghij";'),
    ('char s(n,c)', 's="abcd","efg","";'), ('char s(n,c)', 's="","efg","";'), ('char s(n,c)', 's="abcdefgh","x";'),
    ('char s(n,c)', "s=\"x\",'a','b';"), ('char s(n,c)', "s=\"abcd\",'a','b','c','d','e';"),
    ('char s(m,n,c)', 's="a","b","c","d","e";'), ('char r(t,c)', 'r="abc","de";'), ('char one(n)', 'one="a","b";'),
    ('char sc', 'sc="q";'), ('char q(n,c)', "q='a','b','c','d','e';"), ('char t(t)', 't="a","b","cde";'),
    ('char t(t)', "t='a','b','c';"), ('char s(t,n)', "s='a','b','c','d','e';"), ('char v(n)', 'v="a",_;'),
    ('char v(n)', 'v=65b,66b;'), ('char s(n,c); s:_FillValue="x"', 's="ab","c";'), ('char x(n)', 'x="a\\nb";'),
    ('float v(n)', 'v=NaN,NaNf,nan;'), ('float v(n)', 'v=Infinity,-Infinity,Infinityf;'),
    ('double v(n)', 'v=.5,5.,1e3;'), ('double v(n)', 'v=1e-400,-0.,010;'), ('float v(n)', 'v=0.1,0.1f,16777217;'),
    ('int v(n)', 'v=1.7,-1.7,5.9f;'), ('int v(n)', "v='a',010,0x10;"), ('int v(n)', 'v=1b,2s,3l;'),
    ('int v(n)', 'v=_,_,3;'), ('byte v(n)', 'v=0x80,0xff,255b;'), ('int v', 'v=1;'), ('int v', ''), ('byte v', ''),
    ('int v(n); v:_FillValue=7', 'v=1;'), ('short v(n); v:_FillValue=7s', 'v=1;'), ('int v(n); int w(n)', 'w=1;v=2;'),
    ('short s(t); byte i(t); char x(t,n)', 's=1,2,3; x="ab";'), ('short s(t)', 's=1,2,3;'), ('byte s(t,n)', 's=1,2,3,4;'),
    ('byte v(n); short s(n); char d(n)', 'v=1,2; d="a";'), ('byte v(t,n); byte w(t)', 'w=1,2,3;'),
    ('byte v(t,n); byte w(t); short z(n)', 'w=1,2,3;v=3;'), ('int v(n); int w(n); int r(t,n); int q(t)', 'v=1;r=5,6;'),
    ('int v(n)', 'v=1;v=2,3;'), ('int v(n); byte z(t)', ''), ('byte b(t,n)', ''), ('byte b(n); byte d(t)', 'd=1;'),
    ('byte b(n); byte d(t)', 'b=1;'), ('float f; f:x=1.5f, 2; f:y=1, 2.5; f:z="a","b"; :g=1b, 200', 'f=1;'),
    ('float f; f:e=""; :e="",""', 'f=1;'),
]

# Where an error is said to be: text, place, sentence, what is shown of the line, and how many columns before the caret.
FAULTS = [
    ('dimensions:\n\tn = 3 ;\nvariables:\n\tint v(n) ;\ndata:\n v = 1, 2, 3, 4 ;\n}', '7:15',
     'v has room for 3 values, this is one more', ' v = 1, 2, 3, 4 ;', 14),
    ('variables: byte v;\ndata:\n v = 300 ;\n}', '4:6', '300 does not fit in byte', ' v = 300 ;', 5),
    ('variables: int v;\ndata:\n é = 1, x = 2;\n}', '4:2', 'the variable é is not declared', ' é = 1, x = 2;', 1),
    ('variables: int v;\ndata:\n /* ü */ v = "a";\n}', '4:2', "'/' has no meaning here", ' /* ü */ v = "a";', 1),
    ('variables: char ü(n);\ndata: }', '2:20', 'the dimension n of variable ü is not declared', 'variables: char ü(n);', 18),
    ('variables: int v;\ndata:\n v = "a\\tb";\n}', '4:6', 'a string stands among numbers', ' v = "a\\tb";', 5),
    ('variables: int v;\ndata:\n v = {1};\n}', '4:6', 'braces group the values of user-defined types, which are not of the classic '
     'model; values of arrays follow each other without', ' v = {1};', 5),
    ('variables: int v;\ndata:\n v = NIL;\n}', '4:6', 'NIL is a value of type string, which is not of the classic model',
     ' v = NIL;', 5),
    ('variables: int v;\ndata:\n v = 1\n}', '5:1', "'}' stands where ',' or ';' after a value should be", '}', 0),
    ('variables: int v;\ndata:\n v = 1, ;\n}', '4:9', "';' stands where a value should be", ' v = 1, ;', 8),
    ('variables: char v;\ndata:\n v = "abc ;\n}', '4:6', 'the string that begins here has no closing quote', ' v = "abc ;', 5),
    ('variables: int v;\ndata:\n v = 1;\n} more', '5:3', '"more" stands where the end of the text should be', '} more', 2),
    ('variables: int v;\ndata:\n v = 0x;\n}', '4:6', 'no digit follows 0x', ' v = 0x;', 5),
    ('variables: int v;\ndata:\n v = 1zz;\n}', '4:6', 'the number 1 has the unknown suffix zz', ' v = 1zz;', 5),
    ('variables: int v;\ndata:\n v = NaN;\n}', '4:6', 'the value is not an integer of 64 bits', ' v = NaN;', 5),
    ('variables: float v;\ndata:\n v = 1e39;\n}', '4:6', 'the value is too large for float', ' v = 1e39;', 5),
    ('variables: uint64 v;\ndata:\n v = -1;\n}', '4:6', '-1 does not fit in uint64', ' v = -1;', 5),
    ('variables: char v;\ndata:\n v = 65;\n}', '4:6', 'a number stands among text', ' v = 65;', 5),
    ('variables: char v;\ndata:\n v = "ab";\n}', '4:6', 'v has room for 1 values, this is one more', ' v = "ab";', 5),
    ('variables: int v;\ndata:\n v 1;\n}', '4:4', "a number stands where '=' and the values of the variable should be",
     ' v 1;', 3),
    ('variables: int v;\ndata:\n v = 1;', '4:8', "the text ends where the name of a variable or '}' should be", ' v = 1;', 7),
    ('dimensions: n = 3', '2:18', "the text ends where ',' or ';' after a dimension should be", 'dimensions: n = 3', 17),
    ('variables: int v; v:a = 1, "b";\n}', '2:25', 'a number stands among text', 'variables: int v; v:a = 1, "b";', 24),
    ('variables: int v;\ndata:\n' + ' ' * 300 + 'v = 1, x, ' + '2, ' * 100 + ';\n}', '4:308', '"x" stands where a value should be',
     None, None),
]

# What is printed is another file's text. (Of formats.nc, whose values are printed with C_format, it is no CDL at all.)
NOT_CDL = {'fill_odd_attributes.nc': 'a fill value of another type becomes one of its variable\'s type, as in ncgen'}


# CDL of these does not say all, as ncdump prints it.
NOT_ALL = {'empty_attributes.nc': 'the type of an attribute without values',
           'text_attributes.nc': 'NULs at the end of an attribute', 'times_calendars.nc': 'an empty text attribute',
           'fill_odd.nc': 'a value near the fill value is printed as one', 'fill_odd_attributes.nc': 'see above'}


KINDS = {1: 'nc3', 2: 'nc6', 5: 'nc5'}


def version_of(path):
    with open(path, 'rb') as f:
        return f.read(4)[3]


class Gen(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory(dir=runner.MEMORY) # each file is flushed
        self.addCleanup(self.dir.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.dir.name, name)
        if text is not None:
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
        return path

    def run_as(self, *args, text=None):
        p = subprocess.run(args, input=None if text is None else text.encode(), capture_output=True, timeout=60,
                           cwd=self.dir.name)
        return p.returncode, p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace')

    def gen(self, *args, **more):
        return self.run_as(PARCDF, 'gen', *args, **more)

    def bytes_of(self, name):
        with open(self.path(name), 'rb') as f:
            return f.read()

    def dump(self, name, *more):
        return subprocess.run(['ncdump', *more, '-n', 'x', self.path(name)], capture_output=True, check=True, timeout=60).stdout

    @unittest.skipUnless(shutil.which('ncgen'), 'ncgen is not installed')
    def test_equal_to_ncgen(self):
        for i, (declared, data) in enumerate(CASES):
            if IS_SANITIZED and i % 3:
                continue
            text = self.path('a.cdl', DIMS + 'variables: %s; data: %s }' % (declared, data))
            options = [['-k', '1']] + [['-x', '-k', 'nc6']] * ('(t' in declared) + [['-k', '5']] * (i % 2) + [[]] * (i % 5 == 0)
            for option in options:
                subprocess.run(['ncgen', *option, '-o', self.path('peer.nc'), text], check=True, capture_output=True)
                self.assertEqual(self.gen(*option, '-o', 'ours.nc', text), (0, '', ''), (option, declared, data))
                self.assertEqual(self.bytes_of('ours.nc'), self.bytes_of('peer.nc'), (option, declared, data))

    def test_the_corpus_and_back(self):
        """dump prints gen's file as it printed the first; with all digits diff finds nothing. (Elsewhere: dump prints what
        ncdump prints.)"""
        sources = [s for s in corpus.make(self.path('corpus'), small=True) if os.path.basename(s) != 'formats.nc']
        for i, source in enumerate(sources[::4 if IS_SANITIZED else 1]):
            name = os.path.basename(source)
            digits = [] if i % 3 == 0 else ['-p', '9,17']
            status, text, _ = self.run_as(PARCDF, 'dump', '-n', 'x', *digits, source)
            self.assertEqual(status, 0, name)
            self.path('f.cdl', text)
            self.assertEqual(self.gen('-k', KINDS[version_of(source)], '-o', 'g.nc', 'f.cdl'), (0, '', ''), name)
            if name not in NOT_CDL:
                self.assertEqual(self.run_as(PARCDF, 'dump', '-n', 'x', *digits, 'g.nc'), (0, text, ''), name)
            if digits and name not in NOT_ALL:
                self.assertEqual(self.run_as(PARCDF, 'diff', source, 'g.nc')[0], 0, name)

    def test_faults(self):
        for body, place, sentence, line, before in FAULTS:
            text = self.path('bad.cdl', 'netcdf bad {\n' + body)
            for args in (('bad.cdl',), ('-o', 'bad.nc', 'bad.cdl')):
                status, out, err = self.gen(*args)
                lines = err.split('\n')
                self.assertEqual((status, out, lines[0]), (1, '', 'parcdf: bad.cdl:%s: %s' % (place, sentence)), body)
                if line is not None:
                    self.assertEqual(lines[1], '  ' + line, body)
                if before is not None:
                    self.assertEqual(lines[2], '  ' + ' ' * before + '^', body)
                else: # a long line is shown in part, with the place in it
                    self.assertLess(len(lines[1]), 140)
                    self.assertEqual(lines[1][len(lines[2]) - 1], 'x')
            self.assertEqual(os.listdir(self.dir.name), [os.path.basename(text)], 'no part of a file is left')

    def test_a_failure_keeps_the_file_that_was_there(self):
        self.path('keep.nc', 'precious')
        self.assertEqual(self.gen('-o', 'keep.nc', text='netcdf a { variables: int v; data: v = 1, 2; }')[0], 1)
        self.assertEqual(self.bytes_of('keep.nc'), b'precious')
        text = self.path('self.cdl', 'netcdf a { variables: int v; }')
        status, _, err = self.gen('-o', 'self.cdl', text)
        self.assertEqual((status, err), (2, 'parcdf: self.cdl: the file would replace the text that it is made from: '
                                            'say -o FILE\n'))

    def test_sizes(self):
        """What cannot be made is refused before a byte of it is written."""
        for text, kind, want in (
                ('dimensions: n = 4000000000000000; variables: byte v(n);', '5', (2, 'for which there is no room here')),
                ('dimensions: n = 3000000000; variables: byte v(n);', '1', (1, 'is not in 0..2147483647 (CDF-1)')),
                ('variables: uint v;', '1', (1, 'NC_UINT needs CDF-5, the file is CDF-1')),
                ('dimensions: n = 2000000000; variables: int v(n); int w(n);', '2', (1, 'CDF-2'))):
            status, _, err = self.gen('-k', kind, '-o', 'big.nc', text='netcdf a { %s }' % text)
            self.assertEqual(status, want[0], text)
            self.assertIn(want[1], err)
            self.assertEqual(os.listdir(self.dir.name), [])

    def test_kinds_and_names(self):
        text = self.path('k.cdl', 'netcdf title { variables: int v; data: v = 1; }')
        kinds = {1: ['1', 'nc3', 'classic'], 2: ['2', '6', 'nc6', '64-bit offset', '64-bit-offset'],
                 5: ['5', 'nc5', '64-bit data', '64-bit-data', 'cdf5']}
        for version, words in kinds.items():
            for word in words:
                self.assertEqual(self.gen('-k', word, '-o', 'k.nc', text)[0], 0)
                self.assertEqual(self.bytes_of('k.nc')[:4], b'CDF' + bytes([version]), word)
        for word in ('3', '4', 'nc4', 'nc7', 'hdf5', 'zz', ''):
            self.assertEqual(self.gen('-k', word, '-o', 'k.nc', text)[0], 2, word)
        for declared, version in (('int v', 1), ('uint64 v', 5), ('int64 v', 5), ('int v; :_Format = "64-bit offset"', 2)):
            self.assertEqual(self.gen('-o', 'k.nc', text='netcdf a { variables: %s; }' % declared)[0], 0)
            self.assertEqual(self.bytes_of('k.nc')[3], version, declared)
        os.remove(self.path('k.nc'))
        self.assertEqual(self.gen('-b', text), (0, '', ''))
        self.assertEqual(self.gen('-b', text='netcdf from\\ title { }'), (0, '', ''))
        self.assertEqual(sorted(os.listdir(self.dir.name)), ['from title.nc', 'k.cdl', 'k.nc'])
        self.assertEqual(self.gen('-b', text='netcdf ../title { }')[0], 2)

    def test_wrong_arguments(self):
        for args in (['-Z'], ['--zork'], ['a', 'b'], ['-k'], ['-l', 'java', 'a'], ['nofile'], ['-o', '/nodir/x.nc', 'k.cdl']):
            self.path('k.cdl', 'netcdf k { }')
            status, out, err = self.gen(*args)
            self.assertEqual((status, out), (2, ''), args)
            self.assertTrue(err.startswith('parcdf'), err)

    def test_ncdumps_way_with_lines(self):
        """A string that ncdump broke behind a newline goes on; one that people wrote so does not."""
        self.gen('-o', 'a.nc', text='netcdf a { dimensions: n=2; c=4; variables: char s(n,c); data:\n s =\n  "a\\n",\n'
                                    '    "bc",\n  "x" ;\n}')
        self.gen('-o', 'b.nc', text='netcdf a { dimensions: n=2; c=4; variables: char s(n,c); data:\n s =\n    "a\\n",\n'
                                    '    "bc" ;\n}')
        self.gen('-o', 'c.nc', text='netcdf a { dimensions: n=2; c=4; variables: char s(n,c); data:\n s =\n  "a\\n",\n'
                                    '  "bc" ;\n}')
        self.assertEqual(self.bytes_of('c.nc')[-8:], b'a\n\0\0bc\0\0')
        self.assertEqual((self.bytes_of('a.nc')[-8:], self.bytes_of('b.nc')[-8:]), (b'a\nbcx\0\0\0', b'a\n\0\0bc\0\0'))

    def test_records_that_text_does_not_show(self):
        """NULs at the end of records of text are not printed; the comment tells how many there were."""
        self.gen('-o', 'a.nc', text='netcdf a { dimensions: t = unlimited ; // (5 currently)\n variables: char s(t); '
                                    'data: s = "ab"; }')
        self.gen('-o', 'b.nc', text='netcdf a { dimensions: t = unlimited ; // (5 currently)\n variables: int s(t); '
                                    'data: s = 1, 2; }')
        self.assertEqual((self.bytes_of('a.nc')[4:8], self.bytes_of('b.nc')[4:8]), (b'\0\0\0\5', b'\0\0\0\2'))

    def test_records_that_one_line_asks_for(self):
        """They take neither time nor the disk."""
        text = 'netcdf a { dimensions: t = unlimited ; // (%d currently)\n variables: %s data: s = "abc"; s = "d"; }'
        for n in (6 * 10**9, 2**63 - 1):
            self.assertEqual(self.gen('-k', '5', text=text % (n, 'char s(t);')), (0, '', ''))
        for declared in ('char s(t);', 'char s(t); int i(t);'):
            status, _, err = self.gen('-k', '5', '-o', 'big.nc', text=text % (2**63 - 1, declared))
            self.assertEqual((status, os.listdir(self.dir.name)), (2, []), err)
            self.assertIn('no room', err)
        self.assertEqual(self.gen('-o', 'a.nc', text=text % (10**7, 'char s(t);')), (0, '', ''))
        self.assertLess(os.stat(self.path('a.nc')).st_blocks, 1000, 'zeros are a hole')
        self.assertEqual(self.bytes_of('a.nc')[-10**7:], b'd' + bytes(10**7 - 1))
        for fill in ('', 's:_FillValue = "x";'): # padding is the fill value
            self.gen('-o', 'a.nc', text=text % (4, 'char s(t); int i(t);' + fill))
            pad = b'xxx' if fill else bytes(3)
            records = b''.join(c + pad + b'\x80\0\0\1' for c in (b'd', b'\0', b'\0', b'\0'))
            self.assertEqual(self.bytes_of('a.nc')[-32:], records, fill)

    def test_long_text_through_a_pipe(self):
        """Memory does not grow with the text, nor with one string in it, nor with what is filled."""
        n = 600000
        p = subprocess.Popen([PARCDF, 'gen', '-o', self.path('p.nc')], stdin=subprocess.PIPE)
        p.stdin.write(b'netcdf p { dimensions: t = unlimited; n = %d; variables: int v(n); double r(t); short q(t); char s(n);'
                      b' double f(n); data: v = ' % n)
        p.stdin.write(b', '.join(b'%d' % i for i in range(n)) + b';\n r = ')
        p.stdin.write(b', '.join(b'%d.5' % i for i in range(n // 2)) + b';\n q = ')
        p.stdin.write(b', '.join(b'%d' % (i % 30000) for i in range(n // 2)) + b';\n s = "' + b'abc' * (n // 3) + b'"; }')
        p.stdin.close()
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(p.returncode, 0)
        if not IS_SANITIZED:
            self.assertLess(usage.ru_maxrss, 32 * 1024)
        data = self.bytes_of('p.nc')
        begin = len(data) - 12 * (n // 2) - 8 * n - n - 4 * n
        for i in (0, 1, n // 2, n - 1):
            self.assertEqual(int.from_bytes(data[begin + 4 * i:begin + 4 * i + 4], 'big'), i)
        self.assertEqual(data[begin + 4 * n:begin + 5 * n], b'abc' * (n // 3))
        self.assertEqual(data[-12:], bytes.fromhex('41124f7e00000000') + (n // 2 - 1 - 270000).to_bytes(2, 'big') + b'\x80\x01')

    @unittest.skipUnless(len(sys.argv) > 2, 'no compiler')
    def test_c_programs(self):
        texts = [
            ('all', 'dimensions: t = unlimited; n = 3; m = 2; c = 5; variables: int i(n); double d(m,n); char s(n,c); short '
             'r(t,n); byte b(t); char rt(t,c); float f; double sc(t,m,n); int none(n); i:units = "m\\"?\\\\x\\n\\tY??)"; '
             'i:x = 1,2,3; i:f = 1.5f, NaNf, -Infinityf; :title = "%s"; :b = 1b, -128b; :d = 1e300, NaN, -0.0; '
             'i:_FillValue = 7; data: i = 1, 2; d = 1, 2, 3, 4.5, 5e-300, -6; s = "ab", "defgh"; r = 1,2,3,4,5,6,7; '
             'b = 1,2,-3; rt = "x", "yy"; f = 3.25; sc = 1,2,3,4,5,6,7,8,9,10,11,12,13;' % ('long text ' * 20), '2'),
            ('wide', 'dimensions: n = 20000; t = unlimited; variables: int v(n); uint64 u; int64 l(t); ubyte b(t, n); data: '
             'v = %s; u = 18446744073709551615; l = -9223372036854775808, 9223372036854775807;'
             % ', '.join(map(str, range(20000))), '5'),
            ('empty', '', '1')]
        for name, body, kind in texts:
            self.path('c.cdl', 'netcdf %s { %s }' % (name, body))
            self.assertEqual(self.gen('-k', kind, '-o', 'c.nc', 'c.cdl'), (0, '', ''))
            status, program, err = self.gen('-k', kind, '-c', 'c.cdl')
            self.assertEqual((status, err), (0, ''))
            self.path('c.c', program)
            mpicc, includes, library = COMPILER
            self.assertEqual(self.run_as(mpicc, '-std=c11', '-Wall', '-Wextra', '-Werror', '-I' + includes, 'c.c', '-o', 'c',
                                         library, '-lutf8proc', '-lm'), (0, '', ''))
            self.assertEqual(self.run_as(self.path('c'), 'made.nc')[0], 0)
            made, want = self.bytes_of('made.nc'), self.bytes_of('c.nc')
            self.assertEqual(len(made), len(want))
            if name == 'empty': # elsewhere the padding of records is the library's
                self.assertEqual(made, want)
            if shutil.which('ncdump'):
                self.assertEqual(self.dump('made.nc', '-p', '9,17'), self.dump('c.nc', '-p', '9,17'))

    def test_names_of_the_peers(self):
        for name in ('ncgen', 'ncmpigen'):
            os.symlink(os.path.realpath(PARCDF), self.path(name))
        good, bad = 'netcdf title { variables: int v; data: v = 1; }', 'netcdf title { zz'
        self.path('good.cdl', good)
        self.path('bad.cdl', bad)
        rows = [ # program, arguments, exit status, files made
            ('ncgen', ['good.cdl'], 0, []), ('ncgen', ['-b', 'good.cdl'], 0, ['good.nc']),
            ('ncgen', ['-k', 'nc5', '-o', 'x.nc', 'good.cdl'], 0, ['x.nc']), ('ncgen', ['-6', '-o', 'x.nc', 'good.cdl'], 0, ['x.nc']),
            ('ncgen', ['bad.cdl'], 1, []), ('ncgen', ['nofile'], 7, []), ('ncgen', ['-Z'], 8, []), ('ncgen', ['-h'], 0, []),
            ('ncgen', ['-k', '9', 'good.cdl'], 2, []), ('ncgen', ['good.cdl', 'bad.cdl'], 6, []),
            ('ncgen', ['-o', '/nodir/x', 'good.cdl'], 1, []), ('ncgen', ['-l', 'zz', 'good.cdl'], 1, []),
            ('ncmpigen', ['good.cdl'], 0, []), ('ncmpigen', ['-b', 'good.cdl'], 0, ['title.nc']),
            ('ncmpigen', ['-n', 'good.cdl'], 0, ['title.cdf']), ('ncmpigen', ['-v', '5', '-o', 'x.nc', 'good.cdl'], 0, ['x.nc']),
            ('ncmpigen', ['bad.cdl'], 1, []), ('ncmpigen', ['nofile'], 7, []), ('ncmpigen', ['-Z'], 8, []),
            ('ncmpigen', ['-o', '/nodir/x', 'good.cdl'], 6, []), ('ncmpigen', ['-f', 'good.cdl'], 1, []),
            ('ncmpigen', ['-v', '9', '-o', 'x.nc', 'good.cdl'], 0, ['x.nc']),
        ]
        kept = set(os.listdir(self.dir.name))
        for program, args, want, files in rows:
            status, _, err = self.run_as(self.path(program), *args)
            self.assertEqual((status, bool(err)), (want, want != 0), (program, args))
            made = set(os.listdir(self.dir.name)) - kept
            self.assertEqual(sorted(made), files, (program, args))
            for file in made:
                version = {'nc5': 5, '5': 5, '-6': 2}.get(args[1] if len(args) > 2 and args[0] in ('-k', '-v') else args[0], 1)
                self.assertEqual(self.bytes_of(file)[:4], b'CDF' + bytes([version]), args)
                os.remove(self.path(file))
        self.assertIn('int', self.run_as(self.path('ncmpigen'), '-c', 'good.cdl')[1])


if __name__ == '__main__':
    if len(sys.argv) not in (2, 5):
        sys.exit(__doc__)
    PARCDF, COMPILER = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with open(PARCDF, 'rb') as program:
        IS_SANITIZED = b'__asan_init' in program.read()
    unittest.main(argv=sys.argv[:1])
