#!/usr/bin/env python3
"""Streams: random files of all versions and shapes, cut at random bytes, delivered by the code of `parcdf copy - OUT`;
the specification's reader (tests/support/cdf.py), netCDF-C and a count by hand agree on the records and the values, and
nothing else is delivered. Then the command itself: both ends of a pipe, its options, its status, hostile streams.
usage: stream_test.py PARCDF STREAM_CUTS [CUTS]"""
import json, os, random, shutil, struct, subprocess, sys, tempfile, unittest
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
from cdfbuild import Build, padded
import cdf
try:
    import netCDF4
except ImportError:
    netCDF4 = None

PARCDF, DRIVER, CUTS = None, None, 1500
GOOD, BAD, UNUSABLE = 0, 1, 2
TYPES = {1: [1, 2, 3, 4, 5, 6], 2: [1, 2, 3, 4, 5, 6], 5: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}
ONES = {1: b'\xff' * 4, 2: b'\xff' * 4, 5: b'\xff' * 8}
SEED = int(os.environ.get('SEED', random.randrange(2 ** 32)))


def some_file(r, streams):
    """A file, and how many bytes each record needs: [(begin, bytes of a record)] of its record variables."""
    version = r.choice([1, 2, 5])
    dims = [('t', 0), ('x', r.randint(1, 5)), ('y', r.randint(1, 7))]
    vars = []
    for i in range(r.choice([1, 1, 2, 3, 5])):
        inner = r.sample(['x', 'y'], r.randint(0, 2))
        is_record = r.random() < 0.7
        vars.append(('v%d' % i, r.choice(TYPES[version]), (['t'] if is_record else []) + inner, []))
    put = {'numrecs': ONES[version]} if streams else None
    return Build(version, numrecs=r.randint(0, 9), dims=dims, vars=vars, put=put, align=r.choice([4, 4, 64]),
                 atts=[('title', 2, b'x' * r.randint(0, 40))])


def expected(b, cut):
    """Whole records of the first `cut` bytes, by hand; None: the variables without records are not whole."""
    ends = [b.begin[v[0]] + b.slab(v) for v in b.vars if b.is_record(v)]
    fixed = [b.begin[v[0]] + b.slab(v) for v in b.vars if not b.is_record(v)]
    if cut < b.header_size or any(cut < e for e in fixed):
        return None
    if not ends:
        return b.numrecs if 'numrecs' not in b.put else 0
    n = 0
    while cut >= max(ends) + n * b.recsize and ('numrecs' in b.put or n < b.numrecs):
        n += 1
    return n


