#!/usr/bin/env python3
"""Fixes that `parcdf copy` reads the stores of other programs as zarr-python does: every row of a table of types, orders, codecs,
separators and fill values, whole and in parts, and that what is not read is refused with a sentence that names array and
reason, not copied wrongly.
usage: zarr_test.py PARCDF [MPIEXEC]          skipped (77) without zarr-python or netCDF4"""
import itertools, json, os, shlex, subprocess, sys, tempfile, warnings
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
import runner
try:
    import netCDF4, numcodecs, numpy as np, zarr
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

PARCDF, MPIEXEC = os.path.abspath(sys.argv[1]), shlex.split(sys.argv[2]) if len(sys.argv) > 2 else []
TYPES = ["|i1", "|u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "<f4", ">f4", "<f8", ">f8"]
CODECS = {"none": None, "zlib": numcodecs.Zlib(6), "gzip": numcodecs.GZip(1)}
with open(PARCDF, "rb") as program:
    SANITIZED = b"__asan_init" in program.read()
bad = checks = 0


def check(good, *words):
    global bad, checks
    checks += 1
    if not good:
        bad += 1
        print("FAILED:", *words)


def copy(*words):
    words = [*MPIEXEC, PARCDF, "copy", "-O", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60)


def fills(dtype):
    """What a fill value may be: none, zero, another, at the edge of the type."""
    kind = np.dtype(dtype)
    edge = [float("nan"), float("inf"), -float("inf"), 1e-30] if kind.kind == "f" else [int(np.iinfo(kind).max), int(np.iinfo(kind).min)]
    return [None, 0, 7] + edge


def rows():
    """(name, dtype, order, codec, separator, fill, written): each pair of values of two columns is somewhere."""
    for n, (dtype, order, codec) in enumerate(itertools.product(TYPES, "CF", CODECS)):
        fill = fills(dtype)[n % len(fills(dtype))]
        yield "a%d" % n, dtype, order, codec, "./"[n // 2 % 2], fill, n % 3


def make(group):
    for name, dtype, order, codec, separator, fill, written in rows():
        where = group if len(name) % 2 else group.require_group("inner")
        a = where.create_dataset(name, shape=(5, 7, 3), chunks=(2, 3, 3 - written), dtype=dtype, order=order, compressor=CODECS[codec],
                                 dimension_separator=separator, fill_value=fill)
        a.attrs["_ARRAY_DIMENSIONS"] = ["y", "x", "z"]
        values = (np.arange(105) * 1717171.25 % 120).reshape(5, 7, 3).astype(dtype)
        if written == 0:
            a[:] = values
        elif written == 1:  # chunks lack
            a[0:2, 3:7] = values[0:2, 3:7]
    group.create_dataset("long", shape=(100000,), chunks=(30000,), dtype=">f8", compressor=CODECS["zlib"], fill_value=-1)[:] = np.arange(1e5)


def same(got, want, what):
    want = want.astype(want.dtype.newbyteorder("="))
    good = got.dtype == want.dtype and got.shape == want.shape and got.tobytes() == want.tobytes()
    check(good, what, "is", got.ravel()[:8], "not", want.ravel()[:8])


def table(folder):
    group = zarr.open_group(folder + "/t.zarr", "w")
    make(group)
    done = copy(folder + "/t.zarr", folder + "/t.nc")
    check((done.returncode, done.stderr) == (0, ""), "the table:", done.returncode, done.stderr)
    part = copy("-d", "y,1,4,2", "-d", "x,2,6,3", folder + "/t.zarr", folder + "/part.nc")
    check(part.returncode == 0, "a part of the table:", part.stderr)
    if done.returncode or part.returncode:
        return
    whole, part = (netCDF4.Dataset(folder + "/" + name) for name in ("t.nc", "part.nc"))
    whole.set_auto_mask(False), part.set_auto_mask(False)
    for name, dtype, order, codec, separator, fill, written in rows():
        inside = "" if len(name) % 2 else "inner/"
        want = group[inside + name]
        values = want[:] if fill is not None or written == 0 else None
        name = inside.replace("/", ".") + name
        var, what = whole[name], "%s %s %s %s fill %s, written %s" % (dtype, order, codec, separator, fill, written)
        if values is None:  # without a fill value nobody says what is where nothing was written: zeros
            values = np.zeros((5, 7, 3), dtype)
            if written == 1:
                values[0:2, 3:7] = want[0:2, 3:7]
                values[0:2, 6], values[0:2, 6] = want[0:2, 6], want[0:2, 6]
        same(var[:], values, what)
        same(part[name][:], np.ascontiguousarray(values[1:5:2, 2:7:3]), what + ", a part")
        has = "_FillValue" in var.ncattrs()
        check(has == (fill is not None), what, "has a fill value:", has)
        if has:
            same(np.array(var._FillValue), np.array(fill, want.dtype), what + ": _FillValue")
    same(whole["long"][:], np.arange(1e5), "an array larger than its chunks")


LOST = ": the copy has no place for this (--skip-unsupported leaves it out)"


def refused(folder):
    """What has no place in a classic file is named, and nothing is made; with --skip-unsupported the rest is copied."""
    group = zarr.open_group(folder + "/time", "w")
    group.create_dataset("v", shape=(4,), chunks=(2,), dtype="<M8[s]", compressor=None)
    group.create_dataset("w", shape=(4,), chunks=(2,), dtype="<i4", compressor=None)[:] = 7
    refuse(folder, "time", ('variable /v: its type "<M8[s]" has no place in the classic model' + LOST,))
    done = copy("--skip-unsupported", folder + "/time", folder + "/time.nc")
    check(done.returncode == 0 and 'left out: variable /v: its type "<M8[s]" has no place' in done.stderr, "time", done.stderr)
    with netCDF4.Dataset(folder + "/time.nc") as d:
        check(list(d.variables) == ["w"] and list(d["w"][:]) == [7] * 4, "left are", d.variables)


def damaged(folder):
    """A chunk that is cut off, is no zlib, or has too few bytes; .zarray that is none."""
    for n, (codec, raw, said) in enumerate(((None, b"1234", "it has 4 bytes, not 16"),
                                            ("zlib", b"no zlib", "the chunk is damaged: zlib cannot decode it"),
                                            ("zlib", b"", "the chunk is damaged: zlib cannot decode it"),
                                            ("gzip", numcodecs.GZip().encode(b"1234"), "the chunk is damaged: gzip makes 4 bytes of it, not 16"))):
        name = "damaged%d" % n
        a = zarr.open_group(folder + "/" + name, "w").create_dataset("v", shape=(8,), chunks=(4,), dtype="<f4", compressor=CODECS[codec or "none"])
        a[:] = 1
        with open(folder + "/" + name + "/v/1", "wb") as f:
            f.write(raw)
        refuse(folder, name, ("variable v, chunk 1: ", said))
    small = '{"zarr_format":2,"dtype":"%s","shape":[9],"chunks":[2],"compressor":null,"filters":null,"order":"C","fill_value":%s}'
    fill, short = "variable /v: its fill_value is none of its type, or a text" + LOST, '{"zarr_format":2,"dtype":"<f4","shape":%s,"chunks":%s}'
    for n, (status, said, text) in enumerate(((2, fill, small % ("<i8", 2**63)), (2, fill, small % ("<i8", -2**63 - 1)),
                                              (2, fill, small % (">u8", 2**64)), (2, fill, small % ("|i1", 300)), (2, fill, small % ("<i4", '"x"')),
                                              (1, "v/.zarray is no JSON: byte 0: no value begins like this", ""),
                                              (1, "v/.zarray is no JSON: byte 1: a name is missing", "{"),
                                              (1, "v/.zarray is no object of JSON", "[]"),
                                              (2, 'variable /v: it has no "shape" of a length for each dimension' + LOST, '{"zarr_format": 2}'),
                                              (2, 'variable /v: it has a "shape" that is no length' + LOST, short % ("[9e99]", "[2]")),
                                              (2, 'variable /v: it has a "chunks" that is no length' + LOST, short % ("[9]", "[0]")),
                                              (2, 'variable /v: it has no "chunks" of a length for each dimension' + LOST, short % ("[9]", "[2,2]")))):
        name = "odd%d" % n
        zarr.open_group(folder + "/" + name, "w").create_group("v")
        os.unlink(folder + "/" + name + "/v/.zgroup")
        with open(folder + "/" + name + "/v/.zarray", "w") as f:
            f.write(text)
        refuse(folder, name, (said,), status)


def twice(folder):
    """Parsers may take either of two members of one name: libnetcdf's made room for bytes where 8 times as much was written."""
    for name, key in (("twice", "dtype"), ("escaped", "dt\\u0079pe")):
        text = json.dumps(dict(zarr_format=2, shape=[1 << 26], chunks=[1 << 20], compressor=None, filters=None, order="C", fill_value=7, dtype="|i1"))
        zarr.open_group(folder + "/" + name, "w").create_group("v")
        os.unlink(folder + "/" + name + "/v/.zgroup")
        for file, content in ((".zarray", '{"%s":"<f8",' % key + text[1:]), (".zattrs", '{"_ARRAY_DIMENSIONS":["t"]}')):
            with open(folder + "/" + name + "/v/" + file, "w") as f:
                f.write(content)
        refuse(folder, name, ('variable /v: its .zarray has two members "dtype"' + LOST,))


def lists(folder):
    """Lists of numbers are of one type that holds all of them."""
    for name, where, value in (("mixed", "v", [1, 2.5]), ("root", "", [3, 4, 0.5]), ("word", "v", [1, float("inf")]), ("power", "v", [1, 1e30]),
                               ("reals", "v", [1.5, 2]), ("whole", "v", [1, 2])):
        group = zarr.open_group(folder + "/" + name, "w")
        group.create_dataset("v", shape=(2,), chunks=(2,), dtype="<i4", compressor=None)[:] = 1
        (group[where] if where else group).attrs["a"] = value
        done = copy(folder + "/" + name, folder + "/list.nc")
        with netCDF4.Dataset(folder + "/list.nc") as d:
            check(done.returncode == 0 and list((d[where] if where else d).a) == value, name, done.stderr)


def memory(folder):
    """The chunks of one array at a time: reading ten takes no more than reading two."""
    used = []
    for n in (2, 10):
        group = zarr.open_group(folder + "/many", "w")
        for i in range(n):
            group.create_dataset("v%d" % i, shape=(1 << 20,), dtype="<f8", chunks=(1 << 20,), compressor=CODECS["zlib"], fill_value=0)[5] = i + 1
            group["v%d" % i].attrs["_ARRAY_DIMENSIONS"] = ["x"]
        child = subprocess.Popen([PARCDF, "copy", "-O", "-d", "x,0,9", folder + "/many", folder + "/many.nc"], stderr=subprocess.PIPE, text=True)
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        with netCDF4.Dataset(folder + "/many.nc") as d:
            check(status == 0 and all(d["v%d" % i][5] == i + 1 for i in range(n)), "many", status, said)
        used.append(usage.ru_maxrss / 1024)
    if not SANITIZED:  # the address sanitizer holds freed memory back
        check(used[1] - used[0] < 32, "two arrays take %.0f MiB, ten %.0f" % tuple(used))


def neighbour(folder):
    """A damaged array is no error for who reads the one before it, a long or a short one."""
    for n in (5000, 100000):
        group = zarr.open_group(folder + "/pair", "w")
        group.create_dataset("a", shape=(n,), dtype="<f4", chunks=(n,), compressor=CODECS["zlib"], fill_value=0)[:] = 1
        group.create_dataset("b", shape=(300000,), dtype="|i1", chunks=(300000,), compressor=CODECS["zlib"], fill_value=0)[:] = 1
        with open(folder + "/pair/b/0", "wb") as chunk:
            chunk.write(b"damaged")
        for words in (("stats", "-v", "a"), ("dump", "-v", "a")):
            done = subprocess.run([PARCDF, *words, folder + "/pair"], capture_output=True, text=True, timeout=60)
            check(done.returncode == 0 and not done.stderr, n, words, done.returncode, done.stderr)
        done = subprocess.run([PARCDF, "stats", "-v", "b", folder + "/pair"], capture_output=True, text=True, timeout=60)
        check(done.returncode == 2 and "damaged" in done.stderr, n, done.returncode, done.stderr)


def refuse(folder, name, words, status=2):
    done = copy(folder + "/" + name, folder + "/refused.nc")
    lines = [line for line in done.stderr.splitlines() if line.startswith("parcdf")]
    check(done.returncode == status and len(lines) == 1 and all(word in lines[0] for word in words + (name,)) and
          "crashed" not in done.stderr and not os.path.exists(folder + "/refused.nc"), name, done.returncode, done.stderr)


def written(folder):
    """What is written reads back, with its fill values and none new."""
    with netCDF4.Dataset(folder + "/in.nc", "w", format="NETCDF3_64BIT_DATA") as d:
        d.createDimension("x", 6)
        for name, fill in (("plain", None), ("filled", -5.0), ("nan", float("nan"))):
            d.createVariable(name, "f4", ("x",), fill_value=fill)[:] = [1, 2, 3, 4, 5, 6]
        d.createVariable("text", "S1", ("x",))[:] = list("abcdef")
    for words in ((folder + "/in.nc", folder + "/out.zarr", "-k", "nczarr"), (folder + "/out.zarr", folder + "/back.nc")):
        done = copy(*words)
        check(done.returncode == 0, words, done.stderr)
    a, b = netCDF4.Dataset(folder + "/in.nc"), netCDF4.Dataset(folder + "/back.nc")
    a.set_auto_mask(False), b.set_auto_mask(False)
    for name in a.variables:
        same(b[name][:], a[name][:], name)
        check(a[name].ncattrs() == b[name].ncattrs(), name, a[name].ncattrs(), b[name].ncattrs())


warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory(dir=runner.MEMORY) as place:
    table(place)
    if not MPIEXEC:
        refused(place)
        damaged(place)
        written(place)
        twice(place)
        lists(place)
        neighbour(place)
        memory(place)
print("%d checks, %d failed" % (checks, bad))
sys.exit(bad > 0)
