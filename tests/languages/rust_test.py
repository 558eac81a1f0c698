#!/usr/bin/env python3
"""A Rust program uses the library by its own declarations: hello.rs is compiled with rustc, runs on 2 ranks, and `parcdf dump` finds its
values.

    rust_test.py LIBRARY PARCDF LAUNCHER openmpi|mpich MPI_LIBRARIES        (the last: separated by :)

Skipped (77) without rustc, and with another MPI."""
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner  # noqa: E402


def main(library, parcdf, launcher, mpi, mpi_libraries):
    compiler = shutil.which("rustc", path="/usr/bin") or shutil.which("rustc")
    if not compiler or mpi not in ("openmpi", "mpich"):
        print("skipped: no rustc (Debian: rustc)" if not compiler else f"skipped: the handles of this MPI are not known ({mpi})")
        return 77
    library, program, path = Path(library), Path("hello_rust").resolve(), Path("hello_rust.nc")
    flags = ["-C", f"link-arg={library}", "-C", f"link-arg=-Wl,-rpath,{library.parent}"]
    for each in mpi_libraries.split(":"):
        flags += ["-C", f"link-arg={each}"]
    runner.need(compiler, "--edition", "2018", "-D", "warnings", "--cfg", mpi, *flags, Path(__file__).with_name("hello.rs"), "-o", program)
    path.unlink(missing_ok=True)
    said = runner.need(launcher, "-n", 2, program, path)
    if said.count("hello from Rust") != 2:
        sys.exit(f"not both ranks said hello:\n{said}")
    dump = " ".join(runner.need(parcdf, "dump", path).split())
    if not re.search(r"hello = 0, 1, 2, 3, 4, 100, 101, 102, 103, 104 ;", dump) or 'hello:units = "m"' not in dump:
        sys.exit(f"the file holds\n{dump}")
    print(runner.need(compiler, "--version"), "- 2 ranks")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
