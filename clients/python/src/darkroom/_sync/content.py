# Written by write_sync.py from ../_async/content.py.
"""Downloads the output of a task."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Callable

from .._calls import Call
from .._sources import Target
from ..errors import APIConnectionError, DarkroomError, DownloadError, OrderState, attach, attaching
from ..types import Variant
from .io import sleep
from .saving import save_chunks
from .transport import Transport, is_worth_waiting_for


class Content:
    """The output of a task. Nothing is downloaded until you read, save or iterate it.

    A connection that breaks is opened again where it broke.
    """

    def __init__(
        self,
        transport: Transport,
        path: str,
        variant: Variant | None,
        state: Callable[[], OrderState],
        sha256: str | None,
    ) -> None:
        self._transport = transport
        self._path = path
        self._variant = variant
        self._state = state
        self._sha256 = sha256

    def read(self) -> bytes:
        """Returns the whole file."""
        return b"".join([chunk for chunk in self])

    def save(self, target: Target) -> None:
        """Writes the file to a path or a binary file object. A path has the whole file, or what it had before."""
        with attaching(self._state):
            try:
                save_chunks(target, self)
            except OSError as error:
                if isinstance(error, DarkroomError):
                    raise
                raise self._failed(str(error)) from error

    def __iter__(self) -> Generator[bytes]:
        """Yields the file in parts."""
        received, failures = 0, 0
        etag: str | None = None
        digest = hashlib.sha256()
        while True:
            before = received
            try:
                with self._transport.open(self._call(received, etag)) as response:
                    if received > 0 and response.status_code != 206:
                        raise self._failed("the file changed during the download")
                    etag = response.headers.get("etag")
                    for chunk in response.iter_bytes():
                        received += len(chunk)
                        digest.update(chunk)
                        yield chunk
                break
            except DarkroomError as error:
                failures = 0 if received > before else failures + 1
                is_lost = isinstance(error, APIConnectionError)
                if failures > self._transport.retries or not is_worth_waiting_for(error):
                    attach(error, self._state())
                    raise (self._failed(error.message) if is_lost else error) from error.__cause__
                # Without a tag, the rest could be that of another file.
                if received > 0 and etag is None:
                    raise self._failed(error.message) from error
            sleep(min(0.5 * 2.0**failures, 8.0))
        if self._sha256 is not None and digest.hexdigest() != self._sha256:
            raise self._failed("the file is not the one that the task names")

    def _call(self, received: int, etag: str | None) -> Call:
        resume = {"range": f"bytes={received}-", "if-range": etag or ""} if received > 0 else {}
        # Compressed parts could not be continued.
        headers = {"accept-encoding": "identity", **resume}
        return Call("GET", f"{self._path}/content", query={"variant": self._variant}, headers=headers)

    def _failed(self, reason: str) -> DownloadError:
        state = self._state()
        error = DownloadError(
            f"The output of {state.task_id} was not downloaded: {reason}. Download it again; do not order it again."
        )
        attach(error, state)
        return error
