"""Files: open, create, definitions, modes."""
from __future__ import annotations

import contextlib
import ctypes
import os
import warnings
from typing import Any, Callable, Iterable, Iterator, Mapping

from ._attributes import NAME_SIZE, Attributes
from ._comm import Comm, CommLike
from ._errors import Error, FileWarning
from ._handle import Handle
from ._library import NC_ENOENT, NO_SUCH_NAME, Library, c_text, integer, last_error, library, name_of
from ._modes import in_data_mode, in_define_mode, leave_define_mode
from ._request import Request
from ._transfer import Transfer, carry_out, move_all
from ._types import external_type, one_value
from ._variable import NC_REQ_NULL, Variable

NC_GLOBAL, NC_WRITE, NC_NOCLOBBER = -1, 0x0001, 0x0004
NC_ENULLABUF = -217
FORMATS = {"CDF1": 0x0100, "CDF2": 0x0200, "CDF5": 0x0020, "NETCDF4": 0x1000, "NETCDF4_CLASSIC": 0x1100}  # bits of cmode
OTHER_FORMATS = {"NETCDF3_CLASSIC": "CDF1", "NETCDF3_64BIT": "CDF2", "NETCDF3_64BIT_OFFSET": "CDF2", "NETCDF3_64BIT_DATA": "CDF5"}
FORMAT_OF = {1: "CDF1", 2: "CDF2", 3: "NETCDF4", 4: "NETCDF4_CLASSIC", 5: "CDF5"}
MODES = ("r", "r+", "a", "w", "x")


def format_name(given: str) -> str:
    """CDF1, CDF2, CDF5, NETCDF4 or NETCDF4_CLASSIC, also from the names that netCDF4-python and xarray have for them."""
    name = OTHER_FORMATS.get(given, given)
    if name not in FORMATS:
        raise Error(f"{given!r} is no format; the formats are {', '.join((*FORMATS, *OTHER_FORMATS))}")
    return name


class Dimension:
    """A dimension: its name, its length as len(), and whether it is the record dimension."""

    def __init__(self, file: File, number: int) -> None:
        self._file, self.id = file, number

    @property
    def name(self) -> str:
        """Its name."""
        return self._file._dim_name(self.id)

    def __len__(self) -> int:
        self._file._handle.id  # raises if the file is closed
        return self._file._length(self.id)

    @property
    def is_unlimited(self) -> bool:
        """Whether it is the record dimension, which grows."""
        return self._file._is_record_dim(self.id)

    def rename(self, name: str) -> None:
        """Gives it another name. Replicated."""
        in_define_mode(self._file._handle)
        self._file._handle.call("ncmpi_rename_dim", self.id, c_text(name))
        self._file._dim_names.pop(self.id, None)

    def __repr__(self) -> str:
        return f"<parcdf.Dimension {self.name}={len(self)}{', unlimited' if self.is_unlimited else ''}>"


class Dimensions(Mapping[str, Dimension]):
    """The dimensions of a file by name, in the order of definition."""

    def __init__(self, file: File) -> None:
        self._file = file

    def __len__(self) -> int:
        return self._file._counts()[0]

    def __iter__(self) -> Iterator[str]:
        return (self._file._dim_name(i) for i in range(len(self)))

    def __getitem__(self, name: str) -> Dimension:
        return Dimension(self._file, self._file._find("ncmpi_inq_dimid", name))

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {len(dim)}" for name, dim in self.items()) + "}"


