"""Errors are exceptions, with code, name and the library's sentence; a rank that is wrong alone keeps nobody waiting. Text,
attributes, fill values, masked values, definitions, refresh, sets, repair: what they do and what they refuse."""
import copy
import gc
import os
import pickle
import warnings

from pysupport import RANK, check, finish, need, raises, same

np = need("numpy")
import parcdf  # noqa: E402
from parcdf import Error  # noqa: E402

WORLD = parcdf.Comm("world")


def files():
    raises(Error, lambda: parcdf.open("absent.nc", comm="world"), "absent.nc", name="NC_ENOENT")
    error = raises(Error, lambda: parcdf.open("absent.nc"))
    check(error.code == -220 and error.sentence == parcdf.last_error(), repr(error))
    again = pickle.loads(pickle.dumps(error))
    check((again.code, again.name, str(again)) == (error.code, error.name, str(error)), "pickled", repr(again))
    raises(Error, lambda: parcdf.open("absent.nc", "q"), "modes are r, r+")
    raises(Error, lambda: parcdf.create("a.nc", comm="nobody"), "is no communicator")
    raises(Error, lambda: parcdf.create("a.nc", format="CDF3"), "is no format")
    raises(Error, lambda: parcdf.create("a\0.nc"), "NUL")
    raises(Error, lambda: parcdf.create("a.nc", hints={"x" * 5000: 1}), "bytes")
    raises(Error, lambda: parcdf.create("a.nc", hints={"x": ""}), "bytes")
    for hints in ({"x" * 40: 1}, {"x": "y" * 300}):  # MPI libraries differ in what they take; none may end the program
        try:
            parcdf.create("hints.nc", comm="world", hints=hints).close()
        except Error as error:
            check("bytes" in str(error), str(error))
    with parcdf.open("modes.nc", "a", comm="world") as f:  # made
        f.attrs["n"] = 1
    with parcdf.open("modes.nc", "a", comm="world") as f:
        check(f.attrs["n"] == 1, "mode a opens")
    raises(Error, lambda: parcdf.open("modes.nc", "x", comm="world"), name="NC_EEXIST")
    with parcdf.open("modes.nc", comm="world") as f:
        raises(Error, lambda: f.attrs.set("n", 2), name="NC_EPERM")
        raises(Error, f.redef, name="NC_EPERM")
    raises(Error, lambda: f.attrs["n"], "modes.nc is closed", name="NC_EBADID")
    f.close()  # nothing happens
    for format_ in ("CDF1", "CDF2", "CDF5", "NETCDF3_64BIT_DATA"):
        parcdf.create("format.nc", comm="world", format=format_).close()
        check(parcdf.file_format("format.nc") == {"NETCDF3_64BIT_DATA": "CDF5"}.get(format_, format_), format_)
        WORLD.barrier()


def made(name, **options):
    f = parcdf.create(name, comm="world", **options)
    f.def_dim("t", None)
    f.def_dim("y", 4)
    f.def_dim("x", 5)
    f.def_dim("len", 8)
    f.def_var("a", "int", ("y", "x"))
    f.def_var("r", "short", ("t", "x"))
    f.def_var("text", str, ("y", "len"))
    f.def_var("scalar", "float")
    f["a"][...] = np.arange(20).reshape(4, 5)
    return f


