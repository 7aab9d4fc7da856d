import { z } from 'zod';
import {
  amount,
  currency,
  currencyInput,
  date,
  exactCents,
  id,
  identity,
  localDate,
  objectType,
  openRecord,
  optional,
  source,
  text,
  timestamp,
  timestamps,
  withDescriptionsOf,
} from '../scalars.ts';

export const statementType = z.enum(['income', 'balance', 'cashflow']);

const totalsInput = openRecord(text(1, 100), z.number(), 100);

const lineItem = z
  .object({
    key: z.string().describe('Machine-readable name of the row, for example `revenue` or `net_income`.'),
    label: z.string().describe('Text to display.'),
    amount_cents: z.int().describe('Signed amount in minor currency units; costs are negative.'),
    is_total: z.boolean().describe('True for a row that totals the rows above it; false by default.'),
    indent: z.int().describe('Display nesting level, 0 to 10; 0 by default.'),
  })
  .meta({ id: 'LineItem', description: 'One row of a financial statement.' });
export type LineItem = z.output<typeof lineItem>;

const lineItemInput = z
  .object(
    withDescriptionsOf(lineItem, {
      key: text(1, 100),
      label: text(0, 255),
      amount_cents: amount,
      is_total: optional(z.boolean()),
      indent: optional(z.int().min(0).max(10)),
    }),
  )
  .meta({ id: 'LineItemInput', description: 'One row of a financial statement.' });

export const derivedFigures = z
  .object({
    gross_margin_percent: z
      .number()
      .nullable()
      .describe(
        'Gross profit as a percentage of revenue, one decimal, rounded half to even; null if one of the two is missing, or revenue is not positive.',
      ),
    revenue_change_percent: z
      .number()
      .nullable()
      .describe(
        'Change of revenue against the income statement of the period just before, one decimal, rounded half to even; null unless that one has the same currency and as many months (or days), and positive revenue.',
      ),
  })
  .meta({ id: 'DerivedFigures', description: 'Figures that the service computes from an income statement.' });

export const financialSnapshot = z
  .object({
    ...identity('fin', 'financial_snapshot'),
    company_id: id('co'),
    statement_type: statementType.describe('`income` statement, `balance` sheet or `cashflow` statement.'),
    period_start: date.describe('First day of the period. For a balance sheet it is `period_end` by default.'),
    period_end: date.describe(
      'Last day of the period. A company has one snapshot per statement type and `period_end`.',
    ),
    period_complete: z.boolean().describe("True if the period ended before today in the company's time zone."),
    currency: currency.describe('ISO 4217 currency code of all amounts.'),
    totals: z
      .record(z.string(), z.number())
      .describe('Totals in minor currency units by key, for example `revenue`. Keys are an open set.'),
    line_items: z.array(lineItem).describe('The rows of the statement, in display order.'),
    derived: derivedFigures
      .nullable()
      .describe('Figures computed from an income statement; null for other statements.'),
    source: z.string().describe('Label of the provider or tool that sent the statement; `api` by default.'),
    revision: z.int().describe('Number of the revision, from 1; increases by one when the snapshot is replaced.'),
    ...timestamps,
  })
  .meta({ id: 'FinancialSnapshot', description: 'A financial statement of a company as of one period.' });
export type FinancialSnapshot = z.output<typeof financialSnapshot>;

export const snapshotInput = withDescriptionsOf(financialSnapshot, {
  statement_type: statementType,
  period_start: optional(localDate),
  period_end: localDate,
  currency: currencyInput,
  totals: optional(totalsInput),
  line_items: optional(z.array(lineItemInput).max(1000)),
  source: optional(source),
});

export const snapshotResult = z
  .enum(['created', 'replaced', 'unchanged'])
  .describe('What the request did to the stored snapshot.');

export const revisionId = z.string().meta({
  description: 'ID of the revision: the ID of its snapshot, a full stop and its number.',
  pattern: '^fin_[0-9a-hjkmnp-tv-z]{26}\\.[1-9][0-9]*$',
  examples: ['fin_01kgw3q2m8v7d5n0r4t6x9zabc.2'],
});

export const snapshotRevision = z
  .object({
    id: revisionId,
    object: objectType('financial_snapshot_revision'),
    snapshot_id: id('fin'),
    account_id: id('acct'),
    company_id: id('co'),
    statement_type: statementType.describe('`income` statement, `balance` sheet or `cashflow` statement.'),
    period_start: date.describe('First day of the period.'),
    period_end: date.describe('Last day of the period.'),
    currency: currency.describe('ISO 4217 currency code of all amounts.'),
    totals: z.record(z.string(), z.number()).describe('Totals in minor currency units by key.'),
    line_items: z.array(lineItem).describe('The rows of the statement, in display order.'),
    source: z.string().describe('Label of the provider or tool that sent the statement.'),
    revision: z.int().describe('Number of the revision, from 1.'),
    current: z.boolean().describe('True for the revision that is in force.'),
    recorded_at: timestamp.describe('When the revision was stored (UTC).'),
  })
  .meta({ id: 'SnapshotRevision', description: 'One revision of a statement snapshot.' });

export const checkId = z.enum([
  'K1',
  'K2',
  'K3',
  'K4',
  'K5',
  'K6',
  'K7',
  'K8',
  'K9',
  'K10',
  'K11',
  'K12',
  'K13',
  'K14',
]);
export type CheckId = z.output<typeof checkId>;

export const snapshotCheck = z
  .object({
    id: checkId.describe('Identifier of the check, `K1` to `K14`.'),
    name: z.string().describe('The equation that is checked.'),
    status: z
      .enum(['pass', 'warn', 'skip'])
      .describe('`pass` if it holds, `warn` if it does not, `skip` if figures are missing.'),
    ...exactCents('expected', 'Amount that the equation requires.'),
    ...exactCents('actual', 'Amount in the statement.'),
    ...exactCents('difference', 'Actual less expected amount.'),
    tolerance_cents: z
      .int()
      .nullable()
      .describe('Difference that still passes, in minor currency units; null if the check was skipped.'),
    message: z.string().describe('What was compared, or what is missing.'),
  })
  .meta({
    id: 'SnapshotCheck',
    description: 'An equation that a statement should satisfy. A failing check never rejects the statement.',
  });
export type SnapshotCheck = z.output<typeof snapshotCheck>;

export const checkedSnapshot = z
  .object({
    snapshot_id: id('fin'),
    statement_type: statementType.describe('`income` statement, `balance` sheet or `cashflow` statement.'),
    period_start: date.describe('First day of the period.'),
    period_end: date.describe('Last day of the period.'),
    currency,
    revision: z.int().describe('Number of the checked revision.'),
    checks: z.array(snapshotCheck).describe('Results of the checks.'),
  })
  .meta({ id: 'CheckedSnapshot', description: 'The checks of a statement snapshot.' });
export type CheckedSnapshot = z.output<typeof checkedSnapshot>;
