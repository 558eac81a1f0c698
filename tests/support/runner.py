"""What scripts of several folders share: commands that are run and judged, folders in memory, the day's seed, samples.

    import runner
    out = runner.need("ncdump", "-h", path)         ends the test where the command fails, with what it printed
    status, out = runner.run("ncdump", "-h", path)
"""
import datetime
import os
import random
import shlex
import subprocess
import sys

# Many ranks on few cores, also as root; ctest sets these, a test that is started by hand needs them.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_pml": "ob1"}
# For a command without a launcher whose files may not grow: MPICH by UCX makes shared files when MPI starts, and dies of SIGXFSZ.
NO_SHARED_FILES = {"UCX_TLS": "self"}
# For a job whose ranks are all killed: mpiexec of Open MPI gives them two seconds more, which nobody needs.
KILLED = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}
# For the `dir` of tempfile: a folder in memory where there is one, since files are flushed at every close.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def run(*words, timeout=300, env=None, **more):
    """(exit status, what was printed): 124 for a command that took too long."""
    try:
        done = subprocess.run([str(w) for w in words], env={**os.environ, **MPI, **(env or {})}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout, **more)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as e:
        said = e.stdout or b""
        return 124, said if isinstance(said, str) else said.decode(errors="replace")


def need(*words, status=0, **more):
    """What the command printed; the test ends as failed unless its exit status is `status`."""
    got, text = run(*words, **more)
    if got != status:
        sys.exit(f"{shlex.join(map(str, words))}: exit status {got}, not {status}\n{text[-4000:]}")
    return text.strip()


def seed():
    """The seed of samples: PARCDF_SEED where it is set, else the day. It is printed, so that a failure can be repeated."""
    number = int(os.environ.get("PARCDF_SEED") or datetime.date.today().strftime("%Y%m%d"))
    print(f"seed {number} (PARCDF_SEED={number} repeats it)", flush=True)
    return number


def sample(rows, share, number):
    """One in `share` of the rows, at least one, in their order; other ones for the next seed."""
    rows = list(rows)
    order = list(range(len(rows)))
    random.Random(number // share).shuffle(order)  # within `share` seeds that follow each other each row comes once
    mine = set(order[number % share::share]) or {order[0]}
    return [row for i, row in enumerate(rows) if i in mine]
