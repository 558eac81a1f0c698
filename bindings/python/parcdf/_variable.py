"""Variables: puts and gets by numpy's basic indices, of one hyperslab or of many."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Iterable, Sequence, TypeVar

import numpy as np

from ._attributes import NAME_SIZE, Attributes
from ._errors import Error
from ._index import Selection, expand, select
from ._library import c_text, integer, name_of
from ._meaning import Meaning
from ._modes import in_data_mode, in_define_mode
from ._request import Request
from ._transfer import Array, Blocks, Transfer, carry_out
from ._types import BY_CODE, CHAR, ExternalType, as_array, as_chars, as_numbers, has_mask, masked, memory_dtype, one_value, strings_of

if TYPE_CHECKING:
    from ._file import File
    from ._handle import Handle

NC_REQ_NULL = -1
QUANTIZE_MODES = ("", "bitgroom", "granularbr", "bitround")  # by number
T = TypeVar("T", Transfer, Blocks)


class Variable:
    """A variable of an open file: `v[1:3, ::2]` reads, `v[0] = row` writes.

    An index is made of integers, slices with any step, and Ellipsis. Puts and gets are collective: all ranks of the file
    make them, each with its own index, which may be empty. Inside `with file.independent():` they are local. A rank whose index or
    values are wrong gets an exception, and the others go on.
    """

    id: int
    _handle: Handle
    _row: ExternalType

    def __init__(self, file: File, varid: int) -> None:
        self._file, self._handle, self.id = file, file._handle, varid
        name, code, ndims = ctypes.create_string_buffer(NAME_SIZE), ctypes.c_int(), ctypes.c_int()
        n = self._handle.number("ncmpi_inq_varndims", varid)
        dimids = (ctypes.c_int * max(n, 1))()
        self._handle.call("ncmpi_inq_var", varid, name, ctypes.byref(code), ctypes.byref(ndims), dimids, None)
        self._name, self._row = name_of(name), BY_CODE[code.value]
        self._dimids = tuple(dimids[:n])
        self.attrs = Attributes(self._handle, varid, file.format, self._row)

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
        one = None if value is None else one_value(value, self._row, f"fill value of {self._name}")
        in_define_mode(self._handle)
        self._handle.call("ncmpi_def_var_fill", self.id, int(not on), None if one is None else one.ctypes.data)

    @property
    def quantized(self) -> tuple[str, int] | None:
        """How puts are rounded, and the digits or bits that they keep; None: they are not."""
        mode, digits = ctypes.c_int(), ctypes.c_int()
        self._handle.call("parcdf_inq_var_quantize", self.id, ctypes.byref(mode), ctypes.byref(digits))
        return (QUANTIZE_MODES[mode.value], digits.value) if mode.value else None

    def quantize(self, mode: str | None, digits: int = 0) -> None:
        """Puts to this new variable of floats or doubles keep so many digits ("bitgroom", "granularbr") or bits
        ("bitround") of each value; None: all. As netCDF-C does it, also in classic files. Replicated."""
        if mode is not None and mode not in QUANTIZE_MODES[1:]:
            raise ValueError(f"{self._name}: quantize mode {mode!r} is none of {', '.join(QUANTIZE_MODES[1:])}")
        in_define_mode(self._handle)
        number = 0 if mode is None else QUANTIZE_MODES.index(mode)
        self._handle.call("parcdf_def_var_quantize", self.id, number, integer(digits, "a number of digits"))

    # ---- how it is stored in a netCDF-4 file

    def _numbers(self, function: str, n: int) -> list[int]:
        """The n ints that an inquiry gives."""
        places = [ctypes.c_int() for _ in range(n)]
        self._handle.call(function, self.id, *map(ctypes.byref, places))
        return [place.value for place in places]

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The lengths of its chunks, before enddef those that it would get; None: it is contiguous, as in classic files."""
        storage, lengths = ctypes.c_int(), (ctypes.c_size_t * max(self.ndim, 1))()
        self._handle.call("parcdf_inq_var_chunking", self.id, ctypes.byref(storage), lengths)
        return None if storage.value else tuple(lengths)[:self.ndim]

    def set_chunks(self, lengths: Sequence[int] | None) -> None:
        """Of this new variable, chunks with so many elements along each dimension; None: the library chooses. Replicated."""
        sizes = None
        if lengths is not None:
            if len(lengths) != self.ndim:
                raise Error(f"{self._name}: {len(lengths)} chunk lengths for {self.ndim} dimensions")
            sizes = (ctypes.c_size_t * max(self.ndim, 1))(*(self._length_of_chunk(n) for n in lengths))
        in_define_mode(self._handle)
        self._handle.call("parcdf_def_var_chunking", self.id, 0, sizes)

    def _length_of_chunk(self, n: Any) -> int:
        length = integer(n, f"a chunk length of {self._name}")
        if length < 1:
            raise Error(f"{self._name}: a chunk length of {length}")
        return length

    def set_contiguous(self) -> None:
        """This new variable has no chunks: not for records or compression. Replicated."""
        in_define_mode(self._handle)
        self._handle.call("parcdf_def_var_chunking", self.id, 1, None)

    @property
    def compression(self) -> tuple[str, int] | None:
        """How it is compressed: "deflate" or "zstd" and the level, "szip" and the pixels of a block; None: not at all."""
        _, deflate, level = self._numbers("parcdf_inq_var_deflate", 3)
        zstd, zstd_level = self._numbers("parcdf_inq_var_zstd", 2)
        options, pixels = self._numbers("parcdf_inq_var_szip", 2)
        return ("deflate", level) if deflate else ("zstd", zstd_level) if zstd else ("szip", pixels) if options else None

    @property
    def is_shuffled(self) -> bool:
        """Whether bytes of equal rank stand together in its chunks."""
        return bool(self._numbers("parcdf_inq_var_deflate", 3)[0])

    def compress(self, how: str | None = "deflate", level: int = 1, shuffle: bool = True) -> None:
        """Compresses this new variable by "deflate" (level 0 to 9), "zstd" (1 to 22) or "szip" (level: pixels of a block, even, to 32);
        None: not at all. shuffle: bytes of equal rank stand together before it. Replicated."""
        if how not in (None, "deflate", "zstd", "szip"):
            raise ValueError(f"{self._name}: {how!r} is none of deflate, zstd, szip")
        number = integer(level, "a level")
        in_define_mode(self._handle)
        self._handle.call("parcdf_def_var_deflate", self.id, int(shuffle and how is not None), 1, number if how == "deflate" else 1)
        if how == "zstd":
            self._handle.call("parcdf_def_var_zstd", self.id, number)
        elif how == "szip":
            self._handle.call("parcdf_def_var_szip", self.id, 32, number)
        elif how is None:
            self._handle.call("parcdf_def_var_deflate", self.id, 0, 0, 0)

    @property
    def has_checksums(self) -> bool:
        """Whether each chunk has a checksum (fletcher32)."""
        return bool(self._numbers("parcdf_inq_var_fletcher32", 1)[0])

    def set_checksums(self, on: bool = True) -> None:
        """Whether each chunk of this new variable has a checksum, which every reader checks (fletcher32). Replicated."""
        in_define_mode(self._handle)
        self._handle.call("parcdf_def_var_fletcher32", self.id, int(on))

    def fill_record(self, record: int) -> None:
        """Fills one record with the fill value. Collective."""
        number = integer(record, "a record")
        in_data_mode(self._handle)
        self._handle.call("ncmpi_fill_var_rec", self.id, number)

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
        if copy is False:
            raise ValueError(f"{self._name}: its values are in a file, so there is no array of them without a copy")
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
        return self._together("get", lambda: self._prepare_get(key, out, dtype)).array

    def strings(self, key: Any = ...) -> Any:
        """Reads text as str: the strings along the last dimension, without the NULs at their ends."""
        if self._row is not CHAR:
            return self._refuse("get", TypeError(f"{self._name} is of type {self.type}, not of text"))
        return strings_of(self.get(key))

    def masked(self, key: Any = ...) -> np.ma.MaskedArray[Any, Any]:
        """Reads into a masked array, not unpacked: masked is what equals _FillValue, missing_value, or, without _FillValue, the
        default fill value of the type (bytes and text have none), and what is outside of valid_range, valid_min and valid_max."""
        values = self.get(key)
        made: np.ma.MaskedArray[Any, Any] = masked.MaskedArray(values, self._mask(values), fill_value=self._missing_fill())
        return made

    def _meaning(self) -> Meaning:
        return Meaning(self.attrs, self.dtype, self._row.fill)

    def _mask(self, values: Array) -> Array:
        if self._row is not CHAR:
            return self._meaning().mask(values)
        mask: Array = values == self.fill_value if "_FillValue" in self.attrs else np.zeros(values.shape, bool)
        return mask

    def _missing_fill(self) -> Any:
        """What masked elements become: one that `masked` masks, where there is one."""
        fill = None if self._row is CHAR else self._meaning().fill
        return self.fill_value if fill is None else fill

    def iget(self, key: Any = ..., *, out: Array | None = None, dtype: Any = None) -> Request:
        """As get, nonblocking: the array has its values after a wait. Local."""
        transfer = self._prepare_get(key, out, dtype)
        return self._post("iget", transfer)

    def get_many(self, keys: Iterable[Any], *, out: Array | None = None, dtype: Any = None) -> list[Array]:
        """Reads many hyperslabs in one access: an array for each index of `keys`, whose slices have steps of 1 or -1. The
        arrays are parts of one memory: `out`, an array of one dimension without gaps, if it is given. Of the elements that lie
        in several hyperslabs, each gets a copy. Collective, or local in independent mode."""
        return self._together("get", lambda: self._prepare_get_many(keys, out, dtype)).arrays

    def iget_many(self, keys: Iterable[Any], *, out: Array | None = None, dtype: Any = None) -> Request:
        """As get_many, nonblocking, as one request: its `arrays` have the values after a wait. Local."""
        return self._post("iget", self._prepare_get_many(keys, out, dtype))

    def _prepare_get_many(self, keys: Iterable[Any], out: Array | None, dtype: Any) -> Blocks:
        shape = self.shape
        selections = [select(key, shape, self._name) for key in keys]
        size = sum(s.size for s in selections)
        if out is None:
            out = np.empty(size, self.dtype if dtype is None else memory_dtype(dtype))
        else:
            self._check_out(out, (size,), dtype)
        return Blocks(self, selections, out, is_put=False)

    def _prepare_get(self, key: Any, out: Array | None, dtype: Any) -> Transfer:
        s = select(key, self.shape, self._name)
        if out is None:
            out = np.empty(s.shape, self.dtype if dtype is None else memory_dtype(dtype))
        else:
            self._check_out(out, s.shape, dtype)
        return Transfer(self, s, out, is_put=False)

    def _check_out(self, out: Any, shape: tuple[int, ...], dtype: Any) -> None:
        if not isinstance(out, np.ndarray):
            raise TypeError(f"{self._name}: out is {type(out).__name__}, not an array of numpy")
        if out.shape != shape:
            raise ValueError(f"{self._name}: out has the shape {out.shape}, but {shape} is selected")
        if not out.flags.writeable:
            raise ValueError(f"{self._name}: out cannot be written to")
        if dtype is not None and memory_dtype(dtype) != out.dtype:
            raise TypeError(f"{self._name}: dtype is {dtype}, but that of out is {out.dtype}")

    # ---- puts

    def __setitem__(self, key: Any, values: Any) -> None:
        self.put(key, values)

    def put(self, key: Any, values: Any) -> None:
        """Writes `values`, which are broadcast to what `key` selects. Writing after the last record adds records; an open
        end such as `v[3:]` goes as far as the values. Memory that numpy has in a type of the format is written where it lies,
        however it is spread, and never changed. The library converts types; a value that does not fit raises Error
        NC_ERANGE after all others were written; integers of Python keep all digits, and OverflowError says that no type has
        them. In a variable of text, arrays of S1 with as many dimensions as the index keeps are characters, and all else is strings
        along the last dimension. Collective, or local in independent mode."""
        self._together("put", lambda: self._prepare_put(key, values))

    def put_masked(self, key: Any, values: Any) -> None:
        """As put; masked elements become the fill value of the variable. Bytes and text have none without _FillValue, by
        which `masked` knows them again: then it is refused."""
        def prepare() -> Transfer:
            data = masked.asarray(values)
            if masked.is_masked(data):
                return self._prepare_put(key, self._filled(data))
            return self._prepare_put(key, values.data if isinstance(values, masked.MaskedArray) else values)
        self._together("put", prepare)

    def _filled(self, data: Any) -> Any:
        """The array, with the fill value where it is masked, of a dtype that has this value and all others."""
        if ("_FillValue" not in self.attrs) if self._row is CHAR else (self._meaning().fill is None):
            raise ValueError(f"{self._name}: values are masked, but a variable of the type {self.type} has no fill value unless it has the "
                             "attribute _FillValue; define it with fill_value=")
        fill = self._missing_fill()
        if data.dtype.kind == "U":
            return data.filled(fill.decode("latin-1"))
        if data.dtype.kind not in "biuf" or self._row is CHAR:
            return data.filled(fill)
        with np.errstate(all="ignore"):
            for dtype in (data.dtype, np.result_type(data.dtype, self.dtype)):
                here = np.asarray(fill).astype(dtype).item()
                if here == fill.item() or (here != here and fill != fill):  # Python compares all digits
                    return data.astype(dtype).filled(np.asarray(fill).astype(dtype))
            whole = np.trunc(data.filled(0))  # no dtype but that of the variable has its fill value
            stored = whole.astype(self.dtype)
            if (stored.astype(data.dtype) != whole).any() or ((stored < 0) != (whole < 0)).any():
                raise ValueError(f"{self._name}: values of {data.dtype} do not fit into {self.type}")
        return np.where(masked.getmaskarray(data), fill, stored)

    def iput(self, key: Any, values: Any) -> Request:
        """As put, nonblocking: do not change the values before a wait. Local."""
        return self._post("iput", self._prepare_put(key, values))

    def bput(self, key: Any, values: Any) -> Request:
        """As iput, but the values are copied at once, into the room that File.attach_buffer has reserved. Local."""
        return self._post("bput", self._prepare_put(key, values))

    def put_many(self, keys: Iterable[Any], values: Any) -> None:
        """Writes many hyperslabs in one access. keys: their indices, whose slices have steps of 1 or -1. values: an array for
        each of them, which is broadcast to it; or one array of one dimension with the elements of all, one hyperslab after the
        other, which is written where it lies. Of what lies in several hyperslabs, one stays. Collective, or local in independent mode."""
        self._together("put", lambda: self._prepare_put_many(keys, values))

    def iput_many(self, keys: Iterable[Any], values: Any) -> Request:
        """As put_many, nonblocking, as one request. Local."""
        return self._post("iput", self._prepare_put_many(keys, values))

    def bput_many(self, keys: Iterable[Any], values: Any) -> Request:
        """As iput_many, into the room that File.attach_buffer has reserved. Local."""
        return self._post("bput", self._prepare_put_many(keys, values))

    def _prepare_put_many(self, keys: Iterable[Any], values: Any) -> Blocks:
        keys = list(keys)
        if isinstance(values, np.ndarray) and values.ndim == 1 and not masked.is_masked(values):
            shape, is_record = self.shape, self.is_record
            selections = [select(key, shape, self._name, is_record) for key in keys]
            if sum(s.size for s in selections) == values.size:
                array = as_chars(values, values.shape, True) if self._row is CHAR else as_numbers(values)
                if not any(s.is_backward for s in selections):
                    return Blocks(self, selections, array, is_put=True)
                ends = np.cumsum([s.size for s in selections]).tolist()
                values = [part.reshape(s.shape) for part, s in zip(np.split(array, ends[:-1]), selections)]
        given = list(values)
        if len(given) != len(keys):
            raise ValueError(f"{self._name}: there are {len(keys)} hyperslabs and values for {len(given)}")
        parts = [self._selected(key, one) for key, one in zip(keys, given)]
        memory = np.empty(sum(s.size for s, _ in parts), self._common([a for _, a in parts]))
        blocks = Blocks(self, [s for s, _ in parts], memory, is_put=True)
        for part, (_, array) in zip(blocks.arrays, parts):
            part[...] = array
        return blocks

    def _common(self, arrays: Sequence[Array]) -> np.dtype[Any]:
        """A dtype that has the values of all these, with all digits of integers."""
        common = np.result_type(*{a.dtype for a in arrays}) if arrays else self.dtype
        wholes = [a for a in arrays if a.dtype.kind in "iu" and a.size]
        if common.kind != "f" or self.dtype.kind == "f" or not wholes:
            return common
        low, high = min(int(a.min()) for a in wholes), max(int(a.max()) for a in wholes)
        if all(a.dtype.kind in "iu" for a in arrays):
            if low >= 0 or high < 2**63:
                return np.dtype(np.uint64 if low >= 0 else np.int64)
        elif low >= -2**53 and high <= 2**53:
            return common
        raise TypeError(f"{self._name}: the integers {low} and {high}, and what else is in this call, have no type that holds them")

    def _prepare_put(self, key: Any, values: Any) -> Transfer:
        s, array = self._selected(key, values)
        return Transfer(self, s, array, is_put=True)

    def _selected(self, key: Any, values: Any) -> tuple[Selection, Array]:
        """What `key` selects, and `values` as an array of that shape in a type of the format."""
        if has_mask(values):
            raise TypeError(f"{self._name}: the values are masked; put_masked writes fill values in their place")
        data = values if isinstance(values, (str, bytes)) else as_array(values, self._row)
        is_text = self._row is CHAR
        s = select(key, self.shape, self._name, self.is_record, self._shape_of(key, data))
        if is_text:
            array = as_chars(data, s.shape, isinstance(values, np.ndarray))
        else:
            array = as_numbers(data)
        try:
            array = np.broadcast_to(array, s.shape)
        except ValueError:
            if array.ndim <= len(s.shape) or array.shape[:array.ndim - len(s.shape)].count(1) != array.ndim - len(s.shape):
                raise ValueError(f"{self._name}: values of the shape {array.shape} do not go into the shape {s.shape} that is selected") from None
            array = np.broadcast_to(array.reshape(array.shape[array.ndim - len(s.shape):]), s.shape)
        return s, array

    def _shape_of(self, key: Any, data: Any) -> tuple[int, ...]:
        """The shape that the values will have in memory, as far as it is known before the selection."""
        if isinstance(data, (str, bytes)):
            return ()
        is_strings = self._row is CHAR and (data.dtype != CHAR.dtype or data.ndim < self._kept(key))
        return tuple(data.shape) + ((1,) if is_strings else ())

    def _kept(self, key: Any) -> int:
        """The number of dimensions that an index keeps."""
        return sum(isinstance(part, slice) for part in expand(key, self.ndim, self._name))

    # ---- how they are carried out

    def _together(self, verb: str, prepare: Callable[[], T]) -> T:
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
            carry_out([transfer], lambda: transfer.run("" if h.is_independent else "_all"))
            return transfer

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

    def _post(self, verb: str, transfer: Transfer | Blocks) -> Request:
        h = self._handle
        with h.lock:
            number = ctypes.c_int(NC_REQ_NULL)
            try:
                transfer.post(verb, number)
            except Error:
                if number.value != NC_REQ_NULL:  # NC_ERANGE: it was posted nevertheless
                    h.call("ncmpi_cancel", 1, ctypes.byref(number), None)
                raise
            request = Request(self._file, number.value, f"{verb} of {self._name}", transfer.array, transfer.arrays, transfer.finish)
            self._file._posted(request)
            return request
