"""Tags of tasks, and lists of the tasks that have one."""

from __future__ import annotations

from typing import Any

import pytest

from darkroom.api_errors import TaskNotFoundError

from .conftest import Either

pytestmark = pytest.mark.anyio


async def test_a_task_is_tagged_found_by_its_tag_and_no_longer_tagged(either: Either, client: Any, mark: str) -> None:
    image = await either(client.images.generate(model_id="sketch", prompt="a fox", resolution="0.5K"))
    tag = mark[:40]
    changed = await either(client.tags.set(image.task_id, [tag, " favourite "]))
    assert changed == {"task_id": image.task_id, "tags": ["favourite", tag]}
    found = await either.items(client.images.list(tag=tag, include="tags"))
    assert [(task["task_id"], task["tags"]) for task in found] == [(image.task_id, changed["tags"])]
    assert {"tag": tag, "tasks": 1} in await either.items(client.tags.list(limit=1))
    await either(client.tags.set(image.task_id, []))
    assert (await either(client.tags.get(image.task_id)))["tags"] == []
    with pytest.raises(TaskNotFoundError) as caught:
        await either(client.tags.get("img_0123456789abcdefghjkmnpqrs"))
    assert caught.value.order is not None and caught.value.order.task_id == "img_0123456789abcdefghjkmnpqrs"