def indices():
    with made("indices.nc") as f:
        a = f["a"]
        raises(IndexError, lambda: a[4], "index 4 of dimension 0, which has 4 elements")
        raises(IndexError, lambda: a[0, -6])
        raises(IndexError, lambda: a[0, 0, 0], "3 indices for 2 dimensions")
        raises(IndexError, lambda: a[None], "newaxis")
        raises(IndexError, lambda: a[..., 0, ...], "only one Ellipsis")
        raises(IndexError, lambda: a[[0, 1]], "index the array that was read")
        raises(IndexError, lambda: a[np.ones(4, bool)])
        raises(IndexError, lambda: a[True])
        raises(IndexError, lambda: a["x"])
        raises(IndexError, lambda: a[::0], "cannot be 0")
        raises(IndexError, lambda: a[1.5])
        raises(IndexError, lambda: a[1.5:])
        raises(ValueError, lambda: a.get(0, out=np.zeros(4, "i4")), "(4,)", "(5,)")
        raises(TypeError, lambda: a.get(0, out=[0] * 5))
        fixed = np.zeros(5, "i4")
        fixed.flags.writeable = False
        raises(ValueError, lambda: a.get(0, out=fixed), "cannot be written")
        raises(TypeError, lambda: a.get(0, out=np.zeros(5, "S1")), "text and numbers")
        raises(TypeError, lambda: a.put(0, np.zeros(5, "c8")), "complex64")
        raises(ValueError, lambda: a.put(0, np.zeros(4)), "(4,)", "(5,)")
        raises(TypeError, lambda: a.put(0, np.ma.masked_equal(np.arange(5), 2)), "put_masked")
        raises(Error, lambda: a.put(0, [2.0**40] * 5), name="NC_ERANGE")
        check(a.get(0, dtype="i8").dtype == np.int64, "dtype")
        raises(IndexError, lambda: f["r"][0], "which has 0 elements")
        raises(KeyError, lambda: f["none"])
        raises(KeyError, lambda: f[0])
        check("none" not in f and "a\0" not in f and 3 not in f.dims, "names that are not there")
        # Beyond 64 bits, where ctypes would take a number modulo 2^64.
        f["r"][0] = 1
        for key in (2**64, slice(2**64, 2**64 + 1), slice(0, 2**64), 2**63 - 1):
            raises(IndexError, lambda: f["r"].put(key, 5), "64 bits")
            raises(IndexError, lambda: f["r"].iput(key, 5), "64 bits")
        same(f["r"][...], np.ones((1, 5), "i2"), "records stay")
        raises(Error, lambda: f["r"].fill_record(2**64), "64 bits")
        raises(Error, lambda: f.attach_buffer(2**64 + 5), "64 bits")
        raises(Error, lambda: f.attach_buffer(1.5), "no integer")
        raises(ValueError, lambda: a.__array__(copy=False), "without a copy")
        # Many hyperslabs.
        raises(IndexError, lambda: f["scalar"].get_many([(), ()]), "is a scalar")
        raises(IndexError, lambda: a.put_many([(0, slice(None, None, 2))], [1]), "the step of a slice is 1 or -1")
        raises(ValueError, lambda: a.put_many([0, 1], [1]), "2 hyperslabs and values for 1")
        raises(ValueError, lambda: a.put_many([0, 1], np.zeros(9)), "values for 9")
        raises(ValueError, lambda: a.get_many([0, 1], out=np.zeros(9, "i4")), "(10,)", "(9,)")
        raises(TypeError, lambda: a.put_many([0, 1], [np.uint64(2**63), np.int64(-1)]), "no type that holds them")
        raises(TypeError, lambda: a.put_many([0, 1], [0.5, np.int64(2**53 + 1)]), "no type that holds them")
        raises(TypeError, lambda: a.put_many([0, 1], ["a", "b"]), "cannot be stored")
        raises(TypeError, lambda: a.put_many([0, 1], [1, np.ma.masked_equal(np.arange(5), 2)]), "masked")
        raises(Error, lambda: a.put_many([0, 1], [2.0**40, 1]), name="NC_ERANGE")
        raises(Error, lambda: f.put_many([(a, 0, [2.0**40] * 5), ("r", 0, 1)]), name="NC_ERANGE")
        raises(ValueError, lambda: f.put_many([("a", 0)]))
        f["text"].put_many([0, (1, slice(None, None, -1))], ["one", "owt"])
        check(f["text"].strings(slice(0, 2)).tolist() == ["one", "\0" * 5 + "two"], f["text"].strings())
        # What dtype says is what comes.
        a[0] = [0, 1, 2, 3, 4]
        same(a.get(0, dtype=bool), np.array([0, 1, 1, 1, 1], bool))
        same(a.get(0, out=np.zeros(5, bool)), np.array([0, 1, 1, 1, 1], bool))
        check(a.get(0, dtype=">f8").dtype == np.dtype(">f8") and a.get(0, dtype=">f8")[3] == 3, "byte order")
        same(a.get(0, out=np.zeros(5, "f4"), dtype="float"), np.arange(5, dtype="f4"))


def alone():
    """In a collective call the last rank has a fault; no rank waits for it, and the others have what they want."""
    with made("alone.nc") as f:
        a, last = f["a"], RANK == WORLD.size - 1
        gets = {"index": lambda: a[9], "many": lambda: a.get_many([0, 9]), "step": lambda: a.get_many([(0, slice(None, None, 2))]),
                "several": lambda: f.get_many([("a", 0), ("none", 0)]), "newaxis": lambda: a[None], "out": lambda: a.get(0, out=np.zeros(3)), "text": a.strings}
        puts = {"shape": lambda: a.put(0, np.zeros(3)), "type": lambda: a.put(0, "text"), "masked": lambda: a.put_masked(9, np.zeros(5)),
                "many": lambda: a.put_many([0, 9], [1, 2]), "several": lambda: f.put_many([("a", 0, 1), ("a", 9, 2)]),
                "file": lambda: f.put_many([(other["a"], 0, 1)]), "number": lambda: f.put_many(3), "scalar": lambda: f["scalar"].put(1, 2)}
        other = made("alone_other.nc")
        for name, call in gets.items():
            if last:
                raises((IndexError, ValueError, TypeError, KeyError), call)
            else:
                same(a[3], np.arange(15, 20, dtype="i4"), name)
        for name, call in puts.items():
            if last:
                raises((IndexError, ValueError, TypeError, Error), call)
            else:
                a[RANK % 3] = len(name)
        if last:
            raises(TypeError, lambda: f.wait(5))
        else:
            f.wait()
        other.close()
        f.sync()
        with f.independent():
            for rank in range(min(WORLD.size - 1, 3)):
                same(a[rank], np.full(5, len("scalar"), "i4"), "after the puts")


