#!/usr/bin/env python3
"""Fixes that what commands compute is right beside NCO and CDO: of generated files, ours must be the exactly rounded result; where
theirs is another, the test finds which rule theirs left out, and fails if it finds none. Prints a table of what differs and why.
usage: peers_test.py PARCDF [--of FIRST-LAST] [--seconds S] [--few N]    default: files 0-219; as many, by the day's seed, as S allows;
N: of the operations on each"""
import argparse, collections, itertools, os, random, shutil, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
try:
    import netCDF4
    import numpy as np
except ImportError:
    sys.exit(77)
import runner
import checks
import truth
from files import File

ALL = 220
SAID = {'valid': 'valid_range is ignored', 'missing': 'missing_value is ignored', 'nan': 'NaN counts', 'default': 'default fill values count',
        'fill': '_FillValue is ignored'}


def read(path, names):
    """Unpacked doubles, masked where the output itself says that there is none; and the type that is stored."""
    found = {}
    with netCDF4.Dataset(path) as d:
        d.set_auto_maskandscale(False)
        for name in names:
            if name not in d.variables:
                continue
            v = d.variables[name]
            a = np.asarray(v[...])
            atts = {k: v.getncattr(k) for k in v.ncattrs()}
            none = np.zeros(a.shape, bool)
            for key in ('_FillValue', 'missing_value'):
                if key in atts:
                    none |= a == atts[key]
            if '_FillValue' not in atts and a.dtype.itemsize > 1:
                none |= a == a.dtype.type(netCDF4.default_fillvals[a.dtype.str[1:]])
            x = a.astype('f8')
            if 'scale_factor' in atts or 'add_offset' in atts:
                x = x * float(atts.get('scale_factor', 1)) + float(atts.get('add_offset', 0))
            found[name] = np.ma.array(x, mask=none), a.dtype, 'scale_factor' in atts
    return found


def shaped(x, want):
    return x.reshape(want.shape) if x.size == want.size else None


def room_of(op, v, want, kind, exact):
    """How far a right result may be from `want`, which itself is within a unit of the last place of doubles."""
    size = np.abs(want.filled(0)).astype(kind)
    if exact or op in ('min', 'max'):
        return np.zeros(want.shape) if kind == 'f8' else np.spacing(size) * 0.51
    unit = np.spacing(size).astype('f8')
    if op in ('mean', 'sum', 'difference'):
        return unit * 1.01
    if op == 'expression':
        return unit * 4
    most = float(np.nanmax(np.abs(truth.numbers(v).filled(0)), initial=0))
    return np.maximum(unit * 4, 1e-13 * (most if op.startswith(('std', 'rms', 'med', 'p')) else most ** 2) + 1e-300)


def same(got, want, room):
    """Where both have numbers, within the room; elsewhere none, or NaN, in both."""
    none, other = np.ma.getmaskarray(want), np.ma.getmaskarray(got)
    if not np.array_equal(none, other):
        return False
    a, b = got.data[~none], want.data[~none]
    with np.errstate(invalid='ignore'):
        return bool(np.all((np.abs(a - b) <= room[~none]) | (np.isnan(a) & np.isnan(b)) | (a == b)))


def kind_of(v):
    return np.dtype('f4') if v.a.dtype == 'f4' or (v.a.dtype.kind == 'i' and v.a.dtype.itemsize <= 2) else np.dtype('f8')


def matters(v):
    """The rules that results of this variable may depend on."""
    return [r for r, there in (('fill', '_FillValue' in v.atts), ('nan', v.a.dtype.kind == 'f'), ('valid', 'valid_range' in v.atts),
                               ('missing', 'missing_value' in v.atts)) if there]


def without_marks(want, v):
    """A number that stands for none in the result, too, is none there."""
    marks = [float(v.atts[k]) for k in ('_FillValue', 'missing_value') if k in v.atts]
    marks += [m * float(v.atts['scale_factor']) + float(v.atts['add_offset']) for m in marks if v.is_packed()]
    return np.ma.array(want.data, mask=np.ma.getmaskarray(want) | np.isin(want.data, marks))


def room_of_sums(op, part, most):
    """How far a result may be off if sums lose this part of the largest value."""
    return part * 8 * most * most if op in ('var', 'var1') else np.sqrt(part) * most if op in ('std', 'std1', 'rms') else part * most


