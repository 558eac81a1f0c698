#!/usr/bin/env python3
"""Copies to and from netCDF-4, NCZarr and HDF4 hold the same values, types, attributes and dimensions, as netCDF4-python reads both
sides; what cannot be copied is refused in one sentence and leaves nothing behind; memory stays small.

    foreign_test.py PARCDF HDF4_FILES|- corpus         the corpus there and back
                                        limits         damage, signals, memory, options
                                        LAUNCHER       what several ranks do
"""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy as np
    import netCDF4
except ImportError:
    print("skipped: python3-netcdf4 is not there")
    sys.exit(77)
try:
    import h5py
    has_h5py = True
except ImportError:
    has_h5py = False

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'support'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'far'))
import corpus, runner
from rangeserver import asked, serve

PARCDF, HDF4_FILES, LAUNCHER = sys.argv[1:4]
SANITIZED = b"__asan_init" in Path(PARCDF).read_bytes()
STORE = "#mode=nczarr,file"
failures = []


def check(good, *what):
    if not good:
        failures.append(" ".join(map(str, what)))
        print("WRONG:", *what, flush=True)


def run(*words, program=None, ranks=0, command="copy", **more):
    launch = [LAUNCHER, "-n", str(ranks)] if ranks else []
    if ranks and "openmpi" in LAUNCHER:
        launch[1:1] = ["--oversubscribe"]
    words = [str(w) for w in words]
    return subprocess.run(launch + [program or PARCDF, command] + words, capture_output=True, text=True, timeout=100,
                          errors="replace", **more)


def copy(*words, **more):
    """A copy that must succeed."""
    done = run(*words, **more)
    check(done.returncode == 0, words, "gives", done.returncode, done.stderr)
    return done.returncode == 0


def refused(folder, *words, say="", status=2, **more):
    """One that must not, with one sentence, and leave nothing."""
    before = sorted(os.listdir(folder))
    done = run(*words, **more)
    said = [line for line in done.stderr.splitlines() if line.startswith("parcdf")]
    check(done.returncode == status, words, "gives", done.returncode, "not", status, done.stderr)
    check(len(said) == 1 and say in said[0], words, "says", done.stderr, "not", say)
    check(sorted(os.listdir(folder)) == before, words, "leaves", sorted(os.listdir(folder)), "not", before)
    return done


def opened(path):
    data = netCDF4.Dataset(path)
    data.set_auto_maskandscale(False)
    data.set_auto_chartostring(False)
    return data


def same(x, y):
    x, y = np.asarray(x), np.asarray(y)
    if x.dtype.kind in "US":
        return x.shape == y.shape and bool((x == y).all())
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def differences(a, b, is_store=False, fixed=False):
    """What differs between two data sets: is_store: the second has no scalars; fixed: nor unlimited dimensions."""
    found = []
    with opened(a) as one, opened(b) as two:
        def dims(data):
            return {n: (len(d), d.isunlimited() and not fixed) for n, d in data.dimensions.items()
                    if not (is_store and n == "_scalar_")}
        if dims(one) != dims(two):
            found.append(("dimensions", dims(one), dims(two)))
        if list(one.variables) != list(two.variables):
            return found + [("variables", list(one.variables), list(two.variables))]
        for name, v in one.variables.items():
            w = two.variables[name]
            stands = is_store and v.dimensions == () and w.dimensions == ("_scalar_",)
            x, y = np.asarray(v[...]), np.asarray(w[...])
            if v.dimensions != w.dimensions and not stands:
                found.append((name, v.dimensions, w.dimensions))
            if not same(x, y.reshape(()) if stands else y):
                found.append((name, x.ravel()[:5], y.ravel()[:5]))
        for p, q in [(one, two)] + list(zip(one.variables.values(), two.variables.values())):
            if p.ncattrs() != q.ncattrs():
                found.append((p.ncattrs(), q.ncattrs()))
                continue
            found += [(k, p.getncattr(k), q.getncattr(k)) for k in p.ncattrs() if not same(p.getncattr(k), q.getncattr(k))]
    return found


def differ(*arguments, **more):
    """In a process of its own: libnetcdf has crashed on stores."""
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            said = "; ".join(map(str, differences(*arguments, **more)))[:500]
        except Exception as problem: # noqa: the parent must hear of all
            said = f"{type(problem).__name__}: {problem}"
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    return said if os.wait()[1] == 0 else "the reader died"


# ---- classic files there and back

UNFIT = {"fill_odd_attributes.nc", "records_without_variables.nc"}
NO_STORE = UNFIT | {"text_attributes.nc", "dims_only_1.nc", "dims_only_2.nc", "dims_only_5.nc", "records_0.nc", "text_no_records.nc"}


def there_and_back(folder, paths):
    for number, path in enumerate(paths):
        new = folder / "new.nc4"
        if path.name not in UNFIT and copy("-O", "-k", "netcdf4", path, new):
            check(not (said := differ(path, new)), path.name, "as netCDF-4:", said)
            if number % 16 == 0 and copy("-O", new, folder / "back.nc"): # each starts MPI
                check(not (said := differ(path, folder / "back.nc")), path.name, "there and back:", said)
        store = folder / "new.zarr"
        if path.name not in NO_STORE and number % 3 == 0 and copy("-O", "-k", "nczarr", path, store):
            check(not (said := differ(path, f"file://{store}{STORE}", is_store=True, fixed=True)), path.name, "as a store:", said)
            if number % 24 == 0 and copy("-O", f"file://{store}{STORE}", folder / "back.nc"):
                check(not (said := differ(path, folder / "back.nc", fixed=True)), path.name, "from the store:", said)


