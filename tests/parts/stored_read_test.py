#!/usr/bin/env python3
"""What parcdf_inq_var_chunking and its kin say of a file that netCDF4-python wrote: as netCDF4 says of it. And of files that parcdf wrote,
what netCDF4 says, and their values.

    stored_read_test.py PROGRAM MPIEXEC        PROGRAM: stored_functions"""
import shlex
import subprocess
import sys

try:
    import netCDF4
    import numpy as np
except ImportError:
    print("skipped: no netCDF4")
    sys.exit(77)


def make(path):
    with netCDF4.Dataset(path, "w") as d:
        d.createDimension("t", None)
        d.createDimension("y", 300)
        d.createDimension("x", 4000)
        d.createVariable("scalar", "i4")
        d.createVariable("run", "f8", ("y", "x"))[:] = 1  # 9 MB: parcdf reads it in parts
        d.createVariable("untouched", "f8", ("y", "x"), contiguous=True)
        d.createVariable("plain", "f4", ("t", "y"))
        d.createVariable("chunks", "f4", ("y", "x"), chunksizes=(300, 4000))[:] = 2
        d.createVariable("deflated", "i2", ("t", "y", "x"), zlib=True, complevel=4, chunksizes=(2, 100, 50))[0] = 3
        d.createVariable("summed", "i8", ("y", "x"), fletcher32=True, shuffle=True, zlib=True, complevel=9)
        d.createVariable("pixels", "i4", ("y", "x"), compression="szip", szip_coding="ec", szip_pixels_per_block=16)[:] = 4


def expected(path):
    lines = []
    with netCDF4.Dataset(path) as d:
        for name, v in d.variables.items():
            chunks, f = v.chunking(), v.filters() or {}
            szip = f.get("szip") or {}
            where = "contiguous" if chunks == "contiguous" else " ".join(["chunked", *map(str, chunks)])
            options = {"ec": 4, "nn": 32}[szip["coding"]] if szip else 0
            lines.append(f"{name} {where} | shuffle {int(f.get('shuffle', 0))} deflate {int(f.get('zlib', 0))} "
                         f"{f.get('complevel', 0) if f.get('zlib') else 0} zstd {'1 5' if name == 'zstd' else '0 0'} szip {options} {szip.get('pixels_per_block', 0)} "
                         f"fletcher32 {int(f.get('fletcher32', 0))}")
    return lines


def compare(got, path, where):
    lines, want = [line for line in got.stdout.splitlines() if "|" in line], expected(path)
    for a, b in zip(lines + ["nothing"] * len(want), want):
        if a != b:
            print(f"{where}: it says\n    {a}\nwhere netCDF4 says\n    {b}")
    print(got.stderr)
    return lines == want and got.returncode == 0


def has_values(path):
    good = True
    with netCDF4.Dataset(path) as d:
        for number, (name, v) in enumerate(d.variables.items()):
            try:
                got = np.asarray(v[...]).ravel()
            except RuntimeError:  # no zstd in libhdf5
                continue
            if not (got == (np.arange(got.size) + number) % 100).all() or (v.ndim == 3 and v.shape[0] != 3):
                print(f"{path}: {name} is {got[:20]}...")
                good = False
    return good


def main(program, mpiexec):
    make("stored.nc")
    good = compare(subprocess.run([program, "read", "stored.nc"], capture_output=True, text=True), "stored.nc", "netCDF4's file")
    for ranks in "1", "2":
        words = [*shlex.split(mpiexec), "-n", ranks, program]
        good &= compare(subprocess.run([*words, "write", "made.nc"], capture_output=True, text=True), "made.nc", f"a file of {ranks} ranks")
        good &= compare(subprocess.run([*words, "read", "made.nc"], capture_output=True, text=True), "made.nc", f"it, read by {ranks} ranks")
        good &= has_values("made.nc")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
