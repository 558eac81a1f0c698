#!/usr/bin/env python3
"""What `cmake --install` leaves serves users. Installed twice, staged below a DESTDIR and in a prefix that is then moved:
programs are built against each by CMake (find_package of both names), pkg-config (both names, shared and static) and
pnetcdf-config, in C, C++ (both interfaces) and Fortran, and with netcdf.h before and after, and run on 2 ranks. No installed file names a
folder of the build; every program has a manual page; the shared libraries need MPI, utf8proc and libc alone, call none of their public
functions through the dynamic linker, and export those functions and nothing else; pnetcdf-config, pnetcdf_version, ncvalidator and
ncoffsets answer as PnetCDF's do.

    clients.py BUILD_FOLDER SOURCE_FOLDER C_COMPILER LAUNCHER ON|OFF      (the last: PARCDF_DROP_IN)"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = ["include/pnetcdf.h", "include/pnetcdf", "include/parcdf.h", "bin/parcdf", "share/doc/parcdf/examples/collective_write.c",
         "share/doc/parcdf/manual/differences.md", "share/bash-completion/completions/parcdf", "share/zsh/site-functions/_parcdf"]
ALIASES = re.findall(r'^PCDF_TOOL_ALIAS\("([^"]+)"', (Path(__file__).parents[2] / "programs/aliases.def").read_text(), re.M)
NOT_OURS = ["bin/ncdump", "bin/ncgen", "bin/nccopy"]  # the program answers to these names, too, but netCDF-C has them
DROP_IN_FILES = [f for f in ["bin/pnetcdf-config", "bin/pnetcdf_version", *("bin/" + a for a in ALIASES)] if f not in NOT_OURS]
NEEDED = re.compile(r"lib(mpi|mpich|open-(rte|pal)|utf8proc|c|m|pthread)\.so\.\d+|ld-linux.*")


def run(*words, status=0, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=100, **more)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def need(true, sentence):
    if not true:
        sys.exit(sentence)


class Place:
    """One installed tree, and the programs built against it."""

    def __init__(self, prefix, work, compiler, launcher, drop_in, is_last=True):
        """What is_last is false of runs one program for each way of building; the others are only looked at."""
        self.is_last, self.ways = is_last, set()
        self.prefix, self.work, self.cc, self.launcher, self.drop_in = prefix, work, compiler, launcher, drop_in
        self.cxx, self.fc = (re.sub(r"mpicc([^/]*)$", rf"{name}\1", compiler) for name in ("mpicxx", "mpif90"))
        self.libdir = self.find(prefix)
        self.env = dict(os.environ, PKG_CONFIG_PATH=str(self.libdir / "pkgconfig"), LD_LIBRARY_PATH=str(self.libdir))
        self.libraries = ["parcdf", "pnetcdf"] if drop_in else ["parcdf"]
        self.fortran = (prefix / "include/pnetcdf.mod").exists()
        self.programs = 0
        work.mkdir()

    def find(self, prefix):
        """Where the libraries are."""
        found = {p.parent for p in prefix.rglob("libparcdf.so")}
        need(len(found) == 1, f"libparcdf.so is in {found}")
        return found.pop()

    def runs(self, program, library, kind):
        """The program works, and is linked with what it should be."""
        linked = run("ldd", program, env=self.env)
        ours = set(re.findall(r"lib(?:parcdf|pnetcdf)\S* => (\S+)", linked))
        wanted = {str(p) for p in self.libdir.glob("libparcdf*.so.*") if str(p).endswith("p") == (library == "pnetcdf")} if kind == "shared" else set()
        # No name of PnetCDF's: where that is installed too (Debian's is), the loader would take it without a word.
        need("libpnetcdf" not in run("readelf", "-dW", program), f"{program} needs libpnetcdf by name")
        need(ours <= wanted and bool(ours) == bool(wanted), f"{program}: {kind} {library}, but ldd says\n{linked}")
        self.programs += 1
        way = program.name.split("_")[0]
        if not self.is_last and way in self.ways:
            return
        self.ways.add(way)
        file = self.work / f"{program.name}.nc"
        said = run(self.launcher, "-n", "2", program, file, env=self.env)
        need("client: good" in said, f"{program}: {said}")
        run(self.prefix / "bin/parcdf", "check", "-q", file)

    def by_compiler(self, name, library, kind, flags, source="install_client.c"):
        program = self.work / name
        compiler = {".c": self.cc, ".cc": self.cxx, ".f90": self.fc}[Path(source).suffix]
        if kind == "static":
            flags = [re.sub(rf"^-l({library}\w*)$", rf"{self.libdir}/lib\1.a", f) for f in flags]
        run(compiler, "-Wall", "-Wextra", "-Werror", HERE / source, "-o", program, *flags)
        self.runs(program, library, kind)

    def by_pkg_config(self):
        for library in self.libraries:
            for kind in ("shared", "static"):
                ask = ["pkg-config", "--cflags", "--libs"] + ["--static"] * (kind == "static") + [library]
                flags = run(*ask, env=self.env).split()
                need(kind == "static" or "-lmpi" not in flags, f"{library}.pc leaks -lmpi: {flags}")
                self.by_compiler(f"pc_{library}_{kind}", library, kind, flags)
            libdir = run("pkg-config", "--variable=libdir", library, env=self.env)
            need(Path(libdir).resolve() == self.libdir.resolve(), f"{library}.pc says that libdir is {libdir}")

    def other_languages(self):
        """C++, Fortran, and C beside netCDF-C."""
        flags = run("pkg-config", "--cflags", "--libs", "parcdf", env=self.env).split()
        need(not any("UTF8PROC" in flag for flag in flags), f"pkg-config tells programs {flags}")
        if shutil.which(self.cxx):
            self.by_compiler("pc_cxx", "parcdf", "shared", ["-DOMPI_SKIP_MPICXX", *flags], "install_client.cc")
            self.by_compiler("pc_classes", "parcdf", "shared", flags, "classes_client.cc")
        if self.fortran:
            for kind in ("shared", "static"):
                more = run("pkg-config", "--cflags", "--libs", *["--static"] * (kind == "static"), "parcdf-fortran",
                           env=self.env).split()
                self.by_compiler(f"pc_fortran_{kind}", "parcdf", kind, more, "install_client.f90")
        if Path("/usr/include/netcdf.h").exists():
            for order in (1, 2):
                self.by_compiler(f"pc_netcdf_{order}", "parcdf", "static", [f"-DNETCDF_H={order}", *flags,
                                 *run("pkg-config", "--libs", "--static", "parcdf", env=self.env).split(), "-lnetcdf"])

    def by_pnetcdf_config(self):
        config = self.prefix / "bin/pnetcdf-config"
        flags = run(config, "--cppflags").split() + run(config, "--libs").split()
        for kind in ("shared", "static"):
            self.by_compiler(f"config_{kind}", "pnetcdf", kind, flags + ["-lutf8proc"] * (kind == "static"))
        if self.is_last and shutil.which(run(config, "--cxx")):
            self.cxx = run(config, "--cxx")
            self.by_compiler("config_cxx", "pnetcdf", "shared", [*run(config, "--cxxflags").split(), *flags], "classes_client.cc")
        if self.fortran:
            self.by_compiler("config_fortran", "pnetcdf", "shared", run(config, "--fppflags").split() + flags,
                             "install_client.f90")

    def by_cmake(self, language):
        """All targets, in a project of one language, or of C and C++: MPI is C's then."""
        suffix, compiler = {"C": ("c", self.cc), "CXX": ("cc", self.cxx), "C;CXX": ("cc", self.cc), "Fortran": ("f90", self.fc)}[language]
        source = "classes_client.cc" if suffix == "cc" and ";" in language else f"install_client.{suffix}"
        folder = self.work / f"cmake_{language.replace(';', '_')}"
        folder.mkdir()
        shutil.copy(HERE / "client.cmake", folder / "CMakeLists.txt")
        shutil.copy(HERE / source, folder)
        run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "b", f"-DLANGUAGES={language}",
            f"-DMPI_{language.split(';')[0]}_COMPILER={compiler}", f"-DSOURCE={source}", f"-DDROP_IN={self.drop_in}",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("ninja", "-C", folder / "b")
        for program in sorted((folder / "b").glob("cmake_*")):
            if program.suffix != ".cmake":
                need(language != "CXX" or not re.search("mpi(ch|_)?cxx", run("readelf", "-d", program)),
                     f"{program} needs MPI's functions for C++")
                library = re.search(r"parcdf|pnetcdf", program.name).group()
                self.runs(program, library, program.name.rsplit("_", 1)[1])

    def refuses_another_mpi(self):
        other = re.sub(r"(mpich|openmpi)$", lambda m: {"mpich": "openmpi", "openmpi": "mpich"}[m[0]], self.cc)
        if other == self.cc or not shutil.which(other):
            return
        folder = self.work / "other"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(parcdf REQUIRED)\n")
        done = subprocess.run(["cmake", "-S", folder, "-B", folder / "b", f"-DMPI_C_COMPILER={other}",
                               f"-DCMAKE_PREFIX_PATH={self.prefix}"], capture_output=True, text=True)
        need(done.returncode and "it was built with" in done.stderr, f"with {other}: {done.stdout}{done.stderr}")


