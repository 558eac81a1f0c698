#!/usr/bin/env python3
"""Fixes what times and texts of attributes mean: each row of timerows.py, by `dump -t`; pairs of units by join, copy, reduce and
stats; names in attributes that Fortran padded or C ended with a NUL; that no command guesses what cannot be read. Judges of rows:
cftime and UDUNITS, where they are installed.
usage: times_test.py PARCDF"""
import ctypes, datetime, json, os, re, shutil, struct, subprocess, sys, tempfile, unittest, warnings
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build, LETTERS
from timerows import ENDS, NO, PAIRS, ROWS
try:
    import cftime
except ImportError:
    cftime = None

PARCDF = None
CHAR, FLOAT, DOUBLE = 2, 5, 6
CODES = {'f4': FLOAT, 'f8': DOUBLE, 'i4': 4, 'i8': 10}
DATE = re.compile(r'(-?\d+)-(\d\d)-(\d\d)(?:[ T](\d\d)(?::(\d\d)(?::([\d.]+))?)?)?$')


def text(name, value):
    return name, CHAR, value.encode('utf-8')


def run(*args, status=0):
    done = subprocess.run([PARCDF, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != status:
        raise AssertionError('%s: %d\n%s' % (' '.join(args), done.returncode, done.stderr.decode()))
    return done.stdout.decode(), done.stderr.decode()


def told(row):
    return '%s: %r, calendar %r, %s %s' % (row.rule, row.units, row.calendar, row.type, row.values)


def parts(date):
    """Year, month, day, seconds."""
    year, month, day, hour, minute, second = DATE.match(date).groups()
    return int(year), int(month), int(day), int(hour or 0) * 3600 + int(minute or 0) * 60 + float(second or 0)


def near(a, b):
    return a[:3] == b[:3] and abs(a[3] - b[3]) < 2e-6


class Udunits:
    """Seconds after 2000-01-01 of a value."""

    def __init__(self):
        self.lib = lib = ctypes.CDLL('libudunits2.so.0')
        for f in ('ut_read_xml', 'ut_parse', 'ut_get_converter'):
            getattr(lib, f).restype = ctypes.c_void_p
        lib.ut_set_error_message_handler(ctypes.cast(lib.ut_ignore, ctypes.c_void_p))
        lib.ut_parse.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        lib.ut_get_converter.argtypes = [ctypes.c_void_p] * 2
        lib.cv_convert_double.argtypes, lib.cv_convert_double.restype = [ctypes.c_void_p, ctypes.c_double], ctypes.c_double
        self.system = lib.ut_read_xml(None)
        self.zero = lib.ut_parse(self.system, b'seconds since 2000-01-01', 0)

    def seconds(self, units, value):
        unit = self.lib.ut_parse(self.system, units.encode(), 0)
        turn = unit and self.lib.ut_get_converter(unit, self.zero)
        return self.lib.cv_convert_double(turn, value) if turn else None


class Case(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, dims, variables, numrecs=0):
        """variables: (name, type, dims, atts, values); all that a record variable has."""
        b = Build(5, numrecs=numrecs, dims=dims, vars=[v[:4] for v in variables])
        raw, records = bytearray(b.bytes), [d for d, n in dims if n == 0]
        starts = [b.begin[v[0]] for v in variables]
        size = sum((len(v[4]) // numrecs * 8 + 7) // 8 * 8 for v in variables if v[2] and v[2][0] in records) if numrecs else 0
        for v, at in zip(variables, starts):
            values, each = list(v[4]), len(v[4]) // numrecs if v[2] and v[2][0] in records else len(v[4])
            for i in range(0, len(values), each or 1):
                bytes_ = struct.pack('>%d%s' % (each, LETTERS[v[1]]), *values[i:i + each])
                place = at + i // each * size
                raw[place:place + len(bytes_)] = bytes_
        with open(self.path(name), 'wb') as f:
            f.write(raw)
        return self.path(name)

    def series(self, name, units, calendar='', first=0, bounds=None, end='', more=()):
        """Two records of doubles: time, tb where it has bounds, x."""
        atts = [text('units', units)] + ([text('calendar', calendar)] if calendar else [])
        dims = [('time', 0), ('nv', 2)]
        variables = [('time', DOUBLE, ['time'], atts + ([text('bounds', 'tb' + end)] if bounds else []), [first, first + 1])]
        if bounds:
            variables.append(('tb', DOUBLE, ['time', 'nv'], [], bounds))
        variables.append(('x', DOUBLE, ['time'], [text('units', 'K' + end), *more], [1, 2]))
        return self.write(name, dims, variables, 2)

    def numbers(self, path, name):
        out = json.loads(run('dump', '--json', '-v', name, path)[0])['variables'][name]['data']
        return [v for row in out for v in (row if isinstance(row, list) else [row])]

    def attribute(self, path, variable, name):
        return json.loads(run('dump', '--json', '-h', path)[0])['variables'][variable]['attributes'][name]['value']


class Rows(Case):
    def test_dates(self):
        """All rows in one file, by one dump."""
        dims = [('n%d' % n, n) for n in sorted({len(r.values) for r in ROWS})]
        path = self.write('rows.nc', dims, [
            ('v%d' % i, CODES[r.type], ['n%d' % len(r.values)], [text('units', r.units), text('calendar', r.calendar)], r.values)
            for i, r in enumerate(ROWS)])
        out, err = run('dump', '-t', path)
        found = dict(re.findall(r'^ v(\d+) =\s(.*?) ;$', out, re.M | re.S))
        why = dict(re.findall(r'times of v(\d+) are printed as numbers: (.*)$', err, re.M))
        wrong = []
        for i, r in enumerate(ROWS):
            printed, want = found[str(i)].split(','), r.dates
            dates = [p.strip(' \n"') if '"' in p else None for p in printed]
            refused = not re.match(r'-?\d+-\d\d', want[0])
            if refused and not any(dates) and want[0] in why.get(str(i), ''):
                continue
            if refused or dates != want:
                wrong.append('%s\n   is %s %s\n   not %s' % (told(r), dates, why.get(str(i), ''), want))
        self.assertEqual('\n'.join(wrong), '')

    def judge(self, letter, dates_of):
        """dates_of(row, its values): a list of (year, month, day, second), or None where it refuses."""
        wrong = []
        for r in (r for r in ROWS if letter in r.judges):
            form = LETTERS[CODES[r.type]]
            found = dates_of(r, [struct.unpack(form, struct.pack(form, v))[0] for v in r.values])
            want = [parts(d) for d in r.dates] if DATE.match(r.dates[0]) else None
            if (found is None) != (want is None) or (want and not all(near(a, b) for a, b in zip(found, want))):
                wrong.append('%s\n   is %s\n   not %s' % (told(r), found, want))
        self.assertEqual('\n'.join(wrong), '')

    @unittest.skipUnless(cftime, 'cftime is not installed')
    def test_cftime(self):
        def dates_of(row, values):
            try:
                dates = [cftime.num2date(v, row.units, row.calendar) for v in values]
            except Exception:
                return None
            return [(d.year, d.month, d.day, d.hour * 3600 + d.minute * 60 + d.second + d.microsecond / 1e6) for d in dates]

        warnings.simplefilter('ignore')
        self.judge('c', dates_of)

    def test_udunits(self):
        def dates_of(row, values):
            found = []
            for seconds in (udunits.seconds(row.units, v) for v in values):
                if seconds is None:
                    return None
                day, second = divmod(seconds, 86400)
                if second > 86400 - 2e-7:
                    day, second = day + 1, 0.0
                date = datetime.date(2000, 1, 1) + datetime.timedelta(day)  # rows that name it are Gregorian
                found.append((date.year, date.month, date.day, second))
            return found

        try:
            udunits = Udunits()
        except OSError:
            self.skipTest('UDUNITS is not installed')
        self.judge('u', dates_of)


class Pairs(Case):
    def test_pairs(self):
        for n, (units, calendar, others, other, how) in enumerate(PAIRS):
            with self.subTest(a=(units, calendar), b=(others, other)):
                a, b, out = self.series('a.nc', units, calendar, -2), self.series('b.nc', others, other, 0), self.path('out.nc')
                is_same, is_no = how == 'same', how is NO
                status = run('join', '-O', a, b, out, status=2 if is_no else 0)
                if not is_no:
                    first = 0 if is_same else how
                    time = json.loads(run('dump', '--json', '-v', 'time', out)[0])['variables']['time']
                    self.assertAlmostEqual(time['data'][2], first, 9)
                    self.assertEqual(time['attributes']['units']['value'].rstrip('\0'), units.rstrip('\0'))
                else:
                    self.assertRegex(status[1], 'variable time|time:')
                commands = [['copy', '-O', a, b, out], ['reduce', '-O', 'mean', 'time', a, b, out], ['stats', a, b], ['info', a, b]]
                for command in commands if n % 4 == 0 else [commands[n % 4]]:
                    run(*command, status=0 if is_same else 2)


class Texts(Case):
    def test_names_in_attributes(self):
        """bounds, units, calendar, coordinates, grid_mapping, cell_methods."""
        out = self.path('out.nc')
        for end in ENDS[:2] + ENDS[3:8:2]:
            with self.subTest(end=end):
                a = self.series('a.nc', 'days since 2001-01-01', bounds=[0, 1, 1, 2], end=end)
                b = self.series('b.nc', 'days since 2001-01-03', bounds=[0, 1, 1, 2])
                run('join', '-O', a, b, out)
                self.assertEqual((self.numbers(out, 'time'), self.numbers(out, 'tb')), ([0, 1, 2, 3], [0, 1, 1, 2, 2, 3, 3, 4]))
                run('reduce', '-O', '--each', 'month', 'mean', 'time', a, out)
                self.assertEqual(self.numbers(out, 'tb'), [0, 2])
                c = self.write('c.nc', [('x', 2)], [
                    ('v', DOUBLE, ['x'], [text('coordinates', 'lat lon' + end), text('grid_mapping', 'crs' + end), text('cell_methods', 'area: mean' + end)], [1, 3]),
                    ('lat', DOUBLE, ['x'], [], [1, 2]), ('lon', DOUBLE, ['x'], [], [1, 2]), ('crs', 4, [], [], [0]), ('no', 4, [], [], [0])])
                run('copy', '-O', '-v', 'v', c, out)
                self.assertEqual(sorted(json.loads(run('dump', '--json', '-h', out)[0])['variables']), ['crs', 'lat', 'lon', 'v'])
                run('reduce', '-O', 'mean', 'x', c, out)
                self.assertEqual(self.attribute(out, 'v', 'cell_methods'), 'area: mean x: mean')

    def test_bounds_have_the_units_of_their_variable(self):
        """CF 7.1: also the calendar, where they have units alone."""
        path = self.write('b.nc', [('t', 1), ('nv', 2)], [
            ('t', DOUBLE, ['t'], [text('units', 'days since 2004-02-28'), text('calendar', 'noleap'), text('bounds', 'tb')], [1]),
            ('tb', DOUBLE, ['t', 'nv'], [text('units', 'days since 2004-02-28')], [0, 1]), ('tc', DOUBLE, ['t', 'nv'], [], [0, 1])])
        out = run('dump', '-t', path)[0]
        self.assertRegex(out, r'tb =\s+"2004-02-28", "2004-03-01"')
        self.assertRegex(out, r'tc =\s+0, 1')


class Refused(Case):
    def test_no_command_guesses(self):
        for n, (units, calendar, why) in enumerate((('days since haywire', '', "the reference date 'haywire' cannot be read"),
                                     ('days since 2000-02-30', '', 'the calendar standard has no day 2000-02-30'),
                                     ('days since 2000-01-01', 'martian', 'no dates are known of the calendar martian'),
                                     ('days since 2000-01-01', 'utc', 'leap seconds are not counted here'))):
            a, out = self.series('a.nc', units, calendar), self.path('out.nc')
            commands = [['reduce', '-O', '--each', 'year', 'mean', 'time', a, out], ['copy', '-O', '--select', 'time=2000-01', a, out],
                        ['reduce', '-O', '--by', 'month', 'mean', 'time', a, out], ['copy', '-O', '--select', 'time=2000', a, out],
                        ['copy', '-O', '--select', 'time=2000-01:2000-02', a, out]]
            for command in commands if n == 0 else commands[:2]:
                self.assertIn(why, run(*command, status=2)[1])
            self.assertIn(why, run('info', a)[0])
            if n:
                continue
            self.assertIn(why, json.loads(run('info', '--json', a)[0])['dimensions'][0]['no_dates'])
            run('copy', '-O', '--select', 'time=0:0.5', a, out)  # numbers need no date
            self.assertEqual(self.numbers(out, 'time'), [0])
            run('reduce', '-O', 'mean', 'time', a, out)
            self.assertRegex(run('watch', '--once', a)[0], r'record 0  0 days since haywire\n')

    def test_a_calendar_of_its_own(self):
        """CF: month_lengths defines one; it is not the standard one, then."""
        path = self.write('m.nc', [('t', 1)], [('t', DOUBLE, ['t'], [text('units', 'days since 2000-01-01'), ('month_lengths', 4, [34] * 12)], [1])])
        out, err = run('dump', '-t', path)
        self.assertIn(' t = 1 ;', out)
        self.assertIn('no dates are known', err)

    def test_units_of_hours_of_floats_select(self):
        """The instants that dump prints are those that reduce and copy --select take."""
        path, out = self.path('f.nc'), self.path('out.nc')
        self.write('f.nc', [('t', 48)], [('t', FLOAT, ['t'], [text('units', 'days since 1950-01-01')], [18262 + h / 24 for h in range(48)]),
                                         ('x', DOUBLE, ['t'], [], list(range(48)))])
        run('reduce', '-O', '--each', 'day', 'mean', 't', path, out)
        self.assertEqual(self.numbers(out, 'x'), [11.5, 35.5])
        run('reduce', '-O', '--by', 'hour', 'count', 't', path, out)
        self.assertEqual(self.numbers(out, 'x'), [2] * 24)
        for hour in (0, 1, 2, 23):
            run('copy', '-O', '--select', 't=2000-01-02T%02d' % hour, path, out)
            self.assertEqual(self.numbers(out, 'x'), [24 + hour])


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
