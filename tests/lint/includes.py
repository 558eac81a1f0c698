#!/usr/bin/env python3
"""Who may include whom (src/README.md), twice: by compiling, with the include folders that the build gives each layer,
and by reading the sources.

    includes.py COMPILER LAYER=FOLDER:FOLDER:... ...
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BELOW_DATASET = ["base", "format", "meaning", "storage", "stores", "virtual", "access", "mpiio"]
BELOW_READER = ["base", "format", "meaning", "storage", "stores", "virtual"]
BELOW_TOOLS = BELOW_READER + ["sets", "reader"]
KERNEL = BELOW_DATASET + ["dataset", "parts", "transfer", "define", "file"]
OF_MPI = {"mpi.h", "pnetcdf.h", "parcdf.h"}
OF_TOOLS = OF_MPI | {"utf8proc.h"}
OF_FORMATS = {"netcdf.h": r"nc\w+", "mfhdf.h": "sdfile", "zlib.h": r"zarrinflate|deflatezlib", "libdeflate.h": "deflate",
              "hdf5.h": "h5target"}  # the files that alone may include them

# part: the parts that it may know, as src/parts/parts.def says
PARTS = {name: needs.split() for name, needs in
         re.findall(r'^PCDF_PART\((\w+), "([^"]*)"', (ROOT / "src/parts/parts.def").read_text(), re.M)}

# layer: its folder, the layers it may include, and what it may take from outside besides the C library
LAYERS = {
    "base": ("src/base", [], {"utf8proc.h"}),
    "format": ("src/format", ["base"], set()),
    "meaning": ("src/meaning", ["base", "format"], set()),
    "access": ("src/access", ["base", "format", "meaning"], {"mpi.h"}),
    "storage": ("src/storage", ["base", "format"], set()),
    "sets": ("src/sets", ["base", "format", "storage"], set()),
    "stores": ("src/stores", ["base", "format", "storage"], set()),
    "virtual": ("src/virtual", ["base", "format", "meaning", "storage", "stores"], set()),
    "mpiio": ("mpiio", ["base", "format", "meaning", "storage", "stores", "virtual"], {"mpi.h"}),
    "dataset": ("src/dataset", BELOW_DATASET + ["parts"], OF_MPI),  # its part.h alone: no part's own
    "parts": ("src/parts", BELOW_DATASET + ["dataset"], OF_MPI),
    "transfer": ("src/transfer", BELOW_DATASET + ["dataset", "parts"], OF_MPI),
    "define": ("src/define", BELOW_DATASET + ["dataset", "parts", "transfer"], OF_MPI),
    "file": ("src/file", KERNEL[:-1], OF_MPI),
    **{f"part_{part}": (f"src/parts/{part}", KERNEL + ["sets", *[f"part_{need}" for need in needs]], OF_MPI) for part, needs in PARTS.items()},
    "api": ("src/api", KERNEL + ["part_follow", "part_sets", "part_netcdf4"], OF_MPI),
    "reader": ("programs/reader", BELOW_READER, {"utf8proc.h"}),
    "tools": ("programs", BELOW_TOOLS, OF_TOOLS),
    **{name: (f"programs/{name}", BELOW_TOOLS + ["tools"], OF_TOOLS) for name in ("cdl", "compare", "join", "watch", "zarr")},
    "refs": ("programs/refs", BELOW_TOOLS + ["tools", "zarr"], OF_TOOLS),
    "copy": ("programs/copy", BELOW_TOOLS + ["tools", "zarr"], OF_TOOLS),
    "expr": ("programs/expr", BELOW_TOOLS + ["tools"], OF_TOOLS),
    "calc": ("programs/calc", BELOW_TOOLS + ["tools", "expr"], OF_TOOLS),
    "reduce": ("programs/reduce", BELOW_TOOLS + ["tools", "expr"], OF_TOOLS),
    "restart": ("programs/restart", BELOW_TOOLS + ["tools"], OF_TOOLS),
    "picture": ("programs/picture", BELOW_TOOLS + ["tools", "cdl"], OF_TOOLS),
    "peer": ("programs/peer", BELOW_TOOLS + ["tools", "cdl", "compare"], OF_TOOLS),
    "report": ("programs/report", BELOW_TOOLS + ["tools"], OF_TOOLS),
}
TOOLS = ("tools", "cdl", "compare", "zarr", "refs", "copy", "expr", "calc", "reduce", "join", "restart", "watch", "picture", "peer", "report")
# Programs use the public headers and programs/reader, which may have all that lies below it. What else they take from the
# library is here: headers that all of them may include, and those that only some do, each with their layers. A new row is a
# decision: is a function of the reader missing? A row that nobody needs any more is a breach, too.
BESIDE_READER_FOR_ALL = {
    "alloc.h", "arena.h", "array.h", "codes.h", "numbers.h", "status.h", "text.h",  # base
    "encode.h", "layout.h", "meta.h", "rules.h", "types.h", "value.h",  # format: definitions, layout, numbers as bytes
    "meaningatts.h", "meaningnames.h", "meaningtext.h", "meaningtypes.h", "meaningvalues.h", "timevalue.h",
    "filesystem.h", "posixio.h",  # storage: a file's bytes
}
BESIDE_READER = {
    "base64.h": "refs tools zarr", "calendar.h": "copy", "cdlparser.h": "cdl", "bytes.h": "zarr", "crc32c.h": "copy restart tools zarr",
    "decode.h": "copy", "filekind.h": "cdl tools zarr", "findings.h": "tools", "hintrows.h": "report tools",
    "jsonread.h": "report", "launcher.h": "tools", "likeness.h": "expr reduce tools", "followheader.h": "copy", "timeunits.h": "expr",
    # what lies beside a file
    "checksumfile.h": "tools", "checksumtable.h": "picture tools", "journalfile.h": "tools", "sidecar.h": "picture tools",
    "sidename.h": "tools", "stagereplay.h": "tools", "set.h": "restart", "setmaking.h": "restart", "setnames.h": "restart",
    # far files, other formats, rounded values
    "codecs.h": "zarr", "quantize.h": "copy", "rootfile.h": "tools",
    "url.h": "refs tools", "varview.h": "refs", "virtualstorage.h": "copy",
}
OUTSIDE = OF_TOOLS | set(OF_FORMATS)
FILE_CALLS = re.compile(r"\b(MPI_File_\w+|pread|pwrite|preadv|pwritev|ftruncate|fsync)\s*\(")


def sources(layer):
    folder = ROOT / LAYERS[layer][0]
    return sorted(p for p in folder.glob("*") if p.suffix in (".c", ".h", ".def"))


def read_rule():
    """What the text includes and calls."""
    bad = []
    names = {layer: {p.name for p in sources(layer)} for layer in LAYERS}
    every_name = set().union(*names.values())
    for layer, (_, below, outside) in LAYERS.items():
        inside = set().union(*(names[other] for other in [layer, *below]))
        for path in sources(layer):
            text = path.read_text()
            for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.M):
                if (name in every_name and name not in inside) or (name in OUTSIDE and name not in outside) or ".." in name:
                    bad.append(f"{path.relative_to(ROOT)} includes {name}, which {layer} may not")
                if not re.fullmatch(OF_FORMATS.get(name, ".*"), path.stem):
                    bad.append(f"{path.relative_to(ROOT)} includes {name}, which is for {OF_FORMATS[name]} alone")
            calls = set() if layer in ("mpiio", "storage") else set(FILE_CALLS.findall(without_comments(text)))
            calls -= {"ftruncate"} if layer in TOOLS else set()  # of a file that one process makes
            bad += [f"{path.relative_to(ROOT)} calls {c}: only storage and mpiio touch files" for c in sorted(calls)]
    return bad


def programs_rule():
    """What programs take from the library is in BESIDE_READER, and the other way round."""
    bad, used = [], set()
    library = {p.name for name, (folder, _, _) in LAYERS.items() if not folder.startswith("programs") for p in sources(name)}
    for layer in TOOLS:
        for path in sources(layer):
            for name in set(re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(), re.M)) & library:
                used.add((name, layer))
                if name not in BESIDE_READER_FOR_ALL and layer not in BESIDE_READER.get(name, "").split():
                    bad.append(f"{path.relative_to(ROOT)} includes {name} of the library, which BESIDE_READER does not give to {layer}")
    bad += [f"BESIDE_READER gives {name} to {layer}, which does not include it"
            for name, layers in BESIDE_READER.items() for layer in layers.split() if (name, layer) not in used]
    bad += [f"BESIDE_READER_FOR_ALL has {name}, which no program includes" for name in sorted(BESIDE_READER_FOR_ALL - {name for name, _ in used})]
    return bad


def plugin_rule():
    """A plug-in includes of ours its own headers, and two that have no functions."""
    bad = []
    headers = {p.name for name in LAYERS for p in sources(name) if p.suffix == ".h"}
    for path in sorted((ROOT / "src/plugins").glob("*/*.[ch]")):
        allowed = {"plugin.h", "codes.h"} | {p.name for p in path.parent.glob("*.h")}
        named = set(re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.M))
        bad += [f"{path.relative_to(ROOT)} includes {n}, which no plug-in may" for n in sorted((named & headers) - allowed)]
    return bad


def without_comments(text):
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', " ", text, flags=re.S)


def compiles(compiler, folders, header):
    with tempfile.TemporaryDirectory() as place:
        probe = Path(place, "probe.c")
        probe.write_text(f'#include "{header}"\nint probe;\n')
        done = subprocess.run([compiler, "-std=c11", "-D_GNU_SOURCE", "-fsyntax-only", *["-I" + f for f in folders], probe],
                              capture_output=True, text=True)
    if done.returncode and not re.search(r"No such file|file not found", done.stderr):
        return f"fails for another reason: {done.stderr}"
    return done.returncode == 0


def compile_rule(compiler, folders):
    """One header of every layer, from every layer, and mpi.h."""
    bad, tried = [], 0
    for layer in folders:
        _, below, outside = LAYERS[layer]
        for other in folders:
            for path in [p for p in sources(other) if p.suffix == ".h"][:1]:
                want = other == layer or other in below
                tried += 1
                if compiles(compiler, folders[layer], path.name) is not want:
                    bad.append(f"{layer} {'cannot' if want else 'can'} include {other}'s {path.name}")
        tried += 1
        if compiles(compiler, folders[layer], "mpi.h") is not ("mpi.h" in outside):
            bad.append(f"{layer}: mpi.h {'is not' if 'mpi.h' in outside else 'is'} to be had")
    print(f"{tried} probes compiled")
    return bad


def main(compiler, *layers):
    folders = {name: dirs.split(":") for name, dirs in (word.split("=", 1) for word in layers)}
    bad = read_rule() + programs_rule() + plugin_rule() + compile_rule(compiler, folders)
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
