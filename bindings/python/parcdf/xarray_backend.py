"""xarray: engine="parcdf" reads, each rank its slices; to_parcdf writes, each rank its part."""
from __future__ import annotations

import contextlib
import itertools
import math
import os
from typing import Any, Hashable, Iterable, Iterator, Mapping, NamedTuple

import numpy as np
from xarray import DataArray, Dataset, Variable, conventions
from xarray.backends import BackendArray, BackendEntrypoint, CachingFileManager
from xarray.backends.common import AbstractDataStore
from xarray.backends.file_manager import DummyFileManager
from xarray.backends.locks import SerializableLock, ensure_lock
from xarray.backends.store import StoreBackendEntrypoint
from xarray.coding import strings as string_coding
from xarray.core import indexing

from . import _file
from ._comm import Comm, CommLike
from ._errors import Error
from ._library import NC_ENOENT
from ._types import CDF5_ONLY, HAVE_ALL, external_type, one_value

SMALL = 1 << 16  # bytes: what is smaller is written by one rank
PIECE = 1 << 28  # bytes: the most that a rank computes and writes at once
ENCODINGS = {"dtype", "_FillValue", "missing_value", "scale_factor", "add_offset", "units", "calendar", "char_dim_name", "coordinates",
             "grid_mapping", "bounds", "ancillary_variables", "cell_measures", "formula_terms", "_Unsigned", "_Encoding", "unlimited"}
# How netCDF-4 files store values: the words of netCDF4-python, which to_netcdf takes, too.
STORAGES = {"zlib", "complevel", "shuffle", "fletcher32", "contiguous", "chunksizes", "compression", "szip_pixels_per_block", "significant_digits",
            "quantize_mode"}
COMPRESSORS = {"zlib": "deflate", "zstd": "zstd", "szip": "szip"}
QUANTIZERS = {"BitGroom": "bitgroom", "GranularBitRound": "granularbr", "BitRound": "bitround"}
TEXTS = {"units", "calendar", "bounds", "climatology", "coordinates", "grid_mapping", "ancillary_variables", "cell_measures", "formula_terms",
         "cell_methods"}  # whose words xarray understands: see _meant
# Attributes by which values mean something else: missing data and limits (CF 2.5.1), units (3.1), flags (3.5), calendars (4.4.1), packing (8.1),
# _Unsigned (NUG), _Encoding and dtype (xarray).
MEANINGS = {"_FillValue", "missing_value", "valid_min", "valid_max", "valid_range", "actual_range", "units", "calendar", "flag_values", "flag_masks",
            "flag_meanings", "scale_factor", "add_offset", "_Unsigned", "_Encoding", "dtype"}
SPARSE = 4  # how many times more than what is wanted is read rather than many hyperslabs
MANY = 1 << 16  # hyperslabs: the most of one access

# ---- reading


class ParcdfArray(BackendArray):  # type: ignore[misc]
    """The values of a variable, read when they are asked for."""

    def __init__(self, name: str, store: ParcdfDataStore) -> None:
        variable = store.file[name]
        self._name, self._store = name, store
        self.shape, self.dtype = variable.shape, variable.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        if isinstance(key, indexing.VectorizedIndexer):
            return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._get)
        return self._get(key.tuple)  # xarray 2023.1 would lose the last element of a slice such as ::-7

    def _get(self, key: tuple[Any, ...]) -> Any:
        """Integers, slices, and arrays of integers, which select along one dimension each."""
        parts = [_Picks.of(part, length) if isinstance(part, np.ndarray) and part.ndim else part for part, length in zip(key, self.shape)]
        picks = [part for part in parts if isinstance(part, _Picks)]
        with self._store.lock:
            variable = self._store.file[self._name]
            if _is_sparse(parts, picks):
                values = _read_runs(variable, parts)
                indices = [part.places if isinstance(part, _Picks) else None for part in parts if not isinstance(part, (int, np.integer))]
            else:  # what lies between the smallest and the largest
                values = variable.get(tuple(part.range if isinstance(part, _Picks) else part for part in parts))
                indices = [part.wanted - part.range.start if isinstance(part, _Picks) else None for part in parts
                           if not isinstance(part, (int, np.integer))]
        for axis, index in enumerate(indices):
            if index is not None:
                values = values.take(index, axis)
        return values