def definitions():
    with made("defs.nc") as f:
        raises(Error, lambda: f.def_dim("x", 3), name="NC_ENAMEINUSE")
        raises(Error, lambda: f.def_dim("z\0z", 3), "NUL")
        raises(Error, lambda: f.attrs.set("z\0z", 3), "NUL")
        raises(Error, lambda: f.def_dim("z", 0), "None makes the record dimension")
        raises(Error, lambda: f.def_dim("z", 2**64), "64 bits")
        raises(Error, lambda: f.def_dim("z", 2.5), "no integer")
        check(len(f.def_dim("of_numpy", np.int64(3))) == 3, "a length of numpy")
        raises(Error, lambda: f.def_var("v", None, "x"), "names no type")
        for type_, value in (("short", 70000), ("short", 1.5), ("byte", np.nan), ("ubyte", -1), ("char", "xy"), ("float", 1e40), ("int", "1"), ("int", [1, 2])):
            raises(Error, lambda: f.def_var("v", type_, "x", fill_value=value), "fill value of v")
        check("v" not in f, "nothing is defined")
        for type_, value in (("short", 7.0), ("char", "x"), ("char", b""), ("uint64", 2**64 - 1), ("float", 0.1), ("double", np.inf), ("byte", True)):
            v = f.def_var(f"fill_{type_}_{value}", type_, "x", fill_value=value)
            check(v.fill_value == np.asarray(value or b"\0").astype(v.dtype), type_, value, v.fill_value)
        raises(Error, lambda: f.def_var("v", "int", "none"), "there is no dimension 'none'")
        raises(Error, lambda: f.def_var("v", "complex64", "x"), "complex64")
        raises(Error, lambda: f.def_var("v", object(), "x"), "names no type")
        with f.define():
            v = f.def_var("late", "double", ("t", "y"), fill_value=-1.5, attrs={"units": "m"})
        check(v.attrs["_FillValue"] == -1.5 and v.fill_value == -1.5 and v.is_filled, "fill")
        with f.define():
            fewer = f.def_var("fewer", "float", "x")
            raises(ValueError, lambda: fewer.quantize("bits", 3), "none of bitgroom")
            raises(Error, lambda: fewer.quantize("bitround", 24), "not in 1..23")
            fewer.quantize("bitround", 3)
        check(fewer.quantized == ("bitround", 3) and f["late"].quantized is None, fewer.quantized)
        raises(Error, lambda: fewer.quantize("bitgroom", 3), "in the file already")
        fewer[...] = np.float32(1.3)
        check((fewer[...] == 1.25).all(), fewer[...])
        v.fill_record(1)
        same(v[...], np.concatenate([v[:1], np.full((1, 4), -1.5)]), "filled record")
        v.rename("later")
        f.dims["y"].rename("why")
        check("later" in f and "late" not in f and f["later"].dimensions == ("t", "why"), f.variables)
        check(f.record_dim == "t" and f.dims["t"].is_unlimited and len(f.dims["t"]) == f.records == 2, f.dims)
        check(v.is_record and not f["a"].is_record and len(v) == 2 and v.size == 8 and v.nbytes == 64, v)
        with f.independent():
            raises(Error, lambda: f.def_dim("z", 3), "independent mode")
            with f.independent():
                check(f.is_independent, "mode")
            check(f.is_independent, "the inner one does not end the mode")
        f.enddef(header_free=4096)  # nothing happens
        f.redef()
        f.def_var("more", "byte", "x")
        f.enddef(header_free=4096)
        check(f.header_extent >= f.header_size + 4096, f.header_extent)
        check(f["a"].offset == f.header_extent and f.record_size == 10 + 2 + 32, f["a"].offset, f.record_size)
        check(f.hints["pcdf_debug_strategy"] == "auto" and f.striping[0] >= 0 and f.put_size >= 0 and f.get_size >= 0, f.hints)
        for thing in (f, f.dims, f.variables, f.attrs, f["a"], f.dims["x"]):
            check(len(repr(thing)) > 3, "repr")
    with made("aborted.nc") as f:
        f.redef()
        f.def_dim("gone", 3)
        f.abort()
    with parcdf.open("aborted.nc", comm="world", hints={"pcdf_async": 1 << 20, "pcdf_verify": False}) as f:
        check("gone" not in f.dims, f.dims)
    parcdf.wait()


