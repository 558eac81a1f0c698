"""Begin and end: how the library and MPI are found, with mpi4py and without it; what the end of the interpreter does with files that nobody
closed; threads; two files at once. Each case is a process of its own.

    lifetime_test.py LAUNCHER openmpi|mpich"""
import os
import subprocess
import sys

from pysupport import check, finish, need

need("numpy")
LAUNCHER, FLAVOUR = sys.argv[1:3]
START = """
import gc, os, sys, threading, warnings
import numpy as np
import parcdf
def print(*words):  # at once: lines of several ranks do not mix
    sys.stdout.write(" ".join(map(str, words)) + "\\n")
    sys.stdout.flush()
def made(name, comm="world", format="CDF5"):
    f = parcdf.create(name, comm=comm, format=format)
    f.def_dim("t", None); f.def_dim("x", 4)
    f.def_var("r", "double", ("t", "x"))
    f.def_var("v", "int", "x")
    return f
"""


def run(body, *words, ranks=0, code=0, **environment):
    """The program's output, which has these words."""
    env = {key: value for key, value in {**os.environ, **environment}.items() if value is not None}
    launch = [LAUNCHER, "-n", str(ranks)] if ranks else []
    done = subprocess.run([*launch, sys.executable, "-B", "-c", START + body], env=env, capture_output=True, text=True, timeout=100)
    out = done.stdout + done.stderr
    good = done.returncode == code if code is not None else done.returncode != 0
    check(good and all(word in out for word in words), f"exit {done.returncode}, wanted {words}:\n{body}\n{out[-3000:]}")
    return out


def look(wanted):
    """Each file has what is wanted. One process looks at all."""
    lines = run(f"""
for name in {list(wanted)!r}:
    with parcdf.open(name) as f:
        print(name, len(f.variables), f.records, f['v'][...].tolist())
""").splitlines()
    for name, words in wanted.items():
        check(any(line.startswith(f"{name} {words}") for line in lines), name, "has not", words, lines)


def unclosed():
    for ranks in (0, 2):
        run(f"f = made('unclosed{ranks}.nc'); f['v'][:] = [1, 2, 3, 4]; f['r'][0] = 1; g = made('defined{ranks}.nc')", ranks=ranks)
    run("f = made('raised.nc'); f['v'][:] = 5; raise SystemExit(3)", code=3)
    run("f = made('dropped.nc', None); f['v'][:] = 6\nwarnings.simplefilter('always')\ndel f\ngc.collect()\nprint(parcdf.file_format('dropped.nc'))",
        "dropped.nc was not closed", "CDF5")
    # Of several ranks: not closed by the collector, whose time differs between the ranks, but at the end.
    run("""
if True:
    f = made('kept.nc'); f['v'][:] = 7
    if f.comm.rank == 0:
        del f
        gc.collect()
    g = made('other.nc'); g['v'][:] = 8; g.close()
""", ranks=2)
    look({"unclosed0.nc": "2 1 [1, 2, 3, 4]", "unclosed2.nc": "2 1 [1, 2, 3, 4]", "defined0.nc": "2 0", "defined2.nc": "2 0",
          "raised.nc": "2 0 [5, 5, 5, 5]", "kept.nc": "2 0 [7, 7, 7, 7]", "other.nc": "2 0 [8, 8, 8, 8]"})
    # One rank leaves by an exception: the others are told, and nobody hangs.
    run("""
with made('left.nc') as f:
    if f.comm.rank == 1:
        raise KeyError('rank 1 leaves')
    try:
        f['v'][:] = 1
    except parcdf.Error as error:
        print('told:', error)
""", "rank 1 leaves", "told: NC_EMULTIDEFINE_FNC_ARGS", ranks=2, code=None)


def strict():
    """Warnings that are exceptions: the file that nobody closed is closed, and so is one that was opened with a warning."""
    run("""
warnings.simplefilter('error')
f = made('strict.nc', None); f['v'][:] = 6
del f
gc.collect()
from parcdf import _handle
print('open:', len(_handle._open))
""", "strict.nc was not closed", "open: 0")
    run("""
with made('ranks.nc', format='CDF1' if parcdf.Comm('world').rank else 'CDF5') as f: pass
""", ranks=2)  # rank 1 is told, and goes on
    run("""
warnings.simplefilter('error')
try: f = made('ranks.nc', format='CDF1' if parcdf.Comm('world').rank else 'CDF5'); f.close()
except parcdf.FileWarning: print('raised')
except parcdf.Error as error: print(error.name)
from parcdf import _handle
print('open:', sorted(h.path for h in _handle._open.values()))
""", "raised", "open: ['ranks.nc']", "open: []", ranks=2, PNETCDF_SAFE_MODE=None)
    run("""
with made('place.nc', None) as f: pass
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter('always')
    with open('place.nc', 'r+b') as g: g.seek(0, 2); g.write(b'more')
    parcdf.open('place.nc').close(); parcdf.open('place.nc', 'r+').close()
print('from:', {t.filename for t in told} - {'<string>'})
""", "from: set()")


