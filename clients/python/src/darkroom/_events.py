"""Reads server-sent events named `task` from the lines of a stream."""

from __future__ import annotations

import json

from .types import Task


class EventReader:
    def __init__(self) -> None:
        self._name = ""
        self._data: list[str] = []

    def read(self, line: str) -> Task | None:
        """Takes a line without its end. Returns the task when the line completes an event."""
        if line == "":
            name, data = self._name, "\n".join(self._data)
            self._name, self._data = "", []
            if name != "task" or data == "":
                return None
            task: Task = json.loads(data)
            return task
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        return None
