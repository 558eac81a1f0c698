"""Puts and gets by random basic indices, of one hyperslab, of many, of many variables, against numpy: all types and formats, fixed and record variables, collective,
independent and nonblocking, into new arrays, into `out` of any strides, from arrays of any strides; then netCDF4 reads the
same values. Every rank has its own random indices. Arguments: the number of rounds; small: only CDF-5 and what C reads and writes."""
import sys

from pysupport import RANK, check, finish, need, same, seed

np = need("numpy")
import parcdf  # noqa: E402

TYPES = {"CDF1": "byte char short int float double", "CDF2": "byte char short int float double",
         "CDF5": "byte char short int float double ubyte ushort uint int64 uint64"}
RECORDS = 7
SHAPES = ((), (7,), (5, 6), (3, 4, 5), (2, 3, 1, 4))


def values_of(random, dtype, shape):
    if dtype.kind == "S":
        return random.integers(65, 91, shape, dtype="u1").view("S1") if shape else np.array(b"Q", "S1")
    if dtype.kind == "f":
        return np.asarray(random.normal(size=shape), dtype)
    limits = np.iinfo(dtype)
    return np.asarray(random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True))


def random_key(random, shape):
    """Integers, slices with any step, also empty ones, and an Ellipsis."""
    parts = []
    for n in shape:
        kind = random.integers(6)
        if kind == 0:
            parts.append(int(random.integers(-n, n)))
        elif kind == 1:
            parts.append(np.int64(random.integers(0, n)))
        else:
            bound = lambda: None if random.integers(3) == 0 else int(random.integers(-n - 2, n + 3))  # noqa: E731
            step = None if kind < 4 else int(random.choice([-3, -2, -1, 1, 2, 3]))
            parts.append(slice(bound(), bound(), step))
    if parts and random.integers(3) == 0:
        at, n = int(random.integers(len(parts))), int(random.integers(1, 3))
        return tuple(parts[:at]) + (Ellipsis,) + tuple(parts[at + n:])
    return tuple(parts) if len(parts) != 1 or random.integers(2) else parts[0]


def inside(key, shape):
    """The same selection without slices that reach beyond the end, which for a put would mean more records."""
    first = key[0] if isinstance(key, tuple) and key else key
    if not isinstance(first, slice) or (first.step or 1) < 0:
        return key
    first = slice(*first.indices(shape[0]))
    return (first,) + key[1:] if isinstance(key, tuple) else first


def spread(random, values):
    """The same values elsewhere in memory: reversed, transposed, with gaps, in the other byte order, or not aligned."""
    way = random.integers(6)
    if way == 0 or values.ndim == 0:
        return values.copy()
    if way == 1:
        return np.ascontiguousarray(values[::-1])[::-1]
    if way == 2:
        return np.ascontiguousarray(values.T).T
    if way == 3 and values.dtype.kind != "S":
        return values.astype(values.dtype.newbyteorder())
    if way == 4:
        records = np.zeros(values.shape, [("pad", "u1"), ("value", values.dtype)])
        records["value"] = values
        return records["value"]
    wide = np.zeros(values.shape[:-1] + (2 * values.shape[-1] + 1,), values.dtype)
    wide[..., 1::2] = values
    return wide[..., 1::2]


def empty_like(random, shape, dtype):
    return spread(random, np.zeros(shape, dtype))


def define(f, size):
    """A variable of each type and shape, for each rank one, so that puts of the ranks do not meet."""
    names = []
    f.def_dim("t", None)
    for n in range(8):
        f.def_dim(f"d{n}", n or 1)
    for type_ in TYPES[f.format].split():
        for shape in SHAPES:
            for rank in range(size):
                name = f"{type_}_{'x'.join(map(str, shape)) or 'scalar'}_{rank}"
                f.def_var(name, type_, [f"d{n}" for n in shape])
                names.append((name, shape))
            if shape:
                for rank in range(size):
                    name = f"{type_}_t{'x'.join(map(str, shape))}_{rank}"
                    f.def_var(name, type_, ["t"] + [f"d{n}" for n in shape[1:]])
                    names.append((name, (RECORDS,) + shape[1:]))
    return names


