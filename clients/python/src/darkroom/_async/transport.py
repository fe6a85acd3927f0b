"""Sends requests, and repeats those that may be repeated."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from datetime import datetime, timezone
from typing import Any

import httpx

from .._calls import CONNECT_SECONDS, AlreadyDeleted, Call, Tries, data_of, failure_of, lost, utc_time
from .._sources import Upload
from .._version import __version__
from ..errors import APIConnectionError, DarkroomError, attaching
from .io import chunks_of, sleep


class AsyncTransport:
    def __init__(
        self, base_url: str, api_key: str, *, timeout: float, retries: int, http_client: httpx.AsyncClient | None
    ) -> None:
        self.base_url = base_url
        self.retries = retries
        self._timeout = timeout
        self._headers = {"authorization": f"Bearer {api_key}", "user-agent": f"darkroom-python/{__version__}"}
        self._http = httpx.AsyncClient() if http_client is None else http_client
        self._is_own = http_client is None

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def data(self, call: Call, upload: Upload | None = None) -> Any:
        """Returns `data` of the answer."""
        return data_of(await self.answer(call, upload))

    async def delete(self, path: str, not_found_code: str) -> str:
        """Deletes, and returns when. A repetition after a lost answer that finds nothing succeeds at its own time."""
        try:
            data = await self.data(Call("DELETE", path, not_found_code=not_found_code))
            return str(data["deleted_at"])
        except AlreadyDeleted:
            return utc_time(datetime.now(timezone.utc))

    async def answer(self, call: Call, upload: Upload | None = None) -> httpx.Response:
        """Returns a successful answer of the service."""
        tries = Tries(call, self.retries, self.base_url)
        with attaching(tries.state) if call.idempotency_key is not None else nullcontext():
            while True:
                tries.begin()
                try:
                    return await self._try(call, upload)
                except DarkroomError as error:
                    pause = tries.pause_after(error)
                    is_late = call.gives_up_at is not None and time.monotonic() + (pause or 0.0) >= call.gives_up_at
                    if pause is None or is_late:
                        raised = tries.final(error)
                        if raised is error:
                            raise
                        raise raised from error
                await sleep(pause)

    @asynccontextmanager
    async def open(self, call: Call) -> AsyncGenerator[httpx.Response]:
        """Opens a successful answer without reading its body. Sends the request once."""
        try:
            response = await self._http.send(self._request(call, None), stream=True, follow_redirects=True)
            try:
                if not response.is_success:
                    await response.aread()
                    raise failure_of(response)
                yield response
            finally:
                await response.aclose()
        except httpx.RequestError as error:
            raise lost(error) from error

    async def _try(self, call: Call, upload: Upload | None) -> httpx.Response:
        try:
            # A redirected POST would become a GET.
            response = await self._http.send(self._request(call, upload), follow_redirects=False)
        except httpx.RequestError as error:
            raise lost(error) from error
        if not response.is_success:
            raise failure_of(response)
        # An answer that was cut or replaced on its way is lost, too.
        data_of(response)
        return response

    def _request(self, call: Call, upload: Upload | None) -> httpx.Request:
        headers = {**self._headers, **call.headers}
        if upload is not None and upload.size is not None:
            headers["content-length"] = str(upload.size)
        silence = self._timeout if call.read_seconds is None else call.read_seconds
        if call.gives_up_at is not None:
            silence = max(0.1, min(silence, call.gives_up_at - time.monotonic()))
        return self._http.build_request(
            call.method,
            f"{self.base_url}{call.target}",
            headers=headers,
            content=call.body if upload is None else chunks_of(upload),
            timeout=httpx.Timeout(silence, connect=min(CONNECT_SECONDS, silence)),
        )


def is_worth_waiting_for(error: DarkroomError) -> bool:
    """Whether the service may answer the same retrieval later."""
    return isinstance(error, APIConnectionError) or getattr(error, "retryable", False) is True
