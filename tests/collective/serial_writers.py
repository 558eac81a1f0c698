#!/usr/bin/env python3
"""Programs of one process each (serial_writers.c), as a job array has them, write interleaved places of one file at the same time,
with default hints: no value is lost, whatever way it was put.
usage: serial_writers.py PROGRAM FOLDER PROCESSES ROUNDS"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import runner


def main(program, folder, processes, rounds):
    os.environ.update(runner.MPI)
    seed = runner.seed()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = os.path.join(place, "shared.nc")
        subprocess.run([program, "make", path], check=True, timeout=60)
        writers = [subprocess.Popen([program, "write", path, str(me), processes, rounds, str(seed + me)])
                   for me in range(int(processes))]
        failed = [w.wait(timeout=300) for w in writers]
        checked = subprocess.run([program, "check", path, processes, rounds], timeout=60).returncode
    print(f"{processes} programs, {rounds} rounds: exit {failed}, check {checked}")
    return 1 if checked or any(failed) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
