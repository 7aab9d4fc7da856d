"""Risk: a delivery that is not genuine is accepted, or one of the service is rejected."""

import base64
import hashlib
import hmac
import io
import json
import os
from email.message import Message
from pathlib import Path

import pytest

from finhook import RejectedWebhook, verify_webhook

VECTORS = json.loads(Path(os.environ["FINHOOK_VECTORS"]).read_text())["vectors"]
OLD, NEW = (f"whsec_{base64.b64encode(bytes([seed]) * 32).decode()}" for seed in (1, 2))
NOW = 1_772_355_600
EVENT = {
    "id": "evt_1",
    "type": "company.created",
    "created_at": "2026-03-01T09:00:00Z",
    "account_id": "acct_1",
    "data": {"name": "Café"},
}
BODY = json.dumps(EVENT).encode()


def sign(*secrets, body=BODY, timestamp=NOW):
    def digest(key, start):
        return hmac.new(key, start.encode() + body, hashlib.sha256)

    service = digest(secrets[0].encode(), f"{timestamp}.").hexdigest()
    standard = [digest(base64.b64decode(secret[6:]), f"evt_1.{timestamp}.").digest() for secret in secrets]
    return {
        "X-Service-Signature": f"t={timestamp},v1={service}",
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": " ".join(f"v1,{base64.b64encode(each).decode()}" for each in standard),
    }


def verify(body=BODY, headers=None, secret=OLD, now=NOW, **options):
    return verify_webhook(body, sign(OLD) if headers is None else headers, secret, now=lambda: now, **options)


def reason(**call):
    with pytest.raises(RejectedWebhook) as rejected:
        verify(**call)
    assert rejected.value.hint in str(rejected.value)
    return rejected.value.reason


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_s25_every_vector_has_the_outcome_that_it_names(vector):
    content = vector["body"]["content"]
    body = content.encode() if vector["body"]["encoding"] == "utf8" else base64.b64decode(content)
    try:
        verify(body, vector["headers"], vector["secrets"], vector["now"])
        outcome = "ok"
    except RejectedWebhook as rejected:
        outcome = rejected.reason
    if not vector["expected"]["ok"]:
        assert outcome == vector["expected"]["reason"]
    elif content.startswith('{"id"'):
        assert outcome == "ok"
    else:  # The vector signs bytes that are no event.
        assert outcome in ("malformed_json", "malformed_event")


@pytest.mark.parametrize(
    "body", [BODY, BODY.decode(), bytearray(BODY), memoryview(BODY)], ids=lambda body: type(body).__name__
)
def test_the_event_is_returned_for_a_body_in_every_form(body):
    assert verify(body) == EVENT


def test_the_company_of_an_event_is_a_text_or_absent():
    def received(company_id):
        body = json.dumps({**EVENT, "company_id": company_id}).encode()
        return {"body": body, "headers": sign(OLD, body=body)}

    assert verify(**received("co_1"))["company_id"] == "co_1"
    assert verify(**received(None))["company_id"] is None
    assert reason(**received(1)) == "malformed_event"


def message(pairs):
    headers = Message()
    for name, value in pairs:
        headers[name] = value
    return headers


def test_headers_of_frameworks():
    pairs = list(sign(OLD).items())
    assert verify(headers=pairs) == verify(headers=message(pairs)) == EVENT
    assert verify(headers={name.lower(): [value] for name, value in pairs}) == EVENT
    assert reason(headers=message([*pairs, ("x-service-signature", "t=1,v1=0")])) == "malformed_header"


def test_headers_of_wsgi_and_asgi():
    pairs = list(sign(OLD).items())
    environ = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in pairs}
    assert verify(headers={**environ, "REQUEST_METHOD": "POST", "wsgi.version": (1, 0), "CONTENT_LENGTH": "1"}) == EVENT
    scope = [(name.lower().encode(), value.encode()) for name, value in pairs]
    assert verify(headers=scope) == EVENT
    assert reason(headers=[*scope, (b"x-service-signature", b"t=1,v1=0")]) == "malformed_header"


@pytest.mark.parametrize("headers", [None, 1, "text", [1], [("a",)], b"x-service-signature"])
def test_what_is_no_headers_is_rejected(headers):
    with pytest.raises(RejectedWebhook) as rejected:
        verify_webhook(BODY, headers, OLD, now=lambda: NOW)
    assert rejected.value.reason == "missing_header"


@pytest.mark.parametrize(
    ("secret", "ok"),
    [(OLD, True), (NEW, True), ([NEW, OLD], True), (f"whsec_{'A' * 43}=", False)],
    ids=["old", "new", "both", "other"],
)
def test_d44_while_a_secret_is_rotated_either_one_verifies(secret, ok):
    headers = sign(OLD, NEW)
    assert (
        verify(headers=headers, secret=secret) == EVENT
        if ok
        else reason(headers=headers, secret=secret) == "no_matching_signature"
    )


def test_a_stale_or_malformed_service_header_is_not_rescued_by_a_good_standard_one():
    good = sign(OLD)
    assert (
        reason(headers={**good, **{"X-Service-Signature": sign(OLD, timestamp=NOW - 301)["X-Service-Signature"]}})
        == "timestamp_too_old"
    )
    assert reason(headers={**good, "X-Service-Signature": f"t={NOW},v1=00"}) == "malformed_signature"


def test_the_tolerance_is_five_minutes_to_either_side():
    assert verify(now=NOW + 300) == verify(now=NOW - 300) == verify(now=NOW + 900, tolerance=900) == EVENT
    assert reason(now=NOW + 301) == "timestamp_too_old"
    assert reason(now=NOW - 301) == "timestamp_in_future"
    with pytest.raises(ValueError):
        verify(tolerance=float("nan"))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"body": EVENT}, "body_already_parsed"),
        ({"body": io.BytesIO(BODY)}, "body_not_read"),
        ({"body": None}, "missing_body"),
        ({"body": BODY + b"\n"}, "no_matching_signature"),
        ({"headers": {}}, "missing_header"),
        ({"secret": ""}, "invalid_secret"),
        ({"secret": []}, "invalid_secret"),
        ({"secret": None}, "invalid_secret"),
        ({"secret": [OLD, None]}, "invalid_secret"),
        ({"body": b"[]", "headers": sign(OLD, body=b"[]")}, "malformed_event"),
        ({"body": b"\xff", "headers": sign(OLD, body=b"\xff")}, "malformed_json"),
    ],
)
def test_a_mistake_has_a_reason(call, expected):
    assert reason(**call) == expected
