#!/usr/bin/env python3
"""Writes the manual pages: man3 from the comments of include/pnetcdf.h and parcdf.h, man1 from the help texts of
programs and the table of hints.

    manpages.py FOLDER [DROPIN]     FOLDER/man1 and FOLDER/man3, DROPIN/man1 for the commands in PnetCDF's names; exit 1
                                    when something is not documented: a function on no page or on two, one that does not
                                    say who calls it, an argument or a code without a meaning

Run by the build (ManPages.cmake). A page of section 3 is a family of functions; a file of one line sends the name of each
function there. What stands here and not in the header are the families and the meanings of the arguments."""
import re
import sys
import textwrap
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from header import FORMS, TYPES

ROOT = Path(__file__).resolve().parents[2]
LINE = 72  # columns of a line that is not filled: 80 less the margins that man takes
FORM_WORDS = {"var": "a whole variable", "var1": "one element", "vara": "a block", "vars": "elements at regular distances",
              "varm": "a block that is spread in memory", "varn": "a list of blocks"}

# page: (what the functions of it do, which functions they are, examples)
PAGES = {
    "parcdf-errors": ("error codes as text, and versions", r"ncmpi_strerr|ncmpi_inq_libvers|parcdf_(last_error|tell_fortran|version)$", ["errors_handled"]),
    "parcdf-storage-of-variables": ("chunks, compression and checksums of variables in netCDF-4 files",
                                    r"parcdf_(def|inq)_var_(chunking|deflate|zstd|szip|fletcher32)$", []),
    "parcdf-sets": ("files that become visible together, and what to restart from", r"parcdf_(set_(begin|commit|abort)|restart_find)$", []),
    "parcdf-recovery": ("finish a change that a crash interrupted", r"parcdf_(repair(_with)?|set_progress)$", []),
    "parcdf-files": ("create, open, close and remove files, change their modes",
                     r"parcdf_(wait|refresh|inq_generation)$|ncmpi_(create|open|close|abort|_?enddef|redef|sync|flush|sync_numrecs|(begin|end)_indep_data|delete|"
                     r"(set|inq)_default_format)$", ["collective_write", "restart"]),
    "parcdf-inquiry": ("properties of a file",
                       r"ncmpi_inq(_(file_format|files_opened|ndims|nvars|natts|unlimdim|num_(rec|fix)_vars|format|version|path|"
                       r"file_info|striping|(put|get)_size|header_(size|extent)|recsize|malloc_\w+))?$|ncmpi_get_file_info$", []),
    "parcdf-dimensions": ("define, rename and look up dimensions", r"ncmpi_(def|rename|inq)_dim(id|name|len)?$", ["record_append"]),
    "parcdf-variables": ("define, rename and look up variables",
                         r"ncmpi_((def|rename)_var|inq_var(id|name|type|ndims|dimid|natts|offset)?)$|parcdf_(def|inq)_var_quantize$", ["block_2d"]),
    "parcdf-fill": ("fill values for elements that nobody writes", r"ncmpi_(set_fill|(def|inq)_var_fill|fill_var_rec)$", ["fill_values"]),
    "parcdf-attributes": ("set, read and look up attributes",
                          r"ncmpi_((inq|copy|rename|del)_att|inq_att(id|type|len|name)|(put|get)_att(_\w+)?)$", ["collective_write"]),
    **{f"parcdf-{form}": (f"write and read {FORM_WORDS[form]}", rf"ncmpi_(put|get)_{form}(_\w+)?$", examples)
       for form, examples in zip(FORMS, [["errors_handled"], ["errors_handled"], ["block_2d", "block_3d", "flexible_ghost"],
                                         ["fill_values"], ["transpose_varm"], ["varn_irregular"]])},
    "parcdf-vard": ("write and read by an MPI file type; deprecated", r"ncmpi_(put|get)_vard(_all)?$", ["varn_irregular"]),
    "parcdf-iput": ("nonblocking puts", r"ncmpi_iput_\w+$", ["nonblocking_many"]),
    "parcdf-iget": ("nonblocking gets", r"ncmpi_iget_\w+$", ["nonblocking_many"]),
    "parcdf-bput": ("nonblocking puts of copied values", r"ncmpi_bput_\w+$", ["nonblocking_many"]),
    "parcdf-wait": ("carry out or cancel pending requests, attach a buffer",
                    r"ncmpi_(wait|wait_all|cancel|buffer_(at|de)tach|inq_(nreqs|buffer_(usage|size)))$", ["nonblocking_many"]),
    "parcdf-mput": ("write several variables in one call", r"ncmpi_mput_\w+$", ["nonblocking_many"]),
    "parcdf-mget": ("read several variables in one call", r"ncmpi_mget_\w+$", ["nonblocking_many"]),
    "parcdf-cdl": ("read the definitions in a CDL text", r"cdl_hdr_\w+$", []),
}
# Sections of the header whose first comment holds for a page besides those that its functions stand in.
ALSO = {f"parcdf-{form}": ["data"] for form in FORMS}
BEFORE = {f"parcdf-{way}": "FORM, TYPE, arguments and conversion are the same as for put and get: see \\fBparcdf-vara\\fR(3)."
          for way in ("iput", "iget", "bput", "mput", "mget")}

