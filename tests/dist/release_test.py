#!/usr/bin/env python3
"""scripts/release in a checkout of its own: its quick steps pass when a version is ready, and each fails for what it is there for.

    release_test.py SOURCE_FOLDER C_COMPILER"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

from dist_test import PLAIN, repository

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

ALL = "tree version tag abi licence address manual dist archive packages tests soak".split()


class Checkout:
    def __init__(self, source, folder, compiler):
        self.folder = repository(Path(source).resolve(), folder)
        self.env = {**PLAIN, "MPICC": compiler}

    def git(self, *words):
        return runner.need("git", "-C", self.folder, *words, env=PLAIN)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "more")

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        changed, times = re.subn(old, new, text, count=1, flags=re.M)
        if not times:
            sys.exit(f"{name} has no {old}")
        path.write_text(changed)

    def script(self, name, *options, status=0):
        return runner.need(self.folder / "scripts" / name, *options, status=status, env=self.env)

    def fails(self, step, sentence):
        """The step, alone, fails and says why."""
        said = self.script("release", "--only", step, status=1)
        if not re.search(rf"^{step} .*FAILED", said, re.M) or sentence not in said:
            sys.exit(f"scripts/release --only {step} did not say '{sentence}', but:\n{said}")

    def undo(self):
        self.git("reset", "-q", "--hard", "HEAD")
        self.git("clean", "-fdq")


REFRESH = r"^PNETCDF_PUBLIC_API int parcdf_refresh\(int", "PNETCDF_PUBLIC_API int parcdf_refresh(long"
# step, file, what is replaced there, by what, the sentence of the step
DEFECTS = [
    ("version", "packaging/debian/changelog", r"^parcdf \([\d.]+\)", "parcdf (0.0.9)", "packaging/debian/changelog:1 says 0.0.9"),
    ("version", "CHANGES.md", r"^Nothing yet\.$", "More.", '"Unreleased" has text'),
    ("licence", "LICENSE", r"^Copyright \(c\) .*", "Copyright (c) 1999, the parcdf developers", "does not name this year"),
    ("licence", "LICENSE", r"^modification, are permitted", "modification, are not permitted", "packaging/debian/copyright is not the text of LICENSE"),
    ("licence", "src/base/status.h", r"\A", "/* Copyright (c) 2020 Somebody */\n", "another copyright"),
    ("address", "packaging/debian/control", r"^(Maintainer: .*@).*>", r"\1localhost>", "packaging/debian/control:4"),
    ("address", "SECURITY.md", r"the maintainers,? \S*@", "the maintainers, others@", "SECURITY.md does not name"),
    ("address", "SECURITY.md", r"\Z", "There is no address for private reports.\n", "nobody can write to a placeholder"),
    ("address", "packaging/debian/control", r"^Maintainer: .*", "Maintainer: nobody", "names no address"),
    ("abi", "include/parcdf.h", *REFRESH, "function parcdf_refresh was int(int)"),
]


def ready(c):
    """Makes the version of the tree one that can be released, and returns it."""
    if "@localhost" in (c.folder / "packaging/debian/control").read_text():
        c.fails("address", "nobody can write to a placeholder")
        for name in ("packaging/debian/control", "packaging/debian/changelog", "packaging/rpm/parcdf.spec"):
            c.edit(name, "@localhost", "@parcdf.somewhere")
        c.edit("SECURITY.md", r"^There is no address for private reports yet", "Write to the maintainers, parcdf@parcdf.somewhere")
        c.commit()
    if "(not released yet)" in (c.folder / "CHANGES.md").read_text():
        c.fails("version", "has no date")
        c.script("version", "--date")
        c.commit()
    return (c.folder / "VERSION").read_text().strip()


def main(source, compiler):
    if not shutil.which("git"):
        print("skipped: there is no git")
        return 77
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        folder = Path(folder, "checkout")
        folder.mkdir()
        c = Checkout(source, folder, compiler)
        if c.script("release", "--list").split() != ALL or len(c.script("release", "--dry-run").splitlines()) != len(ALL):
            sys.exit("--list or --dry-run tell other steps")
        c.script("release", "--only", "nothing", status=2)
        version = ready(c)
        said = c.script("release", "--only", "tree", "version", "tag", "abi", "licence", "address")
        if "FAILED" in said or "git tag" in said or "these steps are good" not in said:
            sys.exit(f"the quick steps:\n{said}")
        print(said, flush=True)

        (folder / "src/new.c").write_text("int x;\n")
        for step in ("tree", "dist"):
            c.fails(step, "there are uncommitted changes")
        c.undo()
        for step, name, old, new, sentence in DEFECTS:
            c.edit(name, old, new)
            c.fails(step, sentence)
            c.undo()

        # After a tag: the same version is not released twice, and the list of the tag counts, whatever was done to ours.
        c.git("tag", "-a", f"v{version}", "-m", "it")
        c.fails("tag", f"there is a tag v{version}")
        major, minor, patch = map(int, version.split("."))
        c.edit("CHANGES.md", r"^Nothing yet\.$", "More.")
        c.script("version", f"{major}.{minor}.{patch + 1}")
        c.script("version", "--date")
        c.edit("include/parcdf.h", *REFRESH)
        c.edit("packaging/abi/interface.txt", r"function parcdf_refresh int\(int\)", "function parcdf_refresh int(long)")
        c.commit()
        c.fails("abi", f"VERSION must be {major + 1}.0.0")
        c.script("release", "--only", "tree", "version", "tag")
        c.git("rm", "-rq", "src", "mpiio", "programs", "tests", "doc", "benchmarks", "bindings")  # what is left is packed quickly
        c.commit()
        if "parcdf-" not in c.script("release", "--only", "dist"):
            sys.exit("the step dist does not tell the archive")
    print("every quick step fails for what it is there for")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
