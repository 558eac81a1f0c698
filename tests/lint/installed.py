#!/usr/bin/env python3
"""What `cmake --install` leaves serves a user: the documented files, a pkg-config file that is right for shared and static
linking, also after the tree was moved, and names no build folder.

    installed.py BUILD_FOLDER SOURCE_FOLDER C_COMPILER LAUNCHER"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WANTED = ["include/pnetcdf.h", "include/parcdf.h", "bin/parcdf"]


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=100, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def user_program(compiler, launcher, source, place, library, kind):
    """A user compiles an example as the README says, and runs it on one rank."""
    env = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library))
    flags = run("pkg-config", "--cflags", "--libs", *(["--static"] if kind == "static" else []), "parcdf", env=env).split()
    if kind == "static":
        flags = [library / "libparcdf.a" if f == "-lparcdf" else f for f in flags]
    program = place / f"example_{kind}"
    run(compiler, source / "examples/collective_write.c", "-o", program, *flags)
    needed = run("ldd", program, env=env)
    if ("libparcdf.so" in needed) != (kind == "shared"):
        sys.exit(f"{kind}: ldd says\n{needed}")
    print(run(launcher, "-n", "1", program, place / "out.nc", env=env))


def main(build, source, compiler, launcher):
    with tempfile.TemporaryDirectory() as folder:
        first, prefix = Path(folder, "first"), Path(folder, "moved")
        run("cmake", "--install", build, "--prefix", first)
        first.rename(prefix)
        libraries = {p.parent for p in prefix.rglob("libparcdf.so")}
        missing = [w for w in WANTED if not (prefix / w).exists()]
        if missing or len(libraries) != 1:
            sys.exit(f"not installed: {missing}; libraries in {libraries}")
        library = libraries.pop()
        pc = (library / "pkgconfig/parcdf.pc").read_text()
        if str(build) in pc or str(source) in pc or "libutf8proc" not in pc or not (library / "libparcdf.a").exists():
            sys.exit("parcdf.pc names the build, or not libutf8proc:\n" + pc)
        for kind in ("shared", "static"):
            user_program(compiler, launcher, Path(source), Path(folder), library, kind)
        run(prefix / "bin/parcdf", "check", Path(folder, "out.nc"))


if __name__ == "__main__":
    main(*sys.argv[1:])
