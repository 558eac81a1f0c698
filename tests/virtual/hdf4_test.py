#!/usr/bin/env python3
"""Scientific data sets of HDF4 files through the library, compared with what pyhdf reads: types, chunks, deflate, linked blocks,
unlimited dimensions, fill values, attributes. Then the first files are damaged.

    hdf4_test.py FOLDER_OF_PROGRAMS [FILES [MUTATIONS [SEED]]]      leaves the files in the working folder
"""
import os
import random
import sys

try:
    import numpy as np
    from pyhdf.SD import SD, SDC

    import hdf5_test
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

TYPES = {"i1": SDC.INT8, "u1": SDC.UINT8, "i2": SDC.INT16, "u2": SDC.UINT16, "i4": SDC.INT32, "u4": SDC.UINT32,
         "f4": SDC.FLOAT32, "f8": SDC.FLOAT64}
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
            s.setfillvalue(hdf5_test.numbers(rng, kind, (1,))[0].item())
        if not grows and rng.random() < 0.5:
            s.setcompress(SDC.COMP_DEFLATE, rng.randint(1, 9))
        if rng.random() < 0.9 or grows:
            s[tuple(slice(0, n) for n in shape)] = hdf5_test.numbers(rng, kind, shape)
        s.endaccess()
    sd.end()


def of_pyhdf(path):
    """A set that has fewer records than another one is fill behind them."""
    found, atts, longest, records = {}, {}, 0, []
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
        found[name] = values
        if s.dim(0).info()[1] == 0:
            longest = max(longest, shape[0])
            records.append((name, np.array(fill, kind) if fill is not None else None))
        for a, value in s.attributes().items():
            if a != "_FillValue":
                atts[name, a] = value
    for name, fill in records:
        values = found[name]
        rest = np.full((longest - values.shape[0], *values.shape[1:]),
                       fill if fill is not None else default_fill(values.dtype), values.dtype)
        found[name] = np.concatenate([values, rest])
    sd.end()
    if "same" in found:
        found["little"] = found["same"]
    return found, atts


def default_fill(kind):
    return {"i1": -127, "u1": 129, "i2": -32767, "u2": 32769, "i4": -2147483647, "u4": 2147483649}.get(
        kind.str[1:], 9.9692099683868690e+36)


def compare(path, ending):
    want, atts = of_pyhdf(path)
    got, got_atts, others = hdf5_test.of_library(path + ending)
    if others and others[0][0] == "E":
        return [f"{path}: not opened: {others[0]}"]
    bad = []
    for name, values in want.items():
        if name not in got or not hdf5_test.same(values, got[name]):
            g = got.get(name)
            bad.append(f"{path}: {name} is {g if g is None or isinstance(g, str) else (g.dtype, g.shape)}, not "
                       f"{values.dtype, values.shape}")
    bad += [f"{path}: attribute {key} is {got_atts.get(key)}, not {value!r}" for key, value in atts.items()
            if key not in got_atts or not (got_atts[key].tobytes() == value.encode() if isinstance(value, str)
                                           else np.array_equal(np.atleast_1d(value), got_atts[key]))]
    return bad


def main(programs, nfiles="60", mutations="200", seed=os.environ.get("PARCDF_SEED", "17")):
    paths = []
    for k in range(int(nfiles)):
        paths.append(os.path.abspath(f"file{k}.hdf"))
        if k % 2:
            write(paths[-1], random.Random(f"{seed} {k}"))
        elif hdf5_test.run([programs + "/hdf4_write", paths[-1], str(int(seed) * 1000 + k)]):
            return 1
    bad = hdf5_test.run([programs + "/image_file", *paths])
    bad += hdf5_test.run([programs + "/read_all", *(path + ".cdf" for path in paths)])
    bad += [line for path in paths for line in compare(path, ".cdf")]
    bad += hdf5_test.run([programs + "/read_all", *paths])
    bad += [line for path in paths for line in compare(path, "")]
    bad += hdf5_test.run([programs + "/map_mutate", "hdf4", mutations, *paths[:8]])
    print("\n".join(bad[:40]))
    print(f"{len(paths)} files, {len(bad)} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
