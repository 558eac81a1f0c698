#!/usr/bin/env python3
"""Debian's netCDF-C for PnetCDF (libnetcdf_pnetcdf, which needs libpnetcdf.so.0d) runs on our drop-in library in place of
Debian's: netcdf_client on 1 to 4 ranks, in the three formats, leaves files that are byte for byte those it leaves with
PnetCDF, and that ncdump and `parcdf check` read.

    netcdf_test.py PROGRAM LIBPNETCDF PARCDF LAUNCHER"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner


def main(program, library, parcdf, launcher):
    folder = Path("drop-in").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    netcdf = re.search(r"=> (\S*libnetcdf_pnetcdf\S*)", runner.need("ldd", program))[1]
    wanted = re.search(r"libpnetcdf\.so\.\w+", runner.need("readelf", "-dW", netcdf))[0]
    os.symlink(Path(library).resolve(), folder / wanted)
    ours = dict(os.environ, LD_LIBRARY_PATH=str(folder))
    used = re.search(r"libpnetcdf\.so\S* => (\S+)", runner.need("ldd", program, env=ours))[1]
    if Path(used).resolve() != Path(library).resolve():
        sys.exit(f"{program} runs on {used}, not on {library}")
    compared = 0
    for kind in ("classic", "offset", "data"):
        runner.need(launcher, "-n", 1, program, "peer.nc", kind)
        peer, text = Path("peer.nc").read_bytes(), runner.need("ncdump", "-n", "x", "peer.nc")
        for ranks in (1, 2, 3, 4):
            runner.need(launcher, "-n", ranks, program, "ours.nc", kind, env=ours)
            if Path("ours.nc").read_bytes() != peer:
                sys.exit(f"{kind}, {ranks} ranks: another file than with PnetCDF")
            if runner.need("ncdump", "-n", "x", "ours.nc") != text:
                sys.exit(f"{kind}, {ranks} ranks: ncdump shows something else")
            runner.need(parcdf, "check", "-q", "ours.nc")
            compared += 1
    print(f"{compared} files are those of PnetCDF")


if __name__ == "__main__":
    main(*sys.argv[1:])
