#!/usr/bin/env python3
"""ncmpi_open(NC_WRITE) of files that libnetcdf and h5py wrote: random changes of definitions, and puts; libnetcdf appends between them.
After each sync and close netCDF4-python must read what is there by now. On several ranks each has a folder, with what others than
parcdf make, by the same steps; all open the file of rank 0, and one of them puts.

    h5append_test.py LIBPARCDF NUMBER [SEED [MPIEXEC RANKS]]
"""
import ctypes
import ctypes.util
import os
import random
import shutil
import subprocess
import sys

import h5meta_test as h5
import netCDF4
import numpy as np

NAMES = {1: "schar", 2: "text", 3: "short", 4: "int", 5: "float", 6: "double", 7: "uchar", 8: "ushort", 9: "uint", 10: "longlong", 11: "ulonglong"}
OFFSETS = ctypes.c_longlong * 9


class Library:
    """libparcdf with Open MPI."""

    def __init__(self, path):
        needed = [line.split()[2] for line in subprocess.run(["ldd", path], capture_output=True, text=True).stdout.splitlines() if "libmpi.so" in line]
        if not needed:
            print("skipped: not with Open MPI")
            sys.exit(77)
        self.mpi = ctypes.CDLL(needed[0], mode=ctypes.RTLD_GLOBAL)
        self.lib = ctypes.CDLL(path)
        self.lib.parcdf_last_error.restype = ctypes.c_char_p
        self.mpi.MPI_Init(None, None)
        rank, size = ctypes.c_int(), ctypes.c_int()
        self.world, self.no_info = (ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(self.mpi, name))) for name in ("ompi_mpi_comm_world", "ompi_mpi_info_null"))
        self.mpi.MPI_Comm_rank(self.world, ctypes.byref(rank))
        self.mpi.MPI_Comm_size(self.world, ctypes.byref(size))
        self.rank, self.size, self.file = rank.value, size.value, os.path.abspath("rank0/file.nc")
        os.makedirs(f"rank{self.rank}", exist_ok=True)
        os.chdir(f"rank{self.rank}")

    def meet(self):
        self.mpi.MPI_Barrier(self.world)

    def call(self, function, *args):
        err = getattr(self.lib, function)(*args)
        if err:
            raise RuntimeError(f"{function}: {err} {(self.lib.parcdf_last_error() or b'').decode()}")

    def open(self, name):
        nc = ctypes.c_int()
        self.call("ncmpi_open", self.world, name.encode(), 1, self.no_info, ctypes.byref(nc))
        return nc

    def put_att(self, nc, var, name, kind, values):
        data = values.encode() if kind == 2 else np.array(values, h5.TYPES[kind]).tobytes()
        self.call("ncmpi_put_att", nc, var, name.encode(), kind, ctypes.c_longlong(len(values)), data)

    def put(self, nc, m):
        var = m.rng.randrange(len(m.vars))
        v = m.vars[var]
        box, part = m.put_box(v)
        putter = m.rng.randrange(1000) % self.size
        start, count = ([b.start for b in box], [b.stop - b.start for b in box]) if v["chunk"] else ([0] * part.ndim, list(part.shape))
        if putter != self.rank:
            count = [0] * len(count)
        self.call(f"ncmpi_put_vara_{NAMES[v['type']]}_all", nc, var, OFFSETS(*start), OFFSETS(*count), part.ctypes.data_as(ctypes.c_void_p))

    def add_var(self, nc, m):
        m.add_var()
        v, var = m.vars[-1], ctypes.c_int()
        v["big"], codecs, chunk = 0, dict(v["codecs"]), (ctypes.c_size_t * 9)(*v["chunk"])
        self.call("ncmpi_def_var", nc, v["name"].encode(), v["type"], len(v["dims"]), (ctypes.c_int * 9)(*v["dims"]), ctypes.byref(var))
        if v["dims"]:
            self.call("parcdf_def_var_chunking", nc, var, int(not v["chunk"]), chunk if v["chunk"] else None)
        if h5.FLETCHER32 in codecs:
            self.call("parcdf_def_var_fletcher32", nc, var, 1)
        if h5.ZLIB in codecs:
            self.call("parcdf_def_var_deflate", nc, var, int(h5.SHUFFLE in codecs), 1, codecs[h5.ZLIB])
        if h5.SZIP in codecs:
            self.call("parcdf_def_var_szip", nc, var, 32, codecs[h5.SZIP])
        self.call("ncmpi_def_var_fill", nc, var, int(not v["filled"]), None)
        for name, (kind, values) in v["atts"].items():
            self.put_att(nc, var, name, kind, values)

    def rename(self, nc, m):
        is_dim = m.rng.random() < 0.5
        which = m.dims if is_dim else m.vars
        if which:
            i = m.rng.randrange(len(which))
            which[i]["name"] = m.free_name("dim" if is_dim else "var")
            self.call("ncmpi_rename_dim" if is_dim else "ncmpi_rename_var", nc, i, which[i]["name"].encode())

    def change_att(self, nc, m):
        """As the model does, by its own words."""
        m.lines = []
        m.change_att()
        what, var, name, *more = m.lines[-1].split(" ")
        if what == "att":
            self.put_att(nc, int(var), name, *m.atts_of(int(var))[name])
        else:
            self.call("ncmpi_del_att" if what == "delatt" else "ncmpi_rename_att", nc, int(var), name.encode(), *(x.encode() for x in more))

    def change(self, nc, m):
        what = m.rng.random()
        if what < 0.2:
            m.add_dim()
            self.call("ncmpi_def_dim", nc, m.dims[-1]["name"].encode(), ctypes.c_longlong(m.dims[-1]["length"]), ctypes.byref(ctypes.c_int()))
        elif what < 0.4:
            self.add_var(nc, m)
        elif what < 0.6:
            self.rename(nc, m)
        else:
            self.change_att(nc, m)

    def keep(self, m):
        copy = f"copy.{len(m.copies)}.nc"
        m.keep(copy)
        self.meet()
        shutil.copy(self.file, copy)
        self.meet()

    def work(self, nc, m):
        for _ in range(m.rng.randint(1, 3)):
            if m.rng.random() < 0.5:
                self.call("ncmpi_redef", nc)
                for _ in range(m.rng.randint(0, 6)):
                    self.change(nc, m)
                self.call("ncmpi_enddef", nc)
            for _ in range(m.rng.randint(0, 6) if m.vars else 0):
                self.put(nc, m)
            if m.rng.random() < 0.4:
                self.call("ncmpi_sync", nc)
                self.keep(m)


