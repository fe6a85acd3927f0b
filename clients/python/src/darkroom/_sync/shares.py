# Written by write_sync.py from ../_async/shares.py.
"""Links that show results to people without a key."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from .._calls import Call, change_call
from ..types import Share, ShareDeletion
from .pager import List
from .transport import Transport


class Shares:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        task_id: str | None = None,
        *,
        task_ids: Sequence[str] | None = None,
        expires_in: int | None = None,
        show_prompt: bool = False,
        idempotency_key: str | None = None,
    ) -> Share:
        """Makes a link to the result of a task, or to those of several.

        Args:
            task_id: a task that has succeeded.
            task_ids: instead, up to 200 such tasks in the order to show them in.
            expires_in: seconds, at most 2592000; 7 days if left out.
            show_prompt: whether the link shows the prompts, too.
            idempotency_key: your own, to repeat the call after a crash; a new one per call if left out.
        """
        tasks = None if task_ids is None else list(task_ids)
        fields = {"task_id": task_id, "task_ids": tasks, "expires_in": expires_in, "show_prompt": show_prompt}
        body = {name: value for name, value in fields.items() if value is not None}
        share: Share = self._transport.data(change_call("/v1/shares", body, idempotency_key))
        return share

    def get(self, share_id: str) -> Share:
        share: Share = self._transport.data(Call("GET", _path(share_id)))
        return share

    def list(
        self, *, task_id: str | None = None, after: str | None = None, limit: int | None = None
    ) -> List[Share]:
        """The links that work, newest first: those that show one task, or all."""
        query = {"task_id": task_id, "after": after, "limit": limit}
        return List(self._transport, "/v1/shares", query, "share_id")

    def delete(self, share_id: str) -> ShareDeletion:
        """Revokes a link at once. A retry after a lost answer succeeds, too."""
        return {"share_id": share_id, "deleted_at": self._transport.delete(_path(share_id), "not_found")}


def _path(share_id: str) -> str:
    return f"/v1/shares/{quote(share_id, safe='')}"
