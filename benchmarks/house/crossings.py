"""Functions, files and depth that a public call crosses, from what the program crossings recorded (crossings.c), and the
same of a whole command (whole.c)."""
import json
import os
import re
import struct
import subprocess
import tempfile
from pathlib import Path

CASES = {
    "put": "contiguous collective put",
    "columns": "collective put of columns",
    "wait": "two iput of columns, wait_all",
    "enddef": "enddef that moves data",
    "open": "open",
    "zarr": "open of a Zarr store",
    "zarrget": "first get of a Zarr store",
    "reduce": "parcdf reduce mean time a b m",
}
ROWS, COLUMNS, CHUNK = 256, 64, 64  # as crossings.c has them
CDL = "netcdf in {{ dimensions: time = UNLIMITED ; x = 100 ; variables: double t(time, x) ; data: t = {} ; }}"


class Node:
    """A function as it is reached by one path from the public call, which has depth 1."""

    def __init__(self, depth, address, calls):
        self.depth, self.address, self.calls = int(depth), int(address, 16), int(calls)
        self.function = self.file = ""
        self.line = 0


def record(build, folder=None):
    """{(case, round): [Node]}, of rank 0 of two; and {input of the command: how often it was opened}"""
    with tempfile.TemporaryDirectory(dir=folder or ("/dev/shm" if Path("/dev/shm").is_dir() else None)) as place:
        place = Path(place)
        make_zarr(place / "values.zarr")
        trees = crossed(build / "benchmarks" / "crossings", run(build / "benchmarks" / "crossings", place))
        made = reduce(build, place)
    return trees | crossed(build / "parcdf", made), {name: int(n) for name, n in re.findall(r"^opened (\S+) (\d+)$", made, re.M)}


def run(*command, **environment):
    done = subprocess.run(["mpiexec.openmpi", "-n", "2", *command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=os.environ | environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def make_zarr(store):
    """A store of version 2 with a variable of doubles, in chunks that nothing compressed."""
    (store / "values").mkdir(parents=True)
    (store / ".zgroup").write_text('{"zarr_format": 2}')
    (store / "values" / ".zarray").write_text(json.dumps({
        "zarr_format": 2, "shape": [ROWS, COLUMNS], "chunks": [CHUNK, COLUMNS], "dtype": "<f8", "compressor": None, "filters": None,
        "fill_value": 0, "order": "C"}))
    (store / "values" / ".zattrs").write_text(json.dumps({"_ARRAY_DIMENSIONS": ["row", "column"]}))
    for i in range(ROWS // CHUNK):
        (store / "values" / f"{i}.0").write_bytes(struct.pack(f"<{CHUNK * COLUMNS}d", *range(CHUNK * COLUMNS)))


def reduce(build, place):
    """What whole.c recorded of a mean over the records of two files."""
    for name in "ab":
        (place / f"{name}.cdl").write_text(CDL.format(", ".join(map(str, range(1000)))))
        subprocess.run([build / "parcdf", "gen", "-o", place / f"{name}.nc", place / f"{name}.cdl"], check=True, capture_output=True)
    run(build / "parcdf", "reduce", "mean", "time", place / "a.nc", place / "b.nc", place / "m.nc", HOUSE_TREE=str(place / "tree"),
        HOUSE_FOLDER=str(place), LD_PRELOAD=str(build / "benchmarks" / "libpcdf_whole.so"))
    text = (place / "tree").read_text()
    return f"main {text.split()[3]}\n{text}"


def crossed(program, text):
    """{(case, round): [Node]}"""
    trees = {}
    for case, nr, *rest in re.findall(r"^(\w+) (\d+) (\d+) (\w+) (\d+)$", text, re.M):
        trees.setdefault((case, int(nr)), []).append(Node(*rest))
    if not trees:
        raise SystemExit(f"{program} was not built with -finstrument-functions")
    run_main = int(re.search(r"^main (\w+)$", text, re.M).group(1), 16)
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
    rows = [f"{'call':<32}{'functions':>10}{'files':>7}{'depth':>7}   first call of the file"]
    for case, what in CASES.items():
        first, again = summary(trees[case, 1]), summary(last(trees, case))
        rows.append(f"{what:<32}{again[0]:>10}{again[1]:>7}{again[2]:>7}   " + ("" if first == again else " / ".join(map(str, first))))
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
