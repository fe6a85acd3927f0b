"""The bodies of orders. Every field but `model_id` is optional here: the service checks each order against its model.

A model's own further fields go into `extra_body`; `client.models.get(model_id)["parameters"]` lists them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import Required
else:
    from typing_extensions import Required

from ._references import Media, Parent
from .types import ImageRole

SimulatedOutcome = Literal[
    "succeeded", "content_policy", "upstream_error", "timeout", "outcome_unknown", "stuck", "late"
]


class Simulate(TypedDict, total=False):
    """How the task ends. Test keys only."""

    seconds: float
    outcome: SimulatedOutcome
    explain: bool


class DeliverTo(TypedDict, total=False):
    """Where the outputs are copied to. Send `url`, `urls` or `destination`; `headers` go with URLs."""

    url: str
    """A presigned PUT URL for the first output."""
    urls: Sequence[str]
    """A presigned PUT URL for each output, in their order."""
    headers: Mapping[str, str]
    """Headers that the URLs were signed with."""
    destination: str
    """The name of a destination of your account."""


class _Service(TypedDict, total=False):
    metadata: Mapping[str, str] | None
    end_user: str | None
    webhook_url: str | None
    deliver_to: DeliverTo | None
    max_price: str | float | None
    allow_dearer: bool | None
    """Whether a dearer route may make it, for at most `max_price`."""
    fallback_models: Sequence[str] | None
    """Up to four further models, if no upstream took it for the one before."""
    fallback_on_content_policy: bool | None
    """Whether it also goes on to the next model when an upstream refuses its content."""
    wait_for_parent: bool | None
    simulate: Simulate | None


class _Generation(_Service, total=False):
    model_id: Required[str]
    prompt: str | None
    negative_prompt: str | None
    num_images: int | None
    image_urls: Sequence[Media] | None
    image_roles: Sequence[ImageRole] | None
    """The role of each image of `image_urls`, instead of the fields of these roles."""
    resolution: str | None
    aspect_ratio: str | None
    seed: int | None
    style: str | None
    watermark: bool | None
    prompt_enhance: bool | None


class _Image(TypedDict, total=False):
    size: str | None
    output_format: str | None
    output_compression: int | None
    speed: str | None
    quality: str | None
    background: str | None
    strength: float | None
    mask_url: Media | None
    style_image_urls: Sequence[Media] | None
    steps: int | None
    guidance_scale: float | None


class _Video(TypedDict, total=False):
    duration: str | float | None
    fps: int | None
    first_frame_url: Media | None
    last_frame_url: Media | None
    video_url: Media | None
    reference_video_urls: Sequence[Media] | None
    reference_audio_urls: Sequence[Media] | None
    generate_audio: bool | None
    camera: str | None


class _Source(TypedDict, total=False):
    source: str
    """For a tool: the image or video that it works on."""
    action: str
    """With `source`: an action of a tool, such as `speak`."""


class ImageOrder(_Generation, _Image, _Source, total=False):
    """The body of `POST /v1/images`."""


class VideoOrder(_Generation, _Video, _Source, total=False):
    """The body of `POST /v1/videos`."""


class ActionOrder(_Service, total=False):
    """The body of `POST /v1/images/actions`."""

    parent_task_id: Required[Parent]
    action: Required[str]
    model_id: str | None
    index: int | None
    prompt: str | None
    mask_url: Media | None
    ratio: float | None
    direction: Literal["left", "right", "up", "down"] | None
    strength: Literal["subtle", "strong"] | None


class PriceQuestion(_Generation, _Image, _Video, total=False):
    """The body of `POST /v1/prices`: that of a create or of a follow-up action."""

    source: str
    action: str | None
    parent_task_id: Parent | None
    index: int | None


class BatchEntry(TypedDict, total=False):
    """One order of a batch, or one for each combination of the values in `vary`."""

    operation: Required[Literal["images", "videos", "actions"]]
    body: Required[Mapping[str, Any]]
    """The body of such a create: an `ImageOrder`, `VideoOrder` or `ActionOrder`, with the model's own fields."""
    name: str | None
    vary: Mapping[str, Sequence[Any]] | None


class EndUserLimitChange(TypedDict, total=False):
    """US dollars as strings, such as "20.00"; None is no limit. The time zone is an IANA name."""

    day: str | None
    month: str | None
    total: str | None
    timezone: str
