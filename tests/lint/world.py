#!/usr/bin/env python3
"""The library works in programs that use MPI sessions alone, and with any MPI that has the standard's ABI.

    world.py

* What only MPI's World model has is named in mpiio/worldmodel.c alone, in C, C++ and Fortran: MPI_COMM_WORLD, MPI_COMM_SELF, MPI_Init...,
  MPI_Finalize..., MPI_Query_thread. Comments may speak of it. The plug-ins are no part of the library.
* No file asks at compile time which MPI it is: OPEN_MPI, MPICH..., and what else names one in the preprocessor."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = "src/plugins/"
WORLD = re.compile(r"(?i)\bP?MPI_(COMM_WORLD|COMM_SELF|Init|Init_thread|Initialized|Finalize|Finalized|Query_thread|Is_thread_main|Comm_get_parent|Comm_spawn\w*)\b")
FLAVOUR = re.compile(r"\b(OPEN_MPI|OMPI_(?!SKIP_MPICXX)\w+|MPICH(?!_SKIP_MPICXX)\w*|I_MPI_\w+|MVAPICH\w*|ROMIO_VERSION|MPI_[A-Z]+_NUMVERSION)\b")
SUFFIXES = (".c", ".h", ".def", ".f90", ".in")
WORLD_FILE = "mpiio/worldmodel.c"
ALLOWED = {("include/pnetcdf", "MPI_Finalized")}  # a destructor asks; any program may call it at any time


def code_of(text):
    """The text without comments and without the contents of string literals, with the same lines."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def main():
    bad = []
    for top in ("src", "mpiio", "include", "bindings"):
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in SUFFIXES and name != "include/pnetcdf" or name.startswith(PLUGINS):
                continue
            for number, line in enumerate(code_of(path.read_text()).split("\n"), 1):
                found = WORLD.search(line)
                if found and name != WORLD_FILE and (name, found.group()) not in ALLOWED:
                    bad.append(f"{name}:{number}: {found.group()} is not there in programs of sessions: ask mpiio/worldmodel.h")
                found = FLAVOUR.search(line)
                if found:
                    bad.append(f"{name}:{number}: {found.group()} asks at compile time which MPI it is: mpiio/mpilibrary.h asks at run time")
    print("\n".join(bad) or "good")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
