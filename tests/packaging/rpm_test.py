#!/usr/bin/env python3
"""The RPM packages are made by rpmbuild, with what Fedora's packages of MPI libraries define, and used by a program from where they
are unpacked, for each MPI library.

    rpm_test.py SOURCE_FOLDER

Without rpmbuild: skipped."""
import os
import shutil
import sys

from staged import QUICK, Skipped, report, runner


def rpm(place):
    if not shutil.which("rpmbuild"):
        raise Skipped("no rpmbuild is here (Debian's package rpm)")
    top = place.folder / "rpm"
    (top / "SOURCES").mkdir(parents=True)
    shutil.copy(place.archive, top / "SOURCES")
    # What Fedora's packages of MPI libraries define.
    macros, flavours = [], [m for m in ("openmpi", "mpich") if shutil.which(f"mpicc.{m}")]
    for mpi in flavours:
        tools = top / mpi
        tools.mkdir()
        for name in ("mpicc", "mpif90"):
            (tools / name).symlink_to(shutil.which(f"{name}.{mpi}"))
        (tools / "mpiexec").write_text(f'#!/bin/sh\nexec mpiexec.{mpi} "$@"\n')  # MPICH's looks for others beside it
        (tools / "mpiexec").chmod(0o755)
        home = f"/usr/lib64/{mpi}"
        load = (f"export MPI_HOME={home} MPI_LIB={home}/lib MPI_BIN={tools} MPI_INCLUDE=/usr/include/{mpi}-x86_64 "
                f"MPI_MAN=/usr/share/man/{mpi}-x86_64")
        macros += ["--define", f"_{mpi}_load {load}", "--define", f"_{mpi}_unload unset MPI_HOME"]
    without = [f"--without={m}" for m in ("openmpi", "mpich") if m not in flavours]
    runner.need("rpmbuild", "-bb", "--nodeps", *without, *macros, "--define", f"_topdir {top}", "--define", "debug_package %{nil}",
                *["--define", "optflags -O0"] * QUICK, "--define", "_libdir /usr/lib64", "--define", "_smp_mflags -j2", "--define", "_arch x86_64",
                "--define", "_docdir /usr/share/doc", place.recipes / "rpm/parcdf.spec", timeout=900)
    made = sorted((top / "RPMS").rglob("*.rpm"))
    names = {p.name.split(f"-{place.version}")[0] for p in made}
    wanted = {"parcdf-doc", "parcdf-common"} | {f"parcdf-{m}{p}" for m in flavours for p in ("", "-devel", "-static")}
    if names != wanted:
        sys.exit(f"rpm: {names ^ wanted}")
    root = top / "root"
    root.mkdir()
    for package in made:
        runner.need("sh", "-c", f"rpm2cpio '{package}' | cpio -idm --quiet", cwd=root)
    for mpi in flavours:
        lib = root / f"usr/lib64/{mpi}/lib"
        env = dict(PATH=f"{root}/usr/lib64/{mpi}/bin:{top}/{mpi}:{os.environ['PATH']}", LD_LIBRARY_PATH=str(lib),
                   PKG_CONFIG_PATH=str(lib / "pkgconfig"))
        for kind in ([], ["--static"]):
            place.client(root, env, *runner.need("pkg-config", "--cflags", "--libs", *kind, "parcdf", env=env).split())
    return f"{len(made)} packages, used with {' and '.join(flavours)}"


if __name__ == "__main__":
    sys.exit(report(sys.argv[1], [rpm]))
