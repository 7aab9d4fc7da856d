import {
  type BankTransactionRow,
  type ContentTransactionInput,
  type FieldError,
  normalizeCurrency,
  type Warning,
} from '@finhook/contracts';
import type { NewId } from '../../../ids/ids.ts';
import { checkDay, dayLimits, dueUntil, futureWarning, openZone } from '../../../time/calendar.ts';
import type { RejectedRow } from '../../../verbs/context.ts';
import { categoryFields } from './transaction.ts';

export interface PlannedRow {
  index: number;
  row: BankTransactionRow;
  /** The `external_id` as it was sent. */
  reference: string | undefined;
  /** Fields that the request named; others are not compared with a stored row. */
  explicit: { currency: boolean; source: boolean };
}

interface Duplicate {
  index: number;
  first: PlannedRow;
  /** The row that repeats the key; its content may differ. */
  again: PlannedRow;
}

export interface IngestPlan {
  rows: PlannedRow[];
  duplicates: Duplicate[];
  rejected: RejectedRow[];
  rowPointer: (index: number) => string;
  createdAt: string;
}

interface PlanOptions {
  transactions: readonly ContentTransactionInput[];
  /** Keeps rows that repeat a key, for requests that match by content. */
  repeatsKeys: boolean;
  indexes: readonly number[];
  /** JSON pointer of a row; empty when the body is the row. */
  rowPointer: (index: number) => string;
  now: Date;
  newId: NewId;
  /** The errors of a row that the caller's key may not post. */
  limit: (row: BankTransactionRow, pointer: string) => readonly FieldError[];
}

const wholeSecondInUtc = /^.{19}Z$/;

// Most timestamps are in UTC already; creating 500 Dates would take a tenth of a batch's time.
function toUtc(instant: string): string {
  return wholeSecondInUtc.test(instant) ? `${instant.slice(0, -1)}.000Z` : new Date(instant).toISOString();
}

/** The unique key of a row within its company; neither part can contain a NUL. */
export function rowKey(row: { connection_id: string | null; external_id: string }): string {
  return `${row.connection_id ?? ''}\0${row.external_id}`;
}

/** Sets rows that repeat a key aside, and reports errors that a schema can't find. */
export function planIngest(options: PlanOptions): IngestPlan {
  const { transactions, repeatsKeys, indexes, rowPointer, now, newId, limit } = options;
  const createdAt = now.toISOString();
  const plan: IngestPlan = { rows: [], duplicates: [], rejected: [], rowPointer, createdAt };
  const seen = new Map<string, PlannedRow>();
  const limits = dayLimits(now);
  transactions.forEach((input, position) => {
    const index = indexes[position] ?? position;
    const postedAt = toUtc(input.posted_at);
    const day = postedAt.slice(0, 10);
    const error = checkDay('/posted_at', day, limits);
    if (error) {
      plan.rejected.push({ index, ...error, pointer: `${rowPointer(index)}${error.pointer}` });
      return;
    }
    const planned = {
      index,
      row: toRow(input, postedAt, createdAt, newId),
      reference: input.external_id || undefined,
      explicit: explicitFields(input),
    };
    const errors = limit(planned.row, rowPointer(index));
    if (errors.length > 0) {
      plan.rejected.push(...errors.map((one) => ({ index, ...one })));
      return;
    }
    const key = rowKey(planned.row);
    const first = seen.get(key);
    if (first && !repeatsKeys) {
      plan.duplicates.push({ index, first, again: planned });
      return;
    }
    seen.set(key, planned);
    plan.rows.push(planned);
  });
  return plan;
}

export function withRejected(plan: IngestPlan, errors: readonly RejectedRow[]): IngestPlan {
  return { ...plan, rejected: [...plan.rejected, ...errors].sort((a, b) => a.index - b.index) };
}

export function futureWarnings({ rows, rowPointer, createdAt }: IngestPlan, timezone: string): Warning[] {
  // A row of today in UTC is due in every time zone, so most requests need no zone look-up.
  const ahead = rows.filter(({ row }) => row.posted_at.slice(0, 10) > createdAt.slice(0, 10));
  if (ahead.length === 0) return [];
  const zone = openZone(timezone);
  const due = dueUntil(zone, zone.dayOf(Date.parse(createdAt)));
  return ahead
    .filter(({ row }) => Date.parse(row.posted_at) >= due)
    .map(({ index, row }) => futureWarning(`${rowPointer(index)}/posted_at`, zone.dayOf(Date.parse(row.posted_at))));
}

function explicitFields(input: ContentTransactionInput): PlannedRow['explicit'] {
  return { currency: input.currency != null, source: input.source != null };
}

function toRow(input: ContentTransactionInput, postedAt: string, createdAt: string, newId: NewId): BankTransactionRow {
  const id = newId('txn');
  return {
    id,
    external_id: input.external_id || id,
    posted_at: postedAt,
    // Adding zero turns −0 into 0.
    amount_cents: input.amount_cents + 0,
    currency: input.currency == null ? '' : (normalizeCurrency(input.currency) ?? ''),
    currency_inferred: input.currency == null,
    description: input.description ?? '',
    // The rules of the company may set another one once the row is stored.
    ...categoryFields({ category: input.category || null, own_category: null, rule_category: null }),
    counterparty: input.counterparty || null,
    connection_id: input.connection_id ?? null,
    source: input.source ?? 'api',
    flow_class: null,
    voided_at: null,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
