"""The id of a task outlives an interrupted call and a killed process."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest

from darkroom import AsyncDarkroom, Darkroom, order_of

from . import fault_proxy as fault
from .conftest import Orders
from .fault_proxy import FaultProxy

FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}

PROGRAM = """
import signal, sys
from darkroom import Darkroom
# A shell starts background jobs with this signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
with Darkroom() as client:
    client.images.generate(
        model_id="sketch", prompt="a red fox in the snow", resolution="0.5K",
        idempotency_key=sys.argv[1], end_user=sys.argv[1], simulate={"seconds": float(sys.argv[2])},
        on_update=lambda task: print(task["task_id"], task["status"], flush=True),
    )
"""


@contextmanager
def program(mark: str, seconds: float) -> Generator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROGRAM, mark, str(seconds)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def printed_id(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().split()[0]


def test_a_killed_process_has_told_its_task_and_the_same_program_finds_it_again(mark: str, orders: Orders) -> None:
    with program(mark, 3) as killed:
        task_id = printed_id(killed)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
    with program(mark, 3) as again:
        assert printed_id(again) == task_id
        assert again.wait() == 0
    assert [(one["task_id"], one["cost"]["state"]) for one in orders.all()] == [(task_id, "charged")]


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_an_interrupted_program_prints_its_task_and_what_is_held(mark: str) -> None:
    with program(mark, 600) as child:
        task_id = printed_id(child)
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate()
    with Darkroom() as client:
        cost = client.images.cancel(task_id)["cost"]
    assert "KeyboardInterrupt" in complaint
    assert f"task {task_id}, {cost['quoted']} USD held, idempotency key {mark}" in complaint


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_a_cancelled_wait_leaves_the_order_and_tells_its_task(anyio_backend: str) -> None:
    caught: list[BaseException] = []
    accepted = anyio.Event()
    async with AsyncDarkroom() as client:

        async def order() -> None:
            try:
                await client.images.generate(**FOX, simulate={"seconds": 2}, on_update=lambda task: accepted.set())
            except BaseException as error:
                caught.append(error)
                raise

        async with anyio.create_task_group() as group:
            group.start_soon(order)
            await accepted.wait()
            group.cancel_scope.cancel()
        state = order_of(caught[0])
        assert state is not None and state.task_id is not None and state.ordered == "yes"
        assert (await client.images.wait(state.task_id))["cost"]["state"] == "charged"


def test_a_timeout_of_asyncio_tells_the_task_too() -> None:
    async def order() -> None:
        async with AsyncDarkroom() as client:
            handle = await client.images.create(**FOX, simulate={"outcome": "stuck"})
            await asyncio.wait_for(handle.result(), 0.5)

    with pytest.raises(asyncio.TimeoutError) as raised:
        asyncio.run(order())
    state = order_of(raised.value)
    assert state is not None and state.task_id is not None
    with Darkroom() as client:
        client.images.cancel(state.task_id)


@pytest.mark.anyio
async def test_an_order_that_is_cancelled_before_its_answer_is_unknown(
    proxy: FaultProxy, mark: str, orders: Orders
) -> None:
    proxy.faults("POST", "/v1/images", fault.HOLD_ANSWER)
    caught: list[BaseException] = []
    async with AsyncDarkroom(base_url=proxy.url) as client:

        async def order() -> None:
            try:
                await client.images.generate(**FOX, end_user=mark)
            except BaseException as error:
                caught.append(error)
                raise

        async with anyio.create_task_group() as group:
            group.start_soon(order)
            while not orders.all():
                await anyio.sleep(0.05)
            group.cancel_scope.cancel()
    state = order_of(caught[0])
    assert state is not None and (state.task_id, state.ordered) == (None, "unknown")
    with Darkroom() as direct:
        found = direct.images.generate(**FOX, end_user=mark, idempotency_key=state.idempotency_key)
    assert found.replayed and len(orders.all()) == 1


def test_an_exception_of_the_callers_function_tells_the_task() -> None:
    def store(task: Any) -> None:
        raise OSError("the database is gone")

    with Darkroom() as client, pytest.raises(OSError) as raised:
        client.images.generate(**FOX, on_update=store)
    state = order_of(raised.value)
    assert state is not None and state.task_id is not None
