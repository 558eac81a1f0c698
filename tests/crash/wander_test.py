#!/usr/bin/env python3
"""Random programs (wander.c) on 1 to 3 ranks are killed at random calls and go on, on another number of ranks. Between two
lives a script does what scripts do: renames the file, gives its name to a backup and opens that, copies it, links it. All
that a finished step wrote must be there, in the file and in each copy.
usage: wander_test.py BIN SHIM PARCDF "MPIEXEC..." RANKS KILLS [SEED]"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

BIN, SHIM, PARCDF, MPIEXEC, RANKS, KILLS = sys.argv[1:7]
SEED = int(sys.argv[7]) if len(sys.argv) > 7 else runner.seed()
STEPS = 30
os.environ.update(runner.MPI)


class Lost(Exception):
    pass


def command(*words, good=(0,)):
    done = subprocess.run([*map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=200)
    if done.returncode not in good:
        raise Lost(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def life(place, seed, file, ranks, kill, number):
    """True: it was killed."""
    env = [f"LD_PRELOAD={SHIM}", f"PCDF_SHIM_FOLDER={place}/files"]
    if kill:
        env += [f"PCDF_SHIM_KILL={kill}", f"PCDF_SHIM_SHARED={place}/shared{number}"]
    start = [*MPIEXEC.split(), "-n", str(ranks)] if ranks > 1 else []
    p = subprocess.run([*start, "env", *env, f"{BIN}/wander", "run", str(seed), str(STEPS), str(file), f"{place}/done"],
                       env={**os.environ, **(runner.KILLED if kill else {})}, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    if p.returncode == 0:
        return False
    # MPICH's launcher names the rank that lost its peer where that ended first; a rank that finds something wrong says "checks,"
    was_killed = "signal 9" in p.stdout or p.returncode in (-signal.SIGKILL, 137) or (kill and "EXIT CODE: 1\n" in p.stdout)
    if "checks," in p.stdout or not was_killed:
        raise Lost(f"seed {seed} on {ranks} ranks: {p.returncode}\n{p.stdout[-3000:]}")
    return True


def done_steps(place):
    path = place / "done"
    return path.stat().st_size if path.exists() else 0


def check_copy(place, seed, copy, done):
    """A copy that was taken of a marked file needs the journal of the file, and --force, since its inode is another."""
    kept = place / "done_copy"
    kept.write_bytes(b"+" * done)
    command(PARCDF, "repair", "--force", copy)
    command(f"{BIN}/wander", "check", seed, STEPS, copy, kept)


def script(place, seed, file, backup, pick):
    """What happens between two lives: the path that the file has now."""
    what = pick.randrange(6)
    done = done_steps(place)
    if what == 0 or not done or not file.exists():
        return file
    moved = file.with_name(f"run{pick.randrange(10**9)}.nc")
    if what in (1, 2):
        file.rename(moved)
    if what == 2 and backup.exists():  # the old name to another file, which is changed
        shutil.copy(backup, file)
        command(f"{BIN}/moving", "open", file)
        moved.with_suffix(".gone").write_bytes(b"")
        file.unlink()
        return moved
    if what == 3:
        shutil.copy(file, moved)
        check_copy(place, seed, moved, done)
        moved.unlink()
        return file
    if what == 4:  # another link, and the first name goes
        os.link(file, moved)
        file.unlink()
        return moved
    if what == 5:
        shutil.copy(file, backup)
        if backup.read_bytes()[3] & 0x80:
            backup.unlink()
        return file
    return moved if what == 1 or what == 2 else file


def wander(place, seed, pick, wanted, count):
    file, backup = place / "files" / "run.nc", place / "backup.nc"
    kills = 0
    while kills < wanted:
        ranks = pick.choice([int(r) for r in RANKS.split(",")])
        kill = int(2 ** pick.uniform(2, 8.5)) * ranks
        if not life(place, seed, file, ranks, kill, count + kills):
            break
        kills += 1
        file = script(place, seed, file, backup, pick)
    life(place, seed, file, 1, None, 0)  # to the end of its steps
    (place / "done").write_bytes(b"+" * STEPS)
    command(f"{BIN}/wander", "check", seed, STEPS, file, place / "done")
    return kills


def main():
    pick = random.Random(SEED)
    wanted, kills, lost, files, start = int(KILLS), 0, 0, 0, time.time()
    while kills < wanted:
        place = Path(tempfile.mkdtemp(prefix="parcdf_wander_", dir=runner.MEMORY or ".")).resolve()
        (place / "files").mkdir()
        seed, before = pick.randrange(2 ** 31), kills
        files += 1
        try:
            kills += wander(place, seed, pick, wanted - kills, kills)
        except Lost as e:
            lost += 1
            print(e, flush=True)
            kills = before + 1
            if os.environ.get("PARCDF_KEEP"):
                print(f"kept: {place}")
                continue
        shutil.rmtree(place, ignore_errors=True)
        if time.time() - start > float(os.environ.get("PARCDF_WANDER_S", "1e9")):
            break
    print(f"{kills} kills, {files} files, {lost} lost, seed {SEED}, {time.time() - start:.0f} s")
    return 1 if lost or kills == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
