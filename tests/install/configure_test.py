#!/usr/bin/env python3
"""The script configure serves callers that expect autotools. What it tells CMake, for each option and variable that such callers
give, seen with a cmake that only notes its arguments; the sentence for each option that is not here. Then one whole run, as
PETSc does it for --download-pnetcdf: in the unpacked sources, with MPI's wrappers as CC and FC and without shared libraries:
configure, make clean, make, make install, a program linked with libpnetcdf.a alone, run on 2 ranks; make uninstall, make
distclean.

    configure_test.py SOURCE_FOLDER C_COMPILER LAUNCHER"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import runner

HERE = Path(__file__).resolve().parent
UNSET = "MPICC MPIF90 MPIF77 CC FC F90 F77 CXX CFLAGS CPPFLAGS FCFLAGS FFLAGS F90FLAGS LDFLAGS LIBS AR RANLIB".split()

# arguments of configure: what cmake is to be told (a regular expression an argument; with ! in front: not), what is said
TOLD = [
    ("", ["-DCMAKE_INSTALL_PREFIX=/usr/local", "-DCMAKE_INSTALL_LIBDIR=lib", "-DPARCDF_DROP_IN=ON", "-DBUILD_TESTING=OFF",
          "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DPARCDF_FORTRAN=AUTO", "-DPARCDF_UTF8PROC_INSIDE=ON", "!-DBUILD_SHARED_LIBS=.*",
          "!-DMPI_C_COMPILER=.*", "!-DCMAKE_C_COMPILER=.*"], ""),
    ("--prefix=/opt/p/ --libdir=/opt/p/lib64 --mandir=${prefix}/man --includedir /opt/p/include/parcdf",
     ["-DCMAKE_INSTALL_PREFIX=/opt/p", "-DCMAKE_INSTALL_LIBDIR=lib64", "-DCMAKE_INSTALL_MANDIR=man",
      "-DCMAKE_INSTALL_INCLUDEDIR=include/parcdf"], ""),
    ("--libdir=${exec_prefix}/lib64 --datadir=${prefix}/data --mandir=${datarootdir}/man --docdir=${datarootdir}/doc/p&q|",
     ["-DCMAKE_INSTALL_LIBDIR=lib64", "-DCMAKE_INSTALL_DATAROOTDIR=data", "-DCMAKE_INSTALL_MANDIR=data/man",
      r"-DCMAKE_INSTALL_DOCDIR=data/doc/p&q\|"], ""),
    ("--prefix=/ --libdir=/lib", ["-DCMAKE_INSTALL_PREFIX=/", "-DCMAKE_INSTALL_LIBDIR=lib"], ""),
    ("--prefix=/opt/it's", None, "a Makefile cannot name"), ("--prefix=/opt/$x", None, "a Makefile cannot name"),
    ("--prefix /opt/p --libdir=/usr/lib64", None, "--libdir=/usr/lib64 is not below the prefix /opt/p"),
    ("--prefix=here", None, "does not begin with /"),
    ("--prefix", None, "needs a value"),
    ("--enable-shared --enable-static", ["!-DBUILD_SHARED_LIBS=.*"], ""),
    ("--enable-shared=yes --enable-static=no", ["-DBUILD_SHARED_LIBS=ON", "!-DPARCDF_UTF8PROC_INSIDE=.*"], ""),
    ("--disable-shared", ["-DBUILD_SHARED_LIBS=OFF", "-DPARCDF_UTF8PROC_INSIDE=ON"], ""),
    ("--disable-shared --disable-static", None, "neither shared nor static"),
    ("--enable-shared=perhaps", None, "yes or no"),
    ("--disable-fortran --disable-fc --disable-f77 --disable-f90 --disable-cxx", ["-DPARCDF_FORTRAN=OFF"], ""),
    ("--enable-fortran --enable-thread-safe", ["-DPARCDF_FORTRAN=ON", "-DPARCDF_THREAD_SAFE=ON"], ""),
    ("--enable-debug", ["-DCMAKE_BUILD_TYPE=Debug"], ""),
    ("CFLAGS=-fPIC CPPFLAGS=-DX", ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_FLAGS= *-DX -fPIC"], ""),
    ("CFLAGS=-O3 LDFLAGS=-Wl,-z,now LIBS=-lm", ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-DNDEBUG .*-O3",
     "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,now", "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,now", "-DCMAKE_C_STANDARD_LIBRARIES=-lm"], ""),
    ("CC=MPICC", ["-DMPI_C_COMPILER=MPICC", "-DCMAKE_C_COMPILER=/.*cc"], ""),
    ("CC=MPICC FC=MPIF90 F77=MPIF90 F90=MPIF90 FFLAGS=-O1",
     ["-DMPI_Fortran_COMPILER=MPIF90", "-DCMAKE_Fortran_COMPILER=/.*", "-DCMAKE_Fortran_FLAGS=-O1"], ""),
    ("CC=gcc MPICC=MPICC", ["-DMPI_C_COMPILER=MPICC", "-DCMAKE_C_COMPILER=gcc"], ""),
    ("CC=gcc\\ -m64", ["-DCMAKE_C_COMPILER=gcc", "-DCMAKE_C_FLAGS=-m64 *", "!-DMPI_C_COMPILER=.*"], ""),
    ("CC=FOLDER/ccache\\ MPICC\\ -m64 FC=FOLDER/ccache\\ gfortran\\ -m64 FCFLAGS=-g",
     ["-DCMAKE_C_COMPILER_LAUNCHER=FOLDER/ccache", "-DMPI_C_COMPILER=MPICC", "-DCMAKE_C_COMPILER=/.*cc", "-DCMAKE_C_FLAGS=-m64 *",
      "-DCMAKE_Fortran_COMPILER=gfortran", "-DCMAKE_Fortran_FLAGS=-m64 -g"], ""),
    ("CC=FOLDER/ccache", ["-DCMAKE_C_COMPILER=FOLDER/ccache", "!-DMPI_C_COMPILER=.*"], ""),
    ("AR=no-such-ar", None, "AR=no-such-ar was not found"),
    ("MPICC=no-such-mpicc", None, "MPICC=no-such-mpicc was not found"),
    ("--with-mpi=FOLDER MPICC=mpicc MPIF90=mpif90", ["-DMPI_C_COMPILER=FOLDER/bin/mpicc",
                                                      "-DMPI_Fortran_COMPILER=FOLDER/bin/mpif90"], ""),
    ("--with-mpi=/nowhere", None, "there is no /nowhere/bin/mpicc"),
    ("--without-mpi", None, "no use without MPI"),
    ("AR=ar RANLIB=ranlib ARFLAGS=cr SEQ_CC=gcc MAKE=make CXX=g++ CXXFLAGS=-O", ["-DCMAKE_AR=/.*ar", "-DCMAKE_RANLIB=/.*ranlib"], ""),
    ("--build=x86_64-pc-linux-gnu --host=x86_64-pc-linux-gnu", [], ""),
    ("--build=x86_64-linux --host=aarch64-linux", [], "toolchain file"),
    ("--with-cmake-arguments=-DA=1\\ -DB=2", ["-DA=1", "-DB=2"], ""),
    ("--enable-relax-coord-bound --disable-silent-rules --disable-dependency-tracking --enable-option-checking --with-pic "
     "--disable-subfiling --without-netcdf4 --enable-erange-fill --sysconfdir=/etc -q", [], ""),
    ("--enable-burst-buffering", [], "asynchronous-output"), ("--enable-subfiling", [], "one file"),
    ("--with-netcdf4=/usr", [], "parcdf copy"), ("--with-adios", [], "ADIOS"), ("--enable-profiling", [], "report"),
    ("--enable-in-place-swap", [], "does not change"), ("--enable-null-byte-header-padding", [], "parcdf check"),
    ("--disable-erange-fill", [], "always on"), ("--disable-relax-coord-bound", [], "always on"),
    ("--enable-sorcery", [], "unknown feature: sorcery"), ("--sorcery=1", [], "unknown option: --sorcery"),
    ("--sorcery", [], "unknown option: --sorcery"), ("-z", [], "unknown option: -z"), ("sorcery", [], "unknown word: sorcery"),
    ("SORCERY=1", [], "unknown variable: SORCERY"),
]


def words(text):
    """As the shell splits: a space behind a backslash belongs to the word."""
    return [w.replace("\\ ", " ") for w in re.findall(r"(?:\\ |[^ ])+", text)]


def told(source, folder, compiler):
    """Each row of TOLD, from a folder that is not the source's."""
    (folder / "bin").mkdir()
    wrapper = Path(shutil.which(compiler))
    fortran = shutil.which(re.sub("mpicc", "mpif90", wrapper.name)) or str(wrapper)
    for name, target in (("mpicc", wrapper), ("mpif90", fortran)):
        (folder / "bin" / name).symlink_to(target)
    (folder / "ccache").write_text("#!/bin/sh\necho 'usage: ccache compiler'\n")
    (folder / "ccache").chmod(0o755)
    (folder / "fake").mkdir()
    fake = folder / "fake/cmake"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{folder}/told\necho "-- MPI: told"\n')
    fake.chmod(0o755)
    env = dict({k: v for k, v in os.environ.items() if k not in UNSET}, PATH=f"{folder}/fake:{os.environ['PATH']}")
    (folder / "away").mkdir()
    names = {"MPICC": str(wrapper), "MPIF90": fortran, "FOLDER": str(folder)}
    for arguments, wanted, sentence in TOLD:
        # the names stand for paths where they are a value
        put = lambda text: re.sub(r"(?<=[= ])(MPICC|MPIF90|FOLDER)\b(?!=)", lambda m: names[m[1]], text)
        (folder / "told").write_text("")
        done = subprocess.run([source / "configure", *map(put, words(arguments))], cwd=folder / "away", env=env,
                              capture_output=True, text=True)
        got = (folder / "told").read_text().splitlines()
        bad = [w for w in wanted or [] if any(re.fullmatch(put(w.lstrip("!")), g) for g in got) == w.startswith("!")]
        if (done.returncode == 0) != (wanted is not None) or bad or (sentence not in done.stderr) or (not sentence and done.stderr):
            sys.exit(f"configure {arguments}: exit {done.returncode}, said {done.stderr!r}, not {sentence!r}; wrong {bad} in {got}")
        if wanted is not None and got[:4] != ["-S", str(source), "-B", f"{folder}/away/build-configure"]:
            sys.exit(f"configure {arguments}: {got[:4]}")
    runner.need("sh", folder / "away/config.status", cwd=folder / "away", env=env)
    if runner.need(source / "configure", "--help").count("--") < 12 or not re.fullmatch(
            r"parcdf \d+\.\d+\.\d+", runner.need(source / "configure", "--version")):
        sys.exit("--help or --version")


