#!/usr/bin/env python3
"""Fixes what `parcdf refs` promises: Zarr (python3-zarr through python3-fsspec) reads every file of the corpus in place with
the values, shapes, types and attributes of tests/reader, xarray those of its own reader of netCDF; large variables in equal
chunks, also where their lengths are prime and where the file ends; a file that is cut off; options and outputs.
usage: refs_test.py PARCDF"""
import collections.abc, json, math, os, re, subprocess, sys, tempfile, unittest, warnings, zipfile
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'support'))
import cdf, corpus
from cdfbuild import Build
try:
    import fsspec, numpy, xarray, zarr
except ImportError as missing:
    print('skipped:', missing)
    sys.exit(77)

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2
MIB = 1 << 20
PRIME = 2500009  # bytes of a variable that no chunk of a MiB divides
PATTERN = set('*?[')  # fsspec takes a name with one of these for a pattern
DTYPES = {1: 'i1', 2: 'S1', 3: '>i2', 4: '>i4', 5: '>f4', 6: '>f8', 7: 'u1', 8: '>u2', 9: '>u4', 10: '>i8', 11: '>u8'}


def parcdf(*args):
    p = subprocess.run([PARCDF, 'refs', *args], capture_output=True, text=True, timeout=60)
    return p.returncode, p.stdout, p.stderr


def references(*args):
    status, out, err = parcdf(*args)
    left_out = 'no place for a variable of the name back' in err
    assert (status, err.count('\n')) == (BAD, 1) if left_out else (status, err) == (GOOD, ''), (args, status, err)
    return json.loads(out)


def group_of(refs):
    files = fsspec.filesystem('reference', fo=refs, remote_protocol='file', skip_instance_cache=True)
    return zarr.open_group(files.get_mapper(''), mode='r')


def plain(value):
    """An attribute's value as JSON has it, comparable: NaN is a word."""
    if isinstance(value, list):
        return [plain(x) for x in value]
    return 'nan' if isinstance(value, float) and math.isnan(value) else value


def attribute(att):
    if att.type == 2:
        return re.sub('[\udc80-\udcff]', '\ufffd', att.raw.rstrip(b'\0').decode('utf-8', 'surrogateescape'))  # a byte each
    return plain(att.values[0] if len(att.values) == 1 else list(att.values))


