#!/usr/bin/env python3
"""Kills sessions that write a netCDF-4 file (netcdf4killed.c) at random calls, lets calls fail, and judges all states of one that is
recorded. Until it is recovered, such a file is refused by libnetcdf, or is what a sync left. An open for writing or `parcdf repair`
finishes the last change, and every record that a sync acknowledged is there. Before that, some marked files are renamed, linked or
copied, or lose their journal for a moment.

    netcdf4killed_test.py BUILD PARCDF SHIM MPIEXEC RANKS,... KILLS [SEED]     so many kills for each number of ranks
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import crash_test
import runner

try:
    import netCDF4
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

MARKED = b"\x89HDF\r\n\x1a\x8a"


def session(build, shim, mpiexec, ranks, place, *more, **shims):
    (place / "files").mkdir()
    env = [f"LD_PRELOAD={shim}", f"PCDF_SHIM_FOLDER={place / 'files'}", "PCDF_SHIM_DISK=1"]
    env += [f"PCDF_SHIM_{k.upper()}={v}" for k, v in shims.items()]
    start = [*mpiexec.split(), "-n", ranks] if ranks != "1" else []  # one rank needs no launcher
    done = subprocess.run([*start, "env", *env, f"{build}/netcdf4killed", "record" if more else "run",
                           str(place / "files/f.nc"), *more], text=True, capture_output=True,
                          env={**os.environ, **runner.KILLED}, timeout=60)
    return done.returncode, max((int(word) for word in done.stdout.split() if word.isdigit()), default=0)


def read(path):
    """By libnetcdf: the number of records, where all of `last` can be read; None: it refuses the file."""
    try:
        with netCDF4.Dataset(path) as ds:
            return len(ds.dimensions["t"]) if len(ds["last"][...]) == len(ds.dimensions["x"]) else None
    except OSError:
        return None


def displace(parcdf, path, rng):
    """What scripts do with a marked file before it is recovered: its new path, and what is wrong already."""
    way = rng.choice(["", "", "rename", "link", "copy", "journal elsewhere"])
    to = path.with_name("other.nc")
    if way == "rename":
        path.rename(to)
    elif way == "link":
        os.link(path, to)
        path.unlink()
    elif way == "copy":  # each has its own recovery; the copy's is an act of faith
        shutil.copy(path, to)
        plain = subprocess.run([parcdf, "repair", to], text=True, capture_output=True, timeout=60)
        forced = subprocess.run([parcdf, "repair", "--force", to], text=True, capture_output=True, timeout=60)
        first = subprocess.run([parcdf, "repair", path], text=True, capture_output=True, timeout=60)
        same = to.read_bytes() == path.read_bytes()
        path.unlink()
        if plain.returncode != 1 or "--force takes the journal" not in plain.stdout or forced.returncode or first.returncode or not same:
            return to, [f"copied: {plain.returncode} {plain.stdout} {forced.returncode} {forced.stdout} {first.stdout} same: {same}"]
    elif way == "journal elsewhere":
        journal, = path.parent.glob(".*.parcdf-journal")
        kept = path.parent.parent / "kept"
        journal.rename(kept)
        alone = subprocess.run([parcdf, "repair", path], text=True, capture_output=True, timeout=60)
        done = subprocess.run([parcdf, "repair", "--journal", kept, path], text=True, capture_output=True, timeout=60)
        if alone.returncode != 1 or "no journal lies beside it" not in alone.stdout or done.returncode:
            return path, [f"journal elsewhere: {alone.returncode} {alone.stdout} {done.returncode} {done.stdout} {done.stderr}"]
    return (to if to.exists() else path), []


def judge(build, parcdf, path, synced, repairs, rng):
    """Sentences about what is wrong, and whether the file was marked."""
    head = path.read_bytes()[:8] if path.exists() else b""
    is_marked, before = head == MARKED, read(path) if head else None
    was_marked = is_marked
    if not synced and head[:4] != MARKED[:4]:
        return [], False  # no metadata was ever written
    bad = []
    if is_marked != (before is None):
        bad.append(f"marked {is_marked}, libnetcdf finds {before} records")
    if is_marked:
        told = subprocess.run([parcdf, "check", path], text=True, capture_output=True, timeout=60)
        if told.returncode == 0 or "parcdf repair" not in told.stdout + told.stderr:
            bad.append(f"check says {told.returncode} {told.stdout} {told.stderr}")
        path, wrong = displace(parcdf, path, rng)
        bad += wrong
        head = path.read_bytes()[:8]
        is_marked = head == MARKED
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
    if found is None or found < synced:
        bad.append(f"libnetcdf finds {found} records, {synced} were synced")
    if list(path.parent.glob(".*")):
        bad.append(f"there is still {list(path.parent.glob('.*'))}")
    return bad, was_marked


def judge_states(build, shim, mpiexec, ranks, rng):
    """Every state that a kill or a power cut of all nodes could leave of a session; each rank's fsync covers its own writes alone."""
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        place = Path(folder).resolve()
        code, _ = session(build, shim, mpiexec, ranks, place, str(place / "log"), wait=1)
        if code:
            sys.exit(f"{ranks} ranks, recorded, end with {code}")
        (place / "judge").mkdir()
        words = ["metadata", 1, "subsets", 200, "every", 20, "kills", 5, "nested", 100, "seed", rng.randrange(1 << 30)]
        env = {"LD_PRELOAD": shim, "PCDF_SHIM_FOLDER": str(place / "judge"), "PCDF_SHIM_WAIT": "1", "PCDF_SHIM_DISK": "1"}
        done = subprocess.run([str(w) for w in [f"{build}/judge", place / "judge", *words, "least", 5000, place / "log"]], text=True,
                              capture_output=True, env={**os.environ, **env}, timeout=300)
        print(f"{ranks} ranks: {done.stdout.splitlines()[-1]}" if done.returncode == 0 else done.stdout + done.stderr)
        return done.returncode != 0


def fail_one(build, parcdf, shim, mpiexec, ranks, rng):
    """A session in which a call fails, or all from there on: it ends, and what was synced is there."""
    op, most = rng.choice([("write", 160), ("sync", 70), ("open", 40), ("read", 160), ("truncate", 10), ("unlink", 8), ("any", 230)])
    order = f"{op}:{rng.randint(1, most)}{rng.choice(['', '+'])}:{rng.choice(['ENOSPC', 'EIO', 'EDQUOT'])}"
    only = str(rng.randrange(int(ranks)))
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        place = Path(folder).resolve()
        code, synced = session(build, shim, mpiexec, ranks, place, fail=order, only=only)
        if code < 0 and code != -signal.SIGABRT:
            return order, [f"the session ends with {code}"]
        if code == 0 and synced != 8:
            return order, [f"the session succeeds, and synced {synced} records"]
        return f"{order} on rank {only}", judge(build, parcdf, place / "files/f.nc", synced, rng.random() < 0.5, rng)[0]


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
                bad, was_marked = judge(build, parcdf, place / "files/f.nc", synced, rng.random() < 0.5, rng)
                marked += was_marked
                failed += bool(bad)
                for line in bad:
                    print(f"{ranks} ranks, killed at {when}: {line}")
        failed += judge_states(build, shim, mpiexec, ranks, rng)
        for _ in range(int(kills)):
            order, bad = fail_one(build, parcdf, shim, mpiexec, ranks, rng)
            failed += bool(bad)
            for line in bad:
                print(f"{ranks} ranks, {order}: {line}")
        print(f"{ranks} ranks: {kills} kills at {calls} calls, {marked} files marked so far")
    return 1 if failed or not marked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
