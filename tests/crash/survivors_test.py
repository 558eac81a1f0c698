#!/usr/bin/env python3
"""One rank is killed while a file is closed in the background (survivors.c): the first, whose thread completes the file, or
another one, before or after all is written. No other rank waits for ever, and the file is old or new. By Open MPI's launcher, which
ends the other ranks only without --enable-recovery.
usage: survivors_test.py SURVIVORS "MPIEXEC..." RANKS KILLS [SEED]"""
import random
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import cdf
import runner

PROGRAM, MPIEXEC, RANKS, KILLS = sys.argv[1:5]
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else runner.seed()
OLD, NEW = [1], {"create": [2, 2, 2], "append": [1, 2, 2]}
MICROSECONDS = 800000  # about twice what a close takes


def values(path):
    """Of each record the value that all its elements have."""
    found = []
    for row in cdf.File(str(path), zero_missing=True).vars[0].rows():
        raw = bytes(row)
        found.append(struct.unpack(">i", raw[:4])[0] if raw == raw[:4] * (len(raw) // 4) else "mixed")
    return found


def main():
    chance = random.Random(SEED)
    counts = {}
    for number in range(int(KILLS)):
        ranks = chance.choice([int(r) for r in RANKS.split(",")])
        victim, how = number % 4 // 2 * chance.randrange(1, ranks), ("create", "append")[number % 2]
        after = chance.randrange(MICROSECONDS)
        with tempfile.TemporaryDirectory(prefix="survivors", dir=runner.MEMORY) as folder:
            path = Path(folder) / "f.nc"
            status, said = runner.run(*MPIEXEC.split(), "--enable-recovery", "-n", ranks, PROGRAM, path, victim, after, how,
                                      timeout=60)
            found = values(path)
        if said.count("survived") != ranks - 1 or found not in (OLD, NEW[how]):
            print(f"kill {number} (seed {SEED}): rank {victim} of {ranks}, {after} us after a close of kind {how}: status "
                  f"{status}, records {found}\n{said}")
            return 1
        what = f"{'first' if victim == 0 else 'other'}, {'old' if found == OLD else 'new'}"
        counts[what] = counts.get(what, 0) + 1
    print(f"{KILLS} kills: {counts}")
    return 0 if len(counts) == 4 or int(KILLS) < 12 else 1


if __name__ == "__main__":
    sys.exit(main())
