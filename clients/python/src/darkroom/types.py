"""The answers of the service, as they come over the wire. A newer service may send further fields."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

TaskStatus = Literal["queued", "processing", "succeeded", "failed", "canceled"]
TaskFailureCode = Literal[
    "content_policy",
    "invalid_input",
    "upstream_error",
    "upstream_billing",
    "upstream_auth",
    "timeout",
    "outcome_unknown",
    "storage_error",
    "parent_failed",
]
MediaType = Literal["image", "video"]
ImageRole = Literal[
    "reference",
    "mask",
    "control:depth",
    "control:pose",
    "control:edges",
    "style",
    "face",
    "first_frame",
    "last_frame",
]
Mode = Literal["live", "test"]
Variant = Literal["thumbnail", "preview"]


class PriceLine(TypedDict):
    description: str
    unit: str
    quantity: str
    unit_price: str
    amount: str


class OutputProvenance(TypedDict):
    """Whether the service marked a file as made by a machine."""

    state: Literal["marked", "kept", "none", "failed"]
    standard: Literal["metadata", "c2pa"] | None
    reason: NotRequired[str]


class Output(TypedDict):
    """A file that a task produced."""

    url: str
    """Signed URL of the file. It works without a key until `url_expires_at`."""
    url_expires_at: str
    content_url: str
    """Permanent URL of the file. It needs the API key; store this one."""
    content_type: str
    bytes: int
    width: int | None
    height: int | None
    duration_seconds: float | None
    fps: float | None
    has_audio: bool | None
    sha256: str
    thumbnail_url: str | None
    preview_url: str | None
    provenance: OutputProvenance
    tiles: int | None
    seed: int | None
    revised_prompt: str | None
    explanation: NotRequired[list[str]]


class TaskErrorData(TypedDict):
    code: TaskFailureCode
    message: str
    retry: Literal["never", "new_order"]
    charged: Literal[False]


class ActionOffer(TypedDict):
    """A follow-up action that can be ordered on a finished task."""

    action: str
    model_id: NotRequired[str]
    """The tool that the action orders."""
    price: str
    parameters: Mapping[str, Any]


class BasisRoute(TypedDict):
    """A route: the kind of its upstream, and the upstream's name of the model."""

    engine: str
    model: str | None


class Dearer(TypedDict):
    """The consent of an order to dearer routes (`allow_dearer`)."""

    usual_amount: str
    """US dollars: the amount of the quote, which is charged unless a dearer route makes the order."""
    route: BasisRoute | None
    """The dearer route that has the order. None: its route is not dearer."""
    reason: str | None
    """Why no cheaper route has the order."""


class Cost(TypedDict):
    """What a task costs, in US dollars."""

    state: Literal["held", "charged", "released", "refunded"]
    amount: str
    refunded: NotRequired[str]
    """What was given back of a charge."""
    quoted: str
    currency: Literal["USD"]
    basis: Literal["list", "route_cost"]
    """`route_cost`: what the cheapest configured route costs, because that is more than the list price."""
    basis_route: NotRequired[BasisRoute]
    dearer: NotRequired[Dearer]
    lines: list[PriceLine]


class TaskUrls(TypedDict):
    self: str
    cancel: str
    events: NotRequired[str]


class OutputDelivery(TypedDict):
    """The copy of an output that `deliver_to` asked for."""

    output: int
    state: Literal["pending", "delivered", "failed"]
    destination: str | None
    key: str | None
    url: str | None
    attempts: int
    reason: str | None
    etag: str | None
    verified_by: NotRequired[Literal["sha256", "md5"] | None]
    """The digest of the file that the bucket repeated. Null or absent: none."""
    delivered_at: str | None


class TaskWarning(TypedDict):
    """A way in which the result differs from what was ordered."""

    code: Literal[
        "smaller",
        "shorter",
        "other_ratio",
        "silent",
        "other_format",
        "no_grid",
        "opaque",
        "other_quality",
        "other_model",
        "further_outputs",
        "price_unchanged",
    ]
    field: str
    ordered: str
    delivered: str


class TaskDelay(TypedDict):
    """Why a task waits and what lets it go on."""

    code: Literal[
        "parent",
        "batch",
        "held",
        "inputs",
        "step",
        "model_paused",
        "upstream_paused",
        "upstream_refuses",
        "upstream_away",
        "upstream_not_ready",
        "upstream_pause",
        "upstream_limit",
        "upstream_declined",
        "storage",
        "no_process",
        "key_limit",
        "turn",
    ]
    message: str
    ends_when: str
    upstream: str | None
    since: str | None
    retry_at: str | None


