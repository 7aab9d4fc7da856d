import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Protocol, Tuple, Union

# The reasons for a rejection, each with a sentence for the person who has to fix it.
HINTS = {
    "invalid_secret": "A secret or public key is empty or incomplete: copy the whole value (whsec_… or whpk_…), without line breaks.",
    "missing_header": "A signature header is absent: check that the request is a webhook and that no proxy drops headers.",
    "malformed_header": "The signature header does not have the expected form, or it was sent more than once.",
    "malformed_id": "The webhook-id header is not a plain id of printable characters without a full stop.",
    "malformed_timestamp": "The timestamp is not a whole number of seconds since 1970 in plain digits.",
    "unsupported_version": "No signature in the header can be checked with what was given: v1 needs the secret (whsec_), v1a the public key (whpk_).",
    "malformed_signature": "The signature has the wrong length or alphabet: check that the header arrives uncut.",
    "timestamp_too_old": "The delivery was signed too long ago: reject it as a replay, or check this machine's clock.",
    "timestamp_in_future": "The delivery was signed in the future: check this machine's clock, and that its time is given in the right unit.",
    "no_matching_signature": "No signature matches: check that the secret is this endpoint's, and that the body is the raw bytes as received.",
    "missing_body": "There is no body: pass the raw body of the request, read before anything else consumes it.",
    "body_not_read": "The body is a stream, a coroutine or a whole request: read its raw bytes first, for example await request.body().",
    "body_already_parsed": "The body was parsed before it was verified: pass the raw bytes, for example request.get_data() in Flask, "
    "await request.body() in FastAPI, request.body in Django.",
    "malformed_json": "The signature is right, but the body is not JSON in UTF-8.",
    "malformed_event": "The signature is right, but the body is not an event of this service.",
}


class SupportsItems(Protocol):
    def items(self) -> Iterable[Tuple[str, Any]]: ...


Headers = Union[SupportsItems, Iterable[Tuple[Any, Any]]]
"""A dict, or the headers of `http.server`, Flask, FastAPI or Django; also a WSGI environ or the headers of an ASGI scope."""


class RejectedWebhook(Exception):
    """A delivery that is not genuine: respond with 400 and log the hint, which has no secret and nothing of the body."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}: {HINTS[reason]}")
        self.reason = reason
        self.hint = HINTS[reason]


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Callable[[], float] = time.time,
) -> Dict[str, Any]:
    """Verifies a delivery and returns its event. Raises `RejectedWebhook` for one that is not genuine.

    It is verified by `x-service-signature`, or by `webhook-signature` (Standard Webhooks 1.0.0) where the first is
    absent or made with another secret. `event["id"]` is the same on every attempt: use it to drop duplicates.

    Args:
        body: The raw body, before any parsing; a str is encoded as UTF-8.
        headers: The headers of the request. Names are case-insensitive.
        secret: The endpoint's secret (`whsec_…`) or public key (`whpk_…`), several during a rotation.
        tolerance: Seconds that a delivery's timestamp may differ from the clock, in either direction.
        now: The receiver's clock in seconds since 1970.
    """
    content = _raw_body(body)
    window = _Window(now(), tolerance)
    if not (math.isfinite(window.now) and math.isfinite(tolerance) and tolerance >= 0):
        raise ValueError("now and tolerance must be finite numbers, and tolerance not negative")
    _verify(content, headers, [secret] if isinstance(secret, str) else list(secret or []), window)
    try:
        event = json.loads(content.decode("utf-8"))
    except ValueError:
        raise RejectedWebhook("malformed_json") from None
    if not _is_event(event):
        raise RejectedWebhook("malformed_event")
    return event


def _is_event(event: Any) -> bool:
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
        return False
    texts = [event.get(name) for name in ("id", "type", "created_at", "account_id")]
    return all(isinstance(text, str) for text in texts) and isinstance(event.get("company_id"), (str, type(None)))


def _raw_body(body: Any) -> bytes:
    if body is None:
        raise RejectedWebhook("missing_body")
    if isinstance(body, str):
        return body.encode("utf-8")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    unread = any(hasattr(body, name) for name in ("read", "body", "get_data", "__await__", "__aiter__"))
    raise RejectedWebhook("body_not_read" if unread else "body_already_parsed")


class _Window(NamedTuple):
    now: float
    tolerance: float

    def check(self, timestamp: int) -> None:
        if self.now - timestamp > self.tolerance:
            raise RejectedWebhook("timestamp_too_old")
        if timestamp - self.now > self.tolerance:
            raise RejectedWebhook("timestamp_in_future")


class _Keys(NamedTuple):
    texts: List[str]
    """The shared secrets as they are: the keys of `x-service-signature`."""
    shared: List[bytes]
    public: List[bytes]


def _read_keys(secrets: Sequence[Any]) -> _Keys:
    """Rejects all if any is malformed, so that a broken configuration shows at once."""
    keys = _Keys([], [], [])
    for text in secrets:
        prefix, _, encoded = text.partition("_") if isinstance(text, str) else ("", "", "")
        key = _decode_base64(encoded) or b""
        if prefix == "whsec" and 24 <= len(key) <= 64:
            keys.texts.append(text)
            keys.shared.append(key)
        elif prefix == "whpk" and len(key) == 32:
            keys.public.append(key)
        else:
            raise RejectedWebhook("invalid_secret")
    if not secrets:
        raise RejectedWebhook("invalid_secret")
    return keys


def _decode_base64(text: str) -> Optional[bytes]:
    """None for anything but the canonical encoding (RFC 4648)."""
    try:
        decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if base64.b64encode(decoded).decode("ascii") == text else None


def _verify(body: bytes, headers: Headers, secrets: Sequence[Any], window: _Window) -> None:
    keys = _read_keys(secrets)
    # The service's own header is made with shared secrets only.
    if not keys.shared:
        return _verify_standard(body, headers, keys, window)
    try:
        _verify_service(body, _header(headers, "x-service-signature"), keys, window)
    except RejectedWebhook as rejected:
        if rejected.reason not in ("missing_header", "no_matching_signature"):
            raise
        # During a rotation this header is still signed with the old secret; the standard header has both signatures.
        try:
            _verify_standard(body, headers, keys, window)
        except RejectedWebhook as standard:
            raise (standard if rejected.reason == "missing_header" else rejected) from None


def _header(headers: Headers, name: str) -> Optional[str]:
    """Repeated headers are joined with commas, as in HTTP, and then rejected by the strict parsers."""
    # The second form is that of a WSGI environ (PEP 3333).
    names = (name, "http_" + name.replace("-", "_"))
    try:
        pairs = list(headers.items() if hasattr(headers, "items") else headers)
        values: List[str] = []
        for key, value in pairs:
            if _text(key).lower() in names and value is not None:
                values.extend(_text(each) for each in ([value] if isinstance(value, (str, bytes)) else value))
    except (TypeError, ValueError):
        # Not headers at all, such as None.
        raise RejectedWebhook("missing_header") from None
    return ", ".join(values) or None


def _text(value: Any) -> str:
    """ASGI has bytes, and HTTP headers are Latin-1."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _verify_service(body: bytes, header: Optional[str], keys: _Keys, window: _Window) -> None:
    if not header:
        raise RejectedWebhook("missing_header")
    match = re.fullmatch(r"t=([^,=]*),([a-z0-9]+)=([^,=]*)", header)
    if not match:
        raise RejectedWebhook("malformed_header")
    seconds, version, signature = match.groups()
    timestamp = _timestamp(seconds)
    if version != "v1":
        raise RejectedWebhook("unsupported_version")
    if not re.fullmatch(r"[0-9a-f]{64}", signature):
        raise RejectedWebhook("malformed_signature")
    window.check(timestamp)
    content = f"{timestamp}.".encode() + body
    if not _matches_any([bytes.fromhex(signature)], [_hmac(key.encode(), content) for key in keys.texts]):
        raise RejectedWebhook("no_matching_signature")