class Cuts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(dir='/dev/shm' if os.path.isdir('/dev/shm') else None)
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def by_netcdf_c(self, path, f, what):
        with netCDF4.Dataset(path) as d:
            d.set_auto_maskandscale(False)
            d.set_auto_chartostring(False)
            if f.records:
                self.assertEqual(len(d.dimensions['t']), f.numrecs, what)
            for v in f.vars:
                self.assertEqual(d.variables[v.name][...].tobytes(), v.array().astype(v.array().dtype.newbyteorder('=')).tobytes(),
                                 what)

    def check(self, b, cut, answer, path):
        what = 'seed %d, CDF-%d, cut %d of %d: %s' % (SEED, b.version, cut, len(b.bytes), answer)
        err, numrecs, size, missing, behind, has_fixed = map(int, answer.split())
        want = expected(b, cut)
        if cut < b.header_size:
            return self.assertNotEqual(err, 0, what)
        self.assertEqual(err, 0, what)
        if want is None:
            return self.assertEqual(has_fixed, 0, what)
        self.assertEqual((has_fixed, numrecs), (1, want), what)
        if 'numrecs' not in b.put and missing > 0:
            self.assertGreaterEqual(cut + missing, b.end - 3, what)
        f = cdf.File(path, zero_missing=False)
        self.assertEqual((f.numrecs, f.size, f.streaming), (want, size, False), what)
        self.assertEqual(size + behind, max(cut, size), what)
        self.assertLess(size - max([b.begin_rec + want * b.recsize if want else 0] +
                                   [b.begin[v[0]] + b.slab(v) for v in b.vars if not b.is_record(v)] + [b.header_size]), 4, what)
        whole = b.bytes[:4] + f.bytes[4:4 + (8 if b.version == 5 else 4)] + b.bytes[4 + (8 if b.version == 5 else 4):]
        self.assertEqual(bytes(f.bytes[:min(cut, size)]), whole[:min(cut, size)], what)
        # netCDF-C does not take a file for valid whose last value lacks its padding
        if netCDF4:
            self.by_netcdf_c(path, f, what)

    def test_cuts(self):
        r, done = random.Random(SEED), 0
        out = self.path('out.nc')
        with subprocess.Popen([DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
            while done < CUTS:
                b = some_file(r, r.random() < 0.7)
                name = self.path('in%d.nc' % done)
                with open(name, 'wb') as f:
                    f.write(b.bytes)
                for i in range(20):
                    low = b.header_size if i else 0
                    cut = r.randint(min(low, len(b.bytes)), len(b.bytes)) if i < 19 else len(b.bytes)
                    p.stdin.write('%s %d %d %s\n' % (name, cut, r.choice([1, 7, 100, 5000, 1 << 20]), out))
                    p.stdin.flush()
                    self.check(b, cut, p.stdout.readline(), out)
                    done += 1
                os.unlink(name)
            p.stdin.close()
        self.assertEqual(p.returncode, 0)


class Command(Cuts):
    test_cuts = None

    def run_copy(self, *args, sent=b''):
        p = subprocess.run([PARCDF, 'copy', *args], input=sent, capture_output=True, timeout=60)
        return p.returncode, p.stdout, p.stderr.decode()

    def some(self, version=5, numrecs=4):
        return Build(version, numrecs=numrecs, dims=[('t', 0), ('x', 3)], vars=[('r', 1, ['t', 'x'], []), ('s', 4, ['t'], [])])

    def write(self, name, data):
        with open(self.path(name), 'wb') as f:
            f.write(data)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), 'rb') as f:
            return f.read()

    def test_both_ends(self):
        for version in 1, 2, 5:
            b = self.some(version)
            a = self.write('a.nc', b.bytes)
            self.assertEqual(self.run_copy(a, '-'), (GOOD, b.bytes, ''))
            padded_end = Build(version, dims=[('x', 3)], vars=[('a', 3, ['x'], [])])
            self.assertEqual(self.run_copy(self.write('p.nc', padded_end.bytes), '-'), (GOOD, padded_end.bytes, ''))
            streamed = b.bytes[:4] + ONES[version] + b.bytes[4 + len(ONES[version]):]
            self.assertEqual(self.run_copy('--stream', a, '-'), (GOOD, streamed, ''))
            for sent in b.bytes, streamed:
                self.assertEqual(self.run_copy('-O', '-', self.path('b.nc'), sent=sent), (GOOD, b'', ''))
                self.assertEqual(self.read('b.nc'), b.bytes)
            self.assertEqual(self.run_copy('-O', '--stream', '-', self.path('b.nc'), sent=b.bytes), (GOOD, b'', ''))
            self.assertEqual(self.read('b.nc'), streamed)

    def test_fixed_behind(self):
        """A variable without records lies behind the records: their number is sent, but the size cannot tell it."""
        dims, vars = [('t', 0), ('x', 3)], [('f', 4, ['x'], []), ('r', 4, ['t', 'x'], [])]
        b = Build(5, numrecs=2, dims=dims, vars=vars)
        b = Build(5, numrecs=2, dims=dims, vars=vars, put={'var:r:begin': b.begin['f'], 'var:f:begin': b.begin['f'] + 24})
        a = self.write('a.nc', b.bytes)
        self.assertEqual(self.run_copy(a, '-'), (GOOD, b.bytes, ''))
        status, sent, err = self.run_copy('--stream', a, '-')
        self.assertEqual((status, sent), (UNUSABLE, b''))
        self.assertIn('lies behind the records', err)
        self.assertEqual(self.run_copy('-', self.path('b.nc'), sent=b.bytes), (GOOD, b'', ''))
        self.assertEqual(self.read('b.nc'), b.bytes)

    def test_part(self):
        a = self.write('a.nc', self.some().bytes)
        status, sent, _ = self.run_copy('--no-history', '-V', 's', '-d', 't,1,2', a, '-')
        self.assertEqual(status, GOOD)
        self.assertEqual(self.run_copy('--no-history', '-V', 's', '-d', 't,1,2', a, self.path('p.nc'))[0], GOOD)
        self.assertEqual(sent, self.read('p.nc'))

    def test_cut(self):
        b = self.some()
        streamed = b.bytes[:4] + ONES[5] + b.bytes[12:]
        status, _, err = self.run_copy('-', self.path('c.nc'), sent=streamed[:-3])
        self.assertEqual(status, BAD)
        self.assertIn('ended within record 3: 5 bytes of it are thrown away', err)
        self.assertEqual(cdf.File(self.path('c.nc')).numrecs, 3)
        status, _, err = self.run_copy('-', self.path('d.nc'), sent=b.bytes[:-3])
        self.assertEqual(status, UNUSABLE)
        self.assertIn('3 bytes before its data does: 3 of 4 records are whole. Nothing is delivered', err)
        self.assertFalse(os.path.exists(self.path('d.nc')))
        status, out, err = self.run_copy('--partial', '--json', '-', self.path('d.nc'), sent=b.bytes[:-3])
        self.assertEqual(status, BAD)
        self.assertEqual(json.loads(out), {'to': self.path('d.nc'), 'records': 3, 'bytes': b.begin_rec + 24, 'missing': 3,
                                           'thrown_away': 5})
        self.assertEqual(cdf.File(self.path('d.nc')).numrecs, 3)
        self.assertEqual(self.run_copy('-', self.path('d.nc'), sent=b.bytes)[0], UNUSABLE)  # it exists

    def test_hostile(self):
        header = self.some().bytes
        for sent, word in [(b'', 'the file is empty'), (b'\x89HDF\r\n\x1a\n' + bytes(100), 'netCDF-4'),
                           (b'CDF\5' + bytes(8) + b'\0\0\0\x0a' + b'\0\0\0\0\x7f\xff\xff\xff', 'bytes are left'),
                           (b'CDF\5' + bytes(8) + b'\0' * 12 + b'\0\0\0\x0c' + b'\0' * 7 + b'\1' + b'\0' * 7 + b'\1a\0\0\0' +
                            b'\0\0\0\1' + b'\0\0\0\0\x40\0\0\0', 'bytes left'), (header[:50], 'bytes')]:
            status, _, err = self.run_copy('-', self.path('h.nc'), sent=sent)
            self.assertEqual(status, BAD, (sent, err))
            self.assertIn(word, err)
            self.assertEqual(os.listdir(self.folder), [], err)
        sizes = Build(5, numrecs=2 ** 60, dims=[('t', 0), ('x', 2 ** 40)], vars=[('r', 6, ['t', 'x'], [])], data=False)
        self.assertEqual(self.run_copy('-', self.path('h.nc'), sent=sizes.bytes)[0], BAD)

    def test_repair(self):
        for version in 1, 2, 5:
            b = self.some(version)
            width = len(ONES[version])
            for cut in 0, 3:
                a = self.write('r.nc', (b.bytes[:4] + ONES[version] + b.bytes[4 + width:])[:len(b.bytes) - cut])
                before, n = self.read('r.nc'), 4 if not cut else 3
                for args in ('--dry-run',), ():
                    p = subprocess.run([PARCDF, 'repair', *args, a], capture_output=True, text=True, timeout=60)
                    self.assertEqual((p.returncode, '%d are whole' % n in p.stdout, '5 bytes behind' in p.stdout),
                                     (GOOD, True, cut > 0), p)
                    count = struct.pack('>I' if width == 4 else '>Q', n)
                    after = before if args else before[:4] + count + before[4 + width:]
                    self.assertEqual(self.read('r.nc'), after, (version, cut, args))
                p = subprocess.run([PARCDF, 'repair', a], capture_output=True, text=True, timeout=60)
                self.assertIn('nothing to do', p.stdout)

    def test_misused(self):
        a = self.write('a.nc', self.some().bytes)
        for args in ('--stream', a, 'b'), ('--partial', a, 'b'), ('-k', 'nc4', a, '-'), ('-v', 's', '-', 'b'), ('-', '-'), \
                ('-k', 'zarr', '-', 'b'), ('-k', 'nc4', '-', 'b'):
            status, _, err = self.run_copy(*args)
            self.assertEqual((status, 'usage' in err), (UNUSABLE, True), (args, err))


if __name__ == '__main__':
    PARCDF, DRIVER = sys.argv[1:3]
    CUTS = int(sys.argv[3]) if len(sys.argv) > 3 else CUTS
    unittest.main(argv=sys.argv[:1], verbosity=2)
