"""Communicators, from mpi4py or without it."""
from __future__ import annotations

import sys
from typing import Any, Union

from ._errors import Error
from ._library import library
from ._mpi import Mpi


class Comm:
    """A communicator. Wherever an argument is called `comm`, it may be:

    None or "self"     this process alone (MPI_COMM_SELF)
    "world"            all processes of the job (MPI_COMM_WORLD); mpi4py is not needed
    an mpi4py.MPI.Comm any communicator
    a Comm             that communicator

    A handle of the C interface of the MPI library goes through Comm.of_handle.
    """

    handle: int
    rank: int
    size: int

    def __init__(self, comm: Any = None) -> None:
        mpi = library().start().mpi
        self._source = comm
        if isinstance(comm, Comm):
            self.handle, self._source = comm.handle, comm._source
        elif comm is None or (isinstance(comm, str) and comm in ("self", "world")):
            self.handle = mpi.handle(comm or "self")
        else:
            self.handle = _handle_of(comm)
        self._take(mpi)

    @classmethod
    def of_handle(cls, handle: int) -> Comm:
        """The communicator of a handle, as the C interface of the MPI library has it: a number of MPICH, an address of Open
        MPI. TypeError if it can be none; another number that is none ends the program."""
        mpi = library().start().mpi
        if isinstance(handle, bool) or not isinstance(handle, int) or not mpi.may_be_comm(handle):
            raise TypeError(f"{handle!r} is no handle of a communicator in {mpi.path}")
        made = cls.__new__(cls)
        made.handle, made._source = handle, None
        made._take(mpi)
        return made

    def _take(self, mpi: Mpi) -> None:
        self._mpi = mpi
        self.rank, self.size = mpi.comm_numbers(self._valid())

    def _valid(self) -> int:
        """The handle. Raises Error if mpi4py has freed the communicator: the MPI library would end the program."""
        MPI: Any = sys.modules.get("mpi4py.MPI")
        if MPI is not None and isinstance(self._source, MPI.Comm) and self._source == MPI.COMM_NULL:
            raise Error("the communicator was freed")
        return self.handle

    def __repr__(self) -> str:
        return f"<parcdf.Comm rank {self.rank} of {self.size}>"

    def barrier(self) -> None:
        """Waits for all ranks. Collective."""
        self._mpi.barrier(self._valid())

    def allgather(self, *numbers: int) -> list[list[int]]:
        """The numbers of each rank, of which each gives equally many. Collective."""
        return self._mpi.allgather(self._valid(), self.size, list(numbers))

    @property
    def _as_parameter_(self) -> Any:
        return self._mpi.as_handle(self._valid())


CommLike = Union[None, str, Comm, Any]


def _handle_of(comm: Any) -> int:
    MPI: Any = sys.modules.get("mpi4py.MPI")
    if MPI is None or not isinstance(comm, MPI.Comm):
        told = f"{comm!r} is no communicator: give None, 'self', 'world', or a communicator of mpi4py"
        raise Error(told) if isinstance(comm, str) else TypeError(told)
    if comm == MPI.COMM_NULL:
        raise Error("the communicator is MPI_COMM_NULL")
    return int(MPI._handleof(comm) if hasattr(MPI, "_handleof") else comm.handle)
