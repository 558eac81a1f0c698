#!/usr/bin/env python3
"""Writes include/pnetcdf, the C++ interface, from the .hpp files beside this script.

    cxxheader.py           write it
    cxxheader.py --check   say whether it would change, exit 1 if so

A line that begins with @ becomes what repeats: the exceptions, the types, and the overloads for each type of values in memory.
Nobody needs this to build: what it writes is committed.
"""
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADER = ROOT / "include/pnetcdf"
PARTS = ["preamble", "errors", "number", "types", "attributes", "dimension", "group", "variable", "members", "file"]
WIDTH = 140

sys.path.insert(0, str(ROOT / "src/api"))
from header import TYPES  # noqa: E402  (suffix in C, C type)

# class, error code (None: an error that this interface finds), when it is thrown
EXCEPTIONS = [
    ("NcBadId", "NC_EBADID", "the file is not open"),
    ("NcNFile", "NC_ENFILE", "too many files are open"),
    ("NcExist", "NC_EEXIST", "newFile: the name is taken"),
    ("NcInvalidArg", "NC_EINVAL", "an argument makes no sense"),
    ("NcInvalidWrite", "NC_EPERM", "the file was opened for reading"),
    ("NcNotInDefineMode", "NC_ENOTINDEFINE", "the file is not in define mode"),
    ("NcInDefineMode", "NC_EINDEFINE", "the file is in define mode"),
    ("NcInvalidCoords", "NC_EINVALCOORDS", "a start is outside of the dimension"),
    ("NcMaxDims", "NC_EMAXDIMS", "too many dimensions"),
    ("NcNameInUse", "NC_ENAMEINUSE", "the name is in use"),
    ("NcNotAtt", "NC_ENOTATT", "there is no such attribute"),
    ("NcMaxAtts", "NC_EMAXATTS", "too many attributes"),
    ("NcBadType", "NC_EBADTYPE", "the type does not exist, or not in this format"),
    ("NcBadDim", "NC_EBADDIM", "there is no such dimension"),
    ("NcUnlimPos", "NC_EUNLIMPOS", "the unlimited dimension is not the first one"),
    ("NcMaxVars", "NC_EMAXVARS", "too many variables"),
    ("NcNotVar", "NC_ENOTVAR", "there is no such variable"),
    ("NcGlobal", "NC_EGLOBAL", "the call does not work on NC_GLOBAL"),
    ("NcNotNCF", "NC_ENOTNC", "this is no file that can be read"),
    ("NcSts", "NC_ESTS", "a text of Fortran is too short"),
    ("NcMaxName", "NC_EMAXNAME", "the name is too long"),
    ("NcUnlimit", "NC_EUNLIMIT", "there is an unlimited dimension already"),
    ("NcNoRecVars", "NC_ENORECVARS", "there are no record variables"),
    ("NcmpiChar", "NC_ECHAR", "text and numbers are not converted"),
    ("NcEdge", "NC_EEDGE", "start and count reach beyond the dimension"),
    ("NcStride", "NC_ESTRIDE", "a stride is not positive"),
    ("NcBadName", "NC_EBADNAME", "the name has bytes that are not allowed"),
    ("NcRange", "NC_ERANGE", "a value does not fit; all others were moved"),
    ("NcNoMem", "NC_ENOMEM", "no memory"),
    ("NcmpiVarSize", "NC_EVARSIZE", "the variable is too large for the format"),
    ("NcmpiDimSize", "NC_EDIMSIZE", "a length that a dimension cannot have"),
    ("NcTrunc", "NC_ETRUNC", "the file is too short"),
    ("NcHdfErr", "NC_EHDFERR", "HDF5 failed"),
    ("NcCantRead", "NC_ECANTREAD", "cannot read"),
    ("NcCantWrite", "NC_ECANTWRITE", "cannot write"),
    ("NcCantCreate", "NC_ECANTCREATE", "cannot create"),
    ("NcmpiFileMeta", "NC_EFILEMETA", "facts of a netCDF-4 file"),
    ("NcmpiDimMeta", "NC_EDIMMETA", "facts of its dimensions"),
    ("NcmpiAttMeta", "NC_EATTMETA", "facts of its attributes"),
    ("NcmpiVarMeta", "NC_EVARMETA", "facts of its variables"),
    ("NcNoCompound", "NC_ENOCOMPOUND", "no compound type"),
    ("NcmpiAttExists", "NC_EATTEXISTS", "the attribute exists"),
    ("NcNotNc4", "NC_ENOTNC4", "only netCDF-4 files have this"),
    ("NcStrictNc3", "NC_ESTRICTNC3", "not in a file with strict netCDF-3 rules"),
    ("NcBadGroupId", "NC_EBADGRPID", "there is no such group"),
    ("NcBadTypeId", "NC_EBADTYPID", "there is no such type"),
    ("NcBadFieldId", "NC_EBADFIELD", "there is no such field"),
    ("NcUnknownName", None, "there is no such name"),
    ("NcEnoGrp", "NC_ENOGRP", "there is no group"),
    ("NcNullGrp", None, "a null group cannot do this"),
    ("NcNullType", None, "a null type cannot do this"),
    ("NcNullDim", None, "a null dimension cannot do this"),
    ("NcElateDef", "NC_ELATEDEF", "too late to define this"),
]

