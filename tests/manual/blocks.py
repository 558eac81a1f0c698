#!/usr/bin/env python3
"""Every fenced code block of doc/*.md is compiled or run, against an installation of the build.

    blocks.py BUILD C_COMPILER LAUNCHER [PAGE...]

What is done is told by the words behind the language:
  c                        a whole program: compiled, run on 2 ranks, must end with 0
  c define|data|indep|path a fragment inside the surroundings of prelude.h; all of a page are one program, run on 2 ranks
  c declarations           prototypes and constants: must agree with the headers
  c from=FILE              the lines stand in that file of the tree, which its own test runs
  LANGUAGE file=NAME       saved under that name for the page's sh blocks, one of which must name it
  sh [needs=PATTERN...]    run with bash -eu in the page's folder; left out where the installation has nothing of that name
  sh python=MODULE...      left out where the modules are not installed, or not for the MPI library of the build
  sh same=VAR[,VAR]        each line makes out.nc in its own way, those whose program is there: these variables have the same values
  sh cluster               needs machinery that is not here (Slurm, Lustre, root): the syntax is checked
  text output              what the sh block before printed; "..." in it stands for anything
  text                     not code
Where the launcher is MPICH's, `mpiexec -n` above 2 in an sh block becomes 2: its ranks spin."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FRAGMENTS = ("define", "data", "indep", "path")
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wno-unused", "-Wno-unused-but-set-variable", "-Werror", "-g"]


class Block:
    def __init__(self, page, line, info, text):
        self.page, self.line, self.text = page, line, text
        self.language, *self.words = info.split() or [""]
        self.place = f"doc/{page.name}:{line}"

    def value(self, key):
        return [w.split("=", 1)[1] for w in self.words if w.startswith(key + "=")]


def blocks_of(page):
    found, fence, start, info, lines = [], None, 0, "", []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        mark = re.match(r"^(`{3,})(.*)$", line)
        if fence is None and mark:
            fence, start, info, lines = mark[1], number, mark[2].strip(), []
        elif fence is not None and line.strip() == fence:
            found.append(Block(page, start, info, "\n".join(lines) + "\n"))
            fence = None
        elif fence is not None:
            lines.append(line)
    if fence is not None:
        sys.exit(f"doc/{page.name}:{start}: the block does not end")
    return found


class Tester:
    def __init__(self, build, compiler, launcher, folder):
        self.compiler, self.launcher, self.folder = compiler, launcher, folder
        self.failures, self.counts = [], {}
        self.prefix = folder / "prefix"
        self.run(["cmake", "--install", build, "--prefix", self.prefix], folder, dict(os.environ))
        if not list(self.prefix.rglob("libpnetcdf.so")):
            self.drop_in(folder / "dropin")
        library = next(self.prefix.rglob("libparcdf.so")).parent
        self.env = dict(os.environ, PREFIX=str(self.prefix), CMAKE_PREFIX_PATH=str(self.prefix), CC="cc",
                        PATH=f"{self.shims()}:{self.prefix}/bin:/usr/bin:/bin",
                        PKG_CONFIG_PATH=str(library / "pkgconfig"), LD_LIBRARY_PATH=str(library), HOME=str(folder),
                        PYTHONPATH=f"{ROOT}/bindings/python:{build}/python", PYTHONDONTWRITEBYTECODE="1")
        self.flags = subprocess.run(["pkg-config", "--cflags", "--libs", "parcdf"], env=self.env, check=True,
                                    capture_output=True, text=True).stdout.split()

    def drop_in(self, build):
        """What -DPARCDF_DROP_IN=ON adds, where the build that is tested has it not."""
        options = ["-DPARCDF_DROP_IN=ON", "-DBUILD_TESTING=OFF", "-DCMAKE_BUILD_TYPE=Debug"]
        env = dict(os.environ)
        self.run(["cmake", "-S", ROOT, "-B", build, f"-DMPI_C_COMPILER={self.compiler}", *options], ROOT, env)
        self.run(["cmake", "--build", build, "-j", "2"], ROOT, env)
        self.run(["cmake", "--install", build, "--prefix", self.prefix, "--component", "dropin"], ROOT, env)

    def shims(self):
        """mpicc, mpif90 and mpiexec as a user has them: those of the build's MPI."""
        bin = self.folder / "bin"
        bin.mkdir()
        flavour = Path(self.compiler).name.partition(".")[2]
        for name in ("mpicc", "mpif90", "mpifort", "mpicxx"):
            target = Path(self.compiler).with_name(f"{name}.{flavour}" if flavour else name)
            if target.exists():
                (bin / name).symlink_to(target)
        few = 'if [ "$1" = -n ] && [ "$2" -gt 2 ]; then shift 2; set -- -n 2 "$@"; fi\n' if "mpich" in self.launcher else ""
        (bin / "mpiexec").write_text(f'#!/bin/sh\n{few}exec {self.launcher} "$@"\n')
        (bin / "mpiexec").chmod(0o755)
        return bin

    def run(self, words, folder, env):
        done = subprocess.run([str(w) for w in words], cwd=folder, env=env, capture_output=True, text=True, timeout=200,
                              stdin=subprocess.DEVNULL)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))[:300]}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def count(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1

    # ---- C

    def program(self, folder, name, text):
        (folder / f"{name}.c").write_text(text)
        self.run([self.compiler, *FLAGS, "-I", HERE, f"{name}.c", "-o", name, *self.flags], folder, self.env)
        self.run([self.launcher, "-n", "2", f"./{name}"], folder, self.env)

    def fragments(self, folder, blocks):
        text, calls = '#include "prelude.h"\n', ""
        for b in [b for b in blocks if b.words[0] == "declarations"]:
            text += f'#line {b.line + 1} "{b.place.split(":")[0]}"\n{b.text}\n'
        for b in [b for b in blocks if b.words[0] in FRAGMENTS]:
            text += f'static void block_{b.line}(void)\n{{\n#line {b.line + 1} "{b.place.split(":")[0]}"\n{b.text}\n}}\n'
            calls += f"    {b.words[0]}_begin();\n    block_{b.line}();\n    block_end();\n"
        unused = "".join(f"    (void){n}_begin;\n" for n in FRAGMENTS)
        text += ("int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n"
                 "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n"
                 f"{unused}{calls}    return MPI_Finalize();\n}}\n")
        self.program(folder, "fragments", text)

    def excerpt(self, block):
        def plain(text):
            return " ".join(text.split())
        whole = plain((ROOT / block.value("from")[0]).read_text())
        for part in block.text.split("/* ... */"):
            if plain(part) not in whole:
                raise RuntimeError(f"does not stand in {block.value('from')[0]}:\n{part}")

    # ---- sh

    def shell(self, block, folder):
        if "cluster" in block.words:
            self.count("sh, syntax only")
            self.run(["bash", "-n", "-c", block.text], folder, self.env)
            return None
        for pattern in block.value("needs"):
            if not list(self.prefix.glob(pattern)):
                self.count(f"sh left out, no {pattern}")
                return None
        modules = block.value("python")
        if modules and not self.can_import(modules):
            self.count(f"sh left out, no {' '.join(modules)}")
            return None
        self.count("sh")
        return self.run(["bash", "-euc", block.text], folder, self.env)

    def can_import(self, modules):
        """A module that is missing is a reason to leave a block out; so is an mpi4py of another MPI library."""
        text = f"import {', '.join('mpi4py.MPI' if m == 'mpi4py' else m for m in modules)}, parcdf\nparcdf.Comm()\n"
        return subprocess.run(["python3", "-c", text], env=self.env, capture_output=True).returncode == 0

    def values(self, folder, names):
        """Of variables of out.nc: their numbers, None where there is none."""
        text = self.run(["parcdf", "dump", "-p", "9,17", "-v", names, "out.nc"], folder, self.env)
        found = {}
        for name in names.split(","):
            data = re.search(rf"^ {name} =\s(.*?) ;$", text[text.index("\ndata:"):], re.DOTALL | re.MULTILINE)
            if not data:
                raise RuntimeError(f"out.nc has no values of {name}:\n{text[:2000]}")
            found[name] = [None if word.strip() in ("_", "NaNf", "NaN") else float(word) for word in data[1].split(",")]
        return found

    def ways(self, block, folder):
        """Lines that are to give the same: all are compared with the last one."""
        made = []
        for line in block.text.replace("\\\n", " ").splitlines():
            program = line.split("#")[0].split()[:1]
            if not program:
                continue
            if not shutil.which(program[0], path=self.env["PATH"]):
                self.count(f"lines left out, no {program[0]}")
                continue
            (folder / "out.nc").unlink(missing_ok=True)
            self.run(["bash", "-euc", line], folder, self.env)
            made.append((line, self.values(folder, block.value("same")[0])))
            self.count(f"lines of {program[0]}")
        for line, values in made[:-1]:
            for name, mine in made[-1][1].items():
                theirs = values[name]
                if len(theirs) != len(mine) or any((a is None) != (b is None) or (a is not None and abs(a - b) > 1e-6 * max(1, abs(b)))
                                                   for a, b in zip(theirs, mine)):
                    raise RuntimeError(f"{line}\ngives {name} = {theirs}, but\n{made[-1][0]}\ngives {mine}")

    @staticmethod
    def compare(expected, printed):
        parts = [re.escape(p) for p in expected.strip().split("...")]
        if not re.fullmatch(".*".join(parts), printed.strip(), re.DOTALL):
            raise RuntimeError(f"the manual says\n{expected}\nbut printed is\n{printed}")

    # ----

    def one(self, block, folder, page_blocks, state):
        language, words = block.language, block.words
        if block.value("file"):
            name = block.value("file")[0]
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(block.text)
            stem = Path(name).name
            if not any(b.language == "sh" and (stem in b.text or str(Path(name).parent) in b.text) for b in page_blocks):
                raise RuntimeError(f"no sh block uses {name}")
            self.count(language + ", saved")
        elif block.value("from"):
            self.excerpt(block)
            self.count("excerpts")
        elif language == "c" and not words:
            self.program(folder, f"program_{block.line}", block.text)
            self.count("c programs")
        elif language == "c" and (words[0] in FRAGMENTS or words[0] == "declarations"):
            self.count("c " + words[0])
        elif language == "sh" and block.value("same"):
            if all(list(self.prefix.glob(pattern)) for pattern in block.value("needs")):
                self.ways(block, folder)
        elif language == "sh":
            state["printed"] = self.shell(block, folder)
        elif language == "text" and words == ["output"]:
            if state.get("printed") is not None:
                self.compare(block.text, state["printed"])
            self.count("outputs")
        elif not (language == "text" and not words):
            raise RuntimeError(f"what is to be done with a block ```{language} {' '.join(words)}?")

    def page(self, page):
        folder, state, blocks = self.folder / page.stem, {}, blocks_of(page)
        folder.mkdir()
        for block in blocks:
            try:
                self.one(block, folder, blocks, state)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                self.failures.append(f"{block.place}: {error}")
        pieces = [b for b in blocks if b.language == "c" and b.words and b.words[0] in (*FRAGMENTS, "declarations")]
        if pieces:
            try:
                self.fragments(folder, pieces)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                self.failures.append(f"doc/{page.name}: {error}")


def main(build, compiler, launcher, *pages):
    with tempfile.TemporaryDirectory(prefix="manual") as folder:
        tester = Tester(build, compiler, launcher, Path(folder))
        for page in sorted((ROOT / "doc").glob("*.md")):
            if not pages or page.stem in pages:
                tester.page(page)
    print("\n".join(f"{n:4} {kind}" for kind, n in sorted(tester.counts.items())))
    print("\n".join(tester.failures))
    return 1 if tester.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
