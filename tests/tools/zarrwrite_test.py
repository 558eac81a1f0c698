#!/usr/bin/env python3
"""Fixes the Zarr stores that `parcdf copy` writes: zarr-python, xarray and netCDF4-python read the values and attributes of FROM,
version 3 with and without shards by a reader of this file; any number of ranks writes the same bytes; a copy that is killed, or
has no room, leaves nothing.
usage: zarrwrite_test.py PARCDF [MPIEXEC]          skipped (77) without zarr-python, xarray or netCDF4"""
import base64, itertools, json, os, resource, shlex, shutil, signal, struct, subprocess, sys, tempfile, time, warnings
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner
try:
    import netCDF4, numcodecs, numcodecs.zlib, numpy as np, xarray, zarr
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

PARCDF, MPIEXEC = os.path.abspath(sys.argv[1]), shlex.split(sys.argv[2]) if len(sys.argv) > 2 else []
ENV = {**os.environ, **runner.MPI}
with open(PARCDF, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()
TYPES = {"i1": "i1", "S1": "S1", "i2": "i2", "i4": "i4", "f4": "f4", "f8": "f8", "u1": "u1", "u2": "u2", "u4": "u4", "i8": "i8", "u8": "u8"}
bad = checks = 0


def check(good, *words):
    global bad, checks
    checks += 1
    if not good:
        bad += 1
        print("FAILED:", *words)


def copy(*words, ranks=0, env=None, **more):
    launch = [*MPIEXEC, "-n", str(ranks)] if ranks else []
    return subprocess.run([*launch, PARCDF, "copy", *map(str, words)], capture_output=True, text=True, timeout=120,
                          env={**ENV, **(env or {})}, **more)


def make(path):
    """All types, with and without fill values; records; scalars; a dimension that no chunk divides; variables that are all fill."""
    random = np.random.default_rng(1)
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as d:
        d.set_auto_mask(False)
        for name, n in (("time", None), ("y", 11), ("x", 13), ("n", 4)):
            d.createDimension(name, n)
        for n, name in enumerate(TYPES):
            for dims in ((), ("x",), ("time", "y", "x")):
                if n % 3 == 0 or dims:
                    fill = None if n % 2 and len(dims) < 3 else b"-" if name == "S1" else 7
                    v = d.createVariable("v_%s_%d" % (name, len(dims)), name, dims, fill_value=fill)
                    v.set_auto_mask(False)
                    shape = [{"time": 5, "y": 11, "x": 13}[dim] for dim in dims]
                    raw = random.integers(1, 256, int(np.prod(shape, dtype=int)) * v.dtype.itemsize, "u1")
                    if name in ("f4", "f8"):
                        values = random.standard_normal(shape).astype(name)
                    else:
                        values = raw.view(name).reshape(shape)
                    v[...] = values
        d.createVariable("empty", "f4", ("time", "y"), fill_value=1.5)[:] = np.full((5, 11), 1.5)
        d.createVariable("holes", "i4", ("y", "x"), fill_value=-9)[:] = np.where(np.arange(143).reshape(11, 13) < 40, np.arange(143).reshape(11, 13), -9)
        d.createVariable("nan", "f8", ("x",), fill_value=float("nan"))[:] = np.where(np.arange(13) < 9, 2.5, np.nan)
        d.createVariable("infinite", "f4", ("x",), fill_value=-float("inf"))[3:6] = 1
        d.createVariable("ende", "S1", ("n",))[:] = list("ende")
        d["holes"].setncatts({"units": "µm \"quoted\" \\ back\nline", "scale_factor": np.float64(0.1), "range": np.array([1, 2.5, 1e-300]), "flag": np.int8(-3),
                              "big": np.array([2**63 - 1, -2**63]), "third": np.float32(1 / 3), "none": ""})
        d.setncatts({"title": "a store", "huge": np.uint64(2**64 - 1), "one": np.array([3], "i2")})


def truth(path):
    with netCDF4.Dataset(path) as d:
        d.set_auto_maskandscale(False)
        d.set_always_mask(False)
        d.set_auto_chartostring(False)
        return {n: (np.array(v[...]), {a: v.getncattr(a) for a in v.ncattrs()}, v.dimensions) for n, v in d.variables.items()}, {
            a: d.getncattr(a) for a in d.ncattrs()}


def equal(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype.newbyteorder("=") == b.dtype.newbyteorder("=") and a.astype(a.dtype.newbyteorder("=")).tobytes() == b.astype(
        b.dtype.newbyteorder("=")).tobytes()


def same_att(got, want):
    """As JSON has it: a number, a list, text."""
    if isinstance(want, str):
        return got == want
    got, want = np.atleast_1d(got), np.atleast_1d(want)
    return np.array_equal(got, want, equal_nan=got.dtype.kind == want.dtype.kind == "f")


def check_atts(got, want, what, hidden=()):
    got = {k: v for k, v in got.items() if k not in ("_ARRAY_DIMENSIONS", "_NCZARR_ATTR", *hidden)}
    want = {k: v for k, v in want.items() if k not in hidden}
    check(list(got) == list(want), what, "has attributes", list(got), "not", list(want))
    for name in want:
        if name in got and name != "third":
            check(same_att(got[name], want[name]), what, name, "is", repr(got[name]), "not", repr(want[name]))
        elif name in got:
            check(np.float32(got[name]) == want[name], what, name, "is", got[name])


def read_zarr(store, source, nc):
    want, gatts = truth(source)
    # zarr-python 2 reads other objects than .zmetadata as ASCII, and netCDF-C 4.9 knows no escapes
    for how in (zarr.open_consolidated,) if nc else (zarr.open_group, zarr.open_consolidated):
        g = how(store, mode="r")
        check(sorted(g.array_keys()) == sorted(want), store, "has arrays", sorted(g.array_keys()))
        check_atts(dict(g.attrs), gatts, store)
        for name, (values, atts, dims) in want.items():
            if nc and values.dtype.kind == "S":
                continue  # netCDF-C 4.9 has one byte where "<U1" says four
            got = g[name][...]
            check(equal(got.reshape(values.shape), values), store, name, "is", got.ravel()[:6], "not", values.ravel()[:6])
            check(list(g[name].attrs["_ARRAY_DIMENSIONS"]) == (list(dims) or (["_scalar_"] if nc else [])), store, name, g[name].attrs["_ARRAY_DIMENSIONS"])
            check_atts(dict(g[name].attrs), atts, store + " " + name, ("_FillValue",))
            fill = g[name].fill_value
            check((fill is None) == ("_FillValue" not in atts), store, name, "has the fill value", fill)
            check(fill is None or equal(np.array(fill, values.dtype), np.array(atts["_FillValue"], values.dtype)), store, name, "fill", fill)
    with xarray.open_zarr(store, mask_and_scale=False, decode_times=False, concat_characters=False, consolidated=True) as d:
        for name, (values, atts, dims) in want.items():
            if nc and (values.dtype.kind == "S" or not dims):
                continue
            check(d[name].dims == dims and equal(d[name].values, values), store, name, "is to xarray", d[name])


def read_netcdf(store, source, folder):
    """By netCDF-C; it knows a scalar as an array of one, and text that is empty as a NUL."""
    want, gatts = truth(source)
    with netCDF4.Dataset("file://" + store + "#mode=nczarr,file") as d:
        d.set_auto_maskandscale(False)
        d.set_always_mask(False)
        d.set_auto_chartostring(False)
        for name, (values, atts, dims) in want.items():
            got = d[name][...]
            check(equal(got.reshape(values.shape), values), store, name, "is to netCDF-C", got.ravel()[:6], "not", values.ravel()[:6])
            for att in atts:
                value = d[name].getncattr(att)
                check(same_att(value, atts[att]) or (atts[att] == "" and value in ("", "\0")), store, name, att, "is to netCDF-C", repr(value))
                check(isinstance(value, str) or np.asarray(value).dtype == np.asarray(atts[att]).dtype, store, name, att, "has the type", np.asarray(value).dtype)
        check(all(same_att(d.getncattr(a), gatts[a]) for a in gatts), store, "attributes of the file")


# ---- version 3

DTYPES3 = {"int8": "i1", "int16": "<i2", "int32": "<i4", "int64": "<i8", "uint8": "u1", "uint16": "<u2", "uint32": "<u4", "uint64": "<u8",
           "float32": "<f4", "float64": "<f8"}


def crc32c(data):
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82f63b78 if n & 1 else 0)
        table.append(n)
    crc = 0xffffffff
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 255]
    return crc ^ 0xffffffff


