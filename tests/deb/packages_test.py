#!/usr/bin/env python3
"""The Debian packages are made by the ordinary tools, hold what they should, and serve users from where they are unpacked: for each
of the two MPI libraries, side by side, the clients of tests/install in C, C++ and Fortran, found by CMake and pkg-config; for the
default one also by pnetcdf-config, and the examples with their Makefile. lintian has nothing to say but what has a reason.

    packages_test.py SOURCE_FOLDER [DEBS]

DEBS: the packages stay in this folder. Where PARCDF_OBJECTS is set, as in CI, they are made quickly (tests/packaging/staged.py), and
without the manual's site and lintian."""
import fnmatch
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "install"), str(HERE.parent / "packaging")]
import staged
from clients import Place
from staged import runner

FLAVOURS = ("openmpi", "mpich")
MODULE = "lib/*/fortran/gfortran-mod-*/"


def library(mpi, depends):
    return {f"libparcdf-{mpi}0": ([f"lib/*/libparcdf_{mpi}.so.0", f"lib/*/libparcdf_fortran_{mpi}.so.0"], [depends, "libutf8proc"],
                                  ["libstdc++", "libgfortran", "libpnetcdf"]),
            f"libparcdf-{mpi}-dev": ([f"include/parcdf/{mpi}/{f}" for f in ("pnetcdf.h", "pnetcdf", "parcdf.h", "pnetcdf.inc", "pnetcdf.mod")] +
                                     [f"lib/*/parcdf/{mpi}/lib{f}" for f in ("parcdf.so", "parcdf.a", "parcdf_fortran.so")] +
                                     [f"lib/*/pkgconfig/parcdf-{mpi}.pc", f"lib/*/pkgconfig/parcdf-{mpi}-fortran.pc",
                                      f"lib/*/cmake/parcdf-{mpi}/parcdfConfig.cmake", f"{MODULE}parcdf/{mpi}/pnetcdf.mod"],
                                     [f"libparcdf-{mpi}0 (=", f"lib{mpi}-dev", "gfortran"], ["mpi-default-dev"])}


# package: (files, among others; words of Depends; words that Depends must not have)
WANTED = {
    **library("openmpi", "libopenmpi"), **library("mpich", "libmpich"),
    "libparcdf-dev": (["lib/*/pkgconfig/parcdf.pc", "lib/*/pkgconfig/parcdf-fortran.pc"], ["libparcdf-openmpi-dev (=", "mpi-default-dev"],
                      ["mpich"]),
    "parcdf-bin": (["bin/parcdf", "share/man/man1/parcdf-check.1.gz", "share/bash-completion/completions/parcdf",
                    "share/zsh/vendor-completions/_parcdf"], ["libopenmpi", "libutf8proc"], ["libparcdf"]),
    "parcdf-formats": (["lib/*/parcdf/libparcdf-codecs.so", "lib/*/parcdf/libparcdf-hdf5.so", "lib/*/parcdf/libparcdf-hdf4.so",
                        "lib/*/parcdf/libparcdf-curl.so", "lib/*/parcdf/parcdf-map"], ["libhdf5", "libhdf4", "libcurl"],
                       ["openmpi", "libnetcdf"]),
    "parcdf-doc": (["share/doc/parcdf/examples/block_3d.c", "share/doc/parcdf/examples/Makefile",
                    "share/doc/parcdf/manual/differences.md", "share/doc/parcdf/html/index.html", "share/man/man3/parcdf-vara.3.gz",
                    "share/man/man3/ncmpi_put_vara_float_all.3.gz"], [], ["mpi"]),
    "libparcdf-pnetcdf0d": (["lib/*/libparcdf.so.0p", "lib/*/libpnetcdf.so.0d", "lib/*/libpnetcdf.so.8"], ["libopenmpi"], ["libstdc++", "libgfortran"]),
    "libparcdf-pnetcdf-dev": (["include/pnetcdf.h", "include/pnetcdf", "include/*/pnetcdf.inc", f"{MODULE}pnetcdf.mod", "lib/*/libpnetcdf.a",
                               "lib/*/pkgconfig/pnetcdf.pc", "lib/*/cmake/PnetCDF/PnetCDFConfig.cmake", "bin/pnetcdf-config",
                               "bin/ncvalidator", "bin/cdfdiff", "share/man/man1/pnetcdf-config.1.gz"],
                              ["libparcdf-dev (=", "libparcdf-pnetcdf0d (="], []),
}
PYTHON = {"python3-parcdf": (["lib/python3/dist-packages/parcdf/__init__.py", "lib/python3/dist-packages/parcdf-*/entry_points.txt"],
                             ["libparcdf-openmpi0 | libparcdf-mpich0", "python3-numpy"], ["mpi4py"])}
# What lintian need not tell, of all packages; what it tells of one has its reason in packaging/debian/*.lintian-overrides.
SUPPRESSED = {"bogus-mail-host": "whoever uploads the packages puts an address of theirs into control and changelog",
              "bogus-mail-host-in-debian-changelog": "the same"}


