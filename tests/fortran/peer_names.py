#!/usr/bin/env python3
"""Every name that PnetCDF offers to Fortran is there: symbols of the built library, names of the built module; and, when
PnetCDF's own library is installed, every nfmpi_ symbol that it has.

    peer_names.py LIBRARY MODULE [PNETCDF_LIBRARY]"""
import gzip
import re
import subprocess
import sys
from pathlib import Path

# Options of PnetCDF 1.12 that 1.15 does not have.
GONE = {"pnetcdf_large_single_req"}


def symbols(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines()}


def module_names(path):
    return set(re.findall(r"'(\w+)'", gzip.decompress(Path(path).read_bytes()).decode()))


def main(library, module, peer=None):
    listed = Path(__file__).with_name("peer_names.txt").read_text().splitlines()
    wanted = {line for line in listed if not line.startswith("#")}
    ours, inside = symbols(library), module_names(module)
    bad = [f"no symbol {name}" for name in sorted(wanted) if name.endswith("_") and name not in ours]
    bad += [f"not in the module: {name}" for name in sorted(wanted - GONE) if not name.endswith("_") and name not in inside]
    # as the module's own interface has them
    bad += [f"not in the module: {name}" for name in sorted(wanted) if name.startswith("nfmpi_") and name.endswith("_")
            and name.rstrip("_") not in inside and not name.startswith("nfmpi_x")]
    theirs = {s for s in symbols(peer) if s.startswith("nfmpi_")} if peer else set()
    bad += [f"only in {peer}: {name}" for name in sorted(theirs - ours)]
    bad += [f"without our prefix: {s}" for s in sorted(ours)
            if not s.startswith(("nfmpi_", "pcdf_f90_", "__pnetcdf_MOD_", "pcdf_"))]
    print("\n".join([*bad, f"{len(wanted)} names, {len(theirs)} of PnetCDF's library, {len(bad)} wrong"]))
    return 1 if bad or len(wanted) < 900 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
