"""Sends a bank's transactions and its closing balance to finhook.

    FINHOOK_URL=https://finhook.example.com FINHOOK_KEY=sk_… python provider.py co_… transactions.csv \
        --connection operating --balance 41250.00 --as-of 2026-03-31

The CSV has the columns id, date, amount and description; an amount is a decimal, negative for money out. Run it again
after a failure, or with a longer file: nothing is stored twice.
"""

import argparse
import csv
import hashlib
import os
import sys
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

from finhook import Finhook, FinhookError
from finhook.models import BankTransactionInput

ROWS_PER_REQUEST = 500


def to_cents(amount: str) -> int:
    cents = Decimal(amount) * 100
    if cents != int(cents):
        raise ValueError(f"{amount} is no amount in cents")
    return int(cents)


def read_transactions(path: Path, connection: str, currency: str) -> "list[BankTransactionInput]":
    with path.open(newline="", encoding="utf-8-sig") as file:
        return [
            BankTransactionInput(
                external_id=row["id"],
                # A bank's day has no time: noon is the same day in most time zones.
                posted_at=datetime.fromisoformat(row["date"]).replace(hour=12, tzinfo=timezone.utc),
                amount_cents=to_cents(row["amount"]),
                currency=currency,
                description=row["description"],
                connection_id=connection,
            )
            for row in csv.DictReader(file)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Sends transactions and a balance to finhook.")
    parser.add_argument("company", help="ID of the company (co_…)")
    parser.add_argument("file", type=Path, help="CSV with the columns id, date, amount, description")
    parser.add_argument("--connection", required=True, help="your label of the bank account")
    parser.add_argument("--balance", required=True, help="closing balance, for example 41250.00")
    parser.add_argument("--as-of", required=True, help="day of the balance, YYYY-MM-DD")
    parser.add_argument("--currency", default="USD")
    args = parser.parse_args()

    rows = read_transactions(args.file, args.connection, args.currency)
    batches = [rows[start : start + ROWS_PER_REQUEST] for start in range(0, len(rows), ROWS_PER_REQUEST)]
    balance = {
        "company_id": args.company,
        "as_of": args.as_of,
        "balance_cents": to_cents(args.balance),
        "currency": args.currency,
        "connection_id": args.connection,
    }
    # The same input has the same keys, so that a second run within a day is answered without being executed.
    digest = hashlib.sha256(f"{args.file.read_bytes()!r} {balance}".encode()).hexdigest()[:32]

    with Finhook(os.environ["FINHOOK_KEY"], base_url=os.environ["FINHOOK_URL"]) as finhook:
        # Everything is checked before anything is stored.
        invalid = 0
        for number, batch in enumerate(batches):
            check = finhook.bank.transactions.ingest(company_id=args.company, transactions=batch, dry_run=True)
            invalid += check.failed
            for row in check.errors:
                line = number * ROWS_PER_REQUEST + row.index + 2
                print(f"line {line}: {row.pointer.rpartition('/')[2]} {row.message}", file=sys.stderr)
            for warning in check.warnings:
                print(f"warning: {warning.message}", file=sys.stderr)
        finhook.cash.balances.upsert(**balance, dry_run=True)
        if invalid:
            sys.exit(f"{invalid} invalid rows; nothing was sent.")

        inserted = skipped = 0
        for number, batch in enumerate(batches):
            result = finhook.bank.transactions.ingest(
                company_id=args.company, transactions=batch, idempotency_key=f"{digest}-{number}"
            )
            inserted += result.inserted
            skipped += result.skipped
        stored = finhook.cash.balances.upsert(**balance, idempotency_key=f"{digest}-balance")
        print(f"{inserted} transactions stored, {skipped} known; balance {stored.result}")


if __name__ == "__main__":
    try:
        main()
    except FinhookError as error:
        sys.exit(f"{error}\nrequest: {error.request_id}")
