#!/usr/bin/env python3
"""netCDF-4 and HDF5 files through the library, compared with what netCDF4-python and h5py read: types, byte orders, chunk
shapes, filters, fill values, kinds of storage, versions of the format, groups, dimensions and attributes.

Then the first of them are damaged.

    hdf5_test.py FOLDER_OF_PROGRAMS MPIEXEC [FILES [MUTATIONS [SEED]]]      leaves the files in the working folder
"""
import os
import random
import subprocess
import sys
import warnings

try:
    import h5py
    import netCDF4
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

NC = {1: "i1", 2: "S1", 3: "i2", 4: "i4", 5: "f4", 6: "f8", 7: "u1", 8: "u2", 9: "u4", 10: "i8", 11: "u8"}
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
    if values.dtype.kind == "b":
        values = values.astype("i1")
    if values.dtype == np.dtype("f2").newbyteorder(values.dtype.byteorder) or values.dtype.itemsize == 2 and values.dtype.kind == "f":
        values = values.astype("f4")
    if values.dtype.kind in "OU":
        texts = [v if isinstance(v, bytes) else str(v).encode() for v in values.ravel()]
        values = np.array(texts, "S%d" % max([1] + [len(t) for t in texts])).reshape(values.shape)
    if values.dtype.kind == "S":
        n = values.dtype.itemsize
        raw = np.frombuffer(values.tobytes(), "S1")
        return raw.reshape(values.shape + (n,) if n > 1 else values.shape)
    return values.astype(values.dtype.newbyteorder("="))


def filled(path, name, v):
    """Where two dimensions are unlimited, libnetcdf 4.9.0 gives zeros for some of what was not written, and not the fill value."""
    kind = v.dtype.newbyteorder("=")
    values = np.full(v.shape, getattr(v, "_FillValue", None) or netCDF4.default_fillvals[kind.str[1:]], kind)
    with h5py.File(path) as f:
        values[tuple(slice(0, n) for n in f[name].shape)] = f[name][()]
    return values


def of_netcdf(path):
    found, atts = {}, {}

    def walk(g, prefix):
        for name in g.ncattrs():
            atts["", prefix + name] = g.getncattr(name)
        for name, v in g.variables.items():
            v.set_auto_maskandscale(False)
            v.set_auto_chartostring(False)
            found[prefix + name] = as_classic(v[...])
            if sum(dim.isunlimited() for dim in v.get_dims()) > 1:
                found[prefix + name] = filled(path, g.path.rstrip("/") + "/" + name, v)
            for a in v.ncattrs():
                atts[prefix + name, a] = v.getncattr(a)
        for name, inner in g.groups.items():
            walk(inner, prefix + name + ".")
    with netCDF4.Dataset(path) as d:
        walk(d, "")
    return found, atts


def of_hdf5(path):
    found = {}

    def walk(g, prefix):
        for name in g:
            if not isinstance(g.get(name, getlink=True), h5py.HardLink):
                continue
            if isinstance(g[name], h5py.Group):
                walk(g[name], prefix + name + ".")
            elif g[name].dtype.kind != "c":
                found[prefix + name] = as_classic(g[name][()])
    with h5py.File(path) as f:
        walk(f, "")
    return found, {}


# ---- what the library found

def of_library(path):
    data, at = open(path + ".values", "rb").read(), 0
    found, atts, others = {}, {}, []
    while at < len(data):
        end = data.index(b"\n", at)
        what = data[at:end].decode().split("\t")
        at = end + 1
        if what[0] == "V":
            n = int(what[4])
            shape = [int(d.rsplit("=", 1)[1]) for d in what[6:]]
            found[what[1]] = what[3] if what[3] != "0" else np.frombuffer(data[at:at + n], NC[int(what[2])]).reshape(shape)
        elif what[0] == "A":
            n = int(what[4])
            atts[what[1], what[2]] = np.frombuffer(data[at:at + n], NC[int(what[3])])
        else:
            n = 0
            others.append(what)
        at += n
    return found, atts, others


