#!/usr/bin/env python3
"""Jobs with logs of puts (staged.c) on 1 to 3 ranks are killed at random calls on their files, some in a close in the background.
The next open for writing, or `parcdf repair --stage`, which are killed now and then, too, must bring all that a sync had
acknowledged to the file, each counted record whole, and remove the logs; also if the file was renamed before, and another job
made a new one of its name. Before that the file has no counted record without its data, and an open for reading is refused where
the logs have more.
usage: staged_test.py BIN SHIM PARCDF "MPIEXEC..." RANKS KILLS [SEED]"""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import cdf
import runner

BIN, SHIM, PARCDF, MPIEXEC, RANKS, KILLS = sys.argv[1:7]
SEED = int(sys.argv[7]) if len(sys.argv) > 7 else runner.seed()
STEPS, ELEMENTS, CALLS = 24, 1 << 17, 200  # calls of a whole run on one rank, about
os.environ.update(runner.MPI)


class Lost(Exception):
    pass


def run(words, place, kill, number, ranks):
    """Exit status and what was printed; kill: at which call on a file all processes die."""
    env = [f"LD_PRELOAD={SHIM}", f"PCDF_SHIM_FOLDER={place}/files"]
    if kill:
        env += [f"PCDF_SHIM_KILL={kill}", f"PCDF_SHIM_SHARED={place}/shared{number}"]
    start = [*MPIEXEC.split(), "-n", str(ranks)] if ranks > 1 else []
    p = subprocess.run([*start, "env", *env, *map(str, words)], env={**os.environ, **(runner.KILLED if kill else {})},
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    return p.returncode, p.stdout


def whole(raw, want, what):
    if raw != struct.pack(">i", want) * (len(raw) // 4):
        raise Lost(f"{what}: not all values are {want}")


def check(path, ranks, acknowledged, done, what):
    """Each counted record is whole, as many as were acknowledged; of `last` nothing is older. Returns the number of records."""
    f = cdf.File(str(path), zero_missing=True)
    variables = {v.name: v for v in f.vars}
    if f.numrecs < acknowledged:
        raise Lost(f"{what}: {f.numrecs} records, {acknowledged} were acknowledged")
    for t, row in enumerate(variables["r"].rows()):
        for rank in range(ranks):
            whole(bytes(row[rank * ELEMENTS * 4:(rank + 1) * ELEMENTS * 4]), 100 * t + rank, f"{what}: record {t} of rank {rank}")
    raw = bytes(variables["last"].raw())
    for rank in range(ranks):
        mine = raw[rank * ELEMENTS * 4:(rank + 1) * ELEMENTS * 4]
        found = {struct.unpack(">i", mine[i:i + 4])[0] for i in range(0, len(mine), 4096)} if acknowledged else set()
        least = 100 * (acknowledged - 1) + rank
        if any(value < least for value in found):
            raise Lost(f"{what}: `last` of rank {rank} has {min(found)}, {least} was acknowledged")
        if done:
            whole(mine, least, f"{what}: `last` of rank {rank}")
    return f.numrecs


def move_away(place, path, chance):
    """Renames the file; now and then another job makes one of its old name, with the same hints. Returns the new name."""
    moved = path.with_name("crashed.nc")
    path.rename(moved)
    journal = path.with_name(".run.nc.parcdf-journal")
    if journal.exists():  # as one who knows it does
        journal.rename(path.with_name(".crashed.nc.parcdf-journal"))
    if chance.random() < 0.5:
        words = [f"{BIN}/staged", 1, 2, path, path.with_name("stage"), place / "other_notes"]
        status, said = run(words, place, 0, 0, chance.choice([1, 2]))
        if status:
            raise Lost(f"a new file of the old name: {status}\n{said}")
    return moved


def look_at(place, ranks, notes, chance):
    """What a killed job left. Returns what happened."""
    path, stage = place / "files" / "run.nc", place / "files" / "stage"
    lines = notes.read_text().split() if notes.exists() else []
    done = "closed" in lines
    acknowledged = max((int(line) for line in lines if line.isdigit()), default=0)
    if not path.exists() or path.stat().st_size < 32:
        if acknowledged:
            raise Lost("the file is gone")
        return "nothing"
    marked = path.read_bytes()[3] & 0x80
    moves = chance.random() < 0.3
    if moves:
        path = move_away(place, path, chance)
    before = None if marked else check(path, ranks, 0, False, "before the repair")
    logs = list(stage.iterdir())
    sums = [(log, log.read_bytes()) for log in logs]
    read = run([f"{BIN}/staged", "read", path, stage], place, 0, 0, chance.choice([1, 2]))[1]
    if [(log, log.read_bytes()) for log in logs if log.exists()] != sums:
        raise Lost(f"an open for reading changed the logs: {read}")
    by_open = chance.random() < 0.6
    for number in range(2, 5):  # killed twice at most
        kill = chance.randrange(1, 40) if chance.random() < 0.5 and number < 4 else 0
        if kill and number == 2 and chance.random() < 0.3:  # an open that is killed late is gone on with, too
            time.sleep(1.1)
        if by_open:
            status, said = run([f"{BIN}/staged", "write", path, stage], place, kill, number, chance.choice([1, 2]))
            status = status or ("NC_NOERR" not in said)
        else:
            status, said = run([PARCDF, "repair", "--stage", stage, path], place, kill, number, 1)
        if status == 0:
            break
        if not kill or (status not in (-9, 137) and "signal 9" not in said):
            raise Lost(f"{'open' if by_open else 'repair'}: {status}\n{said}")
    after = check(path, ranks, acknowledged, done, "after the repair")
    if not marked and after != before and "NC_ERECOVER" not in read:
        raise Lost(f"an open for reading gave {read}, though the logs were needed: {before} records, then {after}")
    left = [log for log in stage.iterdir() if log.name.startswith("run.nc.parcdf") and log.stat().st_size >= 8192]
    if left:
        raise Lost(f"logs are left: {left}\n{said}")
    what = "closed" if done else "replayed" if after != before else "had logs" if logs else "no logs"
    return what + " by open" * (what == "replayed" and by_open) + ", renamed" * (what == "replayed" and moves)


def main():
    chance = random.Random(SEED)
    counts = {}
    for number in range(int(KILLS)):
        ranks = chance.choice([int(r) for r in RANKS.split(",")])
        seed, kill = chance.randrange(1 << 30), chance.randrange(1, CALLS * ranks)
        place = Path(tempfile.mkdtemp(prefix="staged", dir=runner.MEMORY))
        (place / "files" / "stage").mkdir(parents=True)
        try:
            words = [f"{BIN}/staged", seed, STEPS, place / "files" / "run.nc", place / "files" / "stage", place / "notes"]
            words += ["later"] * chance.randrange(2)
            status, said = run(words, place, kill, 1, ranks)
            if status and "signal 9" not in said and status not in (-9, 137):
                raise Lost(f"{status}\n{said}")
            what = look_at(place, ranks, place / "notes", chance)
            counts[what] = counts.get(what, 0) + 1
        except (Lost, cdf.CdfError) as e:
            print(f"job {number} (seed {seed}, {ranks} ranks, killed at call {kill}, {place}): {e}")
            return 1
        shutil.rmtree(place)
    print(f"{KILLS} kills: {counts}")
    replayed = {what: sum(n for key, n in counts.items() if key.startswith("replayed") and what in key)
                for what in ("", " by open", ", renamed")}
    return 0 if min(replayed.values()) >= int(KILLS) // 20 else 1


if __name__ == "__main__":
    sys.exit(main())
