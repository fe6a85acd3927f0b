"""The steps that the two clients take differently. Its counterpart in `_async` is written by hand, too."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from time import sleep as sleep
from typing import Any, BinaryIO

from .._sources import Upload


def call_back(callback: Callable[[Any], object], value: object) -> None:
    """Calls a function of the caller."""
    callback(value)


def chunks_of(upload: Upload) -> Iterator[bytes]:
    return upload.chunks()


class Writer:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)


@contextmanager
def open_for_writing(path: str) -> Generator[Writer]:
    with open(path, "wb") as file:
        yield Writer(file)
