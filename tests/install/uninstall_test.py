#!/usr/bin/env python3
"""The target uninstall takes away what install put there, and nothing else: a tree is as it was before, with its foreign files,
links and empty folders, or is gone if the install made it; what others put there later stays. Below a DESTDIR, after two installs, after files went away by
themselves; a file that cannot be removed is an error, and the list of files is kept for another attempt.

    uninstall_test.py BUILD_FOLDER"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner


OTHERS = "others' [1] *"  # a folder with what patterns and shells take for something else


def tree(folder):
    """Every path below a folder with its kind and content; None where the folder is not there."""
    if not folder.exists():
        return None
    return {p.relative_to(folder): os.readlink(p) if p.is_symlink() else p.read_bytes() if p.is_file() else "folder"
            for p in folder.rglob("*")}


def foreign(prefix):
    """A prefix that others use: their files in our folders, their empty folders in those of everybody, a link to a folder."""
    for name in ("include/pnetcdf.h.theirs", "share/doc/parcdf/theirs.txt", "lib/cmake/other/otherConfig.cmake", "bin/.hidden"):
        (prefix / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / name).write_text(name)
    (prefix / "share/man/man3").mkdir(parents=True)
    (prefix / "share/theirs").mkdir()
    (prefix / "theirs").symlink_to("share/theirs")


def install(build, prefix, **more):
    runner.need("cmake", "--install", build, "--prefix", prefix, **more)


def uninstall(build, **more):
    return runner.need("cmake", "--build", build, "--target", "uninstall", **more)


def same(before, after, what):
    if before != after:
        both = [dict(before or {}), dict(after or {})]
        sys.exit(f"{what}: left {sorted(map(str, set(both[1]) - set(both[0])))[:9]}, took {sorted(map(str, set(both[0]) - set(both[1])))[:9]}")


def stubborn(build, prefix):
    """A file that cannot be removed: a folder stands in its place that somebody may not write."""
    install(build, prefix)
    if os.geteuid() == 0:  # root may write everywhere, but not into what is immutable
        if subprocess.run(["chattr", "+i", prefix / "bin/parcdf"], capture_output=True).returncode:
            return "nothing is immutable here"
        done = lambda: subprocess.run(["chattr", "-i", prefix / "bin/parcdf"], check=True)
    else:
        (prefix / "bin").chmod(0o555)
        done = lambda: (prefix / "bin").chmod(0o755)
    try:
        status, text = runner.run("cmake", "--build", build, "--target", "uninstall")
    finally:
        done()
    if status == 0 or "could not be removed" not in text:
        sys.exit(f"a file that cannot be removed: {status}, {text}")
    uninstall(build)
    same(None, tree(prefix), "the second attempt")
    return "a file that could not be removed went at the second attempt"


def main(build):
    build = Path(build).resolve()
    uninstall(build)  # another test may have installed
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        folder = Path(folder)
        prefix = folder / OTHERS / "prefix"
        install(build, prefix)
        files = len(tree(prefix))
        later = [prefix / "lib/later/x", prefix / "bin/.later"]  # somebody else installs there, too
        later[0].parent.mkdir()
        for path in later:
            path.write_text("x")
        uninstall(build)
        left = {p.relative_to(prefix) for p in prefix.rglob("*")} if prefix.exists() else set()
        if left != {Path(p) for p in ("lib", "lib/later", "lib/later/x", "bin", "bin/.later")}:
            sys.exit(f"a new prefix into which somebody else installed: left {sorted(map(str, left))[:9]}")
        shutil.rmtree(folder / OTHERS)

        install(build, "here", cwd=folder)
        uninstall(build)
        same({}, tree(folder), "a prefix relative to the folder")

        foreign(folder / "used")
        before = tree(folder / "used")
        install(build, folder / "used")
        (folder / "used/include/parcdf.h").unlink()
        install(build, folder / "used")
        (folder / "used/bin/parcdf").unlink()
        said = uninstall(build)
        same(before, tree(folder / "used"), "a prefix with foreign files")
        uninstall(build)
        same(before, tree(folder / "used"), "nothing is left to remove")

        staged = {"DESTDIR": str(folder / "staged")}
        install(build, folder / "used", env=staged)
        uninstall(build, env=staged)
        same(before, tree(folder / "used"), "beside a DESTDIR")
        same(None, tree(folder / "staged"), "a DESTDIR")
        print(f"{files} paths; {said.splitlines()[-1]}; {stubborn(build, folder / 'stubborn')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
