"""Variables: puts and gets by numpy's basic indices."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._attributes import NAME_SIZE, Attributes
from ._errors import Error
from ._index import Selection, select
from ._library import c_text
from ._modes import in_data_mode, in_define_mode
from ._request import Request
from ._types import BY_CODE, CHAR, ExternalType, as_chars, as_numbers, external_type, strings_of

if TYPE_CHECKING:
    from ._file import File

Array = np.ndarray[Any, Any]
masked: Any = np.ma  # numpy gives its functions no types
NC_REQ_NULL = -1


_ARRAYS = [ctypes.c_longlong * n for n in range(9)]


def offsets(values: Any) -> ctypes.Array[ctypes.c_longlong]:
    n = len(values)
    return (_ARRAYS[n] if n < len(_ARRAYS) else ctypes.c_longlong * n)(*values)


class Variable:
    """A variable of an open file: `v[1:3, ::2]` reads, `v[0] = row` writes.

    An index is made of integers, slices with any step, and Ellipsis. Puts and gets are collective: all ranks of the file
    make them, each with its own index, which may be empty. Inside `with file.independent():` they are local. A rank whose index or
    values are wrong gets an exception, and the others go on.
    """

    def __init__(self, file: File, varid: int) -> None:
        self._file, self._handle, self.id = file, file._handle, varid
        name, code, ndims = ctypes.create_string_buffer(NAME_SIZE), ctypes.c_int(), ctypes.c_int()
        n = self._handle.number("ncmpi_inq_varndims", varid)
        dimids = (ctypes.c_int * max(n, 1))()
        self._handle.call("ncmpi_inq_var", varid, name, ctypes.byref(code), ctypes.byref(ndims), dimids, None)
        self._name, self._row = name.value.decode(), BY_CODE[code.value]
        self._dimids = tuple(dimids[:n])
        self.attrs = Attributes(self._handle, varid, file.format)

    # ---- what it is

    @property
    def name(self) -> str:
        """Its name. rename changes it."""
        return self._name

    def rename(self, name: str) -> None:
        """Gives it another name. Replicated."""
        in_define_mode(self._handle)
        self._handle.call("ncmpi_rename_var", self.id, c_text(name))
        self._name = name

    @property
    def file(self) -> File:
        """The file that has it."""
        return self._file

    @property
    def type(self) -> str:
        """The external type, such as "short"."""
        return self._row.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of its values in memory."""
        return self._row.dtype

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of its dimensions, the slowest first."""
        return tuple(self._file._dim_name(i) for i in self._dimids)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._dimids)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of its dimensions; the first of a record variable is the number of records that this rank knows."""
        self._handle.id  # raises if the file is closed
        return tuple(map(self._file._length, self._dimids))

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def is_record(self) -> bool:
        """Whether its first dimension is the record dimension."""
        return bool(self._dimids) and self._file._is_record_dim(self._dimids[0])

    @property
    def offset(self) -> int:
        """The byte of the file at which it begins."""
        return self._handle.number("ncmpi_inq_varoffset", self.id, kind=ctypes.c_longlong)

    @property
    def fill_value(self) -> Any:
        """What elements have that nobody wrote, if the variable is filled: _FillValue, or the default of the type."""
        value = np.empty(1, self.dtype)
        self._handle.call("ncmpi_inq_var_fill", self.id, None, value.ctypes.data)
        return value[0]

    @property
    def is_filled(self) -> bool:
        """Whether the variable is filled when it is made."""
        flag = ctypes.c_int()
        self._handle.call("ncmpi_inq_var_fill", self.id, ctypes.byref(flag), None)
        return not flag.value

    def set_fill(self, on: bool = True, value: Any = None) -> None:
        """Whether enddef fills the variable, and with which value. Replicated."""
        in_define_mode(self._handle)
        one = None if value is None else np.array([value], self.dtype)
        self._handle.call("ncmpi_def_var_fill", self.id, int(not on), None if one is None else one.ctypes.data)

    def fill_record(self, record: int) -> None:
        """Fills one record with the fill value. Collective."""
        in_data_mode(self._handle)
        self._handle.call("ncmpi_fill_var_rec", self.id, record)

    def __len__(self) -> int:
        if not self._dimids:
            raise TypeError(f"{self._name} is a scalar and has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        if self._handle.is_closed:
            return f"<parcdf.Variable {self._name} of a closed file>"
        lengths = ", ".join(f"{d}={n}" for d, n in zip(self.dimensions, self.shape))
        return f"<parcdf.Variable {self.type} {self._name}({lengths})>"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        values = self.get(...)
        return values if dtype is None else values.astype(dtype, copy=False)

    # ---- gets

    def __getitem__(self, key: Any) -> Any:
        values = self.get(key)
        return values[()] if values.ndim == 0 else values

    def get(self, key: Any = ..., *, out: Array | None = None, dtype: Any = None) -> Array:
        """Reads what `key` selects. The values go straight into the array that is returned: `out`, of any strides and of
        the shape that is selected, or a new one of `dtype` (default: that of the variable). The library converts types; a
        value that does not fit raises Error NC_ERANGE after all others were read. Collective, or local in independent mode."""
        return self._together("get", lambda: self._prepare_get(key, out, dtype))

    def strings(self, key: Any = ...) -> Any:
        """Reads text as str: the strings along the last dimension, without the NULs at their ends."""
        if self._row is not CHAR:
            return self._refuse("get", TypeError(f"{self._name} is of type {self.type}, not of text"))
        return strings_of(self.get(key))

    def masked(self, key: Any = ...) -> np.ma.MaskedArray[Any, Any]:
        """Reads into a masked array: masked is what equals _FillValue, missing_value, or, without _FillValue, the default
        fill value of the type (not of bytes and text)."""
        values = self.get(key)
        mask = np.zeros(values.shape, bool)
        fills = [np.asarray(self.attrs[name]).ravel() for name in ("_FillValue", "missing_value") if name in self.attrs]
        if "_FillValue" not in self.attrs and self.dtype.itemsize > 1:
            fills.append(np.array([self._row.fill], self.dtype))
        for fill in np.concatenate(fills) if fills and self._row is not CHAR else ():
            mask |= np.isnan(values) if fill != fill else values == fill
        made: np.ma.MaskedArray[Any, Any] = masked.MaskedArray(values, mask, fill_value=self.fill_value)
        return made

    def iget(self, key: Any = ..., *, out: Array | None = None, dtype: Any = None) -> Request:
        """As get, nonblocking: the array has its values after a wait. Local."""
        transfer = self._prepare_get(key, out, dtype)
        return self._post("iget", transfer)

    def _prepare_get(self, key: Any, out: Array | None, dtype: Any) -> _Transfer:
        s = select(key, self.shape, self._name)
        if out is None:
            kind = self._row if dtype is None else external_type(dtype)
            out = np.empty(s.shape, kind.dtype)
        elif not isinstance(out, np.ndarray):
            raise TypeError(f"{self._name}: out is {type(out).__name__}, not an array of numpy")
        elif out.shape != s.shape:
            raise ValueError(f"{self._name}: out has the shape {out.shape}, but {s.shape} is selected")
        elif not out.flags.writeable:
            raise ValueError(f"{self._name}: out cannot be written to")
        elif dtype is not None and np.dtype(dtype) != out.dtype:
            raise TypeError(f"{self._name}: dtype is {dtype}, but that of out is {out.dtype}")
        return _Transfer(self, s, out, is_put=False)

    # ---- puts

    def __setitem__(self, key: Any, values: Any) -> None:
        self.put(key, values)

    def put(self, key: Any, values: Any) -> None:
        """Writes `values`, which are broadcast to what `key` selects. Writing after the last record adds records; an open
        end such as `v[3:]` goes as far as the values. Memory that numpy has in a type of the format is written where it lies,
        however it is spread, and never changed. The library converts types; a value that does not fit raises Error
        NC_ERANGE after all others were written. In a variable of text, arrays of S1 are characters and all else is strings
        along the last dimension. Collective, or local in independent mode."""
        self._together("put", lambda: self._prepare_put(key, values))

    def put_masked(self, key: Any, values: Any) -> None:
        """As put; masked elements become the fill value of the variable."""
        def prepare() -> _Transfer:
            data = masked.asarray(values)
            return self._prepare_put(key, data.filled(np.asarray(self.fill_value, data.dtype)) if masked.is_masked(data) else data.data)
        self._together("put", prepare)

    def iput(self, key: Any, values: Any) -> Request:
        """As put, nonblocking: do not change the values before a wait. Local."""
        return self._post("iput", self._prepare_put(key, values))

    def bput(self, key: Any, values: Any) -> Request:
        """As iput, but the values are copied at once, into the room that File.attach_buffer has reserved. Local."""
        return self._post("bput", self._prepare_put(key, values))

    def _prepare_put(self, key: Any, values: Any) -> _Transfer:
        if masked.is_masked(values):
            raise TypeError(f"{self._name}: the values are masked; put_masked writes fill values in their place")
        data = values if isinstance(values, (str, bytes)) else np.asarray(values)
        is_text = self._row is CHAR
        s = select(key, self.shape, self._name, self.is_record, self._shape_of(key, data))
        if is_text:
            array = as_chars(data, s.shape)
        else:
            array = as_numbers(data)
        try:
            array = np.broadcast_to(array, s.shape)
        except ValueError:
            if array.ndim <= len(s.shape) or array.shape[:array.ndim - len(s.shape)].count(1) != array.ndim - len(s.shape):
                raise ValueError(f"{self._name}: values of the shape {array.shape} do not go into the shape {s.shape} that is selected") from None
            array = np.broadcast_to(array.reshape(array.shape[array.ndim - len(s.shape):]), s.shape)
        return _Transfer(self, s, array, is_put=True)

    def _shape_of(self, key: Any, data: Any) -> tuple[int, ...]:
        """The shape that the values will have in memory, as far as it is known before the selection."""
        if isinstance(data, (str, bytes)):
            return ()
        is_strings = self._row is CHAR and data.dtype != CHAR.dtype
        return tuple(data.shape) + ((1,) if is_strings else ())

    # ---- how they are carried out

    def _together(self, verb: str, prepare: Callable[[], _Transfer]) -> Array:
        """A blocking call. A rank that cannot take part with data takes part without, so that no other rank waits for it."""
        h = self._handle
        with h.lock:
            h.id  # raises if the file is closed
            in_data_mode(h)
            try:
                transfer = prepare()
            except BaseException:
                self._attend(verb)
                raise
            transfer.run("" if h.is_independent else "_all")
            transfer.finish()
            return transfer.array

    def _attend(self, verb: str) -> None:
        """Takes part in a collective call with arguments that are wrong; the library's opinion of them is known."""
        h = self._handle
        if not h.is_independent and h.comm.size > 1:
            suffix = "schar" if self._row is CHAR else self._row.suffix
            h.lib.code(f"ncmpi_{verb}_varn_{suffix}_all", h.id, self.id, -1, None, None, None)

    def _refuse(self, verb: str, error: Exception) -> Any:
        with self._handle.lock:
            in_data_mode(self._handle)
            self._attend(verb)
            raise error

    def _post(self, verb: str, transfer: _Transfer) -> Request:
        h = self._handle
        with h.lock:
            number = ctypes.c_int(NC_REQ_NULL)
            try:
                transfer.post(verb, number)
            except Error:
                if number.value != NC_REQ_NULL:  # NC_ERANGE: it was posted nevertheless
                    h.call("ncmpi_cancel", 1, ctypes.byref(number), None)
                raise
            request = Request(self._file, number.value, f"{verb} of {self._name}", transfer.array, transfer.finish)
            self._file._posted(request)
            return request


class _Transfer:
    """Memory and hyperslab of one put or get."""

    def __init__(self, variable: Variable, s: Selection, array: Array, is_put: bool) -> None:
        self.variable, self.selection, self.array, self.is_put = variable, s, array, is_put
        self.memory = array
        self.kind = self._kind_of(array.dtype)
        if not self._is_direct():  # a byte order or strides that the library has not: once through other memory
            dtype = self.kind.dtype
            self.memory = array.astype(dtype, order="C") if is_put else np.empty(array.shape, dtype)

    def _kind_of(self, dtype: np.dtype[Any]) -> ExternalType:
        kind = external_type(dtype)
        name = self.variable.name
        if (kind is CHAR) != (self.variable._row is CHAR):
            raise TypeError(f"{name}: numpy's {dtype} and the variable's type {self.variable.type}: text and numbers are not converted")
        return kind

    def _is_direct(self) -> bool:
        size = self.array.dtype.itemsize
        return self.array.dtype.isnative and self.array.ctypes.data % max(self.array.dtype.alignment, 1) == 0 and \
            all(step % size == 0 or n < 2 for step, n in zip(self.array.strides, self.array.shape))

    def _arguments(self) -> tuple[Array, Any, Any, Any, Any]:
        s = self.selection
        view = self.memory[s.view] if s.view else self.memory
        size = view.dtype.itemsize
        imap = None
        if not view.flags.c_contiguous:
            imap = offsets([step // size for step in view.strides])
        stride = offsets(s.stride) if s.is_strided or imap is not None else None
        return view, offsets(s.start), offsets(s.count), stride, imap

    def run(self, end: str) -> None:
        view, start, count, stride, imap = self._arguments()
        h, verb, at = self.variable._handle, "put" if self.is_put else "get", view.ctypes.data
        suffix, varid = self.kind.suffix + end, self.variable.id
        if imap is not None:
            h.call(f"ncmpi_{verb}_varm_{suffix}", varid, start, count, stride, imap, at)
        elif stride is not None:
            h.call(f"ncmpi_{verb}_vars_{suffix}", varid, start, count, stride, at)
        else:
            h.call(f"ncmpi_{verb}_vara_{suffix}", varid, start, count, at)

    def post(self, verb: str, number: ctypes.c_int) -> None:
        view, start, count, stride, imap = self._arguments()
        self.variable._handle.call(f"ncmpi_{verb}_varm_{self.kind.suffix}", self.variable.id, start, count, stride, imap,
                                   view.ctypes.data, ctypes.byref(number))

    def finish(self) -> None:
        """After a get: the values are in the array of the caller."""
        if self.memory is not self.array and not self.is_put:
            self.array[...] = self.memory
