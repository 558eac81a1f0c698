"""Sets of files that become visible together, restarts, repair: what parcdf.h has beside the functions of files."""
from __future__ import annotations

import contextlib
import ctypes
import os
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping

from ._comm import Comm, CommLike
from ._errors import Error
from ._library import NC_ENOENT, c_text, library

REPORT_SIZE = 1 << 20
VERIFY = DRY_RUN = 1
FORCE = 2


def set_begin(set: str | os.PathLike[str], step: str = "", comm: CommLike = None, hints: Mapping[str, Any] | None = None) -> None:
    """From here to set_commit, the files that the ranks of `comm` create are of one generation of the set DIR/NAME: they
    become visible together. step: a name for it. hints: the words keep and job of pcdf_set. Collective."""
    lib, who = library(), Comm(comm)
    with lib.mpi.info_of(hints) as info:
        lib.call("parcdf_set_begin", who, c_text(set), c_text(step), info)


def set_commit(comm: CommLike = None) -> None:
    """Makes the files of the generation visible, when all of them are closed. Collective."""
    who = Comm(comm)
    library().call("parcdf_set_commit", who)


def set_abort(comm: CommLike = None) -> None:
    """Gives the generation up: its files go. Collective."""
    who = Comm(comm)
    library().call("parcdf_set_abort", who)


@contextlib.contextmanager
def checkpoint(set: str | os.PathLike[str], step: str = "", comm: CommLike = None, hints: Mapping[str, Any] | None = None) -> Iterator[None]:
    """`with parcdf.checkpoint("restarts/run", step="000120", comm=comm):` commits what is created inside, when the end is
    reached; an exception gives it up. The ends are collective: an exception of one rank alone makes the commit of the others fail."""
    who = Comm(comm)
    set_begin(set, step, who, hints)
    try:
        yield
    except BaseException:
        with contextlib.suppress(Error):
            set_abort(who)
        raise
    set_commit(who)


@dataclass(frozen=True)
class Restart:
    """The newest complete generation of a set.

    Attributes:
        generation: its number.
        step: the name that set_begin gave it.
        files: where each file lies now, by its name.
    """

    generation: int
    step: str
    files: dict[str, str]


def restart_find(set: str | os.PathLike[str], comm: CommLike = None, *, verify: bool = False) -> Restart | None:
    """The newest generation of which every file is there with its size, and, with `verify`, with its checksum; None: there
    is none. Collective."""
    lib, who = library(), Comm(comm)
    number, size = ctypes.c_longlong(), REPORT_SIZE
    report = ctypes.create_string_buffer(size)
    try:
        lib.call("parcdf_restart_find", who, c_text(set), VERIFY if verify else 0, ctypes.byref(number), report, size)
    except Error as error:
        if error.code == NC_ENOENT:
            return None
        raise
    step, files = "", {}
    for line in report.value.decode("utf-8", "surrogateescape").splitlines():
        fields = line.split("\t")
        if fields[0] == "step" and len(fields) > 1:
            step = fields[1]
        elif fields[0] == "file" and len(fields) > 2:
            files[fields[1]] = fields[2]
    return Restart(number.value, step, files)


def repair(path: str | os.PathLike[str], *, journal: str | os.PathLike[str] | None = None, dry_run: bool = False, force: bool = False) -> list[str]:
    """Finishes a change of the definitions that a crash interrupted; returns sentences on what was found and done. One
    process calls it, while nobody has the file open. See parcdf_repair in parcdf.h."""
    lib = library().start()
    report = ctypes.create_string_buffer(REPORT_SIZE)
    lib.call("parcdf_repair_with", c_text(path), None if journal is None else c_text(journal),
             (DRY_RUN if dry_run else 0) | (FORCE if force else 0), report, REPORT_SIZE)
    return report.value.decode("utf-8", "surrogateescape").splitlines()


def wait(path: str | os.PathLike[str] | None = None) -> None:
    """Waits until everything that was put with the hint pcdf_async is in the file, and files that were closed with
    pcdf_async_close are complete: of one path, or all. Collective over the ranks of these files."""
    library().start().call("parcdf_wait", None if path is None else c_text(path))


_Progress = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_longlong, ctypes.c_longlong, ctypes.c_void_p)
_progress: Any = None


def set_progress(function: Callable[[str, int, int], None] | None) -> None:
    """Rank 0 calls `function(path, done, total)` from time to time while a change of definitions, or a recovery, moves
    data. It must not call this package. None: no function. Local."""
    global _progress
    if function is None:
        library().run("parcdf_set_progress", None, None)
        _progress = None
        return

    def told(path: bytes, done: int, total: int, _: Any) -> None:
        assert function is not None
        function(os.fsdecode(path), done, total)

    kept = _Progress(told)
    library().run("parcdf_set_progress", ctypes.cast(kept, ctypes.c_void_p), None)
    _progress = kept  # the former one may go now