def no_traces(prefix, folders):
    """Installed text names no folder of the build, nor where it was installed first."""
    texts = [p for p in prefix.rglob("*") if p.suffix in (".pc", ".cmake", ".h", ".md", ".c") or p.parent.name == "bin"]
    for path in [p for p in texts if p.is_file()]:
        content = path.read_bytes()
        if content.startswith(b"\x7fELF"):  # debug information names sources; what the program uses is outside it
            continue
        for folder in folders:
            need(str(folder).encode() not in content, f"{path} names {folder}")


def pages(prefix):
    """Each installed program has a manual page."""
    programs = [p.name for p in [*prefix.glob("bin/*"), *prefix.glob("lib*/parcdf/*"), *prefix.glob("lib/*/parcdf/*")]
                if not p.name.endswith(".so") and os.access(p, os.X_OK)]
    missing = [name for name in programs if not (prefix / f"share/man/man1/{name}.1").exists()]
    need(len(programs) > 2 and not missing, f"programs without a manual page: {missing} of {programs}")


def symbols(place, source):
    """NEEDED, sonames, and calls within the library."""
    for library, soname in (("parcdf", r"libparcdf\.so\.\d+"), ("pnetcdf", r"libparcdf\.so\.\d+p")):
        if library not in place.libraries:
            continue
        shared, archive = place.libdir / f"lib{library}.so", place.libdir / f"lib{library}.a"
        dynamic = run("readelf", "-dW", shared)
        strange = [n for n in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) if not NEEDED.fullmatch(n)]
        need(not strange, f"{shared} needs {strange}")
        need(re.search(rf"\(SONAME\).*\[{soname}\]", dynamic), f"{shared}: no soname like {soname}")
        need(not re.search(r"RPATH|RUNPATH", dynamic), f"{shared} has a run path")
        if library == "pnetcdf":
            names = [place.libdir / f"libpnetcdf.so{end}" for end in ("", ".0d", ".8")]
            need(len({p.resolve() for p in names}) == 1 and names[0].exists(), f"{names} are not one library")
        fortran = place.libdir / f"lib{library}_fortran.so"
        if fortran.exists():
            paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", run("readelf", "-dW", fortran))
            need(paths == ["$ORIGIN"], f"{fortran} has the run paths {paths}: it must find lib{library} beside it")
        if library == "pnetcdf" and place.fortran:  # its Fortran functions are there too, and call the public ones
            exported = re.findall(r" [A-Z] (\w+)$", run("nm", "-D", "--defined-only", shared), re.M)
            strange = [n for n in exported if not re.match(r"(n[cf]mpi|parcdf|cdl_hdr|pcdf_f90)_|__pnetcdf_MOD_", n)]
            need(not strange, f"{shared} exports {strange}")
            continue
        public = r"\b(ncmpi_\w+|parcdf_\w+|cdl_hdr_\w+)"
        inside = re.findall(public, run("readelf", "-rW", shared)) + re.findall(public, run("nm", "-u", archive))
        need(not inside, f"calls inside lib{library} that go through public names: {sorted(set(inside))}")
        run(sys.executable, "-B", source / "tests/lint/exports.py", shared, archive, place.prefix / "include/pnetcdf.h",
            place.prefix / "include/parcdf.h")


