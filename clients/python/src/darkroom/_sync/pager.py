# Written by write_sync.py from ../_async/pager.py.
"""Lists that load their next page when it is needed."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Generic, TypeVar

from .._calls import Call
from .transport import Transport

T = TypeVar("T")


class List(Generic[T]):
    """A list that is read page by page. Iterate over it to get every entry."""

    def __init__(self, transport: Transport, path: str, query: Mapping[str, object], id_field: str) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._id_field = id_field

    def pages(self) -> Generator[list[T]]:
        """Yields the entries page by page."""
        query = self._query
        while True:
            page: Any = self._transport.data(Call("GET", self._path, query=query))
            items: list[Any] = page["items"]
            yield items
            # A search continues there, also after a page without entries.
            following = page.get("next_after") or (items[-1][self._id_field] if items else None)
            if not page["has_more"] or following is None:
                return
            query = {**query, "after": following}

    def __iter__(self) -> Generator[T]:
        for page in self.pages():
            for item in page:
                yield item
