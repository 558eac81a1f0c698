#!/usr/bin/python3
"""Judges files of random programs from outside: each FILE.nc has the model beside it (FILE.nc.json, FILE.nc.raw).

    judge_netcdf4.py [--tools SHARE] FILE...

libnetcdf reads every definition, attribute and value, h5py every value; ncdump, h5dump, NCO, CDO and xarray open one file in
SHARE. Good files are removed, others stay; each is told in a line. The last line counts what was compared. Exit 0: all good."""
import argparse
import collections
import json
import os
import sys
import warnings
import zlib

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import runner

try:
    import netCDF4
except ImportError:
    sys.exit(77)
try:
    import h5py
except ImportError:
    h5py = None
try:
    import xarray
except ImportError:
    xarray = None

TYPES = {"byte": "i1", "char": "S1", "short": "i2", "int": "i4", "float": "f4", "double": "f8", "ubyte": "u1",
         "ushort": "u2", "uint": "u4", "int64": "i8", "uint64": "u8"}
ZSTD = 32015  # its number among HDF5's filters
OWN = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_nc3_strict", "_NCProperties"}


class Differs(Exception):
    pass


def need(right, *said):
    if not right:
        raise Differs(" ".join(map(str, said)))


def load(path):
    """The model: as JSON, and of each variable its shape, values and which were written."""
    with open(path + ".json") as f:
        model = json.load(f)
    raw = np.fromfile(path + ".raw", dtype="u1")
    at = 0
    for v in model["vars"]:
        v["shape"] = tuple(model["dims"][d]["length"] or model["numrecs"] for d in v["dimids"])
        dtype = np.dtype(TYPES[v["type"]]).newbyteorder(">")
        n = int(np.prod(v["shape"], dtype=np.int64)) * dtype.itemsize
        v["values"] = raw[at:at + n].view(dtype).reshape(v["shape"])
        v["written"] = (raw[at + n:at + 2 * n].reshape(-1, dtype.itemsize)[:, 0] != 0).reshape(v["shape"])
        at += 2 * n
    need(at == raw.size, "the model has", raw.size, "bytes, not", at)
    return model


def same_bits(got, right):
    """NaN equals NaN: the bits are compared."""
    return np.ascontiguousarray(got.astype(right.dtype.newbyteorder("="), copy=False)).tobytes() == \
        np.ascontiguousarray(right.astype(right.dtype.newbyteorder("="))).tobytes()


def check_values(name, got, v, filled):
    got = np.asarray(got)
    need(got.shape == v["shape"], name, "shape", got.shape, "not", v["shape"])
    if v["written"].all():
        if same_bits(got, v["values"]):
            return
    dtype = np.dtype(TYPES[v["type"]])
    a = got.astype(dtype, copy=False).reshape(-1).view(f"V{dtype.itemsize}")
    b = np.ascontiguousarray(v["values"].astype(dtype)).reshape(-1).view(f"V{dtype.itemsize}")
    mine = v["written"].reshape(-1)
    bad = np.flatnonzero((a != b) & mine)
    if bad.size:
        where = np.unravel_index(bad[0], v["shape"]) if v["shape"] else ()
        raise Differs(f"{name}{[int(i) for i in where]}: {got.reshape(-1)[bad[0]]!r}, not {v['values'].reshape(-1)[bad[0]]!r};"
                      f" {bad.size} of {a.size} differ")
    if filled and v["filled"] and not mine.all():
        fill = np.frombuffer(bytes.fromhex(v["fill"]), dtype=dtype.newbyteorder(">")).astype(dtype).view(f"V{dtype.itemsize}")
        rest = np.flatnonzero((a != fill[0]) & ~mine)
        need(not rest.size, f"{name}: element {rest[:1]} was not written and is not the fill value")


def check_atts(name, thing, atts):
    need(thing.ncattrs() == [a["name"] for a in atts], name, "attributes", thing.ncattrs(), "not", [a["name"] for a in atts])
    for a in atts:
        got = thing.getncattr(a["name"])
        data = bytes.fromhex(a["values"])
        if a["type"] == "char":
            text = got if isinstance(got, str) else bytes(np.atleast_1d(got)).decode("latin1")
            need(text.encode("latin1") == data, f"{name}.{a['name']}: {text!r}, not {data!r}")
            continue
        right = np.frombuffer(data, dtype=np.dtype(TYPES[a["type"]]).newbyteorder(">"))
        got = np.atleast_1d(np.asarray(got))
        need(got.size == right.size, f"{name}.{a['name']}: {got.size} values, not {right.size}")
        if right.size:
            need(got.dtype == np.dtype(TYPES[a["type"]]), f"{name}.{a['name']}: type {got.dtype}, not {a['type']}")
            need(same_bits(got, right), f"{name}.{a['name']}: {got}, not {right}")


