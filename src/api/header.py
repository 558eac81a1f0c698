#!/usr/bin/env python3
"""Writes include/pnetcdf.h and src/base/codes.h from pnetcdf.h.in and src/base/errors.def.

    header.py           write both files
    header.py --check   say what would change, exit 1 if anything would

Nobody needs this to build: what it writes is committed.
"""
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "src/api/pnetcdf.h.in"
ERRORS = ROOT / "src/base/errors.def"
HEADER = ROOT / "include/pnetcdf.h"
CODES = ROOT / "src/base/codes.h"
WIDTH = 110

TYPES = [("text", "char"), ("schar", "signed char"), ("uchar", "unsigned char"), ("short", "short"),
         ("ushort", "unsigned short"), ("int", "int"), ("uint", "unsigned int"), ("long", "long"),
         ("float", "float"), ("double", "double"), ("longlong", "long long"), ("ulonglong", "unsigned long long")]
ATTRIBUTE_TYPES = TYPES[:3] + [("ubyte", "unsigned char")] + TYPES[3:]

FORMS = ["var", "var1", "vara", "vars", "varm", "varn"]
INDEX = {"var1": ["start"], "vara": ["start", "count"], "vars": ["start", "count", "stride"],
         "varm": ["start", "count", "stride", "imap"]}


def one_index(form):
    """What a form takes between varid and buffer."""
    if form == "varn":
        return ["int num", "MPI_Offset *const *starts", "MPI_Offset *const *counts"]
    return [f"const MPI_Offset *{a}" for a in INDEX.get(form, [])]


def many_index(form):
    return [f"MPI_Offset *const *{a}s" for a in INDEX.get(form, [])]


def access(way, flex):
    """The prototypes of one way of access, form by form; typed, or with an MPI datatype."""
    blocking, many = way in ("put", "get", "mput", "mget"), way.startswith("m")
    read = "get" in way
    for form in FORMS[:-1] if many else FORMS:
        for suffix, ctype in [("", "void")] if flex else [("_" + s, t) for s, t in TYPES]:
            if many:
                buffer = f"{ctype} *bufs[]" if read else f"{ctype} *const *bufs"
                args = ["int ncid", "int num", "int *varids", *many_index(form), buffer]
                kinds = "const MPI_Datatype *datatypes" if read else "const MPI_Datatype datatypes[]"
                args += ["const MPI_Offset *bufcounts", kinds] if flex else []
            else:
                args = ["int ncid", "int varid", *one_index(form), f"{'' if read else 'const '}{ctype} *buf"]
                args += ["MPI_Offset bufcount", "MPI_Datatype buftype"] if flex else []
                args += [] if blocking else ["int *reqid"]
            for end in ["", "_all"] if blocking else [""]:
                yield f"int ncmpi_{way}_{form}{suffix}{end}({', '.join(args)});"
        yield ""


def attributes(way):
    head = "int ncid, int varid, const char *name"
    const = "const " if way == "put" else ""
    typed = ", nc_type xtype, MPI_Offset len" if way == "put" else ""
    yield f"int ncmpi_{way}_att({head}{typed}, {const}void *buf);"
    for suffix, ctype in ATTRIBUTE_TYPES:
        size = ", MPI_Offset len" if way == "put" and suffix == "text" else typed
        yield f"int ncmpi_{way}_att_{suffix}({head}{size}, {const}{ctype} *buf);"


def error_rows():
    rows = re.findall(r'^PCDF_ERROR\((\w+), (-\d+), "(.*)"\)$', ERRORS.read_text(), re.M)
    return [(name, int(code), sentence) for name, code, sentence in rows]


def fold(line):
    """A prototype on its line or lines, marked as exported."""
    return textwrap.wrap("PNETCDF_PUBLIC_API " + line, WIDTH, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)


def expand():
    """The lines of pnetcdf.h."""
    errors, lines = error_rows(), []
    for line in TEMPLATE.read_text().splitlines():
        word, *args = line.split() if line.startswith("@") else [""]
        if word == "@@":
            continue
        elif word == "@errors":
            low, high = int(args[0]), int(args[1])
            lines += [f"#define {n} ({c}) /* {s} */" for n, c, s in errors if high <= c <= low]
        elif word == "@newer":
            for name, code in [(n, c) for n, c, _ in errors if n in args]:
                lines += [f"#ifndef {name}", f"#define {name} ({code})", "#endif"]
        elif word in ("@access", "@attributes"):
            made = attributes(args[0]) if word == "@attributes" else access(args[0], "flex" in args)
            prototypes = [p for line in made for p in (fold(line) if line else [""])]
            lines += prototypes[:-1] if prototypes[-1] == "" else prototypes
        elif re.match(r"(int|const char \*)\s*(ncmpi|cdl_hdr)_", line):
            lines += fold(line)
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def codes(header):
    """codes.h: the same tokens as the header has, without MPI. The types and limits are those base and format use."""
    wanted = ["NAT", "BYTE", "CHAR", "SHORT", "INT", "FLOAT", "DOUBLE", "UBYTE", "USHORT", "UINT", "INT64", "UINT64",
              "UNLIMITED", "GLOBAL", "MAX_NAME", "FORMAT_CLASSIC", "FORMAT_64BIT_OFFSET", "FORMAT_64BIT_DATA"]
    constants = [re.search(rf"^#define NC_{name} +(.*?)(?: */\*.*)?$", header, re.M) for name in wanted]
    return "\n".join([
        "#ifndef PCDF_CODES_H", "#define PCDF_CODES_H", "/* clang-format off */",
        "/* The NC_ numbers for the layers that do not see mpi.h. Written by src/api/header.py; do not edit.",
        " * pnetcdf.h defines the same macros with the same tokens, so the compiler reports any drift. */", "",
        "#define NC_NOERR 0", *[f"#define {name} ({code})" for name, code, _ in error_rows()], "",
        "#ifndef _NETCDF_", "typedef int nc_type;", "#endif",
        *[f"#define NC_{name} {match.group(1)}" for name, match in zip(wanted, constants)], "#endif", ""])


def main(argv):
    header = expand()
    stale = [(path, text) for path, text in [(HEADER, header), (CODES, codes(header))]
             if not path.exists() or path.read_text() != text]
    for path, text in stale:
        if argv == ["--check"]:
            print(f"{path.relative_to(ROOT)} is not what src/api/header.py writes")
        else:
            path.write_text(text)
    return 1 if stale and argv == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
