"""Transfers: memory and hyperslabs of a put or get, and the calls of the library that move them."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from ._errors import Error
from ._index import Selection
from ._library import NC_ERANGE, NC_ETRUNC
from ._types import CHAR, ExternalType, external_type

if TYPE_CHECKING:
    from ._handle import Handle
    from ._variable import Variable

Array = np.ndarray[Any, Any]
NC_COUNT_IGNORE = -1  # as many elements as the request has
DELIVERED = (NC_ERANGE, NC_ETRUNC)  # errors after which the memory of a get has what could be read
_ARRAYS = [ctypes.c_longlong * n for n in range(9)]


def offsets(values: Any) -> ctypes.Array[ctypes.c_longlong]:
    n = len(values)
    return (_ARRAYS[n] if n < len(_ARRAYS) else ctypes.c_longlong * n)(*values)


def _kind_of(variable: Variable, dtype: np.dtype[Any]) -> ExternalType:
    """The type of memory for a variable."""
    kind = external_type(dtype)
    if (kind is CHAR) != (variable._row is CHAR):
        raise TypeError(f"{variable.name}: numpy's {dtype} and the variable's type {variable.type}: text and numbers are not converted")
    return kind


def _is_direct(array: Array, is_put: bool) -> bool:
    """Whether the library can use the memory as it lies. A get into bool would leave numbers there."""
    size = array.dtype.itemsize
    return array.dtype.isnative and array.ctypes.data % max(array.dtype.alignment, 1) == 0 and \
        all(step % size == 0 or n < 2 for step, n in zip(array.strides, array.shape)) and (is_put or array.dtype.kind != "b")


class Transfer:
    """Memory and hyperslab of one put or get."""

    def __init__(self, variable: Variable, s: Selection, array: Array, is_put: bool) -> None:
        self.variable, self.selection, self.array, self.is_put = variable, s, array, is_put
        self.arrays = [array]
        self.memory = array
        self.kind = _kind_of(variable, array.dtype)
        if not _is_direct(array, is_put):  # a byte order or strides that the library has not: once through other memory
            dtype = self.kind.dtype
            self.memory = array.astype(dtype, order="C") if is_put else np.empty(array.shape, dtype)

    def arguments(self) -> tuple[Array, Any, Any, Any, Any]:
        """Memory with the dimensions of the file, start, count, stride and imap; None where there is nothing to say."""
        s = self.selection
        view = self.memory[s.view] if s.view else self.memory
        size = view.dtype.itemsize
        imap = None
        if not view.flags.c_contiguous:
            imap = offsets([step // size for step in view.strides])
        stride = offsets(s.stride) if s.is_strided or imap is not None else None
        return view, offsets(s.start), offsets(s.count), stride, imap

    def run(self, end: str) -> None:
        """The blocking call; end: "_all" for the collective one."""
        view, start, count, stride, imap = self.arguments()
        h, verb, at = self.variable._handle, "put" if self.is_put else "get", view.ctypes.data
        suffix, varid = self.kind.suffix + end, self.variable.id
        if imap is not None:
            h.call(f"ncmpi_{verb}_varm_{suffix}", varid, start, count, stride, imap, at)
        elif stride is not None:
            h.call(f"ncmpi_{verb}_vars_{suffix}", varid, start, count, stride, at)
        else:
            h.call(f"ncmpi_{verb}_vara_{suffix}", varid, start, count, at)

    def post(self, verb: str, number: ctypes.c_int) -> None:
        """The nonblocking call."""
        view, start, count, stride, imap = self.arguments()
        self.variable._handle.call(f"ncmpi_{verb}_varm_{self.kind.suffix}", self.variable.id, start, count, stride, imap,
                                   view.ctypes.data, ctypes.byref(number))

    def finish(self) -> None:
        """After a get: the values are in the array of the caller."""
        if self.memory is not self.array and not self.is_put:
            self.array[...] = self.memory


class Blocks:
    """Memory of one dimension, and hyperslabs whose elements lie in it one after the other. `arrays` are its parts, as the
    indices select them; so those of a negative step are seen backwards."""

    def __init__(self, variable: Variable, selections: Sequence[Selection], array: Array, is_put: bool) -> None:
        self.variable, self.selections, self.array, self.is_put = variable, selections, array, is_put
        if variable.ndim == 0 and len(selections) != 1:
            raise IndexError(f"{variable.name} is a scalar: {len(selections)} hyperslabs cannot be selected")
        for s in selections:
            if s.is_strided:
                raise IndexError(f"{variable.name}: among many hyperslabs, the step of a slice is 1 or -1")
        self.kind = _kind_of(variable, array.dtype)
        self.memory = array
        self.arrays = self._parts(array)
        if not _is_direct(array, is_put) or not array.flags.c_contiguous:
            self.memory = np.ascontiguousarray(array, self.kind.dtype) if is_put else np.empty(array.shape, self.kind.dtype)

    def _parts(self, array: Array) -> list[Array]:
        parts, at = [], 0
        for s in self.selections:
            part = array[at:at + s.size].reshape(s.shape)
            parts.append(part[(*(one for one in s.view if one is not None), ...)])
            at += s.size
        return parts

    def _lists(self) -> tuple[list[Array], Array, Array]:
        """starts and counts as arrays of addresses, and what they point to."""
        n, ndim = len(self.selections), self.variable.ndim
        numbers = [np.array([getattr(s, name) for s in self.selections], np.int64).reshape(n, ndim) for name in ("start", "count")]
        starts, counts = (one.ctypes.data + np.arange(max(n, 1), dtype=np.uintp) * np.uintp(8 * ndim) for one in numbers)
        return numbers, starts, counts

    def run(self, end: str) -> None:
        """The blocking call; end: "_all" for the collective one."""
        kept, starts, counts = self._lists()
        verb = "put" if self.is_put else "get"
        self.variable._handle.call(f"ncmpi_{verb}_varn_{self.kind.suffix}{end}", self.variable.id, len(self.selections),
                                   starts.ctypes.data, counts.ctypes.data, self.memory.ctypes.data)
        del kept

    def post(self, verb: str, number: ctypes.c_int) -> None:
        """The nonblocking call."""
        kept, starts, counts = self._lists()
        self.variable._handle.call(f"ncmpi_{verb}_varn_{self.kind.suffix}", self.variable.id, len(self.selections),
                                   starts.ctypes.data, counts.ctypes.data, self.memory.ctypes.data, ctypes.byref(number))
        del kept

    def finish(self) -> None:
        """After a get: the values are in the array of the caller."""
        if self.memory is not self.array and not self.is_put:
            self.array[...] = self.memory


def carry_out(transfers: Sequence[Transfer | Blocks], run: Callable[[], None]) -> None:
    """The call of the library; then the arrays of the callers have what it has read."""
    try:
        run()
    except Error as error:
        if error.code in DELIVERED:
            for transfer in transfers:
                transfer.finish()
        raise
    for transfer in transfers:
        transfer.finish()


def move_all(h: Handle, transfers: Sequence[Transfer], is_put: bool) -> None:
    """Transfers of variables of one file, in one call."""
    n = len(transfers)
    Pointers, datatypes = ctypes.c_void_p * max(n, 1), (h.lib.mpi.handle_type * max(n, 1))()
    varids, counts_ = (ctypes.c_int * max(n, 1))(), (ctypes.c_longlong * max(n, 1))(*[NC_COUNT_IGNORE] * n)
    bufs, starts, counts, strides, imaps = (Pointers() for _ in range(5))
    kept = [transfer.arguments() for transfer in transfers]
    for i, (transfer, (view, start, count, stride, imap)) in enumerate(zip(transfers, kept)):
        varids[i], bufs[i], datatypes[i] = transfer.variable.id, view.ctypes.data, h.lib.mpi.handle(transfer.kind.suffix)
        for pointers, numbers in ((starts, start), (counts, count), (strides, stride), (imaps, imap)):
            pointers[i] = None if numbers is None else ctypes.addressof(numbers)
    end = "" if h.is_independent else "_all"
    h.call(f"ncmpi_{'mput' if is_put else 'mget'}_varm{end}", n, varids, starts, counts, strides, imaps, bufs, counts_, datatypes)
