#!/usr/bin/env python3
"""Writes f77calls.c, pnetcdf.inc and pnetcdf.f90 from the prototypes of include/pnetcdf.h, those on variables of
include/parcdf.h, and from pnetcdf.f90.in.

    bindings.py           write the three files
    bindings.py --check   say what would change, exit 1 if anything would

Nobody needs this to build: what it writes is committed. What a C argument is in Fortran is said once, in ROLES; what
has no rule there (arrays of dimension ids, paths of unknown length) is written by hand in f77support.c.
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADER = HERE.parents[1] / "include/pnetcdf.h"
OWN_HEADER = HEADER.with_name("parcdf.h")  # of which the functions on variables have a Fortran form

# Fortran's name of a type, the C API's, the C type, the Fortran type, the names of an array and of a single value
TYPES = [("text", "text", "char", "character(len=*)", "text", "text"),
         ("int1", "schar", "signed char", "integer(1)", "i1vals", "i1val"),
         ("int2", "short", "short", "integer(2)", "i2vals", "i2val"),
         ("int", "int", "int", "integer", "ivals", "ival"),
         ("real", "float", "float", "real", "rvals", "rval"),
         ("double", "double", "double", "double precision", "dvals", "dval"),
         ("int8", "longlong", "long long", "integer(8)", "i8vals", "i8val")]
BY_C_NAME = {row[1]: row for row in TYPES}
OTHER_TYPES = {"uchar", "ubyte", "ushort", "uint", "long", "ulonglong"}  # Fortran has none of them

# In f77support.c, with the Fortran arguments.
BY_HAND = {"def_var": "ncid name xtype ndims dimids varid", "inq_vardimid": "ncid varid dimids",
           "inq_var": "ncid varid name xtype ndims dimids natts", "inq_path": "ncid pathlen path"}
OWN_BY_HAND = ["def_var_chunking", "inq_var_chunking"]  # lengths stand in Fortran's order
CHARACTER = ["strerror", "strerrno", "inq_libvers"]
BY_HAND_SYMBOLS = ["issyserr", "last_error", *CHARACTER, *["x" + name for name in CHARACTER]]

# The functions of the module that only pass their arguments on, with their keywords.
PLAIN = """abort ncid|begin_indep_data ncid|buffer_attach ncid bufsize|buffer_detach ncid|cancel ncid num req st
close ncid|copy_att ncid_in varid_in name ncid_out varid_out|create mpi_comm path cmode mpi_info ncid
def_dim ncid name len dimid|def_var_deflate ncid varid shuffle deflate deflate_level
def_var_fletcher32 ncid varid fletcher32|def_var_quantize ncid varid quantize_mode nsd
def_var_szip ncid varid options_mask pixels_per_block|def_var_zstd ncid varid level|del_att ncid varid name|delete name mpi_info|end_indep_data ncid
fill_var_rec ncid varid recno|flush ncid|get_file_info ncid mpi_info|inq_attname ncid varid attnum name
inq_buffer_size ncid buf_size|inq_buffer_usage ncid usage|inq_default_format default_format|inq_dimid ncid name dimid
inq_file_format path format|inq_file_info ncid mpi_info|inq_files_opened nfiles ncids|inq_get_size ncid get_size
inq_header_extent ncid h_extent|inq_header_size ncid h_size|inq_malloc_list|inq_malloc_max_size size
inq_malloc_size size|inq_nreqs ncid nreqs|inq_num_fix_vars ncid nvars|inq_num_rec_vars ncid nvars
inq_path ncid pathlen path|inq_put_size ncid put_size|inq_recsize ncid recsize
inq_striping ncid striping_size striping_count|inq_var_deflate ncid varid shuffle deflate deflate_level
inq_var_fletcher32 ncid varid fletcher32|inq_var_quantize ncid varid quantize_mode nsd
inq_var_szip ncid varid options_mask pixels_per_block|inq_var_zstd ncid varid zstd level|inq_varid ncid name varid|inq_varoffset ncid varid offset
inq_version ncid nc_mode|open mpi_comm path omode mpi_info ncid|redef ncid|rename_att ncid varid curname newname
rename_dim ncid dimid name|rename_var ncid varid newname|set_default_format new_format old_format
set_fill ncid fillmode old_mode|sync ncid|sync_numrecs ncid|wait ncid num req st|wait_all ncid num req st"""

INDEX = ("start", "count", "stride", "imap")

# What each integer argument of the C API means, by its name. There is no role for the rest: a new name must be put here.
# tests/fortran/indexes_test.py has a list of its own of what counts from 1.
ROLES = {"index": INDEX, "indexes": ("starts", "counts"),
         "id in": "varid varid_in varid_out dimid attnum recno".split(),  # counts from 1 in Fortran, from 0 in C
         "id out": "varidp idp unlimdimidp".split(),
         "array": "dimids ncids reqs statuses array_of_requests array_of_statuses".split(),  # of dimids: by hand
         "value": """ncid ncid_in ncid_out xtype len num ndims count cmode omode format fillmode no_fill bufcount bufsize
             h_minfree v_align v_minfree r_align quantize_mode nsd shuffle deflate deflate_level level options_mask
             pixels_per_block fletcher32""".split(),
         "out": """ncidp xtypep lenp num ndimsp nvarsp ngattsp nattsp nreqs formatp old_formatp nc_mode old_modep no_fill
             usage size buf_size extent offset recsize striping_size striping_count pathlen reqid quantize_modep nsdp
             shufflep deflatep deflate_levelp zstdp levelp options_maskp pixels_per_blockp fletcher32p""".split()}
INTEGERS = {"index": r"const MPI_Offset \*", "indexes": r"MPI_Offset \*const \*", "id in": "int|MPI_Offset",
            "id out": r"int \*", "array": r"(const )?int ?\*", "value": "int|nc_type|MPI_Offset",
            "out": r"(int|nc_type|MPI_Offset) \*"}


class Argument:
    """One argument: of C, how it comes from Fortran, and what Fortran calls it."""

    def __init__(self, text):
        match = re.fullmatch(r"(.*?)(\w+)(\[\])?", text.strip())
        self.ctype, self.name = match.group(1).strip() + ("*" if match.group(3) else ""), match.group(2)
        self.role = self.find_role()

    def find_role(self):
        ctype, name = self.ctype, self.name
        if name in ("buf", "fill_value"):
            return "buffer"
        if ctype in ("const char *", "char *"):
            return "text in" if "const" in ctype else "text out"
        if ctype in ("MPI_Comm", "MPI_Info", "MPI_Datatype"):
            return "handle"
        if ctype == "MPI_Info *":
            return "info out"
        for role, names in ROLES.items():
            if name in names and re.fullmatch(INTEGERS[role], ctype):
                return role
        raise ValueError(f"ROLES does not say what {ctype} {name} is in Fortran")

    def parameters(self):
        """What the C function behind a Fortran name takes."""
        scalar = "MPI_Offset" if "MPI_Offset" in self.ctype else "int"
        space = " " if self.ctype[-1] != "*" else ""
        return {"index": f"const MPI_Offset *{self.name}", "indexes": f"const MPI_Offset *{self.name}",
                "buffer": f"{self.ctype}{space}{self.name}", "text in": f"const char *{self.name}",
                "text out": f"char *{self.name}", "handle": f"const MPI_Fint *{self.name}",
                "info out": f"MPI_Fint *{self.name}", "id in": f"const {scalar} *{self.name}",
                "value": f"const {scalar} *{self.name}", "out": f"{scalar} *{self.name}",
                "id out": f"int *{self.name}", "array": f"int *{self.name}"}[self.role]

    def passed(self):
        """What the C API gets."""
        name = self.name
        return {"index": f"x.{name}", "indexes": f"x.{name}", "buffer": name, "text in": f"{name}_.text",
                "text out": f"{name}_", "handle": f"{self.ctype.replace(' ', '')}_f2c(*{name})".replace(
                    "Datatype", "Type"), "info out": f"&{name}_", "id in": f"*{name} - 1", "value": f"*{name}",
                "out": name, "id out": name, "array": name}[self.role]

    def fortran(self, row=None, single=False, way="put"):
        """(name, declaration): the Fortran dummy argument."""
        name = self.name.removesuffix("p") if self.name.endswith("p") and "*" in self.ctype else self.name
        kind = "integer(8)" if "MPI_Offset" in self.ctype else "integer"
        if self.role == "buffer":
            name = row[5 if single else 4]
            shape = "" if single and row[0] != "text" else "(*)"
            return name, f"{row[3]}, intent({'inout' if way.endswith('get') else 'in'}) :: {name}{shape}"
        if self.role == "index" and single:
            return "index", "integer(8), intent(in) :: index(*)"
        declaration = {"index": f"{kind}, intent(in) :: {name}(*)", "indexes": f"{kind}, intent(in) :: {name}(*)",
                       "text in": f"character(len=*), intent(in) :: {name}",
                       "text out": f"character(len=*), intent(out) :: {name}",
                       "handle": f"integer, intent(in) :: {name}", "info out": f"integer, intent(out) :: {name}",
                       "id in": f"{kind}, intent(in) :: {name}", "value": f"{kind}, intent(in) :: {name}",
                       "out": f"{kind}, intent(out) :: {name}", "id out": f"integer, intent(out) :: {name}",
                       "array": f"integer, intent(inout) :: {name}(*)"}[self.role]
        return name, declaration


class Function:
    def __init__(self, cname, arguments):
        self.cname = cname
        self.arguments = [Argument(a) for a in arguments.split(",") if a.strip() != "void"]
        base = cname.removeprefix("ncmpi_").removeprefix("parcdf_")
        match = re.fullmatch(r"([ib]?(?:put|get))_(att|var\w?)(?:_([a-z]+?))??(_all)?", base)
        self.way, self.form, self.ctype = (match.group(1), match.group(2), match.group(3)) if match else (None,) * 3
        self.row = BY_C_NAME.get(self.ctype)
        if self.row:
            base = f"{self.way}_{self.form}_{self.row[0]}{match.group(4) or ''}"
        self.base, self.name = base, f"nfmpi_{base}"

    def is_wrapped(self):
        return self.ctype not in OTHER_TYPES

    def roles(self):
        return {a.role for a in self.arguments}

    def is_choice(self):
        """Any type of buffer: Fortran sees an external function without an interface."""
        return "buffer" in self.roles() and not self.row

    def c_parameters(self):
        texts = [a for a in self.arguments if a.role.startswith("text")]
        hidden = [f"size_t {a.name}_len" for a in texts]
        if self.row and self.row[0] == "text":
            hidden.append("size_t buf_len")
        return [a.parameters() for a in self.arguments] + hidden

    def c_source(self):
        head = fold(f"PCDF_FORTRAN_API int {self.name}_(", self.c_parameters() or ["void"], ")")
        prototype = re.sub(r"\bsize_t buf_len\b", "size_t buf_len __attribute__((unused))", head)
        before, after = [], []
        index = [a.name for a in self.arguments if a.role == "index"]
        for a in self.arguments:
            if a.role == "text in":
                before.append(f"struct pcdf_text {a.name}_;\n    pcdf_text_in(&{a.name}_, {a.name}, {a.name}_len);")
                after.append(f"err = pcdf_text_free(&{a.name}_, err);")
            elif a.role == "text out":
                before.append(f"char {a.name}_[NC_MAX_NAME + 1];")
                after.append(f"if (!err)\n        err = pcdf_text_out({a.name}, {a.name}_len, {a.name}_);")
            elif a.role == "info out":
                before.append(f"MPI_Info {a.name}_;")
                after.append(f"if (!err)\n        *{a.name} = MPI_Info_c2f({a.name}_);")
            elif a.role == "id out":  # no record dimension stays -1
                found = f"!err && *{a.name} >= 0" if a.name == "unlimdimidp" else "!err"
                after.append(f"if ({found})\n        *{a.name} += 1;")
        if index:
            vectors = ", ".join(name if name in index else "NULL" for name in INDEX)
            before.append(f"struct pcdf_index x;\n    pcdf_index_make(&x, *ncid, *varid - 1, {vectors});")
            after.append("err = pcdf_index_free(&x, err);")
        elif "indexes" in self.roles():
            before.append("struct pcdf_indexes x;\n    pcdf_indexes_make(&x, *ncid, *varid - 1, *num, starts, counts);")
            after.append("err = pcdf_indexes_free(&x, err);")
        call = fold(f"pcdf_end({self.cname}(", [a.passed() for a in self.arguments], "))", 4, 95)
        before.insert(0, "pcdf_begin();")
        body = [*before, f"int err = {call};", *after, "return err;"] if after else [*before, f"return {call};"]
        return f"{prototype}\n{{\n    " + "\n    ".join(body) + "\n}\n"

    def interface(self):
        single = self.form == "var1"
        dummies = [a.fortran(self.row, single, self.way or "") for a in self.arguments]
        return interface_body(self.name, dummies)


def fold(head, words, tail, indent=0, width=110):
    """head, the words with commas, and tail, on lines that are not too long."""
    lines, line = [], head
    for i, word in enumerate(words):
        word += tail if i == len(words) - 1 else ","
        if len(line) + len(word) + 1 > width:
            lines.append(line.rstrip())
            line = " " * (indent + 4)
        line += word + " "
    return "\n".join([*lines, line.rstrip()]) if words else head + tail


def fold_fortran(text, indent):
    """One statement of free form on lines of at most 100 columns."""
    lines = []
    while len(indent + text) > 100:
        cut = text.rfind(",", 0, 96 - len(indent)) + 1
        lines.append(f"{indent}{text[:cut]} &")
        text = "  " + text[cut:].strip()
    return [*lines, indent + text]


def interface_body(name, dummies):
    lines = fold_fortran(f"integer function {name}({', '.join(d[0] for d in dummies)})", "    ")
    lines += [f"      {d[1]}" for d in dummies]
    return [*lines, f"    end function {name}"]


def prototypes():
    """(name, arguments) in C of the functions that have a Fortran form."""
    text = re.sub(r"/\*.*?\*/", " ", HEADER.read_text() + OWN_HEADER.read_text(), flags=re.S)
    found = re.findall(r"PNETCDF_PUBLIC_API\s+int\s+(ncmpi_\w+|parcdf_(?:def|inq)_var_\w+)\s*\(([^;]*)\)\s*;", text)
    return [(name, arguments) for name, arguments in found if name.removeprefix("parcdf_") not in OWN_BY_HAND]


def functions():
    """The same."""
    found = prototypes()
    made = [Function(name, " ".join(arguments.split())) for name, arguments in found if not re.match(r"ncmpi_m(put|get)_", name)]
    return [f for f in made if f.is_wrapped()]


# ---- constants ----

NUMBERS = """byte char short int float double ubyte ushort uint int64 uint64 nowrite write clobber noclobber lock share
classic_model 64bit_offset 64bit_data netcdf4 pnetcdf mpiio format_classic format_64bit_offset format_64bit
format_64bit_data format_netcdf4 format_netcdf4_classic format_unknown fill nofill sizehint_default max_name max_nfiles
max_dims max_attrs max_vars max_var_dims req_null req_all get_req_all put_req_all count_ignore noquantize
quantize_bitgroom quantize_granularbr quantize_bitround chunked contiguous noshuffle shuffle nochecksum fletcher32 szip_ec
szip_nn""".split()
ALIASES = {"int1": "byte", "int2": "short", "int4": "int", "real": "float", "real4": "float", "real8": "double",
           "cdf2": "64bit_offset", "cdf5": "64bit_data", "format_cdf2": "format_64bit_offset",
           "format_cdf5": "format_64bit_data"}
# What has another value, another type or no name in C: type, name, value.
OWN = [("integer", "global", "0"), ("integer", "unlimited", "0"), ("integer", "fatal", "1"), ("integer", "verbose", "2"),
       ("integer", "align_chunk", "-1"), ("integer", "32bit", "16777216"), ("integer", "bp", "65536"),
       ("integer", "format_bp", "6")]
# type in pnetcdf.inc, type in the module (where it differs), name, value
FILLS = [("integer", "integer(1)", "fill_byte", "-127"), ("integer", "integer(1)", "fill_int1", "-127"),
         ("integer", "integer(1)", "fill_char", "0"), ("integer", "integer(2)", "fill_short", "-32767"),
         ("integer", "integer(2)", "fill_int2", "-32767"), ("integer", "integer", "fill_int", "-2147483647"),
         ("real", "real", "fill_float", "9.9692099683868690e+36"), ("real", "real", "fill_real", "9.9692099683868690e+36"),
         ("real", "real", "fill_real4", "9.9692099683868690e+36"),
         ("double precision", "double precision", "fill_double", "9.9692099683868690d+36"),
         ("double precision", "double precision", "fill_real8", "9.9692099683868690d+36"),
         ("integer", "integer(2)", "fill_ubyte", "255"), ("integer", "integer", "fill_ushort", "65535"),
         ("integer*8", "integer(8)", "fill_uint", "4294967295_8"),
         ("integer*8", "integer(8)", "fill_int64", "-9223372036854775806_8"),
         ("double precision", "double precision", "fill_uint64", "1.8446744073709551614d+19")]


def macros():
    text = re.sub(r"/\*.*?\*/", " ", HEADER.read_text() + OWN_HEADER.read_text(), flags=re.S)
    return dict(re.findall(r"^#define[ ]+(\w+)[ ]+(.+?)\s*$", text, re.M))


def number(table, name):
    """The value of a macro, through the macros that it names."""
    value = table[name].strip("() ")
    return number(table, value) if value in table else str(int(value.rstrip("L"), 0))


def constants():
    """(type, name without nf_ or nf90_, value), and the ones of the library's build."""
    table = macros()
    rows = [("integer", name, number(table, "NC_" + name.upper())) for name in NUMBERS]
    rows += [("integer", alias, number(table, "NC_" + name.upper())) for alias, name in ALIASES.items()]
    errors = [name for name in table if re.fullmatch(r"NC_E[A-Z0-9_]+|NC_NOERR|NC2_ERR", name)
              and not name.startswith(("NC_ENDIAN", "NC_ENUM")) or name == "NC_ENUMRECS_MULTIDEFINE"]
    rows += [("integer", name[3:].lower() if name != "NC2_ERR" else "2_err", number(table, name)) for name in errors]
    build = [name for name in table if name.startswith("PNETCDF_") and "ENABLE" not in name
             and re.fullmatch(r"-?\d+", table[name])]
    return rows + OWN, [(name.lower(), table[name]) for name in build]


