# Written by write_sync.py from ../_async/tasks.py.
"""Ordering, finding and listing tasks."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

from .._calls import order_call, time_text
from .._followed import path_of
from ..errors import APIConnectionError, OrderState, TaskDeletedError, WaitTimeoutError, attach
from ..orders import ActionOrder, ImageOrder, VideoOrder
from ..types import Task, TaskDeletion, TaskStatus, Variant
from . import task_calls
from .content import Content
from .pager import List
from .task_handle import TaskHandle, OnUpdate
from .transport import Transport

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack


class Tasks:
    """The tasks of one type: `client.images` or `client.videos`."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def get(self, task_id: str) -> Task:
        """Retrieves a task."""
        return task_calls.get(self._transport, task_id)

    def wait(self, task_id: str, *, timeout: float | None = None, on_update: OnUpdate | None = None) -> Task:
        """Waits until a task is final, however it ends. It may have been ordered by another process.

        Raises WaitTimeoutError after `timeout` seconds. `on_update` is called now and after every change.
        """
        gives_up_at = None if timeout is None else time.monotonic() + timeout
        return task_calls.wait(self._transport, task_id, gives_up_at, on_update)

    def events(self, task_id: str) -> Generator[Task]:
        """Yields the task now and after every change, until it is final."""
        for task in task_calls.events(self._transport, task_id):
            yield task

    def cancel(self, task_id: str, *, idempotency_key: str | None = None) -> Task:
        """Cancels a task, if it can be canceled. A running task may still succeed: wait for its end."""
        return task_calls.cancel(self._transport, task_id, idempotency_key)

    def delete(self, task_id: str) -> TaskDeletion:
        """Erases the files and the prompt of a final task."""
        return task_calls.delete(self._transport, task_id)

    def content(self, task_id: str, *, variant: Variant | None = None) -> Content:
        """The output of a task, to be read, iterated or saved."""
        path = path_of(task_id)
        return Content(self._transport, path, variant, lambda: task_calls.known(task_id), None)

    def handle(self, task: Task) -> TaskHandle:
        """A handle for a task that was ordered elsewhere, such as in another process."""
        return TaskHandle(self._transport, task)

    def list(
        self,
        *,
        status: TaskStatus | Sequence[TaskStatus] | None = None,
        model_id: str | None = None,
        end_user: str | None = None,
        parent_task_id: str | None = None,
        batch_id: str | None = None,
        tag: str | None = None,
        search: str | None = None,
        include: Literal["tags"] | None = None,
        created_after: str | datetime | None = None,
        created_before: str | datetime | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> List[Task]:
        """The tasks of this key, newest first. `limit` is the number of tasks per request.

        `search` takes words of the prompt or the model id, or one task id. `include="tags"` adds the tags of each task.
        """
        query: Mapping[str, object] = {
            "status": status,
            "model_id": model_id,
            "end_user": end_user,
            "parent_task_id": parent_task_id,
            "batch_id": batch_id,
            "tag": tag,
            "search": search,
            "include": include,
            "created_after": time_text(created_after),
            "created_before": time_text(created_before),
            "after": after,
            "limit": limit,
        }
        return List(self._transport, self._path, query, "task_id")

    def _create(
        self,
        path: str,
        order: Mapping[str, object],
        idempotency_key: str | None,
        extra_body: Mapping[str, object] | None,
        gives_up_at: float | None = None,
    ) -> TaskHandle:
        call = order_call(path, {**order, **(extra_body or {})}, idempotency_key, gives_up_at)
        answer = self._transport.answer(call)
        data: Any = answer.json()["data"]
        if "deleted_at" in data:
            deleted = TaskDeletedError(
                f"{data['task_id']} was ordered with this idempotency key before, and deleted at {data['deleted_at']}."
            )
            attach(deleted, OrderState(call.idempotency_key, data["task_id"], None, "yes"))
            raise deleted
        replayed = answer.headers.get("idempotent-replayed") == "true"
        return TaskHandle(self._transport, cast(Task, data), call.idempotency_key, replayed=replayed)

    def _generate(
        self,
        path: str,
        order: Mapping[str, object],
        idempotency_key: str | None,
        extra_body: Mapping[str, object] | None,
        timeout: float | None,
        on_update: OnUpdate | None,
    ) -> TaskHandle:
        gives_up_at = None if timeout is None else time.monotonic() + timeout
        try:
            handle = self._create(path, order, idempotency_key, extra_body, gives_up_at)
        except APIConnectionError as error:
            if gives_up_at is None or time.monotonic() < gives_up_at or error.order is None:
                raise
            late = WaitTimeoutError("The time to wait was over before the service answered the order.")
            attach(late, error.order)
            raise late from error
        return handle._result(gives_up_at, on_update)  # pyright: ignore[reportPrivateUsage]


class Actions:
    """Follow-up actions on an earlier image, such as `upscale`. The parent's `available_actions` lists them."""

    def __init__(self, images: Images) -> None:
        self._images = images

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        extra_body: Mapping[str, object] | None = None,
        **order: Unpack[ActionOrder],
    ) -> TaskHandle:
        """Orders an action, and returns at once. See `Images.create`."""
        return self._images._create(  # pyright: ignore[reportPrivateUsage]
            "/v1/images/actions", order, idempotency_key, extra_body
        )

    def generate(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_update: OnUpdate | None = None,
        extra_body: Mapping[str, object] | None = None,
        **order: Unpack[ActionOrder],
    ) -> TaskHandle:
        """Orders an action, and waits until its task has succeeded. See `Images.generate`."""
        return self._images._generate(  # pyright: ignore[reportPrivateUsage]
            "/v1/images/actions", order, idempotency_key, extra_body, timeout, on_update
        )


class Images(Tasks):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport, "/v1/images")
        self.actions = Actions(self)

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        extra_body: Mapping[str, object] | None = None,
        **order: Unpack[ImageOrder],
    ) -> TaskHandle:
        """Orders an image, and returns at once.

        The call makes an idempotency key before its first try and sends the same order with it until an answer comes,
        so the order is never placed twice. Give a key of your own to repeat the order in another process.

        `extra_body` takes the model's own fields that the types do not name.
        """
        return self._create(self._path, order, idempotency_key, extra_body)

    def generate(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_update: OnUpdate | None = None,
        extra_body: Mapping[str, object] | None = None,
        **order: Unpack[ImageOrder],
    ) -> TaskHandle:
        """Orders an image, and waits until its task has succeeded.

        `on_update` is called as soon as the task is accepted, and after every change: store the task's id there.
        `timeout` is in seconds, for the order and the wait together; None waits as long as the task takes.

        Every exception carries the idempotency key and the task id; `darkroom.order_of` finds them also on
        KeyboardInterrupt, CancelledError and TimeoutError. The task continues after an exception.
        """
        return self._generate(self._path, order, idempotency_key, extra_body, timeout, on_update)


class Videos(Tasks):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport, "/v1/videos")

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        extra_body: Mapping[str, object] | None = None,
        **order: Unpack[VideoOrder],
    ) -> TaskHandle:
        """Orders a video, and returns at once. See `Images.create`."""
        return self._create(self._path, order, idempotency_key, extra_body)

    def generate(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_update: OnUpdate | None = None,
        extra_body: Mapping[str, object] | None = None,
        **order: Unpack[VideoOrder],
    ) -> TaskHandle:
        """Orders a video, and waits until its task has succeeded. See `Images.generate`."""
        return self._generate(self._path, order, idempotency_key, extra_body, timeout, on_update)