def _verify_standard(body: bytes, headers: Headers, keys: _Keys, window: _Window) -> None:
    event_id, seconds, signature = (_header(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not event_id or not seconds or not signature:
        raise RejectedWebhook("missing_header")
    if not re.fullmatch(r"[\x21-\x2d\x2f-\x7e]{1,255}", event_id):
        raise RejectedWebhook("malformed_id")
    timestamp = _timestamp(seconds)
    signatures = _signatures(signature, keys)
    window.check(timestamp)
    content = f"{event_id}.{timestamp}.".encode() + body
    shared = _matches_any(signatures["v1"], [_hmac(key, content) for key in keys.shared])
    if not shared and not _verifies_any(signatures["v1a"], keys.public, content):
        raise RejectedWebhook("no_matching_signature")


def _timestamp(text: str) -> int:
    """Strict, so that text and number are equivalent."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,14}", text):
        raise RejectedWebhook("malformed_timestamp")
    return int(text)


# Bounds the work that an attacker can cause with a long list of signatures.
_MAX_ENTRIES = 16
_LENGTHS = {"v1": 32, "v1a": 64}


def _signatures(header: str, keys: _Keys) -> "Dict[str, List[bytes]]":
    usable = {"v1": keys.shared, "v1a": keys.public}
    found: Dict[str, List[bytes]] = {"v1": [], "v1a": []}
    usable_version = False
    entries = header.split(" ")
    if len(entries) > _MAX_ENTRIES:
        raise RejectedWebhook("malformed_header")
    for entry in entries:
        match = re.fullmatch(r"([a-z0-9]+),([^,]*)", entry)
        if not match:
            raise RejectedWebhook("malformed_header")
        version, encoded = match.groups()
        if not usable.get(version):
            continue
        usable_version = True
        signature = _decode_base64(encoded)
        # A truncated entry beside a valid one must not break a rotation.
        if signature is not None and len(signature) == _LENGTHS[version]:
            found[version].append(signature)
    if not found["v1"] and not found["v1a"]:
        raise RejectedWebhook("malformed_signature" if usable_version else "unsupported_version")
    return found


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, hashlib.sha256).digest()


def _matches_any(offered: Sequence[bytes], expected: Sequence[bytes]) -> bool:
    """Compares all pairs in constant time, so that timing reveals neither a signature nor which secret is in use."""
    return any([hmac.compare_digest(signature, digest) for signature in offered for digest in expected])


def _verifies_any(offered: Sequence[bytes], keys: Sequence[bytes], content: bytes) -> bool:
    if not offered or not keys:
        return False
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise ImportError("v1a signatures need the package cryptography: pip install 'finhook[ed25519]'") from None
    for key in keys:
        for signature in offered:
            try:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
                return True
            except InvalidSignature:
                pass
    return False