def fixed(kind, name, value):
    """Two lines that are good in fixed and in free form."""
    return [f"      {kind} {name}", f"      parameter ({name} = {value})"]


def include_text(made):
    rows, build = constants()
    lines = ["! Written by bindings/fortran/bindings.py from include/pnetcdf.h; do not edit.",
             "! For include in fixed and in free form: constants and functions of the Fortran 77 interface."]
    for name, value in build:
        lines += fixed("integer", name.upper(), value)
    for kind, name, value in rows:
        lines += fixed(kind, "nf2_err" if name == "2_err" else f"nf_{name}", value)
    for kind, _, name, value in FILLS:
        lines += fixed(kind, f"nf_{name}", value)
    lines += fixed("integer*8", "nfmpi_unlimited", "0")
    for name in sorted([f.name for f in made] + [f"nfmpi_{name}" for name in OWN_BY_HAND]):
        lines += [f"      integer {name}", f"      external {name}"]
    for name in CHARACTER:
        lines += [f"      character*80 nfmpi_{name}", f"      external nfmpi_{name}"]
        lines += [f"      integer nfmpi_x{name}", f"      external nfmpi_x{name}"]
    lines += ["      character*1024 nfmpi_last_error", "      external nfmpi_last_error"]
    lines += ["      logical nfmpi_issyserr", "      external nfmpi_issyserr"]
    return "\n".join(lines) + "\n"


