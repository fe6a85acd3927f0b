"""The exceptions of the client, except those for error codes of the interface: these are in `darkroom.api_errors`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from .types import Batch, Cost, Task, TaskErrorData

log = logging.getLogger("darkroom")

Ordered = Literal["yes", "no", "unknown"]

_ATTRIBUTE = "darkroom_order"


@dataclass(frozen=True)
class OrderState:
    """What the client knows about an order at the moment of an exception."""

    idempotency_key: str | None = None
    """Repeat the order with this key: it is never ordered twice."""
    task_id: str | None = None
    task: Task | None = None
    """The latest known state of the task."""
    ordered: Ordered = "no"
    """`unknown` after a lost answer: the same order with the same key finds the task, or orders once."""
    batch_id: str | None = None
    batch: Batch | None = None
    """The latest known state of the batch."""

    def __str__(self) -> str:
        parts = [f"ordered: {self.ordered}"]
        if self.task_id is not None:
            parts = [f"task {self.task_id}"]
        elif self.batch_id is not None:
            parts = [f"batch {self.batch_id}"]
        if self.task is not None:
            cost = self.task["cost"]
            parts.append(f"{cost['quoted']} {cost['currency']} {cost['state']}")
        if self.batch is not None:
            sums = self.batch["cost"]
            parts.append(f"{sums['charged']} {sums['currency']} charged, {sums['held']} held")
        if self.idempotency_key is not None:
            parts.append(f"idempotency key {self.idempotency_key}")
        return ", ".join(parts)


class DarkroomError(Exception):
    """Base class of all exceptions of this package. `code` is that of the interface, or one of the client's own."""

    code: str = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def order(self) -> OrderState | None:
        """The order that the exception belongs to, if any."""
        return _attached(self)

    @property
    def idempotency_key(self) -> str | None:
        return None if self.order is None else self.order.idempotency_key

    @property
    def task_id(self) -> str | None:
        return None if self.order is None else self.order.task_id

    @property
    def task(self) -> Task | None:
        """The latest known state of the task."""
        return None if self.order is None else self.order.task

    @property
    def batch_id(self) -> str | None:
        return None if self.order is None else self.order.batch_id

    @property
    def batch(self) -> Batch | None:
        """The latest known state of the batch."""
        return None if self.order is None else self.order.batch

    @property
    def ordered(self) -> Ordered:
        return "no" if self.order is None else self.order.ordered

    @property
    def cost(self) -> Cost | None:
        """What the task costs, as far as it is known: held, charged or released."""
        return None if self.task is None else self.task["cost"]

    def __str__(self) -> str:
        return self.message if self.order is None else f"{self.message} ({self.order})"


class ConfigurationError(DarkroomError):
    """The client was given no API key, or an invalid option."""

    code = "configuration"


class APIConnectionError(DarkroomError):
    """No answer of the service arrived, after all retries. See `ordered`: an order may have been accepted."""

    code = "connection_error"

    def __init__(self, message: str, *, was_sent: bool = True, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.was_sent = was_sent
        """False if no connection was made, so that the last request has had no effect."""
        self.retry_after = retry_after


class UnexpectedResponseError(DarkroomError):
    """The response is not from Darkroom. Check `base_url`."""

    code = "unexpected_response"


class WaitTimeoutError(DarkroomError, TimeoutError):
    """The task or batch was not final in the given time. It continues, and can be waited for again."""

    code = "wait_timeout"


class DownloadError(DarkroomError):
    """An output could not be downloaded or saved. The task is done: download it again, do not order it again."""

    code = "download_failed"


class OutputsMissingError(DarkroomError):
    """The task has no output: it has not succeeded, or its files were erased."""

    code = "no_output"


class TaskDeletedError(DarkroomError):
    """The idempotency key belongs to a task that was deleted. Use a new key for a new order."""

    code = "deleted"


class WebhookError(DarkroomError):
    """A webhook that the service did not send, or sent too long ago. Answer it with 401."""

    code = "invalid_signature"


class TaskError(DarkroomError):
    """A task ended without a result. Nothing was charged."""


class TaskCanceledError(TaskError):
    """The task was canceled."""

    code = "canceled"


class TaskFailedError(TaskError):
    """The task failed. Nothing was charged."""

    def __init__(self, task_id: str, error: TaskErrorData) -> None:
        super().__init__(f"{task_id} failed with {error['code']}: {error['message']}")
        self.code: str = error["code"]
        self.retry = error["retry"]
        """`new_order`: the same request may succeed as a new order. `never`: change the request first."""


class ContentPolicyError(TaskFailedError):
    """The engine or the operator's moderation refused the prompt, a reference or the result."""


class InvalidInputError(TaskFailedError):
    """A reference could not be fetched or does not fit the model, or the engine rejected the order."""


class UpstreamError(TaskFailedError):
    """The engine failed or delivered an unusable result."""


class UpstreamBillingError(TaskFailedError):
    """The operator's account at the engine cannot pay."""


class UpstreamAuthError(TaskFailedError):
    """The engine rejects the operator's credentials."""


class TaskTimeoutError(TaskFailedError):
    """No result arrived before the deadline of the task."""


class OutcomeUnknownError(TaskFailedError):
    """The service cannot know whether the engine accepted the order."""


class StorageError(TaskFailedError):
    """The service could not store the result."""


class ParentFailedError(TaskFailedError):
    """A task that this one waited for failed, was canceled or was deleted."""


TASK_ERRORS: dict[str, type[TaskFailedError]] = {
    "content_policy": ContentPolicyError,
    "invalid_input": InvalidInputError,
    "upstream_error": UpstreamError,
    "upstream_billing": UpstreamBillingError,
    "upstream_auth": UpstreamAuthError,
    "timeout": TaskTimeoutError,
    "outcome_unknown": OutcomeUnknownError,
    "storage_error": StorageError,
    "parent_failed": ParentFailedError,
}


def raise_unless_succeeded(task: Task, state: OrderState) -> None:
    """Raises the exception for the failure or the cancellation of a final task."""
    if task["status"] == "succeeded":
        return
    error = task["error"]
    raised = (
        TaskCanceledError(f"{task['task_id']} was canceled.")
        if error is None
        else TASK_ERRORS.get(error["code"], TaskFailedError)(task["task_id"], error)
    )
    attach(raised, state)
    raise raised


def order_of(error: BaseException | None) -> OrderState | None:
    """Returns the order that an exception interrupted, also for KeyboardInterrupt, CancelledError and TimeoutError."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        state = _attached(error)
        if state is not None:
            return state
        error = error.__cause__ or error.__context__
    return None


def attach(error: BaseException, state: OrderState) -> None:
    """Sets the order on the exception. An exception that is not of this package also gets a note and a log line."""
    # A generator that is closed early is no failure.
    if _attached(error) is not None or isinstance(error, GeneratorExit):
        return
    setattr(error, _ATTRIBUTE, state)
    if isinstance(error, DarkroomError):
        return
    log.warning("interrupted %s error=%s", state, type(error).__name__)
    note = f"Darkroom: interrupted {state}. The order continues."
    # From Python 3.11 on, tracebacks show these notes.
    error.__dict__.setdefault("__notes__", []).append(note)


@contextmanager
def attaching(state: Callable[[], OrderState]) -> Generator[None]:
    """Sets the state of the order on every exception that leaves the block."""
    try:
        yield
    except BaseException as error:
        attach(error, state())
        raise


def _attached(error: BaseException) -> OrderState | None:
    state = getattr(error, _ATTRIBUTE, None)
    return state if isinstance(state, OrderState) else None
