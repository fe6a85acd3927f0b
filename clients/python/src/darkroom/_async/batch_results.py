"""Each task of a batch as soon as it is final."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from .._calls import Call
from .._followed import path_of_batch
from ..errors import attaching
from ..types import Batch, Task
from . import batch_calls
from .task_handle import AsyncTaskHandle
from .transport import AsyncTransport

# The list of a batch's tasks has images before videos, each in the order of the batch.
TYPES = ("img", "vid")
PAGE = 100
FINAL = ("succeeded", "failed", "canceled")


class AsyncBatchResults:
    """Reads the list from the first task that is not final, and only as far as the batch's counts promise news."""

    def __init__(self, transport: AsyncTransport, batch_id: str) -> None:
        self._transport = transport
        self._batch_id = batch_id
        self._known: set[str] = set()
        self._after = {type: _first_id(type) for type in TYPES}

    async def __aiter__(self) -> AsyncGenerator[AsyncTaskHandle]:
        """Yields each task once, however it ended, until the batch has ended. Leaves out deleted tasks."""
        with attaching(lambda: batch_calls.known(self._batch_id)):
            async for task in self._ended():
                yield AsyncTaskHandle(self._transport, task)

    async def _ended(self) -> AsyncGenerator[Task]:
        async for batch in batch_calls.events(self._transport, self._batch_id):
            ended = _count_ended(batch)
            for type in TYPES:
                async for task in self._new(type, ended):
                    yield task
            if batch["status"] == "processing" or len(self._known) >= ended:
                continue
            # A task was deleted, or appeared before one that had ended already.
            for type in TYPES:
                self._after[type] = _first_id(type)
                async for task in self._new(type, None):
                    yield task

    async def _new(self, type: str, wanted: int | None) -> AsyncGenerator[Task]:
        is_unbroken = True
        start = self._after[type]
        while wanted is None or len(self._known) < wanted:
            query = {"limit": PAGE, "after": start}
            page: Any = await self._transport.data(Call("GET", f"{path_of_batch(self._batch_id)}/tasks", query=query))
            tasks: list[Task] = page["items"]
            own = [task for task in tasks if task["task_id"].startswith(type)]
            for task in own:
                task_id = task["task_id"]
                is_unbroken = is_unbroken and task["status"] in FINAL
                if is_unbroken:
                    self._after[type] = task_id
                if task["status"] in FINAL and task_id not in self._known:
                    self._known.add(task_id)
                    yield task
            if not page["has_more"] or not own or len(own) < len(tasks):
                return
            start = own[-1]["task_id"]


def _first_id(type: str) -> str:
    """Returns an id that every id of this type follows."""
    return f"{type}_{'0' * 26}"


def _count_ended(batch: Batch) -> int:
    counts = batch["counts"]
    return counts["succeeded"] + counts["failed"] + counts["canceled"]
