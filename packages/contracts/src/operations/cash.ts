import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { balanceResult, cashBalance, cashBalanceInput, previousBalance } from '../records/cash-balance.ts';
import { cashHistory, cashOnHand } from '../records/cash-on-hand.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { amount, currencyInput, id, idParameter, localDate, text } from '../scalars.ts';

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
        previous_balance_cents: previousBalance,
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
        min_balance_cents: amount.optional(),
        max_balance_cents: amount.optional(),
        ...timeFilters,
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
  history: defineOperation({
    id: 'cash.history',
    kind: 'query',
    summary: 'Cash per day: the newest balance of each connection at the end of each of the last days',
    http: { method: 'GET', path: '/companies/{company_id}/cash/history', success: 200 },
    scopes: ['human', 'agent', 'read'],
    input: z.object({
      company_id: idParameter,
      days: z
        .int()
        .min(1)
        .max(366)
        .default(90)
        .meta({ description: 'Days times streams are at most 100 000; beyond, 422 says how many days there may be' }),
    }),
    output: cashHistory,
    errors: ['company_not_found'],
    emits: [],
    example: {},
  }),
};
