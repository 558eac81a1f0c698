"""An open file as the library knows it, and the list of all of them, which the end of the interpreter closes."""
from __future__ import annotations

import ctypes
import warnings
from typing import Any

from ._comm import Comm
from ._errors import Error
from ._library import NC_EBADID, Library, before_exit, library
from ._mpi import FORKED

_open: dict[int, "Handle"] = {}


class Handle:
    """A number of the library, until it is closed. It outlives its File only if it has several ranks."""

    def __init__(self, lib: Library, ncid: int, path: str, comm: Comm, mode: str) -> None:
        self.lib, self.path, self.comm, self.mode = lib, path, comm, mode
        self.lock = lib.lock()
        self.is_defining = self.is_independent = False
        self._ncid: int | None = ncid
        _open[ncid] = self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"what belongs to an open file cannot be copied or pickled; open {self.path!r} again")

    @property
    def is_closed(self) -> bool:
        return self._ncid is None

    @property
    def id(self) -> int:
        if self._ncid is None:
            raise Error(f"{self.path} is closed", NC_EBADID, "NC_EBADID")
        if self.lib.mpi.was_forked:
            raise Error(f"{self.path}: {FORKED}")
        if self.lib.mpi.is_over():
            raise Error(f"{self.path}: MPI was finalized while the file was open; close files before")
        return self._ncid

    def call(self, name: str, *args: Any) -> None:
        """A function whose first argument is the file."""
        with self.lock:
            self.lib.call(name, self.id, *args)

    def number(self, name: str, *args: Any, kind: Any = ctypes.c_int) -> int:
        """What a function returns in its last argument."""
        value = kind()
        self.call(name, *args, ctypes.byref(value))
        return int(value.value)

    def end(self, name: str) -> None:
        """close or abort: the number is free afterwards, also if there is an error."""
        with self.lock:
            ncid = self.id
            self._ncid = None
            _open.pop(ncid, None)
            self.lib.call(name, ncid)

    def forgotten(self) -> None:
        """Nobody has the file any more, and it was not closed. The ranks are not at the same place now, so a file of several
        ranks waits for the end of the interpreter."""
        if self._ncid is None or self.lib.mpi.was_forked:
            return
        told = f"{self.path} was not closed"
        if self.comm.size == 1 and not self.lib.mpi.is_over():
            try:
                self.end("ncmpi_close")
            except Error as error:
                told = f"{told}: {error}"
        warnings.warn(told, ResourceWarning, stacklevel=3)  # last, as it may raise


def _close_all() -> None:
    """In the order in which they were opened, which is the same on all ranks."""
    if not library().mpi.is_running():
        return
    for handle in list(_open.values()):
        try:
            handle.end("ncmpi_close")
        except Error as error:
            warnings.warn(f"closing {handle.path} at the end: {error}", ResourceWarning, stacklevel=1)


before_exit(_close_all)
