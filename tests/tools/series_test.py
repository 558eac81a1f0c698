#!/usr/bin/env python3
"""Fixes what `parcdf info`, `stats` and `dump` make of several files: the same as of one file with all records, for classic
files, netCDF-4 and Zarr, along any dimension, whatever the order of the arguments, with uneven and empty files; their order
by time, gaps and repetitions; files that do not fit, each with its sentence; a thousand files with few descriptors.
usage: series_test.py PARCDF [MPIEXEC]    (with MPIEXEC: only what runs on several ranks)"""
import json, os, re, resource, shutil, subprocess, sys, tempfile, time, unittest
try:
    import netCDF4
    import numpy as np
except ImportError as missing:
    print('skipped:', missing)
    sys.exit(77)

PARCDF, MPIEXEC = None, None
GOOD, BAD, UNUSABLE = 0, 1, 2
UNITS = 'days since 2000-01-01'
LENGTHS = {'lat': 3, 'lon': 4}


def run(*args, launch=(), cwd=None, **more):
    if launch or args[0] == 'copy':  # MPI holds memory at exit
        more['env'] = dict(more.get('env', os.environ), ASAN_OPTIONS='detect_leaks=0')
    p = subprocess.run([*launch, PARCDF, *args], capture_output=True, text=True, timeout=100, cwd=cwd, **more)
    return p.returncode, p.stdout, ''.join(l + '\n' for l in p.stderr.splitlines() if not launch or l.startswith('parcdf'))


def values(name, index):
    """Of variable `name` at indices of time, lat and lon, all dimensions; a value depends on its place alone."""
    rng = np.asarray(index[0], 'f8')[:, None, None] * 7 + np.arange(LENGTHS['lat'])[:, None] * 3 + np.arange(LENGTHS['lon'])
    return rng * (0.5 if name == 'T' else 1)


def make(path, times, format='NETCDF3_64BIT_DATA', unlimited=True, units=UNITS, change=None, lon=None):
    """A file with these times. change: 'type', 'units'...: one thing that is not as in the others."""
    with netCDF4.Dataset(path, 'w', format=format) as d:
        lons = np.arange(LENGTHS['lon']) if lon is None else np.asarray(lon)
        d.createDimension('time', None if unlimited else len(times))
        d.createDimension('lat', LENGTHS['lat'] + (change == 'length'))
        d.createDimension('lon', len(lons))
        t = d.createVariable('time', 'f8', ('time',))
        t.units, t.calendar = units, 'noleap'
        lat = d.createVariable('lat', 'f4', ('lat',))
        lat[:] = np.arange(len(d.dimensions['lat'])) + (change == 'coordinate')
        area = d.createVariable('area', 'f8', ('lat', 'lon'))
        area[:] = np.zeros(area.shape) + lons
        temp = d.createVariable('T', 'f8' if change == 'type' else 'f4', ('time', 'lat', 'lon'), fill_value=-1)
        temp.units = 'degC' if change == 'units' else 'K'
        if change != 'missing':
            packed = d.createVariable('P', 'i2', ('time', 'lon') if change != 'shape' else ('time', 'lat'))
            packed.scale_factor = np.float64(0.25 if change == 'packing' else 0.5)
            packed.set_auto_scale(False)
        d.createVariable('count', 'i4', ('time',))
        if change == 'more':
            d.createVariable('more', 'i4', ('time',))
        d.title = 'a run'
        if len(times) == 0:
            return
        t[:] = times
        all_values = values('T', [times])[:, :, lons]
        temp[:] = np.pad(all_values, [(0, 0), (0, len(lat) - LENGTHS['lat']), (0, 0)])
        if change not in ('missing', 'shape'):
            packed[:] = values('P', [times])[:, 1, lons].astype('i2')
        d['count'][:] = np.asarray(times, 'i4')


def table(status, out, err):
    assert (status, err) == (GOOD, ''), (status, err)
    return json.loads(out)


