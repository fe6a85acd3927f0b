"""A batch that was accepted, and what can be done with it."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable

from ..errors import DarkroomError, OrderState, attaching
from ..types import Batch, BatchCost, BatchCounts, BatchStatus, Task, TaskStatus
from . import batch_calls
from .batch_archive import AsyncBatchArchive
from .batch_results import AsyncBatchResults
from .pager import AsyncList
from .task_handle import AsyncTaskHandle
from .transport import AsyncTransport

OnBatchUpdate = Callable[[Batch], object]


class AsyncBatchHandle:
    """A batch that was accepted. `batch` is its latest known state."""

    def __init__(
        self, transport: AsyncTransport, batch: Batch, idempotency_key: str | None = None, *, replayed: bool = False
    ) -> None:
        self._transport = transport
        self.batch = batch
        self.idempotency_key = idempotency_key
        """The key of the batch; None if the handle does not come from its order."""
        self.replayed = replayed
        """Whether the batch existed before: the call repeated an earlier one."""

    @property
    def batch_id(self) -> str:
        return self.batch["batch_id"]

    @property
    def status(self) -> BatchStatus:
        return self.batch["status"]

    @property
    def counts(self) -> BatchCounts:
        return self.batch["counts"]

    @property
    def cost(self) -> BatchCost:
        return self.batch["cost"]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.batch_id} {self.status}>"

    async def wait(self, *, timeout: float | None = None, on_update: OnBatchUpdate | None = None) -> Batch:
        """Waits until all tasks are final, however they end. Raises WaitTimeoutError after `timeout` seconds.

        The batch continues whatever interrupts the wait. `on_update` is called now and when the batch has changed.
        """
        gives_up_at = None if timeout is None else time.monotonic() + timeout
        with attaching(self._state):
            try:
                self.batch = await batch_calls.wait(
                    self._transport, self.batch_id, gives_up_at, on_update, batch=self.batch, key=self.idempotency_key
                )
            except DarkroomError as error:
                self.batch = error.batch or self.batch
                raise
        return self.batch

    async def events(self) -> AsyncGenerator[Batch]:
        """Yields the batch now and when it has changed, at most once a second, until it is final."""
        with attaching(self._state):
            async for batch in batch_calls.events(self._transport, self.batch_id):
                self.batch = batch
                yield batch

    async def refresh(self) -> Batch:
        """Retrieves the batch as it is now."""
        with attaching(self._state):
            self.batch = await batch_calls.get(self._transport, self.batch_id)
        return self.batch

    async def cancel(self, *, idempotency_key: str | None = None) -> Batch:
        """Cancels the orders that have not started; the others go on."""
        with attaching(self._state):
            self.batch = await batch_calls.cancel(self._transport, self.batch_id, idempotency_key)
        return self.batch

    def tasks(
        self, *, status: TaskStatus | None = None, after: str | None = None, limit: int | None = None
    ) -> AsyncList[Task]:
        """The tasks that exist so far: images before videos, each in the order of the batch."""
        return batch_calls.tasks(self._transport, self.batch_id, status, after, limit)

    async def results(self) -> AsyncGenerator[AsyncTaskHandle]:
        """Yields each task as soon as it is final, however it ended, until the batch has ended.

        `task["batch_name"]` of the handle is the name of its order.
        """
        with attaching(self._state):
            async for handle in AsyncBatchResults(self._transport, self.batch_id):
                yield handle

    def archive(self) -> AsyncBatchArchive:
        """The outputs that exist so far as one ZIP archive, to be saved or iterated."""
        return AsyncBatchArchive(self._transport, self.batch_id, self._state)

    def _state(self) -> OrderState:
        return OrderState(self.idempotency_key, ordered="yes", batch_id=self.batch_id, batch=self.batch)
