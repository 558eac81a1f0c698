"""The modes of a file: define, collective, independent. Changes of the mode are collective, so they happen only where every
rank is: at definitions and in `with`, and at a put or get only in define mode, which all ranks enter together."""
from __future__ import annotations

import warnings

from ._errors import Error, FileWarning
from ._handle import Handle
from ._library import last_error


def in_define_mode(h: Handle) -> None:
    if h.is_defining:
        return
    if h.is_independent:
        raise Error(f"{h.path}: definitions cannot change in independent mode; leave `with file.independent()` first")
    h.call("ncmpi_redef")
    h.is_defining = True


def leave_define_mode(h: Handle, name: str, *sizes: int) -> None:
    """A difference between ranks is no error: the definitions of rank 0 count. It is a warning."""
    before = last_error()
    h.call(name, *sizes)
    h.is_defining = False
    after = last_error()
    if after != before and "definitions differ between ranks; " in after:
        warnings.warn(f"{h.path}: {after}", FileWarning, stacklevel=4)  # may raise


def in_data_mode(h: Handle) -> None:
    if h.is_defining:
        leave_define_mode(h, "ncmpi_enddef")
