#!/usr/bin/env python3
"""Fixes what `parcdf refs` makes of several files: arrays with the values of one file that has all records, as Zarr
(python3-zarr through python3-fsspec) and our own reader see them; files whose chunks cannot be one array, each with its
sentence; and Parquet: the references of JSON, read here by what the format says, and by pyarrow where it is installed.
usage: refs_series_test.py PARCDF"""
import base64, json, math, os, re, struct, subprocess, sys, tempfile, unittest, warnings
try:
    import fsspec, netCDF4, numpy as np, zarr
except ImportError as missing:
    print('skipped:', missing)
    sys.exit(77)
try:
    import pyarrow.parquet
except ImportError:
    pyarrow = None

PARCDF = None
GOOD, BAD, UNUSABLE = 0, 1, 2


def parcdf(*args):
    env = dict(os.environ, ASAN_OPTIONS='detect_leaks=0') if args[0] == 'copy' else None  # MPI holds memory at exit
    p = subprocess.run([PARCDF, *args], capture_output=True, text=True, timeout=100, env=env)
    return p.returncode, p.stdout, p.stderr


# ---- Parquet, by its format: the footer and page headers in Thrift's compact protocol, plain values, levels and numbers of a
# dictionary in the hybrid of runs and packed bits

def varint(raw, at):
    value = shift = 0
    while True:
        value |= (raw[at] & 127) << shift
        shift += 7
        at += 1
        if raw[at - 1] < 128:
            return value, at


def thrift(raw, at, kind):
    """A value of a type of the compact protocol; a struct as a dictionary by the numbers of its fields."""
    if kind in (3, 4, 5, 6):
        value, at = varint(raw, at)
        return value >> 1 ^ -(value & 1), at
    if kind == 8:
        n, at = varint(raw, at)
        return raw[at:at + n], at + n
    if kind == 9:
        head, at = raw[at], at + 1
        n = head >> 4
        if n == 15:
            n, at = varint(raw, at)
        items = []
        for _ in range(n):
            item, at = thrift(raw, at, head & 15)
            items.append(item)
        return items, at
    assert kind == 12, kind
    fields, last = {}, 0
    while raw[at]:
        head, at = raw[at], at + 1
        assert head >> 4, 'a long form'
        last += head >> 4
        assert last not in fields
        fields[last], at = thrift(raw, at, head & 15)
    return fields, at + 1


def hybrid(raw, at, end, width, n):
    out, size = [], (width + 7) // 8
    while len(out) < n:
        head, at = varint(raw, at)
        if head & 1:
            bits = int.from_bytes(raw[at:at + (head >> 1) * width], 'little')
            out += [bits >> i * width & (1 << width) - 1 for i in range(8 * (head >> 1))]
            at += (head >> 1) * width
        else:
            out += [int.from_bytes(raw[at:at + size], 'little')] * (head >> 1)
            at += size
    assert at == end and len(out) == n, (at, end, len(out), n)
    return out


def texts(raw, at, n):
    out = []
    for _ in range(n):
        size, = struct.unpack_from('<I', raw, at)
        out.append(raw[at + 4:at + 4 + size])
        at += 4 + size
    return out, at


def read_parquet(path):
    """Columns by name; None where there is no value."""
    with open(path, 'rb') as f:
        raw = f.read()
    assert raw[:4] == raw[-4:] == b'PAR1'
    length, = struct.unpack('<I', raw[-8:-4])
    footer, at = thrift(raw, len(raw) - 8 - length, 12)
    assert at == len(raw) - 8
    root, *schema = footer[2]
    assert root[5] == len(schema) and len(footer[4]) == 1 and footer[4][0][3] == footer[3]
    columns = {}
    for column, chunk in zip(schema, footer[4][0][1]):
        meta = chunk[3]
        assert meta[3] == [column[4]] and meta[1] == column[1] and meta[4] == 0 and meta[5] == footer[3]
        at, names = meta.get(11, meta[9]), None
        begin = at
        if 11 in meta:
            page, at = thrift(raw, at, 12)
            assert page[1] == 2 and page[7][2] == 0
            names, end = texts(raw, at, page[7][1])
            assert end == at + page[3] == meta[9]
            at = end
        page, at = thrift(raw, at, 12)
        n, encoding = page[5][1], page[5][2]
        end = at + page[3]
        assert page[1] == 0 and end - begin == meta[7] and n == footer[3] and encoding in meta[2]
        levels = [1] * n
        if column[3] == 1:
            size, = struct.unpack_from('<I', raw, at)
            levels = hybrid(raw, at + 4, at + 4 + size, 1, n)
            at += 4 + size
        there = sum(levels)
        if encoding == 8:
            values = [names[i] for i in hybrid(raw, at + 1, end, raw[at], there)]
        elif column[1] == 2:
            values = list(struct.unpack_from('<%dq' % there, raw, at))
            at += 8 * there
        else:
            values, at = texts(raw, at, there)
        assert encoding == 8 or at == end
        values.reverse()
        name = column[4].decode()
        columns[name] = [values.pop() if level else None for level in levels]
        if column.get(6) == 0:
            columns[name] = [v if v is None else v.decode() for v in columns[name]]
    if pyarrow:
        assert pyarrow.parquet.read_table(path).to_pydict() == columns, path
    return columns


