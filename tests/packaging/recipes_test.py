#!/usr/bin/env python3
"""The recipes of packaging/ build from the source archive that scripts/dist makes, and serve users. Each recipe is filled
(packaging/render), looked at, and executed: what Spack, conda and EasyBuild would tell CMake, and what their test sections do, run
here without these programs. The RPM packages are made by rpmbuild and used from where they are unpacked. The steps of the
container file run in a folder that mmdebstrap makes, where there is no podman.

    recipes_test.py SOURCE_FOLDER WHAT...       lint, spack, conda, easybuild, rpm, container

A thing that cannot run here says `skipped` with the reason; if nothing ran, the exit status is 77."""
import ast
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "install"), str(HERE)]
import runner
import spackstub

FLAGS = "-O0"  # of builds here: what is built is looked at, not timed
QUICK = [f"-DCMAKE_C_FLAGS_{kind}={FLAGS}" for kind in ("RELEASE", "RELWITHDEBINFO")]
CLIENT = HERE.parent / "install/install_client.c"


class Skipped(Exception):
    pass


def archive(source, folder):
    """The source archive of the tree as it is, and the recipes for it."""
    if (source / "scripts/dist").exists():
        runner.need(source / "scripts/dist", "--dirty", folder / "dist")
    else:  # the tree has no version of its own yet: as scripts/dist will do it
        version = runner.need(source / "configure", "--version").split()[1]
        (folder / f"tree/parcdf-{version}").mkdir(parents=True)
        (folder / "dist").mkdir()
        runner.need("sh", "-c", f"git ls-files -z -co --exclude-standard | xargs -0 tar cf - | tar xf - -C '{folder}/tree/parcdf-{version}' && "
                    f"tar czf '{folder}/dist/parcdf-{version}.tar.gz' -C '{folder}/tree' parcdf-{version}", cwd=source)
    made, = (folder / "dist").glob("parcdf-*.tar.gz")
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
        self.bin = folder / "bin"  # MPI's wrappers by their plain names
        self.bin.mkdir()
        for name in ("mpicc", "mpiexec", "mpif90"):
            found = shutil.which(f"{name}.{self.mpi}")
            if not found:
                raise Skipped(f"no {name}.{self.mpi} is here")
            (self.bin / name).symlink_to(found)

    def env(self, prefix, **more):
        return dict(PATH=f"{prefix}/bin:{self.bin}:{os.environ['PATH']}", LD_LIBRARY_PATH=f"{prefix}/lib",
                    PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig", **more)

    def build(self, prefix, arguments, **more):
        """Configured from nothing, so that no recipe profits from what another one said; objects stay."""
        build = self.folder / "objects"
        shutil.rmtree(build / "CMakeFiles", ignore_errors=True) if not build.exists() else None
        (build / "CMakeCache.txt").unlink(missing_ok=True)
        said = runner.need("cmake", "-S", self.tree, "-B", build, "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={prefix}", *QUICK, *arguments,
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


def spack(place):
    recipe, words = spackstub.load(place.recipes / "spack/package.py")
    (version,), facts = words.of("version")[0]
    if (version, facts["sha256"]) != (place.version, runner.need("sha256sum", place.archive).split()[0]):
        sys.exit(f"spack: version {version}, {facts}")
    variants = {args[0]: more["default"] for args, more in words.of("variant")}
    done = []
    for changed in ({}, {"shared": False, "programs": False, "pnetcdf": False, "fortran": False}):
        package = recipe()
        mpi = spackstub.types.SimpleNamespace(mpicc=str(place.bin / "mpicc"), prefix=spackstub.Prefix("/usr"))
        package.spec = spackstub.Spec({**variants, **changed}, mpi)
        prefix = place.folder / f"spack{len(done)}"
        package.prefix = spackstub.Prefix(prefix)
        place.build(prefix, [*package.cmake_args(), "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib"])
        if not package.libs.files:
            sys.exit(f"spack: libs finds nothing below {prefix}")
        package.test_suite = spackstub.types.SimpleNamespace(current_test_cache_dir=str(place.folder / "spack-test"))
        if not changed:
            os.environ.update(runner.MPI)
            package.test_hello()
        done.append(package.spec.variants)
    return f"{len(words.said)} directives, {len(done)} builds"


def conda(place):
    """The recipe as rattler-build reads it: ${{ }} is Jinja, a list may have `if` and `then`."""
    try:
        import jinja2
        import yaml
    except ImportError as missing:
        raise Skipped(f"no Python module {missing.name} is here")
    folder = place.recipes / "conda"
    text = yaml.safe_load((folder / "recipe.yaml").read_text())
    variants = yaml.safe_load((folder / "variants.yaml").read_text())
    if variants["zip_keys"] != [["mpi", "mpi_prefix"]] or [f"mpi_{m}" for m in variants["mpi"]] != variants["mpi_prefix"]:
        sys.exit(f"conda: {variants}")
    jinja = jinja2.Environment(variable_start_string="${{", variable_end_string="}}", undefined=jinja2.StrictUndefined)
    strings = set()
    for mpi, prefix_name in zip(variants["mpi"], variants["mpi_prefix"]):
        scope = dict(mpi=mpi, mpi_prefix=prefix_name, hash="0", win=False, build_platform="linux-64", target_platform="linux-64",
                     compiler=lambda language: f"{language}_linux-64", stdlib=lambda language: "sysroot_linux-64",
                     pin_subpackage=lambda name, upper_bound: f"{name} {upper_bound}")
        scope.update(text["context"])

        def fill(node):
            if isinstance(node, dict):
                if "if" in node:
                    return fill(node["then"]) if jinja.compile_expression(node["if"])(**scope) else None
                return {k: fill(v) for k, v in node.items()}
            if isinstance(node, list):
                return [filled for each in node for filled in [fill(each)] if filled is not None]
            return jinja.from_string(node).render(**scope) if isinstance(node, str) and "${{" in node else node
        recipe = fill({k: v for k, v in text.items() if k != "context"})
        if mpi not in recipe["requirements"]["host"] or not recipe["build"]["string"].startswith(prefix_name + "_h"):
            sys.exit(f"conda, {mpi}: {recipe['build']}, {recipe['requirements']['host']}")
        strings.add(recipe["build"]["string"])
        if mpi == place.mpi:
            run_conda(place, folder, recipe)
    return f"build strings {sorted(strings)}"


def run_conda(place, folder, recipe):
    prefix = place.folder / "conda"
    script = (folder / recipe["build"]["script"]).read_text()
    arguments = re.search(r"^cmake (-S(?:.|\\\n)*?[^\\])$", script, re.M)[1].replace("\\\n", " ")
    known = dict(PREFIX=str(prefix), CMAKE_ARGS="", CPU_COUNT="2")
    arguments = re.sub(r"\$\{(\w+):-([^}]*)\}", lambda m: str(place.bin / "mpicc") if m[1] == "MPICC" else known.get(m[1], m[2]), arguments)
    arguments = re.sub(r"\$(\w+)", lambda m: known[m[1]], arguments)
    words = shlex.split(arguments)
    place.build(prefix, [w for w in words if w.startswith("-D")])
    tests = recipe["tests"]
    contents = {f"{kind}/{'lib%s.so' % name if kind == 'lib' else name}" for kind, names in tests[0]["package_contents"].items() for name in names}
    missing = [c for c in contents if not (prefix / c).exists()]
    if missing:
        sys.exit(f"conda: the package has no {missing}")
    work = place.folder / "conda-test"
    for name in tests[1]["files"]["source"]:
        (work / name).parent.mkdir(parents=True)
        shutil.copy(place.tree / name, work / name)
    for line in tests[1]["script"]:
        runner.need("bash", "-e", "-c", line, cwd=work, env=place.env(prefix, PREFIX=str(prefix)))


def easybuild(place):
    file, = (place.recipes / "easybuild").glob("*.eb")
    # The constants of EasyBuild, and the parameters of its easyblock CMakeMake that are used.
    scope = {"SHLIB_EXT": "so", "SOURCE_TAR_GZ": "%(name)s-%(version)s.tar.gz"}
    constants = set(scope)
    exec(compile(file.read_text(), file, "exec"), scope)
    known = set("easyblock name version homepage description toolchain toolchainopts source_urls sources checksums builddependencies "
                "dependencies configopts sanity_check_paths sanity_check_commands modextravars moduleclass".split())
    given = {k for k in scope if not k.startswith("__")} - constants
    if given != known:
        sys.exit(f"easybuild: unknown {given - known}, missing {known - given}")
    name = f"{scope['name']}-{scope['version']}-{scope['toolchain']['name']}-{scope['toolchain']['version']}.eb"
    source = scope["sources"][0] % dict(name=scope["name"], version=scope["version"])
    if file.name != name or source != place.archive.name or scope["checksums"] != [runner.need("sha256sum", place.archive).split()[0]]:
        sys.exit(f"easybuild: {file.name}, not {name}; {source}; {scope['checksums']}")
    prefix = place.folder / "easybuild"
    options = scope["configopts"].replace("$MPICC", str(place.bin / "mpicc")).replace("$MPIF90", str(place.bin / "mpif90"))
    place.build(prefix, ["-DCMAKE_BUILD_TYPE=Release", *shlex.split(options)])
    wanted = scope["sanity_check_paths"]
    missing = [f for f in wanted["files"] if not (prefix / f).is_file()] + [d for d in wanted["dirs"] if not (prefix / d).is_dir()]
    if missing:
        sys.exit(f"easybuild: no {missing}")
    for command in scope["sanity_check_commands"]:
        runner.need("sh", "-c", command, env=place.env(prefix))
    place.client(prefix, place.env(prefix), f"-I{prefix}/include", f"-L{prefix}/lib", "-lpnetcdf")
    return f"{len(wanted['files'])} files, {len(wanted['dirs'])} folders"


def rpm(place):
    if not shutil.which("rpmbuild"):
        raise Skipped("no rpmbuild is here (Debian's package rpm)")
    top = place.folder / "rpm"
    (top / "SOURCES").mkdir(parents=True)
    shutil.copy(place.archive, top / "SOURCES")
    # What Fedora's packages of MPI libraries define.
    macros, flavours = [], [m for m in ("openmpi", "mpich") if shutil.which(f"mpicc.{m}")]
    for mpi in flavours:
        tools = top / mpi
        tools.mkdir()
        for name in ("mpicc", "mpif90"):
            (tools / name).symlink_to(shutil.which(f"{name}.{mpi}"))
        (tools / "mpiexec").write_text(f'#!/bin/sh\nexec mpiexec.{mpi} "$@"\n')  # MPICH's looks for others beside it
        (tools / "mpiexec").chmod(0o755)
        home = f"/usr/lib64/{mpi}"
        load = (f"export MPI_HOME={home} MPI_LIB={home}/lib MPI_BIN={tools} MPI_INCLUDE=/usr/include/{mpi}-x86_64 "
                f"MPI_MAN=/usr/share/man/{mpi}-x86_64")
        macros += ["--define", f"_{mpi}_load {load}", "--define", f"_{mpi}_unload unset MPI_HOME"]
    without = [f"--without={m}" for m in ("openmpi", "mpich") if m not in flavours]
    runner.need("rpmbuild", "-bb", "--nodeps", *without, *macros, "--define", f"_topdir {top}", "--define", "debug_package %{nil}",
                "--define", f"optflags {FLAGS}", "--define", "_libdir /usr/lib64", "--define", "_smp_mflags -j2", "--define", "_arch x86_64",
                "--define", "_docdir /usr/share/doc", place.recipes / "rpm/parcdf.spec", timeout=900)
    made = sorted((top / "RPMS").rglob("*.rpm"))
    names = {p.name.split(f"-{place.version}")[0] for p in made}
    wanted = {"parcdf-doc", "parcdf-common"} | {f"parcdf-{m}{p}" for m in flavours for p in ("", "-devel", "-static")}
    if names != wanted:
        sys.exit(f"rpm: {names ^ wanted}")
    root = top / "root"
    root.mkdir()
    for package in made:
        runner.need("sh", "-c", f"rpm2cpio '{package}' | cpio -idm --quiet", cwd=root)
    for mpi in flavours:
        lib = root / f"usr/lib64/{mpi}/lib"
        env = dict(PATH=f"{root}/usr/lib64/{mpi}/bin:{top}/{mpi}:{os.environ['PATH']}", LD_LIBRARY_PATH=str(lib),
                   PKG_CONFIG_PATH=str(lib / "pkgconfig"))
        for kind in ([], ["--static"]):
            place.client(root, env, *runner.need("pkg-config", "--cflags", "--libs", *kind, "parcdf", env=env).split())
    return f"{len(made)} packages, used with {' and '.join(flavours)}"


INSTRUCTIONS = {"FROM", "COPY", "WORKDIR", "RUN", "ENV", "ARG", "USER", "ENTRYPOINT", "CMD", "LABEL"}


def stages(place):
    """The container file: stages with their instructions."""
    text = (place.recipes / "container/Containerfile").read_text()
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    found = {}
    for line in filter(None, lines):
        word, rest = line.split(" ", 1)
        if word not in INSTRUCTIONS:
            sys.exit(f"container: unknown instruction {line}")
        if word == "FROM":
            name = rest.split(" AS ")[1]
            found[name] = []
        source = re.match(r"--from=(\w+)", rest)
        if source and source[1] not in found:
            sys.exit(f"container: {line}: no such stage")
        found[name].append((word, rest))
    return found


def inside(root, command, **more):
    """A command in a folder with a Debian of its own, with the kernel's file systems, in a name space that ends with it."""
    runner.need("unshare", "--mount", "sh", "-c", f'for each in proc sys dev; do mount --rbind /$each "{root}/$each"; done; '
                f'exec chroot "{root}" sh -c "$1"', "sh", command, **more)


def container(place):
    if shutil.which("podman") and runner.run("podman", "info")[0] == 0:
        for target in stages(place):
            runner.need("podman", "build", "-f", place.recipes / "container/Containerfile", "--target", target, "-t",
                        f"parcdf-{target}", place.archive.parent, timeout=3600)
        return "podman built all stages"
    if os.geteuid() or not shutil.which("mmdebstrap"):
        raise Skipped("neither podman nor (as root) mmdebstrap is here; the file was looked at")
    for name, steps in stages(place).items():
        root, folder, env = place.folder / f"stage-{name}", "/", {}
        runner.need("mmdebstrap", "--variant=minbase", "bookworm", root, timeout=1200)
        for word, rest in steps:
            if word == "COPY":
                source = re.match(r"--from=(\w+) (.*)", rest)
                here = place.folder / f"stage-{source[1]}" if source else place.archive.parent
                what, to = (source[2] if source else rest).split()
                (root / to.lstrip("/")).mkdir(parents=True, exist_ok=True)
                runner.need("cp", "-r", f"{here}/{what.lstrip('/')}{'.' if what.endswith('/') else ''}", f"{root}{to}")
            elif word == "WORKDIR":
                folder = rest
                (root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif word == "ENV":
                env.update([rest.split("=", 1)])
            elif word == "RUN":
                inside(root, f"cd {folder} && {rest}", env=env, timeout=3600)
        if name == "run":
            inside(root, "su parcdf -c 'parcdf --version'")
        if name == "develop":
            shutil.copy(CLIENT, root / "tmp")
            for mpi in ("openmpi", "mpich"):
                inside(root, f"cd /tmp && mpicc.{mpi} install_client.c -o c $(pkg-config --cflags --libs parcdf-{mpi}) && "
                       f"mpiexec.{mpi} -n 2 ./c c.nc")
    return f"the steps of {', '.join(stages(place))} ran in folders of mmdebstrap"


def lint(place):
    """What is wrong before anything is built."""
    rendered = [p for p in place.recipes.rglob("*") if p.is_file()]
    for path in rendered:
        text = path.read_text()
        if re.search(r"@[A-Z0-9]+@", text):
            sys.exit(f"{path}: a place that packaging/render does not fill")
        if path.suffix in (".py", ".eb"):
            ast.parse(text)
        if path.suffix == ".sh":
            runner.need("bash", "-n", path)
    for template in (p for p in (place.tree / "packaging").rglob("*") if p.is_file()):
        if re.search(r"(https?|ftp|git)://", template.read_text()) or place.version in template.read_text():
            sys.exit(f"{template} names a host or a version")
    stages(place)
    said = []
    if shutil.which("rpmlint"):
        runner.need("rpmlint", "-c", place.recipes / "rpm/rpmlint.toml", place.recipes / "rpm/parcdf.spec")
        said.append("rpmlint is content")
    if shutil.which("shellcheck"):
        runner.need("shellcheck", place.tree / "packaging/render", place.tree / "configure")
    if not re.search(r"^Version: +" + re.escape(place.version), (place.recipes / "rpm/parcdf.spec").read_text(), re.M):
        sys.exit("rpm: the version")
    return f"{len(rendered)} files; {', '.join(said)}"


def main(source, *wanted):
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            place = Place(Path(source).resolve(), Path(folder).resolve())
        except Skipped as reason:
            print(f"skipped: {reason}")
            return 77
        for what in wanted or ("lint", "spack", "conda", "easybuild", "rpm", "container"):
            try:
                print(f"{what}: {globals()[what](place)}", flush=True)
                ran += 1
            except Skipped as reason:
                print(f"{what}: skipped: {reason}", flush=True)
    return 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
