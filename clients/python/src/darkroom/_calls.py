"""The part of the transport that sends nothing: what a request is, what its answer means, whether it is repeated."""

from __future__ import annotations

import json
import logging
import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, cast
from urllib.parse import urlencode

import httpx

from ._references import with_references
from .api_errors import APIError, api_error
from .errors import APIConnectionError, DarkroomError, OrderState, UnexpectedResponseError, attach

log = logging.getLogger("darkroom")

CONNECT_SECONDS = 10.0
# A longer wait is left to the caller: the exception says when to try again.
MAX_RETRY_AFTER_SECONDS = 60.0
FIRST_BACKOFF_SECONDS = 0.5
MAX_BACKOFF_SECONDS = 8.0

# Statuses that a proxy answers in the place of a service that it cannot reach. They say nothing of an order.
_PROXY_FAILURES = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 530))
# Failures of the service after which nothing was ordered.
_NOT_ORDERED = frozenset(("model_unavailable", "storage_full", "shutting_down"))
# Refusals that come before the service looks up the Idempotency-Key.
_EARLY = frozenset((401, 403, 408, 413, 429, 431))


_JSON_HEADERS = {"content-type": "application/json"}


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    idempotency_key: str | None = None
    is_repeatable: bool = True
    """False: a repetition would act twice. The call is then repeated only if the service did not get or refused it."""
    read_seconds: float | None = None
    """How long the service may stay silent, if not as long as usual."""
    gives_up_at: float | None = None
    """Monotonic time after which no answer is awaited."""
    not_found_code: str | None = None
    """Of a deletion: the code of the refusal when there is nothing to delete."""

    @property
    def target(self) -> str:
        pairs = [(name, _text(value)) for name, value in self.query.items() if value is not None]
        return self.path if not pairs else f"{self.path}?{urlencode(pairs)}"


def json_call(method: str, path: str, body: Mapping[str, object]) -> Call:
    return Call(method, path, body=_serialize(body), headers=_JSON_HEADERS)


def order_call(
    path: str, body: Mapping[str, object], idempotency_key: str | None, gives_up_at: float | None = None
) -> Call:
    """Serializes an order once, and gives it a key before the first try: all tries send the same bytes and key."""
    key = idempotency_key if idempotency_key is not None else _new_key()
    headers = {**_JSON_HEADERS, "idempotency-key": key}
    content = _serialize(with_references(body))
    return Call("POST", path, body=content, headers=headers, idempotency_key=key, gives_up_at=gives_up_at)


def change_call(path: str, body: Mapping[str, object] | None, idempotency_key: str | None) -> Call:
    """A POST that orders nothing and that the service carries out once, however often it is sent."""
    key = {"idempotency-key": idempotency_key if idempotency_key is not None else _new_key()}
    if body is None:
        return Call("POST", path, headers=key)
    return Call("POST", path, body=_serialize(body), headers={**_JSON_HEADERS, **key})


def _new_key() -> str:
    return f"dkp_{uuid.uuid4().hex}"


def _serialize(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def utc_time(value: datetime) -> str:
    """Returns a time as the service writes it."""
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time_text(value: str | datetime | None) -> str | None:
    return utc_time(value) if isinstance(value, datetime) else value


def data_of(response: httpx.Response) -> Any:
    """Returns `data` of a successful response that was read."""
    try:
        return response.json()["data"]
    except (ValueError, KeyError, TypeError):
        raise APIConnectionError("the response is not one of Darkroom, or was cut") from None


def failure_of(response: httpx.Response) -> DarkroomError:
    """Returns the exception for a response that was read and is no success."""
    retry_after = _retry_after(response)
    try:
        error: object = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = None
    if isinstance(error, dict) and "code" in error and "message" in error:
        return api_error(response.status_code, error, retry_after)  # pyright: ignore[reportUnknownArgumentType]
    status = response.status_code
    if status in _PROXY_FAILURES:
        return APIConnectionError(f"{status} from something in front of the service", retry_after=retry_after)
    location = response.headers.get("location")
    hint = "Does base_url point to a Darkroom service?" if location is None else f"It redirects to {location}."
    return UnexpectedResponseError(f"The response ({status}) is not from Darkroom. {hint}")


def lost(error: httpx.RequestError) -> APIConnectionError:
    was_sent = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError))
    return APIConnectionError(str(error) or type(error).__name__, was_sent=was_sent)


class AlreadyDeleted(DarkroomError):
    """A try whose answer was lost deleted what a repetition did not find."""


class Tries:
    """Counts the tries of one call, and decides about the next one."""

    def __init__(self, call: Call, retries: int, base_url: str) -> None:
        self._call = call
        self._retries = retries
        self._base_url = base_url
        self._made = 0
        self._may_have_arrived = False
        self._is_out = False

    def begin(self) -> None:
        self._made += 1
        self._is_out = True

    def pause_after(self, error: DarkroomError) -> float | None:
        """Returns the seconds until the next try. None: raise the error."""
        self._is_out = False
        retry_after: float | None
        if isinstance(error, APIConnectionError):
            self._may_have_arrived |= error.was_sent
            may_repeat, retry_after = self._call.is_repeatable or not error.was_sent, error.retry_after
        elif isinstance(error, APIError):
            may_repeat, retry_after = error.retryable, error.retry_after
        else:
            return None
        if not may_repeat or self._made > self._retries or (retry_after or 0.0) > MAX_RETRY_AFTER_SECONDS:
            return None
        backoff = min(FIRST_BACKOFF_SECONDS * 2.0 ** (self._made - 1), MAX_BACKOFF_SECONDS)
        jitter = random.uniform(0.75, 1.0)
        pause = backoff * jitter if retry_after is None else retry_after + FIRST_BACKOFF_SECONDS * (jitter - 0.75)
        call = self._call
        log.info(
            "request failed method=%s path=%s attempt=%d retry_in_s=%.1f reason=%s",
            *(call.method, call.path, self._made, pause, error.message),
        )
        return pause

    def final(self, error: DarkroomError) -> DarkroomError:
        """Returns the exception that the caller gets."""
        raised = error
        if isinstance(error, APIError) and self._may_have_arrived and error.code == self._call.not_found_code:
            return AlreadyDeleted(error.message)
        if isinstance(error, APIConnectionError):
            times = "once" if self._made == 1 else f"{self._made} times"
            raised = APIConnectionError(
                f"{self._base_url} was called {times}, without an answer: {error.message}",
                was_sent=error.was_sent,
                retry_after=error.retry_after,
            )
        if self._call.idempotency_key is not None:
            attach(raised, OrderState(self._call.idempotency_key, ordered=self._ordered(error)))
        return raised

    def state(self) -> OrderState:
        """What is known of the order when something else than an answer ends the call."""
        is_unknown = self._may_have_arrived or self._is_out
        return OrderState(self._call.idempotency_key, ordered="unknown" if is_unknown else "no")

    def _ordered(self, error: DarkroomError) -> Any:
        if isinstance(error, APIError):
            is_early = error.status >= 500 or error.status in _EARLY
            is_unclear = error.status >= 500 and error.code not in _NOT_ORDERED
            return "unknown" if is_unclear or (is_early and self._may_have_arrived) else "no"
        return "unknown" if self._may_have_arrived or not isinstance(error, APIConnectionError) else "no"


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdigit() else None


def _text(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(str(one) for one in cast("Sequence[object]", value))
    return str(value).lower() if isinstance(value, bool) else str(value)