# class, constant, CDL name, bytes in the file
FILE_TYPES = [("Byte", "BYTE", "byte", 1), ("Ubyte", "UBYTE", "ubyte", 1), ("Char", "CHAR", "char", 1),
              ("Short", "SHORT", "short", 2), ("Ushort", "USHORT", "ushort", 2), ("Int", "INT", "int", 4),
              ("Uint", "UINT", "uint", 4), ("Int64", "INT64", "int64", 8), ("Uint64", "UINT64", "uint64", 8),
              ("Float", "FLOAT", "float", 4), ("Double", "DOUBLE", "double", 8)]

INDEX = {"var": [], "var1": ["index"], "vara": ["start", "count"], "vars": ["start", "count", "stride"],
         "varm": ["start", "count", "stride", "imap"]}
FORMS = ["var", "var1", "vara", "vars", "varm", "varn"]
NAMES = {"get": "getVar", "iget": "igetVar", "put": "putVar", "iput": "iputVar", "bput": "bputVar"}


def fold(text, indent):
    """The lines of a declaration or statement; the type and name of a parameter stay together."""
    bound = re.sub(r"(MPI_\w+|\w) (?=\w+[,)])", r"\1~", text)
    lines = textwrap.wrap(bound, WIDTH - indent, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4),
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace("~", " ") for line in lines]


def function(head, statement):
    """A member function of one statement, on one line or two if it fits."""
    line, body = f"    {head} {{ {statement} }}", f"    {{ {statement} }}"
    if len(line) <= WIDTH:
        return [line]
    return [*fold(head, 4), *([body] if len(body) <= WIDTH else ["    {", *fold(statement, 8), "    }"])]


def one_value(suffix, ctype):
    """How putVar with an index takes the value, and what it passes on: text as a string, bytes by address, all else as it is."""
    if suffix == "text":
        return "const std::string &dataumValue", "dataumValue.c_str()"
    if suffix in ("schar", "uchar"):
        return f"const {ctype} *dataumValue", "dataumValue"
    return f"const {ctype} dataumValue", "&dataumValue"


def access(way):
    blocking, read = way in ("get", "put"), "get" in way
    for form in FORMS[:-1] if way == "bput" else FORMS:
        for end in ["", "_all"] if blocking else [""]:
            for suffix, ctype in [*TYPES, (None, "void")]:
                if form == "varn":
                    params = ["const int num", "MPI_Offset *const starts[]", "MPI_Offset *const counts[]"]
                    passed = ["num", "starts", "counts"]
                else:
                    params = [f"const Offsets &{a}" for a in INDEX[form]]
                    passed = [f"{a}.data()" for a in INDEX[form]]
                if form == "var1" and not read and suffix:
                    param, value = one_value(suffix, ctype)
                else:
                    param, value = f"{'' if read else 'const '}{ctype} *dataValues", "dataValues"
                params, passed = [*params, param], ["groupId", "myId", *passed, value]
                if not suffix:
                    params, passed = params + ["MPI_Offset bufcount", "MPI_Datatype buftype"], passed + ["bufcount", "buftype"]
                if not blocking:
                    params, passed = params + ["int *req"], passed + ["req"]
                call = f"ncmpi_{way}_{form}{'_' + suffix if suffix else ''}{end}({', '.join(passed)})"
                name = NAMES[way] + ("n" if form == "varn" else "") + end
                statement = f"collective([&] {{ return {call}; }});" if end else f"detail::check({call});"
                yield from function(f"void {name}({', '.join(params)}) const", statement)
            yield ""


