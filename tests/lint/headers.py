#!/usr/bin/env python3
"""The public headers compile alone and together, in any order, beside netcdf.h (before or after), codes.h and, in C++,
pnetcdf, as C11 and C++17, with warnings as errors; and they keep their text contract: the version lines that finders read.

    headers.py FOLDER:FOLDER:... C_COMPILER [CXX_COMPILER]      (the include folders of mpi.h)"""
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fsyntax-only", "-DOMPI_SKIP_MPICXX",
         f"-I{ROOT}/include", f"-I{ROOT}/src/base"]
USE = "int use(void); int use(void) { return NC_MAX_NAME + NC_NOERR + NC_ENULLPAD + NC_FORMAT_CDF5; }\n"


def orders():
    public = ["pnetcdf.h", "parcdf.h"]
    for extra in [[], ["codes.h"], ["netcdf.h"]]:
        if extra == ["netcdf.h"] and not Path("/usr/include/netcdf.h").exists():
            print("netcdf.h is not installed: left out")
            continue
        yield from itertools.permutations(public + extra)
    yield ("pnetcdf.h",)
    yield from [("pnetcdf", "parcdf.h"), ("parcdf.h", "pnetcdf.h", "pnetcdf")]


def compile_all(folders, compilers):
    bad = []
    for (compiler, language), order in itertools.product(compilers, orders()):
        if ("codes.h" if language == "c++" else "pnetcdf") in order:  # one is for C alone, the other for C++
            continue
        text = "".join(f"#include <{h}>\n" for h in order) + USE
        with tempfile.NamedTemporaryFile("w", suffix=".c" if language == "c11" else ".cc") as probe:
            probe.write(text)
            probe.flush()
            std = "-std=c11" if language == "c11" else "-std=c++17"
            done = subprocess.run([compiler, std, *FLAGS, *["-isystem" + f for f in folders], probe.name],
                                  capture_output=True, text=True)
        if done.returncode:
            bad.append(f"{compiler} {' '.join(order)}:\n{done.stderr[:1000]}")
    return bad


def version_lines():
    """What netCDF-C, SCORPIO and others take from the text of the header. SCORPIO's CMake takes the third word of
    every line, and stops where there is none."""
    lines = (ROOT / "include/pnetcdf.h").read_text().splitlines()
    found = [line for line in lines if line.startswith("#define PNETCDF_VERSION_")]
    wanted = [r"#define PNETCDF_VERSION_MAJOR \d+$", r"#define PNETCDF_VERSION_MINOR \d+$",
              r"#define PNETCDF_VERSION_SUB \d+$", r'#define PNETCDF_VERSION_PRE "[^"]+"$']
    if len(found) != 4 or not all(re.match(w, f) for w, f in zip(wanted, found)):
        return [f"version lines are not plain or not in order: {found}"]
    numbers = ".".join(f.split()[2] for f in found[:3])
    return [] if f'#define PNETCDF_VERSION "{numbers}"' in lines else ["PNETCDF_VERSION is not " + numbers]


def readme_example(folders, compiler):
    """The program in README.md compiles."""
    text = re.search(r"```c\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
    done = subprocess.run([compiler, "-std=c11", *FLAGS, *["-isystem" + f for f in folders], "-xc", "-"], input=text,
                          capture_output=True, text=True)
    return [f"README.md: {done.stderr[:1000]}"] if done.returncode else []


def main(folders, c_compiler, *cxx):
    compilers = [(c_compiler, "c11")] + [(c, "c++") for c in cxx if c and not c.endswith("-NOTFOUND")]
    bad = compile_all(folders.split(":"), compilers) + version_lines()
    bad += readme_example(folders.split(":"), c_compiler)
    print("\n".join(bad) or f"good with {', '.join(c for c, _ in compilers)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
