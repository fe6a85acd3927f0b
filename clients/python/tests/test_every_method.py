"""Every method of both clients, when the first answer of each of its requests is lost: done once, and answered."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from darkroom import Darkroom, DownloadError, _calls

from . import fault_proxy as fault
from .conftest import Either
from .fault_proxy import FaultProxy

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox", "resolution": "0.5K"}
FILM: dict[str, Any] = {"model_id": "sketch-motion", "prompt": "a boat", "duration": 1, "resolution": "480p"}
SLOW: dict[str, Any] = {"simulate": {"seconds": 3600}}
ENTRY: dict[str, Any] = {"operation": "images", "body": FOX}
SLOW_ENTRY: dict[str, Any] = {"operation": "images", "body": {**FOX, **SLOW}}


class Stage:
    """What the methods concern, made without the proxy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.direct = Darkroom()
        self.fox = self.direct.images.generate(**FOX)
        self.batch = self.direct.batches.create([ENTRY])  # type: ignore[list-item]  # pyright: ignore
        self.batch.wait()

        self.boat = self.direct.videos.generate(**FILM)
        self.grid = self.direct.images.generate(model_id="sketch-grid", prompt="a fox")

    def ended(self, kind: str) -> str:
        return str((self.fox if kind == "images" else self.boat).task_id)

    def action(self, index: int) -> dict[str, Any]:
        return {"parent_task_id": self.grid.task_id, "action": "upscale", "index": index}

    def slow_task(self) -> Any:
        return self.direct.images.create(**FOX, **SLOW).task

    def new_task(self) -> Any:
        return self.direct.images.generate(**FOX).task

    def slow_batch(self) -> Any:
        return self.direct.batches.create([SLOW_ENTRY])  # type: ignore[list-item]  # pyright: ignore

    def delivery(self) -> str:
        self.direct.images.generate(**FOX, webhook_url="http://127.0.0.1:9/")
        return str(next(iter(self.direct.webhooks.deliveries()))["delivery_id"])

    def share(self) -> str:
        return self.direct.shares.create(self.fox.task_id)["share_id"]

    def file(self) -> str:
        return self.direct.files.upload(self.fox.content().read())["file_id"]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return Stage(tmp_path_factory.mktemp("every-method"))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of requests are sent again here; the other tests wait as long as the clients do."""
    monkeypatch.setattr(_calls, "FIRST_BACKOFF_SECONDS", 0.02)


Run = Callable[[Any, Stage, Either], Awaitable[Any]]


def sends(call: Callable[[Any, Stage], Any]) -> Run:
    async def run(client: Any, stage: Stage, either: Either) -> Any:
        return await either(call(client, stage))

    return run


def downloads(call: Callable[[Any, Stage], Any]) -> Run:
    """An archive is not asked for again by itself: the error says to download it again."""

    async def run(client: Any, stage: Stage, either: Either) -> Any:
        with pytest.raises(DownloadError, match="do not order it again"):
            await either(call(client, stage))
        return await either(call(client, stage))

    return run


def lists(call: Callable[[Any, Stage], Any]) -> Run:
    async def run(client: Any, stage: Stage, either: Either) -> Any:
        return await either.items(call(client, stage))

    return run


async def nothing(client: Any, stage: Stage, either: Either) -> None:
    """Sends nothing."""


def of_tasks(kind: str, order: dict[str, Any]) -> dict[str, Run]:
    def made(stage: Stage, **more: Any) -> str:
        return str(getattr(stage.direct, kind).create(**order, **more).task_id)

    def done(stage: Stage) -> str:
        return str(getattr(stage.direct, kind).generate(**order).task_id)

    return {
        "create": sends(lambda client, stage: getattr(client, kind).create(**order)),
        "generate": sends(lambda client, stage: getattr(client, kind).generate(**order)),
        "get": sends(lambda client, stage: getattr(client, kind).get(stage.ended(kind))),
        "wait": sends(lambda client, stage: getattr(client, kind).wait(stage.ended(kind))),
        "events": lists(lambda client, stage: getattr(client, kind).events(stage.ended(kind))),
        "cancel": sends(lambda client, stage: getattr(client, kind).cancel(made(stage, **SLOW))),
        "delete": sends(lambda client, stage: getattr(client, kind).delete(done(stage))),
        "content": sends(lambda client, stage: getattr(client, kind).content(stage.ended(kind)).read()),
        "handle": nothing,
        "list": lists(lambda client, stage: getattr(client, kind).list(limit=5)),
    }


CASES: dict[str, dict[str, Run]] = {
    "client": {"prices": sends(lambda client, stage: client.prices(**FOX)), "close": nothing},
    "images": of_tasks("images", FOX),
    "images.actions": {
        "create": sends(lambda client, stage: client.images.actions.create(**stage.action(1))),
        "generate": sends(lambda client, stage: client.images.actions.generate(**stage.action(2))),
    },
    "videos": of_tasks("videos", FILM),
    "batches": {
        "create": sends(lambda client, stage: client.batches.create([ENTRY])),
        "prices": sends(lambda client, stage: client.batches.prices([ENTRY])),
        "get": sends(lambda client, stage: client.batches.get(stage.batch.batch_id)),
        "wait": sends(lambda client, stage: client.batches.wait(stage.batch.batch_id)),
        "events": lists(lambda client, stage: client.batches.events(stage.batch.batch_id)),
        "cancel": sends(lambda client, stage: client.batches.cancel(stage.slow_batch().batch_id)),
        "tasks": lists(lambda client, stage: client.batches.tasks(stage.batch.batch_id)),
        "results": lists(lambda client, stage: client.batches.results(stage.batch.batch_id)),
        "archive": downloads(
            lambda client, stage: client.batches.archive(stage.batch.batch_id).save(stage.folder / "a.zip")
        ),
        "handle": nothing,
        "list": lists(lambda client, stage: client.batches.list(limit=5)),
    },
    "files": {
        "upload": sends(lambda client, stage: client.files.upload(stage.fox.content().read())),
        "get": sends(lambda client, stage: client.files.get(stage.file())),
        "delete": sends(lambda client, stage: client.files.delete(stage.file())),
    },
    "models": {
        "list": sends(lambda client, stage: client.models.list()),
        "catalog": sends(lambda client, stage: client.models.catalog()),
        "get": sends(lambda client, stage: client.models.get("sketch")),
    },
    "account": {
        "get": sends(lambda client, stage: client.account.get()),
        "usage": sends(lambda client, stage: client.account.usage()),
        "ledger": lists(lambda client, stage: client.account.ledger(limit=100)),
        "requests": lists(lambda client, stage: client.account.requests(limit=100)),
    },
    "end_users": {
        "get": sends(lambda client, stage: client.end_users.get("ada")),
        "set_limits": sends(lambda client, stage: client.end_users.set_limits("ada", day="1.00")),
        "remove_limits": sends(lambda client, stage: client.end_users.remove_limits("ada")),
        "list": lists(lambda client, stage: client.end_users.list()),
    },
    "client_tokens": {"create": sends(lambda client, stage: client.client_tokens.create(end_user="ada"))},
    "shares": {
        "create": sends(lambda client, stage: client.shares.create(stage.fox.task_id)),
        "get": sends(lambda client, stage: client.shares.get(stage.share())),
        "list": lists(lambda client, stage: client.shares.list()),
        "delete": sends(lambda client, stage: client.shares.delete(stage.share())),
    },
    "tags": {
        "get": sends(lambda client, stage: client.tags.get(stage.fox.task_id)),
        "set": sends(lambda client, stage: client.tags.set(stage.fox.task_id, ["red"])),
        "list": lists(lambda client, stage: client.tags.list()),
    },
    "webhooks": {
        "unwrap": nothing,
        "secrets": sends(lambda client, stage: client.webhooks.secrets()),
        "rotate_secret": sends(lambda client, stage: client.webhooks.rotate_secret()),
        "url": sends(lambda client, stage: client.webhooks.url()),
        "set_url": sends(lambda client, stage: client.webhooks.set_url("http://127.0.0.1:9/")),
        "test": sends(lambda client, stage: client.webhooks.test("http://127.0.0.1:9/")),
        "deliveries": lists(lambda client, stage: client.webhooks.deliveries()),
        "redeliver": sends(lambda client, stage: client.webhooks.redeliver(stage.delivery())),
    },
    "TaskHandle": {
        "reference": nothing,
        "wait": sends(lambda client, stage: client.images.handle(stage.fox.task).wait()),
        "result": sends(lambda client, stage: client.images.handle(stage.fox.task).result()),
        "events": lists(lambda client, stage: client.images.handle(stage.fox.task).events()),
        "refresh": sends(lambda client, stage: client.images.handle(stage.fox.task).refresh()),
        "cancel": sends(lambda client, stage: client.images.handle(stage.slow_task()).cancel()),
        "delete": sends(lambda client, stage: client.images.handle(stage.new_task()).delete()),
        "content": sends(lambda client, stage: client.images.handle(stage.fox.task).content().read()),
        "save": sends(lambda client, stage: client.images.handle(stage.fox.task).save(stage.folder / "fox.png")),
    },
    "BatchHandle": {
        "wait": sends(lambda client, stage: client.batches.handle(stage.batch.batch).wait()),
        "events": lists(lambda client, stage: client.batches.handle(stage.batch.batch).events()),
        "refresh": sends(lambda client, stage: client.batches.handle(stage.batch.batch).refresh()),
        "cancel": sends(lambda client, stage: client.batches.handle(stage.slow_batch().batch).cancel()),
        "tasks": lists(lambda client, stage: client.batches.handle(stage.batch.batch).tasks()),
        "results": lists(lambda client, stage: client.batches.handle(stage.batch.batch).results()),
        "archive": downloads(
            lambda client, stage: client.batches.handle(stage.batch.batch).archive().save(stage.folder / "b.zip")
        ),
    },
}


def methods_of(kind: type) -> set[str]:
    """Whatever can be called, inherited or not."""
    return {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}


def parts_of(owner: object) -> dict[str, object]:
    parts: dict[str, object] = vars(owner)
    return {name: part for name, part in parts.items() if not name.startswith("_")}


def test_every_method_has_a_case(stage: Stage) -> None:
    direct = stage.direct
    found = {"client": methods_of(Darkroom), "TaskHandle": methods_of(type(stage.fox))}
    found["BatchHandle"] = methods_of(type(stage.batch))
    for name, part in parts_of(direct).items():
        found[name] = methods_of(type(part))
        for inner, nested in parts_of(part).items():
            found[f"{name}.{inner}"] = methods_of(type(nested))
    assert found == {name: set(cases) for name, cases in CASES.items()}


@pytest.mark.parametrize("name", [f"{part}.{method}" for part, cases in CASES.items() for method in cases])
async def test_a_method_survives_lost_answers_and_is_done_once(
    either: Either, behind: Callable[..., Any], proxy: FaultProxy, stage: Stage, name: str
) -> None:
    lost: set[str] = set()
    lock = threading.Lock()

    def decide(method: str, path: str) -> str:
        one = f"{method} {path.split('?')[0]}"
        with lock:
            if one in lost:
                return fault.PASS
            lost.add(one)
            return fault.LOSE_ANSWER

    proxy.decide = decide
    part, _, method = name.rpartition(".")
    await CASES[part][method](behind(), stage, either)
    posts: dict[str, list[str | None]] = {}
    for seen in proxy.sent("POST", "/v1/"):
        if not seen.path.endswith("/prices"):
            posts.setdefault(seen.path, []).append(seen.headers.get("idempotency-key"))
    for path, keys in posts.items():
        assert len(keys) == 2 and len(set(keys)) == 1 and keys[0], f"{path} is sent again with its key"