class _Picks(NamedTuple):
    """Indices along one dimension."""

    wanted: Any  # as they were given, from 0
    range: slice  # from the smallest to the largest
    runs: list[slice]  # those that there are, where one follows the other
    places: Any  # where those wanted are when runs lie one after the other

    @classmethod
    def of(cls, part: Any, length: int) -> _Picks:
        wanted = np.where(part < 0, part + length, part)
        there, places = np.unique(wanted, return_inverse=True)
        cuts = np.flatnonzero(np.diff(there) != 1) + 1
        runs = [slice(int(run[0]), int(run[-1]) + 1) for run in np.split(there, cuts) if run.size]
        return cls(wanted, slice(runs[0].start, runs[-1].stop) if runs else slice(0, 0), runs, places.reshape(wanted.shape))


def _is_sparse(parts: list[Any], picks: list[_Picks]) -> bool:
    """Whether to read the runs alone, each as a hyperslab, which have no steps."""
    if any(isinstance(part, slice) and part.step not in (None, 1, -1) for part in parts):
        return False
    number = math.prod(len(pick.runs) for pick in picks)
    there = math.prod(sum(run.stop - run.start for run in pick.runs) for pick in picks)
    return 1 < number <= MANY and math.prod(pick.range.stop - pick.range.start for pick in picks) > SPARSE * there


def _read_runs(variable: Any, parts: list[Any]) -> Any:
    """The runs of all dimensions with picks, in one access; the array has them one after the other."""
    keys = list(itertools.product(*(part.runs if isinstance(part, _Picks) else [part] for part in parts)))
    ends = [np.cumsum([run.stop - run.start for run in part.runs]).tolist() if isinstance(part, _Picks) else None for part in parts]
    places = itertools.product(*([slice(end - (run.stop - run.start), end) for run, end in zip(part.runs, at)] if at is not None else
                                 [slice(None)] for part, at in zip(parts, ends) if not isinstance(part, (int, np.integer))))
    arrays = variable.get_many(keys)
    kept = [(part, at) for part, at in zip(parts, ends) if not isinstance(part, (int, np.integer))]
    values = np.empty([at[-1] if at is not None else n for (_, at), n in zip(kept, arrays[0].shape)], variable.dtype)
    for place, array in zip(places, arrays):
        values[place] = array
    return values


def _meant(attrs: Mapping[str, Any]) -> dict[str, Any]:
    """Texts end where programs in Fortran and C end them, at blanks or a NUL (src/meaning/meaningtext.h): to xarray "noleap  " is no calendar."""
    return {name: value.split("\0")[0].strip() if name in TEXTS and isinstance(value, str) else value for name, value in attrs.items()}


def _open_alone(path: str, mode: str, hints: tuple[tuple[str, Any], ...]) -> _file.File:
    """What xarray calls again after it closed the file; its arguments are hashed and pickled."""
    return _file.open(path, mode, hints=dict(hints))


class ParcdfDataStore(AbstractDataStore):  # type: ignore[misc]
    """An open file as xarray asks for it. A file of one rank may be closed and opened again whenever xarray thinks fit; one
    of several ranks stays open, as its ranks open and close it together."""

    def __init__(self, manager: Any, lock: Any) -> None:
        self._manager, self.lock = manager, lock

    @classmethod
    def open(cls, path: str, comm: CommLike = None, hints: Mapping[str, Any] | None = None, lock: Any = None) -> ParcdfDataStore:
        who = Comm(comm)
        if "://" not in path:  # the file may be opened again after the folder was changed
            path = os.path.abspath(os.path.expanduser(path))
        lock = SerializableLock(f"parcdf:{path}") if lock is None else ensure_lock(lock)
        if who.size == 1:
            kept = tuple(sorted((hints or {}).items()))
            return cls(CachingFileManager(_open_alone, path, mode="r", kwargs={"hints": kept}, lock=lock), lock)
        file = _file.open(path, "r", who, hints=hints)
        file.begin_independent()
        return cls(DummyFileManager(file), lock)

    @property
    def file(self) -> _file.File:
        """The open file, for those who hold the lock."""
        file: _file.File = self._manager.acquire(needs_lock=False)
        return file

    def get_variables(self) -> dict[str, Any]:
        with self.lock:
            return {name: self._variable(name) for name in self.file.variables}

    def _variable(self, name: str) -> Any:
        variable = self.file[name]
        encoding = {"dtype": variable.dtype, "source": self.file.path, "original_shape": variable.shape}
        return Variable(variable.dimensions, indexing.LazilyIndexedArray(ParcdfArray(name, self)), _meant(variable.attrs), encoding)

    def get_attrs(self) -> dict[str, Any]:
        with self.lock:
            return dict(self.file.attrs)

    def get_dimensions(self) -> dict[str, int]:
        with self.lock:
            return {name: len(dim) for name, dim in self.file.dims.items()}

    def get_encoding(self) -> dict[str, Any]:
        with self.lock:
            record = self.file.record_dim
            return {"unlimited_dims": set() if record is None else {record}}

    def close(self, **_: Any) -> None:
        self._manager.close()


