#!/usr/bin/env python3
"""Fixes what `parcdf join` makes: the whole is cut into tiles as models write them (FMS, WRF, NEMO, MPAS, and without attributes),
of uneven sizes, and has to come back bit for bit; files along a dimension, sorted, with times of other reference dates, with
duplicates; new dimensions; equal bytes on 1, 2 and 3 ranks; and that what does not fit together is told in one sentence, leaving nothing.
usage: join_test.py PARCDF [MPIEXEC] [-k KIND [--deflate N]]    (with MPIEXEC: only what runs on several ranks; with a kind: new files are of it)"""
import itertools, json, os, re, signal, subprocess, sys, tempfile, unittest
import numpy as np
import netCDF4
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner

PARCDF, MPIEXEC, KIND = None, None, []
GOOD, BAD, UNUSABLE = 0, 1, 2
KINDS = ['NETCDF3_CLASSIC', 'NETCDF3_64BIT_OFFSET', 'NETCDF3_64BIT_DATA', 'NETCDF4']
CLASSIC = 'NETCDF3_CLASSIC'


def call(*words, ranks=1):
    words = [PARCDF, 'join', *([] if '-k' in words else KIND), *map(str, words)]
    if ranks > 1:
        words = [*MPIEXEC.split(), '-n', str(ranks), *words]
    p = subprocess.run(words, capture_output=True, text=True, timeout=60, env={**os.environ, **runner.MPI})
    return p.returncode, p.stdout, p.stderr


class Whole:
    """dims: {name: length}, with a record dimension `time` where it is None and numrecs; variables: {name: (dims, array, attributes)}"""

    def __init__(self, dims, variables, atts=None, numrecs=0):
        self.dims, self.variables, self.atts, self.numrecs = dims, variables, atts or {}, numrecs

    def write(self, path, cuts=None, atts=None, var_atts=None, kind=CLASSIC, lengths=None):
        """cuts: {dim: an index of numpy, of what this file has}"""
        cuts = cuts or {}
        with netCDF4.Dataset(path, 'w', format=kind) as d:
            for name, n in self.dims.items():
                d.createDimension(name, None if n is None else len(np.arange(n)[cuts[name]]) if name in cuts else n)
            d.setncatts({**self.atts, **(atts or {})})
            for name, (dims, a, more) in self.variables.items():
                v = d.createVariable(name, a.dtype, dims, fill_value=more.get('_FillValue'))
                v.setncatts({**{k: x for k, x in more.items() if k != '_FillValue'}, **(var_atts or {}).get(name, {})})
                v.set_auto_maskandscale(False)
                v.set_auto_chartostring(False)
                for i, dim in enumerate(dims):
                    if dim in cuts:
                        a = np.take(a, np.arange(a.shape[i])[cuts[dim]], axis=i)
                if a.size:
                    v[...] = a


def contents(path):
    """{name: (dims, array)}, the attributes by (variable, name), and which dimension is unlimited"""
    with netCDF4.Dataset(path) as d:
        d.set_auto_maskandscale(False)
        d.set_auto_chartostring(False)
        atts = {('', k): d.getncattr(k) for k in d.ncattrs()}
        atts.update({(n, k): v.getncattr(k) for n, v in d.variables.items() for k in v.ncattrs()})
        return {n: (v.dimensions, np.asarray(v[...])) for n, v in d.variables.items()}, atts, [n for n, x in d.dimensions.items() if x.isunlimited()]


def rng(seed=1):
    return np.random.default_rng(seed)


def grid(numrecs=3, nz=2, ny=11, nx=13, types=('f4', 'i2', 'f8'), seed=1, names=('time', 'z', 'y', 'x')):
    """A grid with records and variables of all shapes."""
    r, (t, z, y, x) = rng(seed), names
    some = lambda dtype, *shape: (r.random(shape) * 1000 - 300).astype(dtype)
    variables = {
        t: ((t,), np.arange(numrecs) * 1.5, {'units': 'days since 2001-01-01'}), x: ((x,), np.arange(nx) + 0.5, {'units': 'm'}),
        y: ((y,), np.arange(ny).astype('f4'), {}), 'area': ((y, x), some('f8', ny, nx), {'units': 'm2'}), 'level': ((z,), some('f4', nz), {}),
        'scalar': ((), some('i4'), {}), 'a': ((t, z, y, x), some(types[0], numrecs, nz, ny, nx), {'_FillValue': np.dtype(types[0]).type(-7)}),
        'b': ((t, y, x), some(types[1], numrecs, ny, nx), {'missing_value': np.dtype(types[1]).type(9)}), 'mask': ((y, x), some('i1', ny, nx), {}),
        'c': ((t, z), some(types[2], numrecs, nz), {}), 'row': ((t, x), some('f4', numrecs, nx), {}), 'odd': ((y, z, x), some('i2', ny, nz, nx), {})}
    return Whole({t: None, z: nz, y: ny, x: nx}, variables, {'title': 'grid', 'history': 'made'}, numrecs)


def pieces(n, cuts):
    """[(first, end)] of a dimension that is cut at these indices"""
    return list(zip([0, *cuts], [*cuts, n]))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=runner.MEMORY)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def join(self, *words, ranks=1, out='out.nc'):
        status, told, err = call('-O', *words, out, ranks=ranks)
        self.assertEqual((status, err), (GOOD, ''), words)
        return told

    def refuse(self, sentence, *words, status=UNUSABLE):
        before = sorted(os.listdir('.'))
        got, told, err = call(*words, 'refused.nc')
        self.assertEqual((got, told), (status, ''), err)
        self.assertEqual(err.strip().splitlines()[0], 'parcdf: ' + sentence)
        self.assertEqual(sorted(os.listdir('.')), before)

    def check(self, whole, out='out.nc', has_record=True, but=(), kind=True):
        found, atts, unlimited = contents(out)
        self.assertEqual(set(found), set(whole.variables) | set(but))
        for name, (dims, a, more) in whole.variables.items():
            self.assertEqual(found[name][0], dims, name)
            self.assertEqual(found[name][1].dtype, a.dtype, name)
            self.assertEqual(found[name][1].tobytes(), np.ascontiguousarray(a).tobytes(), name)
            for key, value in more.items():
                self.assertEqual(atts[name, key], value)
        self.assertEqual(unlimited, ['time'] if has_record else [])
        p = subprocess.run([PARCDF, 'check', '-q', out], capture_output=True, text=True)
        self.assertEqual((p.returncode, p.stdout), (0, ''), p.stderr)
        if KIND and kind:
            with netCDF4.Dataset(out) as d:
                self.assertEqual(d.data_model, 'NETCDF4')
                self.assertTrue(all(v.filters()['zlib'] for v in d.variables.values() if v.ndim))
        return atts


