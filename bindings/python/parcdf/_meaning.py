"""Which stored numbers stand for no value, by the attributes of their variable: what src/meaning/meaningvalues.h says, in numpy."""
from __future__ import annotations

import math
from typing import Any, Mapping

import numpy as np

Array = np.ndarray[Any, Any]
RANKS = {"i1": 1, "u1": 1, "i2": 2, "u2": 2, "i4": 3, "u4": 3, "i8": 4, "u8": 4, "f4": 5, "f8": 6}


def _rank(numbers: Array | None) -> int:
    return 0 if numbers is None else RANKS[numbers.dtype.str[1:]]


def _exact(number: Any, dtype: np.dtype[Any]) -> Any:
    """A number as the dtype has it: the same integer, the nearest float. None: there is no such."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            made = dtype.type(number)
        return None if np.isinf(made) and not math.isinf(number) else made
    if isinstance(number, float):
        if not number.is_integer():
            return None
        number = int(number)
    limits = np.iinfo(dtype)
    return dtype.type(number) if limits.min <= number <= limits.max else None


class Meaning:
    """Of a variable of numbers; dtype: as it stores them, of this machine."""

    def __init__(self, attrs: Mapping[str, Any], dtype: np.dtype[Any], default: Any) -> None:
        self._attrs, self._dtype = attrs, dtype
        scale, offset = (self._one(name) for name in ("scale_factor", "add_offset"))
        self._is_packed = scale is not None or offset is not None
        self._scale = 1.0 if scale is None else float(scale[0])
        self._offset = 0.0 if offset is None else float(offset[0])
        self._unpacked = max(_rank(scale), _rank(offset))
        self._is_float = self._is_packed and dtype.str[1:] != "f8" and all(a is None or a.dtype.str[1:] == "f4" for a in (scale, offset))
        both = self._numbers("valid_range")
        self._least: Array | None
        self._most: Array | None
        if both is not None and both.size == 2:
            self._least, self._most = both[:1], both[1:]
        else:
            self._least, self._most = self._one("valid_min"), self._one("valid_max")
        self._read = self._read_as()
        fills = self._stored("_FillValue")
        self._missing = fills + self._stored("missing_value")
        if not fills and dtype.itemsize > 1:
            self._missing.append(np.asarray(default, dtype).view(self._read)[()])

    def _numbers(self, name: str) -> Array | None:
        value = self._attrs.get(name)
        if value is None or isinstance(value, (str, bytes)):
            return None
        numbers = np.asarray(value).ravel()
        return numbers if numbers.size and numbers.dtype.kind in "iuf" else None

    def _one(self, name: str) -> Array | None:
        numbers = self._numbers(name)
        return numbers if numbers is not None and numbers.size == 1 else None

    def _read_as(self) -> np.dtype[Any]:
        """With or without a sign: by _Unsigned (NUG Appendix B), or by the limits of bytes (CF 1.11 2.2)."""
        sign = self._attrs.get("_Unsigned")
        word = sign.split("\0")[0].strip().lower() if isinstance(sign, str) else ""
        if self._dtype.kind in "iu" and word in ("true", "false"):
            return np.dtype(f"{'u' if word == 'true' else 'i'}{self._dtype.itemsize}")
        if self._dtype.str[1:] == "i1" and self._most is not None and not self._is_of_values(self._most):
            least, most = 0 if self._least is None else self._low_stored(self._least), self._most[0].item()
            is_byte = self._most.dtype.str[1:] == "i1"
            if least >= 0 and (self._least is not None and most < 0 if is_byte else 127 < most <= 255):
                return np.dtype("u1")
        return self._dtype

    def _low_stored(self, least: Array) -> Any:
        """A lower limit as a stored number, but for its size: what counts is whether it is below 0."""
        return least[0].item() - (self._offset if self._is_of_values(least) else 0)

    def _as_stored(self, number: Any) -> Any:
        """As it is read, -1 and 255 of an unsigned byte are the same. None: no stored number is it."""
        made = _exact(number.item(), self._dtype)
        if made is not None:
            return np.asarray(made).view(self._read)[()]
        return _exact(number.item(), self._read)

    def _stored(self, name: str) -> list[Any]:
        numbers = self._numbers(name)
        made = [] if numbers is None else [self._as_stored(number) for number in numbers]
        return [one for one in made if one is not None]

    def _is_of_values(self, limit: Array) -> bool:
        """Is the limit one of unpacked values (NUG, valid_range)?"""
        rank = _rank(limit)
        is_real = limit.dtype.kind == "f" and self._dtype.kind != "f"
        return self._is_packed and (is_real or (rank == self._unpacked and rank > RANKS[self._dtype.str[1:]]))

    def mask(self, values: Array) -> Array:
        """Which elements stand for no value."""
        read = values.view(self._read)
        mask = np.zeros(values.shape, bool)
        for one in self._missing:
            mask |= np.isnan(read) if one != one else read == one
        for limit, is_least in ((self._least, True), (self._most, False)):
            if limit is not None and limit[0] == limit[0]:
                mask |= self._beyond(read, limit, is_least)
        return mask

    def _beyond(self, read: Array, limit: Array, is_least: bool) -> Array:
        numbers, number = read, self._as_stored(limit[0])
        if self._is_of_values(limit):
            is_float = self._is_float or limit.dtype.str[1:] == "f4"
            numbers = (read.astype("f8") * self._scale + self._offset).astype("f4" if is_float else "f8")
            with np.errstate(over="ignore"):
                number = numbers.dtype.type(limit[0])
        elif number is None and read.dtype.kind == "f":
            number = limit[0].astype("f8")
        elif number is None:  # an integer beside it, or all or none
            bounds, real = np.iinfo(read.dtype), limit[0].item()
            if real > bounds.max or real < bounds.min:
                return np.full(read.shape, (real > bounds.max) == is_least)
            number = read.dtype.type(math.ceil(real) if is_least else math.floor(real))
        beyond: Array = numbers < number if is_least else numbers > number
        return beyond

    @property
    def fill(self) -> Any:
        """What stands for a missing element when it is written, as the variable stores it; None: bytes may have none."""
        for one in self._missing:
            return np.asarray(one).view(self._dtype)[()]
        return None
