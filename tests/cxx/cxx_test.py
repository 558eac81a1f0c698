#!/usr/bin/env python3
"""The C++ interface, as programs use it. The programs of this folder are compiled by each C++ compiler that is there, as C++11 without
a warning, with the include folders and libraries of MPI for C alone; they run on each number of ranks, also with hints. What
accesses.cc writes by C++ has the bytes that it writes by C. A put by C++ takes hardly more instructions than one by C. Two errors
that a program may contain do not compile.

    cxx_test.py INCLUDE_FOLDER LIBRARY LAUNCHER RANKS,... MPI_FOLDERS MPI_LIBRARIES [few]     (folders, libraries: separated by :)

few: by one compiler, and no instructions are counted.

Skipped (77) without a C++ compiler."""
import filecmp
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import runner  # noqa: E402

PROGRAMS = {"accesses": ["accesses.cc"], "classes": ["classes.cc", "second_unit.cc"], "errors": ["errors.cc"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
MORE = 12  # instructions of a put and a get by C++ beyond those by C, together
REFUSED = {  # what must not compile: a copy of a file, and functions that PnetCDF declares and does not define
    "copy": "PnetCDF::NcmpiFile a; PnetCDF::NcmpiFile b(a);",
    "strings": "char *s; PnetCDF::NcmpiFile().getAtt(\"a\").getValues(&s);",
}


class Build:
    def __init__(self, include, library, mpi_folders, mpi_libraries):
        self.folders = [f"-I{include}", *(f"-I{f}" for f in mpi_folders.split(":") if f)]
        self.libraries = [library, f"-Wl,-rpath,{Path(library).parent}", *(f for f in mpi_libraries.split(":") if f)]

    def program(self, compiler, name, sources, options):
        # MPI's C++ bindings, if the header asked for them, would not link: only the C library is there.
        out = Path(f"{name}.{compiler}")
        runner.need(compiler, "-std=c++11", *WARNINGS, *options, *self.folders, *(HERE / s for s in sources), "-o", out.resolve(), *self.libraries)
        return out.resolve()

    def refuses(self, compiler, name, body):
        source = Path(f"refused_{name}.cc")
        for text, good in ((body, False), ("", True)):  # the rest compiles
            source.write_text(f"#include <pnetcdf>\nint main() {{ {text} }}\n")
            status, said = runner.run(compiler, "-std=c++11", "-fsyntax-only", *self.folders, source)
            if (status == 0) != good or (not good and "deleted" not in said):
                sys.exit(f"{compiler}, {name}: exit status {status} of {source.read_text()}{said}")


def newer_standard(build, compiler):
    """The latest that the compiler has: its rules for comparisons differ."""
    runner.need(compiler, "-std=c++20", *WARNINGS, "-fsyntax-only", *build.folders, HERE / "classes.cc")


def run(program, launcher, ranks, env):
    folder = Path(tempfile.mkdtemp(dir=runner.MEMORY))
    try:
        first, second = folder / "cxx.nc", folder / "c.nc"
        said = runner.need(launcher, "-n", ranks, program, first, second, env=env)
        if " 0 wrong" not in said:
            sys.exit(f"{program}: {said}")
        if program.stem == "accesses" and not filecmp.cmp(first, second, shallow=False):
            sys.exit(f"{program}, {ranks} ranks, {env}: what C++ wrote differs from what C wrote ({folder})")
    finally:
        shutil.rmtree(folder)


def instructions(program, language, rounds):
    """Of `rounds` puts and gets."""
    with tempfile.TemporaryDirectory(dir=".", prefix="cost_") as folder:
        runner.need("valgrind", "--tool=callgrind", "--zero-before=cost_measured", "--dump-after=cost_measured",
                    f"--callgrind-out-file={folder}/out", program, language, rounds, f"{folder}/cost.nc")
        return int(re.search(r"^totals: (\d+)", Path(folder, "out.1").read_text(errors="replace"), re.M).group(1))


def costs(build, compiler):
    """A call by C++ checks one code: few instructions."""
    program = build.program(compiler, "costloops_cxx", ["costloops_cxx.cc"], ["-O2"])
    each = {language: instructions(program, language, 200) / 200 for language in ("c", "cxx")}
    more = each["cxx"] - each["c"]
    print(f"{compiler}: a put and a get take {each['c']:.0f} instructions by C, {more:+.1f} by C++")
    if each["c"] < 500 or more > MORE:
        sys.exit(f"more than {MORE} instructions, or nothing was measured: {each}")


def main(include, library, launcher, ranks, mpi_folders, mpi_libraries, share="all"):
    compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
    compilers = compilers[:1] if share == "few" else compilers
    if not compilers:
        print("skipped: no C++ compiler")
        return 77
    build = Build(include, library, mpi_folders, mpi_libraries)
    for compiler in compilers:
        newer_standard(build, compiler)
        for name, body in REFUSED.items() if compiler == compilers[0] else []:
            build.refuses(compiler, name, body)
        for name, sources in PROGRAMS.items():
            program = build.program(compiler, name, sources, ["-O0"])
            for n in ranks.split(",") if compiler == compilers[0] else ["2"]:
                run(program, launcher, n, {})
            if name == "accesses":  # a value that was posted is kept, whatever the hints say; also with queues
                run(program, launcher, "2", {"PNETCDF_HINTS": "pcdf_pack_size=0"})
                run(program, launcher, "2", {"PNETCDF_HINTS": "pcdf_async=4mb"})
    if not shutil.which("valgrind"):
        print("instructions are not counted: no valgrind")
    elif share == "all":
        costs(build, compilers[0])
    print(f"{len(PROGRAMS)} programs by {' and '.join(compilers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
