"""Basic indices of numpy (integers, slices, Ellipsis) as start, count and stride of the library."""
from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from ._library import MOST


@dataclass(frozen=True)
class Selection:
    """What an index selects."""

    start: tuple[int, ...]
    count: tuple[int, ...]
    stride: tuple[int, ...]  # at least 1
    shape: tuple[int, ...]  # of the array in memory: without the dimensions that an integer selects
    view: tuple[Any, ...]  # index that makes of that array one with the dimensions of `count`, in the order of the file

    @property
    def size(self) -> int:
        return math.prod(self.count)

    @property
    def is_backward(self) -> bool:
        return any(part is not None and part.step is not None for part in self.view)

    @property
    def is_strided(self) -> bool:
        return any(step != 1 and count > 1 for step, count in zip(self.stride, self.count))


def expand(key: Any, ndim: int, name: str) -> list[Any]:
    """An integer or slice for each dimension. Raises IndexError for what is no basic index."""
    parts = list(key) if isinstance(key, tuple) else [key]
    for part in parts:
        if part is None:
            raise IndexError(f"{name}: newaxis is not possible in an index of a variable; add it to the array that was read")
        if isinstance(part, (list, np.ndarray, bool, np.bool_)) and not (isinstance(part, np.ndarray) and part.ndim == 0 and part.dtype.kind in "iu"):
            raise IndexError(f"{name}: an index is of integers, slices and Ellipsis; {type(part).__name__} selects single elements: "
                             "read a slice, and index the array that was read")
    ellipses = sum(part is Ellipsis for part in parts)
    if ellipses > 1:
        raise IndexError(f"{name}: an index can have only one Ellipsis")
    if len(parts) - ellipses > ndim:
        raise IndexError(f"{name}: {len(parts) - ellipses} indices for {ndim} dimensions")
    at = next((i for i, part in enumerate(parts) if part is Ellipsis), len(parts))
    missing = [slice(None)] * (ndim - (len(parts) - ellipses))
    return parts[:at] + missing + parts[at + 1:]


def _as_int(part: Any, name: str) -> int:
    try:
        return operator.index(part)
    except TypeError:
        raise IndexError(f"{name}: an index is of integers, slices and Ellipsis, not of {type(part).__name__}") from None


def select(key: Any, lengths: Sequence[int], name: str, grow: bool = False,
           values: tuple[int, ...] | None = None) -> Selection:
    """What `key` selects of a variable with these lengths. grow: the first dimension is the record dimension, and the
    index may reach beyond its end, as a put may; an open end then leads as far as `values`, the shape of what is put."""
    parts = expand(key, len(lengths), name)
    start: list[int] = []
    count: list[int] = []
    stride: list[int] = []
    shape: list[int] = []
    view: list[Any] = []
    kept = sum(isinstance(part, slice) for part in parts)
    for axis, (part, length) in enumerate(zip(parts, lengths)):
        may_grow = grow and axis == 0
        if isinstance(part, slice):
            first, n, step = _slice(part, length, may_grow, _given(values, kept) if may_grow else None, name)
            shape.append(n)
            view.append(slice(None, None, -1) if step < 0 else slice(None))
            start.append(first + (n - 1) * step if step < 0 and n else first)
            count.append(n)
            stride.append(abs(step))
        else:
            at = _as_int(part, name)
            real = at + length if at < 0 else at
            if real < 0 or (real >= length and not may_grow):
                raise IndexError(f"{name}: index {at} of dimension {axis}, which has {length} elements")
            start.append(real)
            count.append(1)
            stride.append(1)
            view.append(None)
        if may_grow and start[0] + count[0] * stride[0] > MOST:
            raise IndexError(f"{name}: index {part} of dimension 0 is more than 64 bits have")
    return Selection(tuple(start), tuple(count), tuple(stride), tuple(shape), tuple(view))


def _given(values: tuple[int, ...] | None, kept: int) -> int | None:
    """The length of what is put along the first of the `kept` dimensions; None: it has no such dimension."""
    return values[len(values) - kept] if values is not None and len(values) >= kept > 0 else None


def _slice(part: slice, length: int, may_grow: bool, given: int | None, name: str) -> tuple[int, int, int]:
    """First index, number of elements and step."""
    for value in (part.start, part.stop, part.step):
        if value is not None:
            _as_int(value, name)
    step = 1 if part.step is None else operator.index(part.step)
    if step == 0:
        raise IndexError(f"{name}: the step of a slice cannot be 0")
    if may_grow and step > 0:
        first = 0 if part.start is None else operator.index(part.start)
        first = max(first + length, 0) if first < 0 else first
        if part.stop is None:
            there = max(0, -(-(length - first) // step))
            return first, max(there, given or 0), step
        stop = operator.index(part.stop)
        stop = max(stop + length, 0) if stop < 0 else stop
        return first, max(0, -(-(stop - first) // step)), step
    first, stop, step = part.indices(length)
    n = len(range(first, stop, step))
    return (first if n else min(max(first, 0), length)), n, step
