#!/usr/bin/env python3
"""The C++ interface, as programs use it. program.cc is compiled as C++11 without a warning, with the include folders and libraries of
MPI for C alone; it runs on each number of ranks, also with hints. What it writes by C++ has the bytes that it writes by C. A put by
C++ takes hardly more instructions than one by C.

    cxx_test.py INCLUDE_FOLDER LIBRARY LAUNCHER RANKS,... MPI_FOLDERS MPI_LIBRARIES SHARE     (folders, libraries: separated by :)

SHARE   all: every compiler that is there, with every standard
        ci: one compiler; another one reads the program by the latest standard
        few: one compiler; no hints, and no instructions are counted

Skipped (77) without a C++ compiler."""
import filecmp
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import runner  # noqa: E402

SOURCES = ["program.cc", "second_unit.cc"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
STANDARDS = ["c++11", "c++14", "c++17", "c++20"]  # what they say of comparisons and constants differs
HINTS = ["pcdf_debug_pack_size=0", "pcdf_async=4M"]  # a value that was posted is kept in any case
MORE = 12  # instructions of a put and a get by C++ beyond those by C, together


class Build:
    def __init__(self, include, library, mpi_folders, mpi_libraries):
        self.folders = [f"-I{include}", *(f"-I{f}" for f in mpi_folders.split(":") if f)]
        self.libraries = [library, f"-Wl,-rpath,{Path(library).parent}", *(f for f in mpi_libraries.split(":") if f)]

    def program(self, compiler, sources, *options):
        """Its path. MPI's C++ bindings, if the header asked for them, would not link: only the C library is there."""
        out = Path(f"{Path(sources[0]).stem}.{compiler}").resolve()
        runner.need(compiler, "-std=c++11", *WARNINGS, *options, *self.folders, *(HERE / s for s in sources), "-o", out, *self.libraries, "-ldl")
        return out

    def reads(self, compiler, standard):
        runner.need(compiler, f"-std={standard}", *WARNINGS, "-fsyntax-only", *self.folders, HERE / SOURCES[0])


def run(program, launcher, ranks, hints=None):
    """With hints: what moves data."""
    folder = Path(tempfile.mkdtemp(dir=runner.MEMORY))
    try:
        first, second = folder / "cxx.nc", folder / "c.nc"
        part, env = (["accesses"], {"PNETCDF_HINTS": hints}) if hints else ([], {})
        env["PARCDF_QUIET"] = "1"  # ranks define other things on purpose
        said = runner.need(launcher, "-n", ranks, program, first, second, *part, env=env)
        if not said.startswith("0 wrong"):
            sys.exit(f"{program}: {said}")
        if not filecmp.cmp(first, second, shallow=False):
            sys.exit(f"{program}, {ranks} ranks, {env}: what C++ wrote differs from what C wrote")
    finally:
        shutil.rmtree(folder)


def costs(build, compiler):
    """A call by C++ checks one code: few instructions."""
    program, rounds = build.program(compiler, ["costloops_cxx.cc"], "-O2"), 200
    with tempfile.TemporaryDirectory(dir=".", prefix="cost_") as folder:
        runner.need("valgrind", "--tool=callgrind", "--zero-before=cost_measured", "--dump-after=cost_measured",
                    f"--callgrind-out-file={folder}/out", program, rounds, f"{folder}/cost.nc")
        before, by_cxx, after = (int(re.search(r"^totals: (\d+)", Path(folder, f"out.{i}").read_text(errors="replace"), re.M)[1]) / rounds
                                 for i in (1, 2, 3))
    by_c = min(before, after)  # later calls take some instructions less
    print(f"{compiler}: a put and a get take {by_c:.0f} instructions by C, {by_cxx - by_c:+.1f} by C++")
    if by_c < 500 or by_cxx - by_c > MORE:
        sys.exit(f"more than {MORE} instructions, or nothing was measured: {by_c}, {by_cxx}")


def main(include, library, launcher, ranks, mpi_folders, mpi_libraries, share):
    compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
    if not compilers:
        print("skipped: no C++ compiler")
        return 77
    build = Build(include, library, mpi_folders, mpi_libraries)
    for compiler in compilers if share == "all" else compilers[:1]:
        program = build.program(compiler, SOURCES, "-O0")
        for n in ranks.split(","):
            run(program, launcher, n)
        for hints in HINTS if share != "few" else []:
            run(program, launcher, "2", hints)
    for compiler in compilers:
        for standard in {"all": STANDARDS, "ci": STANDARDS[-1:] if compiler == compilers[-1] else [], "few": []}[share]:
            build.reads(compiler, standard)
    if share == "few" or not shutil.which("valgrind"):
        print("instructions are not counted")
    else:
        costs(build, compilers[0])
    print(f"compiled by {' and '.join(compilers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