def commands(place):
    """pnetcdf-config and pnetcdf_version: every option of the peer's, and the exact forms that finders read."""
    config = place.prefix / "bin/pnetcdf-config"
    libdir = str(place.libdir)
    for option, answer in (("version", r"PnetCDF 1\.15\.0"), ("prefix", re.escape(str(place.prefix))),
                           ("includedir", re.escape(f"{place.prefix}/include")), ("libdir", re.escape(libdir)),
                           ("libs", re.escape(f"-L{libdir} -lpnetcdf")), ("has-c++", "yes"), ("cxx", ".*/mpicxx.*|c[+][+]"), ("cxxflags", ".*"), ("has-fortran", "yes|no"),
                           ("cc", re.escape(place.cc)), ("cflags", ".*"), ("ldflags", ".*"),
                           *((o, "enabled|disabled") for o in ("netcdf4", "adios", "profiling", "thread-safe", "debug",
                                                               "relax-coord-bound", "erange-fill", "burst-buffering"))):
        said = run(config, f"--{option}")
        need(re.fullmatch(answer, said), f"pnetcdf-config --{option} says {said!r}, not {answer}")
    need("-lmpi" not in run(config, "--all"), "pnetcdf-config leaks -lmpi")
    wanted = set(re.findall(r"^  (--[a-z0-9+-]+) ", run(config, "--help"), re.M)) - {"--help"}
    if os.access("/usr/bin/pnetcdf-config", os.X_OK):
        wanted |= set(re.findall(r"^  (--[a-z0-9+-]+) ", run("/usr/bin/pnetcdf-config", "--help"), re.M)) - {"--help"}
    for option in wanted:
        run(config, option)
    need("unknown option: --nonsense" in run(config, "--nonsense", status=1), "an unknown option")
    run(config, status=1)
    inc = (place.prefix / "include/pnetcdf.inc").exists()
    need((run(config, "--has-fortran") == "yes") == inc, "--has-fortran and pnetcdf.inc")

    said = run(place.prefix / "bin/pnetcdf_version")
    version = [line.split(":")[1].strip() for line in said.splitlines() if "Version" in line]
    need(version == ["1.15.0"], f"pnetcdf_version says {said}")


