#!/usr/bin/env python3
"""Fixes that `parcdf dump` prints what ncdump 4.9.0 prints, byte for byte, on the whole corpus with all options; that its JSON
has every value exactly; that slices are Python's; that a short file, a hostile format and wrong arguments end as they
should; and that memory stays small on a large file.
usage: dump_test.py PARCDF"""
import concurrent.futures, json, math, os, random, re, shutil, struct, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import corpus
from cdfbuild import Build, LETTERS, SIZES
from corpus import BYTE, CHAR, DOUBLE, FLOAT, INT, INT64, SHORT, UINT64

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2
SETS = [['-h', '-n', '1'], ['-c', '-i'], ['-b', 'f', '-p', '9,17'], ['-b', 'c', '-l', '30'], ['-f', 'c', '-t'], ['-p', '3', '-l', '60'],
        ['-k'], ['-t', '-n', 'x y'], ['-p', '1,20', '-l', '200'], ['-b', 'c', '-t']]
UNITS = ['days', 'hours', 'seconds', 'minutes', 'weeks', 'Hours', 's', 'mn', 'hr', 'dy', 'wk']
YEARS = [0, 1, 4, 100, 1582, 1583, 1600, 1850, 1970, 1979, 2000, 2024, 9999]
CALENDARS = ['standard', 'gregorian', 'proleptic_gregorian', 'noleap', 'all_leap', '360_day', 'julian']
# Here ncdump leaves out time zones, cuts fractions of months, or guesses (doc/dump.md): tests/tools/times_test.py has these
OTHER_DATES = ['times_units.nc', 'times_calendars.nc']
# `_` is a _FillValue of another type, as for ncgen and all of ours; ncdump takes the default for it (tests/tools/meaning_test.py has these)
OTHER_FILLS = ['fill_odd_attributes.nc']
DATE = re.compile(rb'"(-?\d+-\d\d-\d\d)(?:[ T](\d\d)(?::(\d\d)(?::([\d.]+))?)?)?"')
TURNS = 1  # of the option sets for each file, beside none
# ncdump 4.9.0 takes CDF-5 for netCDF-4 there, and fails
SPECIAL = ['empty_1.nc', 'types_1.nc', 'types_2.nc', 'empty_5.nc', 'records_4.nc']


def ncdump_is_ours():
    if not shutil.which('ncdump'):
        return False
    return b'netcdf library version 4.9.0' in subprocess.run(['ncdump'], capture_output=True).stderr


def sanitized():
    with open(PARCDF, 'rb') as f:
        return b'__asan_init' in f.read()


def dump(*args, **more):
    p = subprocess.run([PARCDF, 'dump', *args], capture_output=True, timeout=60, **more)
    return p.returncode, p.stdout, p.stderr


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def write(self, b, name='f.nc'):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as f:
            f.write(b.bytes if isinstance(b, Build) else b)
        return path

    def corpus(self, **dataset):
        c = corpus.Corpus(self.folder, False)
        c.add('made', 5, **dataset)
        return c.paths[0]


