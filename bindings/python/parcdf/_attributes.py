"""Attributes of a file or of a variable, as a mapping."""
from __future__ import annotations

import ctypes
from typing import Any, Iterator, MutableMapping

import numpy as np

from ._errors import Error
from ._handle import Handle
from ._library import NC_ENOTATT, NC_ENOTINDEFINE, NC_ERANGE, NO_SUCH_NAME, c_text, name_of
from ._types import BY_CODE, BY_NAME, CDF5_ONLY, CHAR, HAVE_ALL, ExternalType, as_array, as_numbers, external_type, one_value
from ._modes import in_define_mode

NAME_SIZE = 257


class Attributes(MutableMapping[str, Any]):
    """The attributes of a file or a variable: `attrs["units"] = "K"`, `attrs["units"]`, `del attrs["units"]`.

    Text is str, without NULs at its end; one number is a numpy scalar, several are an array. All ranks set and delete the same attributes, with the same
    values; every rank may read them. Types: str and bytes become char; Python's int becomes int, or int64 if it is too
    large; float becomes double; bool becomes byte; numpy's numbers keep their type; _FillValue has that of its variable. `set` takes a type.
    """

    def __init__(self, handle: Handle, varid: int, format_: str, row: ExternalType | None = None) -> None:
        self._handle, self._varid, self._format, self._row = handle, varid, format_, row

    def __len__(self) -> int:
        h = self._handle
        if self._varid >= 0:
            return h.number("ncmpi_inq_varnatts", self._varid)
        number = ctypes.c_int()
        h.call("ncmpi_inq", None, None, ctypes.byref(number), None)
        return number.value

    def __iter__(self) -> Iterator[str]:
        for i in range(len(self)):
            name = ctypes.create_string_buffer(NAME_SIZE)
            self._handle.call("ncmpi_inq_attname", self._varid, i, name)
            yield name_of(name)

    def _inquire(self, name: str) -> tuple[ExternalType, int]:
        if not isinstance(name, str):
            raise KeyError(name)
        code, length = ctypes.c_int(), ctypes.c_longlong()
        try:
            self._handle.call("ncmpi_inq_att", self._varid, c_text(name), ctypes.byref(code), ctypes.byref(length))
        except Error as error:
            if error.code == NC_ENOTATT or error.code in NO_SUCH_NAME:
                raise KeyError(name) from None
            raise
        return BY_CODE[code.value], length.value

    def type(self, name: str) -> str:
        """The external type of an attribute, such as "short"."""
        return self._inquire(name)[0].name

    def __getitem__(self, name: str) -> Any:
        row, length = self._inquire(name)
        values = np.empty(length, row.dtype)
        self._handle.call("ncmpi_get_att", self._varid, c_text(name), values.ctypes.data)
        if row is CHAR:
            return values.tobytes().rstrip(b"\0").decode("utf-8", "surrogateescape")
        return values[0] if length == 1 else values

    def __setitem__(self, name: str, value: Any) -> None:
        self.set(name, value)

    def set(self, name: str, value: Any, type: Any = None) -> None:
        """Sets an attribute, of the external type `type` if one is given. Replicated; enters define mode if it must."""
        row = None if type is None else external_type(type)
        if name == "_FillValue" and row is None and self._row is not None:
            row, value = self._row, one_value(value, self._row, f"attribute {name}")
        if isinstance(value, (str, bytes)) or row is CHAR or np.asarray(value).dtype.kind in "SU":
            self._set_text(name, value, row)
        else:
            self._set_numbers(name, value, row)

    def _set_text(self, name: str, value: Any, row: ExternalType | None) -> None:
        if isinstance(value, np.ndarray) and value.dtype == CHAR.dtype and value.ndim == 1 and row is CHAR:
            value = value.tobytes()  # characters; without a type they would be texts of one letter
        elif isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if row is not None and row is not CHAR:
            raise Error(f"attribute {name}: {value!r} is text, not of the type {row.name}")
        if not isinstance(value, (str, bytes)):
            raise Error(f"attribute {name}: {value!r} is not one text, and the format has no lists of texts")
        text = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else bytes(value)
        self._put("ncmpi_put_att_text", name, len(text), text)

    def _set_numbers(self, name: str, value: Any, row: ExternalType | None) -> None:
        try:
            values = np.ascontiguousarray(as_numbers(as_array(value, row))).ravel()
        except TypeError as error:
            raise Error(f"attribute {name}: {error}") from None
        except OverflowError as error:
            raise Error(f"attribute {name}: {error}", NC_ERANGE, "NC_ERANGE") from None
        if row is None:
            row = self._natural(value, values)
        if values.dtype.kind in "iu" and row.dtype.kind in "iu":
            limits = np.iinfo(row.dtype)
            if values.size and not (limits.min <= int(values.min()) and int(values.max()) <= limits.max):
                raise Error(f"attribute {name}: {value!r} does not fit into {row.name}", NC_ERANGE, "NC_ERANGE")
        memory = external_type(values.dtype)
        self._put(f"ncmpi_put_att_{memory.suffix}", name, row.code, len(values), values.ctypes.data)

    def _natural(self, value: Any, values: np.ndarray[Any, Any]) -> ExternalType:
        """The type for values that came without one."""
        row = external_type(values.dtype)
        if np.asarray(value).dtype.kind == "b":
            return row
        is_python = not isinstance(value, (np.ndarray, np.generic))
        fits = values.dtype.kind in "iu" and (values.size == 0 or (int(values.min()) >= -2**31 and int(values.max()) < 2**31))
        if fits and (is_python or (row.name in CDF5_ONLY and self._format not in HAVE_ALL)):
            return BY_NAME["int"]
        return row

    def _put(self, function: str, name: str, *args: Any) -> None:
        h = self._handle
        try:
            h.call(function, self._varid, c_text(name), *args)
        except Error as error:
            if error.code != NC_ENOTINDEFINE:
                raise
            in_define_mode(h)
            h.call(function, self._varid, c_text(name), *args)

    def __delitem__(self, name: str) -> None:
        self._inquire(name)
        in_define_mode(self._handle)
        self._handle.call("ncmpi_del_att", self._varid, c_text(name))

    def rename(self, name: str, to: str) -> None:
        """Gives an attribute another name. Replicated."""
        self._inquire(name)
        in_define_mode(self._handle)
        self._handle.call("ncmpi_rename_att", self._varid, c_text(name), c_text(to))

    def __repr__(self) -> str:
        return f"<attributes {dict(self)!r}>"
