"""The client of Darkroom: images and videos, each paid once."""

from . import api_errors, errors, orders, types, webhooks
from ._async.batch_archive import AsyncBatchArchive
from ._async.batch_handle import AsyncBatchHandle
from ._async.client import AsyncDarkroom
from ._async.content import AsyncContent
from ._async.pager import AsyncList
from ._async.task_handle import AsyncTaskHandle
from ._sync.batch_archive import BatchArchive
from ._sync.batch_handle import BatchHandle
from ._sync.client import Darkroom
from ._sync.content import Content
from ._sync.pager import List
from ._sync.task_handle import TaskHandle
from ._version import __version__
from .api_errors import APIError
from .errors import (
    APIConnectionError,
    ConfigurationError,
    DarkroomError,
    DownloadError,
    OrderState,
    OutputsMissingError,
    TaskCanceledError,
    TaskDeletedError,
    TaskError,
    TaskFailedError,
    UnexpectedResponseError,
    WaitTimeoutError,
    WebhookError,
    order_of,
)

__all__ = [
    "APIConnectionError",
    "APIError",
    "AsyncBatchArchive",
    "AsyncBatchHandle",
    "AsyncContent",
    "AsyncDarkroom",
    "AsyncList",
    "AsyncTaskHandle",
    "BatchArchive",
    "BatchHandle",
    "ConfigurationError",
    "Content",
    "Darkroom",
    "DarkroomError",
    "DownloadError",
    "OrderState",
    "List",
    "OutputsMissingError",
    "TaskCanceledError",
    "TaskDeletedError",
    "TaskError",
    "TaskFailedError",
    "TaskHandle",
    "UnexpectedResponseError",
    "WaitTimeoutError",
    "WebhookError",
    "__version__",
    "api_errors",
    "errors",
    "order_of",
    "orders",
    "types",
    "webhooks",
]