def stored():
    """Chunks, compression and checksums of a netCDF-4 file."""
    for format_ in ("NETCDF4", "NETCDF4_CLASSIC"):
        with parcdf.create("stored.nc", comm="world", format=format_) as f:
            check(f.format == format_, f.format)
            for name, length in (("t", None), ("y", 4), ("x", 5)):
                f.def_dim(name, length)
            v, r = f.def_var("a", "int", ("y", "x")), f.def_var("r", "short", ("t", "x"))
            f.def_var("scalar", "float")
            f.attrs["n"] = 1
            f.attrs["wide"] = np.array([1, 2])
            check((f.attrs.type("n"), f.attrs.type("wide")) == ("int", "int64" if format_ == "NETCDF4" else "int"), f.attrs.type("wide"))
            check((v.chunks, v.compression, v.is_shuffled, v.has_checksums) == (None, None, False, False), v.chunks)
            check(len(r.chunks) == 2 and r.chunks[1] == 5, r.chunks)
            raises(Error, lambda: v.set_chunks((5, 5)), name="NC_EBADCHUNK")
            raises(Error, lambda: v.set_chunks((4,)), "1 chunk lengths for 2 dimensions")
            raises(Error, lambda: v.set_chunks((0, 1)), "chunk length of 0")
            raises(Error, lambda: f["scalar"].compress(), name="NC_EINVAL")
            raises(Error, lambda: r.set_contiguous(), name="NC_EINVAL")
            raises(ValueError, lambda: v.compress("gzip"), "none of deflate")
            raises(Error, lambda: v.compress("deflate", 10), name="NC_EINVAL")
            v.set_chunks((2, 3))
            v.compress("zstd", 5)
            check((v.chunks, v.compression, v.is_shuffled) == ((2, 3), ("zstd", 5), True), v.compression)
            v.compress(None)
            check((v.compression, v.is_shuffled) == (None, False), v.compression)
            v.compress("szip", 4, shuffle=False)
            check(v.compression == ("szip", 4), v.compression)
            v.compress("deflate", 4, shuffle=False)
            v.set_checksums()
            r.compress()
            v[...] = np.arange(20).reshape(4, 5)
            r[0:3] = np.full((3, 5), 7)
            raises(Error, lambda: v.compress(), name="NC_ELATEDEF")
        for mode in ("r", "r+"):
            with parcdf.open("stored.nc", mode, comm="world") as f:
                v, r = f["a"], f["r"]
                check((f.format, v.chunks, v.compression, v.is_shuffled, v.has_checksums) == (format_, (2, 3), ("deflate", 4), False, True), v.chunks)
                check((r.compression, r.is_shuffled, r.has_checksums) == (("deflate", 1), True, False), r.compression)
                same(v[...], np.arange(20, dtype="i4").reshape(4, 5), "compressed values")
                same(r[...], np.full((3, 5), 7, "i2"), "compressed records")
        WORLD.barrier()
    with parcdf.create("stored.nc", comm="world") as f:
        f.def_dim("y", 4)
        f.def_var("a", "int", "y")
        check((f["a"].chunks, f["a"].compression) == (None, None), "a classic file")
        raises(Error, lambda: f["a"].compress(), name="NC_ENOTNC4")


def attributes():
    for format_ in ("CDF5", "CDF1"):
        with made("atts.nc", format=format_) as f:
            a = f.attrs
            a.update(text="K äö", empty="", raw=b"\xff\xfe", one=1, ones=[1, 2], real=1.5, flag=True, np_short=np.int16(3),
                     array=np.arange(3, dtype=np.float32))
            a.set("typed", [1, 2], "short")
            a.set("none", np.empty(0), "double")
            kinds = {name: a.type(name) for name in a}
            check(kinds == dict(text="char", empty="char", raw="char", one="int", ones="int", real="double", flag="byte",
                                np_short="short", array="float", typed="short", none="double"), kinds)
            check(a["text"] == "K äö" and a["empty"] == "" and a["one"] == 1 and a["flag"] == 1, dict(a))
            check(a["raw"].encode("utf-8", "surrogateescape") == b"\xff\xfe", a["raw"])
            same(a["ones"], np.array([1, 2], "i4"))
            same(a["array"], np.arange(3, dtype="f4"))
            same(a["none"], np.empty(0))
            check(isinstance(a["np_short"], np.int16), type(a["np_short"]))
            raises(Error, lambda: a.set("bad", 1 << 40, "int"), "does not fit into int")
            raises(Error, lambda: a.set("bad", ["a", "b"]), "no lists of texts")
            raises(Error, lambda: a.set("bad", np.array([b"a", b"b"])), "no lists of texts")
            raises(Error, lambda: a.set("bad", 1 << 64), "more than 64 bits", name="NC_ERANGE")
            a.set("chars", np.array([b"a", b"b"]), "char")
            check(a["chars"] == "ab", a["chars"])
            del a["chars"]
            for bad in (np.datetime64("NaT"), np.timedelta64(3, "s"), None, object(), [1, None]):
                raises(Error, lambda: a.set("bad", bad), "attribute bad")
            raises(Error, lambda: a.set("bad", 1j), "complex")
            raises(KeyError, lambda: a["absent"])
            raises(KeyError, lambda: a.__delitem__("absent"))
            if format_ == "CDF5":
                a["large"], a["u8"] = 1 << 40, np.uint64(2**64 - 1)
                check(a.type("large") == "int64" and a["u8"] == 2**64 - 1, a)
                a["both"] = [5, 2**63 + 1]
                check(a.type("both") == "uint64" and a["both"].tolist() == [5, 2**63 + 1], a["both"])
            else:
                raises(Error, lambda: a.set("large", 1 << 40), name="NC_ESTRICTCDF2")
                a["i8"] = np.int64(5)
                check(a.type("i8") == "int", a.type("i8"))
            del a["one"]
            a.rename("ones", "twos")
            check("one" not in a and "twos" in a and "ones" not in a, list(a))
            f["a"].attrs["units"] = "m"  # enters define mode by itself
            f.sync()
            late = f.def_var("late", "short", "x", attrs={"_FillValue": 7.0})  # has the type of the variable
            check(late.attrs.type("_FillValue") == "short" and late.fill_value == 7, late.fill_value)
            raises(Error, lambda: f["r"].attrs.set("_FillValue", 70000), "no value of the type short")
            raises(Error, lambda: a.set("bad", "text", "short"), "is text, not of the type short")
            f["a"].attrs.set("nul", b"days\0\0")
            check(f["a"].attrs["nul"] == "days", repr(f["a"].attrs["nul"]))
            del f["a"].attrs["nul"]
            a["text"] = "J"  # no more room than before: in data mode
            check(f["a"].attrs["units"] == "m" and a["text"] == "J" and len(f["a"].attrs) == 1, dict(a))


