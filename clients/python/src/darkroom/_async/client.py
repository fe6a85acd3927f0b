"""The client: one object for all calls."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import TracebackType

import httpx

from .._calls import json_call
from .._references import with_references
from .._settings import DEFAULT_RESPONSE_TIMEOUT, DEFAULT_RETRIES, api_key_of, base_url_of
from ..orders import PriceQuestion
from ..types import Quote
from .batches import AsyncBatches
from .end_users import AsyncClientTokens, AsyncEndUsers
from .resources import AsyncAccounts, AsyncFiles, AsyncModels, AsyncWebhooks
from .shares import AsyncShares
from .tags import AsyncTags
from .tasks import AsyncImages, AsyncVideos
from .transport import AsyncTransport

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack


class AsyncDarkroom:
    """The client of a Darkroom service. Use it as a context manager, or call `close`.

    async with AsyncDarkroom() as client:
        fox = await client.images.generate(model_id="sketch", prompt="a red fox in the snow")
        await fox.save("fox.png")
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        response_timeout: float = DEFAULT_RESPONSE_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """
        Args:
            api_key: the key; by default the environment variable DARKROOM_API_KEY.
            base_url: the address of the service; by default DARKROOM_URL, or http://127.0.0.1:8080.
            response_timeout: seconds of silence after which an answer counts as lost.
            retries: how often a request is repeated, if the service says `retryable` or its answer was lost.
            http_client: an httpx client of your own, for example with a proxy. It is not closed.
        """
        self._transport = AsyncTransport(
            base_url_of(base_url),
            api_key_of(api_key),
            timeout=response_timeout,
            retries=retries,
            http_client=http_client,
        )
        self.images = AsyncImages(self._transport)
        self.videos = AsyncVideos(self._transport)
        self.batches = AsyncBatches(self._transport)
        self.files = AsyncFiles(self._transport)
        self.models = AsyncModels(self._transport)
        self.account = AsyncAccounts(self._transport)
        self.end_users = AsyncEndUsers(self._transport)
        self.client_tokens = AsyncClientTokens(self._transport)
        self.shares = AsyncShares(self._transport)
        self.tags = AsyncTags(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)

    async def prices(
        self, *, extra_body: Mapping[str, object] | None = None, **question: Unpack[PriceQuestion]
    ) -> Quote:
        """The price of an order or action, before it is placed. Send it as `max_price` to be charged no more."""
        body = with_references({**question, **(extra_body or {})})
        quote: Quote = await self._transport.data(json_call("POST", "/v1/prices", body))
        return quote

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> AsyncDarkroom:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
