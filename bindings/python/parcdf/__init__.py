"""parcdf: the ranks of an MPI program read and write one netCDF classic file together.

    import numpy as np, parcdf

    with parcdf.create("rows.nc", comm="world") as f:
        f.def_dim("y", f.comm.size)
        f.def_dim("x", 3)
        a = f.def_var("a", "float", ("y", "x"), attrs={"units": "m"})
        a[f.comm.rank] = np.arange(3)

The library is libparcdf, which is loaded at the first use (PARCDF_LIBRARY names another one). mpi4py is not needed.
xarray.open_dataset(path, engine="parcdf", comm=...) and parcdf.to_parcdf(dataset, path, comm=...) are in xarray's words.
"""
from __future__ import annotations

from typing import Any

from ._checkpoints import Restart, checkpoint, repair, restart_find, set_abort, set_begin, set_commit, set_progress, wait
from ._comm import Comm
from ._errors import Error, FileWarning, LibraryError
from ._file import Dimension, File, create, delete, file_format, open
from ._library import last_error, library_path, mpi_version, version
from ._request import Request
from ._variable import Variable
from ._version import __version__

__all__ = ["Comm", "Dimension", "Error", "File", "FileWarning", "LibraryError", "Request", "Restart", "Variable", "__version__",
           "checkpoint", "create", "delete", "file_format", "last_error", "library_path", "mpi_version", "open", "repair", "restart_find",
           "set_abort", "set_begin", "set_commit", "set_progress", "to_parcdf", "version", "wait"]


def to_parcdf(dataset: Any, path: Any, comm: Any = None, **options: Any) -> None:
    """Writes a Dataset of xarray: see parcdf.xarray_backend.to_parcdf. Needs xarray."""
    from .xarray_backend import to_parcdf as write

    write(dataset, path, comm, **options)
