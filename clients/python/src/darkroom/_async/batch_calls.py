"""The calls that concern one batch, by its id."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from .._calls import Call, change_call
from .._followed import followed_batch, path_of_batch
from ..errors import OrderState, attaching
from ..types import Batch, Task, TaskStatus
from .following import AsyncFollower
from .pager import AsyncList
from .transport import AsyncTransport


def known(batch_id: str) -> OrderState:
    return OrderState(ordered="yes", batch_id=batch_id)


async def get(transport: AsyncTransport, batch_id: str) -> Batch:
    with attaching(lambda: known(batch_id)):
        batch: Batch = await transport.data(Call("GET", path_of_batch(batch_id)))
        return batch


async def cancel(transport: AsyncTransport, batch_id: str, idempotency_key: str | None) -> Batch:
    with attaching(lambda: known(batch_id)):
        batch: Batch = await transport.data(change_call(f"{path_of_batch(batch_id)}/cancel", None, idempotency_key))
        return batch


async def wait(
    transport: AsyncTransport,
    batch_id: str,
    gives_up_at: float | None,
    on_update: Callable[[Batch], object] | None,
    *,
    batch: Batch | None = None,
    key: str | None = None,
) -> Batch:
    follower = AsyncFollower(transport, followed_batch(batch_id, key), latest=batch, on_update=on_update)
    with attaching(follower.state):
        return await follower.wait(gives_up_at)


async def events(transport: AsyncTransport, batch_id: str) -> AsyncGenerator[Batch]:
    follower = AsyncFollower(transport, followed_batch(batch_id))
    with attaching(follower.state):
        async for batch in follower.events():
            yield batch


def tasks(
    transport: AsyncTransport, batch_id: str, status: TaskStatus | None, after: str | None, limit: int | None
) -> AsyncList[Task]:
    query = {"status": status, "after": after, "limit": limit}
    return AsyncList(transport, f"{path_of_batch(batch_id)}/tasks", query, "task_id")
