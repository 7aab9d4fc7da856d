import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { balanceResult, cashBalance, cashBalanceInput } from '../records/cash-balance.ts';
import { cashOnHand } from '../records/company.ts';
import { listOf, pageParameters, warnings } from '../records/list.ts';
import { currencyInput, id, idParameter, instant, localDate, text } from '../scalars.ts';

export const cashOperations = {
  balances: {
    upsert: defineOperation({
      id: 'cash.balances.upsert',
      kind: 'mutation',
      summary: 'Post a cash balance: stores it, or updates the one of the same day and connection',
      http: {
        method: 'POST',
        path: '/companies/{company_id}/cash/balances',
        success: 200,
        status: (output: { result: string }) => (output.result === 'created' ? 201 : 200),
      },
      scopes: ['human'],
      permission: 'cash:write',
      input: z.object({ company_id: idParameter, ...cashBalanceInput }),
      output: cashBalance.extend({
        result: balanceResult,
        previous_balance_cents: z.int().optional(),
        event_id: id('evt'),
        warnings,
      }),
      errors: ['company_not_found', 'company_dissolved', 'connection_disconnected'],
      emits: ['bank.balance.updated'],
      example: {
        as_of: '2026-03-02',
        balance_cents: 41_250_000,
        currency: 'USD',
        source: 'bank_sync',
        connection_id: 'operating',
      },
    }),
    get: defineOperation({
      id: 'cash.balances.get',
      kind: 'query',
      summary: 'Read a cash balance',
      http: { method: 'GET', path: '/companies/{company_id}/cash/balances/{balance_id}', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({ company_id: idParameter, balance_id: idParameter }),
      output: cashBalance,
      errors: ['company_not_found', 'not_found'],
      emits: [],
      example: {},
    }),
    list: defineOperation({
      id: 'cash.balances.list',
      kind: 'query',
      summary: 'List cash balances, newest day first',
      http: { method: 'GET', path: '/companies/{company_id}/cash/balances', success: 200 },
      scopes: ['human', 'agent', 'read'],
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        as_of_from: localDate.optional(),
        as_of_to: localDate.optional(),
        connection_id: text(1, 255).optional(),
        source: text(1, 100).optional(),
        currency: currencyInput.optional(),
        updated_since: instant.optional(),
        latest: z.boolean().optional().meta({ description: 'Only the newest balance of each connection' }),
      }),
      output: listOf(cashBalance),
      errors: ['company_not_found', 'invalid_cursor'],
      emits: [],
      example: {},
    }),
  },
  onHand: defineOperation({
    id: 'cash.onHand',
    kind: 'query',
    summary: 'Cash on hand per currency: the newest balance of each connection, added up',
    http: { method: 'GET', path: '/companies/{company_id}/cash/on-hand', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({ company_id: idParameter }),
    output: cashOnHand,
    errors: ['company_not_found'],
    emits: [],
    example: {},
  }),
};