TYPED = ("\n.PP\n\\fITYPE\\fR is " + ", ".join(f"\\fB{t}\\fR" for t, _ in TYPES) + "; \\fICTYPE\\fR is the C type that belongs to it."
         "\nALL PROTOTYPES lists every function.")
LEADS = {
    "parcdf-var": "These functions write or read all elements of a variable.",
    "parcdf-var1": "These functions write or read one element of a variable.",
    "parcdf-vara": "These functions write or read a block of a variable: along each dimension i, count[i] elements from index start[i] on.",
    "parcdf-vars": "These functions write or read elements of a block at regular distances: along each dimension i, count[i] elements "
                   "from index start[i] on, every stride[i]\\-th.",
    "parcdf-varm": "These functions do what parcdf\\-vars does, for elements that are spread in memory, such as a transposed array: "
                   "imap[i] is the distance in memory between neighbours along dimension i.",
    "parcdf-varn": "These functions write or read a list of num blocks of a variable in one call.",
    "parcdf-iput": "These functions register puts, which \\fBncmpi_wait_all\\fR(3) carries out together.",
    "parcdf-iget": "These functions register gets, which \\fBncmpi_wait_all\\fR(3) carries out together.",
    "parcdf-bput": "These functions register puts and copy their values, so that the program may use its buffer again at once.",
    "parcdf-mput": "These functions write several variables in one call.",
    "parcdf-mget": "These functions read several variables in one call.",
}

ARGUMENTS = {
    "set": "DIR/NAME of a set", "step": "a name for the generation, or NULL", "generation": "receives its number",
    "comm": "communicator of the ranks that use the file", "path": "name of the file", "filename": "name of the file",
    "cmode": "NC_CLOBBER or NC_NOCLOBBER, with a format bit such as NC_64BIT_DATA", "omode": "NC_NOWRITE or NC_WRITE",
    "info": "hints, or MPI_INFO_NULL; see parcdf-hints(1)", "ncidp": "receives the handle of the file",
    "on": "1: count as Fortran does; 0: as C does", "ncid": "handle of the file, from create or open", "err": "a code that a function returned",
    "h_minfree": "bytes to leave free after the header", "v_align": "alignment of the data section, in bytes",
    "v_minfree": "bytes to leave free after the fixed-size variables", "r_align": "alignment of the record section, in bytes",
    "format": "NC_FORMAT_CLASSIC, NC_FORMAT_CDF2, NC_FORMAT_CDF5, NC_FORMAT_NETCDF4 or NC_FORMAT_NETCDF4_CLASSIC", "old_formatp": "receives the previous format",
    "formatp": "receives the format, such as NC_FORMAT_CLASSIC", "num": "number of entries in the arrays", "ncids": "receives the handles",
    "ndimsp": "receives the number of dimensions", "nvarsp": "receives the number of variables",
    "ngattsp": "receives the number of attributes of the file", "unlimdimidp": "receives the id of the record dimension, or -1",
    "nc_mode": "receives the bit of cmode for the format", "pathlen": "receives the length of the path, in bytes",
    "info_used": "receives a new MPI_Info, which the caller frees", "striping_size": "receives the size of a stripe, in bytes",
    "striping_count": "receives the number of stripes", "size": "receives a number of bytes", "extent": "receives a number of bytes",
    "recsize": "receives the number of bytes of one record of all variables", "nreqs": "receives the number of requests",
    "usage": "receives the number of bytes in use", "buf_size": "receives the size of the buffer, in bytes", "bufsize": "bytes of external values to reserve memory for",
    "name": "name of the dimension, variable or attribute; NUL-terminated UTF-8", "newname": "its new name",
    "len": "number of elements; for a dimension also NC_UNLIMITED", "idp": "receives the id", "dimid": "id of a dimension",
    "lenp": "receives the number of elements", "xtype": "external type, NC_BYTE to NC_UINT64", "ndims": "number of dimensions",
    "dimids": "ids of the dimensions, the slowest first", "varidp": "receives the id", "varid": "id of the variable, or NC_GLOBAL for attributes of the file",
    "xtypep": "receives the external type", "nattsp": "receives the number of attributes", "offset": "receives the position, in bytes from the start of the file",
    "fillmode": "NC_FILL or NC_NOFILL", "old_modep": "receives the previous mode", "no_fill": "0: fill; 1: do not fill",
    "fill_value": "one value of the variable's type, or NULL", "recno": "number of the record, from 0", "attnum": "number of the attribute, from 0",
    "ncid_in": "handle of the file to copy from", "varid_in": "variable to copy from, or NC_GLOBAL", "ncid_out": "handle of the file to copy to",
    "varid_out": "variable to copy to, or NC_GLOBAL", "buf": "the values in memory", "start": "index of the first element along each dimension, from 0",
    "count": "number of elements along each dimension; of wait: number of ids, or NC_REQ_ALL", "stride": "step along each dimension, in elements; NULL: all 1",
    "imap": "distance in memory between neighbours along each dimension, in elements; NULL: no gaps", "starts": "an array like start for each block or variable",
    "counts": "an array like count for each block or variable", "strides": "an array like stride for each variable",
    "imaps": "an array like imap for each variable", "bufcount": "number of items of buftype in buf, or NC_COUNT_IGNORE",
    "buftype": "MPI datatype of one item, or MPI_DATATYPE_NULL", "filetype": "MPI datatype of the place in the file", "reqid": "receives the id of the request; may be NULL",
    "array_of_requests": "ids of requests; those that were carried out become NC_REQ_NULL", "array_of_statuses": "receives the code of each request; may be NULL",
    "reqs": "ids of requests; those that were dropped become NC_REQ_NULL", "statuses": "receives the code of each request; may be NULL",
    "varids": "id of each variable", "bufs": "the values in memory of each variable", "bufcounts": "bufcount of each variable",
    "datatypes": "buftype of each variable", "hid": "handle of the CDL text", "attrid": "number of an attribute, from 0",
    "nvars": "receives the number of variables", "nattrs": "receives the number of attributes", "nelems": "receives the number of elements",
    "value": "receives a pointer to the values",
    "progress": "function to call while data is moved, or NULL", "context": "passed to progress", "flags": "PARCDF_REPAIR_DRY_RUN, PARCDF_REPAIR_FORCE, or 0",
    "generation": "receives the number of the definitions; may be NULL",
    "quantize_mode": "NC_QUANTIZE_BITGROOM, NC_QUANTIZE_GRANULARBR, NC_QUANTIZE_BITROUND or NC_NOQUANTIZE", "nsd": "number of significant digits, or bits",
    "quantize_modep": "receives the mode; may be NULL", "nsdp": "receives the number of digits or bits; may be NULL",
    "storage": "NC_CHUNKED or NC_CONTIGUOUS", "chunksizes": "elements of a chunk along each dimension; NULL: the library chooses",
    "storagep": "receives NC_CHUNKED or NC_CONTIGUOUS", "chunksizesp": "receives the elements of a chunk along each dimension",
    "shuffle": "NC_SHUFFLE or NC_NOSHUFFLE", "deflate": "1: compress; 0: do not", "deflate_level": "level of deflate, from 0 to 9",
    "shufflep": "receives NC_SHUFFLE or NC_NOSHUFFLE", "deflatep": "receives 1 or 0", "deflate_levelp": "receives the level",
    "level": "level of Zstandard, from 1 to 22", "zstdp": "receives 1 or 0", "levelp": "receives the level",
    "options_mask": "NC_SZIP_NN or NC_SZIP_EC", "pixels_per_block": "even, from 2 to 32",
    "options_maskp": "receives NC_SZIP_NN or NC_SZIP_EC; 0: no szip", "pixels_per_blockp": "receives the pixels of a block",
    "fletcher32": "NC_FLETCHER32 or NC_NOCHECKSUM", "fletcher32p": "receives NC_FLETCHER32 or NC_NOCHECKSUM",
    "journal": "path of the journal; NULL: the library searches for it",
    "report": "receives sentences on what was found and done; may be NULL", "size": "bytes of room in report",
}