def validator(place):
    """ncvalidator's exit status and repair, beside the peer's where it is installed."""
    ours, peer = place.prefix / "bin/ncvalidator", "/usr/bin/ncvalidator"
    good = next(place.work.glob("pc_parcdf_shared.nc")).read_bytes()
    end = good.index(b"abc\0")
    files = {"good": good, "cut": good[:60], "short": good[:-4], "text": b"no netCDF file", "empty": b"",
             "padded": good[:end + 3] + b"\7" + good[end + 4:]}
    for name, content in files.items():
        path = place.work / f"{name}.nc"
        path.write_bytes(content)
        status = subprocess.run([ours, "-q", path], capture_output=True)
        need(not status.stdout and not status.stderr, f"ncvalidator -q is not quiet: {status}")
        if os.access(peer, os.X_OK):
            other = subprocess.run([peer, "-q", path], capture_output=True).returncode
            need(status.returncode == other, f"ncvalidator {name}: {status.returncode}, PnetCDF's: {other}")
    padded = place.work / "padded.nc"
    need("has been repaired" in run(ours, "-x", padded, status=1), "ncvalidator -x")
    need(padded.read_bytes() == good, "ncvalidator -x changed something else")
    need("is a valid NetCDF classic CDF-5 file." in run(ours, padded), "ncvalidator after the repair")