def make(m):
    """By others. Is it libnetcdf's?"""
    rng = m.rng
    for _ in range(rng.randint(0, 5)):
        m.add_dim()
    for _ in range(rng.randint(1, 8)):
        m.add_var()
    for _ in range(rng.randint(0, 10)):
        m.put_att(rng.randint(-1, len(m.vars) - 1), f"att{rng.randint(0, 30)}", *rng.choice([(2, "text"), (4, [1, 2, 3]), (6, [1]), (1, [5, 6])]))
    for _ in range(rng.randint(0, 6)):
        m.put()
    m.keep("made")
    is_libnetcdf = rng.random() < 0.7 or not any(v["dims"] for v in m.vars)  # without dimensions it looks like any HDF5 file
    if is_libnetcdf:
        h5.by_libnetcdf(ctypes.CDLL(ctypes.util.find_library("netcdf")), "file.nc", m.copies[-1][1], True)
    else:
        h5.by_h5py("file.nc", m.copies[-1][1], rng)
    m.cut_all()
    m.copies = []
    m.look_at_records("file.nc")
    return is_libnetcdf


def one_file(library, seed):
    m = h5.Model(random.Random(seed))
    is_libnetcdf = make(m)
    for _ in range(m.rng.randint(1, 3)):
        if is_libnetcdf and m.rng.random() < 0.5:
            h5.append_by_libnetcdf("file.nc", m)
        library.meet()
        nc = library.open(library.file)
        try:
            library.work(nc, m)
        finally:
            library.call("ncmpi_close", nc)
        library.keep(m)
        if library.rank > 0:
            shutil.copy(library.file, "file.nc")
        library.meet()
    return [bad for name, state in m.copies for bad in h5.check_values(name, state)]