@unittest.skipUnless(ncdump_is_ours(), 'ncdump 4.9.0 is not installed')
class AsNcdump(Case):
    def same(self, task):
        path, options = task
        theirs = subprocess.run(['ncdump', *options, path], capture_output=True, timeout=60)
        ours = dump(*options, path)
        return (theirs.returncode, theirs.stdout) == ours[:2]

    def near(self, task):
        """As same, but seconds of dates are off by roundings of ncdump, which counts hours in doubles."""
        theirs = subprocess.run(['ncdump', *task[1], task[0]], capture_output=True, timeout=60).stdout
        ours = dump(*task[1], task[0])[1]
        if re.sub(rb'\s+', b' ', DATE.sub(b'', theirs)) != re.sub(rb'\s+', b' ', DATE.sub(b'', ours)):
            return False
        pairs = zip(DATE.findall(theirs), DATE.findall(ours))
        return all(self.is_near(a, b) for a, b in pairs)

    @staticmethod
    def is_near(a, b):
        x, y = (int(t[1] or 0) * 3600 + int(t[2] or 0) * 60 + float(t[3] or 0) for t in (a, b))
        at_midnight = abs(x - y) > 86399.99
        is_gap = (a[0], b[0]) == (b'1582-10-05', b'1582-10-15')  # one day, by two names
        return abs(x - y) < 0.01 and (a[0] == b[0] or is_gap) or at_midnight and a[0] != b[0]

    def check(self, tasks):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for task, same in zip(tasks, pool.map(self.same, tasks)):
                self.assertTrue(same, 'another output: %s' % (task,))

    def test_corpus(self):
        tasks = []
        for n, path in enumerate(corpus.make(self.folder)):
            if os.path.basename(path) in OTHER_FILLS:
                continue
            large = os.path.getsize(path) > corpus.SMALL
            turns = [['-b', 'f']] if large else [SETS[(n * TURNS + i) % len(SETS)] for i in range(TURNS)]
            turns = [] if large and sanitized() else turns
            has_other = os.path.basename(path) in OTHER_DATES
            turns = [[o for o in options if o != '-t' or not has_other] for options in turns]
            tasks += [(path, options) for options in [[]] + turns]
        self.check(tasks)

    def test_random_dates(self):
        r, rows = random.Random(5), []
        for i in range(60):
            calendar, year = r.choice(CALENDARS), r.choice(YEARS)
            units = '%s since %04d-%02d-%02d' % (r.choice(UNITS), year, r.randint(1, 12), r.randint(15, 28))
            units += r.choice(['', '', ' %02d:%02d:%02d' % (r.randint(0, 23), r.randint(0, 59), r.randint(0, 59)),
                               ' %d:%d:%f' % (r.randint(0, 23), r.randint(0, 59), r.random() * 59), 'T%02d:30:00Z' % r.randint(0, 23)])
            reach = r.choice([10, 1000, 1e5, 3e5])
            values = [r.choice([r.randint(-int(reach), int(reach)), r.uniform(-reach, reach), r.randint(-1000, 1000) / 8]) for _ in range(40)]
            if calendar in ('standard', 'gregorian', 'julian'):  # without dates before year 0: ncdump prints some
                values = [v if v > -51 * year else abs(v) for v in values]
            rows.append(('t%d' % i, DOUBLE, ['x'], [('units', CHAR, units.encode()),
                                                    ('calendar', CHAR, calendar.encode())], values))
        path = self.corpus(dims=[('x', 40)], vars=rows)
        for options in (['-t'], ['-i', '-b', 'c']):
            self.assertTrue(self.near((path, options)), options)

    def test_specials(self):
        paths = {os.path.basename(p): p for p in corpus.make(self.folder, small=True)}
        self.check([(paths[name], ['-s', '-h']) for name in SPECIAL])

    def test_two_gib(self):
        """Rows of text, most of them empty, so that little is printed of much."""
        if sanitized():
            self.skipTest('takes long')
        b = Build(2, dims=[('rows', 32768), ('n', 65536)], vars=[('v', CHAR, ['rows', 'n'], [])], data=False)
        path = self.write(b.bytes, 'two.nc')
        with open(path, 'r+b') as f:
            f.truncate(b.header_size + 2 ** 31)
            for row in (0, 1, 999, 32767):
                f.seek(b.header_size + row * 65536 + row % 7)
                f.write(b'row %d' % row)
        self.check([(path, [])])

    def test_choosing(self):
        path = self.corpus(dims=[('x', 3), ('t', 0)], numrecs=2, vars=[(n, INT, d, []) for n, d in (
            ('x', ['x']), ('a', ['t', 'x']), ('b', []), ('t', ['t']))])
        self.check([(path, o) for o in (['-v', 'a'], ['-v', 'b,a'], ['-v', 'a', '-v', 'x'], ['-c', '-v', 'a'],
                                        ['-c', '-v', 'a,x'], ['-h', '-v', 'b'])])

    def test_formats(self):
        kinds = [('d', b'%d'), ('u', b'%5u'), ('x', b'%x'), ('ld', b'%ld'), ('nul', b'%-4d\0'), ('percent', b'%%%d%%')]
        reals = [('f', b'%8.3f'), ('lf', b'%lf'), ('g', b'%+g'), ('E', b'%.3E')]
        rows = [(n, t, f) for t in (BYTE, SHORT, INT, corpus.UBYTE, corpus.UINT, INT64) for n, f in kinds
                if (n, t) != ('ld', BYTE)]
        rows += [(n, t, f) for t in (FLOAT, DOUBLE) for n, f in reals]
        path = self.corpus(dims=[('x', 4)], vars=[
            ('%s_%d' % (n, t), t, ['x'], [('C_format', CHAR, f)],
             [math.nan, corpus.FILLS[t], 1, -math.inf] if t in (FLOAT, DOUBLE) else [corpus.FILLS[t], 1, 2, 77]) for n, t, f in rows])
        self.check([(path, []), (path, ['-p', '4']), (path, ['-p', '4,5'])])


