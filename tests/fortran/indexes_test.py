#!/usr/bin/env python3
"""Each integer that Fortran hands over reaches C as what it means: what counts from 1 there counts from 0 in C, also on
the way back, vectors are in C's order, and nothing else is changed. Every function of the bindings is called with a stub
in place of the library, which notes what it gets. An argument that stands in neither list below fails the test.

    indexes_test.py COMPILER LIBRARY FOLDER     FOLDER: of bindings.py and pnetcdf.f90
"""
import ctypes
import re
import subprocess
import sys
from pathlib import Path

# Variables, dimensions, attributes, records, and elements along a dimension count from 1 in Fortran.
FROM_ONE = set("varid varidp varid_in varid_out dimid dimids attnum idp unlimdimidp recno start starts".split())
# Numbers of things, lengths, bytes, modes, and ids of files and requests are the same in both languages.
AS_IT_IS = set("""ncid ncidp ncid_in ncid_out ncids num ndims ndimsp nvarsp ngattsp nattsp natts nreqs count counts len
    lenp stride imap map xtype xtypep cmode omode format formatp old_formatp nc_mode fillmode old_modep no_fill bufcount
    bufsize buf_size usage size extent offset recsize h_minfree v_align v_minfree r_align striping_size striping_count
    pathlen reqid req reqs statuses array_of_requests array_of_statuses quantize_mode quantize_modep nsd nsdp shuffle
    shufflep deflate deflatep deflate_level deflate_levelp level levelp zstdp options_mask options_maskp pixels_per_block
    pixels_per_blockp fletcher32 fletcher32p""".split())
VECTORS = {"start", "count", "stride", "imap", "map", "dimids", "starts", "counts"}
MANY = {"starts", "counts"}
HANDLES = {"comm", "info", "info_used", "filetype", "buftype"}
NDIMS, NUM = 3, 2
GIVEN = {"ndimsp": NDIMS, "pathlen": 3, "xtypep": 4}  # what the stub answers; else a number that tells the name
SPELLING = {"map": "imap", "req": "reqid"}  # the C API's name of what nf90mpi calls otherwise
CALLED = {"start": "starts", "count": "counts", "values": "buf", "value": "buf"}  # the same for varn

STUB = """
#include <stdio.h>
#include <string.h>
#include <parcdf.h>
#include <pnetcdf.h>
#ifndef MPI_Comm_f2c
MPI_Comm MPI_Comm_f2c(MPI_Fint f) { (void)f; return MPI_COMM_NULL; }
MPI_Info MPI_Info_f2c(MPI_Fint f) { (void)f; return MPI_INFO_NULL; }
MPI_Fint MPI_Info_c2f(MPI_Info i) { (void)i; return 0; }
MPI_Datatype MPI_Type_f2c(MPI_Fint f) { (void)f; return MPI_DATATYPE_NULL; }
#endif
char stub_seen[16384];
static void see(const char *name, int i, int k, long long value)
{ sprintf(stub_seen + strlen(stub_seen), "%s %d %d %lld\\n", name, i, k, value); }
void parcdf_tell_fortran(int on) { (void)on; }
"""


def mark(name):
    """A number that no other result of a function has."""
    return GIVEN.get(name, 500 + sum(map(ord, name)))


def stub_statement(ctype, name):
    """What the stub does with one argument: notes it, or gives something back."""
    if ctype in ("int", "nc_type", "MPI_Offset"):
        return f'see("{name}", 0, 0, (long long){name});'
    if name in MANY:
        return f'for (int i = 0; {name} && i < {NUM}; i++) for (int k = 0; k < {NDIMS}; k++) see("{name}", i, k, {name}[i][k]);'
    if name in VECTORS and ctype.startswith("const"):
        return f'for (int k = 0; {name} && k < {NDIMS}; k++) see("{name}", 0, k, {name}[k]);'
    if name == "dimids":
        return f"for (int k = 0; dimids && k < {NDIMS}; k++) dimids[k] = {mark(name)} + k;"
    if ctype == "char *" and name != "buf":
        return f'if ({name}) strcpy({name}, "abc");'
    if re.fullmatch(r"(int|nc_type|MPI_Offset) ?\*", ctype) and name != "buf":
        return f"if ({name}) *{name} = {mark(name)};"
    return ""