class Variables(Mapping[str, Variable]):
    """The variables of a file by name, in the order of definition."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._made: list[Variable] = []

    def _all(self) -> list[Variable]:
        with self._file._handle.lock:
            for number in range(len(self._made), self._file._counts()[1]):
                self._made.append(Variable(self._file, number))
        return self._made

    def __len__(self) -> int:
        return self._file._counts()[1]

    def __iter__(self) -> Iterator[str]:
        return iter([v.name for v in self._all()])

    def __getitem__(self, name: str) -> Variable:
        number = self._file._find("ncmpi_inq_varid", name)
        return self._all()[number]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{v.name!r}: {v!r}" for v in self._all()) + "}"


class File:
    """An open file. `open` and `create` make it; close it, or use `with`.

    Opening, closing and definitions are made by all ranks of the communicator, with the same arguments. So are puts, gets
    and waits, each rank with its own indices, except inside `with file.independent():`, where each rank is alone. A file is made
    in define mode; the first put or get leaves it, and a definition enters it again.

    Attributes:
        path: the name that was given, of a URL without user and password.
        mode: "r", or "r+" if it can be written.
        format: "CDF1", "CDF2", "CDF5", "NETCDF4" or "NETCDF4_CLASSIC"; of files that can only be read also "other".
        comm: the communicator: its rank and size.
        dims, variables, attrs: what it holds, as mappings.
    """

    def __init__(self, handle: Handle, is_new: bool) -> None:
        self._handle = handle
        handle.is_defining = self._is_new = is_new
        self.path, self.comm = handle.path, handle.comm
        self.mode = "r" if handle.mode == "r" else "r+"
        self.format = FORMAT_OF.get(handle.number("ncmpi_inq_format"), "other")
        self._dim_names: dict[int, str] = {}
        self._lengths: dict[int, int] = {}
        self._pending: dict[int, Request] = {}
        self.dims = Dimensions(self)
        self.variables = Variables(self)
        self.attrs = Attributes(handle, NC_GLOBAL, self.format)

    # ---- its life

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.closed:
            return
        if kind is None:
            self.close()
            return
        with contextlib.suppress(Error):  # the exception that is on its way says more
            self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy would be a second owner, whose end closes the file of the first."""
        raise TypeError(f"a File cannot be copied or pickled; open {self.path!r} again")

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            handle.forgotten()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._handle.is_closed

    def close(self) -> None:
        """Closes the file; nothing happens if it is closed. Collective. Requests that nobody waited for are dropped
        (NC_EPENDING). With an error the file is closed, too."""
        if not self._handle.is_closed:
            self._end("ncmpi_close")

    def _end(self, function: str) -> None:
        """The library has the addresses of pending requests until it has closed the file."""
        try:
            self._handle.end(function)
        finally:
            if self._handle.is_closed:
                for request in self.pending:
                    request._ended(Error(f"{request._what}: {self.path} was closed before a wait"))
                self._pending.clear()

    def abort(self) -> None:
        """Closes the file without the definitions of this define mode; a file that is new is removed. Collective."""
        self._end("ncmpi_abort")

    def sync(self) -> None:
        """Returns when everything is on the storage, and all ranks know the number of records. Collective."""
        in_data_mode(self._handle)
        self._handle.call("ncmpi_sync")

    def flush(self) -> None:
        """Writes what the hints pcdf_defer and pcdf_async hold back. Collective, or local in independent mode."""
        self._handle.call("ncmpi_flush")

    def sync_records(self) -> None:
        """Makes the largest number of records of any rank known to all ranks and to the file. Collective."""
        self._handle.call("ncmpi_sync_numrecs")

    def refresh(self) -> int:
        """Looks for records that another job has added since, and returns their number. Error NC_ESTALE: the definitions
        changed, or the name leads to another file; open it again. Collective, or local in independent mode."""
        self._handle.call("parcdf_refresh")
        return self.records

    # ---- definitions

    def def_dim(self, name: str, length: int | None) -> Dimension:
        """Defines a dimension; length None: the record dimension, which grows. Replicated."""
        in_define_mode(self._handle)
        n = 0 if length is None else integer(length, f"dimension {name}: the length")
        if length is not None and n < 1:
            raise Error(f"dimension {name}: the length is {length}; None makes the record dimension")
        number = self._handle.number("ncmpi_def_dim", c_text(name), n)
        return Dimension(self, number)

    def def_var(self, name: str, type: Any, dimensions: Iterable[str | Dimension] = (), *, fill_value: Any = None,
                attrs: Mapping[str, Any] | None = None) -> Variable:
        """Defines a variable. type: "short", np.int16, "i2", float, str (text)... dimensions: names, the slowest first; the
        record dimension can only be the first. fill_value: becomes _FillValue, and enddef fills the variable. Replicated."""
        row = external_type(type)
        if isinstance(dimensions, (str, Dimension)):
            dimensions = (dimensions,)
        ids = []
        for given in dimensions:
            try:
                ids.append(given.id if isinstance(given, Dimension) else self.dims[given].id)
            except KeyError:
                raise Error(f"variable {name}: there is no dimension {given!r}; there are {', '.join(self.dims) or 'none'}") from None
        fill = None if fill_value is None else one_value(fill_value, row, f"fill value of {name}")[0]
        in_define_mode(self._handle)
        number = self._handle.number("ncmpi_def_var", c_text(name), row.code, len(ids), (ctypes.c_int * max(len(ids), 1))(*ids))
        variable = self.variables._all()[number]
        if fill is not None:
            variable.set_fill(True, fill)
        variable.attrs.update(attrs or {})
        return variable

    def set_fill(self, on: bool = True) -> None:
        """Whether all variables, those to come too, are filled when they are made. A new file has it off. Replicated."""
        in_define_mode(self._handle)
        self._handle.call("ncmpi_set_fill", 0 if on else 0x100, None)

    def redef(self) -> None:
        """Enters define mode, if the file is not in it. Definitions do that by themselves. Collective."""
        in_define_mode(self._handle)

    def enddef(self, header_free: int = 0, variable_align: int = 0, variable_free: int = 0, record_align: int = 0) -> None:
        """Leaves define mode, if the file is in it; puts and gets do that by themselves. The arguments are bytes: room
        after the header, alignment of the first variable, room after the last one, alignment of the records. Collective."""
        h = self._handle
        if not h.is_defining:
            return
        sizes = [integer(size, "a size of enddef") for size in (header_free, variable_align, variable_free, record_align)]
        if any(sizes):
            leave_define_mode(h, "ncmpi__enddef", *sizes)
        else:
            leave_define_mode(h, "ncmpi_enddef")

    @contextlib.contextmanager
    def define(self) -> Iterator[File]:
        """`with file.define():` makes several definitions with one change of the file. Collective."""
        in_define_mode(self._handle)
        yield self
        self.enddef()

    @contextlib.contextmanager
    def independent(self) -> Iterator[File]:
        """`with file.independent():` puts, gets and waits are local: each rank makes its own, as many as it wants. The
        begin and the end are collective."""
        h = self._handle
        if h.is_independent:  # inside another one, which ends the mode
            yield self
            return
        self.begin_independent()
        try:
            yield self
        finally:
            if not h.is_closed:
                self.end_independent()

    def begin_independent(self) -> None:
        """Enters independent mode to stay in it. Collective."""
        in_data_mode(self._handle)
        self._handle.call("ncmpi_begin_indep_data")
        self._handle.is_independent = True

    def end_independent(self) -> None:
        """Leaves independent mode. Collective."""
        self._handle.is_independent = False
        self._handle.call("ncmpi_end_indep_data")

    @property
    def is_independent(self) -> bool:
        """Whether the file is in independent mode."""
        return self._handle.is_independent

    # ---- requests

    def _posted(self, request: Request) -> None:
        if request._number == NC_REQ_NULL:
            request._ended(None)
        else:
            self._pending[request._number] = request

    @property
    def pending(self) -> list[Request]:
        """The requests that nobody has waited for."""
        return list(self._pending.values())

    def wait(self, requests: Request | Iterable[Request] | None = None) -> None:
        """Carries out requests, by default all of this rank: first the puts, then the gets, each as one access. Collective,
        a rank without requests takes part; local in independent mode. Raises the first failure, after all were carried out."""
        h = self._handle
        with h.lock:
            h.id
            in_data_mode(h)
            given, fault = self._chosen(requests)
            mine = list({r._number: r for r in given if isinstance(r, Request) and r._file is self and not r.is_done}.values())
            ids = (ctypes.c_int * max(len(mine), 1))(*(r._number for r in mine))
            statuses = (ctypes.c_int * max(len(mine), 1))()
            code = h.lib.code("ncmpi_wait" if h.is_independent else "ncmpi_wait_all", h.id, len(mine), ids, statuses)
            error = h.lib.error(code) if code else None
            for request, number, status in zip(mine, ids, statuses):
                if number == NC_REQ_NULL:  # otherwise nothing was carried out, and the library still has its address
                    self._pending.pop(request._number, None)
                    request._ended(h.lib.code_error(status, request._what) if status else None)
        if fault is not None:
            raise fault
        if error is not None:
            raise error
        if any(not isinstance(r, Request) or r._file is not self for r in given):
            raise Error(f"{self.path}: a request of another file was among those to wait for; it still is pending")

    def _chosen(self, requests: Request | Iterable[Request] | None) -> tuple[list[Request], BaseException | None]:
        """The requests that are meant, or what went wrong: the other ranks wait for this one nevertheless."""
        try:
            return self.pending if requests is None else [requests] if isinstance(requests, Request) else list(requests), None
        except BaseException as error:
            return [], error

    def cancel(self, requests: Request | Iterable[Request] | None = None) -> None:
        """Drops requests, by default all. Local."""
        with self._handle.lock:
            given, fault = self._chosen(requests)
            mine = list({r._number: r for r in given if isinstance(r, Request) and r._file is self and not r.is_done}.values())
            ids = (ctypes.c_int * max(len(mine), 1))(*(r._number for r in mine))
            self._handle.call("ncmpi_cancel", len(mine), ids, None)
            for request in mine:
                self._pending.pop(request._number, None)
                request._ended(Error(f"{request._what}: the request was cancelled"))
        if fault is not None:
            raise fault

    # ---- many variables in one call

    def put_many(self, puts: Iterable[tuple[Variable | str, Any, Any]]) -> None:
        """Writes to many variables in one access: `f.put_many([("u", key, values), (v, key, values)])`, each as Variable.put
        takes them. A rank may have any number of them, or none. If one is wrong, nothing of this rank is written.
        Collective, or local in independent mode."""
        self._many("put", lambda: [self._own(v)._prepare_put(key, values) for v, key, values in puts])

    def get_many(self, gets: Iterable[tuple[Variable | str, Any] | tuple[Variable | str, Any, Any]]) -> list[Any]:
        """Reads from many variables in one access: `f.get_many([("u", key), (v, key, out)])`, each as Variable.get takes
        them. Returns the arrays. Collective, or local in independent mode."""
        return [t.array for t in self._many("get", lambda: [self._own(v)._prepare_get(key, out[0] if out else None, None) for v, key, *out in gets])]

    def _own(self, given: Variable | str) -> Variable:
        variable = given if isinstance(given, Variable) else self.variables[given]
        if variable.file is not self:
            raise Error(f"{variable.name} is a variable of {variable.file.path}, not of {self.path}")
        return variable

    def _many(self, verb: str, prepare: Callable[[], list[Transfer]]) -> list[Transfer]:
        """As Variable._together."""
        h = self._handle
        with h.lock:
            h.id
            in_data_mode(h)
            try:
                transfers = prepare()
            except BaseException:
                if not h.is_independent and h.comm.size > 1:
                    h.lib.code(f"ncmpi_{verb}_varn_int_all", h.id, 0, -1, None, None, None)
                raise
            carry_out(transfers, lambda: move_all(h, transfers, verb == "put"))
            return transfers

    # ---- the buffer of bput

    @property
    def buffer_size(self) -> int:
        """Bytes that attach_buffer has reserved; 0: no buffer is attached."""
        return self._buffer("ncmpi_inq_buffer_size")

    @property
    def buffer_usage(self) -> int:
        """Bytes of it that pending bputs use."""
        return self._buffer("ncmpi_inq_buffer_usage")

    def _buffer(self, function: str) -> int:
        try:
            return self._handle.number(function, kind=ctypes.c_longlong)
        except Error as error:
            if error.code == NC_ENULLABUF:
                return 0
            raise

    def attach_buffer(self, size: int) -> None:
        """Reserves room for the values of bput, in bytes of the file. Local."""
        self._handle.call("ncmpi_buffer_attach", integer(size, "the size of the buffer"))

    def detach_buffer(self) -> None:
        """Ends that. Local."""
        self._handle.call("ncmpi_buffer_detach")

    # ---- what it is

    def __getitem__(self, name: str) -> Variable:
        return self.variables[name]

    def __contains__(self, name: object) -> bool:
        return name in self.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def _counts(self) -> tuple[int, int, int]:
        """Numbers of dimensions and variables, and the id of the record dimension."""
        ndims, nvars, unlimited = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self._handle.call("ncmpi_inq", ctypes.byref(ndims), ctypes.byref(nvars), None, ctypes.byref(unlimited))
        return ndims.value, nvars.value, unlimited.value

    def _find(self, function: str, name: Any) -> int:
        """The id of a dimension or variable. KeyError: there is none of this name."""
        if not isinstance(name, str) or "\0" in name:
            raise KeyError(name)
        try:
            return self._handle.number(function, c_text(name))
        except Error as error:
            if error.code in NO_SUCH_NAME:
                _, _, hint = last_error().partition("; did you mean ")
                raise KeyError(f"{name}; did you mean {hint}" if hint else name) from None
            raise

    def _is_record_dim(self, number: int) -> bool:
        return number not in self._lengths and self._handle.number("ncmpi_inq_unlimdim") == number

    def _length(self, number: int) -> int:
        """The length of a dimension. Only that of the record dimension changes, so the others are kept."""
        length = self._lengths.get(number)
        if length is None:
            length = self._handle.number("ncmpi_inq_dimlen", number, kind=ctypes.c_longlong)
            if self._handle.number("ncmpi_inq_unlimdim") != number:
                self._lengths[number] = length
        return length

    def _dim_name(self, number: int) -> str:
        if number not in self._dim_names:
            name = ctypes.create_string_buffer(NAME_SIZE)
            self._handle.call("ncmpi_inq_dim", number, name, None)
            self._dim_names[number] = name_of(name)
        return self._dim_names[number]

    @property
    def record_dim(self) -> str | None:
        """The name of the record dimension; None: there is none."""
        number = self._counts()[2]
        return None if number < 0 else self._dim_name(number)

    @property
    def records(self) -> int:
        """The number of records that this rank knows; 0 without a record dimension."""
        number = self._counts()[2]
        return 0 if number < 0 else self._length(number)

    @property
    def hints(self) -> dict[str, str]:
        """The hints in use, those of the library and those of MPI-IO."""
        h = self._handle
        info = h.lib.mpi.handle_type()
        h.call("ncmpi_inq_file_info", ctypes.byref(info))
        try:
            return h.lib.mpi.read_info(info)
        finally:
            h.lib.mpi.free_info(info)

    @property
    def generation(self) -> int:
        """A number of the definitions and their places: the same for the same definitions."""
        return self._handle.number("parcdf_inq_generation", kind=ctypes.c_longlong)

    def _size(self, what: str) -> int:
        return self._handle.number(f"ncmpi_inq_{what}", kind=ctypes.c_longlong)

    @property
    def put_size(self) -> int:
        """Bytes that this rank has written to the file."""
        return self._size("put_size")

    @property
    def get_size(self) -> int:
        """Bytes that this rank has read from the file."""
        return self._size("get_size")

    @property
    def header_size(self) -> int:
        """Bytes of the header."""
        return self._size("header_size")

    @property
    def header_extent(self) -> int:
        """Bytes from the begin of the file to the first variable."""
        return self._size("header_extent")

    @property
    def record_size(self) -> int:
        """Bytes of one record of all record variables."""
        return self._size("recsize")

    @property
    def striping(self) -> tuple[int, int]:
        """Bytes of a stripe, and number of stripes; 0 and 0 if the file system does not tell."""
        size, count = ctypes.c_int(), ctypes.c_int()
        self._handle.call("ncmpi_inq_striping", ctypes.byref(size), ctypes.byref(count))
        return size.value, count.value

    def __repr__(self) -> str:
        if self.closed:
            return f"<parcdf.File {self.path!r}, closed>"
        return f"<parcdf.File {self.path!r}, mode {self.mode}, {self.format}, {len(self.dims)} dimensions, {len(self.variables)} variables>"


