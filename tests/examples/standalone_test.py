#!/usr/bin/env python3
"""The folder examples/, copied away, builds against an installed parcdf: by its CMakeLists.txt with find_package, and by
its Makefile with pkg-config, shared and static. All programs run.

    standalone_test.py BUILD_FOLDER SOURCE_FOLDER C_COMPILER LAUNCHER"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner


def by_cmake(examples, prefix, build, compiler, launcher):
    runner.need("cmake", "-S", examples, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMPI_C_COMPILER={compiler}",
        f"-DMPIEXEC_EXECUTABLE={launcher}")
    runner.need("cmake", "--build", build, "-j2")
    print(runner.need("ctest", "--test-dir", build, "--output-on-failure").splitlines()[-4:])


def by_make(examples, prefix, compiler, launcher, *more):
    library = next(p.parent for p in prefix.rglob("libparcdf.a"))
    env = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"))
    cxx = re.sub(r"mpicc([^/]*)$", r"mpicxx\1", compiler)
    words = [f"CC={compiler}", f"CXX={cxx}", "CFLAGS=-Wall -Werror"]
    if not shutil.which(cxx):
        words.append(f"PROGRAMS={' '.join(sorted(p.stem for p in examples.glob('*.c')))}")
    said = runner.need("make", "-C", examples, "-j2", *words, "all", *more, env=env)
    ran = runner.need("make", "-C", examples, f"MPIEXEC={launcher}", "RANKS=1", *words, "check", *more, env=env)
    linked = runner.need("ldd", examples / "collective_write", env=env)
    if ("libparcdf" in linked) == bool(more):
        sys.exit(f"make {more}:\n{said}{linked}")
    print(len(ran.splitlines()), "lines said by the programs of make", *more)
    runner.need("make", "-C", examples, "clean")


def main(build, source, compiler, launcher):
    with tempfile.TemporaryDirectory() as folder:
        prefix, examples = Path(folder, "prefix"), Path(folder, "examples")
        runner.need("cmake", "--install", build, "--prefix", prefix)
        shutil.copytree(Path(source, "examples"), examples)
        by_cmake(examples, prefix, Path(folder, "build"), compiler, launcher)
        by_make(examples, prefix, compiler, launcher)
        by_make(examples, prefix, compiler, launcher, "STATIC=1")


if __name__ == "__main__":
    main(*sys.argv[1:])
