#!/usr/bin/env python3
"""The border of the parts (src/parts/part.h): the library links, and works, without any of them, with each of them alone (and
those that it needs), and with all. The objects are those of this build; only the table of parts is compiled anew for each
choice. So the test fails where the kernel, or a part, calls a part that it must not know; and where a hint of a part that is
not there has an effect, or no sentence. The data file has the same bytes each time.

    border_test.py ARCHIVE MPICC"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ROOT / "src/parts"
ROW = re.compile(r'^PCDF_PART\((\w+), "([^"]*)", "([^"]*)"\)', re.M)
FOLDERS = [p for p in [*(ROOT / "src").iterdir(), ROOT / "mpiio", ROOT / "include", ROOT / "tests/support"] if p.is_dir()]


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))[:300]}\n{done.stdout}{done.stderr[:3000]}")
    return done.stderr


def with_needs(chosen, needs):
    more = chosen | {need for part in chosen for need in needs[part]}
    return more if more == chosen else with_needs(more, needs)


def compile_all(mpicc, place, *files):
    run(mpicc, "-std=c11", "-D_GNU_SOURCE", "-DPARCDF_THREAD_SAFE=0", "-DPARCDF_PROVE_SAME=0", f"-I{place}",
        *[f"-I{folder}" for folder in FOLDERS], "-c", *files, cwd=place)


def check(archive, mpicc, place, rows, built):
    """With these parts. The bytes of the file that the program writes."""
    place.mkdir()
    (place / "builtparts.def").write_text("".join(
        f'PCDF_{"BUILT" if name in built else "LEFT_OUT"}({name}, "{hints}")\n' for name, _, hints in rows))
    absent = [file for name, *_ in rows if name not in built for file in (PARTS / name).glob("absent*.c")]
    compile_all(mpicc, place, PARTS / "builtparts.c", *absent)
    shutil.copy(archive, place / "library.a")
    left_out = [f"{file.name}.o" for name, *_ in rows if name not in built for file in (PARTS / name).glob("*.c")]
    run("ar", "d", place / "library.a", "builtparts.c.o", *left_out)
    run(mpicc, "-o", place / "program", place.parent / "part_hints.o", *place.glob("*.o"), place / "library.a",
        "-lutf8proc", "-lm", "-ldl", "-lpthread")
    told = run(place / "program", place / "data.nc", *[name for name, *_ in rows if name in built], cwd=place,
               env={**os.environ, "PARCDF_QUIET": "0"})
    for name, *_ in rows:
        sentence = f"this library was built without {name} "
        if (sentence in told) is (name in built):
            sys.exit(f"with {sorted(built)}: {'no' if sentence not in told else 'a'} sentence about {name}:\n{told}")
    return (place / "data.nc").read_bytes()


def main(archive, mpicc=""):
    if not mpicc:
        print("skipped: the compiler of the MPI library is not known")
        return 77
    rows = ROW.findall((PARTS / "parts.def").read_text())
    needs = {name: set(text.split()) for name, text, _ in rows}
    objects = subprocess.run(["ar", "t", archive], capture_output=True, text=True, check=True).stdout.split()
    there = {name for name in needs if all(f"{file.name}.o" in objects for file in (PARTS / name).glob("*.c")
                                           if not file.name.startswith("absent"))}
    choices = {frozenset(), frozenset(there), *(frozenset(with_needs({name}, needs)) for name in there)}
    with tempfile.TemporaryDirectory(dir=".") as folder:
        place = Path(folder).resolve()
        compile_all(mpicc, place, ROOT / "tests/parts/part_hints.c")
        found = {check(archive, mpicc, place / "-".join(["with", *sorted(built)]), rows, built) for built in choices if built <= there}
    print(f"{len(choices)} libraries with some of {len(rows)} parts, {len(found)} kinds of bytes")
    return len(found) != 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
