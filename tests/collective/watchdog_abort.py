#!/usr/bin/env python3
"""Fixes: hint pcdf_debug_watchdog_abort=true ends the job when a rank does not come to a call in pcdf_watchdog_s seconds: the
launcher fails, and standard error names file, call, variable and the missing rank.
usage: watchdog_abort.py MISSING_RANK MPIEXEC"""
import re
import subprocess
import sys

SENTENCE = re.compile(r"parcdf: \./missing_rank_\d+\.nc, rank 0: waited \d+\.\d s in put \(call \d+, variable cells\) for "
                      r"rank 1, which did not come; .* \(hint pcdf_debug_watchdog_abort ends the job\)")


def main(program, *mpiexec):
    run = subprocess.run([*mpiexec, "-n", "2", program, ".", "abort"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, timeout=60)
    if run.returncode == 0 or not SENTENCE.search(run.stdout):
        print(f"the job ends with status {run.returncode} and says:\n{run.stdout}")
        return 1
    return 0


sys.exit(main(*sys.argv[1:]))