class TriedModel(TypedDict):
    """A model that did not make an order with `fallback_models`."""

    model_id: str
    reason: str


class Task(TypedDict):
    """An order, and what became of it."""

    task_id: str
    type: MediaType
    status: TaskStatus
    progress: int
    queue_position: int | None
    estimated_seconds: float | None
    revision: int
    model_id: str
    requested_model_id: NotRequired[str]
    """The model that the order named first, if it has `fallback_models`; `model_id` is the one that it is at."""
    tried_models: NotRequired[list[TriedModel]]
    action: str | None
    parent_task_id: str | None
    waiting_for: NotRequired[list[str]]
    delayed_by: NotRequired[Literal["operator", "upstream", "storage"]]
    delay: NotRequired[TaskDelay]
    batch_id: str | None
    batch_name: str | None
    input: Mapping[str, Any]
    outputs: list[Output]
    deliveries: NotRequired[list[OutputDelivery]]
    error: TaskErrorData | None
    warnings: NotRequired[list[TaskWarning]]
    cost: Cost
    available_actions: list[ActionOffer]
    can_cancel: bool
    cancel_requested_at: str | None
    end_user: str | None
    metadata: Mapping[str, str]
    tags: NotRequired[list[str]]
    mode: Mode
    created_at: str
    started_at: str | None
    completed_at: str | None
    deadline_at: str
    expires_at: str
    urls: TaskUrls


class TaskDeletion(TypedDict):
    task_id: str
    deleted_at: str
    delete_at: NotRequired[str]


BatchStatus = Literal["processing", "succeeded", "failed", "partial", "canceled"]


class BatchCounts(TypedDict):
    """The number of tasks by status. Together they are `orders`."""

    queued: int
    processing: int
    succeeded: int
    failed: int
    canceled: int


class BatchCost(TypedDict):
    """US dollars: held at the start, charged for tasks that have succeeded, held for tasks that are not final."""

    quoted: str
    charged: str
    held: str
    currency: Literal["USD"]


class BatchUrls(TypedDict):
    self: str
    tasks: str
    results: str
    events: str
    cancel: str


class Batch(TypedDict):
    """Orders that were placed together, at one price."""

    batch_id: str
    status: BatchStatus
    orders: int
    counts: BatchCounts
    cost: BatchCost
    max_parallel: int | None
    metadata: Mapping[str, str]
    mode: Mode
    created_at: str
    cancel_requested_at: str | None
    completed_at: str | None
    urls: BatchUrls


class ModelShare(TypedDict):
    model_id: str
    orders: int
    amount: str


class BatchQuote(TypedDict):
    """What a batch would cost. `exact` as in a `Quote`."""

    orders: int
    currency: Literal["USD"]
    amount: str
    exact: bool
    models: list[ModelShare]


class Refusal(TypedDict):
    """Why an order would be refused now."""

    code: str
    message: str
    param: str | None


class ModelPrice(TypedDict):
    """The price of an order at one of its models, in US dollars."""

    model_id: str
    amount: str


class Quote(TypedDict):
    """What an order would cost."""

    model_id: str
    type: MediaType
    action: str | None
    currency: Literal["USD"]
    amount: str
    exact: bool
    """False if the charge depends on media that must be downloaded first; then `amount` is the maximum."""
    highest_amount: NotRequired[str | None]
    """With `allow_dearer` or `fallback_models`: what the order holds. None: that is above `max_price`."""
    models: NotRequired[list[ModelPrice]]
    """With `fallback_models`: the price at each model that takes orders now."""
    basis: Literal["list", "route_cost"]
    basis_route: NotRequired[BasisRoute]
    lines: list[PriceLine]
    upstream_key: bool
    """Whether the order would go to the account's own upstream key; `amount` is then the fee for that."""
    refusal: Refusal | None
    """None if the order would be accepted, or a field that decides is missing."""
    input: Mapping[str, Any]


Pricing = TypedDict(
    "Pricing",
    {"currency": Literal["USD"], "from": str, "minimum": "str | None", "components": list[Mapping[str, Any]]},
)
"""The prices of a model, in US dollars. `from` is the lowest price of an order."""


class Availability(TypedDict):
    live: bool
    test: bool
    batch: bool


class TypicalSeconds(TypedDict):
    p50: float
    p80: float


class RouteCost(TypedDict):
    """What the cheapest route of a model's lowest-priced order costs, in US dollars before the multiplier."""

    engine: str
    multiplier: str
    minimum: str | None
    components: list[Mapping[str, Any]]


