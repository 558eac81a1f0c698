#!/usr/bin/env python3
"""The source archive (scripts/dist): the same commit gives the same bytes in another clone, for another user, umask, locale and time
zone, and in an unpacked archive without git; it holds the tree and nothing else; changes are refused unless asked for.

    dist_test.py SOURCE_FOLDER                          in some seconds
    dist_test.py SOURCE_FOLDER C_COMPILER LAUNCHER      also: library and program are built from the archive, outside of any git
                                                        checkout, installed, and a program of a user is built and run with them; then by configure,
                                                        make, make check, make install, make uninstall"""
import hashlib
import os
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

WHO = {f"GIT_{who}_{what}": "dist@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
WHO["TMPDIR"] = runner.MEMORY or "/tmp"  # where scripts/dist gathers the files
PLAIN = {**WHO, "TZ": "UTC", "LC_ALL": "C", "GIT_CONFIG_GLOBAL": "/dev/null"}
# What must not matter. The locale sorts in another order than C where it is installed.
OTHER = {**WHO, "TZ": "Asia/Kolkata", "LC_ALL": "en_US.UTF-8", "TAR_OPTIONS": "--exclude=README.md", "SOURCE_DATE_EPOCH": "1",
         "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}
# Also of git, when the archive is made: the clone has the bytes of the commit.
GIT = {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "tar.umask", "GIT_CONFIG_VALUE_0": "0077", "GIT_CONFIG_KEY_1": "core.autocrlf",
       "GIT_CONFIG_VALUE_1": "true"}
NOBODY = 65534
LEFT_OUT = re.compile(r"\.ci/|\.git")


# A tree that is packed quickly: of the project, and files with names and modes that ask for care.
FEW = ("VERSION", "README.md", "configure", "scripts/dist", "src/README.md", "packaging/debian/rules", ".ci/run")
ODD = {"a b/c d": 0o755, "Z/late": 0o644, "a/early": 0o600, "-dash": 0o644, "quote'\"$x": 0o644, "\u00e9": 0o644, ".dot/x": 0o644, "build.txt": 0o664,
       ".github/x": 0o644}


def is_packed(name):
    return not LEFT_OUT.match(name)


def tree(source):
    """The files of the project."""
    if (source / ".git").exists():
        listed = runner.need("git", "-C", source, "ls-files", "-zco", "--exclude-standard").strip("\0").split("\0")
    else:
        listed = re.findall(r"^[0-9a-f]{64}  (.*)$", (source / "MANIFEST").read_text(), re.M)
    return sorted(name for name in listed if (source / name).exists())


def repository(source, folder, names=None):
    """A checkout with one commit of the tree as it is, or of these files of it."""
    for name in names or tree(source):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, folder / name)
    (folder / ".gitignore").write_text((source / ".gitignore").read_text() if (source / ".gitignore").exists() else "/build*/\n*.nc\n")
    runner.need("git", "-C", folder, "init", "-q", env=PLAIN)
    runner.need("git", "-C", folder, "add", "-A", env=PLAIN)
    runner.need("git", "-C", folder, "commit", "-qm", "all", "--date=@1700000000 +0200",
                env={**PLAIN, "GIT_COMMITTER_DATE": "@1700000000 +0200"})
    return folder


def few(source, folder):
    """A checkout of FEW and ODD."""
    for name, mode in ODD.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
        (folder / name).chmod(mode)
    return repository(source, folder, [name for name in FEW if (source / name).exists()])


def packed(checkout, *options, out=None, env=PLAIN, **more):
    """The archive that scripts/dist makes there."""
    out = out or Path(tempfile.mkdtemp(dir=checkout.parent))
    said = runner.need(checkout / "scripts/dist", *options, out, env=env, **more)
    archive = Path(said.splitlines()[-1])
    if sorted(p.name for p in out.iterdir()) != [archive.name, archive.name + ".sha256"]:
        sys.exit(f"scripts/dist left {list(out.iterdir())}")
    runner.need("sha256sum", "--check", "--strict", archive.name + ".sha256", cwd=out)
    return archive


def digest(archive):
    return hashlib.sha256(archive.read_bytes()).hexdigest()


def same(what, one, other):
    if digest(one) != digest(other):
        sys.exit(f"{what}: other bytes: {one} {other}")
    print(f"{what}: the same {one.stat().st_size} bytes", flush=True)


def refused(what, checkout, *options, sentence):
    out = Path(tempfile.mkdtemp(dir=checkout.parent))
    status, said = runner.run(checkout / "scripts/dist", *options, out, env=PLAIN)
    if status != 1 or sentence not in said or list(out.iterdir()):
        sys.exit(f"{what} was not refused with '{sentence}': status {status}, {said}, {list(out.iterdir())}")


def somebody_elses(checkout, folder):
    """The archive of another clone, made by another user where we may become one."""
    bundle, clone = folder / "bundle", folder / "deeper/and deeper/clone"
    runner.need("git", "-C", checkout, "bundle", "create", "-q", bundle, "HEAD", env=PLAIN)
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    for made in (clone.parent, folder / "theirs"):
        made.mkdir(parents=True)
        if user:
            os.chown(made, NOBODY, NOBODY)
    for path in (folder, folder / "deeper", bundle):
        path.chmod(0o755)
    runner.need("git", "clone", "-q", bundle, clone, env=OTHER, umask=0o077, **user)
    if not user:
        print("not root: the other clone is of the same user")
    return packed(clone, out=folder / "theirs", env={**OTHER, **GIT}, umask=0o077, **user)


def holds_the_tree(archive, checkout):
    """Every file of the commit, with its bytes and mode, and MANIFEST; nothing of the user or of today."""
    top = archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as tar:
        members = tar.getmembers()
        files = {m.name.removeprefix(top + "/"): m for m in members if m.isreg()}
        wanted = {name for name in tree(checkout) if is_packed(name)} | {"MANIFEST"}
        if set(files) != wanted:
            sys.exit(f"the archive lacks {sorted(wanted - set(files))}, has also {sorted(set(files) - wanted)}")
        strange = [m.name for m in members if not (m.isreg() or m.isdir()) or (m.uid, m.gid, m.uname, m.gname, m.mtime) != (0, 0, "", "", 1700000000)]
        modes = [n for n, m in files.items() if n != "MANIFEST" and m.mode != (0o755 if os.access(checkout / n, os.X_OK) else 0o644)]
        texts = [n for n, m in files.items() if n != "MANIFEST" and tar.extractfile(m).read() != (checkout / n).read_bytes()]
        rows = re.findall(r"^[0-9a-f]{64}  (.*)$", tar.extractfile(files["MANIFEST"]).read().decode(), re.M)
    order = [m.name.split("/") for m in members]
    if order != sorted(order) or rows != sorted(wanted - {"MANIFEST"}):
        sys.exit("the archive or its MANIFEST is not in the order of names, or MANIFEST does not list all")
    if strange or modes or texts or any(m.mode != 0o755 for m in members if m.isdir()):
        sys.exit(f"the archive: owner, time or kind of {strange}; modes of {modes}; bytes of {texts}")
    print(f"{len(files)} files", flush=True)


def changed(checkout, good):
    """What is not committed is refused, or packed if it is asked for; what git ignores is neither."""
    (checkout / "build-x").mkdir()
    (checkout / "build-x/object").write_text("x")
    (checkout / "out.nc").write_text("x")
    same("beside a build", good, packed(checkout))
    (checkout / "src/new.c").write_text("int x;\n")
    refused("a new file", checkout, sentence="uncommitted changes")
    (checkout / "src/new.c").unlink()
    readme = (checkout / "README.md").read_text()
    (checkout / "README.md").write_text(readme + "more\n")
    refused("a changed file", checkout, sentence="--dirty")
    (checkout / "src/new.c").write_text("int x;\n")
    with tarfile.open(packed(checkout, "--dirty")) as tar:
        names = {m.name.split("/", 1)[-1]: m for m in tar.getmembers()}
        if "src/new.c" not in names or "out.nc" in names or "build-x/object" in names:
            sys.exit("--dirty packs the wrong files")
        if not tar.extractfile(names["README.md"]).read().endswith(b"more\n") or b"with changes" not in tar.extractfile(names["MANIFEST"]).readline():
            sys.exit("--dirty packs the committed bytes, or does not say so")


def repacked(archive, folder):
    """An unpacked archive, far from git: the same bytes again, unless something was changed."""
    runner.need("tar", "xf", archive, "--no-same-permissions", "-C", folder, umask=0o077)
    top = folder / archive.name.removesuffix(".tar.gz")
    runner.need("sha256sum", "--check", "--strict", "--quiet", "MANIFEST", cwd=top)
    (top / "build").mkdir()
    (top / "build/object").write_text("x")
    same("an unpacked archive", archive, packed(top))
    kept = (top / "README.md").read_bytes()
    (top / "README.md").write_bytes(kept + b"more\n")
    refused("a changed file of an archive", top, sentence="differ from MANIFEST")
    if digest(packed(top, "--dirty")) == digest(archive):
        sys.exit("--dirty does not pack the change")
    (top / "README.md").unlink()
    refused("a missing file of an archive", top, sentence="differ from MANIFEST")
    (top / "README.md").write_bytes(kept)
    manifest = (top / "MANIFEST").read_bytes()
    (top / "MANIFEST").unlink()
    refused("a folder without git and MANIFEST", top, sentence="neither a git checkout nor an unpacked archive")
    (top / "MANIFEST").write_bytes(manifest)
    shutil.rmtree(top / "build")


HELLO = r"""
#include <mpi.h>
#include <parcdf.h>
#include <pnetcdf.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, ranks, ncid, dim, var, err;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    err = ncmpi_create(MPI_COMM_WORLD, "hello.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &ncid);
    if (!err) err = ncmpi_def_dim(ncid, "x", ranks, &dim);
    if (!err) err = ncmpi_def_var(ncid, "a", NC_INT, 1, &dim, &var);
    if (!err) err = ncmpi_enddef(ncid);
    MPI_Offset at = rank;
    int value = 40 + rank;
    if (!err) err = ncmpi_put_var1_int_all(ncid, var, &at, &value);
    if (!err) err = ncmpi_close(ncid);
    if (err || rank == 0) printf("parcdf %s: %s\n", parcdf_version(), ncmpi_strerror(err));
    MPI_Finalize();
    return err != 0;
}
"""


def built(top, folder, compiler, launcher):
    """As its README says; the program that a user writes runs with the installed library."""
    build, prefix = folder / "build", folder / "prefix"
    runner.need("cmake", "-S", top, "-B", build, "-G", "Ninja", f"-DMPI_C_COMPILER={compiler}", "-DBUILD_TESTING=OFF")
    runner.need("cmake", "--build", build, timeout=1500)
    runner.need("cmake", "--install", build, "--prefix", prefix)
    (folder / "hello.c").write_text(HELLO)
    library = next(prefix.rglob("libparcdf.so")).parent
    env = {"PKG_CONFIG_PATH": str(library / "pkgconfig"), "LD_LIBRARY_PATH": str(library)}
    flags = runner.need("pkg-config", "--cflags", "--libs", "parcdf", env=env).split()
    runner.need(compiler, folder / "hello.c", "-o", folder / "hello", *flags)
    said = runner.need(launcher, "-n", 2, folder / "hello", cwd=folder, env=env)
    version = (top / "VERSION").read_text().strip()
    dumped = runner.need(prefix / "bin/parcdf", "dump", folder / "hello.nc")
    if f"parcdf {version}:" not in said or "40, 41" not in dumped or f"parcdf {version}" != runner.need(prefix / "bin/parcdf", "--version"):
        sys.exit(f"the program says {said}, its file {dumped}")
    print(said)


def checked(top, folder, compiler):
    """As a caller of autotools: from another folder, whose name has a space; make check runs tests and leaves nothing to install."""
    away, prefix = folder / "an other folder", folder / "configured"
    away.mkdir()
    runner.need(top / "configure", f"--prefix={prefix}", f"CC={compiler}", cwd=away)
    for words in (["-j", os.cpu_count()], ["-j", os.cpu_count(), "tests"], ["check", f"TESTS=-j{os.cpu_count()}"], ["install"]):
        said = runner.need("make", *words, cwd=away, timeout=3000)
        if words[0] == "check" and said.count("100% tests passed") != 3:
            sys.exit(said[-3000:])
    strange = [p for p in prefix.rglob("*") if "test" in p.name]
    if strange or not (prefix / "lib/libpnetcdf.so.8").exists():
        sys.exit(f"make install: {strange}")
    runner.need("make", "uninstall", cwd=away)
    if prefix.exists():
        sys.exit(f"make uninstall left {list(prefix.rglob('*'))[:9]}")


def main(source, *build):
    if not shutil.which("git"):
        print("skipped: there is no git")
        return 77
    source = Path(source).resolve()
    with tempfile.TemporaryDirectory(dir=None if build else runner.MEMORY) as folder:
        folder = Path(folder).resolve()
        for name in ("whole", "few", "unpacked"):
            (folder / name).mkdir()
        checkout = repository(source, folder / "whole")
        whole = packed(checkout)
        holds_the_tree(whole, checkout)
        checkout = few(source, folder / "few")
        good = packed(checkout)
        holds_the_tree(good, checkout)
        same("another clone, user, umask, locale and time zone", good, somebody_elses(checkout, folder))
        changed(checkout, good)
        repacked(good, folder / "unpacked")
        if build:
            runner.need("tar", "xf", whole, "-C", folder / "unpacked")
            top = folder / "unpacked" / whole.name.removesuffix(".tar.gz")
            built(top, folder, *build)
            checked(top, folder, build[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
