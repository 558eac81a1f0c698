"""xarray: what to_parcdf writes and engine="parcdf" reads is equal to what to_netcdf writes and netCDF4 reads, on any number of
ranks, with numpy and dask, whole datasets and parts; each rank reads only its slices; errors reach all ranks."""
import os
import pickle
import sys
import threading
import warnings

from pysupport import RANK, check, finish, need, raises, same

np, xr, pd, netcdf = need("numpy", "xarray", "pandas", "netCDF4")
import parcdf  # noqa: E402
from parcdf.xarray_backend import ParcdfBackendEntrypoint, to_parcdf  # noqa: E402

warnings.filterwarnings("ignore", message="saving variable|invalid value|variable s has data|Variable 't' has datetime")  # of xarray
COMM = "world"
if "openmpi" in sys.argv:  # Debian's mpi4py is of Open MPI
    try:
        from mpi4py import MPI
        COMM = MPI.COMM_WORLD
    except ImportError:
        pass
try:
    import dask.array  # noqa: F401
    HAS_DASK = True
except ImportError:
    HAS_DASK = False
WORLD = parcdf.Comm("world")
ENGINE = ParcdfBackendEntrypoint  # the wheel's test finds it by its name
FORMATS = {"CDF1": "NETCDF3_CLASSIC", "CDF2": "NETCDF3_64BIT", "CDF5": None}


def dataset(format_="CDF5", cells=20000):
    random = np.random.default_rng(3)  # the same on all ranks
    ds = xr.Dataset(
        {"temp": (("time", "cell"), random.normal(280, 10, (6, cells)).astype("f4"), {"units": "K"}),
         "packed": (("cell", "time"), random.normal(0, 10, (cells, 6)), {}, {"dtype": "int16", "scale_factor": 0.01, "_FillValue": -32768}),
         "holes": (("cell",), np.where(random.random(cells) < 0.3, np.nan, 1.5)),
         "count": (("cell",), np.arange(cells)),
         "flag": (("time",), np.array([True, False] * 3)),
         "name": (("station",), np.array(["Zürich", "", "Oslo"])),
         "scalar": ((), 2.5), "when": ((), np.datetime64("2001-02-03", "ns")),
         "step": (("time",), pd.to_timedelta(np.arange(6), "h"))},
        coords={"time": pd.date_range("2000-01-01", periods=6, freq="6h"), "cell": np.arange(cells) * 0.5,
                "lat": (("cell",), np.linspace(-90, 90, cells)), "station": ["a", "bb", "ccc"]},
        attrs={"title": "tëst", "number": 3, "list": [1.5, 2.5], "Conventions": "CF-1.8"})
    if format_ == "CDF5":
        ds["u4"] = (("cell",), np.arange(cells, dtype="u4") + np.uint32(2**31))
        ds["i8"] = (("cell",), np.arange(cells, dtype="i8") + 2**40)
        ds["u8"] = (("time",), np.full(6, 2**63 + 5, "u8"))
    return ds


def opened(path, comm=None, **options):
    return xr.open_dataset(path, engine=ENGINE, comm=comm, **options)


def agree(path, reference):
    """engine="parcdf" and netCDF4 read the same of both files."""
    theirs = xr.open_dataset(reference, engine="netcdf4").load()
    for name in [path] + ([] if parcdf.file_format(reference).startswith("NETCDF4") else [reference]):
        for comm in (COMM, None) if name == path else (COMM,):
            ours = opened(name, comm)
            check(ours.load().identical(theirs), name, comm, "differs from", reference, ours, theirs)
            for v in theirs.variables:
                check(ours[v].encoding.get("dtype") == theirs[v].encoding.get("dtype") or theirs[v].dtype.kind in "OU", v, ours[v].encoding, theirs[v].encoding)
            ours.close()
    again = xr.open_dataset(path, engine="netcdf4").load()
    check(again.identical(theirs), path, "as netCDF4 reads it")
    theirs.close()


def reference(ds, path, format_, unlimited=None):
    """What xarray writes, by rank 0. netCDF4 writes no CDF-5 through xarray: a netCDF-4 file has the same values."""
    if RANK == 0:
        ds.to_netcdf(path, engine="netcdf4", format=FORMATS[format_] or "NETCDF4", unlimited_dims=unlimited)
    WORLD.barrier()


