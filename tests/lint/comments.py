#!/usr/bin/env python3
"""Comments of C files: none begins with "of" (say what it is, not whose), and one behind a line has at most eight words.

Folders in LEFT have so many that do not hold to it yet. A number may only go down; a folder that is not there has none.

    comments.py [--list FOLDER]     exit 1, and a sentence on a line, for each folder that has more; --list: each of them
    comments.py --update            writes the numbers that are lower now"""
import re
import sys
from collections import defaultdict
from pathlib import Path

from names import ROOT, tracked

MOST_WORDS = 8
# folder: (comments that begin with "of", longer ones behind a line)
LEFT = {
    "benchmarks": (31, 39),
    "bindings": (0, 1),
    "examples": (3, 4),
    "include": (0, 36),
    "programs": (218, 355),
    "src/access": (13, 24),
    "src/api": (1, 4),
    "src/base": (16, 51),
    "src/format": (32, 89),
    "src/meaning": (5, 13),
    "src/plugins": (25, 39),
    "src/sets": (24, 31),
    "src/stores": (25, 63),
    "src/virtual": (47, 127),
    "tests": (98, 284),
}
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
PLACES = ("src", "mpiio", "programs", "include", "bindings", "benchmarks", "examples", "tests")


def folder_of(path):
    """The layer of src, and with what is in it; of the others the first folder."""
    return "/".join(path.parts[:2] if path.parts[0] == "src" and len(path.parts) > 2 else path.parts[:1])


def breaches(path, text):
    """(line, kind, text) of each; kind 0: begins with "of", 1: too long."""
    for found in COMMENT.finditer(text):
        if not found[0].startswith("/"):
            continue
        said = re.sub(r"\s*\n\s*\*?\s*", " ", found[0][2:].removesuffix("*/")).strip()
        line = text.count("\n", 0, found.start()) + 1
        is_behind = text[text.rfind("\n", 0, found.start()) + 1:found.start()].strip() != ""
        if re.match(r"of\b", said):
            yield line, 0, said
        if is_behind and len(said.split()) > MOST_WORDS and not re.search(r"same on all\s+ranks|NOLINT|clang-format", said):
            yield line, 1, said


def count():
    found = defaultdict(lambda: [0, 0])
    for path in tracked():
        if path.parts[0] in PLACES and path.suffix in (".c", ".h"):
            for line, kind, said in breaches(path, (ROOT / path).read_text(errors="replace")):
                found[folder_of(path)][kind] += 1
                if sys.argv[1:2] == ["--list"] and folder_of(path) == sys.argv[2].rstrip("/"):
                    print(f"{path}:{line}: {said}")
    return found


def update(found):
    this = Path(__file__)
    rows = "".join(f'    "{folder}": ({n[0]}, {n[1]}),\n' for folder, n in sorted(found.items()) if any(n))
    this.write_text(re.sub(r"(?m)^LEFT = \{\n(?:    .*\n)*\}", lambda _: f"LEFT = {{\n{rows}}}", this.read_text(), count=1))


def main():
    found = count()
    if sys.argv[1:2] == ["--update"]:
        if LEFT and any(n[kind] > LEFT.get(folder, (0, 0))[kind] for folder, n in found.items() for kind in (0, 1)):
            sys.exit("a number would go up")
        update(found)
        return 0
    rules = ('begin with "of": say what it is', f"behind a line have more than {MOST_WORDS} words")
    bad = [f"{folder}: {n[kind]} comments {rules[kind]}; {LEFT.get(folder, (0, 0))[kind]} were left (--list {folder})"
           for folder, n in sorted(found.items()) for kind in (0, 1) if n[kind] > LEFT.get(folder, (0, 0))[kind]]
    print("\n".join(bad) or f'{sum(n[0] for n in found.values())} comments begin with "of", {sum(n[1] for n in found.values())} are long')
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
