#!/usr/bin/env python3
"""Fixes what `parcdf info` tells: its facts against the file's own fields, computed here, and `parcdf offsets`; each piece
of advice once where it belongs and once where it does not; the picture's width, its strips to scale, its one screen;
hostile headers; exit statuses.
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
        self.assertIn('Room of 2 more records', self.json()['advice'][0]['reason'])

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
        self.assertEqual(lines[0].split('  ')[:2], ['f.nc', 'CDF-5'])
        strips = [line for line in lines if line.startswith('|')]
        self.assertEqual([len(s) for s in strips], [60, 60])
        share = b.recsize * 10 / b.end * 58
        self.assertAlmostEqual(strips[0].count('R'), share, delta=1)
        self.assertLess(strips[0].index('a'), strips[0].index('R'))
        self.assertAlmostEqual(strips[1].count('b'), 58 * 8000 / b.recsize, delta=1)
        self.assertAlmostEqual(strips[1].count('c'), 58 * 4000 / b.recsize, delta=1)
        self.assertIn(' too small to see: d', lines)
        self.assertIn(' H header %d bytes  a fixed-size 94 KiB  R records 117 KiB' % b.header_size, lines)
        self.assertRegex(out, r'(?m)^b big +double t,x +78 KiB +3\d\.\d % ####')
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
        self.assertIn('293 more with --all', out)
        out = self.tool('info', '--all', self.path)[1]
        self.assertEqual(len(re.findall(r'variable_\d+ ', out)), 300)
        self.assertIn('d49 50', out)

    def test_hostile(self):
        dims, vars_ = [('t', 0), ('x', 2 ** 40)], [('a', 6, ['t', 'x'], []), ('b', 1, ['t'], [])]
        self.write(dims=dims, vars=vars_, put={'numrecs': 2 ** 19}, size=0)
        for args in ((), ('--json',), ('--all',)):
            status, out, err = self.tool('info', *args, self.path)
            self.assertEqual((status, err), (0, ''), args)
        self.write(dims=[('x', 3)], vars=[('e\x1b[2Jvil', 6, ['x'], [])])
        self.assertIn('e\\x1B[2Jvil', self.tool('info', self.path)[1])
        self.write(put={'version': 4})
        self.assertEqual(self.tool('info', self.path)[:2], (1, ''))

    def test_statuses(self):
        self.write()
        for args in ((), ('-z', self.path), (self.path, self.path)):
            status, out, err = self.tool('info', *args)
            self.assertEqual((status, out), (2, ''))
            self.assertIn('usage: parcdf info ', err)
        self.assertEqual(self.tool('info', '/nowhere')[:2], (2, ''))


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
