"""Models, prices, the account, webhooks, and what the client says of itself."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any

import pytest

from darkroom import APIError, ConfigurationError, WebhookError, webhooks
from darkroom.api_errors import AuthenticationError, InvalidAPIKeyError, PriceExceededError

from . import fault_proxy as fault
from .conftest import Either
from .fault_proxy import FaultProxy

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}
Received = tuple[bytes, dict[str, str]]


@pytest.fixture
def receiver() -> Iterator[tuple[str, Queue[Received]]]:
    received: Queue[Received] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.put((body, dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/hook", received
    server.shutdown()
    server.server_close()


async def test_a_delivered_webhook_is_verified_and_a_forged_or_old_one_is_not(
    either: Either, client: Any, receiver: tuple[str, Queue[Received]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, received = receiver
    secret = (await either(client.webhooks.secrets()))[0]["secret"]
    image = await either(client.images.generate(**FOX, webhook_url=url))
    body, headers = received.get(timeout=120)
    event = client.webhooks.unwrap(body, headers, secret=secret)
    assert (event["type"], event["data"]["task_id"]) == ("task.succeeded", image.task_id)
    deliveries = await either.items(client.webhooks.deliveries(task_id=image.task_id))
    assert [one["delivery_id"] for one in deliveries] == [event["id"]]

    other = "whsec_" + "AAAA" * 8
    assert webhooks.unwrap(body.decode(), headers, secret=[other, secret])["id"] == event["id"]
    lower = {name.lower(): value for name, value in headers.items()}
    for forged, sent, key in (
        (body + b" ", lower, secret),
        (body, {**lower, "webhook-id": "whd_other"}, secret),
        (body, {**lower, "webhook-timestamp": str(int(lower["webhook-timestamp"]) + 1)}, secret),
        (body, {**lower, "webhook-timestamp": "²"}, secret),
        (body, {**lower, "webhook-signature": "v1,ü v2,x"}, secret),
        (body, {}, secret),
        (body, lower, other),
        (body, lower, "whsec_ü"),
    ):
        with pytest.raises(WebhookError):
            webhooks.unwrap(forged, sent, secret=key)
    for seconds in (-301, 301):
        now = int(lower["webhook-timestamp"]) + seconds
        monkeypatch.setattr("darkroom.webhooks.time.time", lambda now=now: now)
        with pytest.raises(WebhookError, match="300 s"):
            webhooks.unwrap(body, lower, secret=secret)
        assert webhooks.unwrap(body, lower, secret=secret, tolerance=302)["id"] == event["id"]
    monkeypatch.undo()

    await either(client.webhooks.redeliver(event["id"]))
    again, its_headers = received.get(timeout=120)
    assert webhooks.unwrap(again, its_headers, secret=secret)["id"] == event["id"]


async def test_a_test_webhook_goes_to_a_url_and_what_the_receiver_answered_is_returned(
    either: Either, client: Any, receiver: tuple[str, Queue[Received]]
) -> None:
    url, received = receiver
    tested = await either(client.webhooks.test(url))
    assert (tested["delivered"], tested["response_status"], tested["url"]) == (True, 204, url)
    body, headers = received.get(timeout=30)
    secret = (await either(client.webhooks.secrets()))[0]["secret"]
    event = client.webhooks.unwrap(body, headers, secret=secret)
    assert (event["type"], event["id"]) == ("webhook.test", tested["webhook_id"])


async def test_the_default_url_of_webhooks_is_set_and_removed_and_the_secret_rotated(
    either: Either, client: Any
) -> None:
    assert await either(client.webhooks.set_url("https://example.com/hook")) == "https://example.com/hook"
    assert await either(client.webhooks.url()) == "https://example.com/hook"
    assert await either(client.webhooks.set_url(None)) is None
    before = await either(client.webhooks.secrets())
    after = await either(client.webhooks.rotate_secret())
    assert after[0]["secret"] != before[0]["secret"] and after[1]["secret"] == before[0]["secret"]


async def test_a_rotation_whose_answer_is_lost_is_repeated_and_rotates_once(
    either: Either, client: Any, behind: Callable[..., Any], proxy: FaultProxy
) -> None:
    [before, *_] = await either(client.webhooks.secrets())
    proxy.faults("POST", "/rotate", fault.LOSE_ANSWER)
    after = await either(behind().webhooks.rotate_secret())
    assert after[0]["secret"] != before["secret"] and after[1]["secret"] == before["secret"]
    [first, second] = proxy.sent("POST", "/rotate")
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]


async def test_models_say_their_fields_and_a_quote_is_what_is_charged(either: Either, client: Any) -> None:
    assert "sketch" in [one["model_id"] for one in await either(client.models.list(type="image"))]
    assert len(await either(client.models.catalog())) > 1
    model = await either(client.models.get("sketch"))
    assert model["input_schema"]["type"] == "object" and float(model["pricing"]["from"]) > 0
    quote = await either(client.prices(**FOX))
    image = await either(client.images.generate(**{**model["default_config"], **FOX}))
    assert (quote["exact"], quote["amount"]) == (True, image.cost["amount"])
    with pytest.raises(PriceExceededError):
        await either(client.images.create(**FOX, max_price="0.000001"))


async def test_the_account_shows_balance_usage_and_ledger(either: Either, client: Any, mark: str) -> None:
    image = await either(client.images.generate(**FOX, end_user=mark))
    assert (await either(client.account.get()))["mode"] == "test"
    usage = await either(client.account.usage(group_by=["end_user", "model_id"], timing=True))
    mine = [row for row in usage["items"] if row["end_user"] == mark]
    assert [(row["model_id"], row["charged"]) for row in mine] == [("sketch", image.cost["amount"])]
    pages = await either.items(client.account.ledger(limit=2).pages(), at_most=2)
    assert len({entry["entry_id"] for page in pages for entry in page}) == 4
    # Tests beside this one may order with the same key.
    entries = await either.items(client.account.ledger(), at_most=1000)
    assert [entry["kind"] for entry in entries if entry["task_id"] == image.task_id] == ["charge", "release", "hold"]


async def test_a_refused_request_is_found_again_with_its_code(either: Either, client: Any, mark: str) -> None:
    with pytest.raises(APIError) as raised:
        await either(client.images.create(**FOX, end_user=mark, max_price="0.000001"))

    async def logged() -> Any:
        refused = await either.items(client.account.requests(status="4xx", method="POST"), at_most=100)
        return next((one for one in refused if one["request_id"] == raised.value.request_id), None)

    # Requests are written about once a second.
    while (found := await logged()) is None:
        await asyncio.sleep(0.1)
    assert (found["path"], found["status"], found["code"]) == ("/v1/images", 409, "price_exceeded")


async def test_a_wrong_key_is_an_exception_of_its_code(either: Either) -> None:
    with pytest.raises(InvalidAPIKeyError) as raised:
        await either(either.client(api_key="dk_test_wrong").images.create(**FOX))
    assert isinstance(raised.value, AuthenticationError) and isinstance(raised.value, APIError)


def test_a_client_without_a_key_or_with_a_wrong_address_says_what_to_do(
    either: Either, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigurationError, match="https://"):
        either.client(base_url="localhost:8080")
    with pytest.raises(ConfigurationError, match="characters"):
        either.client(api_key="dk_test_…")
    monkeypatch.delenv("DARKROOM_API_KEY")
    with pytest.raises(ConfigurationError, match="DARKROOM_API_KEY"):
        either.client()


async def test_a_client_of_httpx_can_be_given_and_is_left_open(either: Either) -> None:
    import httpx

    given: Any = httpx.Client() if either.kind.__name__ == "Darkroom" else httpx.AsyncClient()
    client = either.client(http_client=given)
    assert (await either(client.account.get()))["mode"] == "test"
    await either(client.close())
    assert not given.is_closed
    await either(given.close() if either.kind.__name__ == "Darkroom" else given.aclose())
