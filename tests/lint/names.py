#!/usr/bin/env python3
"""Names in the tree: no two source files share a name (a .c and its .h stand in one folder), none is a name of the C
library's headers, every folder has a README.md, every test and benchmark program is built. The README of a folder of the library
and the programs has a word on each of its source files, and names no file that is not there."""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = {p.name for p in Path("/usr/include").glob("*.h")} | {"error.h", "memory.h", "stdatomic.h"}
SYSTEM -= {"pnetcdf.h", "parcdf.h"}

OTHERS = {"mpi.h", "netcdf.h", "mfhdf.h", "zlib.h", "toolNAME.c"}  # of other projects, and a file to be


def tracked():
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if done.returncode:  # an unpacked archive
        return [p.relative_to(ROOT) for p in ROOT.rglob("*") if p.is_file() and "build" not in p.parts[0]]
    return [Path(line) for line in done.stdout.splitlines() if (ROOT / line).exists()]


def rows(files):
    """What the READMEs of src/ and mpiio/ say, against the files."""
    ours = [p for p in files if p.parts[0] in ("src", "mpiio", "include")]
    names, bad = {p.name for p in ours} | OTHERS, []
    for readme in [p for p in ours if p.name == "README.md"]:
        text = (ROOT / readme).read_text()
        groups = [w.replace("*", ".*") for w in re.findall(r"\w+\*", text)]
        for path in [p for p in ours if p.parent == readme.parent and p.suffix in (".c", ".h", ".def")]:
            if not re.search(rf"\b{path.stem}\b", text) and not any(re.fullmatch(g, path.stem) for g in groups):
                bad.append(f"{readme} has no row for {path.name}")
        text = re.sub(r"\b(tests|benchmarks)/\S+", "", text)
        for stem, end in re.findall(r"\b([A-Za-z]\w*)(\.(?:def|h/\.c|\[ch\]|[ch])\b|\.\[ch\])", text):
            for suffix in {".h/.c": (".h", ".c"), ".[ch]": (".h", ".c")}.get(end, (end,)):
                bad += [] if stem + suffix in names else [f"{readme} names {stem + suffix}, which is not there"]
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
    print("\n".join(bad) or f"{len(files)} files, {len(folders)} folders")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