def offsets(place):
    """ncoffsets prints what the peer's prints."""
    ours, peer = place.prefix / "bin/ncoffsets", "/usr/bin/ncoffsets"
    cdl = """netcdf f { dimensions: x = 5; unused = 2; t = UNLIMITED; variables: byte b(x); double s; short r(t, x);
             float q(t); data: r = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10; }"""
    path = place.work / "records.nc"
    if not (shutil.which("ncgen") and os.access(peer, os.X_OK)):
        return
    run("ncgen", "-5", "-o", path, input=cdl)
    for options in ([], ["-s"], ["-g"], ["-r"], ["-sgr"], ["-x"], ["-s", "-v", "q,b"]):
        wanted, got = run(peer, *options, path), run(ours, *options, path)
        need(got == wanted, f"ncoffsets {options} says\n{got}\nand PnetCDF's\n{wanted}")
    for program in (ours, peer):
        run(program, "-v", "nothing", path, status=1)
        run(program, place.work / "cut.nc", status=1)


def by_wrapper(source, compiler, folder):
    """With MPI's wrapper as the C compiler, C++ is compiled by the wrapper of the same MPI: g++ would find no mpi.h, or another one."""
    run("cmake", "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_C_COMPILER={compiler}", "-DPARCDF_FORTRAN=OFF")
    chosen = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), re.M)
    wanted = re.sub(r"cc([^/]*)$", r"cxx\1", compiler)
    need(chosen and Path(chosen[1]).name == Path(wanted).name, f"with the compiler {compiler}, C++ is compiled by {chosen and chosen[1]}")


def main(build, source, compiler, launcher, drop_in):
    source, on = Path(source), drop_in == "ON"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        run("cmake", "--install", build, "--prefix", "/opt/here-first", env=dict(os.environ, DESTDIR=str(folder / "stage")))
        run("cmake", "--install", build, "--prefix", folder / "first")
        (folder / "first").rename(folder / "moved")
        programs, place = 0, None
        for name, prefix in (("staged", folder / "stage/opt/here-first"), ("moved", folder / "moved")):
            missing = [f for f in FILES + DROP_IN_FILES * on if not (prefix / f).exists()]
            need(not missing, f"not installed: {missing}")
            need(not any((prefix / f).exists() for f in NOT_OURS), "netCDF-C's names are installed")
            pages(prefix)
            no_traces(prefix, [build, source, "/opt/here-first", folder])
            programs += place.programs if place else 0
            place = Place(prefix, folder / f"{name}_work", compiler, launcher, on, name == "moved")
            place.by_cmake("C")
            place.by_pkg_config()
            if on:
                place.by_pnetcdf_config()
                commands(place)
        # Once is enough for what does not depend on the place.
        place.other_languages()
        place.by_cmake("CXX")
        place.by_cmake("C;CXX")
        if place.fortran:
            place.by_cmake("Fortran")
        place.refuses_another_mpi()
        by_wrapper(source, compiler, folder / "by_wrapper")
        symbols(place, source)
        if on:
            validator(place)
            offsets(place)
        print(f"{programs + place.programs} programs of a staged and of a moved tree")


if __name__ == "__main__":
    main(*sys.argv[1:])