def check_storage(v, var):
    """Chunks and filters where the program asked for them."""
    chunking, filters = var.chunking(), var.filters() or {}
    if v["contiguous"]:
        need(chunking == "contiguous", v["name"], "is not contiguous:", chunking)
    if v["chunk"]:
        need(list(chunking) == v["chunk"], v["name"], "chunks", chunking, "not", v["chunk"])
    if v["codecs"]:
        need(bool(filters.get("shuffle")) == bool(v["shuffle"]), v["name"], "shuffle", filters)
        need(bool(filters.get("fletcher32")) == bool(v["fletcher32"]), v["name"], "fletcher32", filters)
        need((filters.get("complevel", 0) if filters.get("zlib") else 0) == v["deflate"], v["name"], "deflate", filters)


def by_netcdf(path, model):
    with netCDF4.Dataset(path) as f:
        f.set_auto_maskandscale(False)
        f.set_auto_chartostring(False)
        if model["netcdf4"]:
            need(f.data_model == ("NETCDF4" if model["netcdf4"] == 3 else "NETCDF4_CLASSIC"), "data model", f.data_model)
        dims = {d["name"]: d["length"] or model["numrecs"] for d in model["dims"]}
        need([(n, len(d)) for n, d in f.dimensions.items()] == list(dims.items()), "dimensions",
             {n: len(d) for n, d in f.dimensions.items()}, "not", dims)
        for d in model["dims"]:
            need(f.dimensions[d["name"]].isunlimited() == (d["length"] == 0), d["name"], "is unlimited, or should be")
        check_atts("file", f, model["atts"])
        need(list(f.variables) == [v["name"] for v in model["vars"]], "variables", list(f.variables))
        for v in model["vars"]:
            var = f.variables[v["name"]]
            need(var.dtype == np.dtype(TYPES[v["type"]]), v["name"], "type", var.dtype, "not", v["type"])
            need(var.dimensions == tuple(model["dims"][d]["name"] for d in v["dimids"]), v["name"], "dimensions", var.dimensions)
            check_atts(v["name"], var, v["atts"])
            if model["netcdf4"]:
                check_storage(v, var)
            check_values(v["name"], var[...], v, model["netcdf4"])


def by_h5py(path, model, counts):
    with h5py.File(path, "r") as f:
        for v in model["vars"]:
            d = f["_nc4_non_coord_" + v["name"]] if "_nc4_non_coord_" + v["name"] in f else f[v["name"]]
            got = d[()] if v["type"] != "char" else np.frombuffer(d[()].tobytes(), "S1").reshape(d.shape)
            check_values("h5py " + v["name"], got, v, True)
            zstd = d.id.get_create_plist().get_filter_by_id(ZSTD)
            if v["codecs"]:
                need((zstd[1][0] if zstd else 0) == v["zstd"], "h5py:", v["name"], "zstd", zstd, "not", v["zstd"])
            for what in filter(None, [d.chunks and "chunks", d.compression, d.shuffle and "shuffle", d.fletcher32 and "fletcher32", zstd and "zstd"]):
                counts["variables with " + what] += 1
            for i in range(0 if h5py.h5ds.is_scale(d.id) else len(v["dimids"])):
                need(len(d.dims[i]) == 1, "h5py:", v["name"], "dimension", i, "has", len(d.dims[i]), "scales")
            need(set(d.attrs) - OWN == {a["name"] for a in v["atts"]}, "h5py:", v["name"], "attributes", list(d.attrs))


def by_tools(path, model):
    commands = [("ncdump", "-h", path), ("ncdump", path), ("ncks", "-m", path), ("ncks", path)]
    if model["netcdf4"]:
        commands += [("h5dump", "-A", "-p", path), ("h5dump", path)]
    for words in commands:
        status, out = runner.run(*words)
        need(status == 0 and "rror" not in out.split("{", 1)[0], " ".join(words), "exit status", status, out[-300:])
    status, out = runner.run("cdo", "-s", "ntime", path)
    need(status in (0, 1), "cdo", status, out[-300:])
    if xarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with xarray.open_dataset(path, decode_cf=False, engine="netcdf4") as x:
                need(set(x.variables) == {v["name"] for v in model["vars"]}, "xarray:", list(x.variables))


def judge(path, tools_share, counts):
    model = load(path)
    values = sum(int(v["written"].sum()) for v in model["vars"])
    by_netcdf(path, model)
    counts["values by libnetcdf"] += values
    if h5py and model["netcdf4"]:
        by_h5py(path, model, counts)
        counts["values by h5py"] += values
    if zlib.crc32(str(model["seed"]).encode()) % tools_share == 0:
        by_tools(path, model)
        counts["files by other programs"] += 1


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tools", type=int, default=100)
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    bad, counts = 0, collections.Counter()
    for path in a.files:
        try:
            judge(path, a.tools, counts)
        except Exception as e:  # whatever a reader of the file raises is a finding
            bad += 1
            print(f"judge: {path}: {e if isinstance(e, Differs) else repr(e)}", flush=True)
            continue
        for name in (path, path + ".json", path + ".raw"):
            os.unlink(name)
    print(f"judge: {len(a.files)} files, {bad} bad; " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