def forked():
    """A child process neither closes the files of its parent nor finalizes MPI, and is told what to do instead."""
    # os._exit: as multiprocessing ends. At another end, mpi4py would finalize the MPI of the parent.
    starts = [("f = made('forked.nc', None)", "sys.exit")]
    if FLAVOUR == "openmpi" and has_mpi4py():
        starts.append(("from mpi4py import MPI; f = made('forked.nc', None)", "os._exit"))
    for start, end in starts:
        run(start + """
f['r'][0] = 1
child = os.fork()
if child == 0:
    for call in (lambda: f['r'][0], lambda: parcdf.open('forked.nc'), lambda: parcdf.Comm('world'), f.close):
        try: call(); print('nothing was raised')
        except parcdf.Error as error: print('child:', 'was forked' in str(error) and 'spawn' in str(error))
    del f
    gc.collect()
    """ + end + """(0)
print('child ended with', os.waitpid(child, 0)[1])
f['r'][1] = 2
f.close()
with parcdf.open('forked.nc') as f: print('parent:', f['r'][:, 0].tolist())
""", "child: True\n" * 4 + "child ended with 0", "parent: [1.0, 2.0]")
    run("""
print(parcdf.version())
child = os.fork()
if child == 0:
    made('child.nc', None).close()  # before MPI was used
    sys.exit(0)
print('child ended with', os.waitpid(child, 0)[1])
""", "child ended with 0")


def both_files():
    run("""
with made('one.nc') as one, made('two.nc', 'self' if parcdf.Comm('world').size == 1 else 'world') as two:
    for i in range(3):
        one['r'][i] = i; two['r'][i] = -one['r'][i]
    with one.independent():
        one['v'][:] = 3
        two['v'][:] = 4
    print(one['r'][:, 0].tolist(), two['r'][:, 0].tolist())
""", "[0.0, 1.0, 2.0] [-0.0, -1.0, -2.0]", ranks=2)


def threads():
    body = """
f = made('threads.nc', None); g = made('threads2.nc', None)
for h in (f, g): h['r'][7] = 0
bad = []
def work(n):
    try:
        for i in range(50):
            for h in (f, g):
                h['r'][n] = np.full(4, n + i)
                got = h['r'][n]
                if not (got == n + i).all(): bad.append((n, i, got))
                try: h['r'][99]
                except IndexError: pass
                try: h['v'].put(slice(None), [2.0**40] * 4)
                except parcdf.Error as e:
                    if e.name != 'NC_ERANGE': bad.append(e)
    except BaseException as e: bad.append(e)
all_ = [threading.Thread(target=work, args=(n,)) for n in range(8)]
[t.start() for t in all_]; [t.join() for t in all_]
f.close(); g.close()
print('threads', bad)
"""
    run(body, "threads []")
    if FLAVOUR == "openmpi":
        run("import mpi4py; mpi4py.rc.threads = False\nfrom mpi4py import MPI\n" + body, "threads []") if has_mpi4py() else None


def released():
    """Other threads run while a call is in the library: one waits in a collective call until the other thread of the other rank comes."""
    run("""
f = made('gil.nc'); f['v'][:] = 1; f.sync()
import time
ran = []
def count():
    while not done: ran.append(1); time.sleep(0.001)
done = []
t = threading.Thread(target=count); t.start()
if f.comm.rank == 1: time.sleep(0.5)
before = len(ran)
f['v'][:] = 2
print('released' if f.comm.rank == 1 or len(ran) > before + 5 else 'held')
done.append(1); t.join(); f.close()
""", "released\nreleased", ranks=2)


def has_mpi4py():
    return subprocess.run([sys.executable, "-c", "from mpi4py import MPI"], capture_output=True).returncode == 0


