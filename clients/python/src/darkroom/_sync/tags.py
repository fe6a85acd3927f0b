# Written by write_sync.py from ../_async/tags.py.
"""The caller's own words for tasks."""

from __future__ import annotations

from collections.abc import Sequence

from .._calls import Call, json_call
from .._followed import path_of
from ..errors import attaching
from ..types import Tag, TaskTags
from . import task_calls
from .pager import List
from .transport import Transport


class Tags:
    """Tags of tasks. `images.list(tag=…)` lists the tasks that have one."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, task_id: str) -> TaskTags:
        """Returns the tags of a task."""
        with attaching(lambda: task_calls.known(task_id)):
            found: TaskTags = self._transport.data(Call("GET", f"{path_of(task_id)}/tags"))
            return found

    def set(self, task_id: str, tags: Sequence[str]) -> TaskTags:
        """Replaces all tags of a task: at most 20, each of at most 40 characters."""
        with attaching(lambda: task_calls.known(task_id)):
            call = json_call("PUT", f"{path_of(task_id)}/tags", {"tags": [*tags]})
            changed: TaskTags = self._transport.data(call)
            return changed

    def list(self, *, after: str | None = None, limit: int | None = None) -> List[Tag]:
        """The tags of the key by name, with the number of tasks that have them."""
        return List(self._transport, "/v1/tags", {"after": after, "limit": limit}, "tag")
