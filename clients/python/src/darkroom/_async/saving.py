"""Saves what is downloaded."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterable

from .._sources import Target, draft_beside, target_path
from .io import Writer, open_for_writing


async def save_chunks(target: Target, chunks: AsyncIterable[bytes]) -> None:
    """Writes to a path or a binary file object. A path has all of it, or what it had before. Raises OSError."""
    if not isinstance(target, (str, os.PathLike)):
        await _copy(chunks, Writer(target))
        return
    path = target_path(target)
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        # A device or a pipe must be written to, not replaced.
        async with open_for_writing(path) as writer:
            await _copy(chunks, writer)
        return
    with draft_beside(path) as draft:
        async with open_for_writing(draft) as writer:
            await _copy(chunks, writer)


async def _copy(chunks: AsyncIterable[bytes], writer: Writer) -> None:
    async for chunk in chunks:
        await writer.write(chunk)