def whole(source, folder, compiler, launcher):
    """As PETSc does it."""
    tree, prefix = folder / "tree", folder / "prefix with space"
    tree.mkdir()
    runner.need("sh", "-c", f"git ls-files -z -co --exclude-standard 2>/dev/null | xargs -0 tar cf - 2>/dev/null | tar xf - -C '{tree}'",
                cwd=source)
    if not (tree / "configure").exists():  # no git here: an unpacked archive
        runner.need("sh", "-c", f"tar cf - --exclude='./build*' . | tar xf - -C '{tree}'", cwd=source)
    before = set(os.listdir(tree))
    fortran = re.sub("mpicc", "mpif90", compiler)
    fortran = [f"{v}={fortran}" for v in ("F90", "FC", "F77")] if shutil.which(fortran) else ["--disable-fortran", "--disable-fc"]
    runner.need("./configure", f"--prefix={prefix}", "MAKE=/usr/bin/make", f"--libdir={prefix}/lib", f"CC={compiler}", "CFLAGS=-fPIC -O0",
                "AR=/usr/bin/ar", "ARFLAGS=cr", "CXX=no-such-c++", *fortran, "--disable-shared", "LIBS=-lm",
                "--with-cmake-arguments=-DPARCDF_PROGRAMS=OFF", cwd=tree)
    runner.need("make", "clean", cwd=tree)
    runner.need("make", "-j2", cwd=tree)
    runner.need("make", "install", f"DESTDIR={folder}/staged", cwd=tree)
    runner.need("make", "uninstall", f"DESTDIR={folder}/staged", cwd=tree)
    if (folder / "staged").exists():
        sys.exit("make uninstall DESTDIR left something")
    runner.need("make", "install", cwd=tree)
    if list(prefix.rglob("*.so*")) or not (prefix / "lib/libpnetcdf.a").exists():
        sys.exit(f"--disable-shared: {sorted(prefix.rglob('lib*'))}")
    runner.need(compiler, f"-I{prefix}/include", HERE / "install_client.c", "-o", folder / "client", f"{prefix}/lib/libpnetcdf.a")
    said = runner.need(launcher, "-n", 2, folder / "client", folder / "client.nc")
    if "client: good" not in said:
        sys.exit(said)
    runner.need("make", "uninstall", cwd=tree)
    runner.need("make", "distclean", cwd=tree)
    if prefix.exists() or set(os.listdir(tree)) != before:
        sys.exit(f"left: {sorted(prefix.rglob('*'))}, {set(os.listdir(tree)) ^ before}")


def main(source, compiler, launcher):
    with tempfile.TemporaryDirectory(dir=runner.MEMORY) as folder:
        told(Path(source), Path(folder).resolve(), compiler)
        print(f"{len(TOLD)} command lines", flush=True)
        whole(Path(source), Path(folder).resolve(), compiler, launcher)


if __name__ == "__main__":
    main(*sys.argv[1:])
