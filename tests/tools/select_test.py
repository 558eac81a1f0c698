#!/usr/bin/env python3
"""Fixes what `parcdf copy` makes of coordinates and names: the order in time of records that are joined.
usage: select_test.py PARCDF [MPIEXEC]    (with MPIEXEC: some copies run on 2 and 3 ranks)"""
import os, subprocess, sys, tempfile, unittest
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

    def test_order_of_others(self):
        down = [self.timed('%d.nc' % i, [-i, -i - 0.5]) for i in (1, 2, 3)]
        self.assertEqual(self.good('-O', *down, self.to)[2], '')
        self.assertIn('2.nc: time goes back: the first record has 2000-12-30, and', self.good('-O', down[0], down[2], down[1], self.to)[2])
        plain = [self.timed('p%d.nc' % i, [i], units='m') for i in (4, 3)]
        self.assertIn('the first record has 3, and', self.good('-O', *plain, self.to)[2])
        packed = [self.timed('q%d.nc' % i, [i], 'hours since 2001-01-01', 'i2', scale_factor=-6.0) for i in (3, 4)]
        self.assertIn('the first record has 2000-12-31, and', self.good('-O', *packed, self.to)[2])
        self.assertEqual(self.good('-O', *packed[::-1], self.to)[2], '')
        self.refused('time:units is not as in', plain[0], self.timed('u.nc', [40], 'hours since 2001-01-01'), '-O', self.to)
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
