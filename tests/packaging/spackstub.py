"""What a Spack recipe needs of Spack: its directives note what they are told, a spec answers for one choice of variants, and the
helpers of a build do what Spack's do. With it a recipe is executed without Spack; a directive or helper that Spack does not have
is an error here, too (a name that nobody defined)."""
import contextlib
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path


class Words:
    """Directives: version("1.0", sha256=...), variant(...), ..., noted in the order of the recipe."""
    KNOWN = {"version": {"sha256", "url", "preferred"}, "variant": {"default", "description", "values", "multi", "when"},
             "depends_on": {"type", "when"}, "conflicts": {"when", "msg"}, "requires": {"when", "msg"}, "license": {"when"}, "maintainers": set(), "provides": {"when"}}

    def __init__(self):
        self.said, self.conditions = [], []

    def directive(self, name):
        def note(*args, **more):
            strange = set(more) - self.KNOWN[name]
            if strange or not (args and all(isinstance(a, str) for a in args)):
                sys.exit(f"spack: {name}{args} with {strange}")
            self.said.append((name, args, dict(more, when=" ".join([more.get("when", ""), *self.conditions]).strip())))
        return note

    @contextlib.contextmanager
    def when(self, condition):
        self.conditions.append(condition)
        yield
        self.conditions.pop()

    def of(self, name):
        return [(args, more) for said, args, more in self.said if said == name]


class Prefix(str):
    """A folder whose parts are attributes: prefix.bin.parcdf."""
    def __getattr__(self, part):
        if part.startswith("__"):
            raise AttributeError(part)
        return Prefix(os.path.join(self, part))


class Spec:
    def __init__(self, variants, mpi):
        self.variants, self.mpi = variants, mpi

    def satisfies(self, condition):
        sign, name = condition[0], condition[1:]
        if sign not in "+~" or name not in self.variants:
            sys.exit(f"spack: the recipe asks for {condition!r}, and has no such variant")
        return self.variants[name] == (sign == "+")

    def __getitem__(self, name):
        if name != "mpi":
            sys.exit(f"spack: the recipe asks for the dependency {name}")
        return self.mpi


class CMakePackage:
    @staticmethod
    def define(name, value):
        value = ";".join(value) if isinstance(value, list) else value
        return f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec.satisfies(f"+{variant}"))


def find(root, name, recursive=True):
    return sorted(str(p) for p in (Path(root).rglob if recursive else Path(root).glob)(name))


def find_libraries(name, root, shared, recursive):
    found = [p for p in find(root, name + (".so" if shared else ".a"))]
    return types.SimpleNamespace(files=found, directories=sorted({os.path.dirname(p) for p in found}))


def which(name, required=False):
    path = shutil.which(name)
    if not path:
        sys.exit(f"spack: {name} is not there")

    def command(*words):
        done = subprocess.run([path, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"spack: {name} {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return command


@contextlib.contextmanager
def working_dir(folder, create=False):
    before = os.getcwd()
    if create:
        os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    yield
    os.chdir(before)


def load(path):
    """The class of a recipe, and what its directives said."""
    words = Words()
    api = types.ModuleType("spack.package")
    for name in Words.KNOWN:
        setattr(api, name, words.directive(name))
    for thing in (find, find_libraries, which, working_dir):
        setattr(api, thing.__name__, thing)
    api.when = words.when
    systems = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    systems.CMakePackage = CMakePackage
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules.update({"spack.package": api, systems.__name__: systems})
    scope = {"__name__": "recipe"}
    exec(compile(Path(path).read_text(), path, "exec"), scope)
    return scope["Parcdf"], words
