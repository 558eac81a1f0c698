"""libparcdf through ctypes: where it is found, its functions, its errors."""
from __future__ import annotations

import atexit
import ctypes
import operator
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Iterator

from ._errors import Error, LibraryError
from ._mpi import Mpi, forget_mpi
from ._types import TYPES

FLAVOURS = ("openmpi", "mpich", "abi")  # where several MPI libraries share a prefix, as in Debian's packages
NC_EBADID, NC_ENOTINDEFINE, NC_ENOTATT, NC_EBADDIM, NC_ENOTVAR, NC_EMAXNAME, NC_EBADNAME, NC_ENOENT = -33, -38, -43, -46, -49, -53, -59, -220
NC_ERANGE, NC_ETRUNC = -60, -64
NO_SUCH_NAME = (NC_EBADDIM, NC_ENOTVAR, NC_EMAXNAME, NC_EBADNAME)
MOST = 2**63 - 1  # of MPI_Offset

# The functions that are used. C: MPI_Comm, I: MPI_Info, i: int, o: MPI_Offset, z: size_t, s: const char *, p: another
# pointer. All return int but those of TEXTS, and of VOIDS. tests/python/prototypes_test.py compares them with the headers.
TEXTS = {"ncmpi_strerror": "i", "ncmpi_strerrno": "i", "parcdf_last_error": "", "parcdf_version": ""}
VOIDS = {"parcdf_set_progress": "pp"}
PROTOTYPES = {
    "ncmpi_create": "CsiIp", "ncmpi_open": "CsiIp", "ncmpi_close": "i", "ncmpi_abort": "i", "ncmpi_enddef": "i",
    "ncmpi__enddef": "ioooo", "ncmpi_redef": "i", "ncmpi_sync": "i", "ncmpi_flush": "i", "ncmpi_sync_numrecs": "i",
    "ncmpi_begin_indep_data": "i", "ncmpi_end_indep_data": "i", "ncmpi_delete": "sI",
    "ncmpi_inq": "ipppp", "ncmpi_inq_format": "ip", "ncmpi_inq_file_format": "sp", "ncmpi_inq_file_info": "ip", "ncmpi_inq_path": "ipp",
    "ncmpi_inq_put_size": "ip", "ncmpi_inq_get_size": "ip", "ncmpi_inq_header_size": "ip", "ncmpi_inq_header_extent": "ip",
    "ncmpi_inq_recsize": "ip", "ncmpi_inq_striping": "ipp", "ncmpi_inq_nreqs": "ip",
    "ncmpi_def_dim": "isop", "ncmpi_rename_dim": "iis", "ncmpi_inq_dimid": "isp", "ncmpi_inq_dim": "iipp",
    "ncmpi_inq_dimlen": "iip", "ncmpi_inq_unlimdim": "ip", "ncmpi_def_var": "isiipp", "ncmpi_rename_var": "iis", "ncmpi_inq_varid": "isp",
    "ncmpi_inq_var": "iippppp", "ncmpi_inq_varnatts": "iip", "ncmpi_inq_varndims": "iip", "ncmpi_inq_varoffset": "iip",
    "ncmpi_set_fill": "iip", "ncmpi_def_var_fill": "iiip", "ncmpi_inq_var_fill": "iipp", "ncmpi_fill_var_rec": "iio",
    "ncmpi_inq_att": "iispp", "ncmpi_inq_attname": "iiip", "ncmpi_rename_att": "iiss", "ncmpi_del_att": "iis",
    "ncmpi_put_att": "iisiop", "ncmpi_put_att_text": "iisop", "ncmpi_get_att": "iisp",
    "ncmpi_wait": "iipp", "ncmpi_wait_all": "iipp", "ncmpi_cancel": "iipp", "ncmpi_buffer_attach": "io", "ncmpi_buffer_detach": "i",
    "ncmpi_inq_buffer_usage": "ip", "ncmpi_inq_buffer_size": "ip",
    "ncmpi_mput_varm": "iipppppppp", "ncmpi_mput_varm_all": "iipppppppp", "ncmpi_mget_varm": "iipppppppp", "ncmpi_mget_varm_all": "iipppppppp",
    "parcdf_wait": "s", "parcdf_refresh": "i", "parcdf_inq_generation": "ip",
    "parcdf_def_var_quantize": "iiii", "parcdf_inq_var_quantize": "iipp",
    "parcdf_def_var_chunking": "iiip", "parcdf_inq_var_chunking": "iipp", "parcdf_def_var_deflate": "iiiii", "parcdf_inq_var_deflate": "iippp",
    "parcdf_def_var_zstd": "iii", "parcdf_inq_var_zstd": "iipp", "parcdf_def_var_szip": "iiii", "parcdf_inq_var_szip": "iipp",
    "parcdf_def_var_fletcher32": "iii", "parcdf_inq_var_fletcher32": "iip",
    "parcdf_repair_with": "ssipz", "parcdf_set_begin": "CssI", "parcdf_set_commit": "C", "parcdf_set_abort": "C",
    "parcdf_restart_find": "Csippz",
}
for _row in TYPES:
    if _row.name != "char":
        PROTOTYPES[f"ncmpi_put_att_{_row.suffix}"] = "iisiop"
    for _verb in ("put", "get"):
        for _end in ("", "_all"):
            PROTOTYPES[f"ncmpi_{_verb}_vara_{_row.suffix}{_end}"] = "iippp"
            PROTOTYPES[f"ncmpi_{_verb}_vars_{_row.suffix}{_end}"] = "iipppp"
            PROTOTYPES[f"ncmpi_{_verb}_varm_{_row.suffix}{_end}"] = "iippppp"
            PROTOTYPES[f"ncmpi_{_verb}_varn_{_row.suffix}{_end}"] = "iiippp"
    for _verb in ("iput", "iget", "bput"):
        PROTOTYPES[f"ncmpi_{_verb}_varm_{_row.suffix}"] = "iipppppp"
        PROTOTYPES[f"ncmpi_{_verb}_varn_{_row.suffix}"] = "iiipppp"

