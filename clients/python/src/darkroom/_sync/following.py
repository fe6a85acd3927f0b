# Written by write_sync.py from ../_async/following.py.
"""Follows a task or a batch until it is final: by server-sent events, then by polling."""

from __future__ import annotations

import time
from collections.abc import Generator, Callable
from typing import Generic, TypeVar

from .._calls import Call
from .._events import EventReader
from .._followed import Followed
from ..errors import APIConnectionError, DarkroomError, OrderState, WaitTimeoutError
from .io import call_back, sleep
from .transport import Transport, is_worth_waiting_for

# The service sends a comment every 15 seconds.
STREAM_SILENCE_SECONDS = 40.0
# A stream cannot be left before its next line, so the last seconds of a wait are polled.
STREAM_NEEDS_SECONDS = 20.0
STREAMS_PER_WAIT = 4
MAX_PREFER_SECONDS = 25
# How long a wait survives a service that cannot be reached.
UNREACHABLE_SECONDS = 300.0

T = TypeVar("T")


class Follower(Generic[T]):
    def __init__(
        self,
        transport: Transport,
        followed: Followed[T],
        *,
        latest: T | None = None,
        on_update: Callable[[T], object] | None = None,
    ) -> None:
        self.latest = latest
        self._transport = transport
        self._followed = followed
        self._on_update = on_update

    def state(self) -> OrderState:
        return self._followed.state(self.latest)

    def wait(self, gives_up_at: float | None) -> T:
        """Returns the final state. Raises WaitTimeoutError after the given monotonic time."""
        streams_left = STREAMS_PER_WAIT
        heard_at = time.monotonic()
        if self.latest is not None and self._on_update is not None:
            call_back(self._on_update, self.latest)
        while self.latest is None or not self._followed.is_final(self.latest):
            left = float("inf") if gives_up_at is None else gives_up_at - time.monotonic()
            if left <= 0:
                raise self._timed_out()
            try:
                if streams_left > 0 and left > STREAM_NEEDS_SECONDS:
                    streams_left -= 1
                    self._follow_stream(gives_up_at)
                self._poll(gives_up_at)
                heard_at = time.monotonic()
            except DarkroomError as error:
                if gives_up_at is not None and time.monotonic() >= gives_up_at:
                    raise self._timed_out() from error
                if not is_worth_waiting_for(error) or time.monotonic() - heard_at > UNREACHABLE_SECONDS:
                    raise
                sleep(1.0 if gives_up_at is None else max(0.0, min(1.0, gives_up_at - time.monotonic())))
        return self.latest

    def events(self) -> Generator[T]:
        """Yields the state at once and after every change, and ends with the final one."""
        failures = 0
        while not self._is_over():
            before = self.latest
            reason = APIConnectionError(f"the stream ended before the {self._followed.event} was final")
            try:
                with self._transport.open(self._stream_call()) as response:
                    reader = EventReader(self._followed.event)
                    for line in response.iter_lines():
                        latest: T | None = reader.read(line)
                        if latest is not None and self._is_news(latest):
                            self.latest = latest
                            yield latest
            except DarkroomError as error:
                if not is_worth_waiting_for(error):
                    raise
                reason = APIConnectionError(error.message)
            failures = 0 if self.latest is not before else failures + 1
            if failures > self._transport.retries:
                raise reason
            if not self._is_over():
                sleep(min(0.5 * 2.0**failures, 8.0))

    def _follow_stream(self, gives_up_at: float | None) -> None:
        """Reads events until the final one, or the stream breaks, or the time is nearly up."""
        try:
            with self._transport.open(self._stream_call(gives_up_at)) as response:
                reader = EventReader(self._followed.event)
                for line in response.iter_lines():
                    latest: T | None = reader.read(line)
                    if latest is not None:
                        self._take(latest)
                    if gives_up_at is not None and gives_up_at - time.monotonic() < STREAM_NEEDS_SECONDS:
                        return
        except DarkroomError:
            # Polling finds out whether this concerns the task or only the stream.
            return

    def _poll(self, gives_up_at: float | None) -> None:
        if self._is_over():
            return
        left = MAX_PREFER_SECONDS if gives_up_at is None else gives_up_at - time.monotonic()
        seconds = int(min(left, MAX_PREFER_SECONDS))
        call = Call(
            "GET",
            self._followed.path,
            headers={"prefer": f"wait={seconds}"} if seconds >= 1 else {},
            read_seconds=seconds + 15.0,
            gives_up_at=None if gives_up_at is None else gives_up_at + 2.0,
        )
        answer = self._transport.answer(call)
        latest: T = answer.json()["data"]
        self._take(latest)
        if not self._is_over() and "preference-applied" not in answer.headers:
            pause = float(answer.headers.get("retry-after", "1"))
            sleep(pause if gives_up_at is None else max(0.0, min(pause, gives_up_at - time.monotonic())))

    def _take(self, latest: T) -> None:
        is_news = self._is_news(latest)
        self.latest = latest
        if is_news and self._on_update is not None:
            call_back(self._on_update, latest)

    def _is_over(self) -> bool:
        return self.latest is not None and self._followed.is_final(self.latest)

    def _is_news(self, latest: T) -> bool:
        return self.latest is None or self._followed.is_news(self.latest, latest)

    def _stream_call(self, gives_up_at: float | None = None) -> Call:
        event_id = None if self.latest is None else self._followed.event_id(self.latest)
        last = {} if event_id is None else {"last-event-id": event_id}
        return Call(
            "GET",
            f"{self._followed.path}/events",
            headers={"accept": "text/event-stream", **last},
            read_seconds=STREAM_SILENCE_SECONDS,
            gives_up_at=gives_up_at,
        )

    def _timed_out(self) -> WaitTimeoutError:
        status = "not known" if self.latest is None else self._followed.status(self.latest)
        return WaitTimeoutError(f"The time to wait is over; {self._followed.id} is {status} and continues.")
