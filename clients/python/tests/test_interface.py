"""The types and exceptions are those of the service's own OpenAPI document."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import httpx
import pytest

from darkroom import api_errors, orders, types
from darkroom.errors import TASK_ERRORS

sys.path.insert(0, str(Path(__file__).parents[1]))
from write_sync import stale

OTHER_NAMES = {
    "ActionOffer": types.ActionOffer,
    "TaskDeletion": types.TaskDeletion,
    "File": types.UploadedFile,
    "UploadedFile": types.UploadedFile,
    "WebhookEvent": types.TaskWebhookEvent,
}


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    document: dict[str, Any] = httpx.get(f"{os.environ['DARKROOM_URL']}/openapi.json").json()
    found: dict[str, Any] = document["components"]["schemas"]
    return found


def test_every_answer_has_the_fields_of_the_document(schemas: dict[str, Any]) -> None:
    compared = 0
    for name, schema in schemas.items():
        known = OTHER_NAMES.get(name) or getattr(types, name, None)
        if known is None or "properties" not in schema:
            continue
        compared += 1
        hints = get_type_hints(known, include_extras=True)
        if name.endswith("WebhookEvent"):
            # It stands in a header of the request.
            del hints["id"]
        assert set(hints) == set(schema["properties"]), name
        required = {field for field, hint in hints.items() if "NotRequired" not in str(get_origin(hint))}
        assert required == set(schema.get("required", [])), name
    assert compared >= 15, compared


def test_every_order_has_the_fields_of_the_document(schemas: dict[str, Any]) -> None:
    for name in ("ImageOrder", "VideoOrder", "PriceQuestion", "BatchEntry"):
        assert set(get_type_hints(getattr(orders, name))) == set(schemas[name]["properties"]), name
    # The document leaves the fields of single actions to the parent's available_actions.
    assert set(get_type_hints(orders.ActionOrder)) >= set(schemas["ActionOrder"]["properties"])


def test_every_code_has_an_exception(schemas: dict[str, Any]) -> None:
    codes = schemas["Error"]["properties"]["error"]["properties"]["code"]["enum"]
    assert set(api_errors.API_ERRORS) == set(codes)
    assert set(TASK_ERRORS) == set(schemas["TaskError"]["properties"]["code"]["enum"])


def test_a_new_code_has_the_exception_of_its_status() -> None:
    error = api_errors.api_error(402, {"code": "new_code", "message": "New."})
    assert type(error) is api_errors.PaymentRequiredError and error.code == "new_code"


def test_the_synchronous_client_is_the_asynchronous_one() -> None:
    assert stale(write=False) == []