def _told(lib: Library, ncid: int, path: str) -> str:
    """The name without user and password, as the library tells it: it goes to people and to logs."""
    size = ctypes.c_int()
    if "://" not in path or lib.code("ncmpi_inq_path", ncid, ctypes.byref(size), None):
        return path
    name = ctypes.create_string_buffer(size.value + 1)
    lib.call("ncmpi_inq_path", ncid, None, name)
    return name.value.decode("utf-8", "surrogateescape")


def _begin(lib: Library, function: str, comm: Comm, path: str, mode: str, bits: int, hints: Mapping[str, Any] | None) -> File:
    """create or open. A file that is open although there is an error, as its mode differs from that of rank 0, stays open: the
    other ranks know of no error."""
    before, ncid = last_error(), ctypes.c_int(-1)
    with lib.mpi.info_of(hints) as info:
        code = lib.code(function, comm, c_text(path), bits, info, ctypes.byref(ncid))
    if code and ncid.value < 0:
        raise lib.error(code)
    after = last_error()
    file = File(Handle(lib, ncid.value, _told(lib, ncid.value, path), comm, mode), function == "ncmpi_create")
    if code or (after != before and after.startswith("warning:")):
        warnings.warn(after, FileWarning, stacklevel=4)  # may raise; then the file goes as one that nobody closed
    return file


