#!/usr/bin/env python3
"""Compares the prototypes of two pnetcdf.h: every function of ours that the other header has too must have the same
parameter types. Parameter names are free.

    signatures.py OURS OTHER [--complete]    --complete: OTHER may have no function that OURS lacks

Without a peer header installed, exits 77 (skipped)."""
import re
import sys
from pathlib import Path

WORDS = {"const", "char", "signed", "unsigned", "short", "int", "long", "float", "double", "void", "MPI_Comm",
         "MPI_Info", "MPI_Offset", "MPI_Datatype", "nc_type", "*", "[]"}


def prototypes(path):
    """name -> list of types, each a string without the parameter's name"""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(errors="replace"), flags=re.S)
    text = re.sub(r"^\s*#.*$", " ", text, flags=re.M)
    found = {}
    for kind, name, args in re.findall(r"(const\s+char\s*\*|int\s)\s*(ncmpi_\w+)\s*\(([^()]*)\)\s*;", text):
        found[name] = [canonical(kind)] + [canonical(a) for a in args.split(",")]
    return found


def canonical(parameter):
    tokens = re.findall(r"\w+|\*|\[\s*\]", parameter)
    tokens = [re.sub(r"\s", "", t) for t in tokens]
    kept = [t for t in tokens if t in WORDS]
    unknown = [t for t in tokens if t not in WORDS]
    if len(unknown) > 1:
        return "not understood: " + parameter.strip()
    pointer = kept.index("*") if "*" in kept else len(kept)
    base = sorted(t for t in kept[:pointer] if t != "[]")          # const char = char const
    if "unsigned" in base and "int" in base and len(base) == 2:    # unsigned int = unsigned
        base.remove("int")
    if "const" in base and len(base) == 1:
        return "not understood: " + parameter.strip()
    rest = ["*" if t == "[]" else t for t in kept[pointer:]]
    return " ".join(base + rest + (["*"] if "[]" in kept[:pointer] else []))


def main(argv):
    complete = "--complete" in argv
    paths = [Path(a) for a in argv if not a.startswith("--")]
    if not paths[1].exists():
        print(f"skipped: no {paths[1]}")
        return 77
    ours, other = map(prototypes, paths)
    both = [n for n in ours if n in other]
    bad = [n for n in both if ours[n] != other[n]]
    for name in bad:
        print(f"{name}: ours ({', '.join(ours[name])}), theirs ({', '.join(other[name])})")
    missing = [n for n in other if n not in ours] if complete else []
    for name in missing:
        print(f"{name}: only in {paths[1]}")
    extra = [n for n in ours if n not in other]
    print(f"{len(ours)} prototypes, {len(both)} also in {paths[1]}, {len(bad)} differ; not there: {' '.join(extra)}")
    return 1 if bad or missing or len(both) < 300 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