def fms(whole, prefix, xs, ys, kinds=(CLASSIC,), base=1):
    """Files as mpp_io writes them. xs, ys: pieces."""
    names = []
    nx, ny = whole.dims['x'], whole.dims['y']
    for (y0, y1), (x0, x1) in itertools.product(ys, xs):
        names.append('%s.nc.%04d' % (prefix, len(names)))
        atts = {n: {'domain_decomposition': np.array([base, base + size - 1, base + a, base + b - 1], 'i4')} for n, size, a, b in (('x', nx, x0, x1), ('y', ny, y0, y1))}
        whole.write(names[-1], {'x': slice(x0, x1), 'y': slice(y0, y1)}, {'NumFilesInSet': np.int32(len(xs) * len(ys)), 'filename': names[-1]}, atts,
                    kinds[(len(names) - 1) % len(kinds)])
    return names


class Fms(Case):
    def test_tiles_become_the_whole_for_each_kind_and_shape(self):
        for i, (kinds, numrecs) in enumerate(itertools.product([[k] for k in KINDS] + [KINDS], (0, 1, 4))):
            whole = grid(numrecs, seed=i)
            names = fms(whole, 'run%d' % i, pieces(13, [4, 9]), pieces(11, [3]), kinds, base=i % 2)
            self.join(*names)
            atts = self.check(whole)
            self.assertFalse([k for k in atts if k[1] in ('domain_decomposition', 'NumFilesInSet', 'filename')], atts)
            self.assertRegex(atts['', 'history'], r'^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ: parcdf join .*-O run.*out.nc\nmade$')

    def test_files_may_come_in_any_order(self):
        whole = grid()
        names = fms(whole, 'run', pieces(13, [4, 9]), pieces(11, [3]))
        self.join(*names[::-1])
        self.check(whole)

    def test_kinds_of_the_new_file(self):
        whole = grid()
        names = fms(whole, 'run', pieces(13, [4]), pieces(11, [3]))
        for kind, byte in (('classic', 1), ('nc6', 2), ('5', 5)):
            self.join('-k', kind, *names)
            self.check(whole, kind=False)
            self.assertEqual(open('out.nc', 'rb').read(4)[3], byte)

    def test_a_list_of_files(self):
        whole = grid()
        names = fms(whole, 'run', pieces(13, [4, 9]), pieces(11, [3]))
        for text in ('\n'.join(names[2:]), '\n\n'.join(names[2:]) + '\n'):
            open('list', 'w').write(text)
            self.join('--files', 'list', *names[:2])
            self.check(whole)
        open('list', 'w').write('\n'.join(names))
        self.join('--files', 'list')
        self.check(whole)
        open('list', 'w').write('\n')
        self.refuse('list: the list has no names', '--files', 'list')
        self.refuse('none: No such file or directory', '--files', 'none')
        self.refuse('run.nc.0000: this is no list of files', '--files', 'run.nc.0000')

    def test_one_dimension_alone(self):
        whole = grid()
        for xs, ys in ((pieces(13, [1, 2, 3]), pieces(11, [])), (pieces(13, []), pieces(11, [5]))):
            self.join(*fms(whole, 'run', xs, ys))
            self.check(whole)

    def test_a_missing_tile_is_named_and_may_be_filled(self):
        whole = grid()
        names = fms(whole, 'run', pieces(13, [4, 9]), pieces(11, [3]))
        del names[4]
        self.refuse('no tile has y(3:11), x(4:9) (run.nc.0004 is missing); --fill-missing gives it fill values', *names)
        self.join('--fill-missing', *names)
        for name, (dims, a, atts) in whole.variables.items():
            at = {'x': slice(4, 9), 'y': slice(3, 11)}
            if 'x' in dims and 'y' in dims:
                fill = atts.get('_FillValue', atts.get('missing_value', netCDF4.default_fillvals[a.dtype.str[1:]]))
                a[tuple(at.get(n, slice(None)) for n in dims)] = fill
        self.check(whole)
        self.refuse('no tile has y(0:11), x(4:13) (run.nc.0001, run.nc.0002, run.nc.0004 and 1 more are missing); --fill-missing gives it fill values',
                    names[0], names[3])

    def test_tiles_that_do_not_fit_are_named(self):
        whole = grid()
        names = fms(whole, 'run', pieces(13, [4]), pieces(11, [3]))
        other = grid(numrecs=2)
        fms(other, 'short', pieces(13, [4]), pieces(11, [3]))
        self.refuse('short.nc.0001: 2 records, and run.nc.0000 has 3', names[0], 'short.nc.0001', *names[2:])
        whole.write('twice.nc', {'x': slice(0, 5), 'y': slice(0, 3)}, {}, {n: {'domain_decomposition': np.array(v, 'i4')} for n, v in (('x', [1, 13, 1, 5]), ('y', [1, 11, 1, 3]))})
        whole.variables['area'][1][1, 2] += 1
        fms(whole, 'other', pieces(13, [4]), pieces(11, [3]))
        self.refuse('other.nc.0000: it overlaps another file, and variable area has other values there', *names, 'other.nc.0000')
        self.join(*names, 'twice.nc')
        whole.write('bad.nc', {'x': slice(0, 5)}, {}, {n: {'domain_decomposition': np.array(v, 'i4')} for n, v in (('x', [1, 13, 1, 4]), ('y', [1, 11, 1, 3]))})
        self.refuse('bad.nc: dimension y has length 11, and the attributes of the tile tell of 3', *names, 'bad.nc')
        whole.write('none.nc', {'x': slice(0, 5)})
        self.refuse('none.nc: it has no attribute domain_decomposition of dimension y, as the first file has', *names, 'none.nc')

    def test_other_variables_are_equal_or_the_first_is_said_to_hold(self):
        whole = grid()
        names = fms(whole, 'run', pieces(13, [4]), pieces(11, [3]))
        whole.variables['level'][1][0] += 1
        fms(whole, 'other', pieces(13, [4]), pieces(11, [3]))
        words = names[:3] + ['other.nc.0003']
        self.refuse('other.nc.0003: variable level, which is not joined, has other values than in run.nc.0000', *words)
        self.join('--keep-first', *words)
        whole.variables['level'][1][0] = contents(names[0])[0]['level'][1][0]
        self.check(whole)

    def test_attributes_that_differ_are_dropped_and_told(self):
        names = fms(grid(), 'run', pieces(13, [4]), pieces(11, []))
        status, _, err = call('-O', '-v', *names, 'out.nc')
        self.assertEqual((status, err), (GOOD, 'parcdf: attribute :filename is not the same in all files, and is dropped\n'))
        with netCDF4.Dataset(names[1], 'a') as d:
            d['b'].scale_factor = 2.
        self.refuse('run.nc.0001: attribute b:scale_factor is not as in run.nc.0000: its numbers mean something else', *names)

    def test_a_file_that_was_cut_off_is_named(self):
        names = fms(grid(), 'run', pieces(13, [4]), pieces(11, [3]))
        os.truncate(names[2], os.path.getsize(names[2]) - 40)
        self.refuse('run.nc.0002: the file ends 40 bytes before its data does', *names)
        os.truncate(names[2], 60)
        status, _, err = call(*names, 'refused.nc')
        self.assertNotEqual(status, GOOD)
        self.assertIn('run.nc.0002', err)
        self.assertFalse(os.path.exists('refused.nc'))

    def test_the_plan_alone(self):
        names = fms(grid(2), 'run', pieces(13, [4]), pieces(11, [3]))
        status, told, err = call('-n', *names, 'out.nc')
        self.assertEqual((status, err), (GOOD, ''))
        self.assertIn('float a(time = 2, z = 2, y = 11, x = 13)\n', told)
        self.assertFalse(os.path.exists('out.nc'))
        told = json.loads(call('--json', *names, 'out.nc')[1])
        self.assertEqual([v['shape'] for v in told['variables'] if v['name'] == 'b'], [[2, 11, 13]])
        self.assertEqual(told['bytes_read'], told['bytes_written'])