class ParcdfBackendEntrypoint(BackendEntrypoint):  # type: ignore[misc]
    """engine="parcdf" of xarray.open_dataset."""

    description = "netCDF classic files (CDF-1, CDF-2, CDF-5), by the ranks of an MPI communicator"
    available = True
    open_dataset_parameters = ("filename_or_obj", "mask_and_scale", "decode_times", "concat_characters", "decode_coords", "drop_variables",
                               "use_cftime", "decode_timedelta", "group", "comm", "hints", "lock")

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Whether it is the name of a classic file."""
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        try:
            with open(filename_or_obj, "rb") as file:
                start = file.read(4)
        except OSError:
            return False
        return start[:3] == b"CDF" and start[3:] in (b"\1", b"\2", b"\5")

    def open_dataset(self, filename_or_obj: Any, *, mask_and_scale: bool = True, decode_times: bool = True, concat_characters: bool = True,
                     decode_coords: Any = True, drop_variables: Any = None, use_cftime: bool | None = None,
                     decode_timedelta: bool | None = None, group: str | None = None, comm: CommLike = None,
                     hints: Mapping[str, Any] | None = None, lock: Any = None) -> Any:
        """Opens a file. comm: the communicator whose ranks open it together; then each rank reads its slices when it wants.
        All its ranks open it, and all close it. hints: names and values. The rest is xarray's."""
        if group not in (None, "", "/"):
            raise Error(f"{filename_or_obj}: there is no group {group!r}: classic files have no groups")
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            raise Error(f"{filename_or_obj!r} is no path; engine='parcdf' opens files by their names")
        store = ParcdfDataStore.open(os.fspath(filename_or_obj), comm, hints, lock)
        try:
            return StoreBackendEntrypoint().open_dataset(
                store, mask_and_scale=mask_and_scale, decode_times=decode_times, concat_characters=concat_characters,
                decode_coords=decode_coords, drop_variables=drop_variables, use_cftime=use_cftime, decode_timedelta=decode_timedelta)
        except BaseException:
            store.close()
            raise


# ---- writing


def to_parcdf(dataset: Any, path: str | os.PathLike[str], comm: CommLike = None, *, encoding: Mapping[str, Mapping[str, Any]] | None = None,
              format: str = "CDF5", unlimited_dims: str | Iterable[str] | None = None, part: str | None = None,
              hints: Mapping[str, Any] | None = None, mode: str = "w") -> None:
    """Writes a Dataset (or DataArray), encoded as xarray encodes for netCDF. Collective over `comm`.

    Without `part`, every rank gives the same Dataset, perhaps of dask arrays. Each large variable is cut along its largest
    dimension, and each rank computes and writes its share; small ones are written by rank 0. With `part`, the name of a
    dimension, each rank gives its own part of the whole: the parts lie one behind the other along this dimension, in the
    order of the ranks; what has no such dimension is written by rank 0.

    Args:
        encoding: for each variable, what xarray's to_netcdf takes: dtype, _FillValue, scale_factor, units...; of a netCDF-4 file also zlib,
            complevel, shuffle, fletcher32, chunksizes, contiguous, compression ("zlib", "zstd", "szip"), significant_digits.
        format: "CDF5", which has all integers; "CDF1" and "CDF2" store 64-bit integers as int, if they fit; "NETCDF4", "NETCDF4_CLASSIC".
        unlimited_dims: the record dimension; default: that of the file from which the dataset was read.
        hints: for the file.
        mode: "w"; "x" (an error if the file is there); "a": the file, if it is there, keeps what the Dataset does not have, and variables
            that it has, with the same type and dimensions, get new values, of all records. Refused, with the file as it was: what would
            give something that stays another meaning.
    Raises:
        Error: also on the other ranks, if one rank could not compute or write its share; NC_EMULTIDEFINE if the ranks'
            definitions differ, such as units of a time that each rank has encoded for itself. A new file is then removed; an old
            one that mode w was to replace stays; one that was written to in mode a may have some of the new values.
    """
    who = Comm(comm)
    job, fault = None, None
    try:
        if mode not in ("w", "x", "a"):
            raise Error(f"{mode!r} is no mode of to_parcdf; w, x and a are")
        job = _Job(dataset, who, encoding, _format_of(path, mode, format), unlimited_dims, part)
    except Exception as error:
        fault = error
    _agree(who, fault, "encode")
    assert job is not None
    _agree(who, job.measure(who), "encode")
    target = _Target(path, mode, who)
    together: dict[str, Any] = {"pcdf_debug_consistency": "error"} if who.size > 1 and "pcdf_consistency" not in (hints or {}) else {}
    with _file.open(path, mode, who, hints={**together, **target.hints, **(hints or {})}, format=format) as file:
        target.opened(file)
        try:
            job.define(file)
            fault = job.write(file)
            _agree(who, fault, "write")
            file.close()
        except BaseException:
            with contextlib.suppress(Error):  # what was raised before says more
                file.abort()
            target.remove()
            raise


