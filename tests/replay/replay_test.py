#!/usr/bin/env python3
"""Fixes that the real cases come out right: the benchmark `checkpoint` replays one E3SM or WRF case on several numbers of
ranks, reads it back on one rank fewer and compares every value; the files of all numbers of ranks are the same, byte for
byte; and every other reader that is installed accepts them.

    replay_test.py CASE --program CHECKPOINT --parcdf PARCDF --mpiexec LAUNCHER --data FOLDER [--ranks 3,16]

CASE is a key of CASES. Skipped (77) where the data is not there."""
import argparse
import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

READER = Path(__file__).resolve().parents[1] / "support/cdf.py"

# case: header, map, variables that are partitioned
CASES = {"f_h0": ("f_case_h0", "f", 387), "f_h1": ("f_case_h1", "f", 24), "g": ("g_case_hist", "g", 41),
         "i_h0": ("i_case_h0", "i", 546), "i_h1": ("i_case_h1", "i", 538), "wrf": None}


def case_options(name, data):
    if name == "wrf":
        return ["--wrf", data / "wrf/wrf_header.txt", "--scale", "20"]
    header, letter, partitioned = CASES[name]
    return ["--header", data / f"e3sm/{header}.txt", "--map", data / f"e3sm/map_{letter}_case_16p.nc",
            "--expect-partitioned", str(partitioned)]


def run(*words):
    """Exit status; what was printed only when it is neither 0 nor 77."""
    done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 77):
        print(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.returncode


def readers(parcdf, path):
    """Command lines that must take the file."""
    yield [parcdf, "check", "-q", path]
    yield [sys.executable, READER, "dump", path]
    yield [sys.executable, READER, "against-netcdf4", path]
    yield [sys.executable, READER, "against-scipy", path]
    for command in (["ncvalidator", "-q"], ["ncdump", "-k"], ["ncdump", "-h"]):
        if shutil.which(command[0]):
            yield [*command, path]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=CASES)
    for name in ("program", "parcdf", "mpiexec", "data"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--ranks", default="3,16")
    a = parser.parse_args()
    options = case_options(a.case, Path(a.data))
    if not options[1].exists():
        print("skipped: no", options[1])
        return 77
    bad, files = [], []
    for ranks in a.ranks.split(","):
        path = Path(f"{a.case}.{ranks}.nc")
        if run(*a.mpiexec.split(), "-n", ranks, a.program, *options, "-O", "--keep", path):
            bad.append(f"{ranks} ranks")
        elif files and not filecmp.cmp(files[0], path, shallow=False):
            bad.append(f"{path} differs from {files[0]}")
        files.append(path)
    tried = list(readers(a.parcdf, files[0])) if not bad else []
    results = [run(*command) for command in tried]
    bad += [" ".join(map(str, c)) for c, status in zip(tried, results) if status not in (0, 77)]
    print("\n".join(bad) or f"{a.case}: {files[0].stat().st_size} bytes on {a.ranks} ranks, "
          f"accepted by {results.count(0)} readers, {results.count(77)} not applicable")
    for path in files:
        if path.exists():
            os.unlink(path)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