def module_constants():
    rows, build = constants()
    lines = [f"  integer, parameter :: {name} = {value}" for name, value in build]
    for prefix in ("nf_", "nf90_"):
        for kind, name, value in rows:
            full = ("nf2_err" if prefix == "nf_" else None) if name == "2_err" else prefix + name
            lines += [f"  {kind}, parameter :: {full} = {value}"] if full else []
        lines += [f"  {old if prefix == 'nf_' else new}, parameter :: {prefix}{name} = {value}"
                  for old, new, name, value in FILLS]
    lines += [f"  integer(8), parameter :: {prefix}_unlimited = 0" for prefix in ("nfmpi", "nf90mpi")]
    return [line.replace("integer*8", "integer(8)") for line in lines]


def module_access():
    """The interfaces of put and get: one C function each, whatever type and rank."""
    lines = []
    for way in ("put", "get", "iput", "iget", "bput"):
        intent = "inout" if way.endswith("get") else "in"
        for form in ("var", "varn", "vard"):
            if form == "vard" and way not in ("put", "get"):
                continue
            request = [("req", "integer(c_int), intent(out) :: req")] if way[0] in "ib" else []
            for end in ("", "_all") if not request else ("",):
                body = access_interface(f"{way}_{form}{end}", form, intent, request)
                lines += two_forms(f"{way}_{form}{end}", body, intent, request) if form == "varn" else body
    return lines


