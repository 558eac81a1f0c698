#!/usr/bin/env python3
"""Fixes what `parcdf info` tells: what the file holds, word by word, with its units, dates and ranges; its facts against the
file's own fields, computed here, and `parcdf offsets`; each piece of advice once where it belongs and once where it does
not; the picture's width, its strips to scale, its one screen; hostile headers; exit statuses.
usage: info_test.py PARCDF"""
import json, os, re, struct, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build, SIZES, padded

PARCDF = None
MIB = 1 << 20


class Info(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.path = os.path.join(self.dir.name, 'f.nc')

    def tool(self, *args, **env):
        p = subprocess.run([PARCDF, *args], capture_output=True, text=True, timeout=30,
                           env={**os.environ, 'LC_ALL': 'C', **env})
        return p.returncode, p.stdout, p.stderr

    def write(self, size=None, **fields):
        """A file of which the data is a hole, whole unless `size` tells otherwise."""
        b = Build(fields.pop('version', 5), data=False, **fields)
        with open(self.path, 'wb') as f:
            f.write(b.bytes)
        os.truncate(self.path, b.end if size is None else max(size, len(b.bytes)) if size >= 0 else b.end + size)
        return b

    def json(self):
        status, out, err = self.tool('info', '--json', self.path)
        self.assertEqual((status, err), (0, ''))
        return json.loads(out)

    def rules(self, **fields):
        self.write(**fields)
        got = self.json()['advice']
        for a in got:
            self.assertTrue(a['reason'].endswith('.') and a['action'].endswith('.'), a)
        return [a['rule'] for a in got]

    # -- what the file holds

    def sea(self, **more):
        """A file as models write them, with values: a packed variable, a hole, a calendar."""
        def said(units, *others):
            return [('units', 2, units), *others]
        surface = ['time', 'lat', 'lon']
        b = Build(5, numrecs=3, dims=[('time', 0), ('lev', 3), ('lat', 4), ('lon', 6), ('nv', 2)],
                  atts=[('title', 2, b'Daily means of the North Sea'), ('Conventions', 2, b'CF-1.10'),
                        ('institution', 2, b'Institute of the Sea\nand others')],
                  vars=[('time', 6, ['time'], said(b'days since 2000-01-01', ('calendar', 2, b'noleap'))),
                        ('lat', 5, ['lat'], said(b'degrees_north')), ('lon', 5, ['lon'], said(b'degrees_east')),
                        ('temp', 5, ['time', 'lev', 'lat', 'lon'], said(b'K', ('valid_range', 5, [180, 330]))),
                        ('pr', 3, surface, said(b'kg m-2 s-1', ('scale_factor', 5, [0.5]), ('actual_range', 5, [0, 12.5]))),
                        ('area', 6, ['lat', 'lon'], said(b'm2', ('valid_min', 6, [-1]), ('valid_max', 6, [50])))], **more)
        data = bytearray(b.bytes)
        def put(name, letter, values, record=0):
            raw = struct.pack('>%d%s' % (len(values), letter), *values)
            at = b.begin[name] + record * b.recsize
            data[at:at + len(raw)] = raw
        put('lat', 'f', [-30, -10, 10, 30])
        put('lon', 'f', range(0, 360, 60))
        put('area', 'd', [float('nan'), float('inf'), *range(22)])
        for t in range(3):
            put('time', 'd', [30.25 * t], t)
            put('temp', 'f', [200 + i + t for i in range(71)] + [9.969209968386869e36], t)
            put('pr', 'h', [-32767, *range(23)], t)
        with open(self.path, 'wb') as f:
            f.write(data)
        return b

    CONTENTS = """\
f.nc: Daily means of the North Sea
  Conventions CF-1.10
  institution Institute of the Sea
5 dimensions
  time 3 (unlimited)  2000-01-01 to 2000-03-02 12:00, calendar noleap
  lat  4              -30 to 30 degrees_north
  lon  6              0 to 300 degrees_east
  lev 3, nv 2
"""
    TABLE = """\
6 variables       dimensions       units          values                 size
a temp     float  time,lev,lat,lon K              valid 180 to 330  864 bytes
b area     double lat,lon          m2             valid -1 to 50    192 bytes
c pr       short  time,lat,lon     kg m-2 s-1     0 to 12.5         144 bytes
d lon      float  lon              degrees_east                      24 bytes
e time     double time             days since 20~                    24 bytes
f lat      float  lat              degrees_north                     16 bytes
"""
    RANGES = """\
6 variables       dimensions       units          values           size
a temp     float  time,lev,lat,lon K              200 to 272  864 bytes
b area     double lat,lon          m2             0 to 21     192 bytes
c pr       short  time,lat,lon     kg m-2 s-1     0 to 11     144 bytes
d lon      float  lon              degrees_east   0 to 300     24 bytes
e time     double time             days since 20~ 0 to 60.5    24 bytes
f lat      float  lat              degrees_north  -30 to 30    16 bytes
  1.2 KiB were read; fill values and NaN do not count
"""
    STORAGE = """
stored as CDF-5, 2.4 KiB: header of 1.2 KiB, 3 records of 344 bytes
|HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHdbbbbbbRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR|
 H header 1.2 KiB  b and others, fixed-size 232 bytes  R records 1.0 KiB
one record of 344 bytes
|eeaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaccccccccccc|
"""

    def test_contents(self):
        self.sea()
        for args, table in (((), self.TABLE), (('-r',), self.RANGES), (('--ranges',), self.RANGES)):
            self.assertEqual(self.tool('info', *args, self.path), (0, self.CONTENTS + table + self.STORAGE, ''))
        out = self.tool('info', '-v', self.path)[1]
        self.assertTrue(out.startswith(self.CONTENTS + self.TABLE + self.STORAGE), out)
        self.assertIn('\nvariable   begins at byte       size   share\na temp               1428  864 bytes  68.4 % #####', out)
        self.assertIn('aligned to fixed-size 4 bytes, records 4 bytes, length 8 bytes; block ', out)

    def test_contents_json(self):
        self.sea()
        got = self.json()
        self.assertEqual([got.get(k) for k in ('title', 'Conventions', 'institution', 'source')],
                         ['Daily means of the North Sea', 'CF-1.10', 'Institute of the Sea', None])
        self.assertEqual([{k: d[k] for k in d if k not in ('length', 'is_record')} for d in got['dimensions'][:3]], [
            {'name': 'time', 'first': 0, 'last': 60.5, 'first_date': '2000-01-01', 'last_date': '2000-03-02 12:00'},
            {'name': 'lev'}, {'name': 'lat', 'first': -30, 'last': 30}])
        values = [v.get('values') for v in got['variables']]
        self.assertEqual(values[3:], [{'least': 180, 'greatest': 330, 'source': 'valid_range'},
                                      {'least': 0, 'greatest': 12.5, 'source': 'actual_range'},
                                      {'least': -1, 'greatest': 50, 'source': 'valid_range'}])
        read = json.loads(self.tool('info', '--json', '-r', self.path)[1])['variables']
        self.assertEqual(read[4]['values'], {'least': 0, 'greatest': 11, 'source': 'data'})
        self.assertEqual(read[4]['units'], 'kg m-2 s-1')

    def test_description(self):
        self.write(dims=[('x', 3)], vars=[('t', 5, ['x'], [('standard_name', 2, b'air_temperature')]),
                                          ('p', 6, ['x'], [('long_name', 2, b'pressure at sea level'), ('units', 2, b'Pa')])])
        self.assertIn('2 variables       dimensions units       size description\n'
                      'a p        double x          Pa      24 bytes pressure at sea level\n'
                      'b t        float  x                  12 bytes air_temperature\n', self.tool('info', self.path)[1])

    def test_missing_data(self):
        """Of a file that ends too early no coordinate is shown, and -r says that values are missing."""
        b = self.sea()
        os.truncate(self.path, b.end - 100)
        status, out, err = self.tool('info', self.path)
        self.assertEqual((status, err), (0, ''))
        self.assertIn('\n  time 3 (unlimited)\n  lat  4\n', out)
        status, out, err = self.tool('info', '-r', self.path)
        self.assertEqual(status, 1)
        self.assertIn('values of temp that lie behind it are taken as zero', err)

    def test_notes_with_verbose_only(self):
        b = self.write(dims=[('x', 3)], vars=[('a', 6, ['x'], [])])
        os.truncate(self.path, b.end + 40)
        self.assertTrue(self.tool('info', self.path)[1].endswith('\n1 note on storage with -v\n'))
        self.assertIn('\n* 40 bytes follow the data.', self.tool('info', '-v', self.path)[1])
        os.truncate(self.path, b.end - 8)
        self.assertIn('\n! The file ends 8 bytes before its data', self.tool('info', self.path)[1])

    # -- facts

    def test_facts(self):
        dims = [('t', 0), ('x', 5), ('y', 3)]
        vars_ = [('a', 3, ['x'], [('units', 2, b'm')]), ('r', 1, ['t', 'y'], []), ('b', 6, ['x', 'y'], []),
                 ('s', 10, ['t'], [('k', 4, [1])])]
        for version in (1, 2, 5):
            vs = vars_ if version == 5 else [v if v[1] < 7 else (v[0], 6, *v[2:]) for v in vars_]
            b = self.write(version=version, numrecs=7, dims=dims, vars=vs, atts=[('title', 2, b'x')], align=512)
            got = self.json()
            self.assertEqual((got['version'], got['size'], got['attributes'], got['missing'], got['tail']),
                             (version, b.end, 3, 0, 0))
            self.assertEqual(got['header'], {'used': b.header_size, 'room': 512})
            self.assertEqual(got['fixed'], {'variables': 2, 'begin': 512, 'end': 512 + 12 + 120, 'bytes': 130})
            self.assertEqual(got['records'], {'variables': 2, 'count': 7, 'begin': b.begin_rec, 'length': 12,
                                              'padding': 1, 'end': b.end})
            self.assertEqual([(v['name'], v['begin'], v['bytes'], v['is_record']) for v in got['variables']],
                             [(v[0], b.begin[v[0]], b.slab(v) * (7 if b.is_record(v) else 1), b.is_record(v)) for v in vs])
            rows = [line.split('\t') for line in self.tool('offsets', self.path)[1].splitlines()]
            for v in got['variables']:
                row = [r for r in rows if r[1] == v['name']][0]
                self.assertEqual((int(row[5]), int(row[7])), (v['begin'], v.get('bytes_per_record', v['bytes'])))
            self.assertEqual([(d['name'], d['length'], d['is_record']) for d in got['dimensions']],
                             [('t', 7, True), ('x', 5, False), ('y', 3, False)])
            self.assertEqual(got['gaps'], {'count': 0, 'bytes': 0, 'largest': 0, 'largest_at': 0})

    def test_gaps(self):
        b = self.write(dims=[('x', 4)], vars=[('a', 4, ['x'], []), ('b', 4, ['x'], [])], align=512,
                       put={'var:b:begin': 1024}, size=1040)
        self.assertEqual(self.json()['gaps'], {'count': 1, 'bytes': 496, 'largest': 496, 'largest_at': 528})
        self.assertEqual(b.begin['a'], 512)

    def test_empty_files(self):
        for fields in ({}, {'dims': [('x', 3)]}, {'dims': [('t', 0)], 'vars': [('r', 6, ['t'], [])]},
                       {'vars': [('s', 6, [], [])]}):
            self.write(**fields)
            for args in ((), ('--all',), ('--json',)):
                status, out, err = self.tool('info', *args, self.path)
                self.assertEqual((status, err), (0, ''))

    # -- advice: a pair of files for each rule

    def pair(self, rule, has, lacks):
        self.assertIn(rule, self.rules(**has))
        self.assertNotIn(rule, self.rules(**lacks))

    def big(self, **more):
        return {'dims': [('x', 4 * MIB)], 'vars': [('a', 6, ['x'], [])], **more}

    def records(self, numrecs, length, extra=(), **more):
        return {'dims': [('t', 0), ('x', length)], 'numrecs': numrecs,
                'vars': [('a', 6, ['t', 'x'], []), ('b', 6, ['t', 'x'], []), *extra], **more}

    def test_short_file(self):
        self.pair('short_file', self.big(size=1 * MIB), self.big())
        self.assertEqual(self.json()['missing'], 0)

    def test_tail_and_uncounted_records(self):
        one = self.records(10, 100)
        self.assertEqual(self.rules(**one), [])
        b = self.write(**one)
        self.assertEqual(self.rules(size=b.end + 800, **one), ['tail'])
        self.assertEqual(self.rules(size=b.end + 3300, **one), ['uncounted_records'])
        self.assertIn('there is room for 2 more records', self.json()['advice'][0]['reason'])

    def test_neighbours(self):
        beside = os.path.join(self.dir.name, '.f.nc.parcdf-')
        self.assertEqual(self.rules(**self.records(10, 100)), [])
        for name, rule in (('sums', 'checksums'), ('journal', 'journal')):
            open(beside + name, 'w').close()
            self.assertEqual(self.rules(**self.records(10, 100)), [rule])
            os.remove(beside + name)

    def test_header_full(self):
        self.pair('header_full', self.big(), self.big(align=4096))
        self.assertNotIn('header_full', self.rules(dims=[('x', 4)], vars=[('a', 6, ['x'], [])]))

    def test_unaligned_records(self):
        self.pair('unaligned_records', self.records(20, 65536, align=512), self.records(20, 65536, align=4096))
        self.assertNotIn('unaligned_records', self.rules(**self.records(20, 65537, align=512)))
        self.assertNotIn('unaligned_records', self.rules(**self.records(2, 65536, align=512)))

    def test_tiny_record_variables(self):
        tiny = [('time', 6, ['t'], [])]
        self.pair('tiny_record_variables', self.records(200, 65536, tiny), self.records(200, 65536))
        self.assertNotIn('tiny_record_variables', self.rules(**self.records(50, 65536, tiny)))
        self.assertNotIn('tiny_record_variables', self.rules(**self.records(2000, 1000, [('third', 1, ['t', 'x'], [])])))

    def test_short_records(self):
        self.pair('short_records', self.records(40000, 100), self.records(400, 10000))

    def test_version_limit(self):
        large = {'dims': [('x', 3600 * MIB // 8)], 'vars': [('a', 6, ['x'], []), ('b', 6, [], [])]}
        self.pair('version_limit', {'version': 2, **large}, {'version': 5, **large})
        late = {'dims': [('x', 1800 * MIB // 8)], 'vars': [('a', 6, ['x'], []), ('b', 6, [], [])]}
        self.pair('version_limit', {'version': 1, **late}, {'version': 2, **late})
        many = {'dims': [('t', 0)], 'vars': [('a', 1, ['t'], [])], 'numrecs': 1700000000}
        self.pair('version_limit', {'version': 2, **many}, {'version': 5, **many})

    def test_gaps_advice(self):
        two = {'dims': [('x', 1000)], 'vars': [('a', 6, ['x'], []), ('b', 6, ['x'], [])]}
        self.pair('gaps', {'put': {'var:b:begin': 4 * MIB}, 'size': 4 * MIB + 8000, **two}, two)

    def test_many_tiny_variables(self):
        self.pair('many_tiny_variables', {'vars': [('v%d' % i, 6, [], []) for i in range(300)]},
                  {'vars': [('v%d' % i, 6, [], []) for i in range(100)]})

    def test_padding(self):
        def flags(kind):
            return {'dims': [('t', 0)], 'vars': [('a', kind, ['t'], []), ('b', kind, ['t'], [])], 'numrecs': 200}
        self.pair('padding', flags(1), flags(4))

    # -- the picture

    def test_picture(self):
        b = self.write(dims=[('t', 0), ('x', 1000), ('y', 12)], numrecs=10,
                       vars=[('fix', 6, ['x', 'y'], []), ('big', 6, ['t', 'x'], []), ('small', 5, ['t', 'x'], []),
                             ('time', 6, ['t'], [])])
        status, out, err = self.tool('info', self.path, COLUMNS='60')
        self.assertEqual((status, err), (0, ''))
        lines = out.splitlines()
        self.assertEqual(lines[0], 'f.nc')
        self.assertRegex(out, r'(?m)^stored as CDF-5, 211 KiB( \(.* on disk\))?:\s+header of %d bytes, 10 records of 12 KiB$' % b.header_size)
        strips = [line for line in lines if line.startswith('|')]
        self.assertEqual([len(s) for s in strips], [60, 60])
        share = b.recsize * 10 / b.end * 58
        self.assertAlmostEqual(strips[0].count('R'), share, delta=1)
        self.assertLess(strips[0].index('a'), strips[0].index('R'))
        self.assertAlmostEqual(strips[1].count('b'), 58 * 8000 / b.recsize, delta=1)
        self.assertAlmostEqual(strips[1].count('c'), 58 * 4000 / b.recsize, delta=1)
        self.assertIn(' too small to see: d', lines)
        self.assertIn(' H header %d bytes  a fixed-size 94 KiB  R records 117 KiB' % b.header_size, lines)
        out = self.tool('info', '-v', self.path, COLUMNS='60')[1]
        self.assertRegex(out, r'(?m)^b big +\d+ +78 KiB +3\d\.\d % ####')
        self.assertIn('aligned to', out)

    def test_half_of_a_file(self):
        self.write(**self.big(size=16 * MIB))
        strip = [line for line in self.tool('info', self.path)[1].splitlines() if line.startswith('|')][0]
        self.assertAlmostEqual(strip.count('?'), 39, delta=1)
        self.assertAlmostEqual(strip.count('a'), 39, delta=1)

    def test_one_screen(self):
        vars_ = [('variable_%d' % i, 5, ['t', 'lev', 'ncol'], [('units', 2, b'K')]) for i in range(300)]
        self.write(dims=[('t', 0), ('lev', 72), ('ncol', 48602)] + [('d%d' % i, i + 1) for i in range(50)], vars=vars_,
                   numrecs=2)
        for locale in ('C', 'C.UTF-8'):
            for columns in (40, 80, 140):
                out = self.tool('info', self.path, COLUMNS=str(columns), LC_ALL=locale)[1]
                self.assertLessEqual(out.count('\n'), 24)
                if columns >= 80:
                    self.assertLessEqual(max(map(len, out.splitlines())), columns, out)
                self.assertEqual(out.isascii(), locale == 'C')
        self.assertIn('291 more with --all', out)
        out = self.tool('info', '--all', self.path)[1]
        self.assertEqual(len(re.findall(r'variable_\d+ +float', out)), 300)
        self.assertIn('d49 50', out)

    def test_hostile(self):
        dims, vars_ = [('t', 0), ('x', 2 ** 40)], [('a', 6, ['t', 'x'], []), ('b', 1, ['t'], [])]
        self.write(dims=dims, vars=vars_, put={'numrecs': 2 ** 19}, size=0)
        for args in ((), ('--json',), ('--all',), ('-v',)):
            status, out, err = self.tool('info', *args, self.path)
            self.assertEqual((status, err), (0, ''), args)
        self.write(dims=[('x', 3)], vars=[('e\x1b[2Jvil', 6, ['x'], [])])
        self.assertIn('e\\x1B[2Jvil', self.tool('info', self.path)[1])
        self.write(put={'version': 4})
        self.assertEqual(self.tool('info', self.path)[:2], (1, ''))

    def test_statuses(self):
        self.write()
        for args in ((), ('-z', self.path)):
            status, out, err = self.tool('info', *args)
            self.assertEqual((status, out), (2, ''))
            self.assertIn('usage: parcdf info ', err)
        self.assertEqual(self.tool('info', '/nowhere')[:2], (2, ''))


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
