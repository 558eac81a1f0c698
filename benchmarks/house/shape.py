"""What the kernel holds of features: fields of the open file, features that files of the kernel name; and lines of .c by kind."""
import re
from pathlib import Path

import size

FEATURES = {  # by the names in code that say so
    "checksums": r"checksums?|checksumblocks|verify",
    "clones": r"clones?|older|olderfile",
    "atomic create": r"atomic|publish\.h|pcdf_publish|newfile",
    "sets": r"inset|generation|pcdf_sets?_",
    "whole records": r"pcdf_steps?|>steps|putsum|commit_step",
    "followers": r"refresh|>following|pcdf_follow|followfile|afresh|followheader",
    "watchdog": r"watchdog",
    "call log": r"calllog|trace|tracefile",
    "write queue": r"queues|writequeue|outstanding|async",
    "background close": r"closing|close_later|>rest",
    "node logs": r"stages|staging|stagelog|sync_stage",
    "other formats": r"image|sharedshown|nodecache",
    "deferred puts": r"defer|deferred|deferral",
    "STREAMING": r"stream(?:s|ed|ing)",
    "safe mode": r"safe_mode|safety",
}
HALL = ("close.c", "open.c", "transfer.c", "vote.c")
KINDS = {  # what plans count: lines of .c
    "kernel": ("base", "format", "access", "storage", "../mpiio", "dataset", "transfer", "define", "file", "api"),
    "parts": ("parts",),
    "formats": ("virtual", "stores", "meaning"),
    "plug-ins": ("plugins",),
    "sets": ("sets",),
}
PROGRAMS = ("programs", "src/tools", "src/report", "src/foreign")  # the last three: before there was programs/


def lines_of(folders, suffixes):
    files = {p for folder in folders for p in folder.rglob("*") if p.suffix in suffixes}
    return sum(p.read_text().count("\n") for p in files)


def lines(root):
    """{kind: lines of .c}; of programs also with the headers."""
    found = {kind: lines_of([root / "src" / f for f in folders], {".c"}) for kind, folders in KINDS.items()}
    programs = [root / f for f in PROGRAMS]
    return found | {"programs": lines_of(programs, {".c"}), "programs with headers": lines_of(programs, {".c", ".h"})}


def named(text):
    """The features that code names."""
    code = size.code_of(text).lower()
    return [feature for feature, names in FEATURES.items() if re.search(rf"(?<![a-z])(?:{names})(?![a-z])", code)]


def features(root):
    """{file of the kernel: features that it names}"""
    paths = {p.name: p for p in (root / "src").rglob("*.c")}
    return {name: named(paths[name].read_text()) for name in HALL if name in paths}


def fields(root):
    """(fields of the open file, those of the structs of features inside it)"""
    text = size.code_of((root / "src/dataset/dataset.h").read_text())
    structs = dict(re.findall(r"^struct (\w+) \{\n(.*?)^\};", text, re.M | re.S))

    def count(name):
        return sum(1 + declared.count(",") for declared in re.findall(r"[^;{}]+;", structs[name]) if "\n#" not in declared)

    inside = re.findall(r"^\s*struct (\w+) \w+;", structs["pcdf_dataset"], re.M)
    return count("pcdf_dataset"), sum(count(name) for name in inside if name in structs)


def figures(root):
    own, inner = fields(root)
    numbers = {"fields of the open file": own, "fields of structs inside it": inner}
    numbers |= {f"features named in {name}": len(found) for name, found in features(root).items()}
    return numbers | {f"lines of .c, {kind}": n for kind, n in lines(root).items()}


def table(root):
    rows = [f"{what:<34}{n:>8}" for what, n in figures(root).items()]
    return "\n".join(rows + [f"{name}: {', '.join(found) or 'none'}" for name, found in features(root).items()])
