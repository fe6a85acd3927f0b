"""The calls that concern one task, by its id."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from .._calls import Call, change_call
from .._followed import followed_task, path_of
from ..errors import OrderState, attaching
from ..types import Task, TaskDeletion
from .following import AsyncFollower
from .transport import AsyncTransport


def known(task_id: str) -> OrderState:
    return OrderState(task_id=task_id, ordered="yes")


async def get(transport: AsyncTransport, task_id: str) -> Task:
    with attaching(lambda: known(task_id)):
        task: Task = await transport.data(Call("GET", path_of(task_id)))
        return task


async def cancel(transport: AsyncTransport, task_id: str, idempotency_key: str | None) -> Task:
    with attaching(lambda: known(task_id)):
        task: Task = await transport.data(change_call(f"{path_of(task_id)}/cancel", None, idempotency_key))
        return task


async def delete(transport: AsyncTransport, task_id: str) -> TaskDeletion:
    with attaching(lambda: known(task_id)):
        return {"task_id": task_id, "deleted_at": await transport.delete(path_of(task_id), "task_not_found")}


async def wait(
    transport: AsyncTransport,
    task_id: str,
    gives_up_at: float | None,
    on_update: Callable[[Task], object] | None,
    *,
    task: Task | None = None,
    key: str | None = None,
) -> Task:
    follower = AsyncFollower(transport, followed_task(task_id, key), latest=task, on_update=on_update)
    with attaching(follower.state):
        return await follower.wait(gives_up_at)


async def events(transport: AsyncTransport, task_id: str) -> AsyncGenerator[Task]:
    follower = AsyncFollower(transport, followed_task(task_id))
    with attaching(follower.state):
        async for task in follower.events():
            yield task
