"""Search in lists, and links that show results to people without a key."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from darkroom.api_errors import NotFoundError

from .conftest import Either

pytestmark = pytest.mark.anyio


async def test_a_result_is_found_by_its_words_shared_and_no_longer_shared(
    either: Either, client: Any, mark: str
) -> None:
    image = await either(client.images.generate(model_id="sketch", prompt=f"a fox {mark}", resolution="0.5K"))
    found = await either.items(client.images.list(search=f"{mark} FOX"))
    assert [task["task_id"] for task in found] == [image.task_id]
    share = await either(client.shares.create(image.task_id, expires_in=600, show_prompt=True))
    assert mark in httpx.get(share["url"]).text
    assert httpx.get(share["file_url"]).headers["content-type"] == "image/png"
    assert await either.items(client.shares.list(task_id=image.task_id)) == [share]
    assert (await either(client.shares.delete(share["share_id"])))["share_id"] == share["share_id"]
    assert httpx.get(share["url"]).status_code == 410
    with pytest.raises(NotFoundError):
        await either(client.shares.get(share["share_id"]))


async def test_several_results_are_shared_by_one_link(either: Either, client: Any, mark: str) -> None:
    first = await either(client.images.generate(model_id="sketch", prompt=f"a fox {mark}", resolution="0.5K"))
    second = await either(client.images.generate(model_id="sketch", prompt=f"an owl {mark}", resolution="0.5K"))
    share = await either(client.shares.create(task_ids=[second.task_id, first.task_id]))
    assert share["task_ids"] == [second.task_id, first.task_id]
    assert "Shared images (2)" in httpx.get(share["url"]).text
