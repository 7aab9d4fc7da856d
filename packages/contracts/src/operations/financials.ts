import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { financialSnapshot, snapshotInput, snapshotResult, statementType } from '../records/financial-snapshot.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { id, idParameter, instant, localDate, text } from '../scalars.ts';

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
        replaced_revision: z.int().optional(),
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
        source: text(1, 100).optional(),
        updated_since: instant.optional(),
      }),
      output: listOf(financialSnapshot),
      errors: ['company_not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
  },
};
