#!/usr/bin/env python3
"""Zarr stores of version 2 (zarr-python) and 3 (written here, with numcodecs), NCZarr (libnetcdf) and kerchunk references through the
library, on one rank and on several: types, byte orders, orders, chunk shapes, codecs, shards, fill values, groups, dimensions and
attributes are as the writer had them, whole and in boxes; what is not read is named.

    zarrstores_test.py PROGRAMS MPIEXEC RANKS[,RANKS...] [STORES [SEED]]      leaves the stores in the working folder
"""
import base64, itertools, json, os, random, shutil, struct, sys, warnings, zipfile
try:
    import netCDF4, numcodecs, numpy as np, zarr
    import found
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

NUMBERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
PLAIN = False  # no compressors, ASCII alone: for machines that have neither compressors nor utf8proc
V3_TYPES = {"b1": "bool", "i": "int", "u": "uint", "f": "float"}


def values_of(rng, kind, shape):
    n = int(np.prod(shape, dtype=int))
    if kind[0] == "f":
        values = np.array([rng.gauss(0, 100) for _ in range(n)]).astype(kind)
    elif kind == "b1":
        values = np.array([rng.random() < 0.5 for _ in range(n)], bool)
    elif kind[0] == "S":
        values = np.array(["".join(rng.choice("abcxyz ") for _ in range(rng.randint(1, int(kind[1:])))) for _ in range(n)]).astype(kind)
    elif kind[0] == "U":
        values = np.array(["".join(rng.choice("aé€𝄞z") for _ in range(rng.randint(0, int(kind[1:])))) for _ in range(n)], kind)
    else:
        info = np.iinfo(kind)
        small = rng.random() < 0.5
        values = np.array([rng.randint(0, 100) if small else rng.randint(int(info.min), int(info.max)) for _ in range(n)], kind)
    return values.reshape(shape)


def as_classic(values):
    values = np.asarray(values)
    if values.dtype.kind == "U":
        n = values.dtype.itemsize
        values = np.array([str(v).encode() for v in values.ravel()], "S%d" % n).reshape(values.shape)
    return found.as_classic(values)


class Wanted:
    """What is to be found: variables (values, names of dimensions, _FillValue), attributes, and what gets and lines must name."""
    def __init__(self):
        self.vars, self.dims, self.fills, self.atts, self.unread = {}, {}, {}, {}, {}


def flat(group, name):
    return (group.strip("/").replace("/", ".") + "." if group.strip("/") else "") + name


ATTRIBUTES = [("units", "K", "K"), ("list", [1, 2.5], np.array([1, 2.5])), ("whole", [1, 300], np.array([1, 300], "i4")), ("wide", 2**40, np.array([2**40])),
              ("most", 2**64 - 1, np.array([2**64 - 1], "u8")), ("real", 1e300, np.array([1e300])), ("flag", True, np.array([1], "i1")),
              ("words", ["a", "bc", ""], "a\nbc\n"), ("tree", {"a": [1, None, "x y"]}, '{"a":[1,null,"x y"]}'), ("none", None, "null"), ("empty", [], "[]"),
              ("nan", float("nan"), np.array([np.nan])), ("mixed", [1, "a"], '[1,"a"]'), ("text", "é€\n\"", "é€\n\""), ("least", [-2**63, 1], np.array([-2**63, 1])),
              ("zero", "", "")]


def attributes(rng, target, wanted, of):
    for name, value, want in rng.sample([row for row in ATTRIBUTES if not PLAIN or row[0] != "text"], rng.randint(0, 4)):
        target[name] = value
        wanted.atts[of[0], of[1] + name] = want


def fill_of(rng, kind):
    if kind[0] in "SU":
        return None if rng.random() < 0.5 else "" if kind[0] == "U" else b""
    edge = {"b": [True, False], "f": [float("nan"), float("inf"), -float("inf"), -1.5]}.get(kind[0])
    edge = edge or [int(np.iinfo(kind).max), int(np.iinfo(kind).min)]
    return rng.choice([None, 0, 7 if kind != "b1" else True] + edge)


def some_shape(rng):
    shape = tuple(rng.randint(1, 9) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])))
    return shape, tuple(rng.randint(1, n + 2) for n in shape)


# ---- version 2, by zarr-python

