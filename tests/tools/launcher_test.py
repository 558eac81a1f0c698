#!/usr/bin/env python3
"""The mpiexec of another MPI library starts several programs of one rank each, which write the same files. The commands end with status 2
and one sentence, the library says one line at the first create; where the launcher is the right one, or none, or tells of a whole batch
job, nothing is said.

    launcher_test.py PARCDF LAUNCHER_CREATE MPIEXEC
"""
import os
import shutil
import subprocess
import sys

PARCDF, CREATE, MPIEXEC = sys.argv[1], sys.argv[2], sys.argv[3].split()
SIGNS = ("OMPI_", "PMIX_", "PMI_", "SLURM_", "MV2_", "JSM_", "PALS_", "HYDRA_")
HOME = {name: value for name, value in os.environ.items() if not name.startswith(SIGNS)}
SENTENCE = "MPI sees one: it is the launcher of another MPI library"
bad = []


def run(what, words, status, lines, said=None, more=()):
    """lines: how many sentences of ours are said, by all processes together. status None: either, as two programs that make one
    file at the same time may disturb each other."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, env={**HOME, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **dict(more)})
    found = done.stderr.count(SENTENCE)
    if (status is not None and (done.returncode != 0) != (status != 0)) or (status and len(words) < 6 and done.returncode != status) or found != lines or (said or "") not in done.stderr:
        bad.append("%s: status %d, %d sentences: %s" % (what, done.returncode, found, done.stderr[-600:]))


def main():
    with open("x.cdl", "w") as f:
        f.write("netcdf x { dimensions: n = 2 ; variables: int v(n) ; data: v = 1, 2 ; }\n")
    run("gen", [PARCDF, "gen", "-o", "x.nc", "x.cdl"], 0, 0)
    # As launchers tell it
    two = [{"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}, {"PMI_SIZE": "4", "PMI_RANK": "0"},
           {"MV2_COMM_WORLD_SIZE": "2", "MV2_COMM_WORLD_RANK": "0"}, {"JSM_NAMESPACE_SIZE": "2", "JSM_NAMESPACE_RANK": "0"},
           {"SLURM_STEP_NUM_TASKS": "3", "SLURM_PROCID": "0", "SLURM_NTASKS": "3"}]
    none = [{}, {"SLURM_NTASKS": "8", "SLURM_PROCID": "0"}, {"SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}, {"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"},
            {"OMPI_COMM_WORLD_SIZE": "x", "OMPI_COMM_WORLD_RANK": "0"}, {"SLURM_STEP_NUM_TASKS": "2"}]
    mpich = "mpich" in MPIEXEC[0]
    for more in two + none:
        if mpich and "PMI_SIZE" in more:  # its own, without the process that it would ask
            continue
        wrong, names = more in two, " ".join(more)
        run("copy, " + names, [PARCDF, "copy", "-O", "x.nc", "y.nc"], 2 if wrong else 0, 1 if wrong else 0, "unset" if wrong else None, more.items())
        if wrong or len(more) == 2:
            run("create, " + names, [CREATE, "c"], 0, 1 if wrong else 0, None, more.items())
    second = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1"}
    run("copy, second process", [PARCDF, "copy", "-O", "x.nc", "y.nc"], 2, 0, None, second.items())
    run("create, second process", [CREATE, "c"], 0, 0, None, second.items())
    run("quiet", [CREATE, "c"], 0, 0, None, {**two[0], "PARCDF_QUIET": "1"}.items())
    # The machine's own
    for launcher in ("mpiexec.mpich", "mpiexec.openmpi"):
        if not shutil.which(launcher):
            print("not tested: no", launcher)
            continue
        right = launcher == os.path.basename(MPIEXEC[0])
        words = MPIEXEC if right else [launcher] + ["--oversubscribe"] * (launcher == "mpiexec.openmpi")
        run(launcher + " copy", [*words, "-n", "2", PARCDF, "copy", "-O", "x.nc", "z.nc"], 0 if right else 2, 0 if right else 1)
        run(launcher + " create", [*words, "-n", "2", CREATE, "d"], 0 if right else None, 0 if right else 1)
        run(launcher + " self", [*words, "-n", "2", CREATE, "e", "self"], None, 0 if right else 1)
    print("\n".join(bad) or "launcher_test: good")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