ENVIRONMENT = {
    "PNETCDF_HINTS": "hints, as name=value;name=value; they win over those of the program. See parcdf-hints(1).",
    "PNETCDF_SAFE_MODE": "1: the ranks compare all definitions, and a collective call moves nothing if the arguments of one rank are wrong. The value of rank 0 is used.",
    "PNETCDF_RELAX_COORD_BOUND": "0: start equal to the length of a dimension is an error, also if count is 0.",
    "PARCDF_DEBUG": "1: print every error on standard error, with its sentence. PNETCDF_VERBOSE_DEBUG_MODE does the same.",
}
CLASSES = ["Local", "Replicated", "Agreement", "Collective"]
problems = []


@dataclass
class Block:
    """Functions that share a comment."""
    text: str
    functions: list = field(default_factory=list)  # (name, prototype)


@dataclass
class Section:
    title: str
    head: str  # what the comment that begins it says
    blocks: list = field(default_factory=list)


# ---- reading the headers

def inside(comment):
    """The lines of a C comment without its stars."""
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.removeprefix("/*").removesuffix("*/").splitlines()]
    return "\n".join(line.rstrip() for line in lines).strip()


def sections_of(text, title):
    """The header from its first function on: `---- TITLE ----` comments begin sections."""
    found = [Section(title, "")]
    for comment, prototype in re.findall(r"^(/\*.*?\*/)$|^PNETCDF_PUBLIC_API ([^;]*;)", text, re.M | re.S):
        if comment:
            told = inside(comment)
            begins = re.match(r"---- (.*?) ----\s*(.*)", told, re.S)
            if begins:
                found.append(Section(begins[1], begins[2]))
            found[-1].blocks.append(Block("" if begins else told))
        else:
            prototype = " ".join(prototype.split())
            name = re.search(r"(\w+)\(", prototype)[1]
            found[-1].blocks[-1].functions.append((name, prototype))
    for section in found:
        section.blocks = [b for b in section.blocks if b.functions]
    return found