FINER = 3 # cells of the grid of fires beside a staggered point


def wrf(whole, prefix, xs, ys, kind=CLASSIC):
    """Patches as WRF writes them: the last ones have the staggered point."""
    names = []
    nx, ny = whole.dims['west_east'], whole.dims['south_north']
    for (y0, y1), (x0, x1) in itertools.product(ys, xs):
        names.append('%s_d01_%04d' % (prefix, len(names)))
        x2, y2 = x1 + (x1 == nx), y1 + (y1 == ny)
        atts = {'WEST-EAST_GRID_DIMENSION': nx + 1, 'SOUTH-NORTH_GRID_DIMENSION': ny + 1, 'BOTTOM-TOP_GRID_DIMENSION': 4, 'BOTTOM-TOP_PATCH_START_UNSTAG': 1,
                'WEST-EAST_PATCH_START_UNSTAG': x0 + 1, 'WEST-EAST_PATCH_END_UNSTAG': x1, 'WEST-EAST_PATCH_START_STAG': x0 + 1, 'WEST-EAST_PATCH_END_STAG': x2,
                'SOUTH-NORTH_PATCH_START_UNSTAG': y0 + 1, 'SOUTH-NORTH_PATCH_END_UNSTAG': y1, 'SOUTH-NORTH_PATCH_START_STAG': y0 + 1, 'SOUTH-NORTH_PATCH_END_STAG': y2}
        whole.write(names[-1], {'west_east': slice(x0, x1), 'west_east_stag': slice(x0, x2), 'south_north': slice(y0, y1), 'south_north_stag': slice(y0, y2),
                                'west_east_subgrid': slice(FINER * x0, FINER * x2), 'south_north_subgrid': slice(FINER * y0, FINER * y2)},
                    {k: np.int32(v) for k, v in atts.items()}, kind=kind)
    return names


def wrf_whole(nt=3, nz=3, ny=9, nx=10):
    r = rng(3)
    some = lambda *shape: r.random(shape).astype('f4')
    sn, we, t = 'south_north', 'west_east', 'Time'
    fx, fy = FINER * (nx + 1), FINER * (ny + 1)
    return Whole({t: None, 'DateStrLen': 19, we: nx, sn: ny, 'bottom_top': nz, we + '_stag': nx + 1, sn + '_stag': ny + 1, we + '_subgrid': fx, sn + '_subgrid': fy}, {
        'LFN': ((t, sn + '_subgrid', we + '_subgrid'), some(nt, fy, fx), {}), 'FXLONG': ((sn + '_subgrid', we + '_subgrid'), some(fy, fx), {}),
        'Times': ((t, 'DateStrLen'), np.array([list('2001-01-0%d_00:00:00' % (i + 1)) for i in range(nt)], 'S1').reshape(nt, 19), {}),
        'U': ((t, 'bottom_top', sn, we + '_stag'), some(nt, nz, ny, nx + 1), {'stagger': 'X'}), 'V': ((t, 'bottom_top', sn + '_stag', we), some(nt, nz, ny + 1, nx), {}),
        'T': ((t, 'bottom_top', sn, we), some(nt, nz, ny, nx), {}), 'XLAT': ((t, sn, we), some(nt, ny, nx), {}), 'ZNU': ((t, 'bottom_top'), some(nt, nz), {})}, numrecs=nt)