def open(path: str | os.PathLike[str], mode: str = "r", comm: CommLike = None, *, hints: Mapping[str, Any] | None = None,
         format: str = "CDF5") -> File:
    """Opens a file on all ranks of a communicator. Collective over `comm`.

    Args:
        path: its name; all ranks give the same. For reading also a netCDF-4, HDF5 or Zarr file, or a URL.
        mode: "r" (read), "r+" (read and write), "a" (as "r+"; made if it is not there), "w" (made, replaces what is there),
            "x" (made; an error if it is there).
        comm: None (this process alone), "world" (all processes), or a communicator of mpi4py: see Comm.
        hints: names and values, such as {"pcdf_async": 1 << 30}.
        format: of a file that is made: "CDF1", "CDF2", "CDF5", "NETCDF4" or "NETCDF4_CLASSIC".
    """
    if mode not in MODES:
        raise Error(f"{mode!r} is no mode; the modes are {', '.join(MODES)}")
    if mode in ("w", "x"):
        return _create(path, mode, comm, hints, format)
    return _open(path, mode, comm, hints, format)


def _open(path: str | os.PathLike[str], mode: str, comm: CommLike, hints: Mapping[str, Any] | None, format: str) -> File:
    name, cmode = os.fsdecode(c_text(path)), format_name(format)
    who, lib = Comm(comm), library()
    try:
        return _begin(lib, "ncmpi_open", who, name, mode, 0 if mode == "r" else NC_WRITE, hints)
    except Error as error:
        if mode == "a" and error.code == NC_ENOENT:
            return _create(path, "x", who, hints, cmode)
        raise


