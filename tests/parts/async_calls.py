#!/usr/bin/env python3
"""Fixes that no function of MPI is called by another thread than the one that calls the library, while the thread of hint
pcdf_async writes. Each function of MPI that a program, or a library that it loads, uses is interposed by one of the same type,
written from mpi.h, which stops the program if the thread is not the first one. What other threads wrote is counted, too, so that
it is known that there was one.

    async_calls.py MPICC MPIEXEC RANKS BREACH PROGRAM...

PROGRAM: a test with its arguments, as a shell would take them. BREACH: one whose own threads call MPI, which must be found."""
import os
import re
import shlex
import subprocess
import sys
import tempfile

HEAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static _Atomic long calls, writes;
static int is_other(void) { return (int)syscall(SYS_gettid) != (int)getpid(); }
static void seen(const char *name)
{
    calls++;
    if (!is_other()) return;
    char text[100];
    int n = snprintf(text, sizeof text, "%s is called by another thread\\n", name);
    (void)!write(2, text, (size_t)n);
    _exit(86);
}
/* Those of the library: pwrite and pwritev, and their names for 64 bits. */
#define WRITES(name, data, type) \\
    ssize_t name(int fd, const data *p, type n, off_t at) \\
    { \\
        static ssize_t (*next)(int, const data *, type, off_t); \\
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name); \\
        writes += is_other(); \\
        return next(fd, p, n, at); \\
    }
WRITES(pwrite, void, size_t)
WRITES(pwrite64, void, size_t)
WRITES(pwritev, struct iovec, int)
WRITES(pwritev64, struct iovec, int)
__attribute__((destructor)) static void tell(void)
{
    if (calls)
        fprintf(stderr, "seen %ld calls, %ld writes by other threads\\n", calls, writes);
}
"""


def run(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def prototypes(mpicc, folder):
    """{name: (type, parameters)} of all functions PMPI_ of mpi.h."""
    path = os.path.join(folder, "all.c")
    with open(path, "w") as f:
        f.write("#include <mpi.h>\n")
    text = re.sub(r"^#.*$", "", run([mpicc, "-E", path]).stdout, flags=re.M)
    while re.search(r"__attribute__\s*\(\(", text):  # balanced parentheses
        at = re.search(r"__attribute__\s*(?=\(\()", text)
        end, depth = at.end(), 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if not depth:
                break
        text = text[:at.start()] + text[end:]
    found = re.findall(r"([\w ]+?[ *]+)P(MPI_\w+)\s*\(([^;]*)\)\s*;", re.sub(r"\s+", " ", text))
    return {name: (kind.replace("extern", "").strip(), args) for kind, name, args in found}


def named(parameter, i):
    """With a name, where the prototype has none (MPICH's MPI_File_*)."""
    words = re.findall(r"\w+", re.sub(r"\bconst\b", "", parameter))
    return f"{parameter} a{i}" if parameter.endswith("*") or len(words) == 1 else parameter


def wrapper(name, kind, args):
    parts = [] if args.strip() == "void" else [named(a.strip(), i) for i, a in enumerate(re.split(r",(?![^(]*\))", args))]
    names = [re.search(r"(\w+)\s*(\[[^]]*\]\s*)*$", a).group(1) for a in parts]
    return f"{kind} {name}({', '.join(parts) or 'void'}) {{ seen(\"{name}\"); return P{name}({', '.join(names)}); }}\n"


def used(program):
    return set(re.findall(r" U (MPI_\w+)", run(["nm", "-D", "--undefined-only", program]).stdout))


def main():
    mpicc, mpiexec, ranks, *programs = sys.argv[1:]
    breach = programs[0]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        known = prototypes(mpicc, folder)
        names = sorted(set().union(*(used(shlex.split(p)[0]) for p in programs)))
        if len(names) < 40 or not known.keys() >= set(names):
            print(f"{len(names)} functions of MPI, of which mpi.h lacks {set(names) - known.keys()}")
            return 1
        library = os.path.join(os.path.abspath(folder), "libseen.so")
        with open(os.path.join(folder, "seen.c"), "w") as f:
            f.write(HEAD + "".join(wrapper(n, *known[n]) for n in names))
        made = run([mpicc, "-shared", "-fPIC", "-w", "-o", library, f.name, "-ldl"])
        if made.returncode:
            print(made.stdout)
            return 1
        bad = 0
        for program in programs:
            for engine in ("posix", "mpiio"):
                hints = f"pcdf_async=4M;pcdf_engine={engine}"
                command = [mpiexec, "-n", ranks, "env", "LD_PRELOAD=./libseen.so", f"PNETCDF_HINTS={hints}", *shlex.split(program)]
                done = run(command, cwd=folder)
                seen = [(int(c), int(w)) for c, w in re.findall(r"seen (\d+) calls, (\d+) writes", done.stdout)]
                good = done.returncode == 0 and len(seen) == int(ranks) and all(c > 100 for c, w in seen) and any(w for c, w in seen)
                if program == breach:
                    good = done.returncode != 0 and "is called by another thread" in done.stdout
                bad += not good
                what = os.path.basename(shlex.split(program)[0])
                print(f"{what}, {hints}: " + "; ".join(f"{c} calls of MPI, {w} writes by other threads" for c, w in seen))
                if not good:
                    print(f"FAILED, exit {done.returncode}:\n{done.stdout[-3000:]}")
        print(f"{len(names)} functions of MPI are watched")
        return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
