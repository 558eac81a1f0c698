"""Communicators, from mpi4py or without it."""
from __future__ import annotations

import sys
from typing import Any, Union

from ._errors import Error
from ._library import library


class Comm:
    """A communicator. Wherever an argument is called `comm`, it may be:

    None or "self"     this process alone (MPI_COMM_SELF)
    "world"            all processes of the job (MPI_COMM_WORLD); mpi4py is not needed
    an mpi4py.MPI.Comm any communicator
    a Comm             that communicator
    an int             the handle as the C interface of the MPI library has it
    """

    handle: int
    rank: int
    size: int

    def __init__(self, comm: Any = None) -> None:
        mpi = library().start().mpi
        if isinstance(comm, Comm):
            self.handle = comm.handle
        elif comm is None or (isinstance(comm, str) and comm in ("self", "world")):
            self.handle = mpi.handle(comm or "self")
        elif isinstance(comm, int) and not isinstance(comm, bool):
            self.handle = comm
        else:
            self.handle = _handle_of(comm)
        self._mpi = mpi
        self.rank, self.size = mpi.comm_numbers(self.handle)

    def __repr__(self) -> str:
        return f"<parcdf.Comm rank {self.rank} of {self.size}>"

    def barrier(self) -> None:
        """Waits for all ranks. Collective."""
        self._mpi.barrier(self.handle)

    def allgather(self, *numbers: int) -> list[list[int]]:
        """The numbers of each rank, of which each gives equally many. Collective."""
        return self._mpi.allgather(self.handle, self.size, list(numbers))

    @property
    def _as_parameter_(self) -> Any:
        return self._mpi.as_handle(self.handle)


CommLike = Union[None, str, int, Comm, Any]


def _handle_of(comm: Any) -> int:
    MPI: Any = sys.modules.get("mpi4py.MPI")
    if MPI is None or not isinstance(comm, MPI.Comm):
        raise Error(f"{comm!r} is no communicator: give None, 'self', 'world', or a communicator of mpi4py")
    if comm == MPI.COMM_NULL:
        raise Error("the communicator is MPI_COMM_NULL")
    return int(MPI._handleof(comm) if hasattr(MPI, "_handleof") else comm.handle)