def options(folder, files):
    odd = files["fill_odd_attributes.nc"]
    refused(folder, "-k", "nc4", odd, folder / "x.nc4", say="_FillValue")
    copy("-O", "--skip-unsupported", "-k", "nc4", odd, folder / "new.nc4")
    refused(folder, "-k", "nczarr", files["text_attributes.nc"], folder / "x.zarr", say="NUL")
    refused(folder, "-k", "nczarr", files["records_0.nc"], folder / "x.zarr", say="no records")
    many = files["types_5.nc"]
    refused(folder, "-k", "nc7", many, folder / "x.nc", say="-k netcdf4 would do")
    if copy("-k", "nc7", files["types_1.nc"], folder / "seven.nc"):
        with opened(folder / "seven.nc") as data:
            check(data.data_model == "NETCDF4_CLASSIC", "nc7 is", data.data_model)
    (folder / "there.nc4").write_bytes(b"precious")
    refused(folder, "-k", "nc4", many, folder / "there.nc4", say="-O")
    check((folder / "there.nc4").read_bytes() == b"precious", "a refused copy touched its target")
    (folder / "there.zarr").mkdir()
    (folder / "there.zarr/thesis").write_bytes(b"precious")
    refused(folder, "-O", "-k", "zarr", many, folder / "there.zarr", say="no Zarr store")
    refused(folder, "-O", "-k", "nc4", many, many, say="this file is to be read and written at once")
    refused(folder, "-k", "nc4", folder / "none.nc", folder / "x.nc4", say="No such file")
    refused(folder, "-k", "nc4", "--deflate", "12", many, folder / "x.nc4", say="--deflate")
    refused(folder, "-k", "nc4", "--chunks", "nosuch/3", many, folder / "x.nc4", say="nosuch")
    refused(folder, "-k", "nc4", "--chunks", "x/0", many, folder / "x.nc4", say="--chunks")
    refused(folder, "-k", "nc4", many, folder / "nowhere/x.nc4", say="No such file")
    refused(folder, "-k", "nc4", "-v", "nosuch", many, folder / "x.nc4", say="nosuch")


def parts(folder):
    """-v, -x, -d with strides, -h, --chunks, --deflate, against numpy."""
    source, new = folder / "part.nc", folder / "part.nc4"
    values = np.arange(7 * 11 * 13, dtype=np.int32).reshape(7, 11, 13)
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as data:
        for name, n in (("t", None), ("y", 11), ("x", 13)):
            data.createDimension(name, n)
        data.createVariable("v", "i4", ("t", "y", "x"))[:] = values
        data.createVariable("x", "f8", ("x",))[:] = np.linspace(0, 1, 13)
        data.createVariable("other", "u8", ("y",))[:] = np.arange(11)
    copy("-k", "nc4", "-v", "v", "-d", "y,1,9,3", "-d", "x,2,12,2", "-d", "t,3,5", "--deflate=5", "--chunks", "y/2,t/1", source, new)
    with opened(new) as data:
        check(same(data["v"][:], values[3:6, 1:10:3, 2:13:2]), "cut values differ")
        check(list(data.variables) == ["v", "x"], "-v copies", list(data.variables))
        check(data["v"].chunking() == [1, 2, 6], "chunks are", data["v"].chunking())
        check(data["v"].filters()["complevel"] == 5, "filters are", data["v"].filters())
    copy("-O", "-d", "y,0,2,2", "-d", "x,1,4", "-V", "v", new, folder / "again.nc")
    with opened(folder / "again.nc") as data:
        check(same(data["v"][:], values[3:6, 1:10:3, 2:13:2][:, 0:3:2, 1:5]), "values cut twice differ")
    copy("-O", "-k", "nc4", "-h", "-x", "v", source, new)
    with opened(new) as data:
        check(list(data.variables) == ["x", "other"] and len(data.dimensions["y"]) == 11, "-h -x copies", data)
    copy("-O", "-k", "nc4", "-u", source, new)
    with opened(new) as data:
        check(not data.dimensions["t"].isunlimited() and same(data["v"][:], values), "-u keeps the record dimension")
    copy("-O", "-k", "nczarr", "--chunks", "x/5,y/5", source, folder / "part.zarr")
    check(not (said := differ(source, f"file://{folder}/part.zarr{STORE}", is_store=True, fixed=True)), "cut store:", said)
    odd = folder / "a b#ä %41"
    odd.mkdir()
    copy("-k", "nczarr", source, odd / "s t.zarr")
    copy("-O", odd / "s t.zarr", odd / "c.nc")
    check(not (said := differ(source, odd / "c.nc", fixed=True)), "a store of an odd name:", said)


# ---- what netCDF-4 has and classic files have not