def precision(check, v, got, want, dtype, packed):
    """What makes the number another, if places without numbers are the same; None: something else."""
    kind = kind_of(v)
    if same(got, want, room_of(check.op, v, want, kind, check.exact)):
        return ''
    if v.is_packed() and check.op in ('min', 'max') and is_cut(got, want, v):
        return 'unpacked numbers are cut to the integer type that is stored'
    x = truth.numbers(v)
    most, n = float(np.nanmax(np.abs(x.filled(0)), initial=0)), max(2, x.size)
    small, tiny = (room_of_sums(check.op, unit * n, most) for unit in (2.0 ** -24, 2.0 ** -53))
    if dtype.kind in 'iu' and check.op == 'sum' and is_cut(got, want, v):
        return 'sums of integers overflow'
    if dtype.kind in 'iu' and not packed and same(got, want, np.full(want.shape, 1.0)):
        return 'the result is made an integer'
    if packed and same(got, want, np.full(want.shape, 1.01 * float(v.atts['scale_factor']) + small)):
        return 'the result is packed again, and rounded'
    for size, said in ((tiny, 'sums in double lose digits'), (small, 'sums in float')):
        if same(got, want, np.full(want.shape, size)):
            return said
    return None


def is_cut(got, want, v):
    """Each number as it is, or rounded and cut to the bits of the packed type."""
    bits = 2.0 ** (8 * v.a.dtype.itemsize)
    fits = (np.abs(got.data - want.data) <= 1e-6) | (np.mod(got.data, bits) == np.mod(np.rint(want.data), bits)) | \
        (np.mod(got.data, bits) == np.mod(np.trunc(want.data), bits))
    none = np.ma.getmaskarray(want)
    return np.array_equal(none, np.ma.getmaskarray(got)) and bool(np.all(fits | none))


def turned(check, v, theirs, want, dtype, packed):
    """The same groups in another order."""
    if not check.groups or '--by' not in check.name or v.axis('time') != 0:
        return None
    left, found = list(range(len(want))), None
    for i in range(len(want)):
        fits = [(j, p) for j in left for e in (plain, blind_to_nan) for p in [e(check, v, theirs[i:i + 1], want[j:j + 1], dtype, packed)] if p is not None]
        if not fits:
            return None
        left.remove(fits[0][0])
        found = found or fits[0][1]
    return ['groups are in another order'] + (found or [])


def lost(check, v, theirs, want, dtype, packed, rules):
    """A sum on the way that is the number that stands for none."""
    marks = [float(v.atts[k]) for k in ('_FillValue', 'missing_value') if k in v.atts]
    if not marks or check.op not in ('sum', 'mean', 'var', 'var1', 'std', 'std1') or check.values != check.reduced:
        return None
    met = np.logical_or.reduce([truth.loses_sums(v, truth.numbers(v, rules), check.dims, check.groups, mark) for mark in marks])
    parts = [np.ma.array(a.data, mask=np.ma.getmaskarray(a) | met) for a in (theirs, want)]
    found = precision(check, v, *parts, dtype, packed) if met.any() else None
    return None if found is None else ['a sum on the way that equals the missing value is lost'] + ([found] if found else [])


def of_two(check, v, theirs, want, dtype, packed):
    """A percentile of two values."""
    if check.op not in ('median', 'p90') or check.values != check.reduced:
        return None
    two = truth.reduced(v, truth.numbers(v), 'count', check.dims).filled(0) == 2
    parts = [np.ma.array(a.data, mask=np.ma.getmaskarray(a) | two) for a in (theirs, want)]
    found = precision(check, v, *parts, dtype, packed) if two.any() else None
    return None if found is None else ['the percentile of two values is one of them'] + ([found] if found else [])


def blind_to_nan(check, v, theirs, want, dtype, packed):
    """Elsewhere than where NaN would be the result."""
    nan = np.isnan(want.filled(0))
    if not nan.any():
        return None
    parts = [np.ma.array(a.data, mask=np.ma.getmaskarray(a) | nan) for a in (theirs, want)]
    found = precision(check, v, *parts, dtype, packed)
    return None if found is None else ['what NaN gives depends on the order'] + ([found] if found else [])


