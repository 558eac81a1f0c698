"""External types: their numbers, their names, the numpy types that hold their values, and the functions for these."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._errors import Error

masked: Any = np.ma  # numpy gives its functions no types


class ExternalType(NamedTuple):
    """A type of the format."""

    code: int  # NC_BYTE...
    name: str  # as CDL has it
    dtype: np.dtype[Any]
    suffix: str  # of the functions for memory of this dtype
    fill: Any  # where a variable has no _FillValue


def _row(code: int, name: str, dtype: str, suffix: str, fill: Any) -> ExternalType:
    return ExternalType(code, name, np.dtype(dtype), suffix, fill)


TYPES = (
    _row(1, "byte", "i1", "schar", -127),
    _row(2, "char", "S1", "text", b"\0"),
    _row(3, "short", "i2", "short", -32767),
    _row(4, "int", "i4", "int", -2147483647),
    _row(5, "float", "f4", "float", 9.9692099683868690e36),
    _row(6, "double", "f8", "double", 9.9692099683868690e36),
    _row(7, "ubyte", "u1", "uchar", 255),
    _row(8, "ushort", "u2", "ushort", 65535),
    _row(9, "uint", "u4", "uint", 4294967295),
    _row(10, "int64", "i8", "longlong", -9223372036854775806),
    _row(11, "uint64", "u8", "ulonglong", 18446744073709551614),
)
BY_CODE = {row.code: row for row in TYPES}
BY_NAME = {row.name: row for row in TYPES}
BY_DTYPE = {row.dtype: row for row in TYPES}
CHAR = BY_NAME["char"]
CDF5_ONLY = frozenset("ubyte ushort uint int64 uint64".split())
HAVE_ALL = ("CDF5", "NETCDF4")  # formats with these


def external_type(given: Any) -> ExternalType:
    """The type that `given` names: "short", np.int16, "i2", float, str... Byte order does not matter."""
    if isinstance(given, str) and given in BY_NAME:
        return BY_NAME[given]
    if given is str or given is bytes:
        return CHAR
    try:
        dtype = np.dtype(given if given is not None else object())  # numpy takes None for float
    except TypeError:
        raise Error(f"{given!r} names no type; the types are {', '.join(BY_NAME)} and their numpy types") from None
    if dtype.kind == "b":
        return BY_NAME["byte"]
    row = BY_DTYPE.get(dtype.newbyteorder("="))
    if row is None:
        raise Error(f"the format has no type for numpy's {dtype}; it has {', '.join(BY_NAME)}")
    return row


def memory_dtype(given: Any) -> np.dtype[Any]:
    """The dtype of an array in memory that `given` names, in its byte order."""
    row = external_type(given)
    return row.dtype if row is CHAR or (isinstance(given, str) and given in BY_NAME) else np.dtype(given)


def one_value(value: Any, row: ExternalType, what: str) -> np.ndarray[Any, Any]:
    """One value of a type, as an array of one element. Raises Error if it is none: nothing is cut off."""
    if row is CHAR:
        text = value.encode() if isinstance(value, str) else bytes(value) if isinstance(value, (bytes, np.bytes_)) else np.asarray(value).tobytes()
        if len(text) != 1 and value not in (b"", ""):  # numpy has NULs at the ends of texts no more
            raise Error(f"{what}: {value!r} is not one character")
        return np.array([text or b"\0"], row.dtype)
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "biuf":
        raise Error(f"{what}: {value!r} is not one number")
    item = array.item()
    if row.dtype.kind in "iu":
        limits = np.iinfo(row.dtype)
        if item != item or not limits.min <= item <= limits.max or item != int(item):
            raise Error(f"{what}: {value!r} is no value of the type {row.name}")
        return np.array([int(item)], row.dtype)
    with np.errstate(over="ignore"):
        made = array.reshape(1).astype(row.dtype)
    if np.isinf(made[0]) and abs(item) != np.inf:
        raise Error(f"{what}: {value!r} is no value of the type {row.name}")
    return made


def as_array(values: Any, row: ExternalType | None = None) -> np.ndarray[Any, Any]:
    """numpy's asarray, in which integers keep all digits: of a list with an int64 and a uint64, or with an integer and a
    float, numpy makes floats. row: the type of the file, None if the values decide. OverflowError, TypeError: no dtype has all of them."""
    array = np.asarray(values)
    is_python = isinstance(values, (list, tuple, int))
    to_floats = row is not None and row.dtype.kind == "f"
    if row is CHAR or array.dtype.kind not in ("fO" if is_python else "O") or (to_floats and array.dtype.kind == "f"):
        return array
    items = np.asarray(values, object)
    numbers = items.ravel().tolist()
    if not numbers or not all(isinstance(n, (int, float, np.integer, np.floating, np.bool_)) for n in numbers):
        return array
    wholes = [int(n) for n in numbers if isinstance(n, (int, np.integer, np.bool_))]
    if to_floats or (len(wholes) < len(numbers) and all(-2**53 <= n <= 2**53 for n in wholes)):
        return items.astype(np.float64) if array.dtype.kind == "O" else array
    if len(wholes) < len(numbers):
        raise TypeError("integers of more than 53 bits stand among floats: no type of numpy holds both; give an array of one type")
    low, high = min(wholes), max(wholes)
    if low >= -2**63 and high < 2**63:
        return items.astype(np.int64)
    if low >= 0 and high < 2**64:
        return items.astype(np.uint64)
    raise OverflowError(f"no integer type has both {low} and {high}" if low < 0 <= high else f"{high if high > 0 else low} is more than 64 bits have")


def has_mask(values: Any) -> bool:
    """Whether something in it is masked; also in lists, of which numpy would make arrays without masks."""
    if isinstance(values, (list, tuple)):
        return any(has_mask(one) for one in values if isinstance(one, (list, tuple, np.ndarray)))
    return bool(masked.is_masked(values))


def as_numbers(values: Any) -> np.ndarray[Any, Any]:
    """An array of one of the numeric dtypes above, in the byte order of the machine. Memory that is of such a dtype
    already is not copied, however it is spread."""
    array = np.asarray(values)
    if array.dtype.kind == "b":
        return array.view(np.int8)
    if array.dtype.newbyteorder("=") in BY_DTYPE and array.dtype.kind != "S":
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind == "f":
        return array.astype(np.float32 if array.dtype.itemsize < 4 else np.float64)
    raise TypeError(f"values of numpy's {array.dtype} cannot be stored in a classic file")


def as_chars(values: Any, shape: tuple[int, ...], is_array: bool) -> np.ndarray[Any, Any]:
    """An array of S1 for a selection of `shape` in a variable of text. An array of S1 (is_array: one of numpy was given) with
    the dimensions of the selection is the characters themselves. Other text is strings, each of which goes along the last
    dimension, with NULs after it; also strings of one letter each, of which numpy makes S1, too."""
    array = np.asarray(values)
    is_scalar = isinstance(values, (str, bytes))
    if array.dtype == CHAR.dtype and not (is_scalar and shape) and (array.shape == shape or is_array and array.ndim >= len(shape)):
        return array
    if array.dtype.kind in "OT":  # T: the strings of numpy 2
        array = np.asarray([_bytes(v) for v in array.ravel()], dtype="S").reshape(array.shape)
    elif array.dtype.kind == "U":
        if array.dtype.itemsize == 4 and array.shape == shape and not is_scalar:
            if any(ord(one) > 127 for one in array.ravel().tolist() if one):
                raise ValueError(f"{values!r}: a character that UTF-8 has in several bytes does not fit into one element")
            return np.char.encode(array, "ascii").astype("S1").reshape(shape)
        array = np.char.encode(array, "utf-8") if array.size else array.astype("S1")
    elif array.dtype.kind != "S":
        raise TypeError(f"values of numpy's {array.dtype} cannot be put to a variable of text")
    if not shape:
        if array.shape or array.dtype.itemsize > 1:
            raise ValueError(f"{values!r} is more than the one character that is selected")
        return array.astype("S1")
    room = shape[-1]
    if array.dtype.itemsize > room and array.size and max(map(len, array.ravel().tolist())) > room:
        raise ValueError(f"a string of {array.dtype.itemsize} bytes is longer than the {room} of the selection's last dimension")
    if room == 0:
        return np.zeros(array.shape + (room,), "S1")
    padded = np.ascontiguousarray(array.astype(f"S{room}"))
    return padded.view("S1").reshape(array.shape + (room,))


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8")
    raise TypeError(f"{value!r} is no text")


def strings_of(chars: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | str:
    """Strings along the last dimension of an array of S1, without the NULs at their ends; one string as str."""
    if chars.ndim == 0:
        return bytes(chars.tobytes()).rstrip(b"\0").decode("utf-8", "surrogateescape")
    room = chars.shape[-1]
    if room == 0:
        texts = np.full(chars.shape[:-1], "", "U1")
    else:
        joined = np.ascontiguousarray(chars).view(f"S{room}").reshape(chars.shape[:-1])
        texts = np.array([b.decode("utf-8", "surrogateescape") for b in joined.ravel().tolist()], "U").reshape(joined.shape)
        if texts.dtype.itemsize == 0:
            texts = texts.astype("U1")
    return str(texts[()]) if texts.ndim == 0 else texts