def decode3(codecs, data, shape, dtype, fill):
    """One chunk, perhaps a shard; None: it is not there."""
    first = codecs[0]
    if first["name"] == "sharding_indexed":
        conf = first["configuration"]
        inner = conf["chunk_shape"]
        counts = [s // c for s, c in zip(shape, inner)]
        assert all(s % c == 0 for s, c in zip(shape, inner)) and conf["index_location"] == "end", conf
        assert conf["index_codecs"] == [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}], conf
        size = 16 * int(np.prod(counts))
        index, crc = data[-size - 4:-4], struct.unpack("<I", data[-4:])[0]
        assert crc == crc32c(index), "the checksum of an index"
        index = np.frombuffer(index, "<u8").reshape(*counts, 2)
        out, end = np.full(shape, fill, dtype), 0
        for at in np.ndindex(*counts):
            offset, n = (int(x) for x in index[at])
            if offset == n == 2**64 - 1:
                continue
            end = max(end, offset + n)
            out[tuple(slice(a * c, a * c + c) for a, c in zip(at, inner))] = decode3(conf["codecs"], data[offset:offset + n], inner, dtype, fill)
        assert end == len(data) - size - 4, "bytes of a shard that no chunk has"
        return out
    for codec in reversed(codecs[1:]):
        data = {"gzip": numcodecs.GZip(), "zstd": numcodecs.Zstd()}[codec["name"]].decode(data)
    assert first == ({"name": "bytes", "configuration": {"endian": "little"}} if np.dtype(dtype).itemsize > 1 else {"name": "bytes"}), first
    return np.frombuffer(data, dtype).reshape(shape)


