"""Risk: a retry executes a change twice or comes too early, or a record that the service returns can't be read."""

import datetime
import json

import httpx
import pytest

from finhook import UNSET, Finhook, FinhookError, is_problem
from finhook._transport import parse_retry_after, retry_delay
from finhook.models import BankTransactionInput

PROBLEM = {
    "type": "/docs/errors/x",
    "title": "Busy",
    "status": 503,
    "detail": "Try again.",
    "instance": "/api/v1/me",
    "code": "unavailable",
    "request_id": "req_1",
    "retryable": True,
}
COMPANY = {"code": "company_not_found", "status": 404, "retryable": False}


def client(*responses, **options):
    """A client of a service that gives these responses, and what it receives."""
    requests, left = [], list(responses)

    def respond(request):
        requests.append(request)
        response = left.pop(0)
        if isinstance(response, Exception):
            raise response
        return response

    http = httpx.Client(transport=httpx.MockTransport(respond))
    return Finhook("sk_test_x", base_url="https://finhook.example.com/", http_client=http, **options), requests


def problem(retry_after=None, **fields):
    body = {**PROBLEM, **fields}
    headers = {"retry-after": retry_after} if retry_after else {}
    return httpx.Response(body["status"], json=body, headers=headers)


def page(*ids, after=None):
    facts = {"type": "company.created", "created_at": "2026-03-01T09:00:00.000Z", "account_id": "acct_1", "data": {}}
    events = [{"id": each, **facts} for each in ids]
    return httpx.Response(
        200, json={"object": "list", "data": events, "has_more": after is not None, "next_cursor": after}
    )


def keys(requests):
    return [request.headers.get("idempotency-key") for request in requests]


def test_a_change_is_repeated_with_the_key_of_its_first_attempt():
    retries = []
    finhook, requests = client(
        problem("0"), httpx.ConnectError("refused"), httpx.Response(204), httpx.Response(204), on_retry=retries.append
    )
    finhook.webhook_endpoints.delete(endpoint_id="we_1")
    finhook.webhook_endpoints.delete(endpoint_id="we_1")
    first, *repeated, second = keys(requests)
    assert repeated == [first, first] and second not in (None, first)
    assert [(retry.operation, retry.attempt, retry.error.status) for retry in retries] == [
        ("webhook_endpoints.delete", 1, 503),
        ("webhook_endpoints.delete", 2, None),
    ]


def test_the_key_is_the_callers_and_none_without_retries_or_for_a_read():
    finhook, requests = client(httpx.Response(204), httpx.Response(204), page())
    finhook.webhook_endpoints.delete(endpoint_id="we_1", idempotency_key="mine")
    finhook.webhook_endpoints.delete(endpoint_id="we_1", max_retries=0)
    finhook.events.list()
    assert keys(requests) == ["mine", None, None]
    with pytest.raises(ValueError, match="idempotency_key"):
        finhook.webhook_endpoints.delete(endpoint_id="we_1", idempotency_key="")
    with pytest.raises(ValueError, match="endpoint_id"):
        finhook.webhook_endpoints.delete(endpoint_id="")


def test_the_last_attempt_raises_a_typed_problem():
    finhook, requests = client(problem("0"), problem("0"), problem("0"), problem(**COMPANY))
    with pytest.raises(FinhookError) as failed:
        finhook.me.get()
    error = failed.value
    assert (error.status, error.code, error.request_id, error.retryable, error.retry_after) == (
        503,
        "unavailable",
        "req_1",
        True,
        0,
    )
    assert len(requests) == 3
    with pytest.raises(FinhookError, match="404 company_not_found") as failed:
        finhook.companies.get(company_id="co_/1")
    assert str(requests[-1].url) == "https://finhook.example.com/api/v1/companies/co_%2F1"
    assert is_problem(failed.value, "company_not_found") and is_problem(failed.value)
    assert not is_problem(failed.value, "case_not_found") and not is_problem(ValueError())


@pytest.mark.parametrize(("status", "retryable"), [(200, True), (404, False), (302, False), (429, True), (502, True)])
def test_a_response_that_is_not_the_services_says_so(status, retryable):
    finhook, _ = client(httpx.Response(status, text="<html>", headers={"x-request-id": "req_2"}))
    with pytest.raises(FinhookError, match=f"^me.get: HTTP {status} with a body .* check the base URL") as failed:
        finhook.me.get(max_retries=0)
    assert (failed.value.retryable, failed.value.code, failed.value.request_id) == (retryable, None, "req_2")


