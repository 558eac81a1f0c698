#!/usr/bin/env python3
"""The folder examples/, copied away, builds against an installed parcdf: by its CMakeLists.txt with find_package, and by
its Makefile with pkg-config, shared and static. All programs run.

    standalone_test.py BUILD_FOLDER SOURCE_FOLDER C_COMPILER LAUNCHER"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=200, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def by_cmake(examples, prefix, build, compiler, launcher):
    run("cmake", "-S", examples, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMPI_C_COMPILER={compiler}",
        f"-DMPIEXEC_EXECUTABLE={launcher}")
    run("cmake", "--build", build, "-j2")
    print(run("ctest", "--test-dir", build, "--output-on-failure").splitlines()[-4:])


def by_make(examples, prefix, compiler, launcher, *more):
    library = next(p.parent for p in prefix.rglob("libparcdf.a"))
    env = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"))
    said = run("make", "-C", examples, "-j2", f"CC={compiler}", "CFLAGS=-Wall -Werror", "all", *more, env=env)
    ran = run("make", "-C", examples, f"MPIEXEC={launcher}", "RANKS=1", "check", *more, env=env)
    linked = run("ldd", examples / "collective_write", env=env)
    if ("libparcdf" in linked) == bool(more):
        sys.exit(f"make {more}:\n{said}{linked}")
    print(len(ran.splitlines()), "lines said by the programs of make", *more)
    run("make", "-C", examples, "clean")


def main(build, source, compiler, launcher):
    with tempfile.TemporaryDirectory() as folder:
        prefix, examples = Path(folder, "prefix"), Path(folder, "examples")
        run("cmake", "--install", build, "--prefix", prefix)
        shutil.copytree(Path(source, "examples"), examples)
        by_cmake(examples, prefix, Path(folder, "build"), compiler, launcher)
        by_make(examples, prefix, compiler, launcher)
        by_make(examples, prefix, compiler, launcher, "STATIC=1")


if __name__ == "__main__":
    main(*sys.argv[1:])