def plain(check, v, theirs, want, dtype, packed):
    found = precision(check, v, theirs, want, dtype, packed)
    return None if found is None else [found] if found else []


def why(check, v, got, dtype, packed):
    """The rules that theirs leaves out, and how it computes; None: not known."""
    rules = sorted(set(matters(v)))
    for explain in (plain, blind_to_nan, of_two, lost, turned, nothing):
        for left_out in (c for n in range(len(rules) + 1) for c in itertools.combinations(rules, n)):
            kept = [r for r in truth.RULES if r not in left_out]
            want = without_marks(check.values(v, kept), v)
            theirs = shaped(got, want)
            theirs = theirs if theirs is None else without_marks(theirs, v)
            if theirs is None:
                return 'another shape: %s, not %s' % (got.shape, want.shape)
            found = explain(check, v, theirs, want, dtype, packed, *([kept] if explain is lost else []))
            if found is not None:
                return '; '.join([SAID[r] for r in left_out] + found)
    return None


def nothing(check, v, theirs, want, dtype, packed):
    """Places that have a number in one of the two alone, but agree elsewhere."""
    none, other = np.ma.getmaskarray(want), np.ma.getmaskarray(theirs)
    if np.array_equal(none, other):
        return None
    both = none | other
    found = precision(check, v, np.ma.array(theirs.data, mask=both), np.ma.array(want.data, mask=both), dtype, packed)
    if found is None:
        return None
    words = [found] if found else []
    if np.any(none & ~other):
        values = set(theirs.data[none & ~other].tolist())
        words.append('of no values the result is ' + ('0' if values == {0.0} else 'a number'))
    if np.any(other & ~none):
        words.append('no result, though there are values')
    return words


class Peers:
    def __init__(self, o, folder):
        self.o, self.folder = o, folder
        self.known = [row.split('\t')[1] for row in runner.need(o.parcdf, 'help', '--list').splitlines() if row.startswith('command\t')]
        self.same, self.differs, self.bad = collections.Counter(), collections.Counter(), []
        self.example, self.refused, self.compared, self.largest = {}, collections.Counter(), collections.Counter(), 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, words):
        places = {'IN': 'in.nc', 'OUT': 'out.nc', 'M1': 'm1.nc', 'M2': 'm2.nc', 'LATER': 'later.nc'}
        words = [self.path(places[w]) if w in places else w.replace('AREA', self.path('area.nc')) for w in words]
        if os.path.exists(self.path('out.nc')):
            os.unlink(self.path('out.nc'))
        return runner.run(*words, timeout=100)

    def ours(self, f, check):
        status, said = self.run([self.o.parcdf] + check.ours)
        if status != 0:
            self.bad.append('file %d: %s: status %d: %s' % (f.number, ' '.join(check.ours), status, said.strip()[-300:]))
            return
        found = read(self.path('out.nc'), check.names)
        for name in check.names:
            v = f.vars[name]
            want = check.values(v, truth.RULES)
            got = shaped(found[name][0], want) if name in found else None
            self.compared['ours'] += want.size
            if got is None or not self.is_right(check, v, got, want, found[name][1]):
                self.bad.append('file %d: %s: %s: %s' % (f.number, ' '.join(check.ours), name, 'missing' if got is None else first_difference(got, want)))

    def is_right(self, check, v, got, want, dtype):
        """Packed numbers may be unpacked one by one, in doubles, or exactly, as a whole."""
        if same(got, want, self.room(check, v, want, dtype)) and self.exact(check, v, got, want, dtype):
            return True
        if not v.is_packed() or check.op not in ('mean', 'sum') or check.weights is not None:
            return False
        whole = truth.packed_whole(v, check.op)
        want = check.values(v, truth.RULES, unpack=False, op=whole)
        return same(got, want, self.room(check, v, want, dtype))

    def room(self, check, v, want, dtype):
        return room_of(check.op, v, want, dtype if dtype.kind == 'f' else kind_of(v), check.exact or dtype.kind != 'f')

    def exact(self, check, v, got, want, dtype):
        """Means that are not what double arithmetic gives: fractions decide."""
        if check.op != 'mean' or check.values != check.reduced:
            return True
        x, kind = truth.numbers(v), dtype if dtype.kind == 'f' else kind_of(v)
        places = [at for at in np.ndindex(*want.shape) if want[at] is not np.ma.masked and kind.type(want[at]) != kind.type(got[at])]
        return all(truth.exact_is(got[at], v, x, check.dims, check.groups, check.weights, at, kind) for at in places[:20])

    def theirs(self, f, check, words):
        tool = words[0] if words[0] != 'cdo' else 'cdo ' + next(w for w in words[1:] if not w.startswith('-') and w not in ('F64', 'linear')).split(',')[0]
        status, said = self.run(words)
        if status != 0 or not os.path.exists(self.path('out.nc')):
            self.refused[tool, ' '.join(said.split())[:100]] += 1
            return
        found = read(self.path('out.nc'), check.names)
        for name in check.names:
            v = f.vars[name]
            self.compared['theirs'] += 1
            reason = why(check, v, *found[name]) if name in found else 'left out of the result'
            if reason == '':
                self.same[tool] += 1
                continue
            if reason is None:
                want = check.values(v, truth.RULES)
                self.bad.append('file %d: %s: %s: not explained: %s' % (f.number, ' '.join(words), name, first_difference(shaped(found[name][0], want), want)))
            self.differs[tool, check.op or check.name, str(reason)] += 1
            self.example.setdefault((tool, check.op or check.name, str(reason)), 'file %d, %s of %s' % (f.number, name, v.a.dtype))

    def file(self, number, few):
        f = File(self.path('in.nc'), number)
        members = [f] + [File(self.path('m%d.nc' % i), number, member=i) for i in (1, 2)]
        later = File(self.path('later.nc'), number, member=0, later=True)
        with netCDF4.Dataset(self.path('area.nc'), 'w', format='NETCDF3_CLASSIC') as d:
            for name, values, units in (('lat', f.lat, 'degrees_north'), ('lon', f.lon, 'degrees_east')):
                d.createDimension(name, len(values))
                File.coordinate(d, name, values, dict(units=units))
            d.createVariable('area', 'f8', ('lat', 'lon'))[:] = f.area
        rows = list(checks.all_of(f, members, later, np.random.default_rng([7, number])))
        for check in random.Random(number).sample(rows, few) if few else rows:
            if not check.names or check.ours[0] not in self.known:
                continue
            self.ours(f, check)
            for words in check.theirs:
                if shutil.which(words[0]):
                    self.theirs(f, check, words)