def enhanced(folder):
    source, new = folder / "full.nc4", folder / "full.nc"
    with netCDF4.Dataset(source, "w") as data:
        data.createDimension("time", None)
        data.createDimension("event", None)
        data.createDimension("x", 3)
        data.createVariable("a", "i8", ("time", "x"))[:] = np.arange(12).reshape(4, 3)
        data.createVariable("b", np.dtype(">f4"), ("event",), endian="big")[:] = [1, 2.5]
        data.createVariable("late", "u2", ("time",))[:2] = [7, 8]
        data.createVariable("s", str, ("x",))[:] = np.array(["one", "", "dreißig"], dtype=object)
        data.createVariable("one_s", str, ())[...] = "alone"
        data.createVariable("z", "f8", ("time", "x"), zlib=True, chunksizes=(3, 2), shuffle=True)[:] = np.arange(12).reshape(4, 3) / 7
        data.setncattr_string("words", ["x", "yz"])
        data.setncattr_string("word", "alone")
        data.number = np.uint64(2**64 - 1)
        inner = data.createGroup("g").createGroup("h")
        data["g"].createDimension("x", 2)
        inner.createVariable("x", "i1", ("x",))[:] = [1, -1]
        inner.createVariable("t", "u4", ("time",))[:] = [1, 2, 3, 4]
        inner.note = "deep"
    copy(source, new)
    with opened(new) as data:
        check(data.data_model == "NETCDF3_64BIT_DATA", "the copy is", data.data_model)
        check({n: (len(d), d.isunlimited()) for n, d in data.dimensions.items()} ==
              {"time": (4, True), "event": (2, False), "x": (3, False), "g.x": (2, False), "s_strlen": (8, False),
               "one_s_strlen": (5, False)}, "dimensions are", data.dimensions)
        check(same(data["a"][:], np.arange(12).reshape(4, 3)) and same(data["z"][:], np.arange(12).reshape(4, 3) / 7), "values differ")
        check(same(data["b"][:].astype("<f4"), np.array([1, 2.5], "f4")), "big-endian values differ", data["b"][:])
        check(list(data["late"][:]) == [7, 8, 65535, 65535], "unwritten records are", data["late"][:])
        check([bytes(r).rstrip(b"\0").decode() for r in data["s"][:]] == ["one", "", "dreißig"], "strings are", data["s"][:])
        check(bytes(data["one_s"][:]) == b"alone", "a string is", data["one_s"][:])
        check(data.words == "x\nyz" and data.word == "alone" and data.number == 2**64 - 1, "attributes are", data)
        check(list(data["g.h.x"][:]) == [1, -1] and data["g.h.x"].dimensions == ("g.x",), "group's variable is", data["g.h.x"])
        check(list(data["g.h.t"][:]) == [1, 2, 3, 4] and data["g.h.t"].dimensions == ("time",), "group's records are", data["g.h.t"])
        check(data["g.h.t"].getncattr("_path") == "/g/h/t", "the path is", data["g.h.t"].ncattrs())
        check(data.getncattr("g.h.note") == "deep", "a group's attribute is", data.ncattrs())
    refused(folder, "-k", "classic", source, folder / "x.nc", say="-k cdf5 would do")
    refused(folder, "-k", "classic", "-V", "s", source, folder / "x.nc", say="number")
    copy("-O", "-k", "64-bit-offset", "-V", "x", folder / "part.nc4", new)
    with opened(new) as data:
        check(data.data_model == "NETCDF3_64BIT_OFFSET" and list(data.variables) == ["x"], "-k -V gives", data)
    copy("-O", "-k", "nc4", source, folder / "flat.nc4")
    copy("-O", folder / "flat.nc4", new)
    with netCDF4.Dataset(folder / "types.nc4", "w") as data:
        data.createDimension("x", 2)
        data.createVariable("good", "i4", ("x",))[:] = [1, 2]
        pair = data.createCompoundType(np.dtype([("a", "i4"), ("b", "f8")]), "pair")
        data.createVariable("pairs", pair, ("x",))
    refused(folder, folder / "types.nc4", folder / "x.nc", say="variable /pairs: values of several parts (compound): the copy has no place for this (--skip-unsupported")
    done = run("--skip-unsupported", folder / "types.nc4", folder / "good.nc")
    check(done.returncode == 0 and "pairs" in done.stderr, "--skip-unsupported gives", done)
    with opened(folder / "good.nc") as data:
        check(list(data.variables) == ["good"] and list(data["good"][:]) == [1, 2], "left are", data.variables)
    with netCDF4.Dataset(folder / "twice.nc4", "w") as data:
        data.createVariable("g.v", "i4", ())
        data.createGroup("g").createVariable("v", "i4", ())
    copy(folder / "twice.nc4", folder / "twice.nc")
    with opened(folder / "twice.nc") as data:
        check(list(data.variables) == ["g.v", "g.v_2"], "two variables of one name become", list(data.variables))
    with netCDF4.Dataset(folder / "empty.nc4", "w") as data:
        for name in "tu":
            data.createDimension(name, None)
            data.createVariable("v" + name, "i4", (name,))
    refused(folder, folder / "empty.nc4", folder / "x.nc", say="dimension /u: its length is 0, and 1 more: the copy has no place for this")


# ---- HDF4

def hdf4(folder):
    if HDF4_FILES == "-":
        return
    subprocess.run([HDF4_FILES, folder], check=True)
    numbers = 3 * np.arange(6000) - 7
    for name in ("types", "names", "records", "chunks"):
        copy(folder / f"{name}.hdf", folder / f"{name}.nc")
    with opened(folder / "types.nc") as data:
        kinds = {"char8": "S1", "uchar8": "S1", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4",
                 "uint32": "u4", "float32": "f4", "float64": "f8"}
        check(list(data.variables) == list(kinds) and data.title == "types", "types.hdf has", data)
        for name, kind in kinds.items():
            want = ((numbers[:20].astype(kind) / np.array(3, kind)) if kind[0] == "f" else numbers[:20].astype(np.uint8).view("S1")
                    if kind == "S1" else numbers[:20].astype(kind)).reshape(4, 5)
            check(same(data[name][:].tobytes(), want.tobytes()) and data[name].dtype == want.dtype, name, "is", data[name][:])
            check(data[name].dimensions == ("y", "x") and "three" in data[name].ncattrs(), name, "is", data[name])
            if kind != "S1":
                check(same(data[name].three, want.ravel()[:3]), name, "has", data[name].three)
    with opened(folder / "names.nc") as data:
        check(list(data.variables) == ["Latitude_Longitude of it", "a_b", "never written", "little"], "names.hdf has", list(data.variables))
        check(data["Latitude_Longitude of it"].dimensions == ("a_b",) and same(data["a_b"][:], (numbers[:6].astype("f4") / np.float32(3))), "scale")
        check(data["a_b"].units == "km" and data["never written"][0] == -5, "attributes of names.hdf")
        check(list(data["little"][:]) == list(numbers[:6]), "little-endian values are", data["little"][:])
    with opened(folder / "records.nc") as data:
        check(data.dimensions["time"].isunlimited() and len(data.dimensions["time"]) == 7 and not data.dimensions["event"].isunlimited(), data)
        check(same(data["long"][:], numbers[:21].astype("i4").reshape(7, 3)), "long is", data["long"][:])
        check(same(data["short"][:4], (numbers[:12] / 3.).reshape(4, 3)) and (data["short"][4:] > 9e36).all(), "short is", data["short"][:])
    with opened(folder / "chunks.nc") as data:
        check(same(data["chunked"][:], numbers[:6000].astype("i2").reshape(10, 20, 30)), "chunked differs")
        check(same(data["compressed"][:], (numbers[:6000] / 3.).reshape(10, 20, 30)), "compressed differs")
    copy("-O", "-k", "nc4", "-d", "fakeDim0,1,8,3", folder / "chunks.hdf", folder / "cut.nc4")
    with opened(folder / "cut.nc4") as data:
        check(same(data["chunked"][:], numbers[:6000].astype("i2").reshape(10, 20, 30)[1:9:3]), "cut HDF4 differs")
    refused(folder, "-k", "classic", folder / "types.hdf", folder / "x.nc", say="-k cdf5 would do")


