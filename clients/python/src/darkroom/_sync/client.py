# Written by write_sync.py from ../_async/client.py.
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
from .batches import Batches
from .end_users import ClientTokens, EndUsers
from .resources import Accounts, Files, Models, Webhooks
from .shares import Shares
from .tags import Tags
from .tasks import Images, Videos
from .transport import Transport

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack


class Darkroom:
    """The client of a Darkroom service. Use it as a context manager, or call `close`.

    with Darkroom() as client:
        fox = client.images.generate(model_id="sketch", prompt="a red fox in the snow")
        fox.save("fox.png")
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        response_timeout: float = DEFAULT_RESPONSE_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        Args:
            api_key: the key; by default the environment variable DARKROOM_API_KEY.
            base_url: the address of the service; by default DARKROOM_URL, or http://127.0.0.1:8080.
            response_timeout: seconds of silence after which an answer counts as lost.
            retries: how often a request is repeated, if the service says `retryable` or its answer was lost.
            http_client: an httpx client of your own, for example with a proxy. It is not closed.
        """
        self._transport = Transport(
            base_url_of(base_url),
            api_key_of(api_key),
            timeout=response_timeout,
            retries=retries,
            http_client=http_client,
        )
        self.images = Images(self._transport)
        self.videos = Videos(self._transport)
        self.batches = Batches(self._transport)
        self.files = Files(self._transport)
        self.models = Models(self._transport)
        self.account = Accounts(self._transport)
        self.end_users = EndUsers(self._transport)
        self.client_tokens = ClientTokens(self._transport)
        self.shares = Shares(self._transport)
        self.tags = Tags(self._transport)
        self.webhooks = Webhooks(self._transport)

    def prices(
        self, *, extra_body: Mapping[str, object] | None = None, **question: Unpack[PriceQuestion]
    ) -> Quote:
        """The price of an order or action, before it is placed. Send it as `max_price` to be charged no more."""
        body = with_references({**question, **(extra_body or {})})
        quote: Quote = self._transport.data(json_call("POST", "/v1/prices", body))
        return quote

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Darkroom:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
