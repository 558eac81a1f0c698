"""What goes wrong is an exception: Error has the code, its name and the library's sentence."""
from __future__ import annotations


class Error(Exception):
    """A call of the library failed, or was not possible.

    Attributes:
        code: the number, such as -33; 0 if the fault was found before the library was called.
        name: its name, such as "NC_EBADID"; "" for code 0.
        sentence: what happened, with the file, the object and the values.
    """

    code: int
    name: str
    sentence: str

    def __init__(self, sentence: str, code: int = 0, name: str = "") -> None:
        super().__init__(f"{name}: {sentence}" if name else sentence)
        self.code, self.name, self.sentence = code, name, sentence

    def __reduce__(self) -> tuple[type[Error], tuple[str, int, str]]:
        return type(self), (self.sentence, self.code, self.name)


class LibraryError(Error):
    """libparcdf was not found, or does not fit: to this package, or to the MPI library of mpi4py."""


class FileWarning(UserWarning):
    """The file can be used, but something about it is not as it should be."""
