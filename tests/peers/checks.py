"""What is computed of a file, by ours and by theirs: one Check an operation."""
import numpy as np
import truth

MEANS = ('mean', 'sum', 'min', 'max', 'std', 'var', 'std1', 'var1')
NCO = {'mean': 'avg', 'sum': 'ttl', 'min': 'min', 'max': 'max', 'rms': 'rms'}
PERIODS = {('--each', 'month'): 'mon', ('--each', 'season'): 'seas', ('--each', 'year'): 'year', ('--each', 'day'): 'day', ('--each', 'hour'): 'hour',
           ('--by', 'month'): 'ymon', ('--by', 'season'): 'yseas', ('--by', 'dayofyear'): 'yday', ('--by', 'hour'): 'dhour'}


class Check:
    """ours: words after `parcdf`; theirs: commands; values(v, rules): what they should give. IN, OUT, M1, M2, LATER and AREA are files."""

    def __init__(self, name, ours, theirs, names, op=None, dims=(), groups=None, weights=None, values=None, exact=False):
        self.name, self.ours, self.theirs, self.names, self.op, self.dims = name, ours, theirs, names, op, list(dims)
        self.groups, self.weights, self.exact = groups, weights, exact
        self.values = values or self.reduced

    def reduced(self, v, rules, unpack=True, op=None):
        return truth.reduced(v, truth.numbers(v, rules, unpack), op or self.op, self.dims, self.groups, self.weights)


def stored(v, rules):
    """What a file with these values shows: numbers outside of the valid range, and NaN, are values like others."""
    return truth.numbers(v, [r for r in rules if r in ('fill', 'default', 'missing')])


def having(f, *dims):
    return [v.name for v in f.vars.values() if set(dims) <= set(v.dims)]


def over_time(f, rng):
    names = having(f, 'time')
    for op in rng.permutation(MEANS + ('rms',))[:5]:
        theirs = []
        if op in NCO:
            theirs.append(['ncwa', '-O', '-y', NCO[op], '-a', 'time', 'IN', 'OUT'])
            if f.unlimited:
                theirs.append(['ncra', '-O', '-y', NCO[op], 'IN', 'OUT'])
        if op != 'rms':
            theirs.append(['cdo', '-s', '-O', '-b', 'F64', 'tim' + op, 'IN', 'OUT'])
        yield Check('time ' + op, ['reduce', '-O', op, 'time', 'IN', 'OUT'], theirs, names, op, ['time'])


def over_area(f, rng):
    names = having(f, 'lat', 'lon')
    for op in rng.permutation(MEANS[:6] + ('rms', 'median', 'p90'))[:3]:
        theirs = [['ncwa', '-O', '-y', NCO[op], '-a', 'lat,lon', 'IN', 'OUT']] if op in NCO else []
        if op in ('mean', 'std', 'var'):
            theirs.append(['cdo', '-s', '-O', '-b', 'F64', 'fld%s,weights=FALSE' % op, 'IN', 'OUT'])
        elif op in ('min', 'max', 'sum'):
            theirs.append(['cdo', '-s', '-O', '-b', 'F64', 'fld' + op, 'IN', 'OUT'])
        elif op in ('median', 'p90'):
            theirs.append(['cdo', '-s', '-O', '-b', 'F64', '--percentile', 'linear', 'fldpctl,' + ('50' if op == 'median' else '90'), 'IN', 'OUT'])
        yield Check('area ' + op, ['reduce', '-O', '-v', ','.join(names), op, 'lat,lon', 'IN', 'OUT'], theirs, names, op, ['lat', 'lon'])
    if names:
        yield Check('area weighted mean', ['reduce', '-O', '-v', ','.join(names), '-w', 'area', 'mean', 'lat,lon', 'IN', 'OUT'],
                    [['ncwa', '-O', '-w', 'area', '-a', 'lat,lon', 'IN', 'OUT'],
                     ['cdo', '-s', '-O', '-b', 'F64', 'fldmean', '-setgridarea,AREA', 'IN', 'OUT']], names, 'mean', ['lat', 'lon'], weights=f.area)
        yield Check('zonal mean', ['reduce', '-O', '-v', ','.join(names), 'mean', 'lon', 'IN', 'OUT'],
                    [['ncwa', '-O', '-a', 'lon', 'IN', 'OUT'], ['cdo', '-s', '-O', '-b', 'F64', 'zonmean', 'IN', 'OUT']], names, 'mean', ['lon'])