def text():
    with made("text.nc") as f:
        v = f["text"]
        v[...] = ["one", "zwölf", "", b"eight888"]
        check(v.strings().tolist() == ["one", "zwölf", "", "eight888"], v.strings())
        check(v.strings(1) == "zwölf" and v.strings((3, 0)) == "e", v.strings(1))
        same(v[0, :3], np.array([b"o", b"n", b"e"], "S1"))
        v[0] = "x"
        v[1, 0] = "y"
        v[2] = np.array(list(b"chars..."), "u1").view("S1")
        check(v.strings().tolist() == ["x", "ywölf", "chars...", "eight888"], v.strings())
        f.def_dim("two", 2)
        two = f.def_var("two", "char", ("two", "two"))
        two[...] = [b"a", b"b"]  # strings, as ["a", "b"] is
        check(two.strings().tolist() == ["a", "b"], two.strings())
        two[...] = "xx"
        two[...] = np.array([b"a", b"b"])  # the same, although numpy has them as S1
        check(two.strings().tolist() == ["a", "b"], two.strings())
        two[...] = np.array([[b"a", b"b"], [b"c", b"d"]])  # characters: as many dimensions as the index keeps
        check(two.strings().tolist() == ["ab", "cd"], two.strings())
        two[0] = np.array([b"e", b"f"])
        check(two.strings().tolist() == ["ef", "cd"], two.strings())
        log = f.def_var("log", "char", ("t", "two"))
        log[3:] = np.array([b"a", b"b"])  # two records
        check(log.strings(slice(3, None)).tolist() == ["a", "b"], log.strings())
        raises(ValueError, lambda: two.put((slice(None), 0), ["a", "é"]), "several bytes")
        v[1:3] = "same"
        check(v.strings(slice(1, 3)).tolist() == ["same"] * 2, v.strings())
        raises(ValueError, lambda: v.put(0, "nine bytes"), "longer than the 8")
        raises(ValueError, lambda: v.put((0, 0), "ab"), "more than the one character")
        raises(TypeError, lambda: v.put(0, [1.5] * 8))
        raises(TypeError, lambda: f["a"].strings(), "not of text")


def fill_and_mask():
    with made("mask.nc") as f:
        with f.define():
            v = f.def_var("m", "short", ("t", "x"), fill_value=-9)
            d = f.def_var("d", "double", "x")
        v.put_masked(slice(0, 2), np.ma.masked_equal(np.arange(10).reshape(2, 5), 3))
        same(v[0], np.array([0, 1, 2, -9, 4], "i2"))
        check(v.masked()[0].mask.tolist() == [0, 0, 0, 1, 0], v.masked())
        check(np.ma.allequal(v.masked(1), np.ma.array(np.arange(5, 10))), v.masked(1))
        # The fill value is one of the variable, and need be none of the values' type.
        for name, type_, fill in (("i", "int", None), ("f", "float", None), ("u", "uint64", None), ("b", "byte", -3), ("d2", "double", np.nan)):
            with f.define():
                w = f.def_var(name, type_, "x", fill_value=fill)
            for dtype in ("u1", "i1", "i2", "f4", "f8", "i8", "u8", ">i4", bool):
                given = np.ma.array(np.array([0, 1, 1, 0, 1], dtype), mask=[0, 1, 0, 1, 0])
                w.put_masked(slice(None), given)
                same(w[:], np.array([0, w.fill_value, 1, w.fill_value, 1], w.dtype), type_, dtype)
        raises(ValueError, lambda: f["u"].put_masked(slice(None), np.ma.array([-1, 2, 3, 4, 5], mask=[0, 1, 0, 0, 0])), "do not fit into uint64")
        raises(ValueError, lambda: f["u"].put_masked(slice(None), np.ma.array([1e30, 2, 3, 4, 5], mask=[0, 1, 0, 0, 0])), "do not fit into uint64")
        d[:] = [1, 9.9692099683868690e36, np.nan, 4, 5]
        check(d.masked().mask.tolist() == [0, 1, 0, 0, 0], d.masked())
        d.attrs["missing_value"] = np.nan
        check(d.masked().mask.tolist() == [0, 1, 1, 0, 0], d.masked())
        large = f.def_var("large", "int64", "x", fill_value=2**62 + 1)
        large[:] = [2**62 + 1, 2**62, -1, 2, 3]
        large.attrs["missing_value"] = [-1.0, 1.5, np.nan]
        check(large.masked().mask.tolist() == [1, 0, 1, 0, 0], large.masked())
        large.attrs["missing_value"] = "none"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check(large.masked().mask.tolist() == [1, 0, 0, 0, 0], large.masked())