def two_forms(name, body, intent, request):
    """varn of num values, and of a single one, which has no num: a generic name for both, in an interface of its own."""
    many = [line.replace(f"nf90mpi_{name}", f"pcdf_many_{name}") for line in body]
    one = access_interface(name, "varn", intent, request, single=True)
    one = [line.replace(f"nf90mpi_{name}", f"pcdf_one_{name}") for line in one]
    return ["  end interface", f"  interface nf90mpi_{name}", *many, *one, "  end interface", "  interface"]


def access_interface(name, form, intent, request, single=False):
    head = [("ncid", "integer(c_int), value :: ncid"), ("varid", "integer(c_int), value :: varid")]
    values = [("values", f"type(*), dimension(..), intent({intent}) :: values")]
    if form == "vard":
        dummies = [*head, ("filetype", "integer(c_int), value :: filetype"), ("buf", values[0][1].replace("values", "buf")),
                   ("bufcount", "integer(c_int64_t), value :: bufcount"), ("buftype", "integer(c_int), value :: buftype")]
    elif single:
        dummies = [*head, ("value", values[0][1].replace("values", "value")), *request,
                   ("start", "integer(c_int64_t), intent(in) :: start(:,:)")]
    elif form == "varn":
        dummies = [*head, *values, *request, ("num", "integer(c_int), value :: num"),
                   ("start", "integer(c_int64_t), intent(in) :: start(:,:)"),
                   ("count", "integer(c_int64_t), intent(in), optional :: count(:,:)")]
    else:
        dummies = [*head, *values, *request]
        dummies += [(v, f"integer(c_int64_t), intent(in), optional :: {v}(:)") for v in ("start", "count", "stride", "map")]
        dummies += [("bufcount", "integer(c_int64_t), intent(in), optional :: bufcount"),
                    ("buftype", "integer(c_int), intent(in), optional :: buftype")]
    end = "_one" if single else ""
    text = f"integer(c_int) function nf90mpi_{name}({', '.join(d[0] for d in dummies)}) bind(C, name='pcdf_f90_{name}{end}')"
    return [*fold_fortran(text, "    "), "      import :: c_int, c_int64_t", *[f"      {d[1]}" for d in dummies], f"    end function nf90mpi_{name}"]


