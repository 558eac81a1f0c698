#!/usr/bin/env python3
"""No circle of more than two files in the library: neither of calls nor of includes.

    circles.py ARCHIVE           the rule; ARCHIVE is the static library of a build without link-time optimization
    circles.py ARCHIVE --show    every circle of more than two files with its edges, also the tolerated ones

A calls B when the object file of A needs a function or table that the object file of B defines. A call through a pointer does
not count: that is how a lower layer calls back. A circle is a strongly connected component: from each of its files one
gets to every other one."""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ("src", "mpiio")  # folders whose files may be in the archive
LARGEST = 2

# Circles of .c files that may still be there, to be made smaller and then removed. A file that joins one is a breach.
TOLERATED = []


def library_files():
    """{file name: path}; the names lint proves that names are unique."""
    paths = [p for top in LIBRARY for p in sorted((ROOT / top).rglob("*")) if p.suffix in (".c", ".h", ".def")]
    return {p.name: p for p in paths}


def calls(archive):
    """{(A, B): names that A needs of B}"""
    lines = subprocess.run(["nm", "-A", "-P", archive], capture_output=True, text=True, check=True).stdout.splitlines()
    defined, needed = {}, []
    for line in lines:
        found = re.match(r".*\[(\w+\.c)\.o\]: (\S+) (\w)", line)
        if not found:
            continue
        file, name, kind = found.groups()
        if kind == "U":
            needed.append((file, name))
        elif kind.isupper():
            defined[name] = file
    edges = defaultdict(set)
    for file, name in needed:
        if defined.get(name, file) != file:
            edges[file, defined[name]].add(name)
    return edges


def includes(files):
    """{(A, B): {"includes it"}}"""
    edges = {}
    for path in files.values():
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.M):
            if name in files and name != path.name:
                edges[path.name, name] = {"includes it"}
    return edges


def components(edges):
    """The strongly connected components of more than one node, largest first (Tarjan's algorithm without recursion)."""
    below = defaultdict(list)
    for a, b in sorted(edges):
        below[a].append(b)
    index, low, stack, found = {}, {}, [], []
    for start in sorted(below):
        work = [] if start in index else [(start, iter(below[start]))]
        if work:
            index[start] = low[start] = len(index)
            stack.append(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    work.append((other, iter(below[other])))
                    break
                if other in stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    place = stack.index(node)
                    if len(stack) - place > 1:
                        found.append(sorted(stack[place:]))
                    del stack[place:]
    return sorted(found, key=lambda c: (-len(c), c))


def circles(archive):
    """[(files, {(A, B): names})] of every circle of two files or more, largest first."""
    edges = calls(archive)
    if not edges:
        raise SystemExit(f"circles: {archive} shows no calls between files")
    edges.update(includes(library_files()))
    return [(c, {e: names for e, names in edges.items() if set(e) <= set(c)}) for c in components(edges)]


def listing(circle, edges):
    lines = [f"circle of {len(circle)} files: {' '.join(circle)}"]
    for (a, b), names in sorted(edges.items()):
        lines.append(f"    {a} -> {b}: {', '.join(sorted(names)[:4])}{', ...' if len(names) > 4 else ''}")
    return "\n".join(lines)


def main(archive, *options):
    found = circles(archive)
    large = [(c, e) for c, e in found if len(c) > LARGEST]
    tolerated = [{name + ".c" for name in row.split()} for row in TOLERATED]
    bad = [(c, e) for c, e in large if not any(set(c) <= t for t in tolerated)]
    for circle, edges in large if "--show" in options else bad:
        print(listing(circle, edges))
        near = max(tolerated, key=lambda row: len(row & set(circle)), default=set()) & set(circle)
        if near and (circle, edges) in bad:
            print(f"    not tolerated: {' '.join(sorted(set(circle) - near))} (only renamed? then rename it in TOLERATED)")
    for row in tolerated:
        if not any(set(c) & row for c, _ in large):
            print(f"is no circle any more, take it from TOLERATED: {' '.join(sorted(row))}")
    print(f"{len(large)} circles of more than {LARGEST} files, {len(large) - len(bad)} tolerated; largest: {len(found[0][0]) if found else 1}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