def mpi():
    run("print(parcdf.mpi_version())", {"openmpi": "Open MPI", "mpich": "MPICH"}[FLAVOUR])
    run("c = parcdf.Comm('world'); print('rank', c.rank, 'of', c.size)", "rank 0 of 2", "rank 1 of 2", ranks=2)
    run("print('mpi4py' in sys.modules); made('none.nc').close(); print('mpi4py' in sys.modules)", "False\nFalse")
    if not has_mpi4py():
        print("without mpi4py")
        return
    if FLAVOUR == "openmpi":  # Debian's mpi4py
        run("""
from mpi4py import MPI
half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank)
with made(f'split{MPI.COMM_WORLD.rank}.nc', half) as f:
    f['v'][:] = MPI.COMM_WORLD.rank
    print('size', f.comm.size, f['v'][0])
with made('dup.nc', MPI.COMM_WORLD.Dup()) as f: print('ranks', f.comm.size)
try: parcdf.open('dup.nc', comm=MPI.COMM_NULL)
except (parcdf.Error, TypeError) as error: print(error)
try: parcdf.open('dup.nc', comm=MPI.INFO_NULL)
except (parcdf.Error, TypeError) as error: print(error)
""", "size 1 0", "size 1 1", "ranks 2", "is MPI_COMM_NULL", "is no communicator", ranks=2)
        run("made('first.nc').close()\nfrom mpi4py import MPI\nprint(MPI.COMM_WORLD.size); made('second.nc', MPI.COMM_SELF).close()", "1")
        run("from mpi4py import MPI\nf = made('first.nc', MPI.COMM_SELF); f['v'][:] = 1; MPI.Finalize()\nprint('still', f.closed)\n"
            "try: made('after.nc')\nexcept parcdf.Error as error: print(error)\n"
            "try: f['v'][0]\nexcept parcdf.Error as error: print(error)", "MPI was finalized in", "first.nc: MPI was finalized while")
    else:
        for body in ("from mpi4py import MPI\nmade('x.nc', MPI.COMM_WORLD)", "made('x.nc').close()\nfrom mpi4py import MPI\nmade('x.nc')"):
            run(body, "mpi4py uses the MPI library", "libmpich", "built with mpi4py's MPI library", code=1)


def found():
    library = os.environ["PARCDF_LIBRARY"]
    folder = os.path.dirname(library)
    run("print(parcdf.library_path())", folder, PARCDF_LIBRARY=folder)
    run("print(parcdf.library_path())", "libparcdf.so", PARCDF_LIBRARY=None, LD_LIBRARY_PATH=folder, PKG_CONFIG="/bin/false")
    run("made('x.nc')", "no libparcdf can be used", "/nowhere/libparcdf.so", "nothing else was tried", code=1, PARCDF_LIBRARY="/nowhere/libparcdf.so")
    run("print(parcdf.__version__)", PARCDF_LIBRARY="/nowhere")  # imported without a library
    os.makedirs("pc", exist_ok=True)
    with open("pc/parcdf.pc", "w") as file:
        file.write(f"libdir={folder}\nName: parcdf\nDescription: x\nVersion: 0\n")
    run("print(parcdf.library_path())", folder, PARCDF_LIBRARY=None, PKG_CONFIG_PATH=os.path.abspath("pc"), LD_LIBRARY_PATH=None)
    os.makedirs("several", exist_ok=True)  # as where several MPI libraries share a prefix
    other = "mpich" if FLAVOUR == "openmpi" else "openmpi"
    for name in (f"libparcdf_{FLAVOUR}.so.0", f"libparcdf_{other}.so.0"):
        if not os.path.lexists(f"several/{name}"):
            os.symlink(os.path.realpath(library) if FLAVOUR in name else "/etc/hostname", f"several/{name}")
    several = os.path.abspath("several")
    for ranks, where in ((0, {"PARCDF_LIBRARY": several}), (2, {"PARCDF_LIBRARY": several}),
                         (2, {"PARCDF_LIBRARY": None, "LD_LIBRARY_PATH": several, "PKG_CONFIG": "/bin/false"})):
        run("print(parcdf.library_path())", f"libparcdf_{FLAVOUR}.so.0", ranks=ranks, **where)
    with open("not_a_library.so", "w") as file:
        file.write("text")
    run("made('x.nc')", "not_a_library.so", code=1, PARCDF_LIBRARY=os.path.abspath("not_a_library.so"))


def told():
    """The password of a URL is in no name, representation or error."""
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "far"))
    from rangeserver import serve
    os.makedirs("www", exist_ok=True)
    run("made('www/told.nc').close()")
    with serve("--user", "me:wordX") as url:
        out = run(f"""
for login in ("me:wordX@", "me:wordXY@"):
    try:
        f = parcdf.open({url!r}.replace("//", "//" + login) + "/told.nc")
        print(f.path, repr(f), repr(f['v']), f.variables)
    except parcdf.Error as error:
        print(repr(error))
""", f"{url}/told.nc")
        check("wordX" not in out, f"a password is told: {out}")
        check("access is refused" in out or "NC_ENOTBUILT" in out, out)


for part in (found, mpi, unclosed, strict, forked, both_files, threads, released, told):
    part()
finish()