class Model(TypedDict):
    """A model: its fields, limits, prices and availability."""

    model_id: str
    aliases: list[str]
    name: str
    vendor: str
    type: MediaType
    description: str
    status: Literal["active", "paused", "deprecated", "retired"]
    sunset_at: str | None
    replaced_by: str | None
    default_config: dict[str, Any]
    parameters: Mapping[str, Any]
    required: list[list[str]]
    constraints: list[Mapping[str, Any]]
    supported_features: list[str]
    actions: list[str]
    image_roles: list[ImageRole]
    limits: Mapping[str, Any]
    pricing: Pricing
    route_cost: RouteCost | None
    availability: Availability
    typical_seconds: TypicalSeconds | None
    notes: list[str]


class ModelWithSchema(Model):
    input_schema: Mapping[str, Any]


class UploadedFile(TypedDict):
    """An uploaded file. Name it as `upload:<file_id>` in orders."""

    file_id: str
    url: str
    url_expires_at: str
    content_type: str
    bytes: int
    width: int | None
    height: int | None
    duration_seconds: float | None
    sha256: str
    end_user: str | None
    """Your own customer whose file it is, as sent with it. It goes with their erasure."""
    created_at: str
    expires_at: str


class FileDeletion(TypedDict):
    file_id: str
    deleted_at: str


class TaskTags(TypedDict):
    """The tags of a task, in alphabetical order."""

    task_id: str
    tags: list[str]


class Tag(TypedDict):
    """A tag, and how many tasks have it: counted to 1,000."""

    tag: str
    tasks: int


class Share(TypedDict):
    """A link that shows the results of tasks to people without a key."""

    share_id: str
    task_id: str
    """The first task."""
    task_ids: list[str]
    """All tasks that the link shows. Those that were erased are gone."""
    type: MediaType
    """That of the first task."""
    url: str
    file_url: str
    show_prompt: bool
    created_at: str
    expires_at: str


class ShareDeletion(TypedDict):
    share_id: str
    deleted_at: str


class SpendLimit(TypedDict):
    limit: str
    spent: str


class SpendLimits(TypedDict):
    day: SpendLimit | None
    month: SpendLimit | None
    total: SpendLimit | None


class EndUserLimits(TypedDict):
    """The limits of each end user that has none of its own; None is no limit."""

    day: str | None
    month: str | None
    total: str | None


class AccountKey(TypedDict):
    key_id: str
    name: str
    expires_at: str | None
    models: list[str]
    rpm: int
    read_rpm: int
    concurrency: int
    queue: int
    account_view: bool
    approve_over: str | None
    stored_bytes: int
    stored_bytes_limit: int | None
    end_user_stored_bytes_limit: int | None
    spend_limits: SpendLimits
    end_user_limits: EndUserLimits
    timezone: str
    """The IANA time zone of the days and months of these limits; UTC by default."""


class Service(TypedDict):
    """Whether the service sends orders and webhooks. While it is held, it accepts orders, and they wait."""

    held: bool
    message: str | None
    since: NotRequired[str]
    """Since when it is held. Told to operators only, as the next two are."""
    reason: NotRequired[str]
    is_copy: NotRequired[bool]
    """Whether the hold ends only with `as`."""


class Account(TypedDict):
    account_id: str
    name: str
    mode: Mode
    currency: Literal["USD"]
    balance: str
    held: str
    credit_limit: str | None
    key: AccountKey
    service: Service


class OwnEndUserLimits(TypedDict):
    """The limits that were set for an end user. A window that is left out has the limit of the key."""

    day: NotRequired[str | None]
    month: NotRequired[str | None]
    total: NotRequired[str | None]
    timezone: NotRequired[str]
    """The IANA time zone of the days and months; left out = that of the key."""


class EndUserWindow(TypedDict):
    """What an end user may spend in a window, and has spent."""

    limit: str | None
    charged: str
    held: str
    available: str | None
    resets_at: str | None


class EndUserWindows(TypedDict):
    day: EndUserWindow
    month: EndUserWindow
    total: EndUserWindow


class EndUser(TypedDict):
    """A customer of the caller: its limits and what it spends with the key."""

    end_user: str
    mode: Mode
    currency: Literal["USD"]
    limits: OwnEndUserLimits
    windows: EndUserWindows


class ClientToken(TypedDict):
    """A token for one end user. It is shown once."""

    token: str
    expires_at: str


class UsageSeconds(TypedDict):
    p50: float | None
    p95: float | None


