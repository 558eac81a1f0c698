#!/usr/bin/env python3
"""A put takes at most 1 % more instructions in libparcdf_abi than in libparcdf, for each kind of put of put_cost.c, with both
engines of disks. Instructions of the library alone are counted, by valgrind's callgrind, as the difference of n and 2 n puts; MPI's
own are not. They do not wobble.

    put_cost.py PROGRAM LIBRARY LIBRARIES ORDINARY SOURCE INCLUDE

PROGRAM is put_cost.c with LIBRARY, libparcdf_abi; LIBRARIES the folder of an MPI's libmpi_abi. ORDINARY is a build folder of an
ordinary libparcdf with the same flags and that MPI: SOURCE is built with it. Skipped (77) without ORDINARY or valgrind."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("costs", "support")]
import costs_test  # noqa: E402
import runner  # noqa: E402

MOST = 1.01


def measure(program, library, engine, env):
    """{kind: instructions of a put in the library}"""
    with tempfile.TemporaryDirectory(dir=runner.MEMORY, prefix="put_cost_") as folder:
        words = [*costs_test.CALLGRIND, f"--callgrind-out-file={folder}/out", program, f"{folder}/put.nc", engine]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **runner.MPI, "GLIBC_TUNABLES": costs_test.TUNABLES, **env})
        runs = re.findall(r"^(\w+) (\d+)$", done.stdout, re.M)
        if done.returncode or not runs:
            sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        counts = [costs_test.instructions(Path(folder) / f"out.{i + 1}", os.path.basename(library)) for i in range(len(runs))]
        return {name: (twice - once) / int(n) for (name, n), once, twice in zip(runs[::2], counts[::2], counts[1::2])}


def main():
    program, library, libraries, ordinary, source, include = sys.argv[1:]
    if costs_test.unfit() or not (Path(ordinary) / "libparcdf.so").exists():
        print("skipped:", costs_test.unfit() or f"no ordinary libparcdf.so (PARCDF_ABI_ORDINARY is \"{ordinary}\")")
        return 77
    ordinary, bad = Path(ordinary).resolve(), []
    compiler = re.search(r"^MPI_C_COMPILER:\w+=(.*)$", (ordinary / "CMakeCache.txt").read_text(), re.M).group(1)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        other = f"{folder}/put_cost"
        runner.need(compiler, "-O2", "-g1", source, f"-I{include}", f"-L{ordinary}", "-lparcdf", f"-Wl,-rpath,{ordinary}", "-o", other)
        for engine in ("posix", "mpiio"):
            abi = measure(program, os.path.realpath(library), engine, {"LD_LIBRARY_PATH": libraries})
            usual = measure(other, os.path.realpath(ordinary / "libparcdf.so"), engine, {})
            for kind in usual:
                ratio = abi[kind] / usual[kind]
                print(f"{engine:6} {kind:12} {abi[kind]:10.1f} instructions a put, {usual[kind]:10.1f} without the ABI: {ratio:.4f}")
                if not 1 / 2 < ratio <= MOST:
                    bad.append(f"{engine} {kind}: {ratio:.4f} times as many, more than {MOST}")
    print("\n".join(bad) or "good")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
