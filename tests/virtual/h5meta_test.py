#!/usr/bin/env python3
"""HDF5's metadata made in a process of its own (src/virtual/h5meta.h): random definitions, puts, changes and flushes. After every
flush netCDF4-python and h5py must read the definitions and values; new files have the data sets, attributes, types, orders and
creation properties that libnetcdf gives to the same definitions. What programs in the place of the process say is refused.

    h5meta_test.py H5META_WRITE NUMBER [SEED]
"""
import ctypes
import ctypes.util
import math
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time
import warnings

try:
    import h5py
    import netCDF4
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

TYPES = {1: "i1", 2: "S1", 3: "i2", 4: "i4", 5: "f4", 6: "f8", 7: "u1", 8: "u2", 9: "u4", 10: "i8", 11: "u8"}
FILLS = {n: netCDF4.default_fillvals[t] for n, t in TYPES.items()}
ZLIB, SHUFFLE, FLETCHER32, ZSTD, SZIP = 1, 3, 4, 8, 13
HAS_SZIP = h5py.h5z.filter_avail(h5py.h5z.FILTER_SZIP) and h5py.h5z.get_filter_info(h5py.h5z.FILTER_SZIP) == 3
STRING = 12  # an attribute of NC_STRING, which is text to the library
NAMES = ["time", "x", "y", "lat", "lon", "temp", "depth", "salt", "u", "v", "w", "höhe", "p q".replace(" ", "_"), "a-b", "n1", "n2", "n3", "n4"]


