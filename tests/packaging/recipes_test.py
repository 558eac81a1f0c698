#!/usr/bin/env python3
"""The recipes of packaging/ build from the source archive that scripts/dist makes, and serve users. Each recipe is filled
(packaging/render), looked at, and executed: what Spack, conda and EasyBuild would tell CMake, and what their test sections do, run
here without these programs.

    recipes_test.py SOURCE_FOLDER WHAT...       lint, spack, conda, easybuild

A thing that cannot run here says `skipped` with the reason; if nothing ran, the exit status is 77."""
import ast
import os
import re
import shlex
import shutil
import sys

import spackstub
from staged import Skipped, report, runner


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
    folders = [place.tree / "packaging" / p.name for p in place.recipes.iterdir()]
    for template in [place.tree / "packaging/render", *(p for f in folders for p in f.rglob("*") if p.is_file())]:
        if re.search(r"(https?|ftp|git)://", template.read_text()) or place.version in template.read_text():
            sys.exit(f"{template} names a host or a version")
    said = []
    if shutil.which("rpmlint"):
        runner.need("rpmlint", "-c", place.recipes / "rpm/rpmlint.toml", place.recipes / "rpm/parcdf.spec")
        said.append("rpmlint is content")
    if shutil.which("shellcheck"):
        runner.need("shellcheck", place.tree / "packaging/render", place.tree / "configure")
    if not re.search(r"^Version: +" + re.escape(place.version), (place.recipes / "rpm/parcdf.spec").read_text(), re.M):
        sys.exit("rpm: the version")
    return f"{len(rendered)} files; {', '.join(said)}"


if __name__ == "__main__":
    parts = dict(lint=lint, spack=spack, conda=conda, easybuild=easybuild)
    sys.exit(report(sys.argv[1], [parts[what] for what in sys.argv[2:] or parts]))