def is_sanitized():
    """Then everything takes its time, and memory."""
    with open(PARCDF, 'rb') as f:
        return b'__asan_init' in f.read()


class Series(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def several(self, lengths=(3, 2, 0, 5), format='NETCDF3_64BIT_DATA', unlimited=True):
        """Files of so many records, and one with all; 'zarr': copies of them."""
        at, paths = 0, []
        kind = 'NETCDF4' if format == 'zarr' else format
        for i, n in enumerate([*lengths, sum(lengths)]):
            at = 0 if i == len(lengths) else at
            path = self.path('all.nc' if i == len(lengths) else 'f%d.nc' % i)
            make(path, np.arange(at, at + n) * 1.0, kind, unlimited)
            if format == 'zarr':
                self.assertEqual(run('copy', '-k', 'zarr', path, path + '.zarr')[0], GOOD)
                path += '.zarr'
            paths.append(path)
            at += n
        return paths[:-1], paths[-1]

    def same(self, paths, whole, *more):
        """Values of a series, and of the one file."""
        for args in (['dump', '-n', 'x', '-p', '9,17'], ['dump', '-n', 'x', '--json'], ['dump', '-n', 'x', '-b', 'c']):
            a, b = run(*args, *more, *paths), run(*args, whole)
            self.assertEqual(a, b, args)
            self.assertEqual((a[0], a[2]), (GOOD, ''))
        a, b = (table(*run('stats', '--json', '--bins', '7', *words)) for words in ([*more, *paths], [whole]))
        self.assertEqual(a['variables'], b['variables'])
        a, b = (table(*run('info', '-r', '--json', *words)) for words in ([*more, *paths], [whole]))
        self.assertEqual(a['dimensions'], b['dimensions'])
        self.assertEqual(a['variables'], [{k: x for k, x in v.items() if k != 'begin'} for v in b['variables']])

    def test_same_as_one_file(self):
        for format in ('NETCDF3_CLASSIC', 'NETCDF4', 'zarr', 'NETCDF3_64BIT_DATA', 'NETCDF4_CLASSIC')[:3 if is_sanitized() else 5]:
            with self.subTest(format):
                paths, whole = self.several((3, 2, 5) if format == 'zarr' else (3, 2, 0, 5), format)
                self.same(paths, whole)
                self.same(paths[::-1], whole)

    def test_mixed_formats(self):
        paths, whole = self.several()
        make(paths[1], [3.0, 4.0], 'NETCDF4', unlimited=False)
        self.same(paths, whole)
        self.assertIn('in 4 files, CDF-5 and others, ', run('info', *paths)[1])

    def test_along_other_dimensions(self):
        """Also where it is not the first one; found by its lengths, or by --along."""
        paths = [self.path('tile%d.nc' % i) for i in range(3)]
        for path, lon in zip(paths, ([0], [1, 2], [3])):
            make(path, np.arange(5.0), 'NETCDF4', unlimited=False, lon=lon)
        whole = self.path('whole.nc')
        make(whole, np.arange(5.0), 'NETCDF4', unlimited=False)
        self.same(paths, whole, '--along', 'lon')
        status, _, err = run('dump', '--along', 'none', *paths)
        self.assertEqual((status, err), (UNUSABLE, 'parcdf: %s: there is no dimension none\n' % paths[0]))
        flat = [self.path('flat%d.nc' % i) for i in range(2)]
        for i, path in enumerate(flat):
            with netCDF4.Dataset(path, 'w', format='NETCDF3_CLASSIC') as d:
                d.createDimension('y', 2)
                d.createDimension('x', 3 + i)
                d.createVariable('a', 'i4', ('y', 'x'))[:] = np.arange(6 + 2 * i).reshape(2, 3 + i) + 100 * i
        status, out, err = run('dump', '-v', 'a', *flat)
        self.assertIn('a =\n  0, 1, 2, 100, 101, 102, 103,\n  3, 4, 5, 104, 105, 106, 107 ;', out)
        status, _, err = run('dump', flat[0], flat[0])
        self.assertEqual(status, UNUSABLE)
        self.assertIn('it is not clear along which dimension it follows', err)

    def test_parts(self):
        paths, whole = self.several()
        for part in ('T(2:8:3,1,-2:)', 'T(-1)', 'T(4,:,::2)', 'time(2:4)', 'P(:,1)', 'area(1)', 'T(9),time(0)', 'count(3:3)'):
            self.assertEqual(run('dump', '-n', 'x', '-v', part, *paths), run('dump', '-n', 'x', '-v', part, whole), part)
            if ':3,' not in part and '3:3' not in part:
                a, b = (table(*run('stats', '--json', '-v', part, *p)) for p in (paths, [whole]))
                self.assertEqual(a['variables'], b['variables'], part)
        status, _, err = run('dump', '-v', 'T(10)', *paths)
        self.assertEqual((status, err), (UNUSABLE, 'parcdf: %s and 3 more: T(10): character 3: index 10 of a dimension of '
                                         'length 10\n' % paths[0]))

    # -- arguments --------------------------------------------------------------------------------------------------
    def test_folder_and_pattern(self):
        paths, whole = self.several()
        want = run('dump', '-n', 'x', *paths)
        os.rename(whole, self.path('all'))
        self.path('note.txt')
        with open(self.path('note.txt'), 'w') as f:
            f.write('no file')
        self.assertEqual(run('dump', '-n', 'x', self.folder.name), want)
        self.assertEqual(run('dump', '-n', 'x', self.folder.name + '/'), want)
        self.assertEqual(run('dump', '-n', 'x', self.path('f?.nc')), want)
        self.assertEqual(run('dump', '-n', 'x', self.path('[f]*.nc'), cwd='/'), want)
        for args in (['info', '--json'], ['stats'], ['dump']):  # one file is one file
            self.assertEqual(run(*args, self.path('f3*')), run(*args, paths[3]))
        self.assertEqual(run('dump', self.path('g*.nc'))[0], UNUSABLE)

    def test_order(self):
        paths, whole = self.several()
        for p in (paths[::-1], paths[1:] + paths[:1]):
            self.assertEqual([f['file'] for f in table(*run('info', '--json', *p))['files']], [paths[i] for i in (0, 1, 3, 2)])
        self.assertIn('netcdf f0 {', run('dump', '-h', *paths[::-1])[1])

    # -- coverage ---------------------------------------------------------------------------------------------------
    def test_gaps_and_repetitions(self):
        a, b, c, d = (self.path(n + '.nc') for n in 'abcd')
        make(a, [0, 1, 2, 6, 7])
        make(b, [8, 9, 10])
        make(c, [20, 21, 21, 22])
        make(d, [22, 23])
        status, out, err = run('info', d, c, b, a)
        self.assertEqual((status, err), (GOOD, 'parcdf: %s: time begins at 2000-01-23, where %s goes up to 2000-01-23\n' % (d, c)))
        self.assertIn('from 2000-01-01 to 2000-01-24, in steps of 1 day\n', out)
        self.assertRegex(out, r'! 2 gaps: the largest, nothing between 2000-01-11 and 2000-01-21, behind[ \n]+\S*/b.nc\.\n')
        self.assertIn('! 2 twice, the first of them 2000-01-22.\n', out)
        strip = re.search(r'[|▕]([#-]+)[|▏]', out).group(1)
        self.assertRegex(strip, r'^#+-+#+-+#+$')
        found = json.loads(run('info', '--json', a, b, c, d)[1])['coverage']
        self.assertEqual(found, {'first': 0.0, 'last': 23.0, 'first_date': '2000-01-01', 'last_date': '2000-01-24', 'step': 1.0,
                                 'gaps': 2, 'twice': 2, 'back': 0, 'is_whole': True,
                                 'largest_gap': {'from': 10.0, 'to': 20.0, 'from_date': '2000-01-11', 'to_date': '2000-01-21'}})
        make(b, [10, 9, 8])
        status, out, err = run('info', a, b)
        self.assertEqual(err, 'parcdf: %s: time goes back\n' % b)
        self.assertIn('! It goes back at 2 places, first to 2000-01-10.\n', out)

    def test_months(self):
        """Steps of 28 to 31 days are no gaps."""
        starts = np.cumsum([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
        paths = [self.path('m%02d.nc' % i) for i in range(12)]
        for path, start in zip(paths, starts):
            make(path, [float(start)])
        out = run('info', *paths)[1]
        self.assertIn('from 2000-01-01 to 2000-12-01, in steps of 28 to 31 days\n', out)
        self.assertNotIn('!', out)
        self.assertEqual(table(*run('info', '--json', *paths[:4], *paths[5:]))['coverage']['gaps'], 1)

    def test_lines_of_files(self):
        paths, _ = self.several()
        self.assertIn('a run', run('info', *paths)[1])
        plain, verbose = (run('info', *v, *paths, env=dict(os.environ, COLUMNS='120', LC_ALL='C'))[1] for v in ([], ['-v']))
        self.assertNotIn('f1.nc ', plain)
        self.assertRegex(verbose, r'f1\.nc.* 2 2000-01-04 +2000-01-05 +CDF-5\n')
        self.assertRegex(plain, r'stored in 4 files, CDF-5, \d\S* KiB: 10 along time, 0 to 5 a file\n')

    # -- files that do not fit ----------------------------------------------------------------------------------------
    def test_wrong_members(self):
        first, other = self.path('a.nc'), self.path('b.nc')
        make(first, [0, 1])
        for change, sentence in (
                ('type', 'variable T is of type double, and of float in FIRST'),
                ('units', 'variable T has another units than in FIRST'),
                ('packing', 'variable P has another scale_factor than in FIRST'),
                ('length', 'variable lat: dimension lat has length 4, and 3 in FIRST'),
                ('shape', 'variable P has dimension lat, and lon in FIRST'),
                ('missing', 'there is no variable P, which FIRST has'),
                ('more', 'it has a variable more, which FIRST has not'),
                ('coordinate', 'coordinate lat has other values than in FIRST')):
            make(other, [2, 3], change=change)
            for command in ('info', 'stats', 'dump'):
                self.assertEqual(run(command, first, other),
                                 (UNUSABLE, '', 'parcdf: %s: %s\n' % (other, sentence.replace('FIRST', first))), change)
        make(other, [2, 3], units='days since 2000-02-01')
        self.assertIn('variable time has another units than in', run('dump', first, other)[2])
        with open(other, 'wb') as f:
            f.write(b'no file of any format')
        for command in ('info', 'stats', 'dump'):
            status, out, err = run(command, first, other)
            self.assertEqual((status, out, err.count('\n'), err.startswith('parcdf: %s: ' % other)), (BAD, '', 1, True), err)
            status, out, err = run(command, first, self.path('nowhere.nc'))
            self.assertEqual((status, out, err.count('\n')), (UNUSABLE, '', 1), err)

    def test_what_is_left_out(self):
        """Said of one file, not of each."""
        paths, _ = self.several((3, 2), 'NETCDF4')
        for path in paths:
            with netCDF4.Dataset(path, 'a') as d:
                d.createVariable('z', d.createCompoundType(np.dtype([('re', 'f8'), ('im', 'f8')]), 'complex'), ('lat',))
        for command in ('info', 'stats', 'dump'):
            status, _, err = run(command, *paths)
            self.assertEqual((status, err.count('\n'), err.startswith('parcdf: %s: left out: ' % paths[0])), (GOOD, 1, True), err)

    def test_short_member(self):
        paths, whole = self.several((3, 2, 5))
        os.truncate(paths[1], os.path.getsize(paths[1]) - 20)
        for args in (['dump', '-v', 'T'], ['stats']):
            status, out, err = run(*args, *paths)
            self.assertEqual((status, err.count('\n'), 'taken as zero' in err), (BAD, 1, True), err)
        status, out, err = run('info', *paths)
        self.assertEqual(status, GOOD)
        self.assertRegex(out, r'! 1 file ends before the data does:[ \n]+\S*/f1.nc\.\n')
        self.assertTrue(table(*run('info', '--json', *paths))['files'][1]['is_short'])

    # -- many ---------------------------------------------------------------------------------------------------------
    def test_a_thousand_files(self):
        n = 1000
        make(self.path('0.nc'), [0.0, 1.0])
        with open(self.path('0.nc'), 'rb') as f:
            raw = f.read()
        rows = run('offsets', '-r', self.path('0.nc'))[1]
        places = [int(row.split('\t')[5]) for row in rows.splitlines() if row.startswith('record\ttime\t')]
        os.mkdir(self.path('many'))
        for i in range(n):
            copy = bytearray(raw)
            for k, at in enumerate(places):
                copy[at:at + 8] = np.array([2.0 * i + k], '>f8').tobytes()
            with open(self.path('many/%04d.nc' % i), 'wb') as f:
                f.write(copy)
        few = dict(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
        begun = time.monotonic()
        status, out, err = run('info', self.path('many'), **few)
        took = time.monotonic() - begun
        self.assertEqual((status, err), (GOOD, ''))
        self.assertLess(took, 2)
        self.assertIn('from 2000-01-01 to 2005-06-24, in steps of 1 day\n', out)
        self.assertNotIn('!', out)
        found = table(*run('stats', '--json', '-v', 'time,count', self.path('many'), **few))['variables']
        self.assertEqual([found[0][k] for k in ('values', 'min', 'mean', 'max')], [2 * n, 0, n - 0.5, 2 * n - 1])
        self.assertEqual(run('dump', '-v', 'time', self.path('many'), **few)[1].partition('data:')[2].count(','), 2 * n - 1)
        peak = subprocess.run(['/usr/bin/python3', '-c', 'import resource, subprocess, sys\n'
                               'subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n'
                               'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)', PARCDF, 'stats', self.path('many')],
                              capture_output=True, text=True, check=True).stdout
        self.assertTrue(is_sanitized() or int(peak) < 64 * 1024, peak)


class Ranks(Series):
    """stats shares its work; the others run on rank 0."""

    def test_ranks(self):
        for format in ('NETCDF3_64BIT_DATA', 'NETCDF4'):
            paths, whole = self.several((30, 2, 0, 50, 7), format)
            want = run('stats', '--json', '--bins', '5', *paths)
            for n in ('2', '3'):
                launch = [*MPIEXEC.split(), '-n', n]
                self.assertEqual(run('stats', '--json', '--bins', '5', *paths, launch=launch), want)
                os.rename(whole, self.path('all'))
                self.assertEqual(run('stats', '--json', '--bins', '5', self.folder.name, launch=launch), want)
                os.rename(self.path('all'), whole)
        self.assertEqual(run('dump', *paths, launch=launch), run('dump', *paths))
        make(paths[1], [30, 31], 'NETCDF4', change='units')
        status, out, err = run('stats', *paths, launch=launch)
        self.assertEqual((status, out, err.count('\n')), (UNUSABLE, '', 1), err)
        self.assertIn('another units', err)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    MPIEXEC = sys.argv.pop(1) if len(sys.argv) > 1 else None
    for name in [n for n in dir(Series) if n.startswith('test_')]:
        if MPIEXEC:
            setattr(Series, name, None)
    if not MPIEXEC:
        del Ranks
    unittest.main(verbosity=0)
