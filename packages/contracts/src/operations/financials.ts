import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { breakdown, breakdownFields } from '../records/breakdown.ts';
import { burn, monthlyFlows, runway } from '../records/burn.ts';
import { dataQuality } from '../records/data-quality.ts';
import { dryRun, dryRunInput } from '../records/dry-run.ts';
import { figureSettings, figureSettingsInput } from '../records/figure-settings.ts';
import {
  checkedSnapshot,
  financialSnapshot,
  revisionId,
  snapshotCheck,
  snapshotInput,
  snapshotResult,
  snapshotRevision,
  statementType,
} from '../records/financial-snapshot.ts';
import { financialSummary } from '../records/financial-summary.ts';
import { forecast, forecastFields } from '../records/forecast.ts';
import { freshness } from '../records/freshness.ts';
import { listOf, pageParameters, timeFilters, warnings, writeResult } from '../records/list.ts';
import { statements } from '../records/statements.ts';
import { currencyInput, id, idParameter, localDate, text } from '../scalars.ts';

const companyInput = z.object({ company_id: idParameter });

const burnInput = companyInput.extend({
  months: z
    .int()
    .min(1)
    .max(12)
    .optional()
    .describe('The burn is the mean of the last so many complete months that are known. The default is 3.'),
});

export const financialOperations = {
  snapshots: {
    upsert: defineOperation({
      summary: 'Create or replace a statement snapshot',
      description:
        'Each company has one snapshot per `statement_type` and `period_end`; posting the pair again replaces it and keeps the previous content as a revision; with another `period_start` the response has the warning `period_changed`. Emits one `financial.snapshot.updated` per accepted request, also when the content is unchanged. Send `totals`, `line_items` or both, and one statement per calendar month instead of the year to date, which the service adds up itself. Failed checks are returned in `checks` and never reject the snapshot. A key of scope `ingest` cannot replace a snapshot that another key created (409 `connection_owned`), and its `checks` and `derived` leave out what compares the snapshot with other data. With `dry_run=true` nothing is stored.',
      http: {
        method: 'POST',
        path: '/companies/{company_id}/financials/snapshots',
        status: (output: { result: string; dry_run?: boolean }) =>
          output.result === 'created' && !output.dry_run ? 201 : 200,
        query: ['dry_run'],
      },
      scopes: ['human', 'ingest'],
      permission: 'financials:write',
      input: z.object({ company_id: idParameter, dry_run: dryRunInput, ...snapshotInput }),
      output: financialSnapshot
        .extend({
          result: snapshotResult,
          replaced_revision_id: revisionId.optional(),
          checks: z.array(snapshotCheck).describe('Results of the checks of this snapshot.'),
          event_id: id('evt'),
          warnings,
          dry_run: dryRun,
        })
        .meta({
          id: 'FinancialSnapshotResult',
          description: 'The stored statement snapshot, with what the request changed and the results of its checks.',
        }),
      errors: ['company_dissolved', 'connection_owned'],
      emits: ['financial.snapshot.updated'],
      example: {
        statement_type: 'income',
        period_start: '2026-02-01',
        period_end: '2026-02-28',
        currency: 'USD',
        totals: { revenue: 9_000_000, net_income: 1_200_000 },
        line_items: [
          { key: 'revenue', label: 'Revenue', amount_cents: 9_000_000 },
          { key: 'opex', label: 'Operating expenses', amount_cents: -7_800_000 },
          { key: 'net_income', label: 'Net income', amount_cents: 1_200_000, is_total: true },
        ],
        source: 'accounting_export',
      },
    }),
    get: defineOperation({
      summary: 'Read a statement snapshot',
      description: 'Returns the current revision. Earlier ones are in the list of revisions.',
      http: { method: 'GET', path: '/companies/{company_id}/financials/snapshots/{snapshot_id}' },
      input: z.object({ company_id: idParameter, snapshot_id: idParameter }),
      output: financialSnapshot,
    }),
    list: defineOperation({
      summary: 'List statement snapshots, latest period first',
      description: 'Rows are sorted by `period_end` and have the current revision of each snapshot.',
      http: { method: 'GET', path: '/companies/{company_id}/financials/snapshots' },
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        statement_type: statementType.optional().describe('Only snapshots of this statement type.'),
        period_end_from: localDate.optional().describe('Only snapshots whose period ends on this day or later.'),
        period_end_to: localDate.optional().describe('Only snapshots whose period ends on this day or earlier.'),
        currency: currencyInput.optional().describe('Only snapshots in this currency.'),
        source: text(1, 100).optional().describe('Only snapshots with exactly this source.'),
        ...timeFilters,
      }),
      output: listOf(financialSnapshot),
    }),
    checks: defineOperation({
      summary: 'Run the checks of a statement snapshot',
      description:
        'Evaluates the checks K1 to K14 against the data that is stored now, so that results can differ from those returned at ingest. A check whose numbers are missing is `skip`.',
      http: { method: 'GET', path: '/companies/{company_id}/financials/snapshots/{snapshot_id}/checks' },
      input: z.object({ company_id: idParameter, snapshot_id: idParameter }),
      output: checkedSnapshot
        .extend({ object: z.literal('checked_snapshot').describe('Always `checked_snapshot`.') })
        .meta({ id: 'SnapshotChecks', description: 'A statement snapshot with the results of its checks.' }),
    }),
    revisions: defineOperation({
      summary: 'List the revisions of a statement snapshot, the current one first',
      description: 'Includes the current revision. A snapshot gets a new revision when its content is replaced.',
      http: {
        method: 'GET',
        path: '/companies/{company_id}/financials/snapshots/{snapshot_id}/revisions',
      },
      input: z.object({ company_id: idParameter, snapshot_id: idParameter, ...pageParameters }),
      output: listOf(snapshotRevision),
    }),
  },
  summary: defineOperation({
    summary: 'Read the financial summary',
    description:
      'Returns cash, burn, runway, the flows of the current month, freshness, checks and data quality together. Send the `ETag` of the response as `If-None-Match` to get a 304 while nothing has changed.',
    http: { method: 'GET', path: '/companies/{company_id}/financials/summary' },
    replica: true,
    input: companyInput,
    output: financialSummary,
    etag: true,
  }),
  runway: defineOperation({
    summary: 'Read the runway',
    description:
      'Divides cash on hand by net burn, rounded down to a tenth of a month, for each currency, and for all of them if each has an exchange rate; else the shortest runway leads. `basis` says what replaces burn when there are too few transactions, and `flags` mark results that rest on stale, incomplete, mixed-currency or unexplained data.',
    http: { method: 'GET', path: '/companies/{company_id}/financials/runway' },
    replica: true,
    input: burnInput,
    output: runway,
  }),
  burn: defineOperation({
    summary: 'Read the net and gross burn',
    description:
      "Burn is the mean of the last complete months, three unless `months` says otherwise, in the company's time zone, per currency; the current month is not used. Gross burn is money out, net burn is money out less money in. Transfers, financing and what the financial settings exclude are left out.",
    http: { method: 'GET', path: '/companies/{company_id}/financials/burn' },
    replica: true,
    input: burnInput,
    output: burn,
  }),
  monthly: defineOperation({
    summary: 'Read the money in and out and the cash per month',
    description:
      "Returns calendar months in the company's time zone, ending with the current one, with the cash at the end of each and the burn and runway at that time. Excluded amounts are returned separately from money in and out. `covered` is false for a month before the transaction history begins.",
    http: { method: 'GET', path: '/companies/{company_id}/financials/monthly' },
    replica: true,
    input: z.object({
      company_id: idParameter,
      months: z.int().min(1).max(60).default(12).describe('How many months to return, including the current one.'),
    }),
    output: monthlyFlows,
  }),
  breakdown: defineOperation({
    summary: 'Read where the money goes, or comes from',
    description:
      'Breaks the money in or out of each month, as in the monthly figures, down by category, counterparty or connection: only what counts, in one currency. Returns the 50 largest with their sums over the months, compared with the months before or the same months of the year before, the sum of all others, and what is left out. The sums of a month add up to its `money_out_cents` or `money_in_cents`.',
    http: { method: 'GET', path: '/companies/{company_id}/financials/breakdown' },
    replica: true,
    input: companyInput.extend(breakdownFields),
    output: breakdown,
  }),
  statements: defineOperation({
    summary: 'Read the statements by month',
    description:
      'Returns the statements of one type with calendar months as columns and their rows joined by `key`. Periods that are no month, such as the year to date, are listed in `skipped`. For income statements each row has the sum of the fiscal year, if no month of it is missing.',
    http: { method: 'GET', path: '/companies/{company_id}/financials/statements' },
    replica: true,
    input: z.object({
      company_id: idParameter,
      statement_type: statementType.default('income').describe('Type of the statements.'),
      months: z.int().min(1).max(24).default(12).describe('How many months to return.'),
    }),
    output: statements,
  }),
  forecast: defineOperation({
    kind: 'query',
    summary: 'Forecast the cash',
    description:
      'Continues the cash of the headline of the runway, or of one currency: it falls by the net burn, divided by 30.436875, each day, and `changes` are added. Returns the cash at the end of each month, the day on which it runs out, and the day by which the company has to begin to raise money. Nothing is stored or sent, so the request needs no `Idempotency-Key`.',
    http: { method: 'POST', path: '/companies/{company_id}/financials/forecast' },
    replica: true,
    input: companyInput.extend(forecastFields),
    output: forecast,
    example: {
      // Valid on every day, unlike a one-off in a past month.
      changes: [{ label: 'Two engineers', amount_cents: -4_500_000, every: 'month', from: '2027-01' }],
    },
  }),
  freshness: defineOperation({
    summary: 'Read the freshness of the data',
    description:
      'Returns when balances and transactions of each connection and statements of each type last arrived, graded against the cadence at which they are expected.',
    http: { method: 'GET', path: '/companies/{company_id}/freshness' },
    replica: true,
    input: companyInput,
    output: freshness,
  }),
  dataQuality: defineOperation({
    summary: 'Read the data quality report',
    description:
      "Lists failed statement checks, balances that changed by more than their transactions explain over about thirty days, transactions that were sent again with other content, and suspected transfers between the company's own connections.",
    http: { method: 'GET', path: '/companies/{company_id}/data-quality' },
    replica: true,
    input: companyInput,
    output: dataQuality,
  }),
  settings: {
    get: defineOperation({
      summary: 'Read the financial settings',
      description:
        'The settings define which categories and connections are left out of cash, burn and runway. A company that never changed them has the defaults of the service.',
      http: { method: 'GET', path: '/companies/{company_id}/financials/settings' },
      input: companyInput,
      output: figureSettings,
    }),
    update: defineOperation({
      summary: 'Update the financial settings',
      description:
        'Changes only the fields that are sent; `null` restores the default. Stored rows stay as they are, and figures are computed with the new settings from then on. Emits no event.',
      http: { method: 'PATCH', path: '/companies/{company_id}/financials/settings' },
      permission: 'financials:write',
      input: z.object({ company_id: idParameter, ...figureSettingsInput }),
      output: writeResult(figureSettings),
      errors: ['company_dissolved'],
      example: { excluded_connections: ['payroll-escrow'] },
    }),
  },
};
