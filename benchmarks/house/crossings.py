"""Functions, files and depth that a public call crosses, from what the program crossings recorded (crossings.c)."""
import re
import subprocess
import tempfile
from pathlib import Path

CASES = {
    "put": "contiguous collective put",
    "columns": "collective put of columns",
    "wait": "two iput of columns, wait_all",
    "enddef": "enddef that moves data",
    "open": "open",
}


class Node:
    """A function as it is reached by one path from the public call, which has depth 1."""

    def __init__(self, depth, address, calls):
        self.depth, self.address, self.calls = int(depth), int(address, 16), int(calls)
        self.function = self.file = ""
        self.line = 0


def record(program, folder=None):
    """{(case, round): [Node]}, of rank 0 of two."""
    with tempfile.TemporaryDirectory(dir=folder or ("/dev/shm" if Path("/dev/shm").is_dir() else None)) as place:
        done = subprocess.run(["mpiexec.openmpi", "-n", "2", program, place], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{program}: exit {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    trees = {}
    for case, nr, *rest in re.findall(r"^(\w+) (\d+) (\d+) (\w+) (\d+)$", done.stdout, re.M):
        trees.setdefault((case, int(nr)), []).append(Node(*rest))
    if not trees:
        raise SystemExit(f"{program} was not built with -finstrument-functions")
    run_main = int(re.search(r"^main (\w+)$", done.stdout, re.M).group(1), 16)
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    file_main = int(re.search(r"^(\w+) T main$", symbols, re.M).group(1), 16)
    name_all(program, [n for tree in trees.values() for n in tree], run_main - file_main)
    return trees


def name_all(program, nodes, shift):
    """Gives each node its function, file and line, by the program's debug information."""
    addresses = sorted({n.address for n in nodes})
    words = "\n".join(hex(a - shift) for a in addresses)
    lines = subprocess.run(["addr2line", "-f", "-e", program], input=words, capture_output=True, text=True, check=True).stdout.split("\n")
    names = dict(zip(addresses, zip(lines[::2], lines[1::2])))
    for n in nodes:
        n.function, place = names[n.address]
        path, line = re.match(r"(.*):(\d+|\?)", place).groups()
        n.file, n.line = "/".join(Path(path).parts[-2:]), line


def summary(tree):
    """(functions, files, depth)"""
    return len({(n.file, n.function) for n in tree}), len({n.file for n in tree}), max(n.depth for n in tree)


def last(trees, case):
    """The tree of the last call of a case: what stays when the first call has made what later ones find."""
    return trees[max(key for key in trees if key[0] == case)]


def table(trees):
    """The table of all cases: the last call of each, and the first where it differs."""
    rows = [f"{'call':<28}{'functions':>10}{'files':>7}{'depth':>7}   first call of the file"]
    for case, what in CASES.items():
        first, again = summary(trees[case, 1]), summary(last(trees, case))
        rows.append(f"{what:<28}{again[0]:>10}{again[1]:>7}{again[2]:>7}   " + ("" if first == again else " / ".join(map(str, first))))
    return "\n".join(rows)


def listing(trees, case):
    """The call tree of one case, in the order of first calls; a subtree that came before is not repeated; then its files."""
    tree = last(trees, case)
    seen, rows, hidden = set(), [], 0
    children = [[m.function for m in below(tree, i)] for i in range(len(tree))]
    for i, n in enumerate(tree):
        if hidden and n.depth > hidden:
            continue
        key = (n.file, n.function, *children[i])
        hidden = n.depth if key in seen else 0
        again = "  (as above)" if hidden and children[i] else ""
        seen.add(key)
        times = f"  x {n.calls}" if n.calls > 1 else ""
        rows.append(f"{n.depth:>3}  {n.file + ':' + n.line:<32}{'. ' * (n.depth - 1)}{n.function}{times}{again}")
    functions, files, depth = summary(tree)
    rows += ["", f"{functions} functions, {files} files, depth {depth}"]
    for file in sorted({n.file for n in tree}):
        names = dict.fromkeys(n.function for n in tree if n.file == file)
        rows.append(f"{file} ({len(names)}): {' '.join(names)}")
    return "\n".join(rows)


def below(tree, i):
    """The nodes below node i."""
    rest = []
    for n in tree[i + 1:]:
        if n.depth <= tree[i].depth:
            break
        rest.append(n)
    return rest
