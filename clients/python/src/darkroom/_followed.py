"""What can be followed until it is final: a task or a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import quote

from .errors import OrderState
from .types import Batch, Task

T = TypeVar("T")


@dataclass(frozen=True)
class Followed(Generic[T]):
    path: str
    id: str
    event: str
    """The name of its server-sent events."""
    status: Callable[[T], str]
    is_final: Callable[[T], bool]
    is_news: Callable[[T, T], bool]
    """Whether the second state differs from the first."""
    event_id: Callable[[T], str | None]
    """What a stream that goes on after this state is told as `Last-Event-ID`."""
    state: Callable[[T | None], OrderState]


def path_of(task_id: str) -> str:
    """Returns the path of a task. Its id says whether it is an image or a video."""
    return f"/v1/{'videos' if task_id.startswith('vid_') else 'images'}/{quote(task_id, safe='')}"


def path_of_batch(batch_id: str) -> str:
    return f"/v1/batches/{quote(batch_id, safe='')}"


def followed_task(task_id: str, key: str | None = None) -> Followed[Task]:
    return Followed(
        path=path_of(task_id),
        id=task_id,
        event="task",
        status=lambda task: task["status"],
        is_final=lambda task: task["status"] in ("succeeded", "failed", "canceled"),
        is_news=lambda before, task: task["revision"] != before["revision"],
        event_id=lambda task: str(task["revision"]),
        state=lambda task: OrderState(key, task_id, task, "yes"),
    )


def followed_batch(batch_id: str, key: str | None = None) -> Followed[Batch]:
    return Followed(
        path=path_of_batch(batch_id),
        id=batch_id,
        event="batch",
        status=lambda batch: batch["status"],
        is_final=lambda batch: batch["status"] != "processing",
        is_news=lambda before, batch: batch != before,
        # A batch has no revision: each stream begins with its current state.
        event_id=lambda batch: None,
        state=lambda batch: OrderState(key, ordered="yes", batch_id=batch_id, batch=batch),
    )