def mine(names):
    return [(name, shape) for name, shape in names if name.endswith(f"_{RANK}")]


def first_values(f, names, random):
    """Whole variables, posted, and carried out together."""
    model = {}
    for name, shape in mine(names):
        model[name] = values_of(random, f[name].dtype, shape)
        f[name].iput(..., model[name])
    check(len(f.pending) == len(model), "pending", len(f.pending))
    f.wait()
    check(not f.pending, "still pending", f.pending)
    return model


def get_once(v, wanted, key, random):
    same(v[key], wanted[key], v, key)
    out = empty_like(random, wanted[key].shape, v.dtype)
    check(v.get(key, out=out) is out, "get returns out")
    same(out, wanted[key].astype(out.dtype), v, key, "out", out.strides)
    if v.dtype.kind != "S":
        same(v.get(key, dtype="f8"), wanted[key].astype("f8"), v, key, "as double")


def put_once(v, model, key, random, put):
    key = inside(key, model.shape)
    values = values_of(random, v.dtype, model[key].shape)
    given = spread(random, values)
    before = given.copy()
    put(key, given)
    model[key] = values
    same(given, before, v, key, "a put changed the values")


def blocking(f, names, model, random):
    for name, _ in mine(names):
        key = random_key(random, model[name].shape)
        put_once(f[name], model[name], key, random, f[name].put)
        get_once(f[name], model[name], key, random)


def nonblocking(f, names, model, random):
    gets = []
    for name, _ in mine(names):
        v = f[name]
        put_once(v, model[name], random_key(random, model[name].shape), random, v.bput if random.integers(2) else v.iput)
    for name, _ in mine(names):
        v, key = f[name], random_key(random, model[name].shape)
        gets.append((name, key, v.iget(key, out=empty_like(random, model[name][key].shape, v.dtype) if random.integers(2) else None)))
    f.wait()
    for name, key, request in gets:
        same(request.result, model[name][key].astype(request.result.dtype), name, key, "iget")


def blocks_of(random, shape):
    """Indices without steps, of which no two of one call have an element: the first dimension is cut."""
    if not shape:
        return [()]
    cuts = [0, *sorted(set(random.integers(0, shape[0] + 1, 3).tolist())), shape[0]]
    keys = []
    for low, high in zip(cuts, cuts[1:]):
        rest = [slice(int(random.integers(0, n)), None, int(random.choice([1, 1, -1]))) if random.integers(2) else int(random.integers(n)) for n in shape[1:]]
        keys.append((slice(low, high), *rest) if random.integers(2) or low == high else (low, *rest))
    return [keys[i] for i in random.permutation(len(keys))]


def put_blocks(v, model, random, put):
    """An array for each hyperslab, numbers that are broadcast, or one array of all."""
    keys = blocks_of(random, model.shape)
    parts = [values_of(random, v.dtype, model[key].shape) for key in keys]
    way = random.integers(3)
    if way == 0:
        given = np.concatenate([part.ravel() for part in parts])
    elif way == 1 or v.dtype.kind == "S":
        given = [spread(random, part) for part in parts]
    else:
        parts = [values_of(random, v.dtype, ()) for key in keys]
        given = parts if random.integers(2) else [part.astype(v.dtype.newbyteorder()) for part in parts]
    put(keys, given)
    for key, part in zip(keys, parts):
        model[key] = part


def get_blocks(v, model, random, get):
    keys = blocks_of(random, model.shape) + (blocks_of(random, model.shape) if model.ndim else [])
    size = sum(model[key].size for key in keys)
    out = np.zeros(size, v.dtype) if random.integers(2) else None
    got = get(keys, out=out) if out is not None or v.dtype.kind == "S" else get(keys, dtype="f8")
    return keys, out, got


