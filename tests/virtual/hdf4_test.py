#!/usr/bin/env python3
"""Scientific data sets of HDF4 files through the library, compared with what pyhdf reads: types, chunks, deflate, linked blocks,
unlimited dimensions, fill values, attributes. Other codecs than deflate are refused by a sentence.

    hdf4_test.py FOLDER_OF_PROGRAMS MPIEXEC RANKS[,RANKS...] [FILES [SEED]]      leaves the files in the working folder
"""
import os
import random
import sys

try:
    import numpy as np
    from pyhdf.SD import SD, SDC

    import found
    from hdf5_test import numbers
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

TYPES = {"i1": SDC.INT8, "u1": SDC.UINT8, "i2": SDC.INT16, "u2": SDC.UINT16, "i4": SDC.INT32, "u4": SDC.UINT32,
         "f4": SDC.FLOAT32, "f8": SDC.FLOAT64}
UNREAD = {"coded0": "RLE", "coded1": "NBIT", "coded2": "SKPHUFF", "coded3": "RLE", "coded4": "SKPHUFF"}  # of hdf4_write.c
NAMES = {code: kind for kind, code in TYPES.items()}


def write(path, rng):
    sd = SD(path, SDC.WRITE | SDC.CREATE | SDC.TRUNC)
    sd.title = "some text"
    sd.numbers = [1, 2, 3]
    for i in range(rng.randint(2, 6)):
        kind = rng.choice(sorted(TYPES))
        shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 4))]
        grows = rng.random() < 0.3
        s = sd.create("v%d" % i, TYPES[kind], [SDC.UNLIMITED if grows else shape[0], *shape[1:]])
        if grows:
            s.dim(0).setname("time")
        s.units = "m"
        if rng.random() < 0.5:
            s.setfillvalue(numbers(rng, kind, (1,))[0].item())
        if not grows and rng.random() < 0.5:
            s.setcompress(SDC.COMP_DEFLATE, rng.randint(1, 9))
        if rng.random() < 0.9 or grows:
            s[tuple(slice(0, n) for n in shape)] = numbers(rng, kind, shape)
        s.endaccess()
    sd.end()


def of_pyhdf(path):
    """A set that has fewer records than another one is fill behind them."""
    values_of, atts, longest, records = {}, {}, 0, []
    sd = SD(path)
    for name, value in sd.attributes().items():
        atts["", name] = value
    for name, (dims, shape, code, _) in sd.datasets().items():
        if name == "little":
            continue
        s = sd.select(name)
        kind = NAMES[code & ~(0x4000 | 0x1000)]
        fill = s.attributes().get("_FillValue")
        # pyhdf gives some fill values of unsigned types as negative numbers, and all without one as it likes
        values = np.array(s.get() if min(shape) else np.zeros(shape), kind).reshape(shape)
        values_of[name] = values
        if s.dim(0).info()[1] == 0:
            longest = max(longest, shape[0])
            records.append((name, np.array(fill, kind) if fill is not None else None))
        for a, value in s.attributes().items():
            if a != "_FillValue":
                atts[name, a] = value
    for name, fill in records:
        values = values_of[name]
        rest = np.full((longest - values.shape[0], *values.shape[1:]),
                       fill if fill is not None else default_fill(values.dtype), values.dtype)
        values_of[name] = np.concatenate([values, rest])
    sd.end()
    if "same" in values_of:
        values_of["little"] = values_of["same"]
    return values_of, atts


def default_fill(kind):
    return {"i1": -127, "u1": 129, "i2": -32767, "u2": 32769, "i4": -2147483647, "u4": 2147483649}.get(
        kind.str[1:], 9.9692099683868690e+36)


def compare(path, total, ending=""):
    want, atts = of_pyhdf(path)
    got, bad = found.Found(path + ending), total.bad
    if got.error:
        bad.append(f"{path}: not opened: {got.error}")
        return
    for name, values in want.items():
        total.variable(path, name, values, got.vars.get(name), UNREAD.get(name))
    bad += [f"{path}: attribute {key} is {got.atts.get(key)}, not {value!r}" for key, value in atts.items()
            if key not in got.atts or not (got.atts[key].tobytes() == value.encode() if isinstance(value, str)
                                           else np.array_equal(np.atleast_1d(value), got.atts[key]))]
    bad += [f"{path}: a variable {name} that is not there" for name in set(got.vars) - set(want)]


def make(programs, nfiles, seed):
    paths = []
    for k in range(nfiles):
        paths.append(os.path.abspath(f"file{k}.hdf"))
        if k % 2:
            write(paths[-1], random.Random(f"{seed} {k}"))
        elif found.run([programs + "/hdf4_write", paths[-1], str(int(seed) * 1000 + k), str(int(k % 8 == 6))], quiet=True):
            raise SystemExit("hdf4_write failed")
    return paths


def elsewhere(programs):
    """Attributes that lie in another file: libhdf4 would open it, whatever it is."""
    path, other = os.path.abspath("elsewhere.hdf"), os.path.abspath("secret")
    found.run([programs + "/hdf4_write", path, "elsewhere", other], quiet=True)
    with open(other, "rb") as f:
        if f.read() != b"SECRET":
            raise SystemExit("hdf4_write elsewhere failed")
    found.run([programs + "/read_all", path], quiet=True)
    with open(path + ".values", "rb") as f:
        return ["an attribute is read from another file"] if b"SECRET" in f.read() or not found.Found(path).error else []


def main(programs, mpiexec, ranks, nfiles="60", seed=os.environ.get("PARCDF_SEED", "17")):
    paths, total = make(programs, int(nfiles), seed), found.Sum()
    readable = [path for k, path in enumerate(paths) if k % 8 != 6]
    total.bad += found.run([programs + "/image_file", *readable]) + found.run([programs + "/read_all", *(p + ".cdf" for p in readable)])
    for path in readable:
        compare(path, total, ".cdf")
    found.read_files(programs, mpiexec, ranks, paths, total, lambda path: compare(path, total))
    total.bad += elsewhere(programs)
    return total.tell("hdf4")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