def round_trips():
    for format_ in FORMATS:
        ds = dataset(format_)
        kinds = [("numpy", ds)]
        if HAS_DASK and format_ == "CDF5":
            kinds.append(("dask", ds.chunk({"cell": 3000, "time": 4})))
        for kind, given in kinds:
            for unlimited in {"CDF1": (None,), "CDF2": ("time",)}.get(format_, (None, "time") if kind == "numpy" else ("time",)):
                path = f"{kind}_{format_}_{unlimited}.nc"
                small = given if unlimited is None else given.drop_vars("packed")  # its time is not the first
                to_parcdf(small, path, COMM, format=format_, unlimited_dims=unlimited)
                check(parcdf.file_format(path) == format_, path)
                reference(small, "reference.nc", format_, unlimited)
                agree(path, "reference.nc")
                WORLD.barrier()


def netcdf4():
    """A file of netCDF-4, stored as `encoding` says in the words of netCDF4-python; what was read from one is stored alike."""
    ds = dataset(cells=2000).drop_vars(["packed", "when"])
    said = {"temp": {"zlib": True, "complevel": 3, "chunksizes": (2, 500)}, "holes": {"zlib": True, "shuffle": False, "fletcher32": True},
            "count": {"contiguous": True}, "lat": {"compression": "zlib", "significant_digits": 4}, "name": {"zlib": True, "chunksizes": (2,)},
            "flag": {"dtype": "int16", "complevel": 0, "zlib": True}}
    for path, given, encoding in (("made.nc4", ds, said), ("alike.nc4", None, None)):
        given = xr.open_dataset("made.nc4", engine="netcdf4").load() if given is None else given
        to_parcdf(given, path, COMM, format="NETCDF4", unlimited_dims="time", encoding=encoding)
        with netcdf.Dataset(path) as data:
            stored = {name: (v.chunking(), {key: on for key, on in (v.filters() or {}).items() if on and key != "complevel"}) for name, v in data.variables.items()}
            check(data.data_model == "NETCDF4" and data["temp"].filters()["complevel"] == 3, path, data.data_model, data["temp"].filters())
        check(stored["temp"] == ([2, 500], {"zlib": True, "shuffle": True}), path, stored["temp"])
        check(stored["holes"][1] == {"zlib": True, "fletcher32": True} and stored["lat"][1] == {"zlib": True, "shuffle": True}, path, stored)
        check(stored["count"] == ("contiguous", {}) and stored["flag"][1] == {} and stored["scalar"][0] == "contiguous", path, stored)
        check(stored["name"][0][0] == (2 if encoding else 3) and stored["name"][1]["zlib"], path, stored["name"])  # texts have another shape in xarray
        again = xr.open_dataset(path, engine="netcdf4").load()
        near = np.abs(again.lat - ds.lat).max() < 0.01 if path == "made.nc4" else again.lat.equals(given.lat)
        check(near and again.drop_vars("lat").equals(given.drop_vars("lat").assign(flag=given.flag)), path, again, given)
        WORLD.barrier()
    to_parcdf(given.isel(time=slice(0, 4)), "cut.nc4", COMM, format="NETCDF4_CLASSIC" if "u8" not in given else "NETCDF4", unlimited_dims="time")
    with parcdf.open("cut.nc4", comm="world") as file:
        check(file["temp"].compression == ("deflate", 3) and file["temp"].chunks != (2, 500), file["temp"].chunks)
    with parcdf.open("made.nc4", comm="world") as file:
        check(file["lat"].quantized == ("bitgroom", 4), file["lat"].quantized)
    cut = 2000 * RANK // WORLD.size, 2000 * (RANK + 1) // WORLD.size
    to_parcdf(given.isel(cell=slice(*cut)), "parts.nc4", COMM, format="NETCDF4", part="cell", encoding={"temp": {"compression": "zstd", "complevel": 2}})
    with parcdf.open("parts.nc4", comm="world") as file:
        check(file["temp"].compression == ("zstd", 2), "parts")
        same(file["temp"][...], given.temp.values, "parts")
    for encoding, words in (({"blosc_shuffle": 1}, "parcdf knows no blosc_shuffle"), ({"compression": "blosc_lz4"}, "none of zlib, zstd, szip"),
                            ({"significant_digits": 3, "quantize_mode": "x"}, "quantize_mode 'x'"), ({"chunksizes": (1, 5000)}, "")):
        raises(parcdf.Error, lambda: to_parcdf(ds[["temp"]], "r.nc4", COMM, format="NETCDF4", encoding={"temp": encoding}), words)
    WORLD.barrier()
    check(not os.path.exists("r.nc4"), "a file that was refused is there")


