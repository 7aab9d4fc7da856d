import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import {
  balanceResult,
  cashBalance,
  cashBalanceInput,
  cashHistory,
  cashOnHand,
  previousBalance,
} from '../records/cash.ts';
import { dryRun, dryRunInput } from '../records/dry-run.ts';
import { listOf, pageParameters, timeFilters, warnings } from '../records/list.ts';
import { amount, currencyInput, id, idParameter, localDate, text } from '../scalars.ts';

export const cashOperations = {
  balances: {
    upsert: defineOperation({
      summary: 'Create or update a cash balance',
      description:
        'Each company has one balance per `as_of` and `connection_id`; posting the pair again updates it, and `result` says whether it was `created`, `updated` or `unchanged`. Emits one `bank.balance.updated` per accepted request, also when the value is unchanged. A `connection_id` that begins with `conn_` must be a bank connection of the company, and the first row that names it activates it. A key of scope `ingest` cannot post under a `connection_id` whose first row another key posted (409 `connection_owned`); rows that name no connection count as one connection. `account_type` says what the account is, until a later post says otherwise; what the financial settings say wins, and another type has the warning `account_type_overridden`. A balance in another currency than the newest one of its connection is stored with the warning `currency_changed`. With `dry_run=true` nothing is stored.',
      http: {
        method: 'POST',
        path: '/companies/{company_id}/cash/balances',
        status: (output: { result: string; dry_run?: boolean }) =>
          output.result === 'created' && !output.dry_run ? 201 : 200,
        query: ['dry_run'],
      },
      scopes: ['human', 'ingest'],
      permission: 'cash:write',
      input: z.object({ company_id: idParameter, dry_run: dryRunInput, ...cashBalanceInput }),
      output: cashBalance
        .extend({
          result: balanceResult,
          previous_balance_cents: previousBalance,
          event_id: id('evt'),
          warnings,
          dry_run: dryRun,
        })
        .meta({ id: 'CashBalanceResult', description: 'The stored balance, with what the request changed.' }),
      errors: ['company_dissolved', 'connection_disconnected', 'connection_owned'],
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
      summary: 'Read a cash balance',
      description: 'The balance is the value that was posted last for its day and connection.',
      http: { method: 'GET', path: '/companies/{company_id}/cash/balances/{balance_id}' },
      input: z.object({ company_id: idParameter, balance_id: idParameter }),
      output: cashBalance,
    }),
    list: defineOperation({
      summary: 'List cash balances, newest day first',
      description: 'Rows are sorted by `as_of`. Set `latest` to get only the newest balance of each connection.',
      http: { method: 'GET', path: '/companies/{company_id}/cash/balances' },
      input: z.object({
        company_id: idParameter,
        ...pageParameters,
        as_of_from: localDate.optional().describe('Only balances of this day or later.'),
        as_of_to: localDate.optional().describe('Only balances of this day or earlier.'),
        connection_id: text(1, 255)
          .optional()
          .describe('Only balances of this connection; `none` for those without one.'),
        source: text(1, 100).optional().describe('Only balances with exactly this source.'),
        currency: currencyInput.optional().describe('Only balances in this currency.'),
        min_balance_cents: amount.optional().describe('Only balances of at least this many minor units.'),
        max_balance_cents: amount.optional().describe('Only balances of at most this many minor units.'),
        ...timeFilters,
        latest: z
          .boolean()
          .optional()
          .describe(
            "`true` returns only the newest balance of each connection, of `as_of_to` or tomorrow's date at the latest.",
          ),
      }),
      output: listOf(cashBalance),
    }),
  },
  onHand: defineOperation({
    summary: 'Read the cash on hand',
    description:
      'Adds up the newest balance of each connection, per currency, and in `total` all of them at the exchange rates of the account. Disconnected connections, those that the financial settings exclude, and `restricted`, `credit_card` and `loan` accounts are not counted and are listed in `excluded`.',
    http: { method: 'GET', path: '/companies/{company_id}/cash/on-hand' },
    replica: true,
    input: z.object({ company_id: idParameter }),
    output: cashOnHand,
  }),
  history: defineOperation({
    summary: 'Read the cash per day',
    description:
      "Returns the newest balance of each connection at the end of each day, and their sum per currency; the last day is today in the company's time zone. A disconnected connection counts for the days before it was disconnected. Days times connections are limited to 100,000; a request for more is rejected with 422.",
    http: { method: 'GET', path: '/companies/{company_id}/cash/history' },
    replica: true,
    input: z.object({
      company_id: idParameter,
      days: z
        .int()
        .min(1)
        .max(366)
        .default(90)
        .describe('How many days to return, including today. Days times connections are at most 100,000.'),
    }),
    output: cashHistory,
  }),
};
