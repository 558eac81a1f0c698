#!/usr/bin/env python3
"""What `cmake --install` leaves of a build for the standard ABI serves a site. Programs are built against it as doc/mpi-abi.md says
and run with each MPI library, found by LD_LIBRARY_PATH alone; so does the program parcdf_abi. What was not made for the ABI is
refused: by find_package, and by the compiler. And a build of parcdf itself is configured in the two ways that the page has:

* with an mpicc_abi, and the tests are told that an MPI with the ABI is installed (PARCDF_ABI_STUBS): they run with it;
* with the header alone, whose prototypes have several lines here: the library that cmake makes for the linker has all names.

    installed.py BUILD SOURCE NAME=LAUNCHER=LIBRARIES...

Nothing of the library is compiled again. An MPI that has the ABI is made of the first layer: a folder with lib, include, bin."""
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import runner  # noqa: E402

HEADER = HERE / "include"
ABI = "libmpi_abi.so.1"
FILES = ["bin/parcdf_abi", "include/parcdf_abi/pnetcdf.h", "include/parcdf_abi/parcdf.h", "include/parcdf_abi/pnetcdf"]
LIBRARIES = ["libparcdf_abi.so.0", "libparcdf_abi.a", "pkgconfig/parcdf_abi.pc", "cmake/parcdf_abi/parcdf_abiConfig.cmake"]
ORDINARY = ["bin/parcdf", "include/pnetcdf.h", "include/parcdf.h"]
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(client LANGUAGES C)
find_package(parcdf_abi REQUIRED)
add_executable(client ${SOURCE})
target_link_libraries(client PRIVATE parcdf_abi::parcdf_abi)
"""
COMPILER = """#!/bin/sh
flags="-I{mpi}/include" libs="-L{mpi}/lib -lmpi_abi"
[ "$1" != -show ] || {{ echo cc $flags $libs; exit; }}
exec cc $flags "$@" $libs
"""


def need(true, sentence):
    if not true:
        sys.exit(sentence)


def make_mpi(folder, launcher, libraries):
    """An MPI that has the ABI: its header, its library, its compiler and its launcher."""
    for name in ("bin", "lib", "include"):
        (folder / name).mkdir(parents=True)
    (folder / "include/mpi.h").symlink_to(HEADER / "mpi.h")
    (folder / f"lib/{ABI}").symlink_to(Path(libraries) / ABI)
    (folder / "lib/libmpi_abi.so").symlink_to(ABI)
    for name, text in (("mpicc_abi", COMPILER.format(mpi=folder)), ("mpiexec", f'#!/bin/sh\nexec {launcher} "$@"\n')):
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    return folder / "bin/mpicc_abi"


class Site:
    """An installed tree, and an MPI beside it."""

    def __init__(self, build, work, mpis):
        self.work, self.mpis, self.prefix = work, mpis, work / "prefix"
        runner.need("cmake", "--install", build, "--prefix", self.prefix)
        self.libdir = next(self.prefix.rglob("libparcdf_abi.so")).parent
        _, launcher, libraries = mpis[0]
        self.mpi = work / "mpi"
        self.cc = make_mpi(self.mpi, launcher, libraries)

    def has_files(self):
        missing = [f for f in FILES if not (self.prefix / f).exists()] + [f for f in LIBRARIES if not (self.libdir / f).exists()]
        need(not missing, f"not installed: {missing}")
        there = [f for f in ORDINARY if (self.prefix / f).exists()] + [p.name for p in self.libdir.glob("libparcdf.*")]
        need(not there, f"names of an ordinary parcdf: {there}")

    def runs(self, program, *arguments, wanted, env=None):
        """With each MPI library; what is asked of the loader is the ABI's name and nothing else of MPI."""
        needed = re.findall(r"NEEDED.*\[(lib(?:mpi|mpich|open-)[^\]]*)\]", runner.need("readelf", "-d", program))
        need(needed == [ABI], f"{program} needs {needed}")
        for name, launcher, libraries in self.mpis:
            path = self.work / f"{program.name}.{name}.nc"
            words = [a.replace("FILE", str(path)) for a in arguments]
            said = runner.need(launcher, "-n", "2", program, *words, cwd=self.work,
                               env={"LD_LIBRARY_PATH": f"{libraries}:{self.libdir}", **(env or {})})
            need(wanted in said, f"{name}: {program} says {said}")

    def client_by_pkg_config(self):
        flags = runner.need("pkg-config", "--cflags", "--libs", "parcdf_abi", env={"PKG_CONFIG_PATH": str(self.libdir / "pkgconfig")}).split()
        program, source = self.work / "pc", HERE.parent / "install/install_client.c"
        runner.need(self.cc, "-Wall", "-Werror", source, "-o", program, *flags)
        # Hints that only the ABI's limits allow: none ends the program, although Open MPI takes no such names and values.
        for length in (40, 300):
            text = "x" * length
            self.runs(program, "FILE", wanted="client: good", env={"PNETCDF_HINTS": f"{text}=1;some_hint={text};nc_burst_buf_dirname={text}"})
        for other in [c for c in ("mpicc.mpich", "mpicc.openmpi") if shutil.which(c)]:
            status, said = runner.run(other, "-c", source, "-o", self.work / "other.o", *flags)
            need(status and "mpi.h is not" in said, f"{other} compiles for libparcdf_abi: {said}")

    def project(self, name, *options):
        folder = self.work / name
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(PROJECT)
        return runner.run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "b", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                          f"-DSOURCE={HERE.parent}/install/install_client.c", *options)

    def clients_by_cmake(self):
        given = (f"-DPARCDF_MPI_ABI_INCLUDE={self.mpi}/include", f"-DPARCDF_MPI_ABI_LIBRARY={self.mpi}/lib/libmpi_abi.so")
        for name, options in (("compiler", (f"-DMPI_C_COMPILER={self.cc}",)), ("given", given)):
            status, said = self.project(name, *options)
            need(status == 0, said)
            runner.need("ninja", "-C", self.work / name / "b")
            self.runs(self.work / name / "b/client", "FILE", wanted="client: good")
        for other in [c for c in ("mpicc.mpich", "mpicc.openmpi") if shutil.which(c)]:
            status, said = self.project(f"with_{other}", f"-DMPI_C_COMPILER={other}")
            need(status and "built with MPI's standard ABI" in re.sub(r"\s+", " ", said), f"find_package takes {other}: {said}")
        (self.work / "plain").mkdir()
        (self.work / "plain/mpi.h").write_text("#define OPEN_MPI 1\n")
        status, said = self.project("with_plain", f"-DPARCDF_MPI_ABI_INCLUDE={self.work}/plain")
        need(status and "built with MPI's standard ABI" in re.sub(r"\s+", " ", said), f"find_package takes any mpi.h: {said}")

    def program(self):
        """parcdf_abi, whose benchmark replaces functions of MPI to count them."""
        program = self.prefix / "bin/parcdf_abi"
        self.runs(program, "bench", "--grid", "8x12x16", "--dir", ".", "--json", wanted='"allreduce"')
        for name, _, libraries in self.mpis:
            runner.need(program, "check", self.work / f"pc.{name}.nc", env={"LD_LIBRARY_PATH": f"{libraries}:{self.libdir}"})
        status, said = runner.run(program, "check", self.work / "pc.nc", env={"LD_LIBRARY_PATH": str(self.libdir)})
        need(status == 127 and ABI in said, f"without an MPI, parcdf_abi says {said}")