class Refs(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.files = corpus.make(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name, raw=None):
        path = os.path.join(self.folder.name, name)
        if raw is not None:
            with open(path, 'wb') as f:
                f.write(raw)
        return path

    def same_attributes(self, found, atts):
        self.assertEqual({k: plain(v) for k, v in found.items() if k != '_NCZARR_ATTR'}, {a.name: attribute(a) for a in atts})

    def same_as_reader(self, refs, path):
        group, f = group_of(refs), cdf.File(path, zero_missing=True)
        self.same_attributes(dict(group.attrs), f.atts)
        variables = [v for v in f.vars if '\\' not in v.name]  # which is a slash to Zarr
        self.assertEqual(set(group), {v.name for v in variables})
        for v in variables:
            if set(v.name) & PATTERN:
                continue
            array = group[v.name]
            attributes = dict(array.attrs)
            names = attributes.pop('_ARRAY_DIMENSIONS')
            self.assertEqual(names, [f.dims[d][0] if isinstance(f.dims[d], tuple) else f.dims[d].name for d in v.dimids])
            self.same_attributes(attributes, v.atts)
            self.assertEqual((array.dtype, array.shape), (numpy.dtype(DTYPES[v.type]), tuple(v.shape)), v.name)
            self.assertEqual(numpy.asarray(array[...]).tobytes(), bytes(v.raw()), (path, v.name))

    def test_zarr_reads_the_corpus(self):
        self.assertGreater(len(self.files), 60)
        for i, path in enumerate(self.files):
            for args in [[]] + [['--inline', '3000']] * (i % 4 == 0):
                with self.subTest(path=os.path.basename(path), args=args):
                    self.same_as_reader(references(*args, path), path)

    def test_xarray_reads_the_corpus(self):
        """Decoded: fill values, scales, times, text."""
        read = 0
        for path in (p for p in self.files if not p.endswith('names_plain.nc')):  # see PATTERN
            name = os.path.basename(path)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter('ignore')
                    want = xarray.open_dataset(path, engine='netcdf4').load()
            except Exception:  # what xarray does not take from netCDF, it need not take from Zarr
                continue
            with self.subTest(path=name), warnings.catch_warnings():
                warnings.simplefilter('ignore')
                got = xarray.open_dataset('reference://', engine='zarr', backend_kwargs={
                    'consolidated': False, 'storage_options': {'fo': references(path), 'remote_protocol': 'file',
                                                               'skip_instance_cache': True}}).load()
                self.assertEqual(set(got.variables), set(want.variables))
                for v in want.variables:
                    a, b = got[v], want[v]
                    self.assertEqual((a.dims, a.shape, a.dtype.kind), (b.dims, b.shape, b.dtype.kind), v)
                    a, b = ((x.values.astype(str) if x.dtype == object else x.values) for x in (a, b))
                    numpy.testing.assert_array_equal(a, b, v)
                read += 1
        self.assertGreater(read, 40)

    def chunked(self, name, args=('-c', '1'), **what):
        path = self.path(name, Build(**what).bytes)
        refs = references(*args, path)
        self.same_as_reader(refs, path)
        return refs['refs'], os.path.getsize(path)

    def test_chunks_of_fixed_variables(self):
        x = [('x', PRIME), ('even', 3 * MIB), ('y', 40), ('z', 100000)]
        refs, size = self.chunked('fixed.nc', version=5, dims=x, vars=[
            ('even', 1, ['even'], []), ('deep', 1, ['y', 'z'], []), ('prime', 1, ['x'], []), ('behind', 1, ['even'], [])])
        self.assertEqual([refs['even/%d' % i][2] for i in range(3)], [MIB] * 3)
        self.assertNotIn('even/3', refs)
        self.assertEqual(json.loads(refs['deep/.zarray'])['chunks'], [10, 100000])
        chunk = -(-PRIME // 3)
        self.assertEqual([refs['prime/%d' % i][1:] for i in range(3)],
                         [[refs['prime/0'][1] + i * chunk, chunk] for i in range(3)])

    def test_last_chunk_at_the_end_of_the_file(self):
        """A prime length, and nothing behind it: the last chunk is written out."""
        path = self.path('end.nc', Build(5, dims=[('x', PRIME)], vars=[('prime', 1, ['x'], [])]).bytes[:-3])  # no padding
        refs, size = references('-c', '1', path), os.path.getsize(path)
        self.same_as_reader(refs, path)
        refs = refs['refs']
        self.assertIsInstance(refs['prime/2'], str)
        self.assertTrue(all(offset + n <= size for _, offset, n in (r for r in refs.values() if isinstance(r, list))))

    def test_chunks_of_records(self):
        refs, _ = self.chunked('lone.nc', version=1, numrecs=3000, dims=[('t', 0), ('x', 1000)], vars=[('a', 1, ['t', 'x'], [])])
        self.assertEqual(json.loads(refs['a/.zarray'])['chunks'], [1000, 1000])
        self.assertEqual(len([k for k in refs if k.startswith('a/') and '.z' not in k]), 3)
        refs, _ = self.chunked('two.nc', version=1, numrecs=3, dims=[('t', 0), ('x', 3 * MIB)],
                               vars=[('a', 1, ['t', 'x'], []), ('time', 6, ['t'], [])])
        self.assertEqual(json.loads(refs['a/.zarray'])['chunks'], [1, MIB])
        self.assertEqual(refs['a/2.1'][1] - refs['a/1.0'][1], 4 * MIB + 8)
        refs, _ = self.chunked('inline.nc', args=('--inline', '800'), version=1, numrecs=100, dims=[('t', 0), ('x', 300)],
                               vars=[('a', 1, ['t', 'x'], []), ('time', 6, ['t'], [])])
        self.assertEqual(json.loads(refs['time/.zarray'])['chunks'], [100])
        self.assertTrue(refs['time/0'].startswith('base64:'))

    def test_cut_off(self):
        whole = Build(1, numrecs=4, dims=[('t', 0), ('x', 5)], vars=[('a', 4, ['t', 'x'], []), ('b', 3, ['t'], [])]).bytes
        path = self.path('cut.nc', whole[:-30])
        status, out, err = parcdf(path)
        self.assertEqual((status, err.count('\n')), (BAD, 1), err)
        self.assertIn('taken as zero', err)
        self.same_as_reader(json.loads(out), path)

    def test_far_too_short(self):
        b = Build(5, dims=[('x', 70 * MIB)], vars=[('a', 1, ['x'], [])], data=False)
        path = self.path('short.nc', b.bytes)
        self.assertEqual(parcdf(path)[:2], (BAD, ''))
        with open(path, 'r+b') as f:
            f.truncate(MIB * 70)  # whole by a few bytes
        self.assertEqual(parcdf(path)[0], BAD)

    def test_names_that_zarr_has_no_place_for(self):
        """The others are there."""
        b = Build(1, dims=[('x', 1)], vars=[('a', 4, ['x'], []), ('b', 4, ['x'], [])], put={'var:a:name': b'.'})
        status, out, err = parcdf(self.path('dot.nc', b.bytes))
        self.assertEqual((status, err.count('\n')), (BAD, 1))
        self.assertEqual(sorted(json.loads(out)['refs']), ['.zattrs', '.zgroup', 'b/.zarray', 'b/.zattrs', 'b/0'])

    def test_url_and_output(self):
        path, out = self.files[5], self.path('out.json')
        refs = references('--url', 's3://bucket/{x}', path)['refs']
        self.assertTrue(all(r[0] == 's3://bucket/{x}' for r in refs.values() if isinstance(r, list)))
        self.assertEqual(parcdf('-o', out, path), (GOOD, '', ''))
        self.assertEqual(json.load(open(out)), references(path))
        status, _, err = parcdf('-o', out, path)
        self.assertEqual((status, err), (UNUSABLE, 'parcdf: %s: the file exists (option -O replaces it)\n' % out))
        self.assertEqual(parcdf('-O', '-o', out, path), (GOOD, '', ''))
        self.assertEqual([n for n in os.listdir(self.folder.name) if '.parcdf-' in n], [])

    def test_misuse(self):
        for args in ([], ['-c', '0', 'a'], ['-c', '1025', 'a'], ['-i', 'x', 'a'], ['-o'], ['--none', 'a']):
            status, out, err = parcdf(*args)
            self.assertEqual((status, out, err.count('\n')), (UNUSABLE, '', 2), (args, err))


class OneByOne(collections.abc.MutableMapping):
    """Debian's fsspec gets several keys at once, and fails where one is missing; one by one a missing chunk is fill."""

    def __init__(self, refs):
        self.of = fsspec.filesystem('reference', fo=refs, remote_protocol='file', skip_instance_cache=True).get_mapper('')
        self.keys = set(refs['refs'])

    def __getitem__(self, key):
        if key not in self.keys:
            raise KeyError(key)
        return self.of[key]

    def __iter__(self):
        return iter(self.keys)

    def __len__(self):
        return len(self.keys)

    def __setitem__(self, key, value):
        raise NotImplementedError

    __delitem__ = __setitem__


class OtherFormats(unittest.TestCase):
    """References to files that are not classic: zarr-python and our own reader read the values that the file has."""

    def setUp(self):
        try:
            import h5py, netCDF4
        except ImportError as missing:
            self.skipTest(str(missing))
        self.h5py, self.netCDF4 = h5py, netCDF4
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def refer(self, path, *args):
        """The references, which our own reader finds equal to the file."""
        to = self.path('refs.json')
        self.assertEqual(parcdf('-O', '-o', to, *args, path)[0::2], (GOOD, ''))
        p = subprocess.run([PARCDF, 'diff', '-A', '_FillValue', path, to], capture_output=True, text=True, timeout=60)
        self.assertRegex(p.stdout, 'are the same|, 0 values in 0 of', p.stderr)
        with open(to) as f:
            return json.load(f)

    def test_netcdf4(self):
        path, dice = self.path('a.nc4'), numpy.random.default_rng(7)
        with self.netCDF4.Dataset(path, 'w') as d:
            for name, n in (('t', None), ('y', 7), ('x', 11)):
                d.createDimension(name, n)
            d.title = 'of all kinds'
            for kind in ('i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f4', 'f8'):
                for order in ('little', 'big'):
                    for more in ({}, {'zlib': True, 'chunksizes': (2, 3, 11)}, {'zlib': True, 'shuffle': False, 'complevel': 9},
                                 {'chunksizes': (1, 7, 4)}, {'zlib': True, 'fill_value': 3}):
                        name = '%s_%s_%d' % (kind, order, len(d.variables))
                        d.createVariable(name, kind, ('t', 'y', 'x'), endian=order, **more)[:] = dice.integers(0, 100, (5, 7, 11))
            d.createVariable('late', 'f8', ('t', 'x'), chunksizes=(1, 11))[3] = 7  # records 0 to 2 and 4 are in no chunk
            d.createVariable('fixed', 'f4', ('y', 'x'), contiguous=True)[:] = dice.random((7, 11))
            d.createVariable('scalar', 'i4', ())[...] = 5
            d.createVariable('words', str, ('y',))[:] = numpy.array(['w' * i for i in range(7)], object)
            d.createGroup('g').createVariable('v', 'i2', ('x',))[:] = range(11)
        refs = self.refer(path)
        group = zarr.open_group(OneByOne(refs), mode='r')
        with self.netCDF4.Dataset(path) as d:
            d.set_auto_mask(False)
            for name, var in d.variables.items():
                if name == 'words':
                    self.assertEqual([bytes(w).decode() for w in group[name][:]], list(var[:]))
                    continue
                numpy.testing.assert_array_equal(group[name][...], var[...], name)
                self.assertEqual(group[name].attrs['_ARRAY_DIMENSIONS'], list(var.dimensions))
            self.assertEqual((group.attrs['title'], list(group['g.v'])), (d.title, list(range(11))))
        self.assertEqual((group['g.v'].attrs['_path'], group['late'].fill_value, group['i4_big_46'].fill_value, group['i4_big_49'].fill_value),
                         ('/g/v', self.netCDF4.default_fillvals['f8'], None, 3))
        files = {ref[0] for ref in refs['refs'].values() if isinstance(ref, list)}
        self.assertEqual(files, {os.path.realpath(path)})
        files = {ref[0] for ref in self.refer_elsewhere(path)['refs'].values() if isinstance(ref, list)}
        self.assertEqual(files, {'s3://bucket/a.nc4'})
        whole = self.refer(path, '-i', '100000')
        self.assertFalse([ref for ref in whole['refs'].values() if isinstance(ref, list)])
        with xarray.open_dataset('reference://', engine='zarr', backend_kwargs={
                'consolidated': False, 'storage_options': {'fo': refs, 'remote_protocol': 'file'}}) as x, xarray.open_dataset(path) as y:
            for name in ('i4_big_46', 'f8_little_92'):
                numpy.testing.assert_array_equal(x[name].values, y[name].values, name)

    def refer_elsewhere(self, path):
        return json.loads(parcdf('-u', 's3://bucket/a.nc4', path)[1])

    def test_hdf5(self):
        """One piece in several chunks; checksums, which Debian's numcodecs does not know; what no numcodecs knows."""
        path = self.path('a.h5')
        with self.h5py.File(path, 'w') as f:
            f['large'] = numpy.arange(3 << 19, dtype='<i4').reshape(1536, 1024)
            f.create_dataset('sums', data=numpy.arange(100.), chunks=(30,), fletcher32=True, shuffle=True, compression='gzip')
            f['half'] = numpy.arange(9, dtype='<f2')
            f['flags'] = numpy.array([True, False, True])
        refs = self.refer(path, '-c', '1')
        self.assertEqual(json.loads(refs['refs']['large/.zarray'])['chunks'], [256, 1024])
        self.assertEqual([c['id'] for c in json.loads(refs['refs']['sums/.zarray'])['filters']], ['shuffle', 'zlib', 'fletcher32'])
        group = group_of(refs)
        numpy.testing.assert_array_equal(group['large'][:], numpy.arange(3 << 19).reshape(1536, 1024))
        self.assertEqual((group['half'].dtype, list(group['half'][:])), (numpy.dtype('<f2'), list(range(9))))
        with self.h5py.File(path, 'a') as f:
            f.create_dataset('odd', data=numpy.arange(100), chunks=(10,), scaleoffset=0)
        status, out, err = parcdf(path)
        self.assertEqual((status, err), (BAD, 'parcdf: %s: variable odd: numcodecs has no name for its codec: left out\n' % path))
        self.assertIn('large/.zarray', json.loads(out)['refs'])

    def test_stores(self):
        """A store in a folder has a file for each chunk, one in an archive parts of it, unless they are packed."""
        path = self.path('a.zarr')
        group = zarr.open_group(path, 'w')
        group.create_dataset('v', data=numpy.arange(60.).reshape(6, 10), chunks=(4, 4), order='F')
        group.create_dataset('part', shape=(9,), chunks=(2,), dtype='>i2', fill_value=-1)[4:6] = 5
        group['v'].attrs['_ARRAY_DIMENSIONS'], group['part'].attrs['_ARRAY_DIMENSIONS'] = ['y', 'x'], ['z']
        refs = self.refer(path)
        self.assertEqual([k for k in refs['refs'] if k.startswith('part/') and k[5] != '.'], ['part/2'])
        for name in ('v', 'part'):
            numpy.testing.assert_array_equal(zarr.open_group(OneByOne(refs), mode='r')[name][:], group[name][:])
        os.symlink('nowhere', os.path.join(path, 'part/3'))
        status, _, err = parcdf(path)
        self.assertEqual(status, 2)
        self.assertIn('part/3 is a link to what is not there', err)
        os.unlink(os.path.join(path, 'part/3'))
        for name, how in (('stored.zip', zipfile.ZIP_STORED), ('packed.zip', zipfile.ZIP_DEFLATED)):
            with zarr.ZipStore(self.path(name), mode='w', compression=how) as store:
                zarr.copy_store(group.store, store)
        refs = self.refer(self.path('stored.zip'))
        self.assertEqual({ref[0] for ref in refs['refs'].values() if isinstance(ref, list)}, {os.path.realpath(self.path('stored.zip'))})
        for name in ('v', 'part'):
            numpy.testing.assert_array_equal(zarr.open_group(OneByOne(refs), mode='r')[name][:], group[name][:])
        status, out, err = parcdf(self.path('packed.zip'))
        self.assertEqual((status, err.count(': its chunks are packed in an archive: left out\n')), (BAD, 2), err)


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
