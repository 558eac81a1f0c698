#!/usr/bin/env python3
"""Kills sessions that write a netCDF-4 file (netcdf4killed.c) at random calls. Until it is recovered, such a file is refused by libnetcdf,
or is what a sync left; an open for writing or `parcdf repair` makes the last metadata of it, and every record that a sync acknowledged
is there.

    netcdf4killed_test.py BUILD PARCDF SHIM MPIEXEC RANKS,... KILLS [SEED]     so many kills for each number of ranks
"""
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import crash_test
import runner

MARKED = b"\x89HDF\r\n\x1a\x8a"


def session(build, shim, mpiexec, ranks, place, **shims):
    (place / "files").mkdir()
    env = [f"LD_PRELOAD={shim}", f"PCDF_SHIM_FOLDER={place / 'files'}", "PCDF_SHIM_DISK=1"]
    env += [f"PCDF_SHIM_{k.upper()}={v}" for k, v in shims.items()]
    start = [*mpiexec.split(), "-n", ranks] if ranks != "1" else []  # one rank needs no launcher
    done = subprocess.run([*start, "env", *env, f"{build}/netcdf4killed", "run", str(place / "files/f.nc")], text=True, capture_output=True,
                          env={**os.environ, **runner.KILLED}, timeout=60)
    return done.returncode, max((int(word) for word in done.stdout.split() if word.isdigit()), default=0)


def read(path):
    """By libnetcdf: the number of records, and whether all of `last` can be read; None: it refuses the file."""
    try:
        import netCDF4
    except ImportError:
        return 0
    try:
        with netCDF4.Dataset(path) as ds:
            return len(ds.dimensions["t"]) if len(ds["last"][...]) == len(ds.dimensions["x"]) else None
    except OSError:
        return None


def judge(build, parcdf, path, synced, repairs):
    """Sentences about what is wrong, and whether the file was marked."""
    head = path.read_bytes()[:8] if path.exists() else b""
    is_marked, before = head == MARKED, read(path) if head else None
    if not synced and head[:4] != MARKED[:4]:
        return [], False  # no metadata was ever written
    bad = []
    if is_marked != (before is None):
        bad.append(f"marked {is_marked}, libnetcdf finds {before} records")
    if is_marked:
        told = subprocess.run([parcdf, "check", path], text=True, capture_output=True, timeout=60)
        if told.returncode == 0 or "parcdf repair" not in told.stdout + told.stderr:
            bad.append(f"check says {told.returncode} {told.stdout} {told.stderr}")
    if repairs:
        for more in (["--dry-run"], []):
            done = subprocess.run([parcdf, "repair", *more, path], text=True, capture_output=True, timeout=60)
            if done.returncode or (is_marked and ("would" if more else "repaired") not in done.stdout):
                bad.append(f"repair says {done.returncode} {done.stdout} {done.stderr}")
            if more and path.read_bytes()[:8] != head:
                bad.append("a dry run changes the file")
    else:
        done = subprocess.run([f"{build}/netcdf4killed", "check", path, str(synced)], text=True, capture_output=True, timeout=60)
        if done.returncode:
            bad.append(f"check: {done.stdout} {done.stderr}")
    found = read(path)
    if found is None or found < (0 if found == 0 and not synced else synced):
        bad.append(f"libnetcdf finds {found} records, {synced} were synced")
    if list(path.parent.glob(".*")):
        bad.append(f"there is still {list(path.parent.glob('.*'))}")
    return bad, is_marked


def main(build, parcdf, shim, mpiexec, numbers, kills, seed=None):
    rng = random.Random(int(seed) if seed else runner.seed())
    failed = marked = 0
    for ranks in numbers.split(","):
        with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
            place = Path(folder).resolve()
            code, records = session(build, shim, mpiexec, ranks, place, log=place / "log")
            if code or records != 8:
                sys.exit(f"{ranks} ranks end with {code} and {records} records")
            calls = crash_test.count_calls(place / "log")
        for _ in range(int(kills)):
            with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
                place = Path(folder).resolve()
                when = f"{rng.randint(1, calls)}{rng.choice(['', 'torn'])}"
                code, synced = session(build, shim, mpiexec, ranks, place, kill=when, shared=place / "shared")
                bad, was_marked = judge(build, parcdf, place / "files/f.nc", synced, rng.random() < 0.5)
                marked += was_marked
                failed += bool(bad)
                for line in bad:
                    print(f"{ranks} ranks, killed at {when}: {line}")
        print(f"{ranks} ranks: {kills} kills at {calls} calls, {marked} files marked so far")
    return 1 if failed or not marked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
