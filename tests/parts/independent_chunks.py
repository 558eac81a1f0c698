#!/usr/bin/env python3
"""Runs independent_chunks and has libnetcdf read the files that it leaves, beside the model of their values.

    independent_chunks.py PROGRAM MPIEXEC RANKS[,RANKS...] SEEDS"""
import glob
import os
import shlex
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import runner

try:
    import netCDF4
    import numpy as np
except ImportError:
    sys.exit(77)

Y, X, RECORDS = 48, 120, 4
SHAPES = {"plane": (Y, X), "field": (RECORDS, Y, X), "small": (RECORDS, Y, X), "line": (X,), "text": (Y, X)}


def check(path):
    raw, at, most = np.fromfile(path + ".raw", dtype="u1"), 0, RECORDS * Y * X
    with netCDF4.Dataset(path) as f:
        f.set_auto_mask(False)
        for name, shape in SHAPES.items():
            right = raw[at:at + 8 * most].view("f8")
            known = raw[at + 8 * most:at + 9 * most] != 0
            at += 9 * most
            got = np.asarray(f[name][...])
            if name == "text":
                got = got.view("u1").reshape(shape)
            if got.ndim == 3:
                need = 1 + np.flatnonzero(known).max(initial=-1) // (Y * X)
                if got.shape[0] < need:
                    sys.exit(f"{path}: {name} has {got.shape[0]} records, not {need}")
            n = got.size
            bad = np.flatnonzero(known[:n] & (got.reshape(-1).astype("f8") != right[:n]))
            if bad.size or known[n:].any():
                sys.exit(f"{path}: {name}: {bad.size} values differ, the first at {bad[:1]}: {got.reshape(-1)[bad[:1]]}, not {right[bad[:1]]}")


program, mpiexec, ranks, seeds = sys.argv[1:5]
first, files = runner.seed() % 100000, 0
for n in ranks.split(","):
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        runner.need(*shlex.split(mpiexec), "-n", n, program, folder, seeds, first, "keep")
        for path in glob.glob(folder + "/*.nc"):
            check(path)
            files += 1
if files != int(seeds) * len(ranks.split(",")):
    sys.exit(f"{files} files were left")
print(f"{files} files: all values are what was put")