class Wrf(Case):
    def test_patches_become_the_whole(self):
        whole = wrf_whole()
        for kind in KINDS:
            self.join(*wrf(whole, 'wrfout', pieces(10, [3, 7]), pieces(9, [4]), kind))
            found, atts, unlimited = contents('out.nc')
            for name, (dims, a, _) in whole.variables.items():
                self.assertEqual((found[name][0], found[name][1].tobytes()), (dims, a.tobytes()), name)
            self.assertEqual(unlimited, ['Time'])
            self.assertEqual({k[1]: int(v) for k, v in atts.items() if 'PATCH' in k[1]},
                             {'BOTTOM-TOP_PATCH_START_UNSTAG': 1, **{d + '_PATCH_' + k: v for d, n in (('WEST-EAST', 10), ('SOUTH-NORTH', 9))
                              for k, v in (('START_UNSTAG', 1), ('START_STAG', 1), ('END_UNSTAG', n), ('END_STAG', n + 1))}})

    def test_a_finer_grid_that_does_not_fit(self):
        whole = wrf_whole()
        names = wrf(whole, 'wrfout', pieces(10, [4]), pieces(9, []))
        whole.dims['west_east_subgrid'] = 28
        whole.variables['LFN'] = whole.variables['LFN'][0], np.zeros((3, 30, 28), 'f4'), {}
        whole.variables['FXLONG'] = whole.variables['FXLONG'][0], np.zeros((30, 28), 'f4'), {}
        other = wrf(whole, 'other', pieces(10, [4]), pieces(9, []))[1]
        self.refuse(other + ': dimension west_east_subgrid has length 16, and the attributes of the tile tell of 21', names[0], other)
        self.refuse(other + ': dimension west_east_subgrid has length 16, which is no multiple of the 7 staggered points of the tile', other, names[0])

    def test_what_is_missing(self):
        names = wrf(wrf_whole(), 'wrfout', pieces(10, [3, 7]), pieces(9, [4]))
        status, _, err = call(*names[1:], 'out.nc')
        self.assertEqual(status, UNUSABLE)
        self.assertIn('(wrfout_d01_0000 is missing)', err)


def nemo(whole, prefix, xs, ys, halo=1, kind=CLASSIC, land=()):
    """Files of NEMO: with halos that have other values, and without those tiles that have land alone."""
    names, n = [], len(xs) * len(ys) - len(land)
    nx, ny = whole.dims['x'], whole.dims['y']
    for i, ((y0, y1), (x0, x1)) in enumerate(itertools.product(ys, xs)):
        if i in land:
            continue
        halos = [halo * (x0 > 0), halo * (y0 > 0), halo * (x1 < nx), halo * (y1 < ny)]
        first, last = np.array([x0 - halos[0], y0 - halos[1]]), np.array([x1 + halos[2], y1 + halos[3]])
        names.append('%s_%04d.nc' % (prefix, len(names)))
        atts = {'DOMAIN_number_total': n, 'DOMAIN_number': len(names) - 1, 'DOMAIN_dimensions_ids': [1, 2], 'DOMAIN_size_global': [nx, ny], 'DOMAIN_size_local': last - first,
                'DOMAIN_position_first': first + 1, 'DOMAIN_position_last': last, 'DOMAIN_halo_size_start': halos[:2], 'DOMAIN_halo_size_end': halos[2:]}
        dirty = {}
        for name, (dims, a, more) in whole.variables.items():
            a = a.copy()
            if dims[-2:] == ('y', 'x'):
                keep = np.zeros((ny, nx), bool)
                keep[y0:y1, x0:x1] = True
                a[..., ~keep] = 77
            dirty[name] = dims, a, more
        Whole(whole.dims, dirty, whole.atts).write(names[-1], {'x': slice(first[0], last[0]), 'y': slice(first[1], last[1])},
                                                    {**{k: np.array(v, 'i4') for k, v in atts.items()}, 'DOMAIN_type': 'BOX'}, kind=kind)
    return names


def nemo_whole():
    r = rng(5)
    some = lambda dtype, *shape: (r.random(shape) * 50).astype(dtype)
    return Whole({'x': 17, 'y': 12, 'z': 3, 'time': None}, {
        'nav_lon': (('y', 'x'), some('f4', 12, 17), {}), 'nav_lev': (('z',), some('f4', 3), {}), 'time': (('time',), np.arange(2.), {}),
        'toce': (('time', 'z', 'y', 'x'), some('f8', 2, 3, 12, 17), {}), 'mbathy': (('y', 'x'), some('i2', 12, 17), {'_FillValue': np.int16(-3)})}, numrecs=2)


class Nemo(Case):
    def test_halos_are_cut(self):
        whole = nemo_whole()
        for halo, kind in ((0, CLASSIC), (1, CLASSIC), (2, 'NETCDF4')):
            self.join(*nemo(whole, 'mesh', pieces(17, [5, 11]), pieces(12, [7]), halo, kind))
            atts = self.check(whole)
            self.assertFalse([k for k in atts if k[1].startswith('DOMAIN')])

    def test_land_is_filled_where_that_is_said(self):
        whole = nemo_whole()
        names = nemo(whole, 'mesh', pieces(17, [5, 11]), pieces(12, [7]), land=(1,))
        self.refuse('no tile has x(5:11), y(0:7); --fill-missing gives it fill values', *names)
        self.join('--fill-missing', *names)
        for name, fill in (('nav_lon', netCDF4.default_fillvals['f4']), ('toce', netCDF4.default_fillvals['f8']), ('mbathy', -3)):
            whole.variables[name][1][..., 0:7, 5:11] = fill
        self.check(whole)