LETTERS: dict[str, Any] = {"i": ctypes.c_int, "o": ctypes.c_longlong, "z": ctypes.c_size_t, "s": ctypes.c_char_p, "p": ctypes.c_void_p}


def c_text(value: str | os.PathLike[str]) -> bytes:
    """A name or a path for the library, which would take a NUL for its end."""
    try:
        text = os.fsencode(value) if isinstance(value, os.PathLike) else value.encode("utf-8", "surrogateescape")
    except (AttributeError, UnicodeEncodeError):
        raise Error(f"{value!r} is no name") from None
    if b"\0" in text:
        raise Error(f"there is a NUL in the name {value!r}")
    return text


def name_of(buffer: ctypes.Array[ctypes.c_char]) -> str:
    """A name that the library has given; bytes that are no UTF-8 come back as they were by c_text."""
    return buffer.value.decode("utf-8", "surrogateescape")


def integer(value: Any, what: str) -> int:
    """A number for the library, which would get others modulo 2^64."""
    try:
        number = operator.index(value)
    except TypeError:
        raise Error(f"{what} is {value!r}, which is no integer") from None
    if not -MOST <= number <= MOST:
        raise Error(f"{what} is {number}, which is more than 64 bits have")
    return number


class Library:
    """The library that was loaded, and the MPI library behind it."""

    def __init__(self, dll: ctypes.CDLL, path: str) -> None:
        self.path = path
        self.mpi = Mpi(dll, path)
        letters = dict(LETTERS, C=self.mpi.handle_type, I=self.mpi.handle_type)
        self._functions: dict[str, Callable[..., Any]] = {}
        for name, arguments in {**TEXTS, **VOIDS, **PROTOTYPES}.items():
            try:
                function = getattr(dll, name)
            except AttributeError:
                raise LibraryError(f"{path} has no function {name}: it is older than this package") from None
            function.argtypes = [letters[letter] for letter in arguments]
            function.restype = ctypes.c_char_p if name in TEXTS else None if name in VOIDS else ctypes.c_int
            self._functions[name] = function
        self._one_at_a_time: threading.RLock | None = None

    def text(self, name: str, *args: Any) -> str:
        value: bytes | None = self._functions[name](*args)
        return (value or b"").decode("utf-8", "replace")

    def run(self, name: str, *args: Any) -> None:
        """A function that cannot fail."""
        self._functions[name](*args)

    def code(self, name: str, *args: Any) -> int:
        """The result of a function, whatever it is."""
        result: int = self._functions[name](*args)
        return result

    def call(self, name: str, *args: Any) -> None:
        """Raises Error if the function fails."""
        code = self._functions[name](*args)
        if code:
            raise self.error(code)

    def error(self, code: int) -> Error:
        sentence = self.text("parcdf_last_error") or self.text("ncmpi_strerror", code)
        return Error(sentence, code, self.text("ncmpi_strerrno", code))

    def code_error(self, code: int, what: str) -> Error:
        """An Error that is not of the last call of this thread."""
        return Error(f"{what}: {self.text('ncmpi_strerror', code)}", code, self.text("ncmpi_strerrno", code))

    def start(self) -> Library:
        """MPI is initialized after this."""
        self.mpi.start()
        if self._one_at_a_time is None and not self.mpi.has_threads():
            self._one_at_a_time = threading.RLock()
        return self

    def lock(self) -> threading.RLock:
        """A lock for a file: of its own, or, where MPI allows only one thread at a time, that of all files."""
        return self._one_at_a_time or threading.RLock()