class Aliases(Case):
    """The program under the names of others: their options, output and exit statuses."""
    NCMPIDUMP = [('types_2', []), ('records_5', []), ('records_4', ['-f', 'c', '-v', 'a,b']), ('names_plain', []), ('fill_odd', []), ('text_shapes', []),
                 ('extremes_int64', ['-b', 'f']), ('extremes_float', ['-p', '9,17']), ('file with spaces', []), ('coordinates', ['-c']),
                 ('lines_wide', ['-l', '60']), ('gaps', ['-k']), ('types_5', ['-V']), ('fill_own_5', ['-l', '10']), ('empty_2', [])]

    def run_as(self, name, *args, ours=True):
        if ours and not os.path.exists(os.path.join(self.folder, name)):
            os.symlink(PARCDF, os.path.join(self.folder, name))
        p = subprocess.run([os.path.join(self.folder, name) if ours else name, *args], capture_output=True, timeout=60)
        return p.returncode, p.stdout, p.stderr

    def compare(self, name, *args):
        theirs, ours = self.run_as(name, *args, ours=False), self.run_as(name, *args)
        self.assertEqual(theirs[:2], ours[:2], (name, args))
        self.assertEqual(bool(theirs[2]), bool(ours[2]), (name, args))

    def files(self):
        good = self.corpus(dims=[('x', 3)], vars=[('v', INT, ['x'], []), ('w', INT, ['x'], [])])
        short = self.write(Build(1, dims=[('x', 4)], vars=[('v', 4, ['x'], [])]).bytes[:-6], 'short.nc')
        return good, short, self.write(b'no such file', 'no.nc')

    @unittest.skipUnless(ncdump_is_ours(), 'ncdump 4.9.0 is not installed')
    def test_as_ncdump(self):
        good, short, bad = self.files()
        for args in ((), (good,), (good, good), ('-z', good), ('-v', 'none', good), ('-v', 'w,v', good), ('-l', '5', good), ('-p', '99', good),
                     ('-d', '3', good), ('-w', '-F', good), ('-b', 'q', good), (bad,), ('/nowhere',), ('-v',), ('-tvw', good)):
            self.compare('ncdump', *args)
        self.assertEqual(self.run_as('ncdump', short)[:2], self.run_as('ncdump', short, ours=False)[:2])
        self.assertEqual(self.run_as('ncdump', '-x', good)[:2], (1, b''))

    @unittest.skipUnless(shutil.which('ncmpidump'), 'ncmpidump is not installed')
    def test_as_ncmpidump(self):
        good, short, bad = self.files()
        for args in ((), ('-h',), (good, good), ('-t', good), ('-v', 'none,w', good), ('-l', '5', good), ('-p', '9,99', good), (bad,)):
            self.compare('ncmpidump', *args)
        self.assertEqual(self.run_as('ncmpidump', short)[:2], self.run_as('ncmpidump', short, ours=False)[:2])
        paths = {os.path.basename(p)[:-3]: p for p in corpus.make(self.folder, small=True)}
        for name, options in self.NCMPIDUMP:
            self.compare('ncmpidump', *options, paths[name])

    def test_where_ncmpidump_is_not_followed(self):
        """doc/differences.md: what it prints there is no CDL, another number, or harms a terminal."""
        path = self.corpus(dims=[('x', 2)], atts=[('a', CHAR, b'\x1b[2J'), ('q', INT64, [2 ** 63 - 1])], vars=[
            ('c', CHAR, ['x'], []), ('i', INT, ['x'], [('C_format', CHAR, b'%03d')]), ('s', INT, [], [])])
        out = self.run_as('ncmpidump', path)[1]
        self.assertIn(b':a = "\\033[2J" ;', out)
        self.assertIn(b':q = 9223372036854775807LL ;', out)
        self.assertIn(b'\n i = 001, 002 ;\n', out)
        out = self.run_as('ncmpidump', '-f', 'c', path)[1]
        self.assertIn(b'\n c = "ab";  // c(1)\n', out)
        self.assertIn(b'\n s = 1;  // s(0)\n', out)


