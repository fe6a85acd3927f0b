"""The tests run against a service: DARKROOM_URL and DARKROOM_API_KEY, a test key made with --account-view."""

from __future__ import annotations

import inspect
import itertools
import os
import socket
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from darkroom import AsyncDarkroom, Darkroom

from .fault_proxy import FaultProxy, open_fault_proxy

SERVICE_URL = os.environ["DARKROOM_URL"]


class Either:
    """One of the two clients, called in one way: results are awaited, and lists gathered, where that is needed."""

    def __init__(self, kind: type[Darkroom] | type[AsyncDarkroom]) -> None:
        self.kind = kind
        self._open: list[Any] = []

    def client(self, **options: Any) -> Any:
        made = self.kind(**options)
        self._open.append(made)
        return made

    async def __call__(self, result: Any) -> Any:
        return await result if inspect.isawaitable(result) else result

    async def items(self, iterable: Any, at_most: int | None = None) -> list[Any]:
        if not hasattr(iterable, "__aiter__"):
            return list(itertools.islice(iterable, at_most))
        found: list[Any] = []
        async for one in iterable:
            found.append(one)
            if len(found) == at_most:
                break
        return found

    async def close(self) -> None:
        for one in self._open:
            await self(one.close())


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=[Darkroom, AsyncDarkroom])
async def either(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncIterator[Either]:
    one = Either(request.param)
    yield one
    await one.close()


@pytest.fixture
def client(either: Either) -> Any:
    return either.client()


@pytest.fixture
def proxy() -> Iterator[FaultProxy]:
    opened, close = open_fault_proxy(SERVICE_URL)
    yield opened
    close()


@pytest.fixture
def behind(either: Either, proxy: FaultProxy) -> Callable[..., Any]:
    """Makes a client that reaches the service through the fault proxy."""

    def make(**options: Any) -> Any:
        return either.client(base_url=proxy.url, **options)

    return make


@pytest.fixture
def mark() -> str:
    """Names the orders of one test, so that it can count them."""
    return f"test-{uuid.uuid4()}"


class Orders:
    """What the service knows of the orders of a test, asked without the proxy."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def all(self) -> list[Any]:
        with Darkroom() as direct:
            return [*direct.images.list(end_user=self._mark), *direct.videos.list(end_user=self._mark)]


@pytest.fixture
def orders(mark: str) -> Orders:
    return Orders(mark)


@pytest.fixture
def unused_url() -> Iterator[str]:
    """An address at which nobody listens while the test runs."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{reserved.getsockname()[1]}"