def _prefixes() -> Iterator[Path]:
    """Folders of libraries of the installations to which this package and the interpreter belong."""
    seen = set()
    here = Path(__file__).resolve().parent
    for prefix in (*here.parents, Path(sys.prefix), Path(sys.base_prefix)):
        if prefix in seen or prefix == Path("/"):
            continue
        seen.add(prefix)
        yield from (folder for folder in (prefix / "lib", prefix / "lib64", *prefix.glob("lib/*-linux-gnu")) if folder.is_dir())


def _pkg_config() -> Path | None:
    try:
        done = subprocess.run([os.environ.get("PKG_CONFIG", "pkg-config"), "--variable=libdir", "parcdf"], capture_output=True, text=True)
    except OSError:
        return None
    return Path(done.stdout.strip()) if done.returncode == 0 and done.stdout.strip() else None


def _wanted() -> str | None:
    """The MPI library of this process, if mpi4py or the launcher has told it."""
    module: Any = sys.modules.get("mpi4py.MPI")
    if module is not None and hasattr(module, "get_vendor"):
        return {"Open MPI": "openmpi", "MPICH": "mpich"}.get(module.get_vendor()[0])
    if "OMPI_COMM_WORLD_SIZE" in os.environ:
        return "openmpi"
    return "mpich" if "PMI_SIZE" in os.environ else None


def _names() -> list[str]:
    wanted = _wanted()
    flavours = sorted(FLAVOURS, key=lambda flavour: flavour != wanted)
    names = ["libparcdf.so.0", *(f"libparcdf_{flavour}.so.0" for flavour in flavours), "libparcdf.so"]
    return names if wanted is None else [names.pop(1), *names]


def _candidates(names: list[str]) -> Iterator[str]:
    here = Path(__file__).resolve().parent
    for folder in (here, here / "lib", *_prefixes()):
        yield from (str(folder / name) for name in names if (folder / name).exists())
    libdir = _pkg_config()
    if libdir is not None:
        yield from (str(libdir / name) for name in names if (libdir / name).exists())
    yield from names  # LD_LIBRARY_PATH and what ldconfig knows


def _named(value: str, names: list[str]) -> list[str]:
    """The files that PARCDF_LIBRARY means: a library, or those of a folder."""
    if os.path.isdir(value):
        paths = [os.path.join(value, name) for name in names]
        return [path for path in paths if os.path.exists(path)] or paths
    return [value]


def _load() -> Library:
    value, names = os.environ.get("PARCDF_LIBRARY"), _names()
    tried = []
    for path in _named(value, names) if value else _candidates(names):
        try:
            return Library(ctypes.CDLL(path), path)
        except OSError as error:
            tried.append(str(error) if path in str(error) else f"{path}: {error}")
        except LibraryError as error:  # of another MPI library than mpi4py, or too old
            tried.append(error.sentence)
    raise LibraryError("no libparcdf can be used. Install one, or name it in PARCDF_LIBRARY (the file, or its folder). "
                       + ("PARCDF_LIBRARY is set, so nothing else was tried: " if value else "Tried, after folders beside the package and "
                          f"{'what pkg-config says' if _pkg_config() else 'pkg-config, which does not know parcdf'}: ") + "; ".join(dict.fromkeys(tried)))


_loading = threading.Lock()
_library: Library | None = None
_at_exit: list[Callable[[], None]] = []


def library() -> Library:
    """The library. Loads it at the first call."""
    global _library
    with _loading:
        if _library is None:
            _library = _load()
            atexit.register(_finish)
    return _library


def before_exit(function: Callable[[], None]) -> None:
    """Calls `function` at the end of the interpreter, before MPI is finalized."""
    _at_exit.append(function)


def _finish() -> None:
    assert _library is not None
    if _library.mpi.was_forked:  # files and MPI are those of the parent
        return
    for function in _at_exit:
        function()
    _library.mpi.finish()


def _after_fork() -> None:
    """In a child process. Where MPI was running, only the parent has it."""
    global _loading
    _loading = threading.Lock()
    forget_mpi(None if _library is None else _library.mpi)


os.register_at_fork(after_in_child=_after_fork)


def last_error() -> str:
    """A sentence on the last error that a call of this thread returned; "" if there was none."""
    return library().text("parcdf_last_error")


def version() -> str:
    """The version of the library in use."""
    return library().text("parcdf_version")


def library_path() -> str:
    """The file that was loaded."""
    return library().path


def mpi_version() -> str:
    """What the MPI library of libparcdf says of itself."""
    return library().mpi.version
