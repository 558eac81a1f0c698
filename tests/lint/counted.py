#!/usr/bin/env python3
"""Numbers in READMEs that can be counted are true. A row of COUNTED is a page, a sentence in it, and what counts its numbers.

    counted.py          exit 1, and each breach on a line, if there is one

A sentence that is gone is a breach, too: its row goes with it. A number that nobody needs is better left out than counted."""
import re
import sys

from names import ROOT

WORDS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
         "nineteen twenty").split()
KERNEL_LINES = 120  # src/README.md is read in one go


def text(path):
    return (ROOT / path).read_text()


def functions(prefix):
    """Functions that pnetcdf.h declares."""
    return len(set(re.findall(rf"\b{prefix}_\w+(?=\()", re.sub(r"/\*.*?\*/", "", text("include/pnetcdf.h"), flags=re.S))))


def constant(path, name):
    return int(re.search(rf"\b{name} = (\d+)", text(path))[1])


def vote():
    numbers = constant("src/dataset/vote.h", "PCDF_VOTE_NUMBERS")
    return numbers, numbers - constant("src/dataset/vote.h", "PCDF_VOTE_OWN")


COUNTED = [
    ("src/api/README.md", r"The (\w+) functions `ncmpi_\*` of `pnetcdf.h`", lambda: (functions("ncmpi"),)),
    ("tests/collective/README.md", r"each of the (\w+) \+ (\w+) public functions", lambda: (functions("ncmpi"), functions("cdl"))),
    ("src/dataset/README.md", r"MPI_Allreduce of (\w+) 64-bit numbers\. (\w+) of them are in every vote", vote),
    ("src/README.md", r"in the (\w+) steps of `define/change\.h`", lambda: (len(re.findall(r"^ \*   \d\. ", text("src/define/change.h"), re.M)),)),
    ("src/access/README.md", r"`pcdf_request` of (\w+) bytes",
     lambda: (int(re.search(r"sizeof\(struct pcdf_request\) <= (\d+)", text("src/access/request.c"))[1]),)),
    ("tests/lint/README.md", r"`src/README\.md` has at most (\w+) lines", lambda: (KERNEL_LINES,)),
]


def number(word):
    return WORDS.index(word.lower()) if word.lower() in WORDS else int(word) if word.isdigit() else None


def wrong():
    for page, sentence, count in COUNTED:
        found = re.search(sentence, re.sub(r"\s+", " ", text(page)))
        if not found:
            yield f"{page} does not say {sentence!r} any more: take its row from {__file__.rsplit('/', 1)[-1]}"
        elif [number(word) for word in found.groups()] != list(count()):
            yield f"{page} says {found[0]!r}: counted {' and '.join(map(str, count()))}"
    lines = text("src/README.md").count("\n")
    if lines > KERNEL_LINES:
        yield f"src/README.md has {lines} lines, of {KERNEL_LINES}: details stand in the README of a folder"


def main():
    bad = list(wrong())
    print("\n".join(bad) or f"{len(COUNTED)} sentences have true numbers")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