def attribute_values():
    for suffix, ctype in TYPES:
        yield from function(f"void getValues({ctype} *dataValues) const",
                            f"detail::check(ncmpi_get_att_{suffix}(groupId, varId, myName.c_str(), dataValues));")


def put_attribute(result, params, call):
    return [*fold(f"{result} putAtt({', '.join(params)}) const", 4), "    {",
            "        ncmpiCheckDefineMode(GROUP);", *fold(f"detail::check({call});", 8), "        return getAtt(name);", "    }"]


def attributes(result, group, var):
    lines, first = [], f"ncmpi_put_att_{{}}({group}, {var}, name.c_str(), "
    lines += put_attribute(result, ["const std::string &name", "const std::string &dataValues"],
                           first.format("text") + "static_cast<MPI_Offset>(dataValues.size()), dataValues.c_str())")
    for suffix, ctype in TYPES[1:]:
        typed = ["const std::string &name", "const NcmpiType &type"]
        lines += put_attribute(result, [*typed, "MPI_Offset len", f"const {ctype} *dataValues"],
                               first.format(suffix) + "type.getId(), len, dataValues)")
        if suffix not in ("schar", "uchar"):
            lines += put_attribute(result, [*typed, f"{ctype} datumValue"], first.format(suffix) + "type.getId(), 1, &datumValue)")
    lines += put_attribute(result, ["const std::string &name", "const NcmpiType &type", "MPI_Offset len", "const void *dataValues"],
                           f"ncmpi_put_att({group}, {var}, name.c_str(), type.getId(), len, dataValues)")
    return [line.replace("GROUP", "getId()" if group == "myId" else group) for line in lines]


def exceptions():
    for name, code, when in EXCEPTIONS:
        yield f"/* {when} */"
        yield f"class PNETCDF_PUBLIC_API {name} : public NcmpiException"
        yield "{"
        yield "  public:"
        yield f"    {name}(const char *complaint, const char *file, int line)"
        yield f"        : NcmpiException({code + ', ' if code else ''}complaint, file, line)"
        yield from ["    {", "    }", "};"]


def types():
    for name, code, _, size in FILE_TYPES:
        yield f"class PNETCDF_PUBLIC_API Ncmpi{name} : public NcmpiType"
        yield from ["{", "  public:"]
        yield f"    constexpr Ncmpi{name}() : NcmpiType(NC_{code}) {{}}"
        if name == "Byte":
            yield "    int sizeoff() { return 1; }"
        yield "};"


def made(word, *args):
    """The lines that a line with @ stands for."""
    if word == "access":
        return list(access(*args))[:-1]
    if word == "attributes":
        return list(attribute_values()) if args[0] == "get" else attributes(*args[1:])
    if word == "exceptions":
        return list(exceptions())
    if word == "throws":
        return [f"    case {code}: throw exceptions::{name}(text, file, line);" for name, code, _ in EXCEPTIONS if code]
    if word == "typerows":
        return [f'            {{ NC_{code}, "{cdl}", "ncmpi_{code}", {size} }},' for _, code, cdl, size in FILE_TYPES]
    if word == "types":
        return list(types())
    if word == "typeobjects":
        return [f"__attribute__((unused)) static Ncmpi{n} &ncmpi{n} = detail::one<Ncmpi{n}>::object;" for n, *_ in FILE_TYPES]
    sys.exit(f"@{word}?")


def expand():
    lines = []
    for part in PARTS:
        for line in (HERE / f"{part}.hpp").read_text().splitlines():
            lines += made(*line[1:].split()) if line.startswith("@") else [line]
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def main(argv):
    text = expand()
    is_stale = not HEADER.exists() or HEADER.read_text() != text
    if is_stale and argv == ["--check"]:
        print("include/pnetcdf is not what bindings/cxx/cxxheader.py writes")
        return 1
    if is_stale:
        HEADER.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