# ---- damaged files, and programs that are not there

def damaged(folder):
    """Whatever a file says: an exit status, at most one sentence, and nothing left of a copy that failed."""
    dice = random.Random(11)
    sources = [folder / "full.nc4"] + ([folder / "records.hdf"] if HDF4_FILES != "-" else [])
    bad = folder / "bad"
    bad.mkdir()
    for source in sources:
        whole = source.read_bytes()
        images = [whole[:n] for n in (8, 100, len(whole) // 2, len(whole) - 1)] + [whole[:8] + bytes(500)]
        for _ in range(8):
            image = bytearray(whole)
            for _ in range(6):
                image[dice.randrange(8, min(len(image), 4000))] = dice.randrange(256)
            images.append(bytes(image))
        for image in images:
            (bad / "file").write_bytes(image)
            done = run("-k", "nc4", bad / "file", bad / "copy.nc4") # MPI need not start
            said = [line for line in done.stderr.splitlines() if line.startswith("parcdf")]
            check(done.returncode in (0, 1, 2) and len(said) == (done.returncode != 0), source.name, "damaged gives", done)
            left = sorted(set(os.listdir(bad)) - {"file"})
            check(left == ([] if done.returncode else ["copy.nc4"]), source.name, "damaged leaves", left)
            for name in left:
                os.unlink(bad / name)


def by_copy(folder, files):
    """Words in any order; what is lacking is said before anything is written."""
    source = files["types_5.nc"]
    copy("-O", "-k", "netcdf4", source, folder / "by.nc4", program=PARCDF)
    copy("-O", folder / "by.nc4", folder / "by.nc", program=PARCDF)
    check(not (said := differ(source, folder / "by.nc")), "by parcdf copy:", said)
    part, new = folder / "part.nc", folder / "by.nc4"
    for words in (("--deflate", 4, "--chunks", "x/2", "-k", "nc4", part, new), (part, new, "-k", "nc4", "--chunks=x/2", "--deflate", 4),
                  ("-k", "nc4", "--chunks", "x/2", "-v", "v", "--deflate", 4, "--skip-unsupported", part, new),
                  ("--deflate", 4, part, new, "--chunks", "x/2")): # the name says what it is
        if copy("-O", *words, program=PARCDF):
            with opened(new) as data:
                got = data["v"].chunking()[2], data["v"].filters()["complevel"]
            check(got == (2, 4), words, "gives chunks and level", got)
    refused(folder, "--deflate", 4, part, folder / "x.nc", program=PARCDF, say="a classic file has no chunks and is not compressed")
    (folder / "alone").mkdir()
    shutil.copy(PARCDF, folder / "alone/parcdf")
    refused(folder, "-k", "netcdf4", source, folder / "x.nc4", program=folder / "alone/parcdf",
            say="the program parcdf-map that writes its metadata is not in", env=dict(os.environ, PARCDF_PLUGINS=str(folder)))


def stored(path):
    """By variable how it is stored, as libnetcdf says."""
    with opened(path) as data:
        return {name: (v.chunking(), v.filters(), v.endian(), v.dtype, v.dimensions) for name, v in data.variables.items()}


def as_nccopy(folder, files):
    """What nccopy makes of the same file with the same chunks: the same to libnetcdf, and no larger."""
    rows = [("types_5.nc", "x/2"), ("smooth.nc", "t/3,y/40,x/50")]
    with netCDF4.Dataset(folder / "smooth.nc", "w", format="NETCDF3_64BIT_DATA") as data:
        for dim, n in (("t", None), ("y", 130), ("x", 211)):
            data.createDimension(dim, n)
        for name, kind in (("a", "f4"), ("b", "f8"), ("c", "i2")):
            data.createVariable(name, kind, ("t", "y", "x"))[:] = np.sin(np.arange(7 * 130 * 211) / 1e4).reshape(7, 130, 211) * 300
    for name, chunks in rows:
        source = files.get(name, folder / name)
        theirs, ours = folder / "theirs.nc4", folder / "ours.nc4"
        done = subprocess.run(["nccopy", "-k", "nc4", "-d", "1", "-s", "-c", chunks, source, theirs], capture_output=True, text=True)
        if not copy("-O", "-k", "nc4", "--deflate", "1", "--chunks", chunks, source, ours) or done.returncode:
            continue
        check(not (said := differ(theirs, ours)), name, "as nccopy's:", said)
        if name == "smooth.nc": # nccopy leaves some small variables
            check(stored(theirs) == stored(ours), name, "nccopy stores", stored(theirs), "not", stored(ours))
        sizes = theirs.stat().st_size, ours.stat().st_size
        check(sizes[1] <= 1.01 * sizes[0], name, "nccopy's size and ours:", sizes)
    if copy("-O", "-k", "nc4", "--zstd", "3", folder / "smooth.nc", folder / "ours.nc4"):
        said = subprocess.run(["ncdump", "-hs", folder / "ours.nc4"], capture_output=True, text=True).stdout
        check('a:_Filter = "32015,3"' in said and 'a:_Shuffle = "true"' in said and "Deflate" not in said, "--zstd gives", said)
        copy("-O", folder / "ours.nc4", folder / "back.nc")
        check(not (said := differ(folder / "smooth.nc", folder / "back.nc")), "with zstd:", said)
    told = run("-O", "-k", "nc7", "--json", "-n", folder / "smooth.nc", folder / "ours.nc4")
    check(told.returncode == 0 and '"variables"' in told.stdout, "--json -n gives", told)
    told = run("-O", "-k", "nc7", "--json", folder / "smooth.nc", folder / "ours.nc4")
    check(told.returncode == 0 and '"format": "netcdf4-classic"' in told.stdout, "--json gives", told)


def together(folder, **more):
    """Several FROM, --append and --merge, to netCDF-4, with chunks that have records of several files."""
    values = np.arange(23 * 3000, dtype="i4").reshape(23, 3000)
    cuts = (0, 4, 5, 16, 23)
    for i, (a, b) in enumerate(zip(cuts, cuts[1:])):
        with netCDF4.Dataset(folder / f"some{i}.nc", "w", format="NETCDF4" if i == 2 else "NETCDF3_64BIT_DATA") as data:
            data.createDimension("t", None)
            data.createDimension("x", 3000)
            data.createVariable("v", "i4", ("t", "x"))[:] = values[a:b]
            data.createVariable("t", "f8", ("t",))[:] = np.arange(a, b)
            data.createVariable("fixed", "i2", ("x",))[:] = np.arange(3000)
    several, new = [folder / f"some{i}.nc" for i in range(4)], folder / "together.nc4"

    def right(what):
        with opened(new) as data:
            for name, want in (("v", values), ("t", np.arange(23.)), ("fixed", np.arange(3000, dtype="i2"))):
                check(same(data[name][:], want), what, "gives", name, data[name][:].shape, np.argwhere(data[name][:] != want)[:3]
                      if data[name].shape == want.shape else "")

    for words in ([], ["--deflate", "1", "--chunks", "t/7,x/900"]):
        if copy("-O", "-k", "nc4", *words, *several, new, **more):
            right([*words, "several"])
        if copy("-O", "-k", "nc4", *words, *several[:2], new, **more) and copy("--append", *several[2:], new, **more):
            right([*words, "--append"])
            check(copy(new, folder / "back.nc", "-O"), "cannot be copied back")
    for name in "tv":
        copy("-O", "-V", name, *several, folder / f"only_{name}.nc")
    copy("-O", "-V", "fixed", several[0], folder / "only_fixed.nc")
    if copy("-O", "-k", "nc4", "--merge", *(folder / f"only_{n}.nc" for n in ("v", "t", "fixed")), new, **more):
        right("--merge")
    new.unlink()


def by_other_commands(folder, **more):
    """reduce and calc with -k: the values and attributes of their CDF-5 files."""
    source = folder / "months.nc"
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as data:
        for dim, n in (("time", None), ("y", 70), ("x", 900)):
            data.createDimension(dim, n)
        time = data.createVariable("time", "f8", ("time",))
        time.units = "days since 2001-01-01"
        time[:] = np.arange(0, 360, 9)
        data.createVariable("v", "f4", ("time", "y", "x"))[:] = np.sin(np.arange(40 * 70 * 900)).reshape(40, 70, 900)
        data.createVariable("n", "i2", ("y", "x"))[:] = np.arange(70 * 900).reshape(70, 900) % 1000
    for command, words in (("reduce", ("mean", "time", "--each", "month")), ("reduce", ("mean", "x,y,time")), ("reduce", ("count", "time")),
                           ("calc", ("--all", "z = v * 2 + n"))):
        files = {}
        for kind in (["cdf5"], ["netcdf4"], ["nc4", "--deflate", "1"]):
            files[kind[-1]] = folder / f"by_{kind[-1]}"
            done = run("-O", "-k", *kind, *words, source, files[kind[-1]], command=command, **more)
            check(done.returncode == 0, command, words, kind, "gives", done)
        for kind, new in files.items():
            if kind != "cdf5" and new.exists() and files["cdf5"].exists():
                said = run(files["cdf5"], new, command="diff").stdout
                check("differ: 1 difference in the header, 0 values" in said, command, words, kind, said) # history
    with opened(files["1"]) as data:
        check(all(v.filters()["zlib"] for v in data.variables.values()), "--deflate compresses", files["1"])
    if not more:
        refused(folder, "-k", "nc7", "w = int64(n)", source, folder / "x", command="calc", say="the classic model does not know")
        refused(folder, "--deflate", "1", "a", "b", command="join", say="--deflate is for netCDF-4, with -k netcdf4")
        refused(folder, "-k", "nc4", "-O", "--along", "x", source, source, folder / "by_cdf5", command="join", say="File too large",
                env={**os.environ, **runner.NO_SHARED_FILES}, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000)))
        refused(folder, "-O", "-k", "nc4", "mean", "time", source, folder / "by_cdf5", command="reduce", say="File too large",
                env={**os.environ, **runner.NO_SHARED_FILES}, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000)))
    for new in files.values():
        new.unlink(missing_ok=True)


