# Written by write_sync.py from ../_async/task_calls.py.
"""The calls that concern one task, by its id."""

from __future__ import annotations

from collections.abc import Generator, Callable

from .._calls import Call, change_call
from .._followed import followed_task, path_of
from ..errors import OrderState, attaching
from ..types import Task, TaskDeletion
from .following import Follower
from .transport import Transport


def known(task_id: str) -> OrderState:
    return OrderState(task_id=task_id, ordered="yes")


def get(transport: Transport, task_id: str) -> Task:
    with attaching(lambda: known(task_id)):
        task: Task = transport.data(Call("GET", path_of(task_id)))
        return task


def cancel(transport: Transport, task_id: str, idempotency_key: str | None) -> Task:
    with attaching(lambda: known(task_id)):
        task: Task = transport.data(change_call(f"{path_of(task_id)}/cancel", None, idempotency_key))
        return task


def delete(transport: Transport, task_id: str) -> TaskDeletion:
    with attaching(lambda: known(task_id)):
        return {"task_id": task_id, "deleted_at": transport.delete(path_of(task_id), "task_not_found")}


def wait(
    transport: Transport,
    task_id: str,
    gives_up_at: float | None,
    on_update: Callable[[Task], object] | None,
    *,
    task: Task | None = None,
    key: str | None = None,
) -> Task:
    follower = Follower(transport, followed_task(task_id, key), latest=task, on_update=on_update)
    with attaching(follower.state):
        return follower.wait(gives_up_at)


def events(transport: Transport, task_id: str) -> Generator[Task]:
    follower = Follower(transport, followed_task(task_id))
    with attaching(follower.state):
        for task in follower.events():
            yield task
