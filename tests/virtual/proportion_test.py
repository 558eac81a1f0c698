#!/usr/bin/env python3
"""What a stranger's file costs is in proportion to its size: instructions (counted by valgrind) of twice as many names, codecs, types,
groups, templates and equal names are twice as many; JSON takes at most 16 bytes of memory for each of its bytes, and 64 MiB; where a
number is limited, the sentence tells the limit, on one rank as on two; lengths that references do not tell cost nothing at the open.

    proportion_test.py PARCDF READ_ALL MPIEXEC [--all]        --all: each kind by itself
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile

PARCDF, READ_ALL, MPIEXEC = sys.argv[1:4]
V2 = {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<i4", "compressor": None, "filters": None, "order": "C", "fill_value": 0}
bad = []


def text(value):
    return json.dumps(value, separators=(",", ":"))


# ---- references that grow in one direction: {key: what stands there}, and templates

def names(n):
    return {"n/.zarray": text({**V2, "shape": [4 * n]}), **{"n/%d" % k: ["f%d.bin" % k, 0, 16] for k in range(n)}}, {}


def templates(n):
    return ({"t/.zarray": text({**V2, "shape": [4 * n]}), **{"t/%d" % k: ["{{t%d}}f" % (n - 1 - k), 16 * k, 16] for k in range(n)}},
            {"t%d" % k: "d/" for k in range(n)})


def codecs(n):
    return {"c%d/.zarray" % k: text({**V2, "compressor": {"id": "c%d" % k}}) for k in range(n)}, {}


def types(n):
    return {"y/.zarray": text(V2), "y/.zattrs": text({"_nczarr_attr": {"types": {"a%d" % k: "<i2" for k in range(n)}},
                                                      **{"a%d" % k: 1 for k in range(n)}})}, {}


def groups(n):
    return {"g%d/.zgroup" % k: text({"zarr_format": 2, "_nczarr_group": {"dims": {"x": 3}, "vars": [], "groups": []}}) for k in range(n)}, {}


def equal_names(n):
    return {"v" * 250 + "%d/.zarray" % k: text(V2) for k in range(n)}, {}


def equal_attributes(n):
    return {".zattrs": text({"b" * 250 + "%d" % k: 1 for k in range(n)})}, {}


KINDS = (names, templates, codecs, types, groups, equal_names, equal_attributes)


def write_refs(path, refs, more):
    with open(path, "w") as f:
        json.dump({"version": 1, "templates": more, "refs": {".zgroup": text({"zarr_format": 2}), **refs}}, f)


def write_all(path, n):
    all_refs, all_more = {}, {}
    for kind in KINDS:
        refs, more = kind(n)
        all_refs.update(refs)
        all_more.update(more)
    write_refs(path, all_refs, all_more)


def write_zip(path, n):
    with zipfile.ZipFile(path, "w") as archive:
        for key in [""] + ["g%d/" % k for k in range(n)]:
            archive.writestr(key + ".zgroup", text({"zarr_format": 2}))


# ---- what is measured

def instructions(path):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", PARCDF, "info", path], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found or done.returncode > 1:
        bad.append("%s: %d %s" % (path, done.returncode, done.stderr[-500:]))
    return int(found.group(1)) if found else 1


def check_growth(name, write, n, ending):
    """The difference drops what does not depend on n. A sort of n names takes n log n: 2.2; what is quadratic 4."""
    at = []
    for size in (0, n, 2 * n):
        path = "%s%d.%s" % (name, size, ending)
        write(path, size)
        at.append(instructions(path))
    power = (at[2] - at[0]) / (at[1] - at[0])
    print("%-16s %9d, %9d, %9d instructions: %.2f" % (name, *at, power))
    if power > 2.5:
        bad.append("%s: twice as many take %.2f times the instructions" % (name, power))


def say(path, words=()):
    done = subprocess.run([*words, PARCDF, "info", path], capture_output=True, text=True)
    return done.returncode, done.stderr


def check_memory():
    """Two bytes for each number: as dense as JSON can be."""
    n = 8 << 20
    with open("dense.json", "w") as f:
        f.write('{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}",".zattrs":"{\\"a\\":[0' + ",0" * (n // 2) + ']}"}}')
    status, said = say("dense.json")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    if status == 0 or "more than 16 bytes of memory for each of its bytes, and 64 MiB" not in said:
        bad.append("dense.json: %d %s" % (status, said))
    if peak > 16 * n + (64 << 20) + 3 * n + (48 << 20):  # the file, copied; the program
        bad.append("dense.json of %d MiB takes %d MiB" % (n >> 20, peak >> 20))


def check_limits():
    """Numbers that are limited: the same sentence on every number of ranks."""
    write_refs("codecs.json", *codecs(65537))
    deep = "a/" * 70
    write_refs("deep.json", {deep + ".zarray": text(V2)}, {})
    write_refs("long.json", {"a" * 5000 + "/0": "x"}, {})
    write_refs("templates.json", *templates(1001))
    for path, limit in (("codecs.json", "65536"), ("deep.json", "64 parts"), ("long.json", "4095 bytes"), ("templates.json", "more than 1000")):
        for ranks in ("1", "2"):
            done = subprocess.run([*MPIEXEC.split(), "-n", ranks, READ_ALL, path], capture_output=True, text=True)
            said = ""
            if os.path.exists(path + ".values"):
                with open(path + ".values", "rb") as f:
                    said = f.read().decode()
                os.unlink(path + ".values")
            if limit not in said or not said.startswith("E\t") or done.returncode:
                bad.append("%s on %s ranks: %d, %s %s" % (path, ranks, done.returncode, said[:300], done.stderr[:300]))


def check_lengths():
    """References without a length: no file is touched before its values are asked for."""
    n = 2000
    write_refs("whole.json", {"v/.zarray": text({**V2, "shape": [4 * n]}), **{"v/%d" % k: ["none/%d" % k] for k in range(n)}}, {})
    status, said = say("whole.json")
    if status:
        bad.append("whole.json: %d %s" % (status, said))
    status, said = subprocess.getstatusoutput("%s stats whole.json" % PARCDF)
    if status == 0 or "none/0" not in said:
        bad.append("whole.json has values: %d %s" % (status, said))
    for name, size, good in (("right", 16, True), ("short", 15, False), ("long", 17, False)):
        with open(name + ".bin", "wb") as f:
            f.write(bytes(range(size)))
        write_refs(name + ".json", {"v/.zarray": text(V2), "v/0": [name + ".bin"]}, {})
        done = subprocess.run([PARCDF, "dump", "-v", "v", name + ".json"], capture_output=True, text=True)
        if (("50462976, 117835012" in done.stdout and not done.returncode) != good) or (not good and "%d bytes, not 16" % size not in done.stderr):
            bad.append("%s.json: %d %s %s" % (name, done.returncode, done.stdout, done.stderr))


def main():
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        return 77
    check_memory()  # first: the peak is that of all children
    check_limits()
    check_lengths()
    check_growth("all", write_all, 300, "json")
    check_growth("zip", write_zip, 1000, "zip")
    for kind in KINDS if "--all" in sys.argv else ():
        check_growth(kind.__name__, lambda path, n, kind=kind: write_refs(path, *kind(n)), 400, "json")
    for line in bad:
        print(line, file=sys.stderr)
    print("proportion_test: %d failures" % len(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