class UsageRow(TypedDict):
    """Tasks of one group and what they cost. Only the fields named in `group_by` are present."""

    day: NotRequired[str]
    model_id: NotRequired[str]
    status: NotRequired[TaskStatus]
    end_user: NotRequired[str | None]
    tasks: int
    charged: str
    held: str
    currency: Literal["USD"]
    seconds: NotRequired[UsageSeconds]


UsageReport = TypedDict(
    "UsageReport",
    {
        "from": str,
        "to": str,
        "group_by": list[str],
        "scope": Literal["key", "account"],
        "items": list[UsageRow],
        "limit": int,
        "has_more": bool,
        "next_after": "str | None",
    },
)
"""Tasks created within a period and what they cost."""


class LedgerEntry(TypedDict):
    entry_id: str
    kind: Literal["credit", "correction", "hold", "release", "charge", "refund"]
    amount: str
    currency: Literal["USD"]
    task_id: str | None
    batch_id: str | None
    corrects: str | None
    """Of a correction: the `entry_id` of the credit that it takes back."""
    note: str | None
    created_at: str


class LoggedRequest(TypedDict):
    """A request that a key sent, and how it was answered."""

    entry_id: str
    answered_at: str
    key_id: str
    account_id: str
    method: str
    path: str
    """As documented, such as /v1/images/{task_id}, without a query."""
    status: int | None
    """None if the caller closed the connection before the answer was complete."""
    code: str | None
    duration_ms: int
    request_id: str
    task_id: str | None


class DeliveryAttempt(TypedDict):
    started_at: str
    duration_ms: int
    response_status: int | None
    error: str | None


WebhookType = Literal[
    "task.succeeded",
    "task.failed",
    "task.canceled",
    "task.refunded",
    "task.delivered",
    "task.delivery_failed",
    "batch.succeeded",
    "batch.failed",
    "batch.partial",
    "batch.canceled",
    "budget.reached",
]


class WebhookDelivery(TypedDict):
    delivery_id: str
    task_id: str | None
    batch_id: str | None
    type: WebhookType
    url: str
    status: Literal["pending", "delivered", "failed"]
    created_at: str
    delivered_at: str | None
    next_attempt_at: str | None
    attempts: list[DeliveryAttempt]


class WebhookTest(TypedDict):
    """What the receiver of a test event answered."""

    webhook_id: str
    url: str
    delivered: bool
    """Whether the receiver answered 2xx."""
    duration_ms: int
    response_status: int | None
    error: str | None


class WebhookSecret(TypedDict):
    secret: str
    created_at: str
    valid_until: str | None


class TaskWebhookEvent(TypedDict):
    """A verified webhook about a task."""

    id: str
    """The same in every delivery of the event: use it to detect repeats."""
    type: Literal[
        "task.succeeded",
        "task.failed",
        "task.canceled",
        "task.refunded",
        "task.delivered",
        "task.delivery_failed",
    ]
    timestamp: str
    data: Task


class BatchWebhookEvent(TypedDict):
    """A verified webhook about a batch."""

    id: str
    """The same in every delivery of the event: use it to detect repeats."""
    type: Literal["batch.succeeded", "batch.failed", "batch.partial", "batch.canceled"]
    timestamp: str
    data: Batch


class BudgetNotice(TypedDict):
    """A spend limit of which a share is reached."""

    key_id: str
    end_user: str | None
    """The end user whose limit it is; None is the API key's own limit."""
    mode: Mode
    window: Literal["day", "month", "total"]
    period: str | None
    """The day or month in the time zone of the limit, such as 2026-11-20 or 2026-11; None for total."""
    limit: str
    used: str
    """US dollars charged and held for orders placed in the window."""
    currency: Literal["USD"]
    share: int
    """The share of the limit that is reached, in percent: 50, 80 or 100."""
    created_at: str


class BudgetWebhookEvent(TypedDict):
    """A verified webhook about a spend limit."""

    id: str
    """The same in every delivery of the event: use it to detect repeats."""
    type: Literal["budget.reached"]
    timestamp: str
    data: BudgetNotice


WebhookEvent = TaskWebhookEvent | BatchWebhookEvent | BudgetWebhookEvent
"""A verified webhook. Its `type` tells whether `data` is a task, a batch or a spend limit."""


class ErrorDetail(TypedDict, total=False):
    param: str
    code: str
    message: str
    suggestion: str
    end_user: str
    window: Literal["day", "month", "total"]
    limit: str
    needed: str
    available: str
    resets_at: str | None
    currency: Literal["USD"]
