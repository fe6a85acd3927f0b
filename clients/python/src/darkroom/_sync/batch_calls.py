# Written by write_sync.py from ../_async/batch_calls.py.
"""The calls that concern one batch, by its id."""

from __future__ import annotations

from collections.abc import Generator, Callable

from .._calls import Call, change_call
from .._followed import followed_batch, path_of_batch
from ..errors import OrderState, attaching
from ..types import Batch, Task, TaskStatus
from .following import Follower
from .pager import List
from .transport import Transport


def known(batch_id: str) -> OrderState:
    return OrderState(ordered="yes", batch_id=batch_id)


def get(transport: Transport, batch_id: str) -> Batch:
    with attaching(lambda: known(batch_id)):
        batch: Batch = transport.data(Call("GET", path_of_batch(batch_id)))
        return batch


def cancel(transport: Transport, batch_id: str, idempotency_key: str | None) -> Batch:
    with attaching(lambda: known(batch_id)):
        batch: Batch = transport.data(change_call(f"{path_of_batch(batch_id)}/cancel", None, idempotency_key))
        return batch


def wait(
    transport: Transport,
    batch_id: str,
    gives_up_at: float | None,
    on_update: Callable[[Batch], object] | None,
    *,
    batch: Batch | None = None,
    key: str | None = None,
) -> Batch:
    follower = Follower(transport, followed_batch(batch_id, key), latest=batch, on_update=on_update)
    with attaching(follower.state):
        return follower.wait(gives_up_at)


def events(transport: Transport, batch_id: str) -> Generator[Batch]:
    follower = Follower(transport, followed_batch(batch_id))
    with attaching(follower.state):
        for batch in follower.events():
            yield batch


def tasks(
    transport: Transport, batch_id: str, status: TaskStatus | None, after: str | None, limit: int | None
) -> List[Task]:
    query = {"status": status, "after": after, "limit": limit}
    return List(transport, f"{path_of_batch(batch_id)}/tasks", query, "task_id")
