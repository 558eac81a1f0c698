#!/usr/bin/env python3
"""The Debian packages are made by the ordinary tools, hold what they should, and serve users from where they are unpacked:
the clients of tests/install, found by CMake, pkg-config and pnetcdf-config, and the examples with their Makefile.

    packages_test.py SOURCE_FOLDER C_COMPILER LAUNCHER"""
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

# package: (files, among others; words of Depends; words that Depends must not have)
WANTED = {
    "libparcdf0": (["lib/*/libparcdf.so.0"], ["libopenmpi", "libutf8proc"], ["libstdc++", "libgfortran", "libpnetcdf"]),
    "libparcdf-dev": (["include/parcdf/pnetcdf.h", "include/parcdf/pnetcdf", "include/parcdf/parcdf.h", "lib/*/libparcdf.so", "lib/*/libparcdf.a",
                       "lib/*/pkgconfig/parcdf.pc", "lib/*/cmake/parcdf/parcdfConfig.cmake", "share/man/man3/parcdf-vara.3.gz",
                       "share/man/man3/ncmpi_put_vara_float_all.3.gz"], ["libparcdf0 (=", "mpi-default-dev"], []),
    "parcdf-bin": (["bin/parcdf", "share/man/man1/parcdf-check.1.gz", "share/bash-completion/completions/parcdf",
                    "share/zsh/vendor-completions/_parcdf"], ["libopenmpi", "libutf8proc"], ["libparcdf0"]),
    "parcdf-foreign": (["bin/parcdf-foreign"], ["parcdf-bin (=", "libnetcdf"], ["libparcdf0", "libhdf4"]),
    "parcdf-formats": (["lib/*/parcdf/libparcdf-codecs.so", "lib/*/parcdf/libparcdf-hdf5.so", "lib/*/parcdf/libparcdf-hdf4.so",
                        "lib/*/parcdf/libparcdf-curl.so", "lib/*/parcdf/parcdf-map"], ["libhdf5", "libhdf4", "libcurl"],
                       ["openmpi", "libnetcdf"]),
    "parcdf-doc": (["share/doc/parcdf/examples/block_3d.c", "share/doc/parcdf/examples/Makefile",
                    "share/doc/parcdf/manual/differences.md", "share/doc/parcdf/html/index.html"], [], ["mpi"]),
    "libparcdf-pnetcdf0d": (["lib/*/libpnetcdf.so.0d"], ["libopenmpi"], ["libstdc++", "libgfortran"]),
    "libparcdf-pnetcdf-dev": (["include/pnetcdf.h", "include/pnetcdf", "lib/*/libpnetcdf.a", "lib/*/pkgconfig/pnetcdf.pc",
                               "lib/*/cmake/PnetCDF/PnetCDFConfig.cmake", "bin/pnetcdf-config", "bin/ncvalidator", "bin/cdfdiff",
                               "share/man/man1/pnetcdf-config.1.gz"], ["libparcdf-dev (=", "libparcdf-pnetcdf0d (="], []),
}


def look_at(package, deb, root):
    """Contents and relations of one package, which is then unpacked beside the others."""
    files, depends, strangers = WANTED[package]
    listed = re.findall(r" \./usr/(\S+)(?: -> \S+)?$", runner.need("dpkg-deb", "-c", deb), re.M)
    missing = [f for f in files if not fnmatch.filter(listed, f)]
    said = runner.need("dpkg-deb", "-f", deb, "Depends")
    wrong = [d for d in depends if d not in said] + [f"not {s}" for s in strangers if s in said]
    if missing or wrong:
        sys.exit(f"{deb.name}: missing {missing}; Depends: {said}: {wrong}")
    runner.need("dpkg-deb", "-x", deb, root)


def clients(source, folder, compiler, launcher):
    """The programs of tests/install, built against the unpacked packages."""
    sys.path.insert(0, str(source / "tests/install"))
    from clients import Place
    place = Place(folder / "root/usr", folder / "work", compiler, launcher, True)
    place.by_cmake("C")
    place.by_pkg_config()
    place.by_pnetcdf_config()
    examples = folder / "examples"
    shutil.copytree(folder / "root/usr/share/doc/parcdf/examples", examples)
    runner.need("make", "-C", examples, f"CC={compiler}", f"MPIEXEC={launcher}", "check", "PROGRAMS=record_append flexible_ghost", env=place.env)
    return place.programs + 2


def main(source, compiler, launcher):
    lacking = [word for word in ("dh", "dpkg-buildpackage", "sphinx-build") if not shutil.which(word)]
    if lacking or not Path("/usr/share/doc/mpi-default-dev").exists():
        print(f"skipped: scripts/deps deb installs {lacking or 'mpi-default-dev'}")
        return 77
    source = Path(source)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        runner.need(source / "scripts/deb", folder / "debs", env=dict(os.environ, PARCDF_NO_DEPS="1"))
        debs = {deb.name.split("_")[0]: deb for deb in (folder / "debs").glob("*.deb")}
        if set(debs) != set(WANTED):
            sys.exit(f"packages: {sorted(debs)}")
        for package, deb in debs.items():
            look_at(package, deb, folder / "root")
        print(f"{len(debs)} packages, {clients(source, folder, compiler, launcher)} programs")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