def stub_library(compiler, header):
    """Builds it from the prototypes of the API."""
    both = header.read_text() + header.with_name("parcdf.h").read_text()
    text = re.sub(r"/\*.*?\*/", " ", both, flags=re.S)
    lines = [STUB]
    for cname, arguments in re.findall(r"PNETCDF_PUBLIC_API\s+int\s+(ncmpi_\w+|parcdf_\w+_var_\w+)\s*\(([^;]*)\)\s*;", text):
        parsed = [re.fullmatch(r"(.*?)(\w+)(\[\])?", a.strip()).groups() for a in " ".join(arguments.split()).split(",")]
        body = " ".join(stub_statement(ctype.strip() + ("*" if array else ""), name) for ctype, name, array in parsed)
        lines.append(f"int {cname}({arguments}) {{ {body} return NC_NOERR; }}")
    Path("stub.c").write_text("\n".join(lines))
    subprocess.run([compiler, "-w", "-shared", "-fPIC", "-I", header.parent, "stub.c", "-o", "libstub.so"], check=True)
    return ctypes.CDLL("./libstub.so", mode=ctypes.RTLD_GLOBAL)


class Dimension(ctypes.Structure):
    _fields_ = [("lower_bound", ctypes.c_ssize_t), ("extent", ctypes.c_ssize_t), ("step", ctypes.c_ssize_t)]


class Descriptor(ctypes.Structure):
    """CFI_cdesc_t of gfortran."""
    _fields_ = [("base_addr", ctypes.c_void_p), ("elem_len", ctypes.c_size_t), ("version", ctypes.c_int),
                ("rank", ctypes.c_int8), ("attribute", ctypes.c_int8), ("type", ctypes.c_int16), ("dim", Dimension * 2)]

    def __init__(self, memory, size, kind, *extents):
        steps = [size, size * extents[0]] if extents else []
        super().__init__(ctypes.cast(memory, ctypes.c_void_p), size, 1, len(extents), 2, kind,
                         (Dimension * 2)(*[Dimension(0, e, s) for e, s in zip(extents, steps)]))
        self.memory = memory  # lives as long


def integers_descriptor(memory, *extents):
    size = ctypes.sizeof(memory._type_)
    return Descriptor(memory, size, 1 + (size << 8), *extents)


class Call:
    """The arguments of one call from Fortran, what C must see, and what Fortran must get."""

    def __init__(self):
        self.arguments, self.sent, self.results, self.unknown = [], {}, [], []

    def shift(self, name):
        if name not in FROM_ONE and name not in AS_IT_IS:
            self.unknown.append(f"the argument {name} is in neither list of {Path(__file__).name}")
        return 1 if name in FROM_ONE else 0

    def scalar(self, name, kind):
        value = {"num": NUM, "ndims": NDIMS}.get(name, 40 + len(self.arguments))
        self.sent[name, 0, 0] = value - self.shift(name)
        return kind(value)

    def vector(self, name, kind):
        """As many numbers as a variable has dimensions, or NUM times as many, in Fortran's order."""
        numbers = []
        for i in range(NUM if name in MANY else 1):
            for k in range(NDIMS):
                numbers.append(1 + 3 * i + k)
                self.sent[name, i, NDIMS - 1 - k] = numbers[-1] - self.shift(name)
        return (kind * len(numbers))(*numbers)

    def result(self, name, kind):
        memory, first = (kind * NDIMS)(-7, -7, -7), mark(name) + self.shift(name)
        self.results.append((name, memory, [first + 2, first + 1, first] if name == "dimids" else [first, -7, -7]))
        return memory

    def complaints(self, name, function, stub):
        """Calls, and compares."""
        seen = (ctypes.c_char * 16384).in_dll(stub, "stub_seen")
        seen.value = b""
        err = function(*self.arguments)
        got = {(word, int(i), int(k)): int(value) for word, i, k, value in map(str.split, seen.value.decode().splitlines())}
        bad = [f"{name}: {word}" for word in self.unknown]
        bad += [f"{name}: error {err}"] if err else []
        for (word, i, k), value in self.sent.items():
            if got.get((word, i, k)) != value:
                bad.append(f"{name}: C gets {word}[{i}][{k}] = {got.get((word, i, k))}, not {value}")
        for word, memory, wanted in self.results:
            if list(memory) != wanted:
                bad.append(f"{name}: Fortran gets {word} = {list(memory)}, not {wanted}")
        return bad


