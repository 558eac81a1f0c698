#!/usr/bin/env python3
"""The symbols of the built libraries: the shared one exports exactly the prototypes of the public headers, and every
global name in the archive has one of our prefixes (archives do not hide, and netcdf-c may be linked beside us).

    exports.py SHARED ARCHIVE HEADER..."""
import re
import subprocess
import sys
from pathlib import Path

PREFIXES = ("pcdf_", "parcdf_", "ncmpi_", "cdl_hdr_")
SANITIZER = ("__odr_asan", "__asan", "__ubsan", "DW.ref")


def symbols(*command):
    out = subprocess.run(["nm", "-P", "--defined-only", *command], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in out.splitlines() if not line.endswith(":")]
    return {row[0].split("@")[0] for row in rows if len(row) > 1 and row[1].isupper()
            and not row[0].startswith(SANITIZER)}


def prototypes(paths):
    text = "".join(Path(p).read_text() for p in paths)
    text = re.sub(r"/\*.*?\*/|^\s*#[^\n]*", " ", text, flags=re.S | re.M)
    return set(re.findall(r"PNETCDF_PUBLIC_API\s[^;]*?\b(\w+)\s*\(", text))


def main(shared, archive, *headers):
    bad = []
    declared, exported = prototypes(headers), symbols("-D", shared)
    bad += [f"declared but not exported: {n}" for n in sorted(declared - exported)]
    bad += [f"exported but not declared: {n}" for n in sorted(exported - declared)]
    inside = symbols("-g", archive)
    bad += [f"without our prefix in the archive: {n}" for n in sorted(inside) if not n.startswith(PREFIXES)]
    print("\n".join(bad[:40] + [f"{len(declared)} declared, {len(exported)} exported, {len(inside)} global names in "
                                f"the archive, {len(bad)} wrong"]))
    return 1 if bad or len(declared) < 300 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