def codecs2(rng, kind):
    size = np.dtype(kind).itemsize
    blosc = numcodecs.Blosc(rng.choice(["lz4", "zlib", "zstd", "blosclz", "lz4hc"]), rng.randint(0, 9), rng.choice([0, 1, 2]))
    compressor = rng.choice([None, numcodecs.Zlib(6), numcodecs.GZip(1), numcodecs.Zstd(3), numcodecs.LZ4(), numcodecs.BZ2(9), blosc])
    compressor = None if PLAIN else compressor
    filters = rng.choice([None, None, None, [numcodecs.Shuffle(size)], [numcodecs.CRC32()], [numcodecs.Adler32()], [numcodecs.Shuffle(size), numcodecs.CRC32()]])
    return compressor, filters


def write_zarr2(path, rng, wanted):
    root = zarr.open_group(path, "w")
    attributes(rng, root.attrs, wanted, ("", ""))
    for k in range(rng.randint(1, 4)):
        kind = rng.choice(NUMBERS + ["b1", "S1", "S5", "U3"])
        order = rng.choice("<>") if np.dtype(kind).itemsize > 1 and kind[0] not in "S" else "|"
        where = rng.choice(["", "", "g", "g/h"])
        group = root.require_group(where) if where else root
        shape, chunks = some_shape(rng)
        compressor, filters = codecs2(rng, kind)
        fill, name = fill_of(rng, kind), "v%d" % k
        a = group.create_dataset(name, shape=shape, chunks=chunks or None, dtype=order + kind, compressor=compressor, filters=filters, fill_value=fill,
                                 order=rng.choice("CF"), dimension_separator=rng.choice("./"), overwrite=True)
        values = np.zeros(shape, kind) if fill is None else np.full(shape, fill, kind)
        if rng.random() < 0.8:
            values = values_of(rng, kind, shape)
            a[...] = values
        elif shape and rng.random() < 0.7:  # chunks lack
            n = rng.randint(0, shape[0])
            part = values_of(rng, kind, (n,) + shape[1:])
            a[:n] = part
            if fill is None:  # what zarr-python puts around a part of a chunk is anything
                values = None
            else:
                values[:n] = part
        atts = {}
        attributes(rng, atts, wanted, (flat(where, name), ""))
        name = flat(where, name)
        if rng.random() < 0.7:
            wanted.dims[name] = ["d%d_%d" % (i, n) for i, n in enumerate(shape)]
            atts["_ARRAY_DIMENSIONS"] = wanted.dims[name]
        a.attrs.update(atts)
        wanted.vars[name] = values
        wanted.fills[name] = np.array([fill], kind) if fill is not None and kind[0] not in "SUb" else None
    if rng.random() < 0.5:
        zarr.consolidate_metadata(path)
    return path


def write_zip(path, rng, wanted):
    folder = path + ".of"
    write_zarr2(folder, rng, wanted)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED if PLAIN else rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        for at, _, names in os.walk(folder):
            for name in names:
                archive.write(os.path.join(at, name), os.path.relpath(os.path.join(at, name), folder))
    shutil.rmtree(folder)
    return path


# ---- version 3, as its specification says

