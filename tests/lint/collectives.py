#!/usr/bin/env python3
"""The rules that keep a rank from skipping a collective (src/README.md, errors agreed across ranks):

 (a) a function that contains a collective ends in _all;
 (b) in an _all function nothing returns between its first line and its last collective;
 (c) an `if`, loop or ?: around a collective tests what is the same on all ranks;
 (d) only mpiio/collective.c calls MPI's collective operations on data: it counts them and makes their sentences.

(a), (b) and (d) fail the test. What is right although it looks wrong carries a comment with the words "on all ranks" on the
line, on the line before, on the `if` that guards it, or where the variable that the `if` tests gets its value; with
"what follows" or "from here on" it holds to the end of the function. PCDF_SAME says the same, and proves it. Two conditions need no words: one rank alone
(size == 1), and a poisoned handle, which never communicates again. The sites of (c) that say nothing are listed for
review; --strict, as the test has it, makes them failures.

    collectives.py [--strict] [--sites] [FILE...]"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MPI = re.compile(r"\bMPI_(?:I?(?:Allreduce|Bcast|Barrier|Reduce|Allgatherv?|Gatherv?|Scatterv?|Alltoall[vw]?|Scan|Exscan)|"
                 r"Comm_(?:dup|dup_with_info|split|split_type|create)|"
                 r"File_(?:open|close|set_view|set_size|preallocate|sync|\w+_all|\w+_all_begin|\w+_all_end))\s*\(")
CALL = re.compile(r"\b((?!ncmpi_|MPI_Win_)\w+_all)\s*\(")  # MPI_Win_lock_all is a rank's own
RETURN = re.compile(r"\breturn\b|\bPCDF_TRY\s*\(|\bgoto\b")
GUARD = re.compile(r"^\s*(?:\}\s*)?(?:else\s+)?(?:if|for|while|do|switch|else)\b")
MARK = re.compile(r"\bon\s+(\*\s+)?all\s+(\*\s+)?ranks\b", re.I)
TO_THE_END = re.compile(r"what\s+follows|from\s+here\s+on", re.I)

UNDERSTOOD = re.compile(r"poison|\b(?:size|ranks) [=!>]=? 1\b")

# Collective or not as its argument says; MPI calls two on all ranks.
NAMED_OTHERWISE = {"pcdf_access", "user_comm_goes", "finalize_comes", "pcdf_comm_release"}
SOMETIMES = re.compile(rf"\b(?:{'|'.join(NAMED_OTHERWISE)})\s*\(")

DATA = re.compile(r"\bMPI_I?(?:Allreduce|Bcast|Barrier|Reduce\w*|Allgatherv?|Gatherv?|Scatterv?|Alltoall[vw]?|Scan|Exscan)\b(?=\s*\()")
# A rank can stop waiting for an Ibarrier.
CALLERS = {"collective.c": None, "watchdog.c": {"MPI_Ibarrier"}, "closing.c": {"MPI_Ibarrier"}}

ALONE = ("repair.c",)  # one process: there is nobody to leave behind


def functions(text):
    """(name, first line, [lines of the body]) of every function, as clang-format lays them out."""
    lines = text.split("\n")
    start = None
    for i, line in enumerate(lines):
        if line == "{":
            j = i - 1
            while j > 0 and not re.match(r"^[a-zA-Z_]", lines[j]):
                j -= 1
            match = re.search(r"(\w+)\s*\(", lines[j])
            start = (match.group(1), i) if match else None
        elif line == "}" and start:
            yield start[0], start[1] + 1, lines[start[1] + 1:i]
            start = None


def code_of(lines):
    """The lines without comments and strings, and for each whether a comment on it has the mark."""
    text = "\n".join(lines)
    marks = [False] * len(lines)
    for match in re.finditer(r"/\*.*?\*/", text, re.S):
        if MARK.search(match.group(0)):
            first, last = text.count("\n", 0, match.start()), text.count("\n", 0, match.end())
            end = len(lines) if TO_THE_END.search(match.group(0)) else last + 1
            marks[first:end] = [True] * (end - first)
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', blank, text, flags=re.S).split("\n"), marks


def guards(code, at):
    """Lines of the ifs and loops that the line `at` stands under, by indentation; and itself when it is one. What only
    chooses an argument of the collective guards nothing."""
    indent = lambda s: len(s) - len(s.lstrip())
    found, depth = [], indent(code[at])
    call = MPI.search(code[at]) or CALL.search(code[at]) or SOMETIMES.search(code[at])
    before = code[at][:call.start()] if call else code[at]
    if GUARD.match(code[at]) or re.search(r"\?|&&|\|\|", before):
        found.append(at)
    for i in range(at - 1, -1, -1):
        if code[i].strip() and indent(code[i]) < depth:
            if GUARD.match(code[i]):
                found.append(i)
            depth = indent(code[i])
    return found


def is_marked(code, marks, places):
    """One of the lines carries the words, or tests a variable whose assignment does."""
    agreed = {name for i, line in enumerate(code) if marks[i] for name in re.findall(r"\b(\w+) = ", line)}
    agreed -= {"status", "err"}  # they change their meaning from line to line
    return any(any(marks[j] or UNDERSTOOD.search(code[j]) for j in (i, i - 1) if j >= 0) or
               (GUARD.match(code[i]) and agreed & set(re.findall(r"\w+", code[i]))) for i in places)


def collectives_of(name, code, local):
    """The lines with a collective. `local`: functions of the same file that are called _all but have none."""
    found = [i for i, line in enumerate(code)
             if MPI.search(line) or any(call not in local for call in CALL.findall(line)) or
             (name.endswith("_all") and SOMETIMES.search(line))]
    alone = not name.endswith("_all") and any("pcdf_ranks_root_alone" in line for line in code)
    return [] if alone else found


def without_collectives(bodies):
    """Engines of one process have functions called _all because the interface does."""
    local = set()
    while True:
        more = {name for name, _, code, _ in bodies if name.endswith("_all") and not collectives_of(name, code, local)}
        if more == local:
            return local
        local = more


def check(path, text, sites):
    bad, name_of = [], path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    allowed = CALLERS.get(path.name, set())
    bare = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', " ", text, flags=re.S)
    for call in sorted(set(DATA.findall(bare)) - (allowed or set())) if allowed is not None else []:
        bad.append(f"{name_of}: calls {call}; only mpiio/collective.c does")
    bodies = [(name, (first, lines), *code_of(lines)) for name, first, lines in functions(text)]
    local = without_collectives(bodies)
    for name, (first, lines), code, marks in bodies:
        collectives = collectives_of(name, code, local)
        if not collectives:
            continue
        marks = [mark or "PCDF_SAME" in line for mark, line in zip(marks, code)]
        where = lambda i: f"{name_of}:{first + i + 1}: {name}: "
        public = name.startswith(("ncmpi_", "parcdf_"))
        if not name.endswith("_all") and name not in NAMED_OTHERWISE and not public:
            if not all(is_marked(code, marks, [i]) for i in collectives):
                bad.append(where(collectives[0]) + "has a collective, but its name does not end in _all")
        for i in range(collectives[-1]):
            if RETURN.search(code[i]) and not public and not is_marked(code, marks, [i, *guards(code, i)]):
                if not (i in collectives and not guards(code, i)):
                    bad.append(where(i) + "leaves before the last collective: " + lines[i].strip())
        for i in collectives:
            over = guards(code, i)
            if over and not public:
                sites.append((is_marked(code, marks, [i, *over]), where(i) + lines[i].strip()))
    return bad


def main(argv):
    files = [Path(a).resolve() for a in argv if not a.startswith("--")]
    files = files or [p for top in ("src/dataset", "src/transfer", "src/define", "src/file", "src/parts", "src/api", "mpiio") for p in sorted((ROOT / top).rglob("*.c"))
                      if p.name not in ALONE]
    bad, sites, seen = [], [], 0
    for path in files:
        text = path.read_text()
        bad += check(path, text, sites)
        seen += len(MPI.findall(text))
    silent = [s for marked, s in sites if not marked]
    shown = [f"{'marked ' if m else 'silent '} {s}" for m, s in sites] if "--sites" in argv else silent
    print("\n".join(bad + ["conditional collectives to review:"] * bool(shown) + shown))
    print(f"{seen} MPI collectives, {len(sites)} conditional ({len(silent)} without a word), {len(bad)} rules broken")
    return 1 if bad or ("--strict" in argv and silent) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