class _Target:
    """What is at a path before it is written to, and what to do about it if that fails: a new file is removed, and an old
    one that it was to replace stays."""

    def __init__(self, path: str | os.PathLike[str], mode: str, who: Comm) -> None:
        self.path, self.is_root = os.fspath(path), who.rank == 0
        mine = os.path.lexists(self.path)
        self.exists = bool(who.allgather(mine)[0][0]) if who.size > 1 else mine
        self.made: tuple[int, int] | None = None
        self.hints: dict[str, Any] = {"pcdf_atomic_create": True} if self.exists and mode == "w" else {}

    def opened(self, file: _file.File) -> None:
        """Remembers the file that is new. A member of a set has no name yet, and goes by abort, as one that is to replace another."""
        if self.is_root and not self.exists and file._is_new:
            with contextlib.suppress(OSError):
                self.made = self._inode()

    def remove(self) -> None:
        """Removes what `opened` has seen, if it still has the name."""
        with contextlib.suppress(OSError, Error):
            if self.made is not None and self.made == self._inode():
                _file.delete(self.path)

    def _inode(self) -> tuple[int, int]:
        found = os.stat(self.path)
        return found.st_dev, found.st_ino


def _format_of(path: str | os.PathLike[str], mode: str, format: str) -> str:
    """The format of what is written: that of the file which is there in mode a."""
    if mode == "a":
        try:
            return _file.file_format(path)
        except Error as error:
            if error.code != NC_ENOENT:
                raise
    return _file.format_name(format)


def _agree(who: Comm, fault: Exception | None, what: str) -> None:
    """Every rank raises if one has a fault."""
    faults = [rank for rank, (bad,) in enumerate(who.allgather(fault is not None)) if bad] if who.size > 1 else []
    if fault is not None:
        raise fault
    if faults:
        raise Error(f"rank {faults[0]} could not {what} its part of the dataset; it has the reason")


class _Share(NamedTuple):
    """What of a variable a rank has: along `axis`, from `first` of the file, `n` elements, from `origin` of the array."""

    axis: int
    first: int
    n: int
    origin: int