def mesh(n=50, edges=70, levels=4, numrecs=2):
    r = rng(7)
    some = lambda dtype, *shape: (r.random(shape) * 1e6).astype(dtype)
    return Whole({'time': None, 'nCells': n, 'nEdges': edges, 'levels': levels, 'two': 2}, {
        'indexToCellID': (('nCells',), np.arange(n, dtype='i4') + 1, {}), 'indexToEdgeID': (('nEdges',), np.arange(edges, dtype='i4') + 1, {}),
        'T': (('time', 'nCells', 'levels'), some('f8', numrecs, n, levels), {}), 'u': (('time', 'nEdges'), some('f4', numrecs, edges), {}),
        'cellsOnEdge': (('nEdges', 'two'), some('i4', edges, 2), {}), 'zs': (('levels',), some('f4', levels), {}), 'area': (('nCells',), some('f8', n), {}),
        'back': (('levels', 'nCells'), some('i2', levels, n), {})}, numrecs=numrecs)


def parts(whole, prefix, n, seed=1, kind=CLASSIC, first=1):
    r, names = rng(seed), []
    cells, edges = r.integers(0, n, whole.dims['nCells']), r.integers(0, n, whole.dims['nEdges'])
    for i in range(n):
        names.append('%s.%d.nc' % (prefix, i))
        whole.write(names[-1], {'nCells': r.permutation(np.flatnonzero(cells == i)), 'nEdges': np.flatnonzero(edges == i)}, kind=kind)
    return names


class Mesh(Case):
    def test_parts_become_the_whole(self):
        whole = mesh()
        for n, kind in ((2, CLASSIC), (5, 'NETCDF3_64BIT_DATA'), (3, 'NETCDF4')):
            self.join(*parts(whole, 'mpas', n, n, kind))
            self.check(whole)

    def test_an_index_that_is_said(self):
        whole = mesh()
        whole.variables['gid'] = ('nCells',), np.arange(50, dtype='i4'), {}
        del whole.variables['indexToCellID'], whole.variables['indexToEdgeID'], whole.variables['u'], whole.variables['cellsOnEdge']
        names = parts(whole, 'blob', 3)
        self.join('--index', 'nCells=gid', '--keep-first', *names)
        for base in ('0', None):
            self.join('--index', 'nCells=gid', *(['--base', base] if base else []), *names)
            self.check(whole)
        self.refuse('variable gid has number 0, and counts from 1', '--index', 'nCells=gid', '--base', '1', *names)
        self.refuse('blob.0.nc: there is no variable none', '--index', 'nCells=none', *names)
        self.refuse('blob.0.nc: variable zs has no integers for the elements of dimension nCells', '--index', 'nCells=zs', *names)

    def test_numbers_that_are_wrong_are_named(self):
        whole = mesh()
        names = parts(whole, 'mpas', 3)
        for at, number, sentence in ((2, 3, None), (0, 51, None), (1, 2 ** 31 - 1, None)):
            parts(whole, 'mpas', 3)
            with netCDF4.Dataset(names[1], 'a') as d:
                old = int(d['indexToCellID'][at])
                d['indexToCellID'][at] = number
            status, _, err = call(*names, 'refused.nc')
            self.assertEqual(status, UNUSABLE)
            self.assertRegex(err, 'is 3, a number that another element has|no file has element %d of nCells|has number 2147483647, but all files together have 50' % old)


class Layout(Case):
    def test_a_layout_that_is_said(self):
        whole = grid()
        xs, ys = pieces(13, [4, 9]), pieces(11, [3])
        names = fms(whole, 'run', xs, ys)
        for i, ((y0, y1), (x0, x1)) in enumerate(itertools.product(ys, xs)):
            whole.write(names[i], {'x': slice(x0, x1), 'y': slice(y0, y1)})
        for text in ('x:3,y:2', 'x=3,y=2'):
            self.join('--layout', text, *names)
            self.check(whole)
        self.join('--layout', 'y:2,x:3', *(names[i] for i in (0, 3, 1, 4, 2, 5)))
        self.check(whole)
        self.refuse('--layout x:2,y:2 is of 4 tiles, and there are 6 files', '--layout', 'x:2,y:2', *names)
        self.refuse('run.nc.0000: there is no dimension w', '--layout', 'w:6', *names)
        self.refuse('--layout takes dimensions and numbers of tiles, as x:4,y:2, not x', '--layout', 'x', *names)
        self.refuse('run.nc.0004: dimension y has length 8, and 3 in run.nc.0000 beside it', '--layout', 'y:2,x:3', *names)


def series(start, n, units='days since 2001-01-01', calendar=None, seed=1, step=1., dtype='f8', shift=0):
    r = rng(seed)
    t = start + np.arange(n) * step
    return Whole({'time': None, 'x': 5, 'bnds': 2}, {
        'time': (('time',), (t - shift).astype(dtype), {'units': units, 'bounds': 'time_bnds', **({'calendar': calendar} if calendar else {})}),
        'time_bnds': (('time', 'bnds'), (np.stack([t - 0.5, t + 0.5], 1) - shift).astype(dtype), {}), 'x': (('x',), np.arange(5.), {}),
        'T': (('time', 'x'), r.random((n, 5)).astype('f4'), {}), 'n': (('time',), r.integers(0, 100, n).astype('i2'), {})}, numrecs=n)


def after(*parts):
    """The records of one behind those of the other."""
    first = parts[0]
    joined = {n: (d, np.concatenate([p.variables[n][1] for p in parts]) if d and d[0] == 'time' else a, m) for n, (d, a, m) in first.variables.items()}
    return Whole(first.dims, joined)


