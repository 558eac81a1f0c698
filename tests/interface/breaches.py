#!/usr/bin/env python3
"""scripts/abi finds what breaks programs, in a copy of the headers to which each case does one thing.

    breaches.py SOURCE_FOLDER C_COMPILER"""
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

MORE = """struct parcdf_trial { int a; double b[2]; void (*call)(int x, void *context); };
enum parcdf_way { PARCDF_WAY_ONE, PARCDF_WAY_TWO = 7 };
#endif
"""
ADDED = "PNETCDF_PUBLIC_API int parcdf_trial_call(const char *path, long long *sizes);\n"

# batch, header, what is replaced, by what, what scripts/abi says of it (a pattern). The cases of a batch are looked at together.
CASES = [
    (0, "parcdf.h", r"^PNETCDF_PUBLIC_API int parcdf_wait\(const char \*path\);", "", r"function parcdf_wait is gone"),
    (0, "pnetcdf.h", r"^PNETCDF_PUBLIC_API int ncmpi_close\(int ncid\);", "", r"function ncmpi_close is gone"),
    (0, "parcdf.h", r"parcdf_refresh\(int ncid\)", "parcdf_refresh(long ncid)", r"function parcdf_refresh was int\(int\) and is int\(long\)"),
    (0, "parcdf.h", r"long long \*generation\);", "const long long *generation);", r"function parcdf_inq_generation was"),
    (1, "parcdf.h", r"int parcdf_refresh\(", "void parcdf_refresh(", r"function parcdf_refresh was int\(int\) and is void\(int\)"),
    (0, "pnetcdf.h", r"#define NC_EBADID \(-33\)", "#define NC_EBADID (-32)", r"constant NC_EBADID was -33 and is -32"),
    (0, "pnetcdf.h", r"#define NC_FILL_FLOAT \(.*?\)", "#define NC_FILL_FLOAT (9.969e+36f)", r"constant NC_FILL_FLOAT was float 0x1\.ep\+122"),
    (0, "pnetcdf.h", r"^typedef int nc_type;", "typedef long nc_type;", r"type nc_type was int and is long"),
    (0, "parcdf.h", r"long long done, long long total", "long done, long total", r"type parcdf_progress was"),
    (1, "parcdf.h", r"struct parcdf_trial \{ int a;", "struct parcdf_trial { int a; long new;", r"member struct_parcdf_trial\.call was"),
    (2, "parcdf.h", r"double b\[2\];", "double b[3];", r"struct struct_parcdf_trial was 32 bytes"),
    (3, "parcdf.h", r"int a; double b\[2\];", "double b[2]; int a;", r"member struct_parcdf_trial\.a was int at 0"),
    (2, "parcdf.h", r"int a; double", "unsigned a; double", r"member struct_parcdf_trial\.a was int at 0, 4 bytes and is unsigned at 0"),
    (1, "parcdf.h", r"PARCDF_WAY_TWO = 7", "PARCDF_WAY_TWO", r"constant PARCDF_WAY_TWO was 7 and is 1"),
]


class Tree:
    """What scripts/abi reads, in a folder of its own."""

    def __init__(self, source, folder, compiler):
        self.folder, self.compiler, self.abi = folder, compiler, source / "scripts/abi"
        self.version_script = source / "scripts/version"
        for name in ("include", "packaging/abi"):
            shutil.copytree(source / name, folder / name)
        for name in ("VERSION", "CHANGES.md", "README.md", "packaging/debian/changelog", "bindings/fortran/pnetcdf.inc",
                     "bindings/fortran/pnetcdf.f90"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, folder / name)
        self.env = {"PARCDF_TREE": str(folder)}

    def says(self, *options, status=0, script=None):
        return runner.need(sys.executable, "-B", script or self.abi, *options, env=self.env, status=status)

    def check(self, status=0):
        return self.says("--check", self.compiler, status=status)

    def edit(self, header, old, new):
        path = self.folder / "include" / header
        text = path.read_text()
        changed, times = re.subn(old, lambda m: new, text, count=1, flags=re.M)
        if not times:
            sys.exit(f"{header} has no {old}")
        path.write_text(changed)
        return lambda: path.write_text(text)

    def raise_to(self, number):
        """The next version, of which CHANGES.md has something to say."""
        path = self.folder / "CHANGES.md"
        path.write_text(re.sub(r"(?<=^## Unreleased\n\n)Nothing yet\.$", "A call.", path.read_text(), flags=re.M))
        self.says(number, script=self.version_script)

    def since(self, kind, name):
        found = re.search(rf"^(\S+) {kind} {re.escape(name)} ", (self.folder / "packaging/abi/interface.txt").read_text(), re.M)
        return found and found[1]