class Json(Case):
    def test_names_that_are_not_utf8(self):
        """As keys they would not stay apart, and their bytes would be lost: no JSON, one sentence that names the first."""
        dims, two = [('x', 2)], [(b'a\xff', 4, ['x'], []), (b'a\xfe', 4, ['x'], [])]
        for what, said in ((dict(dims=dims, vars=two), b'a\\xFF'), (dict(dims=[(b'\xe9', 2)]), b'\\xE9'),
                           (dict(atts=[(b'\xc3', 4, [1])]), b'\\xC3'),
                           (dict(dims=dims, vars=[('v', 4, ['x'], [(b'b\xe9', 4, [1])])]), b'b\\xE9')):
            path = self.write(Build(1, **what).bytes)
            status, out, err = dump('--json', path)
            self.assertEqual((status, out, err.count(b'\n')), (BAD, b'', 1), what)
            self.assertIn(said, err)
            self.assertEqual(dump('-h', path)[0], GOOD)
        self.assertEqual(list(self.decoded(self.write(Build(1, dims=[('\u00e9', 2)]).bytes))['dimensions']), ['\u00e9'])

    def decoded(self, path, *args):
        status, out, err = dump('--json', *args, path)
        self.assertEqual((status, err), (GOOD, b''))
        return json.loads(out)

    def test_values_are_exact(self):
        for t in corpus.NAMES:
            if t == CHAR:
                continue
            values = corpus.extremes(t)
            path = self.corpus(dims=[('n', len(values))], vars=[('v', t, ['n'], [('a', t, values)], values)])
            v = self.decoded(path)['variables']['v']
            want = struct.pack('>%d%s' % (len(values), LETTERS[t]), *values)
            for got in (v['data'], v['attributes']['a']['value']):
                numbers = [float(x) if isinstance(x, str) else x for x in got]
                self.assertEqual(struct.pack('>%d%s' % (len(values), LETTERS[t]), *numbers), want)
            self.assertEqual((v['type'], v['attributes']['a']['type'], v['shape']), (corpus.NAMES[t],) * 2 + ([len(values)],))

    def test_whole_object(self):
        path = self.corpus(dims=[('t', 0), ('x', 2)], numrecs=2, atts=[('title', CHAR, b'two\nlines'), ('raw', CHAR, b'\xff\0')],
                           vars=[('v', SHORT, ['t', 'x'], []), ('s', DOUBLE, [], [], [0.1]),
                                 ('text', CHAR, ['t', 'x'], [], b'ab\xc3('), ('one', CHAR, [], [], b'z')])
        self.assertEqual(self.decoded(path, '-n', 'it'), {
            'name': 'it', 'format': 'CDF-5',
            'dimensions': {'t': {'length': 2, 'unlimited': True}, 'x': {'length': 2, 'unlimited': False}},
            'attributes': {'title': {'type': 'char', 'value': 'two\nlines'}, 'raw': {'type': 'char', 'value': [255, 0]}},
            'variables': {
                'v': {'type': 'short', 'dimensions': ['t', 'x'], 'shape': [2, 2], 'attributes': {}, 'data': [[1, 2], [3, 4]]},
                's': {'type': 'double', 'dimensions': [], 'shape': [], 'attributes': {}, 'data': 0.1},
                'text': {'type': 'char', 'dimensions': ['t', 'x'], 'shape': [2, 2], 'attributes': {}, 'data': ['ab', [195, 40]]},
                'one': {'type': 'char', 'dimensions': [], 'shape': [], 'attributes': {}, 'data': 'z'}}})

    def test_corpus_parses(self):
        for path in corpus.make(self.folder, small=True):
            d = self.decoded(path)
            self.assertEqual(set(d), {'name', 'format', 'dimensions', 'attributes', 'variables'})
            for v in d['variables'].values():
                self.assertIn('data', v)
                self.assertEqual(v['shape'], [d['dimensions'][x]['length'] for x in v['dimensions']])

    def test_header_alone(self):
        path = self.corpus(dims=[('x', 2)], vars=[('v', INT, ['x'], []), ('w', INT, ['x'], [])])
        for args, have in ((['-h'], []), (['-v', 'w'], ['w']), (['-v', 'w(1)'], ['w'])):
            variables = self.decoded(path, *args)['variables']
            self.assertEqual([n for n in variables if 'data' in variables[n]], have)
        self.assertEqual(variables['w']['slice'], {'start': [1], 'count': [1], 'stride': [1]})

    def test_large_text_is_numbers(self):
        path = self.corpus(dims=[('n', 70000)], vars=[('s', CHAR, ['n'], [], b'abc')])
        self.assertEqual(self.decoded(path)['variables']['s']['data'], list((b'abc' * 23334)[:70000]))

    @unittest.skipUnless(shutil.which('jq'), 'jq is not installed')
    def test_jq(self):
        path = self.corpus(dims=[('n', 3)], vars=[('v', INT, ['n'], [])])
        out = subprocess.run(['jq', '-c', '.variables.v.data'], input=dump('--json', path)[1], capture_output=True).stdout
        self.assertEqual(out, b'[1,2,3]\n')