def call_77(arguments):
    """Addresses, and the lengths of texts at the end."""
    call, lengths = Call(), []
    for ctype, name in arguments:
        kind = ctypes.c_int64 if "MPI_Offset" in ctype else ctypes.c_int
        if name in HANDLES:
            passed = ctypes.byref(ctypes.c_int(0))
        elif name in ("buf", "fill_value"):
            passed = ctypes.create_string_buffer(4096)
        elif "char" in ctype:
            passed = ctypes.create_string_buffer(b"name".ljust(64))
            lengths.append(ctypes.c_size_t(64))
        elif name in VECTORS and (name in MANY or ctype.startswith("const")):
            passed = call.vector(name, kind)
        elif "*" in ctype:
            passed = call.result(name, kind)
        else:
            passed = ctypes.byref(call.scalar(name, kind))
        call.arguments.append(passed)
    call.arguments += lengths
    return call


def call_90(base, dummies, declarations):
    """Values, addresses and descriptors, as the interfaces of the module say."""
    call = Call()
    for dummy in dummies:
        text = declarations[dummy]
        kind = ctypes.c_int64 if "c_int64_t" in text else ctypes.c_int
        name = CALLED.get(dummy, dummy) if "_varn" in base else dummy
        name = {"xtype": "xtypep", "ndims": "ndimsp", "natts": "nattsp", "varid": "varidp"}.get(name, name) if "out" in text else name
        name = SPELLING.get(name, name)
        if name in HANDLES:
            passed = ctypes.c_int(0) if "value" in text else ctypes.byref(ctypes.c_int(0))
        elif "type(*)" in text:
            passed = ctypes.byref(integers_descriptor((ctypes.c_int * 2000)(), 2000))
        elif "character" in text:
            passed = ctypes.byref(Descriptor(ctypes.create_string_buffer(b"name".ljust(64)), 64, 5))
        elif name == "dimids" and "inout" in text:
            passed = ctypes.byref(integers_descriptor(call.result(name, kind), NDIMS))
        elif name in VECTORS:
            passed = ctypes.byref(integers_descriptor(call.vector(name, kind), NDIMS, NUM))
            passed._obj.rank = 1 + ("(:,:)" in text)
        elif "value" in text:
            passed = call.scalar(name, kind)
        elif "intent(in)" in text:
            passed = ctypes.byref(call.scalar(name, kind))
        else:
            passed = call.result(name, kind)
        call.arguments.append(passed)
    if base.endswith("_one"):  # one start, no num
        call.sent = {key: value for key, value in call.sent.items() if key[1] == 0}
    return call


def interfaces_90(text):
    """(symbol, dummies, declarations) of the functions in C that the module declares."""
    text = re.sub(r" *&\n *", " ", text)
    for dummies, symbol, body in re.findall(r"function \w+\(([^)]*)\) +bind\(C, name='(pcdf_f90_\w+)'\)(.*?)end function", text, re.S):
        declarations = {}
        for head, names in re.findall(r"^ *(.*?) :: (.*)$", body, re.M):
            if not head.startswith("import"):
                for name, shape in re.findall(r"(\w+)(\([^)]*\))?", names):
                    declarations[name] = head + shape
        yield symbol, [d.strip() for d in dummies.split(",")], declarations


def main(compiler, library, folder):
    folder = Path(folder)
    sys.path.insert(0, str(folder))
    import bindings
    stub = stub_library(compiler, bindings.HEADER)
    ours = ctypes.CDLL(library)
    bad, done = [], 0
    for f in bindings.functions():
        call = call_77([(a.ctype, a.name) for a in f.arguments])
        bad += call.complaints(f.name, getattr(ours, f.name + "_"), stub)
        done += 1
    for symbol, dummies, declarations in interfaces_90((folder / "pnetcdf.f90").read_text()):
        call = call_90(symbol, dummies, declarations)
        bad += call.complaints(symbol, getattr(ours, symbol), stub)
        done += 1
    print("\n".join([*bad[:40], f"{done} functions, {len(bad)} wrong"]))
    return 1 if bad or done < 440 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