class Along(Case):
    def write(self, **files):
        for name, whole in files.items():
            whole.write(name + '.nc')
        return [name + '.nc' for name in files]

    def test_records_are_sorted_by_time(self):
        a, b, c = series(0, 4), series(4, 3, seed=2), series(20, 2, seed=3)
        self.write(a=a, b=b, c=c)
        for words in (['c.nc', 'a.nc', 'b.nc'], ['--along', 'time', 'b.nc', 'c.nc', 'a.nc']):
            self.join(*words)
            self.check(after(a, b, c))
        status, _, err = call('-O', '-v', 'a.nc', 'b.nc', 'c.nc', 'out.nc')
        self.assertEqual((status, err), (GOOD, 'parcdf: time: there is a gap between 6 (2001-01-07) and 20 (2001-01-21)\n'))

    def test_records_of_two_files_between_each_other(self):
        a, b = series(0, 5, step=2), series(1, 5, step=2, seed=2)
        self.write(a=a, b=b)
        self.join('b.nc', 'a.nc')
        whole = after(a, b)
        order = np.argsort(whole.variables['time'][1])
        self.check(Whole(whole.dims, {n: (d, v[order] if d[0] == 'time' else v, m) for n, (d, v, m) in whole.variables.items()}))

    def test_records_that_are_there_twice(self):
        a, b = series(0, 6), series(4, 5, seed=2)
        self.write(a=a, b=b)
        self.refuse('b.nc: time 4 (2001-01-05) is there twice, here and in a.nc, and only one of them can be joined', 'a.nc', 'b.nc')
        pick = lambda w, s: Whole(w.dims, {n: (d, v[s] if d[0] == 'time' else v, m) for n, (d, v, m) in w.variables.items()})
        self.join('--keep', 'first', 'a.nc', 'b.nc')
        self.check(after(a, pick(b, slice(2, None))))
        self.join('--keep', 'last', 'a.nc', 'b.nc')
        self.check(after(pick(a, slice(0, 4)), b))

    def test_times_of_other_reference_dates_are_converted(self):
        for units, shift, scale in (('days since 2001-01-05', 4, 1), ('hours since 2001-01-01', 0, 24), ('days since 2001-1-1 00:00:00', 0, 1)):
            a, b = series(0, 4), series(4, 3, seed=2)
            other = series(4, 3, units=units, seed=2, shift=shift)
            for n in ('time', 'time_bnds'):
                other.variables[n][1][...] *= scale
            self.write(a=a, b=other)
            self.join('a.nc', 'b.nc')
            self.check(after(a, b))

    def test_times_that_cannot_be_converted(self):
        self.write(a=series(0, 4), b=series(4, 3, units='months since 2001-01-01'), c=series(4, 3, calendar='noleap'), d=series(4, 3, units='m'), e=series(0, 4, dtype='i4'),
                   f=series(100, 3, units='hours since 2001-01-01', dtype='i4', step=5))
        self.refuse('b.nc: variable time is in "months since 2001-01-01", which cannot be converted to "days since 2001-01-01" of the first file', 'a.nc', 'b.nc')
        self.refuse('c.nc: variable time has calendar noleap, and in the first file standard', 'a.nc', 'c.nc')
        self.refuse('d.nc: variable time is in "m", which cannot be converted to "days since 2001-01-01" of the first file', 'a.nc', 'd.nc')
        self.refuse('f.nc: time(0) cannot be written in the units of the first file, "days since 2001-01-01": its type int has no place for it', 'e.nc', 'f.nc')

    def test_a_fixed_dimension(self):
        whole = grid()
        for down in (False, True):
            if down:
                whole.variables['y'] = whole.variables['y'][0], whole.variables['y'][1][::-1].copy(), {}
            for i, (a, b) in enumerate(pieces(11, [3, 4])):
                whole.write('y%d.nc' % i, {'y': slice(a, b)})
            self.join('--along', 'y', 'y1.nc', 'y2.nc', 'y0.nc')
            self.check(whole)
        for i, (a, b) in enumerate(pieces(2, [1])):
            whole.write('z%d.nc' % i, {'z': slice(a, b)})
        self.join('--along', 'z', 'z0.nc', 'z1.nc')
        self.check(whole)
        self.refuse('y0.nc: there is no dimension w', '--along', 'w', 'y0.nc', 'y1.nc')

    def test_files_that_do_not_fit(self):
        a, b = series(0, 4), series(4, 3)
        b.variables['x'][1][1] = 8
        self.write(a=a, b=b)
        self.refuse('b.nc: variable x, which is not joined, has other values than in a.nc', 'a.nc', 'b.nc')
        self.join('--keep-first', 'a.nc', 'b.nc')
        del b.variables['n']
        self.write(b=b)
        self.refuse('b.nc: there is no variable n, which a.nc has', 'a.nc', 'b.nc')
        self.refuse('a.nc: there is a variable n, which b.nc has not', 'b.nc', 'a.nc')
        Whole({'x': 3}, {'x': (('x',), np.arange(3.), {})}).write('none.nc')
        self.refuse('none.nc: it says of no tile that it is, and has no record dimension: --along, --new, --layout or --index tell how to join it', 'none.nc', 'none.nc')

    def test_a_file_that_changes_while_it_is_read(self):
        n = 4000000
        for i in range(3):
            Whole({'time': None, 'x': n}, {'time': (('time',), np.arange(2.) + 2 * i, {}), 'T': (('time', 'x'), np.full((2, n), i, 'f8'), {})}, numrecs=2).write('c%d.nc' % i)
        names, seen = ['c0.nc', 'c1.nc', 'c2.nc'], 0

        def shorten():
            os.truncate('c2.nc', os.path.getsize('c2.nc') - 4096)

        def written():
            try:
                return sum(os.stat(name).st_blocks for name in os.listdir('.') if name.startswith('changed.nc')) * 512
            except OSError:  # it has its name now
                return 0

        def append():
            with open('c0.nc', 'ab') as f:
                f.write(bytes(8))
        for change, path in ((append, 'c0.nc'), (shorten, 'c2.nc')):  # one that is open, one that is not yet
            p = subprocess.Popen([PARCDF, 'join', *names, 'changed.nc'], stderr=subprocess.PIPE, text=True)
            while p.poll() is None and written() < 2 << 20:
                pass
            p.send_signal(signal.SIGSTOP)
            is_early = p.poll() is None and written() < 100 << 20  # of 192 MB
            change()
            p.send_signal(signal.SIGCONT)
            err = p.communicate(timeout=60)[1]
            seen += is_early
            self.assertEqual((is_early and p.returncode == GOOD, err if p.returncode == GOOD else ''), (False, ''))
            if p.returncode:
                self.assertRegex(err, '^parcdf: %s: the file (changes|became shorter|lacks|ends .*) while it is read|^parcdf: %s: the file became shorter while it was read' % (path, path))
                self.assertEqual([name for name in os.listdir('.') if 'changed' in name], [])
            else:
                os.unlink('changed.nc')
        self.assertGreater(seen, 0)

    def test_what_lies_otherwise_in_a_file(self):
        """A dimension that is unlimited in one file alone, or twice in a variable; a value of --values that is no int."""
        for name, length in (('a.nc', None), ('b.nc', 2)):
            with netCDF4.Dataset(name, 'w', format=CLASSIC) as d:
                d.createDimension('time', length)
                d.createVariable('time', 'f8', ('time',))[:] = [1, 2] if length is None else [3, 4]
        self.refuse('b.nc: dimension time is of fixed length, and not in a.nc', '--along', 'time', 'a.nc', 'b.nc')
        with netCDF4.Dataset('c.nc', 'w', format=CLASSIC) as d:
            d.createDimension('x', 2)
            d.createVariable('cov', 'f8', ('x', 'x'))[:] = 1
        self.refuse('c.nc: variable cov has a dimension twice, along which the files are joined', '--along', 'x', 'c.nc', 'c.nc')
        self.refuse('--values takes 2 numbers, as 1,2,3, not 3000000000,1', '--new', 'm', '--values', '3000000000,1', 'b.nc', 'b.nc')

    def test_fill_values_of_times_stay(self):
        for name, units, event in (('a.nc', 'hours since 2001-01-01', 24), ('b.nc', 'days since 2001-01-01', 3)):
            with netCDF4.Dataset(name, 'w', format=CLASSIC) as d:
                d.createDimension('time', None)
                for v in ('time', 'event'):
                    d.createVariable(v, 'f8', ('time',)).units = units
                d['time'][:] = [0, 24] if name == 'a.nc' else [2, 3]
                d['event'][:] = [event, netCDF4.default_fillvals['f8']]
        self.join('a.nc', 'b.nc')
        fill = netCDF4.default_fillvals['f8']
        self.assertEqual(contents('out.nc')[0]['event'][1].tolist(), [24, fill, 72, fill])

    def test_a_name_that_is_there_stays(self):
        self.write(a=series(0, 4), b=series(4, 3))
        open('there.nc', 'w').write('x')
        status, _, err = call('a.nc', 'b.nc', 'there.nc')
        self.assertEqual((status, err), (UNUSABLE, 'parcdf: there.nc: the file exists (option -O replaces it)\n'))
        self.assertEqual(open('there.nc').read(), 'x')
        status, _, err = call('-O', 'a.nc', 'b.nc', 'a.nc')
        self.assertEqual((status, err), (UNUSABLE, 'parcdf: a.nc: this is the file that is read\n'))


