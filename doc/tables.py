#!/usr/bin/env python3
"""Writes the manual's tables that are other files' facts, between their marks in the pages:
hints.md and debug-hints.md from what `parcdf hints` prints, errors.md from src/base/errors.def.

    tables.py PARCDF [--check]       PARCDF: the built program; --check: write nothing, fail where a table is stale"""
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def hints(parcdf):
    text = subprocess.run([parcdf, "hints"], check=True, capture_output=True, text=True).stdout
    groups = {"ours": [], "peer": [], "none": [], "other": [], "debug": []}
    for name, values, what in re.findall(r"^(\w+)\n +(.*)\n((?: +.*\n)+)", text, re.M):
        what = " ".join(what.split())
        other = re.fullmatch(r"a hint of (.*), (.*)", values)
        if other:
            groups["other"].append(f"| `{name}` | {other[1]} | {other[2]} | {cell(what)} |")
            continue
        number = re.fullmatch(r"default (-?\d+), from (-?\d+) to (-?\d+)(, or as .*)?", values)
        word = re.fullmatch(r'default "(.*)", (?:one of (.*)|any text)', values)
        default, allowed = (number[1], f"{'bytes, ' if number[4] else ''}{number[2]} to {number[3]}") if number else (word[1], word[2] or "any text")
        # 2^63-1 / 4 and the like say nothing to a reader
        allowed = re.sub(r"to (\d{19,})$", "up", allowed).replace("|", ", ")
        group = "none" if what.startswith("without effect") else "peer"
        group = "debug" if name.startswith("pcdf_debug_") else "ours" if name.startswith("pcdf_") else group
        groups[group].append(f"| `{name}` | {cell(default) or 'empty'} | {cell(allowed)} | {cell(what)} |")
    head = "| hint | default | allowed | what it does |\n|---|---|---|---|\n"
    heads = {"other": "| hint | of | here | what it does |\n|---|---|---|---|\n"}
    return {f"hints {group}": heads.get(group, head) + "\n".join(rows) for group, rows in groups.items()}


def promised_hints(parcdf):
    return {name: table for name, table in hints(parcdf).items() if name != "hints debug"}


def debug_hints(parcdf):
    return {"hints debug": hints(parcdf)["hints debug"]}


def errors(_):
    text = (HERE.parent / "src/base/errors.def").read_text()
    rows = re.findall(r'^PCDF_ERROR\((\w+), (-\d+), "(.*)"\)$', text, re.M)
    head = "| code | name | sentence |\n|---|---|---|\n"
    ranges = {"errors classic": (-68, -1), "errors four": (-142, -69), "errors parallel": (-249, -201),
              "errors differ": (-279, -250), "errors own": (-300, -280)}
    return {name: head + "\n".join(f"| {v} | `{n}` | {cell(s)} |" for n, v, s in rows if low <= int(v) <= high)
            for name, (low, high) in ranges.items()}


def main(parcdf, *more):
    stale = []
    for page, make in (("hints.md", promised_hints), ("debug-hints.md", debug_hints), ("errors.md", errors)):
        path = HERE / page
        old = new = path.read_text()
        for name, table in make(parcdf).items():
            begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->\n"
            if begin not in new or end not in new:
                sys.exit(f"{page} has no marks for \"{name}\"")
            new = new[: new.index(begin) + len(begin)] + "\n" + table + "\n\n" + new[new.index(end):]
        if new != old and "--check" in more:
            stale.append(page)
        elif new != old:
            path.write_text(new)
    if stale:
        sys.exit(f"doc/tables.py {parcdf} was not run since the facts changed: {', '.join(stale)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
