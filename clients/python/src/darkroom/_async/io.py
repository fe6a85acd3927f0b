"""The steps that the two clients take differently. Its counterpart in `_sync` is written by hand."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, BinaryIO

import anyio
import anyio.to_thread

from .._sources import Upload

sleep = anyio.sleep


async def call_back(callback: Callable[[Any], object], value: object) -> None:
    """Calls a function of the caller, which may be a coroutine function."""
    result = callback(value)
    if inspect.isawaitable(result):
        await result


async def chunks_of(upload: Upload) -> AsyncIterator[bytes]:
    chunks = upload.chunks()
    while chunk := await anyio.to_thread.run_sync(next, chunks, b""):
        yield chunk


class Writer:
    """Writes to a file object in a thread, so that a slow disk does not hold up the event loop."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    async def write(self, chunk: bytes) -> None:
        await anyio.to_thread.run_sync(self._file.write, chunk)


@asynccontextmanager
async def open_for_writing(path: str) -> AsyncGenerator[Writer]:
    # Opening and closing are quick, and closing must also happen while the task is being cancelled.
    with open(path, "wb") as file:
        yield Writer(file)
