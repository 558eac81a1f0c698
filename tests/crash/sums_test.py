#!/usr/bin/env python3
"""Records the session of sums_states.c on each number of ranks, and has it judged.
usage: sums_test.py SUMS_STATES SHIM MPIEXEC RANKS,..."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import runner


def main(program, shim, mpiexec, ranks):
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        folder = os.path.realpath(folder)
        for n in ranks.split(","):
            files, log = f"{folder}/files{n}", f"{folder}/{n}.log"
            os.mkdir(files)
            subprocess.run([*mpiexec.split(), "-n", n, "env", f"LD_PRELOAD={shim}", f"PCDF_SHIM_FOLDER={files}",
                            f"PCDF_SHIM_LOG={log}", program, "run", f"{files}/f.nc"], check=True, timeout=60)
            print(f"{n} ranks: ", end="", flush=True)
            if subprocess.run([program, "judge", log, "f.nc", "100"], timeout=100).returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
