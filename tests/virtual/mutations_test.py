#!/usr/bin/env python3
"""Damaged files of all formats through the library (mutate.c), in shares of 60 percent Zarr stores and references, 20 zip archives, 12 HDF5
and netCDF-4, 8 HDF4: no crash, no hang, bounded memory, an error has a sentence.

    mutations_test.py PROGRAMS MUTATIONS [SEED]      leaves the files in the working folder
"""
import os, random, subprocess, sys, warnings
try:
    import hdf4_test, hdf5_test, zarrstores_test
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

METADATA = {".zarray", ".zgroup", ".zattrs", ".zmetadata", "zarr.json"}


def parts_of_store(path, rng):
    """Of a folder: what is read of it, metadata more often; of references: also the files that they name."""
    if os.path.isfile(path):
        return [path] * 3 + [path + end for end in (".0", ".1") if os.path.exists(path + end)]
    files = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]
    metadata = [name for name in files if os.path.basename(name) in METADATA]
    whole = [name for name in metadata if os.path.basename(name) == ".zmetadata" or b"consolidated" in open(name, "rb").read()]
    chunks = [name for name in files if name not in metadata]
    return (whole or metadata) * 2 + rng.sample(chunks, min(4, len(chunks)))


def seeds(programs, seed):
    """By kind: (what is opened, what is changed). Not the largest: one takes as long as ten others."""
    rng, n = random.Random(seed), 400
    stores = zarrstores_test.make(n, seed)
    zips = [path for path in stores if path.endswith(".zip")]
    kinds = {"zarr": [(path, part) for path in stores if path not in zips for part in parts_of_store(path, rng)], "zip": [(path, path) for path in zips],
             "hdf5": [(path, path) for path in hdf5_test.make(40, seed)]}
    if os.path.exists(programs + "/hdf4_write"):
        kinds["hdf4"] = [(path, path) for path in hdf4_test.make(programs, 24, seed)]
    return {kind: [pair for pair in pairs if 0 < os.path.getsize(pair[1]) < 1 << 20] for kind, pairs in kinds.items()}


def main(programs, runs, seed=os.environ.get("PARCDF_SEED", "17")):
    warnings.simplefilter("ignore")
    bad = 0
    for kind, pairs in seeds(programs, seed).items():
        with open(kind + ".list", "w") as f:
            f.write("".join("%s\t%s\n" % pair for pair in pairs))
        share = int(runs) * {"zarr": 60, "zip": 20, "hdf5": 12, "hdf4": 8}[kind] // 100
        done = subprocess.run([programs + "/mutate", str(share), seed, kind + ".list"], capture_output=True, text=True)
        print("%s: %s%s" % (kind, done.stdout.strip(), done.stderr[-2000:]), "" if done.returncode == 0 else "ended with %d" % done.returncode, flush=True)
        bad += done.returncode != 0
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