def compare_blocks(v, model, keys, out, arrays):
    check(len(arrays) == len(keys), len(arrays), keys)
    for key, array in zip(keys, arrays):
        same(array, model[key].astype(array.dtype), v, key, "of many")
        check(out is None or not array.size or np.shares_memory(array, out), v, key, "is no part of out")


def many(f, names, model, random):
    """Many hyperslabs of a variable in one call, and many variables in one call. Ranks have different numbers of both."""
    for name, _ in mine(names):
        v = f[name]
        put_blocks(v, model[name], random, v.put_many)
        compare_blocks(v, model[name], *get_blocks(v, model[name], random, v.get_many))
    gets = []
    for name, _ in mine(names)[RANK:]:
        v = f[name]
        put_blocks(v, model[name], random, v.bput_many if random.integers(2) else v.iput_many)
        keys, out, request = get_blocks(v, model[name], random, v.iget_many)
        gets.append((v, keys, out, request))
    f.wait()
    for v, keys, out, request in gets:
        check(request.result.ndim == 1, request)
        compare_blocks(v, model[v.name], keys, out, request.arrays)
    several(f, mine(names)[RANK:], model, random)
    name = next(name for name, shape in mine(names) if shape)
    check(f.get_many([]) == [] and f[name].get_many([]) == [], "nothing of many")
    f.put_many([])
    f[name].put_many([], [])


def several(f, names, model, random):
    puts, gets = [], []
    for name, shape in names:
        key = inside(random_key(random, shape), shape)
        values = values_of(random, f[name].dtype, model[name][key].shape)
        puts.append((name if random.integers(2) else f[name], key, spread(random, values)))
        model[name][key] = values
    f.put_many(iter(puts))
    for name, shape in names:
        key = random_key(random, shape)
        gets.append((name, key, empty_like(random, model[name][key].shape, f[name].dtype)) if random.integers(2) else (f[name], key))
    got = f.get_many(gets)
    for (name, _), (v, key, *out), array in zip(names, gets, got):
        check(not out or out[0] is array, name, key, "out is what is returned")
        same(array, model[name][key].astype(array.dtype), name, key, "of several variables")


def scalars_of_all(f, names, model, random):
    """One number goes everywhere: no array is made for it."""
    for name, shape in mine(names):
        if shape:
            value = values_of(random, f[name].dtype, ())
            f[name][...] = value if value.dtype.kind != "S" else np.broadcast_to(value, shape)  # alone it is a string of one letter
            model[name][...] = value
    same(f[name][...], model[name], name, "broadcast")


def reread(path, names, model, format_):
    with parcdf.open(path, comm="world") as f:
        check(f.format == format_, f.format)
        for name, _ in mine(names):
            same(f[name][...], model[name], name, "after close")
    netcdf = need("netCDF4")
    with netcdf.Dataset(path) as d:
        d.set_auto_maskandscale(False)
        d.set_auto_chartostring(False)
        for name, _ in mine(names):
            same(d[name][...], model[name], name, "by netCDF4")


def main(rounds, is_small):
    size = parcdf.Comm("world").size
    for format_ in ["CDF5"] if is_small else TYPES:
        random = np.random.default_rng([seed(), RANK])
        path = f"access_{format_}.nc"
        with parcdf.create(path, comm="world", format=format_) as f:
            names = define(f, size)
            f.attach_buffer(1 << 20)
            model = first_values(f, names, random)
            for _ in range(rounds):
                blocking(f, names, model, random)
                with f.independent():
                    for _ in range(1 + RANK):  # as many as a rank wants
                        blocking(f, names, model, random)
                    if format_ == "CDF5":  # each rank its own number of calls
                        for _ in range(1 + RANK):
                            many(f, names, model, random)
                    nonblocking(f, names, model, random)
                nonblocking(f, names, model, random)
                many(f, names, model, random)
            scalars_of_all(f, names, model, random)
            f.detach_buffer()
        if not is_small:
            reread(path, names, model, format_)
    finish()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, "small" in sys.argv)
