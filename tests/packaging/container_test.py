#!/usr/bin/env python3
"""The images of the container file are built by buildah and used: in `run` the program works for an ordinary user, in `develop` a
program is compiled with each MPI library and run. No registry is asked: the Debian that they begin with is made by mmdebstrap.

    container_test.py SOURCE_FOLDER [DEBS STAGE...]

DEBS: a folder of Debian packages that stands for what the stage `build` makes, which is not run then; STAGE: run, develop; both.
Skipped where buildah or mmdebstrap is not installed, for users other than root or without mounts, and where Debian's archive does not
answer."""
import os
import re
import shutil
import sys
from pathlib import Path

from staged import CLIENT, Skipped, report, runner

USE = {"run": ["printf 'netcdf a { dimensions: x = 3; variables: int v(x); data: v = 1, 2, 3; }' | parcdf gen -o a.nc && "
               "parcdf check a.nc && parcdf dump a.nc"],
       "develop": [f"mpicc.{mpi} /tmp/client.c -o /tmp/{mpi} $(pkg-config --cflags --libs parcdf-{mpi}) && "
                   f"OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpiexec.{mpi} -n 2 /tmp/{mpi} /tmp/{mpi}.nc"
                   for mpi in ("openmpi", "mpich")]}


class Images:
    """Buildah with a store of its own, which needs neither a service nor name spaces."""

    def __init__(self, folder):
        self.folder = folder
        self.env = dict(BUILDAH_ISOLATION="chroot", TMPDIR=str(folder))

    def need(self, *words, **more):
        return runner.need("buildah", "--root", self.folder / "store", "--runroot", self.folder / "state", *words, env=self.env,
                           timeout=3600, **more)

    def base(self):
        """The image debian:12."""
        tar = self.folder / "debian.tar"
        status, said = runner.run("mmdebstrap", "--variant=minbase", '--aptopt=Acquire::Retries "3"', "bookworm", tar, timeout=1200)
        if status:
            answers = runner.run("apt-get", "-qq", "update", "-o", "APT::Update::Error-Mode=any")[0] == 0
            sys.exit(said) if answers else None
            raise Skipped("Debian's archive does not answer")
        made = self.need("from", "scratch")
        self.need("add", "-q", made, tar, "/")
        self.need("commit", "-q", made, "debian:12")
        self.need("tag", "debian:12", "debian:12-slim")
        tar.unlink()


def images(place, debs=None, *stages):
    for program in ("buildah", "mmdebstrap"):
        if not shutil.which(program):
            raise Skipped(f"{program} is not here")
    if os.geteuid() or runner.run("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt")[0]:
        raise Skipped("only root may build images here, where it may mount")
    file = place.recipes / "container/Containerfile"
    made = Images(place.folder)
    made.base()
    context = []
    if debs:
        shutil.copytree(debs, place.folder / "context/debs")
        context = ["--build-context", f"build={place.folder}/context"]
    for stage in stages or USE:
        made.need("build", "--layers", "--pull-never", *context, "-f", file, "--target", stage, "-t", f"parcdf-{stage}", place.archive.parent)
        container = made.need("from", "--pull-never", f"parcdf-{stage}").splitlines()[-1]
        made.need("copy", "-q", container, CLIENT, "/tmp/client.c")
        for command in USE[stage]:
            said = made.need("run", container, "--", "sh", "-ec", command)
            if not re.search("client: good|v = 1, 2, 3", said):
                sys.exit(f"{stage}: {command}: {said}")
    return f"{', '.join(stages or USE)}, from {'packages made before' if debs else 'the archive'}"


def container(place):
    debs = [Path(sys.argv[2]).resolve()] if sys.argv[2:] else []
    return images(place, *debs, *sys.argv[3:])


if __name__ == "__main__":
    sys.exit(report(sys.argv[1], [container]))
