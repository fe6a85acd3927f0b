"""What can be uploaded: a path, bytes, or a binary file object."""

from __future__ import annotations

import io
import json
import os
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Union

from .errors import ConfigurationError
from .orders import BatchEntry

Source = Union[str, "os.PathLike[str]", bytes, bytearray, BinaryIO]
CHUNK_BYTES = 65_536


class Upload:
    """A source that can be read once, or several times if `is_repeatable`."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._start: int | None = None
        self.size: int | None = None
        if isinstance(source, (bytes, bytearray)):
            self.size = len(source)
        elif isinstance(source, (str, os.PathLike)):
            self.size = os.stat(source).st_size
        elif isinstance(source, io.TextIOBase):
            raise ConfigurationError('The file object is open as text. Open it with mode "rb".')
        elif source.seekable():
            self._start = source.tell()
            self.size = source.seek(0, os.SEEK_END) - self._start
            source.seek(self._start)
        self.is_repeatable = self.size is not None

    def chunks(self) -> Iterator[bytes]:
        """Reads from the beginning."""
        source = self._source
        if isinstance(source, (bytes, bytearray)):
            for at in range(0, len(source), CHUNK_BYTES):
                yield bytes(source[at : at + CHUNK_BYTES])
        elif isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as file:
                yield from iter(lambda: file.read(CHUNK_BYTES), b"")
        else:
            if self._start is not None:
                source.seek(self._start)
            yield from iter(lambda: source.read(CHUNK_BYTES), b"")


def read_orders(path: str | os.PathLike[str]) -> list[BatchEntry]:
    """Reads a file of JSON lines."""
    with open(path, encoding="utf-8-sig") as file:
        return [json.loads(line) for line in file if line.strip()]


Target = Union[str, "os.PathLike[str]", BinaryIO]


def target_path(target: str | os.PathLike[str]) -> str:
    """Returns the path that a symbolic link leads to, so that the link stays. Raises OSError for a directory."""
    path = os.path.realpath(target)
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a directory")
    return path


@contextmanager
def draft_beside(path: str) -> Generator[str]:
    """Gives a new file its name only when it is complete."""
    draft = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{uuid.uuid4().hex}.part")
    try:
        yield draft
        os.replace(draft, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise
