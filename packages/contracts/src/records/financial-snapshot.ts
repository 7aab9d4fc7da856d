import { z } from 'zod';
import {
  amount,
  currency,
  currencyInput,
  date,
  id,
  localDate,
  openRecord,
  optional,
  text,
  timestamp,
} from '../scalars.ts';
import { source } from './cash-balance.ts';

export const statementType = z.enum(['income', 'balance', 'cashflow']);

export const lineItemInput = z.object({
  key: text(1, 100),
  label: text(0, 255),
  amount_cents: amount,
  is_total: optional(z.boolean()),
  indent: optional(z.int().min(0).max(10)),
});

/** Totals are finite JSON numbers in minor units under an open set of keys. */
const totalsInput = openRecord(text(1, 100), z.number(), 100);

/** One statement snapshot as a provider posts it. */
export const snapshotInput = {
  statement_type: statementType,
  period_start: optional(localDate),
  period_end: localDate,
  currency: currencyInput,
  totals: optional(totalsInput),
  line_items: optional(z.array(lineItemInput).max(1000)),
  source: optional(source),
};

export const lineItem = z
  .object({
    key: z.string(),
    label: z.string(),
    amount_cents: z.int(),
    is_total: z.boolean(),
    indent: z.int(),
  })
  .meta({ id: 'LineItem' });
export type LineItem = z.output<typeof lineItem>;

export const financialSnapshot = z
  .object({
    id: id('fin'),
    object: z.literal('financial_snapshot'),
    account_id: id('acct'),
    company_id: id('co'),
    statement_type: statementType,
    period_start: date,
    period_end: date,
    period_complete: z.boolean(),
    currency,
    totals: z.record(z.string(), z.number()),
    line_items: z.array(lineItem),
    source: z.string(),
    revision: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'FinancialSnapshot' });
export type FinancialSnapshot = z.output<typeof financialSnapshot>;

export const snapshotResult = z.enum(['created', 'replaced', 'unchanged']);

/** The id of a revision: its snapshot's, a dot, and its number. */
export const revisionId = z
  .string()
  .meta({ pattern: '^fin_[0-9a-hjkmnp-tv-z]{26}\\.[1-9][0-9]*$', examples: ['fin_01kgw3q2m8v7d5n0r4t6x9zabc.2'] });

/** One revision of a snapshot: what it said until the next one replaced it. */
export const snapshotRevision = z
  .object({
    id: revisionId,
    object: z.literal('financial_snapshot_revision'),
    snapshot_id: id('fin'),
    account_id: id('acct'),
    company_id: id('co'),
    statement_type: statementType,
    period_start: date,
    period_end: date,
    currency,
    totals: z.record(z.string(), z.number()),
    line_items: z.array(lineItem),
    source: z.string(),
    revision: z.int(),
    current: z.boolean(),
    recorded_at: timestamp,
  })
  .meta({ id: 'SnapshotRevision' });
export type SnapshotRevision = z.output<typeof snapshotRevision>;