class Slices(Case):
    SHAPE = (4, 3, 5)
    RANGES = [':', '1', '-1', '1:3', '-2:', ':-1', '::2', '1::2', '2:2', '3:1', '-9:9', '0:99:3']

    def file(self):
        return self.corpus(dims=[('t', 0), ('y', 3), ('x', 5)], numrecs=4, vars=[
            ('T', INT, ['t', 'y', 'x'], [], list(range(60))), ('a,b', INT, ['x'], []), ('a(b)', INT, ['x'], []), ('s', INT, [], [])])

    def python(self, ranges):
        def pick(text, length):
            if ':' not in text:
                return [range(length)[int(text)]]
            return list(range(length))[slice(*[int(x) if x else None for x in text.split(':')])]
        t, y, x = (pick(r, n) for r, n in zip(ranges + [':'] * 3, self.SHAPE))
        return [[[(i * 3 + j) * 5 + k for k in x] for j in y] for i in t] if t and y and x else []

    def test_as_python(self):
        path = self.file()
        cases = [[r] for r in self.RANGES] + [[':', r] for r in self.RANGES[:6]] + [[self.RANGES[i * 5 % 12], ':', r]
                                                                                  for i, r in enumerate(self.RANGES)]
        for ranges in cases:
            status, out, _ = dump('--json', '-v', 'T(%s)' % ','.join(ranges), path)
            self.assertEqual(status, GOOD)
            self.assertEqual(json.loads(out)['variables']['T']['data'], self.python(ranges), ranges)

    def test_far_apart(self):
        values = list(range(200000))
        path = self.corpus(dims=[('n', 200000)], vars=[('v', INT, ['n'], [], values)])
        for step in (2, 3, 4095, 4096, 5000, 9999, 70000):
            out = dump('--json', '-v', 'v(5::%d)' % step, path)[1]
            self.assertEqual(json.loads(out)['variables']['v']['data'], values[5::step])

    def test_as_text(self):
        path = self.file()
        self.assertEqual(dump('-v', 'T(-1,1:,::2)', '-b', 'c', path)[1].partition(b'data:\n')[2], (
            b'\n T =\n  // T(3,1, 0-4)\n    50, 52, 54,\n  // T(3,2, 0-4)\n    55, 57, 59 ;\n}\n'))
        self.assertEqual(dump('-v', 's,a\\,b(1),a(b),T(0,0,0)', path)[1].partition(b'data:\n')[2], (
            b'\n T =\n  0 ;\n\n a\\,b = 2 ;\n\n a\\(b\\) = 1, 2, 3, 4, 5 ;\n\n s = 1 ;\n}\n'))

    def test_wrong_ones(self):
        path = self.file()
        for text, place, words in (('T(4)', 3, 'index 4 of a dimension of length 4'), ('T(-5)', 3, 'index -5'),
                                   ('T(0,0,0,0)', 9, 'fewer dimensions'), ('T(::0)', 5, 'step'), ('T(::-1)', 5, 'step'),
                                   ('T(a)', 3, 'an index or a range'), ('T(1', 4, "')'"), ('T(1)x', 5, 'nothing should follow'),
                                   ('s(0)', 3, 'fewer dimensions'), ('T(99999999999999999999)', 3, '63 bits'), ('T()', 3, 'an index')):
            status, out, err = dump('-v', text, path)
            self.assertEqual((status, out), (UNUSABLE, b''), text)
            self.assertIn('%s: character %d: ' % (text, place), err.decode())
            self.assertIn(words, err.decode())
        for text in ('none', 'none(1)', '', 'T,'):
            status, out, err = dump('-v', text, path)
            self.assertEqual((status, out), (UNUSABLE, b''), text)
            self.assertIn(b'no variable', err)