def stopped(folder):
    """A signal, and a file that cannot grow: nothing is left."""
    source = folder / "long.nc"
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as data:
        data.createDimension("x", 8 << 20)
        data.createVariable("v", "f8", ("x",))[-1] = 1
    before = sorted(os.listdir(folder))
    for name, kind in (("x.nc4", "nc4"), ("x.zarr", "zarr")):
        with subprocess.Popen([PARCDF, "copy", "-k", kind, "--deflate", "9", source, folder / name], stderr=subprocess.PIPE) as p:
            while not [n for n in os.listdir(folder) if n not in before] and p.poll() is None:
                pass
            p.send_signal(signal.SIGTERM)
            p.communicate(timeout=60)
        check(p.returncode != 0 and sorted(os.listdir(folder)) == before, kind, "stopped leaves", os.listdir(folder), p.returncode)
    # A library that Debian's MPICH brings takes the signal for itself before main, so that nohup is in vain
    nohup = b"libmpich" not in subprocess.run(["ldd", PARCDF], capture_output=True).stdout
    with subprocess.Popen(["nohup", PARCDF, "copy", "-k", "nc4", "--deflate", "9", source, folder / "x.nc4"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as p:
        while not [n for n in os.listdir(folder) if n not in before] and p.poll() is None:
            pass
        p.send_signal(signal.SIGHUP if nohup else 0)
        said = p.communicate(timeout=60)[1]
    check(p.returncode == 0 and (folder / "x.nc4").exists(), "under nohup a copy gives", p.returncode, said)
    (folder / "x.nc4").unlink(missing_ok=True)
    for full in ("x.nc4", "x.zarr"):
        refused(folder, "-k", full[2:], source, folder / full, say="File too large", env={**os.environ, **runner.NO_SHARED_FILES},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))


def memory(folder):
    """Peak memory of copies of 320 MiB in many variables, on /dev/shm; what the libraries need themselves is in it."""
    if SANITIZED: # the address sanitizer holds freed memory back
        return
    source = folder / "big.nc"
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as data:
        data.createDimension("t", None)
        data.createDimension("x", 1 << 18)
        data.set_fill_off()
        for i in range(20):
            data.createVariable(f"v{i}", "f4", ("t", "x"))
        for i in range(20):
            data[f"v{i}"][15, 5] = i
    code = ("import resource, subprocess, sys; s = subprocess.run(sys.argv[1:]).returncode; "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(s)")
    for kind, new, most in (("nc4", "big.nc4", 64), ("cdf5", "big5.nc", 64), ("nczarr", "big.zarr", 96)):
        words = ["--deflate", "1"] if kind == "nc4" else []
        done = subprocess.run([sys.executable, "-c", code, PARCDF, "copy", "-k", kind, *words, source, folder / new],
                              capture_output=True, text=True, timeout=100)
        check(done.returncode == 0, "big copy:", done)
        peak = int(done.stdout.split()[-1]) >> 10
        print(f"peak memory of a copy of 320 MiB to {kind}: {peak} MiB")
        check(peak <= most, "a copy of 320 MiB to", kind, "takes", peak, "MiB")
        source = folder / "big.nc4"


# ---- several ranks

def ranks(folder):
    source = folder / "wide.nc"
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as data:
        data.createDimension("t", None)
        data.createDimension("x", 300000)
        data.createVariable("v", "f8", ("t", "x"))[:] = np.arange(3e6).reshape(10, 300000)
        data.createVariable("w", "i2", ("t", "x"))[:] = np.arange(3e6).reshape(10, 300000) % 1000
        data.createVariable("y", "u4", ("x",))[:] = np.arange(300000)
    counts = (2, 3) if "openmpi" in LAUNCHER else (2,)
    for n in counts:
        new, back, store = folder / f"r{n}.nc4", folder / f"r{n}.nc", folder / f"r{n}.zarr"
        copy("-k", "nc4", "--deflate", "1", source, new, ranks=n)
        copy(new, back, ranks=n)
        check(not (said := differ(source, back)), n, "ranks there and back:", said)
        copy("-k", "nczarr", new, store, ranks=n)
        check(not (said := differ(source, f"file://{store}{STORE}", is_store=True, fixed=True)), n, "ranks to a store:", said)
    compressed(folder, counts)
    for n in counts:
        together(folder, ranks=n)
        by_other_commands(folder, ranks=n)
    looked_through_once(folder, counts)
    fetched_once(folder, counts)
    # what a rank cannot read stops all of them
    image = bytearray(new.read_bytes())
    middle = len(image) * 2 // 3
    image[middle:middle + 4000] = bytes(4000)
    (folder / "torn.nc4").write_bytes(image)
    for kind in (["nc4"], ["cdf5"], ["nc4", "--deflate", "3"]):
        for n in counts:
            refused(folder, "-k", *kind, folder / "torn.nc4", folder / "x", ranks=n, say="the chunk is damaged: deflate cannot decode it")
    refused(folder, "-k", "nc4", source, folder / "nowhere/x.nc4", ranks=counts[-1], say="No such file")


def compressed(folder, counts):
    """Chunks that all ranks compress: read by libnetcdf, and of the same size on any number of ranks."""
    rng = np.random.default_rng(5)
    source = folder / "mixed.nc"
    with netCDF4.Dataset(source, "w", format="NETCDF3_64BIT_DATA") as data:
        for dim, n in (("t", None), ("y", 130), ("x", 211), ("c", 9)):
            data.createDimension(dim, n)
        for name, kind, dims, fill in (("noise", "f8", "tyx", None), ("smooth", "f4", "tyx", 7), ("byte", "i1", "tx", -5), ("text", "S1", "tc", None),
                                       ("x", "f8", "yx", None), ("y", "i2", "y", None), ("t", "f8", "t", None), ("one", "i8", "", None), ("long", "u8", "yx", None)):
            shape = [dict(t=23, y=130, x=211, c=9)[d] for d in dims]
            v = data.createVariable(name, kind, tuple(dims), fill_value=fill)
            n = int(np.prod(shape))
            v[...] = (rng.random(shape) if name == "noise" else np.array(list(map(chr, rng.integers(97, 120, n))), "S1").reshape(shape)
                      if kind == "S1" else np.arange(n).reshape(shape) % 120)
    for words in ([], ["--chunks", "t/5,y/33,x/50"], ["-u", "--chunks", "x/211,y/130"], ["-k", "nc7", "-x", "long,one,byte"],
                  ["--select", "t=3:15", "-d", "x,5,200,3"]):
        for n in (1, *counts):
            copy("-k", "nc4", "--no-history", "--deflate", "6", *words, source, folder / f"m{n}.nc4", **({} if n == 1 else dict(ranks=n)))
            sizes = [(folder / f"m{k}.nc4").stat().st_size for k in (1, n)]
            check(abs(sizes[1] - sizes[0]) < 4096, words, "on", n, "ranks other sizes:", sizes)
            said = differ(folder / "m1.nc4", folder / f"m{n}.nc4")
            check(not said, words, "on", n, "ranks:", said)
        if "--select" not in words and "-x" not in words:
            check(not (said := differ(source, folder / "m1.nc4", fixed="-u" in words)), words, "compressed:", said)
        with opened(folder / "m1.nc4") as data, opened(source) as old:
            check(all(v.filters()["zlib"] and v.filters()["complevel"] == 6 for v in data.variables.values() if v.ndim), words, "is not compressed")
            if "--select" in words:
                check(np.array_equal(data["noise"][:], old["noise"][3:16, :, 5:201:3]), "a part, compressed, has other values")
        for n in (1, *counts):
            (folder / f"m{n}.nc4").unlink()
    grows(folder, source)
    if has_h5py:
        lost_room(folder, source)
    killed(folder)


def lost_room(folder, source):
    """Chunks that are written anew, when records are appended: the recording and its report tell how many, and the room that they had; parcdf info tells
    it of the file, and a copy gives it back."""
    some, new, log, page = folder / "some.nc", folder / "lost.nc4", folder / "lost", folder / "lost.html"
    names = "noise", "byte"
    copy("-V", ",".join(names), source, some)
    copy("-k", "nc4", "--deflate", "1", "--chunks", "t/40", some, new)
    with h5py.File(new) as data:
        places = [data[name].id.get_chunk_info(i) for name in names for i in range(data[name].id.get_num_chunks())]
    copy("--append", some, new, env={**os.environ, "PNETCDF_HINTS": f"pcdf_trace={log}"})
    told = {words[0]: tuple(map(int, words[1:4])) for words in map(str.split, Path(f"{log}.0").read_text().splitlines()) if words[0].startswith("chunks")}
    with h5py.File(new) as data:
        after = [data[name].id.get_chunk_info(i) for name in names for i in range(data[name].id.get_num_chunks())]
    added = [x for x in after if x.byte_offset not in {y.byte_offset for y in places}]
    check(told["chunks"][0] == len(added) and told["chunks"][2] == sum(x.size for x in added), "chunks that were written:", told, added)
    check(told["chunks_anew"] == (len(places), 0, sum(x.size for x in places)), "chunks that were written anew:", told, places)
    done = run("-o", page, log, command="report")
    check(done.returncode == 0 and f'data-value="{told["chunks_anew"][2]}"' in page.read_text(), "the report:", done.stderr)
    said = json.loads(run("--json", new, command="info").stdout)
    rules = [advice["rule"] for advice in said["advice"]]
    check(said["stored"] == {"file": new.stat().st_size, "values": sum(x.size for x in after), "chunks": len(after)}, said["stored"], after)
    check("lost_room" in rules and "of the file are no values" in run("-v", new, command="info").stdout, "parcdf info:", rules)
    copy("-O", "-k", "nc4", "--deflate", "1", new, some)
    said = json.loads(run("--json", some, command="info").stdout)
    check("lost_room" not in [advice["rule"] for advice in said["advice"]], "parcdf copy gives the room back:", said["stored"])
    for path in (some, new, page, Path(f"{log}.0")):
        path.unlink()


def grows(folder, source):
    """What is appended to a chunk that the copy wrote finds fill values behind the old end."""
    copy("-k", "nc4", "--deflate", "1", "-V", "smooth,byte", "--chunks", "t/40", source, folder / "grow.nc4")
    with netCDF4.Dataset(folder / "grow.nc4", "a") as data:
        data["smooth"][30, 0, 0] = 1
        data.set_auto_maskandscale(False)
        check((data["smooth"][24:30] == 7).all() and (data["byte"][24:30] == -5).all(), "behind the old end there is no fill value")
    (folder / "grow.nc4").unlink()


def killed(folder):
    """A rank that is killed while it compresses, or a little later: no file of that name, or a whole one. MPICH's launcher then kills
    rank 0, too, by SIGKILL, so that nobody can remove the unfinished file."""
    source, before = folder / "wide.nc", None
    before = sorted(os.listdir(folder))
    for victim in (0, 1):
        for wait in (0.05, 0.02, 0):
            words = [LAUNCHER, "-n", "2", PARCDF, "copy", "-k", "nc4", "--deflate", "9", str(source), str(folder / "k.nc4")]
            with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **runner.MPI}) as p:
                while p.poll() is None and sorted(os.listdir(folder)) == before:
                    pass
                time.sleep(wait)
                for pid, rank in writers(folder / "k.nc4"):
                    if rank == victim:
                        os.kill(pid, signal.SIGKILL if victim else signal.SIGTERM)
                p.wait(timeout=60)
            left = sorted(set(os.listdir(folder)) - set(before))
            unfinished = [name for name in left if "mpich" in LAUNCHER and victim == 1 and name.startswith("k.nc4.parcdf-")]
            made = [name for name in left if name not in unfinished]
            check(not made and p.returncode or made == ["k.nc4"] and not differ(source, folder / "k.nc4"), "rank", victim, "killed:", p.returncode, left)
            for name in left:
                (folder / name).unlink()


