#!/usr/bin/env python3
"""Fixes what `parcdf refs` makes of several files: arrays with the values of one file that has all records, as Zarr
(python3-zarr through python3-fsspec) and our own reader see them; files whose chunks cannot be one array, each with its
sentence.
usage: refs_series_test.py PARCDF"""
import json, os, subprocess, sys, tempfile, unittest, warnings
try:
    import fsspec, netCDF4, numpy as np, zarr
except ImportError as missing:
    print('skipped:', missing)
    sys.exit(77)

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2


def parcdf(*args):
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0') if args[0] == 'copy' else None  # MPI holds memory at exit
    p = subprocess.run([PARCDF, *args], capture_output=True, text=True, timeout=100, env=env)
    return p.returncode, p.stdout, p.stderr


class OneByOne(dict):
    """What fsspec has of the references; a chunk that is not there is fill."""

    def __init__(self, refs):
        mapper = fsspec.filesystem('reference', fo=refs, remote_protocol='file', skip_instance_cache=True).get_mapper('')
        super().__init__({key: mapper[key] for key in refs['refs']})


class RefsOfSeries(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def make(self, name, begin, n, format='NETCDF4', chunks=(2, 3, 4), unlimited=True, late=False, **more):
        path = self.path(name)
        with netCDF4.Dataset(path, 'w', format=format) as d:
            d.createDimension('time', None if unlimited else n)
            d.createDimension('y', 3)
            d.createDimension('x', 4)
            t = d.createVariable('time', 'f8', ('time',))
            t.units = 'hours since 2000-01-01'
            kind = {} if format.startswith('NETCDF3') or chunks is None else dict(chunksizes=chunks, **more)
            v = d.createVariable('T', 'f4', ('time', 'y', 'x'), **kind)
            v.units = 'K'
            s = d.createVariable('s', 'i2', ('time', 'x'), fill_value=-5, **({'chunksizes': (1, 4)} if kind else {}))
            d.createVariable('area', 'f8', ('y', 'x'))[:] = np.arange(12).reshape(3, 4)
            d.createVariable('scalar', 'i4', ())[...] = 7
            d.title = 'a part'
            times = np.arange(begin, begin + n)
            if n == 0:
                return path
            t[:] = times
            if not late:
                v[:] = times[:, None, None] * 100. + np.arange(12).reshape(3, 4)
                s[:] = times[:, None] + np.arange(4) * 10
        return path

    def several(self, lengths, **how):
        begins = [sum(lengths[:i]) for i in range(len(lengths))]
        paths = [self.make('f%03d.nc' % i, b, n, **how) for i, (b, n) in enumerate(zip(begins, lengths))]
        return paths, self.make('whole.nc', 0, sum(lengths), **{**how, 'unlimited': True})

    def check(self, paths, whole, *args):
        """The values of the one file, by Zarr and by our own reader."""
        to = self.path('refs.json')
        self.assertEqual(parcdf('refs', '-O', '-o', to, *args, *paths), (GOOD, '', ''))
        with open(to) as f:
            refs = json.load(f)
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            group = zarr.open_group(OneByOne(refs), mode='r')
        with netCDF4.Dataset(whole) as d:
            d.set_auto_maskandscale(False)
            self.assertEqual(set(group), set(d.variables))
            for name, v in d.variables.items():
                self.assertEqual(group[name].attrs['_ARRAY_DIMENSIONS'], list(v.dimensions))
                np.testing.assert_array_equal(group[name][...], v[...], name)
        p = parcdf('diff', '-A', '_FillValue', whole, to)
        self.assertRegex(p[1], 'are the same|, 0 values in 0 of', p)
        return refs['refs']

    def refused(self, paths, sentence, *args):
        status, out, err = parcdf('refs', *args, *paths)
        self.assertEqual((status, out, err.count('\n')), (UNUSABLE, '', 1), err)
        self.assertRegex(err, sentence)

    def test_classic(self):
        for format in ('NETCDF3_CLASSIC', 'NETCDF3_64BIT_DATA'):
            paths, whole = self.several((3, 1, 0, 5), format=format)
            refs = self.check(paths[::-1], whole)
            self.assertEqual(refs['T/4.0.0'][0], os.path.realpath(paths[3]))
            self.assertTrue(refs['time/0'].startswith('base64:'))
            self.assertEqual(json.loads(refs['T/.zarray'])['chunks'], [1, 3, 4])
            refs = self.check(paths, whole, '--inline', '100')
            self.assertTrue(refs['s/0.0'].startswith('base64:'))
            refs = json.loads(parcdf('refs', '-u', 's3://bucket/run/', *paths)[1])['refs']
            self.assertEqual((refs['T/0.0.0'][0], refs['T/3.0.0'][0]), ('s3://bucket/run/f000.nc', 's3://bucket/run/f001.nc'))

    def test_lone_record_variable(self):
        """Its records follow each other in each file, and there are not equally many."""
        paths = []
        for i, n in enumerate((5, 2, 4)):
            paths.append(self.path('l%d.nc' % i))
            with netCDF4.Dataset(paths[-1], 'w', format='NETCDF3_CLASSIC') as d:
                d.createDimension('t', None)
                d.createDimension('x', 3)
                d.createVariable('v', 'i2', ('t', 'x'))[:] = np.arange(3 * n).reshape(n, 3) + 100 * i
        status, out, err = parcdf('refs', *paths)
        self.assertEqual((status, err), (GOOD, ''))
        got = zarr.open_group(OneByOne(json.loads(out)), mode='r')['v'][:]
        np.testing.assert_array_equal(got, np.concatenate([np.arange(3 * n).reshape(n, 3) + 100 * i for i, n in enumerate((5, 2, 4))]))

    def test_netcdf4(self):
        for lengths, how in (((4, 2, 0, 6), {}), ((4, 2, 3), dict(zlib=True)), ((2, 2), dict(zlib=True, shuffle=False)),
                             ((4, 4), dict(chunks=(4, 3, 4), fill_value=3))):
            paths, whole = self.several(lengths, **how)
            refs = self.check(paths, whole)
            self.assertEqual(len([k for k in refs if k.startswith('T/') and '.z' not in k]),
                             sum(-(-n // how.get('chunks', (2,))[0]) for n in lengths), how)

    def test_contiguous(self):
        """Cut into what divides all lengths, or one chunk a file."""
        for lengths, chunk in (((3, 3, 3), 3), ((6, 3, 9), 3), ((4, 2, 3), 1)):
            paths, whole = self.several(lengths, unlimited=False, chunks=None)
            refs = self.check(paths, whole)
            self.assertEqual(json.loads(refs['T/.zarray'])['chunks'], [chunk, 3, 4])

    def test_zarr(self):
        paths, whole = self.several((4, 2), chunks=(2, 3, 4))
        stores = [p + '.zarr' for p in paths]
        for p, s in zip(paths, stores):
            self.assertEqual(parcdf('copy', '-k', 'zarr', '--chunks', 'time/2,y/3,x/4', p, s)[0], GOOD)
        self.check(stores, whole)

    def test_chunks_that_were_never_written(self):
        """In one file: then the array says what stands for them."""
        paths, whole = self.several((4, 2, 2))
        self.make('f001.nc', 4, 2, late=True)
        refs = json.loads(parcdf('refs', *paths)[1])
        self.assertEqual([k for k in refs['refs'] if k.startswith('s/') and '.z' not in k],
                         ['s/%d.0' % i for i in (0, 1, 2, 3, 6, 7)])
        self.assertEqual(json.loads(refs['refs']['s/.zarray'])['fill_value'], -5)
        self.assertEqual(json.loads(refs['refs']['T/.zarray'])['fill_value'], float(np.float32(netCDF4.default_fillvals['f4'])))
        got = zarr.open_group(OneByOne(refs), mode='r')['s'][:]
        self.assertEqual([(row == -5).all() for row in got], [False] * 4 + [True] * 2 + [False] * 2)

    def test_refused(self):
        a, b, c = (self.make('%s.nc' % n, b, 3, zlib=True) for n, b in (('a', 0), ('b', 3), ('c', 6)))
        self.refused([a, b, c], r'a\.nc: variable T: its last chunk along time is not full \(3 in chunks of 2\)')
        b = self.make('b.nc', 4, 2, chunks=(1, 3, 4), zlib=True)
        a = self.make('a.nc', 0, 4, zlib=True)
        self.refused([a, b], r'b\.nc: variable T has other chunks, codecs or types than in .*a\.nc')
        b = self.make('b.nc', 4, 2)
        self.refused([a, b], r'b\.nc: variable T has other chunks, codecs')
        b = self.make('b.nc', 4, 2, format='NETCDF3_CLASSIC')
        self.refused([a, b], r'one set of references can be to classic files or to files of other formats')
        with netCDF4.Dataset(b, 'a') as d:
            d['time'].units = 'hours since 2000-01-02'
        a = self.make('a.nc', 0, 4, format='NETCDF3_CLASSIC')
        self.refused([a, b], 'variable time has another units than in')
        self.refused([a, a], 'along their record dimension, not along x', '--along', 'x')
        b = self.make('b.nc', 4, 2, format='NETCDF3_CLASSIC')
        os.truncate(b, os.path.getsize(b) - 30)
        self.refused([a, b], r'b\.nc: data is missing at its end')

    def test_parquet(self):
        """parcdf reads references in JSON only, and says so of those that kerchunk keeps in Parquet."""
        folder = self.path('one.parq')
        os.mkdir(folder)
        with open(os.path.join(folder, '.zmetadata'), 'w') as f:
            json.dump({'metadata': {'.zgroup': {'zarr_format': 2}}, 'record_size': 10000}, f)
        status, out, err = parcdf('dump', folder)
        self.assertEqual((status, out), (UNUSABLE, ''))
        self.assertIn('holds kerchunk references in Parquet, which parcdf does not read', err)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=0)
