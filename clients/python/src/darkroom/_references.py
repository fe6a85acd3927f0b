"""Writes tasks in orders as the references that the service reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

from .types import Task


@runtime_checkable
class TaskLike(Protocol):
    """A handle of a task."""

    @property
    def task_id(self) -> str: ...


Media = str | TaskLike | Task
"""A file for an order: `https:`, `data:`, `upload:`, `task:`, or a task, whose output is used."""
Parent = str | TaskLike | Task


def with_references(body: Mapping[str, object]) -> dict[str, object]:
    """Replaces handles and tasks by `task:<id>`, and in `parent_task_id` by their id."""
    return {name: value if name == "metadata" else _written(name, value) for name, value in body.items()}


def entry_with_references(entry: Mapping[str, object]) -> dict[str, object]:
    """The same for an order of a batch."""
    fields = ("body", "vary")
    return {
        name: with_references(cast("Mapping[str, object]", value))
        if name in fields and isinstance(value, Mapping)
        else value
        for name, value in entry.items()
    }


def reference_to(task_id: str, number: int | None = None) -> str:
    return f"task:{task_id}" if number is None else f"task:{task_id}#{number}"


def _written(field: str, value: object) -> object:
    if isinstance(value, (list, tuple)):
        return [_written(field, one) for one in cast("Sequence[object]", value)]
    task_id = _id_of(value)
    if task_id is None:
        return value
    return task_id if field == "parent_task_id" else reference_to(task_id)


def _id_of(value: object) -> str | None:
    if isinstance(value, TaskLike):
        return value.task_id
    if isinstance(value, Mapping) and "task_id" in value and "outputs" in value:
        return str(cast("Mapping[str, Any]", value)["task_id"])
    return None
