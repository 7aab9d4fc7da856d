import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Optional
from urllib.parse import quote, urlsplit

import attrs
import httpx

from . import models
from .errors import FinhookError
from .pages import Page
from .types import Unset, write_time

# A longer wait is the application's decision: it gets the error with its `retry_after`.
MAX_WAIT = 60.0
FIRST_DELAY = 0.5
MAX_DELAY = 8.0


@dataclass(frozen=True)
class Retry:
    """A failed attempt that is repeated after `delay` seconds."""

    operation: str
    """Name of the method, for example `companies.create`."""
    attempt: int
    """Number of the failed attempt, from 1."""
    delay: float
    error: FinhookError


def api_url(base_url: str) -> str:
    base = urlsplit(base_url)
    path = base.path.rstrip("/")
    if base.scheme not in ("http", "https") or not base.netloc:
        raise ValueError(
            f"base_url must be where the service listens, like https://finhook.example.com; it is {base_url!r}."
        )
    if path.endswith(("/api/v1", "/trpc")):
        raise ValueError(
            f"base_url must be where the service listens, without {path}: the client adds the path itself."
        )
    return f"{base.scheme}://{base.netloc}{path}/api/v1"


def retry_delay(error: FinhookError, attempt: int, chance: Callable[[], float] = random.random) -> Optional[float]:
    """Seconds before the next attempt: `Retry-After`, and a random share of a delay that doubles with each attempt, so
    that clients which failed together don't return together. None if the call is not to be repeated."""
    if not error.retryable or (error.retry_after or 0) > MAX_WAIT:
        return None
    # More doublings than reach MAX_DELAY would overflow.
    delay = min(MAX_DELAY, FIRST_DELAY * 2 ** min(attempt - 1, 5))
    if error.retry_after is None:
        return delay * (0.5 + chance() / 2)
    return error.retry_after + delay * chance() / 2


def parse_retry_after(header: Optional[str], now: float) -> Optional[float]:
    """Seconds of a `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    try:
        return float(header) if header.isdecimal() else max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except ValueError:
        return None


def to_json(value: Any) -> Any:
    """Records, dates, and what contains them, as JSON. Fields that are `UNSET` are left out."""
    if attrs.has(type(value)):
        return to_json(value.to_dict())
    if isinstance(value, Mapping):
        return {key: to_json(each) for key, each in value.items() if not isinstance(each, Unset)}
    if isinstance(value, (list, tuple)):
        return [to_json(each) for each in value]
    return write_time(value)


def _is_given(value: Any) -> bool:
    return value is not None and not isinstance(value, Unset)


class Transport:
    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float,
        max_retries: int,
        http_client: Optional[httpx.Client],
        on_retry: Optional[Callable[[Retry], None]],
        version: str,
    ) -> None:
        self._url = api_url(base_url)
        if not api_key:
            raise ValueError("api_key is empty; the service responds to nobody without one.")
        # A header with other characters fails with an error that shows it.
        if not api_key.isascii() or not api_key.isprintable() or " " in api_key:
            raise ValueError("api_key has characters that no key has, for example a line break at its end.")
        self._headers = {"authorization": f"Bearer {api_key}", "user-agent": f"finhook-python/{version}"}
        self._timeout = timeout
        self._max_retries = max_retries
        self._on_retry = on_retry
        # The api allows an account 32 calls in flight; this leaves some to its other clients.
        self._http = http_client or httpx.Client(limits=httpx.Limits(max_connections=24))
        self._owns_http = http_client is None

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def request(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        query: "dict[str, Any]",
        body: "Optional[dict[str, Any]]" = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Any:
        if idempotency_key == "":
            raise ValueError("idempotency_key must not be empty; nothing was sent.")
        retries = self._max_retries if max_retries is None else max_retries
        headers = dict(self._headers)
        if method != "GET" and (idempotency_key or retries > 0):
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        limit = self._timeout if timeout is None else timeout
        request: "dict[str, Any]" = {
            "method": method,
            "url": self._url + path,
            "params": {name: write_time(value) for name, value in query.items() if _is_given(value)},
            "headers": headers,
            # A call that waits for a free connection has not begun.
            "timeout": httpx.Timeout(limit, pool=None),
            # Followed, a redirected POST would become a GET, whose response is another one, or take the key elsewhere.
            "follow_redirects": False,
        }
        if body is not None:
            request["json"] = to_json(body)
        attempt = 1
        while True:
            try:
                return self._attempt(operation, request)
            except FinhookError as error:
                delay = retry_delay(error, attempt) if attempt <= retries else None
                if delay is None:
                    raise
                if self._on_retry:
                    self._on_retry(Retry(operation, attempt, delay, error))
            time.sleep(delay)
            attempt += 1

    def _attempt(self, operation: str, request: "dict[str, Any]") -> Any:
        try:
            response = self._http.request(**request)
        except httpx.TimeoutException as cause:
            limit = request["timeout"].read
            message = f"{operation}: no complete response within the timeout of {limit:g} s"
            raise FinhookError(message, retryable=True) from cause
        except httpx.HTTPError as cause:
            reason = str(cause) or type(cause).__name__
            raise FinhookError(f"{operation}: the connection failed: {reason}", retryable=True) from cause
        if response.status_code == 204:
            return None
        try:
            body = response.json()
            if response.is_success:
                return body
            problem = models.Problem.from_dict(body)
        except (ValueError, TypeError, KeyError) as cause:
            raise _unexpected(operation, response) from cause
        raise FinhookError(
            f"{operation}: {problem.detail} ({problem.status} {problem.code})",
            status=response.status_code,
            problem=problem,
            request_id=problem.request_id,
            retryable=problem.retryable,
            retry_after=_retry_after(response) if problem.retryable else None,
        )


def _unexpected(operation: str, response: httpx.Response) -> FinhookError:
    """The error of a response that is not the service's, or that was cut off."""
    status = response.status_code
    return FinhookError(
        f"{operation}: HTTP {status} with a body that is not the service's: check the base URL, and proxies in between",
        status=status,
        request_id=response.headers.get("x-request-id"),
        retryable=status < 300 or status >= 500 or status in (408, 429),
        retry_after=_retry_after(response),
    )


