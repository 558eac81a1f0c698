"""What an operation gives: exact sums, rounded once; and what it gives under other rules for values that stand for none."""
import math
from fractions import Fraction
import netCDF4
import numpy as np

# Which values stand for none, after CF; other programs leave some of these rules out.
RULES = ('fill', 'default', 'missing', 'valid', 'nan')


def numbers(v, rules=RULES, unpack=True):
    """Values as doubles, masked where there is none."""
    a, atts, kind = v.a, v.atts, v.a.dtype
    none = np.zeros(a.shape, bool)
    if 'fill' in rules and '_FillValue' in atts:
        none |= a == atts['_FillValue']
    if 'default' in rules and '_FillValue' not in atts and kind.itemsize > 1:
        none |= a == kind.type(netCDF4.default_fillvals[kind.str[1:]])
    if 'missing' in rules and 'missing_value' in atts:
        none |= a == atts['missing_value']
    if 'valid' in rules and 'valid_range' in atts:
        with np.errstate(invalid='ignore'):
            none |= (a < atts['valid_range'][0]) | (a > atts['valid_range'][1])
    if 'nan' in rules and kind.kind == 'f':
        none |= np.isnan(a)
    x = a.astype('f8')
    if unpack and v.is_packed():
        x = x * float(atts['scale_factor']) + float(atts['add_offset'])
    return np.ma.array(x, mask=none)


def exact_mean(values, weights=None):
    if weights is None:
        return Fraction(sum(map(Fraction, values)), len(values)) if values else None
    total = sum(map(Fraction, weights))
    return sum(Fraction(x) * Fraction(w) for x, w in zip(values, weights)) / total if total else None


def one(op, values, weights=None):
    """Of a list of doubles; None: there is no result."""
    n = len(values)
    if callable(op):
        return op(values) if n else None
    if op == 'count':
        return n
    if n == 0:
        return None
    if any(x != x for x in values):
        return math.nan
    if op in ('min', 'max'):
        return (min if op == 'min' else max)(values)
    if op in ('first', 'last'):
        return values[0 if op == 'first' else -1]
    if op == 'median' or op[0] == 'p':
        return float(np.quantile(np.array(values), 0.5 if op == 'median' else float(op[1:]) / 100))
    if op == 'sum':
        return math.fsum(values) if weights is None else math.fsum(x * w for x, w in zip(values, weights))
    if weights is None:
        weights = [1.0] * n
    total = math.fsum(weights)
    if total == 0:
        return None
    if op == 'rms':
        return math.sqrt(math.fsum(x * x * w for x, w in zip(values, weights)) / total)
    mean = math.fsum(values) / n if set(weights) == {1.0} else float(exact_mean(values, weights))
    if op == 'mean':
        return mean
    divisor = total - 1 if op[-1] == '1' else total
    if divisor <= 0:
        return None
    var = math.fsum((x - mean) ** 2 * w for x, w in zip(values, weights)) / divisor
    return math.sqrt(var) if op.startswith('std') else var


def groups_of(f, how):
    """Lists of indices of time for an option such as ('--each', 'month')."""
    word, what = how
    n = f.numrecs
    if word == '--window':
        return [list(range(i, i + int(what))) for i in range(n - int(what) + 1)]
    if what.isdigit():
        return [list(range(i, min(i + int(what), n))) for i in range(0, n, int(what))]
    found = {}
    for i, t in enumerate(f.dates()):
        month = t.year * 12 + t.month - 1
        each = dict(year=t.year, season=(month + 1) // 3, month=month, day=(month, t.day), hour=(month, t.day, t.hour))
        by = dict(season=t.month % 12 // 3, month=t.month, dayofyear=(t.month, t.day), hour=t.hour)
        found.setdefault((each if word == '--each' else by)[what], []).append(i)
    return [found[key] for key in sorted(found)]


def reduced(v, x, op, dims, groups=None, weights=None):
    """x (masked doubles of v) over these dimensions; time in groups stays. weights: of (lat, lon)."""
    kept = [d for d in v.dims if d not in dims or (d == 'time' and groups is not None)]
    lengths = dict(zip(v.dims, x.shape))
    shape = [len(groups) if d == 'time' and groups is not None and 'time' in dims else lengths[d] for d in kept]
    out = np.ma.masked_all(shape, 'f8')
    data, mask = x.filled(0) if not np.ma.is_masked(x) else x.data, np.ma.getmaskarray(x)
    by = None
    if weights is not None:
        by = np.broadcast_to(weights[tuple(np.newaxis if d not in ('lat', 'lon') else slice(None) for d in v.dims)], x.shape)
    for at in np.ndindex(*shape):
        place = dict(zip(kept, at))
        index = tuple(np.array(groups[place[d]]) if d == 'time' and d in dims and groups is not None else slice(None) if d in dims else place[d]
                      for d in v.dims)
        good = ~mask[index]
        values = np.atleast_1d(data[index][good]).tolist()
        result = one(op, values, None if by is None else np.atleast_1d(by[index][good]).tolist())
        if result is not None:
            out[at] = result
    return out


def exact_is(got, v, x, dims, groups, weights, at, kind):
    """Is `got` the exactly rounded mean at this place, or next to it?"""
    kept = [d for d in v.dims if d not in dims or (d == 'time' and groups is not None)]
    place = dict(zip(kept, at))
    index = tuple(groups[place[d]] if d == 'time' and d in dims and groups is not None else slice(None) if d in dims else place[d] for d in v.dims)
    good = ~np.ma.getmaskarray(x)[index]
    by = None
    if weights is not None:
        by = np.broadcast_to(weights[tuple(np.newaxis if d not in ('lat', 'lon') else slice(None) for d in v.dims)], x.shape)
        by = np.atleast_1d(by[index][good]).tolist()
    mean = kind.type(float(exact_mean(np.atleast_1d(x.data[index][good]).tolist(), by)))
    return abs(float(got) - float(mean)) <= float(np.spacing(np.abs(mean)))


def loses_sums(v, x, dims, groups, missing):
    """Where a sum on the way, or one of squares, is the number that stands for none: some programs take it for none."""
    def is_met(values):
        steps = np.cumsum(values)
        return bool(np.any(steps == missing)) or bool(np.any(np.cumsum(np.square(values)) == missing))
    met = reduced(v, x, is_met, dims, groups)
    return met.filled(0) != 0


def packed_whole(v, op):
    """The sum, or the mean, of packed numbers, unpacked exactly, rounded once."""
    scale, offset = Fraction(float(v.atts['scale_factor'])), Fraction(float(v.atts['add_offset']))

    def result(values):
        total = sum(map(Fraction, values)) * scale + len(values) * offset
        return float(total if op == 'sum' else total / len(values))
    return result
