"""The client of the finhook API, and the receiver of its webhooks."""

from typing import Any, Callable, Optional

import httpx

from ._transport import Retry, Transport
from .errors import FinhookError, is_problem
from .operations import Operations
from .pages import Page
from .types import UNSET
from .webhooks import RejectedWebhook, verify_webhook

__version__ = "0.3.0"


class Finhook(Operations):
    """A client of the service. Its methods raise `FinhookError`.

    Failed attempts that may succeed later are repeated; a mutation has an Idempotency-Key, so that it is executed once.
    Threads may share a client. At most 24 calls are in flight, the others wait.

    Args:
        api_key: A key of the account: `sk_live_…` or `sk_test_…`.
        base_url: Where the service listens, for example `https://finhook.example.com`.
        timeout: Seconds that an attempt may wait for the connection, and then for each part of the response.
        max_retries: Number of retries after the first attempt; 0 for none.
        http_client: Used instead of a client of its own, for example to send through a proxy or to log requests.
        on_retry: Called before the wait for a retry.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str,
        timeout: float = 30.0,
        max_retries: int = 2,
        http_client: Optional[httpx.Client] = None,
        on_retry: Optional[Callable[[Retry], None]] = None,
    ) -> None:
        transport = Transport(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            http_client=http_client,
            on_retry=on_retry,
            version=__version__,
        )
        super().__init__(transport)
        self.close = transport.close

    def __enter__(self) -> "Finhook":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


__all__ = ["UNSET", "Finhook", "FinhookError", "Page", "RejectedWebhook", "Retry", "is_problem", "verify_webhook"]