def fill3(meta, dtype):
    fill = meta["fill_value"]
    if np.dtype(dtype).kind == "S":
        return np.array(base64.b64decode(fill), dtype)
    return np.array(float(fill.replace("Infinity", "inf")) if isinstance(fill, str) else fill, dtype)


def read3(store):
    """{name: (values, attributes, names of dimensions, files)}, attributes of the group."""
    with open(store + "/zarr.json") as f:
        group = json.load(f)
    assert (group["zarr_format"], group["node_type"]) == (3, "group")
    arrays = {}
    for name, consolidated in group["consolidated_metadata"]["metadata"].items():
        with open("%s/%s/zarr.json" % (store, name)) as f:
            meta = json.load(f)
        assert meta == consolidated and (meta["zarr_format"], meta["node_type"], meta["chunk_grid"]["name"]) == (3, "array", "regular")
        kind = meta["data_type"]
        dtype = DTYPES3[kind] if isinstance(kind, str) else "S%d" % kind["configuration"]["length_bytes"]
        shape, chunk, fill = meta["shape"], meta["chunk_grid"]["configuration"]["chunk_shape"], fill3(meta, dtype)
        counts, files = [-(-s // c) for s, c in zip(shape, chunk)], 0
        out = np.full([n * c for n, c in zip(counts, chunk)], fill, dtype)
        for at in np.ndindex(*counts):
            path = "/".join([store, name, "c", *map(str, at)])
            if os.path.exists(path):
                files += 1
                with open(path, "rb") as f:
                    out[tuple(slice(a * c, a * c + c) for a, c in zip(at, chunk))] = decode3(meta["codecs"], f.read(), chunk, dtype, fill)
        arrays[name] = out[tuple(slice(0, s) for s in shape)], meta["attributes"], meta["dimension_names"], files
    return arrays, group["attributes"]


def check3(store, source):
    want, gatts = truth(source)
    try:
        arrays, atts = read3(store)
    except AssertionError as e:
        return check(False, store, "cannot be read:", e)
    check_atts(atts, gatts, store)
    check(list(arrays) == list(want), store, "has arrays", list(arrays))
    for name, (values, atts, dims) in want.items():
        got, got_atts, got_dims, files = arrays[name]
        check(equal(got, values), store, name, "is", got.ravel()[:6], "not", values.ravel()[:6])
        check(tuple(got_dims) == dims, store, name, "has dimensions", got_dims)
        check_atts(got_atts, atts, store + " " + name, ("_FillValue",))
        check(("_FillValue" in got_atts) == ("_FillValue" in atts), store, name, "_FillValue")
        if "_FillValue" in atts and values.dtype.kind == "f":  # as xarray has it
            fill = struct.unpack("<d", base64.b64decode(got_atts["_FillValue"]))[0]
            check(fill == atts["_FillValue"] or fill != fill, store, name, "_FillValue", fill)
    check(arrays["empty"][3] == 0, "a variable that is all fill has", arrays["empty"][3], "files")


# ---- rows

ROWS = [("zarr",), ("zarr", "--deflate", "4"), ("zarr", "--zstd", "3", "--shuffle"), ("zarr", "--deflate", "1", "--shuffle", "--chunks", "x/4,y/3,time/2"),
        ("nczarr",), ("nczarr", "--chunks", "x/5,time/1"),
        ("zarr3",), ("zarr3", "--deflate", "6"), ("zarr3", "--zstd", "1", "--chunks", "x/3,y/2,time/1", "--shards", "0"),
        ("zarr3", "--chunks", "x/3,y/2,time/1", "--shards", "200"), ("zarr3", "--zstd", "2", "--chunks", "x/3,y/2,time/1", "--shards", "x/7,y/6,time/2"),
        ("zarr3", "--deflate", "1", "--chunks", "x/3,y/4")]


def tree(store):
    """Every file: its bytes."""
    files = {}
    for where, _, names in os.walk(store):
        for name in names:
            with open(os.path.join(where, name), "rb") as f:
                files[os.path.relpath(os.path.join(where, name), store)] = f.read()
    return files


def table(folder):
    source = folder + "/in.nc"
    make(source)
    for n, row in enumerate(ROWS):
        store = "%s/%d.store" % (folder, n)
        done = copy("-k", *row, source, store)
        check((done.returncode, done.stderr) == (0, ""), row, done.returncode, done.stderr)
        if done.returncode:
            continue
        check(not any(name.endswith(".parcdf") or ".parcdf-" in name for name in os.listdir(folder)), "left:", os.listdir(folder))
        if row[0] == "zarr3":
            check3(store, source)
        else:
            read_zarr(store, source, row[0] == "nczarr")
            check(not any(name.startswith("empty/") and not name.startswith("empty/.z") for name in tree(store)), "chunks of fill are written")
        if row[0] == "nczarr":
            read_netcdf(store, source, folder)
        for ranks in (1, 2, 4) if MPIEXEC else ():
            if ranks == 4 and n % 3:
                continue
            other = "%s/%d-%d.store" % (folder, n, ranks)
            done = copy("-k", *row, source, other, ranks=ranks)
            check(done.returncode == 0 and tree(other) == tree(store), row, "on", ranks, "ranks is another store", done.stderr)
    holes = tree(folder + "/3.store")
    check("holes/0.0" in holes and "holes/3.0" not in holes, "chunks of fill:", sorted(k for k in holes if k.startswith("holes")))


def characters(folder):
    """xarray finds the same in X.zarr as in X.nc, texts too."""
    source, store = folder + "/texts.nc", folder + "/texts.zarr"
    with netCDF4.Dataset(source, "w", format="NETCDF3_CLASSIC") as d:
        for name, n in (("Time", None), ("len", 19), ("x", 4)):
            d.createDimension(name, n)
        d.createVariable("Times", "S1", ("Time", "len"))[:] = np.array([list("2001-01-0%d_00:00:00" % i) for i in (1, 2)], "S1")
        d.createVariable("one", "S1", ("x",), fill_value="x")[:] = np.array(list("axbc"), "S1")
        d.createVariable("crs", "S1", ())[...] = b"c"
        name = d.createVariable("name", "S1", ("x", "len"))
        name[:] = np.frombuffer(b"".join(w.encode().ljust(19, b"\0") for w in ("ab", "\u00e9", "", "xyz")), "S1").reshape(4, 19)
        name.setncattr("_Encoding", "utf-8")
        t = d.createVariable("T", "f4", ("Time", "x"), fill_value=-1)
        t.setncatts(dict(coordinates="name", grid_mapping="crs"))
        t[:] = np.ma.masked_equal(np.arange(8).reshape(2, 4), 3)
    done = copy(source, store)
    check(done.returncode == 0, "texts:", done.stderr)
    with xarray.open_dataset(source) as a, xarray.open_dataset(store, engine="zarr") as b:
        check(a.identical(b), "xarray finds in", a, "\nand in Zarr", b)


def parts(folder):
    """Cuts, choices, definitions alone, no records; the name of TO; -O; URLs."""
    source, store = folder + "/in.nc", folder + "/part.zarr"
    want, _ = truth(source)
    done = copy("-V", "v_f4_3,holes", "-d", "time,1,4,2", "-d", "y,2,9,3", "-d", "x,1,", "--chunks", "x/5", source, store)
    check(done.returncode == 0, "a part:", done.stderr)
    g = zarr.open_group(store, "r")
    check(equal(g["v_f4_3"][:], want["v_f4_3"][0][1:5:2, 2:10:3, 1:]) and equal(g["holes"][:], want["holes"][0][2:10:3, 1:]), "values of a part")
    check(sorted(g.array_keys()) == ["holes", "v_f4_3"] and list(json.load(open(store + "/.zgroup"))) == ["zarr_format"], "what .zarr becomes")
    check(json.load(open(store + "/v_f4_3/.zarray"))["compressor"] == {"id": "zlib", "level": 1}, ".zarr is compressed")
    for words, codec in ((["--deflate", "0"], None), (["--zstd", "3"], "zstd"), (["-k", "zarr"], None)):
        copy("-O", "-V", "v_f4_3", *words, source, store)
        made = json.load(open(store + "/v_f4_3/.zarray"))
        check((made["compressor"] or {}).get("id") == codec and (codec or made["filters"] is None), "codecs of", words, made)
    for mode, is_nc in (("zarr,file", False), ("nczarr,file", True), ("file", True)):
        copy("-O", "-V", "v_f4_3", source, "file://" + store + "#mode=" + mode)
        check(("_NCZARR_GROUP" in json.load(open(store + "/.zgroup"))) == is_nc, mode)
    shutil.rmtree(store)
    characters(folder)
    copy("-V", "v_f4_3", source, store)
    check(copy(source, store).returncode == 2 and copy("-O", "-h", "-k", "zarr", source, store).returncode == 0, "-O")
    g = zarr.open_group(store, "r")
    check(g["v_i4_3"].shape == (5, 11, 13) and (g["v_i4_3"][:] == g["v_i4_3"].fill_value).all(), "-h")
    check(copy("-O", source, "file://" + store + "#mode=zarr3,file").returncode == 0 and os.path.exists(store + "/zarr.json"), "a URL")
    with netCDF4.Dataset(folder + "/none.nc", "w", format="NETCDF3_CLASSIC") as d:
        d.createDimension("t", None)
        d.createVariable("v", "f4", ("t",))
        d.createVariable("s", "i4", ())[...] = 5
    check(copy("-k", "zarr", folder + "/none.nc", folder + "/none.zarr").returncode == 0, "no records")
    check(zarr.open_group(folder + "/none.zarr", "r")["v"].shape == (0,), "no records: shape")
    check(copy("-k", "zarr3", folder + "/none.nc", folder + "/none3.zarr").returncode == 0 and read3(folder + "/none3.zarr")[0]["v"][0].shape == (0,), "no records")


def refused(folder):
    source = folder + "/in.nc"
    os.mkdir(folder + "/there")
    open(folder + "/there/thesis", "w").close()
    with netCDF4.Dataset(folder + "/odd.nc", "w", format="NETCDF3_CLASSIC") as d:
        d.createDimension("x", 2)
        d.createVariable("zarr.json", "f4", ("x",))
    with open(folder + "/odd.nc", "rb") as f:
        image = f.read()
    for words, say in ((("-O", "-k", "zarr", source, folder + "/there"), "no Zarr store"), (("-k", "zarr", source, folder + "/no/where"), "No such file"),
                       (("-k", "zarr3", "--shuffle", source, folder + "/x"), "--shuffle"), (("-k", "zarr", "--shards", "1M", source, folder + "/x"), "--shards"),
                       (("-k", "zarr", "--deflate", "1", "--zstd", "1", source, folder + "/x"), "exclude"), (("--zstd", "1", source, folder + "/x.nc"), "--zstd"),
                       (("-k", "zarr3", folder + "/odd.nc", folder + "/x"), "zarr.json"), (("-k", "zarr", "--align", "4K", source, folder + "/x"), "alignment"),
                       (("-k", "nczarr", folder + "/none.nc", folder + "/x"), "no records"), (("-k", "zarr", source, source, folder + "/x"), "joined"),
                       (("-k", "zarr", "--chunks", "x/0", source, folder + "/x"), "--chunks"), (("-k", "zarr", "--zstd", "99", source, folder + "/x"), "--zstd"),
                       (("-k", "zarr3", "--shards", "q/2", source, folder + "/x"), "--shards")):
        before = sorted(os.listdir(folder))
        done = copy(*words)
        check(done.returncode == 2 and say in done.stderr and sorted(os.listdir(folder)) == before, words, done.returncode, done.stderr)
    ENV["PARCDF_PLUGINS"] = folder
    done = copy("-k", "zarr", "--zstd", "1", source, folder + "/x")
    check(done.returncode == 2 and "libparcdf-codecs" in done.stderr and not os.path.exists(folder + "/x"), "without the plug-in:", done.stderr)
    check(copy("-k", "zarr", source, folder + "/plain").returncode == 0, "without compression it is not needed")
    del ENV["PARCDF_PLUGINS"]


# ---- failures

def killed(folder):
    """A signal in the middle: nothing of the new store is left, and an old one stays."""
    source = folder + "/long.nc"
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as d:
        d.createDimension("x", 8 << 20)
        d.createVariable("v", "f8", ("x",))[:] = np.random.default_rng(2).standard_normal(8 << 20)
    check(copy("-k", "zarr", "-h", source, folder + "/old").returncode == 0, "the old store")
    before, old = sorted(os.listdir(folder)), tree(folder + "/old")
    for kind, ranks in itertools.product(("zarr", "zarr3"), (0, 2) if MPIEXEC else (0,)):
        launch = [*MPIEXEC, "-n", str(ranks)] if ranks else []
        with subprocess.Popen([*launch, PARCDF, "copy", "-O", "-k", kind, "--zstd", "19", source, folder + "/old"], stderr=subprocess.PIPE, env=ENV) as p:
            while p.poll() is None and not any(any(f[0] != "." for f in names) for name in os.listdir(folder) if ".parcdf-" in name
                                               for _, _, names in os.walk(folder + "/" + name)):
                time.sleep(0.001)
            check(p.poll() is None, "the copy was over before it was stopped")
            p.send_signal(signal.SIGTERM)
            p.communicate(timeout=60)
        check(p.returncode != 0 and sorted(os.listdir(folder)) == before and tree(folder + "/old") == old, kind, ranks, "killed leaves", os.listdir(folder))
    os.unlink(source)


def no_room(folder):
    """A file that cannot grow, and a full file system where one can be mounted."""
    with netCDF4.Dataset(folder + "/wide.nc", "w", format="NETCDF3_64BIT_DATA") as d:
        d.createDimension("x", 1 << 20)
        d.createVariable("v", "f8", ("x",))[:] = np.arange(1 << 20)
    before = sorted(os.listdir(folder))
    for kind in ("zarr", "zarr3", "nczarr"):
        done = copy("-k", kind, folder + "/wide.nc", folder + "/x", env=runner.NO_SHARED_FILES,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600000, 600000)))
        check(done.returncode == 2 and "File too large" in done.stderr and sorted(os.listdir(folder)) == before, kind, done.returncode, done.stderr)
    small = folder + "/small"
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", small], capture_output=True).returncode == 0:
        try:
            for kind, ranks in itertools.product(("zarr", "zarr3"), (0, 2) if MPIEXEC else (0,)):
                done = copy("-k", kind, folder + "/wide.nc", small + "/x", ranks=ranks)
                check(done.returncode == 2 and "No space left" in done.stderr and not os.listdir(small), kind, done.returncode, done.stderr, os.listdir(small))
        finally:
            subprocess.run(["umount", small])
    else:
        print("no file system can be mounted here: the full disk is left out")


warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory(dir=runner.MEMORY) as place:
    table(place)
    parts(place)
    refused(place)
    killed(place)
    no_room(place)
print("%d checks, %d failed" % (checks, bad))
sys.exit(bad > 0)