class Model:
    """What the file must be, and the commands that make it so."""

    def __init__(self, rng):
        self.is_classic = rng.random() < 0.3
        self.types = [1, 2, 3, 4, 5, 6] if self.is_classic else list(TYPES)
        self.rng, self.lines, self.dims, self.vars, self.atts, self.numrecs, self.copies = rng, [], [], [], {}, 0, []
        self.say_mode()

    def say_mode(self):
        if self.is_classic:
            self.say("classic")

    def say(self, *words):
        self.lines.append(" ".join(str(w) for w in words))

    def say_all(self, name):
        """All that the file `name` has, for a process that has not made it."""
        for d in self.dims:
            self.say("dim", d["name"], d["length"])
        for i, v in enumerate(self.vars):
            self.say("var", v["name"], v["type"] + v["big"], int(v["filled"]), len(v["dims"]), *v["dims"], int(bool(v["chunk"])), *v["chunk"], len(v["codecs"]),
                     *(x for c in v["codecs"] for x in c))
        for var in range(-1, len(self.vars)):
            for att, (kind, values) in self.atts_of(var).items():
                self.say_att(var, att, kind, values)
        with h5py.File(name) as f:
            for i, v in enumerate(self.vars):
                d = f[link_of(f, v["name"])].id
                if not v["chunk"] and d.get_offset():
                    self.say("place", i, d.get_offset())
                chunks = []
                for k in range(d.get_num_chunks() if v["chunk"] else 0):
                    info = d.get_chunk_info(k)
                    at = [a // c for a, c in zip(info.chunk_offset, v["chunk"])]
                    grid = [10**6] + [-(-n // c) for n, c in zip(self.shape(v), v["chunk"])][1:]
                    chunks.append((np.ravel_multi_index(at, grid), info.byte_offset, info.size))
                for c in sorted(chunks):
                    self.say("is", i, *c)
                for c in [] if v["codecs"] else chunks:
                    self.say("have", i, *c)
        self.say("adopt")

    def free_name(self, kind):
        used = {d["name"] for d in self.dims} if kind == "dim" else {v["name"] for v in self.vars}
        return self.rng.choice([n for n in NAMES + [f"more{i}" for i in range(60)] if n not in used][:12])

    def add_dim(self):
        has_record = any(d["length"] == 0 for d in self.dims)
        length = 0 if not has_record and self.rng.random() < 0.5 else self.rng.choice([1, 2, 5, 7, 20])
        self.dims.append({"name": self.free_name("dim"), "length": length})
        self.say("dim", self.dims[-1]["name"], length)

    def shape(self, v):
        return [self.dims[d]["length"] or self.numrecs for d in v["dims"]]

    def add_var(self):
        rng = self.rng
        rank = min(len(self.dims), rng.choice([0, 1, 1, 2, 2, 3]))
        dims = rng.sample([i for i, d in enumerate(self.dims) if d["length"]], min(rank, sum(d["length"] > 0 for d in self.dims)))
        record = [i for i, d in enumerate(self.dims) if d["length"] == 0]
        if record and rng.random() < 0.5:
            dims = record + dims[:2]
        is_record = bool(record) and dims[:1] == record
        name = self.dims[dims[0]]["name"] if dims and rng.random() < 0.4 else self.free_name("var")
        if any(v["name"] == name for v in self.vars):
            name = self.free_name("var")
        kind = rng.choice(self.types)
        chunked = is_record or (dims and rng.random() < 0.6)
        chunk = [rng.randint(1, self.dims[d]["length"] or 3) for d in dims] if chunked else []
        codecs = rng.choice([[], [], [(SHUFFLE, np.dtype(TYPES[kind]).itemsize), (ZLIB, 1)], [(ZLIB, 6)], [(FLETCHER32, 0)]]) if chunked else []
        # libnetcdf counts the values of the whole variable, too
        long_enough = min(math.prod(chunk), math.prod(self.dims[d]["length"] or 1 for d in dims)) >= 8
        if HAS_SZIP and chunked and kind != 2 and long_enough and rng.random() < 0.3:
            codecs = [(SZIP, 8)]
        v = {"name": name, "type": kind, "filled": rng.random() < 0.8, "dims": dims, "chunk": chunk, "codecs": codecs, "atts": {}, "puts": {}, "cut": {}, "big": rng.choice([0, 0, 100])}
        self.vars.append(v)
        self.say("var", name, kind + v["big"], int(v["filled"]), len(dims), *dims, int(bool(chunk)), *chunk, len(codecs), *(x for c in codecs for x in c))
        if v["filled"] and kind != 2 and rng.random() < 0.3:
            self.put_att(len(self.vars) - 1, "_FillValue", kind, [77])
        v["fill"] = v["atts"].get("_FillValue", (kind, [FILLS[kind]]))[1][0]

    def atts_of(self, var):
        return self.atts if var < 0 else self.vars[var]["atts"]

    def say_att(self, var, name, kind, values):
        self.say("att", var, name, 2 if kind == STRING else kind, len(values), *([values] if isinstance(values, str) and values else values))

    def put_att(self, var, name, kind, values):
        self.atts_of(var)[name] = (kind, values)
        self.say_att(var, name, kind, values)

    def change_att(self):
        rng = self.rng
        var = rng.randint(-1, len(self.vars) - 1)
        atts = self.atts_of(var)
        mine = [n for n in atts if n != "_FillValue"]
        what = rng.random()
        if mine and what < 0.15:
            name = rng.choice(mine)
            del atts[name]
            self.say("delatt", var, name)
        elif mine and what < 0.3:
            name, new = rng.choice(mine), f"renamed{rng.randint(0, 10**6)}"
            items = [(new if n == name else n, v) for n, v in atts.items()]
            atts.clear()
            atts.update(items)
            self.say("renatt", var, name, new)
        else:
            name = rng.choice(mine) if mine and what < 0.5 else f"att{rng.randint(0, 30)}"
            kind = rng.choice(self.types)
            n = rng.choice([0, 1, 1, 3, 20])
            self.put_att(var, name, kind, "".join(rng.choice("abcdefg") for _ in range(n)) if kind == 2 else [rng.randint(0, 99) for _ in range(n)])

    def put(self):
        rng = self.rng
        var = rng.randrange(len(self.vars))
        v = self.vars[var]
        if v["chunk"] and 0 in v["dims"][:0] + [self.dims[d]["length"] for d in v["dims"][:1]]:
            self.numrecs = max(self.numrecs, rng.randint(1, self.numrecs + 4))
        grid = [-(-n // c) for n, c in zip(self.shape(v), v["chunk"])]
        number = rng.randrange(int(np.prod(grid))) if v["chunk"] else 0
        v["puts"][number] = rng.randrange(10**6)
        v["cut"].pop(number, None)
        self.say("put", var, number, v["puts"][number])

    def put_box(self, v):
        """By others, who end at the last record. (box of a chunk, or else (); values)"""
        rng, is_record = self.rng, bool(v["chunk"]) and self.dims[v["dims"][0]]["length"] == 0
        shape = [rng.randint(1, self.numrecs + 4) if is_record and i == 0 else n for i, n in enumerate(self.shape(v))]
        grid = [-(-n // c) for n, c in zip(shape, v["chunk"])]
        at = [rng.randrange(n) for n in grid]
        seed, box = rng.randrange(10**6), tuple(slice(i * c, min((i + 1) * c, n)) for i, c, n in zip(at, v["chunk"], shape))
        part = values_of(seed, int(np.prod(v["chunk"] or shape)), v["type"]).reshape(v["chunk"] or shape)
        number = int(np.ravel_multi_index(at, [10**6] + grid[1:])) if v["chunk"] else 0
        v["puts"][number] = seed
        v["cut"].pop(number, None)
        if is_record:
            v["cut"][number] = box[0].stop
            self.numrecs = max(self.numrecs, box[0].stop)
        return box, np.ascontiguousarray(part[tuple(slice(0, b.stop - b.start) for b in box)])

    def look_at_records(self, name):
        with netCDF4.Dataset(name) as ds:
            self.numrecs = max([len(d) for d in ds.dimensions.values() if d.isunlimited()], default=0)

    def rename(self):
        rng = self.rng
        which = self.dims if rng.random() < 0.5 and self.dims else self.vars
        if which:
            i = rng.randrange(len(which))
            which[i]["name"] = self.free_name("dim" if which is self.dims else "var")
            self.say("rendim" if which is self.dims else "renvar", i, which[i]["name"])

    def flush(self, name):
        self.say("flush", self.numrecs, name)
        self.keep(name)

    def cut_all(self):
        """Others write chunks up to the last record that there is."""
        for v in self.vars:
            v["cut"] = {number: self.numrecs for number in v["puts"] if v["chunk"] and self.dims[v["dims"][0]]["length"] == 0}

    def keep(self, name):
        """What the file of that name must have."""
        state = {"dims": [dict(d) for d in self.dims], "numrecs": self.numrecs, "atts": dict(self.atts), "classic": self.is_classic,
                 "vars": [{**v, "atts": dict(v["atts"]), "puts": dict(v["puts"]), "cut": dict(v["cut"])} for v in self.vars]}
        self.copies.append((name, state))


def values_of(seed, n, kind):
    at = (seed + np.arange(n)) % (90 if kind == 2 else 100)
    return (at + 33).astype("u1").view("S1") if kind == 2 else at.astype(TYPES[kind])


def expected(state, v):
    """(values, which of them are known)"""
    shape = [state["dims"][d]["length"] or state["numrecs"] for d in v["dims"]]
    all_values, known = np.full(shape, v["fill"], TYPES[v["type"]]), np.full(shape, v["filled"] and bool(v["chunk"]))
    if not v["chunk"]:
        for seed in v["puts"].values():
            return values_of(seed, all_values.size, v["type"]).reshape(shape), np.full(shape, True)
    grid = [-(-n // c) for n, c in zip(shape, v["chunk"])]
    for number, seed in v["puts"].items():
        at = [i * c for i, c in zip(np.unravel_index(number, grid), v["chunk"])]
        box = tuple(slice(a, a + c) for a, c in zip(at, v["chunk"]))
        part = values_of(seed, int(np.prod(v["chunk"])), v["type"]).reshape(v["chunk"])
        cut = tuple(slice(0, n - a if n - a < c else c) for n, a, c in zip(shape, at, v["chunk"]))
        all_values[box], known[box] = part[cut], True
        if number in v["cut"]:  # libnetcdf wrote it, up to the last record of that time
            known[max(v["cut"][number], at[0]):at[0] + v["chunk"][0]] = False
    return all_values, known


def same_att(value, kind, values):
    if kind in (2, STRING):
        return value == values
    value = np.atleast_1d(value)
    return len(value) == len(values) and (not values or (value.dtype == TYPES[kind] and list(value) == values))


def link_of(file, name):
    return f"_nc4_non_coord_{name}" if f"_nc4_non_coord_{name}" in file else name


def has_no_order(name, var):
    """libnetcdf makes such variables in a file that it has opened."""
    with h5py.File(name) as f:
        return hasattr(var, "name") and f[link_of(f, var.name)].id.get_create_plist().get_attr_creation_order() == 0


def check_strings(name, state):
    """They stay what libnetcdf made."""
    bad = []
    with h5py.File(name) as f:
        for v in [None] + state["vars"]:
            link = "/" if v is None else link_of(f, v["name"])
            bad += [f"{name}: attribute {att} of {link} is no string any more" for att, (kind, _) in (v or state)["atts"].items()
                    if kind == STRING and not f[link].attrs.get_id(att).get_type().is_variable_str()]
    return bad


def tools(name):
    """Of a sample."""
    bad = []
    for words in (["ncdump", "-h"], ["h5dump", "-H"]):
        done = subprocess.run([*words, name], capture_output=True, text=True, errors="replace") if shutil.which(words[0]) else None
        bad += [f"{words[0]} {name}: {done.returncode} {done.stderr[:300]}"] if done and (done.returncode or done.stderr) else []
    return bad


def check_values(name, state):
    bad = check_strings(name, state) + (tools(name) if random.random() < 0.05 else [])
    with netCDF4.Dataset(name) as ds:
        ds.set_auto_mask(False)
        dims = [(n, len(d), d.isunlimited()) for n, d in ds.dimensions.items()]
        want = [(d["name"], d["length"] or state["numrecs"], d["length"] == 0) for d in state["dims"]]
        if dims != want:
            bad.append(f"{name}: dimensions {dims}, not {want}")
        if list(ds.variables) != [v["name"] for v in state["vars"]]:
            return bad + [f"{name}: variables {list(ds.variables)}, not {[v['name'] for v in state['vars']]}"]
        for var, v in [(ds, state)] + [(ds[v["name"]], v) for v in state["vars"]]:
            if var.ncattrs() != list(v["atts"]) and not (sorted(var.ncattrs()) == sorted(v["atts"]) and has_no_order(name, var)):
                bad.append(f"{name}, {getattr(var, 'name', '')}: attributes {var.ncattrs()}, not {list(v['atts'])}")
                continue
            for att, (kind, values) in v["atts"].items():
                if not same_att(var.getncattr(att), kind, values):
                    bad.append(f"{name}, {getattr(var, 'name', '')}:{att} is {var.getncattr(att)!r}, not {values}")
        for v in state["vars"]:
            var = ds[v["name"]]
            if var.dimensions != tuple(state["dims"][d]["name"] for d in v["dims"]):
                bad.append(f"{name}, {v['name']}: dimensions {var.dimensions}")
                continue
            values, known = expected(state, v)
            found = var[...]
            if found.dtype.newbyteorder("=") != values.dtype or (values.itemsize > 1 and (var.endian() == "big") != (v["big"] > 0)) or found.shape != values.shape or not np.array_equal(found[known], values[known]):
                bad.append(f"{name}, {v['name']}: values")
    return bad


def value_of(file, object_id, att):
    a = h5py.h5a.open(object_id, att)
    kind, space = a.get_type(), a.get_space()
    described = (kind.get_class(), kind.get_size(), space.get_simple_extent_type(), space.shape, kind.encode())
    if att == b"_NCProperties" or space.get_simple_extent_type() == h5py.h5s.NULL:
        return described[:1] + described[2:4]
    value = h5py.AttributeManager(h5py.Dataset(object_id) if isinstance(object_id, h5py.h5d.DatasetID) else h5py.Group(object_id))[att.decode()]
    if att == b"DIMENSION_LIST":
        return described, [[file[r].name for r in refs] for refs in value]
    if att == b"REFERENCE_LIST":
        return described, [(file[r].name, int(i)) for r, i in value]
    return described, np.asarray(value).tolist()


def structure(name):
    """All that h5dump -Hp would say, but where things lie, in the order of creation."""
    found = {}
    with h5py.File(name) as f:
        def attributes(oid):
            names = []
            h5py.h5a.iterate(oid, lambda n, *more: names.append(n), index_type=h5py.h5.INDEX_CRT_ORDER)
            return [(n, value_of(f, oid, n)) for n in names]
        links = []
        f.id.links.iterate(lambda n, *more: links.append(n), idx_type=h5py.h5.INDEX_CRT_ORDER)
        found["/"] = attributes(f.id)
        found["order"] = links
        for link in links:
            d = h5py.h5d.open(f.id, link)
            p, kind = d.get_create_plist(), d.get_type()
            fill = np.zeros((), h5py.Dataset(d).dtype)
            defined = p.fill_value_defined()
            if defined == h5py.h5d.FILL_VALUE_USER_DEFINED:
                p.get_fill_value(fill)
            found[link] = (kind.get_class(), kind.get_size(), kind.encode(), d.shape, d.get_space().get_simple_extent_dims(True), p.get_layout(),
                           p.get_chunk() if p.get_layout() == h5py.h5d.CHUNKED else None, [p.get_filter(i) for i in range(p.get_nfilters())],
                           defined, fill.tobytes(), p.get_fill_time(), p.get_alloc_time(), p.get_attr_creation_order(), p.get_obj_track_times(), attributes(d))
    with open(name, "rb") as f:
        found["superblock"] = f.read(12)
    return found


def call(lib, function, *args):
    err = getattr(lib, "nc_" + function)(*args)
    if err:
        raise RuntimeError(f"{function}{args}: {err}")


def by_libnetcdf(lib, name, state, has_values=False):
    """By its own functions: netCDF4-python leaves define mode at other times."""
    nc, some = ctypes.c_int(), ctypes.c_int()
    call(lib, "create", name.encode(), 0x1100 if state["classic"] else 0x1000, ctypes.byref(nc))
    for d in state["dims"]:
        call(lib, "def_dim", nc, d["name"].encode(), ctypes.c_size_t(d["length"]), ctypes.byref(some))
    for i, v in enumerate(state["vars"]):
        n, codecs = len(v["dims"]), dict(v["codecs"])
        call(lib, "def_var", nc, v["name"].encode(), v["type"], n, (ctypes.c_int * n)(*v["dims"]), ctypes.byref(some))
        if n:
            call(lib, "def_var_chunking", nc, i, int(not v["chunk"]), (ctypes.c_size_t * n)(*v["chunk"]) if v["chunk"] else None)
        if ZLIB in codecs:
            call(lib, "def_var_deflate", nc, i, int(SHUFFLE in codecs), 1, codecs[ZLIB])
        if v["big"] and v["type"] != 2:
            call(lib, "def_var_endian", nc, i, 2)
        if SZIP in codecs:
            call(lib, "def_var_szip", nc, i, 32, codecs[SZIP])
        if FLETCHER32 in codecs:
            call(lib, "def_var_fletcher32", nc, i, 1)
        if not v["filled"]:
            call(lib, "def_var_fill", nc, i, 1, None)
    for var, atts in [(-1, state["atts"])] + [(i, v["atts"]) for i, v in enumerate(state["vars"])]:
        for att, (kind, values) in atts.items():
            values = values.encode() if kind == 2 else np.array(values, TYPES[kind]).tobytes()
            call(lib, "put_att", nc, var, att.encode(), kind, ctypes.c_size_t(len(values) // np.dtype(TYPES[kind]).itemsize), values)
    call(lib, "enddef", nc)
    for i, v in enumerate(state["vars"] if has_values else []):  # not after an open: libnetcdf 4.9.0 leaves the order of bytes then
        values, _ = expected(state, v)
        grid = [-(-n // c) for n, c in zip(values.shape, v["chunk"])]
        for number in v["puts"]:
            start = [k * c for k, c in zip(np.unravel_index(number, grid), v["chunk"])] if v["chunk"] else [0] * values.ndim
            count = [min(c, n - a) for c, n, a in zip(v["chunk"] or values.shape, values.shape, start)]
            part = np.ascontiguousarray(values[tuple(slice(a, a + c) for a, c in zip(start, count))])
            call(lib, "put_vara", nc, i, (ctypes.c_size_t * 9)(*start), (ctypes.c_size_t * 9)(*count), part.ctypes.data_as(ctypes.c_void_p))
    call(lib, "close", nc)


def check_structure(name, state):
    """Of the first flush: values were not put yet."""
    library = ctypes.util.find_library("netcdf")
    if not library:
        return []
    by_libnetcdf(ctypes.CDLL(library), "libnetcdf.nc", state)
    ours, theirs = structure(name), structure("libnetcdf.nc")
    return [f"{name}: {key} is {ours.get(key)}, by libnetcdf {theirs.get(key)}" for key in dict.fromkeys([*theirs, *ours]) if ours.get(key) != theirs.get(key)]


def write_by_libnetcdf(name, m):
    """The file that the commands would have made, with its values."""
    by_libnetcdf(ctypes.CDLL(ctypes.util.find_library("netcdf")), name, m.copies[-1][1], True)
    m.cut_all()


def set_by_h5py(f, v, rng, state):
    """In one of the ways that libhdf5 has for chunks."""
    shape, codecs = [state["dims"][d]["length"] or state["numrecs"] for d in v["dims"]], dict(v["codecs"])
    names = [d["name"] for d in state["dims"]]
    is_scale = bool(v["dims"]) and names[v["dims"][0]] == v["name"]
    link = v["name"] if is_scale or v["name"] not in names else f"_nc4_non_coord_{v['name']}"
    more = {"chunks": tuple(v["chunk"]), "maxshape": [state["dims"][d]["length"] or None for d in v["dims"]]} if v["chunk"] else {}
    if SZIP in codecs:
        more.update(compression="szip", compression_opts=("nn", codecs[SZIP]))
    elif ZLIB in codecs:
        more.update(compression="gzip", compression_opts=codecs[ZLIB], shuffle=SHUFFLE in codecs)
    kind = np.dtype(TYPES[v["type"]]).newbyteorder(">" if v["big"] else "=")
    d = f.create_dataset(link, shape, kind, fletcher32=FLETCHER32 in codecs, fillvalue=np.array(v["fill"], kind) if v["filled"] else None, track_order=True, **more)
    for name, (what, values) in v["atts"].items():
        d.attrs[name] = np.bytes_(values) if what == 2 and values else np.array(values, TYPES[what]) if values else h5py.Empty(TYPES[what])
    values, _ = expected(state, v)
    grid = [-(-n // c) for n, c in zip(shape, v["chunk"])]
    for number in v["puts"]:
        if v["chunk"]:
            box = tuple(slice(i * c, min((i + 1) * c, n)) for i, c, n in zip(np.unravel_index(number, grid), v["chunk"], shape))
            d[box] = values[box]
        else:
            d[...] = values
    return d, is_scale


def by_h5py(name, state, rng):
    libver = rng.choice(["earliest", "latest", ("v108", "v108"), ("v110", "v110")])
    with h5py.File(name, "w", libver=libver, track_order=True) as f:
        sets = [set_by_h5py(f, v, rng, state) for v in state["vars"]]
        scales = {v["dims"][0]: d for v, (d, is_scale) in zip(state["vars"], sets) if is_scale}
        for i, dim in enumerate(state["dims"]):
            if i not in scales:
                n = dim["length"] or state["numrecs"]
                scales[i] = f.create_dataset(dim["name"], (n,), ">f4", track_order=True, **({} if dim["length"] else {"maxshape": (None,), "chunks": (5,)}))
                scales[i].make_scale(f"This is a netCDF dimension but not a netCDF variable.{n:10d}")
            else:
                scales[i].make_scale(dim["name"])
            scales[i].attrs["_Netcdf4Dimid"] = np.int32(i)
        for v, (d, is_scale) in zip(state["vars"], sets):
            for i, k in enumerate([] if is_scale else v["dims"]):
                d.dims[i].attach_scale(scales[k])
            if is_scale:
                d.attrs["_Netcdf4Coordinates"] = np.array(v["dims"], "i4")
        for att, (kind, values) in state["atts"].items():
            f.attrs[att] = np.bytes_(values) if kind == 2 and values else np.array(values, TYPES[kind]) if values else h5py.Empty(TYPES[kind])


def run(program, name, lines, seconds=0, *more):
    return subprocess.run([program, name, str(seconds), *more], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=300)


def steps(m, copy):
    for _ in range(m.rng.randint(0, 12)):
        step = m.rng.random()
        if m.rng.random() < 0.15:
            m.say("enter", m.rng.choice([0, 1, 3, 1000]), m.numrecs)
        if step < 0.6 and m.vars:
            m.put()
        elif step < 0.75:
            m.change_att()
        elif step < 0.85:
            m.rename()
        elif step < 0.9:
            m.add_dim()
        else:
            m.add_var()
    m.flush(copy)


def put_by_libnetcdf(ds, m):
    v = m.rng.choice(m.vars)
    if v["big"] and v["type"] not in (1, 2, 7):  # see by_libnetcdf
        return
    box, part = m.put_box(v)
    ds[v["name"]][box or ...] = part


def add_by_libnetcdf(ds, m):
    if m.rng.random() < 0.4:
        m.add_dim()
        if any(v["name"] == m.dims[-1]["name"] for v in m.vars):  # libnetcdf cannot do that
            m.dims[-1]["name"] = f"libdim{len(m.dims)}"
        ds.createDimension(m.dims[-1]["name"], m.dims[-1]["length"] or None)
        return
    m.add_var()
    v = m.vars[-1]
    codecs, fill = dict(v["codecs"]), v["atts"]["_FillValue"][1][0] if "_FillValue" in v["atts"] else None if v["filled"] else False
    ds.createVariable(v["name"], np.dtype(TYPES[v["type"]]).newbyteorder(">" if v["big"] else "="), tuple(m.dims[d]["name"] for d in v["dims"]), zlib=ZLIB in codecs, complevel=codecs.get(ZLIB, 4),
                      shuffle=SHUFFLE in codecs, fletcher32=FLETCHER32 in codecs, contiguous=not v["chunk"], chunksizes=v["chunk"] or None,
                      endian="big" if v["big"] and v["type"] != 2 else "native", fill_value=fill,
                      **({"compression": "szip", "szip_coding": "nn", "szip_pixels_per_block": codecs[SZIP]} if SZIP in codecs else {}))


def change_atts_by_libnetcdf(ds, m):
    rng = m.rng
    var = rng.randint(-1, len(m.vars) - 1)
    to, atts = ds if var < 0 else ds[m.vars[var]["name"]], m.atts_of(var)
    mine = [n for n in atts if n != "_FillValue"]
    if mine and rng.random() < 0.3:
        name = rng.choice(mine)
        del atts[name]
        to.delncattr(name)
        return
    name, kind = f"lib{rng.randint(0, 10**6)}", rng.choice(m.types + [2] if m.is_classic else m.types + [2, STRING, STRING])
    values = "".join(rng.choice("abcdefg") for _ in range(rng.randint(1, 20))) if kind in (2, STRING) else [rng.randint(0, 99) for _ in range(rng.choice([1, 3]))]
    atts[name] = (kind, values)
    if kind == STRING:
        to.setncattr_string(name, values)
    else:
        to.setncattr(name, values if kind == 2 else np.array(values, TYPES[kind]))


def append_by_libnetcdf(name, m):
    """Another program opens the file, and changes what it likes."""
    with warnings.catch_warnings(), netCDF4.Dataset(name, "a") as ds:
        warnings.simplefilter("ignore")
        ds.set_auto_mask(False)
        for _ in range(m.rng.randint(1, 6)):
            what = m.rng.random()
            if what < 0.4 and m.vars:
                put_by_libnetcdf(ds, m)
            elif what < 0.6:
                add_by_libnetcdf(ds, m)
            else:
                change_atts_by_libnetcdf(ds, m)
    m.look_at_records(name)  # a new scale of the record dimension has none
    with h5py.File(name) as f:  # libnetcdf reads fill where a variable has less records than others
        for v in m.vars:
            if v["chunk"] and m.dims[v["dims"][0]]["length"] == 0:
                rows = f[link_of(f, v["name"])].shape[0]
                v["cut"].update({k: min(rows, v["cut"].get(k, rows)) for k in v["puts"]})
    copy = f"appended.{len(m.copies)}.nc"
    m.keep(copy)
    shutil.copy(name, copy)


def left_over(m):
    """Chunks that are entered, and no flush after them: the file stays what the last flush left."""
    for i, v in enumerate(m.vars):
        if v["codecs"]:
            m.say("put", i, 0, 1)
            m.say("put", i, 1 if m.dims[v["dims"][0]]["length"] == 0 else 0, 2)
            m.say("enter", 0, m.numrecs + 10)


def go_on(program, m, k, others_may):
    """With a file that is there."""
    if others_may and m.rng.random() < 0.6:
        append_by_libnetcdf("file.nc", m)
    m.lines = []
    m.say_mode()
    m.say_all("file.nc")
    if m.rng.random() < 0.5:
        m.say("same", 0)
    for i in range(m.rng.randint(1, 2)):
        steps(m, f"again.{k}.{i}.nc")
    left_over(m)
    done = run(program, "file.nc", m.lines, 0, "old")
    shutil.copy("file.nc", f"again.{k}.nc")
    m.keep(f"again.{k}.nc")
    return done.returncode and f"{done.returncode} {done.stdout} {done.stderr}"


def one_file(program, seed):
    rng = random.Random(seed)
    m = Model(rng)
    for _ in range(rng.randint(0, 5)):
        m.add_dim()
    for _ in range(rng.randint(0, 8)):
        m.add_var()
    for _ in range(rng.randint(0, 10)):
        var = rng.randint(-1, len(m.vars) - 1)
        m.put_att(var, f"att{rng.randint(0, 30)}", *rng.choice([(2, "text"), (4, [1, 2, 3]), (6, [1]), (1, [5, 6])]))
    m.flush("copy.0.nc")
    for k in range(1, rng.randint(2, 6)):
        steps(m, f"copy.{k}.nc")
    done = run(program, "file.nc", m.lines)
    if done.returncode:
        return [f"seed {seed}: {done.returncode} {done.stdout} {done.stderr}"]
    is_ours = rng.random() < 0.7
    if not is_ours:
        by_h5py("file.nc", m.copies[-1][1], rng)
        m.cut_all()
    elif rng.random() < 0.5 and ctypes.util.find_library("netcdf"):
        write_by_libnetcdf("file.nc", m)
    bad = []
    for k in range(rng.randint(1, 3)):
        said = go_on(program, m, k, is_ours)
        if said:
            return [f"seed {seed}, again: {said}"]
    for name, state in m.copies:
        try:
            bad += check_values(name, state)
        except (OSError, KeyError, RuntimeError, IndexError) as error:
            bad.append(f"{name}: {error!r}")
    bad += check_structure(*m.copies[0])
    return [f"seed {seed}: {b}" for b in bad]


# ---- what is refused

START = """#!/usr/bin/python3
import os, signal, socket, struct, sys, time
s = socket.socket(fileno=0)
def say(what, code=0, offset=0, length=0, more=b""):
    s.sendall(struct.pack("=iiqq", what, code, offset, length) + more)
READ, ALIVE, FAILED, RANGE, FLUSHED = 1, 2, 4, 104, 105
def get(n):
    return s.recv(n, socket.MSG_WAITALL)
get(32)
while True:
    what, code, offset, length = struct.unpack("=iiqq", get(24))
    if what == 103:
        break
    get(length)
eof = offset
"""
CASES = {  # name: (program, what is said)
    "ends": ("", "ended too early"),
    "crashes": ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed (signal 11) while it wrote the metadata"),
    "talks nonsense": ("s.sendall(b'x' * 1000); time.sleep(50)", "makes no sense"),
    "gives too much": ("say(RANGE, offset=0, length=1 << 60); time.sleep(50)", "makes no sense"),
    "gives nothing": ("say(RANGE, offset=0, length=0); time.sleep(50)", "makes no sense"),
    "gives before the file": ("say(RANGE, offset=-8, length=8, more=bytes(8)); time.sleep(50)", "makes no sense"),
    "gives values": ("say(RANGE, offset=4090, length=8, more=bytes(8)); say(FLUSHED, offset=eof + 8); time.sleep(50)", "makes no sense"),
    "gives twice": ("say(RANGE, offset=0, length=8, more=bytes(8)); say(RANGE, offset=4, length=8, more=bytes(8)); time.sleep(50)", "makes no sense"),
    "shortens the file": ("say(FLUSHED, offset=eof - 1); time.sleep(50)", "makes no sense"),
    "lengthens the file": ("say(FLUSHED, offset=eof + (1 << 40)); time.sleep(50)", "makes no sense"),
    "reads": ("say(READ, offset=0, length=8); time.sleep(50)", "makes no sense"),
    "fails": ("say(FAILED, code=-206, length=7, more=b'a\\x1b[31mx')", "a?[31mx"),
    "sleeps": ("time.sleep(500)", "did not end"),
    "says for ever that it is alive": ("while True: say(ALIVE)", "did not end"),
    "does it": ("say(RANGE, offset=0, length=8, more=b'abcdefgh'); say(FLUSHED, offset=eof); time.sleep(50)", ""),
}


OWN = {**os.environ, "PARCDF_PLUGINS": os.path.abspath("plugins")}


def refused(program):
    bad = []
    os.makedirs("plugins", exist_ok=True)
    lines = ["dim x 5", "var v 4 1 1 0 0 0", "flush 0 copy.nc"]
    for name, (does, said) in CASES.items():
        with open("plugins/parcdf-map", "w") as f:
            f.write(START + does + "\n")
        os.chmod("plugins/parcdf-map", stat.S_IRWXU)
        before = time.monotonic()
        done = subprocess.run([program, "x.nc", "1"], input="\n".join(lines), capture_output=True, text=True, timeout=200,
                              env=OWN)
        if said not in done.stdout or (not said) != (done.returncode == 0) or time.monotonic() - before > 20:
            bad.append(f"{name}: {done.returncode} {done.stdout!r}")
    return bad


def closes_its_ears(program):
    """More is said than a socket takes."""
    with open("plugins/parcdf-map", "w") as f:
        f.write("#!/bin/sh\nexec sleep 50\n")
    before = time.monotonic()
    lines = ["dim time 0", "dim x 5", "var v 4 1 2 0 1 1 1 5 0", "many 0 100000 0 1"]
    done = subprocess.run([program, "x.nc", "2"], input="\n".join(lines), capture_output=True, text=True, timeout=200, env=OWN)
    good = done.returncode == 1 and "chunks: -206 x.nc: libhdf5 did not end to write its metadata" in done.stdout and time.monotonic() - before < 20
    return [] if good else [f"closes its ears: {done.returncode} {done.stdout!r}"]


CUT = """#!/usr/bin/python3
import os, signal, socket
s = socket.socket(fileno=0)
left = %d
while left > 0 and (got := s.recv(left)):
    left -= len(got)
os.kill(os.getpid(), signal.SIGSEGV)
"""


def crashes(program):
    """It crashes after so many bytes of what the library says: in the middle of each message."""
    bad, at = [], 0
    lines = ["dim time 0", "dim x 5", "var v 4 1 2 0 1 1 1 5 0", "put 0 0 1", "put 0 1 2", "enter 0 2", "put 0 2 3", "flush 3 copy.nc"]
    while True:
        with open("plugins/parcdf-map", "w") as f:
            f.write(CUT % at)
        done = subprocess.run([program, "x.nc", "2"], input="\n".join(lines), capture_output=True, text=True, timeout=200, env=OWN)
        if "did not end" in done.stdout and at > 600:  # there is no more to hear
            return bad
        if done.returncode != 1 or "-206 x.nc: libhdf5 crashed (signal 11) while it wrote the metadata" not in done.stdout:
            bad.append(f"crashes after {at} bytes: {done.returncode} {done.stdout!r}")
        at += 29


def children(pid):
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children") as f:
            found += [int(p) for p in f.read().split()]
    return found


def is_there(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def killed(program, seed):
    """The real process, killed while it works: an error, and the file is what the last flush left. And it ends with the program."""
    rng, bad = random.Random(seed), []
    lines = ["dim time 0", "dim x 25", "var v 4 1 2 0 1 1 1 1 1 1 6", "put 0 0 5", "flush 1 c.nc", "many 0 100000 9000 4", "many 0 900000 9000 4"]
    for i in range(8):
        p = subprocess.Popen([program, "killed.nc", "0"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        p.stdin.write("\n".join(lines) + "\n")
        p.stdin.flush()
        while not (process := children(p.pid)):
            time.sleep(0.001)
        time.sleep(0.05 + 0.3 * rng.random())
        which = process[0] if i % 2 else p.pid
        os.kill(which, signal.SIGKILL)
        p.stdin.close()
        said, status = p.stdout.read(), p.wait()
        for _ in range(500):
            time.sleep(0.01 if is_there(process[0]) else 0)
        if is_there(process[0]) or (i % 2 and (status != 1 or "killed.nc: the process that wrote its metadata was killed (signal 9)" not in said)):
            bad.append(f"killed {'process' if i % 2 else 'program'}: {status} {said!r}, is the process there: {is_there(process[0])}")
        if os.path.exists("c.nc") and i % 2:  # a program that is killed has written a part of the ranges
            with netCDF4.Dataset("killed.nc") as ds:
                if ds["v"].shape not in ((1, 25), (100000, 25)):
                    bad.append(f"killed: {ds['v'].shape}")
        if os.path.exists("c.nc"):
            os.remove("c.nc")
    return bad


def outlived(program):
    """A killed program had forked, so the socket has another end: the real process ends all the same."""
    lines = ["dim x 25", "var v 4 1 1 0 1 5 1 1 6", "put 0 0 5", "flush 0 c.nc", "fork", "wait"]
    p = subprocess.Popen([program, "outlived.nc", "0"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    p.stdin.write("\n".join(lines) + "\n")
    p.stdin.flush()
    while len(found := children(p.pid)) < 2:
        time.sleep(0.001)
    os.kill(p.pid, signal.SIGKILL)
    p.wait()
    for _ in range(500):
        time.sleep(0.01 if is_there(found[0]) else 0)
    bad = [pid for pid in found[:1] if is_there(pid)]
    for pid in found[1:] + bad:
        os.kill(pid, signal.SIGKILL)
    return [f"parcdf-map outlives a program that had forked: {bad}"] if bad else []


def no_memory(program):
    """Each allocation fails once: an error that says so, and the file is what the last flush left."""
    bad, at, lines = [], 0, ["dim time 0", "dim x 25", "var v 4 1 2 0 1 1 1 5 1 1 6", "var w 6 1 1 1 0 0", "att 0 units 2 1 m", "put 0 0 5", "put 1 0 6", "flush 1 memory.copy.nc"]
    while True:
        at += 1
        done = run(program, "memory.nc", [*lines, f"fail {at}", "put 0 5 5", "put 0 6 5", "enter 0 3", "dim y 3", "var u 4 1 1 2 0 0", "flush 3 later.nc"])
        if done.returncode == 0:
            return bad if at > 10 else [f"only {at} allocations can fail"]
        if done.returncode != 1 or " -61 memory.nc" not in done.stdout or "no memory" not in done.stdout:
            bad.append(f"allocation {at} fails: {done.returncode} {done.stdout!r}")
        with netCDF4.Dataset("memory.nc") as ds:
            bad += [] if list(ds.variables) == ["v", "w"] and ds["v"].shape == (1, 25) else [f"allocation {at} fails: the file was changed"]
        if at > 1000:
            return [f"{at} allocations fail"]


VALUES = {  # where it writes in a file that has 20 bytes of values at 2000, 40 that meet them, 8 at its end, and chunks: is it refused?
    1992: False, 1993: True, 2000: True, 2050: True, 2059: True, 2060: False, 4984: False, 4985: True, 4992: True,
    2092: False, 2093: True, 2107: True, 2108: False, 2292: False, 2293: True, 2339: True, 2340: False}


def refused_values(program):
    bad = []
    lines = ["dim x 5", "dim y 2", "var a 6 1 1 0 0 0", "var b 4 1 1 0 0 0", "var c 4 1 1 1 0 0", "var d 4 1 1 0 1 2 1 1 6", "is 3 0 2300 20", "is 3 1 2320 20", "is 3 2 2100 8", "place 0 2020", "place 1 2000", "place 2 4992", "adopt", "flush 0 copy.nc"]
    for offset, is_refused in VALUES.items():
        with open("plugins/parcdf-map", "w") as f:
            f.write(START + f"say(RANGE, offset={offset}, length=8, more=bytes(8)); say(FLUSHED, offset=eof); time.sleep(50)\n")
        with open("x.nc", "wb") as f:
            f.write(bytes(5000))
        done = subprocess.run([program, "x.nc", "5", "old"], input="\n".join(lines), capture_output=True, text=True, timeout=200,
                              env=OWN)
        if done.returncode != is_refused or ("makes no sense" in done.stdout) != is_refused:
            bad.append(f"writes at {offset}: {done.returncode} {done.stdout!r}")
    return bad


def make_odd(which):
    """A file of libnetcdf with one thing that it does not make."""
    with netCDF4.Dataset("odd.nc", "w") as ds:
        ds.createDimension("x", 5)
        ds.createVariable("v", ">i4" if which == "order" else "i4", ("x",), endian="big" if which == "order" else "native", **({"chunksizes": (2,)} if which == "chunk" else {"contiguous": True}))
        if which == "group":
            ds.createGroup("g")
        if which == "long":
            ds.createDimension("y", 6)
        if which == "type":
            ds.createCompoundType(np.dtype([("a", "i4")]), "pair")
        if which == "grows":
            ds.createDimension("time", None)
            ds.createDimension("z", None)
        if which in ("text", "two", "user"):
            ds.createDimension("z", None)
            kind = {"text": str, "two": "i4"}.get(which) or ds.createVLType(np.int32, "list")
            ds.createVariable("w", kind, ("z",) if which == "two" else ("x",))
    if which in ("version", "block"):
        with h5py.File("odd.nc", "w", **({"libver": "latest"} if which == "version" else {"userblock_size": 512})) as f:
            f.create_dataset("x", data=[0.0] * 5)


ODD = {"": "", "group": "group g: it is not in the classic model", "type": "type pair: it is not in", "grows": "dimension z: it can grow",
       "text": "variable w: its values are texts of any length", "two": "dimension z: it can grow", "user": "variable w: its values have a type that somebody", "order": "order of bytes", "chunk": "another way", "long": "variable y: it is not in", "version": "dimension x: it has no scale", "block": "user block (of 512 bytes)"}


def string_atts(program):
    """Attributes of NC_STRING behind one that changes, or with another name; ncdump tells both kinds of text."""
    with netCDF4.Dataset("strings.nc", "w") as ds:
        ds.first = "text"
        ds.setncattr_string("one", "some text")
        ds.setncattr_string("lines", ["a", "bb", "ccc"])
        ds.setncattr_string("none", "")
        ds.last = np.int32(5)
    lines = ["att -1 first 2 4 text", "att -1 one 2 9 some_text", "att -1 none 2 0", "att -1 last 4 1 5", "adopt",
             "att -1 first 2 6 longer", "renatt -1 one uno", "flush 0 strings.copy.nc"]
    done = run(program, "strings.nc", lines, 0, "old")
    said = subprocess.run(["ncdump", "-h", "strings.copy.nc"], capture_output=True, text=True).stdout
    want = [':lines = "a", "bb", "ccc"', ':first = "longer"', ':uno = "some text"', ':none = ""', ":last = 5"]
    found = [line.strip("\t ;").removeprefix("string ") for line in said.splitlines() if line.startswith("\t")]
    good = done.returncode == 0 and [w for w in found if w in want] == want and said.count("string :") == 3
    return [] if good else [f"attributes of strings: {done.returncode} {done.stdout!r} {said}"]


def odd_files(program):
    bad = []
    more = {"grows": ["dim time 0", "dim z 7"], "text": ["dim z 0", "var w 2 1 1 0 0 0"], "two": ["dim z 7", "var w 4 1 1 1 1 4 0"], "user": ["dim z 0", "var w 4 1 1 0 0 0"]}
    for which, said in ODD.items():
        make_odd(which)
        done = run(program, "odd.nc", ["dim x 5", *more.get(which, [])[:1], "var v 4 1 1 0 0 0", *more.get(which, [])[1:], "adopt", "flush 0 odd.copy.nc"], 0, "old")
        if said not in done.stdout or (not said) != (done.returncode == 0):
            bad.append(f"odd file, {which}: {done.returncode} {done.stdout!r}")
    make_odd("")  # read after it was cut off
    for length in (0, 100):
        done = run(program, "odd.nc", ["dim x 5", "var v 4 1 1 0 0 0", f"cut {length}", "adopt", "flush 0 odd.copy.nc"], 0, "old")
        if done.returncode != 1 or done.stdout != "flush: -205 it is cut off\n":
            bad.append(f"odd file, cut to {length}: {done.returncode} {done.stdout!r}")
        make_odd("")
    return bad


def main(program, number, seed="0"):
    bad = refused(program) + closes_its_ears(program) + no_memory(program) + crashes(program) + refused_values(program) + odd_files(program) + string_atts(program) + outlived(program) + killed(program, int(seed))
    for i in range(int(number)):
        try:
            bad += one_file(program, int(seed) + i)
        except (OSError, RuntimeError, ValueError, KeyError, IndexError) as error:
            bad.append(f"seed {int(seed) + i}: {error!r}")
        if len(bad) > 10:
            break
    if int(number) > 100:
        for codecs in ("1 1 6", "0"):
            done = run(program, "many.nc", ["dim time 0", "dim x 25", f"var v 4 1 2 0 1 1 1 1 {codecs}" if codecs != "0" else "var v 4 1 2 0 1 1 1 25 0", "flush 0 c.nc", "many 0 1000000 0 8"])
            print(done.stdout, end="")
            bad += [done.stdout] if done.returncode else []
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