class _Job:
    """A dataset that is encoded, and who writes what of it."""

    def __init__(self, dataset: Any, who: Comm, encoding: Mapping[str, Mapping[str, Any]] | None, format: str, unlimited_dims: Any,
                 part: str | None) -> None:
        if isinstance(dataset, DataArray):
            dataset = dataset.to_dataset(name=dataset.name or "__xarray_dataarray_variable__")
        if not isinstance(dataset, Dataset):
            raise Error(f"{type(dataset).__name__} is neither a Dataset nor a DataArray of xarray")
        if part is not None and part not in dataset.dims:
            raise Error(f"the dataset has no dimension {part!r}, along which the ranks' parts would lie")
        self.who, self.part = who, part
        self.record = _record_dim(dataset, unlimited_dims)
        self.is_netcdf4 = format.startswith("NETCDF4")
        self.variables, self.attrs = _encoded(dataset, encoding or {}, format, self.record, part)
        self.coords = sorted(str(name) for name in dataset.coords)
        self.before, self.left = 0, list[str]()
        self.sizes = {str(name): n for name, n in dataset.sizes.items()}
        self.lengths: dict[str, int] = {}
        self.at, self.total = 0, self.sizes.get(part or "", 0)

    def measure(self, who: Comm) -> Exception | None:
        """How long all parts together are, and where that of this rank begins. Returns a fault of this rank. Collective with `part`."""
        widths = self.widths()
        if self.part is not None:
            parts = [n for (n,) in who.allgather(self.total)]
            self.at, self.total = sum(parts[:who.rank]), sum(parts)
            if len({n for (n,) in who.allgather(len(widths))}) > 1:
                raise Error("the datasets of the ranks have different numbers of variables of text")
            widths = dict(zip(widths, map(max, zip(*who.allgather(*widths.values()))))) if widths else widths
        try:
            self.lay_out(widths)
        except Exception as error:
            return error
        return None

    def lay_out(self, widths: Mapping[Any, int]) -> None:
        """Texts as characters, and the dimensions of the file."""
        for name, variable in self.variables.items():
            if variable.dtype.kind == "S":
                self.variables[name] = _characters(variable, widths[variable.encoding.get("char_dim_name") or (name,)])
        for variable in self.variables.values():
            for dim, n in zip(variable.dims, variable.shape):
                if self.lengths.setdefault(dim, n) != n:
                    raise Error(f"dimension {dim} has the length {self.lengths[dim]}, and {n} by another variable")
        if self.record is not None:
            self.lengths.setdefault(self.record, self.sizes[self.record])
        if self.part is not None:
            self.lengths[self.part] = self.total

    def widths(self) -> dict[Any, int]:
        """How many bytes the longest text has: of a dimension, where the encoding gives one, or else of a variable."""
        found: dict[Any, int] = {}
        for name, variable in self.variables.items():
            if variable.dtype.kind == "S":
                key = variable.encoding.get("char_dim_name") or (name,)
                found[key] = max(found.get(key, 1), variable.dtype.itemsize)
        return found

    def define(self, file: _file.File) -> None:
        self.before, self.left = file.records, [name for name in file.variables if name not in self.variables]
        self.check(file)
        file.redef()
        file.attrs.update(self.attrs)
        for name, length in self.lengths.items():
            if name not in file.dims:
                file.def_dim(name, None if name == self.record or length == 0 else length)
        for name, variable in self.variables.items():
            attrs = dict(variable.attrs)
            type_ = external_type("S1" if variable.dtype.kind == "S" else variable.dtype)
            if name in file:
                made = _same_variable(file[name], type_.name, variable.dims, attrs)
            else:
                made = file.def_var(name, type_.name, variable.dims)
                if self.is_netcdf4:
                    _store(made, variable.encoding)
            if "_FillValue" in attrs:
                made.attrs.set("_FillValue", attrs.pop("_FillValue"), made.dtype)
            made.attrs.update(attrs)
        file.enddef()

    def check(self, file: _file.File) -> None:
        """Raises Error if something that stays in the file would get another meaning. Nothing is changed yet. Collective."""
        there = {name: file[name][...] for name in self.coords if name in file and self.meant_by(file, name)}
        fault: Exception | None = None
        try:
            self.check_lengths(file)
            self.check_bounds(file)
            for name, values in there.items():
                self.check_coordinate(file, name, values)
        except Error as error:
            fault = error
        _agree(self.who, fault, "append")

    def meant_by(self, file: _file.File, coordinate: str) -> list[str]:
        """The variables that stay in the file and lie at this coordinate."""
        dims = set(self.variables[coordinate].dims)
        return [name for name in self.left if dims and dims <= set(file[name].dimensions)]

    def check_lengths(self, file: _file.File) -> None:
        for name, length in self.lengths.items():
            if name not in file.dims:
                continue
            there = len(file.dims[name])
            if length != there and not file.dims[name].is_unlimited:
                raise Error(f"{file.path}: dimension {name} has the length {there}, and {length} in the dataset")
            if length < there:
                raise Error(f"{file.path}: there are {there} records along {name}, and {length} in the dataset: the others would keep their "
                            "values, and get the units and the packing of the new ones; give all records, or write them by Variable.put")

    def check_bounds(self, file: _file.File) -> None:
        """CF 7.1: bounds, and those of a climatology (7.4), have the units of their variable."""
        for name, variable in self.variables.items():
            old = _meant(file[name].attrs) if name in file else {}
            changed = {key for key in ("units", "calendar") if old.get(key) != variable.attrs.get(key)}
            for kind in ("bounds", "climatology"):
                other = str(old.get(kind, ""))
                if other in self.left and not changed <= set(file[other].attrs):
                    raise Error(f"{file.path}: {' and '.join(sorted(changed))} of {name} change, also for {other}, which stays; give both")

    def check_coordinate(self, file: _file.File, name: str, values: Any) -> None:
        """What is there stays where it is: the coordinates in the file are those of the dataset."""
        new = self.variables[name]
        old = Variable(file[name].dimensions, values, _meant(file[name].attrs))
        if new.dims != old.dims:
            return  # refused as another variable of this name
        first = {dim: self.at if dim == self.part else 0 for dim in new.dims}
        old = old.isel({dim: slice(first[dim], first[dim] + n) for dim, n in new.sizes.items()})
        new = new.isel({dim: slice(0, n) for dim, n in old.sizes.items()})
        was, is_ = (conventions.decode_cf_variable(name, one.copy(deep=False)) for one in (old, new))
        if not was.equals(is_):
            raise Error(f"{file.path}: the coordinate {name} changes, at which {', '.join(self.meant_by(file, name))}, which stays, lies; "
                        "give both, or write to another file")

    def share(self, variable: Any, rank: int) -> _Share | None:
        """What a rank writes; None: nothing, or, with an axis of -1, all of a variable that is not cut."""
        if self.part in variable.dims:
            axis = variable.dims.index(self.part)
            return _Share(axis, self.at, variable.shape[axis], 0)
        if self.part is not None or variable.nbytes < SMALL or variable.ndim == 0 or self.who.size == 1:
            return _Share(-1, 0, 0, 0) if rank == 0 else None
        axis = int(np.argmax(variable.shape))
        n = variable.shape[axis]
        first, end = n * rank // self.who.size, n * (rank + 1) // self.who.size
        return _Share(axis, first, end - first, first)

    def write(self, file: _file.File) -> Exception | None:
        """All variables. After a fault the rank still takes part in the puts, with nothing to put."""
        fault: Exception | None = None
        for name, variable in self.variables.items():
            share = self.share(variable, self.who.rank)
            pieces = list(self.pieces(variable, share)) if share is not None and fault is None else []
            number = self.most_pieces(variable)
            for i in range(number):
                piece = pieces[i] if i < len(pieces) else None
                fault = _put(file[name], piece, variable, fault)
        for name in self.left:  # new records of variables that the dataset does not have are fill values
            for record in range(self.before, file.records if file[name].is_record else 0):
                file[name].fill_record(record)
        return fault

    def most_pieces(self, variable: Any) -> int:
        """In how many puts the rank with the most writes a variable. The same on all ranks."""
        if self.part in variable.dims:
            mine = self.who.allgather(_number(variable.nbytes)) if self.who.size > 1 else [[_number(variable.nbytes)]]
            return max(n for (n,) in mine)
        return max(_number(_bytes(variable, self.share(variable, rank))) for rank in range(self.who.size))

    def pieces(self, variable: Any, share: _Share) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
        """Where in the file, and from where in the array, in pieces along the first dimension that is long enough."""
        shape = list(variable.shape)
        origin = [0] * variable.ndim
        at = [0] * variable.ndim
        if share.axis >= 0:
            shape[share.axis], origin[share.axis], at[share.axis] = share.n, share.origin, share.first
        number = _number(_bytes(variable, share))
        axis = int(np.argmax(shape)) if shape else 0
        for i in range(number):
            low, high = (shape[axis] * i // number, shape[axis] * (i + 1) // number) if shape else (0, 0)
            cut = [(low, high) if d == axis else (0, n) for d, n in enumerate(shape)]
            yield (tuple(slice(at[d] + a, at[d] + b) for d, (a, b) in enumerate(cut)),
                   tuple(slice(origin[d] + a, origin[d] + b) for d, (a, b) in enumerate(cut)))


def _same_variable(there: Any, type_: str, dims: tuple[str, ...], attrs: dict[str, Any]) -> Any:
    """A variable of the file that gets new values. What the file says of the meaning of the old ones goes, unless it is said of
    the new ones, too; a _FillValue that is the same is taken from `attrs`."""
    if (there.type, there.dimensions) != (type_, dims):
        raise Error(f"{there.file.path}: variable {there.name} is {there.type}{there.dimensions}, and {type_}{dims} in the dataset")
    for key in MEANINGS.intersection(there.attrs).difference(attrs):
        del there.attrs[key]
    if "_FillValue" in attrs and "_FillValue" in there.attrs:
        old, new = there.attrs["_FillValue"], attrs["_FillValue"]
        if old == new or (old != old and new != new):
            del attrs["_FillValue"]
    return there


def _bytes(variable: Any, share: _Share | None) -> int:
    if share is None:
        return 0
    if share.axis < 0 or variable.shape[share.axis] == 0:
        return int(variable.nbytes)
    return int(variable.nbytes // variable.shape[share.axis] * share.n)


def _number(size: int) -> int:
    return max(1, -(-size // PIECE))


def _put(target: Any, piece: Any, variable: Any, fault: Exception | None) -> Exception | None:
    """One collective put; returns the first fault of this rank."""
    try:
        if piece is None or fault is not None:
            raise _Nothing
        where, whence = piece
        values = np.asarray(variable[whence].data if whence else variable.data)  # computes a dask array
    except Exception as error:
        if target.ndim:
            target.put((slice(0, 0),) * target.ndim, np.zeros((0,) * target.ndim, target.dtype))
        else:
            target._attend("put")
        return fault if isinstance(error, _Nothing) else error
    try:
        target.put(where, values)
    except Exception as error:
        return error
    return None


class _Nothing(Exception):
    """This rank has nothing to put here."""


def _record_dim(dataset: Any, given: Any) -> str | None:
    if given is None:
        given = dataset.encoding.get("unlimited_dims") or ()
        given = [name for name in ([given] if isinstance(given, str) else given) if name in dataset.dims]
    names = [given] if isinstance(given, str) else list(given)
    if len(names) > 1:
        raise Error(f"{len(names)} dimensions are to be unlimited, but a classic file has one record dimension")
    for name in names:
        if name not in dataset.dims:
            raise Error(f"there is no dimension {name!r}, which is to be unlimited")
    return str(names[0]) if names else None


def _compressor(encoding: Mapping[str, Any]) -> Any:
    """The word of netCDF4-python for how a variable is compressed; None: it is not."""
    word = encoding.get("compression") or ("zlib" if encoding.get("zlib") else None)
    return None if word in ("zlib", "zstd") and encoding.get("complevel", 4) == 0 else word


def _inherited(variable: Any, words: set[str], record: str | None, part: str | None) -> dict[str, Any]:
    """Of what the file said from which the variable was read, what suits the new one. The same on all ranks, whose parts have other shapes."""
    old = variable.encoding
    kept = {key: value for key, value in old.items() if key in words}
    word = "zstd" if old.get("zstd") is True else "szip" if isinstance(old.get("szip"), dict) else _compressor(kept)
    if word in COMPRESSORS and "compression" in words:
        kept["compression"] = word
    else:
        kept.pop("compression", None)
    chunks = kept.get("chunksizes") or ()
    same = len(chunks) == variable.ndim and tuple(old.get("original_shape", variable.shape)) == variable.shape
    if not same or part in variable.dims or any(c > n and dim != record for dim, c, n in zip(variable.dims, chunks, variable.shape)):
        kept.pop("chunksizes", None)
    if record in variable.dims:
        kept.pop("contiguous", None)
    return kept


def _store(made: Any, encoding: Mapping[str, Any]) -> None:
    """How a new variable of a netCDF-4 file is stored. As in netCDF4-python, a scalar has neither chunks nor filters."""
    word, chunks, digits = _compressor(encoding), encoding.get("chunksizes"), encoding.get("significant_digits")
    if made.ndim == 0:
        return
    if chunks is not None:
        characters = made.shape[-1:] if made.dtype.kind == "S" and len(chunks) == made.ndim - 1 else ()
        made.set_chunks((*chunks, *characters))
    elif encoding.get("contiguous") and word is None and not encoding.get("fletcher32"):
        made.set_contiguous()
    if word is not None:
        if word not in COMPRESSORS:
            raise Error(f"encoding of {made.name!r}: compression {word!r} is none of {', '.join(COMPRESSORS)}")
        level = encoding.get("szip_pixels_per_block", 8) if word == "szip" else encoding.get("complevel", 4)
        made.compress(COMPRESSORS[word], level, bool(encoding.get("shuffle", True)) and word != "szip")
    if encoding.get("fletcher32"):
        made.set_checksums()
    if digits:
        mode = encoding.get("quantize_mode", "BitGroom")
        if mode not in QUANTIZERS:
            raise Error(f"encoding of {made.name!r}: quantize_mode {mode!r} is none of {', '.join(QUANTIZERS)}")
        made.quantize(QUANTIZERS[mode], digits)


def _encoded(dataset: Any, encoding: Mapping[str, Mapping[str, Any]], format: str, record: str | None,
             part: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Variables and attributes as the file has them."""
    is_netcdf4 = format.startswith("NETCDF4")
    words = ENCODINGS | STORAGES if is_netcdf4 else ENCODINGS
    variables, attrs = conventions.encode_dataset_coordinates(dataset)
    variables = {name: variable.copy(deep=False) for name, variable in variables.items()}
    for name, given in encoding.items():
        if name not in variables:
            raise Error(f"encoding names {name!r}, which is no variable of the dataset")
        unknown = set(given) - words
        if unknown:
            what = "parcdf knows" if is_netcdf4 else "a classic file has"
            raise Error(f"encoding of {name!r}: {what} no {', '.join(sorted(unknown))}")
        variables[name].encoding = dict(given)
    for name, variable in variables.items():
        if name not in encoding:
            variable.encoding = _inherited(variable, words, record, part)
    for variable in variables.values():
        _need_fill(variable)
    variables, attrs = conventions.cf_encoder(variables, attrs)
    encoded = {_text(name, "variable"): _stored(_text(name, "variable"), variable, format) for name, variable in variables.items()}
    return encoded, {_text(key, "attribute"): _attribute(value, f"attribute {key}") for key, value in attrs.items()}


def _need_fill(variable: Any) -> None:
    """Missing values that are to become integers need a _FillValue; xarray would store whatever the processor makes of NaN. Of a
    dask array nobody knows yet whether it has some."""
    encoding = variable.encoding
    kind = np.dtype(encoding["dtype"]).kind if encoding.get("dtype") not in (None, str) else ""
    given = any(holder.get(name) is not None for holder in (encoding, variable.attrs) for name in ("_FillValue", "missing_value"))
    if kind not in ("i", "u") or given or variable.dtype.kind not in "fmM" or variable.chunks is not None:
        return
    if variable.isnull().any():
        encoding["_FillValue"] = external_type(encoding["dtype"]).fill


def _text(name: Hashable, what: str) -> str:
    if not isinstance(name, str):
        raise Error(f"the name {name!r} of a {what} is no text")
    return name


def _attribute(value: Any, what: str) -> Any:
    """An attribute that a classic file can have: lists of texts are joined by newlines, as xarray does for netCDF-3."""
    if isinstance(value, (str, bytes)):
        return value
    array = np.asarray(value)
    if array.dtype.kind in "SUO" and array.ndim and all(isinstance(v, (str, bytes)) for v in array.ravel().tolist()):
        return "\n".join(v if isinstance(v, str) else v.decode() for v in array.ravel().tolist())
    if array.dtype.kind in "SU":
        return array.item()
    if array.dtype.kind not in "biuf":
        raise Error(f"{what}: {value!r} cannot be stored in a classic file")
    return value


def _stored(name: str, variable: Any, format: str) -> Any:
    """A variable whose values have a type of the format: text as bytes, 64-bit integers of CDF-1 and CDF-2 as int."""
    if variable.dtype.kind in "OUT":
        variable = _encoded_texts(name, variable)
    attrs = {_text(key, "attribute"): _attribute(value, f"attribute {key}") for key, value in variable.attrs.items()}
    data = variable.data
    if data.dtype.kind == "b":
        data = data.astype("i1")
    if data.dtype.kind != "S" and data.dtype.kind in "iuf":
        if data.dtype.itemsize == 2 and data.dtype.kind == "f":
            data = data.astype("f4")
        row = external_type(data.dtype)
        if format not in HAVE_ALL and row.name in CDF5_ONLY:
            data = _narrowed(data, row.name)
            row = external_type(data.dtype)
            attrs = {k: (one_value(v, row, k)[0] if k in ("_FillValue", "missing_value") and np.size(v) == 1 else v) for k, v in attrs.items()}
    elif data.dtype.kind != "S":
        raise Error(f"{name}: values of numpy's {data.dtype} cannot be stored in a classic file")
    return Variable(variable.dims, data, attrs, variable.encoding, fastpath=True)


def _characters(variable: Any, width: int) -> Any:
    """A variable of texts as one of characters, `width` for each text."""
    if variable.dtype.itemsize != width:
        variable = variable.copy(deep=False, data=variable.data.astype(f"S{width}"))
    dim = variable.encoding.get("char_dim_name") or f"string{width}"
    return Variable((*variable.dims, dim), string_coding.bytes_to_char(variable.data), variable.attrs, variable.encoding)


def _encoded_texts(name: str, variable: Any) -> Any:
    """Texts of any length (netCDF-4's strings, numpy's str) as bytes, all equally long."""
    values = np.asarray(variable.data)
    texts = values.ravel().tolist()
    wrong = [text for text in texts if not isinstance(text, (str, bytes))]
    if wrong:
        raise Error(f"{name}: {wrong[0]!r} among texts cannot be stored in a classic file")
    attrs, encoding = dict(variable.attrs), dict(variable.encoding)
    if values.dtype.kind != "O" or any(isinstance(text, str) for text in texts) or encoding.get("dtype") is str:
        code = encoding.pop("_Encoding", "utf-8")
        attrs["_Encoding"] = code
        texts = [text.encode(code) if isinstance(text, str) else text for text in texts]
    if "_FillValue" in attrs and len(attrs["_FillValue"]) > 1:
        raise Error(f"{name}: _FillValue {attrs['_FillValue']!r}: of characters it is one byte")
    return Variable(variable.dims, np.array(texts, "S").reshape(values.shape), attrs, encoding)


def _narrowed(data: Any, name: str) -> Any:
    """Integers of a CDF-5 type as those of CDF-1: the next larger signed type, at most int."""
    to = {"ubyte": "i2", "ushort": "i4"}.get(name, "i4")
    values = np.asarray(data)
    limits = np.iinfo(to)
    if values.size and (int(values.min()) < limits.min or int(values.max()) > limits.max):
        raise Error(f"there are values of type {name} that do not fit into int; the format CDF5 has them")
    return values.astype(to)