def first_difference(got, want):
    if got is None:
        return 'another shape'
    for at in np.ndindex(*want.shape):
        if (got[at] is np.ma.masked) != (want[at] is np.ma.masked) or (got[at] is not np.ma.masked and got[at] != want[at]):
            return 'at %s: %r, not %r' % (at, got[at], want[at])
    return 'differs'


def main():
    p = argparse.ArgumentParser()
    p.add_argument('parcdf')
    p.add_argument('--of', default='0-%d' % (ALL - 1))
    p.add_argument('--seconds', type=float, default=0)
    p.add_argument('--few', type=int, default=0)
    o = p.parse_args()
    first, _, last = o.of.partition('-')
    print('skipped: no ' + ', '.join(t for t in ('ncra', 'cdo') if not shutil.which(t)) if not shutil.which('ncra') or not shutil.which('cdo') else '', end='')
    numbers = list(range(int(first), int(last or first) + 1))
    if o.seconds:
        random.Random(runner.seed()).shuffle(numbers)
    begun, done = time.monotonic(), 0
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        peers = Peers(o, folder)
        for number in numbers:
            if o.seconds and time.monotonic() - begun > o.seconds:
                break
            peers.file(number, o.few)
            done += 1
    for key, n in sorted(peers.refused.items()):
        print('refused  %5d  %s: %s' % (n, *key))
    for tool, n in sorted(peers.same.items()):
        print('the same %5d  %s' % (n, tool))
    for key, n in sorted(peers.differs.items()):
        print('differs  %5d  %s | %s | %s   (%s)' % (n, *key, peers.example[key]))
    print('%d files, %d numbers of ours and %d variables of theirs compared, %.0f s' % (done, peers.compared['ours'], peers.compared['theirs'], time.monotonic() - begun))
    print('\n'.join(peers.bad[:40]) or 'ours are right, theirs are explained')
    return 1 if peers.bad else 0


if __name__ == '__main__':
    sys.exit(main())
