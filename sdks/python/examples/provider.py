"""Sends a bank's transactions and its closing balance to finhook.

    FINHOOK_URL=https://finhook.example.com FINHOOK_API_KEY=sk_… python provider.py co_… transactions.csv \
        --connection acme-checking --balance 41250.00 --as-of 2026-03-31

The file has the columns id, date, amount and description; an amount is a decimal, negative for money out. Run it again
after a failure, or with a longer file: nothing is stored twice.
"""

import argparse
import csv
import os
import re
import sys
from datetime import date, datetime, time, timezone
from decimal import Decimal
from pathlib import Path

from finhook import Finhook, FinhookError
from finhook.models import BankTransactionInput

ROWS_PER_REQUEST = 500
COLUMNS = ["id", "date", "amount", "description"]


def to_cents(amount: str) -> int:
    if not re.fullmatch(r"-?[0-9]+(\.[0-9]{1,2})?", amount):
        raise ValueError(f"{amount!r} is no amount, such as -125.00")
    return int(Decimal(amount) * 100)


def to_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no day, such as 2026-03-31") from None


def read_transactions(path: Path, connection: str, currency: str) -> "list[BankTransactionInput]":
    rows = []
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        if next(reader, None) != COLUMNS:
            raise ValueError(f"{path}: the first line must be {','.join(COLUMNS)}")
        for row in filter(None, reader):
            try:
                if len(row) != len(COLUMNS):
                    raise ValueError(f"{len(row)} columns instead of {len(COLUMNS)}")
                external_id, day, amount, description = row
                rows.append(
                    BankTransactionInput(
                        external_id=external_id,
                        # A bank's day has no time: noon is the same day in most time zones.
                        posted_at=datetime.combine(to_day(day), time(12), timezone.utc),
                        amount_cents=to_cents(amount),
                        currency=currency,
                        description=description,
                        connection_id=connection,
                    )
                )
            except ValueError as error:
                raise ValueError(f"{path}, line {reader.line_num}: {error}") from None
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Sends transactions and a balance to finhook.")
    parser.add_argument("company", help="ID of the company (co_…)")
    parser.add_argument("file", type=Path, help=f"CSV with the columns {', '.join(COLUMNS)}")
    parser.add_argument("--connection", required=True, help="your label of the bank account")
    parser.add_argument("--balance", required=True, help="closing balance, for example 41250.00")
    parser.add_argument("--as-of", required=True, help="day of the balance, YYYY-MM-DD")
    parser.add_argument("--currency", default="USD", help="currency of the account, one with two decimals")
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

    with Finhook(os.environ.get("FINHOOK_API_KEY", ""), base_url=os.environ.get("FINHOOK_URL", "")) as finhook:
        # Everything is checked before anything is stored.
        invalid, warnings = 0, []
        for batch in batches:
            check = finhook.bank.transactions.ingest(company_id=args.company, transactions=batch, dry_run=True)
            invalid += check.failed
            for row in check.errors:
                field = row.pointer.rpartition("/")[2]
                print(f"transaction {batch[row.index].external_id}: {field} {row.message}", file=sys.stderr)
            warnings += check.warnings
        warnings += finhook.cash.balances.upsert(**balance, dry_run=True).warnings
        for warning in warnings:
            print(f"warning: {warning.message}", file=sys.stderr)
        if invalid:
            sys.exit(f"{invalid} invalid transactions; nothing was stored.")

        inserted = known = 0
        for batch in batches:
            result = finhook.bank.transactions.ingest(company_id=args.company, transactions=batch)
            inserted += result.inserted
            known += result.skipped
        stored = finhook.cash.balances.upsert(**balance)
        print(f"{inserted} transactions stored, {known} known; balance {stored.result}")


if __name__ == "__main__":
    try:
        main()
    except FinhookError as error:
        sys.exit(f"{error}\nrequest: {error.request_id}" if error.request_id else str(error))
    except (ValueError, OSError) as error:
        sys.exit(str(error))