def module_plain(made):
    by_base, lines = {f.base: f for f in made}, []
    for row in PLAIN.replace("\n", "|").split("|"):
        base, *names = row.split()
        dummies = []
        for argument, name in zip(by_base[base].arguments, names):
            _, declaration = argument.fortran()
            declaration = re.sub(r":: \w+", f":: {name}", declaration)
            if base != "inq_files_opened":  # its array may be of any length
                declaration = declaration.replace("(*)", "(:)" if "num" not in names else "(*)")
            dummies.append((name, declaration))
        lines += [line[2:] for line in interface_body(f"nf90mpi_{base}", dummies)[:-1]]
        lines += ["    call pcdf_f90_comes()"]
        lines += fold_fortran(f"nf90mpi_{base} = nfmpi_{base}({', '.join(names)})", "    ")
        lines += [f"  end function nf90mpi_{base}", ""]
    return lines


def module_text(made):
    parts = {"@constants": module_constants,
             "@access": module_access, "@plain": lambda: module_plain(made),
             "@external": lambda: [f"  integer, external :: {f.name}" for f in made if f.is_choice()],
             "@nfmpi": lambda: [line for f in made if not f.is_choice() and f.base not in BY_HAND
                                     for line in f.interface()]}
    lines = []
    for line in (HERE / "pnetcdf.f90.in").read_text().splitlines():
        lines += parts[line.strip()]() if line.strip() in parts else [line]
    return "\n".join(lines) + "\n"


def calls_text(made):
    head = ["/* clang-format off */", "/* Written by bindings/fortran/bindings.py from include/pnetcdf.h; do not edit.",
            " * The Fortran 77 interface: gfortran passes addresses, and the lengths of texts at the end. */",
            '#include "f77support.h"', ""]
    bodies = [f.c_source() for f in made if f.base not in BY_HAND]
    return "\n".join(head) + "\n" + "\n".join(bodies)


def main(argv):
    made = functions()
    stale = [(HERE / name, text) for name, text in [("f77calls.c", calls_text(made)), ("pnetcdf.inc", include_text(made)),
                                                     ("pnetcdf.f90", module_text(made))]
             if not (HERE / name).exists() or (HERE / name).read_text() != text]
    for path, text in stale:
        if argv == ["--check"]:
            print(f"bindings/fortran/{path.name} is not what bindings/fortran/bindings.py writes")
        else:
            path.write_text(text)
    return 1 if stale and argv == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
