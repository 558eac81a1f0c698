#!/usr/bin/env python3
"""Names in the tree: no two source files share a name (a .c and its .h stand in one folder), none is a name of the C
library's headers, every folder has a README.md, every test and benchmark program is built. The README of a folder has a row for each of its
files (first column of a table headed file, test, program, script, command or target), and no row for a file that is not there."""
import re
import subprocess
import sys
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = {p.name for p in Path("/usr/include").glob("*.h")} | {"error.h", "memory.h", "stdatomic.h"}
SYSTEM -= {"pnetcdf.h", "parcdf.h"}

PROVED = ("src", "mpiio", "programs", "include", "tests", "benchmarks", "scripts", "cmake", "bindings", "examples", "packaging")  # READMEs with rows
SOURCES = {".c", ".h", ".def", ".py", ".sh", ".txt", ".cc", ".f90", ".F90", ".F", ".fi", ".in", ".cmake"}


def tracked():
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if done.returncode:  # an unpacked archive
        return [p.relative_to(ROOT) for p in ROOT.rglob("*") if p.is_file() and "build" not in p.parts[0]]
    return [Path(line) for line in done.stdout.splitlines() if (ROOT / line).exists()]


TABLE = re.compile(r"^\| *(files?|tests?|programs?|scripts?|commands?|targets?) *\|.*\n\|[-| ]+\|\n((?:\|.*\n?)*)", re.M)
WORD = re.compile(r"[\w.*/+-]*(?:\w|\*|\.\[ch\])")


def named(cell):
    """The files that the first cell of a row names: "a.c", "a.h/.c" and "a.[ch]" (two), "a.c, .f90", "cdl*.h", "a" (of any suffix)."""
    stem = ""
    for word in WORD.findall(cell):
        for name in {".h/.c": (word[:-5] + ".h", word[:-5] + ".c"), ".[ch]": (word[:-5] + ".h", word[:-5] + ".c")}.get(
                word[-5:], (word,)):
            name = stem + name if name.startswith(".") and stem else name
            stem = name.rsplit("/", 1)[-1].split(".")[0] or stem
            yield name


def rows(files):
    """Each file of a folder has a row in a table of its README; each row names a file, and no name in it is of none."""
    bad, folders = [], {p.parent for p in files}
    for readme in [p for p in files if p.name == "README.md" and p.parts[0] in PROVED]:
        text, here = (ROOT / readme).read_text(), readme.parent
        mine = {p.name for p in files if p.parent == here} | {p.name for p in folders if p.parent == here}
        found = set()
        for line in "".join(rest for _, rest in TABLE.findall(text)).splitlines():
            names, hits = list(named(re.split(r"(?<!\\)\|", line)[1])), set()
            for name in names:
                suits = {m for m in mine if fnmatch(m, name) or ("." not in name and fnmatch(m.split(".")[0], name))}
                if not suits and ((ROOT / name).exists() or (ROOT / here / name).exists()):
                    suits = {name}
                if not suits and Path(name).suffix in SOURCES:
                    bad.append(f"{readme} has a row for {name}, which is not there")
                hits |= suits
            found |= hits
            bad += [] if hits else [f"{readme} has a row for nothing: {line[:60]}"]
        wanted = {p.name for p in files if p.parent == here} - {"README.md", "CMakeLists.txt"}
        found |= {m for m in mine if m.endswith(".h") and m[:-1] + "c" in found}  # one module is one .h with one .c
        bad += [f"{readme} has no row for {name}" for name in sorted(wanted - found)]
    return bad


def main():
    files, bad = tracked(), []
    places = defaultdict(set)
    for path in files:
        if path.suffix in (".c", ".h", ".def"):
            places[path.stem].add(path.parent)
    bad += [f"{stem}: in {', '.join(sorted(map(str, p)))}" for stem, p in sorted(places.items()) if len(p) > 1]
    bad += [f"{p} is a name of the system's headers" for p in files if p.name in SYSTEM and p.suffix == ".h"]

    folders = {p.parent for p in files} - {Path(".ci")}
    bad += [f"{folder}/ has no README.md" for folder in sorted(folders) if not (ROOT / folder / "README.md").exists()]

    bad += rows(files)
    for top in ("tests", "benchmarks", "examples"):
        lists = "".join(p.read_text() for p in sorted((ROOT / top).rglob("CMakeLists.txt")))
        for path in [p for p in files if p.parts[0] == top and p.suffix == ".c"]:
            if not re.search(rf"\b{re.escape(path.name)}\b", lists) and not re.search(rf"\b{path.stem}\b", lists):
                bad.append(f"{path} is not built: no CMakeLists.txt names it")
    for path in sorted((ROOT / "tests").rglob("CMakeLists.txt")):  # or no build without formats configures
        if re.search(r"add_dependencies\([^)]*\bparcdf_(codecs|hdf5|hdf4|curl)\b", path.read_text()):
            bad.append(f"{path.relative_to(ROOT)}: a format that a test needs is named by NEEDS")
    print("\n".join(bad) or f"{len(files)} files, {len(folders)} folders")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