REFUSED = {  # what libnetcdf has more than this: what is said
    "plain": None,
    "two": "variable w: it has a second dimension that can grow",
    "second": "dimension /z: its length is 0",
    "group": "dimension g.q",
    "text": "variable w",
    "enum": "variable w: its values have a type that somebody defined",
    "list": "variable /w: lists of any length",
    "parts": "variable /w: values of several parts",
}


def make_more(ds, what):
    if what in ("two", "second"):
        ds.createDimension("t", None)
        ds.createDimension("z", None)
    if what == "two":
        ds.createVariable("w", "i4", ("t", "z"))[0:2, 0:3] = 1
    if what == "group":
        ds.createGroup("g").createDimension("q", 3)
    if what in ("text", "enum", "list", "parts"):
        kinds = {"text": lambda: str, "enum": lambda: ds.createEnumType(np.int8, "e", {"a": 1}), "list": lambda: ds.createVLType(np.int32, "list"),
                 "parts": lambda: ds.createCompoundType(np.dtype([("a", "i4")]), "pair")}
        ds.createVariable("w", kinds[what](), ("x",))


def make_refused(what):
    """`never` is never written, and has no place in the file: a file that is taken gets it."""
    with netCDF4.Dataset("refused.nc", "w") as ds:
        ds.createDimension("x", 5)
        ds.createVariable("v", "i4", ("x",))[:] = 3
        ds.createVariable("never", "f8", ("x",))
        make_more(ds, what)


def content(name):
    with open(name, "rb") as f:
        return f.read()


def refused(library):
    bad = []
    for what, said in REFUSED.items():
        make_refused(what)
        before = content("refused.nc")
        library.meet()
        try:
            library.call("ncmpi_close", library.open(library.file.replace("file", "refused")))
            found = None
        except RuntimeError as error:
            found = str(error)
        if found != said and not (found and said and "-214" in found and (said in found or library.rank > 0)):
            bad.append(f"{what}: {found!r}, not {said!r}")
        library.meet()
        bad += [] if (content("refused.nc") == before) == (said is not None or library.rank > 0) else [f"{what}: {'it was changed' if said else 'it was not written to'}"]
    return bad


def few_of_many(library):
    """An index of h5py's newest kind has a place for all chunks, of which few are put: pages of the others are not written."""
    n, which = 200000, [3, 123456]
    with h5.h5py.File("many.nc", "w", libver="latest") as f:
        f.create_dataset("x", (n,), ">f4").make_scale(f"This is a netCDF dimension but not a netCDF variable.{n:10d}")
        f["x"].attrs["_Netcdf4Dimid"] = np.int32(0)
        f.create_dataset("v", (n,), "i4", chunks=(1,), compression="gzip").dims[0].attach_scale(f["x"])
    library.meet()
    nc = library.open(library.file.replace("file", "many"))
    for i in which:
        library.call("ncmpi_put_vara_int_all", nc, 0, OFFSETS(i), OFFSETS(int(library.rank == 0)), (ctypes.c_int * 1)(i))
        library.call("ncmpi_sync", nc)
    library.call("ncmpi_close", nc)
    with h5.h5py.File(library.file.replace("file", "many")) as f:
        found = np.flatnonzero(f["v"][:])
        return [] if list(found) == which and list(f["v"][which]) == which else [f"few of many chunks: {found}"]


def main(path, number, seed="0", mpiexec=None, ranks="1"):
    if mpiexec:
        return subprocess.run([mpiexec, "-n", ranks, sys.executable, "-B", __file__, path, number, seed]).returncode != 0
    library = Library(path)
    bad = refused(library) + few_of_many(library)
    for i in range(int(seed), int(seed) + int(number)):
        try:
            bad += [f"seed {i}: {b}" for b in one_file(library, i)]
        except (OSError, RuntimeError, ValueError, KeyError, IndexError) as error:
            bad.append(f"seed {i}: {error!r}")
            if library.size > 1:  # the others may wait
                break
        if len(bad) > 10:
            break
    print("\n".join(f"rank {library.rank}, {b}" for b in bad))
    sys.stdout.flush()
    if not bad or library.size == 1:
        library.mpi.MPI_Finalize()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
