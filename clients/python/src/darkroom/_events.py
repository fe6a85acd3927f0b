"""Reads server-sent events of one name from the lines of a stream."""

from __future__ import annotations

import json
from typing import Any


class EventReader:
    def __init__(self, event: str) -> None:
        self._event = event
        self._name = ""
        self._data: list[str] = []

    def read(self, line: str) -> Any:
        """Takes a line without its end. Returns the data when the line completes an event, and None otherwise."""
        if line == "":
            name, data = self._name, "\n".join(self._data)
            self._name, self._data = "", []
            return None if name != self._event or data == "" else json.loads(data)
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        return None
