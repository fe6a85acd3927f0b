"""The calls that concern one batch, by its id."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable

from .._calls import Call
from .._followed import followed_batch, path_of_batch
from ..errors import APIConnectionError, DarkroomError, OrderState, attaching
from ..types import Batch, Task, TaskStatus
from .following import AsyncFollower
from .io import sleep
from .pager import AsyncList
from .transport import AsyncTransport, is_worth_waiting_for


def known(batch_id: str) -> OrderState:
    return OrderState(ordered="yes", batch_id=batch_id)


async def get(transport: AsyncTransport, batch_id: str) -> Batch:
    with attaching(lambda: known(batch_id)):
        batch: Batch = await transport.data(Call("GET", path_of_batch(batch_id)))
        return batch


async def cancel(transport: AsyncTransport, batch_id: str) -> Batch:
    with attaching(lambda: known(batch_id)):
        batch: Batch = await transport.data(Call("POST", f"{path_of_batch(batch_id)}/cancel"))
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


async def results(transport: AsyncTransport, batch_id: str) -> AsyncGenerator[Task]:
    """Yields each final task once. A stream that breaks is read again, without the tasks that were yielded."""
    seen: set[str] = set()
    failures = 0
    with attaching(lambda: known(batch_id)):
        while True:
            before = len(seen)
            try:
                async with transport.open(Call("GET", f"{path_of_batch(batch_id)}/results")) as response:
                    async for line in response.aiter_lines():
                        task = _task_in(line)
                        if task is not None and task["task_id"] not in seen:
                            seen.add(task["task_id"])
                            yield task
                return
            except DarkroomError as error:
                failures = 0 if len(seen) > before else failures + 1
                if failures > transport.retries or not is_worth_waiting_for(error):
                    raise
            await sleep(min(0.5 * 2.0**failures, 8.0))


def _task_in(line: str) -> Task | None:
    if line == "":
        return None
    try:
        task: Task = json.loads(line)
        return task
    except ValueError:
        raise APIConnectionError("a line of the results was cut") from None
