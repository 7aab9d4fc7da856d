"""The main job with the client that openapi-generator's `python` makes: main.py <url> <api key> <company>."""

import sys
import time
from datetime import date, datetime, timezone

import finhook_client as finhook

CLIENT = "python"
BALANCE_CENTS = 123_456_789_012_345
AMOUNT_CENTS = -4_294_967_297


def expect(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def row(number):
    return finhook.BankTransactionInput(
        external_id=f"{CLIENT}-{number}",
        posted_at=datetime(2026, 3, 31, 12, tzinfo=timezone.utc),
        amount_cents=AMOUNT_CENTS,
        currency="USD",
        connection_id=CLIENT,
    )


def find_event(events, event_id):
    """An event is in the feed a moment after its request was answered."""
    for _ in range(100):
        page = events.events_list(type="bank.balance.updated", order="desc", limit=200)
        for event in page.data:
            if event.id == event_id:
                return event
        time.sleep(0.1)
    raise AssertionError(f"the feed does not have {event_id}")


def main(url, key, company_id):
    client = finhook.ApiClient(finhook.Configuration(host=url, access_token=key))

    endpoint = finhook.WebhookEndpointsApi(client).webhook_endpoints_create(
        finhook.WebhookEndpointsCreateBody(
            url="http://127.0.0.1:9/hook",
            events=["bank.balance.updated"],
            filter=finhook.PayloadFilter(
                finhook.FilterGt(op="gt", field="data.balance_cents", value=finhook.FilterBound(0.0))
            ),
        )
    )
    expect(endpoint.secret.startswith("whsec_"), True)
    expect(endpoint.filter.actual_instance.value.actual_instance, 0.0)

    cash = finhook.CashApi(client)
    balance = cash.cash_balances_upsert(
        company_id,
        finhook.CashBalancesUpsertBody(
            as_of=date(2026, 3, 31), balance_cents=BALANCE_CENTS, currency="USD", connection_id=CLIENT
        ),
    )
    expect(balance.result, "created")
    expect(cash.cash_balances_get(company_id, balance.id).balance_cents, BALANCE_CENTS)

    bank = finhook.BankApi(client)
    one = bank.bank_transactions_ingest(company_id, finhook.BankTransactionsIngestBody(row(1)))
    expect((one.received, one.inserted, one.transactions[0].amount_cents), (1, 1, AMOUNT_CENTS))
    batch = finhook.BankTransactionsIngestBatch(transactions=[row(1), row(2), row(3)])
    many = bank.bank_transactions_ingest(company_id, finhook.BankTransactionsIngestBody(batch))
    expect((many.received, many.inserted, many.skipped), (3, 2, 1))

    snapshot = finhook.FinancialsApi(client).financials_snapshots_upsert(
        company_id,
        finhook.FinancialsSnapshotsUpsertBody(
            statement_type="income",
            period_start=date(2026, 3, 1),
            period_end=date(2026, 3, 31),
            currency="USD",
            totals={"revenue": BALANCE_CENTS},
            line_items=[finhook.LineItemInput(key="revenue", label="Revenue", amount_cents=BALANCE_CENTS)],
        ),
    )
    expect(snapshot.line_items[0].amount_cents, BALANCE_CENTS)
    expect(snapshot.totals, {"revenue": BALANCE_CENTS})

    event = find_event(finhook.EventsApi(client), balance.event_id)
    expect(event.data["balance_cents"], BALANCE_CENTS)

    expect(finhook.CompaniesApi(client).companies_get(company_id).id, company_id)


main(*sys.argv[1:])
