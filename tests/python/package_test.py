"""What people install: sdist and wheel by standard tools, the wheel in a new environment without a network, its entry point, its types; one
version in all places; mypy likes the package and a program that uses it.

    package_test.py SOURCE LIBRARY"""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from pysupport import check, finish, need, skip

ROOT, LIBRARY = Path(sys.argv[1]), sys.argv[2]
need("numpy", "build", "setuptools", "wheel", "venv")

PROGRAM = """
import numpy as np
import parcdf

def rows(f: parcdf.File, rank: int) -> float:
    v: parcdf.Variable = f["a"]
    v[rank, ::-1] = np.arange(3)
    request = v.iget(0)
    f.wait([request])
    return float(request.result.sum() + v.get(0, dtype=np.float64)[0])

with parcdf.create("typed.nc", comm="world", hints={"pcdf_async": 1}) as f:
    f.def_dim("y", 1)
    f.def_dim("x", 3)
    f.def_var("a", np.int16, ("y", "x"), attrs={"units": "m"})
    print(rows(f, 0))
"""
WRONG = 'import parcdf\nf = parcdf.open(3)\nf.def_dim("x", "y")\nf.nothing()\n'


def run(*words, code=0, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=200, **options)
    check(done.returncode == code, words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def built():
    """The archives. A copy is built, as setuptools writes beside its input."""
    shutil.copytree(ROOT / "bindings/python", "copy", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist"))
    env = dict(os.environ, SOURCE_DATE_EPOCH="1700000000")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", "copy", env=env)
    wheels, archives = list(Path("dist").glob("*.whl")), list(Path("dist").glob("*.tar.gz"))
    check(len(wheels) == len(archives) == 1, wheels, archives)
    return wheels[0], archives[0]


def contents(wheel, archive):
    sources = {p.name for p in (ROOT / "bindings/python/parcdf").glob("*.py")} | {"py.typed"}
    with zipfile.ZipFile(wheel) as z:
        names = set(z.namelist())
        check({n[7:] for n in names if n.startswith("parcdf/")} == sources, names)
        check(any(n.endswith("LICENSE") for n in names), "the wheel has the licence", names)
    check(wheel.name.endswith("-py3-none-any.whl"), wheel.name)
    with tarfile.open(archive) as t:
        names = {n.partition("/")[2] for n in t.getnames()}
    check({"pyproject.toml", "README.md", "LICENSE", "examples/block_2d.py", *(f"parcdf/{n}" for n in sources)} <= names, names)


def versions(wheel):
    header = re.search(r'PARCDF_VERSION +"([^"]+)"', (ROOT / "include/parcdf.h").read_text())[1]
    package = re.search(r'"(.*)"', (ROOT / "bindings/python/parcdf/_version.py").read_text())[1]
    check(header == package == wheel.name.split("-")[1], header, package, wheel.name)
    check((ROOT / "LICENSE").read_bytes() == (ROOT / "bindings/python/LICENSE").read_bytes(), "bindings/python/LICENSE is that of the project")


def installed(wheel):
    """In an environment of its own, which has Debian's modules and nothing from a network."""
    run(sys.executable, "-m", "venv", "--system-site-packages", "venv")
    python, env = Path("venv/bin/python").absolute(), {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    env["PARCDF_LIBRARY"] = LIBRARY
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", wheel.absolute(), env=env)
    Path("program.py").write_text(PROGRAM)
    out = run(python, "-c", "import parcdf; print(parcdf.__file__)", env=env, cwd="/")
    check(str(python.parent.parent) in out, out)
    check(run(python, "program.py", env=env).strip() == "5.0", "the program")
    try:
        need("xarray", "pandas")
    except SystemExit:
        return
    out = run(python, "-c", "import xarray as xr, parcdf\nparcdf.to_parcdf(xr.Dataset({'v': ('x', [1, 2])}), 'x.nc')\n"
              "print(xr.open_dataset('x.nc', engine='parcdf').v.values.tolist(), 'parcdf' in xr.backends.list_engines())", env=env)
    check(out.strip() == "[1, 2] True", out)


def typed():
    try:
        need("mypy")
    except SystemExit:
        print("mypy is not installed: types are not checked")
        return
    env = dict(os.environ, MYPYPATH=str(ROOT / "bindings/python"))
    Path("wrong.py").write_text(WRONG)
    out = run(sys.executable, "-m", "mypy", "--config-file", ROOT / "bindings/python/pyproject.toml", ROOT / "bindings/python/parcdf", "program.py", "wrong.py", env=env, code=1)
    check(out.count("error:") == out.count("wrong.py:") == 3, "three faults are found, and no others", out)


def documented():
    """Each public name of the package, and each public method, says what it does."""
    sys.path.insert(0, str(ROOT / "bindings/python"))
    import parcdf

    for name in parcdf.__all__:
        thing = getattr(parcdf, name)
        check(name == "__version__" or thing.__doc__, name, "has no docstring")
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    check(value.__doc__, f"{name}.{member} has no docstring")


for leftover in ("copy", "dist", "venv"):
    shutil.rmtree(leftover, ignore_errors=True)
if not os.access(LIBRARY, os.R_OK):
    skip(f"there is no {LIBRARY}")
WHEEL, ARCHIVE = built()
contents(WHEEL, ARCHIVE)
versions(WHEEL)
installed(WHEEL)
typed()
documented()
finish()
