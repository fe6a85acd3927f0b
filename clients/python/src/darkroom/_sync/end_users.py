# Written by write_sync.py from ../_async/end_users.py.
"""Customers of the caller: their limits, and tokens for their pages and apps."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from urllib.parse import quote

from .._calls import Call, change_call, json_call
from ..orders import EndUserLimitChange
from ..types import ClientToken, EndUser
from .pager import List
from .transport import Transport

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack


class EndUsers:
    """The end users of the key: what each of them may spend, and has spent."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, end_user: str) -> EndUser:
        """Returns the limits of an end user, and what the windows hold."""
        found: EndUser = self._transport.data(Call("GET", _path(end_user)))
        return found

    def set_limits(self, end_user: str, **limits: Unpack[EndUserLimitChange]) -> EndUser:
        """Replaces all limits of an end user, in US dollars per `day`, per `month` and in `total`.

        None is no limit. A window that is left out has the limit of the key. Days and months are those of `timezone`,
        such as "Europe/Berlin"; left out, it is that of the key.
        """
        changed: EndUser = self._transport.data(json_call("PUT", _path(end_user), {"limits": limits}))
        return changed

    def remove_limits(self, end_user: str) -> EndUser:
        """Removes the limits of an end user; those of the key apply again."""
        changed: EndUser = self._transport.data(Call("DELETE", _path(end_user)))
        return changed

    def list(self, *, after: str | None = None, limit: int | None = None) -> List[EndUser]:
        """The end users of the key, by name."""
        return List(self._transport, "/v1/end_users", {"after": after, "limit": limit}, "end_user")


class ClientTokens:
    """Tokens for pages and apps of end users, which must not have the key."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        end_user: str,
        models: Sequence[str] | None = None,
        max_price: str | None = None,
        rpm: int | None = None,
        origins: Sequence[str] | None = None,
        expires_in: int | None = None,
        idempotency_key: str | None = None,
    ) -> ClientToken:
        """Issues a token. A program sends it as its key: `Darkroom(api_key=token)`.

        Args:
            end_user: whose token it is.
            models: patterns of models, within those of the key; left out = all of them.
            max_price: US dollars that one order may cost at most.
            rpm: creates per minute of the end user; left out or 0 = no limit.
            origins: origins whose pages may use the token; left out = all. No security boundary.
            expires_in: seconds, at most 3600; 900 if left out.
            idempotency_key: your own, to repeat the call after a crash; a new one per call if left out.
        """
        fields = {
            "end_user": end_user,
            "models": models,
            "max_price": max_price,
            "rpm": rpm,
            "origins": origins,
            "expires_in": expires_in,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        token: ClientToken = self._transport.data(change_call("/v1/client_tokens", body, idempotency_key))
        return token


def _path(end_user: str) -> str:
    return f"/v1/end_users/{quote(end_user, safe='')}"
