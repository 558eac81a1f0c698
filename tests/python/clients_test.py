"""pnetcdf-python builds against the drop-in of this build and passes its own tests on 4 ranks.

    clients_test.py BUILD LAUNCHER C_COMPILER

Its source is not ours: PARCDF_PNETCDF_PYTHON names a checkout of it. Needs cython3, python3-mpi4py and -DPARCDF_DROP_IN=ON."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from pysupport import check, finish, need, skip

BUILD, LAUNCHER, COMPILER = sys.argv[1:4]
SOURCE = os.environ.get("PARCDF_PNETCDF_PYTHON")
if not SOURCE:
    skip("PARCDF_PNETCDF_PYTHON does not name a checkout of pnetcdf-python")
need("numpy", "mpi4py", "Cython", "setuptools")


def run(*words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)


for leftover in ("prefix", "source"):
    shutil.rmtree(leftover, ignore_errors=True)
prefix, source = Path("prefix").absolute(), Path("source").absolute()
done = run("cmake", "--install", BUILD, "--prefix", prefix)
library = next(prefix.rglob("libpnetcdf.so"), None)
if library is None:
    skip(f"{BUILD} was built without -DPARCDF_DROP_IN=ON, or not all of it: {done.stderr[-300:]}")
shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns(".git"))
env = dict(os.environ, PNETCDF_DIR=str(prefix), CC=COMPILER, LD_LIBRARY_PATH=str(library.parent), PYTHONPATH=str(source / "src"),
           PATH=f"{prefix}/bin:/usr/bin:/bin")
done = run(sys.executable, "setup.py", "build_ext", "--inplace", cwd=source, env=env)
check(done.returncode == 0, done.stdout[-2000:], done.stderr[-2000:])
tests = sorted((source / "test").glob("tst_*.py"))
check(len(tests) > 40, tests)
for test in tests:
    argument = "-q" if test.name == "tst_libver.py" else os.getcwd()
    done = run(LAUNCHER, "-n", "4", sys.executable, test.name, argument, cwd=source / "test", env=env, timeout=120)
    check(done.returncode == 0, test.name, done.stdout[-1500:], done.stderr[-1500:])
print(f"{len(tests)} tests of pnetcdf-python")
finish()
