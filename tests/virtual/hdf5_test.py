#!/usr/bin/env python3
"""netCDF-4 and HDF5 files through the library, compared with what netCDF4-python and h5py read: types, byte orders, chunk
shapes, filters, fill values, kinds of storage, versions of the format, groups, dimensions and attributes. Of chunks whose filters
libhdf5 does not have here (zstd, Blosc, LZ4, bzip2: numcodecs wrote them), the values are the generator's own.

    hdf5_test.py FOLDER_OF_PROGRAMS MPIEXEC RANKS[,RANKS...] [FILES [SEED]]      leaves the files in the working folder
"""
import os
import random
import struct
import subprocess
import sys
import warnings

try:
    import h5py
    import netCDF4
    import numcodecs
    import numpy as np

    import found
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]


def numbers(rng, kind, shape):
    n = int(np.prod(shape))
    if kind[0] == "f":
        values = np.array([rng.gauss(0, 1e3) for _ in range(n)], kind)
    else:
        info = np.iinfo(kind)
        values = np.array([rng.randint(int(info.min), int(info.max)) for _ in range(n)], kind)
    return values.reshape(shape)


# ---- writing

KNOWN, UNREAD = {}, {}  # by path and name: values that h5py cannot read; the codec that the library does not undo


def lz4_of_hdf5(data):
    """The filter's frame: the size, the size of a block, the block, which is as it was where it does not become shorter."""
    block = bytes(numcodecs.LZ4().encode(data))[4:]
    block = block if len(block) < len(data) else bytes(data)
    return struct.pack(">QII", len(data), len(data), len(block)) + block


