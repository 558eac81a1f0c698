"""The MPI library that libparcdf is linked to: which one it is, its handles, and the few calls that are needed without mpi4py."""
from __future__ import annotations

import ctypes
import os
import sys
from typing import Any, Callable, Mapping

from ._errors import Error, LibraryError

MAX_KEY, MAX_VERSION = 256, 8192

# Handles of libraries whose handles are numbers: MPICH and all that keep its ABI; the ABI of the MPI 5 standard.
MPICH = {"world": 0x44000000, "self": 0x44000001, "info_null": 0x1C000000, "byte": 0x4C00010D}
STANDARD = {"world": 0x101, "self": 0x102, "info_null": 0x130, "byte": 0x247}
# MPI_Datatypes by the suffix of the functions.
SUFFIXES = ("text", "schar", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong", "float", "double")
MPICH.update(zip(SUFFIXES, (0x4C000101, 0x4C000118, 0x4C000102, 0x4C000203, 0x4C000204, 0x4C000405, 0x4C000406, 0x4C000809, 0x4C000819,
                            0x4C00040A, 0x4C00080B)))
STANDARD.update(zip(SUFFIXES, (0x243, 0x244, 0x245, 0x208, 0x20C, 0x209, 0x20D, 0x20B, 0x20F, 0x210, 0x214)))
OPENMPI = {"world": "ompi_mpi_comm_world", "self": "ompi_mpi_comm_self", "info_null": "ompi_mpi_info_null", "byte": "ompi_mpi_byte",
           **{suffix: f"ompi_mpi_{name}" for suffix, name in zip(SUFFIXES, (
               "char", "signed_char", "unsigned_char", "short", "unsigned_short", "int", "unsigned", "long_long_int",
               "unsigned_long_long", "float", "double"))}}


class _Where(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]


def _dladdr() -> Callable[..., int]:
    """dladdr, which is in the C library or beside it."""
    for name in (None, "libdl.so.2"):
        try:
            return ctypes.CDLL(name).dladdr
        except (OSError, AttributeError):
            continue
    raise LibraryError("this system has no dladdr, which tells the MPI library of libparcdf")


def file_of(dll: ctypes.CDLL, symbol: str) -> str | None:
    """The file of the shared library in which `dll`, or a library that it is linked to, has a function."""
    try:
        address = ctypes.cast(getattr(dll, symbol), ctypes.c_void_p)
    except AttributeError:
        return None
    where = _Where()
    return os.fsdecode(where.file) if _dladdr()(address, ctypes.byref(where)) and where.file else None


def _same_file(a: str, b: str) -> bool:
    try:
        return os.path.samefile(a, b)
    except OSError:
        return os.path.realpath(a) == os.path.realpath(b)


FORKED = ("this process was forked from one that uses MPI, which only the parent can go on using; let multiprocessing start processes by "
          "'spawn', or use threads")
_was_forked = False


def forget_mpi(mpi: Mpi | None) -> None:
    """In a child process: remembers whether MPI was running when it was forked."""
    global _was_forked
    module: Any = sys.modules.get("mpi4py.MPI")
    if mpi is not None and mpi.is_running() or module is not None and hasattr(module, "Is_initialized") and module.Is_initialized():
        _was_forked = True
    if mpi is not None:
        mpi.was_forked = _was_forked


class Mpi:
    """The MPI library behind `dll`, which is libparcdf."""

    def __init__(self, dll: ctypes.CDLL, library: str) -> None:
        path = file_of(dll, "MPI_Init")
        if path is None:
            raise LibraryError(f"{library} is linked to no MPI library that can be found")
        self.path, self.library = path, library
        self.has_initialized = False
        self.was_forked = _was_forked
        self.check_mpi4py()
        self._dll = ctypes.CDLL(path)
        self.version = self._ask_version()
        self.flavour, self._handles = self._look()
        self._finalized, self._over = self._dll.MPI_Finalized, ctypes.c_int()
        self._over_at = ctypes.byref(self._over)
        self.thread_multiple = 4096 if self.flavour == "abi" else 3  # MPI_THREAD_MULTIPLE; lower levels are smaller numbers
        # The most bytes of a hint's name and value: behind the standard ABI, Open MPI keeps its own limits.
        self.hint_bytes = (35, 255) if self.flavour == "openmpi" or "Open MPI" in self.version else (254, 1023)
        self.handle_type: type[ctypes.c_int] | type[ctypes.c_void_p] = ctypes.c_int if self.flavour == "mpich" else ctypes.c_void_p

    def _ask_version(self) -> str:
        text, length = ctypes.create_string_buffer(MAX_VERSION), ctypes.c_int()
        self._dll.MPI_Get_library_version(text, ctypes.byref(length))
        return text.value.decode(errors="replace").strip()

    def _look(self) -> tuple[str, dict[str, int]]:
        if "mpi_abi" in os.path.basename(self.path):
            return "abi", STANDARD
        if hasattr(self._dll, "ompi_mpi_comm_world"):
            return "openmpi", {what: ctypes.addressof(ctypes.c_char.in_dll(self._dll, name)) for what, name in OPENMPI.items()}
        if any(word in self.version.upper() for word in ("MPICH", "MVAPICH", "INTEL", "CRAY")):
            return "mpich", MPICH
        raise LibraryError(f"{self.library} is linked to {self.path} ({self.version[:60]!r}), whose handles are not known here; "
                           "MPICH and its relatives, Open MPI and the standard ABI are")

    def check_mpi4py(self) -> None:
        """Raises LibraryError if mpi4py is imported and uses another MPI library."""
        module = sys.modules.get("mpi4py.MPI")
        file = getattr(module, "__file__", None)
        if file is None:
            return
        other = file_of(ctypes.CDLL(file), "MPI_Init")
        if other is not None and not _same_file(other, self.path):
            raise LibraryError(f"mpi4py uses the MPI library {other}, but {self.library} is linked to {self.path}: one process cannot use "
                               "both. Use a libparcdf that was built with mpi4py's MPI library")

    def handle(self, what: str) -> int:
        return self._handles[what]

    def call(self, name: str, *args: Any) -> None:
        code = getattr(self._dll, name)(*args)
        if code:
            raise Error(f"{name} failed with code {code} of the MPI library")

    def may_be_comm(self, value: int) -> bool:
        """Whether a number can be a handle of a communicator. MPICH's have their kind in the upper bits; Open MPI's are addresses."""
        if self.flavour == "mpich":
            return -2**31 <= value < 2**32 and value >> 26 & 15 == 1 and value >> 30 & 3 > 0
        return 4096 <= value < 2**64 and value % 8 == 0 or (self.flavour == "abi" and value in (STANDARD["world"], STANDARD["self"]))

    def as_handle(self, value: int) -> Any:
        return self.handle_type(value)

    def start(self) -> None:
        """MPI is initialized after this, by whom ever. Raises Error if it is over already."""
        if self.was_forked:
            raise Error(FORKED)
        self.check_mpi4py()
        if self.is_over():
            raise Error("MPI was finalized in this process: no file can be opened any more")
        flag = ctypes.c_int()
        self.call("MPI_Initialized", ctypes.byref(flag))
        if not flag.value:
            provided = ctypes.c_int()
            self.call("MPI_Init_thread", None, None, self.thread_multiple, ctypes.byref(provided))
            self.has_initialized = True

    def is_over(self) -> bool:
        """Whether MPI was finalized. Each call on a file asks, as the MPI library ends the program if it is called then."""
        self._finalized(self._over_at)
        return bool(self._over.value)

    def is_running(self) -> bool:
        flag = ctypes.c_int()
        self.call("MPI_Initialized", ctypes.byref(flag))
        return bool(flag.value) and not self.is_over()

    def finish(self) -> None:
        """Finalizes MPI if start() has initialized it and nobody has finalized it."""
        if self.has_initialized and self.is_running():
            self.has_initialized = False
            self.call("MPI_Finalize")

    def has_threads(self) -> bool:
        """Whether several threads may call MPI at the same time."""
        level = ctypes.c_int()
        self.call("MPI_Query_thread", ctypes.byref(level))
        return level.value >= self.thread_multiple

    def comm_numbers(self, handle: int) -> tuple[int, int]:
        """Rank and size."""
        rank, size = ctypes.c_int(), ctypes.c_int()
        self.call("MPI_Comm_rank", self.as_handle(handle), ctypes.byref(rank))
        self.call("MPI_Comm_size", self.as_handle(handle), ctypes.byref(size))
        return rank.value, size.value

    def allgather(self, handle: int, size: int, numbers: list[int]) -> list[list[int]]:
        """The list of each rank, which all have the same length. Collective."""
        n = len(numbers)
        mine, all_ = (ctypes.c_int64 * n)(*numbers), (ctypes.c_int64 * (n * size))()
        byte = self.as_handle(self.handle("byte"))
        self.call("MPI_Allgather", mine, 8 * n, byte, all_, 8 * n, byte, self.as_handle(handle))
        return [list(all_[r * n:(r + 1) * n]) for r in range(size)]

    def barrier(self, handle: int) -> None:
        self.call("MPI_Barrier", self.as_handle(handle))

    def info_of(self, hints: Mapping[str, Any] | None) -> "Info":
        return Info(self, hints)

    def read_info(self, info: Any) -> dict[str, str]:
        """All hints of an MPI_Info."""
        found, number = {}, ctypes.c_int()
        self.call("MPI_Info_get_nkeys", info, ctypes.byref(number))
        for i in range(number.value):
            key, length, flag = ctypes.create_string_buffer(MAX_KEY), ctypes.c_int(), ctypes.c_int()
            self.call("MPI_Info_get_nthkey", info, i, key)
            self.call("MPI_Info_get_valuelen", info, key, ctypes.byref(length), ctypes.byref(flag))
            value = ctypes.create_string_buffer(length.value + 1)
            self.call("MPI_Info_get", info, key, length.value, value, ctypes.byref(flag))
            found[key.value.decode()] = value.value.decode(errors="surrogateescape")
        return found

    def free_info(self, info: Any) -> None:
        self.call("MPI_Info_free", ctypes.byref(info))


def _checked(mpi: Mpi, key: str, value: Any) -> tuple[bytes, bytes]:
    """Bytes for MPI_Info_set, which would end the program if it did not like them."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    bytes_ = key.encode(), text.encode("utf-8", "surrogateescape")
    for what, length, limit in zip(("name", "value"), map(len, bytes_), mpi.hint_bytes):
        if not 0 < length <= limit:
            raise Error(f"the {what} of the hint {key!r} has {length} bytes; the MPI library takes 1 to {limit}")
    if any(b"\0" in part for part in bytes_):
        raise Error(f"the hint {key!r} has a NUL in it")
    return bytes_


class Info:
    """Hints as an MPI_Info, for the time of a `with`."""

    def __init__(self, mpi: Mpi, hints: Mapping[str, Any] | None) -> None:
        self._mpi = mpi
        self._hints = [_checked(mpi, str(key), value) for key, value in (hints or {}).items()]

    def __enter__(self) -> Any:
        if not self._hints:
            self.info = self._mpi.as_handle(self._mpi.handle("info_null"))
            return self.info
        self.info = self._mpi.handle_type()
        self._mpi.call("MPI_Info_create", ctypes.byref(self.info))
        for key, value in self._hints:
            self._mpi.call("MPI_Info_set", self.info, key, value)
        return self.info

    def __exit__(self, *_: object) -> None:
        if self._hints:
            self._mpi.free_info(self.info)
