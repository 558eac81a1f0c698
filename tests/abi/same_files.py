#!/usr/bin/env python3
"""One libparcdf_abi.so and one set of programs, run with several MPI libraries: the same bytes in every file, and nothing in the
library or the programs that asks the loader for one MPI.

    same_files.py LIBRARY SONAME NAME=LAUNCHER=LIBRARIES... -- PROGRAM...

NAME is a word of MPI_Get_library_version in small letters (mpich, openmpi), or anything else, which is not looked for. Each
PROGRAM runs on 2 ranks with LIBRARIES as LD_LIBRARY_PATH, and takes the file to write as its argument."""
import hashlib
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner  # noqa: E402

SAYS = {"mpich": "MPICH", "openmpi": "Open MPI"}


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def needed(path):
    return re.findall(r"NEEDED.*\[(.+)\]", runner.need("readelf", "-d", path))


def check_needed(files, soname):
    bad = []
    for path in files:
        names = needed(path)
        bad += [f"{path} needs {n}" for n in names if re.match(r"lib(mpi|mpich|open-)", n) and n != soname]
        if soname not in names:
            bad.append(f"{path} does not need {soname}")
    return bad


def run_all(name, launcher, libraries, programs, folder):
    """{program: digest of its file}, and what the library's own log says of the MPI library"""
    found = {}
    for program in programs:
        path = Path(folder) / (os.path.basename(program) + ".nc")
        env = {"LD_LIBRARY_PATH": libraries, "PNETCDF_HINTS": f"pcdf_trace={folder}/log" if not found else ""}
        runner.need(launcher, "-n", "2", program, path, env=env)
        found[os.path.basename(program)] = digest(path)
    logs = "".join(p.read_text(errors="replace") for p in Path(folder).glob("log*"))
    if name in SAYS and SAYS[name] not in logs:
        sys.exit(f"{name}: the log of a run does not speak of {SAYS[name]}:\n{logs[:400]}")
    return found


def main():
    cut = sys.argv.index("--")
    (library, soname, *mpis), programs = sys.argv[1:cut], sys.argv[cut + 1:]
    if len(mpis) < 2:
        print("skipped: fewer than two MPI libraries")
        return 77
    bad, files, before = check_needed([library, *programs], soname), {}, digest(library)
    for words in mpis:
        name, launcher, libraries = words.split("=")
        with tempfile.TemporaryDirectory(dir=runner.MEMORY, prefix="same_files_") as folder:
            files[name] = run_all(name, launcher, libraries, programs, folder)
        print(f"{name}: libparcdf_abi.so has sha256 {digest(library)}")
    first = next(iter(files))
    for name, found in files.items():
        bad += [f"{program}: other bytes with {name} than with {first}" for program in found if found[program] != files[first][program]]
    if digest(library) != before:
        bad.append("the library changed")
    print("\n".join(bad) or f"{len(programs)} programs leave the same files with {', '.join(files)}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