def references_of(folder):
    """A folder of Parquet as the references of JSON."""
    with open(os.path.join(folder, '.zmetadata')) as f:
        top = json.load(f)
    refs = dict(top['metadata'])
    for key, array in top['metadata'].items():
        name, _, last = key.rpartition('/')
        if last != '.zarray':
            continue
        grid = [math.ceil(s / c) for s, c in zip(array['shape'], array['chunks'])] or [1]
        n = int(np.prod(grid))
        files = sorted(os.listdir(os.path.join(folder, name)))
        assert files == sorted('refs.%d.parq' % i for i in range(math.ceil(n / top['record_size']))), (name, files)
        for number in range(n):
            row = number % top['record_size']
            if row == 0:
                columns = read_parquet(os.path.join(folder, name, 'refs.%d.parq' % (number // top['record_size'])))
            place, offset, size, raw = (columns[c][row] for c in ('path', 'offset', 'size', 'raw'))
            to = '%s/%s' % (name, '.'.join(map(str, np.unravel_index(number, grid))) if array['shape'] else '0')
            if raw is not None:
                refs[to] = 'base64:' + base64.b64encode(raw).decode()
            elif place is not None:
                refs[to] = [place, offset, size] if (offset, size) != (0, 0) else [place]
    return refs


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
        """The values of the one file, by Zarr and by our own reader; Parquet has the references of JSON."""
        to, folder = self.path('refs.json'), self.path('refs.parq')
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
        self.assertEqual(parcdf('refs', '-O', '--parquet', '-o', folder, '--record-size', '4', *args, *paths), (GOOD, '', ''))
        plain = {k: json.loads(v) if k.rpartition('/')[2].startswith('.z') else v for k, v in refs['refs'].items()}
        self.assertEqual(references_of(folder), plain)
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
        self.assertEqual(parcdf('refs', '--parquet', '-o', self.path('late.parq'), *paths), (GOOD, '', ''))
        got = references_of(self.path('late.parq'))
        self.assertEqual([k for k in got if k.startswith('s/') and '.z' not in k], ['s/%d.0' % i for i in (0, 1, 2, 3, 6, 7)])
        self.assertEqual([got[k] for k in ('s/3.0', 's/6.0')], [refs['refs'][k] for k in ('s/3.0', 's/6.0')])
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

    def test_many_files_in_parquet(self):
        """More than are looked at for a name; more than one byte numbers."""
        paths, whole = self.several((1,) * 300, format='NETCDF3_CLASSIC')
        folder = self.path('many.parq')
        self.assertEqual(parcdf('refs', '--parquet', '-o', folder, *paths), (GOOD, '', ''))
        got = references_of(folder)
        self.assertEqual([got['T/%d.0.0' % i][0] for i in (0, 255, 256, 299)],
                         [os.path.realpath(paths[i]) for i in (0, 255, 256, 299)])
        refs = json.loads(parcdf('refs', *paths)[1])['refs']
        self.assertEqual({k: v for k, v in got.items() if '.z' not in k}, {k: v for k, v in refs.items() if '.z' not in k})

    def test_parquet_of_one_file(self):
        path = self.make('one.nc', 0, 5, zlib=True)
        folder = self.path('one.parq')
        for args in ((), ('--inline', '64'), ('--inline', '100000')):
            self.assertEqual(parcdf('refs', '-O', '--parquet', '-o', folder, *args, path), (GOOD, '', ''))
            refs = json.loads(parcdf('refs', *args, path)[1])['refs']
            self.assertEqual(references_of(folder),
                             {k: json.loads(v) if k.rpartition('/')[2].startswith('.z') else v for k, v in refs.items()})
        status, _, err = parcdf('refs', '--parquet', '-o', folder, path)
        self.assertEqual((status, err), (UNUSABLE, 'parcdf: %s: this exists (option -O replaces it)\n' % folder))
        status, out, err = parcdf('dump', folder)
        self.assertEqual((status, out), (UNUSABLE, ''))
        self.assertIn('holds kerchunk references in Parquet, which parcdf does not read', err)
        self.assertEqual([n for n in os.listdir(self.folder.name) if 'parcdf-' in n], [])


if __name__ == '__main__':
    PARCDF = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=0)
