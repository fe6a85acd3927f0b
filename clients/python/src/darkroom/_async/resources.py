"""Everything but the tasks: files, models, the account and webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from .. import webhooks as _webhooks
from .._calls import Call, change_call, json_call
from .._sources import Source, Upload
from ..types import (
    Account,
    FileDeletion,
    LedgerEntry,
    LoggedRequest,
    MediaType,
    Model,
    ModelWithSchema,
    UploadedFile,
    UsageReport,
    WebhookDelivery,
    WebhookEvent,
    WebhookSecret,
    WebhookTest,
)
from .pager import AsyncList
from .transport import AsyncTransport

Scope = Literal["key", "account"]
ModelList = list[Model]


class AsyncFiles:
    """Files that orders name as references: `upload:<file_id>`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def upload(
        self,
        source: Source,
        *,
        content_type: str = "application/octet-stream",
        end_user: str | None = None,
        idempotency_key: str | None = None,
    ) -> UploadedFile:
        """Uploads a path, bytes or a binary file object. The service recognizes the type by the content.

        `end_user` is your own customer whose file it is: it goes with their erasure.
        """
        upload = Upload(source)
        call = change_call("/v1/files", None, idempotency_key)
        headers = {**call.headers, "content-type": content_type}
        # A stream that was read cannot be sent again.
        query = {"end_user": end_user}
        call = replace(call, query=query, headers=headers, is_repeatable=upload.is_repeatable)
        file: UploadedFile = await self._transport.data(call, upload)
        return file

    async def get(self, file_id: str) -> UploadedFile:
        file: UploadedFile = await self._transport.data(Call("GET", f"/v1/files/{file_id}"))
        return file

    async def delete(self, file_id: str) -> FileDeletion:
        return {"file_id": file_id, "deleted_at": await self._transport.delete(f"/v1/files/{file_id}", "not_found")}


class AsyncModels:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, *, type: MediaType | None = None) -> ModelList:
        """Lists the models that the key can order, at the prices of its account."""
        data: Any = await self._transport.data(Call("GET", "/v1/models", query={"type": type}))
        models: ModelList = data["items"]
        return models

    async def catalog(self, *, type: MediaType | None = None) -> ModelList:
        """Lists all public models at default prices."""
        data: Any = await self._transport.data(Call("GET", "/v1/catalog", query={"type": type}))
        models: ModelList = data["items"]
        return models

    async def get(self, model_id: str) -> ModelWithSchema:
        """Returns a model with the JSON Schema of its orders."""
        model: ModelWithSchema = await self._transport.data(Call("GET", f"/v1/models/{model_id}"))
        return model


class AsyncAccounts:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self) -> Account:
        """Balance, holds and the limits of the key."""
        account: Account = await self._transport.data(Call("GET", "/v1/account"))
        return account

    async def usage(
        self,
        *,
        group_by: Sequence[Literal["day", "model_id", "status", "end_user"]] | None = None,
        from_: str | None = None,
        to: str | None = None,
        timing: bool | None = None,
        scope: Scope | None = None,
        end_user: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> UsageReport:
        """What tasks cost, by group. While `has_more` is true, `next_after` is the `after` of the next report."""
        query = {"group_by": group_by, "from": from_, "to": to, "timing": timing, "scope": scope}
        pages = {"end_user": end_user, "after": after, "limit": limit}
        call = Call("GET", "/v1/account/usage", query={**query, **pages})
        report: UsageReport = await self._transport.data(call)
        return report

    def ledger(
        self, *, scope: Scope | None = None, after: str | None = None, limit: int | None = None
    ) -> AsyncList[LedgerEntry]:
        """Every movement of money, newest first."""
        query = {"scope": scope, "after": after, "limit": limit}
        return AsyncList(self._transport, "/v1/account/ledger", query, "entry_id")

    def requests(
        self,
        *,
        status: str | None = None,
        code: str | None = None,
        method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] | None = None,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> AsyncList[LoggedRequest]:
        """The requests that the key sent lately and how they were answered, newest first.

        `status` is one such as "404", a class such as "4xx", or "failed": 400 and above.
        """
        query = {"status": status, "code": code, "method": method, "since": since, "until": until}
        return AsyncList(self._transport, "/v1/requests", {**query, "after": after, "limit": limit}, "entry_id")


class AsyncWebhooks:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def unwrap(
        self,
        body: bytes | str,
        headers: Mapping[str, str],
        *,
        secret: str | Iterable[str],
        tolerance: float = _webhooks.TOLERANCE_SECONDS,
    ) -> WebhookEvent:
        """Verifies a webhook request and returns its event. See `darkroom.webhooks.unwrap`, which needs no client."""
        return _webhooks.unwrap(body, headers, secret=secret, tolerance=tolerance)

    async def secrets(self) -> list[WebhookSecret]:
        """Returns the secrets that sign the events of the key's mode."""
        data: Any = await self._transport.data(Call("GET", "/v1/account/webhooks/secret"))
        secrets: list[WebhookSecret] = data["items"]
        return secrets

    async def rotate_secret(self, *, idempotency_key: str | None = None) -> list[WebhookSecret]:
        """Replaces the secret. The old one also signs for a day."""
        call = change_call("/v1/account/webhooks/secret/rotate", None, idempotency_key)
        data: Any = await self._transport.data(call)
        secrets: list[WebhookSecret] = data["items"]
        return secrets

    async def url(self) -> str | None:
        """The account's default URL for the key's mode; None = none."""
        data: Any = await self._transport.data(Call("GET", "/v1/account/webhooks"))
        url: str | None = data["url"]
        return url

    async def set_url(self, url: str | None) -> str | None:
        """Sets the account's default URL for the key's mode. None removes it."""
        data: Any = await self._transport.data(json_call("PUT", "/v1/account/webhooks", {"url": url}))
        accepted: str | None = data["url"]
        return accepted

    async def test(self, url: str | None = None, *, idempotency_key: str | None = None) -> WebhookTest:
        """Sends a signed test event to `url`, by default to the account's URL, and returns what the receiver answered.

        The receiver gets one event. It is not stored.
        """
        body = {} if url is None else {"url": url}
        call = change_call("/v1/account/webhooks/test", body, idempotency_key)
        tested: WebhookTest = await self._transport.data(call)
        return tested

    def deliveries(
        self,
        *,
        status: Literal["pending", "delivered", "failed"] | None = None,
        task_id: str | None = None,
        scope: Scope | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> AsyncList[WebhookDelivery]:
        """Deliveries and their attempts, newest first."""
        query = {"status": status, "task_id": task_id, "scope": scope, "after": after, "limit": limit}
        return AsyncList(self._transport, "/v1/account/webhooks/deliveries", query, "delivery_id")

    async def redeliver(self, delivery_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Sends an event again."""
        path = f"/v1/account/webhooks/deliveries/{delivery_id}/redeliver"
        delivery: WebhookDelivery = await self._transport.data(change_call(path, None, idempotency_key))
        return delivery
