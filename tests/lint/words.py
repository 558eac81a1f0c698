#!/usr/bin/env python3
"""Words and names that are gone stay gone.

* GONE has words that the code said before, each with what it says instead. None may come back. Who renames something adds a row.
* A comment or a README that names a source file names one that is there; if it names folders before it, the file is in these.

    words.py            exit 1, and each breach on a line, if there is one"""
import re
import sys
from collections import defaultdict

from names import ROOT, SYSTEM, tracked

# (word, what is said instead, where it may stay). A name has words, too: pcdf_storage_mute has the word mute.
GONE = [
    ("pcdf_how|PCDF_HOW_\\w+", "pcdf_call_mode, PCDF_CALL_...", ()),
    ("memtree", "typemap, MPI's word", ()),
    ("evade", "avoid_fill_value", ()),
    ("fate", "treatment", ()),
    ("fstype", "filesystem", ()),
    ("hush(?:ed)?", "mute", ()),
    ("nap", "pause, sleep_ms", ()),
    ("parquet", "JSON, of which kerchunk makes Parquet", ("src/virtual/zarrtree.c",)),
    ("beats?", "heartbeat", ()),
    ("blocksums?", "checksumblocks, pcdf_checksum_blocks", ()),
    ("pcdf_stretch", "range, pcdf_row_range", ()),
    ("pcdf_engine_\\w+", "pcdf_storage_...: the hint pcdf_engine keeps its name", ()),
    ("pcdf_writequeue_settle", "pcdf_writequeue_drain", ()),
    ("flaw(?:ed|s)?", "reason (why something is left out), damage", ()),
    ("team|toolteam", "ranks", ()),
    ("ds->comm", "ds->ranks", ()),
    ("pcdf_(?:list|stripe|far|meaning)_part|farpart", "batch, piece, slice: a part is in src/parts", ()),
    ("ds->queue|is_in_queue|request_queue", "ds->posted: a queue is the write queue", ()),
    ("engine_(?:basics|big|choice|errors|exchange|fault|queue|throttle|fail)|enginetest", "storage_...: tests/storage", ()),
    ("relook|freshlook", "followheader, followfile", ()),
    ("pcdf_(?:copy|reduce)_stretch|stretch_at|(?:read|add|is)_stretch", "span, run, range", ()),
    ("pcdf_kernels(?:_of)?", "pcdf_converter, pcdf_converter_of", ()),
    ("wish(?:es)?", "config, options, proposal, filter", ()),
    ("root_says|hear_root_all", "root_decision, broadcast_decision_all", ()),
    ("pcdf_debug_strategy=exchange|(?:put|get)_exchange|no-exchange", "two-phase, put_two_phase, get_two_phase, no-two-phase",
     ("programs/report/recordlines.c",)),
    ("PCDF_HINT_STRATEGY_(?:EXCHANGE|OFFSETS)|PCDF_STRATEGY_(?:VIEW|OWN_CALL)|(?:puts|gets)_alone", "the strategies are independent, two-phase, views",
     ()),
    ("pcdf_records_(?:raise_all|take|hear)|records_heard", "pcdf_records_count_all, count_now, see; records_seen", ()),
]
PLACES = ("src", "mpiio", "programs", "include", "bindings", "benchmarks")
OTHERS = {"mpi.h", "netcdf.h", "mfhdf.h", "zlib.h", "uthash.h", "lustre_user.h", "openat2.h", "stddef.h", "packages/parcdf/package.py",
          "builtparts.def"}  # of others, and one that CMake makes
C, HASH = {".c", ".h", ".def", ".hpp", ".cc"}, {".py", ".cmake", ".sh", ".txt", ""}
IN_C = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', re.S)
IN_OTHERS = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?m:(?:^|[ \t])#[^\n]*)')
NAME = re.compile(r"(?<![\w./*-])((?:[\w.-]+/)*[A-Za-z_]\w*)(\.h/\.c|\.\[ch\]|\.(?:c|h|def|hpp|cc|py|f90|cmake|sh)\b)(?![\w*(/.]\w)")
PLACEHOLDER = re.compile(r"[A-Z]{3}|^[a-c]$")  # FOLDER/NAME.c; a.c


def come_back(files):
    """Words that are gone, in names, comments and texts."""
    rows = [(re.compile(rf"(?<![^\W_])(?:{word})(?![^\W_])", re.I), word, instead, stays) for word, instead, stays in GONE]
    for path in [p for p in files if p.parts[0] in PLACES]:
        text = (ROOT / path).read_text(errors="replace")
        for pattern, word, instead, stays in rows:
            if path.as_posix() not in stays:
                for found in pattern.finditer(path.as_posix() + "\n" + text):
                    line = text.count("\n", 0, max(0, found.start() - len(path.as_posix()) - 1)) + 1
                    yield f"{path}:{line} says {word}: say {instead}"


def comments(path, text):
    """(place, text) of each comment of a file. In a README all is one, but for programs and commands."""
    if path.name == "README.md":
        yield 0, re.sub(r"^(?:    .*|```.*?^```)$", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)
        return
    for found in (IN_C if path.suffix in C else IN_OTHERS).finditer(text):
        if found[0].startswith(("/", '"""')) or found[0].lstrip().startswith("#"):
            yield found.start(), found[0]


def not_there(files):
    """Source files that comments name and that are not there."""
    places = defaultdict(list)
    for path in files:
        places[path.name].append("/" + path.as_posix())
    for path in [p for p in files if p.suffix in C | HASH or p.name == "README.md"]:
        text = (ROOT / path).read_text(errors="replace")
        for at, comment in comments(path, text):
            comment = re.sub(r"#include.*", "", comment)
            for found in NAME.finditer(comment):
                for end in {".h/.c": (".h", ".c"), ".[ch]": (".h", ".c")}.get(found[2], (found[2],)):
                    name = re.sub(r"^(?:\.{1,2}/)+", "", found[1] + end)
                    last = name.rsplit("/", 1)[-1]
                    if {name, last} & (OTHERS | SYSTEM) or PLACEHOLDER.search(found[1]) or any(p.endswith("/" + name) for p in places[last]):
                        continue
                    line = text.count("\n", 0, at) + comment.count("\n", 0, found.start()) + 1
                    yield f"{path}:{line} names {name}, which is not there" + (f": {places[last][0][1:]}" if places[last] else "")


def main():
    files = tracked()
    bad = [*come_back(files), *not_there(files)]
    print("\n".join(bad) or f"{len(GONE)} words are gone; comments of {len(files)} files name files that are there")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
