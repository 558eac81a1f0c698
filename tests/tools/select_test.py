#!/usr/bin/env python3
"""Fixes what `parcdf copy` makes of coordinates and names: the order in time of records that are joined; parts by the values of
coordinates, against numpy and cftime; new names, and what follows them; variables of several files.
usage: select_test.py PARCDF [MPIEXEC]    (with MPIEXEC: some copies run on 2 and 3 ranks)"""
import json, os, subprocess, sys, tempfile, unittest
import numpy as np
import netCDF4

PARCDF, MPIEXEC = None, []
GOOD, BAD, UNUSABLE = 0, 1, 2


def copy(*args, ranks=1):
    words = [PARCDF, 'copy', *args]
    if ranks > 1 and MPIEXEC:
        words = [*MPIEXEC, '-n', str(ranks), *words]
    p = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return p.returncode, p.stdout, p.stderr


class Select(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)
        self.addCleanup(self.dir.cleanup)
        self.to = self.path('to.nc')

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def good(self, *args, status=GOOD, **more):
        got = copy(*args, **more)
        self.assertEqual(got[0], status, (args, got))
        return got

    def refused(self, sentence, *args, status=UNUSABLE, **more):
        """One sentence, and the folder as before."""
        before = sorted(os.listdir(self.dir.name))
        got, out, err = copy(*args, **more)
        self.assertEqual((got, out), (status, ''), (args, err))
        self.assertRegex(err, sentence)
        self.assertEqual(len([line for line in err.splitlines() if line.startswith('parcdf')]), 1, err)
        self.assertEqual(sorted(os.listdir(self.dir.name)), before)

    # -- values of coordinates

    def grid(self, name, fmt='NETCDF3_64BIT_DATA', calendar='noleap', down=True, step=10, times=None, west=0, packed=False):
        """v(time, lev, lat, lon) whose values are all different, and its coordinates."""
        times = np.arange(70) + 0.25 if times is None else times
        with netCDF4.Dataset(self.path(name), 'w', format=fmt) as d:
            for dim, n in (('time', None), ('lev', 5), ('lat', 180 // step + 1), ('lon', 360 // step)):
                d.createDimension(dim, n)
            t = d.createVariable('time', 'f8', ('time',))
            t.units, t.calendar = 'days since 2000-12-15', calendar
            t[:] = times
            lat = d.createVariable('lat', 'i2' if packed else 'f4', ('lat',))
            lat.units = 'degrees_north'
            if packed:
                lat.scale_factor, lat.add_offset = 0.1, 5.0
            lat[:] = np.linspace(90, -90, 180 // step + 1)[::1 if down else -1]
            lon = d.createVariable('lon', 'f8', ('lon',))
            lon.units = 'degrees_east'
            lon[:] = west + step * np.arange(360 // step)
            d.createVariable('lev', 'f4', ('lev',))[:] = [1000, 850, 700, 500, 100.1]
            chunks = dict(chunksizes=(7, 2, min(5, len(lat)), min(9, len(lon))), zlib=True) if fmt == 'NETCDF4' else {}
            n = len(times) * 5 * len(lat) * len(lon)
            d.createVariable('v', 'i4', ('time', 'lev', 'lat', 'lon'), **chunks)[:] = np.arange(n).reshape(len(times), 5, len(lat), len(lon)) + int(times[0])
            d.createVariable('plain', 'f4', ('lat', 'lon'))[:] = np.arange(len(lat) * len(lon)).reshape(len(lat), len(lon))
        return self.path(name)

    def part(self, source, *args, ranks=1, **want):
        """The copy has these indices of dimensions."""
        self.good('-O', *args, source, self.to, ranks=ranks)
        with netCDF4.Dataset(source) as a, netCDF4.Dataset(self.to) as b:
            for f in (a, b):
                f.set_auto_maskandscale(False)
            for name, v in b.variables.items():
                old = a[name][:]
                for axis, dim in enumerate(v.dimensions):
                    old = np.take(old, want.get(dim, range(old.shape[axis])), axis)
                self.assertEqual((name, old.shape), (name, v.shape), args)
                self.assertTrue(old.tobytes() == v[:].tobytes(), (name, args))

    def test_numbers(self):
        for i, (fmt, down) in enumerate((('NETCDF3_64BIT_DATA', True), ('NETCDF4', False), ('NETCDF3_CLASSIC', False))):
            path = self.grid('f.nc', fmt, down=down)
            lat = np.linspace(90, -90, 19)[::1 if down else -1]
            where = lambda low, high: [k for k, x in enumerate(lat) if low <= x <= high]
            for spec, want in (('30:60', where(30, 60)), ('60:30', where(30, 60)), (':-80', where(-90, -80)), ('35:', where(35, 90)),
                               ('-90', where(-90, -90)), ('~34', where(30, 30)), ('34~5', where(30, 30)),
                               ('-85:-60,15:25,40,~77', [k for k, x in enumerate(lat) if x in (-80, -70, -60, 20, 40, 80)]), (':', None)):
                if want is None:
                    self.refused("'.*' is no range of numbers", '--select', 'lat=' + spec, path, '-O', self.path('none.nc'))
                else:
                    self.part(path, '--select', 'lat=' + spec, ranks=1 + i, lat=want)
            self.part(path, '--select', 'lat=30:60', '--select', 'lat=-60', '--select', 'lev=100.1', '--select', 'time=2001',
                      ranks=3 - i, lat=sorted(where(30, 60) + where(-60, -60)), lev=[4], time=range(17, 70))
            self.part(path, '-V', 'v', '--select', 'lat=0;lev=500:1000', '-d', 'time,0,,13', ranks=2, lat=where(0, 0), lev=range(4),
                      time=range(0, 70, 13))

    def test_circle(self):
        """Longitudes go on to the east; the copy begins where the range does."""
        for fmt, west in (('NETCDF3_64BIT_DATA', 0), ('NETCDF4', -180)):
            path = self.grid('f.nc', fmt, west=west)
            lon = [int(x) for x in west + 10 * np.arange(36)]
            at = lambda *degrees: [next(k for k, x in enumerate(lon) if (x - d) % 360 == 0) for d in degrees]
            east = lambda a, b: at(*range(a, b + 1, 10))
            for spec, want in (('350:10', east(350, 370)), ('-10:10', east(-10, 10)), ('170:190', east(170, 190)), ('345:15', east(350, 370)),
                               ('-180:170', range(36)), ('0:360', range(36)), ('100:100', at(100)), ('-20', at(340)), ('~356', at(0)),
                               ('20:30,200:220', at(20, 30, 200, 210, 220)), ('200:220,20:30', at(200, 210, 220, 20, 30)),
                               ('30:10', east(30, 370))):
                self.part(path, '--select', 'lon=' + spec, ranks=2, lon=want)
            self.part(path, '--select', 'lon=300:60', '--select', 'lat=20:40', '-V', 'v', ranks=3, lon=east(300, 420),
                      lat=[k for k, x in enumerate(np.linspace(90, -90, 19)) if 20 <= x <= 40])

    def test_dates(self):
        import cftime
        rng = np.random.default_rng(3)
        for calendar in ('standard', 'proleptic_gregorian', 'noleap', 'all_leap', '360_day', 'julian'):
            times = np.sort(rng.choice(np.arange(0, 900, 0.25), 300, replace=False))
            path = self.grid('f.nc', calendar=calendar, step=90, times=times)
            dates = [cftime.num2date(t, 'days since 2000-12-15', calendar) for t in times]
            text = lambda i: dates[i].strftime('%Y-%m-%dT%H:%M:%S')
            for low, high in (('2001', '2001'), ('2001-02', '2001-02'), ('2000-12-20', '2001-02-28'), ('2001-03-01', '2001-03'),
                              ('2001-05-01T06', '2001-05-01T18:00'), (text(7)[:16], text(90)), ('2002-02', '2002-12-31T06:00:00')):
                want = [i for i in range(300) if text(i)[:len(low)] >= low and text(i)[:len(high)] <= high]
                spec = low if low == high else low + ':' + high
                if want:
                    self.part(path, '-V', 'time,v', '--select', 'time=' + spec, ranks=1, time=want)
            near = cftime.datetime(2001, 6, 7, 8, calendar=calendar)
            want = int(np.argmin([abs((d - near).total_seconds()) for d in dates]))
            self.part(path, '-V', 'time', '--select', 'time=~2001-06-07T08', time=[want])
            self.part(path, '-V', 'time', '--select', 'time=100.:200.', time=[i for i, t in enumerate(times) if 100 <= t <= 200])
        self.refused('time has no value in 1999:1999-12: there are values from 2000-12', '--select', 'time=1999:1999-12', path, '-O', self.path('n.nc'))
        self.refused('one end is a date and one a number', '--select', 'time=2001-01:5', path, '-O', self.path('n.nc'))

    def test_records_of_files(self):
        """Of each of several files those records that were selected, which may be none."""
        paths = [self.grid('%d.nc' % i, 'NETCDF4' if i == 1 else 'NETCDF3_64BIT_DATA', 'standard', step=90, times=np.arange(20 * i, 20 * i + 20))
                 for i in range(4)]
        for ranks, spec, want in ((1, '2001-01', range(17, 48)), (3, '2001-01-10:2001-01-12', range(26, 29)), (2, '2001-02-20:', range(67, 80))):
            self.good('-O', '--keep-first', '--select', 'time=' + spec, '--select', 'lev=850', *paths, self.to, ranks=ranks)
            with netCDF4.Dataset(self.to) as f:
                self.assertEqual(list(f['time'][:]), list(want))
                v = np.concatenate([netCDF4.Dataset(p)['v'][:, 1:2] for p in paths])[want.start:want.stop]
                self.assertEqual(v.tobytes(), f['v'][:].tobytes())
        self.refused('no record of this file', '--select', 'time=1990', *paths, '-O', self.path('n.nc'))

    def test_boxes(self):
        """Cells of an unstructured grid: each --box holds as a whole, any of them chooses."""
        rng = np.random.default_rng(1)
        n = 5000
        path = self.path('cells.nc')
        with netCDF4.Dataset(path, 'w', format='NETCDF3_64BIT_OFFSET') as d:
            d.createDimension('cell', n)
            for name, span, units in (('lat', 180, 'degrees_north'), ('lon', 360, 'degrees_east')):
                d.createVariable(name, 'f8', ('cell',)).units = units
                d[name][:] = (rng.random(n) - 0.5) * span
            d.createVariable('v', 'f4', ('cell',))[:] = rng.random(n)
            lat, lon = d['lat'][:], d['lon'][:]
        inside = lambda a, b, c, e: (lat >= a) & (lat <= b) & ((lon - c) % 360 <= e - c)
        pick = lambda flags: list(np.nonzero(flags)[0])
        self.part(path, '--select', 'lat=10:40', '--select', 'lon=170:200', ranks=2, cell=pick(inside(10, 40, 170, 200)))
        self.part(path, '--box', 'lat=10:40;lon=170:200', '--box', 'lat=-20:0;lon=0:30', ranks=3,
                  cell=pick(inside(10, 40, 170, 200) | inside(-20, 0, 0, 30)))
        self.part(path, '--box', 'lat=10:40;lon=170:200', '--box', 'lat=-20:0', '--select', 'lon=175:', cell=pick(
            (inside(10, 40, 170, 200) | ((lat >= -20) & (lat <= 0))) & (lon >= 175)))
        self.refused('nothing of dimension cell is in all', '--box', 'lat=10:40', '--select', 'lat=-20:0', path, self.to + 'x')

    def test_packed_and_texts(self):
        path = self.grid('f.nc', packed=True)
        lat = np.linspace(90, -90, 19)
        for spec, want in (('30', [6]), ('30:50', [4, 5, 6]), ('~44', [5])):
            self.part(path, '--select', 'lat=' + spec, lat=want)
        path = self.path('wrf.nc')
        with netCDF4.Dataset(path, 'w', format='NETCDF3_CLASSIC') as d:
            d.createDimension('Time', None)
            d.createDimension('DateStrLen', 19)
            dates = ['2001-01-%02d_%02d:00:00' % (1 + i // 4, i % 4 * 6) for i in range(40)]
            d.createVariable('Times', 'S1', ('Time', 'DateStrLen'))[:] = np.array([list(t) for t in dates], 'S1')
            d.createVariable('T', 'f4', ('Time',))[:] = np.arange(40)
        self.part(path, '--select', 'Times=2001-01-03:2001-01-04T06', Time=range(8, 14))
        self.part(path, '--select', 'Times=~2001-01-03T02', Time=[8])

    def test_wrong_selects(self):
        path = self.grid('f.nc')
        for sentence, spec in (('there is no variable z', 'z=1'), ('v is no coordinate', 'v=1'), ("lat=a: 'a' is no range of numbers", 'lat=a'),
                               ('lat has no value 33: there are values from -90 to 90; ~ before it', 'lat=33'), ('want NAME=RANGE', 'lat'),
                               ('lat has no value in 91:95: there are values from -90 to 90', 'lat=91:95'),
                               ('lev has no value 800~10: there are values from 100.1 to 1000', 'lev=800~10'),
                               ('time has no value 2005: there are values from 2000-12-15T06 to 2001-02-22T06', 'time=2005')):
            self.refused(sentence, '--select', spec, path, self.to, ranks=2 if 'z' in spec else 1)
        self.refused('dimension lat is cut twice', '-d', 'lat,1', '--select', 'lat=0', path, self.to)
        self.refused('--select lat=LOW:HIGH takes values', '-d', 'lat,30.,60.', path, self.to)
        self.refused('have no place', '--append', '--select', 'lat=0', path, path)

    # -- names and attributes

    def named(self, name='n.nc', fmt='NETCDF3_64BIT_DATA'):
        with netCDF4.Dataset(self.path(name), 'w', format=fmt) as d:
            d.title, d.n = 'a run', np.int32(5)
            d.createDimension('time', None)
            d.createDimension('x', 4)
            d.createDimension('bnds', 2)
            for var, dims, atts in (('x', ('x',), dict(units='m', bounds='x_bnds')), ('x_bnds', ('x', 'bnds'), {}),
                                    ('time', ('time',), dict(units='days since 2001-01-01')), ('lon2', ('x',), {}), ('crs', (), {}),
                                    ('T', ('time', 'x'), dict(coordinates='lon2  time', cell_methods='time: mean x: point (time: x lon2)',
                                                              cell_measures='area: lon2', grid_mapping='crs: x lon2', ancillary_variables='err T_x',
                                                              history='old', scale=np.float32(2), long_name='T of lon2')),
                                    ('err', ('time', 'x'), dict(history='older', units='K'))):
                v = d.createVariable(var, 'f4', dims)
                v.setncatts(atts)
                v[:] = (np.arange(3 if 'time' in dims else 1).reshape(-1, 1) * 10 + np.arange(4) if 'x' in dims and 'time' in dims
                        else np.arange(3) if dims == ('time',) else 7)
        return self.path(name)

    def test_rename(self):
        for ranks, fmt in ((1, 'NETCDF3_64BIT_DATA'), (2, 'NETCDF4')):
            path = self.named(fmt=fmt)
            self.good('-O', '--rename', 'x=i', '--rename', 'lon2=longitude', '--rename', 'T=err', '--rename', 'err=T', '--rename', 'time=t',
                      '--rename', 'T:scale=factor', '--rename', ':title=name', '--rename', '*:history=log', path, self.to, ranks=ranks)
            with netCDF4.Dataset(path) as a, netCDF4.Dataset(self.to) as b:
                new = dict(x='i', lon2='longitude', T='err', err='T', time='t')
                self.assertEqual([new.get(v, v) for v in a.variables], list(b.variables))
                self.assertEqual(sorted(b.dimensions), ['bnds', 'i', 't'])
                for v in a.variables:
                    self.assertEqual(a[v][:].tobytes(), b[new.get(v, v)][:].tobytes(), v)
                    self.assertEqual(tuple(new.get(n, n) for n in a[v].dimensions), b[new.get(v, v)].dimensions)
                self.assertEqual(b['err'].__dict__, dict(coordinates='longitude  t', cell_methods='t: mean i: point (time: x lon2)', log='old',
                                                         cell_measures='area: longitude', grid_mapping='crs: i longitude',
                                                         ancillary_variables='T T_x', factor=2, long_name='T of lon2'))
                self.assertEqual((b['i'].bounds, b.getncattr('name'), b['T'].log, b.ncattrs()), ('x_bnds', 'a run', 'older', ['name', 'n', 'history']))

    def test_what_a_variable_needs(self):
        """By all that CF names, in each command that takes variables, with texts that end in a NUL or in blanks."""
        path, other = self.path('cf.nc'), self.path('other.nc')
        all_but = {'only', 'model', 'err2'}
        with netCDF4.Dataset(path, 'w', format='NETCDF3_CLASSIC') as d:
            for name, n in (('time', None), ('lev', 2), ('rlat', 2), ('rlon', 3), ('bnds', 2), ('len', 4), ('n', 2)):
                d.createDimension(name, n)
            field = ('time', 'lev', 'rlat', 'rlon', 'n')
            for name, kind, dims, atts in (
                    ('ta', 'f4', field, dict(coordinates='lat lon label ', grid_mapping='rotated_pole: rlat rlon wgs84:lat lon', cell_measures='area: areacella volume: volcello',
                                             ancillary_variables='err absent', cell_methods='time: only')),
                    ('err', 'f4', ('time',), dict(ancillary_variables='flag\0')), ('flag', 'i1', ('time',), {}), ('err2', 'f4', ('time',), {}),
                    ('only', 'f4', ('time',), {}), ('model', 'f4', ('lev',), {}), ('time', 'f8', ('time',), dict(climatology='time_clim')), ('time_clim', 'f8', ('time', 'bnds'), {}),
                    ('lev', 'f8', ('lev',), dict(formula_terms='ap: ap b: b ps: ps', bounds='lev_bnds')), ('lev_bnds', 'f8', ('lev', 'bnds'), {}), ('ap', 'f8', ('lev',), {}),
                    ('b', 'f8', ('lev',), {}), ('ps', 'f4', ('time', 'rlat', 'rlon'), dict(grid_mapping='ps_pole')), ('ps_pole', 'S1', (), {}), ('rlat', 'f8', ('rlat',), {}),
                    ('rlon', 'f8', ('rlon',), {}), ('lat', 'f8', ('rlat', 'rlon'), dict(bounds='lat_v')), ('lat_v', 'f8', ('rlat', 'rlon', 'bnds'), {}), ('lon', 'f8', ('rlat', 'rlon'), {}),
                    ('label', 'S1', ('len',), {}), ('rotated_pole', 'S1', (), dict(grid_mapping_name='rotated_latitude_longitude')), ('wgs84', 'i4', (), {}),
                    ('areacella', 'f4', ('rlat', 'rlon'), {}), ('volcello', 'f4', ('lev', 'rlat', 'rlon'), {})):
                v = d.createVariable(name, kind, dims)
                v.setncatts(atts)
                if kind != 'S1':
                    v[...] = np.zeros([1 if n == 'time' else len(d.dimensions[n]) for n in dims])
            want = set(d.variables) - all_but
        for words in (['copy', '-v', 'ta', path], ['reduce', '-v', 'ta', 'mean', 'n', path], ['calc', 'ta = ta', path], ['copy', '-v', 'ta', '--merge', path]):
            p = subprocess.run([PARCDF, words[0], '-O', *words[1:], self.to], capture_output=True, text=True, timeout=60)
            self.assertEqual(p.returncode, 0, (words, p.stderr))
            with netCDF4.Dataset(self.to) as f:
                self.assertEqual(want ^ set(f.variables), set(), words)
        with netCDF4.Dataset(other, 'w') as d:  # in groups: the nearest of that name
            g = d.createGroup('g')
            for where, names in ((d, ('crs', 'area', 'lon')), (g, ('lon', 'T', 'x'))):
                for name in names:
                    where.createVariable(name, 'i4', ())
            g['T'].setncatts(dict(grid_mapping='crs', coordinates='lon', cell_measures='area: /area'))
        self.good('-O', '-v', 'g.T', other, self.to)
        with netCDF4.Dataset(self.to) as f:
            self.assertEqual(set(f.variables), {'g.T', 'g.lon', 'crs', 'area'})

    def test_rename_of_several(self):
        a, b = self.timed('a.nc', [0, 1]), self.timed('b.nc', [2])
        self.good('--rename', 'v=w', '--rename', 'time=t', '--drop', 'time:units', a, b, self.to, ranks=3)
        with netCDF4.Dataset(self.to) as f:
            self.assertEqual((list(f.variables), list(f['t'][:]), f['w'].shape, f['t'].ncattrs()), (['t', 'w'], [0, 1, 2], (3, 3), []))

    def test_drop_and_set(self):
        path = self.named()
        self.good('--drop', ':title', '--drop', 'T:history', '--drop', '*:units', '--drop', 'crs', '--rename', 'T=temp', '--set', 'temp:units=K',
                  '--set', ':n=7', '--set', ':title=of 2001-01-01, 5', '--set', 'temp:_FillValue=-999', '--set', 'temp:scale=0.1', '--set', 'temp:list=1,2,3',
                  '--set', 'temp:mixed=1,2.5', '--set', 'temp:short=5s', '--set', 'temp:text="5"', '--set', 'temp:large=5000000000', path, self.to)
        with netCDF4.Dataset(self.to) as f:
            t = f['temp']
            self.assertNotIn('crs', f.variables)
            self.assertNotIn('units', f['x'].ncattrs() + f['err'].ncattrs())
            self.assertEqual((f.n, type(f.n), f.title, t.units, t.text, t.mixed.tolist()), (7, np.int32, 'of 2001-01-01, 5', 'K', '5', [1, 2.5]))
            for att, value, kind in (('_FillValue', -999, np.float32), ('scale', np.float32(0.1), np.float32), ('short', 5, np.int16), ('large', 5000000000, np.int64)):
                self.assertEqual((t.getncattr(att), type(t.getncattr(att))), (value, kind))
            self.assertEqual((t.list.tolist(), t.list.dtype), ([1, 2, 3], np.int32))
            self.assertNotIn('history', t.ncattrs())

    def test_wrong_edits(self):
        path = self.named()
        for sentence, *args in (('the copy has no variable or dimension z', '--rename', 'z=y'), ('there is a variable of that name', '--rename', 'T=err'),
                                ('there is a dimension of that name', '--rename', 'x=bnds'), ('--rename wants OLD=NEW', '--rename', 'x'),
                                ('x gets two names', '--rename', 'x=a', '--rename', 'x=b'), ('no attribute T:z', '--rename', 'T:z=y'),
                                ('there is an attribute of that name', '--rename', 'T:history=scale'), ('the copy has no variable z', '--drop', 'z:a'),
                                ('there is no variable z', '--drop', 'z'), ('no attribute :z', '--drop', ':z'), ('no attribute \\*:z', '--drop', '*:z'),
                                ('-999.5 is no value of type int', '--set', ':n=-999.5'), ('--set wants VAR:ATT', '--set', 'a=b'),
                                ('the copy has no variable x', '-V', 'crs', '--set', 'x:a=b'), ('--rename x: ', '--rename', 'x=a/b'),
                                ('_FillValue wants one number', '--set', 'T:_FillValue=none'), ('--set :m: NC_INT64 needs CDF-5', '-k', '1', '--set', ':m=5000000000'),
                                ('have no place', '--append', '--rename', 'T=U')):
            self.refused(sentence, *args, path, self.to, ranks=2 if args[1] == 'z=y' else 1)

    def history(self, *args, **more):
        self.good('-O', *args, self.to, **more)
        with netCDF4.Dataset(self.to) as f:
            return getattr(f, 'history', '').splitlines()

    def test_history(self):
        """A line where the copy is no plain conversion; --history and --no-history say so."""
        path, day = self.named(), r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ: parcdf copy -O '
        self.assertEqual(self.history(path), [])
        self.assertEqual(self.history('-k', '5', '--record-align', '4K', '-u', path), [])
        self.assertRegex(self.history('--history', path, ranks=3)[0], day + '--history ' + path)
        os.rename(self.to, self.path('old.nc'))
        lines = self.history(self.path('old.nc'), '-V', 'T', ranks=2)
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], day + self.path('old.nc') + ' -V T ' + self.to)
        self.assertEqual(len(self.history('--no-history', '-V', 'T', self.path('old.nc'))), 1)
        for args in (['-d', 'x,0'], ['--select', 'time=1'], ['--rename', 'T=t'], ['-h'], [self.path('old.nc')]):
            self.assertRegex(self.history(*args, path)[0], day)
        self.refused('--history has no place beside --append', '--history', '--append', path, self.to)

    def test_dry_run(self):
        path = self.named()
        for ranks in (1, 2):
            out = self.good('-n', '-V', 'T,x', '-d', 'x,1,2', path, self.path('none.nc'), ranks=ranks)[1]
            self.assertEqual(out.splitlines(), ['float x(x = 2)', 'float T(time = 3, x = 2)', '32 bytes are read, 32 written'])
            told = json.loads(self.good('--dry-run', '--json', path, path, self.path('none.nc'), ranks=ranks)[1])
            self.assertEqual((told['variables'][5]['shape'], told['bytes_written']), ([6, 4], 284))
        self.assertNotIn('none.nc', os.listdir(self.dir.name))

    # -- variables of several files

    def of_run(self, name, fmt, n, dims, vars, unlimited='time', **values):
        """A file with these variables, whose values are random but for those given."""
        rng = np.random.default_rng(n)
        with netCDF4.Dataset(self.path(name), 'w', format=fmt) as d:
            d.source = name
            for dim, length in dims.items():
                d.createDimension(dim, None if dim == unlimited else length)
            for var, axes in vars.items():
                chunks = dict(zlib=True) if fmt == 'NETCDF4' and axes else {}
                v = d.createVariable(var, 'f8', axes, **chunks)
                v.units = var
                v[:] = values.get(var, rng.random([dims[a] for a in axes]))
        return self.path(name)

    def test_merge(self):
        dims, times, lats = dict(time=60, lat=40, lon=300), np.arange(60), np.arange(40)
        a = self.of_run('a.nc', 'NETCDF3_64BIT_OFFSET', 1, dims, dict(time=('time',), lat=('lat',), T=('time', 'lat', 'lon'), mask=('lat',)),
                        time=times, lat=lats, mask=lats)
        b = self.of_run('b.nc', 'NETCDF4', 2, dict(dims, lev=3), dict(S=('time', 'lev', 'lat'), lat=('lat',), time=('time',), mask=('lat',)),
                        time=times, lat=lats, mask=lats)
        c = self.of_run('c.nc', 'NETCDF3_64BIT_DATA', 3, dict(time=60, lat=40, station=7), dict(P=('time', 'lat'), lat=('lat',), H=('station',)),
                        unlimited='station', lat=lats)
        owner = dict(time=a, lat=a, T=a, mask=a, S=b, P=c, H=c)
        for ranks in (1, 2, 3):
            self.good('-O', '--merge', a, b, c, self.to, ranks=ranks)
            with netCDF4.Dataset(self.to) as f:
                self.assertEqual((sorted(f.variables), f.source, f.data_model), (sorted(owner), 'a.nc', 'NETCDF3_64BIT_DATA'))
                self.assertEqual({n: (len(d), d.isunlimited()) for n, d in f.dimensions.items()},
                                 dict(time=(60, True), lat=(40, False), lon=(300, False), lev=(3, False), station=(7, False)))
                for var, path in owner.items():
                    with netCDF4.Dataset(path) as g:
                        self.assertEqual((g[var].dimensions, g[var].units), (f[var].dimensions, f[var].units))
                        self.assertTrue(g[var][:].tobytes() == f[var][:].tobytes(), var)
        self.good('-O', '--merge', '-v', 'S,T', '-d', 'time,3,50,7', '--rename', 'S=salt', a, b, c, self.to, ranks=2)
        with netCDF4.Dataset(self.to) as f, netCDF4.Dataset(b) as g, netCDF4.Dataset(a) as h:
            self.assertTrue(g['S'][3:51:7].tobytes() == f['salt'][:].tobytes() and h['T'][3:51:7].tobytes() == f['T'][:].tobytes())
        self.disagree(a, dims, times, lats)

    def disagree(self, a, dims, times, lats):
        other = dict(T=('time', 'lat', 'lon'), time=('time',))
        d = self.of_run('d.nc', 'NETCDF3_64BIT_DATA', 4, dims, other, time=times)
        self.refused('d.nc: variable T has other values than in \\S*a.nc\n', '--merge', a, d, self.to + '0', ranks=2)
        for option, path in (('--keep-first', a), ('--keep-last', d)):
            self.good('-O', '--merge', option, a, d, self.to, ranks=2)
            with netCDF4.Dataset(self.to) as f, netCDF4.Dataset(path) as g:
                self.assertTrue(g['T'][:].tobytes() == f['T'][:].tobytes())
        e = self.of_run('e.nc', 'NETCDF3_64BIT_DATA', 4, dims, dict(U=('lat',), lat=('lat',)), lat=lats + 1)
        self.refused('e.nc: variable lat has other values than in', '--merge', '--keep-last', a, e, self.to + '0')
        e = self.of_run('e.nc', 'NETCDF3_64BIT_DATA', 4, dict(dims, lat=41), dict(U=('lat',)))
        self.refused('e.nc: dimension lat has length 41, in the files before 40', '--merge', a, e, self.to + '0', ranks=2)
        e = self.of_run('e.nc', 'NETCDF3_64BIT_DATA', 4, dict(dims, time=61), dict(U=('time',)))
        self.refused('e.nc: dimension time has length 61, in the files before 60', '--merge', a, e, self.to + '0')
        e = self.of_run('e.nc', 'NETCDF3_64BIT_DATA', 4, dims, dict(T=('time', 'lat')))
        self.refused('e.nc: variable T has another type or shape than in', '--merge', a, e, self.to + '0')
        self.refused('has no place beside', '--merge', '--select', 'lat=1', a, d, self.to + '0')
        self.refused('--keep-last is for --merge', '--keep-last', a, d, self.to + '0')

    # -- order

    def timed(self, name, times, units='days since 2001-01-01', dtype='f8', **atts):
        with netCDF4.Dataset(self.path(name), 'w', format='NETCDF3_64BIT_DATA') as d:
            d.createDimension('time', None)
            d.createDimension('x', 3)
            t = d.createVariable('time', dtype, ('time',))
            t.setncatts(dict(units=units, **atts))
            t.set_auto_maskandscale(False)
            t[:] = times
            d.createVariable('v', 'f4', ('time', 'x'))[:] = np.arange(3 * len(times)).reshape(-1, 3) + len(times)
        return self.path(name)

    def test_order(self):
        """Records that go back or repeat from one file to the next are told, with both files and values; or refused."""
        a, b, c = self.timed('a.nc', [0, 1, 2]), self.timed('b.nc', [2, 3]), self.timed('c.nc', [0.25, 9])
        d = self.timed('d.nc', [10, 11])
        self.assertEqual(self.good(a, d, self.to)[2], '')
        _, out, err = self.good('-O', a, b, c, d, self.to, ranks=2)
        self.assertEqual((out, err), ('', 'parcdf: %s: time repeats: the first record has 2001-01-03, as the last of %s (--strict-order refuses this)\n'
                                      'parcdf: %s: time goes back: the first record has 2001-01-01T06, and %s ends at 2001-01-04 '
                                      '(--strict-order refuses this)\n' % (b, a, c, b)))
        with netCDF4.Dataset(self.to) as f:
            self.assertEqual(list(f['time'][:]), [0, 1, 2, 2, 3, 0.25, 9, 10, 11])
        os.unlink(self.to)
        self.refused('b.nc: time repeats: the first record has 2001-01-03, as the last of .*a.nc\n', '--strict-order', a, b, d, self.to, ranks=3)
        self.refused('c.nc: time goes back', '--strict-order', '--append', c, a)
        self.assertIn('c.nc: time goes back', self.good('--append', c, a)[2])

    def test_order_of_parts(self):
        """What counts is the records that are taken."""
        a, b = self.timed('a.nc', range(10)), self.timed('b.nc', range(5, 15))
        self.assertIn('b.nc: time goes back', self.good('-O', a, b, self.to)[2])
        self.assertEqual(self.good('-O', '--strict-order', '--select', 'time=2001-01-12:', a, b, self.to)[2], '')
        self.assertIn('b.nc: time goes back: the first record has 2001-01-07, and', self.good('-O', '--select', 'time=2001-01-07:', a, b, self.to)[2])

    def test_order_of_others(self):
        down = [self.timed('%d.nc' % i, [-i, -i - 0.5]) for i in (1, 2, 3)]
        self.assertEqual(self.good('-O', *down, self.to)[2], '')
        self.assertIn('2.nc: time goes back: the first record has 2000-12-30, and', self.good('-O', down[0], down[2], down[1], self.to)[2])
        plain = [self.timed('p%d.nc' % i, [i], units='m') for i in (4, 3)]
        self.assertIn('the first record has 3, and', self.good('-O', *plain, self.to)[2])
        packed = [self.timed('q%d.nc' % i, [i], 'hours since 2001-01-01', 'i2', scale_factor=-6.0) for i in (3, 4)]
        self.assertIn('the first record has 2000-12-31, and', self.good('-O', *packed, self.to)[2])
        self.assertEqual(self.good('-O', *packed[::-1], self.to)[2], '')
        a = self.timed('a.nc', [3])
        self.assertEqual(self.good('-O', a, self.timed('b.nc', [4], 'days since 2001-1-1 00:00:00', calendar='standard'), self.to)[2], '')
        self.refused('time:units is not as in', a, self.timed('z.nc', [4], 'days since 2001-01-01 00:00:00 +1:00'), self.to + '0')
        self.refused('time:units is not as in .*a.nc: its numbers mean something else .parcdf join converts', a,
                     self.timed('u.nc', [400], 'hours since 2001-01-01'), self.to + '0')
        many = [self.timed('m%02d.nc' % i, [20 - i]) for i in range(12)]
        self.assertEqual(self.good('-O', *many, self.to)[2].splitlines()[5:], ['parcdf: 6 more files go back or repeat'])
        self.good('-O', '-V', 'v', many[1], many[0], self.to)

    def test_order_of_dates(self):
        paths = []
        for i, date in enumerate(('2001-01-31_18:00:00', '2001-02-01_00:00:00', '2001-01-31_18:00:00')):
            paths.append(self.path('w%d.nc' % i))
            with netCDF4.Dataset(paths[-1], 'w', format='NETCDF3_CLASSIC') as d:
                d.createDimension('Time', None)
                d.createDimension('DateStrLen', 19)
                d.createVariable('Times', 'S1', ('Time', 'DateStrLen'))[:] = np.array([list(date)], 'S1')
        self.assertEqual(self.good(*paths[:2], self.to)[2], '')
        self.assertIn('w2.nc: Times goes back: the first record has 2001-01-31T18:00:00, and %s ends at 2001-02-01T00:00:00' % paths[1],
                      self.good('-O', *paths, self.to)[2])


if __name__ == '__main__':
    words = [a for a in sys.argv[1:] if not a.startswith('Select')]
    if len(words) not in (1, 2):
        sys.exit(__doc__)
    PARCDF = words[0]
    MPIEXEC = words[1].split() if len(words) == 2 else []
    unittest.main(argv=[sys.argv[0], *[a for a in sys.argv[1:] if a.startswith('Select')]])