class New(Case):
    def test_a_new_dimension(self):
        members = [series(0, 3, seed=s) for s in (1, 2, 3)]
        for i, m in enumerate(members):
            m.write('m%d.nc' % i, kind=KINDS[i])
        names = ['m0.nc', 'm1.nc', 'm2.nc']
        for values in ([], ['--values', '10,20,-3'], ['--values', '0.5,1e3,2']):
            self.join('--new', 'member', *values, *names)
            found, _, unlimited = contents('out.nc')
            self.assertEqual(unlimited, [])
            for n in ('T', 'n'):
                self.assertEqual(found[n][0], ('member', *members[0].variables[n][0]))
                self.assertEqual(found[n][1].tobytes(), np.stack([m.variables[n][1] for m in members]).tobytes())
            for n in ('time', 'time_bnds', 'x'):
                self.assertEqual(found[n][1].tobytes(), members[0].variables[n][1].tobytes())
            if values:
                self.assertEqual(found['member'][1].tolist(), [float(v) for v in values[1].split(',')])
                self.assertEqual(found['member'][1].dtype, 'f8' if '.' in values[1] else 'i4')
        self.refuse('--values takes 3 numbers, as 1,2,3, not 1,2', '--new', 'member', '--values', '1,2', *names)
        self.refuse('m0.nc: there is a dimension x already (--along joins along it)', '--new', 'x', *names)


