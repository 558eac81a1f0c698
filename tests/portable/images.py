#!/usr/bin/env python3
"""Files of other formats, read by image_file on this processor and on another one: the same bytes. Zarr stores and references are
mapped on both; of HDF5, the other one has the image that this one made.

    images.py QEMU IMAGE_FILE PROGRAMS      PROGRAMS: of this processor
"""
import filecmp, os, random, subprocess, sys, warnings
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "virtual"))
try:
    import h5py, numpy as np
    import zarrstores_test
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(0)

KINDS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]


def write_hdf5(path, rng):
    with h5py.File(path, "w") as f:
        for k, kind in enumerate(KINDS):
            shape = tuple(rng.randint(1, 9) for _ in range(rng.randint(0, 3)))
            options = {"chunks": tuple(rng.randint(1, n) for n in shape), "shuffle": rng.random() < 0.5, "fletcher32": rng.random() < 0.5} if shape else {}
            values = np.array([rng.gauss(0, 30) for _ in range(int(np.prod(shape)))]).reshape(shape).astype("i8").astype(rng.choice("<>") + kind)
            d = f.create_dataset("v%d" % k, data=values, fillvalue=3, **(options if rng.random() < 0.7 else {}))
            d.attrs["of"] = values.ravel()[:1]
            f.create_dataset("fill%d" % k, shape=(4,), dtype=values.dtype, fillvalue=values.ravel()[0], chunks=(2,))
        f["texts"] = np.array([b"abc", b"d"])
    return path


def show(command, what):
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    if done.returncode:
        print("%s: %d: %s" % (what, done.returncode, done.stderr[-2000:]))
    return done.returncode != 0


def main(qemu, other, programs):
    warnings.simplefilter("ignore")
    os.environ.setdefault("PARCDF_PLUGINS", os.path.join(programs, "..", "..", "plugins"))
    zarrstores_test.PLAIN = True
    stores, bad = list(zarrstores_test.make(200, "17"))[1:], 0  # the first one has codecs that nobody reads
    hdf5 = [write_hdf5(os.path.abspath("file%d.h5" % k), random.Random(k)) for k in range(10)]
    bad += show([programs + "/image_file", *stores], "zarr here")
    has_hdf5 = os.path.exists(os.environ["PARCDF_PLUGINS"] + "/libparcdf-hdf5.so")
    hdf5 = hdf5 if has_hdf5 else []
    bad += show([programs + "/image_file", "keep", *hdf5], "hdf5 here")
    for path in stores + hdf5:
        os.rename(path + ".cdf", path + ".want")
    bad += show([qemu, other, *stores], "zarr there") + show([qemu, other, "from", *hdf5], "hdf5 there")
    differ = [path for path in stores + hdf5 if not os.path.exists(path + ".cdf") or not filecmp.cmp(path + ".cdf", path + ".want", False)]
    print("%d stores and %d HDF5 files, %d differ: %s" % (len(stores), len(hdf5), len(differ), " ".join(differ[:10])))
    return bad or bool(differ)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