class Limits(Case):
    def test_short_file(self):
        b = Build(1, dims=[('x', 4)], vars=[('v', 4, ['x'], [])])
        path = self.write(b.bytes[:-6])
        status, out, err = dump(path)
        self.assertEqual(status, BAD)
        self.assertTrue(out.endswith(b', 0 ;\n}\n'), out)
        self.assertIn(b'values of v that lie behind it are taken as zero', err)

    def test_formats_that_harm(self):
        for text in (b'%s', b'%n', b'%d%n', b'%f %f', b'%*d', b'%1000d', b'%.999f', b'%', b'%5', b'%1$d', b'%hhn', b'x' * 100 + b'%d'):
            path = self.corpus(dims=[('x', 2)], vars=[('i', INT, ['x'], [('C_format', CHAR, text)]),
                                                     ('d', DOUBLE, ['x'], [('C_format', CHAR, text)])])
            status, out, err = dump(path)
            self.assertEqual((status, err), (GOOD, b''))
            self.assertIn(b' i = 1, 2 ;\n\n d = -7, -5.5 ;\n', out)

    def test_times_that_are_far(self):
        path = self.corpus(dims=[('x', 5)], vars=[('t', DOUBLE, ['x'], [('units', CHAR, b'days since 2000-1-1')],
                                                   [1e18, -1e18, 1e300, math.nan, math.inf])])
        self.assertIn(b' t = 1e+18, -1e+18, 1e+300, NaN, Infinity ;', dump('-t', path)[1])

    def test_arguments(self):
        path = self.corpus(dims=[('x', 2)], vars=[('v', INT, ['x'], [])])
        for args in ((), (path, path), ('-z', path), ('-l', '9', path), ('-l', 'x', path), ('-p', '0', path), ('-p', '7,21', path),
                     ('-p', 'x', path), ('-b', 'q', path), ('--jsn', path), ('/nowhere',), ('--json', '-v', 'v,v(0)', path)):
            status, out, err = dump(*args)
            self.assertEqual((status, out), (UNUSABLE, b''), args)
            self.assertTrue(err, args)
        self.assertEqual(dump(self.write(b'no such file'))[:2], (BAD, b''))

    def test_colours(self):
        path = self.corpus(dims=[('x', 2)], vars=[('v', INT, ['x'], [])])
        plain = dump(path)[1]
        if not shutil.which('script'):
            self.skipTest('script is not installed')
        environment = {**os.environ, 'TERM': 'xterm'}
        environment.pop('NO_COLOR', None)
        for more, want in (({}, True), ({'NO_COLOR': '1'}, False)):
            out = subprocess.run(['script', '-qec', "'%s' dump '%s'" % (PARCDF, path), '/dev/null'], capture_output=True,
                                 stdin=subprocess.DEVNULL, env={**environment, **more}, timeout=60).stdout
            self.assertEqual(b'\x1b[' in out, want)
            if not want:
                self.assertEqual(out.replace(b'\r\n', b'\n'), plain)

    def test_large_file_in_small_memory(self):
        n = 2 ** 30
        b = Build(5, dims=[('n', n)], vars=[('v', 4, ['n'], [])], data=False)
        path = self.write(b.bytes, 'large.nc')
        with open(path, 'r+b') as f:
            f.truncate(b.header_size + 4 * n)
            f.seek(b.header_size + 4 * (n - 1))
            f.write(b'\0\0\0\7')
        self.assertEqual(dump('-v', 'v(-2:)', path)[1].partition(b'data:\n')[2], b'\n v = 0, 7 ;\n}\n')
        for options in ([], ['--json']):
            p = subprocess.Popen([PARCDF, 'dump', *options, path], stdout=subprocess.PIPE)
            self.assertEqual(len(p.stdout.read(5_000_000)), 5_000_000)
            with open('/proc/%d/status' % p.pid) as f:
                peak = next(int(line.split()[1]) for line in f if line.startswith('VmHWM'))
            p.stdout.close()
            p.wait()
            if not sanitized():
                self.assertLess(peak, 64 * 1024, 'KiB')


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
