#!/usr/bin/env python3
"""Fixes how many instructions the hot paths take, for each element, piece, request, call or variable: at most the limits of
limits.txt. Counted by valgrind's callgrind, so the numbers do not wobble; the difference of n and 2 n units, so that what
a call costs once drops out. And that they grow with the units, not faster.

    costs_test.py COSTLOOPS LAUNCHER [--update] [--only NAME]

On one rank every instruction counts, on two (together_...) those of the library alone: MPI waits as long as it likes.
--update writes the limits anew: what was measured and 15 %. Skipped (77) without valgrind, and where the processor is not
an x86-64 with AVX2, for which the limits are."""
import argparse
import math
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LIMITS = Path(__file__).resolve().parent / "limits.txt"
MARGIN = 1.15
POWER = 1.25  # from n to 2 n units; growth.c fits it over more. Not 1.15: more rounds are a step (pieces are looked at twice)
CALLGRIND = ["valgrind", "--tool=callgrind", "--zero-before=cost_measured", "--dump-after=cost_measured",
             "--compress-strings=no", "--compress-pos=no"]
# Where copying becomes one instruction that counts each byte differs between processors: never.
TUNABLES = "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff:glibc.cpu.x86_rep_stosb_threshold=0x7fffffff"


def unfit():
    """Why nothing can be compared here, or None."""
    if not shutil.which("valgrind"):
        return "no valgrind"
    if platform.machine() != "x86_64" or " avx2 " not in Path("/proc/cpuinfo").read_text():
        return "the limits are for x86-64 with AVX2"
    return None


def instructions(path, program):
    """Of one dump: all, or those of one program's own code."""
    text = path.read_text(errors="replace")
    if not program:
        return int(re.search(r"^totals: (\d+)", text, re.M).group(1))
    total, mine, called = 0, False, False
    for line in text.splitlines():
        if line.startswith("ob="):
            mine = os.path.basename(line) == program
        elif line.startswith("calls="):
            called = True  # the next line is the callee's
        elif line[:1].isdigit():
            total += int(line.split()[1]) if mine and not called else 0
            called = False
    return total


def measure(program, launcher, only):
    """{name: (instructions a unit, power by which they grow)}; with a launcher, of the mean of two ranks."""
    with tempfile.TemporaryDirectory(dir=".", prefix="costs_") as folder:
        words = [*launcher, *CALLGRIND, f"--callgrind-out-file={folder}/%p", program, *only]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, GLIBC_TUNABLES=TUNABLES))
        runs = re.findall(r"^(\w+) (\d+)$", done.stdout, re.M)
        if done.returncode or (not runs and not only):
            sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        ranks = {p.name.split(".")[0] for p in Path(folder).glob("*.1")}
        total = [0] * len(runs)
        for rank in ranks:
            for i in range(len(runs)):
                dump = Path(folder) / f"{rank}.{i + 1}"
                total[i] += instructions(dump, os.path.basename(program) if launcher else None) / len(ranks)
    pairs = zip(runs[::2], total[::2], total[1::2])
    return {name: ((twice - once) / int(n), math.log2(twice / once)) for (name, n), once, twice in pairs}


def read_limits():
    """{name: (limit, what)}, and the comment above."""
    text = LIMITS.read_text()
    rows = re.findall(r"^(\w+)\s+([\d.]+)\s+(.*)$", text, re.M)
    return {name: (float(limit), what) for name, limit, what in rows}, re.match(r"(#.*\n)*", text).group(0)


def rounded(x):
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("launcher")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="")
    a = parser.parse_args()
    if unfit():
        print("skipped:", unfit())
        return 77
    only = [a.only] if a.only else []
    with ThreadPoolExecutor(2) as pool:
        alone = pool.submit(measure, a.program, [], only)
        found = measure(a.program, [*a.launcher.split(), "-n", "2"], only)
        found = {**alone.result(), **found}
    limits, comment = read_limits()
    bad = [] if only or set(found) == set(limits) else [f"not both measured and limited: {set(found) ^ set(limits)}"]
    for name, (cost, power) in found.items():
        limit, what = limits.get(name, (0, "?"))
        print(f"{name:22}{rounded(cost):>8} of {rounded(limit):>8}, power {power:.2f}  {what}")
        if power > POWER:
            bad.append(f"{name}: instructions grow with the power {power:.2f} of the units")
        if cost > limit:
            bad.append(f"{name}: {rounded(cost)} instructions, more than {rounded(limit)}")
    if a.update and not only:
        limits = {name: limits.get(name, (0, "?")) for name in found}
    if a.update:
        limits.update((name, (cost * MARGIN, limits.get(name, (0, "?"))[1])) for name, (cost, _) in found.items())
        LIMITS.write_text(comment + "".join(f"{n:22}{rounded(x):>8}  {w}\n" for n, (x, w) in limits.items()))
        return 0
    print("\n".join(bad) or f"{len(found)} paths within their limits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