def slices():
    """Each rank reads what it wants, and nothing more."""
    ds = dataset()
    to_parcdf(ds, "slices.nc", COMM)
    lazy = opened("slices.nc", COMM)
    whole = xr.open_dataset("slices.nc", engine="netcdf4").load()
    n = ds.sizes["cell"]
    for i in range(3 + 2 * RANK):  # no collective call: as many as a rank wants
        part = {"cell": slice(n * RANK // WORLD.size, n * (RANK + 1) // WORLD.size), "time": i % 6}
        check(lazy.temp.isel(part).identical(whole.temp.isel(part)), part)
    picks = [{"cell": [3, 1, 7]}, {"time": [0, 5], "cell": slice(None, None, -7)}, {"cell": np.array([-1, 0])},
             {"cell": xr.DataArray([1, 2], dims="z"), "time": xr.DataArray([0, 3], dims="z")}, {"time": slice(3, 0, -2)}, {"cell": slice(4, 4)}]
    for pick in picks:
        same(lazy.temp.isel(pick).values, whole.temp.isel(pick).values, pick)
    with parcdf.open("slices.nc", comm="world") as f:
        before = f.get_size
        with f.independent():
            f["temp"][RANK, 10:20]
        check(f.get_size - before <= 40, "bytes read", f.get_size - before)
    lazy.close()
    alone = opened("slices.nc")
    faults = []

    def read(i):
        try:
            for j in range(20):
                same(alone.temp[i % 6, j:j + 9].values, whole.temp[i % 6, j:j + 9].values, "thread")
        except Exception as error:
            faults.append(error)
    threads = [threading.Thread(target=read, args=(i,)) for i in range(6)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    check(not faults, faults)
    check(pickle.loads(pickle.dumps(alone)).identical(whole), "pickled")
    if HAS_DASK:
        chunked = opened("slices.nc", chunks={"cell": 1000})
        check(chunked.load().identical(whole), "dask with threads")
        chunked.close()
    alone.close()
    raises(parcdf.Error, lambda: opened("slices.nc", group="g"), "classic files have no groups")
    check("temp" not in opened("slices.nc", drop_variables="temp"), "drop_variables")
    raises(parcdf.Error, lambda: opened("absent.nc"), name="NC_ENOENT")
    check(ENGINE().guess_can_open("slices.nc") and not ENGINE().guess_can_open(__file__) and not ENGINE().guess_can_open(b"CDF\1"), "guess")
    check(not ENGINE().guess_can_open("absent.nc"), "guess of what is absent")


def sparse():
    """Picks that lie far from each other are read alone; a file is found again after the folder was changed."""
    n = 300000
    to_parcdf(xr.Dataset({"v": (("t", "x"), np.arange(3.0 * n).reshape(3, n))}), "sparse.nc", COMM)
    lazy, wanted = opened("sparse.nc"), np.arange(3 * n, dtype="f8").reshape(3, n)
    picks = np.array([7, 299999, 8, 7, -5, 150000])
    file = lazy.variables["v"]._data
    while not hasattr(file, "_store"):
        file = file.array
    with file._store.lock:
        before = file._store.file.get_size
    for key in ((slice(None), picks), (slice(None, None, -1), picks), (1, picks), (np.array([2, 0]), picks), (slice(None, None, 2), picks)):
        by_name = dict(zip(("t", "x"), key))
        outer = wanted[np.ix_(*(np.arange(m)[k] if not isinstance(k, int) else [k] for k, m in zip(key, (3, n))))]
        same(lazy.v.isel(by_name).values, outer[0] if isinstance(key[0], int) else outer, key)
        if isinstance(key[0], slice) and key[0] == slice(None):
            with file._store.lock:
                check(file._store.file.get_size - before == 3 * 5 * 8, "bytes read", file._store.file.get_size - before)
    lazy.close()
    check(os.path.isabs(file._store._manager._args[0]), "a file that is opened again is found from everywhere", file._store._manager._args)
    check(opened("sparse.nc", lock=False).v[0, 1] == 1, "lock=False is xarray's word for none")


def append():
    """Mode a: variables are added, and get new values; what is there stays; what does not fit is refused, and the file stays."""
    ds = dataset(cells=50)[["temp", "count", "name"]]
    for path in ("append.nc", "append_record.nc"):
        if RANK == 0 and os.path.exists(path):
            os.unlink(path)
        WORLD.barrier()
        unlimited = "time" if "record" in path else None
        to_parcdf(ds, path, COMM, mode="a", unlimited_dims=unlimited)  # is made
        more = ds[["count", "temp"]].assign(extra=("cell", np.arange(50.0)))
        to_parcdf(more.assign(count=-more["count"]), path, COMM, mode="a")
        with opened(path) as got:
            check(got.load().identical(ds.assign(count=-ds["count"], extra=more.extra)), got)
        for bad, words in ((ds.isel(cell=slice(3)), "length 50, and 3"), (ds[["count"]].astype("f4"), "variable count is int64")):
            raises(parcdf.Error, lambda: to_parcdf(bad, path, COMM, mode="a"), words)
        with opened(path) as got:
            check(got.sizes["cell"] == 50 and "extra" in got, got)
    longer = xr.concat([ds[["temp"]], ds[["temp"]].assign_coords(time=ds.time + np.timedelta64(2, "D"))], "time")
    to_parcdf(longer, "append_record.nc", COMM, mode="a", encoding={"time": {"units": "hours since 2000-01-01", "dtype": "i8"}})
    with opened("append_record.nc") as got:
        check(got.sizes["time"] == 12 and got.temp.identical(longer.temp.assign_coords(got.temp.coords)), got)
    small = xr.Dataset({"n": ("x", np.array([1, 2]))})
    to_parcdf(small, "append_cdf1.nc", COMM, format="CDF1")
    to_parcdf(small.assign(m=small.n), "append_cdf1.nc", COMM, mode="a")  # CDF-1 stays CDF-1
    check(parcdf.file_format("append_cdf1.nc") == "CDF1" and opened("append_cdf1.nc").m.dtype == np.int32, "format")
    raises(parcdf.Error, lambda: to_parcdf(small, "append_cdf1.nc", COMM, mode="r"), "no mode")
    WORLD.barrier()


def append_meanings():
    """Mode a: nothing that stays gets another meaning. Each row: what is there, what is given, and words of the refusal or what is read."""
    days, later = pd.date_range("2000-01-01", periods=5), pd.date_range("2010-01-01", periods=5)
    pack = {"dtype": "i2", "_FillValue": -1}
    v, t = ("t", np.arange(5.0)), ("t", days)
    packed = ("t", np.arange(5.0), {}, {"scale_factor": 0.5, **pack})
    bounds = ("t", days, {"bounds": "tb"}), (("t", "two"), np.stack([days, days], 1))
    nan = np.nan
    rows = {
        "fewer records, other units": (dict(v=v, t=t), dict(v=("t", [10.0, 11.0]), t=("t", later[:2])), "5 records along t, and 2"),
        "fewer records, other packing": (dict(v=packed), dict(v=("t", np.arange(3.0), {}, {"scale_factor": 0.25, **pack})), "5 records along t, and 3"),
        "fewer records of a new one": (dict(v=v), dict(w=("t", [1.0, 2.0, 3.0])), "5 records along t, and 3"),
        "no record": (dict(v=v), dict(v=("t", np.zeros(0))), "5 records along t, and 0"),
        "other packing": (dict(v=packed), dict(v=("t", np.arange(5.0)[::-1], {}, {"scale_factor": 0.25, "add_offset": 1.0, **pack})), dict(v=[4, 3, 2, 1, 0])),
        "no packing": (dict(v=packed), dict(v=("t", np.arange(5, dtype="i2"))), dict(v=[0, 1, 2, 3, 4])),
        "no _FillValue": (dict(v=packed), dict(v=("t", np.arange(-2, 3, dtype="i2"))), dict(v=[-2, -1, 0, 1, 2])),
        "no units of time": (dict(t=t), dict(t=("t", np.arange(5))), dict(t=[0, 1, 2, 3, 4])),
        "no unsigned": (dict(v=("t", np.arange(5, dtype="i1"), {"_Unsigned": "true", "valid_range": np.array([0, 3], "i1")})),
                        dict(v=("t", np.arange(-2, 3, dtype="i1"))), dict(v=[-2, -1, 0, 1, 2])),
        "no longer bool": (dict(v=("t", np.array([True] * 5))), dict(v=("t", np.arange(5, dtype="i1"))), dict(v=[0, 1, 2, 3, 4])),
        "other units alone": (dict(t=t), dict(t=("t", later)), dict(t=later)),
        "other times of what stays": (dict(v=v, t=t), dict(w=v, t=("t", later)), "the coordinate t changes"),
        "the same times in other units": (dict(v=v, t=t), dict(w=v, t=("t", days, {}, {"units": "hours since 1999-01-01", "dtype": "i8"})), dict(t=days, v=range(5))),
        "bounds that stay": (dict(t=bounds[0], tb=bounds[1]), dict(t=("t", days, {}, {"units": "hours since 1999-01-01"})), "units of t change, also for tb"),
        "bounds that come": (dict(t=bounds[0], tb=bounds[1]), dict(t=("t", later, {"bounds": "tb"}), tb=(("t", "two"), np.stack([later, later], 1))), dict(t=later)),
        "more records": (dict(v=v, t=t, i=("t", np.arange(5, dtype="i4"), {}, {"_FillValue": -7})), dict(v=("t", np.arange(7.0)), t=("t", pd.date_range("2000-01-01", periods=7))),
                         dict(v=range(7), i=[0, 1, 2, 3, 4, nan, nan])),
        "more records of one": (dict(v=v, w=v), dict(w=("t", np.arange(6.0))), dict(v=[0, 1, 2, 3, 4, nan], w=range(6))),
        "a new one": (dict(v=v, t=t), dict(w=("t", np.arange(5.0) + 1), t=t), dict(v=range(5), w=range(1, 6), t=days))}
    for n, (what, (there, given, wanted)) in enumerate(rows.items()):
        path = f"meaning{n}.nc"
        coords = {"t"} & set(there), {"t"} & set(given)
        old = xr.Dataset(there).set_coords(coords[0])
        to_parcdf(old, path, COMM, unlimited_dims="t")
        new = xr.Dataset(given).set_coords(coords[1])
        before = open(path, "rb").read()
        WORLD.barrier()
        if isinstance(wanted, str):
            raises(parcdf.Error, lambda: to_parcdf(new, path, COMM, mode="a"), wanted)
            WORLD.barrier()
            check(open(path, "rb").read() == before, what, "the file changed")
        else:
            to_parcdf(new, path, COMM, mode="a")
            for engine in (ENGINE, "netcdf4") if RANK == 0 else ():
                with xr.open_dataset(path, engine=engine) as got:
                    for name, values in wanted.items():
                        values = np.asarray(values)
                        good = np.array_equal(got[name].values, values) if values.dtype.kind == "M" else \
                            np.array_equal(got[name].values.astype("f8"), values.astype("f8"), equal_nan=True)
                        check(good, what, engine, got[name].values, values)
        WORLD.barrier()


def texts_of_any_kind():
    """Texts of netCDF-4's strings, of numpy's types and of objects, of one letter, too, come back as they are."""
    for n, words in enumerate((["ab", "cde", "x"], ["a", "b", "c"], ["Zü", "", "é"], ["", "", ""])):
        if RANK == 0:
            with netcdf.Dataset(f"strings{n}.nc", "w") as d:
                d.createDimension("x", 3)
                d.createVariable("s", str, ("x",))[:] = np.array(words, object)
                d.createVariable("one", str, ())[...] = words[0]
        WORLD.barrier()
        for chunks in (None, {"x": 2}) if HAS_DASK else (None,):
            with xr.open_dataset(f"strings{n}.nc", engine="netcdf4", chunks=chunks) as ds:
                to_parcdf(ds, "strings_out.nc", COMM)
            for engine in (ENGINE, "netcdf4") if RANK == 0 else ():
                with xr.open_dataset("strings_out.nc", engine=engine) as got:
                    check(got.s.values.tolist() == words and got.one.item() == words[0], engine, words, got.s.values, got.one.values)
            WORLD.barrier()
        for kind in ("U", "U9", object, "S", "S1", "S9") if n == 1 else ("U", "S"):
            values = np.array([w.encode() for w in words] if str(kind)[0] == "S" else words, kind)
            to_parcdf(xr.Dataset({"s": ("x", values), "one": ((), values[0])}), "strings_out.nc", COMM)
            with opened("strings_out.nc") as got:
                check(got.s.values.tolist() == values.tolist() and got.one.item() == values[0], kind, values, got.s.values, got.one.values)
            WORLD.barrier()
    raises(parcdf.Error, lambda: to_parcdf(xr.Dataset({"s": ("x", np.array(["a", 3], object))}), "n.nc", COMM), "s: 3 among texts")


def missing_values():
    """NaN and NaT that become integers get a _FillValue."""
    ds = xr.Dataset({"t": ("x", np.array(["2000-01-01", "NaT"], "M8[ns]")), "d": ("x", np.array([3 * 10**9, "NaT"], "m8[ns]")), "f": ("x", [2.0, np.nan])})
    for kind in (None, "i8", "i4", "i2", "f8"):
        to_parcdf(ds, "missing.nc", COMM, encoding={name: {"dtype": kind} for name in ds} if kind else None)
        for engine in (ENGINE, "netcdf4") if RANK == 0 else ():
            with xr.open_dataset("missing.nc", engine=engine) as got:
                check(all(got[name].equals(ds[name].astype(got[name].dtype)) for name in ds), kind, engine, got.load())
        WORLD.barrier()


def failures():
    """A write that fails leaves no file that looks whole: a new one goes, and one that it was to replace stays."""
    good = xr.Dataset({"v": ("x", np.arange(3.0))})
    import parcdf.xarray_backend as backend
    kept, bad = backend._put, WORLD.size - 1

    def put(target, piece, variable, fault):
        fault = kept(target, piece, variable, fault)
        return OSError("no space on this rank") if RANK == bad and target.name == "w" else fault
    both = good.assign(w=("x", np.zeros(3)))
    kind = OSError if RANK == bad else parcdf.Error
    backend._put = put
    try:
        for mode, there in (("w", False), ("x", False), ("a", False), ("w", True), ("a", True)):
            path = f"fails_{mode}{there}.nc"
            if there:
                backend._put = kept
                to_parcdf(good + 5, path, COMM)
                backend._put = put
            raises(kind, lambda: to_parcdf(both, path, COMM, mode=mode), "no space" if kind is OSError else "could not write")
            WORLD.barrier()
            check(os.path.exists(path) == there, mode, "a file is left" if not there else "the old file is gone")
            if there:
                with opened(path) as got:
                    check(mode == "a" or got.load().identical(good + 5), mode, got)
            check([name for name in os.listdir(".") if "parcdf-new" in name] == [], "a temporary file is left", os.listdir("."))
            WORLD.barrier()
        if RANK == 0:  # a file of a set has no name yet; the older one of this name stays
            os.makedirs("fails", exist_ok=True)
        WORLD.barrier()
        backend._put = kept
        to_parcdf(good, "fails/f.nc", COMM)
        backend._put = put
        parcdf.set_begin("fails/run", "1", "world")
        for name, there in (("fails/f.nc", True), ("fails/new.nc", False)):
            raises(kind, lambda: to_parcdf(both, name, COMM), "")
            check(os.path.exists(name) == there, name)
        parcdf.set_abort("world")
        with opened("fails/f.nc") as got:
            check(got.load().identical(good), "the older file of the name", got)
        WORLD.barrier()
    finally:
        backend._put = kept
    if RANK == 0:  # links and modes stay, as where a file is written in place
        if os.path.lexists("link.nc"):
            os.unlink("link.nc")
        os.symlink("fails_wTrue.nc", "link.nc")
        os.chmod("fails_wTrue.nc", 0o640)
    WORLD.barrier()
    to_parcdf(both, "link.nc", COMM)
    check(os.path.islink("link.nc") and os.stat("link.nc").st_mode & 0o777 == 0o640 and "w" in opened("fails_wTrue.nc"), "link.nc")


def coding():
    """Texts of other lengths on each rank, or with one dimension; names of related variables; fill values that CDF-1 has not."""
    mine = xr.Dataset({"name": ("station", np.array(["a" * (RANK + 1), "é"])), "id": ("station", np.array([b"x" * (9 - RANK)] * 2))})
    to_parcdf(mine, "texts.nc", COMM, part="station")
    with opened("texts.nc") as got:
        check(got.name.values.tolist() == [t for r in range(WORLD.size) for t in ("a" * (r + 1), "é")], got.name)
        check(got.id.values.tolist() == [t for r in range(WORLD.size) for t in [b"x" * (9 - r)] * 2], got.id)
    shared = {name: {"char_dim_name": "strlen", "dtype": "S1"} for name in ("name", "id")}
    to_parcdf(mine, "texts.nc", COMM, part="station", encoding=shared)
    with parcdf.open("texts.nc") as f:
        check({f[v].dimensions for v in ("name", "id")} == {("station", "strlen")} and len(f.dims["strlen"]) == 9, f.dims)
    ds = xr.Dataset({"v": ("x", np.arange(3.0), {"cell_measures": "area: a", "ancillary_variables": "q"}), "a": ("x", np.ones(3)), "q": ("x", np.ones(3))},
                    coords={"x": ("x", np.arange(3.0), {"bounds": "xb"}), "xb": (("x", "two"), np.zeros((3, 2)))})
    to_parcdf(ds, "related.nc", COMM)
    with opened("related.nc", decode_coords="all") as got:
        to_parcdf(got, "related2.nc", COMM)
    with parcdf.open("related2.nc") as f:
        check(f["x"].attrs.get("bounds") == "xb" and f["v"].attrs.get("cell_measures") == "area: a" and f["v"].attrs.get("ancillary_variables") == "q",
              dict(f["x"].attrs), dict(f["v"].attrs))
    with parcdf.create("padded.nc", comm=COMM) as f:  # as Fortran and C end texts: xarray knows no calendar "noleap  "
        f.def_dim("time", 2)
        f.def_dim("nv", 2)
        f.def_var("time", "double", ("time",), attrs={"units": "days since 2001-02-27   ", "calendar": "noleap  ", "bounds": "tb  "})
        f.def_var("tb", "double", ("time", "nv"))
        f.def_var("v", "double", ("time",), attrs={"coordinates": "lat  ", "units": "K  "})
        f.def_var("lat", "double", ("time",))
        f["time"][:], f["tb"][:], f["v"][:], f["lat"][:] = [0, 2], [[0, 1], [1, 2]], [1, 2], [1, 2]
    with opened("padded.nc", decode_coords="all") as got:
        check(str(got.time.values[1])[:10] == "2001-03-01" and sorted(got.coords) == ["lat", "tb", "time"] and got.v.attrs["units"] == "K", got)
    narrow = xr.Dataset({"u": ("x", np.array([1, 2], "u4"), {}, {"_FillValue": np.uint32(2**32 - 1)})})
    raises(parcdf.Error, lambda: to_parcdf(narrow, "narrow.nc", COMM, format="CDF2"), "no value of the type int")
    raises(parcdf.Error, lambda: to_parcdf(xr.Dataset({"v": ("x", np.arange(3)), "w": ("string2", np.array(["ab"] * 3))}), "n.nc", COMM), "dimension string2 has")
    bad = xr.Dataset({"v": ("x", np.arange(3))}, attrs={"ok": 1, "": 2})
    raises(Exception, lambda: to_parcdf(bad, "undefined.nc", COMM))
    WORLD.barrier()
    check(not os.path.exists("undefined.nc"), "no file is left")
    WORLD.barrier()


def parts():
    """Each rank has a part of the whole."""
    ds = dataset()
    n = ds.sizes["cell"]
    cuts = [0] + sorted(np.random.default_rng(5).integers(0, n, WORLD.size - 1).tolist()) + [n]  # one may be empty
    to_parcdf(ds.isel(cell=slice(cuts[RANK], cuts[RANK + 1])), "parts.nc", COMM, part="cell")
    reference(ds, "whole.nc", "CDF5")
    agree("parts.nc", "whole.nc")
    if WORLD.size > 1:  # a time that each rank encodes for itself has other units on each
        mine = xr.Dataset({"v": ("time", np.arange(3.0))}, coords={"time": pd.date_range(f"200{RANK}-01-01", periods=3)})
        raises(parcdf.Error, lambda: to_parcdf(mine, "other_units.nc", COMM, part="time"), name="NC_EMULTIDEFINE")
        WORLD.barrier()
        check(not os.path.exists("other_units.nc"), "no file is left")
        WORLD.barrier()
        to_parcdf(mine, "units.nc", COMM, part="time", unlimited_dims="time",
                  encoding={"time": {"units": "days since 2000-01-01", "dtype": "f8"}})
        check(opened("units.nc").time.values[3 * RANK] == mine.time.values[0], "times of ranks")
    WORLD.barrier()


def refusals():
    ds = dataset()
    for call, words in (
            (lambda: to_parcdf(ds, "r.nc", COMM, encoding={"temp": {"zlib": True}}), "no zlib"),
            (lambda: to_parcdf(ds, "r.nc", COMM, encoding={"absent": {}}), "no variable"),
            (lambda: to_parcdf(ds, "r.nc", COMM, unlimited_dims=["time", "cell"]), "one record dimension"),
            (lambda: to_parcdf(ds, "r.nc", COMM, unlimited_dims="absent"), "no dimension 'absent'"),
            (lambda: to_parcdf(ds, "r.nc", COMM, part="absent"), "no dimension 'absent'"),
            (lambda: to_parcdf(3, "r.nc", COMM), "neither a Dataset"),
            (lambda: to_parcdf(ds[["i8"]], "r.nc", COMM, format="CDF2"), "do not fit into int"),
            (lambda: to_parcdf(ds.assign(z=("cell", np.zeros(ds.sizes["cell"], "c16"))), "r.nc", COMM), "complex128"),
            (lambda: to_parcdf(ds.assign_attrs(bad={"a": 1}), "r.nc", COMM), "attribute bad")):
        raises(parcdf.Error, call, words)
    raises(parcdf.Error, lambda: to_parcdf(ds, "r.nc", COMM, unlimited_dims="time"), name="NC_EUNLIMPOS")  # packed(cell, time)
    to_parcdf(ds.temp, "array.nc", COMM, mode="w")
    raises(parcdf.Error, lambda: to_parcdf(ds.temp, "array.nc", COMM, mode="x"), name="NC_EEXIST")
    check(opened("array.nc").temp.size == ds.temp.size, "a DataArray")
    if HAS_DASK:
        import dask.array as da

        def fail(block):
            if RANK == WORLD.size - 1:
                raise ZeroDivisionError("this rank cannot compute")
            return block
        bad = xr.Dataset({"v": (("x", "y"), da.zeros((40, 4000), chunks=(10, 4000)).map_blocks(fail, meta=np.zeros((0, 0)))),
                          "w": (("x",), np.arange(40))})
        kind = ZeroDivisionError if RANK == WORLD.size - 1 else parcdf.Error
        raises(kind, lambda: to_parcdf(bad, "bad.nc", COMM), "this rank cannot compute" if kind is ZeroDivisionError else f"rank {WORLD.size - 1} could not write")


def pieces():
    """More than a rank writes at once."""
    import parcdf.xarray_backend as backend

    kept, backend.PIECE, small, backend.SMALL = backend.PIECE, 1000, backend.SMALL, 10
    try:
        ds = dataset(cells=701)
        to_parcdf(ds, "pieces.nc", COMM)
        reference(ds, "whole.nc", "CDF5")
        agree("pieces.nc", "whole.nc")
        cut = 701 * RANK * RANK // WORLD.size**2, 701 * (RANK + 1)**2 // WORLD.size**2
        to_parcdf(ds.isel(cell=slice(*cut)), "pieces.nc", COMM, part="cell")
        agree("pieces.nc", "whole.nc")
    finally:
        backend.PIECE, backend.SMALL = kept, small


for step in (round_trips, netcdf4, slices, sparse, append, append_meanings, texts_of_any_kind, missing_values, failures, coding, parts, refusals, pieces):
    step()
if RANK == 0:
    print("dask" if HAS_DASK else "without dask", COMM, os.path.basename(xr.__file__), xr.__version__)
finish()
