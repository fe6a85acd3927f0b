"""Follows a task until it is final: by server-sent events, then by polling."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable

from .._calls import Call
from .._events import EventReader
from ..errors import APIConnectionError, DarkroomError, OrderState, WaitTimeoutError
from ..types import Task
from .io import call_back, sleep
from .transport import AsyncTransport, is_worth_waiting_for

FINAL = ("succeeded", "failed", "canceled")
# The service sends a comment every 15 seconds.
STREAM_SILENCE_SECONDS = 40.0
# A stream cannot be left before its next line, so the last seconds of a wait are polled.
STREAM_NEEDS_SECONDS = 20.0
STREAMS_PER_WAIT = 4
MAX_PREFER_SECONDS = 25
# How long a wait survives a service that cannot be reached.
UNREACHABLE_SECONDS = 300.0


class AsyncFollower:
    def __init__(
        self,
        transport: AsyncTransport,
        path: str,
        task_id: str,
        *,
        task: Task | None = None,
        idempotency_key: str | None = None,
        on_update: Callable[[Task], object] | None = None,
    ) -> None:
        self.task = task
        self._transport = transport
        self._path = path
        self._task_id = task_id
        self._key = idempotency_key
        self._on_update = on_update

    def state(self) -> OrderState:
        return OrderState(self._key, self._task_id, self.task, "yes")

    async def wait(self, gives_up_at: float | None) -> Task:
        """Returns the final task. Raises WaitTimeoutError after the given monotonic time."""
        streams_left = STREAMS_PER_WAIT
        heard_at = time.monotonic()
        if self.task is not None and self._on_update is not None:
            await call_back(self._on_update, self.task)
        while self.task is None or self.task["status"] not in FINAL:
            left = float("inf") if gives_up_at is None else gives_up_at - time.monotonic()
            if left <= 0:
                raise self._timed_out()
            try:
                if streams_left > 0 and left > STREAM_NEEDS_SECONDS:
                    streams_left -= 1
                    await self._follow_stream(gives_up_at)
                await self._poll(gives_up_at)
                heard_at = time.monotonic()
            except DarkroomError as error:
                if gives_up_at is not None and time.monotonic() >= gives_up_at:
                    raise self._timed_out() from error
                if not is_worth_waiting_for(error) or time.monotonic() - heard_at > UNREACHABLE_SECONDS:
                    raise
                await sleep(1.0 if gives_up_at is None else max(0.0, min(1.0, gives_up_at - time.monotonic())))
        return self.task

    async def events(self) -> AsyncGenerator[Task]:
        """Yields the task at once and after every change, and ends with the final one."""
        failures = 0
        while self.task is None or self.task["status"] not in FINAL:
            before = self.task
            reason = APIConnectionError("the stream ended before the task was final")
            try:
                async with self._transport.open(self._stream_call()) as response:
                    reader = EventReader()
                    async for line in response.aiter_lines():
                        task = reader.read(line)
                        if task is not None and self._is_news(task):
                            self.task = task
                            yield task
            except DarkroomError as error:
                if not is_worth_waiting_for(error):
                    raise
                reason = APIConnectionError(error.message)
            failures = 0 if self.task is not before else failures + 1
            if failures > self._transport.retries:
                raise reason
            if self.task is None or self.task["status"] not in FINAL:
                await sleep(min(0.5 * 2.0**failures, 8.0))

    async def _follow_stream(self, gives_up_at: float | None) -> None:
        """Reads events until the task is final, or the stream breaks, or the time is nearly up."""
        try:
            async with self._transport.open(self._stream_call(gives_up_at)) as response:
                reader = EventReader()
                async for line in response.aiter_lines():
                    task = reader.read(line)
                    if task is not None:
                        await self._take(task)
                    if gives_up_at is not None and gives_up_at - time.monotonic() < STREAM_NEEDS_SECONDS:
                        return
        except DarkroomError:
            # Polling finds out whether this concerns the task or only the stream.
            return

    async def _poll(self, gives_up_at: float | None) -> None:
        if self.task is not None and self.task["status"] in FINAL:
            return
        left = MAX_PREFER_SECONDS if gives_up_at is None else gives_up_at - time.monotonic()
        seconds = int(min(left, MAX_PREFER_SECONDS))
        call = Call(
            "GET",
            self._path,
            headers={"prefer": f"wait={seconds}"} if seconds >= 1 else {},
            read_seconds=seconds + 15.0,
            gives_up_at=None if gives_up_at is None else gives_up_at + 2.0,
        )
        answer = await self._transport.answer(call)
        task: Task = answer.json()["data"]
        await self._take(task)
        if task["status"] not in FINAL and "preference-applied" not in answer.headers:
            pause = float(answer.headers.get("retry-after", "1"))
            await sleep(pause if gives_up_at is None else max(0.0, min(pause, gives_up_at - time.monotonic())))

    async def _take(self, task: Task) -> None:
        is_news = self._is_news(task)
        self.task = task
        if is_news and self._on_update is not None:
            await call_back(self._on_update, task)

    def _is_news(self, task: Task) -> bool:
        return self.task is None or task["revision"] != self.task["revision"]

    def _stream_call(self, gives_up_at: float | None = None) -> Call:
        last = {} if self.task is None else {"last-event-id": str(self.task["revision"])}
        return Call(
            "GET",
            f"{self._path}/events",
            headers={"accept": "text/event-stream", **last},
            read_seconds=STREAM_SILENCE_SECONDS,
            gives_up_at=gives_up_at,
        )

    def _timed_out(self) -> WaitTimeoutError:
        status = "not known" if self.task is None else self.task["status"]
        return WaitTimeoutError(f"The time to wait is over; {self._task_id} is {status} and continues.")