def writers(to):
    """(process, rank)"""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words, environ = (Path("/proc", pid, name).read_bytes().split(b"\0") for name in ("cmdline", "environ"))
        except OSError:
            continue
        told = dict(word.split(b"=", 1) for word in environ if b"=" in word)
        rank = told.get(b"OMPI_COMM_WORLD_RANK", told.get(b"PMI_RANK"))
        if words[0] == os.fsencode(PARCDF) and os.fsencode(to) in words and rank:
            yield int(pid), int(rank)


def looked_through_once(folder, counts):
    """Each command starts parcdf-map once for each file, on any number of ranks: a program in its place counts."""
    plugins, there = folder / "plugins", Path(PARCDF).resolve().parent / "plugins"
    plugins.mkdir(mode=0o755)
    for name in os.listdir(there):
        (plugins / name).symlink_to(there / name)
    (plugins / "parcdf-map").unlink()
    (plugins / "parcdf-map").write_text(f'#!/bin/sh\necho started >> "{folder}/starts"\nexec "{there}/parcdf-map" "$@"\n')
    (plugins / "parcdf-map").chmod(0o755)
    source, other = folder / f"r{counts[0]}.nc4", folder / "other.nc4"
    shutil.copy(source, other)
    new = folder / "once"
    # of a netCDF-4 file that is written, it makes the metadata
    for files, words in ((1, ["dump", "-h", source]), (1, ["info", source]), (1, ["check", "--data", source]), (1, ["stats", source]),
                         (2, ["diff", source, other]), (1, ["copy", source, f"{new}.nc"]), (1, ["copy", "-k", "zarr3", source, f"{new}.zarr"]),
                         (2, ["copy", "-k", "nc4", source, f"{new}.nc4"]), (2, ["copy", "--keep-first", source, other, f"{new}2.nc"])):
        for n in (0, counts[0]):
            (folder / "starts").write_text("")
            launch = [LAUNCHER, *["--oversubscribe"] * ("openmpi" in LAUNCHER), "-n", str(n)] if n else []
            done = subprocess.run([*launch, PARCDF, words[0], *["-O"] * (words[0] == "copy"), *map(str, words[1:])], capture_output=True,
                                  text=True, timeout=100, env=dict(os.environ, PARCDF_PLUGINS=str(plugins)))
            starts = len((folder / "starts").read_text().splitlines())
            check(done.returncode == 0 and starts == files, words[0], "on", n, "ranks looks", starts, "times:", done.returncode, done.stderr)


