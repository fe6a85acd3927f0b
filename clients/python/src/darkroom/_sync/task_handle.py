# Written by write_sync.py from ../_async/task_handle.py.
"""An order that was accepted, and what can be done with it."""

from __future__ import annotations

import time
from collections.abc import Generator, Callable

from .._followed import path_of
from .._references import reference_to
from .._sources import Target
from ..errors import DarkroomError, OrderState, OutputsMissingError, attach, attaching, raise_unless_succeeded
from ..types import Cost, Output, Task, TaskDeletion, TaskStatus, Variant
from . import task_calls
from .content import Content
from .transport import Transport

OnUpdate = Callable[[Task], object]


class TaskHandle:
    """An order that was accepted. `task` is its latest known state."""

    def __init__(
        self, transport: Transport, task: Task, idempotency_key: str | None = None, *, replayed: bool = False
    ) -> None:
        self._transport = transport
        self.task = task
        self.idempotency_key = idempotency_key
        """The key of the order; None if the handle does not come from it."""
        self.replayed = replayed
        """Whether the order existed before: the call repeated an earlier one."""

    @property
    def task_id(self) -> str:
        return self.task["task_id"]

    @property
    def status(self) -> TaskStatus:
        return self.task["status"]

    @property
    def cost(self) -> Cost:
        return self.task["cost"]

    @property
    def output(self) -> Output:
        """The file that the task produced. Raises OutputsMissingError before the task has succeeded."""
        if self.task["outputs"]:
            return self.task["outputs"][0]
        reason = "has been erased" if self.status == "succeeded" else f"does not exist: the task is {self.status}"
        error = OutputsMissingError(f"The output of {self.task_id} {reason}.")
        attach(error, self._state())
        raise error

    def reference(self, number: int | None = None) -> str:
        """Names the output in the order of another task. `number` is a tile of a grid, or an output; both count from 1.

        With `wait_for_parent=True` in that order, this task need not be finished.
        """
        return reference_to(self.task_id, number)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.task_id} {self.status}>"

    def wait(self, *, timeout: float | None = None, on_update: OnUpdate | None = None) -> Task:
        """Waits until the task is final, however it ends. Raises WaitTimeoutError after `timeout` seconds.

        The task continues whatever interrupts the wait. `on_update` is called now and after every change.
        """
        return self._wait(None if timeout is None else time.monotonic() + timeout, on_update)

    def result(self, *, timeout: float | None = None, on_update: OnUpdate | None = None) -> TaskHandle:
        """Waits until the task has succeeded. Raises TaskFailedError or TaskCanceledError when it ends otherwise."""
        return self._result(None if timeout is None else time.monotonic() + timeout, on_update)

    def events(self) -> Generator[Task]:
        """Yields the task now and after every change, until it is final."""
        with attaching(self._state):
            for task in task_calls.events(self._transport, self.task_id):
                self.task = task
                yield task

    def refresh(self) -> Task:
        """Retrieves the task as it is now."""
        with attaching(self._state):
            self.task = task_calls.get(self._transport, self.task_id)
        return self.task

    def cancel(self, *, idempotency_key: str | None = None) -> Task:
        """Cancels the task, if it can be canceled. A running task may still succeed: wait for its end."""
        with attaching(self._state):
            self.task = task_calls.cancel(self._transport, self.task_id, idempotency_key)
        return self.task

    def delete(self) -> TaskDeletion:
        """Erases the files and the prompt of a final task."""
        with attaching(self._state):
            return task_calls.delete(self._transport, self.task_id)

    def content(self, *, variant: Variant | None = None) -> Content:
        """The output, to be read, iterated or saved."""
        sha256 = self.task["outputs"][0]["sha256"] if variant is None and self.task["outputs"] else None
        return Content(self._transport, path_of(self.task_id), variant, self._state, sha256)

    def save(self, target: Target, *, variant: Variant | None = None) -> None:
        """Saves the output to a path or a binary file object."""
        self.content(variant=variant).save(target)

    def _wait(self, gives_up_at: float | None, on_update: OnUpdate | None) -> Task:
        with attaching(self._state):
            try:
                self.task = task_calls.wait(
                    self._transport, self.task_id, gives_up_at, on_update, task=self.task, key=self.idempotency_key
                )
            except DarkroomError as error:
                self.task = error.task or self.task
                raise
        return self.task

    def _result(self, gives_up_at: float | None, on_update: OnUpdate | None) -> TaskHandle:
        raise_unless_succeeded(self._wait(gives_up_at, on_update), self._state())
        return self

    def _state(self) -> OrderState:
        return OrderState(self.idempotency_key, self.task_id, self.task, "yes")
