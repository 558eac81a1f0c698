#!/usr/bin/env python3
"""What a crash leaves of flushes of HDF5's metadata (src/define/metajournal.h): files are made as tests/virtual/h5meta_test.py makes
them; the flushes are recorded (metaflushes.c), all states that a crash could leave are judged (judge.c), and each call of a flush fails.
Files that were killed in the middle and recovered are read by libnetcdf.

    metaflushes_test.py BUILD SHIM FILES LEAST [SEED]     at least so many distinct states in all
"""
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "virtual")]
import h5meta_test  # says that it is skipped where libnetcdf or h5py are missing
import netCDF4
import runner

DISTINCT = re.compile(r"all: \d+ states \((\d+) distinct\).* (\d+) bad")


def make_operations(program, rng, place):
    """Those of a new file, new.ops with new.nc after it, and of the same file when it is there, old.ops with old.nc."""
    os.chdir(place)
    m = h5meta_test.Model(rng)
    for _ in range(rng.randint(1, 4)):
        m.add_dim()
    for _ in range(rng.randint(1, 8)):
        m.add_var()
    m.flush("new.0.nc")
    for k in range(rng.randint(1, 4)):
        h5meta_test.steps(m, f"new.{k + 1}.nc")
    run_operations(program, place, "new", m.lines)
    (place / "new.nc").write_bytes((place / "file.nc").read_bytes())
    m.lines = []
    m.say_mode()
    m.say_all("file.nc")
    for k in range(rng.randint(1, 3)):
        h5meta_test.steps(m, f"old.{k}.nc")
    run_operations(program, place, "old", m.lines, "old")
    return m.copies


def run_operations(program, place, name, lines, *more):
    os.environ["H5META_OPERATIONS"] = str(place / f"{name}.ops")
    done = h5meta_test.run(program, "file.nc", lines, 0, *more)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.returncode} {done.stdout} {done.stderr}")


def launch(shim, folder, *command, check=True, **more):
    env = dict(os.environ, LD_PRELOAD=shim, PCDF_SHIM_FOLDER=str(folder), PCDF_SHIM_DISK="1", **more)
    done = subprocess.run([str(c) for c in command], env=env, text=True, capture_output=True, timeout=500)
    if check and done.returncode:
        print(done.stdout, done.stderr)
        raise RuntimeError(f"{command} ends with {done.returncode}")
    return done


def judge_states(build, shim, place, name, rng):
    """The number of distinct states."""
    files, judging, log = place / name, place / f"{name}.judge", place / f"{name}.log"
    files.mkdir()
    judging.mkdir()
    if name == "old":
        (files / "f.nc").write_bytes((place / "new.nc").read_bytes())
    launch(shim, files, f"{build}/metaflushes", "run", files / "f.nc", place / f"{name}.ops", log, PCDF_SHIM_WAIT="1")
    words = ["metadata", 1, "subsets", 330, "every", 10, "kills", 3, "nested", 60, "seed", rng.randrange(1 << 30)]
    done = launch(shim, judging, f"{build}/judge", judging, *words, log, check=False, PCDF_SHIM_WAIT="1")
    found = DISTINCT.search(done.stdout)
    if done.returncode or not found:
        print(done.stdout, done.stderr)
        raise RuntimeError(f"judge ends with {done.returncode}")
    return int(found.group(1))


def fail_calls(build, shim, place, name):
    folder = place / f"{name}.fail"
    folder.mkdir()
    if name == "old":
        (folder / "f.nc").write_bytes((place / "new.nc").read_bytes())
    print(launch(shim, folder, f"{build}/metaflushes", "fail", folder / "f.nc", place / f"{name}.ops").stdout, end="")


def definitions(name):
    """All that h5py and libnetcdf say of a file but its values, each of which can be read."""
    with netCDF4.Dataset(name) as ds:
        dims = [(n, len(d)) for n, d in ds.dimensions.items()]
        for v in ds.variables.values():
            v[...]
    return dims, h5meta_test.structure(name)


def kill_and_read(build, shim, place, rng, copies):
    """The file that is there, killed at each call that changes anything; libnetcdf reads what a recovery leaves."""
    known = [definitions(place / n) for n in ["new.nc", *(n for n, _ in copies if n.startswith("old"))]]
    for k in range(1, 300):
        folder = place / f"kill{k}"
        folder.mkdir()
        (folder / "f.nc").write_bytes((place / "new.nc").read_bytes())
        torn = rng.choice(["", "torn"])
        done = launch(shim, folder, f"{build}/metaflushes", "replay", folder / "f.nc", place / "old.ops", place / f"kill{k}.log", check=False,
                      PCDF_SHIM_WAIT="1", PCDF_SHIM_KILL=f"{k}{torn}", PCDF_SHIM_SHARED=str(place / f"shared{k}"))
        if done.returncode == 0:
            return k - 1
        subprocess.run([f"{build}/metaflushes", "recover", folder / "f.nc", "-"], check=True, timeout=60)
        if definitions(folder / "f.nc") not in known:
            raise RuntimeError(f"killed {torn} at call {k}: the file is none of those that were flushed")
    raise RuntimeError("300 kills, and no end")


def main(build, shim, files, least, seed=None):
    seed = int(seed) if seed else runner.seed()
    build, shim = os.path.realpath(build), os.path.realpath(shim)
    states = kills = 0
    print(f"seed {seed}")
    for i in range(int(files)):
        rng = random.Random(f"{seed} {i}")
        with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
            place = Path(folder).resolve()
            copies = make_operations(f"{build}/h5meta_write", rng, place)
            for name in ("new", "old"):
                states += judge_states(build, shim, place, name, rng)
                if i < 3:
                    fail_calls(build, shim, place, name)
            kills += kill_and_read(build, shim, place, rng, copies)
            os.chdir("/")
    print(f"{states} distinct states, {kills} kills")
    return 0 if states >= int(least) and kills > 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
