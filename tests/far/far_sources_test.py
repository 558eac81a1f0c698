#!/usr/bin/env python3
"""Every kind of file and store through a server: how many requests open it, on 1, 2 and 4 ranks together; values are those that are
read here; and how long the whole of it takes, against curl's download of a file of as many bytes, on a line of 100 MB/s where each
request takes 50 ms (what is compressed is decoded besides: no limit). Prints a table.

    far_sources_test.py FAR_OPEN PARCDF MPIEXEC [MB [TIMES]]         MB of each large file; 0: no times; TIMES: the best of so many
"""
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path
try:
    import netCDF4
    import numpy as np
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)
sys.path.insert(0, str(Path(__file__).parent))
from rangeserver import asked, serve

OPEN, PARCDF, MPIEXEC = sys.argv[1:4]
MB, TIMES = (int(a) for a in (sys.argv[4:] + ["0", "0"])[:2])
bad = []


def check(ok, text):
    if not ok:
        bad.append(text)
        print(text, file=sys.stderr)


def run(*words, ranks=0):
    launch = [MPIEXEC, "-n", str(ranks)] if ranks else []
    try:
        done = subprocess.run([*launch, *words], capture_output=True, text=True, errors="replace", timeout=300)
    except subprocess.TimeoutExpired:
        check(False, f"{words} on {ranks} hangs")
        return ""
    check(done.returncode == 0, f"{words} on {ranks}: status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout + done.stderr


def netcdf(name, kind, rows, **how):
    d = netCDF4.Dataset("www/" + name, "w", format=kind)
    d.createDimension("row", rows)
    d.createDimension("column", 1 << 18)
    d.title = "a far file"
    v = d.createVariable("t", "f4", ("row", "column"), **how)
    v.units = "K"
    for i in range(rows):
        v[i] = np.random.default_rng(i).integers(0, 1 << 24, 1 << 18).astype("f4")
    d.createVariable("n", "i4", ("row",))[:] = np.arange(rows)
    d.close()


def archive(name, folder, method):
    with zipfile.ZipFile("www/" + name, "w", method) as z:
        for path in sorted(Path("www", folder).rglob("*")):
            if path.is_file():
                z.write(path, path.relative_to("www/" + folder))


def make(rows):
    """(what it is, its name below www, requests that may open it)"""
    chunks = ["--chunks", "row/1,column/262144"]
    for name, kind, how in (("cdf1.nc", "NETCDF3_CLASSIC", {}), ("cdf2.nc", "NETCDF3_64BIT_OFFSET", {}), ("cdf5.nc", "NETCDF3_64BIT_DATA", {}),
                            ("contiguous.nc4", "NETCDF4", {}), ("chunked.nc4", "NETCDF4", {"chunksizes": (1, 1 << 18)}),
                            ("deflated.nc4", "NETCDF4", {"chunksizes": (1, 1 << 18), "zlib": True, "complevel": 1})):
        netcdf(name, kind, rows, **how)
    for name, *how in (("two.zarr", "-k", "zarr", *chunks), ("three.zarr", "-k", "zarr3", *chunks, "--shards", "0"), ("nc.zarr", "-k", "nczarr", *chunks),
                       ("sharded.zarr", "-k", "zarr3", *chunks, "--shards", "row/8,column/262144")):
        shutil.rmtree("www/" + name, ignore_errors=True)
        run(PARCDF, "copy", *how, "www/cdf5.nc", "www/" + name)
    archive("two.zarr.zip", "two.zarr", zipfile.ZIP_STORED)
    archive("sharded.zarr.zip", "sharded.zarr", zipfile.ZIP_STORED)
    run(PARCDF, "refs", "-O", "-c", "1", "-u", "cdf5.nc", "-o", "www/refs.json", "www/cdf5.nc")
    return [("CDF-1", "cdf1.nc", 1), ("CDF-2", "cdf2.nc", 1), ("CDF-5", "cdf5.nc", 1), ("netCDF-4, contiguous", "contiguous.nc4", 2),
            ("netCDF-4, chunked", "chunked.nc4", 1), ("netCDF-4, deflated", "deflated.nc4", 1), ("Zarr 2", "two.zarr", 1), ("Zarr 3", "three.zarr", 2),
            ("Zarr 3, shards", "sharded.zarr", 2), ("NCZarr", "nc.zarr", 1), ("Zarr 2, zip", "two.zarr.zip", 2), ("Zarr 3, shards, zip", "sharded.zarr.zip", 2),
            ("kerchunk", "refs.json", 1)]


def requests(url, name, what, ranks):
    before = int(asked(url))
    text = run(OPEN, f"{url}/{name}", "www/" + name, what, ranks=ranks)
    check("failed 0" in text, f"{name}, {what}, on {ranks} ranks: {text[-1500:]}")
    return int(asked(url)) - before


def size_of(name):
    path = Path("www", name)
    return sum(p.stat().st_size for p in path.rglob("*") if p.is_file()) if path.is_dir() else path.stat().st_size


def seconds(words, found=None):
    """The best of TIMES."""
    best = 1e9
    for _ in range(TIMES):
        began = time.monotonic()
        text = run(*words, ranks=1 if found else 0)
        took = re.search(found, text) if found else None
        best = min(best, float(took[1]) if took else time.monotonic() - began)
    return best


def opening(sources):
    with serve() as url:
        print(f"{'opened by so many requests':30}{'1 rank':>8}{'2 ranks':>8}{'4 ranks':>8}{'all, 2':>8}")
        for what, name, most in sources:
            counts = [requests(url, name, "open", ranks) for ranks in (1, 2, 4)]
            check(max(counts) <= most, f"{what}: opened by {counts} requests, more than {most}: {asked(url, 'log')[-800:]}")
            print(f"{what:30}{counts[0]:8}{counts[1]:8}{counts[2]:8}{requests(url, name, 'all', 2):8}", flush=True)


def whole(sources):
    with serve("--delay", "50", "--rate", "100") as url:
        print(f"{'the whole of it':30}{'MB':>8}{'curl s':>8}{'s':>8}{'ratio':>8}")
        for what, name, _ in sources:
            n = size_of("cdf5.nc" if name == "refs.json" else name)
            with open("www/plain.bin", "wb") as f:
                f.truncate(n)
            curl = seconds(["curl", "-s", "-o", "/dev/null", url + "/plain.bin"])
            ours = seconds([OPEN, f"{url}/{name}", "-", "time"], r"seconds ([\d.]+)")
            print(f"{what:30}{n / 1e6:8.1f}{curl:8.3f}{ours:8.3f}{ours / curl:8.2f}", flush=True)
            check("deflated" in what or ours <= 1.3 * curl, f"{what}: {ours / curl:.2f} times curl's time")


def main():
    os.makedirs("www", exist_ok=True)
    opening(make(8))
    if MB:
        whole(make(max(8, MB)))
    print(f"far_sources_test: {len(bad)} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