def digits():
    """Integers of Python keep their digits, alone and in lists, or are refused."""
    large = 2**63 + 1
    with made("digits.nc") as f:
        f.def_dim("two", 2)
        u, i, d = (f.def_var(name, name, "two") for name in ("uint64", "int64", "double"))
        for v, values in ((u, [5, large]), (u, (large, 2**64 - 1)), (u, [np.int64(3), np.uint64(large)]), (u, [[5, large]]), (u, range(large, large + 2)),
                          (u, np.array([5, large], object)), (i, [2**53 + 1, -2**63]), (i, np.array([3, 2**53 + 1], object)),
                          (i, [3.0, 2**53 - 1]), (i, [True, 2**53 + 1]), (u, large), (i, -2**63), (d, [5, 2**70]), (d, [-1, large]), (d, 0.5)):
            wanted = np.array(values, object).reshape(-1).tolist()
            wanted = (wanted * 2)[:2]
            v[...] = 0
            v[...] = values
            check(v[:].tolist() == [(float if v is d else int)(one) for one in wanted], v.name, values, v[:])
            v[...] = 0
            if isinstance(values, list) and v.name != "double":
                v.put_many([0, 1], wanted)
                check(v[:].tolist() == [int(one) for one in wanted], "put_many", v.name, values, v[:])
                v.put_masked(..., values)
                check(v[:].tolist() == [int(one) for one in wanted], "put_masked", v.name, values, v[:])
        for v, values, kind, words in ((u, [5, 2**64], OverflowError, "more than 64 bits"), (u, 2**64, OverflowError, "more than 64 bits"),
                                       (i, [-1, large], OverflowError, "no integer type has both"), (i, -2**63 - 1, OverflowError, "more than 64 bits"),
                                       (u, [5.5, large], TypeError, "among floats"), (i, [2**53 + 1, 0.5], TypeError, "among floats"),
                                       (d, [10**400, 1], OverflowError, ""), (u, [1, None], TypeError, ""), (d, [1, "2"], TypeError, "")):
            raises(kind, lambda: v.put(..., values), words)
        raises(Error, lambda: i.put(..., [5, large]), name="NC_ERANGE")
        raises(Error, lambda: u.put(..., [-1, 5]), name="NC_ERANGE")
        for bad in ([1, np.ma.masked], [np.ma.array([1, 2], mask=[0, 1])]):  # numpy would forget the masks
            raises(TypeError, lambda: i.put(..., bad), "put_masked")
        for kind in ("M8[ns]", "m8[s]", "c8", "c16", "V4", object):
            raises((TypeError, Error), lambda: i.put(..., np.zeros(2, kind) if kind is not object else np.array([None, 1])), "cannot be stored")
        for kind in (bool, "f2", ">i8", "u1"):  # not native, with gaps, read-only
            given = np.zeros((2, 2), kind)
            given[:, 1] = [1, 0]
            given.flags.writeable = False
            i[...] = given[:, 1]
            check(i[:].tolist() == [1, 0], kind, i[:])


def delivered():
    """After NC_ERANGE an array has what all others have, however it lies in memory."""
    with made("range.nc") as f:
        a = f["a"]
        a[0] = [3, 70000, 5, -70000, 7]
        wanted = np.zeros(5, "i2")
        raises(Error, lambda: a.get(0, out=wanted), name="NC_ERANGE")
        check(wanted[0] == 3 and wanted[4] == 7, wanted)
        gaps = np.zeros(5, [("x", "i1"), ("y", "i2")])["y"]
        apart = np.frombuffer(bytearray(11), "u1")[1:].view("i2")
        for out in (np.zeros(5, ">i2"), gaps, apart, np.zeros(10, "i2")[::-2]):
            raises(Error, lambda: a.get(0, out=out), name="NC_ERANGE")
            check(out.tolist() == wanted.tolist(), out.dtype, out.strides, out)
            out[...] = 0
            request = a.iget(0, out=out)
            raises(Error, request.wait, name="NC_ERANGE")
            check(out.tolist() == wanted.tolist(), "iget", out.dtype, out.strides, out)
            out[...] = 0
            raises(Error, lambda: f.get_many([("a", 0, out)]), name="NC_ERANGE")
            check(out.tolist() == wanted.tolist(), "of a file", out.dtype, out.strides, out)
        out = np.zeros(10, ">i2")
        raises(Error, lambda: a.get_many([0, 0], out=out), name="NC_ERANGE")
        check(out.tolist() == wanted.tolist() * 2, "get_many", out)