def write_filtered(f, path, rng):
    """Filters that libhdf5 does not have here: their bytes are written as they are."""
    kind = rng.choice(["<", ">"]) + rng.choice(TYPES)
    size, ndims = np.dtype(kind).itemsize, rng.randint(1, 3)
    shape = tuple(rng.randint(1, 9) for _ in range(ndims))
    chunk = tuple(rng.randint(1, n) for n in shape)
    blosc = numcodecs.Blosc(rng.choice(["lz4", "zlib", "zstd", "blosclz", "lz4hc"]), rng.randint(0, 9), rng.choice([0, 1, 2]))
    number, encode = rng.choice([(32015, numcodecs.Zstd(3).encode), (307, numcodecs.BZ2(9).encode), (32001, blosc.encode), (32004, lz4_of_hdf5)])
    plist, is_shuffled = h5py.h5p.create(h5py.h5p.DATASET_CREATE), rng.random() < 0.4
    plist.set_chunk(chunk)
    if is_shuffled:
        plist.set_shuffle()
    plist.set_filter(number, h5py.h5z.FLAG_OPTIONAL, (2, 2, size, 0, 5, 1, 1) if number == 32001 else ())
    d = h5py.h5d.create(f.id, b"filtered", h5py.h5t.py_create(np.dtype(kind)), h5py.h5s.create_simple(shape), plist)
    values = numbers(rng, kind[1:], shape).astype(kind)
    for at in np.ndindex(*(-(-n // c) for n, c in zip(shape, chunk))):
        first = tuple(i * c for i, c in zip(at, chunk))
        part = values[tuple(slice(i, i + c) for i, c in zip(first, chunk))]
        whole = np.zeros(chunk, kind)
        whole[tuple(slice(0, n) for n in part.shape)] = part
        data = numcodecs.Shuffle(size).encode(whole.view("u1").ravel()) if is_shuffled and size > 1 else whole.tobytes()
        d.write_direct_chunk(first, bytes(encode(np.frombuffer(bytes(data), "u1"))))
    KNOWN.setdefault(path, {})["filtered"] = found.as_classic(values)


def write_unread(f, path, rng):
    names = {"lzf": {"compression": "lzf"}, "scaleoffset": {"scaleoffset": 4}}
    codec = rng.choice(sorted(names) + ["nbit"])
    if codec == "nbit":
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_chunk((10,))
        plist.set_filter(h5py.h5z.FILTER_NBIT, 0, ())
        h5py.Dataset(h5py.h5d.create(f.id, b"unread", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((100,)), plist))[...] = np.arange(100)
    else:
        f.create_dataset("unread", data=np.arange(100), chunks=(10,), **names[codec])
    UNREAD.setdefault(path, {})["unread"] = codec


def write_netcdf(path, rng, k):
    d = netCDF4.Dataset(path, "w", format="NETCDF4_CLASSIC" if k % 7 == 6 else "NETCDF4")
    rich = d.data_model == "NETCDF4"
    shape = {"time": rng.randint(1, 6), "y": rng.randint(1, 9), "x": rng.randint(1, 12)}
    d.createDimension("time", None)
    d.createDimension("y", shape["y"])
    d.createDimension("x", shape["x"])
    d.title = "file %d" % k
    d.numbers = np.arange(rng.randint(1, 5), dtype=rng.choice(["i4", "f8", "i2"]))
    if rich:
        d.strings = ["one", "", "three"][:rng.randint(1, 3)]
        d.createDimension("more", None)
    if k % 3 == 0:
        t = d.createVariable("time", "f8", ("time",))
        t.units = "days since 1990-01-01"
        t[:] = np.arange(shape["time"])
    if k % 4 == 0:  # a coordinate variable of more dimensions, and one defined after its users
        d.createVariable("y", "i4", ("y", "x"))[:] = numbers(rng, "i4", (shape["y"], shape["x"]))
    groups = [d] + ([d.createGroup("g"), d.createGroup("h/deep")] if rich and k % 2 else [])
    for g in groups[1:]:
        g.createDimension("z", 3)
        g.of_group = np.int32(7)
    for i in range(rng.randint(1, 5)):
        g = rng.choice(groups)
        kind = rng.choice(TYPES if rich else ["i1", "i2", "i4", "f4", "f8"])
        dims = rng.choice([("time", "y", "x"), ("time",), ("y", "x"), ("x",), (), ("x", "y"), ("time", "x")]
                          + ([("more", "x"), ("y", "more"), ("time", "more")] if rich else [])
                          + ([("z", "y"), ("time", "z")] if g is not d else []))
        options = {"endian": rng.choice(["native", "little", "big"])}
        unlimited = {"time", "more"} & set(dims)
        if dims and rng.random() < 0.7:
            options["chunksizes"] = [rng.randint(1, 5 if n in unlimited else min(5, 3 if n == "z" else shape[n])) for n in dims]
            options["zlib"] = rng.random() < 0.6
            options["complevel"] = rng.randint(1, 9)
            options["shuffle"] = rng.random() < 0.5
            options["fletcher32"] = rng.random() < 0.3
        elif dims and not unlimited:
            options["contiguous"] = True
        if rng.random() < 0.4:
            options["fill_value"] = numbers(rng, kind, (1,))[0]
        v = g.createVariable("v%d" % i, kind, dims, **options)
        v.set_auto_maskandscale(False)
        v.units = "m"
        v.range = numbers(rng, kind, (2,))
        size = [{"more": 2, "z": 3}.get(n) or shape[n] for n in dims]
        if rng.random() < 0.15:  # never written
            continue
        if "time" in dims and dims[0] == "time" and rng.random() < 0.3:  # fewer records
            size[0] = rng.randint(1, size[0])
        v[tuple(slice(0, n) for n in size) or Ellipsis] = numbers(rng, kind, size)
    if rich and k % 2:
        s = d.createVariable("texts", str, ("x",))
        for i in range(0, shape["x"], 2):
            s[i] = "text" * i
    if k % 5 == 0:
        d.createVariable("unwritten", "S1", ("y", "x"), zlib=k % 4 == 0, fill_value=b"q")
        c = d.createVariable("letters", "S1", ("y", "x"), zlib=k % 2 == 0)
        c[:] = np.array([b"abc \0"[i % 5:i % 5 + 1] for i in range(shape["y"] * shape["x"])], "S1").reshape(c.shape)
    d.close()


def write_hdf5(path, rng, k):
    f = h5py.File(path, "w", libver=["earliest", "latest", ("earliest", "v108")][k % 3], track_order=k % 2 == 0,
                  userblock_size=512 if k % 11 == 10 else 0)
    f.attrs["text"] = "fixed"
    f.attrs["bytes"] = np.bytes_(b"abc")
    f.attrs["numbers"] = np.arange(3, dtype=">i2")
    groups = [f, f.create_group("a"), f.create_group("a/b")]
    for i in range(rng.randint(2, 8)):
        g = rng.choice(groups)
        kind = rng.choice(["<", ">"]) + rng.choice(TYPES + ["f2"])
        rank = rng.randint(0, 4)
        shape = tuple(rng.randint(1, 8) for _ in range(rank))
        values = numbers(rng, kind[1:], shape).astype(kind)
        storage = rng.choice(["chunked", "chunked", "contiguous", "compact"])
        name = "d%d" % i
        if storage == "compact":
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_layout(h5py.h5d.COMPACT)
            space = h5py.h5s.create_simple(shape) if rank else h5py.h5s.create(h5py.h5s.SCALAR)
            h5py.Dataset(h5py.h5d.create(g.id, name.encode(), h5py.h5t.py_create(np.dtype(kind), logical=True), space,
                                         plist))[...] = values
            continue
        options = {}
        if storage == "chunked" and rank:
            options["chunks"] = tuple(rng.randint(1, n) for n in shape)
            options["maxshape"] = tuple(rng.choice([n, None, None, n + 5]) for n in shape)
            options["shuffle"] = rng.random() < 0.5
            options["fletcher32"] = rng.random() < 0.3
            options.update(rng.choice([{}, {"compression": "gzip", "compression_opts": rng.randint(0, 9)},
                                       {"compression": "szip"} if h5py.h5z.filter_avail(h5py.h5z.FILTER_SZIP)
                                       and int(np.prod(options["chunks"])) >= 32 else {}]))
        if rng.random() < 0.4:
            options["fillvalue"] = numbers(rng, kind[1:], (1,))[0]
        d = g.create_dataset(name, shape=shape, dtype=kind, **options)
        if rng.random() < 0.2 and rank:  # some of it alone
            d[tuple(slice(0, n // 2) for n in shape)] = values[tuple(slice(0, n // 2) for n in shape)]
        else:
            d[...] = values
    f["flags"] = np.array([True, False, True])
    f["fixed"] = np.array([b"abc", b"d"])
    f.create_dataset("varying", data=["x", "", "longer"], dtype=h5py.string_dtype())
    f["complex"] = np.array([1j])
    f["soft"] = h5py.SoftLink("/flags")
    f["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/x")
    f["a/flags2"] = f["flags"]
    f.create_dataset("grown", shape=(4, 4), maxshape=(None, None), chunks=(2, 3), compression="gzip", dtype="i4")
    f["grown"].resize((rng.randint(1, 9), rng.randint(1, 9)))
    f["grown"][0, 0] = 5
    if k % 3 == 1:
        write_filtered(f, path, rng)
    if k % 10 == 4:
        write_unread(f, path, rng)
    if k % 2:
        f["x"] = np.arange(3.0)
        f["y"] = np.arange(2)
        f["x"].make_scale("x")
        f["y"].make_scale("the y")
        f["scaled"] = np.arange(6).reshape(2, 3)
        f["scaled"].dims[0].attach_scale(f["y"])
        f["scaled"].dims[1].attach_scale(f["x"])
    f.close()


# ---- what is to be found: name -> array, as classic values

def as_classic(values):
    values = np.asarray(values)
    if values.dtype.kind in "OU":
        texts = [v if isinstance(v, bytes) else str(v).encode() for v in values.ravel()]
        values = np.array(texts, "S%d" % max([1] + [len(t) for t in texts])).reshape(values.shape)
    return found.as_classic(values)


def filled(path, name, v):
    """Where two dimensions are unlimited, libnetcdf 4.9.0 gives zeros for some of what was not written, and not the fill value."""
    kind = v.dtype.newbyteorder("=")
    values = np.full(v.shape, getattr(v, "_FillValue", None) or netCDF4.default_fillvals[kind.str[1:]], kind)
    with h5py.File(path) as f:
        values[tuple(slice(0, n) for n in f[name].shape)] = f[name][()]
    return values


def of_netcdf(path):
    values, atts = {}, {}

    def walk(g, prefix):
        for name in g.ncattrs():
            atts["", prefix + name] = g.getncattr(name)
        for name, v in g.variables.items():
            v.set_auto_maskandscale(False)
            v.set_auto_chartostring(False)
            values[prefix + name] = as_classic(v[...])
            if sum(dim.isunlimited() for dim in v.get_dims()) > 1:
                values[prefix + name] = filled(path, g.path.rstrip("/") + "/" + name, v)
            for a in v.ncattrs():
                atts[prefix + name, a] = v.getncattr(a)
        for name, inner in g.groups.items():
            walk(inner, prefix + name + ".")
    with netCDF4.Dataset(path) as d:
        walk(d, "")
    return values, atts


def of_hdf5(path):
    values = {}

    def walk(g, prefix):
        for name in g:
            if not isinstance(g.get(name, getlink=True), h5py.HardLink):
                continue
            if isinstance(g[name], h5py.Group):
                walk(g[name], prefix + name + ".")
            elif g[name].dtype.kind != "c" and name != "filtered":
                values[prefix + name] = as_classic(g[name][()])
    with h5py.File(path) as f:
        walk(f, "")
    return values, {}


# ---- what the library found

def same_att(want, got):
    if isinstance(want, (list, str)):
        text = "\n".join([want] if isinstance(want, str) else want).encode()
        return got.dtype.kind == "S" and got.tobytes().rstrip(b"\0") == text
    want = np.atleast_1d(want)
    return want.dtype.newbyteorder("=") == got.dtype and np.array_equal(want, got)


def compare(path, total, ending=""):
    want, atts = of_netcdf(path) if path.endswith(".nc") else of_hdf5(path)
    want.update(KNOWN.get(path, {}))
    got, bad, codecs = found.Found(path + ending), total.bad, UNREAD.get(path, {})
    if got.error:
        bad.append(f"{path}: not opened: {got.error}")
        return
    for name, values in want.items():
        if 0 not in values.shape:
            total.variable(path, name, values, got.vars.get(name), codecs.get(name) if not ending else None)
    for (var, name), value in atts.items():
        if (var and var not in got.vars) or isinstance(value, np.ndarray) and value.size == 0:
            continue
        if (var, name) not in got.atts or not same_att(value, got.atts[var, name]):
            bad.append(f"{path}: attribute {var}:{name} is {got.atts.get((var, name))}, not {value!r}")
    bad += [f"{path}: a variable {name} that is not there" for name in set(got.vars) - set(want)]
    if path.endswith(".nc") and not ending and got.format not in ("3", "4"):
        bad.append(f"{path}: format {got.format}")


def write_late_unlimited(path):
    """Few chunks in a grid of many, one unlimited dimension that is not the first: the index counts with it as the first one."""
    with h5py.File(path, "w", libver="latest") as f:
        d = f.create_dataset("late", (3, 2, 7, 3), "u4", maxshape=(8, 2, 12, None), chunks=(1, 1, 1, 2), compression="gzip")
        for k, at in enumerate([(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 0), (2, 1, 6, 2)]):
            d[at] = k + 1


def write_user_block(path):
    """Few chunks in a grid of many behind a user block, which addresses that libhdf5 1.10.8 tells do not count."""
    with h5py.File(path, "w", userblock_size=512) as f:
        d = f.create_dataset("few", (40, 40), "u4", chunks=(2, 2))
        for k, at in enumerate([(0, 0), (9, 31), (39, 39)]):
            d[at] = k + 1


def make(nfiles, seed):
    paths = [os.path.abspath("late.h5"), os.path.abspath("block.h5")]
    write_late_unlimited(paths[0])
    write_user_block(paths[1])
    for k in range(nfiles):
        rng = random.Random(f"{seed} {k}")
        path = os.path.abspath(f"file{k}.{'nc' if k % 2 else 'h5'}")
        (write_netcdf if k % 2 else write_hdf5)(path, rng, k // 2)
        paths.append(path)
    return paths


def without_plugins(programs, path):
    os.makedirs("empty", exist_ok=True)
    found.run(["env", "PARCDF_PLUGINS=" + os.path.abspath("empty"), programs + "/read_all", path], quiet=True)
    error = found.Found(path).error
    return [] if error and error[0] == "-128" else [f"{path} without plug-ins: {error}"]


def main(programs, mpiexec, ranks, nfiles="120", seed=os.environ.get("PARCDF_SEED", "17")):
    """Each file on each number of ranks; and the bytes of its image, as a classic file."""
    warnings.simplefilter("ignore")
    paths, total = make(int(nfiles), seed), found.Sum()
    readable = [path for path in paths if path not in UNREAD]
    total.bad += found.run([programs + "/image_file", *readable]) + found.run([programs + "/read_all", *(p + ".cdf" for p in readable)])
    for path in readable:
        compare(path, total, ".cdf")
    found.read_files(programs, mpiexec, ranks, paths, total, lambda path: compare(path, total))
    total.bad += without_plugins(programs, paths[0])
    return total.tell("hdf5")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