def want(told, *patterns):
    for pattern in patterns:
        if not re.search(pattern, told):
            sys.exit(f"scripts/abi did not say {pattern}, but:\n{told[:2000]}")


def main(source, compiler):
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(source).resolve(), Path(folder).resolve(), compiler)
        number = (tree.folder / "VERSION").read_text().strip()
        open_entry = re.search(r"^## [\d.]+ \(not released yet\)$", (tree.folder / "CHANGES.md").read_text(), re.M)
        tree.edit("parcdf.h", r"#endif\n\Z", MORE)
        tree.says("--write", compiler)
        if open_entry:  # as it is when it is released
            tree.says("--date", script=tree.version_script)
        major, minor = map(int, number.split(".")[:2])
        for batch in sorted({case[0] for case in CASES}):
            cases = [case[1:] for case in CASES if case[0] == batch]
            undone = [tree.edit(*case[:3]) for case in cases]
            said = tree.check(status=1)
            want(said, *(rf"(?m)^{told}.*or raise VERSION to {major + 1}\.0\.0" for *_, told in cases))
            for undo in reversed(undone):
                undo()
        tree.check()

        # What is new is listed, under the next minor version, and asks for it.
        before = tree.folder / "before.txt"
        shutil.copy(tree.folder / "packaging/abi/interface.txt", before)
        tree.edit("parcdf.h", r"^PNETCDF_PUBLIC_API int parcdf_wait", ADDED + "PNETCDF_PUBLIC_API int parcdf_wait")
        want(tree.check(status=1), rf"function parcdf_trial_call is new: .* under {major}\.{minor + 1},")
        tree.says("--write", compiler)
        tree.check()
        if tree.since("function", "parcdf_trial_call") != f"{major}.{minor + 1}" or tree.since("function", "parcdf_wait") != f"{major}.{minor}":
            sys.exit("the new function is listed under another version")
        want(tree.says("--symbols"), rf"(?m)^parcdf_trial_call {major}\.{minor + 1}$", r"(?m)^ncmpi_close ")
        want(tree.says("--compare", before, status=1), rf"1 rows are new .* VERSION must be {major}\.{minor + 1}\.0")
        tree.raise_to(f"{major}.{minor + 1}.0")
        want(tree.says("--compare", before), "1 new; .* may follow")

        # What is not released may change; what is released only in a major version.
        undo = tree.edit("parcdf.h", r"parcdf_trial_call\(const char \*path, ", "parcdf_trial_call(int ncid, ")
        want(tree.check(status=1), rf"parcdf_trial_call was .* of {major}\.{minor + 1}, which is not released")
        tree.says("--write", compiler)
        undo()
        tree.says("--write", compiler)
        tree.edit("parcdf.h", r"^PNETCDF_PUBLIC_API int parcdf_wait\(const char \*path\);", "")
        want(tree.says("--write", compiler, status=1), "function parcdf_wait is gone", rf"VERSION must be {major + 1}\.0\.0")
        tree.says("--date", script=tree.version_script)
        tree.raise_to(f"{major + 1}.0.0")
        tree.says("--write", compiler)
        tree.check()
        want(tree.says("--compare", before), f"rows gone or changed, 1 new; {major + 1}.0.0 may follow")
        (tree.folder / "VERSION").write_text(f"{major}.{minor + 1}.1\n")
        want(tree.says("--compare", before, status=1), rf"VERSION must be {major + 1}\.0\.0, and is {major}\.{minor + 1}\.1")
    print(f"{len(CASES)} breaches found")
    return 0


if __name__ == "__main__":
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    sys.exit(main(*sys.argv[1:]))
