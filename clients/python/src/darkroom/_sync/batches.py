# Written by write_sync.py from ../_async/batches.py.
"""Many orders in one request."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterable, Mapping
from datetime import datetime
from typing import Union, cast

from .._calls import json_call, order_call, time_text
from .._references import entry_with_references
from .._sources import read_orders
from ..orders import BatchEntry
from ..types import Batch, BatchQuote, BatchStatus, Task, TaskStatus
from . import batch_calls
from .batch_archive import BatchArchive
from .batch_handle import BatchHandle, OnBatchUpdate
from .batch_results import BatchResults
from .pager import List
from .task_handle import TaskHandle
from .transport import Transport

PATH = "/v1/batches"
Orders = Union[Iterable[BatchEntry], str, "os.PathLike[str]"]


class Batches:
    """Batches: up to 10,000 orders that are placed together, at one price."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        orders: Orders,
        *,
        max_price: str | float | None = None,
        max_parallel: int | None = None,
        webhook_url: str | None = None,
        metadata: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        extra_body: Mapping[str, object] | None = None,
    ) -> BatchHandle:
        """Places all orders or none, and returns at once.

        The batch is never placed twice: see `Images.create`. `max_price` and `webhook_url` are those of the whole
        batch, and `max_parallel` is how many of its tasks run at once. If orders are refused, `details` of the
        exception names each of them by its place, such as `orders[3].body.prompt`. A path is a file of JSON lines,
        with one order per line.
        """
        fields = {
            "max_price": max_price,
            "max_parallel": max_parallel,
            "webhook_url": webhook_url,
            "metadata": metadata,
        }
        call = order_call(PATH, {**_body(orders, fields), **(extra_body or {})}, idempotency_key)
        answer = self._transport.answer(call)
        batch = cast(Batch, answer.json()["data"])
        replayed = answer.headers.get("idempotent-replayed") == "true"
        return BatchHandle(self._transport, batch, call.idempotency_key, replayed=replayed)

    def prices(self, orders: Orders) -> BatchQuote:
        """The price of all orders together, before they are placed. Send it as `max_price` to be charged no more."""
        quote: BatchQuote = self._transport.data(json_call("POST", f"{PATH}/prices", _body(orders, {})))
        return quote

    def get(self, batch_id: str) -> Batch:
        """Retrieves a batch."""
        return batch_calls.get(self._transport, batch_id)

    def wait(
        self, batch_id: str, *, timeout: float | None = None, on_update: OnBatchUpdate | None = None
    ) -> Batch:
        """Waits until all tasks of a batch are final, however they end. Another process may have placed it.

        Raises WaitTimeoutError after `timeout` seconds. `on_update` is called now and when the batch has changed.
        """
        gives_up_at = None if timeout is None else time.monotonic() + timeout
        return batch_calls.wait(self._transport, batch_id, gives_up_at, on_update)

    def events(self, batch_id: str) -> Generator[Batch]:
        """Yields the batch now and when it has changed, at most once a second, until it is final."""
        for batch in batch_calls.events(self._transport, batch_id):
            yield batch

    def cancel(self, batch_id: str, *, idempotency_key: str | None = None) -> Batch:
        """Cancels the orders that have not started; the others go on. Wait for the end of the batch."""
        return batch_calls.cancel(self._transport, batch_id, idempotency_key)

    def tasks(
        self,
        batch_id: str,
        *,
        status: TaskStatus | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> List[Task]:
        """The tasks of a batch that exist so far: images before videos, each in the order of the batch."""
        return batch_calls.tasks(self._transport, batch_id, status, after, limit)

    def results(self, batch_id: str) -> Generator[TaskHandle]:
        """Yields each task of a batch as soon as it is final, however it ended, until the batch has ended."""
        for handle in BatchResults(self._transport, batch_id):
            yield handle

    def archive(self, batch_id: str) -> BatchArchive:
        """The outputs of a batch that exist so far as one ZIP archive, to be saved or iterated."""
        return BatchArchive(self._transport, batch_id, lambda: batch_calls.known(batch_id))

    def handle(self, batch: Batch) -> BatchHandle:
        """A handle for a batch that was placed elsewhere, such as in another process."""
        return BatchHandle(self._transport, batch)

    def list(
        self,
        *,
        status: BatchStatus | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> List[Batch]:
        """The batches of this key, newest first. `limit` is the number of batches per request."""
        query: Mapping[str, object] = {
            "status": status,
            "created_after": time_text(created_after),
            "created_before": time_text(created_before),
            "after": after,
            "limit": limit,
        }
        return List(self._transport, PATH, query, "batch_id")


def _body(orders: Orders, fields: Mapping[str, object]) -> dict[str, object]:
    entries = read_orders(orders) if isinstance(orders, (str, os.PathLike)) else orders
    written = [entry_with_references(cast("Mapping[str, object]", one)) for one in entries]
    return {"orders": written, **{name: value for name, value in fields.items() if value is not None}}
