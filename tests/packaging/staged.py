"""The source archive of the tree, the recipes for it, and how packages of it are built and used here.

Where PARCDF_OBJECTS names a folder, as in CI, packages are built quickly: without optimization, and by ccache, where it is installed,
which takes from the folder what another test compiled; paths below the folder of the test do not count. Otherwise they are built as
users get them."""
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE)]
import runner

QUICK = "PARCDF_OBJECTS" in os.environ
CMAKE = [f"-DCMAKE_C_FLAGS_{kind}=-O0 -DNDEBUG" for kind in ("RELEASE", "RELWITHDEBINFO") if QUICK]
CLIENT = HERE.parent / "install/install_client.c"


class Skipped(Exception):
    pass


def objects(folder):
    """The environment of builds below a folder that take objects from those before."""
    if not QUICK or not shutil.which("ccache"):
        return {}
    return dict(CMAKE_C_COMPILER_LAUNCHER="ccache", CCACHE_DIR=os.environ["PARCDF_OBJECTS"], CCACHE_BASEDIR=str(folder),
                CCACHE_NOHASHDIR="1", CCACHE_SLOPPINESS="locale", TMPDIR=str(folder))


def archive(source, folder):
    """The source archive of the tree as it is, unpacked, and the recipes for it."""
    made = Path(runner.need(source / "scripts/dist", "--dirty", folder / "dist").splitlines()[-1])
    runner.need(source / "packaging/render", made, folder / "recipes")
    runner.need("tar", "xf", made, "-C", folder)
    return made, folder / made.name.removesuffix(".tar.gz")


class Place:
    """The archive, unpacked, the recipes, and one folder of objects, which builds with the same flags share."""

    def __init__(self, source, folder):
        self.folder, self.mpi = folder, "openmpi"
        self.archive, self.tree = archive(source, folder)
        self.version = re.fullmatch(r"parcdf-(.*)\.tar\.gz", self.archive.name)[1]
        self.recipes = folder / "recipes"
        os.environ.update(objects(folder))
        self.bin = folder / "bin"  # MPI's wrappers by their plain names
        self.bin.mkdir()
        for name in ("mpicc", "mpiexec", "mpif90"):
            (self.bin / name).symlink_to(shutil.which(f"{name}.{self.mpi}"))

    def env(self, prefix, **more):
        return dict(PATH=f"{prefix}/bin:{self.bin}:{os.environ['PATH']}", LD_LIBRARY_PATH=f"{prefix}/lib",
                    PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig", **more)

    def build(self, prefix, arguments, **more):
        """Configured from nothing, so that no recipe profits from what another one said; objects stay."""
        build = self.tree / "build"
        (build / "CMakeCache.txt").unlink(missing_ok=True)
        said = runner.need("cmake", "-S", self.tree, "-B", build, "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={prefix}", *CMAKE, *arguments,
                           env=self.env(prefix), **more)
        if "Manually-specified variables were not used" in said:
            sys.exit(f"the recipe sets what CMakeLists.txt does not know:\n{said}")
        runner.need("ninja", "-C", build, "-j2", timeout=900)
        runner.need("cmake", "--install", build)

    def client(self, prefix, env, *flags):
        runner.need("mpicc", CLIENT, "-o", self.folder / "client", *flags, env=env)
        if "client: good" not in runner.need("mpiexec", "-n", 2, self.folder / "client", self.folder / "client.nc", env=env):
            sys.exit("the client did not run")
        runner.need("parcdf", "check", "-q", self.folder / "client.nc", env=env)


def report(source, parts):
    """Runs each of the parts, which say what they did; the status of the test."""
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(source).resolve(), Path(folder).resolve())
        for part in parts:
            try:
                print(f"{part.__name__}: {part(place)}", flush=True)
                ran += 1
            except Skipped as reason:
                print(f"{part.__name__}: skipped: {reason}", flush=True)
    return 0 if ran else 77