def create(path: str | os.PathLike[str], mode: str = "w", comm: CommLike = None, *, hints: Mapping[str, Any] | None = None,
           format: str = "CDF5") -> File:
    """Makes a file, in define mode. mode "x": an error if it is there. The other arguments are those of `open`. Collective."""
    return _create(path, mode, comm, hints, format)


def _create(path: str | os.PathLike[str], mode: str, comm: CommLike, hints: Mapping[str, Any] | None, format: str) -> File:
    if mode not in ("w", "x"):
        raise Error(f"{mode!r} is no mode in which a file is made; w and x are")
    bits = FORMATS[format_name(format)] | (NC_NOCLOBBER if mode == "x" else 0)
    name, who, lib = os.fsdecode(c_text(path)), Comm(comm), library()
    return _begin(lib, "ncmpi_create", who, name, mode, bits, hints)


def file_format(path: str | os.PathLike[str]) -> str:
    """The format of a file, as File.format has it: "CDF5"... Error NC_ENOTNC: it is of none. Local."""
    number = ctypes.c_int()
    lib = library().start()
    lib.call("ncmpi_inq_file_format", c_text(path), ctypes.byref(number))
    return FORMAT_OF.get(number.value, "other")


def delete(path: str | os.PathLike[str]) -> None:
    """Deletes a file that no process has open. Local: one rank calls it."""
    lib = library().start()
    with lib.mpi.info_of(None) as info:
        lib.call("ncmpi_delete", c_text(path), info)
