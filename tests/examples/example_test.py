#!/usr/bin/env python3
"""An example runs well, says so in one sentence, and leaves a file that other programs find good.

    example_test.py PROGRAM PARCDF LAUNCHER RANKS"""
import re
import shutil
import subprocess
import sys
from pathlib import Path


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=100)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def main(program, parcdf, launcher, ranks):
    name = Path(program).name.replace("example_", "")
    path = Path(f"{name}.nc")
    path.unlink(missing_ok=True)
    said = run(launcher, "-n", ranks, program, path)
    print(said.strip())
    if not path.exists() or not re.search(r"\b0 \w+ (wrong|were not)", said):
        sys.exit(f"{name} left no {path}, or did not say that 0 values are wrong")
    run(parcdf, "check", path)
    if shutil.which("ncvalidator"):
        run("ncvalidator", "-q", path)
    if shutil.which("ncdump"):
        print(run("ncdump", "-h", path))
        run("ncdump", path)


if __name__ == "__main__":
    main(*sys.argv[1:])