def tests_with_an_abi_mpi(site, source, build):
    """PARCDF_ABI_STUBS: ctest's list names that MPI's launcher and libraries; two tests of it run, with the programs of `build`."""
    folder = site.work / "stubs"
    runner.need("cmake", "-G", "Ninja", "-S", source, "-B", folder, "-DPARCDF_MPI_ABI=ON", f"-DMPI_C_COMPILER={site.cc}",
                "-DPARCDF_TEST_CI=ON", f"-DPARCDF_ABI_STUBS={site.mpi}")
    tests = {t["name"]: t for t in json.loads(runner.need("ctest", "--test-dir", folder, "--show-only=json-v1"))["tests"]}
    ranked = {name: t for name, t in tests.items() if not name.startswith("abi_")}
    need(len(ranked) > 10, f"PARCDF_ABI_STUBS leaves {sorted(tests)}")
    for name, test in ranked.items():
        command, properties = test["command"], {p["name"]: p["value"] for p in test["properties"]}
        need(name.startswith("stubs."), f"the test {name} is not of PARCDF_ABI_STUBS")
        need(command[0] == f"{site.mpi}/bin/mpiexec", f"{name} is started by {command[0]}")
        need(f"LD_LIBRARY_PATH={site.mpi}/lib" in properties["ENVIRONMENT"], f"{name}: {properties['ENVIRONMENT']}")
    for name in ("stubs.agreed_ends.n2", "stubs.storage_exchange_2nodes.n2"):
        command = [w.replace(str(folder), str(build)) for w in ranked[name]["command"]]
        properties = {p["name"]: p["value"] for p in ranked[name]["properties"]}
        runner.need(*command, cwd=site.work, env=dict(e.split("=", 1) for e in properties["ENVIRONMENT"]))
    print(f"PARCDF_ABI_STUBS: {len(ranked)} tests")


def header_alone(site, source):
    """The stand-in for the linker has every function, however the header is written."""
    folder = site.work / "lines"
    folder.mkdir()
    prototypes = re.compile(r"^PCDF_ABI_FUNCTION\((\w+), (\w+), (.*)\)$", re.M)
    text = (HEADER / "mpi.h").read_text()
    wanted = [name for _, name, _ in prototypes.findall(text)]
    lines = prototypes.sub(lambda m: f"{m[1]}\nMPI_{m[2]} {m[3]}; {m[1]} PMPI_{m[2]}\n{m[3]};".replace(", ", ",\n    "), text)
    (folder / "mpi.h").write_text(lines)
    runner.need("cmake", "-G", "Ninja", "-S", source, "-B", folder / "b", "-DPARCDF_MPI_ABI=ON", f"-DPARCDF_MPI_ABI_INCLUDE={folder}",
                "-DBUILD_TESTING=OFF", "-DPARCDF_PROGRAMS=OFF")
    for path in [folder / "b/mpi_abi/libmpi_abi.so", *(Path(libraries) / ABI for _, _, libraries in site.mpis)]:
        names = set(re.findall(r" [TW] (\w+)$", runner.need("nm", "-D", "--defined-only", path), re.M))
        missing = [n for n in wanted if not {f"MPI_{n}", f"PMPI_{n}"} <= names]
        need(len(wanted) > 100 and not missing, f"{path} lacks {missing}")


def main():
    build, source, *mpis = sys.argv[1:]
    if not mpis:
        print("skipped: no MPI library")
        return 77
    with tempfile.TemporaryDirectory(dir=runner.MEMORY, prefix="abi_installed_") as folder:
        site = Site(build, Path(folder).resolve(), [words.split("=") for words in mpis])
        site.has_files()
        site.client_by_pkg_config()
        site.clients_by_cmake()
        site.program()
        tests_with_an_abi_mpi(site, source, Path(build))
        header_alone(site, source)
    print(f"good with {', '.join(words.split('=')[0] for words in mpis)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
