#!/usr/bin/env python3
"""An example runs well, says so in one sentence, and leaves a file that other programs find good.

    example_test.py PROGRAM PARCDF LAUNCHER RANKS"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner


def main(program, parcdf, launcher, ranks):
    name = Path(program).name.replace("example_", "")
    path = Path(f"{name}.nc")
    path.unlink(missing_ok=True)
    said = runner.need(launcher, "-n", ranks, program, path)
    print(said.strip())
    if not path.exists() or not re.search(r"\b0 \w+ (wrong|were not)", said):
        sys.exit(f"{name} left no {path}, or did not say that 0 values are wrong")
    runner.need(parcdf, "check", path)
    if shutil.which("ncvalidator"):
        runner.need("ncvalidator", "-q", path)
    if shutil.which("ncdump"):
        print(runner.need("ncdump", "-h", path))
        runner.need("ncdump", path)


if __name__ == "__main__":
    main(*sys.argv[1:])
