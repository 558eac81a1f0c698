#!/usr/bin/python3
"""Random programs that write files of netCDF-4, judged from outside; what fails is made smaller and printed.

    run_netcdf4.py --program PROG --mpiexec CMD [--ranks 1,2,4] [--programs N] [--seed S] [--without STEPS] [--dir DIR]
                   [--plugins DIR]

N programs on each number of ranks, of the seeds from S on ("today": the day's seed or PARCDF_SEED). --without leaves out
steps of the program (names in program.c) and hints. --plugins: filters for libhdf5; without, zstd is left out, which libhdf5
itself does not have. Exit 0: all good."""
import argparse
import collections
import glob
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import runner
from run_model import spans

JUDGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge_netcdf4.py")
BATCH, SHRINK_SECONDS, MOST_FAILURES = 100, 15, 10


def command(a, ranks, seed, programs, ops, folder, *more):
    words = shlex.split(a.mpiexec) + ["-n", str(ranks), a.program, "--judged", "--seed", str(seed), "--programs", str(programs),
                                      "--ops", str(ops), "--format", a.format, "--dir", folder]
    return words + (["--without", a.without] if a.without else []) + list(more)


def complaint(text):
    """The lines that say what is wrong."""
    lines = [line for line in text.splitlines() if re.match(r"model: (seed \d+, |it was|hangs)|judge: /|    rank |.*(Sanitizer|Assert|signal)", line)]
    return "\n".join(lines[:12]) or text[-1500:]


def kind(said):
    """What of a complaint must stay while a program is made smaller."""
    found = re.search(r"(?:rank \d+|nc): (.{0,60})", said or "")
    return re.sub(r"\S*\d\S*", "#", found.group(1))[:18] if found else said and said[:18]


def judge(files, a):
    if not files:
        return 0, ""
    return runner.run(sys.executable, JUDGE, "--tools", a.tools, *files, timeout=600)


def try_one(a, ranks, seed, ops, skip):
    """(what is wrong, or None; the command) of one program."""
    with tempfile.TemporaryDirectory(dir=a.dir) as folder:
        words = command(a, ranks, seed, 1, ops, folder, *(["--skip", spans(skip)] if skip else []))
        status, text = runner.run(*words, timeout=120)
        if not status:
            status, text = judge(glob.glob(folder + "/*.nc"), a)
        return (complaint(text) or "exit status %d" % status) if status else None, words


def shrink(a, ranks, seed, said):
    """Fewer operations with which it still fails, as (what is wrong, command)."""
    found = re.search(r"operation (\d+)", said)
    ops, skip, stop, right = a.ops, set(), time.time() + SHRINK_SECONDS, kind(said)
    if found and int(found.group(1)) + 1 < ops and kind(try_one(a, ranks, seed, int(found.group(1)) + 1, skip)[0]) == right:
        ops = int(found.group(1)) + 1
    size = max(1, ops // 2)
    while size >= 1:
        for start in range(1, ops, size):
            chunk = set(range(start, min(start + size, ops))) - skip
            if time.time() > stop:
                return (*try_one(a, ranks, seed, ops, skip), ops)
            if chunk and kind(try_one(a, ranks, seed, ops, skip | chunk)[0]) == right:
                skip |= chunk
        size //= 2
    return (*try_one(a, ranks, seed, ops, skip), ops)


def report(a, ranks, seed, said):
    print("seed %d on %d ranks fails:\n%s" % (seed, ranks, said), flush=True)
    if a.shrink:
        small, words, ops = shrink(a, ranks, seed, said)
        print("smaller: %s\nagain: env PNETCDF_HINTS='%s' %s --print" % (small, os.environ.get("PNETCDF_HINTS", ""), shlex.join(words)), flush=True)


def count(counts, text):
    """What the program and the judge say of how much they did, in their last lines."""
    found = re.search(r"operations: (.*)", text)
    for n, what in re.findall(r"([1-9]\d*) ([^,]+)", found.group(1) if found else text.rsplit(" bad;", 1)[-1]):
        counts[what.strip()] += int(n)


def run_batch(a, ranks, seed, n, counts):
    """How many of n programs failed."""
    bad, end = 0, seed + n
    while seed < end:
        with tempfile.TemporaryDirectory(dir=a.dir) as folder:
            status, text = runner.run(*command(a, ranks, seed, end - seed, a.ops, folder), timeout=60 + 10 * (end - seed))
            done = [int(x) for x in re.findall(r"seed (\d+) is done", text)]
            files = [f"{folder}/program_{x}.nc" for x in done]
            judged, judgement = judge(files, a)
            count(counts, text)
            count(counts, judgement)
            counts["programs"] += len(done)
            for line in re.findall(r"judge: .*program_(\d+)\.nc: (.*)", judgement):
                bad += 1
                report(a, ranks, int(line[0]), "judge: " + line[1])
            if judged and "judge: " not in judgement:
                sys.exit("the judge failed: " + judgement[-2000:])
        seed = (done[-1] if done else seed - 1) + 1
        if status:
            bad += 1
            report(a, ranks, seed, complaint(text))
            seed += 1
        if bad >= MOST_FAILURES:
            return bad
    return bad


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", required=True)
    p.add_argument("--mpiexec", required=True)
    p.add_argument("--ranks", default="1,2")
    p.add_argument("--programs", type=int, default=100)
    p.add_argument("--seed", default="1")
    p.add_argument("--ops", type=int, default=80)
    p.add_argument("--format", default="34", help="1, 2, 5; 3 or 4: netCDF-4 or its classic model; 34: either")
    p.add_argument("--without", default="")
    p.add_argument("--plugins", default=os.environ.get("HDF5_PLUGIN_PATH"), help="folder of filters for libhdf5")
    p.add_argument("--tools", type=int, default=100, help="other programs open one file in so many")
    p.add_argument("--dir", default=runner.MEMORY)
    p.add_argument("--no-shrink", dest="shrink", action="store_false")
    a = p.parse_args()
    if runner.run(sys.executable, "-c", "import netCDF4, numpy")[0]:
        print("skipped: netCDF4 of Python is missing")
        return 77
    if a.plugins:
        os.environ["HDF5_PLUGIN_PATH"] = a.plugins
    else:
        a.without = ",".join(filter(None, [a.without, "zstd"]))
    counts = collections.Counter()
    first, bad, begun = runner.seed() if a.seed == "today" else int(a.seed), 0, time.time()
    for ranks, at in itertools.product(map(int, a.ranks.split(",")), range(0, a.programs, BATCH)):
        if bad < MOST_FAILURES:
            bad += run_batch(a, ranks, first + at, min(BATCH, a.programs - at), counts)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    print("%d programs on %s ranks in %.0f s: %d fail" % (a.programs, a.ranks, time.time() - begun, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