def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def codec3(rng, size):
    """(metadata, encoder) of codecs of bytes."""
    blosc = numcodecs.Blosc(rng.choice(["lz4", "zstd", "zlib"]), 5, rng.choice([0, 1, 2]))
    one = rng.choice([None, ("gzip", {"level": 5}, numcodecs.GZip(5).encode), ("zstd", {"level": 3, "checksum": False}, numcodecs.Zstd(3).encode),
                      ("blosc", {"cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "typesize": size, "blocksize": 0}, blosc.encode),
                      ("numcodecs.zlib", {"level": 1}, numcodecs.Zlib(1).encode), ("numcodecs.lz4", {}, numcodecs.LZ4().encode), ("numcodecs.bz2", {"level": 9}, numcodecs.BZ2(9).encode)])
    chain = [one] if one and not PLAIN else []
    if rng.random() < 0.3:
        chain.insert(0, ("numcodecs.shuffle", {"elementsize": size}, numcodecs.Shuffle(size).encode))
    if rng.random() < 0.4:
        chain.append(("crc32c", None, lambda b: bytes(b) + struct.pack("<I", crc32c(bytes(b)))))
    def encode(data):
        for _, _, step in chain:
            data = bytes(step(np.frombuffer(data, "u1")) if step.__name__ == "encode" else step(data))
        return data
    return [{"name": n, **({"configuration": c} if c is not None else {})} for n, c, _ in chain], encode


def chunks_of(values, chunk, fill):
    """(index, whole chunk): what lies beyond the array is fill."""
    grid = [-(-n // c) for n, c in zip(values.shape, chunk)]
    for index in itertools.product(*map(range, grid)):
        whole = np.full(chunk, fill, values.dtype)
        part = values[tuple(slice(i * c, (i + 1) * c) for i, c in zip(index, chunk))]
        whole[tuple(slice(0, n) for n in part.shape)] = part
        yield index, whole


def arrays_to_bytes(rng, kind, ndims):
    endian, order, meta = rng.choice(["little", "big"]), list(range(ndims)), []
    for _ in range(rng.choice([0, 0, 1, 2]) if ndims > 1 else 0):  # of two, the second one permutes what the first one made
        step = rng.sample(range(ndims), ndims)
        order = [order[i] for i in step]
        meta.append({"name": "transpose", "configuration": {"order": step}})
    use = bool(meta)
    plain = rng.choice(["bytes", {"name": "bytes"}, {"name": "bytes", "configuration": {}}])
    meta.append({"name": "bytes", "configuration": {"endian": endian}} if np.dtype(kind).itemsize > 1 else plain)
    after, encode = codec3(rng, np.dtype(kind).itemsize)
    def whole(chunk):
        chunk = np.ascontiguousarray(chunk.transpose(order)) if use else chunk
        return encode(chunk.astype(chunk.dtype.newbyteorder("<" if endian == "little" else ">")).tobytes())
    return meta + after, whole


def shard_bytes(chunk, inner, encode, fill, first, has_sum):
    parts, index, at = [], [], 0
    n = int(np.prod([c // i for c, i in zip(chunk.shape, inner)], dtype=int))
    lead = 16 * n + 4 * has_sum if first else 0
    for _, part in chunks_of(chunk, inner, fill):
        if (part == fill).all():
            index += [2**64 - 1] * 2
            continue
        data = encode(part)
        index += [lead + at, len(data)]
        parts.append(data)
        at += len(data)
    index = struct.pack("<%dQ" % len(index), *index)
    index += struct.pack("<I", crc32c(index)) if has_sum else b""
    return b"".join([index] * first + parts + [index] * (not first))


def put(path, key, data):
    where = os.path.join(path, key)
    os.makedirs(os.path.dirname(where), exist_ok=True)
    with open(where, "wb") as f:
        f.write(data if isinstance(data, bytes) else json.dumps(data).encode())


def write_zarr3(path, rng, wanted):
    shutil.rmtree(path, ignore_errors=True)
    nodes = {"": {"zarr_format": 3, "node_type": "group", "attributes": {}}}
    attributes(rng, nodes[""]["attributes"], wanted, ("", ""))
    for k in range(rng.randint(1, 4)):
        kind = rng.choice(NUMBERS + ["b1"])
        where = rng.choice(["", "", "g", "g/h"])
        for i in range(len(where.split("/")) if where else 0):
            nodes.setdefault("/".join(where.split("/")[:i + 1]), {"zarr_format": 3, "node_type": "group", "attributes": {}})
        shape, chunk = some_shape(rng)
        fill = fill_of(rng, kind) or 0
        fill = -0.0 if fill == 0 and kind[0] == "f" and rng.random() < 0.3 else fill
        values = values_of(rng, kind, shape)
        if shape and rng.random() < 0.4:
            values[:rng.randint(0, shape[0])] = fill
        key = (where + "/" if where else "") + "v%d" % k
        codecs, encode = arrays_to_bytes(rng, kind, len(shape))
        inner, is_sharded = chunk, bool(shape) and rng.random() < 0.4
        if is_sharded:
            chunk = tuple(c * rng.randint(1, 3) for c in inner)
            first, has_sum = rng.random() < 0.5, rng.random() < 0.8
            index = [{"name": "bytes", "configuration": {"endian": "little"}}] + [{"name": "crc32c"}] * has_sum
            place = {"index_location": "start"} if first else rng.choice([{}, {"index_location": "end"}])
            codecs = [{"name": "sharding_indexed", "configuration": {"chunk_shape": inner, "codecs": codecs, "index_codecs": index, **place}}]
        dtype = np.dtype(kind)
        name = V3_TYPES["b1"] if kind == "b1" else V3_TYPES[kind[0]] + str(dtype.itemsize * 8)
        told = {float("inf"): "Infinity", -float("inf"): "-Infinity"}.get(fill, fill)
        if kind[0] == "f" and (fill != fill or rng.random() < 0.3):
            told = rng.choice(["NaN" if fill != fill else told, "0x" + np.array(fill, ">" + kind).tobytes().hex()])
        encoding = rng.choice(["default", "v2"])
        separator = rng.choice("./")
        encoded = {"name": encoding, "configuration": {"separator": separator}}
        if separator == {"default": "/", "v2": "."}[encoding]:
            encoded = rng.choice([encoded, {"name": encoding}, encoding])
        meta = {"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": name, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
                "chunk_key_encoding": encoded, "fill_value": bool(told) if kind == "b1" else told, "codecs": codecs, "attributes": {}}
        flat_name = flat(where, "v%d" % k)
        attributes(rng, meta["attributes"], wanted, (flat_name, ""))
        if rng.random() < 0.7:
            meta["dimension_names"] = wanted.dims[flat_name] = ["d%d_%d" % (i, n) for i, n in enumerate(shape)]
        elif rng.random() < 0.5:
            meta["dimension_names"] = rng.choice([None, [None] * len(shape)])
        meta.update(rng.choice([{}, {"storage_transformers": []}, {"extra": {"must_understand": False, "name": "x"}}]))
        if rng.random() < 0.3:
            meta["attributes"]["_FillValue"] = base64.b64encode(struct.pack("<d", -9.0)).decode() if kind[0] == "f" else 1
            wanted.fills[flat_name] = np.array([-9.0 if kind[0] == "f" else 1], kind)
        else:
            wanted.fills[flat_name] = None
        nodes[key] = meta
        filler = np.array(fill).astype(kind)
        for index, whole in chunks_of(values, chunk, filler):
            if (whole == filler).all() and rng.random() < 0.9:
                continue
            tail = separator.join(map(str, index))
            tail = ("c" + (separator + tail if shape else "")) if encoding == "default" else tail or "0"
            put(path, key + "/" + tail, shard_bytes(whole, inner, encode, filler, first, has_sum) if is_sharded else encode(whole))
        wanted.vars[flat_name] = values
    if rng.random() < 0.1:
        nodes[""]["consolidated_metadata"] = None
    elif rng.random() < 0.5:
        nodes[""]["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": {k: v for k, v in nodes.items() if k}}
    for key, meta in nodes.items():
        put(path, (key + "/" if key else "") + "zarr.json", meta)
    return path


# ---- NCZarr, by libnetcdf: in the machine's byte order alone, since 4.9.0 says "big" and does not swap

def write_nczarr(path, rng, wanted):
    shutil.rmtree(path, ignore_errors=True)
    d = netCDF4.Dataset("file://%s#mode=nczarr,file" % path, "w")
    for name, n in (("x", 5), ("y", 3), ("z", 4)):
        d.createDimension(name, n)
    d.title = "text"
    wanted.atts["", "title"] = "text"
    for k in range(rng.randint(1, 4)):
        kind = rng.choice([t for t in NUMBERS if t != "f2"] + ["S1"])
        where = rng.choice(["", "", "g"])
        g = d.createGroup(where) if where else d
        dims = tuple(rng.sample("xyz", rng.randint(0 if kind != "S1" else 1, 3)))
        fill = rng.choice([None, 5]) if kind != "S1" else None
        shape = tuple({"x": 5, "y": 3, "z": 4}[n] for n in dims)
        v = g.createVariable("v%d" % k, kind, dims, fill_value=fill, **({"chunksizes": [rng.randint(1, n) for n in shape]} if dims else {}))
        v.set_auto_maskandscale(False)
        values = values_of(rng, kind, shape)
        v[...] = values
        name = flat(where, "v%d" % k)
        if kind[0] == "i":
            v.valid_range = np.array([1, 2], kind)
            wanted.atts[name, "valid_range"] = np.array([1, 2], kind)
        wanted.vars[name], wanted.dims[name] = values, list(dims)
        wanted.fills[name] = None if fill is None else np.array([fill], kind)
    d.close()
    return path


# ---- references

def write_kerchunk(path, rng, wanted):
    """Of a store of version 2: chunks in two files, or in the references."""
    folder = path[:-5] + ".of"
    write_zarr2(folder, rng, wanted)
    keys = sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)
    files = [bytearray(b"first"), bytearray(b"second")]
    names = [path + ".0", path + ".1"]
    style = rng.randint(0, 2)  # version 0; 1; 1 with templates and absolute names
    refs = {}
    for key in keys:
        data = open(os.path.join(folder, key), "rb").read()
        if os.path.basename(key).startswith(".z"):
            refs[key] = data.decode() if rng.random() < 0.8 or style == 0 else json.loads(data)
        elif rng.random() < 0.3:
            is_plain = all(byte < 128 for byte in data) and not data.startswith(b"base64:")
            refs[key] = data.decode("ascii") if is_plain else "base64:" + base64.b64encode(data).decode()
        else:
            which = rng.randint(0, 1)
            name = {0: os.path.basename(names[which]), 1: os.path.basename(names[which]), 2: "{{u}}." + str(which)}[style]
            refs[key] = [name, len(files[which]), len(data)]
            files[which] += data + b"gap"[:rng.randint(0, 3)]
    for name, data in zip(names, files):
        with open(name, "wb") as f:
            f.write(data)
    whole = refs if style == 0 else {"version": 1, "templates": {"u": path}, "refs": refs} if style == 2 else {"version": 1, "refs": refs}
    with open(path, "w") as f:
        json.dump(whole, f)
    shutil.rmtree(folder)
    return path


# ---- what is not read is named

def write_unread(path, rng, wanted):
    g = zarr.open_group(path, "w")
    g.create_dataset("good", shape=(3,), dtype="i4", compressor=None)[:] = [1, 2, 3]
    wanted.vars["good"] = np.array([1, 2, 3], "i4")
    g.create_dataset("delta", shape=(3,), dtype="i4", filters=[numcodecs.Delta("i4")])[:] = 1
    g.create_dataset("times", shape=(3,), dtype="M8[s]")
    g.create_dataset("pairs", shape=(3,), dtype=[("a", "i4"), ("b", "f8")])
    wanted.vars["delta"], wanted.unread["delta"] = None, "delta"
    return path


def refused(programs):
    """References that are not followed, each with what the sentence says of it."""
    meta = {".zgroup": json.dumps({"zarr_format": 2}), "v/.zarray": json.dumps(dict(zarr_format=2, shape=[4], chunks=[4], dtype="|u1", compressor=None, filters=None,
                                                                                order="C", fill_value=0))}
    rows = [({"v/0": ["/etc/passwd", 0, 4]}, {}, "/etc/passwd"), ({"v/0": ["../x", 0, 4]}, {}, "../x"), ({"v/0": ["file:///etc/passwd", 0, 4]}, {}, "/etc/passwd"),
            ({"v/0": ["a/../../x", 0, 4]}, {}, "a/../../x"), ({"v/0": ["{{u}}", 0, 4]}, {"templates": {"u": "/etc/passwd"}}, "/etc/passwd"),
            ({"v/0": ["{{f(c=1)}}", 0, 4]}, {"templates": {"f": "{{c}}"}}, "template"), ({}, {"gen": [{"key": "a"}]}, "gen"), ({"v/0": ["x", -1, 4]}, {}, "v/0"),
            ({"v/0": 7}, {}, "v/0"), ({"v/.zattrs": ["x", 0, 4]}, {}, ".zattrs")]
    bad = []
    for n, (refs, more, said) in enumerate(rows):
        path = os.path.abspath("refused%d.json" % n)
        with open(path, "w") as f:
            json.dump({"version": 1, **more, "refs": {**meta, **refs}}, f)
        found.run([programs + "/read_all", path], quiet=True)
        error = found.Found(path).error
        if not error or said not in error[1]:
            bad.append("%s: %s, not a sentence with %s" % (path, error, said))
    return bad


V2 = {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<i4", "compressor": None, "filters": None, "order": "C", "fill_value": 0}
V3 = {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int32", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
      "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "attributes": {}}
LITTLE, SHARDS = V3["codecs"][0], {"name": "sharding_indexed", "configuration": {"chunk_shape": [2], "codecs": V3["codecs"], "index_codecs": V3["codecs"]}}


def codec2(name):
    return {**V2, "compressor": {"id": name}}, name


def codecs3(*names):
    return {**V3, "codecs": [n if isinstance(n, dict) else {"name": n} for n in names]}


def index_of(codecs, **more):
    return {**V3, "codecs": [{"name": "sharding_indexed", "configuration": {**SHARDS["configuration"], "index_codecs": codecs, **more}}]}


# An array, and what is said: "left out" by open, or else by a get
LEFT_OUT = [({**V2, "dtype": kind}, kind if isinstance(kind, str) else "several parts") for kind in ("<c8", "<c16", "<M8[s]", "<m8[ns]", "|O", "|V7", "<f16", "<i3", "=i4", [["a", "<i4"]])] + [
    ({**V2, "order": "K"}, "order"), ({**V2, "dimension_separator": "-"}, "separator"), ({**V2, "fill_value": "x"}, "fill_value"), ({**V2, "fill_value": 1.5}, "fill_value"),
    ({**V2, "fill_value": 2**31}, "fill_value"), ({**V2, "chunks": [0]}, "chunks"), ({**V2, "chunks": [4, 4]}, "chunks"), ({**V2, "shape": [-1]}, "shape")] + [
    ({**V3, "data_type": kind}, kind if isinstance(kind, str) else kind["name"]) for kind in (
        "complex64", "complex128", "string", "bytes", "r16", "int2", "int4", "uint4", "bfloat16", "float8_e4m3", {"name": "numpy.datetime64", "configuration": {"unit": "s"}},
        {"name": "struct", "configuration": {}}, {"name": "variable_length_utf8"})] + [
    ({**V3, "storage_transformers": [{"name": "chunk_manifest_json", "configuration": {}}]}, "chunk_manifest_json"), ({**V3, "more": {"name": "x"}}, "more"),
    ({**V3, "more": {"must_understand": True}}, "more"), ({**V3, "chunk_grid": {"name": "rectangular", "configuration": {}}}, "regular"),
    ({**V3, "chunk_key_encoding": {"name": "suffix"}}, "suffix"), ({**V3, "chunk_key_encoding": "other"}, "other"), ({**V3, "codecs": []}, "codec"), (codecs3("transpose"), "transpose"),
    ({**V3, "codecs": [{"name": "transpose", "configuration": {"order": [1]}}, LITTLE]}, "transpose"), ({**V3, "codecs": [{"name": "bytes", "configuration": {"endian": "middle"}}]}, "middle"),
    (index_of([{"name": "bytes", "configuration": {"endian": "big"}}]), "index"), (index_of([LITTLE, {"name": "gzip"}]), "index"), (index_of([LITTLE], index_location="middle"), "index"),
    (index_of([LITTLE], chunk_shape=[3]), "multiple"), ({**V3, "fill_value": "0x00"}, "fill_value"), ({**V3, "fill_value": [1, 2]}, "fill_value")]
UNREAD = [codec2(name) for name in ("lzma", "delta", "fixedscaleoffset", "blosc2", "jpeg2k", "pcodec", "zfpy", "categorize", "packbits", "imagecodecs_lerc")] + [
    ({**V2, "filters": [{"id": "astype", "encode_dtype": "<f4", "decode_dtype": "<i4"}]}, "astype"), (codecs3("packbits"), "packbits"), (codecs3(LITTLE, "lz4hc"), "lz4hc"),
    (codecs3("numcodecs.delta", LITTLE), "delta"), (codecs3("numcodecs.quantize2", LITTLE), "quantize2"), (codecs3("vlen-utf8"), "vlen-utf8"), (codecs3("cast_value", LITTLE), "cast_value"),
    ({**V3, "codecs": [{"name": "sharding_indexed", "configuration": {**SHARDS["configuration"], "codecs": [SHARDS]}}]}, "sharding_indexed"), (codecs3(SHARDS, "gzip"), "sharding_indexed"),
    (codecs3("zfp"), "zfp"), (codecs3(LITTLE, {"name": "numcodecs.crc32", "configuration": {"location": "end"}}), "crc32")]


def not_read(programs):
    """What has no place here, or a codec that nobody undoes, in a store with an array that is read."""
    bad = []
    for n, (meta, said) in enumerate(LEFT_OUT + UNREAD):
        path, is_v3 = os.path.abspath("notread%d.zarr" % n), meta["zarr_format"] == 3
        shutil.rmtree(path, ignore_errors=True)
        name = "zarr.json" if is_v3 else ".zarray"
        put(path, "zarr.json" if is_v3 else ".zgroup", {"zarr_format": 3, "node_type": "group"} if is_v3 else {"zarr_format": 2})
        for array, document in (("good", V3 if is_v3 else V2), ("odd", meta)):
            put(path, array + "/" + name, document)
            index = struct.pack("<4Q", 0, 8, 8, 8) if "sharding_indexed" in str(document) else b""
            put(path, array + ("/c/0" if is_v3 else "/0"), np.arange(4, dtype="<i4").tobytes() + index)
        bad += found.run([programs + "/read_all", path], quiet=True)
        got = found.Found(path)
        odd = got.vars.get("odd")
        good = "odd" in got.warning and said in got.warning and odd is None if n < len(LEFT_OUT) else (
            isinstance(odd, found.Refused) and odd.code == -128 and said in odd.sentence and "odd" in odd.sentence)
        if got.error or not good or not found.same(np.arange(4, dtype="i4"), got.vars.get("good")):
            bad.append("%s (%s): %s, warning %s, odd is %s" % (path, said, got.error, got.warning, found.describe(odd)))
    return bad


def scalars(programs):
    """As NCZarr writes them: a dimension that is none. In version 3, of libnetcdf's main branch, written here."""
    unit = {**V2, "shape": [1], "chunks": [1]}
    three = {**V3, "shape": [1], "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}}}
    group = {"zarr_format": 2, "_NCZARR_GROUP": {"dims": {"x": 1, "_scalar_": 1}, "vars": ["v"], "groups": []}}
    rows = [({**unit, "_NCZARR_ARRAY": {"dimrefs": ["/_scalar_"], "storage": "chunked"}}, {}, group), ({**unit, "_NCZARR_ARRAY": {"dimrefs": [], "storage": "scalar"}}, {}, group),
            (unit, {"_ARRAY_DIMENSIONS": []}, {"zarr_format": 2}), (unit, {"_ARRAY_DIMENSIONS": ["_scalar_"]}, {"zarr_format": 2}), ({**V2, "shape": [], "chunks": []}, {}, group),
            ({**three, "dimension_names": ["_scalar_"]}, {}, None), ({**three, "dimension_names": ["_scalar_"], "chunk_key_encoding": {"name": "v2"}}, {}, None)]
    bad = []
    for n, (meta, atts, top) in enumerate(rows + [({**unit, "_NCZARR_ARRAY": {"dimrefs": ["/x"], "storage": "chunked"}}, {"_ARRAY_DIMENSIONS": ["x"]}, group)]):
        path = os.path.abspath("scalar%d.zarr" % n)
        shutil.rmtree(path, ignore_errors=True)
        put(path, "zarr.json" if top is None else ".zgroup", top or {"zarr_format": 3, "node_type": "group"})
        put(path, "v/zarr.json" if top is None else "v/.zarray", meta)
        put(path, "v/c/0" if meta.get("chunk_key_encoding") == {"name": "default"} else "v/0", np.array([7], "<i4").tobytes())
        put(path, "v/.zattrs", atts)
        bad += found.run([programs + "/read_all", path], quiet=True)
        got = found.Found(path)
        want = np.array([7] if n == len(rows) else 7, "i4")
        if not found.same(want, got.vars["v"]) or "_scalar_" in got.all_dims:
            bad.append("%s: %s, dimensions %s" % (path, found.describe(got.vars["v"]), got.all_dims))
    return bad


def spoiled(programs):
    """Stores of which something cannot be read, or is not what it should be: an error that tells the cause, and no fill values."""
    few, many, bad, rows = 4, 1 << 19, [], []
    for n in (few, many):  # small plain chunks are read whole, large ones in parts
        kind = "<i4" if n == few else ">i4"
        data, chunk, size = np.arange(n, dtype=kind).tobytes(), "v/0", 4 * n

        def row(name, said, change, zipped=False, n=n, data=data, kind=kind):
            path = os.path.abspath("spoiled%d%s.%s" % (n, name, "zip" if zipped else "zarr"))
            folder = path + ".of" if zipped else path
            shutil.rmtree(folder, ignore_errors=True)
            put(folder, ".zgroup", {"zarr_format": 2})
            put(folder, "v/.zarray", {**V2, "shape": [n], "chunks": [n], "dtype": kind})
            put(folder, chunk, data)
            if not zipped:
                change(folder)
            else:
                with zipfile.ZipFile(path, "w") as archive:
                    for at, _, names in os.walk(folder):
                        for each in names:
                            archive.write(os.path.join(at, each), os.path.relpath(os.path.join(at, each), folder))
                with open(path, "rb") as f:
                    whole = bytearray(f.read())
                change(whole)
                with open(path, "wb") as f:
                    f.write(whole)
            rows.append((path, said))

        def instead(make):
            def change(folder):
                os.unlink(os.path.join(folder, chunk))
                make(os.path.join(folder, chunk))
            return change

        def flip(at):
            return lambda whole: whole.__setitem__(whole.find(data) + at, whole[whole.find(data) + at] ^ 1)
        row("long", "has %d bytes, not %d" % (size + 1, size), lambda folder: put(folder, chunk, data + b"x"))
        row("longer", str(3 * size), lambda folder: put(folder, chunk, data * 3))
        row("short", "%d" % size, lambda folder: put(folder, chunk, data[:-1]))
        row("link", "is a link to what is not there", instead(lambda path: os.symlink("nowhere", path)))
        row("folder", "not a regular file", instead(os.mkdir))
        row("pipe", "not a regular file", instead(os.mkfifo))
        row("first", "another checksum", flip(0), zipped=True)
        row("last", "another checksum", flip(size - 1), zipped=True)
        if n == few:
            def large(folder):  # nothing but holes
                put(folder, "v/.zattrs", b"")
                os.truncate(os.path.join(folder, "v/.zattrs"), (256 << 20) + 1)
            row("atts", "v/.zattrs has 268435457 bytes, more than", large)
            row("array", "is a link to what is not there", lambda folder: os.symlink("nowhere", os.path.join(folder, "w")))
            row("count", "tells 1", lambda whole: whole.__setitem__(slice(-12, -10), b"\1\0"), zipped=True)
    for path, said in rows:
        bad += found.run([programs + "/read_all", path], quiet=True)
        got = found.Found(path)
        v = got.vars.get("v")
        why = got.error[1] if got.error else v.sentence if isinstance(v, found.Refused) else "values"
        if said not in why:
            bad.append("%s: %s, not a sentence with %s" % (path, why, said))
    return bad


# ---- comparing

def same_att(want, got):
    if got is None:
        return False
    return got.tobytes().rstrip(b"\0") == want.encode() and got.dtype.kind == "S" if isinstance(want, str) else found.same(want, got)


def compare(path, wanted, total):
    got, bad = found.Found(path), total.bad
    if got.error:
        bad.append("%s is not opened: %s" % (path, got.error))
        return
    for name, want in wanted.vars.items():
        total.variable(path, name, want if want is None else as_classic(want), got.vars.get(name), wanted.unread.get(name))
        if name in wanted.fills:
            fill, has = wanted.fills[name], got.atts.get((name, "_FillValue"))
            if (fill is None) != (has is None) or (fill is not None and not found.same(as_classic(fill), has)):
                bad.append("%s: %s has the fill value %s, not %s" % (path, name, has, fill))
        named = [d.split(".")[-1] for d in got.dims.get(name, [])][:len(wanted.dims.get(name, []))]
        if name in wanted.dims and named != wanted.dims[name]:
            bad.append("%s: %s has the dimensions %s, not %s" % (path, name, named, wanted.dims[name]))
    for (var, name), want in wanted.atts.items():
        if not same_att(want, got.atts.get((var, name))):
            bad.append("%s: attribute %s:%s is %r, not %r" % (path, var, name, got.atts.get((var, name)), want))
    for name in set(got.vars) - set(wanted.vars):
        bad.append("%s: a variable %s that is not there" % (path, name))


WRITERS = (write_zarr2, write_zarr2, write_zarr3, write_zarr3, write_kerchunk, write_zip, write_zarr3, write_nczarr)
ENDINGS = {write_kerchunk: "json", write_zip: "zip"}


def make(nstores, seed):
    wanted = {}
    for k in range(nstores):
        rng = random.Random("%s %d" % (seed, k))
        write = WRITERS[k % len(WRITERS)] if k else write_unread
        path = os.path.abspath("store%d.%s" % (k, ENDINGS.get(write, "zarr")))
        wanted[path] = Wanted()
        write(path, rng, wanted[path])
    return wanted


def main(programs, mpiexec, ranks, nstores="320", seed=os.environ.get("PARCDF_SEED", "17")):
    warnings.simplefilter("ignore")
    wanted, total = make(int(nstores), seed), found.Sum()
    found.read_files(programs, mpiexec, ranks, list(wanted), total, lambda path: compare(path, wanted[path], total))
    total.bad += refused(programs) + not_read(programs) + scalars(programs) + spoiled(programs)
    return total.tell("zarr")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
