#!/usr/bin/env python3
"""HDF5 and netCDF-4 files of random types, byte orders, chunks and filters, as h5py and netCDF4 write them, and plain Zarr stores,
read through the library: every value is the writer's own.

    formats_test.py READER RANKS[,RANKS...] NUMBER [LAUNCH-WORDS]      leaves the files in the working folder
"""
import os, random, shlex, subprocess, sys, zlib
try:
    import h5py, netCDF4, numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

READER, RANKS, NUMBER = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
LAUNCH = shlex.split(sys.argv[4]) if len(sys.argv) > 4 else []
rng, many = random.Random(17), np.random.default_rng(17)
ODD_HINTS = "pcdf_sieve=on;pcdf_debug_stage_size=64k;pcdf_debug_chunk_cache=0;pcdf_debug_strategy=two-phase;pcdf_checksum=crc32c"  # have no effect on values
NC = {"i1": 1, "S1": 2, "i2": 3, "i4": 4, "f4": 5, "f8": 6, "u1": 7, "u2": 8, "u4": 9, "i8": 10, "u8": 11}
KINDS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "b1", "S5"]


def values_of(kind, shape):
    if kind[0] == "S":
        return np.array(["".join(rng.choice("abcd") for _ in range(rng.randint(1, 5))) for _ in range(int(np.prod(shape)))], kind).reshape(shape)
    if kind == "b1":
        return many.random(shape) < 0.5
    if kind[0] == "f":
        return (many.standard_normal(shape) * 100).astype(kind)
    return many.integers(0, 100 if rng.random() < 0.5 else 2**62, shape).astype(kind)


def classic(a):
    """As the library shows it, in native order."""
    a = np.asarray(a)
    a = np.ascontiguousarray(a.astype(a.dtype.newbyteorder("="))).reshape(a.shape)
    if a.dtype.kind == "b":
        return a.astype("i1")
    if a.dtype == "f2":
        return a.astype("f4")
    if a.dtype.kind == "S" and a.dtype.itemsize > 1:
        return np.frombuffer(a.tobytes(), "S1").reshape(a.shape + (a.dtype.itemsize,))
    return a


def line_of(number, name, a):
    a = classic(a)
    kind = a.dtype.str[1:]
    return " ".join([str(number), name, str(NC[kind]), "%08x" % zlib.crc32(a.tobytes())] + [str(n) for n in a.shape])


def write_h5(path, number):
    want = []
    with h5py.File(path, "w", libver=rng.choice([None, "latest", "earliest"])) as f:
        for k in range(rng.randint(1, 3)):
            kind, ndims = rng.choice(KINDS), rng.randint(0, 3)
            shape = tuple(rng.randint(1, 25) for _ in range(ndims))
            a = values_of(kind, shape)
            dtype = np.dtype(kind) if kind[0] in "bS" else np.dtype(kind).newbyteorder(rng.choice("<>"))
            options = {}
            if ndims and rng.random() < 0.8:
                options["chunks"] = tuple(rng.randint(1, n) for n in shape)
                if rng.random() < 0.7:
                    options.update(compression="gzip", compression_opts=rng.randint(1, 9))
                options.update(shuffle=rng.random() < 0.5, fletcher32=rng.random() < 0.3)
                if rng.random() < 0.3:
                    options["maxshape"] = (None,) + shape[1:]
            group = f.require_group("g") if rng.random() < 0.3 else f
            d = group.create_dataset("v%d" % k, shape, dtype, fillvalue=None if kind[0] in "bS" else 7, **options)
            if ndims and "chunks" in options and kind[0] not in "bS" and rng.random() < 0.4:  # some chunks are not there
                part = tuple(slice(0, n // 2) for n in shape)
                d[part] = a[part]
                rest = np.full(shape, 7).astype(kind)
                rest[part] = a[part]
                a = rest
            else:
                d[...] = a
            want.append((("g." if group is not f else "") + "v%d" % k, a))
    return want


def write_nc4(path, number):
    want = []
    with netCDF4.Dataset(path, "w", format=rng.choice(["NETCDF4", "NETCDF4_CLASSIC"])) as d:
        d.set_auto_mask(False)
        lengths = {"t": rng.randint(1, 6), "y": rng.randint(1, 12), "x": rng.randint(1, 30)}
        for name, n in lengths.items():
            d.createDimension(name, None if name == "t" else n)
        for k in range(rng.randint(1, 4)):
            kinds = ["i1", "i2", "i4", "f4", "f8"] + ([] if d.data_model != "NETCDF4" else ["u1", "u2", "u4", "i8", "u8"])
            kind = rng.choice(kinds)
            dims = rng.choice([("t", "y", "x"), ("y", "x"), ("x",), ("t",), (), ("t", "x")])
            shape = tuple(lengths[n] for n in dims)
            options = {}
            if dims and rng.random() < 0.7:
                options = dict(zlib=True, complevel=rng.randint(1, 9), shuffle=rng.random() < 0.5, fletcher32=rng.random() < 0.3,
                               chunksizes=[rng.randint(1, n) for n in shape])
            v = d.createVariable("v%d" % k, kind, dims, fill_value=rng.choice([None, 3]), **options)
            a = values_of(kind, shape)
            v[...] = a
            if "t" in dims:
                lengths["seen"] = True
            want.append(("v%d" % k, a, dims))
        if not lengths.get("seen"):
            lengths["t"] = 0
    return [(name, a) for name, a, _ in want]


def main():
    expected, paths = [], []
    for number in range(NUMBER):
        path = os.path.abspath("f%d.%s" % (number, "h5" if number % 2 else "nc"))
        want = (write_h5 if number % 2 else write_nc4)(path, number)
        expected += [line_of(number, name, a) for name, a in want]
        paths.append(path)
    with open("list.txt", "w") as f:
        f.write("\n".join(paths) + "\n")
    bad = 0
    for ranks, hints in [(r, "") for r in RANKS] + [(RANKS[-1], ODD_HINTS)]:
        environment = dict(os.environ, PNETCDF_HINTS=hints)
        ran = subprocess.run(LAUNCH + (["-n", ranks] if LAUNCH else []) + [READER, "list.txt"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             universal_newlines=True, timeout=600, env=environment)
        lines = ran.stdout.splitlines()
        got = {" ".join(l.split(" ")[:2]): l for l in lines}
        wrong = [w for w in expected if got.get(" ".join(w.split(" ")[:2])) != w]
        print("%s ranks%s: %d variables of %d files, %d differ, status %d" % (ranks, " with hints" if hints else "", len(expected), NUMBER, len(wrong), ran.returncode))
        for w in wrong[:8]:
            print("  want", w, "\n  got ", got.get(" ".join(w.split(" ")[:2])), paths[int(w.split(" ")[0])])
        for l in lines:
            if "REFUSED" in l or "FAILED" in l:
                print("  ", l)
                wrong.append(l)
        if ran.returncode:
            print(ran.stderr[-2000:])
        bad += len(wrong) + (ran.returncode != 0)
    return bad != 0


sys.exit(main())
