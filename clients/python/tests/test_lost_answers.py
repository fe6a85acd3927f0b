"""Answers that are lost, late, refused or cut: one order, one charge, one result."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from darkroom import APIConnectionError, APIError, UnexpectedResponseError, WaitTimeoutError
from darkroom.api_errors import ServiceUnavailableError

from . import fault_proxy as fault
from .conftest import Either, Orders
from .fault_proxy import FaultProxy

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}
CREATE = ("POST", "/v1/images")
Behind = Callable[..., Any]


async def assert_one_order(either: Either, client: Any, proxy: FaultProxy, mark: str, *faults: str) -> int:
    """Orders an image despite the faults; returns how often the order was sent."""
    proxy.faults(*CREATE, *faults)
    image = await either(client.images.generate(**FOX, end_user=mark))
    sent = proxy.sent(*CREATE)
    assert {one.headers["idempotency-key"] for one in sent} == {image.idempotency_key}
    made = Orders(mark).all()
    assert [(one["task_id"], one["cost"]["state"]) for one in made] == [(image.task_id, "charged")]
    assert (await either(image.content().read()))[:4] == b"\x89PNG"
    return len(sent)


@pytest.mark.parametrize(
    "faults",
    [
        [fault.LOSE_ANSWER],
        [fault.CUT_BEFORE, fault.LOSE_ANSWER],
        [fault.CUT_ANSWER],
        [fault.REFUSE_503, fault.LOSE_ANSWER, fault.REFUSE_429],
    ],
    ids=" then ".join,
)
async def test_an_order_is_repeated_with_its_key_and_made_and_charged_once(
    either: Either, behind: Behind, proxy: FaultProxy, mark: str, faults: list[str]
) -> None:
    assert await assert_one_order(either, behind(), proxy, mark, *faults) == len(faults) + 1


async def test_a_502_after_the_order_is_one_order_and_one_charge(
    either: Either, behind: Behind, proxy: FaultProxy, mark: str
) -> None:
    assert await assert_one_order(either, behind(), proxy, mark, fault.HTML_502, fault.HTML_502) == 3


async def test_an_order_whose_answer_takes_too_long_is_sent_again_and_made_once(
    either: Either, behind: Behind, proxy: FaultProxy, mark: str
) -> None:
    # On a busy machine an answer can also be late without a fault.
    assert await assert_one_order(either, behind(response_timeout=3.0), proxy, mark, fault.HOLD_ANSWER) >= 2


async def test_a_deletion_whose_answer_is_lost_succeeds_by_its_retry(
    either: Either, behind: Behind, proxy: FaultProxy
) -> None:
    client = behind()
    image = await either(client.images.generate(**FOX))
    file = await either(client.files.upload(await either(image.content().read())))
    proxy.faults("DELETE", "/v1/images", fault.LOSE_ANSWER, fault.HTML_502)
    assert (await either(image.delete()))["task_id"] == image.task_id
    proxy.faults("DELETE", "/v1/files", fault.LOSE_ANSWER)
    deletion = await either(client.files.delete(file["file_id"]))
    assert deletion["file_id"] == file["file_id"] and datetime.fromisoformat(deletion["deleted_at"][:-1])
    assert len(proxy.sent("DELETE", "/v1/")) == 5


async def test_a_deletion_of_something_that_is_not_there_is_refused_unless_an_answer_was_lost(
    either: Either, behind: Behind, proxy: FaultProxy
) -> None:
    image = await either(behind().images.generate(**FOX))
    await either(image.delete())
    with pytest.raises(APIError) as raised:
        await either(image.delete())
    assert (raised.value.code, raised.value.task_id) == ("task_not_found", image.task_id)


async def test_a_refusal_with_retry_after_is_repeated_after_that_time(
    either: Either, behind: Behind, proxy: FaultProxy
) -> None:
    proxy.faults(*CREATE, fault.REFUSE_503)
    began = time.monotonic()
    await either(behind().images.create(**FOX))
    assert time.monotonic() - began >= fault.RETRY_AFTER_SECONDS


async def test_an_order_whose_answers_are_all_lost_may_exist_and_its_key_finds_it(
    either: Either, behind: Behind, proxy: FaultProxy, mark: str, orders: Orders
) -> None:
    client = behind(retries=1)
    proxy.faults(*CREATE, fault.LOSE_ANSWER, fault.LOSE_ANSWER)
    with pytest.raises(APIConnectionError) as raised:
        await either(client.images.generate(**FOX, end_user=mark))
    error = raised.value
    assert (error.ordered, error.task_id) == ("unknown", None)
    assert error.idempotency_key is not None and error.idempotency_key in str(error)
    found = await either(client.images.generate(**FOX, end_user=mark, idempotency_key=error.idempotency_key))
    assert found.replayed
    assert [one["task_id"] for one in orders.all()] == [found.task_id]


async def test_a_time_limit_that_ends_before_the_order_is_answered_leaves_its_key(
    either: Either, behind: Behind, proxy: FaultProxy, mark: str, orders: Orders
) -> None:
    proxy.faults(*CREATE, fault.HOLD_ANSWER)
    with pytest.raises(WaitTimeoutError) as raised:
        await either(behind().images.generate(**FOX, end_user=mark, timeout=2))
    assert raised.value.ordered == "unknown"
    key = raised.value.idempotency_key
    found = await either(behind().images.generate(**FOX, end_user=mark, idempotency_key=key))
    assert [one["task_id"] for one in orders.all()] == [found.task_id]


async def test_an_order_is_unknown_when_a_refusal_follows_a_lost_answer(
    either: Either, behind: Behind, proxy: FaultProxy
) -> None:
    proxy.faults(*CREATE, fault.LOSE_ANSWER, fault.REFUSE_503)
    with pytest.raises(ServiceUnavailableError) as raised:
        await either(behind(retries=1).images.create(**FOX))
    assert (raised.value.ordered, raised.value.retry_after) == ("unknown", 1.0)


async def test_an_order_that_reached_nobody_was_not_made(either: Either, unused_url: str) -> None:
    with pytest.raises(APIConnectionError) as raised:
        await either(either.client(base_url=unused_url, retries=1).images.create(**FOX))
    assert raised.value.ordered == "no"


async def test_an_answer_of_something_else_is_not_repeated(either: Either, behind: Behind, proxy: FaultProxy) -> None:
    proxy.faults(*CREATE, fault.HTML_404)
    with pytest.raises(UnexpectedResponseError, match="base_url"):
        await either(behind().images.create(**FOX))
    assert len(proxy.sent(*CREATE)) == 1


async def test_a_wait_goes_on_by_polling_when_its_streams_are_cut_or_refused(
    either: Either, behind: Behind, proxy: FaultProxy, mark: str, orders: Orders
) -> None:
    def decide(method: str, path: str) -> str:
        if not path.endswith("/events"):
            return fault.PASS
        return fault.CUT_STREAM if len(proxy.sent("GET", "/events")) == 0 else fault.REFUSE_429

    proxy.decide = decide
    image = await either(behind().images.generate(**FOX, end_user=mark, simulate={"seconds": 5}))
    assert image.cost["state"] == "charged"
    assert len(proxy.sent("GET", "/events")) >= 1
    polls = [one for one in proxy.sent("GET", image.task_id) if not one.path.endswith("/events")]
    assert all(one.headers["prefer"].startswith("wait=") for one in polls) and polls
    assert len(orders.all()) == 1


async def test_a_wait_survives_a_service_that_does_not_answer_for_a_while(
    either: Either, behind: Behind, proxy: FaultProxy
) -> None:
    client = behind(retries=0)
    task = await either(client.images.create(**FOX, simulate={"seconds": 2}))
    proxy.faults("GET", task.task_id, *[fault.CUT_BEFORE] * 4)
    assert (await either(client.images.wait(task.task_id)))["status"] == "succeeded"


async def test_events_continue_on_another_stream_when_one_is_cut(
    either: Either, behind: Behind, proxy: FaultProxy
) -> None:
    client = behind()
    task = await either(client.images.create(**FOX, simulate={"seconds": 1}))
    proxy.faults("GET", "/events", fault.CUT_STREAM, fault.CUT_BEFORE)
    seen = await either.items(task.events())
    assert seen[-1]["status"] == "succeeded"
    assert [one["revision"] for one in seen] == sorted({one["revision"] for one in seen})
    assert len(proxy.sent("GET", "/events")) >= 3
