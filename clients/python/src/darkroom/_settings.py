from __future__ import annotations

import os

from .errors import ConfigurationError

DEFAULT_RESPONSE_TIMEOUT = 100.0
DEFAULT_RETRIES = 5


def api_key_of(given: str | None) -> str:
    key = given if given is not None else os.environ.get("DARKROOM_API_KEY", "")
    if key == "":
        raise ConfigurationError("There is no API key. Give api_key, or set DARKROOM_API_KEY.")
    if not key.isascii() or not key.isprintable():
        raise ConfigurationError("The API key has characters that a key never has.")
    return key


def base_url_of(given: str | None) -> str:
    url = given if given is not None else os.environ.get("DARKROOM_URL") or "http://127.0.0.1:8080"
    if not url.startswith(("http://", "https://")):
        raise ConfigurationError(f"base_url must begin with http:// or https://; found {url!r}.")
    return url.rstrip("/")