class Large(Case):
    """Of more bytes than are put together at once."""

    def test_tiles_of_large_records(self):
        whole = grid(2, 5, 500, 700, ('f8', 'i2', 'f4'), seed=21)
        for xs, ys in ((pieces(700, [100, 350, 351]), pieces(500, [120, 130, 400])), (pieces(700, list(range(7, 700, 7))), pieces(500, [])),
                       (pieces(700, []), pieces(500, list(range(50, 500, 50))))):
            self.join(*fms(whole, 'run', xs, ys, ['NETCDF3_64BIT_DATA', CLASSIC]))
            self.check(whole)
            subprocess.run('rm -f run.nc.*', shell=True)

    def test_tiles_of_many_small_records(self):
        whole = grid(2500, 3, 13, 17, seed=22)
        self.join(*fms(whole, 'run', pieces(17, [2, 9]), pieces(13, [5])))
        self.check(whole)

    def test_more_files_than_may_be_open(self):
        whole = grid(3, 2, 60, 700, seed=23)
        names = fms(whole, 'run', pieces(700, list(range(100, 700, 100))), pieces(60, list(range(2, 60, 2))))
        for limit in (100, 4096):
            p = subprocess.run(['bash', '-c', 'ulimit -n %d; exec "$@"' % limit, '-', PARCDF, 'join', *KIND, '-O', *names, 'out.nc'], capture_output=True, text=True)
            self.assertEqual((p.returncode, p.stderr), (GOOD, ''))
            self.check(whole)

    def test_a_mesh_and_halos(self):
        whole = mesh(150000, 400000, 12, 2)
        self.join(*parts(whole, 'mpas', 7, kind='NETCDF3_64BIT_DATA'))
        self.check(whole)
        r = rng(8)
        whole = Whole({'x': 900, 'y': 400, 'z': 3, 'time': None}, {'time': (('time',), np.arange(2.), {}), 'toce': (('time', 'z', 'y', 'x'), r.random((2, 3, 400, 900)), {})}, numrecs=2)
        self.join(*nemo(whole, 'mesh', pieces(900, [300, 301, 580]), pieces(400, [170]), 2))
        self.check(whole)

    def test_a_series_with_other_places_of_variables(self):
        members = [series(1000 * i, 1000, seed=i) for i in range(3)]
        for i, m in enumerate(members):
            if i == 1:
                m.variables = dict(reversed(m.variables.items()))
            m.write('s%d.nc' % i, kind=KINDS[i])
        self.join('s2.nc', 's1.nc', 's0.nc')
        self.check(after(*members))
        large = Whole({'time': None, 'x': 1000000}, {'time': (('time',), np.arange(4.), {}), 'T': (('time', 'x'), rng().random((4, 1000000)), {})}, numrecs=4)
        for i in range(4):
            Whole({'time': None, 'x': 1000000}, {n: (d, a[i:i + 1], m) for n, (d, a, m) in large.variables.items()}).write('l%d.nc' % i)
        self.join('l3.nc', 'l1.nc', 'l2.nc', 'l0.nc')
        self.check(large)


class Options(Case):
    def test_options_that_are_wrong(self):
        for words, sentence in ((['--along', 'x', '--new', 'y', 'a', 'b'], '--along, --new, --layout and --index are given once, and only one of them'),
                                (['--values', '1', 'a', 'b'], '--values are those of a new dimension, for --new'), (['--keep', 'all', 'a', 'b'], '--keep takes first or last, not all'),
                                (['-k', 'x', 'a', 'b'], '-k takes classic, 64-bit-offset, cdf5, netcdf4 or netcdf4-classic, not x'), (['a'], 'a file and the name of the new one are needed'),
                                (['--base', '2', 'a', 'b'], '--base takes 0 or 1, not 2'), (['--base', '1', 'a', 'b'], '--base is for --index'),
                                (['--fill-missing', '--along', 'x', 'a', 'b'], '--fill-missing is for tiles')):
            status, _, err = call(*words)
            self.assertEqual((status, err.splitlines()[0]), (UNUSABLE, 'parcdf join: ' + sentence))


def values():
    """Of all variables of a netCDF-4 file, and its definitions."""
    found, atts, unlimited = contents('out.nc')
    return repr([(n, dims, a.dtype, a.shape) for n, (dims, a) in found.items()] + [atts, unlimited]).encode() + b''.join(a.tobytes() for _, a in found.values())


class Ranks(Case):
    def test_equal_bytes_on_any_number_of_ranks(self):
        big = grid(4, 3, 260, 300, seed=9)
        small = grid(5, seed=10)
        cases = [fms(big, 'big', pieces(300, [100, 210]), pieces(260, [60, 61, 200])), fms(small, 'small', pieces(13, [4, 9]), pieces(11, [3])),
                 wrf(wrf_whole(), 'wrfout', pieces(10, [3, 7]), pieces(9, [4])), nemo(nemo_whole(), 'mesh', pieces(17, [5, 11]), pieces(12, [7]), 1, 'NETCDF4'),
                 parts(mesh(500, 700), 'mpas', 5)]
        for i in range(3):
            series(10 * i, 10, seed=i).write('s%d.nc' % i)
        open('list', 'w').write('\n'.join(cases[0]))
        cases += [['--files', 'list'], ['s2.nc', 's0.nc', 's1.nc'], ['--new', 'm', '--values', '1,2,3', 's0.nc', 's1.nc', 's2.nc', '--keep-first']]
        for words in cases:
            for ranks in (1, 2, 3):
                self.join(*words, ranks=ranks)
                now = re.sub(rb'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', b'', values() if KIND else open('out.nc', 'rb').read())
                if ranks == 1:
                    first = now
                self.assertEqual(now, first, (words, ranks))
        self.join(*cases[0], ranks=2)
        self.check(big)

    def test_what_one_rank_finds_is_told(self):
        names = fms(grid(), 'run', pieces(13, [4]), pieces(11, [3]))
        os.truncate(names[3], os.path.getsize(names[3]) - 40)
        status, _, err = call(*names, 'out.nc', ranks=2)
        self.assertEqual(status, UNUSABLE)
        self.assertIn('run.nc.0003: the file ends 40 bytes before its data does', err)
        self.assertEqual(sorted(os.listdir('.')), sorted(names))


if __name__ == '__main__':
    KIND = sys.argv[sys.argv.index('-k'):] if '-k' in sys.argv else []
    PARCDF = os.path.abspath(sys.argv[1])
    MPIEXEC = sys.argv[2] if len(sys.argv) > 2 and not sys.argv[2].startswith('-') else None
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(c) for c in
                               ([Ranks] if MPIEXEC else [Fms, Nemo, Mesh, Along, New, Large] if KIND else [Fms, Wrf, Nemo, Mesh, Layout, Along, New, Large, Options]))
    sys.exit(not unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful())
