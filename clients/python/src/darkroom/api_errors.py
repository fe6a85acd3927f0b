"""The exceptions for error codes of the interface: one class for each code, grouped by status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import DarkroomError


class APIError(DarkroomError):
    """The service refused a request. `code` says why; docs/errors.md explains every code."""

    status: int = 0
    code: str = ""

    def __init__(self, status: int, error: Mapping[str, Any], retry_after: float | None = None) -> None:
        super().__init__(str(error.get("message", "")) or f"The service answered {status}.")
        self.status = status
        self.code = str(error.get("code", ""))
        self.param: str | None = error.get("param")
        self.details: list[Mapping[str, Any]] = error.get("details") or []
        """Every fault of the request as param, code and message, or facts such as the price and the balance."""
        self.retryable = error.get("retryable") is True
        """Whether the same request may succeed later. Repeating it never charges twice."""
        self.request_id: str | None = error.get("request_id")
        self.docs_url: str | None = error.get("docs_url")
        self.retry_after = retry_after
        """Seconds, if the service sent Retry-After."""


class BadRequestError(APIError):
    """The request is invalid."""

    status = 400


class InvalidJSONError(BadRequestError):
    code = "invalid_json"


class InvalidRequestError(BadRequestError):
    code = "invalid_request"


class UnsupportedFieldError(BadRequestError):
    code = "unsupported_field"


class UnsupportedValueError(BadRequestError):
    code = "unsupported_value"


class MissingPromptError(BadRequestError):
    code = "missing_prompt"


class MissingReferenceError(BadRequestError):
    code = "missing_reference"


class PromptTooLongError(BadRequestError):
    code = "prompt_too_long"


class InvalidReferenceError(BadRequestError):
    code = "invalid_reference"


class UnsupportedActionError(BadRequestError):
    code = "unsupported_action"


class AuthenticationError(APIError):
    """The API key is missing, unknown, expired or revoked."""

    status = 401


class MissingAPIKeyError(AuthenticationError):
    code = "missing_api_key"


class InvalidAPIKeyError(AuthenticationError):
    code = "invalid_api_key"


class ExpiredAPIKeyError(AuthenticationError):
    code = "expired_api_key"


class RevokedAPIKeyError(AuthenticationError):
    code = "revoked_api_key"


class PaymentRequiredError(APIError):
    """The account or the key cannot pay for the order."""

    status = 402


class InsufficientBalanceError(PaymentRequiredError):
    code = "insufficient_balance"


class SpendLimitReachedError(PaymentRequiredError):
    code = "spend_limit_reached"


class EndUserLimitReachedError(PaymentRequiredError):
    code = "end_user_limit_reached"


class PermissionDeniedError(APIError):
    """The key is not allowed to do this."""

    status = 403


class ModelNotAllowedError(PermissionDeniedError):
    code = "model_not_allowed"


class ForbiddenError(PermissionDeniedError):
    code = "forbidden"


class NotFoundError(APIError):
    """The model, task or URL does not exist for this key."""

    status = 404


class ModelNotFoundError(NotFoundError):
    code = "model_not_found"


class TaskNotFoundError(NotFoundError):
    code = "task_not_found"


class NothingFoundError(NotFoundError):
    code = "not_found"


class MethodNotAllowedError(APIError):
    status = 405
    code = "method_not_allowed"


class RequestTimeoutError(APIError):
    status = 408
    code = "request_timeout"


class ConflictError(APIError):
    """The state of the task, the price or the storage does not allow this."""

    status = 409


class ParentNotReadyError(ConflictError):
    code = "parent_not_ready"


class ParentNotUsableError(ConflictError):
    code = "parent_not_usable"


class NotCancelableError(ConflictError):
    code = "not_cancelable"


class NotRefundableError(ConflictError):
    code = "not_refundable"


class NotStuckError(ConflictError):
    code = "not_stuck"


class OrdersChangedError(ConflictError):
    code = "orders_changed"


class NotFinalError(ConflictError):
    code = "not_final"


class PriceExceededError(ConflictError):
    code = "price_exceeded"


class StorageLimitReachedError(ConflictError):
    code = "storage_limit_reached"


class ShareLimitReachedError(ConflictError):
    code = "share_limit_reached"


class GoneError(APIError):
    """The model or the files are no longer available."""

    status = 410


class ModelRetiredError(GoneError):
    code = "model_retired"


class TaskExpiredError(GoneError):
    code = "task_expired"


class OutputsExpiredError(GoneError):
    code = "outputs_expired"


class BodyTooLargeError(APIError):
    status = 413
    code = "body_too_large"


class URITooLongError(APIError):
    status = 414
    code = "uri_too_long"


class ExpectationFailedError(APIError):
    status = 417
    code = "expectation_failed"


class UnsupportedMediaTypeError(APIError):
    status = 415
    code = "unsupported_media_type"


class RangeNotSatisfiableError(APIError):
    status = 416
    code = "range_not_satisfiable"


class IdempotencyKeyReusedError(APIError):
    status = 422
    code = "idempotency_key_reused"


class ModelNotOfferedError(APIError):
    """The service does not make this model by its settings."""

    status = 422
    code = "model_not_offered"


class TooManyRequestsError(APIError):
    """Wait for `retry_after` seconds."""

    status = 429


class RateLimitedError(TooManyRequestsError):
    code = "rate_limited"


class QueueFullError(TooManyRequestsError):
    code = "queue_full"


class HeadersTooLargeError(APIError):
    status = 431
    code = "headers_too_large"


class InternalServerError(APIError):
    status = 500
    code = "internal_error"


class UnavailableError(APIError):
    """The service cannot do this now."""

    status = 503


class ModelUnavailableError(UnavailableError):
    code = "model_unavailable"


class ServiceUnavailableError(UnavailableError):
    code = "service_unavailable"


class StorageFullError(UnavailableError):
    code = "storage_full"


class ShuttingDownError(UnavailableError):
    code = "shutting_down"


API_ERRORS: dict[str, type[APIError]] = {
    one.code: one
    for one in (
        InvalidJSONError,
        InvalidRequestError,
        UnsupportedFieldError,
        UnsupportedValueError,
        MissingPromptError,
        MissingReferenceError,
        PromptTooLongError,
        InvalidReferenceError,
        UnsupportedActionError,
        MissingAPIKeyError,
        InvalidAPIKeyError,
        ExpiredAPIKeyError,
        RevokedAPIKeyError,
        InsufficientBalanceError,
        SpendLimitReachedError,
        EndUserLimitReachedError,
        ModelNotAllowedError,
        ForbiddenError,
        ModelNotFoundError,
        TaskNotFoundError,
        NothingFoundError,
        MethodNotAllowedError,
        RequestTimeoutError,
        ParentNotReadyError,
        ParentNotUsableError,
        NotCancelableError,
        NotRefundableError,
        NotStuckError,
        OrdersChangedError,
        NotFinalError,
        PriceExceededError,
        StorageLimitReachedError,
        ShareLimitReachedError,
        ModelRetiredError,
        TaskExpiredError,
        OutputsExpiredError,
        BodyTooLargeError,
        URITooLongError,
        ExpectationFailedError,
        UnsupportedMediaTypeError,
        RangeNotSatisfiableError,
        IdempotencyKeyReusedError,
        ModelNotOfferedError,
        RateLimitedError,
        QueueFullError,
        HeadersTooLargeError,
        InternalServerError,
        ModelUnavailableError,
        ServiceUnavailableError,
        StorageFullError,
        ShuttingDownError,
    )
}
_BY_STATUS: dict[int, type[APIError]] = {
    one.status: one
    for one in (
        BadRequestError,
        AuthenticationError,
        PaymentRequiredError,
        PermissionDeniedError,
        NotFoundError,
        ConflictError,
        GoneError,
        TooManyRequestsError,
        UnavailableError,
    )
}


def api_error(status: int, error: Mapping[str, Any], retry_after: float | None = None) -> APIError:
    """Returns the exception of the code; for a code that this version does not know, that of the status."""
    known = API_ERRORS.get(str(error.get("code", "")))
    return (known or _BY_STATUS.get(status, APIError))(status, error, retry_after)