class Flavour(Place):
    """One MPI library's packages, where those of the other are, too."""

    def __init__(self, mpi, root, work):
        self.mpi = mpi
        super().__init__(root / "usr", work, f"/usr/bin/mpicc.{mpi}", f"/usr/bin/mpiexec.{mpi}", False)
        self.fortran = True

    def find(self, prefix):
        libdir, = prefix.glob("lib/*/pkgconfig")
        self.shared = rf"libparcdf(_fortran)?_{self.mpi}\.so\.\d"
        return libdir.parent

    def by_pkg_config(self):
        name = f"parcdf-{self.mpi}"
        for kind in ("shared", "static"):
            for source, module in (("install_client.c", name), ("install_client.f90", f"{name}-fortran")):
                flags = runner.need("pkg-config", "--cflags", "--libs", *["--static"] * (kind == "static"), module, env=self.env).split()
                if kind == "static":
                    flags = [re.sub(r"^-l(parcdf\w*)$", rf"{self.libdir}/parcdf/{self.mpi}/lib\1.a", f) for f in flags]
                self.by_compiler(f"pc_{kind}_{source.rsplit('.')[-1]}", "parcdf", "as it is" if kind == "shared" else "linked", flags, source)
        flags = runner.need("pkg-config", "--cflags", "--libs", name, env=self.env).split()
        self.by_compiler("pc_cxx", "parcdf", "as it is", ["-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", *flags], "install_client.cc")

    def runs(self, program, library, kind):
        linked = runner.need("ldd", program, env=self.env)
        ours = set(re.findall(r"lib(?:parcdf|pnetcdf)\S+(?= =>)", linked))
        static = kind in ("linked", "static")
        if static == bool(ours) or any(not re.fullmatch(self.shared, name) for name in ours):
            sys.exit(f"{program}: {kind}, {self.mpi}, but it is linked with {ours}")
        if "client: good" not in runner.need(self.launcher, "-n", 2, program, self.work / "out.nc", env=self.env):
            sys.exit(f"{program} did not run")
        self.programs += 1


def look_at(package, wanted, deb, root):
    """Contents and relations of one package, which is then unpacked beside the others."""
    files, depends, strangers = wanted
    listed = re.findall(r" \./usr/(\S+)(?: -> \S+)?$", runner.need("dpkg-deb", "-c", deb), re.M)
    missing = [f for f in files if not fnmatch.filter(listed, f) and not (staged.QUICK and "/html/" in f)]
    said = runner.need("dpkg-deb", "-f", deb, "Depends")
    wrong = [d for d in depends if d not in said] + [f"not {s}" for s in strangers if s in said]
    if missing or wrong:
        sys.exit(f"{deb.name}: missing {missing}; Depends: {said}: {wrong}")
    runner.need("dpkg-deb", "-x", deb, root)


def default(source, folder):
    """The drop-in, the default MPI library's names, the examples."""
    place = Flavour("openmpi", folder / "root", folder / "default")
    place.shared, place.fortran = r"libparcdf(_fortran)?(_openmpi)?\.so\.\w+", False
    flags = runner.need("pkg-config", "--cflags", "--libs", "parcdf-fortran", env=place.env).split()
    place.by_compiler("default_fortran", "parcdf", "as it is", flags, "install_client.f90")
    place.by_pnetcdf_config()
    examples = folder / "examples"
    shutil.copytree(folder / "root/usr/share/doc/parcdf/examples", examples)
    runner.need("make", "-C", examples, f"CC={place.cc}", f"MPIEXEC={place.launcher}", "check", "PROGRAMS=record_append flexible_ghost",
                env=place.env)
    return place.programs + 2


def clients(source, folder):
    programs = default(source, folder)
    for mpi in FLAVOURS:
        place = Flavour(mpi, folder / "root", folder / f"work-{mpi}")
        place.by_pkg_config()
        for language in ("C", "CXX", "Fortran") if mpi == FLAVOURS[0] else ("Fortran",):  # the files of one kind are of one template
            place.by_cmake(language)
        programs += place.programs
    return programs


def lint(debs):
    if not shutil.which("lintian"):
        return "lintian is not here"
    status, said = runner.run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", ",".join(SUPPRESSED), *debs)
    bad = [line for line in said.splitlines() if re.match("[EW]:", line)]
    if bad or status > 2:
        sys.exit("lintian:\n" + "\n".join(bad or [said]))
    return "lintian is content"


def make(source, folder):
    """The packages, by name."""
    env = {}
    if staged.QUICK:
        plain = dict(DEB_CFLAGS_SET="-O0", DEB_CPPFLAGS_SET="", DEB_LDFLAGS_SET="", DEB_FFLAGS_SET="-O0", DEB_FCFLAGS_SET="-O0")
        env = dict(plain, DEB_BUILD_OPTIONS="nodoc", DPKG_DEB_COMPRESSOR_LEVEL="1", **staged.objects(folder))
    runner.need(source / "scripts/deb", folder / "debs", env=dict(PARCDF_NO_DEPS="1", **env), timeout=900)
    return {deb.name.split("_")[0]: deb for deb in (folder / "debs").glob("*.deb")}


def main(source, kept=None):
    lacking = [word for word in ("dh", "dpkg-buildpackage", "sphinx-build", "dh_fortran_mod", "dh_python3", "mpicc.mpich", "mpicc.openmpi")
               if not shutil.which(word)]
    if lacking or not Path("/usr/share/doc/mpi-default-dev").exists():
        print(f"skipped: scripts/deps deb installs {lacking or 'mpi-default-dev'}")
        return 77
    source = Path(source)
    wanted = dict(WANTED, **(PYTHON if (source / "bindings/python/pyproject.toml").exists() else {}))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        debs = make(source, folder)
        if set(debs) != set(wanted):
            sys.exit(f"packages: {sorted(debs)}")
        for package, deb in debs.items():
            look_at(package, wanted[package], deb, folder / "root")
        print(f"{len(debs)} packages, {clients(source, folder)} programs, {'no lintian' if staged.QUICK else lint(debs.values())}")
        if kept:
            shutil.rmtree(kept, ignore_errors=True)
            shutil.move(folder / "debs", kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
