"""Ordering, waiting, failing and cancelling."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from darkroom import APIError, TaskCanceledError, TaskDeletedError, TaskFailedError, WaitTimeoutError
from darkroom.api_errors import IdempotencyKeyReusedError, UnsupportedFieldError
from darkroom.errors import TASK_ERRORS, ContentPolicyError

from .conftest import Either, Orders

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}


async def test_generate_returns_a_charged_image_with_its_file(either: Either, client: Any) -> None:
    image = await either(client.images.generate(**FOX, metadata={"order": "1001"}))
    assert (image.status, image.cost["state"], image.task["metadata"]) == ("succeeded", "charged", {"order": "1001"})
    content = await either(image.content().read())
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert hashlib.sha256(content).hexdigest() == image.output["sha256"]
    assert (await either(client.images.content(image.task_id, variant="thumbnail").read()))[:4] == b"RIFF"


async def test_generate_makes_a_video(either: Either, client: Any) -> None:
    video = await either(
        client.videos.generate(model_id="sketch-motion", prompt="a sailing boat", duration=2, resolution="480p")
    )
    assert video.output["content_type"] == "video/mp4"
    assert b"ftyp" in (await either(video.content().read()))[:16]


async def test_create_returns_at_once_and_the_task_can_be_followed_by_events(either: Either, client: Any) -> None:
    task = await either(client.images.create(**FOX, simulate={"seconds": 1}))
    assert task.status in ("queued", "processing") and not task.replayed
    seen = await either.items(client.images.events(task.task_id))
    revisions = [one["revision"] for one in seen]
    assert revisions == sorted(set(revisions))
    assert seen[-1]["status"] == "succeeded"


async def test_on_update_gets_the_task_as_soon_as_it_is_accepted_and_after_every_change(
    either: Either, client: Any
) -> None:
    seen: list[Any] = []
    image = await either(client.images.generate(**FOX, simulate={"seconds": 1}, on_update=seen.append))
    assert {one["task_id"] for one in seen} == {image.task_id}
    assert seen[0]["status"] in ("queued", "processing") and seen[-1]["status"] == "succeeded"
    assert len(seen) == len({one["revision"] for one in seen})


async def test_a_refused_order_is_an_exception_of_its_code_and_is_sent_once(
    either: Either, behind: Any, proxy: Any
) -> None:
    with pytest.raises(UnsupportedFieldError) as raised:
        await either(behind().images.create(**FOX, extra_body={"negativ_prompt": "dogs"}))
    error = raised.value
    assert (error.status, error.param, error.retryable, error.ordered) == (400, "negativ_prompt", False, "no")
    assert error.details[0]["suggestion"] == "negative_prompt"
    assert error.idempotency_key is not None and error.request_id is not None
    assert len(proxy.sent("POST", "/v1/images")) == 1


async def test_a_field_of_the_model_that_the_types_do_not_name_goes_into_extra_body(
    either: Either, client: Any
) -> None:
    task = await either(client.images.create(**FOX, extra_body={"seed": 7}))
    assert task.task["input"]["seed"] == 7


async def test_the_same_key_finds_the_same_task_and_another_order_with_it_is_refused(
    either: Either, client: Any, mark: str, orders: Orders
) -> None:
    order = {**FOX, "end_user": mark}
    first = await either(client.images.create(**order, idempotency_key=mark))
    again = await either(client.images.generate(**order, idempotency_key=mark))
    assert (first.task_id, first.idempotency_key, again.replayed) == (again.task_id, mark, True)
    with pytest.raises(IdempotencyKeyReusedError):
        await either(client.images.create(**{**order, "prompt": "a dog"}, idempotency_key=mark))
    assert len(orders.all()) == 1


async def test_two_calls_without_a_key_are_two_orders(either: Either, client: Any, mark: str, orders: Orders) -> None:
    for _ in range(2):
        await either(client.images.create(**FOX, end_user=mark))
    assert len(orders.all()) == 2


@pytest.mark.parametrize("code", ["content_policy", "upstream_error", "timeout", "outcome_unknown"])
async def test_a_failed_task_is_an_exception_of_its_code_and_costs_nothing(
    either: Either, client: Any, code: str
) -> None:
    with pytest.raises(TaskFailedError) as raised:
        await either(client.images.generate(**FOX, simulate={"outcome": code, "seconds": 0}))
    error = raised.value
    assert type(error) is TASK_ERRORS[code]
    assert (error.code, error.retry) == (code, "never" if isinstance(error, ContentPolicyError) else "new_order")
    assert error.cost is not None and error.cost["state"] == "released"
    assert error.task_id is not None and error.task_id in str(error)
    assert error.idempotency_key is not None and error.idempotency_key in str(error)


async def test_a_wait_that_is_too_short_names_the_task_and_what_is_held_and_can_go_on(
    either: Either, client: Any
) -> None:
    handle = await either(client.images.create(**FOX, simulate={"outcome": "stuck"}))
    with pytest.raises(WaitTimeoutError) as raised:
        await either(handle.result(timeout=0.5))
    error = raised.value
    assert isinstance(error, TimeoutError) and error.task_id == handle.task_id
    assert error.cost is not None and error.cost["state"] == "held"
    await either(client.images.cancel(error.task_id))
    task = await either(client.images.wait(error.task_id))
    assert (task["task_id"], task["cost"]["state"]) == (error.task_id, "released")


async def test_a_canceled_task_is_released(either: Either, client: Any) -> None:
    task = await either(client.images.create(**FOX, simulate={"outcome": "stuck"}))
    await either(task.cancel())
    with pytest.raises(TaskCanceledError) as raised:
        await either(task.result())
    assert raised.value.cost is not None and raised.value.cost["state"] == "released"
    assert (await either(client.images.cancel(task.task_id)))["status"] == "canceled"


async def test_a_key_whose_task_was_deleted_is_an_exception(either: Either, client: Any, mark: str) -> None:
    image = await either(client.images.generate(**FOX, idempotency_key=mark))
    assert (await either(image.delete()))["task_id"] == image.task_id
    with pytest.raises(TaskDeletedError) as raised:
        await either(client.images.generate(**FOX, idempotency_key=mark))
    assert raised.value.task_id == image.task_id
    with pytest.raises(APIError) as unknown:
        await either(client.images.get(image.task_id))
    assert (unknown.value.code, unknown.value.task_id) == ("task_not_found", image.task_id)


async def test_actions_follow_up_on_a_grid(either: Either, client: Any) -> None:
    grid = await either(client.images.generate(model_id="sketch-grid", prompt="a castle on a hill"))
    assert "upscale" in [offer["action"] for offer in grid.task["available_actions"]]
    tile = await either(client.images.actions.generate(parent_task_id=grid.task_id, action="upscale", index=2))
    assert (tile.task["action"], tile.task["parent_task_id"]) == ("upscale", grid.task_id)


async def test_lists_load_their_pages_as_they_are_iterated(either: Either, client: Any, mark: str) -> None:
    made = [(await either(client.images.create(**FOX, end_user=mark))).task_id for _ in range(5)]
    listed = client.images.list(end_user=mark, limit=2)
    assert [one["task_id"] for one in await either.items(listed)] == made[::-1]
    assert [len(page) for page in await either.items(listed.pages())] == [2, 2, 1]
    assert await either.items(client.images.list(end_user=mark, status=["failed", "canceled"])) == []
