"""Uploads and downloads."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from darkroom import APIError, ConfigurationError, DownloadError, OutputsMissingError

from . import fault_proxy as fault
from .conftest import Either
from .fault_proxy import FaultProxy

pytestmark = pytest.mark.anyio
FOX: dict[str, Any] = {"model_id": "sketch", "prompt": "a red fox in the snow", "resolution": "0.5K"}
Behind = Callable[..., Any]


class Pipe(io.RawIOBase):
    """A source that can be read only once."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._content.readinto(buffer)


@pytest.fixture
async def image(either: Either, client: Any) -> Any:
    return await either(client.images.generate(**FOX))


async def test_a_download_that_is_cut_goes_on_where_it_stopped(
    either: Either, behind: Behind, proxy: FaultProxy, image: Any
) -> None:
    whole = await either(image.content().read())
    proxy.faults("GET", "/content", fault.CUT_ANSWER, fault.CUT_BEFORE)
    handle = behind().images.handle(image.task)
    assert await either(handle.content().read()) == whole
    ranges = [one.headers.get("range") for one in proxy.sent("GET", "/content")]
    assert ranges[0] is None and ranges[-1] is not None and ranges[-1].startswith("bytes=")


async def test_a_failed_download_names_the_task_and_what_was_charged_and_leaves_the_old_file(
    either: Either, behind: Behind, proxy: FaultProxy, image: Any, tmp_path: Path
) -> None:
    path = tmp_path / "fox.png"
    path.write_bytes(b"old")
    proxy.faults("GET", "/content", *[fault.CUT_BEFORE] * 2)
    handle = behind(retries=1).images.handle(image.task)
    with pytest.raises(DownloadError, match="do not order it again") as raised:
        await either(handle.save(path))
    assert raised.value.task_id == image.task_id
    assert raised.value.cost is not None and raised.value.cost["state"] == "charged"
    assert os.listdir(tmp_path) == ["fox.png"] and path.read_bytes() == b"old"
    await either(handle.save(path))
    assert os.listdir(tmp_path) == ["fox.png"] and path.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
async def test_a_full_disk_names_the_task_and_what_was_charged(either: Either, image: Any) -> None:
    with pytest.raises(DownloadError, match="No space left") as raised:
        await either(image.save("/dev/full"))
    assert raised.value.task_id == image.task_id and image.task_id in str(raised.value)
    assert os.path.exists("/dev/full")


async def test_a_folder_is_no_target_and_a_link_is_written_through(either: Either, image: Any, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="is a directory"):
        await either(image.save(tmp_path))
    link = tmp_path / "link.png"
    link.symlink_to("real.png")
    await either(image.save(link))
    assert link.is_symlink() and (tmp_path / "real.png").read_bytes()[:4] == b"\x89PNG"


async def test_an_output_goes_into_a_file_object_and_comes_in_parts(either: Either, image: Any) -> None:
    file = io.BytesIO()
    await either(image.save(file))
    assert b"".join(await either.items(image.content())) == file.getvalue()
    assert len(file.getvalue()) == image.output["bytes"]


async def test_a_task_that_is_not_final_has_no_output(either: Either, client: Any) -> None:
    task = await either(client.images.create(**FOX, simulate={"outcome": "stuck"}))
    with pytest.raises(OutputsMissingError):
        _ = task.output
    with pytest.raises(APIError) as raised:
        await either(either.client(retries=0).images.content(task.task_id).read())
    assert (raised.value.code, raised.value.task_id) == ("not_final", task.task_id)
    await either(task.cancel())


async def test_files_are_uploaded_from_a_path_from_bytes_and_from_file_objects(
    either: Either, client: Any, image: Any, tmp_path: Path
) -> None:
    content = await either(image.content().read())
    path = tmp_path / "fox.png"
    path.write_bytes(content)
    with open(path, "rb") as opened:
        for source in (path, str(path), content, io.BytesIO(content), opened, Pipe(content)):
            file = await either(client.files.upload(source))
            assert (file["content_type"], file["sha256"]) == ("image/png", image.output["sha256"])
    edited = await either(client.images.generate(**FOX, image_urls=[f"upload:{file['file_id']}"]))
    assert edited.status == "succeeded"
    assert (await either(client.files.get(file["file_id"])))["bytes"] == len(content)
    assert (await either(client.files.delete(file["file_id"])))["file_id"] == file["file_id"]
    with pytest.raises(APIError):
        await either(client.files.get(file["file_id"]))


async def test_an_upload_is_repeated_from_its_beginning_and_a_pipe_is_not(
    either: Either, behind: Behind, proxy: FaultProxy, image: Any
) -> None:
    content = await either(image.content().read())
    source = io.BytesIO(b"before" + content)
    source.seek(len(b"before"))
    proxy.faults("POST", "/v1/files", fault.LOSE_ANSWER)
    assert (await either(behind().files.upload(source)))["bytes"] == len(content)
    proxy.faults("POST", "/v1/files", fault.LOSE_ANSWER)
    with pytest.raises(Exception, match="without an answer"):
        await either(behind().files.upload(Pipe(content)))


async def test_an_upload_names_its_end_user(either: Either, client: Any, image: Any) -> None:
    content = await either(image.content().read())
    theirs = await either(client.files.upload(content, end_user="anna & co/1"))
    own = await either(client.files.upload(content))
    assert (theirs["end_user"], own["end_user"]) == ("anna & co/1", None)
    assert (await either(client.files.get(theirs["file_id"])))["end_user"] == "anna & co/1"


async def test_a_file_that_is_open_as_text_is_refused(either: Either, client: Any) -> None:
    with pytest.raises(ConfigurationError, match="rb"):
        await either(client.files.upload(io.StringIO("text")))
