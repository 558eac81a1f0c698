"""Nonblocking puts and gets."""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from ._errors import Error
from ._transfer import DELIVERED


class Request:
    """A put or get that was posted and is carried out by `wait`, of this request or of the file.

    Attributes:
        array: iget: the array that has the values after the wait. iput: the array that must not change before it.
        arrays: the same for iget_many and iput_many: the arrays of the hyperslabs, which are parts of `array`.
    """

    array: np.ndarray[Any, Any]
    arrays: Sequence[np.ndarray[Any, Any]]

    def __init__(self, file: Any, number: int, what: str, array: np.ndarray[Any, Any], arrays: Sequence[np.ndarray[Any, Any]],
                 finish: Callable[[], None] | None = None) -> None:
        self._file, self._number, self._what, self._finish = file, number, what, finish
        self.array, self.arrays = array, arrays
        self._is_done = False
        self._error: Error | None = None

    @property
    def is_done(self) -> bool:
        """Whether a wait, or cancel, has ended it."""
        return self._is_done

    def wait(self) -> np.ndarray[Any, Any]:
        """Carries it out, and returns the array. As File.wait: collective, or local in independent mode. Raises Error if it
        failed or was cancelled, also before."""
        self._file.wait([self])
        return self.result

    @property
    def result(self) -> np.ndarray[Any, Any]:
        """The array, once the request is done. Raises Error if it is not, or if it failed."""
        if not self._is_done:
            raise Error(f"{self._what}: the request has not been waited for")
        if self._error is not None:
            raise self._error
        return self.array

    def _ended(self, error: Error | None) -> None:
        self._is_done, self._error = True, error
        if self._finish is not None and (error is None or error.code in DELIVERED):
            self._finish()
        self._finish = None

    def __repr__(self) -> str:
        return f"<parcdf.Request {self._what}, {'done' if self._is_done else 'pending'}>"
