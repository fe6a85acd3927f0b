"""Batches and chains: many orders in one request, and orders that wait for others."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from darkroom import DownloadError, WaitTimeoutError, order_of
from darkroom.api_errors import InvalidRequestError, NotFoundError, ParentNotReadyError, PriceExceededError
from darkroom.errors import ParentFailedError

from . import fault_proxy as fault
from .conftest import Either, Orders
from .fault_proxy import FaultProxy

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}
CREATE = ("POST", "/v1/batches")


def foxes(mark: str, **more: Any) -> list[Any]:
    body = {**FOX, "end_user": mark, **more}
    return [
        {"name": "hero", "operation": "images", "body": body},
        {"name": "size", "operation": "images", "body": body, "vary": {"seed": [1, 2]}},
    ]


async def test_a_batch_is_priced_placed_awaited_and_read_at_that_price(either: Either, client: Any, mark: str) -> None:
    quote = await either(client.batches.prices(foxes(mark)))
    assert (quote["orders"], quote["exact"], quote["models"][0]["orders"]) == (3, True, 3)
    seen: list[Any] = []
    handle = await either(
        client.batches.create(foxes(mark), max_price=quote["amount"], max_parallel=2, metadata={"season": "winter"})
    )
    assert not handle.replayed and handle.idempotency_key is not None
    batch = await either(handle.wait(on_update=seen.append))
    assert (handle.status, handle.counts["succeeded"]) == ("succeeded", 3)
    assert (handle.cost["charged"], handle.cost["held"]) == (quote["amount"], "0.00")
    assert (batch["max_parallel"], batch["metadata"]) == (2, {"season": "winter"})
    assert seen[-1] == batch and len(seen) == len({str(one) for one in seen})

    names = ["hero", "size-1", "size-2"]
    assert [one["batch_name"] for one in await either.items(handle.tasks(limit=2))] == names
    results = await either.items(client.batches.results(handle.batch_id))
    assert sorted(one.task["batch_name"] for one in results) == names
    assert all(one.output["url"] for one in results)
    assert len(await either.items(client.images.list(batch_id=handle.batch_id))) == 3
    assert await either(client.batches.get(handle.batch_id)) == batch
    assert (await either.items(client.batches.list(status="succeeded"), at_most=20)).count(batch) == 1
    assert [one["status"] for one in await either.items(client.batches.events(handle.batch_id))] == ["succeeded"]
    assert (await either(client.batches.handle(batch).refresh())) == batch


@pytest.mark.parametrize("lost", [fault.LOSE_ANSWER, fault.CUT_ANSWER, fault.HTML_502])
async def test_a_batch_whose_answer_is_lost_is_sent_again_and_placed_once(
    either: Either, behind: Callable[..., Any], proxy: FaultProxy, mark: str, orders: Orders, lost: str
) -> None:
    proxy.faults(*CREATE, lost)
    handle = await either(behind().batches.create(foxes(mark)))
    assert handle.replayed and len(proxy.sent(*CREATE)) == 2
    await either(handle.wait())
    assert len(orders.all()) == 3


async def test_the_same_key_finds_the_same_batch(either: Either, client: Any, mark: str, orders: Orders) -> None:
    made = [await either(client.batches.create(foxes(mark), idempotency_key=mark)) for _ in range(2)]
    assert (made[0].batch_id, made[1].replayed) == (made[1].batch_id, True)
    await either(made[0].wait())
    assert len(orders.all()) == 3


async def test_refused_orders_are_named_by_their_place_and_nothing_is_ordered(
    either: Either, client: Any, mark: str, orders: Orders
) -> None:
    wrong = [*foxes(mark), {"operation": "images", "body": {**FOX, "end_user": mark, "prompt": 7}}]
    with pytest.raises(InvalidRequestError) as raised:
        await either(client.batches.create(wrong))
    assert raised.value.details[0]["param"] == "orders[2].body.prompt"
    assert raised.value.ordered == "no"
    with pytest.raises(PriceExceededError):
        await either(client.batches.create(foxes(mark), max_price="0.000001"))
    assert orders.all() == []


async def test_a_wait_for_a_batch_that_is_too_short_names_it_and_the_rest_can_be_canceled(
    either: Either, client: Any, mark: str
) -> None:
    handle = await either(client.batches.create(foxes(mark, simulate={"outcome": "stuck"}), max_parallel=1))
    with pytest.raises(WaitTimeoutError) as raised:
        await either(handle.wait(timeout=1))
    state = order_of(raised.value)
    assert state is not None and state.batch_id == handle.batch_id and handle.batch_id in str(raised.value)
    assert raised.value.batch is not None and float(raised.value.batch["cost"]["held"]) > 0
    await either(client.batches.cancel(handle.batch_id))
    # What runs already goes on: end it, too.
    for task in await either.items(handle.tasks()):
        await either(client.images.cancel(task["task_id"]))
    batch = await either(client.batches.wait(handle.batch_id))
    assert (batch["status"], batch["counts"]["canceled"], batch["cost"]["charged"]) == ("canceled", 3, "0.00")


async def test_results_come_while_others_still_run_and_a_cut_answer_brings_none_twice(
    either: Either, behind: Callable[..., Any], proxy: FaultProxy, client: Any, mark: str
) -> None:
    late = {"name": "late", "operation": "images", "body": {**FOX, "simulate": {"seconds": 2}}}
    failed = {"name": "failed", "operation": "images", "body": {**FOX, "simulate": {"outcome": "content_policy"}}}
    film = {"model_id": "sketch-motion", "prompt": "a boat", "duration": 1, "resolution": "360p"}
    orders = [late, failed, *foxes(mark), {"name": "film", "operation": "videos", "body": film}]
    handle = await either(client.batches.create(orders))
    path = f"/v1/batches/{handle.batch_id}/tasks"
    proxy.faults("GET", path, fault.CUT_ANSWER)
    results = await either.items(behind().batches.results(handle.batch_id))
    names = [one.task["batch_name"] for one in results]
    assert sorted(names) == ["failed", "film", "hero", "late", "size-1", "size-2"]
    assert names.index("failed") < names.index("late")
    assert {one.status for one in results if one.task["batch_name"] == "failed"} == {"failed"}
    await either(client.images.delete(results[names.index("hero")].task_id))
    assert len(await either.items(handle.results())) == 5


async def test_the_outputs_are_saved_as_one_archive_and_one_that_breaks_off_leaves_no_file(
    either: Either, behind: Callable[..., Any], proxy: FaultProxy, client: Any, mark: str, tmp_path: Path
) -> None:
    lines = tmp_path / "orders.jsonl"
    lines.write_text("\n".join(json.dumps(one) for one in foxes(mark)) + "\n")
    handle = await either(client.batches.create(lines))
    await either(handle.wait())
    target = tmp_path / "batch.zip"
    proxy.faults("GET", f"/v1/batches/{handle.batch_id}/results", fault.CUT_ANSWER)
    with pytest.raises(DownloadError) as raised:
        await either(behind().batches.archive(handle.batch_id).save(target))
    assert raised.value.batch_id == handle.batch_id
    assert os.listdir(tmp_path) == ["orders.jsonl"]
    await either(handle.archive().save(target))
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        names = [name.rsplit(".", 1)[0] for name in archive.namelist()]
    assert sorted(names) == ["hero", "size-1", "size-2"]
    parts = await either.items(client.batches.archive(handle.batch_id))
    assert b"".join(parts) == target.read_bytes()
    copy = io.BytesIO()
    await either(handle.archive().save(copy))
    assert copy.getvalue() == target.read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = tmp_path / "received"
    with received.open("wb") as output, subprocess.Popen(["cat", str(pipe)], stdout=output) as reader:
        await either(handle.archive().save(pipe))
        if not stat.S_ISFIFO(os.stat(pipe).st_mode):
            reader.kill()
    assert received.read_bytes() == target.read_bytes()
    with pytest.raises(NotFoundError):
        await either(client.batches.archive("bat_unknown").save(target))


async def test_a_grid_a_tile_and_a_film_are_ordered_as_a_chain_of_handles(either: Either, client: Any) -> None:
    grid = await either(
        client.images.create(model_id="sketch-grid", prompt="a castle", simulate={"seconds": 1}, metadata={"a": "b"})
    )
    tile = await either(
        client.images.actions.create(parent_task_id=grid, action="upscale", index=2, wait_for_parent=True)
    )
    assert tile.task["waiting_for"] == [grid.task_id]
    film = {"model_id": "sketch-motion", "duration": 1, "resolution": "360p"}
    shot = {**film, "image_urls": [tile], "wait_for_parent": True}
    quote = await either(client.prices(**shot))
    video = await either(client.videos.create(**shot, max_price=quote["amount"]))
    of_grid = await either(client.videos.create(**film, image_urls=[grid.reference(3)], wait_for_parent=True))
    assert (await either(video.result())).cost["amount"] == quote["amount"]
    await either(of_grid.result())
    done = await either(client.images.get(tile.task_id))
    again = await either(client.videos.generate(**film, first_frame_url=done))
    assert again.task["input"]["first_frame_url"] == f"task:{tile.task_id}"
    steps = [
        {"operation": "videos", "body": {**film, "image_urls": [tile]}},
        {"name": "hero", "operation": "images", "body": FOX},
        {"name": "flight", "operation": "videos", "body": {**film, "image_urls": ["order:hero"]}},
    ]
    batch = await either((await either(client.batches.create(steps))).wait())
    assert (batch["status"], batch["counts"]["succeeded"]) == ("succeeded", 3)


async def test_an_unfinished_parent_is_refused_without_wait_for_parent_and_one_that_fails_fails_its_children(
    either: Either, client: Any
) -> None:
    grid = await either(
        client.images.create(model_id="sketch-grid", prompt="a castle", simulate={"seconds": 2, "outcome": "timeout"})
    )
    step: dict[str, Any] = {"parent_task_id": grid, "action": "upscale", "index": 1}
    with pytest.raises(ParentNotReadyError):
        await either(either.client(retries=0).images.actions.create(**step))
    with pytest.raises(ParentFailedError):
        await either(client.images.actions.generate(**step, wait_for_parent=True))
