#!/usr/bin/env python3
"""Records the sessions of staged_states.c on each number of ranks, and has what a crash may leave of them judged.
usage: staged_states_test.py STAGED_STATES SHIM MPIEXEC RANKS,... SUBSETS LEAST (of each session)"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import runner


def main(program, shim, mpiexec, ranks, subsets, least):
    failed = 0
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        folder = os.path.realpath(folder)
        for n in ranks.split(","):
            for more in ((), ("later",)):
                files, log, place = (f"{folder}/{what}{n}{len(more)}" for what in ("files", "log", "states"))
                os.makedirs(f"{files}/stage")
                subprocess.run([*mpiexec.split(), "-n", n, "env", f"LD_PRELOAD={shim}", f"PCDF_SHIM_FOLDER={files}",
                                "PCDF_SHIM_DISK=1", f"PCDF_SHIM_LOG={log}", program, "run", f"{files}/f.nc", f"{files}/stage",
                                *more], check=True, timeout=60)
                print(f"{n} ranks {' '.join(more)}: ", end="", flush=True)
                failed += subprocess.run([program, "judge", log, place, subsets, least], timeout=250).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
