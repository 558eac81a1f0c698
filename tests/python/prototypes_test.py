"""The prototypes by which Python calls the library are those of the headers: each argument and each result."""
import re
import sys
from pathlib import Path

from pysupport import check, finish, need

need("numpy")
ROOT = Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "bindings/python"))
from parcdf import _file, _library, _transfer, _types  # noqa: E402


def letter(argument):
    argument = re.sub(r"\s+", " ", argument).strip()
    if "*" in argument or "[" in argument or argument.startswith("parcdf_progress"):
        return "s" if re.match(r"const char \*(?!buf)", argument) else "p"
    words = argument.split()
    return {"MPI_Comm": "C", "MPI_Info": "I", "MPI_Offset": "o", "size_t": "z", "int": "i", "nc_type": "i", "void": ""}.get(words[0], "?")


def declared():
    found = {}
    for header in ("pnetcdf.h", "parcdf.h"):
        text = re.sub(r"/\*.*?\*/", "", (ROOT / "include" / header).read_text(), flags=re.S)
        text = re.sub(r"^#.*(\\\n.*)*$", "", text, flags=re.M)
        for result, name, arguments in re.findall(r"PNETCDF_PUBLIC_API ([\w ]+?\*?) ?\*?(\w+)\(([^;]*)\);", text):
            star = "*" if re.search(rf"\*{name}\(", text) else ""
            found[name] = (result.strip() + star, "".join(letter(a) for a in re.split(r",(?![^(]*\))", arguments)))
    return found


HEADERS = declared()
check(len(HEADERS) > 500, len(HEADERS))
for table, result in ((_library.TEXTS, "const char*"), (_library.VOIDS, "void"), (_library.PROTOTYPES, "int")):
    for name, letters in table.items():
        check(HEADERS.get(name) == (result, letters), name, letters, "but the header has", HEADERS.get(name))

# What is written by hand of the types is what the headers have.
TEXT = (ROOT / "include/pnetcdf.h").read_text()
for row in _types.TYPES:
    number = re.search(rf"#define NC_{row.name.upper()} (\d+)", TEXT)
    check(number and int(number[1]) == row.code, row)
    fill = re.search(rf"#define NC_FILL_{row.name.upper()} (.*)", TEXT)[1]
    value = re.search(r"-?\d[\d.e+]*", re.sub(r"\(\(?(signed char|char|short|unsigned long long|long long)\)", "", fill))[0]
    check(row.name == "char" or float(value) == float(row.fill), row, fill)
for module, name in ((module, name) for module in (_library, _file, _transfer) for name in vars(module) if name.startswith("NC_E") or name == "NC_COUNT_IGNORE"):
    check(getattr(module, name) == int(re.search(rf"#define {name} \(?(-?\d+)", TEXT)[1]), name)
finish()