def fetched_once(folder, counts):
    """Each chunk is fetched, and so decoded, once: a server of the file counts the bytes. Of a part, only its chunks."""
    source = folder / "www" / "far.nc4"
    source.parent.mkdir()
    dice = np.random.default_rng(3)
    with netCDF4.Dataset(source, "w") as data:
        for name, n in (("t", 12), ("y", 500), ("x", 700)):
            data.createDimension(name, n)
        v = data.createVariable("v", "i4", ("t", "y", "x"), zlib=True, complevel=1, chunksizes=(5, 150, 300))
        v[:] = dice.integers(0, 1 << 31, (12, 500, 700), dtype="i4")
    size = source.stat().st_size
    cut = ["-d", "t,1,9,4", "-d", "y,160,450,7", "-d", "x,290,590,3"] # chunks 0 and 1, 1 and 2, 0 and 1
    near = folder / "near.nc"
    for words, most in (([], size), (cut, 2 * 2 * 2 * 5 * 150 * 300 * 4)):
        copy("-O", *words, source, near)
        for n, kind in ((1, "cdf5"), (counts[0], "cdf5"), (counts[0], "zarr"), (counts[0], "nc4")):
            if kind != "cdf5" and words: # chunks of the copy are not those of the file
                continue
            with serve(folder=folder / "www") as url:
                if not copy("-O", "-k", kind, *words, f"{url}/far.nc4", folder / "far.new", ranks=n):
                    continue
                ranges = [line.split()[-1] for line in asked(url, "log").splitlines()]
            got = sum(int(b) - int(a) + 1 for a, b in (r.removeprefix("bytes=").split("-") for r in ranges) if a and b)
            check(got < 1.1 * most + (1 << 20), "a copy to", kind, *words, "on", n, "ranks fetches", got, "bytes of", most)
            same = run(near, folder / "far.new", command="diff")
            check(same.returncode == 0 or ", 0 values in 0 of" in same.stdout, kind, words, same.stdout)
            (shutil.rmtree if kind == "zarr" else os.unlink)(folder / "far.new")


def main():
    place = runner.MEMORY
    with tempfile.TemporaryDirectory(prefix="foreign", dir=place) as name:
        folder = Path(name)
        if LAUNCHER == "corpus":
            there_and_back(folder, [Path(p) for p in corpus.make(str(folder / "corpus"), small=True)])
        elif LAUNCHER == "limits":
            files = {Path(p).name: Path(p) for p in corpus.make(str(folder / "corpus"), small=True)}
            options(folder, files)
            parts(folder)
            enhanced(folder)
            hdf4(folder)
            damaged(folder)
            by_copy(folder, files)
            as_nccopy(folder, files)
            together(folder)
            by_other_commands(folder)
            stopped(folder)
            memory(folder)
        else:
            ranks(folder)
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
