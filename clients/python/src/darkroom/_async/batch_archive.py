"""Downloads the outputs of a batch as one ZIP archive."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from .._calls import Call
from .._followed import path_of_batch
from .._sources import Target
from ..errors import APIConnectionError, DarkroomError, DownloadError, OrderState, attach, attaching
from .saving import save_chunks
from .transport import AsyncTransport


class AsyncBatchArchive:
    """The outputs that exist when it is read. Nothing is downloaded before, and only one part is in memory."""

    def __init__(self, transport: AsyncTransport, batch_id: str, state: Callable[[], OrderState]) -> None:
        self._transport = transport
        self._batch_id = batch_id
        self._state = state

    async def save(self, target: Target) -> None:
        """Writes the archive to a path or a binary file object. A path has the whole archive, or what it had before."""
        with attaching(self._state):
            try:
                await save_chunks(target, self)
            except OSError as error:
                if isinstance(error, DarkroomError):
                    raise
                raise self._failed(str(error)) from error

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        """Yields the archive in parts. One that breaks off raises DownloadError, because it cannot be continued."""
        call = Call("GET", f"{path_of_batch(self._batch_id)}/results", query={"format": "zip"})
        try:
            async with self._transport.open(call) as response:
                async for chunk in response.aiter_bytes():
                    yield chunk
        except APIConnectionError as error:
            raise self._failed(error.message) from error.__cause__
        except DarkroomError as error:
            attach(error, self._state())
            raise

    def _failed(self, reason: str) -> DownloadError:
        error = DownloadError(
            f"The archive of {self._batch_id} was not downloaded: {reason}. Download it again; do not order it again."
        )
        attach(error, self._state())
        return error