def same(want, got):
    if isinstance(got, str) or want.shape != got.shape:
        return False
    if want.dtype.kind == "S":
        return want.tobytes() == got.tobytes()
    return want.dtype == got.dtype and want.tobytes() == got.tobytes()


def same_att(want, got):
    if isinstance(want, (list, str)):
        text = "\n".join([want] if isinstance(want, str) else want).encode()
        return got.dtype.kind == "S" and got.tobytes().rstrip(b"\0") == text
    want = np.atleast_1d(want)
    return want.dtype.newbyteorder("=") == got.dtype and np.array_equal(want, got)


def compare(path, ending=""):
    want, atts = of_netcdf(path) if path.endswith(".nc") else of_hdf5(path)
    got, got_atts, others = of_library(path + ending)
    bad = []
    if others and others[0][0] == "E":
        return [f"{path}: not opened: {others[0]}"]
    for name, values in want.items():
        if 0 in values.shape:
            continue
        if name not in got:
            bad.append(f"{path}: no variable {name}")
        elif not same(values, got[name]):
            g = got[name]
            bad.append(f"{path}: {name} is {g if isinstance(g, str) else (g.dtype, g.shape)}, not {values.dtype, values.shape}")
    for (var, name), value in atts.items():
        if (var and var not in got) or isinstance(value, np.ndarray) and value.size == 0:
            continue
        if (var, name) not in got_atts or not same_att(value, got_atts[var, name]):
            bad.append(f"{path}: attribute {var}:{name} is {got_atts.get((var, name))}, not {value!r}")
    bad += [f"{path}: a variable {name} that is not there" for name in set(got) - set(want)]
    if path.endswith(".nc") and not ending and others[0] not in (["F", "3"], ["F", "4"]):
        bad.append(f"{path}: format {others[0]}")
    return bad


def make(nfiles, seed):
    paths = []
    for k in range(nfiles):
        rng = random.Random(f"{seed} {k}")
        path = os.path.abspath(f"file{k}.{'nc' if k % 2 else 'h5'}")
        (write_netcdf if k % 2 else write_hdf5)(path, rng, k // 2)
        paths.append(path)
    return paths


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    print((done.stdout + done.stderr)[-2000:])
    return [f"{command[0]} ended with {done.returncode}"] if done.returncode else []


def refusals(programs):
    """Codecs that nobody undoes: the definitions are there, the values are not; and what is said without plug-ins."""
    with h5py.File("codecs.h5", "w") as f:
        f.create_dataset("lzf", data=np.arange(100), compression="lzf")
        f.create_dataset("scaled", data=np.arange(100), scaleoffset=4)
        f["plain"] = np.arange(5)
    bad = run([programs + "/read_all", "codecs.h5"])
    got, _, _ = of_library("codecs.h5")
    if not (got["lzf"] == got["scaled"] == "-128" and (got["plain"] == np.arange(5)).all()):
        bad.append(f"codecs.h5: {got}")
    os.makedirs("empty", exist_ok=True)
    run(["env", "PARCDF_PLUGINS=" + os.path.abspath("empty"), programs + "/read_all", "codecs.h5"])
    _, _, others = of_library("codecs.h5")
    return bad + ([] if others and others[0][:2] == ["E", "-128"] else [f"codecs.h5 without plug-ins: {others}"])


def main(programs, mpiexec, nfiles="120", mutations="300", seed=os.environ.get("PARCDF_SEED", "17")):
    """Each file: the bytes of its image, as a classic file; 1 rank; 2 ranks."""
    warnings.simplefilter("ignore")
    paths = make(int(nfiles), seed)
    cdf = [path + ".cdf" for path in paths]
    bad = run([programs + "/image_file", *paths]) + run([programs + "/read_all", *cdf])
    bad += [line for path in paths for line in compare(path, ".cdf")]
    for ranks in ([], [*mpiexec.split(), "-n", "2"]):
        bad += run([*ranks, programs + "/read_all", *paths])
        bad += [line for path in paths for line in compare(path)]
    bad += refusals(programs)
    bad += run([programs + "/map_mutate", "hdf5", mutations, *paths[:8]])
    print("\n".join(bad[:40]))
    print(f"{len(paths)} files, {len(bad)} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