def masks_stay():
    """What was masked when it was put is masked when it is read, or the put is refused."""
    with made("masks.nc") as f:
        given = np.ma.array([1, 2, 3, 4, 5], mask=[0, 1, 0, 0, 1])
        for format_, name in enumerate(("byte", "ubyte", "char", "short", "int", "float", "double", "uint", "int64", "uint64", "ushort")):
            values = given if name != "char" else np.ma.array(list("abcde"), mask=given.mask)
            v = f.def_var(f"{name}_without", name, "x")
            if v.dtype.itemsize == 1:
                raises(ValueError, lambda: v.put_masked(..., values), "no fill value unless it has the attribute _FillValue")
                v.put_masked(..., values.data)  # nothing is masked
            else:
                v.put_masked(..., values)
                check(v.masked().mask.tolist() == given.mask.tolist(), name, v.masked())
            w = f.def_var(f"{name}_with", name, "x", fill_value="-" if name == "char" else 9)
            w.put_masked(..., values)
            check(w.masked().mask.tolist() == given.mask.tolist(), name, w.masked())
            if name == "char":
                w.put_masked(..., np.ma.array(list("abcde"), "S1", mask=given.mask))
                check(w.masked().mask.tolist() == given.mask.tolist(), name, w.masked())


def copies():
    """A file has one owner: it is not copied, nor pickled."""
    with made("copied.nc") as f:
        for thing in (f, f._handle):
            raises(TypeError, lambda: copy.copy(thing), "cannot be copied")
        for thing in (f, f["a"], f.attrs, f.dims["x"], f.dims, f.variables):
            raises(TypeError, lambda: copy.deepcopy(thing), "cannot be copied")
            raises(TypeError, lambda: pickle.dumps(thing), "cannot be copied")
        gc.collect()
        same(copy.copy(f["a"])[0], np.arange(5, dtype="i4"), "a variable of an open file")


def communicators():
    for bad in (0, 1, -1, True, 3.5, 2**40, b"world", [], object(), int, np.int64(0), {}):
        raises(TypeError, lambda: parcdf.create("comm.nc", comm=bad), "is no communicator")
        raises(TypeError, lambda: parcdf.open("comm.nc", comm=bad), "is no communicator")
    for bad in (0, 7, -8, 2**70, 1.5, True):
        raises(TypeError, lambda: parcdf.Comm.of_handle(bad), "no handle")
    check(parcdf.Comm.of_handle(WORLD.handle).size == WORLD.size, "of_handle")
    if WORLD._mpi.flavour != "openmpi":  # Debian's mpi4py is Open MPI's, and two MPI libraries in one process harm each other
        return
    try:
        from mpi4py import MPI
    except ImportError:
        return
    try:
        own = MPI.COMM_WORLD.Dup()
        kept = parcdf.Comm(own)
    except parcdf.LibraryError:  # of another MPI library
        return
    own.Free()
    raises(Error, kept.barrier, "was freed")
    raises(Error, lambda: parcdf.create("comm.nc", comm=kept), "was freed")
    raises(Error, lambda: parcdf.create("comm.nc", comm=own), "MPI_COMM_NULL")


def records():
    with made("records.nc") as f:
        r = f["r"]
        r[2] = 1  # after the last record: three records
        check(r.shape == (3, 5), r.shape)
        r[1:] = np.full((4, 5), 2)  # as far as the values
        check(r.shape == (5, 5), r.shape)
        r[4:6] = 3
        r[::-1] = np.arange(30).reshape(6, 5)
        same(r[...], np.arange(30, dtype="i2").reshape(6, 5)[::-1], "reversed records")
        r[-1] = 7
        check(r.shape == (6, 5) and (r[5] == 7).all(), r.shape)
        raises(ValueError, lambda: r.put(slice(None), np.zeros((3, 5))), "(3, 5)")
        r[8, 0:0] = np.zeros(0)
        check(len(r) == 6, "an empty put adds no record")