def read_headers():
    header = (ROOT / "include/pnetcdf.h").read_text()
    own = (ROOT / "include/parcdf.h").read_text()
    start = header.index("/* ---- codes and versions as text")
    sections = sections_of(header[start:], "") + sections_of(own[own.index("extern"):], "parcdf.h")
    codes = dict(re.findall(r"^#define (NC_E\w+) \(-\d+\) /\* (.*) \*/$", header, re.M))
    codes |= {n: s for s, n in re.findall(r"^/\* (.*) \*/\n#define (NC_E\w+) \(-\d+\)$", own, re.M)}
    numbers = dict(re.findall(r"^#define (NC_E\w+) \((-\d+)\)", header + own, re.M))
    intro = inside(re.search(r"/\* Written by.*?\*/", header, re.S)[0])
    date = re.search(r'PNETCDF_RELEASE_DATE "(\w+) (\d+), (\d+)"', header)
    version = re.search(r'PARCDF_VERSION +"(.*?)"', own)[1]
    return sections, codes, numbers, intro, date.groups(), version


# ---- writing roff

def plain(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def marked(text):
    """Words of the interface in bold, `arguments` in italics."""
    text = re.sub(r"\b(NC_[A-Z0-9_]+|(?:ncmpi|parcdf|cdl_hdr)_\w+|P(?:NET|AR)CDF_[A-Z_]+)\b", r"\\fB\1\\fR", plain(text))
    return re.sub(r"`([^`]*)`", r"\\fI\1\\fR", text)


def guarded(line):
    return "\\&" + line if line[:1] in (".", "'") else line


def table(lines):
    """Rows of a word, a gap and what it means become tagged paragraphs; other tables stay as they are."""
    rows = []
    for line in lines:
        row = re.match(r"^ +(\S.*?) {2,}(\S.*)$", line)
        if row and (re.search(r" {2,}", row[2]) or len(row[1]) > 34):
            row = None  # more than two columns
        if row:
            rows.append([row[1], row[2]])
        elif rows and re.match(r"^ {6,}\S", line):
            rows[-1][1] += " " + line.strip()
        else:
            return [".nf", *(guarded(marked(line)) for line in textwrap.dedent("\n".join(lines)).splitlines()), ".fi"]
    return [line for tag, text in rows for line in (".TP", f".B {plain(tag)}", *wrapped(text))]


def wrapped(text):
    return [guarded(part) for part in textwrap.wrap(marked(text), 78, break_on_hyphens=False)]


def prose(text):
    """Paragraphs filled; tables, which have wide gaps, row by row."""
    out = []
    kinds = groupby(text.splitlines(), lambda line: "gap" if not line else bool(re.search(r"^ {2,}|\S {3,}\S", line)))
    for kind, lines in kinds:
        lines = list(lines)
        if kind == "gap":
            out.append(".PP")
        elif kind:
            out += [".PP", *table(lines), ".PP"]
        else:
            for line in lines:
                out += [".PP"] if re.match("(Errors|Rule): ", line) else []
                out += wrapped(line)
    return "\n".join(out)


def template(prototype):
    """The prototype with TYPE and CTYPE instead of the types, where its name has one."""
    for suffix, ctype in [*TYPES, ("ubyte", "unsigned char")]:
        name = re.search(rf"_{suffix}(_all)?\(", prototype)
        if name:
            head, _, tail = prototype.rpartition(f"{ctype} *buf" if f"{ctype} *buf" in prototype else f"{ctype} *const *buf")
            pointer = "*buf" if f"{ctype} *buf" in prototype else "*const *buf"
            return head.replace(name[0], f"_TYPE{name[1] or ''}(") + f"CTYPE {pointer}" + tail
    return prototype


def shortened(prototypes):
    """One prototype for those that differ in the type only."""
    count = Counter(template(p) for p in prototypes)
    return list(dict.fromkeys(template(p) if count[template(p)] > 1 else p for p in prototypes))


def prototype_lines(prototype):
    """Type and punctuation roman, function bold, arguments italic; folded under the opening parenthesis."""
    lines = textwrap.wrap(prototype, LINE, subsequent_indent="        ", break_long_words=False)
    text = plain("\n".join(lines))
    text = re.sub(r"\b(\w+)\(", r"\\fB\1\\fR(", text, count=1)
    return re.sub(r"(\w+)((?:\[\])?[,)])(?!\()", lambda m: m[0] if m[1] == "void" else f"\\fI{m[1]}\\fR{m[2]}", text)


def tagged(rows, font="B"):
    return "\n".join("\n".join([".TP", f".{font} {plain(tag)}", *wrapped(text)]) for tag, text in rows)


def folded(text):
    """Lines of text that are no longer than 80 bytes, as formatters want them."""
    lines = [line if len(line) <= 80 or line[:1] in (".", "'") else "\n".join(map(guarded, textwrap.wrap(
        line, 80, break_long_words=False, break_on_hyphens=False))) for line in text.split("\n")]
    return "\n".join(lines)


class Page:
    def __init__(self, name, section, title, date, version):
        self.name, self.section = name, section
        manual = {1: "Commands", 3: "Library functions"}[section]
        self.parts = [f'.\\" Written by src/api/manpages.py.\n.TH {name.upper()} {section} {date} "parcdf {version}" "{manual}"\n.nh\n.ad l',
                      f".SH NAME\n{title}"]

    def add(self, heading, text):
        if text:
            self.parts.append(f".SH {heading}\n{text}")

    def write(self, folder):
        text = "\n".join(self.parts) + "\n"
        text = re.sub(r"(\.PP\n)+(?=\.(PP|SH|TP|RE))", "", text)
        text = re.sub(r"(\.SH .*\n)(\.PP\n)+", r"\1", text)
        parts = re.split(r"(^\.nf\n.*?^\.fi\n)", text, flags=re.M | re.S)  # every second one is not filled
        text = "".join(part if i % 2 else folded(part) for i, part in enumerate(parts))
        (folder / f"man{self.section}" / f"{self.name}.{self.section}").write_text(text)


# ---- section 3

def arguments_of(prototype):
    inner = re.sub(r"\(\*(\w+)\)\([^()]*\)", r"\1", prototype[prototype.index("(") + 1:-2])  # a function is an argument by its name
    return [re.sub(r"\[\]$", "", a).split("*")[-1].split()[-1] for a in inner.split(",") if a.strip() != "void"]


def who_calls(section, block, name):
    """The class of a function: what its comment says, or that of its section."""
    told = [c for c in CLASSES if re.search(rf"\b{c}\b", block.text)] or [c for c in CLASSES if re.search(rf"\b{c}\b", section.head)]
    if not told and section.title in ("data: put", "data: get"):
        told = ["Collective", "Local"]
    if len(told) > 1 and "Collective" in told and "Local" in told:
        return "Collective" if name.endswith("_all") else "Local"
    if len(told) > 1 and re.search(r"_inq_", name):
        return "Local"
    if len(told) > 1:
        told = [c for c in told if c != "Local"]
    if len(told) != 1:
        problems.append(f"{name}: its comment must say who calls it, not {told or 'nothing'}")
        return "Local"
    return told[0]


def errors_text(texts, codes):
    """The codes that comments name, in their order, each with its sentence."""
    texts = [t.partition("Errors:")[2] or t for t in texts]
    named = list(dict.fromkeys(re.findall(r"\bNC_E(?!NDIAN)[A-Z0-9_]*[A-Z0-9]\b", "\n".join(texts))))
    named = [n for n in named if n not in ("NC_EBADID", "NC_ENOMEM")]
    problems.extend(f"{n}: no row in errors.def" for n in named if n not in codes)
    parts = ["Each description lists the codes of its function in the order in which they are checked. Their meanings:",
             tagged([("NC_EBADID", codes["NC_EBADID"])] + [(n, codes[n]) for n in named if n in codes]), ".PP"]
    if "I/O errors" in "\n".join(texts):
        parts.append(prose("I/O errors are NC_EFILE, NC_EREAD, NC_EWRITE, NC_ENO_SPACE, NC_EQUOTA, NC_EACCESS, NC_EMPI and NC_ETRUNC."))
    parts.append(prose("Every function that allocates memory may return NC_ENOMEM."))
    return "\n".join([*parts, "\\fBparcdf_last_error\\fR(3) returns a sentence with the values."])


def bold_list(names):
    return "\n".join(textwrap.wrap(", ".join(f"\\fB{plain(n)}\\fR" for n in names), 78, break_on_hyphens=False))


def called_by(found, intro):
    """Who calls each function, with what that means."""
    groups = {}
    for section, block, name, _ in found:
        groups.setdefault(who_calls(section, block, name), []).append(name)
    out = []
    for word in [c for c in CLASSES if c in groups]:
        meaning = re.search(rf"^ +{word} +(.*?)(?=^ +[A-Z]\w+ {{3}}|^\S)", intro, re.M | re.S)[1]
        names = groups[word]
        if len(names) > 12:
            names = names[:2] + ["...", names[-1]]
        out += [tagged([(word, " ".join(meaning.split()))]), ".br", bold_list(names)]
    return "\n".join(out)


def function_page(page, found, sections, codes, intro, date, version):
    summary, _, examples = PAGES[page]
    names = [name for _, _, name, _ in found]
    listed = names if len(names) <= 30 else []
    made = Page(page, 3, "\n".join(textwrap.wrap(plain(", ".join([page, *listed])), 70)) + " \\- " + plain(summary), date, version)
    own = "\n.B #include <parcdf.h>" if any(n.startswith("parcdf_") for n in names) else ""
    prototypes = [p for _, _, _, p in found]
    short = shortened(prototypes)
    made.add("SYNOPSIS", ".nf\n.B #include <mpi.h>\n.B #include <pnetcdf.h>" + own + "\n.PP\n" +
             "\n".join(prototype_lines(p) for p in short) + "\n.fi" + (TYPED if len(short) < len(prototypes) else ""))
    titles = list(dict.fromkeys([*ALSO.get(page, ()), *(s.title for s, _, _, _ in found)]))
    texts = [s.head for title in titles for s in sections if s.title == title and len(s.head) > 60]
    blocks = list({id(b): (b, s) for s, b, _, _ in found if b.text}.values())
    told = [LEADS[page]] if page in LEADS else []
    told += [BEFORE[page]] if page in BEFORE else []
    for block, _ in blocks:
        group = [n for _, b, n, _ in found if b is block]
        told.append(f"{bold_list(group)}\n.RS\n{prose(block.text)}\n.RE")
    told += [prose(t) for t in texts]
    made.add("DESCRIPTION", "\n.PP\n".join(told))
    wanted = list(dict.fromkeys(a for _, _, _, p in found for a in arguments_of(p)))
    problems.extend(f"{page}: argument {a} has no meaning in ARGUMENTS" for a in wanted if a not in ARGUMENTS)
    made.add("ARGUMENTS", tagged([(a, ARGUMENTS.get(a, "")) for a in wanted], "I"))
    made.add("WHO CALLS", called_by(found, intro))
    if page == "parcdf-errors":
        made.add("RETURN VALUE", "A text that belongs to the library. These functions do not fail.")
    else:
        made.add("RETURN VALUE", "\\fBNC_NOERR\\fR, which is 0, or a code of the next section. Positive codes are those of errno.")
        made.add("ERRORS", errors_text(texts + [b.text for b, _ in blocks], codes))
    made.add("EXAMPLES", "Complete programs in the folder examples of the documentation:\n" + ",\n".join(f"\\fI{plain(e)}.c\\fR" for e in examples) + "."
             if examples else "")
    problems.extend(f"{page}: examples/{e}.c is not there" for e in examples if not (ROOT / f"examples/{e}.c").exists())
    if len(short) < len(prototypes):
        made.add("ALL PROTOTYPES", ".nf\n" + "\n".join(prototype_lines(p) for p in prototypes) + "\n.fi")
    made.add("SEE ALSO", see_also(page))
    return made


def see_also(page):
    others = ["parcdf"] + [p for p in PAGES if p != page]
    return ",\n".join(f"\\fB{plain(p)}\\fR(3)" for p in others)


def overview(intro, date, version):
    page = Page("parcdf", 3, "parcdf \\- parallel reading and writing of netCDF classic files", date, version)
    page.add("SYNOPSIS", ".nf\n.B #include <mpi.h>\n.B #include <pnetcdf.h>\n.B #include <parcdf.h>\n.PP\n"
             "mpicc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs parcdf)\n.fi")
    page.add("DESCRIPTION", prose(intro.split("\n\n", 1)[1].replace("the comments:", "the descriptions:")))
    page.add("FAMILIES", "\n".join(f".TP\n.BR {plain(p)} (3)\n{plain(PAGES[p][0])}" for p in PAGES))
    page.add("ENVIRONMENT", tagged(ENVIRONMENT.items()))
    page.add("SEE ALSO", "\\fBparcdf\\fR(1), \\fBparcdf\\-hints\\fR(1), \\fBncdump\\fR(1)")
    return page


def write_section_3(folder, date, version, headers):
    sections, codes, numbers, intro = headers
    everything = [(s, b, name, p) for s in sections for b in s.blocks for name, p in b.functions]
    places = Counter()
    for page, (_, pattern, _) in PAGES.items():
        found = [f for f in everything if re.match(pattern, f[2])]
        if not found:
            problems.append(f"{page}: no function is left for it")
            continue
        places.update(name for _, _, name, _ in found)
        made = function_page(page, found, sections, codes, intro, date, version)
        if page == "parcdf-errors":
            made.parts.insert(-2, ".SH CODES\n" + tagged((f"{n} ({numbers[n]})", s) for n, s in codes.items()))
        made.write(folder)
        for _, _, name, _ in found:
            (folder / "man3" / f"{name}.3").write_text(f".so man3/{page}.3\n")
    problems.extend(f"{name} is on {places[name]} pages" for _, _, name, _ in everything if places[name] != 1)
    overview(intro, date, version).write(folder)
    return len(everything)


# ---- section 1

def c_string(text):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")


STRING = r'(NULL|"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*)'


def option_lines(source, name):
    """The lines that a table of programs/reader/options.h gives to a help text, not filled: "  WORDS  MEANING"."""
    table = re.search(rf"\bstruct pcdf_options {name} = \{{\s*\.rows = (\w+)", source)
    rows = table and re.search(rf"\bstruct pcdf_option {table[1]}\[\] = \{{(.*?)^\}};", source, re.M | re.S)
    if not rows:
        problems.append(f"the table {name} of a command's options could not be read")
        return ""
    lines = ""
    for words, meaning in re.findall(r"\{\s*" + STRING + r",\s*" + STRING + r"\s*[,}]", rows[1].replace(".help =", "NULL,")):
        if words == "NULL":
            lines += c_string(meaning)
        elif meaning != "NULL":
            lines += f"  {c_string(words)}  " + c_string(meaning).replace("\n", " ") + "\n"
    return lines


def command_of(body, source, sources):
    """The strings of a row, by what stands between its braces; its options are in the same file or in another one."""
    found = {key: re.search(rf"\.{key} =(.*?)(?=,\n +\.|,\s*\Z)", body, re.S) for key in ("name", "usage", "summary", "help", "more_help")}
    row = {key: c_string(match[1]) if match else "" for key, match in found.items()}
    options = re.search(r"\.options = &(\w+)", body)
    if options:
        holder = next((text for text in [source, *sources] if f"struct pcdf_options {options[1]} = {{" in text), "")
        row["help"] += option_lines(holder, options[1])
    return {**row, "help": row["help"] + row["more_help"]}


def commands():
    """Name, usage, summary and help of each command, from the rows in programs."""
    sources = [path.read_text() for path in sorted((ROOT / "programs").rglob("*.c"))]
    for source in sources:
        for body in re.findall(r"pcdf_tool_command pcdf_tool_\w+ = \{(.*?)^\};", source, re.M | re.S):
            yield command_of(body, source, sources)


def parts_of(help_text):
    """Description, exit status, examples of a command's help; tool.h says what stands where."""
    text, _, examples = help_text.partition("\nEXAMPLES\n")
    body, _, status = text.partition("Exit status")
    return body.strip("\n"), "Exit status" + status.rstrip() if status else "", textwrap.dedent(examples).rstrip()


def hint_rows():
    text = (ROOT / "src/base/hintrows.def").read_text()
    for name, default, help_text in re.findall(r'^PCDF_HINT\((\w+), \w+, \w+, \w+, ([^,]+), .*, "(.*)"\)$', text, re.M):
        yield name, f"Default {default}. " + (help_text if re.match(r"\S+: ", help_text) else help_text[0].upper() + help_text[1:]) + "."


def command_page(command, date, version, name=None, called=None):
    name = name or f"parcdf-{command['name']}"
    page = Page(name, 1, plain(f"{name}") + " \\- " + plain(command["summary"]), date, version)
    page.add("SYNOPSIS", f".B {plain(called or 'parcdf ' + command['name'])}\n{plain(command['usage'])}")
    body, status, examples = parts_of(command["help"])
    for what, text in (("the exit status", status), ("EXAMPLES", examples)):
        if not text:
            problems.append(f"parcdf {command['name']}: its help does not have {what}")
    page.add("DESCRIPTION", prose(body))
    if command["name"] == "hints":
        page.add("HINTS", tagged(hint_rows()))
    page.add("EXIT STATUS", prose(status))
    page.add("EXAMPLES", ".nf\n" + "\n".join(guarded(plain(line)) for line in examples.splitlines()) + "\n.fi")
    page.add("SEE ALSO", "\\fBparcdf\\fR(1), \\fBparcdf\\fR(3), \\fBncdump\\fR(1)")
    return page


def helper_pages(date, version):
    """Programs that the library and `parcdf` start."""
    usage = re.search(r"usage: parcdf-map (.*?)\\n", (ROOT / "src/plugins/maphost.c").read_text())
    if not usage:
        problems.append("src/plugins/maphost.c, the usage of parcdf-map: not found")
    page = Page("parcdf-map", 1, "parcdf\\-map \\- looks through netCDF\\-4, HDF5 and HDF4 files for the library", date, version)
    page.add("SYNOPSIS", f".B parcdf\\-map\n{plain(usage[1] if usage else '')}")
    page.add("DESCRIPTION", "The library starts this program to learn where the chunks of a file of another format lie. So a damaged\n"
             "file, or a defect of libhdf5 or libhdf4, ends this program and not the program of the user. Nobody needs to\n"
             "start it by hand. It lies beside the plug\\-ins, in the folder \\fIparcdf\\fR of the libraries, and not in the path.\n"
             ".TP\n.B \\-\\-print\nprints what it tells the library of \\fIFILE\\fR: dimensions, variables, attributes, and each chunk with\n"
             "its place, its length and its filters.")
    page.add("ENVIRONMENT", tagged([("PARCDF_PLUGINS", "folder of the plug-ins, instead of the installed one.")]))
    page.add("EXIT STATUS", "0 good, 1 the file cannot be read, 2 a wrong argument.")
    page.add("SEE ALSO", "\\fBparcdf\\fR(1), \\fBparcdf\\-info\\fR(1), \\fBparcdf\\-copy\\fR(1)")
    yield page


def write_section_1(folder, date, version):
    rows = list(commands())
    listed = re.findall(r"^PCDF_TOOL\((\w+)\)", (ROOT / "programs/commands.def").read_text(), re.M)
    problems.extend(f"programs/commands.def: the row of {name} could not be read" for name in listed if name not in {r["name"] for r in rows})
    for row in rows:
        command_page(row, date, version).write(folder)
    helpers = list(helper_pages(date, version))
    for helper in helpers:
        helper.write(folder)
    page = Page("parcdf", 1, "parcdf \\- show, check, compare, copy and make netCDF classic files", date, version)
    page.add("SYNOPSIS", ".B parcdf\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n.br\n.B parcdf help\n[\\fICOMMAND\\fR]\n.br\n.B parcdf \\-\\-version")
    page.add("DESCRIPTION", "Works on netCDF classic files (CDF\\-1, CDF\\-2, CDF\\-5). It needs no MPI launcher. If it is\nstarted by one, the commands that read much data share the work among the ranks.\n.B parcdf help \\-\\-list\nprints commands and options for programs to read.")
    page.add("COMMANDS", "\n".join(f".TP\n.BR parcdf\\-{r['name']} (1)\n{plain(r['summary'])}" for r in rows))
    page.add("EXIT STATUS", "0 good, 1 bad (what the command looks for is wrong), 2 unusable (a wrong argument, a file that cannot be read).")
    page.add("SEE ALSO", ",\n".join(f"\\fBparcdf\\-{r['name']}\\fR(1)" for r in rows) + ",\n\\fBparcdf\\fR(3)")
    page.write(folder)
    return len(rows) + len(helpers)


# ---- the commands of the drop-in: what they say when asked for help

# command: (what it does, usage, more, the file that holds its help)
DROP_IN = {
    "pnetcdf-config": ("how to compile and link with this library", "[\\fIOPTION\\fR]...",
                       "The options of PnetCDF's command, answered for parcdf. Folders are told relative to where the command lies.",
                       "cmake/pnetcdf-config.in"),
    "pnetcdf_version": ("the version of the interface", "[\\-vdcblh]",
                        "Prints the version of PnetCDF's interface that parcdf offers, and how it was built.", "cmake/pnetcdf_version.in"),
    "ncvalidator": ("is this a valid netCDF classic file?", "[\\-h] | [\\-t] [\\-x] [\\-q] \\fIFILE\\fR",
                    "PnetCDF's command, answered by \\fBparcdf\\-check\\fR(1), which says more.", "programs/peer/peervalidator.c"),
    "ncoffsets": ("where each variable begins and ends", "[\\-h] | [\\-x] | [\\-sgr] [\\-v \\fIVARIABLE\\fR[,...]] \\fIFILE\\fR",
                  "PnetCDF's command, in its form; \\fBparcdf\\-offsets\\fR(1) says the same for programs to read.",
                  "programs/peer/peeroffsets.c"),
}
# Names whose options are those of a command of ours, or their own help tells: what, usage, the command.
SAME = {
    "ncmpidump": ("print a netCDF classic file as CDL", "[\\fIOPTION\\fR]... \\fIFILE\\fR", "dump"),
    "ncmpigen": ("make a netCDF classic file, or a C program, of CDL", "[\\fIOPTION\\fR]... [\\fICDL\\fR]", "gen"),
    "ncmpidiff": ("compare two netCDF classic files", "[\\fIOPTION\\fR]... \\fIFILE1 FILE2\\fR", "diff"),
    "cdfdiff": ("compare two netCDF classic files", "[\\fIOPTION\\fR]... \\fIFILE1 FILE2\\fR", "diff"),
}
NOT_INSTALLED = ("ncdump", "ncgen", "nccopy")  # netCDF-C's names: cmake/DropIn.cmake


def options_of(text):
    """Rows of an option and what it does: of pnetcdf-config's table, or of a usage text."""
    table = re.findall(r"^(--[\w+-]+)\|[^|]*\|(.+)$", text, re.M)
    return table or re.findall(r'^ *"? +(-\w(?: [\w\[\],.]+)?) +(?:: )?(\S.*?)(?:\\n",?)?$', text, re.M)


def drop_in_pages():
    """Name, summary, usage, text and rows of options of each page."""
    aliases = re.findall(r'^PCDF_TOOL_ALIAS\("([^"]+)"', (ROOT / "programs/aliases.def").read_text(), re.M)
    installed = (ROOT / "cmake/DropIn.cmake").read_text()
    problems.extend(f"aliases.def: {a} has no manual page" for a in aliases if a not in {*DROP_IN, *SAME, *NOT_INSTALLED})
    for name, (summary, usage, text, source) in DROP_IN.items():
        if name not in aliases and name not in installed:
            continue
        rows = options_of((ROOT / source).read_text()) if (ROOT / source).exists() else []
        if not rows:
            problems.append(f"{source}, the help of {name}: no options found")
        yield name, summary, usage, f"{text}\n" + tagged(rows)
    for name, (summary, usage, command) in SAME.items():
        if name in aliases:
            yield name, summary, usage, (f"PnetCDF's command, with its options, answered by \\fBparcdf\\-{command}\\fR(1), which can do more.\n"
                                         f".B {name} \\-h\ntells the options.")


def write_drop_in(folder, date, version):
    for name, summary, usage, text in drop_in_pages():
        page = Page(name, 1, plain(name) + " \\- " + plain(summary), date, version)
        page.add("SYNOPSIS", f".B {plain(name)}\n{usage}")
        page.add("DESCRIPTION", text)
        page.add("SEE ALSO", "\\fBparcdf\\fR(1), \\fBparcdf\\-check\\fR(1), \\fBparcdf\\-offsets\\fR(1), \\fBparcdf\\fR(3)")
        page.write(folder)


def emptied(folder):
    for section in ("man1", "man3"):
        (folder / section).mkdir(parents=True, exist_ok=True)
        for old in (folder / section).glob("*.[13]"):
            old.unlink()
    return folder


def main(folder, dropin=None):
    folder = emptied(Path(folder))
    sections, codes, numbers, intro, (month, day, year), version = read_headers()
    months = "January February March April May June July August September October November December".split()
    date = f"{year}-{months.index(month) + 1:02}-{int(day):02}"
    functions = write_section_3(folder, date, version, (sections, codes, numbers, intro))
    programs = write_section_1(folder, date, version)
    if dropin:
        write_drop_in(emptied(Path(dropin)), date, version)
    print("\n".join(problems) or f"{len(PAGES) + 1} pages of {functions} functions, {programs + 1} pages of commands in {folder}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) in (2, 3) else __doc__)
