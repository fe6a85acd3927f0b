# Written by write_sync.py from ../_async/saving.py.
"""Saves what is downloaded."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from .._sources import Target, draft_beside, target_path
from .io import Writer, open_for_writing


def save_chunks(target: Target, chunks: Iterable[bytes]) -> None:
    """Writes to a path or a binary file object. A path has all of it, or what it had before. Raises OSError."""
    if not isinstance(target, (str, os.PathLike)):
        _copy(chunks, Writer(target))
        return
    path = target_path(target)
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        # A device or a pipe must be written to, not replaced.
        with open_for_writing(path) as writer:
            _copy(chunks, writer)
        return
    with draft_beside(path) as draft:
        with open_for_writing(draft) as writer:
            _copy(chunks, writer)


def _copy(chunks: Iterable[bytes], writer: Writer) -> None:
    for chunk in chunks:
        writer.write(chunk)