def requests():
    with made("requests.nc") as f:
        a = f["a"]
        raises(Error, lambda: a.bput(0, 1), name="NC_ENULLABUF")
        f.attach_buffer(1000)
        put = a.bput(0, np.arange(5))
        check((f.buffer_size, f.buffer_usage) == (1000, 20), f.buffer_size, f.buffer_usage)
        get = a.iget(0)
        raises(Error, lambda: get.result, "has not been waited for")
        raises(Error, f.detach_buffer, name="NC_EPENDINGBPUT")
        f.wait([put])
        same(get.wait(), np.arange(5, dtype="i4"))
        check(put.is_done and get.is_done and not f.pending and "done" in repr(get), repr(get))
        raises(Error, lambda: a.iput(0, [2.0**40] * 5), name="NC_ERANGE")
        check(not f.pending, "an iput that failed is not pending", f.pending)
        raises(IndexError, lambda: a.iget(9))
        gone = a.iput(1, np.full(5, 9, "i8"))
        f.cancel(gone)
        raises(Error, lambda: gone.result, "cancelled")
        raises(Error, gone.wait, "cancelled")
        one = a.iget(1)
        f.wait(one)
        check(one.is_done and not f.pending, one)
        # A wait that does not take place ends nothing: the library still has the addresses.
        kept = a.iget(1)
        f._handle.call("ncmpi_begin_indep_data")  # the package does not know
        raises(Error, f.wait, name="NC_EINDEP")
        check(not kept.is_done and f.pending == [kept], f.pending)
        f._handle.call("ncmpi_end_indep_data")
        same(kept.wait(), np.arange(5, 10, dtype="i4"), "waited for again")
        f.wait()
        same(a[1], np.arange(5, 10, dtype="i4"), "cancelled")
        with made("requests_other.nc") as other:
            raises(Error, lambda: f.wait([other["a"].iget(0)]), "another file")
            other.cancel()
        left = a.iget(0)
        f.detach_buffer()
        check(f.buffer_size == f.buffer_usage == 0, f.buffer_size)
        error = raises(Error, f.close, name="NC_EPENDING")
        raises(Error, lambda: left.result, "closed before a wait")
        check(f.closed and error.code < 0, f)


def growing():
    """refresh: records that somebody else has added. generation."""
    made("grow.nc").close()
    with parcdf.open("grow.nc", comm="world") as reader:
        with parcdf.open("grow.nc", "r+", comm="world") as writer:
            writer["r"][3] = 1
            generation = writer.generation
        check(reader.records == 0, reader.records)
        check(reader.refresh() == 4 and reader["r"].shape == (4, 5), reader.records)
        check(reader.generation == generation, "generation")
        WORLD.barrier()
        made("grow.nc").close()
        raises(Error, reader.refresh, name="NC_ESTALE")


def sets():
    if RANK == 0:
        os.makedirs("sets", exist_ok=True)
    WORLD.barrier()
    for step in (1, 2):
        with parcdf.checkpoint("sets/run", step=f"{step:06}", comm="world", hints={"pcdf_set": "keep=2"}):
            for name in ("a", "b"):
                with made(f"sets/{name}.nc") as f:
                    f["scalar"][()] = step

    def failing():
        with parcdf.checkpoint("sets/run", step="000003", comm="world"):
            made("sets/a.nc").close()
            raise ZeroDivisionError
    raises(ZeroDivisionError, failing)
    restart = parcdf.restart_find("sets/run", comm="world", verify=True)
    check(restart is not None and restart.step == "000002" and len(restart.files) == 2, restart)
    for place in restart.files.values():
        with parcdf.open(place, comm="world") as f:
            check(f["scalar"][()] == 2, place)
    check(parcdf.restart_find("sets/none", comm="world") is None, "no set")
    raises(Error, lambda: parcdf.set_commit("world"), name="NC_EINVAL")


def others():
    made("fine.nc").close()
    if RANK == 0:
        check(isinstance(parcdf.repair("fine.nc", dry_run=True), list), "repair")
        raises(Error, lambda: parcdf.repair("absent.nc"), name="NC_ENOENT")
        parcdf.delete("fine.nc")
        check(not os.path.exists("fine.nc"), "delete")
    WORLD.barrier()
    parcdf.set_progress(lambda path, done, total: None)
    parcdf.set_progress(None)
    check(parcdf.version() == parcdf.__version__, parcdf.version())
    check(WORLD.allgather(RANK, 7) == [[r, 7] for r in range(WORLD.size)], "allgather")
    raises(Error, lambda: parcdf.Comm("x"), "is no communicator")
    if WORLD.size > 1:  # the mode of rank 0 counts; the others are told, and go on
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with parcdf.create("cmode.nc", comm="world", format="CDF1" if RANK else "CDF5") as f:
                check(f.format == "CDF5", f.format)
        check(len(told) == (RANK > 0) or os.environ.get("PNETCDF_SAFE_MODE"), [str(t.message) for t in told])
        if not os.environ.get("PNETCDF_SAFE_MODE"):  # so do its definitions
            with warnings.catch_warnings(record=True) as told, parcdf.create("unlike.nc", comm="world") as f:
                warnings.simplefilter("always")
                f.def_dim(f"z{min(RANK, 1)}", 5)
                f.enddef()
                check(list(f.dims) == ["z0"], f.dims)
            check(len(told) == 1 and (RANK == 0 or f"is z1 = 5 on rank {RANK}, and z0" in str(told[0].message)),
                  [str(t.message) for t in told])


if __name__ == "__main__":
    for part in (files, indices, alone, definitions, stored, attributes, text, fill_and_mask, digits, delivered, masks_stay, copies, communicators, records,
                 requests, growing, sets, others):
        part()
    finish()