def _retry_after(response: httpx.Response) -> Optional[float]:
    return parse_retry_after(response.headers.get("retry-after"), time.time())


class Resource:
    """Operations of one part of the API."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _send(
        self,
        operation: str,
        method: str,
        path_template: str,
        *,
        path: "dict[str, str]",
        model: Optional[str] = None,
        **call: Any,
    ) -> Any:
        body = self._transport.request(operation, method, _fill(path_template, path), **call)
        return body if model is None else _read(operation, _reader(model), body)

    def _page(
        self,
        operation: str,
        method: str,
        path_template: str,
        *,
        path: "dict[str, str]",
        query: "dict[str, Any]",
        model: str,
        **call: Any,
    ) -> "Page[Any]":
        def after(cursor: "Optional[str]" = None) -> "Page[Any]":
            cursors = {} if cursor is None else {"after": cursor}
            response = self._transport.request(operation, method, url, query={**query, **cursors}, **call)
            return _read(operation, lambda body: Page(body, getattr(models, model).from_dict, after), response)

        url = _fill(path_template, path)
        return after()


def _fill(template: str, path: "dict[str, str]") -> str:
    for name, value in path.items():
        if not value:
            raise ValueError(f"{name} is empty; nothing was sent.")
    return template.format(**{name: quote(str(value), safe="") for name, value in path.items()})


def _reader(model: str) -> "Callable[[Any], Any]":
    """Reads a record. Of a union, such as `Replay | ReplayEstimate`, it is the class whose `object` the record has."""
    *others, last = (getattr(models, name).from_dict for name in model.split(" | "))

    def read(body: Any) -> Any:
        for from_dict in others:
            try:
                return from_dict(body)
            except ValueError:
                continue
        return last(body)

    return read


def _read(operation: str, read: "Callable[[Any], Any]", body: Any) -> Any:
    try:
        return read(body)
    except (ValueError, TypeError, KeyError, AttributeError) as cause:
        message = f"{operation}: succeeded, but its response is not what this version of the client expects: {cause!r}"
        raise FinhookError(message, status=200, retryable=False) from cause