def groups(f, rng):
    names = having(f, 'time')
    for how in rng.permutation(list(PERIODS))[:3]:
        op = str(rng.choice(['mean', 'mean', 'min', 'max', 'sum', 'std', 'var1']))
        how = tuple(map(str, how))
        yield Check('%s %s %s' % (*how, op), ['reduce', '-O', *how, op, 'time', 'IN', 'OUT'],
                    [['cdo', '-s', '-O', '-b', 'F64', PERIODS[how] + op, 'IN', 'OUT']], names, op, ['time'], truth.groups_of(f, how))
    n = int(rng.integers(2, 6))
    if f.numrecs >= n:
        op = str(rng.choice(['mean', 'max']))
        theirs = [['cdo', '-s', '-O', '-b', 'F64', 'timsel%s,%d' % (op, n), 'IN', 'OUT']]
        if f.unlimited:
            theirs.append(['ncra', '-O', '--mro', '-y', NCO[op], '-d', 'time,,,%d,%d' % (n, n), 'IN', 'OUT'])
        yield Check('--each N ' + op, ['reduce', '-O', '--each', str(n), op, 'time', 'IN', 'OUT'], theirs, names, op, ['time'],
                    truth.groups_of(f, ('--each', str(n))))
        yield Check('--window N ' + op, ['reduce', '-O', '--window', str(n), op, 'time', 'IN', 'OUT'],
                    [['cdo', '-s', '-O', '-b', 'F64', 'run%s,%d' % (op, n), 'IN', 'OUT']], names, op, ['time'], truth.groups_of(f, ('--window', str(n))))


def ensembles(f, members, rng):
    names = [v.name for v in f.vars.values() if v.dims]
    which = str(rng.choice(['mean', 'sum', 'min', 'max', 'std', 'median']))
    theirs = [['nces', '-O', '-y', NCO[which], 'IN', 'M1', 'M2', 'OUT']] if which in NCO else []
    if which != 'median':
        theirs.append(['cdo', '-s', '-O', '-b', 'F64', 'ens' + which, 'IN', 'M1', 'M2', 'OUT'])

    def values(v, rules, unpack=True, op=None):
        x = np.ma.stack([truth.numbers(m.vars[v.name], rules, unpack) for m in members])
        w = type(v)(v.name, ['member'] + list(v.dims), v.atts, x)
        return truth.reduced(w, x, op or which, ['member'])
    yield Check('ensemble ' + which, ['reduce', '-O', which, '--across', 'IN', 'M1', 'M2', 'OUT'], theirs, names, which, ['member'], values=values)


def selections(f, rng):
    names = having(f, 'time')
    low = int(rng.integers(0, f.numrecs))
    high, step = int(rng.integers(low, f.numrecs)), int(rng.integers(1, 3))
    index = {'time': slice(low, high + 1, step), 'lat': slice(0, max(1, f.lengths['lat'] - 1))}

    def values(v, rules):
        return stored(v, rules)[tuple(index.get(d, slice(None)) for d in v.dims)]
    cut = ['-d', 'time,%d,%d,%d' % (low, high, step), '-d', 'lat,0,%d' % (index['lat'].stop - 1)]
    box = 'selindexbox,1,%d,1,%d' % (f.lengths['lon'], index['lat'].stop)
    yield Check('select by index', ['copy', '-O', *cut, 'IN', 'OUT'],
                [['ncks', '-O', *cut, 'IN', 'OUT'], ['cdo', '-s', '-O', box, '-seltimestep,%d/%d/%d' % (low + 1, high + 1, step), 'IN', 'OUT']],
                names, values=values, exact=True)


