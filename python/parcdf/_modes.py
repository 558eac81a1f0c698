"""The modes of a file: define, collective, independent. Changes of the mode are collective, so they happen only where every
rank is: at definitions and in `with`, and at a put or get only in define mode, which all ranks enter together."""
from __future__ import annotations

from ._errors import Error
from ._handle import Handle


def in_define_mode(h: Handle) -> None:
    if h.is_defining:
        return
    if h.is_independent:
        raise Error(f"{h.path}: definitions cannot change in independent mode; leave `with file.independent()` first")
    h.call("ncmpi_redef")
    h.is_defining = True


def in_data_mode(h: Handle) -> None:
    if h.is_defining:
        h.call("ncmpi_enddef")
        h.is_defining = False