@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (httpx.ConnectError("refused"), "the connection failed: refused"),
        (httpx.ReadError(""), "the connection failed: ReadError"),
        (httpx.ReadTimeout(""), "no complete response within the timeout of 30 s"),
    ],
)
def test_a_missing_response_has_the_operation_and_the_reason_in_its_error(cause, reason):
    finhook, _ = client(cause)
    with pytest.raises(FinhookError) as failed:
        finhook.me.get(max_retries=0)
    assert (str(failed.value), failed.value.status, failed.value.retryable) == (f"me.get: {reason}", None, True)


def test_a_redirect_is_not_followed():
    def respond(request):
        requests.append(request)
        return httpx.Response(307, headers={"location": "https://elsewhere.example.com/"})

    requests = []
    http = httpx.Client(transport=httpx.MockTransport(respond), follow_redirects=True)
    finhook = Finhook("sk_test_x", base_url="https://finhook.example.com", http_client=http)
    with pytest.raises(FinhookError, match="me.get: HTTP 307"):
        finhook.me.get()
    assert len(requests) == 1


def delay(attempt, chance=0.5, **facts):
    return retry_delay(FinhookError("", **{"retryable": True, **facts}), attempt, lambda: chance)


def test_delays_double_have_jitter_and_follow_retry_after():
    assert [delay(attempt, 1) for attempt in (1, 2, 3, 9, 2000)] == [0.5, 1, 2, 8, 8]
    assert [delay(1, chance) for chance in (0, 0.5)] == [0.25, 0.375]
    assert delay(1, retry_after=60) == 60.125
    assert delay(1, retry_after=61) is None
    assert delay(1, retryable=False) is None
    assert parse_retry_after("Wed, 21 Oct 2026 07:28:00 GMT", 1_792_567_670) == 10
    assert [parse_retry_after(text, 0) for text in (None, "soon", "3")] == [None, None, 3]


def test_a_page_is_iterated_over_all_pages_with_the_same_filters():
    finhook, requests = client(page("a", "b", after="c1"), page("c"))
    first = finhook.events.list(limit=2)
    assert [each.id for each in first.data] == ["a", "b"] and len(requests) == 1
    assert [each.id for each in first] == ["a", "b", "c"]
    assert [dict(request.url.params) for request in requests] == [{"limit": "2"}, {"limit": "2", "after": "c1"}]


def test_inputs_are_records_or_dicts_and_dates_or_texts():
    finhook, requests = client(*[problem(**COMPANY)] * 2)
    day = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
    rows = [
        BankTransactionInput(external_id="1", posted_at=day, amount_cents=-(2**53) + 1, description=None),
        {"external_id": "2", "posted_at": "2026-03-01T12:00:00Z", "amount_cents": 1, "currency": UNSET},
    ]
    for send in (
        lambda: finhook.bank.transactions.ingest(company_id="co_1", transactions=rows, dry_run=True),
        lambda: finhook.cash.balances.upsert(company_id="co_1", as_of=day.date(), balance_cents=1, currency="USD"),
    ):
        with pytest.raises(FinhookError):
            send()
    assert dict(requests[0].url.params) == {"dry_run": "true"}
    assert json.loads(requests[0].content)["transactions"] == [
        {
            "external_id": "1",
            "posted_at": "2026-03-01T12:00:00+00:00",
            "amount_cents": -9007199254740991,
            "description": None,
        },
        {"external_id": "2", "posted_at": "2026-03-01T12:00:00Z", "amount_cents": 1},
    ]
    assert json.loads(requests[1].content) == {"as_of": "2026-03-01", "balance_cents": 1, "currency": "USD"}


@pytest.mark.parametrize("base_url", ["", "finhook.example.com", "ftp://x", "https://x/api/v1/", "https://x/trpc"])
def test_a_base_url_that_is_not_where_the_service_listens_is_rejected(base_url):
    with pytest.raises(ValueError, match="base_url must be where the service listens"):
        Finhook("sk_test_x", base_url=base_url)


def test_an_empty_key_is_rejected():
    with pytest.raises(ValueError, match="api_key is empty"):
        Finhook("", base_url="https://finhook.example.com")


def test_a_key_with_a_line_break_is_rejected_without_being_shown():
    with pytest.raises(ValueError, match="line break") as raised:
        Finhook("sk_test_secret\n", base_url="https://finhook.example.com")
    assert "sk_test_secret" not in str(raised.value)


def test_every_record_is_importable_and_its_name_is_listed():
    from finhook import models

    for name in models.__all__:
        assert getattr(models, name) is not None
