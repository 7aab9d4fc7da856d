import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { burn, monthlyFlows, runway } from '../records/burn.ts';
import { dataQuality } from '../records/data-quality.ts';
import {
  financialSnapshot,
  revisionId,
  snapshotInput,
  snapshotResult,
  snapshotRevision,
  statementType,
} from '../records/financial-snapshot.ts';
import { financialSummary } from '../records/financial-summary.ts';
import { freshness } from '../records/freshness.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { checkedSnapshot, snapshotCheck } from '../records/snapshot-check.ts';
import { surfaceSettings, surfaceSettingsInput } from '../records/surface-settings.ts';
import { currencyInput, id, idParameter, localDate, text } from '../scalars.ts';

interface SurfaceQuery<I extends string, T extends z.ZodType> {
  id: I;
  summary: string;
  /** Below the company. */
  path: string;
  output: T;
  etag?: true;
}

/** A figure of one company that is read with nothing but its id. */
function surfaceQuery<const I extends string, T extends z.ZodType>(query: SurfaceQuery<I, T>) {
  return defineOperation({
    id: query.id,
    kind: 'query',
    summary: query.summary,
    http: { method: 'GET', path: `/companies/{company_id}/${query.path}`, success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ company_id: idParameter }),
    output: query.output,
    errors: ['company_not_found'],
    emits: [],
    ...(query.etag ? { etag: true } : {}),
    example: {},
  });
}

export const financialOperations = {
  snapshots: {
    upsert: defineOperation({
      id: 'financials.snapshots.upsert',
      kind: 'mutation',
      summary: 'Post a statement snapshot: stores it, or replaces the one of the same type and period end',
      http: {
        method: 'POST',
        path: '/companies/{company_id}/financials/snapshots',
        success: 200,
        status: (output: { result: string }) => (output.result === 'created' ? 201 : 200),
      },
      scopes: ['human'],
      permission: 'financials:write',
      input: z.object({ company_id: idParameter, ...snapshotInput }),
      output: financialSnapshot.extend({
        result: snapshotResult,
        replaced_revision_id: revisionId.optional(),
        checks: z.array(snapshotCheck),
        event_id: id('evt'),
        warnings,
      }),
      errors: ['company_not_found', 'company_dissolved'],
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
      id: 'financials.snapshots.get',
      kind: 'query',
      summary: 'Read a statement snapshot',
      http: { method: 'GET', path: '/companies/{company_id}/financials/snapshots/{snapshot_id}', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ company_id: idParameter, snapshot_id: idParameter }),
      output: financialSnapshot,
      errors: ['company_not_found', 'not_found'],
      emits: [],
      example: {},
    }),
    list: defineOperation({
      id: 'financials.snapshots.list',
      kind: 'query',
      summary: 'List statement snapshots, latest period first',
      http: { method: 'GET', path: '/companies/{company_id}/financials/snapshots', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        statement_type: statementType.optional(),
        period_end_from: localDate.optional(),
        period_end_to: localDate.optional(),
        currency: currencyInput.optional(),
        source: text(1, 100).optional(),
        ...timeFilters,
      }),
      output: listOf(financialSnapshot),
      errors: ['company_not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
    checks: defineOperation({
      id: 'financials.snapshots.checks',
      kind: 'query',
      summary: 'Run the checks K1 to K14 of a statement snapshot against what is stored now',
      http: { method: 'GET', path: '/companies/{company_id}/financials/snapshots/{snapshot_id}/checks', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ company_id: idParameter, snapshot_id: idParameter }),
      output: checkedSnapshot.extend({ object: z.literal('checked_snapshot') }),
      errors: ['company_not_found', 'not_found'],
      emits: [],
      example: {},
    }),
    revisions: defineOperation({
      id: 'financials.snapshots.revisions',
      kind: 'query',
      summary: 'List the revisions of a statement snapshot, the current one first',
      http: {
        method: 'GET',
        path: '/companies/{company_id}/financials/snapshots/{snapshot_id}/revisions',
        success: 200,
      },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ company_id: idParameter, snapshot_id: idParameter, ...pageParameters }),
      output: listOf(snapshotRevision),
      errors: ['company_not_found', 'not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
  },
  summary: surfaceQuery({
    id: 'financials.summary',
    summary: 'Cash, burn, runway, freshness, checks and data quality in one answer, with an ETag',
    path: 'financials/summary',
    output: financialSummary,
    etag: true,
  }),
  runway: surfaceQuery({
    id: 'financials.runway',
    summary: 'How long the cash of each currency lasts, and why',
    path: 'financials/runway',
    output: runway,
  }),
  burn: surfaceQuery({
    id: 'financials.burn',
    summary: 'Net and gross burn per currency over the last complete months',
    path: 'financials/burn',
    output: burn,
  }),
  monthly: defineOperation({
    id: 'financials.monthly',
    kind: 'query',
    summary: 'Money in and out per month and currency, the current month last',
    http: { method: 'GET', path: '/companies/{company_id}/financials/monthly', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ company_id: idParameter, months: z.int().min(1).max(60).default(12) }),
    output: monthlyFlows,
    errors: ['company_not_found'],
    emits: [],
    example: {},
  }),
  freshness: surfaceQuery({
    id: 'financials.freshness',
    summary: 'When each kind of data last came, against the cadence at which it is expected',
    path: 'freshness',
    output: freshness,
  }),
  dataQuality: surfaceQuery({
    id: 'financials.dataQuality',
    summary: 'What does not add up: checks, reconciliation, changed duplicates, suspected transfers',
    path: 'data-quality',
    output: dataQuality,
  }),
  settings: {
    get: surfaceQuery({
      id: 'financials.settings.get',
      summary: 'Read what the figures of a company leave out',
      path: 'financials/settings',
      output: surfaceSettings,
    }),
    update: defineOperation({
      id: 'financials.settings.update',
      kind: 'mutation',
      summary: 'Change what the figures of a company leave out',
      http: { method: 'PATCH', path: '/companies/{company_id}/financials/settings', success: 200 },
      scopes: ['human'],
      permission: 'financials:write',
      input: z.object({ company_id: idParameter, ...surfaceSettingsInput }),
      output: surfaceSettings.extend({ warnings: warnings.optional() }),
      errors: ['company_not_found', 'company_dissolved'],
      emits: [],
      example: { excluded_connections: ['payroll-escrow'] },
    }),
  },
};
