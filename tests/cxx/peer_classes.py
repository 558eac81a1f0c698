#!/usr/bin/env python3
"""Every public member of PnetCDF's C++ classes is there, with its exact signature. PnetCDF's header is read as text; each member function
becomes a line that takes the address of ours as a pointer of PnetCDF's type, each constructor one that constructs; enumerators and
the objects of the types are named. The compiler says what is missing or has another type.

    peer_classes.py INCLUDE_FOLDER PEER_HEADER MPI_FOLDERS         (separated by :)

Skipped (77) without the header (Debian: libpnetcdf-dev) or a C++ compiler."""
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner  # noqa: E402

# What is different on purpose: a pattern of class::declaration, and why.
ACCEPTED = {
    r"Ncmpi\w+::bool operator== ?\(const (?!NcmpiType|NcmpiGroup&|NcmpiDim|NcmpiVar&|NcmpiAtt&)": "base classes compare all types and attributes",
    r"NcmpiAtt::void getValues\(char\*\* ": "PnetCDF does not define it; here it is deleted, not missed at the link",
    r"NcmpiGroup::NcmpiGroupAtt putAtt\(const std::string& name, (MPI_Offset|size_t) len, const char\*\* ": "the same",
}


def classes(text):
    """(namespace prefix, class, its public part)."""
    for match in re.finditer(r"\bclass (?:PNETCDF_PUBLIC_API )?(\w+)\s*(?::\s*public [\w:]+\s*)?\{", text):
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        body = text[match.end():at - 1]
        public = "".join(re.split(r"\b(?:private|protected)\s*:", part)[0] for part in re.split(r"\bpublic\s*:", body)[1:])
        yield "exceptions::" if re.search(r"Exception\b", match[0]) else "", match[1], public


def plain(text):
    """Without comments, preprocessor and the bodies of functions."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"\bthrow\s*\(\)", " ", text)
    return re.sub(r"^\s*#.*$", "", text, flags=re.M)


def declarations(public):
    public = re.sub(r"\benum (\w+)\s*\{[^}]*\};", "", public)
    public = re.sub(r"\)([^(){};]*)\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", r")\1;", public)  # a body ends a declaration, too
    for part in public.split(";"):
        part = " ".join(part.split())
        if "(" in part and not part.startswith(("friend", "template")) and "~" not in part:
            yield part


def line(prefix, name, declaration):
    """A statement that compiles where our class has this member."""
    full = f"{prefix}{name}"
    declaration = re.sub(r"^(?:explicit|virtual|inline)\s+", "", declaration)
    parsed = re.match(r"(?:(.*?)\s*\b)?(operator\s*[=!<>]+|\w+)\s*\((.*)\)\s*(const)?\s*(?:=\s*0)?$", declaration)
    result, member, params, const = parsed.groups()
    params = re.sub(r"=\s*[\w:]+(\(\))?", "", params)
    if not (result or "").strip():  # a constructor
        # As a function that constructs from parameters of these types; an abstract class has none.
        types = "" if params.strip() in ("", "void") else params
        return "" if name == "NcmpiAtt" else f"    HAS((std::is_constructible<{full}{', ' if types else ''}{', '.join(kinds(types))}>::value));"
    member = member.replace(" ", "")
    if member == "operator=":
        return f"    HAS((std::is_assignable<{full} &, {', '.join(kinds(params))}>::value));"
    return f"    (void)static_cast<{result.strip()} ({full}::*)({params}){' const' if const else ''}>(&{full}::{member});"


def kinds(params):
    """The types of parameters alone."""
    found = []
    for p in [p.strip() for p in params.split(",") if p.strip()]:
        named = re.match(r"(.*[\s&*])(\w+)$", p)
        found.append(named[1].strip() if named and named[2] not in ("int", "char", "Mode", "double") and named[1].strip() != "const" else p)
    return found


def program(text):
    lines, accepted, counts = [], 0, {"classes": 0, "members": 0}
    scope = {name for _, name, _ in classes(text)}
    for prefix, name, public in classes(text):
        counts["classes"] += 1
        enums = dict(re.findall(r"\benum (\w+)\s*\{([^}]*)\}", public))
        lines += [f"namespace in_{prefix.replace('::', '_')}{name}", "{"]
        lines += ["using namespace PnetCDF::exceptions;"] if prefix else []
        lines += [f"typedef {name}::{e} {e};" for e in enums]  # as inside of the class
        lines += ["void members()", "{"]
        lines += [f"    (void){name}::{word};" for body in enums.values() for word in re.findall(r"(\w+)\s*(?:=[^,}]*)?(?:,|$)", body.strip())]
        for declaration in declarations(public):
            if any(re.match(pattern, f"{name}::{declaration}") for pattern in ACCEPTED):
                accepted += 1
                continue
            lines.append(line(prefix, name, declaration))
            counts["members"] += 1
        lines += ["}", "}"]
    objects = re.findall(r"extern (?:PNETCDF_PUBLIC_API )?(Ncmpi\w+) (ncmpi\w+);", text)
    lines += ["void objects()", "{", *[f"    {kind} *p_{name} = &{name}; (void)p_{name};" for kind, name in objects], "}"]
    head = ["#include <pnetcdf>", "#include <type_traits>", "using namespace PnetCDF;", "#define HAS(true_) static_assert(true_, #true_)"]
    return "\n".join([*head, *lines, "int main() { }", ""]), counts, len(objects), accepted, scope


def main(include, peer, mpi_folders):
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not compiler or not Path(peer).exists():
        print("skipped: no C++ compiler" if not compiler else f"skipped: there is no {peer} (Debian: libpnetcdf-dev)")
        return 77
    source = Path("peer_classes.cc")
    text, counts, objects, accepted, _ = program(plain(Path(peer).read_text()))
    if counts["classes"] < 75 or counts["members"] < 800 or objects != 11:
        sys.exit(f"{peer} was not understood: {counts}, {objects} objects")
    source.write_text(text)
    folders = [f"-I{include}", *(f"-I{f}" for f in mpi_folders.split(":") if f)]
    status, said = runner.run(compiler, "-std=c++11", "-fsyntax-only", "-fmax-errors=40" if "g++" in compiler else "-w", *folders, source)
    print(said[-4000:])
    print(f"{counts['members']} members of {counts['classes']} classes are as in {peer}; {accepted} differ on purpose" if status == 0 else "not all of them")
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
