"""Limits of end users, and tokens for their pages."""

from __future__ import annotations

from typing import Any

import pytest

from darkroom.api_errors import ConflictError, EndUserLimitReachedError, PaymentRequiredError, TaskNotFoundError

from .conftest import Either

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}


async def test_limits_of_an_end_user_are_set_hold_and_are_removed(either: Either, client: Any, mark: str) -> None:
    name = f"{mark}/ü 1"
    price = (await either(client.prices(**FOX)))["amount"]
    limited = await either(client.end_users.set_limits(name, day=price, month=None))
    assert limited["limits"] == {"day": price, "month": None}
    image = await either(client.images.generate(**FOX, end_user=name))
    spent = await either(client.end_users.get(name))
    assert spent["windows"]["day"]["charged"] == image.cost["amount"]
    assert (float(spent["windows"]["day"]["available"]), spent["windows"]["total"]["limit"]) == (0, None)
    with pytest.raises(EndUserLimitReachedError) as raised:
        await either(client.images.create(**FOX, end_user=name))
    assert isinstance(raised.value, PaymentRequiredError)
    assert raised.value.details[0]["window"] == "day" and raised.value.details[0]["resets_at"]
    listed = await either.items(client.end_users.list(limit=1), at_most=1000)
    assert spent in listed
    usage = await either(client.account.usage(end_user=name, group_by=["end_user"]))
    assert [row["charged"] for row in usage["items"]] == [image.cost["amount"]]
    assert (await either(client.end_users.remove_limits(name)))["limits"] == {}
    await either(client.images.generate(**FOX, end_user=name))


async def test_a_client_with_a_token_orders_for_its_end_user_and_sees_nothing_else(
    either: Either, client: Any, mark: str
) -> None:
    other = await either(client.images.create(**FOX, end_user="somebody else"))
    token = await either(
        client.client_tokens.create(end_user=mark, models=["sketch*"], max_price="0.05", rpm=60, expires_in=60)
    )
    page = either.client(api_key=token["token"])
    image = await either(page.images.generate(**FOX))
    assert image.task["end_user"] == mark
    assert (await either(client.images.get(image.task_id)))["end_user"] == mark
    with pytest.raises(TaskNotFoundError):
        await either(page.images.get(other.task_id))
    with pytest.raises(ConflictError):
        await either(page.videos.create(model_id="sketch-motion", prompt="a boat", duration=8, resolution="1080p"))