def selections_by_value(f, rng):
    """Ranges of latitudes, and of days."""
    names = having(f, 'time', 'lat', 'lon')
    if not names:
        return
    low, high = sorted(float(x) for x in rng.choice([-95, -50.5, -10, 0, 10, 33.3, 85, 90], 2, replace=False))
    rows = np.flatnonzero((f.lat >= low) & (f.lat <= high))
    if len(rows):
        def in_range(v, rules):
            return stored(v, rules)[tuple(rows if d == 'lat' else slice(None) for d in v.dims)]
        yield Check('select by value', ['copy', '-O', '--select', 'lat=%r:%r' % (low, high), 'IN', 'OUT'],
                    [['ncks', '-O', '-d', 'lat,%r,%r' % (low, high), 'IN', 'OUT'],
                     ['cdo', '-s', '-O', 'sellonlatbox,0,%r,%r,%r' % (float(f.lon[-1]), low, high), 'IN', 'OUT']], names, values=in_range, exact=True)
    dates = f.dates()
    first, last = sorted(int(i) for i in rng.integers(0, f.numrecs, 2))
    days = [(t.year, t.month, t.day) for t in dates]
    chosen = np.array([i for i, day in enumerate(days) if days[first] <= day <= days[last]])
    words = ['%04d-%02d-%02d' % days[i] for i in (first, last)]

    def in_days(v, rules):
        return stored(v, rules)[tuple(chosen if d == 'time' else slice(None) for d in v.dims)]
    yield Check('select days', ['copy', '-O', '--select', 'time=%s:%s' % tuple(words), 'IN', 'OUT'],
                [['cdo', '-s', '-O', 'seldate,%s,%s' % tuple(words), 'IN', 'OUT']], names, values=in_days, exact=True)


def joins(f, later, rng):
    names = having(f, 'time') if f.unlimited else []
    if names and all(np.array_equal(v.a, later.vars[v.name].a) for v in f.vars.values() if 'time' not in v.dims):
        def values(v, rules):
            return np.ma.concatenate([stored(x.vars[v.name], rules) for x in (f, later)], axis=v.axis('time'))
        yield Check('join in time', ['copy', '-O', 'IN', 'LATER', 'OUT'],
                    [['ncrcat', '-O', 'IN', 'LATER', 'OUT'], ['cdo', '-s', '-O', 'mergetime', 'IN', 'LATER', 'OUT'],
                     ['cdo', '-s', '-O', 'cat', 'IN', 'LATER', 'OUT']], names, values=values, exact=True)
        yield Check('join by time', ['join', '-O', 'LATER', 'IN', 'OUT'], [['cdo', '-s', '-O', 'mergetime', 'LATER', 'IN', 'OUT']], names,
                    values=values, exact=True)


def calculations(f, members, rng):
    """Differences of two files, and an expression."""
    names = [v.name for v in f.vars.values() if v.dims and v.a.dtype.itemsize > 1]

    def difference(v, rules):
        return truth.numbers(v, rules) - truth.numbers(members[1].vars[v.name], rules)
    if names:
        yield Check('difference', ['calc', '-O', '; '.join('%s = a:%s - b:%s' % (n, n, n) for n in names), 'IN', 'M1', 'OUT'],
                    [['ncbo', '-O', '--op_typ=sub', 'IN', 'M1', 'OUT'], ['cdo', '-s', '-O', '-b', 'F64', 'sub', 'IN', 'M1', 'OUT']], names, 'difference',
                    values=difference)
    doubles = [n for n in names if f.vars[n].a.dtype == 'f8']

    def expression(v, rules):
        x = truth.numbers(v, rules)
        return np.ma.array(x.data * 1.5 + np.sqrt(np.abs(x.data)), mask=np.ma.getmaskarray(x))
    for n in doubles[:1]:
        text = '%s = %s * 1.5 + sqrt(abs(%s))' % (n, n, n)
        yield Check('expression', ['calc', '-O', text, 'IN', 'OUT'],
                    [['ncap2', '-O', '-s', text, 'IN', 'OUT'], ['cdo', '-s', '-O', '-b', 'F64', 'expr,%s;' % text.replace(' ', ''), 'IN', 'OUT']], [n],
                    'expression', values=expression)


def all_of(f, members, later, rng):
    for part in (over_time(f, rng), over_area(f, rng), groups(f, rng), ensembles(f, members, rng), selections(f, rng), selections_by_value(f, rng), joins(f, later, rng),
                 calculations(f, members, rng)):
        yield from part
