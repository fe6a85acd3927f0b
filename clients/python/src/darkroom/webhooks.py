"""Verifies webhook requests, without a client."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import cast

from .errors import WebhookError
from .types import WebhookEvent

TOLERANCE_SECONDS = 300.0


def unwrap(
    body: bytes | str,
    headers: Mapping[str, str],
    *,
    secret: str | Iterable[str],
    tolerance: float = TOLERANCE_SECONDS,
) -> WebhookEvent:
    """Verifies the signature and the age of a webhook request, and returns its event.

    `body` must be the bytes as received: JSON that was parsed and written again has another signature. During a
    rotation give both secrets. An event may arrive more than once; detect repeats by its `id`.

    Raises WebhookError.
    """
    received = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp, signatures = (
        received.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if "" in (webhook_id, timestamp, signatures):
        raise WebhookError("webhook-id, webhook-timestamp or webhook-signature is missing.")
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookError(f"webhook-timestamp must be seconds since 1970; found {timestamp[:40]!r}.")
    # An attacker could send a recorded event again.
    if abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookError(f"webhook-timestamp differs by more than {tolerance:g} s from the clock here.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    expected = [_sign(one, signed) for one in ([secret] if isinstance(secret, str) else secret)]
    if not expected:
        raise WebhookError("No secret was given.")
    # Compares every pair: the time must not tell which secret or signature matched.
    matches = [
        hmac.compare_digest(one, given.encode("utf-8", "replace"))
        for one in expected
        for given in signatures.split(" ")
    ]
    if not any(matches):
        raise WebhookError("No signature matches. Compare the secret with that of the account and mode.")
    try:
        return cast(WebhookEvent, {**json.loads(content), "id": webhook_id})
    except ValueError as error:
        raise WebhookError("The body is signed but is not JSON.") from error


def _sign(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except ValueError as error:
        raise WebhookError("A secret must be whsec_ and Base64.") from error
    return b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
